// Whose rates of compression are corrected: consistent.h.
#ifndef MOTE_CONSISTENT_ROW_H
#define MOTE_CONSISTENT_ROW_H

#include "rows/moments_row.h"

typedef struct mote_consistent_view {
  mote_pair_view pairs;
  MOTE_GLOBAL const float *relative;
  MOTE_GLOBAL const float *free_surface_ghosts;  // null: none
  MOTE_GLOBAL const mote_gradient_fix *linear;
  MOTE_GLOBAL mote_gradient_fix *corrected;
  float one_sided;  // D, below which a neighbourhood is cut off
  bool drawn;       // by surface tension
} mote_consistent_view;

static inline bool mote_is_one_sided(const mote_consistent_view *v, size_t i) {
  float ghosts = v->free_surface_ghosts != NULL ? v->free_surface_ghosts[i] : 0.0f;
  return v->relative[i] - ghosts < v->one_sided;
}

// Surface tension draws the rows of a surface together, and needs rates that include this.
static inline bool mote_has_drawn_neighbour(const mote_consistent_view *v, size_t i) {
  for (mote_groups g = mote_pair_groups(&v->pairs, i); g.at < g.end && v->drawn; g.at += MOTE_GROUP_STRIDE) {
    MOTE_GLOBAL const uint32_t *j = v->pairs.lanes[g.at].index;
    for (int k = 0; k < MOTE_LANES; ++k) {
      if (j[k] < v->pairs.rows && mote_is_one_sided(v, j[k])) return true;
    }
  }
  return false;
}

static inline void mote_consistent_row(const mote_consistent_view *v, size_t i) {
  bool plain = mote_is_one_sided(v, i) || mote_has_drawn_neighbour(v, i);
  v->corrected[i] = plain ? mote_gradient_identity() : v->linear[i];
}

// Beside walls, where samples do not move as the linear field does: the particle of row n.
static inline void mote_wall_consistent_row(const mote_consistent_view *v, const mote_wall_pairs *w,
                                            size_t n) {
  if (w->sample_neighbours.number[n] > 0) v->corrected[w->index[n]] = mote_gradient_identity();
}

#endif
