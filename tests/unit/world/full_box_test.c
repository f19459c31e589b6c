// Whirls without viscosity in a periodic box without a free surface, at the default settings: no solver gives
// them energy, and what is lost is little. docs/theory/fluids.md, "Consistent rates"
#include "test.h"
#include "world_kit.h"

#define ROWS 24

static double energy_of(const mote_world *world) {
  mote_totals totals;
  CHECK(mote_world_totals(world, &totals, NULL) == MOTE_OK);
  return totals.kinetic_energy;
}

static void whirls_keep_their_energy(mote_pressure_kind pressure) {
  mote_world_def def = mote_world_def_default();
  def.dimensions = 2, def.spacing = 1.0 / ROWS, def.gravity[1] = 0.0, def.solver.pressure = pressure;
  for (int a = 0; a < 2; ++a) {
    def.low[a] = 0.0, def.high[a] = 1.0;
    for (int k = 0; k < 2; ++k) def.side[a][k] = MOTE_SIDE_PERIODIC;
  }
  mote_material_def water = mote_material_def_default();
  water.viscosity = 0.0;
  mote_body_def body = mote_body_def_default();
  body.name = "whirls", body.material = water.name, body.shape = mote_shape_def_box(0, 0, 0, 1, 1, 1);
  body.fill = MOTE_FILL_RELAXED;
  body.velocity.x.formula = "sin(2*pi*x)*cos(2*pi*y)", body.velocity.y.formula = "-cos(2*pi*x)*sin(2*pi*y)";
  mote_world *world = NULL;
  CHECK(mote_world_create(&def, NULL, &world, NULL) == MOTE_OK);
  CHECK(mote_world_add_material(world, &water, NULL, NULL) == MOTE_OK);
  CHECK(mote_world_add_body(world, &body, NULL, NULL) == MOTE_OK);
  double first = energy_of(world), most = 0.0, last = first;
  for (int k = 1; k <= 20; ++k) {
    CHECK(mote_world_advance(world, 0.1 * k, NULL) == MOTE_OK);
    last = energy_of(world);
    most = fmax(most, last);
  }
  CHECK(most < 1.005 * first);
  CHECK(last > 0.7 * first);
  mote_world_destroy(world);
}

int main(void) {
  whirls_keep_their_energy(MOTE_PRESSURE_DFSPH);
  whirls_keep_their_energy(MOTE_PRESSURE_PCISPH);
  return test_end();
}
