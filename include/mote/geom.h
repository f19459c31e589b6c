// Shapes: how far a point is from one, filling one with particles, sampling its surface.
//
// Points are triples as in search.h. In 2D a shape stands for its section with the plane z = 0: boxes have no
// sides along z, spheres are discs. Distances are signed: negative inside.
//
// Theory: docs/theory/shapes.md
#ifndef MOTE_GEOM_H
#define MOTE_GEOM_H

#include <mote/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- Triangle meshes ------------------------------------------------------------------------------------

// Triangles of vertices by number, counter-clockwise seen from outside.
typedef struct mote_mesh {
  double *vertex;      // 3 each
  uint32_t *triangle;  // 3 each
  size_t vertices, triangles;
} mote_mesh;

// Properties of a mesh.
typedef struct mote_mesh_report {
  size_t open_edges;        // with one triangle
  size_t crowded_edges;     // with more than two
  size_t flipped_edges;     // whose triangles disagree about the outside
  size_t flat_triangles;    // without area
  size_t pinched_vertices;  // whose triangles make more than one fan: parts touch there
  size_t crossings;         // pairs of triangles that cross each other
  size_t first_crossing[2];
  size_t parts;                      // connected components
  int64_t euler;                     // vertices - edges + triangles, of those that are used
  int64_t genus;                     // handles of all parts together; -1 where edges or vertices are at fault
  double area, volume;               // volume: of the closed mesh, positive when it is oriented outward
  double smallest_angle, low_angle;  // rad; low: one triangle in a hundred has a smaller one
  double thin_share;                 // of the triangles have an angle below 10 degrees
  double low[3], high[3];
} mote_mesh_report;

MOTE_API mote_result mote_mesh_examine(const mote_mesh *mesh, const mote_env *env, mote_mesh_report *report,
                                       mote_error *error);

// Of a closed mesh, m^3; positive when it is oriented outward.
MOTE_API double mote_mesh_volume(const mote_mesh *mesh);

// The point of the mesh that is nearest to each of `count` points: its triangle, of equally near ones the
// first, and the shares of its corners in it, three each. Any mesh, also an open one.
MOTE_API mote_result mote_mesh_nearest(const mote_mesh *mesh, const double *x, size_t count,
                                       const mote_env *env, uint32_t *triangle, double *share,
                                       mote_error *error);

// What was done to a mesh so that it bounds a solid.
typedef struct mote_mesh_mending {
  size_t welded;    // open edges that were merged with others nearly at the same place
  size_t holes;     // closed, because they are small
  size_t sheets;    // parts without an inside that were left out
  size_t doubled;   // triangles that were left out because others are at the same place
  size_t crossing;  // parts that cross others
  size_t turned;    // triangles that were turned
  size_t open;      // edges that stay open
  bool united;      // triangles crossed or touched: the result is the outer surface
  bool exact;  // the result is closed and crosses nothing; else inside is where its winding number is above
               // 0.5
} mote_mesh_mending;

// A copy that bounds a solid: coincident vertices are merged, flat triangles removed, and triangles oriented
// consistently, outward. Where the mesh is not clean: seams within a millionth of its size are welded, small
// holes closed, parts that cross united. ARGUMENT for what has no inside. mending may be null.
MOTE_API mote_result mote_mesh_repair(const mote_mesh *mesh, const mote_env *env, mote_mesh *out,
                                      mote_mesh_mending *mending, mote_error *error);
// What was done, as one line of at most `size` bytes; empty where nothing was worth a word.
MOTE_API void mote_mesh_mending_text(const mote_mesh_mending *mending, char *text, size_t size);
// Frees what the library allocated for the mesh.
MOTE_API void mote_mesh_free(mote_mesh *mesh, const mote_env *env);

// --- Definitions ----------------------------------------------------------------------------------------

typedef enum mote_shape_kind {
  MOTE_SHAPE_NONE,
  MOTE_SHAPE_BOX,           // low, high
  MOTE_SHAPE_SPHERE,        // centre, radius
  MOTE_SHAPE_ELLIPSOID,     // centre, radii
  MOTE_SHAPE_CYLINDER,      // from, to, radius
  MOTE_SHAPE_CAPSULE,       // from, to, radius
  MOTE_SHAPE_TORUS,         // centre, normal (its axis), radius of the ring, thickness: radius of the tube
  MOTE_SHAPE_HALF_SPACE,    // centre (a point of its plane), normal (out of the solid)
  MOTE_SHAPE_MESH,          // mesh
  MOTE_SHAPE_FIGURE,        // centre, radius (half of its height): an animal made of ellipsoids
  MOTE_SHAPE_UNION,         // all of its parts
  MOTE_SHAPE_DIFFERENCE,    // the first part without the others
  MOTE_SHAPE_INTERSECTION,  // what all parts share
  MOTE_SHAPE_KINDS
} mote_shape_kind;

