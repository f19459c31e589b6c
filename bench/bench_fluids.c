// Fluids against SPlisHSPlasH 2.16 (vector build, 2 threads, 2 cores Arm Neoverse-V1): dam breaks over the
// intervals it was timed over, with its particles' mass and with the full one; how the cost of a step grows
// with the number of particles; what the second thread is worth; thick fluids.
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "bench_dam.h"

#define STAGES 32
#define NAME 160

// A flow, and what the peer needs for a second of it.
typedef struct flow {
  const char *name;
  mote_pressure_kind pressure;
  double step;                            // s; 0: as it comes
  double until;                           // s
  double peer_seconds, peer_cpu_seconds;  // 0: not known
  double peer_compression;                // mean, %, at 0.3 s; its front is not known
} flow;

// What happened while a world ran.
typedef struct race {
  double wall, cpu, simulated;  // s
  int steps, density_iterations, divergence_iterations, viscosity_iterations, unconverged;
  double stage[STAGES];
} race;

static double cpu_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void stage_seconds(const mote_world *world, double *seconds) {
  for (int k = 0; k < mote_world_stages(world) && k < STAGES; ++k) mote_world_stage(world, k, &seconds[k]);
}

static double front(const mote_world *world) {
  mote_field_view x = mote_world_view(world, "position");
  double most = -1e9;
  for (size_t i = 0; i < x.count; ++i) {
    double at = ((const double *)x.data)[3 * i];
    if (at > most) most = at;
  }
  return most;
}

// Runs until a time or for some steps, whichever comes first.
static mote_result run_race(mote_world *world, double until, int steps, race *r, mote_error *error) {
  double wall = bench_now(), cpu = cpu_now(), began = mote_world_time(world), before[STAGES] = {0};
  stage_seconds(world, before);
  *r = (race){.steps = 0};
  mote_result result = mote_world_begin_frame(world, error);
  for (; !result && r->steps < steps && mote_world_time(world) < until; ++r->steps) {
    result = mote_world_step(world, until, error);
    mote_step_report report = mote_world_report(world);
    r->density_iterations += report.density_iterations;
    r->divergence_iterations += report.divergence_iterations;
    r->viscosity_iterations += report.viscosity_iterations;
    r->unconverged += !report.converged;
  }
  r->wall = bench_now() - wall, r->cpu = cpu_now() - cpu, r->simulated = mote_world_time(world) - began;
  stage_seconds(world, r->stage);
  for (int k = 0; k < STAGES; ++k) r->stage[k] -= before[k];
  return result;
}

#define PAIRS 32.0  // of a particle inside: those of the packing

// Of a pair: its index, and the pull that DFSPH keeps.
static double pair_bytes(mote_pressure_kind pressure) {
  return pressure == MOTE_PRESSURE_DFSPH ? 8.0 : 4.0;
}

// How often a step goes over all pairs in a stage, at least; 0: unknown.
static double passes_of(const char *stage, mote_pressure_kind pressure, const race *r) {
  if (strcmp(stage, "forces") == 0) return 1.0;  // viscosity
  if (strcmp(stage, "divergence") == 0 && pressure == MOTE_PRESSURE_DFSPH) {
    return 2.0 * r->divergence_iterations / r->steps;
  }
  if (strcmp(stage, "pressure") != 0) return 0.0;
  double solve = 2.0 * r->density_iterations / r->steps;
  if (pressure == MOTE_PRESSURE_DFSPH) return solve + 5.0;   // those of the shift
  if (pressure == MOTE_PRESSURE_PCISPH) return solve + 4.0;  // its last, and a shift of one iteration
  return 1.0;
}

