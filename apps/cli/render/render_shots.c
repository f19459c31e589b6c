// The files of a render: see render_shots.h.
#define _XOPEN_SOURCE 700
#include "cli/render/render_shots.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"
#include "cli/base/scene_open.h"
#include "cli/files/frame_list.h"
#include "cli/files/input_file.h"
#include "cli/files/sequence.h"

static void add_shot(render_shots *shots, char *path, long number) {
  if (shots->count == shots->capacity) {
    shots->capacity = 2 * shots->capacity + 64;
    shots->shot = realloc(shots->shot, shots->capacity * sizeof *shots->shot);
    if (shots->shot == NULL) abort();
  }
  shots->shot[shots->count++] = (render_shot){path, number};
}

static char *copy_of(const char *text) {
  size_t size = strlen(text) + 1;
  return memcpy(input_take(size, 1), text, size);
}

// All files that fit the pattern.
static size_t add_pattern(render_shots *shots, const char *pattern) {
  size_t count;
  long *number = sequence_find(pattern, &count);
  for (size_t k = 0; k < count; ++k) add_shot(shots, sequence_name(pattern, number[k]), number[k]);
  free(number);
  return count;
}

// DIR/what.%04d.ENDING for the first ending of which there are files.
static size_t add_series(render_shots *shots, const char *directory, const char *what,
                         const char *const *endings) {
  for (; *endings != NULL; ++endings) {
    char pattern[INPUT_PATH];
    snprintf(pattern, sizeof pattern, "%s/%s.%%04d.%s", directory, what, *endings);
    size_t count = add_pattern(shots, pattern);
    if (count > 0) return count;
  }
  return 0;
}

// The frames of a run in which nothing flows: all there is to see is in the files of its bodies.
static size_t add_frames(render_shots *shots, const char *directory) {
  size_t count;
  free(frame_list_read(directory, &count));
  for (size_t n = 1; n <= count; ++n) add_shot(shots, copy_of(directory), (long)n);
  return count;
}

static const char *const surface_endings[] = {"vtp", "ply", "obj", "glb", "stl", "usda", "bgeo", NULL};
static const char *const particle_endings[] = {"vtp", "vtu", "ply", "bgeo", "csv", "xyz", "usda", NULL};

static void remove_shots(render_shots *shots) {
  for (size_t k = 0; k < shots->count; ++k) free(shots->shot[k].path);
  shots->count = 0;
}

// In the order of their numbers.
static bool has_number(const render_shots *shots, long number) {
  size_t low = 0, high = shots->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (shots->shot[middle].number < number)
      low = middle + 1;
    else
      high = middle;
  }
  return low < shots->count && shots->shot[low].number == number;
}

// Surfaces of an earlier run stay when it is overwritten, and mote mesh may have made those of some frames
// only: none is drawn unless there is one for each frame of the particles that is asked for, and no other.
static bool add_surfaces(render_shots *shots, const char *directory, const frame_range *frames) {
  if (add_series(shots, directory, "surface", surface_endings) == 0) return false;
  render_shots all = {.count = 0};
  size_t count = add_series(&all, directory, "particles", particle_endings), missing = 0, strange = 0;
  for (size_t k = 0; k < count; ++k)
    missing += frame_range_has(frames, all.shot[0].number, all.shot[k].number) &&
               !has_number(shots, all.shot[k].number);
  for (size_t k = 0; k < shots->count && count > 0; ++k) strange += !has_number(&all, shots->shot[k].number);
  remove_shots(&all);
  free(all.shot);
  if (missing + strange == 0) return true;
  complain(
      "note: %s: the files surface.* (%zu) are not those of its frames (%zu), which are drawn without them",
      directory, shots->count, count);
  remove_shots(shots);
  return false;
}

static int add_run(render_shots *shots, const char *directory, const render_options *o, const mote_env *env) {
  char path[INPUT_PATH];
  mote_error error;
  snprintf(path, sizeof path, "%s/scene.yaml", directory);
  struct stat about;
  if (stat(path, &about) == 0) {
    if (mote_scene_read(path, NULL, 0, env, &shots->file, &error) != MOTE_OK) return complain_error(&error);
    shots->scene = mote_scene_file_scene(shots->file);
    shots->directory = directory;
  }
  bool meshes = o->as == RENDER_AUTO || o->as == RENDER_SURFACE;
  if (meshes && add_surfaces(shots, directory, &o->frames)) return EXIT_DONE;
  if (shots->scene != NULL && !scene_flows(shots->scene) && add_frames(shots, directory) > 0)
    return EXIT_DONE;
  if (add_series(shots, directory, "particles", particle_endings) > 0) return EXIT_DONE;
  snprintf(path, sizeof path, "%s/snapshot.mote", directory);
  if (stat(path, &about) == 0) {  // a run that keeps no particles: where it is now
    add_shot(shots, copy_of(path), 1);
    return EXIT_DONE;
  }
  complain(
      "%s: neither a run directory nor one with surfaces: no surface.* or particles.* in it "
      "(files may be named: mote render '%s/name.%%04d.ply')",
      directory, directory);
  return EXIT_USAGE;
}

