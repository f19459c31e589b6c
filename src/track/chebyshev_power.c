// x^(3/2) as a polynomial: see chebyshev_power.h.
#include "track/chebyshev_power.h"

#include "geom/triple.h"

// With x = (1 + t)/2, (1 + t)/2 sum c_n T_n = sum a_n T_n; products with t by t T_n = (T_n-1 + T_n+1)/2, so
// that a_n = c_n/2 + (c_n-1 + c_n+1)/4, and c_0 counts twice there. The constant needs no care: it follows
// from the others where the sum is 0 at x = 0.
mote_chebyshev_power mote_chebyshev_power_make(void) {
  mote_chebyshev_power p;
  double after = 0.0, here = 0.0;  // c_n+1, c_n
  for (int n = MOTE_CHEBYSHEV_DEGREE; n >= 1; --n) {
    double q = 4.0 * n * n, a = (n % 2 == 0 ? 24.0 : -24.0) / (MOTE_PI * (q - 1.0) * (q - 9.0));
    double before = 4.0 * a - 2.0 * here - after;
    p.c[n - 1] = n == 1 ? 0.5 * before : before;
    after = here, here = before;
  }
  return p;
}
