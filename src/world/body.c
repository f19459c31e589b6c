// Adding a body to a world, whatever its kind.
#include "matter/items.h"
#include "matter/kind.h"
#include "matter/waiting.h"
#include "matter/world_heat.h"
#include "scene/def_check.h"
#include "state/definition_hash.h"

mote_result mote_world_add_body(mote_world *world, const mote_body_def *def, mote_body *out,
                                mote_error *error) {
  if (world == NULL || def == NULL) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "adding needs a world and a definition");
  }
  MOTE_TRY(mote_body_def_check(def, &world->env, error));
  MOTE_TRY(mote_body_def_check_heat(def, world->def.heat, error));
  MOTE_TRY(mote_items_expect(world, MOTE_ITEM_BODY, def->name, error));
  if (mote_world_steps(world) > 0 && (def->pressure.formula != NULL || def->pressure.constant != 0.0)) {
    return mote_fail_key(error, "pressure", "only bodies that are there before the first step have one");
  }
  size_t material = mote_items_find(world, MOTE_ITEM_MATERIAL, def->material);
  if (material == mote_world_items(world, MOTE_ITEM_MATERIAL)) {
    return mote_fail_key(error, "material", "there is no material \"%.31s\"", def->material);
  }
  const mote_material_def *of = &mote_material_at(world, material)->def;
  MOTE_TRY(mote_body_def_check_model(def, of, world->def.dimensions, error));
  mote_body_item item = {.name = def->name, .material = (uint32_t)material};
  mote_kind kind =
      mote_body_starts_molten(world, &def->temperature, of) ? mote_kind_of_liquids(world) : of->model;
  mote_body_birth birth = {.kind = kind,
                           .origin = MOTE_ORIGIN_BODY,
                           .material = item.material,
                           .definition = (uint32_t)mote_world_items(world, MOTE_ITEM_BODY)};
  MOTE_TRY(mote_bodies_add(world, &birth, &item.id, error));
  ++world->generation;
  world->aside = def->waits;
  mote_result result = mote_kind_row_of(world, kind)->make(world, def, &item, error);
  world->aside = false;
  if (result != MOTE_OK) {
    mote_shape_destroy(item.shape);
    mote_bodies_undo(world, item.id);
    return result;
  }
  world->definitions = mote_definition_hash(world->definitions, "body", def->name, def);
  world->ready = world->measured = world->has_frame = false;
  mote_body_place place = {birth.kind, mote_bodies_of(world, birth.kind) - 1};
  if (out != NULL) *out = def->waits ? (mote_body){0} : mote_bodies_handle(world, place);
  return def->waits ? mote_waiting_keep(world, place, error) : MOTE_OK;
}
