// A mesh file that is deformed by handles: see deform_shape.h.
#define _XOPEN_SOURCE 700
#include "cli/deform/deform_shape.h"

#include <math.h>
#include <mote/draw.h>
#include <mote/numeric.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"
#include "cli/base/run_progress.h"
#include "cli/base/run_stop.h"
#include "cli/base/scene_open.h"
#include "cli/files/input_file.h"
#include "cli/files/output_file.h"

// --- Options ---

bool deform_options_parse(int *argc, char **argv, const option *more, deform_options *out) {
  *out = (deform_options){.sets = 0};
  word_list sets = {out->set, 0, sizeof out->set / sizeof *out->set};
  option table[16] = {{.name = "-o", .value = &out->output},
                      {.name = "--set", .list = &sets},
                      {.name = "--overwrite", .flag = &out->overwrite},
                      {.name = "--threads", .number = &out->threads, .low = 1, .high = 1024},
                      {.name = "--json", .flag = &out->json},
                      {.name = "--quiet", .flag = &out->quiet},
                      {.name = "--force", .flag = &out->force}};
  for (int k = 7; more->name != NULL && k < 15; ++k, ++more) table[k] = *more;
  APP_ASSERT(more->name == NULL);
  if (!options_parse(argc, argv, table)) return false;
  out->sets = sets.count;
  return true;
}

// --- Messages ---

int deform_shape_complain(const deform_shape *shape, const char *key, const char *format, ...) {
  APP_ASSERT(shape->prefix != NULL && shape->file != NULL);
  mote_error error = {.code = MOTE_ERROR_ARGUMENT};
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error.text, sizeof error.text, format, arguments);
  va_end(arguments);
  snprintf(error.key, sizeof error.key, "%s%s", shape->prefix, key);
  mote_scene_file_locate(shape->file, &error);
  return complain_error(&error);
}

int deform_shape_error(const deform_shape *shape, mote_error *error) {
  char key[sizeof error->key];
  if (error->file[0] != '\0') return complain_error(error);
  if (error->key[0] == '\0' || strncmp(error->key, "mesh", 4) == 0 || strcmp(error->key, "normal") == 0) {
    snprintf(error->file, sizeof error->file, "%s", deform_shape_name(shape));
    return complain_error(error);
  }
  snprintf(key, sizeof key, "%.20s%.100s", shape->prefix, error->key);
  memcpy(error->key, key, sizeof key);
  mote_scene_file_locate(shape->file, error);
  return complain_error(error);
}

int deform_check_output(const char *path, const char *mesh, const char *edits, bool overwrite) {
  if (!input_writes_mesh(path)) {
    complain("%s: meshes are written as obj, ply, stl, vtp, glb, usda or bgeo", path);
    return EXIT_USAGE;
  }
  if (output_is_read(path, mesh) || output_is_read(path, edits)) return EXIT_USAGE;
  return output_check(path, overwrite, NULL);
}

// --- Regions ---

static size_t mark_shape(const deform_shape *s, const mote_handle_def *handle, uint8_t *inside, int *status) {
  const mote_mesh *mesh = mote_model_mesh(s->model);
  mote_shape *shape = NULL;
  mote_error error = {0};
  size_t count = 0;
  if (mote_shape_create(&handle->shape, 3, &s->env, &shape, &error) != MOTE_OK) {
    char key[sizeof error.key];
    snprintf(key, sizeof key, "handles.%.31s.shape.%.40s", handle->name, error.key);
    memcpy(error.key, key, sizeof key);
    *status = deform_shape_error(s, &error);
    return 0;
  }
  // Vertices on the shape's surface count, whatever the rounding.
  double near = 1e-9 * mote_deform_size(s->deform);
  for (size_t v = 0; v < mesh->vertices; ++v) {
    inside[v] = mote_shape_distance(shape, mesh->vertex + 3 * v) <= near;
    count += inside[v];
  }
  mote_shape_destroy(shape);
  return count;
}

static size_t mark_ranges(const deform_shape *s, const mote_handle_def *handle, uint8_t *inside,
                          int *status) {
  size_t count = 0, vertices = mote_model_vertices(s->model);
  for (size_t k = 0; k < handle->vertices; ++k) {
    const mote_vertex_range *range = &handle->range[k];
    if (range->last > vertices) {
      char key[128];
      snprintf(key, sizeof key, "handles.%.31s.vertices[%zu]", handle->name, k);
      *status = deform_shape_complain(s, key, "there is no vertex %llu: the mesh has %zu",
                                      (unsigned long long)range->last, vertices);
      return 0;
    }
    for (uint64_t v = range->first; v <= range->last; ++v) count += inside[v - 1] == 0, inside[v - 1] = 1;
  }
  return count;
}

