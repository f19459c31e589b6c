// Tracked surfaces: a step of Enright's test, on one thread. Goals on a quiet Neoverse-V1: 0.010 s at
// 15.5k triangles, 0.030 s with the proof that no triangles cross, where El Topo takes 0.90 s.
#include <math.h>
#include <mote/mote.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench.h"
#include "validate/surfaces/particle_sets.h"
#include "validate/tracking/track_trial.h"

static void run_enright(bench *b) {
  mote_env env = mote_env_default();
  mote_error error = {0};
  mote_tracked *t = NULL;
  double step = 0.0, proof = 0.0, cpu_step = 0.0, cpu_proof = 0.0, triangles = 0.0,
         dt = ENRIGHT_TIME / ENRIGHT_STEPS;
  env.threads = 1;
  bool done = enright_begin(bench_quick(b) ? 0.023 : 0.0114, &env, &t, &error);
  for (int k = 0; k < ENRIGHT_STEPS && done; ++k) {
    size_t crossings;
    double start = bench_now();
    clock_t cpu = clock();
    done = mote_tracked_move(t, 4, enright_flow, NULL, k * dt, dt, &error) == MOTE_OK &&
           mote_tracked_improve(t, NULL, &error) == MOTE_OK;
    double moved = bench_now();
    clock_t cpu_moved = clock();
    done = done && mote_tracked_untangle(t, &crossings, &error) == MOTE_OK;
    step += (moved - start) / ENRIGHT_STEPS, proof += (bench_now() - moved) / ENRIGHT_STEPS;
    cpu_step += (double)(cpu_moved - cpu) / CLOCKS_PER_SEC / ENRIGHT_STEPS;
    cpu_proof += (double)(clock() - cpu_moved) / CLOCKS_PER_SEC / ENRIGHT_STEPS;
    triangles += (double)mote_tracked_triangles(t) / ENRIGHT_STEPS;
  }
  if (done) {
    bench_line line = {.name = "Enright, step, goal 0.010 s",
                       .particles = (size_t)(0.5 * triangles),
                       .threads = 1,
                       .seconds = step,
                       .triangles = (size_t)triangles};
    line.cpu_seconds = cpu_step;
    bench_report(b, &line);
    line.cpu_seconds = cpu_step + cpu_proof;
    line.name = "Enright, step with proof, goal 0.030 s", line.seconds = step + proof;
    line.peer = "El Topo, 15.5k triangles", line.peer_seconds = line.peer_cpu_seconds = 0.90;
    bench_report(b, &line);
  } else {
    bench_error(b, &error);
  }
  mote_tracked_destroy(t);
}

// --- YU11 Table 5.1 ---------------------------------------------------------------------------------------

// As many particles and edges as long beside them, in shapes like those, stretched by 2 % a frame; seconds of
// the thesis: tracking and reconstruction of a frame.
typedef struct table_row {
  const char *name, *cubes;
  mote_shape_def part[3];
  size_t parts;
  double edge, seconds;
  const char *waves[2];  // null: none there
  mote_wave_def
      law[2];    // the thesis's thin plate; that of the scene that is like it. Its spacing is the unit
  double frame;  // s
  double wave_seconds;
} table_row;

#define TABLE_FRAMES 3
#define STRETCH 0.02

typedef struct table_run {
  particle_set set;
  double *memory;  // positions and velocities at both ends of a frame
  mote_surfacer *surfacer;
  mote_track_flow *flow;
  mote_tracked *t;
  double seconds, cubes, cpu, cpu_cubes;  // of a frame; of these, the fresh surface
  double waves[2], cpu_waves[2];
} table_run;

static void place(const particle_set *set, double time, double *x, double *v) {
  double s = 1.0 + STRETCH * time, rate = STRETCH / s;
  for (size_t i = 0; i < 3 * set->count; ++i) {
    x[i] = set->position[i] * (i % 3 == 0 ? s : 1.0 / sqrt(s));
    v[i] = x[i] * rate * (i % 3 == 0 ? 1.0 : -0.5);
  }
}

