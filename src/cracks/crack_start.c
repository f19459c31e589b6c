// Initial cracks: polygons, discs, half planes. See crack_sheet.h.
#include <mote/numeric.h>
#include <string.h>

#include "base/memory.h"
#include "cracks/crack_sheet.h"
#include "geom/triple.h"

// Memory of a crack under construction.
typedef struct start {
  mote_crack_sheets *cracks;
  double *corner;
  mote_crack_node *node;
  size_t triangles, triangle_capacity, nodes, node_capacity;
} start;

static mote_result start_begin(start *s, size_t triangles, size_t nodes, mote_error *error) {
  const mote_env *env = &s->cracks->env;
  s->triangle_capacity = triangles, s->node_capacity = nodes;
  s->corner = mote_alloc(env, 9 * triangles, sizeof *s->corner);
  s->node = mote_alloc(env, nodes, sizeof *s->node);
  if (s->corner != NULL && s->node != NULL) return MOTE_OK;
  return mote_fail_memory(error, 9 * triangles * sizeof *s->corner + nodes * sizeof *s->node);
}

static void start_end(start *s) {
  mote_free(&s->cracks->env, s->corner, 9 * s->triangle_capacity, sizeof *s->corner);
  mote_free(&s->cracks->env, s->node, s->node_capacity, sizeof *s->node);
}

static void put_triangle(start *s, const double a[3], const double b[3], const double c[3]) {
  MOTE_ASSERT(s->triangles < s->triangle_capacity);
  double *to = s->corner + 9 * s->triangles++;
  copy3(a, to), copy3(b, to + 3), copy3(c, to + 6);
}

static void put_node(start *s, const double x[3], const double ahead[3], const double normal[3]) {
  MOTE_ASSERT(s->nodes < s->node_capacity);
  mote_crack_node *n = s->node + s->nodes++;
  *n = (mote_crack_node){.live = 1};
  copy3(x, n->position), copy3(ahead, n->ahead), copy3(normal, n->normal);
}

static bool make_unit(double a[3]) {
  double length = length3(a);
  for (int k = 0; k < 3; ++k) a[k] /= length;
  return finite3(a);
}

// Adds the triangles as a new sheet, and its nodes as `fronts` fronts of equal length.
static mote_result add_sheet(start *s, size_t fronts, bool closed, mote_error *error) {
  mote_crack_sheets *c = s->cracks;
  uint32_t sheet = (uint32_t)c->sheets;
  size_t nodes = c->nodes + s->nodes, each = s->nodes / fronts;
  MOTE_TRY(mote_crack_add_triangles(c, sheet, s->corner, s->triangles, error));
  MOTE_TRY(mote_reserve(&c->env, &c->front, c->capacity + 2, c->fronts + fronts, sizeof *c->front, error));
  MOTE_TRY(mote_reserve(&c->env, &c->node, c->capacity + 3, nodes, sizeof *c->node, error));
  for (size_t k = 0; k < fronts; ++k) {
    c->front[c->fronts++] = (mote_crack_front){
        .sheet = sheet, .first = (uint32_t)(c->nodes + k * each), .count = (uint32_t)each, .closed = closed};
  }
  memcpy(c->node + c->nodes, s->node, s->nodes * sizeof *s->node);
  c->nodes = nodes;
  return MOTE_OK;
}

static size_t pieces_of(const double a[3], const double b[3], double spacing) {
  double pieces = ceil(distance3(a, b) / spacing);
  return pieces > 1.0 ? (size_t)pieces : 1;
}

static void point_between(const double a[3], const double b[3], double part, double out[3]) {
  for (int k = 0; k < 3; ++k) out[k] = (1.0 - part) * a[k] + part * b[k];
}

// --- Polylines of 2D -----------------------------------------------------------------------------------

