// Observed orders of convergence on a smooth function: for a basis of order m the value converges with m+1,
// the gradient with m, the Laplacian with m-1. The Laplacian (34) of the linear basis does not converge
// (EG09's text does not say so), nor does the gradient of the constant one.
#include <mote/numeric.h>

#include "mls_sets.h"

#define SHORTFALL 0.3  // orders may be seen this much below theory

static const double wave[3] = {2.1, 1.7, 1.3};

// sin(2.1 x + 0.3) times cosines of the other axes; its Laplacian is -|wave|^2 times itself.
static double smooth(int dimensions, const double *x, double g[3], double *laplacian) {
  double s[3] = {1.0, 1.0, 1.0}, ds[3] = {0.0, 0.0, 0.0}, sum = 0.0;
  for (int k = 0; k < dimensions; ++k) {
    double t = wave[k] * x[k] + (k == 0 ? 0.3 : 0.0);
    s[k] = k == 0 ? mote_sin(t) : mote_cos(t);
    ds[k] = wave[k] * (k == 0 ? mote_cos(t) : -mote_sin(t));
    sum -= wave[k] * wave[k];
  }
  g[0] = ds[0] * s[1] * s[2], g[1] = s[0] * ds[1] * s[2], g[2] = s[0] * s[1] * ds[2];
  *laplacian = sum * s[0] * s[1] * s[2];
  return s[0] * s[1] * s[2];
}

// Root mean square errors of value, gradient and Laplacian on n^dimensions samples.
static void errors_at(int dimensions, int order, int n, double error[3]) {
  size_t count, points = 300;
  double *x = jittered_packing(dimensions, n, 0.3, 11, &count),
         *point = scattered_points(dimensions, points, 3);
  double *field = malloc(count * sizeof *field), *out = malloc(5 * points * sizeof *out), g[3], laplacian;
  for (size_t i = 0; i < count; ++i) field[i] = smooth(dimensions, x + 3 * i, g, &laplacian);
  for (size_t i = 0; i < points; ++i) {
    for (int k = 0; k < dimensions; ++k) point[3 * i + (size_t)k] = 0.35 + 0.3 * point[3 * i + (size_t)k];
  }
  mote_mls_def def = mote_mls_def_default();
  def.domain = mote_domain_open(dimensions);
  def.order = order;
  def.position = x, def.count = count, def.uniform_radius = (order == 2 ? 3.2 : 2.2) / n;
  shape_set set = make_shape_set(&def, point, points);
  CHECK(mote_mls_apply(set.shapes, field, 1, out, out + points, out + 4 * points, NULL) == MOTE_OK);
  error[0] = error[1] = error[2] = 0.0;
  for (size_t i = 0; i < points; ++i) {
    double f = smooth(dimensions, point + 3 * i, g, &laplacian);
    error[0] += (out[i] - f) * (out[i] - f);
    for (size_t k = 0; k < 3; ++k) {
      double e = out[points + 3 * i + k] - g[k];
      error[1] += e * e;
    }
    error[2] += (out[4 * points + i] - laplacian) * (out[4 * points + i] - laplacian);
  }
  for (int k = 0; k < 3; ++k) error[k] = sqrt(error[k] / (double)points);
  free_shape_set(&set);
  free(x), free(point), free(field), free(out);
}

static double observed(double coarse, double fine, double ratio) {
  return mote_log(coarse / fine) / mote_log(ratio);
}

static void test_orders(int dimensions, int coarse, int fine) {
  for (int order = 0; order <= 2; ++order) {
    double a[3], b[3], ratio = (double)fine / coarse;
    errors_at(dimensions, order, coarse, a);
    errors_at(dimensions, order, fine, b);
    double seen[3];
    for (int k = 0; k < 3; ++k) seen[k] = observed(a[k], b[k], ratio);
    printf("%dD, order %d: value %.2f, gradient %.2f, Laplacian %.2f (error %.2g)\n", dimensions, order,
           seen[0], seen[1], seen[2], b[2]);
    CHECK(seen[0] > order + 1 - SHORTFALL);
    if (order >= 1) CHECK(seen[1] > order - SHORTFALL);
    if (order == 2) CHECK(seen[2] > 1 - SHORTFALL);
    if (order == 1) CHECK(seen[2] < 0.3 && b[2] > 0.1);
    if (order == 0) CHECK(seen[1] < 0.3);
  }
}

int main(void) {
  test_orders(1, 100, 400);
  test_orders(2, 32, 96);
  test_orders(3, 16, 32);
  return test_end();
}
