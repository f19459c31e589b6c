// The shift of one particle: shifting.h, shift.h.
#ifndef MOTE_SHIFTING_ROW_H
#define MOTE_SHIFTING_ROW_H

#include "rows/mark_row.h"
#include "rows/pair_lanes.h"

typedef struct mote_shifting_view {
  mote_pair_view pairs;
  MOTE_GLOBAL const float *volume, *gradient, *wall, *pressure, *rest_density;
  MOTE_GLOBAL const mote_flow *velocity;
  MOTE_GLOBAL const uint8_t *mark;
  MOTE_GLOBAL const float *filled_volume;  // V min(D, 1); one more, the dummy's
  MOTE_GLOBAL float *motion;               // m/s
  float most, per_dt;                      // DIFFUSIVITY_MAX d^2
} mote_shifting_view;

// The largest difference of velocity to a neighbour.
static inline float mote_largest_difference(const mote_shifting_view *v, size_t i) {
  MOTE_GLOBAL const float *own = v->velocity[i].u;
  mote_lane zero = mote_lane_splat(0.0f), most = zero;
  for (mote_groups g = mote_pair_groups(&v->pairs, i); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    MOTE_GLOBAL const uint32_t *index = v->pairs.lanes[g.at].index;
    mote_lane u[4], square = zero;
    for (int k = 0; k < MOTE_LANES; ++k) {
      size_t j = index[k] < v->pairs.rows ? index[k] : i;  // the dummy has no velocity
      u[k] = mote_lane_load(v->velocity[j].u);
    }
    mote_lane_transpose(&u[0], &u[1], &u[2], &u[3]);
    for (int a = 0; a < 3; ++a) square += (own[a] - u[a]) * (own[a] - u[a]);
    most = mote_lane_max(most, square);
  }
  return sqrtf(fmaxf(fmaxf(most[0], most[2]), fmaxf(most[1], most[3])));
}

// Negative pressure makes particles clump, in a time d/v with v = sqrt(-p/rho) (docs/theory/fluids.md).
static inline float mote_tension_speed(const mote_shifting_view *v, size_t i) {
  return v->pressure[i] < 0.0f ? sqrtf(-v->pressure[i] / v->rest_density[i]) : 0.0f;
}

// Removes the part of the motion normal to the surface. The normal is the gradient of the densities, which
// are lower there.
static inline void mote_keep_along(const mote_shifting_view *v, size_t i) {
  MOTE_GLOBAL float *m = v->motion + 3 * i;
  float n[3], square = 0.0f, along = 0.0f, D = v->filled_volume[i] / v->volume[i];
  mote_pair_lanes_gradient_sum(&v->pairs, i, v->filled_volume, n);
  for (int a = 0; a < 3; ++a) {
    n[a] -= D * v->gradient[3 * i + (size_t)a];
    square += n[a] * n[a];
    along += n[a] * m[a];
  }
  for (int a = 0; a < 3; ++a) m[a] = square > 0.0f ? m[a] - along / square * n[a] : 0.0f;
}

// `strength`: S dt R.
static inline void mote_shifting_row(const mote_shifting_view *v, size_t i, float strength) {
  float speed = fmaxf(mote_largest_difference(v, i), mote_tension_speed(v, i));
  float diffusivity = v->mark[i] == MOTE_MARK_SURFACE ? 0.0f : strength * speed;
  if (diffusivity > v->most) diffusivity = v->most;
  for (size_t k = 3 * i; k < 3 * i + 3; ++k)
    v->motion[k] = -diffusivity * v->per_dt * (v->gradient[k] + v->wall[k]);
  if (v->mark[i] == MOTE_MARK_NEAR) mote_keep_along(v, i);
}

// Writes the shift s, limited to `most`, and the velocity v plus it. Reads everything before writing: clang
// 14 wrongly vectorises a loop that reads after writing.
static inline void mote_shift_give_row(MOTE_GLOBAL float *shift, MOTE_GLOBAL float *velocity, float most,
                                       const float s[3], const float v[3]) {
  float square = s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
  float scale = square > most * most ? most / sqrtf(square) : 1.0f;
  for (int k = 0; k < 3; ++k) {
    float cut = s[k] * scale;
    shift[k] = cut;
    velocity[k] = v[k] + cut;
  }
}

#endif
