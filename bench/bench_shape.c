// Deformation of meshes by handles: drags of a bar in 30 increments, with 60 nodes and 240 samples. Goals on
// a quiet Neoverse-V1 or desktop core: a step of 101,252 vertices in 5 ms, of it the solve 2 ms and the mesh
// 3 ms; 502,004 vertices 80 steps a second on two threads; 2,000 nodes 2 steps a second; the whole edit,
// sampling included, in 0.7 s and 4 s, where libigl's ARAP takes 7.2 s and more than 43 s.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "validate/shape/deform_trial.h"

#define STEPS 30
#define ENTRY_BYTES 18    // what a vertex stores for a node: shape function, its gradient, index
#define VERTEX_BYTES 104  // rest, result, offset
#define NEIGHBOURS 16.0

typedef struct drag_times {
  double solve, mesh;  // s a step
  double iterations;
  double volume;
} drag_times;

static bool drag(bar_trial *t, bar_edit edit, int steps, drag_times *out, mote_error *error) {
  *out = (drag_times){0};
  mote_deform_solve_opts opts = mote_deform_solve_opts_default();
  opts.tolerance = 1e-3;
  mote_deform_reset(t->deform);
  // The first solve with new handles makes the pattern of a sparse matrix.
  if (mote_deform_solve(t->deform, &opts, NULL, error) != MOTE_OK) return false;
  for (int s = 1; s <= steps; ++s) {
    mote_deform_report r;
    mote_pose pose = bar_pose(edit, (double)s / STEPS);
    double start = bench_now();
    if (mote_deform_set_pose(t->deform, t->moved, &pose, error) != MOTE_OK ||
        mote_deform_solve(t->deform, &opts, &r, error) != MOTE_OK) {
      return false;
    }
    double solved = bench_now();
    if (mote_deform_read(t->deform, t->vertex, t->normal, error) != MOTE_OK) return false;
    out->solve += (solved - start) / steps, out->mesh += (bench_now() - solved) / steps;
    out->iterations += (double)r.iterations / steps;
  }
  out->volume = bar_trial_volume(t);
  return true;
}

// Multiplications and additions of one iteration: blocks of the samples' pairs, the factor.
static double solve_operations(double nodes, double samples) {
  double pairs = 0.5 * NEIGHBOURS * (NEIGHBOURS + 1.0), n = 3.0 * nodes;
  return samples * (54.0 * pairs + 162.0 * NEIGHBOURS) + n * n * n / 3.0;
}

static void report_drag(bench *b, const bar_trial *t, const char *what, size_t nodes, int threads,
                        const drag_times *d) {
  char name[96];
  size_t n = t->mesh.vertices;
  bool dense = nodes <= 300;
  double mesh_floor = bench_floor_bytes(b, (double)n * (NEIGHBOURS * ENTRY_BYTES + VERTEX_BYTES), threads);
  // Twice the time of single precision.
  double solve_floor =
      dense ? d->iterations * 2.0 *
                  bench_floor_operations(b, solve_operations((double)nodes, 4.0 * (double)nodes), 1)
            : 0.0;
  snprintf(name, sizeof name, "%s, step", what);
  bench_line line = {.name = name, .particles = n, .threads = threads, .seconds = d->solve + d->mesh};
  line.floor = mesh_floor + solve_floor,
  line.floor_of = dense ? "table read, matrix made and factorised" : "table read";
  bench_report(b, &line);
  snprintf(name, sizeof name, "%s, solve (%.1f iterations)", what, d->iterations);
  line =
      (bench_line){.name = name, .particles = nodes, .threads = 1, .seconds = d->solve, .floor = solve_floor};
  line.floor_of = "matrix made and factorised";
  bench_report(b, &line);
  snprintf(name, sizeof name, "%s, mesh (volume %+.2f %%)", what, 100.0 * d->volume);
  line =
      (bench_line){.name = name, .particles = n, .threads = threads, .seconds = d->mesh, .floor = mesh_floor};
  line.floor_of = "table read";
  bench_report(b, &line);
}

static void run_drag(bench *b, int cells, size_t nodes, int threads, int steps, const char *const what[2]) {
  mote_deform_def def = mote_deform_def_default();
  mote_env env = mote_env_default();
  mote_error error = {0};
  bar_trial t;
  env.threads = threads, def.nodes = nodes;
  if (!bar_trial_make(&t, bench_quick(b) ? cells / 4 : cells, &def, &env, &error)) {
    bench_error(b, &error);
    return;
  }
  for (int k = 0; k < 2; ++k) {
    drag_times d;
    if (what[k] == NULL) continue;
    if (drag(&t, k == 0 ? BAR_BEND : BAR_TWIST, steps, &d, &error)) {
      report_drag(b, &t, what[k], nodes, threads, &d);
    } else {
      bench_error(b, &error);
    }
  }
  bar_trial_free(&t);
}

static void run_drags(bench *b) {
  static const char *const usual[2] = {"60 nodes, bend, goal 5 ms", "60 nodes, twist, goal 5 ms"};
  static const char *const large[2] = {"60 nodes, bend, goal 12.5 ms", NULL};
  static const char *const many[2] = {"2000 nodes, bend, goal 0.5 s", NULL};
  run_drag(b, 75, 60, 1, STEPS, usual);
  if (bench_quick(b)) return;
  run_drag(b, 167, 60, 2, STEPS, large);
  run_drag(b, 40, 2000, 1, 5, many);
}

