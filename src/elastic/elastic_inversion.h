// Inverted particles of an elastic body, judged by their nearest neighbours: three of them (2D: two) that
// span a corner at rest have changed its orientation. det F of a fit does not detect this: the neighbours of
// one particle may be reversed where the mean over all is not. Theory: docs/theory/elastic.md, Folds
#ifndef MOTE_ELASTIC_INVERSION_H
#define MOTE_ELASTIC_INVERSION_H

#include "elastic/elastic_body.h"

// Number of particles with such a corner.
size_t mote_elastic_inverted(const mote_elastic *body, const double *position);

#endif
