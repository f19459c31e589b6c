// Conduction of heat between particles, over one step (docs/theory/heat.md):
//   m_i dH_i/dt = sum_j C_ij (T_j - T_i) + heat_i - conductance_i T_i,
//   C_ij = k_ij V_i V_j norm (-W'/r), equal to C_ji to the bit: pair fluxes are opposite.
// The last two terms are those of walls, air and sources. Explicit, in as many substeps as stability needs.
#ifndef MOTE_CONDUCTION_H
#define MOTE_CONDUCTION_H

#include "base/arena.h"
#include "heat/heat_kernel.h"
#include "material/heat_law.h"
#include "search/grid.h"

// One row for each particle.
typedef struct mote_heat_rows {
  size_t count;
  const double *position;  // m, three each
  const double *volume;    // m^3, at rest
  const double *mass;      // kg
  const uint32_t *kind;    // of its law
  const mote_heat_law *law;
  const double *conductance;  // W/K, to the outside; null: none
  const double *heat;         // W, from the outside, with conductance times the temperature there
  double *enthalpy;           // J/kg
} mote_heat_rows;

typedef struct mote_heat_report {
  int substeps;
  double largest;  // 1/s: the largest rate at which a particle follows its neighbours
} mote_heat_report;

// The grid that conduction needs: created once.
mote_grid_def mote_heat_grid_def(const mote_domain *domain, const mote_heat_kernel *kernel);

// Writes `enthalpy`, after dt seconds. `lists`: neighbours within the support of the kernel. Scratch memory
// is the arena's.
mote_result mote_heat_conduct(const mote_heat_rows *rows, const mote_heat_kernel *kernel,
                              const mote_domain *domain, const mote_lists *lists, double dt, int threads,
                              mote_arena *scratch, mote_heat_report *report, mote_error *error);

#endif
