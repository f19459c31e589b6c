// mote sample: any field of particles, on a grid, along a line or at points.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/files/output_file.h"
#include "cli/sample/sample_write.h"

const char help_sample[] =
    "usage: mote sample PARTICLES... [WHERE] [--field NAMES] [--method sph|shepard|mls] [-o FILE]\n"
    "\n"
    "Evaluates fields of particles (vtp vtu vtk ply bgeo csv xyz usda json, snapshots) at any point. A run\n"
    "directory stands for its latest snapshot; its frames are files: RUN/particles.*.vtp -o DIR\n"
    "\n"
    "where:\n"
    "  --at x,y,z                 one point (2D: x,y)\n"
    "  --points FILE              the points of a file with particles, e.g. CSV with columns x,y,z\n"
    "  --line x,y,z:x,y,z:n       n points from one end to the other\n"
    "  --grid x,y,z:x,y,z:step    a grid between two corners; default: a grid over all particles\n"
    "\n"
    "how:\n"
    "  --field NAMES              comma-separated; default: all but position and id; density by summation\n"
    "  --method sph|shepard|mls   kernel sums; normalised kernel sums (default); moving least squares\n"
    "  --order 0|1|2              polynomial order of moving least squares (default 1)\n"
    "  --support R                radius of the kernel, m; default: 2 spacings (mls: 2.5) of the file\n"
    "  --dimensions 2|3           default: 2 if all z are equal\n"
    "  --slice AXIS=VALUE         layer of a 3D grid that a picture shows (default: the middle, across z)\n"
    "  --threads N\n"
    "\n"
    "  -o FILE                    .vti .csv, a heat map or graph as .png .svg; points also .vtp .vtu .ply;\n"
    "                             without it CSV is printed. With several inputs: a directory\n"
    "  --format EXT               file extension in that directory (default vti, for points csv)\n"
    "  --overwrite                replace existing files\n"
    "\n"
    "Where no particle is within the support, values are NaN and densities 0.\n"
    "\n"
    "examples:\n"
    "  mote sample run/particles.0100.vtp --at 0.5,0.1,0.2 --field pressure\n"
    "  mote sample run/particles.0100.vtp --field velocity,density -o flow.vti\n"
    "  mote sample run/particles.0100.vtp --field pressure --slice z=0.25 -o pressure.png\n"
    "  mote sample dam.csv --line 0,0.01:2,0.01:200 --field pressure --method mls -o floor.png\n";

typedef struct sample_options {
  const char *at, *points, *line, *grid, *fields, *method, *support, *slice, *output, *format;
  int order, dimensions, threads;
  bool overwrite;
  sample_method kind;
  double radius;
  int slice_axis;
  double slice_value;
  mote_env env;
} sample_options;

static bool parse_method(sample_options *o) {
  static const char *const names[] = {"sph", "shepard", "mls"};
  char buffer[128];
  for (int k = 0; k < 3; ++k) {
    if (strcmp(o->method, names[k]) != 0) continue;
    o->kind = (sample_method)k;
    return true;
  }
  complain("unknown method \"%s\"%s (sph, shepard, mls)", o->method,
           suggestion(o->method, names, 3, buffer, sizeof buffer));
  return false;
}

static bool parse_slice(sample_options *o) {
  o->slice_axis = -1, o->slice_value = (double)NAN;
  if (o->slice == NULL) return true;
  if (o->slice[0] >= 'x' && o->slice[0] <= 'z' && o->slice[1] == '=' &&
      parse_number(o->slice + 2, &o->slice_value)) {
    o->slice_axis = o->slice[0] - 'x';
    return true;
  }
  complain("--slice takes x=VALUE, y=VALUE or z=VALUE, not \"%s\"", o->slice);
  return false;
}

static bool parse_rest(sample_options *o) {
  int kinds = (o->at != NULL) + (o->points != NULL) + (o->line != NULL) + (o->grid != NULL);
  o->radius = (double)NAN;
  if (kinds > 1) {
    complain("--at, --points, --line and --grid: only one of them");
    return false;
  }
  if (o->support != NULL && (!parse_number(o->support, &o->radius) || !(o->radius > 0))) {
    complain("--support takes a length above 0, not \"%s\"", o->support);
    return false;
  }
  if (o->dimensions == 1) {
    complain("--dimensions takes 2 or 3");
    return false;
  }
  return parse_method(o) && parse_slice(o);
}

