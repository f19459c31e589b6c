// Viscosity and XSPH: sums of weighted differences of velocity over neighbours. See viscosity.h.
#include "solver/viscosity.h"

#include <float.h>

#include "base/parallel.h"
#include "material/fluid_law.h"
#include "solver/pair_set.h"
#include "solver/places.h"

#define SHEAR 0.004  // WCSPH: viscosity over h c; Monaghan's alpha is about eight times that

// What is gathered of a neighbour: its velocity, and mu or xi.
typedef struct smooth_record {
  float velocity[3], own;
} smooth_record;

typedef struct smooth_job {
  mote_fluid *fluid;
  mote_pair_scale scale;
  smooth_record *record;  // one more, the dummy's
  const float *own;       // mu or xi of each particle
  float softening;        // eps
} smooth_job;

// Whether any of `count` values is not 0.
static bool any(const float *value, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (value[i] != 0.0f) return true;
  }
  return false;
}

static void record_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const smooth_job *job = data;
  for (size_t i = begin; i < end; ++i) {
    memcpy(job->record[i].velocity, job->fluid->velocity + 3 * i, 3 * sizeof(float));
    job->record[i].own = job->own[i];
  }
}

// Weights of the pairs: 2 mu_ij V_j x_ij . grad W / (r^2 + eps), negative, with the harmonic mean of mu,
// which keeps the stress continuous where two fluids meet.
static inline mote_lane viscous_weight(const smooth_job *job, size_t i, const mote_pair_group *g,
                                       const mote_pairs *p, mote_lane mu) {
  mote_lane r2 = {0}, along = {0};
  for (int a = 0; a < 3; ++a) {
    r2 += p->x[a] * p->x[a];
    along += p->x[a] * mote_pair_group_gradient(g, a);
  }
  mote_lane mean = 4.0f * job->own[i] * mu / ((job->own[i] + mu + FLT_MIN) * (r2 + job->softening));
  return mean * p->volume * along;
}

// xi_ij m_j / rho_ij W_ij with arithmetic means.
static inline mote_lane smooth_weight(const smooth_job *job, size_t i, const mote_pair_group *g,
                                      const mote_pairs *p, mote_lane xi) {
  const mote_fluid *f = job->fluid;
  mote_lane mass, density;
  for (int k = 0; k < MOTE_LANES; ++k) {
    bool dummy = g->index[k] >= f->count;
    mass[k] = dummy ? 0.0f : f->mass[g->index[k]];
    density[k] = dummy ? 0.0f : f->density[g->index[k]];
  }
  return (job->own[i] + xi) * mass / (f->density[i] + density) * mote_pairs_value(&job->scale, p);
}

typedef mote_lane weight_fn(const smooth_job *job, size_t i, const mote_pair_group *g, const mote_pairs *p,
                            mote_lane own);

// sum_j weight_ij (v_i - v_j).
static inline void sum_differences(const smooth_job *job, size_t i, weight_fn *weight, float out[3]) {
  const mote_fluid *f = job->fluid;
  const float *v = job->record[i].velocity;
  mote_lane sum[3] = {mote_lane_splat(0.0f), mote_lane_splat(0.0f), mote_lane_splat(0.0f)};
  const mote_pair_group *g = f->pairs.group + f->pairs.first[i], *end = g + f->pairs.number[i];
  for (; g < end; ++g) {
    mote_pairs p = mote_pairs_load(&job->scale, &f->place[i], f->place, g->index);
    mote_lane u[4];
    for (int k = 0; k < 4; ++k) u[k] = mote_lane_at(job->record + g->index[k]);
    mote_lane_transpose(&u[0], &u[1], &u[2], &u[3]);
    mote_lane w = weight(job, i, g, &p, u[3]);
    for (int a = 0; a < 3; ++a) sum[a] += w * (v[a] - u[a]);
  }
  for (int a = 0; a < 3; ++a) out[a] = mote_lane_sum(sum[a]);
}

