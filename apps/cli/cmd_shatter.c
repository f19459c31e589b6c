// mote shatter: a mesh broken into pieces, each closed.
#include <math.h>
#include <mote/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/base/run_progress.h"
#include "cli/base/run_stop.h"
#include "cli/bodies/fragment_look.h"
#include "cli/files/output_file.h"

const char help_shatter[] =
    "usage: mote shatter MESH -o PIECES [options]\n"
    "\n"
    "Breaks a closed mesh (obj ply stl vtp vtk glb) into pieces with uneven walls, for simulations and\n"
    "animations elsewhere. Every piece is closed, whatever the shape; together they have its volume.\n"
    "Texture coordinates (obj, glb) and colours of the mesh stay on its surface.\n"
    "\n"
    "  -o PIECES          glb: one named node for each piece, walls with a material of their own;\n"
    "                     obj ply stl vtp: one mesh of all pieces; with %04d: a file for each piece\n"
    "  --pieces N         about so many pieces, 2 to 5000 (default 20); concave shapes make more\n"
    "  --seed N           of the random cells (default 1)\n"
    "  --roughness R      unevenness of the walls, in sizes of a piece (default 0.1; 0: plane walls)\n"
    "  --focus X,Y,Z      smaller pieces about this point, where something hit\n"
    "  --edge L           resolution, in units of the mesh (default: its longest side / 64). Pieces and\n"
    "                     features smaller than two edges are lost; time grows as its third power\n"
    "  --gap L            distance between the walls of neighbouring pieces (default 0: they lie on each "
    "other)\n"
    "  --simplify L       how far a surface may move so that it needs fewer triangles (default: a\n"
    "                     twentieth of the edge; 0: not at all, all triangles are kept)\n"
    "  --by MESH          cut by the triangles of this mesh (open or closed, crossing as they like)\n"
    "                     instead of random cells\n"
    "  --scale K          scale the meshes by K first\n"
    "  --overwrite        replace existing files\n"
    "  --threads N, --json, --quiet\n"
    "\n"
    "examples:\n"
    "  mote shatter vase.obj -o vase.glb --pieces 40 --focus 0,0.2,0.1\n"
    "  mote shatter statue.ply -o 'piece.%04d.obj' --edge 0.01\n"
    "  mote shatter block.stl -o cut.ply --by knives.obj\n";

typedef struct shatter_job {
  const char *output, *by, *focus;
  int pieces, seed, threads;
  double edge, scale, roughness, gap;
  double simplify;
  bool json, quiet, overwrite;
  run_progress progress;
  mote_env env;
  mote_shatter_def how;
  mote_mesh mesh;
  mote_shape *shape;
  mote_fragments *fragments;
  fragment_look look;  // of the mesh; empty for a file for each piece
} shatter_job;

static bool parse_options(int *argc, char **argv, shatter_job *j) {
  *j = (shatter_job){.pieces = 20, .seed = 1, .scale = 1, .roughness = 0.1, .simplify = -1};
  j->env = j->look.env = mote_env_default();
  const option table[] = {{.name = "-o", .value = &j->output},
                          {.name = "--pieces", .number = &j->pieces, .low = 2, .high = 5000},
                          {.name = "--seed", .number = &j->seed, .low = 0, .high = 1000000000},
                          {.name = "--roughness", .real = &j->roughness},
                          {.name = "--focus", .value = &j->focus},
                          {.name = "--edge", .real = &j->edge},
                          {.name = "--gap", .real = &j->gap},
                          {.name = "--simplify", .real = &j->simplify},
                          {.name = "--by", .value = &j->by},
                          {.name = "--scale", .real = &j->scale},
                          {.name = "--threads", .number = &j->threads, .low = 1, .high = 1024},
                          {.name = "--overwrite", .flag = &j->overwrite},
                          {.name = "--json", .flag = &j->json},
                          {.name = "--quiet", .flag = &j->quiet},
                          {.name = NULL}};
  if (!options_parse(argc, argv, table)) return false;
  if (j->threads > 0) j->env.threads = j->threads;
  if (*argc != 2 || j->output == NULL)
    return complain("shatter needs one mesh and -o PIECES (mote help shatter)"), false;
  if (!(j->scale > 0)) return complain("--scale takes a number above 0"), false;
  if (!(j->roughness <= 1)) return complain("--roughness takes 0 to 1"), false;
  j->how = mote_shatter_def_default();
  j->how.pieces = (size_t)j->pieces, j->how.seed = (uint64_t)j->seed, j->how.roughness = j->roughness;
  double *x = j->how.focus;
  int used = 0;
  if (j->focus == NULL) return true;
  bool three = sscanf(j->focus, "%lf,%lf,%lf%n", x, x + 1, x + 2, &used) == 3 && j->focus[used] == '\0';
  if (!three || !isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))
    return complain("--focus takes three numbers as 0.1,0.2,0.3, not \"%s\"", j->focus), false;
  return true;
}

