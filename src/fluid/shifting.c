// Particle shifting: see shifting.h.
#include "fluid/shifting.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "fluid/free_surface.h"
#include "fluid/individual_steps.h"
#include "fluid/shift.h"
#include "fluid/tuning.inc"
#include "rows/pair_lanes.h"

typedef struct shifting_job {
  mote_fluid *fluid;
  float strength, most;  // S dt R; DIFFUSIVITY_MAX d^2
  float per_dt;
  mote_flow *velocity;
  uint8_t *mark;
  float *filled_volume;  // V min(D, 1); one more, the dummy's
  float *motion;         // m/s
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

// The largest difference of velocity to a neighbour.
static inline float largest_difference(const shifting_job *job, size_t i) {
  const mote_fluid *f = job->fluid;
  const float *v = job->velocity[i].u;
  mote_lane most = {0};
  for (mote_groups g = mote_pair_groups(&f->pairs, i); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    const uint32_t *index = f->pairs.lanes[g.at].index;
    mote_lane u[4], square = {0};
    for (int k = 0; k < MOTE_LANES; ++k) {
      size_t j = index[k] < f->count ? index[k] : i;  // the dummy has no velocity
      u[k] = mote_lane_load(job->velocity[j].u);
    }
    mote_lane_transpose(&u[0], &u[1], &u[2], &u[3]);
    for (int a = 0; a < 3; ++a) square += (v[a] - u[a]) * (v[a] - u[a]);
    most = mote_lane_max(most, square);
  }
  return sqrtf(fmaxf(fmaxf(most[0], most[2]), fmaxf(most[1], most[3])));
}

// Negative pressure makes particles clump, in a time d/v with v = sqrt(-p/rho) (docs/theory/fluids.md).
static inline float tension_speed(const mote_fluid *f, size_t i) {
  return f->pressure[i] < 0.0f ? sqrtf(-f->pressure[i] / f->rest_density[i]) : 0.0f;
}

// Removes the part of m normal to the surface. The normal is the gradient of the densities, which are lower
// there.
static inline void keep_along(const shifting_job *job, size_t i, float m[3]) {
  const mote_fluid *f = job->fluid;
  float n[3], square = 0.0f, along = 0.0f, D = job->filled_volume[i] / f->volume[i];
  mote_pair_lanes_gradient_sum(&f->pairs, i, job->filled_volume, n);
  for (int a = 0; a < 3; ++a) {
    n[a] -= D * f->gradient[3 * i + (size_t)a];
    square += n[a] * n[a];
    along += n[a] * m[a];
  }
  for (int a = 0; a < 3; ++a) m[a] = square > 0.0f ? m[a] - along / square * n[a] : 0.0f;
}

// Ticks in a particle's step: it gets the shift of the whole step in the first tick.
static inline float own_ticks(const mote_fluid *f, size_t i) {
  return (float)(mote_level_step(f->steps->length, f->steps->level[i]) / f->steps->step);
}

static void motion_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const shifting_job *job = data;
  const mote_fluid *f = job->fluid;
  for (size_t k = begin; k < end; ++k) {
    size_t i = mote_fluid_row(f, k);
    float strength = f->steps != NULL ? job->strength * own_ticks(f, i) : job->strength;
    bool surface = job->mark[i] == MOTE_MARK_SURFACE;
    float speed = fmaxf(largest_difference(job, i), tension_speed(f, i));
    float diffusivity = surface ? 0.0f : strength * speed, *m = job->motion + 3 * i;
    if (diffusivity > job->most) diffusivity = job->most;
    for (size_t a = 0; a < 3; ++a) {
      m[a] = -diffusivity * job->per_dt * (f->gradient[3 * i + a] + f->wall[3 * i + a]);
    }
    if (job->mark[i] == MOTE_MARK_NEAR) keep_along(job, i, m);
  }
}

static mote_result take_arrays(shifting_job *job, mote_error *error) {
  mote_arena *arena = job->fluid->scratch;
  size_t n = job->fluid->count;
  MOTE_TAKE(job->velocity, arena, n, error);
  MOTE_TAKE(job->filled_volume, arena, n + 1, error);
  MOTE_TAKE(job->motion, arena, 3 * n, error);
  job->filled_volume[n] = 0.0f;
  if (job->fluid->active != NULL) memset(job->motion, 0, 3 * n * sizeof(float));
  return mote_free_surface_take(job->fluid, &job->mark, error);
}

mote_result mote_shifting(mote_fluid *fluid, double dt, mote_error *error) {
  MOTE_ASSERT(dt >= 0.0);
  MOTE_ASSERT(fluid->spacing > 0.0);
  double S = mote_shifting_strength(fluid), d = fluid->spacing;
  if (!(S > 0.0) || fluid->count == 0) return MOTE_OK;
  shifting_job job = {.fluid = fluid,
                      .strength = (float)(S * dt * fluid->support),
                      .most = (float)(DIFFUSIVITY_MAX * d * d),
                      .per_dt = (float)(1.0 / dt)};
  MOTE_TRY(mote_shift_make(fluid, error));
  mote_arena_mark mark = mote_arena_here(fluid->scratch);
  mote_result result = take_arrays(&job, error);
  if (result == MOTE_OK) {
    mote_parallel_for(fluid->env.threads, fluid->count, MOTE_FLUID_LIGHT_GRAIN, record_chunk, &job);
    mote_parallel_for(fluid->env.threads, mote_fluid_rows(fluid), MOTE_FLUID_GRAIN, motion_chunk, &job);
    mote_shift_add(fluid, job.motion, dt);
  }
  mote_arena_release(fluid->scratch, mark);
  return result;
}
