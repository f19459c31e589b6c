// Bodies of a scene with `copies` become many: see scene_bind.h.
#include <stdio.h>
#include <string.h>

#include "language/scene_bind.h"

// The part of a failure's key that is a child of the body's mapping, or of `copies` in it.
static mote_result fail_at(mote_binder *b, const mote_node *root, const char *name) {
  const mote_node *body = mote_node_find(mote_node_find(root, "bodies"), name);
  const mote_node *node = mote_node_find(body, "copies");
  mote_error was = *b->error;
  const char *dot = strchr(was.key, '.');
  const mote_node *inner =
      dot != NULL && strncmp(was.key, "copies.", 7) == 0 ? mote_node_find(node, dot + 1) : NULL;
  const mote_node *other = inner == NULL ? mote_node_find(body, was.key) : NULL;
  if (inner != NULL || other != NULL) node = inner != NULL ? inner : other;
  mote_text_position place = node->kind == MOTE_NODE_MAP ? mote_node_place(node) : node->place;
  return mote_place_fail(b->error, place, "bodies.%.31s.%.64s: %.300s", name, was.key, was.text);
}

static mote_result expand(mote_binder *b, const mote_body_entry *from, const mote_node *root,
                          mote_body_list *out) {
  const mote_scene *scene = b->scene;
  mote_result result = mote_body_copies(&from->def, &from->copies, scene->world.dimensions, scene->world.seed,
                                        &b->pool->env, out, b->error);
  return result == MOTE_ERROR_ARGUMENT ? fail_at(b, root, from->def.name) : result;
}

// Behind those that are there already.
static mote_result append(mote_binder *b, const mote_body_def *more, size_t count, bool names,
                          mote_body_def **list, size_t *there, size_t *used) {
  if (*used + count > *there) {
    size_t capacity = 2 * *there > *used + count ? 2 * *there : *used + count;
    mote_body_def *grown = mote_pool_take(b->pool, capacity * sizeof *grown);
    if (grown == NULL) return mote_io_fail_memory(b->error);
    if (*used > 0) memcpy(grown, *list, *used * sizeof *grown);
    *list = grown, *there = capacity;
  }
  for (size_t k = 0; k < count; ++k) {
    mote_body_def *to = *list + (*used)++;
    *to = more[k];
    if (!names) continue;
    to->name = mote_pool_copy(b->pool, more[k].name, strlen(more[k].name));
    if (to->name == NULL) return mote_io_fail_memory(b->error);
  }
  return MOTE_OK;
}

mote_result mote_bind_copies(mote_binder *b, const mote_node *root) {
  mote_scene *scene = b->scene;
  const mote_body_entry *bound = (const void *)scene->body;
  mote_body_def *list = NULL;
  size_t held = 0, used = 0;
  for (size_t k = 0; k < scene->bodies; ++k) {
    mote_body_list copies = {0};
    mote_result result = MOTE_OK;
    if (bound[k].copies.within.kind == MOTE_SHAPE_NONE) {
      result = append(b, &bound[k].def, 1, false, &list, &held, &used);
    } else if (!b->world_is_wrong) {
      result = expand(b, bound + k, root, &copies);
      if (result == MOTE_OK) result = append(b, copies.body, copies.count, true, &list, &held, &used);
    }
    mote_body_list_free(&copies, &b->pool->env);
    MOTE_IO_TRY(mote_sink_keep(b->sink, result));
  }
  scene->body = list, scene->bodies = used;
  return MOTE_OK;
}
