// Spectrum of the pressure matrix A for a full neighbourhood at rest, a square or cubic packing
// (docs/theory/fluids.md).
#ifndef MOTE_PACKING_SPECTRUM_H
#define MOTE_PACKING_SPECTRUM_H

#include "pairs/fluid.h"

// D, the diagonal of rho0 A, A's largest eigenvalue over its diagonal, and (d + 2)/(d D) times the kernel's
// second moment, the mean r^2 that divides pairs of central viscosity ("Viscosity").
mote_packing_spectrum mote_packing_spectrum_of(const mote_kernel *kernel, double spacing);

#endif