static mote_result read_scaled(const shatter_job *j, const char *path, mote_mesh *out, mote_error *error) {
  mote_result result = mote_mesh_read(path, &j->env, out, error);
  for (size_t k = 0; result == MOTE_OK && k < 3 * out->vertices; ++k) out->vertex[k] *= j->scale;
  return result;
}

static mote_result make_shape(shatter_job *j, const char *path, mote_error *error) {
  mote_shape_def def = mote_shape_def_default();
  mote_result result = read_scaled(j, path, &j->mesh, error);
  if (result != MOTE_OK) return result;
  def.kind = MOTE_SHAPE_MESH, def.mesh = j->mesh;
  result = mote_shape_create(&def, 3, &j->env, &j->shape, error);
  if (result != MOTE_OK && error->file[0] == '\0') snprintf(error->file, sizeof error->file, "%.255s", path);
  if (result != MOTE_OK || j->quiet) return result;
  char text[256];
  mote_mesh_mending_text(mote_shape_mesh_mending(j->shape), text, sizeof text);
  if (text[0] != '\0') fprintf(stderr, "mote: %s: %s\n", path, text);
  return result;
}

// Cuts by the triangles of a mesh.
static mote_result cut_by_mesh(shatter_job *j, mote_error *error) {
  mote_mesh knife;
  mote_result result = read_scaled(j, j->by, &knife, error);
  if (result != MOTE_OK) return result;
  double *corner = malloc((9 * knife.triangles + 1) * sizeof *corner);
  for (size_t k = 0; corner != NULL && k < 9 * knife.triangles; ++k)
    corner[k] = knife.vertex[3 * (size_t)knife.triangle[k / 3] + k % 3];
  if (corner != NULL) {
    result = mote_fragments_cut(j->fragments, corner, knife.triangles, error);
  } else {
    *error = (mote_error){.code = MOTE_ERROR_MEMORY, .text = "out of memory"};
    result = MOTE_ERROR_MEMORY;
  }
  free(corner);
  mote_mesh_free(&knife, &j->env);
  return result;
}

static bool show_walls(void *user, double part) {
  run_progress_show(user, 0.5 * part, "making walls");
  return !run_stop_asked();
}

static mote_result cut(shatter_job *j, mote_error *error) {
  mote_soup soup;
  if (j->by != NULL) return cut_by_mesh(j, error);
  j->how.progress = show_walls, j->how.progress_user = &j->progress;
  mote_result result = mote_shatter(j->shape, &j->how, &j->env, &soup, error);
  if (result != MOTE_OK) return result;
  run_progress_show(&j->progress, 0.5, j->gap > 0 ? "cutting, opening the gap" : "cutting");
  result = mote_fragments_cut(j->fragments, soup.corner, soup.count, error);
  mote_soup_free(&soup, &j->env);
  if (result == MOTE_OK && run_stop_asked()) {
    *error = (mote_error){.code = MOTE_ERROR_ARGUMENT, .text = "stopped"};
    result = error->code;
  }
  return result;
}

static mote_result write_each(shatter_job *j, size_t count, mote_error *error) {
  mote_result result = MOTE_OK;
  for (uint32_t f = 0; f < count && result == MOTE_OK; ++f) {
    mote_mesh one;
    char *path = sequence_name(j->output, (long)f);
    run_progress_show(&j->progress, 0.9 + 0.1 * f / (double)count, path);
    result = mote_fragments_take(j->fragments, f, &j->env, &one, error);
    if (result == MOTE_OK) {
      result = mote_mesh_write(&one, path, error);
      mote_mesh_free(&one, &j->env);
    }
    free(path);
  }
  return result;
}

static double edge_of(const shatter_job *j) {
  double low[3], high[3], longest = 0;
  mote_shape_bounds(j->shape, low, high);
  for (int k = 0; k < 3; ++k) longest = fmax(longest, high[k] - low[k]);
  return j->edge > 0 ? j->edge : longest / 64;
}

// Fewer triangles, with what the mesh shows on its surface.
static mote_result simplify(shatter_job *j, mote_error *error) {
  mote_simplify_def def = mote_simplify_def_default();
  if (j->simplify == 0) return MOTE_OK;
  if (j->simplify > 0) def.deviation = j->simplify;
  run_progress_show(&j->progress, 0.7, "simplifying");
  mote_result result = mote_fragments_sharpen(j->fragments, error);
  if (result != MOTE_OK) return result;
  mote_fragments_view view = mote_fragments_look(j->fragments);
  result = fragment_look_apply(&j->look, view.mesh.vertex, &view, error);
  if (result != MOTE_OK) return result;
  double slip = def.deviation > 0 ? 2 * def.deviation : 0.1 * edge_of(j);
  float *value = fragment_look_values(&j->look, &view, slip, &def.values);
  def.value = value;
  result = mote_fragments_simplify(j->fragments, &def, error);
  free(value);
  return result;
}

// With what the mesh shows on its surface.
static mote_result write_all(shatter_job *j, mote_fragments_view view, mote_error *error) {
  mote_result result = fragment_look_apply(&j->look, view.mesh.vertex, &view, error);
  return result == MOTE_OK ? mote_fragments_write(&view, NULL, j->output, error) : result;
}

