// Values of materials that change while a world runs: see command_act.h.
#include <math.h>
#include <mote/text.h>
#include <stdio.h>
#include <string.h>

#include "commands/command_act.h"
#include "matter/items.h"
#include "scene/def_check.h"
#include "scene/def_table.h"

#define KEYS_MAX 32  // running keys of materials, at most

// "honey.viscosity": the number of the material and its key.
static mote_result find_value(const mote_world *world, const char *path, size_t *material,
                              const mote_scene_key **key, mote_error *error) {
  const char *dot = strrchr(path, '.');
  char name[MOTE_BODY_NAME_SIZE] = "";
  size_t count = mote_world_items(world, MOTE_ITEM_MATERIAL);
  if (dot == NULL)
    return mote_fail_key(error, "material", "\"%s\" names no value: it is MATERIAL.KEY, as honey.viscosity",
                         path);
  memcpy(name, path, (size_t)(dot - path));
  *material = mote_items_find(world, MOTE_ITEM_MATERIAL, name);
  if (*material == count) return mote_fail_key(error, "material", "there is no material \"%s\"", name);
  *key = mote_scene_key_find("material", dot + 1);
  if (*key != NULL && ((*key)->flags & MOTE_KEY_RUNNING) != 0) return MOTE_OK;
  if (*key != NULL)
    return mote_fail_key(error, "material", "\"%s\" of a material cannot change while a world runs", dot + 1);
  size_t keys = 0, all;
  const char *names[KEYS_MAX];
  const mote_scene_key *row = mote_scene_section("material", &all);
  for (size_t k = 0; k < all && keys < KEYS_MAX; ++k)
    if ((row[k].flags & MOTE_KEY_RUNNING) != 0) names[keys++] = row[k].name;
  const char *closest = mote_text_closest(dot + 1, names, keys);
  return mote_fail_key(error, "material", "materials have no key \"%s\"%s%s%s", dot + 1,
                       closest != NULL ? "; did you mean \"" : "", closest != NULL ? closest : "",
                       closest != NULL ? "\"?" : "");
}

static void set_value(mote_material_def *def, const mote_scene_key *key, double value) {
  memcpy((char *)def + key->offset, &value, sizeof value);
}

// The material with that value is one that the world could have been made with.
static mote_result check_changed(const mote_world *world, const mote_material_def *def,
                                 const mote_scene_key *key, mote_error *error) {
  const mote_key_condition *unused = mote_scene_key_unused("material", key->name, def);
  if (unused != NULL)
    return mote_fail_key(error, "material", "\"%s\" has no effect: it needs %s: %s", key->name, unused->other,
                         unused->values);
  if (!world->def.heat && strcmp(key->name, "conductivity") == 0)
    return mote_fail_key(error, "material", "\"conductivity\" has no effect: the scene has no heat: true");
  MOTE_TRY(mote_material_def_check(def, error));
  MOTE_TRY(mote_material_def_check_solver(def, &world->def.solver, error));
  return mote_material_def_check_heat(def, world->def.heat, error);
}

mote_result mote_command_check_material(mote_world *world, mote_resolved_command *resolved,
                                        mote_error *error) {
  const mote_scene_key *key = NULL;
  MOTE_TRY(find_value(world, resolved->command->target, &resolved->place, &key, error));
  double value = resolved->command->value[0];
  if (!mote_scene_key_allows(key, value))
    return mote_fail_key(error, "value", "%s is %g, and must be %s", key->name, value, key->range);
  mote_material_def changed = mote_material_at(world, resolved->place)->def;
  set_value(&changed, key, value);
  mote_error why = {0};
  if (check_changed(world, &changed, key, &why) == MOTE_OK) return MOTE_OK;
  return mote_fail_key(error, "material", "%s%s%s", strcmp(why.key, "material") == 0 ? "" : why.key,
                       strcmp(why.key, "material") == 0 ? "" : ": ", why.text);
}

// Samples, expected speeds and tables are made anew with it.
void mote_command_apply_material(mote_world *world, const mote_command *command) {
  size_t material;
  const mote_scene_key *key = NULL;
  if (find_value(world, command->target, &material, &key, NULL) != MOTE_OK) return;  // a forged snapshot
  set_value(&mote_material_at(world, material)->def, key, command->value[0]);
  world->ready = false;
}
