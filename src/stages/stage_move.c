// Stage move: position += dt velocity (symplectic Euler: the velocities are those of the step's end). Writes
// position and world->from, the positions before.
#include <string.h>

#include "base/parallel.h"
#include "fluid/shift.h"
#include "matter/ledger.h"
#include "stages/stages.h"
#include "stages/tick_block.h"

#define PARTICLES_PER_TASK 4096  // particles of one task

typedef struct mover {
  double dt;
  double *from, *position;
  const float *velocity;
} mover;

static void move_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mover *m = data;
  memcpy(m->from + 3 * begin, m->position + 3 * begin, 3 * (end - begin) * sizeof *m->from);
  for (size_t k = 3 * begin; k < 3 * end; ++k) m->position[k] += m->dt * (double)m->velocity[k];
}

mote_result mote_stage_move(mote_world *world, mote_error *error) {
  MOTE_ASSERT(world->dt >= 0.0);
  size_t count = mote_world_fluid_rows(world);
  MOTE_TAKE(world->from, &world->scratch, 3 * count, error);
  const mote_store *store = mote_world_store(world);
  mover m = {world->dt, world->from, mote_store_f64(store, MOTE_PARTICLE_POSITION),
             mote_store_f32(store, MOTE_PARTICLE_VELOCITY)};
  mote_parallel_for(world->env.threads, count, PARTICLES_PER_TASK, move_chunk, &m);
  mote_ledger_book_shift(world);
  mote_shift_settle(&world->fluid);  // before contact, which reads velocities
  if (mote_tick_block_on(world)) mote_individual_steps_drift(&world->fluid);
  return MOTE_OK;
}
