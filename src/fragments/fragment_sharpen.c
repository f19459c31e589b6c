// Sharp edges: see fragment_sharpen.h. After the extended marching cubes of Kobbelt et al. 2001: a new vertex
// lies on the tangent planes of both ends of an edge that crosses a sharp edge, one inside a triangle on
// those of all its corners. Edges are divided at their middles first, which changes no surface; then each new
// vertex moves, unless a triangle would cross another one.
#include "fragments/fragment_sharpen.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "fragments/simplify_cells.h"
#include "fragments/tuning.inc"
#include "geom/triple.h"

#define MOVE_ROUNDS_MAX 4    // a vertex that cannot move may do so once its neighbours have
#define PART_HALVINGS_MAX 3  // of the way, where all of it is not possible
#define STAR_ROWS_MOST 64    // triangles about a vertex that moves

// What is known about a point on a bent part of the surface.
typedef struct bent_point {
  uint32_t point;
  double place[3], normal[3];  // on the shape, and of it
} bent_point;

typedef struct pair_table {
  uint64_t *key;
  uint32_t *value;
  size_t mask;
} pair_table;

// An edge that is divided, by its points.
typedef struct division {
  double target[3];
} division;

typedef struct sharpening {
  mote_cut_mesh *mesh;
  const mote_shape *shape;
  const mote_env *env;
  mote_arena *arena;
  double edge;
  uint32_t *point;  // of each vertex
  uint32_t *bent;   // of each point, its number among those; NONE
  bent_point *list;
  size_t bents;
  pair_table divided;  // points of edges: number of the division
  pair_table middle;   // vertices of edges: the new vertex
  division *division;
  size_t divisions, division_capacity;
  double *target;  // of each vertex that moves
  uint32_t *mover;
  size_t movers, target_capacity, mover_capacity;
} sharpening;

// --- Pairs ------------------------------------------------------------------------------------------------

static mote_result make_table(pair_table *t, size_t count, mote_arena *arena, mote_error *error) {
  size_t size = 64;
  while (size < 2 * count) size *= 2;
  t->mask = size - 1;
  MOTE_TAKE(t->key, arena, size, error);
  MOTE_TAKE(t->value, arena, size, error);
  memset(t->key, 0xff, size * sizeof *t->key);
  return MOTE_OK;
}

// The value of a pair in any order; a new one has NONE.
static uint32_t *find_pair(const pair_table *t, uint32_t a, uint32_t b) {
  uint64_t key = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
  size_t slot = mote_hash_mix(key) & t->mask;
  while (t->key[slot] != key && t->key[slot] != UINT64_MAX) slot = (slot + 1) & t->mask;
  if (t->key[slot] == UINT64_MAX) t->key[slot] = key, t->value[slot] = MOTE_CUT_NONE;
  return t->value + slot;
}

// --- Bent parts -------------------------------------------------------------------------------------------

static void normal_of(const sharpening *s, size_t row, double out[3]) {
  const mote_mesh *mesh = &s->mesh->mesh;
  const uint32_t *v = mesh->triangle + 3 * row;
  double a[3], b[3];
  sub3(mesh->vertex + 3 * (size_t)v[1], mesh->vertex + 3 * (size_t)v[0], a);
  sub3(mesh->vertex + 3 * (size_t)v[2], mesh->vertex + 3 * (size_t)v[0], b);
  cross3(a, b, out);
}

static void number_bent(sharpening *s, uint32_t point) {
  if (s->bent[point] == MOTE_CUT_NONE) s->bent[point] = (uint32_t)s->bents++;
}

// Numbers also the corners of all outer triangles that have such a point: those may lie flat on what is cut
// off.
static void number_beside(sharpening *s) {
  const mote_mesh *mesh = &s->mesh->mesh;
  uint32_t first = (uint32_t)s->bents;
  for (size_t t = 0; t < mesh->triangles; ++t) {
    const uint32_t *v = mesh->triangle + 3 * t;
    bool any = false;
    for (int k = 0; k < 3; ++k) any |= s->bent[s->point[v[k]]] < first;
    for (int k = 0; k < 3 && any && !s->mesh->wall[t]; ++k) number_bent(s, s->point[v[k]]);
  }
}

