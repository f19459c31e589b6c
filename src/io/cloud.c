// Clouds: the format by the file's ending, what all formats check, and memory.
#include "io/cloud.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/file_in.h"
#include "io/raw.h"

typedef mote_result cloud_reader(const mote_file_content *source, mote_cloud *out, mote_error *error);
typedef mote_result cloud_writer(const mote_cloud *cloud, mote_file_out *out, mote_error *error);

typedef struct cloud_format {
  const char *ending;
  cloud_reader *read;
  cloud_writer *write;
} cloud_format;

static const cloud_format formats[] = {
    {"vtp", mote_vtk_xml_read, mote_vtp_write},
    {"vtu", mote_vtk_xml_read, mote_vtu_write},
    {"ply", mote_ply_read_cloud, mote_ply_write_cloud},
    {"bgeo", mote_bgeo_read, mote_bgeo_write},
    {"csv", mote_csv_read, mote_csv_write},
    {"xyz", mote_xyz_read, mote_xyz_write},
    {"usda", mote_usd_read_cloud, mote_usd_write_cloud},
    {"vtk", mote_vtk_legacy_read, NULL},
    {"json", mote_json_read_cloud, NULL},
};
enum { FORMATS = sizeof formats / sizeof *formats };

const char *const *mote_cloud_endings(bool writing) {
  static const char *const read[] = {"vtp", "vtu", "ply", "bgeo", "csv", "xyz", "usda", "vtk", "json", NULL};
  static const char *const written[] = {"vtp", "vtu", "ply", "bgeo", "csv", "xyz", "usda", NULL};
  return writing ? written : read;
}

static mote_result choose_format(const char *path, bool writing, const cloud_format **out,
                                 mote_error *error) {
  char ending[16];
  for (int k = 0; k < FORMATS; ++k) {
    if (writing && formats[k].write == NULL) continue;
    *out = &formats[k];
    snprintf(ending, sizeof ending, ".%s", formats[k].ending);
    if (mote_io_ends(path, ending)) return MOTE_OK;
    snprintf(ending, sizeof ending, ".%s.gz", formats[k].ending);
    if (mote_io_ends(path, ending)) return MOTE_OK;
  }
  return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path, "particles are %s vtp, vtu, ply, bgeo, csv, xyz%s",
                      writing ? "written as" : "read from", writing ? " or usda" : ", usda, vtk or json");
}

// --- What is known of clouds ------------------------------------------------------------------------------

mote_field_view *mote_cloud_field(mote_cloud *cloud, const char *name) {
  for (int k = 0; k < cloud->fields; ++k)
    if (strcmp(cloud->field[k].name, name) == 0) return &cloud->field[k];
  return NULL;
}

const mote_field_view *mote_cloud_find(const mote_cloud *cloud, const char *name) {
  for (int k = 0; k < cloud->fields; ++k)
    if (strcmp(cloud->field[k].name, name) == 0) return &cloud->field[k];
  return NULL;
}

static size_t field_bytes(const mote_field_view *field) {
  return field->count * (size_t)field->components * mote_type_size(field->type);
}

double mote_field_value(const mote_field_view *field, size_t row, int component) {
  size_t at = row * (size_t)field->components + (size_t)component;
  return mote_raw_value(field->type, (const char *)field->data + at * mote_type_size(field->type));
}

// --- Making -----------------------------------------------------------------------------------------------

static char *copy_word(mote_word word, const mote_env *env) {
  char *copy = mote_io_new(env, word.size + 1);
  if (copy != NULL && word.size > 0) memcpy(copy, word.text, word.size);
  return copy;
}

static void delete_text(const mote_env *env, const char *text) {
  if (text == NULL) return;
  char *mutable;
  memcpy(&mutable, &text, sizeof mutable);
  mote_io_delete(env, mutable, strlen(text) + 1);
}

// Names end at the first null, which files of others may have in them.
static mote_word clean_name(mote_word name) {
  const char *end = name.size > 0 ? memchr(name.text, 0, name.size) : NULL;
  if (end != NULL) name.size = (size_t)(end - name.text);
  if (name.size > 127) name.size = 127;
  return name.size > 0 ? name : (mote_word){"unnamed", 7};
}

mote_result mote_cloud_add(mote_cloud *cloud, const mote_file_content *source, mote_word name, mote_type type,
                           int components, mote_error *error) {
  name = clean_name(name);
  if (cloud->fields == MOTE_CLOUD_FIELDS)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, source->path, "more than %d fields", MOTE_CLOUD_FIELDS);
  for (int k = 0; k < cloud->fields; ++k)
    if (mote_word_is(name, cloud->field[k].name))
      return mote_io_fail(error, MOTE_ERROR_FORMAT, source->path, "two fields are called \"%s\"",
                          cloud->field[k].name);
  mote_field_view field = {.type = type, .components = components, .count = cloud->count};
  if (cloud->count > SIZE_MAX / 8 / (size_t)components) return mote_io_fail_memory(error);
  char *text = copy_word(name, source->env), *unit = copy_word((mote_word){"", 0}, source->env);
  field.data = mote_io_new(source->env, field_bytes(&field));
  field.name = text;
  field.unit = unit;
  if (text == NULL || unit == NULL || field.data == NULL) {
    delete_text(source->env, text);
    delete_text(source->env, unit);
    mote_io_delete(source->env, field.data, field_bytes(&field));
    return mote_io_fail_memory(error);
  }
  cloud->field[cloud->fields++] = field;
  return MOTE_OK;
}

mote_result mote_cloud_set_unit(mote_field_view *field, mote_word unit, const mote_env *env,
                                mote_error *error) {
  unit = unit.size > 31 || (unit.size > 0 && memchr(unit.text, 0, unit.size) != NULL) ? (mote_word){"", 0}
                                                                                      : unit;
  char *copy = copy_word(unit, env);
  if (copy == NULL) return mote_io_fail_memory(error);
  delete_text(env, field->unit);
  field->unit = copy;
  return MOTE_OK;
}

