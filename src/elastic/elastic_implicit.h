// Implicit steps of elastic bodies, beyond the stability limit of explicit ones: Newton's method on the
// energy of the step, conjugate gradients on its stiffness, preconditioned by a sparse Cholesky factor.
// Theory: docs/theory/elastic.md
#ifndef MOTE_ELASTIC_IMPLICIT_H
#define MOTE_ELASTIC_IMPLICIT_H

#include "elastic/elastic_body.h"

// For bodies with contiguous particles in all arrays: one system for all, so that they may be in contact.
// With motion->external a step is a whole tick.
mote_result mote_elastic_implicit_create_group(const mote_elastic_implicit_def *def,
                                               mote_elastic *const *body, size_t bodies,
                                               mote_elastic_implicit **out, mote_error *error);

#endif
