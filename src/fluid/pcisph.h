// Predicted and corrected pressure (Solenthaler & Pajarola 2009).
#ifndef MOTE_PCISPH_H
#define MOTE_PCISPH_H

#include "pairs/fluid.h"

// velocity += dt a, such that at the places to which it leads the mean compression has grown by less than
// density_error: at least 3 iterations, or iterations_min. Starts from pressure and writes it. Then adds to
// velocity a shift, which takes apart what is too dense already: it belongs to the motion of this step only,
// and is taken away again by mote_shift_settle (shift.h). In a box without a free surface densities are
// predicted linearly: it is mote_dfsph_density then. That a solve did not converge is told by the
// report, not by the result.
mote_result mote_pcisph_pressure(mote_fluid *fluid, double dt, mote_solve_report *report, mote_error *error);

#endif
