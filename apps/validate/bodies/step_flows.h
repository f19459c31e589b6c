// Flows on which individual steps are judged (validate_steps.c) and timed (bench_ticks.c).
#ifndef MOTE_STEP_FLOWS_H
#define MOTE_STEP_FLOWS_H

#include <mote/world.h>

typedef enum step_flow {
  STEP_FALL,    // DES96 figure 6: a quasi-liquid falls onto a floor
  STEP_IMPACT,  // a ball of 20 m/s into a pool at rest whose sound has 3.2 m/s
  STEP_TOOL,    // DES96 figure 4: a tool of 20 m/s through a body at rest, sound 2 m/s
  STEP_STIFF,   // two fluids, sound five times as fast in the upper
  STEP_DAM,     // a dam break: all have the steps of sound
  STEP_FLOWS
} step_flow;

// One run of it, and what became of it. Lengths are cut by the factor `size`.
typedef struct step_run {
  step_flow flow;
  double size;
  mote_steps_kind steps;
  const struct step_run *half_of;  // steps half as long as another run's; null: as they come
  // Found:
  double spacing;
  size_t count;
  double *position;  // by id; the caller's to free
  mote_totals totals, before;
  double wall, cpu;  // s
} step_run;

const char *step_flow_name(step_flow flow);
mote_result step_run_do(step_run *run, const mote_env *env, mote_error *error);

// The root mean square of distances between particles, in spacings.
double step_run_distance(const step_run *a, const step_run *b);

#endif
