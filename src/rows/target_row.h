// Target of a particle's relative density at the end of a step. Where D > 1 a part of the excess is removed;
// where D is less than a full neighbourhood has, the deficit may be filled, except for a small slack.
// Velocities remove little of the excess, because the correction would leave particles with numerical speeds;
// shifts remove the rest (shift.h). If velocities filled the slack too, particles would sink, shifts would
// lift the excess again, and energy would enter water at rest (docs/theory/fluids.md, "DFSPH"). With
// consistent rates velocities leave a small excess to shifts in full boxes, for the same reason.
#ifndef MOTE_TARGET_ROW_H
#define MOTE_TARGET_ROW_H

#include "base/prelude.h"

// See surface_density.h: of the rows below a free surface, the first one first; the last is inside.
#define MOTE_SURFACE_ROWS 5
typedef struct mote_surface_density {
  int rows;
  float gradient[MOTE_SURFACE_ROWS], density[MOTE_SURFACE_ROWS];
} mote_surface_density;

// D where the gradient sum has this length, linear between rows. Between 1 inside and that of the first row.
static inline float mote_surface_density_at(const mote_surface_density *s, float gradient) {
  if (gradient >= s->gradient[0]) return s->density[0];
  for (int k = 1; k < s->rows; ++k) {
    if (gradient < s->gradient[k]) continue;
    float part = (gradient - s->gradient[k]) / (s->gradient[k - 1] - s->gradient[k]);
    return s->density[k] + part * (s->density[k - 1] - s->density[k]);
  }
  return 1.0f;
}

typedef struct mote_target_view {
  bool consistent;  // rates are
  mote_surface_density surface;
  MOTE_GLOBAL const float *relative, *gradient, *wall;
  MOTE_GLOBAL const float *alone, *free_surface_ghosts;  // null: none
  float left, most, slack;  // the excess that is not removed; what is at most; the deficit that is left
} mote_target_view;

// D of a full neighbourhood: 1; with consistent rates less where a free surface cuts it off.
static inline float mote_density_full_row(const mote_target_view *v, size_t i) {
  if (!v->consistent) return 1.0f;
  float sum = 0.0f;
  for (size_t k = 3 * i; k < 3 * i + 3; ++k)
    sum += (v->gradient[k] + v->wall[k]) * (v->gradient[k] + v->wall[k]);
  float T = mote_surface_density_at(&v->surface, sqrtf(sum));
  if (v->free_surface_ghosts == NULL) return T;
  T += v->free_surface_ghosts[i];
  return T < 1.0f ? T : 1.0f;
}

// `part`: of the excess. Excess by samples alone is not removed: water caught between a body and the floor
// would be expelled, and the body lifted.
static inline float mote_target_row(const mote_target_view *v, size_t i, float part) {
  float D = v->relative[i], alone = v->alone != NULL ? v->alone[i] : 0.0f, full = mote_density_full_row(v, i);
  float excess = D - (alone > 1.0f ? alone : 1.0f);
  if (excess > 0.0f) {
    excess = excess > v->left ? excess - v->left : 0.0f;
    return D - (part < 1.0f ? part : 1.0f) * (excess < v->most ? excess : v->most);
  }
  return D - full < -v->slack ? full - v->slack : D;
}

#endif
