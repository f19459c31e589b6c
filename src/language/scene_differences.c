// What differs between two scenes: their trees side by side, without what only looks different.
#include <stdio.h>
#include <string.h>

#include "language/scene_file.h"
#include "language/scene_text.h"

typedef struct comparison {
  mote_pool *pool;
  mote_scene_difference_fn *report;
  void *user;
  size_t count;
} comparison;

static const char *text_of(comparison *c, const mote_node *node) {
  if (node == NULL) return "(none)";
  mote_growing text = {.pool = c->pool};
  mote_scene_text_flow(&text, node);
  return text.failed || text.text == NULL ? "?" : text.text;
}

static void compare(comparison *c, const char *key, const mote_node *a, const mote_node *b);

static void compare_child(comparison *c, const char *key, const char *name, const mote_node *a,
                          const mote_node *b) {
  if ((a == NULL || a->shown_only) && (b == NULL || b->shown_only)) return;
  mote_growing path = {.pool = c->pool};
  mote_growing_text(&path, key);
  if (key[0] != 0) mote_growing_text(&path, ".");
  mote_growing_text(&path, name);
  compare(c, path.failed ? key : path.text, a, b);
}

static bool same_order(const mote_node *a, const mote_node *b) {
  const mote_node *x = a->first, *y = b->first;
  while (x != NULL && y != NULL && strcmp(x->key, y->key) == 0) x = x->next, y = y->next;
  return x == NULL && y == NULL;
}

static bool same_keys(const mote_node *a, const mote_node *b) {
  if (a->count != b->count) return false;
  for (const mote_node *child = a->first; child != NULL; child = child->next)
    if (mote_node_find(b, child->key) == NULL) return false;
  return true;
}

static void compare_maps(comparison *c, const char *key, const mote_node *a, const mote_node *b) {
  for (const mote_node *child = a->first; child != NULL; child = child->next)
    compare_child(c, key, child->key, child, mote_node_find(b, child->key));
  for (const mote_node *child = b->first; child != NULL; child = child->next)
    if (mote_node_find(a, child->key) == NULL) compare_child(c, key, child->key, NULL, child);
  if (same_keys(a, b) && !same_order(a, b)) {
    ++c->count;
    if (c->report != NULL) c->report(c->user, key, "in this order", "in another order");
  }
}

static void compare_lists(comparison *c, const char *key, const mote_node *a, const mote_node *b) {
  const mote_node *x = a->first, *y = b->first;
  for (size_t k = 0; x != NULL || y != NULL; ++k) {
    char index[24];
    snprintf(index, sizeof index, "%zu", k);
    compare_child(c, key, index, x, y);
    x = x == NULL ? NULL : x->next;
    y = y == NULL ? NULL : y->next;
  }
}

static bool has_mappings(const mote_node *list) {
  return list->first != NULL && list->first->kind == MOTE_NODE_MAP;
}

static void compare(comparison *c, const char *key, const mote_node *a, const mote_node *b) {
  if (a != NULL && b != NULL && a->kind == b->kind) {
    if (a->kind == MOTE_NODE_MAP) {
      compare_maps(c, key, a, b);
      return;
    }
    if (a->kind == MOTE_NODE_LIST && has_mappings(a) && has_mappings(b)) {
      compare_lists(c, key, a, b);
      return;
    }
    if (mote_scene_hash_node(MOTE_SCENE_HASH, a) == mote_scene_hash_node(MOTE_SCENE_HASH, b)) return;
  }
  ++c->count;
  if (c->report != NULL) c->report(c->user, key, text_of(c, a), text_of(c, b));
}

size_t mote_scene_differences(const mote_scene_file *a, const mote_scene_file *b,
                              mote_scene_difference_fn *report, void *user) {
  mote_pool pool = mote_pool_make(&a->pool.env);
  comparison c = {.pool = &pool, .report = report, .user = user};
  compare(&c, "", a->root, b->root);
  mote_pool_free(&pool);
  return c.count;
}
