// Rigid bodies in a fluid: see coupled_body.h.
#include "fluid/coupled_body.h"

#include "base/parallel.h"
#include "geom/triple.h"

// --- Rows ---

// The first row whose sample is not below.
static size_t row_from(const mote_wall_pairs *w, size_t sample) {
  size_t low = 0, high = w->samples;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (w->sample[middle] < sample) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

void mote_wet_prepare(mote_fluid *fluid) {
  const mote_wall_pairs *w = mote_wet_walls(fluid);
  for (size_t k = 0; k < fluid->wets; ++k) {
    mote_wet_body *body = &fluid->wet[k];
    body->first = row_from(w, body->samples.first);
    body->end = row_from(w, body->samples.first + body->samples.count);
  }
}

// --- Impulses ---

double mote_wet_speed(const mote_wet_body *body) {
  return length3(body->velocity) + length3(body->spin) * body->radius;
}

void mote_wet_hit(mote_wet_body *body, const double impulse[3], const double twist[3]) {
  double turn[3];
  turn3(body->inverse_inertia, twist, turn);
  step3(body->impulse, 1.0, impulse, body->impulse);
  step3(body->twist, 1.0, twist, body->twist);
  step3(body->velocity, body->inverse_mass, impulse, body->velocity);
  step3(body->spin, 1.0, turn, body->spin);
}

void mote_wet_sum(const mote_fluid *fluid, const mote_wet_body *body, const float *force, double F[3],
                  double torque[3]) {
  const mote_wall_pairs *w = mote_wet_walls(fluid);
  set3(0.0, 0.0, 0.0, F);
  set3(0.0, 0.0, 0.0, torque);
  for (size_t b = body->first; b < body->end; ++b) {
    double arm[3], turn[3], f[3] = {(double)force[3 * b], (double)force[3 * b + 1], (double)force[3 * b + 2]};
    sub3(w->position + 3 * b, body->x, arm);
    cross3(arm, f, turn);
    step3(F, 1.0, f, F);
    step3(torque, 1.0, turn, torque);
  }
}

typedef struct give_job {
  mote_fluid *fluid;
  const float *force;
  double dt;
} give_job;

static void give_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const give_job *job = data;
  for (size_t k = begin; k < end; ++k) {
    mote_wet_body *body = &job->fluid->wet[k];
    double F[3], torque[3];
    mote_wet_sum(job->fluid, body, job->force, F, torque);
    for (int a = 0; a < 3; ++a) F[a] *= job->dt, torque[a] *= job->dt;
    mote_wet_hit(body, F, torque);
  }
}

void mote_wet_give(mote_fluid *fluid, const float *force, double dt) {
  give_job job = {fluid, force, dt};
  mote_parallel_for(fluid->env.threads, fluid->wets, mote_wet_grain(fluid), give_chunk, &job);
}

void mote_wet_accelerate(mote_fluid *fluid, double dt) {
  for (size_t k = 0; k < fluid->wets; ++k) {
    mote_wet_body *body = &fluid->wet[k];
    double impulse[3], twist[3];
    for (int a = 0; a < 3; ++a) impulse[a] = dt * body->force[a], twist[a] = dt * body->torque[a];
    mote_wet_hit(body, impulse, twist);
  }
}

// --- Forces by pressures ---

typedef struct force_job {
  const mote_fluid *fluid;
  const mote_wall_pairs *walls;
  const mote_wet_push *push;
  float *force;
} force_job;

// f_b = -[w_b sum_j V_j P_j grad W_bj + V_b P_b sum_j V_j grad W_bj].
static void force_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const force_job *job = data;
  const mote_wall_pairs *w = job->walls;
  const mote_wet_push *p = job->push;
  for (size_t b = begin; b < end; ++b) {
    float sum[3], own[3], *f = job->force + 3 * b;
    const float *gradient = w->gradient + 3 * b;
    mote_pair_set_push(&w->back, b, p->push, sum);
    if (p->volume != NULL) {
      mote_pair_set_push(&w->back, b, p->volume, own);
      gradient = own;
    }
    for (int a = 0; a < 3; ++a) f[a] = -(p->weight[b] * sum[a] + p->wall_push[b] * gradient[a]);
  }
}

void mote_wet_forces(const mote_fluid *fluid, const mote_wet_push *push, float *force) {
  force_job job = {fluid, mote_wet_walls(fluid), push, force};
  mote_parallel_for(fluid->env.threads, job.walls->samples, MOTE_FLUID_GRAIN, force_chunk, &job);
}

static mote_result take_forces(const mote_fluid *fluid, float **force, mote_error *error) {
  size_t rows = mote_wet_walls(fluid)->samples;
  *force = mote_arena_take(fluid->scratch, 3 * rows, sizeof **force);
  return *force != NULL ? MOTE_OK : mote_fail_memory(error, 3 * rows * sizeof **force);
}

mote_result mote_wet_press(mote_fluid *fluid, const mote_wet_push *push, double dt, mote_error *error) {
  float *force;
  if (fluid->wets == 0) return MOTE_OK;
  mote_arena_mark mark = mote_arena_here(fluid->scratch);
  MOTE_TRY(take_forces(fluid, &force, error));
  mote_wet_forces(fluid, push, force);
  mote_wet_give(fluid, force, dt);
  mote_arena_release(fluid->scratch, mark);
  return MOTE_OK;
}

// --- Friction ---

