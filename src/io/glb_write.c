// Surfaces as GLB (glTF 2.0): one mesh of one primitive on one node, y up. Positions are floats relative to
// the node's translation, for accuracy far from the origin; see glb.h, glb_fields.c.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/glb.h"
#include "io/stamp.h"

enum { PARTS_MOST = MOTE_SURFACE_FIELDS + 4, PORTION = 2048, ROW_MOST = 16 };

typedef enum part_kind {
  PART_POSITION,
  PART_NORMAL,
  PART_COLOUR,
  PART_TEXTURE,  // of a field that is also written by itself, because 1 - v loses digits
  PART_FIELD,
  PART_MOVE,
  PART_INDEX
} part_kind;

// One accessor with a view of its own.
typedef struct glb_part {
  part_kind kind;
  const mote_field_view *field;
  char attribute[140];
  int components;
  size_t rows, row_size;
} glb_part;

typedef struct glb_writer {
  const mote_surface *surface;
  const mote_stamp *stamp;
  double origin[3];       // the node's translation
  float low[3], high[3];  // of the positions as written
  int parts;
  glb_part part[PARTS_MOST];
} glb_writer;

// --- Positions --------------------------------------------------------------------------------------------

// Near the origin positions are written directly; far away relative to their centre, which is a float itself.
static void choose_origin(glb_writer *writer) {
  const mote_mesh *mesh = &writer->surface->mesh;
  double low[3], high[3], size = 0, away = 0;
  for (int c = 0; c < 3; ++c) {
    low[c] = high[c] = mesh->vertices > 0 ? mesh->vertex[c] : 0;
    for (size_t k = 1; k < mesh->vertices; ++k) {
      low[c] = fmin(low[c], mesh->vertex[3 * k + (size_t)c]);
      high[c] = fmax(high[c], mesh->vertex[3 * k + (size_t)c]);
    }
    size = fmax(size, high[c] - low[c]);
    away = fmax(away, fmax(fabs(low[c]), fabs(high[c])));
  }
  for (int c = 0; c < 3; ++c)
    writer->origin[c] = away > 8 * size ? (double)(float)(0.5 * (low[c] + high[c])) : 0;
}

static float place(const glb_writer *writer, size_t vertex, int c) {
  return (float)(writer->surface->mesh.vertex[3 * vertex + (size_t)c] - writer->origin[c]);
}

static void find_bounds(glb_writer *writer) {
  for (int c = 0; c < 3; ++c) {
    writer->low[c] = writer->high[c] = place(writer, 0, c);
    for (size_t k = 1; k < writer->surface->mesh.vertices; ++k) {
      writer->low[c] = fminf(writer->low[c], place(writer, k, c));
      writer->high[c] = fmaxf(writer->high[c], place(writer, k, c));
    }
  }
}

// --- Attributes ----------------------------------------------------------------------------------------

// _NAME, in capitals, letters and digits only, and not twice.
static void name_attribute(const glb_writer *writer, glb_part *part) {
  size_t used = 0;
  part->attribute[used++] = '_';
  for (const char *c = part->field->name; *c != 0 && used < 120; ++c) {
    bool small = *c >= 'a' && *c <= 'z';
    bool plain = small || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9');
    part->attribute[used++] = small ? (char)(*c - 'a' + 'A') : plain ? *c : '_';
  }
  for (int k = 0; k < writer->parts; ++k)
    if (strcmp(writer->part[k].attribute, part->attribute) == 0)
      snprintf(part->attribute + used, sizeof part->attribute - used, "_%d", writer->parts);
}

static void add_part(glb_writer *writer, part_kind kind, const mote_field_view *field, int components,
                     const char *attribute) {
  const mote_mesh *mesh = &writer->surface->mesh;
  glb_part *part = &writer->part[writer->parts];
  *part = (glb_part){.kind = kind, .field = field, .components = components};
  part->rows = kind == PART_INDEX ? 3 * mesh->triangles : mesh->vertices;
  part->row_size = kind == PART_COLOUR ? 8 : 4 * (size_t)components;
  if (attribute != NULL)
    snprintf(part->attribute, sizeof part->attribute, "%s", attribute);
  else if (field != NULL)
    name_attribute(writer, part);
  ++writer->parts;
}

