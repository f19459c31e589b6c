// What a full neighbourhood at rest, a square or cubic lattice, says about the matrix A of a pressure solve
// (docs/theory/fluids.md).
#ifndef MOTE_RELAXATION_H
#define MOTE_RELAXATION_H

#include "solver/fluid.h"

// The diagonal of rho0 A, and its largest eigenvalue over that.
mote_lattice_spectrum mote_lattice_spectrum_of(const mote_kernel *kernel, double spacing);

#endif
