// Implicit steps of an elastic body, for steps that no explicit one could take: Newton's method on the step's
// energy, conjugate gradients on its stiffness, a sparse Cholesky factor before them.
// Theory: docs/theory/solids.md
#ifndef MOTE_ELASTIC_IMPLICIT_H
#define MOTE_ELASTIC_IMPLICIT_H

#include <mote/elastic.h>

#endif
