// The rate of strain around each particle, and the part of the velocities that it does not explain: the noise
// of particles, which noise damping takes out and waves have none of (docs/theory/fluids.md, "Noise
// damping"; after Frontiere, Raskin & Owen 2017).
#ifndef MOTE_STRAIN_H
#define MOTE_STRAIN_H

#include <float.h>

#include "pairs/fluid.h"
#include "rows/pair_lanes.h"

// xx, 2 xy, 2 xz, yy, 2 yz, zz in 1/s, of the gradient that is exact on linear velocities; the square of the
// rate below which differences count as flow, 1/s^2 (MOTE_STRAIN_UNKNOWN: all of them do); the rest density,
// kg/m^3.
#define MOTE_STRAIN_UNKNOWN 1e30f  // mark
typedef struct mote_strain {
  float e[8];
} mote_strain;

// Of a velocity and one more number of all particles and the dummy, in scratch memory, with one more, the
// dummy's. Needs fluid->linear.
mote_result mote_strain_take(const mote_fluid *fluid, const float (*velocity)[4], mote_strain **out,
                             mote_error *error);

// Component k of the strains of four particles in e[k].
static inline void mote_strain_load(const mote_strain *strain, const uint32_t *index, mote_lane e[8]) {
  for (int k = 0; k < MOTE_LANES; ++k) {
    e[k] = mote_lane_load(strain[index[k]].e);
    e[4 + k] = mote_lane_load(strain[index[k]].e + 4);
  }
  mote_lane_transpose(&e[0], &e[1], &e[2], &e[3]);
  mote_lane_transpose(&e[4], &e[5], &e[6], &e[7]);
}

// The excess of `along` = v_ij . x_ij over the mean strain of both ends, x_ij . E x_ij, limited to between 0
// and `along`, so that damping it removes energy from every pair; less where it is small compared with the
// flow; divided by `softened`. `density`: the harmonic mean of both.
static inline mote_lane mote_strain_noise(const mote_strain *strain, size_t i, const uint32_t *index,
                                          const mote_lane x[3], mote_lane along, mote_lane softened,
                                          mote_lane *density) {
  mote_lane e[8], zero = mote_lane_splat(0.0f);
  const float *own = strain[i].e;
  mote_strain_load(strain, index, e);
  for (int k = 0; k < 6; ++k) e[k] = 0.5f * (e[k] + own[k]);
  mote_lane linear = x[0] * (e[0] * x[0] + e[1] * x[1] + e[2] * x[2]) + x[1] * (e[3] * x[1] + e[4] * x[2]) +
                     x[2] * (e[5] * x[2]);
  mote_lane noise = along - linear;
  noise = mote_lane_choose(noise * along > zero, noise, zero);
  noise = mote_lane_choose(noise * noise > along * along, along, noise);
  mote_lane square = noise * noise, r2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
  mote_lane flow = 0.5f * (e[6] + own[6]) * (r2 * r2);
  *density = 2.0f * own[7] * e[7] / (own[7] + e[7]);
  return noise * (square / ((square + flow) * softened + FLT_MIN));
}

#endif
