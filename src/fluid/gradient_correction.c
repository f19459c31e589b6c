// Kernel-gradient correction: see gradient_correction.h.
#include "fluid/gradient_correction.h"

#include <string.h>

#include "base/parallel.h"
#include "fluid/tuning.inc"

typedef struct fix_job {
  const mote_fluid *fluid;
  const mote_wall_pairs *walls;
  mote_moments_view view;
} fix_job;

static fix_job fix_job_make(const mote_fluid *fluid, mote_gradient_fix *fix) {
  return (fix_job){fluid, NULL, {fluid->pairs, fix, fluid->domain.dimensions, DETERMINANT_MIN}};
}

static void sum_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const fix_job job = *(const fix_job *)data;
  for (size_t k = begin; k < end; ++k) mote_moments_row(&job.view, mote_fluid_row(job.fluid, k));
}

static void wall_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const fix_job *job = data;
  for (size_t n = begin; n < end; ++n) mote_wall_moments_row(&job->view, job->walls, n);
}

static void invert_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const fix_job *job = data;
  for (size_t k = begin; k < end; ++k) mote_moments_invert(&job->view, mote_fluid_row(job->fluid, k));
}

mote_result mote_gradient_fix_take(const mote_fluid *fluid, bool walls, mote_gradient_fix **out,
                                   mote_error *error) {
  MOTE_ASSERT(out != NULL);
  MOTE_ASSERT(fluid->pairs.rows == fluid->count);
  int threads = fluid->env.threads;
  MOTE_TAKE(*out, fluid->scratch, fluid->count, error);
  fix_job job = fix_job_make(fluid, *out);
  mote_parallel_for(threads, mote_fluid_rows(fluid), MOTE_FLUID_GRAIN, sum_chunk, &job);
  for (int p = 0; walls && p < MOTE_BOUNDARY_PARTS; ++p) {
    job.walls = &fluid->walls[p];
    mote_parallel_for(threads, job.walls->sample_neighbours.rows, MOTE_FLUID_GRAIN, wall_chunk, &job);
  }
  mote_parallel_for(threads, mote_fluid_rows(fluid), MOTE_FLUID_LIGHT_GRAIN, invert_chunk, &job);
  return MOTE_OK;
}

mote_result mote_wall_moments_take(const mote_fluid *fluid, mote_gradient_fix **out, mote_error *error) {
  MOTE_ASSERT(out != NULL);
  MOTE_ASSERT(fluid->pairs.rows == fluid->count);
  size_t rows = 0;
  for (int p = 0; p < MOTE_BOUNDARY_PARTS; ++p) rows += fluid->walls[p].sample_neighbours.rows;
  *out = NULL;
  if (rows == 0) return MOTE_OK;
  MOTE_TAKE(*out, fluid->scratch, fluid->count, error);
  memset(*out, 0, fluid->count * sizeof **out);
  fix_job job = fix_job_make(fluid, *out);
  for (int p = 0; p < MOTE_BOUNDARY_PARTS; ++p) {
    job.walls = &fluid->walls[p];
    mote_parallel_for(fluid->env.threads, job.walls->sample_neighbours.rows, MOTE_FLUID_GRAIN, wall_chunk,
                      &job);
  }
  return MOTE_OK;
}
