// An elastic body: particles with a rest shape, the least-squares fit of their displacements, and the forces
// that derive from its energy. EG09 7.1 with the gradient of EG09 (37), its second-order form, or (32). The
// public interface is <mote/elastic.h>; functions here do not check arguments. Theory: docs/theory/elastic.md
#ifndef MOTE_ELASTIC_BODY_H
#define MOTE_ELASTIC_BODY_H

#include <mote/elastic.h>

#include "base/arena.h"
#include "elastic/elastic_lists.h"
#include "material/elastic_law.h"

#define MOTE_ELASTIC_TERMS 9                 // basis functions at most: order 2 in 3D
#define MOTE_ELASTIC_ROWS 12                 // basis functions and slopes at most
#define MOTE_ELASTIC_PARTICLES_PER_CHUNK 32  // particles of a chunk of work
#define MOTE_ELASTIC_LOOSE_SPREAD 1e300      // mark: of a particle that stores no energy because it broke off

struct mote_elastic {
  mote_env env;
  mote_arena memory;  // of all arrays
  int dimensions, order;
  int terms;     // functions of the basis
  int slopes;    // numbers of a pair's slope: the dimensions for analytic gradients, else 0
  int rows;      // terms + slopes
  bool breaks;   // particles whose neighbourhood is flat store no energy, and are not an error
  bool renewed;  // measured from a reference after plastic flow: its volumes are those of the original body
  size_t count, pairs;
  double inverse_unit;  // inverse length unit of the basis, a power of two: multiplication by it is exact
  mote_elastic_law law;
  double damping;
  mote_elastic_def def;         // its definition, for the scalars: arrays and path_length are not kept
  double *rest;                 // rest positions
  double *support;              // radii
  double *rest_volume;          // m^3 at rest, as given
  double *volume, *mass;        // volume as quadrature weight of an integral in front of clamps
  double *whole_volume;         // the same over the whole body; without clamps: volume
  uint8_t *clamp;               // MOTE_ELASTIC_FREE ...; null: all are free
  double *hourglass_stiffness;  // k: force per weight and displacement not represented by the fit
  double fold_modulus;          // Pa: stiffness of fold control; 0: none
  double *fold_stiffness;       // k' at the last positions: force per weight and misfit of the linear fit
  double *fold_strain2;         // that misfit, as the square of a strain; 0 without fold control
  double *fold_change;          // of k' by a direction
  double *spread;               // sum of w |X_ij|^2
  double *inverse;              // terms x terms inverse moment matrices, EG09 (38)
  double *linear_inverse;       // the same of the linear functions alone
  mote_elastic_lists lists;     // the neighbours; the pointers down to `slope` are its arrays
  size_t *first;                // pairs of i: first[i] .. first[i+1] - 1, by ascending index
  uint32_t *neighbour;          // index of the neighbour of each pair
  mote_elastic_pair *pair;
  double *path_length;  // of each pair, inside the body, m; in the metric of its reference where it has one
  double *factor;       // of each pair's weight, in (0, 1]; null: all are 1
  double *slope;        // per pair, three numbers of each end: grad Phi_j at i, grad Phi_i at j
  struct mote_elastic_edit *edit;  // elastic_change.h; null: none yet
  double *fit;   // rows x (x, y, z, padding): coefficients of the displacements, and their analytic gradient
  double *rate;  // the same of velocities or directions
  double *linear_fit, *linear_rate;  // dimensions x (x, y, z, padding): coefficients of the linear fit alone
  double *stress_moment;             // stress times moments, from which the neighbours gather forces
};

// The body's definition with its own supports and volumes: the weight of a pair has the same bits with it as
// with the definition that it was created with. Positions are not in it.
mote_elastic_def mote_elastic_own_def(const mote_elastic *body);
// Makes the body's pointers those of its lists.
void mote_elastic_use_lists(mote_elastic *body);

// The functions on rows are for these particles, ascending, each once; null: all `count` of them.

// Inverse moments, spread and hourglass stiffness by the volumes at rest; reads pairs. ARGUMENT names a
// particle with too few neighbours, or all in one plane; other particles are then written nevertheless.
mote_result mote_elastic_make_moments(mote_elastic *body, const uint32_t *rows, size_t count,
                                      mote_error *error);
// Hourglass stiffness by the volumes at rest; reads the spread, which must be positive.
double mote_elastic_hourglass_at_rest(const mote_elastic *body, size_t i);
// Masses of all particles, and their hourglass stiffness from that by the volumes at rest.
void mote_elastic_set_masses(mote_elastic *body);

// Volumes with which a sum over particles is an integral to second order: the second-order part of a cell's
// integral is distributed to the neighbours by the fit's coefficients. Order 2 only. Starts at body->volume.
// clamped: nothing is shared with clamped particles.
void mote_elastic_integration_volumes(mote_elastic *body, bool clamped);

// Gradients of the MLS shape functions, EG09 (30)-(32), or those of the fit where gradients are direct, in
// units of the basis, at both ends of all pairs of these particles. Reads pairs and inverse moments.
void mote_elastic_make_slopes(mote_elastic *body, const uint32_t *rows, size_t count);

// Of each particle in mote_elastic_motion.more: 15 of mote_green_part, and k' of fold control.
#define MOTE_MIDPOINT_NUMBERS 16

// Fits a field around every particle: displacements if the field is positions, else differences. In body->fit
// or body->rate, with the linear fit and, for positions, the stiffness of fold control.
void mote_elastic_fit(const mote_elastic *body, const double *field, bool positions, double *fit);

// grad u of a fit: EG09 (37), or (32) with slopes.
void mote_elastic_gradient(const mote_elastic *body, const double *fit, size_t i, double g[9]);
// The stress moment of particle i with stress P (or its change) and this fit, with its linear one.
void mote_elastic_stress_moment(const mote_elastic *body, size_t i, const double P[9], const double *fit,
                                const double *linear, double *stress_moment);
// Pair forces, EG09 (64): out_i = sum_j w_ij ((k_i + k_j) u_ij + Q_i p_ij - Q_j p_ji). Slopes have their own
// rows of Q and entries of p. Both ends compute a pair's force, with bitwise opposite results.
void mote_elastic_gather(const mote_elastic *body, const double *field, bool positions,
                         const double *stress_moment, double *out);

// The Green strain part of the stress of particle i, with damping from motion->before.
mote_green_part mote_elastic_part(const mote_elastic *body, const mote_elastic_motion *motion, size_t i);

// Elastic and damping forces at this motion.
void mote_elastic_forces(mote_elastic *body, const mote_elastic_motion *motion, double *force);

// With motion->before it includes the energy from which the damping derives.
mote_elastic_energies mote_elastic_stored(mote_elastic *body, const mote_elastic_motion *motion);

#endif
