// Accelerations by pressures: see pressure.h.
#include "fluid/pressure.h"

#include "base/parallel.h"

mote_result mote_pressures_take(mote_pressures *pressures, mote_fluid *fluid, mote_error *error) {
  MOTE_ASSERT(fluid->scratch != NULL);
  mote_arena *arena = fluid->scratch;
  size_t n = fluid->count;
  pressures->fix = NULL, pressures->matrix = NULL;
  MOTE_TAKE(pressures->pressure_volume, arena, n + 1, error);
  MOTE_TAKE(pressures->flow, arena, n + 1, error);
  for (int p = 0; p < MOTE_BOUNDARY_PARTS; ++p) {
    size_t samples = fluid->walls[p].samples;
    MOTE_TAKE(pressures->wall_pressure_volume[p], arena, samples + 1, error);
    pressures->wall_pressure_volume[p][samples] = 0.0f;
  }
  pressures->pressure_volume[n] = 0.0f;
  pressures->flow[n] = (mote_flow){.zero = 0.0f};
  return MOTE_OK;
}

mote_result mote_pressures_correct(mote_pressures *pressures, mote_fluid *fluid, mote_error *error) {
  MOTE_ASSERT(pressures->flow != NULL);
  size_t n = fluid->count;
  if (fluid->corrected == NULL) return MOTE_OK;
  pressures->fix = fluid->corrected;
  MOTE_TAKE(pressures->matrix, fluid->scratch, n + 1, error);
  pressures->matrix[n] = (mote_columns){{{0.0f}}};
  return MOTE_OK;
}

typedef struct pressure_job {
  const mote_pressures *pressures;
  const mote_fluid *fluid;
  const mote_wall_pairs *walls;
  const float *wall_pressure_volume;
  float dt;
} pressure_job;

static void flow_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const pressure_job *job = data;
  mote_pressure_view v = mote_pressures_view(job->pressures, job->fluid);
  for (size_t i = begin; i < end; ++i) mote_flow_row(&v, i);
}

void mote_pressures_flow(const mote_pressures *pressures, const mote_fluid *fluid) {
  MOTE_ASSERT(pressures->flow != NULL);
  MOTE_ASSERT(fluid->volume != NULL || fluid->count == 0);
  pressure_job job = {.pressures = pressures, .fluid = fluid};
  mote_parallel_for(fluid->env.threads, fluid->count, MOTE_FLUID_LIGHT_GRAIN, flow_chunk, &job);
}

static void matrix_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const pressure_job *job = data;
  mote_pressure_view v = mote_pressures_view(job->pressures, job->fluid);
  for (size_t i = begin; i < end; ++i) mote_columns_row(&v, i);
}

static void accelerate_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const pressure_job *job = data;
  mote_pressure_view v = mote_pressures_view(job->pressures, job->fluid);
  for (size_t k = begin; k < end; ++k) mote_force_row(&v, mote_fluid_row(job->fluid, k));
}

static void wall_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const pressure_job *job = data;
  mote_pressure_view v = mote_pressures_view(job->pressures, job->fluid);
  for (size_t n = begin; n < end; ++n) mote_wall_force_row(&v, job->walls, job->wall_pressure_volume, n);
}

void mote_pressures_accelerate(const mote_pressures *pressures, const mote_fluid *fluid) {
  MOTE_ASSERT(pressures->flow != NULL && pressures->pressure_volume != NULL);
  MOTE_ASSERT(fluid->pairs.rows == fluid->count);
  pressure_job job = {.pressures = pressures, .fluid = fluid};
  if (pressures->fix != NULL)
    mote_parallel_for(fluid->env.threads, fluid->count, MOTE_FLUID_LIGHT_GRAIN, matrix_chunk, &job);
  mote_parallel_for(fluid->env.threads, mote_fluid_rows(fluid), MOTE_FLUID_GRAIN, accelerate_chunk, &job);
  for (int p = 0; p < MOTE_BOUNDARY_PARTS; ++p) {
    job.walls = &fluid->walls[p];
    job.wall_pressure_volume = pressures->wall_pressure_volume[p];
    mote_parallel_for(fluid->env.threads, job.walls->sample_neighbours.rows, MOTE_FLUID_GRAIN, wall_chunk,
                      &job);
  }
}

static void kick_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const pressure_job *job = data;
  mote_pressure_view v = mote_pressures_view(job->pressures, job->fluid);
  for (size_t i = begin; i < end; ++i) mote_pressure_kick_row(&v, job->dt, i);
}

void mote_pressures_kick(const mote_pressures *pressures, mote_fluid *fluid, double dt) {
  MOTE_ASSERT(pressures->flow != NULL);
  MOTE_ASSERT(dt >= 0.0);
  pressure_job job = {.pressures = pressures, .fluid = fluid, .dt = (float)dt};
  mote_parallel_for(fluid->env.threads, fluid->count, MOTE_FLUID_LIGHT_GRAIN, kick_chunk, &job);
}
