// Particle shifting: see shifting.h.
#include "fluid/shifting.h"

#include <string.h>

#include "base/parallel.h"
#include "fluid/free_surface.h"
#include "fluid/individual_steps.h"
#include "fluid/shift.h"
#include "fluid/tuning.inc"
#include "rows/shifting_row.h"

typedef struct shifting_job {
  mote_fluid *fluid;
  float strength;  // S dt R
  mote_flow *velocity;
  float *filled_volume;
  mote_shifting_view view;
} shifting_job;

static void record_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const shifting_job *job = data;
  const mote_fluid *f = job->fluid;
  for (size_t i = begin; i < end; ++i) {
    const float *v = f->velocity + 3 * i;
    job->velocity[i] = (mote_flow){{v[0], v[1], v[2]}, 0.0f};
    job->filled_volume[i] = f->volume[i] * (f->relative[i] < 1.0f ? f->relative[i] : 1.0f);
  }
}

// Ticks in a particle's step: it gets the shift of the whole step in the first tick.
static inline float own_ticks(const mote_fluid *f, size_t i) {
  return (float)(mote_level_step(f->steps->length, f->steps->level[i]) / f->steps->step);
}

static void motion_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const shifting_job *job = data;
  const mote_fluid *f = job->fluid;
  mote_shifting_view v = job->view;
  for (size_t k = begin; k < end; ++k) {
    size_t i = mote_fluid_row(f, k);
    mote_shifting_row(&v, i, f->steps != NULL ? job->strength * own_ticks(f, i) : job->strength);
  }
}

static mote_result make_view(shifting_job *job, double dt, mote_error *error) {
  mote_fluid *f = job->fluid;
  mote_shifting_view *v = &job->view;
  size_t n = f->count;
  uint8_t *mark = NULL;
  MOTE_TAKE(job->velocity, f->scratch, n, error);
  MOTE_TAKE(job->filled_volume, f->scratch, n + 1, error);
  MOTE_TAKE(v->motion, f->scratch, 3 * n, error);
  job->filled_volume[n] = 0.0f;
  if (f->active != NULL) memset(v->motion, 0, 3 * n * sizeof(float));
  MOTE_TRY(mote_free_surface_take(f, &mark, error));
  v->pairs = f->pairs, v->volume = f->volume, v->gradient = f->gradient, v->wall = f->wall, v->mark = mark;
  v->pressure = f->pressure, v->rest_density = f->rest_density;
  v->velocity = job->velocity, v->filled_volume = job->filled_volume;
  v->most = (float)(DIFFUSIVITY_MAX * f->spacing * f->spacing), v->per_dt = (float)(1.0 / dt);
  return MOTE_OK;
}

mote_result mote_shifting(mote_fluid *fluid, double dt, mote_error *error) {
  MOTE_ASSERT(dt >= 0.0);
  MOTE_ASSERT(fluid->spacing > 0.0);
  double S = mote_shifting_strength(fluid);
  if (!(S > 0.0) || fluid->count == 0) return MOTE_OK;
  shifting_job job = {.fluid = fluid, .strength = (float)(S * dt * fluid->support)};
  MOTE_TRY(mote_shift_make(fluid, error));
  mote_arena_mark mark = mote_arena_here(fluid->scratch);
  mote_result result = make_view(&job, dt, error);
  if (result == MOTE_OK) {
    mote_parallel_for(fluid->env.threads, fluid->count, MOTE_FLUID_LIGHT_GRAIN, record_chunk, &job);
    mote_parallel_for(fluid->env.threads, mote_fluid_rows(fluid), MOTE_FLUID_GRAIN, motion_chunk, &job);
    mote_shift_add(fluid, job.view.motion, dt);
  }
  mote_arena_release(fluid->scratch, mark);
  return result;
}
