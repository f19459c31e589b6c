// Bodies that move in a pressure solve: see coupled_solve.h.
#include "fluid/coupled_solve.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "geom/triple.h"

mote_result mote_coupled_solve_take(mote_coupled_solve *solve, mote_fluid *fluid, bool gives,
                                    mote_error *error) {
  MOTE_ASSERT(fluid->scratch != NULL);
  size_t rows = mote_coupled_walls(fluid)->samples;
  *solve = (mote_coupled_solve){.any = gives && fluid->coupled_count > 0 && rows > 0};
  if (!solve->any) return MOTE_OK;
  MOTE_TAKE(solve->force, fluid->scratch, 3 * rows, error);
  MOTE_TAKE(solve->acceleration, fluid->scratch, 3 * rows, error);
  MOTE_TAKE(solve->rate, fluid->scratch, rows, error);
  MOTE_TAKE(solve->flow, fluid->scratch, rows + 1, error);
  // Samples that belong to no body keep these.
  memset(solve->acceleration, 0, 3 * rows * sizeof(float));
  memset(solve->rate, 0, rows * sizeof(float));
  memset(solve->flow, 0, (rows + 1) * sizeof(mote_flow));
  return MOTE_OK;
}

// --- Responses ---

typedef struct coupled_job {
  const mote_coupled_solve *solve;
  mote_fluid *fluid;
  const mote_wall_pairs *walls;
  double dt;
  float factor, *sum;
  float *reach, *size;  // + of each row: factors of |grad W| and of W
  float *one, *none;    // + of each particle
} coupled_job;

static coupled_job make_job(const mote_coupled_solve *solve, mote_fluid *fluid) {
  return (coupled_job){.solve = solve, .fluid = fluid, .walls = mote_coupled_walls(fluid)};
}

// Applies the last response to a body for dt seconds.
static void give(mote_coupled_body *body, double dt) {
  double impulse[3], twist[3];
  for (int a = 0; a < 3; ++a)
    impulse[a] = dt * body->pressure_force[a], twist[a] = dt * body->pressure_torque[a];
  mote_coupled_add_impulse(body, impulse, twist);
}

static void respond_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const coupled_job *job = data;
  const mote_wall_pairs *w = job->walls;
  for (size_t k = begin; k < end; ++k) {
    mote_coupled_body *body = mote_coupled_touched(job->fluid, k);
    double turn[3], arm[3], by_turn[3] = {0.0, 0.0, 0.0};
    mote_coupled_sum_forces(job->fluid, body, job->solve->force, body->pressure_force, body->pressure_torque);
    if (body->radius > 0.0) turn3(body->inverse_inertia, body->pressure_torque, turn);
    for (size_t b = body->first; b < body->end; ++b) {
      float *acceleration = job->solve->acceleration + 3 * b;
      const float *gradient = w->gradient + 3 * b;
      if (body->radius > 0.0) sub3(w->position + 3 * b, body->x, arm), cross3(turn, arm, by_turn);
      for (int a = 0; a < 3; ++a) {
        acceleration[a] = (float)(body->inverse_mass * body->pressure_force[a] + by_turn[a]);
        job->solve->flow[b].u[a] = w->weight[b] * acceleration[a];
      }
      job->solve->rate[b] =
          acceleration[0] * gradient[0] + acceleration[1] * gradient[1] + acceleration[2] * gradient[2];
    }
    if (job->dt > 0.0) give(body, job->dt);
  }
}

void mote_coupled_solve_respond(const mote_coupled_solve *solve, mote_fluid *fluid,
                                const mote_pressures *pressures, double dt) {
  MOTE_ASSERT(dt >= 0.0);
  MOTE_ASSERT(!solve->any || (solve->force != NULL && solve->flow != NULL));
  if (!solve->any) return;
  coupled_job job = make_job(solve, fluid);
  job.dt = dt;
  mote_coupled_pressure pressure = {pressures->pressure_volume,
                                    pressures->wall_pressure_volume[MOTE_BOUNDARY_PARTS - 1], NULL,
                                    job.walls->weight};
  mote_coupled_forces(fluid, &pressure, solve->force);
  mote_parallel_for(fluid->env.threads, fluid->touched_count, mote_coupled_grain(fluid), respond_chunk, &job);
}

