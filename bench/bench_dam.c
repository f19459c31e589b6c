// Dam breaks for benchmarks: see bench_dam.h.
#include "bench_dam.h"

#include <string.h>

// EG09 (47) with B = 50 kPa for WCSPH; the others to 0.05 % and 0.1 % (PCISPH: to 0.1 %).
static mote_world_def dam_def(const dam *d, double spacing) {
  mote_world_def def = mote_world_def_default();
  const double low[3] = {-2.0, 0.0, -0.75}, high[3] = {2.0, 3.0, 0.75};
  memcpy(def.low, low, sizeof low);
  memcpy(def.high, high, sizeof high);
  for (int a = 0; a < 3; ++a) def.side[a][0] = def.side[a][1] = MOTE_SIDE_WALL;
  def.spacing = spacing;
  mote_solver_def_set_quality(&def.solver, MOTE_QUALITY_FAST);
  def.solver.pressure = d->pressure;
  def.solver.cfl = 1.0;
  def.solver.step_min = d->step > 0 ? d->step : 1e-4, def.solver.step_max = d->step > 0 ? d->step : 5e-3;
  def.solver.artificial_viscosity = 0.0;
  def.solver.stiffness = 50e3, def.solver.exponent = 7.0, def.solver.negative_pressure = 0.0;
  def.solver.density_error = d->pressure == MOTE_PRESSURE_PCISPH ? 1e-3 : 5e-4;
  def.solver.divergence_error = 1e-3;
  if (d->pressure == MOTE_PRESSURE_PCISPH) def.solver.iterations_min = 3;
  if (d->thick > 0.0) def.solver.viscosity_form = MOTE_VISCOSITY_CENTRAL;
  if (d->iterations > 0) def.solver.iterations_min = def.solver.iterations_max = d->iterations;
  return def;
}

// Scenes know no such thing as particles that are too light for their place: it is done behind the world's
// back, before its first step.
static void set_mass(mote_world *world, double part) {
  mote_field_view view = mote_world_view(world, "mass");
  float *mass = (float *)(uintptr_t)view.data;
  for (size_t i = 0; i < view.count; ++i) mass[i] *= (float)part;
}

mote_result dam_create(const dam *d, int threads, mote_world **out, mote_error *error) {
  double spacing = 1.0 / (d->rows + 1), corner[3] = {-1.95, 0.05, -0.5}, low[3], high[3];
  mote_world_def def = dam_def(d, spacing);
  mote_env env = mote_env_default();
  env.threads = threads;
  mote_material_def water = mote_material_def_default();
  water.viscosity = (d->thick > 0.0 ? d->thick : 0.01) * water.density, water.xsph = 0.0;
  mote_body_def body = mote_body_def_default();
  for (int a = 0; a < 3; ++a) low[a] = corner[a] + 0.5 * spacing, high[a] = low[a] + d->rows * spacing;
  body.name = "dam", body.material = water.name;
  body.shape = mote_shape_def_box(low[0], low[1], low[2], high[0], high[1], high[2]);
  mote_result result = mote_world_create(&def, &env, out, error);
  if (!result) result = mote_world_add_material(*out, &water, NULL, error);
  if (!result) result = mote_world_add_body(*out, &body, NULL, error);
  if (!result && d->mass != 1.0) set_mass(*out, d->mass);
  return result;
}

mote_result dam_steps(mote_world *world, int steps, mote_error *error) {
  mote_result result = mote_world_begin_frame(world, error);
  for (int k = 0; k < steps && !result; ++k) result = mote_world_step(world, 1e9, error);
  return result;
}
