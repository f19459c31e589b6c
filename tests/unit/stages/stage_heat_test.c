// Heat in a world: kept in closed tanks, from walls, colliders, rigid bodies, air, sources and emitters, in
// fluids and elastic bodies; the same bits for threads and after a load; nothing of it without heat: true.
#include <mote/numeric.h>

#include "test.h"
#include "world_kit.h"

static void hot_tank(world_kit *kit, int dimensions, double spacing) {
  world_kit_tank(kit, dimensions, spacing);
  kit->scene.world.heat = true;
  kit->scene.world.gravity[1] = 0.0;
  kit->material[0].heat.conductivity = 2000.0;  // so that something happens in a few steps
}

static double mean_temperature(const mote_world *world) {
  mote_field_view T = mote_world_view(world, "temperature");
  double sum = 0.0;
  for (size_t i = 0; i < T.count; ++i) sum += (double)((const float *)T.data)[i] / (double)T.count;
  return sum;
}

static mote_totals totals(const mote_world *world) {
  mote_totals t;
  CHECK(mote_world_totals(world, &t, NULL) == MOTE_OK);
  return t;
}

static void closed_tanks_keep_heat(void) {
  world_kit kit;
  world_hashes hash[2], middle;
  kit_bytes bytes = {0};
  for (int threads = 1; threads <= 2; ++threads) {
    mote_env env = world_kit_env(threads);
    hot_tank(&kit, 2, 0.05);
    kit.scene.world.gravity[1] = -9.81;
    world_kit_body(&kit, "dam", mote_shape_def_box(0, 0, 0, 0.5, 0.8, 0))->temperature.formula =
        "300 + 100*x";
    mote_world *world = world_kit_create(&kit, &env);
    double before = totals(world).enthalpy, mean = mean_temperature(world);
    CHECK_NEAR(mean, 325.0, 1e-3);
    CHECK(mote_world_advance(world, 0.1, NULL) == MOTE_OK);
    if (threads == 1) bytes = world_kit_save(world);
    CHECK(mote_world_advance(world, 0.2, NULL) == MOTE_OK);
    CHECK_NEAR(totals(world).enthalpy, before, 1e-12 * before);
    CHECK_NEAR(mean_temperature(world), mean, 1e-3);
    hash[threads - 1] = world_kit_hashes(world);
    mote_world_destroy(world);
  }
  CHECK(world_hashes_same(hash[0], hash[1]));
  mote_world *again = world_kit_create(&kit, NULL);
  CHECK(world_kit_load(again, &bytes, NULL) == MOTE_OK && mote_world_advance(again, 0.2, NULL) == MOTE_OK);
  middle = world_kit_hashes(again);
  CHECK(world_hashes_same(middle, hash[0]));
  mote_world_destroy(again);
  free(bytes.data);
}

static void without_heat_there_is_none(void) {
  world_kit kit;
  world_kit_dam(&kit, 2, 0.1);
  mote_world *world = world_kit_create(&kit, NULL);
  CHECK(mote_world_view(world, "temperature").data == NULL && totals(world).enthalpy == 0.0);
  mote_world_destroy(world);
}

// A full tank between a wall of 400 K and one of 300 K comes to a straight line between them.
static void walls(bool collider) {
  world_kit kit;
  hot_tank(&kit, 2, 0.05);
  kit.material[0].heat.conductivity = 2e5;
  world_kit_body(&kit, "water", mote_shape_def_box(0, 0, 0, 1, 1, 0))->temperature.constant = 350.0;
  kit.scene.world.wall_temperature.formula = "300 + 100*x";
  if (collider) {
    kit.collider[0] = mote_collider_def_default();
    kit.collider[0].name = "plate";
    kit.collider[0].shape = mote_shape_def_box(-1, 0, 0, 0.2, 1, 0);
    kit.collider[0].temperature.constant = 320.0;
    kit.scene.colliders = 1;
  }
  mote_world *world = world_kit_create(&kit, NULL);
  CHECK(mote_world_advance(world, 10.0, NULL) == MOTE_OK);
  const double *x = mote_world_view(world, "position").data;
  const float *T = mote_world_view(world, "temperature").data;
  double worst = 0.0;
  for (size_t i = 0; i < mote_world_particles(world); ++i)
    worst = fmax(worst, fabs((double)T[i] - (300.0 + 100.0 * x[3 * i])));
  if (!CHECK(worst < 1.0)) fprintf(stderr, "  %g K\n", worst);
  mote_world_destroy(world);
}

