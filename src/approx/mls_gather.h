// Collects the samples in reach of a point: their position, basis functions and weights.
#ifndef MOTE_MLS_GATHER_H
#define MOTE_MLS_GATHER_H

#include "approx/mls.h"

typedef struct mote_mls_gathered {
  mote_mls_group *groups;
  size_t count;  // of groups
  double h;      // average support radius of the samples in reach: the unit of length
  double poles;  // samples of infinite weight
  bool valid;    // false: the callback gave a weight that is negative or not a number
} mote_mls_gathered;

#define MOTE_MLS_SKIP_NONE UINT32_MAX

// Fills `groups` (capacity number/4 + 1) with the samples index[0 .. number-1], without sample `skip`,
// relative to x; derivatives of the weight up to `derivatives`.
mote_mls_gathered mote_mls_gather(const mote_mls *mls, const double x[3], const uint32_t *index,
                                  uint32_t number, uint32_t skip, int derivatives, mote_mls_group *groups);

#endif
