// Rigid bodies in a fluid: see coupled_body.h.
#include "fluid/coupled_body.h"

#include "base/bisect.h"
#include "base/parallel.h"
#include "geom/triple.h"

// --- Rows ---

mote_result mote_coupled_prepare(mote_fluid *fluid, mote_error *error) {
  MOTE_ASSERT(fluid->coupled != NULL || fluid->coupled_count == 0);
  const mote_wall_pairs *w = mote_coupled_walls(fluid);
  fluid->touched_count = 0;
  if (fluid->coupled_count == 0) return MOTE_OK;
  MOTE_TAKE(fluid->touched, fluid->scratch, fluid->coupled_count, error);
  for (size_t k = 0; k < fluid->coupled_count; ++k) {
    mote_coupled_body *body = &fluid->coupled[k];
    body->first = mote_bisect(w->sample, w->samples, body->samples.first);
    body->end = mote_bisect(w->sample, w->samples, body->samples.first + body->samples.count);
    if (body->first < body->end) fluid->touched[fluid->touched_count++] = (uint32_t)k;
  }
  return MOTE_OK;
}

// --- Impulses ---

double mote_coupled_speed(const mote_coupled_body *body) {
  MOTE_ASSERT(body->radius >= 0.0);
  return length3(body->velocity) + length3(body->spin) * body->radius;
}

void mote_coupled_add_impulse(mote_coupled_body *body, const double impulse[3], const double twist[3]) {
  MOTE_ASSERT(body->inverse_mass >= 0.0);
  double turn[3];
  step3(body->impulse, 1.0, impulse, body->impulse);
  step3(body->velocity, body->inverse_mass, impulse, body->velocity);
  if (body->radius == 0.0) return;
  turn3(body->inverse_inertia, twist, turn);
  step3(body->twist, 1.0, twist, body->twist);
  step3(body->spin, 1.0, turn, body->spin);
}

typedef struct sum_job {
  const mote_wall_pairs *walls;
  const mote_coupled_body *body;
  const float *force;
} sum_job;

// Force and torque.
static void sum_rows(void *data, size_t begin, size_t end, double *term) {
  const sum_job *job = data;
  for (size_t n = begin; n < end; ++n, term += MOTE_SUM_ROW(6)) {
    size_t b = job->body->first + n;
    double arm[3];
    for (size_t a = 0; a < 3; ++a) term[a] = (double)job->force[3 * b + a];
    if (job->body->radius == 0.0) continue;
    sub3(job->walls->position + 3 * b, job->body->x, arm);
    cross3(arm, term, term + 3);
  }
}

void mote_coupled_sum_forces(const mote_fluid *fluid, const mote_coupled_body *body, const float *force,
                             double F[3], double torque[3]) {
  MOTE_ASSERT(body->first <= body->end && body->end <= mote_coupled_walls(fluid)->samples);
  MOTE_ASSERT(force != NULL);
  sum_job job = {mote_coupled_walls(fluid), body, force};
  double sum[6];
  mote_parallel_sum(1, body->end - body->first, 6, sum_rows, &job, sum);
  copy3(sum, F);
  copy3(sum + 3, torque);
}

typedef struct apply_job {
  mote_fluid *fluid;
  const float *force;
  double dt;
} apply_job;

static void apply_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const apply_job *job = data;
  for (size_t k = begin; k < end; ++k) {
    mote_coupled_body *body = mote_coupled_touched(job->fluid, k);
    double F[3], torque[3];
    mote_coupled_sum_forces(job->fluid, body, job->force, F, torque);
    for (int a = 0; a < 3; ++a) F[a] *= job->dt, torque[a] *= job->dt;
    mote_coupled_add_impulse(body, F, torque);
  }
}

void mote_coupled_apply_forces(mote_fluid *fluid, const float *force, double dt) {
  MOTE_ASSERT(dt >= 0.0);
  MOTE_ASSERT(force != NULL || fluid->coupled_count == 0);
  apply_job job = {fluid, force, dt};
  mote_parallel_for(fluid->env.threads, fluid->touched_count, mote_coupled_grain(fluid), apply_chunk, &job);
}

void mote_coupled_accelerate(mote_fluid *fluid, double dt) {
  MOTE_ASSERT(dt >= 0.0);
  for (size_t k = 0; k < fluid->touched_count; ++k) {
    mote_coupled_body *body = mote_coupled_touched(fluid, k);
    double impulse[3], twist[3];
    for (int a = 0; a < 3; ++a) impulse[a] = dt * body->force[a], twist[a] = dt * body->torque[a];
    mote_coupled_add_impulse(body, impulse, twist);
  }
}

// --- Forces by pressures ---

typedef struct force_job {
  const mote_fluid *fluid;
  const mote_wall_pairs *walls;
  const mote_coupled_pressure *pressure;
  float *force;
} force_job;

