// mote skin: a stored run of elastic bodies again, with a finer surface (EG09 7.2, 7.4).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/base/json_line.h"
#include "cli/base/run_progress.h"
#include "cli/bodies/skin_source.h"
#include "cli/files/elastic_positions.h"
#include "cli/files/input_file.h"
#include "cli/mesh/mesh_files.h"

const char help_skin[] =
    "usage: mote skin RUN --mesh FINE -o MESH [options]\n"
    "\n"
    "Deforms a mesh (obj ply stl vtp vtk glb, closed or open) or points (ply vtp vtu csv ...) with an\n"
    "elastic body of a run, finished or not, without running the simulation again. The mesh is given at\n"
    "the initial position of the body, in metres. Its triangles, colours and other values are kept;\n"
    "normals, if any, are rotated with the surface.\n"
    "\n"
    "  --mesh FINE        the mesh or points to deform\n"
    "  -o MESH            vtp ply glb usda bgeo obj stl (points: vtp vtu ply bgeo csv xyz usda);\n"
    "                     with %04d for the frame\n"
    "                     number, or a directory\n"
    "  --format EXT       file extension in that directory\n"
    "  --body NAME        the elastic body, if there are several\n"
    "  --frames A:B:STEP  some of the frames, or one\n"
    "  --by KIND          shapes: the displacement field itself (default); fields: the blended first-order\n"
    "                     fields of the particles, less accurate\n"
    "  --fast-normals     with shapes: normals n + grad u n, exact for rotations only, half the memory\n"
    "  --support L        radius within which particles carry a vertex: spacings, or \"5 cm\"; default:\n"
    "                     that of the material\n"
    "  --scale K          scale the mesh by K first: 0.001 if it is in millimetres\n"
    "  --overwrite        replace existing files\n"
    "  --threads N, --json (one JSON object per frame, one per line), --quiet\n"
    "\n"
    "A file that cannot be read stops the sequence; files already written are kept. See\n"
    "docs/surfaces.md.\n"
    "\n"
    "examples:\n"
    "  mote skin run --mesh fine.obj -o 'run/fine.%04d.obj'\n"
    "  mote skin run --mesh fine.ply -o last.glb --frames 30\n"
    "  mote skin run --mesh scan.ply -o points --format vtp --body animal --by fields\n";

typedef struct skin_job {
  const char *mesh, *body, *by, *frames, *support;
  bool json, quiet, fast_normals;
  double scale;
  mesh_wish wish;
  mote_env env;
  mote_scene_file *file;
  const mote_scene *scene;
  const mote_body_def *def;
  mote_world *world;  // at rest
  size_t number;      // of the body among the elastic ones
  size_t first;       // row of the body's first particle
  skin_source source;
  mote_world_skin *skin;
  sequence files;
  mesh_series series;
  run_progress progress;
} skin_job;

// --- Options ---

static bool parse_options(int *argc, char **argv, skin_job *j) {
  int threads = 0;
  *j = (skin_job){.by = "shapes", .scale = 1, .wish = {.stem = "elastic"}, .env = mote_env_default()};
  const option table[] = {{.name = "--mesh", .value = &j->mesh},
                          {.name = "-o", .value = &j->wish.output},
                          {.name = "--format", .value = &j->wish.format},
                          {.name = "--body", .value = &j->body},
                          {.name = "--frames", .value = &j->frames},
                          {.name = "--by", .value = &j->by},
                          {.name = "--fast-normals", .flag = &j->fast_normals},
                          {.name = "--support", .value = &j->support},
                          {.name = "--scale", .real = &j->scale},
                          {.name = "--overwrite", .flag = &j->wish.overwrite},
                          {.name = "--threads", .number = &threads, .low = 1, .high = 1024},
                          {.name = "--json", .flag = &j->json},
                          {.name = "--quiet", .flag = &j->quiet},
                          {.name = NULL}};
  if (!options_parse(argc, argv, table)) return false;
  if (threads > 0) j->env.threads = threads;
  if (*argc != 2 || j->mesh == NULL || j->wish.output == NULL || j->wish.output[0] == '\0')
    return complain("skin needs one run directory, --mesh FINE and -o MESH (mote help skin)"), false;
  if (strcmp(j->by, "shapes") != 0 && strcmp(j->by, "fields") != 0)
    return complain("--by takes shapes or fields, not \"%s\"", j->by), false;
  if (!(j->scale > 0)) return complain("--scale takes a number above 0"), false;
  return j->frames == NULL || frame_range_read(j->frames, &j->wish.frames);
}

