// Energy of elastic bodies in contact: the midpoint rule keeps it, also at the first touch of a wall.
#include <math.h>

#include "test.h"
#include "world_kit.h"

static double energy_of(const mote_world *world) {
  mote_totals t;
  CHECK(mote_world_totals(world, &t, NULL) == MOTE_OK);
  return t.kinetic_energy + t.potential_energy + t.elastic_energy;
}

static mote_world *thrown(double young, double friction) {
  mote_world_def def = mote_world_def_default();
  mote_material_def material;
  mote_body_def body = mote_body_def_default();
  mote_world *world = NULL;
  CHECK(mote_material_def_preset("rubber", &material));
  material.name = "stuff", material.solid.law = MOTE_ELASTIC_SAINT_VENANT, material.solid.poisson = 0.3;
  material.solid.strain_damping = 0.0, material.solid.integrator = MOTE_INTEGRATOR_MIDPOINT;
  material.solid.young = young, material.friction = friction;
  def.dimensions = 2, def.spacing = 0.05, def.low[1] = 0.0, def.side[1][0] = MOTE_SIDE_WALL;
  def.solver.step_max = 0.005;
  body.name = "box", body.material = "stuff";
  body.shape = mote_shape_def_box(-0.15, 0.01, -1.0, 0.15, 0.31, 1.0);
  body.velocity = mote_value3_make(0.5, -1.0, 0.0);
  CHECK(mote_world_create(&def, NULL, &world, NULL) == MOTE_OK);
  CHECK(mote_world_add_material(world, &material, NULL, NULL) == MOTE_OK);
  CHECK(mote_world_add_body(world, &body, NULL, NULL) == MOTE_OK);
  return world;
}

// A box thrown on the floor, which rang with twice its energy after the first touch.
static void test_midpoint(void) {
  for (int c = 0; c < 6; ++c) {
    const double young[3] = {1e6, 1e7, 1e9};
    mote_world *world = thrown(young[c / 2], c % 2 == 0 ? 0.0 : 0.5);
    double begin = energy_of(world), most = begin, end = 0.0;
    while (mote_world_time(world) < 0.2) {
      CHECK(mote_world_step(world, 0.2, NULL) == MOTE_OK);
      end = energy_of(world), most = fmax(most, end);
    }
    printf("E %.0e, friction %g: energy at most %.6f of the first, in the end %.6f\n", young[c / 2],
           c % 2 == 0 ? 0.0 : 0.5, most / begin, end / begin);
    CHECK(most <= 1.001 * begin);
    if (c % 2 == 0) CHECK_NEAR(end, begin, 1e-3 * begin);
    mote_world_destroy(world);
  }
}

int main(void) {
  test_midpoint();
  return test_end();
}
