// The stiffness in single precision: see elastic_product.h. Two loops: the fit of the direction with its
// stress change, and the sum over pairs.
#include "elastic/elastic_product.h"

#include <string.h>

#include "base/parallel.h"
#include "elastic/elastic_basis.h"
#include "elastic/elastic_fold.h"
#include "geom/triple.h"

#define REAL float
#define LANE_PARTS 1
#define SUMS(name) slim_##name
#include "elastic/elastic_sums.inc"

// Vectors per tangent: column i of P by entry b of column j of g, as 9 i + 3 j + b
#define TANGENT_VECTORS 27

// --- Constant data -----------------------------------------------------------------------------------

// w p of pair k, then the slopes of both ends.
static MOTE_INLINE void weigh(const mote_elastic_product *p, size_t k, int d, int order, int slopes,
                              float *wp) {
  int m = mote_elastic_terms(d, order);
  slim_weigh(d, order, p->pair + 4 * k, p->pair[4 * k + 3], wp);
#pragma GCC unroll 3
  for (int c = 0; c < slopes; ++c) {
    wp[m + c] = p->slope[6 * k + (size_t)c];
    wp[m + slopes + c] = p->slope[6 * k + (size_t)(3 + c)];
  }
}

static void copy_rest(mote_elastic_product *p, size_t i) {
  const mote_elastic *b = p->body;
  size_t m = (size_t)b->terms, rows = (size_t)b->rows, d = (size_t)b->dimensions;
  float *sum = p->sum + rows * i, wp[MOTE_ELASTIC_ROWS + 3];
  for (size_t e = 0; e < m * m; ++e) p->inverse[m * m * i + e] = (float)b->inverse[m * m * i + e];
  for (size_t t = 0; t < rows; ++t) sum[t] = 0.0f;
  for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
    float *pair = p->pair + 4 * k;
    for (int c = 0; c < 3; ++c) pair[c] = (float)(b->inverse_unit * b->pair[k].rest[c]);
    pair[3] = (float)b->pair[k].weight;
    for (size_t c = 0; c < 6 && p->slope != NULL; ++c) p->slope[6 * k + c] = (float)b->slope[6 * k + c];
    weigh(p, k, b->dimensions, b->order, b->slopes, wp);
    for (size_t t = 0; t < rows; ++t) sum[t] += wp[t];
  }
  for (size_t e = 0; e < d * d; ++e)
    p->linear_inverse[d * d * i + e] = (float)b->linear_inverse[d * d * i + e];
  p->hourglass_stiffness[i] = (float)b->hourglass_stiffness[i];
  p->volume[i] = (float)(b->volume[i] * b->inverse_unit);
}

mote_result mote_elastic_product_init(mote_elastic_product *product, const mote_elastic *body,
                                      mote_arena *memory, mote_error *error) {
  MOTE_ASSERT(body->count > 0 && memory != NULL);
  size_t n = body->count, m = (size_t)body->terms, rows = (size_t)body->rows, d = (size_t)body->dimensions;
  *product = (mote_elastic_product){.body = body};
  MOTE_TAKE(product->pair, memory, 4 * body->pairs, error);
  if (body->slopes > 0) MOTE_TAKE(product->slope, memory, 6 * body->pairs, error);
  MOTE_TAKE(product->inverse, memory, m * m * n, error);
  MOTE_TAKE(product->linear_inverse, memory, d * d * n, error);
  MOTE_TAKE(product->fold_stiffness, memory, n, error);
  MOTE_TAKE(product->sum, memory, rows * n, error);
  MOTE_TAKE(product->hourglass_stiffness, memory, n, error);
  MOTE_TAKE(product->volume, memory, n, error);
  MOTE_TAKE(product->tangent, memory, 4 * TANGENT_VECTORS * n, error);
  MOTE_TAKE(product->field, memory, 4 * n, error);
  MOTE_TAKE(product->stress_moment, memory, 4 * rows * n, error);
  for (size_t i = 0; i < n; ++i) copy_rest(product, i);
  return MOTE_OK;
}

// --- The tangent ----------------------------------------------------------------------------------------

typedef struct product_loop {
  mote_elastic_product *product;
  const mote_elastic_motion *motion;
  const double *direction;
  double *out;
  bool definite;
} product_loop;

