// Speeds of sound of several fluids, and laws of their own.
#include "fluid/sound_speed.h"

#include "rows/limit_row.h"
#include "test.h"

static mote_fluid two_fluids(const float *density) {
  mote_fluid f = {.sound_speed = 20.0, .rest_density = density};
  f.solver.stiffness = (double)NAN, f.solver.exponent = 7.0, f.solver.artificial_viscosity = (double)NAN;
  return f;
}

// rho c^2 is one for all: what lies on both compresses both alike.
static void one_modulus(void) {
  const float density[] = {1000.0f, 10.0f};
  mote_fluid f = two_fluids(density);
  f.densest = 1000.0;
  CHECK(mote_sound_of(&f, 0) == 20.0);
  CHECK_NEAR(10.0 * mote_sound_of(&f, 1) * mote_sound_of(&f, 1), 1000.0 * 20.0 * 20.0, 1e-6);
  f.densest = 0.0;  // one density only: nothing is changed
  CHECK(mote_sound_of(&f, 1) == 20.0);
}

// c^2 = K / rho0 = k of DES96 (6), whatever the solver has; and the damping of the material.
static void own_law(void) {
  const float density[] = {1000.0f, 500.0f}, stiffness[] = {0.0f, 2000.0f}, damping[] = {0.06f, 3.0f};
  mote_fluid f = two_fluids(density);
  CHECK(mote_sound_stiffness(&f, 1) == 0.0);
  f.solver.pressure = MOTE_PRESSURE_WCSPH;
  mote_limit_view limit = {.artificial = mote_law_artificial(&f.solver)};
  CHECK_NEAR(mote_damping_row(&limit, 0), 0.06, 1e-15);
  f.stiffness = stiffness, limit.damping = damping;
  CHECK(mote_sound_of(&f, 0) == 20.0);
  CHECK_NEAR(mote_sound_of(&f, 1), 2.0, 1e-12);
  CHECK_NEAR(mote_damping_row(&limit, 1), 3.0, 1e-12);
  CHECK_NEAR(mote_law_cohesive(2000.0, 1.1), 200.0, 1e-9);
  CHECK_NEAR(mote_law_cohesive(2000.0, 0.9), -200.0, 1e-9);
}

int main(void) {
  one_modulus();
  own_law();
  return test_end();
}
