// The kd-tree at its edges: nothing, one point, one place, too much asked for, bad input, no memory.
#include <math.h>
#include <mote/search.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/random.h"
#include "stingy.h"
#include "test.h"

static void bad_input_is_named(void) {
  double x[9] = {0, 0, 0, 1, 1, 1, 2, 2, (double)NAN};
  uint32_t index[3];
  mote_kdtree *tree = NULL;
  mote_lists lists;
  mote_error error;
  CHECK(mote_kdtree_create(3, x, 3, NULL, &tree, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.text, "point 2 is not finite: its z is nan");
  CHECK(mote_kdtree_create(0, x, 2, NULL, &tree, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_kdtree_create(4, x, 2, NULL, &tree, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_kdtree_create(3, NULL, 2, NULL, &tree, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_kdtree_create(3, x, 2, NULL, NULL, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_kdtree_create(3, x, (size_t)UINT32_MAX, NULL, &tree, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(tree == NULL);
  CHECK(mote_kdtree_create(2, x, 3, NULL, &tree, &error) == MOTE_OK);  // z is not read
  CHECK(mote_kdtree_nearest_at(tree, NULL, 1, 1, index, NULL, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_kdtree_nearest_at(tree, x, 1, 1, NULL, NULL, &error) == MOTE_ERROR_ARGUMENT);
  double bad[3] = {0, (double)INFINITY, 0}, radius[2] = {1, -1};
  CHECK(mote_kdtree_nearest_at(tree, bad, 1, 1, index, NULL, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_kdtree_neighbours_at(tree, bad, 1, radius, &lists, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_kdtree_neighbours_at(tree, x, 2, radius, &lists, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.text, "kd-tree: radius 1 is -1");
  CHECK(mote_kdtree_neighbours_at(tree, x, 2, NULL, &lists, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_kdtree_neighbours_at(tree, x, 1, radius, NULL, &error) == MOTE_ERROR_ARGUMENT);
  mote_kdtree_destroy(tree);
  mote_kdtree_destroy(NULL);
}

static void strange_queries_find_nothing(void) {
  double x[6] = {0, 0, 0, 1, 0, 0}, none[3] = {(double)NAN, 0, 0}, far[3] = {0, -(double)INFINITY, 0};
  uint32_t index[2];
  mote_kdtree *tree;
  CHECK(mote_kdtree_create(3, x, 2, NULL, &tree, NULL) == MOTE_OK);
  CHECK(mote_kdtree_range(tree, none, 9, index, 2) == 0 &&
        mote_kdtree_nearest(tree, none, 2, index, NULL) == 0);
  CHECK(mote_kdtree_range(tree, far, (double)INFINITY, index, 2) == 0);
  CHECK(mote_kdtree_nearest(tree, far, 2, index, NULL) == 0);
  CHECK(mote_kdtree_range(tree, x, -1, index, 2) == 0);
  CHECK(mote_kdtree_range(tree, x, (double)NAN, index, 2) == 0);
  CHECK(mote_kdtree_range(tree, x, 0, index, 2) == 1 && index[0] == 0);
  CHECK(mote_kdtree_range(tree, x, 1, NULL, 0) == 2);
  CHECK(mote_kdtree_nearest(tree, x, 0, NULL, NULL) == 0);
  mote_kdtree_destroy(tree);
}

static void empty_tree_answers(void) {
  double x[3] = {0};
  uint32_t index[2];
  mote_lists lists;
  mote_kdtree *tree;
  CHECK(mote_kdtree_create(3, NULL, 0, NULL, &tree, NULL) == MOTE_OK);
  CHECK(mote_kdtree_range(tree, x, 1, index, 2) == 0 && mote_kdtree_nearest(tree, x, 2, index, NULL) == 0);
  CHECK(mote_kdtree_nearest_at(tree, x, 1, 2, index, NULL, NULL) == MOTE_OK && index[1] == UINT32_MAX);
  double radius = 1;
  CHECK(mote_kdtree_neighbours_at(tree, x, 1, &radius, &lists, NULL) == MOTE_OK && lists.pairs == 0);
  CHECK(mote_kdtree_neighbours_at(tree, NULL, 0, NULL, &lists, NULL) == MOTE_OK && lists.count == 0);
  mote_kdtree_destroy(tree);
}

static void points_are_copied(void) {
  double x[3] = {1, 2, 3}, q[3] = {1, 2, 3};
  uint32_t index;
  mote_kdtree *tree;
  CHECK(mote_kdtree_create(3, x, 1, NULL, &tree, NULL) == MOTE_OK);
  x[0] = 100;
  CHECK(mote_kdtree_range(tree, q, 0, &index, 1) == 1);
  mote_kdtree_destroy(tree);
}

// `values` different places along each axis, so that cuts go through ties.
static void ties_take_no_longer(size_t count, uint32_t values) {
  double *x = malloc(3 * count * sizeof *x);
  uint32_t *index = malloc(count * sizeof *index);
  for (size_t i = 0; i < 3 * count; ++i) x[i] = mote_random(1, 0, i).v[0] % values;
  mote_kdtree *tree;
  double began = mote_clock_seconds();
  CHECK(mote_kdtree_create(3, x, count, NULL, &tree, NULL) == MOTE_OK);
  CHECK(mote_kdtree_nearest(tree, x, 100, index, NULL) == 100);
  CHECK(mote_clock_seconds() - began < 10);                         // seconds of a quadratic method: hundreds
  for (size_t k = 1; k < 100; ++k) CHECK(index[k] > index[k - 1]);  // all at distance 0
  CHECK(mote_kdtree_range(tree, x, 0, index, count) >= count / (values * values * values) / 2);
  CHECK(mote_kdtree_range(tree, x, values * 2.0, index, count) == count);
  mote_kdtree_destroy(tree);
  free(index);
  free(x);
}

// Orders for which simple choices of a pivot are quadratic.
static void sorted_input_takes_no_longer(void) {
  enum { COUNT = 100000 };
  double *x = calloc(3 * COUNT, sizeof *x);
  uint32_t index[1];
  for (int order = 0; order < 3; ++order) {
    for (int i = 0; i < COUNT; ++i)
      x[3 * i] = order == 0 ? i : order == 1 ? -i : i < COUNT / 2 ? i : COUNT - i;
    mote_kdtree *tree;
    double began = mote_clock_seconds();
    CHECK(mote_kdtree_create(1, x, COUNT, NULL, &tree, NULL) == MOTE_OK);
    CHECK(mote_clock_seconds() - began < 10);
    CHECK(mote_kdtree_nearest(tree, x + 3 * 77, 1, index, NULL) == 1 && index[0] == 77);
    mote_kdtree_destroy(tree);
  }
  free(x);
}

// A set large enough for every thread to have its subtrees.
static void threads_change_nothing(void) {
  enum { COUNT = 30000, K = 8 };
  double *x = malloc(3 * COUNT * sizeof *x), *distance2 = malloc(K * COUNT * sizeof *distance2);
  uint32_t *index = malloc(K * COUNT * sizeof *index);
  for (size_t i = 0; i < 3 * COUNT; ++i) x[i] = mote_random_unit(3, 0, i);
  uint64_t hash[3];
  for (int t = 0; t < 3; ++t) {
    mote_env env = mote_env_default();
    env.threads = (const int[]){1, 2, 7}[t];
    mote_kdtree *tree;
    CHECK(mote_kdtree_create(3, x, COUNT, &env, &tree, NULL) == MOTE_OK);
    CHECK(mote_kdtree_nearest_at(tree, x, COUNT, K, index, distance2, NULL) == MOTE_OK);
    hash[t] = mote_hash_bytes(0, distance2, K * COUNT * sizeof *distance2);
    CHECK(mote_kdtree_range(tree, x, 1, index, COUNT) > COUNT / 2);  // in the tree's own order
    hash[t] = mote_hash_bytes(hash[t], index, COUNT / 2 * sizeof *index);
    mote_kdtree_destroy(tree);
  }
  CHECK(hash[0] == hash[1] && hash[0] == hash[2]);
  free(index);
  free(distance2);
  free(x);
}

static void want_of_memory_leaks_nothing(void) {
  double x[300], radius[100];
  for (size_t i = 0; i < 300; ++i) x[i] = mote_random_unit(5, 0, i);
  for (size_t i = 0; i < 100; ++i) radius[i] = 0.4;
  mote_result result = MOTE_ERROR_MEMORY;
  for (int granted = 0; result != MOTE_OK && CHECK(granted < 20); ++granted) {
    stingy s;
    mote_env env = stingy_env(&s, granted);
    mote_error error = {0};
    mote_lists lists;
    mote_kdtree *tree = NULL;
    result = mote_kdtree_create(3, x, 100, &env, &tree, &error);
    if (result == MOTE_OK) result = mote_kdtree_neighbours_at(tree, x, 100, radius, &lists, &error);
    CHECK(result == MOTE_OK || (result == MOTE_ERROR_MEMORY && error.code == MOTE_ERROR_MEMORY));
    CHECK(result != MOTE_OK || lists.pairs > 100);
    mote_kdtree_destroy(tree);
    CHECK(s.held == 0);
  }
}

int main(void) {
  bad_input_is_named();
  strange_queries_find_nothing();
  empty_tree_answers();
  points_are_copied();
  ties_take_no_longer(100000, 1);
  ties_take_no_longer(100000, 2);
  ties_take_no_longer(100000, 3);
  sorted_input_takes_no_longer();
  threads_change_nothing();
  want_of_memory_leaks_nothing();
  return test_end();
}
