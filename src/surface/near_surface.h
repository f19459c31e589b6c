// Which points may lie near the surface, and how dense the points are: sums over the neighbours of each.
// docs/theory/surfaces.md
#ifndef MOTE_NEAR_SURFACE_H
#define MOTE_NEAR_SURFACE_H

#include "surface/point_set.h"

// near[i] is 0 only where the neighbourhood of point i is full, centred and filled in all directions.
// density[i] (null: not wanted) is sum_j V_j W(|x_ij|) with the cubic spline of radius `support`, in own
// spacings of i.
mote_result mote_near_surface(const mote_point_set *set, double support, const mote_env *env, uint8_t *near,
                              float *density, mote_error *error);

#endif
