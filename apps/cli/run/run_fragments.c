// Files of the pieces of bodies that can break: see run_fragments.h.
#include "cli/run/run_fragments.h"

#include <math.h>
#include <mote/io.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/files/elastic_positions.h"
#include "cli/files/input_file.h"
#include "cli/run/run_frames.h"
#include "cli/run/run_list.h"

#define STRETCHED_RATIO 3.0  // times the length at rest

// Coordinates and colours of the file of a body whose shape is one mesh.
static mote_result open_look(fragment_look *look, const mote_scene_file *file, const mote_body_def *body,
                             const mote_env *env, mote_error *error) {
  double factor;
  mote_shape *shape = NULL;
  const char *path = mote_scene_file_mesh(file, &body->shape, &factor);
  *look = (fragment_look){.env = *env};
  if (path == NULL) return MOTE_OK;
  mote_result result = mote_shape_create(&body->shape, 3, env, &shape, error);
  if (result == MOTE_OK) result = fragment_look_open(look, path, factor, shape, env, error);
  mote_shape_destroy(shape);
  return result;
}

bool run_fragments_open(run_fragments *fragments, const run_directory *directory, const mote_scene_file *file,
                        uint64_t scene_hash, const mote_env *env) {
  const mote_scene *scene = mote_scene_file_scene(file);
  *fragments = (run_fragments){.directory = directory, .outputs = &scene->outputs, .scene_hash = scene_hash};
  if (scene->outputs.fragment_formats == 0) return true;
  fragments->name = input_take(scene->bodies + 1, sizeof *fragments->name);
  fragments->piece = input_take(scene->bodies + 1, sizeof *fragments->piece);
  fragments->look = input_take(scene->bodies + 1, sizeof *fragments->look);
  for (size_t b = 0; b < scene->bodies; ++b) {
    const mote_material_def *material = elastic_material(scene, &scene->body[b]);
    if (material == NULL || !isfinite(material->elastic.strength)) continue;
    fragments->name[fragments->count] = scene->body[b].name;
    mote_error error;
    if (open_look(&fragments->look[fragments->count++], file, &scene->body[b], env, &error) != MOTE_OK) {
      complain_error(&error);
      return false;
    }
  }
  return true;
}

void run_fragments_close(run_fragments *fragments) {
  for (size_t k = 0; k < fragments->count; ++k) {
    mote_world_pieces_destroy(fragments->piece[k]);
    fragment_look_close(&fragments->look[k]);
  }
  free(fragments->name), free(fragments->piece), free(fragments->look);
  *fragments = (run_fragments){0};
}

// All bodies in one mesh.
typedef struct merged {
  mote_fragments_view view;
  uint32_t *fragment;
  uint8_t *wall;
} merged;

static void merged_free(merged *all) {
  free(all->view.mesh.vertex), free(all->view.mesh.triangle), free(all->fragment), free(all->wall);
  free(all->view.uv), free(all->view.colour);
}

static void merged_add(merged *all, const mote_fragments_view *one) {
  mote_mesh *mesh = &all->view.mesh;
  size_t v = mesh->vertices, t = mesh->triangles;
  memcpy(mesh->vertex + 3 * v, one->mesh.vertex, 3 * one->mesh.vertices * sizeof *mesh->vertex);
  for (size_t k = 0; k < 3 * one->mesh.triangles; ++k)
    mesh->triangle[3 * t + k] = one->mesh.triangle[k] + (uint32_t)v;
  memcpy(all->fragment + t, one->fragment, one->mesh.triangles * sizeof *all->fragment);
  memcpy(all->wall + t, one->wall, one->mesh.triangles * sizeof *all->wall);
  if (one->uv != NULL) memcpy(all->view.uv + 2 * v, one->uv, 2 * one->mesh.vertices * sizeof *one->uv);
  if (one->colour != NULL) memcpy(all->view.colour + 4 * v, one->colour, 4 * one->mesh.vertices);
  mesh->vertices += one->mesh.vertices, mesh->triangles += one->mesh.triangles;
  if (one->fragments > all->view.fragments) all->view.fragments = one->fragments;
}

