// Viscosity: sums of weighted differences of velocity over neighbours. See viscosity.h.
#include "fluid/viscosity.h"

#include "base/parallel.h"
#include "fluid/coupled_body.h"
#include "fluid/sound_speed.h"
#include "fluid/strain.h"
#include "fluid/time_limit.h"
#include "fluid/viscous_pair.h"
#include "rows/pair_lanes.h"

typedef struct viscous_job {
  mote_fluid *fluid;
  float (*record)[4];   // of each particle its velocity, and mu; one more, the dummy's
  const float *own;     // mu of each particle; null: 0
  mote_strain *strain;  // of the velocities; null: noise is not damped
  mote_viscous_law law;
  bool alike;  // all pairs have these means; central form, gradient factors are kept
  float mean, density;
} viscous_job;

// Particles that have a viscosity, and those that are not like the first.
static void count_chunk(void *data, size_t begin, size_t end, double *sum) {
  const mote_fluid *f = data;
  for (size_t i = begin; i < end; ++i) {
    sum[0] += f->viscosity[i] != 0.0f;
    sum[1] += f->viscosity[i] != f->viscosity[0] || f->rest_density[i] != f->rest_density[0];
  }
}

static void record_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const viscous_job *job = data;
  for (size_t i = begin; i < end; ++i) {
    memcpy(job->record[i], job->fluid->velocity + 3 * i, 3 * sizeof(float));
    job->record[i][3] = job->own == NULL ? 0.0f : job->own[i];
  }
}

// Four neighbours of a target, gathered.
typedef struct viscous_pairs {
  mote_pairs p;
  mote_lane difference[3];  // v_i - v_j
  mote_lane own;
} viscous_pairs;

static inline viscous_pairs viscous_load(const viscous_job *job, size_t i, mote_groups g) {
  const mote_fluid *f = job->fluid;
  const float *v = job->record[i];
  viscous_pairs s = {.p = mote_pair_lanes_load(&f->pairs, i, g.at)};
  mote_lane u[4];
  for (int k = 0; k < 4; ++k) u[k] = mote_lane_load(job->record + f->pairs.lanes[g.at].index[k]);
  mote_lane_transpose(&u[0], &u[1], &u[2], &u[3]);
  for (int a = 0; a < 3; ++a) s.difference[a] = v[a] - u[a];
  s.own = u[3];
  return s;
}

// The same with means of the materials' own alpha and c.
static inline mote_lane own_damping(const viscous_job *job, size_t i, const mote_pair_lanes *lanes,
                                    mote_lane closing, mote_lane mass) {
  const mote_fluid *f = job->fluid;
  float h = 0.5f * (float)f->support, own_c = (float)mote_sound_of(f, i), own = f->damping[i];
  mote_lane alpha, sound;
  for (int k = 0; k < MOTE_LANES; ++k) {
    size_t j = lanes->index[k] < f->count ? lanes->index[k] : i;
    alpha[k] = 0.5f * (own + f->damping[j]);
    sound[k] = 0.5f * (own_c + (float)mote_sound_of(f, j));
  }
  mote_lane y = h * closing, pi = alpha * y * (2.0f * y - sound);
  if (job->law.own_square >= 0.0f) pi = y * (job->law.own_square * y - alpha * sound);
  return mote_lane_choose(closing < mote_lane_splat(0.0f), mass * pi, mote_lane_splat(0.0f));
}

// V_j rho_ij^2 Pi of DES96 (5), for pairs that approach each other. The harmonic mean of rest densities makes
// m_i m_j / rho_ij of volumes.
static inline mote_lane artificial_weight(const viscous_job *job, size_t i, const mote_pair_lanes *lanes,
                                          const viscous_pairs *s, mote_lane closing) {
  const mote_fluid *f = job->fluid;
  mote_lane own = mote_lane_splat(f->rest_density[i]), other;
  for (int k = 0; k < MOTE_LANES; ++k)
    other[k] = f->rest_density[lanes->index[k] < f->count ? lanes->index[k] : i];
  mote_lane mean = 2.0f * own * other / (own + other);
  mote_lane sound = mote_lane_splat(job->law.sound_speed);
  if (job->law.stiffness > 0.0f) sound = mote_lane_sqrt(job->law.stiffness / mean);
  if (job->law.stiffness == 0.0f && job->law.densest > 0.0f) sound *= mote_lane_sqrt(job->law.densest / mean);
  if (f->damping != NULL) return own_damping(job, i, lanes, closing, s->p.volume * mean);
  mote_lane pi = closing * (job->law.square * closing - job->law.linear * sound);
  return mote_lane_choose(closing < mote_lane_splat(0.0f), s->p.volume * mean * pi, mote_lane_splat(0.0f));
}

