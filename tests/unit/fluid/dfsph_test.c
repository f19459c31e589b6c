// What a solve of DFSPH promises: pressures that do not pull, velocities whose compression is what the report
// says, and less energy than before.
#include "fluid/wall_pressure.h"
#include "fluid_kit.h"
#include "pressure_kit.h"

// Water in a closed tank whose particles move at random; it was still before, so that pressures start at 0.
static tank *stirred(int dimensions) {
  tank_def def = tank_def_default(dimensions);
  for (int a = 0; a < dimensions; ++a) def.tank[a] = def.water[a] = dimensions == 3 ? 8 : 16;
  tank *t = tank_make(&def);
  for (size_t k = 0; k < 3 * t->fluid.count; ++k) {
    if ((int)(k % 3) >= dimensions) continue;
    t->position[k] += def.spacing * mote_random_between(1, 0, k, -0.1, 0.1);
    t->fluid.velocity[k] = (float)mote_random_between(2, 0, k, -0.5, 0.5);
  }
  return t;
}

typedef struct flowing {
  mote_fluid *fluid;
  mote_pressures pressures;
} flowing;

static float wall_rate(const void *data, int part, size_t b) {
  const flowing *flow = data;
  return mote_wall_rate_row(flow->pressures.flow, &flow->fluid->walls[part], b);
}

// The mean of dt dD/dt of the particles that are compressed, or pressed apart.
static double measure(tank *t, double dt) {
  mote_fluid *f = &t->fluid;
  flowing flow = {.fluid = f};
  mote_wall_pressure wall_pressure;
  double sum = 0.0;
  CHECK(mote_pressures_take(&flow.pressures, f, NULL) == MOTE_OK);
  CHECK(mote_wall_pressure_take(&wall_pressure, f, NULL) == MOTE_OK);
  mote_pressures_flow(&flow.pressures, f);
  gather_wall_rates(&wall_pressure, wall_rate, &flow);
  for (size_t i = 0; i < f->count; ++i) {
    double c = dt * (double)(pressures_rate(&flow.pressures, f, i) + wall_pressure.sum[i]);
    if (c > 0.0 || f->divergence_pressure[i] > 0.0f) sum += fabs(c);
  }
  return sum / (double)f->count;
}

static void solves(int dimensions, double tolerance) {
  tank *t = stirred(dimensions);
  mote_fluid *f = &t->fluid;
  mote_solve_report report = {0};
  const double dt = 1e-3;
  mote_arena_mark mark = mote_arena_here(&t->arena);
  f->solver.divergence_error = tolerance;
  f->solver.iterations_max = 1000;  // 3D takes 124 to 1e-5
  CHECK(mote_fluid_prepare(f, t->boundary, t->grid, NULL) == MOTE_OK);
  double energy = tank_kinetic(t), before = measure(t, dt);
  CHECK(before > 10.0 * tolerance);
  CHECK(mote_dfsph_divergence(f, dt, &report, NULL) == MOTE_OK);
  CHECK(report.converged && report.error <= tolerance);
  for (size_t i = 0; i < f->count; ++i) CHECK(f->divergence_pressure[i] >= 0.0f);
  // The report was made before the last short step.
  CHECK(measure(t, dt) <= report.error + 1e-6);
  CHECK(tank_kinetic(t) < energy);
  mote_arena_release(&t->arena, mark);
  tank_free(t);
}

// However few the iterations, a solve from nothing takes energy out.
static void stops_early(int iterations) {
  tank *t = stirred(2);
  mote_solve_report report = {0};
  mote_arena_mark mark = mote_arena_here(&t->arena);
  t->fluid.solver.iterations_min = t->fluid.solver.iterations_max = iterations;
  t->fluid.solver.divergence_error = 1e-9;
  CHECK(mote_fluid_prepare(&t->fluid, t->boundary, t->grid, NULL) == MOTE_OK);
  double energy = tank_kinetic(t);
  CHECK(mote_dfsph_divergence(&t->fluid, 1e-3, &report, NULL) == MOTE_OK);
  CHECK(!report.converged && report.iterations == iterations);
  CHECK(tank_kinetic(t) < energy);
  mote_arena_release(&t->arena, mark);
  tank_free(t);
}

int main(void) {
  for (int d = 2; d <= 3; ++d) {
    solves(d, 1e-4);
    solves(d, 1e-5);
  }
  for (int k = 1; k <= 20; ++k) stops_early(k);
  return test_end();
}
