// Moving least squares reproduces the polynomials of its basis, EG09 3.2: values to 1e-10, derivatives to
// 1e-8, on jittered samples, at corners of the set, with one radius and with one per sample, for every
// kernel; and its shape functions are a partition of unity.
#include "mls_sets.h"

static const int packing[4] = {0, 40, 14, 9};

typedef struct sampling {
  int dimensions;
  double *x, *radius, *point;
  size_t count, points;
} sampling;

static sampling make_sampling(int dimensions, uint64_t seed) {
  sampling s = {.dimensions = dimensions, .points = 60};
  int n = packing[dimensions];
  s.x = jittered_packing(dimensions, n, 0.4, seed, &s.count);
  s.radius = malloc(s.count * sizeof *s.radius);
  for (size_t i = 0; i < s.count; ++i) s.radius[i] = mote_random_between(seed, 9, i, 3.6, 5.0) / n;
  s.point = scattered_points(dimensions, s.points, seed);
  for (size_t k = 0; k < 30; ++k) s.point[3 * 20 + k] = s.x[3 * 7 + k];  // some at samples
  return s;
}

static void free_sampling(sampling *s) {
  free(s->x), free(s->radius), free(s->point);
}

static void test_kind(const sampling *s, int order, mote_kernel_kind kernel, bool varying) {
  mote_mls_def def = mote_mls_def_default();
  def.domain = mote_domain_open(s->dimensions);
  def.order = order;
  def.kernel = kernel;
  def.position = s->x;
  def.count = s->count;
  def.radius = varying ? s->radius : NULL;
  def.uniform_radius = 4.2 / packing[s->dimensions];
  shape_set set = make_shape_set(&def, s->point, s->points);
  for (size_t i = 0; i < s->points; ++i) {
    mote_mls_fit fit = mote_mls_shapes_fit(set.shapes)[i];
    CHECK(fit.order == order);
    CHECK(fit.rank == (order == 0   ? 1
                       : order == 1 ? 1 + s->dimensions
                                    : (s->dimensions + 1) * (s->dimensions + 2) / 2));
    CHECK(fit.condition >= 1.0 && fit.condition < 1e8);
  }
  double worst[3];
  for (int degree = 0; degree <= order; ++degree) {
    polynomial p = random_polynomial(s->dimensions, degree, 77);
    worst_errors(set.shapes, s->x, s->point, &p, worst);
    CHECK_NEAR(worst[0], 0.0, 1e-10);
    CHECK_NEAR(worst[1], 0.0, 1e-8);
    // Peaked kernels have second derivatives that grow as 1/r next to a sample: rounding grows with them.
    CHECK_NEAR(worst[2], 0.0, 1e-8);
  }
  polynomial beyond = random_polynomial(s->dimensions, 2, 78);
  worst_errors(set.shapes, s->x, s->point, &beyond, worst);
  if (order < 2) CHECK(worst[0] > 1e-4);
  free_shape_set(&set);
}

int main(void) {
  for (int dimensions = 1; dimensions <= 3; ++dimensions) {
    for (uint64_t seed = 1; seed <= 3; ++seed) {
      sampling s = make_sampling(dimensions, seed);
      for (int order = 0; order <= 2; ++order) {
        for (int kernel = 0; kernel < MOTE_KERNEL_KINDS; ++kernel) {
          test_kind(&s, order, (mote_kernel_kind)kernel, false);
          test_kind(&s, order, (mote_kernel_kind)kernel, true);
        }
      }
      free_sampling(&s);
    }
  }
  return test_end();
}
