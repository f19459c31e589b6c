// Triangles in loops: see loop_fill.h. Best triangulations of parts of the loop make best triangulations of
// the whole: a table over the spans i .. j holds the quality of the worst triangle between them.
#include "mesh/loop_fill.h"

#include "base/check.h"
#include "mesh/tri_quality.h"

#define MOST MOTE_CUBE_EDGES

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

typedef struct spans {
  double worst[MOST][MOST];  // negative: cannot be
  uint8_t apex[MOST][MOST];  // of the triangle on the side i, j
} spans;

// The best apex for the span i .. j.
static void find_apex(const mote_loop *loop, const double *position, unsigned i, unsigned j, spans *s) {
  s->worst[i][j] = -1.0;
  s->apex[i][j] = (uint8_t)(i + 1);
  bool closing = j - i == loop->length - 1;
  if (!closing && (loop->faces[i] & loop->faces[j])) return;
  const double *a = position + 3 * (size_t)loop->vertex[i], *c = position + 3 * (size_t)loop->vertex[j];
  double area2[3];
  for (unsigned k = i + 1; k < j; ++k) {
    double parts = min2(s->worst[i][k], s->worst[k][j]);
    if (parts <= s->worst[i][j]) continue;
    double all = min2(parts, tri_quality(a, position + 3 * (size_t)loop->vertex[k], c, area2));
    if (all > s->worst[i][j]) s->worst[i][j] = all, s->apex[i][j] = (uint8_t)k;
  }
}

static unsigned put_span(const mote_loop *loop, const spans *s, unsigned i, unsigned j, uint32_t *triangle) {
  if (j - i < 2) return 0;
  unsigned k = s->apex[i][j];
  unsigned n = put(triangle, loop->vertex[i], loop->vertex[k], loop->vertex[j]);
  n += put_span(loop, s, i, k, triangle + 3 * (size_t)n);
  return n + put_span(loop, s, k, j, triangle + 3 * (size_t)n);
}

unsigned mote_loop_fill(const mote_loop *loop, const double *position, uint32_t *triangle) {
  MOTE_ASSERT(loop->length >= 3 && loop->length <= MOTE_CUBE_EDGES);
  MOTE_ASSERT(position != NULL && triangle != NULL);
  unsigned n = loop->length;
  if (n == 3) return put(triangle, loop->vertex[0], loop->vertex[1], loop->vertex[2]);
  spans s;
  for (unsigned i = 0; i + 1 < n; ++i) s.worst[i][i + 1] = HUGE_VAL;
  for (unsigned span = 2; span < n; ++span) {
    for (unsigned i = 0; i + span < n; ++i) find_apex(loop, position, i, i + span, &s);
  }
  return put_span(loop, &s, 0, n - 1, triangle);
}
