// Elastic bodies for validation: see elastic_trial.h.
#include "validate/elastic/elastic_trial.h"

#include <math.h>
#include <mote/numeric.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "cli/files/input_file.h"

#define STEADY_STEP 1e4  // s: a step in which nothing is left of inertia

elastic_trial_def elastic_trial_def_of(int dimensions, double young, double poisson) {
  elastic_trial_def def = {
      .elastic = mote_elastic_def_default(), .number = {1, 1, 1}, .spacing = {0.05, 0.05, 0.05}};
  def.elastic.dimensions = dimensions, def.elastic.density = 1000.0;
  def.elastic.young = young, def.elastic.poisson = poisson;
  return def;
}

void elastic_trial_def_box(elastic_trial_def *def, int nx, int ny, int nz, double spacing) {
  APP_ASSERT(nx > 0 && ny > 0 && nz > 0 && spacing > 0.0);
  def->number[0] = nx, def->number[1] = ny, def->number[2] = nz;
  for (int k = 0; k < 3; ++k) def->spacing[k] = spacing;
}

void elastic_trial_keep(elastic_trial *s, mote_result result) {
  if (result == MOTE_OK || !s->ok) return;
  s->ok = false;
  validation_error(s->v, &s->error);
}

int elastic_trial_row(const elastic_trial *s, size_t i, int axis) {
  APP_ASSERT(i < s->count && axis >= 0 && axis < 3);
  size_t ny = (size_t)s->number[1], nz = (size_t)s->number[2];
  return (int)(axis == 0 ? i / (ny * nz) : axis == 1 ? i / nz % ny : i % nz);
}

double elastic_trial_random(uint64_t stream, uint64_t index) {
  return 2.0 * mote_random_uniform(7, stream, index) - 1.0;
}

static void place(elastic_trial *s, const elastic_trial_def *def) {
  for (size_t i = 0; i < s->count; ++i) {
    for (int k = 0; k < s->dimensions; ++k) {
      double off = elastic_trial_row(s, i, k) + 0.5 + def->jitter * elastic_trial_random((uint64_t)k, i);
      s->rest[3 * i + (size_t)k] = def->corner[k] + def->spacing[k] * off;
    }
  }
  memcpy(s->x, s->rest, 3 * s->count * sizeof *s->x);
}

elastic_trial elastic_trial_open(validation *v, const elastic_trial_def *def) {
  APP_ASSERT(def->elastic.dimensions == 3 || (def->elastic.dimensions == 2 && def->number[2] == 1));
  APP_ASSERT(def->number[0] > 0 && def->number[1] > 0 && def->number[2] > 0);
  elastic_trial s = {.v = v, .ok = true, .dimensions = def->elastic.dimensions};
  mote_elastic_def elastic = def->elastic;
  elastic.total_volume = 1.0, s.count = 1;
  for (int k = 0; k < 3; ++k) s.number[k] = def->number[k], s.spacing[k] = def->spacing[k];
  for (int k = 0; k < 3; ++k) s.count *= (size_t)def->number[k];
  double **arrays[] = {&s.rest, &s.x, &s.velocity, &s.load, &s.force};
  for (int k = 0; k < 5; ++k) *arrays[k] = input_take(3 * s.count, sizeof(double));
  s.gradient = input_take(9 * s.count, sizeof(double));
  s.held = calloc(s.count, 1);
  if (s.held == NULL) abort();
  place(&s, def);
  for (int k = 0; k < s.dimensions; ++k) elastic.total_volume *= s.number[k] * s.spacing[k];
  elastic.position = s.rest, elastic.count = s.count;
  if (!(elastic.uniform_support > 0.0)) elastic.uniform_support = 2.4 * fmax(s.spacing[0], s.spacing[1]);
  elastic_trial_keep(&s, mote_elastic_create(&elastic, validation_env(v), &s.body, &s.error));
  return s;
}

void elastic_trial_close(elastic_trial *s) {
  mote_elastic_implicit_destroy(s->solver);
  mote_elastic_destroy(s->body);
  free(s->rest), free(s->x), free(s->velocity), free(s->load), free(s->force), free(s->gradient);
  free(s->held), free(s->plastic);
}

mote_elastic_motion elastic_trial_motion(elastic_trial *s) {
  return (mote_elastic_motion){
      .position = s->x, .velocity = s->velocity, .plastic = s->plastic, .held = s->held};
}

void elastic_trial_plastic(elastic_trial *s) {
  APP_ASSERT(s->plastic == NULL);
  s->plastic = input_take(6 * s->count, sizeof(double));
}

