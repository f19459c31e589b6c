// Shape functions Phi_i = w_i c.p_i with M c = p(0), EG09 (29), and their true derivatives (30)-(34). The
// centre and unit of the basis are held while differentiating, so that with c_k, c_kl the derivatives of c
//   M c    = p            Phi_i    = w s                                       s    = c.p_i
//   M c_k  = p_k  - sum t_k p_i     t_k  = w_k s                Phi_i,k  = t_k  + w s_k    s_k  = c_k.p_i
//   M c_kl = p_kl - sum t_kl p_i    t_kl = w_kl s + w_k s_l + w_l s_k   Phi_i,kl = t_kl + w s_kl
// which is (31) without forming the derivative of M or its inverse. Sums run in four lanes.
#include "approx/mls_point.h"

#include <string.h>

#include "approx/mls_gather.h"
#include "approx/mls_moments.h"

#define LANES MOTE_MLS_LANES
#define BASIS MOTE_MLS_BASIS
#define PAIRS MOTE_MLS_PAIRS

// Weights that sum to less than this are those of no sample: the kernels have 1e-64 one rounding inside
// their edge.
#define LEAST_WEIGHT 1e-100

#define SQRT2 1.41421356237309504880

typedef double lane_sums[BASIS][LANES];

// sum[a] += t p[a]
static inline void add_products(int n, const double t[LANES], const mote_mls_group *group, lane_sums sum) {
  for (int a = 0; a < n; ++a) {
    for (int lane = 0; lane < LANES; ++lane) sum[a][lane] += t[lane] * group->p[a][lane];
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
  lane_sums sum[BASIS];
  memset(sum, 0, (size_t)n * sizeof *sum);
  for (size_t g = 0; g < samples->count; ++g) {
    const mote_mls_group *group = &samples->groups[g];
    for (int a = 0; a < n; ++a) {
      double t[LANES];
      for (int lane = 0; lane < LANES; ++lane) t[lane] = group->w[lane] * group->p[a][lane];
      add_products(a + 1, t, group, sum[a]);
    }
  }
  for (int a = 0; a < n; ++a) {
    for (int b = 0; b <= a; ++b) m[a * n + b] = m[b * n + a] = mote_mls_lane_sum(sum[a][b]);
  }
}

// x[a][column] = p_column - sum: the right-hand sides of one kind of derivative.
static void subtract_sums(int n, int columns, lane_sums *sum, double *x) {
  for (int column = 0; column < columns; ++column) {
    for (int a = 0; a < n; ++a) x[a * columns + column] -= mote_mls_lane_sum(sum[column][a]);
  }
}

// What the three passes share. c, ck, ckl: coefficients and their derivatives, one row per basis function.
typedef struct point_fit {
  mote_mls_gathered samples;
  mote_mls_moments moments;
  int dimensions;
  uint32_t number;
  double c[BASIS], ck[BASIS * 3], ckl[BASIS * PAIRS];
} point_fit;

static void solve_values(point_fit *fit, double *value) {
  int n = fit->moments.size;
  memset(fit->c, 0, sizeof fit->c);
  fit->c[0] = 1.0;
  mote_mls_moments_solve(&fit->moments, 1, fit->c);
  for (size_t g = 0; g < fit->samples.count; ++g) {
    const mote_mls_group *group = &fit->samples.groups[g];
    double s[LANES];
    dot(n, fit->c, 1, group, s);
    for (int lane = 0; lane < LANES; ++lane) value[g * LANES + lane] = group->w[lane] * s[lane];
  }
}

static void solve_gradients(point_fit *fit, double *gradient) {
  int n = fit->moments.size, d = fit->dimensions;
  lane_sums sum[3];
  memset(sum, 0, sizeof sum);
  memset(fit->ck, 0, sizeof fit->ck);
  for (int k = 0; k < d && n > 1; ++k) fit->ck[(1 + k) * d + k] = 1.0;
  for (size_t g = 0; g < fit->samples.count; ++g) {
    const mote_mls_group *group = &fit->samples.groups[g];
    double s[LANES], t[LANES];
    dot(n, fit->c, 1, group, s);
    for (int k = 0; k < d; ++k) {
      for (int lane = 0; lane < LANES; ++lane) t[lane] = group->dw[k][lane] * s[lane];
      add_products(n, t, group, sum[k]);
    }
  }
  subtract_sums(n, d, sum, fit->ck);
  mote_mls_moments_solve(&fit->moments, d, fit->ck);
  for (size_t g = 0; g < fit->samples.count; ++g) {
    const mote_mls_group *group = &fit->samples.groups[g];
    double s[LANES], sk[LANES];
    dot(n, fit->c, 1, group, s);
    for (int k = 0; k < d; ++k) {
      dot(n, fit->ck + k, d, group, sk);
      for (int lane = 0; lane < LANES; ++lane) {
        gradient[3 * (g * LANES + lane) + k] =
            (group->dw[k][lane] * s[lane] + group->w[lane] * sk[lane]) / fit->samples.h;
      }
    }
  }
}

// t_kl of a group takes the place of its ddw.
static void second_terms(const point_fit *fit, mote_mls_group *group) {
  const mote_mls_pairs *pairs = mote_mls_pairs_of(fit->dimensions);
  int n = fit->moments.size, d = fit->dimensions;
  double s[LANES], sk[3][LANES];
  dot(n, fit->c, 1, group, s);
  for (int k = 0; k < d; ++k) dot(n, fit->ck + k, d, group, sk[k]);
  for (int e = 0; e < pairs->count; ++e) {
    int k = pairs->k[e], l = pairs->l[e];
    for (int lane = 0; lane < LANES; ++lane) {
      group->ddw[e][lane] = group->ddw[e][lane] * s[lane] +
                            (group->dw[k][lane] * sk[l][lane] + group->dw[l][lane] * sk[k][lane]);
    }
  }
}

static void solve_seconds(point_fit *fit, double *second) {
  const mote_mls_pairs *pairs = mote_mls_pairs_of(fit->dimensions);
  int n = fit->moments.size, d = fit->dimensions;
  lane_sums sum[PAIRS];
  memset(sum, 0, sizeof sum);
  memset(fit->ckl, 0, sizeof fit->ckl);
  for (int e = 0; e < pairs->count && n > 1 + d; ++e) {
    fit->ckl[(1 + d + e) * pairs->count + e] = pairs->k[e] == pairs->l[e] ? SQRT2 : 1.0;
  }
  for (size_t g = 0; g < fit->samples.count; ++g) {
    mote_mls_group *group = &fit->samples.groups[g];
    second_terms(fit, group);
    for (int e = 0; e < pairs->count; ++e) add_products(n, group->ddw[e], group, sum[e]);
  }
  subtract_sums(n, pairs->count, sum, fit->ckl);
  mote_mls_moments_solve(&fit->moments, pairs->count, fit->ckl);
  double h = fit->samples.h;
  for (size_t g = 0; g < fit->samples.count; ++g) {
    const mote_mls_group *group = &fit->samples.groups[g];
    for (int e = 0; e < pairs->count; ++e) {
      double skl[LANES];
      dot(n, fit->ckl + e, pairs->count, group, skl);
      for (int lane = 0; lane < LANES; ++lane) {
        second[6 * (g * LANES + lane) + pairs->slot[e]] =
            (group->ddw[e][lane] + group->w[lane] * skl[lane]) / h / h;
      }
    }
  }
}

// With poles the value is theirs, and the derivatives are those of the polynomial through it that fits the
// other samples: the weights are not differentiated (docs/theory/mls.md).
static void hold_weights(const mote_mls_gathered *samples) {
  for (size_t g = 0; g < samples->count; ++g) {
    memset(samples->groups[g].dw, 0, sizeof samples->groups[g].dw);
    memset(samples->groups[g].ddw, 0, sizeof samples->groups[g].ddw);
  }
}

// Gives the poles what is missing for the row's sum to be `total`: the coefficient of the value they hold.
static void fill_poles(const point_fit *fit, double total, double *out, int stride) {
  double sum = 0.0;
  for (uint32_t e = 0; e < fit->number; ++e) sum += out[(size_t)e * stride];
  for (uint32_t e = 0; e < fit->number; ++e) {
    double pole = fit->samples.groups[e / LANES].pole[e % LANES];
    if (pole != 0.0) out[(size_t)e * stride] = (total - sum) / fit->samples.poles;
  }
}

static void clear(size_t groups, mote_mls_point_out out) {
  size_t size = groups * LANES * sizeof(double);
  memset(out.value, 0, size);
  if (out.gradient != NULL) memset(out.gradient, 0, 3 * size);
  if (out.second != NULL) memset(out.second, 0, 6 * size);
}

bool mote_mls_point_shapes(const mote_mls *mls, const double x[3], const uint32_t *index, uint32_t number,
                           mote_mls_group *groups, mote_mls_point_out out, mote_mls_fit *result) {
  const mote_mls_def *def = &mls->def;
  int derivatives = out.second != NULL ? 2 : out.gradient != NULL ? 1 : 0;
  point_fit fit = {.dimensions = def->domain.dimensions, .number = number};
  fit.samples = mote_mls_gather(mls, x, index, number, MOTE_MLS_SKIP_NONE, derivatives, groups);
  *result = (mote_mls_fit){.order = -1};
  clear(fit.samples.count, out);
  if (!fit.samples.valid) return false;
  double m[BASIS * BASIS];
  sum_moments(&fit.samples, mote_mls_basis_size(fit.dimensions, def->order), m);
  bool poles = fit.samples.poles > 0.0;
  if (!poles && !(m[0] >= LEAST_WEIGHT)) return true;
  if (poles) hold_weights(&fit.samples);
  mote_mls_moments_make(&fit.moments, m, fit.dimensions, def->order, poles, def->rescue, def->tolerance);
  solve_values(&fit, out.value);
  if (derivatives >= 1) solve_gradients(&fit, out.gradient);
  if (derivatives >= 2) solve_seconds(&fit, out.second);
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
  point_fit fit = {.dimensions = def->domain.dimensions, .number = number};
  fit.samples = mote_mls_gather(mls, mls->position + 3 * (size_t)i, index, number, i, 0, groups);
  memset(c, 0, 3 * fit.samples.count * LANES * sizeof *c);
  if (!fit.samples.valid) return false;
  double m[BASIS * BASIS];
  sum_moments(&fit.samples, 1 + fit.dimensions, m);
  mote_mls_moments_make(&fit.moments, m, fit.dimensions, 1, 1, MOTE_MLS_PSEUDO_INVERSE, def->tolerance);
  solve_gradients(&fit, c);
  return true;
}