// The stages of a step, those that are loops over pairs held against the pairs streamed once a pass.
static void report_stages(bench *b, mote_world *world, const race *r, const dam *d, int threads) {
  size_t count = mote_world_particles(world);
  double bytes = (double)count * PAIRS * pair_bytes(d->pressure), spent;
  for (int k = 0; k < mote_world_stages(world) && k < STAGES; ++k) {
    const char *stage = mote_world_stage(world, k, &spent);
    if (r->stage[k] < 0.005 * r->wall) continue;
    char name[NAME];
    snprintf(name, sizeof name, "  %s (%.0f %%)", stage, 100.0 * r->stage[k] / r->wall);
    bench_line line = {
        .name = name, .particles = count, .threads = threads, .seconds = r->stage[k] / r->steps};
    double passes = passes_of(stage, d->pressure, r);
    if (passes > 0.0) {
      line.pairs = (double)count * PAIRS * passes;
      line.floor = bench_floor_bytes(b, bytes * passes, threads);
      line.floor_of = "pairs once a pass";
    }
    bench_report(b, &line);
  }
}

static void report_step(bench *b, const mote_world *world, const dam *d, const race *r, int threads) {
  size_t count = mote_world_particles(world);
  char name[NAME];
  snprintf(name, sizeof name, "%s: a step; %.1f steps/s, %.0f bytes a particle", d->name, r->steps / r->wall,
           (double)mote_world_bytes(world) / (double)count);
  bench_line line = {.name = name,
                     .particles = count,
                     .threads = threads,
                     .seconds = r->wall / r->steps,
                     .bytes = mote_world_bytes(world),
                     .cpu_seconds = r->cpu / r->steps};
  bench_report(b, &line);
}

static void report_flow(bench *b, mote_world *world, const flow *f, const dam *d, const race *r,
                        int threads) {
  size_t count = mote_world_particles(world);
  mote_totals totals = {0};
  mote_error error;
  char name[NAME];
  if (mote_world_totals(world, &totals, &error)) bench_error(b, &error);
  snprintf(name, sizeof name, "%s: a simulated second", d->name);
  bench_line second = {.name = name,
                       .particles = count,
                       .threads = threads,
                       .seconds = r->wall / r->simulated,
                       .cpu_seconds = r->cpu / r->simulated,
                       .bytes = mote_world_bytes(world),
                       .peer = f->peer_seconds > 0 && !bench_quick(b) ? "SPlisHSPlasH" : NULL,
                       .peer_seconds = f->peer_seconds,
                       .peer_cpu_seconds = f->peer_cpu_seconds};
  bench_report(b, &second);
  char peer[64] = "";
  if (f->peer_compression > 0.0) {
    snprintf(peer, sizeof peer, ", SPlisHSPlasH %.2f %% at 0.3 s", f->peer_compression);
  }
  snprintf(name, sizeof name,
           "  at %.2f s: compressed %.3f %% (worst %.1f %%%s), front %.3f m; a step of %.2f ms",
           mote_world_time(world), 100.0 * totals.compression_mean, 100.0 * totals.compression_max, peer,
           front(world), 1e3 * r->simulated / r->steps);
  bench_line step = {.name = name,
                     .particles = count,
                     .threads = threads,
                     .seconds = r->wall / r->steps,
                     .cpu_seconds = r->cpu / r->steps};
  bench_report(b, &step);
  snprintf(name, sizeof name, "  %.1f + %.1f iterations, %d of %d steps not converged; %.0f bytes a particle",
           (double)r->density_iterations / r->steps, (double)r->divergence_iterations / r->steps,
           r->unconverged, r->steps, (double)mote_world_bytes(world) / (double)count);
  step.name = name;
  bench_report(b, &step);
  report_stages(b, world, r, d, threads);
}

static void time_flow(bench *b, const flow *f, int rows, double mass) {
  int threads = bench_threads(b), most = bench_quick(b) ? 8 : 1 << 30;
  mote_world *world = NULL;
  mote_error error;
  race r;
  char name[NAME];
  snprintf(name, sizeof name, mass < 1.0 ? "%s, mass %.1f" : "%s, full mass", f->name, mass);
  dam d = {name, rows, f->pressure, f->step, mass, 0, 0.0};
  if (dam_create(&d, threads, &world, &error) || run_race(world, f->until, most, &r, &error)) {
    bench_error(b, &error);
  } else {
    report_flow(b, world, f, &d, &r, threads);
  }
  mote_world_destroy(world);
}

