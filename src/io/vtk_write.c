// VTK's XML files, written: see vtk_write.h. Numbers are little-endian, each array has its bytes before it
// as UInt64.
#include "io/vtk_write.h"

#include <math.h>
#include <mote/text.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "io/base64.h"
#include "io/cloud.h"
#include "io/raw.h"

void mote_vtk_text(mote_file_out *out, const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  mote_file_out_write(out, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

// Any text, as it stands between quotes or elements.
static void escape(mote_file_out *out, const char *text) {
  for (; *text != 0; ++text) {
    const char *escape = *text == '&'   ? "&amp;"
                         : *text == '<' ? "&lt;"
                         : *text == '>' ? "&gt;"
                         : *text == '"' ? "&quot;"
                                        : NULL;
    char plain[2] = {(unsigned char)*text < ' ' ? '_' : *text, 0};
    mote_vtk_text(out, "%s", escape != NULL ? escape : plain);
  }
}

static void add_fact(mote_file_out *out, const char *type, const char *name, const char *more,
                     const char *value) {
  mote_vtk_text(out,
                "<DataArray type=\"%s\" Name=\"%s\"%s NumberOfTuples=\"1\" format=\"ascii\">%s</DataArray>\n",
                type, name, more, value);
}

// Three numbers, which every reader has, and not a text.
static void add_version(mote_file_out *out, const char *version) {
  char text[32];
  snprintf(text, sizeof text, "%s", version);
  for (char *c = text; *c != 0; ++c) {
    if (*c == '.') *c = ' ';
    if (*c != ' ' && (*c < '0' || *c > '9')) *c = 0;
    if (*c == 0) break;
  }
  int numbers = 0;
  for (const char *c = text; *c != 0; ++c) numbers += *c != ' ' && (c == text || c[-1] == ' ');
  if (numbers == 3) add_fact(out, "Int32", "mote_version", " NumberOfComponents=\"3\"", text);
}

// Unknown sizes are 0.
static void add_size(mote_file_out *out, const char *name, double value) {
  char text[MOTE_TEXT_NUMBER];
  if (!(value > 0.0)) return;
  mote_text_print_double(text, value);
  add_fact(out, "Float64", name, "", text);
}

static void add_stamp(mote_file_out *out, const mote_stamp *stamp) {
  char text[MOTE_TEXT_NUMBER];
  if (stamp->version[0] == 0 && isnan(stamp->time)) return;
  mote_vtk_text(out, "<FieldData>\n");
  if (!isnan(stamp->time)) {
    mote_text_print_double(text, stamp->time);
    add_fact(out, "Float64", "TimeValue", "", text);
  }
  if (stamp->version[0] != 0) {
    snprintf(text, sizeof text, "%llu", (unsigned long long)stamp->step);
    add_fact(out, "UInt64", "step", "", text);
    snprintf(text, sizeof text, "%llu", (unsigned long long)stamp->scene_hash);
    add_fact(out, "UInt64", "scene_hash", "", text);
    add_version(out, stamp->version);
  }
  add_size(out, "spacing", stamp->spacing);
  add_size(out, "volume_ratio", stamp->volume_ratio);
  mote_vtk_text(out, "</FieldData>\n");
}

void mote_vtk_begin(mote_file_out *out, const char *kind, const char *attributes, const mote_stamp *stamp) {
  mote_vtk_text(out,
                "<?xml version=\"1.0\"?>\n<VTKFile type=\"%s\" version=\"1.0\" byte_order=\"LittleEndian\" "
                "header_type=\"UInt64\">\n<%s%s>\n",
                kind, kind, attributes);
  add_stamp(out, stamp);
}

static void put_counted(mote_base64_writer *letters, const mote_vtk_array *array) {
  enum { PORTION = 1024 };
  uint8_t bytes[8 * PORTION];
  size_t size = mote_type_size(array->type);
  for (size_t k = 0; k < array->count; k += PORTION) {
    size_t count = array->count - k < PORTION ? array->count - k : PORTION;
    for (size_t r = 0; r < count; ++r) {
      uint64_t number = array->first + (uint64_t)array->step * (k + r);
      memcpy(bytes + size * r, &number, size);
    }
    mote_base64_write(letters, bytes, count * size);
  }
}

static void put_values(mote_file_out *out, const mote_vtk_array *array) {
  mote_base64_writer letters = {.out = out};
  uint64_t bytes = (uint64_t)array->count * (uint64_t)array->components * mote_type_size(array->type);
  mote_base64_write(&letters, &bytes, sizeof bytes);
  if (array->data != NULL || array->count == 0)
    mote_base64_write(&letters, array->data, (size_t)bytes);
  else
    put_counted(&letters, array);
  mote_base64_end(&letters);
}

void mote_vtk_add(mote_file_out *out, mote_vtk_array array) {
  static const char *const types[MOTE_TYPE_COUNT] = {
      [MOTE_TYPE_F32] = "Float32", [MOTE_TYPE_F64] = "Float64", [MOTE_TYPE_U8] = "UInt8",
      [MOTE_TYPE_U32] = "UInt32",  [MOTE_TYPE_U64] = "UInt64",  [MOTE_TYPE_I32] = "Int32"};
  mote_vtk_text(out, "<DataArray type=\"%s\" Name=\"", types[array.type]);
  escape(out, array.name);
  mote_vtk_text(out, "\" NumberOfComponents=\"%d\" format=\"binary\">", array.components);
  put_values(out, &array);  // nothing between, and keys behind: not all readers pass over spaces
  if (array.unit != NULL && array.unit[0] != 0) {
    mote_vtk_text(out, "<InformationKey name=\"UNITS_LABEL\" location=\"vtkDataArray\">");
    escape(out, array.unit);
    mote_vtk_text(out, "</InformationKey>");
  }
  mote_vtk_text(out, "</DataArray>\n");
}

void mote_vtk_add_field(mote_file_out *out, const mote_field_view *field) {
  mote_vtk_add(out, (mote_vtk_array){field->name, field->unit, field->type, field->components, field->count,
                                     field->data, 0, 0});
}

void mote_vtk_add_fields(mote_file_out *out, const mote_field_view *field, int fields, const char *without) {
  mote_vtk_text(out, "<PointData>\n");
  for (int k = 0; k < fields; ++k) {
    if (without == NULL || strcmp(field[k].name, without) != 0) mote_vtk_add_field(out, &field[k]);
  }
  mote_vtk_text(out, "</PointData>\n");
}

void mote_vtk_end(mote_file_out *out, const char *kind) {
  mote_vtk_text(out, "</Piece>\n</%s>\n</VTKFile>\n", kind);
}

// --- Series of files with their times: PVD, USD --------------------------------------------------------

mote_result mote_series_write(const char *path, const char *const *name, const double *time, size_t count,
                              mote_error *error) {
  if (path == NULL || (count > 0 && (name == NULL || time == NULL)))
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "path, names or times are null");
  mote_file_out *out;
  MOTE_IO_TRY(mote_file_out_begin(path, false, NULL, &out, error));
  if (mote_io_ends(path, ".usda")) {
    mote_result result = mote_usd_write_series(name, time, count, out, error);
    if (result == MOTE_OK) return mote_file_out_commit(out, error);
    mote_file_out_abandon(out);
    return result;
  }
  mote_vtk_text(out,
                "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
                "byte_order=\"LittleEndian\">\n<Collection>\n");
  for (size_t k = 0; k < count; ++k) {
    char number[MOTE_TEXT_NUMBER];
    mote_text_print_double(number, time[k]);
    mote_vtk_text(out, "<DataSet timestep=\"%s\" part=\"0\" file=\"", number);
    escape(out, name[k]);
    mote_vtk_text(out, "\"/>\n");
  }
  mote_vtk_text(out, "</Collection>\n</VTKFile>\n");
  return mote_file_out_commit(out, error);
}
