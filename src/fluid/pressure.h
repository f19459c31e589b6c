// Pressures of particles and wall samples, and the accelerations they cause: EG09 (51) with walls.
#ifndef MOTE_PRESSURE_H
#define MOTE_PRESSURE_H

#include "pairs/pair_lanes.h"

typedef struct mote_pressures {
  mote_pair_scale scale;
  float *pressure_volume;                            // V P of each particle, P = p / D^2; and 0 for the dummy
  float *wall_pressure_volume[MOTE_BOUNDARY_PARTS];  // of each sample with fluid neighbours, and the dummy
  mote_flow *flow;                                   // V times a vector of each particle; and 0 for the dummy
} mote_pressures;

mote_result mote_pressures_take(mote_pressures *pressures, mote_fluid *fluid, mote_error *error);

// flow = V v, of the velocities.
void mote_pressures_flow(const mote_pressures *pressures, const mote_fluid *fluid);

// The rate of compression dD/dt of the flow at a particle and at a sample; walls are at rest.
static inline float mote_pressures_rate(const mote_pressures *pressures, const mote_fluid *f, size_t i) {
  const mote_flow *flow = pressures->flow;
  float own = 0.0f;
  for (int k = 0; k < 3; ++k) own += flow[i].u[k] * (f->gradient[3 * i + k] + f->wall[3 * i + k]);
  return own / f->volume[i] - mote_pair_lanes_flow(f, &pressures->scale, i, flow);
}

static inline float mote_pressures_wall_rate(const mote_pressures *pressures, const mote_wall_pairs *walls,
                                             size_t b) {
  return -mote_pair_set_flow(&walls->particle_neighbours, b, pressures->flow);
}

// flow = V a.
void mote_pressures_accelerate(const mote_pressures *pressures, const mote_fluid *fluid);

// velocity += dt flow / V.
void mote_pressures_kick(const mote_pressures *pressures, mote_fluid *fluid, double dt);

#endif