// A pool of 400 K under air of 300 K loses h A (T - T_air).
static void air(int dimensions) {
  world_kit kit;
  double d = 0.05;
  hot_tank(&kit, dimensions, d);
  kit.scene.world.gravity[1] = -9.81;
  kit.material[0].heat.conductivity = 0.0;
  kit.scene.world.air = (mote_air_def){300.0, 1000.0};
  world_kit_body(&kit, "pool", mote_shape_def_box(0, 0, 0, 1, 0.4, 1))->temperature.constant = 400.0;
  kit.body[0].pressure.formula = "9790*(0.4 - y)";
  mote_world *world = world_kit_create(&kit, NULL);
  for (int frame = 0; frame < 2; ++frame) {  // on the packing, and after it has settled
    double before = totals(world).enthalpy, t = mote_world_time(world);
    CHECK(mote_world_advance(world, t + 0.02, NULL) == MOTE_OK);
    double lost = before - totals(world).enthalpy, area = lost / (1000.0 * 100.0 * 0.02);
    if (!CHECK(fabs(area - 1.0) < 0.05))
      fprintf(stderr, "  %dD, frame %d: area %g\n", dimensions, frame, area);
    if (frame == 0) CHECK(mote_world_advance(world, 0.3, NULL) == MOTE_OK);
  }
  mote_world_destroy(world);
}

static void sources_and_emitters(void) {
  world_kit kit;
  hot_tank(&kit, 2, 0.05);
  world_kit_body(&kit, "water", mote_shape_def_box(0, 0, 0, 1, 0.5, 0));
  kit.force[0] = mote_force_def_default();
  kit.force[0].name = "lamp", kit.force[0].heating.formula = "1e6*(1 + sin(0*t))", kit.force[0].end = 0.05;
  kit.force[0].shape = mote_shape_def_box(0, 0, 0, 0.5, 1, 0);
  kit.emitter[0] = mote_emitter_def_default();
  kit.emitter[0].name = "tap", kit.emitter[0].centre[0] = 0.8, kit.emitter[0].centre[1] = 0.9;
  kit.emitter[0].radius = 0.1, kit.emitter[0].start = 0.2, kit.emitter[0].temperature = 350.0;
  kit.scene.forces = kit.scene.emitters = 1;
  mote_world *world = world_kit_create(&kit, NULL);
  double before = totals(world).enthalpy;
  CHECK_NEAR(mean_temperature(world), 293.15, 1e-3);
  CHECK(mote_world_advance(world, 0.05, NULL) == MOTE_OK && mote_world_advance(world, 0.1, NULL) == MOTE_OK);
  CHECK_NEAR(totals(world).enthalpy - before, 1e6 * 0.05 * 0.25, 0.05 * 12500.0);
  before = totals(world).enthalpy;
  CHECK(mote_world_advance(world, 0.4, NULL) == MOTE_OK);
  mote_totals t = totals(world);
  CHECK(t.emitted > 0);
  double mass = (double)t.emitted * 998.2 * 0.0025, water = mass * (4182.0 * 350.0 + 3.336e5);
  CHECK_NEAR(t.enthalpy - before, water, 1e-6 * water);
  mote_world_destroy(world);
}

