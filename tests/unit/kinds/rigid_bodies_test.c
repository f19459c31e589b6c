// Rigid bodies in a world: fall, rest, hinges; snapshots restore all state; results do not depend on threads;
// invalid definitions fail with their key.
#include <math.h>

#include "test.h"
#include "world_kit.h"

static mote_material_def solid(const char *name, double density, double friction, double restitution) {
  mote_material_def def = mote_material_def_default();
  def.name = name, def.model = MOTE_KIND_RIGID;
  def.density = density, def.friction = friction, def.restitution = restitution;
  return def;
}

static mote_body_def body(const char *name, const char *material, mote_shape_def shape) {
  mote_body_def def = mote_body_def_default();
  def.name = name, def.material = material, def.shape = shape;
  return def;
}

// A floor with walls around, of 2 m, and one material.
static mote_world *walled_world(int dimensions, int threads) {
  mote_world_def def = mote_world_def_default();
  mote_env env = world_kit_env(threads);
  mote_world *world = NULL;
  def.dimensions = dimensions, def.spacing = 0.05;
  for (int a = 0; a < 3; ++a) {
    def.low[a] = -1.0, def.high[a] = 1.0;
    def.side[a][0] = def.side[a][1] = a < dimensions ? MOTE_SIDE_WALL : MOTE_SIDE_OPEN;
  }
  CHECK(mote_world_create(&def, &env, &world, NULL) == MOTE_OK);
  mote_material_def wood = solid("wood", 600.0, 0.5, 0.3), water = mote_material_def_default();
  CHECK(mote_world_add_material(world, &wood, NULL, NULL) == MOTE_OK);
  water.name = "water";
  CHECK(mote_world_add_material(world, &water, NULL, NULL) == MOTE_OK);
  return world;
}

static mote_body_state state_of(const mote_world *world, const char *name) {
  mote_body_state state = {0};
  CHECK(mote_world_body(world, mote_world_find_body(world, name), &state, NULL) == MOTE_OK);
  return state;
}

static void add_pile(mote_world *world) {
  static char name[8][16];
  for (int k = 0; k < 8; ++k) {
    double x = 0.17 * (k % 3) - 0.2, y = -0.6 + 0.2 * (k / 2), h = 0.08;
    mote_shape_def shape = k % 2 == 0 ? mote_shape_def_sphere(x, y, -0.12, h)
                                      : mote_shape_def_box(x, y, -0.02, x + 2 * h, y + 0.15, 0.18);
    snprintf(name[k], sizeof name[k], "b%d", k);
    mote_body_def def = body(name[k], "wood", shape);
    def.spin[2] = k, def.velocity.x.constant = 0.3 * k - 1.0;
    CHECK(mote_world_add_body(world, &def, NULL, NULL) == MOTE_OK);
  }
}

static void test_fall(void) {
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    mote_world *world = walled_world(dimensions, 1);
    mote_body_def box = body("box", "wood", mote_shape_def_box(-0.1, -0.5, -0.1, 0.1, -0.3, 0.1));
    CHECK(mote_world_add_body(world, &box, NULL, NULL) == MOTE_OK);
    mote_body_state state = state_of(world, "box");
    CHECK_NEAR(state.mass, 600.0 * (dimensions == 2 ? 0.04 : 0.008), 1e-9);
    CHECK(mote_world_advance(world, 0.1, NULL) == MOTE_OK);
    state = state_of(world, "box");
    CHECK_NEAR(state.velocity[1], -0.981, 1e-12);  // no contact yet
    CHECK_NEAR(state.position[1], -0.4 - 0.5 * 9.81 * 0.01, 0.5 * 9.81 * 0.1 * 5e-3);
    CHECK(mote_world_advance(world, 3.0, NULL) == MOTE_OK);
    state = state_of(world, "box");
    CHECK_NEAR(state.position[1], -0.9, 0.01 * 0.05 + 1e-9);
    CHECK_NEAR(state.velocity[1], 0.0, 1e-4);
    CHECK_NEAR(state.position[0], 0.0,
               1e-3 * 0.05);  // corners are solved sequentially, which is not symmetric
    mote_totals totals;
    CHECK(mote_world_totals(world, &totals, NULL) == MOTE_OK);
    CHECK_NEAR(totals.mass, state.mass, 1e-12);
    CHECK_NEAR(totals.potential_energy, 9.81 * state.mass * state.position[1], 1e-9);
    mote_world_destroy(world);
  }
}

