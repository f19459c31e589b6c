// Proof that no two triangles of a tracked mesh cross. Triangles are put into the cells of a hash that their
// boxes touch; two that share a cell are compared in the lowest cell that both touch. Most pairs are
// decided by the plane of one of them; the rest by mote_triangles_cross, whose rounding bounds hold. Where
// most triangles are known not to cross each other, only those that changed are in the cells. The twin by
// brute force is mote_mesh_crossings.
#include "track/tracked_cross.h"

#include <string.h>

#include "base/parallel.h"
#include "geom/tri_cross.h"
#include "geom/triple.h"
#include "track/tracked_mesh.h"

#define GRAIN 256
#define UNTANGLE_ROUNDS 40   // of smoothing
#define UNTANGLE_SHARE 0.25  // of the distance to the mean in each: less is seen to jump than with half of it
#define UNTANGLE_TRIALS 6    // of smoothing and mending
#define CELLS_MOST 16        // along an axis that a triangle touches: cells are larger where one is so large

typedef struct box {
  float low[3], high[3];
} box;

typedef struct cells {
  mote_mesh mesh;
  double edge;  // of its triangles
  double per_cell, origin[3];
  uint32_t mask;
  box *box;              // of each triangle, relative to the origin, rounded outward
  int32_t *cell;         // of each triangle: lowest x, y, z, highest x, y, z
  uint32_t *first;       // of each bucket in `item`
  uint32_t *item;        // triangles by bucket
  uint32_t *crossing;    // of each triangle
  const uint8_t *fresh;  // of each triangle: may cross others; null: all may
  uint8_t *marked;       // vertices of triangles that cross; null: not wanted
} cells;

static bool is_fresh(const cells *c, size_t f) {
  return c->fresh == NULL || c->fresh[f];
}

static uint32_t bucket_of(const cells *c, int32_t x, int32_t y, int32_t z) {
  uint32_t key = (uint32_t)x * 73856093u ^ (uint32_t)y * 19349663u ^ (uint32_t)z * 83492791u;
  return (key ^ key >> 15) & c->mask;
}

static void measure_task(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const cells *c = data;
  for (size_t f = begin; f < end; ++f) {
    const uint32_t *v = c->mesh.triangle + 3 * f;
    if (v[0] == MOTE_TRIANGLE_GONE) continue;
    for (int k = 0; k < 3; ++k) {
      double p = c->mesh.vertex[3 * (size_t)v[0] + k], q = c->mesh.vertex[3 * (size_t)v[1] + k];
      double r = c->mesh.vertex[3 * (size_t)v[2] + k];
      double low = min2(p, min2(q, r)) - c->origin[k], high = max2(p, max2(q, r)) - c->origin[k];
      c->box[f].low[k] = (float)(low * (1.0 - 1e-6)), c->box[f].high[k] = (float)(high * (1.0 + 1e-6));
      c->cell[6 * f + k] = (int32_t)floor(low * c->per_cell);
      c->cell[6 * f + 3 + k] = (int32_t)floor(high * c->per_cell);
    }
  }
}

// Counts or writes the triangles of each bucket, in order.
static void sort_triangles(cells *c, bool write) {
  for (size_t f = 0; f < c->mesh.triangles; ++f) {
    if (c->mesh.triangle[3 * f] == MOTE_TRIANGLE_GONE || !is_fresh(c, f)) continue;
    const int32_t *w = c->cell + 6 * f;
    for (int32_t z = w[2]; z <= w[5]; ++z) {
      for (int32_t y = w[1]; y <= w[4]; ++y) {
        for (int32_t x = w[0]; x <= w[3]; ++x) {
          uint32_t b = bucket_of(c, x, y, z);
          if (write)
            c->item[c->first[b + 1]++] = (uint32_t)f;
          else
            ++c->first[b + 2];
        }
      }
    }
  }
}

static bool boxes_meet(const box *a, const box *b) {
  bool meet = true;
  for (int k = 0; k < 3; ++k) meet &= a->low[k] <= b->high[k] && b->low[k] <= a->high[k];
  return meet;
}

// The plane of triangle s and how far from it is surely not on it.
typedef struct plane {
  double normal[3], size;  // sum of the normal's sizes times that of the points' differences
  const double *at;
} plane;

static void find_plane(const cells *c, const uint32_t *v, plane *p) {
  double u[3], w[3];
  p->at = c->mesh.vertex + 3 * (size_t)v[0];
  sub3(c->mesh.vertex + 3 * (size_t)v[1], p->at, u), sub3(c->mesh.vertex + 3 * (size_t)v[2], p->at, w);
  cross3(u, w, p->normal);
  p->size = length3(u) * length3(w);
}

