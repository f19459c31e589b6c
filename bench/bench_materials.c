// Virtual materials (WIC06 Figs. 5-7): whole steps of worlds, of dice that fall on each other, goo that
// freezes on a rod and chocolate that melts.
#include <mote/io.h>
#include <mote/world.h>
#include <stdio.h>
#include <time.h>

#include "bench.h"
#include "cli/base/scene_open.h"

#define PEER "WIC06 7, P4 3 GHz, 2006"
#define FRAME 0.04  // s
#define SETS_MAX 4

// A scene, what is changed of it, and from when on frames are timed.
typedef struct material_run {
  const char *scene;
  const char *set[SETS_MAX];
  size_t sets;
  double begin;  // s
  int frames;
  double peer_seconds;  // a frame
} material_run;

typedef struct frame_times {
  double seconds, cpu, substeps;  // of a frame
} frame_times;

static mote_result time_frames(mote_world *world, double begin, int frames, frame_times *out,
                               mote_error *error) {
  *out = (frame_times){0};
  mote_result result = mote_world_advance(world, begin, error);
  double start = bench_now();
  clock_t cpu = clock();
  for (int k = 0; k < frames && !result; ++k) {
    double until = begin + FRAME * (k + 1);
    while (mote_world_time(world) < until && !result) {
      result = mote_world_step(world, until, error);
      out->substeps += mote_world_report(world).lattice_steps;
    }
  }
  out->seconds = (bench_now() - start) / frames, out->substeps /= frames;
  out->cpu = (double)(clock() - cpu) / CLOCKS_PER_SEC / frames;
  return result;
}

static void report(bench *b, const material_run *run, const mote_world *world, int threads, frame_times t) {
  char name[128];
  size_t lattice = mote_world_lattice_particles(world), all = lattice + mote_world_particles(world);
  snprintf(name, sizeof name, "%s: a frame of 1/25 s, %.0f substeps of %zu", run->scene, t.substeps, lattice);
  if (all == lattice)
    snprintf(name, sizeof name, "%s: a frame of 1/25 s, %.0f substeps, %.2f us of CPU a particle and substep",
             run->scene, t.substeps, 1e6 * t.cpu / (t.substeps * (double)lattice));
  bench_report(b, &(bench_line){.name = name,
                                .particles = all,
                                .threads = threads,
                                .seconds = t.seconds,
                                .cpu_seconds = t.cpu,
                                .bytes = mote_world_bytes(world),
                                .peer = PEER,
                                .peer_seconds = run->peer_seconds,
                                .peer_cpu_seconds = run->peer_seconds});
}

static void time_run(bench *b, const material_run *run, int threads) {
  mote_env env = mote_env_default();
  mote_scene_file *file = NULL;
  mote_world *world = NULL;
  mote_error error;
  frame_times times;
  env.threads = threads;
  mote_result result = scene_find(run->scene, run->set, run->sets, &env, &file, &error);
  if (!result) result = mote_world_create_scene(mote_scene_file_scene(file), &env, &world, &error);
  if (!result) result = time_frames(world, run->begin, bench_quick(b) ? 1 : run->frames, &times, &error);
  if (result) {
    bench_error(b, &error);
  } else {
    report(b, run, world, threads, times);
  }
  mote_world_destroy(world);
  mote_scene_file_destroy(file);
}

static void time_both(bench *b, const material_run *run) {
  time_run(b, run, 1);
  if (bench_threads(b) > 1) time_run(b, run, bench_threads(b));
}

// In WIC06 dice of 246 particles (E = 1 MPa), 7,600 of goo and 9,871 of chocolate (E = 0.1 MPa).
static void run_dice(bench *b) {
  time_both(b, &(material_run){.scene = "dice", .begin = 0.16, .frames = 10, .peer_seconds = 19.0});
}

static void run_goo(bench *b) {
  time_both(b,
            &(material_run){.scene = "goo_freezes",
                            .set = {"spacing=0.0045", "emitters.spout.speed=1", "emitters.spout.radius=0.02"},
                            .sets = 3,
                            .begin = 0.4,
                            .frames = 3,
                            .peer_seconds = 18.0});
}

static void run_chocolate(bench *b) {
  time_both(b, &(material_run){.scene = "chocolate_melts",
                               .set = {"spacing=0.00312"},
                               .sets = 1,
                               .begin = 0.4,
                               .frames = 3,
                               .peer_seconds = 17.0});
}

const bench_case bench_material_cases[] = {
    {"dice", "materials", "nine dice of lattices that fall on each other", run_dice},
    {"goo", "materials", "goo that freezes on a rod", run_goo},
    {"chocolate", "materials", "a figure of chocolate that melts on hot ground", run_chocolate},
    {NULL, NULL, NULL, NULL},
};
