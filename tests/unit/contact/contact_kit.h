// A world of only rigid bodies and obstacles, for the tests of contact.
#ifndef MOTE_CONTACT_KIT_H
#define MOTE_CONTACT_KIT_H

#include <mote/mote.h>
#include <stdlib.h>

#include "contact/contact.h"
#include "contact/rigid.h"
#include "geom/quaternion.h"
#include "geom/triple.h"
#include "test.h"

#define KIT_MOST 12000

typedef struct kit_world {
  mote_env env;
  mote_arena scratch;
  mote_contact_finder *finder;
  mote_contact_set set;
  mote_contact_scene scene;
  mote_contact_report report;
  double gravity[3];
  mote_rigid body[KIT_MOST];
  double q[KIT_MOST][4], L[KIT_MOST][3];
  mote_obstacle obstacle[KIT_MOST];
  mote_shape *shape[KIT_MOST];
  mote_contact_samples contact_samples[KIT_MOST];
  double share[KIT_MOST];
} kit_world;

static inline kit_world *kit_make(double spacing, double dt, int threads) {
  kit_world *w = calloc(1, sizeof *w);
  w->env = mote_env_default();
  w->env.threads = threads;
  w->scratch = mote_arena_make(&w->env);
  CHECK(mote_contact_finder_create(&w->env, &w->finder, NULL) == MOTE_OK);
  w->gravity[1] = -9.81;
  w->scene = (mote_contact_scene){.obstacle = w->obstacle,
                                  .dt = dt,
                                  .spacing = spacing,
                                  .gravity = 9.81,
                                  .dimensions = 3,
                                  .threads = threads};
  return w;
}

static inline void kit_free(kit_world *w) {
  for (size_t k = 0; k < w->scene.obstacles; ++k) {
    mote_shape_destroy(w->shape[k]);
    mote_contact_samples_free(&w->contact_samples[k], &w->env);
  }
  mote_free(&w->env, w->set.contact, w->set.capacity, sizeof(mote_contact));
  mote_contact_finder_destroy(w->finder);
  mote_arena_destroy(&w->scratch);
  free(w);
}

static inline void kit_place(kit_world *w, size_t k) {
  mote_rigid_inverse_inertia(&w->body[k], w->q[k], w->obstacle[k].inverse_inertia);
  w->obstacle[k].pose = mote_rigid_pose(&w->body[k], w->obstacle[k].x, w->q[k]);
}

// The radius of a ball about x that holds all samples.
static inline double kit_skin_reach(const mote_contact_samples *contact_samples, const double x[3]) {
  double reach = 0.0;
  for (size_t k = 0; k < contact_samples->count; ++k) {
    const mote_contact_sample *sample = contact_samples->sample + k;
    reach = max2(reach, distance3(sample->centre, x) + sample->ring + sample->round);
  }
  return reach;
}

// Bodies first.
static inline size_t kit_body(kit_world *w, const mote_shape_def *def, double density, double friction,
                              double restitution) {
  size_t k = w->scene.obstacles++;
  mote_obstacle *s = &w->obstacle[k];
  mote_moments moments;
  ++w->scene.bodies;
  CHECK(mote_shape_create(def, w->scene.dimensions, &w->env, &w->shape[k], NULL) == MOTE_OK);
  CHECK(mote_shape_moments(w->shape[k], &moments, NULL) == MOTE_OK);
  CHECK(mote_shape_contact_samples(w->shape[k], w->scene.spacing, 0.1 * w->scene.spacing, 100000, &w->env,
                                   &w->contact_samples[k], NULL) == MOTE_OK);
  w->body[k] = mote_rigid_free(&moments, density, w->scene.dimensions);
  w->q[k][0] = 1.0;
  *s = (mote_obstacle){.shape = w->shape[k],
                       .contact_samples = &w->contact_samples[k],
                       .friction = friction,
                       .restitution = restitution,
                       .inverse_mass = w->body[k].inverse_mass,
                       .dt = w->scene.dt};
  copy3(moments.centre, s->x);
  s->radius = kit_skin_reach(&w->contact_samples[k], s->x) + 0.1 * w->scene.spacing;
  kit_place(w, k);
  return k;
}

static inline size_t kit_obstacle(kit_world *w, const mote_shape_def *def) {
  size_t k = w->scene.obstacles++;
  CHECK(mote_shape_create(def, w->scene.dimensions, &w->env, &w->shape[k], NULL) == MOTE_OK);
  w->obstacle[k] = (mote_obstacle){.shape = w->shape[k],
                                   .radius = HUGE_VAL,
                                   .friction = (double)NAN,
                                   .restitution = (double)NAN,
                                   .dt = w->scene.dt};
  for (int a = 0; a < 3; ++a) w->obstacle[k].pose.rotation[4 * a] = 1.0;
  return k;
}

// A half space below `height`, tilted about z by `angle`.
static inline mote_shape_def kit_floor(double height, double angle) {
  mote_shape_def def = mote_shape_def_default();
  def.kind = MOTE_SHAPE_HALF_SPACE;
  def.centre[1] = height;
  def.normal[0] = -mote_sin(angle), def.normal[1] = mote_cos(angle), def.normal[2] = 0.0;
  return def;
}

static inline void kit_turn(kit_world *w, size_t k, const double angle[3]) {
  mote_rigid_rotate(angle, w->q[k]);
  kit_place(w, k);
}

static inline void kit_step(kit_world *w) {
  mote_contact_scene *scene = &w->scene;
  double dt = scene->dt;
  for (size_t k = 0; k < scene->bodies; ++k) {
    mote_rigid_add_gravity(&w->body[k], w->q[k], w->gravity, dt, w->obstacle[k].v, w->L[k]);
    mote_rigid_spin(&w->body[k], w->q[k], w->L[k], w->obstacle[k].w);
    for (int a = 0; a < 3; ++a) w->obstacle[k].kick[a] = dt * w->gravity[a];
  }
  CHECK(mote_contact_step(w->finder, scene, &w->set, w->share, &w->scratch, &w->report, NULL) == MOTE_OK);
  for (size_t k = 0; k < scene->bodies; ++k) {
    mote_obstacle *s = &w->obstacle[k];
    double seconds = dt * w->share[k], correction[3];
    mote_rigid_momentum(&w->body[k], w->q[k], s->w, w->L[k]);
    step3(s->x, seconds, s->v, s->x);
    step3(s->x, dt, s->correction_velocity, s->x);
    mote_rigid_turn(&w->body[k], w->L[k], seconds, w->q[k]);
    for (int a = 0; a < 3; ++a) correction[a] = dt * s->correction_spin[a];
    mote_rigid_rotate_moving(correction, w->q[k], w->L[k]);
    kit_place(w, k);
  }
}

static inline double kit_energy(const kit_world *w) {
  double sum = 0.0;
  for (size_t k = 0; k < w->scene.bodies; ++k) {
    sum += mote_rigid_energy(&w->body[k], w->q[k], w->obstacle[k].v, w->L[k]);
    sum -= w->body[k].mass * dot3(w->gravity, w->obstacle[k].x);
  }
  return sum;
}

#endif
