// What stops foam in a run: see foam_obstacles.h.
#include "cli/foam/foam_obstacles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"

static bool add(foam_obstacles *o, const mote_shape_def *def, foam_obstacle what, const mote_env *env) {
  mote_error error;
  if (mote_shape_create(def, o->scene->world.dimensions, env, &what.shape, &error) != MOTE_OK)
    return complain_error(&error), false;
  o->one[o->count++] = what;
  return true;
}

bool foam_obstacles_open(foam_obstacles *o, const char *directory, const mote_scene *scene,
                         const mote_env *env) {
  *o = (foam_obstacles){.scene = scene, .directory = directory};
  if (!backdrop_open(&o->stage, scene, env) || !backdrop_read_commands(&o->stage, directory) ||
      !body_table_open(&o->table, directory))
    return false;
  o->one = calloc(scene->colliders + o->stage.bodies + 1, sizeof *o->one);
  if (o->one == NULL) return complain("out of memory for obstacles"), false;
  for (size_t k = 0; k < scene->colliders; ++k) {
    const mote_collider_def *def = &scene->collider[k];
    if (!add(o, &def->shape, (foam_obstacle){.collider = def}, env)) return false;
  }
  for (size_t k = 0; k < o->stage.bodies; ++k) {
    if (!add(o, &o->stage.body_def[k]->shape, (foam_obstacle){.body = k}, env)) return false;
  }
  return true;
}

void foam_obstacles_close(foam_obstacles *o) {
  for (size_t k = 0; k < o->count; ++k) mote_shape_destroy(o->one[k].shape);
  free(o->one);
  if (o->stage.mesh != NULL) backdrop_close(&o->stage);
  body_table_close(&o->table);
  *o = (foam_obstacles){0};
}

// --- Where they are ---

static const mote_pose at_home = {.rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};

static bool find_pose(const foam_obstacles *o, const foam_obstacle *one, double time, mote_pose *out,
                      bool *there) {
  const backdrop *stage = &o->stage;
  *out = at_home, *there = true;
  if (one->collider == NULL) {
    size_t k = backdrop_first_body(stage) + one->body;
    if (stage->mesh[k].pose != NULL) *out = *stage->mesh[k].pose;
    *there = stage->mesh[k].mesh.triangles > 0;
    return true;
  }
  mote_error error;
  if (mote_collider_def_pose_steered(one->collider, o->scene->world.dimensions, stage->command,
                                     stage->commands, time, &stage->env, out, there, &error) != MOTE_OK)
    return complain_error(&error), false;
  return true;
}

bool foam_obstacles_between(foam_obstacles *o, double from, double to) {
  APP_ASSERT(to > from);
  o->from = from, o->to = to;
  for (int end = 0; end < 2; ++end) {
    double time = end == 0 ? from : to;
    backdrop_set(&o->stage, time);
    if (!backdrop_read_bodies(&o->stage, &o->table, o->directory, time)) return false;
    for (size_t k = 0; k < o->count; ++k) {
      foam_obstacle *one = &o->one[k];
      bool there;
      if (!find_pose(o, one, time, end == 0 ? &one->from : &one->to, &there)) return false;
      one->there = there && (end == 0 || one->there);
    }
  }
  return true;
}

// --- Distances ---

// Into the frame of the definition: R^T (x - pivot - move) + pivot.
static void take_home(const mote_pose *p, const double x[3], double out[3]) {
  for (int k = 0; k < 3; ++k) {
    out[k] = p->pivot[k];
    for (int m = 0; m < 3; ++m) out[k] += p->rotation[3 * m + k] * (x[m] - p->pivot[m] - p->move[m]);
  }
}

// Between both ends of the interval; of a small turn the mean of the matrices is the turn but for its square.
static mote_pose pose_at(const foam_obstacle *one, double part) {
  mote_pose p = one->from;
  for (int k = 0; k < 9; ++k) p.rotation[k] += part * (one->to.rotation[k] - p.rotation[k]);
  for (int k = 0; k < 3; ++k) {
    p.move[k] += part * (one->to.move[k] - p.move[k]);
    p.pivot[k] += part * (one->to.pivot[k] - p.pivot[k]);
  }
  return p;
}

static double sides(const mote_world_def *world, const double x[3], double normal[3]) {
  double best = HUGE_VAL;
  for (int a = 0; a < world->dimensions; ++a) {
    for (int side = 0; side < 2; ++side) {
      double distance = side == 0 ? x[a] - world->low[a] : world->high[a] - x[a];
      if (world->side[a][side] == MOTE_SIDE_OPEN && distance < 0.0) return (double)NAN;
      if (world->side[a][side] != MOTE_SIDE_WALL || distance >= best) continue;
      best = distance;
      for (int k = 0; k < 3; ++k) normal[k] = k == a ? (side == 0 ? 1.0 : -1.0) : 0.0;
    }
  }
  return best;
}

double foam_obstacles_distance(void *user, const double x[3], double t, double normal[3],
                               double velocity[3]) {
  const foam_obstacles *o = user;
  double part = (t - o->from) / (o->to - o->from), best = sides(&o->scene->world, x, normal);
  for (int k = 0; k < 3; ++k) velocity[k] = 0.0;
  for (size_t k = 0; k < o->count && !isnan(best); ++k) {
    const foam_obstacle *one = &o->one[k];
    if (!one->there) continue;
    mote_pose pose = pose_at(one, part);
    double home[3], n[3], was[3], is[3];
    take_home(&pose, x, home);
    double distance = mote_shape_closest(one->shape, home, n);
    if (distance >= best) continue;
    best = distance;
    backdrop_place(&one->from, home, was), backdrop_place(&one->to, home, is);
    for (int m = 0; m < 3; ++m) {
      velocity[m] = (is[m] - was[m]) / (o->to - o->from);
      normal[m] =
          pose.rotation[3 * m] * n[0] + pose.rotation[3 * m + 1] * n[1] + pose.rotation[3 * m + 2] * n[2];
    }
  }
  return best;
}