void mote_coupled_solve_apply(const mote_coupled_solve *solve, mote_fluid *fluid, double dt) {
  MOTE_ASSERT(dt >= 0.0);
  MOTE_ASSERT(!solve->any || fluid->coupled != NULL);
  for (size_t k = 0; solve->any && k < fluid->touched_count; ++k) give(mote_coupled_touched(fluid, k), dt);
}

static void add_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const coupled_job *job = data;
  const mote_wall_pairs *w = job->walls;
  for (size_t n = begin; n < end; ++n) {
    job->sum[w->index[n]] += job->factor * mote_pair_set_flow(&w->sample_neighbours, n, job->solve->flow);
  }
}

void mote_coupled_solve_add(const mote_coupled_solve *solve, const mote_fluid *fluid, float factor,
                            float *sum) {
  MOTE_ASSERT(!solve->any || sum != NULL);
  if (!solve->any) return;
  coupled_job job = {.solve = solve, .walls = mote_coupled_walls(fluid), .factor = factor, .sum = sum};
  mote_parallel_for(fluid->env.threads, job.walls->sample_neighbours.rows, MOTE_FLUID_GRAIN, add_chunk, &job);
}

void mote_coupled_solve_flow(const mote_coupled_solve *solve, mote_fluid *fluid) {
  MOTE_ASSERT(!solve->any || solve->flow != NULL);
  if (solve->any) mote_coupled_flow_by(fluid, solve->flow);
}

// --- The diagonal ---
//
// A pressure volume q_i = 1 exerts the generalised force J_i on a body, and the bodies' part of the matrix is
// J_i M^-1 J_j.
// With u_i >= |J_i| in the metric of M^-1 it is at most the diagonal u_i sum_j u_j (Gershgorin). u_i is
// summed over samples: of the force f_b by q_i at b at most s_b |f_b|, s_b^2 = 1/m + |x_b - x|^2 tr I^-1.

// sum_j (by_gradient_j |grad W_ij| + by_value_j W_ij) over a row; the arrays have one more, the dummy's, 0.
static inline float strength(const mote_pair_set *set, const float *W, size_t row, const float *by_gradient,
                             const float *by_value) {
  mote_lane sum = mote_lane_splat(0.0f);
  for (size_t g = set->first[row], end = g + set->number[row]; g < end; ++g) {
    const uint32_t *j = set->group[g].index;
    mote_lane x = mote_lane_load(set->group[g].gradient[0]), y = mote_lane_load(set->group[g].gradient[1]);
    mote_lane z = mote_lane_load(set->group[g].gradient[2]), length = mote_lane_sqrt(x * x + y * y + z * z);
    mote_lane of_gradient = {by_gradient[j[0]], by_gradient[j[1]], by_gradient[j[2]], by_gradient[j[3]]};
    mote_lane of_value = {by_value[j[0]], by_value[j[1]], by_value[j[2]], by_value[j[3]]};
    sum += of_gradient * length + of_value * mote_lane_load(W + MOTE_LANES * g);
  }
  return mote_lane_sum(sum);
}

static inline float size_of(const mote_wall_pairs *w, size_t b) {
  const float *g = w->gradient + 3 * b;
  return sqrtf(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
}

typedef struct body_reach {
  const coupled_job *job;
  const mote_coupled_body *body;
} body_reach;

// reach = s_b; the terms of the body's sum of all.
static void reach_rows(void *data, size_t begin, size_t end, double *term) {
  const body_reach *r = data;
  const double *I = r->body->inverse_inertia;
  for (size_t n = begin; n < end; ++n, ++term) {
    double arm[3];
    float *reach = r->job->reach + r->body->first + n;
    sub3(r->job->walls->position + 3 * (r->body->first + n), r->body->x, arm);
    double s = sqrt(r->body->inverse_mass + dot3(arm, arm) * (I[0] + I[4] + I[8]));
    *term = s * (double)*reach;
    *reach = (float)s;
  }
}

static void total_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const coupled_job *job = data;
  for (size_t k = begin; k < end; ++k) {
    const mote_coupled_body *body = mote_coupled_touched(job->fluid, k);
    body_reach r = {job, body};
    double total;
    mote_parallel_sum(1, body->end - body->first, 1, reach_rows, &r, &total);
    for (size_t b = body->first; b < body->end; ++b) job->reach[b] *= (float)total;
  }
}

