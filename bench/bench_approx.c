// Times of the approximation methods: making and applying the stored shape functions of moving least squares,
// its direct gradient, and the operators of smoothed particle hydrodynamics at the samples and between them.
#include <mote/approx.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "validate/approx/points.h"

// One set and what is done with it. `error` keeps the first failure.
typedef struct approx_run {
  points set;
  mote_env env;
  double *field, *out;  // out: 5 numbers per sample
  mote_mls *mls;
  mote_mls_shapes *shapes;
  mote_sph_def sph_def;
  mote_sph *sph;
  int order, derivatives;
  int form;
  mote_error error;
} approx_run;

static approx_run start(bench *b, int dimensions) {
  int n = bench_quick(b) ? (dimensions == 2 ? 100 : 20) : (dimensions == 2 ? 316 : 46);
  approx_run r = {.set = points_packing(dimensions, n, 1.0, 0.3, 1), .env = mote_env_default()};
  r.env.threads = bench_threads(b);
  r.field = calloc(r.set.count, sizeof *r.field);
  r.out = calloc(5 * r.set.count, sizeof *r.out);
  if (r.field == NULL || r.out == NULL) abort();
  for (size_t i = 0; i < r.set.count; ++i) r.field[i] = r.set.position[3 * i];
  return r;
}

static void finish(bench *b, approx_run *r) {
  if (r->error.code != MOTE_OK) bench_error(b, &r->error);
  mote_mls_shapes_destroy(r->shapes);
  mote_mls_destroy(r->mls);
  mote_sph_destroy(r->sph);
  free(r->field), free(r->out);
  points_free(&r->set);
}

static void keep(approx_run *r, mote_result result, const mote_error *error) {
  if (result != MOTE_OK && r->error.code == MOTE_OK) r->error = *error;
}

// --- Moving least squares -------------------------------------------------------------------------------

static void make_mls(approx_run *r, int order) {
  mote_mls_def def = mote_mls_def_default();
  mote_error error;
  def.domain = mote_domain_open(r->set.dimensions);
  def.order = order;
  def.position = r->set.position, def.count = r->set.count;
  def.uniform_radius = (order == 2 ? 3.2 : 2.2) * r->set.spacing;
  mote_mls_destroy(r->mls);
  r->mls = NULL;
  keep(r, mote_mls_create(&def, &r->env, &r->mls, &error), &error);
  r->order = order;
}

static void make_shapes(void *data) {
  approx_run *r = data;
  mote_error error;
  mote_mls_shapes_destroy(r->shapes);
  r->shapes = NULL;
  keep(r,
       mote_mls_shapes_create(r->mls, r->set.position, r->set.count, r->derivatives, &r->env, &r->shapes,
                              &error),
       &error);
}

static void apply_shapes(void *data) {
  approx_run *r = data;
  mote_error error;
  size_t n = r->set.count;
  keep(r,
       mote_mls_apply(r->shapes, r->field, 1, r->out, r->derivatives >= 1 ? r->out + n : NULL,
                      r->derivatives >= 2 ? r->out + 4 * n : NULL, &error),
       &error);
}

static void direct_gradient(void *data) {
  approx_run *r = data;
  mote_error error;
  keep(r, mote_mls_direct_gradient(r->mls, r->field, 1, r->out, &error), &error);
}

// Operations on doubles per sample in reach: moments, coefficients and shapes of EG09 (28)-(34), kernel.
static double shape_operations(const approx_run *r) {
  int d = r->set.dimensions, pairs = d * (d + 1) / 2;
  double n = r->order == 0 ? 1 : r->order == 1 ? 1 + d : 1 + d + pairs;
  double operations = 15 + n * (n + 1) + 2 * n;
  if (r->derivatives >= 1) operations += d * (4 * n + 4);
  if (r->derivatives >= 2) operations += pairs * (4 * n + 8);
  return operations;
}

static void report_shapes(bench *b, approx_run *r) {
  char name[80];
  double made = bench_seconds(b, make_shapes, r);
  if (r->error.code != MOTE_OK) return;
  const mote_lists *lists = mote_mls_shapes_lists(r->shapes);
  static const size_t numbers[3] = {1, 4, 10};
  size_t bytes = lists->first[lists->count] * (4 + 8 * numbers[r->derivatives]);
  bench_line line = {.name = name,
                     .particles = r->set.count,
                     .threads = r->env.threads,
                     .pairs = (double)lists->pairs,
                     .bytes = bytes};
  snprintf(name, sizeof name, "MLS shapes %dD, order %d, derivatives %d", r->set.dimensions, r->order,
           r->derivatives);
  line.seconds = made;
  // A double counts as two of the floor's operations.
  line.floor = bench_floor_operations(b, 2.0 * shape_operations(r) * line.pairs, line.threads);
  line.floor_of = "operations of (26)-(34)";
  bench_report(b, &line);
  snprintf(name, sizeof name, "MLS apply %dD, order %d, derivatives %d", r->set.dimensions, r->order,
           r->derivatives);
  line.seconds = bench_seconds(b, apply_shapes, r);
  line.floor = bench_floor_bytes(b, (double)bytes, line.threads);
  line.floor_of = "shapes read once";
  bench_report(b, &line);
}

