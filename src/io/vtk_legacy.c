// Particles and meshes from VTK's older files (.vtk), in text or big-endian binary: the points and their
// data; for meshes, polygons and strips.
#include <stdio.h>
#include <string.h>

#include "io/mesh_file.h"
#include "io/raw.h"

typedef enum vtk_rows { ROWS_NONE, ROWS_POINTS, ROWS_CELLS } vtk_rows;

typedef struct legacy_reader {
  const mote_file_content *source;
  mote_scan scan;
  bool binary, points;
  vtk_rows rows;
  uint64_t cells;
  mote_cloud *out;
  mote_mesh_maker *maker;  // null: cells are skipped
} legacy_reader;

static const struct {
  const char *name;
  mote_raw raw;
} types[] = {
    {"unsigned_char", MOTE_RAW_U8},  {"char", MOTE_RAW_I8},          {"unsigned_short", MOTE_RAW_U16},
    {"short", MOTE_RAW_I16},         {"unsigned_int", MOTE_RAW_U32}, {"int", MOTE_RAW_I32},
    {"unsigned_long", MOTE_RAW_U64}, {"long", MOTE_RAW_I64},         {"float", MOTE_RAW_F32},
    {"double", MOTE_RAW_F64},        {"vtktypeint64", MOTE_RAW_I64}, {"vtktypeuint64", MOTE_RAW_U64},
    {"vtkIdType", MOTE_RAW_I32},     {"signed_char", MOTE_RAW_I8},
};

static mote_result take_type(legacy_reader *reader, mote_raw *raw, mote_error *error) {
  mote_word word = mote_scan_word(&reader->scan);
  for (size_t k = 0; k < sizeof types / sizeof *types; ++k)
    if (mote_word_like(word, types[k].name)) {
      *raw = types[k].raw;
      return MOTE_OK;
    }
  return mote_scan_fail_at(&reader->scan, word, error, "values of type \"%.*s\" are not read",
                           (int)(word.size < 40 ? word.size : 40), word.text);
}

static mote_result take_count(legacy_reader *reader, uint64_t *count, mote_error *error) {
  mote_word word = mote_scan_word(&reader->scan);
  if (mote_word_count(word, count) && *count <= reader->source->size) return MOTE_OK;
  return mote_scan_fail_at(&reader->scan, word, error, "\"%.*s\" is not a possible count",
                           (int)(word.size < 40 ? word.size : 40), word.text);
}

// Whether so many values can follow.
static mote_result check_size(const legacy_reader *reader, mote_raw raw, uint64_t values, mote_error *error) {
  uint64_t left = reader->scan.size - reader->scan.at, each = reader->binary ? mote_raw_size(raw) : 2;
  if (values <= (left + !reader->binary) / each) return MOTE_OK;
  return mote_scan_fail(&reader->scan, error, "cut short: %llu values are announced",
                        (unsigned long long)values);
}

// Values follow the current line; with `to` null they are skipped.
static mote_result take_values(legacy_reader *reader, mote_raw raw, uint64_t values, uint8_t *to,
                               mote_error *error) {
  mote_scan *scan = &reader->scan;
  MOTE_IO_TRY(check_size(reader, raw, values, error));
  size_t size = mote_type_size(mote_raw_type(raw));
  if (reader->binary) {
    if (to != NULL)
      mote_raw_take(raw, true, scan->text + scan->at, mote_raw_size(raw), (size_t)values, to, size);
    scan->at += (size_t)values * mote_raw_size(raw);
    return MOTE_OK;
  }
  for (uint64_t k = 0; k < values; ++k) {
    uint64_t unused;
    MOTE_IO_TRY(mote_scan_raw(scan, raw, to != NULL ? (void *)(to + k * size) : &unused, error));
  }
  return MOTE_OK;
}

