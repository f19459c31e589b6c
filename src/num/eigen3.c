// Eigenvalues and eigenvectors of a symmetric 3x3 matrix: the closed form of YU11 4.4.1 (Smith 1961; cofactor
// vectors, Carchidi 1986). The multiplicity cases are one case here: one of the three eigenvalues is always
// well separated from the other two; its vector is a cofactor column, and the other two come from the 2x2
// problem in the plane normal to it, which is exact also when they are equal. docs/theory/numerics.md.
#include "num/eigen3.h"

#include <float.h>
#include <math.h>
#include <mote/numeric.h>

#include "base/check.h"
#include "num/scale.h"
#include "num/spectrum.h"
#include "num/vec3.h"

#define SQUARE_MIN 1e-180  // rounding: squares below are far below it, and their cubes near underflow

static inline mote_vec3 times(const mote_symmetric3 *a, mote_vec3 v) {
  return (mote_vec3){a->xx * v.x + a->xy * v.y + a->xz * v.z, a->xy * v.x + a->yy * v.y + a->yz * v.z,
                     a->xz * v.x + a->yz * v.y + a->zz * v.z};
}

// Quotient and root are independent operations.
static inline double inverse_root(double x) {
  return sqrt(x) * (1.0 / x);
}

// 2 cos(acos(r) / 3) for r in [0, 1]: the root in [sqrt(3), 2] of y^3 - 3 y = 2 r, where the derivative is
// at least 6. A polynomial within 1.4e-6 and one step of Halley's give rounding.
static inline double trisect(double r) {
  double r2 = r * r;
  double y = (1.7320521221176663 + 0.3332377130300705 * r) +
             r2 * ((-0.09505002786486774 + 0.04379925469028465 * r) +
                   r2 * (-0.01793290240031093 + 0.0038946032208317916 * r));
  double y2 = y * y, value = y * (y2 - 3.0) - 2.0 * r, slope = y2 - 1.0;
  return y - value * slope / (3.0 * slope * slope - value * y);
}

static inline double determinant(const mote_symmetric3 *a) {
  return a->xx * (a->yy * a->zz - a->yz * a->yz) + a->xy * (a->yz * a->xz - a->xy * a->zz) +
         a->xz * (a->xy * a->yz - a->yy * a->xz);
}

// The unit vector of the eigenvalue s, of multiplicity one: the largest column of the cofactors of b - s,
// which are a multiple of v v^T.
static inline mote_vec3 cofactor_vector(const mote_symmetric3 *b, double s) {
  double xx = b->xx - s, yy = b->yy - s, zz = b->zz - s;
  double cxx = yy * zz - b->yz * b->yz, cyy = xx * zz - b->xz * b->xz, czz = xx * yy - b->xy * b->xy;
  double cxy = b->yz * b->xz - b->xy * zz, cxz = b->xy * b->yz - yy * b->xz, cyz = b->xy * b->xz - xx * b->yz;
  mote_vec3 v = {cxx, cxy, cxz};
  double most = cxx;
  if (cyy > most) v = (mote_vec3){cxy, cyy, cyz}, most = cyy;
  if (czz > most) v = (mote_vec3){cxz, cyz, czz};
  return mote_vec3_scale(inverse_root(mote_vec3_dot(v, v)), v);
}

// u, w with u x w = v, all of unit length (Duff et al. 2017).
static inline void plane_basis(mote_vec3 v, mote_vec3 *u, mote_vec3 *w) {
  double sign = copysign(1.0, v.z), a = -1.0 / (sign + v.z), b = v.x * v.y * a;
  *u = (mote_vec3){1.0 + sign * v.x * v.x * a, sign * b, -sign * v.x};
  *w = (mote_vec3){b, sign + v.y * v.y * a, -v.y};
}

// Rotates u, w to the eigenvectors of b in their plane, the larger eigenvalue first.
static inline void split_plane(const mote_symmetric3 *b, mote_vec3 *u, mote_vec3 *w, double *larger,
                               double *smaller) {
  mote_vec3 bu = times(b, *u), bw = times(b, *w);
  double uu = mote_vec3_dot(*u, bu), uw = mote_vec3_dot(*u, bw), ww = mote_vec3_dot(*w, bw);
  double middle = 0.5 * (uu + ww), half = 0.5 * (uu - ww), square = half * half + uw * uw;
  double radius = square < SQUARE_MIN ? 0.0 : sqrt(square);
  *larger = middle + radius, *smaller = middle - radius;
  if (radius == 0.0) return;
  double along = radius + fabs(half), inverse = inverse_root(2.0 * radius * along);
  double c = (half < 0.0 ? uw : along) * inverse, s = (half < 0.0 ? along : uw) * inverse;
  mote_vec3 turned = mote_vec3_combine(c, *u, s, *w);
  *w = mote_vec3_combine(c, *w, -s, *u);
  *u = turned;
}

