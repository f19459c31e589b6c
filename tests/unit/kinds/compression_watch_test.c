// The watchdog of compression: each reason is found in a world that has it, is reported once, and healthy
// worlds have none.
#include <mote/world.h>

#include "matter/world_data.h"
#include "test.h"
#include "world_kit.h"

static int notes;

static void count_notes(void *user, mote_log_level level, const char *text) {
  (void)user;
  notes += level == MOTE_LOG_WARNING && strstr(text, "compressed by") != NULL;
}

static void pool(world_kit *kit, mote_pressure_kind pressure) {
  world_kit_tank(kit, 2, 0.05);
  kit->scene.world.solver.pressure = pressure;
  world_kit_body(kit, "pool", mote_shape_def_box(0.0, 0.0, 0.0, 1.0, 0.6, 0.0));
}

static mote_world *create(const world_kit *kit) {
  mote_env env = world_kit_env(1);
  env.log = count_notes;
  notes = 0;
  return world_kit_create(kit, &env);
}

// Steps by frames until the report is there, or `frames` are over.
static mote_compression_report run(mote_world *world, int frames) {
  for (int k = 1; k <= frames; ++k) {
    if (mote_world_advance(world, 0.05 * k, NULL) != MOTE_OK) break;
  }
  mote_compression_report report = mote_world_compression_report(world);
  CHECK(notes == (report.reason != MOTE_COMPRESSION_NONE));
  CHECK((strlen(mote_compression_reason_text(report.reason)) > 0) == (notes == 1));
  CHECK(notes == 0 || (report.mean > 0.05 && report.time > 0.0));
  mote_world_destroy(world);
  return report;
}

static void healthy_worlds_are_silent(void) {
  world_kit kit;
  for (int pressure = 0; pressure < 3; ++pressure) {
    pool(&kit, (mote_pressure_kind)pressure);
    CHECK(run(create(&kit), 4).reason == MOTE_COMPRESSION_NONE);
  }
}

// The lowest row of an ice cube melts at once on a hot floor: nearer to it than half a spacing.
static void molten_at_a_wall(void) {
  world_kit kit;
  world_kit_tank(&kit, 2, 0.05);
  kit.scene.world.heat = true;
  CHECK(mote_material_def_preset("ice", &kit.material[0]));
  kit.material[0].name = "ice", kit.material[0].heat.conductivity = 5000.0;
  kit.material[0].heat.latent_heat = 3e4;
  kit.scene.world.wall_temperature.constant = 400.0;
  mote_body_def *body = world_kit_body(&kit, "cube", mote_shape_def_box(0.2, 0.0, 0.0, 0.7, 0.5, 0.0));
  body->material = "ice", body->temperature.constant = 272.0;
  CHECK(run(create(&kit), 4).reason == MOTE_COMPRESSION_OVERLAP);
}

// Wax expands as it melts in a closed box that it fills, and presses while half of it is solid still.
static void molten_in_a_closed_box(void) {
  world_kit kit;
  world_kit_tank(&kit, 2, 0.05);
  kit.scene.world.heat = true;
  for (int a = 0; a < 2; ++a) kit.scene.world.side[a][0] = kit.scene.world.side[a][1] = MOTE_SIDE_WALL;
  CHECK(mote_material_def_preset("wax", &kit.material[0]));
  kit.material[0].model = MOTE_KIND_LATTICE, kit.material[0].elastic.young = 1e6;
  kit.material[0].lattice.solid_density = 900.0;
  kit.material[0].name = "wax", kit.material[0].heat.conductivity = 2000.0;
  kit.material[0].heat.latent_heat = 3e4;
  kit.scene.world.wall_temperature.constant = 450.0;
  mote_body_def *body = world_kit_body(&kit, "block", mote_shape_def_box(0.0, 0.0, 0.0, 1.0, 1.0, 0.0));
  body->material = "wax", body->temperature.constant = 320.0;
  CHECK(run(create(&kit), 10).reason == MOTE_COMPRESSION_MELTING);
}

