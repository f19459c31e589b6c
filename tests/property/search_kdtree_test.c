// The kd-tree equals brute force: 243 seeds over sets of all kinds, in 1D, 2D and 3D, any radius, any k; and
// the same bytes for 1, 2 and 7 threads, one by one and many at once.
#include "base/hash.h"
#include "search_sets.h"
#include "test.h"

#define MOST 900
#define QUERIES 40
#define SEEDS (27 * 9)

typedef struct scene {
  mote_domain domain;
  size_t count;
  double x[3 * MOST], query[3 * QUERIES], radius[QUERIES];
} scene;

static void make_scene(scene *s, uint64_t seed) {
  int kind = (int)(seed % SET_KINDS), dimensions = 1 + (int)(seed / SET_KINDS % 3);
  double size = dimensions == 1 ? 40.0 : dimensions == 2 ? 9.0 : 5.0;
  s->domain = mote_domain_open(dimensions);
  s->count = seed % 31 == 0 ? seed / 31 % 3 : (size_t)mote_random_between(seed, 1, 0, 1, MOST);
  for (size_t i = 0; i < 3 * MOST; ++i) s->x[i] = (double)NAN;
  for (size_t i = 0; i < s->count; ++i) {
    for (int a = 0; a < dimensions; ++a) s->x[3 * i + a] = set_coordinate(kind, seed, i, a, size);
  }
  for (size_t q = 0; q < QUERIES; ++q) {
    for (int a = 0; a < 3; ++a) {
      bool own = q % 3 == 0 && s->count > 0;
      double elsewhere = 1.4 * set_coordinate(kind, seed, q + MOST, a, size) - 0.2 * size;
      s->query[3 * q + a] = a >= dimensions ? (double)NAN : own ? s->x[3 * (q % s->count) + a] : elsewhere;
    }
    // Quarters hit the distances of lattice points exactly.
    double quarters = floor(mote_random_between(seed, 2, q, 0, 9)) / 4;
    s->radius[q] = q % 8 == 1   ? 0.0
                   : q % 8 == 2 ? 1e-9
                   : q % 8 == 3 ? 1e200
                   : q % 8 == 4 ? (double)INFINITY
                   : q % 8 == 5 ? 1e6
                                : quarters;
  }
}

// --- The twin ---------------------------------------------------------------------------------------------

typedef struct ranked {
  double distance2;
  uint32_t index;
} ranked;

static void rank_all(const scene *s, const double *x, ranked *all) {
  for (size_t i = 0; i < s->count; ++i) {
    ranked moving = {set_distance2(&s->domain, x, s->x + 3 * i), (uint32_t)i};
    size_t j = i;
    for (; j > 0 && moving.distance2 < all[j - 1].distance2; --j) all[j] = all[j - 1];
    all[j] = moving;
  }
}

static bool range_right(const scene *s, const ranked *all, double radius, const uint32_t *index,
                        size_t found) {
  bool seen[MOST] = {false};
  size_t expected = 0;
  for (size_t k = 0; k < found; ++k) {
    if (index[k] >= s->count || seen[index[k]]) return false;
    seen[index[k]] = true;
  }
  while (expected < s->count && all[expected].distance2 <= radius * radius) {
    if (!seen[all[expected++].index]) return false;
  }
  return expected == found;
}

static bool nearest_right(const ranked *all, size_t wanted, const uint32_t *index, const double *distance2,
                          size_t found) {
  if (found != wanted) return false;
  for (size_t k = 0; k < found; ++k) {
    if (index[k] != all[k].index) return false;
    if (distance2 != NULL && !(distance2[k] == all[k].distance2)) return false;
  }
  return true;
}

// --- One scene --------------------------------------------------------------------------------------------

