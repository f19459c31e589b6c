// Binds mappings by the table: unknown keys, missing keys, names, references. See scene_bind.h.
#include "language/scene_bind.h"

#include <mote/edits.h>
#include <mote/text.h>
#include <stdio.h>
#include <string.h>

enum { LABEL = 64 };

// --- Keys of a mapping ------------------------------------------------------------------------------------

static void label_of(const char *section, const char *name, char out[LABEL]) {
  if (name != NULL)
    snprintf(out, LABEL, "%s \"%.31s\"", section, name);
  else
    snprintf(out, LABEL, "%s", strcmp(section, "scene") == 0 ? "the scene" : section);
}

static mote_result fail_unknown(mote_binder *b, const char *section, const char *name, const mote_node *map,
                                const mote_node *child) {
  size_t count;
  const mote_scene_key *keys = mote_scene_section(section, &count);
  const char **names = mote_pool_take(b->pool, count * sizeof *names);
  if (names == NULL) return mote_io_fail_memory(b->error);
  for (size_t k = 0; k < count; ++k) names[k] = keys[k].name;
  const char *near = mote_text_closest(child->key, names, count);
  char label[LABEL];
  label_of(section, name, label);
  mote_text_position place = child->key_place;
  if (mote_node_advice(map)[0] != 0)
    return mote_place_fail(b->error, place, "unknown key \"%.40s\" in %s%s", child->key, label,
                           mote_node_advice(map));
  if (near != NULL)
    return mote_place_fail(b->error, place, "unknown key \"%.40s\" in %s; did you mean \"%s\"?", child->key,
                           label, near);
  mote_growing list = {.pool = b->pool};
  for (size_t k = 0; k < count; ++k) {
    if (k > 0) mote_growing_text(&list, ", ");
    mote_growing_text(&list, names[k]);
  }
  if (list.failed) return mote_io_fail_memory(b->error);
  return mote_place_fail(b->error, place, "unknown key \"%.40s\" in %s; there are %s", child->key, label,
                         list.text);
}

static mote_result check_keys(mote_binder *b, const char *section, const char *name, const mote_node *map,
                              bool *known) {
  *known = true;
  for (const mote_node *child = map->first; child != NULL; child = child->next) {
    if (mote_scene_key_find(section, child->key) != NULL) continue;
    *known = false;
    b->world_is_wrong = b->world_is_wrong || strcmp(section, "scene") == 0;
    MOTE_IO_TRY(mote_sink_keep(b->sink, fail_unknown(b, section, name, map, child)));
  }
  return MOTE_OK;
}

static mote_result bind_named(mote_binder *b, const mote_scene_key *key, mote_node *map, void *target);
static mote_result bind_list(mote_binder *b, const mote_scene_key *key, mote_node *list, void *target);

_Static_assert(offsetof(mote_surface_output_def, on) == 0, "an option begins with its switch");

// true stands for a mapping without keys.
static mote_result bind_option(mote_binder *b, const mote_scene_key *key, mote_node *node, void *target) {
  mote_scene_key word = *key;
  word.type = "true, false or a mapping";
  word.kind = MOTE_KEY_SWITCH;
  if (node->kind != MOTE_NODE_MAP) return mote_bind_value(b, &word, node, target);
  *(bool *)target = true;
  return mote_bind_section(b, key->detail, NULL, node, target);
}

static mote_result bind_child(mote_binder *b, const mote_scene_key *key, mote_node *node, void *target) {
  node->shown_only = (key->flags & MOTE_KEY_SHOWN_ONLY) != 0;
  switch ((int)key->kind) {
    case MOTE_KEY_MAP:
      if (node->kind != MOTE_NODE_MAP) return mote_bind_fail_type(b, key, node);
      return mote_bind_section(b, key->detail, NULL, node, target);
    case MOTE_KEY_OPTION: return bind_option(b, key, node, target);
    case MOTE_KEY_NAMED: return bind_named(b, key, node, target);
    case MOTE_KEY_LIST: return bind_list(b, key, node, target);
    case MOTE_KEY_SHAPE:
      if (node->kind != MOTE_NODE_MAP) return mote_bind_fail_type(b, key, node);
      return mote_bind_shape(b, node, target);
    case MOTE_KEY_PARTS: return mote_bind_parts(b, key, node, target);
    default: return mote_bind_value(b, key, node, target);
  }
}

static mote_result fail_missing(mote_binder *b, const char *section, const char *name, const mote_node *map,
                                const mote_scene_key *key) {
  char label[LABEL];
  label_of(section, name, label);
  return mote_place_fail(b->error, mote_node_place(map), "\"%s\" is missing in %s", key->name, label);
}