static void time_flows(bench *b, const flow *flows, size_t count, int rows) {
  for (size_t k = 0; k < count; ++k) {
    time_flow(b, &flows[k], rows, 0.8);
    time_flow(b, &flows[k], rows, 1.0);
  }
}

static void run_dam50k(bench *b) {
  static const flow flows[] = {{"DFSPH", MOTE_PRESSURE_DFSPH, 0.0, 0.5, 59.0, 109.0, 0.05},
                               {"WCSPH", MOTE_PRESSURE_WCSPH, 4e-4, 0.2, 200.0, 287.0, 1.33},
                               {"PCISPH", MOTE_PRESSURE_PCISPH, 1e-3, 0.2, 159.0, 269.0, 0.11}};
  time_flows(b, flows, sizeof flows / sizeof *flows, bench_quick(b) ? 20 : 37);
}

static void run_dam200k(bench *b) {
  static const flow flows[] = {{"DFSPH", MOTE_PRESSURE_DFSPH, 0.0, 0.3, 301.0, 524.0, 0.0},
                               {"WCSPH", MOTE_PRESSURE_WCSPH, 2.5e-4, 0.05, 1358.0, 1996.0, 0.0},
                               {"PCISPH", MOTE_PRESSURE_PCISPH, 6e-4, 0.05, 1129.0, 1947.0, 0.0}};
  time_flows(b, flows, sizeof flows / sizeof *flows, bench_quick(b) ? 24 : 59);
}

// Its CPU time is not known.
static void run_dam2s(bench *b) {
  static const flow flows[] = {{"DFSPH (SPlisHSPlasH: 72 s)", MOTE_PRESSURE_DFSPH, 0.0, 2.0, 0.0, 0.0, 0.0}};
  time_flows(b, flows, 1, bench_quick(b) ? 16 : 37);
}

// --- Growth ---

static const mote_pressure_kind kinds[] = {MOTE_PRESSURE_DFSPH, MOTE_PRESSURE_WCSPH, MOTE_PRESSURE_PCISPH};
enum { KINDS = sizeof kinds / sizeof *kinds };

// A line for a step of one dam, after a few; false where it failed.
static bool time_steps(bench *b, const dam *d, int threads, bench_line *line) {
  mote_world *world = NULL;
  mote_error error;
  race r = {.wall = 0.0};
  int warm = bench_quick(b) ? 2 : 5, steps = bench_quick(b) ? 3 : 10;
  if (dam_create(d, threads, &world, &error) || dam_steps(world, warm, &error) ||
      run_race(world, 1e9, steps, &r, &error)) {
    bench_error(b, &error);
    mote_world_destroy(world);
    return false;
  }
  *line = (bench_line){.name = d->name,
                       .particles = mote_world_particles(world),
                       .threads = threads,
                       .seconds = r.wall / r.steps,
                       .cpu_seconds = r.cpu / r.steps};
  mote_world_destroy(world);
  return true;
}

// Ten iterations of each solve, however many are needed, so that all sizes do the same.
static void run_growth(bench *b) {
  const int rows[] = {21, 46, 99};
  static const char *const names[] = {"DFSPH, 10 + 10 iterations", "WCSPH", "PCISPH, 10 iterations"};
  for (size_t k = 0; k < KINDS; ++k) {
    for (int n = 0; n < (bench_quick(b) ? 2 : 3); ++n) {
      dam d = {names[k], rows[n], kinds[k], 1e-4, 1.0, 10, 0.0};
      bench_line line;
      if (time_steps(b, &d, bench_threads(b), &line)) bench_report(b, &line);
    }
  }
}

