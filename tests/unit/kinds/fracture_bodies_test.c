// Bodies of a world that break: a notched plate becomes two, straight and with its mass; a spinning disc
// bursts and keeps its momenta; state, threads, going back; definitions that cannot be.
#include "kinds/elastic/fracture_bodies.h"

#include <math.h>
#include <mote/fracture.h>

#include "test.h"
#include "world_kit.h"

#define SPACING 0.02

static const mote_crack_def notch = {
    .point = {0.4, 0.5, 0.0}, .normal = {0, 1, 0}, .radius = (double)NAN, .ahead = {1, 0, 0}};

static void make_brittle(world_kit *kit, double strength, double toughness) {
  world_kit_tank(kit, 2, SPACING);
  for (int a = 0; a < 3; ++a) kit->scene.world.gravity[a] = 0.0;
  mote_material_def *m = &kit->material[0];
  m->name = "glue", m->model = MOTE_KIND_ELASTIC, m->density = 1000.0;
  m->elastic.young = 2e4, m->elastic.poisson = 0.3, m->elastic.order = 1,
  m->elastic.law = MOTE_ELASTIC_COROTATED;
  m->elastic.strain_damping = 1e-3, m->elastic.integrator = MOTE_INTEGRATOR_EXPLICIT;
  m->elastic.strength = strength, m->elastic.toughness = toughness;
}

static mote_hold_def hold_of(double y, const char *move) {
  mote_hold_def hold = mote_hold_def_default();
  hold.shape = mote_shape_def_box(0.0, y - 0.021, 0.0, 1.0, y + 0.021, 1.0);
  hold.motion.move.y.formula = move;
  return hold;
}

static void make_plate(world_kit *kit, mote_hold_def hold[2]) {
  make_brittle(kit, 1e5, 300.0);
  mote_body_def *body = world_kit_body(kit, "plate", mote_shape_def_box(0.34, 0.26, 0, 0.66, 0.74, 0));
  body->material = "glue";
  hold[0] = hold_of(0.72, "0.2*t"), hold[1] = hold_of(0.28, "-0.2*t");
  body->hold = hold, body->holds = 2;
  body->crack = &notch, body->cracks = 1;
}

static void run(mote_world *world, double until) {
  mote_error error = {0};
  if (CHECK(mote_world_advance(world, until, &error) == MOTE_OK)) return;
  fprintf(stderr, "%s\n", error.text);
}

static double mass_of(const mote_world *world) {
  mote_totals totals;  // sums without rounding
  CHECK(mote_world_totals(world, &totals, NULL) == MOTE_OK);
  return totals.mass;
}

static void check_parts(mote_world *world, size_t particles, double mass) {
  CHECK(mote_world_bodies(world) == 2 && mass_of(world) == mass);
  mote_body_info parent, child;
  mote_body first = mote_world_body_at(world, 0), second = mote_world_body_at(world, 1);
  CHECK(mote_world_body_about(world, first, &parent, NULL) == MOTE_OK && parent.broken);
  CHECK(mote_world_body_about(world, second, &child, NULL) == MOTE_OK);
  CHECK(child.parent.index == first.index && child.first_step > 0);
  CHECK(parent.particles + child.particles == particles && parent.particles == child.particles);
  CHECK_TEXT(parent.name, "plate");
  const mote_fracture *f = mote_elastic_at(world, 0)->fracture;
  for (size_t t = 0; t < f->cracks.triangles; ++t) {
    CHECK_NEAR(f->cracks.corner[9 * t + 1], 0.5, 0.5 * SPACING);
    CHECK_NEAR(f->cracks.corner[9 * t + 4], 0.5, 0.5 * SPACING);
  }
  CHECK(f->cracks.node[0].live == 0 && f->cracks.node[0].position[0] > 0.66);
}

