// Particles and meshes from VTK's XML files (VTP, VTU): the points of all pieces and their fields;
// for meshes, polygons and strips of VTP.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/mesh_file.h"
#include "io/vtk_data.h"
#include "io/xml.h"

typedef enum vtk_section {
  SECTION_NONE,
  SECTION_FACTS,
  SECTION_POINTS,
  SECTION_FIELDS,
  SECTION_POLYGONS,
  SECTION_STRIPS
} vtk_section;

typedef struct vtk_piece {
  uint64_t points, polygons, strips;
} vtk_piece;

typedef struct vtk_array {
  mote_vtk_values values;
  vtk_section section;
  size_t piece;
} vtk_array;

typedef struct vtk_reader {
  mote_vtk_coding coding;
  mote_xml xml;
  bool headed;  // <VTKFile> was there
  vtk_section section;
  bool in_array, in_unit, appended;
  int depth;          // of the array's own text
  mote_buffer array;  // of vtk_array
  mote_buffer piece;  // of vtk_piece
} vtk_reader;

static size_t arrays(const vtk_reader *reader) {
  return reader->array.size / sizeof(vtk_array);
}

static vtk_array *array_at(const vtk_reader *reader, size_t k) {
  return (vtk_array *)(void *)reader->array.data + k;
}

static size_t pieces(const vtk_reader *reader) {
  return reader->piece.size / sizeof(vtk_piece);
}

static vtk_piece piece_at(const vtk_reader *reader, size_t k) {
  return ((const vtk_piece *)(const void *)reader->piece.data)[k];
}

static uint64_t piece_points(const vtk_reader *reader, size_t k) {
  return piece_at(reader, k).points;
}

// --- The head ---------------------------------------------------------------------------------------------

static bool attribute_is(const mote_xml *xml, const char *name, const char *value) {
  mote_word word;
  return mote_xml_attribute(xml, name, &word) && mote_word_is(word, value);
}

static mote_result start_file(vtk_reader *reader, mote_error *error) {
  const mote_xml *xml = &reader->xml;
  mote_word word;
  reader->headed = true;
  if (!attribute_is(xml, "type", "PolyData") && !attribute_is(xml, "type", "UnstructuredGrid"))
    return mote_scan_fail(&xml->scan, error,
                          "particles are PolyData or UnstructuredGrid; this VTK file is of another type");
  reader->coding.big = attribute_is(xml, "byte_order", "BigEndian");
  reader->coding.wide = attribute_is(xml, "header_type", "UInt64");
  reader->coding.packed = mote_xml_attribute(xml, "compressor", &word) && word.size > 0;
  if (reader->coding.packed && !mote_word_is(word, "vtkZLibDataCompressor"))
    return mote_scan_fail(&xml->scan, error, "compressed by %.*s; only vtkZLibDataCompressor is read",
                          (int)(word.size < 40 ? word.size : 40), word.text);
  return MOTE_OK;
}

static mote_result start_piece(vtk_reader *reader, mote_error *error) {
  mote_word word;
  vtk_piece piece = {0};
  if (!mote_xml_attribute(&reader->xml, "NumberOfPoints", &word) || !mote_word_count(word, &piece.points))
    return mote_scan_fail(&reader->xml.scan, error, "a piece without NumberOfPoints");
  if (mote_xml_attribute(&reader->xml, "NumberOfPolys", &word)) (void)mote_word_count(word, &piece.polygons);
  if (mote_xml_attribute(&reader->xml, "NumberOfStrips", &word)) (void)mote_word_count(word, &piece.strips);
  mote_buffer_add(&reader->piece, &piece, sizeof piece);
  return MOTE_OK;
}

static mote_result read_type(const mote_xml *xml, mote_raw *raw, mote_error *error) {
  static const char *const names[MOTE_RAW_COUNT] = {"Int8",   "UInt8", "Int16",  "UInt16",  "Int32",
                                                    "UInt32", "Int64", "UInt64", "Float32", "Float64"};
  for (int k = 0; k < MOTE_RAW_COUNT; ++k)
    if (attribute_is(xml, "type", names[k])) {
      *raw = (mote_raw)k;
      return MOTE_OK;
    }
  return mote_scan_fail(&xml->scan, error, "an array of unknown type");
}

