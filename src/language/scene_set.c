// Changes of the command line, "a.b=c": the value is YAML; the path names keys, and numbers, from 0, elements
// of lists: "hold.0" or, as messages name them, "hold[0]". Messages name the change instead of a file and
// line.
#include <mote/keys.h>
#include <mote/text.h>
#include <stdio.h>
#include <string.h>

#include "language/scene_load.h"

typedef struct change {
  mote_loader *loader;
  mote_text_position place;
  mote_node *root;
} change;

static void move_to(mote_node *node, mote_text_position place) {
  node->place = node->key_place = place;
  node->exact = false;
  for (mote_node *child = node->first; child != NULL; child = child->next) move_to(child, place);
}

static mote_result parse_value(change *c, const char *text, mote_node **out) {
  mote_yaml *yaml = &c->loader->yaml;
  mote_result result = mote_yaml_read(yaml, text, strlen(text), c->place.file, out);
  if (result == MOTE_OK && *out == NULL) {
    *out = mote_node_new(yaml->pool, MOTE_NODE_TEXT, c->place);
    if (*out == NULL) return mote_io_fail_memory(yaml->error);
    (*out)->plain = true;
  }
  if (result == MOTE_OK)
    move_to(*out, c->place);
  else
    yaml->error->line = yaml->error->column = 0;
  return result;
}

// A thing that is to be changed must be there; a new one is made by giving it whole.
static mote_result fail_absent(change *c, const mote_node *map, const char *key, const char *section) {
  const char *names[64];
  size_t count = 0;
  for (const mote_node *child = map->first; child != NULL && count < 64; child = child->next)
    names[count++] = child->key;
  const char *near = mote_text_closest(key, names, count);
  if (near != NULL)
    return mote_place_fail(c->loader->yaml.error, c->place,
                           "there is no \"%.40s\" in %s; did you mean \"%.40s\"?", key, section, near);
  return mote_place_fail(c->loader->yaml.error, c->place, "there is no \"%.40s\" in %s", key, section);
}

static mote_result list_element(change *c, const mote_node *list, const char *key, mote_node **out) {
  long long index = -1;
  size_t length = strlen(key);
  if (mote_text_read_integer(key, length, &index).length != length || index < 0 ||
      (size_t)index >= list->count)
    return mote_place_fail(c->loader->yaml.error, c->place,
                           "\"%.40s\" is no element of the list: they are numbered from 0 to %zu", key,
                           list->count == 0 ? 0 : list->count - 1);
  *out = list->first;
  while (index-- > 0) *out = (*out)->next;
  return MOTE_OK;
}

static bool is_named(const mote_node *root, const mote_node *map) {
  if (map == root || map->key == NULL || mote_node_find(root, map->key) != map) return false;
  const mote_scene_key *key = mote_scene_key_find("scene", map->key);
  return key != NULL && key->kind == MOTE_KEY_NAMED;
}

// Where a key takes true or a mapping, true is the mapping without keys.
static bool is_true(const mote_node *node) {
  static const char *const words[] = {"true", "yes", "on"};
  bool found = false;
  for (int k = 0; k < 3; ++k) found = found || strcmp(node->text, words[k]) == 0;
  return found;
}

// The child under `key`, made where there is none.
static mote_result child_at(change *c, mote_node *parent, const char *key, bool last, mote_node **out) {
  mote_yaml *yaml = &c->loader->yaml;
  if (parent->kind == MOTE_NODE_LIST) return list_element(c, parent, key, out);
  if (parent->kind == MOTE_NODE_TEXT) {  // what follows decides what it is
    char what[MOTE_NODE_WHAT];
    if (!mote_node_is_null(parent) && !is_true(parent))
      return mote_place_fail(yaml->error, c->place, "\"%.40s\" cannot be in %s, which is no mapping", key,
                             mote_node_what(parent, what));
    parent->kind = MOTE_NODE_MAP;
  }
  *out = mote_node_find(parent, key);
  if (*out != NULL) return MOTE_OK;
  if (!last && is_named(c->root, parent)) return fail_absent(c, parent, key, parent->key);
  *out = mote_node_new(yaml->pool, MOTE_NODE_TEXT, c->place);
  if (*out == NULL) return mote_io_fail_memory(yaml->error);
  (*out)->plain = true;
  (*out)->key = key;
  (*out)->key_place = c->place;
  mote_node_append(parent, *out);
  return MOTE_OK;
}

// The new value takes the place of the old one: its links stay.
static void assign(mote_node *node, const mote_node *value, mote_text_position place) {
  node->kind = value->kind;
  node->plain = value->plain;
  node->exact = false;
  node->text = value->text;
  node->first = value->first;
  node->last = value->last;
  node->count = value->count;
  node->place = node->key_place = place;
}

// hold[0].shape becomes hold.0.shape.
static void drop_brackets(char *path) {
  char *to = path;
  for (const char *from = path; *from != 0; ++from) {
    size_t digits = *from == '[' ? strspn(from + 1, "0123456789") : 0;
    if (digits == 0 || from[digits + 1] != ']') {
      *to++ = *from;
      continue;
    }
    *to++ = '.';
    memmove(to, from + 1, digits);
    to += digits, from += digits + 1;
  }
  *to = 0;
}

mote_result mote_load_set(mote_loader *loader, mote_node *root, const char *set) {
  mote_pool *pool = loader->yaml.pool;
  const char *equals = strchr(set, '=');
  size_t length = equals == NULL ? strlen(set) : (size_t)(equals - set);
  char *file = mote_pool_take(pool, length + 8), *path = mote_pool_copy(pool, set, length);
  if (file == NULL || path == NULL) return mote_io_fail_memory(loader->yaml.error);
  snprintf(file, length + 8, "--set %s", path);
  drop_brackets(path);
  change c = {.loader = loader, .root = root, .place = {.file = file}};
  if (equals == NULL || length == 0)
    return mote_place_fail(loader->yaml.error, c.place,
                           "KEY=VALUE is expected, e.g. bodies.dam.fill=relaxed");
  mote_node *value = NULL, *node = root;
  MOTE_IO_TRY(parse_value(&c, equals + 1, &value));
  int depth = 0;
  for (char *key = path, *dot; key != NULL; key = dot) {
    dot = strchr(key, '.');
    if (dot != NULL) *dot++ = 0;
    if (key[0] == 0 || ++depth > MOTE_YAML_DEPTH)
      return mote_place_fail(loader->yaml.error, c.place, "a key is empty, or there are too many");
    MOTE_IO_TRY(child_at(&c, node, key, dot == NULL, &node));
  }
  assign(node, value, c.place);
  return MOTE_OK;
}