static bool parse_options(int *argc, char **argv, sample_options *o) {
  *o = (sample_options){.method = "shepard", .order = 1, .env = mote_env_default()};
  const option table[] = {{.name = "--at", .value = &o->at},
                          {.name = "--points", .value = &o->points},
                          {.name = "--line", .value = &o->line},
                          {.name = "--grid", .value = &o->grid},
                          {.name = "--field", .value = &o->fields},
                          {.name = "--method", .value = &o->method},
                          {.name = "--order", .number = &o->order, .low = 0, .high = 2},
                          {.name = "--support", .value = &o->support},
                          {.name = "--dimensions", .number = &o->dimensions, .low = 1, .high = 3},
                          {.name = "--slice", .value = &o->slice},
                          {.name = "--threads", .number = &o->threads, .low = 1, .high = 1024},
                          {.name = "--format", .value = &o->format},
                          {.name = "--overwrite", .flag = &o->overwrite},
                          {.name = "-o", .value = &o->output},
                          {.name = NULL}};
  if (!options_parse(argc, argv, table)) return false;
  if (o->threads > 0) o->env.threads = o->threads;
  if (*argc < 2) {
    complain("sample needs a file with particles (mote help sample)");
    return false;
  }
  return parse_rest(o);
}

static request_kind request_kind_of(const sample_options *o) {
  return o->at != NULL || o->points != NULL ? REQUEST_POINTS : o->line != NULL ? REQUEST_LINE : REQUEST_GRID;
}

static bool is_picture(const char *path) {
  return input_ends(path, "png") || input_ends(path, "svg");
}

// Without a place: all particles, a spacing apart; for a picture one layer, four times as fine.
static bool make_request(const sample_options *o, const char *output, const sample_set *set,
                         sample_request *out) {
  if (o->at != NULL) return request_at(o->at, out);
  if (o->points != NULL) return request_points(o->points, &o->env, out);
  if (o->line != NULL) return request_line(o->line, out);
  if (o->grid != NULL) return request_grid(o->grid, out);
  double low[3], high[3], step = set->spacing;
  for (int k = 0; k < 3; ++k) low[k] = set->low[k], high[k] = set->high[k];
  if (set->dimensions == 2) low[2] = high[2] = set->low[2];
  if (output != NULL && is_picture(output)) {
    int axis = o->slice_axis < 0 || set->dimensions == 2 ? 2 : o->slice_axis;
    low[axis] = high[axis] = isfinite(o->slice_value) ? o->slice_value : (low[axis] + high[axis]) / 2;
    step /= 4;
  }
  return request_cover(low, high, step, out);
}

static bool add_column(const char *path, const mote_cloud *cloud, const sample_set *set, const char *name,
                       sample_column *column, size_t *columns) {
  const mote_field_view *view = mote_cloud_find(cloud, name);
  if (strcmp(name, "density") == 0) {
    column[(*columns)++] =
        (sample_column){.name = "density", .unit = set->weighed ? "kg/m^3" : "1", .components = 1};
    return true;
  }
  if (view != NULL) {
    column[(*columns)++] =
        (sample_column){.name = view->name, .unit = view->unit, .components = view->components};
    return true;
  }
  const char *names[MOTE_CLOUD_FIELDS + 1] = {"density"};
  char buffer[128], list[512] = "density";
  size_t length = strlen(list);
  for (int k = 0; k < cloud->fields; ++k) {
    names[k + 1] = cloud->field[k].name;
    int left = (int)(sizeof list - length);
    int added = snprintf(list + length, (size_t)left, ", %s", cloud->field[k].name);
    length += added < left ? (size_t)added : 0;
  }
  complain("%s: no field \"%s\"%s (there are %s)", path, name,
           suggestion(name, names, (size_t)cloud->fields + 1, buffer, sizeof buffer), list);
  return false;
}

// The columns that were asked for, or all. `names` is scratch for the words.
static bool choose_columns(const char *path, const sample_options *o, const mote_cloud *cloud,
                           const sample_set *set, char *names, sample_column *column, size_t *columns) {
  *columns = 0;
  if (o->fields == NULL) {
    bool ok = add_column(path, cloud, set, "density", column, columns);
    for (int k = 0; k < cloud->fields && *columns < MOTE_CLOUD_FIELDS - 1 && ok; ++k) {
      const char *name = cloud->field[k].name;
      if (strcmp(name, "position") != 0 && strcmp(name, "id") != 0 && strcmp(name, "density") != 0)
        ok = add_column(path, cloud, set, name, column, columns);
    }
    return ok;
  }
  memcpy(names, o->fields, strlen(o->fields) + 1);
  for (char *word = strtok(names, ","); word != NULL; word = strtok(NULL, ",")) {
    if (*columns >= MOTE_CLOUD_FIELDS - 1) return complain("--field: too many names"), false;
    if (!add_column(path, cloud, set, word, column, columns)) return false;
  }
  if (*columns == 0) complain("--field needs a name");
  return *columns > 0;
}

