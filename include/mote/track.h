// Tracked surfaces: a closed mesh that is moved with a flow and keeps its vertices, its triangles in good
// shape, and named values at the vertices.
//
//   mote_track_def def = mote_track_def_default();
//   def.edge = 0.01;
//   mote_tracked_create(&def, &surface, NULL, &tracked, &error);     // a closed mesh, with fields
//   mote_tracked_move(tracked, velocity, user, time, dt, &error);    // along a flow
//   mote_tracked_improve(tracked, NULL, &error);                     // splits, collapses, flips
//   mote_tracked_surface(tracked, &out, &error);                     // mesh, normals, fields, ids
//
// The same bits for any number of threads. 3D only.
//
// Theory: docs/theory/tracking.md
#ifndef MOTE_TRACK_H
#define MOTE_TRACK_H

#include <mote/surface.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mote_track_def {
  double edge;               // l, m
  double shortest, longest;  // edges are collapsed below and split above so many l
  double bend;               // rad: no edge across a sharper bend is collapsed
  double least_angle;        // rad: triangles with a smaller angle are mended
  bool record;               // keep the transfer record
} mote_track_def;
// NaN for the edge; 0.5, 1.5, 0.3 rad, 15 degrees, no record.
MOTE_API mote_track_def mote_track_def_default(void);

typedef struct mote_tracked mote_tracked;

// The mesh must be a closed manifold. Its fields of numbers (F32, F64) go with it; normals are not read.
// ARGUMENT names the member in error->key.
MOTE_API mote_result mote_tracked_create(const mote_track_def *def, const mote_surface *surface,
                                         const mote_env *env, mote_tracked **out, mote_error *error);
MOTE_API void mote_tracked_destroy(mote_tracked *tracked);

// Vertices and triangles there are.
MOTE_API size_t mote_tracked_vertices(const mote_tracked *tracked);
MOTE_API size_t mote_tracked_triangles(const mote_tracked *tracked);
// Enclosed, m^3; of the surface, m^2.
MOTE_API double mote_tracked_volume(const mote_tracked *tracked);
MOTE_API double mote_tracked_area(const mote_tracked *tracked);

// A copy: mesh, normals, fields (F64), and the vertices' ids as field "id" (U64). Vertices in the order of
// their rows.
MOTE_API mote_result mote_tracked_surface(const mote_tracked *tracked, mote_surface *out, mote_error *error);

// --- Motion -----------------------------------------------------------------------------------------------

// Writes the velocity at `count` points, m/s. Called with all points at once.
typedef void mote_flow_fn(void *user, double time, const double *x, size_t count, double *velocity);

// One step of the classical Runge-Kutta method of fourth order. MEMORY; NUMERIC where a velocity is not
// finite (nothing has moved then).
MOTE_API mote_result mote_tracked_move(mote_tracked *tracked, mote_flow_fn *flow, void *user, double time,
                                       double dt, mote_error *error);

// --- Triangles --------------------------------------------------------------------------------------------

typedef struct mote_track_report {
  size_t splits, collapses, flips, slides;
  size_t poor;  // triangles that still have an angle below least_angle
} mote_track_report;
// Until no edge is too long or too short, and triangles are in good shape, as far as this can be done without
// harm. report may be null.
MOTE_API mote_result mote_tracked_improve(mote_tracked *tracked, mote_track_report *report,
                                          mote_error *error);

// Pairs of triangles that cross each other. A proof that there are none; quick where there are few.
MOTE_API mote_result mote_tracked_crossings(mote_tracked *tracked, size_t *crossings, mote_error *error);

// Where triangles cross, evens the vertices about them and improves, until none do; at most 4 times.
// `crossings` is what is left. Nothing changes where none cross.
MOTE_API mote_result mote_tracked_untangle(mote_tracked *tracked, size_t *crossings, mote_error *error);

// --- Curvature --------------------------------------------------------------------------------------------

// Mean curvature (k1 + k2)/2 at each vertex, 1/m: 1/R on a sphere seen from outside; in the order of
// mote_tracked_surface. Single values on irregular triangles are noisy: means over a few edges are meant.
MOTE_API mote_result mote_tracked_curvature(mote_tracked *tracked, double *curvature, mote_error *error);
// One implicit step of curvature flow: the surface moves along its normals by -(k1 + k2) dt, dt in m^2.
MOTE_API mote_result mote_tracked_curvature_flow(mote_tracked *tracked, double dt, mote_error *error);

// --- The transfer record (YU11 5.2) -----------------------------------------------------------------------

// Vertex `to` has the mean of up to three vertices' values, by ids; weights sum to one. Vertices without an
// entry keep theirs.
typedef struct mote_transfer {
  uint64_t to, from[3];
  double weight[3];
} mote_transfer;
// All since the last mote_tracked_forget, in order. Valid until the mesh changes.
MOTE_API const mote_transfer *mote_tracked_record(const mote_tracked *tracked, size_t *count);
MOTE_API void mote_tracked_forget(mote_tracked *tracked);
// Ids that were given so far: all are below.
MOTE_API uint64_t mote_tracked_ids(const mote_tracked *tracked);
// Replays a record on values by id, `components` each.
MOTE_API void mote_transfer_replay(const mote_transfer *record, size_t count, int components, double *value);

#ifdef __cplusplus
}
#endif
#endif
