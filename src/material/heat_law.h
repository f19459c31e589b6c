// Heat in matter: temperature, solid fraction and viscosity from enthalpy, as pure functions
// (docs/theory/heat.md). The enthalpy of a kilogram is 0 at 0 K.
#ifndef MOTE_HEAT_LAW_H
#define MOTE_HEAT_LAW_H

#include <mote/numeric.h>

#include "base/check.h"
#include "material/tuning.inc"

#define MOTE_ROOM_TEMPERATURE 293.15  // physical: K, 20 degrees, of matter whose temperature is not given

typedef struct mote_heat_law {
  double conductivity;       // k, W/(m K)
  double capacity;           // c, J/(kg K), above 0
  double freezing, melting;  // K: all solid up to the one, all liquid from the other on
  double latent;             // L, J/kg; 0: the temperatures above make no difference to the enthalpy
  double solid, liquid;      // J/kg: enthalpies at these temperatures
  double slope;              // 1/K: of the logarithm of the viscosity
} mote_heat_law;

static inline mote_heat_law mote_heat_law_make(double conductivity, double capacity, double freezing,
                                               double melting, double latent, double slope) {
  MOTE_ASSERT(capacity > 0.0 && conductivity >= 0.0 && latent >= 0.0);
  MOTE_ASSERT(latent == 0.0 || freezing <= melting);
  return (mote_heat_law){.conductivity = conductivity,
                         .capacity = capacity,
                         .freezing = freezing,
                         .melting = melting,
                         .latent = latent,
                         .solid = capacity * freezing,
                         .liquid = capacity * melting + latent,
                         .slope = slope};
}

// T(H): rises with H, stands still while it melts where both temperatures are the same.
static inline double mote_heat_temperature(const mote_heat_law *law, double H) {
  if (law->latent == 0.0 || H <= law->solid) return H / law->capacity;
  if (H >= law->liquid) return (H - law->latent) / law->capacity;
  return law->freezing + (law->melting - law->freezing) * ((H - law->solid) / (law->liquid - law->solid));
}

// (H_liquid - H) / (H_liquid - H_solid), from 0, all liquid, to 1; with latent heat only.
static inline double mote_heat_solid_fraction(const mote_heat_law *law, double H) {
  if (law->latent == 0.0 || H >= law->liquid) return 0.0;
  return H <= law->solid ? 1.0 : (law->liquid - H) / (law->liquid - law->solid);
}

// H(T); at the temperature of a melt that has only one, of what is liquid or of what is solid.
static inline double mote_heat_enthalpy(const mote_heat_law *law, double T, bool liquid) {
  if (law->latent == 0.0 || T < law->freezing) return law->capacity * T;
  if (T > law->melting) return law->capacity * T + law->latent;
  if (law->melting == law->freezing) return liquid ? law->liquid : law->solid;
  return law->solid + (law->liquid - law->solid) * ((T - law->freezing) / (law->melting - law->freezing));
}

// --- Rates, where there is no latent heat: WIC06 (15), (16), each factor at least 0. ---

// 1/s, with rate in 1/(s K); an infinite rate counts as such above the melting point only.
static inline double mote_melting_rate(double rate, double T, double melting) {
  return T > melting ? rate * (T - melting) : 0.0;
}

// What a particle that may freeze finds around it.
typedef struct mote_freezing {
  double below;         // K: freezing point less temperature
  int neighbours;       // n, solid ones
  int least;            // n_0
  double speed, most;   // m/s: relative to them, and v_max; infinite: any
  double force, bound;  // N: by which the lattice would draw it to its site, and F_max; infinite: any
} mote_freezing;

static inline double mote_freezing_rate(double rate, const mote_freezing *f) {
  if (!(f->below > 0.0) || f->neighbours < f->least) return 0.0;
  int more = f->neighbours - f->least;  // the smallest number freezes too: with n_0 = 0 on its own
  double by_speed = f->speed > f->most ? f->most / f->speed : 1.0;
  double by_force = f->force > f->bound ? f->bound / f->force : 1.0;
  return rate * f->below * (more > 1 ? more : 1) * by_speed * by_force;
}

// Whether a Poisson process of this rate happens within dt; u: uniform in [0, 1).
static inline bool mote_poisson_happens(double rate, double dt, double u) {
  if (!(rate > 0.0)) return false;
  return rate > 1e300 || u < 1.0 - mote_exp(-rate * dt);
}

// 2 k_i k_j / (k_i + k_j), the same bits for i and j: keeps the flux continuous where two matters meet.
static inline double mote_heat_mean_conductivity(double ki, double kj) {
  double sum = ki + kj;
  return sum > 0.0 ? 2.0 * (ki * kj) / sum : 0.0;
}

// exp(-slope (T - T_melting)), of the viscosity.
static inline double mote_heat_viscosity_factor(const mote_heat_law *law, double T) {
  double x = -law->slope * (T - law->melting), most = MOTE_VISCOSITY_FACTOR_LOG;
  return law->slope == 0.0 ? 1.0 : mote_exp(x > most ? most : x < -most ? -most : x);
}

#endif