static mote_result start_array(vtk_reader *reader, mote_error *error) {
  const mote_xml *xml = &reader->xml;
  vtk_array array = {.section = reader->section, .piece = pieces(reader) - 1};
  mote_vtk_values *values = &array.values;
  mote_word word;
  uint64_t number = reader->section == SECTION_POINTS ? 3 : 1;
  values->at = xml->scan;
  values->text = (mote_word){xml->scan.text + xml->scan.at, 0};
  if (attribute_is(xml, "type", "String")) return MOTE_OK;
  MOTE_IO_TRY(read_type(xml, &values->raw, error));
  if (mote_xml_attribute(xml, "Name", &word)) mote_xml_plain(word, values->name, sizeof values->name);
  if (mote_xml_attribute(xml, "NumberOfComponents", &word) &&
      (!mote_word_count(word, &number) || number < 1 || number > 255))
    return mote_scan_fail(&xml->scan, error, "array \"%s\" has not 1 to 255 components", values->name);
  values->components = (int)number;
  values->place = attribute_is(xml, "format", "appended") ? MOTE_VTK_APPENDED
                  : attribute_is(xml, "format", "binary") ? MOTE_VTK_INLINE
                                                          : MOTE_VTK_ASCII;
  if (values->place == MOTE_VTK_APPENDED &&
      (!mote_xml_attribute(xml, "offset", &word) || !mote_word_count(word, &values->offset)))
    return mote_scan_fail(&xml->scan, error, "array \"%s\" has no offset", values->name);
  mote_buffer_add(&reader->array, &array, sizeof array);
  reader->in_array = true;
  reader->depth = xml->depth;
  return MOTE_OK;
}

// Raw bytes follow, which are no XML: everything behind the _ is theirs.
static mote_result start_appended(vtk_reader *reader, mote_error *error) {
  const mote_scan *scan = &reader->xml.scan;
  reader->coding.encoded = attribute_is(&reader->xml, "encoding", "base64");
  const char *start =
      scan->at < scan->size ? memchr(scan->text + scan->at, '_', scan->size - scan->at) : NULL;
  if (start == NULL) return mote_scan_fail(scan, error, "appended data without a _");
  reader->coding.appended = (mote_word){start + 1, (size_t)(scan->text + scan->size - start) - 1};
  reader->appended = true;
  return MOTE_OK;
}

static const char *const section_names[] = {"", "FieldData", "Points", "PointData", "Polys", "Strips"};

static mote_result start_element(vtk_reader *reader, mote_error *error) {
  mote_word name = reader->xml.name;
  if (mote_word_is(name, "VTKFile")) return start_file(reader, error);
  if (!reader->headed)
    return mote_scan_fail(&reader->xml.scan, error, "not a VTK file: <VTKFile> is missing");
  if (mote_word_is(name, "Piece")) return start_piece(reader, error);
  if (mote_word_is(name, "AppendedData")) return start_appended(reader, error);
  if (mote_word_is(name, "FieldData")) reader->section = SECTION_FACTS;
  for (int k = SECTION_POINTS; pieces(reader) > 0 && k <= SECTION_STRIPS; ++k)
    if (mote_word_is(name, section_names[k])) reader->section = (vtk_section)k;
  if (reader->section != SECTION_NONE && mote_word_is(name, "DataArray")) return start_array(reader, error);
  reader->in_unit = reader->in_array && attribute_is(&reader->xml, "name", "UNITS_LABEL");
  return MOTE_OK;
}

static void end_element(vtk_reader *reader) {
  mote_word name = reader->xml.name;
  if (mote_word_is(name, "DataArray")) reader->in_array = false;
  for (int k = SECTION_FACTS; k <= SECTION_STRIPS; ++k)
    if (mote_word_is(name, section_names[k])) reader->section = SECTION_NONE;
  reader->in_unit = false;
}

static void take_text(vtk_reader *reader) {
  if (!reader->in_array || arrays(reader) == 0) return;
  mote_vtk_values *values = &array_at(reader, arrays(reader) - 1)->values;
  mote_word text = reader->xml.text;
  mote_scan scan = mote_scan_make(text.text, text.size, NULL);
  if (mote_scan_any_word(&scan).size == 0) return;
  if (reader->in_unit)
    mote_xml_plain(text, values->unit, sizeof values->unit);
  else if (reader->xml.depth == reader->depth)
    values->text = text;
}

