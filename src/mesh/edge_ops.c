// Flips, collapses and slides: see edge_ops.h.
#include "mesh/edge_ops.h"

#include "geom/tri_closest.h"
#include "mesh/surface_rows.h"
#include "mesh/tri_quality.h"
#include "mesh/tuning.inc"

#define SLIDE_TRIALS 3  // a slide is tried in full, halved, ...

// A vertex, its half-edges in order, and the triangles about it.
typedef struct ring {
  uint32_t edge[MOTE_EDGES_MOST];
  const double *x[MOTE_EDGES_MOST];  // where they end
  double area2[MOTE_EDGES_MOST][3];  // of the triangle of each edge
  double quality[MOTE_EDGES_MOST];
  int count;
  double worst;      // quality
  double normal[3];  // sum of area2
  double longest;    // side
} ring;

// What a change would leave: the worst triangle and how far the surface moves.
typedef struct outcome {
  double worst, deviation;
  bool allowed;
} outcome;

static const double *place(const mote_half_edges *e, const double *position, uint32_t h) {
  return position + 3 * (size_t)e->origin[h];
}

static bool find_ring(const mote_half_edges *e, const double *position, uint32_t h, ring *r) {
  const double *centre = place(e, position, h);
  *r = (ring){.worst = HUGE_VAL};
  uint32_t at = h;
  do {
    if (r->count == MOTE_EDGES_MOST) return false;
    r->edge[r->count] = at;
    r->x[r->count++] = place(e, position, mote_edge_next(at));
    at = mote_edge_around(e, at);
  } while (at != h);
  double longest2 = 0.0;
  for (int i = 0; i < r->count; ++i) {
    const double *p = r->x[i], *q = r->x[(i + 1) % r->count];
    double side[3], spoke[3];
    r->quality[i] = tri_quality(centre, p, q, r->area2[i]);
    r->worst = min2(r->worst, r->quality[i]);
    step3(r->normal, 1.0, r->area2[i], r->normal);
    sub3(q, p, side), sub3(p, centre, spoke);
    longest2 = max2(longest2, max2(dot3(side, side), dot3(spoke, spoke)));
  }
  r->longest = sqrt(longest2);
  return true;
}

// Whether two area vectors agree up to the cosine.
static bool agree(const double a[3], const double b[3], double cosine) {
  double d = dot3(a, b);
  return d > 0.0 ? d * d >= cosine * cosine * dot3(a, a) * dot3(b, b) : false;
}

// A new triangle with the side of ring triangle i and its corner moved to x.
static void judge(const ring *r, int i, const double *centre, const double *x, const mote_edge_limits *limits,
                  outcome *o) {
  double area2[3], moved[3];
  double quality = tri_quality(x, r->x[i], r->x[(i + 1) % r->count], area2);
  o->worst = min2(o->worst, quality);
  bool straight = agree(area2, r->normal, limits->bend) ||
                  (r->quality[i] > limits->quality && agree(area2, r->area2[i], 0.5));
  if (!straight || quality == 0.0) o->allowed = false;
  sub3(centre, x, moved);
  o->deviation = max2(o->deviation, fabs(dot3(moved, area2)) / length3(area2));
}

// How far the centre would lie from the triangles whose corner is moved to x, but those at edge k (where x is
// one of the ring).
static double distance_to_new(const ring *r, const double *centre, const double *x, int k) {
  double least = HUGE_VAL;
  for (int i = 0; i < r->count; ++i) {
    if (i == k || (i + 1) % r->count == k) continue;
    double p[3];
    tri_closest(x, r->x[i], r->x[(i + 1) % r->count], centre, p);
    least = min2(least, distance3(p, centre));
  }
  return least;
}

static void consider(const outcome *o, double worst_before, double longest, const mote_edge_limits *limits,
                     const mote_edge_op *op, mote_edge_op *best) {
  bool gains =
      o->worst >= limits->gain * worst_before || (o->worst > worst_before && o->worst >= limits->quality);
  if (!o->allowed || !gains || !(o->deviation <= limits->deviation * longest)) return;
  bool good = o->worst >= limits->quality, best_good = best->kind && best->quality >= limits->quality;
  bool better = good && best_good ? o->deviation < best->deviation : o->worst > best->quality;
  if (best->kind && !better) return;
  *best = *op;
  best->quality = o->worst;
  best->deviation = o->deviation;
}

