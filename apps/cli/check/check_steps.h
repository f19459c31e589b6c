// The steps of a run, by the speeds that its definitions let expect.
#ifndef MOTE_CHECK_STEPS_H
#define MOTE_CHECK_STEPS_H

#include <mote/scene.h>

#define STEP_TIMES 64  // equal parts of a run, in whose middles the speed is looked at

typedef struct step_plan {
  double duration;          // s
  double speed;             // the fastest to be expected, m/s
  double sound;             // of WCSPH, m/s; 0: none
  double step;              // the shortest, s
  const char *limit;        // what makes it so short: "speed", "viscosity", "sound", "solver.step_max"
  double rate[STEP_TIMES];  // steps a second of simulated time
} step_plan;

// `start`: the speed at the beginning, m/s. `flows`: fluids or lattices are there; `fluid`: so are fluids, or
// will be; `limited`: speed limits steps, as it does not where contact is swept, of rigid bodies alone.
step_plan plan_steps(const mote_scene *scene, double start, bool flows, bool fluid, bool limited);

// Steps from the time `from` to the end, with at least `least` a second.
double plan_count(const step_plan *plan, double from, double least);

#endif
