// The outer surface of parts that cross: see mesh_weld.h and docs/theory/shapes.md, "Meshes as they are".
// Triangles are cut along the lines where others meet them; of the pieces those stay that have the inside on
// one side only.
#include "base/memory.h"
#include "base/parallel.h"
#include "geom/mesh_parts.h"
#include "geom/mesh_weld.h"
#include "geom/tri_cross.h"
#include "geom/triple.h"
#include "geom/winding.h"

typedef struct piece {
  double x[3][3];
  uint32_t triangle;  // that it is part of
} piece;

typedef struct pieces {
  piece *item;
  size_t count, capacity;
} pieces;

typedef struct line {
  double a[3], b[3];
} line;

typedef struct uniting {
  const mote_mesh *mesh;
  const uint32_t *part;  // of each triangle, where crossings of parts are asked for; null where cuts are
  mote_bvh bvh;
  mote_winding winding;
  double tolerance;
  bool *mark;  // of triangles: found
  pieces all;  // of the triangles that are found: the others stay whole
  bool *keep;  // of triangles, then of pieces
} uniting;

static void corners_of(const mote_mesh *mesh, uint32_t t, double (*x)[3]) {
  for (int k = 0; k < 3; ++k) copy3(mesh->vertex + 3 * (size_t)mesh->triangle[3 * (size_t)t + k], x[k]);
}

static bool unit_normal(double (*x)[3], double n[3]) {
  double u[3], v[3];
  sub3(x[1], x[0], u), sub3(x[2], x[0], v);
  cross3(u, v, n);
  double length = length3(n);
  for (int k = 0; k < 3 && length > 0.0; ++k) n[k] /= length;
  return length > 0.0;
}

// --- Lines in which another triangle meets a plane ---------------------------------------------------------

// The part of triangle y in the plane through x with normal n: its three sides where it lies in it, else one
// line. Returns how many.
static int lines_in_plane(const double x[3], const double n[3], double (*y)[3], double tolerance,
                          line out[3]) {
  double height[3], (*end[2])[3] = {&out[0].a, &out[0].b};
  int in_plane = 0, ends = 0;
  for (int k = 0; k < 3; ++k) {
    double to[3];
    sub3(y[k], x, to);
    height[k] = dot3(to, n);
    if (fabs(height[k]) <= tolerance) height[k] = 0.0, ++in_plane;
  }
  if (in_plane == 3) {
    for (int k = 0; k < 3; ++k) copy3(y[k], out[k].a), copy3(y[(k + 1) % 3], out[k].b);
    return 3;
  }
  for (int k = 0; k < 3 && ends < 2; ++k) {
    int next = (k + 1) % 3;
    if (height[k] == 0.0) copy3(y[k], *end[ends++]);
    if (!(height[k] * height[next] < 0.0) || ends == 2) continue;
    double along[3];
    sub3(y[next], y[k], along);
    step3(y[k], height[k] / (height[k] - height[next]), along, *end[ends++]);
  }
  return ends == 2 && distance3(out[0].a, out[0].b) > tolerance ? 1 : 0;
}

// Into the plane's direction across the line; null where the line has no length.
static bool across(const line *l, const double n[3], double out[3]) {
  double along[3];
  sub3(l->b, l->a, along);
  cross3(n, along, out);
  double length = length3(out);
  for (int k = 0; k < 3 && length > 0.0; ++k) out[k] /= length;
  return length > 0.0;
}

static int side_of_line(const double x[3], const double from[3], const double out[3], double tolerance) {
  double to[3];
  sub3(x, from, to);
  double d = dot3(to, out);
  return (d > tolerance) - (d < -tolerance);
}

// Whether the line passes through the inside of the triangle, which lies in its plane. side: of its corners.
static bool line_cuts(const line *l, const double n[3], double (*x)[3], double tolerance, int side[3]) {
  double out[3];
  if (!across(l, n, out)) return false;
  for (int k = 0; k < 3; ++k) side[k] = side_of_line(x[k], l->a, out, tolerance);
  bool left = side[0] > 0 || side[1] > 0 || side[2] > 0, right = side[0] < 0 || side[1] < 0 || side[2] < 0;
  for (int k = 0; k < 3 && left && right; ++k) {
    line edge;
    copy3(x[k], edge.a), copy3(x[(k + 1) % 3], edge.b);
    if (!across(&edge, n, out)) return false;
    if (side_of_line(l->a, edge.a, out, tolerance) <= 0 && side_of_line(l->b, edge.a, out, tolerance) <= 0)
      return false;
  }
  return left && right;
}

