// EDITS and KEYS files: by the table of keys, and what it does not say: regions, ranges of vertices, poses,
// times, names.
#include <math.h>
#include <mote/text.h>
#include <string.h>

#include "language/scene_file.h"
#include "language/scene_load.h"

enum { NAMES_MOST = 256 };

// --- Handles ----------------------------------------------------------------------------------------------

// "12" or "3-7", from 1.
static mote_result read_range(mote_binder *b, const mote_node *node, mote_vertex_range *out) {
  long long first = 0, last = 0;
  size_t size = strlen(node->text);
  mote_text_scan scan = mote_text_read_integer(node->text, size, &first);
  size_t length = scan.length;
  bool good = length > 0 && !scan.overflow && first >= 1;
  last = first;
  if (good && length < size && node->text[length] == '-') {
    scan = mote_text_read_integer(node->text + length + 1, size - length - 1, &last);
    good = scan.length > 0 && !scan.overflow && last >= first;
    length += 1 + scan.length;
  }
  if (!good || length != size)
    return mote_place_fail(
        b->error, node->place,
        "an element of \"vertices\" must be a number from 1 on or a range like 10-20, but is "
        "\"%.40s\"",
        node->text);
  *out = (mote_vertex_range){(uint64_t)first, (uint64_t)last};
  return MOTE_OK;
}

static mote_result read_ranges(mote_binder *b, const mote_node *map, mote_handle_def *handle) {
  const mote_node *list = mote_node_find(map, "vertices");
  if (list == NULL) return MOTE_OK;
  if (list->count == 0)
    return mote_place_fail(b->error, list->place, "\"vertices\" must have at least one number");
  mote_vertex_range *range = mote_pool_take(b->pool, list->count * sizeof *range), *at = range;
  if (range == NULL) return mote_io_fail_memory(b->error);
  for (const mote_node *node = list->first; node != NULL; node = node->next)
    MOTE_IO_TRY(read_range(b, node, at++));
  handle->range = range;
  return MOTE_OK;
}

static mote_result check_axis(mote_binder *b, const mote_node *map, const mote_turn_def *turn) {
  const mote_node *rotate = mote_node_find(map, "rotate");
  const mote_node *axis = rotate != NULL ? mote_node_find(rotate, "axis") : NULL;
  if (axis == NULL || turn->axis[0] != 0 || turn->axis[1] != 0 || turn->axis[2] != 0) return MOTE_OK;
  return mote_place_fail(b->error, axis->place, "\"axis\" must not be 0");
}

// Handles of `list` in the mapping; `regions`: they have regions, else they must not.
static mote_result check_handles(mote_binder *b, const mote_node *list, const mote_handle_def *handle,
                                 size_t count, bool regions) {
  const mote_node *map = list != NULL ? list->first : NULL;
  for (size_t k = 0; k < count && map != NULL; ++k, map = map->next) {
    static const char *const kinds[] = {"shape", "vertices", "group"};
    mote_handle_def *own = (mote_handle_def *)(void *)(uintptr_t)&handle[k];  // the pool's
    const mote_node *region = NULL;
    for (int n = 0; n < 3 && region == NULL; ++n) region = mote_node_find(map, kinds[n]);
    if (regions && region == NULL)
      return mote_place_fail(b->error, mote_node_place(map),
                             "handle \"%.31s\" needs a region: shape, vertices or group", map->key);
    if (!regions && region != NULL)
      return mote_place_fail(
          b->error, region->key_place,
          "\"%s\" belongs to the handle of this name in \"deform\": a key has its pose only", region->key);
    MOTE_IO_TRY(read_ranges(b, map, own));
    MOTE_IO_TRY(check_axis(b, map, &own->rotate));
    own->posed = own->fix || mote_node_find(map, "move") != NULL || mote_node_find(map, "rotate") != NULL;
  }
  return MOTE_OK;
}

static mote_result check_posed(mote_binder *b, const mote_node *list, const mote_handle_def *handle,
                               size_t count) {
  const mote_node *map = list != NULL ? list->first : NULL;
  for (size_t k = 0; k < count && map != NULL; ++k, map = map->next)
    if (!handle[k].posed)
      return mote_place_fail(b->error, mote_node_place(map),
                             "handle \"%.31s\" has none of fix, move and rotate", map->key);
  return MOTE_OK;
}

