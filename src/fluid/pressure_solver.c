// The table of pressure solvers: see pressure_solver.h.
#include "fluid/pressure_solver.h"

#include "fluid/dfsph.h"
#include "fluid/pcisph.h"
#include "fluid/wcsph.h"

static const mote_pressure_solver solvers[MOTE_PRESSURE_KINDS] = {
    [MOTE_PRESSURE_WCSPH] = {.prepare = mote_wcsph_state, .solve = mote_wcsph_pressure},
    [MOTE_PRESSURE_DFSPH] = {.solve_divergence = mote_dfsph_divergence, .solve = mote_dfsph_density},
    [MOTE_PRESSURE_PCISPH] = {.solve = mote_pcisph_pressure},
};

const mote_pressure_solver *mote_pressure_solver_of(const mote_solver_def *solver) {
  MOTE_ASSERT((unsigned)solver->pressure < MOTE_PRESSURE_KINDS);
  return &solvers[solver->pressure];
}
