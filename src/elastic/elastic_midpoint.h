// The midpoint rule with the mean of the strains at both ends of a step in place of the strain at its middle,
// which a turning body does not have: keeps energy besides both momenta (Simo & Tarnow 1992). For
// Saint-Venant-Kirchhoff. Theory: docs/theory/solids.md
#ifndef MOTE_ELASTIC_MIDPOINT_H
#define MOTE_ELASTIC_MIDPOINT_H

#include "elastic/elastic_group.h"

typedef struct mote_elastic_midpoint {
  const mote_elastic_group *group;  // null: not in use
  double *start;                    // displacement gradients when the step begins
  double *more;                     // what the strains seen from the middle lack to the mean of both ends,
  double *before;                   // and those of the beginning as they are seen from there
} mote_elastic_midpoint;

// Bodies of other laws are seen as they are.
mote_result mote_elastic_midpoint_init(mote_elastic_midpoint *m, const mote_elastic_group *group,
                                       mote_arena *memory, mote_error *error);
// A step begins at these positions.
void mote_elastic_midpoint_begin(mote_elastic_midpoint *m, const double *position);
// Seen from the middle x: what strains lack, and those of the beginning, into `at`.
void mote_elastic_midpoint_see(mote_elastic_midpoint *m, const double *before, const double *x,
                               mote_elastic_motion *at);

#endif
