// A world of only elastic bodies, rigid bodies and obstacles, for the tests of elastic contact.
#ifndef MOTE_ELASTIC_CONTACT_KIT_H
#define MOTE_ELASTIC_CONTACT_KIT_H

#include "../elastic/elastic_kit.h"
#include "contact/elastic_contact.h"
#include "contact/rigid.h"
#include "elastic/elastic_explicit.h"
#include "elastic/elastic_implicit.h"
#include "elastic/elastic_stiffness.h"

#define CONTACT_WORLD_MAX 8

typedef struct contact_world {
  elastic_kit kit[CONTACT_WORLD_MAX];
  double friction[CONTACT_WORLD_MAX], frequency;
  mote_elastic_frequency of[CONTACT_WORLD_MAX];
  size_t parts, count;
  mote_arena memory;
  mote_elastic_group group;
  mote_elastic_implicit *solver;  // null: explicit
  mote_elastic_report report;
  mote_elastic_contact *contact;
  double *x, *v, *acceleration, *force;
  mote_obstacle obstacle[CONTACT_WORLD_MAX];
  mote_shape *shape[CONTACT_WORLD_MAX];
  mote_rigid rigid[CONTACT_WORLD_MAX];
  double q[CONTACT_WORLD_MAX][4], L[CONTACT_WORLD_MAX][3];
  mote_contact_scene scene;
  double gravity[3];
  uint8_t *held;
  bool alone;  // no self-contact
  int substeps, newton, cg;
} contact_world;

static inline contact_world *contact_world_make(int dimensions, double dt, int threads) {
  contact_world *w = calloc(1, sizeof *w);
  mote_env env = mote_env_default();
  w->memory = mote_arena_make(&env);
  w->gravity[1] = -9.81;
  w->scene = (mote_contact_scene){.obstacle = w->obstacle,
                                  .dt = dt,
                                  .spacing = KIT_SPACING,
                                  .gravity = 9.81,
                                  .dimensions = dimensions,
                                  .threads = threads};
  return w;
}

static inline size_t contact_world_elastic(contact_world *w, mote_elastic_def def, int nx, int ny, int nz,
                                           double jitter, const double corner[3], double friction) {
  w->kit[w->parts] = kit_make(def, nx, ny, nz, jitter, corner);
  w->kit[w->parts].body->env.threads = w->scene.threads;
  w->friction[w->parts] = friction;
  return w->parts++;
}

static inline mote_obstacle *contact_world_obstacle(contact_world *w, const mote_shape_def *def) {
  size_t k = w->scene.obstacles++;
  CHECK(mote_shape_create(def, w->scene.dimensions, NULL, &w->shape[k], NULL) == MOTE_OK);
  w->obstacle[k] = (mote_obstacle){.shape = w->shape[k],
                                   .radius = HUGE_VAL,
                                   .friction = (double)NAN,
                                   .restitution = (double)NAN,
                                   .dt = w->scene.dt};
  for (int a = 0; a < 3; ++a) w->obstacle[k].pose.rotation[4 * a] = 1.0;
  return w->obstacle + k;
}

static inline void contact_world_place(contact_world *w, size_t k) {
  mote_rigid_inverse_inertia(&w->rigid[k], w->q[k], w->obstacle[k].inverse_inertia);
  w->obstacle[k].pose = mote_rigid_pose(&w->rigid[k], w->obstacle[k].x, w->q[k]);
}

// Bodies first.
static inline mote_obstacle *contact_world_rigid(contact_world *w, const mote_shape_def *def, double density,
                                                 double friction) {
  mote_obstacle *s = contact_world_obstacle(w, def);
  size_t k = w->scene.bodies++;
  mote_moments moments;
  CHECK(mote_shape_moments(w->shape[k], &moments, NULL) == MOTE_OK);
  w->rigid[k] = mote_rigid_free(&moments, density, w->scene.dimensions);
  w->q[k][0] = 1.0;
  copy3(moments.centre, s->x);
  s->inverse_mass = w->rigid[k].inverse_mass, s->friction = friction;
  s->radius = 10.0;
  contact_world_place(w, k);
  return s;
}

// A half space below the origin, tilted about z by `angle`.
static inline mote_shape_def contact_world_floor(double angle) {
  mote_shape_def def = mote_shape_def_default();
  def.kind = MOTE_SHAPE_HALF_SPACE;
  def.normal[0] = -mote_sin(angle), def.normal[1] = mote_cos(angle), def.normal[2] = 0.0;
  return def;
}

