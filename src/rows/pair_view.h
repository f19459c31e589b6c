// Pairs of fluid particles as rows read them: neighbours in groups of four lanes, and positions in fixed
// point.
//
// Along an open axis the unit is 2^-24 of the support radius, along a periodic one 2^-32 of the period;
// coordinates are kept modulo 2^32. The difference of two, read as a signed integer, is then the difference
// to the nearest image, exact for all pairs within the support and independent of the world's distance from
// the origin.
#ifndef MOTE_PAIR_VIEW_H
#define MOTE_PAIR_VIEW_H

#include "rows/kernel_lane.h"

typedef struct mote_fixed_position {
  uint32_t x[3];
  float volume;
} mote_fixed_position;

// Four neighbours of one particle. Where a list ends, the index is that of the dummy (the number of
// particles), whose volume is zero.
typedef struct mote_pair_lanes {
  uint32_t index[MOTE_LANES];
} mote_pair_lanes;

// The kernel and the units, ready for pair loops.
typedef struct mote_pair_scale {
  int kind;       // mote_kernel_kind
  float unit[3];  // m; 0 beyond the dimensions
  float inverse;  // 1/R
  float value;    // W = value P(q)
  float slope;    // grad W = slope P'(q)/q x_ij
} mote_pair_scale;

// Neighbours of all particles, or of samples among themselves. A thread's chunk reads a copy of its own:
// the compiler then knows that stores do not change it.
typedef struct mote_pair_view {
  mote_pair_scale scale;
  size_t rows;
  MOTE_GLOBAL mote_fixed_position *fixed_position;  // and the dummy's
  MOTE_GLOBAL uint32_t *first, *number;             // of the groups of each row
  MOTE_GLOBAL mote_pair_lanes *lanes;
  MOTE_GLOBAL float *gradient_factor;  // c of grad W_ij = c x_ij, of each pair; null: not kept
} mote_pair_view;

// The groups of a row, `at` to `end`, MOTE_GROUP_STRIDE apart. Nothing else says where they lie.
#define MOTE_GROUP_STRIDE 1
typedef struct mote_groups {
  size_t at, end;
} mote_groups;

static inline mote_groups mote_groups_of(MOTE_GLOBAL const uint32_t *first,
                                         MOTE_GLOBAL const uint32_t *number, size_t i) {
  return (mote_groups){first[i], (size_t)first[i] + number[i]};
}

static inline mote_groups mote_pair_groups(const mote_pair_view *v, size_t i) {
  return mote_groups_of(v->first, v->number, i);
}

// --- Positions -------------------------------------------------------------------------------------------

typedef uint32_t mote_lane_index __attribute__((vector_size(16)));

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
                                         MOTE_GLOBAL const mote_fixed_position *fixed_position,
                                         MOTE_GLOBAL const uint32_t *index) {
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

// W(0).
static inline float mote_pairs_self(const mote_pair_scale *scale) {
  return scale->value * mote_shape_lane_value(scale->kind, mote_lane_splat(0.0f))[0];
}

// c of grad W = c x_ij.
static inline mote_lane mote_pairs_gradient_factor(const mote_pair_scale *scale, const mote_pairs *p) {
  return scale->slope * mote_shape_lane_gradient_factor(scale->kind, p->q);
}

// W''.
static inline mote_lane mote_pairs_second(const mote_pair_scale *scale, const mote_pairs *p) {
  return scale->slope * mote_shape_lane_second(scale->kind, p->q);
}

// The pairs of group g.
static inline mote_pairs mote_pair_lanes_load(const mote_pair_view *v, size_t i, size_t g) {
  mote_fixed_position own = v->fixed_position[i];
  return mote_pairs_load(&v->scale, &own, v->fixed_position, v->lanes[g].index);
}

static inline mote_lane mote_pair_lanes_gradient_factor(const mote_pair_view *v, size_t g,
                                                        const mote_pairs *p) {
  return v->gradient_factor != NULL ? mote_lane_load(v->gradient_factor + MOTE_LANES * g)
                                    : mote_pairs_gradient_factor(&v->scale, p);
}

static inline mote_lane mote_pair_lanes_factor(const mote_pair_view *v, size_t i, size_t g) {
  if (v->gradient_factor != NULL) return mote_lane_load(v->gradient_factor + MOTE_LANES * g);
  mote_pairs p = mote_pair_lanes_load(v, i, g);
  return mote_pairs_gradient_factor(&v->scale, &p);
}

// x_ij of one pair in fixed-point units; the fourth lane is meaningless.
static inline mote_lane mote_fixed_offset(mote_lane_index own, MOTE_GLOBAL const mote_fixed_position *j) {
  return __builtin_convertvector((mote_lane_mask)(own - (mote_lane_index)mote_lane_load(j)), mote_lane);
}

#endif
