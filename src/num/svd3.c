// Singular values of a 3x3 matrix: v from the eigenvectors of a^T a, then rotations among the columns of a v
// until they are orthogonal to rounding (Hestenes 1958), which restores the accuracy that squaring lost for
// small ones. Rotations u, v: the sign of det a goes to the last value. Polar decomposition from the same.
#include <float.h>
#include <math.h>
#include <mote/numeric.h>

#include "num/eigen3.h"
#include "num/scale.h"
#include "num/vec3.h"

#define SQUARE_MIN 1e-150     // rounding: squared length, relative to a, below which a column is zero
#define JACOBI_SWEEPS_MAX 10  // one or two suffice after the eigenvectors

static inline mote_vec3 times(const double a[9], mote_vec3 v) {
  return (mote_vec3){a[0] * v.x + a[1] * v.y + a[2] * v.z, a[3] * v.x + a[4] * v.y + a[5] * v.z,
                     a[6] * v.x + a[7] * v.y + a[8] * v.z};
}

static inline void turn(mote_vec3 *p, mote_vec3 *q, double c, double s) {
  mote_vec3 turned = mote_vec3_combine(c, *p, -s, *q);
  *q = mote_vec3_combine(s, *p, c, *q);
  *p = turned;
}

// Rotates the columns p and q of b and v until b_p and b_q are orthogonal; true if that was needed.
static bool orthogonalise(mote_vec3 *b, mote_vec3 *v, int p, int q) {
  double pp = mote_vec3_dot(b[p], b[p]), qq = mote_vec3_dot(b[q], b[q]), pq = mote_vec3_dot(b[p], b[q]);
  if (pp < SQUARE_MIN || qq < SQUARE_MIN || pq * pq <= DBL_EPSILON * DBL_EPSILON * pp * qq) return false;
  double zeta = (qq - pp) / (2.0 * pq);
  double t = copysign(1.0, zeta) / (fabs(zeta) + sqrt(1.0 + zeta * zeta)), c = 1.0 / sqrt(1.0 + t * t);
  turn(&b[p], &b[q], c, t * c);
  turn(&v[p], &v[q], c, t * c);
  return true;
}

// Longest column first. A quarter turn, so that v stays a rotation.
static void order(mote_vec3 *b, mote_vec3 *v, int p, int q) {
  if (mote_vec3_dot(b[p], b[p]) >= mote_vec3_dot(b[q], b[q])) return;
  turn(&b[p], &b[q], 0.0, 1.0);
  turn(&v[p], &v[q], 0.0, 1.0);
}

static mote_vec3 any_normal(mote_vec3 u) {
  mote_vec3 axis = fabs(u.x) < 0.6 ? (mote_vec3){1.0, 0.0, 0.0} : (mote_vec3){0.0, 1.0, 0.0};
  mote_vec3 n = mote_vec3_cross(u, axis);
  return mote_vec3_scale(1.0 / sqrt(mote_vec3_dot(n, n)), n);
}

// u and s of b = u diag(s) with orthogonal, ordered columns b, some of which may be zero.
static void normalise(const mote_vec3 *b, mote_vec3 *u, double *s) {
  for (int k = 0; k < 3; ++k) {
    double square = mote_vec3_dot(b[k], b[k]);
    s[k] = square < SQUARE_MIN ? 0.0 : sqrt(square);
  }
  u[0] = s[0] == 0.0 ? (mote_vec3){1.0, 0.0, 0.0} : mote_vec3_scale(1.0 / s[0], b[0]);
  u[1] = s[1] == 0.0 ? any_normal(u[0]) : mote_vec3_scale(1.0 / s[1], b[1]);
  u[2] = mote_vec3_cross(u[0], u[1]);
  if (mote_vec3_dot(u[2], b[2]) < 0.0) s[2] = -s[2];
}

bool mote_svd3(const double a[9], double u[9], double s[3], double v[9]) {
  double largest = 0.0, inverse, scaled[9], sum = 0.0, squares[3], vectors[9];
  for (int k = 0; k < 9; ++k) largest = mote_larger(fabs(a[k]), largest);
  double scale = mote_scale_of(largest, &inverse);
  for (int k = 0; k < 9; ++k) sum += scaled[k] = a[k] * inverse;
  if (!(fabs(sum) <= DBL_MAX)) return false;
  mote_vec3 x = mote_vec3_column(scaled, 0), y = mote_vec3_column(scaled, 1), z = mote_vec3_column(scaled, 2);
  mote_symmetric3 product = {mote_vec3_dot(x, x), mote_vec3_dot(x, y), mote_vec3_dot(x, z),
                             mote_vec3_dot(y, y), mote_vec3_dot(y, z), mote_vec3_dot(z, z)};
  if (!mote_eigen3_closed(&product, squares, vectors)) mote_eigen3_iterated(&product, squares, vectors);
  mote_vec3 right[3], left[3], b[3];
  for (int k = 0; k < 3; ++k) right[k] = mote_vec3_column(vectors, k), b[k] = times(scaled, right[k]);
  bool turned = true;
  for (int sweep = 0; turned && sweep < JACOBI_SWEEPS_MAX; ++sweep) {
    turned = orthogonalise(b, right, 0, 1);
    turned |= orthogonalise(b, right, 0, 2);
    turned |= orthogonalise(b, right, 1, 2);
  }
  order(b, right, 0, 1), order(b, right, 1, 2), order(b, right, 0, 1);
  normalise(b, left, s);
  for (int k = 0; k < 3; ++k) {
    mote_vec3_set_column(u, k, left[k]);
    mote_vec3_set_column(v, k, right[k]);
    s[k] *= scale;
  }
  return true;
}

bool mote_polar3(const double a[9], double r[9], double p[9]) {
  double u[9], s[3], v[9];
  if (!mote_svd3(a, u, s, v)) return false;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double *ui = u + 3 * i, *vi = v + 3 * i, *vj = v + 3 * j;
      r[3 * i + j] = ui[0] * vj[0] + ui[1] * vj[1] + ui[2] * vj[2];
      p[3 * i + j] = s[0] * (vi[0] * vj[0]) + s[1] * (vi[1] * vj[1]) + s[2] * (vi[2] * vj[2]);
    }
  }
  return true;
}
