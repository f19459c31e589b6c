// Queries of the kd-tree: EG09 5.1, algorithm 2, and the k nearest. Reads the nodes and leaves of kdtree.h.
//
// A subtree is skipped when the squared distance to its box is above the limit. Differences, squares and
// sums of doubles round monotonously and are taken in the same order for boxes and for points, so no point of
// such a subtree can be near: results are exact without a tolerance. Squared distances are compared by their
// bits, which as unsigned numbers have the same order, with every NaN above infinity. The lowest bits of a
// box's distance are the number of the child (a `key`); limits are rounded up to match.
#include "search/kdtree.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "search/domain.h"

#define LEAF MOTE_KDTREE_LEAF
#define FAN MOTE_KDTREE_FAN
#define LEVELS_MAX 12      // of nodes: 8^11 leaves are more than indices can name
#define PENDING_LEAVES 64  // leaves found but not yet read
#define SORTED_MAX 64      // up to this k the nearest are kept in order, beyond in a heap

typedef mote_kdtree_pair pair;
typedef mote_kdtree_mask mask;

// --- Creation -------------------------------------------------------------------------------------------

// The shape of the tree from the number of points; there is always a root.
static void lay_out(mote_kdtree *tree) {
  tree->leaves = tree->count / LEAF + (tree->count % LEAF != 0);
  tree->first_leaf = 1;
  for (size_t width = FAN; width < tree->leaves; width *= FAN) tree->first_leaf += width;
  tree->nodes = (tree->first_leaf - 1) / FAN + (tree->leaves + FAN - 1) / FAN;
}

static mote_result fill(mote_kdtree *tree, const double *position, mote_error *error) {
  MOTE_ALLOC(tree->node, &tree->env, tree->nodes, error);
  MOTE_ALLOC(tree->leaf, &tree->env, tree->leaves, error);
  return mote_kdtree_build(tree, position, error);
}

mote_result mote_kdtree_create(int dimensions, const double *position, size_t count, const mote_env *env,
                               mote_kdtree **out, mote_error *error) {
  if (out == NULL || (position == NULL && count > 0)) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "kd-tree: position or out is null");
  }
  if (dimensions < 1 || dimensions > 3) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "kd-tree: dimensions is %d, not 1, 2 or 3", dimensions);
  }
  if (count >= UINT32_MAX) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "kd-tree: %zu points are more than indices can name", count);
  }
  mote_env resolved = mote_env_resolve(env);
  mote_domain open = mote_domain_open(dimensions);
  double low[3], high[3];
  MOTE_TRY(mote_domain_bounds(&open, position, count, resolved.threads, low, high, error));
  MOTE_ALLOC_NEW(mote_kdtree, tree, &resolved, 1, error);
  *tree = (mote_kdtree){.env = resolved, .dimensions = dimensions, .count = count};
  lay_out(tree);
  mote_result result = fill(tree, position, error);
  if (result == MOTE_OK) {
    *out = tree;
  } else {
    mote_kdtree_destroy(tree);
  }
  return result;
}

void mote_kdtree_destroy(mote_kdtree *tree) {
  if (tree == NULL) return;
  mote_env env = tree->env;
  mote_free(&env, tree->list_first, tree->first_capacity, sizeof *tree->list_first);
  mote_free(&env, tree->list_number, tree->number_capacity, sizeof *tree->list_number);
  mote_free(&env, tree->list_index, tree->index_capacity, sizeof *tree->list_index);
  mote_free(&env, tree->node, tree->nodes, sizeof *tree->node);
  mote_free(&env, tree->leaf, tree->leaves, sizeof *tree->leaf);
  mote_free(&env, tree, 1, sizeof *tree);
}

// --- Distances --------------------------------------------------------------------------------------------

static uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static uint64_t key_limit(uint64_t distance) {
  return distance | (FAN - 1);
}

// The query in the tree's dimensions; false if it is not finite.
static bool read_query(const mote_kdtree *tree, const double x[3], double q[3]) {
  for (int axis = 0; axis < 3; ++axis) q[axis] = axis < tree->dimensions ? x[axis] : 0.0;
  return isfinite(q[0]) && isfinite(q[1]) && isfinite(q[2]);
}

static inline void leaf_distances(const mote_kdtree_leaf *leaf, const double q[3], uint64_t distance[LEAF]) {
#pragma GCC unroll 8
  for (int k = 0; k < LEAF; k += 2) {
    pair dx = q[0] - mote_kdtree_load(&leaf->x[0][k]);
    pair dy = q[1] - mote_kdtree_load(&leaf->x[1][k]);
    pair dz = q[2] - mote_kdtree_load(&leaf->x[2][k]);
    pair sum = dx * dx + dy * dy + dz * dz;
    memcpy(&distance[k], &sum, sizeof sum);
  }
}

// Distance of x from [low, high]; NaN where these are.
static inline pair outside(const double *low, const double *high, double x) {
  pair l = mote_kdtree_load(low), h = mote_kdtree_load(high);
  return (pair)(((mask)(l - x) & ~(x >= l)) | ((mask)(x - h) & ~(x <= h)));
}

