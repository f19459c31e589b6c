// References of free-surface flows against published numbers.
// Links apps/validate/fluids/free_references.c
#include "validate/fluids/free_references.h"

#include <math.h>

#include "test.h"

int main(void) {
  // Monaghan 1994, integrated to 1e-12.
  static const double drop[][5] = {{0.0, 1.0, 1.0, 100.0, 5000.0},
                                   {0.0016, 0.85327647, 1.1719531, 97.553901, 4528.4394},
                                   {0.0076, 0.51426647, 1.9445172, 70.310892, 1221.9697}};
  for (size_t k = 0; k < sizeof drop / sizeof drop[0]; ++k) {
    drop_exact exact = drop_exact_at(drop[k][0]);
    CHECK_NEAR(exact.across, drop[k][1], 1e-7);
    CHECK_NEAR(exact.along, drop[k][2], 1e-7);
    CHECK_NEAR(exact.rate, drop[k][3], 1e-5);
    CHECK_NEAR(exact.pressure, drop[k][4], 1e-3);
  }
  CHECK_NEAR(patch_pressure(0.5, 0.5), -0.1473427, 1e-6);
  CHECK_NEAR(patch_pressure(0.2, 0.5), -0.09939632, 1e-6);
  CHECK_NEAR(patch_pressure(0.3, 0.3), -0.1096821, 1e-6);
  double pi = 3.14159265358979323846;
  CHECK_NEAR(2.0 * pi / wave_frequency(9.81, pi, 1.0), 1.1339175, 1e-6);
  CHECK_NEAR(2.0 * pi / wave_frequency(9.81, 0.2 * pi, 1.0), 3.3913252, 1e-6);
  CHECK(martin_moyce_front(1).count == 14 && martin_moyce_front(2).count == 15);
  CHECK(martin_moyce_height(1).count == 4 && martin_moyce_height(2).count == 11);
  return test_end();
}
