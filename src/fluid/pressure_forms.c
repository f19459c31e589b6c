// Pair forms of the pressure's acceleration: see pressure_forms.h. One sum serves all three,
//   sum_j V'_j p_j grad W_ij + own p_i sum_j V'_j grad W_ij   with own = 1, 0, -1.
#include "fluid/pressure_forms.h"

#include "base/parallel.h"
#include "fluid/coupled_body.h"
#include "fluid/free_surface.h"
#include "fluid/gradient_correction.h"
#include "fluid/wall_work.h"

typedef struct form_job {
  const mote_pressures *pressures;
  mote_fluid *fluid;
  const mote_gradient_fix *fix;  // null: none
  const uint8_t *mark;           // with it: particles without correction
  float own;
  float *pressure_volume, *share;  // V' p, V'; one more, the dummy's
  float *wall_pressure_volume[MOTE_BOUNDARY_PARTS], *wall_share[MOTE_BOUNDARY_PARTS];
  int part;
} form_job;

static mote_result take_arrays(form_job *job, mote_error *error) {
  mote_fluid *f = job->fluid;
  size_t n = f->count;
  MOTE_TAKE(job->pressure_volume, f->scratch, n + 1, error);
  MOTE_TAKE(job->share, f->scratch, n + 1, error);
  job->pressure_volume[n] = job->share[n] = 0.0f;
  for (int p = 0; p < MOTE_BOUNDARY_PARTS; ++p) {
    size_t samples = f->walls[p].samples;
    MOTE_TAKE(job->wall_pressure_volume[p], f->scratch, samples + 1, error);
    MOTE_TAKE(job->wall_share[p], f->scratch, samples + 1, error);
    job->wall_pressure_volume[p][samples] = job->wall_share[p][samples] = 0.0f;
  }
  return MOTE_OK;
}

static void share_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const form_job *job = data;
  const mote_fluid *f = job->fluid;
  for (size_t i = begin; i < end; ++i) {
    job->share[i] = f->volume[i] / mote_fluid_relative(f, i);
    job->pressure_volume[i] = job->share[i] * f->pressure[i];
  }
}

static void wall_share_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const form_job *job = data;
  const mote_wall_pairs *w = &job->fluid->walls[job->part];
  for (size_t b = begin; b < end; ++b) {
    float D = job->fluid->compression != NULL ? 1.0f : w->relative[b];
    job->wall_share[job->part][b] = w->volume[b] / D;
    job->wall_pressure_volume[job->part][b] = job->pressures->wall_pressure_volume[job->part][b] * D;
  }
}

// Whether the gradient at i is the corrected one.
static inline bool fixed(const form_job *job, size_t i) {
  if (job->fix == NULL || job->mark[i] != MOTE_MARK_INSIDE) return false;
  const float *G = job->fluid->wall + 3 * i;
  return job->fluid->solver.gradient_correction || G[0] != 0.0f || G[1] != 0.0f || G[2] != 0.0f;
}

// Adds to the sum of particle i: those of V' p and of V' over a row.
static inline void add_row(const form_job *job, size_t i, const float pressure_volume[3],
                           const float share[3]) {
  float p = job->own * job->fluid->pressure[i];
  if (fixed(job, i)) p = -p;
  for (int k = 0; k < 3; ++k) job->pressures->flow[i].u[k] += pressure_volume[k] + p * share[k];
}

static void sum_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const form_job *job = data;
  for (size_t k = begin; k < end; ++k) {
    size_t i = mote_fluid_row(job->fluid, k);
    float pressure_volume[3], share[3] = {0};
    mote_pair_lanes_gradient_sum(&job->fluid->pairs, i, job->pressure_volume, pressure_volume);
    if (job->own != 0.0f) mote_pair_lanes_gradient_sum(&job->fluid->pairs, i, job->share, share);
    job->pressures->flow[i] = (mote_flow){.zero = 0.0f};
    add_row(job, i, pressure_volume, share);
  }
}

