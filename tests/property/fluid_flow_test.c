// Viscous flow between plates: Poiseuille's start against its series and Couette's (Morris, Fox & Zhu 1997)
// with walls of friction 1, with explicit and implicit viscosity; and no drag at all with friction 0.
#include <mote/numeric.h>

#include "fluid_kit.h"

#define ACROSS 20
#define NU 0.1
#define PI 3.14159265358979323846

static tank *channel(double friction, mote_viscosity_solve solve) {
  tank_def def = tank_def_default(2);
  def.kernel = MOTE_KERNEL_WENDLAND_C2, def.support = 3.0, def.spacing = 1.0 / ACROSS;
  def.viscosity = 1000.0 * NU, def.friction = friction, def.gravity = 0.0;
  def.tank[0] = def.water[0] = 8, def.tank[1] = def.water[1] = ACROSS, def.periodic[0] = true;
  tank *t = tank_make(&def);
  t->fluid.solver.viscosity_solve = solve, t->fluid.solver.viscosity_error = 1e-4;
  return t;
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

// The pair form is right to 1 % at R = 3 d; a wall half a spacing off would give 10 %. Backward Euler is late
// by half a step: u changes by force dt / 2.
static void flows(mote_viscosity_solve solve, double dt, double tolerance) {
  double force = 0.08, fastest = 0.125 * force / NU;
  tank *t = channel(1.0, solve);
  t->fluid.gravity[0] = (float)force;
  while (t->time < 1.0) tank_step(t, 1.0 - t->time > dt ? dt : 1.0 - t->time);
  CHECK(worst(t, force) < tolerance * fastest);
  while (t->time < 3.0) tank_step(t, dt);
  CHECK(worst(t, force) < tolerance * fastest);
  tank_free(t);
}

// Couette's start: walls at rest, and all that is above y = 1 moves along.
static double couette(double y, double t) {
  double u = y;
  for (int n = 1; n < 40; ++n) {
    u += 2.0 / (n * PI) * (n % 2 ? -1.0 : 1.0) * mote_sin(n * PI * y) * mote_exp(-NU * n * n * PI * PI * t);
  }
  return u;
}

static void is_dragged(mote_viscosity_solve solve, double dt) {
  tank *t = channel(1.0, solve);
  double d = t->def.spacing, velocity[3] = {0.1, 0.0, 0.0}, none[3] = {0}, most = 0.0;
  int layers = 3, across = t->def.tank[0];
  mote_boundary_destroy(t->boundary);
  CHECK(mote_boundary_create(&t->fluid.domain, t->fluid.support, &t->fluid.env, &t->boundary, NULL) ==
        MOTE_OK);
  for (int top = 0; top < 2; ++top) {
    mote_samples samples = {(size_t)(layers * across),
                            tank_take(3 * (size_t)(layers * across), sizeof(double)),
                            tank_take((size_t)(layers * across), sizeof(double))};
    for (int k = 0; k < layers * across; ++k) {
      double depth = (k / across + 0.5) * d;
      samples.position[3 * k] = (k % across + 0.5) * d;
      samples.position[3 * k + 1] = top ? 1.0 + depth : -depth;
      samples.volume[k] = d * d;
    }
    mote_boundary_range range;
    mote_pose pose = {.rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    CHECK(mote_boundary_add(t->boundary, &samples, 1.0, top, &range, NULL) == MOTE_OK);
    if (top) mote_boundary_pose(t->boundary, range, &pose, velocity, none);
    free(samples.position), free(samples.volume);
  }
  while (t->time < 1.0) tank_step(t, dt);
  for (size_t i = 0; i < t->fluid.count; ++i) {
    double exact = velocity[0] * couette(t->position[3 * i + 1], t->time);
    most = fmax(most, fabs((double)t->fluid.velocity[3 * i] - exact));
  }
  CHECK(most < 0.02 * velocity[0]);
  tank_free(t);
}

static void slips(mote_viscosity_solve solve) {
  tank *t = channel(0.0, solve);
  for (size_t i = 0; i < t->fluid.count; ++i) t->fluid.velocity[3 * i] = 0.2f;
  for (int k = 0; k < 20; ++k) tank_step(t, 0.005);
  for (size_t i = 0; i < t->fluid.count; ++i) CHECK_NEAR((double)t->fluid.velocity[3 * i], 0.2, 1e-5);
  tank_free(t);
}

int main(void) {
  flows(MOTE_VISCOSITY_EXPLICIT, 0.01, 0.02);
  flows(MOTE_VISCOSITY_IMPLICIT, 0.01, 0.02);
  is_dragged(MOTE_VISCOSITY_EXPLICIT, 0.005);
  is_dragged(MOTE_VISCOSITY_IMPLICIT, 0.01);
  slips(MOTE_VISCOSITY_EXPLICIT);
  slips(MOTE_VISCOSITY_IMPLICIT);
  return test_end();
}
