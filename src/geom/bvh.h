// A tree of boxes over triangles, halved at the median of their middles along the longest edge.
#ifndef MOTE_BVH_H
#define MOTE_BVH_H

#include <mote/geom.h>

#define MOTE_BVH_DEPTH 64  // deeper than any tree of 2^32 triangles

typedef struct mote_bvh_node {
  double low[3], high[3];
  uint32_t first;  // leaf: of its triangles in `order`; else: its right child, the left one comes next
  uint32_t count;  // 0: not a leaf
} mote_bvh_node;

typedef struct mote_bvh {
  mote_env env;
  mote_bvh_node *node;
  uint32_t *order;
  size_t nodes, capacity, triangles;
} mote_bvh;

// For at least one triangle and at most UINT32_MAX.
mote_result mote_bvh_create(const mote_mesh *mesh, const mote_env *env, mote_bvh *out, mote_error *error);
void mote_bvh_destroy(mote_bvh *bvh);

#endif
