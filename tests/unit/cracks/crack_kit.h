// Plates with a centre crack for the tests of fracture: particles in a disc around it, the exact field of
// Westergaard (plane strain), and the displacements that are in balance where the rim has the exact ones.
#ifndef CRACK_KIT_H
#define CRACK_KIT_H

#include <math.h>
#include <mote/mote.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"
#include "cracks/crack_grow.h"
#include "cracks/elastic_cut.h"
#include "geom/triple.h"
#include "test.h"

#define CRACK_YOUNG 1e9
#define CRACK_POISSON 0.3
#define CRACK_SUPPORT 2.5  // spacings

typedef struct crack_plate {
  size_t count;
  double *rest, *position, *velocity, *exact, *stress;  // spacing 1
  uint8_t *held;
  double half;  // of the crack
  mote_elastic *body;
  mote_elastic_cut cut;
  mote_crack_sheets cracks;
} crack_plate;

typedef enum crack_set { CRACK_LATTICE, CRACK_TURNED, CRACK_JITTERED, CRACK_SHIFTED } crack_set;

// A point of a plane packing of spacing 1 whose rows are half a spacing off y = 0.
static inline void crack_point(crack_set set, long i, long j, double x[3]) {
  set3((double)i + 0.5, (double)j + 0.5, 0.0, x);
  if (set == CRACK_TURNED) {
    double c = mote_cos(0.4), s = mote_sin(0.4);
    set3(c * x[0] - s * x[1], s * x[0] + c * x[1], 0.0, x);
  }
  uint64_t index = (uint64_t)((i + 4096) * 8192 + j + 4096);
  for (uint64_t k = 0; k < 2 && set == CRACK_JITTERED; ++k)
    x[k] += mote_random_between(5, k, index, -0.15, 0.15);
  if (set == CRACK_SHIFTED) x[1] += 0.3;
}

// Displacement of a crack of half length a under the far stresses: biaxial tension `one`, shear `two`.
static inline void crack_exact(double a, double one, double two, const double x[3], double u[3]) {
  double mu = CRACK_YOUNG / (2.0 * (1.0 + CRACK_POISSON)), nu = CRACK_POISSON, y = x[1];
  double size = sqrt(hypot(x[0] - a, y) * hypot(x[0] + a, y));  // of root = sqrt(z^2 - a^2), Z = z/root
  double angle = 0.5 * (atan2(y, x[0] - a) + atan2(y, x[0] + a)), rb = size * cos(angle),
         ib = size * sin(angle);
  double r = (x[0] * rb + y * ib) / (size * size), m = (y * rb - x[0] * ib) / (size * size);
  u[0] = (one * ((1.0 - 2.0 * nu) * rb - y * m) + two * (2.0 * (1.0 - nu) * ib + y * r)) / (2.0 * mu);
  u[1] = (one * (2.0 * (1.0 - nu) * ib - y * r) + two * (-(1.0 - 2.0 * nu) * rb - y * m)) / (2.0 * mu);
  u[2] = 0.0;
}

static inline void crack_plate_fill(crack_plate *p, crack_set set, double radius) {
  long most = (long)(1.6 * radius) + 2;
  size_t capacity = (size_t)(4.0 * (radius + 2.0) * (radius + 2.0));
  p->rest = calloc(3 * capacity, sizeof *p->rest), p->held = calloc(capacity, 1);
  for (long j = -most; j < most; ++j) {
    for (long i = -most; i < most; ++i) {
      double x[3];
      crack_point(set, i, j, x);
      if (length3(x) > radius) continue;
      p->held[p->count] = length3(x) > radius - CRACK_SUPPORT;
      copy3(x, p->rest + 3 * p->count++);
    }
  }
}

