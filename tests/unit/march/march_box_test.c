// Distances on boxes: planes exactly, spheres with the order that is promised, ways around walls, masks, and
// what is refused.
#include <math.h>
#include <mote/mote.h>
#include <stdlib.h>

#include "abuse.h"
#include "test.h"

static mote_march_def box(size_t x, size_t y, size_t z, double cell, int order) {
  mote_march_def def = mote_march_def_default();
  def.nodes[0] = x, def.nodes[1] = y, def.nodes[2] = z;
  def.cell = cell;
  def.order = order;
  return def;
}

static size_t count_of(const mote_march_def *def) {
  return def->nodes[0] * def->nodes[1] * def->nodes[2];
}

// Of node i, in m from the middle of the box.
static void place(const mote_march_def *def, size_t i, double x[3]) {
  size_t at[3] = {i % def->nodes[0], i / def->nodes[0] % def->nodes[1], i / def->nodes[0] / def->nodes[1]};
  for (int k = 0; k < 3; ++k) x[k] = ((double)at[k] - 0.5 * (double)(def->nodes[k] - 1)) * def->cell;
}

// A distance to a plane along an axis is exact but for rounding, on both sides, beginning between nodes.
static void test_plane(int order, int axis) {
  mote_march_def def = box(9, 13, 11, 0.1, order);
  double value[9 * 13 * 11], x[3];
  for (size_t i = 0; i < count_of(&def); ++i) {
    place(&def, i, x);
    value[i] = 3.0 * (x[axis] - 0.033);
  }
  CHECK(mote_fast_march_field(&def, value, NULL, NULL) == MOTE_OK);
  for (size_t i = 0; i < count_of(&def); ++i) {
    place(&def, i, x);
    CHECK_NEAR(value[i], x[axis] - 0.033, 1e-14);
  }
}

// A plane that leans: upwind differences are exact for linear functions, where all that a node's value comes
// from is in the box. It comes from below in x, y and z, so the seeds are the three lower sides, two thick.
static void test_leaning_plane(int order) {
  mote_march_def def = box(12, 10, 9, 0.25, order);
  double value[12 * 10 * 9], x[3], n[3] = {2.0 / 7.0, 3.0 / 7.0, 6.0 / 7.0};
  for (size_t i = 0; i < count_of(&def); ++i) {
    place(&def, i, x);
    bool seed = i % 12 < 2 || i / 12 % 10 < 2 || i / 120 < 2;
    value[i] = seed ? n[0] * x[0] + n[1] * x[1] + n[2] * x[2] : (double)INFINITY;
  }
  CHECK(mote_fast_march(&def, value, NULL, NULL) == MOTE_OK);
  for (size_t i = 0; i < count_of(&def); ++i) {
    place(&def, i, x);
    CHECK_NEAR(value[i], n[0] * x[0] + n[1] * x[1] + n[2] * x[2], 1e-13);
  }
}

// Mean error of the distance to a sphere of radius 0.5 from a field that is no distance, in a box of edge 2.
static double sphere_error(int dimensions, int cells, int order) {
  size_t n = (size_t)cells + 1;
  mote_march_def def = box(n, n, dimensions == 3 ? n : 1, 2.0 / cells, order);
  double *value = malloc(count_of(&def) * sizeof *value), x[3], sum = 0.0;
  size_t counted = 0;
  for (size_t i = 0; i < count_of(&def); ++i) {
    place(&def, i, x);
    x[0] -= 0.013, x[1] += 0.029;
    value[i] = (x[0] * x[0] + x[1] * x[1] + x[2] * x[2] - 0.25) * (1.0 + 0.3 * x[1]);
  }
  CHECK(mote_fast_march_field(&def, value, NULL, NULL) == MOTE_OK);
  for (size_t i = 0; i < count_of(&def); ++i) {
    place(&def, i, x);
    x[0] -= 0.013, x[1] += 0.029;
    double r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    if (r < 0.2) continue;  // near the middle the distance has a kink
    sum += fabs(value[i] - (r - 0.5));
    ++counted;
  }
  free(value);
  return sum / (double)counted;
}

static void test_sphere(int dimensions, int order) {
  double coarse = sphere_error(dimensions, 20, order), fine = sphere_error(dimensions, 40, order),
         finest = sphere_error(dimensions, 80, order);
  double wanted = order == 1 ? 0.85 : 1.7;  // orders 1 and 2, reached from below
  CHECK(log2(coarse / fine) > wanted - 0.1 && log2(fine / finest) > wanted);
  CHECK(finest < (order == 1 ? 0.4 * 0.025 : 0.6 * 0.025 * 0.025));
}

