// Distances within a shape: the length of the shortest path between two points that does not leave it,
// straight or with one bend. Theory: docs/theory/elastic.md, "Neighbours"
#ifndef MOTE_SHAPE_PATH_LENGTH_H
#define MOTE_SHAPE_PATH_LENGTH_H

#include <mote/geom.h>

// From a point to `count` others, all of them in the shape and less than `most` apart. length: in, the
// straight distances; out, the same where the straight path stays in the shape, otherwise the length of the
// path around; HUGE_VAL where none of one bend is shorter than `most`. A slit narrower than 0.07 `detail` may
// not be seen.
void mote_shape_path_lengths(const mote_shape *shape, double detail, const double from[3], const double *to,
                             size_t count, double most, double *length);

#endif
