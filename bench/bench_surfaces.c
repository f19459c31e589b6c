// Surfaces of the double dam breaks ddb140k and ddb1m (apps/validate/surfaces/particle_sets.h) by all
// methods, beside the times of other programs on the same kind of sets and machine: 2 cores Arm Neoverse-V1,
// 2 threads, wall time.
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <mote/surface.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/lane.h"
#include "bench.h"
#include "validate/surfaces/particle_sets.h"

// --- What other programs need -----------------------------------------------------------------------------

typedef struct peer {
  mote_surface_method method;
  double cell;
  const char *name;
  double seconds[DAM_SIZES], cpu[DAM_SIZES];
} peer;

static const peer peers[] = {
    {MOTE_SURFACE_DENSITY, 0.5, "splashsurf 0.14", {0.34, 1.97}, {0.63, 3.86}},
    {MOTE_SURFACE_DENSITY, 0.25, "splashsurf 0.14", {1.23, 7.65}, {2.41, 14.9}},
    {MOTE_SURFACE_ZHU_BRIDSON, 0.5, "OpenVDB 13 Zhu-Bridson", {0.24, 1.65}, {0.49, 3.4}},
    {MOTE_SURFACE_ANISOTROPIC, 0.5, "OpenVDB 13 anisotropic", {3.27, 26.0}, {6.5, 52.0}},
    {MOTE_SURFACE_ANISOTROPIC, 0.25, "splashsurf, weighted smoothing", {2.26, 13.0}, {3.90, 22.5}},
};

static const peer *find_peer(mote_surface_method method, double cell) {
  for (size_t k = 0; k < sizeof peers / sizeof peers[0]; ++k) {
    if (peers[k].method == method && peers[k].cell == cell) return &peers[k];
  }
  return NULL;
}

// --- The floor --------------------------------------------------------------------------------------------

#define KERNELS 1024  // that fit the cache

typedef struct pair_loop {
  float centre[KERNELS][3], G[KERNELS][6];
  float sum;
} pair_loop;

// Four nodes of a row against every kernel: |G (x - c)|^2, a cubic spline in place of its branches one cube,
// and the sum.
static void evaluate(void *data) {
  pair_loop *p = data;
  mote_lane x = mote_lane_splat(0.5f), y = mote_lane_splat(0.25f), z = mote_lane_splat(0.125f);
  mote_lane one = mote_lane_splat(1.0f), sum = mote_lane_splat(0.0f);
  for (int round = 0; round < 64; ++round) {
    for (int k = 0; k < KERNELS; ++k) {
      const float *c = p->centre[k], *G = p->G[k];
      mote_lane dx = x - mote_lane_splat(c[0]), dy = y - mote_lane_splat(c[1]),
                dz = z - mote_lane_splat(c[2]);
      mote_lane u = dx * mote_lane_splat(G[0]) + dy * mote_lane_splat(G[1]) + dz * mote_lane_splat(G[2]);
      mote_lane v = dx * mote_lane_splat(G[1]) + dy * mote_lane_splat(G[3]) + dz * mote_lane_splat(G[4]);
      mote_lane w = dx * mote_lane_splat(G[2]) + dy * mote_lane_splat(G[4]) + dz * mote_lane_splat(G[5]);
      mote_lane q = one - (u * u + v * v + w * w);
      sum += q * q * q;
    }
    x += mote_lane_splat(1e-3f);
  }
  p->sum += mote_lane_sum(sum);
}

static double pair_seconds(bench *b) {
  static pair_loop p;
  for (int k = 0; k < KERNELS; ++k) {
    for (int a = 0; a < 3; ++a) p.centre[k][a] = 1e-3f * (float)(k + a);
    p.G[k][0] = p.G[k][3] = p.G[k][5] = 0.5f;
  }
  return bench_seconds(b, evaluate, &p) / (64.0 * KERNELS * MOTE_LANES);
}

// Nodes at an end of an edge that the surface crosses are about 1.1 for each vertex of the mesh (2 x 0.83 /
// 1.5: the means over directions of the largest and of the sum of a normal's components), each within half of
// the kernels of a full neighbourhood.
static double node_pairs(const mote_surface_stats *stats, double support) {
  return 1.1 * (double)stats->vertices * 2.0 / 3.0 * 3.14159265358979323846 * support * support * support;
}

// --- Timing -----------------------------------------------------------------------------------------------

typedef struct timing {
  double first, warm, cpu;   // s; warm: median, with the memory of earlier calls; cpu: of all threads, warm
  mote_surface_stats stats;  // of the last call
} timing;

static double cpu_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

#define REPEATS_MAX 9

