// What the tests of shapes share: random points, one definition of each kind, kernels.
#ifndef MOTE_SHAPE_KIT_H
#define MOTE_SHAPE_KIT_H

#include <math.h>
#include <mote/geom.h>
#include <mote/numeric.h>
#include <stdlib.h>

static inline double kit_random(uint64_t seed, uint64_t index, double low, double high) {
  return low + (high - low) * mote_random_uniform(seed, 99, index);
}

static inline void kit_point(uint64_t seed, uint64_t index, double low, double high, double x[3]) {
  for (int k = 0; k < 3; ++k) x[k] = kit_random(seed, 3 * index + (uint64_t)k, low, high);
}

static inline double kit_distance(const double a[3], const double b[3]) {
  double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return sqrt(x * x + y * y + z * z);
}

// A single shape of about unit size, turned and moved where that is allowed.
static inline mote_shape_def kit_single(mote_shape_kind kind, int dimensions) {
  mote_shape_def def = mote_shape_def_box(-0.4, -0.5, -0.3, 0.5, 0.3, 0.4);
  def.kind = kind;
  def.radius = 0.6;
  def.thickness = 0.2;
  def.radii[0] = 0.3, def.radii[1] = 0.8, def.radii[2] = 0.5;
  def.from[0] = -0.4, def.from[1] = -0.3, def.to[0] = 0.5, def.to[1] = 0.2;
  def.from[2] = def.to[2] = 0.0;
  def.centre[0] = 0.1, def.centre[1] = -0.05;
  if (kind == MOTE_SHAPE_HALF_SPACE) def.normal[0] = 0.6, def.normal[1] = 0.8, def.normal[2] = 0.0;
  if (dimensions == 3) {
    def.to[2] = 0.4, def.centre[2] = 0.07;
    def.axis[0] = 0.3, def.axis[1] = -0.5;
    def.normal[0] += 0.3;
  }
  def.angle = 0.7;
  def.move[0] = 0.05, def.move[1] = 0.02;
  return def;
}

static inline mote_shape *kit_shape(const mote_shape_def *def, int dimensions) {
  mote_shape *shape = NULL;
  mote_error error = {0};
  if (mote_shape_create(def, dimensions, NULL, &shape, &error)) return NULL;
  return shape;
}

// The cubic spline of this support.
static inline double kit_spline(double r, double support, int dimensions) {
  double h = 0.5 * support, q = r / h, pi = 3.14159265358979323846;
  double unit = dimensions == 2 ? 10.0 / (7.0 * pi * h * h) : 1.0 / (pi * h * h * h);
  if (q >= 2.0) return 0.0;
  return unit * (q < 1.0 ? 1.0 - q * q * (1.5 - 0.75 * q) : 0.25 * (2.0 - q) * (2.0 - q) * (2.0 - q));
}

// The sum of V W over the samples around x.
static inline double kit_sum(const mote_samples *samples, const double x[3], double support, int dimensions) {
  double sum = 0.0;
  for (size_t j = 0; j < samples->count; ++j) {
    const double *y = samples->position + 3 * j;
    if (fabs(x[0] - y[0]) >= support || fabs(x[1] - y[1]) >= support) continue;
    sum += samples->volume[j] * kit_spline(kit_distance(x, y), support, dimensions);
  }
  return sum;
}

static inline double kit_total(const mote_samples *samples) {
  double sum = 0.0;
  for (size_t j = 0; j < samples->count; ++j) sum += samples->volume[j];
  return sum;
}

#endif
