// Memory layout of the kd-tree, shared by its building (kdtree_build.c), its queries (kdtree.c) and its
// queries of many points (kdtree_batch.c).
//
// A binary kd-tree (EG09 5.1) is built and every three levels of it are stored as one node of eight boxes,
// so that a query tests eight boxes side by side and follows a third of the links. All leaves but the last
// are full, and left subtrees are powers of two, so the places are those of a complete tree: the children of
// node n are 8n + 1 .. 8n + 8, and a number from first_leaf on is a leaf. No link is stored.
#ifndef MOTE_KDTREE_H
#define MOTE_KDTREE_H

#include <mote/search.h>
#include <string.h>

#define MOTE_KDTREE_LEAF 12  // points; measured among 8, 12, 16
#define MOTE_KDTREE_FAN 8    // children; measured among 4, 8

// Axis by axis, so that distances are computed side by side. Unused entries (slots behind the last
// point, children behind the last leaf) are NaN, which is never near.
typedef struct mote_kdtree_leaf {
  double x[3][MOTE_KDTREE_LEAF];
  uint32_t index[MOTE_KDTREE_LEAF];
} mote_kdtree_leaf;

// The tight boxes of the children.
typedef struct mote_kdtree_node {
  double low[3][MOTE_KDTREE_FAN], high[3][MOTE_KDTREE_FAN];
} mote_kdtree_node;

struct mote_kdtree {
  mote_env env;
  int dimensions;
  size_t count, nodes, leaves;
  size_t first_leaf;
  mote_kdtree_node *node;
  mote_kdtree_leaf *leaf;
  // The lists of the last batch: capacities in elements.
  uint64_t *list_first;
  uint32_t *list_number, *list_index;
  size_t first_capacity, number_capacity, index_capacity;
};

// Two doubles, which all supported machines have as vectors.
typedef double mote_kdtree_pair __attribute__((vector_size(16)));
typedef int64_t mote_kdtree_mask __attribute__((vector_size(16)));

static inline mote_kdtree_pair mote_kdtree_load(const double *from) {
  mote_kdtree_pair pair;
  memcpy(&pair, from, sizeof pair);
  return pair;
}

// Fills the nodes and leaves of `tree` from finite points. The tree is a function of the points alone.
mote_result mote_kdtree_build(mote_kdtree *tree, const double *position, mote_error *error);

#endif
