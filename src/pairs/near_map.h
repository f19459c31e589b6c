// A bitmap of the cells that may have samples within a radius: particles far from all walls cost one lookup
// each.
#ifndef MOTE_NEAR_MAP_H
#define MOTE_NEAR_MAP_H

#include "base/memory.h"
#include "search/domain.h"

typedef struct mote_near_map {
  mote_domain domain;
  double low[3], per_length[3];
  int64_t cells[3];
  uint64_t *bits;
  size_t capacity;  // words
} mote_near_map;

// Marks all cells that may hold a point within `radius` of one of the samples. Memory is kept between calls.
mote_result mote_near_map_build(mote_near_map *map, const mote_env *env, const mote_domain *domain,
                                double radius, const double *position, size_t count, mote_error *error);
void mote_near_map_destroy(mote_near_map *map, const mote_env *env);

// False: no sample is within the radius of x.
bool mote_near_map_has(const mote_near_map *map, const double *x);

#endif
