// Each limit of the time step by itself; what automatic viscosity makes of them; and that explicit viscosity
// is stable at its limit.
#include "fluid/time_limit.h"

#include "fluid_kit.h"

static void chooses_implicit(void) {
  tank_def def = tank_def_default(3);
  for (int a = 0; a < 3; ++a) def.tank[a] = def.water[a] = 4;
  tank *t = tank_make(&def);
  mote_fluid *f = &t->fluid;
  double limit = 0.125 * def.spacing * def.spacing / 5.0;
  t->viscosity[3] = 5000.0f, f->solver.step_max = 0.5 * limit;
  CHECK(!mote_fluid_wants_implicit(f));
  f->solver.step_max = 2.0 * limit;
  CHECK(mote_fluid_wants_implicit(f));
  f->solver.viscosity_solve = MOTE_VISCOSITY_EXPLICIT;
  CHECK(!mote_fluid_wants_implicit(f));
  f->solver.viscosity_form = MOTE_VISCOSITY_CENTRAL;
  CHECK_NEAR(mote_fluid_step_limit(f), limit / 3.0, 1e-9);
  f->implicit = true;
  CHECK(mote_fluid_step_limit(f) == f->solver.step_max);
  f->solver.viscosity_solve = MOTE_VISCOSITY_IMPLICIT, t->viscosity[3] = 0.0f;
  CHECK(mote_fluid_wants_implicit(f));
  f->solver.artificial_viscosity = 2.0, f->sound_speed = 50.0, f->solver.step_max = 1.0;
  CHECK_NEAR(mote_fluid_step_limit(f), 0.125 * def.spacing / (3.0 * 2.0 * 50.0 / 10.0), 1e-9);
  tank_free(t);
}

// Noise on a lattice, which holds all modes, loses energy in every step of the longest length.
static void calms(int dimensions, mote_viscosity_form form, double support) {
  tank_def def = tank_def_default(dimensions);
  def.viscosity = 1000.0, def.gravity = 0.0, def.support = support;
  for (int a = 0; a < 3; ++a) def.tank[a] = def.water[a] = dimensions == 3 ? 8 : 16, def.periodic[a] = true;
  tank *t = tank_make(&def);
  mote_fluid *f = &t->fluid;
  f->solver.viscosity_solve = MOTE_VISCOSITY_EXPLICIT, f->solver.viscosity_form = form;
  for (size_t k = 0; k < 3 * f->count; ++k) {
    if (k % 3 < (size_t)dimensions) f->velocity[k] = (float)mote_random_between(1, 2, k, -1e-3, 1e-3);
  }
  CHECK(mote_fluid_prepare(f, t->boundary, t->grid, NULL) == MOTE_OK);
  double last = tank_kinetic(t);
  for (int k = 0; k < 40; ++k) {
    CHECK(mote_fluid_forces(f, NULL) == MOTE_OK);
    mote_fluid_accelerate(f, mote_fluid_step_limit(f));
    double now = tank_kinetic(t);
    if (!CHECK(now < last)) break;
    last = now;
  }
  tank_free(t);
}

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
  chooses_implicit();
  for (int d = 2; d <= 3; ++d) {
    calms(d, MOTE_VISCOSITY_PAIR, 2.0), calms(d, MOTE_VISCOSITY_PAIR, 3.0);
    calms(d, MOTE_VISCOSITY_CENTRAL, 2.0), calms(d, MOTE_VISCOSITY_CENTRAL, 3.0);
  }
  return test_end();
}
