// Individual time steps against one step for all: what they save, and what that is worth by the clock.
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "validate/bodies/step_flows.h"

#define NAME 160

// The quicker of a few runs, which take turns.
static bool race(bench *b, step_run run[2], int rounds) {
  mote_env env = mote_env_default();
  env.threads = bench_threads(b);
  for (int n = 0; n < 2 * rounds; ++n) {
    step_run next = run[n % 2];
    mote_error error;
    next.position = NULL;
    mote_result result = step_run_do(&next, &env, &error);
    free(next.position);
    next.position = NULL;
    if (result) {
      bench_error(b, &error);
      return false;
    }
    if (n < 2 || next.cpu < run[n % 2].cpu) run[n % 2] = next;
  }
  return true;
}

static void run_ticks(bench *b) {
  for (int k = 0; k < STEP_FLOWS; ++k) {
    double size = bench_quick(b) ? 1.0 : 0.5;
    step_run run[2] = {{.flow = (step_flow)k, .size = size, .steps = MOTE_STEPS_GLOBAL},
                       {.flow = (step_flow)k, .size = size, .steps = MOTE_STEPS_INDIVIDUAL}};
    if (!race(b, run, bench_quick(b) ? 1 : 3)) continue;
    for (int n = 0; n < 2; ++n) {
      char name[NAME];
      double all = (double)run[0].totals.step * (double)run[0].count,
             made = (double)run[1].totals.evaluations;
      if (n == 0) {
        snprintf(name, sizeof name, "%s: global steps", step_flow_name((step_flow)k));
      } else {
        snprintf(name, sizeof name,
                 "  individual: %.2f times fewer evaluations, %.2f times as fast (CPU %.2f)", all / made,
                 run[0].wall / run[1].wall, run[0].cpu / run[1].cpu);
      }
      bench_report(b, &(bench_line){.name = name,
                                    .particles = run[n].count,
                                    .threads = bench_threads(b),
                                    .seconds = run[n].wall,
                                    .cpu_seconds = run[n].cpu});
    }
  }
}

const bench_case bench_tick_cases[] = {
    {"ticks", "world", "individual time steps against one step for all", run_ticks},
    {NULL, NULL, NULL, NULL},
};
