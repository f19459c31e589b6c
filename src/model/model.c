// Mesh files that are written again with other positions: see mote/model.h. Formats are in model_*.c.
#include <math.h>
#include <string.h>

#include "io/io_base.h"
#include "model/model_file.h"

// --- Reading ----------------------------------------------------------------------------------------------

static mote_model_kind kind_of(const char *path) {
  static const char *const endings[] = {".obj", ".obj.gz", ".ply", ".ply.gz", ".glb", ".glb.gz"};
  for (int k = 0; k < 6; ++k)
    if (mote_io_ends(path, endings[k])) return (mote_model_kind)(k / 2);
  return MOTE_MODEL_OTHER;
}

void mote_model_add_run(mote_model *model, mote_word name, size_t first, size_t end) {
  mote_model_run run = {.first = first, .end = end};
  mote_word_copy(name, run.name, sizeof run.name);
  if (first == end || run.name[0] == 0) return;
  mote_buffer_add(&model->run, &run, sizeof run);
  for (size_t k = 0; k < mote_model_groups(model); ++k)
    if (strcmp(mote_model_group(model, k), run.name) == 0) return;
  mote_buffer_add(&model->name, run.name, sizeof run.name);
}

static mote_result take_normals(mote_model *model, mote_error *error) {
  const float *normal = model->surface.normal;
  size_t count = 3 * model->surface.mesh.vertices;
  if (normal == NULL || model->normal != NULL) return MOTE_OK;
  model->normal = mote_io_new(&model->env, count * sizeof *model->normal);
  if (model->normal == NULL) return mote_io_fail_memory(error);
  for (size_t k = 0; k < count; ++k) model->normal[k] = isfinite(normal[k]) ? (double)normal[k] : 0.0;
  return MOTE_OK;
}

static void normalise(mote_model *model) {
  for (size_t k = 0; model->normal != NULL && k < model->surface.mesh.vertices; ++k) {
    double *n = model->normal + 3 * k, length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int c = 0; c < 3; ++c) n[c] = length > 0 && isfinite(length) ? n[c] / length : c / 2;
  }
}

// From the bytes that the model has.
static mote_result fill(mote_model *model, const char *path, mote_error *error) {
  mote_buffer_add(&model->path, path, strlen(path) + 1);
  if (model->path.failed || model->bytes.failed) return mote_io_fail_memory(error);
  const uint8_t *bytes = model->bytes.size > 0 ? model->bytes.data : (const uint8_t *)"";
  model->source = (mote_file_content){bytes, model->bytes.size, (const char *)model->path.data, &model->env};
  model->kind = kind_of(path);
  if (model->kind == MOTE_MODEL_GLB) {
    MOTE_IO_TRY(mote_model_read_glb(model, error));
  } else {
    MOTE_IO_TRY(mote_surface_parse(&model->source, &model->surface, NULL, error));
    model->vertices = model->surface.mesh.vertices;
    if (model->kind == MOTE_MODEL_OBJ) MOTE_IO_TRY(mote_model_read_obj(model, error));
  }
  if (model->surface.mesh.triangles == 0)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, path, "no triangles in it");
  MOTE_IO_TRY(take_normals(model, error));
  normalise(model);
  return model->run.failed || model->name.failed ? mote_io_fail_memory(error) : MOTE_OK;
}

// Empty; null when memory is out.
static mote_model *begin(const mote_env *env) {
  mote_env own = mote_io_env(env);
  mote_model *model = mote_io_new(&own, sizeof *model);
  if (model == NULL) return NULL;
  mote_buffer *buffers[] = {&model->path, &model->bytes,     &model->run,
                            &model->name, &model->normal_of, &model->next};
  model->env = own;
  for (int k = 0; k < 6; ++k) *buffers[k] = mote_buffer_make(&own);
  model->kind = MOTE_MODEL_OTHER;
  model->maker = (mote_mesh_maker){
      &model->source, mote_buffer_make(&own), mote_buffer_make(&own), {.stamp.time = (double)NAN}};
  model->source.env = &model->env;
  model->glb = mote_glb_make(&model->maker);
  return model;
}

