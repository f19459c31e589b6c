// Viscosity: sums of weighted differences of velocity over neighbours. See viscosity.h.
#include "fluid/viscosity.h"

#include "base/parallel.h"
#include "fluid/coupled_body.h"
#include "fluid/sound_speed.h"
#include "fluid/strain.h"
#include "fluid/time_limit.h"
#include "fluid/viscous_pair.h"
#include "rows/motion_row.h"

typedef struct viscous_job {
  mote_fluid *fluid;
  float (*record)[4];
  const float *own;  // mu of each particle; null: 0
  float *sound;      // c of each, where materials have a damping of their own
  mote_viscous_view view;
} viscous_job;

// Particles that have a viscosity, and those that are not like the first.
static void count_chunk(void *data, size_t begin, size_t end, size_t *number) {
  const mote_fluid *f = data;
  for (size_t i = begin; i < end; ++i) {
    number[0] += f->viscosity[i] != 0.0f;
    number[1] += f->viscosity[i] != f->viscosity[0] || f->rest_density[i] != f->rest_density[0];
  }
}

static void record_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const viscous_job *job = data;
  for (size_t i = begin; i < end; ++i) {
    memcpy(job->record[i], job->fluid->velocity + 3 * i, 3 * sizeof(float));
    job->record[i][3] = job->own == NULL ? 0.0f : job->own[i];
    if (job->sound != NULL) job->sound[i] = (float)mote_sound_of(job->fluid, i);
  }
}

#ifdef MOTE_AVX2
// The same instructions with three operands: the same bits.
MOTE_AVX2 static void sum_alike_avx2(const mote_viscous_view *v, size_t i, float out[3]) {
  mote_viscous_sum(v, i, true, false, true, true, out);
}
#endif

static void viscous_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const viscous_job *job = data;
  mote_viscous_view v = job->view;
  for (size_t k = begin; k < end; ++k) {
    size_t i = mote_fluid_row(job->fluid, k);
    float sum[3];
#ifdef MOTE_AVX2
    if (v.alike && mote_cpu_avx2) {
      sum_alike_avx2(&v, i, sum);
    } else
#endif
      mote_viscous_any(&v, i, sum);
    mote_viscous_row(&v, i, sum);
  }
}

static mote_result add_viscosity(viscous_job *job, bool noise, bool alike, mote_error *error) {
  mote_fluid *f = job->fluid;
  size_t n = f->count;
  mote_strain *strain = NULL;
  MOTE_TAKE(job->record, f->scratch, n + 1, error);
  if (f->damping != NULL) MOTE_TAKE(job->sound, f->scratch, n, error);
  memset(job->record[n], 0, sizeof job->record[n]);
  mote_parallel_for(f->env.threads, n, MOTE_FLUID_LIGHT_GRAIN, record_chunk, job);
  const float(*record)[4] = (const float(*)[4])job->record;
  if (noise) MOTE_TRY(mote_strain_take(f, record, &strain, error));
  mote_viscous_law law = mote_viscous_law_make(f);
  mote_viscous_view *v = &job->view;
  v->pairs = f->pairs, v->law = law, v->record = record, v->strain = strain, v->h = 0.5f * (float)f->support;
  v->rest_density = f->rest_density, v->viscosity = f->viscosity, v->acceleration = f->acceleration;
  v->damping = f->damping, v->sound = job->sound;
  v->wall_friction_sum = f->implicit ? NULL : f->wall_friction_sum;
  v->alike = alike && noise && f->pairs.gradient_factor != NULL && f->damping == NULL && law.is_central &&
             law.linear == 0.0f && law.square == 0.0f;
  if (v->alike) {
    float mu = record[0][3], rho = f->rest_density[0];
    v->mean = mote_viscous_mean(mu, mote_lane_splat(mu), mote_lane_splat(law.reach))[0];
    v->density = 2.0f * rho * rho / (rho + rho);
  }
  mote_parallel_for(f->env.threads, mote_fluid_rows(f), MOTE_FLUID_GRAIN, viscous_chunk, job);
  return MOTE_OK;
}

static void gravity_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  mote_motion_view v = *(const mote_motion_view *)data;
  for (size_t i = begin; i < end; ++i) mote_gravity_row(&v, i);
}

mote_result mote_fluid_forces(mote_fluid *fluid, mote_error *error) {
  MOTE_ASSERT(fluid->acceleration != NULL || fluid->count == 0);
  MOTE_ASSERT(fluid->pairs.rows == fluid->count);
  mote_motion_view v = {.gravity = {fluid->gravity[0], fluid->gravity[1], fluid->gravity[2]},
                        .acceleration = fluid->acceleration};
  mote_parallel_for(fluid->env.threads, fluid->count, MOTE_FLUID_LIGHT_GRAIN, gravity_chunk, &v);
  size_t count[2];
  mote_parallel_count(fluid->env.threads, fluid->count, 2, count_chunk, fluid, count);
  bool viscous = count[0] > 0;
  bool artificial = mote_law_artificial(&fluid->solver) > 0.0 || fluid->solver.artificial_square > 0.0 ||
                    fluid->damping != NULL;
  fluid->implicit = viscous && mote_fluid_wants_implicit(fluid);
  MOTE_TRY(mote_coupled_friction(fluid, viscous && !fluid->implicit, error));
  bool noise = mote_law_noise(&fluid->solver) > 0.0;
  if (!artificial && !noise && (!viscous || fluid->implicit)) return MOTE_OK;
  mote_arena_mark mark = mote_arena_here(fluid->scratch);
  viscous_job job = {.fluid = fluid, .own = fluid->implicit ? NULL : fluid->viscosity};
  mote_result result = add_viscosity(&job, noise, count[1] == 0, error);
  mote_arena_release(fluid->scratch, mark);
  return result;
}

static void kick_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  mote_motion_view v = *(const mote_motion_view *)data;
  for (size_t i = begin; i < end; ++i) mote_kick_row(&v, i);
}

void mote_fluid_accelerate(mote_fluid *fluid, double dt) {
  MOTE_ASSERT(dt >= 0.0);
  MOTE_ASSERT((fluid->acceleration != NULL && fluid->velocity != NULL) || fluid->count == 0);
  mote_motion_view v = {.dt = dt, .acceleration = fluid->acceleration, .velocity = fluid->velocity};
  mote_parallel_for(fluid->env.threads, fluid->count, MOTE_FLUID_LIGHT_GRAIN, kick_chunk, &v);
}
