// Predicted and corrected pressure: see pcisph.h.
#include "solver/pcisph.h"

#include "solver/dfsph.h"

mote_result mote_pcisph_pressure(mote_fluid *fluid, double dt, mote_solve_report *report, mote_error *error) {
  return mote_dfsph_density(fluid, dt, report, error);
}
