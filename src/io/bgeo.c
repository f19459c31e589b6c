// Particles and surfaces as BGEO: Houdini's classic binary geometry, version 5, big-endian, as in partio.
//   "Bgeo" 'V', 9 numbers of 4 bytes: version, points, primitives, point groups, primitive groups, attributes
//   of points, vertices, primitives, of the whole; the points' attributes; x y z 1 and attributes of each
//   point; attributes of vertices and primitives, primitives; attributes of the whole and their values; 00
//   FF. Polygons are in runs: -1, their number (2 bytes), 1; for each the number of corners, '<' (closed),
//   the corners (2 bytes below 65536 points, else 4), clockwise as seen from outside.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "io/glb.h"
#include "io/io_base.h"
#include "io/rows.h"
#include "io/stamp.h"

enum { TYPE_FLOAT = 0, TYPE_INT = 1, TYPE_INDEX = 4, TYPE_VECTOR = 5 };
enum { HEAD = 41, POLYGON = 1, RUN_MOST = 0xffff };
static const uint32_t run_of_primitives = 0xffffffff;

// --- Writing ----------------------------------------------------------------------------------------------

static void put(mote_buffer *out, uint32_t value, size_t size) {
  uint8_t bytes[4];
  for (size_t k = 0; k < size; ++k) bytes[k] = (uint8_t)(value >> 8 * (size - 1 - k));
  mote_buffer_add(out, bytes, size);
}

static void put_name(mote_buffer *out, const char *name) {
  size_t length = strlen(name);
  put(out, (uint32_t)length, 2);
  mote_buffer_add(out, name, length);
}

static bool is_float(mote_type type) {
  return type == MOTE_TYPE_F32 || type == MOTE_TYPE_F64;
}

static void put_attribute(mote_buffer *out, const char *name, int components, uint32_t type) {
  put_name(out, name);
  put(out, (uint32_t)components, 2);
  put(out, type, 4);
  for (int c = 0; c < components; ++c) put(out, 0, 4);
}

static void put_number(mote_buffer *out, double value) {
  float number = (float)value;
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  put(out, bits, 4);
}

static int count_facts(const mote_stamp *stamp) {
  return (stamp->version[0] != 0 || !isnan(stamp->time)) + !isnan(stamp->time);
}

// The time as a number for users, and the whole stamp as a text (an index into a list of one) for Mote.
static void put_facts(mote_buffer *out, const mote_stamp *stamp) {
  if (count_facts(stamp) > 0) {
    mote_buffer text = mote_buffer_make(&out->env);
    mote_stamp_print(&text, "", stamp, NULL, 0);
    put_name(out, "mote");
    put(out, 1, 2);
    put(out, TYPE_INDEX, 4);
    put(out, 1, 4);
    put(out, (uint32_t)text.size, 2);
    mote_buffer_add(out, text.data, text.size);
    out->failed |= text.failed;
    mote_buffer_free(&text);
  }
  if (!isnan(stamp->time)) put_attribute(out, "time", 1, TYPE_FLOAT);
  if (count_facts(stamp) > 0) put(out, 0, 4);
  if (!isnan(stamp->time)) put_number(out, stamp->time);
  put(out, 0x00ff, 2);
}

static void put_head(mote_buffer *out, const mote_cloud *cloud, size_t primitives) {
  mote_buffer_text(out, "BgeoV");
  uint32_t number[9] = {5, (uint32_t)cloud->count, (uint32_t)primitives};
  number[5] = (uint32_t)cloud->fields - 1;
  number[8] = (uint32_t)count_facts(&cloud->stamp);
  for (int k = 0; k < 9; ++k) put(out, number[k], 4);
  for (int k = 0; k < cloud->fields; ++k) {
    const mote_field_view *field = &cloud->field[k];
    if (strcmp(field->name, "position") == 0) continue;
    uint32_t type = !is_float(field->type) ? TYPE_INT : field->components == 3 ? TYPE_VECTOR : TYPE_FLOAT;
    put_attribute(out, field->name, field->components, type);
  }
}