// Heat goes from a warm rigid body into an elastic one that lies on the floor, and on into water.
static void bodies_conduct(void) {
  world_kit kit;
  hot_tank(&kit, 2, 0.05);
  kit.scene.world.high[0] = 3.0;
  (void)mote_material_def_preset("jelly", &kit.material[1]);
  kit.material[1].heat.conductivity = 5000.0, kit.material[1].elastic.young = 1e5;
  kit.scene.materials = 2;
  mote_body_def *block = world_kit_body(&kit, "block", mote_shape_def_box(0, 0, 0, 0.5, 0.5, 0));
  block->material = "jelly", block->temperature.constant = 400.0;
  world_kit_body(&kit, "water", mote_shape_def_box(0.5, 0, 0, 1, 0.5, 0));
  mote_world *world = world_kit_create(&kit, NULL);
  mote_field_view T = mote_world_elastic_view(world, "temperature");
  CHECK(T.count == mote_world_elastic_particles(world) && T.count == 100 &&
        ((const float *)T.data)[0] == 400.0f);
  double before = totals(world).enthalpy;
  CHECK(mote_world_advance(world, 0.2, NULL) == MOTE_OK);
  double warmed = mean_temperature(world) - 293.15;
  // k T / d over the contact, 2 k_1 k_2 / (k_1 + k_2) = 2857 W/(m K): 0.58 K, less as both faces level out.
  if (!CHECK(warmed > 0.4 && warmed < 0.6)) fprintf(stderr, "  %g K\n", warmed);
  CHECK_NEAR(totals(world).enthalpy, before, 1e-12 * before);
  mote_world_destroy(world);
}

// What is cold flows less far.
static void cold_is_stiff(void) {
  double height[2];
  for (int cold = 0; cold < 2; ++cold) {
    world_kit kit;
    world_kit_tank(&kit, 2, 0.05);
    kit.scene.world.heat = true;
    (void)mote_material_def_preset("lava", &kit.material[0]);
    mote_body_def *body = world_kit_body(&kit, "lava", mote_shape_def_box(0, 0, 0, 0.4, 0.8, 0));
    body->material = "lava", body->temperature.constant = cold ? 1300.0 : 1473.0;
    kit.scene.world.wall_friction = 1.0;
    mote_world *world = world_kit_create(&kit, NULL);
    CHECK(mote_world_advance(world, 0.5, NULL) == MOTE_OK);
    height[cold] = totals(world).centre[1];
    mote_world_destroy(world);
  }
  CHECK(height[1] > 0.35 && height[0] < 0.9 * height[1]);
}

static void refused(const world_kit *kit, const char *key) {
  mote_world *world = NULL;
  mote_error error = {0};
  CHECK(mote_world_create_scene(&kit->scene, NULL, &world, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, key);
}

static void nonsense_is_refused(void) {
  world_kit kit;
  world_kit_dam(&kit, 2, 0.1);
  kit.body[0].temperature.constant = 300.0;
  refused(&kit, "bodies.dam.temperature");
  world_kit_dam(&kit, 2, 0.1);
  kit.scene.world.wall_temperature.constant = 300.0;
  refused(&kit, "domain.temperature");
  hot_tank(&kit, 2, 0.1);
  kit.material[0].heat.heat_capacity = 0.0;
  refused(&kit, "materials.water.heat_capacity");
  hot_tank(&kit, 2, 0.1);
  kit.material[0].heat.melting_point = 270.0, kit.material[0].heat.freezing_point = 280.0;
  refused(&kit, "materials.water.melting_point");
  hot_tank(&kit, 2, 0.1);
  kit.material[0].heat.conductivity = -1.0;
  refused(&kit, "materials.water.conductivity");
}

int main(void) {
  closed_tanks_keep_heat();
  without_heat_there_is_none();
  walls(false);
  TEST_LONG(walls(true));
  air(2);
  TEST_LONG(air(3));
  sources_and_emitters();
  bodies_conduct();
  cold_is_stiff();
  nonsense_is_refused();
  return test_end();
}
