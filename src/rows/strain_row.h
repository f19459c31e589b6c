// The rate of strain around one particle, and the part of velocities that it does not explain: strain.h.
#ifndef MOTE_STRAIN_ROW_H
#define MOTE_STRAIN_ROW_H

#include "rows/moments_row.h"

// xx, 2 xy, 2 xz, yy, 2 yz, zz in 1/s, of the gradient that is exact on linear velocities; the square of the
// rate below which differences count as flow, 1/s^2 (MOTE_STRAIN_UNKNOWN: all of them do); the rest density,
// kg/m^3.
#define MOTE_STRAIN_UNKNOWN 1e30f  // mark
typedef struct mote_strain {
  float e[8];
} mote_strain;

typedef struct mote_strain_view {
  mote_pair_view pairs;
  MOTE_GLOBAL const float (*velocity)[4];  // of each particle, and the dummy
  MOTE_GLOBAL const mote_gradient_fix *linear;
  MOTE_GLOBAL const float *rest_density;
  MOTE_GLOBAL mote_strain *strain;
  MOTE_GLOBAL float *flow;  // the square of the flow's rate at each particle
  float share;              // noise is what exceeds the flow's strain by the root of this; 0: all
} mote_strain_view;

// sum_j V_j (v_j - v_i) grad W_ij^T: rows are components of the velocity.
static inline void mote_velocity_gradient(const mote_strain_view *v, size_t i, float out[3][3]) {
  mote_lane zero = mote_lane_splat(0.0f),
            sum[3][3] = {{zero, zero, zero}, {zero, zero, zero}, {zero, zero, zero}};
  for (mote_groups g = mote_pair_groups(&v->pairs, i); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    MOTE_GLOBAL const uint32_t *j = v->pairs.lanes[g.at].index;
    mote_pairs p = mote_pair_lanes_load(&v->pairs, i, g.at);
    mote_lane c = mote_pair_lanes_gradient_factor(&v->pairs, g.at, &p) * p.volume, u[4];
    for (int k = 0; k < MOTE_LANES; ++k) u[k] = mote_lane_load(v->velocity[j[k]]);
    mote_lane_transpose(&u[0], &u[1], &u[2], &u[3]);
    for (int a = 0; a < 3; ++a) {
      mote_lane weighted = c * (u[a] - v->velocity[i][a]);
      for (int b = 0; b < 3; ++b) sum[a][b] += weighted * p.x[b];
    }
  }
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) out[a][b] = mote_lane_sum(sum[a][b]);
  }
}

static inline void mote_strain_row(const mote_strain_view *v, size_t i) {
  float sum[3][3], G[3][3];
  mote_velocity_gradient(v, i, sum);
  for (int a = 0; a < 3; ++a) mote_gradient_fix_apply(&v->linear[i], sum[a], G[a]);
  // Few neighbours, or all in a plane: the correction is then the identity.
  MOTE_GLOBAL const float *m = v->linear[i].m;
  float flow = m[0] == 1.0f && m[1] == 0.0f && m[3] == 1.0f ? MOTE_STRAIN_UNKNOWN : 0.0f;
  v->strain[i] = (mote_strain){{G[0][0], G[0][1] + G[1][0], G[0][2] + G[2][0], G[1][1], G[1][2] + G[2][1],
                                G[2][2], flow, v->rest_density[i]}};
}

// Component k of the strains of four particles in e[k].
static inline void mote_strain_load(MOTE_GLOBAL const mote_strain *strain, MOTE_GLOBAL const uint32_t *index,
                                    mote_lane e[8]) {
  for (int k = 0; k < MOTE_LANES; ++k) {
    e[k] = mote_lane_load(strain[index[k]].e);
    e[4 + k] = mote_lane_load(strain[index[k]].e + 4);
  }
  mote_lane_transpose(&e[0], &e[1], &e[2], &e[3]);
  mote_lane_transpose(&e[4], &e[5], &e[6], &e[7]);
}

// E : E of the mean strain of the neighbours: a mean, because the strain of one particle is full of noise.
static inline float mote_mean_strain_square(const mote_strain_view *v, size_t i) {
  mote_lane zero = mote_lane_splat(0.0f), sum[7] = {zero, zero, zero, zero, zero, zero, zero};
  for (mote_groups g = mote_pair_groups(&v->pairs, i); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    mote_pairs p = mote_pair_lanes_load(&v->pairs, i, g.at);
    mote_lane e[8], weight = mote_pair_lanes_gradient_factor(&v->pairs, g.at, &p) * p.volume;
    mote_strain_load(v->strain, v->pairs.lanes[g.at].index, e);
    weight = mote_lane_choose(e[6] == zero, weight, zero);
    for (int k = 0; k < 6; ++k) sum[k] += weight * e[k];
    sum[6] += weight;
  }
  float e[7];
  for (int k = 0; k < 7; ++k) e[k] = mote_lane_sum(sum[k]);
  if (e[6] == 0.0f) return 0.0f;
  float square = e[0] * e[0] + e[3] * e[3] + e[5] * e[5] + 0.5f * (e[1] * e[1] + e[2] * e[2] + e[4] * e[4]);
  return square / (e[6] * e[6]);
}

// `still`: rates below are those of a fluid at rest.
static inline void mote_strain_flow_row(const mote_strain_view *v, size_t i, float still) {
  float square = v->share == 0.0f ? 0.0f : mote_mean_strain_square(v, i);
  bool known = v->strain[i].e[6] == 0.0f;
  v->flow[i] =
      known ? v->share * square * (square / (square + still * still + FLT_MIN)) : MOTE_STRAIN_UNKNOWN;
}

// The excess of `along` = v_ij . x_ij over the mean strain of both ends, x_ij . E x_ij, limited to between 0
// and `along`, so that damping it removes energy from every pair; less where it is small compared with the
// flow; divided by `softened`. `density`: the harmonic mean of both.
static inline mote_lane mote_strain_noise(MOTE_GLOBAL const mote_strain *strain, size_t i,
                                          MOTE_GLOBAL const uint32_t *index, const mote_pairs *p,
                                          mote_lane along, mote_lane softened, mote_lane *density) {
  mote_lane e[8], x[3] = {p->x[0], p->x[1], p->x[2]}, zero = mote_lane_splat(0.0f);
  MOTE_GLOBAL const float *own = strain[i].e;
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
