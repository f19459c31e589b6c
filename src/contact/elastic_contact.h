// Contact of elastic particles: with obstacles (walls, colliders, rigid bodies) by their distance fields, and
// with the faces of elastic bodies, which samples of obstacles meet as well. A tick finds records, contact
// planes that stay fixed for the tick; the forces of their conditions enter the explicit substeps or the
// implicit step. Rigid bodies in contact move within the tick: they are unknowns like the particles.
// Particles of lattices are met as those of elastic bodies are. Theory: docs/theory/contact.md, "Conditions"
// and "Faces"
#ifndef MOTE_ELASTIC_CONTACT_H
#define MOTE_ELASTIC_CONTACT_H

#include <mote/search.h>

#include "contact/condition.h"
#include "contact/contact.h"
#include "contact/contact_islands.h"
#include "contact/tuning.inc"
#include "elastic/elastic_body.h"
#include "elastic/elastic_external.h"

#define MOTE_MULTIPLIER_UPDATES 6  // in a step, at most
#define MOTE_NO_MOVER UINT32_MAX   // an obstacle that does not move

// One of the elastic bodies that are stepped together, or the lattice bodies of one material. Their particles
// are contiguous in all arrays, in this order.
typedef struct mote_elastic_contact_part {
  const double *filled;  // positions before clamps have moved some, which tell the surface; null: as at rest
  const mote_elastic *body;  // in its first reference: gives the neighbours that do not make contact
  // In its present reference, which may be the first: gives the surface and its normals. With H - 1 of its
  // particles, six numbers each (mote_elastic_reference), read when the contact is created; or null.
  const mote_elastic *present;
  const double *metric;
  // Positions at rest, where pairs that are not neighbours may be closer than two radii; or null.
  const double *rest;
  const mote_shape *shape;  // at rest: no ball reaches out of it; null: the balls are of half a spacing
  double friction;
  bool alone;  // no self-contact, and a surface that changes from step to step
  // Self-contact only if each of both particles is on the outer side of the other: flattened or inverted
  // parts can recover. Not for plastic bodies, which stay flat.
  bool outside_only;
  const double *radius, *reach;  // m, of its particles' balls; null: by their volumes and the shape
  const uint32_t *object;        // to which of several bodies each particle belongs; null: there is one
  size_t objects;
} mote_elastic_contact_part;

// What a record is of.
typedef enum mote_meets {
  MOTE_MEETS_OBSTACLE,  // particle i meets the distance of an obstacle
  MOTE_MEETS_FACE,      // particle i meets the face, or at edges the ball, of the elastic particle `other`
  MOTE_MEETS_SAMPLE,    // the face of particle i meets a sample of an obstacle
  MOTE_MEETS_STIFF,     // a rigid body meets an obstacle: `other` of the set's rigid contacts
} mote_meets;

// How much of the motion of a particle a record sees, and of the record's force the particle gets: along the
// normal and across it. Those of one side sum to 1, of the other side to -1; an obstacle is a side of its
// own.
typedef struct mote_elastic_contact_member {
  uint32_t particle;
  double along, across;
} mote_elastic_contact_member;

typedef struct mote_elastic_contact_record {
  uint32_t i;      // UINT32_MAX: MOTE_MEETS_STIFF
  uint32_t other;  // index of the obstacle or of the particle
  uint32_t sample;
  uint32_t mover[2];  // indices among the set's movers: of i's side and of the other
  mote_meets meets;
  uint32_t first, members;  // of the set's members
  double normal[3];         // out of the other side
  double gap;               // m, at the start of the tick; negative: overlap
  double overlap;           // m: what it was deeper than that
  double creep;             // m: by which an overlap comes apart in the tick
  double motion[3];         // velocity of the obstacle there, m/s, without the effect of the contact
  double arm[2][3];         // from the movers' reference points to where they meet
  double friction;
  mote_condition condition;
  double past;        // m: of the gap's change, what was before the step
  double slip[3];     // m: less that before the step
  double impulse[3];  // on i's side in the tick, N s
  double give[2];     // m/N: of i's side and of the other, in the step
  // Second derivatives along the normal and in the plane (xx xy xz yy yz zz), N/m.
  double normal_stiffness, tangent_stiffness[6];
} mote_elastic_contact_record;

// Of a particle: what it has of a record.
typedef struct mote_elastic_contact_share {
  uint32_t record;
  double along, across;
} mote_elastic_contact_share;

