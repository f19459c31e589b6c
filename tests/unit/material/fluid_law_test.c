// Tait's law: rest, slope, clamping.
#include "material/fluid_law.h"

#include "test.h"

int main(void) {
  double gammas[] = {1.0, 3.5, 7.0};
  for (int k = 0; k < 3; ++k) {
    double gamma = gammas[k], K = mote_law_stiffness(1000.0, 30.0, gamma), step = 1e-5;
    CHECK(mote_law_pressure(K, gamma, 0.0, 1.0) == 0.0);
    double slope =
        (mote_law_pressure(K, gamma, 1.0, 1.0 + step) - mote_law_pressure(K, gamma, 1.0, 1.0 - step)) /
        (2 * step);
    CHECK_NEAR(slope, 1000.0 * 30.0 * 30.0, 1e-3);  // dp/drho = c^2
    CHECK(mote_law_pressure(K, gamma, 0.0, 0.9) == 0.0);
    CHECK_NEAR(mote_law_pressure(K, gamma, 0.25, 0.9), 0.25 * mote_law_pressure(K, gamma, 1.0, 0.9), 1e-9);
    CHECK_NEAR(mote_law_pressure(K, gamma, 1.0, 1.1), K * (pow(1.1, gamma) - 1.0), 1e-9 * K);
  }
  CHECK_NEAR(mote_law_sound_speed(3.0, 0.01), 30.0, 1e-12);
  return test_end();
}
