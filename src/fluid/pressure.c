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
  mote_fluid *fluid;
  const mote_wall_pairs *walls;
  const float *wall_pressure_volume;
  float dt;
} pressure_job;

static void flow_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const pressure_job *job = data;
  const mote_fluid *f = job->fluid;
  for (size_t i = begin; i < end; ++i) {
    mote_flow *flow = &job->pressures->flow[i];
    for (int k = 0; k < 3; ++k) flow->u[k] = f->volume[i] * f->velocity[3 * i + k];
    flow->zero = 0.0f;
  }
}

void mote_pressures_flow(const mote_pressures *pressures, const mote_fluid *fluid) {
  MOTE_ASSERT(pressures->flow != NULL);
  MOTE_ASSERT(fluid->volume != NULL || fluid->count == 0);
  mote_fluid own = *fluid;
  pressure_job job = {.pressures = pressures, .fluid = &own};
  mote_parallel_for(own.env.threads, own.count, MOTE_FLUID_LIGHT_GRAIN, flow_chunk, &job);
}

static void matrix_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const pressure_job *job = data;
  const mote_pressures *pressures = job->pressures;
  for (size_t i = begin; i < end; ++i) {
    pressures->matrix[i] =
        mote_pressures_columns(&pressures->fix[i], &job->fluid->pairs.scale, pressures->pressure_volume[i]);
  }
}

// The same with corrected gradients.
static void accelerate_corrected_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const pressure_job *job = data;
  const mote_fluid *f = job->fluid;
  const mote_pressures *pressures = job->pressures;
  for (size_t row = begin; row < end; ++row) {
    size_t i = mote_fluid_row(f, row);
    float sum[3], own[3], P = pressures->pressure_volume[i] / f->volume[i];
    mote_pair_lanes_matrix_sum(&f->pairs, i, pressures->matrix, sum);
    mote_pressures_own_gradient(pressures, f, i, own);
    for (int k = 0; k < 3; ++k) pressures->flow[i].u[k] = -f->mobility[i] * (P * own[k] + sum[k]);
    pressures->flow[i].zero = 0.0f;
  }
}

static void accelerate_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const pressure_job *job = data;
  const mote_fluid *f = job->fluid;
  const float *pressure_volume = job->pressures->pressure_volume;
  for (size_t row = begin; row < end; ++row) {
    size_t i = mote_fluid_row(f, row);
    float sum[3], P = pressure_volume[i] / f->volume[i];
    mote_pair_lanes_gradient_sum(&f->pairs, i, pressure_volume, sum);
    for (int k = 0; k < 3; ++k) {
      float own = f->gradient[3 * i + k] + f->wall[3 * i + k];
      job->pressures->flow[i].u[k] = -f->mobility[i] * (P * own + sum[k]);
    }
    job->pressures->flow[i].zero = 0.0f;
  }
}

static void wall_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const pressure_job *job = data;
  for (size_t n = begin; n < end; ++n) {
    size_t i = job->walls->index[n];
    float sum[3];
    mote_pair_set_gradient_sum(&job->walls->sample_neighbours, n, job->wall_pressure_volume, sum);
    for (int k = 0; k < 3; ++k) job->pressures->flow[i].u[k] -= job->fluid->mobility[i] * sum[k];
  }
}

void mote_pressures_accelerate(const mote_pressures *pressures, const mote_fluid *fluid) {
  MOTE_ASSERT(pressures->flow != NULL && pressures->pressure_volume != NULL);
  MOTE_ASSERT(fluid->pairs.rows == fluid->count);
  mote_fluid own = *fluid;
  pressure_job job = {.pressures = pressures, .fluid = &own};
  if (pressures->fix != NULL)
    mote_parallel_for(own.env.threads, own.count, MOTE_FLUID_LIGHT_GRAIN, matrix_chunk, &job);
  mote_parallel_for(own.env.threads, mote_fluid_rows(&own), MOTE_FLUID_GRAIN,
                    pressures->fix != NULL ? accelerate_corrected_chunk : accelerate_chunk, &job);
  for (int p = 0; p < MOTE_BOUNDARY_PARTS; ++p) {
    job.walls = &own.walls[p];
    job.wall_pressure_volume = pressures->wall_pressure_volume[p];
    mote_parallel_for(own.env.threads, job.walls->sample_neighbours.rows, MOTE_FLUID_GRAIN, wall_chunk, &job);
  }
}

static void kick_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const pressure_job *job = data;
  const mote_fluid *f = job->fluid;
  for (size_t i = begin; i < end; ++i) {
    float scale = job->dt / f->volume[i];
    for (int k = 0; k < 3; ++k) f->velocity[3 * i + k] += scale * job->pressures->flow[i].u[k];
  }
}

void mote_pressures_kick(const mote_pressures *pressures, mote_fluid *fluid, double dt) {
  MOTE_ASSERT(pressures->flow != NULL);
  MOTE_ASSERT(dt >= 0.0);
  pressure_job job = {.pressures = pressures, .fluid = fluid, .dt = (float)dt};
  mote_parallel_for(fluid->env.threads, fluid->count, MOTE_FLUID_LIGHT_GRAIN, kick_chunk, &job);
}
