// Smoothing over nodes: linear fields stay, and two blocks do what one row of sixteen nodes does.
#include "surface/grid_smooth.h"

#include <mote/numeric.h>

#include "test.h"

static float value[2 * MOTE_BLOCK_NODES];

static void smooth(int passes) {
  const int32_t at[6] = {0, 0, 0, 1, 0, 0};
  uint32_t above[2][8];
  for (int b = 0; b < 2; ++b) {
    for (int k = 0; k < 8; ++k) above[b][k] = MOTE_BLOCK_ABSENT;
    above[b][0] = (uint32_t)b;
  }
  above[0][1] = 1;
  mote_sparse_field field = {
      .cell = 1.0, .blocks = 2, .at = at, .above = (const uint32_t(*)[8])above, .value = value};
  mote_env env = mote_env_default();
  mote_arena scratch = mote_arena_make(&env);
  CHECK(mote_grid_smooth(&field, passes, &scratch, 2, NULL) == MOTE_OK);
  mote_arena_destroy(&scratch);
}

static float *node(int x, int y, int z) {
  return value + (x / 8) * MOTE_BLOCK_NODES + (z * 8 + y) * 8 + x % 8;
}

int main(void) {
  for (int n = 0; n < 1024; ++n)
    *node(n % 16, n / 16 % 8, n / 128) = (float)(n % 16) - 2.0f * (float)(n / 128);
  smooth(2);
  // Ends are mirrored, and two passes reach two nodes.
  for (int z = 2; z < 6; ++z) {
    for (int x = 2; x < 14; ++x) CHECK_NEAR((double)*node(x, 3, z), x - 2.0 * z, 1e-5);
  }
  double row[18];
  for (int x = 0; x < 16; ++x) row[x + 1] = mote_random_uniform(1, 2, (size_t)x);
  for (int n = 0; n < 1024; ++n) *node(n % 16, n / 16 % 8, n / 128) = (float)row[n % 16 + 1];
  row[0] = row[1], row[17] = row[16];
  smooth(1);
  for (int x = 0; x < 16; ++x) {
    CHECK_NEAR((double)*node(x, 4, 5), 0.25 * (row[x] + row[x + 2]) + 0.5 * row[x + 1], 1e-6);
  }
  return test_end();
}
