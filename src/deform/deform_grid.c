// Triangles cut by the grid lines of every axis: see deform_grid.h. The test of a line against an edge
// computes the same number for both triangles of the edge, so that none slips through between, also where
// vertices are duplicated.
#include "deform/deform_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "deform/deform_voxels.h"
#include "geom/mesh_parts.h"
#include "geom/triple.h"

#define POSITIONS_MAX 4e8         // range: 1.6 GB of numbers
#define BORDER_CELLS 2            // cells around the mesh
#define COINCIDENT_DISTANCE 1e-9  // rounding: of the size; parts whose faces are so close are one
// No line of the grid lies in a face of a mesh with round coordinates.
#define OFFSET_X 0.4142135623730951  // exact
#define OFFSET_Y 0.3819660112501051  // exact
#define OFFSET_Z 0.3247179572447460  // exact

// A triangle met by a grid line.
typedef struct hit {
  double at;
  int32_t change;  // of the winding number
} hit;

// The grid lines along one axis.
typedef struct lines {
  const mote_mesh *mesh;
  mote_deform_grid *grid;
  int axis, b, c;  // b, c: the other axes, right-handed
  double sign, coincident;
  size_t *first;  // hits of each line
  hit *hit;
} lines;

// Which side of the edge u v the point is on, the same number for v u but for the sign.
static int side_of(const double *u, const double *v, int b, int c, const double p[2]) {
  bool swap = u[b] > v[b] || (u[b] == v[b] && u[c] > v[c]);
  const double *s = swap ? v : u, *t = swap ? u : v;
  double area = (t[b] - s[b]) * (p[1] - s[c]) - (t[c] - s[c]) * (p[0] - s[b]);
  int side = area >= 0.0 ? 1 : -1;
  return swap ? -side : side;
}

// Where the line through p meets the triangle, by its plane.
static double height_of(const double *const x[3], const lines *l, const double p[2]) {
  int b = l->b, c = l->c, a = l->axis;
  double ub = x[1][b] - x[0][b], uc = x[1][c] - x[0][c], vb = x[2][b] - x[0][b], vc = x[2][c] - x[0][c];
  double pb = p[0] - x[0][b], pc = p[1] - x[0][c], area = ub * vc - uc * vb;
  if (area == 0.0) return x[0][a];
  double s = (pb * vc - pc * vb) / area, t = (ub * pc - uc * pb) / area;
  return x[0][a] + s * (x[1][a] - x[0][a]) + t * (x[2][a] - x[0][a]);
}

// The range of grid coordinates of the triangle along an axis.
static void range_of(const double *const x[3], const mote_deform_grid *g, int k, int64_t out[2]) {
  double low = min2(x[0][k], min2(x[1][k], x[2][k])), high = max2(x[0][k], max2(x[1][k], x[2][k]));
  out[0] = (int64_t)ceil((low - g->low[k]) / g->cell - 1e-9);
  out[1] = (int64_t)floor((high - g->low[k]) / g->cell + 1e-9);
  if (out[0] < 0) out[0] = 0;
  if (out[1] >= g->n[k]) out[1] = g->n[k] - 1;
}

// Counts the hits of one triangle in first[line + 1], or writes them.
static void cut_triangle(const lines *l, size_t t, bool write) {
  const mote_deform_grid *g = l->grid;
  const double *x[3];
  for (int k = 0; k < 3; ++k) x[k] = l->mesh->vertex + 3 * (size_t)l->mesh->triangle[3 * t + k];
  int64_t rb[2], rc[2];
  range_of(x, g, l->b, rb), range_of(x, g, l->c, rc);
  for (int64_t k = rc[0]; k <= rc[1]; ++k) {
    for (int64_t j = rb[0]; j <= rb[1]; ++j) {
      double p[2] = {g->low[l->b] + g->cell * (double)j, g->low[l->c] + g->cell * (double)k};
      int s = side_of(x[0], x[1], l->b, l->c, p);
      if (side_of(x[1], x[2], l->b, l->c, p) != s || side_of(x[2], x[0], l->b, l->c, p) != s) continue;
      size_t line = (size_t)k * g->n[l->b] + (size_t)j;
      if (!write) {
        ++l->first[line + 2];
        continue;
      }
      // Counter-clockwise seen along the axis from above: the normal points up, the line leaves.
      int change = (s > 0) == (l->sign > 0.0) ? -1 : 1;
      // Where faces of two parts coincide the one that is entered comes first: no link is closed.
      l->hit[l->first[line + 1]++] = (hit){height_of(x, l, p) - change * l->coincident, change};
    }
  }
}

static int compare_hits(const void *left, const void *right) {
  const hit *a = left, *b = right;
  return a->at < b->at ? -1 : a->at > b->at ? 1 : a->change - b->change;
}

