// New particles from emitters, with position and velocity at the end of the step.
#include "kinds/fluid/spawn.h"
#include "matter/ledger.h"
#include "matter/watchdog.h"
#include "matter/world_heat.h"
#include "search/domain.h"
#include "stages/nozzle_row.h"
#include "stages/stages.h"

static void wrap_new(mote_world *world, size_t first, size_t count) {
  double *x = mote_store_f64(mote_world_store(world), MOTE_PARTICLE_POSITION);
  for (size_t i = first; i < first + count; ++i) mote_domain_wrap(&world->domain, x + 3 * i);
}

static mote_result emit(mote_world *world, size_t k, mote_error *error) {
  const mote_emitter_item *item = mote_emitter_at(world, k);
  mote_store *store = mote_world_store(world);
  mote_nozzle_state state = mote_nozzle_row(world, k);
  double t = *mote_state_f64(&world->now, MOTE_WORLD_TIME);
  size_t count = mote_nozzle_count(item->nozzle, &state, t, world->dt), first = 0;
  if (count == SIZE_MAX) return mote_watchdog_emitter(world, item->def.name, error);
  const double *there = mote_store_f64(store, MOTE_PARTICLE_POSITION);
  if (count > 0 && mote_nozzle_is_full(item->nozzle, true, mote_world_fluid_rows(world), there))
    return MOTE_OK;
  if (count > 0) {
    double volume = mote_nozzle_volume(item->nozzle);
    MOTE_TRY(mote_spawn(world, item->material, item->id + 1, volume, count, &first, error));
  }
  double *x = count > 0 ? mote_store_f64(store, MOTE_PARTICLE_POSITION) + 3 * first : NULL;
  float *v = count > 0 ? mote_store_f32(store, MOTE_PARTICLE_VELOCITY) + 3 * first : NULL;
  (void)mote_nozzle_emit(item->nozzle, &state, t, world->dt, x, v);
  mote_nozzle_row_set(world, k, &state);
  wrap_new(world, first, count);
  mote_value temperature = {item->def.temperature, NULL};
  const mote_material_def *material = &mote_material_at(world, item->material)->def;
  MOTE_TRY(mote_heat_start(world, material, &temperature, first, count, error));
  *mote_state_u64(&world->now, MOTE_WORLD_EMITTED) += count;
  mote_watchdog_gain(world, first, count);
  mote_ledger_add_emitted(world, first, count);
  return MOTE_OK;
}

mote_result mote_stage_emit(mote_world *world, mote_error *error) {
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_EMITTER); ++k) MOTE_TRY(emit(world, k, error));
  return MOTE_OK;
}
