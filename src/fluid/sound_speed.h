// The speed of sound at rest of a fluid's particles (docs/theory/mixtures.md). Fluids of several densities
// have one modulus rho0 c^2, that of the densest: with one speed of sound the compression of a light
// fluid by the weight above it would be inversely proportional to its density.
#ifndef MOTE_SOUND_SPEED_H
#define MOTE_SOUND_SPEED_H

#include "material/fluid_law.h"
#include "pairs/fluid.h"

// Of the solver's law, for a fluid of this rest density.
static inline double mote_sound_at_density(const mote_fluid *f, double rho0) {
  return mote_law_sound(&f->solver, f->sound_speed, f->densest, 0.0, rho0);
}

// K of particle i where its material has one of its own (DES96 (6)), else 0.
static inline double mote_sound_stiffness(const mote_fluid *f, size_t i) {
  return f->stiffness != NULL ? (double)f->stiffness[i] : 0.0;
}

static inline double mote_sound_of(const mote_fluid *f, size_t i) {
  return mote_law_sound(&f->solver, f->sound_speed, f->densest, mote_sound_stiffness(f, i),
                        (double)f->rest_density[i]);
}

// alpha of Monaghan's viscosity and of noise damping together.
static inline double mote_sound_damping(const mote_fluid *f, size_t i) {
  double own = f->damping != NULL ? (double)f->damping[i] : mote_law_artificial(&f->solver);
  return own + mote_law_noise(&f->solver);
}

#endif
