// An elastic body on its own, without a world: particles with a rest shape, the least-squares fit of their
// displacements (EG09 7.1), forces that follow from its energy, explicit and implicit steps, plastic flow,
// and a fine mesh that it carries along. In double.
//
// Points as in search.h: three doubles each, in 2D (plane strain, per metre of depth) the third is not read.
// Symmetric matrices are xx xy xz yy yz zz. Rest shape and constants of a body never change; positions,
// velocities, plastic strains and references belong to the caller. Results do not depend on the number of
// threads. One thread at a time may use a body, its solver and its skins.
//
// Theory: docs/theory/solids.md
#ifndef MOTE_ELASTIC_H
#define MOTE_ELASTIC_H

#include <mote/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- The body -------------------------------------------------------------------------------------------

typedef enum mote_elastic_kind {
  MOTE_ELASTIC_SAINT_VENANT,  // Saint-Venant-Kirchhoff: Hooke's law of Green's strain, EG09 (61)-(63)
  MOTE_ELASTIC_COROTATED,     // Hooke's law of the stretch, F without its rotation
  MOTE_ELASTIC_NEO_HOOKEAN,   // without a logarithm, so that inverted particles come back (Smith et al. 2018)
  MOTE_ELASTIC_KINDS
} mote_elastic_kind;

// Which numbers make a gradient of the displacements around a particle.
typedef enum mote_elastic_gradients {
  MOTE_ELASTIC_DIRECT,    // of the fit through the particle's own displacement, EG09 (37)
  MOTE_ELASTIC_ANALYTIC,  // derivatives of the shape functions of moving least squares, EG09 (32)
  MOTE_ELASTIC_GRADIENTS
} mote_elastic_gradients;

typedef struct mote_elastic_def {
  int dimensions;  // 2: plane strain, per metre of depth; or 3
  int order;       // of the fit: 1, EG09 (37); 2, which bends right
  mote_elastic_gradients gradient;
  const double *position;  // at rest; copied
  size_t count;
  const double *support;   // radius in which a particle has neighbours; copied; null: uniform_support
  double uniform_support;  // 2.4 to 3 spacings
  const double *volume;    // copied; null: equal shares of
  double total_volume;     // which is not read otherwise
  double density;          // kg/m^3
  mote_elastic_kind kind;
  double young, poisson;    // Young's modulus, Pa; Poisson's ratio, -1 < nu < 1/2
  double volume_stiffness;  // k_v of EG09 (65), Pa
  double hourglass;         // alpha: energy of what the fit does not see, in units of Young's; 0: none
  double damping;           // s: stress per strain rate over stress per strain
  // How far points are from one another within the body, which two legs of a figure are not though they
  // touch: makes the straight distances of `to` from `from`, which are in `length`, longer where the way
  // around is, and HUGE_VAL where that is not shorter than `most`. Null: all are straight. Called from
  // several threads at once.
  void (*ways)(void *user, const double from[3], const double *to, size_t count, double most, double *length);
  void *user;
} mote_elastic_def;

// 3D, order 2, hourglass control as tested (0.1), no damping, nu = 0.3.
MOTE_API mote_elastic_def mote_elastic_def_default(void);

typedef struct mote_elastic mote_elastic;

// ARGUMENT names the member that makes no sense, or the particle that has too few neighbours or all in one
// plane.
MOTE_API mote_result mote_elastic_create(const mote_elastic_def *def, const mote_env *env, mote_elastic **out,
                                         mote_error *error);
MOTE_API void mote_elastic_destroy(mote_elastic *body);

MOTE_API size_t mote_elastic_count(const mote_elastic *body);
MOTE_API const double *mote_elastic_mass(const mote_elastic *body);  // kg, of each particle
// m^3 at rest. At order 2 they sum to what was given, but near the surface each is what makes a sum over
// particles an integral over the body.
MOTE_API const double *mote_elastic_volume(const mote_elastic *body);

// --- Its motion -----------------------------------------------------------------------------------------

