// Probes of bodies: see body_probe.h. A point of an elastic body has the shape functions of moving least
// squares at rest; forces are those of the last step, and of holds as they are now.
#include "world/body_probe.h"

#include <stdio.h>
#include <string.h>

#include "matter/items.h"
#include "matter/kind.h"
#include "matter/probe_forces.h"

static mote_result find_target(const mote_world *world, const char *name, mote_probe_item *item,
                               mote_error *error) {
  bool force = item->def.kind == MOTE_PROBE_FORCE;
  size_t body = mote_items_find(world, MOTE_ITEM_BODY, name);
  size_t collider = mote_items_find(world, MOTE_ITEM_COLLIDER, name);
  item->target = -1;
  for (int kind = 0; kind < MOTE_KINDS; ++kind) {
    size_t k = mote_kind_find_definition(world, (mote_kind)kind, body);
    bool probed = world->kind[kind]->read_point != NULL && k < mote_world_items(world, kind);
    if (probed) item->target = kind, item->index = k;
  }
  if (item->target < 0 && force && collider < mote_world_items(world, MOTE_ITEM_COLLIDER))
    item->target = MOTE_ITEM_COLLIDER, item->index = collider;
  if (item->target >= 0) return MOTE_OK;
  return mote_fail_key(error, "of", "there is no rigid or elastic body%s \"%.40s\"",
                       force ? " and no collider" : "", name);
}

mote_result mote_body_probe_make(const mote_world *world, mote_probe_item *item, mote_error *error) {
  const mote_probe_def *def = &item->def;
  if (def->kind != MOTE_PROBE_BODY && def->kind != MOTE_PROBE_FORCE) return MOTE_OK;
  if (def->of == NULL) return mote_fail_key(error, "of", "is missing: the name of a body");
  MOTE_TRY(find_target(world, def->of, item, error));
  snprintf(item->of, sizeof item->of, "%s", def->of);
  item->def.of = NULL;
  if (def->kind == MOTE_PROBE_FORCE) return MOTE_OK;
  const mote_shape *shape = mote_kind_shape(world, (mote_kind)item->target, item->index);
  double away = mote_shape_distance(shape, def->from);
  if (away <= world->def.spacing) return MOTE_OK;
  return mote_fail_key(error, "from", "is %.3g m outside of the body", away);
}

mote_result mote_body_probe_read(mote_world *world, const mote_probe_item *item, mote_reading *out,
                                 mote_error *error) {
  mote_probe_item now = *item;
  *out = (mote_reading){0};
  if (find_target(world, item->of, &now, NULL) != MOTE_OK) return MOTE_OK;  // removed
  item = &now;
  const mote_kind_row *row = item->target < MOTE_KINDS ? world->kind[item->target] : NULL;
  if (item->def.kind != MOTE_PROBE_FORCE)
    return row->read_point(world, item->index, item->def.from, out, error);
  mote_probe_forces_read(world, item->target, item->index, out->force);
  if (row == NULL || row->read_force == NULL) return MOTE_OK;
  return row->read_force(world, item->index, out, error);
}
