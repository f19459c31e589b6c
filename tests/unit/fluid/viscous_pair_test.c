// The mean viscosity of a pair: harmonic, the same from both sides, and a number for fluids without viscosity
// at any distance.
#include "fluid/viscous_pair.h"

#include "test.h"

static float mean(float a, float b, float soft) {
  return mote_viscous_mean(a, mote_lane_splat(b), mote_lane_splat(soft))[0];
}

int main(void) {
  const float mu[] = {0.0f, 1e-5f, 1e-3f, 500.0f, 1e4f};
  for (int k = -20; k <= 0; ++k) {
    float soft = (float)ldexp(1.0, 2 * k);  // from a micrometre to a metre, squared
    for (size_t i = 0; i < sizeof mu / sizeof *mu; ++i) {
      for (size_t j = 0; j < sizeof mu / sizeof *mu; ++j) {
        double a = (double)mu[i], b = (double)mu[j], sum = a + b;
        double want = sum > 0.0 ? 4.0 * a * b / (sum * (double)soft) : 0.0;
        CHECK_NEAR((double)mean(mu[i], mu[j], soft), want, 1e-6 * want);
        CHECK(mean(mu[i], mu[j], soft) == mean(mu[j], mu[i], soft));
      }
    }
  }
  return test_end();
}
