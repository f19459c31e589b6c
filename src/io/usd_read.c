// Surfaces and particles from USD in text (usda): prims Mesh and Points with their attributes, as written
// by usd_write.c and by other programs. Of time samples the first is used; of transformations translations
// are read, others are refused; references, variants, overs and classes are skipped.
#include <math.h>
#include <string.h>

#include "io/glb.h"
#include "io/stamp.h"

enum { ATTRIBUTES_MOST = 2 * MOTE_CLOUD_FIELDS };

typedef struct usd_attribute {
  mote_word type, name;
  mote_scan value;  // where it begins
  bool sampled;     // by time
  mote_word interpolation;
  char field[128], unit[32], field_type[8];  // the field in Mote, from customData
  uint64_t element;
} usd_attribute;

typedef struct usd_prim {
  mote_word type;
  double origin[3];
  int attributes;
  usd_attribute attribute[ATTRIBUTES_MOST];
} usd_prim;

typedef struct usd_reader {
  const mote_file_content *source;
  mote_scan scan;
  mote_mesh_maker *maker;  // null: reads points
  mote_cloud *cloud;
  mote_stamp_lines lines;
  int prims;         // read: of the requested type
  usd_prim *kept;    // the first of these
  usd_prim *opened;  // one per level
} usd_reader;

// --- Metadata ---------------------------------------------------------------------------------------------

static mote_result take_entry(mote_scan *scan, mote_word key, usd_attribute *about, usd_reader *usd,
                              mote_error *error) {
  mote_word text = {"", 0};
  bool quoted = mote_usd_is_text(mote_usd_pass_space(scan));
  mote_scan value = *scan;
  if (quoted)
    MOTE_IO_TRY(mote_usd_text(scan, &text, error));
  else
    MOTE_IO_TRY(mote_usd_pass_value(scan, error));
  if (about == NULL) {
    mote_scan lines = mote_scan_make(text.text, text.size, NULL);
    while (quoted && mote_word_is(key, "mote") && !mote_scan_ended(&lines))
      mote_stamp_take(&usd->lines, mote_scan_line(&lines));
    return MOTE_OK;
  }
  if (mote_word_is(key, "interpolation")) about->interpolation = text;
  if (mote_word_is(key, "name")) mote_usd_copy(text, about->field, sizeof about->field);
  if (mote_word_is(key, "unit")) mote_usd_copy(text, about->unit, sizeof about->unit);
  if (mote_word_is(key, "type")) mote_usd_copy(text, about->field_type, sizeof about->field_type);
  if (mote_word_is(key, "elementSize")) (void)mote_word_count(mote_usd_word(&value), &about->element);
  return MOTE_OK;
}

// KEY = VALUE within round brackets, TYPE KEY = VALUE within those of customData. about null: of the layer.
static mote_result take_metadata(mote_scan *scan, char closing, usd_attribute *about, usd_reader *usd,
                                 mote_error *error) {
  mote_word text;
  ++scan->at;
  while (!mote_usd_sign(scan, closing)) {
    int c = mote_usd_pass_space(scan);
    if (mote_usd_is_text(c)) {  // a comment
      MOTE_IO_TRY(mote_usd_text(scan, &text, error));
      continue;
    }
    mote_word key = mote_usd_word(scan), next = key;
    if (key.size == 0) return mote_scan_fail(scan, error, "a name should stand here");
    for (;;) {  // "prepend", "dictionary", "string[]": the last word is the key
      if (mote_usd_sign(scan, '[')) MOTE_IO_TRY(mote_usd_expect(scan, ']', error));
      if (mote_usd_is_text(mote_usd_pass_space(scan))) MOTE_IO_TRY(mote_usd_text(scan, &next, error));
      next = mote_usd_word(scan);
      if (next.size == 0) break;
      key = next;
    }
    MOTE_IO_TRY(mote_usd_expect(scan, '=', error));
    bool data = mote_word_is(key, about != NULL ? "customData" : "customLayerData");
    if (data && closing == ')' && mote_usd_pass_space(scan) == '{')
      MOTE_IO_TRY(take_metadata(scan, '}', about, usd, error));
    else
      MOTE_IO_TRY(take_entry(scan, key, about, usd, error));
  }
  return MOTE_OK;
}