static void run_mls(bench *b) {
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    approx_run r = start(b, dimensions);
    for (int order = 0; order <= 2; ++order) {
      make_mls(&r, order);
      for (r.derivatives = 0; r.derivatives <= 2 && r.error.code == MOTE_OK; ++r.derivatives) {
        report_shapes(b, &r);
      }
      if (r.error.code != MOTE_OK || order != 1) continue;
      char name[80];
      snprintf(name, sizeof name, "MLS direct gradient %dD, search included", dimensions);
      bench_report(b, &(bench_line){.name = name,
                                    .particles = r.set.count,
                                    .threads = r.env.threads,
                                    .seconds = bench_seconds(b, direct_gradient, &r),
                                    .pairs = (double)mote_mls_shapes_lists(r.shapes)->pairs,
                                    .floor = bench_floor_bytes(b, 88.0 * (double)r.set.count, r.env.threads),
                                    .floor_of = "samples read, gradients written"});
    }
    finish(b, &r);
  }
}

// --- Smoothed particle hydrodynamics ----------------------------------------------------------------------

static void make_sph(void *data) {
  approx_run *r = data;
  mote_error error;
  mote_sph_destroy(r->sph);
  r->sph = NULL;
  keep(r, mote_sph_create(&r->sph_def, &r->env, &r->sph, &error), &error);
}

static void sph_gradient(void *data) {
  approx_run *r = data;
  mote_error error;
  keep(r, mote_sph_gradient(r->sph, (mote_gradient_form)r->form, r->field, 1, r->out, &error), &error);
}

static void sph_laplacian(void *data) {
  approx_run *r = data;
  mote_error error;
  keep(r, mote_sph_laplacian(r->sph, (mote_laplacian_form)r->form, r->field, 1, r->out, &error), &error);
}

static void sph_sample(void *data) {
  approx_run *r = data;
  mote_error error;
  mote_sph_sample_def def = mote_sph_sample_def_default();
  def.position = r->set.position, def.count = r->set.count, def.field = r->field, def.components = 1;
  def.value = r->out, def.gradient = r->out + r->set.count;
  keep(r, mote_sph_sample(r->sph, &def, &error), &error);
}

static void report_sph(bench *b, approx_run *r, const char *what, void (*run)(void *)) {
  char name[80];
  double seconds = bench_seconds(b, run, r);
  if (r->error.code != MOTE_OK) return;
  const mote_lists *lists = mote_sph_lists(r->sph);
  snprintf(name, sizeof name, "SPH %s %dD", what, r->set.dimensions);
  double bytes = 4.0 * (double)lists->first[lists->count] + 40.0 * (double)r->set.count;
  bench_report(b, &(bench_line){.name = name,
                                .particles = r->set.count,
                                .threads = r->env.threads,
                                .seconds = seconds,
                                .pairs = (double)lists->pairs,
                                .floor = bench_floor_bytes(b, bytes, r->env.threads),
                                .floor_of = "lists and samples read once"});
}

static void run_sph(bench *b) {
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    approx_run r = start(b, dimensions);
    r.sph_def = mote_sph_def_default();
    r.sph_def.domain = mote_domain_open(dimensions);
    r.sph_def.radius = 2.2 * r.set.spacing;
    r.sph_def.position = r.set.position, r.sph_def.count = r.set.count;
    report_sph(b, &r, "create: lists and density", make_sph);
    r.form = MOTE_GRADIENT_DIFFERENCE;
    if (r.error.code == MOTE_OK) report_sph(b, &r, "gradient (13)", sph_gradient);
    r.form = MOTE_GRADIENT_CORRECTED;
    if (r.error.code == MOTE_OK) report_sph(b, &r, "gradient, corrected", sph_gradient);
    r.form = MOTE_LAPLACIAN_PAIR;
    if (r.error.code == MOTE_OK) report_sph(b, &r, "Laplacian, pair form", sph_laplacian);
    if (r.error.code == MOTE_OK) report_sph(b, &r, "value and gradient at points", sph_sample);
    finish(b, &r);
  }
}

const bench_case bench_approx_cases[] = {
    {"mls", "approx", "moving least squares: about 1e5 samples, jittered; support 2.2 spacings, order 2: 3.2",
     run_mls},
    {"sph", "approx", "smoothed particle hydrodynamics: about 1e5 samples, jittered; support 2.2 spacings",
     run_sph},
    {0}};
