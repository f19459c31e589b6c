// The surface of a shape as small plane elements.
#ifndef MOTE_SHAPE_FACES_H
#define MOTE_SHAPE_FACES_H

#include <mote/geom.h>

typedef struct mote_faces {
  double *point;  // on the surface, three each
  double *area;   // outward area vectors, m^2 (2D: lengths), three each
  double edge;    // of the cells in which they lie, m
  size_t count, capacity[2];
} mote_faces;

// Elements in cells of about this size, at most 2 million of which are looked at. The area vectors of a
// closed surface sum to zero; those of boxes along the axes are exact, edges of others are cut off within
// a cell. ARGUMENT with the key "shape": without bounds.
mote_result mote_shape_faces(const mote_shape *shape, int dimensions, double size, const mote_env *env,
                             mote_faces *out, mote_error *error);
// The part of an element, moved inwards by `depth`, that lies in another shape: of 16 points (2D: 8).
double mote_face_part_in(const mote_shape *shape, const double x[3], const double area[3], double edge,
                         int dimensions, double depth);
void mote_faces_free(mote_faces *faces, const mote_env *env);

#endif