// --- Candidates --------------------------------------------------------------------------------------------

typedef bool visit_fn(void *data, uint32_t triangle);  // false: enough

static void visit_near(const mote_bvh *bvh, double (*x)[3], double margin, visit_fn *visit, void *data) {
  double low[3], high[3];
  for (int k = 0; k < 3; ++k) {
    low[k] = min2(x[0][k], min2(x[1][k], x[2][k])) - margin;
    high[k] = max2(x[0][k], max2(x[1][k], x[2][k])) + margin;
  }
  uint32_t stack[MOTE_BVH_DEPTH], depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    uint32_t index = stack[--depth];
    const mote_bvh_node *node = bvh->node + index;
    bool apart = false;
    for (int k = 0; k < 3; ++k) apart = apart || node->low[k] > high[k] || node->high[k] < low[k];
    if (apart) continue;
    for (uint32_t t = node->first; t < node->first + node->count; ++t) {
      if (!visit(data, bvh->order[t])) return;
    }
    if (node->count > 0) continue;
    stack[depth++] = node->first;
    stack[depth++] = index + 1;
  }
}

typedef struct meeting {
  const uniting *u;
  uint32_t triangle;
  double x[3][3], n[3];
  bool found;
} meeting;

// Whether the other one is of another part and crosses it.
static bool find_crossing(void *data, uint32_t other) {
  meeting *m = data;
  const uint32_t *part = m->u->part;
  m->found = part[other] != part[m->triangle] && mote_triangles_cross(m->u->mesh, m->triangle, other);
  return !m->found;
}

// Whether the other one cuts it.
static bool find_cut(void *data, uint32_t other) {
  meeting *m = data;
  double y[3][3];
  int side[3];
  line l[3];
  if (other == m->triangle) return true;
  corners_of(m->u->mesh, other, y);
  int lines = lines_in_plane(m->x[0], m->n, y, m->u->tolerance, l);
  for (int k = 0; k < lines && !m->found; ++k) {
    m->found = line_cuts(l + k, m->n, m->x, m->u->tolerance, side);
  }
  return !m->found;
}

static void mark_meetings(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const uniting *u = data;
  for (size_t t = begin; t < end; ++t) {
    meeting m = {.u = u, .triangle = (uint32_t)t};
    corners_of(u->mesh, m.triangle, m.x);
    if (unit_normal(m.x, m.n)) {
      visit_near(&u->bvh, m.x, u->tolerance, u->part ? find_crossing : find_cut, &m);
    }
    u->mark[t] = m.found;
  }
}

// --- Cutting -----------------------------------------------------------------------------------------------

static mote_result add_piece(uniting *u, const double *a, const double *b, const double *c, uint32_t triangle,
                             mote_error *error) {
  pieces *list = &u->all;
  MOTE_TRY(
      mote_reserve(&u->bvh.env, &list->item, &list->capacity, list->count + 1, sizeof *list->item, error));
  piece *p = list->item + list->count++;
  copy3(a, p->x[0]), copy3(b, p->x[1]), copy3(c, p->x[2]);
  p->triangle = triangle;
  return MOTE_OK;
}

static void meet_point(const line *l, const double out[3], const double *a, const double *b, double x[3]) {
  double from_a[3], from_b[3], along[3];
  sub3(a, l->a, from_a), sub3(b, l->a, from_b), sub3(b, a, along);
  double da = dot3(from_a, out), db = dot3(from_b, out);
  step3(a, da / (da - db), along, x);
}

// The corner on the line between the two others, or else the one that is alone on its side.
static int lone_corner(const int side[3]) {
  for (int k = 0; k < 3; ++k) {
    int b = side[(k + 1) % 3], c = side[(k + 2) % 3];
    if ((side[k] == 0 && b * c < 0) || (side[k] * b < 0 && side[k] * c < 0)) return k;
  }
  return 0;
}

// The piece at `index` and one or two new ones take the place of it. side: of its corners beside the line.
static mote_result split_piece(uniting *u, size_t index, const line *l, const double n[3], const int side[3],
                               mote_error *error) {
  piece p = u->all.item[index], *own = u->all.item + index;
  double out[3], x[3], y[3];
  across(l, n, out);
  int k = lone_corner(side);
  const double *a = p.x[k], *b = p.x[(k + 1) % 3], *c = p.x[(k + 2) % 3];
  copy3(a, own->x[0]);
  if (side[k] == 0) {
    meet_point(l, out, b, c, x);
    copy3(b, own->x[1]), copy3(x, own->x[2]);
    return add_piece(u, a, x, c, p.triangle, error);
  }
  meet_point(l, out, a, b, x), meet_point(l, out, a, c, y);
  copy3(x, own->x[1]), copy3(y, own->x[2]);
  MOTE_TRY(add_piece(u, x, b, c, p.triangle, error));
  return add_piece(u, x, c, y, p.triangle, error);
}

