// The shape functions of one point, EG09 (27), (29), and the direct gradient at one sample, EG09 (37).
#ifndef MOTE_MLS_POINT_H
#define MOTE_MLS_POINT_H

#include "approx/mls.h"

// Destination of the results of one point: value[e], gradient[3e + axis], second[6e + slot] of its e-th
// sample, padded with zeros to a multiple of 4 samples.
typedef struct mote_mls_point_out {
  double *value, *gradient, *second;  // the last two may be null
} mote_mls_point_out;

// Phi_i(x) of the samples index[0 .. number-1] with the derivatives requested by `out`. `groups` is scratch
// of capacity number/4 + 1. Returns false, with invalid results, if the caller's weight function failed.
bool mote_mls_point_shapes(const mote_mls *mls, const double x[3], const uint32_t *index, uint32_t number,
                           mote_mls_group *groups, mote_mls_point_out out, mote_mls_fit *fit);

// c with <grad f>_k(x_i) = sum over e of (f_j - f_i) c[3e + k], j = index[e]; c is 0 for j = i; capacity as
// above. Returns false if the caller's weight function failed.
bool mote_mls_point_direct(const mote_mls *mls, uint32_t i, const uint32_t *index, uint32_t number,
                           mote_mls_group *groups, double *c);

#endif
