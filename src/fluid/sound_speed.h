// The speed of sound at rest of a fluid's particles (docs/theory/mixtures.md). Fluids of several densities
// have one modulus rho0 c^2, that of the densest: with one speed of sound the compression of a light
// fluid by the weight above it would be inversely proportional to its density.
#ifndef MOTE_SOUND_SPEED_H
#define MOTE_SOUND_SPEED_H

#include "material/fluid_law.h"
#include "pairs/fluid.h"

static inline mote_fluid_law mote_sound_law(const mote_fluid *f) {
  return mote_law_of(&f->solver, f->sound_speed, f->densest);
}

// Of the solver's law, for a fluid of this rest density.
static inline double mote_sound_at_density(const mote_fluid *f, double rho0) {
  mote_fluid_law law = mote_sound_law(f);
  return mote_law_sound(&law, 0.0, rho0);
}

// K of particle i where its material has one of its own (DES96 (6)), else 0.
static inline double mote_sound_stiffness(const mote_fluid *f, size_t i) {
  return f->stiffness != NULL ? (double)f->stiffness[i] : 0.0;
}

static inline double mote_sound_of(const mote_fluid *f, size_t i) {
  mote_fluid_law law = mote_sound_law(f);
  return mote_law_sound(&law, mote_sound_stiffness(f, i), (double)f->rest_density[i]);
}

#endif