// Whether the corners of t that s does not have are all surely on one side of the plane of s.
static bool is_beside(const cells *c, const plane *p, const uint32_t *s, const uint32_t *t) {
  int above = 0, below = 0;
  for (int k = 0; k < 3; ++k) {
    if (t[k] == s[0] || t[k] == s[1] || t[k] == s[2]) continue;
    double d[3];
    sub3(c->mesh.vertex + 3 * (size_t)t[k], p->at, d);
    // Fifty times what rounding can do to such a product.
    double height = dot3(p->normal, d), bound = 1e-14 * p->size * (fabs(d[0]) + fabs(d[1]) + fabs(d[2]));
    above += !(height < -bound), below += !(height > bound);
  }
  return above == 0 || below == 0;
}

static void note_crossing(const cells *c, uint32_t f, uint32_t g) {
  ++c->crossing[f];
  for (size_t k = 0; k < 3 && c->marked != NULL; ++k)
    c->marked[c->mesh.triangle[3 * (size_t)f + k]] = c->marked[c->mesh.triangle[3 * (size_t)g + k]] = 1;
}

// Triangle f against those of one cell; two that are both in cells are compared when it is the first's turn.
static void compare_in_cell(const cells *c, uint32_t f, const plane *p, const int32_t at[3]) {
  const uint32_t *s = c->mesh.triangle + 3 * (size_t)f;
  const int32_t *w = c->cell + 6 * (size_t)f;
  uint32_t b = bucket_of(c, at[0], at[1], at[2]);
  bool fresh = is_fresh(c, f);
  for (uint32_t i = c->first[b]; i < c->first[b + 1]; ++i) {
    uint32_t g = c->item[i];
    const int32_t *o = c->cell + 6 * (size_t)g;
    if ((fresh && g <= f) || !boxes_meet(&c->box[f], &c->box[g])) continue;
    // In the lowest cell that both touch, and once where two of its cells share the bucket.
    bool lowest = true;
    for (int k = 0; k < 3; ++k) lowest &= at[k] == (w[k] > o[k] ? w[k] : o[k]);
    if (!lowest || (i > c->first[b] && c->item[i - 1] == g)) continue;
    if (is_beside(c, p, s, c->mesh.triangle + 3 * (size_t)g)) continue;
    if (mote_triangles_cross(&c->mesh, f, g)) note_crossing(c, f, g);
  }
}

static void compare(const cells *c, uint32_t f) {
  const int32_t *w = c->cell + 6 * (size_t)f;
  int32_t at[3];
  plane p;
  c->crossing[f] = 0;
  if (c->mesh.triangle[3 * (size_t)f] == MOTE_TRIANGLE_GONE) return;
  find_plane(c, c->mesh.triangle + 3 * (size_t)f, &p);
  for (at[2] = w[2]; at[2] <= w[5]; ++at[2]) {
    for (at[1] = w[1]; at[1] <= w[4]; ++at[1]) {
      for (at[0] = w[0]; at[0] <= w[3]; ++at[0]) compare_in_cell(c, f, &p, at);
    }
  }
}

static void compare_task(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  for (uint32_t f = (uint32_t)begin; f < end; ++f) compare(data, f);
}

static mote_result take_cells(cells *c, mote_arena *arena, mote_error *error) {
  size_t n = c->mesh.triangles;
  uint32_t buckets = 64;
  while (buckets < 2 * n && buckets < 1u << 30) buckets *= 2;
  c->mask = buckets - 1;
  c->box = mote_arena_take(arena, n, sizeof *c->box);
  c->cell = mote_arena_take(arena, 6 * n, sizeof *c->cell);
  c->first = mote_arena_take(arena, (size_t)buckets + 3, sizeof *c->first);
  c->crossing = mote_arena_take(arena, n, sizeof *c->crossing);
  if (c->box == NULL || c->cell == NULL || c->first == NULL || c->crossing == NULL)
    return mote_fail_memory(error, 12 * n * sizeof *c->cell);
  memset(c->first, 0, ((size_t)buckets + 3) * sizeof *c->first);
  return MOTE_OK;
}

// Cells as wide as edges, from the lowest corner of the mesh on.
static mote_result place_cells(cells *c, mote_error *error) {
  double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, extent = 0.0;
  double longest = 0.0;
  for (uint32_t h = 0; h < 3 * c->mesh.triangles; ++h) {
    if (c->mesh.triangle[h] == MOTE_TRIANGLE_GONE) continue;
    const double *x = c->mesh.vertex + 3 * (size_t)c->mesh.triangle[h];
    const double *y = c->mesh.vertex + 3 * (size_t)c->mesh.triangle[mote_edge_next(h)];
    for (int k = 0; k < 3; ++k) {
      low[k] = min2(x[k], low[k]), high[k] = max2(x[k], high[k]);
      longest = max2(longest, fabs(y[k] - x[k]));
    }
  }
  for (int k = 0; k < 3; ++k) c->origin[k] = low[k], extent = max2(extent, high[k] - low[k]);
  c->per_cell = 1.0 / max2(c->edge, longest / CELLS_MOST);
  if (!(extent * c->per_cell < 1e9))
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "the mesh is %g m wide", extent);
  return MOTE_OK;
}

