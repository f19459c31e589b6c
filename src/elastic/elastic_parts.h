// An elastic body whose particles are parts of those of another.
#ifndef MOTE_ELASTIC_PARTS_H
#define MOTE_ELASTIC_PARTS_H

#include "elastic/elastic_body.h"

// Particles of a first body in parts: the original particle of each, and the number of halvings.
typedef struct mote_elastic_parts {
  const mote_elastic *first;
  size_t count;
  const double *rest;
  const uint32_t *from;     // row of `first` for each
  const uint8_t *halvings;  // of its spacing and support
} mote_elastic_parts;

// A body of parts, before any crack: the volumes are the first body's over powers of two, so that masses are
// conserved to the bit in any order. path_length and the members for faces of `more` are those that the first
// body was created with.
mote_result mote_elastic_create_parts(const mote_elastic_parts *parts, const mote_elastic_def *more,
                                      mote_elastic **out, mote_error *error);

#endif