// --- Numbers ----------------------------------------------------------------------------------------------

// All numbers of a list with any nested brackets; grows `out`.
static mote_result take_list(const usd_attribute *attribute, mote_type type, mote_buffer *out,
                             mote_error *error) {
  mote_scan scan = attribute->value;
  int depth = 0;
  do {
    int c = mote_usd_pass_space(&scan);
    if (c == '[' || c == '(') {
      ++depth, ++scan.at;
    } else if (c == ']' || c == ')') {
      --depth, ++scan.at;
    } else if (c == ',') {
      ++scan.at;
    } else {
      mote_word word = mote_usd_word(&scan);
      uint64_t number;
      if (word.size == 0 || mote_raw_parse(type, word.text, word.size, &number) != word.size)
        return mote_scan_fail_at(&scan, word, error, "\"%.*s\" is not a number",
                                 (int)(word.size < 40 ? word.size : 40), word.text);
      mote_buffer_add(out, &number, mote_type_size(type));
    }
  } while (depth > 0);
  return out->failed ? mote_io_fail_memory(error) : MOTE_OK;
}

static const usd_attribute *find(const usd_prim *prim, const char *name) {
  for (int k = 0; k < prim->attributes; ++k)
    if (mote_word_is(prim->attribute[k].name, name)) return &prim->attribute[k];
  return NULL;
}

static mote_result take_named(const usd_reader *usd, const usd_prim *prim, const char *name, mote_type type,
                              mote_buffer *out, mote_error *error) {
  const usd_attribute *attribute = find(prim, name);
  if (attribute == NULL)
    return mote_scan_fail(&usd->scan, error, "a %.*s without %s", (int)prim->type.size, prim->type.text,
                          name);
  return take_list(attribute, type, out, error);
}

// --- Points, triangles, fields ----------------------------------------------------------------------------

// The type of the numbers, and the number of components: "vector3f" is F32 and 3.
static bool find_type(mote_word type, mote_type *out, int *components) {
  static const struct {
    const char *name;
    mote_type type;
  } known[] = {{"float", MOTE_TYPE_F32},    {"double", MOTE_TYPE_F64}, {"half", MOTE_TYPE_F32},
               {"int", MOTE_TYPE_I32},      {"uint", MOTE_TYPE_U32},   {"int64", MOTE_TYPE_U64},
               {"uint64", MOTE_TYPE_U64},   {"uchar", MOTE_TYPE_U8},   {"vector", MOTE_TYPE_F32},
               {"normal", MOTE_TYPE_F32},   {"point", MOTE_TYPE_F32},  {"color", MOTE_TYPE_F32},
               {"texCoord", MOTE_TYPE_F32}, {"quat", MOTE_TYPE_F32}};
  *components = 1;
  for (size_t k = 0; k < sizeof known / sizeof *known; ++k) {
    size_t length = strlen(known[k].name);
    if (type.size < length || memcmp(type.text, known[k].name, length) != 0) continue;
    mote_word rest = {type.text + length, type.size - length};
    *out = known[k].type;
    if (rest.size == 0) return true;
    char digit = rest.text[0], last = rest.text[rest.size - 1];
    if (rest.size > 2 || digit < '2' || digit > '4') continue;
    *components = digit - '0';
    if (last == 'd') *out = MOTE_TYPE_F64;
    return true;
  }
  return false;
}