static mote_result add_parts(const mote_cloud *cloud, mote_rows *rows, mote_error *error) {
  MOTE_IO_TRY(mote_rows_add(rows, mote_cloud_find(cloud, "position"), MOTE_RAW_F32, error));
  rows->part[rows->parts++] = (mote_row_part){.to = MOTE_RAW_F32};  // w = 1
  for (int k = 0; k < cloud->fields; ++k) {
    const mote_field_view *field = &cloud->field[k];
    if (strcmp(field->name, "position") == 0) continue;
    MOTE_IO_TRY(mote_rows_add(rows, field, is_float(field->type) ? MOTE_RAW_F32 : MOTE_RAW_I32, error));
  }
  return MOTE_OK;
}

static void put_triangles(mote_buffer *text, const mote_mesh *mesh, mote_file_out *out) {
  size_t corner = mesh->vertices < 65536 ? 2 : 4;
  for (size_t k = 0; k < mesh->triangles; ++k) {
    if (k % RUN_MOST == 0) {
      size_t left = mesh->triangles - k;
      mote_file_out_write(out, text->data, text->size);
      text->size = 0;
      put(text, run_of_primitives, 4);
      put(text, (uint32_t)(left < RUN_MOST ? left : RUN_MOST), 2);
      put(text, POLYGON, 4);
    }
    put(text, 3, 4);
    put(text, '<', 1);
    for (size_t c = 0; c < 3; ++c) put(text, mesh->triangle[3 * k + (3 - c) % 3], corner);
  }
}

static mote_result write_cloud(const mote_cloud *cloud, const mote_mesh *mesh, mote_rows *rows,
                               mote_buffer *text, mote_file_out *out, mote_error *error) {
  MOTE_IO_TRY(add_parts(cloud, rows, error));
  put_head(text, cloud, mesh != NULL ? mesh->triangles : 0);
  mote_file_out_write(out, text->data, text->size);
  mote_rows_write(rows, cloud->count, true, out);
  text->size = 0;
  if (mesh != NULL) put_triangles(text, mesh, out);
  put_facts(text, &cloud->stamp);
  mote_file_out_write(out, text->data, text->size);
  return text->failed ? mote_io_fail_memory(error) : MOTE_OK;
}

static mote_result write_geometry(const mote_cloud *cloud, const mote_mesh *mesh, mote_file_out *out,
                                  mote_error *error) {
  mote_env env = mote_env_default();
  if (cloud->count > INT32_MAX || (mesh != NULL && mesh->triangles > INT32_MAX))
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "BGEO holds at most 2147483647 points");
  mote_rows *rows = mote_io_new(&env, sizeof *rows);
  if (rows == NULL) return mote_io_fail_memory(error);
  mote_buffer text = mote_buffer_make(&env);
  mote_result result = write_cloud(cloud, mesh, rows, &text, out, error);
  mote_buffer_free(&text);
  mote_io_delete(&env, rows, sizeof *rows);
  return result;
}

mote_result mote_bgeo_write(const mote_cloud *cloud, mote_file_out *out, mote_error *error) {
  return write_geometry(cloud, NULL, out, error);
}

// Colours of Houdini: Cd, linear, in floating point.
static float *linear_colours(const mote_field_view *colour, const mote_env *env) {
  float *linear = mote_io_new(env, 3 * sizeof(float) * colour->count);
  double most = colour->type == MOTE_TYPE_U8 ? 255 : 1;
  for (size_t k = 0; linear != NULL && k < 3 * colour->count; ++k)
    linear[k] = (float)mote_glb_linear(mote_field_value(colour, k / 3, (int)(k % 3)) / most);
  return linear;
}