// reach = sum of the bounds over the particles that are neighbours of a sample.
static void reach_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const coupled_job *job = data;
  const mote_wall_pairs *w = job->walls;
  for (size_t b = begin; b < end; ++b) {
    float gradients = strength(&w->particle_neighbours, w->particle_neighbour_value, b, job->one, job->none);
    float values = strength(&w->particle_neighbours, w->particle_neighbour_value, b, job->none, job->one);
    job->reach[b] = fabsf(w->weight[b]) * gradients + w->share[b] * size_of(w, b) * values;
  }
}

static void matrix_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const coupled_job *job = data;
  const mote_wall_pairs *w = job->walls;
  for (size_t n = begin; n < end; ++n) {
    size_t i = w->index[n];
    float bound = strength(&w->sample_neighbours, w->sample_neighbour_value, n, job->reach, job->size);
    job->sum[i] += job->factor * job->fluid->volume[i] * bound;
  }
}

static mote_result take_bounds(coupled_job *job, mote_error *error) {
  mote_arena *arena = job->fluid->scratch;
  size_t rows = job->walls->samples, n = job->fluid->count;
  MOTE_TAKE(job->reach, arena, rows + 1, error);
  MOTE_TAKE(job->size, arena, rows + 1, error);
  MOTE_TAKE(job->one, arena, n + 1, error);
  MOTE_TAKE(job->none, arena, n + 1, error);
  for (size_t i = 0; i <= n; ++i) job->one[i] = i < n ? 1.0f : 0.0f, job->none[i] = 0.0f;
  job->reach[rows] = job->size[rows] = 0.0f;
  return MOTE_OK;
}

mote_result mote_coupled_solve_matrix(const mote_coupled_solve *solve, mote_fluid *fluid, float *matrix,
                                      mote_error *error) {
  MOTE_ASSERT(!solve->any || matrix != NULL);
  if (!solve->any) return MOTE_OK;
  coupled_job job = make_job(solve, fluid);
  const mote_wall_pairs *w = job.walls;
  size_t rows = w->samples;
  int threads = fluid->env.threads;
  mote_arena_mark mark = mote_arena_here(fluid->scratch);
  job.sum = matrix, job.factor = (float)(1.0 / fluid->spectrum.largest);
  MOTE_TRY(take_bounds(&job, error));
  mote_parallel_for(threads, rows, MOTE_FLUID_GRAIN, reach_chunk, &job);
  mote_parallel_for(threads, fluid->touched_count, mote_coupled_grain(fluid), total_chunk, &job);
  size_t next = 0;  // samples of no body do not move in the solve
  for (size_t k = 0; k <= fluid->touched_count; ++k) {
    size_t first = k < fluid->touched_count ? mote_coupled_touched(fluid, k)->first : rows;
    for (; next < first; ++next) job.reach[next] = 0.0f;
    if (k < fluid->touched_count) next = mote_coupled_touched(fluid, k)->end;
  }
  for (size_t b = 0; b < rows; ++b) {
    job.size[b] = job.reach[b] * w->share[b] * size_of(w, b);
    job.reach[b] *= fabsf(w->weight[b]);
  }
  mote_parallel_for(threads, w->sample_neighbours.rows, MOTE_FLUID_GRAIN, matrix_chunk, &job);
  mote_arena_release(fluid->scratch, mark);
  return MOTE_OK;
}
