// What the flows of `mote validate fluids` share: see fluid_cases.h.
#include "validate/fluids/fluid_cases.h"

#include <mote/draw.h>
#include <mote/mote.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/base/app_assert.h"

const char *fluid_variant_name(fluid_variant variant) {
  APP_ASSERT(variant < FLUID_VARIANTS);
  static const char *const names[FLUID_VARIANTS] = {"WCSPH", "WCSPH followed", "PCISPH", "DFSPH",
                                                    "DFSPH shifted"};
  return names[variant];
}

#define SHIFTING_STRENGTH 2.0

void fluid_variant_set(fluid_variant variant, mote_solver_def *solver) {
  APP_ASSERT(variant < FLUID_VARIANTS);
  static const mote_pressure_kind pressure[FLUID_VARIANTS] = {MOTE_PRESSURE_WCSPH, MOTE_PRESSURE_WCSPH,
                                                              MOTE_PRESSURE_PCISPH, MOTE_PRESSURE_DFSPH,
                                                              MOTE_PRESSURE_DFSPH};
  solver->pressure = pressure[variant];
  solver->kernel = MOTE_KERNEL_WENDLAND_C2, solver->support = 3.0;
  if (variant == FLUID_WCSPH_FOLLOWED) {
    solver->density = MOTE_DENSITY_FOLLOWED;
    solver->negative_pressure = 1.0;
  }
  bool shifted = variant == FLUID_WCSPH_FOLLOWED || variant == FLUID_DFSPH_SHIFTED;
  solver->shifting = shifted ? SHIFTING_STRENGTH : 0.0;
}

bool fluid_runs(const validation *v, const fluid_roles *roles, fluid_variant variant) {
  bool option = variant == FLUID_WCSPH_FOLLOWED || variant == FLUID_DFSPH_SHIFTED;
  if (roles->skipped[variant]) return false;
  if (validation_release(v)) return true;
  if (roles->shown[variant] != NULL) return variant == FLUID_DFSPH && !validation_quick(v);
  return !(roles->plain && option);
}

void fluid_report(validation *v, const fluid_roles *roles, fluid_variant variant, const measure *m) {
  char name[160], source[160];
  measure row = *m;
  snprintf(name, sizeof name, "%s, %s", m->name, fluid_variant_name(variant));
  row.name = name;
  if (roles->shown[variant] != NULL && m->kind != MEASURE_SHOWN) {
    snprintf(source, sizeof source, "%s; shown: %s", m->source, roles->shown[variant]);
    row.kind = MEASURE_SHOWN, row.source = source;
  }
  validation_report(v, &row);
}

mote_result fluid_run_scene(const fluid_run *run, const mote_env *env, mote_error *error) {
  APP_ASSERT(run->times > 0 && run->measure != NULL);
  mote_world *world = NULL;
  mote_result result = mote_world_create_scene(run->scene, env, &world, error);
  for (int k = 0; k < run->times && !result; ++k) {
    result = mote_world_advance(world, run->time[k], error);
    if (!result) result = run->measure(run->user, world, k, error);
  }
  mote_world_destroy(world);
  return result;
}

mote_result fluid_run_variant(const fluid_run *run, fluid_variant variant, const mote_env *env,
                              mote_error *error) {
  mote_scene scene = *run->scene;
  fluid_run with = *run;
  fluid_variant_set(variant, &scene.world.solver);
  with.scene = &scene;
  return fluid_run_scene(&with, env, error);
}

static mote_domain domain_of(const mote_world_def *def) {
  mote_domain domain = mote_domain_open(def->dimensions);
  for (int a = 0; a < def->dimensions; ++a) {
    domain.low[a] = def->low[a], domain.high[a] = def->high[a];
    domain.periodic[a] = def->side[a][0] == MOTE_SIDE_PERIODIC;
  }
  return domain;
}

static mote_result apply(const mote_mls_shapes *shapes, mote_field_view field, double *out,
                         mote_error *error) {
  APP_ASSERT(field.data != NULL && field.type == MOTE_TYPE_F32);
  size_t numbers = field.count * (size_t)field.components;
  double *value = malloc((numbers + 1) * sizeof *value);
  if (value == NULL) abort();
  for (size_t k = 0; k < numbers; ++k) value[k] = (double)((const float *)field.data)[k];
  mote_result result = mote_mls_apply(shapes, value, field.components, out, NULL, NULL, error);
  free(value);
  return result;
}

mote_result fluid_sample_at(const mote_world *world, const mote_world_def *def, const fluid_sample *sample,
                            const mote_env *env, mote_error *error) {
  mote_field_view x = mote_world_view(world, "position");
  mote_mls_def fit = mote_mls_def_default();
  fit.domain = domain_of(def);
  fit.order = 1, fit.position = x.data, fit.count = x.count, fit.uniform_radius = 3.0 * def->spacing;
  mote_mls *mls = NULL;
  mote_mls_shapes *shapes = NULL;
  mote_result result = mote_mls_create(&fit, env, &mls, error);
  if (!result) {
    result = mote_mls_shapes_create(mls, sample->position, sample->count, 0, env, &shapes, error);
  }
  if (!result && sample->velocity != NULL) {
    result = apply(shapes, mote_world_view(world, "velocity"), sample->velocity, error);
  }
  if (!result && sample->pressure != NULL) {
    result = apply(shapes, mote_world_view(world, "pressure"), sample->pressure, error);
  }
  mote_mls_shapes_destroy(shapes);
  mote_mls_destroy(mls);
  return result;
}

void fluid_plot(validation *v, const char *name, const char *x_label, const char *y_label,
                const fluid_curve *curve, int curves) {
  APP_ASSERT(curves > 0);
  char path[4096];
  mote_error error;
  if (!validation_plot_path(v, name, path, sizeof path)) return;
  mote_plot *plot = mote_plot_create(NULL, validation_env(v));
  mote_panel_def def = mote_panel_def_default();
  def.x.label = x_label, def.y.label = y_label;
  if (curves > 2) def.legend = MOTE_LEGEND_OUTSIDE;  // there is no corner without a curve
  mote_panel *panel = mote_plot_panel(plot, 0, 0, &def);
  for (int k = 0; k < curves; ++k) {
    mote_style style = mote_style_default();
    style.label = curve[k].label;
    if (curve[k].points) style.width = 0.0, style.marker = MOTE_MARKER_DISC;
    mote_plot_line(panel, curve[k].x, curve[k].y, curve[k].count, &style);
  }
  if (mote_plot_write(plot, path, &error) != MOTE_OK) validation_error(v, &error);
  mote_plot_destroy(plot);
}
