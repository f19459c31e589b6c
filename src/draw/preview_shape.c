// Meshes of shapes, for pictures, from their distance on a lattice. 3D: one vertex in each cell that the
// surface passes, drawn to the surface, four cells around each edge that it cuts joined (surface nets; Gibson
// 1998). 2D: the inside part of each cell.
#include <math.h>
#include <string.h>

#include "draw/draw_base.h"

typedef struct lattice {
  const mote_shape *shape;
  double low[3], step[3];
  int size[3];       // points
  double *value;     // at points
  uint32_t *corner;  // number of the vertex of each cell, behind which there is one
  size_t points;
} lattice;

static size_t point_at(const lattice *l, const int at[3]) {
  return ((size_t)at[2] * (size_t)l->size[1] + (size_t)at[1]) * (size_t)l->size[0] + (size_t)at[0];
}

static void place_of(const lattice *l, const int at[3], double x[3]) {
  for (int k = 0; k < 3; ++k) x[k] = l->low[k] + at[k] * l->step[k];
}

static void lay_out(lattice *l, const double low[3], const double high[3], int dimensions, int cells) {
  double longest = 0;
  for (int k = 0; k < dimensions; ++k) longest = fmax(longest, high[k] - low[k]);
  for (int k = 0; k < 3; ++k) {
    int n = k < dimensions ? (int)ceil((high[k] - low[k]) / longest * cells - 1e-9) : 0;
    l->size[k] = k < dimensions ? (n > 1 ? n : 1) + 1 : 1;
    l->low[k] = k < dimensions ? low[k] : 0;
    l->step[k] = k < dimensions ? (high[k] - low[k]) / (l->size[k] - 1) : 0;
  }
  l->points = (size_t)l->size[0] * (size_t)l->size[1] * (size_t)l->size[2];
}

// The next place of the lattice; false behind the last. `less` points are left out at the high end.
static bool next_place(const lattice *l, int at[3], int less) {
  for (int k = 0; k < 3; ++k) {
    int end = l->size[k] - (l->size[k] > 1 ? less : 0);
    if (++at[k] < end) return true;
    at[k] = 0;
  }
  return false;
}

static void measure(lattice *l) {
  int at[3] = {0, 0, 0};
  do {
    double x[3];
    place_of(l, at, x);
    l->value[point_at(l, at)] = mote_shape_distance(l->shape, x);
  } while (next_place(l, at, 0));
}

// The mean of where the surface cuts the edges of the cell; false where it does not.
static bool middle_of_cuts(const lattice *l, const int at[3], double x[3]) {
  double sum[3] = {0, 0, 0};
  int cuts = 0;
  for (int c = 0; c < 8; ++c)
    for (int axis = 0; axis < 3; ++axis) {
      if (c >> axis & 1) continue;
      const int a[3] = {at[0] + (c & 1), at[1] + (c >> 1 & 1), at[2] + (c >> 2)};
      const int b[3] = {a[0] + (axis == 0), a[1] + (axis == 1), a[2] + (axis == 2)};
      double va = l->value[point_at(l, a)], vb = l->value[point_at(l, b)], place[3];
      if ((va < 0) == (vb < 0)) continue;
      place_of(l, a, place);
      place[axis] += l->step[axis] * va / (va - vb);
      for (int k = 0; k < 3; ++k) sum[k] += place[k];
      ++cuts;
    }
  for (int k = 0; k < 3 && cuts > 0; ++k) x[k] = sum[k] / cuts;
  return cuts > 0;
}

// Drawn to the surface, but not out of its cell.
static void draw_near(const lattice *l, const int at[3], double x[3]) {
  double normal[3], corner[3];
  double d = mote_shape_closest(l->shape, x, normal);
  place_of(l, at, corner);
  for (int k = 0; k < 3; ++k) {
    double moved = x[k] - d * normal[k];
    if (isfinite(moved)) x[k] = fmin(fmax(moved, corner[k]), corner[k] + l->step[k]);
  }
}

static void make_vertices(lattice *l, mote_buffer *vertex) {
  int at[3] = {0, 0, 0};
  do {
    double x[3];
    l->corner[point_at(l, at)] = UINT32_MAX;
    if (!middle_of_cuts(l, at, x)) continue;
    draw_near(l, at, x);
    l->corner[point_at(l, at)] = (uint32_t)(vertex->size / sizeof x);
    mote_buffer_add(vertex, x, sizeof x);
  } while (next_place(l, at, 1));
}

// The two triangles across the edge from `at` along `axis`, out of the shape.
static void join(const lattice *l, const int at[3], int axis, bool outward, mote_buffer *triangle) {
  int b = (axis + 1) % 3, c = (axis + 2) % 3;
  if (at[b] == 0 || at[c] == 0 || at[b] == l->size[b] - 1 || at[c] == l->size[c] - 1) return;
  uint32_t around[4];
  for (int k = 0; k < 4; ++k) {
    int cell[3] = {at[0], at[1], at[2]};
    cell[b] -= k == 0 || k == 3, cell[c] -= k < 2;
    around[k] = l->corner[point_at(l, cell)];
  }
  const uint32_t quad[6] = {around[0], around[outward ? 1 : 2], around[outward ? 2 : 1],
                            around[0], around[outward ? 2 : 3], around[outward ? 3 : 2]};
  mote_buffer_add(triangle, quad, sizeof quad);
}

