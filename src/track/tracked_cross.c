// Proof that no two triangles of a tracked mesh cross. Each triangle is entered into the cells of a spatial
// hash that its bounding box overlaps; two triangles that share cells are tested in the lowest shared one.
// Most pairs are separated by the plane of one triangle; mote_triangles_cross decides the rest exactly. If
// most triangles are known not to cross each other, only those that changed are entered. The brute-force twin
// is mote_mesh_crossings.
#include "track/tracked_cross.h"

#include <string.h>

#include "base/parallel.h"
#include "geom/tri_cross.h"
#include "geom/triple.h"
#include "track/tracked_mesh.h"

#define TRIANGLES_PER_TASK 256
#define BLOCK_CELLS 4  // cells
#define NEAR_MASK 0x7fffu
#define CELLS_ALONG 1e9  // range: that an axis has at most: numbers have 32 bits
#define CELLS_MOST 16    // along an axis that a triangle touches: cells are larger where one is so large

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
  uint8_t *near;         // by hash, BLOCK_CELLS cells wide: a fresh triangle is there; null: all are fresh
  uint8_t *marked;       // vertices of triangles that cross; null: not wanted
} cells;

static bool is_fresh(const cells *c, size_t f) {
  return c->fresh == NULL || c->fresh[f];
}

