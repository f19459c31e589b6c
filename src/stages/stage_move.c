// Stage move: position += dt velocity (symplectic Euler: the velocities are those of the step's end). Writes
// position and world->from, the positions before.
#include "base/parallel.h"
#include "fluid/shift.h"
#include "matter/ledger.h"
#include "rows/motion_row.h"
#include "stages/stages.h"
#include "stages/tick_block.h"

#define PARTICLES_PER_TASK 4096  // particles of one task

static void move_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  mote_motion_view v = *(const mote_motion_view *)data;
  for (size_t i = begin; i < end; ++i) mote_move_row(&v, i);
}

mote_result mote_stage_move(mote_world *world, mote_error *error) {
  MOTE_ASSERT(world->dt >= 0.0);
  size_t count = mote_world_fluid_rows(world);
  MOTE_TAKE(world->from, &world->scratch, 3 * count, error);
  const mote_store *store = mote_world_store(world);
  mote_motion_view v = {.dt = world->dt,
                        .velocity = mote_store_f32(store, MOTE_PARTICLE_VELOCITY),
                        .position = mote_store_f64(store, MOTE_PARTICLE_POSITION),
                        .from = world->from};
  mote_parallel_for(world->env.threads, count, PARTICLES_PER_TASK, move_chunk, &v);
  mote_ledger_book_shift(world);
  mote_shift_settle(&world->fluid);  // before contact, which reads velocities
  if (mote_tick_block_on(world)) mote_individual_steps_drift(&world->fluid);
  return MOTE_OK;
}