// Lists the points whose outer triangles are not nearly in one plane, and those beside them.
static mote_result list_bent(sharpening *s, mote_error *error) {
  const mote_mesh *mesh = &s->mesh->mesh;
  MOTE_TAKE(s->bent, s->arena, mesh->vertices, error);
  MOTE_TAKE_NEW(double, mean, s->arena, 3 * mesh->vertices, error);
  memset(mean, 0, 3 * mesh->vertices * sizeof *mean);
  memset(s->bent, 0xff, mesh->vertices * sizeof *s->bent);
  for (size_t k = 0; k < 3 * mesh->triangles; ++k) {
    double n[3], *to = mean + 3 * (size_t)s->point[mesh->triangle[k]];
    if (s->mesh->wall[k / 3]) continue;
    normal_of(s, k / 3, n);
    step3(to, 1.0, n, to);
  }
  for (size_t k = 0; k < 3 * mesh->triangles; ++k) {
    uint32_t p = s->point[mesh->triangle[k]];
    double n[3];
    if (s->mesh->wall[k / 3] || s->bent[p] != MOTE_CUT_NONE) continue;
    normal_of(s, k / 3, n);
    if (dot3(n, mean + 3 * (size_t)p) < BENT_COSINE * length3(n) * length3(mean + 3 * (size_t)p))
      number_bent(s, p);
  }
  number_beside(s);
  MOTE_TAKE(s->list, s->arena, s->bents, error);
  for (uint32_t p = 0; p < mesh->vertices; ++p)
    if (s->bent[p] != MOTE_CUT_NONE) s->list[s->bent[p]].point = p;
  return MOTE_OK;
}

static void query_shape(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const sharpening *s = data;
  for (size_t k = begin; k < end; ++k) {
    bent_point *b = s->list + k;
    copy3(s->mesh->mesh.vertex + 3 * (size_t)b->point, b->place);
    double off = mote_shape_closest(s->shape, b->place, b->normal);
    if (fabs(off) < OFF_SHARE * s->edge) continue;
    double normal[3], place[3];
    step3(b->place, -off, b->normal, place);
    if (fabs(mote_shape_closest(s->shape, place, normal)) > OFF_SHARE * s->edge) continue;
    copy3(place, b->place), copy3(normal, b->normal);
  }
}

// --- Divisions --------------------------------------------------------------------------------------------

// The point nearest to x on the planes through a and b; false: they are nearly parallel.
static bool meet_planes(const bent_point *a, const bent_point *b, const double x[3], double out[3]) {
  double c = dot3(a->normal, b->normal), det = 1.0 - c * c, to_a[3], to_b[3];
  if (!(det > 0.05)) return false;
  sub3(a->place, x, to_a), sub3(b->place, x, to_b);
  double u = dot3(a->normal, to_a), v = dot3(b->normal, to_b);
  step3(x, (u - c * v) / det, a->normal, out);
  step3(out, (v - c * u) / det, b->normal, out);
  return true;
}

// Whether the target is nearer to the shape than where the vertex is, and not too far.
static bool is_better(const sharpening *s, const double from[3], const double to[3]) {
  double before = fabs(mote_shape_distance(s->shape, from));
  return distance3(from, to) < s->edge && 2.0 * fabs(mote_shape_distance(s->shape, to)) < before;
}

// Notes an edge of an outer triangle if a sharp edge of the shape passes between its ends.
static mote_result note_edge(sharpening *s, uint32_t p, uint32_t q, mote_error *error) {
  if (s->bent[p] == MOTE_CUT_NONE || s->bent[q] == MOTE_CUT_NONE) return MOTE_OK;
  const bent_point *a = s->list + s->bent[p < q ? p : q], *b = s->list + s->bent[p < q ? q : p];
  if (dot3(a->normal, b->normal) > SHARP_COSINE) return MOTE_OK;
  uint32_t *number = find_pair(&s->divided, p, q);
  if (*number != MOTE_CUT_NONE) return MOTE_OK;
  division d;
  double middle[3];
  for (int k = 0; k < 3; ++k) middle[k] = 0.5 * (a->place[k] + b->place[k]);
  if (!meet_planes(a, b, middle, d.target) || !is_better(s, middle, d.target)) return MOTE_OK;
  MOTE_TRY(mote_reserve(s->env, &s->division, &s->division_capacity, s->divisions + 1, sizeof d, error));
  *number = (uint32_t)s->divisions;
  s->division[s->divisions++] = d;
  return MOTE_OK;
}