mote_result mote_cloud_set_count(mote_cloud *cloud, const mote_file_content *source, uint64_t count,
                                 uint64_t per_byte, mote_error *error) {
  if (count > (uint64_t)source->size * per_byte)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, source->path,
                        "cut short: %llu points are announced, too many for %zu bytes",
                        (unsigned long long)count, source->size);
  cloud->count = (size_t)count;
  return MOTE_OK;
}

void mote_cloud_free(mote_cloud *cloud, const mote_env *env) {
  if (cloud == NULL) return;
  mote_env own = mote_io_env(env);
  for (int k = 0; k < cloud->fields; ++k) {
    mote_field_view *field = &cloud->field[k];
    delete_text(&own, field->name);
    delete_text(&own, field->unit);
    mote_io_delete(&own, field->data, field_bytes(field));
  }
  *cloud = (mote_cloud){.stamp.time = (double)NAN};
}

// --- Reading ----------------------------------------------------------------------------------------------

// Positions are three floating-point numbers: whole numbers become such, and the plane has z = 0.
static mote_result widen_position(mote_field_view *position, const mote_env *env, mote_error *error) {
  mote_field_view wide = *position;
  wide.type = MOTE_TYPE_F64;
  wide.components = 3;
  double *x = wide.data = mote_io_new(env, field_bytes(&wide));
  if (x == NULL) return mote_io_fail_memory(error);
  for (size_t i = 0; i < wide.count; ++i)
    for (int c = 0; c < position->components; ++c) x[3 * i + (size_t)c] = mote_field_value(position, i, c);
  mote_io_delete(env, position->data, field_bytes(position));
  *position = wide;
  return MOTE_OK;
}

static mote_result finish_cloud(const mote_file_content *source, mote_cloud *cloud, mote_error *error) {
  mote_field_view *position = mote_cloud_field(cloud, "position");
  if (position == NULL)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, source->path, "no positions in it (x, y, z)");
  if (position->components < 2 || position->components > 3)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, source->path, "positions have %d components, not 3",
                        position->components);
  bool fine =
      position->components == 3 && (position->type == MOTE_TYPE_F32 || position->type == MOTE_TYPE_F64);
  return fine ? MOTE_OK : widen_position(position, source->env, error);
}

mote_result mote_cloud_parse(const mote_file_content *source, mote_cloud *out, mote_error *error) {
  const cloud_format *format;
  MOTE_IO_TRY(choose_format(source->path, false, &format, error));
  mote_cloud cloud = {.stamp.time = (double)NAN};
  mote_result result = format->read(source, &cloud, error);
  if (result == MOTE_OK) result = finish_cloud(source, &cloud, error);
  if (result == MOTE_OK)
    *out = cloud;
  else
    mote_cloud_free(&cloud, source->env);
  return result;
}

mote_result mote_cloud_read(const char *path, const mote_env *env, mote_cloud *out, mote_error *error) {
  const cloud_format *format;
  mote_buffer bytes;
  if (path == NULL || out == NULL)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "path or out is null");
  MOTE_IO_TRY(choose_format(path, false, &format, error));
  mote_env own = mote_io_env(env);
  MOTE_IO_TRY(mote_file_in_load(path, &own, &bytes, error));
  mote_file_content source = {bytes.data, bytes.size, path, &own};
  mote_result result = mote_cloud_parse(&source, out, error);
  mote_buffer_free(&bytes);
  return result;
}

// --- Writing ----------------------------------------------------------------------------------------------

static mote_result check_field(const mote_field_view *field, size_t count, const char *path,
                               mote_error *error) {
  const char *wrong = NULL;
  if (field->name == NULL || field->name[0] == 0) wrong = "has no name";
  if (field->components < 1 || field->components > 255) wrong = "must have 1 to 255 components";
  if ((unsigned)field->type >= MOTE_TYPE_COUNT) wrong = "has no known type";
  if (field->count != count) wrong = "has not as many rows as the cloud";
  if (field->data == NULL && count > 0) wrong = "has no data";
  if (wrong == NULL) return MOTE_OK;
  return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path, "field \"%s\" %s", field->name ? field->name : "",
                      wrong);
}

static mote_result check_cloud(const mote_cloud *cloud, const char *path, mote_error *error) {
  if (cloud->fields < 1 || cloud->fields > MOTE_CLOUD_FIELDS)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path, "a cloud has 1 to %d fields", MOTE_CLOUD_FIELDS);
  for (int k = 0; k < cloud->fields; ++k)
    MOTE_IO_TRY(check_field(&cloud->field[k], cloud->count, path, error));
  const mote_field_view *x = mote_cloud_find(cloud, "position");
  if (x == NULL || x->components != 3 || (x->type != MOTE_TYPE_F32 && x->type != MOTE_TYPE_F64))
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, path,
                        "a cloud has a field \"position\" of 3 floating-point components");
  return MOTE_OK;
}

mote_result mote_cloud_write(const mote_cloud *cloud, const char *path, mote_error *error) {
  const cloud_format *format;
  mote_file_out *out;
  if (cloud == NULL || path == NULL)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "cloud or path is null");
  MOTE_IO_TRY(choose_format(path, true, &format, error));
  MOTE_IO_TRY(check_cloud(cloud, path, error));
  MOTE_IO_TRY(mote_file_out_begin(path, false, NULL, &out, error));
  mote_result result = format->write(cloud, out, error);
  if (result == MOTE_OK) return mote_file_out_commit(out, error);
  mote_file_out_abandon(out);
  return result;
}