// c h_ib / h_i, with the frame of the particle and x = x_b - x_i.
static inline float drag_weight(const float frame[4], float pull, float x, float y, float z) {
  if (!(frame[3] > 0.0f)) return 0.0f;
  float height = x * frame[0] + y * frame[1] + z * frame[2];
  return height > frame[3] ? pull * (height / frame[3]) : pull;
}

mote_lane mote_wet_drag_of_sample(const mote_fluid *fluid, const mote_pair_scale *scale, size_t b,
                                  const uint32_t *index) {
  const mote_wall_pairs *w = mote_wet_walls(fluid);
  mote_pairs p = mote_pairs_load(scale, &w->place[b], fluid->place, index);
  mote_lane pull = mote_pairs_pull(scale, &p), weight = mote_lane_splat(0.0f);
  for (int k = 0; k < MOTE_LANES; ++k) {
    if (index[k] >= fluid->count) continue;
    weight[k] = drag_weight(w->frame + 4 * (size_t)index[k], pull[k], p.x[0][k], p.x[1][k], p.x[2][k]);
  }
  return w->friction[b] * w->volume[b] * weight;
}

mote_lane mote_wet_drag_of_particle(const mote_fluid *fluid, const mote_pair_scale *scale, size_t i,
                                    const uint32_t *index) {
  const mote_wall_pairs *w = mote_wet_walls(fluid);
  mote_pairs p = mote_pairs_load(scale, &fluid->place[i], w->place, index);
  mote_lane pull = mote_pairs_pull(scale, &p), weight = mote_lane_splat(0.0f);
  for (int k = 0; k < MOTE_LANES; ++k) {
    if (index[k] >= w->samples) continue;
    float by = drag_weight(w->frame + 4 * i, pull[k], -p.x[0][k], -p.x[1][k], -p.x[2][k]);
    weight[k] = w->friction[index[k]] * w->volume[index[k]] * by;
  }
  return weight;
}

// f_b = -2 sum_i mu_i V_i w_ib (v_i - v_b): the opposite of what viscosity.c takes of wall_drag.
static void friction_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const force_job *job = data;
  const mote_fluid *f = job->fluid;
  const mote_wall_pairs *w = job->walls;
  mote_pair_scale scale = mote_pair_scale_make(f);
  for (size_t b = begin; b < end; ++b) {
    const float *v = w->posed + 3 * b;
    mote_lane sum[3] = {mote_lane_splat(0.0f), mote_lane_splat(0.0f), mote_lane_splat(0.0f)};
    for (size_t g = w->back.first[b], last = g + w->back.number[b]; g < last; ++g) {
      const uint32_t *index = w->back.group[g].index;
      mote_lane weight = mote_wet_drag_of_sample(f, &scale, b, index);
      for (int k = 0; k < MOTE_LANES; ++k) {
        size_t i = index[k] < f->count ? index[k] : 0;  // the dummy has no weight
        float by = 2.0f * f->viscosity[i] * f->volume[i] * weight[k];
        for (int a = 0; a < 3; ++a) sum[a][k] += by * (f->velocity[3 * i + (size_t)a] - v[a]);
      }
    }
    for (int a = 0; a < 3; ++a) job->force[3 * b + (size_t)a] = -mote_lane_sum(sum[a]);
  }
}

mote_result mote_wet_friction(mote_fluid *fluid, bool any, mote_error *error) {
  force_job job = {.fluid = fluid, .walls = mote_wet_walls(fluid)};
  for (size_t k = 0; k < fluid->wets; ++k) {
    set3(0.0, 0.0, 0.0, fluid->wet[k].force);
    set3(0.0, 0.0, 0.0, fluid->wet[k].torque);
  }
  if (fluid->wets == 0 || !any || job.walls->frame == NULL) return MOTE_OK;
  mote_arena_mark mark = mote_arena_here(fluid->scratch);
  MOTE_TRY(take_forces(fluid, &job.force, error));
  mote_parallel_for(fluid->env.threads, job.walls->samples, MOTE_FLUID_GRAIN, friction_chunk, &job);
  for (size_t k = 0; k < fluid->wets; ++k) {
    mote_wet_sum(fluid, &fluid->wet[k], job.force, fluid->wet[k].force, fluid->wet[k].torque);
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
    const mote_wet_body *body = &job->fluid->wet[k];
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
    job->fluid->wall_flow[w->index[n]] = mote_pair_set_flow(&w->near, n, job->flow);
  }
}

void mote_wet_flow_by(mote_fluid *fluid, mote_flow *flow) {
  flow_job job = {fluid, &fluid->walls[MOTE_BOUNDARY_PARTS - 1], flow};
  int threads = fluid->env.threads;
  flow[job.walls->samples] = (mote_flow){.zero = 0.0f};
  mote_parallel_for(threads, fluid->wets, mote_wet_grain(fluid), velocity_chunk, &job);
  mote_parallel_for(threads, job.walls->samples, 4 * MOTE_FLUID_GRAIN, wall_chunk, &job);
  mote_parallel_for(threads, job.walls->near.rows, MOTE_FLUID_GRAIN, particle_chunk, &job);
}

mote_result mote_wet_flow(mote_fluid *fluid, mote_error *error) {
  size_t rows = mote_wet_walls(fluid)->samples;
  if (fluid->wets == 0 || rows == 0) return MOTE_OK;
  mote_arena_mark mark = mote_arena_here(fluid->scratch);
  mote_flow *flow = mote_arena_take(fluid->scratch, rows + 1, sizeof *flow);
  if (flow == NULL) return mote_fail_memory(error, rows * sizeof *flow);
  mote_wet_flow_by(fluid, flow);
  mote_arena_release(fluid->scratch, mark);
  return MOTE_OK;
}