static void wall_sum_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const form_job *job = data;
  const mote_wall_pairs *w = &job->fluid->walls[job->part];
  for (size_t n = begin; n < end; ++n) {
    float pressure_volume[3], share[3] = {0};
    mote_pair_set_gradient_sum(&w->sample_neighbours, n, job->wall_pressure_volume[job->part],
                               pressure_volume);
    if (job->own != 0.0f)
      mote_pair_set_gradient_sum(&w->sample_neighbours, n, job->wall_share[job->part], share);
    add_row(job, w->index[n], pressure_volume, share);
  }
}

static void scale_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const form_job *job = data;
  const mote_fluid *f = job->fluid;
  for (size_t row = begin; row < end; ++row) {
    size_t i = mote_fluid_row(f, row);
    float *u = job->pressures->flow[i].u, sum[3] = {u[0], u[1], u[2]};
    if (fixed(job, i)) mote_gradient_fix_apply(&job->fix[i], u, sum);
    float scale = -f->mobility[i] / mote_fluid_relative(f, i);
    for (int k = 0; k < 3; ++k) u[k] = scale * sum[k];
  }
}

// Bodies get the mean form, whichever the fluid has: the others do not conserve momentum, and their pair
// sums across a surface are not the pressure on it.
static mote_result apply_to_bodies(const form_job *job, double dt, mote_error *error) {
  mote_coupled_pressure pressure[MOTE_BOUNDARY_PARTS];
  for (int p = 0; p < MOTE_BOUNDARY_PARTS; ++p)
    pressure[p] = (mote_coupled_pressure){job->pressure_volume, job->wall_pressure_volume[p], job->share,
                                          job->wall_share[p]};
  MOTE_TRY(mote_wall_work_add(job->fluid, pressure, dt, error));
  return mote_coupled_apply_pressure(job->fluid, &pressure[MOTE_BOUNDARY_PARTS - 1], dt, error);
}

mote_result mote_pair_forms_accelerate(const mote_pressures *pressures, mote_fluid *fluid, double dt,
                                       mote_error *error) {
  MOTE_ASSERT(dt >= 0.0);
  MOTE_ASSERT(pressures->flow != NULL);
  int threads = fluid->env.threads;
  form_job job = {.pressures = pressures, .fluid = fluid};
  job.own = fluid->solver.pair_form == MOTE_FORM_PLAIN ? 0.0f : 1.0f;
  if (mote_gradient_fix_wanted(fluid)) {
    mote_gradient_fix *fix;
    uint8_t *mark;
    MOTE_TRY(mote_gradient_fix_take(fluid, true, &fix, error));
    MOTE_TRY(mote_free_surface_take(fluid, &mark, error));
    job.fix = fix, job.mark = mark, job.own = 1.0f;
  }
  MOTE_TRY(take_arrays(&job, error));
  mote_parallel_for(threads, fluid->count, MOTE_FLUID_LIGHT_GRAIN, share_chunk, &job);
  for (job.part = 0; job.part < MOTE_BOUNDARY_PARTS; ++job.part)
    mote_parallel_for(threads, fluid->walls[job.part].samples, MOTE_FLUID_LIGHT_GRAIN, wall_share_chunk,
                      &job);
  mote_parallel_for(threads, mote_fluid_rows(fluid), MOTE_FLUID_GRAIN, sum_chunk, &job);
  for (job.part = 0; job.part < MOTE_BOUNDARY_PARTS; ++job.part)
    mote_parallel_for(threads, fluid->walls[job.part].sample_neighbours.rows, MOTE_FLUID_GRAIN,
                      wall_sum_chunk, &job);
  mote_parallel_for(threads, mote_fluid_rows(fluid), MOTE_FLUID_LIGHT_GRAIN, scale_chunk, &job);
  return apply_to_bodies(&job, dt, error);
}