// "box", ...; "none"; "?" if unknown.
MOTE_API const char *mote_shape_kind_name(mote_shape_kind kind);

// The members that each kind uses are listed above. The shape is scaled and rotated about its pivot, then
// moved, then inverted.
typedef struct mote_shape_def {
  mote_shape_kind kind;
  double low[3], high[3];
  double centre[3], normal[3], from[3], to[3];
  double radius, thickness, radii[3];
  mote_mesh mesh;  // repaired as by mote_mesh_repair; the definition does not own it
  const struct mote_shape_def *part;
  size_t parts;
  double scale;           // 1
  double axis[3], angle;  // rotated about this axis by this angle, rad
  double pivot[3];        // NaN: the middle of the shape's bounds
  double move[3];
  bool inverted;  // everything but the shape: a container
} mote_shape_def;

// No kind, scale 1, not rotated, not moved, unit sizes.
MOTE_API mote_shape_def mote_shape_def_default(void);
// The two most common ones.
MOTE_API mote_shape_def mote_shape_def_box(double x0, double y0, double z0, double x1, double y1, double z1);
MOTE_API mote_shape_def mote_shape_def_sphere(double x, double y, double z, double radius);

// --- Shapes ---------------------------------------------------------------------------------------------

typedef struct mote_shape mote_shape;

// Copies what it needs. ARGUMENT names the member in error->key: sizes that are not positive, meshes
// without an inside, numbers that are not finite or beyond 1e100, parts missing, nesting beyond 64. In 2D
// rods, tori and planes lie in the plane z = 0 (rods and tori may stand on it), shapes turn about z, and
// there are no meshes.
MOTE_API mote_result mote_shape_create(const mote_shape_def *def, int dimensions, const mote_env *env,
                                       mote_shape **out, mote_error *error);
MOTE_API void mote_shape_destroy(mote_shape *shape);

// May be called by any number of threads at once. Never larger than the true distance in magnitude, and of
// the correct sign; exact for single shapes, outside unions and inside intersections.
MOTE_API double mote_shape_distance(const mote_shape *shape, const double x[3]);
// The same, with the direction of fastest increase as a unit vector (outward normal).
MOTE_API double mote_shape_closest(const mote_shape *shape, const double x[3], double normal[3]);
// Where the segment from a to b first comes within `clearance` of the shape, as a fraction in [0, 1]: 0 when
// it begins there, 2 when it does not. Walls of any thickness are found. Points that are not finite give 0.
MOTE_API double mote_shape_sweep(const mote_shape *shape, const double a[3], const double b[3],
                                 double clearance);
// The triangles of a shape that is one mesh, where the shape is; null for all others. They are the shape's.
MOTE_API const mote_mesh *mote_shape_mesh(const mote_shape *shape);
// What was done to it so that it bounds a solid; null for all others.
MOTE_API const mote_mesh_mending *mote_shape_mesh_mending(const mote_shape *shape);
// Where a point of the mesh of its definition is in such a shape.
MOTE_API void mote_shape_mesh_point(const mote_shape *shape, const double x[3], double out[3]);
// Infinite along axes where the shape is unbounded.
MOTE_API void mote_shape_bounds(const mote_shape *shape, double low[3], double high[3]);
// Triangles of the surface of any shape, with `cells` cells along the longest side of [low, high], within
// which it is cut: a closed manifold; in 2D its filled area. A shape outside of it gives an empty mesh. Free
// with mote_mesh_free.
MOTE_API mote_result mote_shape_triangles(const mote_shape *shape, int dimensions, const double low[3],
                                          const double high[3], int cells, const mote_env *env,
                                          mote_mesh *out, mote_error *error);
// Volume (2D: area); infinite for unbounded shapes. Exact for single shapes, otherwise sampled to 0.2 %,
// which is slow.
MOTE_API mote_result mote_shape_volume(const mote_shape *shape, double *volume, mote_error *error);

// Mass properties at density 1 (2D: per metre of depth, about z only).
typedef struct mote_moments {
  double volume;
  double centre[3];
  double inertia[9];  // about the centre: the integral of |x|^2 1 - x x^T; 2D: of the section
} mote_moments;
// Exact for single shapes and meshes, otherwise sampled as volumes are. ARGUMENT when the shape is not
// bounded or has no volume. Theory: docs/theory/bodies.md
MOTE_API mote_result mote_shape_moments(const mote_shape *shape, mote_moments *out, mote_error *error);

