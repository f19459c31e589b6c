// Keys and obstacles of a KEYS file: see animate_keys.h.
#include "cli/deform/animate_keys.h"

#include <math.h>
#include <mote/world.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"
#include "cli/bodies/backdrop.h"
#include "cli/deform/animate_snapshot.h"
#include "cli/files/input_file.h"

// --- Poses ---

static int fail_key(const deform_shape *s, size_t k, const char *member, const char *text) {
  mote_error error = {.code = MOTE_ERROR_ARGUMENT};
  snprintf(error.key, sizeof error.key, "keys[%zu].%s", k, member);
  snprintf(error.text, sizeof error.text, "%s", text);
  mote_scene_file_locate(s->file, &error);
  return complain_error(&error);
}

// The pose of a mesh file that has the same vertices.
static int fit_mesh(deform_shape *s, const mote_keyframe_def *key, size_t k) {
  mote_model *model = NULL;
  mote_error error = {0};
  char text[400];
  if (mote_model_read(key->mesh, &s->env, &model, &error) != MOTE_OK) {
    if (error.line > 0) return complain_error(&error);
    snprintf(text, sizeof text, "mesh \"%.200s\": %.160s", key->mesh, error.text);
    return fail_key(s, k, "mesh", text);
  }
  size_t rows = mote_model_mesh(model)->vertices, wanted = mote_model_mesh(s->model)->vertices;
  int status = EXIT_DONE;
  if (rows != wanted) {
    snprintf(text, sizeof text, "mesh \"%.200s\" has %zu vertices, %.100s %zu", key->mesh, rows,
             deform_shape_name(s), wanted);
    status = fail_key(s, k, "mesh", text);
  } else if (mote_deform_fit(s->deform, mote_model_mesh(model)->vertex, NULL, &error) != MOTE_OK) {
    status = deform_shape_error(s, &error);
  }
  mote_model_destroy(model);
  return status;
}

// The pose of a mesh that an elastic body carried.
static int fit_snapshot(deform_shape *s, const mote_keyframe_def *key, size_t k) {
  mote_error error = {0};
  char why[400], text[900];
  if (!animate_snapshot_read(s, key->snapshot, key->body, why)) {
    snprintf(text, sizeof text, "snapshot \"%.200s\": %s", key->snapshot, why);
    return fail_key(s, k, "snapshot", text);
  }
  if (mote_deform_fit(s->deform, s->moved, NULL, &error) == MOTE_OK) return EXIT_DONE;
  return deform_shape_error(s, &error);
}

// Nodes whose nearest vertex belongs to a handle of the key.
static uint8_t *mark_nodes(const deform_shape *s, const mote_keyframe_def *key) {
  APP_ASSERT(s->region != NULL);
  const mote_mesh *mesh = mote_model_mesh(s->model);
  size_t nodes = mote_deform_nodes(s->deform);
  const double *rest = mote_deform_rest(s->deform);
  uint8_t *held = input_take(nodes, 1), *inside = input_take(mesh->vertices, 1);
  for (size_t h = 0; h < s->edits->handles; ++h) {
    bool named = s->edits->handle[h].posed;
    for (size_t k = 0; k < key->handles; ++k)
      named = named || strcmp(key->handle[k].name, s->edits->handle[h].name) == 0;
    for (size_t k = 0; named && k < s->region[h].count; ++k) inside[s->region[h].row[k]] = 1;
  }
  for (size_t i = 0; i < nodes; ++i) {
    double least = (double)INFINITY;
    for (size_t v = 0; v < mesh->vertices; ++v) {
      double d = 0;
      for (size_t c = 0; c < 3; ++c) {
        double difference = mesh->vertex[3 * v + c] - rest[3 * i + c];
        d += difference * difference;
      }
      if (d < least) least = d, held[i] = inside[v];
    }
  }
  free(inside);
  return held;
}

static int add_key(deform_shape *s, const mote_keyframe_def *def, size_t k, deform_note_fn *note, void *user,
                   animate_keys *out) {
  size_t numbers = 3 * mote_deform_nodes(s->deform);
  deform_result result = {0};
  char where[64];
  int status = EXIT_DONE;
  if (def->mesh != NULL) {
    status = fit_mesh(s, def, k);
  } else if (def->snapshot != NULL) {
    status = fit_snapshot(s, def, k);
  } else if (def->handles > 0) {
    status = deform_shape_solve(s, def->handle, def->handles, note, user, &result);
    if (status == EXIT_DONE && result.stopped) status = EXIT_INTERRUPTED;
    snprintf(where, sizeof where, "key %zu: ", k + 1);
    if (status == EXIT_DONE) status = deform_shape_check(s, where, &result, s->force);
    out->pose_error = fmax(out->pose_error, result.report.handle_error);
    out->iterations += result.report.iterations;
  } else {
    mote_deform_reset(s->deform);
  }
  if (status != EXIT_DONE) return status;
  double *position = input_take(numbers, sizeof *position), *velocity = NULL;
  memcpy(position, mote_deform_state(s->deform), numbers * sizeof *position);
  if (!isnan(def->velocity[0])) velocity = input_take(numbers, sizeof *velocity);
  for (size_t c = 0; velocity != NULL && c < numbers; ++c) velocity[c] = def->velocity[c % 3];
  out->key[out->keys++] = (mote_deform_key){.time = def->time,
                                            .position = position,
                                            .held = def->part ? mark_nodes(s, def) : NULL,
                                            .velocity = velocity};
  return EXIT_DONE;
}