static inline void contact_world_prepare(contact_world *w, bool implicit) {
  mote_elastic *body[CONTACT_WORLD_MAX];
  mote_elastic_contact_part part[CONTACT_WORLD_MAX] = {0};
  mote_env env = mote_env_default();
  env.threads = w->scene.threads;
  for (size_t p = 0; p < w->parts; ++p) {
    body[p] = w->kit[p].body, w->count += w->kit[p].count;
    part[p] = (mote_elastic_contact_part){
        .body = body[p], .present = body[p], .rest = w->kit[p].rest, .friction = w->friction[p]};
    part[p].alone = w->alone;
    CHECK(mote_elastic_frequency_find(body[p], 60, &w->of[p], NULL) == MOTE_OK);
  }
  CHECK(mote_elastic_contact_create(part, w->parts, &env, &w->contact, NULL) == MOTE_OK);
  CHECK(mote_elastic_group_make(body, w->parts, &w->memory, &w->group, NULL) == MOTE_OK);
  mote_elastic_implicit_def def = mote_elastic_implicit_def_default();
  if (implicit) {
    CHECK(mote_elastic_implicit_create_group(&def, body, w->parts, &w->solver, NULL) == MOTE_OK);
  }
  w->held = calloc(w->count, 1);
  w->x = kit_array(3 * w->count), w->v = kit_array(3 * w->count);
  w->acceleration = kit_array(3 * w->count), w->force = kit_array(3 * w->count);
  for (size_t i = 0; i < w->count; ++i) copy3(w->gravity, w->acceleration + 3 * i);
  for (size_t p = 0; p < w->parts; ++p) {
    memcpy(w->x + 3 * w->group.start[p], w->kit[p].x, 3 * w->kit[p].count * sizeof(double));
  }
}

static inline void contact_world_free(contact_world *w) {
  mote_elastic_implicit_destroy(w->solver);
  mote_elastic_contact_destroy(w->contact);
  for (size_t p = 0; p < w->parts; ++p) kit_free(&w->kit[p]);
  for (size_t k = 0; k < w->scene.obstacles; ++k) mote_shape_destroy(w->shape[k]);
  free(w->x), free(w->v), free(w->acceleration), free(w->force), free(w->held);
  mote_arena_destroy(&w->memory);
  free(w);
}

static inline double contact_world_limit(const contact_world *w) {
  double limit = HUGE_VAL;
  for (size_t p = 0; p < w->parts; ++p)
    limit = min2(limit, mote_elastic_step_limit(w->kit[p].body, &w->of[p], 1.1));
  return 0.9 * limit;
}

static inline void contact_world_move(contact_world *w, mote_elastic_motion *motion) {
  double dt = w->scene.dt;
  if (w->solver != NULL) {
    mote_error error = {0};
    mote_result did = mote_elastic_implicit_step(w->solver, motion, w->acceleration, dt, &w->report, &error);
    if (!CHECK(did == MOTE_OK)) fprintf(stderr, "%s\n", error.text), exit(1);
    w->newton += w->report.newton, w->cg += w->report.cg;
    return;
  }
  int steps = 1 + (int)(dt / contact_world_limit(w));
  for (int s = 0; s < steps; ++s) {
    mote_elastic_explicit_steps(&w->group, motion, w->acceleration, dt / steps, w->force);
  }
  w->substeps += steps;
}

static inline void contact_world_step(contact_world *w) {
  double dt = w->scene.dt, fastest = 0.0;
  for (size_t k = 0; k < w->scene.bodies; ++k) {
    mote_rigid_add_gravity(&w->rigid[k], w->q[k], w->gravity, dt, w->obstacle[k].v, w->L[k]);
    mote_rigid_spin(&w->rigid[k], w->q[k], w->L[k], w->obstacle[k].w);
  }
  for (size_t i = 0; i < w->count; ++i) fastest = max2(fastest, length3(w->v + 3 * i));
  double travel = dt * (fastest + dt * length3(w->gravity)) + 0.02 * KIT_SPACING;
  copy3(w->gravity, w->contact->applied_gravity);
  CHECK(mote_elastic_contact_find(w->contact, &w->scene, w->x, travel, NULL) == MOTE_OK);
  mote_elastic_motion motion = {
      .position = w->x, .velocity = w->v, .external = &w->contact->external, .held = w->held};
  contact_world_move(w, &motion);
  CHECK(mote_elastic_contact_end(w->contact, NULL) == MOTE_OK);
  for (size_t m = 0; m < w->contact->movers; ++m) {
    const mote_elastic_contact_mover *mover = w->contact->mover + m;
    size_t k = mover->obstacle;
    step3(w->obstacle[k].v, w->obstacle[k].inverse_mass, mover->impulse, w->obstacle[k].v);
    mote_rigid_add_angular_impulse(&w->rigid[k], w->q[k], mover->twist, w->L[k]);
    step3(w->obstacle[k].x, 1.0, mover->shift, w->obstacle[k].x);
    mote_rigid_rotate(mover->turn, w->q[k]);
  }
  for (size_t k = 0; k < w->scene.obstacles; ++k) {
    mote_obstacle *s = w->obstacle + k;
    if (k < w->scene.bodies) {
      step3(s->x, dt, s->v, s->x);
      mote_rigid_turn(&w->rigid[k], w->L[k], dt, w->q[k]);
      contact_world_place(w, k);
    } else {
      step3(s->x, dt, s->v, s->x);
      step3(s->pose.move, dt, s->v, s->pose.move);
    }
  }
}

static inline double contact_world_speed(const contact_world *w) {
  double most = 0.0;
  for (size_t i = 0; i < w->count; ++i) most = max2(most, length3(w->v + 3 * i));
  return most;
}

static inline void contact_world_momentum(const contact_world *w, double sum[3]) {
  set3(0.0, 0.0, 0.0, sum);
  for (size_t i = 0; i < w->count; ++i) step3(sum, w->group.mass[i], w->v + 3 * i, sum);
  for (size_t k = 0; k < w->scene.bodies; ++k) step3(sum, w->rigid[k].mass, w->obstacle[k].v, sum);
}

#endif
