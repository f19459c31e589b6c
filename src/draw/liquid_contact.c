// Liquids at other meshes: see liquid_contact.h.
#include "draw/liquid_contact.h"

#include <math.h>
#include <string.h>

#include "draw/tuning.inc"

// Vertices of the liquid that are near the bounds of another mesh.
typedef struct near_list {
  size_t count, capacity;
  uint32_t *vertex;
  double *x;           // where they are
  uint32_t *triangle;  // of the other, nearest to each
  double *share;       // of its corners, at the nearest point
} near_list;

bool mote_liquid_contact_open(size_t count, const mote_env *env, mote_liquid_contact *c) {
  size_t bytes = 3 * count * sizeof(double);
  *c = (mote_liquid_contact){.env = *env, .count = count};
  c->x = mote_io_new(env, bytes), c->normal = mote_io_new(env, bytes), c->move = mote_io_new(env, bytes);
  return c->x != NULL && c->normal != NULL && c->move != NULL;
}

void mote_liquid_contact_close(mote_liquid_contact *c) {
  size_t bytes = 3 * c->count * sizeof(double);
  mote_io_delete(&c->env, c->x, bytes);
  mote_io_delete(&c->env, c->normal, bytes);
  mote_io_delete(&c->env, c->move, bytes);
}

// What is thin cannot be in contact with all that is within its mean edge.
void mote_liquid_contact_set_reach(mote_liquid_contact *c, double mean_edge) {
  c->reach = CONTACT_REACH * mean_edge;
  for (int k = 0; k < 3; ++k) {
    double low = (double)INFINITY, high = (double)-INFINITY;
    for (size_t v = 0; v < c->count; ++v)
      low = fmin(low, c->x[3 * v + (size_t)k]), high = fmax(high, c->x[3 * v + (size_t)k]);
    c->reach = fmin(c->reach, (high - low) / 4);
  }
}

// False: no memory.
static bool make_list(const mote_liquid_contact *c, near_list *near) {
  *near = (near_list){.capacity = c->count};
  near->vertex = mote_io_new(&c->env, c->count * sizeof *near->vertex);
  near->x = mote_io_new(&c->env, 3 * c->count * sizeof *near->x);
  near->triangle = mote_io_new(&c->env, c->count * sizeof *near->triangle);
  near->share = mote_io_new(&c->env, 3 * c->count * sizeof *near->share);
  return near->vertex != NULL && near->x != NULL && near->triangle != NULL && near->share != NULL;
}

static void free_list(const mote_liquid_contact *c, near_list *near) {
  mote_io_delete(&c->env, near->vertex, near->capacity * sizeof *near->vertex);
  mote_io_delete(&c->env, near->x, 3 * near->capacity * sizeof *near->x);
  mote_io_delete(&c->env, near->triangle, near->capacity * sizeof *near->triangle);
  mote_io_delete(&c->env, near->share, 3 * near->capacity * sizeof *near->share);
}

// Of a mesh that is not finite: none.
static void list_near(const mote_liquid_contact *c, const mote_mesh *other, near_list *near) {
  double low[3], high[3];
  for (int k = 0; k < 3; ++k) low[k] = (double)INFINITY, high[k] = (double)-INFINITY;
  for (size_t v = 0; v < 3 * other->vertices; ++v) {
    if (!isfinite(other->vertex[v])) return;
    low[v % 3] = fmin(low[v % 3], other->vertex[v] - c->reach);
    high[v % 3] = fmax(high[v % 3], other->vertex[v] + c->reach);
  }
  for (size_t v = 0; v < c->count; ++v) {
    const double *x = c->x + 3 * v;
    bool inside = true;
    for (int k = 0; k < 3; ++k) inside = inside && x[k] > low[k] && x[k] < high[k];
    if (!inside) continue;
    memcpy(near->x + 3 * near->count, x, 3 * sizeof *x);
    near->vertex[near->count++] = (uint32_t)v;
  }
}

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// From the k-th vertex to the nearest point of the other; false: it is within the other.
static bool find_offset(const near_list *near, const mote_mesh *other, size_t k, double offset[3]) {
  const uint32_t *corner = other->triangle + 3 * (size_t)near->triangle[k];
  const double *p[3];
  double a[3], b[3], n[3];
  for (int m = 0; m < 3; ++m) p[m] = other->vertex + 3 * (size_t)corner[m];
  for (int m = 0; m < 3; ++m) {
    offset[m] = -near->x[3 * k + (size_t)m];
    for (int c = 0; c < 3; ++c) offset[m] += near->share[3 * k + (size_t)c] * p[c][m];
    a[m] = p[1][m] - p[0][m], b[m] = p[2][m] - p[0][m];
  }
  for (int m = 0; m < 3; ++m) n[m] = a[(m + 1) % 3] * b[(m + 2) % 3] - a[(m + 2) % 3] * b[(m + 1) % 3];
  return dot(offset, n) < 0;
}

// Sides that look away from the other stay: the far one of a film there.
static void move_near(mote_liquid_contact *c, const near_list *near, const mote_mesh *other, double beyond) {
  for (size_t k = 0; k < near->count; ++k) {
    double offset[3];
    size_t v = near->vertex[k];
    const double *normal = c->normal + 3 * v;
    if (!find_offset(near, other, k, offset)) continue;
    double length = sqrt(dot(offset, offset));
    if (!(length > 0 && length < c->reach)) continue;
    if (dot(normal, offset) < (double)INWARD_COSINE * length * sqrt(dot(normal, normal))) continue;
    double part = fmin(1, 2 - 2 * length / c->reach);
    for (int m = 0; m < 3; ++m) c->move[3 * v + (size_t)m] = part * offset[m] * (1 + beyond / length);
  }
}

mote_result mote_liquid_contact_find(mote_liquid_contact *c, const mote_mesh *other, bool clear,
                                     mote_error *error) {
  double beyond = CONTACT_BEYOND * c->reach;
  near_list near;
  mote_result result = make_list(c, &near) ? MOTE_OK : mote_io_fail_memory(error);
  memset(c->move, 0, 3 * c->count * sizeof *c->move);
  if (result == MOTE_OK && other->triangles > 0 && c->reach > 0) list_near(c, other, &near);
  if (near.count > 0)
    result = mote_mesh_nearest(other, near.x, near.count, &c->env, near.triangle, near.share, error);
  if (result == MOTE_OK) move_near(c, &near, other, clear ? -beyond : beyond);
  free_list(c, &near);
  return result;
}