struct mote_elastic_external;  // worlds' own

// Arrays of the caller, of all particles. {.position = x, .velocity = v} is a motion.
typedef struct mote_elastic_motion {
  double *position;
  double *velocity;
  double *plastic;      // what has flowed: 1 - Fp^-1, six each; null: nothing
  const uint8_t *held;  // particles that move as they are told, by their velocity; null: none
  // Strains, six each, `step` seconds ago, from which damping knows the rate of strain; null: from
  // velocities. Implicit steps use their own.
  const double *before;
  double step;
  const double *more;  // that the strains of the law are greater by: implicit steps' own; null: nothing
  const struct mote_elastic_external *external;  // forces from outside, in worlds; null: none
} mote_elastic_motion;

// The functions below refuse what is null or not finite in a motion, and change nothing then.

// Elastic forces and those of damping at this motion, N: the exact -dE/dx, EG09 (64). They cancel in pairs.
MOTE_API mote_result mote_elastic_find_forces(mote_elastic *body, const mote_elastic_motion *motion,
                                              double *force, mote_error *error);

typedef struct mote_elastic_energies {
  double strain, hourglass;  // J
} mote_elastic_energies;

// What is stored, EG09 (63). With motion->before also that from which its damping follows.
MOTE_API mote_result mote_elastic_find_energies(mote_elastic *body, const mote_elastic_motion *motion,
                                                mote_elastic_energies *out, mote_error *error);

// Green's strains of all particles, EG09 (61), six each; and displacement gradients, nine each, row by row.
// Either may be null.
MOTE_API mote_result mote_elastic_find_strains(mote_elastic *body, const double *position, double *strain,
                                               double *gradient, mote_error *error);

// How forces change: out = K direction, the exact derivative of -forces without that of damping by
// velocities. For modes and for solvers of one's own; K is never stored.
MOTE_API mote_result mote_elastic_find_stiffness(mote_elastic *body, const mote_elastic_motion *motion,
                                                 const double *direction, double *out, mote_error *error);

// --- Explicit steps -------------------------------------------------------------------------------------

// The longest stable step where no particle is stretched by more than `stretch`, at least 1.
MOTE_API mote_result mote_elastic_find_limit(mote_elastic *body, double stretch, double *limit,
                                             mote_error *error);
// Half a drift, a kick, half a drift: second order, keeps both momenta. `acceleration`, of other forces,
// three each; null: none. `force`: of the caller, three each; what was found at the middle of the step.
MOTE_API mote_result mote_elastic_step(mote_elastic *body, const mote_elastic_motion *motion,
                                       const double *acceleration, double dt, double *force,
                                       mote_error *error);

// --- Implicit steps: stable at any stiffness and length ---------------------------------------------------

typedef enum mote_elastic_scheme {
  MOTE_ELASTIC_EULER,     // backward Euler: first order, loses energy, never gains
  MOTE_ELASTIC_MIDPOINT,  // second order, keeps momentum and angular momentum; stiff motions ring on
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
  double change;   // the last, in supports
  bool converged;
} mote_elastic_report;

// Memory and factor of one body, which must outlive it: its memory is the body's.
typedef struct mote_elastic_implicit mote_elastic_implicit;

MOTE_API mote_result mote_elastic_implicit_create(const mote_elastic_implicit_def *def, mote_elastic *body,
                                                  mote_elastic_implicit **out, mote_error *error);
MOTE_API void mote_elastic_implicit_destroy(mote_elastic_implicit *solver);

// `acceleration`, of other forces, three each; null: none. What has not converged in newton_max is taken as
// it is and said. NUMERIC, positions and velocities as they were, when something is not finite.
MOTE_API mote_result mote_elastic_implicit_step(mote_elastic_implicit *solver,
                                                const mote_elastic_motion *motion, const double *acceleration,
                                                double dt, mote_elastic_report *report, mote_error *error);

// --- Plastic flow ---------------------------------------------------------------------------------------

