// See deform_spacing.h. The depth of a point is its distance from the surface. A point belongs to the deepest
// point within twice whose depth it lies, so that corners of a box are as thick as the box. A limb is as
// thick as the largest balls inside it that contain its points, also where its root lies so near to the body.
#include "deform/deform_spacing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "deform/tuning.inc"
#include "geom/triple.h"

enum { BALL = 1, CORNER = 2 };  // reaches in depths; the corner of a cube lies sqrt(3) away from its middle

typedef struct spacing_job {
  const mote_deform_grid *grid;
  double *depth;
  uint32_t *source, *queue;
  uint8_t *waits;
} spacing_job;

static double cells_between(const mote_deform_grid *g, uint32_t i, uint32_t j) {
  int sum = 0;
  for (int k = 0; k < 3; ++k) {
    int off = (int)g->at[i][k] - (int)g->at[j][k];
    sum += off * off;
  }
  return sqrt((double)sum);
}

static bool is_at_surface(const mote_deform_grid *g, uint32_t i) {
  for (int k = 0; k < 6; ++k)
    if (g->link[i][k] == MOTE_DEFORM_NONE) return true;
  return false;
}

// The nearest point at the surface spreads inward through the links; points wait once at a time.
static void find_depths(const spacing_job *s) {
  const mote_deform_grid *g = s->grid;
  size_t begin = 0, waiting = 0;
  for (uint32_t i = 0; i < g->count; ++i) {
    s->depth[i] = HUGE_VAL, s->waits[i] = 0;
    if (!is_at_surface(g, i)) continue;
    s->depth[i] = 0.5, s->source[i] = i, s->queue[waiting++] = i, s->waits[i] = 1;
  }
  for (; waiting > 0; --waiting, begin = (begin + 1) % g->count) {
    uint32_t i = s->queue[begin];
    s->waits[i] = 0;
    for (int k = 0; k < 6; ++k) {
      uint32_t j = g->link[i][k];
      if (j == MOTE_DEFORM_NONE) continue;
      double d = 0.5 + cells_between(g, j, s->source[i]);
      if (!(d < s->depth[j])) continue;
      s->depth[j] = d, s->source[j] = s->source[i];
      if (!s->waits[j]) s->queue[(begin + waiting++) % g->count] = j, s->waits[j] = 1;
    }
  }
}

typedef struct ranked {
  double depth;
  uint32_t point;
} ranked;

static int by_depth(const void *left, const void *right) {
  const ranked *a = left, *b = right;
  if (a->depth != b->depth) return a->depth > b->depth ? -1 : 1;
  return (a->point > b->point) - (a->point < b->point);
}

// thickest[i]: the largest depth of a point in whose reach i lies. left[i]: how far that reach goes on.
typedef struct covering {
  int reach;  // depths
  double *thickest, *left;
  uint32_t *mark, now;
} covering;

static void cover_from(const spacing_job *s, covering *c, uint32_t from) {
  const mote_deform_grid *g = s->grid;
  double depth = s->depth[from], reach = c->reach * depth;
  uint32_t end = 0;
  ++c->now;
  s->queue[end++] = from, c->mark[from] = c->now;
  for (uint32_t next = 0; next < end; ++next) {
    uint32_t i = s->queue[next];
    c->thickest[i] = max2(c->thickest[i], depth);
    c->left[i] = max2(c->left[i], reach - cells_between(g, i, from));
    for (int k = 0; k < 6; ++k) {
      uint32_t j = g->link[i][k];
      if (j == MOTE_DEFORM_NONE || c->mark[j] == c->now || cells_between(g, j, from) > reach) continue;
      c->mark[j] = c->now, s->queue[end++] = j;
    }
  }
}

static mote_result find_thickness(const spacing_job *s, int reach, mote_arena *own, double *thickest,
                                  mote_error *error) {
  uint32_t n = s->grid->count;
  covering c = {.reach = reach, .thickest = thickest};
  MOTE_TAKE_NEW(ranked, order, own, n, error);
  MOTE_TAKE(c.left, own, n, error);
  MOTE_TAKE(c.mark, own, n, error);
  for (uint32_t i = 0; i < n; ++i) {
    order[i] = (ranked){s->depth[i], i};
    thickest[i] = 0.0, c.left[i] = -1.0, c.mark[i] = 0;
  }
  qsort(order, n, sizeof *order, by_depth);
  for (uint32_t k = 0; k < n; ++k) {
    uint32_t i = order[k].point;
    if (c.left[i] < 0.5 * sqrt(3.0) * reach * s->depth[i]) cover_from(s, &c, i);
  }
  return MOTE_OK;
}