// Houdini blurs by v, shades by N and colours by Cd.
mote_result mote_bgeo_write_surface(const mote_surface *surface, const mote_stamp *stamp, mote_file_out *out,
                                    mote_error *error) {
  mote_env env = mote_env_default();
  mote_cloud cloud = mote_surface_cloud(surface, stamp);
  float *linear = NULL;
  size_t colours = 0;
  for (int k = 0; k < cloud.fields; ++k) {
    mote_field_view *field = &cloud.field[k];
    if (strcmp(field->name, "normal") == 0) field->name = "N";
    if (strcmp(field->name, "velocity") == 0 && field->components == 3) field->name = "v";
    if (field->data != NULL && mote_surface_colour(surface) != NULL && strcmp(field->name, "colour") == 0) {
      colours = field->count;
      linear = linear_colours(field, &env);
      if (linear == NULL) return mote_io_fail_memory(error);
      *field = (mote_field_view){"Cd", "", MOTE_TYPE_F32, 3, field->count, linear};
    }
  }
  mote_result result = write_geometry(&cloud, &surface->mesh, out, error);
  mote_io_delete(&env, linear, 3 * sizeof(float) * colours);
  return result;
}

// --- Reading ----------------------------------------------------------------------------------------------

typedef struct bgeo_attribute {
  mote_word name, text;  // text: the first of an index's list
  int size;
  uint32_t type;
  size_t offset;  // bytes from the row's beginning
} bgeo_attribute;

typedef struct bgeo_table {
  int attributes;
  size_t row;  // bytes
  bgeo_attribute attribute[2 * MOTE_CLOUD_FIELDS];
} bgeo_table;

typedef struct bgeo_reader {
  const mote_file_content *source;
  size_t at;
  uint32_t number[9];  // of the head
  bgeo_table points, vertices, primitives, whole;
} bgeo_reader;

static mote_result fail_short(const bgeo_reader *reader, mote_error *error) {
  return mote_io_fail(error, MOTE_ERROR_FORMAT, reader->source->path, "cut short at byte %zu",
                      reader->source->size);
}

static mote_result take(bgeo_reader *reader, size_t size, uint32_t *value, mote_error *error) {
  if (reader->source->size - reader->at < size) return fail_short(reader, error);
  *value = 0;
  for (size_t k = 0; k < size; ++k) *value = *value << 8 | reader->source->data[reader->at++];
  return MOTE_OK;
}

static mote_result take_text(bgeo_reader *reader, mote_word *word, mote_error *error) {
  uint32_t length = 0;
  MOTE_IO_TRY(take(reader, 2, &length, error));
  if (reader->source->size - reader->at < length) return fail_short(reader, error);
  *word = (mote_word){(const char *)reader->source->data + reader->at, length};
  reader->at += length;
  return MOTE_OK;
}

static mote_result take_index_list(bgeo_reader *reader, mote_word *first, mote_error *error) {
  uint32_t texts = 0;
  mote_word text;
  MOTE_IO_TRY(take(reader, 4, &texts, error));
  for (uint32_t k = 0; k < texts; ++k) MOTE_IO_TRY(take_text(reader, k == 0 ? first : &text, error));
  return MOTE_OK;
}

static mote_result take_attribute(bgeo_reader *reader, bgeo_table *table, mote_error *error) {
  uint32_t size = 0, unused;
  bgeo_attribute a = {.offset = table->row};
  MOTE_IO_TRY(take_text(reader, &a.name, error));
  MOTE_IO_TRY(take(reader, 2, &size, error));
  MOTE_IO_TRY(take(reader, 4, &a.type, error));
  if (size < 1 || size > 255)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, reader->source->path, "an attribute of %u components",
                        size);
  if (a.type == TYPE_INDEX)
    MOTE_IO_TRY(take_index_list(reader, &a.text, error));
  else if (a.type == TYPE_FLOAT || a.type == TYPE_INT || a.type == TYPE_VECTOR)
    for (uint32_t c = 0; c < size; ++c) MOTE_IO_TRY(take(reader, 4, &unused, error));
  else
    return mote_io_fail(error, MOTE_ERROR_FORMAT, reader->source->path, "an attribute of unknown type %u",
                        a.type);
  a.size = (int)size;
  table->attribute[table->attributes++] = a;
  table->row += 4 * (size_t)size;
  return MOTE_OK;
}

