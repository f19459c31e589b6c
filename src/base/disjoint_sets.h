// Disjoint sets of the numbers from 0 to count - 1 (union-find), in the caller's array: the parent of each
// number, its own where it is the root of its set. The root is the lowest number of a set, whatever the order
// of the joins.
#ifndef MOTE_DISJOINT_SETS_H
#define MOTE_DISJOINT_SETS_H

#include <stddef.h>
#include <stdint.h>

// Each number alone.
static inline void mote_sets_init(uint32_t *parent, size_t count) {
  for (size_t k = 0; k < count; ++k) parent[k] = (uint32_t)k;
}

// Paths are halved on the way: not for several threads at once.
static inline uint32_t mote_sets_root(uint32_t *parent, uint32_t k) {
  while (parent[k] != k) k = parent[k] = parent[parent[k]];
  return k;
}

static inline void mote_sets_join(uint32_t *parent, uint32_t a, uint32_t b) {
  a = mote_sets_root(parent, a), b = mote_sets_root(parent, b);
  if (a < b) parent[b] = a;
  if (b < a) parent[a] = b;
}

// Replaces parents by the numbers of their sets, which count from 0 in the order of the roots; returns how
// many sets there are.
static inline size_t mote_sets_label(uint32_t *parent, size_t count) {
  size_t sets = 0;
  for (size_t k = 0; k < count; ++k)
    parent[k] = parent[k] == k ? (uint32_t)sets++ : parent[parent[k]];  // a parent has its label before
  return sets;
}

#endif
