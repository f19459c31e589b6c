// Surface tension (docs/theory/tension.md): the forces of an energy of particles,
//   E = sum_ij V_i V_j phi(r) + sum_i V_i 2 sigma (sqrt(n_i^2 + e^2) - e),   n_i = sum_j b_ij V_j grad W_ij,
// times a strength that depends on the kernel (tension_plane.h):
// attraction of pairs (after Becker & Teschner 2007) and the length of the normals, which is the area of the
// surface. Pair forces are equal and opposite: linear and angular momentum are conserved.
#ifndef MOTE_TENSION_H
#define MOTE_TENSION_H

#include "pairs/fluid.h"
#include "rows/tension_row.h"

// Of the fluids with particles in a world.
typedef struct mote_tension {
  size_t kinds;
  mote_tension_bond *bond;  // kinds x kinds
  mote_tension_bond *wall;  // each with walls
  float *curve;             // 2 sigma of the normals' part
  double *sigma;            // N/m
  double quickest;          // the largest sigma / rho0
} mote_tension;

// Makes the table in scratch memory, and the fluid's plane if it has none; *out is null where no material has
// a tension.
mote_result mote_tension_make(mote_fluid *fluid, const mote_material_def **material, size_t kinds,
                              mote_tension **out, mote_error *error);

// Adds to acceleration. Reads the arrays of mote_fluid_prepare, fluid->tension and fluid->kind. Does
// nothing without tension.
mote_result mote_tension_forces(mote_fluid *fluid, mote_error *error);

// The longest stable step: a part of the time of the shortest capillary wave; infinite without tension.
double mote_tension_step_limit(const mote_fluid *fluid);

#endif
