// x^(3/2) as a polynomial: within its bound, never below, zero and rising at zero.
#include "track/chebyshev_power.h"

#include <math.h>

#include "test.h"

static double value_at(const mote_chebyshev_power *power, double x) {
  double t = 2.0 * x - 1.0, first = 0.0, second = 0.0;
  for (int n = MOTE_CHEBYSHEV_DEGREE - 1; n >= 1; --n) {
    double next = power->c[n] + 2.0 * t * first - second;
    second = first, first = next;
  }
  return x * (power->c[0] + t * first - second);
}

int main(void) {
  mote_chebyshev_power p = mote_chebyshev_power_make();
  double below = 0.0, above = 0.0, bound = 0.32 / pow(MOTE_CHEBYSHEV_DEGREE, 3.0);
  for (int k = 0; k <= 20000; ++k) {
    double x = pow(k / 20000.0, 2.0), error = value_at(&p, x) - pow(x, 1.5);
    above = fmax(above, error), below = fmin(below, error);
  }
  printf("from %g below to %g above, bound %g\n", -below, above, bound);
  CHECK(below > -1e-14 && above < bound && above > 0.3 * bound);
  CHECK_NEAR(value_at(&p, 0.0), 0.0, 0.0);
  CHECK_NEAR(value_at(&p, 0.0064) / pow(0.0064, 1.5), 1.0, 2e-3);  // 16 edges a wavelength
  return test_end();
}
