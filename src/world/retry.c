// Frames and failed steps: the world is restored to the beginning of the frame, which is repeated with steps
// half as long, up to three times. The number of tries and the step factor are state, so that an interrupted
// run continues identically.
#include "world/retry.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/note.h"
#include "kinds/elastic/elastic_bodies.h"
#include "kinds/fluid/compression_watch.h"
#include "matter/watchdog.h"
#include "stages/stages.h"
#include "world/step.h"
#include "world/tuning.inc"

void mote_retry_forget(mote_world *world) {
  MOTE_ASSERT(world->now.tables >= MOTE_TABLES);
  const mote_store *store = mote_world_store(world);
  size_t count = mote_world_fluid_rows(world);
  world->measured = false;
  if (count == 0) return;
  memset(mote_store_f32(store, MOTE_PARTICLE_WALL_DISTANCE), 0, count * sizeof(float));
  memset(mote_store_f32(store, MOTE_PARTICLE_ACCELERATION), 0, 3 * count * sizeof(float));
  for (size_t b = 0; b < mote_world_items(world, MOTE_ITEM_MATERIAL); ++b) {
    float *density = mote_store_rows(store, MOTE_PARTICLE_DENSITY, b);
    float rest = (float)mote_material_at(world, b)->def.density;
    for (size_t i = 0; i < store->block[b].count; ++i) density[i] = rest;
  }
}

// Rows are sorted, because sums must not depend on their history: a loaded world continues with the same
// bits. Positions that are NaN cannot be sorted; the next step reports them.
static mote_result order_rows(mote_world *world, mote_error *error) {
  mote_arena_mark mark = mote_arena_here(&world->scratch);
  ++world->generation;
  mote_result result = mote_stage_sort(world, error);
  mote_arena_release(&world->scratch, mark);
  return result == MOTE_ERROR_NUMERIC ? MOTE_OK : result;
}

mote_result mote_world_begin_frame(mote_world *world, mote_error *error) {
  if (world == NULL) return mote_fail(error, MOTE_ERROR_ARGUMENT, "world must not be NULL");
  double *factor = mote_state_f64(&world->now, MOTE_WORLD_FACTOR);
  uint64_t step = *mote_state_u64(&world->now, MOTE_WORLD_STEP);
  if (world->has_frame && step == *mote_state_u64(&world->frame, MOTE_WORLD_STEP)) return MOTE_OK;
  MOTE_TRY(order_rows(world, error));
  mote_compression_watch_begin(world);
  if (world->has_frame) *factor = fmin(1.0, 2.0 * *factor);  // calm again: frame by frame back to full length
  *mote_state_tries(&world->now) = 0;
  *mote_state_f64(&world->now, MOTE_WORLD_ENERGY) = mote_watchdog_kinetic(world);
  *mote_state_f64(&world->now, MOTE_WORLD_WORK) = 0.0;
  *mote_state_f64(&world->now, MOTE_WORLD_UNTIL) = (double)NAN;
  world->has_frame = false;  // while the copy is half made
  MOTE_TRY(mote_state_copy(&world->now, &world->frame, error));
  world->has_frame = true;
  return MOTE_OK;
}

// Restores the beginning of the frame, except the number of tries and the step factor.
static mote_result go_back(mote_world *world, uint32_t tries, double factor, mote_error *error) {
  MOTE_TRY(mote_state_copy(&world->frame, &world->now, error));
  mote_retry_forget(world);
  mote_compression_watch_begin(world);
  *mote_state_tries(&world->now) = tries;
  *mote_state_f64(&world->now, MOTE_WORLD_FACTOR) = factor;
  return mote_elastic_bodies_load_references(world, error);
}

// Advice if the cause is visible: more fluid than its container can hold.
static const char *advice(const mote_world *world) {
  mote_totals totals;
  bool known = world->measured && mote_world_totals(world, &totals, NULL) == MOTE_OK;
  bool crowded =
      known && (totals.compression_max > CROWDED_COMPRESSION || totals.compression_mean > CROWDED_MEAN);
  return crowded ? "; the fluid is compressed: is its container too small?" : "";
}

static mote_result give_up(mote_world *world, const mote_error *why, double time, const char *more,
                           mote_error *error) {
  return mote_fail(error, MOTE_ERROR_NUMERIC,
                   "stage \"%s\", step of %.3g s at %.6g s: %s; %d tries with smaller steps did not help%s",
                   mote_step_stage(world), world->dt, time, why->text, MOTE_STEP_TRIES, more);
}

mote_result mote_retry_handle_failure(mote_world *world, const mote_error *why, mote_error *error) {
  double time = *mote_state_f64(&world->now, MOTE_WORLD_TIME);
  uint32_t tries = *mote_state_tries(&world->now);
  double factor = *mote_state_f64(&world->now, MOTE_WORLD_FACTOR);
  bool numeric = why->code == MOTE_ERROR_NUMERIC;
  bool again = numeric && tries < MOTE_STEP_TRIES;
  const char *more = advice(world);
  MOTE_TRY(go_back(world, tries + again, again ? 0.5 * factor : factor, error));
  if (again) {
    mote_note(
        &world->env, MOTE_LOG_WARNING,
        "stage \"%s\", step of %.3g s at %.6g s: %s; back to %.6g s with steps half as long (try %" PRIu32
        " of %d)",
        mote_step_stage(world), world->dt, time, why->text, *mote_state_f64(&world->now, MOTE_WORLD_TIME),
        tries + 1, MOTE_STEP_TRIES);
    return MOTE_OK;
  }
  if (numeric) return give_up(world, why, time, more, error);
  if (error != NULL) *error = *why;
  return why->code;
}

mote_result mote_retry_enter_frame(mote_world *world, double until, mote_error *error) {
  double end = *mote_state_f64(&world->now, MOTE_WORLD_UNTIL);
  if (!world->has_frame || (!isnan(end) && end != until)) MOTE_TRY(mote_world_begin_frame(world, error));
  *mote_state_f64(&world->now, MOTE_WORLD_UNTIL) = until;
  return MOTE_OK;
}
