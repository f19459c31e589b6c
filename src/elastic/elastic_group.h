// Elastic bodies that are stepped together because they may be in contact: their particles are contiguous in
// all arrays. The functions of elastic_body.h for all of them. Theory: docs/theory/elastic.md
#ifndef MOTE_ELASTIC_GROUP_H
#define MOTE_ELASTIC_GROUP_H

#include "elastic/elastic_body.h"

typedef struct mote_elastic_group {
  mote_elastic **body;
  size_t *start;  // first particle of each, and the total
  size_t bodies, count;
  double *mass;
  int threads;
  const bool *still;  // bodies that the functions below skip; null: none
} mote_elastic_group;

// The bodies must outlive it; memory is the arena's.
mote_result mote_elastic_group_make(mote_elastic *const *body, size_t bodies, mote_arena *memory,
                                    mote_elastic_group *out, mote_error *error);

static inline bool mote_elastic_group_moves(const mote_elastic_group *group, size_t k) {
  return group->still == NULL || !group->still[k];
}

// The motion of body k.
mote_elastic_motion mote_elastic_group_part(const mote_elastic_group *group,
                                            const mote_elastic_motion *motion, size_t k);

// Without the contribution of motion->external.
void mote_elastic_group_forces(const mote_elastic_group *group, const mote_elastic_motion *motion,
                               double *force);
double mote_elastic_group_energy(const mote_elastic_group *group, const mote_elastic_motion *motion);
void mote_elastic_group_strains(const mote_elastic_group *group, const double *position, double *strain);

#endif
