// Plastic flow of a particle, EG09 7.3, for strains of any size: F = Fe Fp with det Fp = 1, so that flow
// keeps volumes, and in a form that does not depend on the number of steps. The state is 1 - Fp^-1, six
// numbers, for small strains the plastic strain of EG09 (69). Fp may be taken symmetric, because the laws do
// not know how Fe was turned before. Theory: docs/theory/elastic.md
#ifndef MOTE_PLASTIC_LAW_H
#define MOTE_PLASTIC_LAW_H

#include <mote/elastic.h>

// dt seconds at the displacement gradient g. Returns true when something flowed.
bool mote_plastic_flow(const mote_plastic_law *law, const double g[9], double dt, double plastic[6]);
// plastic = 1 - K with K K = (1 + t)(1 + t)^T: what is left of 1 + t without its turn.
bool mote_plastic_take(const double t[9], double plastic[6]);
// Size of the logarithm of all plastic stretch.
double mote_plastic_size(const double plastic[6]);
// The same with what had flowed before, of which H, metric + 1, is the inverse stretch.
double mote_plastic_total(const double plastic[6], const double metric[6]);

#endif
