// What a run writes: see check_disk.h.
#include "cli/check/check_disk.h"

#include <math.h>
#include <mote/numeric.h>
#include <string.h>

#define BODY_ROW 260.0  // bytes in bodies.csv
#define PICTURE_BYTES_PER_PIXEL 0.5

static bool is_wanted(const mote_outputs_def *outputs, const char *field) {
  bool wanted = outputs->fields == 0 || strcmp(field, "position") == 0;
  for (size_t k = 0; k < outputs->fields; ++k) wanted = wanted || strcmp(outputs->field[k], field) == 0;
  return wanted;
}

static double record_of(double numbers, double bytes, const char *format) {
  if (strcmp(format, "csv") == 0 || strcmp(format, "xyz") == 0 || strcmp(format, "usda") == 0)
    return 13 * numbers;
  return strncmp(format, "vt", 2) == 0 ? bytes * 4 / 3 : bytes;  // base64
}

double disk_elastic_record(const char *format) {
  return record_of(15, 112, format);
}

double disk_record(const mote_scene *scene, const mote_world *world, const char *format) {
  double bytes = 0, numbers = 0;
  for (int k = 0; world != NULL; ++k) {
    mote_field_view view = mote_world_view_at(world, k);
    if (view.name == NULL) break;
    if (!is_wanted(&scene->outputs, view.name)) continue;
    numbers += view.components;
    bytes += view.components * (double)mote_type_size(view.type);
  }
  if (world == NULL) numbers = 14, bytes = 72;
  return record_of(numbers, bytes, format);
}

// A surface of so many particles has twice the area of a cube of them, in which each cell has two triangles.
static void add_surfaces(scene_cost *cost, const mote_scene *scene) {
  const mote_surface_output_def *surface = &scene->outputs.surface;
  double particles = cost->bodies + 0.5 * cost->emitted, cell = surface->def.cell;
  if (!surface->on || !(particles > 0)) return;
  double side = mote_cbrt(particles), triangles = 2 * 12 * side * side / (cell * cell);
  double fields = 4.0 * 8;
  for (size_t k = 0; k < surface->formats; ++k) {
    const char *format = surface->format[k];
    double bytes = strcmp(format, "vtp") == 0    ? ((36 + fields) / 2 + 16) * 4 / 3
                   : strcmp(format, "ply") == 0  ? (36 + fields) / 2 + 13
                   : strcmp(format, "glb") == 0  ? (24 + fields) / 2 + 12
                   : strcmp(format, "usda") == 0 ? 130
                   : strcmp(format, "bgeo") == 0 ? (28 + fields) / 2 + 17
                   : strcmp(format, "obj") == 0  ? 90
                                                 : 50;
    cost->surfaces += triangles * bytes * (double)cost->written;
  }
}

void disk_add(scene_cost *cost, const mote_scene *scene, const mote_world *world) {
  const mote_outputs_def *outputs = &scene->outputs;
  double particles = cost->bodies + 0.5 * cost->emitted;
  for (size_t k = 0; k < outputs->formats; ++k) {
    cost->files += particles * disk_record(scene, world, outputs->format[k]) * (double)cost->written;
  }
  for (size_t k = 0; k < outputs->formats; ++k)
    cost->files += cost->elastic * disk_elastic_record(outputs->format[k]) * (double)cost->written;
  if (outputs->preview) {
    cost->pictures =
        PICTURE_BYTES_PER_PIXEL * (double)outputs->width * (double)outputs->height * (double)cost->written;
  }
  add_surfaces(cost, scene);
  cost->files += (double)cost->rigid * BODY_ROW * (double)cost->frames;
}
