// What free-surface cases share: see free_flow.h.
#include "validate/fluids/free_flow.h"

#include <math.h>
#include <mote/draw.h>
#include <mote/mote.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/base/app_assert.h"

void free_scene_make(free_scene *s, int dimensions, double spacing) {
  APP_ASSERT((dimensions == 2 || dimensions == 3) && spacing > 0.0);
  *s = (free_scene){
      .scene = mote_scene_default(), .water = mote_material_def_default(), .body = mote_body_def_default()};
  s->body.name = "water", s->body.material = s->water.name;
  s->body.fill = MOTE_FILL_CUBIC;  // what the errors were measured from; a case that begins otherwise says so
  s->scene.world.dimensions = dimensions, s->scene.world.spacing = spacing;
  s->scene.world.solver.density_error = FREE_DENSITY_ERROR;
  s->scene.material = &s->water, s->scene.materials = 1;
  s->scene.body = &s->body, s->scene.bodies = 1;
  s->scene.probe = s->probe;
}

mote_probe_def *free_scene_gauge(free_scene *s, const char *name, double x0, double y0, double x1,
                                 double y1) {
  APP_ASSERT(s->scene.probes < FREE_PROBES);
  mote_probe_def *probe = &s->probe[s->scene.probes++];
  *probe = mote_probe_def_default();
  probe->name = name, probe->kind = MOTE_PROBE_LEVEL;
  probe->from[0] = x0, probe->from[1] = y0, probe->to[0] = x1, probe->to[1] = y1;
  return probe;
}

mote_result free_level(mote_world *world, const char *name, double *level, mote_error *error) {
  mote_reading reading = {0};
  mote_result result = mote_world_probe(world, mote_world_find_probe(world, name), &reading, error);
  *level = reading.level;
  return result;
}

mote_result free_neighbours(const mote_world *world, int dimensions, double spacing, const mote_env *env,
                            uint32_t **out, mote_error *error) {
  mote_field_view x = mote_world_view(world, "position");
  mote_grid_def def = mote_grid_def_default(3.0 * spacing);
  def.domain = mote_domain_open(dimensions);
  mote_grid *grid = NULL;
  mote_lists lists = {0};
  mote_result result = mote_grid_create(&def, env, &grid, error);
  if (!result) result = mote_grid_build(grid, x.data, x.count, error);
  if (!result) result = mote_grid_neighbours(grid, &lists, error);
  *out = calloc(x.count + 1, sizeof **out);
  if (*out == NULL) abort();
  for (size_t i = 0; i < lists.count; ++i) (*out)[i] = lists.number[i];
  mote_grid_destroy(grid);
  return result;
}

double free_interpolate(const double *px, const double *py, size_t count, double x) {
  APP_ASSERT(count > 1);
  for (size_t k = 1; k < count; ++k) {
    if (x < px[k - 1] || x > px[k]) continue;
    return py[k - 1] + (py[k] - py[k - 1]) * (x - px[k - 1]) / (px[k] - px[k - 1]);
  }
  return (double)NAN;
}

free_line free_fit(const double *x, const double *y, size_t count) {
  APP_ASSERT(count > 1);
  double n = (double)count, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (size_t k = 0; k < count; ++k) sx += x[k], sy += y[k], sxx += x[k] * x[k], sxy += x[k] * y[k];
  double slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
  return (free_line){slope, (sy - slope * sx) / n};
}

void free_picture(validation *v, const mote_world *world, double spacing, const char *name,
                  fluid_variant variant) {
  char file[160], path[1024];
  snprintf(file, sizeof file, "%s-%s.png", name, fluid_variant_name(variant));
  for (char *c = file; *c != '\0'; ++c) {
    if (*c == ' ') *c = '-';
  }
  if (!validation_plot_path(v, file, path, sizeof path)) return;
  mote_field_view x = mote_world_view(world, "position");
  mote_preview_def def = mote_preview_def_default();
  def.flat = true;
  mote_preview_scene scene = mote_preview_scene_default();
  scene.position = x.data, scene.count = x.count, scene.radius = 0.5 * spacing;
  scene.value = mote_world_view(world, "pressure");
  scene.title = fluid_variant_name(variant), scene.time = mote_world_time(world);
  mote_image *image = NULL;
  mote_error error;
  mote_result result = mote_preview_draw(&def, &scene, validation_env(v), &image, &error);
  if (!result) result = mote_image_write(image, path, &error);
  if (result) validation_error(v, &error);
  mote_image_destroy(image);
}
