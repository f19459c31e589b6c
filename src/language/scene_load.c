// Resolves include and extends: see scene_load.h. Mappings are merged key by key; what stands in the file
// itself wins, and null removes.
#define _XOPEN_SOURCE 700  // realpath
#include "language/scene_load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "language/scene_bind.h"

static mote_result load_file(mote_loader *l, const char *path, mote_text_position from, mote_node **out);

char *mote_load_path(mote_pool *pool, const char *from, const char *name) {
  const char *slash = strrchr(from, '/');
  size_t folder = name[0] == '/' || slash == NULL ? 0 : (size_t)(slash - from) + 1;
  size_t length = strlen(name);
  char *path = mote_pool_take(pool, folder + length + 1);
  if (path == NULL) return NULL;
  memcpy(path, from, folder);
  memcpy(path + folder, name, length);
  return path;
}

// --- Merging ----------------------------------------------------------------------------------------------

// A shape of another kind replaces the shape; one that only changes its size does not.
static bool replaces_shape(const mote_node *over, const mote_node *base) {
  if (over->key == NULL || strcmp(over->key, "shape") != 0) return false;
  for (const mote_node *child = over->first; child != NULL; child = child->next)
    if (mote_bind_shape_kind(child->key) != MOTE_SHAPE_NONE && mote_node_find(base, child->key) == NULL)
      return true;
  return false;
}

// Puts what `base` has and `over` has not into `over`; base's keys come first.
static void merge_under(mote_node *over, mote_node *base) {
  mote_node merged = {.kind = MOTE_NODE_MAP};
  for (mote_node *child = base->first, *next; child != NULL; child = next) {
    next = child->next;
    mote_node *own = mote_node_find(over, child->key);
    if (own == NULL) {
      mote_node_append(&merged, child);
      continue;
    }
    mote_node_remove(over, own);
    if (own->kind == MOTE_NODE_MAP && child->kind == MOTE_NODE_MAP && !replaces_shape(own, child))
      merge_under(own, child);
    mote_node_append(&merged, own);
  }
  for (mote_node *child = over->first, *next; child != NULL; child = next) {
    next = child->next;
    mote_node_append(&merged, child);
  }
  mote_node_adopt(over, &merged);
}

// --- Includes ---------------------------------------------------------------------------------------------

static mote_result merge_file(mote_loader *l, mote_node *map, const mote_node *name) {
  if (name->kind != MOTE_NODE_TEXT || name->text[0] == 0) {
    char what[MOTE_NODE_WHAT];
    return mote_place_fail(l->yaml.error, name->place, "the name of a file is expected, but here is %s",
                           mote_node_what(name, what));
  }
  if (!l->files)
    return mote_place_fail(l->yaml.error, name->place, "\"%.200s\" cannot be included: the scene is no file",
                           name->text);
  char *path = mote_load_path(l->yaml.pool, name->place.file, name->text);
  if (path == NULL) return mote_io_fail_memory(l->yaml.error);
  mote_node *base;
  MOTE_IO_TRY(load_file(l, path, name->place, &base));
  merge_under(map, base);
  return MOTE_OK;
}

static mote_result merge_list(mote_loader *l, mote_node *map, const mote_node *name) {
  if (name == NULL) return MOTE_OK;
  MOTE_IO_TRY(merge_list(l, map, name->next));  // the last file wins
  return merge_file(l, map, name);
}

static mote_result merge_key(mote_loader *l, mote_node *map, const char *key) {
  mote_node *value = mote_node_find(map, key);
  if (value == NULL) return MOTE_OK;
  mote_node_remove(map, value);
  if (value->kind != MOTE_NODE_LIST) return merge_file(l, map, value);
  if (value->count > MOTE_LOAD_DEPTH)
    return mote_place_fail(l->yaml.error, value->place, "more than %d files", MOTE_LOAD_DEPTH);
  return merge_list(l, map, value->first);
}

// "<<: *anchor", or a list of them of which the first wins: the same, from this file.
static mote_result merge_anchors(mote_loader *l, mote_node *map) {
  mote_node *value = mote_node_find(map, "<<");
  if (value == NULL) return MOTE_OK;
  mote_node_remove(map, value);
  bool list = value->kind == MOTE_NODE_LIST;
  for (mote_node *base = list ? value->first : value, *next; base != NULL; base = next) {
    char what[MOTE_NODE_WHAT];
    next = list ? base->next : NULL;
    if (base->kind != MOTE_NODE_MAP)
      return mote_place_fail(l->yaml.error, base->place, "\"<<\" must be a mapping, but is %s",
                             mote_node_what(base, what));
    merge_under(map, base);
  }
  return MOTE_OK;
}

