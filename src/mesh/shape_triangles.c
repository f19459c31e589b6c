// Meshes of shapes from their distance on a grid. 3D: one vertex for each patch of the surface in a cell,
// four cells around each edge that it cuts joined (dual contouring; Ju et al. 2002, with the patches of
// Nielson 2004): a closed manifold within the grid. 2D: the inside part of each cell.
#include <math.h>
#include <mote/geom.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"

// Numbers of vertices, or of triangles.
typedef struct growing {
  const mote_env *env;
  void *data;
  size_t size, count, capacity;  // size: of a number
  bool failed;                   // without memory
} growing;

static void add(growing *to, const void *numbers, size_t count) {
  to->failed = to->failed ||
               mote_reserve(to->env, &to->data, &to->capacity, to->count + count, to->size, NULL) != MOTE_OK;
  if (to->failed) return;
  if (count > 0) memcpy((char *)to->data + to->count * to->size, numbers, count * to->size);
  to->count += count;
}

typedef struct grid {
  const mote_shape *shape;
  double low[3], step[3];
  int size[3];       // points
  double *value;     // at points
  uint32_t *corner;  // number of the first vertex of each cell; one more behind the last
  uint8_t *joined;   // bit a: at the low face along a of the cell inside corners across are joined, not apart
  size_t points;
} grid;

static size_t point_at(const grid *l, const int at[3]) {
  return ((size_t)at[2] * (size_t)l->size[1] + (size_t)at[1]) * (size_t)l->size[0] + (size_t)at[0];
}

static void place_of(const grid *l, const int at[3], double x[3]) {
  for (int k = 0; k < 3; ++k) x[k] = l->low[k] + at[k] * l->step[k];
}

