// Fuzzes mesh files that are written again; the first byte chooses the format. What is read can be written,
// with its own positions and normals.
#include <math.h>
#include <stdlib.h>

#include "model/model_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_model(const mote_model *model) {
  const mote_mesh *mesh = mote_model_mesh(model);
  for (size_t k = 0; k < 3 * mesh->triangles; ++k)
    if (mesh->triangle[k] >= mesh->vertices) abort();
  for (size_t k = 0; model->normal != NULL && k < 3 * mesh->vertices; ++k)
    if (!isfinite(model->normal[k])) abort();
  uint8_t *inside = calloc(mesh->vertices + 1, 1);
  if (inside == NULL) abort();
  for (size_t k = 0; k < mote_model_groups(model) && k < 20; ++k)
    if (mote_model_mark_group(model, mote_model_group(model, k), inside) > mesh->vertices) abort();
  free(inside);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const names[] = {"a.obj", "a.ply", "a.glb"};
  static mote_model_writer *const writers[] = {mote_model_write_obj, mote_model_write_ply,
                                               mote_model_write_glb};
  if (size < 1) return 0;
  mote_env env = mote_env_default();
  mote_file_content source = {data + 1, size - 1, names[data[0] % 3], &env};
  mote_model *model = NULL;
  mote_error error = {0};
  if (mote_model_parse(&source, &model, &error) != MOTE_OK) {
    if (error.code == MOTE_OK || error.text[0] == 0) abort();
    return 0;
  }
  check_model(model);
  mote_model_pose pose = {mote_model_mesh(model)->vertex, mote_model_normals(model)};
  mote_file_out *out = NULL;
  if (mote_file_out_begin("/dev/null", false, &env, &out, &error) != MOTE_OK) abort();
  mote_result result = writers[model->kind](model, &pose, out, &error);
  if (result != MOTE_OK && error.text[0] == 0) abort();
  mote_file_out_abandon(out);
  mote_model_destroy(model);
  return 0;
}