static mote_result resolve(mote_loader *l, mote_node *node) {
  for (mote_node *child = node->first; child != NULL; child = child->next) {
    const mote_node *extends = mote_node_find(child, "extends");
    if (extends != NULL && extends->kind == MOTE_NODE_TEXT)
      return mote_place_fail(l->yaml.error, extends->key_place,
                             "\"extends\" belongs at the top of a file; use include here");
    MOTE_IO_TRY(resolve(l, child));
  }
  if (node->kind != MOTE_NODE_MAP) return MOTE_OK;
  MOTE_IO_TRY(merge_anchors(l, node));
  return merge_key(l, node, "include");
}

static mote_result resolve_text(mote_loader *l, const char *text, size_t size, const char *file,
                                mote_node **out) {
  MOTE_IO_TRY(mote_yaml_read(&l->yaml, text, size, file, out));
  mote_text_position begin = {file, 1, 1};
  if (*out == NULL || mote_node_is_null(*out))
    return mote_place_fail(l->yaml.error, begin, "there is no %s in this file", l->what);
  char what[MOTE_NODE_WHAT];
  if ((*out)->kind != MOTE_NODE_MAP)
    return mote_place_fail(l->yaml.error, (*out)->place, "a %s is a mapping (key: value), but here is %s",
                           l->what, mote_node_what(*out, what));
  MOTE_IO_TRY(resolve(l, *out));
  return merge_key(l, *out, "extends");
}

// --- Files ------------------------------------------------------------------------------------------------

static mote_result fail_cycle(mote_loader *l, mote_text_position from, int first) {
  mote_growing chain = {.pool = l->yaml.pool};
  for (int k = first; k <= l->depth; ++k) {
    const char *path = l->open[k == l->depth ? first : k], *slash = strrchr(path, '/');
    if (k > first) mote_growing_text(&chain, " > ");
    mote_growing_text(&chain, slash == NULL ? path : slash + 1);
  }
  if (chain.failed) return mote_io_fail_memory(l->yaml.error);
  return mote_place_fail(l->yaml.error, from, "the file includes itself: %s", chain.text);
}

// The path without links and dots, so that a file is known again; as it is where there is no such file.
static const char *real_path(mote_loader *l, const char *path) {
  char *found = realpath(path, NULL);
  if (found == NULL) return path;
  const char *own = mote_pool_copy(l->yaml.pool, found, strlen(found));
  free(found);
  return own == NULL ? path : own;
}

static mote_result open_file(mote_loader *l, const char *path, mote_text_position from) {
  const char *real = real_path(l, path);
  for (int k = 0; k < l->depth; ++k)
    if (strcmp(l->open[k], real) == 0) return fail_cycle(l, from, k);
  if (l->depth == MOTE_LOAD_DEPTH)
    return mote_place_fail(l->yaml.error, from, "files include files deeper than %d", MOTE_LOAD_DEPTH);
  l->open[l->depth++] = real;
  return MOTE_OK;
}

static mote_result load_file(mote_loader *l, const char *path, mote_text_position from, mote_node **out) {
  if (from.file != NULL && mote_pool_would_wait(path))
    return mote_place_fail(l->yaml.error, from, "\"%.200s\" is a pipe or a device, not a file", path);
  MOTE_IO_TRY(open_file(l, path, from));
  char *text;
  size_t size;
  mote_error *error = l->yaml.error;
  mote_result result = mote_pool_load(l->yaml.pool, path, MOTE_LOAD_BYTES, &text, &size, error);
  if (result == MOTE_ERROR_FILE && from.file != NULL) {
    char why[sizeof error->text];
    snprintf(why, sizeof why, "%s", error->text);
    return mote_place_fail(error, from, "\"%.200s\" %.200s", path, why);
  }
  MOTE_IO_TRY(result);
  MOTE_IO_TRY(resolve_text(l, text, size, path, out));
  --l->depth;
  return MOTE_OK;
}

mote_result mote_load_scene(mote_loader *loader, const char *path, const char *text, size_t size,
                            mote_node **out) {
  char *own = mote_pool_copy(loader->yaml.pool, path, strlen(path));
  if (own == NULL) return mote_io_fail_memory(loader->yaml.error);
  if (text == NULL) return load_file(loader, own, (mote_text_position){0}, out);
  return resolve_text(loader, text, size, own, out);
}