// --- The run ---

static int list_bodies(const skin_job *j, const char *directory) {
  const char *names[64];
  char list[512] = "", near[128];
  size_t count = 0;
  for (size_t b = 0; b < j->scene->bodies && count < 64; ++b) {
    if (elastic_material(j->scene, &j->scene->body[b]) == NULL) continue;
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", count > 0 ? ", " : "", j->scene->body[b].name);
    names[count++] = j->scene->body[b].name;
  }
  if (count == 0) {
    complain("%s: it has no elastic bodies", directory);
  } else if (j->body == NULL) {
    complain("%s: choose the elastic body that carries the mesh with --body: %s", directory, list);
  } else {
    complain("%s: no elastic body \"%s\"%s (there are: %s)", directory, j->body,
             suggestion(j->body, names, count, near, sizeof near), list);
  }
  return EXIT_USAGE;
}

static int find_body(skin_job *j, const char *directory, size_t *number) {
  size_t found = 0, k = 0;
  for (size_t b = 0; b < j->scene->bodies; ++b) {
    const mote_body_def *def = &j->scene->body[b];
    if (elastic_material(j->scene, def) == NULL) continue;
    bool wanted = j->body == NULL || strcmp(def->name, j->body) == 0;
    if (wanted) j->def = def, *number = k, ++found;
    ++k;
  }
  return found == 1 ? EXIT_DONE : list_bodies(j, directory);
}

static int open_scene(skin_job *j, const char *directory) {
  int status = run_scene_open(directory, &j->env, &j->file);
  if (status != EXIT_DONE) return status;
  j->scene = mote_scene_file_scene(j->file);
  if (j->scene->world.dimensions == 3) return EXIT_DONE;
  complain("%s: skins need a 3D scene", directory);
  return EXIT_USAGE;
}

// --- The skin ---

// Which factor would make the mesh about as large as the body; 1: none that people use.
static double guess_scale(double mesh, double body) {
  static const double scale[] = {0.001, 0.01, 0.0254, 0.3048, 100, 1000};
  double best = 1, off = 3;  // as good as it is
  if (mesh > 0.2 * body && mesh < 5 * body) return 1;
  for (size_t k = 0; k < sizeof scale / sizeof *scale; ++k) {
    double ratio = scale[k] * mesh / body, own = ratio > 1 ? ratio : 1 / ratio;
    if (own < off) off = own, best = scale[k];
  }
  return best;
}

// Where mesh and body are, when they are not at the same place.
static void report_positions(const skin_job *j, size_t count) {
  double low[3], high[3], from[3], to[3], longest[2] = {0, 0};
  const double *rest = (const double *)mote_world_elastic_view(j->world, "rest").data + 3 * j->first;
  skin_source_bounds(&j->source, low, high);
  for (int k = 0; k < 3; ++k) {
    from[k] = to[k] = rest[k];
    for (size_t i = 0; i < count; ++i)
      from[k] = fmin(from[k], rest[3 * i + (size_t)k]), to[k] = fmax(to[k], rest[3 * i + (size_t)k]);
    longest[0] = fmax(longest[0], high[k] - low[k]), longest[1] = fmax(longest[1], to[k] - from[k]);
  }
  complain(
      "the mesh extends from %.4g,%.4g,%.4g to %.4g,%.4g,%.4g m, the particles of \"%s\" at rest from "
      "%.4g,%.4g,%.4g to %.4g,%.4g,%.4g m",
      low[0], low[1], low[2], high[0], high[1], high[2], j->def->name, from[0], from[1], from[2], to[0],
      to[1], to[2]);
  double scale = guess_scale(longest[0], longest[1]);
  if (scale != 1)
    complain("is the mesh in other units? --scale %g would make it about as large as the body",
             scale * j->scale);
}

// Vertices outside of the body follow what is known inside.
static void warn_outside(const skin_job *j) {
  mote_shape *shape;
  size_t outside = 0;
  double most = 0, spacing = j->scene->world.spacing;
  if (j->quiet || mote_shape_create(&j->def->shape, 3, &j->env, &shape, NULL) != MOTE_OK) return;
  for (size_t i = 0; i < j->source.count; ++i) {
    double distance = mote_shape_distance(shape, j->source.vertex + 3 * i);
    outside += distance > 0.5 * spacing, most = fmax(most, distance);
  }
  mote_shape_destroy(shape);
  if (outside > 0)
    complain("warning: %zu of %zu vertices are more than half a spacing outside of \"%s\", up to %.3g m",
             outside, j->source.count, j->def->name, most);
}