// V_j rho_ij alpha h c y, y the nonlinear part of v_ij . x_ij / (r^2 + eps).
static inline mote_lane noise_weight(const viscous_job *job, size_t i, const mote_pair_lanes *lanes,
                                     const viscous_pairs *s, mote_lane along, mote_lane softened,
                                     bool alike) {
  mote_lane density, sound = mote_lane_splat(job->law.sound_speed);
  mote_lane noise = mote_strain_noise(job->strain, i, lanes->index, s->p.x, along, softened, &density);
  if (alike) density = mote_lane_splat(job->density);
  if (job->law.stiffness > 0.0f) sound = mote_lane_sqrt(job->law.stiffness / density);
  return -job->law.noise * sound * density * s->p.volume * noise;
}

// The viscous force per volume: in the solver's form, plus Monaghan's, plus the damping of noise.
static inline __attribute__((always_inline)) void sum_viscous(const viscous_job *job, size_t i, bool central,
                                                              bool artificial, bool noise, bool alike,
                                                              float out[3]) {
  const mote_fluid *f = job->fluid;
  mote_lane sum[3] = {mote_lane_splat(0.0f), mote_lane_splat(0.0f), mote_lane_splat(0.0f)};
  for (mote_groups g = mote_pair_groups(&f->pairs, i); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    viscous_pairs s = viscous_load(job, i, g);
    mote_lane gradient_factor = alike ? mote_lane_load(f->pairs.gradient_factor + MOTE_LANES * g.at)
                                      : mote_pair_lanes_gradient_factor(&f->pairs, g.at, &s.p);
    mote_viscous_pairs v = mote_viscous_pairs_make(&job->law, gradient_factor, &s.p);
    mote_lane mean =
        alike ? mote_lane_splat(job->mean) : mote_viscous_mean(job->record[i][3], s.own, v.square);
    mote_lane closing = mote_lane_splat(0.0f);
    for (int a = 0; a < 3; ++a) closing += s.difference[a] * s.p.x[a];
    mote_lane along = mote_lane_splat(0.0f);
    if (central) along = job->law.central * mean * s.p.volume * closing;
    if (artificial) along -= artificial_weight(job, i, &f->pairs.lanes[g.at], &s, closing / v.softened);
    if (noise) along -= noise_weight(job, i, &f->pairs.lanes[g.at], &s, closing, v.softened, alike);
    for (int a = 0; a < 3; ++a) {
      if (!central) sum[a] += mean * s.p.volume * v.along * s.difference[a];
      if (central || artificial || noise) sum[a] += along * (gradient_factor * s.p.x[a]);
    }
  }
  for (int a = 0; a < 3; ++a) out[a] = mote_lane_sum(sum[a]);
}

#ifdef MOTE_AVX2
// The same instructions with three operands: the same bits.
MOTE_AVX2 static void sum_alike_avx2(const viscous_job *job, size_t i, float out[3]) {
  sum_viscous(job, i, true, false, true, true, out);
}
#endif

