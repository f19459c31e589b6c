// Packing points by blocks against all of them one by one; the small cell list against all pairs.
#include "geom/packing.h"

#include <mote/mote.h>

#include "geom/point_cells.h"
#include "shape_kit.h"
#include "test.h"

static void test_blocks(mote_shape_kind kind, int dimensions, double low, double high) {
  mote_shape_def def = kit_single(kind, dimensions);
  mote_shape *shape = kit_shape(&def, dimensions);
  double basis[9], step[3] = {0.11, 0.13, 0.17}, offset[3] = {0.3, 0.1, 0.7}, a[3] = {-1.5, -1.5, -1.5},
                   b[3] = {1.5, 1.5, 1.5};
  if (dimensions == 2) a[2] = b[2] = 0.0;
  mote_packing_basis(shape, basis);
  mote_packing packing = mote_packing_over(basis, a, b, step, offset, dimensions);
  mote_packing_plan plan;
  size_t found = mote_packing_count(shape, &packing, low, high, &plan), expected = 0;
  double *position = malloc((found + 1) * 24), sum[3] = {0}, expected_sum[3] = {0};
  mote_packing_place(&plan, position);
  for (int64_t k = 0; k < packing.count[0] * packing.count[1] * packing.count[2]; ++k) {
    double y[3] = {(double)(k % packing.count[0]) * packing.step[0],
                   (double)(k / packing.count[0] % packing.count[1]) * packing.step[1],
                   (double)(k / packing.count[0] / packing.count[1]) * packing.step[2]};
    double x[3];
    turn3(basis, y, y);
    step3(packing.origin, 1.0, y, x);
    double f = mote_shape_distance(shape, x);
    if (f >= low && f < high) ++expected, step3(expected_sum, 1.0, x, expected_sum);
  }
  for (size_t i = 0; i < found; ++i) step3(sum, 1.0, position + 3 * i, sum);
  CHECK(found == expected && found > 20);
  for (int k = 0; k < 3; ++k) CHECK_NEAR(sum[k], expected_sum[k], 1e-9 * (double)(found + 1));
  free(position);
  mote_shape_destroy(shape);
}

static void test_cells(int dimensions) {
  enum { N = 600 };
  double x[N][3], radius = 0.23;
  mote_env env = mote_env_default();
  mote_point_cells cells;
  CHECK(mote_point_cells_create(&env, N, radius, dimensions, &cells, NULL) == MOTE_OK);
  mote_point_cells_clear(&cells, x[0]);
  for (uint32_t i = 0; i < N; ++i) {
    kit_point(1, i, -1.0, 1.0, x[i]);
    if (dimensions == 2) x[i][2] = 0.0;
    mote_point_cells_add(&cells, i);
  }
  for (uint32_t i = 0; i < N; ++i) {
    uint32_t near[N];
    size_t count = mote_point_cells_near(&cells, x[i], radius, near, N), expected = 0;
    bool seen[N] = {false};
    for (size_t k = 0; k < count; ++k) {
      CHECK(!seen[near[k]] && kit_distance(x[i], x[near[k]]) < radius);
      seen[near[k]] = true;
    }
    for (uint32_t j = 0; j < N; ++j) expected += kit_distance(x[i], x[j]) < radius;
    CHECK(count == expected);
    CHECK(mote_point_cells_near(&cells, x[i], radius, near, 1) == 1);
  }
  mote_point_cells_destroy(&cells);
}

int main(void) {
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    for (int kind = MOTE_SHAPE_BOX; kind <= MOTE_SHAPE_HALF_SPACE; ++kind) {
      test_blocks((mote_shape_kind)kind, dimensions, -HUGE_VAL, 0.0);
      test_blocks((mote_shape_kind)kind, dimensions, -0.1, 0.2);
    }
    test_cells(dimensions);
  }
  return test_end();
}
