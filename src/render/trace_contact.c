// Liquids at other meshes: see trace.h. The surface of a liquid is accurate to half a particle spacing, so
// that it ends before the vessel, the wall or the body that holds it, and light comes in between. What is in
// contact is moved a little beyond the surface of the other.
#include <string.h>

#include "render/trace.h"
#include "render/tuning.inc"

// Another mesh, and what of the liquid is near it.
typedef struct contact {
  const mote_env *env;
  mote_mesh other;
  float reach;             // m, of contact
  double low[3], high[3];  // bounds of the other, and as far around
  double *x;               // of vertices of the liquid within
  uint32_t *vertex;        // which they are
  uint32_t *triangle;      // of the other, nearest to each
  double *share;           // of its corners, at the nearest point
  size_t count, capacity;
} contact;

static void put_place(const mote_thing *thing, size_t v, double out[3]) {
  mote_vec x = vec_from(thing->vertex + 3 * v);
  if (thing->vertex_end != NULL) x = vec_lerp(x, vec_from(thing->vertex_end + 3 * v), 0.5F);
  out[0] = (double)x.x, out[1] = (double)x.y, out[2] = (double)x.z;
}

static void take_other(const mote_thing *other, double around, contact *c) {
  for (int k = 0; k < 3; ++k) c->low[k] = (double)INFINITY, c->high[k] = (double)-INFINITY;
  for (size_t v = 0; v < other->vertices; ++v) {
    double *x = c->other.vertex + 3 * v;
    put_place(other, v, x);
    for (int k = 0; k < 3; ++k)
      c->low[k] = fmin(c->low[k], x[k] - around), c->high[k] = fmax(c->high[k], x[k] + around);
  }
}

static void take_near(const mote_thing *liquid, contact *c) {
  for (size_t v = 0; v < liquid->vertices; ++v) {
    double *x = c->x + 3 * c->count;
    put_place(liquid, v, x);
    bool near = true;
    for (int k = 0; k < 3; ++k) near = near && x[k] > c->low[k] && x[k] < c->high[k];
    if (near) c->vertex[c->count++] = (uint32_t)v;
  }
}

// What is thin cannot be in contact with all that is within its mean edge.
static float find_reach(const mote_thing *liquid) {
  float reach = CONTACT_REACH * liquid->contact;
  for (int k = 0; k < 3; ++k) {
    float low = INFINITY, high = -INFINITY;
    for (size_t v = 0; v < liquid->vertices; ++v) {
      float x = liquid->vertex[3 * v + (size_t)k];
      low = x < low ? x : low, high = x > high ? x : high;
    }
    if (high - low < 4 * reach) reach = (high - low) / 4;
  }
  return reach;
}

static bool open_contact(const mote_trace *t, const mote_thing *liquid, const mote_thing *other, contact *c) {
  size_t n = liquid->vertices;
  *c = (contact){.env = &t->env, .capacity = n, .reach = find_reach(liquid)};
  c->other = (mote_mesh){.vertices = other->vertices, .triangles = other->triangles};
  memcpy(&c->other.triangle, &other->triangle, sizeof c->other.triangle);
  c->other.vertex = mote_io_new(c->env, 3 * other->vertices * sizeof *c->other.vertex);
  c->x = mote_io_new(c->env, 3 * n * sizeof *c->x);
  c->vertex = mote_io_new(c->env, n * sizeof *c->vertex);
  c->triangle = mote_io_new(c->env, n * sizeof *c->triangle);
  c->share = mote_io_new(c->env, 3 * n * sizeof *c->share);
  if (c->other.vertex == NULL || c->x == NULL || c->vertex == NULL || c->triangle == NULL || c->share == NULL)
    return false;
  take_other(other, (double)c->reach, c);
  take_near(liquid, c);
  return true;
}

