// Resampling of an elastic body whose particles have lost neighbours to cracks, EG09 (71): a particle becomes
// 2^dimensions of half its spacing and support. See mote/fracture.h; here are the parts that worlds need
// besides. Functions here do not check arguments. Theory: docs/theory/fragments.md, "Resampling"
#ifndef MOTE_ELASTIC_SPLIT_H
#define MOTE_ELASTIC_SPLIT_H

#include <mote/fracture.h>

#include "elastic/elastic_body.h"

// The number of each particle's piece, a connected component of the neighbours. Returns the number of pieces.
size_t mote_elastic_pieces(const mote_elastic *body, uint32_t *piece);

// Displacement gradients, nine each: of the fits, and of loose particles those of a rotation that fits their
// neighbours best, so that their parts lie as they do.
mote_result mote_elastic_split_gradients(mote_elastic *body, const double *position, double *gradient,
                                         mote_error *error);

#endif