// Around the end of a wall: two straight parts. Behind the end the error is of first order, because the end
// is a source that no node resolves.
static double wall_error(int cells) {
  size_t n = (size_t)cells + 1;
  mote_march_def def = box(n, n, 1, 2.0 / cells, 2);
  double *value = malloc(count_of(&def) * sizeof *value), x[3], most = 0.0;
  uint8_t *mask = malloc(count_of(&def));
  for (size_t i = 0; i < count_of(&def); ++i) {
    place(&def, i, x);
    mask[i] = !(fabs(x[0]) < 0.01 * def.cell && x[1] < 0.0);  // one node thick
    double r = sqrt((x[0] + 0.5) * (x[0] + 0.5) + (x[1] + 0.5) * (x[1] + 0.5));
    value[i] = r < 0.2 ? r : (double)INFINITY;
  }
  def.mask = mask;
  CHECK(mote_fast_march(&def, value, NULL, NULL) == MOTE_OK);
  for (size_t i = 0; i < count_of(&def); ++i) {
    place(&def, i, x);
    if (!mask[i]) {
      CHECK(value[i] == (double)INFINITY);
      continue;
    }
    bool shadow = x[0] > 0.0 && x[1] < x[0];  // the straight way from (-1/2, -1/2) meets the wall
    double straight = sqrt((x[0] + 0.5) * (x[0] + 0.5) + (x[1] + 0.5) * (x[1] + 0.5));
    double expected = shadow ? sqrt(0.5) + sqrt(x[0] * x[0] + x[1] * x[1]) : straight;
    if (fabs(value[i] - expected) > most) most = fabs(value[i] - expected);
  }
  free(value);
  free(mask);
  return most;
}

static void test_wall(void) {
  double coarse = wall_error(40), fine = wall_error(160);
  CHECK(coarse < 1.5 * 0.05);
  CHECK(log2(coarse / fine) / 2.0 > 0.7);
}

// Rooms: what is shut in, what lies beyond farthest, and what no seed reaches stay infinite.
static void test_unreachable(void) {
  mote_march_def def = box(30, 1, 1, 0.5, 2);
  uint8_t mask[30];
  double value[30];
  for (int i = 0; i < 30; ++i) mask[i] = i != 20, value[i] = HUGE_VAL;
  def.mask = mask;
  value[20] = (double)NAN;  // under the mask nothing is looked at
  CHECK(mote_fast_march(&def, value, NULL, NULL) == MOTE_OK);
  for (int i = 0; i < 30; ++i) CHECK(value[i] == (double)INFINITY);
  value[3] = -1.0;
  def.farthest = 5.1;
  CHECK(mote_fast_march(&def, value, NULL, NULL) == MOTE_OK);
  for (int i = 0; i < 30; ++i)
    CHECK_NEAR(value[i], i <= 15 ? -1.0 + 0.5 * abs(i - 3) : (double)INFINITY, 1e-14);
  for (int i = 0; i < 30; ++i) value[i] = i == 7 ? -0.0 : -3.0;  // beyond the wall: a field without a zero
  def.farthest = HUGE_VAL;
  CHECK(mote_fast_march_field(&def, value, NULL, NULL) == MOTE_OK);
  for (int i = 0; i < 30; ++i) {
    double sign = i == 20 ? 1.0 : -1.0;
    CHECK_NEAR(value[i], i < 20 ? -0.5 * abs(i - 7) : sign * (double)INFINITY, 1e-14);
  }
}

// Twice as fast, half the time; and a slower strip takes longer.
static void test_speed(void) {
  mote_march_def def = box(40, 1, 1, 1.0, 1);
  double value[40], speed[40];
  for (int i = 0; i < 40; ++i) speed[i] = i < 10 ? 2.0 : i < 20 ? 0.5 : 4.0, value[i] = HUGE_VAL;
  value[0] = 0.0;
  def.speed = speed;
  CHECK(mote_fast_march(&def, value, NULL, NULL) == MOTE_OK);
  CHECK_NEAR(value[9], 4.5, 1e-14);
  CHECK_NEAR(value[19], 4.5 + 20.0, 1e-13);
  CHECK_NEAR(value[39], 4.5 + 20.0 + 5.0, 1e-13);
}

