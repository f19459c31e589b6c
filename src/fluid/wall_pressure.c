// Means of pressures on walls, and their adjoint: see wall_pressure.h.
#include "fluid/wall_pressure.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"

typedef struct means_job {
  const mote_wall_means *means;
  const mote_wall_pairs *walls;
  const mote_pressures *pressures;
  mote_wall_wrong *wrong;
  const void *data;
  int part;
} means_job;

// sum_j value_j W_ij over a row of pairs.
static float weigh(const mote_pair_set *set, const float *W, size_t row, const float *value) {
  mote_lane sum = mote_lane_splat(0.0f);
  for (size_t g = set->first[row], end = g + set->number[row]; g < end; ++g) {
    const uint32_t *j = set->group[g].index;
    mote_lane v = {value[j[0]], value[j[1]], value[j[2]], value[j[3]]};
    sum += v * mote_lane_load(W + MOTE_LANES * g);
  }
  return mote_lane_sum(sum);
}

// A_ii of the particles among themselves and beside walls at rest.
static void matrix_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const means_job *job = data;
  const mote_fluid *f = job->means->fluid;
  for (size_t i = begin; i < end; ++i) {
    const float *g = f->gradient + 3 * i, *G = f->wall + 3 * i;
    float own = 0.0f;
    for (int k = 0; k < 3; ++k) own += (g[k] + G[k]) * (g[k] + G[k]);
    job->means->matrix[i] = own / f->rest_density[i] + f->diagonal[i];
  }
}

// The means' part is at most B_ii = V_i sum_b u_b sum_b u_b A_bb / V_b with u_b = share_b W_ib (Cauchy and
// Schwarz); of both together, (sqrt A + sqrt B)^2.
static void bound_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const means_job *job = data;
  const mote_fluid *f = job->means->fluid;
  const mote_wall_pairs *w = job->walls;
  const float *wrong = job->means->wrong[job->part];
  for (size_t n = begin; n < end; ++n) {
    size_t i = w->index[n];
    float u = weigh(&w->near, w->near_value, n, w->share), A = weigh(&w->near, w->near_value, n, wrong);
    float root = sqrtf(job->means->matrix[i]) + sqrtf(f->volume[i] * u * A);
    job->means->matrix[i] = root * root;
  }
}

static void find_matrix(const mote_wall_means *means) {
  const mote_fluid *f = means->fluid;
  means_job job = {.means = means};
  mote_parallel_for(f->env.threads, f->count, 4 * MOTE_FLUID_GRAIN, matrix_chunk, &job);
  for (; job.part < MOTE_BOUNDARY_PARTS; ++job.part) {
    job.walls = &f->walls[job.part];
    for (size_t b = 0; b < job.walls->samples; ++b) {
      means->wrong[job.part][b] = job.walls->share[b] * job.walls->diagonal[b] / job.walls->volume[b];
    }
    mote_parallel_for(f->env.threads, job.walls->near.rows, MOTE_FLUID_GRAIN, bound_chunk, &job);
  }
}

static void push_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const means_job *job = data;
  const mote_wall_pairs *w = job->walls;
  for (size_t b = begin; b < end; ++b) {
    float sum = weigh(&w->back, w->back_value, b, job->pressures->push);
    job->pressures->wall_push[job->part][b] = w->share[b] * sum;
  }
}

void mote_wall_means_push(const mote_wall_means *means, const mote_pressures *pressures) {
  const mote_fluid *f = means->fluid;
  means_job job = {.means = means, .pressures = pressures};
  for (; job.part < MOTE_BOUNDARY_PARTS; ++job.part) {
    job.walls = &f->walls[job.part];
    mote_parallel_for(f->env.threads, job.walls->samples, MOTE_FLUID_GRAIN, push_chunk, &job);
  }
}

static void wrong_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const means_job *job = data;
  for (size_t b = begin; b < end; ++b) {
    job->means->wrong[job->part][b] = job->walls->share[b] * job->wrong(job->data, job->part, b);
  }
}

static void sum_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const means_job *job = data;
  const mote_wall_pairs *w = job->walls;
  for (size_t n = begin; n < end; ++n) {
    job->means->sum[w->index[n]] += weigh(&w->near, w->near_value, n, job->means->wrong[job->part]);
  }
}

void mote_wall_means_gather(const mote_wall_means *means, mote_wall_wrong *wrong, const void *data) {
  const mote_fluid *f = means->fluid;
  means_job job = {.means = means, .wrong = wrong, .data = data};
  memset(means->sum, 0, f->count * sizeof(float));
  for (; job.part < MOTE_BOUNDARY_PARTS; ++job.part) {
    job.walls = &f->walls[job.part];
    mote_parallel_for(f->env.threads, job.walls->samples, MOTE_FLUID_GRAIN, wrong_chunk, &job);
    mote_parallel_for(f->env.threads, job.walls->near.rows, MOTE_FLUID_GRAIN, sum_chunk, &job);
  }
}

mote_result mote_wall_means_take(mote_wall_means *means, mote_fluid *fluid, mote_error *error) {
  means->fluid = fluid;
  means->sum = mote_arena_take(fluid->scratch, fluid->count, sizeof(float));
  means->matrix = mote_arena_take(fluid->scratch, fluid->count, sizeof(float));
  bool all = means->sum != NULL && means->matrix != NULL;
  for (int p = 0; p < MOTE_BOUNDARY_PARTS; ++p) {
    size_t samples = fluid->walls[p].samples;
    means->wrong[p] = mote_arena_take(fluid->scratch, samples + 1, sizeof(float));
    all = all && means->wrong[p] != NULL;
    if (all) means->wrong[p][samples] = 0.0f;
  }
  if (!all) return mote_fail_memory(error, 2 * fluid->count * sizeof(float));
  find_matrix(means);
  return MOTE_OK;
}