// Keys of which only one may be given.
static const struct {
  const char *section, *a, *b;
} exclusive[] = {
    {"emitter", "radius", "size"},       {"motion", "keys", "move"},      {"motion", "keys", "angle"},
    {"handle", "shape", "vertices"},     {"handle", "shape", "group"},    {"handle", "vertices", "group"},
    {"handle", "fix", "move"},           {"handle", "fix", "rotate"},     {"keyframe", "handles", "mesh"},
    {"keyframe", "handles", "snapshot"}, {"keyframe", "mesh", "snapshot"}};

static mote_result check_probe(mote_binder *b, const char *label, const mote_node *map) {
  const mote_node *node = mote_node_find(map, "kind");
  const char *kind = node != NULL && node->text != NULL ? node->text : "point", *missing = NULL;
  bool path = strcmp(kind, "line") == 0 || strcmp(kind, "level") == 0, force = strcmp(kind, "force") == 0;
  if (path && mote_node_find(map, "to") == NULL) missing = "to";
  if ((force || strcmp(kind, "body") == 0) && mote_node_find(map, "of") == NULL) missing = "of";
  if (!force && mote_node_find(map, "from") == NULL) missing = "from";
  if (missing == NULL) return MOTE_OK;
  if (strcmp(missing, "from") == 0)
    return mote_place_fail(b->error, mote_node_place(map), "\"from\" is missing in %s", label);
  return mote_place_fail(b->error, mote_node_place(map), "\"%s\" is missing in %s, which is a %s", missing,
                         label, kind);
}

static mote_result check_lamp(mote_binder *b, const char *label, const mote_node *map) {
  const mote_node *node = mote_node_find(map, "kind");
  const char *kind = node != NULL && node->text != NULL ? node->text : "sphere";
  if (strcmp(kind, "distant") == 0 || mote_node_find(map, "centre") != NULL) return MOTE_OK;
  return mote_place_fail(b->error, mote_node_place(map), "\"centre\" is missing in %s, which is a %s", label,
                         kind);
}

// What the keys of a mapping say to each other.
static mote_result check_together(mote_binder *b, const char *section, const char *name,
                                  const mote_node *map) {
  char label[LABEL];
  label_of(section, name, label);
  for (size_t k = 0; k < sizeof exclusive / sizeof *exclusive; ++k) {
    if (strcmp(exclusive[k].section, section) != 0) continue;
    const mote_node *first = mote_node_find(map, exclusive[k].a),
                    *second = mote_node_find(map, exclusive[k].b);
    if (first != NULL && second != NULL)
      return mote_place_fail(b->error, second->key_place, "%s has \"%s\" or \"%s\", not both", label,
                             first->key, second->key);
  }
  if (strcmp(section, "lamp") == 0) return check_lamp(b, label, map);
  return strcmp(section, "probe") == 0 ? check_probe(b, label, map) : MOTE_OK;
}

// Whether bodies may be wrong because this value of the scene is.
static bool decides_world(const char *section, const mote_scene_key *key) {
  return strcmp(section, "scene") == 0 && key->kind != MOTE_KEY_NAMED &&
         (key->flags & MOTE_KEY_SHOWN_ONLY) == 0;
}

mote_result mote_bind_section(mote_binder *b, const char *section, const char *name, mote_node *map,
                              void *target) {
  bool known, fine;
  MOTE_IO_TRY(check_keys(b, section, name, map, &known));
  if (!known && mote_node_advice(map)[0] != 0) return MOTE_ERROR_FORMAT;  // commas have cut its values
  size_t count;
  const mote_scene_key *key = mote_scene_section(section, &count);
  mote_node ordered = {.kind = MOTE_NODE_MAP};
  fine = known;
  for (size_t k = 0; k < count; ++k, ++key) {
    mote_result result = MOTE_OK;
    mote_node *child = mote_node_find(map, key->name);
    if (child != NULL) mote_node_remove(map, child);
    if (child != NULL && !mote_node_is_null(child)) {
      mote_node_append(&ordered, child);
      result = bind_child(b, key, child, (char *)target + key->offset);
    } else if (key->required && known) {  // else the unknown key may be this one
      result = fail_missing(b, section, name, map, key);
    }
    if (result == MOTE_OK) continue;
    MOTE_IO_TRY(mote_sink_keep(b->sink, result));
    fine = false;
    b->world_is_wrong = b->world_is_wrong || decides_world(section, key);
    b->any_dimensions = b->any_dimensions || strcmp(key->name, "dimensions") == 0;
  }
  mote_node_adopt(map, &ordered);
  return fine ? check_together(b, section, name, map) : MOTE_ERROR_FORMAT;
}

// --- Many of a kind ---------------------------------------------------------------------------------------

