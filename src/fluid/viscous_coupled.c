// Bodies in the implicit viscosity: see viscous_coupled.h.
#include "fluid/viscous_coupled.h"

#include <string.h>

#include "base/parallel.h"
#include "geom/triple.h"

static void particle_weight_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mote_viscous_coupled *coupled = data;
  const mote_fluid *f = coupled->fluid;
  const mote_wall_pairs *w = mote_coupled_walls(f);
  const mote_pair_set *set = &w->sample_neighbours;
  for (size_t n = begin; n < end; ++n) {
    for (size_t g = set->first[n], last = g + set->number[n]; g < last; ++g)
      mote_lane_store(coupled->particle_weight + MOTE_LANES * g,
                      mote_coupled_friction_of_particle(f, w->index[n], set->group[g].index));
  }
}

static void sample_weight_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mote_viscous_coupled *coupled = data;
  const mote_fluid *f = coupled->fluid;
  const mote_pair_set *set = &mote_coupled_walls(f)->particle_neighbours;
  for (size_t b = begin; b < end; ++b) {
    for (size_t g = set->first[b], last = g + set->number[b]; g < last; ++g) {
      const uint32_t *index = set->group[g].index;
      mote_lane weight = mote_coupled_friction_of_sample(f, b, index), c;
      for (int k = 0; k < MOTE_LANES; ++k) {
        size_t i = index[k] < f->count ? index[k] : 0;  // the dummy has no weight
        c[k] = -2.0f * coupled->dt * f->viscosity[i] * f->volume[i] * weight[k];
      }
      mote_lane_store(coupled->c + MOTE_LANES * g, c);
    }
  }
}

// Weights of all pairs, which every iteration reads.
static mote_result make_weights(mote_viscous_coupled *coupled, mote_error *error) {
  const mote_fluid *f = coupled->fluid;
  const mote_wall_pairs *w = mote_coupled_walls(f);
  size_t one = MOTE_LANES * w->sample_neighbours.groups, other = MOTE_LANES * w->particle_neighbours.groups;
  mote_viscous_coupled job;
  MOTE_TAKE(coupled->particle_weight, f->scratch, one, error);
  MOTE_TAKE(coupled->c, f->scratch, other, error);
  job = *coupled;
  mote_parallel_for(f->env.threads, w->sample_neighbours.rows, MOTE_FLUID_GRAIN, particle_weight_chunk, &job);
  mote_parallel_for(f->env.threads, w->samples, MOTE_FLUID_GRAIN, sample_weight_chunk, &job);
  return MOTE_OK;
}

mote_result mote_viscous_coupled_take(mote_viscous_coupled *coupled, mote_fluid *fluid, double dt,
                                      mote_error *error) {
  MOTE_ASSERT(dt > 0.0);
  const mote_wall_pairs *w = mote_coupled_walls(fluid);
  size_t rows = w->samples;
  *coupled = (mote_viscous_coupled){
      .any = fluid->touched_count > 0 && w->wall_plane != NULL, .fluid = fluid, .dt = (float)dt};
  if (!coupled->any) return MOTE_OK;
  coupled->bodies = fluid->touched_count;
  mote_six **of[5] = {&coupled->r, &coupled->y, &coupled->p, &coupled->q, &coupled->x};
  for (int k = 0; k < 5; ++k) {
    MOTE_TAKE(*of[k], fluid->scratch, coupled->bodies, error);
    memset(*of[k], 0, coupled->bodies * sizeof(mote_six));
  }
  MOTE_TAKE(coupled->sample, fluid->scratch, MOTE_LANES * (rows + 1), error);
  MOTE_TAKE(coupled->body_friction, fluid->scratch, 3 * fluid->count, error);
  MOTE_TAKE(coupled->force, fluid->scratch, 3 * rows, error);
  // 0 where a sample belongs to no body
  memset(coupled->sample, 0, MOTE_LANES * (rows + 1) * sizeof(float));
  memset(coupled->body_friction, 0, 3 * fluid->count * sizeof(float));
  return make_weights(coupled, error);
}

// --- Between bodies, samples and particles ---

typedef struct body_job {
  const mote_viscous_coupled *coupled;
  const mote_six *of;
} body_job;

