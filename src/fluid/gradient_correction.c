// Kernel-gradient correction: see gradient_correction.h.
#include "fluid/gradient_correction.h"

#include <string.h>

#include "base/parallel.h"
#include "fluid/tuning.inc"
#include "pairs/pair_lanes.h"

typedef struct fix_job {
  const mote_fluid *fluid;
  const mote_wall_pairs *walls;
  mote_pair_scale scale;
  mote_gradient_fix *fix;
} fix_job;

// -sum_j V_j x_ij grad W_ij^T, of four pairs with grad W = gradient_factor x.
static inline void add_pairs(mote_lane sum[6], const mote_pairs *p, mote_lane gradient_factor) {
  for (int a = 0, k = 0; a < 3; ++a) {
    mote_lane weight = p->volume * (gradient_factor * p->x[a]);
    for (int b = a; b < 3; ++b, ++k) sum[k] -= weight * p->x[b];
  }
}

static inline void add_sums(const mote_lane sum[6], float m[6]) {
  for (int k = 0; k < 6; ++k) m[k] += mote_lane_sum(sum[k]);
}

static void sum_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const fix_job *job = data;
  const mote_fluid *f = job->fluid;
  for (size_t k = begin; k < end; ++k) {
    size_t i = mote_fluid_row(f, k);
    mote_lane sum[6] = {{0}};
    for (size_t g = f->pairs.first[i], last = mote_pair_lanes_end(f, i); g < last; ++g) {
      mote_pairs p = mote_pair_lanes_load(f, &job->scale, i, g);
      add_pairs(sum, &p, mote_pair_lanes_gradient_factor(f, &job->scale, g, &p));
    }
    job->fix[i] = (mote_gradient_fix){{0}};
    add_sums(sum, job->fix[i].m);
  }
}

static void wall_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const fix_job *job = data;
  const mote_wall_pairs *w = job->walls;
  for (size_t n = begin; n < end; ++n) {
    size_t i = w->index[n];
    mote_lane sum[6] = {{0}};
    const mote_pair_group *g = w->sample_neighbours.group + w->sample_neighbours.first[n],
                          *last = g + w->sample_neighbours.number[n];
    for (; g < last; ++g) {
      mote_pairs p =
          mote_pairs_load(&job->scale, &job->fluid->fixed_position[i], w->fixed_position, g->index);
      add_pairs(sum, &p, mote_pairs_gradient_factor(&job->scale, &p));
    }
    add_sums(sum, job->fix[i].m);
  }
}

static void invert_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const fix_job *job = data;
  for (size_t k = begin; k < end; ++k) {
    size_t i = mote_fluid_row(job->fluid, k);
    float *m = job->fix[i].m;
    if (job->fluid->domain.dimensions == 2) m[5] = 1.0f;
    float xx = m[3] * m[5] - m[4] * m[4], xy = m[2] * m[4] - m[1] * m[5], xz = m[1] * m[4] - m[2] * m[3];
    float det = m[0] * xx + m[1] * xy + m[2] * xz, per = 1.0f / det;
    if (!(det > DETERMINANT_MIN)) {
      job->fix[i] = (mote_gradient_fix){{1.0f, 0.0f, 0.0f, 1.0f, 0.0f, 1.0f}};
      continue;
    }
    float yy = m[0] * m[5] - m[2] * m[2], yz = m[1] * m[2] - m[0] * m[4], zz = m[0] * m[3] - m[1] * m[1];
    job->fix[i] = (mote_gradient_fix){{xx * per, xy * per, xz * per, yy * per, yz * per, zz * per}};
  }
}

mote_result mote_gradient_fix_take(const mote_fluid *fluid, bool walls, mote_gradient_fix **out,
                                   mote_error *error) {
  MOTE_ASSERT(out != NULL);
  MOTE_ASSERT(fluid->pairs.rows == fluid->count);
  fix_job job = {.fluid = fluid, .scale = mote_pair_scale_make(fluid)};
  int threads = fluid->env.threads;
  MOTE_TAKE(job.fix, fluid->scratch, fluid->count, error);
  mote_parallel_for(threads, mote_fluid_rows(fluid), MOTE_FLUID_GRAIN, sum_chunk, &job);
  for (int p = 0; walls && p < MOTE_BOUNDARY_PARTS; ++p) {
    job.walls = &fluid->walls[p];
    mote_parallel_for(threads, job.walls->sample_neighbours.rows, MOTE_FLUID_GRAIN, wall_chunk, &job);
  }
  mote_parallel_for(threads, mote_fluid_rows(fluid), MOTE_FLUID_LIGHT_GRAIN, invert_chunk, &job);
  *out = job.fix;
  return MOTE_OK;
}

mote_result mote_wall_moments_take(const mote_fluid *fluid, mote_gradient_fix **out, mote_error *error) {
  MOTE_ASSERT(out != NULL);
  MOTE_ASSERT(fluid->pairs.rows == fluid->count);
  fix_job job = {.fluid = fluid, .scale = mote_pair_scale_make(fluid)};
  size_t rows = 0;
  for (int p = 0; p < MOTE_BOUNDARY_PARTS; ++p) rows += fluid->walls[p].sample_neighbours.rows;
  *out = NULL;
  if (rows == 0) return MOTE_OK;
  MOTE_TAKE(job.fix, fluid->scratch, fluid->count, error);
  memset(job.fix, 0, fluid->count * sizeof *job.fix);
  for (int p = 0; p < MOTE_BOUNDARY_PARTS; ++p) {
    job.walls = &fluid->walls[p];
    mote_parallel_for(fluid->env.threads, job.walls->sample_neighbours.rows, MOTE_FLUID_GRAIN, wall_chunk,
                      &job);
  }
  *out = job.fix;
  return MOTE_OK;
}