// Where the reach of the body ends in a limb, the limb goes on inward, up to a body's depth, while the balls
// inside it are smaller than half of the body. ball[i]: the largest that contains point i.
static void thin_roots(const spacing_job *s, const double *ball, double *thickest) {
  const mote_deform_grid *g = s->grid;
  size_t begin = 0, waiting = 0;
  for (uint32_t i = 0; i < g->count; ++i) {
    s->waits[i] = 0, s->source[i] = i;
    for (int k = 0; k < 6 && !s->waits[i]; ++k)
      s->waits[i] = g->link[i][k] != MOTE_DEFORM_NONE && thickest[i] < LIMB_SHARE * thickest[g->link[i][k]];
    if (s->waits[i]) s->queue[waiting++] = i;
  }
  for (; waiting > 0; --waiting, begin = (begin + 1) % g->count) {
    uint32_t i = s->queue[begin];
    s->waits[i] = 0;
    for (int k = 0; k < 6; ++k) {
      uint32_t j = g->link[i][k];
      if (j == MOTE_DEFORM_NONE) continue;
      double limb = max2(ball[j], thickest[i]);
      if (!(limb < LIMB_SHARE * thickest[j]) || cells_between(g, j, s->source[i]) > thickest[j]) continue;
      thickest[j] = limb, s->source[j] = s->source[i];
      if (!s->waits[j]) s->queue[(begin + waiting++) % g->count] = j, s->waits[j] = 1;
    }
  }
}

// From points where nodes are close the spacing grows by half of the way.
static void grade(const spacing_job *s, double spacing, double *wanted) {
  const mote_deform_grid *g = s->grid;
  size_t begin = 0, waiting = 0;
  double growth = 0.5 * g->cell;
  for (uint32_t i = 0; i < g->count; ++i) {
    s->waits[i] = wanted[i] < spacing;
    if (s->waits[i]) s->queue[waiting++] = i;
  }
  for (; waiting > 0; --waiting, begin = (begin + 1) % g->count) {
    uint32_t i = s->queue[begin];
    s->waits[i] = 0;
    for (int k = 0; k < 6; ++k) {
      uint32_t j = g->link[i][k];
      if (j == MOTE_DEFORM_NONE || !(wanted[i] + growth < wanted[j])) continue;
      wanted[j] = wanted[i] + growth;
      if (!s->waits[j]) s->queue[(begin + waiting++) % g->count] = j, s->waits[j] = 1;
    }
  }
}

// The least spacing with which so many nodes suffice, about.
static double least_spacing(const mote_deform_grid *g, const double *wanted, double spacing, double nodes) {
  double low = 0.0, high = spacing;
  for (int round = 0; round < 20; ++round) {
    double least = round == 0 ? 0.0 : 0.5 * (low + high), sum = 0.0;
    for (uint32_t i = 0; i < g->count; ++i) {
      double ratio = g->cell / max2(wanted[i], least), usual = g->cell / spacing;
      sum += ratio * ratio * ratio - usual * usual * usual;
    }
    if (round == 0 && sum <= nodes) return 0.0;
    *(sum > nodes ? &low : &high) = least;
  }
  return high;
}

mote_result mote_deform_spacing_make(const mote_deform_grid *g, double spacing, double nodes, mote_arena *own,
                                     double *wanted, mote_error *error) {
  spacing_job s = {.grid = g};
  MOTE_TAKE(s.depth, own, g->count, error);
  MOTE_TAKE(s.source, own, g->count, error);
  MOTE_TAKE(s.queue, own, g->count, error);
  MOTE_TAKE(s.waits, own, g->count, error);
  find_depths(&s);
  MOTE_TAKE_NEW(double, ball, own, g->count, error);
  MOTE_TRY(find_thickness(&s, BALL, own, ball, error));
  MOTE_TRY(find_thickness(&s, CORNER, own, wanted, error));
  thin_roots(&s, ball, wanted);
  for (uint32_t i = 0; i < g->count; ++i)
    wanted[i] = min2(spacing, g->cell * max2(1.0, DEPTHS_APART * wanted[i]));
  grade(&s, spacing, wanted);
  double least = least_spacing(g, wanted, spacing, nodes);
  for (uint32_t i = 0; i < g->count; ++i) wanted[i] = max2(wanted[i], least);
  return MOTE_OK;
}
