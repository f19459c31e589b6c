// Normals, colours and fields of the vertices of a GLB file: NORMAL, COLOR_0, _NAME, and one that is a morph
// target. Their original types are in the primitive's "extras":
//   "fields":[{"attribute":"_VELOCITY","name":"velocity","unit":"m/s","type":"f32","components":3}]
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/glb.h"

typedef struct field_about {
  char name[128], unit[32];
  mote_type type;
  int components;
} field_about;

// Fields of attributes of other programs: _VELOCITY is the field "velocity".
static field_about guess(mote_json key, const mote_glb_values *values) {
  field_about about = {.type = MOTE_TYPE_F32, .components = values->components};
  char name[128];
  mote_json_text(key, name, sizeof name);
  size_t used = 0;
  for (const char *c = name + (name[0] == '_'); *c != 0; ++c)
    about.name[used++] = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
  if (mote_json_is(key, "NORMAL")) snprintf(about.name, sizeof about.name, "normal");
  if (mote_json_is(key, "COLOR_0")) {
    snprintf(about.name, sizeof about.name, "colour");
    about.type = MOTE_TYPE_U8;
  }
  return about;
}

static field_about find_about(mote_json fields, mote_json key, const mote_glb_values *values) {
  field_about about = guess(key, values);
  mote_json none, field;
  for (size_t at = 0; mote_json_next(fields, &at, &none, &field);) {
    mote_json attribute = mote_json_get(field, "attribute");
    if (attribute.size != key.size || memcmp(attribute.text, key.text, key.size) != 0) continue;
    uint64_t components = 0;
    char type[8];
    mote_json_text(mote_json_get(field, "name"), about.name, sizeof about.name);
    mote_json_text(mote_json_get(field, "unit"), about.unit, sizeof about.unit);
    mote_json_text(mote_json_get(field, "type"), type, sizeof type);
    for (int k = 0; k < MOTE_TYPE_COUNT; ++k)
      if (strcmp(type, mote_type_name((mote_type)k)) == 0) about.type = (mote_type)k;
    if (mote_json_count(mote_json_get(field, "components"), &components) && components >= 1 &&
        components <= (uint64_t)values->components)
      about.components = (int)components;
  }
  return about;
}

// Colours are linear in glTF and sRGB here; alpha is linear in both.
static double colour_of(double linear, int component, mote_type type) {
  double srgb = component < 3 ? mote_glb_srgb(linear) : fmin(fmax(linear, 0), 1);
  return type == MOTE_TYPE_U8 ? floor(255 * srgb + 0.5) : srgb;
}

static void take_rows(const mote_glb_values *values, const mote_glb_place *place, mote_field_view *field) {
  size_t size = mote_type_size(field->type);
  bool colour = strcmp(field->name, "colour") == 0, normal = strcmp(field->name, "normal") == 0;
  for (size_t k = 0; k < field->count; ++k) {
    double x[4] = {0}, turned[3];
    for (int c = 0; c < field->components; ++c) x[c] = mote_glb_value(values, k, c);
    if (normal) {
      mote_glb_normal(place, x, turned);
      memcpy(x, turned, sizeof turned);
    }
    for (int c = 0; c < field->components; ++c)
      mote_raw_store(field->type, colour ? colour_of(x[c], c, field->type) : x[c],
                     (uint8_t *)field->data + (k * (size_t)field->components + (size_t)c) * size);
  }
}

static mote_result read_field(const mote_glb *glb, mote_json key, mote_json index, mote_json fields,
                              const mote_glb_place *place, mote_error *error) {
  mote_glb_values values;
  mote_cloud *cloud = &glb->maker->cloud;
  bool normal = mote_json_is(key, "NORMAL"), colour = mote_json_is(key, "COLOR_0");
  bool own = (key.size > 3 && key.text[1] == '_') || mote_json_is(key, MOTE_GLB_TARGET);
  if (!normal && !colour && !own) return MOTE_OK;
  MOTE_IO_TRY(mote_glb_open(glb, index, &values, error));
  if (values.count != cloud->count)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, glb->maker->source->path,
                        "attribute %.*s has %zu rows for %zu vertices", (int)(key.size < 40 ? key.size : 40),
                        key.text, values.count, cloud->count);
  field_about about = find_about(fields, key, &values);
  bool fits = normal ? about.components == 3 : !colour || about.components >= 3;
  // Reserved names are not used for fields of other programs.
  if (own && (strcmp(about.name, "position") == 0 || strcmp(about.name, "normal") == 0)) fits = false;
  if (!fits || about.name[0] == 0 || mote_cloud_find(cloud, about.name) != NULL ||
      cloud->fields == MOTE_CLOUD_FIELDS)
    return MOTE_OK;
  MOTE_IO_TRY(mote_cloud_add(cloud, glb->maker->source, (mote_word){about.name, strlen(about.name)},
                             about.type, about.components, error));
  mote_field_view *field = &cloud->field[cloud->fields - 1];
  take_rows(&values, place, field);
  return mote_cloud_set_unit(field, (mote_word){about.unit, strlen(about.unit)}, glb->maker->source->env,
                             error);
}

mote_result mote_glb_read_fields(const mote_glb *glb, mote_json primitive, const mote_glb_place *place,
                                 mote_error *error) {
  mote_json attributes = mote_json_get(primitive, "attributes"), key, value;
  mote_json fields = mote_json_get(mote_json_get(primitive, "extras"), "fields");
  glb->maker->cloud.count = mote_mesh_vertices(glb->maker);
  if (fields.size > 0 && fields.text[0] != '[') fields.size = 0;
  for (size_t at = 0; mote_json_next(attributes, &at, &key, &value);)
    MOTE_IO_TRY(read_field(glb, key, value, fields, place, error));
  // A morph target is a field only if Mote wrote it as one.
  mote_json none, field, target = {0};
  for (size_t at = 0; mote_json_next(fields, &at, &none, &field);) {
    key = mote_json_get(field, "attribute");
    if (!mote_json_is(key, MOTE_GLB_TARGET)) continue;
    size_t first = 0;
    if (!mote_json_next(mote_json_get(primitive, "targets"), &first, &none, &target)) return MOTE_OK;
    value = mote_json_get(target, "POSITION");
    return value.size > 0 ? read_field(glb, key, value, fields, place, error) : MOTE_OK;
  }
  return MOTE_OK;
}