static mote_result note_edges(sharpening *s, mote_error *error) {
  const mote_mesh *mesh = &s->mesh->mesh;
  MOTE_TRY(make_table(&s->divided, 8 * s->bents, s->arena, error));
  for (size_t k = 0; k < 3 * mesh->triangles; ++k) {
    uint32_t next = mesh->triangle[k % 3 == 2 ? k - 2 : k + 1];
    if (s->mesh->wall[k / 3]) continue;
    MOTE_TRY(note_edge(s, s->point[mesh->triangle[k]], s->point[next], error));
  }
  return make_table(&s->middle, 4 * s->divisions, s->arena, error);
}

// --- Dividing ---------------------------------------------------------------------------------------------

static mote_result add_mover(sharpening *s, uint32_t vertex, const double target[3], mote_error *error) {
  MOTE_TRY(mote_reserve(s->env, &s->mover, &s->mover_capacity, s->movers + 1, sizeof *s->mover, error));
  MOTE_TRY(
      mote_reserve(s->env, &s->target, &s->target_capacity, 3 * s->movers + 3, sizeof *s->target, error));
  copy3(target, s->target + 3 * s->movers);
  s->mover[s->movers++] = vertex;
  return MOTE_OK;
}

static mote_result add_vertex(sharpening *s, const double x[3], uint32_t inner, uint32_t *out,
                              mote_error *error) {
  mote_cut_mesh *m = s->mesh;
  size_t v = m->mesh.vertices;
  MOTE_TRY(mote_reserve(s->env, &m->mesh.vertex, &m->vertex_capacity, 3 * (v + 1), sizeof(double), error));
  MOTE_TRY(mote_reserve(s->env, &m->inner, &m->inner_capacity, v + 1, sizeof(uint32_t), error));
  copy3(x, m->mesh.vertex + 3 * v);
  m->inner[v] = inner;
  *out = (uint32_t)v;
  ++m->mesh.vertices;
  return MOTE_OK;
}

static mote_result add_row(sharpening *s, size_t like, uint32_t a, uint32_t b, uint32_t c,
                           mote_error *error) {
  mote_cut_mesh *m = s->mesh;
  size_t t = m->mesh.triangles;
  MOTE_TRY(
      mote_reserve(s->env, &m->mesh.triangle, &m->triangle_capacity, 3 * (t + 1), sizeof(uint32_t), error));
  MOTE_TRY(mote_reserve(s->env, &m->fragment, &m->fragment_capacity, t + 1, sizeof(uint32_t), error));
  MOTE_TRY(mote_reserve(s->env, &m->wall, &m->wall_capacity, t + 1, sizeof(uint8_t), error));
  uint32_t *v = m->mesh.triangle + 3 * t;
  v[0] = a, v[1] = b, v[2] = c;
  m->fragment[t] = m->fragment[like], m->wall[t] = m->wall[like];
  ++m->mesh.triangles;
  return MOTE_OK;
}

// The vertex in the middle of an edge; NONE: it is not divided.
static mote_result find_middle(sharpening *s, uint32_t a, uint32_t b, uint32_t *out, mote_error *error) {
  uint32_t p = s->point[a], q = s->point[b];
  *out = MOTE_CUT_NONE;
  if (s->bent[p] == MOTE_CUT_NONE || s->bent[q] == MOTE_CUT_NONE) return MOTE_OK;
  uint32_t number = *find_pair(&s->divided, p, q);
  if (number == MOTE_CUT_NONE) return MOTE_OK;
  uint32_t *made = find_pair(&s->middle, a, b);
  if (*made == MOTE_CUT_NONE) {
    const double *x = s->mesh->mesh.vertex + 3 * (size_t)a, *y = s->mesh->mesh.vertex + 3 * (size_t)b;
    double middle[3] = {0.5 * (x[0] + y[0]), 0.5 * (x[1] + y[1]), 0.5 * (x[2] + y[2])};
    MOTE_TRY(add_vertex(s, middle, s->mesh->inner[a], made, error));
    MOTE_TRY(add_mover(s, *made, s->division[number].target, error));
  }
  *out = *made;
  return MOTE_OK;
}

