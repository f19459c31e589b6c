// Bodies in the implicit viscosity: see viscous_coupled.h.
#include "fluid/viscous_coupled.h"

#include <string.h>

#include "base/parallel.h"
#include "geom/triple.h"

mote_result mote_viscous_wet_take(mote_viscous_wet *wet, mote_fluid *fluid, double dt, mote_error *error) {
  const mote_wall_pairs *w = mote_wet_walls(fluid);
  size_t n = fluid->wets, rows = w->samples;
  *wet = (mote_viscous_wet){.any = n > 0 && rows > 0 && w->frame != NULL, .fluid = fluid, .dt = (float)dt};
  if (!wet->any) return MOTE_OK;
  mote_six **of[5] = {&wet->r, &wet->y, &wet->p, &wet->q, &wet->x};
  bool all = true;
  for (int k = 0; k < 5; ++k) {
    *of[k] = mote_arena_take(fluid->scratch, n, sizeof(mote_six));
    all = all && *of[k] != NULL;
    if (all) memset(*of[k], 0, n * sizeof(mote_six));
  }
  wet->sample = mote_arena_take(fluid->scratch, 3 * (rows + 1), sizeof(float));
  wet->pull = mote_arena_take(fluid->scratch, 3 * fluid->count, sizeof(float));
  wet->force = mote_arena_take(fluid->scratch, 3 * rows, sizeof(float));
  if (!all || !wet->sample || !wet->pull || !wet->force) return mote_fail_memory(error, 12 * fluid->count);
  memset(wet->sample, 0, 3 * (rows + 1) * sizeof(float));  // what is no body has none
  memset(wet->pull, 0, 3 * fluid->count * sizeof(float));
  return MOTE_OK;
}

// --- Between bodies, samples and particles ---

// Writes the samples' velocities of those of bodies.
static void spread(const mote_viscous_wet *wet, const mote_six *of) {
  const mote_wall_pairs *w = mote_wet_walls(wet->fluid);
  for (size_t k = 0; k < wet->fluid->wets; ++k) {
    const mote_wet_body *body = &wet->fluid->wet[k];
    for (size_t b = body->first; b < body->end; ++b) {
      double arm[3], turn[3];
      sub3(w->position + 3 * b, body->x, arm);
      cross3(of[k].turn, arm, turn);
      for (size_t a = 0; a < 3; ++a) wet->sample[3 * b + a] = (float)(of[k].linear[a] + turn[a]);
    }
  }
}

static void pull_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mote_viscous_wet *wet = data;
  const mote_fluid *f = wet->fluid;
  const mote_wall_pairs *w = mote_wet_walls(f);
  mote_pair_scale scale = mote_pair_scale_make(f);
  for (size_t n = begin; n < end; ++n) {
    size_t i = w->index[n];
    float sum[3] = {0.0f, 0.0f, 0.0f}, by = -2.0f * wet->dt * f->viscosity[i] * f->volume[i];
    for (size_t g = w->near.first[n], last = g + w->near.number[n]; g < last; ++g) {
      const uint32_t *index = w->near.group[g].index;
      mote_lane weight = mote_wet_drag_of_particle(f, &scale, i, index);
      for (int k = 0; k < MOTE_LANES; ++k) {
        for (int a = 0; a < 3; ++a) sum[a] += weight[k] * wet->sample[3 * index[k] + (size_t)a];
      }
    }
    for (int a = 0; a < 3; ++a) wet->pull[3 * i + (size_t)a] = by * sum[a];
  }
}

static void find_pull(const mote_viscous_wet *wet) {
  mote_viscous_wet job = *wet;
  mote_parallel_for(wet->fluid->env.threads, mote_wet_walls(wet->fluid)->near.rows, MOTE_FLUID_GRAIN,
                    pull_chunk, &job);
}

typedef struct drag_job {
  const mote_viscous_wet *wet;
  const float *u;
  size_t stride;
} drag_job;

// force = dt sum_i c_ib (u_b - u_i).
static void drag_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const drag_job *job = data;
  const mote_viscous_wet *wet = job->wet;
  const mote_fluid *f = wet->fluid;
  const mote_wall_pairs *w = mote_wet_walls(f);
  mote_pair_scale scale = mote_pair_scale_make(f);
  for (size_t b = begin; b < end; ++b) {
    float sum[3] = {0.0f, 0.0f, 0.0f};
    const float *v = wet->sample + 3 * b;
    for (size_t g = w->back.first[b], last = g + w->back.number[b]; g < last; ++g) {
      const uint32_t *index = w->back.group[g].index;
      mote_lane weight = mote_wet_drag_of_sample(f, &scale, b, index);
      for (int k = 0; k < MOTE_LANES; ++k) {
        size_t i = index[k] < f->count ? index[k] : 0;  // the dummy has no weight
        float c = -2.0f * wet->dt * f->viscosity[i] * f->volume[i] * weight[k];
        for (int a = 0; a < 3; ++a) sum[a] += c * (v[a] - job->u[job->stride * i + (size_t)a]);
      }
    }
    for (int a = 0; a < 3; ++a) wet->force[3 * b + (size_t)a] = sum[a];
  }
}

