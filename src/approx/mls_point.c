// Shape functions Phi_i = w_i c.p_i with M c = p(0), EG09 (29), and their true derivatives (30)-(34). The
// centre and unit of the basis are constant in differentiation, so that with c_k, c_kl the derivatives of c
//   M c    = p            Phi_i    = w s                                       s    = c.p_i
//   M c_k  = p_k  - sum t_k p_i     t_k  = w_k s                Phi_i,k  = t_k  + w s_k    s_k  = c_k.p_i
//   M c_kl = p_kl - sum t_kl p_i    t_kl = w_kl s + w_k s_l + w_l s_k   Phi_i,kl = t_kl + w s_kl
// which is (31) without forming the derivative of M or its inverse. Sums run in four lanes.
#include "approx/mls_point.h"

#include <math.h>
#include <string.h>

#include "approx/mls_gather.h"
#include "approx/mls_moments.h"
#include "base/lane.h"

#define LANES MOTE_MLS_LANES
#define BASIS MOTE_MLS_BASIS
#define PAIRS MOTE_MLS_PAIRS

// Weights that sum to less than this are those of no sample: the kernels have 1e-64 one rounding inside
// their edge.
#define LEAST_WEIGHT 1e-100  // rounding

#define SQRT2 1.41421356237309504880  // exact

// Doubles from a row of lanes to the same row of the next group.
#define GROUP_STRIDE (sizeof(mote_mls_group) / sizeof(double))

static inline double sum_lanes(mote_pair low, mote_pair high) {
  mote_pair sum = low + high;
  return sum[0] + sum[1];
}

// out[i][j] = sum over the groups of u_i v p_j. Written out, so that the eight sums stay in registers.
static void sum_tile(size_t groups, const double *u0, const double *u1, const double *v, const double *p0,
                     const double *p1, double out[2][2]) {
  mote_pair low00 = {0.0}, low01 = {0.0}, low10 = {0.0}, low11 = {0.0};
  mote_pair high00 = {0.0}, high01 = {0.0}, high10 = {0.0}, high11 = {0.0};
  for (size_t at = 0; at < groups * GROUP_STRIDE; at += GROUP_STRIDE) {
    mote_pair v_low = mote_pair_load(v + at), v_high = mote_pair_load(v + at + 2);
    mote_pair t0_low = mote_pair_load(u0 + at) * v_low, t0_high = mote_pair_load(u0 + at + 2) * v_high;
    mote_pair t1_low = mote_pair_load(u1 + at) * v_low, t1_high = mote_pair_load(u1 + at + 2) * v_high;
    mote_pair p0_low = mote_pair_load(p0 + at), p0_high = mote_pair_load(p0 + at + 2);
    mote_pair p1_low = mote_pair_load(p1 + at), p1_high = mote_pair_load(p1 + at + 2);
    low00 += t0_low * p0_low, high00 += t0_high * p0_high;
    low01 += t0_low * p1_low, high01 += t0_high * p1_high;
    low10 += t1_low * p0_low, high10 += t1_high * p0_high;
    low11 += t1_low * p1_low, high11 += t1_high * p1_high;
  }
  out[0][0] = sum_lanes(low00, high00), out[0][1] = sum_lanes(low01, high01);
  out[1][0] = sum_lanes(low10, high10), out[1][1] = sum_lanes(low11, high11);
}

// sum[j * rows + i] = sum over the samples of u_i v p_j, for `rows` rows u and the first n basis functions. u
// and v point into the first group. With `symmetric` only tiles with j <= i are filled.
static void sum_products(const mote_mls_gathered *samples, int n, int rows, const double *u, const double *v,
                         bool symmetric, double *sum) {
  const double *p = samples->groups[0].p[0];
  for (int i = 0; i < rows; i += 2) {
    int i1 = i + 1 < rows ? i + 1 : i;
    for (int j = 0; j < n && !(symmetric && j > i1); j += 2) {
      int j1 = j + 1 < n ? j + 1 : j;
      double tile[2][2];
      sum_tile(samples->count, u + i * LANES, u + i1 * LANES, v, p + j * LANES, p + j1 * LANES, tile);
      sum[j * rows + i] = tile[0][0], sum[j * rows + i1] = tile[i1 - i][0];
      sum[j1 * rows + i] = tile[0][j1 - j], sum[j1 * rows + i1] = tile[i1 - i][j1 - j];
    }
  }
}

// out = c.p, with the coefficients `stride` apart
static inline void dot(int n, const double *c, int stride, const mote_mls_group *group, double out[LANES]) {
  for (int lane = 0; lane < LANES; ++lane) out[lane] = c[0] * group->p[0][lane];
  for (int a = 1; a < n; ++a) {
    for (int lane = 0; lane < LANES; ++lane) out[lane] += c[a * stride] * group->p[a][lane];
  }
}