static void put_end(start *s, const double before[3], const double end[3], double side) {
  double ahead[3], normal[3];
  sub3(end, before, ahead);
  make_unit(ahead);
  set3(-side * ahead[1], side * ahead[0], 0.0, normal);
  put_node(s, end, ahead, normal);
}

static mote_result add_polyline(start *s, const double *corner, size_t count, bool both, mote_error *error) {
  MOTE_TRY(start_begin(s, count - 1, 2, error));
  for (size_t k = 0; k + 1 < count; ++k)
    put_triangle(s, corner + 3 * k, corner + 3 * k + 3, corner + 3 * k + 3);
  put_end(s, corner + 3 * (count - 2), corner + 3 * (count - 1), 1.0);
  if (both) put_end(s, corner + 3, corner, -1.0);
  return add_sheet(s, both ? 2 : 1, false, error);
}

// --- Polygons of 3D ------------------------------------------------------------------------------------

// The normal by which the corners run counter-clockwise (Newell's), and the mean of the corners.
static bool find_plane(const double *corner, size_t count, double centre[3], double normal[3]) {
  set3(0.0, 0.0, 0.0, centre), set3(0.0, 0.0, 0.0, normal);
  for (size_t k = 0; k < count; ++k) step3(centre, 1.0 / (double)count, corner + 3 * k, centre);
  for (size_t k = 0; k < count; ++k) {
    double a[3], b[3], n[3];
    sub3(corner + 3 * k, centre, a), sub3(corner + 3 * ((k + 1) % count), centre, b);
    cross3(a, b, n);
    step3(normal, 1.0, n, normal);
  }
  return make_unit(normal);
}

static void aim_nodes(start *s, const double normal[3]) {
  for (size_t k = 0; k < s->nodes; ++k) {
    double tangent[3];
    sub3(s->node[(k + 1) % s->nodes].position, s->node[(k + s->nodes - 1) % s->nodes].position, tangent);
    cross3(tangent, normal, s->node[k].ahead);
    make_unit(s->node[k].ahead);
  }
}

static mote_result add_flat(start *s, const double *corner, size_t count, double spacing, mote_error *error) {
  double centre[3], normal[3], zero[3] = {0};
  size_t pieces = 0;
  if (!find_plane(corner, count, centre, normal)) return mote_fail_key(error, "corners", "are on a line");
  for (size_t k = 0; k < count; ++k)
    pieces += pieces_of(corner + 3 * k, corner + 3 * ((k + 1) % count), spacing);
  MOTE_TRY(start_begin(s, pieces, pieces, error));
  for (size_t k = 0; k < count; ++k) {
    const double *a = corner + 3 * k, *b = corner + 3 * ((k + 1) % count);
    size_t parts = pieces_of(a, b, spacing);
    for (size_t m = 0; m < parts; ++m) {
      double x[3];
      point_between(a, b, (double)m / (double)parts, x);
      put_node(s, x, zero, normal);
    }
  }
  for (size_t k = 0; k < s->nodes; ++k)
    put_triangle(s, centre, s->node[k].position, s->node[(k + 1) % s->nodes].position);
  aim_nodes(s, normal);
  return add_sheet(s, 1, true, error);
}

mote_result mote_crack_add_polygon(mote_crack_sheets *cracks, const double *corner, size_t count,
                                   double spacing, mote_error *error) {
  MOTE_ASSERT(count >= (cracks->dimensions == 2 ? 2U : 3U) && spacing > 0.0);
  start s = {.cracks = cracks};
  mote_result result = cracks->dimensions == 2 ? add_polyline(&s, corner, count, true, error)
                                               : add_flat(&s, corner, count, spacing, error);
  start_end(&s);
  return result;
}

// --- Discs and half planes -----------------------------------------------------------------------------

// Two unit vectors that make a right-handed basis with the unit vector n.
static void make_basis(const double n[3], double u[3], double v[3]) {
  int least = fabs(n[0]) <= fabs(n[1]) ? 0 : 1;
  if (fabs(n[2]) < fabs(n[least])) least = 2;
  double axis[3] = {0};
  axis[least] = 1.0;
  cross3(axis, n, u);
  make_unit(u);
  cross3(n, u, v);
}