mote_result mote_bind_edits(mote_binder *b, mote_node *root, mote_edits *out) {
  mote_scene_section_default("edits", out);
  out->solve.milliseconds = (double)INFINITY;  // no limit that depends on the machine
  MOTE_IO_TRY(mote_bind_section(b, "edits", NULL, root, out));
  const mote_node *list = mote_node_find(root, "handles");
  if (out->handles == 0)
    return mote_place_fail(b->error, list != NULL ? mote_node_place(list) : root->place,
                           "there are no handles: nothing is deformed");
  MOTE_IO_TRY(check_handles(b, list, out->handle, out->handles, true));
  return check_posed(b, list, out->handle, out->handles);
}

// --- Keys -------------------------------------------------------------------------------------------------

static mote_result check_name(mote_binder *b, const mote_edits *edits, const mote_node *map) {
  const char *names[NAMES_MOST];
  size_t count = 0;
  for (size_t k = 0; k < edits->handles; ++k) {
    if (strcmp(edits->handle[k].name, map->key) == 0) {
      if (!edits->handle[k].fix) return MOTE_OK;
      return mote_place_fail(b->error, map->key_place, "handle \"%.31s\" is fixed in \"deform\"", map->key);
    }
    if (count < NAMES_MOST) names[count++] = edits->handle[k].name;
  }
  const char *near = mote_text_closest(map->key, names, count);
  if (near != NULL)
    return mote_place_fail(b->error, map->key_place, "there is no handle \"%.31s\"; did you mean \"%.31s\"?",
                           map->key, near);
  return mote_place_fail(b->error, map->key_place,
                         "there is no handle \"%.31s\": \"deform\" has the handles and their regions",
                         map->key);
}

// Files are relative to the file that names them.
static mote_result find_file(mote_binder *b, const mote_node *map, const char *name, const char **path) {
  const mote_node *node = mote_node_find(map, name);
  if (node == NULL) return MOTE_OK;
  if (!b->files)
    return mote_place_fail(b->error, node->place,
                           "%s \"%.200s\": cannot be read: the list of keys is no file", name, node->text);
  *path = mote_load_path(b->pool, node->place.file, node->text);
  if (*path == NULL) return mote_io_fail_memory(b->error);
  if (mote_pool_would_wait(*path))
    return mote_place_fail(b->error, node->place, "%s \"%.200s\": is a pipe or a device, not a file", name,
                           node->text);
  return MOTE_OK;
}

static mote_result check_keyframe(mote_binder *b, const mote_animation *a, size_t k, const mote_node *map) {
  mote_keyframe_def *key = (mote_keyframe_def *)(void *)(uintptr_t)&a->key[k];  // the pool's
  const mote_node *time = mote_node_find(map, "time"), *list = mote_node_find(map, "handles");
  const mote_node *part = mote_node_find(map, "part");
  if (k > 0 && !(key->time > a->key[k - 1].time))
    return mote_place_fail(b->error, time->place,
                           "\"time\" must be after that of the key before, %g s, but is %s",
                           a->key[k - 1].time, time->text);
  for (const mote_node *handle = list != NULL ? list->first : NULL; handle != NULL; handle = handle->next)
    MOTE_IO_TRY(check_name(b, &a->deform, handle));
  MOTE_IO_TRY(check_handles(b, list, key->handle, key->handles, false));
  MOTE_IO_TRY(check_posed(b, list, key->handle, key->handles));
  if (key->part && key->handles == 0) return mote_place_fail(b->error, part->place, "\"part\" needs handles");
  MOTE_IO_TRY(find_file(b, map, "mesh", &key->mesh));
  return find_file(b, map, "snapshot", &key->snapshot);
}

mote_result mote_bind_animation(mote_binder *b, mote_node *root, mote_animation *out) {
  mote_scene_section_default("animation", out);
  out->deform.solve.milliseconds = (double)INFINITY;
  MOTE_IO_TRY(mote_bind_section(b, "animation", NULL, root, out));
  const mote_node *deform = mote_node_find(root, "deform"), *keys = mote_node_find(root, "keys");
  if (deform != NULL)
    MOTE_IO_TRY(
        check_handles(b, mote_node_find(deform, "handles"), out->deform.handle, out->deform.handles, true));
  if (out->keys < 2) return mote_place_fail(b->error, keys->place, "\"keys\" must have at least two keys");
  const mote_node *map = keys->first;
  for (size_t k = 0; k < out->keys; ++k, map = map->next) MOTE_IO_TRY(check_keyframe(b, out, k, map));
  return MOTE_OK;
}
