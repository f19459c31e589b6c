// The prediction is checked by moving: where the particles then are, their densities are what was promised.
#include "fluid_kit.h"

#define TWO_PI 6.28318530717958648

// Water that falls into a tank with a floor and walls, jittered, at `speed` towards the corner.
static tank *fall(int dimensions, double speed) {
  tank_def def = tank_def_default(dimensions);
  def.pressure = MOTE_PRESSURE_PCISPH;
  for (int a = 0; a < 3; ++a) def.tank[a] = 12, def.water[a] = 8;
  tank *t = tank_make(&def);
  for (size_t i = 0; i < t->fluid.count; ++i) {
    for (int a = 0; a < dimensions; ++a) {
      t->position[3 * i + a] += def.spacing * mote_random_between(1, (uint64_t)a, i, -0.05, 0.05);
      t->fluid.velocity[3 * i + a] = -(float)speed;
    }
  }
  return t;
}

// Mean growth of densities above one, by moving with the velocities but not the shift, and summing again.
static double growth(tank *t, double dt) {
  mote_fluid *f = &t->fluid;
  size_t n = f->count;
  float *before = tank_take(n, sizeof(float));
  memcpy(before, f->relative, n * sizeof(float));
  for (size_t k = 0; k < 3 * n; ++k) t->position[k] += dt * (double)(f->velocity[k] - f->shift[k]);
  CHECK(mote_fluid_prepare(f, t->boundary, t->grid, NULL) == MOTE_OK);
  double sum = 0.0;
  for (size_t i = 0; i < n; ++i) {
    sum += fmax(0.0, (double)f->relative[i] - fmax(1.0, (double)before[i]));
  }
  free(before);
  return sum / (double)n;
}

// A step in which particles would move by a tenth of a spacing. The error counts samples of walls and
// expansion as well, so that what is left in the fluid is less. DFSPH, whose prediction is linear, does not
// see what is of second order in the motion: here more than the tolerance.
static void keeps_its_promise(int dimensions) {
  double dt = 1e-3, speed = 5.0, tolerance = 2e-4, grown[3];
  for (int k = 0; k < 3; ++k) {
    tank *t = fall(dimensions, speed);
    mote_fluid *f = &t->fluid;
    f->solver.density_error = tolerance, f->solver.iterations_max = 1000;
    CHECK(mote_fluid_prepare(f, t->boundary, t->grid, NULL) == MOTE_OK);
    mote_solve_report report = {0};
    if (k == 0) CHECK(mote_pcisph_pressure(f, dt, &report, NULL) == MOTE_OK);
    if (k == 1) CHECK(mote_dfsph_density(f, dt, &report, NULL) == MOTE_OK);
    if (k == 2) CHECK(mote_shift_begin(f, NULL) == MOTE_OK), mote_shift_end(f, dt);
    CHECK(k == 2 || (report.converged && report.error <= tolerance && report.iterations >= 3));
    grown[k] = growth(t, dt);
    tank_free(t);
  }
  CHECK(grown[0] < tolerance);
  CHECK(grown[1] > tolerance && grown[2] > 20.0 * tolerance);
}

static void counts_iterations(void) {
  tank *t = fall(2, 5.0);
  mote_fluid *f = &t->fluid;
  mote_solve_report report = {0};
  CHECK(mote_fluid_prepare(f, t->boundary, t->grid, NULL) == MOTE_OK);
  float first = f->velocity[0];
  CHECK(mote_pcisph_pressure(f, 0.0, &report, NULL) == MOTE_OK);
  CHECK(report.iterations == 0 && report.converged && f->velocity[0] == first && f->shift == NULL);
  f->solver.iterations_min = 7, f->solver.density_error = 0.1;
  CHECK(mote_pcisph_pressure(f, 1e-3, &report, NULL) == MOTE_OK);
  CHECK(report.iterations == 7 && report.converged);
  mote_shift_settle(f);
  f->solver.iterations_min = f->solver.iterations_max = 2, f->solver.density_error = 1e-8;
  CHECK(mote_pcisph_pressure(f, 1e-3, &report, NULL) == MOTE_OK);
  CHECK(report.iterations == 2 && !report.converged && report.error > 1e-8);
  tank_free(t);
}

