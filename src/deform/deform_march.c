// Fast marching of second order on the points of a deform_grid, after Sethian, "Fast marching methods"
// (1999): see deform_march.h. Where all grid points of the box between the source and a point are connected,
// the segment between them lies inside: the distance is Euclidean, and no march is needed.
#include "deform/deform_march.h"

#include <math.h>
#include <string.h>

#include "geom/triple.h"

// Marks of the points of a run, above its number. EDGE: straight, and beside points that are not.
enum { WAITING = 0, DONE = 1, STRAIGHT = 2, EDGE = 3, MARKS = 4 };
#define HEAP_ENTRIES 6  // per point: a point enters again with each lower value, at most once a neighbour

mote_result mote_deform_march_make(const mote_deform_grid *grid, mote_arena *memory, mote_deform_march *out,
                                   mote_error *error) {
  size_t n = grid->count;
  *out = (mote_deform_march){.grid = grid, .capacity = HEAP_ENTRIES * n + 1};
  MOTE_TAKE(out->value, memory, n, error);
  MOTE_TAKE(out->mark, memory, n, error);
  MOTE_TAKE(out->reached, memory, n, error);
  MOTE_TAKE(out->heap, memory, out->capacity, error);
  for (size_t i = 0; i < n; ++i) out->mark[i] = 0;
  return MOTE_OK;
}

static inline bool before(const mote_deform_entry *a, const mote_deform_entry *b) {
  return a->value < b->value || (a->value == b->value && a->point < b->point);
}

static void enqueue(mote_deform_march *m, double value, uint32_t point) {
  MOTE_ASSERT(m->waiting < m->capacity);
  mote_deform_entry e = {value, point}, *heap = m->heap;
  size_t k = m->waiting++;
  for (; k > 0 && before(&e, heap + (k - 1) / 4); k = (k - 1) / 4) heap[k] = heap[(k - 1) / 4];
  heap[k] = e;
}

static mote_deform_entry pop(mote_deform_march *m) {
  mote_deform_entry *heap = m->heap, top = heap[0], last = heap[--m->waiting];
  size_t k = 0;
  for (size_t child; (child = 4 * k + 1) < m->waiting; k = child) {
    size_t end = child + 4 < m->waiting ? child + 4 : m->waiting;
    for (size_t other = child + 1; other < end; ++other)
      if (before(heap + other, heap + child)) child = other;
    if (!before(heap + child, &last)) break;
    heap[k] = heap[child];
  }
  heap[k] = last;
  return top;
}

static inline bool is_done(const mote_deform_march *m, uint32_t p) {
  return m->mark[p] > m->now;
}

// One axis of the equation: weight (T - base)^2 in cells.
typedef struct upwind {
  double base, weight;
} upwind;

static bool upwind_of(const mote_deform_march *m, uint32_t i, int axis, upwind *out) {
  const uint32_t *link = m->grid->link[i];
  int side = -1;
  for (int k = 2 * axis; k < 2 * axis + 2; ++k) {
    uint32_t j = link[k];
    if (j == MOTE_DEFORM_NONE || !is_done(m, j)) continue;
    if (side < 0 || m->value[j] < m->value[link[side]]) side = k;
  }
  if (side < 0) return false;
  uint32_t j = link[side], beyond = m->grid->link[j][side];
  double t1 = m->value[j];
  *out = (upwind){t1, 1.0};
  if (beyond == MOTE_DEFORM_NONE || !is_done(m, beyond)) return true;
  double t2 = m->value[beyond];
  if (t2 <= t1 && t1 - t2 <= 2.0 * m->grid->cell) *out = (upwind){t1 + (t1 - t2) / 3.0, 2.25};
  return true;
}

// The larger root of sum weight (T - base)^2 = cell^2; axes come in while the front reaches the point later
// than their base.
static double arrive(const mote_deform_march *m, uint32_t i) {
  upwind axis[3], u;
  int axes = 0;
  double cell = m->grid->cell;
  for (int a = 0; a < 3; ++a) {
    if (!upwind_of(m, i, a, &u)) continue;
    int k = axes++;
    for (; k > 0 && u.base < axis[k - 1].base; --k) axis[k] = axis[k - 1];
    axis[k] = u;
  }
  if (axes == 0) return HUGE_VAL;
  double a = axis[0].weight, b = 0.0, c = -1.0;
  for (int k = 1; k < axes; ++k) {
    double d = (axis[k].base - axis[0].base) / cell;
    if (!((a * d - 2.0 * b) * d + c < 0.0)) break;
    a += axis[k].weight, b += axis[k].weight * d, c += axis[k].weight * d * d;
  }
  double square = b * b - a * c;
  return axis[0].base + cell * ((b + sqrt(square > 0.0 ? square : 0.0)) / a);
}

