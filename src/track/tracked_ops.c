// Operations on the edges of a tracked mesh: see tracked_ops.h.
#include "track/tracked_ops.h"

#include "mesh/tri_quality.h"
#include "track/tuning.inc"

// --- Splits -----------------------------------------------------------------------------------------------

// Hermite cubic whose end tangents are the chord without its normal components (Vlachos et al. 2001): its
// midpoint is off the chord's by an eighth of these components.
static void cubic_middle(const mote_tracked *t, uint32_t a, uint32_t b, double out[3]) {
  const double *xa = mote_tracked_at(t, a), *xb = mote_tracked_at(t, b);
  double na[3], nb[3], chord[3], bulge[3] = {0.0, 0.0, 0.0};
  mote_tracked_normal(t, a, na), mote_tracked_normal(t, b, nb);
  sub3(xb, xa, chord);
  step3(bulge, -0.125 * dot3(chord, na), na, bulge);
  step3(bulge, 0.125 * dot3(chord, nb), nb, bulge);
  double size = length3(bulge), most = BULGE_MOST * length3(chord);
  double scale = size > most ? most / size : 1.0;
  for (int k = 0; k < 3; ++k) out[k] = 0.5 * (xa[k] + xb[k]) + scale * bulge[k];
}

uint32_t mote_tracked_split(mote_tracked *t, uint32_t h) {
  uint32_t a = t->edges.origin[h], b = mote_edge_end(&t->edges, h);
  double x[3];
  cubic_middle(t, a, b, x);
  uint32_t m = mote_tracked_new_vertex(t), s = mote_tracked_new_triangle(t), u = mote_tracked_new_triangle(t);
  mote_edge_split(&t->edges, h, m, s, u);
  copy3(x, mote_tracked_at(t, m));
  return mote_tracked_mix(t, m, (uint32_t[3]){a, b, b}, (double[3]){0.5, 0.5, 0.0}) ? m : MOTE_NO_EDGE;
}

// --- Collapses --------------------------------------------------------------------------------------------

// Triangles around both ends of an edge, without the two that a collapse removes.
typedef struct star {
  const double *p[2 * MOTE_EDGES_MOST], *q[2 * MOTE_EDGES_MOST];  // side opposite to the end
  const double *end[2 * MOTE_EDGES_MOST];
  int count;
} star;

// Triangles of the origin of h, from its twin's triangle on, without both triangles of the edge.
static bool add_fan(const mote_tracked *t, uint32_t h, star *s) {
  const mote_half_edges *e = &t->edges;
  const double *end = mote_tracked_at(t, e->origin[h]);
  uint32_t at = mote_edge_around(e, h);
  for (int n = 0; mote_edge_around(e, at) != h; at = mote_edge_around(e, at)) {
    if (++n > MOTE_EDGES_MOST) return false;
    s->end[s->count] = end;
    s->p[s->count] = mote_tracked_at(t, mote_edge_end(e, at));
    s->q[s->count++] = mote_tracked_at(t, e->origin[mote_edge_previous(at)]);
  }
  return true;
}

static bool star_fits(const star *s, const double to[3], const mote_collapse_limits *limits) {
  double worst = HUGE_VAL, new_worst = HUGE_VAL;
  for (int i = 0; i < s->count; ++i) {
    double before[3], after[3], side[3];
    worst = min2(worst, tri_quality(s->end[i], s->p[i], s->q[i], before));
    new_worst = min2(new_worst, tri_quality(to, s->p[i], s->q[i], after));
    double d = dot3(before, after);
    if (!(d > 0.0) || d * d < limits->turn * limits->turn * dot3(before, before) * dot3(after, after))
      return false;
    sub3(s->p[i], to, side);
    if (dot3(side, side) > limits->longest * limits->longest) return false;
  }
  return new_worst > 0.0 && new_worst >= min2(limits->quality, worst);
}

