// An elastic body without a world: particles with a rest shape, the least-squares fit of their displacements
// (EG09 7.1), forces derived from its energy, explicit and implicit steps, plastic flow, and an embedded fine
// mesh. In double precision.
//
// Points as in search.h: three doubles each; in 2D (plane strain, per metre of depth) the third is not read.
// Symmetric matrices are xx xy xz yy yz zz. Rest shape and constants of a body never change; positions,
// velocities, plastic strains and references belong to the caller. Results do not depend on the number of
// threads. A body, its solver and its skins may be used by one thread at a time.
//
// Theory: docs/theory/elastic.md
#ifndef MOTE_ELASTIC_H
#define MOTE_ELASTIC_H

#include <mote/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- The body -------------------------------------------------------------------------------------------

typedef enum mote_elastic_kind {
  MOTE_ELASTIC_SAINT_VENANT,  // Saint-Venant-Kirchhoff: Hooke's law of Green's strain, EG09 (61)-(63)
  MOTE_ELASTIC_COROTATED,     // Hooke's law of the stretch (F without its rotation)
  MOTE_ELASTIC_NEO_HOOKEAN,   // without a logarithm, so that inverted particles recover (Smith et al. 2018)
  MOTE_ELASTIC_KINDS,
  MOTE_ELASTIC_RESTORING = MOTE_ELASTIC_KINDS  // of scenes, for lattices only: WIC06 (8)
} mote_elastic_kind;
// Of scenes, in the order of the values
#define MOTE_ELASTIC_KEYWORDS "svk, corotated, neo_hookean, restoring"

// How the gradient of the displacements at a particle is computed.
typedef enum mote_elastic_gradients {
  MOTE_ELASTIC_DIRECT,    // from the fit through the particle's own displacement, EG09 (37)
  MOTE_ELASTIC_ANALYTIC,  // derivatives of the shape functions of moving least squares, EG09 (32)
  MOTE_ELASTIC_GRADIENTS
} mote_elastic_gradients;

// How a particle is clamped, for mote_elastic_def.clamp.
enum {
  MOTE_ELASTIC_FREE,
  MOTE_ELASTIC_CLAMPED,  // on the face of a clamp, where its free neighbours see it
  MOTE_ELASTIC_BURIED    // behind such a face: no neighbour of free particles
};

typedef struct mote_elastic_def {
  int dimensions;  // 2: plane strain, per metre of depth; or 3
  int order;       // of the fit: 1, EG09 (37); 2, accurate in bending
  mote_elastic_gradients gradient;
  const double *position;  // at rest; copied
  size_t count;
  const double *support;   // neighbourhood radius of each particle, m; copied; null: uniform_support
  double uniform_support;  // m; 2.4 to 3 spacings
  const double *volume;    // m^3; copied; null: equal shares of total_volume
  double total_volume;     // m^3; read where volume is null
  double density;          // kg/m^3
  mote_elastic_kind kind;
  double young, poisson;    // Young's modulus, Pa; Poisson's ratio, -1 < nu < 1/2
  double volume_stiffness;  // k_v of EG09 (65), Pa
  double hourglass;  // alpha: stiffness of deformation that the fit does not represent, in units of Young's
                     // modulus; 0: none
  double fold;     // the same of deformation that a linear fit does not represent, where it is so large that
                   // neighbours may pass each other; 0: none
  double damping;  // s: ratio of stress per strain rate to stress per strain
  // Path lengths inside the body, by which parts that are close but not connected are no neighbours. `length`
  // comes in with the straight distances from `from` to each of `to`; the callback increases those whose path
  // inside the body is longer, to HUGE_VAL where it is not shorter than `most`. Null: all paths are straight.
  // Called from several threads at once.
  void (*path_length)(void *user, const double from[3], const double *to, size_t count, double most,
                      double *length);
  void *user;
  // Clamps and the free surface: with them constant stress is in balance with loads on the surface exactly,
  // and strain begins at the face of a clamp. Forces then cost about half as much more. Read at creation.
  const uint8_t *clamp;     // MOTE_ELASTIC_FREE ... of each particle; null: all are free
  const double *deforming;  // part of each particle's volume that is not clamped, 0 to 1; null: 1, clamped: 0
  const double *face_point, *face_area;  // of the free surface: points, and outward area vectors, m^2
  size_t faces;                          // 0: integration is not corrected
} mote_elastic_def;

// 3D, order 2, hourglass control 0.1 (as tested), no damping, nu = 0.3.
MOTE_API mote_elastic_def mote_elastic_def_default(void);

typedef struct mote_elastic mote_elastic;

// ARGUMENT names the invalid member, or the particle whose neighbours are too few or all in one plane.
MOTE_API mote_result mote_elastic_create(const mote_elastic_def *def, const mote_env *env, mote_elastic **out,
                                         mote_error *error);
