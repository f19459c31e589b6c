// Vectors of three floats, for rays.
#ifndef MOTE_TRACE_VEC_H
#define MOTE_TRACE_VEC_H

#include <math.h>

typedef struct mote_vec {
  float x, y, z;
} mote_vec;

static inline mote_vec vec(float x, float y, float z) {
  return (mote_vec){x, y, z};
}

static inline mote_vec vec_all(float s) {
  return (mote_vec){s, s, s};
}

static inline mote_vec vec_from(const float a[3]) {
  return (mote_vec){a[0], a[1], a[2]};
}

static inline mote_vec vec_from_double(const double a[3]) {
  return (mote_vec){(float)a[0], (float)a[1], (float)a[2]};
}

static inline mote_vec vec_add(mote_vec a, mote_vec b) {
  return (mote_vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline mote_vec vec_sub(mote_vec a, mote_vec b) {
  return (mote_vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline mote_vec vec_scale(mote_vec a, float s) {
  return (mote_vec){s * a.x, s * a.y, s * a.z};
}

static inline mote_vec vec_mul(mote_vec a, mote_vec b) {
  return (mote_vec){a.x * b.x, a.y * b.y, a.z * b.z};
}

// a + s b
static inline mote_vec vec_along(mote_vec a, mote_vec b, float s) {
  return (mote_vec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline float vec_dot(mote_vec a, mote_vec b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline mote_vec vec_cross(mote_vec a, mote_vec b) {
  return (mote_vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline float vec_length(mote_vec a) {
  return sqrtf(vec_dot(a, a));
}

// As it was where it has no length.
static inline mote_vec vec_unit(mote_vec a) {
  float length = vec_length(a);
  return length > 0 ? vec_scale(a, 1 / length) : a;
}

static inline mote_vec vec_lerp(mote_vec a, mote_vec b, float t) {
  return vec_along(a, vec_sub(b, a), t);
}

static inline float vec_max(mote_vec a) {
  float m = a.x > a.y ? a.x : a.y;
  return m > a.z ? m : a.z;
}

static inline float vec_mean(mote_vec a) {
  return (a.x + a.y + a.z) * (1.0F / 3.0F);
}

static inline float clamp_unit(float x) {
  return x < 0 ? 0 : x > 1 ? 1 : x;
}

// 0 below a, 1 above b, smooth between.
static inline float smooth_step(float a, float b, float x) {
  float t = clamp_unit((x - a) / (b - a));
  return t * t * (3 - 2 * t);
}

// Two unit vectors at right angles to the unit vector n and to each other.
static inline void vec_basis(mote_vec n, mote_vec *u, mote_vec *v) {
  mote_vec other = fabsf(n.x) < 0.6F ? vec(1, 0, 0) : vec(0, 1, 0);
  *u = vec_unit(vec_cross(other, n));
  *v = vec_cross(n, *u);
}

#endif