static void close_contact(contact *c) {
  size_t n = c->capacity;
  mote_io_delete(c->env, c->other.vertex, 3 * c->other.vertices * sizeof *c->other.vertex);
  mote_io_delete(c->env, c->x, 3 * n * sizeof *c->x);
  mote_io_delete(c->env, c->vertex, n * sizeof *c->vertex);
  mote_io_delete(c->env, c->triangle, n * sizeof *c->triangle);
  mote_io_delete(c->env, c->share, 3 * n * sizeof *c->share);
}

// From the k-th vertex to the nearest point of the other; false: it is within the other.
static bool find_offset(const contact *c, size_t k, mote_vec *offset) {
  const uint32_t *corner = c->other.triangle + 3 * (size_t)c->triangle[k];
  mote_vec p[3];
  *offset = vec_scale(vec_from_double(c->x + 3 * k), -1);
  for (int m = 0; m < 3; ++m) {
    p[m] = vec_from_double(c->other.vertex + 3 * (size_t)corner[m]);
    *offset = vec_along(*offset, p[m], (float)c->share[3 * k + (size_t)m]);
  }
  return vec_dot(*offset, vec_cross(vec_sub(p[1], p[0]), vec_sub(p[2], p[0]))) < 0;
}

static void move_vertex(float *vertex, size_t v, mote_vec move) {
  mote_vec x = vec_add(vec_from(vertex + 3 * v), move);
  memcpy(vertex + 3 * v, (const float[3]){x.x, x.y, x.z}, 3 * sizeof(float));
}

// Sides that look away from the other stay: the far one of a film there.
static void move_near(const contact *c, const mote_vec *normal, mote_thing *liquid) {
  for (size_t k = 0; k < c->count; ++k) {
    mote_vec offset;
    size_t v = c->vertex[k];
    if (!find_offset(c, k, &offset)) continue;
    float length = vec_length(offset);
    if (!(length > 0 && length < c->reach)) continue;
    if (vec_dot(normal[v], offset) < INWARD_COSINE * length * vec_length(normal[v])) continue;
    mote_vec move = vec_scale(offset, 1 + CONTACT_BEYOND * c->reach / length);
    move_vertex(liquid->vertex, v, move);
    if (liquid->vertex_end != NULL) move_vertex(liquid->vertex_end, v, move);
  }
}

static mote_result join(const mote_trace *t, const mote_thing *other, const mote_vec *normal,
                        mote_thing *liquid, mote_error *error) {
  contact c;
  mote_result result = open_contact(t, liquid, other, &c) ? MOTE_OK : mote_io_fail_memory(error);
  if (result == MOTE_OK && c.count > 0)
    result = mote_mesh_nearest(&c.other, c.x, c.count, c.env, c.triangle, c.share, error);
  if (result == MOTE_OK) move_near(&c, normal, liquid);
  close_contact(&c);
  return result;
}

static mote_result join_all(const mote_trace *t, const mote_vec *normal, mote_thing *liquid,
                            mote_error *error) {
  for (size_t k = 0; k < t->scene->meshes; ++k) {
    const mote_thing *other = t->thing + k;
    // At vessels of glass paths cross a gap: trace_vessel.c.
    if (!other->liquid && !other->vessel && other->triangles > 0)
      MOTE_IO_TRY(join(t, other, normal, liquid, error));
  }
  return MOTE_OK;
}

mote_result mote_trace_contact(const mote_trace *t, mote_thing *liquid, mote_error *error) {
  size_t bytes = liquid->vertices * sizeof(mote_vec);
  mote_vec *normal = mote_io_new(&t->env, bytes);
  if (normal == NULL) return mote_io_fail_memory(error);
  for (size_t c = 0; c < 3 * liquid->triangles; ++c) {
    mote_vec *sum = normal + liquid->triangle[c];
    *sum = vec_add(*sum, vec_from(liquid->normal + 3 * c));
  }
  mote_result result = join_all(t, normal, liquid, error);
  mote_io_delete(&t->env, normal, bytes);
  return result;
}