// Whether the point, at these offsets from the source, is reached straight: all points one step nearer to the
// source are.
static bool is_straight(const mote_deform_march *m, uint32_t i, const int32_t offset[3]) {
  for (int k = 0; k < 3; ++k) {
    if (offset[k] == 0) continue;
    uint32_t nearer = m->grid->link[i][2 * k + (offset[k] < 0)];
    if (nearer == MOTE_DEFORM_NONE || m->mark[nearer] < m->now + STRAIGHT) return false;
  }
  return true;
}

static inline void offset_of(const mote_deform_grid *g, uint32_t i, uint32_t source, int32_t out[3]) {
  for (int k = 0; k < 3; ++k) out[k] = (int32_t)g->at[i][k] - (int32_t)g->at[source][k];
}

static inline double straight_distance(const mote_deform_grid *g, const int32_t off[3]) {
  return g->cell * sqrt((double)(off[0] * off[0] + off[1] * off[1] + off[2] * off[2]));
}

// Breadth first, so that points come in the order of their steps from the source.
static void reach_straight(mote_deform_march *m, uint32_t source, double farthest, const double *bound) {
  const mote_deform_grid *g = m->grid;
  m->reached[0] = source, m->count = 1;
  m->mark[source] = m->now + STRAIGHT, m->value[source] = 0.0;
  for (uint32_t next = 0; next < m->count; ++next) {
    uint32_t i = m->reached[next];
    int32_t from[3];
    offset_of(g, i, source, from);
    for (int k = 0; k < 6; ++k) {
      uint32_t j = g->link[i][k];
      // Away from the source only.
      if (j == MOTE_DEFORM_NONE || (k & 1 ? from[k >> 1] < 0 : from[k >> 1] > 0)) continue;
      if (m->mark[j] >= m->now) continue;
      int32_t to[3];
      offset_of(g, j, source, to);
      double d = straight_distance(g, to);
      if (d > farthest || (bound != NULL && !(d < bound[j]))) continue;
      if (!is_straight(m, j, to)) {
        m->mark[i] = m->now + EDGE;
        continue;
      }
      m->mark[j] = m->now + STRAIGHT, m->value[j] = d;
      m->reached[m->count++] = j;
    }
  }
}

// Offers the points next to i their arrival.
static void reach_from(mote_deform_march *m, uint32_t i, const double *bound) {
  for (int k = 0; k < 6; ++k) {
    uint32_t j = m->grid->link[i][k];
    if (j == MOTE_DEFORM_NONE || is_done(m, j)) continue;
    double t = arrive(m, j);
    if (m->mark[j] == m->now && !(t < m->value[j])) continue;
    if (bound != NULL && !(t < bound[j])) continue;
    m->mark[j] = m->now + WAITING, m->value[j] = t;
    if (m->waiting < m->capacity) enqueue(m, t, j);
  }
}

void mote_deform_march_run(mote_deform_march *m, uint32_t source, double farthest, const double *bound) {
  MOTE_ASSERT(source < m->grid->count);
  m->now += MARKS;
  m->waiting = 0;
  reach_straight(m, source, farthest, bound);
  m->straight = m->count;
  for (uint32_t k = 0; k < m->straight; ++k)
    if (m->mark[m->reached[k]] == m->now + EDGE) reach_from(m, m->reached[k], bound);
  while (m->waiting > 0) {
    mote_deform_entry e = pop(m);
    if (is_done(m, e.point)) continue;
    if (e.value > farthest) break;
    m->mark[e.point] = m->now + DONE;
    m->reached[m->count++] = e.point;
    reach_from(m, e.point, bound);
  }
}

static mote_result remember(const mote_deform_march *m, double farthest, mote_deform_reach *r,
                            mote_arena *memory, mote_error *error) {
  uint32_t others = m->count - m->straight;
  r->count = m->count, r->straight = m->straight, r->farthest = farthest;
  MOTE_TAKE(r->point, memory, m->count, error);
  MOTE_TAKE(r->value, memory, others, error);
  memcpy(r->point, m->reached, m->count * sizeof *r->point);
  for (uint32_t k = 0; k < others; ++k) r->value[k] = m->value[m->reached[m->straight + k]];
  return MOTE_OK;
}

mote_result mote_deform_march_recall(mote_deform_march *m, uint32_t source, double farthest,
                                     mote_deform_reach *r, mote_arena *memory, mote_error *error) {
  if (r->count == 0 || r->farthest < farthest) {
    mote_deform_march_run(m, source, farthest, NULL);
    return remember(m, farthest, r, memory, error);
  }
  MOTE_ASSERT(r->point[0] == source);
  m->now += MARKS, m->count = 0;
  for (uint32_t k = 0; k < r->count; ++k) {
    uint32_t i = r->point[k];
    int32_t off[3];
    double d = k < r->straight ? (offset_of(m->grid, i, source, off), straight_distance(m->grid, off))
                               : r->value[k - r->straight];
    if (d > farthest) continue;
    m->mark[i] = m->now + DONE, m->value[i] = d;
    m->reached[m->count++] = i;
  }
  return MOTE_OK;
}
