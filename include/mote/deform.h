// Shape and motion: a detailed mesh bent by its handles through the displacements of a few nodes inside it,
// as rigid as possible and volume preserving, and smooth motion between poses (EG09 8).
//
// An interactive program creates a deformation, adds handles, and then in every frame sets their targets,
// solves for some milliseconds and reads the mesh. Creating, adding and the first solve after it allocate;
// setting, solving and reading do not. Lengths are those of the mesh, three doubles a point; the mesh is a
// solid in 3D. Results do not depend on the number of threads. An object may be used by one thread at a time.
//
// Theory: docs/theory/deformation.md
#ifndef MOTE_DEFORM_H
#define MOTE_DEFORM_H

#include <mote/base.h>
#include <mote/geom.h>
#include <mote/world.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MOTE_DEFORM_NODES_MIN 8
#define MOTE_DEFORM_NODES_MAX 20000

// --- Creation -------------------------------------------------------------------------------------------

// lambda 1 to 3 of EG09 (78), of energies without units: handles in sizes of the mesh squared, rigidity and
// volume as averages over the rest volume.
typedef struct mote_deform_weights {
  double handle, rigidity, volume;
} mote_deform_weights;

typedef struct mote_deform_def {
  // At rest; copied. Vertices may be duplicated (texture seams), parts may overlap; all of it together must
  // bound a solid, unless a thickness is given.
  mote_mesh mesh;
  const double *normal;  // of the vertices, unit length; copied; null: averages of the triangles' normals
  double thickness;      // m; positive: the mesh is a shell of this thickness, open or not
  size_t nodes;          // MOTE_DEFORM_NODES_MIN to MOTE_DEFORM_NODES_MAX
  double neighbours;     // nodes in reach of a point, on average: 8 to 40
  int samples;           // points at which the energies are summed, per node: 1 to 16
  mote_deform_weights weight;
  bool ties;  // parts that touch nothing are tied to the nearest one near by; false: they move by themselves
} mote_deform_def;

// 160 nodes, 16 neighbours, 4 samples per node, weights 5e6, 1, 100, ties; no mesh.
MOTE_API mote_deform_def mote_deform_def_default(void);

typedef struct mote_deform mote_deform;

// ARGUMENT names the member in error->key: a mesh that is empty, open without a thickness, without volume, or
// with parts so small that no node fits.
MOTE_API mote_result mote_deform_create(const mote_deform_def *def, const mote_env *env, mote_deform **out,
                                        mote_error *error);
MOTE_API void mote_deform_destroy(mote_deform *deform);

// A part of the mesh that touches nothing moves with the nearest one, if that is within 5 % of the size.
typedef struct mote_deform_tie {
  double from[3], to[3];  // points of the two parts where they are nearest
  uint32_t triangle[2];   // on which these lie
  double gap;             // m
} mote_deform_tie;
// How many there are; `tie` (null: not wanted) is valid until the deformation is destroyed.
MOTE_API size_t mote_deform_ties(const mote_deform *deform, const mote_deform_tie **tie);

MOTE_API size_t mote_deform_vertices(const mote_deform *deform);
MOTE_API size_t mote_deform_nodes(const mote_deform *deform);
MOTE_API double mote_deform_size(const mote_deform *deform);         // m: diagonal of the bounds at rest
MOTE_API const double *mote_deform_rest(const mote_deform *deform);  // positions of the nodes at rest
// Positions of the nodes now: the state of the deformation.
MOTE_API const double *mote_deform_state(const mote_deform *deform);
// Sets the state: an undo, a keyframe. ARGUMENT, without change, where a number is not finite.
MOTE_API mote_result mote_deform_set_state(mote_deform *deform, const double *position, mote_error *error);
// Back to rest, with all handles in their rest poses.
MOTE_API void mote_deform_reset(mote_deform *deform);
// The state whose mesh is nearest to these vertices in the sense of least squares: a pose from a mesh file or
// a snapshot. `distance` (null: not wanted): the root mean square of what remains, m.
MOTE_API mote_result mote_deform_fit(mote_deform *deform, const double *vertex, double *distance,
                                     mote_error *error);

// --- Handles: EG09 (74) ---------------------------------------------------------------------------------

typedef uint32_t mote_deform_handle;  // numbers from 0, in the order of adding

// Vertices, by number, that move as one rigid body.
MOTE_API mote_result mote_deform_add_region(mote_deform *deform, const uint32_t *vertex, size_t count,
                                            mote_deform_handle *out, mote_error *error);
// A point of the shape at rest, which need not be a vertex; only the translation of its pose counts.
MOTE_API mote_result mote_deform_add_point(mote_deform *deform, const double x[3], mote_deform_handle *out,
                                           mote_error *error);