static void spread_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const body_job *job = data;
  const mote_viscous_coupled *coupled = job->coupled;
  const mote_wall_pairs *w = mote_coupled_walls(coupled->fluid);
  for (size_t n = begin; n < end; ++n) {
    const mote_coupled_body *body = mote_coupled_touched(coupled->fluid, n);
    for (size_t b = body->first; b < body->end; ++b) {
      double arm[3], turn[3];
      sub3(w->position + 3 * b, body->x, arm);
      cross3(job->of[n].turn, arm, turn);
      for (size_t a = 0; a < 3; ++a)
        coupled->sample[MOTE_LANES * b + a] = (float)(job->of[n].linear[a] + turn[a]);
    }
  }
}

// Writes the samples' velocities of those of bodies.
static void spread(const mote_viscous_coupled *coupled, const mote_six *of) {
  body_job job = {coupled, of};
  mote_parallel_for(coupled->fluid->env.threads, coupled->bodies, mote_coupled_grain(coupled->fluid),
                    spread_chunk, &job);
}

static void body_friction_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mote_viscous_coupled *coupled = data;
  const mote_fluid *f = coupled->fluid;
  const mote_wall_pairs *w = mote_coupled_walls(f);
  const mote_pair_set *set = &w->sample_neighbours;
  for (size_t n = begin; n < end; ++n) {
    size_t i = w->index[n];
    mote_lane sum = mote_lane_splat(0.0f);  // of x, y and z
    float by = -2.0f * coupled->dt * f->viscosity[i] * f->volume[i];
    for (size_t g = set->first[n], last = g + set->number[n]; g < last; ++g) {
      const uint32_t *index = set->group[g].index;
      const float *weight = coupled->particle_weight + MOTE_LANES * g;
      for (int k = 0; k < MOTE_LANES; ++k)
        sum += weight[k] * mote_lane_load(coupled->sample + MOTE_LANES * (size_t)index[k]);
    }
    for (int a = 0; a < 3; ++a) coupled->body_friction[3 * i + (size_t)a] = by * sum[a];
  }
}

static void find_body_friction(const mote_viscous_coupled *coupled) {
  mote_viscous_coupled job = *coupled;
  mote_parallel_for(coupled->fluid->env.threads, mote_coupled_walls(coupled->fluid)->sample_neighbours.rows,
                    MOTE_FLUID_GRAIN, body_friction_chunk, &job);
}

typedef struct sample_friction_job {
  const mote_viscous_coupled *coupled;
  const float *u;
  size_t stride;
} sample_friction_job;

// force = dt sum_i c_ib (u_b - u_i).
static void sample_friction_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const sample_friction_job *job = data;
  const mote_viscous_coupled *coupled = job->coupled;
  const mote_fluid *f = coupled->fluid;
  const mote_pair_set *set = &mote_coupled_walls(f)->particle_neighbours;
  for (size_t b = begin; b < end; ++b) {
    mote_lane sum = mote_lane_splat(0.0f), v = mote_lane_load(coupled->sample + MOTE_LANES * b);
    for (size_t g = set->first[b], last = g + set->number[b]; g < last; ++g) {
      const uint32_t *index = set->group[g].index;
      const float *c = coupled->c + MOTE_LANES * g;
      for (int k = 0; k < MOTE_LANES; ++k) {
        size_t i = index[k] < f->count ? index[k] : 0;
        sum += c[k] * (v - mote_lane_load(job->u + job->stride * i));
      }
    }
    for (int a = 0; a < 3; ++a) coupled->force[3 * b + (size_t)a] = sum[a];
  }
}

static void find_sample_friction(const mote_viscous_coupled *coupled, const float *u, size_t stride) {
  sample_friction_job job = {coupled, u, stride};
  mote_parallel_for(coupled->fluid->env.threads, mote_coupled_walls(coupled->fluid)->samples,
                    MOTE_FLUID_GRAIN, sample_friction_chunk, &job);
}

// --- Vectors of bodies ---

