// The point of a triangle that is closest to x, and the feature it lies on (Ericson 2005, 5.1.5).
#ifndef MOTE_TRI_CLOSEST_H
#define MOTE_TRI_CLOSEST_H

#include "geom/triple.h"

// 0 to 2: a corner; 3 to 5: the side from corner - 3 to the next; 6: the face.
#define MOTE_TRI_FACE 6

static inline int on_side(const double *a, const double *b, double t, int side, double p[3]) {
  for (int k = 0; k < 3; ++k) p[k] = a[k] + t * (b[k] - a[k]);
  return 3 + side;
}

static inline int on_corner(const double *a, int corner, double p[3]) {
  copy3(a, p);
  return corner;
}

static inline int tri_closest(const double *a, const double *b, const double *c, const double x[3],
                              double p[3]) {
  double ab[3], ac[3], ax[3], bx[3], cx[3];
  sub3(b, a, ab), sub3(c, a, ac), sub3(x, a, ax);
  double d1 = dot3(ab, ax), d2 = dot3(ac, ax);
  if (d1 <= 0.0 && d2 <= 0.0) return on_corner(a, 0, p);
  sub3(x, b, bx);
  double d3 = dot3(ab, bx), d4 = dot3(ac, bx);
  if (d3 >= 0.0 && d4 <= d3) return on_corner(b, 1, p);
  double vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return on_side(a, b, d1 / (d1 - d3), 0, p);
  sub3(x, c, cx);
  double d5 = dot3(ab, cx), d6 = dot3(ac, cx);
  if (d6 >= 0.0 && d5 <= d6) return on_corner(c, 2, p);
  double vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return on_side(a, c, d2 / (d2 - d6), 2, p);
  double va = d3 * d6 - d5 * d4;
  if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) {
    return on_side(b, c, (d4 - d3) / ((d4 - d3) + (d5 - d6)), 1, p);
  }
  double below = 1.0 / (va + vb + vc);
  for (int k = 0; k < 3; ++k) p[k] = a[k] + ab[k] * (vb * below) + ac[k] * (vc * below);
  return MOTE_TRI_FACE;
}

#endif
