// Meshes of scenes: read, mended, and held against the hash of a flattened scene.
#define _XOPEN_SOURCE 700  // realpath
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "language/scene_bind.h"
#include "language/scene_file.h"
#include "language/scene_load.h"
#include "language/scene_text.h"
#include "language/tuning.inc"

enum { MESH_BYTES = 1 << 30 };

// Of MOTE_MESH_UNITS, m.
static const double unit_length[] = {1, 0.01, 0.001, 1000, 0.0254, 0.3048};

// What is wrong in a line of the mesh is said of the mesh; the rest of the scene that names it.
static mote_result fail_mesh(mote_binder *b, const mote_node *file, mote_result result,
                             const mote_error *why) {
  if (result == MOTE_ERROR_MEMORY) return mote_io_fail_memory(b->error);
  if (why->file[0] == 0 || why->line == 0)
    return mote_place_fail(b->error, file->place, "mesh \"%.200s\": %.300s", file->text, why->text);
  *b->error = *why;
  return result;
}

static mote_result hash_file(const mote_node *file, const char *path, mote_binder *b, uint64_t *hash) {
  mote_pool pool = mote_pool_make(&b->pool->env);
  mote_error why = {0};
  char *bytes;
  size_t size;
  mote_result result = mote_pool_load(&pool, path, MESH_BYTES, &bytes, &size, &why);
  if (result == MOTE_OK) *hash = mote_scene_hash_bytes(MOTE_SCENE_HASH, bytes, size);
  mote_pool_free(&pool);
  return result == MOTE_OK ? MOTE_OK : fail_mesh(b, file, result, &why);
}

static mote_result check_hash(mote_binder *b, mote_node *map, const char *given, uint64_t hash) {
  char text[24];
  snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
  mote_node *node = mote_node_find(map, "hash");
  if (node != NULL && strcmp(given, text) != 0)
    return mote_place_fail(b->error, node->place, "the mesh file has changed: its hash is %s, not %.40s",
                           text, given);
  if (node != NULL) return MOTE_OK;
  node = mote_node_new(b->pool, MOTE_NODE_TEXT, map->place);
  if (node == NULL) return mote_io_fail_memory(b->error);
  node->key = "hash";
  node->key_place = map->place;
  mote_node_append(map, node);
  return mote_bind_text(b, node, text);
}

// --- Size -------------------------------------------------------------------------------------------------

static double mesh_length(const mote_mesh *mesh) {
  double low[3], high[3], most = 0;
  for (size_t v = 0; v < mesh->vertices; ++v) {
    for (int k = 0; k < 3; ++k) {
      double x = mesh->vertex[3 * v + (size_t)k];
      low[k] = v == 0 || x < low[k] ? x : low[k];
      high[k] = v == 0 || x > high[k] ? x : high[k];
    }
  }
  for (int k = 0; k < 3 && mesh->vertices > 0; ++k) most = high[k] - low[k] > most ? high[k] - low[k] : most;
  return most;
}

// The longest finite side of the domain; 0: none is finite.
static double domain_length(const mote_world_def *world) {
  double most = 0;
  for (int a = 0; a < world->dimensions; ++a) {
    double side = world->high[a] - world->low[a];
    if (isfinite(side) && side > most) most = side;
  }
  return most;
}

// A mesh far larger than the domain is one in another unit, most likely: said before anything is made of it.
static mote_result check_length(mote_binder *b, const mote_node *map, const mote_node *file, double length) {
  const mote_world_def *world = &b->scene->world;
  double domain = domain_length(world), most = DOMAINS_MOST * domain;
  if (!(most > 0)) most = SPACINGS_MOST * world->spacing;
  if (!(length > most) || mote_node_find(map, "unit") != NULL) return MOTE_OK;
  char what[96], advice[160];
  if (domain > 0)
    snprintf(what, sizeof what, "%.3g times as long as the domain, %.3g m", length / domain, domain);
  else
    snprintf(what, sizeof what, "%.3g spacings", length / world->spacing);
  if (length * 0.001 <= most && (domain == 0 || length * 0.001 >= 0.01 * domain))
    snprintf(advice, sizeof advice,
             "write unit: mm if it is in millimetres (%.3g m), unit: m if it is that long", length * 0.001);
  else
    snprintf(advice, sizeof advice, "scale: %.1g would make it %.2g m; write unit: m if it is that long",
             0.5 * most / DOMAINS_MOST / length, 0.5 * most / DOMAINS_MOST);
  return mote_place_fail(b->error, file->place, "mesh \"%.200s\" is %.3g m long, %s: %s", file->text, length,
                         what, advice);
}