// A rigid body in contact. Its displacement in the tick, beyond that of its own velocity, is (root_mass p,
// root_inertia q) with unknowns p, q of unit mass; roots are 0 where it cannot move.
typedef struct mote_elastic_contact_mover {
  uint32_t obstacle;
  double root_mass, root_inertia[9];
  double stop_rate[3];  // rate of p at which the body does not move
  // Impulse and angular impulse in the tick, about its reference point; displacement and rotation in the tick
  // beyond those of its final velocities.
  double impulse[3], twist[3], shift[3], turn[3];
  uint32_t part;  // the first that it, or a body connected with it, may touch
  bool met;       // by any impulse
  bool pressed;   // against something that does not give way
} mote_elastic_contact_mover;

// Multipliers, which outlive the tick: the state of elastic contact.
typedef struct mote_friction_memory {
  uint32_t i, other, sample;
  mote_meets meets;
  double normal, tangent[3];  // N: the multipliers
} mote_friction_memory;

// -1, 0 or 1 by (i, meets, other, sample), the order of records and memories.
int mote_friction_memory_compare(const mote_friction_memory *a, const mote_friction_memory *b);
void mote_friction_memory_sort(mote_friction_memory *memory, size_t count);

// A ball of an obstacle that faces may meet.
typedef struct mote_elastic_contact_sample {
  uint32_t obstacle, number;
  double x[3], motion[3];  // m; m/s
  double round, margin;    // m: its radius, and how close faces may come in the tick
} mote_elastic_contact_sample;

typedef struct mote_elastic_contact_chunk {
  mote_elastic_contact_record *record;
  mote_elastic_contact_member *member;
  size_t count, capacity, members, member_capacity;
  mote_result result;
} mote_elastic_contact_chunk;

typedef struct mote_elastic_contact {
  mote_elastic_external external;  // this contact, as the steps of elastic bodies see it
  mote_env env;
  mote_arena arena;  // of constant data
  int dimensions;
  mote_elastic_contact_part *part;
  size_t *start;  // first particle of each part, and the total
  size_t parts, bodies, count;
  double *radius;    // half the spacing, m
  double *reach;     // of the balls, m: where they tie
  double *face;      // in the reference: second moments times the outward unit vector, three each
  double *flatness;  // of the surface at a particle: 1 flat, 0 at edges and inside
  double *normal;    // current normals of surface particles
  uint32_t *part_of;
  uint32_t *body_of;  // number of the body, of all parts
  uint8_t *outer;     // whether they are on the surface
  uint32_t *surface;  // those that are, ascending
  uint8_t *exposed;   // those of them that flow has brought there: no contact with their own body
  size_t surfaces;
  double radius_max;  // m

  // Data of the tick.
  double *begin;                        // positions at its start
  mote_elastic_contact_record *record;  // by ascending (i, meets, other, sample)
  size_t records;
  mote_elastic_contact_member *member;
  // Particles that have a part in records, ascending, and their shares: share_first[r] .. [r + 1] - 1.
  uint32_t *meets;
  size_t meetings;
  size_t *share_first;
  mote_elastic_contact_share *share;
  double *force;  // of each record, six numbers: along its normal and across it
  mote_elastic_contact_mover *mover;
  size_t movers, carriers;  // those with records of particles are the first
  size_t *mover_first;      // first record of each mover in mover_record
  uint32_t *mover_record;   // twice its index, and 1 where the mover is the other side
  // Contacts of movers among themselves and with what does not move: the last records, in the same order.
  mote_contact *rigid;
  size_t rigids, rigid_capacity;
  const mote_contact_set *former;  // with the impulses of the last tick of rigid bodies, set by the caller
  double former_tick;              // before finding; or null. s: its length
  // Their part of the second derivative, factorised; inertia: of an unknown, 1/s^2.
  mote_island factor;
  double *factor_entry, inertia;
  size_t *factor_line, factor_capacity, factor_line_capacity;
  bool factored;
  double applied_gravity[3];  // m/s^2: gravity that the obstacles' velocities already contain for the whole
                              // tick; set by the caller before finding, initially 0. Explicit steps apply it
                              // step by step
  double tick, since;         // s: length of the tick, and time since its start
  double tolerance;           // m: how far gaps may be from those that conditions ask for
  double softness_min;        // of the conditions
  mote_elastic_tie *tie;      // obstacles' part of the stiffness last found
  size_t ties, tie_capacity;
  bool midpoint;           // a step of the midpoint rule: until its end normal forces are its means
  double travel;           // m: largest displacement of a particle in the tick
  const uint8_t *stepped;  // parts to step, set by the caller before finding; null: all. The others have no
                           // contacts and keep their friction memory
  // Unknowns p, q of all movers, their rates and generalised forces, six each.
  double *displacement, *rate, *generalised_force;
  mote_friction_memory *memory, *next_memory;  // of the last tick, and buffer for this one
  size_t memories;

  // Implicit steps with loose particles, which move by their inertia alone: unknowns behind those of the
  // movers, three each, of unit mass. They are the last ones, and behind them all: none.
  size_t loose, loose_meets;  // the first of them, and of those in `meets`
  double loose_step;          // s: to where the unknowns are taken
  const double *now;          // positions of all particles when the step begins
  uint32_t *loose_row;        // per loose particle: its number among those in `meets`
  double *loose_root;         // of each of those: by which its unknown moves it
  double *loose_path;         // its way in the step without contact, m
  double *loose_diagonal;     // of its block of the stiffness
  double *ahead;  // unknowns of the movers in the middle or at the end of the step, without contact
  size_t loose_capacity, loose_row_capacity;

  mote_grid *grid;
  double grid_radius;
  mote_elastic_contact_chunk *chunk;
  double *kick;  // vectors of explicit steps: elastic_contact_kick.c
  size_t kick_capacity;
  uint32_t *ball;                       // particles that meet others
  uint32_t *ball_of;                    // per particle: its number among them, or UINT32_MAX
  double *bounds;                       // of each part: its lowest and its highest corner
  uint8_t *reachable;                   // per part and obstacle: whether the part can reach the obstacle
  uint32_t *slot;                       // mover of each obstacle, or MOTE_NO_MOVER
  mote_elastic_contact_sample *sample;  // of obstacles, that faces may meet
  double *look, *look_radius;           // where balls, then samples, look for balls
  size_t balls, samples;
  size_t chunks, record_capacity, member_capacity, meets_capacity, share_first_capacity, share_capacity,
      record_force_capacity, mover_capacity, first_capacity, mover_record_capacity, displacement_capacity,
      rate_capacity, force_capacity;
  double *total_force;     // N, by contact in the last step: on each obstacle, then on each body
  size_t force_obstacles;  // number of the obstacles among them
  size_t total_capacity, memory_capacity, next_capacity, ball_capacity, bounds_capacity, reachable_capacity,
      slot_capacity, sample_capacity, look_capacity, look_radius_capacity;
} mote_elastic_contact;

