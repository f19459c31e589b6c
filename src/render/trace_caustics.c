// Sunlight focused on the floor by glass. Rays from the sun, distributed evenly over all glass, are
// traced through it by refraction alone to the floor, and summed there on a grid: a photon
// map (Jensen 1996) of one plane. Shadow rays then need to find only light that has not passed glass.
//
// Not included: light reflected outward by glass, and caustics on surfaces other than the floor.
#include <string.h>

#include "render/trace.h"
#include "render/tuning.inc"

enum { CROSSINGS = 16, CHUNK = 4096, SMOOTHINGS = 6, MOST = 1 << 22, CELLS_MAX = 1 << 22 };

typedef struct photon {
  mote_vec light;  // 0: it did not reach the floor through glass
  float u, v;      // cells
} photon;

// A rectangle across the sunlight.
typedef struct beam {
  const mote_trace *t;
  mote_vec a, b, origin;  // axes, and a corner, half-way through the glass
  float step, back;       // back: distance by which rays begin before it
  int wide, tall;
  photon *photon;
} beam;

// --- Extent of the glass -------------------------------------------------------------------------------

typedef struct extent {
  float low[3], high[3];
} extent;

static void widen(extent *e, const float x[3], const double reach[3]) {
  if (!(isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]))) return;
  for (int k = 0; k < 3; ++k) {
    float r = (float)reach[k];
    if (x[k] - r < e->low[k]) e->low[k] = x[k] - r;
    if (x[k] + r > e->high[k]) e->high[k] = x[k] + r;
  }
}