static void scale_mesh(mote_mesh *mesh, double factor) {
  for (size_t k = 0; k < 3 * mesh->vertices && factor != 1; ++k) mesh->vertex[k] *= factor;
}

static mote_result read_mesh(mote_binder *b, const mote_node *map, const char *path,
                             mote_shape_entry *values) {
  const mote_node *file = mote_node_find(map, "file");
  double factor = unit_length[values->unit] * values->mesh_scale;
  mote_scene_mesh *kept = mote_pool_take(b->pool, sizeof *kept);
  if (kept == NULL) return mote_io_fail_memory(b->error);
  mote_mesh raw, mended;
  mote_error why = {0};
  const mote_env *env = &b->pool->env;
  mote_result result = mote_mesh_read(path, env, &raw, &why);
  if (result != MOTE_OK) return fail_mesh(b, file, result, &why);
  scale_mesh(&raw, factor);
  result = check_length(b, map, file, mesh_length(&raw) * b->scale);
  if (result != MOTE_OK) {
    mote_mesh_free(&raw, env);
    return result;
  }
  result = mote_mesh_repair(&raw, env, &mended, &kept->mending, &why);
  if (result != MOTE_OK) {
    mote_mesh_free(&raw, env);
    return fail_mesh(b, file, result, &why);
  }
  // Shapes mend what they are given: what is not exact, from the file's own triangles.
  kept->mesh = kept->mending.exact ? mended : raw;
  mote_mesh_free(kept->mending.exact ? &raw : &mended, env);
  kept->path = path, kept->factor = factor, kept->place = file->place;
  kept->next = b->meshes;
  b->meshes = kept;
  values->def.mesh = kept->mesh;
  return MOTE_OK;
}

// The flattened scene may stand in another folder.
static mote_result make_absolute(mote_binder *b, mote_node *file, const char *path) {
  char *real = realpath(path, NULL);
  if (real == NULL) return MOTE_OK;
  mote_result result = mote_bind_text(b, file, real);
  free(real);
  file->plain = false;
  return result;
}

mote_result mote_bind_mesh(mote_binder *b, mote_node *map, mote_shape_entry *values) {
  mote_node *file = mote_node_find(map, "file");
  if (!b->files)
    return mote_place_fail(b->error, file->place, "mesh \"%.200s\": cannot be read: the scene is no file",
                           file->text);
  const char *path = mote_load_path(b->pool, file->place.file, file->text);
  if (path == NULL) return mote_io_fail_memory(b->error);
  if (mote_pool_would_wait(path))
    return mote_place_fail(b->error, file->place, "mesh \"%.200s\": is a pipe or a device, not a file",
                           file->text);
  uint64_t hash = 0;
  MOTE_IO_TRY(hash_file(file, path, b, &hash));
  MOTE_IO_TRY(check_hash(b, map, values->hash, hash));
  MOTE_IO_TRY(read_mesh(b, map, path, values));
  return make_absolute(b, file, path);
}

const char *mote_scene_file_mesh(const mote_scene_file *file, const mote_shape_def *shape, double *factor) {
  for (const mote_scene_mesh *m = file == NULL ? NULL : file->meshes; m != NULL && shape != NULL;
       m = m->next) {
    if (shape->kind != MOTE_SHAPE_MESH || m->mesh.vertex != shape->mesh.vertex) continue;
    if (factor != NULL) *factor = m->factor;
    return m->path;
  }
  return NULL;
}

size_t mote_scene_file_mended(const mote_scene_file *file, mote_scene_note_fn *report, void *user) {
  size_t count = 0;
  for (const mote_scene_mesh *m = file == NULL ? NULL : file->meshes; m != NULL; m = m->next) {
    mote_error note = {0};
    char text[200];
    mote_mesh_mending_text(&m->mending, text, sizeof text);
    if (text[0] == 0) continue;
    mote_place_fail(&note, m->place, "mesh \"%.200s\": %s", m->path, text);
    if (report != NULL) report(user, &note);
    ++count;
  }
  return count;
}

void mote_scene_free_meshes(mote_scene_mesh *first, const mote_env *env) {
  for (; first != NULL; first = first->next) mote_mesh_free(&first->mesh, env);
}
