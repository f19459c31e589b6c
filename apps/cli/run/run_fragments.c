// Files of the pieces of bodies that can break: see run_fragments.h.
#include "run_fragments.h"

#include <math.h>
#include <mote/io.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "run_frames.h"
#include "run_list.h"
#include "sample_input.h"
#include "solid_frames.h"

bool run_fragments_open(run_fragments *fragments, const run_directory *directory, const mote_scene *scene,
                        const mote_world *world, uint64_t scene_hash) {
  (void)world;
  *fragments = (run_fragments){.directory = directory, .outputs = &scene->outputs, .scene_hash = scene_hash};
  if (scene->outputs.fragment_formats == 0) return true;
  fragments->name = input_take(scene->bodies + 1, sizeof *fragments->name);
  fragments->piece = input_take(scene->bodies + 1, sizeof *fragments->piece);
  for (size_t b = 0; b < scene->bodies; ++b) {
    const mote_material_def *material = solid_material(scene, &scene->body[b]);
    if (material == NULL || !isfinite(material->solid.strength)) continue;
    fragments->piece[fragments->count] = NULL;
    fragments->name[fragments->count++] = scene->body[b].name;
  }
  return true;
}

void run_fragments_close(run_fragments *fragments) {
  for (size_t k = 0; k < fragments->count; ++k) mote_world_pieces_destroy(fragments->piece[k]);
  free(fragments->name), free(fragments->piece);
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
}

static void merged_add(merged *all, const mote_fragments_view *one) {
  mote_mesh *mesh = &all->view.mesh;
  size_t v = mesh->vertices, t = mesh->triangles;
  memcpy(mesh->vertex + 3 * v, one->mesh.vertex, 3 * one->mesh.vertices * sizeof *mesh->vertex);
  for (size_t k = 0; k < 3 * one->mesh.triangles; ++k)
    mesh->triangle[3 * t + k] = one->mesh.triangle[k] + (uint32_t)v;
  memcpy(all->fragment + t, one->fragment, one->mesh.triangles * sizeof *all->fragment);
  memcpy(all->wall + t, one->wall, one->mesh.triangles * sizeof *all->wall);
  mesh->vertices += one->mesh.vertices, mesh->triangles += one->mesh.triangles;
  if (one->fragments > all->view.fragments) all->view.fragments = one->fragments;
}

static merged merge(const run_fragments *f) {
  merged all = {.fragment = NULL};
  size_t vertices = 1, triangles = 1;
  for (size_t k = 0; k < f->count; ++k) {
    mote_fragments_view one = mote_world_pieces_look(f->piece[k]);
    vertices += one.mesh.vertices, triangles += one.mesh.triangles;
  }
  all.view.mesh.vertex = input_take(3 * vertices, sizeof *all.view.mesh.vertex);
  all.view.mesh.triangle = input_take(3 * triangles, sizeof *all.view.mesh.triangle);
  all.view.fragment = all.fragment = input_take(triangles, sizeof *all.fragment);
  all.view.wall = all.wall = input_take(triangles, sizeof *all.wall);
  for (size_t k = 0; k < f->count; ++k) {
    mote_fragments_view one = mote_world_pieces_look(f->piece[k]);
    if (one.mesh.triangles > 0) merged_add(&all, &one);
  }
  return all;
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

bool run_fragments_write(run_fragments *fragments, const mote_world *world, size_t frame) {
  mote_error error;
  bool ok = true;
  if (fragments->count == 0) return true;
  if (!follow(fragments, world)) return false;
  merged all = merge(fragments);
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
