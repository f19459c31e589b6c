// New particles, from bodies and emitters.
#ifndef MOTE_SPAWN_H
#define MOTE_SPAWN_H

#include <math.h>

#include "matter/world_data.h"

// Adds `count` particles of the material, each of this volume, behind those that are there. Positions and
// velocities are for the caller to write: *first is the row in the store of the first of them.
mote_result mote_spawn(mote_world *world, uint32_t material, uint32_t body, double volume, size_t count,
                       size_t *first, mote_error *error);

// Puts x into the domain along periodic axes, and to z = 0 in 2D.
static inline void mote_domain_wrap(const mote_domain *domain, double x[3]) {
  for (int a = 0; a < 3; ++a) {
    if (a >= domain->dimensions) x[a] = 0.0;
    if (!domain->periodic[a] || (x[a] >= domain->low[a] && x[a] < domain->high[a])) continue;
    double period = domain->high[a] - domain->low[a];
    x[a] -= period * floor((x[a] - domain->low[a]) / period);
    if (!(x[a] >= domain->low[a] && x[a] < domain->high[a])) x[a] = domain->low[a];  // rounding met the end
  }
}

#endif
