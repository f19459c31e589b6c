// Fuzzes the readers of meshes; the first byte chooses the format. What is read has triangles of its
// vertices.
#include <math.h>
#include <stdlib.h>

#include "io/mesh_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const names[] = {"a.obj", "a.stl", "a.ply"};
  if (size < 1) return 0;
  mote_env env = mote_env_default();
  mote_source source = {data + 1, size - 1, names[data[0] % 3], &env};
  mote_mesh mesh;
  mote_error error = {0};
  if (mote_mesh_parse(&source, &mesh, &error) != MOTE_OK) {
    if (error.code == MOTE_OK || error.text[0] == 0) abort();
    return 0;
  }
  if (mesh.triangles == 0) abort();
  for (size_t k = 0; k < 3 * mesh.triangles; ++k)
    if (mesh.triangle[k] >= mesh.vertices) abort();
  for (size_t k = 0; k < 3 * mesh.vertices; ++k)
    if (!isfinite(mesh.vertex[k])) abort();
  mote_mesh_free(&mesh, &env);
  return 0;
}
