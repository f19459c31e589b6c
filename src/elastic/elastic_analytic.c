// Analytic gradients of an elastic body: gradients of the MLS shape functions Phi at the particles at rest,
// EG09 (27), (30)-(32), including the derivatives of weights and moments. They are the coefficients of the
// neighbours' displacements, and reproduce linear fields for any particle arrangement. Reads pairs and
// inverse moments; writes slopes. Theory: docs/theory/solids.md
#include <mote/numeric.h>

#include "base/parallel.h"
#include "elastic/elastic_basis.h"
#include "elastic/elastic_support.h"
#include "geom/triple.h"

typedef struct slope_loop {
  mote_elastic *body;
  const mote_elastic_def *def;
} slope_loop;

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

// -w'(r)/r of a pair, in units of the basis; (1 - q^2) follows from w = b (1 - q^2)^3. A bent path from i to
// j counts as a straight one of the same length; linear fields are not affected.
static double steepness(const slope_loop *s, size_t i, size_t j, double weight) {
  double balance = mote_elastic_balance(s->def, i, j), unit = s->body->inverse_unit;
  double part = mote_cbrt(weight / balance), reach = unit * mote_elastic_reach(s->def, i, j);
  return 6.0 * balance * part * part / (reach * reach);
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
    double slope_factor = steepness(s, i, b->neighbour[k], b->pair[k].weight) * (c0 + dot(w.m, c, p));
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

static void slopes_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const slope_loop *s = data;
  for (size_t i = begin; i < end; ++i) slopes_of(s, i);
}

// Copies the slopes of the opposite end of each pair.
static void back_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mote_elastic *b = ((const slope_loop *)data)->body;
  for (size_t i = begin; i < end; ++i) {
    for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
      size_t back = b->first[b->neighbour[k]];
      while (b->neighbour[back] != i) ++back;
      copy3(b->slope + 6 * back, b->slope + 6 * k + 3);
    }
  }
}

void mote_elastic_make_slopes(mote_elastic *body, const mote_elastic_def *def) {
  MOTE_ASSERT(body->slope != NULL || body->pairs == 0);
  MOTE_ASSERT(def != NULL);
  slope_loop s = {.body = body, .def = def};
  for (size_t k = 0; k < 6 * body->pairs; ++k) body->slope[k] = 0.0;
  mote_parallel_for(body->env.threads, body->count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, slopes_chunk, &s);
  mote_parallel_for(body->env.threads, body->count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, back_chunk, &s);
}
