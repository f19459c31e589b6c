// Fuzzes the readers of meshes and surfaces; the first byte chooses the format. What is read has triangles of
// its vertices, and values for each of them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/mesh_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Every number is touched, so that a sanitizer sees what was not read.
static uint64_t sum_bits(const mote_surface *surface) {
  uint64_t sum = 0;
  size_t normals = surface->normal != NULL ? 12 * surface->mesh.vertices : 0;
  for (size_t b = 0; b < normals; ++b) sum = sum * 31 + ((const uint8_t *)surface->normal)[b];
  for (int k = 0; k < surface->fields; ++k) {
    const mote_field_view *field = &surface->field[k];
    if (field->count != surface->mesh.vertices) abort();
    size_t bytes = field->count * (size_t)field->components * mote_type_size(field->type);
    for (size_t b = 0; b < bytes; ++b) sum = sum * 31 + ((const uint8_t *)field->data)[b];
    sum += strlen(field->name) + strlen(field->unit);
  }
  return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const names[] = {"a.obj", "a.stl", "a.ply",  "a.vtp",
                                      "a.glb", "a.vtk", "a.usda", "a.bgeo"};
  if (size < 1) return 0;
  mote_env env = mote_env_default();
  mote_file_content source = {data + 1, size - 1, names[data[0] % 8], &env};
  mote_surface surface;
  mote_error error = {0};
  if (mote_surface_parse(&source, &surface, NULL, &error) != MOTE_OK) {
    if (error.code == MOTE_OK || error.text[0] == 0) abort();
    return 0;
  }
  const mote_mesh *mesh = &surface.mesh;
  for (size_t k = 0; k < 3 * mesh->triangles; ++k)
    if (mesh->triangle[k] >= mesh->vertices) abort();
  for (size_t k = 0; k < 3 * mesh->vertices; ++k)
    if (!isfinite(mesh->vertex[k])) abort();
  volatile uint64_t sum = sum_bits(&surface);
  (void)sum;
  mote_surface_free(&surface, &env);
  return 0;
}
