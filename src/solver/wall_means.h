// Pressures of walls beside an incompressible fluid (docs/theory/fluids.md, "Walls"): means of those of the
// fluid near,
//   P_b = sum_j V_j W_bj P_j / max(S_b, 1 - O_b),  S_b = sum_j V_j W_bj, O_b the samples' own part of D_b,
// and their adjoint: what is wrong at a sample counts at the particles whose mean it has. So particles near
// walls have a density with the walls' part in it, D_i + sum_b u_ib (D_b - 1), u_ib = V_b W_ib / max(...).
#ifndef MOTE_WALL_MEANS_H
#define MOTE_WALL_MEANS_H

#include "solver/pressure.h"

typedef struct mote_wall_means {
  const mote_fluid *fluid;
  float *share[MOTE_BOUNDARY_PARTS];  // V_b / max(S_b, 1 - O_b) of each sample; 0: it has no pressure; and 0
                                      // for the dummy
  float *wrong[MOTE_BOUNDARY_PARTS];  // share times what is wrong; and 0 for the dummy
  float *sum;                         // of each particle: sum_b W_ib wrong_b
  float *relative;                    // of each particle: D with the walls' part
  float *matrix;                      // of each particle: a bound of A_ii with the walls' part
} mote_wall_means;

// Samples whose D is less than `least` have no pressure.
mote_result mote_wall_means_take(mote_wall_means *means, mote_fluid *fluid, float least, mote_error *error);

// The walls' push of the particles'.
void mote_wall_means_push(const mote_wall_means *means, const mote_pressures *pressures);

// What is wrong at sample b of walls[part].
typedef float mote_wall_wrong(const void *data, int part, size_t b);

// Writes sum.
void mote_wall_means_gather(const mote_wall_means *means, mote_wall_wrong *wrong, const void *data);

#endif
