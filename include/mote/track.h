// Tracked surfaces: a closed mesh that is advected with a flow, whose vertices keep their identity and carry
// named values, and whose triangles are kept well shaped.
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
// NaN for the edge; 0.5, 1.5, 0.3 rad, 15 degrees, no record, wave heights compensate displacements of the
// mesh.
MOTE_API mote_track_def mote_track_def_default(void);

typedef struct mote_tracked mote_tracked;

// The mesh must be a closed manifold. Its fields of type F32 and F64 are advected; normals are ignored.
// ARGUMENT names the member in error->key.
MOTE_API mote_result mote_tracked_create(const mote_track_def *def, const mote_surface *surface,
                                         const mote_env *env, mote_tracked **out, mote_error *error);
MOTE_API void mote_tracked_destroy(mote_tracked *tracked);

// Number of vertices and triangles.
MOTE_API size_t mote_tracked_vertices(const mote_tracked *tracked);
MOTE_API size_t mote_tracked_triangles(const mote_tracked *tracked);
// Enclosed volume, m^3; area of the surface, m^2.
MOTE_API double mote_tracked_volume(const mote_tracked *tracked);
MOTE_API double mote_tracked_area(const mote_tracked *tracked);

// A copy: mesh, normals, fields (F64), and the vertices' ids as field "id" (U64). Vertices in the order of
// their rows.
MOTE_API mote_result mote_tracked_surface(const mote_tracked *tracked, mote_surface *out, mote_error *error);

// --- Motion -----------------------------------------------------------------------------------------------

// Writes the velocity at `count` points, m/s. Called with all points at once.
typedef void mote_flow_fn(void *user, double time, const double *x, size_t count, double *velocity);

// One Runge-Kutta step: order 4, the classical method, or order 2, the midpoint rule. MEMORY; NUMERIC: a
// velocity is not finite; the mesh is then unchanged.
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

// The velocity field of particles, at any point near them.
typedef struct mote_track_flow mote_track_flow;
// ARGUMENT names the member in error->key.
MOTE_API mote_result mote_track_flow_create(double spacing, mote_track_velocity velocity, const mote_env *env,
                                            mote_track_flow **out, mote_error *error);
MOTE_API void mote_track_flow_destroy(mote_track_flow *flow);
// Sets the flow between two times of the same particles, row by row: each follows the cubic through its
// positions and velocities. `to` may be null: constant velocities. Copies.
MOTE_API mote_result mote_track_flow_set(mote_track_flow *flow, const mote_track_moment *from,
                                         const mote_track_moment *to, mote_error *error);
// A mote_flow_fn, `user` the flow: 0 if no particle is within 3 d, NaN if out of memory.
MOTE_API void mote_track_flow_velocity(void *user, double time, const double *x, size_t count,
                                       double *velocity);

// Parameters of the projection onto the surface of particles.
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
// Moves vertices along their normals onto the surface that the surfacer would build of the particles, and
// removes the noise of the particles. report may be null.
MOTE_API mote_result mote_tracked_project(mote_tracked *tracked, mote_surfacer *surfacer,
                                          const mote_surface_particles *particles,
                                          const mote_track_projection *how, mote_track_projected *report,
                                          mote_error *error);

// After mote_tracked_match: improves triangles, and projects vertices with ids of at least `since` as
// mote_tracked_project does, twice, while all others are fixed. So the parts from a fresh surface have no
// more noise than the mesh around them, and no crease along their border.
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

// A change of topology.
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
// Compares the mesh with a fresh surface of the same particles (mote_surfacer_build). Parts that correspond
// to one part of the same Euler number there, nowhere farther away than `reach` (m), stay. All others are
// cut, and patches of the fresh surface are joined in; their vertices have new ids and the values of the
// nearest old vertices, or NaN if there is none within 2 reach: new matter. Distances are between vertices:
// reach should be at least two edges. report may be null.
MOTE_API mote_result mote_tracked_match(mote_tracked *tracked, const mote_surface *fresh, double reach,
                                        mote_track_match *report, mote_error *error);

// The last resort if triangles still cross after mote_tracked_match and mote_tracked_untangle: replaces the
// parts that contain them by those of the fresh surface as a whole.
MOTE_API mote_result mote_tracked_rebuild(mote_tracked *tracked, const mote_surface *fresh, double reach,
                                          mote_track_match *report, mote_error *error);

// Events of the last mote_tracked_match; valid until the next one.
MOTE_API const mote_track_event *mote_tracked_events(const mote_tracked *tracked, size_t *count);

// --- Triangles --------------------------------------------------------------------------------------------