// In 3D a point without z is a mistake rather than one at z = 0.
static bool has_all_coordinates(const char *path, const sample_set *set, const sample_request *request) {
  if (!request->flat || set->dimensions == 2) return true;
  complain("%s: the particles are in 3D (z from %.6g to %.6g): give points as x,y,z, or --dimensions 2", path,
           set->low[2], set->high[2]);
  return false;
}

static int sample_set_file(const char *path, const char *output, const sample_options *o,
                           const mote_cloud *cloud, const sample_set *set) {
  sample_request request = {.count = 0};
  sample_column column[MOTE_CLOUD_FIELDS] = {{0}};
  size_t columns = 0;
  char *names = input_take(o->fields != NULL ? strlen(o->fields) + 1 : 1, 1);
  int status = EXIT_USAGE;
  if (choose_columns(path, o, cloud, set, names, column, &columns) &&
      make_request(o, output, set, &request) && has_all_coordinates(path, set, &request))
    status = sample_evaluate(set, cloud, o->kind, o->order, request.point, request.count, column, columns,
                             &o->env);
  sample_result result = {.request = &request,
                          .column = column,
                          .columns = columns,
                          .stamp = cloud->stamp,
                          .dimensions = set->dimensions,
                          .slice_axis = o->slice_axis,
                          .slice = o->slice_value,
                          .title = NULL};
  if (status == EXIT_DONE) status = sample_write(&result, output, &o->env);
  for (size_t k = 0; k < columns; ++k) free(column[k].value);
  request_free(&request);
  free(names);
  return status;
}

static int sample_file(const char *path, const char *output, const sample_options *o) {
  input_particles input;
  sample_set set = {.count = 0};
  int status = input_open(path, &o->env, &input);
  if (status != EXIT_DONE) return status;
  status = sample_set_make(path, &input.cloud, o->dimensions, o->radius, o->kind, &o->env, &set);
  if (status == EXIT_DONE) status = sample_set_file(path, output, o, &input.cloud, &set);
  sample_set_free(&set);
  input_close(&input, &o->env);
  return status;
}

// Whether the result may be written there.
static int check_output(const char *output, const char *input, const sample_options *o) {
  if (!sample_can_write(output, request_kind_of(o))) return EXIT_USAGE;
  if (output_is_read(output, input) || output_is_read(output, o->points)) return EXIT_USAGE;
  return output_check(output, o->overwrite, NULL);
}

// DIR/name.EXT for an input called anything/name.ext.
static void name_output(const sample_options *o, const char *input, char out[INPUT_PATH]) {
  const char *base = strrchr(input, '/'), *format = o->format;
  base = base != NULL ? base + 1 : input;
  const char *dot = strrchr(base, '.');
  int length = dot != NULL && dot > base ? (int)(dot - base) : (int)strlen(base);
  if (format == NULL) format = request_kind_of(o) == REQUEST_GRID ? "vti" : "csv";
  snprintf(out, INPUT_PATH, "%s/%.*s.%s", o->output, length, base, format);
}

static int sample_many(int argc, char **argv, const sample_options *o) {
  if (o->output == NULL) {
    complain("several inputs need -o DIRECTORY");
    return EXIT_USAGE;
  }
  int status = EXIT_DONE;
  char path[INPUT_PATH];
  for (int k = 1; k < argc && status == EXIT_DONE; ++k) {
    name_output(o, argv[k], path);
    status = check_output(path, argv[k], o);
  }
  for (int k = 1; k < argc && status == EXIT_DONE; ++k) {
    name_output(o, argv[k], path);
    status = sample_file(argv[k], path, o);
  }
  return status;
}

int cmd_sample(int argc, char **argv) {
  sample_options o;
  if (!parse_options(&argc, argv, &o)) return EXIT_USAGE;
  if (argc > 2) return sample_many(argc, argv, &o);
  if (o.format != NULL) {
    complain("--format is for several inputs; name the output with -o");
    return EXIT_USAGE;
  }
  int status = o.output != NULL ? check_output(o.output, argv[1], &o) : EXIT_DONE;
  return status == EXIT_DONE ? sample_file(argv[1], o.output, &o) : status;
}