// Fixed bodies stay; a hinged rod falls with the speed given by its height.
static void test_fixed(void) {
  mote_world *world = walled_world(3, 1);
  mote_body_def shelf =
      body("shelf", "wood", mote_shape_def_box(0.5, 0.0, -1.2, 1.2, 0.1, 1.2));  // built into walls
  mote_body_def rod = body("rod", "wood", mote_shape_def_box(-0.5, 0.475, -0.025, 0.0, 0.525, 0.025));
  shelf.fixed = true;
  rod.hinge.point[0] = rod.hinge.point[2] = 0.0, rod.hinge.point[1] = 0.5;
  CHECK(mote_world_add_body(world, &shelf, NULL, NULL) == MOTE_OK);
  CHECK(mote_world_add_body(world, &rod, NULL, NULL) == MOTE_OK);
  double fastest = 0.0;
  while (mote_world_time(world) < 1.0) {
    CHECK(mote_world_step(world, 1.0, NULL) == MOTE_OK);
    fastest = fmax(fastest, fabs(state_of(world, "rod").spin[2]));
  }
  double I = (0.25 + 0.0025) / 12.0 + 0.0625;  // per kg
  CHECK_NEAR(fastest, sqrt(2.0 * 9.81 * 0.25 / I), 0.02 * fastest);
  mote_body_state state = state_of(world, "rod");
  double from[3], speed = 0.25 * fabs(state.spin[2]);  // centre of mass at half of the rod
  for (int a = 0; a < 3; ++a) from[a] = state.position[a] - rod.hinge.point[a];
  CHECK_NEAR(sqrt(from[0] * from[0] + from[1] * from[1]), 0.25, 1e-12);
  CHECK_NEAR(from[0], -0.25 * state.pose.rotation[0], 1e-12);
  CHECK_NEAR(hypot(state.velocity[0], state.velocity[1]), speed, 1e-12);
  CHECK_NEAR(state.velocity[0] * from[0] + state.velocity[1] * from[1], 0.0, 1e-12);
  CHECK(state.spin[0] == 0.0 && from[2] == 0.0 && speed > 0.0);
  state = state_of(world, "shelf");
  CHECK(state.velocity[1] == 0.0 && state.orientation[0] == 1.0);
  mote_world_destroy(world);
}

static void test_same_bits(void) {
  mote_world *one = walled_world(3, 1), *many = walled_world(3, 3), *resumed = walled_world(3, 1);
  add_pile(one), add_pile(many), add_pile(resumed);
  CHECK(mote_world_hash(one) == mote_world_hash(resumed));
  for (int frame = 1; frame <= 4; ++frame) {
    CHECK(mote_world_advance(one, 0.1 * frame, NULL) == MOTE_OK);
    CHECK(mote_world_advance(many, 0.1 * frame, NULL) == MOTE_OK);
  }
  CHECK(mote_world_hash(one) == mote_world_hash(many));
  CHECK(mote_world_step(one, 0.5, NULL) == MOTE_OK);  // in the middle of a frame, in contact
  kit_bytes bytes = world_kit_save(one);
  CHECK(world_kit_load(resumed, &bytes, NULL) == MOTE_OK);
  CHECK(mote_world_hash(one) == mote_world_hash(resumed));
  CHECK(mote_world_advance(one, 1.0, NULL) == MOTE_OK && mote_world_advance(resumed, 1.0, NULL) == MOTE_OK);
  CHECK(mote_world_hash(one) == mote_world_hash(resumed) && mote_world_hash(one) != mote_world_hash(many));
  mote_world *empty = walled_world(3, 1);  // a snapshot of bodies needs those bodies
  CHECK(world_kit_load(empty, &bytes, NULL) == MOTE_ERROR_FORMAT);
  free(bytes.data);
  mote_world_destroy(one), mote_world_destroy(many), mote_world_destroy(resumed), mote_world_destroy(empty);
}

