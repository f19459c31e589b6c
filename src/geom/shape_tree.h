// A shape made ready: a flat tree of leaves in rigid bases, joined by unions and intersections. Figures have
// become unions, differences intersections with inverted parts, scales are in the sizes.
#ifndef MOTE_SHAPE_TREE_H
#define MOTE_SHAPE_TREE_H

#include <mote/geom.h>

#include "base/memory.h"
#include "geom/mesh_tree.h"
#include "geom/triple.h"

#define MOTE_SHAPE_LARGEST 1e100  // range: longer ones are refused, points beyond are taken to be there

typedef struct mote_shape_node {
  mote_shape_kind kind;
  bool inverted;
  uint32_t end;                // its parts are the nodes after it, up to this
  double basis[9], origin[3];  // x = basis y + origin
  // box: half edges; ellipsoid: radii; sphere: radius; cylinder and capsule (along local z): radius, half
  // length; torus (about local z): radii of ring and tube; mesh: times as large as its definition
  double size[3];
  double middle[3], reach;  // a ball around it without its inversion; of infinite radius where there is none
  mote_mesh_tree *mesh;     // in the world's basis
} mote_shape_node;

struct mote_shape {
  mote_env env;
  int dimensions;
  mote_shape_node *node;
  size_t nodes, capacity;
};

// Signed distance of a primitive at y in its own basis; `normal`, where not null, receives the gradient.
double mote_primitive_distance(const mote_shape_node *node, int dimensions, const double y[3],
                               double normal[3]);
double mote_primitive_volume(const mote_shape_node *node, int dimensions);
// Half of the extent along the world's axes, infinite where it is.
void mote_primitive_extent(const mote_shape_node *node, double extent[3]);

// Of the ellipsoid with n = 2 or 3 radii about the origin.
// The radius of the largest ball about y certain to lie outside (negative: inside the depth cannot be more).
double mote_ellipsoid_least(int n, const double radii[3], const double y[3]);
double mote_ellipsoid_distance(int n, const double radii[3], const double y[3], double normal[3]);

// With its inversion, and of a leaf without it.
double mote_node_distance(const mote_shape *shape, size_t index, const double x[3], double normal[3]);
double mote_leaf_distance(const mote_shape *shape, size_t index, const double x[3], double normal[3]);
// Bounds, and those without its own inversion, in the coordinates of a turned basis; null: the world's.
void mote_node_bounds(const mote_shape *shape, size_t index, const double *basis, double low[3],
                      double high[3]);
void mote_node_bounds_plain(const mote_shape *shape, size_t index, const double *basis, double low[3],
                            double high[3]);
// The radius of a ball about x that holds the shape; infinite where none does.
double mote_shape_reach(const mote_shape *shape, const double x[3]);

// As mote_shape_volume, within about 2 % where shapes are joined.
double mote_shape_volume_about(const mote_shape *shape);
bool mote_node_is_leaf(const mote_shape_node *node);
// A single shape whose distance is a convex function.
bool mote_shape_is_convex(const mote_shape *shape);
// Nothing of the shape has a lower n x, for a unit vector n; of a box exact, else by the ball around it.
double mote_shape_lowest(const mote_shape *shape, const double n[3]);

// Warns of boxes in unions that touch without overlapping.
void mote_shape_note_seams(const mote_shape *shape);

// The parts of the figure, of height 2 about the origin: its ellipsoids as definitions.
size_t mote_figure_parts(void);
mote_shape_def mote_figure_part(size_t index, int dimensions);

// --- Distances within a shape (shape_path_length.c; docs/theory/elastic.md, "Neighbours") ------------------

// The length of the shortest path between two points that does not leave the shape, straight or with one
// bend, from a point to `count` others, all of them in the shape and less than `most` apart. length: in, the
// straight distances; out, the same where the straight path stays in the shape, otherwise the length of the
// path around; HUGE_VAL where none of one bend is shorter than `most`. A slit narrower than 0.07 `detail` may
// not be seen.
void mote_shape_path_lengths(const mote_shape *shape, double detail, const double from[3], const double *to,
                             size_t count, double most, double *length);

#endif
