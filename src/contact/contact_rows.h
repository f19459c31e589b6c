// Contacts as the sweeps of contact.c read them: one mover per obstacle, one row per contact, and the solve
// of one contact. Rows are ordered by pair, pairs by colour (contact_colours.c). Theory:
// docs/theory/bodies.md
#ifndef MOTE_CONTACT_ROWS_H
#define MOTE_CONTACT_ROWS_H

#include "contact/contact.h"

#define MOTE_CONTACT_COLOURS 64      // the last one is solved by one thread
#define MOTE_VELOCITY_ROUNDING 1e-9  // rounding: of gravity's change of a velocity; smaller ones are none

// The state of an obstacle, split: every row reads the velocities, only active rows read the masses.
typedef struct mote_mover {
  double v[3], w[3];
} mote_mover;

typedef struct mote_mover_mass {
  double inverse_mass, inverse_inertia[6];  // xx, xy, xz, yy, yz, zz
  bool moves;
} mote_mover_mass;

// Normal part of a contact; inactive rows read only this, not the tangent.
typedef struct mote_contact_row {
  uint32_t a, b;                       // a < b, whichever owns the sample
  double n[3], ra[3], rb[3];           // normal, out of b; arms from the reference points
  double mass, bound, normal_impulse;  // impulse per change of w_n; least w_n; N s
  double compliance;                   // change of w_n per impulse
} mote_contact_row;

// Tangential part, made when the contact first becomes active.
typedef struct mote_contact_tangent {
  double t[2][3];
  double friction, friction_impulse[2];  // friction_impulse: N s along t[0] and t[1]
  double tangent_mass[3];                // impulse per change of w_t, where it can be changed: 00, 01, 11
  // Largest eigenvalue of the change of w_t per impulse; its inverse.
  double compliance_max, inverse_compliance_max;
  double coupling[2];  // change of w_t per normal impulse
} mote_contact_tangent;

// The rows of one pair, in the order of its contacts.
typedef struct mote_contact_group {
  uint32_t a, b;  // a < b
  size_t first, count, contact;
} mote_contact_group;

struct mote_contact_rows {
  const mote_contact_scene *scene;
  double *start;  // velocities and spins of the bodies without the impulses of the rows, 6 numbers each

  mote_mover *mover;
  mote_mover_mass *mass;
  mote_contact_row *row;
  mote_contact_tangent *tangent;
  uint8_t *has_tangent;  // one per row
  uint8_t *arrives;      // one per row: an impact within the step, contact_arrival.h
  // Displacements over the step's length, of the bodies that bounced; null: none did. contact_impact.h
  mote_mover *flight;
  mote_contact_group *group;  // by colour; in each colour those with an impulse in the last step first
  uint32_t *in_order;         // groups in the order of their contacts
  size_t rows, groups;
  size_t colour[MOTE_CONTACT_COLOURS + 1];  // first group of each colour
};

// Assigns a colour to every pair: contact_colours.c. `used`: one per obstacle, `group_key`: one per contact,
// scratch.
void mote_contact_colour(mote_contact_rows *s, const mote_contact_set *set, uint64_t *used,
                         uint8_t *group_key);

void mote_contact_load_mover(const mote_contact_rows *s, size_t k);

// Makes row `number` from the contact, with the impulses of the last step; returns the violation of its
// normal condition, m/s.
double mote_contact_make_row(const mote_contact_rows *s, size_t number, const mote_contact *c);
// Applies the impulses of the row to its movers.
void mote_contact_begin_row(const mote_contact_rows *s, size_t number, bool with_friction);
void mote_contact_keep_row(const mote_contact_rows *s, size_t number, mote_contact *c);
// Its tangents, made where they are missing.
mote_contact_tangent *mote_contact_tangent_of(const mote_contact_rows *s, size_t number);
// Sets the impulses along normal and tangents; the movers do not change.
void mote_contact_set_impulse(const mote_contact_rows *s, size_t number, const double impulse[3],
                              bool with_friction);
// Relative velocity at the contact, m/s; of these movers of its obstacles.
void mote_contact_row_velocity(const mote_contact_rows *s, size_t number, double out[3]);
void mote_contact_pair_velocity(const mote_contact_rows *s, size_t number, const mote_mover *a,
                                const mote_mover *b, double out[3]);
// Applies an impulse, N s, of the row to these movers.
void mote_contact_apply(const mote_contact_rows *s, size_t number, const double impulse[3], mote_mover *a,
                        mote_mover *b);
// Speed of a deforming obstacle's surface along the row's normal, beyond its v and w.
double mote_contact_surface_speed(const mote_contact_rows *s, size_t number, const mote_contact *c);

typedef struct mote_contact_sweep {
  bool reversed, with_friction;  // rows in reverse order; friction included
} mote_contact_sweep;

// Solves the rows of a pair one after the other; returns the largest velocity change.
double mote_contact_solve_group(const mote_contact_rows *s, size_t group, mote_contact_sweep how);

#endif
