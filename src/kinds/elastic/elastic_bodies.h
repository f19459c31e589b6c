// Elastic bodies of a world: creation from definitions, coupling, contact, and integration. Theory:
// docs/theory/elastic.md
#ifndef MOTE_ELASTIC_BODIES_H
#define MOTE_ELASTIC_BODIES_H

#include "geom/shape_faces.h"
#include "matter/kind.h"

extern const mote_kind_row mote_kind_row_elastic;

// stage_elastic.c: forces in elastic bodies and their motion over world->dt. Writes the elastic rows.
mote_result mote_elastic_bodies_step(mote_world *world, mote_error *error);

// Creates an elastic body from the definition: its shape (item->shape), its block and row in the tables, and
// its item among bodies. On failure the world is unchanged except for item->shape.
mote_result mote_elastic_body_make(mote_world *world, const mote_body_def *def, mote_body_item *item,
                                   mote_error *error);
// path_length of mote_elastic_def: ways inside a shape.
typedef struct mote_elastic_path {
  const mote_shape *shape;
  double spacing;
} mote_elastic_path;
void mote_elastic_path_lengths(void *path, const double from[3], const double *to, size_t count, double most,
                               double *length);
void mote_elastic_item_free(void *item, const mote_env *env);

// The block of elastic body k in the table of particles: behind those of the materials.
static inline size_t mote_elastic_block(const mote_world *world, size_t k) {
  return mote_kind_first_block(world, MOTE_KIND_ELASTIC) + k;
}

// The particles of elastic body k: its rows of a field.
static inline void *mote_elastic_rows(const mote_world *world, int field, size_t k) {
  return mote_store_rows(mote_world_store(world), field, mote_elastic_block(world, k));
}

// Positions and ids of the particles of all elastic bodies. Fields of their group begin with them.
static inline double *mote_elastic_positions(const mote_world *world) {
  return mote_store_f64(mote_world_store(world), MOTE_PARTICLE_POSITION) +
         3 * mote_kind_first_row(world, MOTE_KIND_ELASTIC);
}
static inline const uint64_t *mote_elastic_ids(const mote_world *world) {
  return mote_store_ids(mote_world_store(world)) + mote_kind_first_row(world, MOTE_KIND_ELASTIC);
}
static inline double *mote_elastic_velocities(const mote_world *world) {
  return mote_store_f64(mote_world_store(world), MOTE_ELASTIC_VELOCITY);
}

// The motion of body k, and of all bodies, as input of the solver.
mote_elastic_motion mote_elastic_body_motion(const mote_world *world, size_t k);
mote_elastic_motion mote_elastic_bodies_motion(const mote_world *world);

// Creates world->elastic_bodies from the current bodies; frees it.
mote_result mote_elastic_bodies_make(mote_world *world, mote_error *error);
void mote_elastic_bodies_free(mote_elastic_bodies *all);

#define MOTE_ELASTIC_FREQUENCY_ITERATIONS 100  // iterations of the power method

// elastic_references.c. load: makes the bodies match the references in the state, and recreates
// world->elastic_bodies where it existed. renew: at the end of a step, new references after large plastic
// flow.
// refer: makes body k, whose origin was changed, match its reference.
mote_result mote_elastic_body_refer(mote_world *world, size_t k, mote_error *error);
mote_result mote_elastic_bodies_load_references(mote_world *world, mote_error *error);
mote_result mote_elastic_bodies_renew_references(mote_world *world, bool *renewed, mote_error *error);

// elastic_loads.c: accelerations by gravity, force fields and loads, three each. `loads`: those of loads
// alone; may be null.
mote_result mote_elastic_accelerations(mote_world *world, double *acceleration, double *loads,
                                       mote_error *error);

// elastic_handles.c: what holds and loads of a definition are in a body, in scratch memory (faces are not).
typedef struct mote_elastic_handles {
  uint8_t *hold;   // 1 + number of the hold of each particle; 0: none
  uint64_t *load;  // bits of the loads
  uint8_t *clamp;  // of mote_elastic_def; null: nothing is clamped
  double *deforming;
  mote_faces faces;                // of the whole body; empty where none are needed
  double *free_point, *free_area;  // those of mote_elastic_def: without what is held
  size_t free_faces;
} mote_elastic_handles;
// Marks the held particles and moves the last of them onto the faces of the holds. Before the solver's body
// is made.
mote_result mote_elastic_holds_make(mote_world *world, const mote_body_def *def,
                                    const mote_elastic_material_def *elastic, mote_samples *samples,
                                    mote_elastic_item *item, mote_elastic_handles *marks, mote_error *error);
mote_result mote_elastic_loads_make(mote_world *world, const mote_body_def *def, const double *position,
                                    mote_elastic_item *item, mote_elastic_handles *marks, mote_error *error);
void mote_elastic_load_free(mote_elastic_load *load, const mote_env *env);

