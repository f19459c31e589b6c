// Liquids in a tank: see mote_tank. Along a ray, the tank is one segment. A liquid's surface counts inside it
// only; a ray that is in the liquid where it enters or leaves the segment hits the flat side of
// the liquid at the wall. A section shortens the segment: if it begins inside the liquid, the ray hits
// the cut face, for any next hit (such as a ball in the water).
#include <stddef.h>

#include "render/trace.h"

void mote_tank_make(mote_trace *t) {
  const float up[3] = {t->sky.up.x, t->sky.up.y, t->sky.up.z};
  t->tank = (mote_tank){.there = false};
  for (int k = 0; k < 3; ++k) {
    double low = t->scene->low[k], high = t->scene->high[k];
    // The floor ends what stands on it.
    bool open_below = t->floor.there && up[k] > 0.99F, open_above = t->floor.there && up[k] < -0.99F;
    t->tank.low[k] = isfinite(low) && !open_below ? (float)(low - t->middle[k]) : -INFINITY;
    t->tank.high[k] = isfinite(high) && !open_above ? (float)(high - t->middle[k]) : INFINITY;
    t->tank.there = t->tank.there || isfinite(t->tank.low[k]) || isfinite(t->tank.high[k]);
    t->tank.liquid_low[k] = INFINITY, t->tank.liquid_high[k] = -INFINITY;
  }
}

static void include(mote_tank *tank, const float *x) {
  for (int k = 0; k < 3; ++k) {
    if (x[k] < tank->liquid_low[k]) tank->liquid_low[k] = x[k];
    if (x[k] > tank->liquid_high[k]) tank->liquid_high[k] = x[k];
  }
}

void mote_tank_include(mote_trace *t, const mote_thing *liquid) {
  for (size_t v = 0; v < liquid->vertices; ++v) {
    include(&t->tank, liquid->vertex + 3 * v);
    if (liquid->vertex_end != NULL) include(&t->tank, liquid->vertex_end + 3 * v);
  }
}

void mote_tank_cut(const mote_trace *t, mote_ray ray, float begin, float end, mote_query *query) {
  const float from[3] = {ray.from.x, ray.from.y, ray.from.z}, to[3] = {ray.to.x, ray.to.y, ray.to.z};
  query->enters = query->leaves = false;
  for (int k = 0; t->tank.there && k < 3; ++k) {
    float a = (t->tank.low[k] - from[k]) / to[k], b = (t->tank.high[k] - from[k]) / to[k];
    if (to[k] == 0) {
      bool inside = from[k] > t->tank.low[k] && from[k] < t->tank.high[k];
      a = inside ? -INFINITY : INFINITY, b = -a;
    }
    float near = a < b ? a : b, far = a < b ? b : a;
    if (near > begin) begin = near, query->enters = true;
    if (far < end) end = far, query->leaves = true;
  }
  query->begin = begin, query->end = end;
}

// The outward normal of the side that is nearest to the point.
static mote_vec side_normal(const mote_tank *tank, mote_vec at) {
  const float x[3] = {at.x, at.y, at.z};
  float n[3] = {0, 0, 0}, least = INFINITY;
  int side = 0;
  for (int s = 0; s < 6; ++s) {
    float away = fabsf(x[s / 2] - (s % 2 ? tank->high : tank->low)[s / 2]);
    if (away < least) least = away, side = s;
  }
  n[side / 2] = side % 2 ? 1.0F : -1.0F;
  return vec(n[0], n[1], n[2]);
}

static bool near_liquid(const mote_tank *tank, mote_vec at) {
  const float x[3] = {at.x, at.y, at.z};
  for (int k = 0; k < 3; ++k)
    if (!(x[k] >= tank->liquid_low[k] && x[k] <= tank->liquid_high[k])) return false;
  return true;
}

static mote_hit side_hit(const mote_trace *t, mote_ray ray, float at, bool back, const mote_hit *liquid) {
  mote_hit hit = *liquid;
  hit.t = at, hit.at = vec_along(ray.from, ray.to, at), hit.back = back, hit.fade = 0;
  hit.face = hit.normal = side_normal(&t->tank, hit.at);
  return hit;
}

// The colour of a liquid at a side is that of its mesh beyond it.
static void take_colour(const mote_trace *t, float time, mote_hit *hit) {
  mote_hit beyond = mote_trace_probe(t, (mote_ray){hit->at, hit->face, time});
  if (beyond.t < INFINITY) hit->colour = beyond.colour;
}

// Where the piece of the ray begins in the liquid that `first` bounds: at a side of the tank, or, where the
// section begins within the tank, at its plane.
static mote_hit entry_hit(const mote_trace *t, mote_ray ray, const mote_query *query, const mote_hit *first) {
  mote_hit hit = side_hit(t, ray, query->begin, false, first);
  if (!query->enters)
    hit.face = hit.normal = vec_scale(t->cut_normal, -1);
  else if (hit.look->kind != MOTE_LOOK_GLASS)
    take_colour(t, ray.time, &hit);
  return hit;
}

mote_hit mote_tank_meet(const mote_trace *t, mote_ray ray, const mote_query *query, const mote_look *within,
                        mote_hit hit) {
  float begin = query->begin, end = query->end;
  if (!(begin < end)) return hit;
  if (begin > 0 && begin < hit.t) {
    mote_vec at = vec_along(ray.from, ray.to, begin);
    if (!near_liquid(&t->tank, at)) return hit;
    mote_hit first = hit;
    if (!hit.liquid || !(hit.t < INFINITY)) first = mote_trace_probe(t, (mote_ray){at, ray.to, ray.time});
    if (!(first.t < INFINITY) || !first.back) return hit;
    return entry_hit(t, ray, query, &first);
  }
  if (within == NULL || begin > 0 || !query->leaves || !(end < hit.t)) return hit;
  const mote_thing *thing =
      (const mote_thing *)(const void *)((const char *)within - offsetof(mote_thing, look));
  mote_hit liquid = {.look = within, .colour = vec_all(1), .liquid = true, .contact = thing->contact};
  return thing->liquid ? side_hit(t, ray, end, true, &liquid) : hit;
}
