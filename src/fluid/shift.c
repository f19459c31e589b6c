// Displacement that is not part of the velocity: see shift.h.
#include "fluid/shift.h"

#include <string.h>

#include "base/parallel.h"
#include "fluid/tuning.inc"
#include "rows/shifting_row.h"

typedef struct shift_job {
  mote_fluid *fluid;
  float most;           // m/s
  const float *motion;  // null: the difference of velocity and shift
} shift_job;

static inline void give(const shift_job *job, size_t i, const float s[3], const float v[3]) {
  mote_fluid *f = job->fluid;
  mote_shift_give_row(f->shift + 3 * i, f->velocity + 3 * i, job->most, s, v);
}

// From the velocities before the shift, in `shift`, to the shift itself.
static void limit_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const shift_job *job = data;
  for (size_t i = begin; i < end; ++i) {
    const float *was = job->fluid->shift + 3 * i, *is = job->fluid->velocity + 3 * i;
    float v[3] = {was[0], was[1], was[2]};
    float s[3] = {is[0] - v[0], is[1] - v[1], is[2] - v[2]};
    give(job, i, s, v);
  }
}

static void add_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const shift_job *job = data;
  for (size_t i = begin; i < end; ++i) {
    const float *was = job->fluid->shift + 3 * i, *is = job->fluid->velocity + 3 * i;
    const float *more = job->motion + 3 * i;
    float v[3] = {is[0] - was[0], is[1] - was[1], is[2] - was[2]};
    float s[3] = {was[0] + more[0], was[1] + more[1], was[2] + more[2]};
    give(job, i, s, v);
  }
}

static void settle_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const shift_job *job = data;
  for (size_t k = 3 * begin; k < 3 * end; ++k) job->fluid->velocity[k] -= job->fluid->shift[k];
}

static float most_speed(const mote_fluid *fluid, double dt) {
  return (float)(SHIFT_MAX * fluid->spacing / dt);
}

mote_result mote_shift_make(mote_fluid *fluid, mote_error *error) {
  MOTE_ASSERT(fluid->scratch != NULL);
  if (fluid->shift != NULL) return MOTE_OK;
  size_t count = 3 * fluid->count;
  MOTE_TAKE(fluid->shift, fluid->scratch, count, error);
  memset(fluid->shift, 0, count * sizeof(float));
  return MOTE_OK;
}

mote_result mote_shift_begin(mote_fluid *fluid, mote_error *error) {
  MOTE_ASSERT(fluid->shift == NULL);
  MOTE_TRY(mote_shift_make(fluid, error));
  memcpy(fluid->shift, fluid->velocity, 3 * fluid->count * sizeof(float));
  return MOTE_OK;
}

void mote_shift_end(mote_fluid *fluid, double dt) {
  MOTE_ASSERT(fluid->shift != NULL || fluid->count == 0);
  MOTE_ASSERT(dt > 0.0);
  shift_job job = {.fluid = fluid, .most = most_speed(fluid, dt)};
  mote_parallel_for(fluid->env.threads, fluid->count, MOTE_FLUID_LIGHT_GRAIN, limit_chunk, &job);
}

void mote_shift_add(mote_fluid *fluid, const float *motion, double dt) {
  MOTE_ASSERT((fluid->shift != NULL && motion != NULL) || fluid->count == 0);
  MOTE_ASSERT(dt > 0.0);
  shift_job job = {fluid, most_speed(fluid, dt), motion};
  mote_parallel_for(fluid->env.threads, fluid->count, MOTE_FLUID_LIGHT_GRAIN, add_chunk, &job);
}

void mote_shift_settle(mote_fluid *fluid) {
  MOTE_ASSERT(fluid->velocity != NULL || fluid->count == 0);
  if (fluid->shift == NULL) return;
  shift_job job = {.fluid = fluid};
  mote_parallel_for(fluid->env.threads, fluid->count, MOTE_FLUID_LIGHT_GRAIN, settle_chunk, &job);
  fluid->shift = NULL;
}
