// One surface of a set of particles, lines of the report, a table: see surface_trial.h.
#include "validate/surfaces/surface_trial.h"

#include <errno.h>
#include <string.h>

#include "cli/base/app_assert.h"

mote_surface_def trial_def(mote_surface_method method, double spacing, double cell) {
  APP_ASSERT(method < MOTE_SURFACE_METHODS && spacing > 0.0 && cell > 0.0);
  mote_surface_def def = mote_surface_def_default();
  def.method = method, def.spacing = spacing, def.cell = cell, def.normals = true;
  return def;
}

bool trial_build(validation *v, const mote_surface_def *def, const mote_surface_particles *particles,
                 mote_surface *out, mote_surface_stats *stats) {
  mote_surfacer *surfacer = NULL;
  mote_error error;
  *out = (mote_surface){0};
  mote_result result = mote_surfacer_create(def, validation_env(v), &surfacer, &error);
  if (!result) result = mote_surfacer_build(surfacer, particles, out, &error);
  if (!result && stats != NULL) *stats = mote_surfacer_stats(surfacer);
  if (result) validation_error(v, &error);
  mote_surfacer_destroy(surfacer);
  return result == MOTE_OK;
}

bool trial_build_set(validation *v, const mote_surface_def *def, const particle_set *set, mote_surface *out) {
  mote_surface_particles particles = {.position = set->position, .count = set->count};
  return trial_build(v, def, &particles, out, NULL);
}

mote_shape *trial_shape(validation *v, const mote_shape_def *def) {
  mote_shape *shape = NULL;
  mote_error error;
  if (mote_shape_create(def, 3, validation_env(v), &shape, &error)) validation_error(v, &error);
  return shape;
}

void trial_report(validation *v, bool judged, const char *what, const char *of, mote_surface_method method,
                  double value, double reference, double tolerance, const char *source) {
  char name[128];
  snprintf(name, sizeof name, "%s, %s, %s", what, of, mote_surface_method_name(method));
  measure m = {name, judged ? MEASURE_NEAR : MEASURE_SHOWN, value, reference, tolerance, source};
  validation_report(v, &m);
}

static void report_file(validation *v) {
  mote_error error = {.code = MOTE_ERROR_FILE};
  snprintf(error.text, sizeof error.text, "a table cannot be written: %s", strerror(errno));
  validation_error(v, &error);
}

FILE *trial_table(validation *v, const char *name, const char *head) {
  APP_ASSERT(head[0] != '\0');
  char path[1024];
  if (!validation_plot_path(v, name, path, sizeof path)) return NULL;
  FILE *table = fopen(path, "w");
  if (table == NULL) {
    report_file(v);
    return NULL;
  }
  fprintf(table, "|%s\n|", head);
  for (const char *c = head; *c != '\0'; ++c) {
    if (*c == '|') fprintf(table, " --- |");
  }
  fprintf(table, "\n");
  return table;
}

void trial_table_end(validation *v, FILE *table) {
  if (table != NULL && fclose(table) != 0) report_file(v);
}
