// The whole step: the dam breaks that the peers are timed on (a cube of water of 1 m in a closed tank of 4 x
// 3 x 1.5 m, 37^3 or 59^3 particles, support 2 d, cubic spline, nu = 0.01 m^2/s), stage by stage, and writing
// a frame.
#include <mote/io.h>
#include <mote/world.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"

typedef struct dam {
  const char *name;
  int rows;
  mote_pressure_kind pressure;
  double step;  // s; fixed where not 0
} dam;

// EG09 (47) with B = 50 kPa; steps of 0.1 to 5 ms by the Courant number 1 for DFSPH.
static mote_world_def dam_def(const dam *d, double spacing) {
  mote_world_def def = mote_world_def_default();
  const double low[3] = {-2.0, 0.0, -0.75}, high[3] = {2.0, 3.0, 0.75};
  memcpy(def.low, low, sizeof low);
  memcpy(def.high, high, sizeof high);
  for (int a = 0; a < 3; ++a) def.side[a][0] = def.side[a][1] = MOTE_SIDE_WALL;
  def.spacing = spacing;
  def.solver.pressure = d->pressure;
  def.solver.support = 2.0, def.solver.cfl = 1.0;
  def.solver.step_min = d->step > 0 ? d->step : 1e-4, def.solver.step_max = d->step > 0 ? d->step : 5e-3;
  def.solver.stiffness = 50e3, def.solver.exponent = 7.0, def.solver.negative_pressure = 0.0;
  def.solver.density_error = d->pressure == MOTE_PRESSURE_PCISPH ? 1e-3 : 5e-4;
  def.solver.divergence_error = 1e-3;
  return def;
}

static mote_result dam_create(const dam *d, int threads, mote_world **out, mote_error *error) {
  double spacing = 1.0 / (d->rows + 1), corner[3] = {-1.95, 0.05, -0.5}, low[3], high[3];
  mote_world_def def = dam_def(d, spacing);
  mote_env env = mote_env_default();
  env.threads = threads;
  mote_material_def water = mote_material_def_default();
  water.viscosity = 0.01 * water.density, water.xsph = 0.0;
  mote_body_def body = mote_body_def_default();
  for (int a = 0; a < 3; ++a) low[a] = corner[a] + 0.5 * spacing, high[a] = low[a] + d->rows * spacing;
  body.name = "dam", body.material = water.name;
  body.shape = mote_shape_def_box(low[0], low[1], low[2], high[0], high[1], high[2]);
  mote_result result = mote_world_create(&def, &env, out, error);
  if (!result) result = mote_world_add_material(*out, &water, NULL, error);
  if (!result) result = mote_world_add_body(*out, &body, NULL, error);
  return result;
}

static mote_result step_often(mote_world *world, int steps, mote_error *error) {
  mote_result result = mote_world_begin_frame(world, error);
  for (int k = 0; k < steps && !result; ++k) result = mote_world_step(world, 1e9, error);
  return result;
}

#define STAGES 32

static void stage_seconds(const mote_world *world, double *seconds) {
  for (int k = 0; k < mote_world_stages(world) && k < STAGES; ++k) mote_world_stage(world, k, &seconds[k]);
}

// One line for the step and one for each stage; the floor of the step is its pair lines (64 bytes for four
// neighbours, 30 of them) streamed once per pass.
static void report_dam(bench *b, const dam *d, mote_world *world, int threads, int steps, double seconds,
                       const double *before, int passes) {
  double after[STAGES] = {0};
  size_t count = mote_world_particles(world);
  char name[96];
  snprintf(name, sizeof name, "%s: step", d->name);
  bench_line line = {.name = name,
                     .particles = count,
                     .threads = threads,
                     .seconds = seconds / steps,
                     .floor = bench_floor_bytes(b, (double)count * 30.0 * 16.0 * passes, threads),
                     .floor_of = "pair lines once a pass",
                     .bytes = mote_world_bytes(world)};
  bench_report(b, &line);
  stage_seconds(world, after);
  for (int k = 0; k < mote_world_stages(world) && k < STAGES; ++k) {
    double spent = (after[k] - before[k]) / steps;
    if (spent <= 0.0) continue;
    snprintf(name, sizeof name, "  %s (%.0f %%)", mote_world_stage(world, k, &after[k]),
             100.0 * spent * steps / seconds);
    bench_line stage = {.name = name, .particles = count, .threads = threads, .seconds = spent};
    bench_report(b, &stage);
  }
}

