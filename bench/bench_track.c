// Tracked surfaces: a step of Enright's test, on one thread. Goals on a quiet Neoverse-V1: 0.010 s at
// 15.5k triangles, 0.030 s with the proof that no triangles cross, where El Topo takes 0.90 s.
#include <mote/track.h>
#include <stdio.h>
#include <time.h>

#include "bench.h"
#include "track_trial.h"

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

const bench_case bench_track_cases[] = {
    {"track-enright", "track", "a tracked surface, drawn out to a thin sheet and back", run_enright},
    {0},
};
