// Validation: individual time steps (DES96 5.2; docs/theory/time_steps.md). The same motion as with one step
// for all within what that itself is wrong by, with fewer evaluations where limits differ; momentum.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "validate/bodies/step_flows.h"
#include "validate/validate.h"

static double length2(const double x[3]) {
  return sqrt(x[0] * x[0] + x[1] * x[1]);
}

// The falling liquid and the dam are the same on a coarser packing; few others would be hit by the ball or
// tool.
static double size_of(const validation *v, step_flow flow) {
  if (validation_release(v)) return 0.5;
  return validation_quick(v) && (flow == STEP_FALL || flow == STEP_DAM) ? 2.0 : 1.0;
}

// Individual, global, and global with steps half as long; false where one failed.
static bool run_three(validation *v, step_flow flow, step_run run[3]) {
  mote_error error;
  for (int k = 0; k < 3; ++k) {
    run[k] = (step_run){.flow = flow,
                        .size = size_of(v, flow),
                        .steps = k == 0 ? MOTE_STEPS_INDIVIDUAL : MOTE_STEPS_GLOBAL,
                        .half_of = k == 2 ? &run[1] : NULL};
    if (step_run_do(&run[k], validation_env(v), &error) == MOTE_OK) continue;
    validation_error(v, &error);
    return false;
  }
  return true;
}

// Momentum along x that nothing gives: all but the dam is symmetric.
static double stray(const step_run *run) {
  double most = run->before.mass * 1e-9;
  most = fmax(most, fmax(length2(run->before.momentum), length2(run->totals.momentum)));
  return fabs(run->totals.momentum[0]) / most;
}

static void judge(validation *v, step_flow flow, double saved) {
  step_run run[3] = {{.count = 0}};
  if (run_three(v, flow, run)) {
    const mote_totals *own = &run[0].totals;
    char name[96];
    const char *of = step_flow_name(flow);
    double error = step_run_distance(&run[1], &run[2]);
    snprintf(name, sizeof name, "%s: evaluations saved", of);
    validation_report(
        v, &(measure){name, MEASURE_AT_LEAST, (double)own->evaluations_all / (double)own->evaluations, saved,
                      0.0, "DES96 5.2: forces only when needed"});
    snprintf(name, sizeof name, "%s: ticks over global steps", of);
    validation_report(v, &(measure){name, MEASURE_SHOWN, (double)own->step / (double)run[1].totals.step, 1.0,
                                    0.0, "shown: by powers of two"});
    snprintf(name, sizeof name, "%s: evaluations over global's", of);
    validation_report(
        v, &(measure){name, MEASURE_SHOWN,
                      (double)own->evaluations / ((double)run[1].totals.step * (double)run[1].count), 1.0,
                      0.0, "shown"});
    // Global steps are of order 1: those half as long are half as wrong.
    snprintf(name, sizeof name, "%s: distance to half steps, d", of);
    validation_report(v, &(measure){name, MEASURE_NEAR, step_run_distance(&run[0], &run[2]), 0.0, 2.0 * error,
                                    "the error of global steps"});
    snprintf(name, sizeof name, "%s: global's, d", of);
    validation_report(v, &(measure){name, MEASURE_SHOWN, error, 0.0, 0.0, "shown: half of their error"});
    snprintf(name, sizeof name, "%s: momentum sideways", of);
    measure row = {name, MEASURE_NEAR, stray(&run[0]), 0.0, 1e-2, "0 by symmetry; not kept exactly"};
    if (flow != STEP_DAM) validation_report(v, &row);
  }
  for (int k = 0; k < 3; ++k) free(run[k].position);
}

void validate_steps_fall(validation *v) {
  judge(v, STEP_FALL, 1.0);
}
void validate_steps_impact(validation *v) {
  judge(v, STEP_IMPACT, 2.0);
}
void validate_steps_tool(validation *v) {
  judge(v, STEP_TOOL, 2.0);
}
void validate_steps_stiff(validation *v) {
  judge(v, STEP_STIFF, 2.0);
}
void validate_steps_dam(validation *v) {
  judge(v, STEP_DAM, 1.0);
}