static int fail_group(const deform_shape *s, const mote_handle_def *handle) {
  const char *names[64];
  char key[128], list[256] = "", near[128];
  size_t groups = mote_model_groups(s->model), count = 0;
  for (; count < groups && count < 64; ++count) {
    size_t used = strlen(list);
    names[count] = mote_model_group(s->model, count);
    snprintf(list + used, sizeof list - used, "%s%s", count > 0 ? ", " : "", names[count]);
  }
  snprintf(key, sizeof key, "handles.%.31s.group", handle->name);
  if (groups == 0) return deform_shape_complain(s, key, "the mesh has no groups");
  return deform_shape_complain(s, key, "the mesh has no group \"%.40s\"%s (there are: %s)", handle->group,
                               suggestion(handle->group, names, count, near, sizeof near), list);
}

static int fail_empty(const deform_shape *s, const mote_handle_def *handle) {
  const mote_mesh *mesh = mote_model_mesh(s->model);
  double low[3], high[3];
  char key[128];
  for (int c = 0; c < 3; ++c) low[c] = high[c] = mesh->vertex[c];
  for (size_t k = 0; k < 3 * mesh->vertices; ++k)
    low[k % 3] = fmin(low[k % 3], mesh->vertex[k]), high[k % 3] = fmax(high[k % 3], mesh->vertex[k]);
  snprintf(key, sizeof key, "handles.%.31s.shape", handle->name);
  return deform_shape_complain(s, key,
                               "no vertex is inside; the mesh extends from %.4g,%.4g,%.4g to %.4g,%.4g,%.4g",
                               low[0], low[1], low[2], high[0], high[1], high[2]);
}

static void take_region(const deform_shape *s, const uint8_t *inside, size_t count, deform_region *out) {
  APP_ASSERT(count > 0);
  const mote_mesh *mesh = mote_model_mesh(s->model);
  double low[3], high[3];
  *out = (deform_region){.row = input_take(count, sizeof *out->row)};
  for (size_t v = 0; v < mesh->vertices; ++v) {
    const double *x = mesh->vertex + 3 * v;
    if (inside[v] == 0) continue;
    for (int c = 0; c < 3; ++c) {
      low[c] = out->count == 0 ? x[c] : fmin(low[c], x[c]);
      high[c] = out->count == 0 ? x[c] : fmax(high[c], x[c]);
      out->middle[c] = 0.5 * (low[c] + high[c]);
    }
    out->row[out->count++] = (uint32_t)v;
  }
  APP_ASSERT(out->count == count);
}

static int add_handle(deform_shape *s, size_t k, uint8_t *inside) {
  APP_ASSERT(k < s->edits->handles && s->deform != NULL);
  const mote_handle_def *handle = &s->edits->handle[k];
  mote_deform_handle number;
  mote_error error = {0};
  size_t count = 0;
  int status = EXIT_DONE;
  memset(inside, 0, mote_model_mesh(s->model)->vertices);
  if (handle->shape.kind != MOTE_SHAPE_NONE) count = mark_shape(s, handle, inside, &status);
  if (handle->vertices > 0) count = mark_ranges(s, handle, inside, &status);
  if (handle->group != NULL) count = mote_model_mark_group(s->model, handle->group, inside);
  if (status != EXIT_DONE) return status;
  if (count == 0) return handle->group != NULL ? fail_group(s, handle) : fail_empty(s, handle);
  take_region(s, inside, count, &s->region[k]);
  if (mote_deform_add_region(s->deform, s->region[k].row, count, &number, &error) == MOTE_OK)
    return EXIT_DONE;
  snprintf(error.key, sizeof error.key, "handles.%.31s", handle->name);
  return deform_shape_error(s, &error);
}

static int add_handles(deform_shape *s) {
  size_t rows = mote_model_mesh(s->model)->vertices;
  uint8_t *inside = input_take(rows, 1);
  int status = EXIT_DONE;
  s->region = input_take(s->edits->handles + 1, sizeof *s->region);
  for (size_t k = 0; k < s->edits->handles && status == EXIT_DONE; ++k) status = add_handle(s, k, inside);
  free(inside);
  return status;
}

// --- The shape ---

