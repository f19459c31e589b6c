// The shapes of smoothing kernels (approx/kernel.h) four at a time, in float, for the pair loops of solvers:
// the kernels that fluids may have (scene/def_check.c), cubic spline, Wendland C2 and Desbrun, in 2D and 3D;
// others are 0. No branches besides that on `kind`; zero from q = 1 on.
#ifndef MOTE_KERNEL_LANE_H
#define MOTE_KERNEL_LANE_H

#include "base/lane.h"

// Those of mote_kernel_kind: fixed_positions.h compares them.
enum { MOTE_LANE_CUBIC_SPLINE = 2, MOTE_LANE_DESBRUN = 3, MOTE_LANE_WENDLAND_C2 = 4 };

// P(q).
static inline mote_lane mote_shape_lane_value(int kind, mote_lane q) {
  mote_lane zero = mote_lane_splat(0.0f), t = mote_lane_max(1.0f - q, zero), outer = t + t, inner;
  switch (kind) {
    case MOTE_LANE_WENDLAND_C2: return (t * t) * (t * t) * (1.0f + 4.0f * q);
    case MOTE_LANE_DESBRUN: return 8.0f * (t * t * t);
    case MOTE_LANE_CUBIC_SPLINE:
      inner = mote_lane_max(1.0f - 2.0f * q, zero);
      return outer * outer * outer - 4.0f * (inner * inner * inner);
  }
  return zero;
}

// P'(q)/q. Desbrun's has no limit at q = 0; there x_ij = 0, and so is the gradient.
static inline mote_lane mote_shape_lane_gradient_factor(int kind, mote_lane q) {
  mote_lane t = mote_lane_max(1.0f - q, mote_lane_splat(0.0f));
  switch (kind) {
    case MOTE_LANE_WENDLAND_C2: return -20.0f * (t * t) * t;
    case MOTE_LANE_DESBRUN: return -24.0f * (t * t) / mote_lane_max(q, mote_lane_splat(0x1p-20f));
    case MOTE_LANE_CUBIC_SPLINE: return mote_lane_choose(q < 0.5f, 72.0f * q - 48.0f, -24.0f * (t * t) / q);
  }
  return mote_lane_splat(0.0f);
}

// P''(q).
static inline mote_lane mote_shape_lane_second(int kind, mote_lane q) {
  mote_lane t = mote_lane_max(1.0f - q, mote_lane_splat(0.0f));
  switch (kind) {
    case MOTE_LANE_WENDLAND_C2: return 20.0f * (t * t) * (4.0f * q - 1.0f);
    case MOTE_LANE_DESBRUN: return 48.0f * t;
    case MOTE_LANE_CUBIC_SPLINE: return mote_lane_choose(q < 0.5f, 144.0f * q - 48.0f, 48.0f * t);
  }
  return mote_lane_splat(0.0f);
}

#endif