static void viscous_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const smooth_job *job = data;
  mote_fluid *f = job->fluid;
  for (size_t i = begin; i < end; ++i) {
    float sum[3];
    sum_differences(job, i, viscous_weight, sum);
    for (int a = 0; a < 3; ++a) {
      if (f->wall_drag != NULL) {
        const float *drag = f->wall_drag + 4 * i;
        sum[a] += 2.0f * f->viscosity[i] * (drag[3] * f->velocity[3 * i + a] - drag[a]);
      }
      f->acceleration[3 * i + a] += sum[a] / f->rest_density[i];
    }
  }
}

static void smooth_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const smooth_job *job = data;
  for (size_t i = begin; i < end; ++i) {
    float sum[3];
    sum_differences(job, i, smooth_weight, sum);
    for (int a = 0; a < 3; ++a) job->fluid->velocity[3 * i + a] -= sum[a];
  }
}

// Runs one of the two over all particles, where any has a coefficient.
static mote_result smooth_by(mote_fluid *fluid, const float *own, mote_task *task, mote_error *error) {
  size_t n = fluid->count;
  if (!any(own, n)) return MOTE_OK;
  mote_arena_mark mark = mote_arena_here(fluid->scratch);
  smooth_job job = {.fluid = fluid, .own = own};
  job.scale = mote_pair_scale_make(fluid);
  job.softening = (float)(0.25e-4 * fluid->support * fluid->support);
  job.record = mote_arena_take(fluid->scratch, n + 1, sizeof *job.record);
  if (job.record == NULL) return mote_fail_memory(error, (n + 1) * sizeof *job.record);
  job.record[n] = (smooth_record){.own = 0.0f};
  mote_parallel_for(fluid->env.threads, n, 4 * MOTE_FLUID_GRAIN, record_chunk, &job);
  mote_parallel_for(fluid->env.threads, n, MOTE_FLUID_GRAIN, task, &job);
  mote_arena_release(fluid->scratch, mark);
  return MOTE_OK;
}

static void gravity_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  mote_fluid *f = data;
  for (size_t i = begin; i < end; ++i) memcpy(f->acceleration + 3 * i, f->gravity, sizeof f->gravity);
}

typedef struct shear_job {
  const mote_fluid *fluid;
  float *mu;
} shear_job;

static void shear_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const shear_job *job = data;
  const mote_fluid *f = job->fluid;
  for (size_t i = begin; i < end; ++i) {
    double rho0 = (double)f->rest_density[i], c = mote_law_sound_speed_of(&f->solver, f->sound_speed, rho0);
    job->mu[i] = f->viscosity[i] + (float)(rho0 * SHEAR * c * (0.5 * f->support));
  }
}

// WCSPH has a viscosity of its own, which vanishes with the spacing: without it the noise of its particles
// would never come to rest.
static const float *wcsph_viscosity(mote_fluid *fluid) {
  shear_job job = {fluid, mote_arena_take(fluid->scratch, fluid->count, sizeof(float))};
  if (job.mu != NULL)
    mote_parallel_for(fluid->env.threads, fluid->count, 4 * MOTE_FLUID_GRAIN, shear_chunk, &job);
  return job.mu;
}

mote_result mote_fluid_forces(mote_fluid *fluid, mote_error *error) {
  mote_parallel_for(fluid->env.threads, fluid->count, 4 * MOTE_FLUID_GRAIN, gravity_chunk, fluid);
  const float *mu = fluid->viscosity;
  if (fluid->solver.pressure == MOTE_PRESSURE_WCSPH) mu = wcsph_viscosity(fluid);
  if (mu == NULL) return mote_fail_memory(error, fluid->count * sizeof *mu);
  return smooth_by(fluid, mu, viscous_chunk, error);
}

typedef struct kick_job {
  mote_fluid *fluid;
  float dt;
} kick_job;

static void kick_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const kick_job *job = data;
  mote_fluid *f = job->fluid;
  for (size_t k = 3 * begin; k < 3 * end; ++k) f->velocity[k] += job->dt * f->acceleration[k];
}

void mote_fluid_accelerate(mote_fluid *fluid, double dt) {
  kick_job job = {fluid, (float)dt};
  mote_parallel_for(fluid->env.threads, fluid->count, 4 * MOTE_FLUID_GRAIN, kick_chunk, &job);
}

mote_result mote_fluid_smooth(mote_fluid *fluid, mote_error *error) {
  return smooth_by(fluid, fluid->xsph, smooth_chunk, error);
}
