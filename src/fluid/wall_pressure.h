// Walls of incompressible fluids (docs/theory/fluids.md, "Walls"). A sample has room for fluid, F = 1 - own,
// and there is S_b = sum_j V_j W_bj of it near. It counts as it is filled: as V_b r(S_b) in the density of
// particles, D_i = V_i W(0) + sum_j V_j W_ij + sum_b V_b r_b W_ib, with
//   r = 1 + (S - F) / f        where S < f,  f = F, or a little where there is less,
//   r = 3 - F / f - f / S      where it is crowded: no more than 3.
// The force that belongs to the rate of this density gives samples pressures that are sums over the fluid
// near,
//   P_b = r'(S_b) sum_j V_j W_bj P_j,
// a mean where the wall is full; and what is wrong at a sample counts at the particles it has its pressure
// of.
#ifndef MOTE_WALL_PRESSURE_H
#define MOTE_WALL_PRESSURE_H

#include "fluid/pressure.h"
#include "pairs/wall_filled.h"

typedef struct mote_wall_means {
  const mote_fluid *fluid;
  float *wrong[MOTE_BOUNDARY_PARTS];  // share times what is wrong; and 0 for the dummy
  float *sum;                         // of each particle: sum_b W_ib wrong_b
  float *matrix;                      // of each particle: a bound of A_ii
} mote_wall_means;

mote_result mote_wall_means_take(mote_wall_means *means, mote_fluid *fluid, mote_error *error);

// The walls' push of the particles'.
void mote_wall_means_push(const mote_wall_means *means, const mote_pressures *pressures);

// What is wrong at sample b of walls[part].
typedef float mote_wall_wrong(const void *data, int part, size_t b);

// Writes sum.
void mote_wall_means_gather(const mote_wall_means *means, mote_wall_wrong *wrong, const void *data);

#endif