static void viscous_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const viscous_job *job = data;
  mote_fluid *f = job->fluid;
  bool artificial = job->law.linear > 0.0f || job->law.square > 0.0f || f->damping != NULL;
  for (size_t k = begin; k < end; ++k) {
    size_t i = mote_fluid_row(f, k);
    float sum[3];
#ifdef MOTE_AVX2
    if (job->alike && mote_cpu_avx2) {
      sum_alike_avx2(job, i, sum);
    } else
#endif
        if (job->alike) {
      sum_viscous(job, i, true, false, true, true, sum);
    } else if (job->strain != NULL) {
      sum_viscous(job, i, job->law.form == MOTE_VISCOSITY_CENTRAL, artificial, true, false, sum);
    } else if (job->law.form == MOTE_VISCOSITY_CENTRAL) {
      sum_viscous(job, i, true, artificial, false, false, sum);
    } else if (artificial) {
      sum_viscous(job, i, false, true, false, false, sum);
    } else {
      sum_viscous(job, i, false, false, false, false, sum);
    }
    for (int a = 0; a < 3; ++a) {
      if (f->wall_friction_sum != NULL && !f->implicit) {
        const float *friction = f->wall_friction_sum + 4 * i;
        sum[a] += 2.0f * f->viscosity[i] * (friction[3] * f->velocity[3 * i + a] - friction[a]);
      }
      f->acceleration[3 * i + a] += sum[a] / f->rest_density[i];
    }
  }
}

static mote_result add_viscosity(viscous_job *job, bool noise, bool alike, mote_error *error) {
  mote_fluid *f = job->fluid;
  size_t n = f->count;
  job->law = mote_viscous_law_make(f);
  MOTE_TAKE(job->record, f->scratch, n + 1, error);
  memset(job->record[n], 0, sizeof job->record[n]);
  mote_parallel_for(f->env.threads, n, MOTE_FLUID_LIGHT_GRAIN, record_chunk, job);
  if (noise) MOTE_TRY(mote_strain_take(f, (const float(*)[4])job->record, &job->strain, error));
  job->alike = alike && noise && f->pairs.gradient_factor != NULL && f->damping == NULL &&
               job->law.form == MOTE_VISCOSITY_CENTRAL && job->law.linear == 0.0f && job->law.square == 0.0f;
  if (job->alike) {
    float mu = job->own == NULL ? 0.0f : job->own[0], rho = f->rest_density[0];
    job->mean = mote_viscous_mean(mu, mote_lane_splat(mu), mote_lane_splat(job->law.reach))[0];
    job->density = 2.0f * rho * rho / (rho + rho);
  }
  mote_parallel_for(f->env.threads, mote_fluid_rows(f), MOTE_FLUID_GRAIN, viscous_chunk, job);
  return MOTE_OK;
}

static void gravity_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  mote_fluid *f = data;
  for (size_t i = begin; i < end; ++i) memcpy(f->acceleration + 3 * i, f->gravity, sizeof f->gravity);
}

mote_result mote_fluid_forces(mote_fluid *fluid, mote_error *error) {
  MOTE_ASSERT(fluid->acceleration != NULL || fluid->count == 0);
  MOTE_ASSERT(fluid->pairs.rows == fluid->count);
  mote_parallel_for(fluid->env.threads, fluid->count, MOTE_FLUID_LIGHT_GRAIN, gravity_chunk, fluid);
  double count[2];
  mote_parallel_sum(fluid->env.threads, fluid->count, 2, count_chunk, fluid, count);
  bool viscous = count[0] > 0.0;
  bool artificial = mote_law_artificial(&fluid->solver) > 0.0 || fluid->solver.artificial_square > 0.0 ||
                    fluid->damping != NULL;
  fluid->implicit = viscous && mote_fluid_wants_implicit(fluid);
  MOTE_TRY(mote_coupled_friction(fluid, viscous && !fluid->implicit, error));
  bool noise = mote_law_noise(&fluid->solver) > 0.0;
  if (!artificial && !noise && (!viscous || fluid->implicit)) return MOTE_OK;
  mote_arena_mark mark = mote_arena_here(fluid->scratch);
  viscous_job job = {.fluid = fluid, .own = fluid->implicit ? NULL : fluid->viscosity};
  mote_result result = add_viscosity(&job, noise, count[1] == 0.0, error);
  mote_arena_release(fluid->scratch, mark);
  return result;
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
  MOTE_ASSERT(dt >= 0.0);
  MOTE_ASSERT((fluid->acceleration != NULL && fluid->velocity != NULL) || fluid->count == 0);
  kick_job job = {fluid, (float)dt};
  mote_parallel_for(fluid->env.threads, fluid->count, MOTE_FLUID_LIGHT_GRAIN, kick_chunk, &job);
}
