// Pressures of wall samples and the adjoint distribution of errors: see wall_pressure.h.
#include "fluid/wall_pressure.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "fluid/coupled_body.h"
#include "rows/matrix_row.h"

typedef struct wall_pressure_job {
  const mote_wall_pressure *wall_pressure;
  const mote_wall_pairs *walls;
  const mote_pressures *pressures;
  int part;
  mote_matrix_view view;  // when preparing
} wall_pressure_job;

static void matrix_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  mote_matrix_view v = ((const wall_pressure_job *)data)->view;
  for (size_t i = begin; i < end; ++i) mote_matrix_row(&v, i);
}

static void shared_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const wall_pressure_job *job = data;
  mote_matrix_view v = job->view;
  for (size_t b = begin; b < end; ++b) mote_shared_row(&v, job->walls, b);
}

static void bound_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const wall_pressure_job *job = data;
  mote_matrix_view v = job->view;
  for (size_t n = begin; n < end; ++n) mote_wall_matrix_row(&v, job->walls, n);
}

mote_result mote_wall_pressure_prepare(mote_fluid *fluid, mote_error *error) {
  MOTE_ASSERT(fluid->pairs.rows == fluid->count);
  fluid->matrix = NULL;
  if (fluid->diagonal == NULL) return MOTE_OK;
  MOTE_TAKE(fluid->matrix, fluid->scratch, fluid->count, error);
  mote_arena_mark mark = mote_arena_here(fluid->scratch);
  wall_pressure_job job = {.view = {fluid->gradient, fluid->wall, fluid->rest_density, fluid->diagonal,
                                    fluid->volume, fluid->matrix, NULL}};
  int threads = fluid->env.threads;
  mote_parallel_for(threads, fluid->count, MOTE_FLUID_LIGHT_GRAIN, matrix_chunk, &job);
  for (int p = 0; p < MOTE_BOUNDARY_PARTS; ++p) {
    job.walls = &fluid->walls[p];
    MOTE_TAKE(job.view.shared, fluid->scratch, job.walls->samples + 1, error);
    job.view.shared[job.walls->samples] = 0.0f;
    mote_parallel_for(threads, job.walls->samples, MOTE_FLUID_LIGHT_GRAIN, shared_chunk, &job);
    mote_parallel_for(threads, job.walls->sample_neighbours.rows, MOTE_FLUID_GRAIN, bound_chunk, &job);
  }
  mote_arena_release(fluid->scratch, mark);
  return MOTE_OK;
}

static void set_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const wall_pressure_job *job = data;
  const mote_pressures *p = job->pressures;
  for (size_t b = begin; b < end; ++b)
    p->wall_pressure_volume[job->part][b] = mote_wall_pressure_row(job->walls, p->pressure_volume, b);
}

void mote_wall_pressure_set(const mote_wall_pressure *wall_pressure, const mote_pressures *pressures) {
  MOTE_ASSERT(wall_pressure->fluid != NULL);
  MOTE_ASSERT(pressures->pressure_volume != NULL);
  const mote_fluid *f = wall_pressure->fluid;
  wall_pressure_job job = {.wall_pressure = wall_pressure, .pressures = pressures};
  for (; job.part < MOTE_BOUNDARY_PARTS; ++job.part) {
    job.walls = &f->walls[job.part];
    mote_parallel_for(f->env.threads, job.walls->samples, MOTE_FLUID_GRAIN, set_chunk, &job);
  }
}

// At most the mean either way: where there is no pressure, as in free fall, gravity has no part.
static float weight_at(const mote_fluid *f, const mote_wall_pairs *w, size_t b) {
  const float *g = f->gravity, *lever = w->lever + 3 * b;
  float most = w->pressure[b] > 0.0f ? w->pressure[b] : 0.0f;
  float p = g[0] * lever[0] + g[1] * lever[1] + g[2] * lever[2];
  return p > most ? most : p < -most ? -most : p;
}

void mote_wall_pressure_add_weight(const mote_pressures *pressures, const mote_fluid *fluid) {
  const int part = MOTE_BOUNDARY_PARTS - 1;
  const mote_wall_pairs *w = &fluid->walls[part];
  float *pressure_volume = pressures->wall_pressure_volume[part];
  for (size_t k = 0; k < fluid->touched_count; ++k) {
    const mote_coupled_body *body = mote_coupled_touched(fluid, k);
    for (size_t b = body->first; b < body->end; ++b) {
      pressure_volume[b] += w->share[b] * (w->relative[b] - w->own[b]) * weight_at(fluid, w, b);
    }
  }
}

static void sum_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const wall_pressure_job *job = data;
  for (size_t n = begin; n < end; ++n)
    mote_wall_sum_row(job->walls, job->wall_pressure->error[job->part], job->wall_pressure->sum, n);
}

void mote_wall_pressure_gather(const mote_wall_pressure *wall_pressure) {
  MOTE_ASSERT(wall_pressure->fluid != NULL);
  MOTE_ASSERT(wall_pressure->sum != NULL);
  const mote_fluid *f = wall_pressure->fluid;
  wall_pressure_job job = {.wall_pressure = wall_pressure};
  memset(wall_pressure->sum, 0, f->count * sizeof(float));
  for (; job.part < MOTE_BOUNDARY_PARTS; ++job.part) {
    job.walls = &f->walls[job.part];
    mote_parallel_for(f->env.threads, job.walls->sample_neighbours.rows, MOTE_FLUID_GRAIN, sum_chunk, &job);
  }
}

mote_result mote_wall_pressure_take(mote_wall_pressure *wall_pressure, mote_fluid *fluid, mote_error *error) {
  MOTE_ASSERT(fluid->scratch != NULL);
  wall_pressure->fluid = fluid;
  MOTE_TAKE(wall_pressure->sum, fluid->scratch, fluid->count, error);
  MOTE_TAKE(wall_pressure->matrix, fluid->scratch, fluid->count, error);
  memcpy(wall_pressure->matrix, fluid->matrix, fluid->count * sizeof(float));
  for (int p = 0; p < MOTE_BOUNDARY_PARTS; ++p) {
    size_t samples = fluid->walls[p].samples;
    MOTE_TAKE(wall_pressure->error[p], fluid->scratch, samples + 1, error);
    wall_pressure->error[p][samples] = 0.0f;
  }
  return MOTE_OK;
}