static uint32_t bucket_of(int32_t x, int32_t y, int32_t z, uint32_t mask) {
  uint32_t key = (uint32_t)x * 73856093u ^ (uint32_t)y * 19349663u ^ (uint32_t)z * 83492791u;
  return (key ^ key >> 15) & mask;
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
          uint32_t b = bucket_of(x, y, z, c->mask);
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

// The plane of triangle s with the bound of the rounding error of distances to it.
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

// Whether all corners of t that are not corners of s lie on one side of the plane of s, beyond rounding
// error.
static bool is_beside(const cells *c, const plane *p, const uint32_t *s, const uint32_t *t) {
  int above = 0, below = 0;
  for (int k = 0; k < 3; ++k) {
    if (t[k] == s[0] || t[k] == s[1] || t[k] == s[2]) continue;
    double d[3];
    sub3(c->mesh.vertex + 3 * (size_t)t[k], p->at, d);
    // Fifty times the rounding error of such a product.
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

// Tests triangle f against those of one cell; a pair of two entered triangles is tested from the first only.
static void compare_in_cell(const cells *c, uint32_t f, const plane *p, const int32_t at[3]) {
  const uint32_t *s = c->mesh.triangle + 3 * (size_t)f;
  const int32_t *w = c->cell + 6 * (size_t)f;
  uint32_t b = bucket_of(at[0], at[1], at[2], c->mask);
  bool fresh = is_fresh(c, f);
  for (uint32_t i = c->first[b]; i < c->first[b + 1]; ++i) {
    uint32_t g = c->item[i];
    const int32_t *o = c->cell + 6 * (size_t)g;
    if ((fresh && g <= f) || !boxes_meet(&c->box[f], &c->box[g])) continue;
    // Only in the lowest shared cell, and once if two of the cells share a bucket.
    bool lowest = true;
    for (int k = 0; k < 3; ++k) lowest &= at[k] == (w[k] > o[k] ? w[k] : o[k]);
    if (!lowest || (i > c->first[b] && c->item[i - 1] == g)) continue;
    if (is_beside(c, p, s, c->mesh.triangle + 3 * (size_t)g)) continue;
    if (mote_triangles_cross(&c->mesh, f, g)) note_crossing(c, f, g);
  }
}

// Whether a fresh triangle may be near: most triangles are far from all of them.
static bool may_meet(const cells *c, uint32_t f) {
  const int32_t *w = c->cell + 6 * (size_t)f;
  bool any = c->near == NULL;
  for (int32_t z = w[2] / BLOCK_CELLS; z <= w[5] / BLOCK_CELLS && !any; ++z) {
    for (int32_t y = w[1] / BLOCK_CELLS; y <= w[4] / BLOCK_CELLS && !any; ++y) {
      for (int32_t x = w[0] / BLOCK_CELLS; x <= w[3] / BLOCK_CELLS && !any; ++x)
        any = c->near[bucket_of(x, y, z, NEAR_MASK)];
    }
  }
  return any;
}

static void mark_near(const cells *c) {
  memset(c->near, 0, NEAR_MASK + 1);
  for (size_t f = 0; f < c->mesh.triangles; ++f) {
    if (c->mesh.triangle[3 * f] == MOTE_TRIANGLE_GONE || !is_fresh(c, f)) continue;
    const int32_t *w = c->cell + 6 * f;
    for (int32_t z = w[2] / BLOCK_CELLS; z <= w[5] / BLOCK_CELLS; ++z) {
      for (int32_t y = w[1] / BLOCK_CELLS; y <= w[4] / BLOCK_CELLS; ++y) {
        for (int32_t x = w[0] / BLOCK_CELLS; x <= w[3] / BLOCK_CELLS; ++x)
          c->near[bucket_of(x, y, z, NEAR_MASK)] = 1;
      }
    }
  }
}

static void compare(const cells *c, uint32_t f) {
  const int32_t *w = c->cell + 6 * (size_t)f;
  int32_t at[3];
  plane p;
  c->crossing[f] = 0;
  if (c->mesh.triangle[3 * (size_t)f] == MOTE_TRIANGLE_GONE || !may_meet(c, f)) return;
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
  size_t n = c->mesh.triangles, fresh = 0;
  uint32_t buckets = 64;
  for (size_t f = 0; f < n; ++f) fresh += is_fresh(c, f);
  while (buckets < 2 * fresh && buckets < 1u << 30) buckets *= 2;
  c->mask = buckets - 1;
  MOTE_TAKE(c->box, arena, n, error);
  MOTE_TAKE(c->cell, arena, 6 * n, error);
  MOTE_TAKE(c->first, arena, (size_t)buckets + 3, error);
  MOTE_TAKE(c->crossing, arena, n, error);
  c->near = c->fresh == NULL ? NULL : mote_arena_take(arena, NEAR_MASK + 1, 1);
  if (c->fresh != NULL && c->near == NULL) return mote_fail_memory(error, NEAR_MASK + 1);
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
  if (!(extent * c->per_cell < CELLS_ALONG))
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "the mesh is %g m wide", extent);
  return MOTE_OK;
}

static mote_result count_crossings(cells *c, int threads, mote_arena *arena, size_t *crossings,
                                   mote_error *error) {
  uint8_t *marked = c->marked;
  MOTE_TRY(place_cells(c, error));
  MOTE_TRY(take_cells(c, arena, error));
  mote_parallel_for(threads, c->mesh.triangles, TRIANGLES_PER_TASK, measure_task, c);
  if (c->near != NULL) mark_near(c);
  sort_triangles(c, false);
  for (size_t b = 0; b <= c->mask; ++b) c->first[b + 2] += c->first[b + 1];
  size_t items = c->first[(size_t)c->mask + 2];
  MOTE_TAKE(c->item, arena, items, error);
  sort_triangles(c, true);
  c->marked = NULL;  // few cross: these are marked in a second look, on one thread
  mote_parallel_for(threads, c->mesh.triangles, TRIANGLES_PER_TASK, compare_task, c);
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

mote_result mote_mesh_cells_make(const mote_mesh *mesh, size_t meshes, double width, mote_mesh_cells *out,
                                 mote_error *error) {
  double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  *out = (mote_mesh_cells){.per_cell = 1.0 / width};
  for (const mote_mesh *m = mesh; m < mesh + meshes; ++m) {
    for (size_t h = 0; h < 3 * m->triangles; ++h) {
      if (m->triangle[h] == MOTE_TRIANGLE_GONE) continue;
      const double *x = m->vertex + 3 * (size_t)m->triangle[h];
      for (int k = 0; k < 3; ++k) low[k] = min2(x[k], low[k]), high[k] = max2(x[k], high[k]);
    }
  }
  for (int k = 0; k < 3 && low[0] <= high[0]; ++k) {
    double first = floor(low[k] * out->per_cell), last = floor(high[k] * out->per_cell);
    if (!(last - first < CELLS_ALONG))
      return mote_fail(error, MOTE_ERROR_ARGUMENT, "the mesh is %g m wide", high[k] - low[k]);
    if (first < -CELLS_ALONG || last > CELLS_ALONG) out->first[k] = first;
  }
  return MOTE_OK;
}