static mote_result take_table(bgeo_reader *reader, bgeo_table *table, uint32_t attributes,
                              mote_error *error) {
  if (attributes > 2 * MOTE_CLOUD_FIELDS)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, reader->source->path, "more than %d attributes",
                        2 * MOTE_CLOUD_FIELDS);
  for (uint32_t k = 0; k < attributes; ++k) MOTE_IO_TRY(take_attribute(reader, table, error));
  return MOTE_OK;
}

static mote_result take_field(bgeo_reader *reader, mote_cloud *out, mote_word name, mote_raw raw, int size,
                              size_t offset, mote_error *error) {
  mote_type type = mote_raw_type(raw);
  MOTE_IO_TRY(mote_cloud_add(out, reader->source, name, type, size, error));
  const uint8_t *from = reader->source->data + reader->at + offset;
  uint8_t *to = out->field[out->fields - 1].data;
  size_t stride = (size_t)size * 4;
  for (int c = 0; c < size; ++c)
    mote_raw_take(raw, true, from + 4 * c, reader->points.row, out->count, to + 4 * c, stride);
  return MOTE_OK;
}

static bool has_attribute(const bgeo_table *table, const char *name) {
  for (int k = 0; k < table->attributes; ++k)
    if (mote_word_is(table->attribute[k].name, name)) return true;
  return false;
}

static mote_result take_points(bgeo_reader *reader, mote_cloud *out, mote_error *error) {
  size_t left = reader->source->size - reader->at;
  if (out->count > left / reader->points.row) return fail_short(reader, error);
  MOTE_IO_TRY(take_field(reader, out, (mote_word){"position", 8}, MOTE_RAW_F32, 3, 0, error));
  for (int k = 0; k < reader->points.attributes; ++k) {
    const bgeo_attribute *a = &reader->points.attribute[k];
    bool houdini = mote_word_is(a->name, "v") && a->size == 3 && !has_attribute(&reader->points, "velocity");
    mote_word name = houdini ? (mote_word){"velocity", 8} : a->name;
    mote_raw raw = a->type == TYPE_INT || a->type == TYPE_INDEX ? MOTE_RAW_I32 : MOTE_RAW_F32;
    MOTE_IO_TRY(take_field(reader, out, name, raw, a->size, a->offset, error));
  }
  reader->at += out->count * reader->points.row;
  return MOTE_OK;
}

static void take_facts(const bgeo_reader *reader, mote_cloud *out) {
  mote_stamp_lines lines = mote_stamp_lines_make();
  for (int k = 0; k < reader->whole.attributes; ++k) {
    const bgeo_attribute *a = &reader->whole.attribute[k];
    if (mote_word_is(a->name, "mote") && a->type == TYPE_INDEX) {
      mote_scan scan = mote_scan_make(a->text.text, a->text.size, NULL);
      while (a->text.size > 0 && !mote_scan_ended(&scan)) mote_stamp_take(&lines, mote_scan_line(&scan));
    }
    if (mote_word_is(a->name, "time") && a->type == TYPE_FLOAT && isnan(lines.stamp.time) &&
        reader->source->size - reader->at >= reader->whole.row) {
      float time;
      mote_raw_take(MOTE_RAW_F32, true, reader->source->data + reader->at + a->offset, 4, 1, &time, 4);
      lines.stamp.time = (double)time;
    }
  }
  out->stamp = lines.stamp;
}

static mote_result take_head(bgeo_reader *reader, mote_error *error) {
  uint32_t *number = reader->number;
  const mote_file_content *source = reader->source;
  static const uint8_t json[4] = {0x7f, 'N', 'S', 'J'};
  if (source->size >= 4 && memcmp(source->data, json, 4) == 0)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, source->path,
                        "Houdini's newer BGEO is not read; save it as .bhclassic, renamed to .bgeo");
  if (source->size < HEAD || memcmp(source->data, "BgeoV", 5) != 0)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, source->path,
                        "not a BGEO file: it does not begin with BgeoV");
  reader->at = 5;
  for (int k = 0; k < 9; ++k) MOTE_IO_TRY(take(reader, 4, &number[k], error));
  if (number[0] != 5)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, source->path, "BGEO of version %u, not 5", number[0]);
  reader->points.row = 16;
  return take_table(reader, &reader->points, number[5], error);
}