static void check_query(const scene *s, const mote_kdtree *tree, size_t q) {
  ranked all[MOST];
  uint32_t index[MOST + 5], part[MOST + 5];
  double distance2[MOST + 5];
  const double *x = s->query + 3 * q;
  rank_all(s, x, all);
  size_t found = mote_kdtree_range(tree, x, s->radius[q], index, MOST);
  CHECK(range_right(s, all, s->radius[q], index, found));
  size_t capacity = found / 2 + q % 3;
  memset(part, 0xff, sizeof part);
  CHECK(mote_kdtree_range(tree, x, s->radius[q], part, capacity) == found);
  CHECK(part[capacity] == UINT32_MAX);  // room is not overstepped
  CHECK(memcmp(part, index, (capacity < found ? capacity : found) * sizeof *part) == 0);
  size_t ks[] = {0, 1, 2, 8, 13, 32, 64, 65, 200, s->count, s->count + 5};
  size_t k = ks[q % 11], wanted = k < s->count ? k : s->count;
  found = mote_kdtree_nearest(tree, x, k, index, distance2);
  CHECK(nearest_right(all, wanted, index, distance2, found));
  found = mote_kdtree_nearest(tree, x, k, index, NULL);
  CHECK(nearest_right(all, wanted, index, NULL, found));
}

static uint64_t hash_lists(const mote_lists *lists) {
  uint64_t hash = mote_hash_bytes(lists->pairs, lists->first, (lists->count + 1) * sizeof *lists->first);
  hash = mote_hash_bytes(hash, lists->number, lists->count * sizeof *lists->number);
  return mote_hash_bytes(hash, lists->index, lists->first[lists->count] * sizeof *lists->index);
}

// Everything at once equals everything one by one. Returns a hash of all answers.
static uint64_t check_batch(const scene *s, mote_kdtree *tree) {
  enum { K = 9 };
  uint32_t index[K * QUERIES], one[MOST];
  double distance2[K * QUERIES], one2[K];
  mote_lists lists;
  CHECK(mote_kdtree_nearest_at(tree, s->query, QUERIES, K, index, distance2, NULL) == MOTE_OK);
  CHECK(mote_kdtree_neighbours_at(tree, s->query, QUERIES, s->radius, &lists, NULL) == MOTE_OK);
  CHECK(lists.count == QUERIES && lists.filler == s->count);
  for (size_t q = 0; q < QUERIES; ++q) {
    const uint32_t *list = lists.index + lists.first[q];
    size_t found = mote_kdtree_nearest(tree, s->query + 3 * q, K, one, one2);
    CHECK(memcmp(one, index + K * q, found * sizeof *one) == 0);
    CHECK(memcmp(one2, distance2 + K * q, found * sizeof *one2) == 0);
    for (; found < K; ++found) CHECK(index[K * q + found] == UINT32_MAX && isinf(distance2[K * q + found]));
    found = mote_kdtree_range(tree, s->query + 3 * q, s->radius[q], one, MOST);
    CHECK(found == lists.number[q] && memcmp(one, list, found * sizeof *one) == 0);
    for (; found % 4 != 0; ++found) CHECK(list[found] == s->count);
    CHECK(lists.first[q] + found == lists.first[q + 1]);
  }
  return mote_hash_bytes(mote_hash_bytes(hash_lists(&lists), index, sizeof index), distance2,
                         sizeof distance2);
}

static void check_seed(uint64_t seed) {
  static scene s;
  make_scene(&s, seed);
  uint64_t hash[3];
  for (int t = 0; t < 3; ++t) {
    mote_env env = mote_env_default();
    env.threads = (const int[]){1, 2, 7}[t];
    mote_kdtree *tree = NULL;
    if (!CHECK(mote_kdtree_create(s.domain.dimensions, s.x, s.count, &env, &tree, NULL) == MOTE_OK)) return;
    for (size_t q = 0; t == 0 && q < QUERIES; ++q) check_query(&s, tree, q);
    hash[t] = check_batch(&s, tree);
    mote_kdtree_destroy(tree);
  }
  CHECK(hash[0] == hash[1] && hash[0] == hash[2]);
}

int main(void) {
  for (uint64_t seed = 0; seed < SEEDS; ++seed) check_seed(seed);
  return test_end();
}
