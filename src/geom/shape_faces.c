// The surface of a shape: see shape_faces.h. In a cell of a grid the area vector of the surface is the sum
// over the cell's sides of their part inside the shape times their inward normal (Gauss), found from
// distances at the corners. The grid fits the shape's bounds, so that sides of boxes are sides of cells.
#include "geom/shape_faces.h"

#include <math.h>
#include <mote/numeric.h>

#include "base/memory.h"
#include "geom/triple.h"

#define CELLS_MAX 2000000
#define ON_SURFACE 1e-9  // rounding: cells: distances that count as zero

typedef struct face_grid {
  const mote_shape *shape;
  int dimensions;
  double low[3], step[3];  // of the first corner, and of the cells
  size_t corners[3];
  double *value;  // distances at the corners in units of the smallest step
} face_grid;

static mote_result make_grid(const mote_shape *shape, int dimensions, double size, face_grid *g,
                             mote_error *error) {
  double low[3], high[3], cells = 1.0;
  mote_shape_bounds(shape, low, high);
  *g = (face_grid){.shape = shape, .dimensions = dimensions};
  for (int a = 0; a < dimensions; ++a) {
    if (!isfinite(low[a]) || !isfinite(high[a])) return mote_fail_key(error, "shape", "has no bounds");
    cells *= (high[a] - low[a]) / size + 2.0;
  }
  if (cells > CELLS_MAX) size *= dimensions == 3 ? mote_cbrt(cells / CELLS_MAX) : sqrt(cells / CELLS_MAX);
  for (int a = 0; a < 3; ++a) {
    double extent = a < dimensions ? high[a] - low[a] : 0.0;
    double count = a < dimensions ? max2(1.0, floor(extent / size + 0.5)) : 0.0;
    g->step[a] = a < dimensions ? extent / count : 1.0;
    g->low[a] = a < dimensions ? low[a] - g->step[a] : 0.0;
    g->corners[a] = a < dimensions ? (size_t)count + 3 : 1;
  }
  return MOTE_OK;
}

static double smallest_step(const face_grid *g) {
  double least = min2(g->step[0], g->step[1]);
  return g->dimensions == 3 ? min2(least, g->step[2]) : least;
}

static size_t corner_index(const face_grid *g, size_t i, size_t j, size_t k) {
  return i + g->corners[0] * (j + g->corners[1] * k);
}

static void find_distances(face_grid *g) {
  double unit = 1.0 / smallest_step(g);
  for (size_t k = 0; k < g->corners[2]; ++k) {
    for (size_t j = 0; j < g->corners[1]; ++j) {
      for (size_t i = 0; i < g->corners[0]; ++i) {
        double x[3] = {g->low[0] + (double)i * g->step[0], g->low[1] + (double)j * g->step[1],
                       g->dimensions == 3 ? g->low[2] + (double)k * g->step[2] : 0.0};
        double d = unit * mote_shape_distance(g->shape, x);
        g->value[corner_index(g, i, j, k)] = fabs(d) < ON_SURFACE ? 0.0 : d;
      }
    }
  }
}

// Where a side between values a and b is cut, from a.
static double cut_at(double a, double b) {
  return a / (a - b);
}

// The part of a side between two corners that is inside.
static double inside_length(double a, double b) {
  if (a <= 0.0 && b <= 0.0) return 1.0;
  if (a > 0.0 && b > 0.0) return 0.0;
  return a <= 0.0 ? cut_at(a, b) : 1.0 - cut_at(a, b);
}

// The part of a square that is inside, by the values at its corners in order.
static double inside_area(const double v[4]) {
  static const double x[4] = {0.0, 1.0, 1.0, 0.0}, y[4] = {0.0, 0.0, 1.0, 1.0};
  double px[8], py[8], area = 0.0;
  int n = 0;
  for (int a = 0; a < 4; ++a) {
    int b = (a + 1) % 4;
    if (v[a] <= 0.0) px[n] = x[a], py[n++] = y[a];
    if ((v[a] <= 0.0) == (v[b] <= 0.0)) continue;
    double t = cut_at(v[a], v[b]);
    px[n] = x[a] + t * (x[b] - x[a]), py[n++] = y[a] + t * (y[b] - y[a]);
  }
  for (int a = 0; a < n; ++a) area += 0.5 * (px[a] * py[(a + 1) % n] - px[(a + 1) % n] * py[a]);
  return area;
}

// The part inside of the side of cell (i, j, k) across `axis` at its low end.
static double inside_side(const face_grid *g, int axis, size_t i, size_t j, size_t k) {
  const double *v = g->value;
  if (g->dimensions == 2) {
    double a = v[corner_index(g, i, j, 0)];
    return inside_length(a, axis == 0 ? v[corner_index(g, i, j + 1, 0)] : v[corner_index(g, i + 1, j, 0)]);
  }
  static const size_t step[3][2][3] = {
      {{0, 1, 0}, {0, 0, 1}}, {{0, 0, 1}, {1, 0, 0}}, {{1, 0, 0}, {0, 1, 0}}};
  const size_t *u = step[axis][0], *w = step[axis][1];
  double corner[4] = {v[corner_index(g, i, j, k)], v[corner_index(g, i + u[0], j + u[1], k + u[2])],
                      v[corner_index(g, i + u[0] + w[0], j + u[1] + w[1], k + u[2] + w[2])],
                      v[corner_index(g, i + w[0], j + w[1], k + w[2])]};
  return inside_area(corner);
}