// friction_memory.c: multipliers of contacts, between the table of the state and a set: that of elastic
// bodies, whose particles are the elastic rows, or that of all deformable bodies: the elastic and the lattice
// rows.
mote_result mote_friction_load(mote_world *world, mote_elastic_contact *contact, mote_error *error);
mote_result mote_friction_save(mote_world *world, const mote_elastic_contact *contact, mote_error *error);

// Loads what contact remembers, and finds the records of the marked parts of a set.
mote_result mote_elastic_contact_stage_find(mote_world *world, mote_elastic_contact *set,
                                            const uint8_t *member, double travel, mote_contact_scene *scene,
                                            mote_error *error);
// elastic_contact_stage.c. begin: finds the contacts of the particles of the marked bodies (null: all) in
// this step, none of which moves farther than `travel`; `first`: nothing else was found in this step. end:
// gives rigid bodies the impulses of the movers of a set, and saves its multipliers.
mote_result mote_elastic_contact_stage_begin(mote_world *world, const uint8_t *member, double travel,
                                             bool first, mote_error *error);
mote_result mote_elastic_contact_stage_end(mote_world *world, mote_elastic_contact *set, mote_error *error);

// elastic_integrator.c: which bodies have explicit (0) and which implicit steps (1), once
// mote_elastic_contact_stage_begin has found possible contacts: bodies that may be in contact use the same
// kind. In scratch memory.
typedef struct mote_elastic_integrators {
  uint8_t *is[2];  // flag of every body
  size_t count[2];
} mote_elastic_integrators;
// member: those to choose for, or null.
mote_result mote_elastic_integrators_choose(mote_world *world, const uint8_t *member,
                                            mote_elastic_integrators *kinds, mote_error *error);
// Joins the parts of a set that have a common record, or records of the same rigid body.
void mote_elastic_join_in_contact(const mote_elastic_contact *contact, uint32_t *parent);

// stage_elastic.c: the parts of a step. Where there are lattices they are called by their stage, which steps
// the bodies that may meet lattices together with these: in parts of the step, implicit ones of dt seconds,
// or explicit ones with these forces, kicks and drifts.
typedef struct mote_elastic_tick {
  double *acceleration, *work;
  double *loads, *start;  // null where no ledger is kept
  double travel;          // m: no particle moves farther
  mote_elastic_integrators kinds;
} mote_elastic_tick;
mote_result mote_elastic_tick_begin(mote_world *world, mote_elastic_tick *tick, mote_error *error);
mote_result mote_elastic_tick_step(mote_world *world, mote_elastic_tick *tick, const uint8_t *member,
                                   mote_error *error);
mote_result mote_elastic_tick_implicit(mote_world *world, mote_elastic_tick *tick, const uint8_t *member,
                                       const mote_elastic_external *external, double dt, mote_error *error);
void mote_elastic_tick_forces(const mote_world *world, const uint8_t *member, double *force);
void mote_elastic_tick_kick(const mote_world *world, const uint8_t *member, const mote_elastic_kick *kick);
void mote_elastic_tick_drift(const mote_world *world, const uint8_t *member, double dt);
mote_result mote_elastic_tick_end(mote_world *world, mote_elastic_tick *tick, mote_error *error);

// Of the marked bodies: their longest explicit step, s, and the number of explicit steps in this step.
double mote_elastic_longest_step(const mote_world *world, const uint8_t *member);
double mote_elastic_group_step_count(const mote_world *world, const uint8_t *member);

// Whether the marked bodies ask for explicit steps, so many of which are stable.
bool mote_elastic_may_be_explicit(const mote_world *world, const uint8_t *member, double steps);

// Finds how far each body is stretched, after its particles were moved.
void mote_elastic_bodies_find_stretches(mote_world *world);

// strike_limit.c: shortens the step where rigid bodies may strike elastic ones or lattices.
mote_result mote_strike_limit(mote_world *world, double *longest, mote_error *error);

// Speed of the fastest particle now, and of held particles over the next `seconds`, m/s.
double mote_elastic_bodies_speed(const mote_world *world, double t, double seconds);

// elastic_coupled.c: in a fluid every particle is a coupled body of one sample. couple: appends them to
// world->fluid.coupled and places the samples. expect: gives them the velocities
// expected at the end of the step without further impulses of the fluid. take: applies the fluid's impulses.
void mote_elastic_couple(mote_world *world);
mote_result mote_elastic_coupled_expect(mote_world *world, mote_error *error);
void mote_elastic_coupled_take(mote_world *world);
// Removes the fluid's impulses of this step from the velocities of the marked bodies and adds them as
// constant accelerations.
void mote_elastic_coupled_spread(mote_world *world, const uint8_t *member, double *acceleration);

// fluid_impulse_elastic.c: stops fluid particles that would come too close to the bodies at the end of the
// step, and gives the bodies the impulse.
mote_result mote_elastic_fluid_impulses(mote_world *world, mote_error *error);

// Fails where fluids are combined with elastic bodies that do not support the coupling.
mote_result mote_elastic_check_fluid(const mote_world *world, mote_error *error);

#endif