static const example *find_builtin(const char *word) {
  struct stat about;
  if (stat(word, &about) == 0) return NULL;
  const example *found = deform_examples;
  while (found->name != NULL && strcmp(found->name, word) != 0) ++found;
  return found->name != NULL ? found : NULL;
}

int deform_shape_read(deform_shape *s, const char *word, bool keys, const char *const *set, size_t sets) {
  mote_error error = {0};
  const example *builtin = find_builtin(word);
  const char *text = builtin != NULL ? (const char *)builtin->text : NULL;
  mote_result result;
  if (s->path != NULL && refuse_pipe(s->path)) return EXIT_USAGE;
  if (text == NULL && refuse_pipe(word)) return EXIT_USAGE;
  if (text != NULL && keys)
    result = mote_animation_parse(text, builtin->size, word, set, sets, &s->env, &s->file, &error);
  else if (text != NULL)
    result = mote_edits_parse(text, builtin->size, word, set, sets, &s->env, &s->file, &error);
  else if (keys)
    result = mote_animation_read(word, set, sets, &s->env, &s->file, &error);
  else
    result = mote_edits_read(word, set, sets, &s->env, &s->file, &error);
  if (result != MOTE_OK) return complain_error(&error);
  s->edits = mote_scene_file_edits(s->file);
  s->prefix = keys ? "deform." : "";
  return EXIT_DONE;
}

const char *deform_shape_name(const deform_shape *s) {
  return s->path != NULL ? s->path : "shape";
}

// The shape of the edits as a mesh, a little within a grid around it.
static int mesh_shape(deform_shape *s) {
  APP_ASSERT(s->path == NULL && s->edits->cells > 0);
  mote_shape *shape = NULL;
  mote_mesh mesh = {0};
  mote_error error = {0};
  double low[3], high[3];
  const mote_shape_def *def = &s->edits->shape;
  if (def->kind == MOTE_SHAPE_NONE)
    return deform_shape_complain(s, "shape", "there is neither a mesh nor a shape to deform");
  mote_result result = mote_shape_create(def, 3, &s->env, &shape, &error);
  if (result == MOTE_OK) {
    double most = 0;
    mote_shape_bounds(shape, low, high);
    for (int c = 0; c < 3; ++c) most = fmax(most, high[c] - low[c]);
    double margin = 1.2 * most / s->edits->cells;
    for (int c = 0; c < 3; ++c) low[c] -= margin, high[c] += margin;
    result = mote_shape_triangles(shape, 3, low, high, s->edits->cells, &s->env, &mesh, &error);
  }
  if (result == MOTE_OK) result = mote_model_make(&mesh, &s->env, &s->model, &error);
  mote_mesh_free(&mesh, &s->env);
  mote_shape_destroy(shape);
  if (result == MOTE_OK) return EXIT_DONE;
  snprintf(error.key, sizeof error.key, "shape");
  return deform_shape_error(s, &error);
}

int deform_shape_open(deform_shape *s) {
  APP_ASSERT(s->edits != NULL && s->deform == NULL);
  mote_error error = {0};
  mote_deform_def def = s->edits->def;
  double begun = wall_seconds();
  if (s->path == NULL) {
    int status = mesh_shape(s);
    if (status != EXIT_DONE) return status;
  } else if (mote_model_read(s->path, &s->env, &s->model, &error) != MOTE_OK) {
    return complain_error(&error);
  }
  def.mesh = *mote_model_mesh(s->model);
  def.normal = mote_model_normals(s->model);
  if (mote_deform_create(&def, &s->env, &s->deform, &error) != MOTE_OK) return deform_shape_error(s, &error);
  s->moved = input_take(3 * def.mesh.vertices, sizeof *s->moved);
  if (def.normal != NULL) s->turned = input_take(3 * def.mesh.vertices, sizeof *s->turned);
  s->volume = mote_deform_volume(s->deform, def.mesh.vertex);
  int status = add_handles(s);
  s->seconds_begin = wall_seconds() - begun;
  return status;
}

void deform_shape_close(deform_shape *s) {
  for (size_t k = 0; s->region != NULL && k < s->edits->handles; ++k) free(s->region[k].row);
  free(s->region), free(s->moved), free(s->turned);
  mote_deform_destroy(s->deform);
  mote_model_destroy(s->model);
  mote_scene_file_destroy(s->file);
  *s = (deform_shape){0};
}

// --- Poses ---

