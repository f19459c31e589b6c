// Rotation and stretch of each particle's neighbourhood, also where a crack has left few neighbours: for
// surfaces, which an uncertain fit must not stretch. Theory: docs/theory/fragments.md, "Carried by particles"
#ifndef MOTE_ELASTIC_LOCAL_GRADIENTS_H
#define MOTE_ELASTIC_LOCAL_GRADIENTS_H

#include "elastic/elastic_body.h"

// F of each particle, nine numbers, row by row: the rotation that is nearest to the motion of its neighbours,
// and their stretch in directions with enough neighbours. Exact for affine motion with neighbours in all
// directions, otherwise for rigid motion.
void mote_elastic_find_local_gradients(const mote_elastic *body, const double *position, double *gradient);

#endif
