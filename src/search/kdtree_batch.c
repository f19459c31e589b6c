// Queries of the kd-tree for many points at once: threads take blocks of points; lists are counted, placed,
// and then filled, so that their offsets do not depend on the threads.
#include <math.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "search/domain.h"
#include "search/kdtree.h"

#define QUERIES_PER_TASK 256  // queries a thread takes at a time

typedef struct batch {
  const mote_kdtree *tree;
  const double *position, *radius;
  size_t k;
  uint32_t *index;
  double *distance_squared;
} batch;

static mote_result check_queries(const mote_kdtree *tree, const double *position, size_t count,
                                 mote_error *error) {
  if (tree == NULL || (position == NULL && count > 0)) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "kd-tree: tree or position is null");
  }
  mote_domain open = mote_domain_open(tree->dimensions);
  double low[3], high[3];
  return mote_domain_bounds(&open, position, count, tree->env.threads, low, high, error);
}

// --- The k nearest ----------------------------------------------------------------------------------------

static void nearest_task(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const batch *b = data;
  for (size_t i = begin; i < end; ++i) {
    uint32_t *index = b->index + b->k * i;
    double *distance = b->distance_squared == NULL ? NULL : b->distance_squared + b->k * i;
    size_t found = mote_kdtree_nearest(b->tree, b->position + 3 * i, b->k, index, distance);
    for (; found < b->k; ++found) {
      index[found] = UINT32_MAX;
      if (distance != NULL) distance[found] = HUGE_VAL;
    }
  }
}

mote_result mote_kdtree_nearest_at(const mote_kdtree *tree, const double *position, size_t count, size_t k,
                                   uint32_t *index, double *distance_squared, mote_error *error) {
  MOTE_TRY(check_queries(tree, position, count, error));
  if (index == NULL && count > 0 && k > 0) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "kd-tree: index is null");
  }
  batch b = {
      .tree = tree, .position = position, .k = k, .index = index, .distance_squared = distance_squared};
  mote_parallel_for(tree->env.threads, count, QUERIES_PER_TASK, nearest_task, &b);
  return MOTE_OK;
}

// --- Lists ------------------------------------------------------------------------------------------------

static void count_task(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const batch *b = data;
  for (size_t i = begin; i < end; ++i) {
    b->tree->list_number[i] =
        (uint32_t)mote_kdtree_range(b->tree, b->position + 3 * i, b->radius[i], NULL, 0);
  }
}

static void list_task(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const batch *b = data;
  for (size_t i = begin; i < end; ++i) {
    size_t first = b->tree->list_first[i], capacity = b->tree->list_first[i + 1] - first;
    uint32_t *list = b->tree->list_index + first;
    size_t found = mote_kdtree_range(b->tree, b->position + 3 * i, b->radius[i], list, capacity);
    for (; found < capacity; ++found) list[found] = (uint32_t)b->tree->count;
  }
}

static mote_result check_radii(const double *radius, size_t count, mote_error *error) {
  if (radius == NULL && count > 0) return mote_fail(error, MOTE_ERROR_ARGUMENT, "kd-tree: radius is null");
  for (size_t i = 0; i < count; ++i) {
    if (!(radius[i] >= 0)) {
      return mote_fail(error, MOTE_ERROR_ARGUMENT, "kd-tree: radius %zu is %g", i, radius[i]);
    }
  }
  return MOTE_OK;
}

static size_t place_lists(mote_kdtree *tree, size_t count) {
  size_t pairs = 0;
  tree->list_first[0] = 0;
  for (size_t i = 0; i < count; ++i) {
    pairs += tree->list_number[i];
    tree->list_first[i + 1] = tree->list_first[i] + ((uint64_t)tree->list_number[i] + 3) / 4 * 4;
  }
  return pairs;
}

mote_result mote_kdtree_neighbours_at(mote_kdtree *tree, const double *position, size_t count,
                                      const double *radius, mote_lists *lists, mote_error *error) {
  MOTE_TRY(check_queries(tree, position, count, error));
  MOTE_TRY(check_radii(radius, count, error));
  if (lists == NULL) return mote_fail(error, MOTE_ERROR_ARGUMENT, "kd-tree: lists is null");
  const mote_env *env = &tree->env;
  MOTE_TRY(mote_reserve(env, &tree->list_number, &tree->number_capacity, count, sizeof(uint32_t), error));
  MOTE_TRY(mote_reserve(env, &tree->list_first, &tree->first_capacity, count + 1, sizeof(uint64_t), error));
  batch b = {.tree = tree, .position = position, .radius = radius};
  mote_parallel_for(env->threads, count, QUERIES_PER_TASK, count_task, &b);
  size_t pairs = place_lists(tree, count);
  size_t entries = tree->list_first[count];
  MOTE_TRY(mote_reserve(env, &tree->list_index, &tree->index_capacity, entries, sizeof(uint32_t), error));
  mote_parallel_for(env->threads, count, QUERIES_PER_TASK, list_task, &b);
  *lists = (mote_lists){.count = count,
                        .pairs = pairs,
                        .first = tree->list_first,
                        .number = tree->list_number,
                        .index = tree->list_index,
                        .filler = (uint32_t)tree->count};
  return MOTE_OK;
}
