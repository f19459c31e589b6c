// The pressure of a weakly compressible fluid as a function of its relative density D = rho / rho0.
#ifndef MOTE_FLUID_LAW_H
#define MOTE_FLUID_LAW_H

#include <math.h>
#include <mote/numeric.h>
#include <mote/scene.h>

// EG09 (47), Tait: p = K (D^gamma - 1), with (54): zeta p where it is negative.
static inline double mote_law_pressure(double K, double gamma, double zeta, double D) {
  double power;
  if (gamma == 7.0) {
    power = (D * D * D) * (D * D * D) * D;
  } else if (gamma == 1.0) {
    power = D;
  } else {
    power = mote_pow(D, gamma);
  }
  double p = K * (power - 1.0);
  return p < 0.0 ? zeta * p : p;
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

// The speed of sound of a solver: of its stiffness, or `given` where that is not said.
static inline double mote_law_sound_speed_of(const mote_solver_def *solver, double given, double rho0) {
  return isnan(solver->stiffness) ? given : sqrt(solver->exponent * solver->stiffness / rho0);
}

// Monaghan's viscosity, DES96 (5): alpha; where it is not said, what the noise of a weakly compressible fluid
// needs to come to rest.
static inline double mote_law_artificial(const mote_solver_def *solver) {
  if (!isnan(solver->artificial_viscosity)) return solver->artificial_viscosity;
  return solver->pressure == MOTE_PRESSURE_WCSPH ? 0.06 : 0.0;
}

// Its shear viscosity over alpha h c, if it acted on all pairs: that of the central form.
static inline double mote_law_artificial_shear(int dimensions) {
  return 1.0 / (2.0 * (dimensions + 2));
}

#endif
