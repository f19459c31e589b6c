// Surfaces of particles: a smooth field from the particles, a closed mesh where it crosses its isovalue.
//
//   mote_surfacer *surfacer;
//   mote_surface_def def = mote_surface_def_default();  // anisotropic kernels, all from the particles
//   mote_surfacer_create(&def, NULL, &surfacer, &error);
//   mote_surface surface;
//   mote_surfacer_build(surfacer, &(mote_surface_particles){.position = x, .count = n}, &surface, &error);
//   ...
//   mote_surface_free(&surface, NULL);
//   mote_surfacer_destroy(surfacer);
//
// Every mesh is a closed, oriented 2-manifold without triangles of no area, whatever the particles are; the
// same bits for any number of threads. 2D particles have contours (below).
//
// Theory: docs/theory/surfaces.md
#ifndef MOTE_SURFACE_H
#define MOTE_SURFACE_H

#include <mote/base.h>
#include <mote/geom.h>
#include <mote/search.h>
#include <mote/view.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- Surfaces ---------------------------------------------------------------------------------------------

#define MOTE_SURFACE_FIELDS 16

// A mesh with values at its vertices. Missing members are null.
typedef struct mote_surface {
  mote_mesh mesh;
  float *normal;  // 3 per vertex, unit, outward
  int fields;
  mote_field_view field[MOTE_SURFACE_FIELDS];  // one row per vertex; names and units are the surface's own
} mote_surface;
MOTE_API void mote_surface_free(mote_surface *surface, const mote_env *env);

// --- How it is made ---------------------------------------------------------------------------------------

typedef enum mote_surface_method {
  MOTE_SURFACE_BLOBS,        // a bump on each particle: YU11 (2.1)-(2.3)
  MOTE_SURFACE_DENSITY,      // normalised density: YU11 (4.1)
  MOTE_SURFACE_MASS,         // mass density, isovalue 2 m W(h): DES96 4.2
  MOTE_SURFACE_ZHU_BRIDSON,  // distance to the mean of the near particles: YU11 (2.4)-(2.6)
  MOTE_SURFACE_ADAMS,        // the same with tracked distances to the surface: YU11 (2.7)
  MOTE_SURFACE_ANISOTROPIC,  // density of stretched kernels: YU11 (4.3)-(4.14)
  MOTE_SURFACE_METHODS,
  MOTE_SURFACE_TRACKED =
      MOTE_SURFACE_METHODS,  // of worlds: the mesh of mote_world_def.track; no surfacer makes it
} mote_surface_method;
// "anisotropic"; "?" beyond.
MOTE_API const char *mote_surface_method_name(mote_surface_method method);

