// See deform_shapes.h. With y = (X_a - X)/h and p = (1, y): M c = (1, 0, 0, 0), Phi_a = w_a c.p_a; the
// derivatives as in mls_point.c, whose results these are (tests/unit/deform), with weights of the material
// distance and without its generality: 4 x 4 moments written out.
#include "deform/deform_shapes.h"

#include <math.h>
#include <string.h>

#include "deform/tuning.inc"
#include "geom/triple.h"

#define LEAST_NODES 5

// L D L^T of the moments.
typedef struct factor {
  double l[4][4], inverse[4];
} factor;

static bool factorise(double m[4][4], factor *f) {
  bool good = true;
  for (int j = 0; j < 4; ++j) {
    double d = m[j][j];
    for (int k = 0; k < j; ++k) d -= f->l[j][k] * f->l[j][k] / f->inverse[k];
    good &= d > LEAST_PIVOT * m[0][0];
    f->inverse[j] = d > 0.0 ? 1.0 / d : 0.0;
    if (!(d > 0.0)) return false;
    for (int i = j + 1; i < 4; ++i) {
      double v = m[i][j];
      for (int k = 0; k < j; ++k) v -= f->l[i][k] * f->l[j][k] / f->inverse[k];
      f->l[i][j] = v * f->inverse[j];
    }
  }
  return good;
}

static void substitute(const factor *f, double x[4]) {
  for (int i = 1; i < 4; ++i)
    for (int k = 0; k < i; ++k) x[i] -= f->l[i][k] * x[k];
  for (int i = 0; i < 4; ++i) x[i] *= f->inverse[i];
  for (int i = 2; i >= 0; --i)
    for (int k = i + 1; k < 4; ++k) x[i] -= f->l[k][i] * x[k];
}

// What a node contributes.
typedef struct term {
  double w, dw[3], p[4];
} term;

static void set_terms(const mote_deform_space *s, const double x[3], const mote_deform_near *near,
                      uint32_t count, double unit, term *t) {
  for (uint32_t k = 0; k < count; ++k) {
    double h = s->support[near[k].node], q = near[k].distance / h, left = 1.0 - q * q;
    double slope = -6.0 * q * left * left / h;
    t[k].w = left * left * left, t[k].p[0] = 1.0;
    for (int a = 0; a < 3; ++a) {
      t[k].dw[a] = slope * near[k].gradient[a];
      t[k].p[1 + a] = (s->node[near[k].node][a] - x[a]) / unit;
    }
  }
}

static bool make_factor(const term *t, uint32_t count, factor *f) {
  double m[4][4] = {{0}};
  for (uint32_t k = 0; k < count; ++k) {
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j <= i; ++j) m[i][j] += t[k].w * t[k].p[i] * t[k].p[j];
  }
  bool good = factorise(m, f) && count >= LEAST_NODES;
  if (!good) {
    for (int i = 1; i < 4; ++i) m[i][i] += MOMENT_REGULARISATION * m[0][0];
    factorise(m, f);
  }
  return good;
}

static inline double dot4(const double a[4], const double b[4]) {
  return (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]);
}

static void sort_near(mote_deform_near *near, uint32_t count) {
  for (uint32_t k = 1; k < count; ++k) {
    mote_deform_near one = near[k];
    uint32_t at = k;
    for (; at > 0 && near[at - 1].node > one.node; --at) near[at] = near[at - 1];
    near[at] = one;
  }
}

bool mote_deform_shapes_at(const mote_deform_space *s, const double x[3], uint32_t anchor,
                           mote_deform_point *out) {
  mote_deform_near near[MOTE_DEFORM_REACH_MAX];
  term t[MOTE_DEFORM_REACH_MAX];
  factor f;
  uint32_t count = mote_deform_space_find(s, x, anchor, near);
  out->count = count;
  if (count == 0) {  // nothing in reach: moves as the node that owns the anchor's nearest sample
    out->count = 1, out->node[0] = s->nearest[anchor] < s->nodes ? s->nearest[anchor] : 0,
    out->value[0] = 1.0;
    set3(0.0, 0.0, 0.0, out->gradient[0]);
    return false;
  }
  sort_near(near, count);
  double unit = s->support[near[0].node];
  set_terms(s, x, near, count, unit, t);
  bool good = make_factor(t, count, &f);
  double c[4] = {1.0, 0.0, 0.0, 0.0}, ck[3][4] = {{0}};
  substitute(&f, c);
  for (uint32_t k = 0; k < count; ++k) {
    double value = dot4(c, t[k].p);
    for (int a = 0; a < 3; ++a)
      for (int i = 0; i < 4; ++i) ck[a][i] -= t[k].dw[a] * value * t[k].p[i];
    out->node[k] = near[k].node, out->value[k] = value;
  }
  for (int a = 0; a < 3; ++a) ck[a][1 + a] += 1.0 / unit, substitute(&f, ck[a]);
  for (uint32_t k = 0; k < count; ++k) {
    for (int a = 0; a < 3; ++a)
      out->gradient[k][a] = t[k].dw[a] * out->value[k] + t[k].w * dot4(ck[a], t[k].p);
    out->value[k] *= t[k].w;
  }
  return good;
}

mote_result mote_deform_shapes_make(const mote_deform_space *s, mote_arena *memory, mote_deform_shapes *out,
                                    mote_error *error) {
  mote_deform_point point;
  size_t total = 0;
  out->longest = 0;
  MOTE_TAKE(out->first, memory, s->samples + 1, error);
  for (int pass = 0; pass < 2; ++pass) {
    total = 0;
    for (uint32_t k = 0; k < s->samples; ++k) {
      double x[3];
      mote_deform_grid_place(&s->grid, s->point[k], x);
      if (k < s->nodes) copy3(s->node[k], x);  // which may lie on the surface
      mote_deform_shapes_at(s, x, s->point[k], &point);
      out->first[k] = (uint32_t)total;
      for (uint32_t e = 0; pass == 1 && e < point.count; ++e) {
        out->node[total + e] = point.node[e];
        copy3(point.gradient[e], out->gradient[total + e]);
      }
      total += point.count;
      out->longest = point.count > out->longest ? point.count : out->longest;
    }
    out->first[s->samples] = (uint32_t)total;
    if (pass == 1) break;
    MOTE_TAKE(out->node, memory, total, error);
    MOTE_TAKE(out->gradient, memory, total, error);
  }
  return MOTE_OK;
}
