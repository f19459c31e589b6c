// A shape that is broken into pieces: cut by triangles of any arrangement, each piece a closed mesh.
//
//   mote_fragments *fragments;
//   mote_fragments_def def = mote_fragments_def_default();
//   def.shape = shape;
//   mote_fragments_create(&def, NULL, &fragments, &error);
//   mote_soup soup;
//   mote_shatter_def how = mote_shatter_def_default();
//   mote_shatter(shape, &how, NULL, &soup, &error);                    // or triangles of your own
//   mote_fragments_cut(fragments, soup.corner, soup.count, &error);
//   mote_fragments_view view = mote_fragments_look(fragments);         // all pieces
//
// Whatever the triangles are, the mesh is closed: every edge occurs once in each direction, and the triangles
// of a vertex are one fan. The same bits for any number of threads. 3D only.
//
// Theory: docs/theory/fragments.md
#ifndef MOTE_FRAGMENTS_H
#define MOTE_FRAGMENTS_H

#include <mote/base.h>
#include <mote/geom.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- Pieces -----------------------------------------------------------------------------------------------

typedef struct mote_fragments_def {
  const mote_shape *shape;  // bounded; must outlive the fragments
  double edge;              // of the grid that sees cuts and surface, m; 0: longest side of the bounds / 64
  size_t least_nodes;       // pieces of fewer grid nodes (2 per cubed edge) are rejoined to a neighbour
  double gap;               // between walls, m: each stands back by half of it; keep it well below the edge
  bool slits;  // also walls of cuts that end within a piece: both sides of them lie on each other
} mote_fragments_def;
// Edge 0, least_nodes 8, no gap, no slits: no triangle of a piece crosses another one of it.
MOTE_API mote_fragments_def mote_fragments_def_default(void);

typedef struct mote_fragments mote_fragments;

// ARGUMENT names the invalid member: edge also where it is longer than the shape, and where the grid would
// have more than 2^28 points, or none inside.
MOTE_API mote_result mote_fragments_create(const mote_fragments_def *def, const mote_env *env,
                                           mote_fragments **out, mote_error *error);
MOTE_API void mote_fragments_destroy(mote_fragments *fragments);

// Cuts by triangles, nine numbers each, besides those that were given before. They may end inside, cross,
// overlap and touch in any way; flat ones cut nothing.
MOTE_API mote_result mote_fragments_cut(mote_fragments *fragments, const double *corner, size_t triangles,
                                        mote_error *error);

// Valid until the next cut, or the end.
typedef struct mote_fragments_view {
  mote_mesh mesh;            // all pieces; they share no vertices
  const uint32_t *fragment;  // of each triangle
  const uint8_t *wall;       // of each triangle: 1: made by a cut, 0: of the shape's surface
  size_t fragments;
  // What files show on the shape's surface, of each vertex; null: none. mote_fragments_look gives none.
  float *uv;        // 2 each: texture coordinates, down from the image's upper edge
  uint8_t *colour;  // 4 each, sRGB
} mote_fragments_view;
MOTE_API mote_fragments_view mote_fragments_look(const mote_fragments *fragments);

// Restores the sharp edges and corners of the shape, which the grid cuts off by up to a third of an edge,
// until the next cut; not where triangles would cross. The view has more vertices and triangles then.
MOTE_API mote_result mote_fragments_sharpen(mote_fragments *fragments, mote_error *error);

typedef struct mote_simplify_def {
  double deviation;    // of the surface, m, at most the shape's longest side; 0: a twentieth of the edge;
                       // walls without a gap: twice that
  double volume;       // change of the volume of all pieces, as part of it
  const float *value;  // of each vertex of the view, `values` each: what the shape's surface shows there (as
  size_t values;       // texture coordinates), scaled so that it may change by 1; null: nothing
} mote_simplify_def;
// Deviation 0, volume 2.5e-4, no values.
MOTE_API mote_simplify_def mote_simplify_def_default(void);

// Fewer triangles for the pieces, until the next cut. Vertices are left out, those that stay are where they
// were; both sides of a wall stay the same, and no triangles come to cross.
MOTE_API mote_result mote_fragments_simplify(mote_fragments *fragments, const mote_simplify_def *def,
                                             mote_error *error);

// One piece; free with mote_mesh_free.
MOTE_API mote_result mote_fragments_take(const mote_fragments *fragments, uint32_t fragment,
                                         const mote_env *env, mote_mesh *out, mote_error *error);

// --- Shattering -------------------------------------------------------------------------------------------

typedef struct mote_shatter_def {
  size_t pieces;     // about; concave shapes may make more
  uint64_t seed;     // of all random numbers
  double roughness;  // height of the walls' unevenness, in sizes of a piece; 0: plane walls
  double focus[3];   // pieces are smaller near this point; all NaN: of even size
  double detail;     // longest side of a triangle, m; 0: a third of the size of a piece
  bool (*progress)(void *user, double part);  // false stops with MOTE_ERROR_ARGUMENT "stopped"; null: none
  void *progress_user;
} mote_shatter_def;
// 20 pieces, roughness 0.1, no focus.
MOTE_API mote_shatter_def mote_shatter_def_default(void);

// Triangles, nine numbers each.
typedef struct mote_soup {
  double *corner;
  size_t count;
} mote_soup;
MOTE_API void mote_soup_free(mote_soup *soup, const mote_env *env);

// The walls of a Voronoi diagram of random points in the shape, made uneven. ARGUMENT: pieces beyond 2 to
// 5000, a shape without bounds, one in which no point can be found, or a focus farther from its bounds than
// their longest side.
MOTE_API mote_result mote_shatter(const mote_shape *shape, const mote_shatter_def *def, const mote_env *env,
                                  mote_soup *out, mote_error *error);

#ifdef __cplusplus
}
#endif
#endif
