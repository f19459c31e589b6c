// The particle files of a run: see run_frames.h.
#include "cli/run/run_frames.h"

#include <string.h>

#include "cli/base/cli.h"
#include "cli/base/scene_open.h"
#include "cli/bodies/scene_colours.h"
#include "cli/run/run_kinds.h"

mote_stamp run_stamp(const mote_world *world, uint64_t scene_hash) {
  mote_stamp stamp = {.scene_hash = scene_hash,
                      .time = mote_world_time(world),
                      .step = mote_world_steps(world),
                      .spacing = mote_world_spacing(world)};
  snprintf(stamp.version, sizeof stamp.version, "%s", mote_version());
  return stamp;
}

static bool check_fields(const char *key, const char *const *name, size_t count, bool nonfluids,
                         const mote_world *world, mote_error *error) {
  const char *names[MOTE_CLOUD_FIELDS];
  size_t known = 0;
  for (mote_field_view view; known < MOTE_CLOUD_FIELDS; names[known++] = view.name) {
    view = mote_world_view_at(world, (int)known);
    if (view.name == NULL) break;
  }
  for (size_t k = 0; k < count; ++k) {
    if (mote_world_view(world, name[k]).name != NULL || (nonfluids && run_kinds_have(world, name[k])))
      continue;
    char buffer[128];
    *error = (mote_error){.code = MOTE_ERROR_ARGUMENT};
    snprintf(error->key, sizeof error->key, "%s", key);
    snprintf(error->text, sizeof error->text, "particles have no field \"%.64s\"%s", name[k],
             suggestion(name[k], names, known, buffer, sizeof buffer));
    return false;
  }
  return true;
}

bool run_fields_check(const char *key, const char *const *name, size_t count, const mote_world *world,
                      mote_error *error) {
  return check_fields(key, name, count, false, world, error);
}

// Vertices of a tracked surface have values of their own.
static bool check_tracked(const char *key, const char *const *name, size_t count,
                          const mote_world_track_def *track, mote_error *error) {
  const char *names[7] = {"id", "velocity"};
  size_t known = 2;
  if (track->properties.rest) names[known++] = "rest";
  if (track->properties.colour) names[known++] = "colour";
  if (track->properties.material) names[known++] = "material";
  if (track->waves.on) names[known++] = "wave_height", names[known++] = "wave_rate";
  for (size_t k = 0; k < count; ++k) {
    size_t n = 0;
    char buffer[128];
    while (n < known && strcmp(name[k], names[n]) != 0) ++n;
    if (n < known) continue;
    *error = (mote_error){.code = MOTE_ERROR_ARGUMENT};
    snprintf(error->key, sizeof error->key, "%s", key);
    snprintf(error->text, sizeof error->text,
             "the tracked surface has no field \"%.64s\"%s (track.properties)", name[k],
             suggestion(name[k], names, known, buffer, sizeof buffer));
    return false;
  }
  return true;
}

static bool check_surface(const mote_scene *scene, const char *key, const char *const *name, size_t count,
                          const mote_world *world, mote_error *error) {
  return scene->outputs.surface.def.method == MOTE_SURFACE_TRACKED
             ? check_tracked(key, name, count, &scene->world.track, error)
             : run_fields_check(key, name, count, world, error);
}

bool run_frames_check(const mote_scene *scene, const mote_world *world, mote_error *error) {
  const mote_outputs_def *outputs = &scene->outputs;
  const mote_surface_output_def *surface = &outputs->surface;
  const char *colour_by = scene_colour_by(scene);
  bool by_field = colour_by != NULL && strcmp(colour_by, "material") != 0;
  return run_fields_check("outputs.colour_by", &colour_by, by_field, world, error) &&
         check_fields("outputs.fields", outputs->field, outputs->fields, true, world, error) &&
         check_surface(scene, "outputs.surface.fields", surface->field, surface->fields, world, error) &&
         check_surface(scene, "outputs.surface.colour_by", &surface->colour_by, surface->colour_by != NULL,
                       world, error);
}

// ParaView reads lists of these.
const char *run_frames_listed(const mote_outputs_def *outputs) {
  for (size_t k = 0; k < outputs->formats; ++k) {
    const char *format = outputs->format[k];
    if (strcmp(format, "vtp") == 0 || strcmp(format, "vtu") == 0) return format;
  }
  return NULL;
}

bool run_frames_open(run_frames *frames, const run_directory *directory, const mote_scene *scene,
                     uint64_t scene_hash, size_t frame) {
  *frames = (run_frames){.directory = directory,
                         .outputs = &scene->outputs,
                         .scene_hash = scene_hash,
                         .flows = scene_flows(scene)};
  return run_list_open(&frames->list, directory, scene, "particles", run_frames_listed(&scene->outputs),
                       frame);
}

void run_frames_close(run_frames *frames) {
  run_list_close(&frames->list);
  *frames = (run_frames){0};
}

bool run_frames_wants(const mote_outputs_def *outputs, const char *field) {
  bool wanted = outputs->fields == 0 || strcmp(field, "position") == 0;
  for (size_t k = 0; k < outputs->fields; ++k) wanted = wanted || strcmp(outputs->field[k], field) == 0;
  return wanted;
}

mote_cloud run_cloud(const mote_world *world, uint64_t scene_hash) {
  mote_cloud cloud = {.count = mote_world_particles(world), .stamp = run_stamp(world, scene_hash)};
  for (int k = 0; cloud.fields < MOTE_CLOUD_FIELDS; ++k) {
    mote_field_view view = mote_world_view_at(world, k);
    if (view.name == NULL) break;
    if (view.count == cloud.count) cloud.field[cloud.fields++] = view;
  }
  return cloud;
}

static mote_cloud gather(const run_frames *frames, const mote_world *world) {
  mote_cloud all = run_cloud(world, frames->scene_hash), cloud = {.count = all.count, .stamp = all.stamp};
  for (int k = 0; k < all.fields; ++k)
    if (run_frames_wants(frames->outputs, all.field[k].name)) cloud.field[cloud.fields++] = all.field[k];
  return cloud;
}

bool run_frames_write(run_frames *frames, const mote_world *world, size_t frame) {
  char name[32], path[PATH_CAPACITY];
  mote_error error;
  if (!frames->flows) return true;
  mote_cloud cloud = gather(frames, world);
  for (size_t k = 0; k < frames->outputs->formats; ++k) {
    run_list_name("particles", frame, frames->outputs->format[k], name);
    run_directory_path(frames->directory, name, path);
    if (mote_cloud_write(&cloud, path, &error) != MOTE_OK) return complain_error(&error), false;
  }
  return run_list_add(&frames->list, frame, cloud.stamp.time);
}
