// Particles as PLY, and vertices of surfaces: one property per component.
#include <mote/text.h>
#include <string.h>

#include "io/ply.h"
#include "io/rows.h"

// --- Reading ----------------------------------------------------------------------------------------------

typedef struct ply_row {
  int columns;
  mote_table_column column[MOTE_PLY_PROPERTIES];
} ply_row;

static mote_result read_row(mote_ply *ply, const mote_ply_element *element, const ply_row *row, uint64_t i,
                            mote_error *error) {
  const mote_table_column *column = row->column;
  for (int k = 0; k < element->properties; ++k) {
    const mote_ply_property *property = &ply->property[element->first + k];
    if (property->list) {
      MOTE_IO_TRY(mote_ply_skip_property(ply, property, error));
      continue;
    }
    MOTE_IO_TRY(mote_ply_take(ply, property->type, column->type, column->to + i * column->stride, error));
    ++column;
  }
  return MOTE_OK;
}

static mote_result read_rows(mote_ply *ply, const mote_ply_element *element, ply_row *row, mote_cloud *out,
                             mote_error *error) {
  for (int k = 0; k < element->properties; ++k) {
    const mote_ply_property *property = &ply->property[element->first + k];
    if (property->list) continue;
    mote_table_column *column = &row->column[row->columns++];
    *column = (mote_table_column){.name = property->name, .type = mote_raw_type(property->type)};
  }
  if (row->columns == 0)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, ply->source->path, "vertices without properties");
  out->count = (size_t)element->count;
  MOTE_IO_TRY(mote_columns_make(row->column, (size_t)row->columns, &ply->lines, ply->source, out, error));
  for (uint64_t i = 0; i < element->count; ++i) MOTE_IO_TRY(read_row(ply, element, row, i, error));
  return mote_stamp_apply(&ply->lines, out, ply->source->env, error);
}

mote_result mote_ply_read_vertices(mote_ply *ply, const mote_ply_element *element, mote_cloud *out,
                                   mote_error *error) {
  MOTE_IO_TRY(mote_ply_check_count(ply, element, error));
  ply_row *row = mote_io_new(ply->source->env, sizeof *row);
  if (row == NULL) return mote_io_fail_memory(error);
  mote_result result = read_rows(ply, element, row, out, error);
  mote_io_delete(ply->source->env, row, sizeof *row);
  return result;
}

static mote_result read_cloud(mote_ply *ply, mote_cloud *out, mote_error *error) {
  for (int k = 0; k < ply->elements; ++k) {
    const mote_ply_element *element = &ply->element[k];
    if (mote_word_is(element->name, "vertex")) return mote_ply_read_vertices(ply, element, out, error);
    MOTE_IO_TRY(mote_ply_skip_element(ply, element, error));
  }
  return mote_io_fail(error, MOTE_ERROR_FORMAT, ply->source->path, "no element is called vertex");
}

mote_result mote_ply_read_cloud(const mote_file_content *source, mote_cloud *out, mote_error *error) {
  mote_ply *ply = mote_io_new(source->env, sizeof *ply);
  if (ply == NULL) return mote_io_fail_memory(error);
  mote_result result = mote_ply_open(source, ply, error);
  if (result == MOTE_OK) result = read_cloud(ply, out, error);
  mote_io_delete(source->env, ply, sizeof *ply);
  return result;
}

// --- Writing ----------------------------------------------------------------------------------------------

// PLY has no 64-bit integers: 32 bits if all fit, else floating point, exact to 2^53.
static mote_raw choose_type(const mote_field_view *field) {
  if (field->type != MOTE_TYPE_U64) return mote_raw_of(field->type);
  const uint64_t *value = field->data;
  for (size_t k = 0; k < field->count * (size_t)field->components; ++k)
    if (value[k] > UINT32_MAX) return MOTE_RAW_F64;
  return MOTE_RAW_U32;
}

static void print_property(mote_buffer *head, mote_raw raw, const char *name) {
  static const char *const names[MOTE_RAW_COUNT] = {[MOTE_RAW_F32] = "float",
                                                    [MOTE_RAW_F64] = "double",
                                                    [MOTE_RAW_U8] = "uchar",
                                                    [MOTE_RAW_U32] = "uint",
                                                    [MOTE_RAW_I32] = "int"};
  mote_buffer_text(head, "property ");
  mote_buffer_text(head, names[raw]);
  mote_buffer_text(head, " ");
  for (; *name != 0; ++name) mote_buffer_add(head, (unsigned char)*name <= ' ' ? "_" : name, 1);
  mote_buffer_text(head, "\n");
}

// Positions are first, as many readers require.
static mote_result add_fields(const mote_cloud *cloud, mote_buffer *head, mote_rows *rows,
                              mote_error *error) {
  for (int pass = 0; pass < 2; ++pass)
    for (int k = 0; k < cloud->fields; ++k) {
      const mote_field_view *field = &cloud->field[k];
      if ((strcmp(field->name, "position") == 0) != (pass == 0)) continue;
      mote_raw raw = choose_type(field);
      for (int c = 0; c < field->components; ++c) {
        char name[MOTE_COLUMN_NAME];
        mote_column_name(field, c, name);
        print_property(head, raw, name);
      }
      MOTE_IO_TRY(mote_rows_add(rows, field, raw, error));
    }
  return MOTE_OK;
}

static void print_count(mote_buffer *head, const char *element, size_t count) {
  char number[MOTE_TEXT_NUMBER];
  mote_text_print_integer(number, (long long)count);
  mote_buffer_text(head, element);
  mote_buffer_text(head, number);
  mote_buffer_text(head, "\n");
}

static mote_result write_rows(const mote_cloud *cloud, const mote_mesh *mesh, mote_buffer *head,
                              mote_rows *rows, mote_file_out *out, mote_error *error) {
  mote_buffer_text(head, "ply\nformat binary_little_endian 1.0\n");
  mote_stamp_print(head, "comment ", &cloud->stamp, cloud->field, cloud->fields);
  print_count(head, "element vertex ", cloud->count);
  MOTE_IO_TRY(add_fields(cloud, head, rows, error));
  if (mesh != NULL) {
    print_count(head, "element face ", mesh->triangles);
    mote_buffer_text(head, "property list uchar uint vertex_indices\n");
  }
  mote_buffer_text(head, "end_header\n");
  if (head->failed) return mote_io_fail_memory(error);
  mote_file_out_write(out, head->data, head->size);
  mote_rows_write(rows, cloud->count, false, out);
  return MOTE_OK;
}

mote_result mote_ply_write_vertices(const mote_cloud *cloud, const mote_mesh *mesh, mote_file_out *out,
                                    mote_error *error) {
  mote_env env = mote_env_default();
  mote_rows *rows = mote_io_new(&env, sizeof *rows);
  if (rows == NULL) return mote_io_fail_memory(error);
  mote_buffer head = mote_buffer_make(&env);
  mote_result result = write_rows(cloud, mesh, &head, rows, out, error);
  mote_buffer_free(&head);
  mote_io_delete(&env, rows, sizeof *rows);
  return result;
}

mote_result mote_ply_write_cloud(const mote_cloud *cloud, mote_file_out *out, mote_error *error) {
  return mote_ply_write_vertices(cloud, NULL, out, error);
}
