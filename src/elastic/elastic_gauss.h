// Corrected integration of an elastic body: with gradients from the fits, constant stress is not in balance
// with the loads on its surface, and the imbalance excites zig-zag motion of the rows. A small change of the
// gradients makes the discrete Gauss identity exact. Theory: docs/theory/elastic.md
#ifndef MOTE_ELASTIC_GAUSS_H
#define MOTE_ELASTIC_GAUSS_H

#include "elastic/elastic_body.h"

// Changes the slopes of all pairs such that constant stress is balanced by loads on these faces (points and
// outward area vectors, three each), at every particle that is not clamped. Linear fields keep their exact
// gradients. Reads volumes, slopes and clamps.
mote_result mote_elastic_correct_slopes(mote_elastic *body, size_t faces, const double *point,
                                        const double *area, mote_error *error);

// out_j = sum over points of Phi_j value: shape functions of the body's order that reproduce polynomials up
// to it, among the particle nearest to the point and its neighbours. Three numbers each.
mote_result mote_elastic_spread_to_particles(const mote_elastic *body, size_t count, const double *point,
                                             const double *value, double *out, mote_error *error);

#endif