static mote_six over_mass(const mote_coupled_body *body, const mote_six *of) {
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

static double squares(const mote_viscous_coupled *coupled) {
  double sum = 0.0;
  for (size_t k = 0; k < coupled->bodies; ++k) {
    mote_six z = over_mass(mote_coupled_touched(coupled->fluid, k), &coupled->r[k]);
    sum += product(&coupled->r[k], &z);
  }
  return sum;
}

// --- The solve ---

double mote_viscous_coupled_start(const mote_viscous_coupled *coupled, const mote_pressures *pressures,
                                  const float *u, size_t stride) {
  MOTE_ASSERT(coupled->fluid != NULL && u != NULL);
  MOTE_ASSERT(stride >= MOTE_LANES);
  mote_fluid *f = coupled->fluid;
  const mote_wall_pairs *w = mote_coupled_walls(f);
  mote_coupled_pressure pressure = {
      pressures->pressure_volume, pressures->wall_pressure_volume[MOTE_BOUNDARY_PARTS - 1], NULL, w->weight};
  if (!coupled->any) return 0.0;
  mote_coupled_forces(f, &pressure, coupled->force);
  for (size_t k = 0; k < coupled->bodies; ++k) {
    const mote_coupled_body *body = mote_coupled_touched(coupled->fluid, k);
    mote_six pressure_force, gain;
    mote_coupled_sum_forces(f, body, coupled->force, pressure_force.linear, pressure_force.turn);
    gain = over_mass(body, &pressure_force);
    for (int a = 0; a < 3; ++a) {
      coupled->p[k].linear[a] = body->velocity[a] + (double)coupled->dt * gain.linear[a];
      coupled->p[k].turn[a] = body->spin[a] + (double)coupled->dt * gain.turn[a];
    }
  }
  spread(coupled, coupled->p);
  find_sample_friction(coupled, u, stride);
  for (size_t k = 0; k < coupled->bodies; ++k) {
    const mote_coupled_body *body = mote_coupled_touched(coupled->fluid, k);
    mote_coupled_sum_forces(f, body, coupled->force, coupled->r[k].linear, coupled->r[k].turn);
    for (int a = 0; a < 3; ++a) coupled->r[k].linear[a] *= -1.0, coupled->r[k].turn[a] *= -1.0;
    for (size_t b = body->first; b < body->end; ++b) {
      for (size_t a = 0; a < 3; ++a) coupled->sample[MOTE_LANES * b + a] -= w->posed[3 * b + a];
    }
  }
  find_body_friction(coupled);
  return squares(coupled);
}

void mote_viscous_coupled_turn(const mote_viscous_coupled *coupled, double beta) {
  MOTE_ASSERT(!coupled->any || coupled->fluid != NULL);
  for (size_t k = 0; k < coupled->bodies; ++k) {
    for (int a = 0; a < 3; ++a) {
      coupled->y[k].linear[a] = coupled->r[k].linear[a] + beta * coupled->y[k].linear[a];
      coupled->y[k].turn[a] = coupled->r[k].turn[a] + beta * coupled->y[k].turn[a];
    }
    coupled->p[k] = over_mass(mote_coupled_touched(coupled->fluid, k), &coupled->y[k]);
  }
  if (!coupled->any) return;
  spread(coupled, coupled->p);
  find_body_friction(coupled);
}

double mote_viscous_coupled_apply(const mote_viscous_coupled *coupled, const float *p, size_t stride) {
  MOTE_ASSERT(p != NULL && stride >= MOTE_LANES);
  double sum = 0.0;
  if (!coupled->any) return 0.0;
  find_sample_friction(coupled, p, stride);
  for (size_t k = 0; k < coupled->bodies; ++k) {
    mote_six *q = &coupled->q[k];
    mote_coupled_sum_forces(coupled->fluid, mote_coupled_touched(coupled->fluid, k), coupled->force,
                            q->linear, q->turn);
    add(q, 1.0, &coupled->y[k]);
    sum += product(&coupled->p[k], q);
  }
  return sum;
}

double mote_viscous_coupled_advance(const mote_viscous_coupled *coupled, double alpha) {
  MOTE_ASSERT(!coupled->any || coupled->fluid != NULL);
  for (size_t k = 0; k < coupled->bodies; ++k) {
    add(&coupled->x[k], alpha, &coupled->y[k]);
    add(&coupled->r[k], -alpha, &coupled->q[k]);
  }
  return coupled->any ? squares(coupled) : 0.0;
}

mote_result mote_viscous_coupled_end(const mote_viscous_coupled *coupled, mote_error *error) {
  MOTE_ASSERT(!coupled->any || coupled->fluid != NULL);
  if (!coupled->any) return MOTE_OK;
  for (size_t k = 0; k < coupled->bodies; ++k)
    mote_coupled_add_impulse(mote_coupled_touched(coupled->fluid, k), coupled->x[k].linear,
                             coupled->x[k].turn);
  return mote_coupled_flow(coupled->fluid, error);
}
