// Density of one particle and what a solve needs of its neighbourhood: EG09 (7).
#ifndef MOTE_DENSITY_ROW_H
#define MOTE_DENSITY_ROW_H

#include "rows/pair_view.h"

typedef struct mote_density_view {
  mote_pair_view pairs;
  MOTE_GLOBAL const float *mobility;  // V / rho0
  MOTE_GLOBAL float *relative, *gradient;
  MOTE_GLOBAL float *diagonal;  // null: not wanted
} mote_density_view;

// Writes them and the gradient factors, where these are kept. Returns whether the particle coincides with
// another.
static inline bool mote_density_row(const mote_density_view *v, size_t i, bool with_diagonal) {
  mote_lane zero = mote_lane_splat(0.0f), relative = zero, diagonal = zero, gradient[3] = {zero, zero, zero};
  mote_lane_mask together = relative != relative;
  mote_fixed_position own = v->pairs.fixed_position[i];
  for (mote_groups g = mote_pair_groups(&v->pairs, i); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    MOTE_GLOBAL const uint32_t *j = v->pairs.lanes[g.at].index;
    MOTE_GLOBAL const float *m = v->mobility;
    mote_pairs p = mote_pairs_load(&v->pairs.scale, &own, v->pairs.fixed_position, j);
    mote_lane c = mote_pairs_gradient_factor(&v->pairs.scale, &p), square = zero;
    relative += p.volume * mote_pairs_value(&v->pairs.scale, &p);
    together |= (p.q == zero) & (p.volume > zero);
    for (int a = 0; a < 3; ++a) {
      mote_lane one = c * p.x[a];
      gradient[a] += p.volume * one;
      square += one * one;
    }
    if (with_diagonal) diagonal += (mote_lane){m[j[0]], m[j[1]], m[j[2]], m[j[3]]} * square;
    if (v->pairs.gradient_factor != NULL) mote_lane_store(v->pairs.gradient_factor + MOTE_LANES * g.at, c);
  }
  v->relative[i] = own.volume * mote_pairs_self(&v->pairs.scale) + mote_lane_sum(relative);
  for (int a = 0; a < 3; ++a) v->gradient[3 * i + (size_t)a] = mote_lane_sum(gradient[a]);
  if (with_diagonal) v->diagonal[i] = own.volume * mote_lane_sum(diagonal);
  return (together[0] | together[1] | together[2] | together[3]) != 0;
}

#endif
