// Symmetric 3 x 3 matrices, kept as xx xy xz yy yz zz.
#ifndef MOTE_SYMMETRIC_H
#define MOTE_SYMMETRIC_H

#include "geom/triple.h"

static inline void symmetric_open(const double s[6], double m[9]) {
  set3(s[0], s[1], s[2], m);
  set3(s[1], s[3], s[4], m + 3);
  set3(s[2], s[4], s[5], m + 6);
}

static inline void symmetric_close(const double m[9], double s[6]) {
  set3(m[0], m[1], m[2], s);
  set3(m[4], m[5], m[8], s + 3);
}

// Q diag(value) Q^T
static inline void symmetric_compose(const double Q[9], const double value[3], double m[9]) {
  for (int e = 0; e < 9; ++e) {
    const double *a = Q + e / 3 * 3, *b = Q + e % 3 * 3;
    m[e] = a[0] * value[0] * b[0] + a[1] * value[1] * b[1] + a[2] * value[2] * b[2];
  }
}

#endif