mote_result mote_model_read(const char *path, const mote_env *env, mote_model **out, mote_error *error) {
  if (path == NULL || out == NULL)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "path or out is null");
  mote_model *model = begin(env);
  if (model == NULL) return mote_io_fail_memory(error);
  mote_result result = mote_file_in_load(path, &model->env, &model->bytes, error);
  if (result == MOTE_OK) result = fill(model, path, error);
  if (result == MOTE_OK)
    *out = model;
  else
    mote_model_destroy(model);
  return result;
}

mote_result mote_model_parse(const mote_file_content *source, mote_model **out, mote_error *error) {
  mote_model *model = begin(source->env);
  if (model == NULL) return mote_io_fail_memory(error);
  mote_buffer_add(&model->bytes, source->data, source->size);
  mote_result result = fill(model, source->path, error);
  if (result == MOTE_OK)
    *out = model;
  else
    mote_model_destroy(model);
  return result;
}

mote_result mote_model_make(const mote_mesh *mesh, const mote_env *env, mote_model **out, mote_error *error) {
  if (mesh == NULL || out == NULL)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "mesh or out is null");
  if (mesh->triangles == 0)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "the mesh has no triangles");
  mote_model *model = begin(env);
  if (model == NULL) return mote_io_fail_memory(error);
  mote_mesh *own = &model->surface.mesh;
  *own = (mote_mesh){.vertices = mesh->vertices, .triangles = mesh->triangles};
  own->vertex = mote_io_new(&model->env, 3 * own->vertices * sizeof *own->vertex);
  own->triangle = mote_io_new(&model->env, 3 * own->triangles * sizeof *own->triangle);
  model->vertices = own->vertices;
  if (own->vertex == NULL || own->triangle == NULL) {
    mote_model_destroy(model);
    return mote_io_fail_memory(error);
  }
  memcpy(own->vertex, mesh->vertex, 3 * own->vertices * sizeof *own->vertex);
  memcpy(own->triangle, mesh->triangle, 3 * own->triangles * sizeof *own->triangle);
  *out = model;
  return MOTE_OK;
}

void mote_model_destroy(mote_model *model) {
  if (model == NULL) return;
  mote_buffer *buffers[] = {&model->path, &model->bytes,     &model->run,
                            &model->name, &model->normal_of, &model->next};
  mote_io_delete(&model->env, model->normal, 3 * model->surface.mesh.vertices * sizeof *model->normal);
  mote_surface_free(&model->surface, &model->env);
  mote_glb_free(&model->glb);
  mote_mesh_maker_free(&model->maker);
  for (int k = 0; k < 6; ++k) mote_buffer_free(buffers[k]);
  mote_env env = model->env;
  mote_io_delete(&env, model, sizeof *model);
}

// --- What there is ----------------------------------------------------------------------------------------

const mote_mesh *mote_model_mesh(const mote_model *model) {
  return &model->surface.mesh;
}

size_t mote_model_vertices(const mote_model *model) {
  return model->vertices;
}

const double *mote_model_normals(const mote_model *model) {
  return model->normal;
}

size_t mote_model_groups(const mote_model *model) {
  return model->name.size / MOTE_MODEL_NAME;
}

const char *mote_model_group(const mote_model *model, size_t k) {
  return (const char *)model->name.data + k * MOTE_MODEL_NAME;
}

size_t mote_model_mark_group(const mote_model *model, const char *name, uint8_t *inside) {
  const mote_model_run *run = (const mote_model_run *)(const void *)model->run.data;
  const mote_mesh *mesh = &model->surface.mesh;
  size_t count = 0;
  for (size_t k = 0; k < model->run.size / sizeof *run; ++k) {
    if (strcmp(run[k].name, name) != 0) continue;
    for (size_t c = 3 * run[k].first; c < 3 * run[k].end; ++c) {
      count += inside[mesh->triangle[c]] == 0;
      inside[mesh->triangle[c]] = 1;
    }
  }
  return count;
}

// --- Writing ----------------------------------------------------------------------------------------------