// --- Points in shapes -------------------------------------------------------------------------------------

// Points with volumes (2D: areas).
typedef struct mote_samples {
  size_t count;
  double *position;  // 3 each
  double *volume;
} mote_samples;
MOTE_API void mote_samples_free(mote_samples *samples, const mote_env *env);

typedef enum mote_fill_kind {
  MOTE_FILL_CUBIC,      // a square packing; boxes are filled side to side
  MOTE_FILL_HEXAGONAL,  // closest packing of the same density
  MOTE_FILL_RELAXED,    // no packing: blue noise of even density
  MOTE_FILL_AUTO,       // cubic, but a world chooses for liquids (scene.h)
} mote_fill_kind;

// Fills the shape with particles of volume near spacing^dimensions; volumes are equal and their sum is that
// of the shape. The shape must be bounded. ARGUMENT when more than `most` would be needed (before any memory
// is asked for), or none fits; the key is "spacing", "shape" or "fill". The seed counts for the relaxed kind
// only.
MOTE_API mote_result mote_shape_fill(const mote_shape *shape, double spacing, mote_fill_kind kind,
                                     uint64_t seed, size_t most, const mote_env *env, mote_samples *out,
                                     mote_error *error);

// As MOTE_FILL_CUBIC, but particles deeper than `depth` are up to `grading` (1, 2, 4 or 8) times as far
// apart: each then stands for a block of 2, 4 or 8 along each axis, and has its volume. Below `depth` with
// blocks of 2, below 3 `depth` with those of 4, below 7 `depth` of 8. Also the keys "grading" and "depth".
MOTE_API mote_result mote_shape_fill_graded(const mote_shape *shape, double spacing, int grading,
                                            double depth, size_t most, const mote_env *env, mote_samples *out,
                                            mote_error *error);

// How many particles these would make, about; infinite for unbounded shapes.
MOTE_API double mote_shape_fill_estimate(const mote_shape *shape, double spacing);
MOTE_API double mote_shape_fill_graded_estimate(const mote_shape *shape, double spacing, int grading,
                                                double depth);

// Samples of the solid just below its surface, as deep as `depth`, within [low, high]: layers at depth d/2,
// 3d/2, ... (d the spacing), below curved surfaces d/4, d, 2d, ..., such that a fluid that touches the
// surface sees a full neighbourhood. Walls thinner than d have one layer half-way through that weighs as
// much. The samples of a container continue the cubic filling of what it holds, where that has straight
// sides. ARGUMENT as above, with the key "spacing", "depth" or "low".
MOTE_API mote_result mote_shape_shell(const mote_shape *shape, double spacing, double depth,
                                      const double low[3], const double high[3], size_t most,
                                      const mote_env *env, mote_samples *out, mote_error *error);
// How many samples that would be, within a factor of about two; infinite where the shape has no bounds within
// [low, high].
MOTE_API double mote_shape_shell_estimate(const mote_shape *shape, double spacing, double depth,
                                          const double low[3], const double high[3]);

// --- Distances on a grid ----------------------------------------------------------------------------------

// A box of nodes at the corners of cubes, x fastest, then y, then z; 2D: one node along z.
// Theory: docs/theory/fast_marching.md
typedef struct mote_march_def {
  size_t nodes[3];
  double cell;          // m, from node to node
  const uint8_t *mask;  // one per node, 0: blocked; null: open everywhere
  const double *speed;  // one per node, positive: distances become times; null: 1
  int order;            // of accuracy, 1 or 2
  double farthest;      // larger distances stay infinite; infinite: no limit
} mote_march_def;
// One node, cell 1, open, order 2, no limit.
MOTE_API mote_march_def mote_march_def_default(void);

// Path lengths from the seeds through open nodes. On input `value` is the distance where it is known (seeds
// keep theirs) and infinite elsewhere; on output it is infinite where no path leads and where the mask is 0.
// ARGUMENT names the member in error->key, and "value" where one is NaN or negative infinity at an open node.
MOTE_API mote_result mote_fast_march(const mote_march_def *def, double *value, const mote_env *env,
                                     mote_error *error);
// Redistancing: on input `value` is any field, finite at open nodes; on output the signed distance to its
// zero level, with the same signs.
MOTE_API mote_result mote_fast_march_field(const mote_march_def *def, double *value, const mote_env *env,
                                           mote_error *error);

#ifdef __cplusplus
}
#endif
#endif
