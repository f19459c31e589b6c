// Particle files and surfaces, one for one: see mesh_files.h.
#define _XOPEN_SOURCE 700
#include "cli/mesh/mesh_files.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"
#include "cli/base/run_stop.h"
#include "cli/files/input_file.h"
#include "cli/files/output_file.h"
#include "cli/mesh/mesh_contour.h"

// --- Inputs -----------------------------------------------------------------------------------------------

typedef struct name_list {
  char **name;
  size_t count, capacity;
} name_list;

static void add_name(name_list *list, const char *name) {
  if (list->count == list->capacity) {
    size_t capacity = 2 * list->capacity + 64;
    char **grown = input_take(capacity, sizeof *grown);
    if (list->count > 0) memcpy(grown, list->name, list->count * sizeof *grown);
    free(list->name);
    list->name = grown, list->capacity = capacity;
  }
  size_t size = strlen(name) + 1;
  list->name[list->count++] = memcpy(input_take(size, 1), name, size);
}

// As people count: frame 9 before frame 10.
static int compare_names(const void *a, const void *b) {
  const char *x = *(char *const *)a, *y = *(char *const *)b;
  while (*x != '\0' && *y != '\0') {
    bool digits = *x >= '0' && *x <= '9' && *y >= '0' && *y <= '9';
    if (digits) {
      char *x_end, *y_end;
      unsigned long long p = strtoull(x, &x_end, 10), q = strtoull(y, &y_end, 10);
      if (p != q) return p < q ? -1 : 1;
      x = x_end, y = y_end;
    } else {
      if (*x != *y) return (unsigned char)*x < (unsigned char)*y ? -1 : 1;
      ++x, ++y;
    }
  }
  return (*x != '\0') - (*y != '\0');
}

// Sorts what was added from `first` on.
static size_t add_glob(name_list *list, const char *pattern) {
  glob_t found;
  size_t first = list->count;
  if (glob(pattern, 0, NULL, &found) != 0) return 0;
  for (size_t k = 0; k < found.gl_pathc; ++k) add_name(list, found.gl_pathv[k]);
  globfree(&found);
  qsort(list->name + first, list->count - first, sizeof *list->name, compare_names);
  return list->count - first;
}

long mesh_files_number(const char *path) {
  const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path, *last = NULL;
  for (const char *c = base; *c != '\0'; ++c)
    if (*c >= '0' && *c <= '9' && (c == base || c[-1] < '0' || c[-1] > '9')) last = c;
  return last != NULL && strspn(last, "0123456789") < 10 ? strtol(last, NULL, 10) : -1;
}

// Of all frames those that are wanted.
static int choose_frames(name_list *list, const char *input, const frame_range *frames) {
  if (list->count == 0) return EXIT_DONE;
  size_t found = list->count, kept = 0;
  long lowest = mesh_files_number(list->name[0]), last = mesh_files_number(list->name[found - 1]);
  for (size_t k = 0; k < found; ++k) {
    if (frame_range_has(frames, lowest, mesh_files_number(list->name[k])))
      list->name[kept++] = list->name[k];
    else
      free(list->name[k]);
  }
  list->count = kept;
  if (kept > 0) return EXIT_DONE;
  complain("%s: --frames selects none of the %zu frames, whose numbers go up to %ld", input, found, last);
  return EXIT_USAGE;
}

// The frames of a run in the format that is exact; its snapshot where there are no particles.
static int add_run(name_list *list, const char *directory, const mesh_wish *wish) {
  static const char *const endings[] = {"vtp", "vtu", "ply", "bgeo", "csv", "usda", "vtp.gz", "vtk"};
  char pattern[INPUT_PATH];
  size_t length = strlen(directory);
  bool ended = length > 0 && directory[length - 1] == '/';
  for (size_t n = 1; n <= wish->bare_frames; ++n) {
    snprintf(pattern, sizeof pattern, "%s%sframe.%04zu", directory, ended ? "" : "/", n);
    add_name(list, pattern);
  }
  if (wish->bare_frames > 0) return EXIT_DONE;
  for (size_t k = 0; k < sizeof endings / sizeof *endings; ++k) {
    snprintf(pattern, sizeof pattern, "%s%s%s.[0-9]*.%s", directory, ended ? "" : "/", wish->stem,
             endings[k]);
    if (add_glob(list, pattern) > 0) return EXIT_DONE;
  }
  if (strcmp(wish->stem, "elastic") == 0) {  // runs before 0.1.0
    mesh_wish older = *wish;
    older.stem = "solids";
    snprintf(pattern, sizeof pattern, "%s%ssolids.[0-9]*", directory, ended ? "" : "/");
    name_list any = {.count = 0};
    size_t found = add_glob(&any, pattern);
    for (size_t n = 0; n < any.count; ++n) free(any.name[n]);
    free(any.name);
    if (found > 0) return add_run(list, directory, &older);
  }
  if (strcmp(wish->stem, "particles") != 0) {
    complain("%s: there are no files %s.NNNN in it", directory, wish->stem);
    return EXIT_USAGE;
  }
  add_name(list, directory);
  return EXIT_DONE;
}

static int add_input(name_list *list, const char *input, const mesh_wish *wish) {
  struct stat about;
  bool there = stat(input, &about) == 0;
  if (there && S_ISDIR(about.st_mode)) return add_run(list, input, wish);
  if (!there && sequence_is_pattern(input)) {
    sequence found;
    char *one[] = {NULL};
    size_t size = strlen(input) + 1;
    one[0] = memcpy(input_take(size, 1), input, size);
    int status = sequence_make(1, one, input, NULL, &found);  // the same names as outputs: only inputs count
    for (size_t k = 0; k < found.count; ++k) add_name(list, found.input[k]);
    sequence_free(&found);
    free(one[0]);
    return status;
  }
  if (!there && strpbrk(input, "*?[") != NULL) {
    if (add_glob(list, input) > 0) return EXIT_DONE;
    complain("%s: there are no such files", input);
    return EXIT_USAGE;
  }
  add_name(list, input);
  return EXIT_DONE;
}

