// Triangles in loops: see loop_fill.h. Best triangulations of parts of the loop make best triangulations of
// the whole: a table over the spans i .. j holds the quality of the worst triangle between them. Whether two
// triangles cross is not known from parts: where the best one does, all are tried.
#include "mesh/loop_fill.h"

#include <string.h>

#include "base/check.h"
#include "geom/tri_cross.h"
#include "mesh/tri_quality.h"

#define MOST MOTE_CUBE_EDGES
// Triangles of shorter loops have an edge in common, or a vertex from which the loop's other sides are seen
// side by side.
#define CROSSING_LEAST 6
#define HEIGHT_ROUNDING 1e-9  // rounding: of the terms of a height above a plane

static unsigned put(uint32_t *triangle, uint32_t a, uint32_t b, uint32_t c) {
  triangle[0] = a, triangle[1] = b, triangle[2] = c;
  return 1;
}

unsigned mote_loop_fan(const mote_loop *loop, uint32_t centre, uint32_t *triangle) {
  MOTE_ASSERT(loop->length >= 3 && loop->length <= MOTE_CUBE_EDGES);
  MOTE_ASSERT(triangle != NULL);
  for (unsigned i = 0; i < loop->length; ++i) {
    put(triangle + 3 * (size_t)i, loop->vertex[i], loop->vertex[(i + 1) % loop->length], centre);
  }
  return loop->length;
}

// A loop with its own copy of its vertices' positions, by their places in it.
typedef struct loop_points {
  const mote_loop *loop;
  double x[3 * MOST];
} loop_points;

// Whether a diagonal may lie between the corners i and j.
static bool is_free(const mote_loop *loop, unsigned i, unsigned j) {
  return j - i == 1 || j - i == loop->length - 1 || !(loop->faces[i] & loop->faces[j]);
}

static double quality_of(const loop_points *p, unsigned i, unsigned k, unsigned j) {
  double area2[3];
  return tri_quality(p->x + 3 * (size_t)i, p->x + 3 * (size_t)k, p->x + 3 * (size_t)j, area2);
}

// --- The best by parts -------------------------------------------------------------------------------------

typedef struct spans {
  double worst[MOST][MOST];  // negative: cannot be
  uint8_t apex[MOST][MOST];  // of the triangle on the side i, j
} spans;

// The best apex for the span i .. j.
static void find_apex(const loop_points *p, unsigned i, unsigned j, spans *s) {
  s->worst[i][j] = -1.0;
  s->apex[i][j] = (uint8_t)(i + 1);
  if (!is_free(p->loop, i, j)) return;
  for (unsigned k = i + 1; k < j; ++k) {
    double parts = min2(s->worst[i][k], s->worst[k][j]);
    if (parts <= s->worst[i][j]) continue;
    double all = min2(parts, quality_of(p, i, k, j));
    if (all > s->worst[i][j]) s->worst[i][j] = all, s->apex[i][j] = (uint8_t)k;
  }
}

static unsigned put_span(const spans *s, unsigned i, unsigned j, uint32_t *triangle) {
  if (j - i < 2) return 0;
  unsigned k = s->apex[i][j];
  unsigned n = put(triangle, i, k, j);
  n += put_span(s, i, k, triangle + 3 * (size_t)n);
  return n + put_span(s, k, j, triangle + 3 * (size_t)n);
}

static void fill_by_parts(const loop_points *p, uint32_t *triangle) {
  spans s;
  unsigned n = p->loop->length;
  for (unsigned i = 0; i + 1 < n; ++i) s.worst[i][i + 1] = HUGE_VAL;
  for (unsigned span = 2; span < n; ++span) {
    for (unsigned i = 0; i + span < n; ++i) find_apex(p, i, i + span, &s);
  }
  put_span(&s, 0, n - 1, triangle);
}

// --- Crossings ---------------------------------------------------------------------------------------------

