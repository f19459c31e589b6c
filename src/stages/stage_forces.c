// Stage forces: accelerations of fluids by gravity, explicit viscosity, surface tension, force fields. Stage
// pressure applies them. Writes acceleration.
#include "fluid/tension.h"
#include "fluid/viscosity.h"
#include "matter/body_forces.h"
#include "matter/ledger.h"
#include "matter/watchdog.h"
#include "matter/world_track.h"
#include "stages/stages.h"

mote_result mote_stage_forces(mote_world *world, mote_error *error) {
  MOTE_ASSERT(world->fluid.count == mote_world_fluid_rows(world));
  mote_fluid *fluid = &world->fluid;
  if (fluid->count == 0) return MOTE_OK;
  MOTE_TRY(mote_fluid_forces(fluid, error));
  MOTE_TRY(mote_ledger_keep_forces(world, false, error));
  MOTE_TRY(mote_tension_forces(fluid, error));
  MOTE_TRY(mote_world_track_tension(world, error));
  MOTE_TRY(mote_ledger_keep_forces(world, true, error));
  double t = *mote_state_f64(&world->now, MOTE_WORLD_TIME);
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_FORCE); ++k) {
    const mote_force_item *item = mote_force_at(world, k);
    if (!mote_field_force_acts(item->force, t)) continue;
    size_t bad = mote_field_force_add(item->force, t, fluid->count, fluid->position, fluid->acceleration,
                                      world->env.threads);
    if (bad == SIZE_MAX) {
      bad = mote_field_force_damp(item->force, t, 1.0 / fluid->solver.step_max, fluid->count, fluid->position,
                                  fluid->velocity, fluid->acceleration, world->env.threads);
    }
    if (bad != SIZE_MAX) return mote_watchdog_force(world, item->name, bad, error);
  }
  mote_body_forces_accelerate(world, mote_kind_of_liquids(world), fluid->acceleration, NULL);
  return MOTE_OK;
}