static mote_result read_head(vtk_reader *reader, mote_error *error) {
  mote_xml_event event = MOTE_XML_TEXT;
  while (event != MOTE_XML_DONE && !reader->appended) {
    MOTE_IO_TRY(mote_xml_next(&reader->xml, &event, error));
    if (event == MOTE_XML_START) MOTE_IO_TRY(start_element(reader, error));
    if (event == MOTE_XML_END) end_element(reader);
    if (event == MOTE_XML_TEXT) take_text(reader);
    if (reader->array.failed || reader->piece.failed) return mote_io_fail_memory(error);
  }
  if (!reader->headed)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, reader->coding.source->path,
                        "not a VTK file: <VTKFile> is missing");
  if (pieces(reader) == 0)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, reader->coding.source->path, "no piece in the file");
  return MOTE_OK;
}

// --- The values -------------------------------------------------------------------------------------------

static const char *field_name(const vtk_array *array) {
  return array->section == SECTION_POINTS ? "position" : array->values.name;
}

// Every piece must have the arrays of the first that has points.
static mote_result find_field(vtk_reader *reader, const vtk_array *array, bool first, mote_cloud *out,
                              mote_field_view **field, mote_error *error) {
  const char *name = field_name(array);
  const mote_vtk_values *values = &array->values;
  mote_type type = mote_raw_type(values->raw);
  if (first) {
    MOTE_IO_TRY(mote_cloud_add(out, reader->coding.source, (mote_word){name, strlen(name)}, type,
                               values->components, error));
    *field = &out->field[out->fields - 1];
    return mote_cloud_set_unit(*field, (mote_word){values->unit, strlen(values->unit)},
                               reader->coding.source->env, error);
  }
  *field = mote_cloud_field(out, name);
  if (*field != NULL && (*field)->type == type && (*field)->components == values->components) return MOTE_OK;
  return mote_scan_fail(&values->at, error, "array \"%s\" is not in all pieces, or not the same in all",
                        name);
}

static mote_result read_array(vtk_reader *reader, const vtk_array *array, bool first, size_t begin,
                              mote_cloud *out, mote_error *error) {
  mote_field_view *field = NULL;
  size_t rows = (size_t)piece_points(reader, array->piece);
  MOTE_IO_TRY(mote_vtk_check_size(&reader->coding, &array->values, rows, error));
  MOTE_IO_TRY(find_field(reader, array, first, out, &field, error));
  size_t row = (size_t)field->components * mote_type_size(field->type);
  uint8_t *to = (uint8_t *)field->data + begin * row;
  return mote_vtk_decode(&reader->coding, &array->values, rows, to, error);
}

// Points before fields, whatever the file's order, so that they are called position.
static mote_result read_piece(vtk_reader *reader, size_t piece, bool first, size_t begin, mote_cloud *out,
                              mote_error *error) {
  int count = 0;
  for (int section = SECTION_POINTS; section <= SECTION_FIELDS; ++section)
    for (size_t k = 0; k < arrays(reader); ++k) {
      const vtk_array *array = array_at(reader, k);
      if (array->piece != piece || array->section != (vtk_section)section) continue;
      if (section == SECTION_FIELDS && strcmp(array->values.name, "position") == 0) continue;
      MOTE_IO_TRY(read_array(reader, array, first, begin, out, error));
      ++count;
    }
  if (count == out->fields) return MOTE_OK;
  return mote_io_fail(error, MOTE_ERROR_FORMAT, reader->coding.source->path, "piece %zu lacks arrays", piece);
}

static mote_result read_pieces(vtk_reader *reader, mote_cloud *out, mote_error *error) {
  uint64_t total = 0;
  size_t begin = 0, first = 0;
  for (size_t k = 0; k < pieces(reader); ++k) {
    total += piece_points(reader, k);
    if (piece_points(reader, first) == 0) first = k;
    MOTE_IO_TRY(
        mote_cloud_set_count(out, reader->coding.source, total, reader->coding.packed ? 100 : 1, error));
  }
  for (size_t k = first; k < pieces(reader); ++k) {
    if (piece_points(reader, k) == 0 && k != first) continue;
    MOTE_IO_TRY(read_piece(reader, k, k == first, begin, out, error));
    begin += (size_t)piece_points(reader, k);
  }
  return MOTE_OK;
}