// Texture coordinates; null: none.
static const mote_field_view *find_texture(const mote_surface *surface) {
  for (int k = 0; k < surface->fields; ++k)
    if (strcmp(surface->field[k].name, "uv") == 0 && surface->field[k].components == 2)
      return &surface->field[k];
  return NULL;
}

static void add_parts(glb_writer *writer) {
  const mote_surface *surface = writer->surface;
  const mote_field_view *colour = mote_surface_colour(surface), *texture = find_texture(surface);
  add_part(writer, PART_POSITION, NULL, 3, "POSITION");
  if (surface->normal != NULL) add_part(writer, PART_NORMAL, NULL, 3, "NORMAL");
  for (int k = 0; k < surface->fields; ++k) {
    const mote_field_view *field = &surface->field[k];
    if (field == colour)
      add_part(writer, PART_COLOUR, field, 4, "COLOR_0");
    else if (strcmp(field->name, MOTE_GLB_NEXT) == 0 && field->components == 3)
      add_part(writer, PART_MOVE, field, 3, MOTE_GLB_TARGET);
    else if (field == texture)
      add_part(writer, PART_TEXTURE, field, 2, "TEXCOORD_0"), add_part(writer, PART_FIELD, field, 2, NULL);
    else if (field->components <= 4)
      add_part(writer, PART_FIELD, field, field->components, NULL);
  }
  add_part(writer, PART_INDEX, NULL, 1, NULL);
}

// The format has finite numbers only: others become 0.
static float plain(double value) {
  float number = (float)value;
  return isfinite(number) ? number : 0;
}

// --- The JSON chunk ---------------------------------------------------------------------------------------

static void put_key(mote_buffer *json, const char *before, const char *key) {
  mote_buffer_text(json, before);
  mote_json_put_text(json, key);
  mote_buffer_text(json, ":");
}

static void put_count(mote_buffer *json, const char *before, const char *key, uint64_t value) {
  char number[32];
  put_key(json, before, key);
  snprintf(number, sizeof number, "%llu", (unsigned long long)value);
  mote_buffer_text(json, number);
}

static void put_triple(mote_buffer *json, const char *before, const char *key, const double x[3]) {
  put_key(json, before, key);
  for (int c = 0; c < 3; ++c) {
    mote_buffer_text(json, c == 0 ? "[" : ",");
    mote_json_put_number(json, x[c]);
  }
  mote_buffer_text(json, "]");
}

static void put_asset(const glb_writer *writer, mote_buffer *json) {
  const mote_stamp *stamp = writer->stamp;
  char text[64];
  snprintf(text, sizeof text, "mote %s", mote_version());
  mote_buffer_text(json, "{\"asset\":{\"version\":\"2.0\"");
  put_key(json, ",", "generator");
  mote_json_put_text(json, text);
  put_key(json, ",", "extras");
  const char *before = "{";
  if (stamp->version[0] != 0) {
    put_key(json, before, "mote");
    mote_json_put_text(json, stamp->version);
    put_key(json, ",", "scene");
    mote_stamp_hash(stamp->scene_hash, text);
    mote_json_put_text(json, text);
    put_count(json, ",", "step", stamp->step);
    before = ",";
  }
  if (!isnan(stamp->time)) {
    put_key(json, before, "time");
    mote_json_put_number(json, stamp->time);
    before = ",";
  }
  const double size[2] = {stamp->spacing, stamp->volume_ratio};
  for (int k = 0; k < 2; ++k) {
    if (!(size[k] > 0.0)) continue;
    put_key(json, before, k == 0 ? "spacing" : "volume_ratio");
    mote_json_put_number(json, size[k]);
    before = ",";
  }
  mote_buffer_text(json, before[0] == '{' ? "{}}" : "}}");
}

static void put_fields(const glb_writer *writer, mote_buffer *json) {
  const char *before = "";
  put_key(json, ",\"extras\":{", "fields");
  mote_buffer_text(json, "[");
  for (int k = 0; k < writer->parts; ++k) {
    const glb_part *part = &writer->part[k];
    if (part->field == NULL || part->kind == PART_TEXTURE) continue;
    mote_buffer_text(json, before);
    put_key(json, "{", "attribute");
    mote_json_put_text(json, part->attribute);
    put_key(json, ",", "name");
    mote_json_put_text(json, part->field->name);
    put_key(json, ",", "unit");
    mote_json_put_text(json, part->field->unit != NULL ? part->field->unit : "");
    put_key(json, ",", "type");
    mote_json_put_text(json, mote_type_name(part->field->type));
    put_count(json, ",", "components", (uint64_t)part->field->components);
    mote_buffer_text(json, "}");
    before = ",";
  }
  mote_buffer_text(json, "]}");
}