// Values and cells at the ends of doubles' range do no harm.
static void test_extremes(void) {
  const double cell[] = {1e-320, 1e-300, 1e-5, 1e300}, seed[] = {-1e308, -1e17, 0.0, 1e17, 1e308};
  for (int c = 0; c < 4; ++c) {
    for (int s = 0; s < 5; ++s) {
      mote_march_def def = box(20, 20, 1, cell[c], 2);
      double value[400];
      for (int i = 0; i < 400; ++i) value[i] = HUGE_VAL;
      value[0] = seed[s], value[399] = 0.0;
      CHECK(mote_fast_march(&def, value, NULL, NULL) == MOTE_OK);
      for (int i = 0; i < 400; ++i) CHECK(value[i] >= (seed[s] < 0.0 ? seed[s] : 0.0));
      for (int i = 0; i < 400; ++i) value[i] = (i % 20 - 9.5) * 1.8e307;
      CHECK(mote_fast_march_field(&def, value, NULL, NULL) == MOTE_OK);
      for (int i = 0; i < 400; ++i) CHECK((signbit(value[i]) != 0) == (i % 20 < 10));
    }
  }
}

static void test_refused(void) {
  mote_error error;
  double value[8] = {0.0, 1.0, (double)NAN, 3.0, 4.0, 5.0, 6.0, 7.0},
         speed[8] = {1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0};
  mote_march_def good = box(2, 2, 2, 1.0, 2), def = good;
  REFUSED(mote_fast_march(NULL, value, NULL, &error), ARGUMENT, "needed");
  REFUSED(mote_fast_march_field(&good, NULL, NULL, &error), ARGUMENT, "needed");
  REFUSED(mote_fast_march(&good, value, NULL, &error), ARGUMENT, "node 2");
  CHECK_TEXT(error.key, "value");
  value[2] = -(double)INFINITY;
  REFUSED(mote_fast_march(&good, value, NULL, &error), ARGUMENT, "node 2");
  value[2] = HUGE_VAL;
  REFUSED(mote_fast_march_field(&good, value, NULL, &error), ARGUMENT, "node 2");
  CHECK(value[1] == 1.0 && value[7] == 7.0);
  def.nodes[1] = 0;
  REFUSED(mote_fast_march(&def, value, NULL, &error), ARGUMENT, "nodes");
  CHECK_TEXT(error.key, "nodes");
  def = good, def.nodes[0] = def.nodes[1] = def.nodes[2] = SIZE_MAX;
  REFUSED(mote_fast_march(&def, value, NULL, &error), ARGUMENT, "too many");
  const double cells[] = {0.0, -1.0, (double)NAN, HUGE_VAL};
  for (int k = 0; k < 4; ++k) {
    def = good, def.cell = cells[k];
    REFUSED(mote_fast_march(&def, value, NULL, &error), ARGUMENT, "positive");
    CHECK_TEXT(error.key, "cell");
  }
  for (int order = 0; order < 4; order += 3) {
    def = good, def.order = order;
    REFUSED(mote_fast_march(&def, value, NULL, &error), ARGUMENT, "1 or 2");
    CHECK_TEXT(error.key, "order");
  }
  def = good, def.farthest = (double)NAN;
  REFUSED(mote_fast_march(&def, value, NULL, &error), ARGUMENT, "number");
  CHECK_TEXT(error.key, "farthest");
  def = good, def.speed = speed;
  REFUSED(mote_fast_march(&def, value, NULL, &error), ARGUMENT, "node 2");
  CHECK_TEXT(error.key, "speed");
}

static mote_error exhausted;
static mote_result use_march(const mote_env *env) {
  mote_march_def def = box(17, 17, 17, 0.1, 2);
  double value[17 * 17 * 17], speed[17 * 17 * 17], x[3];
  for (size_t i = 0; i < count_of(&def); ++i) {
    place(&def, i, x);
    value[i] = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] - 0.2, speed[i] = 1.0;
  }
  def.speed = speed;
  double before = value[100];
  mote_result result = mote_fast_march_field(&def, value, env, &exhausted);
  CHECK(result == MOTE_OK || value[100] == before);
  return result;
}

int main(void) {
  for (int order = 1; order <= 2; ++order) {
    for (int axis = 0; axis < 3; ++axis) test_plane(order, axis);
    test_leaning_plane(order);
    test_sphere(2, order);
    test_sphere(3, order);
  }
  test_wall();
  test_unreachable();
  test_speed();
  test_extremes();
  test_refused();
  abuse_exhaust("fast march", use_march, &exhausted);
  return test_end();
}
