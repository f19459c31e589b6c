// Edges kept between two lengths, triangles in good shape: splits of the longest first, Delaunay flips,
// collapses of the shortest first, then what helps the triangles that are still thin. All in a fixed
// order. docs/theory/tracking.md
#include <mote/numeric.h>
#include <stdlib.h>

#include "mesh/tri_quality.h"
#include "track/tracked_ops.h"

#define ROUNDS 12        // of splits or collapses: lengths halve or double in each
#define FLIP_ROUNDS 4    // of flips; those that are left come with the next step
#define FLIP_MARGIN 0.1  // of the sum of cotangents: four points on a circle are left alone
#define MEND_ROUNDS 3
#define MEND_GAIN 1.05     // by which the worst triangle becomes better
#define COLLAPSE_TURN 0.5  // cosine by which triangles of a collapse may turn

typedef struct listed {
  double key;
  uint32_t a, b, h;  // its ends: h may be another edge by then
} listed;

typedef struct passes {
  mote_tracked *t;
  listed *list;
  size_t count;
  mote_track_report report;
} passes;

static int by_key(const void *x, const void *y) {
  const listed *p = x, *q = y;
  if (p->key != q->key) return p->key < q->key ? -1 : 1;
  return (p->h > q->h) - (p->h < q->h);
}

static double length2_of(const mote_tracked *t, uint32_t h) {
  double u[3];
  sub3(mote_tracked_at(t, mote_edge_end(&t->edges, h)), mote_tracked_at(t, t->edges.origin[h]), u);
  return dot3(u, u);
}

// Edges longer than sqrt(low2), longest first, or shorter than sqrt(high2), shortest first.
static mote_result list_edges(passes *p, bool long_ones, double limit2, mote_error *error) {
  const mote_half_edges *e = &p->t->edges;
  for (int write = 0; write < 2; ++write) {
    if (write) {
      p->list = mote_arena_take(&p->t->scratch, p->count, sizeof *p->list);
      if (p->list == NULL) return mote_fail_memory(error, p->count * sizeof *p->list);
    }
    p->count = 0;
    for (uint32_t h = 0; h < 3 * e->triangles; ++h) {
      if (e->origin[h] == MOTE_TRIANGLE_GONE || e->twin[h] < h) continue;
      double length2 = length2_of(p->t, h);
      if (long_ones ? length2 <= limit2 : length2 >= limit2) continue;
      if (write)
        p->list[p->count] = (listed){long_ones ? -length2 : length2, e->origin[h], mote_edge_end(e, h), h};
      ++p->count;
    }
    if (p->count == 0) return MOTE_OK;
  }
  qsort(p->list, p->count, sizeof *p->list, by_key);
  return MOTE_OK;
}

static bool is_still_there(const mote_tracked *t, const listed *l) {
  return t->edges.origin[l->h] == l->a && mote_edge_end(&t->edges, l->h) == l->b;
}

// --- Passes -----------------------------------------------------------------------------------------------

static mote_result split_pass(passes *p, mote_error *error) {
  mote_tracked *t = p->t;
  double limit = t->def.longest * t->def.edge;
  for (int round = 0; round < ROUNDS; ++round) {
    mote_arena_mark mark = mote_arena_here(&t->scratch);
    MOTE_TRY(list_edges(p, true, limit * limit, error));
    size_t count = p->count;
    if (count > 0) MOTE_TRY(mote_tracked_reserve(t, count, error));
    for (size_t i = 0; i < count; ++i) {
      if (!is_still_there(t, &p->list[i])) continue;
      if (mote_tracked_split(t, p->list[i].h) == MOTE_NO_EDGE)
        return mote_fail_memory(error, sizeof(mote_transfer));
      ++p->report.splits;
    }
    mote_arena_release(&t->scratch, mark);
    if (count == 0) break;
  }
  return MOTE_OK;
}

static void flip_pass(passes *p) {
  mote_tracked *t = p->t;
  double longest = t->def.longest * t->def.edge, bend = mote_cos(2.0 * t->def.bend);
  for (int round = 0; round < FLIP_ROUNDS; ++round) {
    size_t flips = 0;
    for (uint32_t h = 0; h < 3 * t->edges.triangles; ++h) {
      if (t->edges.origin[h] == MOTE_TRIANGLE_GONE || t->edges.twin[h] < h) continue;
      if (!mote_tracked_flip_fits(t, h, FLIP_MARGIN, longest, bend)) continue;
      mote_edge_flip(&t->edges, h);
      ++flips;
    }
    p->report.flips += flips;
    if (flips == 0) break;
  }
}

