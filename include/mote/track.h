// Tracked surfaces: a closed mesh that is moved with a flow and keeps its vertices, its triangles in good
// shape, and named values at the vertices.
//
//   mote_track_def def = mote_track_def_default();
//   def.edge = 0.01;
//   mote_tracked_create(&def, &surface, NULL, &tracked, &error);     // a closed mesh, with fields
//   mote_tracked_move(tracked, 4, flow, user, time, dt, &error);     // along a flow
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
  bool free_waves;  // what moves the mesh beside the flow changes no heights of waves (printed source)
} mote_track_def;
// NaN for the edge; 0.5, 1.5, 0.3 rad, 15 degrees, no record, heights make up for what moves the mesh.
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

// One step of Runge and Kutta: order 4, the classical one, or order 2, the midpoint rule. MEMORY; NUMERIC
// where a velocity is not finite (nothing has moved then).
MOTE_API mote_result mote_tracked_move(mote_tracked *tracked, int order, mote_flow_fn *flow, void *user,
                                       double time, double dt, mote_error *error);

// --- Particles --------------------------------------------------------------------------------------------

typedef enum mote_track_velocity {
  MOTE_TRACK_FITTED,  // the mean over 2 d, moved to the vertex by the gradient of a linear fit over 4 d
  MOTE_TRACK_MEAN,    // the mean alone: YU11 (5.2), which lags
} mote_track_velocity;

// Particles at one time.
typedef struct mote_track_moment {
  double time;             // s
  const double *position;  // 3 each, m
  const double *velocity;  // 3 each, m/s
  size_t count;
} mote_track_moment;

// The flow that particles make, at any point near them.
typedef struct mote_track_flow mote_track_flow;
// ARGUMENT names the member in error->key.
MOTE_API mote_result mote_track_flow_create(double spacing, mote_track_velocity velocity, const mote_env *env,
                                            mote_track_flow **out, mote_error *error);
MOTE_API void mote_track_flow_destroy(mote_track_flow *flow);
// Between two moments of the same particles, row by row, each follows the cubic through its positions and
// velocities. `to` may be null: straight on. Copies.
MOTE_API mote_result mote_track_flow_set(mote_track_flow *flow, const mote_track_moment *from,
                                         const mote_track_moment *to, mote_error *error);
// A mote_flow_fn, `user` the flow: 0 where no particle is within 3 d, NaN when memory is out.
MOTE_API void mote_track_flow_velocity(void *user, double time, const double *x, size_t count,
                                       double *velocity);

// How a mesh is put back onto the surface of particles.
typedef struct mote_track_projection {
  double share;       // b: of the distance to the surface; 1 with no wavelength is YU11's projection
  double wavelength;  // lambda, spacings: shorter waves are evened out; 0: none are
  double most;        // spacings that a vertex moves at most, lest it be seen to jump; 0: any distance
} mote_track_projection;
// 0.65, 6, 0.
MOTE_API mote_track_projection mote_track_projection_default(void);

typedef struct mote_track_projected {
  double rms, largest;  // distance to the surface that was found, m
  size_t failed;        // vertices with no surface within a spacing along their normals: left where they were
  double evaluations;   // of the field, per vertex
} mote_track_projected;
// Moves vertices along their normals onto the surface that the surfacer would make of the particles, and
// evens out the noise of the particles. report may be null.
MOTE_API mote_result mote_tracked_project(mote_tracked *tracked, mote_surfacer *surfacer,
                                          const mote_surface_particles *particles,
                                          const mote_track_projection *how, mote_track_projected *report,
                                          mote_error *error);

// After mote_tracked_match: improves triangles, and puts vertices with ids from `since` on back as
// mote_tracked_project does, twice, while all others are held. So what was taken from a fresh surface has no
// more of the particles' noise than the mesh about it, and no crease along its border.
MOTE_API mote_result mote_tracked_blend(mote_tracked *tracked, mote_surfacer *surfacer,
                                        const mote_surface_particles *particles,
                                        const mote_track_projection *how, uint64_t since, mote_error *error);

// --- Topology ---------------------------------------------------------------------------------------------

typedef enum mote_track_kind {
  MOTE_TRACK_MERGED,
  MOTE_TRACK_SPLIT,
  MOTE_TRACK_APPEARED,
  MOTE_TRACK_VANISHED,
  MOTE_TRACK_RESHAPED,  // as many parts as before: a handle, a hole, or out of reach
  MOTE_TRACK_KINDS
} mote_track_kind;
// "merged"; "?" beyond.
MOTE_API const char *mote_track_kind_name(mote_track_kind kind);

// What happened at one place.
typedef struct mote_track_event {
  mote_track_kind kind;
  double place[3];  // in the middle of where both surfaces disagree
  bool rebuilt;     // the parts were replaced as a whole
} mote_track_event;

typedef struct mote_track_match {
  size_t changed;        // events: places where parts merged, split, appeared, vanished, or got a handle
  size_t rebuilt;        // of these: whole parts were replaced, where local surgery failed
  size_t left;           // places where it failed and the mesh stays as it is for now
  size_t removed, made;  // triangles
  size_t crossings;      // pairs of triangles that crossed before
} mote_track_match;
// Holds the mesh against a fresh surface of the same particles (mote_surfacer_build): parts that are one part
// of the same Euler number there, nowhere farther away than `reach` (m), stay; all others are cut and sewn to
// the fresh ones, whose vertices have new ids and the values of the nearest old ones; NaN where there is none
// within 2 reach: new matter. Distances are those of vertices: reach should be two edges or more. report may
// be null.
MOTE_API mote_result mote_tracked_match(mote_tracked *tracked, const mote_surface *fresh, double reach,
                                        mote_track_match *report, mote_error *error);