typedef struct cutting {
  uniting *u;
  uint32_t triangle;
  double x[3][3], n[3];
  size_t first;  // of its pieces
  mote_result result;
  mote_error *error;
} cutting;

static bool cut_by(void *data, uint32_t other) {
  cutting *c = data;
  uniting *u = c->u;
  double y[3][3];
  line l[3];
  if (other == c->triangle) return true;
  corners_of(u->mesh, other, y);
  int lines = lines_in_plane(c->x[0], c->n, y, u->tolerance, l);
  for (int k = 0; k < lines; ++k) {
    for (size_t i = c->first, end = u->all.count; i < end && c->result == MOTE_OK; ++i) {
      int side[3];
      if (!line_cuts(l + k, c->n, u->all.item[i].x, u->tolerance, side)) continue;
      c->result = split_piece(u, i, l + k, c->n, side, c->error);
    }
  }
  return c->result == MOTE_OK;
}

static mote_result cut_triangles(uniting *u, mote_error *error) {
  for (uint32_t t = 0; t < u->mesh->triangles; ++t) {
    cutting c = {.u = u, .triangle = t, .first = u->all.count, .error = error};
    if (!u->mark[t]) continue;
    corners_of(u->mesh, t, c.x);
    unit_normal(c.x, c.n);
    MOTE_TRY(add_piece(u, c.x[0], c.x[1], c.x[2], t, error));
    visit_near(&u->bvh, c.x, u->tolerance, cut_by, &c);
    MOTE_TRY(c.result);
  }
  return MOTE_OK;
}

// --- Choosing ----------------------------------------------------------------------------------------------

typedef struct covering {
  const uniting *u;
  const piece *piece;
  double middle[3], n[3];
  bool covered;
} covering;

// Whether an earlier triangle of the same plane that looks the same way covers the piece's middle.
static bool find_cover(void *data, uint32_t other) {
  covering *c = data;
  double y[3][3], n[3], tolerance = c->u->tolerance;
  if (other >= c->piece->triangle) return true;
  corners_of(c->u->mesh, other, y);
  if (!unit_normal(y, n) || !(dot3(n, c->n) > 0.0)) return true;
  for (int k = 0; k < 3; ++k) {
    if (side_of_line(y[k], c->middle, c->n, tolerance) != 0) return true;
  }
  for (int k = 0; k < 3; ++k) {
    line edge;
    double out[3];
    copy3(y[k], edge.a), copy3(y[(k + 1) % 3], edge.b);
    if (!across(&edge, n, out) || side_of_line(c->middle, edge.a, out, 0.0) <= 0) return true;
  }
  c->covered = true;
  return false;
}

static bool is_outer(const uniting *u, const piece *p) {
  covering c = {.u = u, .piece = p};
  double x[3][3], inner[3], outer[3];
  for (int k = 0; k < 3; ++k) {
    copy3(p->x[k], x[k]);
    c.middle[k] = (p->x[0][k] + p->x[1][k] + p->x[2][k]) / 3.0;
  }
  if (!unit_normal(x, c.n)) return false;
  step3(c.middle, -u->tolerance, c.n, inner), step3(c.middle, u->tolerance, c.n, outer);
  if (!(mote_winding_at(&u->winding, inner) > 0.5) || mote_winding_at(&u->winding, outer) > 0.5) return false;
  double point[3][3];
  for (int k = 0; k < 3; ++k) copy3(c.middle, point[k]);
  visit_near(&u->bvh, point, u->tolerance, find_cover, &c);
  return !c.covered;
}

static void choose_pieces(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  uniting *u = data;
  size_t whole = u->mesh->triangles;
  for (size_t k = begin; k < end; ++k) {
    piece p = {.triangle = (uint32_t)k};
    if (k < whole) corners_of(u->mesh, p.triangle, p.x);
    u->keep[k] = k < whole ? !u->mark[k] && is_outer(u, &p) : is_outer(u, u->all.item + (k - whole));
  }
}

