// The things of a scene: one for each mesh and each set of spheres, and one for the lines of the tank.
#include <string.h>

#include "render/trace.h"

// --- The tank ------------------------------------------------------------------------------------------

static const uint32_t EDGES[12] = {0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22};

static void put_end(const mote_trace *t, float *out, int corner, float radius) {
  for (int k = 0; k < 3; ++k)
    out[k] = (float)((corner >> k & 1 ? t->scene->high[k] : t->scene->low[k]) - t->middle[k]);
  out[3] = radius;
}

// The edges of the tank as rods two thirds of a pixel thick; none where a side is not finite.
static mote_result make_tank(mote_trace *t, mote_thing *thing, mote_error *error) {
  thing->kind = MOTE_THING_LINES;
  thing->look = mote_look_matte(0.16F, 0.18F, 0.20F);
  thing->colour = vec_from(thing->look.colour);
  thing->triangle = EDGES;
  for (int k = 0; k < 3; ++k)
    if (!isfinite(t->scene->low[k]) || !isfinite(t->scene->high[k])) return MOTE_OK;
  thing->vertices = 24;
  thing->vertex = mote_io_new(&t->env, mote_thing_vertex_bytes(thing));
  if (thing->vertex == NULL) return mote_io_fail_memory(error);
  float radius = 0.4F * vec_length(t->eye) / (float)t->camera.scale;
  int count = 0;
  for (int corner = 0; corner < 8; ++corner)
    for (int axis = 0; axis < 3; ++axis) {
      if (corner >> axis & 1) continue;
      put_end(t, thing->vertex + 4 * count++, corner, radius);
      put_end(t, thing->vertex + 4 * count++, corner | 1 << axis, radius);
    }
  return MOTE_OK;
}

// --- All of it -----------------------------------------------------------------------------------------

static void put_look(mote_thing *thing, const mote_look *look, double depth) {
  thing->look = *look;
  thing->colour = vec_from(look->colour);
  if (look->depth > 0) depth = (double)look->depth;
  for (int k = 0; k < 3; ++k) thing->look.absorption[k] = (float)((double)look->absorption[k] / depth);
}

static mote_result make_things(mote_trace *t, mote_error *error) {
  const mote_render_scene *s = t->scene;
  t->thing = mote_io_new(&t->env, (s->meshes + s->sphere_sets + 1) * sizeof *t->thing);
  if (t->thing == NULL) return mote_io_fail_memory(error);
  t->things = s->meshes + s->sphere_sets + 1;
  mote_thing *thing = t->thing;
  mote_tank_make(t);
  for (size_t k = 0; k < s->meshes; ++k, ++thing) {
    put_look(thing, &s->mesh[k].look, t->depth);
    MOTE_IO_TRY(mote_trace_mesh(t, s->mesh + k, thing, error));
  }
  for (mote_thing *liquid = t->thing; liquid < thing; ++liquid) {
    if (!liquid->liquid) continue;
    MOTE_IO_TRY(mote_trace_contact(t, liquid, error));
    mote_tank_include(t, liquid);
  }
  for (size_t k = 0; k < s->sphere_sets; ++k, ++thing) {
    put_look(thing, &s->spheres[k].look, t->depth);
    MOTE_IO_TRY(mote_trace_balls(t, s->spheres + k, thing, error));
  }
  return make_tank(t, thing, error);
}

// A picture has its own sun.
static mote_result make_sky_map(mote_trace *t, mote_error *error) {
  if (t->def->environment == NULL) return MOTE_OK;
  if (!mote_sky_map_make(&t->map, t->def->environment, t->sky.up, t->def->sky_strength,
                         t->def->environment_turn, &t->env))
    return mote_io_fail_memory(error);
  t->sky.map = &t->map;
  t->sky.sun_light = vec_all(0);
  return MOTE_OK;
}

mote_result mote_trace_build(mote_trace *t, mote_error *error) {
  MOTE_IO_TRY(make_things(t, error));
  MOTE_IO_TRY(make_sky_map(t, error));
  MOTE_IO_TRY(mote_lamps_make(t, error));
  mote_vessel_find(t);
  MOTE_IO_TRY(mote_embree_build(t, error));
  return mote_trace_caustics(t, error);
}

static void free_thing(mote_trace *t, mote_thing *thing) {
  size_t corners = thing->corners ? 3 * thing->triangles : thing->vertices;
  if (thing->vertex != NULL) mote_io_delete(&t->env, thing->vertex, mote_thing_vertex_bytes(thing));
  if (thing->vertex_end != NULL) mote_io_delete(&t->env, thing->vertex_end, mote_thing_vertex_bytes(thing));
  if (thing->normal != NULL) mote_io_delete(&t->env, thing->normal, 3 * corners * sizeof(float));
  if (thing->ball != NULL) mote_io_delete(&t->env, thing->ball, thing->balls * sizeof *thing->ball);
}

void mote_trace_free(mote_trace *t) {
  mote_trace_caustics_free(t);
  mote_sky_map_free(&t->map, &t->env);
  mote_lamps_free(t);
  mote_embree_free(t);
  for (size_t k = 0; t->thing != NULL && k < t->things; ++k) free_thing(t, t->thing + k);
  if (t->thing != NULL) mote_io_delete(&t->env, t->thing, t->things * sizeof *t->thing);
  t->thing = NULL;
}
