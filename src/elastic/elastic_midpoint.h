// Midpoint rule whose stress is not that of the middle of a step, which rotation distorts, but of the mean of
// the strains at its ends. Its work equals the change of stored energy: it conserves energy besides both
// momenta, for every law (Simo & Tarnow 1992, Gonzalez 2000). Theory: docs/theory/elastic.md
#ifndef MOTE_ELASTIC_MIDPOINT_H
#define MOTE_ELASTIC_MIDPOINT_H

#include "elastic/elastic_group.h"

typedef struct mote_elastic_midpoint {
  const mote_elastic_group *group;  // null: not in use
  const double *begin;              // positions at the start of the step
  double *start, *fold;             // displacement gradients, and fold_strain2, there
  double *end;                      // positions at its end
  double *more;                     // MOTE_MIDPOINT_NUMBERS of each particle
} mote_elastic_midpoint;

mote_result mote_elastic_midpoint_init(mote_elastic_midpoint *m, const mote_elastic_group *group,
                                       mote_arena *memory, mote_error *error);
// Starts a step at these positions.
void mote_elastic_midpoint_begin(mote_elastic_midpoint *m, const double *position);
// Sets at->more for the midpoint x.
void mote_elastic_midpoint_see(mote_elastic_midpoint *m, const double *before, const double *x,
                               mote_elastic_motion *at);

#endif
