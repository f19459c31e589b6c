// Particles that leave the world: into drains and over open sides.
#include "stages/stages.h"
#include "things/drain.h"

static bool has_exit(const mote_world *world) {
  if (mote_world_items(world, MOTE_ITEM_DRAIN) > 0) return true;
  for (int k = 0; k < 2 * world->def.dimensions; ++k) {
    double end = k % 2 == 0 ? world->def.low[k / 2] : world->def.high[k / 2];
    if (world->def.side[k / 2][k % 2] == MOTE_SIDE_OPEN && isfinite(end)) return true;
  }
  return false;
}

static mote_result make_sinks(mote_world *world, mote_outlet **sinks, mote_error *error) {
  size_t count = mote_world_items(world, MOTE_ITEM_DRAIN);
  *sinks = mote_arena_take(&world->scratch, count + 1, sizeof **sinks);
  if (*sinks == NULL) return mote_fail_memory(error, count * sizeof **sinks);
  for (size_t k = 0; k < count; ++k) {
    const mote_drain_item *item = mote_drain_at(world, k);
    (*sinks)[k] = (mote_outlet){item->shape, item->start, item->end};
  }
  return MOTE_OK;
}

mote_result mote_stage_leave(mote_world *world, mote_error *error) {
  mote_store *store = mote_world_store(world);
  size_t count = mote_world_fluid_rows(world);
  if (count == 0 || !has_exit(world)) return MOTE_OK;
  mote_outlet *sinks;
  MOTE_TRY(make_sinks(world, &sinks, error));
  uint8_t *gone = mote_arena_take(&world->scratch, count, 1);
  if (gone == NULL) return mote_fail_memory(error, count);
  mote_leaving leaving = {
      .sink = sinks,
      .sinks = mote_world_items(world, MOTE_ITEM_DRAIN),
      .def = &world->def,
      .time = *mote_state_f64(&world->now, MOTE_WORLD_TIME) + world->dt,
      .threads = world->env.threads,
      .count = count,
      .position = mote_store_f64(store, MOTE_PARTICLE_POSITION),
  };
  mote_leaving_report report = mote_leaving_flag(&leaving, gone);
  *mote_state_u64(&world->now, MOTE_WORLD_DRAINED) += report.drained;
  *mote_state_u64(&world->now, MOTE_WORLD_LEFT) += report.left;
  if (report.drained + report.left == 0) return MOTE_OK;
  size_t first = 0;  // rows before this block as they were when they were flagged
  for (size_t b = 0; b < mote_world_items(world, MOTE_ITEM_MATERIAL); ++b) {
    size_t rows = store->block[b].count;
    mote_store_remove(store, b, gone + first);
    first += rows;
  }
  return MOTE_OK;
}