static void set_isotropic(double value, double values[3], double vectors[9]) {
  for (int k = 0; k < 9; ++k) vectors[k] = k % 4 == 0 ? 1.0 : 0.0;
  values[0] = values[1] = values[2] = value;
}

bool mote_eigen3_closed(const mote_symmetric3 *a, double values[3], double vectors[9]) {
  MOTE_ASSERT(a != NULL && values != NULL && vectors != NULL);
  // b = (a - mean) / deviation has trace 0 and squares that sum to 6; its eigenvalues are 2 cos of phi, of
  // phi + 2pi/3 and of phi - 2pi/3. The mean is corrected once, else a nearly isotropic matrix keeps a trace.
  double rough = (1.0 / 3.0) * (a->xx + a->yy + a->zz);
  mote_symmetric3 b = {a->xx - rough, a->xy, a->xz, a->yy - rough, a->yz, a->zz - rough};
  double rest = (1.0 / 3.0) * (b.xx + b.yy + b.zz), mean = rough + rest;
  b.xx -= rest, b.yy -= rest, b.zz -= rest;
  double off = b.xy * b.xy + b.xz * b.xz + b.yz * b.yz;
  double square = (1.0 / 6.0) * (b.xx * b.xx + b.yy * b.yy + b.zz * b.zz + 2.0 * off);
  if (square < SQUARE_MIN) {
    set_isotropic(mean, values, vectors);
    return true;
  }
  double deviation = sqrt(square), inverse = inverse_root(square);
  double half = 0.5 * determinant(&b) * (inverse * inverse * inverse);
  b = (mote_symmetric3){b.xx * inverse, b.xy * inverse, b.xz * inverse,
                        b.yy * inverse, b.yz * inverse, b.zz * inverse};
  bool least = half < 0.0;  // else the single one is the largest
  double size = trisect(fabs(half) < 1.0 ? fabs(half) : 1.0), single = least ? -size : size, pair[2];
  mote_vec3 v = cofactor_vector(&b, single), u, w;
  mote_vec3 residual = mote_vec3_combine(1.0, times(&b, v), -single, v);
  plane_basis(v, &u, &w);
  split_plane(&b, &u, &w, &pair[0], &pair[1]);
  int alone = least ? 2 : 0, first = least ? 0 : 1;
  values[alone] = mean + deviation * single;
  values[first] = mean + deviation * pair[0];
  values[first + 1] = mean + deviation * pair[1];
  mote_vec3_set_column(vectors, alone, v);
  mote_vec3_set_column(vectors, first, u);
  mote_vec3_set_column(vectors, first + 1, w);
  return mote_vec3_dot(residual, residual) <= 1024.0 * DBL_EPSILON * DBL_EPSILON;
}

void mote_eigen3_iterated(const mote_symmetric3 *a, double values[3], double vectors[9]) {
  MOTE_ASSERT(a != NULL && values != NULL && vectors != NULL);
  double full[9] = {a->xx, a->xy, a->xz, a->xy, a->yy, a->yz, a->xz, a->yz, a->zz}, value[3], row[9];
  mote_spectrum(3, full, value, row);
  int order[3] = {0, 1, 2};
  for (int pass = 0; pass < 3; ++pass) {
    int k = pass % 2, swap = order[k];
    if (value[order[k]] < value[order[k + 1]]) order[k] = order[k + 1], order[k + 1] = swap;
  }
  mote_vec3 first = {row[3 * order[0]], row[3 * order[0] + 1], row[3 * order[0] + 2]};
  mote_vec3 second = {row[3 * order[1]], row[3 * order[1] + 1], row[3 * order[1] + 2]};
  mote_vec3_set_column(vectors, 0, first);
  mote_vec3_set_column(vectors, 1, second);
  mote_vec3_set_column(vectors, 2, mote_vec3_cross(first, second));
  for (int k = 0; k < 3; ++k) values[k] = value[order[k]];
}

bool mote_eigen3(const double a[9], double values[3], double vectors[9]) {
  mote_symmetric3 s = {a[0], a[1], a[2], a[4], a[5], a[8]};
  double diagonal = mote_larger(fabs(s.xx), mote_larger(fabs(s.yy), fabs(s.zz)));
  double off = mote_larger(fabs(s.xy), mote_larger(fabs(s.xz), fabs(s.yz)));
  double inverse, scale = mote_scale_of(mote_larger(diagonal, off), &inverse);
  s = (mote_symmetric3){s.xx * inverse, s.xy * inverse, s.xz * inverse,
                        s.yy * inverse, s.yz * inverse, s.zz * inverse};
  if (!(fabs(s.xx + s.xy + s.xz + s.yy + s.yz + s.zz) <= DBL_MAX)) return false;
  if (!mote_eigen3_closed(&s, values, vectors)) mote_eigen3_iterated(&s, values, vectors);
  for (int k = 0; k < 3; ++k) values[k] *= scale;
  return true;
}