// Everything from the mesh to the bent mesh, walked by the solver.
static void run_whole(bench *b) {
  static const struct {
    int cells;
    bar_edit edit;
    const char *name;
    double peer;
  } edits[4] = {{75, BAR_BEND, "60 nodes, whole edit, bend, goal 0.7 s", 1.35 + 5.9},
                {75, BAR_TWIST, "60 nodes, whole edit, twist, goal 0.7 s", 1.35 + 5.5},
                {167, BAR_BEND, "60 nodes, whole edit, bend, goal 4 s", 12.4 + 60.0 * 0.576},
                {167, BAR_TWIST, "60 nodes, whole edit, twist, goal 4 s", 12.4 + 60.0 * 0.518}};
  for (int k = 0; k < (bench_quick(b) ? 2 : 4); ++k) {
    mote_deform_def def = mote_deform_def_default();
    mote_env env = mote_env_default();
    mote_error error = {0};
    bar_trial t;
    env.threads = 1, def.nodes = 60;
    mote_mesh mesh;
    if (!bar_make(edits[k].cells, &mesh)) return;
    box_mesh_free(&mesh);
    double start = bench_now();
    clock_t cpu = clock();
    drag_times d;
    if (!bar_trial_make(&t, edits[k].cells, &def, &env, &error) ||
        !drag(&t, edits[k].edit, STEPS, &d, &error)) {
      bench_error(b, &error);
      return;
    }
    // The mesh of every increment is not part of the edit, but for the last.
    double seconds = bench_now() - start - d.mesh * (STEPS - 1);
    bench_line line = {.name = edits[k].name, .particles = t.mesh.vertices, .threads = 1, .seconds = seconds};
    line.peer = "libigl ARAP, to 1e-3 (101,252) or 60 iterations",
    line.peer_seconds = line.peer_cpu_seconds = edits[k].peer;
    line.cpu_seconds = (double)(clock() - cpu) / CLOCKS_PER_SEC;
    bench_report(b, &line);
    bar_trial_free(&t);
  }
}

// --- Motion
// -------------------------------------------------------------------------------------------------

// States of the bar along a line, bent and moved.
static void set_key(bar_trial *t, double bend, double x, double *out) {
  size_t n = 3 * mote_deform_nodes(t->deform);
  mote_pose pose = bar_pose(BAR_BEND, bend);
  mote_deform_reset(t->deform);
  mote_deform_set_pose(t->deform, t->moved, &pose, NULL);
  mote_deform_solve(t->deform, NULL, NULL, NULL);
  memcpy(out, mote_deform_state(t->deform), n * sizeof *out);
  for (size_t i = 0; i < n / 3; ++i) out[3 * i] += x;
}

static void report_motion(bench *b, bar_trial *t, const char *what, int keys, size_t frames,
                          const mote_deform_obstacle *obstacle) {
  mote_deform_key key[7];
  mote_deform_motion_def def = mote_deform_motion_def_default();
  mote_deform_motion *m = NULL;
  mote_deform_motion_report r;
  mote_error error = {0};
  char name[96];
  size_t n = 3 * mote_deform_nodes(t->deform);
  double *state = malloc(7 * n * sizeof *state);
  if (state == NULL) return;
  for (int k = 0; k < keys; ++k) {
    set_key(t, k == 0 ? 0.0 : k % 2 == 1 ? 0.8 : 0.2, 6.0 * k / (keys - 1), state + (size_t)k * n);
    key[k] = (mote_deform_key){.time = (double)k, .position = state + (size_t)k * n};
  }
  def.deform = t->deform, def.frames_max = frames, def.tolerance = 0.0, def.margin = 0.02;
  clock_t cpu = clock();
  double start = bench_now();
  if (mote_deform_motion_create(&def, key, (size_t)keys, obstacle, obstacle != NULL, &m, &error) != MOTE_OK ||
      mote_deform_motion_solve(m, HUGE_VAL, &r, &error) != MOTE_OK) {
    bench_error(b, &error);
  } else {
    snprintf(name, sizeof name, "%s (%zu frames, %d evaluations)", what, r.frames, r.evaluations);
    bench_line line = {.name = name, .particles = n / 3, .threads = 1, .seconds = bench_now() - start};
    line.cpu_seconds = (double)(clock() - cpu) / CLOCKS_PER_SEC;
    line.peer = "EG09s 157, 164", line.peer_seconds = line.peer_cpu_seconds = keys == 2 ? 10.0 : 16.0;
    bench_report(b, &line);
  }
  mote_deform_motion_destroy(m);
  free(state);
}

static void run_motion(bench *b) {
  static const size_t nodes[2] = {59, 66};
  for (int k = 0; k < 2; ++k) {
    mote_deform_def def = mote_deform_def_default();
    mote_env env = mote_env_default();
    mote_error error = {0};
    mote_shape_def ball = mote_shape_def_sphere(3.5, 1.9, 2.0, 0.7);
    mote_shape *shape = NULL;
    bar_trial t;
    env.threads = 1, def.nodes = nodes[k];
    if (!bar_trial_make(&t, 10, &def, &env, &error) ||
        mote_shape_create(&ball, 3, &env, &shape, &error) != MOTE_OK) {
      bench_error(b, &error);
      return;
    }
    const mote_deform_obstacle obstacle = {.shape = shape};
    if (k == 0) report_motion(b, &t, "2 keys, goal 0.5 s", 2, 25, NULL);
    if (k == 1) report_motion(b, &t, "7 keys, obstacle, goal 1 s", 7, 28, &obstacle);
    mote_shape_destroy(shape);
    bar_trial_free(&t);
  }
}

const bench_case bench_shape_cases[] = {
    {"deform-drag", "shape", "a bar dragged by its cap: solve and mesh of each step", run_drags},
    {"deform-whole", "shape", "from a mesh to the bent mesh, sampling and tables included", run_whole},
    {"motion", "shape", "motion between keys, insertion of frames included", run_motion},
    {0},
};
