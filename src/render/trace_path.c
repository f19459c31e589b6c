// Paths of light, traced from the eye until they end in the sky or a lamp. At each scattering surface the sun
// and the lamps are sampled by shadow rays and by the continued ray, with weights of multiple importance
// sampling (Veach & Guibas 1995); the sky by the continued ray alone. Theory: docs/theory/rendering.md
#include "render/trace.h"
#include "render/tuning.inc"

#define CROSSINGS_MAX 24     // of glass in one path
#define CROSSINGS_FAR_MAX 8  // of glass after a surface that scatters: light that only few paths bring

typedef struct path {
  const mote_trace *t;
  mote_sampler s;
  mote_ray ray;
  mote_vec left;            // throughput: fraction of the light that reaches the eye
  const mote_look *within;  // the glass that the ray is in; null: air
  bool sure;                // certain; else only if it was hit first
  float density;            // probability density of the direction at the last surface; negative: specular
  int scatters, crossings;
  bool split;         // the next glass sends a path both ways
  mote_sight *sight;  // to be written; null when done
} path;

static void add_light(const path *p, mote_vec *sum, mote_vec light, bool far) {
  mote_vec seen = vec_mul(p->left, light);
  float most = far ? LIGHT_FAR_MAX : LIGHT_MAX, peak = vec_max(seen);
  if (peak > most) seen = vec_scale(seen, most / peak);
  *sum = vec_add(*sum, seen);
}

// Weight of a light hit by the path, if shadow rays sample its direction with
// this density: 1 where they cannot reach it, else the balance heuristic. Behind glass 0.
static float own_share(const path *p, float chosen) {
  return p->scatters == 0 ? 1 : p->density > 0 ? p->density / (p->density + chosen) : 0;
}

static mote_vec sky_seen(const path *p) {
  const mote_sky *sky = &p->t->sky;
  if (sky->map != NULL && p->scatters > 0) {
    float chosen;
    mote_vec bright = mote_sky_map_bright(sky->map, p->ray.to, &chosen);
    return vec_along(mote_sky_map_even(sky->map, p->ray.to), bright, own_share(p, chosen));
  }
  mote_vec light = mote_sky_light(sky, p->ray.to);
  if (vec_dot(p->ray.to, sky->sun) < sky->sun_cosine) return light;
  return vec_along(light, sky->sun_light, own_share(p, mote_sky_sun_density(sky)));
}

static mote_vec absorb(const mote_look *look, float t) {
  return vec(mote_expf(-look->absorption[0] * t), mote_expf(-look->absorption[1] * t),
             mote_expf(-look->absorption[2] * t));
}

static void go(path *p, const mote_hit *hit, mote_vec to) {
  float side = vec_dot(to, hit->face) > 0 ? p->t->lift : -p->t->lift;
  p->ray.from = vec_along(hit->at, hit->face, side);
  p->ray.to = to;
}

// --- Glass ---------------------------------------------------------------------------------------------

static mote_vec facing(const mote_hit *hit, mote_vec from) {
  mote_vec n = vec_scale(hit->normal, hit->back ? -1.0F : 1.0F);
  return vec_dot(n, from) > 1e-3F ? n : vec_scale(hit->face, hit->back ? -1.0F : 1.0F);
}

// Whether another material is so near behind the surface that the glass is in contact with it. Behind the
// surface, not along the ray: else a pane that stands on the floor would end above it.
static bool touches(const path *p, const mote_hit *hit) {
  if (!(hit->contact > 0)) return false;
  mote_ray ray = {vec_along(hit->at, hit->face, p->t->lift), hit->face, p->ray.time};
  mote_hit next = mote_trace_nearest(p->t, ray, 2 * hit->contact, NULL, false, 0);
  return next.t < 2 * hit->contact && next.look->kind != MOTE_LOOK_GLASS && next.look->kind != MOTE_LOOK_PUFF;
}

static bool is_displaced(const path *p, const mote_hit *hit) {
  return p->sure && mote_vessel_displaced(p->t, hit, p->within);
}

// Whether the boundary is ignored: glass inside itself or inside other glass, or in contact with another
// material.
static bool passes(path *p, const mote_hit *hit) {
  if (is_displaced(p, hit)) {
    go(p, hit, p->ray.to);
    return true;
  }
  bool into_same = !hit->back && p->within == hit->look && (p->sure || hit->t < 4 * hit->contact);
  if (!into_same && !(hit->back && touches(p, hit))) return false;
  p->within = hit->look;
  p->sure = into_same;
  go(p, hit, p->ray.to);
  return true;
}

static mote_vec follow(path p);