bool mote_model_keeps(const mote_model *model, const char *path) {
  return model->kind != MOTE_MODEL_OTHER && kind_of(path) == model->kind;
}

// A surface with these normals, as floats.
static mote_result write_with_normals(const mote_model *model, mote_surface surface, const double *normal,
                                      const char *path, mote_error *error) {
  size_t count = 3 * surface.mesh.vertices;
  float *single = normal != NULL ? mote_io_new(&model->env, count * sizeof *single) : NULL;
  if (normal != NULL && single == NULL) return mote_io_fail_memory(error);
  for (size_t k = 0; normal != NULL && k < count; ++k) single[k] = (float)normal[k];
  surface.normal = single;
  mote_result result = mote_surface_write(&surface, NULL, path, error);
  mote_io_delete(&model->env, single, count * sizeof *single);
  return result;
}

static mote_result write_split(const mote_model *model, mote_model_split *split, const mote_model_pose *pose,
                               const char *path, mote_error *error) {
  size_t bytes = 3 * split->surface.mesh.vertices * sizeof(double);
  double *normal = pose->normal != NULL ? mote_io_new(&model->env, bytes) : NULL;
  if (pose->normal != NULL && normal == NULL) return mote_io_fail_memory(error);
  mote_model_split_take(split, pose->position, split->surface.mesh.vertex);
  if (normal != NULL) mote_model_split_take(split, pose->normal, normal);
  mote_result result = write_with_normals(model, split->surface, normal, path, error);
  mote_io_delete(&model->env, normal, bytes);
  return result;
}

// In another format: what surfaces hold, and texture coordinates in GLB.
static mote_result write_surface(const mote_model *model, const mote_model_pose *pose, const char *path,
                                 mote_error *error) {
  mote_surface surface = model->surface;
  mote_model_split split = {0};
  bool copies = model->vertices < surface.mesh.vertices;  // rows of OBJ files that have no fields
  size_t bytes = 3 * surface.mesh.vertices * sizeof(double);
  if (kind_of(path) == MOTE_MODEL_GLB) MOTE_IO_TRY(mote_model_split_make(model, &split, error));
  if (split.row != NULL) {
    mote_result result = write_split(model, &split, pose, path, error);
    mote_model_split_free(&split, &model->env);
    return result;
  }
  double *vertex = mote_io_new(&model->env, bytes);
  if (vertex == NULL) return mote_io_fail_memory(error);
  memcpy(vertex, pose->position, bytes);
  surface.mesh.vertex = vertex;
  if (copies) surface.fields = 0;
  mote_result result = write_with_normals(model, surface, pose->normal, path, error);
  mote_io_delete(&model->env, vertex, bytes);
  return result;
}

static mote_result check_pose(const mote_model *model, const mote_model_pose *pose, const char *path,
                              mote_error *error) {
  size_t rows = model->surface.mesh.vertices;
  for (size_t k = 0; k < 3 * rows; ++k)
    if (!isfinite(pose->position[k]) || (pose->normal != NULL && !isfinite(pose->normal[k])))
      return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path, "vertex %zu is not finite", k / 3);
  return MOTE_OK;
}

mote_result mote_model_write(const mote_model *model, const double *position, const double *normal,
                             const char *path, mote_error *error) {
  static mote_model_writer *const writers[] = {mote_model_write_obj, mote_model_write_ply,
                                               mote_model_write_glb};
  mote_file_out *out;
  if (model == NULL || position == NULL || path == NULL)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "model, position or path is null");
  mote_model_pose pose = {position, model->normal == NULL ? NULL : normal == NULL ? model->normal : normal};
  MOTE_IO_TRY(check_pose(model, &pose, path, error));
  if (!mote_model_keeps(model, path)) return write_surface(model, &pose, path, error);
  MOTE_IO_TRY(mote_file_out_begin(path, false, &model->env, &out, error));
  mote_result result = writers[model->kind](model, &pose, out, error);
  if (result == MOTE_OK) return mote_file_out_commit(out, error);
  mote_file_out_abandon(out);
  return result;
}
