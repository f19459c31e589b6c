// Meshes as PLY: elements vertex and face; polygons become fans.
#include <mote/text.h>
#include <string.h>

#include "io/mesh_file.h"
#include "io/ply.h"

static mote_result read_vertices(mote_ply *ply, const mote_ply_element *element, mote_mesh_maker *maker,
                                 mote_error *error) {
  static const char *const axis[] = {"x", "y", "z"};
  int place[3] = {-1, -1, -1};
  for (int k = 0; k < element->properties; ++k)
    for (int c = 0; c < 3; ++c)
      if (mote_word_like(ply->property[element->first + k].name, axis[c]) &&
          !ply->property[element->first + k].list)
        place[c] = k;
  if (place[0] < 0 || place[1] < 0 || place[2] < 0)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, ply->source->path, "vertices without x, y, z");
  for (uint64_t row = 0; row < element->count; ++row) {
    double x[3];
    for (int k = 0; k < element->properties; ++k) {
      const mote_ply_property *property = &ply->property[element->first + k];
      int c = k == place[0] ? 0 : k == place[1] ? 1 : k == place[2] ? 2 : -1;
      MOTE_IO_TRY(c < 0 ? mote_ply_skip_property(ply, property, error)
                        : mote_ply_take(ply, property->type, MOTE_TYPE_F64, &x[c], error));
    }
    mote_mesh_add_vertex(maker, x);
  }
  return maker->vertex.failed ? mote_io_fail_memory(error) : MOTE_OK;
}

static mote_result read_face(mote_ply *ply, const mote_ply_property *property, uint64_t row,
                             mote_buffer *corner, mote_mesh_maker *maker, mote_error *error) {
  uint64_t corners;
  MOTE_IO_TRY(mote_ply_take_length(ply, property, &corners, error));
  corner->size = 0;
  for (uint64_t k = 0; k < corners; ++k) {
    double number;
    MOTE_IO_TRY(mote_ply_take(ply, property->type, MOTE_TYPE_F64, &number, error));
    if (!(number >= 0 && number < (double)mote_mesh_vertices(maker) && number <= UINT32_MAX))
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
      MOTE_IO_TRY(read_vertices(ply, element, maker, error));
    } else if (mote_word_is(element->name, "face")) {
      MOTE_IO_TRY(read_faces(ply, element, corner, maker, error));
    } else {
      MOTE_IO_TRY(mote_ply_skip_element(ply, element, error));
    }
  }
  return maker->triangle.failed ? mote_io_fail_memory(error) : MOTE_OK;
}

mote_result mote_ply_read_mesh(mote_mesh_maker *maker, mote_error *error) {
  const mote_source *source = maker->source;
  mote_ply *ply = mote_io_new(source->env, sizeof *ply);
  if (ply == NULL) return mote_io_fail_memory(error);
  mote_buffer corner = mote_buffer_make(source->env);
  mote_result result = mote_ply_open(source, ply, error);
  if (result == MOTE_OK) result = read_mesh(ply, &corner, maker, error);
  mote_buffer_free(&corner);
  mote_io_delete(source->env, ply, sizeof *ply);
  return result;
}

static void print_count(mote_buffer *head, const char *before, size_t count) {
  char number[MOTE_TEXT_NUMBER];
  mote_text_print_integer(number, (long long)count);
  mote_buffer_text(head, before);
  mote_buffer_text(head, number);
  mote_buffer_text(head, "\n");
}

mote_result mote_ply_write_mesh(const mote_mesh *mesh, mote_file_out *out, mote_error *error) {
  mote_env env = mote_env_default();
  mote_buffer head = mote_buffer_make(&env);
  mote_buffer_text(&head, "ply\nformat binary_little_endian 1.0\ncomment mote ");
  mote_buffer_text(&head, mote_version());
  print_count(&head, "\nelement vertex ", mesh->vertices);
  mote_buffer_text(&head, "property double x\nproperty double y\nproperty double z\n");
  print_count(&head, "element face ", mesh->triangles);
  mote_buffer_text(&head, "property list uchar uint vertex_indices\nend_header\n");
  mote_file_out_write(out, head.data, head.size);
  bool failed = head.failed;
  mote_buffer_free(&head);
  mote_file_out_write(out, mesh->vertex, 3 * sizeof(double) * mesh->vertices);
  for (size_t k = 0; k < mesh->triangles; ++k) {
    uint8_t face[13] = {3};
    memcpy(face + 1, mesh->triangle + 3 * k, 12);
    mote_file_out_write(out, face, sizeof face);
  }
  return failed ? mote_io_fail_memory(error) : MOTE_OK;
}