// --- Obstacles ---

static void pose_obstacle(void *user, double t, mote_pose *pose) {
  const animate_obstacle *moving = user;
  mote_error error;
  if (mote_collider_def_pose(&moving->motion, 3, t, NULL, pose, &error) == MOTE_OK) return;
  *pose = (mote_pose){.rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};  // a formula without a value there
}

static int add_obstacle(const deform_shape *s, const mote_obstacle_def *def, animate_keys *out) {
  animate_obstacle *moving = &out->moving[out->obstacles];
  const mote_motion_def *motion = &def->motion;
  mote_error error = {0};
  mote_pose pose;
  moving->motion = mote_collider_def_default();
  moving->motion.name = def->name, moving->motion.motion = *motion, moving->motion.shape = def->shape;
  mote_result result = mote_shape_create(&def->shape, 3, &s->env, &moving->shape, &error);
  const char *member = "shape";
  if (result == MOTE_OK)
    result = mote_collider_def_pose(&moving->motion, 3, 0, &s->env, &pose, &error), member = "motion";
  if (result != MOTE_OK) {
    char key[sizeof error.key];
    snprintf(key, sizeof key, "obstacles.%.31s.%s.%.40s", def->name, member, error.key);
    memcpy(error.key, key, sizeof key);
    mote_scene_file_locate(s->file, &error);
    return complain_error(&error);
  }
  // The pose of a small shape about the same pivot is found faster than that of a mesh.
  double low[3], high[3];
  mote_shape_bounds(moving->shape, low, high);
  for (int c = 0; c < 3; ++c)
    if (isnan(motion->pivot[c]))
      moving->motion.motion.pivot[c] = isfinite(low[c] + high[c]) ? 0.5 * (low[c] + high[c]) : pose.pivot[c];
  moving->motion.shape = mote_shape_def_sphere(0, 0, 0, 1);
  out->obstacle[out->obstacles++] = (mote_deform_obstacle){
      .shape = moving->shape, .pose = motion_moves(motion) ? pose_obstacle : NULL, .user = moving};
  return EXIT_DONE;
}

double animate_depth(const animate_keys *keys, double time, const double *point, size_t count) {
  double deepest = 0;
  for (size_t k = 0; k < keys->obstacles; ++k) {
    mote_pose pose = {.rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    if (keys->obstacle[k].pose != NULL) pose_obstacle(&keys->moving[k], time, &pose);
    for (size_t i = 0; i < count; ++i) {
      const double *R = pose.rotation, *x = point + 3 * i;
      double off[3], at[3];
      for (int c = 0; c < 3; ++c) off[c] = x[c] - pose.pivot[c] - pose.move[c];
      for (int c = 0; c < 3; ++c)
        at[c] = pose.pivot[c] + (R[c] * off[0] + R[3 + c] * off[1] + R[6 + c] * off[2]);
      deepest = fmax(deepest, -mote_shape_distance(keys->moving[k].shape, at));
    }
  }
  return deepest;
}

// --- All ---

int animate_keys_make(deform_shape *s, const mote_animation *animation, deform_note_fn *note, void *user,
                      animate_keys *out) {
  int status = EXIT_DONE;
  *out = (animate_keys){.key = input_take(animation->keys, sizeof *out->key),
                        .obstacle = input_take(animation->obstacles + 1, sizeof *out->obstacle),
                        .moving = input_take(animation->obstacles + 1, sizeof *out->moving)};
  for (size_t k = 0; k < animation->obstacles && status == EXIT_DONE; ++k)
    status = add_obstacle(s, &animation->obstacle[k], out);
  for (size_t k = 0; k < animation->keys && status == EXIT_DONE; ++k)
    status = add_key(s, &animation->key[k], k, note, user, out);
  return status;
}

static void free_array(const void *array) {
  free((void *)(uintptr_t)array);
}

void animate_keys_free(animate_keys *keys) {
  for (size_t k = 0; k < keys->keys; ++k)
    free_array(keys->key[k].position), free_array(keys->key[k].held), free_array(keys->key[k].velocity);
  for (size_t k = 0; keys->moving != NULL && k < keys->obstacles; ++k)
    mote_shape_destroy(keys->moving[k].shape);
  free(keys->key), free(keys->obstacle), free(keys->moving);
  *keys = (animate_keys){0};
}

// --- The motion ---

int animate_motion_solve(const deform_shape *s, const mote_animation *animation, const animate_keys *keys,
                         mote_deform_motion **out, mote_deform_motion_report *report) {
  APP_ASSERT(keys->keys == animation->keys && keys->obstacles == animation->obstacles);
  mote_error error = {0};
  mote_deform_motion_def def = animation->def;
  def.deform = s->deform;
  mote_result result =
      mote_deform_motion_create(&def, keys->key, keys->keys, keys->obstacle, keys->obstacles, out, &error);
  if (result == MOTE_OK) result = mote_deform_motion_solve(*out, (double)INFINITY, report, &error);
  if (result == MOTE_OK) return EXIT_DONE;
  mote_scene_file_locate(s->file, &error);
  return complain_error(&error);
}