static void put_mesh(const glb_writer *writer, mote_buffer *json) {
  const double *origin = writer->origin;
  mote_buffer_text(json,
                   ",\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"surface\",\"mesh\":0");
  if (origin[0] != 0 || origin[1] != 0 || origin[2] != 0) put_triple(json, ",", "translation", origin);
  // Without a material, viewers assume metal.
  mote_buffer_text(json,
                   "}],\"materials\":[{\"name\":\"surface\",\"pbrMetallicRoughness\":{\"metallicFactor\":0,"
                   "\"roughnessFactor\":0.5}}],\"meshes\":[{\"name\":\"surface\",\"primitives\":[{"
                   "\"material\":0,\"mode\":4,\"attributes\":{");
  int move = -1;
  for (int k = 0; k + 1 < writer->parts; ++k) {
    if (writer->part[k].kind == PART_MOVE)
      move = k;
    else
      put_count(json, k > 0 ? "," : "", writer->part[k].attribute, (uint64_t)k);
  }
  put_count(json, "},", "indices", (uint64_t)(writer->parts - 1));
  if (move >= 0) {
    put_count(json, ",\"targets\":[{", "POSITION", (uint64_t)move);
    mote_buffer_text(json, "}]");
  }
  put_fields(writer, json);
  mote_buffer_text(
      json, move >= 0 ? "}],\"weights\":[0],\"extras\":{\"targetNames\":[\"" MOTE_GLB_NEXT "\"]}}]" : "}]}]");
}

static void find_move_bounds(const glb_part *part, double low[3], double high[3]) {
  for (int c = 0; c < 3; ++c) {
    low[c] = high[c] = (double)plain(mote_field_value(part->field, 0, c));
    for (size_t k = 1; k < part->rows; ++k) {
      double value = (double)plain(mote_field_value(part->field, k, c));
      low[c] = fmin(low[c], value), high[c] = fmax(high[c], value);
    }
  }
}

