// How far apart nodes may be, by the thickness of the limb they lie in: docs/theory/deformation.md, "Nodes".
#ifndef MOTE_DEFORM_SPACING_H
#define MOTE_DEFORM_SPACING_H

#include "deform/deform_grid.h"

// wanted[i]: at grid point i, at most `spacing`, and no less than that `nodes` more than those of the usual
// spacing suffice.
mote_result mote_deform_spacing_make(const mote_deform_grid *grid, double spacing, double nodes,
                                     mote_arena *own, double *wanted, mote_error *error);

#endif
