// Cracks of a body in material space: a soup of triangles that only grows, and the crack fronts at which it
// may grow. Triangles of one crack have one number, its sheet. Queries give the same bits for any grouping in
// which the same list of triangles was added, and are thread-safe.
//
// In 2D a triangle is the segment from its first to its second corner, whose positive side is on the left,
// and a front is a single node; third coordinates must be 0. In 3D the positive side of a triangle is the one
// from which its corners run counter-clockwise, and a front is a polyline. Theory: docs/theory/fracture.md
#ifndef MOTE_CRACK_SHEET_H
#define MOTE_CRACK_SHEET_H

#include "geom/bvh.h"

// A node of a front, at the edge of its sheet.
typedef struct mote_crack_node {
  double position[3];
  double ahead[3];   // unit vector of growth: along the sheet, away from it, across the front
  double normal[3];  // unit normal of the sheet, on its positive side
  uint64_t live;     // 0: has ended and never moves again
} mote_crack_node;

typedef struct mote_crack_front {
  uint32_t sheet;
  uint32_t first, count;  // its nodes, in the order along the front
  uint32_t closed;        // 1: the last node joins the first
  uint32_t moving;        // 1: it reached the toughness at the last evaluation
  double budget;          // m: accumulated growth by the speed of cracks
} mote_crack_front;

typedef struct mote_crack_tree {
  size_t first, count;  // triangles
  mote_bvh bvh;         // over them, with indices from 0
} mote_crack_tree;

#define MOTE_CRACK_TREES 40  // their sizes at least double from the last to the first

typedef struct mote_crack_sheets {
  mote_env env;
  int dimensions;
  size_t triangles, sheets, fronts, nodes;
  double *corner;   // nine numbers per triangle
  uint32_t *sheet;  // of each triangle
  mote_crack_front *front;
  mote_crack_node *node;
  size_t capacity[5];  // of corner, sheet, front, node, identity
  uint32_t *identity;  // 0, 1, 2 ...: corner numbers of the triangles for the trees
  mote_crack_tree tree[MOTE_CRACK_TREES];
  size_t trees;
} mote_crack_sheets;

// Without any crack. Does not allocate.
mote_crack_sheets mote_crack_sheets_make(int dimensions, const mote_env *env);
void mote_crack_sheets_destroy(mote_crack_sheets *cracks);

// Adds triangles to a sheet, which may be a new one (`sheet` <= cracks->sheets). On failure the soup is as
// before.
mote_result mote_crack_add_triangles(mote_crack_sheets *cracks, uint32_t sheet, const double *corner,
                                     size_t count, mote_error *error);
// Replaces all fronts and nodes.
mote_result mote_crack_set_fronts(mote_crack_sheets *cracks, const mote_crack_front *front, size_t fronts,
                                  const mote_crack_node *node, size_t nodes, mote_error *error);

// --- Queries ----------------------------------------------------------------------------------------

typedef struct mote_crack_crossing {
  double at;  // fraction of the segment from p to q, 0 to 1
  uint32_t triangle;
} mote_crack_crossing;

// Triangles that the segment from p to q crosses, by ascending number, at most `most` of them; returns their
// total number. A segment crosses a triangle where its ends lie on different sides of the triangle's plane
// and its line meets the triangle, rim included: no segment passes between triangles that share an edge. A
// point in the plane counts as lying on the positive side; a segment within the plane crosses nothing. From q
// to p the same triangles are crossed.
size_t mote_crack_crossings(const mote_crack_sheets *cracks, const double p[3], const double q[3],
                            size_t most, mote_crack_crossing *out);
// Whether the segment crosses any triangle; *at (may be null): the fraction at the crossing nearest to p.
bool mote_crack_cuts(const mote_crack_sheets *cracks, const double p[3], const double q[3], double *at);

// The nearest triangle that is closer to x than `most`, with its closest point (either may be null); returns
// the distance, HUGE_VAL where there is none. Of several at the same distance the first.
double mote_crack_nearest(const mote_crack_sheets *cracks, const double x[3], double most, double point[3],
                          uint32_t *triangle);
// The same of all other sheets than this one; one by one.
double mote_crack_nearest_other(const mote_crack_sheets *cracks, uint32_t sheet, const double x[3],
                                double most, double point[3]);
// Unit normal of a triangle on its positive side; zero if it has no area.
void mote_crack_normal(const mote_crack_sheets *cracks, size_t triangle, double normal[3]);

// Distance to the nearest live part of a front of this sheet, with its closest point (may be null); HUGE_VAL:
// the sheet has none. A segment of a front is live if at least one of its ends is.
double mote_crack_front_distance(const mote_crack_sheets *cracks, uint32_t sheet, const double x[3],
                                 double point[3]);

// --- Visibility and transparency --------------------------------------------------------------------

// The increase of the distance of p and q by a crack between them, in supports, EG09 (70): 0 if none crosses
// the segment, else the largest (d_s/opacity)^2 of the crossings, d_s the distance from the crossing to the
// nearest front of its sheet. opacity: kappa times the spacing, m; 0: visibility, which is HUGE_VAL
// across any crack. gradient (may be null): by p.
double mote_crack_detour(const mote_crack_sheets *cracks, double opacity, const double p[3],
                         const double q[3], double gradient[3]);

// Path lengths across cracks, in the form of mote_elastic_def.path_length; `most` is the support.
void mote_crack_path_lengths(const mote_crack_sheets *cracks, double opacity, const double from[3],
                             const double *to, size_t count, double most, double *length);

// Moves x, the eye of a particle, off the triangles nearer than `margin`, to the side on
// which it is, so that all rays from it agree. Returns whether it moved.
bool mote_crack_keep_off(const mote_crack_sheets *cracks, double margin, double x[3]);

// --- Initial cracks -------------------------------------------------------

// Each is a new sheet with fronts along its rim, whose nodes are `spacing` apart at most.

// 3D: a flat polygon that is star-shaped about the mean of its corners. 2D: a polyline with a front at each
// end.
mote_result mote_crack_add_polygon(mote_crack_sheets *cracks, const double *corner, size_t count,
                                   double spacing, mote_error *error);
// 2D: a segment across the normal, `radius` to either side.
mote_result mote_crack_add_disc(mote_crack_sheets *cracks, const double centre[3], const double normal[3],
                                double radius, double spacing, mote_error *error);
// From the straight front through `tip` backwards, against `ahead`, over `reach`; in 3D also over `reach` to
// both sides of it.
mote_result mote_crack_add_half_plane(mote_crack_sheets *cracks, const double tip[3], const double ahead[3],
                                      const double normal[3], double reach, double spacing,
                                      mote_error *error);

#endif
