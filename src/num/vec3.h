// Three doubles, for the decompositions of 3x3 matrices (row-major arrays of nine).
#ifndef MOTE_VEC3_H
#define MOTE_VEC3_H

typedef struct mote_vec3 {
  double x, y, z;
} mote_vec3;

static inline double mote_vec3_dot(mote_vec3 a, mote_vec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline mote_vec3 mote_vec3_cross(mote_vec3 a, mote_vec3 b) {
  return (mote_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline mote_vec3 mote_vec3_scale(double s, mote_vec3 a) {
  return (mote_vec3){s * a.x, s * a.y, s * a.z};
}

// s a + t b
static inline mote_vec3 mote_vec3_combine(double s, mote_vec3 a, double t, mote_vec3 b) {
  return (mote_vec3){s * a.x + t * b.x, s * a.y + t * b.y, s * a.z + t * b.z};
}

static inline mote_vec3 mote_vec3_column(const double m[9], int k) {
  return (mote_vec3){m[k], m[3 + k], m[6 + k]};
}

static inline void mote_vec3_set_column(double m[9], int k, mote_vec3 v) {
  m[k] = v.x, m[3 + k] = v.y, m[6 + k] = v.z;
}

#endif
