// Filling of thin parts: see deform_voxels.h.
#include "deform/deform_voxels.h"

#include <math.h>
#include <string.h>

#include "geom/tri_closest.h"
#include "geom/triple.h"

enum { STRAY_POINTS = 8 };  // fewer, by themselves, are no part: a tip that the grid just missed
enum {
  NEAR_CELLS = 2
};  // a vertex has a point within so many cells, or lies in a part too thin for the grid

static inline size_t position_of(const mote_deform_grid *g, int64_t i, int64_t j, int64_t k) {
  return ((size_t)k * g->n[1] + (size_t)j) * g->n[0] + (size_t)i;
}

// Along the axis of the normal's largest component only positions near the plane: large triangles have boxes
// of many more.
static void mark_triangle(mote_deform_voxels *v, const double *const x[3], double radius) {
  const mote_deform_grid *g = v->grid;
  int64_t low[3], high[3], at[3];
  double u[3], w[3], n[3];
  for (int k = 0; k < 3; ++k) {
    double least = min2(x[0][k], min2(x[1][k], x[2][k])), most = max2(x[0][k], max2(x[1][k], x[2][k]));
    low[k] = (int64_t)ceil((least - radius - g->low[k]) / g->cell);
    high[k] = (int64_t)floor((most + radius - g->low[k]) / g->cell);
  }
  sub3(x[1], x[0], u), sub3(x[2], x[0], w);
  cross3(u, w, n);
  int a = fabs(n[0]) > fabs(n[1]) ? 0 : 1, b, c;
  a = fabs(n[2]) > fabs(n[a]) ? 2 : a, b = (a + 1) % 3, c = (a + 2) % 3;
  double reach = radius * length3(n) / fabs(n[a]) + g->cell;  // no number, or infinite: the whole row
  for (at[c] = low[c]; at[c] <= high[c]; ++at[c]) {
    for (at[b] = low[b]; at[b] <= high[b]; ++at[b]) {
      double p[3] = {0}, q[3], begin = (double)low[a], end = (double)high[a];
      p[b] = g->low[b] + g->cell * (double)at[b], p[c] = g->low[c] + g->cell * (double)at[c];
      double plane = x[0][a] - ((p[b] - x[0][b]) * n[b] + (p[c] - x[0][c]) * n[c]) / n[a];
      begin = max2(ceil((plane - reach - g->low[a]) / g->cell), begin);
      end = min2(floor((plane + reach - g->low[a]) / g->cell), end);
      for (at[a] = (int64_t)begin; at[a] <= (int64_t)end; ++at[a]) {
        p[a] = g->low[a] + g->cell * (double)at[a];
        tri_closest(x[0], x[1], x[2], p, q);
        if (distance3(p, q) <= radius) v->votes[position_of(g, at[0], at[1], at[2])] = 3;
      }
    }
  }
}

void mote_deform_voxels_mark(mote_deform_voxels *v, const mote_mesh *mesh, double radius,
                             const uint8_t *only) {
  for (size_t t = 0; t < mesh->triangles; ++t) {
    const double *x[3];
    if (only != NULL && !only[t]) continue;
    for (int k = 0; k < 3; ++k) x[k] = mesh->vertex + 3 * (size_t)mesh->triangle[3 * t + k];
    mark_triangle(v, x, radius);
  }
}

// --- Thin parts -------------------------------------------------------------------------------------------

static bool has_near(const mote_deform_voxels *v, const double x[3], int64_t reach) {
  const mote_deform_grid *g = v->grid;
  int64_t r[3], low[3], high[3];
  for (int k = 0; k < 3; ++k) {
    r[k] = (int64_t)floor((x[k] - g->low[k]) / g->cell + 0.5);
    low[k] = r[k] > reach ? r[k] - reach : 0;
    high[k] = r[k] + reach < (int64_t)g->n[k] ? r[k] + reach : (int64_t)g->n[k] - 1;
  }
  for (int64_t k = low[2]; k <= high[2]; ++k)
    for (int64_t j = low[1]; j <= high[1]; ++j)
      for (int64_t i = low[0]; i <= high[0]; ++i)
        if (mote_deform_voxels_has(v, position_of(g, i, j, k))) return true;
  return false;
}

// The positions linked with `first`, at most `most` of them; `seen` marks them.
static size_t gather_linked(const mote_deform_voxels *v, size_t first, size_t most, uint8_t *seen,
                            size_t *list) {
  const mote_deform_grid *g = v->grid;
  const size_t step[3] = {1, g->n[0], (size_t)g->n[0] * g->n[1]};
  size_t count = 0;
  list[count++] = first, seen[first] = 1;
  for (size_t next = 0; next < count && count < most; ++next) {
    for (int k = 0; k < 6 && count < most; ++k) {
      size_t p = list[next], q = k & 1 ? p + step[k >> 1] : p - step[k >> 1];
      bool open = v->open[k & 1 ? p : q] >> (k >> 1) & 1;
      if (!open || !mote_deform_voxels_has(v, q) || seen[q]) continue;
      seen[q] = 1, list[count++] = q;
    }
  }
  return count;
}

static void remove_strays(mote_deform_voxels *v, size_t all, uint8_t *seen) {
  size_t list[STRAY_POINTS];
  for (size_t p = 0; p < all; ++p) {
    if (!mote_deform_voxels_has(v, p)) continue;
    size_t count = gather_linked(v, p, STRAY_POINTS, seen, list);
    for (size_t k = 0; k < count; ++k) {
      seen[list[k]] = 0;
      if (count < STRAY_POINTS) v->votes[list[k]] = 0;
    }
  }
}

// Opens all links of the new positions.
static void open_links(mote_deform_voxels *v, size_t all, const uint8_t *old) {
  const mote_deform_grid *g = v->grid;
  const size_t step[3] = {1, g->n[0], (size_t)g->n[0] * g->n[1]};
  for (size_t p = 0; p < all; ++p) {
    if (!mote_deform_voxels_has(v, p) || old[p]) continue;
    for (int k = 0; k < 3; ++k) {
      if (mote_deform_voxels_has(v, p + step[k])) v->open[p] |= (uint8_t)(1 << k);
      if (mote_deform_voxels_has(v, p - step[k])) v->open[p - step[k]] |= (uint8_t)(1 << k);
    }
  }
}

mote_result mote_deform_voxels_fill_thin(mote_deform_voxels *v, const mote_mesh *mesh, mote_arena *own,
                                         mote_error *error) {
  const mote_deform_grid *g = v->grid;
  size_t all = (size_t)g->n[0] * g->n[1] * g->n[2];
  bool any = false;
  MOTE_TAKE_NEW(uint8_t, old, own, all, error);
  MOTE_TAKE_NEW(uint8_t, thin, own, mesh->triangles, error);
  memset(old, 0, all);
  remove_strays(v, all, old);
  for (size_t t = 0; t < mesh->triangles; ++t) {
    thin[t] = 0;
    for (int k = 0; k < 3 && !thin[t]; ++k) {
      const double *x = mesh->vertex + 3 * (size_t)mesh->triangle[3 * t + k];
      thin[t] = !has_near(v, x, 1) && !has_near(v, x, NEAR_CELLS);
    }
    any |= thin[t] != 0;
  }
  if (!any) return MOTE_OK;
  for (size_t p = 0; p < all; ++p) old[p] = mote_deform_voxels_has(v, p);
  // So that around any point there are at least seven positions, not in one plane.
  mote_deform_voxels_mark(v, mesh, 1.25 * g->cell, thin);
  open_links(v, all, old);
  return MOTE_OK;
}