static void test_plate(void) {
  world_kit kit;
  mote_hold_def hold[2];
  make_plate(&kit, hold);
  mote_env one = world_kit_env(1), three = world_kit_env(3);
  mote_world *straight = world_kit_create(&kit, &one), *other = world_kit_create(&kit, &three);
  double mass = mass_of(straight);
  size_t particles = mote_world_elastic_particles(straight);
  CHECK(mote_world_bodies(straight) == 1);
  run(straight, 0.04);
  kit_bytes early = world_kit_save(straight);
  size_t first = mote_elastic_at(straight, 0)->fracture->cracks.triangles;
  double at = mote_world_time(straight);
  while (at < 0.6 && mote_world_bodies(straight) == 1) {
    const mote_fracture *f = mote_elastic_at(straight, 0)->fracture;
    if (f->cracks.triangles > 4 && f->cracks.triangles < 8) break;  // the crack runs
    run(straight, at += 0.01);
  }
  CHECK(mote_elastic_at(straight, 0)->fracture->cracks.front[0].moving == 1);
  kit_bytes middle = world_kit_save(straight);
  run(straight, 0.6);
  check_parts(straight, particles, mass);
  CHECK(world_kit_load(other, &middle, NULL) == MOTE_OK);
  run(other, 0.6);
  CHECK(mote_world_hash(other) == mote_world_hash(straight));
  uint64_t last = mote_world_hash(straight);
  CHECK(world_kit_load(straight, &early, NULL) == MOTE_OK);  // back to before the crack ran
  CHECK(mote_world_bodies(straight) == 1);
  CHECK(mote_elastic_at(straight, 0)->fracture->cracks.triangles == first && first < 4);
  if (!TEST_SHORT) {
    for (double t = 0.04; t < at;) run(straight, t += 0.01);
    run(straight, 0.6);
    CHECK(mote_world_hash(straight) == last);
  }
  free(early.data), free(middle.data);
  mote_world_destroy(straight), mote_world_destroy(other);
}

// In 3D: a front from side to side runs through a bar, leaves it, and the bar is two.
static void test_bar(void) {
  world_kit kit;
  make_brittle(&kit, 1e5, 300.0);
  kit.scene.world.dimensions = 3;
  mote_hold_def hold[2] = {hold_of(0.64, "0.3*t"), hold_of(0.36, "-0.3*t")};
  mote_crack_def crack = notch;
  mote_body_def *body = world_kit_body(&kit, "bar", mote_shape_def_box(0.4, 0.34, 0.4, 0.6, 0.66, 0.54));
  crack.point[0] = 0.45;
  body->material = "glue", body->hold = hold, body->holds = 2, body->crack = &crack, body->cracks = 1;
  mote_env env = world_kit_env(1);
  mote_world *world = world_kit_create(&kit, &env);
  double mass = mass_of(world), half = 0.5 * mass;
  mote_body bar = mote_world_find_body(world, "bar");
  mote_crack_summary whole, parted;
  mote_break event[2];
  CHECK(mote_world_find_cracks(world, bar, &whole, NULL) == MOTE_OK && whole.cracks == 1);
  CHECK(whole.fragments == 1 && whole.one == 0.0 && !whole.moving);
  while (mote_world_time(world) < 0.4 && mote_world_bodies(world) == 1) {
    CHECK(mote_world_breaks(world, 2, event) == 0);
    if (!CHECK(mote_world_step(world, 0.4, NULL) == MOTE_OK)) break;
  }
  CHECK(mote_world_bodies(world) == 2 && mass_of(world) == mass);
  CHECK(mote_world_breaks(world, 2, event) == 1 && event[0].parent.index == bar.index);
  CHECK(event[0].fragment.index == mote_world_body_at(world, 1).index);
  CHECK(event[0].step + 1 == mote_world_steps(world));
  CHECK(mote_world_find_cracks(world, event[0].fragment, &parted, NULL) == MOTE_OK && parted.fragments == 2);
  CHECK(parted.size > whole.size + 0.15 * 0.14 && parted.one == 0.0);
  mote_body_info child;
  CHECK(mote_world_body_about(world, mote_world_body_at(world, 1), &child, NULL) == MOTE_OK);
  CHECK_NEAR(child.mass, half, 0.01 * mass);
  const mote_crack_sheets *c = &mote_elastic_at(world, 0)->fracture->cracks;
  CHECK(c->nodes == 0 && c->sheets == 1);  // all have left
  for (size_t k = 0; k < 3 * c->triangles; ++k) CHECK_NEAR(c->corner[3 * k + 1], 0.5, 0.5 * SPACING);
  mote_world_destroy(world);
}