static void make_triangles(const lattice *l, mote_buffer *triangle) {
  int at[3] = {0, 0, 0};
  do {
    bool inside = l->value[point_at(l, at)] < 0;
    for (int axis = 0; axis < 3; ++axis) {
      int next[3] = {at[0], at[1], at[2]};
      if (++next[axis] >= l->size[axis] || (l->value[point_at(l, next)] < 0) == inside) continue;
      join(l, at, axis, inside, triangle);
    }
  } while (next_place(l, at, 0));
}

// 2D: what of the cell is inside, as a fan of triangles.
static void fill_cell(const lattice *l, const int at[3], mote_buffer *vertex, mote_buffer *triangle) {
  static const int turn[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  uint32_t first = (uint32_t)(vertex->size / (3 * sizeof(double))), count = 0;
  for (int k = 0; k < 4; ++k) {
    const int *t = turn[k], *u = turn[(k + 1) % 4];
    const int a[3] = {at[0] + t[0], at[1] + t[1], 0}, b[3] = {at[0] + u[0], at[1] + u[1], 0};
    double va = l->value[point_at(l, a)], vb = l->value[point_at(l, b)], xa[3], xb[3];
    place_of(l, a, xa), place_of(l, b, xb);
    if (va < 0) mote_buffer_add(vertex, xa, sizeof xa), ++count;
    if ((va < 0) == (vb < 0)) continue;
    for (int m = 0; m < 3; ++m) xa[m] += va / (va - vb) * (xb[m] - xa[m]);
    mote_buffer_add(vertex, xa, sizeof xa), ++count;
  }
  for (uint32_t k = 2; k < count; ++k) {
    const uint32_t corner[3] = {first, first + k - 1, first + k};
    mote_buffer_add(triangle, corner, sizeof corner);
  }
}

static void fill_area(const lattice *l, mote_buffer *vertex, mote_buffer *triangle) {
  int at[3] = {0, 0, 0};
  do fill_cell(l, at, vertex, triangle);
  while (next_place(l, at, 1));
}

// A copy of exactly the bytes that are there, as mote_mesh_free expects.
static void *exact_copy(const mote_buffer *buffer) {
  void *copy = buffer->size > 0 ? mote_io_new(&buffer->env, buffer->size) : NULL;
  if (copy != NULL) memcpy(copy, buffer->data, buffer->size);
  return copy;
}

static mote_result take_mesh(const mote_buffer *vertex, const mote_buffer *triangle, mote_mesh *out,
                             mote_error *error) {
  mote_mesh mesh = {.vertex = exact_copy(vertex), .triangle = exact_copy(triangle)};
  bool ok = !vertex->failed && !triangle->failed && (mesh.vertex != NULL || vertex->size == 0) &&
            (mesh.triangle != NULL || triangle->size == 0);
  if (!ok) {
    mote_io_delete(&vertex->env, mesh.vertex, vertex->size);
    mote_io_delete(&vertex->env, mesh.triangle, triangle->size);
    return mote_io_fail_memory(error);
  }
  mesh.vertices = vertex->size / (3 * sizeof(double));
  mesh.triangles = triangle->size / (3 * sizeof(uint32_t));
  *out = mesh;
  return MOTE_OK;
}

static mote_result check(const mote_shape *shape, int dimensions, const double *low, const double *high,
                         int cells, const mote_mesh *out, mote_error *error) {
  if (shape == NULL || low == NULL || high == NULL || out == NULL)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "an argument of a shape's mesh is null");
  if (dimensions < 2 || dimensions > 3 || cells < 1 || cells > 512)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL,
                        "a shape's mesh has 2 or 3 dimensions and 1 to 512 cells, not %d and %d", dimensions,
                        cells);
  for (int k = 0; k < dimensions; ++k)
    if (!(isfinite(low[k]) && isfinite(high[k]) && low[k] < high[k]))
      return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "a shape's mesh needs finite bounds");
  return MOTE_OK;
}

mote_result mote_preview_shape(const mote_shape *shape, int dimensions, const double low[3],
                               const double high[3], int cells, const mote_env *env, mote_mesh *out,
                               mote_error *error) {
  mote_result result = check(shape, dimensions, low, high, cells, out, error);
  if (result != MOTE_OK) return result;
  mote_env own = mote_io_env(env);
  lattice l = {.shape = shape};
  lay_out(&l, low, high, dimensions, cells);
  l.value = mote_io_new(&own, l.points * sizeof *l.value);
  l.corner = mote_io_new(&own, l.points * sizeof *l.corner);
  mote_buffer vertex = mote_buffer_make(&own), triangle = mote_buffer_make(&own);
  if (l.value != NULL && l.corner != NULL) {
    measure(&l);
    if (dimensions == 3) make_vertices(&l, &vertex), make_triangles(&l, &triangle);
    if (dimensions == 2) fill_area(&l, &vertex, &triangle);
    result = take_mesh(&vertex, &triangle, out, error);
  } else {
    result = mote_io_fail_memory(error);
  }
  mote_io_delete(&own, l.value, l.points * sizeof *l.value);
  mote_io_delete(&own, l.corner, l.points * sizeof *l.corner);
  mote_buffer_free(&vertex);
  mote_buffer_free(&triangle);
  return result;
}
