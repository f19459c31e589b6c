// Viscous flow between plates: Poiseuille's start against its series (Morris, Fox & Zhu 1997) with walls of
// friction 1; and no drag at all with friction 0.
#include <mote/numeric.h>

#include "fluid_kit.h"

#define ACROSS 20
#define NU 0.1
#define PI 3.14159265358979323846

static tank *channel(double friction) {
  tank_def def = tank_def_default(2);
  def.kernel = MOTE_KERNEL_WENDLAND_C2, def.support = 3.0, def.spacing = 1.0 / ACROSS;
  def.viscosity = 1000.0 * NU, def.friction = friction, def.gravity = 0.0;
  def.tank[0] = def.water[0] = 8, def.tank[1] = def.water[1] = ACROSS, def.periodic[0] = true;
  return tank_make(&def);
}

static double poiseuille(double y, double force, double t) {
  double u = 0.5 * force * y * (1.0 - y) / NU;
  for (int n = 1; n < 40; n += 2) {
    double k = n * PI;
    u -= 4.0 * force / (NU * k * k * k) * mote_sin(k * y) * mote_exp(-NU * k * k * t);
  }
  return u;
}

static double worst(const tank *t, double force) {
  double most = 0.0;
  for (size_t i = 0; i < t->fluid.count; ++i) {
    double exact = poiseuille(t->position[3 * i + 1], force, t->time);
    most = fmax(most, fabs((double)t->fluid.velocity[3 * i] - exact));
  }
  return most;
}

// The pair form is right to 1 % at R = 3 d; a wall half a spacing off would give 10 %.
static void flows(void) {
  double force = 0.08, fastest = 0.125 * force / NU;
  tank *t = channel(1.0);
  t->fluid.gravity[0] = (float)force;
  while (t->time < 1.0) tank_step(t, 1.0 - t->time > 0.01 ? 0.01 : 1.0 - t->time);
  CHECK(worst(t, force) < 0.03 * fastest);
  while (t->time < 3.0) tank_step(t, 0.01);
  CHECK(worst(t, force) < 0.03 * fastest);
  tank_free(t);
}

static void slips(void) {
  tank *t = channel(0.0);
  for (size_t i = 0; i < t->fluid.count; ++i) t->fluid.velocity[3 * i] = 0.2f;
  for (int k = 0; k < 20; ++k) tank_step(t, 0.005);
  for (size_t i = 0; i < t->fluid.count; ++i) CHECK_NEAR((double)t->fluid.velocity[3 * i], 0.2, 1e-5);
  tank_free(t);
}

int main(void) {
  flows();
  slips();
  return test_end();
}
