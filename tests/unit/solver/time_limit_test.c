// Each limit of the time step by itself.
#include "solver/time_limit.h"

#include "fluid_kit.h"

int main(void) {
  tank_def def = tank_def_default(3);
  for (int a = 0; a < 3; ++a) def.tank[a] = def.water[a] = 4;
  tank *t = tank_make(&def);
  mote_fluid *f = &t->fluid;
  f->solver.step_max = 10.0, f->solver.step_min = 1e-9;
  CHECK(mote_fluid_step_limit(f) == 10.0);  // all at rest
  f->velocity[3 * 7 + 2] = -4.0f;
  CHECK_NEAR(mote_fluid_step_limit(f), 0.4 * def.spacing / 4.0, 1e-12);
  f->acceleration[3 * 7] = 100.0f;
  double dt = mote_fluid_step_limit(f);
  CHECK_NEAR(4.0 * dt + 100.0 * dt * dt, 0.4 * def.spacing, 1e-12);
  t->viscosity[3] = 5000.0f;
  CHECK_NEAR(mote_fluid_step_limit(f), 0.125 * def.spacing * def.spacing / 5.0, 1e-9);
  t->viscosity[3] = 0.0f;
  f->solver.pressure = MOTE_PRESSURE_WCSPH, f->sound_speed = 100.0;
  CHECK_NEAR(mote_fluid_step_limit(f), 0.4 * def.spacing / 100.0, 1e-12);
  f->solver.stiffness = 1000.0 * 200.0 * 200.0 / 7.0;
  CHECK_NEAR(mote_fluid_step_limit(f), 0.4 * def.spacing / 200.0, 1e-12);
  f->solver.step_min = f->solver.step_max = 0.25;
  CHECK(mote_fluid_step_limit(f) == 0.25);
  tank_free(t);
  return test_end();
}