// A frame of waves, which begin with what the projection moved the mesh.
static bool run_waves(table_run *r, const table_row *row, mote_error *error) {
  bool done = true;
  for (int k = 0; k < 2 && row->waves[k] != NULL && done; ++k) {
    double start = bench_now();
    clock_t cpu = clock();
    done = mote_tracked_waves(r->t, &row->law[k], row->frame, NULL, error) == MOTE_OK;
    r->waves[k] += (bench_now() - start) / TABLE_FRAMES;
    r->cpu_waves[k] += (double)(clock() - cpu) / CLOCKS_PER_SEC / TABLE_FRAMES;
  }
  return done;
}

// Frame 0 makes the mesh.
static bool run_frame(table_run *r, int k, double edge, const mote_env *env, mote_error *error) {
  size_t n = 3 * r->set.count, crossings;
  double *x0 = r->memory, *v0 = x0 + n, *x1 = x0 + 2 * n, *v1 = x0 + 3 * n;
  const mote_track_projection how = mote_track_projection_default();
  place(&r->set, k - 1, x0, v0), place(&r->set, k, x1, v1);
  mote_track_moment from = {k - 1, x0, v0, r->set.count}, to = {k, x1, v1, r->set.count};
  mote_surface_particles p = {.position = x1, .count = r->set.count};
  mote_surface fresh = {0};
  mote_track_match match;
  double start = bench_now();
  clock_t cpu = clock();
  bool done = mote_surfacer_build(r->surfacer, &p, &fresh, error) == MOTE_OK;
  double built = bench_now();
  clock_t cpu_built = clock();
  if (done && k == 0) {
    mote_track_def def = mote_track_def_default();
    def.edge = edge;
    done = mote_tracked_create(&def, &fresh, env, &r->t, error) == MOTE_OK;
  } else if (done) {
    done = mote_track_flow_set(r->flow, &from, &to, error) == MOTE_OK &&
           mote_tracked_move(r->t, 2, mote_track_flow_velocity, r->flow, k - 1, 1.0, error) == MOTE_OK &&
           mote_tracked_improve(r->t, NULL, error) == MOTE_OK &&
           mote_tracked_project(r->t, r->surfacer, &p, &how, NULL, error) == MOTE_OK &&
           mote_tracked_match(r->t, &fresh, 1.0, &match, error) == MOTE_OK &&
           ((match.changed == 0 && match.crossings == 0) ||
            mote_tracked_untangle(r->t, &crossings, error) == MOTE_OK);
    r->seconds += (bench_now() - start) / TABLE_FRAMES, r->cubes += (built - start) / TABLE_FRAMES;
    r->cpu += (double)(clock() - cpu) / CLOCKS_PER_SEC / TABLE_FRAMES;
    r->cpu_cubes += (double)(cpu_built - cpu) / CLOCKS_PER_SEC / TABLE_FRAMES;
  }
  mote_surface_free(&fresh, env);
  return done;
}

static void run_row(bench *b, const table_row *row) {
  mote_env env = mote_env_default();
  mote_error error = {0};
  table_run r = {0};
  mote_shape *shape = NULL;
  mote_shape_def all = mote_shape_def_default();
  mote_surface_def def = mote_surface_def_default();
  env.threads = bench_threads(b);
  all.kind = MOTE_SHAPE_UNION, all.part = row->part, all.parts = row->parts;
  def.spacing = 1.0, def.cell = row->edge;
  bool done = mote_shape_create(&all, 3, &env, &shape, &error) == MOTE_OK;
  if (done) r.set = particle_set_fill(shape, 1.0, 5);
  r.memory = malloc(12 * r.set.count * sizeof *r.memory + 1);
  done = done && r.memory != NULL && mote_surfacer_create(&def, &env, &r.surfacer, &error) == MOTE_OK &&
         mote_track_flow_create(1.0, MOTE_TRACK_FITTED, &env, &r.flow, &error) == MOTE_OK;
  for (int k = 0; k <= TABLE_FRAMES && done; ++k)
    done = run_frame(&r, k, row->edge, &env, &error) && (k == 0 || run_waves(&r, row, &error));
  if (done) {
    bench_line line = {.name = row->name,
                       .particles = r.set.count,
                       .threads = env.threads,
                       .seconds = r.seconds,
                       .cpu_seconds = r.cpu,
                       .triangles = mote_tracked_triangles(r.t),
                       .peer = "YU11 Table 5.1",
                       .peer_seconds = row->seconds,
                       .peer_cpu_seconds = row->seconds};
    bench_report(b, &line);
    line.name = row->cubes, line.seconds = r.cubes, line.cpu_seconds = r.cpu_cubes, line.peer = NULL;
    line.peer_seconds = line.peer_cpu_seconds = 0.0;
    bench_report(b, &line);
    line.peer = "YU11 Table 5.1", line.peer_seconds = line.peer_cpu_seconds = row->wave_seconds;
    for (int k = 0; k < 2 && row->waves[k] != NULL; ++k) {
      line.name = row->waves[k], line.seconds = r.waves[k], line.cpu_seconds = r.cpu_waves[k];
      bench_report(b, &line);
    }
  } else {
    bench_error(b, &error);
  }
  mote_tracked_destroy(r.t);
  mote_track_flow_destroy(r.flow);
  mote_surfacer_destroy(r.surfacer);
  mote_shape_destroy(shape);
  particle_set_free(&r.set);
  free(r.memory);
}

