// GLB files with an animation of morph targets: for each time the displacements of all vertices from rest,
// and weights that are 1 at that time and 0 at the others, so that readers go linearly from one to the next.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model/model_file.h"

typedef struct motion_writer {
  const mote_model *model;
  const double *time;
  size_t count;
  mote_json_edits edits;
  mote_buffer json, bin;
  mote_buffer accessors, views;  // the text of the new ones
  mote_buffer *targets;          // of each part
  size_t next_accessor, next_view;
} motion_writer;

static void put_format(mote_buffer *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put_format(mote_buffer *out, const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  mote_buffer_text(out, text);
}

static void put_bound(mote_buffer *out, const char *key, const float *bound, int components) {
  put_format(out, ",\"%s\":", key);
  for (int c = 0; c < components; ++c) {
    mote_buffer_text(out, c == 0 ? "[" : ",");
    mote_json_put_number(out, (double)bound[c]);
  }
  mote_buffer_text(out, "]");
}

// An accessor of floats with a view of its own; low null: without bounds. Its number.
static size_t add_accessor(motion_writer *w, const float *value, size_t rows, int components,
                           const float *low, const float *high) {
  size_t bytes = rows * (size_t)components * sizeof *value, begin = w->bin.size;
  mote_buffer_add(&w->bin, value, bytes);
  put_format(&w->views, ",{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}", begin, bytes);
  put_format(&w->accessors, ",{\"bufferView\":%zu,\"componentType\":%d,\"count\":%zu,\"type\":\"%s\"",
             w->next_view++, MOTE_GLB_F32, rows, components == 3 ? "VEC3" : "SCALAR");
  if (low != NULL) put_bound(&w->accessors, "min", low, components);
  if (low != NULL) put_bound(&w->accessors, "max", high, components);
  mote_buffer_text(&w->accessors, "}");
  return w->next_accessor++;
}

// --- Targets ----------------------------------------------------------------------------------------------

static void find_bounds(const float *value, size_t rows, float low[3], float high[3]) {
  for (int c = 0; c < 3; ++c) {
    low[c] = high[c] = value[c];
    for (size_t v = 1; v < rows; ++v) {
      low[c] = fminf(low[c], value[3 * v + (size_t)c]);
      high[c] = fmaxf(high[c], value[3 * v + (size_t)c]);
    }
  }
}

// Displacements of a part in a pose; `move` and `turn` have room for its rows.
static void add_target(motion_writer *w, size_t k, const mote_model_part *part, const mote_model_pose *pose,
                       float *move, float *turn) {
  size_t rows = part->position.count;
  float low[3], high[3];
  for (size_t v = 0; v < rows; ++v) {
    mote_model_part_row(part, pose, v, move + 3 * v, turn + 3 * v);
    for (int c = 0; c < 3; ++c) {
      move[3 * v + (size_t)c] -= (float)mote_glb_value(&part->position, v, c);
      if (part->has_normal) turn[3 * v + (size_t)c] -= (float)mote_glb_value(&part->normal, v, c);
    }
  }
  find_bounds(move, rows, low, high);
  mote_buffer *target = &w->targets[k];
  put_format(target, "%s{\"POSITION\":%zu", target->size == 0 ? "" : ",",
             add_accessor(w, move, rows, 3, low, high));
  if (part->has_normal && pose->normal != NULL)
    put_format(target, ",\"NORMAL\":%zu", add_accessor(w, turn, rows, 3, NULL, NULL));
  mote_buffer_text(target, "}");
}

static mote_result add_pose(motion_writer *w, const mote_model_pose *pose, mote_error *error) {
  for (size_t k = 0; k < mote_model_parts(w->model); ++k) {
    mote_model_part part;
    MOTE_IO_TRY(mote_model_part_open(w->model, k, &part, error));
    size_t size = 3 * part.position.count * sizeof(float);
    float *move = mote_io_new(&w->model->env, size), *turn = mote_io_new(&w->model->env, size);
    if (move != NULL && turn != NULL) add_target(w, k, &part, pose, move, turn);
    bool failed = move == NULL || turn == NULL || w->bin.failed || w->targets[k].failed;
    mote_io_delete(&w->model->env, move, size);
    mote_io_delete(&w->model->env, turn, size);
    if (failed) return mote_io_fail_memory(error);
  }
  return MOTE_OK;
}

static mote_result add_poses(motion_writer *w, mote_model_pose_fn *pose, void *user, mote_error *error) {
  size_t numbers = 3 * w->model->surface.mesh.vertices, bytes = numbers * sizeof(double);
  const mote_env *env = &w->model->env;
  bool normals = w->model->normal != NULL;
  double *position = mote_io_new(env, bytes), *normal = normals ? mote_io_new(env, bytes) : NULL;
  mote_result result = position == NULL || (normals && normal == NULL) ? mote_io_fail_memory(error) : MOTE_OK;
  for (size_t k = 0; k < w->count && result == MOTE_OK; ++k) {
    result = pose(user, k, position, normal, error);
    if (result == MOTE_OK) result = add_pose(w, &(mote_model_pose){position, normal}, error);
  }
  mote_io_delete(env, position, bytes);
  mote_io_delete(env, normal, bytes);
  return result;
}

// --- The JSON text ----------------------------------------------------------------------------------------

static void insert(motion_writer *w, mote_json into, const mote_buffer *text) {
  const char *end = into.text + into.size - 1;  // in front of its bracket
  mote_json_edit_begin(&w->edits, end, end);
  mote_buffer_add(&w->edits.put, text->data, text->size);
  mote_json_edit_end(&w->edits);
}

static const mote_glb_primitive *part_of(const motion_writer *w, size_t k) {
  return (const mote_glb_primitive *)(const void *)w->model->glb.primitive.data + k;
}

// Parts of a mesh that several nodes show at one place are named once.
static bool shown_before(const motion_writer *w, size_t k) {
  for (size_t j = 0; j < k; ++j)
    if (part_of(w, j)->primitive.text == part_of(w, k)->primitive.text) return true;
  return false;
}

static void put_targets(motion_writer *w) {
  mote_buffer *put = &w->edits.put;
  for (size_t k = 0; k < mote_model_parts(w->model); ++k) {
    mote_json primitive = part_of(w, k)->primitive, mesh = part_of(w, k)->mesh;
    if (shown_before(w, k)) continue;
    const char *end = primitive.text + primitive.size - 1, *mesh_end = mesh.text + mesh.size - 1;
    mote_json_edit_begin(&w->edits, end, end);
    mote_buffer_text(put, ",\"targets\":[");
    mote_buffer_add(put, w->targets[k].data, w->targets[k].size);
    mote_buffer_text(put, "]");
    mote_json_edit_end(&w->edits);
    if (k > 0 && part_of(w, k - 1)->mesh.text == mesh.text) continue;
    mote_json_edit_begin(&w->edits, mesh_end, mesh_end);
    for (size_t t = 0; t < w->count; ++t) mote_buffer_text(put, t == 0 ? ",\"weights\":[0" : ",0");
    mote_buffer_text(put, "]");
    mote_json_edit_end(&w->edits);
  }
}

static size_t node_number(const motion_writer *w, mote_json node) {
  size_t k = 0;
  while (mote_glb_item(&w->model->glb.node, k).text != node.text) ++k;
  return k;
}

static void put_animation(motion_writer *w, size_t input, size_t output) {
  mote_json root = w->model->glb.root, list = mote_json_get(root, "animations");
  mote_buffer text = mote_buffer_make(&w->model->env);
  const char *before = "";
  put_format(&text, "%s{\"name\":\"motion\",\"samplers\":[{\"input\":%zu,\"output\":%zu}],\"channels\":[",
             list.size > 0 ? "," : ",\"animations\":[", input, output);
  for (size_t k = 0; k < mote_model_parts(w->model); ++k) {
    if (k > 0 && part_of(w, k - 1)->node.text == part_of(w, k)->node.text) continue;
    put_format(&text, "%s{\"sampler\":0,\"target\":{\"node\":%zu,\"path\":\"weights\"}}", before,
               node_number(w, part_of(w, k)->node));
    before = ",";
  }
  mote_buffer_text(&text, list.size > 0 ? "]}" : "]}]");
  if (text.failed) w->json.failed = true;
  insert(w, list.size > 0 ? list : root, &text);
  mote_buffer_free(&text);
}

static void put_buffer_size(motion_writer *w) {
  mote_json none, buffer = {"", 0};
  size_t at = 0;
  (void)mote_json_next(mote_json_get(w->model->glb.root, "buffers"), &at, &none, &buffer);
  mote_json size = mote_json_get(buffer, "byteLength");
  if (size.size == 0) return;
  mote_json_edit_begin(&w->edits, size.text, size.text + size.size);
  put_format(&w->edits.put, "%zu", w->bin.size);
  mote_json_edit_end(&w->edits);
}

static mote_result add_animation(motion_writer *w, mote_error *error) {
  size_t size = w->count * w->count * sizeof(float);
  size_t times = w->count * sizeof(float);
  float *weight = mote_io_new(&w->model->env, size), *time = mote_io_new(&w->model->env, times);
  mote_result result = weight == NULL || time == NULL ? mote_io_fail_memory(error) : MOTE_OK;
  if (result == MOTE_OK) {
    for (size_t k = 0; k < w->count; ++k) weight[k * w->count + k] = 1, time[k] = (float)w->time[k];
    size_t input = add_accessor(w, time, w->count, 1, time, time + w->count - 1);
    put_animation(w, input, add_accessor(w, weight, w->count * w->count, 1, NULL, NULL));
  }
  mote_io_delete(&w->model->env, weight, size);
  mote_io_delete(&w->model->env, time, times);
  return result;
}

// --- The file ---------------------------------------------------------------------------------------------

// Weights of all targets at all times, and what each target holds.
static mote_result check_size(const mote_model *model, size_t count, const char *path, mote_error *error) {
  double row = (model->normal != NULL ? 6 : 3) * sizeof(float), frames = (double)count;
  double bytes = frames * frames * sizeof(float) + frames * row * (double)model->surface.mesh.vertices;
  if (bytes < UINT32_MAX) return MOTE_OK;
  return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path,
                      "%zu frames of %zu vertices are more than the 4 GB of a GLB file", count,
                      model->surface.mesh.vertices);
}

