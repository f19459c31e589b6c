// Contacts as the sweeps of contact.c read them: a mover per solid, a row per contact, and how one contact is
// solved. Rows lie pair by pair, in the order of colours (contact_colours.c). Theory: docs/theory/bodies.md
#ifndef MOTE_CONTACT_ROWS_H
#define MOTE_CONTACT_ROWS_H

#include "contact/contact.h"

#define MOTE_CONTACT_COLOURS 64  // the last one is done by one thread

// Of a solid what every row reads, and what only those that press do.
typedef struct mote_mover {
  double v[3], w[3];
} mote_mover;

typedef struct mote_mover_mass {
  double inverse_mass, inverse_inertia[6];  // xx, xy, xz, yy, yz, zz
  bool moves;
} mote_mover_mass;

// What presses, and what of it drags, apart: of rows that do not press only this is read.
typedef struct mote_contact_row {
  uint32_t a, b;              // a < b, whosever sample it is
  double n[3], ra[3], rb[3];  // normal, out of b; arms from the reference points
  double mass, bound, press;  // impulse per change of w_n; least w_n; impulse
  double resistance;          // change of w_n per impulse
} mote_contact_row;

// Made when the contact presses for the first time.
typedef struct mote_contact_tangent {
  double t[2][3];
  double friction, drag[2];  // drag: impulses
  double halt[3];            // impulse per change of w_t, where it can be changed: 00, 01, 11
  double stiffest, softest;  // largest eigenvalue of the change of w_t per impulse; 1 / that
  double couple[2];          // change of w_t per impulse along the normal
} mote_contact_tangent;

// Rows of one pair, one after the other, as its contacts are.
typedef struct mote_contact_group {
  uint32_t a, b;  // a < b
  size_t first, count, contact;
} mote_contact_group;

struct mote_contact_rows {
  const mote_contact_scene *scene;
  const double *before;  // velocities and spins of bodies before any impulse; null: the solids'

  mote_mover *mover;
  mote_mover_mass *mass;
  mote_contact_row *row;
  mote_contact_tangent *tangent;
  uint8_t *has_tangent;       // one a row
  mote_contact_group *group;  // by colour, of each those first that pressed in the last step
  uint32_t *in_order;         // groups in the order of their contacts
  size_t rows, groups;
  size_t colour[MOTE_CONTACT_COLOURS + 1];  // the first group of each
};

// Gives every pair a colour: contact_colours.c. `used`: one per solid, `shade`: one per contact.
void mote_contact_colour(mote_contact_rows *s, const mote_contact_set *set, uint64_t *used, uint8_t *shade);

void mote_contact_load_mover(const mote_contact_rows *s, size_t k);

// Row `number` of the contact, with the impulses of the last step; returns the velocity along the normal that
// has to be changed at least.
double mote_contact_make_row(const mote_contact_rows *s, size_t number, const mote_contact *c);
// Gives the movers the impulses that it has.
void mote_contact_begin_row(const mote_contact_rows *s, size_t number);
void mote_contact_keep_row(const mote_contact_rows *s, size_t number, mote_contact *c);

typedef struct mote_contact_sweep {
  bool back, rough;  // rows in reverse; with friction
} mote_contact_sweep;

// Fulfils the conditions of the rows of a pair, one after the other; returns how much the velocity at one had
// to be changed.
double mote_contact_solve_group(const mote_contact_rows *s, size_t group, mote_contact_sweep how);

#endif
