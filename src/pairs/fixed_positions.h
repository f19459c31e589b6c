// Positions in fixed point (rows/pair_view.h): their units, and theirs from doubles.
#ifndef MOTE_FIXED_POSITIONS_H
#define MOTE_FIXED_POSITIONS_H

#include "pairs/fluid.h"
#include "search/space.h"

_Static_assert(MOTE_LANE_CUBIC_SPLINE == (int)MOTE_KERNEL_CUBIC_SPLINE &&
                   MOTE_LANE_DESBRUN == (int)MOTE_KERNEL_DESBRUN &&
                   MOTE_LANE_WENDLAND_C2 == (int)MOTE_KERNEL_WENDLAND_C2,
               "the kernels of rows/kernel_lane.h");

// From positions to fixed point.
typedef struct mote_position_scale {
  double per_length[3], low[3];  // 0 beyond the dimensions
  bool periodic[3];
} mote_position_scale;

static inline mote_position_scale mote_position_scale_make(const mote_fluid *fluid) {
  const mote_domain *domain = &fluid->domain;
  mote_position_scale s = {.low = {0.0}};
  for (int a = 0; a < domain->dimensions; ++a) {
    s.periodic[a] = domain->periodic[a];
    s.low[a] = s.periodic[a] ? domain->low[a] : 0.0;
    s.per_length[a] = s.periodic[a] ? 1.0 / (domain->high[a] - domain->low[a]) : 0x1p24 / fluid->support;
  }
  return s;
}

static inline mote_pair_scale mote_pair_scale_make(const mote_fluid *fluid) {
  const mote_domain *domain = &fluid->domain;
  double support = fluid->support, scale = fluid->kernel.scale;
  mote_pair_scale s = {.kind = (int)fluid->kernel.kind,
                       .inverse = (float)(1.0 / support),
                       .value = (float)scale,
                       .slope = (float)(scale / (support * support))};
  for (int a = 0; a < domain->dimensions; ++a) {
    double period = domain->high[a] - domain->low[a];
    s.unit[a] = (float)(domain->periodic[a] ? period * 0x1p-32 : support * 0x1p-24);
  }
  return s;
}

static inline uint32_t mote_fixed_position_along(const mote_position_scale *scale, int axis, double x) {
  if (scale->per_length[axis] == 0.0) return 0;
  double u = (x - scale->low[axis]) * scale->per_length[axis];
  if (scale->periodic[axis]) return (uint32_t)(uint64_t)((u - floor(u)) * 0x1p32);
  // Farther away doubles are wider apart than the support: neighbours then have equal coordinates.
  if (!(u < 0x1p62 && u > -0x1p62)) return 0;
  return (uint32_t)(uint64_t)mote_floor(u);
}

static inline mote_fixed_position mote_fixed_position_make(const mote_position_scale *scale, const double *x,
                                                           float volume) {
  mote_fixed_position fixed_position = {.volume = volume};
  for (int a = 0; a < 3; ++a) fixed_position.x[a] = mote_fixed_position_along(scale, a, x[a]);
  return fixed_position;
}

#endif