// `rest` and the bodies of the parts must outlive it.
mote_result mote_elastic_contact_create(const mote_elastic_contact_part *part, size_t parts,
                                        const mote_env *env, mote_elastic_contact **out, mote_error *error);
void mote_elastic_contact_destroy(mote_elastic_contact *set);
static inline bool mote_elastic_contact_is_stepped(const mote_elastic_contact *set, size_t part) {
  return set->stepped == NULL || set->stepped[part] != 0;
}
static inline double mote_elastic_contact_mass(const mote_elastic_contact *set, size_t i) {
  return set->part[set->part_of[i]].body->mass[i - set->start[set->part_of[i]]];
}
// Conditions hold when the step ends: how many times the displacement at which their forces are taken.
static inline double mote_elastic_contact_times(const mote_elastic_contact *set) {
  return set->midpoint ? 2.0 : 1.0;
}

// --- Finding: elastic_contact_find.c, elastic_contact_faces.c, elastic_contact_rows.c ----------------------

// Starts a tick of scene->dt seconds: finds all records of the particles at `position`, none of which moves
// farther than `travel` m. Obstacles move with the velocities that they would have without elastic contact
// (gravity included). Reads scene's obstacles, bodies, dt, domain, threads.
mote_result mote_elastic_contact_find(mote_elastic_contact *set, const mote_contact_scene *scene,
                                      const double *position, double travel, mote_error *error);

// Outward normal of the body at particle i, of particles at x; meaningful where the surface is flat.
void mote_elastic_contact_normal(const mote_elastic_contact *set, const double *x, size_t i,
                                 double normal[3]);

// --- The law: elastic_contact.c ----------------------------------------------------------------------------
// The functions of set->external.
mote_elastic_external mote_elastic_contact_external(mote_elastic_contact *set);

// After all steps of the tick, with the particles at x: how deep the centre of a particle is in an
// obstacle at most, m, of those too deep that the tick has pressed deeper, and the particle; 0: none. held:
// of particles that do not count.
double mote_elastic_contact_squeezed(mote_elastic_contact *set, const double *x, const uint8_t *held,
                                     double spacing, size_t *particle);
