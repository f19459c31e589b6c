// XSPH: see xsph.h.
#include "fluid/xsph.h"

#include <string.h>

#include "base/parallel.h"
#include "fluid/shift.h"
#include "rows/smooth_row.h"

typedef struct smooth_job {
  const mote_fluid *fluid;
  mote_smooth_view view;
} smooth_job;

static bool any(const float *value, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (value[i] != 0.0f) return true;
  }
  return false;
}

static void record_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  mote_smooth_view v = ((const smooth_job *)data)->view;
  for (size_t i = begin; i < end; ++i) mote_smooth_record_row(&v, i);
}

static void smooth_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const smooth_job *job = data;
  mote_smooth_view v = job->view;
  for (size_t k = begin; k < end; ++k) mote_smooth_row(&v, mote_fluid_row(job->fluid, k));
}

static mote_result smooth_into(mote_fluid *fluid, float *out, bool keeps, mote_error *error) {
  size_t n = fluid->count;
  mote_smooth_record *record;
  float *wall;
  MOTE_TAKE(record, fluid->scratch, n + 1, error);
  record[n] = (mote_smooth_record){.weight = 0.0f};
  MOTE_TRY(mote_xsph_walls(fluid, keeps, &wall, error));
  smooth_job job = {.fluid = fluid,
                    .view = {.pairs = fluid->pairs,
                             .xsph = fluid->xsph,
                             .mass = fluid->mass,
                             .density = fluid->density,
                             .velocity = fluid->velocity,
                             .shift = fluid->shift,
                             .record = record,
                             .wall = wall,
                             .out = out,
                             .adds = keeps}};
  mote_parallel_for(fluid->env.threads, n, MOTE_FLUID_LIGHT_GRAIN, record_chunk, &job);
  mote_parallel_for(fluid->env.threads, mote_fluid_rows(fluid), MOTE_FLUID_GRAIN, smooth_chunk, &job);
  return MOTE_OK;
}

static bool smooths(const mote_fluid *fluid) {
  return fluid->xsph != NULL && any(fluid->xsph, fluid->count);
}

mote_result mote_fluid_smooth(mote_fluid *fluid, mote_error *error) {
  MOTE_ASSERT(fluid->pairs.rows == fluid->count);
  if (!smooths(fluid)) return MOTE_OK;
  mote_arena_mark mark = mote_arena_here(fluid->scratch);
  mote_result result = smooth_into(fluid, fluid->velocity, true, error);
  mote_arena_release(fluid->scratch, mark);
  return result;
}

mote_result mote_fluid_smooth_motion(mote_fluid *fluid, double dt, mote_error *error) {
  MOTE_ASSERT(fluid->pairs.rows == fluid->count);
  MOTE_ASSERT(dt > 0.0);
  if (!smooths(fluid)) return MOTE_OK;
  MOTE_TRY(mote_shift_make(fluid, error));  // lives until the particles have moved: before the mark
  mote_arena_mark mark = mote_arena_here(fluid->scratch);
  MOTE_TAKE_NEW(float, motion, fluid->scratch, 3 * fluid->count, error);
  memset(motion, 0, 3 * fluid->count * sizeof *motion);
  mote_result result = smooth_into(fluid, motion, false, error);
  if (result == MOTE_OK) mote_shift_add(fluid, motion, dt);
  mote_arena_release(fluid->scratch, mark);
  return result;
}
