// Midpoint rule with the mean of the strains at both ends of a step instead of the strain at its middle,
// which rotation distorts: conserves energy besides both momenta (Simo & Tarnow 1992). For
// Saint-Venant-Kirchhoff. Theory: docs/theory/solids.md
#ifndef MOTE_ELASTIC_MIDPOINT_H
#define MOTE_ELASTIC_MIDPOINT_H

#include "elastic/elastic_group.h"

typedef struct mote_elastic_midpoint {
  const mote_elastic_group *group;  // null: not in use
  double *start;                    // displacement gradients at the start of the step
  double *more;                     // mean of the strains at both ends minus the strain at the middle
  double *before;                   // strains at the start, shifted by the same
} mote_elastic_midpoint;

// Bodies with other laws use the plain midpoint rule.
mote_result mote_elastic_midpoint_init(mote_elastic_midpoint *m, const mote_elastic_group *group,
                                       mote_arena *memory, mote_error *error);
// Starts a step at these positions.
void mote_elastic_midpoint_begin(mote_elastic_midpoint *m, const double *position);
// Sets at->more and at->before for the midpoint x.
void mote_elastic_midpoint_see(mote_elastic_midpoint *m, const double *before, const double *x,
                               mote_elastic_motion *at);

#endif
