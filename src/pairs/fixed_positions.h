// Positions in fixed point, and pairs in groups of four lanes: the common base of the loops over
// neighbours.
//
// Along an open axis the unit is 2^-24 of the support radius, along a periodic one 2^-32 of the period;
// coordinates are kept modulo 2^32. The difference of two, read as a signed integer, is then the difference
// to the nearest image, exact for all pairs within the support and independent of the world's distance from
// the origin.
#ifndef MOTE_FIXED_POSITIONS_H
#define MOTE_FIXED_POSITIONS_H

#include "approx/kernel_lane.h"
#include "pairs/fluid.h"
#include "search/space.h"

typedef uint32_t mote_lane_index __attribute__((vector_size(16)));

// The kernel and the units, ready for pair loops.
typedef struct mote_pair_scale {
  mote_kernel_kind kind;
  double per_length[3], low[3];
  bool periodic[3];
  float unit[3];  // m; 0 beyond the dimensions
  float inverse;  // 1/R
  float value;    // W = value P(q)
  float slope;    // grad W = slope P'(q)/q x_ij
} mote_pair_scale;

static inline mote_pair_scale mote_pair_scale_make(const mote_fluid *fluid) {
  const mote_domain *domain = &fluid->domain;
  double support = fluid->support, scale = fluid->kernel.scale;
  mote_pair_scale s = {.kind = fluid->kernel.kind,
                       .inverse = (float)(1.0 / support),
                       .value = (float)scale,
                       .slope = (float)(scale / (support * support))};
  for (int a = 0; a < domain->dimensions; ++a) {
    double period = domain->high[a] - domain->low[a];
    s.periodic[a] = domain->periodic[a];
    s.low[a] = s.periodic[a] ? domain->low[a] : 0.0;
    s.per_length[a] = s.periodic[a] ? 1.0 / period : 0x1p24 / support;
    s.unit[a] = (float)(s.periodic[a] ? period * 0x1p-32 : support * 0x1p-24);
  }
  return s;
}

static inline uint32_t mote_fixed_position_along(const mote_pair_scale *scale, int axis, double x) {
  if (scale->unit[axis] == 0.0f) return 0;
  double u = (x - scale->low[axis]) * scale->per_length[axis];
  if (scale->periodic[axis]) return (uint32_t)(uint64_t)((u - floor(u)) * 0x1p32);
  // Farther away doubles are wider apart than the support: neighbours then have equal coordinates.
  if (!(u < 0x1p62 && u > -0x1p62)) return 0;
  return (uint32_t)(uint64_t)mote_floor(u);
}

static inline mote_fixed_position mote_fixed_position_make(const mote_pair_scale *scale, const double *x,
                                                           float volume) {
  mote_fixed_position fixed_position = {.volume = volume};
  for (int a = 0; a < 3; ++a) fixed_position.x[a] = mote_fixed_position_along(scale, a, x[a]);
  return fixed_position;
}

// Four neighbours of one target.
typedef struct mote_pairs {
  mote_lane x[3];  // x_ij
  mote_lane volume;
  mote_lane q;  // |x_ij| / R
} mote_pairs;

static inline mote_lane mote_fixed_difference(uint32_t xi, mote_lane xj, float unit) {
  mote_lane_mask difference = (mote_lane_mask)(xi - (mote_lane_index)xj);
  return __builtin_convertvector(difference, mote_lane) * unit;
}

static inline mote_pairs mote_pairs_load(const mote_pair_scale *scale, const mote_fixed_position *target,
                                         const mote_fixed_position *fixed_position, const uint32_t *index) {
  mote_lane x = mote_lane_load(fixed_position + index[0]), y = mote_lane_load(fixed_position + index[1]),
            z = mote_lane_load(fixed_position + index[2]), volume = mote_lane_load(fixed_position + index[3]);
  mote_lane_transpose(&x, &y, &z, &volume);
  mote_pairs p = {.volume = volume};
  p.x[0] = mote_fixed_difference(target->x[0], x, scale->unit[0]);
  p.x[1] = mote_fixed_difference(target->x[1], y, scale->unit[1]);
  p.x[2] = mote_fixed_difference(target->x[2], z, scale->unit[2]);
  p.q = mote_lane_sqrt(p.x[0] * p.x[0] + p.x[1] * p.x[1] + p.x[2] * p.x[2]) * scale->inverse;
  return p;
}

static inline mote_lane mote_pairs_value(const mote_pair_scale *scale, const mote_pairs *p) {
  return scale->value * mote_shape_lane_value(scale->kind, p->q);
}

// c of grad W = c x_ij.
static inline mote_lane mote_pairs_gradient_factor(const mote_pair_scale *scale, const mote_pairs *p) {
  return scale->slope * mote_shape_lane_gradient_factor(scale->kind, p->q);
}

// W''.
static inline mote_lane mote_pairs_second(const mote_pair_scale *scale, const mote_pairs *p) {
  return scale->slope * mote_shape_lane_second(scale->kind, p->q);
}

#endif
