// What tests of anisotropic kernels share: the options, noise that is a function, and a twin of YU11's method
// as it is printed, in double and by brute force.
#ifndef MOTE_ANISO_KIT_H
#define MOTE_ANISO_KIT_H

#include <math.h>
#include <mote/numeric.h>
#include <mote/surface.h>
#include <stdlib.h>

#include "surface/anisotropy.h"

static inline mote_surface_def aniso_def(void) {
  return (mote_surface_def){.method = MOTE_SURFACE_ANISOTROPIC,
                            .domain = mote_domain_open(3),
                            .support = 2.0,
                            .smoothing = 0.8,
                            .reach = 4.0,
                            .stretch = 4.0,
                            .scale = NAN,
                            .lone_scale = 0.37,
                            .lone_neighbours = 5,
                            .keep_volume = true,
                            .components = true,
                            .connected = 1.5,
                            .tag_count = 0.9,
                            .tag_offset = 0.1};
}

// Uniform in [-size, size).
static inline double aniso_noise(size_t point, int axis, double size) {
  return size * (2.0 * mote_random_uniform(11, (uint64_t)axis, point) - 1.0);
}

typedef struct aniso_twin {
  double shift[3], G[6];
  double count, offset;  // neighbours with itself; |m - x| / r of 4.5
} aniso_twin;

// (4.3), (4.6)-(4.14) of point i among n, one after the other, for d = 1. G without 4.5.
static inline aniso_twin aniso_twin_of(const mote_surface_def *def, const double *x, const uint32_t *label,
                                       size_t n, size_t i) {
  double r = def->reach, sum = 0.0, mean[3] = {0}, plain[3] = {0}, C[9] = {0}, value[3], vector[9];
  aniso_twin t = {.count = 0.0};
  for (int pass = 0; pass < 2; ++pass) {
    for (size_t j = 0; j < n; ++j) {
      double e[3], length2 = 0.0;
      for (int a = 0; a < 3; ++a) e[a] = x[3 * j + a] - x[3 * i + a], length2 += e[a] * e[a];
      double length = sqrt(length2);
      if (length >= r || (label != NULL && label[i] != label[j])) continue;
      double w = 1.0 - (length / r) * (length / r) * (length / r);
      if (pass == 0) t.count += 1.0, sum += w;
      for (int a = 0; a < 3; ++a) {
        if (pass == 0) mean[a] += w * e[a], plain[a] += e[a];
        for (int b = 0; pass == 1 && b < 3; ++b)
          C[3 * a + b] += w * (e[a] - mean[a]) * (e[b] - mean[b]) / sum;
      }
    }
    for (int a = 0; pass == 0 && a < 3; ++a) mean[a] /= sum, t.shift[a] = def->smoothing * mean[a];
  }
  t.offset = sqrt(plain[0] * plain[0] + plain[1] * plain[1] + plain[2] * plain[2]) / (t.count * r);
  double ks = isnan(def->scale) ? 20.0 / (3.0 * r * r) : def->scale;
  bool many = t.count - 1.0 > def->lone_neighbours && mote_eigen3(C, value, vector);
  for (int k = 0; k < 3; ++k) {
    double least = value[0] / def->stretch,
           size = many ? ks * (k == 0 || value[k] > least ? value[k] : least) : def->lone_scale;
    for (int a = 0, at = 0; a < 3; ++a) {
      for (int b = a; b < 3; ++b, ++at) {
        double axes = many ? vector[3 * a + k] * vector[3 * b + k] : (a == b && a == k ? 1.0 : 0.0);
        t.G[at] += axes / (size * def->support);
      }
    }
  }
  return t;
}

#endif
