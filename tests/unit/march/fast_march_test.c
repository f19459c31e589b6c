// The march over blocks that are there and blocks that are not: through the gaps, around them, from seeds
// that keep their values.
#include "march/fast_march.h"

#include <math.h>

#include "base/memory.h"
#include "test.h"

static mote_march make(size_t blocks, const uint32_t (*beside)[6], uint8_t *state, double *value) {
  for (size_t i = 0; i < blocks * MOTE_MARCH_BLOCK; ++i) state[i] = 0, value[i] = 77.0;
  return (mote_march){.blocks = blocks,
                      .beside = beside,
                      .cell = 1.0,
                      .order = 1,
                      .farthest = HUGE_VAL,
                      .state = state,
                      .value = value};
}

static mote_result run(mote_march *m) {
  mote_env env = mote_env_default();
  return mote_march_run(m, &env, NULL);
}

// Neighbours by number, in and across blocks, there and back.
static void test_neighbours(void) {
  const uint32_t N = MOTE_MARCH_NONE, beside[2][6] = {{N, N, N, 1, N, N}, {N, N, 0, N, N, N}};
  mote_march m = {.blocks = 2, .beside = beside};
  int found = 0;
  for (uint32_t i = 0; i < 1024; ++i) {
    for (int k = 0; k < 6; ++k) {
      uint32_t j = mote_march_next(&m, i, k);
      if (j == N) continue;
      CHECK(j < 1024 && mote_march_next(&m, j, k ^ 1) == i);
      ++found;
    }
  }
  CHECK(found == 2 * (7 * 16 * 8 + 8 * 15 * 8 + 8 * 16 * 7));
  CHECK(mote_march_next(&m, 56, 3) == 512 && mote_march_next(&m, 512 + 7, 2) == 63);
}

// A U of five blocks, all but a corridor one node wide walled off: the way through it is counted, not the
// gap between its arms. The sixth block hangs nowhere.
static void test_corridor(void) {
  const uint32_t N = MOTE_MARCH_NONE;
  // 2   4
  // 1   3      5 alone
  //   0 (between 1 and 3, below: -y of both would be others, so they hang on its sides)
  const uint32_t beside[6][6] = {{1, 3, N, N, N, N}, {N, 0, N, 2, N, N}, {N, N, 1, N, N, N},
                                 {0, N, N, 4, N, N}, {N, N, 3, N, N, N}, {N, N, N, N, N, N}};
  static uint8_t state[6 * 512];
  static double value[6 * 512];
  mote_march m = make(6, beside, state, value);
  for (uint32_t i = 0; i < 6 * 512; ++i) {
    uint32_t x = i % 8, y = i / 8 % 8, z = i / 64 % 8, b = i / 512;
    bool open = z == 3 && (b == 0   ? y == 0
                           : b == 1 ? (x == 0 || y == 0)
                           : b == 3 ? (x == 7 || y == 0)
                           : b == 2 ? x == 0
                                    : x == 7);
    if (!open && b != 5) state[i] = MOTE_MARCH_WALL;
  }
  uint32_t first = 2 * 512 + 7 * 8 + 3 * 64, last = 4 * 512 + 7 + 7 * 8 + 3 * 64;
  state[first] |= MOTE_MARCH_SEED;
  value[first] = 10.0;
  CHECK(run(&m) == MOTE_OK);
  double straight = 10.0 + 15.0 + 23.0 + 15.0;
  CHECK_NEAR(value[last], straight, 1e-12);
  CHECK(value[5 * 512] == (double)INFINITY && !(state[5 * 512] & MOTE_MARCH_DONE));
  CHECK(value[4] == (double)INFINITY);
}

// Seeds keep their values even where a shorter way exists, in walls they count for nothing, and a second run
// gives the same.
static void test_seeds(void) {
  const uint32_t N = MOTE_MARCH_NONE, beside[1][6] = {{N, N, N, N, N, N}};
  static uint8_t state[512];
  static double value[512], again[512];
  for (int order = 1; order <= 2; ++order) {
    mote_march m = make(1, beside, state, value);
    m.order = order;
    state[0] = state[3] = MOTE_MARCH_SEED;
    state[511] = MOTE_MARCH_SEED | MOTE_MARCH_WALL;
    value[0] = 0.0, value[3] = 100.0, value[511] = -5.0;
    CHECK(run(&m) == MOTE_OK);
    CHECK(value[0] == 0.0 && value[3] == 100.0 && value[511] == (double)INFINITY);
    CHECK(value[1] == 1.0 && value[8] == 1.0 && value[64] == 1.0);
    if (order == 1) CHECK_NEAR(value[9], 1.0 + sqrt(0.5), 1e-15);
    for (int i = 0; i < 511; ++i) CHECK(i == 3 || (value[i] < 20.0 && value[i] >= 0.0));
    for (int i = 0; i < 512; ++i) again[i] = value[i];
    CHECK(run(&m) == MOTE_OK);
    for (int i = 0; i < 512; ++i) CHECK(value[i] == again[i]);
  }
}

// A line of nodes as long as it may be, with seeds far apart in value: the ring of bins is jumped over.
static void test_far_seeds(void) {
  const uint32_t N = MOTE_MARCH_NONE, beside[1][6] = {{N, N, N, N, N, N}};
  static uint8_t state[512];
  static double value[512];
  mote_march m = make(1, beside, state, value);
  for (int i = 0; i < 512; ++i) {
    if (i % 64 / 8 % 2 == 1 || i / 64 % 2 == 1) state[i] = MOTE_MARCH_WALL;  // lines along x
  }
  double start[] = {0.0, 1e6, 1e6 + 0.5, 3.25, -1e9};
  int line[] = {0, 16, 32, 48, 128};
  for (int k = 0; k < 5; ++k) state[line[k]] |= MOTE_MARCH_SEED, value[line[k]] = start[k];
  CHECK(run(&m) == MOTE_OK);
  for (int k = 0; k < 5; ++k) {
    for (int x = 0; x < 8; ++x) CHECK(value[line[k] + x] == start[k] + x);
  }
}

int main(void) {
  test_neighbours();
  test_corridor();
  test_seeds();
  test_far_seeds();
  return test_end();
}
