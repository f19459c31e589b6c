// The mean viscosity of a pair: harmonic, the same from both sides, and a number for fluids without viscosity
// at any distance.
#include "fluid/viscous_pair.h"

#include "test.h"

static float mean(float a, float b, float soft) {
  return mote_viscous_mean(a, mote_lane_splat(b), mote_lane_splat(soft))[0];
}

// The factor of mu^2 is 2 alpha, or what the scene says: 2 in DES96 (5).
static void test_square(void) {
  mote_fluid fluid = {.support = 2.0, .solver = {.artificial_viscosity = 0.25, .stiffness = (double)NAN}};
  fluid.domain.dimensions = 3;
  fluid.solver.artificial_square = (double)NAN;
  mote_viscous_law law = mote_viscous_law_make(&fluid);
  CHECK(law.linear == 0.25f && law.square == 0.5f && law.own_square < 0.0f);
  fluid.solver.artificial_square = 2.0;
  law = mote_viscous_law_make(&fluid);
  CHECK(law.linear == 0.25f && law.square == 2.0f && law.own_square == 2.0f);
}

int main(void) {
  test_square();
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