// 64-bit integers have a sign in VTK; clouds have none for them.
static void settle(const vtk_reader *reader, mote_cloud *out) {
  for (size_t k = 0; k < arrays(reader); ++k) {
    const vtk_array *array = array_at(reader, k);
    if (array->section != SECTION_POINTS && array->section != SECTION_FIELDS) continue;
    mote_field_view *field = mote_cloud_field(out, field_name(array));
    if (array->values.raw == MOTE_RAW_I64 && field != NULL && field->type == MOTE_TYPE_U64)
      field->type = mote_raw_settle(field->data, field->count * (size_t)field->components);
  }
}

// --- The stamp --------------------------------------------------------------------------------------------

static void read_fact(const vtk_reader *reader, const vtk_array *array, mote_stamp *stamp) {
  const mote_vtk_values *values = &array->values;
  union {
    double f64;
    uint64_t u64;
    int32_t i32[6];
  } value = {0};
  bool time = strcmp(values->name, "TimeValue") == 0 && values->raw == MOTE_RAW_F64;
  bool step = strcmp(values->name, "step") == 0 && values->raw == MOTE_RAW_U64;
  bool hash = strcmp(values->name, "scene_hash") == 0 && values->raw == MOTE_RAW_U64;
  bool version = strcmp(values->name, "mote_version") == 0 && values->raw == MOTE_RAW_I32;
  bool spacing = strcmp(values->name, "spacing") == 0 && values->raw == MOTE_RAW_F64;
  bool ratio = strcmp(values->name, "volume_ratio") == 0 && values->raw == MOTE_RAW_F64;
  if (!time && !step && !hash && !version && !spacing && !ratio) return;
  if (values->components != (version ? 3 : 1)) return;
  if (mote_vtk_check_size(&reader->coding, values, 1, NULL) != MOTE_OK) return;
  if (mote_vtk_decode(&reader->coding, values, 1, &value, NULL) != MOTE_OK) return;
  if (time) stamp->time = value.f64;
  if (spacing && value.f64 > 0.0 && isfinite(value.f64)) stamp->spacing = value.f64;
  if (ratio && value.f64 > 0.0 && isfinite(value.f64)) stamp->volume_ratio = value.f64;
  if (step) stamp->step = value.u64;
  if (hash) stamp->scene_hash = value.u64;
  if (version)
    snprintf(stamp->version, sizeof stamp->version, "%d.%d.%d", value.i32[0] & 1023, value.i32[1] & 1023,
             value.i32[2] & 1023);
}

// --- The triangles ----------------------------------------------------------------------------------------

static const vtk_array *find_array(const vtk_reader *reader, size_t piece, vtk_section section,
                                   const char *name) {
  for (size_t k = 0; k < arrays(reader); ++k) {
    const vtk_array *array = array_at(reader, k);
    if (array->piece == piece && array->section == section && strcmp(array->values.name, name) == 0)
      return array;
  }
  return NULL;
}

// Integers of an array as uint64_t; negative ones become larger than any number of points.
static mote_result take_numbers(const vtk_reader *reader, const vtk_array *array, uint64_t rows,
                                mote_buffer *out, mote_error *error) {
  mote_vtk_values values = array->values;
  values.components = 1;
  mote_type type = mote_raw_type(values.raw);
  if (type == MOTE_TYPE_F32 || type == MOTE_TYPE_F64)
    return mote_scan_fail(&values.at, error, "array \"%s\" of cells does not hold whole numbers",
                          values.name);
  MOTE_IO_TRY(mote_vtk_check_size(&reader->coding, &values, rows, error));
  out->size = 0;
  uint8_t *numbers = mote_buffer_grow(out, (size_t)rows * sizeof(uint64_t));
  if (numbers == NULL && rows > 0) return mote_io_fail_memory(error);
  MOTE_IO_TRY(mote_vtk_decode(&reader->coding, &values, (size_t)rows, numbers, error));
  size_t size = mote_type_size(type);
  for (size_t k = (size_t)rows; size < sizeof(uint64_t) && k-- > 0;) {  // from behind, as they grow
    double value = mote_raw_value(type, numbers + k * size);
    uint64_t wide = value < 0 ? UINT64_MAX : (uint64_t)value;
    memcpy(numbers + k * sizeof wide, &wide, sizeof wide);
  }
  return MOTE_OK;
}

typedef struct vtk_cells {
  mote_buffer offset, connectivity, corner;
} vtk_cells;