static mote_result count_crossings(cells *c, int threads, mote_arena *arena, size_t *crossings,
                                   mote_error *error) {
  uint8_t *marked = c->marked;
  MOTE_TRY(place_cells(c, error));
  MOTE_TRY(take_cells(c, arena, error));
  mote_parallel_for(threads, c->mesh.triangles, GRAIN, measure_task, c);
  sort_triangles(c, false);
  for (size_t b = 0; b <= c->mask; ++b) c->first[b + 2] += c->first[b + 1];
  size_t items = c->first[(size_t)c->mask + 2];
  c->item = mote_arena_take(arena, items, sizeof *c->item);
  if (c->item == NULL) return mote_fail_memory(error, items * sizeof *c->item);
  sort_triangles(c, true);
  c->marked = NULL;  // few cross: these are marked in a second look, on one thread
  mote_parallel_for(threads, c->mesh.triangles, GRAIN, compare_task, c);
  c->marked = marked;
  for (uint32_t f = 0; f < c->mesh.triangles; ++f) {
    *crossings += c->crossing[f];
    if (marked != NULL && c->crossing[f] > 0) compare(c, f);
  }
  return MOTE_OK;
}

mote_result mote_tracked_crossings(mote_tracked *t, size_t *crossings, mote_error *error) {
  if (t == NULL || crossings == NULL)
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "tracked and crossings must not be NULL");
  *crossings = 0;
  if (mote_tracked_triangles(t) == 0) return MOTE_OK;
  cells c = {.mesh = mote_tracked_rows(t), .edge = t->def.edge};
  mote_arena_release(&t->scratch, (mote_arena_mark){0});
  return count_crossings(&c, t->env.threads, &t->scratch, crossings, error);
}

mote_result mote_cross_mark(const mote_mesh *mesh, double edge, const uint8_t *fresh, int threads,
                            mote_arena *arena, uint8_t *marked, size_t *crossings, mote_error *error) {
  cells c = {.mesh = *mesh, .edge = edge, .fresh = fresh, .marked = marked};
  *crossings = 0;
  if (mesh->triangles == 0) return MOTE_OK;
  mote_arena_mark mark = mote_arena_here(arena);
  mote_result result = count_crossings(&c, threads, arena, crossings, error);
  mote_arena_release(arena, mark);
  return result;
}

// --- Untangling -------------------------------------------------------------------------------------------

// Marked vertices and their neighbours go a part of the distance to the mean of their own.
static void smooth_marked(mote_tracked *t, const uint8_t *marked, double *moved) {
  const mote_half_edges *e = &t->edges;
  for (uint32_t v = 0; v < e->vertices; ++v) {
    double *to = moved + 3 * (size_t)v, mean[3] = {0.0, 0.0, 0.0};
    uint32_t h = e->first[v];
    bool near = marked[v];
    int n = 0;
    copy3(mote_tracked_at(t, v), to);
    if (h == MOTE_NO_EDGE) continue;
    do {
      uint32_t other = mote_edge_end(e, h);
      near |= marked[other];
      step3(mean, 1.0, mote_tracked_at(t, other), mean);
      ++n, h = mote_edge_around(e, h);
    } while (h != e->first[v]);
    for (int k = 0; k < 3 && near; ++k) to[k] += UNTANGLE_SHARE * (mean[k] / n - to[k]);
  }
  for (size_t i = 0; i < 3 * e->vertices; ++i) t->position[i] = moved[i];
}

// The neighbours of marked vertices are marked, too.
static void widen(const mote_tracked *t, uint8_t *marked) {
  const mote_half_edges *e = &t->edges;
  for (size_t h = 0; h < 3 * e->triangles; ++h) {
    uint32_t v = e->origin[h];
    if (v != MOTE_TRIANGLE_GONE && marked[v] == 1 && marked[mote_edge_end(e, (uint32_t)h)] == 0)
      marked[mote_edge_end(e, (uint32_t)h)] = 2;
  }
  for (size_t v = 0; v < e->vertices; ++v) marked[v] = marked[v] != 0;
}

