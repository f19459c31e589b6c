// The viscosity of pairs, explicit (viscosity.c) and implicit (viscous_solve.c) alike. Force on i by j, with
// the gradient g = grad W_ij, which lies along x_ij, and mu_ij the harmonic mean, which keeps the stress
// continuous where two fluids meet:
//   pair      2 mu_ij V_i V_j (x_ij . g) / (r^2 + eps) v_ij
//   central   2 (d + 2) mu_ij V_i V_j (v_ij . x_ij) / l^2 g,   l^2 the mean of r^2 (packing_spectrum.h)
// Both are -(a symmetric, positive semidefinite matrix) times velocities; docs/theory/fluids.md, "Viscosity".
#ifndef MOTE_VISCOUS_PAIR_H
#define MOTE_VISCOUS_PAIR_H

#include <float.h>

#include "material/fluid_law.h"
#include "pairs/fluid.h"
#include "rows/pair_lanes.h"

typedef struct mote_viscous_law {
  mote_viscosity_form form;
  float softening;  // eps, m^2
  float central;    // d + 2
  float reach;      // l^2, m^2
  // Monaghan's viscosity, DES96 (5): rho Pi = square y^2 - linear c y, y = v_ij . x_ij / (r^2 + eps).
  float linear, square;  // alpha h, beta h^2; 0: none
  float own_square;      // beta where the scene gives it, else negative: 2 of each material's own alpha
  float sound_speed;     // c
  float noise;           // alpha h of noise damping; 0: none
  float stiffness;       // gamma K, if c^2 = gamma K / rho0; else 0
  float densest;         // kg/m^3, to which sound_speed belongs; 0: to all
} mote_viscous_law;

static inline mote_viscous_law mote_viscous_law_make(const mote_fluid *fluid) {
  const mote_solver_def *solver = &fluid->solver;
  double h = 0.5 * fluid->support, alpha = mote_law_artificial(solver);
  double beta = isnan(solver->artificial_square) ? 2.0 * alpha : solver->artificial_square;
  double stiffness = isnan(solver->stiffness) ? 0.0 : solver->exponent * solver->stiffness;
  return (mote_viscous_law){.form = mote_fluid_viscosity_form(fluid),
                            .softening = (float)(1e-4 * h * h),
                            .central = (float)(fluid->domain.dimensions + 2),
                            .reach = (float)fluid->spectrum.reach,
                            .linear = (float)(alpha * h),
                            .square = (float)(beta * h * h),
                            .own_square = isnan(solver->artificial_square) ? -1.0f : (float)beta,
                            .sound_speed = (float)fluid->sound_speed,
                            .noise = (float)(mote_law_noise(solver) * h),
                            .stiffness = (float)stiffness,
                            .densest = (float)fluid->densest};
}

typedef struct mote_viscous_pairs {
  mote_lane softened;  // r^2 + eps
  mote_lane square;    // divisor of the form: softened, or l^2
  mote_lane along;     // x . g, negative
} mote_viscous_pairs;

static inline mote_viscous_pairs mote_viscous_pairs_make(const mote_viscous_law *law,
                                                         mote_lane gradient_factor, const mote_pairs *p) {
  mote_lane square = p->x[0] * p->x[0] + p->x[1] * p->x[1] + p->x[2] * p->x[2];
  mote_lane softened = square + law->softening;
  bool central = law->form == MOTE_VISCOSITY_CENTRAL;
  return (mote_viscous_pairs){softened, central ? mote_lane_splat(law->reach) : softened,
                              gradient_factor * square};
}

// 2 mu_ij / square: the same bits for i and j; 0 without viscosity at any distance.
static inline mote_lane mote_viscous_mean(float own, mote_lane other, mote_lane square) {
  return 4.0f * own * other / ((own + other) * square + FLT_MIN);
}

#endif