static void time_dam(bench *b, const dam *d, int threads) {
  mote_world *world = NULL;
  mote_error error;
  int warm = bench_quick(b) ? 3 : 20, steps = bench_quick(b) ? 5 : 40;
  if (dam_create(d, threads, &world, &error) || step_often(world, warm, &error)) {
    bench_error(b, &error);
    mote_world_destroy(world);
    return;
  }
  double before[STAGES] = {0}, start = bench_now(), began = mote_world_time(world);
  stage_seconds(world, before);
  mote_result result = step_often(world, steps, &error);
  double seconds = bench_now() - start;
  if (result) {
    bench_error(b, &error);
  } else {
    mote_step_report last = mote_world_report(world);
    int passes = 2 * (last.density_iterations + last.divergence_iterations) + 3;
    report_dam(b, d, world, threads, steps, seconds, before, passes);
    char name[96];
    snprintf(name, sizeof name, "%s: a simulated second, at these steps", d->name);
    bench_line second = {.name = name,
                         .particles = mote_world_particles(world),
                         .threads = threads,
                         .seconds = seconds / (mote_world_time(world) - began)};
    bench_report(b, &second);
  }
  mote_world_destroy(world);
}

static void run_dams(bench *b, const char *size, int rows, double wcsph_step, double pcisph_step) {
  char name[3][32];
  snprintf(name[0], sizeof name[0], "%s DFSPH", size);
  snprintf(name[1], sizeof name[1], "%s WCSPH", size);
  snprintf(name[2], sizeof name[2], "%s PCISPH", size);
  dam dams[3] = {{name[0], rows, MOTE_PRESSURE_DFSPH, 0.0},
                 {name[1], rows, MOTE_PRESSURE_WCSPH, wcsph_step},
                 {name[2], rows, MOTE_PRESSURE_PCISPH, pcisph_step}};
  for (int k = 0; k < 3; ++k) {
    if (bench_threads(b) > 1 && !bench_quick(b)) time_dam(b, &dams[k], 1);
    time_dam(b, &dams[k], bench_threads(b));
  }
}

static void run_dam50k(bench *b) {
  run_dams(b, "dam50k", 37, 4e-4, 1e-3);
}

static void run_dam200k(bench *b) {
  run_dams(b, "dam200k", bench_quick(b) ? 30 : 59, 2.5e-4, 6e-4);
}

// --- Output ---

typedef struct writing {
  mote_cloud cloud;
  const char *path;
  mote_result result;
  mote_error error;
} writing;

static void write_cloud(void *data) {
  writing *w = data;
  if (!w->result) w->result = mote_cloud_write(&w->cloud, w->path, &w->error);
}

static size_t cloud_bytes(const mote_cloud *cloud) {
  size_t bytes = 0;
  for (int f = 0; f < cloud->fields; ++f) {
    bytes += cloud->count * (size_t)cloud->field[f].components * mote_type_size(cloud->field[f].type);
  }
  return bytes;
}

static void run_output(bench *b) {
  dam d = {"output", bench_quick(b) ? 20 : 59, MOTE_PRESSURE_WCSPH, 2.5e-4};
  mote_world *world = NULL;
  mote_error error;
  if (dam_create(&d, bench_threads(b), &world, &error) || step_often(world, 1, &error)) {
    bench_error(b, &error);
    mote_world_destroy(world);
    return;
  }
  writing w = {.cloud = {.count = mote_world_particles(world)}};
  for (mote_field_view view; (view = mote_world_view_at(world, w.cloud.fields)).name != NULL;) {
    w.cloud.field[w.cloud.fields++] = view;
  }
  static const char *const paths[] = {"bench-output.vtp", "bench-output.vtu", "bench-output.ply",
                                      "bench-output.bgeo"};
  for (size_t k = 0; k < sizeof paths / sizeof paths[0]; ++k) {
    w.path = paths[k];
    double seconds = bench_seconds(b, write_cloud, &w);
    if (w.result) {
      bench_error(b, &w.error);
      break;
    }
    size_t bytes = cloud_bytes(&w.cloud);
    char name[96];
    snprintf(name, sizeof name, "%s: %.0f MB/s", strrchr(paths[k], '.') + 1, 1e-6 * (double)bytes / seconds);
    bench_line line = {.name = name,
                       .particles = w.cloud.count,
                       .threads = 1,
                       .seconds = seconds,
                       .floor = bench_floor_bytes(b, 2.0 * (double)bytes, 1),
                       .floor_of = "values copied once"};
    bench_report(b, &line);
    remove(paths[k]);
  }
  mote_world_destroy(world);
}

const bench_case bench_world_cases[] = {
    {"dam50k", "world", "50,653 particles: DFSPH, WCSPH and PCISPH, stage by stage", run_dam50k},
    {"dam200k", "world", "205,379 particles: DFSPH, WCSPH and PCISPH, stage by stage", run_dam200k},
    {"output", "world", "writing a frame of 205,379 particles", run_output},
    {NULL, NULL, NULL, NULL},
};