// For the Green strain part alone: dP = dg S + F C sym(F^T dg).
static void expand_green(const mote_elastic_tangent *t, float *out) {
  static const int at[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
  double FF[9];
  for (int e = 0; e < 9; ++e) FF[e] = t->mu * dot3(t->F + e / 3 * 3, t->F + e % 3 * 3);
  for (int v = 0; v < TANGENT_VECTORS; ++v, out += 4) {
    int i = v / 9, j = v / 3 % 3, b = v % 3;
    for (int a = 0; a < 3; ++a) {
      double value =
          t->lambda * t->F[3 * a + i] * t->F[3 * b + j] + t->mu * t->F[3 * a + j] * t->F[3 * b + i];
      if (a == b) value += t->S[at[3 * i + j]];
      if (i == j) value += FF[3 * a + b];
      out[a] = (float)value;
    }
    out[3] = 0.0f;
  }
}

static void expand(const mote_elastic_tangent *t, float *out) {
  for (int j = 0; j < 3; ++j) {
    for (int b = 0; b < 3; ++b) {
      double dg[9] = {0}, dP[9];
      dg[3 * b + j] = 1.0;
      mote_elastic_tangent_apply(t, dg, dP);
      for (int i = 0; i < 3; ++i) {
        float *to = out + 4 * (9 * i + 3 * j + b);
        for (int a = 0; a < 3; ++a) to[a] = (float)dP[3 * a + i];
        to[3] = 0.0f;
      }
    }
  }
}

static void make_chunk(void *data, size_t begin, size_t end, size_t *bad) {
  const product_loop *s = data;
  const mote_elastic *body = s->product->body;
  for (size_t i = begin; i < end; ++i) {
    double g[9];
    mote_elastic_tangent t;
    mote_green_part part = mote_elastic_part(body, s->motion, i);
    mote_elastic_gradient(body, body->fit, i, g);
    s->product->fold_stiffness[i] = (float)mote_elastic_fold_of(body, s->motion, i);
    if (!mote_elastic_tangent_make(&body->law, &part, g, s->definite, &t)) {
      ++bad[0];
      continue;
    }
    (t.isotropic || t.flowed || t.more != NULL || t.volume != 0.0 ? expand : expand_green)(
        &t, s->product->tangent + 4 * TANGENT_VECTORS * i);
  }
}

bool mote_elastic_product_make(mote_elastic_product *product, const mote_elastic_motion *motion,
                               bool definite) {
  MOTE_ASSERT(product->body != NULL && product->tangent != NULL);
  product_loop s = {.product = product, .motion = motion, .definite = definite};
  size_t bad;
  product->position = motion->more == NULL ? motion->position : NULL;  // midpoint steps hold k'
  mote_parallel_count(product->body->env.threads, product->body->count, 1, make_chunk, &s, &bad);
  return bad == 0;
}

// --- The product ----------------------------------------------------------------------------------------

static void narrow_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const product_loop *s = data;
  for (size_t i = begin; i < end; ++i) {
    const double *x = s->direction + 3 * i;
    float *to = s->product->field + 4 * i;
    to[0] = (float)x[0], to[1] = (float)x[1], to[2] = (float)x[2], to[3] = 0.0f;
  }
}

// Stress change of a particle whose direction has this gradient, by columns.
static MOTE_INLINE void change_stress(const float *tangent, float unit, int d, const float *gradient,
                                      float P[9]) {
#pragma GCC unroll 3
  for (int i = 0; i < d; ++i) {
    slim_lane sum = {{{0}}};
#pragma GCC unroll 9
    for (int v = 0; v < 3 * d; ++v) {
      sum =
          slim_add(sum, slim_times(slim_load(tangent + 4 * (9 * i + v)), unit * gradient[v / 3 * 4 + v % 3]));
    }
    P[i] = sum.part[0][0], P[3 + i] = sum.part[0][1], P[6 + i] = sum.part[0][2];
  }
}

static MOTE_INLINE void spread_one(const product_loop *s, size_t i, int d, int order, int slopes) {
  mote_elastic_product *p = s->product;
  const mote_elastic *b = p->body;
  int m = mote_elastic_terms(d, order), rows = m + slopes;
  slim_lane sum[MOTE_ELASTIC_ROWS], own = slim_load(p->field + 4 * i);
  float wp[MOTE_ELASTIC_ROWS + 3], fit[4 * MOTE_ELASTIC_ROWS], P[9] = {0};
#pragma GCC unroll 9
  for (int t = 0; t < rows; ++t) sum[t] = (slim_lane){{{0}}};
  for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
    weigh(p, k, d, order, slopes, wp);
    slim_add_fit(rows, slim_sub(slim_load(p->field + 4 * (size_t)b->neighbour[k]), own), wp, sum);
  }
  const float *inverse = p->inverse + (size_t)(m * m) * i, *gradient = slopes > 0 ? fit + 4 * m : fit;
  slim_finish_fit(m, slopes, sum, inverse, fit);
  change_stress(p->tangent + 4 * TANGENT_VECTORS * i, (float)b->inverse_unit, d, gradient, P);
  slim_stress_moment(d, m, slopes, P, p->volume[i], p->hourglass_stiffness[i], inverse, fit,
                     p->stress_moment + (size_t)(4 * rows) * i);
  if (p->fold_stiffness[i] == 0.0f) return;
  float linear[12], *to = p->stress_moment + (size_t)(4 * rows) * i;
  slim_finish_fit(d, 0, sum, p->linear_inverse + (size_t)(d * d) * i, linear);
  for (int t = 0; t < 4 * d; ++t) to[t] -= p->fold_stiffness[i] * linear[t];
}