typedef struct mote_track_report {
  size_t splits, collapses, flips, slides;
  size_t poor;  // triangles that still have an angle below least_angle
} mote_track_report;
// Splits, collapses and flips until no edge is too long or too short and triangles are well shaped, as far as
// the surface is preserved. report may be null.
MOTE_API mote_result mote_tracked_improve(mote_tracked *tracked, mote_track_report *report,
                                          mote_error *error);

// Number of pairs of triangles that cross; 0 is a proof. Fast if there are few.
MOTE_API mote_result mote_tracked_crossings(mote_tracked *tracked, size_t *crossings, mote_error *error);

// Where triangles cross, smooths the vertices around them and improves the mesh until none cross; at most 6
// times, each time in a larger neighbourhood. `crossings`: number that remain. No change if none cross.
MOTE_API mote_result mote_tracked_untangle(mote_tracked *tracked, size_t *crossings, mote_error *error);

// --- Curvature --------------------------------------------------------------------------------------------

// Mean curvature (k1 + k2)/2 at each vertex, 1/m: 1/R on a sphere seen from outside; in the order of
// mote_tracked_surface. Single values on irregular triangles are noisy: average over a few edges.
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
// Forces on the particles, 3 each, N: minus the gradient of tension times area at each vertex, distributed to
// the particles within 2 d. Triangles on walls have the tension -sigma cosine. No net force and no net torque
// on the particles of a part.
MOTE_API mote_result mote_tracked_tension(mote_tracked *tracked, const mote_track_tension *how, double *force,
                                          mote_error *error);

// --- Waves (YU11 5.4) -------------------------------------------------------------------------------------

// Law of the height h of the surface above the mesh: h'' = -f(M) h - spring h - 2 damping h', M minus the
// Laplacian.
typedef enum mote_wave_law {
  MOTE_WAVE_PLATE,      // f = 2 k M^2, k in m^4/s^2: YU11 (5.6) with its signs put right; omega ~ k^2
  MOTE_WAVE_STRING,     // f = c^2 M, c in m/s: the wave equation; omega ~ k
  MOTE_WAVE_CAPILLARY,  // f = (sigma/rho) M sqrt(M), sigma/rho in m^3/s^2: water; omega ~ k^1.5
} mote_wave_law;

// Source of waves.
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
// Capillary waves of water (7.28e-5 m^3/s^2), source MOTE_WAVE_MOVES, no spring, no damping, heights up to
// one edge.
MOTE_API mote_wave_def mote_wave_def_default(void);

// Heights, m, and their rates, m/s, are the fields "wave_height" and "wave_rate"; missing fields are added
// with zeros. Leapfrog with the longest stable substeps; *steps: their number, may be null.
MOTE_API mote_result mote_tracked_waves(mote_tracked *tracked, const mote_wave_def *def, double dt,
                                        size_t *steps, mote_error *error);
// Energy of the waves per density, m^5/s^2: half of the integral of h'^2 + h f(M) h + spring h^2 - 2 h s, s
// the printed source.
MOTE_API mote_result mote_tracked_wave_energy(mote_tracked *tracked, const mote_wave_def *def, double *energy,
                                              mote_error *error);
// As mote_tracked_surface, the vertices raised by their heights along the normals; each part has the volume
// that it has without waves.
MOTE_API mote_result mote_tracked_wave_surface(mote_tracked *tracked, mote_surface *out, mote_error *error);

// Adds a field or overwrites an existing one; values in the order of mote_tracked_surface, null: zero.
MOTE_API mote_result mote_tracked_set_field(mote_tracked *tracked, const char *name, const char *unit,
                                            int components, const double *value, mote_error *error);

// --- The transfer record (YU11 5.2) -----------------------------------------------------------------------

// The values of vertex `to` are the weighted mean of those of up to three vertices, by ids; weights sum to
// one. Vertices without an entry keep their values.
typedef struct mote_transfer {
  uint64_t to, from[3];
  double weight[3];
} mote_transfer;
// All since the last mote_tracked_forget, in order. Valid until the mesh changes.
MOTE_API const mote_transfer *mote_tracked_record(const mote_tracked *tracked, size_t *count);
MOTE_API void mote_tracked_forget(mote_tracked *tracked);
// Number of ids assigned so far: all ids are below.
MOTE_API uint64_t mote_tracked_ids(const mote_tracked *tracked);
// Replays a record on values by id, `components` each.
MOTE_API void mote_transfer_replay(const mote_transfer *record, size_t count, int components, double *value);

#ifdef __cplusplus
}
#endif
#endif