static void overfilled(void) {
  world_kit kit;
  pool(&kit, MOTE_PRESSURE_DFSPH);
  kit.body[0].shape = mote_shape_def_box(0.2, 0.0, 0.0, 1.0, 1.0, 0.0);
  kit.collider[0] = mote_collider_def_default();
  kit.collider[0].name = "piston", kit.collider[0].shape = mote_shape_def_box(0.0, 0.0, -1.0, 0.2, 1.0, 1.0);
  kit.collider[0].motion.move.x.formula = "0.2*t";
  kit.scene.colliders = 1;
  CHECK(run(create(&kit), 8).reason == MOTE_COMPRESSION_OVERFILLED);
}

// In a vessel of its own: the domain is open.
static void overfilled_vessel(void) {
  world_kit kit;
  pool(&kit, MOTE_PRESSURE_DFSPH);
  for (int a = 0; a < 2; ++a) kit.scene.world.side[a][0] = kit.scene.world.side[a][1] = MOTE_SIDE_OPEN;
  kit.collider[0] = mote_collider_def_default();
  kit.collider[0].name = "vessel", kit.collider[0].shape = mote_shape_def_box(0.0, 0.0, -1.0, 1.0, 0.6, 1.0);
  kit.collider[0].shape.inverted = true;
  kit.collider[1] = mote_collider_def_default();
  kit.collider[1].name = "piston", kit.collider[1].shape = mote_shape_def_box(-0.5, 0.0, -1.0, 0.0, 0.6, 1.0);
  kit.collider[1].motion.move.x.formula = "0.2*t";
  kit.scene.colliders = 2;
  CHECK(run(create(&kit), 10).reason == MOTE_COMPRESSION_OVERFILLED);
}

// Pressed together before the first step, in a world with room; WCSPH, which is slow to spread.
static void crowded_from_the_start(void) {
  world_kit kit;
  pool(&kit, MOTE_PRESSURE_WCSPH);
  kit.scene.world.solver.stiffness = 1e5, kit.scene.world.solver.exponent = 1.0;
  mote_world *world = create(&kit);
  const mote_store *store = mote_world_store(world);
  double *x = mote_store_f64(store, MOTE_PARTICLE_POSITION);
  for (size_t i = 0; i < mote_world_particles(world); ++i) x[3 * i + 1] *= 0.92;
  CHECK(mote_world_advance(world, 0.001, NULL) == MOTE_OK);
  CHECK(mote_world_compression_report(world).reason == MOTE_COMPRESSION_OVERLAP && notes == 1);
  CHECK(mote_world_advance(world, 0.002, NULL) == MOTE_OK && notes == 1);
  mote_world_destroy(world);
}

static void too_soft(void) {
  world_kit kit;
  pool(&kit, MOTE_PRESSURE_WCSPH);
  kit.scene.world.solver.stiffness = 2e4, kit.scene.world.solver.exponent = 1.0;
  CHECK(run(create(&kit), 10).reason == MOTE_COMPRESSION_SOUND);
}

static void unfinished_solves(void) {
  world_kit kit;
  pool(&kit, MOTE_PRESSURE_PCISPH);
  kit.scene.world.solver.iterations_min = kit.scene.world.solver.iterations_max = 1;
  kit.scene.world.solver.step_max = 0.02, kit.scene.world.solver.cfl = 1.0;
  kit.scene.world.spacing = 0.025;
  CHECK(run(create(&kit), 10).reason == MOTE_COMPRESSION_ITERATIONS);
}

int main(void) {
  molten_at_a_wall();
  healthy_worlds_are_silent();
  molten_in_a_closed_box();
  overfilled();
  overfilled_vessel();
  crowded_from_the_start();
  too_soft();
  unfinished_solves();
  return test_end();
}
