// Viscosity of one particle, explicit (viscosity.c), and the viscosity of pairs, explicit and implicit
// (viscous_solve.c) alike. Force on i by j, with the gradient g = grad W_ij, which lies along x_ij, and mu_ij
// the harmonic mean, which keeps the stress continuous where two fluids meet:
//   pair      2 mu_ij V_i V_j (x_ij . g) / (r^2 + eps) v_ij
//   central   2 (d + 2) mu_ij V_i V_j (v_ij . x_ij) / l^2 g,   l^2 the mean of r^2 (packing_spectrum.h)
// Both are -(a symmetric, positive semidefinite matrix) times velocities; docs/theory/fluids.md, "Viscosity".
#ifndef MOTE_VISCOUS_ROW_H
#define MOTE_VISCOUS_ROW_H

#include "rows/strain_row.h"

typedef struct mote_viscous_law {
  bool is_central;  // the form, else pair
  float softening;  // eps, m^2
  float central;    // d + 2
  float reach;      // l^2, m^2
  // Monaghan's viscosity, DES96 (5): rho Pi = square y^2 - linear c y, y = v_ij . x_ij / (r^2 + eps).
  float linear, square;  // alpha h, beta h^2; 0: none
  float own_square;      // beta where the scene gives it, else negative: 2 of each material's own alpha
  float sound_speed;     // c
  float noise;           // alpha h of noise damping; 0: none
  float stiffness;       // gamma K, if c^2 = gamma K / rho0; else 0
  float densest;         // kg/m^3, to which sound_speed belongs; 0: to all
} mote_viscous_law;

typedef struct mote_viscous_pairs {
  mote_lane softened;  // r^2 + eps
  mote_lane square;    // divisor of the form: softened, or l^2
  mote_lane along;     // x . g, negative
} mote_viscous_pairs;

static inline mote_viscous_pairs mote_viscous_pairs_make(const mote_viscous_law *law,
                                                         mote_lane gradient_factor, const mote_pairs *p) {
  mote_lane square = p->x[0] * p->x[0] + p->x[1] * p->x[1] + p->x[2] * p->x[2];
  mote_lane softened = square + law->softening;
  return (mote_viscous_pairs){softened, law->is_central ? mote_lane_splat(law->reach) : softened,
                              gradient_factor * square};
}

// 2 mu_ij / square: the same bits for i and j; 0 without viscosity at any distance.
static inline mote_lane mote_viscous_mean(float own, mote_lane other, mote_lane square) {
  return 4.0f * own * other / ((own + other) * square + FLT_MIN);
}

typedef struct mote_viscous_view {
  mote_pair_view pairs;
  mote_viscous_law law;
  MOTE_GLOBAL const float (*record)[4];   // of each particle its velocity, and mu; one more, the dummy's
  MOTE_GLOBAL const mote_strain *strain;  // of the velocities; null: noise is not damped
  MOTE_GLOBAL const float *rest_density, *viscosity;
  MOTE_GLOBAL const float *damping, *sound;    // alpha and c of each; null: the law's
  MOTE_GLOBAL const float *wall_friction_sum;  // null: none
  MOTE_GLOBAL float *acceleration;
  float h;
  bool alike;  // all pairs have these means; central form, gradient factors are kept
  float mean, density;
} mote_viscous_view;

// The same with means of the materials' own alpha and c.
static inline mote_lane mote_own_damping(const mote_viscous_view *v, size_t i,
                                         MOTE_GLOBAL const uint32_t *index, mote_lane closing,
                                         mote_lane mass) {
  mote_lane alpha, sound;
  for (int k = 0; k < MOTE_LANES; ++k) {
    size_t j = index[k] < v->pairs.rows ? index[k] : i;
    alpha[k] = 0.5f * (v->damping[i] + v->damping[j]);
    sound[k] = 0.5f * (v->sound[i] + v->sound[j]);
  }
  mote_lane y = v->h * closing, pi = alpha * y * (2.0f * y - sound);
  if (v->law.own_square >= 0.0f) pi = y * (v->law.own_square * y - alpha * sound);
  return mote_lane_choose(closing < mote_lane_splat(0.0f), mass * pi, mote_lane_splat(0.0f));
}

// V_j rho_ij^2 Pi of DES96 (5), for pairs that approach each other. The harmonic mean of rest densities makes
// m_i m_j / rho_ij of volumes.
static inline mote_lane mote_artificial_weight(const mote_viscous_view *v, size_t i,
                                               MOTE_GLOBAL const uint32_t *index, mote_lane volume,
                                               mote_lane closing) {
  mote_lane own = mote_lane_splat(v->rest_density[i]), other;
  for (int k = 0; k < MOTE_LANES; ++k) other[k] = v->rest_density[index[k] < v->pairs.rows ? index[k] : i];
  mote_lane mean = 2.0f * own * other / (own + other);
  mote_lane sound = mote_lane_splat(v->law.sound_speed);
  if (v->law.stiffness > 0.0f) sound = mote_lane_sqrt(v->law.stiffness / mean);
  if (v->law.stiffness == 0.0f && v->law.densest > 0.0f) sound *= mote_lane_sqrt(v->law.densest / mean);
  if (v->damping != NULL) return mote_own_damping(v, i, index, closing, volume * mean);
  mote_lane pi = closing * (v->law.square * closing - v->law.linear * sound);
  return mote_lane_choose(closing < mote_lane_splat(0.0f), volume * mean * pi, mote_lane_splat(0.0f));
}

