// Lattices for validation: boxes and balls of sites, turned and moved. What fails in a trial is reported, and
// what follows it does nothing. Theory: docs/theory/lattice.md
#ifndef MOTE_LATTICE_TRIAL_H
#define MOTE_LATTICE_TRIAL_H

#include <mote/lattice.h>

#include "validate/validate.h"

#define TRIAL_SPACING 0.05
#define TRIAL_YOUNG 1e5
#define TRIAL_DENSITY 1000.0

typedef struct lattice_trial_def {
  int dimensions;
  double size[3];  // in D, in the lattice's frame, about its middle
  bool ball;       // of the diameter size[0]
  double axis[3];  // the lattice is turned about it by its length
  double middle[3];
  double poisson, damping;  // damping: 1/s; NaN: the default
  bool restoring;
  bool second;      // another body of the same size,
  double shift[3];  // moved by this
} lattice_trial_def;

typedef struct lattice_trial {
  mote_lattice_solver *solver;
  size_t count, first;  // first: of the second body
  double *rest, *x, *v, *force;
  const double *mass;
  double edge;
} lattice_trial;

bool lattice_trial_open(validation *v, const lattice_trial_def *def, lattice_trial *out);
void lattice_trial_close(lattice_trial *t);

double lattice_trial_random(uint64_t stream, uint64_t index);  // from -1 to 1
// Moves every particle by up to `by` D.
void lattice_trial_shake(lattice_trial *t, int dimensions, double by, uint64_t stream);
double lattice_trial_kinetic(const lattice_trial *t);
double lattice_trial_energy(lattice_trial *t);  // kinetic and stored
// Length of the sum of m a (mass null: of a), and of x cross it about the first particle, over the sum of
// lengths and D.
void lattice_trial_sums(const lattice_trial *t, const double *a, bool weighted, double sums[2]);
// Damped steps until nothing moves.
void lattice_trial_relax(validation *v, lattice_trial *t, int rounds);

#endif