static void try_flip(const mote_half_edges *e, const double *position, uint32_t h,
                     const mote_edge_limits *limits, mote_edge_op *best) {
  uint32_t g = e->twin[h], hp = mote_edge_previous(h), gp = mote_edge_previous(g);
  const double *a = place(e, position, h), *b = place(e, position, g);
  const double *c = place(e, position, hp), *d = place(e, position, gp);
  double old0[3], old1[3], new0[3], new1[3], sum[3];
  if (limits->gain == 0.0) return;
  double before = min2(tri_quality(a, b, c, old0), tri_quality(b, a, d, old1));
  outcome o = {.worst = min2(tri_quality(a, d, c, new0), tri_quality(d, b, c, new1)), .allowed = true};
  if (!(o.worst > before)) return;
  step3(old0, 1.0, old1, sum);
  if (!agree(new0, sum, limits->bend) || !agree(new1, sum, limits->bend)) return;
  if (!mote_edge_may_flip(e, h)) return;
  // The surface moves by the distance between the two diagonals.
  double ab[3], cd[3], ac[3], n[3];
  sub3(b, a, ab), sub3(d, c, cd), sub3(c, a, ac);
  cross3(ab, cd, n);
  double length = length3(n), longest = sqrt(max2(dot3(ab, ab), dot3(cd, cd)));
  o.deviation = length > 0.0 ? fabs(dot3(ac, n)) / length : 0.0;
  consider(&o, before, longest, limits, &(mote_edge_op){.kind = MOTE_EDGE_FLIP, .edge = h}, best);
}

// r is the ring of h's origin, edge k of it is h.
static void try_collapse(const mote_half_edges *e, const ring *r, int k, const double *centre,
                         const mote_edge_limits *limits, mote_edge_op *best) {
  uint32_t h = r->edge[k];
  outcome o = {.worst = HUGE_VAL, .allowed = true};
  for (int i = 0; i < r->count; ++i) {
    if (i == k || (i + 1) % r->count == k) continue;
    judge(r, i, centre, r->x[k], limits, &o);
    if (!o.allowed || o.worst < limits->gain * r->worst) return;
  }
  if (!mote_edge_may_collapse(e, h)) return;
  o.deviation = max2(o.deviation, distance_to_new(r, centre, r->x[k], k));
  consider(&o, r->worst, r->longest, limits, &(mote_edge_op){.kind = MOTE_EDGE_COLLAPSE, .edge = h}, best);
}

// The place on the ring's triangles nearest to x: op's side and weights.
static bool find_place(const ring *r, const double *centre, const double x[3], mote_edge_op *op,
                       double to[3]) {
  double least = HUGE_VAL;
  int side = -1;
  for (int i = 0; i < r->count; ++i) {
    double p[3], px[3];
    if (r->quality[i] == 0.0) continue;
    tri_closest(centre, r->x[i], r->x[(i + 1) % r->count], x, p);
    sub3(x, p, px);
    double distance2 = dot3(px, px);
    if (distance2 < least) least = distance2, side = i, copy3(p, to);
  }
  if (side < 0) return false;
  const double *p = r->x[side], *q = r->x[(side + 1) % r->count], *n = r->area2[side];
  double u[3], w[3], part[3], all = dot3(n, n);
  sub3(q, p, u), sub3(to, p, w), cross3(u, w, part);
  op->weight[0] = dot3(part, n) / all;
  sub3(centre, q, u), sub3(to, q, w), cross3(u, w, part);
  op->weight[1] = dot3(part, n) / all;
  op->weight[2] = 1.0 - op->weight[0] - op->weight[1];
  op->side = r->edge[side];
  return op->weight[1] < 1.0 - KEPT_SHARE && op->weight[2] < 1.0 - KEPT_SHARE;
}

