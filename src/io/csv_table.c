// Tables of fields as text, written: see csv_table.h.
#include "io/csv_table.h"

#include <stdio.h>
#include <string.h>

// Prints a number of this type, without a final null; returns the number of characters.
static size_t print_value(mote_type type, const void *from, char out[MOTE_TEXT_NUMBER]) {
  float f32;
  double f64;
  uint64_t whole = 0;
  int32_t i32;
  switch ((int)type) {
    case MOTE_TYPE_F32: memcpy(&f32, from, sizeof f32); return mote_text_print_float(out, f32);
    case MOTE_TYPE_F64: memcpy(&f64, from, sizeof f64); return mote_text_print_double(out, f64);
    case MOTE_TYPE_I32: memcpy(&i32, from, sizeof i32); return mote_text_print_integer(out, i32);
    default: memcpy(&whole, from, mote_type_size(type)); break;
  }
  if (whole <= INT64_MAX) return mote_text_print_integer(out, (long long)whole);
  return (size_t)snprintf(out, MOTE_TEXT_NUMBER, "%llu", (unsigned long long)whole);
}

// One component's name, in quotes if it contains separators.
static void print_name(mote_buffer *out, const mote_field_view *field, int component) {
  char name[MOTE_COLUMN_NAME];
  mote_column_name(field, component, name);
  for (char *c = name; *c != 0; ++c)
    if ((unsigned char)*c < ' ' || *c == '"') *c = '_';
  bool quoted = strpbrk(name, ",; #") != NULL;
  if (quoted) mote_buffer_text(out, "\"");
  mote_buffer_text(out, name);
  if (quoted) mote_buffer_text(out, "\"");
}

static void print_row(mote_buffer *text, const mote_field_view *field, int fields, size_t row,
                      bool separated) {
  for (int k = 0; k < fields; ++k) {
    size_t size = mote_type_size(field[k].type), components = (size_t)field[k].components;
    const uint8_t *from = (const uint8_t *)field[k].data + row * components * size;
    for (size_t c = 0; c < components; ++c) {
      char number[MOTE_TEXT_NUMBER + 1] = ",";
      size_t length = print_value(field[k].type, from + c * size, number + 1);
      mote_buffer_add(text, number + !separated, length + separated);
      separated = true;
    }
  }
  mote_buffer_text(text, "\n");
}

static void drain(mote_buffer *text, size_t limit, mote_file_out *out) {
  if (text->size < limit) return;
  mote_file_out_write(out, text->data, text->size);
  text->size = 0;
}

mote_result mote_csv_table(const mote_field_view *field, int fields, size_t count, mote_csv_before_fn *before,
                           const void *user, mote_buffer *text, mote_file_out *out, mote_error *error) {
  bool separated = before != NULL;
  for (int k = 0; k < fields; ++k)
    for (int c = 0; c < field[k].components; ++c, separated = true) {
      if (separated) mote_buffer_text(text, ",");
      print_name(text, &field[k], c);
    }
  mote_buffer_text(text, "\n");
  for (size_t row = 0; row < count && !text->failed; ++row) {
    if (before != NULL) before(text, user, row);
    print_row(text, field, fields, row, before != NULL);
    drain(text, 60000, out);
  }
  drain(text, 0, out);
  return text->failed ? mote_io_fail_memory(error) : MOTE_OK;
}

mote_result mote_csv_write(const mote_cloud *cloud, mote_file_out *out, mote_error *error) {
  mote_env env = mote_env_default();
  mote_buffer text = mote_buffer_make(&env);
  mote_result result =
      mote_csv_table(cloud->field, cloud->fields, cloud->count, NULL, NULL, &text, out, error);
  mote_buffer_free(&text);
  return result;
}

mote_result mote_xyz_write(const mote_cloud *cloud, mote_file_out *out, mote_error *error) {
  mote_env env = mote_env_default();
  mote_buffer text = mote_buffer_make(&env);
  const mote_field_view *x = mote_cloud_find(cloud, "position");
  mote_stamp_print(&text, "# ", &cloud->stamp, x, 1);
  size_t size = mote_type_size(x->type);
  for (size_t i = 0; i < cloud->count && !text.failed; ++i) {
    drain(&text, 60000, out);
    for (size_t c = 0; c < 3; ++c) {
      char number[MOTE_TEXT_NUMBER];
      mote_buffer_add(&text, number,
                      print_value(x->type, (const uint8_t *)x->data + (3 * i + c) * size, number));
      mote_buffer_text(&text, c < 2 ? " " : "\n");
    }
  }
  drain(&text, 0, out);
  bool failed = text.failed;
  mote_buffer_free(&text);
  return failed ? mote_io_fail_memory(error) : MOTE_OK;
}
