// XSPH: velocities that move towards the mean of their neighbours, EG09 (53), in the form that conserves
// momentum, and of walls, EG09 (57), with the friction f_b of their samples as everywhere:
//   v_i += sum_j xi_ij (m_j / rho_ij) (v_j - v_i) W_ij + xi_i sum_b f_b V_b (v_b - v_i) W_ib
// with means of xi and rho (docs/theory/fluids.md, "Smoothing"). No effect where all xi are 0.
#ifndef MOTE_XSPH_H
#define MOTE_XSPH_H

#include "pairs/fluid.h"

// The smoothed velocity becomes the velocity (solver.xsph_form keep). Reads and writes velocity; floating
// bodies get the opposite impulses.
mote_result mote_fluid_smooth(mote_fluid *fluid, mote_error *error);

// The smoothed velocity only moves the particles (move: Monaghan 1989): adds the difference to the shift of
// this step of dt seconds (shift.h).
mote_result mote_fluid_smooth_motion(mote_fluid *fluid, double dt, mote_error *error);

// xsph_walls.c: sums over the samples of walls, sum[4 i ..] = sum_b f_b V_b W_ib (v_b, 1); *sum null: no wall
// has friction. Where `gives`, bodies get their impulses.
mote_result mote_xsph_walls(mote_fluid *fluid, bool gives, float **sum, mote_error *error);

#endif
