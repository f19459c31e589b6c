// Pressures of particles and wall samples, and the accelerations they cause: EG09 (51) with walls.
#ifndef MOTE_PRESSURE_H
#define MOTE_PRESSURE_H

#include <math.h>

#include "fluid/gradient_correction.h"
#include "fluid/tuning.inc"
#include "rows/solve_row.h"

typedef struct mote_pressures {
  float *pressure_volume;                            // V P of each particle, P = p / D^2; and 0 for the dummy
  float *wall_pressure_volume[MOTE_BOUNDARY_PARTS];  // of each sample with fluid neighbours, and the dummy
  const mote_gradient_fix *fix;  // L of each particle in rates and forces (consistent.h); null: none
  mote_columns *matrix;          // with it: V P L of each particle; and 0 for the dummy
  mote_flow *flow;               // V times a vector of each particle; and 0 for the dummy
} mote_pressures;

mote_result mote_pressures_take(mote_pressures *pressures, mote_fluid *fluid, mote_error *error);
// Rates and forces are corrected afterwards, where the fluid has correction matrices.
mote_result mote_pressures_correct(mote_pressures *pressures, mote_fluid *fluid, mote_error *error);

static inline mote_pressure_view mote_pressures_view(const mote_pressures *pressures, const mote_fluid *f) {
  return (mote_pressure_view){.pairs = f->pairs,
                              .volume = f->volume,
                              .mobility = f->mobility,
                              .gradient = f->gradient,
                              .wall = f->wall,
                              .pressure_volume = pressures->pressure_volume,
                              .fix = pressures->fix,
                              .matrix = pressures->matrix,
                              .flow = pressures->flow,
                              .velocity = f->velocity};
}

// flow = V v, of the velocities.
void mote_pressures_flow(const mote_pressures *pressures, const mote_fluid *fluid);

// flow = V a.
void mote_pressures_accelerate(const mote_pressures *pressures, const mote_fluid *fluid);

// velocity += dt flow / V.
void mote_pressures_kick(const mote_pressures *pressures, mote_fluid *fluid, double dt);

// Projected gradients (docs/theory/fluids.md, "Convergence"), with the sums of rows/solve_row.h: Barzilai &
// Borwein's step lengths, the long and the short one alternating. An error that has grown lies
// in few directions, which the short step corrects.
static inline float mote_descent_length(const double *sum, bool may_be_long) {
  if (!(sum[MOTE_DESCENT_CURVE] > 0.0)) return 1.0f;
  double length = may_be_long ? sum[MOTE_DESCENT_LENGTH] / sum[MOTE_DESCENT_CURVE]
                              : sum[MOTE_DESCENT_CURVE] / sum[MOTE_DESCENT_BEND];
  return (float)fmin(fmax(length, MOTE_DESCENT_STEP_MIN), MOTE_DESCENT_STEP_MAX);
}

#endif
