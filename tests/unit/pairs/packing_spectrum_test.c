// The spectrum of a packing against sums by hand, and its density.
#include "pairs/packing_spectrum.h"

#include <math.h>
#include <mote/numeric.h>

#include "base/random.h"
#include "test.h"

// No other wave is amplified more, but for what the search along few directions and waves may miss.
static void check_random_waves(const mote_kernel *kernel, double largest) {
  double found = 0.0;
  for (uint64_t n = 0; n < 400; ++n) {
    double S[3] = {0}, diagonal = 0.0, k[3];
    for (int a = 0; a < 3; ++a) k[a] = mote_random_between(1, (uint64_t)a, n, 0.0, 3.14159265);
    for (int c = 0; c < 7 * 7 * 7; ++c) {
      double x[3] = {c % 7 - 3, c / 7 % 7 - 3, c / 49 - 3}, gradient[3];
      if (kernel->dimensions < 3 && x[2] != 0.0) continue;
      mote_kernel_gradient(kernel, x, gradient);
      double wave = mote_sin(k[0] * x[0] + k[1] * x[1] + (kernel->dimensions < 3 ? 0.0 : k[2] * x[2]));
      for (int a = 0; a < 3; ++a) S[a] += gradient[a] * wave, diagonal += gradient[a] * gradient[a];
    }
    found = fmax(found, (S[0] * S[0] + S[1] * S[1] + S[2] * S[2]) / diagonal);
  }
  CHECK(found <= 1.02 * largest && found > 0.8 * largest);
}

int main(void) {
  // 3D, cubic spline, R = 2 d: neighbours at d, sqrt 2 d, sqrt 3 d with W' = 0.75 (2 - r/d)^2 / (pi d^4).
  mote_kernel kernel = mote_kernel_make(MOTE_KERNEL_CUBIC_SPLINE, 3, 2.0);
  mote_packing_spectrum s = mote_packing_spectrum_of(&kernel, 1.0);
  double pi = 3.14159265358979323846, c1 = 0.75, c2 = 0.75 * pow(2.0 - sqrt(2.0), 2),
         c3 = 0.75 * pow(2.0 - sqrt(3.0), 2);
  double diagonal = 6.0 * c1 * c1 + 12.0 * c2 * c2 + 8.0 * c3 * c3;
  CHECK_NEAR(s.diagonal, diagonal / (pi * pi), 1e-12);
  double axis = 2.0 * (c1 + 4.0 * c2 / sqrt(2.0) + 4.0 * c3 / sqrt(3.0));  // a wave of four spacings
  CHECK(s.largest >= axis * axis / diagonal);
  CHECK_NEAR(s.density, 1.0, 1e-3);
  check_random_waves(&kernel, s.largest);
  mote_kernel wide = mote_kernel_make(MOTE_KERNEL_WENDLAND_C2, 2, 3.0);
  mote_packing_spectrum w = mote_packing_spectrum_of(&wide, 1.0);
  check_random_waves(&wide, w.largest);
  // 2 int W r^2 dV = 2 * 14 (4 B(5, 5) + B(4, 5)) R^2 in 2D, and 5/3 of 42 (4 B(6, 5) + B(5, 5)) R^2 in 3D.
  CHECK_NEAR(w.reach * w.density, 2.5, 1e-4);
  mote_kernel solid = mote_kernel_make(MOTE_KERNEL_WENDLAND_C2, 3, 3.0);
  mote_packing_spectrum v = mote_packing_spectrum_of(&solid, 1.0);
  CHECK_NEAR(v.reach * v.density, 3.0, 1e-4);
  // Scaling: the density and the quotient have no dimension, the diagonal is one over a length squared.
  mote_kernel fine = mote_kernel_make(MOTE_KERNEL_CUBIC_SPLINE, 3, 0.2);
  mote_packing_spectrum t = mote_packing_spectrum_of(&fine, 0.1);
  CHECK_NEAR(t.density, s.density, 1e-12);
  CHECK_NEAR(t.largest, s.largest, 1e-12);
  CHECK_NEAR(t.diagonal, 100.0 * s.diagonal, 1e-9 * t.diagonal);
  return test_end();
}
