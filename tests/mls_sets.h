// What the tests of moving least squares share: jittered sample sets, random polynomials with their
// derivatives, a set with its shapes, and the sums of shape functions against a polynomial.
#ifndef MOTE_MLS_SETS_H
#define MOTE_MLS_SETS_H

#include <math.h>
#include <mote/approx.h>
#include <stdlib.h>

#include "base/random.h"
#include "test.h"

// n^dimensions samples in [0, 1]^dimensions, moved by up to `jitter` spacings. Free it.
static inline double *jittered_packing(int dimensions, int n, double jitter, uint64_t seed, size_t *count) {
  *count = 1;
  for (int k = 0; k < dimensions; ++k) *count *= (size_t)n;
  double *x = calloc(3 * *count, sizeof *x);
  for (size_t i = 0; i < *count; ++i) {
    size_t rest = i;
    for (int k = 0; k < dimensions; ++k) {
      double shift = jitter * mote_random_between(seed, (uint64_t)k, i, -1.0, 1.0);
      x[3 * i + (size_t)k] = ((double)(rest % (size_t)n) + 0.5 + shift) / n;
      rest /= (size_t)n;
    }
  }
  return x;
}

// Points anywhere in the box, the first 2^dimensions of them its corners. Free it.
static inline double *scattered_points(int dimensions, size_t count, uint64_t seed) {
  double *x = calloc(3 * count, sizeof *x);
  for (size_t i = 0; i < count; ++i) {
    for (int k = 0; k < dimensions; ++k) {
      bool corner = i < ((size_t)1 << dimensions);
      x[3 * i + (size_t)k] = corner ? (double)(i >> k & 1) : mote_random_unit(seed, 100 + (uint64_t)k, i);
    }
  }
  return x;
}

// A polynomial a + b.y + y.C y / 2 in y = (x - centre)/size, cut at an order.
typedef struct polynomial {
  int dimensions, order;
  double size, centre[3];
  double a, b[3], c[3][3];
} polynomial;

static inline polynomial random_polynomial(int dimensions, int order, uint64_t seed) {
  polynomial p = {.dimensions = dimensions, .order = order, .size = 1.0, .centre = {0.5, 0.5, 0.5}};
  uint64_t n = 0;
  p.a = mote_random_between(seed, 50, n++, -1.0, 1.0);
  for (int k = 0; k < dimensions && order >= 1; ++k) p.b[k] = mote_random_between(seed, 50, n++, -1.0, 1.0);
  for (int k = 0; k < dimensions && order >= 2; ++k) {
    for (int l = k; l < dimensions; ++l)
      p.c[k][l] = p.c[l][k] = mote_random_between(seed, 50, n++, -1.0, 1.0);
  }
  return p;
}

static inline void polynomial_at(const polynomial *p, const double *x, double *f, double g[3], double h[6]) {
  double y[3] = {0.0, 0.0, 0.0};
  for (int k = 0; k < p->dimensions; ++k) y[k] = (x[k] - p->centre[k]) / p->size;
  *f = p->a;
  for (int k = 0, e = 0; k < 3; ++k) {
    double cy = p->c[k][0] * y[0] + p->c[k][1] * y[1] + p->c[k][2] * y[2];
    *f += y[k] * (p->b[k] + 0.5 * cy);
    g[k] = (p->b[k] + cy) / p->size;
    for (int l = k; l < 3; ++l) h[e++] = p->c[k][l] / (p->size * p->size);
  }
}

// A sample set and its shapes at some points, second derivatives included.
typedef struct shape_set {
  mote_mls *mls;
  mote_mls_shapes *shapes;
} shape_set;

static inline shape_set make_shape_set(const mote_mls_def *def, const double *position, size_t count) {
  shape_set set = {0};
  mote_error error = {0};
  if (!CHECK(mote_mls_create(def, NULL, &set.mls, &error) == MOTE_OK) ||
      !CHECK(mote_mls_shapes_create(set.mls, position, count, 2, NULL, &set.shapes, &error) == MOTE_OK)) {
    fprintf(stderr, "  %s\n", error.text);
    exit(1);
  }
  return set;
}

static inline void free_shape_set(shape_set *set) {
  mote_mls_shapes_destroy(set->shapes);
  mote_mls_destroy(set->mls);
}

// The field that the shapes of point i make of the samples of a polynomial: value, gradient, second.
static inline void shaped(const mote_mls_shapes *shapes, size_t i, const double *sample, const polynomial *p,
                          double out[10]) {
  const mote_lists *lists = mote_mls_shapes_lists(shapes);
  for (int k = 0; k < 10; ++k) out[k] = 0.0;
  for (size_t e = lists->first[i]; e < lists->first[i] + lists->number[i]; ++e) {
    double f, g[3], h[6];
    polynomial_at(p, sample + 3 * (size_t)lists->index[e], &f, g, h);
    out[0] += mote_mls_shapes_value(shapes)[e] * f;
    for (size_t k = 0; k < 3; ++k) out[1 + k] += mote_mls_shapes_gradient(shapes)[3 * e + k] * f;
    for (size_t k = 0; k < 6; ++k) out[4 + k] += mote_mls_shapes_second(shapes)[6 * e + k] * f;
  }
}

// Largest errors of value, gradient and second derivatives of `shaped` against the polynomial, over points.
static inline void worst_errors(const mote_mls_shapes *shapes, const double *sample, const double *point,
                                const polynomial *p, double worst[3]) {
  worst[0] = worst[1] = worst[2] = 0.0;
  for (size_t i = 0; i < mote_mls_shapes_lists(shapes)->count; ++i) {
    double got[10], exact[10];
    shaped(shapes, i, sample, p, got);
    polynomial_at(p, point + 3 * i, &exact[0], exact + 1, exact + 4);
    for (int k = 0; k < 10; ++k) {
      int kind = k == 0 ? 0 : k < 4 ? 1 : 2;
      double error = fabs(got[k] - exact[k]);
      worst[kind] = error <= worst[kind] ? worst[kind] : error;  // keeps a NaN
    }
  }
}

#endif