static void run_table(bench *b) {
  mote_wave_def merging = mote_wave_def_default();
  merging.strength *= 1e9, merging.damping = 4.0;  // spheres_merge, d = 1 mm
  mote_wave_def plate = merging;                   // as fast at wavelengths of 8 d
  plate.law = MOTE_WAVE_PLATE, plate.strength = merging.strength * 8.0 / (4.0 * acos(-1.0));
  const table_row row[] = {{"cube, tracking, frame",
                            "cube, marching cubes alone",
                            {mote_shape_def_box(-8, -8, -8, 8, 8, 8)},
                            1,
                            0.5,
                            0.78,
                            .waves = {NULL}},
                           {"dumbbell, tracking, frame",
                            "dumbbell, marching cubes alone",
                            {mote_shape_def_sphere(-14, 0, 0, 9), mote_shape_def_sphere(14, 0, 0, 9),
                             mote_shape_def_box(-14, -3, -3, 14, 3, 3)},
                            3,
                            0.5,
                            0.74,
                            .waves = {NULL}},
                           {"two spheres, tracking, frame",
                            "two spheres, marching cubes alone",
                            {mote_shape_def_sphere(-13, 0, 0, 11.43), mote_shape_def_sphere(13, 0, 0, 11.43)},
                            2,
                            0.5,
                            6.85,
                            {"two spheres, waves of a plate, frame", "two spheres, capillary waves, frame"},
                            {plate, merging},
                            1.0 / 200.0,
                            11.41}};
  for (size_t k = 0; k < (bench_quick(b) ? 1 : sizeof row / sizeof *row); ++k) run_row(b, &row[k]);
}

// Minutes: asked for by its name.
static void run_large(bench *b) {
  const mote_wave_def rings = {.law = MOTE_WAVE_PLATE,
                               .strength = 3e-6 * 1e8,
                               .damping = 2.0,
                               .highest = 1.0};  // crown_waves, d = 10 mm
  const table_row row[] = {
      {"three figures, tracking, frame",
       "three figures, marching cubes alone",
       {mote_shape_def_sphere(-27, 0, 0, 13.24), mote_shape_def_sphere(0, 0, 0, 13.24),
        mote_shape_def_sphere(27, 0, 0, 13.24)},
       3,
       0.25,
       65.45,
       .waves = {NULL}},
      {"crown, tracking, frame",
       "crown, marching cubes alone",
       {mote_shape_def_box(-42, -28, -42, 42, 0, 42), mote_shape_def_sphere(0, 12, 0, 8.34)},
       2,
       0.37,
       85.41,
       {"crown, waves of a plate, frame", NULL},
       {rings, rings},
       1.0 / 150.0,
       24.57}};
  for (size_t k = 0; k < (bench_quick(b) ? 1 : sizeof row / sizeof *row); ++k) run_row(b, &row[k]);
}

const bench_case bench_track_cases[] = {
    {"track-enright", "track", "a tracked surface, drawn out to a thin sheet and back", run_enright},
    {"track-table", "track", "a frame of tracking, three examples of YU11 Table 5.1", run_table},
    {"track-large", "track-large", "the same, the two largest", run_large},
    {0},
};
