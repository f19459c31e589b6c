// Meshes and surfaces as PLY: elements vertex and face; polygons become fans.
#include <math.h>
#include <string.h>

#include "io/mesh_file.h"
#include "io/ply.h"

static mote_result read_face(mote_ply *ply, const mote_ply_property *property, uint64_t row,
                             mote_buffer *corner, mote_mesh_maker *maker, mote_error *error) {
  uint64_t corners;
  MOTE_IO_TRY(mote_ply_take_length(ply, property, &corners, error));
  corner->size = 0;
  for (uint64_t k = 0; k < corners; ++k) {
    double number;
    MOTE_IO_TRY(mote_ply_take(ply, property->type, MOTE_TYPE_F64, &number, error));
    if (!(number >= 0 && number < (double)maker->cloud.count && number <= UINT32_MAX))
      return mote_io_fail(error, MOTE_ERROR_FORMAT, ply->source->path, "face %llu has no such vertex: %.0f",
                          (unsigned long long)row + 1, number);
    uint32_t vertex = (uint32_t)number;
    mote_buffer_add(corner, &vertex, sizeof vertex);
  }
  if (corner->failed) return mote_io_fail_memory(error);
  mote_mesh_add_polygon(maker, (const uint32_t *)(const void *)corner->data, (size_t)corners);
  return MOTE_OK;
}

static mote_result read_faces(mote_ply *ply, const mote_ply_element *element, mote_buffer *corner,
                              mote_mesh_maker *maker, mote_error *error) {
  for (uint64_t row = 0; element->properties > 0 && row < element->count; ++row)
    for (int k = 0; k < element->properties; ++k) {
      const mote_ply_property *property = &ply->property[element->first + k];
      bool faces = property->list && (mote_word_is(property->name, "vertex_indices") ||
                                      mote_word_is(property->name, "vertex_index"));
      MOTE_IO_TRY(faces ? read_face(ply, property, row, corner, maker, error)
                        : mote_ply_skip_property(ply, property, error));
    }
  return MOTE_OK;
}

static mote_result read_mesh(mote_ply *ply, mote_buffer *corner, mote_mesh_maker *maker, mote_error *error) {
  bool vertices = false;
  for (int k = 0; k < ply->elements; ++k) {
    const mote_ply_element *element = &ply->element[k];
    MOTE_IO_TRY(mote_ply_check_count(ply, element, error));
    if (mote_word_is(element->name, "vertex") && !vertices) {
      vertices = true;
      MOTE_IO_TRY(mote_ply_read_vertices(ply, element, &maker->cloud, error));
      if (mote_cloud_find(&maker->cloud, "position") == NULL)
        return mote_io_fail(error, MOTE_ERROR_FORMAT, ply->source->path, "vertices without x, y, z");
    } else if (mote_word_is(element->name, "face")) {
      MOTE_IO_TRY(read_faces(ply, element, corner, maker, error));
    } else {
      MOTE_IO_TRY(mote_ply_skip_element(ply, element, error));
    }
  }
  return maker->triangle.failed ? mote_io_fail_memory(error) : MOTE_OK;
}

mote_result mote_ply_read_mesh(mote_mesh_maker *maker, mote_error *error) {
  const mote_file_content *source = maker->source;
  mote_ply *ply = mote_io_new(source->env, sizeof *ply);
  if (ply == NULL) return mote_io_fail_memory(error);
  mote_buffer corner = mote_buffer_make(source->env);
  mote_result result = mote_ply_open(source, ply, error);
  if (result == MOTE_OK) result = read_mesh(ply, &corner, maker, error);
  mote_buffer_free(&corner);
  mote_io_delete(source->env, ply, sizeof *ply);
  return result;
}

// Colours of 0 to 1 as other programs expect them of red, green and blue: bytes.
static uint8_t *byte_colours(const mote_field_view *colour, size_t numbers, const mote_env *env) {
  uint8_t *byte = mote_io_new(env, numbers);
  for (size_t k = 0; byte != NULL && k < numbers; ++k) {
    size_t components = (size_t)colour->components;
    double value = mote_field_value(colour, k / components, (int)(k % components));
    byte[k] = (uint8_t)(255.0 * (value > 0.0 ? fmin(value, 1.0) : 0.0) + 0.5);
  }
  return byte;
}

mote_result mote_ply_write_surface(const mote_surface *surface, const mote_stamp *stamp, mote_file_out *out,
                                   mote_error *error) {
  const mote_mesh *mesh = &surface->mesh;
  mote_env env = mote_env_default();
  mote_cloud cloud = mote_surface_cloud(surface, stamp);
  const mote_field_view *colour = mote_surface_colour(surface);
  bool real = colour != NULL && colour->count > 0 && colour->type != MOTE_TYPE_U8;
  size_t numbers = real ? colour->count * (size_t)colour->components : 0;
  uint8_t *byte = real ? byte_colours(colour, numbers, &env) : NULL;
  if (real && byte == NULL) return mote_io_fail_memory(error);
  for (int k = 0; k < cloud.fields && real; ++k)
    if (strcmp(cloud.field[k].name, "colour") == 0)
      cloud.field[k].type = MOTE_TYPE_U8, cloud.field[k].data = byte;
  mote_result result = mote_ply_write_vertices(&cloud, mesh, out, error);
  mote_io_delete(&env, byte, numbers);
  if (result != MOTE_OK) return result;
  for (size_t k = 0; k < mesh->triangles; ++k) {
    uint8_t face[13] = {3};
    memcpy(face + 1, mesh->triangle + 3 * k, 12);
    mote_file_out_write(out, face, sizeof face);
  }
  return MOTE_OK;
}
