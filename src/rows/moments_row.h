// Moments of one particle's neighbours and the correction of its gradients, their inverse (Bonet & Lok
// 1999): gradient_correction.h.
#ifndef MOTE_MOMENTS_ROW_H
#define MOTE_MOMENTS_ROW_H

#include "rows/pair_view.h"
#include "rows/wall_pairs.h"

// Symmetric: xx, xy, xz, yy, yz, zz.
typedef struct mote_gradient_fix {
  float m[6];
} mote_gradient_fix;

static inline mote_gradient_fix mote_gradient_identity(void) {
  return (mote_gradient_fix){{1.0f, 0.0f, 0.0f, 1.0f, 0.0f, 1.0f}};
}

static inline void mote_gradient_fix_apply(MOTE_GLOBAL const mote_gradient_fix *fix, const float v[3],
                                           float out[3]) {
  MOTE_GLOBAL const float *m = fix->m;
  out[0] = m[0] * v[0] + m[1] * v[1] + m[2] * v[2];
  out[1] = m[1] * v[0] + m[3] * v[1] + m[4] * v[2];
  out[2] = m[2] * v[0] + m[4] * v[1] + m[5] * v[2];
}

typedef struct mote_moments_view {
  mote_pair_view pairs;
  MOTE_GLOBAL mote_gradient_fix *fix;
  int dimensions;
  float determinant;  // the least that is inverted
} mote_moments_view;

// -sum_j V_j x_ij grad W_ij^T, of four pairs with grad W = gradient_factor x.
static inline void mote_moments_add(mote_lane sum[6], const mote_pairs *p, mote_lane gradient_factor) {
  for (int a = 0, k = 0; a < 3; ++a) {
    mote_lane weight = p->volume * (gradient_factor * p->x[a]);
    for (int b = a; b < 3; ++b, ++k) sum[k] -= weight * p->x[b];
  }
}

// Of neighbours in the fluid.
static inline void mote_moments_row(const mote_moments_view *v, size_t i) {
  mote_lane zero = mote_lane_splat(0.0f), sum[6] = {zero, zero, zero, zero, zero, zero};
  for (mote_groups g = mote_pair_groups(&v->pairs, i); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    mote_pairs p = mote_pair_lanes_load(&v->pairs, i, g.at);
    mote_moments_add(sum, &p, mote_pair_lanes_gradient_factor(&v->pairs, g.at, &p));
  }
  for (int k = 0; k < 6; ++k) v->fix[i].m[k] = mote_lane_sum(sum[k]);
}

// Adds those of samples near the particle of row n.
static inline void mote_wall_moments_row(const mote_moments_view *v, const mote_wall_pairs *w, size_t n) {
  size_t i = w->index[n];
  mote_fixed_position own = v->pairs.fixed_position[i];
  mote_lane zero = mote_lane_splat(0.0f), sum[6] = {zero, zero, zero, zero, zero, zero};
  for (mote_groups g = mote_wall_groups(&w->sample_neighbours, n); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    MOTE_GLOBAL const uint32_t *index = w->sample_neighbours.group[g.at].index;
    mote_pairs p = mote_pairs_load(&v->pairs.scale, &own, w->fixed_position, index);
    mote_moments_add(sum, &p, mote_pairs_gradient_factor(&v->pairs.scale, &p));
  }
  for (int k = 0; k < 6; ++k) v->fix[i].m[k] += mote_lane_sum(sum[k]);
}

// From the moments to their inverse; near a singular one, the identity.
static inline void mote_moments_invert(const mote_moments_view *v, size_t i) {
  MOTE_GLOBAL float *m = v->fix[i].m;
  if (v->dimensions == 2) m[5] = 1.0f;
  float xx = m[3] * m[5] - m[4] * m[4], xy = m[2] * m[4] - m[1] * m[5], xz = m[1] * m[4] - m[2] * m[3];
  float det = m[0] * xx + m[1] * xy + m[2] * xz, per = 1.0f / det;
  if (!(det > v->determinant)) {
    v->fix[i] = mote_gradient_identity();
    return;
  }
  float yy = m[0] * m[5] - m[2] * m[2], yz = m[1] * m[2] - m[0] * m[4], zz = m[0] * m[3] - m[1] * m[1];
  v->fix[i] = (mote_gradient_fix){{xx * per, xy * per, xz * per, yy * per, yz * per, zz * per}};
}

#endif
