// What the places of two points say about their distance: a square of at most `sure` means near, one beyond
// `maybe` means not, and between them only the doubles can tell (docs/theory/search.md).
#ifndef MOTE_BAND_H
#define MOTE_BAND_H

#include "search/space.h"

// Lengths here are counted in places along x.
typedef struct mote_ruler {
  float scale[3];     // of places along each axis
  double per_length;  // units per length
  double error;       // of a distance, in units; infinite where places tell nothing
} mote_ruler;

typedef struct mote_band {
  float sure, maybe;
} mote_band;

mote_ruler mote_ruler_make(const mote_space *space);

static inline mote_band mote_ruler_band(const mote_ruler *ruler, double radius) {
  double r = radius * ruler->per_length, low = r - ruler->error, high = r + ruler->error;
  // Squares and sums in float are off by less than 2^-22.
  return (mote_band){low > 0.0 ? (float)(low * low * (1.0 - 0x1p-21)) : -1.0f,
                     (float)(high * high * (1.0 + 0x1p-21))};
}

#endif
