// mote convert: particles to particles, meshes to meshes, snapshots to particles. What was written is read
// back and held against what was there: nothing is lost in silence.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"
#include "cli/files/input_file.h"
#include "cli/files/output_file.h"
#include "cli/files/sequence.h"

const char help_convert[] =
    "usage: mote convert IN... OUT [--lossy] [--format EXT] [--overwrite]\n"
    "\n"
    "Converts particles (vtp vtu vtk ply bgeo csv xyz usda json, snapshots, run directories) to vtp vtu\n"
    "ply bgeo csv xyz usda, and meshes (obj ply stl vtp glb usda bgeo vtk) to obj ply stl vtp glb usda\n"
    "bgeo. The result is read back and compared with the input: if the format cannot hold a field, or "
    "changes it by more than\n"
    "rounding to single precision, no file is written.\n"
    "\n"
    "  --lossy        write the file anyway, and report what was dropped\n"
    "  --format EXT   convert several files into the directory OUT, with this extension\n"
    "  --overwrite    replace existing files\n"
    "\n"
    "examples:\n"
    "  mote convert run/particles.0100.vtp water.ply\n"
    "  mote convert run/snapshot.mote water.vtp\n"
    "  mote convert surface.0100.vtp water.glb\n"
    "  mote convert 'run/particles.%04d.vtp' 'out/frame.%04d.bgeo' --lossy\n"
    "  mote convert run/particles.*.vtp out --format csv\n";

// What became of the values of one field.
#define SINGLE_ROUNDING 6e-8  // half a unit in the last place of single precision

typedef struct losses {
  char lost[512];     // what is not there, or not the same
  char rounded[512];  // what is there in single precision
} losses;

static void note(char list[512], const char *name, const char *why) {
  size_t length = strlen(list);
  snprintf(list + length, 512 - length, "%s%s%s", length > 0 ? ", " : "", name, why);
}

static bool is_exact(const mote_field_view *view, size_t k) {
  return view->type != MOTE_TYPE_U64 || ((const uint64_t *)view->data)[k] <= 1ULL << 53;
}

static void compare_field(const mote_field_view *a, const mote_field_view *b, losses *out) {
  if (b == NULL || b->components != a->components || b->count != a->count) {
    note(out->lost, a->name, b == NULL ? "" : " (of another shape)");
    return;
  }
  size_t count = a->count * (size_t)a->components;
  double largest = 0, change = 0;
  bool broken = false;
  for (size_t k = 0; k < count; ++k) {
    double x = input_value(a, k), y = input_value(b, k);
    if (isfinite(x)) largest = fmax(largest, fabs(x));
    if (isfinite(x) && isfinite(y))
      change = fmax(change, fabs(x - y));
    else
      broken = broken || !(x == y || (isnan(x) && isnan(y)));
    broken = broken || (!is_exact(a, k) && a->type != b->type);
  }
  if (broken || change > SINGLE_ROUNDING * largest)
    note(out->lost, a->name, " (values changed)");
  else if (change > 0)
    note(out->rounded, a->name, "");
}

static losses compare_clouds(const mote_cloud *a, const mote_cloud *b) {
  APP_ASSERT(a->fields <= MOTE_CLOUD_FIELDS);
  losses found = {.lost = ""};
  for (int k = 0; k < a->fields; ++k)
    compare_field(a->field + k, mote_cloud_find(b, a->field[k].name), &found);
  if (isfinite(a->stamp.time) && a->stamp.time != b->stamp.time) note(found.rounded, "time", " (not kept)");
  return found;
}

static const mote_field_view *find_field(const mote_surface *surface, const char *name) {
  for (int k = 0; k < surface->fields; ++k)
    if (strcmp(surface->field[k].name, name) == 0) return &surface->field[k];
  return NULL;
}

// Triangles as triples of places: formats number the vertices as they like. Normals can be made again.
static losses compare_surfaces(const mote_surface *before, const mote_surface *after) {
  const mote_mesh *a = &before->mesh, *b = &after->mesh;
  losses found = {.lost = ""};
  for (int k = 0; k < before->fields; ++k)
    compare_field(before->field + k, find_field(after, before->field[k].name), &found);
  double largest = 0, change = 0;
  bool same = a->triangles == b->triangles;
  if (!same) note(found.lost, "triangles", "");
  for (size_t k = 0; same && k < 3 * a->triangles; ++k)
    for (size_t c = 0; c < 3; ++c) {
      double x = a->vertex[3 * (size_t)a->triangle[k] + c], y = b->vertex[3 * (size_t)b->triangle[k] + c];
      largest = fmax(largest, fabs(x)), change = fmax(change, fabs(x - y));
    }
  if (change > SINGLE_ROUNDING * largest)
    note(found.lost, "vertices", " (changed)");
  else if (change > 0)
    note(found.rounded, "vertices", "");
  return found;
}

// A name beside the output with the same ending, for the file until it has been compared.
static void name_beside(const char *output, char out[INPUT_PATH]) {
  const char *slash = strrchr(output, '/');
  int folder = slash != NULL ? (int)(slash - output) + 1 : 0;
  snprintf(out, INPUT_PATH, "%.*s.convert-%ld-%s", folder, output, (long)getpid(), output + folder);
}

