// Connected components with a second, longer distance for points that have few neighbours.
#ifndef MOTE_COMPONENTS_H
#define MOTE_COMPONENTS_H

#include <mote/search.h>

// Points within `distance` are linked; so are two within sparse_distance of which each has at most
// sparse_neighbours within `distance`: a stretched film stays connected, while two bodies, whose
// particles have many neighbours, stay separate. sparse_distance 0: no such links.
typedef struct mote_link_rule {
  double distance, sparse_distance;
  uint32_t sparse_neighbours;
} mote_link_rule;

// As mote_components.
mote_result mote_components_linked(const mote_domain *domain, const double *position, size_t count,
                                   const mote_link_rule *rule, const mote_env *env, uint32_t *label,
                                   size_t *components, mote_error *error);

#endif
