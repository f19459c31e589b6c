// Individual time steps: DES96 5.2, docs/theory/time_steps.md. All particles are synchronous at the beginning
// and end of a block of time. The step of a particle is the block's length over 2^level, and begins at a
// multiple of itself. A tick is the shortest present step: in each tick all particles move, and those whose
// step begins are active: their forces are evaluated, and they choose their next step.
//
// The stages of a tick, with those of fluid.h between them:
//   mote_individual_steps_begin  active particles, and the velocities for the evaluation of forces
//   mote_fluid_prepare, mote_fluid_forces
//   mote_individual_steps_kick   by the pressure solve, after accelerations: levels and velocities
//   mote_individual_steps_tick   length of this tick
//   the world moves the particles
//   mote_individual_steps_drift  densities advance at their last rate
#ifndef MOTE_INDIVIDUAL_STEPS_H
#define MOTE_INDIVIDUAL_STEPS_H

#include "fluid/pressure.h"

#define MOTE_STEPS_FINEST 20                                 // level
#define MOTE_STEPS_BLOCK (UINT64_C(1) << MOTE_STEPS_FINEST)  // units of time in a block
#define MOTE_LEVEL_NONE 255                                  // no step yet: velocities are current
#define MOTE_LEVEL_WAKE 128                                  // added to the level: to be woken

struct mote_individual_steps {
  // State of each particle, in the store.
  uint8_t *level, *surface;
  float *kick;     // the acceleration of the last evaluation
  float *density;  // D of the last evaluation, advanced since
  float *rate;     // dD/dt
  float *slope;    // of D - 1; null where densities are summed
  float *drift;    // the velocities with which particles move: those of the middle of their steps
  double *position;
  float *wall_distance;  // 0 where a position was corrected

  // Of the tick: the world's.
  bool together;               // a block begins
  bool cut;                    // and the last one was cut short: all particles are woken
  double length;               // of the block, s; at its beginning that of the last one
  uint64_t at;                 // elapsed units of the block; if it was cut, of the last one
  double last;                 // length of the last tick, s
  double left;                 // the longest block, s
  double factor;               // of all limits
  double longest;              // longest tick allowed by walls, emitters and bodies, s
  double longest_near_walls;   // longest step of particles near moving walls, s
  uint8_t *near_moving_walls;  // marks of these particles; null: none

  // Results of mote_individual_steps_kick and mote_individual_steps_tick.
  int finest;     // level of the tick; before, of the last one
  uint64_t tick;  // units
  double step;    // s
};

// Wakes marked particles; writes fluid->active, active_count, is_active, and velocity (in scratch memory).
mote_result mote_individual_steps_begin(mote_fluid *fluid, mote_error *error);

// pressures->flow is V times the acceleration by pressure. Writes level, kick, drift, density, length,
// finest; from then on fluid->velocity is drift.
mote_result mote_individual_steps_kick(mote_fluid *fluid, const mote_pressures *pressures, mote_error *error);

// Writes tick and step.
void mote_individual_steps_tick(mote_individual_steps *steps);

// After the motion: density += step rate, and compression where it is followed.
void mote_individual_steps_drift(mote_fluid *fluid);

// The length of a step of this level in a block of `length`.
static inline double mote_level_step(double length, int level) {
  return length / (double)(UINT64_C(1) << (level < MOTE_STEPS_FINEST ? level : MOTE_STEPS_FINEST));
}

static inline uint64_t mote_level_units(int level) {
  return MOTE_STEPS_BLOCK >> (level < MOTE_STEPS_FINEST ? level : MOTE_STEPS_FINEST);
}

#endif
