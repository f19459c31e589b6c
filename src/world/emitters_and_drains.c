// Who comes and who goes: emitters, drains, open sides.
#include "things/drain.h"
#include "world/spawn.h"
#include "world/stages.h"
#include "world/watchdog.h"

// --- Coming
// ---------------------------------------------------------------------------------------------------

static mote_nozzle_state nozzle_state(const mote_store *nozzles, size_t k) {
  return (mote_nozzle_state){mote_store_f64(nozzles, MOTE_NOZZLE_ADVANCED)[k],
                             mote_store_u64(nozzles, MOTE_NOZZLE_EMITTED)[k]};
}

static void keep_nozzle_state(const mote_store *nozzles, size_t k, const mote_nozzle_state *state) {
  mote_store_f64(nozzles, MOTE_NOZZLE_ADVANCED)[k] = state->advanced;
  mote_store_u64(nozzles, MOTE_NOZZLE_EMITTED)[k] = state->emitted;
}

static void wrap_new(mote_world *world, size_t first, size_t count) {
  double *x = mote_store_f64(mote_world_store(world), MOTE_PARTICLE_POSITION);
  for (size_t i = first; i < first + count; ++i) mote_domain_wrap(&world->domain, x + 3 * i);
}

static mote_result emit(mote_world *world, size_t k, mote_error *error) {
  const mote_emitter_item *item = mote_emitter_at(world, k);
  const mote_store *nozzles = &world->now.store[MOTE_STATE_NOZZLES];
  mote_store *store = mote_world_store(world);
  mote_nozzle_state state = nozzle_state(nozzles, k);
  double t = *mote_state_f64(&world->now, MOTE_WORLD_TIME);
  size_t count = mote_nozzle_count(item->nozzle, &state, t, world->dt), first = 0;
  if (count == SIZE_MAX) return mote_watchdog_emitter(world, item->def.name, error);
  const double *there = mote_store_f64(store, MOTE_PARTICLE_POSITION);
  if (count > 0 && mote_nozzle_is_full(item->nozzle, true, store->count[0], there)) return MOTE_OK;
  uint32_t body = (uint32_t)(1 + mote_world_items(world, MOTE_ITEM_BODY) + k);
  if (count > 0) {
    double volume = mote_nozzle_volume(item->nozzle);
    MOTE_TRY(mote_spawn(world, item->material, body, volume, count, &first, error));
  }
  double *x = count > 0 ? mote_store_f64(store, MOTE_PARTICLE_POSITION) + 3 * first : NULL;
  float *v = count > 0 ? mote_store_f32(store, MOTE_PARTICLE_VELOCITY) + 3 * first : NULL;
  (void)mote_nozzle_emit(item->nozzle, &state, t, world->dt, x, v);
  keep_nozzle_state(nozzles, k, &state);
  wrap_new(world, first, count);
  *mote_state_u64(&world->now, MOTE_WORLD_EMITTED) += count;
  mote_watchdog_gain(world, first, count);
  return MOTE_OK;
}

mote_result mote_stage_push(mote_world *world, mote_error *error) {
  (void)error;
  const mote_store *store = mote_world_store(world);
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_EMITTER); ++k) {
    mote_nozzle_state state = nozzle_state(&world->now.store[MOTE_STATE_NOZZLES], k);
    mote_nozzle_push(mote_emitter_at(world, k)->nozzle, &state, *mote_state_f64(&world->now, MOTE_WORLD_TIME),
                     store->count[0], mote_store_f64(store, MOTE_PARTICLE_POSITION),
                     mote_store_f32(store, MOTE_PARTICLE_VELOCITY));
  }
  return MOTE_OK;
}

mote_result mote_stage_emit(mote_world *world, mote_error *error) {
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_EMITTER); ++k) MOTE_TRY(emit(world, k, error));
  return MOTE_OK;
}

// --- Going
// ----------------------------------------------------------------------------------------------------

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
  size_t count = store->count[0];
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
  for (size_t b = 0; b < store->blocks; ++b) {
    size_t rows = store->block[b].count;
    mote_store_remove(store, b, gone + first);
    first += rows;
  }
  return MOTE_OK;
}
