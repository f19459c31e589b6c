// The mark of one particle at a free surface: free_surface.h.
#ifndef MOTE_MARK_ROW_H
#define MOTE_MARK_ROW_H

#include "rows/pair_view.h"

typedef enum mote_surface_mark { MOTE_MARK_INSIDE, MOTE_MARK_NEAR, MOTE_MARK_SURFACE } mote_surface_mark;

typedef struct mote_mark_view {
  mote_pair_view pairs;
  MOTE_GLOBAL const float *relative, *gradient, *wall;
  MOTE_GLOBAL uint8_t *surface, *mark;  // one more, the dummy's
  float lone, dense, slope;             // D of films and drops; D and gradient of surfaces
} mote_mark_view;

static inline bool mote_surface_row(const mote_mark_view *v, size_t i) {
  float D = v->relative[i], slope = 0.0f;
  for (size_t k = 3 * i; k < 3 * i + 3; ++k)
    slope += (v->gradient[k] + v->wall[k]) * (v->gradient[k] + v->wall[k]);
  return D < v->lone || (D < v->dense && slope > v->slope * v->slope);
}

static inline void mote_mark_row(const mote_mark_view *v, size_t i) {
  bool near = false;
  for (mote_groups g = mote_pair_groups(&v->pairs, i); g.at < g.end && !near; g.at += MOTE_GROUP_STRIDE) {
    MOTE_GLOBAL const uint32_t *j = v->pairs.lanes[g.at].index;
    near = (v->surface[j[0]] | v->surface[j[1]] | v->surface[j[2]] | v->surface[j[3]]) != 0;
  }
  v->mark[i] = (uint8_t)(v->surface[i] ? MOTE_MARK_SURFACE : near ? MOTE_MARK_NEAR : MOTE_MARK_INSIDE);
}

#endif
