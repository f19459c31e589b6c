// Predicted and corrected pressure (Solenthaler & Pajarola 2009).
#ifndef MOTE_PCISPH_H
#define MOTE_PCISPH_H

#include "pairs/fluid.h"

// velocity += dt a, such that at the predicted positions the mean compression has grown by less than
// density_error: at least 3 iterations, or iterations_min. Starts from pressure and writes it. Then adds a
// shift to velocity, which separates particles that are too dense already: it belongs to the motion of this
// step only, and mote_shift_settle (shift.h) removes it again. Without a free surface densities are
// predicted linearly, by mote_dfsph_density. Failing to converge is reported in `report`, not by the
// result.
mote_result mote_pcisph_pressure(mote_fluid *fluid, double dt, mote_solve_report *report, mote_error *error);

#endif