// A disc that spins faster than it can bear.
static void test_burst(void) {
  world_kit kit;
  make_brittle(&kit, 600.0, 50.0);
  kit.material[0].elastic.weak_spots = 0.2, kit.material[0].friction = 0.0;
  mote_body_def *body = world_kit_body(&kit, "disc", mote_shape_def_sphere(0.5, 0.5, 0, 0.2));
  body->material = "glue";
  body->spin[2] = 8.0;
  for (int a = 0; a < 2; ++a) {
    kit.scene.world.low[a] = -9.0, kit.scene.world.high[a] = 9.0;
    kit.scene.world.side[a][0] = kit.scene.world.side[a][1] = MOTE_SIDE_OPEN;
  }
  mote_env env = world_kit_env(1);
  mote_world *world = world_kit_create(&kit, &env);
  mote_totals before, after;
  CHECK(mote_world_totals(world, &before, NULL) == MOTE_OK);
  double mass = mass_of(world);
  run(world, 0.4);
  CHECK(mote_world_totals(world, &after, NULL) == MOTE_OK);
  CHECK(mote_world_bodies(world) >= 2 && mass_of(world) == mass);
  double size = mass * 8.0 * 0.2;  // kg m/s, of all particles together at most
  for (int a = 0; a < 2; ++a) CHECK_NEAR(after.momentum[a], before.momentum[a], 1e-9 * size);
  // Planes of contact stand still within a step.
  CHECK_NEAR(after.angular_momentum[2], before.angular_momentum[2], 2e-4 * before.angular_momentum[2]);
  printf("burst: %zu bodies, %zu triangles\n", mote_world_bodies(world),
         mote_elastic_at(world, 0)->fracture->cracks.triangles);
  mote_world_destroy(world);
}

// --- Definitions -------------------------------------------------------------------------------------

static void expect_refusal(const world_kit *kit, const char *key) {
  mote_world *world = NULL;
  mote_error error = {0};
  CHECK(mote_world_create_scene(&kit->scene, NULL, &world, &error) == MOTE_ERROR_ARGUMENT);
  if (!CHECK(strstr(error.key, key) != NULL)) fprintf(stderr, "%s: %s\n", error.key, error.text);
}

static void test_definitions(void) {
  world_kit kit;
  mote_hold_def hold[2];
  make_plate(&kit, hold);
  kit.material[0].elastic.strength = HUGE_VAL;
  expect_refusal(&kit, "cracks");
  make_plate(&kit, hold);
  kit.material[0].elastic.split_most = 0.5;
  expect_refusal(&kit, "split_most");
  make_plate(&kit, hold);
  kit.material[0].elastic.split_min = 0.0;
  expect_refusal(&kit, "split_min");
  make_plate(&kit, hold);
  mote_crack_def bad = notch;
  kit.body[0].crack = &bad;
  bad.radius = 0.1;
  expect_refusal(&kit, "cracks[0].radius");
  bad = notch, bad.normal[1] = 0.0;
  expect_refusal(&kit, "cracks[0].normal");
  bad = notch, bad.ahead[0] = 0.0, bad.ahead[1] = 1.0;
  expect_refusal(&kit, "cracks[0]");
  mote_corner_def corner[2] = {{{0.4, 0.5, 0}}, {{0.5, 0.5, 0}}};
  bad = mote_crack_def_default(), bad.corner = corner, bad.corners = 1;
  expect_refusal(&kit, "cracks[0].corners");
  bad.corners = 2;
  mote_env env = world_kit_env(1);
  mote_world *world = world_kit_create(&kit, &env);
  CHECK(mote_elastic_at(world, 0)->fracture->cracks.fronts == 2);
  mote_world_destroy(world);
}

int main(void) {
  test_definitions();
  test_plate();
  test_bar();
  test_burst();
  return test_end();
}
