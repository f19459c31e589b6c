// Whether a closed mesh is a vessel: see vessel.h. Straight lines along each axis go through the cells of a
// grid over the mesh, beside their middles, where edges of meshes often are. Where a line first and last
// crosses the mesh says on which sides of a cell it is; the number of crossings before a cell, whether the
// cell is inside of it.
#include "cli/bodies/vessel.h"

#include <math.h>
#include <stdlib.h>

#include "cli/base/app_assert.h"

enum { SIDE = 20, LINES = SIDE * SIDE, CELLS = SIDE * SIDE * SIDE, ENCLOSED_SIDES = 4 };

typedef struct crossings {
  double low[3], step[3];
  double first[3][LINES], last[3][LINES];  // of each axis, along the line, in cells
  bool inside[CELLS];
} crossings;

static bool find_bounds(const mote_mesh *mesh, crossings *c) {
  double high[3];
  for (int k = 0; k < 3; ++k) c->low[k] = (double)INFINITY, high[k] = (double)-INFINITY;
  for (size_t v = 0; v < 3 * mesh->vertices; ++v) {
    c->low[v % 3] = fmin(c->low[v % 3], mesh->vertex[v]);
    high[v % 3] = fmax(high[v % 3], mesh->vertex[v]);
  }
  for (int k = 0; k < 3; ++k) {
    c->step[k] = (high[k] - c->low[k]) / SIDE;
    if (!(c->step[k] > 0 && isfinite(c->step[k]))) return false;
    for (int line = 0; line < LINES; ++line)
      c->first[k][line] = (double)INFINITY, c->last[k][line] = (double)-INFINITY;
  }
  return true;
}

// Twice the area of a, b and the point.
static double side_of(const double a[2], const double b[2], double u, double v) {
  return (b[0] - a[0]) * (v - a[1]) - (b[1] - a[1]) * (u - a[0]);
}

// Where the line through u, v crosses the triangle of corners (u, v, along); NaN: nowhere.
static double cross(const double corner[3][3], double u, double v) {
  double part[3], sum = 0, at = 0;
  for (int k = 0; k < 3; ++k) {
    part[k] = side_of(corner[(k + 1) % 3], corner[(k + 2) % 3], u, v);
    sum += part[k], at += part[k] * corner[k][2];
  }
  bool hit = (part[0] > 0) == (part[1] > 0) && (part[1] > 0) == (part[2] > 0) && sum != 0;
  return hit ? at / sum : (double)NAN;
}

static void add_crossing(crossings *c, int axis, int u, int v, double at) {
  APP_ASSERT(u >= 0 && u < SIDE && v >= 0 && v < SIDE);
  int line = v * SIDE + u;
  c->first[axis][line] = fmin(c->first[axis][line], at);
  c->last[axis][line] = fmax(c->last[axis][line], at);
  if (axis > 0) return;
  for (int k = 0; k < SIDE; ++k)
    if (k + 0.5 > at) c->inside[line * SIDE + k] ^= true;
}

static void add_triangle(crossings *c, const mote_mesh *mesh, size_t t, int axis) {
  int a = (axis + 1) % 3, b = (axis + 2) % 3;
  double corner[3][3], low[2] = {SIDE, SIDE}, high[2] = {0, 0};
  for (size_t k = 0; k < 3; ++k) {
    const double *x = mesh->vertex + 3 * (size_t)mesh->triangle[3 * t + k];
    corner[k][0] = (x[a] - c->low[a]) / c->step[a], corner[k][1] = (x[b] - c->low[b]) / c->step[b];
    corner[k][2] = (x[axis] - c->low[axis]) / c->step[axis];
    for (int m = 0; m < 2; ++m) low[m] = fmin(low[m], corner[k][m]), high[m] = fmax(high[m], corner[k][m]);
  }
  for (int v = (int)low[1]; v < SIDE && v < high[1]; ++v)
    for (int u = (int)low[0]; u < SIDE && u < high[0]; ++u) {
      double at = cross((const double(*)[3])corner, u + 0.487, v + 0.519);
      if (!isnan(at)) add_crossing(c, axis, u, v, at);
    }
}

static bool is_enclosed(const crossings *c, const int cell[3]) {
  int sides = 0;
  for (int axis = 0; axis < 3; ++axis) {
    int line = cell[(axis + 2) % 3] * SIDE + cell[(axis + 1) % 3];
    sides += c->first[axis][line] < cell[axis] + 0.5;
    sides += c->last[axis][line] > cell[axis] + 0.5;
  }
  return sides >= ENCLOSED_SIDES;
}

bool mesh_is_vessel(const mote_mesh *mesh) {
  crossings *c = calloc(1, sizeof *c);
  if (c == NULL) return false;
  size_t enclosed = 0, filled = 0;
  if (mesh->triangles > 0 && find_bounds(mesh, c)) {
    for (size_t t = 0; t < mesh->triangles; ++t)
      for (int axis = 0; axis < 3; ++axis) add_triangle(c, mesh, t, axis);
    for (int k = 0; k < CELLS; ++k) {
      const int cell[3] = {k % SIDE, k / SIDE % SIDE, k / SIDE / SIDE};
      filled += c->inside[k];
      enclosed += !c->inside[k] && is_enclosed(c, cell);
    }
  }
  free(c);
  return enclosed > filled;
}
