// Misuse of the kd-tree, as api_abuse_test.c does for the rest.
#include <math.h>
#include <mote/mote.h>
#include <stdint.h>

#include "abuse.h"

#define N 200
#define MANY ((size_t)SIZE_MAX)

static double point[3 * N], radius_of[N];
static mote_error error;

static void *untouched(void) {
  static char somewhere;
  return &somewhere;
}

static void definitions(void) {
  mote_kdtree *tree = untouched();
  REFUSED(mote_kdtree_create(3, point, N, NULL, NULL, &error), ARGUMENT, "null");
  REFUSED(mote_kdtree_create(3, NULL, N, NULL, &tree, &error), ARGUMENT, "null");
  REFUSED(mote_kdtree_create(0, point, N, NULL, &tree, &error), ARGUMENT, "dimensions");
  REFUSED(mote_kdtree_create(4, point, N, NULL, &tree, &error), ARGUMENT, "dimensions");
  REFUSED(mote_kdtree_create(3, point, MANY, NULL, &tree, &error), ARGUMENT, "more than");
  REFUSED(mote_kdtree_create(2, (double[3]){0, (double)INFINITY, 0}, 1, NULL, &tree, &error), ARGUMENT,
          "point 0 is not finite: its y");
  CHECK(tree == untouched());
}

static void calls(void) {
  mote_kdtree *tree = NULL;
  mote_lists lists = {.count = 77};
  uint32_t index[N] = {77};
  double d2[N], nan3[3] = {0, 0, (double)NAN}, bad[] = {-1.0, (double)NAN};
  if (!CHECK(mote_kdtree_create(3, point, N, NULL, &tree, &error) == MOTE_OK)) return;
  REFUSED(mote_kdtree_nearest_at(NULL, point, 1, 1, index, d2, &error), ARGUMENT, "null");
  REFUSED(mote_kdtree_nearest_at(tree, NULL, 1, 1, index, d2, &error), ARGUMENT, "null");
  REFUSED(mote_kdtree_nearest_at(tree, point, 1, 1, NULL, d2, &error), ARGUMENT, "null");
  REFUSED(mote_kdtree_nearest_at(tree, nan3, 1, 1, index, d2, &error), ARGUMENT, "finite");
  REFUSED(mote_kdtree_neighbours_at(NULL, point, 1, radius_of, &lists, &error), ARGUMENT, "null");
  REFUSED(mote_kdtree_neighbours_at(tree, NULL, 1, radius_of, &lists, &error), ARGUMENT, "null");
  REFUSED(mote_kdtree_neighbours_at(tree, point, 1, NULL, &lists, &error), ARGUMENT, "null");
  REFUSED(mote_kdtree_neighbours_at(tree, point, 1, radius_of, NULL, &error), ARGUMENT, "null");
  REFUSED(mote_kdtree_neighbours_at(tree, nan3, 1, radius_of, &lists, &error), ARGUMENT, "finite");
  for (int k = 0; k < 2; ++k) {
    REFUSED(mote_kdtree_neighbours_at(tree, point, 1, &bad[k], &lists, &error), ARGUMENT, "radius 0");
    CHECK(mote_kdtree_range(tree, point, bad[k], index, N) == 0);
  }
  CHECK(lists.count == 77 && index[0] == 77);
  CHECK(mote_kdtree_range(tree, nan3, 1, index, N) == 0 &&
        mote_kdtree_nearest(tree, nan3, 3, index, d2) == 0);
  CHECK(mote_kdtree_nearest(tree, point, 0, NULL, NULL) == 0);
  CHECK(mote_kdtree_nearest(tree, point, MANY, index, NULL) == N);
  CHECK(mote_kdtree_range(tree, point, (double)INFINITY, NULL, 0) == N);
  CHECK(mote_kdtree_range(tree, point, 1e300, index, 5) == N);
  // So far away that all squared distances are infinite: all are equally near, the first by index are taken.
  const double far[3] = {1.7e308, -1.7e308, 0};
  CHECK(mote_kdtree_nearest(tree, far, 3, index, d2) == 3 && index[0] == 0 && index[1] == 1 && index[2] == 2);
  CHECK(mote_kdtree_nearest(tree, far, 1, index, d2) == 1 && index[0] == 0 && isinf(d2[0]));
  CHECK(mote_kdtree_nearest(tree, far, N, index, NULL) == N && index[0] == 0 && index[N - 1] == N - 1);
  CHECK(mote_kdtree_range(tree, far, 1e150, index, N) == 0);
  mote_kdtree_destroy(tree);
  mote_kdtree_destroy(NULL);
}

// None, one, coincident, in the whole range of doubles, and with axes that nobody reads.
static void edges(void) {
  mote_kdtree *tree = NULL;
  mote_lists lists;
  uint32_t index[N];
  double d2[N];
  if (!CHECK(mote_kdtree_create(3, NULL, 0, NULL, &tree, &error) == MOTE_OK)) return;
  CHECK(mote_kdtree_range(tree, point, 1, index, N) == 0 &&
        mote_kdtree_nearest(tree, point, 2, index, d2) == 0);
  CHECK(mote_kdtree_nearest_at(tree, point, 1, 2, index, d2, &error) == MOTE_OK);
  CHECK(index[1] == UINT32_MAX && isinf(d2[1]));
  CHECK(mote_kdtree_neighbours_at(tree, point, N, radius_of, &lists, &error) == MOTE_OK && lists.pairs == 0);
  CHECK(mote_kdtree_neighbours_at(tree, NULL, 0, NULL, &lists, &error) == MOTE_OK && lists.count == 0);
  mote_kdtree_destroy(tree);
  static double set[3 * N];
  for (int kind = 0; kind < 3; ++kind) {
    for (size_t i = 0; i < N; ++i) {
      set[3 * i] = kind == 0 ? -0.0 : kind == 1 ? 1.7e308 * (i % 2 ? 1 : -1) : (double)i;
      set[3 * i + 1] = set[3 * i + 2] = (double)NAN;
    }
    if (!CHECK(mote_kdtree_create(1, set, N, NULL, &tree, &error) == MOTE_OK)) continue;
    size_t same = kind == 0 ? N : kind == 1 ? N / 2 : 1;
    CHECK(mote_kdtree_range(tree, set, 0, index, N) == same);
    CHECK(mote_kdtree_nearest(tree, set, 1, index, d2) == 1 && index[0] == 0 && d2[0] == 0);
    CHECK(mote_kdtree_nearest(tree, set, N, index, d2) == N && index[0] == 0);
    mote_kdtree_destroy(tree);
  }
}

static mote_result use_kdtree(const mote_env *env) {
  mote_kdtree *tree = untouched();
  mote_lists lists = {.count = 77};
  mote_result result = mote_kdtree_create(3, point, N, env, &tree, &error);
  if (result != MOTE_OK) return CHECK(tree == untouched()), result;
  result = mote_kdtree_neighbours_at(tree, point, N, radius_of, &lists, &error);
  CHECK(result == MOTE_OK ? lists.count == N : lists.count == 77);
  mote_kdtree_destroy(tree);
  return result;
}

int main(void) {
  for (size_t k = 0; k < 3 * N; ++k) point[k] = mote_random_uniform(1, 0, k);
  for (size_t i = 0; i < N; ++i) radius_of[i] = 0.3 * point[i];
  definitions();
  calls();
  edges();
  abuse_exhaust("kd-tree", use_kdtree, &error);
  return test_end();
}
