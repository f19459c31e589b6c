// The tree of a document: see scene_node.h.
#include "language/scene_node.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

mote_node *mote_node_new(mote_pool *pool, mote_node_kind kind, mote_text_position place) {
  mote_node *node = mote_pool_take(pool, sizeof *node);
  if (node == NULL) return NULL;
  node->kind = kind;
  node->place = place;
  node->text = "";
  return node;
}

void mote_node_append(mote_node *parent, mote_node *child) {
  child->next = NULL;
  if (parent->last == NULL)
    parent->first = child;
  else
    parent->last->next = child;
  parent->last = child;
  ++parent->count;
}

void mote_node_remove(mote_node *parent, const mote_node *child) {
  mote_node *before = NULL;
  for (mote_node *node = parent->first; node != child; node = node->next) before = node;
  if (before == NULL)
    parent->first = child->next;
  else
    before->next = child->next;
  if (parent->last == child) parent->last = before;
  --parent->count;
}

void mote_node_adopt(mote_node *parent, const mote_node *from) {
  parent->first = from->first;
  parent->last = from->last;
  parent->count = from->count;
}

mote_node *mote_node_find(const mote_node *map, const char *key) {
  if (map->kind != MOTE_NODE_MAP) return NULL;
  for (mote_node *node = map->first; node != NULL; node = node->next)
    if (strcmp(node->key, key) == 0) return node;
  return NULL;
}

mote_node *mote_node_find_copy(const mote_node *map, const char *key) {
  char name[32];
  mote_node *found = mote_node_find(map, key);
  const char *dash = strrchr(key, '-');
  if (found != NULL || dash == NULL || dash[1] == 0 || dash[1 + strspn(dash + 1, "0123456789")] != 0)
    return found;
  snprintf(name, sizeof name, "%.*s", (int)(dash - key), key);
  return mote_node_find(map, name);
}

bool mote_node_is_null(const mote_node *node) {
  static const char *const nothing[] = {"", "~", "null", "Null", "NULL"};
  if (node->kind != MOTE_NODE_TEXT || !node->plain) return false;
  for (size_t k = 0; k < sizeof nothing / sizeof *nothing; ++k)
    if (strcmp(node->text, nothing[k]) == 0) return true;
  return false;
}

mote_text_position mote_node_place(const mote_node *node) {
  return node->key != NULL ? node->key_place : node->place;
}

static bool is_cut(const char *text) {
  int open = 0;
  for (const char *c = text; c != NULL && *c != 0 && open >= 0; ++c) open += (*c == '(') - (*c == ')');
  return open != 0;
}

const char *mote_node_advice(const mote_node *node) {
  bool any = false;
  for (const mote_node *child = node->first; child != NULL; child = child->next)
    any = any || is_cut(child->key) || (child->kind == MOTE_NODE_TEXT && child->plain && is_cut(child->text));
  return any ? "; quote formulas that have commas" : "";
}

const char *mote_node_what(const mote_node *node, char out[MOTE_NODE_WHAT]) {
  if (node->kind == MOTE_NODE_LIST) {
    snprintf(out, MOTE_NODE_WHAT, "a list of %zu", node->count);
    return out;
  }
  if (node->kind == MOTE_NODE_MAP) return "a mapping";
  if (mote_node_is_null(node)) return "nothing";
  bool cut = strlen(node->text) > 40;
  snprintf(out, MOTE_NODE_WHAT, "\"%.40s%s\"", node->text, cut ? "..." : "");
  return out;
}

mote_result mote_place_fail(mote_error *error, mote_text_position place, const char *format, ...) {
  if (error == NULL) return MOTE_ERROR_FORMAT;
  *error = (mote_error){.code = MOTE_ERROR_FORMAT, .line = place.line, .column = place.column};
  if (place.file != NULL) snprintf(error->file, sizeof error->file, "%s", place.file);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->text, sizeof error->text, format, arguments);
  va_end(arguments);
  return MOTE_ERROR_FORMAT;
}

mote_result mote_sink_keep(mote_error_sink *sink, mote_result result) {
  if (result == MOTE_OK || result == MOTE_ERROR_MEMORY) return result;
  if (sink->newest.code != MOTE_OK) mote_error_list_add(&sink->list, &sink->newest);
  sink->newest.code = MOTE_OK;
  return sink->list.count < MOTE_ERRORS_MOST ? MOTE_OK : result;
}