// A triangle about the corner of three faces.
static mote_result fill_middle(sharpening *s, size_t row, const uint32_t v[3], const uint32_t m[3],
                               mote_error *error) {
  const bent_point *b[3];
  double x[3] = {0}, edge[3], to[3], corner[3];
  const double *vertex = s->mesh->mesh.vertex;
  for (int k = 0; k < 3; ++k) {
    b[k] = s->list + s->bent[s->point[v[k]]];
    step3(x, 1.0 / 3.0, vertex + 3 * (size_t)m[k], x);
  }
  bool found = !s->mesh->wall[row] && meet_planes(b[0], b[1], x, corner);
  if (found) {
    // Along the line of two planes to the third.
    cross3(b[0]->normal, b[1]->normal, edge), sub3(b[2]->place, corner, to);
    double along = dot3(edge, b[2]->normal);
    found = fabs(along) > 0.2;
    if (found) step3(corner, dot3(to, b[2]->normal) / along, edge, corner);
  }
  if (!found || !is_better(s, x, corner)) return add_row(s, row, m[0], m[1], m[2], error);
  uint32_t c;
  MOTE_TRY(add_vertex(s, x, s->mesh->inner[v[0]], &c, error));
  MOTE_TRY(add_mover(s, c, corner, error));
  for (int k = 0; k < 3; ++k) MOTE_TRY(add_row(s, row, m[k], m[(k + 1) % 3], c, error));
  return MOTE_OK;
}

static void set_row(sharpening *s, size_t row, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t *v = s->mesh->mesh.triangle + 3 * row;
  v[0] = a, v[1] = b, v[2] = c;
}

// Middles m[k] lie between corners k and k + 1. Both sides of a wall are divided alike.
static mote_result divide_row(sharpening *s, size_t row, mote_error *error) {
  uint32_t v[3], m[3];
  int count = 0, k = 0;
  memcpy(v, s->mesh->mesh.triangle + 3 * row, sizeof v);
  for (int i = 0; i < 3; ++i) {
    MOTE_TRY(find_middle(s, v[i], v[(i + 1) % 3], m + i, error));
    count += m[i] != MOTE_CUT_NONE;
  }
  if (count == 0) return MOTE_OK;
  if (count == 3) {
    set_row(s, row, v[0], m[0], m[2]);
    MOTE_TRY(add_row(s, row, m[0], v[1], m[1], error));
    MOTE_TRY(add_row(s, row, m[2], m[1], v[2], error));
    return fill_middle(s, row, v, m, error);
  }
  // One: edge k is divided. Two: edges k and k + 1 are.
  while (count == 1 ? m[k] == MOTE_CUT_NONE : m[(k + 2) % 3] != MOTE_CUT_NONE) ++k;
  uint32_t a = v[k], b = v[(k + 1) % 3], c = v[(k + 2) % 3], ab = m[k], bc = m[(k + 1) % 3];
  if (count == 1) {
    set_row(s, row, a, ab, c);
    return add_row(s, row, ab, b, c, error);
  }
  bool from_a = s->point[a] < s->point[c];
  set_row(s, row, ab, b, bc);
  MOTE_TRY(add_row(s, row, a, ab, from_a ? bc : c, error));
  return add_row(s, row, from_a ? a : ab, bc, c, error);
}

static mote_result divide(sharpening *s, mote_error *error) {
  size_t rows = s->mesh->mesh.triangles;
  for (size_t k = 0; k < s->bents; ++k) {
    const bent_point *b = s->list + k;
    const double *x = s->mesh->mesh.vertex + 3 * (size_t)b->point;
    if (distance3(x, b->place) > 0.0) MOTE_TRY(add_mover(s, b->point, b->place, error));
  }
  for (size_t t = 0; t < rows; ++t) MOTE_TRY(divide_row(s, t, error));
  return MOTE_OK;
}

// --- Moving -----------------------------------------------------------------------------------------------

static void widen(mote_complex_box *box, const mote_complex_box *by) {
  for (int a = 0; a < 3; ++a)
    box->low[a] = min2(box->low[a], by->low[a]), box->high[a] = max2(box->high[a], by->high[a]);
}

static bool crosses(const mote_complex *c, mote_complex_cells *cells, const uint32_t *row, int count,
                    uint32_t point, const mote_complex_box *box) {
  size_t near = mote_complex_cells_find(cells, c, box, point);
  for (int a = 0; a < count; ++a) {
    const uint32_t *v = c->corner + 3 * (size_t)row[a];
    mote_complex_box own = mote_complex_box_of(c, v);
    for (int b = 0; b < a; ++b)
      if (mote_complex_crosses(c, v, c->corner + 3 * (size_t)row[b])) return true;
    for (size_t k = 0; k < near; ++k) {
      uint32_t other = cells->near[k];
      if (mote_complex_boxes_overlap(&own, cells->box + other) &&
          mote_complex_crosses(c, v, c->corner + 3 * (size_t)other))
        return true;
    }
  }
  return false;
}