// The last resort where triangles still cross after mote_tracked_match and mote_tracked_untangle: the parts
// they are of are replaced by those of the fresh surface as a whole.
MOTE_API mote_result mote_tracked_rebuild(mote_tracked *tracked, const mote_surface *fresh, double reach,
                                          mote_track_match *report, mote_error *error);

// Those of the last mote_tracked_match; valid until the next one.
MOTE_API const mote_track_event *mote_tracked_events(const mote_tracked *tracked, size_t *count);

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

// Where triangles cross, evens the vertices about them and improves, until none do; at most 6 times, each
// wider. `crossings` is what is left. Nothing changes where none cross.
MOTE_API mote_result mote_tracked_untangle(mote_tracked *tracked, size_t *crossings, mote_error *error);

// --- Curvature --------------------------------------------------------------------------------------------

// Mean curvature (k1 + k2)/2 at each vertex, 1/m: 1/R on a sphere seen from outside; in the order of
// mote_tracked_surface. Single values on irregular triangles are noisy: means over a few edges are meant.
MOTE_API mote_result mote_tracked_curvature(mote_tracked *tracked, double *curvature, mote_error *error);
// One implicit step of curvature flow: the surface moves along its normals by -(k1 + k2) dt, dt in m^2.
MOTE_API mote_result mote_tracked_curvature_flow(mote_tracked *tracked, double dt, mote_error *error);

// --- Tension (YU11 5.3) -----------------------------------------------------------------------------------

// Particles and the tension of their surface.
typedef struct mote_track_tension {
  double spacing;          // d, m
  const double *position;  // 3 each, m
  size_t count;
  const uint32_t *kind;  // of each particle, its place in the next two; null: all 0
  const double *sigma;   // N/m
  const double *cosine;  // of the contact angle with walls
  mote_surface_walls walls;
} mote_track_tension;
// Forces on the particles, 3 each, N: minus the gradient of tension times area, of each vertex by parts to
// the particles within 2 d. Triangles on walls have the tension -sigma cosine. No net force and no net torque
// on the particles of a part.
MOTE_API mote_result mote_tracked_tension(mote_tracked *tracked, const mote_track_tension *how, double *force,
                                          mote_error *error);

// --- Waves (YU11 5.4) -------------------------------------------------------------------------------------

// What heights h of the surface above the mesh obey: h'' = -f(M) h - spring h - 2 damping h', M minus the
// Laplacian.
typedef enum mote_wave_law {
  MOTE_WAVE_PLATE,      // f = 2 k M^2, k in m^4/s^2: YU11 (5.6) with its signs put right; omega ~ k^2
  MOTE_WAVE_STRING,     // f = c^2 M, c in m/s: the wave equation; omega ~ k
  MOTE_WAVE_CAPILLARY,  // f = (sigma/rho) M sqrt(M), sigma/rho in m^3/s^2: water; omega ~ k^1.5
} mote_wave_law;

// What starts waves.
typedef enum mote_wave_source {
  MOTE_WAVE_MOVES,    // what moves the mesh along its normals beside the flow: projection, fairing, surgery
  MOTE_WAVE_PRINTED,  // the bending of the mesh itself, -2 k (M^2 x) n (YU11 5.6): the plate's law only
} mote_wave_source;

typedef struct mote_wave_def {
  mote_wave_law law;
  mote_wave_source source;
  double strength;  // k, c or sigma/rho
  double spring;    // 1/s^2
  double damping;   // 1/s
  double highest;   // heights are held below so many edges of the mesh
} mote_wave_def;
// Capillary waves of water (7.28e-5 m^3/s^2), started by what moves the mesh, no spring, no damping, one
// edge.
MOTE_API mote_wave_def mote_wave_def_default(void);

// Heights, m, and their rates, m/s, are the fields "wave_height" and "wave_rate"; they are added, zero, where
// they are not there yet. Leapfrog in steps as long as the mesh allows. steps may be null: how many there
// were.
MOTE_API mote_result mote_tracked_waves(mote_tracked *tracked, const mote_wave_def *def, double dt,
                                        size_t *steps, mote_error *error);
// Energy of the waves per density, m^5/s^2: half of the integral of h'^2 + h f(M) h + spring h^2 - 2 h s, s
// the printed source.
MOTE_API mote_result mote_tracked_wave_energy(mote_tracked *tracked, const mote_wave_def *def, double *energy,
                                              mote_error *error);
// As mote_tracked_surface, the vertices raised by their heights along the normals; each part has the volume
// that it has without waves.
MOTE_API mote_result mote_tracked_wave_surface(mote_tracked *tracked, mote_surface *out, mote_error *error);

// Adds a field, or sets one that is there; values in the order of mote_tracked_surface, null: zero.
MOTE_API mote_result mote_tracked_set_field(mote_tracked *tracked, const char *name, const char *unit,
                                            int components, const double *value, mote_error *error);

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
