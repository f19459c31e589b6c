// How the neighbourhood of each particle has turned and stretched, also where a crack has left it few
// neighbours: for surfaces, which must not be drawn out by a fit that is uncertain. Theory:
// docs/theory/fragments.md, "Carried by particles"
#ifndef MOTE_ELASTIC_LOCAL_GRADIENTS_H
#define MOTE_ELASTIC_LOCAL_GRADIENTS_H

#include "elastic/elastic_body.h"

// F of each particle, nine numbers, row by row: the rotation that is nearest to the motion of its neighbours,
// and their stretch in directions in which there are enough. Exact where the motion is affine and neighbours
// are in all directions; where they are not, for rigid motion.
void mote_elastic_find_local_gradients(const mote_elastic *body, const double *position, double *gradient);

#endif
