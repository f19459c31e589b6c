// The quality of a triangle.
#ifndef MOTE_TRI_QUALITY_H
#define MOTE_TRI_QUALITY_H

#include "geom/triple.h"

// The square of the sine of the smallest angle, which lies between the two longest sides: 0 to 3/4, 0 for a
// flat triangle. *area2: twice the area vector.
static inline double tri_quality(const double *a, const double *b, const double *c, double area2[3]) {
  double ab[3], ac[3], bc[3];
  sub3(b, a, ab), sub3(c, a, ac), sub3(c, b, bc);
  cross3(ab, ac, area2);
  double u = dot3(ab, ab), v = dot3(ac, ac), w = dot3(bc, bc);
  double longest = max2(u, max2(v, w)), shortest = min2(u, min2(v, w));
  double sides = longest * (u + v + w - longest - shortest);
  return sides > 0.0 ? dot3(area2, area2) / sides : 0.0;
}

#endif