static bool find_area(const face_grid *g, size_t i, size_t j, size_t k, double area[3]) {
  double largest = 0.0;
  set3(0.0, 0.0, 0.0, area);
  for (int a = 0; a < g->dimensions; ++a) {
    double side = 1.0;
    for (int b = 0; b < g->dimensions; ++b) side *= b == a ? 1.0 : g->step[b];
    double low = inside_side(g, a, i, j, k);
    double high = inside_side(g, a, i + (a == 0), j + (a == 1), k + (a == 2));
    area[a] = side * (low - high);
    largest = max2(largest, fabs(low - high));
  }
  return largest > 1e-12;
}

static mote_result add_face(mote_faces *out, const face_grid *g, const double centre[3], const double area[3],
                            const mote_env *env, mote_error *error) {
  double x[3], normal[3];
  size_t at = 3 * out->count;
  MOTE_TRY(mote_reserve(env, &out->point, &out->capacity[0], at + 3, sizeof *out->point, error));
  MOTE_TRY(mote_reserve(env, &out->area, &out->capacity[1], at + 3, sizeof *out->area, error));
  copy3(centre, x);
  for (int k = 0; k < 3; ++k) step3(x, -mote_shape_closest(g->shape, x, normal), normal, x);
  if (g->dimensions == 2) x[2] = 0.0;
  copy3(x, out->point + at);
  copy3(area, out->area + at);
  ++out->count;
  return MOTE_OK;
}

static mote_result find_faces(const face_grid *g, const mote_env *env, mote_faces *out, mote_error *error) {
  size_t layers = g->dimensions == 3 ? g->corners[2] - 1 : 1;
  for (size_t k = 0; k < layers; ++k) {
    for (size_t j = 0; j + 1 < g->corners[1]; ++j) {
      for (size_t i = 0; i + 1 < g->corners[0]; ++i) {
        double area[3], centre[3] = {0.0, 0.0, 0.0};
        size_t at[3] = {i, j, k};
        if (!find_area(g, i, j, k, area)) continue;
        for (int a = 0; a < g->dimensions; ++a) centre[a] = g->low[a] + ((double)at[a] + 0.5) * g->step[a];
        MOTE_TRY(add_face(out, g, centre, area, env, error));
      }
    }
  }
  return MOTE_OK;
}

mote_result mote_shape_faces(const mote_shape *shape, int dimensions, double size, const mote_env *env,
                             mote_faces *out, mote_error *error) {
  MOTE_ASSERT(shape != NULL && size > 0.0 && (dimensions == 2 || dimensions == 3));
  face_grid g;
  *out = (mote_faces){0};
  MOTE_TRY(make_grid(shape, dimensions, size, &g, error));
  size_t corners = g.corners[0] * g.corners[1] * g.corners[2];
  MOTE_ALLOC(g.value, env, corners, error);
  find_distances(&g);
  out->edge = smallest_step(&g);
  mote_result result = find_faces(&g, env, out, error);
  mote_free(env, g.value, corners, sizeof *g.value);
  if (result != MOTE_OK) mote_faces_free(out, env);
  return result;
}

#define ELEMENT_POINTS 4  // points across an element at which it is looked whether it is inside

double mote_face_part_in(const mote_shape *shape, const double x[3], const double area[3], double edge,
                         int dimensions, double depth) {
  double n[3], u[3], w[3], size = length3(area);
  int inside = 0, across = dimensions == 3 ? ELEMENT_POINTS : 1,
      along = dimensions == 3 ? ELEMENT_POINTS : 2 * ELEMENT_POINTS;
  for (int a = 0; a < 3; ++a) n[a] = area[a] / size;
  if (dimensions == 2) {
    set3(-n[1], n[0], 0.0, u), set3(0.0, 0.0, 0.0, w);
  } else {
    int least =
        fabs(n[0]) < fabs(n[1]) ? (fabs(n[0]) < fabs(n[2]) ? 0 : 2) : (fabs(n[1]) < fabs(n[2]) ? 1 : 2);
    double axis[3] = {least == 0, least == 1, least == 2};
    cross3(n, axis, u);
    double length = length3(u);
    for (int a = 0; a < 3; ++a) u[a] /= length;
    cross3(n, u, w);
  }
  for (int k = 0; k < along * across; ++k) {
    double y[3];
    step3(x, -depth, n, y);
    step3(y, edge * ((k % along + 0.5) / along - 0.5), u, y);
    step3(y, edge * ((k / along + 0.5) / across - 0.5), w, y);
    inside += mote_shape_distance(shape, y) <= ON_SURFACE * edge;
  }
  return (double)inside / (along * across);
}

void mote_faces_free(mote_faces *faces, const mote_env *env) {
  mote_free(env, faces->point, faces->capacity[0], sizeof *faces->point);
  mote_free(env, faces->area, faces->capacity[1], sizeof *faces->area);
  *faces = (mote_faces){0};
}