static void put_accessor(const glb_writer *writer, int k, mote_buffer *json) {
  static const char *const shapes[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
  const glb_part *part = &writer->part[k];
  uint64_t type = part->kind == PART_INDEX    ? MOTE_GLB_U32
                  : part->kind == PART_COLOUR ? MOTE_GLB_U16
                                              : MOTE_GLB_F32;
  put_count(json, k > 0 ? ",{" : "{", "bufferView", (uint64_t)k);
  put_count(json, ",", "componentType", type);
  put_count(json, ",", "count", part->rows);
  put_key(json, ",", "type");
  mote_json_put_text(json, shapes[part->components]);
  if (part->kind == PART_COLOUR) mote_buffer_text(json, ",\"normalized\":true");
  if (part->kind == PART_POSITION || part->kind == PART_MOVE) {
    double low[3], high[3];
    for (int c = 0; c < 3; ++c) low[c] = (double)writer->low[c], high[c] = (double)writer->high[c];
    if (part->kind == PART_MOVE) find_move_bounds(part, low, high);
    put_triple(json, ",", "min", low);
    put_triple(json, ",", "max", high);
  }
  mote_buffer_text(json, "}");
}

// Accessors and their views; the bytes of all of them.
static uint64_t put_accessors(const glb_writer *writer, mote_buffer *json) {
  uint64_t bytes = 0;
  mote_buffer_text(json, ",\"accessors\":[");
  for (int k = 0; k < writer->parts; ++k) put_accessor(writer, k, json);
  mote_buffer_text(json, "],\"bufferViews\":[");
  for (int k = 0; k < writer->parts; ++k) {
    const glb_part *part = &writer->part[k];
    uint64_t length = (uint64_t)part->rows * part->row_size;
    put_count(json, k > 0 ? ",{" : "{", "buffer", 0);
    put_count(json, ",", "byteOffset", bytes);
    put_count(json, ",", "byteLength", length);
    put_count(json, ",", "target", part->kind == PART_INDEX ? 34963 : 34962);
    mote_buffer_text(json, "}");
    bytes += length;
  }
  put_count(json, "],\"buffers\":[{", "byteLength", bytes);
  mote_buffer_text(json, "}]");
  return bytes;
}

// --- The numbers ------------------------------------------------------------------------------------------

static void fill_row(const glb_writer *writer, const glb_part *part, size_t row, uint8_t *to) {
  float number[4];
  uint16_t colour[4];
  if (part->kind == PART_INDEX) memcpy(to, writer->surface->mesh.triangle + row, 4);
  if (part->kind == PART_NORMAL) memcpy(to, writer->surface->normal + 3 * row, 12);
  for (int c = 0; c < part->components; ++c) {
    if (part->kind == PART_POSITION) number[c] = place(writer, row, c);
    if (part->kind == PART_FIELD || part->kind == PART_MOVE)
      number[c] = plain(mote_field_value(part->field, row, c));
    if (part->kind == PART_TEXTURE) {
      double value = mote_field_value(part->field, row, c);
      number[c] = plain(c == 0 ? value : 1 - value);
    }
    if (part->kind == PART_COLOUR) {
      double value = c < part->field->components ? mote_field_value(part->field, row, c) : 1;
      if (c < part->field->components && part->field->type == MOTE_TYPE_U8) value /= 255;
      value = c < 3 ? mote_glb_linear(value) : fmin(fmax(value, 0), 1);
      colour[c] = (uint16_t)floor(65535 * (isfinite(value) ? value : 0) + 0.5);
    }
  }
  if (part->kind == PART_COLOUR)
    memcpy(to, colour, sizeof colour);
  else if (part->kind != PART_INDEX && part->kind != PART_NORMAL)
    memcpy(to, number, part->row_size);
}

static void write_numbers(const glb_writer *writer, mote_file_out *out) {
  uint8_t bytes[PORTION * ROW_MOST];
  for (int k = 0; k < writer->parts; ++k) {
    const glb_part *part = &writer->part[k];
    for (size_t begin = 0; begin < part->rows; begin += PORTION) {
      size_t rows = part->rows - begin < PORTION ? part->rows - begin : PORTION;
      for (size_t r = 0; r < rows; ++r) fill_row(writer, part, begin + r, bytes + r * part->row_size);
      mote_file_out_write(out, bytes, rows * part->row_size);
    }
  }
}

// --- The file ---------------------------------------------------------------------------------------------

static mote_result write_file(const glb_writer *writer, mote_buffer *json, mote_file_out *out,
                              mote_error *error) {
  bool empty = writer->surface->mesh.triangles == 0;
  put_asset(writer, json);
  if (!empty) put_mesh(writer, json);
  uint64_t bytes = empty ? 0 : put_accessors(writer, json);
  mote_buffer_text(json, empty ? ",\"scene\":0,\"scenes\":[{\"name\":\"empty\"}]}" : "}");
  while (json->size % 4 != 0 && !json->failed) mote_buffer_text(json, " ");
  if (json->failed) return mote_io_fail_memory(error);
  uint64_t all = 12 + 8 + json->size + (empty ? 0 : 8 + bytes);
  if (all > UINT32_MAX)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL,
                        "GLB files hold at most 4 GB, this surface needs %llu", (unsigned long long)all);
  uint32_t head[5] = {MOTE_GLB_MAGIC, 2, (uint32_t)all, (uint32_t)json->size, MOTE_GLB_JSON};
  uint32_t chunk[2] = {(uint32_t)bytes, MOTE_GLB_BIN};
  mote_file_out_write(out, head, sizeof head);
  mote_file_out_write(out, json->data, json->size);
  if (empty) return MOTE_OK;
  mote_file_out_write(out, chunk, sizeof chunk);
  write_numbers(writer, out);
  return MOTE_OK;
}

mote_result mote_glb_write(const mote_surface *surface, const mote_stamp *stamp, mote_file_out *out,
                           mote_error *error) {
  mote_env env = mote_env_default();
  glb_writer *writer = mote_io_new(&env, sizeof *writer);
  if (writer == NULL) return mote_io_fail_memory(error);
  mote_buffer json = mote_buffer_make(&env);
  writer->surface = surface;
  writer->stamp = stamp;
  if (surface->mesh.triangles > 0) {
    choose_origin(writer);
    find_bounds(writer);
    add_parts(writer);
  }
  mote_result result = write_file(writer, &json, out, error);
  mote_buffer_free(&json);
  mote_io_delete(&env, writer, sizeof *writer);
  return result;
}
