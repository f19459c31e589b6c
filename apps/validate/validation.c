// What the cases report: see validate.h.
#include "validate/validation.h"

#include <math.h>
#include <stdio.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"
#include "cli/files/input_file.h"

static void print_json_number(const char *key, double value) {
  printf(",\"%s\":", key);
  put_json_number(value);
}

static void print_json(const validation *v, const measure *m, double error, bool pass) {
  printf("{\"case\":");
  put_json_text(v->current->name);
  printf(",\"measure\":");
  put_json_text(m->name);
  print_json_number("value", m->value);
  print_json_number("reference", m->reference);
  print_json_number("error", error);
  print_json_number("tolerance", m->kind == MEASURE_SHOWN ? (double)INFINITY : m->tolerance);
  printf(",\"source\":");
  put_json_text(m->source);
  printf(",\"pass\":%s}\n", pass ? "true" : "false");
}

static void print_row(const measure *m, double error, const char *verdict) {
  const char *relation = m->kind == MEASURE_AT_LEAST ? ">=" : "";
  printf("  %-4s %-52s %14.7g %2s%13.7g %10.2e", verdict, m->name, m->value, relation, m->reference, error);
  if (m->kind == MEASURE_SHOWN) {
    printf(" %9s  %s\n", "", m->source);
  } else {
    printf(" %9.2e  %s\n", m->tolerance, m->source);
  }
}

static bool measure_passes(const measure *m, double error) {
  switch (m->kind) {
    case MEASURE_NEAR: return fabs(error) <= m->tolerance;
    case MEASURE_AT_LEAST: return error >= -m->tolerance;
    case MEASURE_SHOWN: return true;
  }
  return false;
}

void validation_report(validation *v, const measure *m) {
  APP_ASSERT(v->current != NULL && m->name != NULL && m->source != NULL);
  double error = m->value - m->reference;
  bool pass = measure_passes(m, error);
  if (m->kind == MEASURE_SHOWN) {
    ++v->shown;
  } else if (pass) {
    ++v->passed;
  } else {
    ++v->failed;
  }
  if (v->json) {
    print_json(v, m, error, pass);
  } else {
    print_row(m, error, m->kind == MEASURE_SHOWN ? "" : pass ? "ok" : "MISS");
  }
  fflush(stdout);
}

void validation_near(validation *v, const char *name, double value, double reference, double tolerance,
                     const char *source) {
  APP_ASSERT(tolerance >= 0.0);
  validation_report(v, &(measure){name, MEASURE_NEAR, value, reference, tolerance, source});
}

void validation_show(validation *v, const char *name, double value, double reference, const char *source) {
  validation_report(v, &(measure){name, MEASURE_SHOWN, value, reference, 0.0, source});
}

void validation_error(validation *v, const mote_error *error) {
  APP_ASSERT(v->current != NULL && error != NULL);
  v->broken = true;
  complain("%s: %s%s%s", v->current->name, error->file, error->file[0] != '\0' ? ": " : "", error->text);
}

void validation_skip(validation *v, const char *why) {
  ++v->skipped;
  if (!v->json) printf("  %-4s skipped: %s\n", "", why);
}

bool validation_quick(const validation *v) {
  return v->quick;
}

bool validation_release(const validation *v) {
  return v->release;
}

const mote_env *validation_env(const validation *v) {
  return &v->env;
}

bool validation_plot_path(const validation *v, const char *name, char *path, size_t size) {
  APP_ASSERT(name[0] != '\0' && size > 0);
  if (v->directory == NULL) return false;
  int length = snprintf(path, size, "%s/%s", v->directory, name);
  return length > 0 && (size_t)length < size;
}

int validation_rows(const validation *v) {
  return v->passed + v->failed + v->shown + v->skipped;
}
