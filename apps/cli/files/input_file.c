// Files of any kind: see input_file.h.
#include "cli/files/input_file.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <mote/text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"

static bool ends_in(const char *path, size_t size, const char *ending) {
  APP_ASSERT(size <= strlen(path));
  size_t length = strlen(ending);
  if (size < length + 1 || path[size - length - 1] != '.') return false;
  for (size_t k = 0; k < length; ++k)
    if (tolower((unsigned char)path[size - length + k]) != ending[k]) return false;
  return true;
}

bool input_ends(const char *path, const char *ending) {
  size_t size = strlen(path);
  return ends_in(path, ends_in(path, size, "gz") ? size - 3 : size, ending);
}

bool input_same(const char *a, const char *b) {
  struct stat of_a, of_b;
  return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
         of_a.st_ino == of_b.st_ino;
}

static bool ends_among(const char *path, const char *const *endings) {
  for (; *endings != NULL; ++endings)
    if (input_ends(path, *endings)) return true;
  return false;
}

bool input_writes_particles(const char *path) {
  return ends_among(path, mote_cloud_endings(true));
}

bool input_writes_mesh(const char *path) {
  return ends_among(path, mote_surface_endings(true));
}

// A scene in JSON is a mapping; a list is one of particles.
static bool is_json_list(const char *path) {
  FILE *file = input_ends(path, "json") ? fopen(path, "rb") : NULL;
  int c = ' ';
  if (file == NULL) return false;
  while (isspace(c)) c = fgetc(file);
  fclose(file);
  return c == '[';
}

// What mote writes besides particles, meshes, scenes and snapshots.
static input_kind other_kind_of(const char *path) {
  static const struct {
    const char *ending;
    input_kind kind;
  } known[] = {{"vti", INPUT_GRID},  {"pvd", INPUT_SERIES}, {"svg", INPUT_DRAWING},   {"mp4", INPUT_VIDEO},
               {"gif", INPUT_VIDEO}, {"webm", INPUT_VIDEO}, {"jsonl", INPUT_COMMANDS}};
  char head[512] = "";
  for (size_t k = 0; k < sizeof known / sizeof *known; ++k)
    if (input_ends(path, known[k].ending)) return known[k].kind;
  bool csv = input_ends(path, "csv"), json = input_ends(path, "json");
  FILE *file = csv || json ? fopen(path, "rb") : NULL;
  if (file == NULL) return INPUT_UNKNOWN;
  while (fgets(head, sizeof head, file) != NULL && head[0] == '#') continue;
  fclose(file);
  if (json) return strncmp(head, "{\"done\":", 8) == 0 ? INPUT_REPORT : INPUT_UNKNOWN;
  return strncmp(head, "time,", 5) == 0 ? INPUT_TABLE : INPUT_UNKNOWN;  // as those of runs
}

input_kind input_kind_of(const char *path) {
  static const char *const scenes[] = {"yaml", "yml", "json", NULL};
  struct stat about;
  if (stat(path, &about) != 0) {
    complain("%s: cannot be read: %s", path, strerror(errno));
    return INPUT_UNKNOWN;
  }
  if (S_ISDIR(about.st_mode)) return INPUT_RUN;
  if (refuse_pipe(path)) return INPUT_UNKNOWN;
  if (input_ends(path, "mote")) return INPUT_SNAPSHOT;
  if (input_ends(path, "png")) return INPUT_PICTURE;
  if (is_json_list(path)) return INPUT_PARTICLES;
  input_kind other = other_kind_of(path);
  if (other != INPUT_UNKNOWN) return other;
  if (ends_among(path, scenes)) return INPUT_SCENE;
  if (mote_surface_holds(path)) return INPUT_MESH;
  if (ends_among(path, mote_cloud_endings(false))) return INPUT_PARTICLES;
  complain(
      "%s: unknown kind of file; known are vtp vtu vtk ply bgeo csv xyz usda json, obj stl glb, vti, pvd, "
      "mote, yaml, png svg, mp4 gif webm, jsonl",
      path);
  return INPUT_UNKNOWN;
}

const char *input_kind_name(input_kind kind) {
  APP_ASSERT(kind <= INPUT_COMMANDS);
  static const char *const names[] = {"unknown", "particles", "mesh",  "snapshot", "scene",
                                      "picture", "run",       "table", "grid",     "series",
                                      "report",  "drawing",   "video", "commands"};
  return names[kind];
}

static bool read_bytes(void *file, void *bytes, size_t size) {
  return fread(bytes, 1, size, file) == size;
}

