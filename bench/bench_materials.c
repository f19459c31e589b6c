// Nine dice of lattices (WIC06 Fig. 5): whole steps of a world.
#include <mote/world.h>
#include <stdio.h>
#include <time.h>

#include "bench.h"

#define SPACING 0.01  // m
#define EDGE 0.0626   // m: 246 particles, as in WIC06
#define YOUNG 1e6
#define PEER "WIC06 7, P4 3 GHz, 2006"

static mote_result dice_create(int threads, mote_world **out, mote_error *error) {
  mote_world_def def = mote_world_def_default();
  mote_env env = mote_env_default();
  mote_material_def ivory = mote_material_def_default();
  env.threads = threads;
  def.spacing = SPACING;
  for (int a = 0; a < 3; ++a)
    def.low[a] = a == 1 ? 0 : -0.15, def.high[a] = a == 1 ? 0.8 : 0.15, def.side[a][0] = MOTE_SIDE_WALL;
  def.side[0][1] = def.side[2][1] = MOTE_SIDE_WALL;
  ivory.name = "ivory", ivory.model = MOTE_MODEL_LATTICE, ivory.density = 1000.0, ivory.friction = 0.4;
  ivory.solid.young = YOUNG, ivory.solid.poisson = 0.2;
  mote_result result = mote_world_create(&def, &env, out, error);
  if (!result) result = mote_world_add_material(*out, &ivory, NULL, error);
  for (int k = 0; k < 9 && !result; ++k) {
    char name[16];
    mote_body_def die = mote_body_def_default();
    double x = 0.03 * (k % 2) - 0.02, y = 0.05 + 0.075 * k, z = 0.025 * (k % 3) - 0.02;
    snprintf(name, sizeof name, "die%d", k);
    die.name = name, die.material = "ivory";
    die.shape = mote_shape_def_box(x - EDGE / 2, y - EDGE / 2, z - EDGE / 2, x + EDGE / 2, y + EDGE / 2,
                                   z + EDGE / 2);
    die.spin[0] = k % 3, die.spin[1] = 1, die.spin[2] = 2 - k % 4;
    result = mote_world_add_body(*out, &die, NULL, error);
  }
  return result;
}

static void run_dice(bench *b, int threads) {
  mote_world *world = NULL;
  mote_error error;
  double substeps = 0;
  mote_result result = dice_create(threads, &world, &error);
  if (!result) result = mote_world_advance(world, 0.16, &error);  // the first have met
  double begun = bench_now();
  clock_t cpu = clock();
  const int frames = bench_quick(b) ? 2 : 10;
  for (int k = 0; k < frames && !result; ++k) {
    double until = 0.16 + 0.04 * (k + 1);
    while (mote_world_time(world) < until && !result) {
      result = mote_world_step(world, until, &error);
      substeps += mote_world_report(world).lattice_steps;
    }
  }
  double seconds = (bench_now() - begun) / frames, spent = (double)(clock() - cpu) / CLOCKS_PER_SEC / frames;
  if (result) {
    bench_error(b, &error);
  } else {
    char name[96];
    size_t count = mote_world_lattice_particles(world);
    snprintf(name, sizeof name, "dice: a frame of 1/25 s, %.0f substeps, %.2f us a particle and substep",
             substeps / frames, 1e6 * seconds * frames / (substeps * (double)count));
    bench_report(b, &(bench_line){.name = name,
                                  .particles = count,
                                  .threads = threads,
                                  .seconds = seconds,
                                  .cpu_seconds = spent,
                                  .bytes = mote_world_bytes(world),
                                  .peer = PEER,
                                  .peer_seconds = 19.0,
                                  .peer_cpu_seconds = 19.0});
  }
  mote_world_destroy(world);
}

static void run_all_dice(bench *b) {
  run_dice(b, 1);
  if (bench_threads(b) > 1) run_dice(b, bench_threads(b));
}

const bench_case bench_material_cases[] = {
    {"dice", "materials", "nine dice of lattices that fall on each other", run_all_dice},
    {NULL, NULL, NULL, NULL},
};