static inline void box_keys(const mote_kdtree_node *node, const double q[3], uint64_t key[FAN]) {
#pragma GCC unroll 4
  for (int k = 0; k < FAN; k += 2) {
    pair dx = outside(&node->low[0][k], &node->high[0][k], q[0]);
    pair dy = outside(&node->low[1][k], &node->high[1][k], q[1]);
    pair dz = outside(&node->low[2][k], &node->high[2][k], q[2]);
    mask keys = ((mask)(dx * dx + dy * dy + dz * dz) & ~(FAN - 1)) | (mask){k, k + 1};
    memcpy(&key[k], &keys, sizeof keys);
  }
}

// --- Range ------------------------------------------------------------------------------------------------

typedef struct range {
  const mote_kdtree *tree;
  double q[3];
  uint64_t limit;
  uint32_t *index;
  size_t capacity, found;
  uint32_t pending[PENDING_LEAVES];
  size_t pendings;
} range;

static void read_pending(range *query) {
  size_t found = query->found;
  for (size_t p = 0; p < query->pendings; ++p) {
    const mote_kdtree_leaf *leaf = &query->tree->leaf[query->pending[p]];
    uint64_t distance[LEAF];
    leaf_distances(leaf, query->q, distance);
    if (query->capacity >= LEAF && found <= query->capacity - LEAF) {
#pragma GCC unroll 12
      for (int k = 0; k < LEAF; ++k) {
        query->index[found] = leaf->index[k];
        found += distance[k] <= query->limit;
      }
    } else {
      for (int k = 0; k < LEAF; ++k) {
        bool near = distance[k] <= query->limit;
        if (near & (found < query->capacity)) query->index[found] = leaf->index[k];
        found += near;
      }
    }
  }
  query->found = found;
  query->pendings = 0;
}

// Branches only on the kind of node: children are pushed, and leaves noted, in any case, and kept if near.
static void search_range(range *query) {
  const mote_kdtree *tree = query->tree;
  uint32_t stack[FAN * LEVELS_MAX] = {0}, first_leaf = (uint32_t)tree->first_leaf;
  uint64_t limit = key_limit(query->limit);
  for (size_t top = 1; top > 0;) {
    uint32_t node = stack[--top], child = FAN * node + 1;
    uint64_t key[FAN];
    box_keys(&tree->node[node], query->q, key);
    if (child < first_leaf) {
#pragma GCC unroll 8
      for (uint32_t c = FAN; c-- > 0;) {
        stack[top] = child + c;
        top += key[c] <= limit;
      }
    } else {
#pragma GCC unroll 8
      for (uint32_t c = 0; c < FAN; ++c) {
        query->pending[query->pendings] = child - first_leaf + c;
        query->pendings += key[c] <= limit;
      }
      if (query->pendings > PENDING_LEAVES - FAN) read_pending(query);
    }
  }
  read_pending(query);
}

size_t mote_kdtree_range(const mote_kdtree *tree, const double x[3], double radius, uint32_t *index,
                         size_t capacity) {
  range query;
  if (tree->count == 0 || !(radius >= 0) || !read_query(tree, x, query.q)) return 0;
  query.tree = tree;
  query.limit = bits_of(radius * radius);
  query.index = index;
  query.capacity = capacity;
  query.found = query.pendings = 0;
  search_range(&query);
  return query.found;
}

// --- The k nearest ----------------------------------------------------------------------------------------

typedef struct near_point {
  uint64_t distance;
  uint32_t index;
} near_point;

static bool nearer(near_point a, near_point b) {
  return (a.distance < b.distance) | ((a.distance == b.distance) & (a.index < b.index));
}

// Few are sorted here; many form a heap of slots (positions in the leaves) in the caller's `index`, whose
// distances are recomputed when needed, because a query allocates no memory.
typedef struct nearest {
  const mote_kdtree *tree;
  double q[3];
  size_t k, count;
  uint64_t worst;  // of the k; infinite until there are k
  uint32_t *heap;
  near_point sorted[SORTED_MAX + 1];
} nearest;

static void keep_few(nearest *set, const near_point *candidate, size_t candidates) {
  for (size_t c = 0; c < candidates; ++c) {
    near_point moving = candidate[c];
    size_t j = set->count;
    for (; j > 0 && nearer(moving, set->sorted[j - 1]); --j) set->sorted[j] = set->sorted[j - 1];
    set->sorted[j] = moving;
    set->count += set->count < set->k;
  }
  if (set->count == set->k) set->worst = set->sorted[set->k - 1].distance;
}

// k = 1 is the most frequent query, and needs no branch.
static void keep_one(nearest *set, const uint64_t distance[LEAF], const uint32_t index[LEAF]) {
  near_point best = set->sorted[0];
#pragma GCC unroll 12
  for (int k = 0; k < LEAF; ++k) {
    near_point other = {distance[k], index[k]};
    best = nearer(other, best) ? other : best;
  }
  set->sorted[0] = best;
  set->worst = best.distance;
}

