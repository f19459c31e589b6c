// The lists of items: see items.h.
#include "matter/items.h"

#include <string.h>

#include "base/bisect.h"
#include "matter/kind.h"
#include "matter/waiting.h"
#include "scene/def_check.h"

static const size_t item_sizes[MOTE_ITEM_LISTS] = {
    [MOTE_ITEM_MATERIAL] = sizeof(mote_material_item), [MOTE_ITEM_BODY] = sizeof(mote_body_item),
    [MOTE_ITEM_COLLIDER] = sizeof(mote_collider_item), [MOTE_ITEM_EMITTER] = sizeof(mote_emitter_item),
    [MOTE_ITEM_DRAIN] = sizeof(mote_drain_item),       [MOTE_ITEM_FORCE] = sizeof(mote_force_item),
    [MOTE_ITEM_PROBE] = sizeof(mote_probe_item),       [MOTE_ITEM_SURFACE] = sizeof(mote_surface_item),
};

// Of the items of a list: those of kinds are in their rows.
static size_t size_of(const mote_world *world, int list) {
  return list < MOTE_KINDS ? world->kind[list]->item_size : item_sizes[list];
}

static char *item_at(const mote_world *world, int list, size_t number) {
  return (char *)world->item[list].data + number * size_of(world, list);
}

static const char *name_of(const mote_world *world, int list, size_t number) {
  const char *name;
  memcpy(&name, item_at(world, list, number), sizeof name);
  return name;
}

const char *mote_items_name(const mote_world *world, int list, size_t k) {
  MOTE_ASSERT(list < MOTE_ITEM_LISTS && k < world->item[list].count);
  return name_of(world, list, mote_item_number(world, list, k));
}

size_t mote_items_find(const mote_world *world, int list, const char *name) {
  MOTE_ASSERT(list < MOTE_ITEM_LISTS && name != NULL);
  size_t k = 0, count = world->item[list].count;
  while (k < count && strcmp(mote_items_name(world, list, k), name) != 0) ++k;
  return k;
}

bool mote_items_had(const mote_world *world, int list, const char *name) {
  bool had = false;
  for (size_t k = 0; k < world->item[list].all && !had; ++k) had = strcmp(name_of(world, list, k), name) == 0;
  return had;
}

mote_result mote_items_expect(mote_world *world, int list, const char *name, mote_error *error) {
  MOTE_ASSERT(list < MOTE_ITEM_LISTS);
  MOTE_TRY(mote_name_check(name, error));
  mote_items *items = &world->item[list];
  if (mote_items_find(world, list, name) < items->count) {
    return mote_fail_key(error, "name", "\"%s\" is there already", name);
  }
  if (mote_items_had(world, list, name))  // commands name it for ever
    return mote_fail_key(error, "name", "\"%s\" was there already, and is removed", name);
  if (items->number != NULL)
    MOTE_TRY(mote_reserve(&world->env, &items->number, &items->number_capacity, items->count + 1,
                          sizeof *items->number, error));
  return mote_reserve(&world->env, &items->data, &items->capacity, items->all + 1, size_of(world, list),
                      error);
}

mote_result mote_items_add(mote_world *world, int list, const void *item, uint32_t *number,
                           mote_error *error) {
  MOTE_ASSERT(list < MOTE_ITEM_LISTS && item != NULL);
  mote_items *items = &world->item[list];
  MOTE_ASSERT(items->all < items->capacity);
  char *to = item_at(world, list, items->all);
  const char *given;
  memcpy(&given, item, sizeof given);
  size_t size = strlen(given) + 1;
  MOTE_TAKE_NEW(char, name, &world->names, size, error);
  memcpy(name, given, size);
  memcpy(to, item, size_of(world, list));
  memcpy(to, &name, sizeof name);
  *number = (uint32_t)items->all++;
  if (items->number != NULL) items->number[items->count] = *number;
  ++items->count;
  return MOTE_OK;
}

void mote_items_undo(mote_world *world, int list) {
  MOTE_ASSERT(world->item[list].count > 0 && world->item[list].all > 0);
  --world->item[list].count, --world->item[list].all;
}

