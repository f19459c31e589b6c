// The constants of state_law.h that a solver has, and what else follows from its laws.
#ifndef MOTE_FLUID_LAW_H
#define MOTE_FLUID_LAW_H

#include <math.h>
#include <mote/scene.h>

#include "material/state_law.h"
#include "material/tuning.inc"
#include "scene/pressure_kinds.h"

// The acoustic limit, of h / c, with this density diffusion.
static inline double mote_law_acoustic(double delta) {
  return delta * MOTE_STEP_ACOUSTIC > MOTE_STEP_DIFFUSIVE ? MOTE_STEP_DIFFUSIVE / delta : MOTE_STEP_ACOUSTIC;
}

// The D that has this pressure; NaN where none has, for a fluid bears no more tension than K.
static inline double mote_law_relative(const mote_solver_def *solver, double zeta, double K, double p) {
  if (p < 0.0) p /= zeta;
  double power = (p - solver->background_pressure) / K + (solver->state == MOTE_STATE_GAS ? 0.0 : 1.0);
  return power > 0.0 && isfinite(power) ? mote_pow(power, 1.0 / solver->exponent) : (double)NAN;
}

// zeta of (54): negative pressures are kept where densities are followed, unless something else is said.
// Summed densities at a free surface are low for want of neighbours, and would pull.
static inline double mote_law_zeta(const mote_solver_def *solver) {
  if (!isnan(solver->negative_pressure)) return solver->negative_pressure;
  return mote_pressure_follows_density(solver) ? 1.0 : 0.0;
}

// The speed of sound at which a flow as fast as `speed` changes density by the fraction eta (Becker &
// Teschner 2007; for gamma = 1: dp = rho v^2 and dp = c^2 drho).
static inline double mote_law_sound_speed(double speed, double eta) {
  return speed / sqrt(eta);
}

// `given`, `densest`: see mote_fluid_law.
static inline mote_fluid_law mote_law_of(const mote_solver_def *solver, double given, double densest) {
  return (mote_fluid_law){.exponent = solver->exponent,
                          .background = solver->background_pressure,
                          .zeta = mote_law_zeta(solver),
                          .modulus = isnan(solver->stiffness) ? -1.0 : solver->exponent * solver->stiffness,
                          .given = given,
                          .densest = densest,
                          .is_gas = solver->state == MOTE_STATE_GAS};
}

// alpha of noise damping. Individual steps have no strain of the particles that rest in a tick.
static inline double mote_law_noise(const mote_solver_def *solver) {
  return solver->steps == MOTE_STEPS_INDIVIDUAL ? 0.0 : solver->noise_damping;
}

// alpha of Monaghan's viscosity, DES96 (5); without one in the scene, that of the pressure solver, unless
// noise is damped otherwise.
static inline double mote_law_artificial(const mote_solver_def *solver) {
  if (!isnan(solver->artificial_viscosity)) return solver->artificial_viscosity;
  if (mote_law_noise(solver) > 0.0) return 0.0;
  return mote_pressure_properties_of(solver)->artificial_viscosity;
}

// Its shear viscosity over alpha h c, if it acted on all pairs: that of the central form.
static inline double mote_law_artificial_shear(int dimensions) {
  return 1.0 / (2.0 * (dimensions + 2));
}

#endif
