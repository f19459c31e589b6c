// Plastic strain as a state of a particle, EG09 (69) and 7.3, in a form that does not depend on the number of
// steps: what is beyond the yield strain decays as exp(-rate t), down to the yield strain and no further.
// Theory: docs/theory/solids.md
#ifndef MOTE_PLASTIC_LAW_H
#define MOTE_PLASTIC_LAW_H

#include <math.h>
#include <mote/elastic.h>
#include <mote/numeric.h>

// Root of the sum of squares of all nine entries; xx xy xz yy yz zz.
static inline double mote_strain_size(const double s[6]) {
  double off = s[1] * s[1] + s[2] * s[2] + s[4] * s[4];
  return sqrt(s[0] * s[0] + s[3] * s[3] + s[5] * s[5] + 2.0 * off);
}

// dt seconds at this strain. Returns true when the plastic strain changed.
static inline bool mote_plastic_flow(const mote_plastic_law *law, const double strain[6], double dt,
                                     double plastic[6]) {
  double elastic[6];
  for (int k = 0; k < 6; ++k) elastic[k] = strain[k] - plastic[k];
  double size = mote_strain_size(elastic);
  if (!(size > law->yield)) return false;
  double left = law->rate < HUGE_VAL ? size * mote_exp(-law->rate * dt) : 0.0;
  if (left < law->yield) left = law->yield;
  for (int k = 0; k < 6; ++k) plastic[k] += (1.0 - left / size) * elastic[k];
  double held = mote_strain_size(plastic);
  if (held > law->most) {
    for (int k = 0; k < 6; ++k) plastic[k] *= law->most / held;
  }
  return true;
}

#endif