static int finish(const char *input, const char *output, const char *beside, const losses *found, bool lossy,
                  const char *what) {
  if (found->lost[0] != '\0' && !lossy) {
    remove(beside);
    complain("%s: %s cannot hold all of %s: %s (--lossy writes the rest)", output, "this format", input,
             found->lost);
    return EXIT_USAGE;
  }
  if (rename(beside, output) != 0) {
    complain("%s: cannot be written: %s", output, strerror(errno));
    remove(beside);
    return EXIT_FAILED;
  }
  if (found->lost[0] != '\0') fprintf(stderr, "%s: dropped: %s\n", output, found->lost);
  if (found->rounded[0] != '\0') fprintf(stderr, "%s: in single precision: %s\n", output, found->rounded);
  printf("wrote %s: %s\n", output, what);
  return EXIT_DONE;
}

static int fail_beside(const char *beside, const char *output, mote_error *error) {
  remove(beside);
  if (strcmp(error->file, beside) == 0) snprintf(error->file, sizeof error->file, "%.255s", output);
  return complain_error(error);
}

static int convert_particles(const char *input, const char *output, bool lossy, const mote_env *env) {
  input_particles in;
  mote_cloud back;
  mote_error error = {0};
  char beside[INPUT_PATH], what[64];
  int status = input_open(input, env, &in);
  if (status != EXIT_DONE) return status;
  name_beside(output, beside);
  mote_result result = mote_cloud_write(&in.cloud, beside, &error);
  if (result == MOTE_OK) result = mote_cloud_read(beside, env, &back, &error);
  if (result == MOTE_OK) {
    losses found = compare_clouds(&in.cloud, &back);
    snprintf(what, sizeof what, "%zu particles, %d fields", back.count, back.fields);
    mote_cloud_free(&back, env);
    status = finish(input, output, beside, &found, lossy, what);
  } else {
    status = fail_beside(beside, output, &error);
  }
  input_close(&in, env);
  return status;
}

static int convert_mesh(const char *input, const char *output, bool lossy, const mote_env *env) {
  mote_surface in, back;
  mote_stamp stamp;
  mote_error error = {0};
  char beside[INPUT_PATH], what[64];
  int status;
  if (mote_surface_read(input, env, &in, &stamp, &error) != MOTE_OK) return complain_error(&error);
  name_beside(output, beside);
  // What Mote makes of others' files is Mote's.
  if (stamp.version[0] == '\0') snprintf(stamp.version, sizeof stamp.version, "%s", mote_version());
  mote_result result = mote_surface_write(&in, &stamp, beside, &error);
  if (result == MOTE_OK) result = mote_surface_read(beside, env, &back, NULL, &error);
  if (result == MOTE_OK) {
    losses found = compare_surfaces(&in, &back);
    snprintf(what, sizeof what, "%zu triangles", back.mesh.triangles);
    if (back.fields > 0)
      snprintf(what, sizeof what, "%zu triangles, %d field%s", back.mesh.triangles, back.fields,
               back.fields == 1 ? "" : "s");
    mote_surface_free(&back, env);
    status = finish(input, output, beside, &found, lossy, what);
  } else {
    status = fail_beside(beside, output, &error);
  }
  mote_surface_free(&in, env);
  return status;
}

static int convert_one(const char *input, const char *output, bool lossy, const mote_env *env) {
  input_kind kind = input_kind_of(input);
  bool particles = kind == INPUT_PARTICLES || kind == INPUT_SNAPSHOT || kind == INPUT_RUN;
  if (kind == INPUT_UNKNOWN) return EXIT_USAGE;
  if (!particles && kind != INPUT_MESH) {
    complain("%s: a %s; only particles, meshes and snapshots can be converted", input, input_kind_name(kind));
    return EXIT_USAGE;
  }
  if (particles ? !input_writes_particles(output) : !input_writes_mesh(output)) {
    complain("%s: %s written as %s", output, particles ? "particles are" : "a mesh is",
             particles ? "vtp, vtu, ply, bgeo, csv, xyz or usda" : "obj, ply, stl, vtp, glb, usda or bgeo");
    return EXIT_USAGE;
  }
  return particles ? convert_particles(input, output, lossy, env) : convert_mesh(input, output, lossy, env);
}

int cmd_convert(int argc, char **argv) {
  bool lossy = false, overwrite = false;
  const char *format = NULL;
  const option table[] = {{.name = "--lossy", .flag = &lossy},
                          {.name = "--format", .value = &format},
                          {.name = "--overwrite", .flag = &overwrite},
                          {.name = NULL}};
  if (!options_parse(&argc, argv, table)) return EXIT_USAGE;
  if (argc < 3 || argv[argc - 1][0] == '\0') {
    complain("convert needs an input and an output (mote help convert)");
    return EXIT_USAGE;
  }
  mote_env env = mote_env_default();
  sequence pairs;
  int status = sequence_make(argc - 2, argv + 1, argv[argc - 1], format, &pairs);
  if (status == EXIT_DONE) status = output_check_all(&pairs, NULL, overwrite);
  for (size_t k = 0; status == EXIT_DONE && k < pairs.count; ++k)
    status = convert_one(pairs.input[k], pairs.output[k], lossy, &env);
  sequence_free(&pairs);
  return status;
}