// Pieces have three vertices of their own behind those of the mesh.
static void fill_soup(const uniting *u, mote_mesh *soup) {
  const mote_mesh *mesh = u->mesh;
  for (size_t k = 0; k < 3 * mesh->vertices; ++k) soup->vertex[k] = mesh->vertex[k];
  soup->vertices = mesh->vertices;
  for (size_t t = 0, k = 0; t < mesh->triangles; ++t) {
    for (int c = 0; c < 3 && u->keep[t]; ++c) {
      soup->triangle[3 * soup->triangles + (size_t)c] = mesh->triangle[3 * t + (size_t)c];
    }
    soup->triangles += u->keep[t];
    for (; k < u->all.count && u->all.item[k].triangle == t; ++k) {
      if (!u->keep[mesh->triangles + k]) continue;
      for (int c = 0; c < 3; ++c) {
        soup->triangle[3 * soup->triangles + (size_t)c] = (uint32_t)soup->vertices;
        copy3(u->all.item[k].x[c], soup->vertex + 3 * soup->vertices++);
      }
      ++soup->triangles;
    }
  }
}

static mote_result gather(const uniting *u, const mote_env *env, mote_mesh *out, mote_error *error) {
  size_t whole = u->mesh->triangles, kept = 0, vertices = u->mesh->vertices;
  for (size_t k = 0; k < whole + u->all.count; ++k) {
    kept += u->keep[k];
    vertices += k >= whole && u->keep[k] ? 3 : 0;
  }
  mote_mesh soup = {.vertex = mote_alloc(env, vertices, 3 * sizeof(double)),
                    .triangle = mote_alloc(env, kept, 3 * sizeof(uint32_t))};
  mote_result result =
      soup.vertex && soup.triangle ? MOTE_OK : mote_fail_memory(error, vertices * 3 * sizeof(double));
  if (result == MOTE_OK) {
    fill_soup(u, &soup);
    result = mote_mesh_weld(&soup, env, out, error);
  }
  mote_free(env, soup.vertex, vertices, 3 * sizeof(double));
  mote_free(env, soup.triangle, kept, 3 * sizeof(uint32_t));
  return result;
}

// The boxes are not needed any more when the outer ones are gathered.
static mote_result choose(uniting *u, const mote_env *env, mote_mesh *out, mote_error *error) {
  MOTE_TRY(mote_winding_create(u->mesh, &u->bvh, env, &u->winding, error));
  size_t n = u->mesh->triangles + u->all.count;
  u->keep = mote_alloc(env, n, sizeof *u->keep);
  mote_result result = u->keep ? MOTE_OK : mote_fail_memory(error, n);
  if (result == MOTE_OK) mote_parallel_for(env->threads, n, 64, choose_pieces, u);
  mote_winding_destroy(&u->winding);
  mote_bvh_destroy(&u->bvh);
  if (result == MOTE_OK) result = gather(u, env, out, error);
  mote_free(env, u->keep, n, sizeof *u->keep);
  return result;
}

mote_result mote_mesh_mark_parts(const mote_mesh *mesh, const uint32_t *part, double tolerance,
                                 const mote_env *env, bool *crosses, mote_error *error) {
  MOTE_ASSERT(part != NULL && crosses != NULL);
  uniting u = {.mesh = mesh, .part = part, .tolerance = tolerance};
  MOTE_ALLOC(u.mark, env, mesh->triangles, error);
  mote_result result = mote_bvh_create(mesh, env, &u.bvh, error);
  if (result == MOTE_OK) {
    mote_parallel_for(env->threads, mesh->triangles, 64, mark_meetings, &u);
    mote_bvh_destroy(&u.bvh);
    for (size_t t = 0; t < mesh->triangles; ++t) {
      if (u.mark[t]) crosses[part[t]] = true;
    }
  }
  mote_free(env, u.mark, mesh->triangles, sizeof *u.mark);
  return result;
}

mote_result mote_mesh_unite(const mote_mesh *mesh, double tolerance, const mote_env *env, mote_mesh *out,
                            mote_error *error) {
  MOTE_ASSERT(mesh->triangles > 0 && tolerance > 0.0);
  uniting u = {.mesh = mesh, .tolerance = tolerance};
  MOTE_ALLOC(u.mark, env, mesh->triangles, error);
  mote_result result = mote_bvh_create(mesh, env, &u.bvh, error);
  if (result == MOTE_OK) {
    mote_parallel_for(env->threads, mesh->triangles, 64, mark_meetings, &u);
    result = cut_triangles(&u, error);
    if (result == MOTE_OK) result = choose(&u, env, out, error);
    mote_free(env, u.all.item, u.all.capacity, sizeof *u.all.item);
    if (u.bvh.node) mote_bvh_destroy(&u.bvh);
  }
  mote_free(env, u.mark, mesh->triangles, sizeof *u.mark);
  return result;
}