// Walks along a line: votes[position] counts the axes along which the position is inside; bit `axis` of
// open[position] says that the winding number stays positive up to the next position.
static bool walk_line(const lines *l, size_t line, uint8_t *votes, uint8_t *open) {
  const mote_deform_grid *g = l->grid;
  size_t b = line % g->n[l->b], c = line / g->n[l->b];
  hit *h = l->hit + l->first[line];
  size_t number = l->first[line + 1] - l->first[line];
  if (number == 0) return true;
  qsort(h, number, sizeof *h, compare_hits);
  size_t stride[3] = {1, g->n[0], (size_t)g->n[0] * g->n[1]};
  size_t at = b * stride[l->b] + c * stride[l->c], next = 0;
  int winding = 0;
  for (uint32_t i = 0; i < g->n[l->axis]; ++i, at += stride[l->axis]) {
    double here = g->low[l->axis] + g->cell * i, ahead = here + g->cell;
    for (; next < number && h[next].at <= here; ++next) winding += h[next].change;
    votes[at] = (uint8_t)(votes[at] + (winding > 0));
    int least = winding;
    int w = winding;
    for (size_t k = next; k < number && h[k].at <= ahead; ++k) {
      w += h[k].change;
      least = w < least ? w : least;
    }
    if (least > 0) open[at] |= (uint8_t)(1 << l->axis);
  }
  for (; next < number; ++next) winding += h[next].change;
  return winding == 0;
}

static mote_result cut_axis(lines *l, mote_arena *own, uint8_t *votes, uint8_t *open, size_t *bad,
                            size_t *used, mote_error *error) {
  const mote_deform_grid *g = l->grid;
  size_t count = (size_t)g->n[l->b] * g->n[l->c];
  MOTE_TAKE(l->first, own, count + 2, error);
  memset(l->first, 0, (count + 2) * sizeof *l->first);
  for (size_t t = 0; t < l->mesh->triangles; ++t) cut_triangle(l, t, false);
  for (size_t k = 1; k < count + 2; ++k) l->first[k] += l->first[k - 1];
  MOTE_TAKE(l->hit, own, l->first[count + 1] + 1, error);
  for (size_t t = 0; t < l->mesh->triangles; ++t) cut_triangle(l, t, true);
  for (size_t line = 0; line < count; ++line) {
    *used += l->first[line + 1] > l->first[line];
    *bad += !walk_line(l, line, votes, open);
  }
  return MOTE_OK;
}

static mote_result number_points(mote_deform_grid *g, const uint8_t *votes, const uint8_t *open,
                                 mote_arena *memory, mote_error *error) {
  size_t all = (size_t)g->n[0] * g->n[1] * g->n[2], step[3] = {1, g->n[0], (size_t)g->n[0] * g->n[1]};
  g->count = 0;
  for (size_t p = 0; p < all; ++p) g->inside[p] = votes[p] >= 2 ? g->count++ : MOTE_DEFORM_NONE;
  MOTE_TAKE(g->at, memory, g->count, error);
  MOTE_TAKE(g->link, memory, g->count, error);
  for (size_t p = 0; p < all; ++p) {
    uint32_t i = g->inside[p];
    if (i == MOTE_DEFORM_NONE) continue;
    for (int k = 0; k < 3; ++k) {
      g->at[i][k] = (uint16_t)(p / step[k] % g->n[k]);
      // The border is outside, so that neighbours always exist.
      g->link[i][2 * k] = open[p - step[k]] >> k & 1 ? g->inside[p - step[k]] : MOTE_DEFORM_NONE;
      g->link[i][2 * k + 1] = open[p] >> k & 1 ? g->inside[p + step[k]] : MOTE_DEFORM_NONE;
    }
  }
  return MOTE_OK;
}

// What the grid is to be made of.
typedef struct filling {
  const mote_mesh *mesh;
  const mote_deform_grid_opts *opts;
  mote_deform_voxels voxels;
} filling;

static mote_result cut_axes(filling *f, mote_deform_grid *g, mote_arena *own, mote_error *error) {
  size_t bad = 0, used = 0;
  double diagonal =
      g->cell * sqrt((double)g->n[0] * g->n[0] + (double)g->n[1] * g->n[1] + (double)g->n[2] * g->n[2]);
  lines l = {.mesh = f->mesh, .grid = g, .coincident = COINCIDENT_DISTANCE * diagonal};
  l.sign = mote_mesh_volume(f->mesh) >= 0.0 ? 1.0 : -1.0;
  for (int axis = 0; axis < 3; ++axis) {
    l.axis = axis, l.b = (axis + 1) % 3, l.c = (axis + 2) % 3;
    MOTE_TRY(cut_axis(&l, own, f->voxels.votes, f->voxels.open, &bad, &used, error));
  }
  g->unbalanced = used > 0 ? (double)bad / (double)used : 0.0;
  return mote_deform_voxels_fill_thin(&f->voxels, f->mesh, own, error);
}