// An array named in the current line; the name may have escapes such as %20.
static mote_result take_array(legacy_reader *reader, mote_word name, mote_raw raw, uint64_t components,
                              uint64_t rows, mote_error *error) {
  bool keep =
      reader->rows == ROWS_POINTS && rows == reader->out->count && components >= 1 && components <= 255;
  if (!keep) return take_values(reader, raw, components * rows, NULL, error);
  char plain[128];
  size_t used = 0;
  for (size_t k = 0; k < name.size && used + 1 < sizeof plain; ++k) {
    unsigned code = 0;
    char digits[3] = {0};
    if (name.text[k] == '%' && name.size - k > 2) memcpy(digits, name.text + k + 1, 2);
    bool coded = digits[0] != 0 && sscanf(digits, "%2x", &code) == 1 && code >= ' ';
    plain[used++] = coded ? (char)code : name.text[k];
    if (coded) k += 2;
  }
  MOTE_IO_TRY(check_size(reader, raw, components * rows, error));
  MOTE_IO_TRY(mote_cloud_add(reader->out, reader->source, (mote_word){plain, used}, mote_raw_type(raw),
                             (int)components, error));
  mote_field_view *field = &reader->out->field[reader->out->fields - 1];
  MOTE_IO_TRY(take_values(reader, raw, components * rows, field->data, error));
  if (raw == MOTE_RAW_I64)
    field->type = mote_raw_settle(field->data, field->count * (size_t)field->components);
  return MOTE_OK;
}

static mote_result take_points(legacy_reader *reader, mote_error *error) {
  uint64_t count;
  mote_raw raw;
  if (reader->points) return mote_scan_fail(&reader->scan, error, "POINTS is given twice");
  MOTE_IO_TRY(take_count(reader, &count, error));
  MOTE_IO_TRY(take_type(reader, &raw, error));
  mote_scan_line(&reader->scan);
  reader->out->count = (size_t)count;
  reader->points = true;
  reader->rows = ROWS_POINTS;
  mote_result result = take_array(reader, (mote_word){"position", 8}, raw, 3, count, error);
  reader->rows = ROWS_NONE;
  return result;
}

typedef enum cell_kind { CELLS_OTHER, CELLS_POLYGONS, CELLS_STRIPS } cell_kind;

// Numbers of cells, as signed 64-bit ones; to be freed.
static mote_result take_indices(legacy_reader *reader, mote_raw raw, uint64_t values, mote_buffer *out,
                                mote_error *error) {
  mote_type type = mote_raw_type(raw);
  if (reader->maker == NULL) return take_values(reader, raw, values, NULL, error);
  if (type == MOTE_TYPE_F32 || type == MOTE_TYPE_F64)
    return mote_scan_fail(&reader->scan, error, "cells with numbers that are not integers");
  MOTE_IO_TRY(check_size(reader, raw, values, error));
  uint8_t *numbers = mote_buffer_grow(out, (size_t)values * sizeof(int64_t));
  if (numbers == NULL && values > 0) return mote_io_fail_memory(error);
  MOTE_IO_TRY(take_values(reader, raw, values, numbers, error));
  size_t size = mote_type_size(type);
  for (size_t k = (size_t)values; size < sizeof(int64_t) && k-- > 0;) {  // from behind, as they grow
    int64_t wide = (int64_t)mote_raw_value(type, numbers + k * size);
    memcpy(numbers + k * sizeof wide, &wide, sizeof wide);
  }
  return MOTE_OK;
}

static mote_result add_cell(legacy_reader *reader, cell_kind kind, const int64_t *point, uint64_t points,
                            mote_buffer *corner, mote_error *error) {
  corner->size = 0;
  for (uint64_t k = 0; k < points; ++k) {
    if (point[k] < 0 || (uint64_t)point[k] >= reader->out->count || point[k] > UINT32_MAX)
      return mote_scan_fail(&reader->scan, error, "a cell has no such point: %lld", (long long)point[k]);
    uint32_t number = (uint32_t)point[k];
    mote_buffer_add(corner, &number, sizeof number);
  }
  if (corner->failed) return mote_io_fail_memory(error);
  (kind == CELLS_STRIPS ? mote_mesh_add_strip : mote_mesh_add_polygon)(
      reader->maker, (const uint32_t *)(const void *)corner->data, (size_t)points);
  return reader->maker->triangle.failed ? mote_io_fail_memory(error) : MOTE_OK;
}

