// Analytic gradients of an elastic body: gradients of the MLS shape functions Phi at the particles at rest,
// EG09 (27), (30)-(32), including the derivatives of weights and moments. They are the coefficients of the
// neighbours' displacements, and reproduce linear fields for any particle arrangement. Reads pairs and
// inverse moments; writes slopes. Theory: docs/theory/elastic.md
#include <mote/numeric.h>

#include "base/bisect.h"
#include "base/parallel.h"
#include "elastic/elastic_basis.h"
#include "elastic/elastic_support.h"
#include "geom/triple.h"

typedef struct slope_loop {
  mote_elastic *body;
  const mote_elastic_def *def;
  const uint32_t *rows;  // ascending; null: all
  size_t count;          // of rows
} slope_loop;

static size_t row_of(const slope_loop *s, size_t k) {
  return s->rows == NULL ? k : s->rows[k];
}

static bool has_row(const slope_loop *s, size_t i) {
  if (s->rows == NULL) return true;
  size_t k = mote_bisect(s->rows, s->count, i);
  return k < s->count && s->rows[k] == i;
}

// Moments of 1 and the basis, M = (all, first; first, moments), with their inverse: `left` is the Schur
// complement of `all` after fitting the basis to 1.
typedef struct whole_basis {
  int m;
  const double *inverse;                   // of the moments
  double first[MOTE_ELASTIC_TERMS], left;  // first: sum of w p
  double fitted[MOTE_ELASTIC_TERMS];       // inverse times first
} whole_basis;

static double dot(int m, const double *a, const double *b) {
  double sum = 0.0;
  for (int t = 0; t < m; ++t) sum += a[t] * b[t];
  return sum;
}

static void times_inverse(const whole_basis *w, const double *in, double *out) {
  for (int t = 0; t < w->m; ++t) out[t] = dot(w->m, w->inverse + t * w->m, in);
}

// M c = (one, rest).
static void solve(const whole_basis *w, double one, const double *rest, double *c0, double *c) {
  double back[MOTE_ELASTIC_TERMS];
  *c0 = (one - dot(w->m, w->fitted, rest)) / w->left;
  for (int t = 0; t < w->m; ++t) back[t] = rest[t] - *c0 * w->first[t];
  times_inverse(w, back, c);
}

// -w'(r)/r of a pair with w = b (1 - q^2)^3, in units of the basis. A bent path from i to j counts as a
// straight one of the same length, and the pair's factor as constant; linear fields are not affected.
static double steepness(const slope_loop *s, size_t i, size_t pair) {
  const mote_elastic *b = s->body;
  size_t j = b->neighbour[pair];
  double reach = mote_elastic_reach(s->def, i, j), q = b->path_length[pair] / reach, part = 1.0 - q * q;
  double scaled = b->inverse_unit * reach;
  double steep = 6.0 * mote_elastic_balance(s->def, i, j) * part * part / (scaled * scaled);
  return b->factor == NULL ? steep : b->factor[pair] * steep;
}

static whole_basis make_basis(const slope_loop *s, size_t i) {
  const mote_elastic *b = s->body;
  whole_basis w = {.m = b->terms, .inverse = b->inverse + (size_t)(b->terms * b->terms) * i};
  double p[MOTE_ELASTIC_TERMS], all = mote_elastic_balance(s->def, i, i);  // its own weight
  for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
    mote_elastic_basis(b->dimensions, b->order, b->inverse_unit, b->pair[k].rest, p);
    for (int t = 0; t < w.m; ++t) w.first[t] += b->pair[k].weight * p[t];
    all += b->pair[k].weight;
  }
  times_inverse(&w, w.first, w.fitted);
  w.left = all - dot(w.m, w.first, w.fitted);
  return w;
}

// With Phi_j = w_j s_j, s_j = c.p_j: first the parts t_j = (grad w_j) s_j, then the terms that make the sums
// of (t_j + w_j c_k.p_j) p_j the derivatives of p (docs/theory/mls.md).
static void slopes_of(const slope_loop *s, size_t i) {
  static const double zero[MOTE_ELASTIC_TERMS] = {0};
  const mote_elastic *b = s->body;
  int d = b->dimensions;
  whole_basis w = make_basis(s, i);
  double c0, c[MOTE_ELASTIC_TERMS], p[MOTE_ELASTIC_TERMS], one[3] = {0}, rest[3][MOTE_ELASTIC_TERMS] = {{0}};
  solve(&w, 1.0, zero, &c0, c);
  for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
    mote_elastic_basis(d, b->order, b->inverse_unit, b->pair[k].rest, p);
    double slope_factor = steepness(s, i, k) * (c0 + dot(w.m, c, p));
    set3(0.0, 0.0, 0.0, b->slope + 6 * k);
    for (int a = 0; a < d; ++a) {
      double t = slope_factor * p[a];
      b->slope[6 * k + (size_t)a] = t;
      one[a] -= t;
      for (int e = 0; e < w.m; ++e) rest[a][e] -= t * p[e];
    }
  }
  for (int a = 0; a < d; ++a) {
    rest[a][a] += 1.0;
    solve(&w, one[a], rest[a], &c0, c);
    for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
      mote_elastic_basis(d, b->order, b->inverse_unit, b->pair[k].rest, p);
      b->slope[6 * k + (size_t)a] += b->pair[k].weight * (c0 + dot(w.m, c, p));
    }
  }
}

// The linear columns of the fit, as coefficients of the neighbours' displacements.
static void direct_slopes_of(const slope_loop *s, size_t i) {
  const mote_elastic *b = s->body;
  size_t m = (size_t)b->terms;
  for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
    double p[MOTE_ELASTIC_TERMS];
    mote_elastic_basis(b->dimensions, b->order, b->inverse_unit, b->pair[k].rest, p);
    set3(0.0, 0.0, 0.0, b->slope + 6 * k);
    for (size_t a = 0; a < (size_t)b->dimensions; ++a)
      b->slope[6 * k + a] = b->pair[k].weight * dot(b->terms, b->inverse + m * m * i + m * a, p);
  }
}

static void slopes_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const slope_loop *s = data;
  bool direct = s->def->gradient == MOTE_ELASTIC_DIRECT;
  for (size_t k = begin; k < end; ++k)
    direct ? direct_slopes_of(s, row_of(s, k)) : slopes_of(s, row_of(s, k));
}

// Copies the slopes of the opposite end of each pair, and to that end where it is not among the rows.
static void back_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const slope_loop *s = data;
  const mote_elastic *b = s->body;
  for (size_t r = begin; r < end; ++r) {
    size_t i = row_of(s, r);
    for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
      size_t back = mote_elastic_lists_find(&b->lists, b->neighbour[k], i);
      MOTE_ASSERT(back != SIZE_MAX);
      copy3(b->slope + 6 * back, b->slope + 6 * k + 3);
      if (!has_row(s, b->neighbour[k])) copy3(b->slope + 6 * k, b->slope + 6 * back + 3);
    }
  }
}

void mote_elastic_make_slopes(mote_elastic *body, const uint32_t *rows, size_t count) {
  mote_elastic_def def = mote_elastic_own_def(body);
  slope_loop s = {.body = body, .def = &def, .rows = rows, .count = count};
  mote_parallel_for(body->env.threads, count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, slopes_chunk, &s);
  mote_parallel_for(body->env.threads, count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, back_chunk, &s);
}
