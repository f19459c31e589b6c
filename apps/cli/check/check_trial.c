// The first steps of a run, measured: see check_trial.h.
#define _POSIX_C_SOURCE 200809L
#include "cli/check/check_trial.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#define TRIAL_SECONDS 0.4
#define PATIENCE_SECONDS 2.4
#define STEPS_LEAST 24      // of fluids the first ten are dear: pressure starts from nothing
#define SETTLING_RATIO 0.8  // the cost of steps that are settling, of their later half over the earlier one

double own_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double count_all(const mote_world *world) {
  return (double)mote_world_particles(world) + (double)mote_world_elastic_particles(world) +
         (double)mote_world_lattice_particles(world);
}

bool trial_begin(scene_trial *trial, const mote_world *world, double end) {
  mote_totals totals;
  trial->step = malloc(TRIAL_STEPS_MAX * sizeof *trial->step);
  if (trial->step == NULL) return false;
  trial->made = true, trial->steps = -1, trial->spent = 0, trial->end = end;
  if (trial->coarser == 0) trial->coarser = 1;
  trial->particles[0] = (double)mote_world_particles(world);
  trial->particles[1] = (double)mote_world_elastic_particles(world);
  trial->particles[2] = (double)mote_world_lattice_particles(world);
  if (mote_world_totals(world, &totals, NULL) == MOTE_OK) trial->speed = totals.speed_max;
  return true;
}

void trial_end(scene_trial *trial) {
  free(trial->step);
  *trial = (scene_trial){0};
}

// The mean of steps from a to before b.
static trial_step mean_of(const scene_trial *trial, int a, int b) {
  trial_step mean = {0};
  for (int k = a; k < b; ++k) {
    mean.seconds += trial->step[k].seconds / (b - a);
    mean.particles += trial->step[k].particles / (b - a);
  }
  return mean;
}

// Solvers that start from nothing, and matter that finds its places, make the first steps dear: pressure
// takes tens of iterations where a few will do.
static bool is_settling(const scene_trial *trial) {
  int half = trial->steps / 2;
  return half > 1 &&
         mean_of(trial, half, trial->steps).seconds < SETTLING_RATIO * mean_of(trial, 0, half).seconds;
}

bool trial_add(scene_trial *trial, const mote_world *world, double seconds) {
  bool first = trial->steps < 0;
  if (trial->step == NULL || trial->steps == TRIAL_STEPS_MAX) return false;
  trial->report = mote_world_report(world);
  if (!first) trial->spent += seconds;
  if (first)
    trial->steps = 0, trial->first_seconds += seconds;
  else
    trial->step[trial->steps++] = (trial_step){seconds, count_all(world), mote_world_time(world)};
  double most = trial->steps < STEPS_LEAST ? PATIENCE_SECONDS : TRIAL_SECONDS;
  return mote_world_time(world) < trial->end && trial->spent < most && trial->steps < TRIAL_STEPS_MAX;
}

// A line through the means of both halves, where the number of particles grows; else in proportion to it.
// Of steps that still settled in the end only the last quarter is like those to come.
double trial_step_seconds(const scene_trial *trial, double particles) {
  int half = trial->steps / 2;
  if (trial->steps <= 0) return 0;
  int from = is_settling(trial) ? trial->steps - trial->steps / 4 : half;
  trial_step last = mean_of(trial, from, trial->steps), first = half > 0 ? mean_of(trial, 0, half) : last;
  if (!(last.particles > 0)) return last.seconds;
  double each = last.seconds / last.particles;
  if (last.particles > 1.5 * first.particles)
    each = fmin(each, fmax(0, last.seconds - first.seconds) / (last.particles - first.particles));
  return fmax(0, last.seconds + each * (particles - last.particles));
}

double trial_step_rate(const scene_trial *trial) {
  int half = trial->steps / 2;
  if (trial->steps < 2) return trial->steps == 1 ? 1 / trial->step[0].time : 0;
  return (trial->steps - 1 - half) / (trial->step[trial->steps - 1].time - trial->step[half].time);
}

double trial_covered(const scene_trial *trial) {
  return trial->steps > 0 ? trial->step[trial->steps - 1].time : 0;
}