static mote_result take_points(usd_reader *usd, const usd_prim *prim, mote_buffer *number,
                               mote_error *error) {
  MOTE_IO_TRY(take_named(usd, prim, "points", MOTE_TYPE_F64, number, error));
  double *x = (double *)(void *)number->data;
  size_t numbers = number->size / sizeof *x;
  if (numbers % 3 != 0)
    return mote_scan_fail(&find(prim, "points")->value, error, "points of %zu numbers", numbers);
  mote_type type;
  int components;
  bool single = find_type(find(prim, "points")->type, &type, &components) && type == MOTE_TYPE_F32;
  for (size_t k = 0; k < numbers; ++k)
    x[k] = (single ? (double)(float)x[k] : x[k]) + prim->origin[k % 3];  // point3f: text is rounded
  return MOTE_OK;
}

static mote_result take_faces(usd_reader *usd, const usd_prim *prim, size_t first, mote_buffer *count,
                              mote_buffer *corner, mote_error *error) {
  MOTE_IO_TRY(take_named(usd, prim, "faceVertexCounts", MOTE_TYPE_U32, count, error));
  MOTE_IO_TRY(take_named(usd, prim, "faceVertexIndices", MOTE_TYPE_U32, corner, error));
  size_t faces = count->size / 4, corners = corner->size / 4, at = 0;
  size_t vertices = mote_mesh_vertices(usd->maker) - first;
  const uint32_t *counts = (const uint32_t *)(const void *)count->data;
  uint32_t *index = (uint32_t *)(void *)corner->data;
  const usd_attribute *orientation = find(prim, "orientation");
  mote_scan hand = orientation != NULL ? orientation->value : usd->scan;
  mote_word text = {"", 0};
  if (orientation != NULL && mote_usd_is_text(mote_usd_pass_space(&hand)))
    MOTE_IO_TRY(mote_usd_text(&hand, &text, error));
  for (size_t k = 0; k < corners; ++k) {
    if (index[k] >= vertices)
      return mote_scan_fail(&find(prim, "faceVertexIndices")->value, error,
                            "there is no vertex %u: the mesh has %zu", index[k], vertices);
    index[k] += (uint32_t)first;
  }
  for (size_t k = 0; k < faces; at += counts[k], ++k) {
    if (counts[k] > corners - at)
      return mote_scan_fail(&find(prim, "faceVertexCounts")->value, error,
                            "faces of more corners than the %zu that there are", corners);
    for (uint32_t c = 0; mote_word_is(text, "leftHanded") && c < counts[k] / 2; ++c) {
      uint32_t swapped = index[at + c];
      index[at + c] = index[at + counts[k] - 1 - c];
      index[at + counts[k] - 1 - c] = swapped;
    }
    mote_mesh_add_polygon(usd->maker, index + at, counts[k]);
  }
  return usd->maker->triangle.failed ? mote_io_fail_memory(error) : MOTE_OK;
}

static mote_result take_mesh(usd_reader *usd, const usd_prim *prim, mote_error *error) {
  mote_buffer point = mote_buffer_make(usd->source->env), count = mote_buffer_make(usd->source->env),
              corner = mote_buffer_make(usd->source->env);
  size_t first = mote_mesh_vertices(usd->maker);
  mote_result result = take_points(usd, prim, &point, error);
  if (result == MOTE_OK) {
    mote_buffer_add(&usd->maker->vertex, point.data, point.size);
    if (usd->maker->vertex.failed) result = mote_io_fail_memory(error);
  }
  if (result == MOTE_OK && mote_mesh_vertices(usd->maker) > UINT32_MAX)
    result = mote_io_fail(error, MOTE_ERROR_FORMAT, usd->source->path, "more than %u vertices", UINT32_MAX);
  if (result == MOTE_OK) result = take_faces(usd, prim, first, &count, &corner, error);
  mote_buffer_free(&point);
  mote_buffer_free(&count);
  mote_buffer_free(&corner);
  return result;
}

