// Trees of shapes: signs of set operations, bounds of the distance, exactness outside of unions and inside of
// intersections.
#include <mote/mote.h>

#include "shape_kit.h"
#include "test.h"

typedef struct pair {
  mote_shape *a, *b, *both[3];  // union, difference, intersection
  mote_shape *outside;          // the union, inverted
} pair;

static pair make_pair(int dimensions) {
  mote_shape_def parts[2] = {kit_single(MOTE_SHAPE_BOX, dimensions),
                             kit_single(MOTE_SHAPE_TORUS, dimensions)};
  mote_shape_def def = mote_shape_def_default();
  def.part = parts, def.parts = 2;
  pair p = {.a = kit_shape(parts, dimensions), .b = kit_shape(parts + 1, dimensions)};
  for (int k = 0; k < 3; ++k) {
    def.kind = (mote_shape_kind)(MOTE_SHAPE_UNION + k);
    p.both[k] = kit_shape(&def, dimensions);
  }
  def.kind = MOTE_SHAPE_UNION;
  def.inverted = true;
  p.outside = kit_shape(&def, dimensions);
  return p;
}

static void free_pair(pair *p) {
  mote_shape_destroy(p->a);
  mote_shape_destroy(p->b);
  for (int k = 0; k < 3; ++k) mote_shape_destroy(p->both[k]);
  mote_shape_destroy(p->outside);
}

static void test_operations(int dimensions) {
  pair p = make_pair(dimensions);
  for (uint64_t i = 0; i < 20000; ++i) {
    double x[3], n[3], m[3];
    kit_point(1, i, -1.5, 1.5, x);
    if (dimensions == 2) x[2] = 0.0;
    double a = mote_shape_distance(p.a, x), b = mote_shape_distance(p.b, x);
    double united = mote_shape_closest(p.both[0], x, n);
    CHECK((united < 0.0) == (a < 0.0 || b < 0.0));
    CHECK((mote_shape_distance(p.both[1], x) < 0.0) == (a < 0.0 && b > 0.0));
    CHECK((mote_shape_distance(p.both[2], x) < 0.0) == (a < 0.0 && b < 0.0));
    if (a > 0.0 && b > 0.0) CHECK(united == fmin(a, b));
    CHECK(mote_shape_closest(p.outside, x, m) == -united);
    CHECK(m[0] == -n[0] && m[1] == -n[1] && m[2] == -n[2]);
  }
  free_pair(&p);
}

// Differences skip parts that are too far away to cut; the same bits as of all parts.
static void test_difference(int dimensions) {
  enum { PARTS = MOTE_SHAPE_TORUS };  // a large box, less one of each primitive
  mote_shape_def def = mote_shape_def_default(), part[PARTS];
  mote_shape *alone[PARTS];
  for (int k = 0; k < PARTS; ++k) {
    part[k] = kit_single((mote_shape_kind)(MOTE_SHAPE_BOX + k), dimensions);
    part[k].scale = k == 0 ? 2.0 : 0.3;
    if (k > 0) part[k].move[0] = 0.5 * cos(k), part[k].move[1] = 0.4 * sin(k);
    alone[k] = kit_shape(part + k, dimensions);
  }
  def.kind = MOTE_SHAPE_DIFFERENCE, def.part = part, def.parts = PARTS;
  mote_shape *shape = kit_shape(&def, dimensions);
  int cut[PARTS] = {0};
  for (uint64_t i = 0; i < 20000; ++i) {
    double x[3], n[3], own[3], m[3];
    kit_point(3, i, -1.5, 1.5, x);
    if (dimensions == 2) x[2] = 0.0;
    double most = mote_shape_closest(alone[0], x, n);
    int by = 0;
    for (int k = 1; k < PARTS; ++k) {
      double d = -mote_shape_closest(alone[k], x, own);
      if (!(d > most)) continue;
      most = d, by = k;
      for (int a = 0; a < 3; ++a) n[a] = -own[a];
    }
    ++cut[by];
    CHECK(mote_shape_closest(shape, x, m) == most && m[0] == n[0] && m[1] == n[1] && m[2] == n[2]);
  }
  for (int k = 0; k < PARTS; ++k) {
    CHECK(cut[k] > 0);
    mote_shape_destroy(alone[k]);
  }
  mote_shape_destroy(shape);
}

// No steeper than 1: otherwise it would be more than the true distance somewhere.
static void test_lipschitz(int dimensions) {
  pair p = make_pair(dimensions);
  for (uint64_t i = 0; i < 5000; ++i) {
    double x[3], y[3];
    kit_point(2, 2 * i, -1.5, 1.5, x);
    kit_point(2, 2 * i + 1, -1.5, 1.5, y);
    if (dimensions == 2) x[2] = y[2] = 0.0;
    for (int k = 0; k < 3; ++k) {
      double apart = fabs(mote_shape_distance(p.both[k], x) - mote_shape_distance(p.both[k], y));
      CHECK(apart <= kit_distance(x, y) + 1e-12);
    }
  }
  free_pair(&p);
}

// Unions skip parts that cannot be nearest; the figure has many. Against its ellipsoids one by one.
static void test_figure(int dimensions) {
  mote_shape_def def = mote_shape_def_default();
  def.kind = MOTE_SHAPE_FIGURE;
  mote_shape *shape = kit_shape(&def, dimensions);
  double low[3], high[3], volume;
  mote_shape_bounds(shape, low, high);
  CHECK_NEAR(high[1], 1.0, 0.05);
  CHECK_NEAR(low[1], -1.0, 0.05);
  CHECK(mote_shape_volume(shape, &volume, NULL) == MOTE_OK && volume > 0.3);
  for (uint64_t i = 0; i < 3000; ++i) {
    double x[3], n[3];
    kit_point(7, i, -1.2, 1.2, x);
    if (dimensions == 2) x[2] = 0.0;
    double f = mote_shape_closest(shape, x, n);
    if (f <= 0.0) continue;
    double foot[3] = {x[0] - f * n[0], x[1] - f * n[1], x[2] - f * n[2]};
    CHECK_NEAR(mote_shape_distance(shape, foot), 0.0, 1e-9);
    if (dimensions == 3) {  // it is the same on both sides
      double mirrored[3] = {x[0], x[1], -x[2]};
      CHECK_NEAR(mote_shape_distance(shape, mirrored), f, 1e-12);
    }
  }
  mote_shape_destroy(shape);
}

int main(void) {
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    test_operations(dimensions);
    test_difference(dimensions);
    test_lipschitz(dimensions);
    test_figure(dimensions);
  }
  return test_end();
}
