// PLY files as models: of the element vertex the properties x y z and nx ny nz are written anew, in the type
// that the file has; the head, all other values and elements are copied.
#include <mote/text.h>

#include "io/ply.h"
#include "model/model_file.h"

typedef struct ply_rewrite {
  mote_ply *ply;
  const mote_model_pose *pose;
  mote_file_out *out;
  mote_buffer text;
} ply_rewrite;

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// 0 to 2: of the position, 3 to 5: of the normal, -1: another value.
static int meaning(const ply_rewrite *w, const mote_ply_property *property) {
  static const char *const names[] = {"x", "y", "z", "nx", "ny", "nz"};
  for (int k = 0; k < (w->pose->normal != NULL ? 6 : 3); ++k)
    if (!property->list && mote_word_is(property->name, names[k])) return k;
  return -1;
}

// Deformed vertices need fractions.
static mote_result check_types(const ply_rewrite *w, const mote_ply_element *element, mote_error *error) {
  for (int k = 0; k < element->properties; ++k) {
    const mote_ply_property *property = &w->ply->property[element->first + k];
    if (meaning(w, property) < 0 || property->type == MOTE_RAW_F32 || property->type == MOTE_RAW_F64)
      continue;
    return mote_io_fail(error, MOTE_ERROR_FORMAT, w->ply->source->path,
                        "the property %.*s holds whole numbers: write another format",
                        (int)property->name.size, property->name.text);
  }
  return MOTE_OK;
}

static void put_value(ply_rewrite *w, const mote_ply_property *property, double value) {
  char number[MOTE_TEXT_NUMBER];
  uint8_t bytes[8];
  if (w->ply->format == MOTE_PLY_ASCII) {
    bool single = property->type == MOTE_RAW_F32;
    mote_buffer_add(
        &w->text, number,
        single ? mote_text_print_float(number, (float)value) : mote_text_print_double(number, value));
    return;
  }
  mote_raw_store(mote_raw_type(property->type), value, bytes);
  size_t size = mote_raw_size(property->type);
  if (w->ply->format == MOTE_PLY_BIG) mote_raw_swap(bytes, size, 1);
  mote_buffer_add(&w->text, bytes, size);
}

static mote_result put_row(ply_rewrite *w, const mote_ply_element *element, size_t row, mote_error *error) {
  mote_scan *scan = &w->ply->scan;
  for (int k = 0; k < element->properties; ++k) {
    const mote_ply_property *property = &w->ply->property[element->first + k];
    int what = meaning(w, property);
    if (w->ply->format == MOTE_PLY_ASCII) {  // the space between values stays
      size_t blank = scan->at;
      while (scan->at < scan->size && is_blank(scan->text[scan->at])) ++scan->at;
      mote_buffer_add(&w->text, scan->text + blank, scan->at - blank);
    }
    size_t begin = scan->at;
    MOTE_IO_TRY(mote_ply_skip_property(w->ply, property, error));
    if (what >= 0)
      put_value(w, property, (what < 3 ? w->pose->position : w->pose->normal)[3 * row + (size_t)what % 3]);
    else
      mote_buffer_add(&w->text, scan->text + begin, scan->at - begin);
  }
  if (w->text.size < 60000) return MOTE_OK;
  mote_file_out_write(w->out, w->text.data, w->text.size);
  w->text.size = 0;
  return MOTE_OK;
}

static mote_result put_file(ply_rewrite *w, mote_error *error) {
  mote_ply *ply = w->ply;
  const mote_scan *scan = &ply->scan;
  size_t copied = 0;
  for (int k = 0; k < ply->elements; ++k) {
    const mote_ply_element *element = &ply->element[k];
    if (!mote_word_is(element->name, "vertex")) {
      MOTE_IO_TRY(mote_ply_skip_element(ply, element, error));
      continue;
    }
    MOTE_IO_TRY(check_types(w, element, error));
    mote_file_out_write(w->out, scan->text + copied, scan->at - copied);
    for (uint64_t row = 0; row < element->count; ++row) MOTE_IO_TRY(put_row(w, element, (size_t)row, error));
    mote_file_out_write(w->out, w->text.data, w->text.size);
    copied = scan->at;
    break;  // other elements of that name hold no vertices
  }
  mote_file_out_write(w->out, scan->text + copied, scan->size - copied);
  return w->text.failed ? mote_io_fail_memory(error) : MOTE_OK;
}

mote_result mote_model_write_ply(const mote_model *model, const mote_model_pose *pose, mote_file_out *out,
                                 mote_error *error) {
  mote_ply *ply = mote_io_new(&model->env, sizeof *ply);
  if (ply == NULL) return mote_io_fail_memory(error);
  ply_rewrite w = {ply, pose, out, mote_buffer_make(&model->env)};
  mote_result result = mote_ply_open(&model->source, ply, error);
  if (result == MOTE_OK) result = put_file(&w, error);
  mote_buffer_free(&w.text);
  mote_io_delete(&model->env, ply, sizeof *ply);
  return result;
}