// Without coordinates and colours, of bodies that have none: 0 and white.
static void merged_take(merged *all, size_t vertices, bool uv, bool colour) {
  if (uv) all->view.uv = input_take(2 * vertices, sizeof *all->view.uv);
  if (!colour) return;
  all->view.colour = input_take(4 * vertices, 1);
  memset(all->view.colour, 255, 4 * vertices);
}

static mote_result merge(const run_fragments *f, merged *out, mote_error *error) {
  merged all = {.fragment = NULL};
  size_t vertices = 1, triangles = 1;
  bool uv = false, colour = false;
  mote_fragments_view *view = input_take(f->count, sizeof *view);
  mote_result result = MOTE_OK;
  for (size_t k = 0; k < f->count && result == MOTE_OK; ++k) {
    view[k] = mote_world_pieces_look(f->piece[k]);
    result = fragment_look_apply(&f->look[k], mote_world_pieces_rest(f->piece[k]), &view[k], error);
    vertices += view[k].mesh.vertices, triangles += view[k].mesh.triangles;
    uv = uv || view[k].uv != NULL, colour = colour || view[k].colour != NULL;
  }
  all.view.mesh.vertex = input_take(3 * vertices, sizeof *all.view.mesh.vertex);
  all.view.mesh.triangle = input_take(3 * triangles, sizeof *all.view.mesh.triangle);
  all.view.fragment = all.fragment = input_take(triangles, sizeof *all.fragment);
  all.view.wall = all.wall = input_take(triangles, sizeof *all.wall);
  merged_take(&all, vertices, uv, colour);
  for (size_t k = 0; k < f->count && result == MOTE_OK; ++k) {
    if (view[k].mesh.triangles > 0) merged_add(&all, &view[k]);
  }
  free(view);
  *out = all;
  return result;
}

// The pieces as the world is now; a body that was removed has none.
static bool follow(run_fragments *f, const mote_world *world) {
  mote_error error;
  for (size_t k = 0; k < f->count; ++k) {
    mote_body body = mote_world_find_body(world, f->name[k]);
    mote_result result = MOTE_OK;
    if (body.generation == 0) {
      mote_world_pieces_destroy(f->piece[k]);
      f->piece[k] = NULL;
    } else if (f->piece[k] == NULL) {
      result = mote_world_pieces_create(world, body, 0.0, &f->piece[k], &error);
    } else {
      result = mote_world_pieces_update(f->piece[k], world, &error);
    }
    if (result != MOTE_OK) return complain_error(&error), false;
  }
  return true;
}

size_t run_fragments_stretched(const run_fragments *fragments, const char *body) {
  for (size_t k = 0; k < fragments->count; ++k)
    if (strcmp(fragments->name[k], body) == 0)
      return mote_world_pieces_stretched(fragments->piece[k], STRETCHED_RATIO);
  return 0;
}

bool run_fragments_write(run_fragments *fragments, const mote_world *world, size_t frame) {
  mote_error error;
  bool ok = true;
  if (fragments->count == 0) return true;
  if (!follow(fragments, world)) return false;
  merged all;
  if (merge(fragments, &all, &error) != MOTE_OK) ok = false, complain_error(&error);
  mote_stamp stamp = run_stamp(world, fragments->scene_hash);
  for (size_t k = 0; k < fragments->outputs->fragment_formats && ok && all.view.mesh.triangles > 0; ++k) {
    char name[32], path[PATH_CAPACITY];
    run_list_name("fragments", frame, fragments->outputs->fragment_format[k], name);
    run_directory_path(fragments->directory, name, path);
    ok = mote_fragments_write(&all.view, &stamp, path, &error) == MOTE_OK || (complain_error(&error), false);
  }
  merged_free(&all);
  return ok;
}
