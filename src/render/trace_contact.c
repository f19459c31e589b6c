// Liquids at other meshes: see trace.h and draw/liquid_contact.h.
#include <string.h>

#include "draw/liquid_contact.h"
#include "render/trace.h"

// In the middle of the shutter.
static void put_positions(const mote_thing *thing, double *out) {
  for (size_t v = 0; v < thing->vertices; ++v) {
    mote_vec x = vec_from(thing->vertex + 3 * v);
    if (thing->vertex_end != NULL) x = vec_lerp(x, vec_from(thing->vertex_end + 3 * v), 0.5F);
    out[3 * v] = (double)x.x, out[3 * v + 1] = (double)x.y, out[3 * v + 2] = (double)x.z;
  }
}

static mote_result join(const mote_trace *t, const mote_thing *other, mote_liquid_contact *c,
                        mote_thing *liquid, mote_error *error) {
  mote_mesh mesh = {.vertices = other->vertices, .triangles = other->triangles};
  size_t bytes = 3 * other->vertices * sizeof *mesh.vertex;
  memcpy(&mesh.triangle, &other->triangle, sizeof mesh.triangle);
  mesh.vertex = mote_io_new(&t->env, bytes);
  if (mesh.vertex == NULL) return mote_io_fail_memory(error);
  put_positions(other, mesh.vertex);
  put_positions(liquid, c->x);
  mote_result result = mote_liquid_contact_find(c, &mesh, false, error);
  for (size_t k = 0; k < 3 * liquid->vertices && result == MOTE_OK; ++k) {
    liquid->vertex[k] += (float)c->move[k];
    if (liquid->vertex_end != NULL) liquid->vertex_end[k] += (float)c->move[k];
  }
  mote_io_delete(&t->env, mesh.vertex, bytes);
  return result;
}

static mote_result join_all(const mote_trace *t, mote_liquid_contact *c, mote_thing *liquid,
                            mote_error *error) {
  put_positions(liquid, c->x);
  mote_liquid_contact_set_reach(c, (double)liquid->contact);
  for (size_t k = 0; k < 3 * liquid->triangles; ++k)
    for (size_t m = 0; m < 3; ++m)
      c->normal[3 * (size_t)liquid->triangle[k] + m] += (double)liquid->normal[3 * k + m];
  for (size_t k = 0; k < t->scene->meshes; ++k) {
    const mote_thing *other = t->thing + k;
    // At vessels of glass paths cross a gap: trace_vessel.c.
    if (!other->liquid && !other->vessel && other->triangles > 0)
      MOTE_IO_TRY(join(t, other, c, liquid, error));
  }
  return MOTE_OK;
}

mote_result mote_trace_contact(const mote_trace *t, mote_thing *liquid, mote_error *error) {
  mote_liquid_contact c;
  bool ok = mote_liquid_contact_open(liquid->vertices, &t->env, &c);
  mote_result result = ok ? join_all(t, &c, liquid, error) : mote_io_fail_memory(error);
  mote_liquid_contact_close(&c);
  return result;
}
