// Area of the free surface that belongs to a particle (docs/theory/heat.md, "Air").
#ifndef MOTE_HEAT_SURFACE_H
#define MOTE_HEAT_SURFACE_H

#include "heat/conduction.h"

// Sum of V_j W_ij with the particle's own, and of V_j grad W_ij, over all that carry heat.
void mote_heat_sum(const mote_heat_rows *rows, const mote_heat_kernel *kernel, const mote_domain *domain,
                   const mote_lists *lists, size_t i, double *value, double slope[3]);

// Number of a particle's faces, of area volume over spacing each, in contact with air: `slope` in units of
// that of the first row of a flat pool, which has one. With few neighbours the concentration decides.
double mote_heat_faces(int dimensions, double value, double slope);

#endif