static mote_result fill_field(usd_reader *usd, const usd_attribute *attribute, mote_field_view *field,
                              mote_error *error) {
  mote_buffer number = mote_buffer_make(usd->source->env);
  mote_result result = take_list(attribute, field->type, &number, error);
  size_t size = field->count * (size_t)field->components * mote_type_size(field->type);
  if (result == MOTE_OK && number.size != size)
    result =
        mote_scan_fail(&attribute->value, error, "%.*s has %zu numbers for %zu points of %d",
                       (int)(attribute->name.size < 60 ? attribute->name.size : 60), attribute->name.text,
                       number.size / mote_type_size(field->type), field->count, field->components);
  if (result == MOTE_OK && size > 0) memcpy(field->data, number.data, size);
  mote_buffer_free(&number);
  return result;
}

// displayColor with displayOpacity, linear, becomes the field "colour" in sRGB.
static mote_result take_colour(usd_reader *usd, const usd_prim *prim, const usd_attribute *colour,
                               mote_type type, mote_error *error) {
  const usd_attribute *opacity = find(prim, "primvars:displayOpacity");
  mote_buffer linear = mote_buffer_make(usd->source->env), alpha = mote_buffer_make(usd->source->env);
  size_t count = usd->cloud->count;
  mote_result result = take_list(colour, MOTE_TYPE_F64, &linear, error);
  if (result == MOTE_OK && opacity != NULL) result = take_list(opacity, MOTE_TYPE_F64, &alpha, error);
  bool fits = linear.size == 24 * count, four = alpha.size == 8 * count && opacity != NULL;
  if (result == MOTE_OK && fits) {
    result = mote_cloud_add(usd->cloud, usd->source, (mote_word){"colour", 6}, type, four ? 4 : 3, error);
    const double *value = (const double *)(const void *)linear.data,
                 *a = (const double *)(const void *)alpha.data;
    mote_field_view *field = &usd->cloud->field[usd->cloud->fields - 1];
    size_t size = mote_type_size(type), components = four ? 4 : 3;
    for (size_t k = 0; result == MOTE_OK && k < count; ++k)
      for (size_t c = 0; c < components; ++c) {
        double x = c < 3 ? mote_glb_srgb(value[3 * k + c]) : fmin(fmax(a[k], 0), 1);
        mote_raw_store(type, type == MOTE_TYPE_U8 ? floor(255 * x + 0.5) : x,
                       (uint8_t *)field->data + (k * components + c) * size);
      }
  }
  mote_buffer_free(&linear);
  mote_buffer_free(&alpha);
  return result;
}

// The name of the field that an attribute becomes: of the schema, of customData, or its own.
static bool name_field(const usd_attribute *attribute, char name[128]) {
  static const char *const known[][2] = {
      {"velocities", "velocity"}, {"normals", "normal"}, {"primvars:normals", "normal"}, {"ids", "id"}};
  bool ours = attribute->field[0] != 0, mine = false;
  for (size_t k = 0; k < sizeof known / sizeof *known; ++k)
    if (mote_word_is(attribute->name, known[k][0]))
      memcpy(name, known[k][1], strlen(known[k][1]) + 1), mine = true;
  if (ours) memcpy(name, attribute->field, sizeof attribute->field);
  bool primvar = attribute->name.size > 9 && memcmp(attribute->name.text, "primvars:", 9) == 0;
  if (primvar && !ours && !mine)
    mote_word_copy((mote_word){attribute->name.text + 9, attribute->name.size - 9}, name, 128);
  bool each = attribute->interpolation.size == 0 ? !primvar
                                                 : mote_word_is(attribute->interpolation, "vertex") ||
                                                       mote_word_is(attribute->interpolation, "varying");
  return (primvar || mine) && each && strcmp(name, "position") != 0;
}