static void try_slide(const ring *r, const double *centre, const mote_edge_limits *limits,
                      mote_edge_op *best) {
  double mean[3] = {0.0, 0.0, 0.0}, direction[3];
  for (int i = 0; i < r->count; ++i) step3(mean, 1.0 / r->count, r->x[i], mean);
  sub3(mean, centre, direction);
  for (int step = 0; step < SLIDE_TRIALS; ++step) {
    mote_edge_op op = {.kind = MOTE_EDGE_SLIDE, .edge = r->edge[0]};
    outcome o = {.worst = HUGE_VAL, .allowed = true};
    double aim[3], to[3];
    step3(centre, ldexp(1.0, -step), direction, aim);
    if (!find_place(r, centre, aim, &op, to)) continue;
    for (int i = 0; i < r->count && o.allowed && o.worst > r->worst; ++i) judge(r, i, centre, to, limits, &o);
    o.deviation = max2(o.deviation, distance_to_new(r, centre, to, -1));
    consider(&o, r->worst, r->longest, limits, &op, best);
  }
}

static void try_place(const ring *r, const double *centre, const double to[3], const mote_edge_limits *limits,
                      mote_edge_op *best) {
  mote_edge_op op = {.kind = MOTE_EDGE_MOVE, .edge = r->edge[0]};
  outcome o = {.worst = HUGE_VAL, .allowed = true};
  copy3(to, op.to);
  for (int i = 0; i < r->count && o.allowed && o.worst > r->worst; ++i) judge(r, i, centre, to, limits, &o);
  o.deviation = max2(o.deviation, distance_to_new(r, centre, to, -1));
  consider(&o, r->worst, r->longest, limits, &op, best);
}

// Away from the other corners of the triangle of edge 0, and from the side between them.
static void try_moves(const ring *r, const double *centre, const mote_edge_limits *limits,
                      mote_edge_op *best) {
  double direction[3][3], side[3];
  sub3(centre, r->x[0], direction[0]);
  sub3(centre, r->x[1], direction[1]);
  sub3(r->x[1], r->x[0], side);
  cross3(side, r->area2[0], direction[2]);
  for (int w = 0; w < 3; ++w) {
    double length = length3(direction[w]);
    for (int step = 1; step <= SLIDE_TRIALS && length > 0.0; ++step) {
      double to[3];
      step3(centre, (w == 2 ? -1.0 : 1.0) * MOVE_STEP * step * r->longest / length, direction[w], to);
      try_place(r, centre, to, limits, best);
    }
  }
}

mote_edge_op mote_edge_op_best(const mote_half_edges *edges, const double *position, uint32_t triangle,
                               const mote_edge_limits *limits) {
  MOTE_ASSERT(triangle < edges->triangles);
  MOTE_ASSERT(!mote_triangle_is_gone(edges, triangle));
  MOTE_ASSERT(position != NULL && limits != NULL);
  mote_edge_op best = {.kind = MOTE_EDGE_NONE};
  ring r;
  for (uint32_t h = 3 * triangle; h < 3 * triangle + 3; ++h) {
    try_flip(edges, position, h, limits, &best);
    if (!find_ring(edges, position, h, &r)) continue;
    const double *centre = place(edges, position, h);
    for (int k = 0; k < r.count; ++k) try_collapse(edges, &r, k, centre, limits, &best);
    if (limits->gain == 0.0) continue;
    try_slide(&r, centre, limits, &best);
    if (limits->moves) try_moves(&r, centre, limits, &best);
  }
  return best;
}

// --- Doing it ---------------------------------------------------------------------------------------------

uint32_t mote_edge_op_do(const mote_edge_op *op, mote_half_edges *edges, mote_surface *surface) {
  MOTE_ASSERT(op->kind != MOTE_EDGE_NONE);
  MOTE_ASSERT(op->edge < 3 * edges->triangles);
  MOTE_ASSERT(edges->origin[op->edge] < surface->mesh.vertices);
  uint32_t v = edges->origin[op->edge];
  if (op->kind == MOTE_EDGE_FLIP) {
    mote_edge_flip(edges, op->edge);
  } else if (op->kind == MOTE_EDGE_COLLAPSE) {
    v = mote_edge_end(edges, op->edge);
    mote_edge_collapse(edges, op->edge);
  } else if (op->kind == MOTE_EDGE_SLIDE) {
    uint32_t row[3] = {v, mote_edge_end(edges, op->side), edges->origin[mote_edge_previous(op->side)]};
    mote_surface_mix(surface, row, op->weight);
  } else if (op->kind == MOTE_EDGE_MOVE) {
    copy3(op->to, surface->mesh.vertex + 3 * (size_t)v);
  }
  mote_half_edges_check_triangle(edges, edges->first[v] / 3);
  return v;
}
