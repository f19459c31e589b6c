// Ties between parts: see deform_voxels.h. Every position outside learns the nearest one inside; where the
// regions of two parts meet, their gap is known.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "deform/deform_voxels.h"
#include "geom/tri_closest.h"
#include "geom/triple.h"

// Two neighbouring positions outside that belong to two parts.
typedef struct meeting {
  double gap;          // between the two points inside, in cells
  size_t from, to;     // these
  uint32_t low, high;  // their parts
} meeting;

typedef struct tying {
  mote_deform_voxels *voxels;
  size_t all, step[3];
  uint32_t *part;    // of each position inside, by links
  uint32_t *source;  // the nearest position inside
  uint32_t parts;
  meeting *meeting;
  size_t meetings, capacity;
} tying;

static void place_of(const tying *t, size_t p, int64_t at[3]) {
  for (int k = 0; k < 3; ++k) at[k] = (int64_t)(p / t->step[k] % t->voxels->grid->n[k]);
}

// In cells.
static double distance_of(const tying *t, size_t p, size_t q) {
  int64_t a[3], b[3], sum = 0;
  place_of(t, p, a), place_of(t, q, b);
  for (int k = 0; k < 3; ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sqrt((double)sum);
}

static void number_parts(tying *t, uint32_t *queue) {
  const mote_deform_voxels *v = t->voxels;
  for (size_t first = 0; first < t->all; ++first) {
    if (!mote_deform_voxels_has(v, first) || t->part[first] != MOTE_DEFORM_NONE) continue;
    size_t end = 0;
    queue[end++] = (uint32_t)first, t->part[first] = t->parts;
    for (size_t next = 0; next < end; ++next) {
      for (int k = 0; k < 6; ++k) {
        size_t p = queue[next], q = k & 1 ? p + t->step[k >> 1] : p - t->step[k >> 1];
        bool open = v->open[k & 1 ? p : q] >> (k >> 1) & 1;
        if (!open || !mote_deform_voxels_has(v, q) || t->part[q] != MOTE_DEFORM_NONE) continue;
        t->part[q] = t->parts, queue[end++] = (uint32_t)q;
      }
    }
    ++t->parts;
  }
}

static bool at_border(const tying *t, size_t p) {
  int64_t at[3];
  place_of(t, p, at);
  for (int k = 0; k < 3; ++k)
    if (at[k] == 0 || at[k] + 1 == (int64_t)t->voxels->grid->n[k]) return true;
  return false;
}

// Spreads the nearest point inside outward up to `reach` cells. Positions wait once at a time.
static void spread(tying *t, double reach, uint32_t *queue, uint8_t *waits) {
  size_t begin = 0, waiting = 0;
  for (size_t p = 0; p < t->all; ++p) {
    if (!mote_deform_voxels_has(t->voxels, p)) continue;
    t->source[p] = (uint32_t)p, queue[waiting++] = (uint32_t)p, waits[p] = 1;
  }
  for (; waiting > 0; --waiting, begin = (begin + 1) % t->all) {
    size_t p = queue[begin];
    waits[p] = 0;
    for (int k = 0; k < 6; ++k) {
      size_t q = k & 1 ? p + t->step[k >> 1] : p - t->step[k >> 1];
      if (mote_deform_voxels_has(t->voxels, q)) continue;
      double d = distance_of(t, q, t->source[p]);
      if (d > reach || at_border(t, q)) continue;
      if (t->source[q] != MOTE_DEFORM_NONE && !(d < distance_of(t, q, t->source[q]))) continue;
      t->source[q] = t->source[p];
      if (!waits[q]) queue[(begin + waiting++) % t->all] = (uint32_t)q, waits[q] = 1;
    }
  }
}

static mote_result gather_meetings(tying *t, const mote_env *env, mote_error *error) {
  for (size_t p = 0; p < t->all; ++p) {
    if (t->source[p] == MOTE_DEFORM_NONE) continue;
    for (int k = 0; k < 3; ++k) {
      uint32_t a = t->source[p], b = t->source[p + t->step[k]];
      if (b == MOTE_DEFORM_NONE || t->part[a] == t->part[b]) continue;
      MOTE_TRY(mote_reserve(env, &t->meeting, &t->capacity, t->meetings + 1, sizeof *t->meeting, error));
      bool swap = t->part[a] > t->part[b];
      uint32_t from = swap ? b : a, to = swap ? a : b;
      t->meeting[t->meetings++] = (meeting){distance_of(t, a, b), from, to, t->part[from], t->part[to]};
    }
  }
  return MOTE_OK;
}

static int by_gap(const void *left, const void *right) {
  const meeting *a = left, *b = right;
  if (a->gap != b->gap) return a->gap < b->gap ? -1 : 1;
  if (a->from != b->from) return a->from < b->from ? -1 : 1;
  return (a->to > b->to) - (a->to < b->to);
}

static uint32_t root_of(const uint32_t *root, uint32_t part) {
  while (root[part] != part) part = root[part];
  return part;
}

// All positions on the segment become inside.
static void fill_segment(tying *t, size_t from, size_t to, uint8_t *fresh) {
  int64_t a[3], b[3];
  place_of(t, from, a), place_of(t, to, b);
  int steps = 2 * (int)ceil(distance_of(t, from, to));
  for (int s = 0; s <= steps; ++s) {
    size_t p = 0;
    for (int k = 0; k < 3; ++k)
      p += t->step[k] * (size_t)floor((double)a[k] + (double)(b[k] - a[k]) * s / steps + 0.5);
    if (mote_deform_voxels_has(t->voxels, p)) continue;
    t->voxels->votes[p] = 3, fresh[p] = 1;
  }
}

static void open_links(const tying *t, const uint8_t *fresh) {
  mote_deform_voxels *v = t->voxels;
  for (size_t p = 0; p < t->all; ++p) {
    if (!fresh[p]) continue;
    for (int k = 0; k < 3; ++k) {
      if (mote_deform_voxels_has(v, p + t->step[k])) v->open[p] |= (uint8_t)(1 << k);
      if (mote_deform_voxels_has(v, p - t->step[k])) v->open[p - t->step[k]] |= (uint8_t)(1 << k);
    }
  }
}

static void set_tie(const tying *t, const meeting *m, mote_deform_tie *out) {
  const mote_deform_grid *g = t->voxels->grid;
  int64_t a[3], b[3];
  place_of(t, m->from, a), place_of(t, m->to, b);
  for (int k = 0; k < 3; ++k) {
    out->from[k] = g->low[k] + g->cell * (double)a[k];
    out->to[k] = g->low[k] + g->cell * (double)b[k];
  }
}

// The bond of two parts is as wide as the gap is narrow: where it is at most twice its least, or a cell more.
static void bond(tying *t, const meeting *first, uint8_t *fresh) {
  double most = max2(2.0 * first->gap - 1.0, first->gap + 1.0);
  for (const meeting *m = first; m < t->meeting + t->meetings && m->gap <= most; ++m)
    if (m->low == first->low && m->high == first->high) fill_segment(t, m->from, m->to, fresh);
}

static mote_result tie_parts(tying *t, double gap, mote_arena *memory, mote_arena *own, mote_deform_tie **tie,
                             size_t *ties, mote_error *error) {
  MOTE_TAKE_NEW(uint32_t, root, own, t->parts, error);
  MOTE_TAKE_NEW(uint8_t, fresh, own, t->all, error);
  MOTE_TAKE(*tie, memory, t->parts, error);
  memset(fresh, 0, t->all);
  for (uint32_t p = 0; p < t->parts; ++p) root[p] = p;
  if (t->meetings > 0) qsort(t->meeting, t->meetings, sizeof *t->meeting, by_gap);
  for (size_t k = 0; k < t->meetings; ++k) {
    const meeting *m = t->meeting + k;
    uint32_t a = root_of(root, m->low), b = root_of(root, m->high);
    if (a == b || (m->gap - 1.0) * t->voxels->grid->cell > gap) continue;
    root[a > b ? a : b] = a > b ? b : a;
    set_tie(t, m, *tie + (*ties)++);
    bond(t, m, fresh);
  }
  open_links(t, fresh);
  return MOTE_OK;
}

mote_result mote_deform_voxels_tie(mote_deform_voxels *v, double gap, mote_arena *memory, mote_arena *own,
                                   mote_deform_tie **tie, size_t *ties, mote_error *error) {
  const mote_deform_grid *g = v->grid;
  tying t = {.voxels = v, .step = {1, g->n[0], (size_t)g->n[0] * g->n[1]}};
  t.all = t.step[2] * g->n[2];
  *ties = 0;
  MOTE_TAKE_NEW(uint32_t, queue, own, t.all, error);
  MOTE_TAKE(t.part, own, t.all, error);
  memset(t.part, 0xff, t.all * sizeof *t.part);
  number_parts(&t, queue);
  if (t.parts < 2) return MOTE_OK;
  MOTE_TAKE_NEW(uint8_t, waits, own, t.all, error);
  MOTE_TAKE(t.source, own, t.all, error);
  memset(waits, 0, t.all), memset(t.source, 0xff, t.all * sizeof *t.source);
  spread(&t, 0.5 * gap / g->cell + 2.0, queue, waits);
  mote_result result = gather_meetings(&t, &own->env, error);
  if (result == MOTE_OK) result = tie_parts(&t, gap, memory, own, tie, ties, error);
  mote_free(&own->env, t.meeting, t.capacity, sizeof *t.meeting);
  return result;
}

// --- Places -----------------------------------------------------------------------------------------------

// The triangle nearest to x, of part `only` (UINT32_MAX: of all), and the point of it.
static uint32_t nearest_triangle(const mote_mesh *mesh, const uint32_t *part, uint32_t only,
                                 const double x[3], double out[3]) {
  double least = HUGE_VAL;
  uint32_t found = 0;
  for (size_t t = 0; t < mesh->triangles; ++t) {
    const double *a[3];
    double q[3];
    if (only != UINT32_MAX && part[t] != only) continue;
    for (int k = 0; k < 3; ++k) a[k] = mesh->vertex + 3 * (size_t)mesh->triangle[3 * t + k];
    tri_closest(a[0], a[1], a[2], x, q);
    double d = distance3(x, q);
    if (d < least) least = d, found = (uint32_t)t, copy3(q, out);
  }
  return found;
}

size_t mote_deform_ties_place(const mote_mesh *mesh, const uint32_t *part, mote_deform_tie *tie,
                              size_t ties) {
  enum { ROUNDS = 4 };  // from side to side: the gap falls to its least near by
  size_t kept = 0;
  for (size_t k = 0; k < ties; ++k) {
    mote_deform_tie one = tie[k];
    double from[3], to[3];
    one.triangle[0] = nearest_triangle(mesh, part, UINT32_MAX, one.from, from);
    one.triangle[1] = nearest_triangle(mesh, part, UINT32_MAX, one.to, to);
    uint32_t a = part[one.triangle[0]], b = part[one.triangle[1]];
    if (a == b && a != UINT32_MAX) continue;
    for (int round = 0; round < ROUNDS && a != b; ++round) {
      one.triangle[0] = nearest_triangle(mesh, part, a, to, from);
      one.triangle[1] = nearest_triangle(mesh, part, b, from, to);
    }
    copy3(from, one.from), copy3(to, one.to);
    one.gap = distance3(from, to);
    tie[kept++] = one;
  }
  return kept;
}