static void refuse(mote_world *world, const mote_body_def *def, const char *key, const char *text) {
  mote_error error = {0};
  uint64_t before = mote_world_hash(world);
  CHECK(mote_world_add_body(world, def, NULL, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, key);
  CHECK(strstr(error.text, text) != NULL);
  CHECK(mote_world_hash(world) == before);
}

static void test_refused(void) {
  mote_world *world = walled_world(3, 1);
  mote_body_def box = body("box", "wood", mote_shape_def_box(-0.1, -0.5, -0.1, 0.1, -0.3, 0.1)), other = box;
  CHECK(mote_world_add_body(world, &box, NULL, NULL) == MOTE_OK);
  other.name = "other", other.shape.move[0] = 0.15;
  refuse(world, &other, "shape", "\"other\" overlaps \"box\" by");
  other.shape.move[0] = 1.0;
  refuse(world, &other, "shape", "overlaps the domain's walls");
  other.shape.move[0] = 0.5, other.material = "water";
  other.fixed = true;
  refuse(world, &other, "fixed", "only rigid bodies");
  other.material = "wood", other.hinge.point[0] = 0.0;
  refuse(world, &other, "hinge", "fixed");
  other.fixed = false;
  refuse(world, &other, "hinge.point", "");
  mote_body_state state;
  CHECK(mote_world_body(world, (mote_body){0}, &state, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_world_rigid_bodies(world) == 1 && mote_world_rigid_body(world, 1).generation == 0);
  mote_world_destroy(world);
}

// --- Sides --------------------------------------------------------------------------------------------

// Periodic along x, of 2 m, with a floor.
static mote_world *ring(double gravity) {
  mote_world_def def = mote_world_def_default();
  mote_env env = world_kit_env(1);
  mote_world *world = NULL;
  def.spacing = 0.05, def.gravity[1] = -gravity;
  def.low[0] = def.low[1] = -1.0, def.high[0] = 1.0;
  def.side[0][0] = def.side[0][1] = MOTE_SIDE_PERIODIC, def.side[1][0] = MOTE_SIDE_WALL;
  CHECK(mote_world_create(&def, &env, &world, NULL) == MOTE_OK);
  mote_material_def wood = solid("wood", 600.0, 0.5, 1.0), clay = solid("clay", 1500.0, 0.5, 0.0);
  CHECK(mote_world_add_material(world, &wood, NULL, NULL) == MOTE_OK);
  CHECK(mote_world_add_material(world, &clay, NULL, NULL) == MOTE_OK);
  return world;
}

// Two balls that collide across the side rebound as anywhere else.
static void test_periodic_balls(void) {
  mote_world *world = ring(0.0);
  mote_body_def a = body("a", "wood", mote_shape_def_sphere(0.8, 0.0, 0.0, 0.08)), b = a;
  a.velocity.x.constant = 1.0;
  b.name = "b", b.shape.centre[0] = -0.8, b.velocity.x.constant = -1.0;
  CHECK(mote_world_add_body(world, &a, NULL, NULL) == MOTE_OK);
  CHECK(mote_world_add_body(world, &b, NULL, NULL) == MOTE_OK);
  CHECK(mote_world_advance(world, 0.4, NULL) == MOTE_OK);
  CHECK_NEAR(state_of(world, "a").velocity[0], -1.0, 1e-12);
  CHECK_NEAR(state_of(world, "b").velocity[0], 1.0, 1e-12);
  mote_world_destroy(world);
  world = ring(0.0);  // without a collision it goes around
  a.velocity.x.constant = 2.0;
  CHECK(mote_world_add_body(world, &a, NULL, NULL) == MOTE_OK);
  CHECK(mote_world_advance(world, 3.0, NULL) == MOTE_OK);
  CHECK_NEAR(state_of(world, "a").position[0], 0.8, 1e-9);
  CHECK_NEAR(state_of(world, "a").velocity[0], 2.0, 0.0);
  mote_world_destroy(world);
}

// Falling bodies behave the same wherever the side is.
static mote_world *stones(double shift) {
  mote_world *world = ring(9.81);
  char name[24];
  for (int k = 0; k < 6; ++k) {
    double x = 0.11 * (k % 3) - 0.13 + shift, y = -0.98 + 0.22 * k;
    mote_shape_def shape = k % 2 == 0 ? mote_shape_def_box(x, y, -0.1, x + 0.2, y + 0.2, 0.1)
                                      : mote_shape_def_sphere(x + 0.1, y + 0.1, 0.0, 0.1);
    snprintf(name, sizeof name, "b%d", k);
    mote_body_def def = body(name, "clay", shape);
    CHECK(mote_world_add_body(world, &def, NULL, NULL) == MOTE_OK);
  }
  CHECK(mote_world_advance(world, 0.25, NULL) == MOTE_OK);  // rounding grows later
  return world;
}

// A box rests on a plate that ends at the side, half on each side.
static void test_periodic_plate(void) {
  mote_world *world = ring(9.81);
  mote_collider_def plate = mote_collider_def_default();
  plate.name = "plate", plate.shape = mote_shape_def_box(-1.0, -0.8, -1.0, 1.0, -0.7, 1.0);
  CHECK(mote_world_add_collider(world, &plate, NULL, NULL) == MOTE_OK);
  mote_body_def box = body("box", "clay", mote_shape_def_box(0.9, -0.7, -0.1, 1.1, -0.5, 0.1));
  CHECK(mote_world_add_body(world, &box, NULL, NULL) == MOTE_OK);
  CHECK(mote_world_advance(world, 2.0, NULL) == MOTE_OK);
  mote_body_state state = state_of(world, "box");
  CHECK_NEAR(fabs(state.position[0]), 1.0, 1e-6);
  CHECK_NEAR(state.position[1], -0.6, 0.02 * 0.05);
  CHECK_NEAR(state.orientation[0], 1.0, 1e-9);
  mote_world_destroy(world);
}

static void test_periodic_pile(void) {
  mote_world *here = stones(0.0), *there = stones(1.0);
  char name[24];
  for (int k = 0; k < 6; ++k) {
    snprintf(name, sizeof name, "b%d", k);
    mote_body_state a = state_of(here, name), b = state_of(there, name);
    double distance = b.position[0] - a.position[0];
    CHECK_NEAR(fabs(distance), 1.0, 1e-6);  // 1 and -1 are the same position
    CHECK(b.position[0] >= -1.0 && b.position[0] <= 1.0);
    for (int i = 1; i < 3; ++i) CHECK_NEAR(b.position[i], a.position[i], 1e-6);
    for (int i = 0; i < 3; ++i) CHECK_NEAR(b.velocity[i], a.velocity[i], 1e-5);
  }
  mote_world_destroy(here), mote_world_destroy(there);
}

static void test_periodic_refused(void) {
  mote_world *world = ring(0.0);
  mote_body_def a = body("a", "wood", mote_shape_def_sphere(0.95, 0.0, 0.0, 0.1)), b = a;
  CHECK(mote_world_add_body(world, &a, NULL, NULL) == MOTE_OK);
  b.name = "b", b.shape.centre[0] = -0.95;
  refuse(world, &b, "shape", "\"b\" overlaps \"a\"");
  b.shape = mote_shape_def_sphere(0.0, 0.0, 0.0, 0.51);
  refuse(world, &b, "shape", "more than half of the period along x");
  mote_world_destroy(world);
}

// A body that crosses an open side is kept, and returns.
static void test_open_side(void) {
  mote_world_def def = mote_world_def_default();
  mote_world *world = NULL;
  def.spacing = 0.05;
  for (int a = 0; a < 3; ++a) def.low[a] = -1.0, def.high[a] = 1.0;
  CHECK(mote_world_create(&def, NULL, &world, NULL) == MOTE_OK);
  mote_material_def wood = solid("wood", 600.0, 0.5, 0.0);
  mote_body_def ball = body("ball", "wood", mote_shape_def_sphere(0.0, 0.0, 0.0, 0.1));
  ball.velocity = mote_value3_make(0.0, 9.81, 0.0);
  CHECK(mote_world_add_material(world, &wood, NULL, NULL) == MOTE_OK);
  CHECK(mote_world_add_body(world, &ball, NULL, NULL) == MOTE_OK);
  CHECK(mote_world_advance(world, 1.0, NULL) == MOTE_OK);
  CHECK(state_of(world, "ball").position[1] > 4.5);  // far above the side
  CHECK(mote_world_advance(world, 2.0, NULL) == MOTE_OK);
  CHECK_NEAR(state_of(world, "ball").position[1], 0.0, 9.81 * 2.0 * 0.005);
  CHECK_NEAR(state_of(world, "ball").velocity[1], -9.81, 1e-9);
  mote_totals totals;
  CHECK(mote_world_totals(world, &totals, NULL) == MOTE_OK && totals.left == 0);
  mote_world_destroy(world);
}

int main(void) {
  test_periodic_balls();
  test_periodic_pile();
  test_periodic_plate();
  test_periodic_refused();
  test_open_side();
  test_fall();
  test_fixed();
  test_same_bits();
  test_refused();
  return test_end();
}
