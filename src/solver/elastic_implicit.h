// Implicit steps of an elastic body, for steps that no explicit one could take: Newton's method on the step's
// energy, conjugate gradients on its stiffness, a sparse Cholesky factor before them.
// Theory: docs/theory/solids.md
#ifndef MOTE_ELASTIC_IMPLICIT_H
#define MOTE_ELASTIC_IMPLICIT_H

#include "solver/elastic.h"

typedef enum mote_elastic_scheme {
  MOTE_ELASTIC_EULER,     // backward Euler: first order, loses energy, never gains
  MOTE_ELASTIC_MIDPOINT,  // second order, keeps momentum and angular momentum; stiff motions ring on
} mote_elastic_scheme;

typedef struct mote_elastic_implicit_def {
  mote_elastic_scheme scheme;
  double tolerance;  // of Newton's last change of position, in supports
  int newton_max;
  double cg_tolerance;
  int cg_max;
} mote_elastic_implicit_def;

mote_elastic_implicit_def mote_elastic_implicit_def_default(void);

typedef struct mote_elastic_report {
  int newton, cg;  // iterations
  double change;   // the last, in supports
  bool converged;
} mote_elastic_report;

// Memory and factors of one body, or of several at once, which must outlive it.
typedef struct mote_elastic_implicit mote_elastic_implicit;

mote_result mote_elastic_implicit_create(const mote_elastic_implicit_def *def, mote_elastic *body,
                                         mote_elastic_implicit **out, mote_error *error);
// Of bodies whose particles lie one after the other in all arrays: one system for all, so that they may
// touch.
mote_result mote_elastic_implicit_create_group(const mote_elastic_implicit_def *def,
                                               mote_elastic *const *body, size_t bodies,
                                               mote_elastic_implicit **out, mote_error *error);
void mote_elastic_implicit_destroy(mote_elastic_implicit *solver);

// `acceleration`, of other forces, three each; null: none. With motion->touch the step is the whole tick.
// What has not converged in newton_max is taken as it is and said. NUMERIC, positions and velocities as they
// were, when something is not finite.
mote_result mote_elastic_implicit_step(mote_elastic_implicit *solver, const mote_elastic_motion *motion,
                                       const double *acceleration, double dt, mote_elastic_report *report,
                                       mote_error *error);

#endif
