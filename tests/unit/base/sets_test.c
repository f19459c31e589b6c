// Disjoint sets and bisection against looking at everything.
#include "base/sets.h"

#include "base/bisect.h"
#include "base/random.h"
#include "test.h"

enum { COUNT = 200 };

// Random unions; a twin gives all numbers of both sets the lower name.
static void roots_are_lowest(uint64_t seed) {
  uint32_t parent[COUNT], name[COUNT];
  for (uint32_t k = 0; k < COUNT; ++k) parent[k] = name[k] = k;
  for (uint64_t n = 0; n < COUNT; ++n) {
    uint32_t a = mote_random(seed, 0, n).v[0] % COUNT, b = mote_random(seed, 0, n).v[1] % COUNT;
    uint32_t high = name[a] > name[b] ? name[a] : name[b], low = name[a] > name[b] ? name[b] : name[a];
    mote_set_join(parent, a, b);
    for (int k = 0; k < COUNT; ++k) name[k] = name[k] == high ? low : name[k];
  }
  bool same = true;
  for (uint32_t k = 0; k < COUNT; ++k) same = same && mote_set_root(parent, k) == name[k];
  CHECK(same);
}

static void bisection_finds_the_first(uint64_t seed) {
  uint32_t number[COUNT], last = 0;
  size_t count = seed % COUNT;
  for (size_t k = 0; k < count; ++k) number[k] = last += mote_random(seed, 1, k).v[0] % 4;
  bool same = true;
  for (size_t key = 0; key < 4 * COUNT; ++key) {
    size_t first = 0;
    while (first < count && number[first] < key) ++first;
    same = same && mote_bisect(number, count, key) == first;
  }
  CHECK(same);
}

int main(void) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    roots_are_lowest(seed);
    bisection_finds_the_first(seed);
  }
  return test_end();
}
