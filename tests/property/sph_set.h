// Jittered sets of samples with unequal masses for the tests of smoothed particle hydrodynamics.
#ifndef MOTE_TEST_SPH_SET_H
#define MOTE_TEST_SPH_SET_H

#include <mote/approx.h>
#include <stdlib.h>

#include "base/random.h"
#include "test.h"

typedef struct sph_set {
  int dimensions;
  size_t count;
  double side;       // of the box: per_axis spacings of 1
  double *position;  // NaN along axes beyond the dimensions, which must not be read
  double *mass;
  double *field;  // 3 per sample, smooth with noise
  double *out;    // 9 per sample
} sph_set;

static inline sph_set sph_set_make(int dimensions, size_t per_axis, uint64_t seed) {
  sph_set s = {.dimensions = dimensions, .count = 1, .side = (double)per_axis};
  for (int axis = 0; axis < dimensions; ++axis) s.count *= per_axis;
  s.position = malloc(3 * s.count * sizeof(double));
  s.mass = malloc(s.count * sizeof(double));
  s.field = malloc(3 * s.count * sizeof(double));
  s.out = malloc(9 * s.count * sizeof(double));
  for (size_t i = 0; i < s.count; ++i) {
    size_t rest = i;
    for (int axis = 0; axis < 3; ++axis, rest /= per_axis) {
      double jitter = mote_random_between(seed, (uint64_t)axis, i, -0.3, 0.3);
      s.position[3 * i + axis] = axis < dimensions ? (double)(rest % per_axis) + 0.5 + jitter : (double)NAN;
      s.field[3 * i + axis] = s.position[3 * i] * (axis + 1) + mote_random_unit(seed, 10 + (uint64_t)axis, i);
    }
    s.mass[i] = mote_random_between(seed, 5, i, 0.5, 1.5);
  }
  return s;
}

static inline void sph_set_free(sph_set *s) {
  free(s->position), free(s->mass), free(s->field), free(s->out);
}

// Open, or periodic along every axis but the last of a 3D set.
static inline mote_sph_def sph_set_def(const sph_set *s, mote_kernel_kind kernel, double radius,
                                       bool periodic) {
  mote_sph_def def = mote_sph_def_default();
  def.domain = mote_domain_open(s->dimensions);
  for (int axis = 0; axis < s->dimensions; ++axis) {
    def.domain.periodic[axis] = periodic && axis < 2;
    def.domain.high[axis] = s->side;
  }
  def.kernel = kernel, def.radius = radius;
  def.position = s->position, def.mass = s->mass, def.count = s->count;
  return def;
}

static inline mote_sph *sph_set_create(const mote_sph_def *def, int threads) {
  mote_env env = mote_env_default();
  env.threads = threads;
  mote_sph *sph = NULL;
  mote_error error = {0};
  if (!CHECK(mote_sph_create(def, &env, &sph, &error) == MOTE_OK)) {
    fprintf(stderr, "  %s\n", error.text);
    exit(1);
  }
  return sph;
}

#endif