// What is known of a mesh: of its triangles, as they were when last looked at, only those cross whose
// vertices are marked.
typedef struct proof {
  mote_tracked *t;
  mote_arena *arena;
  double *position;  // of the vertices then
  uint32_t *origin;  // of the half-edges
  size_t vertices, triangles;
  uint8_t *fresh, *marked;
  size_t crossings;
} proof;

static bool has_moved(const proof *p, uint32_t v) {
  const double *x = mote_tracked_at(p->t, v), *y = p->position + 3 * (size_t)v;
  return v >= p->vertices || x[0] != y[0] || x[1] != y[1] || x[2] != y[2];
}

// Triangles that are not what they were, or cross others.
static void find_fresh(const proof *p) {
  const uint32_t *now = p->t->edges.origin;
  for (size_t f = 0; f < p->t->edges.triangles; ++f) {
    bool fresh = f >= p->triangles;
    for (size_t h = 3 * f; h < 3 * f + 3 && !fresh && now[h] != MOTE_TRIANGLE_GONE; ++h)
      fresh = now[h] != p->origin[h] || p->marked[now[h]] || has_moved(p, now[h]);
    p->fresh[f] = fresh;
  }
}

// Looks at all triangles, or only at those that changed since the last look.
static mote_result look_again(proof *p, mote_error *error) {
  mote_tracked *t = p->t;
  size_t vertices = t->edges.vertices, triangles = t->edges.triangles;
  bool first = p->position == NULL, more = !first && (vertices > p->vertices || triangles > p->triangles);
  proof old = *p;
  if (first || more) {
    p->position = mote_arena_take(p->arena, 3 * vertices, sizeof *p->position);
    p->origin = mote_arena_take(p->arena, 3 * triangles, sizeof *p->origin);
    p->fresh = mote_arena_take(p->arena, triangles, 1), p->marked = mote_arena_take(p->arena, vertices, 1);
    if (!p->position || !p->origin || !p->fresh || !p->marked)
      return mote_fail_memory(error, 3 * vertices * sizeof *p->position + 14 * triangles);
  }
  old.fresh = p->fresh;
  if (!first) find_fresh(&old);
  memset(p->marked, 0, vertices);
  mote_mesh mesh = mote_tracked_rows(t);
  MOTE_TRY(mote_cross_mark(&mesh, t->def.edge, first ? NULL : p->fresh, t->env.threads, p->arena, p->marked,
                           &p->crossings, error));
  memcpy(p->position, t->position, 3 * vertices * sizeof *p->position);
  memcpy(p->origin, t->edges.origin, 3 * triangles * sizeof *p->origin);
  p->vertices = vertices, p->triangles = triangles;
  return MOTE_OK;
}

// Evens the vertices about crossings, and so many rings farther.
static mote_result smooth(proof *p, int rings, mote_error *error) {
  mote_arena_mark mark = mote_arena_here(p->arena);
  size_t n = p->t->edges.vertices;
  double *moved = mote_arena_take(p->arena, 3 * n, sizeof *moved);
  uint8_t *marked = mote_arena_take(p->arena, n, 1);
  if (moved == NULL || marked == NULL) return mote_fail_memory(error, 3 * n * sizeof *moved);
  memcpy(marked, p->marked, n);
  for (int k = 0; k < rings; ++k) widen(p->t, marked);
  smooth_marked(p->t, marked, moved);
  mote_arena_release(p->arena, mark);
  return MOTE_OK;
}

static mote_result untangle(proof *p, mote_error *error) {
  MOTE_TRY(look_again(p, error));
  for (int trial = 0; p->crossings > 0 && trial < UNTANGLE_TRIALS; ++trial) {
    for (int round = 0; round < UNTANGLE_ROUNDS && p->crossings > 0; ++round) {
      MOTE_TRY(smooth(p, trial, error));
      MOTE_TRY(look_again(p, error));
    }
    // Smoothing leaves thin triangles; mending them may make others cross.
    MOTE_TRY(mote_tracked_improve(p->t, NULL, error));
    MOTE_TRY(look_again(p, error));
  }
  return MOTE_OK;
}

mote_result mote_tracked_untangle(mote_tracked *t, size_t *crossings, mote_error *error) {
  MOTE_TRY(mote_tracked_crossings(t, crossings, error));
  if (*crossings == 0) return MOTE_OK;
  mote_arena arena = mote_arena_make(&t->env);
  proof p = {.t = t, .arena = &arena};
  mote_result result = untangle(&p, error);
  mote_arena_destroy(&arena);
  *crossings = p.crossings;
#ifdef MOTE_ASSERTS
  size_t all = 0;  // debug builds look at all triangles
  if (result == MOTE_OK) result = mote_tracked_crossings(t, &all, error);
  MOTE_ASSERT(result != MOTE_OK || (all > 0) == (*crossings > 0));
#endif
  return result;
}
