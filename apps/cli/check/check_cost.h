// What a scene will cost: particles, memory, steps, time, disk. Tested within a factor of 2.5 in time and of
// 1.5 in memory (tests/checks/estimates.sh).
#ifndef MOTE_CHECK_COST_H
#define MOTE_CHECK_COST_H

#include <mote/world.h>

#include "cli/check/check_trial.h"

typedef struct scene_cost {
  double bodies, emitted;  // particles
  size_t rigid;            // bodies
  double elastic;          // particles of elastic bodies
  bool implicit;           // their steps are
  double lattice;          // particles of lattices
  double samples;          // of walls, colliders and rigid bodies in fluids, about
  double bytes;            // of memory, where it is most
  double speed;            // the fastest to be expected, m/s
  double sound;            // of WCSPH, m/s; 0: none
  double viscosity;        // of the method, m^2/s; 0: nothing flows
  double length;           // of the fluid: the largest extent of its bodies, m; 0: there are none
  double step;             // s
  const char *limit;       // what makes it so short: "speed", "viscosity", "sound", "solver.step_max"
  double steps, seconds;
  double known;                      // s of simulated time up to which seconds is: then something may break
  size_t frames, written;            // those with files
  double files, pictures, surfaces;  // bytes on disk
} scene_cost;

// `world` is the one of the trial, or null.
scene_cost scene_cost_estimate(const mote_scene *scene, const mote_world *world, const scene_trial *trial);

// Bytes to set it up, about.
double scene_cost_setup_bytes(const mote_scene *scene);

#endif
