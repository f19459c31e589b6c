// Disjoint sets of numbers (union-find): each number has a parent, roots are their own. The root of a set is
// its lowest number, whatever the order of the unions. Paths are halved while they are followed.
#ifndef MOTE_SETS_H
#define MOTE_SETS_H

#include <stdint.h>

static inline uint32_t mote_set_root(uint32_t *parent, uint32_t k) {
  while (parent[k] != k) k = parent[k] = parent[parent[k]];
  return k;
}

static inline void mote_set_join(uint32_t *parent, uint32_t a, uint32_t b) {
  a = mote_set_root(parent, a), b = mote_set_root(parent, b);
  parent[a > b ? a : b] = a > b ? b : a;
}

#endif
