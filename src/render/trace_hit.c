// The first hit of a ray, and the transmittance to a point. Embree handles geometry; the floor and the
// section are planes handled here: the kept part of space is convex, so that it contains one segment of a
// ray, and a ray that enters it inside a closed thing hits the thing's cut face.
#include "render/texture_file.h"
#include "render/trace.h"

static const mote_look INK = {.kind = MOTE_LOOK_MATTE, .colour = {0.02F, 0.02F, 0.025F}, .roughness = 1};

// The segment of the ray kept by the section; false: none.
static bool keep(const mote_trace *t, mote_ray ray, float *begin, float *end) {
  if (!t->cut) return true;
  float slope = vec_dot(t->cut_normal, ray.to), above = vec_dot(t->cut_normal, ray.from) - t->cut_at;
  float at = slope != 0 ? -above / slope : -1;
  if (slope > 0) *begin = at > *begin ? at : *begin;
  if (slope < 0) *end = at < *end ? at : *end;
  return *begin < *end && (slope != 0 || above > 0);
}

static mote_vec shade_of(const mote_trace *t, mote_colour c) {
  return vec(t->linear[c.red], t->linear[c.green], t->linear[c.blue]);
}

// --- Things --------------------------------------------------------------------------------------------

static mote_vec mesh_colour(const mote_trace *t, const mote_thing *thing, size_t triangle, float u, float v) {
  mote_vec painted;
  if (thing->texture != NULL && mote_texture_colour(thing->texture, t->linear, triangle, u, v, &painted))
    return painted;
  if (thing->shades == NULL) return thing->colour;
  const uint32_t *corner = thing->triangle + 3 * triangle;
  mote_vec colour = vec_scale(shade_of(t, thing->shades[corner[0]]), 1 - u - v);
  colour = vec_along(colour, shade_of(t, thing->shades[corner[1]]), u);
  return vec_along(colour, shade_of(t, thing->shades[corner[2]]), v);
}

// Whether a point of a triangle is nearer to one of its edges than `width`, and than a twelfth of its height,
// so that lines of fine meshes do not cover the triangles.
static bool near_edge(mote_vec a, mote_vec b, mote_vec c, float u, float v, float width) {
  const float part[3] = {1 - u - v, u, v};
  const float side[3] = {vec_length(vec_sub(c, b)), vec_length(vec_sub(c, a)), vec_length(vec_sub(b, a))};
  float area = vec_length(vec_cross(vec_sub(b, a), vec_sub(c, a)));
  for (int k = 0; k < 3; ++k)
    if (part[k] * area < width * side[k] && part[k] < 1.0F / 12) return true;
  return false;
}

static mote_vec vertex_at(const mote_thing *thing, uint32_t vertex, float time) {
  mote_vec x = vec_from(thing->vertex + 3 * (size_t)vertex);
  if (thing->vertex_end == NULL) return x;
  return vec_lerp(x, vec_from(thing->vertex_end + 3 * (size_t)vertex), time);
}

static void describe_mesh(const mote_trace *t, const mote_thing *thing, const mote_meeting *found, float time,
                          mote_hit *hit) {
  const uint32_t *corner = thing->triangle + 3 * (size_t)found->part;
  mote_vec p[3];
  float u = found->u, v = found->v;
  for (int k = 0; k < 3; ++k) p[k] = vertex_at(thing, corner[k], time);
  hit->at = vec_along(vec_along(vec_scale(p[0], 1 - u - v), p[1], u), p[2], v);
  hit->face = vec_unit(vec_cross(vec_sub(p[1], p[0]), vec_sub(p[2], p[0])));
  hit->normal = mote_mesh_normal(thing, found->part, u, v);
  if (!(vec_dot(hit->normal, hit->face) > 0)) hit->normal = hit->face;
  hit->colour = mesh_colour(t, thing, found->part, u, v);
  hit->contact = thing->contact;
  if (!thing->wireframe || !near_edge(p[0], p[1], p[2], u, v, 0.55F * hit->t / (float)t->camera.scale))
    return;
  hit->look = &INK;
  hit->colour = vec_from(INK.colour);
}

static void describe_ball(const mote_trace *t, const mote_thing *thing, const mote_meeting *found,
                          mote_ray ray, mote_hit *hit) {
  const mote_quadric *q = thing->ball + found->part;
  if (thing->shades != NULL) hit->colour = shade_of(t, thing->shades[found->part]);
  hit->face = hit->normal =
      thing->look.kind == MOTE_LOOK_PUFF ? vec_scale(ray.to, -1) : mote_quadric_normal(q, hit->at, ray.time);
}

static mote_hit describe(const mote_trace *t, const mote_meeting *found, mote_ray ray) {
  const mote_thing *thing = t->thing + found->thing;
  mote_hit hit = {.t = found->t, .look = &thing->look, .colour = thing->colour, .liquid = thing->liquid};
  hit.at = vec_along(ray.from, ray.to, hit.t);
  if (thing->kind == MOTE_THING_MESH)
    describe_mesh(t, thing, found, ray.time, &hit);
  else if (thing->kind == MOTE_THING_BALLS)
    describe_ball(t, thing, found, ray, &hit);
  else
    hit.face = hit.normal = vec_unit(found->normal);
  hit.back = vec_dot(hit.face, ray.to) > 0;
  return hit;
}