static void spread_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const product_loop *s = data;
  const mote_elastic *b = s->product->body;
  int d = b->dimensions, order = b->order;
  bool slopes = b->slopes > 0;
  for (size_t i = begin; i < end; ++i) {
    if (d == 2 && order == 1) slopes ? spread_one(s, i, 2, 1, 2) : spread_one(s, i, 2, 1, 0);
    if (d == 2 && order == 2) slopes ? spread_one(s, i, 2, 2, 2) : spread_one(s, i, 2, 2, 0);
    if (d == 3 && order == 1) slopes ? spread_one(s, i, 3, 1, 3) : spread_one(s, i, 3, 1, 0);
    if (d == 3 && order == 2) slopes ? spread_one(s, i, 3, 2, 3) : spread_one(s, i, 3, 2, 0);
  }
}

static MOTE_INLINE float control(const mote_elastic_product *p, size_t i) {
  return p->hourglass_stiffness[i] + p->fold_stiffness[i];
}

// The particle's own contribution is the same for all pairs: added once, with the sum of w p.
static MOTE_INLINE void gather_one(const product_loop *s, size_t i, int d, int order, int slopes) {
  const mote_elastic_product *p = s->product;
  const mote_elastic *b = p->body;
  int m = mote_elastic_terms(d, order);
  size_t rows = (size_t)(m + slopes);
  slim_lane sum = {{{0}}}, own = slim_load(p->field + 4 * i);
  float wp[MOTE_ELASTIC_ROWS + 3];
#pragma GCC unroll 9
  for (size_t t = rows * i; t < rows * (i + 1); ++t) {
    sum = slim_add(sum, slim_times(slim_load(p->stress_moment + 4 * t), p->sum[t]));
  }
  for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
    size_t j = b->neighbour[k];
    slim_lane u = slim_sub(slim_load(p->field + 4 * j), own);
    weigh(p, k, d, order, slopes, wp);
    u = slim_times(u, p->pair[4 * k + 3] * (control(p, i) + control(p, j)));
    sum = slim_add(sum, slim_pair_force(d, m, slopes, u, NULL, p->stress_moment + 4 * rows * j, wp));
  }
  set3(-(double)sum.part[0][0], -(double)sum.part[0][1], d == 3 ? -(double)sum.part[0][2] : 0.0,
       s->out + 3 * i);
}

static void gather_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const product_loop *s = data;
  const mote_elastic *b = s->product->body;
  int d = b->dimensions, order = b->order;
  bool slopes = b->slopes > 0;
  for (size_t i = begin; i < end; ++i) {
    if (d == 2 && order == 1) slopes ? gather_one(s, i, 2, 1, 2) : gather_one(s, i, 2, 1, 0);
    if (d == 2 && order == 2) slopes ? gather_one(s, i, 2, 2, 2) : gather_one(s, i, 2, 2, 0);
    if (d == 3 && order == 1) slopes ? gather_one(s, i, 3, 1, 3) : gather_one(s, i, 3, 1, 0);
    if (d == 3 && order == 2) slopes ? gather_one(s, i, 3, 2, 3) : gather_one(s, i, 3, 2, 0);
  }
}

void mote_elastic_product_apply(mote_elastic_product *product, const double *direction, double *out) {
  MOTE_ASSERT(product->body != NULL);
  MOTE_ASSERT(direction != NULL && out != NULL);
  product_loop s = {.product = product, .direction = direction, .out = out};
  int threads = product->body->env.threads;
  size_t n = product->body->count;
  mote_parallel_for(threads, n, 8 * MOTE_ELASTIC_PARTICLES_PER_CHUNK, narrow_chunk, &s);
  mote_parallel_for(threads, n, MOTE_ELASTIC_PARTICLES_PER_CHUNK, spread_chunk, &s);
  mote_parallel_for(threads, n, MOTE_ELASTIC_PARTICLES_PER_CHUNK, gather_chunk, &s);
  if (product->position != NULL) mote_elastic_fold_apply(product->body, product->position, direction, out);
}
