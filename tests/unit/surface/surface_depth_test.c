// Depths below the zero set of fields on blocks: a plane exactly, a ball with the grid's accuracy, what lies
// beyond the blocks as deep as told.
#include "surface/surface_depth.h"

#include <math.h>
#include <mote/numeric.h>

#include "test.h"

enum { SIDE = 4, BLOCKS = SIDE * SIDE * SIDE, POINTS = 500 };

static int32_t at[BLOCKS][3];
static uint32_t above[BLOCKS][8];
static float value[BLOCKS * MOTE_BLOCK_NODES], depth[POINTS];
static double position[POINTS][3];
static uint32_t row[POINTS], point[POINTS];

// 4 x 4 x 4 blocks around the origin, in order.
static mote_sparse_field blocks(double cell) {
  for (int b = 0; b < BLOCKS; ++b) {
    int place[3] = {b % SIDE, b / SIDE % SIDE, b / SIDE / SIDE};
    for (int a = 0; a < 3; ++a) at[b][a] = place[a] - SIDE / 2;
    for (int k = 0; k < 8; ++k) {
      int x = place[0] + (k & 1), y = place[1] + (k >> 1 & 1), z = place[2] + (k >> 2);
      bool there = x < SIDE && y < SIDE && z < SIDE;
      above[b][k] = there ? (uint32_t)(x + SIDE * (y + SIDE * z)) : MOTE_BLOCK_ABSENT;
    }
  }
  return (mote_sparse_field){
      .cell = cell, .blocks = BLOCKS, .at = at[0], .above = (const uint32_t(*)[8])above, .value = value};
}

static void node_place(const mote_sparse_field *grid, int i, double x[3]) {
  int n = i % MOTE_BLOCK_NODES;
  const int local[3] = {n % 8, n / 8 % 8, n / 64};
  for (int a = 0; a < 3; ++a) x[a] = (8 * at[i / MOTE_BLOCK_NODES][a] + local[a]) * grid->cell;
}

static mote_point_set points(double reach) {
  for (uint32_t p = 0; p < POINTS; ++p) {
    row[p] = point[p] = p;
    for (int a = 0; a < 3; ++a) {
      position[p][a] = reach * (2.0 * mote_random_uniform(1, (uint64_t)a, p) - 1.0);
    }
  }
  return (mote_point_set){
      .spacing = 1.0, .count = POINTS, .particles = POINTS, .position = position[0], .row = row};
}

static void find_depths(const mote_sparse_field *grid, const mote_point_set *set, double unit,
                        double farthest) {
  mote_env env = mote_env_default();
  mote_arena scratch = mote_arena_make(&env);
  mote_depth_opts opts = {
      .unit = unit, .farthest = farthest, .point = point, .env = &env, .scratch = &scratch};
  CHECK(mote_surface_depth(grid, set, &opts, depth, NULL) == MOTE_OK);
  mote_arena_destroy(&scratch);
}

// Liquid below z = 0.3, in a field twice as steep as a distance; floats hold it to 1e-6.
static void test_plane(void) {
  mote_sparse_field grid = blocks(0.25);
  mote_point_set set = points(3.7);
  for (int i = 0; i < BLOCKS * MOTE_BLOCK_NODES; ++i) {
    double x[3];
    node_place(&grid, i, x);
    value[i] = (float)(2.0 * (0.3 - x[2]));
  }
  find_depths(&grid, &set, 0.5, 3.0);
  int deep = 0, outside = 0;
  for (int p = 0; p < POINTS; ++p) {
    double expected = 0.3 - position[p][2];
    if (expected > 2.7) {
      ++deep;
      CHECK(depth[p] > 2.6f && depth[p] <= 3.0f);
      continue;
    }
    outside += expected < 0.0;
    CHECK_NEAR((double)depth[p], expected, 1e-5);
  }
  CHECK(deep > 20 && outside > 100);
}

// A ball of radius 10 cells: errors of cell^2 / r (a quarter of it by linear interpolation, whose second
// derivatives are 2 / r, the rest by the march), but in its middle, where the distance has a kink. Particles
// outside of all blocks count as deep.
static void test_ball(void) {
  mote_sparse_field grid = blocks(0.25);
  mote_point_set set = points(2.5);
  position[0][0] = 50.0;
  for (int i = 0; i < BLOCKS * MOTE_BLOCK_NODES; ++i) {
    double x[3];
    node_place(&grid, i, x);
    value[i] = (float)(2.5 - sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]));
  }
  find_depths(&grid, &set, 1.0, 9.0);
  CHECK(depth[0] == 9.0f);
  for (int p = 1; p < POINTS; ++p) {
    double r = sqrt(position[p][0] * position[p][0] + position[p][1] * position[p][1] +
                    position[p][2] * position[p][2]);
    if (r > 3.0) continue;
    CHECK_NEAR((double)depth[p], 2.5 - r, r < 0.75 ? 0.13 : 0.25 * 0.25 / r);
  }
}

int main(void) {
  test_plane();
  test_ball();
  return test_end();
}
