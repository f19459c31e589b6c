// Stage divergence: removes compression from the velocities, for pressure solvers that have such a solve.
#include "fluid/pressure_solver.h"
#include "kinds/fluid/fluid_bind.h"
#include "stages/stages.h"

mote_result mote_stage_divergence(mote_world *world, mote_error *error) {
  MOTE_ASSERT(world->fluid.count == mote_world_fluid_rows(world));
  const mote_pressure_solver *solver = mote_pressure_solver_of(&world->def.solver);
  if (world->fluid.count == 0 || solver->solve_divergence == NULL) return MOTE_OK;
  mote_solve_report solve = {0};
  double last = *mote_state_f64(&world->now, MOTE_WORLD_LENGTH);
  MOTE_TRY(solver->solve_divergence(&world->fluid, last, &solve, error));
  mote_fluid_take_impulses(world);
  if (last > 0.0) {
    mote_fluid_note_solve(world, &solve, &world->report.divergence_iterations,
                          &world->report.divergence_error);
  }
  return MOTE_OK;
}