// Lengths without a unit are in spacings d. NaN: chosen from the particles or by the method.
typedef struct mote_surface_def {
  mote_surface_method method;
  mote_domain domain;  // 3D; what crosses a periodic side goes on at the other, and is closed there
  double spacing;      // d, m; NaN: the median distance to the nearest, or the cube root of the volumes
  double support;      // radius of the kernels
  double cell;         // edge of the marching cubes
  double isovalue;     // in the units of the method; NaN: a flat pool's surface is d/2 above its upper layer
                       // (anisotropic without keep_volume: 0.05)
  double radius;       // of a particle (blobs, Zhu-Bridson, Adams)
  bool own_supports;   // where particles have volumes, all lengths of a particle but the cell's are in units
                       // of its own spacing, the cube root of its volume; spacing NaN: the least of them

  // Anisotropic kernels.
  double smoothing;     // lambda of (4.3)
  double reach;         // r_i of (4.8)
  double stretch;       // k_r of (4.12): the largest ratio of eigenvalues
  double scale;         // k_s of (4.12), in units of 1/d^2; NaN: a full neighbourhood is not scaled
  double lone_scale;    // k_n of (4.12)
  int lone_neighbours;  // N_eps of (4.12)
  bool keep_volume;     // centres that smoothing drew inward are pushed back (not in YU11)
  bool whole;           // with keep_volume: sparse fluid is drawn as if it were full, and larger than it is
  bool thesis;          // YU11's constants where a member has its default; not keep_volume
  double ripple;        // with keep_volume: waves lower than this are evened; 0: none (not in YU11)
  bool components;      // particles of different components do not stretch towards each other (4.14)
  double connected;     // r_a of 4.3
  double tag_count;     // 4.5: near the surface when it has less than this part of a full neighbourhood
  double tag_offset;    // 4.5: ... or their centre is farther away than this part of the reach
  double inside;        // 4.5: t, where sums may stop; NaN: nowhere

  // The grid.
  int grid_smoothing;  // passes of smoothing over the nodes, as Zhu & Bridson do
  int root_steps;      // of root finding for each vertex; 0: linear along its edge
  size_t most_nodes;   // more nodes than this are refused before memory is asked for

  // The mesh.
  bool normals;
  int mesh_smoothing;                // passes of weighted Laplacian smoothing that keeps the volume
  bool clean;                        // no angle below 10 degrees, no triangle much smaller than a cell
  double smallest_part;              // parts of less volume than so many particles go; NaN: specks do
  double clip_low[3], clip_high[3];  // m; cut off and closed there; infinite: not cut
} mote_surface_def;
MOTE_API mote_surface_def mote_surface_def_default(void);

typedef struct mote_surface_particles {
  const double *position;  // 3 each
  size_t count;
  const float *volume;  // m^3; null: d^3
  const uint64_t *id;   // by which Adams' distances follow their particles; null: the row
  const mote_field_view
      *field;  // carried to the vertices: numbers as kernel means, U32 and U64 of the nearest
  int fields;
} mote_surface_particles;

// --- Walls ------------------------------------------------------------------------------------------------

// Liquid in a tank: particles near a wall are repeated behind it and the surface is cut off there, so that it
// meets the wall squarely instead of rounding away from it by half a spacing.
typedef struct mote_surface_walls {
  double low[3], high[3];  // m; infinite: there is none
} mote_surface_walls;
MOTE_API mote_surface_walls mote_surface_walls_none(void);
// Cuts at the walls, in addition to existing cuts.
MOTE_API void mote_surface_walls_cut(const mote_surface_walls *walls, mote_surface_def *def);

// Particles, and behind them their images.
typedef struct mote_surface_images {
  mote_surface_particles view;  // of what follows; of the particles themselves where there are no images
  size_t count;                 // of particles without their images, which come first
  double *position;
  float *volume;
  uint64_t *id;  // an image's says at which walls, so that it is the same from frame to frame
  mote_field_view field[MOTE_SURFACE_FIELDS];
} mote_surface_images;

// The images that shape the surface at the walls; none at walls that no particle touches (comes nearer to
// than a spacing), and none where the definition's spacing is not known. Vectors are repeated as they are.
MOTE_API mote_result mote_surface_images_make(const mote_surface_walls *walls,
                                              const mote_surface_particles *particles,
                                              const mote_surface_def *def, const mote_env *env,
                                              mote_surface_images *out, mote_error *error);
MOTE_API void mote_surface_images_free(mote_surface_images *images, const mote_env *env);

// --- The machine ------------------------------------------------------------------------------------------

// Report of a build.
typedef struct mote_surface_stats {
  double spacing, cell, isovalue;              // as chosen; m, m
  size_t particles, near_surface, components;  // components: 0 where they were not asked for
  size_t blocks, nodes, vertices, triangles;
  double seconds_sort, seconds_kernels, seconds_field, seconds_mesh, seconds_finish, seconds;
  size_t bytes;  // the most there were at once, without the result
} mote_surface_stats;

// Keeps its memory from frame to frame, and Adams' distances.
typedef struct mote_surfacer mote_surfacer;