static mote_result collapse_pass(passes *p, mote_error *error) {
  mote_tracked *t = p->t;
  double limit = t->def.shortest * t->def.edge, sine = mote_sin(t->def.least_angle);
  mote_collapse_limits limits = {.bend = mote_cos(t->def.bend),
                                 .turn = COLLAPSE_TURN,
                                 .longest = t->def.longest * t->def.edge,
                                 .quality = sine * sine};
  for (int round = 0; round < ROUNDS; ++round) {
    size_t done = 0;
    mote_arena_mark mark = mote_arena_here(&t->scratch);
    MOTE_TRY(list_edges(p, false, limit * limit, error));
    for (size_t i = 0; i < p->count; ++i) {
      double to[3];
      if (!is_still_there(t, &p->list[i]) || !(length2_of(t, p->list[i].h) < limit * limit)) continue;
      if (!mote_tracked_collapse_fits(t, p->list[i].h, &limits, to)) continue;
      if (!mote_tracked_collapse(t, p->list[i].h, to)) return mote_fail_memory(error, sizeof(mote_transfer));
      ++done;
    }
    mote_arena_release(&t->scratch, mark);
    p->report.collapses += done;
    if (done == 0) break;
  }
  return MOTE_OK;
}

static double quality_of(const mote_tracked *t, uint32_t triangle) {
  double n[3];
  const uint32_t *v = t->edges.origin + 3 * (size_t)triangle;
  return tri_quality(mote_tracked_at(t, v[0]), mote_tracked_at(t, v[1]), mote_tracked_at(t, v[2]), n);
}

// Thinner triangles may cost more.
typedef struct mend_stage {
  double angle;      // of def.least_angle
  double deviation;  // of the surface, of the longest side near by
  double bend;       // of def.bend
} mend_stage;
static const mend_stage mend_stages[] = {{1.0, 0.02, 1.0}, {0.6, 0.1, 2.5}, {0.4, 0.3, 4.0}};

static mote_result mend_pass(passes *p, const mend_stage *stage, mote_error *error) {
  mote_tracked *t = p->t;
  double sine = mote_sin(stage->angle * t->def.least_angle);
  mote_edge_limits limits = {.quality = sine * sine,
                             .deviation = stage->deviation,
                             .bend = mote_cos(stage->bend * t->def.bend),
                             .gain = MEND_GAIN};
  for (int round = 0; round < MEND_ROUNDS; ++round) {
    size_t done = 0;
    for (uint32_t f = 0; f < t->edges.triangles; ++f) {
      if (mote_triangle_is_gone(&t->edges, f) || quality_of(t, f) >= limits.quality) continue;
      mote_edge_op op = mote_edge_op_best(&t->edges, t->position, f, &limits);
      if (op.kind == MOTE_EDGE_NONE) continue;
      if (!mote_tracked_do(t, &op)) return mote_fail_memory(error, sizeof(mote_transfer));
      p->report.flips += op.kind == MOTE_EDGE_FLIP, p->report.slides += op.kind == MOTE_EDGE_SLIDE;
      p->report.collapses += op.kind == MOTE_EDGE_COLLAPSE;
      ++done;
    }
    if (done == 0) break;
  }
  return MOTE_OK;
}

mote_result mote_tracked_improve(mote_tracked *t, mote_track_report *report, mote_error *error) {
  if (t == NULL) return mote_fail(error, MOTE_ERROR_ARGUMENT, "tracked must not be NULL");
  passes p = {.t = t};
  mote_arena_release(&t->scratch, (mote_arena_mark){0});
  MOTE_TRY(split_pass(&p, error));
  flip_pass(&p);
  MOTE_TRY(collapse_pass(&p, error));
  flip_pass(&p);
  for (size_t k = 0; k < sizeof mend_stages / sizeof *mend_stages; ++k)
    MOTE_TRY(mend_pass(&p, &mend_stages[k], error));
  double sine = mote_sin(t->def.least_angle);
  for (uint32_t f = 0; f < t->edges.triangles; ++f)
    p.report.poor += !mote_triangle_is_gone(&t->edges, f) && quality_of(t, f) < sine * sine;
  mote_half_edges_check(&t->edges);
  if (report != NULL) *report = p.report;
  return MOTE_OK;
}
