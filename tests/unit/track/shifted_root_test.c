// The rational inverse square root, over its range.
#include "track/shifted_root.h"

#include <math.h>

#include "test.h"

static double worst(double low, double high) {
  mote_shifted_root r = mote_shifted_root_make(low, high);
  double most = 0.0;
  for (int k = 0; k <= 1000; ++k) {
    double x = low * pow(high / low, k / 1000.0),
           error = fabs(mote_shifted_root_value(&r, x) * sqrt(x) - 1.0);
    most = error > most ? error : most;
  }
  for (int j = 0; j < MOTE_SHIFTS; ++j) CHECK(r.shift[j] > 0.0 && r.weight[j] > 0.0);
  return most;
}

int main(void) {
  double narrow = worst(1.0, 100.0), wide = worst(3.0, 3e4);
  printf("error %g, %g\n", narrow, wide);
  CHECK(narrow < 1e-4 && wide < 6e-3);
  CHECK_NEAR(worst(1e-6, 1e-4), narrow, 1e-9);  // no scale
  return test_end();
}
