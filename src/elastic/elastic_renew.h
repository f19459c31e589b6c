// A new reference after large plastic flow, EG09 7.3: see mote/elastic.h. Functions here do not check
// arguments. Theory: docs/theory/elastic.md, "Another reference"
#ifndef MOTE_ELASTIC_RENEW_H
#define MOTE_ELASTIC_RENEW_H

#include "elastic/elastic_body.h"

// Input of a body with a new reference.
typedef struct mote_elastic_origin {
  const mote_elastic *rest;  // the original body
  const double *position;    // of its particles in the new reference
  const double *metric;
} mote_elastic_origin;

// elastic_build.c: creates the body, with masses, volumes and constants of the original; allocates the pairs,
// whose counts are in first[i + 1], with factors if requested.
mote_result mote_elastic_create_again(const mote_elastic_origin *origin, mote_elastic **out,
                                      mote_error *error);
mote_result mote_elastic_reserve_pairs(mote_elastic *body, bool factors, mote_error *error);

// elastic_renew_neighbours.c: finds the pairs. Neighbours are particles close in the metric that were
// neighbours at rest, or shared a neighbour with little detour: parts of a body that come to lie side by side
// do not become neighbours. Pairs keep their factor; others have the largest product of factors by a common
// neighbour.
mote_result mote_elastic_renew_neighbours(mote_elastic *body, const mote_elastic_def *def,
                                          const mote_elastic_origin *origin, mote_error *error);

#endif
