// One particle in an iteration of the pressure solves of dfsph.c: projected gradients.
#ifndef MOTE_SOLVE_ROW_H
#define MOTE_SOLVE_ROW_H

#include "rows/pressure_row.h"
#include "rows/target_row.h"

// The sums of an iteration over all particles.
enum {
  MOTE_DESCENT_ERROR,  // alone in the first
  MOTE_DESCENT_LENGTH,
  MOTE_DESCENT_CURVE,
  MOTE_DESCENT_BEND,
  MOTE_DESCENT_SUMS,
};

enum { MOTE_SOLVE_DIVERGENCE, MOTE_SOLVE_DENSITY, MOTE_SOLVE_SHIFT };

typedef struct mote_solve_view {
  int kind;
  bool first;  // iteration
  float dt, omega, least;
  float correction;     // of the excess: a shift's, or that of velocities, per spacing moved
  float density_least;  // below which divergence is not meaningful
  float length;         // a
  float spacing;
  mote_pressure_view pressures;  // their changes in the last iteration
  mote_target_view target;
  MOTE_GLOBAL const float *rest_density, *wall_flow, *matrix;
  MOTE_GLOBAL const float *wall_sum;      // the samples' part of s, and of its change
  MOTE_GLOBAL const float *coupled_rate;  // of the moving samples, by bodies; null: none
  MOTE_GLOBAL float *pressure, *divergence_pressure;
  MOTE_GLOBAL float *change;           // of V P, in the last iteration
  MOTE_GLOBAL float *pressure_volume;  // V P of each particle, summed over the iterations
  MOTE_GLOBAL float *step;             // V omega / (dt^2 A_ii); 0: there is no pressure
  MOTE_GLOBAL float *left;             // c
  MOTE_GLOBAL float *altered;          // its last change
} mote_solve_view;

// V omega / (dt^2 A_ii). A_ii is bounded from below by a part of that of a full neighbourhood, since it
// vanishes without neighbours. Crowded particles take smaller steps, because all of them correct the same
// error.
static inline float mote_step_of(const mote_solve_view *s, size_t i) {
  float least = s->least / s->rest_density[i], D = s->target.relative[i], crowd = D > 1.0f ? D : 1.0f;
  float A = s->matrix[i];
  return s->pressures.volume[i] * s->omega / (s->dt * s->dt * crowd * (A > least ? A : least));
}

// Initial guess, Pa: result of the last solve of this kind. `pressure` is the sum of both kinds.
static inline float mote_first_pressure(const mote_solve_view *s, size_t i) {
  if (s->kind == MOTE_SOLVE_SHIFT) return 0.0f;
  if (s->kind == MOTE_SOLVE_DIVERGENCE) return s->divergence_pressure[i];
  float p = s->pressure[i] - s->divergence_pressure[i];
  return p > 0.0f ? p : 0.0f;
}

// Initial pressures, not yet applied to the velocities.
static inline void mote_first_row(const mote_solve_view *s, size_t i) {
  float D = s->target.relative[i];
  float own = s->target.free_surface_ghosts != NULL ? D - s->target.free_surface_ghosts[i] : D;
  bool free = s->kind == MOTE_SOLVE_DIVERGENCE && own < s->density_least;
  s->step[i] = free ? 0.0f : mote_step_of(s, i);
  s->pressure_volume[i] = free ? 0.0f : s->pressures.volume[i] * (mote_first_pressure(s, i) / (D * D));
  s->change[i] = s->pressure_volume[i];
}

// c = s of the velocities, after the initial pressures were applied: the predicted compression in dt, and
// the excess to remove.
static inline void mote_source_row(const mote_solve_view *s, size_t i) {
  MOTE_GLOBAL const float *v = s->pressures.velocity + 3 * i;
  float coming = 0.0f, D = s->target.relative[i];
  if (s->kind != MOTE_SOLVE_SHIFT) coming = s->dt * (mote_rate_row(&s->pressures, i) - s->wall_flow[i]);
  coming += s->wall_sum[i];
  float part = s->correction;
  if (s->kind != MOTE_SOLVE_SHIFT)
    part = part * s->dt * sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / s->spacing;
  s->left[i] =
      s->kind == MOTE_SOLVE_DIVERGENCE ? coming : coming + (D - mote_target_row(&s->target, i, part));
}

// c after the changes of pressure.
static inline void mote_altered_row(const mote_solve_view *s, size_t i) {
  s->altered[i] = s->dt * s->dt * mote_rate_row(&s->pressures, i) + s->wall_sum[i];
  s->left[i] += s->altered[i];
}

// The same of a sample: in the first iteration s, without an excess, and later its change.
static inline float mote_wall_left_row(const mote_solve_view *s, const mote_wall_pairs *w, size_t b) {
  if (s->first && s->kind == MOTE_SOLVE_SHIFT) return 0.0f;
  float rate = mote_wall_rate_row(s->pressures.flow, w, b);
  if (s->first) return s->dt * (w->flow[b] + rate);
  return s->dt * s->dt * (s->coupled_rate != NULL ? rate + s->coupled_rate[b] : rate);
}

// Term of the error: compression, and expansion where there is pressure. If only compression counted, too
// high pressures of the last step would remain, and water at rest would pulsate.
static inline void mote_error_row(const mote_solve_view *s, size_t i, double *term) {
  float c = s->left[i];
  bool wrong =
      (c > 0.0f) | (s->pressure_volume[i] + s->step[i] * c > 0.0f);  // half of them, in no order: no branch
  term[MOTE_DESCENT_ERROR] = wrong ? (double)fabsf(c) : 0.0;
}

// `by`: how the error of a particle has altered with the last `change` of V P, with a Jacobi step `step`.
static inline void mote_descent_add(double *term, float change, float by, float step) {
  double q = (double)change, c = (double)by, s = (double)step;
  if (q == 0.0) return;
  term[MOTE_DESCENT_LENGTH] = q * q / s;
  term[MOTE_DESCENT_CURVE] = -q * c;
  term[MOTE_DESCENT_BEND] = c * c * s;
}

static inline void mote_raise_row(const mote_solve_view *s, size_t i) {
  float raised = s->pressure_volume[i] + s->length * s->step[i] * s->left[i],
        pressure_volume = raised > 0.0f ? raised : 0.0f;
  s->change[i] = pressure_volume - s->pressure_volume[i];
  s->pressure_volume[i] = pressure_volume;
}

// The end: pressures for the next solve.
static inline void mote_keep_row(const mote_solve_view *s, size_t i) {
  float D = s->target.relative[i], p = s->pressure_volume[i] / s->pressures.volume[i] * (D * D);
  if (s->kind == MOTE_SOLVE_DENSITY) {
    s->pressure[i] = p + s->divergence_pressure[i];
  } else {
    s->pressure[i] += p - s->divergence_pressure[i];
    s->divergence_pressure[i] = p;
  }
}

#endif
