// Elastic bodies for tests: bars of jittered particles.
#ifndef MOTE_ELASTIC_KIT_H
#define MOTE_ELASTIC_KIT_H

#include <mote/mote.h>
#include <stdlib.h>

#include "elastic/elastic_body.h"
#include "geom/triple.h"
#include "test.h"

#define KIT_SPACING 0.05

typedef struct elastic_kit {
  mote_elastic *body;
  size_t count;
  double *rest, *x, *v, *force;
} elastic_kit;

static inline double kit_random(uint64_t stream, uint64_t index) {
  return 2.0 * mote_random_uniform(5, stream, index) - 1.0;
}

static inline double *kit_array(size_t count) {
  return calloc(count, sizeof(double));
}

// nx x ny (x nz) particles of KIT_SPACING, displaced by up to `jitter` spacings, starting at `corner`. Sets
// the definition's positions, count, support (where 0) and volume.
static inline elastic_kit kit_make(mote_elastic_def def, int nx, int ny, int nz, double jitter,
                                   const double corner[3]) {
  elastic_kit kit = {.count = (size_t)(nx * ny * nz)};
  kit.rest = kit_array(3 * kit.count), kit.x = kit_array(3 * kit.count);
  kit.v = kit_array(3 * kit.count), kit.force = kit_array(3 * kit.count);
  size_t i = 0;
  for (int a = 0; a < nx; ++a) {
    for (int b = 0; b < ny; ++b) {
      for (int c = 0; c < nz; ++c, ++i) {
        const double at[3] = {a, b, c};
        for (int k = 0; k < def.dimensions; ++k) {
          double off = at[k] + 0.5 + jitter * kit_random((uint64_t)k, i);
          kit.rest[3 * i + k] = corner[k] + KIT_SPACING * off;
        }
      }
    }
  }
  for (size_t k = 0; k < 3 * kit.count; ++k) kit.x[k] = kit.rest[k];
  def.position = kit.rest, def.count = kit.count;
  if (!(def.uniform_support > 0.0)) def.uniform_support = 2.4 * KIT_SPACING;
  def.total_volume = (double)kit.count;
  for (int k = 0; k < def.dimensions; ++k) def.total_volume *= KIT_SPACING;
  mote_error error = {0};
  mote_result made = mote_elastic_create(&def, NULL, &kit.body, &error);
  if (!CHECK(made == MOTE_OK)) fprintf(stderr, "%s: %s\n", error.key, error.text), exit(1);
  return kit;
}

static inline void kit_free(elastic_kit *kit) {
  mote_elastic_destroy(kit->body);
  free(kit->rest), free(kit->x), free(kit->v), free(kit->force);
}

static inline mote_elastic_motion kit_motion(elastic_kit *kit) {
  return (mote_elastic_motion){.position = kit->x, .velocity = kit->v};
}

static inline mote_elastic_def kit_def(int dimensions, int order, double young, double poisson) {
  mote_elastic_def def = mote_elastic_def_default();
  def.dimensions = dimensions, def.order = order, def.density = 1000.0;
  def.young = young, def.poisson = poisson;
  return def;
}

// x = A X + b
static inline void kit_map(elastic_kit *kit, const double A[9], const double b[3]) {
  for (size_t i = 0; i < kit->count; ++i) {
    turn3(A, kit->rest + 3 * i, kit->x + 3 * i);
    step3(kit->x + 3 * i, 1.0, b, kit->x + 3 * i);
  }
}

static inline double kit_largest(const double *a, size_t n) {
  double most = 0.0;
  for (size_t k = 0; k < n; ++k) most = isfinite(a[k]) ? max2(most, fabs(a[k])) : HUGE_VAL;
  return most;
}

#endif