static mote_result time_surface(const mote_surface_def *def, const particle_set *set, int threads,
                                int repeats, timing *out, mote_error *error) {
  mote_env env = mote_env_default();
  env.threads = threads;
  mote_surfacer *surfacer = NULL;
  mote_surface_particles particles = {.position = set->position, .count = set->count};
  double seconds[REPEATS_MAX] = {0}, cpu[REPEATS_MAX] = {0};
  mote_result result = mote_surfacer_create(def, &env, &surfacer, error);
  for (int k = -1; k < repeats && !result; ++k) {
    mote_surface surface = {0};
    double start = bench_now(), cpu_start = cpu_now();
    result = mote_surfacer_build(surfacer, &particles, &surface, error);
    if (k < 0) {
      out->first = bench_now() - start;
    } else {
      seconds[k] = bench_now() - start, cpu[k] = cpu_now() - cpu_start;
    }
    mote_surface_free(&surface, &env);
  }
  if (!result) out->stats = mote_surfacer_stats(surfacer);
  qsort(seconds, (size_t)repeats, sizeof seconds[0], ascending);
  qsort(cpu, (size_t)repeats, sizeof cpu[0], ascending);
  out->warm = seconds[repeats / 2], out->cpu = cpu[repeats / 2];
  mote_surfacer_destroy(surfacer);
  return result;
}

// --- Lines ------------------------------------------------------------------------------------------------

static void report_stage(bench *b, const bench_line *whole, const char *stage, double seconds) {
  char name[96];
  snprintf(name, sizeof name, "  %s", stage);
  bench_line line = {
      .name = name, .particles = whole->particles, .threads = whole->threads, .seconds = seconds};
  if (seconds > 0.0) bench_report(b, &line);
}

static void report_surface(bench *b, dam_size size, const mote_surface_def *def, int threads, const timing *t,
                           double with_normals, double pair) {
  char name[96];
  snprintf(name, sizeof name, "%s: %s, cell %.2f d", dam_sets[size].name,
           mote_surface_method_name(def->method), def->cell);
  const peer *other = threads == 2 ? find_peer(def->method, def->cell) : NULL;
  double pairs = node_pairs(&t->stats, isfinite(def->support) ? def->support : 2.0);
  bench_line line = {.name = name,
                     .particles = t->stats.particles,
                     .threads = threads,
                     .seconds = t->warm,
                     .cpu_seconds = t->cpu,
                     .floor = pairs * pair / threads,
                     .floor_of = "kernels at nodes beside the surface",
                     .bytes = t->stats.bytes,
                     .triangles = t->stats.triangles,
                     .peer = other != NULL ? other->name : NULL,
                     .peer_seconds = other != NULL ? other->seconds[size] : 0.0,
                     .peer_cpu_seconds = other != NULL ? other->cpu[size] : 0.0};
  bench_report(b, &line);
  report_stage(b, &line, "first call", t->first);
  report_stage(b, &line, "sorting", t->stats.seconds_sort);
  report_stage(b, &line, "kernels", t->stats.seconds_kernels);
  report_stage(b, &line, "field", t->stats.seconds_field);
  report_stage(b, &line, "mesh", t->stats.seconds_mesh);
  report_stage(b, &line, "with normals", with_normals);
}

static void run_dam(bench *b, dam_size size) {
  static const mote_surface_method methods[] = {MOTE_SURFACE_DENSITY, MOTE_SURFACE_ZHU_BRIDSON,
                                                MOTE_SURFACE_ANISOTROPIC, MOTE_SURFACE_BLOBS,
                                                MOTE_SURFACE_ADAMS};
  int most = bench_threads(b), repeats = bench_quick(b) || size == DAM_1M ? 3 : 5;
  double pair = pair_seconds(b);
  particle_set set = particle_set_dam(size);
  for (size_t m = 0; m < sizeof methods / sizeof methods[0]; ++m) {
    for (double cell = 0.5; cell >= 0.25; cell -= bench_quick(b) ? 0.5 : 0.25) {
      for (int threads = bench_quick(b) ? most : 1; threads <= most; threads += most > 1 ? most - 1 : 1) {
        mote_surface_def def = mote_surface_def_default();
        def.method = methods[m], def.spacing = set.spacing, def.cell = cell;
        timing bare = {0}, with_normals = {0};
        mote_error error;
        bool failed = time_surface(&def, &set, threads, repeats, &with_normals, &error);
        def.normals = false;  // as the others are timed
        if (failed || time_surface(&def, &set, threads, repeats, &bare, &error)) {
          bench_error(b, &error);
        } else {
          report_surface(b, size, &def, threads, &bare, with_normals.warm, pair);
        }
      }
    }
  }
  particle_set_free(&set);
}

static void run_140k(bench *b) {
  run_dam(b, DAM_140K);
}

static void run_1m(bench *b) {
  if (!bench_quick(b)) run_dam(b, DAM_1M);
}

const bench_case bench_surface_cases[] = {
    {"surface_140k", "surfaces", "surfaces of a double dam break of 140,000 particles", run_140k},
    {"surface_1m", "surfaces", "surfaces of a double dam break of a million particles", run_1m},
    {0}};
