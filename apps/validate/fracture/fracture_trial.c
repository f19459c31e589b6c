// Plates and blocks with cracks: see fracture_trial.h.
#include "validate/fracture/fracture_trial.h"

#include <math.h>
#include <mote/numeric.h>
#include <mote/search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "cli/files/input_file.h"

const char *const fracture_trial_set_name[TRIAL_SETS] = {"lattice", "shifted", "turned", "jittered"};

void fracture_trial_keep(fracture_trial *t, mote_result result) {
  if (result == MOTE_OK || !t->ok) return;
  t->ok = false;
  validation_error(t->v, &t->error);
}

void fracture_trial_report(validation *v, measure_kind kind, double value, double reference, double tolerance,
                           const char *source, const char *format, ...) {
  char name[160];
  va_list list;
  va_start(list, format);
  vsnprintf(name, sizeof name, format, list);
  va_end(list);
  measure m = {name, kind, value, reference, tolerance, source};
  validation_report(v, &m);
}

mote_split_rows split_rows_take(size_t count) {
  APP_ASSERT(count > 0);
  mote_split_rows r = {.count = count};
  r.rest = input_take(3 * count, sizeof(double)), r.position = input_take(3 * count, sizeof(double));
  r.velocity = input_take(3 * count, sizeof(double)), r.support = input_take(count, sizeof(double));
  r.volume = input_take(count, sizeof(double)), r.parent = input_take(count, sizeof(uint32_t));
  return r;
}

void split_rows_free(mote_split_rows *rows) {
  free(rows->rest), free(rows->position), free(rows->velocity);
  free(rows->support), free(rows->volume), free(rows->parent);
}

mote_result split_rows_body(const mote_split_rows *rows, mote_elastic_def def, const mote_env *env,
                            mote_elastic **out, mote_error *error) {
  def.position = rows->rest, def.count = rows->count, def.support = rows->support, def.volume = rows->volume;
  return mote_elastic_create(&def, env, out, error);
}

bool split_rows_cross(void *cracks, const double a[3], const double b[3]) {
  return mote_cracks_cut(cracks, a, b, NULL);
}

// --- Particles ---------------------------------------------------------------------------------------

static void place(fracture_trial_set set, int dimensions, const long at[3], double x[3]) {
  APP_ASSERT(set < TRIAL_SETS);
  for (int k = 0; k < 3; ++k) x[k] = k < dimensions ? (double)at[k] + 0.5 : 0.0;
  if (set == TRIAL_TURNED) {
    double c = cos(0.4), s = sin(0.4), a = c * x[0] - s * x[1], b = s * x[0] + c * x[1];
    x[0] = a, x[1] = b;
  }
  if (set == TRIAL_SHIFTED) x[1] += 0.3;
  uint64_t index = (uint64_t)(((at[2] + 512) * 1024 + at[1] + 512) * 1024 + at[0] + 512);
  for (int k = 0; k < dimensions && set == TRIAL_JITTERED; ++k)
    x[k] += 0.15 * (2.0 * mote_random_uniform(27, (uint64_t)k, index) - 1.0);
}

fracture_trial fracture_trial_open(validation *v, int dimensions, fracture_trial_set set, double reach,
                                   double (*depth)(void *user, const double x[3]), void *user, double held) {
  APP_ASSERT((dimensions == 2 || dimensions == 3) && reach > 0.0 && depth != NULL);
  fracture_trial t = {.v = v, .ok = true, .dimensions = dimensions};
  long most = (long)(1.5 * reach) + 2, deep = dimensions == 3 ? most : 0;
  for (int pass = 0; pass < 2; ++pass) {
    t.count = 0;
    for (long z = -deep; z <= (deep > 0 ? deep - 1 : 0); ++z) {
      for (long at = 0; at < 4 * most * most; ++at) {
        const long node[3] = {at % (2 * most) - most, at / (2 * most) - most, z};
        double x[3], below;
        place(set, dimensions, node, x);
        if (!((below = depth(user, x)) > 0.0)) continue;
        if (pass == 1) memcpy(t.rest + 3 * t.count, x, sizeof x), t.held[t.count] = below < held;
        ++t.count;
      }
    }
    if (pass == 1) break;
    t.rest = calloc(15 * t.count, sizeof *t.rest), t.stress = calloc(6 * t.count, sizeof *t.stress);
    t.held = calloc(t.count, 1);
    if (t.rest == NULL || t.stress == NULL || t.held == NULL) abort();
    APP_ASSERT(t.count > 0);
  }
  t.position = t.rest + 3 * t.count, t.velocity = t.rest + 6 * t.count, t.u = t.rest + 9 * t.count;
  fracture_trial_keep(&t, mote_cracks_create(dimensions, validation_env(v), &t.cracks, &t.error));
  return t;
}

void fracture_trial_close(fracture_trial *t) {
  mote_elastic_destroy(t->body);
  mote_cracks_destroy(t->cracks);
  free(t->rest), free(t->stress), free(t->held);
}

// --- Balance -----------------------------------------------------------------------------------------