// --- Outputs ----------------------------------------------------------------------------------------------

static bool can_write(const char *path, const mesh_wish *wish) {
  return wish->points ? input_writes_particles(path) : input_writes_mesh(path) || contour_writes(path);
}

static int check_outputs(const sequence *s, const mesh_wish *wish) {
  for (size_t k = 0; k < s->count; ++k) {
    if (can_write(s->output[k], wish)) continue;
    complain(wish->points ? "%s: points are written as vtp, vtu, ply, bgeo, csv, xyz or usda"
                          : "%s: surfaces are written as vtp, ply, glb, usda, bgeo, obj or stl (2D: vtp, "
                            "csv, svg or png)",
             s->output[k]);
    return EXIT_USAGE;
  }
  return output_check_all(s, wish->besides, wish->overwrite);
}

static int pair(name_list *list, const mesh_wish *wish, sequence *out) {
  const char *output = wish->output, *format = wish->format;
  if (list->count > 1 && !sequence_is_pattern(output) && format == NULL && can_write(output, wish)) {
    complain(
        "%s: several inputs cannot become one file; name the output with %%04d, or give a directory and "
        "--format",
        output);
    return EXIT_USAGE;
  }
  int status = sequence_make((int)list->count, list->name, output, format, out);
  if (status != EXIT_DONE || !sequence_is_pattern(output)) return status;
  for (size_t k = 0; k < out->count; ++k) {
    long number = mesh_files_number(out->input[k]);
    if (number < 0) continue;
    free(out->output[k]);
    out->output[k] = sequence_name(output, number);
  }
  return EXIT_DONE;
}

int mesh_files_make(int inputs, char **input, const mesh_wish *wish, sequence *out) {
  APP_ASSERT(inputs > 0 && wish->output != NULL && wish->stem != NULL);
  name_list list = {.count = 0};
  int status = EXIT_DONE;
  *out = (sequence){.count = 0};
  for (int k = 0; k < inputs && status == EXIT_DONE; ++k) status = add_input(&list, input[k], wish);
  if (status == EXIT_DONE) status = choose_frames(&list, input[0], &wish->frames);
  if (status == EXIT_DONE) status = pair(&list, wish, out);
  if (status == EXIT_DONE) status = check_outputs(out, wish);
  for (size_t k = 0; k < list.count; ++k) free(list.name[k]);
  free(list.name);
  return status;
}

int run_scene_open(const char *directory, const mote_env *env, mote_scene_file **out) {
  char path[INPUT_PATH];
  mote_error error;
  snprintf(path, sizeof path, "%s/scene.yaml", directory);
  FILE *there = fopen(path, "rb");
  if (there == NULL) {
    complain("%s: not a run directory: it has no scene.yaml", directory);
    return EXIT_USAGE;
  }
  fclose(there);
  return mote_scene_read(path, NULL, 0, env, out, &error) == MOTE_OK ? EXIT_DONE : complain_error(&error);
}

// --- The list of surfaces ---------------------------------------------------------------------------------

// surface.0001.vtp is in surface.pvd, surface.0001.usda in surface.usda.
void mesh_series_open(mesh_series *series, const sequence *files) {
  *series = (mesh_series){.count = 0};
  bool usd = files->count > 1 && input_ends(files->output[0], "usda");
  if (files->count < 2 || (!usd && !input_ends(files->output[0], "vtp"))) return;
  const char *path = files->output[0], *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
  size_t length = strcspn(base, ".");
  while (length > 0 && strchr("0123456789_-", base[length - 1]) != NULL) --length;
  snprintf(series->path, sizeof series->path, "%.*s%s.%s", (int)(base - path) + (int)length, path,
           length > 0 ? "" : "surface", usd ? "usda" : "pvd");
  series->name = input_take(files->count, sizeof *series->name);
  series->time = input_take(files->count, sizeof *series->time);
}

int mesh_series_add(mesh_series *series, const char *output, double time) {
  mote_error error;
  if (series->path[0] == '\0') return EXIT_DONE;
  const char *slash = strrchr(output, '/');
  APP_ASSERT(series->name != NULL && series->time != NULL);
  series->name[series->count] = slash != NULL ? slash + 1 : output;
  series->time[series->count] = isnan(time) ? (double)series->count : time;
  ++series->count;
  bool ok = mote_series_write(series->path, series->name, series->time, series->count, &error) == MOTE_OK;
  return ok ? EXIT_DONE : complain_error(&error);
}

void mesh_series_close(mesh_series *series) {
  free(series->name);
  free(series->time);
  *series = (mesh_series){.count = 0};
}

int mesh_series_run(mesh_series *series, const sequence *files, bool overwrite, mesh_make_fn *make,
                    void *user) {
  APP_ASSERT(files->count > 0);
  size_t done = 0;
  mesh_series_open(series, files);
  int status = series->path[0] != '\0' ? output_check(series->path, overwrite, NULL) : EXIT_DONE;
  run_stop_listen();
  for (; done < files->count && status == EXIT_DONE; ++done)
    status = run_stop_asked() ? EXIT_INTERRUPTED : make(user, done);
  clear_bar();
  if (status != EXIT_DONE && done > 1)
    complain("stopped at %s; the %zu before it %s kept", files->input[done - 1], done - 1,
             done == 2 ? "is" : "are");
  mesh_series_close(series);
  return status;
}