// Ends the tick after all its steps: sets the movers' impulses and stores the multipliers in the memory.
mote_result mote_elastic_contact_end(mote_elastic_contact *set, mote_error *error);

// --- Rigid bodies: elastic_contact_rigid.c -------------------------------------------------------------

bool mote_elastic_contact_moves(const mote_obstacle *obstacle);
// After the records of particles: adds all bodies connected with the movers, and the contacts of all.
mote_result mote_elastic_contact_find_rigid(mote_elastic_contact *set, const mote_contact_scene *scene,
                                            mote_error *error);
mote_result mote_elastic_contact_reserve_factor(mote_elastic_contact *set, mote_error *error);
// After the stiffness; then, for the function of set->external, solves with it.
void mote_elastic_contact_factorise(mote_elastic_contact *set);
void mote_elastic_contact_precondition(void *user, const double *in, double *out);
// What the tick gives the movers, and the impulses of their contacts.
void mote_elastic_contact_end_rigid(mote_elastic_contact *set);

// --- Loose particles: elastic_contact_loose.c
// ---------------------------------------------------------------

mote_result mote_elastic_contact_reserve_loose(mote_elastic_contact *set, mote_error *error);
// Before an implicit step of kick->dt seconds of the particles before `first`: the others are loose. Arrays
// of all particles, whose velocities and forces are read for the loose ones.
void mote_elastic_contact_loosen(mote_elastic_contact *set, size_t first, const mote_elastic_kick *kick);
// After it: adds the conditions' forces on loose particles to those of all particles.
void mote_elastic_contact_loose_forces(const mote_elastic_contact *set, double *force);
// For the functions of set->external. step: s, to where the unknowns are taken. move: displacement since the
// start of the tick (y null: until now), or of directions. rest: rate of an unknown at which its particle
// does not move; former: by which the multipliers' forces move it.
void mote_elastic_contact_begin_loose(mote_elastic_contact *set, double step);
void mote_elastic_contact_loose_move(const mote_elastic_contact *set, size_t particle, const double *y,
                                     bool positions, double out[3]);
void mote_elastic_contact_loose_stiffness(mote_elastic_contact *set);
double mote_elastic_contact_loose_largest(const mote_elastic_contact *set, const double *dy);
void mote_elastic_contact_loose_rest(const mote_elastic_contact *set, size_t row, double rate[3]);
void mote_elastic_contact_loose_former(const mote_elastic_contact *set, size_t row, double rate[3]);
static inline bool mote_elastic_contact_is_loose(const mote_elastic_contact *set, size_t particle) {
  return particle >= set->loose;
}

// --- Conditions: elastic_contact_conditions.c -------------------------------------------------------------

// Begin an implicit step, and an explicit one from the positions `from`, which would lead to `goal`.
void mote_elastic_contact_begin_implicit(mote_elastic_contact *set, const mote_elastic_external_step *step);
void mote_elastic_contact_begin_kick(mote_elastic_contact *set, const double *from, const double *goal,
                                     double dt);
// After the stiffness: what it is at the particles, for the preconditioner.
void mote_elastic_contact_find_ties(mote_elastic_contact *set);

// --- Explicit steps: elastic_contact_kick.c ----------------------------------------------------------------

mote_result mote_elastic_contact_reserve_kick(mote_elastic_contact *set, mote_error *error);
// The kick of set->external.
void mote_elastic_contact_kick(void *user, const mote_elastic_kick *kick);
// Gravity, which the movers' velocities contain for the whole tick, acts on their rates for dt seconds.
static inline void mote_elastic_contact_accelerate(mote_elastic_contact *set, double dt) {
  for (size_t m = 0; m < set->movers; ++m) {
    double root = set->mover[m].root_mass, *rate = set->rate + 6 * m;
    if (root > 0.0) step3(rate, dt / root, set->applied_gravity, rate);
  }
}
// What slips from the positions x on meets the friction of the conditions.
void mote_elastic_contact_anchor(mote_elastic_contact *set, const double *x);
// Adds the multipliers' forces, which act for dt seconds.
void mote_elastic_contact_take(mote_elastic_contact *set, double dt, double *force, double *force_y);

// How far a particle reaches towards obstacles: inner ones meet them with their centres, but where surfaces
// change from step to step that would move them by half a spacing.
static inline double mote_elastic_contact_reach(const mote_elastic_contact *set, size_t i) {
  return set->outer[i] || set->part[set->part_of[i]].alone ? set->reach[i] : 0.0;
}

#endif