static mote_result check_name(mote_binder *b, const char *section, const mote_node *node) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  size_t good = strspn(node->key, letters), length = strlen(node->key);
  if (length == 0) return mote_place_fail(b->error, node->key_place, "the name of a %s is empty", section);
  if (good < length)
    return mote_place_fail(b->error, node->key_place,
                           "the name \"%.40s\" has a character other than a-z A-Z 0-9 _ -", node->key);
  if (length > 31)
    return mote_place_fail(b->error, node->key_place, "the name \"%.40s\" is longer than 31 characters",
                           node->key);
  return MOTE_OK;
}

static void remove_nulls(mote_node *map) {
  mote_node kept = {.kind = MOTE_NODE_MAP};
  for (mote_node *child = map->first, *next; child != NULL; child = next) {
    next = child->next;
    if (!mote_node_is_null(child)) mote_node_append(&kept, child);
  }
  mote_node_adopt(map, &kept);
}

static void set_list(const mote_scene_key *key, void *target, const void *items, size_t count) {
  *(const void **)target = items;
  *(size_t *)(void *)((char *)target + key->count - key->offset) = count;
}

static mote_result fail_item(mote_binder *b, const char *section, const mote_node *node) {
  char what[MOTE_NODE_WHAT], label[LABEL];
  label_of(section, node->key, label);
  return mote_place_fail(b->error, node->place, "%s must be a mapping, but is %s", label,
                         mote_node_what(node, what));
}

// Whether the mapping makes something else of the matter that the preset has: rigid matter of a name is no
// start for an elastic material, while a liquid may freeze to a lattice.
static bool is_other_matter(const mote_node *node, const mote_material_def *preset) {
  const mote_node *model = mote_node_find(node, "model");
  return preset->model == MOTE_KIND_RIGID && model != NULL && !mote_node_is_null(model) &&
         strcmp(model->text, "rigid") != 0;
}

// A material starts from the preset of its name, or from water.
static void start_material(const mote_node *node, mote_material_def *out) {
  bool named = mote_material_def_preset(node->key, out) && !is_other_matter(node, out);
  if (!named) *out = mote_material_def_default();
  out->preset_by_name = named;
}

// The array, each element at its defaults; null when memory is out.
static char *start_items(mote_binder *b, const char *section, const mote_node *parent) {
  size_t size = mote_scene_section_size(section), k = 0;
  char *items = mote_pool_take(b->pool, parent->count * size);
  if (items == NULL) return NULL;
  for (const mote_node *node = parent->first; node != NULL; node = node->next, ++k) {
    if (strcmp(section, "material") == 0)
      start_material(node, (void *)(items + size * k));
    else
      mote_scene_section_default(section, items + size * k);
  }
  return items;
}

_Static_assert(offsetof(mote_material_def, name) == 0 && offsetof(mote_body_def, name) == 0 &&
                   offsetof(mote_collider_def, name) == 0 && offsetof(mote_emitter_def, name) == 0 &&
                   offsetof(mote_drain_def, name) == 0 && offsetof(mote_force_def, name) == 0 &&
                   offsetof(mote_probe_def, name) == 0 && offsetof(mote_lamp_def, name) == 0 &&
                   offsetof(mote_handle_def, name) == 0 && offsetof(mote_obstacle_def, name) == 0,
               "a definition begins with its name");

static mote_result bind_item(mote_binder *b, const char *section, mote_node *node, void *item) {
  if (node->key != NULL) MOTE_IO_TRY(check_name(b, section, node));
  if (node->kind != MOTE_NODE_MAP) return fail_item(b, section, node);
  return mote_bind_section(b, section, node->key, node, item);
}

// The definitions of a mapping or a list; those with errors are left out.
static mote_result bind_items(mote_binder *b, const mote_scene_key *key, mote_node *parent, void *target) {
  const char *section = key->detail;
  size_t size = mote_scene_section_size(section), count = 0;
  char *items = start_items(b, section, parent), *item = items;
  if (items == NULL) return mote_io_fail_memory(b->error);
  for (mote_node *node = parent->first; node != NULL; node = node->next, item += size) {
    mote_result result = bind_item(b, section, node, item);
    MOTE_IO_TRY(mote_sink_keep(b->sink, result));
    if (result != MOTE_OK) continue;
    if (node->key != NULL) memcpy(item, &node->key, sizeof node->key);
    memmove(items + size * count++, item, size);
  }
  set_list(key, target, items, count);
  return count == parent->count ? MOTE_OK : MOTE_ERROR_FORMAT;
}

static mote_result bind_named(mote_binder *b, const mote_scene_key *key, mote_node *map, void *target) {
  if (map->kind != MOTE_NODE_MAP) return mote_bind_fail_type(b, key, map);
  remove_nulls(map);
  return bind_items(b, key, map, target);
}

static mote_result bind_list(mote_binder *b, const mote_scene_key *key, mote_node *list, void *target) {
  if (list->kind != MOTE_NODE_LIST) return mote_bind_fail_type(b, key, list);
  return bind_items(b, key, list, target);
}

