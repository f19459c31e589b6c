// Resampling of an elastic body whose particles have lost neighbours to cracks, EG09 (71): a particle becomes
// 2^dimensions of half its spacing and support. See mote/fracture.h; here are the parts that worlds need
// besides. Functions here do not check arguments. Theory: docs/theory/fragments.md, "Resampling"
#ifndef MOTE_ELASTIC_SPLIT_H
#define MOTE_ELASTIC_SPLIT_H

#include <mote/fracture.h>

#include "elastic/elastic_body.h"

// The number of each particle's piece: particles that neighbours join. Returns how many pieces there are.
size_t mote_elastic_pieces(const mote_elastic *body, uint32_t *piece);

// Displacement gradients, nine each: of the fits, and of loose particles those of a rotation that fits their
// neighbours best, so that their parts lie as they do.
mote_result mote_elastic_split_gradients(mote_elastic *body, const double *position, double *gradient,
                                         mote_error *error);

// Particles of a first body in parts: its whole, what they come from, and how often they were halved.
typedef struct mote_elastic_parts {
  const mote_elastic *first;
  size_t count;
  const double *rest;
  const uint32_t *from;     // row of `first` for each
  const uint8_t *halvings;  // of its spacing and support
} mote_elastic_parts;

// elastic_build.c: a body of parts, before any crack: the volumes are the first body's over powers of two, so
// that masses are kept to the bit at any order. path_length and the members for faces of `more` are those
// that the first body was created with.
mote_result mote_elastic_create_parts(const mote_elastic_parts *parts, const mote_elastic_def *more,
                                      mote_elastic **out, mote_error *error);

#endif
