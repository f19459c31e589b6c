// Derivatives of the shape functions against central differences of the shape functions, EG09 (30)-(34):
// every kernel, order and dimension, one radius and one per sample, a caller's weight that is not radial; and
// the sums of the derivatives, which are those of the constant 1.
#include "mls_sets.h"

#define POINTS 12
#define STEP 1e-5  // of the radius; differences err by about STEP^2 and 1e-16/STEP

// A weight that leans: (1 - q^2)^3 (1 + 0.3 x.e/r), e not along an axis.
static void leaning_weight(void *user, uint32_t i, const double x[3], const double offset[3], double radius,
                           int derivatives, double *w, double dw[3], double ddw[6]) {
  (void)i, (void)x;
  const double *e = user;
  double rr = radius * radius, s = 0.0, lean = 1.0;
  for (int k = 0; k < 3; ++k) s += offset[k] * offset[k] / rr, lean += 0.3 * offset[k] * e[k] / radius;
  double t = 1.0 - s, u = t * t * t;
  *w = u * lean;
  if (derivatives < 1) return;
  double du[3];
  for (int k = 0; k < 3; ++k) {
    du[k] = -6.0 * t * t * offset[k] / rr;
    dw[k] = du[k] * lean + u * 0.3 * e[k] / radius;
  }
  if (derivatives < 2) return;
  for (int k = 0, n = 0; k < 3; ++k) {
    for (int l = k; l < 3; ++l) {
      double ddu = 24.0 * t * offset[k] * offset[l] / (rr * rr) - (k == l ? 6.0 * t * t / rr : 0.0);
      ddw[n++] = ddu * lean + (du[k] * e[l] + du[l] * e[k]) * 0.3 / radius;
    }
  }
}

// Phi, grad Phi and second derivatives of all samples at point i, dense: 10 per sample.
static void dense_shapes(const mote_mls_shapes *shapes, size_t i, size_t samples, double *out) {
  const mote_lists *lists = mote_mls_shapes_lists(shapes);
  for (size_t k = 0; k < 10 * samples; ++k) out[k] = 0.0;
  for (size_t e = lists->first[i]; e < lists->first[i] + lists->number[i]; ++e) {
    double *to = out + 10 * (size_t)lists->index[e];
    to[0] = mote_mls_shapes_value(shapes)[e];
    for (size_t k = 0; k < 3; ++k) to[1 + k] = mote_mls_shapes_gradient(shapes)[3 * e + k];
    for (size_t k = 0; k < 6; ++k) to[4 + k] = mote_mls_shapes_second(shapes)[6 * e + k];
  }
}

// Point 0 is the middle; 1 + 2k and 2 + 2k lie one step behind and ahead of it along axis k.
static void check_point(const mote_mls_shapes *shapes, size_t first, size_t samples, int dimensions,
                        double step) {
  double *at[7];
  size_t used = 1 + 2 * (size_t)dimensions;
  for (size_t n = 0; n < used; ++n) {
    at[n] = malloc(10 * samples * sizeof *at[n]);
    dense_shapes(shapes, first + n, samples, at[n]);
  }
  static const int slot[3][3] = {{4, 5, 6}, {5, 7, 8}, {6, 8, 9}};
  double sums[10] = {0.0}, size[3] = {0.0, 0.0, 0.0}, worst[3] = {0.0, 0.0, 0.0};
  for (size_t j = 0; j < samples; ++j) {
    for (int n = 0; n < 10; ++n) {
      int kind = n == 0 ? 0 : n < 4 ? 1 : 2;
      sums[n] += at[0][10 * j + (size_t)n];
      size[kind] = fmax(size[kind], fabs(at[0][10 * j + (size_t)n]));
    }
    for (int k = 0; k < dimensions; ++k) {
      const double *behind = at[1 + 2 * k] + 10 * j, *ahead = at[2 + 2 * k] + 10 * j, *mid = at[0] + 10 * j;
      worst[1] = fmax(worst[1], fabs((ahead[0] - behind[0]) / (2.0 * step) - mid[1 + k]));
      for (int l = 0; l < dimensions; ++l) {
        double difference = (ahead[1 + l] - behind[1 + l]) / (2.0 * step);
        worst[2] = fmax(worst[2], fabs(difference - mid[slot[k][l]]));
      }
    }
  }
  CHECK_NEAR(sums[0], 1.0, 1e-12);
  for (int n = 1; n < 10; ++n) CHECK_NEAR(sums[n], 0.0, n < 4 ? 1e-12 * size[1] : 1e-12 * size[2]);
  CHECK(size[1] > 0.0 && size[2] > 0.0);
  CHECK_NEAR(worst[1], 0.0, 1e-7 * size[1]);
  CHECK_NEAR(worst[2], 0.0, 1e-5 * size[2]);
  for (size_t n = 0; n < used; ++n) free(at[n]);
}

