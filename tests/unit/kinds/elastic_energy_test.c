// Energy of elastic bodies in contact: the midpoint rule keeps it, also at the first touch of a wall;
// friction, bodies whose particles lie near their surface, and rigid bodies held by a wall give none.
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
  material.name = "stuff", material.elastic.law = MOTE_ELASTIC_SAINT_VENANT, material.elastic.poisson = 0.3;
  material.elastic.strain_damping = 0.0, material.elastic.integrator = MOTE_INTEGRATOR_MIDPOINT;
  material.elastic.young = young, material.friction = friction;
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
    // Of six layers the one that strikes loses its energy, more of a stiff block, which strikes again.
    if (c % 2 == 0 && young[c / 2] < 1e8) CHECK(end > (1.0 - 1.2 / 6.0) * begin);
    mote_world_destroy(world);
  }
}

// The largest energy over the least before it, as a part of the first; steps the world for `seconds`.
static double gain_of(mote_world *world, double seconds) {
  double first = energy_of(world), least = first, gain = 0.0;
  while (mote_world_time(world) < seconds) {
    if (!CHECK(mote_world_step(world, seconds, NULL) == MOTE_OK)) break;
    double now = energy_of(world);
    least = fmin(least, now), gain = fmax(gain, now - least);
  }
  mote_world_destroy(world);
  return gain / first;
}

static mote_world *closed_world(int dimensions, double spacing, double gravity,
                                const mote_material_def *material, size_t materials) {
  mote_world_def def = mote_world_def_default();
  mote_world *world = NULL;
  def.dimensions = dimensions, def.spacing = spacing, def.gravity[1] = gravity, def.solver.step_max = 0.005;
  for (int a = 0; a < dimensions; ++a) {
    def.low[a] = 0.0, def.high[a] = 1.0;
    def.side[a][0] = def.side[a][1] = MOTE_SIDE_WALL;
  }
  CHECK(mote_world_create(&def, NULL, &world, NULL) == MOTE_OK);
  for (size_t k = 0; k < materials; ++k)
    CHECK(mote_world_add_material(world, material + k, NULL, NULL) == MOTE_OK);
  return world;
}

static mote_material_def elastic(double density, double young, double friction) {
  mote_material_def m = mote_material_def_default();
  m.name = "soft", m.model = MOTE_KIND_ELASTIC, m.density = density, m.friction = friction;
  m.elastic.young = young, m.elastic.poisson = 0.45, m.elastic.order = 1;
  return m;
}

// A spinning ball thrown into a corner: where a slip turned back within a step, friction pushed (+3 %).
static void test_friction(void) {
  mote_material_def soft = elastic(144.4, 3.074e6, 0.5);
  mote_body_def ball = mote_body_def_default();
  mote_world *world = closed_world(3, 0.05, 0.0, &soft, 1);
  ball.name = "ball", ball.material = "soft",
  ball.shape = mote_shape_def_sphere(0.1667, 0.1667, 0.1667, 0.1235);
  ball.velocity = mote_value3_make(-1.482, -3.035, 1.167);
  ball.spin[0] = 2.772, ball.spin[1] = -8.856, ball.spin[2] = 3.195;
  CHECK(mote_world_add_body(world, &ball, NULL, NULL) == MOTE_OK);
  double gain = gain_of(world, 0.04);
  printf("friction: gain %.2g\n", gain);
  CHECK(gain < 0.005);
}

// A ball beside a wall that it does not touch, though half a spacing about its outermost particles would.
static void test_reach(void) {
  mote_material_def soft = elastic(800.0, 2.4e5, 0.5);
  mote_body_def ball = mote_body_def_default();
  mote_world *world = closed_world(3, 0.05, 0.0, &soft, 1);
  ball.name = "ball", ball.material = "soft", ball.shape = mote_shape_def_sphere(0.1667, 0.5, 0.8333, 0.1528);
  ball.velocity = mote_value3_make(0.1, 0.0, 0.0);
  CHECK(mote_world_add_body(world, &ball, NULL, NULL) == MOTE_OK);
  double gain = gain_of(world, 0.02);
  printf("beside a wall: gain %.2g\n", gain);
  CHECK(gain < 1e-6);
}

// A light rigid box on the floor is struck by a stiff elastic one: it cannot give way, and stores nothing.
static void test_anvil(mote_integrator integrator) {
  mote_material_def two[2] = {elastic(327.0, 7e6, 0.5), mote_material_def_default()};
  mote_body_def body = mote_body_def_default();
  two[0].elastic.integrator = integrator;
  two[1].name = "light", two[1].model = MOTE_KIND_RIGID, two[1].density = 100.0, two[1].restitution = 0.6;
  mote_world *world = closed_world(2, 0.02, -9.81, two, 2);
  body.name = "anvil", body.material = "light";
  body.shape = mote_shape_def_box(0.46, 0.0, -1.0, 0.54, 0.05, 1.0);
  CHECK(mote_world_add_body(world, &body, NULL, NULL) == MOTE_OK);
  body.name = "hammer", body.material = "soft";
  body.shape = mote_shape_def_box(0.41, 0.06, -1.0, 0.6, 0.24, 1.0);
  body.velocity = mote_value3_make(0.0, -3.0, 0.0);
  CHECK(mote_world_add_body(world, &body, NULL, NULL) == MOTE_OK);
  double gain = gain_of(world, 0.1);
  printf("anvil: gain %.2g\n", gain);
  CHECK(gain < 0.01);
}

int main(void) {
  test_midpoint();
  test_friction();
  test_reach();
  test_anvil(MOTE_INTEGRATOR_IMPLICIT);
  test_anvil(MOTE_INTEGRATOR_MIDPOINT);
  test_anvil(MOTE_INTEGRATOR_EXPLICIT);
  return test_end();
}
