// A bound of A_ii of one particle, with walls: wall_pressure.h.
#ifndef MOTE_MATRIX_ROW_H
#define MOTE_MATRIX_ROW_H

#include "rows/wall_pairs.h"

typedef struct mote_matrix_view {
  MOTE_GLOBAL const float *gradient, *wall, *rest_density, *diagonal, *volume;
  MOTE_GLOBAL float *matrix;
  MOTE_GLOBAL float *shared;  // share A_bb / V_b of each sample; and 0 for the dummy
} mote_matrix_view;

// Of the particles among themselves and beside walls at rest.
static inline void mote_matrix_row(const mote_matrix_view *v, size_t i) {
  MOTE_GLOBAL const float *g = v->gradient + 3 * i, *G = v->wall + 3 * i;
  float own = 0.0f;
  for (int k = 0; k < 3; ++k) own += (g[k] + G[k]) * (g[k] + G[k]);
  v->matrix[i] = own / v->rest_density[i] + v->diagonal[i];
}

static inline void mote_shared_row(const mote_matrix_view *v, const mote_wall_pairs *w, size_t b) {
  v->shared[b] = w->share[b] * w->diagonal[b] / w->volume[b];
}

// The means' part is at most B_ii = V_i sum_b u_b sum_b u_b A_bb / V_b with u_b = share_b W_ib (Cauchy and
// Schwarz); of both together, (sqrt A + sqrt B)^2. Of the particle of row n.
static inline void mote_wall_matrix_row(const mote_matrix_view *v, const mote_wall_pairs *w, size_t n) {
  size_t i = w->index[n];
  float u = mote_pair_set_weigh(&w->sample_neighbours, w->sample_neighbour_value, n, w->share),
        A = mote_pair_set_weigh(&w->sample_neighbours, w->sample_neighbour_value, n, v->shared);
  float root = sqrtf(v->matrix[i]) + sqrtf(v->volume[i] * u * A);
  v->matrix[i] = root * root;
}

#endif
