// The files of a run's elastic particles: see run_solids.h.
#include "cli/run/run_solids.h"

#include <stdlib.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/files/input_file.h"

bool run_solids_open(run_solids *solids, const run_directory *directory, const mote_scene *scene,
                     const mote_world *world, uint64_t scene_hash, size_t frame) {
  *solids = (run_solids){.directory = directory, .outputs = &scene->outputs, .scene_hash = scene_hash};
  if (mote_world_solids(world) == 0) return true;
  solids->any = true;
  return run_list_open(&solids->list, directory, scene, "solids", run_frames_listed(&scene->outputs), frame);
}

void run_solids_close(run_solids *solids) {
  if (solids->any) run_list_close(&solids->list);
  free(solids->displacement), free(solids->stress), free(solids->plastic);
  *solids = (run_solids){0};
}

// Particles may have been split since the last frame.
static void reserve(run_solids *solids, size_t count) {
  if (count <= solids->capacity) return;
  free(solids->displacement), free(solids->stress), free(solids->plastic);
  solids->displacement = input_take(3 * count, sizeof *solids->displacement);
  solids->stress = input_take(count, sizeof *solids->stress);
  solids->plastic = input_take(count, sizeof *solids->plastic);
  solids->capacity = count;
}

static mote_field_view derived(const char *name, const char *unit, int components, size_t count,
                               double *data) {
  return (mote_field_view){name, unit, MOTE_TYPE_F64, components, count, data};
}

static const char *const stored[] = {"id", "position", "velocity", "mass", "body"};

bool run_solids_has(const mote_world *world, const char *name) {
  static const char *const computed[] = {"displacement", "stress", "plastic"};
  bool has = false;
  for (size_t k = 0; k < sizeof stored / sizeof *stored; ++k) has = has || strcmp(stored[k], name) == 0;
  for (size_t k = 0; k < sizeof computed / sizeof *computed; ++k) has = has || strcmp(computed[k], name) == 0;
  return has && mote_world_solids(world) > 0;
}

static void add_wanted(const run_solids *solids, mote_cloud *cloud, mote_field_view field) {
  if (run_frames_wants(solids->outputs, field.name)) cloud->field[cloud->fields++] = field;
}

static bool gather(run_solids *solids, const mote_world *world, mote_cloud *out) {
  size_t count = mote_world_solids(world);
  mote_error error;
  reserve(solids, count);
  mote_cloud cloud = {.count = count, .stamp = run_stamp(world, solids->scene_hash)};
  const double *x = mote_world_solid_view(world, "position").data,
               *rest = mote_world_solid_view(world, "rest").data;
  mote_solid_measures measures = {.stress = solids->stress, .plastic = solids->plastic};
  for (size_t k = 0; k < 3 * count; ++k) solids->displacement[k] = x[k] - rest[k];
  if (mote_world_solid_measure(world, &measures, &error) != MOTE_OK) return complain_error(&error), false;
  for (size_t k = 0; k < sizeof stored / sizeof *stored; ++k)
    add_wanted(solids, &cloud, mote_world_solid_view(world, stored[k]));
  add_wanted(solids, &cloud, derived("displacement", "m", 3, count, solids->displacement));
  add_wanted(solids, &cloud, derived("stress", "Pa", 1, count, solids->stress));
  add_wanted(solids, &cloud, derived("plastic", "1", 1, count, solids->plastic));
  *out = cloud;
  return true;
}

bool run_solids_write(run_solids *solids, const mote_world *world, size_t frame) {
  char name[32], path[PATH_CAPACITY];
  mote_error error;
  mote_cloud cloud;
  if (!solids->any || mote_world_solids(world) == 0) return true;  // all may be removed
  if (!gather(solids, world, &cloud)) return false;
  for (size_t k = 0; k < solids->outputs->formats; ++k) {
    run_list_name("solids", frame, solids->outputs->format[k], name);
    run_directory_path(solids->directory, name, path);
    if (mote_cloud_write(&cloud, path, &error) != MOTE_OK) return complain_error(&error), false;
  }
  return run_list_add(&solids->list, frame, cloud.stamp.time);
}
