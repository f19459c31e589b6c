// The shapes of kernel.h four at a time, in float, for the pair loops of solvers: the two kernels that
// docs/coefficients.md recommends, and that of DES96 3.2, in 2D and 3D. Without branches; zero from q = 1 on.
// Give `kind` as a constant.
#ifndef MOTE_KERNEL_LANE_H
#define MOTE_KERNEL_LANE_H

#include <mote/approx.h>

#include "base/lane.h"

// P(q): Wendland C2, Desbrun, or the cubic spline.
static inline mote_lane mote_shape_lane_value(mote_kernel_kind kind, mote_lane q) {
  mote_lane zero = mote_lane_splat(0.0f), t = mote_lane_max(1.0f - q, zero);
  if (kind == MOTE_KERNEL_WENDLAND_C2) return (t * t) * (t * t) * (1.0f + 4.0f * q);
  if (kind == MOTE_KERNEL_DESBRUN) return 8.0f * (t * t * t);
  mote_lane outer = t + t, inner = mote_lane_max(1.0f - 2.0f * q, zero);
  return outer * outer * outer - 4.0f * (inner * inner * inner);
}

// P'(q)/q. Desbrun's has no limit at 0, where x_ij is 0: the gradient is.
static inline mote_lane mote_shape_lane_pull(mote_kernel_kind kind, mote_lane q) {
  mote_lane t = mote_lane_max(1.0f - q, mote_lane_splat(0.0f));
  if (kind == MOTE_KERNEL_WENDLAND_C2) return -20.0f * (t * t) * t;
  if (kind == MOTE_KERNEL_DESBRUN) return -24.0f * (t * t) / mote_lane_max(q, mote_lane_splat(0x1p-20f));
  return mote_lane_choose(q < 0.5f, 72.0f * q - 48.0f, -24.0f * (t * t) / q);
}

// P''(q).
static inline mote_lane mote_shape_lane_bend(mote_kernel_kind kind, mote_lane q) {
  mote_lane t = mote_lane_max(1.0f - q, mote_lane_splat(0.0f));
  if (kind == MOTE_KERNEL_WENDLAND_C2) return 20.0f * (t * t) * (4.0f * q - 1.0f);
  return mote_lane_choose(q < 0.5f, 144.0f * q - 48.0f, 48.0f * t);
}

#endif
