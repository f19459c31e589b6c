// Stage search: neighbours, densities, sums over walls (fluid/prepare.h). Reads position, mass; writes
// density and the derived arrays of world->fluid, which hold until the step ends.
#include "fluid/prepare.h"
#include "kinds/fluid/fluid_bind.h"
#include "matter/colliders.h"
#include "matter/world_heat.h"
#include "stages/stages.h"
#include "stages/tick_block.h"

mote_result mote_stage_search(mote_world *world, mote_error *error) {
  MOTE_ASSERT(world->ready);
  mote_heat_refresh(world);
  MOTE_TRY(mote_fluid_bind(world, error));
  MOTE_TRY(mote_colliders_pose(world, error));
  MOTE_TRY(mote_fluid_couple(world, error));
  if (world->fluid.count == 0) {
    if (mote_world_stepped(world)) *mote_state_u64(&world->now, MOTE_WORLD_BLOCK_AT) = 0;
    return MOTE_OK;
  }
  if (mote_world_stepped(world) && world->stepping) MOTE_TRY(mote_tick_block_begin(world, error));
  if (world->fluid.active_count == 0) return MOTE_OK;
  MOTE_TRY(mote_fluid_prepare(&world->fluid, world->boundary, world->grid, error));
  world->measured = true;
  return MOTE_OK;
}
