// dam_time ROWS until STEPS THREADS fast|default dfsph|wcsph|pcisph: one dam break; prints times and the
// hash.
#define _POSIX_C_SOURCE 200809L
#include <mote/mote.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench_dam.h"

static double now(clockid_t id) {
  struct timespec t;
  clock_gettime(id, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// The dam of bench_dam.c with the default solver settings.
static mote_result default_create(int rows, int threads, mote_world **out, mote_error *error) {
  double d = 1.0 / (rows + 1), low[3] = {-2.0, 0.0, -0.75}, high[3] = {2.0, 3.0, 0.75};
  double corner[3] = {-1.95 + 0.5 * d, 0.05 + 0.5 * d, -0.5 + 0.5 * d};
  mote_world_def def = mote_world_def_default();
  memcpy(def.low, low, sizeof low), memcpy(def.high, high, sizeof high);
  for (int a = 0; a < 3; ++a) def.side[a][0] = def.side[a][1] = MOTE_SIDE_WALL;
  def.spacing = d;
  mote_env env = mote_env_default();
  env.threads = threads;
  mote_material_def water = mote_material_def_default();
  mote_body_def body = mote_body_def_default();
  body.name = "dam", body.material = water.name;
  body.shape = mote_shape_def_box(corner[0], corner[1], corner[2], corner[0] + rows * d, corner[1] + rows * d,
                                  corner[2] + rows * d);
  mote_result result = mote_world_create(&def, &env, out, error);
  if (!result) result = mote_world_add_material(*out, &water, NULL, error);
  if (!result) result = mote_world_add_body(*out, &body, NULL, error);
  return result;
}

int main(int argc, char **argv) {
  if (argc < 7) return 2;
  int rows = atoi(argv[1]), most = atoi(argv[3]), threads = atoi(argv[4]), steps = 0;
  double until = atof(argv[2]);
  int usual = strcmp(argv[5], "default") == 0;
  mote_pressure_kind p = strcmp(argv[6], "wcsph") == 0    ? MOTE_PRESSURE_WCSPH
                         : strcmp(argv[6], "pcisph") == 0 ? MOTE_PRESSURE_PCISPH
                                                          : MOTE_PRESSURE_DFSPH;
  double step = p == MOTE_PRESSURE_WCSPH ? 4e-4 : p == MOTE_PRESSURE_PCISPH ? 1e-3 : 0.0;
  dam d = {"dam", rows, p, step, 1.0, 0, 0.0};
  mote_world *world = NULL;
  mote_error error;
  mote_result result =
      usual ? default_create(rows, threads, &world, &error) : dam_create(&d, threads, &world, &error);
  if (!result) result = mote_world_begin_frame(world, &error);
  double before[32] = {0}, after[32] = {0};
  if (!result) result = mote_world_step(world, until, &error);  // allocates
  for (int k = 0; !result && k < mote_world_stages(world) && k < 32; ++k)
    mote_world_stage(world, k, &before[k]);
  double wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
  for (; !result && steps < most && mote_world_time(world) < until; ++steps)
    result = mote_world_step(world, until, &error);
  wall = now(CLOCK_MONOTONIC) - wall, cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  if (result) {
    fprintf(stderr, "%s\n", error.text);
    return 1;
  }
  printf("%s %s %zu particles %2d threads %s: %3d steps, %7.2f ms/step (CPU %7.2f), hash %016llx, t %.4f s;",
         argv[5], argv[6], mote_world_particles(world), threads,
         getenv("MOTE_BASELINE") ? "baseline" : "AVX2    ", steps, 1e3 * wall / steps, 1e3 * cpu / steps,
         (unsigned long long)mote_world_hash(world), mote_world_time(world));
  for (int k = 0; k < mote_world_stages(world) && k < 32; ++k) {
    const char *name = mote_world_stage(world, k, &after[k]);
    if (after[k] - before[k] > 0.03 * wall) printf(" %s %.2f", name, 1e3 * (after[k] - before[k]) / steps);
  }
  printf("\n");
  mote_world_destroy(world);
  return 0;
}
