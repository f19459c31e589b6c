// Bodies that break, of the sizes of EG09s 110 and 123: whole frames of worlds, with the surfaces of all
// pieces. Goal: at most 0.5 s a frame on average on 2 threads, where EG09s has 22 and 23 s (2005).
#include <math.h>
#include <mote/io.h>
#include <mote/world.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "cli/base/scene_open.h"

#define GOAL 0.5  // s a frame
#define SETS_MAX 4

typedef struct fracture_run {
  const char *name, *scene, *body;
  const char *text;  // of the scene; null: a built-in one
  const char *set[SETS_MAX];
  size_t sets;
  double edge;  // of the surface's grid, m
  int frames;   // all from the beginning
  const char *peer;
  double peer_seconds;  // a frame
} fracture_run;

typedef struct fracture_times {
  double sum, surface, worst, cpu;  // s: of all frames; of surfaces in them; of the longest; of all threads
  int worst_frame;
  size_t particles[2], points[2];  // at the beginning and at the end
  size_t fragments, stretched;     // at the end; triangles more than 3 times as long as at rest
} fracture_times;

static size_t count_particles(const mote_world *world) {
  mote_totals totals;
  mote_error error;
  return mote_world_totals(world, &totals, &error) == MOTE_OK ? totals.elastic_particles : 0;
}

static size_t count_fragments(const mote_fragments_view *view) {
  size_t found = 0;
  for (uint32_t f = 0; f < view->fragments; ++f) {
    size_t t = 0;
    while (t < view->mesh.triangles && view->fragment[t] != f) ++t;
    found += t < view->mesh.triangles;
  }
  return found;
}

// One frame: steps, then the surface. The first one also makes the surface's grid.
static mote_result do_frame(mote_world *world, const fracture_run *run, double until,
                            mote_world_pieces **pieces, double *surface, mote_error *error) {
  mote_result result = mote_world_advance(world, until, error);
  double begun = bench_now();
  if (!result && *pieces != NULL) {
    result = mote_world_pieces_update(*pieces, world, error);
  } else if (!result) {
    result =
        mote_world_pieces_create(world, mote_world_find_body(world, run->body), run->edge, pieces, error);
  }
  *surface += bench_now() - begun;
  return result;
}

static mote_result time_frames(mote_world *world, const fracture_run *run, double frame, int frames,
                               fracture_times *out, mote_error *error) {
  mote_world_pieces *pieces = NULL;
  mote_result result = MOTE_OK;
  *out = (fracture_times){.particles = {count_particles(world), 0}};
  clock_t cpu = clock();
  for (int k = 0; k < frames && !result; ++k) {
    double begun = bench_now();
    result = do_frame(world, run, frame * (k + 1), &pieces, &out->surface, error);
    double seconds = bench_now() - begun;
    out->sum += seconds;
    if (seconds > out->worst) out->worst = seconds, out->worst_frame = k + 1;
    mote_fragments_view view = mote_world_pieces_look(pieces);
    out->points[k > 0] = view.mesh.vertices, out->fragments = result ? 0 : count_fragments(&view);
  }
  out->cpu = (double)(clock() - cpu) / CLOCKS_PER_SEC;
  out->particles[1] = count_particles(world);
  out->stretched = mote_world_pieces_stretched(pieces, 3.0);
  mote_world_pieces_destroy(pieces);
  return result;
}

static void report(bench *b, const fracture_run *run, int threads, int frames, const fracture_times *t,
                   size_t bytes) {
  char name[320];
  double mean = t->sum / frames;
  const char *goal = threads < 2 ? "" : mean <= GOAL ? ", goal 0.5 s met" : ", goal 0.5 s missed";
  snprintf(name, sizeof name,
           "%s, %d frames: %zu to %zu particles, %zu to %zu surface points, %zu pieces, %zu triangles "
           "stretched; a frame %.2f s (surface %.2f), worst %.2f (no. %d)%s",
           run->name, frames, t->particles[0], t->particles[1], t->points[0], t->points[1], t->fragments,
           t->stretched, mean, t->surface / frames, t->worst, t->worst_frame, goal);
  bench_report(b, &(bench_line){.name = name,
                                .particles = t->particles[1],
                                .threads = threads,
                                .seconds = mean,
                                .cpu_seconds = t->cpu / frames,
                                .bytes = bytes,
                                .peer = run->peer,
                                .peer_seconds = run->peer_seconds,
                                .peer_cpu_seconds = run->peer_seconds});
}

