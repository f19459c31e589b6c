// Scattering of light at a surface: Fresnel's equations, refraction, a microfacet coat. Pure functions;
// directions are unit vectors that point away from the surface. GGX: Walter et al. 2007; visible normals:
// Heitz 2018.
#ifndef MOTE_SCATTER_H
#define MOTE_SCATTER_H

#include <mote/numeric.h>

#include "render/trace_sample.h"
#include "render/trace_vec.h"

#define MOTE_PI_F 3.14159265F  // exact

// Unpolarised light at a boundary: the reflected fraction. `cosine` on the side of the incident light, eta
// the index of the other side over that of this; 1 beyond the critical angle.
static inline float fresnel(float cosine, float eta) {
  float sine2 = (1 - cosine * cosine) / (eta * eta);
  if (sine2 >= 1) return 1;
  float beyond = sqrtf(1 - sine2);
  float s = (cosine - eta * beyond) / (cosine + eta * beyond);
  float p = (eta * cosine - beyond) / (eta * cosine + beyond);
  return 0.5F * (s * s + p * p);
}

// The direction behind the boundary, for light that came from `from`; false: total reflection.
static inline bool refract(mote_vec from, mote_vec n, float eta, mote_vec *out) {
  float cosine = vec_dot(from, n), sine2 = (1 - cosine * cosine) / (eta * eta);
  if (sine2 >= 1) return false;
  *out = vec_unit(vec_along(vec_scale(from, -1 / eta), n, cosine / eta - sqrtf(1 - sine2)));
  return true;
}

static inline mote_vec reflect(mote_vec from, mote_vec n) {
  return vec_sub(vec_scale(n, 2 * vec_dot(from, n)), from);
}

static inline mote_vec sample_disc(mote_sample_point u) {
  float r = sqrtf(u.a), angle = 2 * MOTE_PI_F * u.b;
  return vec(r * mote_cosf(angle), r * mote_sinf(angle), 0);
}

// About n, by the cosine: its density is cosine / pi.
static inline mote_vec sample_cosine(mote_vec n, mote_sample_point u) {
  mote_vec a, b, d = sample_disc(u);
  vec_basis(n, &a, &b);
  float up = sqrtf(1 - u.a);
  return vec_add(vec_along(vec_scale(a, d.x), b, d.y), vec_scale(n, up));
}

// Within the cone about the axis whose half angle has this cosine, evenly.
static inline mote_vec sample_cone(mote_vec axis, float cosine, mote_sample_point u) {
  mote_vec a, b;
  vec_basis(axis, &a, &b);
  float z = 1 - u.a * (1 - cosine), r = sqrtf(1 - z * z > 0 ? 1 - z * z : 0), angle = 2 * MOTE_PI_F * u.b;
  return vec_add(vec_along(vec_scale(a, r * mote_cosf(angle)), b, r * mote_sinf(angle)), vec_scale(axis, z));
}

static inline mote_vec sample_sphere(mote_sample_point u) {
  return sample_cone(vec(0, 0, 1), -1, u);
}

// --- Microfacets, alpha: the width of their slopes -----------------------------------------------------

// Density of facets that face h, by the cosine between h and the normal.
static inline float ggx_facets(float cosine, float alpha) {
  float a2 = alpha * alpha, d = cosine * cosine * (a2 - 1) + 1;
  return a2 / (MOTE_PI_F * d * d);
}

// Smith's lambda of a direction at that cosine to the normal.
static inline float ggx_lambda(float cosine, float alpha) {
  float c2 = cosine * cosine;
  return 0.5F * (sqrtf(1 + alpha * alpha * (1 - c2) / (c2 > 1e-12F ? c2 : 1e-12F)) - 1);
}

// A facet among those visible from `from`.
static inline mote_vec ggx_sample(mote_vec from, mote_vec n, float alpha, mote_sample_point u) {
  mote_vec a, b;
  vec_basis(n, &a, &b);
  mote_vec wide = vec_unit(vec(alpha * vec_dot(from, a), alpha * vec_dot(from, b), vec_dot(from, n)));
  mote_vec s, t, d = sample_disc(u);
  vec_basis(wide, &s, &t);
  // The projected disc of facets: its half that faces away is compressed by the elevation of the view.
  if (wide.z < 0.9999F) {
    s = vec_unit(vec(-wide.y, wide.x, 0));
    t = vec_cross(wide, s);
  }
  float squeeze = 0.5F * (1 + wide.z), x2 = 1 - d.x * d.x;
  float y = (1 - squeeze) * sqrtf(x2 > 0 ? x2 : 0) + squeeze * d.y;
  float z2 = 1 - d.x * d.x - y * y;
  mote_vec h = vec_add(vec_along(vec_scale(s, d.x), t, y), vec_scale(wide, sqrtf(z2 > 0 ? z2 : 0)));
  h = vec_unit(vec(alpha * h.x, alpha * h.y, h.z > 1e-6F ? h.z : 1e-6F));
  return vec_add(vec_along(vec_scale(a, h.x), b, h.y), vec_scale(n, h.z));
}

// The density of directions that ggx_sample's facets reflect to, and the coat's value (without Fresnel) times
// the cosine of the outgoing direction.
static inline float ggx_reflect(mote_vec from, mote_vec to, mote_vec n, float alpha, float *density) {
  float ci = vec_dot(from, n), co = vec_dot(to, n);
  *density = 0;
  if (ci <= 0 || co <= 0) return 0;
  mote_vec h = vec_unit(vec_add(from, to));
  float facets = ggx_facets(vec_dot(h, n), alpha);
  float li = ggx_lambda(ci, alpha), lo = ggx_lambda(co, alpha);
  *density = facets / (4 * ci * (1 + li));
  return facets / (4 * ci * (1 + li + lo));
}

// Fresnel's reflection of a metal of that colour: Schlick 1994.
static inline mote_vec fresnel_metal(mote_vec colour, float cosine) {
  float c = 1 - clamp_unit(cosine), c2 = c * c;
  return vec_lerp(colour, vec_all(1), c2 * c2 * c);
}

#endif