size_t mote_items_place(const mote_world *world, int list, size_t number) {
  const mote_items *items = &world->item[list];
  if (items->number == NULL) return number < items->count ? number : SIZE_MAX;
  size_t k = mote_bisect(items->number, items->count, number);
  return k < items->count && items->number[k] == number ? k : SIZE_MAX;
}

mote_result mote_items_expect_removal(mote_world *world, int list, mote_error *error) {
  mote_items *items = &world->item[list];
  if (items->number != NULL) return MOTE_OK;
  MOTE_TRY(mote_reserve(&world->env, &items->number, &items->number_capacity, items->all + 1,
                        sizeof *items->number, error));
  for (size_t k = 0; k < items->all; ++k) items->number[k] = (uint32_t)k;
  return MOTE_OK;
}

void mote_items_remove(mote_world *world, int list, size_t k) {
  mote_items *items = &world->item[list];
  MOTE_ASSERT(items->number != NULL && k < items->count);
  memmove(items->number + k, items->number + k + 1, (items->count - k - 1) * sizeof *items->number);
  --items->count;
}

mote_result mote_items_expect_return(mote_world *world, int list, mote_error *error) {
  mote_items *items = &world->item[list];
  MOTE_ASSERT(items->number != NULL);
  return mote_reserve(&world->env, &items->number, &items->number_capacity, items->all, sizeof *items->number,
                      error);
}

void mote_items_return(mote_world *world, int list, size_t number) {
  mote_items *items = &world->item[list];
  MOTE_ASSERT(number < items->all && items->count < items->number_capacity);
  size_t k = mote_bisect(items->number, items->count, number);
  memmove(items->number + k + 1, items->number + k, (items->count - k) * sizeof *items->number);
  items->number[k] = (uint32_t)number;
  ++items->count;
}

void mote_items_restore(mote_world *world, int list) {
  mote_items *items = &world->item[list];
  mote_free(&world->env, items->number, items->number_capacity, sizeof *items->number);
  items->number = NULL, items->number_capacity = 0, items->count = items->all;
}

// Of all, also of those that were removed.
static void destroy_items(mote_world *world) {
  for (int list = 0; list < MOTE_ITEM_LISTS; ++list) mote_items_restore(world, list);
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_MATERIAL); ++k) {
    mote_quantity_free(&mote_material_at(world, k)->melting_rate);
    mote_quantity_free(&mote_material_at(world, k)->freezing_rate);
  }
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_BODY); ++k) {
    mote_shape_destroy(mote_body_at(world, k)->shape);
    mote_waiting_free(mote_body_at(world, k)->waiting, &world->env);
  }
  for (int kind = 0; kind < MOTE_KINDS; ++kind) {
    for (size_t k = 0; k < mote_world_items(world, kind); ++k)
      world->kind[kind]->free_item(item_at(world, kind, k), &world->env);
  }
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_COLLIDER); ++k) {
    mote_shape_destroy(mote_collider_at(world, k)->shape);
    mote_motion_destroy(mote_collider_at(world, k)->motion);
    for (int a = 0; a < 3; ++a) mote_quantity_free(&mote_collider_at(world, k)->belt[a]);
    mote_quantity_free(&mote_collider_at(world, k)->temperature);
  }
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_EMITTER); ++k) {
    mote_nozzle_destroy(mote_emitter_at(world, k)->nozzle);
  }
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_DRAIN); ++k) {
    mote_shape_destroy(mote_drain_at(world, k)->shape);
  }
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_FORCE); ++k) {
    mote_field_force_destroy(mote_force_at(world, k)->force);
  }
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_SURFACE); ++k) {
    mote_surfacer_destroy(mote_surface_at(world, k)->surfacer);
  }
}

void mote_items_destroy(mote_world *world) {
  destroy_items(world);
  for (int list = 0; list < MOTE_ITEM_LISTS; ++list) {
    mote_items *items = &world->item[list];
    mote_free(&world->env, items->data, items->capacity, size_of(world, list));
    *items = (mote_items){0};
  }
}
