// See deform_dense.h. Left-looking: a tile is its entries less the products of the rows before it, summed
// along the rows in two lanes.
#include "deform/deform_dense.h"

#include <math.h>

#include "base/check.h"
#include "base/lane.h"

// t[i][j] -= sum over k < count of p[i][k] q[j][k]
static void subtract_products(size_t count, size_t stride, const double *p, const double *q, double t[4][4]) {
  for (int half = 0; half < 4; half += 2) {
    const double *p0 = p + (size_t)half * stride, *p1 = p0 + stride;
    mote_pair s00 = {0.0}, s01 = {0.0}, s02 = {0.0}, s03 = {0.0}, s10 = {0.0}, s11 = {0.0}, s12 = {0.0},
              s13 = {0.0};
    for (size_t k = 0; k < count; k += 2) {
      mote_pair a0 = mote_pair_load(p0 + k), a1 = mote_pair_load(p1 + k);
      mote_pair b0 = mote_pair_load(q + k), b1 = mote_pair_load(q + stride + k);
      mote_pair b2 = mote_pair_load(q + 2 * stride + k), b3 = mote_pair_load(q + 3 * stride + k);
      s00 += a0 * b0, s01 += a0 * b1, s02 += a0 * b2, s03 += a0 * b3;
      s10 += a1 * b0, s11 += a1 * b1, s12 += a1 * b2, s13 += a1 * b3;
    }
    double *t0 = t[half], *t1 = t[half + 1];
    t0[0] -= s00[0] + s00[1], t0[1] -= s01[0] + s01[1], t0[2] -= s02[0] + s02[1], t0[3] -= s03[0] + s03[1];
    t1[0] -= s10[0] + s10[1], t1[1] -= s11[0] + s11[1], t1[2] -= s12[0] + s12[1], t1[3] -= s13[0] + s13[1];
  }
}

static bool factorise_tile(double t[4][4]) {
  for (int j = 0; j < 4; ++j) {
    for (int k = 0; k < j; ++k) t[j][j] -= t[j][k] * t[j][k];
    if (!(t[j][j] > 0.0) || !isfinite(t[j][j])) return false;
    t[j][j] = 1.0 / sqrt(t[j][j]);
    for (int i = j + 1; i < 4; ++i) {
      for (int k = 0; k < j; ++k) t[i][j] -= t[i][k] * t[j][k];
      t[i][j] *= t[j][j];
    }
  }
  return true;
}

// t L^-T with the factor of the diagonal tile, whose diagonal is inverted.
static void divide_tile(const double *l, size_t stride, double t[4][4]) {
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      for (int k = 0; k < j; ++k) t[i][j] -= t[i][k] * l[(size_t)j * stride + (size_t)k];
      t[i][j] *= l[(size_t)j * stride + (size_t)j];
    }
  }
}

bool mote_deform_dense_factorise(size_t n, size_t stride, double *a) {
  MOTE_ASSERT(stride % 4 == 0 && stride >= n);
  size_t tiles = (n + 3) / 4;
  for (size_t i = n; i < 4 * tiles; ++i)
    for (size_t k = 0; k < 4 * tiles; ++k) a[i * stride + k] = i == k ? 1.0 : 0.0;
  for (size_t I = 0; I < tiles; ++I) {
    for (size_t J = 0; J <= I; ++J) {
      double t[4][4], *at = a + 4 * I * stride + 4 * J;
      for (size_t i = 0; i < 4; ++i)
        for (size_t j = 0; j < 4; ++j) t[i][j] = at[i * stride + j];
      subtract_products(4 * J, stride, a + 4 * I * stride, a + 4 * J * stride, t);
      if (I == J) {
        if (!factorise_tile(t)) return false;
      } else {
        divide_tile(a + 4 * J * stride + 4 * J, stride, t);
      }
      for (size_t i = 0; i < 4; ++i)
        for (size_t j = 0; j < 4; ++j) at[i * stride + j] = I == J && j > i ? 0.0 : t[i][j];
    }
  }
  return true;
}

void mote_deform_dense_substitute(size_t n, size_t stride, const double *a, double *x) {
  for (size_t i = 0; i < n; ++i) {
    double sum = x[i];
    const double *row = a + i * stride;
    for (size_t k = 0; k < i; ++k) sum -= row[k] * x[k];
    x[i] = sum * row[i];
  }
  for (size_t i = n; i-- > 0;) {
    const double *row = a + i * stride;
    x[i] *= row[i];
    for (size_t k = 0; k < i; ++k) x[k] -= row[k] * x[i];
  }
}