void elastic_trial_map(elastic_trial *s, const double A[9], const double centre[3], const double b[3]) {
  for (size_t i = 0; i < s->count; ++i) {
    for (size_t r = 0; r < 3; ++r) {
      double at = b[r];
      for (size_t c = 0; c < 3; ++c) at += A[3 * r + c] * (s->rest[3 * i + c] - centre[c]);
      s->x[3 * i + r] = centre[r] + at;  // rounded once at this size
    }
  }
}

void elastic_trial_middle(const elastic_trial *s, double centre[3]) {
  for (size_t k = 0; k < 3; ++k) {
    centre[k] = 0.0;
    for (size_t i = 0; i < s->count; ++i) centre[k] += s->rest[3 * i + k] / (double)s->count;
  }
}

// --- What is measured -------------------------------------------------------------------------------------

void elastic_trial_find_forces(elastic_trial *s) {
  mote_elastic_motion motion = elastic_trial_motion(s);
  if (s->ok) elastic_trial_keep(s, mote_elastic_find_forces(s->body, &motion, s->force, &s->error));
}

void elastic_trial_find_gradients(elastic_trial *s) {
  if (s->ok) elastic_trial_keep(s, mote_elastic_find_strains(s->body, s->x, NULL, s->gradient, &s->error));
}

double elastic_trial_stored(elastic_trial *s) {
  mote_elastic_motion motion = elastic_trial_motion(s);
  mote_elastic_energies energy = {0};
  if (s->ok) elastic_trial_keep(s, mote_elastic_find_energies(s->body, &motion, &energy, &s->error));
  return energy.strain + energy.hourglass;
}

elastic_trial_state elastic_trial_state_of(elastic_trial *s) {
  elastic_trial_state state = {.energy = elastic_trial_stored(s)};
  double middle[3];
  if (!s->ok) return state;
  elastic_trial_middle(s, middle);
  const double *mass = mote_elastic_mass(s->body);
  for (size_t i = 0; i < s->count; ++i) {
    const double *v = s->velocity + 3 * i;
    double r[3];
    for (size_t k = 0; k < 3; ++k) r[k] = s->x[3 * i + k] - middle[k];
    for (size_t k = 0; k < 3; ++k) {
      state.momentum[k] += mass[i] * v[k];
      state.spin[k] += mass[i] * (r[(k + 1) % 3] * v[(k + 2) % 3] - r[(k + 2) % 3] * v[(k + 1) % 3]);
      state.energy += 0.5 * mass[i] * v[k] * v[k];
    }
  }
  return state;
}

double elastic_trial_length(const double a[3]) {
  return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

double elastic_trial_largest(const double *a, size_t n) {
  double most = 0.0;
  for (size_t k = 0; k < n; ++k) most = isfinite(a[k]) ? fmax(most, fabs(a[k])) : HUGE_VAL;
  return most;
}

void elastic_trial_report(elastic_trial *s, const char *name, measure_kind kind, double value,
                          double reference, double tolerance, const char *source) {
  measure m = {name, kind, value, reference, tolerance, source};
  if (s->ok) validation_report(s->v, &m);
}

// --- Steps ------------------------------------------------------------------------------------------------

mote_elastic_report elastic_trial_step(elastic_trial *s, mote_elastic_scheme scheme, double dt) {
  APP_ASSERT(dt > 0.0);
  mote_elastic_report report = {0};
  mote_elastic_motion motion = elastic_trial_motion(s);
  if (s->ok && s->solver == NULL) {
    mote_elastic_implicit_def def = mote_elastic_implicit_def_default();
    def.scheme = scheme, def.newton_max = 400;  // linear under pressure, where the tangent is made definite
    elastic_trial_keep(s, mote_elastic_implicit_create(&def, s->body, &s->solver, &s->error));
  }
  if (s->ok) {
    elastic_trial_keep(s, mote_elastic_implicit_step(s->solver, &motion, s->load, dt, &report, &s->error));
  }
  return report;
}

void elastic_trial_settle(elastic_trial *s) {
  mote_elastic_report report = elastic_trial_step(s, MOTE_ELASTIC_EULER, STEADY_STEP);
  memset(s->velocity, 0, 3 * s->count * sizeof *s->velocity);
  if (!s->ok || report.converged) return;
  s->error = (mote_error){.code = MOTE_ERROR_NUMERIC, .text = "no balance was found"};
  elastic_trial_keep(s, MOTE_ERROR_NUMERIC);
}

void elastic_trial_run(elastic_trial *s, double dt, int n) {
  APP_ASSERT(dt > 0.0 && n >= 0);
  mote_elastic_motion motion = elastic_trial_motion(s);
  for (int k = 0; k < n && s->ok; ++k) {
    elastic_trial_keep(s, mote_elastic_step(s->body, &motion, s->load, dt, s->force, &s->error));
  }
}