static int read_support(const skin_job *j, double *out) {
  bool plain = false;
  mote_error error;
  *out = 0;
  if (j->support == NULL) return EXIT_DONE;
  if (mote_length_read(j->support, out, &plain, &error) != MOTE_OK) return complain_error(&error);
  if (plain) *out *= j->scene->world.spacing;
  if (*out > 0) return EXIT_DONE;
  complain("--support takes a length above 0, not \"%s\"", j->support);
  return EXIT_USAGE;
}

static int make_skin(skin_job *j, size_t number) {
  mote_error error;
  size_t count = 0;
  double support;
  int status = read_support(j, &support);
  if (status != EXIT_DONE) return status;
  j->world = elastic_world(j->scene, &j->env), j->number = number;
  if (j->world == NULL) return EXIT_FAILED;
  mote_world_skin_def def = {.body = mote_world_elastic_body(j->world, number, &j->first, &count),
                             .kind = strcmp(j->by, "fields") == 0 ? MOTE_SKIN_TAYLOR : MOTE_SKIN_SHAPES,
                             .vertex = j->source.vertex,
                             .normal = j->source.normal,
                             .count = j->source.count,
                             .support = support,
                             .fast_normals = j->fast_normals};
  if (mote_world_skin_create(j->world, &def, &j->skin, &error) == MOTE_OK) {
    warn_outside(j);
    return EXIT_DONE;
  }
  snprintf(error.file, sizeof error.file, "%.255s", j->mesh);
  status = complain_error(&error);
  if (error.code == MOTE_ERROR_ARGUMENT) report_positions(j, count);
  return status;
}

// --- Frames ---

static void report(const skin_job *j, const char *input, const char *output, double time) {
  clear_bar();
  if (j->json) {
    json_line line;
    json_begin(&line);
    json_text(&line, "input", input), json_text(&line, "output", output);
    json_number(&line, "time", time);
    json_integer(&line, "vertices", j->source.count);
    json_integer(&line, "triangles", j->source.surface.mesh.triangles);
    fputs(json_end(&line), stdout);
  } else {
    printf("wrote %s: %zu %s, t = %.6g s\n", output, j->source.count,
           j->source.points ? "points" : "vertices", time);
  }
  fflush(stdout);
}

static int move_frame(void *user, size_t k) {
  skin_job *j = user;
  const char *input = j->files.input[k], *output = j->files.output[k];
  mote_stamp stamp;
  mote_error error;
  run_progress_show(&j->progress, (double)k / (double)j->files.count, input);
  double *position = elastic_body_positions(input, j->world, j->scene, j->number, &j->env, &stamp);
  if (position == NULL) return EXIT_FAILED;
  mote_result result = mote_world_skin_move(j->skin, position, j->source.moved, j->source.turned, &error);
  free(position);
  if (result != MOTE_OK) return complain_error(&error);
  int status = skin_source_write(&j->source, &stamp, output);
  if (status != EXIT_DONE) return status;
  report(j, input, output, stamp.time);
  return mesh_series_add(&j->series, output, stamp.time);
}

int cmd_skin(int argc, char **argv) {
  skin_job job;
  size_t number = 0;
  if (!parse_options(&argc, argv, &job)) return EXIT_USAGE;
  int status = open_scene(&job, argv[1]);
  if (status == EXIT_DONE) status = find_body(&job, argv[1], &number);
  if (status == EXIT_DONE) status = skin_source_open(&job.source, job.mesh, job.scale, &job.env);
  job.wish.points = job.source.points, job.wish.besides = job.mesh;
  if (status == EXIT_DONE) status = mesh_files_make(1, argv + 1, &job.wish, &job.files);
  if (status == EXIT_DONE) status = make_skin(&job, number);
  if (status == EXIT_DONE) {
    run_progress_begin(&job.progress, job.quiet || job.json, 0, 1, job.files.count);
    status = mesh_series_run(&job.series, &job.files, job.wish.overwrite, move_frame, &job);
  }
  sequence_free(&job.files);
  mote_world_skin_destroy(job.skin);
  mote_world_destroy(job.world);
  skin_source_close(&job.source, &job.env);
  mote_scene_file_destroy(job.file);
  return status;
}