static near_point at_slot(const nearest *set, uint32_t slot) {
  const mote_kdtree_leaf *leaf = &set->tree->leaf[slot / LEAF];
  double d[3];
  for (int axis = 0; axis < 3; ++axis) d[axis] = set->q[axis] - leaf->x[axis][slot % LEAF];
  return (near_point){bits_of(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), leaf->index[slot % LEAF]};
}

// Moves `slot` down from entry i of a heap of `count`, farthest first.
static void sink(nearest *set, size_t count, size_t i, uint32_t slot) {
  near_point moving = at_slot(set, slot);
  for (size_t child; (child = 2 * i + 1) < count; i = child) {
    near_point farther = at_slot(set, set->heap[child]);
    if (child + 1 < count) {
      near_point other = at_slot(set, set->heap[child + 1]);
      if (nearer(farther, other)) farther = other, ++child;
    }
    if (!nearer(moving, farther)) break;
    set->heap[i] = set->heap[child];
  }
  set->heap[i] = slot;
}

static void keep_many(nearest *set, uint32_t slot) {
  if (set->count < set->k) {
    set->heap[set->count++] = slot;
    if (set->count < set->k) return;
    for (size_t i = set->k / 2; i-- > 0;) sink(set, set->k, i, set->heap[i]);
  } else if (nearer(at_slot(set, slot), at_slot(set, set->heap[0]))) {
    sink(set, set->k, 0, slot);
  }
  set->worst = at_slot(set, set->heap[0]).distance;
}

static void read_leaf(nearest *set, uint32_t which) {
  const mote_kdtree_leaf *leaf = &set->tree->leaf[which];
  uint64_t distance[LEAF];
  leaf_distances(leaf, set->q, distance);
  if (set->k == 1) {
    keep_one(set, distance, leaf->index);
    return;
  }
  if (set->heap != NULL) {
    for (uint32_t k = 0; k < LEAF; ++k) {
      if (distance[k] <= set->worst) keep_many(set, which * LEAF + k);
    }
    return;
  }
  near_point candidate[LEAF];
  size_t candidates = 0;
#pragma GCC unroll 12
  for (int k = 0; k < LEAF; ++k) {
    candidate[candidates] = (near_point){distance[k], leaf->index[k]};
    candidates += distance[k] <= set->worst;
  }
  keep_few(set, candidate, candidates);
}

// A node on the way down: the keys of its children not yet visited, the others all ones.
typedef struct opened {
  uint64_t key[FAN];
  uint32_t child;
} opened;

static inline uint64_t least(const uint64_t key[FAN]) {
  uint64_t low[FAN / 2];
#pragma GCC unroll 4
  for (int c = 0; c < FAN / 2; ++c) low[c] = key[c] < key[c + FAN / 2] ? key[c] : key[c + FAN / 2];
  uint64_t a = low[0] < low[2] ? low[0] : low[2], b = low[1] < low[3] ? low[1] : low[3];
  return a < b ? a : b;
}

// Returns the key of the nearest child.
static inline uint64_t open_node(const nearest *set, uint32_t number, opened *node) {
  box_keys(&set->tree->node[number], set->q, node->key);
  node->child = FAN * number + 1;
  return least(node->key);
}

// Nearest child first, from every node on the way down to the current one.
static void search_nearest(nearest *set) {
  uint32_t first_leaf = (uint32_t)set->tree->first_leaf;
  opened stack[LEVELS_MAX], *node = stack;
  uint64_t key = open_node(set, 0, node);
  for (;;) {
    while (key > key_limit(set->worst)) {
      if (node == stack) return;
      key = least((--node)->key);
    }
    uint32_t c = key & (FAN - 1), number = node->child + c;
    node->key[c] = UINT64_MAX;
    if (number < first_leaf) {
      key = open_node(set, number, ++node);
    } else {
      read_leaf(set, number - first_leaf);
      key = least(node->key);
    }
  }
}

static void write_out(const near_point *found, size_t i, uint32_t *index, double *distance_squared) {
  index[i] = found->index;
  if (distance_squared != NULL) memcpy(&distance_squared[i], &found->distance, sizeof found->distance);
}

size_t mote_kdtree_nearest(const mote_kdtree *tree, const double x[3], size_t k, uint32_t *index,
                           double *distance_squared) {
  nearest set;
  if (k > tree->count) k = tree->count;
  if (k == 0 || !read_query(tree, x, set.q)) return 0;
  set.tree = tree;
  set.k = k;
  set.count = 0;
  set.worst = bits_of(HUGE_VAL);
  set.sorted[0] = (near_point){set.worst, UINT32_MAX};
  set.heap = k > SORTED_MAX ? index : NULL;
  search_nearest(&set);
  if (set.heap == NULL) {
    for (size_t i = 0; i < k; ++i) write_out(&set.sorted[i], i, index, distance_squared);
    return k;
  }
  for (size_t last = k; last-- > 0;) {
    uint32_t farthest = index[0];
    sink(&set, last, 0, index[last]);
    index[last] = farthest;
  }
  for (size_t i = 0; i < k; ++i) {
    near_point found = at_slot(&set, index[i]);
    write_out(&found, i, index, distance_squared);
  }
  return k;
}