MOTE_API void mote_elastic_destroy(mote_elastic *body);

MOTE_API size_t mote_elastic_count(const mote_elastic *body);
MOTE_API const double *mote_elastic_mass(const mote_elastic *body);  // kg, of each particle
// m^3 at rest, as quadrature weights of integrals over the body. At order 2 they differ from the given
// volumes near the surface; their sum is that of the given ones.
MOTE_API const double *mote_elastic_volume(const mote_elastic *body);

// Shares of loads on the surface: out_j is the sum of Phi_j value over all points, with shape functions Phi_j
// of the body's order (their sum is 1, linear fields are reproduced: forces and moments are kept). Three
// numbers for each point and particle.
MOTE_API mote_result mote_elastic_spread_load(const mote_elastic *body, size_t count, const double *point,
                                              const double *value, double *out, mote_error *error);

// --- Its motion -----------------------------------------------------------------------------------------

struct mote_elastic_external;  // internal to worlds

// Arrays of the caller, for all particles. {.position = x, .velocity = v} is a valid motion.
typedef struct mote_elastic_motion {
  double *position;
  double *velocity;
  double *plastic;      // plastic strain 1 - Fp^-1, six each; null: none
  const uint8_t *held;  // nonzero: the particle follows its prescribed velocity; null: none
  // Strains, six each, `step` seconds ago, for the strain rate of damping; null: damping uses velocities.
  // Implicit steps set their own.
  const double *before;
  double step;
  const double *more;  // 16 numbers each of midpoint steps: internal to implicit steps; null: nothing
  const struct mote_elastic_external *external;  // internal to worlds; null: none
} mote_elastic_motion;

// The functions below fail, without any change, where an array is null or a number not finite.

// Elastic and damping forces at this motion, N: the exact -dE/dx, EG09 (64). Pair forces cancel.
MOTE_API mote_result mote_elastic_find_forces(mote_elastic *body, const mote_elastic_motion *motion,
                                              double *force, mote_error *error);

typedef struct mote_elastic_energies {
  double strain, hourglass;  // J
} mote_elastic_energies;

// Stored energy, EG09 (63). With motion->before it includes the energy from which the damping derives.
MOTE_API mote_result mote_elastic_find_energies(mote_elastic *body, const mote_elastic_motion *motion,
                                                mote_elastic_energies *out, mote_error *error);

// Green's strains of all particles, EG09 (61), six each; and displacement gradients, nine each, row by row.
// Either may be null.
MOTE_API mote_result mote_elastic_find_strains(mote_elastic *body, const double *position, double *strain,
                                               double *gradient, mote_error *error);

// out = K direction, K the exact derivative of -forces without that of damping from velocities. For modal
// analysis and custom solvers; K is never stored.
MOTE_API mote_result mote_elastic_find_stiffness(mote_elastic *body, const mote_elastic_motion *motion,
                                                 const double *direction, double *out, mote_error *error);

// --- Explicit steps -------------------------------------------------------------------------------------

// The longest stable step, s, where no particle is stretched by more than `stretch` >= 1.
MOTE_API mote_result mote_elastic_find_limit(mote_elastic *body, double stretch, double *limit,
                                             mote_error *error);
// Half a drift, a kick, half a drift: second order, conserves both momenta. `acceleration`: of other forces,
// three each; null: none. `force`: output, three each, at the middle of the step.
MOTE_API mote_result mote_elastic_step(mote_elastic *body, const mote_elastic_motion *motion,
                                       const double *acceleration, double dt, double *force,
                                       mote_error *error);

// --- Implicit steps: stable at any stiffness and step length -----------------------------------------

typedef enum mote_elastic_scheme {
  MOTE_ELASTIC_EULER,     // backward Euler: first order, dissipative
  MOTE_ELASTIC_MIDPOINT,  // second order, conserves momentum and angular momentum; stiff vibrations persist
  MOTE_ELASTIC_SCHEMES
} mote_elastic_scheme;

typedef struct mote_elastic_implicit_def {
  mote_elastic_scheme scheme;
  double tolerance;  // of Newton's last change of position, in supports
  int newton_max;
  double cg_tolerance;
  int cg_max;
} mote_elastic_implicit_def;

MOTE_API mote_elastic_implicit_def mote_elastic_implicit_def_default(void);

typedef struct mote_elastic_report {
  int newton, cg;  // iterations
  double change;   // last change of position, in supports
  bool converged;
} mote_elastic_report;

// Solver and factors of one body, which must outlive it; it allocates from the body's memory.
typedef struct mote_elastic_implicit mote_elastic_implicit;

MOTE_API mote_result mote_elastic_implicit_create(const mote_elastic_implicit_def *def, mote_elastic *body,
                                                  mote_elastic_implicit **out, mote_error *error);
MOTE_API void mote_elastic_implicit_destroy(mote_elastic_implicit *solver);

