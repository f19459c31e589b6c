// Implicit steps of an elastic body, for steps that no explicit one could take: Newton's method on the step's
// energy, conjugate gradients on its stiffness, a sparse Cholesky factor before them.
// Theory: docs/theory/solids.md
#ifndef MOTE_ELASTIC_IMPLICIT_H
#define MOTE_ELASTIC_IMPLICIT_H

#include "elastic/elastic_body.h"

// Of bodies whose particles lie one after the other in all arrays: one system for all, so that they may
// touch. With motion->external a step is the whole tick.
mote_result mote_elastic_implicit_create_group(const mote_elastic_implicit_def *def,
                                               mote_elastic *const *body, size_t bodies,
                                               mote_elastic_implicit **out, mote_error *error);

#endif