static mote_result take_field(usd_reader *usd, const usd_prim *prim, const usd_attribute *attribute,
                              mote_error *error) {
  char name[128];
  mote_type type = MOTE_TYPE_F32, own = MOTE_TYPE_F32;
  int components;
  if (!name_field(attribute, name) || !find_type(attribute->type, &type, &components)) return MOTE_OK;
  if (mote_word_is(attribute->name, "primvars:displayOpacity")) return MOTE_OK;
  if (attribute->element > 1 && attribute->element <= 255 && components == 1)
    components = (int)attribute->element;
  bool colour = mote_word_is(attribute->name, "primvars:displayColor"), known = false;
  for (int k = 0; k < MOTE_TYPE_COUNT; ++k)
    if (strcmp(attribute->field_type, mote_type_name((mote_type)k)) == 0) own = (mote_type)k, known = true;
  if (colour) {
    if (mote_cloud_find(usd->cloud, "colour") != NULL) return MOTE_OK;
    return take_colour(usd, prim, attribute, known && own != MOTE_TYPE_U8 ? MOTE_TYPE_F32 : MOTE_TYPE_U8,
                       error);
  }
  if (mote_cloud_find(usd->cloud, name) != NULL) return MOTE_OK;
  MOTE_IO_TRY(mote_cloud_add(usd->cloud, usd->source, (mote_word){name, strlen(name)}, known ? own : type,
                             components, error));
  mote_field_view *field = &usd->cloud->field[usd->cloud->fields - 1];
  MOTE_IO_TRY(fill_field(usd, attribute, field, error));
  return mote_cloud_set_unit(field, (mote_word){attribute->unit, strlen(attribute->unit)}, usd->source->env,
                             error);
}

static mote_result take_fields(usd_reader *usd, const usd_prim *prim, mote_error *error) {
  for (int k = 0; k < prim->attributes; ++k) MOTE_IO_TRY(take_field(usd, prim, &prim->attribute[k], error));
  return MOTE_OK;
}

static mote_result take_particles(usd_reader *usd, const usd_prim *prim, mote_error *error) {
  mote_buffer point = mote_buffer_make(usd->source->env);
  mote_result result = take_points(usd, prim, &point, error);
  usd->cloud->count = point.size / 24;
  if (result == MOTE_OK)
    result = mote_cloud_add(usd->cloud, usd->source, (mote_word){"position", 8}, MOTE_TYPE_F64, 3, error);
  if (result == MOTE_OK && point.size > 0) memcpy(usd->cloud->field[0].data, point.data, point.size);
  mote_buffer_free(&point);
  MOTE_IO_TRY(result);
  MOTE_IO_TRY(mote_cloud_set_unit(&usd->cloud->field[0], (mote_word){"m", 1}, usd->source->env, error));
  return take_fields(usd, prim, error);
}

// --- Prims ------------------------------------------------------------------------------------------------

static mote_result take_transform(const usd_reader *usd, usd_prim *prim, const usd_attribute *attribute,
                                  mote_error *error) {
  static const char translate[] = "xformOp:translate";
  size_t length = strlen(translate);
  mote_word name = attribute->name;
  if (name.size < length || memcmp(name.text, translate, length) != 0)
    return mote_scan_fail_at(&attribute->value, name, error, "of transformations only translations are read");
  mote_buffer number = mote_buffer_make(usd->source->env);
  mote_result result = take_list(attribute, MOTE_TYPE_F64, &number, error);
  if (result == MOTE_OK && number.size != 24)
    result = mote_scan_fail(&attribute->value, error, "a translation of %zu numbers", number.size / 8);
  for (int c = 0; result == MOTE_OK && c < 3; ++c) prim->origin[c] += ((double *)(void *)number.data)[c];
  mote_buffer_free(&number);
  return result;
}

// Advances from { to the first value of time samples.
static mote_result enter_samples(mote_scan *scan, mote_error *error) {
  MOTE_IO_TRY(mote_usd_expect(scan, '{', error));
  mote_word time = mote_usd_word(scan);
  if (time.size == 0) return mote_scan_fail(scan, error, "time samples without a time");
  return mote_usd_expect(scan, ':', error);
}

