// The law of rows/viscous_row.h of a fluid.
#ifndef MOTE_VISCOUS_PAIR_H
#define MOTE_VISCOUS_PAIR_H

#include "material/fluid_law.h"
#include "pairs/fluid.h"
#include "rows/viscous_row.h"

static inline mote_viscous_law mote_viscous_law_make(const mote_fluid *fluid) {
  const mote_solver_def *solver = &fluid->solver;
  double h = 0.5 * fluid->support, alpha = mote_law_artificial(solver);
  double beta = isnan(solver->artificial_square) ? 2.0 * alpha : solver->artificial_square;
  double stiffness = isnan(solver->stiffness) ? 0.0 : solver->exponent * solver->stiffness;
  return (mote_viscous_law){.is_central = mote_fluid_viscosity_form(fluid) == MOTE_VISCOSITY_CENTRAL,
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

#endif
