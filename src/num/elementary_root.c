// cbrt: x = 2^(3e) m with 1 <= m < 8; a polynomial gives t near the root to 17 bits, whose cube is exact;
// then (1 + d)^(1/3) in d = m/t^3 - 1.
#include <mote/numeric.h>

#include "num/elementary.h"

// The root of 1 <= m < 8, m = 2^third z with 1 <= z < 2.
static double root_of(double m, double z, int third) {
  static const double root2[3] = {1.0, 0x1.428a2f98d728bp+0, 0x1.965fea53d6e3dp+0};
  double z2 = z * z;
  double t = (0x1.0392bf0c45bb2p-1 + z * 0x1.6fb207943b2c9p-1) -
             z2 * ((0x1.33d3d952c2a6fp-2 - z * 0x1.60a1f0572a5ecp-4) + z2 * 0x1.5b78c7884dd47p-7);
  t *= root2[third];
  t = mote_double_from_bits((mote_double_bits(t) + 0x0000000800000000u) & 0xfffffff000000000u);
  double cube = t * t * t;
  double d = (m - cube) / cube;
  return t + t * (d * (0x1.5555555555555p-2 - d * (0x1.c71c71c71c71cp-4 - d * 0x1.f9add3c0ca458p-5)));
}

double mote_cbrt(double x) {
  double size = mote_double_abs(x);
  if (x != x) return mote_double_nan();
  if (size == 0.0 || size == mote_double_infinity()) return x;
  int exponent = 0;
  if (size < 0x1p-1022) {
    size *= 0x1p54;
    exponent = -54;
  }
  uint64_t bits = mote_double_bits(size);
  exponent += (int)(bits >> 52) - 1023;
  int e = (exponent + 1200) / 3 - 400, third = exponent - 3 * e;
  double z = mote_double_from_bits((bits & 0x000fffffffffffffu) | 0x3ff0000000000000u);
  double root = root_of(z * (double)(1 << third), z, third);
  return mote_double_with_sign(root * mote_double_power2(e), x);
}

float mote_cbrtf(float x) {
  return (float)mote_cbrt((double)x);
}