static mote_result open_scene(const fracture_run *run, const mote_env *env, mote_scene_file **file,
                              mote_error *error) {
  if (run->text == NULL) return scene_find(run->scene, run->set, run->sets, env, file, error);
  return mote_scene_parse(run->text, strlen(run->text), run->scene, run->set, run->sets, env, file, error);
}

static void time_run(bench *b, const fracture_run *run) {
  mote_env env = mote_env_default();
  mote_scene_file *file = NULL;
  mote_world *world = NULL;
  mote_error error;
  fracture_times times;
  int frames = bench_quick(b) ? 2 : run->frames;
  env.threads = bench_threads(b);
  mote_result result = open_scene(run, &env, &file, &error);
  if (!result) result = mote_world_create_scene(mote_scene_file_scene(file), &env, &world, &error);
  if (!result)
    result = time_frames(world, run, 1.0 / mote_scene_file_scene(file)->fps, frames, &times, &error);
  if (result) {
    bench_error(b, &error);
  } else {
    report(b, run, env.threads, frames, &times, mote_world_bytes(world));
  }
  mote_world_destroy(world);
  mote_scene_file_destroy(file);
}

// 2.2k to 3.3k particles, 134k to 144k surface points.
static const char clay_text[] =
    "spacing: 12.4 mm\n"
    "duration: 1.6 s\n"
    "gravity: [0, 0, 0]\n"
    "domain: {low: [-0.5, -0.2, -0.2], high: [0.5, 0.2, 0.2]}\n"
    "materials:\n"
    "  clay: {density: 1700, young: 300 kPa, poisson: 0.35, yield_strain: 0.03, strain_damping: 5 ms, "
    "renew_strain: 0.3, integrator: implicit, strength: 18 kPa, toughness: 400, weak_spots: 0.05}\n"
    "bodies:\n"
    "  bar:\n"
    "    material: clay\n"
    "    shape:\n"
    "      difference:\n"
    "        - {box: {centre: [0, 0, 0], size: [0.36, 0.14, 0.09]}}\n"
    "        - {capsule: {from: [0, 0.2, -1], to: [0, 0.2, 1], radius: 0.15}}\n"
    "        - {capsule: {from: [0, -0.2, -1], to: [0, -0.2, 1], radius: 0.15}}\n"
    "    hold:\n"
    "      - {shape: {box: {centre: [-0.17, 0, 0], size: [0.06, 0.2, 0.2]}}, motion: {move: [-0.04*t*(1 + "
    "t), 0, 0]}}\n"
    "      - {shape: {box: {centre: [0.17, 0, 0], size: [0.06, 0.2, 0.2]}}, motion: {move: [0.04*t*(1 + t), "
    "0, 0]}}\n"
    "solver: {step_max: 10 ms}\n";

static void run_ductile(bench *b) {
  time_run(b, &(fracture_run){.name = "clay",
                              .scene = "torn bar of clay",
                              .body = "bar",
                              .text = clay_text,
                              .edge = 0.00287,
                              .frames = 40,
                              .peer = "EG09s 110, 2005",
                              .peer_seconds = 23.0});
}

// 4.3k to 6.5k particles, 249k to 310k surface points. With the strength and speed of the scene itself its
// cracks would have more than twice as many points.
static void run_brittle(bench *b) {
  time_run(b, &(fracture_run){.name = "stone",
                              .scene = "stone_pig",
                              .body = "pig",
                              .set = {"spacing=0.017", "materials.stone.strength=1e6",
                                      "bodies.pig.velocity=[0, -5.5, 0]"},
                              .sets = 3,
                              .edge = 0.00445,
                              .frames = 15,
                              .peer = "EG09s 123, 2005",
                              .peer_seconds = 22.0});
}

const bench_case bench_fracture_cases[] = {
    {"clay_torn", "fracture", "a bar of clay is torn, with the surface of its pieces", run_ductile},
    {"stone_broken", "fracture", "a hollow figure of stone breaks, with the surface of its pieces",
     run_brittle},
    {NULL, NULL, NULL, NULL},
};