// The cut face of a thing.
static void move_to_cut(const mote_trace *t, mote_ray ray, float at, bool back, mote_hit *hit) {
  hit->t = at;
  hit->at = vec_along(ray.from, ray.to, at);
  hit->face = hit->normal = vec_scale(t->cut_normal, -1);
  hit->back = back;
}

static mote_query make_query(const mote_trace *t, mote_ray ray, float begin, float end, uint32_t seed) {
  mote_query query = {.trace = t, .seed = seed, .through = vec_all(1)};
  mote_tank_cut(t, ray, begin, end, &query);
  return query;
}

// The mesh of a liquid reaches into the bodies in it. A ray that begins at the cut inside a body may hit the
// liquid, from either side, before the body's back, which still means a cut face of the body.
static void find_body_behind(const mote_trace *t, mote_ray ray, float end, mote_query query, mote_hit *hit) {
  mote_meeting found;
  query.bodies = true;
  if (!mote_embree_meet(t, ray, hit->t, end, &query, &found)) return;
  mote_hit body = describe(t, &found, ray);
  if (body.back) *hit = body;
}

static mote_hit meet_things(const mote_trace *t, mote_ray ray, float most, const mote_look *within, bool eye,
                            uint32_t seed) {
  mote_hit hit = {.t = INFINITY};
  float begin = 0, end = most;
  if (!keep(t, ray, &begin, &end)) return hit;
  mote_query query = make_query(t, ray, begin, end, seed);
  query.eye = eye;
  mote_meeting found;
  if (mote_embree_meet(t, ray, begin, end, &query, &found)) {
    hit = describe(t, &found, ray);
    if (begin > 0 && hit.liquid) find_body_behind(t, ray, end, query, &hit);
    if (begin > 0 && hit.back) move_to_cut(t, ray, begin, false, &hit);
  } else if (within != NULL && end < most) {
    hit.look = within, hit.colour = vec_all(1);
    move_to_cut(t, ray, end, true, &hit);
  }
  return t->tank.there || t->cut ? mote_tank_meet(t, ray, &query, within, hit) : hit;
}

mote_hit mote_trace_probe(const mote_trace *t, mote_ray ray) {
  mote_query query = {.trace = t, .begin = 0, .end = INFINITY, .probe = true};
  mote_meeting found;
  bool any = mote_embree_meet(t, ray, 0, INFINITY, &query, &found);
  return any ? describe(t, &found, ray) : (mote_hit){.t = INFINITY};
}

// --- The floor -----------------------------------------------------------------------------------------

static float floor_at(const mote_trace *t, mote_ray ray) {
  float slope = vec_dot(t->sky.up, ray.to), above = vec_dot(t->sky.up, ray.from) - t->floor.height;
  return t->floor.there && slope < 0 && above > 0 ? above / -slope : INFINITY;
}

static mote_hit describe_floor(const mote_trace *t, mote_ray ray, float at) {
  mote_hit hit = {.t = at, .at = vec_along(ray.from, ray.to, at), .look = &t->floor.look};
  hit.face = hit.normal = t->sky.up;
  hit.colour = vec_from(t->floor.look.colour);
  hit.fade = smooth_step(t->floor.fade_from, t->floor.fade_to, vec_length(hit.at));
  return hit;
}

mote_hit mote_trace_nearest(const mote_trace *t, mote_ray ray, float most, const mote_look *within, bool eye,
                            uint32_t seed) {
  float ground = floor_at(t, ray);
  if (ground < most) most = ground;
  mote_hit hit = meet_things(t, ray, most, within, eye, seed);
  return ground <= most && hit.t > ground ? describe_floor(t, ray, ground) : hit;
}

// --- Shadows -------------------------------------------------------------------------------------------

static float dim(float through, float tau) {
  return tau > 0 ? through * mote_expf(-tau) : through;
}

// The optical depth of a segment of a ray: that of its crossings, and of the media at both ends. Glass that
// was entered and not left ends at the far end, where a section cut it.
static float depth_along(float crossings, float inner, float beyond, float begin, float end) {
  if (beyond < -inner) beyond = -inner;
  return crossings + (beyond != 0 && isfinite(end) ? beyond * end : 0) - (inner + beyond) * begin;
}

mote_vec mote_trace_shadow(const mote_trace *t, mote_ray towards, float far, bool *glass) {
  float begin = 0, end = far;
  if (glass != NULL) *glass = false;
  if (floor_at(t, towards) < far) return vec_all(0);
  if (!keep(t, towards, &begin, &end)) return vec_all(1);
  mote_query query = make_query(t, towards, begin, end, 0);
  bool stopped = mote_embree_stops(t, towards, begin, end, &query);
  if (glass != NULL) *glass = query.glass || vec_max(query.beyond) > 0;
  if (stopped) return vec_all(0);
  mote_vec in = query.inner, out = query.beyond, tau = query.tau;
  if (query.begin < query.end) begin = query.begin, end = query.end;
  return vec(dim(query.through.x, depth_along(tau.x, in.x, out.x, begin, end)),
             dim(query.through.y, depth_along(tau.y, in.y, out.y, begin, end)),
             dim(query.through.z, depth_along(tau.z, in.z, out.z, begin, end)));
}