// Moves a point until no sample is nearer than `least`: peaked kernels have no derivative at samples, and
// differences next to them tell nothing.
static void keep_apart(int dimensions, const double *x, size_t samples, double least, double *point) {
  for (size_t j = 0; j < samples; ++j) {
    double square = 0.0;
    for (size_t k = 0; k < 3; ++k) square += (point[k] - x[3 * j + k]) * (point[k] - x[3 * j + k]);
    if (square >= least * least) continue;
    for (int k = 0; k < dimensions; ++k) point[k] += least;
    j = (size_t)-1;
  }
}

static void test_kind(int dimensions, int order, int kernel, bool varying, uint64_t seed) {
  static const int packing[4] = {0, 30, 10, 7};
  static double lean[3] = {0.6, -0.5, 0.7};
  int n = packing[dimensions];
  size_t samples, used = 1 + 2 * (size_t)dimensions;
  double *x = jittered_packing(dimensions, n, 0.4, seed, &samples), radius = 4.0 / n, step = STEP * radius;
  double *radii = malloc(samples * sizeof *radii);
  for (size_t i = 0; i < samples; ++i) radii[i] = mote_random_between(seed, 9, i, 3.6, 4.4) / n;
  double *middle = scattered_points(dimensions, POINTS, seed);
  for (size_t i = 0; i < POINTS; ++i) keep_apart(dimensions, x, samples, 0.03 * radius, middle + 3 * i);
  double *point = malloc(3 * used * POINTS * sizeof *point);
  for (size_t i = 0; i < POINTS; ++i) {
    for (size_t m = 0; m < used; ++m) {
      double *to = point + 3 * (i * used + m);
      for (size_t k = 0; k < 3; ++k) to[k] = middle[3 * i + k];
      if (m > 0) to[(m - 1) / 2] += m % 2 == 1 ? -step : step;
    }
  }
  mote_mls_def def = mote_mls_def_default();
  def.domain = mote_domain_open(dimensions);
  def.order = order;
  def.position = x, def.count = samples;
  def.radius = varying ? radii : NULL, def.uniform_radius = radius;
  if (kernel == MOTE_KERNEL_KINDS) {
    def.weight = leaning_weight, def.weight_user = lean;
  } else {
    def.kernel = (mote_kernel_kind)kernel;
  }
  shape_set set = make_shape_set(&def, point, used * POINTS);
  for (size_t i = 0; i < POINTS; ++i) check_point(set.shapes, i * used, samples, dimensions, step);
  free_shape_set(&set);
  free(x), free(radii), free(middle), free(point);
}

int main(void) {
  for (int dimensions = 1; dimensions <= 3; ++dimensions) {
    for (int order = 0; order <= 2; ++order) {
      for (int kernel = 0; kernel <= MOTE_KERNEL_KINDS; ++kernel) {
        test_kind(dimensions, order, kernel, false, 5);
        test_kind(dimensions, order, kernel, true, 6);
      }
    }
  }
  return test_end();
}
