// How often a mesh winds around a point: 1 inside of a closed mesh that looks outward, 0 outside, and near
// these where the mesh has holes (Jacobson et al. 2013). Far triangles are taken together by a tree of boxes
// (Barill et al. 2018).
#ifndef MOTE_WINDING_H
#define MOTE_WINDING_H

#include "geom/bvh.h"

typedef struct mote_winding_node mote_winding_node;

typedef struct mote_winding {
  mote_env env;
  const mote_mesh *mesh;
  const mote_bvh *bvh;
  mote_winding_node *node;  // one for each of the tree
} mote_winding;

// The share of the sphere around x that the triangle covers, with the sign of its side.
double mote_winding_of_triangle(const double *a, const double *b, const double *c, const double x[3]);

// Keeps mesh and tree, which must outlive it.
mote_result mote_winding_create(const mote_mesh *mesh, const mote_bvh *bvh, const mote_env *env,
                                mote_winding *out, mote_error *error);
void mote_winding_destroy(mote_winding *winding);

double mote_winding_at(const mote_winding *winding, const double x[3]);

#endif