// EG09 (28)
static void sum_moments(const mote_mls_gathered *samples, int n, double *m) {
  const mote_mls_group *first = samples->groups;
  sum_products(samples, n, n, first->p[0], first->w, true, m);
  for (int a = 0; a < n; ++a) {
    for (int b = a + 1; b < n; ++b) m[b * n + a] = m[a * n + b];
  }
}

// The state of a point. c, ck, ckl: coefficients and their derivatives, one row per basis function, one
// column per derivative.
typedef struct point_fit {
  mote_mls_gathered samples;
  mote_mls_moments moments;
  int dimensions, derivatives;
  double c[BASIS], ck[BASIS * 3], ckl[BASIS * PAIRS];
} point_fit;

// Solves M x = x - sum t p for `columns` derivatives at once, with t = u v as in sum_products.
static void solve(const point_fit *fit, int columns, const double *u, const double *v, double *x) {
  double sum[BASIS * PAIRS];
  int n = fit->moments.size;
  sum_products(&fit->samples, n, columns, u, v, false, sum);
  for (int k = 0; k < n * columns; ++k) x[k] -= sum[k];
  mote_mls_moments_solve(&fit->moments, columns, x);
}

// c and Phi.
static void pass_values(point_fit *fit, double *value) {
  int n = fit->moments.size;
  fit->c[0] = 1.0;
  mote_mls_moments_solve(&fit->moments, 1, fit->c);
  for (size_t g = 0; g < fit->samples.count; ++g) {
    mote_mls_group *group = &fit->samples.groups[g];
    dot(n, fit->c, 1, group, group->s);
    for (int lane = 0; lane < LANES; ++lane) value[g * LANES + lane] = group->w[lane] * group->s[lane];
  }
}

// t_kl takes the place of ddw.
static void second_terms(const point_fit *fit, mote_mls_group *group, double sk[3][LANES]) {
  const mote_mls_pairs *pairs = mote_mls_pairs_of(fit->dimensions);
  for (int e = 0; e < pairs->count; ++e) {
    int k = pairs->k[e], l = pairs->l[e];
    for (int lane = 0; lane < LANES; ++lane) {
      group->ddw[e][lane] = group->ddw[e][lane] * group->s[lane] +
                            (group->dw[k][lane] * sk[l][lane] + group->dw[l][lane] * sk[k][lane]);
    }
  }
}

// c_k, the gradients of Phi, and t_kl.
static void pass_gradients(point_fit *fit, double *gradient) {
  int n = fit->moments.size, d = fit->dimensions;
  double inverse_h = 1.0 / fit->samples.h;
  for (int k = 0; k < d && n > 1; ++k) fit->ck[(1 + k) * d + k] = 1.0;
  const mote_mls_group *first = fit->samples.groups;
  solve(fit, d, first->dw[0], first->s, fit->ck);
  for (size_t g = 0; g < fit->samples.count; ++g) {
    mote_mls_group *group = &fit->samples.groups[g];
    double sk[3][LANES], *out = gradient + 3 * LANES * g;
    for (int k = 0; k < d; ++k) {
      dot(n, fit->ck + k, d, group, sk[k]);
      for (int lane = 0; lane < LANES; ++lane) {
        out[3 * lane + k] = inverse_h * (group->dw[k][lane] * group->s[lane] + group->w[lane] * sk[k][lane]);
      }
    }
    if (fit->derivatives >= 2) second_terms(fit, group, sk);
  }
}

// c_kl and the second derivatives of Phi.
static void pass_seconds(point_fit *fit, double *second) {
  const mote_mls_pairs *pairs = mote_mls_pairs_of(fit->dimensions);
  int n = fit->moments.size, d = fit->dimensions;
  double inverse_hh = 1.0 / (fit->samples.h * fit->samples.h);
  for (int e = 0; e < pairs->count && n > 1 + d; ++e) {
    fit->ckl[(1 + d + e) * pairs->count + e] = pairs->k[e] == pairs->l[e] ? SQRT2 : 1.0;
  }
  const mote_mls_group *first = fit->samples.groups;
  solve(fit, pairs->count, first->ddw[0], first->p[0], fit->ckl);  // p[0] is 1
  for (size_t g = 0; g < fit->samples.count; ++g) {
    const mote_mls_group *group = &fit->samples.groups[g];
    double *out = second + 6 * LANES * g;
    for (int e = 0; e < pairs->count; ++e) {
      double skl[LANES];
      dot(n, fit->ckl + e, pairs->count, group, skl);
      for (int lane = 0; lane < LANES; ++lane) {
        out[6 * lane + pairs->slot[e]] = inverse_hh * (group->ddw[e][lane] + group->w[lane] * skl[lane]);
      }
    }
  }
}

