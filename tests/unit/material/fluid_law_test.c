// The laws of state: rest, slope, clamping, background, and the speed of sound of each.
#include "material/fluid_law.h"

#include "test.h"

static mote_solver_def solver_of(mote_state_law state, double gamma, double background) {
  mote_solver_def s = mote_world_def_default().solver;
  s.state = state, s.exponent = gamma, s.background_pressure = background;
  return s;
}

static double pressure(const mote_solver_def *s, double zeta, double K, double D) {
  mote_fluid_law law = mote_law_of(s, 0.0, 0.0);
  law.zeta = zeta;
  return mote_law_pressure(&law, K, D);
}

static double sound_at(const mote_solver_def *s, double at_rest, double D) {
  mote_fluid_law law = mote_law_of(s, 0.0, 0.0);
  return mote_law_sound_speed_at(&law, at_rest, D);
}

static double slope(const mote_solver_def *s, double K, double D) {
  double step = 1e-5;
  return (pressure(s, 1.0, K, D + step) - pressure(s, 1.0, K, D - step)) / (2 * step);
}

static void tait(double gamma) {
  mote_solver_def s = solver_of(MOTE_STATE_TAIT, gamma, 0.0);
  double K = mote_law_stiffness(1000.0, 30.0, gamma);
  CHECK(pressure(&s, 0.0, K, 1.0) == 0.0);
  CHECK_NEAR(slope(&s, K, 1.0), 1000.0 * 30.0 * 30.0, 1e-3);  // dp/drho = c^2
  CHECK(pressure(&s, 0.0, K, 0.9) == 0.0);
  CHECK_NEAR(pressure(&s, 0.25, K, 0.9), 0.25 * pressure(&s, 1.0, K, 0.9), 1e-9);
  CHECK_NEAR(pressure(&s, 1.0, K, 1.1), K * (pow(1.1, gamma) - 1.0), 1e-9 * K);
  mote_solver_def lifted = solver_of(MOTE_STATE_TAIT, gamma, 0.5 * K);
  CHECK_NEAR(pressure(&lifted, 0.0, K, 0.99), K * (pow(0.99, gamma) - 0.5), 1e-9 * K);
  CHECK(pressure(&lifted, 0.0, K, 0.1) == 0.0);
  CHECK(sound_at(&s, 30.0, 1.3) == 30.0);
  for (double D = 0.9; D < 1.15; D += 0.04) {
    CHECK_NEAR(mote_law_relative(&s, 0.25, K, pressure(&s, 0.25, K, D)), D, 1e-9);
    CHECK_NEAR(mote_law_relative(&lifted, 1.0, K, pressure(&lifted, 1.0, K, D)), D, 1e-9);
  }
  CHECK(isnan(mote_law_relative(&s, 1.0, K, -1.01 * K)));  // more tension than there is
  CHECK(isnan(mote_law_relative(&s, 0.0, K, -1.0)));       // none at all
}

static void gas(double gamma) {
  mote_solver_def s = solver_of(MOTE_STATE_GAS, gamma, 0.0);
  double K = mote_law_stiffness(1.2, 340.0, gamma);
  CHECK(pressure(&s, 1.0, K, 0.0) == 0.0);
  CHECK_NEAR(pressure(&s, 1.0, K, 2.0), K * pow(2.0, gamma), 1e-9 * K);
  for (double D = 0.5; D < 3.0; D += 0.5) {
    double c = sound_at(&s, 340.0, D);
    CHECK_NEAR(slope(&s, K, D) / (1.2 * c * c), 1.0, 1e-6);
    CHECK_NEAR(mote_law_relative(&s, 1.0, K, pressure(&s, 1.0, K, D)), D, 1e-9);
  }
}

// What `mote check` asks is what the solver uses.
static void planned(void) {
  mote_solver_def solver = solver_of(MOTE_STATE_TAIT, 7.0, 0.0);
  mote_material_def oil = mote_material_def_default();
  oil.density = 250.0;
  CHECK_NEAR(mote_capillary_step(0.01, 7.2e-5), 0.08 * sqrt(1e-6 / 7.2e-5), 1e-15);
  solver.support = 4.0, solver.viscosity_form = MOTE_VISCOSITY_CENTRAL;
  CHECK_NEAR(mote_viscous_step(&solver, 0.01, 1e-3), 0.125 * 4e-4 / 3e-3, 1e-15);
  solver.pressure = MOTE_PRESSURE_WCSPH;
  solver.density = MOTE_DENSITY_FOLLOWED, solver.density_diffusion = 0.1;
  CHECK_NEAR(mote_acoustic_step(&solver, 0.01, 20.0), 0.4 * 0.02 / 20.0, 1e-15);
  solver.density_diffusion = 0.5;
  CHECK_NEAR(mote_acoustic_step(&solver, 0.01, 20.0), 0.1 / 0.5 * 0.02 / 20.0, 1e-15);
  solver.stiffness = (double)NAN;
  CHECK_NEAR(mote_material_def_sound_speed(&oil, &solver, 30.0, 1000.0), 60.0, 1e-12);
  solver.stiffness = 1000.0;
  CHECK_NEAR(mote_material_def_sound_speed(&oil, &solver, 30.0, 1000.0), sqrt(28.0), 1e-12);
  oil.stiffness = 4000.0;
  CHECK_NEAR(mote_material_def_sound_speed(&oil, &solver, 30.0, 1000.0), 4.0, 1e-12);
}

int main(void) {
  planned();
  double gammas[] = {1.0, 1.4, 3.5, 7.0};
  for (int k = 0; k < 4; ++k) tait(gammas[k]), gas(gammas[k]);
  CHECK_NEAR(mote_law_sound_speed(3.0, 0.01), 30.0, 1e-12);
  // DES96 (6), P = k (rho - rho0), is Tait's law with gamma = 1 and zeta = 1, and k = c^2.
  mote_solver_def linear = solver_of(MOTE_STATE_TAIT, 1.0, 0.0);
  CHECK_NEAR(pressure(&linear, 1.0, mote_law_stiffness(1000.0, 3.0, 1.0), 0.98), 9.0 * -20.0, 1e-9);
  CHECK(mote_law_zeta(&linear) == 0.0);
  linear.density = MOTE_DENSITY_FOLLOWED, linear.pressure = MOTE_PRESSURE_WCSPH;
  CHECK(mote_law_zeta(&linear) == 1.0);
  linear.negative_pressure = 0.5;
  CHECK(mote_law_zeta(&linear) == 0.5);
  return test_end();
}
