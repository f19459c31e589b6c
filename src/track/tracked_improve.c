// Keeps edge lengths between two limits and triangles well shaped: splits the longest edges first, flips to
// Delaunay, collapses the shortest edges first, then applies the best operation to each triangle that is
// still thin. All in a fixed order. docs/theory/tracking.md
#include <mote/numeric.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "mesh/tri_quality.h"
#include "track/tracked_ops.h"
#include "track/tuning.inc"

#define TRIANGLES_PER_TASK 512
#define IMPROVE_ROUNDS 12  // of splits or collapses: lengths halve or double in each
#define FLIP_ROUNDS 4      // of flips; those that are left come with the next step
#define MEND_ROUNDS 3
#define MEND_RINGS 2  // of neighbours on which the best operation for a triangle depends

typedef struct listed {
  double key;
  uint32_t a, b, h;  // its ends: h may be another edge by then
} listed;

// Each pass examines all triangles once, in parallel; then, in order, only those that it selected and the
// neighbours of its changes. The operations are the same as if all triangles were examined after each change.
typedef struct passes {
  mote_tracked *t;
  listed *list;
  size_t count;
  bool long_ones;  // are listed
  double limit2;   // of their length, squared
  double flip_longest, flip_bend;
  double quality;   // thinner triangles are mended
  uint8_t *wanted;  // of each triangle: is looked at
  mote_track_report report;
} passes;

static mote_result find_wanted(passes *p, mote_task *task, mote_error *error) {
  size_t triangles = p->t->edges.triangles;
  MOTE_TAKE(p->wanted, &p->t->scratch, triangles, error);
  mote_parallel_for(p->t->env.threads, triangles, TRIANGLES_PER_TASK, task, p);
  return MOTE_OK;
}

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

static bool is_listed(const passes *p, uint32_t h, double *length2) {
  const mote_half_edges *e = &p->t->edges;
  if (e->origin[h] == MOTE_TRIANGLE_GONE || e->twin[h] < h) return false;
  *length2 = length2_of(p->t, h);
  return p->long_ones ? *length2 > p->limit2 : *length2 < p->limit2;
}

static void list_task(void *data, size_t begin, size_t end, int worker) {
  const passes *p = data;
  (void)worker;
  for (size_t f = begin; f < end; ++f) {
    p->wanted[f] = 0;
    for (uint32_t h = 3 * (uint32_t)f; h < 3 * (uint32_t)f + 3; ++h)
      p->wanted[f] += is_listed(p, h, &(double){0.0});
  }
}