// Moves a point; false: triangles would cross.
static bool move_point(mote_complex *c, mote_complex_cells *cells, uint32_t point, const double target[3]) {
  uint32_t row[STAR_ROWS_MOST];
  int count = 0;
  double *x = c->cut->mesh.vertex + 3 * (size_t)point, kept[3];
  for (uint32_t k = c->first[point]; k != MOTE_CUT_NONE; k = c->next[k]) {
    if (count == STAR_ROWS_MOST) return false;
    row[count++] = k / 3;
  }
  if (count == 0) return true;
  copy3(x, kept), copy3(target, x);
  mote_complex_box box = cells->box[row[0]];
  for (int k = 0; k < count; ++k) {
    mote_complex_box now = mote_complex_box_of(c, c->corner + 3 * (size_t)row[k]);
    widen(&box, &now), widen(&box, cells->box + row[k]);
  }
  if (crosses(c, cells, row, count, point, &box)) {
    copy3(kept, x);
    return false;
  }
  for (int k = 0; k < count; ++k)
    mote_complex_cells_remove(cells, row[k]), mote_complex_cells_enter(cells, c, row[k]);
  return true;
}

// Moves those points that are not where they are to be, by that part of the way; how many it moved.
static size_t move_points(sharpening *s, mote_complex *c, mote_complex_cells *cells, double part) {
  size_t moved = 0;
  for (size_t k = 0; k < s->movers; ++k) {
    uint32_t v = s->mover[k];
    double to[3], offset[3];
    if (v == MOTE_CUT_NONE || c->point[v] != v) continue;
    sub3(s->target + 3 * k, mote_complex_place(c, v), offset);
    step3(mote_complex_place(c, v), part, offset, to);
    if (!move_point(c, cells, v, to)) continue;
    if (part == 1.0) s->mover[k] = MOTE_CUT_NONE;
    ++moved;
  }
  return moved;
}

static mote_result move_all(sharpening *s, mote_error *error) {
  mote_complex complex;
  mote_complex_cells cells;
  double *vertex = s->mesh->mesh.vertex;
  MOTE_TRY(mote_complex_make(s->mesh, s->arena, &complex, error));
  MOTE_TRY(mote_complex_cells_make(&complex, s->edge, s->arena, &cells, error));
  size_t moved = 1;
  for (int round = 0; round < MOVE_ROUNDS_MAX && moved > 0; ++round) {
    for (int again = 0; again < MOVE_ROUNDS_MAX && move_points(s, &complex, &cells, 1.0) > 0;) ++again;
    moved = 0;
    for (int halvings = 1; halvings <= PART_HALVINGS_MAX; ++halvings)
      moved += move_points(s, &complex, &cells, ldexp(1.0, -halvings));
  }
  for (size_t v = 0; v < s->mesh->mesh.vertices; ++v)
    copy3(vertex + 3 * (size_t)complex.point[v], vertex + 3 * v);
  return MOTE_OK;
}

static mote_result sharpen(sharpening *s, mote_error *error) {
  MOTE_TAKE(s->point, s->arena, s->mesh->mesh.vertices, error);
  MOTE_TRY(mote_complex_weld(&s->mesh->mesh, s->arena, s->point, error));
  MOTE_TRY(list_bent(s, error));
  mote_parallel_for(s->env->threads, s->bents, 64, query_shape, s);
  MOTE_TRY(note_edges(s, error));
  MOTE_TRY(divide(s, error));
  return s->movers > 0 ? move_all(s, error) : MOTE_OK;
}

mote_result mote_cut_mesh_sharpen(mote_cut_mesh *mesh, const mote_shape *shape, double edge,
                                  const mote_env *env, mote_error *error) {
  MOTE_ASSERT(mesh != NULL && shape != NULL && env != NULL);
  mote_arena arena = mote_arena_make(env);
  sharpening s = {.mesh = mesh, .shape = shape, .env = env, .arena = &arena, .edge = edge};
  mote_result result = sharpen(&s, error);
  mote_free(env, s.division, s.division_capacity, sizeof *s.division);
  mote_free(env, s.target, s.target_capacity, sizeof *s.target);
  mote_free(env, s.mover, s.mover_capacity, sizeof *s.mover);
  mote_arena_destroy(&arena);
  return result;
}