// ARGUMENT names the member in error->key.
MOTE_API mote_result mote_surfacer_create(const mote_surface_def *def, const mote_env *env,
                                          mote_surfacer **out, mote_error *error);
MOTE_API void mote_surfacer_destroy(mote_surfacer *surfacer);
// No particles: an empty mesh. ARGUMENT: positions or volumes that are not finite (the first is named), more
// nodes than allowed.
MOTE_API mote_result mote_surfacer_build(mote_surfacer *surfacer, const mote_surface_particles *particles,
                                         mote_surface *out, mote_error *error);
// Of the last build.
MOTE_API mote_surface_stats mote_surfacer_stats(const mote_surfacer *surfacer);
// The kernels of the last build, as ellipsoids |G (x - centre)| <= 1 of the size of particles: for pictures
// (YU11 Fig. 4.3); periodic images too. Valid until the next build. G: symmetric matrices, upper triangles
// xx xy xz yy yz zz. None when memory is out.
MOTE_API size_t mote_surfacer_ellipsoids(mote_surfacer *surfacer, const double **centre, const double **G);

// --- Contours of 2D particles -----------------------------------------------------------------------------

// Closed lines in a plane, with values at their points.
typedef struct mote_contour {
  size_t loops, points;
  size_t *first;  // loops + 1: loop k has the points first[k] to first[k + 1] - 1, and is closed
  double *point;  // x and y; the inside lies to the left
  int fields;
  mote_field_view field[MOTE_SURFACE_FIELDS];  // one row per point; names and units are the contour's own
  size_t capacity;                             // points that there is memory for
} mote_contour;

// Changes a definition, whose spacing must be known, to one of 2D particles at z = 0, each of which
// represents a column along z: the surface covers one spacing of it, closed at both ends, and is nearly
// constant along z.
MOTE_API mote_result mote_surface_def_flat(mote_surface_def *def, mote_error *error);
// Section of a surface with the plane at this z; 0 for the contour of 2D particles. Open loops of an open
// mesh are closed by a straight line.
MOTE_API mote_result mote_surface_cut(const mote_surface *surface, double z, const mote_env *env,
                                      mote_contour *out, mote_error *error);
// Carries the fields of 2D particles to the points: floating point as means of the nearest, others of the
// nearest one.
MOTE_API mote_result mote_contour_carry(mote_contour *contour, const mote_surface_particles *particles,
                                        double spacing, const mote_env *env, mote_error *error);
MOTE_API void mote_contour_free(mote_contour *contour, const mote_env *env);
// m^2, holes less; m.
MOTE_API double mote_contour_area(const mote_contour *contour);
MOTE_API double mote_contour_length(const mote_contour *contour);

// --- Meshes made better -----------------------------------------------------------------------------------

// Each works on a mesh that is a closed manifold and leaves it one; vertices keep their fields.

// Smoothing that conserves the volume of every part, so that drops and films remain; normals are recomputed.
// Best done before cleaning.
MOTE_API mote_result mote_surface_smooth(mote_surface *surface, int passes, const mote_env *env,
                                         mote_error *error);
// Collapses and flips edges and slides vertices over the surface until no angle is below `angle` (rad, at
// most 30 degrees); at thin necks, where this fails, a vertex moves slightly off the surface. Numbers of
// vertices and triangles change. Parts that are too small for such triangles are removed. Nothing is done
// that would make triangles cross, so that a few angles may stay small in a tangle: mote_mesh_examine reports
// them.
MOTE_API mote_result mote_surface_clean(mote_surface *surface, double angle, const mote_env *env,
                                        mote_error *error);
// Removes parts with less volume than this, m^3. A hollow counts by its own size: small ones are filled.
MOTE_API mote_result mote_surface_drop_parts(mote_surface *surface, double volume, const mote_env *env,
                                             mote_error *error);

#ifdef __cplusplus
}
#endif
#endif