static mote_result check_parts(const motion_writer *w, const char *path, mote_error *error) {
  for (size_t k = 0; k < mote_model_parts(w->model); ++k) {
    if (part_of(w, k)->node.size == 0)
      return mote_io_fail(error, MOTE_ERROR_FORMAT, w->model->source.path, "a motion needs meshes on nodes");
    if (mote_json_get(part_of(w, k)->primitive, "targets").size > 0)
      return mote_io_fail(error, MOTE_ERROR_FORMAT, w->model->source.path, "it has morph targets already");
  }
  for (size_t k = 0; k < w->count; ++k)
    if (!(isfinite(w->time[k]) && w->time[k] >= 0 && (k == 0 || (float)w->time[k] > (float)w->time[k - 1])))
      return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path,
                          "time %zu is negative or not after the one before", k);
  return MOTE_OK;
}

static mote_result fill(motion_writer *w, mote_model_pose_fn *pose, void *user, const char *path,
                        mote_error *error) {
  const mote_glb *glb = &w->model->glb;
  uint8_t zero[4] = {0};
  MOTE_IO_TRY(check_parts(w, path, error));
  w->next_accessor = glb->accessor.size / sizeof(mote_json);
  w->next_view = glb->view.size / sizeof(mote_json);
  mote_buffer_add(&w->bin, glb->bin.text, glb->bin.size);
  mote_buffer_add(&w->bin, zero, (4 - w->bin.size % 4) % 4);
  MOTE_IO_TRY(add_poses(w, pose, user, error));
  MOTE_IO_TRY(add_animation(w, error));
  put_targets(w);
  insert(w, mote_json_get(glb->root, "accessors"), &w->accessors);
  insert(w, mote_json_get(glb->root, "bufferViews"), &w->views);
  put_buffer_size(w);
  if (w->accessors.failed || w->views.failed) return mote_io_fail_memory(error);
  mote_json_edits_apply(&w->edits, glb->root, &w->json);
  mote_file_out *out;
  MOTE_IO_TRY(mote_file_out_begin(path, false, &w->model->env, &out, error));
  mote_result result = mote_model_put_chunks(&w->json, &w->bin, out, error);
  if (result == MOTE_OK) return mote_file_out_commit(out, error);
  mote_file_out_abandon(out);
  return result;
}

