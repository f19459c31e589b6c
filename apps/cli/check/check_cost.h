// What a scene will cost: particles, memory, steps, time, disk. Estimates, within a factor of two.
#ifndef MOTE_CHECK_COST_H
#define MOTE_CHECK_COST_H

#include <mote/world.h>

#include "cli/check/check_budget.h"

typedef struct scene_cost {
  double bodies, emitted;  // particles
  size_t rigid;            // bodies
  double elastic;          // particles of elastic bodies
  int elastic_steps;       // of them in a step of the world; 0: not known
  bool implicit;           // they are
  double lattice;          // particles of lattices
  int lattice_steps;       // substeps of them in a step of the world; 0: not known
  double samples;          // of walls, colliders and rigid bodies in fluids, about
  double bytes;            // of memory, where it is most
  double speed;            // the fastest to be expected, m/s
  double sound;            // of WCSPH, m/s; 0: none
  double viscosity;        // of the method, m^2/s; 0: nothing flows
  double length;           // of the fluid: the largest extent of its bodies, m; 0: there are none
  double step;             // s
  const char *limit;       // what makes it so short: "speed", "viscosity", "sound", "solver.step_max"
  double steps, seconds;
  size_t frames, written;            // those with files
  double files, pictures, surfaces;  // bytes on disk
  double surface_seconds;            // in `seconds`
  bool measured;                     // time and memory are of the world itself, not of one like it
  mote_error failure;                // of its first steps, which then are not known to take any time
} scene_cost;

// `world`, made with `memory`; null: it is too large to be made for this.
scene_cost scene_cost_estimate(const mote_scene *scene, mote_world *world, budget *memory);

// Bytes to set it up, about.
double scene_cost_setup_bytes(const mote_scene *scene);

// Bytes of one particle in a file of that format.
double scene_cost_record(const mote_scene *scene, const mote_world *world, const char *format);
double scene_cost_elastic_record(const char *format);  // an elastic one

#endif