MOTE_API void mote_deform_remove_handles(mote_deform *deform);
MOTE_API size_t mote_deform_handles(const mote_deform *deform);

// The pose to which a handle is to go from its rest pose; it rotates by less than half a turn from the pose
// set before, in which the solver moves it. ARGUMENT where the rotation is not one.
MOTE_API mote_result mote_deform_set_pose(mote_deform *deform, mote_deform_handle handle,
                                          const mote_pose *pose, mote_error *error);
// The same for a point: where it is to go.
MOTE_API mote_result mote_deform_set_point(mote_deform *deform, mote_deform_handle handle,
                                           const double target[3], mote_error *error);
// A free handle does not count.
MOTE_API mote_result mote_deform_set_free(mote_deform *deform, mote_deform_handle handle, bool is_free,
                                          mote_error *error);

// --- Solve ----------------------------------------------------------------------------------------------

typedef enum mote_deform_method {
  MOTE_DEFORM_NEWTON,  // with the positive part of the exact second derivatives, damped
  MOTE_DEFORM_LBFGS,   // the seeds' reference: many cheap iterations
  MOTE_DEFORM_METHODS
} mote_deform_method;

typedef struct mote_deform_solve_opts {
  mote_deform_method method;
  int iterations;       // at most, in this call
  double milliseconds;  // at most, about: no iteration begins later; infinite: no limit (and then the result
                        // does not depend on the machine)
  double tolerance;  // of the energy: stops where an iteration is expected to lower it by less than this part
  double walk_angle;   // rad: handles approach their poses in increments of at most this rotation
  double walk_length;  // and this movement, in sizes; infinite both: all at once
} mote_deform_solve_opts;

// Newton, 100 iterations, no limit of time, 1e-4, increments of 0.2 rad and 0.05 sizes.
MOTE_API mote_deform_solve_opts mote_deform_solve_opts_default(void);

// Where a solve has arrived.
typedef struct mote_deform_report {
  int iterations, evaluations;  // of this call
  bool arrived;                 // the handles' increments have reached their poses
  bool converged;               // and the energy is within the tolerance of a minimum
  bool stalled;                 // not converged, and no step lowers the energy: more iterations do not help
  double energy;                // EG09 (78), the sum of:
  double handle, rigidity, volume;  // lambda times each energy
  double handle_error;              // sizes: root mean square over the vertices of the worst handle
  mote_deform_handle worst_handle;  // this one
  double least_determinant;         // of F at the samples: positive, never inverted
  double milliseconds;
} mote_deform_report;

// Continues from the current state; may be stopped after any iteration and continued. Without a fixed handle
// the undetermined rigid motion does not change. NUMERIC, with the state unchanged: a number is not finite.
// `report` may be null.
MOTE_API mote_result mote_deform_solve(mote_deform *deform, const mote_deform_solve_opts *opts,
                                       mote_deform_report *report, mote_error *error);

// Energy and its gradient with respect to the nodes' positions (three each; null: not wanted) at any state,
// for handles in the poses that were set: for other solvers, and for tests.
MOTE_API mote_result mote_deform_energy(mote_deform *deform, const double *position,
                                        mote_deform_report *report, double *gradient, mote_error *error);

// --- Reading --------------------------------------------------------------------------------------------

// Positions and unit normals (null: not wanted) of all vertices of the mesh, three doubles each.
MOTE_API mote_result mote_deform_read(mote_deform *deform, double *vertex, double *normal, mote_error *error);
// The same at another state: positions of the nodes.
MOTE_API mote_result mote_deform_read_at(mote_deform *deform, const double *position, double *vertex,
                                         double *normal, mote_error *error);
// Interpolates values of the nodes, three each, at points of the shape at rest: from positions of the nodes
// those of the points, from velocities their velocities. Exact for linear fields; gives the initial state of
// the particles of an elastic body that continues a motion.
MOTE_API mote_result mote_deform_interpolate(const mote_deform *deform, const double *value,
                                             const double *point, size_t count, double *out,
                                             mote_error *error);
// Lengths of the shortest paths inside the shape at rest, m, from one point to others; infinite where there
// is none. `from` becomes the nearest point of the grid inside, where the paths begin. Allocates.
MOTE_API mote_result mote_deform_path_lengths(const mote_deform *deform, double from[3], const double *point,
                                              size_t count, double *out, mote_error *error);
