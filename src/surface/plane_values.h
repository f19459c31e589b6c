// The value of the kernel field at the fitted plane of each point.
// docs/theory/anisotropy.md
#ifndef MOTE_PLANE_VALUES_H
#define MOTE_PLANE_VALUES_H

#include "surface/ripple.h"

// value[] (one for each shape) receives the fourth root of the sum of all kernels with its label at the place
// of its plane, for planes less than `deepest` spacings above their points. Kernels farther away than
// on->reach are left out.
mote_result mote_plane_values(const mote_ripple_set *on, double deepest, int threads, mote_arena *scratch,
                              float *value, mote_error *error);

#endif
