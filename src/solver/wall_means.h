// Walls of incompressible fluids (docs/theory/fluids.md, "Walls"). A sample has room for fluid, F_b = 1 -
// own_b, and there is S_b = sum_j V_j W_bj of it near. It counts as it is filled, as much as
//   V_b r_b,  r_b = 1 + (S_b - F_b) / max(F_b, a little),
// in the density of particles, D_i = V_i W(0) + sum_j V_j W_ij + sum_b V_b r_b W_ib. The force that belongs
// to the rate of this density gives a sample the mean of the pressures near,
//   P_b = sum_j V_j W_bj P_j / max(F_b, a little),
// and what is wrong at a sample counts at the particles whose mean it has.
#ifndef MOTE_WALL_MEANS_H
#define MOTE_WALL_MEANS_H

#include "solver/pressure.h"

// V_b r_b, with S_b = near.
static inline float mote_wall_weight(const mote_wall_pairs *walls, size_t b, float near) {
  return walls->volume[b] + walls->share[b] * (near - (1.0f - walls->own[b]));
}

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
