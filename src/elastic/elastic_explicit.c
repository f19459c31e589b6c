// Explicit steps and plastic flow of an elastic body: see elastic_explicit.h.
#include "elastic/elastic_explicit.h"

#include <math.h>
#include <mote/numeric.h>

#include "base/parallel.h"
#include "elastic/elastic_external.h"
#include "geom/triple.h"

typedef struct step_loop {
  mote_elastic *body;
  size_t first;  // its first particle in the arrays
  const double *mass;
  const mote_elastic_motion *motion;
  const double *acceleration, *force;
  double dt;
  const mote_plastic_law *law;
  double *strain;
} step_loop;

static void drift_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const step_loop *s = data;
  for (size_t k = 3 * (s->first + begin); k < 3 * (s->first + end); ++k) {
    s->motion->position[k] += 0.5 * s->dt * s->motion->velocity[k];
  }
}

static void kick_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const step_loop *s = data;
  for (size_t i = s->first + begin; i < s->first + end; ++i) {
    if (s->motion->held != NULL && s->motion->held[i]) continue;
    double *v = s->motion->velocity + 3 * i;
    step3(v, s->dt / s->mass[i], s->force + 3 * i, v);
    if (s->acceleration != NULL) step3(v, s->dt, s->acceleration + 3 * i, v);
  }
}

static void for_bodies(const mote_elastic_group *group, mote_task *run, step_loop *s) {
  for (size_t k = 0; k < group->bodies; ++k) {
    s->first = group->start[k];
    mote_parallel_for(group->threads, group->body[k]->count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, run, s);
  }
}

void mote_elastic_explicit_steps(const mote_elastic_group *group, const mote_elastic_motion *motion,
                                 const double *acceleration, double dt, double *force) {
  MOTE_ASSERT(dt > 0.0 && force != NULL);
  MOTE_ASSERT(motion->position != NULL && motion->velocity != NULL);
  MOTE_ASSERT(group->bodies > 0);
  step_loop s = {
      .mass = group->mass, .motion = motion, .acceleration = acceleration, .force = force, .dt = dt};
  const mote_elastic_external *external = motion->external;
  for_bodies(group, drift_chunk, &s);
  if (external != NULL) external->drift(external->user, 0.5 * dt);
  mote_elastic_group_forces(group, motion, force);
  const mote_elastic_kick kick = {.x = motion->position,
                                  .v = motion->velocity,
                                  .acceleration = acceleration,
                                  .held = motion->held,
                                  .dt = dt,
                                  .force = force};
  if (external != NULL) external->kick(external->user, &kick);
  for_bodies(group, kick_chunk, &s);
  for_bodies(group, drift_chunk, &s);
  if (external != NULL) external->drift(external->user, 0.5 * dt);
}

void mote_elastic_explicit_step(mote_elastic *body, const mote_elastic_motion *motion,
                                const double *acceleration, double dt, double *force) {
  MOTE_ASSERT(dt > 0.0 && force != NULL);
  MOTE_ASSERT(motion->position != NULL && motion->velocity != NULL);
  size_t start[2] = {0, body->count};
  mote_elastic_group group = {.body = &body,
                              .start = start,
                              .bodies = 1,
                              .count = body->count,
                              .mass = body->mass,
                              .threads = body->env.threads};
  mote_elastic_explicit_steps(&group, motion, acceleration, dt, force);
}

static void strain_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const step_loop *s = data;
  for (size_t i = begin; i < end; ++i) {
    double g[9];
    mote_elastic_gradient(s->body, s->body->fit, i, g);
    mote_elastic_strain(g, s->strain + 6 * i);
  }
}

void mote_elastic_strains(mote_elastic *body, const double *position, double *strain) {
  MOTE_ASSERT(position != NULL && strain != NULL);
  step_loop s = {.body = body, .strain = strain};
  mote_elastic_fit(body, position, true, body->fit);
  mote_parallel_for(body->env.threads, body->count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, strain_chunk, &s);
}

// Growth of the stiffness with the stretch of Fe; plastic flow shortens lengths, which also raises
// frequencies.
static double stretch_of(const mote_green_part *part, const double g[9]) {
  static const int at[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
  double elastic[9], e[6], E[9], value[3], Q[9], shorter = 1.0;
  mote_green_part_within(part, g, elastic);
  mote_elastic_strain(elastic, e);
  if (part->flowed) {
    for (int k = 0; k < 9; ++k) E[k] = part->plastic[at[k]];
    if (!mote_eigen3(E, value, Q)) return HUGE_VAL;
    shorter = max2(1.0 - value[2], 1.0);
  }
  for (int k = 0; k < 9; ++k) E[k] = e[at[k]];
  return mote_eigen3(E, value, Q) ? sqrt((1.0 + 2.0 * value[0]) * shorter) : HUGE_VAL;
}

double mote_elastic_stretch(mote_elastic *body, const mote_elastic_motion *motion) {
  MOTE_ASSERT(motion->position != NULL);
  double most = 1.0;
  mote_elastic_fit(body, motion->position, true, body->fit);
  for (size_t i = 0; i < body->count; ++i) {
    double g[9];
    mote_green_part part =
        mote_green_part_make(&body->law, motion->plastic == NULL ? NULL : motion->plastic + 6 * i);
    mote_elastic_gradient(body, body->fit, i, g);
    double stretch = stretch_of(&part, g);
    if (!(stretch <= most)) most = stretch;
  }
  return most;
}

static void flow_chunk(void *data, size_t begin, size_t end, size_t *flowed) {
  const step_loop *s = data;
  for (size_t i = begin; i < end; ++i) {
    double g[9];
    mote_elastic_gradient(s->body, s->body->fit, i, g);
    flowed[0] += mote_plastic_flow(s->law, g, s->dt, s->motion->plastic + 6 * i);
  }
}

size_t mote_elastic_flow(mote_elastic *body, const mote_plastic_law *law, const mote_elastic_motion *motion,
                         double dt) {
  MOTE_ASSERT(dt >= 0.0 && law != NULL);
  MOTE_ASSERT(motion->position != NULL && motion->plastic != NULL);
  step_loop s = {.body = body, .motion = motion, .dt = dt, .law = law};
  size_t flowed;
  mote_elastic_fit(body, motion->position, true, body->fit);
  mote_parallel_count(body->env.threads, body->count, 1, flow_chunk, &s, &flowed);
  return flowed;
}
