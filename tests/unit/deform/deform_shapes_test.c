// Shape functions: in a convex shape those of approx/mls with the same weights; linear fields reproduced;
// gradients are derivatives, also where distances go around corners.
#include <math.h>
#include <mote/approx.h>

#include "deform/deform_data.h"
#include "deform_kit.h"
#include "geom/triple.h"
#include "test.h"

static void twin_weight(void *user, uint32_t i, const double x[3], const double offset[3], double radius,
                        int derivatives, double *w, double dw[3], double ddw[6]) {
  (void)user, (void)i, (void)x, (void)derivatives, (void)ddw;
  double q = length3(offset) / radius, left = max2(0.0, 1.0 - q * q);
  *w = left * left * left;
  for (int k = 0; k < 3; ++k) dw[k] = -6.0 * left * left * offset[k] / (radius * radius);
}

// Fast code against the general one.
static void test_twin(void) {
  kit_boxes b;
  mote_deform *d = kit_bar(&b, 60, 1);
  if (!CHECK(d != NULL)) return;
  mote_mls_def def = mote_mls_def_default();
  def.position = d->rest, def.count = d->space.nodes, def.radius = d->space.support, def.weight = twin_weight;
  mote_mls *mls;
  mote_mls_shapes *shapes;
  CHECK(mote_mls_create(&def, NULL, &mls, NULL) == MOTE_OK);
  for (size_t i = 0; i < d->mesh.vertices; i += 3) {
    const double *x = d->mesh.vertex + 3 * i;
    mote_deform_point p;
    CHECK(mote_deform_shapes_at(&d->space, x, d->skin.anchor[i], &p));
    CHECK(mote_mls_shapes_create(mls, x, 1, 1, NULL, &shapes, NULL) == MOTE_OK);
    const mote_lists *lists = mote_mls_shapes_lists(shapes);
    double worst = 0.0, steepest = 0.0;
    uint32_t found = 0;
    for (size_t k = 0; k < lists->number[0]; ++k) {
      uint32_t a = lists->index[lists->first[0] + k], e = 0;
      while (e < p.count && p.node[e] != a) ++e;
      if (e == p.count) continue;
      ++found;
      worst = max2(worst, fabs(p.value[e] - mote_mls_shapes_value(shapes)[k]));
      for (int c = 0; c < 3; ++c)
        steepest =
            max2(steepest, fabs(p.gradient[e][c] - mote_mls_shapes_gradient(shapes)[3 * k + (size_t)c]));
    }
    CHECK(found == p.count);
    CHECK_NEAR(worst, 0.0, 1e-12);
    CHECK_NEAR(steepest, 0.0, 1e-11);
    mote_mls_shapes_destroy(shapes);
  }
  mote_mls_destroy(mls);
  mote_deform_destroy(d);
  kit_boxes_free(&b);
}

static bool fork_inside(int i, int j, int k) {
  (void)j;
  return k < 6 || i < 4 || i > 5;
}

// Sums of Phi, Phi X and their derivatives; and differences of the values.
static void check_point(const mote_deform *d, const double x[3], uint32_t anchor, bool differences) {
  mote_deform_point p, near;
  if (!CHECK(mote_deform_shapes_at(&d->space, x, anchor, &p))) return;
  double one = 0.0, place[3] = {0}, slope[9] = {0}, worst = 0.0, step = 1e-5;
  for (uint32_t k = 0; k < p.count; ++k) {
    one += p.value[k];
    step3(place, p.value[k], d->space.node[p.node[k]], place);
    for (int c = 0; c < 9; ++c) slope[c] += d->space.node[p.node[k]][c / 3] * p.gradient[k][c % 3];
  }
  CHECK_NEAR(one, 1.0, 1e-12);
  for (int c = 0; c < 3; ++c) CHECK_NEAR(place[c], x[c], 1e-11);
  for (int c = 0; c < 9; ++c) CHECK_NEAR(slope[c], c % 4 == 0 ? 1.0 : 0.0, 1e-9);
  for (int c = 0; c < 3 && differences; ++c) {
    double change[2][512] = {{0}};
    for (int side = 0; side < 2; ++side) {
      double y[3] = {x[0], x[1], x[2]};
      y[c] += side ? step : -step;
      mote_deform_shapes_at(&d->space, y, anchor, &near);
      for (uint32_t k = 0; k < near.count; ++k) change[side][near.node[k]] = near.value[k];
    }
    for (uint32_t k = 0; k < p.count; ++k)
      worst =
          max2(worst, fabs((change[1][p.node[k]] - change[0][p.node[k]]) / (2.0 * step) - p.gradient[k][c]));
  }
  CHECK_NEAR(worst, 0.0, 1e-3);
}

static void test_fork(void) {
  kit_boxes b = kit_boxes_make(10, 4, 20, 0.1, fork_inside, false);
  mote_deform_def def = mote_deform_def_default();
  mote_deform *d = NULL;
  def.mesh = b.mesh;
  if (!CHECK(mote_deform_create(&def, NULL, &d, NULL) == MOTE_OK)) return;
  uint32_t bent = 0, across = 0;
  for (uint32_t a = 0; a < d->space.nodes; ++a) bent += d->space.excess[a].value != NULL;
  CHECK(bent > 10);
  for (uint32_t i = 0; i < d->space.grid.count; i += 97) {
    double x[3];
    mote_deform_grid_place(&d->space.grid, i, x);
    for (int c = 0; c < 3; ++c) x[c] += (0.3 - 0.1 * c) * d->space.grid.cell;  // off the splines' knots
    check_point(d, x, i, true);
  }
  for (size_t i = 0; i < d->mesh.vertices; i += 5)
    check_point(d, d->mesh.vertex + 3 * i, d->skin.anchor[i], false);
  // No tip of one tine is moved by a node of the other.
  for (size_t i = 0; i < d->mesh.vertices; ++i) {
    const double *x = d->mesh.vertex + 3 * i;
    if (x[2] < 1.99) continue;
    for (size_t k = d->skin.first[i / 4]; k < d->skin.first[i / 4 + 1]; ++k) {
      size_t at = 4 * k + i % 4;
      const double *X = d->space.node[d->skin.node[at]];
      across += d->skin.value[4 * at] != 0.0f && (X[0] < 0.5) != (x[0] < 0.5) && X[2] > 0.7;
    }
  }
  CHECK(across == 0);
  mote_deform_destroy(d);
  kit_boxes_free(&b);
}

int main(void) {
  test_twin();
  test_fork();
  return test_end();
}