// F = Fe Fp. Flow keeps volumes: det Fp stays what it is, 1 at first. Strains here are logarithms of
// stretches, their size the root of the sum of squares.
typedef struct mote_plastic_law {
  double yield;  // size of the elastic strain, without its change of volume, above which it flows
  double rate;   // 1/s; HUGE_VAL: at once, what is beyond yield is plastic (O'Brien et al. 2002)
  double most;   // size of the plastic strain that a particle can hold
} mote_plastic_law;

// dt seconds of plastic flow at the present strains, EG09 7.3, in motion->plastic: after each step.
// `flowed`: how many particles did; may be null.
MOTE_API mote_result mote_elastic_flow_for(mote_elastic *body, const mote_plastic_law *law,
                                           const mote_elastic_motion *motion, double dt, size_t *flowed,
                                           mote_error *error);

// Another reference for what has flowed far, EG09 7.3: displacements are counted from about the shape that
// the body would have now if nothing pulled at it, and neighbours are those who are near there. Arrays of the
// caller. Fp is from then on what has flowed since, and what the new positions do not hold of the old flow.
typedef struct mote_elastic_reference {
  double *position;  // of the particles in it; at first those at rest
  double *metric;    // H - 1, six each: supports are round where lengths are |H x|; at first 0
  double *flowed;    // size of the plastic strain with which the reference began; at first 0
} mote_elastic_reference;

// The body of a reference: particles, masses and constants of `rest`, the body as it was at first, which it
// does not need later.
MOTE_API mote_result mote_elastic_refer(const mote_elastic *rest, const mote_elastic_reference *reference,
                                        mote_elastic **out, mote_error *error);

// Where the plastic strain of a particle has grown by more than `strain` since `reference` began, of which
// `body` must be the body: its next one. *out is then another body, for which solvers are to be made anew;
// the old one, which stays, is the caller's to destroy. Skins follow `rest`. The reference is changed, and
// motion->plastic, so that stresses are what they were. *out is null where none has grown so much; and where
// the new body could not be (a particle with too few neighbours, or more than 512; crushed), which `error`
// then says though the result is OK: reference->flowed tells from where it is tried again.
MOTE_API mote_result mote_elastic_renew(const mote_elastic *rest, mote_elastic *body, double strain,
                                        const mote_elastic_motion *motion,
                                        const mote_elastic_reference *reference, mote_elastic **out,
                                        mote_error *error);

// --- Skins: a fine mesh that the body carries along, EG09 7.2 ---------------------------------------------

typedef enum mote_skin_kind {
  MOTE_SKIN_SHAPES,  // the displacement field itself, EG09 (67)
  MOTE_SKIN_TAYLOR,  // the particles' first-order fields, blended: EG09 (68), less accurate, fewer numbers a
                     // vertex
  MOTE_SKIN_KINDS
} mote_skin_kind;

typedef struct mote_elastic_skin_def {
  mote_skin_kind kind;
  mote_elastic *body;      // must outlive the skin
  const double *position;  // of its particles at rest; copied
  double support;  // radius in which particles move a vertex; of the smallest: larger ones reach as many
                   // spacings of their own
  const double *vertex;  // at rest; copied
  const double *normal;  // at rest; copied; null: none
  size_t count;          // vertices
} mote_elastic_skin_def;

typedef struct mote_elastic_skin mote_elastic_skin;

// ARGUMENT names a vertex that too few particles are near.
MOTE_API mote_result mote_elastic_skin_create(const mote_elastic_skin_def *def, mote_elastic_skin **out,
                                              mote_error *error);
MOTE_API void mote_elastic_skin_destroy(mote_elastic_skin *skin);

// `position` of the particles now. Normals (null: not wanted) have length 1 and are those of the deformed
// surface, cof(F) n; n + grad u n as printed is right for turns only.
MOTE_API mote_result mote_elastic_skin_move(mote_elastic_skin *skin, const double *position, double *vertex,
                                            double *normal, mote_error *error);

#ifdef __cplusplus
}
#endif
#endif
