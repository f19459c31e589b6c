// The lists of things: see items.h.
#include "matter/items.h"

#include <string.h>

#include "matter/elastic_bodies.h"
#include "scene/def_check.h"

static const size_t item_size[MOTE_ITEM_KINDS] = {
    [MOTE_ITEM_MATERIAL] = sizeof(mote_material_item), [MOTE_ITEM_BODY] = sizeof(mote_body_item),
    [MOTE_ITEM_RIGID] = sizeof(mote_rigid_item),       [MOTE_ITEM_COLLIDER] = sizeof(mote_collider_item),
    [MOTE_ITEM_EMITTER] = sizeof(mote_emitter_item),   [MOTE_ITEM_DRAIN] = sizeof(mote_drain_item),
    [MOTE_ITEM_ELASTIC] = sizeof(mote_elastic_item),   [MOTE_ITEM_FORCE] = sizeof(mote_force_item),
    [MOTE_ITEM_PROBE] = sizeof(mote_probe_item),       [MOTE_ITEM_SURFACE] = sizeof(mote_surface_item),
};

static char *item_at(const mote_world *world, mote_item_kind kind, size_t k) {
  return (char *)world->item[kind].data + k * item_size[kind];
}

const char *mote_items_name(const mote_world *world, mote_item_kind kind, size_t k) {
  MOTE_ASSERT(kind < MOTE_ITEM_KINDS && k < world->item[kind].count);
  const char *name;
  memcpy(&name, item_at(world, kind, k), sizeof name);
  return name;
}

size_t mote_items_find(const mote_world *world, mote_item_kind kind, const char *name) {
  MOTE_ASSERT(kind < MOTE_ITEM_KINDS && name != NULL);
  size_t k = 0, count = world->item[kind].count;
  while (k < count && strcmp(mote_items_name(world, kind, k), name) != 0) ++k;
  return k;
}

mote_result mote_items_expect(mote_world *world, mote_item_kind kind, const char *name, mote_error *error) {
  MOTE_ASSERT(kind < MOTE_ITEM_KINDS);
  MOTE_TRY(mote_name_check(name, error));
  mote_items *items = &world->item[kind];
  if (mote_items_find(world, kind, name) < items->count) {
    return mote_fail_key(error, "name", "\"%s\" is there already", name);
  }
  return mote_reserve(&world->env, &items->data, &items->capacity, items->count + 1, item_size[kind], error);
}

mote_result mote_items_add(mote_world *world, mote_item_kind kind, const void *item, uint32_t *number,
                           mote_error *error) {
  MOTE_ASSERT(kind < MOTE_ITEM_KINDS && item != NULL);
  mote_items *items = &world->item[kind];
  MOTE_ASSERT(items->count < items->capacity);
  char *to = item_at(world, kind, items->count);
  const char *given;
  memcpy(&given, item, sizeof given);
  size_t size = strlen(given) + 1;
  char *name = mote_arena_take(&world->names, size, 1);
  if (name == NULL) return mote_fail_memory(error, size);
  memcpy(name, given, size);
  memcpy(to, item, item_size[kind]);
  memcpy(to, &name, sizeof name);
  *number = (uint32_t)items->count++;
  return MOTE_OK;
}

static void destroy_items(mote_world *world) {
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_BODY); ++k) {
    mote_shape_destroy(mote_body_at(world, k)->shape);
  }
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_RIGID); ++k) {
    mote_skin_free(&mote_rigid_at(world, k)->skin, &world->env);
  }
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_ELASTIC); ++k) {
    mote_elastic_item_free(mote_elastic_at(world, k), &world->env);
  }
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_COLLIDER); ++k) {
    mote_shape_destroy(mote_collider_at(world, k)->shape);
    mote_motion_destroy(mote_collider_at(world, k)->motion);
    for (int a = 0; a < 3; ++a) mote_quantity_free(&mote_collider_at(world, k)->belt[a]);
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
  for (int kind = 0; kind < MOTE_ITEM_KINDS; ++kind) {
    mote_items *items = &world->item[kind];
    mote_free(&world->env, items->data, items->capacity, item_size[kind]);
    *items = (mote_items){0};
  }
}
