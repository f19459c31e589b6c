// From paths of definitions ("bodies.dam.shape.radius") to places in files. Definitions and files differ a
// little: sizes of a shape stand under its kind, a rotation in a mapping of its own.
#include <stdio.h>
#include <string.h>

#include "language/scene_file.h"

// Members of definitions that have another name in files.
static const struct {
  const char *member, *key;
} renamed[] = {
    {"angle", "rotate"}, {"axis", "rotate"},   {"pivot", "about"},  {"pivot", "rotate"},
    {"normal", "axis"},  {"normal", "normal"}, {"centre", "point"}, {"radius", "size"},
    {"low", "centre"},   {"high", "size"},     {"mesh", "file"},
};

static const mote_node *find_renamed(const mote_node *map, const char *key) {
  const mote_node *found = NULL;
  for (size_t k = 0; k < sizeof renamed / sizeof *renamed && found == NULL; ++k)
    if (strcmp(renamed[k].member, key) == 0) found = mote_node_find(map, renamed[k].key);
  return found;
}

static const mote_node *element(const mote_node *list, const char *digits) {
  size_t index = 0;
  const mote_node *child = list->first;
  for (; *digits >= '0' && *digits <= '9'; ++digits) index = index * 10 + (size_t)(*digits - '0');
  while (child != NULL && index-- > 0) child = child->next;
  return child;
}

static bool is_number(const char *key) {
  return key[0] >= '0' && key[0] <= '9';
}

typedef const mote_node *find_fn(const mote_node *map, const char *key);

static const mote_node *find_exact(const mote_node *map, const char *key) {
  return mote_node_find_copy(map, key);
}

// In the mapping itself, or in one just below it.
static const mote_node *find_near(const mote_node *map, const char *key, find_fn *find) {
  const mote_node *found = find(map, key);
  for (const mote_node *child = map->first; child != NULL && found == NULL; child = child->next) {
    if (child->kind == MOTE_NODE_MAP) found = find(child, key);
    if (child->kind == MOTE_NODE_LIST && is_number(key)) found = element(child, key);
  }
  return found;
}

// The child that is meant; null when there is none.
static const mote_node *step(const mote_node *node, const char *key) {
  if (node->kind == MOTE_NODE_LIST) return is_number(key) ? element(node, key) : NULL;
  const mote_node *found = find_near(node, key, find_exact);
  return found != NULL ? found : find_near(node, key, find_renamed);
}

// The node nearest to the one at `path`, which is taken apart. Keys that are not there are passed over.
static const mote_node *walk(const mote_node *node, char *path) {
  for (char *key = path, *end; key != NULL && key[0] != 0; key = end) {
    end = strpbrk(key, ".[]");
    if (end != NULL) {
      *end++ = 0;
      end += strspn(end, ".[]");
    }
    const mote_node *next = step(node, key);
    if (next != NULL) node = next;
  }
  return node;
}

// Shapes have no spacing of their own: the world's does not suit them.
static void drop_spacing(char *key) {
  static const char end[] = ".shape.spacing";
  size_t length = strlen(key), tail = sizeof end - 1;
  if (length > tail && strcmp(key + length - tail, end) == 0) key[length - strlen(".spacing")] = 0;
}

void mote_scene_file_locate(const mote_scene_file *file, mote_error *error) {
  if (error == NULL || error->file[0] != 0) return;
  char path[sizeof error->key], text[sizeof error->text];
  drop_spacing(error->key);
  snprintf(path, sizeof path, "%s", error->key);
  const mote_node *node = walk(file->root, path);
  mote_text_position place = node->kind == MOTE_NODE_MAP ? mote_node_place(node) : node->place;
  snprintf(error->file, sizeof error->file, "%s", place.file);
  error->line = place.line;
  error->column = place.column;
  bool named = strncmp(place.file, "--set ", 6) == 0 && strcmp(place.file + 6, error->key) == 0;
  if (error->key[0] == 0 || named) return;
  snprintf(text, sizeof text, "%s", error->text);
  snprintf(error->text, sizeof error->text, "%s: %.380s", error->key, text);
}
