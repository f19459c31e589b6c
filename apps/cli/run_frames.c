// The particle files of a run: see run_frames.h.
#include "run_frames.h"

#include <stdlib.h>
#include <string.h>

#include "cli.h"

mote_stamp run_stamp(const mote_world *world, uint64_t scene_hash) {
  mote_stamp stamp = {
      .scene_hash = scene_hash, .time = mote_world_time(world), .step = mote_world_steps(world)};
  snprintf(stamp.version, sizeof stamp.version, "%s", mote_version());
  return stamp;
}

bool run_frames_check(const mote_outputs_def *outputs, const mote_world *world, mote_error *error) {
  const char *names[MOTE_CLOUD_FIELDS];
  size_t count = 0;
  for (mote_field_view view; count < MOTE_CLOUD_FIELDS; names[count++] = view.name) {
    view = mote_world_view_at(world, (int)count);
    if (view.name == NULL) break;
  }
  for (size_t k = 0; k < outputs->fields; ++k) {
    if (mote_world_view(world, outputs->field[k]).name != NULL) continue;
    char buffer[128];
    *error = (mote_error){.code = MOTE_ERROR_ARGUMENT, .key = "outputs.fields"};
    snprintf(error->text, sizeof error->text, "particles have no field \"%.64s\"%s", outputs->field[k],
             suggestion(outputs->field[k], names, count, buffer, sizeof buffer));
    return false;
  }
  return true;
}

static void name_file(char name[32], size_t frame, const char *format) {
  snprintf(name, 32, "particles.%04zu.%.8s", frame, format);
}

// ParaView reads lists of these.
static const char *find_listed(const mote_outputs_def *outputs) {
  for (size_t k = 0; k < outputs->formats; ++k) {
    const char *format = outputs->format[k];
    if (strcmp(format, "vtp") == 0 || strcmp(format, "vtu") == 0) return format;
  }
  return NULL;
}

static bool list_frame(run_frames *frames, size_t frame, double time) {
  if (frames->count == frames->room) {
    size_t room = frames->room == 0 ? 64 : 2 * frames->room;
    void *name = realloc(frames->name, room * sizeof *frames->name);
    if (name != NULL) frames->name = name;
    void *times = realloc(frames->time, room * sizeof *frames->time);
    if (times != NULL) frames->time = times;
    if (name == NULL || times == NULL) {
      complain("no memory for the list of frames");
      return false;
    }
    frames->room = room;
  }
  name_file(frames->name[frames->count], frame, frames->listed);
  frames->time[frames->count++] = time;
  return true;
}

bool run_frames_open(run_frames *frames, const run_directory *directory, const mote_scene *scene,
                     uint64_t scene_hash, size_t frame) {
  *frames = (run_frames){.directory = directory,
                         .outputs = &scene->outputs,
                         .scene_hash = scene_hash,
                         .listed = find_listed(&scene->outputs)};
  for (size_t n = 1; n <= frame && frames->listed != NULL; ++n) {
    char name[32];
    name_file(name, n, frames->listed);
    if (!run_directory_has(directory, name)) continue;
    if (!list_frame(frames, n, mote_scene_frame_time(scene, n))) return false;
  }
  return true;
}

void run_frames_close(run_frames *frames) {
  free(frames->name);
  free(frames->time);
  *frames = (run_frames){0};
}

static bool is_wanted(const mote_outputs_def *outputs, const char *field) {
  bool wanted = outputs->fields == 0 || strcmp(field, "position") == 0;
  for (size_t k = 0; k < outputs->fields; ++k) wanted = wanted || strcmp(outputs->field[k], field) == 0;
  return wanted;
}

static mote_cloud gather(const run_frames *frames, const mote_world *world) {
  mote_cloud cloud = {.count = mote_world_particles(world), .stamp = run_stamp(world, frames->scene_hash)};
  for (int k = 0; cloud.fields < MOTE_CLOUD_FIELDS; ++k) {
    mote_field_view view = mote_world_view_at(world, k);
    if (view.name == NULL) break;
    if (view.count == cloud.count && is_wanted(frames->outputs, view.name)) {
      cloud.field[cloud.fields++] = view;
    }
  }
  return cloud;
}

static bool write_list(const run_frames *frames) {
  char path[PATH_ROOM];
  mote_error error;
  const char **name = malloc((frames->count + 1) * sizeof *name);
  if (name == NULL) return complain("no memory for the list of frames"), false;
  for (size_t k = 0; k < frames->count; ++k) name[k] = frames->name[k];
  run_directory_path(frames->directory, "particles.pvd", path);
  mote_result result = mote_series_write(path, name, frames->time, frames->count, &error);
  free(name);
  return result == MOTE_OK || (complain_error(&error), false);
}

bool run_frames_write(run_frames *frames, const mote_world *world, size_t frame) {
  char name[32], path[PATH_ROOM];
  mote_error error;
  mote_cloud cloud = gather(frames, world);
  for (size_t k = 0; k < frames->outputs->formats; ++k) {
    name_file(name, frame, frames->outputs->format[k]);
    run_directory_path(frames->directory, name, path);
    if (mote_cloud_write(&cloud, path, &error) != MOTE_OK) return complain_error(&error), false;
  }
  if (frames->listed == NULL) return true;
  return list_frame(frames, frame, cloud.stamp.time) && write_list(frames);
}
