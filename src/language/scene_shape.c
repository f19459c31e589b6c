// Binds shapes: one kind, its sizes, and how it is scaled, turned and moved.
#include <string.h>

#include "language/scene_bind.h"

mote_shape_kind mote_bind_shape_kind(const char *name) {
  static const char *const names[MOTE_SHAPE_KINDS] = {
      [MOTE_SHAPE_BOX] = "box",
      [MOTE_SHAPE_SPHERE] = "sphere",
      [MOTE_SHAPE_ELLIPSOID] = "ellipsoid",
      [MOTE_SHAPE_CYLINDER] = "cylinder",
      [MOTE_SHAPE_CAPSULE] = "capsule",
      [MOTE_SHAPE_TORUS] = "torus",
      [MOTE_SHAPE_HALF_SPACE] = "half_space",
      [MOTE_SHAPE_MESH] = "mesh",
      [MOTE_SHAPE_FIGURE] = "figure",
      [MOTE_SHAPE_UNION] = "union",
      [MOTE_SHAPE_DIFFERENCE] = "difference",
      [MOTE_SHAPE_INTERSECTION] = "intersection",
  };
  for (int k = MOTE_SHAPE_NONE + 1; k < MOTE_SHAPE_KINDS; ++k)
    if (strcmp(names[k], name) == 0) return (mote_shape_kind)k;
  return MOTE_SHAPE_NONE;
}

// The child that says the kind; a shape has exactly one. Misspelt kinds are left to the table.
static mote_result find_kind(mote_binder *b, const mote_node *map, mote_node **out) {
  *out = NULL;
  bool unknown = false;
  for (mote_node *child = map->first; child != NULL; child = child->next) {
    bool kind = mote_bind_shape_kind(child->key) != MOTE_SHAPE_NONE;
    unknown = unknown || mote_scene_key_find("shape", child->key) == NULL;
    if (!kind || mote_node_is_null(child)) continue;
    if (*out != NULL)
      return mote_place_fail(b->error, child->key_place,
                             "a shape has one kind, but this one is \"%s\" and \"%s\"; see union",
                             (*out)->key, child->key);
    *out = child;
  }
  if (*out == NULL && !unknown)
    return mote_place_fail(
        b->error, mote_node_place(map),
        "a shape has a kind: box, sphere, ellipsoid, cylinder, capsule, torus, half_space, mesh, "
        "figure, union, difference or intersection");
  return MOTE_OK;
}

// By corners, or by centre and size.
static mote_result finish_box(mote_binder *b, const mote_node *map, mote_shape_entry *values) {
  bool low = mote_node_find(map, "low") != NULL, high = mote_node_find(map, "high") != NULL;
  bool centre = mote_node_find(map, "centre") != NULL, size = mote_node_find(map, "size") != NULL;
  if (low && high && !centre && !size) return MOTE_OK;
  if (low || high || !centre || !size)
    return mote_place_fail(b->error, mote_node_place(map), "a box has low and high, or centre and size");
  for (int k = 0; k < 3; ++k) {
    values->def.low[k] = values->def.centre[k] - values->size[k] / 2;
    values->def.high[k] = values->def.centre[k] + values->size[k] / 2;
  }
  return MOTE_OK;
}

static mote_result bind_kind(mote_binder *binder, mote_node *node, mote_node *kind, mote_shape_def *out) {
  mote_shape_entry values = {.def = mote_shape_def_default(), .size = {1, 1, 1}, .mesh_scale = 1};
  MOTE_IO_TRY(mote_bind_section(binder, "shape", NULL, node, &values));
  values.def.kind = mote_bind_shape_kind(kind->key);
  if (values.def.kind == MOTE_SHAPE_BOX) MOTE_IO_TRY(finish_box(binder, kind, &values));
  if (values.def.kind == MOTE_SHAPE_FIGURE) values.def.radius = values.height / 2;
  if (values.def.kind == MOTE_SHAPE_MESH) MOTE_IO_TRY(mote_bind_mesh(binder, kind, &values));
  *out = values.def;
  return MOTE_OK;
}

// The scale of a shape comes before its parts: they are as large as it makes them.
mote_result mote_bind_shape(mote_binder *binder, mote_node *node, mote_shape_def *out) {
  mote_node *kind, *scale = mote_node_find(node, "scale");
  double own = 1, around = binder->scale;
  MOTE_IO_TRY(find_kind(binder, node, &kind));
  if (scale != NULL && !mote_node_is_null(scale))
    MOTE_IO_TRY(mote_bind_value(binder, mote_scene_key_find("shape", "scale"), scale, &own));
  binder->scale = around * own;
  mote_result result = bind_kind(binder, node, kind, out);
  binder->scale = around;
  return result;
}

mote_result mote_bind_parts(mote_binder *binder, const mote_scene_key *key, mote_node *node,
                            mote_shape_entry *out) {
  if (node->kind != MOTE_NODE_LIST) return mote_bind_fail_type(binder, key, node);
  if (node->count == 0)
    return mote_place_fail(binder->error, node->place, "\"%s\" must have at least one shape", key->name);
  mote_shape_def *parts = mote_pool_take(binder->pool, node->count * sizeof *parts), *part = parts;
  if (parts == NULL) return mote_io_fail_memory(binder->error);
  mote_result whole = MOTE_OK;
  for (mote_node *child = node->first; child != NULL; child = child->next) {
    char what[MOTE_NODE_WHAT];
    if (child->kind != MOTE_NODE_MAP)
      return mote_place_fail(binder->error, child->place, "a shape must be a mapping, but is %s",
                             mote_node_what(child, what));
    mote_result result = mote_bind_shape(binder, child, part++);
    MOTE_IO_TRY(mote_sink_keep(binder->sink, result));
    if (result != MOTE_OK) whole = result;
  }
  out->def.part = parts;
  out->def.parts = node->count;
  return whole;
}
