// The relative density D that particles next to a flat free surface have on a packing at rest, as a function
// of the gradient sum |g| there: both follow from the depth of the row. Where D is lower, there is a deficit
// to be filled; where it is equal, the neighbourhood is cut off by the surface and there is no deficit
// (docs/theory/fluids.md, "Free surfaces").
#ifndef MOTE_SURFACE_DENSITY_H
#define MOTE_SURFACE_DENSITY_H

#include "pairs/fluid.h"

// Of a kernel that is scaled to D = 1 inside the packing.
mote_surface_density mote_surface_density_of(const mote_kernel *kernel, double spacing);

// D where the gradient sum has this length, linear between rows. Between 1 inside and that of the first row.
static inline float mote_surface_density_at(const mote_surface_density *s, float gradient) {
  if (gradient >= s->gradient[0]) return s->density[0];
  for (int k = 1; k < s->rows; ++k) {
    if (gradient < s->gradient[k]) continue;
    float part = (gradient - s->gradient[k]) / (s->gradient[k - 1] - s->gradient[k]);
    return s->density[k] + part * (s->density[k - 1] - s->density[k]);
  }
  return 1.0f;
}

#endif