static mote_result fill(mote_deform_grid *g, filling *f, mote_arena *memory, mote_arena *own,
                        mote_error *error) {
  size_t all = (size_t)g->n[0] * g->n[1] * g->n[2];
  double thickness = f->opts->thickness;
  MOTE_TAKE(g->inside, memory, all, error);
  MOTE_TAKE(f->voxels.votes, own, all, error);
  MOTE_TAKE(f->voxels.open, own, all, error);
  f->voxels.grid = g;
  memset(f->voxels.votes, 0, all), memset(f->voxels.open, thickness > 0.0 ? 7 : 0, all);
  if (thickness > 0.0)
    mote_deform_voxels_mark(&f->voxels, f->mesh, 0.5 * thickness, NULL);
  else
    MOTE_TRY(cut_axes(f, g, own, error));
  if (f->opts->gap > 0.0)
    MOTE_TRY(mote_deform_voxels_tie(&f->voxels, f->opts->gap, memory, own, &g->tie, &g->ties, error));
  return number_points(g, f->voxels.votes, f->voxels.open, memory, error);
}

mote_result mote_deform_grid_make(const mote_mesh *mesh, const mote_deform_grid_opts *opts,
                                  mote_arena *memory, mote_deform_grid *out, mote_error *error) {
  static const double offset[3] = {OFFSET_X, OFFSET_Y, OFFSET_Z};
  double cell = opts->cell, thickness = opts->thickness;
  MOTE_ASSERT(mesh->triangles > 0 && cell > 0.0 && thickness >= 0.0);
  double high[3], positions = 1.0;
  *out = (mote_deform_grid){.cell = cell};
  mote_mesh_bounds(mesh, out->low, high);
  for (int k = 0; k < 3; ++k) {
    double n = ceil((high[k] - out->low[k] + thickness) / cell) + 2 * BORDER_CELLS;
    if (!(n < 65535.0)) return mote_fail_key(error, "nodes", "need more than 65535 cells along an axis");
    positions *= n;
    out->n[k] = (uint32_t)n;
    out->low[k] -= 0.5 * thickness + (BORDER_CELLS - 1 + offset[k]) * cell;
  }
  if (!(positions <= POSITIONS_MAX))
    return mote_fail_key(error, "nodes", "need a grid of %.3g cells: the mesh is too thin for its extent",
                         positions);
  mote_arena own = mote_arena_make(&memory->env);
  filling f = {.mesh = mesh, .opts = opts};
  mote_result result = fill(out, &f, memory, &own, error);
  mote_arena_destroy(&own);
  return result;
}

// --- Parts ------------------------------------------------------------------------------------------------

mote_result mote_deform_grid_parts(const mote_deform_grid *g, uint32_t *part, uint32_t *parts,
                                   mote_arena *own, mote_error *error) {
  MOTE_TAKE_NEW(uint32_t, queue, own, g->count, error);
  for (uint32_t i = 0; i < g->count; ++i) part[i] = MOTE_DEFORM_NONE;
  *parts = 0;
  for (uint32_t i = 0; i < g->count; ++i) {
    if (part[i] != MOTE_DEFORM_NONE) continue;
    uint32_t end = 0;
    queue[end++] = i, part[i] = *parts;
    for (uint32_t next = 0; next < end; ++next) {
      for (int k = 0; k < 6; ++k) {
        uint32_t j = g->link[queue[next]][k];
        if (j == MOTE_DEFORM_NONE || part[j] != MOTE_DEFORM_NONE) continue;
        part[j] = *parts, queue[end++] = j;
      }
    }
    ++*parts;
  }
  return MOTE_OK;
}

// --- Anchors ----------------------------------------------------------------------------------------------

// Looks at the positions of a cube of 2 reach + 1 cells; returns the best point.
static uint32_t best_within(const mote_deform_grid *g, const double x[3], const double *normal,
                            int64_t reach) {
  int64_t r[3];
  double best = HUGE_VAL;
  uint32_t found = MOTE_DEFORM_NONE;
  for (int k = 0; k < 3; ++k) r[k] = (int64_t)floor((x[k] - g->low[k]) / g->cell + 0.5);
  for (int64_t k = r[2] - reach; k <= r[2] + reach; ++k) {
    for (int64_t j = r[1] - reach; j <= r[1] + reach; ++j) {
      for (int64_t i = r[0] - reach; i <= r[0] + reach; ++i) {
        uint32_t p = mote_deform_grid_find(g, i, j, k);
        if (p == MOTE_DEFORM_NONE) continue;
        double y[3], to[3];
        mote_deform_grid_place(g, p, y);
        sub3(y, x, to);
        double cost = dot3(to, to), along = normal != NULL ? dot3(to, normal) : 0.0;
        if (along > 0.0) cost += (3.0 * g->cell) * (3.0 * g->cell) + 4.0 * along * along;
        if (cost < best) best = cost, found = p;
      }
    }
  }
  return found;
}

uint32_t mote_deform_grid_anchor(const mote_deform_grid *g, const double x[3], const double *normal) {
  MOTE_ASSERT(g->count > 0);
  int64_t most = g->n[0] > g->n[1] ? g->n[0] : g->n[1];
  most = most > g->n[2] ? most : g->n[2];
  for (int64_t reach = 2; reach < 2 * most; reach *= 2) {
    uint32_t found = best_within(g, x, normal, reach);
    if (found != MOTE_DEFORM_NONE) return found;
  }
  return 0;
}
