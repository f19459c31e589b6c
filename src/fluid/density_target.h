// Target of a particle's relative density at the end of a step. Where D > 1 a part of the excess is removed;
// where D is less than a full neighbourhood has, the deficit may be filled, except for a small slack.
// Velocities remove little of the excess, because the correction would leave particles with numerical speeds;
// shifts remove the rest (shift.h). If velocities filled the slack too, particles would sink, shifts would
// lift the excess again, and energy would enter water at rest (docs/theory/fluids.md, "DFSPH"). With
// consistent rates velocities leave a small excess to shifts in full boxes, for the same reason.
#ifndef MOTE_DENSITY_TARGET_H
#define MOTE_DENSITY_TARGET_H

#include <math.h>

#include "fluid/tuning.inc"
#include "pairs/surface_density.h"

// D of a full neighbourhood: 1; with consistent rates less where a free surface cuts it off.
static inline float mote_density_full(const mote_fluid *f, size_t i) {
  if (f->corrected == NULL) return 1.0f;
  const float *g = f->gradient + 3 * i, *G = f->wall + 3 * i;
  float sum = 0.0f;
  for (int k = 0; k < 3; ++k) sum += (g[k] + G[k]) * (g[k] + G[k]);
  float T = mote_surface_density_at(&f->surface, sqrtf(sum));
  if (f->free_surface_ghosts == NULL) return T;
  T += f->free_surface_ghosts[i];
  return T < 1.0f ? T : 1.0f;
}

// `alone`: the part of D by the particle itself and by samples of walls and bodies. Excess by samples alone
// is not removed: water caught between a body and the floor would be expelled, and the body lifted. `full`:
// mote_density_full. `left`: the excess that is not removed.
static inline float mote_density_target(float D, float alone, float full, float part, float left,
                                        float slack) {
  float excess = D - (alone > 1.0f ? alone : 1.0f);
  if (excess > 0.0f) {
    excess = excess > left ? excess - left : 0.0f;
    return D - (part < 1.0f ? part : 1.0f) * (excess < MOTE_EXCESS_MAX ? excess : MOTE_EXCESS_MAX);
  }
  return D - full < -slack ? full - slack : D;
}

#endif
