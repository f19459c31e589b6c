// The closed forms against sums over planes, and the table against the closed form.
#include "surface/half_space.h"

#include <math.h>

#include "test.h"

// By integrating the weight (4.8) numerically over the half space below height z: midpoints over u and rho.
static void integrate(double z, double *fraction, double *shift, double *spread) {
  enum { N = 400 };
  double weight = 0.0, moment = 0.0, across = 0.0;
  for (int a = 0; a < 2 * N; ++a) {
    double u = -1.0 + (a + 0.5) / N;
    if (u > z) break;
    for (int b = 0; b < N; ++b) {
      double rho = (b + 0.5) / N, q2 = u * u + rho * rho;
      if (q2 >= 1.0) break;
      double w = (1.0 - q2 * sqrt(q2)) * rho / ((double)N * N);
      weight += w, moment -= w * u, across += w * (rho * rho);
    }
  }
  *fraction = weight / (1.0 / 3.0);  // 2 pi rho left out: the whole is 2 pi/3
  *shift = moment / weight;
  *spread = across / weight;
}

static void check_integrals(void) {
  for (int k = -10; k <= 19; ++k) {
    double z = k / 20.0, fraction, shift, spread;
    integrate(z, &fraction, &shift, &spread);
    CHECK_NEAR(mote_half_space_fraction(z), fraction, 2e-4);
    CHECK_NEAR(mote_half_space_shift(z), shift, 2e-4);
    CHECK_NEAR(mote_half_space_spread(z), spread, 2e-4);
  }
  CHECK_NEAR(mote_half_space_shift(0.0), 9.0 / 28.0, 1e-15);  // YU11 A (9)
  CHECK_NEAR(mote_half_space_fraction(0.0), 0.5, 1e-15);
  CHECK(mote_half_space_fraction(1.0) == 1.0 && mote_half_space_fraction(7.0) == 1.0);
  CHECK_NEAR(mote_half_space_spread(0.0), 0.3, 1e-15);
  CHECK_NEAR(mote_half_space_spread(1.0), 0.3, 1e-15);
  CHECK(mote_half_space_shift(1.0) == 0.0 && mote_half_space_fraction(-1.0) == 0.0);
}

static void check_table(void) {
  mote_half_space table;
  mote_half_space_tabulate(&table);
  for (int k = 0; k <= 1000; ++k) {
    double z = -0.44 + 1.24 * k / 1000, shift = mote_half_space_shift(z);
    if (shift < 0.002) continue;
    CHECK_NEAR((double)mote_half_space_depth(&table, (float)shift), z, 1e-3);
  }
  CHECK(mote_half_space_depth(&table, 0.0f) == 1.0f);
  CHECK(mote_half_space_depth(&table, 5.0f) == mote_half_space_depth(&table, 0.6f));
}

int main(void) {
  check_integrals();
  check_table();
  return test_end();
}
