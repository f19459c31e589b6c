// See animate_release.h.
#include "cli/deform/animate_release.h"

#include <math.h>
#include <mote/steer.h>
#include <stdlib.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"
#include "cli/base/scene_open.h"
#include "cli/files/elastic_positions.h"
#include "cli/files/input_file.h"

// The particles of the body that no hold moves, and their state.
typedef struct cast {
  mote_scene_file *file;
  mote_world *world;
  uint64_t *id;
  double *rest, *position, *velocity;
  size_t count;
} cast;

static void cast_free(cast *c) {
  mote_world_destroy(c->world);
  mote_scene_file_destroy(c->file);
  free(c->id), free(c->rest), free(c->position), free(c->velocity);
}

static int find_particles(const animate_release *r, const mote_env *env, cast *c) {
  mote_error error = {0};
  int status = scene_open(r->scene, NULL, 0, env, &c->file);
  if (status != EXIT_DONE) return status;
  const mote_scene *scene = mote_scene_file_scene(c->file);
  size_t number = elastic_body(scene, r->body), first, count;
  if (number == SIZE_MAX) {
    complain(r->body != NULL ? "%s: it has no elastic body \"%s\""
                             : "%s: it has no elastic body, or several: name one with --body",
             r->scene, r->body);
    return EXIT_USAGE;
  }
  if (mote_world_create_scene(scene, env, &c->world, &error) != MOTE_OK)
    return complain_scene(c->file, &error);
  mote_world_elastic_body(c->world, number, &first, &count);
  mote_field_view id = mote_world_elastic_view(c->world, "id"),
                  rest = mote_world_elastic_view(c->world, "rest");
  mote_field_view hold = mote_world_elastic_view(c->world, "hold");
  c->id = input_take(count, sizeof *c->id), c->rest = input_take(3 * count, sizeof *c->rest);
  c->position = input_take(3 * count, sizeof *c->rest), c->velocity = input_take(3 * count, sizeof *c->rest);
  for (size_t i = first; i < first + count; ++i) {
    if (hold.data != NULL && ((const uint8_t *)hold.data)[i] != 0) continue;
    for (size_t k = 0; k < 3; ++k) c->rest[3 * c->count + k] = ((const double *)rest.data)[3 * i + k];
    c->id[c->count++] = ((const uint64_t *)id.data)[i];
  }
  return EXIT_DONE;
}

// A body elsewhere than the mesh would be given the motion of what is nearest to it.
static int check_positions(const deform_shape *s, const animate_release *r, const cast *c) {
  APP_ASSERT(c->file != NULL && c->rest != NULL);
  const mote_mesh *mesh = mote_model_mesh(s->model);
  double low[2][3], high[2][3], most = 0;
  for (int which = 0; which < 2; ++which) {
    const double *x = which == 0 ? mesh->vertex : c->rest;
    size_t count = which == 0 ? mesh->vertices : c->count;
    for (int k = 0; k < 3; ++k) low[which][k] = (double)INFINITY, high[which][k] = (double)-INFINITY;
    for (size_t i = 0; i < 3 * count; ++i) {
      low[which][i % 3] = fmin(low[which][i % 3], x[i]);
      high[which][i % 3] = fmax(high[which][i % 3], x[i]);
    }
  }
  for (int k = 0; k < 3; ++k)
    most = fmax(most, fmax(fabs(low[0][k] - low[1][k]), fabs(high[0][k] - high[1][k])));
  if (most <= 2 * mote_scene_file_scene(c->file)->world.spacing + 0.05 * mote_deform_size(s->deform))
    return EXIT_DONE;
  complain(
      "%s: the body extends from %.3g,%.3g,%.3g to %.3g,%.3g,%.3g, the mesh at rest from %.3g,%.3g,%.3g "
      "to %.3g,%.3g,%.3g: both must be at the same place",
      r->scene, low[1][0], low[1][1], low[1][2], high[1][0], high[1][1], high[1][2], low[0][0], low[0][1],
      low[0][2], high[0][0], high[0][1], high[0][2]);
  return EXIT_USAGE;
}

static mote_result find_state(const deform_shape *s, const mote_deform_motion *motion,
                              const animate_release *r, cast *c, mote_error *error) {
  size_t numbers = 3 * mote_deform_nodes(s->deform);
  double *x = input_take(numbers, sizeof *x), *v = input_take(numbers, sizeof *v);
  mote_result result = mote_deform_motion_evaluate(motion, r->time, x, v, NULL, error);
  if (result == MOTE_OK)
    result = mote_deform_interpolate(s->deform, x, c->rest, c->count, c->position, error);
  if (result == MOTE_OK)
    result = mote_deform_interpolate(s->deform, v, c->rest, c->count, c->velocity, error);
  free(x), free(v);
  return result;
}

// Tries them on the world, so that the file fits; then writes them.
static int write_commands(cast *c, animate_release *r, const char *path) {
  APP_ASSERT(c->world != NULL);
  mote_command set[2] = {mote_command_make(MOTE_COMMAND_FIELD), mote_command_make(MOTE_COMMAND_FIELD)};
  mote_error error = {0};
  set[0].field = "position", set[0].values = c->position;
  set[1].field = "velocity", set[1].values = c->velocity;
  for (int k = 0; k < 2; ++k) {
    set[k].id = c->id, set[k].count = c->count;
    set[k].step = UINT64_MAX, set[k].time = 0;
    if (mote_world_command(c->world, &set[k], &error) == MOTE_OK) continue;
    complain("%s: %s", r->scene, error.text);
    return EXIT_USAGE;
  }
  if (mote_commands_write(set, 2, path, &error) != MOTE_OK) return complain_error(&error);
  r->particles = c->count;
  for (size_t i = 0; i < c->count; ++i) {
    const double *v = c->velocity + 3 * i;
    r->speed = fmax(r->speed, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
  }
  return EXIT_DONE;
}

int animate_release_write(const deform_shape *s, const mote_deform_motion *motion, animate_release *r,
                          const char *path) {
  cast c = {0};
  mote_error error = {0};
  int status = find_particles(r, &s->env, &c);
  if (status == EXIT_DONE) status = check_positions(s, r, &c);
  if (status == EXIT_DONE && find_state(s, motion, r, &c, &error) != MOTE_OK) status = complain_error(&error);
  if (status == EXIT_DONE) status = write_commands(&c, r, path);
  cast_free(&c);
  return status;
}
