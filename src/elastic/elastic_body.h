// An elastic body: particles with a rest shape, the least-squares fit of their displacements, the forces that
// follow from its energy. EG09 7.1 with the gradient of EG09 (37), its second-order form, or (32). What is
// public is in <mote/elastic.h>; what is here checks nothing. Theory: docs/theory/solids.md
#ifndef MOTE_ELASTIC_BODY_H
#define MOTE_ELASTIC_BODY_H

#include <mote/elastic.h>

#include "base/arena.h"
#include "material/elastic_law.h"

#define MOTE_ELASTIC_TERMS 9   // functions of the largest basis: order 2 in 3D
#define MOTE_ELASTIC_ROWS 12   // and with slopes
#define MOTE_ELASTIC_GRAIN 32  // particles of a chunk of work

// A neighbour, seen from its particle.
typedef struct mote_elastic_pair {
  double rest[3];  // X_j - X_i
  double weight;
} mote_elastic_pair;

struct mote_elastic {
  mote_env env;
  mote_arena memory;  // of all arrays
  int dimensions, order;
  int terms;   // functions of the basis
  int slopes;  // numbers of a pair's slope: the dimensions where gradients are analytic, else 0
  int rows;    // terms and slopes
  size_t count, pairs;
  double inverse_unit;  // of the lengths of the basis, a power of two: no product with it is rounded
  mote_elastic_law law;
  double damping;
  mote_elastic_def def;   // of which it was made, for its numbers: arrays and ways may be gone
  double *rest;           // positions
  double *support;        // radii
  double *room;           // volumes of the particles at rest as they were given,
  double *volume, *mass;  // and as weights of an integral over the body
  double *hold;           // k: force per weight and unseen displacement
  double *spread;         // sum of w |X_ij|^2
  double *inverse;        // terms x terms: of the moments, EG09 (38)
  size_t *first;          // pairs of i: first[i] .. first[i+1] - 1, by ascending index
  uint32_t *near;         // their other ends
  mote_elastic_pair *pair;
  double
      *slope;  // of every pair, three of its own and three of its other end: grad Phi_j at i, grad Phi_i at j
  double *fit;   // rows x (x, y, z, nothing): coefficients of the displacements, and their analytic gradient;
  double *rate;  // of velocities or directions,
  double *push;  // and what the forces are gathered from
};

// Volumes with which a sum over particles is an integral, also where second derivatives count: what a fit
// makes of a field's over a cell is given to the neighbours whose values it is made of. Order 2 only.
void mote_elastic_weigh(mote_elastic *body);

// The fit of a field in the neighbourhood of every particle: of displacements where the field is
// positions, and of differences of the field itself otherwise.
void mote_elastic_fit(const mote_elastic *body, const double *field, bool positions, double *fit);
// The gradients of the shape functions of moving least squares at all particles, EG09 (30)-(32), in units of
// the basis. Reads pairs and inverse moments.
void mote_elastic_make_slopes(mote_elastic *body, const mote_elastic_def *def);

// grad u of a fit: EG09 (37), or (32) with slopes.
void mote_elastic_gradient(const mote_elastic *body, const double *fit, size_t i, double g[9]);
// push of particle i, which has the stress P (or its change) and the fit.
void mote_elastic_push(const mote_elastic *body, size_t i, const double P[9], const double *fit,
                       double *push);
// Forces of pairs, EG09 (64): out_i = sum_j w_ij ((k_i + k_j) u_ij + Q_i p_ij - Q_j p_ji). With slopes these
// have rows of Q and entries of p of their own. Every pair's is found from both ends with opposite bits.
void mote_elastic_gather(const mote_elastic *body, const double *field, bool positions, const double *push,
                         double *out);

// The part of Green's strain in the stress of particle i, with damping by motion->before.
mote_green_part mote_elastic_part(const mote_elastic *body, const mote_elastic_motion *motion, size_t i);

// Elastic forces and those of damping at this motion.
void mote_elastic_forces(mote_elastic *body, const mote_elastic_motion *motion, double *force);

// With motion->before also that from which its damping follows.
mote_elastic_energies mote_elastic_stored(mote_elastic *body, const mote_elastic_motion *motion);

#endif