// f_b = -[w_b sum_j V_j P_j grad W_bj + V_b P_b sum_j V_j grad W_bj].
static void force_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const force_job *job = data;
  const mote_wall_pairs *w = job->walls;
  const mote_coupled_pressure *p = job->pressure;
  for (size_t b = begin; b < end; ++b) {
    float sum[3], own[3], *f = job->force + 3 * b;
    const float *gradient = w->gradient + 3 * b;
    mote_pair_set_gradient_sum(&w->particle_neighbours, b, p->pressure_volume, sum);
    if (p->volume != NULL) {
      mote_pair_set_gradient_sum(&w->particle_neighbours, b, p->volume, own);
      gradient = own;
    }
    for (int a = 0; a < 3; ++a) f[a] = -(p->weight[b] * sum[a] + p->wall_pressure_volume[b] * gradient[a]);
  }
}

void mote_wall_forces(const mote_fluid *fluid, const mote_wall_pairs *walls,
                      const mote_coupled_pressure *pressure, float *force) {
  MOTE_ASSERT(pressure->pressure_volume != NULL && pressure->wall_pressure_volume != NULL);
  MOTE_ASSERT(force != NULL);
  force_job job = {fluid, walls, pressure, force};
  mote_parallel_for(fluid->env.threads, walls->samples, MOTE_FLUID_GRAIN, force_chunk, &job);
}

void mote_coupled_forces(const mote_fluid *fluid, const mote_coupled_pressure *pressure, float *force) {
  mote_wall_forces(fluid, mote_coupled_walls(fluid), pressure, force);
}

static mote_result take_forces(const mote_fluid *fluid, float **force, mote_error *error) {
  size_t rows = mote_coupled_walls(fluid)->samples;
  MOTE_TAKE(*force, fluid->scratch, 3 * rows, error);
  return MOTE_OK;
}

mote_result mote_coupled_apply_pressure(mote_fluid *fluid, const mote_coupled_pressure *pressure, double dt,
                                        mote_error *error) {
  MOTE_ASSERT(dt >= 0.0);
  float *force;
  if (fluid->coupled_count == 0) return MOTE_OK;
  mote_arena_mark mark = mote_arena_here(fluid->scratch);
  MOTE_TRY(take_forces(fluid, &force, error));
  mote_coupled_forces(fluid, pressure, force);
  mote_coupled_apply_forces(fluid, force, dt);
  mote_arena_release(fluid->scratch, mark);
  return MOTE_OK;
}

// --- Friction ---

// c h_ib / h_i, with the wall plane of the particle and x = x_b - x_i.
static inline float friction_weight(const mote_fluid *fluid, const float wall_plane[4], float gradient_factor,
                                    float x, float y, float z) {
  if (!(wall_plane[3] > 0.0f)) return 0.0f;
  float height = x * wall_plane[0] + y * wall_plane[1] + z * wall_plane[2];
  mote_wall_friction_law law = mote_wall_friction_law_of(fluid);
  float factor = gradient_factor * mote_wall_friction_factor(&law, height, x * x + y * y + z * z);
  return height > wall_plane[3] ? factor * (height / wall_plane[3]) : factor;
}

mote_lane mote_coupled_friction_of_sample(const mote_fluid *fluid, size_t b, const uint32_t *index) {
  MOTE_ASSERT(b <= mote_coupled_walls(fluid)->samples && index != NULL);
  const mote_wall_pairs *w = mote_coupled_walls(fluid);
  mote_pairs p = mote_pairs_load(&fluid->pairs.scale, &w->fixed_position[b], fluid->fixed_position, index);
  mote_lane gradient_factor = mote_pairs_gradient_factor(&fluid->pairs.scale, &p),
            weight = mote_lane_splat(0.0f);
  for (int k = 0; k < MOTE_LANES; ++k) {
    if (index[k] >= fluid->count) continue;
    weight[k] = friction_weight(fluid, w->wall_plane + 4 * (size_t)index[k], gradient_factor[k], p.x[0][k],
                                p.x[1][k], p.x[2][k]);
  }
  return w->friction[b] * w->volume[b] * weight;
}

mote_lane mote_coupled_friction_of_particle(const mote_fluid *fluid, size_t i, const uint32_t *index) {
  MOTE_ASSERT(i <= fluid->count && index != NULL);
  const mote_wall_pairs *w = mote_coupled_walls(fluid);
  mote_pairs p = mote_pairs_load(&fluid->pairs.scale, &fluid->fixed_position[i], w->fixed_position, index);
  mote_lane gradient_factor = mote_pairs_gradient_factor(&fluid->pairs.scale, &p),
            weight = mote_lane_splat(0.0f);
  for (int k = 0; k < MOTE_LANES; ++k) {
    if (index[k] >= w->samples) continue;
    float by =
        friction_weight(fluid, w->wall_plane + 4 * i, gradient_factor[k], -p.x[0][k], -p.x[1][k], -p.x[2][k]);
    weight[k] = w->friction[index[k]] * w->volume[index[k]] * by;
  }
  return weight;
}

