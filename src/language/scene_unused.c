// Keys of a scene that have no effect beside others: the table of conditions held against the tree.
#include <stdio.h>
#include <string.h>

#include "language/scene_file.h"

typedef struct search {
  const mote_scene_file *file;
  mote_scene_note_fn *report;
  void *user;
  size_t count;
} search;

// "kind: line or level" of the values "line, level".
static void print_need(const mote_key_condition *c, char out[128]) {
  const char *comma = strrchr(c->values, ',');
  if (strcmp(c->values, "set") == 0)
    snprintf(out, 128, "%s", c->other);
  else if (comma == NULL)
    snprintf(out, 128, "%s: %s", c->other, c->values);
  else
    snprintf(out, 128, "%s: %.*s or%s", c->other, (int)(comma - c->values), c->values, comma + 1);
}

// `path`: of the mapping in the scene.
static void report_key(search *s, const mote_node *node, const char *path, const mote_key_condition *c) {
  mote_error error = {.line = node->key_place.line, .column = node->key_place.column};
  char need[128];
  print_need(c, need);
  snprintf(error.file, sizeof error.file, "%s", node->key_place.file);
  snprintf(error.key, sizeof error.key, "%s.%s", path, c->name);
  snprintf(error.text, sizeof error.text, "%s has no effect: it needs %s", error.key, need);
  ++s->count;
  if (s->report != NULL) s->report(s->user, &error);
}

static void search_map(search *s, const mote_node *map, const char *section, const char *path,
                       const void *def) {
  if (map == NULL || map->kind != MOTE_NODE_MAP) return;
  for (const mote_node *child = map->first; child != NULL; child = child->next) {
    const mote_key_condition *c = mote_scene_key_unused(section, child->key, def);
    if (c != NULL) report_key(s, child, path, c);
  }
}

// Of each definition of a list, which begins with its name.
static void search_list(search *s, const char *list, const char *section, const void *items, size_t count) {
  const mote_node *map = mote_node_find(s->file->root, list);
  for (size_t k = 0; map != NULL && k < count; ++k) {
    const char *item = (const char *)items + k * mote_scene_section_size(section), *name;
    char path[80];
    memcpy(&name, item, sizeof name);
    snprintf(path, sizeof path, "%s.%.31s", list, name);
    search_map(s, mote_node_find(map, name), section, path, item);
  }
}

size_t mote_scene_file_unused(const mote_scene_file *file, mote_scene_note_fn *report, void *user) {
  const mote_scene *scene = &file->scene;
  const mote_node *outputs = mote_node_find(file->root, "outputs"),
                  *domain = mote_node_find(file->root, "domain");
  search s = {.file = file, .report = report, .user = user};
  search_map(&s, domain, "domain", "domain", &scene->world);
  if (domain != NULL) search_map(&s, mote_node_find(domain, "air"), "air", "domain.air", &scene->world.air);
  search_list(&s, "materials", "material", scene->material, scene->materials);
  search_list(&s, "colliders", "collider", scene->collider, scene->colliders);
  search_list(&s, "probes", "probe", scene->probe, scene->probes);
  search_list(&s, "lamps", "lamp", scene->lamp, scene->lamps);
  if (outputs != NULL)
    search_map(&s, mote_node_find(outputs, "surface"), "surface", "outputs.surface", &scene->outputs.surface);
  search_map(&s, mote_node_find(file->root, "solver"), "solver", "solver", &scene->world.solver);
  return s.count;
}
