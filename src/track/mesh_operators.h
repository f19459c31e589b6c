// Operators of a closed mesh, shared by curvature, fairing, tension and waves: areas A of the vertices (Meyer
// et al. 2002, mixed) and cotangent weights,
//
//   (W x)_i = sum_j w_ij (x_i - x_j),   w_ij = (cot a_ij + cot b_ij) / 2,
//
// symmetric, with row sums of zero. A^-1 W is minus the Laplacian; A^-1 W x at the positions is twice the
// mean curvature along the outward normal, and W x the gradient of the area. docs/theory/tracking.md
#ifndef MOTE_MESH_OPERATORS_H
#define MOTE_MESH_OPERATORS_H

#include "mesh/half_edges.h"

typedef struct mote_mesh_operators {
  size_t vertices;  // rows; those without triangles have no area and no neighbours
  int threads;
  const uint32_t *first;  // of each row's neighbours; one more
  uint32_t *neighbour;
  double *weight;
  double *diagonal;  // sum of the row's weights
  double *area;
} mote_mesh_operators;

// Allocated in the arena.
mote_result mote_mesh_operators_make(const mote_half_edges *edges, const double *position, int threads,
                                     mote_arena *arena, mote_mesh_operators *out, mote_error *error);

// y = W x for `components` values per vertex.
void mote_mesh_operators_apply(const mote_mesh_operators *o, const double *x, int components, double *y);
// From W x at the positions: sharpness of the surface, the largest |2 H| (1/m) among a vertex and the
// vertices within `edges` edges. |2 H| is averaged over neighbours first, so that noise is not taken for
// sharp edges. work: one number per vertex.
void mote_mesh_operators_sharpness(const mote_mesh_operators *o, const double *bend, int edges, double *work,
                                   double *sharpness);
// y = A^-1 W x of one component; 0 where there is no area.
void mote_mesh_operators_laplace(const mote_mesh_operators *o, const double *x, double *y);

// sum_n c_n T_n(2 M / end - 1) x, M = A^-1 W, T Chebyshev polynomials, by Clenshaw's recurrence; the
// eigenvalues of M must lie within [0, end]. Returns one half of work2, which has two numbers per vertex.
const double *mote_mesh_operators_series(const mote_mesh_operators *o, double end, const double *c, int count,
                                         const double *x, double *work2);

// The largest eigenvalue of A^-1 W, by power iteration: within a few percent from below.
double mote_mesh_operators_largest(const mote_mesh_operators *o, double *work2);

// Solves (s A + t W) x = A b (power 1) or (s A + t W A^-1 S W) x = A b (power 2) of one component, from the
// initial guess in x, s and t positive. S is diagonal, `scale` per vertex, 0 or more; null: 1. free: per
// vertex, 1: an unknown, 0: x stays 0; null: all are unknowns.
mote_result mote_mesh_operators_solve(const mote_mesh_operators *o, int power, double s, double t,
                                      const double *scale, const uint8_t *free, const double *b, double *x,
                                      double tolerance, mote_arena *arena, mote_error *error);

#endif