static mote_result take_attribute(usd_reader *usd, usd_prim *prim, mote_word type, mote_error *error) {
  static const char samples[] = ".timeSamples";
  mote_scan *scan = &usd->scan;
  usd_attribute attribute = {.type = type};
  if (mote_usd_sign(scan, '[')) MOTE_IO_TRY(mote_usd_expect(scan, ']', error));
  attribute.name = mote_usd_word(scan);
  if (attribute.name.size == 0) return mote_scan_fail(scan, error, "an attribute without a name");
  size_t end = strlen(samples);
  attribute.sampled =
      attribute.name.size > end && memcmp(attribute.name.text + attribute.name.size - end, samples, end) == 0;
  if (attribute.sampled) attribute.name.size -= end;
  bool given = mote_usd_sign(scan, '=');
  if (given) {
    mote_usd_pass_space(scan);
    attribute.value = *scan;
    MOTE_IO_TRY(mote_usd_pass_value(scan, error));
    if (attribute.sampled) MOTE_IO_TRY(enter_samples(&attribute.value, error));
  }
  if (mote_usd_pass_space(scan) == '(') MOTE_IO_TRY(take_metadata(scan, ')', &attribute, usd, error));
  if (!given) return MOTE_OK;
  bool moves = attribute.name.size > 8 && memcmp(attribute.name.text, "xformOp:", 8) == 0;
  if (moves) return take_transform(usd, prim, &attribute, error);
  usd_attribute *same = NULL;
  for (int k = 0; k < prim->attributes; ++k)
    if (prim->attribute[k].name.size == attribute.name.size &&
        memcmp(prim->attribute[k].name.text, attribute.name.text, attribute.name.size) == 0)
      same = &prim->attribute[k];
  if (same == NULL && prim->attributes == ATTRIBUTES_MOST) return MOTE_OK;
  if (same == NULL || (same->sampled && !attribute.sampled))
    *(same != NULL ? same : &prim->attribute[prim->attributes++]) = attribute;
  return MOTE_OK;
}

static mote_result take_prim(usd_reader *usd, bool defined, int depth, mote_error *error);

static bool among(mote_word word, const char *const *names) {
  for (; *names != NULL; ++names)
    if (mote_word_is(word, *names)) return true;
  return false;
}

// Reads the content of a prim's brackets, or of the file: `prim` null.
static mote_result take_body(usd_reader *usd, usd_prim *prim, int depth, mote_error *error) {
  static const char *const before[] = {"custom", "uniform", "varying", "config", "prepend",
                                       "append", "add",     "delete",  NULL};
  static const char *const prims[] = {"over", "class", NULL}, *const passed[] = {"rel", "reorder", NULL};
  mote_scan *scan = &usd->scan;
  for (;;) {
    int c = mote_usd_pass_space(scan);
    if (c == 0 && prim == NULL) return MOTE_OK;
    if (prim != NULL && mote_usd_sign(scan, '}')) return MOTE_OK;
    mote_word word = mote_usd_word(scan);
    while (among(word, before)) word = mote_usd_word(scan);
    if (word.size == 0) return mote_scan_fail(scan, error, "a prim or an attribute should stand here");
    if (mote_word_is(word, "def") || among(word, prims)) {
      MOTE_IO_TRY(take_prim(usd, mote_word_is(word, "def"), depth, error));
    } else if (mote_word_is(word, "variantSet")) {
      MOTE_IO_TRY(mote_usd_pass_value(scan, error));
      MOTE_IO_TRY(mote_usd_expect(scan, '=', error));
      MOTE_IO_TRY(mote_usd_pass_value(scan, error));
    } else if (among(word, passed)) {
      if (mote_usd_word(scan).size == 0) return mote_scan_fail(scan, error, "a name should stand here");
      if (mote_usd_sign(scan, '=')) MOTE_IO_TRY(mote_usd_pass_value(scan, error));
      if (mote_usd_pass_space(scan) == '(') MOTE_IO_TRY(mote_usd_pass_value(scan, error));
    } else if (prim != NULL) {
      MOTE_IO_TRY(take_attribute(usd, prim, word, error));
    } else {
      return mote_scan_fail_at(scan, word, error, "\"%.*s\" begins no prim",
                               (int)(word.size < 40 ? word.size : 40), word.text);
    }
  }
}