static void lay_out(grid *l, const double low[3], const double high[3], int dimensions, int cells) {
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

// The next point of the grid; false behind the last. `less` points are omitted at the high end.
static bool next_place(const grid *l, int at[3], int less) {
  for (int k = 0; k < 3; ++k) {
    int end = l->size[k] - (l->size[k] > 1 ? less : 0);
    if (++at[k] < end) return true;
    at[k] = 0;
  }
  return false;
}

#define BLOCK_POINTS 4  // points along each side

// The distance at the centre of a block is never too large: if it exceeds half the diagonal of the
// block with the cells around, the surface cuts none of their edges.
static bool is_far(const grid *l, const int first[3], const int last[3], double *distance) {
  double middle[3], a[3], b[3], diagonal2 = 0;
  place_of(l, first, a), place_of(l, last, b);
  for (int k = 0; k < 3; ++k) {
    double side = b[k] - a[k] + 2 * l->step[k];
    middle[k] = (a[k] + b[k]) / 2, diagonal2 += side * side;
  }
  *distance = mote_shape_distance(l->shape, middle);
  return 4 * *distance * *distance > 1.0001 * diagonal2;
}

static void measure_block(grid *l, const int first[3]) {
  int last[3], at[3];
  for (int k = 0; k < 3; ++k)
    last[k] = first[k] + BLOCK_POINTS <= l->size[k] ? first[k] + BLOCK_POINTS - 1 : l->size[k] - 1;
  double distance;
  bool far = is_far(l, first, last, &distance);
  for (at[2] = first[2]; at[2] <= last[2]; ++at[2])
    for (at[1] = first[1]; at[1] <= last[1]; ++at[1])
      for (at[0] = first[0]; at[0] <= last[0]; ++at[0]) {
        double x[3];
        place_of(l, at, x);
        l->value[point_at(l, at)] = far ? distance : mote_shape_distance(l->shape, x);
      }
}

static void measure(grid *l) {
  int at[3];
  for (at[2] = 0; at[2] < l->size[2]; at[2] += BLOCK_POINTS)
    for (at[1] = 0; at[1] < l->size[1]; at[1] += BLOCK_POINTS)
      for (at[0] = 0; at[0] < l->size[0]; at[0] += BLOCK_POINTS) measure_block(l, at);
}

// --- Patches: cut edges of a cell that its faces link ---

// An edge of a cell: 4 axis + bit of its place along the next axis + 2 bits along the one behind.
enum { EDGES = 12 };

typedef struct patches {
  int count;
  int of[EDGES];  // the patch of a cut edge; -1: it is not cut
} patches;

static int edge_along(int axis, const int corner[3]) {
  return 4 * axis + corner[(axis + 1) % 3] + 2 * corner[(axis + 2) % 3];
}

static bool is_inside(const grid *l, const int at[3], const int corner[3]) {
  const int point[3] = {at[0] + corner[0], at[1] + corner[1], at[2] + corner[2]};
  return l->value[point_at(l, point)] < 0;
}

static bool is_cut(const grid *l, const int at[3]) {
  bool first = l->value[point_at(l, at)] < 0, cut = false;
  for (int c = 1; c < 8; ++c)
    cut = cut || is_inside(l, at, (const int[]){c & 1, c >> 1 & 1, c >> 2}) != first;
  return cut;
}

static void unite(patches *p, int a, int b) {
  int from = p->of[a], to = p->of[b];
  for (int e = 0; e < EDGES; ++e)
    if (p->of[e] == from) p->of[e] = to;
}

// The corners of a face in turn, the edges behind each, and which corners are inside.
typedef struct face {
  int edge[4];
  bool inside[4];
} face;

static face face_of(const grid *l, const int at[3], int axis, int side) {
  static const int turn[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  int b = (axis + 1) % 3, c = (axis + 2) % 3;
  face f;
  for (int k = 0; k < 4; ++k) {
    int corner[3];
    corner[axis] = side, corner[b] = turn[k][0], corner[c] = turn[k][1];
    f.inside[k] = is_inside(l, at, corner);
    if (k >= 2) corner[b] = turn[(k + 1) % 4][0], corner[c] = turn[(k + 1) % 4][1];  // the lower end
    f.edge[k] = edge_along(k % 2 == 0 ? b : c, corner);
  }
  return f;
}

static bool is_ambiguous(const face *f) {
  return f->inside[0] == f->inside[2] && f->inside[1] == f->inside[3] && f->inside[0] != f->inside[1];
}

static bool is_joined(const grid *l, const int at[3], int axis, int side) {
  int cell[3] = {at[0], at[1], at[2]};
  cell[axis] += side;
  return l->joined[point_at(l, cell)] >> axis & 1;
}

static void link_face(const grid *l, const int at[3], int axis, int side, patches *p) {
  face f = face_of(l, at, axis, side);
  if (is_ambiguous(&f)) {
    int first = f.inside[0] != is_joined(l, at, axis, side) ? 0 : 1;  // corners that are cut off
    for (int k = first; k < 4; k += 2) unite(p, f.edge[(k + 3) % 4], f.edge[k]);
    return;
  }
  int last = -1;
  for (int k = 0; k < 4; ++k) {
    if (f.inside[k] == f.inside[(k + 1) % 4]) continue;
    if (last >= 0) unite(p, last, f.edge[k]);
    last = f.edge[k];
  }
}

static void find_patches(const grid *l, const int at[3], patches *out) {
  int number[EDGES];
  out->count = 0;
  for (int axis = 0; axis < 3; ++axis)
    for (int k = 0; k < 4; ++k) {
      int low[3] = {0}, high[3];
      low[(axis + 1) % 3] = k & 1, low[(axis + 2) % 3] = k >> 1;
      memcpy(high, low, sizeof high);
      high[axis] = 1;
      int e = 4 * axis + k;
      out->of[e] = is_inside(l, at, low) != is_inside(l, at, high) ? e : -1;
    }
  for (int axis = 0; axis < 3; ++axis) link_face(l, at, axis, 0, out), link_face(l, at, axis, 1, out);
  for (int e = 0; e < EDGES; ++e) number[e] = -1;
  for (int e = 0; e < EDGES; ++e)
    if (out->of[e] >= 0 && number[out->of[e]] < 0) number[out->of[e]] = out->count++;
  for (int e = 0; e < EDGES; ++e)
    if (out->of[e] >= 0) out->of[e] = number[out->of[e]];
}

// If one patch on either side has all four edges of a face, the edge between their vertices would have
// four quads: joining the other corners separates both.
static void part_patches(grid *l) {
  int at[3] = {0, 0, 0};
  memset(l->joined, 0, l->points);
  do {
    for (int axis = 0; axis < 3 && is_cut(l, at); ++axis) {
      if (at[axis] == 0) continue;
      face f = face_of(l, at, axis, 0);
      if (!is_ambiguous(&f)) continue;
      int below[3] = {at[0], at[1], at[2]};
      --below[axis];
      patches high, low;
      find_patches(l, at, &high), find_patches(l, below, &low);
      face g = face_of(l, below, axis, 1);
      if (high.of[f.edge[0]] == high.of[f.edge[2]] && high.of[f.edge[1]] == high.of[f.edge[3]] &&
          high.of[f.edge[0]] == high.of[f.edge[1]] && low.of[g.edge[0]] == low.of[g.edge[2]] &&
          low.of[g.edge[1]] == low.of[g.edge[3]] && low.of[g.edge[0]] == low.of[g.edge[1]])
        l->joined[point_at(l, at)] |= (uint8_t)(1 << axis);
    }
  } while (next_place(l, at, 1));
}

// --- Vertices ---

// Where the surface cuts the edges of a cell, and its normals there.
typedef struct cuts {
  int count;
  double place[12][3], normal[12][3];
} cuts;

// Where the surface cuts the edge from a to b along `axis`: on the surface itself, because beside it, near a
// corner, normals and distances are those of the corner.
static void cut_edge(const grid *l, const int a[3], const int b[3], int axis, double place[3],
                     double normal[3]) {
  double va = l->value[point_at(l, a)], vb = l->value[point_at(l, b)], from[3], to[3];
  place_of(l, a, from), place_of(l, b, to), place_of(l, a, place);
  double low = from[axis], high = to[axis];
  for (int round = 0; round < 8; ++round) {
    // Bisection after secants, which may stall at one end.
    place[axis] = round % 3 == 2 ? (low + high) / 2 : low + (high - low) * va / (va - vb);
    double v = mote_shape_distance(l->shape, place);
    if (fabs(v) < 1e-9 * l->step[axis]) break;
    if ((v < 0) == (va < 0))
      low = place[axis], va = v;
    else
      high = place[axis], vb = v;
  }
  mote_shape_closest(l->shape, place, normal);
}

static void find_cuts(const grid *l, const int at[3], const patches *p, int which, cuts *out) {
  out->count = 0;
  for (int c = 0; c < 8; ++c)
    for (int axis = 0; axis < 3; ++axis) {
      const int corner[3] = {c & 1, c >> 1 & 1, c >> 2};
      if (corner[axis] == 1 || p->of[edge_along(axis, corner)] != which) continue;
      const int a[3] = {at[0] + corner[0], at[1] + corner[1], at[2] + corner[2]};
      const int b[3] = {a[0] + (axis == 0), a[1] + (axis == 1), a[2] + (axis == 2)};
      cut_edge(l, a, b, axis, out->place[out->count], out->normal[out->count]);
      ++out->count;
    }
}

// The point nearest to all tangent planes, which is at corners and edges of the shape (Ju et al.
// 2002, by descent from the mean), limited to its cell.
static void find_vertex(const grid *l, const int at[3], const cuts *cut, double x[3]) {
  double corner[3];
  place_of(l, at, corner);
  for (int k = 0; k < 3; ++k) {
    x[k] = 0;
    for (int m = 0; m < cut->count; ++m) x[k] += cut->place[m][k] / cut->count;
  }
  for (int round = 0; round < 24; ++round) {
    double move[3] = {0, 0, 0};
    for (int m = 0; m < cut->count; ++m) {
      const double *p = cut->place[m], *n = cut->normal[m];
      double off = n[0] * (p[0] - x[0]) + n[1] * (p[1] - x[1]) + n[2] * (p[2] - x[2]);
      for (int k = 0; k < 3; ++k) move[k] += 1.4 * off * n[k] / cut->count;
    }
    for (int k = 0; k < 3; ++k)
      if (isfinite(move[k])) x[k] = fmin(fmax(x[k] + move[k], corner[k]), corner[k] + l->step[k]);
  }
}

static void make_vertices(grid *l, growing *vertex) {
  int at[3] = {0, 0, 0};
  do {
    double x[3];
    patches p = {.count = 0};
    if (is_cut(l, at)) find_patches(l, at, &p);
    l->corner[point_at(l, at)] = (uint32_t)(vertex->count / 3);
    for (int k = 0; k < p.count; ++k) {
      cuts cut;
      find_cuts(l, at, &p, k, &cut);
      find_vertex(l, at, &cut, x);
      add(vertex, x, 3);
    }
  } while (next_place(l, at, 1));
}

// The two triangles across the edge from `at` along `axis`, out of the shape.
static void join(const grid *l, const int at[3], int axis, bool outward, growing *triangle) {
  int b = (axis + 1) % 3, c = (axis + 2) % 3;
  if (at[b] == 0 || at[c] == 0 || at[b] == l->size[b] - 1 || at[c] == l->size[c] - 1) return;
  uint32_t around[4];
  for (int k = 0; k < 4; ++k) {
    int cell[3] = {at[0], at[1], at[2]}, corner[3] = {0};
    corner[b] = k == 0 || k == 3, corner[c] = k < 2;
    cell[b] -= corner[b], cell[c] -= corner[c];
    patches p;
    find_patches(l, cell, &p);
    around[k] = l->corner[point_at(l, cell)] + (uint32_t)p.of[edge_along(axis, corner)];
  }
  const uint32_t quad[6] = {around[0], around[outward ? 1 : 2], around[outward ? 2 : 1],
                            around[0], around[outward ? 2 : 3], around[outward ? 3 : 2]};
  add(triangle, quad, 6);
}

static void make_triangles(const grid *l, growing *triangle) {
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

// The part of a cell in 2D that is inside.
typedef struct piece {
  int count, tip;  // tip: where the corner of the shape belongs, among the others; -1: none
  double place[9][3];
} piece;

static void cut_cell(const grid *l, const int at[3], piece *out, cuts *cut) {
  static const int turn[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  *out = (piece){.tip = -1};
  cut->count = 0;
  for (int k = 0; k < 4; ++k) {
    const int *t = turn[k], *u = turn[(k + 1) % 4];
    const int a[3] = {at[0] + t[0], at[1] + t[1], 0}, b[3] = {at[0] + u[0], at[1] + u[1], 0};
    double va = l->value[point_at(l, a)], vb = l->value[point_at(l, b)], *place = cut->place[cut->count];
    if (va < 0) place_of(l, a, out->place[out->count++]);
    if ((va < 0) == (vb < 0)) continue;
    cut_edge(l, a, b, t[0] == u[0], place, cut->normal[cut->count++]);
    memcpy(out->place[out->count++], place, sizeof out->place[0]);
    if (va < 0) {
      out->tip = out->count;
      memcpy(out->place[out->count++], place, sizeof out->place[0]);
    }
  }
}

// A fan of triangles about the tip, or about the first corner where there are two ways through the cell.
static void fill_cell(const grid *l, const int at[3], growing *vertex, growing *triangle) {
  cuts cut;
  piece p;
  cut_cell(l, at, &p, &cut);
  uint32_t first = (uint32_t)(vertex->count / 3), count = (uint32_t)p.count;
  if (cut.count == 2) find_vertex(l, at, &cut, p.place[p.tip]);
  uint32_t hub = cut.count == 2 ? (uint32_t)p.tip : 0;
  add(vertex, p.place, 3 * (size_t)count);
  for (uint32_t k = 1; k + 1 < count; ++k) {
    const uint32_t corner[3] = {first + hub, first + (hub + k) % count, first + (hub + k + 1) % count};
    add(triangle, corner, 3);
  }
}

static void fill_area(const grid *l, growing *vertex, growing *triangle) {
  int at[3] = {0, 0, 0};
  do fill_cell(l, at, vertex, triangle);
  while (next_place(l, at, 1));
}

// A copy of exact size, as mote_mesh_free expects.
static mote_result copy_exactly(const growing *from, void **out, mote_error *error) {
  *out = mote_alloc(from->env, from->count, from->size);
  if (*out == NULL) return mote_fail_memory(error, from->count * from->size);
  if (from->count > 0) memcpy(*out, from->data, from->count * from->size);
  return MOTE_OK;
}

static mote_result take_mesh(const growing *vertex, const growing *triangle, mote_mesh *out,
                             mote_error *error) {
  void *vertices, *triangles;
  if (vertex->failed || triangle->failed) return mote_fail_memory(error, 0);
  MOTE_TRY(copy_exactly(vertex, &vertices, error));
  mote_result result = copy_exactly(triangle, &triangles, error);
  if (result != MOTE_OK) return mote_free(vertex->env, vertices, vertex->count, vertex->size), result;
  *out = (mote_mesh){vertices, triangles, vertex->count / 3, triangle->count / 3};
  return MOTE_OK;
}

static mote_result check(const mote_shape *shape, int dimensions, const double *low, const double *high,
                         int cells, const mote_mesh *out, mote_error *error) {
  if (shape == NULL || low == NULL || high == NULL || out == NULL)
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "an argument of a shape's mesh is null");
  if (dimensions < 2 || dimensions > 3 || cells < 1 || cells > 512)
    return mote_fail(error, MOTE_ERROR_ARGUMENT,
                     "a shape's mesh has 2 or 3 dimensions and 1 to 512 cells, not %d and %d", dimensions,
                     cells);
  for (int k = 0; k < dimensions; ++k)
    if (!(isfinite(low[k]) && isfinite(high[k]) && low[k] < high[k]))
      return mote_fail(error, MOTE_ERROR_ARGUMENT, "a shape's mesh needs finite bounds");
  return MOTE_OK;
}

mote_result mote_shape_triangles(const mote_shape *shape, int dimensions, const double low[3],
                                 const double high[3], int cells, const mote_env *env, mote_mesh *out,
                                 mote_error *error) {
  MOTE_TRY(check(shape, dimensions, low, high, cells, out, error));
  mote_env own = mote_env_resolve(env);
  grid l = {.shape = shape};
  lay_out(&l, low, high, dimensions, cells);
  l.value = mote_alloc(&own, l.points, sizeof *l.value);
  l.corner = mote_alloc(&own, l.points, sizeof *l.corner);
  l.joined = mote_alloc(&own, l.points, sizeof *l.joined);
  growing vertex = {.env = &own, .size = sizeof(double)}, triangle = {.env = &own, .size = sizeof(uint32_t)};
  mote_result result;
  if (l.value != NULL && l.corner != NULL && l.joined != NULL) {
    measure(&l);
    if (dimensions == 3) part_patches(&l), make_vertices(&l, &vertex), make_triangles(&l, &triangle);
    if (dimensions == 2) fill_area(&l, &vertex, &triangle);
    result = take_mesh(&vertex, &triangle, out, error);
  } else {
    result = mote_fail_memory(error, l.points * (sizeof *l.value + sizeof *l.corner + 1));
  }
  mote_free(&own, l.value, l.points, sizeof *l.value);
  mote_free(&own, l.corner, l.points, sizeof *l.corner);
  mote_free(&own, l.joined, l.points, sizeof *l.joined);
  mote_free(&own, vertex.data, vertex.capacity, vertex.size);
  mote_free(&own, triangle.data, triangle.capacity, triangle.size);
  return result;
}