void fracture_trial_cut(fracture_trial *t) {
  APP_ASSERT(t->count > 0);
  mote_crack_rule rule = {.cracks = t->cracks, .opacity = 1.0, .margin = 0.05};
  mote_elastic_def def = mote_elastic_def_default();
  def.dimensions = t->dimensions, def.order = 1, def.position = t->rest, def.count = t->count;
  def.uniform_support = TRIAL_SUPPORT, def.total_volume = (double)t->count;
  def.density = 1000.0, def.young = TRIAL_YOUNG, def.poisson = TRIAL_POISSON;
  def.path_length = mote_crack_rule_path_length, def.user = &rule;
  mote_elastic_destroy(t->body);
  t->body = NULL;
  if (t->ok) fracture_trial_keep(t, mote_elastic_create(&def, validation_env(t->v), &t->body, &t->error));
}

static mote_elastic_motion at_rest(const fracture_trial *t) {
  return (mote_elastic_motion){.position = t->rest, .velocity = t->velocity};
}

static void apply(void *user, const double *in, double *out) {
  fracture_trial *t = user;
  mote_elastic_motion motion = at_rest(t);
  fracture_trial_keep(t, mote_elastic_find_stiffness(t->body, &motion, in, out, &t->error));
  for (size_t k = 0; k < 3 * t->count; ++k) {
    if (t->held[k / 3] || (k % 3 == 2 && t->dimensions == 2)) out[k] = in[k];
  }
}

void fracture_trial_solve(fracture_trial *t, double tolerance) {
  APP_ASSERT(!t->ok || t->body != NULL);
  size_t size = 3 * t->count;
  if (!t->ok) return;
  double *work = calloc(6 * size, sizeof *work), *b = work + 4 * size, *x = b + size;
  mote_elastic_motion motion = at_rest(t);
  for (size_t k = 0; k < size; ++k) b[k] = t->held[k / 3] ? t->u[k] : 0.0;
  fracture_trial_keep(t, mote_elastic_find_stiffness(t->body, &motion, b, x, &t->error));
  for (size_t k = 0; k < size; ++k) {
    bool free_axis = !t->held[k / 3] && (k % 3 < 2 || t->dimensions == 3);
    b[k] = free_axis ? -x[k] : 0.0, x[k] = free_axis ? t->u[k] : 0.0;
  }
  mote_cg_def cg = mote_cg_def_default();
  cg.size = size, cg.apply = apply, cg.user = t, cg.tolerance = tolerance, cg.max_iterations = 5000;
  cg.threads = validation_env(t->v)->threads;
  mote_cg_report report;
  fracture_trial_keep(t, mote_cg_solve(&cg, b, x, work, &report, &t->error));
  for (size_t k = 0; k < size; ++k) {
    if (!t->held[k / 3]) t->u[k] = x[k];
    t->position[k] = t->rest[k] + t->u[k];
  }
  motion.position = t->position;
  if (t->ok) fracture_trial_keep(t, mote_elastic_find_stresses(t->body, &motion, t->stress, &t->error));
  free(work);
}

mote_crack_body fracture_trial_body(const fracture_trial *t) {
  return (mote_crack_body){
      .count = t->count, .rest = t->rest, .stress = t->stress, .skip = t->held, .spacing = 1.0};
}

// By sweeps over neighbours closer than 1.5 spacings that no crack lies between.
size_t fracture_trial_parts(const fracture_trial *t) {
  size_t *label = calloc(t->count, sizeof *label), parts = 0;
  for (size_t i = 0; i < t->count; ++i) label[i] = i;
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < t->count; ++i) {
      for (size_t j = 0; j < t->count; ++j) {
        const double *x = t->rest + 3 * i, *y = t->rest + 3 * j;
        if (label[j] >= label[i] || fabs(x[0] - y[0]) > 1.5 || hypot(x[0] - y[0], x[1] - y[1]) > 1.5)
          continue;
        if (mote_cracks_cut(t->cracks, x, y, NULL)) continue;
        label[i] = label[j], again = true;
      }
    }
  }
  for (size_t i = 0; i < t->count; ++i) parts += label[i] == i;
  free(label);
  return parts;
}

void fracture_trial_exact(double a, double one, double two, const double x[3], double u[3]) {
  APP_ASSERT(a > 0.0);
  double mu = TRIAL_YOUNG / (2.0 * (1.0 + TRIAL_POISSON)), nu = TRIAL_POISSON, y = x[1];
  double size = sqrt(hypot(x[0] - a, y) * hypot(x[0] + a, y));  // of root = sqrt(z^2 - a^2), Z = z/root
  double angle = 0.5 * (atan2(y, x[0] - a) + atan2(y, x[0] + a));
  double rb = size * cos(angle), ib = size * sin(angle);
  double r = (x[0] * rb + y * ib) / (size * size), m = (y * rb - x[0] * ib) / (size * size);
  u[0] = (one * ((1.0 - 2.0 * nu) * rb - y * m) + two * (2.0 * (1.0 - nu) * ib + y * r)) / (2.0 * mu);
  u[1] = (one * (2.0 * (1.0 - nu) * ib - y * r) + two * (-(1.0 - 2.0 * nu) * rb - y * m)) / (2.0 * mu);
  u[2] = 0.0;
}
