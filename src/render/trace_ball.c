// Spheres, ellipsoids and puffs: geometry with intersection code of its own. Spheres are ellipsoids of three
// equal axes.
#include <string.h>

#include "render/trace.h"

static mote_vec apply_G(const float G[6], mote_vec x) {
  return vec(G[0] * x.x + G[1] * x.y + G[2] * x.z, G[1] * x.x + G[3] * x.y + G[4] * x.z,
             G[2] * x.x + G[4] * x.y + G[5] * x.z);
}

// In the space where the ellipsoid is the unit sphere, from the point of the ray that is nearest to its
// middle.
bool mote_quadric_cross(const mote_quadric *q, mote_ray ray, float *near, float *far) {
  mote_vec centre = vec_along(q->centre, q->move, ray.time);
  float shift = vec_dot(vec_sub(centre, ray.from), ray.to);
  mote_vec o = apply_G(q->G, vec_sub(vec_along(ray.from, ray.to, shift), centre)), d = apply_G(q->G, ray.to);
  float dd = vec_dot(d, d), middle = -vec_dot(o, d) / dd;
  mote_vec p = vec_along(o, d, middle);
  float rest = 1 - vec_dot(p, p);
  if (!(rest > 0) || !(dd > 0)) return false;
  float half = sqrtf(rest / dd);
  *near = shift + middle - half, *far = shift + middle + half;
  return true;
}

mote_vec mote_quadric_normal(const mote_quadric *q, mote_vec at, float time) {
  mote_vec centre = vec_along(q->centre, q->move, time);
  return vec_unit(apply_G(q->G, apply_G(q->G, vec_sub(at, centre))));
}

// Half extents of the ellipsoid along each axis: the roots of the diagonal of (G G)^-1. False: it has no
// size.
bool mote_quadric_reach(const double G[6], double reach[3]) {
  const double a = G[0], b = G[1], c = G[2], d = G[3], e = G[4], f = G[5];
  const double inverse[6] = {d * f - e * e, c * e - b * f, b * e - c * d,
                             a * f - c * c, b * c - a * e, a * d - b * b};
  double det = a * inverse[0] + b * inverse[1] + c * inverse[2];
  const int row[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  for (int k = 0; k < 3; ++k) {
    double sum = 0;
    for (int m = 0; m < 3; ++m) sum += inverse[row[k][m]] * inverse[row[k][m]];
    reach[k] = sqrt(sum) / fabs(det);
    if (!(reach[k] > 0) || !isfinite(reach[k])) return false;
  }
  return true;
}

void mote_ball_bounds(const mote_thing *thing, size_t ball, float time, float low[3], float high[3]) {
  const mote_quadric *q = thing->ball + ball;
  double G[6], reach[3];
  for (int k = 0; k < 6; ++k) G[k] = (double)q->G[k];
  mote_vec at = vec_along(q->centre, q->move, time);
  float centre[3] = {at.x, at.y, at.z};
  bool good = mote_quadric_reach(G, reach);
  for (int k = 0; k < 3; ++k) {
    float r = good ? (float)reach[k] * 1.00001F : NAN;
    low[k] = centre[k] - r, high[k] = centre[k] + r;
  }
}

// A puff is a ball of density (1 - r^2)^2, r from its middle to its edge. Its optical depth along a chord
// at a distance from the centre of sqrt(1 - c^2) radii is that of the diameter times c^5; the integral over
// the chord is 16/15 of its half length at the middle.
static float puff_depth(const mote_thing *thing, const mote_quadric *q, mote_vec to, float near, float far) {
  mote_vec d = apply_G(q->G, to);
  float half = 0.5F * (far - near), c2 = half * half * vec_dot(d, d);
  return thing->look.absorption[0] * half * c2 * c2 * (16.0F / 15.0F);
}

static float puff_through(const mote_thing *thing, const mote_quadric *q, mote_vec to, float near,
                          float far) {
  return mote_expf(-puff_depth(thing, q, to, near, far));
}

// Puffs stop a ray at their middle or not at all, by a random number of ray and puff: the order of
// queries has no effect.
bool mote_ball_stops(const mote_thing *thing, size_t ball, const mote_query *query, mote_ray ray, float begin,
                     float end, float *t) {
  const mote_quadric *q = thing->ball + ball;
  float near, far;
  if (query->probe || !mote_quadric_cross(q, ray, &near, &far)) return false;
  *t = near > begin ? near : far;
  if (thing->look.kind == MOTE_LOOK_PUFF) {
    *t = 0.5F * (near + far);
    float chance = sample_unit(sample_hash(sample_hash(query->seed, (uint32_t)ball), 77));
    if (chance < puff_through(thing, q, ray.to, near, far)) return false;
  }
  return *t > begin && *t < end;
}

// Glass and puffs transmit part of the light, other materials nothing.
bool mote_ball_shades(const mote_thing *thing, size_t ball, mote_query *query, mote_ray ray, float begin,
                      float end) {
  const mote_quadric *q = thing->ball + ball;
  float near, far;
  if (!mote_quadric_cross(q, ray, &near, &far)) return false;
  if (thing->look.kind == MOTE_LOOK_PUFF) {
    float middle = 0.5F * (near + far);
    if (middle > begin && middle < end)
      query->through = vec_scale(query->through, puff_through(thing, q, ray.to, near, far));
    return false;
  }
  const float edge[2] = {near, far};
  for (int k = 0; k < 2; ++k) {
    if (!(edge[k] > begin && edge[k] < end)) continue;
    if (thing->look.kind != MOTE_LOOK_GLASS) return true;
    mote_vec n = mote_quadric_normal(q, vec_along(ray.from, ray.to, edge[k]), ray.time);
    mote_query_cross(query, thing, edge[k], vec_dot(n, ray.to));
  }
  return false;
}

mote_result mote_trace_balls(mote_trace *t, const mote_render_spheres *set, mote_thing *thing,
                             mote_error *error) {
  thing->kind = MOTE_THING_BALLS;
  thing->shades = set->colour;
  thing->moves = set->velocity != NULL && t->shutter > 0;
  thing->ball = mote_io_new(&t->env, set->count * sizeof *thing->ball);
  if (thing->ball == NULL) return mote_io_fail_memory(error);
  thing->balls = set->count;
  for (size_t i = 0; i < set->count; ++i) {
    mote_quadric *q = thing->ball + i;
    double r[3];
    for (int k = 0; k < 3; ++k) r[k] = set->position[3 * i + (size_t)k] - t->middle[k];
    q->centre = vec_from_double(r);
    if (thing->moves) {
      q->move = vec_scale(vec_from(set->velocity + 3 * i), t->shutter);
      q->centre = vec_along(q->centre, q->move, -0.5F);
    }
    for (int k = 0; k < 6; ++k)
      q->G[k] = (float)(set->G != NULL               ? set->G[6 * i + (size_t)k]
                        : k == 0 || k == 3 || k == 5 ? 1 / set->radius
                                                     : 0);
  }
  return MOTE_OK;
}
