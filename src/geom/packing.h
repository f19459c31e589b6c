// The points of a packing where the distance to a shape lies in a range, found block by block: a block of
// points around a centre at distance f reaches from f - r to f + r, because distances are no steeper than 1.
#ifndef MOTE_PACKING_H
#define MOTE_PACKING_H

#include "geom/shape_tree.h"

// Point (i, j, k), counted from 0, at origin + basis (i step_0, j step_1, k step_2).
typedef struct mote_packing {
  double basis[9], origin[3], step[3];
  int64_t count[3];
} mote_packing;

#define MOTE_PACKING_BLOCKS 512

typedef struct mote_packing_block {
  int64_t from[3], to[3];
} mote_packing_block;

typedef struct mote_packing_plan {
  const mote_shape *shape;
  mote_packing packing;
  double low, high;  // points with low <= distance < high
  size_t blocks;
  mote_packing_block block[MOTE_PACKING_BLOCKS];
  size_t first[MOTE_PACKING_BLOCKS + 1];  // of the points in each block
  double *position;
} mote_packing_plan;

// Counts the points; their number is plan->first[plan->blocks].
size_t mote_packing_count(const mote_shape *shape, const mote_packing *packing, double low, double high,
                          mote_packing_plan *plan);
void mote_packing_place(mote_packing_plan *plan, double *position);

// The shape's own basis; in 2D its axis out of the plane goes last.
void mote_packing_basis(const mote_shape *shape, double out[9]);

// The world's box [low, high] lies within [out_low, out_high] of the basis.
void mote_packing_region(const double basis[9], const double low[3], const double high[3], double out_low[3],
                         double out_high[3]);

// The packing of these steps over [low, high] of the basis, with a point `offset` steps from its middle.
mote_packing mote_packing_over(const double basis[9], const double low[3], const double high[3],
                               const double step[3], const double offset[3], int dimensions);

// That of a box with the shape's bounds in its own basis, filled side to side, with room to spare around.
mote_packing mote_packing_fitted(const mote_shape *shape, double spacing, double margin);

// The volume of a bounded shape and its moments about the middle of [low, high], counted in cells
// (docs/theory/shapes.md): 1; x, y, z; xx, xy, xz, yy, yz, zz.
#define MOTE_PACKING_MOMENTS 10
void mote_packing_moments(const mote_shape *shape, const double low[3], const double high[3],
                          double moment[MOTE_PACKING_MOMENTS]);
double mote_packing_volume(const mote_shape *shape, const double low[3], const double high[3]);
// Within about 2 %, in an eighth of the time.
double mote_packing_volume_about(const mote_shape *shape, const double low[3], const double high[3]);

#endif
