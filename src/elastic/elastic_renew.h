// What has flowed far gets another reference, EG09 7.3: see mote/elastic.h. What is here checks nothing.
// Theory: docs/theory/solids.md, "Another reference"
#ifndef MOTE_ELASTIC_RENEW_H
#define MOTE_ELASTIC_RENEW_H

#include "elastic/elastic_body.h"

// What a body with another reference is made of.
typedef struct mote_elastic_origin {
  const mote_elastic *rest;  // the body as it was at first
  const double *position;    // of its particles in the reference
  const double *metric;
} mote_elastic_origin;

// elastic_build.c: the body, which has masses, volumes and constants of that at rest; and memory for pairs,
// whose numbers are in first[i + 1].
mote_result mote_elastic_create_again(const mote_elastic_origin *origin, mote_elastic **out,
                                      mote_error *error);
mote_result mote_elastic_reserve_pairs(mote_elastic *body, mote_error *error);

// elastic_renew_neighbours.c: its pairs. Neighbours are those who are near in the metric and were neighbours
// at rest or had one in common, by whom the way is little longer: legs that come to lie side by side are
// none.
mote_result mote_elastic_join_again(mote_elastic *body, const mote_elastic_def *def,
                                    const mote_elastic_origin *origin, mote_error *error);

#endif
