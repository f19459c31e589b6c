// The files of a run's elastic particles: see run_elastic.h.
#include "cli/run/run_elastic.h"

#include <stdlib.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/files/input_file.h"

bool run_elastic_open(run_elastic *elastic, const run_directory *directory, const mote_scene *scene,
                      const mote_world *world, uint64_t scene_hash, size_t frame) {
  *elastic = (run_elastic){.directory = directory, .outputs = &scene->outputs, .scene_hash = scene_hash};
  if (mote_world_elastic_particles(world) == 0) return true;
  elastic->any = true;
  return run_list_open(&elastic->list, directory, scene, "elastic", run_frames_listed(&scene->outputs),
                       frame);
}

void run_elastic_close(run_elastic *elastic) {
  if (elastic->any) run_list_close(&elastic->list);
  free(elastic->displacement), free(elastic->stress), free(elastic->plastic);
  *elastic = (run_elastic){0};
}

// Particles may have been split since the last frame.
static void reserve(run_elastic *elastic, size_t count) {
  if (count <= elastic->capacity) return;
  free(elastic->displacement), free(elastic->stress), free(elastic->plastic);
  elastic->displacement = input_take(3 * count, sizeof *elastic->displacement);
  elastic->stress = input_take(count, sizeof *elastic->stress);
  elastic->plastic = input_take(count, sizeof *elastic->plastic);
  elastic->capacity = count;
}

static mote_field_view derived(const char *name, const char *unit, int components, size_t count,
                               double *data) {
  return (mote_field_view){name, unit, MOTE_TYPE_F64, components, count, data};
}

static const char *const stored[] = {"id", "position", "velocity", "mass", "body"};

bool run_elastic_has(const mote_world *world, const char *name) {
  static const char *const computed[] = {"displacement", "stress", "plastic"};
  bool has = false;
  for (size_t k = 0; k < sizeof stored / sizeof *stored; ++k) has = has || strcmp(stored[k], name) == 0;
  for (size_t k = 0; k < sizeof computed / sizeof *computed; ++k) has = has || strcmp(computed[k], name) == 0;
  return has && mote_world_elastic_particles(world) > 0;
}

static void add_wanted(const run_elastic *elastic, mote_cloud *cloud, mote_field_view field) {
  if (run_frames_wants(elastic->outputs, field.name)) cloud->field[cloud->fields++] = field;
}

static bool gather(run_elastic *elastic, const mote_world *world, mote_cloud *out) {
  size_t count = mote_world_elastic_particles(world);
  mote_error error;
  reserve(elastic, count);
  mote_cloud cloud = {.count = count, .stamp = run_stamp(world, elastic->scene_hash)};
  const double *x = mote_world_elastic_view(world, "position").data,
               *rest = mote_world_elastic_view(world, "rest").data;
  mote_elastic_measures measures = {.stress = elastic->stress, .plastic = elastic->plastic};
  for (size_t k = 0; k < 3 * count; ++k) elastic->displacement[k] = x[k] - rest[k];
  if (mote_world_elastic_measure(world, &measures, &error) != MOTE_OK) return complain_error(&error), false;
  for (size_t k = 0; k < sizeof stored / sizeof *stored; ++k)
    add_wanted(elastic, &cloud, mote_world_elastic_view(world, stored[k]));
  add_wanted(elastic, &cloud, derived("displacement", "m", 3, count, elastic->displacement));
  add_wanted(elastic, &cloud, derived("stress", "Pa", 1, count, elastic->stress));
  add_wanted(elastic, &cloud, derived("plastic", "1", 1, count, elastic->plastic));
  *out = cloud;
  return true;
}

bool run_elastic_write(run_elastic *elastic, const mote_world *world, size_t frame) {
  char name[32], path[PATH_CAPACITY];
  mote_error error;
  mote_cloud cloud;
  if (!elastic->any || mote_world_elastic_particles(world) == 0) return true;  // all may be removed
  if (!gather(elastic, world, &cloud)) return false;
  for (size_t k = 0; k < elastic->outputs->formats; ++k) {
    run_list_name("elastic", frame, elastic->outputs->format[k], name);
    run_directory_path(elastic->directory, name, path);
    if (mote_cloud_write(&cloud, path, &error) != MOTE_OK) return complain_error(&error), false;
  }
  return run_list_add(&elastic->list, frame, cloud.stamp.time);
}