static void mirror(path *p, const mote_hit *hit, mote_vec n, mote_vec from) {
  mote_vec to = reflect(from, n);
  mote_vec face = vec_scale(hit->face, hit->back ? -1.0F : 1.0F);
  if (vec_dot(to, face) <= 0) to = reflect(from, face);
  go(p, hit, to);
}

static void cross(path *p, const mote_hit *hit, mote_vec *sum) {
  mote_vec from = vec_scale(p->ray.to, -1), to;
  if (passes(p, hit)) return;
  mote_vec n = facing(hit, from);
  const mote_look *look = hit->look;
  float alpha = look->roughness * look->roughness;
  mote_sample_point choice = sampler_next(&p->s);
  if (alpha > ALPHA_MIN) n = ggx_sample(from, n, alpha, sampler_next(&p->s));
  const mote_look *beyond = hit->back ? mote_vessel_beyond(p->t, hit, p->ray.time) : look;
  float outside = p->within != NULL && !hit->back ? p->within->index : 1;
  float eta = hit->back ? (beyond != NULL ? beyond->index : 1) / look->index : look->index / outside;
  float cosine = vec_dot(from, n);
  float mirrored = fresnel(cosine < 1 ? cosine : 1, eta);
  bool through = refract(from, n, eta, &to) && vec_dot(to, hit->face) * (hit->back ? 1.0F : -1.0F) > 0;
  if (!through) mirrored = 1;
  p->density = -1;
  if (p->split && through) {
    path other = *p;
    other.split = false, other.sight = NULL, other.s.pair += 1000;
    other.left = vec_scale(p->left, mirrored);
    mirror(&other, hit, n, from);
    *sum = vec_add(*sum, follow(other));
    p->left = vec_scale(p->left, 1 - mirrored);
  } else if (choice.a < mirrored) {
    mirror(p, hit, n, from);
    return;
  }
  p->split = false;
  p->left = vec_mul(p->left, hit->colour);
  p->within = beyond;
  p->sure = true;
  go(p, hit, to);
}

// --- Scattering surfaces -----------------------------------------------------------------------------

// A surface at a hit: its normal on the side of the ray, the outgoing direction, its coat.
typedef struct surface {
  mote_look_kind kind;
  mote_vec n, face, from, colour;
  float alpha, index, coat;  // coat: probability of sampling it
} surface;

static surface surface_at(const path *p, const mote_hit *hit) {
  surface s = {.kind = hit->look->kind, .from = vec_scale(p->ray.to, -1), .colour = hit->colour};
  s.n = facing(hit, s.from);
  s.face = vec_scale(hit->face, hit->back ? -1.0F : 1.0F);
  s.index = hit->look->index > 1 ? hit->look->index : 1.5F;
  s.alpha = hit->look->roughness * hit->look->roughness;
  if (s.alpha < ALPHA_MIN) s.alpha = ALPHA_MIN;
  if (s.kind == MOTE_LOOK_METAL) s.coat = 1;
  if (s.kind == MOTE_LOOK_GLOSSY) {
    float f = fresnel(clamp_unit(vec_dot(s.from, s.n)), s.index), below = (1 - f) * vec_mean(s.colour);
    s.coat = 0.1F + 0.8F * f / (f + below + 1e-6F);
  }
  return s;
}

// The fraction of uniform light reflected by a dielectric: Kulla & Conty 2017.
static float fresnel_mean(float index) {
  return (index - 1) / (4.08567F + 1.00071F * index);
}

// Value times cosine for light that comes from `to`, and its probability density in scatter_to.
static mote_vec weigh(const surface *s, mote_vec to, float *density) {
  *density = 0;
  if (s->kind == MOTE_LOOK_PUFF) {
    *density = 1 / (4 * MOTE_PI_F);
    return vec_scale(s->colour, *density);
  }
  float co = vec_dot(to, s->n), ci = clamp_unit(vec_dot(s->from, s->n)), facets;
  if (co <= 0 || vec_dot(to, s->face) <= 0) return vec_all(0);
  if (co > 1) co = 1;
  if (s->kind == MOTE_LOOK_MATTE) {
    *density = co / MOTE_PI_F;
    return vec_scale(s->colour, *density);
  }
  float coat = ggx_reflect(s->from, to, s->n, s->alpha, &facets);
  float half = clamp_unit(vec_dot(vec_unit(vec_add(s->from, to)), to));
  *density = s->coat * facets + (1 - s->coat) * co / MOTE_PI_F;
  if (s->kind == MOTE_LOOK_METAL) return vec_scale(fresnel_metal(s->colour, half), coat);
  float in = 1 - fresnel(ci, s->index), out = 1 - fresnel(co, s->index);
  float below = in * out / (1 - fresnel_mean(s->index)) * co / MOTE_PI_F;
  return vec_along(vec_all(coat * fresnel(half, s->index)), s->colour, below);
}