static mote_result take_all(bgeo_reader *reader, mote_cloud *out, mote_error *error) {
  const uint32_t *number = reader->number;
  MOTE_IO_TRY(take_head(reader, error));
  MOTE_IO_TRY(mote_cloud_set_count(out, reader->source, number[1], 1, error));
  return take_points(reader, out, error);
}

static mote_result pass(bgeo_reader *reader, size_t size, mote_error *error) {
  if (reader->source->size - reader->at < size) return fail_short(reader, error);
  reader->at += size;
  return MOTE_OK;
}

static mote_result take_polygon(bgeo_reader *reader, mote_mesh_maker *maker, mote_buffer *corner,
                                mote_error *error) {
  uint32_t corners = 0, closed = 0, vertex = 0;
  size_t size = reader->number[1] < 65536 ? 2 : 4;
  MOTE_IO_TRY(take(reader, 4, &corners, error));
  MOTE_IO_TRY(take(reader, 1, &closed, error));
  corner->size = 0;
  for (uint32_t k = 0; k < corners; ++k) {
    MOTE_IO_TRY(take(reader, size, &vertex, error));
    MOTE_IO_TRY(pass(reader, reader->vertices.row, error));
    mote_buffer_add(corner, &vertex, sizeof vertex);
  }
  if (corner->failed) return mote_io_fail_memory(error);
  uint32_t *index = (uint32_t *)(void *)corner->data;
  for (uint32_t low = 1, high = corners - 1; corners > 2 && low < high; ++low, --high) {
    vertex = index[low];
    index[low] = index[high];
    index[high] = vertex;
  }
  if (closed == '<') mote_mesh_add_polygon(maker, index, corners);
  return pass(reader, reader->primitives.row, error);
}

static mote_result take_primitives(bgeo_reader *reader, mote_mesh_maker *maker, mote_buffer *corner,
                                   mote_error *error) {
  for (uint64_t k = 0; k < reader->number[2];) {
    uint32_t kind = 0, count = 1;
    MOTE_IO_TRY(take(reader, 4, &kind, error));
    if (kind == run_of_primitives) {
      MOTE_IO_TRY(take(reader, 2, &count, error));
      MOTE_IO_TRY(take(reader, 4, &kind, error));
    }
    if (kind != POLYGON)
      return mote_io_fail(error, MOTE_ERROR_FORMAT, reader->source->path,
                          "primitives of type %u: only polygons are read", kind);
    if (count == 0)
      return mote_io_fail(error, MOTE_ERROR_FORMAT, reader->source->path, "a run of no polygons");
    k += count;
    for (; count > 0; --count) MOTE_IO_TRY(take_polygon(reader, maker, corner, error));
  }
  return maker->triangle.failed ? mote_io_fail_memory(error) : MOTE_OK;
}

// Cd becomes the field "colour", in sRGB.
static mote_result name_colours(mote_mesh_maker *maker, mote_error *error) {
  mote_field_view *linear = mote_cloud_field(&maker->cloud, "Cd");
  if (linear == NULL || linear->components != 3 || linear->type != MOTE_TYPE_F32 ||
      mote_cloud_field(&maker->cloud, "colour") != NULL || maker->cloud.fields == MOTE_CLOUD_FIELDS)
    return MOTE_OK;
  MOTE_IO_TRY(mote_cloud_add(&maker->cloud, maker->source, (mote_word){"colour", 6}, MOTE_TYPE_U8, 3, error));
  mote_field_view *colour = &maker->cloud.field[maker->cloud.fields - 1];
  for (size_t k = 0; k < 3 * colour->count; ++k)
    ((uint8_t *)colour->data)[k] =
        (uint8_t)floor(255 * mote_glb_srgb((double)((const float *)linear->data)[k]) + 0.5);
  // The field replaces the other, which is moved to the end and removed.
  mote_field_view last = *colour;
  *colour = *linear;
  *linear = last;
  mote_cloud dropped = {.count = maker->cloud.count, .fields = 1};
  dropped.field[0] = maker->cloud.field[--maker->cloud.fields];
  mote_cloud_free(&dropped, maker->source->env);
  return MOTE_OK;
}

