// The functions of the pressure solvers, one row each. Their properties: scene/pressure_kinds.h.
#ifndef MOTE_PRESSURE_SOLVER_H
#define MOTE_PRESSURE_SOLVER_H

#include "pairs/fluid.h"
#include "scene/pressure_kinds.h"

// A solve over the time dt, s. `report` may be null; failing to converge is reported there, not by the
// result.
typedef mote_result mote_pressure_solve(mote_fluid *fluid, double dt, mote_solve_report *report,
                                        mote_error *error);

typedef struct mote_pressure_solver {
  // Part of mote_fluid_prepare, before walls gather pressures: writes pressures that follow from the state.
  // Null: none do.
  void (*prepare)(mote_fluid *fluid);
  // Removes compression from the velocities, before forces; dt is the last step. Null: there is no such
  // solve.
  mote_pressure_solve *solve_divergence;
  // velocity += dt times the acceleration by pressure; writes pressure. Where steps are individual, for
  // active particles, with their own steps in place of dt.
  mote_pressure_solve *solve;
} mote_pressure_solver;

const mote_pressure_solver *mote_pressure_solver_of(const mote_solver_def *solver);

#endif
