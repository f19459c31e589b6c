// The stamp of a file as lines of text: see stamp.h.
#include "io/stamp.h"

#include <math.h>
#include <mote/text.h>
#include <stdio.h>

#include "io/raw.h"

void mote_stamp_hash(uint64_t hash, char out[MOTE_STAMP_HASH]) {
  snprintf(out, MOTE_STAMP_HASH, "%016llx", (unsigned long long)hash);
}

static void print_line(mote_buffer *out, const char *before, const char *key, const char *value) {
  mote_buffer_text(out, before);
  mote_buffer_text(out, key);
  mote_buffer_text(out, " ");
  mote_buffer_text(out, value);
  mote_buffer_text(out, "\n");
}

static void print_field(mote_buffer *out, const char *before, const mote_field_view *field) {
  char line[256];
  snprintf(line, sizeof line, "%s %s %d %s", field->name, mote_type_name(field->type), field->components,
           field->unit != NULL ? field->unit : "");
  print_line(out, before, "field", line);
}

// Unknown sizes are 0.
static void print_size(mote_buffer *out, const char *before, const char *key, double value) {
  char text[MOTE_TEXT_NUMBER];
  if (!(value > 0.0)) return;
  mote_text_print_double(text, value);
  print_line(out, before, key, text);
}

void mote_stamp_print(mote_buffer *out, const char *before, const mote_stamp *stamp,
                      const mote_field_view *field, int fields) {
  char text[MOTE_TEXT_NUMBER];
  if (stamp->version[0] != 0) {
    print_line(out, before, "mote", stamp->version);
    mote_stamp_hash(stamp->scene_hash, text);
    print_line(out, before, "scene", text);
    mote_text_print_integer(text, (long long)stamp->step);
    print_line(out, before, "step", text);
  }
  if (!isnan(stamp->time)) {
    mote_text_print_double(text, stamp->time);
    print_line(out, before, "time", text);
  }
  print_size(out, before, "spacing", stamp->spacing);
  print_size(out, before, "volume_ratio", stamp->volume_ratio);
  for (int k = 0; k < fields; ++k) print_field(out, before, &field[k]);
}

mote_stamp_lines mote_stamp_lines_make(void) {
  return (mote_stamp_lines){.stamp.time = (double)NAN};
}

static uint64_t read_hash(mote_word word) {
  uint64_t hash = 0;
  for (size_t k = 0; k < word.size && k < 16; ++k) {
    char c = word.text[k];
    int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 0;
    hash = hash << 4 | (uint64_t)digit;
  }
  return hash;
}

static bool read_type(mote_word word, mote_type *type) {
  for (int k = 0; k < MOTE_TYPE_COUNT; ++k) {
    *type = (mote_type)k;
    if (mote_word_is(word, mote_type_name(*type))) return true;
  }
  return false;
}

static void take_field(mote_stamp_lines *lines, mote_word line) {
  mote_stamp_field field = {.name = mote_word_next(&line)};
  uint64_t components = 0;
  bool known = read_type(mote_word_next(&line), &field.type);
  known = mote_word_count(mote_word_next(&line), &components) && known;
  field.unit = mote_word_next(&line);
  if (!known || components < 1 || components > 255 || lines->fields == MOTE_CLOUD_FIELDS) return;
  field.components = (int)components;
  lines->field[lines->fields++] = field;
}

static void take_size(mote_word word, double *size) {
  double value = 0.0;
  (void)mote_text_read_double(word.text, word.size, MOTE_TEXT_FINITE, &value);
  if (value > 0.0 && isfinite(value)) *size = value;
}

void mote_stamp_take(mote_stamp_lines *lines, mote_word line) {
  mote_word key = mote_word_next(&line), rest = line, value = mote_word_next(&line);
  if (mote_word_is(key, "mote")) mote_word_copy(value, lines->stamp.version, sizeof lines->stamp.version);
  if (mote_word_is(key, "scene")) lines->stamp.scene_hash = read_hash(value);
  if (mote_word_is(key, "step")) (void)mote_word_count(value, &lines->stamp.step);
  if (mote_word_is(key, "time"))
    (void)mote_text_read_double(value.text, value.size, MOTE_TEXT_FINITE, &lines->stamp.time);
  if (mote_word_is(key, "spacing")) take_size(value, &lines->stamp.spacing);
  if (mote_word_is(key, "volume_ratio")) take_size(value, &lines->stamp.volume_ratio);
  if (mote_word_is(key, "field")) take_field(lines, rest);
}

const mote_stamp_field *mote_stamp_find(const mote_stamp_lines *lines, const char *name) {
  for (int k = 0; k < lines->fields; ++k)
    if (mote_word_is(lines->field[k].name, name)) return &lines->field[k];
  return NULL;
}

mote_result mote_stamp_apply(const mote_stamp_lines *lines, mote_cloud *cloud, const mote_env *env,
                             mote_error *error) {
  cloud->stamp = lines->stamp;
  for (int k = 0; k < lines->fields; ++k) {
    char name[128];
    mote_word_copy(lines->field[k].name, name, sizeof name);
    mote_field_view *field = mote_cloud_field(cloud, name);
    if (field != NULL) MOTE_IO_TRY(mote_cloud_set_unit(field, lines->field[k].unit, env, error));
  }
  return MOTE_OK;
}
