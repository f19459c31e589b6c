// The weight of a pair in conduction, and that of a wall: a half space filled with a packing of
// particles with temperatures extrapolated linearly behind its surface (docs/theory/heat.md).
#ifndef MOTE_HEAT_KERNEL_H
#define MOTE_HEAT_KERNEL_H

#include "approx/kernel.h"

#define MOTE_HEAT_TABLE 250  // intervals of the tables, over the support: a hundredth of a spacing each

typedef struct mote_heat_kernel {
  mote_pair_kernel kernel;
  double spacing;
  double norm;  // 2 over the sum of a full packing, which makes the sum over pairs exact on parabolas there
  // By the distance to the surface of a wall, 0 to the support, in equal steps.
  double wall[MOTE_HEAT_TABLE + 1];   // 1/m^2: conductance over k V, times the distance to the surface / d
  double slope[MOTE_HEAT_TABLE + 1];  // 1/m: of the concentration, by the wall's part of it
  double value[MOTE_HEAT_TABLE + 1];  // the wall's part of the concentration
  double own;                         // V W(0)
  double surface_slope;  // 1/m: |grad| of the concentration in the first row below a flat surface
} mote_heat_kernel;

mote_heat_kernel mote_heat_kernel_make(int dimensions, double spacing);

// C_ij / (k_ij V_i V_j), 1/m^5 (2D: 1/m^4).
static inline double mote_heat_kernel_pair(const mote_heat_kernel *k, double r) {
  return -k->norm * mote_pair_gradient_factor(&k->kernel, r);
}

// Conductance of a wall at this distance from a particle, over k V, 1/m^2. Smaller distances
// count as a quarter of a spacing, which bounds the step.
double mote_heat_kernel_wall(const mote_heat_kernel *k, double distance);

// The wall's part in the concentration and in the size of its gradient, which points to the wall.
void mote_heat_kernel_wall_part(const mote_heat_kernel *k, double distance, double *value, double *slope);

#endif