static inline void crack_plate_open(crack_plate *p, crack_set set, double half, double radius, int order,
                                    double transparency) {
  mote_env env = mote_env_resolve(NULL);
  env.threads = 1;
  *p = (crack_plate){.half = half, .cracks = mote_crack_sheets_make(2, &env)};
  crack_plate_fill(p, set, radius);
  size_t n = p->count;
  double *arrays = calloc(18 * n, sizeof *arrays);
  p->position = arrays, p->velocity = arrays + 3 * n, p->exact = arrays + 6 * n, p->stress = arrays + 9 * n;
  p->cut = (mote_elastic_cut){
      .spacing = 1.0 / CRACK_SUPPORT, .transparency = transparency, .eye = arrays + 15 * n};
  memcpy(p->cut.eye, p->rest, 3 * n * sizeof *arrays);
  mote_elastic_def def = mote_elastic_def_default();
  def.dimensions = 2, def.order = order, def.position = p->rest, def.count = n;
  def.uniform_support = CRACK_SUPPORT, def.total_volume = (double)n;
  def.density = 1000.0, def.young = CRACK_YOUNG, def.poisson = CRACK_POISSON;
  CHECK(mote_elastic_create(&def, &env, &p->body, NULL) == MOTE_OK);
  CHECK(mote_elastic_cut_begin(&p->cut, p->body, NULL) == MOTE_OK);
  double ends[6] = {-half, 0, 0, half, 0, 0};
  CHECK(mote_crack_add_polygon(&p->cracks, ends, 2, 1.0, NULL) == MOTE_OK);
  mote_elastic_recut_report report;
  mote_elastic_cut_keep_off(&p->cut, p->body, &p->cracks, NULL);
  CHECK(mote_elastic_recut(p->body, &p->cut, &p->cracks, NULL, &report, NULL) == MOTE_OK);
  CHECK(report.loose == 0 && report.removed > 0);
}

static inline void crack_plate_close(crack_plate *p) {
  mote_elastic_cut_end(&p->cut, p->body);
  mote_elastic_destroy(p->body);
  mote_crack_sheets_destroy(&p->cracks);
  free(p->rest), free(p->held), free(p->position);
}

static inline void crack_plate_apply(void *user, const double *in, double *out) {
  crack_plate *p = user;
  mote_elastic_motion at_rest = {.position = p->rest, .velocity = p->velocity};
  CHECK(mote_elastic_find_stiffness(p->body, &at_rest, in, out, NULL) == MOTE_OK);
  for (size_t k = 0; k < 3 * p->count; ++k) {
    if (p->held[k / 3] || k % 3 == 2) out[k] = in[k];
  }
}

// Linear displacements in balance, from the exact ones; then the stresses.
static inline void crack_plate_solve(crack_plate *p, double one, double two) {
  size_t size = 3 * p->count;
  double *work = calloc(6 * size, sizeof *work), *b = work + 4 * size, *u = b + size;
  for (size_t i = 0; i < p->count; ++i) {
    crack_exact(p->half, one, two, p->rest + 3 * i, p->exact + 3 * i);
    if (p->held[i]) copy3(p->exact + 3 * i, b + 3 * i);
  }
  mote_elastic_motion at_rest = {.position = p->rest, .velocity = p->velocity};
  CHECK(mote_elastic_find_stiffness(p->body, &at_rest, b, u, NULL) == MOTE_OK);
  for (size_t k = 0; k < size; ++k) {
    if (!p->held[k / 3]) b[k] = -u[k], u[k] = p->exact[k];
    if (p->held[k / 3]) u[k] = 0.0, b[k] = 0.0;
    if (k % 3 == 2) u[k] = b[k] = 0.0;
  }
  mote_cg_def cg = mote_cg_def_default();
  cg.size = size, cg.apply = crack_plate_apply, cg.user = p, cg.tolerance = 1e-6, cg.max_iterations = 3000;
  mote_cg_report report;
  CHECK(mote_cg_solve(&cg, b, u, work, &report, NULL) == MOTE_OK);
  CHECK(report.converged);
  for (size_t k = 0; k < size; ++k) {
    if (p->held[k / 3]) u[k] = p->exact[k];
    p->position[k] = p->rest[k] + u[k];
  }
  mote_elastic_motion now = {.position = p->position, .velocity = p->velocity};
  mote_elastic_stresses(p->body, &now, p->stress);
  free(work);
}

static inline mote_crack_matter crack_plate_matter(const crack_plate *p) {
  return (mote_crack_matter){
      .count = p->count, .rest = p->rest, .stress = p->stress, .skip = p->held, .spacing = 1.0};
}

#endif