static mote_result close_prim(usd_reader *usd, usd_prim *prim, mote_error *error) {
  bool mesh = mote_word_is(prim->type, "Mesh"), points = mote_word_is(prim->type, "Points");
  if (usd->maker != NULL && mesh) {
    if (usd->prims++ == 0) *usd->kept = *prim;
    return take_mesh(usd, prim, error);
  }
  if (usd->maker != NULL || !points) return MOTE_OK;
  if (usd->prims++ > 0) return mote_scan_fail(&usd->scan, error, "more than one prim of type Points");
  return take_particles(usd, prim, error);
}

static mote_result take_prim(usd_reader *usd, bool defined, int depth, mote_error *error) {
  mote_scan *scan = &usd->scan;
  mote_word type = mote_usd_word(scan), name;
  if (depth == MOTE_USD_DEPTH) return mote_scan_fail(scan, error, "prims deeper than %d", MOTE_USD_DEPTH);
  if (mote_usd_pass_space(scan) != '"') return mote_scan_fail(scan, error, "a prim without a name");
  MOTE_IO_TRY(mote_usd_text(scan, &name, error));
  if (mote_usd_pass_space(scan) == '(') MOTE_IO_TRY(mote_usd_pass_value(scan, error));
  if (mote_usd_pass_space(scan) != '{') return mote_scan_fail(scan, error, "a \"{\" should stand here");
  if (!defined) return mote_usd_pass_value(scan, error);
  ++scan->at;
  usd_prim *prim = &usd->opened[depth];
  prim->type = type;
  prim->attributes = 0;
  for (int c = 0; c < 3; ++c) prim->origin[c] = depth > 0 ? usd->opened[depth - 1].origin[c] : 0;
  MOTE_IO_TRY(take_body(usd, prim, depth + 1, error));
  return close_prim(usd, prim, error);
}

static mote_result take_layer(usd_reader *usd, mote_error *error) {
  const mote_file_content *source = usd->source;
  if (source->size < 5 || memcmp(source->data, "#usda", 5) != 0)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, source->path,
                        "not USD in text: it does not begin with #usda (usdcat turns others into it)");
  if (mote_usd_pass_space(&usd->scan) == '(') MOTE_IO_TRY(take_metadata(&usd->scan, ')', NULL, usd, error));
  MOTE_IO_TRY(take_body(usd, NULL, 0, error));
  usd->cloud->stamp = usd->lines.stamp;
  if (usd->prims == 0)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, source->path, "no prim of type %s in it",
                        usd->maker != NULL ? "Mesh" : "Points");
  if (usd->maker == NULL || usd->prims > 1) return MOTE_OK;
  usd->cloud->count = mote_mesh_vertices(usd->maker);
  return take_fields(usd, usd->kept, error);
}

static mote_result read_layer(const mote_file_content *source, mote_mesh_maker *maker, mote_cloud *cloud,
                              mote_error *error) {
  usd_reader usd = {.source = source,
                    .scan = mote_scan_make(source->data, source->size, source->path),
                    .maker = maker,
                    .cloud = cloud,
                    .lines = mote_stamp_lines_make()};
  size_t size = (MOTE_USD_DEPTH + 1) * sizeof(usd_prim);
  usd.opened = mote_io_new(source->env, size);
  if (usd.opened == NULL) return mote_io_fail_memory(error);
  usd.kept = usd.opened + MOTE_USD_DEPTH;
  mote_result result = take_layer(&usd, error);
  mote_io_delete(source->env, usd.opened, size);
  return result;
}

mote_result mote_usd_read_cloud(const mote_file_content *source, mote_cloud *out, mote_error *error) {
  return read_layer(source, NULL, out, error);
}

mote_result mote_usd_read_mesh(mote_mesh_maker *maker, mote_error *error) {
  return read_layer(maker->source, maker, &maker->cloud, error);
}