mote_result mote_crack_add_disc(mote_crack_sheets *cracks, const double centre[3], const double normal[3],
                                double radius, double spacing, mote_error *error) {
  MOTE_ASSERT(radius > 0.0 && spacing > 0.0);
  double n[3], u[3], v[3];
  copy3(normal, n);
  if (!make_unit(n)) return mote_fail_key(error, "normal", "is zero");
  if (cracks->dimensions == 2) {
    double ends[6], along[3] = {n[1], -n[0], 0.0};
    step3(centre, -radius, along, ends), step3(centre, radius, along, ends + 3);
    return mote_crack_add_polygon(cracks, ends, 2, spacing, error);
  }
  make_basis(n, u, v);
  double wanted = ceil(2.0 * MOTE_PI * radius / spacing);
  size_t count = wanted > 8.0 ? (size_t)wanted : 8;
  start s = {.cracks = cracks};
  mote_result result = start_begin(&s, count, count, error);
  for (size_t k = 0; k < count && result == MOTE_OK; ++k) {
    double ahead[3], x[3], zero[3] = {0};
    double angle = 2.0 * MOTE_PI * (double)k / (double)count, sine = mote_sin(angle),
           cosine = mote_cos(angle);
    step3(zero, cosine, u, ahead), step3(ahead, sine, v, ahead);
    step3(centre, radius, ahead, x);
    put_node(&s, x, ahead, n);
  }
  for (size_t k = 0; k < count && result == MOTE_OK; ++k)
    put_triangle(&s, centre, s.node[k].position, s.node[(k + 1) % count].position);
  if (result == MOTE_OK) result = add_sheet(&s, 1, true, error);
  start_end(&s);
  return result;
}

static mote_result add_strip(start *s, const double tip[3], const double e[3], const double n[3],
                             double reach, double spacing, mote_error *error) {
  double t[3], ends[6];
  cross3(n, e, t);  // e = t x n
  step3(tip, -reach, t, ends), step3(tip, reach, t, ends + 3);
  size_t pieces = pieces_of(ends, ends + 3, spacing);
  MOTE_TRY(start_begin(s, 2 * pieces, pieces + 1, error));
  for (size_t k = 0; k <= pieces; ++k) {
    double x[3];
    point_between(ends, ends + 3, (double)k / (double)pieces, x);
    put_node(s, x, e, n);
  }
  for (size_t k = 0; k < pieces; ++k) {
    const double *a = s->node[k].position, *b = s->node[k + 1].position;
    double back[6];
    step3(a, -reach, e, back), step3(b, -reach, e, back + 3);
    put_triangle(s, back, a, b), put_triangle(s, back, b, back + 3);
  }
  return add_sheet(s, 1, false, error);
}

mote_result mote_crack_add_half_plane(mote_crack_sheets *cracks, const double tip[3], const double ahead[3],
                                      const double normal[3], double reach, double spacing,
                                      mote_error *error) {
  MOTE_ASSERT(reach > 0.0 && spacing > 0.0);
  double e[3], n[3], ends[6];
  copy3(normal, n);
  if (!make_unit(n)) return mote_fail_key(error, "normal", "is zero");
  step3(ahead, -dot3(ahead, n), n, e);
  if (!make_unit(e)) return mote_fail_key(error, "ahead", "is zero or along the normal");
  start s = {.cracks = cracks};
  mote_result result;
  if (cracks->dimensions == 2) {
    step3(tip, -reach, e, ends), copy3(tip, ends + 3);
    result = add_polyline(&s, ends, 2, false, error);
  } else {
    result = add_strip(&s, tip, e, n, reach, spacing, error);
  }
  start_end(&s);
  return result;
}
