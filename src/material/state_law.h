// The pressure and the speed of sound of a weakly compressible fluid as functions of its relative density
// D = rho / rho0, of the constants of a solver. Rows call it: it compiles as C17 and as OpenCL C.
#ifndef MOTE_STATE_LAW_H
#define MOTE_STATE_LAW_H

#include "base/prelude.h"

#ifndef __OPENCL_C_VERSION__
#include <mote/numeric.h>
#else
double mote_device_pow(double x, double y);  // a device's own: exponents other than 1 and 7 need it
#define mote_pow mote_device_pow
#endif

typedef struct mote_fluid_law {
  double exponent, background, zeta;  // gamma; Pa; of negative pressures
  double modulus;                     // gamma K of the solver, Pa; negative: `given` is the speed of sound
  double given, densest;  // m/s; with fluids of several densities that of `given`, kg/m^3; 0: there is one
  bool is_gas;
} mote_fluid_law;

static inline double mote_law_power(double D, double gamma) {
  if (gamma == 7.0) return (D * D * D) * (D * D * D) * D;
  return gamma == 1.0 ? D : mote_pow(D, gamma);
}

// The state: K (D^gamma - 1), EG09 (47), Tait; or K D^gamma, a gas (DES96 2.2); and the background's
// pressure. What is negative then is multiplied by zeta, EG09 (54).
static inline double mote_law_pressure(const mote_fluid_law *law, double K, double D) {
  double power = mote_law_power(D, law->exponent);
  double p = K * (law->is_gas ? power : power - 1.0) + law->background;
  return p < 0.0 ? law->zeta * p : p;
}

// DES96 (6), k = K / rho0: of both signs, so that what is stretched pulls itself together.
static inline double mote_law_cohesive(double K, double D) {
  return K * (D - 1.0);
}

// K of (47) that has this speed of sound at rest: c^2 = dp/drho = gamma K / rho0.
static inline double mote_law_stiffness(double rho0, double sound_speed, double gamma) {
  return rho0 * sound_speed * sound_speed / gamma;
}

// The speed of sound at D = 1 of a fluid of this rest density: of the solver's stiffness, or `given`; in a
// mixture whose fluids have one modulus rho0 c^2 that of the densest; or of a stiffness K of its own (DES96
// (6); 0: none).
static inline double mote_law_sound(const mote_fluid_law *law, double K, double rho0) {
  double c = law->given;
  if (K > 0.0) return sqrt(K / rho0);
  if (law->densest > 0.0) c *= sqrt(law->densest / rho0);
  return law->modulus < 0.0 ? c : sqrt(law->modulus / rho0);
}

// The same at D: c^2 = gamma K D^(gamma - 1) / rho0. What Tait's law governs stays near D = 1; a gas may be
// compressed to any density.
static inline double mote_law_sound_speed_at(const mote_fluid_law *law, double at_rest, double D) {
  if (!law->is_gas || law->exponent == 1.0) return at_rest;
  return at_rest * mote_pow(D, 0.5 * (law->exponent - 1.0));
}

#endif