static mote_vec scatter_to(const surface *s, mote_sampler *sampler) {
  mote_sample_point u = sampler_next(sampler);
  if (s->kind == MOTE_LOOK_PUFF) return sample_sphere(u);
  if (s->coat == 0) return sample_cosine(s->n, u);
  if (s->coat < 1 && sampler_next(sampler).a >= s->coat) return sample_cosine(s->n, u);
  return reflect(s->from, ggx_sample(s->from, s->n, s->alpha, u));
}

// A point of a light: its direction and distance from a surface, and its probability density.
typedef struct light_point {
  mote_vec to, radiance;
  float far, density;
  bool in_caustics;  // its light through glass to the floor is in the caustics
} light_point;

static void find_light(const path *p, const mote_hit *hit, const surface *s, const light_point *from,
                       mote_vec *sum) {
  float density;
  mote_vec value = weigh(s, from->to, &density);
  if (!(vec_max(value) > 0)) return;
  path shadow = *p;
  if (s->kind == MOTE_LOOK_PUFF)
    shadow.ray.from = hit->at, shadow.ray.to = from->to;
  else
    go(&shadow, hit, from->to);
  bool glass;
  mote_vec light = mote_trace_shadow(p->t, shadow.ray, from->far, &glass);
  if (glass && from->in_caustics && p->t->caustics.light != NULL && hit->look == &p->t->floor.look) return;
  if (!(vec_max(light) > 0)) return;
  light = vec_scale(vec_mul(vec_mul(light, value), from->radiance), 1 / (from->density + density));
  add_light(p, sum, light, p->scatters > 0);
}

static void find_sun(path *p, const mote_hit *hit, const surface *s, mote_vec *sum) {
  const mote_sky *sky = &p->t->sky;
  mote_sample_point u = sampler_next(&p->s);
  light_point at = {.far = INFINITY};
  if (sky->map != NULL && sky->map->bright_sum > 0) {
    at.to = mote_sky_map_choose(sky->map, u);
    at.radiance = mote_sky_map_bright(sky->map, at.to, &at.density);
    if (at.density > 0) find_light(p, hit, s, &at, sum);
  } else if (vec_max(sky->sun_light) > 0) {
    at.to = sample_cone(sky->sun, sky->sun_cosine, u);
    at.radiance = sky->sun_light, at.density = mote_sky_sun_density(sky), at.in_caustics = true;
    find_light(p, hit, s, &at, sum);
  }
}

static void find_lamps(path *p, const mote_hit *hit, const surface *s, mote_vec *sum) {
  for (const mote_lamp *lamp = p->t->lamp; lamp < p->t->lamp + p->t->lamps; ++lamp) {
    light_point at = {.radiance = lamp->light};
    if (mote_lamp_choose(lamp, hit->at, sampler_next(&p->s), &at.to, &at.far, &at.density))
      find_light(p, hit, s, &at, sum);
  }
}

// Sunlight focused on the floor by glass. Its direction is unknown: the floor is treated as matte.
static void find_caustics(const path *p, const mote_hit *hit, mote_vec *sum) {
  if (p->t->caustics.light == NULL || hit->look != &p->t->floor.look) return;
  mote_vec light = vec_scale(vec_mul(mote_caustic_light(p->t, hit->at), hit->colour), 1 / MOTE_PI_F);
  light = vec_scale(vec_mul(light, p->t->sky.sun_light), 1 / mote_sky_sun_density(&p->t->sky));
  add_light(p, sum, light, p->scatters > 0);
}

// False: the path ends.
static bool scatter(path *p, const mote_hit *hit, mote_vec *sum) {
  surface s = surface_at(p, hit);
  find_sun(p, hit, &s, sum);
  find_lamps(p, hit, &s, sum);
  find_caustics(p, hit, sum);
  mote_vec to = scatter_to(&s, &p->s);
  mote_vec value = weigh(&s, to, &p->density);
  if (!(p->density > 0) || !(vec_max(value) > 0)) return false;
  p->left = vec_scale(vec_mul(p->left, value), 1 / p->density);
  if (s.kind == MOTE_LOOK_PUFF)
    p->ray.from = hit->at, p->ray.to = to;
  else
    go(p, hit, to);
  p->split = false;
  ++p->scatters;
  if (p->scatters < 2) return true;
  float chance = vec_max(p->left) * 1.5F;
  if (chance >= 1) return true;
  p->left = vec_scale(p->left, 1 / chance);
  return sampler_next(&p->s).a < chance;
}

