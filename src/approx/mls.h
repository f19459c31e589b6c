// Internal interface of moving least squares: the sample set, the complete bases, and the groups of four
// samples that the sums of EG09 (21)-(34) run over. All lengths at a point are in units of h, the average
// support radius of the samples in reach, and relative to the point: EG09 (28)-(29).
#ifndef MOTE_MLS_H
#define MOTE_MLS_H

#include <mote/approx.h>
#include <mote/numeric.h>

#include "base/memory.h"

#define MOTE_MLS_BASIS 10  // functions of the largest basis: order 2 in 3D
#define MOTE_MLS_PAIRS 6   // second derivatives in 3D
#define MOTE_MLS_LANES 4   // samples of a group; part of the results
#define MOTE_MLS_GRAIN 64  // points of a chunk of work

_Static_assert(MOTE_MLS_BASIS <= MOTE_DENSE_MAX, "moments are small dense matrices");

struct mote_mls {
  mote_env env;
  mote_mls_def def;  // position and radius point to the copies below
  double *position;
  double *radius;  // null: uniform
  double reach;    // the largest radius; 1 when there is no sample
  bool periodic;   // along any axis
};

// The samples in reach of many points.
typedef struct mote_mls_search {
  mote_grid *grid;  // owns the lists
  mote_lists lists;
  uint32_t longest;  // list
} mote_mls_search;

mote_result mote_mls_search_make(const mote_mls *mls, const double *position, size_t count,
                                 const mote_env *env, mote_mls_search *search, mote_error *error);

// The failure of a caller's weight function at the i-th point or sample.
mote_result mote_mls_fail_weight(mote_error *error, const char *what, size_t i);

static inline double mote_mls_radius(const mote_mls *mls, uint32_t i) {
  return mls->radius == NULL ? mls->def.uniform_radius : mls->radius[i];
}

// Functions of the complete basis of an order; also the border between the orders.
static inline int mote_mls_basis_size(int dimensions, int order) {
  return order < 0    ? 0
         : order == 0 ? 1
         : order == 1 ? 1 + dimensions
                      : (dimensions + 1) * (dimensions + 2) / 2;
}

// The second derivatives of `dimensions` axes, and their indices in the public layout xx xy xz yy yz zz.
typedef struct mote_mls_pairs {
  int count;
  int slot[MOTE_MLS_PAIRS];
  int k[MOTE_MLS_PAIRS], l[MOTE_MLS_PAIRS];  // axes, k <= l
} mote_mls_pairs;

static inline const mote_mls_pairs *mote_mls_pairs_of(int dimensions) {
  static const mote_mls_pairs pairs[3] = {
      {1, {0}, {0}, {0}},
      {3, {0, 1, 3}, {0, 0, 1}, {0, 1, 1}},
      {6, {0, 1, 2, 3, 4, 5}, {0, 0, 0, 1, 1, 2}, {0, 1, 2, 1, 2, 2}},
  };
  return &pairs[dimensions - 1];
}

// Four samples in lanes. y = (x_i - x)/h is p[1..dimensions], at any order. The basis is
// 1, y_k, y_k y_l and y_k^2/sqrt(2): with this root the length of a coefficient vector, and so the smallest
// one that fits, is invariant under rotation of the axes.
typedef struct mote_mls_group {
  double p[MOTE_MLS_BASIS][MOTE_MLS_LANES];
  double w[MOTE_MLS_LANES];                    // weight, 0 for fillers and poles
  double dw[3][MOTE_MLS_LANES];                // its derivatives with respect to x/h
  double ddw[MOTE_MLS_PAIRS][MOTE_MLS_LANES];  // second derivatives
  double pole[MOTE_MLS_LANES];                 // 1 where the weight is infinite, else 0
  double s[MOTE_MLS_LANES];                    // c.p: shape function over weight
} mote_mls_group;

// ((0 + 2) + (1 + 3)), as mote_lane_sum.
static inline double mote_mls_lane_sum(const double v[MOTE_MLS_LANES]) {
  return (v[0] + v[2]) + (v[1] + v[3]);
}

#endif
