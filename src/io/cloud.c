// Clouds under construction: see cloud.h.
#include "io/cloud.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/raw.h"

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

size_t mote_field_bytes(const mote_field_view *field) {
  return field->count * (size_t)field->components * mote_type_size(field->type);
}

double mote_field_value(const mote_field_view *field, size_t row, int component) {
  size_t at = row * (size_t)field->components + (size_t)component;
  return mote_raw_value(field->type, (const char *)field->data + at * mote_type_size(field->type));
}

// --- Creation
// -----------------------------------------------------------------------------------------------

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

// Names end at the first null character, which files of other programs may contain.
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
  field.data = mote_io_new(source->env, mote_field_bytes(&field));
  field.name = text;
  field.unit = unit;
  if (text == NULL || unit == NULL || field.data == NULL) {
    delete_text(source->env, text);
    delete_text(source->env, unit);
    mote_io_delete(source->env, field.data, mote_field_bytes(&field));
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
    mote_io_delete(&own, field->data, mote_field_bytes(field));
  }
  *cloud = (mote_cloud){.stamp.time = (double)NAN};
}