// `acceleration`: of other forces, three each; null: none. Without convergence in newton_max iterations the
// last iterate is taken and reported. NUMERIC, with positions and velocities unchanged, where a number is not
// finite.
MOTE_API mote_result mote_elastic_implicit_step(mote_elastic_implicit *solver,
                                                const mote_elastic_motion *motion, const double *acceleration,
                                                double dt, mote_elastic_report *report, mote_error *error);

// --- Plastic flow ---------------------------------------------------------------------------------------

// F = Fe Fp. Flow preserves volume: det Fp is constant, initially 1. Strains here are logarithmic, their size
// is the Frobenius norm.
typedef struct mote_plastic_law {
  double yield;  // size of the deviatoric elastic strain above which the material flows
  double rate;   // 1/s; HUGE_VAL: all strain beyond yield becomes plastic at once (O'Brien et al. 2002)
  double most;   // greatest size of a particle's plastic strain
} mote_plastic_law;

// dt seconds of plastic flow at the current strains, EG09 7.3, in motion->plastic; call after each step.
// `flowed`: number of particles that flowed; may be null.
MOTE_API mote_result mote_elastic_flow_for(mote_elastic *body, const mote_plastic_law *law,
                                           const mote_elastic_motion *motion, double dt, size_t *flowed,
                                           mote_error *error);

// A new reference after large plastic flow, EG09 7.3: displacements are measured from approximately the
// current unloaded shape, and neighbours are those close in that shape. Arrays of the caller. Fp then is the
// flow since the reference, and the part of the earlier flow that the new positions do not represent.
typedef struct mote_elastic_reference {
  double *position;  // of the particles in the reference; initially the rest positions
  double *metric;    // H - 1, six each: supports are spheres in the lengths
                     // H x
                     // ; initially 0
  double *flowed;    // size of the plastic strain at the start of the reference; initially 0
} mote_elastic_reference;

// The body of a reference: particles, masses and constants of `rest`, the original body, which need not
// outlive it.
MOTE_API mote_result mote_elastic_create_from_reference(const mote_elastic *rest,
                                                        const mote_elastic_reference *reference,
                                                        mote_elastic **out, mote_error *error);

// Renews the reference where the plastic strain of a particle has grown by more than `strain` since the start
// of `reference`, whose body `body` must be. *out is then a new body, for which solvers must be created anew;
// the caller destroys the old one. Skins belong to `rest`. The reference and motion->plastic change such that
// stresses persist. *out is null where no strain has grown so much, and where the new body cannot be built (a
// particle with too few neighbours, with more than 512, or crushed): `error` then gives the reason though the
// result is OK, and reference->flowed is raised to the strains from which the next attempt counts.
MOTE_API mote_result mote_elastic_renew(const mote_elastic *rest, mote_elastic *body, double strain,
                                        const mote_elastic_motion *motion,
                                        const mote_elastic_reference *reference, mote_elastic **out,
                                        mote_error *error);

// --- Skins: an embedded fine mesh, EG09 7.2 ----------------------------------------------------------

typedef enum mote_skin_kind {
  MOTE_SKIN_SHAPES,  // displacement field by shape functions, EG09 (67)
  MOTE_SKIN_TAYLOR,  // blended first-order fields of the particles, EG09 (68): less accurate, fewer numbers
                     // per vertex
  MOTE_SKIN_KINDS
} mote_skin_kind;

typedef struct mote_elastic_skin_def {
  mote_skin_kind kind;
  mote_elastic *body;      // must outlive the skin
  const double *position;  // of its particles at rest; copied
  double support;  // radius in which the smallest particles move a vertex, m; larger particles reach as many
                   // of their own spacings
  const double *vertex;  // at rest; copied
  const double *normal;  // at rest; copied; null: none
  size_t count;          // vertices
  bool fast_normals;  // MOTE_SKIN_SHAPES: n + grad u n from grad Phi . n of each entry, computed once (EG09
                      // 7.2): two numbers per entry in place of four, right for rotations only
} mote_elastic_skin_def;

typedef struct mote_elastic_skin mote_elastic_skin;

// ARGUMENT names a vertex with too few particles in reach.
MOTE_API mote_result mote_elastic_skin_create(const mote_elastic_skin_def *def, mote_elastic_skin **out,
                                              mote_error *error);
MOTE_API void mote_elastic_skin_destroy(mote_elastic_skin *skin);

// `position`: of the particles now. Normals (null: none) have unit length and are those of the deformed
// surface, cof(F) n; with fast_normals n + grad u n, as printed in EG09, which holds for rotations only.
MOTE_API mote_result mote_elastic_skin_move(mote_elastic_skin *skin, const double *position, double *vertex,
                                            double *normal, mote_error *error);

#ifdef __cplusplus
}
#endif
#endif
