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
                            .support = 2.1,
                            .smoothing = 0.8,
                            .reach = 4.0,
                            .stretch = 4.0,
                            .scale = (double)NAN,
                            .lone_scale = 0.37,
                            .lone_neighbours = 2,
                            .keep_volume = true,
                            .ripple = 0.07,
                            .components = true,
                            .connected = 1.5,
                            .tag_count = 0.9,
                            .tag_offset = 0.1};
}

// Uniform in [-size, size).
static inline double aniso_noise(size_t point, int axis, double size) {
  return size * (2.0 * mote_random_uniform(11, (uint64_t)axis, point) - 1.0);
}

// Shapes and tags of all particles, as given. label: per particle.
typedef struct aniso_shapes {
  mote_kernel_shape *shape;
  uint8_t *near;
  mote_result result;
  mote_error error;
} aniso_shapes;

static inline void aniso_free(aniso_shapes *s) {
  free(s->shape);
  free(s->near);
}

static inline mote_result aniso_try(const mote_surface_def *def, const double *x, const uint32_t *label,
                                    size_t n, const mote_env *env, aniso_shapes *out) {
  mote_arena arena = mote_arena_make(env), scratch = mote_arena_make(env);
  mote_surface_particles particles = {.position = x, .count = n};
  mote_point_set_opts opts = {.domain = &def->domain,
                              .spacing = 1.0,
                              .pad = def->reach + def->support + 2.0,
                              .origin_step = 1.0,
                              .threads = env->threads};
  mote_point_set set = {.count = 0};
  mote_result result = mote_point_set_build(&particles, &opts, &arena, &scratch, &set, &out->error);
  mote_kernel_shapes shapes;
  uint8_t *near = malloc(set.count + 1);
  uint32_t *point_label = malloc((set.count + 1) * sizeof *point_label);
  for (size_t k = 0; label != NULL && k < set.count; ++k) point_label[k] = label[set.row[k]];
  if (result == MOTE_OK) {
    result = mote_anisotropy(&set, def, label == NULL ? NULL : point_label, env, &arena, &scratch, &shapes,
                             near, &out->error);
  }
  for (size_t k = 0; result == MOTE_OK && k < set.count; ++k) {
    out->shape[set.row[k]] = shapes.shape[shapes.of[k]], out->near[set.row[k]] = near[k];
  }
  free(near);
  free(point_label);
  mote_arena_destroy(&scratch);
  mote_arena_destroy(&arena);
  return result;
}

static inline aniso_shapes aniso_of(const mote_surface_def *def, const double *x, const uint32_t *label,
                                    size_t n, int threads) {
  aniso_shapes out = {.shape = calloc(n + 1, sizeof *out.shape), .near = calloc(n + 1, 1)};
  mote_env env = mote_env_default();
  env.threads = threads;
  out.result = aniso_try(def, x, label, n, &env, &out);
  return out;
}

// The largest difference of shifts, and of G.
static inline double aniso_difference(const mote_kernel_shape *a, const mote_kernel_shape *b) {
  double most = 0.0;
  for (int k = 0; k < 3; ++k) most = fmax(most, fabs((double)a->shift[k] - (double)b->shift[k]));
  for (int k = 0; k < 6; ++k) most = fmax(most, fabs((double)a->G[k] - (double)b->G[k]));
  return most;
}

// A packing of points (d = 1) with noise; 3 doubles each.
static inline double *aniso_packing(int nx, int ny, int nz, double noise) {
  double *x = malloc(3 * sizeof *x * (size_t)(nx * ny * nz) + 1);
  size_t p = 0;
  for (int k = 0; k < nz; ++k) {
    for (int j = 0; j < ny; ++j) {
      for (int i = 0; i < nx; ++i, ++p) {
        double at[3] = {i + 0.5, j + 0.5, k + 0.5};
        for (int a = 0; a < 3; ++a) x[3 * p + a] = at[a] + aniso_noise(p, a, noise);
      }
    }
  }
  return x;
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