// --- Paths ---------------------------------------------------------------------------------------------

static void note_first(path *p, const mote_hit *hit, mote_vec colour) {
  mote_sight *sight = p->sight;
  if (sight == NULL) return;
  bool glass = hit != NULL && hit->look->kind == MOTE_LOOK_GLASS;
  if (!(sight->depth > 0)) {
    sight->depth = hit != NULL ? hit->t : INFINITY;
    sight->normal = hit != NULL ? hit->normal : vec_all(0);
    sight->glass = glass;
  }
  if (glass) return;
  sight->albedo = vec_mul(p->left, colour);
  p->sight = NULL;
}

static mote_vec escape(path *p, mote_vec sum) {
  note_first(p, NULL, vec_all(1));
  add_light(p, &sum, sky_seen(p), p->scatters > 0 || p->crossings > 0);
  return sum;
}

// A lamp hit by the path ends it.
static bool ends_in_lamp(path *p, float most, mote_vec *sum) {
  float t;
  const mote_lamp *lamp = mote_lamps_meet(p->t, p->ray, most, &t);
  if (lamp == NULL) return false;
  if (p->within != NULL && p->sure && t < INFINITY) p->left = vec_mul(p->left, absorb(p->within, t));
  note_first(p, NULL, vec_all(1));
  float share = own_share(p, mote_lamp_density(lamp, p->ray, t));
  add_light(p, sum, vec_scale(lamp->light, share), p->scatters > 0 || p->crossings > 0);
  return true;
}

// The distant floor is blended with the sky.
static void fade(path *p, const mote_hit *hit, mote_vec *sum) {
  if (!(hit->fade > 0)) return;
  mote_vec flat = vec_along(p->ray.to, p->t->sky.up, -vec_dot(p->ray.to, p->t->sky.up));
  add_light(p, sum, vec_scale(mote_sky_light(&p->t->sky, vec_unit(flat)), hit->fade), p->scatters > 0);
  p->left = vec_scale(p->left, 1 - hit->fade);
}

static mote_vec follow(path p) {
  mote_vec sum = vec_all(0);
  for (;;) {
    uint32_t seed = sample_hash(p.s.pixel, sample_hash(p.s.index, p.s.pair));
    bool eye = p.scatters == 0 && p.crossings == 0;
    mote_hit hit = mote_trace_nearest(p.t, p.ray, INFINITY, p.within, eye, seed);
    if (p.t->lamps > 0 && ends_in_lamp(&p, hit.t, &sum)) return sum;
    if (!(hit.t < INFINITY)) return escape(&p, sum);
    bool glass = hit.look->kind == MOTE_LOOK_GLASS;
    if (glass && hit.back && !is_displaced(&p, &hit))
      p.left = vec_mul(p.left, absorb(hit.look, hit.t));
    else if (p.within != NULL && p.sure)
      p.left = vec_mul(p.left, absorb(p.within, hit.t));
    fade(&p, &hit, &sum);
    note_first(&p, &hit, vec_lerp(hit.colour, vec_all(1), hit.fade));
    if (glass) {
      if (++p.crossings > (p.scatters > 0 ? CROSSINGS_FAR_MAX : CROSSINGS_MAX)) return escape(&p, sum);
      cross(&p, &hit, &sum);
      continue;
    }
    if (hit.look->glow > 0) add_light(&p, &sum, vec_scale(hit.colour, hit.look->glow), p.scatters > 0);
    if (p.scatters >= p.t->def->bounces || hit.fade > 0.999F) return sum;
    if (!scatter(&p, &hit, &sum)) return sum;
  }
}

mote_sight mote_trace_pixel(const mote_trace *t, float x, float y, mote_sampler *s) {
  mote_sight sight = {.albedo = vec_all(1)};
  float per = (float)(1 / t->camera.scale), dx = (x - (float)t->camera.x) * per,
        dy = ((float)t->camera.y - y) * per;
  mote_vec at = vec_add(vec_along(vec_scale(t->right, dx), t->upward, dy), t->forward);
  path p = {
      .t = t, .ray = {.from = t->eye}, .left = vec_all(1), .density = -1, .split = true, .sight = &sight};
  if (t->aperture > 0) {
    mote_vec d = vec_scale(sample_disc(sampler_next(s)), t->aperture);
    mote_vec lens = vec_along(vec_scale(t->right, d.x), t->upward, d.y);
    p.ray.from = vec_add(p.ray.from, lens);
    at = vec_along(at, lens, -1 / t->focus);
  }
  p.ray.to = vec_unit(at);
  if (t->shutter > 0) p.ray.time = sampler_next(s).a;
  p.s = *s;
  sight.light = follow(p);
  return sight;
}