// Cells as "n p1 ... pn", or (from version 5 on) as offsets, the first of which is 0, and points.
static mote_result add_cells(legacy_reader *reader, cell_kind kind, const mote_buffer *offset,
                             const mote_buffer *index, mote_buffer *corner, mote_error *error) {
  const int64_t *begin = (const int64_t *)(const void *)offset->data;
  const int64_t *point = (const int64_t *)(const void *)index->data;
  uint64_t offsets = offset->size / sizeof *begin, points = index->size / sizeof *point;
  for (uint64_t k = 0; k + 1 < offsets; ++k) {
    if (begin[k] < 0 || begin[k + 1] < begin[k] || (uint64_t)begin[k + 1] > points)
      return mote_scan_fail(&reader->scan, error, "offsets of cells do not ascend");
    MOTE_IO_TRY(add_cell(reader, kind, point + begin[k], (uint64_t)(begin[k + 1] - begin[k]), corner, error));
  }
  for (uint64_t at = 0; offsets == 0 && at < points; at += (uint64_t)point[at] + 1) {
    if (point[at] < 0 || (uint64_t)point[at] >= points - at)
      return mote_scan_fail(&reader->scan, error, "a cell of impossible size");
    MOTE_IO_TRY(add_cell(reader, kind, point + at + 1, (uint64_t)point[at], corner, error));
  }
  return MOTE_OK;
}

static mote_result read_cells(legacy_reader *reader, mote_buffer *offset, mote_buffer *index,
                              mote_error *error) {
  uint64_t cells, values;
  mote_raw raw;
  MOTE_IO_TRY(take_count(reader, &cells, error));
  MOTE_IO_TRY(take_count(reader, &values, error));
  mote_scan_line(&reader->scan);
  mote_scan here = reader->scan;
  if (!mote_word_is(mote_scan_word(&reader->scan), "OFFSETS")) {
    reader->scan = here;
    return take_indices(reader, MOTE_RAW_I32, values, index, error);
  }
  MOTE_IO_TRY(take_type(reader, &raw, error));
  mote_scan_line(&reader->scan);
  MOTE_IO_TRY(take_indices(reader, raw, cells, offset, error));
  if (!mote_word_is(mote_scan_any_word(&reader->scan), "CONNECTIVITY"))
    return mote_scan_fail(&reader->scan, error, "expected CONNECTIVITY");
  MOTE_IO_TRY(take_type(reader, &raw, error));
  mote_scan_line(&reader->scan);
  return take_indices(reader, raw, values, index, error);
}

static mote_result take_cells(legacy_reader *reader, cell_kind kind, mote_error *error) {
  const mote_env *env = reader->source->env;
  mote_buffer offset = mote_buffer_make(env), index = mote_buffer_make(env), corner = mote_buffer_make(env);
  mote_result result = read_cells(reader, &offset, &index, error);
  if (result == MOTE_OK && kind != CELLS_OTHER && reader->maker != NULL)
    result = add_cells(reader, kind, &offset, &index, &corner, error);
  mote_buffer_free(&offset);
  mote_buffer_free(&index);
  mote_buffer_free(&corner);
  return result;
}

static uint64_t rows_now(const legacy_reader *reader) {
  return reader->rows == ROWS_POINTS ? reader->out->count : reader->rows == ROWS_CELLS ? reader->cells : 0;
}

// SCALARS name type [components], then LOOKUP_TABLE name.
static mote_result take_scalars(legacy_reader *reader, mote_error *error) {
  mote_word name = mote_scan_word(&reader->scan);
  uint64_t components = 1;
  mote_raw raw;
  MOTE_IO_TRY(take_type(reader, &raw, error));
  mote_word word = mote_scan_word(&reader->scan);
  if (word.size > 0 && (!mote_word_count(word, &components) || components < 1 || components > 4))
    return mote_scan_fail_at(&reader->scan, word, error, "scalars have 1 to 4 components");
  mote_scan_line(&reader->scan);
  mote_scan here = reader->scan;
  if (mote_word_like(mote_scan_word(&reader->scan), "LOOKUP_TABLE"))
    mote_scan_line(&reader->scan);
  else
    reader->scan = here;
  return take_array(reader, name, raw, components, rows_now(reader), error);
}

// VECTORS, NORMALS name type, and the like.
static mote_result take_tuples(legacy_reader *reader, uint64_t components, mote_error *error) {
  mote_word name = mote_scan_word(&reader->scan);
  mote_raw raw;
  if (components == 0) MOTE_IO_TRY(take_count(reader, &components, error));
  if (components > 255) return mote_scan_fail(&reader->scan, error, "more than 255 components");
  MOTE_IO_TRY(take_type(reader, &raw, error));
  mote_scan_line(&reader->scan);
  return take_array(reader, name, raw, components, rows_now(reader), error);
}

