// Predicted and corrected pressure (Solenthaler & Pajarola 2009).
#ifndef MOTE_PCISPH_H
#define MOTE_PCISPH_H

#include "solver/fluid.h"

// velocity += dt a, such that at the predicted places the mean compression is below density_error. Reads and
// writes pressure.
mote_result mote_pcisph_pressure(mote_fluid *fluid, double dt, mote_solve_report *report, mote_error *error);

#endif
