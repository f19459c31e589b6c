// Elastic particles of a run: see elastic_positions.h.
#include "cli/files/elastic_positions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"
#include "cli/base/scene_kinds.h"
#include "cli/files/input_file.h"

const mote_material_def *elastic_material(const mote_scene *scene, const mote_body_def *body) {
  return body_is(scene, body, material_is_elastic) ? scene_material(scene, body->material) : NULL;
}

size_t elastic_body(const mote_scene *scene, const char *name) {
  size_t count = 0, found = SIZE_MAX;
  for (size_t b = 0; b < scene->bodies; ++b) {
    if (elastic_material(scene, &scene->body[b]) == NULL) continue;
    bool wanted = name == NULL || strcmp(name, scene->body[b].name) == 0;
    if (wanted && found != SIZE_MAX) return SIZE_MAX;
    if (wanted) found = count;
    ++count;
  }
  return found;
}

mote_world *elastic_world(const mote_scene *scene, const mote_env *env) {
  mote_scene alone = *scene;
  mote_world *world = NULL;
  mote_error error;
  mote_body_def *body = input_take(scene->bodies, sizeof *body);
  alone.body = body;
  alone.bodies = alone.emitters = alone.drains = alone.forces = alone.probes = 0;
  for (size_t b = 0; b < scene->bodies; ++b)
    if (elastic_material(scene, &scene->body[b]) != NULL) body[alone.bodies++] = scene->body[b];
  if (mote_world_create_scene(&alone, env, &world, &error) != MOTE_OK) complain_error(&error);
  free(body);
  return world;
}

// With any number of rows where `count` is SIZE_MAX.
static const mote_field_view *find_positions(const char *path, const mote_cloud *cloud, size_t count) {
  const mote_field_view *at = mote_cloud_find(cloud, "position");
  if (at == NULL || (count != SIZE_MAX && at->count != count) || at->components != 3) {
    complain("%s: does not match the scene's elastic bodies, which have %zu particles", path, count);
    return NULL;
  }
  for (size_t k = 0; k < 3 * at->count; ++k) {
    if (isfinite(input_value(at, k))) continue;
    complain("%s: the position of particle %zu is not finite", path, k / 3);
    return NULL;
  }
  return at;
}

double *elastic_positions(const char *path, const mote_world *world, const mote_env *env, mote_stamp *stamp) {
  input_particles input;
  size_t count = mote_world_elastic_particles(world);
  double *position = NULL;
  if (input_open(path, env, &input) != EXIT_DONE) return NULL;
  const mote_field_view *at = find_positions(path, &input.cloud, count);
  if (at != NULL) {
    position = input_take(3 * count, sizeof *position);
    for (size_t k = 0; k < 3 * count; ++k) position[k] = input_value(at, k);
  }
  if (stamp != NULL) *stamp = input.cloud.stamp;
  input_close(&input, env);
  return position;
}

// The number of an elastic body in the field "body".
static uint32_t label_of(const mote_scene *scene, size_t number) {
  APP_ASSERT(number < scene->bodies);
  size_t count = 0;
  for (size_t b = 0; b < scene->bodies; ++b)
    if (elastic_material(scene, &scene->body[b]) != NULL && count++ == number) return (uint32_t)(b + 1);
  return 0;
}

// Rows of the body among those that are left; null: there are others than `count`.
static double *take_body(const mote_field_view *at, const mote_field_view *body, uint32_t label,
                         size_t count) {
  APP_ASSERT(label != 0 && body->count == at->count);
  double *position = input_take(3 * count, sizeof *position);
  size_t found = 0;
  for (size_t i = 0; i < at->count; ++i) {
    if ((uint32_t)input_value(body, i) != label) continue;
    for (size_t a = 0; a < 3 && found < count; ++a) position[3 * found + a] = input_value(at, 3 * i + a);
    ++found;
  }
  if (found == count) return position;
  free(position);
  return NULL;
}

double *elastic_body_positions(const char *path, const mote_world *world, const mote_scene *scene,
                               size_t number, const mote_env *env, mote_stamp *stamp) {
  input_particles input;
  size_t first = 0, count = 0;
  double *position = NULL;
  (void)mote_world_elastic_body(world, number, &first, &count);
  if (input_open(path, env, &input) != EXIT_DONE) return NULL;
  const mote_field_view *body = mote_cloud_find(&input.cloud, "body");
  bool by_body = body != NULL && body->count != mote_world_elastic_particles(world);
  const mote_field_view *at =
      find_positions(path, &input.cloud, by_body ? SIZE_MAX : mote_world_elastic_particles(world));
  if (at != NULL && by_body) {
    position = take_body(at, body, label_of(scene, number), count);
    if (position == NULL) complain("%s: the body was removed, or particles of it are missing", path);
  } else if (at != NULL) {
    position = input_take(3 * count, sizeof *position);
    for (size_t k = 0; k < 3 * count; ++k) position[k] = input_value(at, 3 * first + k);
  }
  if (stamp != NULL) *stamp = input.cloud.stamp;
  input_close(&input, env);
  return position;
}