static bool find_glass(const mote_trace *t, extent *e) {
  const double none[3] = {0, 0, 0};
  *e = (extent){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  for (const mote_thing *thing = t->thing; thing < t->thing + t->things; ++thing) {
    if (thing->look.kind != MOTE_LOOK_GLASS) continue;
    for (size_t v = 0; thing->kind == MOTE_THING_MESH && v < thing->vertices; ++v)
      widen(e, thing->vertex + 3 * v, none);
    for (size_t i = 0; thing->kind == MOTE_THING_BALLS && i < thing->balls; ++i) {
      const mote_quadric *q = thing->ball + i;
      const float centre[3] = {q->centre.x, q->centre.y, q->centre.z};
      double G[6], reach[3];
      for (int k = 0; k < 6; ++k) G[k] = (double)q->G[k];
      if (mote_quadric_reach(G, reach)) widen(e, centre, reach);
    }
  }
  return e->low[0] < e->high[0] && e->low[1] < e->high[1] && e->low[2] < e->high[2];
}

static mote_vec corner_of(const extent *e, int corner) {
  return vec(corner & 1 ? e->high[0] : e->low[0], corner & 2 ? e->high[1] : e->low[1],
             corner & 4 ? e->high[2] : e->low[2]);
}

// The extent of the corners along a direction.
static void span(const extent *e, mote_vec along, float *low, float *high) {
  *low = INFINITY, *high = -INFINITY;
  for (int corner = 0; corner < 8; ++corner) {
    float s = vec_dot(corner_of(e, corner), along);
    if (s < *low) *low = s;
    if (s > *high) *high = s;
  }
}

// --- Rays from the sun ---------------------------------------------------------------------------------

// Refracts the ray at a boundary, or reflects it back into the glass.
static void pass(const mote_trace *t, const mote_hit *hit, mote_ray *ray, mote_vec *light,
                 const mote_look **within) {
  mote_vec back = vec_scale(ray->to, -1), n = vec_scale(hit->normal, hit->back ? -1.0F : 1.0F), next;
  if (vec_dot(n, back) < 1e-3F) n = vec_scale(hit->face, hit->back ? -1.0F : 1.0F);
  const mote_look *beyond = hit->back ? mote_vessel_beyond(t, hit, ray->time) : hit->look;
  const mote_look *outside = hit->back ? beyond : *within != hit->look ? *within : NULL;
  float other = outside != NULL ? outside->index : 1;
  float eta = hit->back ? other / hit->look->index : hit->look->index / other;
  float cosine = vec_dot(n, back), mirrored = fresnel(cosine < 1 ? cosine : 1, eta);
  if (refract(back, n, eta, &next) && vec_dot(next, hit->face) * (hit->back ? 1.0F : -1.0F) > 0) {
    *light = vec_mul(vec_scale(*light, 1 - mirrored), hit->colour);
    *within = beyond;
  } else {
    next = reflect(back, vec_scale(hit->face, hit->back ? -1.0F : 1.0F));
  }
  ray->from = vec_along(hit->at, hit->face, vec_dot(next, hit->face) > 0 ? t->lift : -t->lift);
  ray->to = next;
}

static photon send(const mote_trace *t, mote_ray ray, float part) {
  const mote_look *within = NULL;
  mote_vec light = vec_all(part);
  for (int crossed = 0; crossed < CROSSINGS; ++crossed) {
    mote_hit hit = mote_trace_nearest(t, ray, INFINITY, within, false, 0);
    if (!(hit.t < INFINITY)) break;
    bool glass = hit.look->kind == MOTE_LOOK_GLASS, displaced = mote_vessel_displaced(t, &hit, within);
    const mote_look *in = glass && hit.back && !displaced ? hit.look : within;
    if (in != NULL)
      light = vec_mul(light, vec(mote_expf(-in->absorption[0] * hit.t), mote_expf(-in->absorption[1] * hit.t),
                                 mote_expf(-in->absorption[2] * hit.t)));
    if (glass && displaced) {
      ray.from = vec_along(hit.at, ray.to, t->lift);
      continue;
    }
    if (glass) {
      pass(t, &hit, &ray, &light, &within);
      continue;
    }
    if (crossed == 0 || hit.look != &t->floor.look) break;
    const mote_caustics *c = &t->caustics;
    return (photon){light, (vec_dot(hit.at, c->u) - c->u0) / c->cell,
                    (vec_dot(hit.at, c->v) - c->v0) / c->cell};
  }
  return (photon){.light = vec_all(0)};
}

static void send_rays(void *data, size_t begin, size_t end, int worker) {
  const beam *b = data;
  (void)worker;
  for (size_t k = begin; k < end; ++k) {
    mote_sampler s = sampler_make(b->t->def->seed, (uint32_t)(k >> 6), (uint32_t)(k & 63));
    mote_sample_point in = sampler_next(&s);
    float x = ((float)(k % (size_t)b->wide) + in.a) * b->step,
          y = ((float)(k / (size_t)b->wide) + in.b) * b->step;
    mote_vec from = vec_along(vec_along(b->origin, b->a, x), b->b, y);
    mote_vec to = vec_scale(sample_cone(b->t->sky.sun, b->t->sky.sun_cosine, sampler_next(&s)), -1);
    mote_ray ray = {vec_along(from, to, -b->back), to, b->t->shutter > 0 ? sampler_next(&s).a : 0};
    b->photon[k] = send(b->t, ray, b->step * b->step);
  }
}

// --- The grid on the floor -----------------------------------------------------------------------------

// Distributes each ray over the four nearest cells, by area.
static void count_photons(mote_caustics *c, const photon *all, size_t count) {
  float per = 1 / (c->cell * c->cell);
  for (size_t k = 0; k < count; ++k) {
    const mote_vec light = vec_scale(all[k].light, per);
    float u = all[k].u - 0.5F, v = all[k].v - 0.5F;
    if (!(vec_max(light) > 0) || !(u >= 0 && v >= 0 && u < (float)(c->wide - 1) && v < (float)(c->tall - 1)))
      continue;
    int x = (int)u, y = (int)v;
    for (int corner = 0; corner < 4; ++corner) {
      float fu = u - (float)x, fv = v - (float)y;
      float w = (corner & 1 ? fu : 1 - fu) * (corner & 2 ? fv : 1 - fv);
      mote_vec *cell = c->light + (size_t)(y + corner / 2) * (size_t)c->wide + (size_t)(x + corner % 2);
      *cell = vec_along(*cell, light, w);
    }
  }
}

// (1 2 1) / 4 along a line of cells, in place.
static void smooth_line(mote_vec *cell, int count, int stride) {
  mote_vec before = cell[0];
  for (int k = 0; k < count; ++k) {
    mote_vec own = cell[k * stride], after = k + 1 < count ? cell[(k + 1) * stride] : own;
    cell[k * stride] = vec_along(vec_scale(vec_add(before, after), 0.25F), own, 0.5F);
    before = own;
  }
}

// Six times: over some ninety rays, whose noise is a tenth.
static void smooth_grid(mote_caustics *c) {
  for (int n = 0; n < SMOOTHINGS; ++n) {
    for (int y = 0; y < c->tall; ++y) smooth_line(c->light + (size_t)y * (size_t)c->wide, c->wide, 1);
    for (int x = 0; x < c->wide; ++x) smooth_line(c->light + x, c->tall, c->wide);
  }
}

mote_vec mote_caustic_light(const mote_trace *t, mote_vec at) {
  const mote_caustics *c = &t->caustics;
  float u = (vec_dot(at, c->u) - c->u0) / c->cell - 0.5F, v = (vec_dot(at, c->v) - c->v0) / c->cell - 0.5F;
  if (c->light == NULL || !(u >= 0 && v >= 0 && u < (float)(c->wide - 1) && v < (float)(c->tall - 1)))
    return vec_all(0);
  int x = (int)u, y = (int)v;
  const mote_vec *row = c->light + (size_t)y * (size_t)c->wide + (size_t)x, *next = row + c->wide;
  float fu = u - (float)x, fv = v - (float)y;
  return vec_lerp(vec_lerp(row[0], row[1], fu), vec_lerp(next[0], next[1], fu), fv);
}

// --- All of it -----------------------------------------------------------------------------------------

// Even rays over the sunlit glass; cells of one and a half of their distance.
static beam aim(const mote_trace *t, const extent *e) {
  beam b = {.t = t};
  float a0, a1, b0, b1, s0, s1;
  vec_basis(t->sky.sun, &b.a, &b.b);
  span(e, b.a, &a0, &a1), span(e, b.b, &b0, &b1), span(e, t->sky.sun, &s0, &s1);
  // The sun's half angle displaces rays in front of and behind the middle.
  float spread = 0.5F * (s1 - s0) * sqrtf(1 - t->sky.sun_cosine * t->sky.sun_cosine);
  a0 -= spread, a1 += spread, b0 -= spread, b1 += spread;
  double rays = RAYS_PER_PIXEL * t->def->width * t->def->height;
  if (rays < 4096) rays = 4096;
  if (rays > MOST) rays = MOST;
  b.step = (float)sqrt((double)(a1 - a0) * (double)(b1 - b0) / rays);
  b.wide = (int)((a1 - a0) / b.step) + 1, b.tall = (int)((b1 - b0) / b.step) + 1;
  b.origin = vec_add(vec_along(vec_scale(b.a, a0), b.b, b0), vec_scale(t->sky.sun, 0.5F * (s0 + s1)));
  b.back = (s1 - s0) + 4 * t->size;
  return b;
}

// Covers the floor reached by sunlight that leaves the glass on the side away from the sun, with a margin for
// refraction.
static void lay_grid(mote_trace *t, const extent *e, float step) {
  mote_caustics *c = &t->caustics;
  float u0, u1, v0, v1, top, bottom, slope = vec_dot(t->sky.sun, t->sky.up);
  vec_basis(t->sky.up, &c->u, &c->v);
  span(e, c->u, &u0, &u1), span(e, c->v, &v0, &v1), span(e, t->sky.up, &bottom, &top);
  float drop = (top - t->floor.height) / slope, du = -drop * vec_dot(t->sky.sun, c->u),
        dv = -drop * vec_dot(t->sky.sun, c->v), more = 0.3F * (top - t->floor.height);
  u0 += (du < 0 ? du : 0) - more, u1 += (du > 0 ? du : 0) + more;
  v0 += (dv < 0 ? dv : 0) - more, v1 += (dv > 0 ? dv : 0) + more;
  c->u0 = u0, c->v0 = v0, c->cell = 1.5F * step;
  float least = sqrtf((u1 - u0) * (v1 - v0) / (float)CELLS_MAX);
  if (c->cell < least) c->cell = least;
  c->wide = (int)((u1 - u0) / c->cell) + 2, c->tall = (int)((v1 - v0) / c->cell) + 2;
}

static size_t grid_bytes(const mote_caustics *c) {
  return (size_t)c->wide * (size_t)c->tall * sizeof *c->light;
}

mote_result mote_trace_caustics(mote_trace *t, mote_error *error) {
  extent e;
  if (!t->def->caustics || !t->floor.there || !(vec_max(t->sky.sun_light) > 0)) return MOTE_OK;
  if (vec_dot(t->sky.sun, t->sky.up) < 0.1F || !find_glass(t, &e)) return MOTE_OK;
  beam b = aim(t, &e);
  lay_grid(t, &e, b.step);
  size_t count = (size_t)b.wide * (size_t)b.tall;
  b.photon = mote_io_new(&t->env, count * sizeof *b.photon);
  t->caustics.light = mote_io_new(&t->env, grid_bytes(&t->caustics));
  bool ok = b.photon != NULL && t->caustics.light != NULL;
  if (ok) {
    mote_env_run(&t->env, count, CHUNK, send_rays, &b);
    count_photons(&t->caustics, b.photon, count);
    smooth_grid(&t->caustics);
  }
  mote_io_delete(&t->env, b.photon, count * sizeof *b.photon);
  return ok ? MOTE_OK : mote_io_fail_memory(error);
}

void mote_trace_caustics_free(mote_trace *t) {
  mote_io_delete(&t->env, t->caustics.light, grid_bytes(&t->caustics));
  t->caustics.light = NULL;
}