// A part of the way from rest.
static mote_pose pose_at(const mote_handle_def *handle, const deform_region *region, double part) {
  const mote_turn_def *turn = &handle->rotate;
  const double *a = turn->axis;
  double length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]), angle = part * turn->angle;
  double c = mote_cos(angle), s = mote_sin(angle), n[3];
  mote_pose pose = {.rotation = {0}};
  for (int k = 0; k < 3; ++k) {
    n[k] = length > 0 ? a[k] / length : 0;
    pose.pivot[k] = isnan(turn->about[k]) ? region->middle[k] : turn->about[k];
    pose.move[k] = part * handle->move[k];
  }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) pose.rotation[3 * i + j] = (i == j ? c : 0) + (1 - c) * n[i] * n[j];
  for (int i = 0; i < 3; ++i) {
    pose.rotation[3 * i + (i + 1) % 3] -= s * n[(i + 2) % 3];
    pose.rotation[3 * i + (i + 2) % 3] += s * n[(i + 1) % 3];
  }
  return pose;
}

static const mote_handle_def *find_pose(const mote_handle_def *own, const mote_handle_def *poses,
                                        size_t count) {
  for (size_t k = 0; k < count; ++k)
    if (strcmp(poses[k].name, own->name) == 0) return &poses[k];
  return own;
}

static mote_result set_poses(deform_shape *s, const mote_handle_def *poses, size_t count, double part,
                             mote_error *error) {
  for (size_t k = 0; k < s->edits->handles; ++k) {
    const mote_handle_def *handle = find_pose(&s->edits->handle[k], poses, count);
    mote_pose pose = pose_at(handle, &s->region[k], part);
    mote_result result = mote_deform_set_free(s->deform, (mote_deform_handle)k, !handle->posed, error);
    if (result == MOTE_OK && handle->posed)
      result = mote_deform_set_pose(s->deform, (mote_deform_handle)k, &pose, error);
    if (result != MOTE_OK) return result;
  }
  return MOTE_OK;
}

static double move_of(const deform_shape *s, size_t k, const mote_handle_def *poses, size_t count) {
  APP_ASSERT(k < s->edits->handles);
  const double *move = find_pose(&s->edits->handle[k], poses, count)->move;
  return sqrt(move[0] * move[0] + move[1] * move[1] + move[2] * move[2]) / mote_deform_size(s->deform);
}

// A mesh in other units than the edits would be walked for hours.
static int check_moves(const deform_shape *s, const mote_handle_def *poses, size_t count) {
  static const double most = 100;  // sizes
  for (size_t k = 0; k < s->edits->handles; ++k) {
    double move = move_of(s, k, poses, count);
    if (move <= most) continue;
    char key[128];
    snprintf(key, sizeof key, "handles.%.31s.move", s->edits->handle[k].name);
    return deform_shape_complain(s, key,
                                 "%.3g times the size of the mesh, %.3g: is one of them in other units?",
                                 move, mote_deform_size(s->deform));
  }
  return EXIT_DONE;
}

// A pose turns by less than half a turn from the one before: larger ones are set in stages, and so are far
// ones, whose walk takes many iterations.
static int count_stages(const deform_shape *s, const mote_handle_def *poses, size_t count) {
  static const double angle_most = 2.5, length_most = 1;  // rad, sizes
  double stages = 1;
  for (size_t k = 0; k < s->edits->handles; ++k) {
    double angle = fabs(find_pose(&s->edits->handle[k], poses, count)->rotate.angle);
    stages = fmax(stages, fmax(ceil(angle / angle_most), ceil(move_of(s, k, poses, count) / length_most)));
  }
  return (int)fmin(stages, 1000);
}

static void add_report(deform_result *sum, const mote_deform_report *more) {
  int iterations = sum->report.iterations + more->iterations;
  int evaluations = sum->report.evaluations + more->evaluations;
  sum->report = *more;
  sum->report.iterations = iterations, sum->report.evaluations = evaluations;
}

typedef struct solve_job {
  deform_shape *shape;
  deform_result *result;
  deform_note_fn *note;
  void *user;
  int stage, stages;
} solve_job;

// One stage, some iterations at a time: it can be stopped after each.
static mote_result solve_stage(solve_job *job, mote_error *error) {
  APP_ASSERT(job->stage >= 0 && job->stage < job->stages);
  enum { AT_ONCE = 4 };
  mote_deform_solve_opts opts = job->shape->edits->solve;
  for (int left = opts.iterations; left > 0;) {
    mote_deform_report report = {0};
    opts.iterations = left < AT_ONCE ? left : AT_ONCE;
    mote_result result = mote_deform_solve(job->shape->deform, &opts, &report, error);
    if (result != MOTE_OK) return result;
    add_report(job->result, &report);
    left -= report.iterations > 0 ? report.iterations : 1;
    job->result->stopped = run_stop_asked();
    bool done = (report.arrived && report.converged) || report.stalled;
    double part = 1 - (double)left / job->shape->edits->solve.iterations;
    if (job->note != NULL) job->note(job->user, (job->stage + (done ? 1 : part)) / job->stages);
    if (done || job->result->stopped) break;
  }
  return MOTE_OK;
}