// --- References -------------------------------------------------------------------------------------------

static bool has_material(const mote_scene *scene, const char *name) {
  for (size_t k = 0; k < scene->materials; ++k)
    if (strcmp(scene->material[k].name, name) == 0) return true;
  return false;
}

// Whether the scene gives the material, though it may be wrong and left out.
static bool gives_material(const mote_node *root, const char *name) {
  const mote_node *list = mote_node_find(root, "materials");
  return list != NULL && (list->kind != MOTE_NODE_MAP || mote_node_find(list, name) != NULL);
}

// Something made of a material: a body or an emitter.
typedef struct made {
  const char *list, *name, *material;
} made;

static mote_text_position material_place(const mote_node *root, const made *thing) {
  const mote_node *node = mote_node_find(mote_node_find(root, thing->list), thing->name);
  const mote_node *material = mote_node_find(node, "material");
  return material == NULL ? mote_node_place(node) : material->place;
}

static mote_result fail_material(mote_binder *b, const mote_node *root, const made *thing) {
  const char *const *presets;
  size_t count = 0, known = mote_material_presets(&presets);
  const mote_scene *scene = b->scene;
  const char **names = mote_pool_take(b->pool, (scene->materials + known) * sizeof *names);
  if (names == NULL) return mote_io_fail_memory(b->error);
  for (size_t k = 0; k < scene->materials; ++k) names[count++] = scene->material[k].name;
  for (size_t k = 0; k < known; ++k) names[count++] = presets[k];
  const char *near = mote_text_closest(thing->material, names, count);
  mote_text_position place = material_place(root, thing);
  if (near != NULL)
    return mote_place_fail(b->error, place, "there is no material \"%.40s\"; did you mean \"%.31s\"?",
                           thing->material, near);
  return mote_place_fail(b->error, place,
                         "there is no material \"%.40s\", neither in materials nor among the presets "
                         "(mote help materials lists them)",
                         thing->material);
}

// Presets that are named without an entry get one, behind the others. FORMAT: there is no such material, or
// it has errors, which are listed.
static mote_result add_material(mote_binder *b, const mote_node *root, const made *thing) {
  mote_scene *scene = b->scene;
  if (has_material(scene, thing->material)) return MOTE_OK;
  if (gives_material(root, thing->material)) return MOTE_ERROR_FORMAT;
  mote_material_def def;
  if (!mote_material_def_preset(thing->material, &def)) return fail_material(b, root, thing);
  mote_material_def *grown = mote_pool_take(b->pool, (scene->materials + 1) * sizeof *grown);
  if (grown == NULL) return mote_io_fail_memory(b->error);
  if (scene->materials > 0) memcpy(grown, scene->material, scene->materials * sizeof *grown);
  grown[scene->materials++] = def;
  scene->material = grown;
  return MOTE_OK;
}

// Bodies, which are mote_body_entry still, and emitters of a wrong material are left out.
static mote_result add_materials(mote_binder *b, const mote_node *root) {
  mote_scene *scene = b->scene;
  mote_body_entry *body = (void *)(uintptr_t)scene->body;  // the pool's
  mote_emitter_def *emitter = (void *)(uintptr_t)scene->emitter;
  size_t bodies = 0, emitters = 0;
  for (size_t k = 0; k < scene->bodies; ++k) {
    mote_result result = add_material(b, root, &(made){"bodies", body[k].def.name, body[k].def.material});
    MOTE_IO_TRY(mote_sink_keep(b->sink, result));
    if (result == MOTE_OK) body[bodies++] = body[k];
  }
  for (size_t k = 0; k < scene->emitters; ++k) {
    mote_result result = add_material(b, root, &(made){"emitters", emitter[k].name, emitter[k].material});
    MOTE_IO_TRY(mote_sink_keep(b->sink, result));
    if (result == MOTE_OK) emitter[emitters++] = emitter[k];
  }
  scene->bodies = bodies, scene->emitters = emitters;
  return MOTE_OK;
}

// A surface that is tracked is written, unless the scene says which surface is.
static void write_tracked(mote_scene *scene, const mote_node *root) {
  const mote_node *outputs = mote_node_find(root, "outputs");
  if (!scene->world.track.on || (outputs != NULL && mote_node_find(outputs, "surface") != NULL)) return;
  scene->outputs.surface.on = true;
  scene->outputs.surface.def.method = MOTE_SURFACE_TRACKED;
}

mote_result mote_bind_scene(mote_binder *b, mote_node *root) {
  MOTE_IO_TRY(mote_sink_keep(b->sink, mote_bind_section(b, "scene", NULL, root, b->scene)));
  write_tracked(b->scene, root);
  MOTE_IO_TRY(add_materials(b, root));
  return mote_bind_copies(b, root);
}
