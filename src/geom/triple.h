// Arithmetic of points as arrays of three doubles.
#ifndef MOTE_TRIPLE_H
#define MOTE_TRIPLE_H

#include <math.h>
#include <stdbool.h>

#include "base/pi.h"

// Inline where libm's are calls; a NaN gives the second.
static inline double max2(double a, double b) {
  return a > b ? a : b;
}

static inline double min2(double a, double b) {
  return a < b ? a : b;
}

// Written out, because compilers do not unroll loops of three at -O2.
static inline void set3(double x, double y, double z, double out[3]) {
  out[0] = x, out[1] = y, out[2] = z;
}

static inline double dot3(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double length3(const double a[3]) {
  return sqrt(dot3(a, a));
}

static inline void sub3(const double a[3], const double b[3], double out[3]) {
  set3(a[0] - b[0], a[1] - b[1], a[2] - b[2], out);
}

// a + s b
static inline void step3(const double a[3], double s, const double b[3], double out[3]) {
  set3(a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2], out);
}

static inline void copy3(const double a[3], double out[3]) {
  set3(a[0], a[1], a[2], out);
}

static inline void cross3(const double a[3], const double b[3], double out[3]) {
  double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
  set3(x, y, z, out);
}

static inline double distance3(const double a[3], const double b[3]) {
  double ab[3];
  sub3(a, b, ab);
  return length3(ab);
}

// m a, and with the transpose of m.
static inline void turn3(const double m[9], const double a[3], double out[3]) {
  double x = dot3(m, a), y = dot3(m + 3, a), z = dot3(m + 6, a);
  set3(x, y, z, out);
}

static inline void unturn3(const double m[9], const double a[3], double out[3]) {
  double x = m[0] * a[0] + m[3] * a[1] + m[6] * a[2], y = m[1] * a[0] + m[4] * a[1] + m[7] * a[2];
  double z = m[2] * a[0] + m[5] * a[1] + m[8] * a[2];
  set3(x, y, z, out);
}

static inline void multiply3(const double a[9], const double b[9], double out[9]) {
  double row[3][3];
  unturn3(b, a, row[0]), unturn3(b, a + 3, row[1]), unturn3(b, a + 6, row[2]);
  copy3(row[0], out), copy3(row[1], out + 3), copy3(row[2], out + 6);
}

// The inverse; false where the determinant is below 1e-12 (of matrices near a rotation), and out is
// undefined.
static inline bool invert3(const double m[9], double out[9]) {
  double c[9];
  cross3(m + 3, m + 6, c), cross3(m + 6, m, c + 3), cross3(m, m + 3, c + 6);
  double det = dot3(m, c);
  if (!(fabs(det) > 1e-12)) return false;
  set3(c[0] / det, c[3] / det, c[6] / det, out), set3(c[1] / det, c[4] / det, c[7] / det, out + 3);
  set3(c[2] / det, c[5] / det, c[8] / det, out + 6);
  return true;
}

static inline bool finite3(const double a[3]) {
  return isfinite(a[0]) && isfinite(a[1]) && isfinite(a[2]);
}

#endif
