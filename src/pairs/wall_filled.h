// Weight of a wall sample in the density of fluid near it, which adds S to the sample's sum of the F that it
// can (docs/theory/fluids.md, "Walls"; wall_pressure.h).
#ifndef MOTE_WALL_FILLED_H
#define MOTE_WALL_FILLED_H

#include "pairs/tuning.inc"

static inline float mote_wall_filled(float F, float S, float *slope) {
  float f = F > MOTE_WALL_CAPACITY_MIN ? F : MOTE_WALL_CAPACITY_MIN;
  *slope = S < f ? 1.0f / f : f / (S * S);
  return S < f ? 1.0f + (S - F) / f : 3.0f - F / f - f / S;
}

#endif
