// Keys from runs: see animate_snapshot.h.
#include "cli/deform/animate_snapshot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"
#include "cli/files/elastic_positions.h"

typedef struct carrier {
  mote_scene_file *file;
  mote_world *world;
  mote_world_skin *skin;
  double *position;
  size_t first;
} carrier;

// The scene beside the file.
static bool open_scene(const deform_shape *s, const char *path, carrier *c, char text[400]) {
  char scene[4096];
  mote_error error = {0};
  const char *slash = strrchr(path, '/');
  snprintf(scene, sizeof scene, "%.*sscene.yaml", slash != NULL ? (int)(slash - path) + 1 : 0, path);
  if (mote_scene_read(scene, NULL, 0, &s->env, &c->file, &error) == MOTE_OK) return true;
  snprintf(text, 400, "it needs the scene of its run, %.200s: %.120s", scene, error.text);
  return false;
}

static bool carry(const deform_shape *s, const char *path, const char *body, carrier *c, char text[400]) {
  APP_ASSERT(c->file != NULL && s->moved != NULL);
  const mote_mesh *mesh = mote_model_mesh(s->model);
  const mote_scene *scene = mote_scene_file_scene(c->file);
  size_t number = elastic_body(scene, body), count;
  mote_error error = {0};
  snprintf(text, 400, "it has no elastic body \"%.40s\"", body != NULL ? body : "");
  if (body == NULL) snprintf(text, 400, "it has no elastic body, or several: name one with body");
  if (number == SIZE_MAX) return false;
  snprintf(text, 400, "it cannot be read");
  c->world = elastic_world(scene, &s->env);
  if (c->world == NULL) return false;
  mote_world_skin_def def = {.body = mote_world_elastic_body(c->world, number, &c->first, &count),
                             .kind = MOTE_SKIN_SHAPES,
                             .vertex = mesh->vertex,
                             .count = mesh->vertices};
  c->position = elastic_positions(path, c->world, &s->env, NULL);
  if (c->position == NULL) return false;
  bool done = mote_world_skin_create(c->world, &def, &c->skin, &error) == MOTE_OK &&
              mote_world_skin_move(c->skin, c->position + 3 * c->first, s->moved, NULL, &error) == MOTE_OK;
  snprintf(text, 400, "%.300s", error.text);
  return done;
}

bool animate_snapshot_read(const deform_shape *s, const char *path, const char *body, char text[400]) {
  carrier c = {0};
  bool done = open_scene(s, path, &c, text) && carry(s, path, body, &c, text);
  mote_world_skin_destroy(c.skin);
  mote_world_destroy(c.world);
  mote_scene_file_destroy(c.file);
  free(c.position);
  return done;
}