// What became of the mesh.
typedef struct mote_deform_mesh_report {
  double stretch_most, stretch_least;              // of an edge, length over length at rest
  double stretch_most_at[3], stretch_least_at[3];  // the edge's middle at rest
  size_t inverted;                                 // triangles at whose corners det F is not positive
  // Vertices that their nodes do not surround: the sum of the shape functions' amounts is above 3, so that
  // they are extrapolated. Of the definition, not of the state.
  size_t beyond;
} mote_deform_mesh_report;
// `vertex`: as read from the current state.
MOTE_API mote_result mote_deform_measure(mote_deform *deform, const double *vertex,
                                         mote_deform_mesh_report *report, mote_error *error);
// Whether a handle's pose lies beyond the body: the straight way of its middle leaves the handle's region,
// goes through the body and out of it again. Such a handle cannot be met.
MOTE_API bool mote_deform_pushed_through(const mote_deform *deform, mote_deform_handle handle);
// Volume enclosed by the mesh of these vertices, with the triangles of the definition, m^3.
MOTE_API double mote_deform_volume(const mote_deform *deform, const double *vertex);

// --- Motion: EG09 8.2 -----------------------------------------------------------------------------------

// lambda 1 to 6 of EG09 (85).
typedef struct mote_deform_motion_weights {
  double key, rigidity, volume, velocity, acceleration, obstacle;
} mote_deform_motion_weights;

typedef struct mote_deform_motion_def {
  mote_deform *deform;  // must outlive the motion; its handles and state are not used
  mote_deform_motion_weights weight;
  bool moving_frame;  // displacements in a frame that follows the keys, so that rigid motion is exact
  size_t frames_max;  // at most, keys included; 1 to 1000
  int rounds;         // of insertion of frames
  double
      tolerance;  // frames are inserted where the energy per time between two of them is larger by this part
  double margin;  // m: kept between nodes, with their share of the shape, and obstacles
  int evaluations;  // of the energy, at most, per round
} mote_deform_motion_def;

MOTE_API mote_deform_motion_def mote_deform_motion_def_default(void);

typedef struct mote_deform_key {
  double time;             // s
  const double *position;  // of the nodes, as mote_deform_state; copied
  const uint8_t *held;     // one per node, 0: this key does not concern the node; copied; null: all nodes
  const double *velocity;  // of the nodes, m/s; copied; null: not prescribed
} mote_deform_key;

// An obstacle as a distance field. Distance of the point x at time t, s, negative inside; its gradient with
// respect to x as a unit vector. Called from several threads at once.
typedef double mote_deform_distance_fn(void *user, const double x[3], double t, double normal[3]);
// The pose of a moving shape at time t.
typedef void mote_deform_pose_fn(void *user, double t, mote_pose *pose);

typedef struct mote_deform_obstacle {
  const mote_shape *shape;            // or null, and a distance; must outlive the motion
  mote_deform_pose_fn *pose;          // of the shape; null: at rest
  mote_deform_distance_fn *distance;  // read where shape is null
  void *user;
} mote_deform_obstacle;

typedef struct mote_deform_motion mote_deform_motion;

// Keys in ascending order of time, at least one; all is copied.
MOTE_API mote_result mote_deform_motion_create(const mote_deform_motion_def *def, const mote_deform_key *key,
                                               size_t keys, const mote_deform_obstacle *obstacle,
                                               size_t obstacles, mote_deform_motion **out, mote_error *error);
MOTE_API void mote_deform_motion_destroy(mote_deform_motion *motion);

typedef struct mote_deform_motion_report {
  int evaluations, rounds;
  size_t frames;
  double energy;  // EG09 (85), the sum of lambda times each:
  double key, rigidity, volume, velocity, acceleration, obstacle;
  double key_error;    // sizes: largest of a node at a key
  double penetration;  // m: deepest of a node with its share of the shape, at the frames and between; 0: none
  double seconds;
} mote_deform_motion_report;

// Finds the motion, inserting frames where it is not resolved. May be called again to continue. `seconds`:
// approximate time limit; infinite: none.
MOTE_API mote_result mote_deform_motion_solve(mote_deform_motion *motion, double seconds,
                                              mote_deform_motion_report *report, mote_error *error);

// The times of the frames, ascending; valid until the next solve.
MOTE_API size_t mote_deform_motion_frames(const mote_deform_motion *motion, const double **time);
// Positions, velocities and accelerations of the nodes at a time (those of the first and last key beyond);
// any may be null. Feed the positions to mote_deform_read_at for the mesh.
MOTE_API mote_result mote_deform_motion_evaluate(const mote_deform_motion *motion, double t, double *position,
                                                 double *velocity, double *acceleration, mote_error *error);
// The mesh at a time, with velocities of the vertices; normal and velocity may be null.
MOTE_API mote_result mote_deform_motion_read(mote_deform_motion *motion, double t, double *vertex,
                                             double *normal, double *velocity, mote_error *error);

#ifdef __cplusplus
}
#endif
#endif
