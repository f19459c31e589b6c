// Separates particles that start too dense: see initial_relaxation.h.
#include "world/initial_relaxation.h"

#include <string.h>

#include "fluid/pressure_solver.h"
#include "fluid/time_limit.h"
#include "matter/carve.h"
#include "matter/ledger.h"
#include "stages/stages.h"
#include "world/tuning.inc"

#define RELAXATION_SWEEPS 100

static mote_result sweep(mote_world *world, mote_error *error) {
  MOTE_TRY(mote_stage_search(world, error));
  world->dt = mote_fluid_step_limit(&world->fluid);
  MOTE_TRY(mote_pressure_solver_of(&world->def.solver)->solve(&world->fluid, world->dt, NULL, error));
  MOTE_TRY(mote_stage_move(world, error));
  return mote_stage_keep_out(world, error);
}

static mote_result sweep_all(mote_world *world, mote_error *error) {
  const mote_store *store = mote_world_store(world);
  float *velocity = mote_store_f32(store, MOTE_PARTICLE_VELOCITY);
  size_t numbers = 3 * mote_world_fluid_rows(world);
  MOTE_TAKE_NEW(float, first, &world->scratch, numbers, error);
  memcpy(first, velocity, numbers * sizeof *first);
  memset(velocity, 0, numbers * sizeof *velocity);
  // Densities integrated by the continuity equation do not detect overlapping particles.
  mote_density_kind kind = world->def.solver.density;
  world->def.solver.density = MOTE_DENSITY_SUMMED;
  mote_result result = MOTE_OK;
  for (int k = 0; k < RELAXATION_SWEEPS && result == MOTE_OK; ++k) {
    mote_arena_mark mark = mote_arena_here(&world->scratch);
    for (size_t n = 0; n < numbers; ++n) velocity[n] *= VELOCITY_KEPT;
    result = sweep(world, error);
    mote_arena_release(&world->scratch, mark);
  }
  world->def.solver.density = kind;
  memcpy(velocity, first, numbers * sizeof *first);
  return result;
}

mote_result mote_initial_relaxation(mote_world *world, mote_error *error) {
  bool crowded = false;
  if (mote_pressure_properties_of(&world->def.solver)->shifts_crowded || mote_world_steps(world) > 0)
    return MOTE_OK;
  mote_arena_mark mark = mote_arena_here(&world->scratch);
  world->stepping = true;  // for the ledger: what changes from here on is outside of steps
  mote_ledger_begin(world);
  world->stepping = false;
  mote_result result = mote_cut_crowded(world, &crowded, error);
  // Sums run in row order, which must not depend on whether the world was measured before.
  if (result == MOTE_OK && crowded) result = mote_stage_sort(world, error);
  if (result == MOTE_OK && crowded) result = sweep_all(world, error);
  mote_arena_release(&world->scratch, mark);
  return result;
}
