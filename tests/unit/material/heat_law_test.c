// Heat of one particle: temperature and enthalpy are each other's inverse, fractions, means, viscosity.
#include "material/heat_law.h"

#include <math.h>

#include "test.h"

static void inverse(double freezing, double melting, double latent) {
  mote_heat_law law = mote_heat_law_make(1.0, 2000.0, freezing, melting, latent, 0.0);
  double last = -1.0;
  for (double T = 200.0; T < 400.0; T += 0.5) {
    double H = mote_heat_enthalpy(&law, T, true);
    CHECK_NEAR(mote_heat_temperature(&law, H), T, 1e-10);
    CHECK(H > last);
    last = H;
  }
  if (latent == 0.0) return;
  double solid = mote_heat_enthalpy(&law, freezing, false), liquid = mote_heat_enthalpy(&law, melting, true);
  CHECK_NEAR(liquid - solid, latent + 2000.0 * (melting - freezing), 1e-6);
  CHECK(mote_heat_solid_fraction(&law, solid) == 1.0 && mote_heat_solid_fraction(&law, liquid) == 0.0);
  CHECK_NEAR(mote_heat_solid_fraction(&law, 0.75 * solid + 0.25 * liquid), 0.75, 1e-12);
}

static void pairs(void) {
  CHECK_NEAR(mote_heat_mean_conductivity(1.0, 3.0), 1.5, 1e-15);
  CHECK(mote_heat_mean_conductivity(0.3, 0.7) == mote_heat_mean_conductivity(0.7, 0.3));
  CHECK(mote_heat_mean_conductivity(0.0, 0.0) == 0.0 && mote_heat_mean_conductivity(0.0, 5.0) == 0.0);
}

static void viscosity(void) {
  mote_heat_law law = mote_heat_law_make(1.5, 1150.0, 1253.0, 1473.0, 3.5e5, 0.04);
  CHECK(mote_heat_viscosity_factor(&law, 1473.0) == 1.0);
  CHECK_NEAR(mote_heat_viscosity_factor(&law, 1373.0), exp(4.0), 1e-9);
  CHECK_NEAR(mote_heat_viscosity_factor(&law, 0.0), 1e6, 1.0);
  CHECK_NEAR(mote_heat_viscosity_factor(&law, 9000.0), 1e-6, 1e-12);
}

int main(void) {
  inverse(273.15, 273.15, 3.3e5);
  inverse(300.0, 310.0, 5e4);
  inverse(0.0, 0.0, 0.0);
  pairs();
  viscosity();
  return test_end();
}
