// Sets joined at random are those of a search through all pairs: the lowest number is the root, labels
// ascend.
#include "base/disjoint_sets.h"

#include "base/random.h"
#include "test.h"

enum { COUNT = 60, PAIRS = 40 };

static void check_seed(uint64_t seed) {
  uint32_t parent[COUNT], lowest[COUNT], pair[PAIRS][2];
  mote_sets_init(parent, COUNT);
  for (uint32_t k = 0; k < COUNT; ++k) lowest[k] = k;
  for (uint64_t n = 0; n < PAIRS; ++n) {
    for (uint64_t side = 0; side < 2; ++side)
      pair[n][side] = (uint32_t)mote_random_between(seed, side, n, 0.0, COUNT);
    mote_sets_join(parent, pair[n][0], pair[n][1]);
  }
  for (int round = 0; round < COUNT; ++round) {
    for (int n = 0; n < PAIRS; ++n) {
      uint32_t a = lowest[pair[n][0]], b = lowest[pair[n][1]];
      lowest[pair[n][0]] = lowest[pair[n][1]] = a < b ? a : b;
    }
  }
  uint32_t sets = 0, label[COUNT];
  for (uint32_t k = 0; k < COUNT; ++k) {
    CHECK(mote_sets_root(parent, k) == lowest[k]);
    label[k] = lowest[k] == k ? sets++ : label[lowest[k]];
  }
  CHECK(mote_sets_label(parent, COUNT) == sets && sets > 1 && sets < COUNT);
  for (uint32_t k = 0; k < COUNT; ++k) CHECK(parent[k] == label[k]);
}

int main(void) {
  for (uint64_t seed = 1; seed <= 20; ++seed) check_seed(seed);
  return test_end();
}
