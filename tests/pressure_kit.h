// Rates of compression of all particles and wall samples, for tests of pressures.
#ifndef PRESSURE_KIT_H
#define PRESSURE_KIT_H

#include "fluid/wall_pressure.h"

static inline float pressures_rate(const mote_pressures *pressures, const mote_fluid *f, size_t i) {
  mote_pressure_view v = mote_pressures_view(pressures, f);
  return mote_rate_row(&v, i);
}

typedef float wall_rate_fn(const void *data, int part, size_t b);

// Gathers the rates at samples to the particles near them, as the solves do.
static inline void gather_wall_rates(const mote_wall_pressure *wall_pressure, wall_rate_fn *rate,
                                     const void *data) {
  for (int p = 0; p < MOTE_BOUNDARY_PARTS; ++p) {
    const mote_wall_pairs *w = &wall_pressure->fluid->walls[p];
    for (size_t b = 0; b < w->samples; ++b) wall_pressure->error[p][b] = w->share[b] * rate(data, p, b);
  }
  mote_wall_pressure_gather(wall_pressure);
}

#endif