static mote_result take_mesh(bgeo_reader *reader, mote_mesh_maker *maker, mote_error *error) {
  mote_buffer corner = mote_buffer_make(maker->source->env);
  mote_result result = take_all(reader, &maker->cloud, error);
  if (result == MOTE_OK) result = take_table(reader, &reader->vertices, reader->number[6], error);
  if (result == MOTE_OK) result = take_table(reader, &reader->primitives, reader->number[7], error);
  if (result == MOTE_OK) result = take_primitives(reader, maker, &corner, error);
  if (result == MOTE_OK) result = take_table(reader, &reader->whole, reader->number[8], error);
  if (result == MOTE_OK) take_facts(reader, &maker->cloud);
  mote_buffer_free(&corner);
  return result == MOTE_OK ? name_colours(maker, error) : result;
}

mote_result mote_bgeo_read_mesh(mote_mesh_maker *maker, mote_error *error) {
  const mote_env *env = maker->source->env;
  bgeo_reader *reader = mote_io_new(env, sizeof *reader);
  if (reader == NULL) return mote_io_fail_memory(error);
  reader->source = maker->source;
  mote_result result = take_mesh(reader, maker, error);
  mote_io_delete(env, reader, sizeof *reader);
  return result;
}

mote_result mote_bgeo_read(const mote_file_content *source, mote_cloud *out, mote_error *error) {
  bgeo_reader *reader = mote_io_new(source->env, sizeof *reader);
  if (reader == NULL) return mote_io_fail_memory(error);
  reader->source = source;
  mote_result result = take_all(reader, out, error);
  // Other data follow the primitives, which have many kinds: read only without primitives.
  if (result == MOTE_OK && reader->number[2] == 0 && reader->number[7] == 0 &&
      take_table(reader, &reader->whole, reader->number[8], NULL) == MOTE_OK)
    take_facts(reader, out);
  mote_io_delete(source->env, reader, sizeof *reader);
  return result;
}

// The head has the number of primitives; their kind follows the points.
bool mote_bgeo_holds_polygons(const char *path) {
  uint8_t head[HEAD];
  gzFile file = gzopen(path, "rb");
  if (file == NULL) return false;
  bool whole = gzread(file, head, HEAD) == HEAD && memcmp(head, "BgeoV", 5) == 0;
  gzclose(file);
  if (!whole || (head[13] | head[14] | head[15] | head[16]) == 0) return false;
  mote_env env = mote_env_default();
  mote_buffer bytes;
  uint32_t kind = 0, count = 0;
  if (mote_file_in_load(path, &env, &bytes, NULL) != MOTE_OK) return false;
  mote_file_content source = {bytes.data, bytes.size, path, &env};
  bgeo_reader *reader = mote_io_new(&env, sizeof *reader);
  if (reader != NULL) {
    reader->source = &source;
    bool found = take_head(reader, NULL) == MOTE_OK &&
                 reader->number[1] <= (source.size - reader->at) / reader->points.row &&
                 pass(reader, reader->number[1] * reader->points.row, NULL) == MOTE_OK &&
                 take_table(reader, &reader->vertices, reader->number[6], NULL) == MOTE_OK &&
                 take_table(reader, &reader->primitives, reader->number[7], NULL) == MOTE_OK &&
                 take(reader, 4, &kind, NULL) == MOTE_OK;
    if (found && kind == run_of_primitives && take(reader, 2, &count, NULL) == MOTE_OK)
      (void)take(reader, 4, &kind, NULL);
  }
  mote_io_delete(&env, reader, sizeof *reader);
  mote_buffer_free(&bytes);
  return kind == POLYGON;
}
