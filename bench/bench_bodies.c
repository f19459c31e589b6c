// Ten thousand rigid bodies in a pile: whole steps, contacts everywhere.
#include <mote/world.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bench.h"

#define SIZE 0.03       // m, of a cube
#define FALL_STEPS 170  // from a loose packing until all have come down on others
#define STEPS 10
#define ROW_BYTES 112  // of a contact that the solver reads in each sweep, at least

static mote_result add_cubes(mote_world *world, size_t count, double side, mote_error *error) {
  mote_material_def stone = mote_material_def_default();
  mote_body_def cube = mote_body_def_default();
  mote_copies_def copies = mote_copies_def_default();
  mote_body_list list;
  stone.name = "stone", stone.model = MOTE_KIND_RIGID, stone.density = 2500.0, stone.friction = 0.5;
  cube.name = "cube", cube.material = "stone";
  cube.shape = mote_shape_def_box(0, 0, 0, SIZE, SIZE, SIZE);
  copies.within = mote_shape_def_box(-side, 0, -side, side, 3, side);
  copies.count = count;
  mote_result result = mote_world_add_material(world, &stone, NULL, error);
  if (!result) result = mote_body_copies(&cube, &copies, 3, 1, NULL, &list, error);
  if (result) return result;
  for (size_t k = 0; k < list.count && !result; ++k) {
    result = mote_world_add_body(world, &list.body[k], NULL, error);
  }
  mote_body_list_free(&list, NULL);
  return result;
}

// In a bin about as wide as the pile is high.
static mote_result pile_create(size_t count, int threads, mote_world **out, mote_error *error) {
  mote_world_def def = mote_world_def_default();
  mote_env env = mote_env_default();
  double side = count > 5000 ? 0.6 : 0.3;
  env.threads = threads;
  def.spacing = 0.02;
  def.low[0] = def.low[2] = -side, def.high[0] = def.high[2] = side;
  def.low[1] = 0.0, def.high[1] = 3.0;
  for (int a = 0; a < 3; ++a) def.side[a][0] = MOTE_SIDE_WALL;
  def.side[0][1] = def.side[2][1] = MOTE_SIDE_WALL;
  mote_result result = mote_world_create(&def, &env, out, error);
  return result ? result : add_cubes(*out, count, side, error);
}

static mote_result go(mote_world *world, int steps, mote_error *error) {
  mote_result result = mote_world_begin_frame(world, error);
  for (int k = 0; k < steps && !result; ++k) result = mote_world_step(world, 1e9, error);
  return result;
}

static void run_pile(bench *b) {
  size_t count = bench_quick(b) ? 1000 : 10000;
  int threads = bench_threads(b);
  mote_world *world = NULL;
  mote_error error;
  if (pile_create(count, threads, &world, &error) || go(world, FALL_STEPS, &error)) {
    bench_error(b, &error);
    mote_world_destroy(world);
    return;
  }
  double begun = bench_now();
  clock_t cpu = clock();
  mote_result result = go(world, STEPS, &error);
  double seconds = (bench_now() - begun) / STEPS;
  double spent = (double)(clock() - cpu) / CLOCKS_PER_SEC / STEPS;
  if (result) bench_error(b, &error);
  mote_step_report report = mote_world_report(world);
  char name[96];
  snprintf(name, sizeof name, "pile: %.1f steps/s, %zu contacts, %d sweeps", 1.0 / seconds, report.contacts,
           report.contact_sweeps);
  double bytes = (double)report.contacts * ROW_BYTES * report.contact_sweeps;
  bench_line line = {.name = name,
                     .particles = count,
                     .threads = threads,
                     .seconds = seconds,
                     .cpu_seconds = spent,
                     .floor = bench_floor_bytes(b, bytes, threads),
                     .floor_of = "contacts read in each sweep",
                     .pairs = (double)report.contacts,
                     .bytes = mote_world_bytes(world)};
  if (!result) bench_report(b, &line);
  mote_world_destroy(world);
}

// --- A stack ------------------------------------------------------------------------------------------

#define STACK_STEPS 50  // of 5 ms

// Boxes of 10 cm on each other, five spacings wide: one island, solved directly in every step.
static mote_result stack_create(size_t count, int threads, mote_world **out, mote_error *error) {
  mote_world_def def = mote_world_def_default();
  mote_env env = mote_env_default();
  mote_material_def stone = mote_material_def_default();
  env.threads = threads;
  def.spacing = 0.02;
  def.low[1] = 0.0, def.side[1][0] = MOTE_SIDE_WALL;
  stone.name = "stone", stone.model = MOTE_KIND_RIGID, stone.density = 500.0, stone.friction = 0.5;
  mote_result result = mote_world_create(&def, &env, out, error);
  if (!result) result = mote_world_add_material(*out, &stone, NULL, error);
  for (size_t k = 0; k < count && !result; ++k) {
    mote_body_def box = mote_body_def_default();
    char name[32];
    snprintf(name, sizeof name, "box%zu", k);
    box.name = name, box.material = "stone";
    box.shape = mote_shape_def_box(-0.05, 0.1 * (double)k, -0.05, 0.05, 0.1 * (double)(k + 1), 0.05);
    result = mote_world_add_body(*out, &box, NULL, error);
  }
  return result;
}

static void run_stack(bench *b) {
  size_t count = bench_quick(b) ? 30 : 100;
  int threads = bench_threads(b);
  mote_world *world = NULL;
  mote_error error;
  mote_result result = stack_create(count, threads, &world, &error);
  double begun = bench_now();
  clock_t cpu = clock();
  if (!result) result = go(world, STACK_STEPS, &error);
  double seconds = (bench_now() - begun) / STACK_STEPS;
  double spent = (double)(clock() - cpu) / CLOCKS_PER_SEC / STACK_STEPS;
  if (result) {
    bench_error(b, &error);
  } else {
    bench_line line = {.name = "stack",
                       .particles = count,
                       .threads = threads,
                       .seconds = seconds,
                       .cpu_seconds = spent,
                       .bytes = mote_world_bytes(world)};
    bench_report(b, &line);
  }
  mote_world_destroy(world);
}

const bench_case bench_body_cases[] = {
    {"stack", "bodies", "a step of 100 boxes that stand on each other", run_stack},
    {"pile", "bodies", "a step of 10,000 cubes that have fallen on each other", run_pile},
    {NULL, NULL, NULL, NULL},
};
