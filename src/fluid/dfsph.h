// Divergence-free and incompressible pressure (Bender & Koschier 2015, 2017), by projected gradients.
#ifndef MOTE_DFSPH_H
#define MOTE_DFSPH_H

#include "pairs/fluid.h"

// Removes compression from the velocities: velocity += dt a, until the mean rate of compression is below
// divergence_error per dt. Starts from divergence_pressure and writes it. dt: the last step (the first time
// any estimate; 0: nothing is done).
mote_result mote_dfsph_divergence(mote_fluid *fluid, double dt, mote_solve_report *report, mote_error *error);

// velocity += dt a, such that in a step dt the mean compression grows by less than density_error. Starts from
// pressure and writes it. Then adds a shift to velocity, which separates particles that are too dense
// already: it belongs to the motion of this step only, and mote_shift_settle (shift.h) removes it again.
// Failing to converge is reported in `report`, not by the result.
mote_result mote_dfsph_density(mote_fluid *fluid, double dt, mote_solve_report *report, mote_error *error);

// Whether there is no free surface, or one at which densities are at rest density too.
bool mote_dfsph_is_full(mote_fluid *fluid);

#endif