static mote_result write_glb(const mote_model *model, const double *time, size_t count,
                             mote_model_pose_fn *pose, void *user, const char *path, mote_error *error) {
  const mote_env *env = &model->env;
  size_t parts = mote_model_parts(model);
  motion_writer w = {.model = model,
                     .time = time,
                     .count = count,
                     .edits = mote_json_edits_make(env),
                     .json = mote_buffer_make(env),
                     .bin = mote_buffer_make(env),
                     .accessors = mote_buffer_make(env),
                     .views = mote_buffer_make(env),
                     .targets = mote_io_new(env, parts * sizeof *w.targets)};
  mote_result result = w.targets == NULL ? mote_io_fail_memory(error) : MOTE_OK;
  for (size_t k = 0; result == MOTE_OK && k < parts; ++k) w.targets[k] = mote_buffer_make(env);
  if (result == MOTE_OK) result = fill(&w, pose, user, path, error);
  for (size_t k = 0; w.targets != NULL && k < parts; ++k) mote_buffer_free(&w.targets[k]);
  mote_io_delete(env, w.targets, parts * sizeof *w.targets);
  mote_json_edits_free(&w.edits);
  mote_buffer *buffers[] = {&w.json, &w.bin, &w.accessors, &w.views};
  for (int k = 0; k < 4; ++k) mote_buffer_free(buffers[k]);
  return result;
}