static mote_result take_colours(legacy_reader *reader, uint64_t components, uint64_t rows,
                                mote_error *error) {
  mote_scan_line(&reader->scan);
  if (components > 255) return mote_scan_fail(&reader->scan, error, "more than 255 components");
  return take_values(reader, reader->binary ? MOTE_RAW_U8 : MOTE_RAW_F32, components * rows, NULL, error);
}

// METADATA and the lines behind it, to the empty one.
static void pass_metadata(mote_scan *scan) {
  mote_scan_line(scan);
  while (!mote_scan_ended(scan) && mote_scan_line(scan).size > 0) continue;
}

// Texts: lines, or bytes with their number before them in 1, 2, 4 or 8 bytes, as the first two bits say.
static mote_result pass_texts(legacy_reader *reader, uint64_t texts, mote_error *error) {
  mote_scan *scan = &reader->scan;
  mote_scan_line(scan);
  for (uint64_t k = 0; k < texts; ++k) {
    if (mote_scan_ended(scan)) return mote_scan_fail(scan, error, "cut short in texts");
    if (!reader->binary) {
      mote_scan_line(scan);
      continue;
    }
    const uint8_t *bytes = (const uint8_t *)scan->text + scan->at;
    size_t head = (size_t)8 >> (bytes[0] >> 6), left = scan->size - scan->at;
    uint64_t length = bytes[0] & 63;
    for (size_t b = 1; b < head && b < left; ++b) length = length << 8 | bytes[b];
    if (left < head || length > left - head) return mote_scan_fail(scan, error, "cut short in texts");
    scan->at += head + (size_t)length;
  }
  return MOTE_OK;
}

static mote_result take_field_array(legacy_reader *reader, mote_error *error) {
  mote_word name = mote_scan_any_word(&reader->scan);
  if (mote_word_is(name, "METADATA")) {
    pass_metadata(&reader->scan);
    name = mote_scan_any_word(&reader->scan);
  }
  uint64_t components, rows;
  mote_raw raw;
  MOTE_IO_TRY(take_count(reader, &components, error));
  MOTE_IO_TRY(take_count(reader, &rows, error));
  if (components > 255) return mote_scan_fail(&reader->scan, error, "more than 255 components");
  mote_scan here = reader->scan;
  if (mote_word_like(mote_scan_word(&reader->scan), "string"))
    return pass_texts(reader, components * rows, error);
  reader->scan = here;
  MOTE_IO_TRY(take_type(reader, &raw, error));
  mote_scan_line(&reader->scan);
  bool time = mote_word_is(name, "TIME") || mote_word_is(name, "TimeValue");
  if (time && reader->rows == ROWS_NONE && components == 1 && rows == 1 && raw == MOTE_RAW_F64)
    return take_values(reader, raw, 1, (uint8_t *)&reader->out->stamp.time, error);
  return take_array(reader, name, raw, components, rows, error);
}

static mote_result take_field(legacy_reader *reader, mote_error *error) {
  uint64_t arrays;
  (void)mote_scan_word(&reader->scan);
  MOTE_IO_TRY(take_count(reader, &arrays, error));
  mote_scan_line(&reader->scan);
  for (uint64_t k = 0; k < arrays; ++k) MOTE_IO_TRY(take_field_array(reader, error));
  return MOTE_OK;
}

static mote_result take_data(legacy_reader *reader, vtk_rows rows, mote_error *error) {
  mote_scan here = reader->scan;
  uint64_t count;
  MOTE_IO_TRY(take_count(reader, &count, error));
  if (rows == ROWS_POINTS && count != reader->out->count)
    return mote_scan_fail(&here, error, "%llu rows of data for %zu points", (unsigned long long)count,
                          reader->out->count);
  reader->rows = rows;
  if (rows == ROWS_CELLS) reader->cells = count;
  mote_scan_line(&reader->scan);
  return MOTE_OK;
}

static mote_result take_counted(legacy_reader *reader, uint64_t components, bool named, mote_error *error) {
  uint64_t count;
  if (named) (void)mote_scan_word(&reader->scan);
  MOTE_IO_TRY(take_count(reader, &count, error));
  if (components == 0) return take_colours(reader, count, rows_now(reader), error);
  if (components == 4) return take_colours(reader, 4, count, error);
  mote_scan_line(&reader->scan);
  return take_values(reader, MOTE_RAW_I32, count, NULL, error);
}

