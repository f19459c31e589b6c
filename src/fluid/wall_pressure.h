// Walls of incompressible fluids (docs/theory/fluids.md, "Walls"). A sample has the capacity F = 1 - own
// for fluid, of which S_b = sum_j V_j W_bj is filled. It counts by its fill ratio, as V_b r(S_b), in the
// density of particles, D_i = V_i W(0) + sum_j V_j W_ij + sum_b V_b r_b W_ib, with
//   r = 1 + (S - F) / f        where S < f,  f = max(F, MOTE_WALL_CAPACITY_MIN),
//   r = 3 - F / f - f / S      where fluid is too dense: at most 3.
// The force that is adjoint to the rate of this density gives samples pressures that are sums over the
// neighbouring particles,
//   P_b = r'(S_b) sum_j V_j W_bj P_j,
// a mean where the wall is full; the error at a sample is distributed to the particles that determine
// its pressure.
#ifndef MOTE_WALL_PRESSURE_H
#define MOTE_WALL_PRESSURE_H

#include "fluid/pressure.h"

typedef struct mote_wall_pressure {
  const mote_fluid *fluid;
  float *error[MOTE_BOUNDARY_PARTS];  // share times the error of each sample; and 0 for the dummy
  float *sum;                         // of each particle: sum_b W_ib wrong_b
  float *matrix;                      // of each particle: a bound of A_ii, with what bodies add
} mote_wall_pressure;

// fluid->matrix, once a step.
mote_result mote_wall_pressure_prepare(mote_fluid *fluid, mote_error *error);
mote_result mote_wall_pressure_take(mote_wall_pressure *wall_pressure, mote_fluid *fluid, mote_error *error);

// Writes wall_pressure_volume from the particles' pressure_volume.
void mote_wall_pressure_set(const mote_wall_pressure *wall_pressure, const mote_pressures *pressures);

// Adds to the pressures of bodies' samples the weight of the fluid between them and the particles of which
// they have the mean.
void mote_wall_pressure_add_weight(const mote_pressures *pressures, const mote_fluid *fluid);

// Writes sum from error.
void mote_wall_pressure_gather(const mote_wall_pressure *wall_pressure);

#endif