static void find_drag(const mote_viscous_wet *wet, const float *u, size_t stride) {
  drag_job job = {wet, u, stride};
  mote_parallel_for(wet->fluid->env.threads, mote_wet_walls(wet->fluid)->samples, MOTE_FLUID_GRAIN,
                    drag_chunk, &job);
}

// --- Vectors of bodies ---

static mote_six over_mass(const mote_wet_body *body, const mote_six *of) {
  mote_six out;
  for (int a = 0; a < 3; ++a) out.linear[a] = body->inverse_mass * of->linear[a];
  turn3(body->inverse_inertia, of->turn, out.turn);
  return out;
}

static double product(const mote_six *a, const mote_six *b) {
  return dot3(a->linear, b->linear) + dot3(a->turn, b->turn);
}

static void add(mote_six *to, double by, const mote_six *of) {
  step3(to->linear, by, of->linear, to->linear);
  step3(to->turn, by, of->turn, to->turn);
}

static double squares(const mote_viscous_wet *wet) {
  double sum = 0.0;
  for (size_t k = 0; k < wet->fluid->wets; ++k) {
    mote_six z = over_mass(&wet->fluid->wet[k], &wet->r[k]);
    sum += product(&wet->r[k], &z);
  }
  return sum;
}

// --- The solve ---

double mote_viscous_wet_start(const mote_viscous_wet *wet, const mote_pressures *pressures, const float *u,
                              size_t stride) {
  mote_fluid *f = wet->fluid;
  const mote_wall_pairs *w = mote_wet_walls(f);
  mote_wet_push push = {pressures->push, pressures->wall_push[MOTE_BOUNDARY_PARTS - 1], NULL, w->weight};
  if (!wet->any) return 0.0;
  mote_wet_forces(f, &push, wet->force);
  for (size_t k = 0; k < f->wets; ++k) {
    mote_wet_body *body = &f->wet[k];
    mote_six pressed, gain;
    mote_wet_sum(f, body, wet->force, pressed.linear, pressed.turn);
    gain = over_mass(body, &pressed);
    for (int a = 0; a < 3; ++a) {
      wet->p[k].linear[a] = body->velocity[a] + (double)wet->dt * gain.linear[a];
      wet->p[k].turn[a] = body->spin[a] + (double)wet->dt * gain.turn[a];
    }
  }
  spread(wet, wet->p);
  find_drag(wet, u, stride);
  for (size_t k = 0; k < f->wets; ++k) {
    mote_wet_sum(f, &f->wet[k], wet->force, wet->r[k].linear, wet->r[k].turn);
    for (int a = 0; a < 3; ++a) wet->r[k].linear[a] *= -1.0, wet->r[k].turn[a] *= -1.0;
    for (size_t b = f->wet[k].first; b < f->wet[k].end; ++b) {
      for (size_t a = 0; a < 3; ++a) wet->sample[3 * b + a] -= w->posed[3 * b + a];
    }
  }
  find_pull(wet);
  return squares(wet);
}

void mote_viscous_wet_turn(const mote_viscous_wet *wet, double beta) {
  for (size_t k = 0; wet->any && k < wet->fluid->wets; ++k) {
    for (int a = 0; a < 3; ++a) {
      wet->y[k].linear[a] = wet->r[k].linear[a] + beta * wet->y[k].linear[a];
      wet->y[k].turn[a] = wet->r[k].turn[a] + beta * wet->y[k].turn[a];
    }
    wet->p[k] = over_mass(&wet->fluid->wet[k], &wet->y[k]);
  }
  if (!wet->any) return;
  spread(wet, wet->p);
  find_pull(wet);
}

double mote_viscous_wet_apply(const mote_viscous_wet *wet, const float *p, size_t stride) {
  double sum = 0.0;
  if (!wet->any) return 0.0;
  find_drag(wet, p, stride);
  for (size_t k = 0; k < wet->fluid->wets; ++k) {
    mote_six *q = &wet->q[k];
    mote_wet_sum(wet->fluid, &wet->fluid->wet[k], wet->force, q->linear, q->turn);
    add(q, 1.0, &wet->y[k]);
    sum += product(&wet->p[k], q);
  }
  return sum;
}

double mote_viscous_wet_advance(const mote_viscous_wet *wet, double alpha) {
  for (size_t k = 0; wet->any && k < wet->fluid->wets; ++k) {
    add(&wet->x[k], alpha, &wet->y[k]);
    add(&wet->r[k], -alpha, &wet->q[k]);
  }
  return wet->any ? squares(wet) : 0.0;
}

mote_result mote_viscous_wet_end(const mote_viscous_wet *wet, mote_error *error) {
  if (!wet->any) return MOTE_OK;
  for (size_t k = 0; k < wet->fluid->wets; ++k) {
    mote_wet_hit(&wet->fluid->wet[k], wet->x[k].linear, wet->x[k].turn);
  }
  return mote_wet_flow(wet->fluid, error);
}
