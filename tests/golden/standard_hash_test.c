// State hashes of small worlds of the standard quality after some steps: the same for 1 and 3 threads, for
// every compiler, build type and machine; a run that was saved and resumed on the way ends in the same bytes.
// A failing world prints the line that would stand in the table; change one only with the reason in the
// commit.
#include <inttypes.h>

#include "test.h"
#include "world_kit.h"

#define STEPS 20

// Consistent rates and the damping of noise, between walls and at a free surface.
static void dam(world_kit *kit) {
  world_kit_dam(kit, 3, 0.06);
}

// Paddle, jet of syrup, drain, wind.
static void everything(world_kit *kit) {
  world_kit_everything(kit, 2, 0.025);
}

// No wall, so that all rates but those of the surface are consistent; viscosity in the central form.
static void drop(world_kit *kit) {
  world_kit_tank(kit, 2, 0.02);
  for (int a = 0; a < 3; ++a) kit->scene.world.side[a][0] = kit->scene.world.side[a][1] = MOTE_SIDE_OPEN;
  kit->material[0].viscosity = 0.5;
  mote_body_def *body = world_kit_body(kit, "drop", mote_shape_def_sphere(0.5, 0.5, 0.0, 0.3));
  body->velocity.x.formula = "2*x", body->velocity.y.formula = "-2*y+0.3*sin(40*x)";
}

static const struct golden {
  const char *name;
  void (*make)(world_kit *kit);
  mote_pressure_kind pressure;
  const char *solver;
  world_hashes hash;
} golden[] = {
    {"dam", dam, MOTE_PRESSURE_DFSPH, "DFSPH", {0x47390cd9aa614f21, 0x77101a38d27f627b}},
    {"dam", dam, MOTE_PRESSURE_PCISPH, "PCISPH", {0xd5c5d71ded56f22c, 0xf6bfd14f6c0ac84e}},
    {"dam", dam, MOTE_PRESSURE_WCSPH, "WCSPH", {0xe6f0094cedc26490, 0xc8d83c51cd192bd4}},
    {"everything", everything, MOTE_PRESSURE_DFSPH, "DFSPH", {0xfe99c2b6e3455705, 0xcbdcd21053c28217}},
    {"everything", everything, MOTE_PRESSURE_PCISPH, "PCISPH", {0xcff656052b36e02f, 0x5c31e302d8ad06ad}},
    {"everything", everything, MOTE_PRESSURE_WCSPH, "WCSPH", {0x354484d92af6a1e2, 0x02b7b6d3a59bdeee}},
    {"drop", drop, MOTE_PRESSURE_DFSPH, "DFSPH", {0x76e3a96ce23141ba, 0x42774a4c0adfea96}},
    {"drop", drop, MOTE_PRESSURE_PCISPH, "PCISPH", {0x71b20c0048f744ab, 0x165c3609da8562e7}},
    {"drop", drop, MOTE_PRESSURE_WCSPH, "WCSPH", {0x9d9eaa6a766df6ee, 0xed1b74207eb4262e}},
};

// Resumed after step `stop`; 0: never. The snapshot of the end is the caller's.
static world_hashes run(const struct golden *g, int threads, int stop, kit_bytes *end) {
  world_kit kit;
  g->make(&kit);
  world_kit_standard(&kit);
  kit.scene.world.solver.pressure = g->pressure;
  mote_env env = world_kit_env(threads);
  mote_world *world = world_kit_create(&kit, &env);
  for (int n = 1; n <= STEPS; ++n) {
    CHECK(mote_world_step(world, 1.0, NULL) == MOTE_OK);
    if (n != stop) continue;
    kit_bytes bytes = world_kit_save(world);
    mote_world_destroy(world);
    world = world_kit_create(&kit, &env);
    CHECK(world_kit_load(world, &bytes, NULL) == MOTE_OK);
    free(bytes.data);
  }
  CHECK(mote_world_particles(world) > 300 && mote_world_particles(world) < 1500);
  world_hashes hash = world_kit_hashes(world);
  *end = world_kit_save(world);
  mote_world_destroy(world);
  return hash;
}

int main(void) {
  for (size_t w = 0; w < sizeof golden / sizeof *golden; ++w) {
    const struct golden *g = &golden[w];
    kit_bytes end[3];
    world_hashes hash[3] = {run(g, 1, 0, &end[0]), run(g, 3, 0, &end[1]), run(g, 3, 7, &end[2])};
    for (int k = 1; k < 3; ++k) {
      CHECK(world_hashes_same(hash[0], hash[k]));
      CHECK(end[0].size == end[k].size && memcmp(end[0].data, end[k].data, end[0].size) == 0);
    }
    for (int k = 0; k < 3; ++k) free(end[k].data);
    if (CHECK(world_hashes_same(hash[0], g->hash))) continue;
    printf("    {\"%s\", %s, MOTE_PRESSURE_%s, \"%s\", {0x%016" PRIx64 ", 0x%016" PRIx64 "}},\n", g->name,
           g->name, g->solver, g->solver, hash[0].state, hash[0].motion);
  }
  return test_end();
}
