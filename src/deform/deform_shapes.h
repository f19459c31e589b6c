// Shape functions of moving least squares, order 1, with material distances: EG09 (26)-(32), (72);
// docs/theory/deformation.md, "Field".
#ifndef MOTE_DEFORM_SHAPES_H
#define MOTE_DEFORM_SHAPES_H

#include "deform/deform_space.h"

// Of one point.
typedef struct mote_deform_point {
  uint32_t count;
  uint32_t node[MOTE_DEFORM_REACH_MAX];  // ascending
  double value[MOTE_DEFORM_REACH_MAX], gradient[MOTE_DEFORM_REACH_MAX][3];
} mote_deform_point;

// Returns false where the nodes in reach are too few or close to one plane; the shape functions then are
// those of regularised moments: constants stay exact.
bool mote_deform_shapes_at(const mote_deform_space *space, const double x[3], uint32_t anchor,
                           mote_deform_point *out);

// Of the samples, in double precision.
typedef struct mote_deform_shapes {
  uint32_t *first, *node;
  double (*gradient)[3];
  uint32_t longest;
} mote_deform_shapes;
mote_result mote_deform_shapes_make(const mote_deform_space *space, mote_arena *memory,
                                    mote_deform_shapes *out, mote_error *error);

// Within its nodes the amounts of a point's shape functions sum up to little more than 1.
enum { MOTE_DEFORM_BEYOND = 3 };

// Of the vertices, in single precision: Phi and its derivatives along x, y, z. Four vertices have lists of
// one length, interleaved: entry e of vertex 4 g + v is number 4 (first[g] + e) + v, up to first[g + 1].
typedef struct mote_deform_skin {
  size_t count;
  size_t *first;
  uint16_t *node;
  float *value;      // four each; 0 where a list is shorter
  float *normal;     // at rest, of four vertices x, x, x, x, y, ...
  uint32_t *anchor;  // grid point from which a vertex is seen
  float *amount;     // of each vertex the sum of |Phi|; infinite where nodes are too few or in a plane
  size_t beyond;     // vertices where it is above MOTE_DEFORM_BEYOND: they are extrapolated
  // Of the nodes, for the affine motion that fits them best:
  double centre[3], inverse[9];
  float *rest_of;  // of a state, what remains of the nodes' displacements beyond it, four each
} mote_deform_skin;

// `outward`: by which vertices are seen from the inside; `normal`: to be moved with them.
mote_result mote_deform_skin_make(const mote_deform_space *space, const double *vertex, const double *outward,
                                  const double *normal, size_t count, mote_arena *memory,
                                  mote_deform_skin *out, mote_error *error);
// Vertices and normals (null: not wanted) with the nodes at `position`.
void mote_deform_skin_move(mote_deform_skin *skin, const mote_deform_space *space, const double *position,
                           const double *rest_vertex, int threads, double *vertex, double *normal);
// det F at the vertices.
void mote_deform_skin_determinants(mote_deform_skin *skin, const mote_deform_space *space,
                                   const double *position, int threads, float *determinant);

#endif