// Whether two triangles lie clearly apart, but for what they have in common: most pairs do. Those with an
// edge in common do not cross: a loop in one plane is convex.
static bool lies_aside(const double *x, const uint32_t *s, const uint32_t *t) {
  const double *a = x + 3 * (size_t)s[0];
  double ab[3], ac[3], n[3], out[3];
  int sides = 0, corners = 0;
  const double *corner[3];
  for (int k = 0; k < 3; ++k)
    if (t[k] != s[0] && t[k] != s[1] && t[k] != s[2]) corner[corners++] = x + 3 * (size_t)t[k];
  if (corners == 1) return true;
  sub3(x + 3 * (size_t)s[1], a, ab), sub3(x + 3 * (size_t)s[2], a, ac);
  cross3(ab, ac, n);
  for (int k = 0; k < corners; ++k) {
    sub3(corner[k], a, out);
    double height = dot3(n, out),
           least = HEIGHT_ROUNDING * (fabs(n[0] * out[0]) + fabs(n[1] * out[1]) + fabs(n[2] * out[2]));
    sides += (height > least) - (height < -least);
  }
  return sides == corners || sides == -corners;
}

// Whether triangle `last` crosses one of those before it.
static bool crosses_earlier(loop_points *p, uint32_t *triangle, unsigned last) {
  const mote_mesh mesh = {
      .vertex = p->x, .triangle = triangle, .vertices = p->loop->length, .triangles = last + 1};
  for (unsigned t = 0; t < last; ++t) {
    const uint32_t *a = triangle + 3 * (size_t)t, *b = triangle + 3 * (size_t)last;
    if (!lies_aside(p->x, a, b) && !lies_aside(p->x, b, a) && mote_triangles_cross(&mesh, t, last))
      return true;
  }
  return false;
}

typedef struct search {
  loop_points *points;
  uint32_t now[3 * MOST], best[3 * MOST];
  double quality;  // of the best; negative: none was found
} search;

typedef struct span_stack {
  uint8_t first[MOST], last[MOST];
  unsigned count;
} span_stack;

static void add_span(span_stack *left, unsigned i, unsigned j) {
  if (j - i < 2) return;
  left->first[left->count] = (uint8_t)i, left->last[left->count++] = (uint8_t)j;
}

// All triangulations of the spans that are left, with `made` triangles before.
static void try_spans(search *s, span_stack left, unsigned made, double worst) {
  if (left.count == 0) {
    memcpy(s->best, s->now, 3 * made * sizeof *s->now);
    s->quality = worst;
    return;
  }
  --left.count;
  unsigned i = left.first[left.count], j = left.last[left.count];
  for (unsigned k = i + 1; k < j; ++k) {
    if (!is_free(s->points->loop, i, k) || !is_free(s->points->loop, k, j)) continue;
    double quality = min2(worst, quality_of(s->points, i, k, j));
    put(s->now + 3 * (size_t)made, i, k, j);
    if (quality <= s->quality || crosses_earlier(s->points, s->now, made)) continue;
    span_stack next = left;
    add_span(&next, k, j), add_span(&next, i, k);
    try_spans(s, next, made + 1, quality);
  }
}

// Takes the best triangulation without a crossing in place of one that has some; where all have, it stays.
static void fill_apart(loop_points *p, uint32_t *triangle) {
  search s = {.points = p, .quality = -1.0};
  span_stack all = {.count = 0};
  add_span(&all, 0, p->loop->length - 1);
  try_spans(&s, all, 0, HUGE_VAL);
  if (s.quality >= 0.0) memcpy(triangle, s.best, 3 * (p->loop->length - 2) * sizeof *triangle);
}

unsigned mote_loop_fill(const mote_loop *loop, const double *position, uint32_t *triangle) {
  MOTE_ASSERT(loop->length >= 3 && loop->length <= MOTE_CUBE_EDGES);
  MOTE_ASSERT(position != NULL && triangle != NULL);
  unsigned n = loop->length;
  if (n == 3) return put(triangle, loop->vertex[0], loop->vertex[1], loop->vertex[2]);
  loop_points p = {.loop = loop};
  for (unsigned i = 0; i < n; ++i) copy3(position + 3 * (size_t)loop->vertex[i], p.x + 3 * (size_t)i);
  uint32_t own[3 * MOST];
  fill_by_parts(&p, own);
  bool crosses = false;
  for (unsigned t = 1; n >= CROSSING_LEAST && t < n - 2 && !crosses; ++t)
    crosses = crosses_earlier(&p, own, t);
  if (crosses) fill_apart(&p, own);
  for (unsigned k = 0; k < 3 * (n - 2); ++k) triangle[k] = loop->vertex[own[k]];
  return n - 2;
}
