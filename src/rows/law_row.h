// Pressure of one particle and of one wall sample from density: wcsph.h.
#ifndef MOTE_LAW_ROW_H
#define MOTE_LAW_ROW_H

#include "material/state_law.h"
#include "rows/pressure_row.h"

typedef struct mote_law_view {
  mote_fluid_law law;
  double bulk, support;  // bulk viscosity over rho h c, h half the support in m
  float gravity[3];
  MOTE_GLOBAL const float *rest_density, *volume, *relative;
  MOTE_GLOBAL const float *compression;  // D - 1 where densities are followed, else null
  MOTE_GLOBAL const float *stiffness;    // K of a law of its own, 0: none; null: all have none
  MOTE_GLOBAL const mote_flow *flow;     // V v; and 0 for the dummy
  MOTE_GLOBAL float *pressure, *pressure_volume;
} mote_law_view;

// Constants of a material.
typedef struct mote_law_material {
  double rho0, c, K;
} mote_law_material;

// That of a rest density; `m` is what the row before had.
static inline mote_law_material mote_law_material_of(const mote_law_view *v, mote_law_material m,
                                                     double rho0) {
  if (rho0 == m.rho0) return m;
  double c = mote_law_sound(&v->law, 0.0, rho0);
  return (mote_law_material){rho0, c, mote_law_stiffness(rho0, c, v->law.exponent)};
}

// p plus the pressure of a bulk viscosity where p acts: damps sound waves but neither shear nor vortices.
static inline float mote_law_damped(const mote_law_view *v, const mote_law_material *m, double p,
                                    float rate) {
  bool keeps_negative = v->law.zeta > 0.0;
  if (!(p > 0.0) && !keeps_negative) return (float)p;
  p += m->rho0 * (v->bulk * m->c * 0.5 * v->support) * (double)rate;
  return p > 0.0 || keeps_negative ? (float)p : 0.0f;
}

static inline double mote_own_stiffness(const mote_law_view *v, size_t i) {
  return v->stiffness != NULL ? (double)v->stiffness[i] : 0.0;
}

// Of a followed density.
static inline void mote_state_row(const mote_law_view *v, const mote_law_material *m, size_t i) {
  v->pressure[i] = (float)mote_law_pressure(&v->law, m->K, (double)(1.0f + v->compression[i]));
}

// `rate`: of compression.
static inline void mote_law_row(const mote_law_view *v, const mote_law_material *m, size_t i, float rate) {
  double K = mote_own_stiffness(v, i);
  float D = v->compression != NULL ? 1.0f + v->compression[i] : v->relative[i];
  v->pressure[i] = K > 0.0 ? (float)mote_law_cohesive(K, (double)D)
                           : mote_law_damped(v, m, mote_law_pressure(&v->law, m->K, (double)D), rate);
  v->pressure_volume[i] = v->volume[i] * (v->pressure[i] / (D * D));
}

// V P of a sample from its own density, by the law (DES96 (6)) of the neighbouring material.
static inline float mote_cohesive_pressure_volume(const mote_wall_pairs *w, size_t b) {
  float D = w->relative[b], p = (float)mote_law_cohesive((double)w->stiffness[b], (double)D);
  return p > 0.0f ? w->volume[b] * (p / (D * D)) : 0.0f;
}

// V P of a sample. Wall pressures are not negative. Where densities are followed, walls have the pressure of
// neighbouring particles plus the hydrostatic part (Adami, Hu & Adams 2012); else that of their own density.
static inline float mote_wall_law_row(const mote_law_view *v, const mote_wall_pairs *w, size_t b) {
  double rho0 = (double)w->rest_density[b], p, D = (double)w->relative[b];
  if (!(rho0 > 0.0)) return 0.0f;
  if (w->stiffness != NULL && w->stiffness[b] > 0.0f) return mote_cohesive_pressure_volume(w, b);
  mote_law_material none = {0.0, 0.0, 0.0}, m = mote_law_material_of(v, none, rho0);
  if (v->compression != NULL) {
    MOTE_GLOBAL const float *lever = w->lever + 3 * b;
    const float *g = v->gravity;
    p = (double)(w->pressure[b] + (g[0] * lever[0] + g[1] * lever[1] + g[2] * lever[2]));
    D = 1.0;
  } else {
    p = mote_law_pressure(&v->law, m.K, D);
  }
  float damped = mote_law_damped(v, &m, p, w->flow[b] + mote_wall_rate_row(v->flow, w, b));
  return damped > 0.0f ? w->volume[b] * (damped / (float)(D * D)) : 0.0f;
}

#endif
