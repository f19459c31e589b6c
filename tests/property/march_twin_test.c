// Fast marching against a twin that looks at all nodes for the nearest one, with random masks, speeds and
// seeds: the same values. And what any order must give: every value follows from its neighbours.
#include <math.h>
#include <mote/mote.h>
#include <mote/numeric.h>
#include <stdlib.h>

#include "test.h"

enum { X = 19, Y = 11, Z = 9, NODES = X * Y * Z };

typedef struct twin {
  const mote_march_def *def;
  double value[NODES];
  bool done[NODES], seed[NODES];
} twin;

// The node `steps` away along an axis, or -1.
static int beside(int i, int axis, int steps) {
  const int side[3] = {X, Y, Z}, stride[3] = {1, X, X * Y};
  int at = i / stride[axis] % side[axis] + steps;
  return at < 0 || at >= side[axis] ? -1 : i + steps * stride[axis];
}

static double known(const twin *t, int i) {
  return i >= 0 && t->done[i] ? t->value[i] : (double)INFINITY;
}

// The arrival at node i, by trying all sets of axes: the least root that no base of its set exceeds.
static double arrival(const twin *t, int i) {
  double base[3], weight[3], best = HUGE_VAL, step = t->def->cell / (t->def->speed ? t->def->speed[i] : 1.0);
  for (int a = 0; a < 3; ++a) {
    double low = known(t, beside(i, a, -1)), high = known(t, beside(i, a, 1));
    int side = high < low ? 1 : -1;
    double t1 = side > 0 ? high : low, t2 = known(t, beside(i, a, 2 * side));
    bool second = t->def->order == 2 && t1 < (double)INFINITY && t2 <= t1 && t1 - t2 <= 2.0 * step;
    base[a] = second ? t1 + (t1 - t2) / 3.0 : t1;
    weight[a] = second ? 2.25 : 1.0;
  }
  for (int set = 1; set < 8; ++set) {
    double a = 0.0, b = 0.0, c = 0.0, most = 0.0, from = HUGE_VAL;
    for (int k = 0; k < 3; ++k) {
      if (set >> k & 1 && base[k] < from) from = base[k];
    }
    for (int k = 0; k < 3; ++k) {
      if (!(set >> k & 1)) continue;
      double d = (base[k] - from) / step;
      a += weight[k], b += weight[k] * d, c += weight[k] * d * d;
      if (d > most) most = d;
    }
    double square = b * b - a * (c - 1.0), root = (b + sqrt(square)) / a;
    if (square >= 0.0 && root >= most && from + step * root < best) best = from + step * root;
  }
  return best;
}

static void march_slowly(twin *t) {
  for (;;) {
    int next = -1;
    for (int i = 0; i < NODES; ++i) {
      if (!t->done[i] && t->value[i] < (double)INFINITY && (next < 0 || t->value[i] < t->value[next]))
        next = i;
    }
    if (next < 0 || t->value[next] > t->def->farthest) break;
    t->done[next] = true;
    for (int k = 0; k < 6; ++k) {
      int j = beside(next, k / 2, k % 2 ? 1 : -1);
      if (j < 0 || t->done[j] || t->seed[j] || (t->def->mask && !t->def->mask[j])) continue;
      double arrived = arrival(t, j);
      if (arrived < t->value[j]) t->value[j] = arrived;
    }
  }
  for (int i = 0; i < NODES; ++i) {
    if (!t->done[i]) t->value[i] = HUGE_VAL;
  }
}

static void compare(uint64_t seed, int order, bool masked, bool varied, double farthest) {
  static twin t;
  static uint8_t mask[NODES];
  static double speed[NODES], value[NODES];
  mote_march_def def = mote_march_def_default();
  def.nodes[0] = X, def.nodes[1] = Y, def.nodes[2] = Z;
  def.cell = 0.3, def.order = order, def.farthest = farthest;
  if (masked) def.mask = mask;
  if (varied) def.speed = speed;
  for (int i = 0; i < NODES; ++i) {
    mask[i] = mote_random_uniform(seed, 1, (uint64_t)i) > 0.3;
    speed[i] = varied ? mote_exp(4.0 * mote_random_uniform(seed, 2, (uint64_t)i) - 2.0) : 1.0;
    bool source = mote_random_uniform(seed, 3, (uint64_t)i) < 0.004 && (!masked || mask[i]);
    value[i] = source ? mote_random_uniform(seed, 4, (uint64_t)i) : (double)INFINITY;
    t.value[i] = value[i], t.seed[i] = source, t.done[i] = false;
  }
  t.def = &def;
  march_slowly(&t);
  CHECK(mote_fast_march(&def, value, NULL, NULL) == MOTE_OK);
  int reached = 0;
  for (int i = 0; i < NODES; ++i) {
    reached += value[i] < (double)INFINITY;
    CHECK_NEAR(value[i], t.value[i], 1e-12);
  }
  CHECK(reached > (masked || farthest < 9.0 ? 30 : NODES - 1));
}

// At the end of a march of first order each value is what its neighbours' values make of it, whatever the
// order was in which they came.
static void test_fixed_point(uint64_t seed) {
  static twin t;
  static double speed[NODES];
  mote_march_def def = mote_march_def_default();
  def.nodes[0] = X, def.nodes[1] = Y, def.nodes[2] = Z;
  def.order = 1, def.speed = speed;
  for (int i = 0; i < NODES; ++i) {
    speed[i] = 0.1 + mote_random_uniform(seed, 2, (uint64_t)i);
    t.seed[i] = i % 401 == 7;
    t.value[i] = t.seed[i] ? mote_random_uniform(seed, 4, (uint64_t)i) : (double)INFINITY;
    t.done[i] = true;
  }
  t.def = &def;
  CHECK(mote_fast_march(&def, t.value, NULL, NULL) == MOTE_OK);
  for (int i = 0; i < NODES; ++i) {
    if (!t.seed[i]) CHECK_NEAR(t.value[i], arrival(&t, i), 1e-12);
  }
}

int main(void) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    for (int order = 1; order <= 2; ++order) {
      compare(seed, order, false, false, HUGE_VAL);
      compare(seed, order, true, false, HUGE_VAL);
      compare(seed, order, false, true, HUGE_VAL);
      compare(seed, order, true, true, HUGE_VAL);
      compare(seed, order, false, false, 1.5);
    }
    test_fixed_point(seed);
  }
  return test_end();
}