// Whirls without viscosity in a box, periodic or between walls, with `free_rows` empty rows at its upper
// side: the most kinetic energy there was, over that at the start.
static double whirls_gain(bool periodic, int free_rows) {
  tank_def def = tank_def_default(2);
  def.pressure = MOTE_PRESSURE_PCISPH, def.spacing = 0.02, def.gravity = 0.0;
  for (int a = 0; a < 2; ++a) def.tank[a] = def.water[a] = 24, def.periodic[a] = periodic;
  def.tank[1] += free_rows;
  tank *t = tank_make(&def);
  for (size_t i = 0; i < t->fluid.count; ++i) {
    double *at = t->position + 3 * i, x = TWO_PI * at[0] / 0.48, y = TWO_PI * at[1] / 0.48;
    t->fluid.velocity[3 * i] = (float)(sin(x) * cos(y)),
                          t->fluid.velocity[3 * i + 1] = (float)(-cos(x) * sin(y));
    for (uint64_t a = 0; a < 2; ++a) at[a] += def.spacing * mote_random_between(1, a, i, -0.05, 0.05);
  }
  double start = tank_kinetic(t), most = start;
  while (t->time < 0.5) {
    tank_step(t, 1.0);
    most = fmax(most, tank_kinetic(t));
  }
  tank_free(t);
  return most / start;
}

// Where pressures wind up, energy grows manyfold. The hundredth that is allowed (the soak allows twice that)
// is for the first steps, which undo part of the jitter by velocities: it was chosen, not derived.
static void full_boxes_gain_nothing(void) {
  for (int free_rows = TEST_SHORT ? 2 : 0; free_rows <= 2; ++free_rows) {
    CHECK(whirls_gain(true, free_rows) < 1.01);
    CHECK(whirls_gain(false, free_rows) < 1.01);
  }
}

// The largest mean velocity of a narrow column of water, over sqrt(g H), from 0.2 to 0.4 s: of its bounce.
static double bounce(int rows) {
  tank_def def = tank_def_default(2);
  def.pressure = MOTE_PRESSURE_PCISPH, def.kernel = MOTE_KERNEL_WENDLAND_C2, def.support = 3.0;
  def.spacing = 0.5 / rows;
  def.water[0] = def.tank[0] = 6, def.water[1] = rows, def.tank[1] = rows + 4;
  tank *t = tank_make(&def);
  mote_fluid *f = &t->fluid;
  f->solver.consistent = true, f->solver.density_error = 1e-3;
  double most = 0.0;
  while (t->time < 0.4) {
    double sum = 0.0;
    tank_step(t, 1.0);
    for (size_t i = 0; i < f->count; ++i) sum += (double)f->velocity[3 * i + 1];
    if (t->time >= 0.2) most = fmax(most, fabs(sum) / (double)f->count);
  }
  tank_free(t);
  return most / sqrt(9.81 * 0.5);
}

// An error e of one sign in every step moves the surface by e H, its column by half of that in the mean: in
// steps of 0.14 d / sqrt(g H / 2) with sqrt(g H) e n / (0.28 sqrt(2)), 0.08 for 32 rows and 1e-3 (measured
// when nothing else ended a solve: 0.085). A motion that is missed by e d is one of e / (0.14 sqrt(2)) =
// 0.005.
static void columns_do_not_bounce(void) {
  CHECK(bounce(32) < 0.01);
}

int main(void) {
  full_boxes_gain_nothing();
  keeps_its_promise(2);
  keeps_its_promise(3);
  counts_iterations();
  columns_do_not_bounce();
  return test_end();
}