static mote_result add_cells(const vtk_reader *reader, size_t piece, vtk_section section, uint64_t first,
                             vtk_cells *cells, mote_mesh_maker *maker, mote_error *error) {
  vtk_piece about = piece_at(reader, piece);
  uint64_t count = section == SECTION_POLYGONS ? about.polygons : about.strips, begin = 0;
  const vtk_array *ends = find_array(reader, piece, section, "offsets"),
                  *points = find_array(reader, piece, section, "connectivity");
  if (count == 0) return MOTE_OK;
  if (ends == NULL || points == NULL)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, maker->source->path,
                        "piece %zu lacks connectivity or offsets of its cells", piece);
  MOTE_IO_TRY(take_numbers(reader, ends, count, &cells->offset, error));
  const uint64_t *end = (const uint64_t *)(const void *)cells->offset.data;
  MOTE_IO_TRY(take_numbers(reader, points, end[count - 1], &cells->connectivity, error));
  const uint64_t *point = (const uint64_t *)(const void *)cells->connectivity.data;
  for (uint64_t k = 0; k < count; begin = end[k++]) {
    if (end[k] < begin || end[k] > end[count - 1])
      return mote_scan_fail(&ends->values.at, error, "offsets of cells do not ascend");
    cells->corner.size = 0;
    for (uint64_t c = begin; c < end[k]; ++c) {
      if (point[c] >= about.points || first + point[c] > UINT32_MAX)
        return mote_scan_fail(&points->values.at, error, "cell %llu has no such point",
                              (unsigned long long)k + 1);
      uint32_t corner = (uint32_t)(first + point[c]);
      mote_buffer_add(&cells->corner, &corner, sizeof corner);
    }
    if (cells->corner.failed) return mote_io_fail_memory(error);
    (section == SECTION_POLYGONS ? mote_mesh_add_polygon : mote_mesh_add_strip)(
        maker, (const uint32_t *)(const void *)cells->corner.data, (size_t)(end[k] - begin));
  }
  return maker->triangle.failed ? mote_io_fail_memory(error) : MOTE_OK;
}

static mote_result read_cells(const vtk_reader *reader, vtk_cells *cells, mote_mesh_maker *maker,
                              mote_error *error) {
  uint64_t first = 0;
  for (size_t k = 0; k < pieces(reader); ++k) {
    MOTE_IO_TRY(add_cells(reader, k, SECTION_POLYGONS, first, cells, maker, error));
    MOTE_IO_TRY(add_cells(reader, k, SECTION_STRIPS, first, cells, maker, error));
    first += piece_points(reader, k);
  }
  return MOTE_OK;
}

// --- All of it --------------------------------------------------------------------------------------------

static mote_result read_all(vtk_reader *reader, mote_cloud *out, mote_error *error) {
  MOTE_IO_TRY(read_head(reader, error));
  MOTE_IO_TRY(read_pieces(reader, out, error));
  settle(reader, out);
  for (size_t k = 0; k < arrays(reader); ++k)
    if (array_at(reader, k)->section == SECTION_FACTS) read_fact(reader, array_at(reader, k), &out->stamp);
  return MOTE_OK;
}

static vtk_reader open_reader(const mote_file_content *source) {
  return (vtk_reader){.coding = {.source = source, .appended = {"", 0}},
                      .xml = mote_xml_make(source->data, source->size, source->path),
                      .array = mote_buffer_make(source->env),
                      .piece = mote_buffer_make(source->env)};
}

static void close_reader(vtk_reader *reader) {
  mote_buffer_free(&reader->array);
  mote_buffer_free(&reader->piece);
}

mote_result mote_vtk_xml_read(const mote_file_content *source, mote_cloud *out, mote_error *error) {
  vtk_reader reader = open_reader(source);
  mote_result result = read_all(&reader, out, error);
  close_reader(&reader);
  return result;
}

mote_result mote_vtp_read_mesh(mote_mesh_maker *maker, mote_error *error) {
  const mote_env *env = maker->source->env;
  vtk_reader reader = open_reader(maker->source);
  vtk_cells cells = {mote_buffer_make(env), mote_buffer_make(env), mote_buffer_make(env)};
  mote_result result = read_all(&reader, &maker->cloud, error);
  if (result == MOTE_OK) result = read_cells(&reader, &cells, maker, error);
  mote_buffer_free(&cells.offset);
  mote_buffer_free(&cells.connectivity);
  mote_buffer_free(&cells.corner);
  close_reader(&reader);
  return result;
}