static void run_second(bench *b) {
  static const char *const names[] = {"DFSPH", "WCSPH", "PCISPH"};
  for (size_t k = 0; k < KINDS; ++k) {
    double seconds[2] = {0.0, 0.0};
    dam d = {names[k], bench_quick(b) ? 24 : 37, kinds[k], 4e-4, 1.0, 10, 0.0};
    for (int t = 0; t < 2; ++t) {
      bench_line line;
      char name[NAME];
      if (!time_steps(b, &d, t + 1, &line)) return;
      seconds[t] = line.seconds;
      snprintf(name, sizeof name, t == 0 ? "%s" : "%s: %.2f times as fast", d.name, seconds[0] / seconds[t]);
      line.name = name;
      bench_report(b, &line);
    }
  }
}

// --- Thick fluids ---

// Cubes that fall on the floor after 0.1 s; from then on.
static void run_thick(bench *b) {
  const double viscosity[] = {1.0, 100.0};  // m^2/s
  for (int k = 0; k < 2; ++k) {
    dam d = {"DFSPH", bench_quick(b) ? 16 : 30, MOTE_PRESSURE_DFSPH, 5e-3, 1.0, 0, viscosity[k]};
    mote_world *world = NULL;
    mote_error error;
    race r;
    char name[NAME];
    if (dam_create(&d, bench_threads(b), &world, &error) || dam_steps(world, 25, &error) ||
        run_race(world, 1e9, 10, &r, &error)) {
      bench_error(b, &error);
    } else {
      snprintf(name, sizeof name, "DFSPH, %g m2/s, %.1f iterations", viscosity[k],
               (double)r.viscosity_iterations / r.steps);
      d.name = name;
      report_step(b, world, &d, &r, bench_threads(b));
    }
    mote_world_destroy(world);
  }
}

// --- Steps ---

// What a step costs at the start of both dams, and where: for the world as it is, whatever a flow needs.
static void run_steps(bench *b) {
  static const dam dams[] = {{"WCSPH", 37, MOTE_PRESSURE_WCSPH, 4e-4, 1.0, 0, 0.0},
                             {"DFSPH", 37, MOTE_PRESSURE_DFSPH, 0.0, 1.0, 0, 0.0},
                             {"WCSPH", 59, MOTE_PRESSURE_WCSPH, 2.5e-4, 1.0, 0, 0.0},
                             {"DFSPH", 59, MOTE_PRESSURE_DFSPH, 0.0, 1.0, 0, 0.0}};
  for (size_t k = 0; k < sizeof dams / sizeof *dams; ++k) {
    dam d = dams[k];
    if (bench_quick(b)) d.rows /= 2;
    int threads = bench_threads(b), steps = bench_quick(b) ? 4 : 20;
    mote_world *world = NULL;
    mote_error error;
    race r;
    if (dam_create(&d, threads, &world, &error) || dam_steps(world, steps, &error) ||
        run_race(world, 1e9, steps, &r, &error)) {
      bench_error(b, &error);
    } else {
      report_step(b, world, &d, &r, threads);
      report_stages(b, world, &r, &d, threads);
    }
    mote_world_destroy(world);
  }
}

const bench_case bench_fluid_cases[] = {
    {"dam50k", "fluids", "50,653 particles, 0.5 s (DFSPH) and 0.2 s", run_dam50k},
    {"dam200k", "fluids", "205,379 particles, 0.3 s (DFSPH) and 0.05 s", run_dam200k},
    {"dam2s", "fluids", "50,653 particles, 2 s", run_dam2s},
    {"growth", "fluids", "the cost of a step from 10^4 to 10^6 particles", run_growth},
    {"second-thread", "fluids", "a step on one thread and on two", run_second},
    {"thick", "fluids", "a step of 27,000 particles of thick fluids", run_thick},
    {"steps", "world", "steps of both dam breaks: their rate, stages and memory", run_steps},
    {NULL, NULL, NULL, NULL},
};