// Edges longer than the limit, longest first, or shorter, shortest first.
static mote_result list_edges(passes *p, bool long_ones, double limit, mote_error *error) {
  const mote_half_edges *e = &p->t->edges;
  p->long_ones = long_ones, p->limit2 = limit * limit, p->count = 0;
  MOTE_TRY(find_wanted(p, list_task, error));
  for (size_t f = 0; f < e->triangles; ++f) p->count += p->wanted[f];
  if (p->count == 0) return MOTE_OK;
  listed *next = p->list = mote_arena_take(&p->t->scratch, p->count, sizeof *p->list);
  if (next == NULL) return mote_fail_memory(error, p->count * sizeof *p->list);
  for (uint32_t h = 0; h < 3 * e->triangles; ++h) {
    double length2;
    if (p->wanted[h / 3] > 0 && is_listed(p, h, &length2))
      *next++ = (listed){long_ones ? -length2 : length2, e->origin[h], mote_edge_end(e, h), h};
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
  for (int round = 0; round < IMPROVE_ROUNDS; ++round) {
    mote_arena_mark mark = mote_arena_here(&t->scratch);
    MOTE_TRY(list_edges(p, true, limit, error));
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

static bool flip_helps(const passes *p, uint32_t h) {
  return p->t->edges.twin[h] > h &&
         mote_tracked_flip_helps(p->t, h, FLIP_MARGIN, p->flip_longest, p->flip_bend);
}

static void flip_task(void *data, size_t begin, size_t end, int worker) {
  const passes *p = data;
  (void)worker;
  for (size_t f = begin; f < end; ++f) {
    uint32_t h = 3 * (uint32_t)f;
    p->wanted[f] = !mote_triangle_is_gone(&p->t->edges, (uint32_t)f) &&
                   (flip_helps(p, h) || flip_helps(p, h + 1) || flip_helps(p, h + 2));
  }
}

// Flips the edges of a triangle; after a flip all edges of both triangles are examined again.
static size_t flip_edges(passes *p, uint32_t f) {
  mote_half_edges *e = &p->t->edges;
  size_t flips = 0;
  bool left = false;
  for (uint32_t h = 3 * f; h < 3 * f + 3; ++h) {
    if (!flip_helps(p, h)) continue;
    left = true;
    if (!mote_edge_may_flip(e, h)) continue;
    uint32_t both[2] = {f, e->twin[h] / 3};
    mote_edge_flip(e, h);
    for (uint32_t k = 0; k < 6; ++k) p->wanted[e->twin[3 * both[k / 3] + k % 3] / 3] = 1;
    ++flips;
  }
  if (!left) p->wanted[f] = 0;
  return flips;
}

static mote_result flip_pass(passes *p, mote_error *error) {
  mote_tracked *t = p->t;
  mote_arena_mark mark = mote_arena_here(&t->scratch);
  p->flip_longest = t->def.longest * t->def.edge, p->flip_bend = mote_cos(2.0 * t->def.bend);
  MOTE_TRY(find_wanted(p, flip_task, error));
  for (int round = 0; round < FLIP_ROUNDS; ++round) {
    size_t flips = 0;
    for (uint32_t f = 0; f < t->edges.triangles; ++f) {
      if (p->wanted[f]) flips += flip_edges(p, f);
    }
    p->report.flips += flips;
    if (flips == 0) break;
  }
  mote_arena_release(&t->scratch, mark);
  return MOTE_OK;
}

static mote_result collapse_pass(passes *p, mote_error *error) {
  mote_tracked *t = p->t;
  double limit = t->def.shortest * t->def.edge, sine = mote_sin(t->def.least_angle);
  mote_collapse_limits limits = {.bend = mote_cos(t->def.bend),
                                 .turn = COLLAPSE_TURN,
                                 .longest = t->def.longest * t->def.edge,
                                 .quality = sine * sine};
  for (int round = 0; round < IMPROVE_ROUNDS; ++round) {
    size_t done = 0;
    mote_arena_mark mark = mote_arena_here(&t->scratch);
    MOTE_TRY(list_edges(p, false, limit, error));
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

// Limits of mending by the smallest angle of the triangle: looser for thinner ones.
typedef struct mend_stage {
  double angle;      // of def.least_angle
  double deviation;  // of the surface, of the longest side near by
  double bend;       // of def.bend
} mend_stage;
static const mend_stage mend_stages[] = {{1.0, 0.02, 1.0}, {0.6, 0.1, 2.5}, {0.4, 0.3, 4.0}};

static void mend_task(void *data, size_t begin, size_t end, int worker) {
  const passes *p = data;
  (void)worker;
  for (size_t f = begin; f < end; ++f)
    p->wanted[f] =
        !mote_triangle_is_gone(&p->t->edges, (uint32_t)f) && quality_of(p->t, (uint32_t)f) < p->quality;
}

// Selects the triangles around a vertex and in `rings` further rings.
static void want_about(passes *p, uint32_t v, int rings) {
  const mote_half_edges *e = &p->t->edges;
  uint32_t first = e->first[v], h = first;
  do {
    p->wanted[h / 3] = 1;
    if (rings > 0) want_about(p, mote_edge_end(e, h), rings - 1);
    h = mote_edge_around(e, h);
  } while (h != first);
}

// Applies the best operation to a triangle, if any is allowed.
static mote_result mend(passes *p, uint32_t f, const mote_edge_limits *limits, size_t *done,
                        mote_error *error) {
  mote_tracked *t = p->t;
  p->wanted[f] = 0;
  if (mote_triangle_is_gone(&t->edges, f) || quality_of(t, f) >= limits->quality) return MOTE_OK;
  mote_edge_op op = mote_edge_op_best(&t->edges, t->position, f, limits);
  if (op.kind == MOTE_EDGE_NONE) return MOTE_OK;
  uint32_t end = mote_edge_end(&t->edges, op.edge);
  if (!mote_tracked_do(t, &op)) return mote_fail_memory(error, sizeof(mote_transfer));
  p->report.flips += op.kind == MOTE_EDGE_FLIP, p->report.slides += op.kind == MOTE_EDGE_SLIDE;
  p->report.collapses += op.kind == MOTE_EDGE_COLLAPSE;
  want_about(p, end, 1 + MEND_RINGS);  // the other end is a neighbour
  ++*done;
  return MOTE_OK;
}

static mote_result mend_pass(passes *p, const mend_stage *stage, mote_error *error) {
  mote_tracked *t = p->t;
  double sine = mote_sin(stage->angle * t->def.least_angle);
  mote_edge_limits limits = {.quality = sine * sine,
                             .deviation = stage->deviation,
                             .bend = mote_cos(stage->bend * t->def.bend),
                             .gain = MEND_GAIN};
  mote_arena_mark mark = mote_arena_here(&t->scratch);
  p->quality = limits.quality;
  MOTE_TRY(find_wanted(p, mend_task, error));
  for (int round = 0; round < MEND_ROUNDS; ++round) {
    size_t done = 0;
    for (uint32_t f = 0; f < t->edges.triangles; ++f) {
      if (p->wanted[f]) MOTE_TRY(mend(p, f, &limits, &done, error));
    }
    if (done == 0) break;
  }
  mote_arena_release(&t->scratch, mark);
  return MOTE_OK;
}

mote_result mote_tracked_improve(mote_tracked *t, mote_track_report *report, mote_error *error) {
  if (t == NULL) return mote_fail(error, MOTE_ERROR_ARGUMENT, "tracked must not be NULL");
  passes p = {.t = t};
  mote_arena_release(&t->scratch, (mote_arena_mark){0});
  MOTE_TRY(split_pass(&p, error));
  MOTE_TRY(flip_pass(&p, error));
  MOTE_TRY(collapse_pass(&p, error));
  MOTE_TRY(flip_pass(&p, error));
  for (size_t k = 0; k < sizeof mend_stages / sizeof *mend_stages; ++k)
    MOTE_TRY(mend_pass(&p, &mend_stages[k], error));
  double sine = mote_sin(t->def.least_angle);
  for (uint32_t f = 0; f < t->edges.triangles && report != NULL; ++f)
    p.report.poor += !mote_triangle_is_gone(&t->edges, f) && quality_of(t, f) < sine * sine;
  mote_half_edges_check(&t->edges);
  if (report != NULL) *report = p.report;
  return MOTE_OK;
}