// V_j rho_ij alpha h c y, y the nonlinear part of v_ij . x_ij / (r^2 + eps).
static inline mote_lane mote_noise_weight(const mote_viscous_view *v, size_t i,
                                          MOTE_GLOBAL const uint32_t *index, const mote_pairs *p,
                                          mote_lane along, mote_lane softened, bool alike) {
  mote_lane density, sound = mote_lane_splat(v->law.sound_speed);
  mote_lane noise = mote_strain_noise(v->strain, i, index, p, along, softened, &density);
  if (alike) density = mote_lane_splat(v->density);
  if (v->law.stiffness > 0.0f) sound = mote_lane_sqrt(v->law.stiffness / density);
  return -v->law.noise * sound * density * p->volume * noise;
}

// The viscous force per volume: in the solver's form, plus Monaghan's, plus the damping of noise.
static inline __attribute__((always_inline)) void mote_viscous_sum(const mote_viscous_view *v, size_t i,
                                                                   bool central, bool artificial, bool noise,
                                                                   bool alike, float out[3]) {
  mote_lane zero = mote_lane_splat(0.0f), sum[3] = {zero, zero, zero};
  for (mote_groups g = mote_pair_groups(&v->pairs, i); g.at < g.end; g.at += MOTE_GROUP_STRIDE) {
    MOTE_GLOBAL const uint32_t *j = v->pairs.lanes[g.at].index;
    mote_pairs p = mote_pair_lanes_load(&v->pairs, i, g.at);
    mote_lane u[4], difference[3], closing = zero, along = zero;
    for (int k = 0; k < 4; ++k) u[k] = mote_lane_load(v->record[j[k]]);
    mote_lane_transpose(&u[0], &u[1], &u[2], &u[3]);
    for (int a = 0; a < 3; ++a) difference[a] = v->record[i][a] - u[a];
    mote_lane gradient_factor = alike ? mote_lane_load(v->pairs.gradient_factor + MOTE_LANES * g.at)
                                      : mote_pair_lanes_gradient_factor(&v->pairs, g.at, &p);
    mote_viscous_pairs s = mote_viscous_pairs_make(&v->law, gradient_factor, &p);
    mote_lane mean = alike ? mote_lane_splat(v->mean) : mote_viscous_mean(v->record[i][3], u[3], s.square);
    for (int a = 0; a < 3; ++a) closing += difference[a] * p.x[a];
    if (central) along = v->law.central * mean * p.volume * closing;
    if (artificial) along -= mote_artificial_weight(v, i, j, p.volume, closing / s.softened);
    if (noise) along -= mote_noise_weight(v, i, j, &p, closing, s.softened, alike);
    for (int a = 0; a < 3; ++a) {
      if (!central) sum[a] += mean * p.volume * s.along * difference[a];
      if (central || artificial || noise) sum[a] += along * (gradient_factor * p.x[a]);
    }
  }
  for (int a = 0; a < 3; ++a) out[a] = mote_lane_sum(sum[a]);
}

// The same where only the view knows which parts there are.
static inline void mote_viscous_any(const mote_viscous_view *v, size_t i, float sum[3]) {
  bool artificial = v->law.linear > 0.0f || v->law.square > 0.0f || v->damping != NULL;
  if (v->alike) {
    mote_viscous_sum(v, i, true, false, true, true, sum);
  } else if (v->strain != NULL) {
    mote_viscous_sum(v, i, v->law.is_central, artificial, true, false, sum);
  } else if (v->law.is_central) {
    mote_viscous_sum(v, i, true, artificial, false, false, sum);
  } else if (artificial) {
    mote_viscous_sum(v, i, false, true, false, false, sum);
  } else {
    mote_viscous_sum(v, i, false, false, false, false, sum);
  }
}

// Adds the acceleration by the sum and by friction of walls.
static inline void mote_viscous_row(const mote_viscous_view *v, size_t i, const float sum[3]) {
  for (size_t a = 0; a < 3; ++a) {
    float force = sum[a];
    if (v->wall_friction_sum != NULL) {
      MOTE_GLOBAL const float *friction = v->wall_friction_sum + 4 * i;
      force += 2.0f * v->viscosity[i] * (friction[3] * v->record[i][a] - friction[a]);
    }
    v->acceleration[3 * i + a] += force / v->rest_density[i];
  }
}

#endif