static void report(const shatter_job *j, const mote_fragments_view *view) {
  size_t walls = 0;
  for (size_t t = 0; t < view->mesh.triangles; ++t) walls += view->wall[t];
  double volume = mote_mesh_volume(&view->mesh);
  if (j->json) {
    printf("{\"pieces\":%zu,\"vertices\":%zu,\"triangles\":%zu,\"wall_triangles\":%zu,\"volume\":%.9g}\n",
           view->fragments, view->mesh.vertices, view->mesh.triangles, walls, volume);
  } else if (!j->quiet) {
    printf("%zu piece%s: %zu vertices, %zu triangles, %zu of them walls; volume %.6g\n", view->fragments,
           view->fragments == 1 ? "" : "s", view->mesh.vertices, view->mesh.triangles, walls, volume);
  }
}

// Walls are moved as far as no triangles cross.
static void warn_of_gap(const shatter_job *j) {
  double edge = edge_of(j);
  if (j->gap > edge)
    complain("warning: a gap of %g is above the edge, %g: walls stand back less where triangles would cross",
             j->gap, edge);
}

// Numbered pieces of an earlier run with other settings would look like some of this one.
static void warn_of_others(const shatter_job *j, size_t count) {
  size_t found, others = 0;
  long *number = sequence_find(j->output, &found);
  for (size_t k = 0; k < found; ++k) others += number[k] >= (long)count;
  free(number);
  if (others > 0)
    complain("warning: %s: %zu more file%s of such a name %s not of this mesh", j->output, others,
             others == 1 ? "" : "s", others == 1 ? "is" : "are");
}

// Features thinner than an edge or two fall through the grid.
static void warn_of_loss(const shatter_job *j) {
  mote_mesh whole = mote_fragments_look(j->fragments).mesh;
  double volume, share = 1;
  if (mote_shape_volume(j->shape, &volume, NULL) == MOTE_OK) share = mote_mesh_volume(&whole) / volume;
  if (share < 0.95)
    complain("warning: the pieces have %.0f %% of the mesh's volume; a smaller --edge keeps more",
             100 * share);
}

static mote_result shatter(shatter_job *j, const char *path, mote_error *error) {
  mote_fragments_def def = mote_fragments_def_default();
  mote_result result = make_shape(j, path, error);
  if (result == MOTE_OK && !sequence_is_pattern(j->output))
    result = fragment_look_open(&j->look, path, j->scale, NULL, &j->env, error);
  if (result != MOTE_OK) return result;
  warn_of_gap(j);
  def.shape = j->shape, def.edge = j->edge, def.gap = j->gap;
  result = mote_fragments_create(&def, &j->env, &j->fragments, error);
  if (result != MOTE_OK) return result;
  warn_of_loss(j);
  result = cut(j, error);
  if (result != MOTE_OK) return result;
  result = simplify(j, error);
  if (result != MOTE_OK) return result;
  mote_fragments_view view = mote_fragments_look(j->fragments);
  run_progress_show(&j->progress, 0.9, "writing");
  result = sequence_is_pattern(j->output) ? write_each(j, view.fragments, error) : write_all(j, view, error);
  clear_bar();
  if (result == MOTE_OK && sequence_is_pattern(j->output)) warn_of_others(j, view.fragments);
  if (result == MOTE_OK) report(j, &view);
  return result;
}

// Of numbered files any that is there: how many pieces there will be is not known yet.
static int check_files(const shatter_job *j, const char *mesh) {
  if (refuse_pipe(mesh) || (j->by != NULL && refuse_pipe(j->by))) return EXIT_USAGE;
  if (!sequence_is_pattern(j->output)) {
    if (output_is_read(j->output, mesh) || output_is_read(j->output, j->by)) return EXIT_USAGE;
    return output_check(j->output, j->overwrite, NULL);
  }
  size_t found;
  long *number = sequence_find(j->output, &found);
  char *path = sequence_name(j->output, found > 0 ? number[0] : 0);
  int status = output_check(path, j->overwrite, NULL);
  for (size_t k = 0; k < found && status == EXIT_DONE; ++k) {
    free(path);
    path = sequence_name(j->output, number[k]);
    if (output_is_read(path, mesh) || output_is_read(path, j->by)) status = EXIT_USAGE;
  }
  free(path), free(number);
  return status;
}

int cmd_shatter(int argc, char **argv) {
  shatter_job job;
  mote_error error = {0};
  if (!parse_options(&argc, argv, &job)) return EXIT_USAGE;
  int status = check_files(&job, argv[1]);
  if (status != EXIT_DONE) return status;
  run_progress_begin(&job.progress, job.quiet || job.json, 0, 1, 1);
  run_stop_listen();
  mote_result result = shatter(&job, argv[1], &error);
  clear_bar();
  fragment_look_close(&job.look);
  mote_fragments_destroy(job.fragments);
  mote_shape_destroy(job.shape);
  mote_mesh_free(&job.mesh, &job.env);
  if (result != MOTE_OK && run_stop_asked()) return EXIT_INTERRUPTED;
  return result == MOTE_OK ? EXIT_DONE : complain_error(&error);
}