int deform_shape_solve(deform_shape *s, const mote_handle_def *poses, size_t count, deform_note_fn *note,
                       void *user, deform_result *out) {
  APP_ASSERT(s->deform != NULL && s->region != NULL);
  mote_error error = {0};
  double begun = wall_seconds();
  *out = (deform_result){.stopped = false};
  int status = check_moves(s, poses, count);
  if (status != EXIT_DONE) return status;
  solve_job job = {
      .shape = s, .result = out, .note = note, .user = user, .stages = count_stages(s, poses, count)};
  mote_deform_reset(s->deform);
  mote_result result = MOTE_OK;
  for (; job.stage < job.stages && result == MOTE_OK && !out->stopped; ++job.stage) {
    result = set_poses(s, poses, count, (double)(job.stage + 1) / job.stages, &error);
    if (result == MOTE_OK) result = solve_stage(&job, &error);
  }
  out->seconds = wall_seconds() - begun;
  return result == MOTE_OK ? EXIT_DONE : deform_shape_error(s, &error);
}

int deform_shape_check(const deform_shape *s, const char *where, const deform_result *result, bool force) {
  const mote_deform_report *r = &result->report;
  if (r->converged || result->stopped) return EXIT_DONE;
  const char *not_written = force ? "" : "; nothing is written (--force: as far as it came)";
  if (r->stalled)
    complain(
        "%snot solved: after %d iterations no step lowers the energy, and handle \"%s\" is missed by %.2g of "
        "the size%s",
        where, r->iterations, s->edits->handle[r->worst_handle].name, r->handle_error, not_written);
  else
    complain("%s%s after %d iterations: raise %ssolve.iterations (%d)%s", where,
             r->arrived ? "not converged" : "the handles have not reached their poses", r->iterations,
             s->prefix, s->edits->solve.iterations, not_written);
  if (mote_deform_pushed_through(s->deform, r->worst_handle))
    complain("%shandle \"%s\" is pushed through its body", where, s->edits->handle[r->worst_handle].name);
  return force ? EXIT_DONE : EXIT_UNSOLVED;
}

// The smallest group that holds the triangle.
static const char *group_of(const deform_shape *s, uint32_t triangle, uint8_t *inside) {
  const mote_mesh *mesh = mote_model_mesh(s->model);
  const char *found = NULL;
  size_t least = SIZE_MAX;
  for (size_t k = 0; k < mote_model_groups(s->model); ++k) {
    const char *name = mote_model_group(s->model, k);
    memset(inside, 0, mesh->vertices);
    size_t count = mote_model_mark_group(s->model, name, inside);
    if (count < least && inside[mesh->triangle[3 * (size_t)triangle]]) least = count, found = name;
  }
  return found;
}

void deform_shape_list_ties(const deform_shape *s) {
  enum { MOST = 20 };  // lines
  const mote_deform_tie *tie;
  size_t ties = mote_deform_ties(s->deform, &tie);
  uint8_t *inside = input_take(mote_model_mesh(s->model)->vertices, 1);
  for (size_t k = 0; k < ties && k < MOST; ++k) {
    const char *a = group_of(s, tie[k].triangle[0], inside), *b = group_of(s, tie[k].triangle[1], inside);
    char name[2][128];
    for (int side = 0; side < 2; ++side) {
      const char *group = side == 0 ? a : b;
      const double *x = side == 0 ? tie[k].from : tie[k].to;
      if (group != NULL && (a == NULL || b == NULL || strcmp(a, b) != 0))
        snprintf(name[side], sizeof name[side], "\"%.100s\"", group);
      else
        snprintf(name[side], sizeof name[side], "the part at %.4g,%.4g,%.4g", x[0], x[1], x[2]);
    }
    complain("%s and %s do not touch: tied over a gap of %.3g (ties: false leaves them loose)", name[0],
             name[1], tie[k].gap);
  }
  if (ties > MOST) complain("%zu more pairs of parts that do not touch are tied", ties - MOST);
  free(inside);
}
