// The pressure of a weakly compressible fluid as a function of its relative density D = rho / rho0.
#ifndef MOTE_FLUID_LAW_H
#define MOTE_FLUID_LAW_H

#include <math.h>
#include <mote/numeric.h>
#include <mote/scene.h>

#include "material/tuning.inc"
#include "scene/pressure_kinds.h"

// The acoustic limit, of h / c, with this density diffusion.
static inline double mote_law_acoustic(double delta) {
  return delta * MOTE_STEP_ACOUSTIC > MOTE_STEP_DIFFUSIVE ? MOTE_STEP_DIFFUSIVE / delta : MOTE_STEP_ACOUSTIC;
}

static inline double mote_law_power(double D, double gamma) {
  if (gamma == 7.0) return (D * D * D) * (D * D * D) * D;
  return gamma == 1.0 ? D : mote_pow(D, gamma);
}

// The state: K (D^gamma - 1), EG09 (47), Tait; or K D^gamma, a gas (DES96 2.2); and the background's
// pressure. What is negative then is multiplied by zeta, EG09 (54).
static inline double mote_law_pressure(const mote_solver_def *solver, double zeta, double K, double D) {
  double power = mote_law_power(D, solver->exponent);
  double p = K * (solver->state == MOTE_STATE_GAS ? power : power - 1.0) + solver->background_pressure;
  return p < 0.0 ? zeta * p : p;
}

// DES96 (6), k = K / rho0: of both signs, so that what is stretched pulls itself together.
static inline double mote_law_cohesive(double K, double D) {
  return K * (D - 1.0);
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

// K of (47) that has this speed of sound at rest: c^2 = dp/drho = gamma K / rho0.
static inline double mote_law_stiffness(double rho0, double sound_speed, double gamma) {
  return rho0 * sound_speed * sound_speed / gamma;
}

// The speed of sound of a solver at D = 1: of its stiffness, or `given` where that is not said.
static inline double mote_law_sound_speed_of(const mote_solver_def *solver, double given, double rho0) {
  return isnan(solver->stiffness) ? given : sqrt(solver->exponent * solver->stiffness / rho0);
}

// The same in a mixture whose fluids have one modulus rho0 c^2, `given` being that of the densest (0: there
// is no such mixture), or of a stiffness K of its own (DES96 (6); 0: none).
static inline double mote_law_sound(const mote_solver_def *solver, double given, double densest, double K,
                                    double rho0) {
  if (K > 0.0) return sqrt(K / rho0);
  if (densest > 0.0) given *= sqrt(densest / rho0);
  return mote_law_sound_speed_of(solver, given, rho0);
}

// The same at D: c^2 = gamma K D^(gamma - 1) / rho0. What Tait's law governs stays near D = 1; a gas may be
// compressed to any density.
static inline double mote_law_sound_speed_at(const mote_solver_def *solver, double at_rest, double D) {
  if (solver->state != MOTE_STATE_GAS || solver->exponent == 1.0) return at_rest;
  return at_rest * mote_pow(D, 0.5 * (solver->exponent - 1.0));
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