static mote_result take_section(legacy_reader *reader, mote_word key, mote_error *error) {
  static const struct {
    const char *name;
    cell_kind kind;
  } cells[] = {{"VERTICES", CELLS_OTHER},
               {"LINES", CELLS_OTHER},
               {"POLYGONS", CELLS_POLYGONS},
               {"TRIANGLE_STRIPS", CELLS_STRIPS},
               {"CELLS", CELLS_OTHER}};
  static const struct {
    const char *name;
    uint64_t components;
  } tuples[] = {{"VECTORS", 3},    {"NORMALS", 3},      {"TENSORS", 9},
                {"GLOBAL_IDS", 1}, {"PEDIGREE_IDS", 1}, {"TEXTURE_COORDINATES", 0}};
  for (size_t k = 0; k < sizeof cells / sizeof *cells; ++k)
    if (mote_word_like(key, cells[k].name)) return take_cells(reader, cells[k].kind, error);
  for (size_t k = 0; k < sizeof tuples / sizeof *tuples; ++k)
    if (mote_word_like(key, tuples[k].name)) return take_tuples(reader, tuples[k].components, error);
  if (mote_word_like(key, "POINTS")) return take_points(reader, error);
  if (mote_word_like(key, "CELL_TYPES")) return take_counted(reader, 1, false, error);
  if (mote_word_like(key, "POINT_DATA")) return take_data(reader, ROWS_POINTS, error);
  if (mote_word_like(key, "CELL_DATA")) return take_data(reader, ROWS_CELLS, error);
  if (mote_word_like(key, "SCALARS")) return take_scalars(reader, error);
  if (mote_word_like(key, "COLOR_SCALARS")) return take_counted(reader, 0, true, error);
  if (mote_word_like(key, "LOOKUP_TABLE")) return take_counted(reader, 4, true, error);
  if (mote_word_like(key, "FIELD")) return take_field(reader, error);
  if (mote_word_like(key, "METADATA")) {
    pass_metadata(&reader->scan);
    return MOTE_OK;
  }
  return mote_scan_fail_at(&reader->scan, key, error, "\"%.*s\" is not known here",
                           (int)(key.size < 40 ? key.size : 40), key.text);
}

static mote_result take_head(legacy_reader *reader, mote_error *error) {
  mote_scan *scan = &reader->scan;
  mote_word first = mote_scan_line(scan);
  if (first.size < 22 || memcmp(first.text, "# vtk DataFile Version", 22) != 0)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, reader->source->path,
                        "not a VTK file: it does not begin with # vtk DataFile Version");
  mote_scan_line(scan);  // the title
  mote_word coding = mote_scan_any_word(scan);
  reader->binary = mote_word_like(coding, "BINARY");
  if (!reader->binary && !mote_word_like(coding, "ASCII"))
    return mote_scan_fail_at(scan, coding, error, "expected ASCII or BINARY");
  if (!mote_word_like(mote_scan_any_word(scan), "DATASET"))
    return mote_scan_fail(scan, error, "expected DATASET");
  mote_word kind = mote_scan_word(scan);
  if (!mote_word_like(kind, "POLYDATA") && !mote_word_like(kind, "UNSTRUCTURED_GRID"))
    return mote_scan_fail_at(scan, kind, error,
                             "particles are POLYDATA or UNSTRUCTURED_GRID; this VTK file is of another type");
  mote_scan_line(scan);
  return MOTE_OK;
}

static mote_result read_file(legacy_reader *reader, mote_error *error) {
  reader->scan = mote_scan_make(reader->source->data, reader->source->size, reader->source->path);
  MOTE_IO_TRY(take_head(reader, error));
  for (;;) {
    mote_word key = mote_scan_any_word(&reader->scan);
    if (key.size == 0) return MOTE_OK;
    MOTE_IO_TRY(take_section(reader, key, error));
  }
}

mote_result mote_vtk_legacy_read(const mote_file_content *source, mote_cloud *out, mote_error *error) {
  legacy_reader reader = {.source = source, .out = out};
  return read_file(&reader, error);
}

mote_result mote_vtk_read_mesh(mote_mesh_maker *maker, mote_error *error) {
  legacy_reader reader = {.source = maker->source, .out = &maker->cloud, .maker = maker};
  return read_file(&reader, error);
}