bool mote_tracked_collapse_fits(const mote_tracked *t, uint32_t h, const mote_collapse_limits *limits,
                                double to[3]) {
  uint32_t a = t->edges.origin[h], b = mote_edge_end(&t->edges, h), g = t->edges.twin[h];
  double na[3], nb[3];
  star s = {.count = 0};
  mote_tracked_normal(t, a, na), mote_tracked_normal(t, b, nb);
  if (dot3(na, nb) < limits->bend || !mote_edge_may_collapse(&t->edges, h)) return false;
  if (!add_fan(t, h, &s) || !add_fan(t, g, &s)) return false;
  cubic_middle(t, a, b, to);
  return star_fits(&s, to, limits);
}

bool mote_tracked_collapse(mote_tracked *t, uint32_t h, const double to[3]) {
  uint32_t a = t->edges.origin[h], b = mote_edge_end(&t->edges, h), g = t->edges.twin[h];
  double da = distance3(mote_tracked_at(t, a), to), db = distance3(mote_tracked_at(t, b), to);
  double wa = da + db > 0.0 ? db / (da + db) : 0.5;
  bool kept = mote_tracked_mix(t, b, (uint32_t[3]){a, b, b}, (double[3]){wa, 1.0 - wa, 0.0});
  copy3(to, mote_tracked_at(t, b));
  mote_edge_collapse(&t->edges, h);
  mote_tracked_free_triangle(t, h / 3), mote_tracked_free_triangle(t, g / 3);
  mote_tracked_free_vertex(t, a);
  return kept;
}

// --- Flips ------------------------------------------------------------------------------------------------

// The cotangent of the angle at c.
static double cotangent(const double *a, const double *b, const double *c, double area2[3]) {
  double u[3], v[3];
  sub3(a, c, u), sub3(b, c, v);
  cross3(u, v, area2);
  return dot3(u, v) / length3(area2);
}

static bool agree(const double a[3], const double b[3], double cosine) {
  double d = dot3(a, b);
  return d > 0.0 && d * d >= cosine * cosine * dot3(a, a) * dot3(b, b);
}

bool mote_tracked_flip_helps(const mote_tracked *t, uint32_t h, double margin, double longest, double bend) {
  const mote_half_edges *e = &t->edges;
  uint32_t g = e->twin[h];
  const double *a = mote_tracked_at(t, e->origin[h]), *b = mote_tracked_at(t, e->origin[g]);
  const double *c = mote_tracked_at(t, e->origin[mote_edge_previous(h)]);
  const double *d = mote_tracked_at(t, e->origin[mote_edge_previous(g)]);
  double old0[3], old1[3], new0[3], new1[3], u[3], v[3];
  double sum = cotangent(a, b, c, old0) + cotangent(b, a, d, old1);
  if (!(sum < -margin) || !agree(old0, old1, bend)) return false;
  sub3(d, c, u);
  if (dot3(u, u) > longest * longest) return false;
  sub3(a, c, v), cross3(v, u, new0);
  sub3(b, c, v), cross3(u, v, new1);
  return agree(new0, new1, bend) && agree(old0, new0, bend) && agree(old0, new1, bend);
}

// --- Mending ----------------------------------------------------------------------------------------------

bool mote_tracked_do(mote_tracked *t, const mote_edge_op *op) {
  mote_half_edges *e = &t->edges;
  uint32_t v = e->origin[op->edge];
  if (op->kind == MOTE_EDGE_FLIP) {
    mote_edge_flip(e, op->edge);
  } else if (op->kind == MOTE_EDGE_COLLAPSE) {
    double to[3];
    copy3(mote_tracked_at(t, mote_edge_end(e, op->edge)), to);
    return mote_tracked_collapse(t, op->edge, to);
  } else if (op->kind == MOTE_EDGE_SLIDE) {
    uint32_t from[3] = {v, mote_edge_end(e, op->side), e->origin[mote_edge_previous(op->side)]};
    double x[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; ++k) step3(x, op->weight[k], mote_tracked_at(t, from[k]), x);
    copy3(x, mote_tracked_at(t, v));
    return mote_tracked_mix(t, v, from, op->weight);
  }
  return true;
}
