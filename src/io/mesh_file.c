// Meshes: the format by the file's ending, what all formats check, and memory.
#include "io/mesh_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/file_in.h"

typedef mote_result mesh_reader(mote_mesh_maker *maker, mote_error *error);
typedef mote_result mesh_writer(const mote_mesh *mesh, mote_file_out *out, mote_error *error);

static const struct mesh_format {
  const char *ending;
  mesh_reader *read;
  mesh_writer *write;
} formats[] = {{".obj", mote_obj_read, mote_obj_write},
               {".ply", mote_ply_read_mesh, mote_ply_write_mesh},
               {".stl", mote_stl_read, mote_stl_write}};

static mote_result choose_format(const char *path, const struct mesh_format **out, mote_error *error) {
  for (size_t k = 0; k < sizeof formats / sizeof *formats; ++k) {
    char packed[16];
    snprintf(packed, sizeof packed, "%s.gz", formats[k].ending);
    *out = &formats[k];
    if (mote_io_ends(path, formats[k].ending) || mote_io_ends(path, packed)) return MOTE_OK;
  }
  return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path, "meshes are obj, ply or stl files");
}

void mote_mesh_add_vertex(mote_mesh_maker *maker, const double x[3]) {
  mote_buffer_add(&maker->vertex, x, 3 * sizeof *x);
}

size_t mote_mesh_vertices(const mote_mesh_maker *maker) {
  return maker->vertex.size / (3 * sizeof(double));
}

void mote_mesh_add_polygon(mote_mesh_maker *maker, const uint32_t *corner, size_t corners) {
  for (size_t k = 2; k < corners; ++k) {
    uint32_t triangle[3] = {corner[0], corner[k - 1], corner[k]};
    mote_buffer_add(&maker->triangle, triangle, sizeof triangle);
  }
}

// A mesh is data for shapes: numbers that are none would spread.
static mote_result check_vertices(const mote_mesh_maker *maker, mote_error *error) {
  const double *x = (const double *)(const void *)maker->vertex.data;
  for (size_t k = 0; k < 3 * mote_mesh_vertices(maker); ++k)
    if (!isfinite(x[k]))
      return mote_io_fail(error, MOTE_ERROR_FORMAT, maker->source->path,
                          "vertex %zu has a coordinate that is not a finite number", k / 3 + 1);
  return MOTE_OK;
}

static mote_result finish(mote_mesh_maker *maker, mote_mesh *out, mote_error *error) {
  if (!mote_buffer_trim(&maker->vertex) || !mote_buffer_trim(&maker->triangle))
    return mote_io_fail_memory(error);
  size_t vertices = mote_mesh_vertices(maker), triangles = maker->triangle.size / (3 * sizeof(uint32_t));
  if (triangles == 0)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, maker->source->path, "no triangles in it");
  if (vertices > UINT32_MAX)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, maker->source->path, "more than %u vertices", UINT32_MAX);
  MOTE_IO_TRY(check_vertices(maker, error));
  *out = (mote_mesh){.vertex = (double *)(void *)maker->vertex.data,
                     .triangle = (uint32_t *)(void *)maker->triangle.data,
                     .vertices = vertices,
                     .triangles = triangles};
  return MOTE_OK;
}

mote_result mote_mesh_parse(const mote_source *source, mote_mesh *out, mote_error *error) {
  const struct mesh_format *format;
  MOTE_IO_TRY(choose_format(source->path, &format, error));
  mote_mesh_maker maker = {source, mote_buffer_make(source->env), mote_buffer_make(source->env)};
  mote_result result = format->read(&maker, error);
  if (result == MOTE_OK) result = finish(&maker, out, error);
  if (result == MOTE_OK) return MOTE_OK;
  mote_buffer_free(&maker.vertex);
  mote_buffer_free(&maker.triangle);
  return result;
}

mote_result mote_mesh_read(const char *path, const mote_env *env, mote_mesh *out, mote_error *error) {
  const struct mesh_format *format;
  mote_buffer bytes;
  if (path == NULL || out == NULL)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "path or out is null");
  MOTE_IO_TRY(choose_format(path, &format, error));
  mote_env own = mote_io_env(env);
  MOTE_IO_TRY(mote_file_in_load(path, &own, &bytes, error));
  mote_source source = {bytes.data, bytes.size, path, &own};
  mote_result result = mote_mesh_parse(&source, out, error);
  mote_buffer_free(&bytes);
  return result;
}

static mote_result check_mesh(const mote_mesh *mesh, const char *path, mote_error *error) {
  if ((mesh->vertex == NULL && mesh->vertices > 0) || (mesh->triangle == NULL && mesh->triangles > 0))
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path, "the mesh has no data");
  for (size_t k = 0; k < 3 * mesh->triangles; ++k)
    if (mesh->triangle[k] >= mesh->vertices)
      return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path, "triangle %zu has no vertex %u", k / 3,
                          mesh->triangle[k]);
  return MOTE_OK;
}

mote_result mote_mesh_write(const mote_mesh *mesh, const char *path, mote_error *error) {
  const struct mesh_format *format;
  mote_file_out *out;
  if (mesh == NULL || path == NULL)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "mesh or path is null");
  MOTE_IO_TRY(choose_format(path, &format, error));
  MOTE_IO_TRY(check_mesh(mesh, path, error));
  MOTE_IO_TRY(mote_file_out_begin(path, false, NULL, &out, error));
  mote_result result = format->write(mesh, out, error);
  if (result == MOTE_OK) return mote_file_out_commit(out, error);
  mote_file_out_abandon(out);
  return result;
}
