// The list of a run's files: see run_list.h.
#include "cli/run/run_list.h"

#include <mote/io.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"

void run_list_name(const char *stem, size_t frame, const char *format, char out[32]) {
  snprintf(out, 32, "%.15s.%04zu.%.8s", stem, frame, format);
}

static bool append(run_list *list, size_t frame, double time) {
  APP_ASSERT(list->count <= list->capacity);
  if (list->count == list->capacity) {
    size_t capacity = list->capacity == 0 ? 64 : 2 * list->capacity;
    void *name = realloc(list->name, capacity * sizeof *list->name);
    if (name != NULL) list->name = name;
    void *times = realloc(list->time, capacity * sizeof *list->time);
    if (times != NULL) list->time = times;
    if (name == NULL || times == NULL) {
      complain("out of memory for the list of frames");
      return false;
    }
    list->capacity = capacity;
  }
  run_list_name(list->stem, frame, list->format, list->name[list->count]);
  list->time[list->count++] = time;
  return true;
}

bool run_list_open(run_list *list, const run_directory *directory, const mote_scene *scene, const char *stem,
                   const char *format, size_t frame) {
  *list = (run_list){.directory = directory, .stem = stem, .format = format};
  for (size_t n = 1; n <= frame && format != NULL; ++n) {
    char name[32];
    run_list_name(stem, n, format, name);
    if (!run_directory_has(directory, name)) continue;
    if (!append(list, n, mote_scene_frame_time(scene, n))) return false;
  }
  return true;
}

void run_list_close(run_list *list) {
  free(list->name);
  free(list->time);
  *list = (run_list){0};
}

bool run_list_add(run_list *list, size_t frame, double time) {
  char path[PATH_CAPACITY], file[32];
  mote_error error;
  if (list->format == NULL) return true;
  if (!append(list, frame, time)) return false;
  const char **name = malloc((list->count + 1) * sizeof *name);
  if (name == NULL) return complain("out of memory for the list of frames"), false;
  for (size_t k = 0; k < list->count; ++k) name[k] = list->name[k];
  snprintf(file, sizeof file, "%.15s.pvd", list->stem);
  run_directory_path(list->directory, file, path);
  mote_result result = mote_series_write(path, name, list->time, list->count, &error);
  free(name);
  return result == MOTE_OK || (complain_error(&error), false);
}
