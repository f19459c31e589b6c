// Elastic bodies of a world: made of definitions, and how fast they are. Theory: docs/theory/solids.md
#ifndef MOTE_ELASTIC_BODIES_H
#define MOTE_ELASTIC_BODIES_H

#include "world/world_data.h"

// Makes an elastic body of the definition: its shape (item->shape), its block and its row of the tables, and
// its item among bodies. On failure the world is as before, but for item->shape.
mote_result mote_soft_body_make(mote_world *world, const mote_body_def *def, mote_body_item *item,
                                mote_error *error);
void mote_soft_item_free(mote_soft_item *item, const mote_env *env);

// The particles of elastic body k: its rows of a field of the table of solids.
static inline double *mote_soft_rows(const mote_world *world, int field, size_t k) {
  return mote_store_rows(&world->now.store[MOTE_STATE_SOLIDS], field, k);
}

// As the solver's steps take it: body k, and all.
mote_elastic_motion mote_soft_motion(const mote_world *world, size_t k);
mote_elastic_motion mote_softs_motion(const mote_world *world);

// Makes world->soft of the bodies that are there; and its end.
mote_result mote_softs_make(mote_world *world, mote_error *error);
void mote_softs_free(mote_softs *soft);

#define MOTE_SOFT_PITCH_STEPS 100  // of power iteration

// elastic_references.c: makes the bodies those of the references that the state has, and world->soft of them
// where it was there; and at the end of a step, new references for what has flowed far.
mote_result mote_softs_refer(mote_world *world, mote_error *error);
mote_result mote_softs_renew(mote_world *world, bool *renewed, mote_error *error);

// elastic_loads.c: gravity, force fields and loads, three each.
mote_result mote_soft_accelerations(mote_world *world, double *acceleration, mote_error *error);

// elastic_contact_stage.c: what the particles of these bodies (null: of all) touch in this step, of which
// none goes farther than `travel`; and when it is over, what rigid bodies get from it.
mote_result mote_soft_meet(mote_world *world, const uint8_t *member, double travel, mote_error *error);
mote_result mote_soft_leave(mote_world *world, mote_error *error);

// elastic_integrator.c: who has explicit steps (0) and who implicit ones (1) now that mote_soft_meet knows
// what may touch: bodies that may are of one kind. By scratch memory.
typedef struct mote_soft_kinds {
  uint8_t *is[2];  // of every body: whether
  size_t count[2];
} mote_soft_kinds;
mote_result mote_soft_choose(mote_world *world, mote_soft_kinds *kinds, mote_error *error);

// stage_solids.c: how many explicit steps make this one for body k, where touches have this rate.
double mote_soft_steps(const mote_world *world, size_t k, double rate);

// Of the fastest particle now, and of what is held in so many seconds.
double mote_soft_speed(const mote_world *world, double t, double seconds);

// elastic_coupled.c: in a fluid every particle is a body of one sample. Adds them to world->fluid.wet, behind
// the rigid ones, and puts the samples there; gives them the velocities that they would have at the step's
// end without more from the fluid; takes over what the fluid has done to them.
void mote_soft_wet_make(mote_world *world);
mote_result mote_soft_wet_expect(mote_world *world, mote_error *error);
void mote_soft_wet_take(mote_world *world);
// Takes from the velocities of these bodies what the fluid has given them in this step, to be given evenly in
// its course.
void mote_soft_wet_spread(mote_world *world, const uint8_t *member, double *acceleration);
// Where in world->fluid.wet their particles are, the last ones; null: no fluid is there, or no body.
struct mote_wet_body *mote_soft_wet_bodies(const mote_world *world);

// fluid_impulse_elastic.c: particles of the fluid that would come too near to where bodies are now, at the
// step's end, lose their velocity to them.
void mote_soft_blows(mote_world *world);

// Refuses what flows where elastic bodies are that cannot meet it.
mote_result mote_soft_check_fluid(const mote_world *world, mote_error *error);

#endif