static int add_glob(render_shots *shots, const char *word) {
  glob_t found;
  if (glob(word, 0, NULL, &found) != 0) {
    complain("%s: there are no such files", word);
    return EXIT_USAGE;
  }
  for (size_t k = 0; k < found.gl_pathc; ++k)
    add_shot(shots, copy_of(found.gl_pathv[k]), (long)shots->count + 1);
  globfree(&found);
  return EXIT_DONE;
}

static int add_input(render_shots *shots, const render_options *o, const char *word, const mote_env *env) {
  struct stat about;
  bool there = stat(word, &about) == 0;
  if (there && S_ISDIR(about.st_mode)) {
    if (o->inputs == 1) return add_run(shots, word, o, env);
    complain("%s: a directory must be the only input", word);
    return EXIT_USAGE;
  }
  if (there) {
    if (input_kind_of(word) == INPUT_UNKNOWN) return EXIT_USAGE;
    add_shot(shots, copy_of(word), (long)shots->count + 1);
    return EXIT_DONE;
  }
  if (sequence_is_pattern(word)) {
    if (add_pattern(shots, word) > 0) return EXIT_DONE;
    complain("%s: there are no such files", word);
    return EXIT_USAGE;
  }
  if (strpbrk(word, "*?[") != NULL) return add_glob(shots, word);
  if (find_example(word) != NULL)
    complain("%s: a built-in scene that has not been run: mote run %s", word, word);
  else
    input_kind_of(word);  // says that it is not there
  return EXIT_USAGE;
}

// "water" of "out/water.%04d.ply", "run" of "out/run/".
static void name_after(const char *input, char *out, size_t size) {
  size_t length = strlen(input);
  while (length > 1 && input[length - 1] == '/') --length;
  size_t begin = length;
  while (begin > 0 && input[begin - 1] != '/') --begin;
  size_t end = begin + strcspn(input + begin, "%*?[/");
  if (end > length) end = length;
  const char *dot = memchr(input + begin + 1, '.', end > begin ? end - begin - 1 : 0);
  struct stat about;
  bool directory = stat(input, &about) == 0 && S_ISDIR(about.st_mode);
  if (dot != NULL && !directory) end = (size_t)(dot - input);
  while (end > begin && strchr("._-", input[end - 1]) != NULL) --end;
  snprintf(out, size, "%.*s", (int)(end - begin), input + begin);
  if (out[0] == '\0') snprintf(out, size, "render");
}

static void choose_frames(render_shots *shots, const frame_range *frames) {
  size_t kept = 0;
  long lowest = shots->count > 0 ? shots->shot[0].number : 0;
  for (size_t k = 0; k < shots->count; ++k) {
    render_shot s = shots->shot[k];
    if (frame_range_has(frames, lowest, s.number))
      shots->shot[kept++] = s;
    else
      free(s.path);
  }
  shots->count = kept;
}

int render_shots_open(render_shots *shots, const render_options *o, const mote_env *env) {
  *shots = (render_shots){.count = 0};
  name_after(o->input[0], shots->name, sizeof shots->name);
  for (size_t k = 0; k < o->inputs; ++k) {
    int status = add_input(shots, o, o->input[k], env);
    if (status != EXIT_DONE) return status;
  }
  size_t found = shots->count;
  long last = shots->shot[found - 1].number;
  choose_frames(shots, &o->frames);
  if (shots->count > 0) return EXIT_DONE;
  complain("--frames selects none of the %zu frames, whose numbers go up to %ld", found, last);
  return EXIT_USAGE;
}

void render_shots_close(render_shots *shots) {
  remove_shots(shots);
  free(shots->shot);
  mote_scene_file_destroy(shots->file);
  *shots = (render_shots){.count = 0};
}

void render_shots_thin(render_shots *shots, size_t count) {
  APP_ASSERT(count > 0);
  if (count >= shots->count) return;
  size_t kept = 0;
  for (size_t k = 0; k < shots->count; ++k) {
    size_t wanted =
        count == 1 ? shots->count - 1 : (kept * (shots->count - 1) + (count - 1) / 2) / (count - 1);
    if (kept < count && k == wanted)
      shots->shot[kept++] = shots->shot[k];
    else
      free(shots->shot[k].path);
  }
  shots->count = kept;
}