// Poses of the rows of a model for those of the GLB that it was made into.
typedef struct split_pose {
  const mote_model_split *split;
  mote_model_pose_fn *pose;
  void *user;
  double *position, *normal;  // of the model
} split_pose;

static mote_result pose_split(void *user, size_t k, double *position, double *normal, mote_error *error) {
  split_pose *s = user;
  MOTE_IO_TRY(s->pose(s->user, k, s->position, s->normal, error));
  mote_model_split_take(s->split, s->position, position);
  if (normal != NULL) mote_model_split_take(s->split, s->normal, normal);
  return MOTE_OK;
}

// `glb` has the rows of the split.
static mote_result write_split(const mote_model *model, const mote_model_split *split, const mote_model *glb,
                               const double *time, size_t count, mote_model_pose_fn *pose, void *user,
                               const char *path, mote_error *error) {
  size_t bytes = 3 * model->surface.mesh.vertices * sizeof(double);
  split_pose s = {.split = split, .pose = pose, .user = user, .position = mote_io_new(&model->env, bytes)};
  if (model->normal != NULL) s.normal = mote_io_new(&model->env, bytes);
  bool failed = s.position == NULL || (model->normal != NULL && s.normal == NULL);
  mote_result result =
      failed ? mote_io_fail_memory(error) : write_glb(glb, time, count, pose_split, &s, path, error);
  mote_io_delete(&model->env, s.position, bytes);
  mote_io_delete(&model->env, s.normal, bytes);
  return result;
}

mote_result mote_model_write_motion(const mote_model *model, const double *time, size_t count,
                                    mote_model_pose_fn *pose, void *user, const char *path,
                                    mote_error *error) {
  if (model == NULL || time == NULL || count == 0 || pose == NULL || path == NULL)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "model, time, pose or path is null, or no times");
  if (!mote_io_ends(path, ".glb") && !mote_io_ends(path, ".glb.gz"))
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path, "motions are written as glb");
  MOTE_IO_TRY(check_size(model, count, path, error));
  if (model->kind == MOTE_MODEL_GLB) return write_glb(model, time, count, pose, user, path, error);
  mote_model *converted = NULL;
  mote_model_split split;
  MOTE_IO_TRY(mote_model_write(model, model->surface.mesh.vertex, model->normal, path, error));
  mote_result result = mote_model_read(path, &model->env, &converted, error);
  if (result == MOTE_OK) result = mote_model_split_make(model, &split, error);
  if (result == MOTE_OK) {
    result = split.row != NULL ? write_split(model, &split, converted, time, count, pose, user, path, error)
                               : write_glb(converted, time, count, pose, user, path, error);
    mote_model_split_free(&split, &model->env);
  }
  if (result != MOTE_OK) remove(path);  // a mesh without its motion is not what was asked for
  mote_model_destroy(converted);
  return result;
}