int input_snapshot(const char *path, const mote_env *env, mote_snapshot **out) {
  char inside[INPUT_PATH];
  const char *given = path;
  struct stat about;
  mote_error error = {0};
  if (stat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
    snprintf(inside, sizeof inside, "%s/snapshot.mote", path);
    path = inside;
  }
  FILE *file = fopen(path, "rb");
  if (file == NULL || stat(path, &about) != 0) {
    if (path == inside && errno == ENOENT) {
      complain("%s: not a run directory: it has no snapshot.mote", given);
      return EXIT_USAGE;
    }
    complain("%s: cannot be read: %s", path, strerror(errno));
    if (file != NULL) fclose(file);
    return EXIT_FAILED;
  }
  mote_result result = mote_snapshot_read(read_bytes, file, (uint64_t)about.st_size, env, out, &error);
  fclose(file);
  if (result == MOTE_OK) return EXIT_DONE;
  snprintf(error.file, sizeof error.file, "%.255s", path);
  return complain_error(&error);
}

// Particles of fluids, whose rows come first; where there are none, those of elastic bodies.
static void particles_of_snapshot(mote_snapshot *snapshot, input_particles *out) {
  APP_ASSERT(snapshot != NULL);
  mote_snapshot_info about = mote_snapshot_about(snapshot);
  mote_cloud *cloud = &out->cloud;
  int table = mote_snapshot_find(snapshot, "particles");
  bool fluid = about.particles > 0;
  *out = (input_particles){.snapshot = snapshot, .cloud = {.count = fluid ? about.particles : about.elastic}};
  cloud->stamp.time = about.time, cloud->stamp.step = about.step;
  snprintf(cloud->stamp.version, sizeof cloud->stamp.version, "%s", mote_version());
  for (int k = 0; table >= 0 && cloud->fields < MOTE_CLOUD_FIELDS; ++k) {
    mote_field_view view = mote_snapshot_view(snapshot, table, k);
    if (view.name == NULL) break;
    const char *group = mote_snapshot_group(snapshot, table, k);
    bool elastic = strcmp(group, "elastic") == 0 || strcmp(group, "renewed") == 0;
    bool common = strcmp(group, "all") == 0;
    if (common) view.count = cloud->count;
    if ((common || elastic != fluid) && view.count == cloud->count) cloud->field[cloud->fields++] = view;
  }
}

int input_open(const char *path, const mote_env *env, input_particles *out) {
  mote_error error = {0};
  input_kind kind = input_kind_of(path);
  if (kind == INPUT_UNKNOWN) return EXIT_USAGE;
  if (kind == INPUT_SNAPSHOT || kind == INPUT_RUN) {
    mote_snapshot *snapshot;
    int status = input_snapshot(path, env, &snapshot);
    if (status == EXIT_DONE) particles_of_snapshot(snapshot, out);
    return status;
  }
  if (kind != INPUT_PARTICLES) {
    complain("%s: a %s; expected particles", path, input_kind_name(kind));
    return EXIT_USAGE;
  }
  *out = (input_particles){.snapshot = NULL};
  return mote_cloud_read(path, env, &out->cloud, &error) == MOTE_OK ? EXIT_DONE : complain_error(&error);
}

void input_close(input_particles *input, const mote_env *env) {
  if (input->snapshot != NULL)
    mote_snapshot_destroy(input->snapshot);
  else
    mote_cloud_free(&input->cloud, env);
}

double input_value(const mote_field_view *view, size_t k) {
  APP_ASSERT(view->data != NULL);
  mote_field_view single = *view;
  single.components = 1;
  return mote_field_value(&single, k, 0);
}

double input_size(const mote_field_view *view, size_t i) {
  APP_ASSERT(view->components >= 1);
  size_t parts = (size_t)view->components;
  if (parts == 1) return input_value(view, i);
  double sum = 0;
  for (size_t k = 0; k < parts; ++k) {
    double c = input_value(view, parts * i + k);
    sum += c * c;
  }
  return sqrt(sum);
}

static int compare_numbers(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

void sort_numbers(double *number, size_t count) {
  qsort(number, count, sizeof *number, compare_numbers);
}

void *input_take(size_t count, size_t size) {
  APP_ASSERT(size > 0);
  void *block = calloc(count > 0 ? count : 1, size);
  if (block == NULL) {
    complain("out of memory");
    exit(EXIT_FAILED);
  }
  return block;
}

void put_json_text(const char *text) {
  putchar('"');
  for (; *text != '\0'; ++text) {
    if (*text == '"' || *text == '\\')
      printf("\\%c", *text);
    else if ((unsigned char)*text < ' ')
      printf("\\u%04x", (unsigned)*text);
    else
      putchar(*text);
  }
  putchar('"');
}

void put_json_number(double value) {
  char text[MOTE_TEXT_NUMBER];
  mote_text_print_double(text, value);
  fputs(isfinite(value) ? text : "null", stdout);
}
