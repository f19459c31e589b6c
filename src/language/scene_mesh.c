// Meshes of scenes: read, mended, and held against the hash of a flattened scene.
#define _XOPEN_SOURCE 700  // realpath
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "language/scene_bind.h"
#include "language/scene_load.h"
#include "language/scene_text.h"

enum { MESH_BYTES = 1 << 30 };

// What is wrong in a line of the mesh is said of the mesh; the rest of the scene that names it.
static mote_result fail_mesh(mote_binder *b, const mote_node *file, mote_result result,
                             const mote_error *why) {
  if (result == MOTE_ERROR_MEMORY) return mote_io_fail_memory(b->error);
  if (why->file[0] == 0 || why->line == 0)
    return mote_place_fail(b->error, file->place, "mesh \"%.200s\": %.300s", file->text, why->text);
  if (b->error != NULL) *b->error = *why;
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

static mote_result read_mesh(mote_binder *b, const mote_node *file, const char *path, mote_mesh *out) {
  mote_scene_mesh *kept = mote_pool_take(b->pool, sizeof *kept);
  if (kept == NULL) return mote_io_fail_memory(b->error);
  mote_mesh raw;
  mote_error why = {0};
  const mote_env *env = &b->pool->env;
  mote_result result = mote_mesh_read(path, env, &raw, &why);
  if (result != MOTE_OK) return fail_mesh(b, file, result, &why);
  result = mote_mesh_repair(&raw, env, &kept->mesh, &why);
  mote_mesh_free(&raw, env);
  if (result != MOTE_OK) return fail_mesh(b, file, result, &why);
  kept->next = b->meshes;
  b->meshes = kept;
  *out = kept->mesh;
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
  uint64_t hash = 0;
  MOTE_IO_TRY(hash_file(file, path, b, &hash));
  MOTE_IO_TRY(check_hash(b, map, values->hash, hash));
  MOTE_IO_TRY(read_mesh(b, file, path, &values->def.mesh));
  return make_absolute(b, file, path);
}

void mote_scene_free_meshes(mote_scene_mesh *first, const mote_env *env) {
  for (; first != NULL; first = first->next) mote_mesh_free(&first->mesh, env);
}
