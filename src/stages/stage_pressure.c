// Stage pressure: velocities at the end of the step. Applies the forces, solves for implicit viscosity and
// pressure, and adds the shift of this step (fluid/shift.h). Writes velocity, pressure.
#include "fluid/coupled_body.h"
#include "fluid/pressure_solver.h"
#include "fluid/shifting.h"
#include "fluid/viscosity.h"
#include "fluid/viscous_solve.h"
#include "fluid/xsph.h"
#include "kinds/fluid/fluid_bind.h"
#include "kinds/rigid/rigid_bodies.h"
#include "matter/body_forces.h"
#include "matter/ledger.h"
#include "stages/stages.h"
#include "stages/tick_block.h"

static mote_result smooth(mote_world *world, mote_error *error) {
  MOTE_TRY(mote_fluid_smooth(&world->fluid, error));
  mote_ledger_book(world, MOTE_LEDGER_XSPH);
  return MOTE_OK;
}

static mote_result solve_pressure(mote_world *world, mote_error *error) {
  mote_fluid *fluid = &world->fluid;
  mote_solve_report solve = {0};
  MOTE_TRY(mote_viscous_solve(fluid, world->dt, &solve, error));
  mote_fluid_note_solve(world, &solve, &world->report.viscosity_iterations, &world->report.viscosity_error);
  mote_ledger_book(world, MOTE_LEDGER_VISCOSITY);
  bool keeps = world->def.solver.xsph_form == MOTE_XSPH_KEEP;
  bool smooths_before = mote_pressure_properties_of(&world->def.solver)->smooths_before_solve;
  if (keeps && smooths_before) MOTE_TRY(smooth(world, error));
  MOTE_TRY(mote_pressure_solver_of(&world->def.solver)->solve(fluid, world->dt, &solve, error));
  mote_fluid_note_solve(world, &solve, &world->report.density_iterations, &world->report.density_error);
  mote_ledger_book(world, MOTE_LEDGER_PRESSURE);
  if (keeps) return smooths_before ? MOTE_OK : smooth(world, error);
  return mote_fluid_smooth_motion(fluid, world->dt, error);
}

// Applies all forces but pressure, to particles and bodies, so that the pressure solve starts from the
// velocities that would result without it. Rigid bodies take the impulse of gravity here.
static mote_result accelerate(mote_world *world, mote_error *error) {
  mote_fluid *fluid = &world->fluid;
  MOTE_TRY(mote_rigid_keep_velocities(world, error));
  if (fluid->count > 0) mote_fluid_accelerate(fluid, world->dt);
  mote_ledger_book_forces(world);
  mote_coupled_accelerate(fluid, world->dt);
  mote_fluid_take_impulses(world);
  mote_ledger_book(world, MOTE_LEDGER_VISCOSITY);
  mote_rigid_apply_gravity(world);
  mote_ledger_book(world, MOTE_LEDGER_GRAVITY);
  mote_body_forces_strike(world);
  if (mote_body_forces_act(world)) mote_ledger_book(world, MOTE_LEDGER_FORCE_FIELDS);
  MOTE_TRY(mote_fluid_expect(world, error));
  return mote_coupled_flow(fluid, error);
}

static mote_result solve_active(mote_world *world, mote_error *error) {
  mote_fluid *fluid = &world->fluid;
  if (fluid->active_count > 0) {
    MOTE_TRY(mote_pressure_solver_of(&world->def.solver)->solve(fluid, 0.0, NULL, error));
  }
  mote_tick_block_take(world);
  double t = *mote_state_f64(&world->now, MOTE_WORLD_TIME);
  if (!(t + world->dt > t))
    return mote_fail(error, MOTE_ERROR_NUMERIC, "time step %g s is below the resolution of the time %g s",
                     world->dt, t);
  return fluid->active_count > 0 ? mote_shifting(fluid, world->dt, error) : MOTE_OK;
}

mote_result mote_stage_pressure(mote_world *world, mote_error *error) {
  MOTE_ASSERT(world->fluid.count == mote_world_fluid_rows(world));
  if (mote_tick_block_on(world)) return solve_active(world, error);
  MOTE_TRY(accelerate(world, error));
  if (world->fluid.count == 0) return MOTE_OK;
  MOTE_TRY(solve_pressure(world, error));
  mote_fluid_take_impulses(world);
  return mote_shifting(&world->fluid, world->dt, error);
}
