// The shapes of kernel.h four at a time, in float, for the pair loops of solvers: the kernels that fluids may
// have (scene/def_check.c), cubic spline, Wendland C2 and Desbrun, in 2D and 3D; others are 0. No branches
// besides that on `kind`; zero from q = 1 on.
#ifndef MOTE_KERNEL_LANE_H
#define MOTE_KERNEL_LANE_H

#include <mote/approx.h>

#include "base/lane.h"

// P(q).
static inline mote_lane mote_shape_lane_value(mote_kernel_kind kind, mote_lane q) {
  mote_lane zero = mote_lane_splat(0.0f), t = mote_lane_max(1.0f - q, zero), outer = t + t, inner;
  switch (kind) {
    case MOTE_KERNEL_WENDLAND_C2: return (t * t) * (t * t) * (1.0f + 4.0f * q);
    case MOTE_KERNEL_DESBRUN: return 8.0f * (t * t * t);
    case MOTE_KERNEL_CUBIC_SPLINE:
      inner = mote_lane_max(1.0f - 2.0f * q, zero);
      return outer * outer * outer - 4.0f * (inner * inner * inner);
    case MOTE_KERNEL_POLY6:
    case MOTE_KERNEL_SPIKY:
    case MOTE_KERNEL_GAUSSIAN:
    case MOTE_KERNEL_SINGULAR:
    case MOTE_KERNEL_KINDS: break;
  }
  return zero;
}

// P'(q)/q. Desbrun's has no limit at q = 0; there x_ij = 0, and so is the gradient.
static inline mote_lane mote_shape_lane_gradient_factor(mote_kernel_kind kind, mote_lane q) {
  mote_lane t = mote_lane_max(1.0f - q, mote_lane_splat(0.0f));
  switch (kind) {
    case MOTE_KERNEL_WENDLAND_C2: return -20.0f * (t * t) * t;
    case MOTE_KERNEL_DESBRUN: return -24.0f * (t * t) / mote_lane_max(q, mote_lane_splat(0x1p-20f));
    case MOTE_KERNEL_CUBIC_SPLINE: return mote_lane_choose(q < 0.5f, 72.0f * q - 48.0f, -24.0f * (t * t) / q);
    case MOTE_KERNEL_POLY6:
    case MOTE_KERNEL_SPIKY:
    case MOTE_KERNEL_GAUSSIAN:
    case MOTE_KERNEL_SINGULAR:
    case MOTE_KERNEL_KINDS: break;
  }
  return mote_lane_splat(0.0f);
}

// P''(q).
static inline mote_lane mote_shape_lane_second(mote_kernel_kind kind, mote_lane q) {
  mote_lane t = mote_lane_max(1.0f - q, mote_lane_splat(0.0f));
  switch (kind) {
    case MOTE_KERNEL_WENDLAND_C2: return 20.0f * (t * t) * (4.0f * q - 1.0f);
    case MOTE_KERNEL_DESBRUN: return 48.0f * t;
    case MOTE_KERNEL_CUBIC_SPLINE: return mote_lane_choose(q < 0.5f, 144.0f * q - 48.0f, 48.0f * t);
    case MOTE_KERNEL_POLY6:
    case MOTE_KERNEL_SPIKY:
    case MOTE_KERNEL_GAUSSIAN:
    case MOTE_KERNEL_SINGULAR:
    case MOTE_KERNEL_KINDS: break;
  }
  return mote_lane_splat(0.0f);
}

#endif
