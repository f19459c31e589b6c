// Distances beside the zero set of a field: exact for planes however steep the field is, of second order for
// spheres, never beyond what was seen of the surface.
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "march/fast_march.h"
#include "test.h"

enum { BLOCKS = 2, NODES = BLOCKS * MOTE_MARCH_BLOCK };

static const uint32_t beside[BLOCKS][6] = {
    {MOTE_MARCH_NONE, 1, MOTE_MARCH_NONE, MOTE_MARCH_NONE, MOTE_MARCH_NONE, MOTE_MARCH_NONE},
    {0, MOTE_MARCH_NONE, MOTE_MARCH_NONE, MOTE_MARCH_NONE, MOTE_MARCH_NONE, MOTE_MARCH_NONE}};

static double value[NODES];
static uint8_t state[NODES];

static mote_march two_blocks(double cell) {
  for (int i = 0; i < NODES; ++i) state[i] = 0;
  return (mote_march){.blocks = BLOCKS,
                      .beside = beside,
                      .cell = cell,
                      .order = 2,
                      .farthest = HUGE_VAL,
                      .state = state,
                      .value = value};
}

static void place(const mote_march *m, int i, double x[3]) {
  int at[3] = {i % 8 + 8 * (i / 512), i / 8 % 8, i / 64 % 8};
  for (int k = 0; k < 3; ++k) x[k] = m->cell * at[k];
}

static mote_result seed(mote_march *m) {
  mote_env env = mote_env_default();
  return mote_march_seed(m, &env, NULL);
}

// Inner nodes only: beside the border differences are one-sided, which planes do not mind.
static void test_plane(void) {
  mote_march m = two_blocks(0.1);
  double n[3] = {2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0}, x[3], sizes[] = {1e-200, 1.0, 1e200};
  for (int s = 0; s < 3; ++s) {
    int seeds = 0, negative = 0;
    m = two_blocks(0.1);
    for (int i = 0; i < NODES; ++i) {
      place(&m, i, x);
      value[i] = sizes[s] * (n[0] * x[0] + n[1] * x[1] + n[2] * x[2] - 0.513);
    }
    CHECK(seed(&m) == MOTE_OK);
    for (int i = 0; i < NODES; ++i) {
      place(&m, i, x);
      double expected = n[0] * x[0] + n[1] * x[1] + n[2] * x[2] - 0.513;
      negative += (state[i] & MOTE_MARCH_NEGATIVE) != 0;
      CHECK(((state[i] & MOTE_MARCH_NEGATIVE) != 0) == (expected < 0.0));
      if (!(state[i] & MOTE_MARCH_SEED)) continue;
      CHECK_NEAR(value[i], fabs(expected), 1e-14);
      ++seeds;
    }
    CHECK(seeds > 100 && negative > 200 && negative < 800);
  }
}

// x^2 - R^2 is no distance; its error at the seeds falls with the square of the cell.
static double sphere_error(double cell) {
  mote_march m = two_blocks(cell);
  double x[3], most = 0.0;
  for (int i = 0; i < NODES; ++i) {
    place(&m, i, x);
    x[0] += 1.0 - 7.3 * cell;  // the surface, at x = 1, goes through the middle
    value[i] = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] - 1.0;
  }
  CHECK(seed(&m) == MOTE_OK);
  for (int i = 0; i < NODES; ++i) {
    bool border = i % 8 + 8 * (i / 512) == 0 || i % 8 + 8 * (i / 512) == 15 || i / 8 % 8 == 0 ||
                  i / 8 % 8 == 7 || i / 64 % 8 == 0 || i / 64 % 8 == 7;
    if (border || !(state[i] & MOTE_MARCH_SEED)) continue;
    place(&m, i, x);
    x[0] += 1.0 - 7.3 * cell;
    double expected = fabs(sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) - 1.0);
    if (fabs(value[i] - expected) > most) most = fabs(value[i] - expected);
  }
  return most;
}

static void test_sphere(void) {
  double coarse = sphere_error(0.04), fine = sphere_error(0.01);
  CHECK(fine > 0.0 && coarse < 0.5 * 0.04 * 0.04);
  CHECK(log2(coarse / fine) / 2.0 > 1.8);
}

// A spike: one node of the other sign, beside which the gradient vanishes; and a wall that hides a crossing.
static void test_caps(void) {
  mote_march m = two_blocks(1.0);
  int spike = 4 + 8 * 4 + 64 * 4;
  for (int i = 0; i < NODES; ++i) value[i] = 1.0;
  value[spike] = -3.0;
  value[600] = -1.0;
  state[600] = MOTE_MARCH_WALL;
  value[1000] = 0.0;
  CHECK(seed(&m) == MOTE_OK);
  CHECK_NEAR(value[spike], 0.75, 1e-15);
  CHECK(state[spike] == (MOTE_MARCH_SEED | MOTE_MARCH_NEGATIVE));
  const int step[] = {1, 8, 64};
  for (int k = 0; k < 3; ++k) {
    CHECK(state[spike - step[k]] == MOTE_MARCH_SEED && value[spike - step[k]] <= 0.25);
    CHECK(value[spike - step[k]] == value[spike + step[k]] && value[spike - step[k]] > 0.1);
  }
  CHECK(state[600] == MOTE_MARCH_WALL && state[601] == 0 && state[599] == 0);
  CHECK(state[1000] == MOTE_MARCH_SEED && value[1000] == 0.0);
}

int main(void) {
  test_plane();
  test_sphere();
  test_caps();
  return test_end();
}
