// Building the tree of boxes: see bvh.h.
#include "geom/bvh.h"

#include "base/memory.h"
#include "geom/triple.h"

#define LEAF_ITEMS 4

static const double *corner(const mote_mesh *mesh, size_t triangle, int k) {
  return mesh->vertex + 3 * (size_t)mesh->triangle[3 * triangle + k];
}

static double middle_along(const mote_mesh *mesh, uint32_t t, int axis) {
  return corner(mesh, t, 0)[axis] + corner(mesh, t, 1)[axis] + corner(mesh, t, 2)[axis];
}

static bool comes_before(const mote_mesh *mesh, int axis, uint32_t s, uint32_t t) {
  double a = middle_along(mesh, s, axis), b = middle_along(mesh, t, axis);
  return a < b || (a == b && s < t);
}

// Hoare's selection: afterwards order[begin .. middle-1] come before the others.
static void select_middle(const mote_mesh *mesh, int axis, uint32_t *order, size_t begin, size_t end,
                          size_t middle) {
  while (end - begin > 1) {
    uint32_t pivot = order[begin + (end - begin) / 2];
    size_t i = begin, j = end - 1;
    for (;;) {
      while (comes_before(mesh, axis, order[i], pivot)) ++i;
      while (comes_before(mesh, axis, pivot, order[j])) --j;
      if (i >= j) break;
      uint32_t swap = order[i];
      order[i++] = order[j], order[j--] = swap;
    }
    size_t cut = comes_before(mesh, axis, order[i], pivot) ? i + 1 : i;
    if (cut == begin) cut = begin + 1;  // the pivot is the first of all
    if (middle < cut) {
      end = cut;
    } else {
      begin = cut;
    }
  }
}

static void set_bounds(const mote_mesh *mesh, const uint32_t *order, size_t count, mote_bvh_node *node) {
  set3(HUGE_VAL, HUGE_VAL, HUGE_VAL, node->low);
  set3(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL, node->high);
  for (size_t i = 0; i < 3 * count; ++i) {
    const double *x = corner(mesh, order[i / 3], (int)(i % 3));
    for (int k = 0; k < 3; ++k) {
      node->low[k] = x[k] < node->low[k] ? x[k] : node->low[k];
      node->high[k] = x[k] > node->high[k] ? x[k] : node->high[k];
    }
  }
}

static void build(mote_bvh *bvh, const mote_mesh *mesh, size_t begin, size_t end) {
  mote_bvh_node *node = bvh->node + bvh->nodes++;
  set_bounds(mesh, bvh->order + begin, end - begin, node);
  if (end - begin <= LEAF_ITEMS) {
    node->first = (uint32_t)begin, node->count = (uint32_t)(end - begin);
    return;
  }
  int axis = 0;
  for (int k = 1; k < 3; ++k) {
    if (node->high[k] - node->low[k] > node->high[axis] - node->low[axis]) axis = k;
  }
  size_t middle = begin + (end - begin) / 2;
  select_middle(mesh, axis, bvh->order, begin, end, middle);
  node->count = 0;
  build(bvh, mesh, begin, middle);
  node->first = (uint32_t)bvh->nodes;
  build(bvh, mesh, middle, end);
}

static size_t count_nodes(size_t items) {
  return items <= LEAF_ITEMS ? 1 : 1 + count_nodes(items / 2) + count_nodes(items - items / 2);
}

mote_result mote_bvh_create(const mote_mesh *mesh, const mote_env *env, mote_bvh *out, mote_error *error) {
  MOTE_ASSERT(mesh->triangles > 0 && mesh->triangles <= UINT32_MAX);
  MOTE_ASSERT(env != NULL && out != NULL);
  mote_bvh bvh = {.env = *env, .triangles = mesh->triangles, .capacity = count_nodes(mesh->triangles)};
  bvh.order = mote_alloc(env, bvh.triangles, sizeof *bvh.order);
  bvh.node = mote_alloc(env, bvh.capacity, sizeof *bvh.node);
  *out = bvh;
  if (!bvh.order || !bvh.node) {
    mote_bvh_destroy(out);
    return mote_fail_memory(error, bvh.triangles * sizeof *bvh.order + bvh.capacity * sizeof *bvh.node);
  }
  for (size_t t = 0; t < bvh.triangles; ++t) bvh.order[t] = (uint32_t)t;
  build(out, mesh, 0, bvh.triangles);
  return MOTE_OK;
}

void mote_bvh_destroy(mote_bvh *bvh) {
  MOTE_ASSERT(bvh->nodes <= bvh->capacity);
  mote_free(&bvh->env, bvh->order, bvh->triangles, sizeof *bvh->order);
  mote_free(&bvh->env, bvh->node, bvh->capacity, sizeof *bvh->node);
  *bvh = (mote_bvh){0};
}