// With poles the value is that of the poles, and the derivatives are those of the polynomial through it that
// fits the other samples: the weights are not differentiated (docs/theory/mls.md).
static void freeze_weights(const mote_mls_gathered *samples) {
  for (size_t g = 0; g < samples->count; ++g) {
    memset(samples->groups[g].dw, 0, sizeof samples->groups[g].dw);
    memset(samples->groups[g].ddw, 0, sizeof samples->groups[g].ddw);
  }
}

// Sets the coefficients of the poles such that the column's sum is `total`.
static void fill_poles(const point_fit *fit, double total, double *out, size_t stride) {
  size_t lanes = fit->samples.count * LANES;
  double sum = 0.0;
  for (size_t e = 0; e < lanes; ++e) sum += out[e * stride];
  for (size_t e = 0; e < lanes; ++e) {
    if (fit->samples.groups[e / LANES].pole[e % LANES] != 0.0) {
      out[e * stride] = (total - sum) / fit->samples.poles;
    }
  }
}

static void clear(size_t groups, mote_mls_point_out out) {
  size_t size = groups * LANES * sizeof(double);
  memset(out.value, 0, size);
  if (out.gradient != NULL) memset(out.gradient, 0, 3 * size);
  if (out.second != NULL) memset(out.second, 0, 6 * size);
}

static void start(point_fit *fit, int dimensions, int derivatives) {
  fit->dimensions = dimensions;
  fit->derivatives = derivatives;
  memset(fit->c, 0, sizeof fit->c);
  memset(fit->ck, 0, sizeof fit->ck);
  memset(fit->ckl, 0, sizeof fit->ckl);
}

bool mote_mls_point_shapes(const mote_mls *mls, const double x[3], const uint32_t *index, uint32_t number,
                           mote_mls_group *groups, mote_mls_point_out out, mote_mls_fit *result) {
  const mote_mls_def *def = &mls->def;
  int derivatives = out.second != NULL ? 2 : out.gradient != NULL ? 1 : 0;
  point_fit fit;
  start(&fit, def->domain.dimensions, derivatives);
  fit.samples = mote_mls_gather(mls, x, index, number, MOTE_MLS_SKIP_NONE, derivatives, groups);
  *result = (mote_mls_fit){.order = -1};
  clear(fit.samples.count, out);
  if (!fit.samples.valid) return false;
  double m[BASIS * BASIS];
  sum_moments(&fit.samples, mote_mls_basis_size(fit.dimensions, def->order), m);
  if (!isfinite(m[0])) return false;
  bool poles = fit.samples.poles > 0.0;
  if (!poles && !(m[0] >= LEAST_WEIGHT)) return true;
  if (poles) freeze_weights(&fit.samples);
  mote_mls_moments_make(&fit.moments, m, fit.dimensions, def->order, poles, def->rescue, def->tolerance);
  pass_values(&fit, out.value);
  if (derivatives >= 1) pass_gradients(&fit, out.gradient);
  if (derivatives >= 2) pass_seconds(&fit, out.second);
  if (poles) {
    fill_poles(&fit, 1.0, out.value, 1);
    for (int k = 0; derivatives >= 1 && k < 3; ++k) fill_poles(&fit, 0.0, out.gradient + k, 3);
    for (int e = 0; derivatives >= 2 && e < 6; ++e) fill_poles(&fit, 0.0, out.second + e, 6);
  }
  *result = fit.moments.fit;
  return true;
}

bool mote_mls_point_direct(const mote_mls *mls, uint32_t i, const uint32_t *index, uint32_t number,
                           mote_mls_group *groups, double *c) {
  const mote_mls_def *def = &mls->def;
  point_fit fit;
  start(&fit, def->domain.dimensions, 1);
  fit.samples = mote_mls_gather(mls, mls->position + 3 * (size_t)i, index, number, i, 0, groups);
  memset(c, 0, 3 * fit.samples.count * LANES * sizeof *c);
  if (!fit.samples.valid) return false;
  double m[BASIS * BASIS];
  sum_moments(&fit.samples, 1 + fit.dimensions, m);
  if (!isfinite(m[0])) return false;
  mote_mls_moments_make(&fit.moments, m, fit.dimensions, 1, 1, MOTE_MLS_PSEUDO_INVERSE, def->tolerance);
  pass_gradients(&fit, c);
  return true;
}