// f_b = -2 sum_i mu_i V_i w_ib (v_i - v_b): opposite to the friction of wall_friction_sum in viscosity.c.
static void friction_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const force_job *job = data;
  const mote_fluid *f = job->fluid;
  const mote_wall_pairs *w = job->walls;
  for (size_t b = begin; b < end; ++b) {
    const float *v = w->posed + 3 * b;
    mote_lane sum[3] = {mote_lane_splat(0.0f), mote_lane_splat(0.0f), mote_lane_splat(0.0f)};
    for (size_t g = w->particle_neighbours.first[b], last = g + w->particle_neighbours.number[b]; g < last;
         ++g) {
      const uint32_t *index = w->particle_neighbours.group[g].index;
      mote_lane weight = mote_coupled_friction_of_sample(f, b, index);
      for (int k = 0; k < MOTE_LANES; ++k) {
        size_t i = index[k] < f->count ? index[k] : 0;  // the dummy has no weight
        float by = 2.0f * f->viscosity[i] * f->volume[i] * weight[k];
        for (int a = 0; a < 3; ++a) sum[a][k] += by * (f->velocity[3 * i + (size_t)a] - v[a]);
      }
    }
    for (int a = 0; a < 3; ++a) job->force[3 * b + (size_t)a] = -mote_lane_sum(sum[a]);
  }
}

mote_result mote_coupled_friction(mote_fluid *fluid, bool any, mote_error *error) {
  MOTE_ASSERT(fluid->coupled != NULL || fluid->coupled_count == 0);
  force_job job = {.fluid = fluid, .walls = mote_coupled_walls(fluid)};
  for (size_t k = 0; k < fluid->coupled_count; ++k) {
    set3(0.0, 0.0, 0.0, fluid->coupled[k].force);
    set3(0.0, 0.0, 0.0, fluid->coupled[k].torque);
  }
  if (fluid->coupled_count == 0 || !any || job.walls->wall_plane == NULL) return MOTE_OK;
  mote_arena_mark mark = mote_arena_here(fluid->scratch);
  MOTE_TRY(take_forces(fluid, &job.force, error));
  mote_parallel_for(fluid->env.threads, job.walls->samples, MOTE_FLUID_GRAIN, friction_chunk, &job);
  for (size_t k = 0; k < fluid->touched_count; ++k) {
    mote_coupled_body *body = mote_coupled_touched(fluid, k);
    mote_coupled_sum_forces(fluid, body, job.force, body->force, body->torque);
  }
  mote_arena_release(fluid->scratch, mark);
  return MOTE_OK;
}

// --- Velocities of samples ---

typedef struct flow_job {
  mote_fluid *fluid;
  mote_wall_pairs *walls;
  mote_flow *flow;  // w_b v_b of each row; one more, the dummy's
} flow_job;

static void velocity_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const flow_job *job = data;
  mote_wall_pairs *w = job->walls;
  for (size_t k = begin; k < end; ++k) {
    const mote_coupled_body *body = mote_coupled_touched(job->fluid, k);
    for (size_t b = body->first; b < body->end; ++b) {
      double arm[3], turn[3];
      sub3(w->position + 3 * b, body->x, arm);
      cross3(body->spin, arm, turn);
      for (size_t a = 0; a < 3; ++a) w->velocity[3 * b + a] = (float)(body->velocity[a] + turn[a]);
    }
  }
}

static void wall_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const flow_job *job = data;
  mote_wall_pairs *w = job->walls;
  for (size_t b = begin; b < end; ++b) {
    w->flow[b] = 0.0f;
    for (size_t a = 0; a < 3; ++a) {
      w->flow[b] += w->velocity[3 * b + a] * w->gradient[3 * b + a];
      job->flow[b].u[a] = w->weight[b] * w->velocity[3 * b + a];
    }
    job->flow[b].zero = 0.0f;
  }
}

static void particle_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const flow_job *job = data;
  const mote_wall_pairs *w = job->walls;
  for (size_t n = begin; n < end; ++n) {
    job->fluid->wall_flow[w->index[n]] = mote_pair_set_flow(&w->sample_neighbours, n, job->flow);
  }
}

void mote_coupled_flow_by(mote_fluid *fluid, mote_flow *flow) {
  MOTE_ASSERT(flow != NULL);
  flow_job job = {fluid, &fluid->walls[MOTE_BOUNDARY_PARTS - 1], flow};
  int threads = fluid->env.threads;
  flow[job.walls->samples] = (mote_flow){.zero = 0.0f};
  mote_parallel_for(threads, fluid->touched_count, mote_coupled_grain(fluid), velocity_chunk, &job);
  mote_parallel_for(threads, job.walls->samples, MOTE_FLUID_LIGHT_GRAIN, wall_chunk, &job);
  mote_parallel_for(threads, job.walls->sample_neighbours.rows, MOTE_FLUID_GRAIN, particle_chunk, &job);
}

mote_result mote_coupled_flow(mote_fluid *fluid, mote_error *error) {
  MOTE_ASSERT(fluid->scratch != NULL);
  size_t rows = mote_coupled_walls(fluid)->samples;
  if (fluid->coupled_count == 0 || rows == 0) return MOTE_OK;
  mote_arena_mark mark = mote_arena_here(fluid->scratch);
  MOTE_TAKE_NEW(mote_flow, flow, fluid->scratch, rows + 1, error);
  mote_coupled_flow_by(fluid, flow);
  mote_arena_release(fluid->scratch, mark);
  return MOTE_OK;
}
