// Writes files of commands (mote/io.h), by the table of commands.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/io_base.h"
#include "io/json.h"

static void put_key(mote_buffer *out, const char *key) {
  mote_buffer_text(out, ", ");
  mote_json_put_text(out, key);
  mote_buffer_text(out, ": ");
}

static void put_numbers(mote_buffer *out, const double *x, int count) {
  if (count > 1) mote_buffer_text(out, "[");
  for (int a = 0; a < count; ++a) {
    if (a > 0) mote_buffer_text(out, ", ");
    mote_json_put_number(out, x[a]);
  }
  if (count > 1) mote_buffer_text(out, "]");
}

static void put_particles(mote_buffer *out, const mote_command *c) {
  put_key(out, "field");
  mote_json_put_text(out, c->field);
  put_key(out, "particles");
  for (size_t k = 0; k < c->count; ++k) {
    char number[32];
    snprintf(number, sizeof number, "%s%llu", k == 0 ? "[" : ", ", (unsigned long long)c->id[k]);
    mote_buffer_text(out, number);
  }
  mote_buffer_text(out, "]");
  put_key(out, "values");
  for (size_t k = 0; k < c->count; ++k) {
    mote_buffer_text(out, k == 0 ? "[" : ", ");
    put_numbers(out, c->values + 3 * k, 3);
  }
  mote_buffer_text(out, "]");
}

static void put_command(mote_buffer *out, const mote_command *c) {
  const mote_command_about *about = &mote_command_kinds()[c->kind];
  const char *target = mote_command_target_name(about->target);
  char step[48];
  snprintf(step, sizeof step, "{\"step\": %llu", (unsigned long long)c->step);
  mote_buffer_text(out, c->step != UINT64_MAX ? step : "{\"time\": ");
  if (c->step != UINT64_MAX && isfinite(c->time)) mote_buffer_text(out, ", \"time\": ");
  if (isfinite(c->time)) put_numbers(out, &c->time, 1);
  put_key(out, "command");
  mote_json_put_text(out, about->name);
  if (target != NULL) {
    put_key(out, target);
    mote_json_put_text(out, c->target);
  }
  for (int f = 0; f < MOTE_COMMAND_FIELDS && about->field[f].name != NULL; ++f) {
    const double *value = c->value + about->field[f].first;
    if (isnan(value[0])) continue;
    put_key(out, about->field[f].name);
    put_numbers(out, value, about->field[f].components);
  }
  if (c->kind == MOTE_COMMAND_FIELD) put_particles(out, c);
  mote_buffer_text(out, "}\n");
}

static mote_result write_file(mote_buffer *text, const char *path, mote_error *error) {
  mote_result result =
      text->failed ? mote_io_fail_memory(error) : mote_file_write(path, text->data, text->size, error);
  mote_buffer_free(text);
  return result;
}

mote_result mote_commands_write(const mote_command *command, size_t count, const char *path,
                                mote_error *error) {
  if (path == NULL || (command == NULL && count > 0))
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "command and path must not be null");
  mote_env env = mote_io_env(NULL);
  mote_buffer text = mote_buffer_make(&env);
  for (size_t k = 0; k < count; ++k) {
    mote_result result = mote_command_check(&command[k], error);
    if (result == MOTE_OK && command[k].step == UINT64_MAX && !isfinite(command[k].time))
      result = mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "command %zu has neither step nor time", k + 1);
    if (result != MOTE_OK) return mote_buffer_free(&text), result;
    put_command(&text, &command[k]);
  }
  return write_file(&text, path, error);
}

mote_result mote_commands_write_world(const mote_world *world, const char *path, mote_error *error) {
  if (world == NULL || path == NULL)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "world and path must not be null");
  mote_env env = mote_io_env(NULL);
  mote_buffer text = mote_buffer_make(&env);
  mote_command command;
  for (size_t k = 0; mote_world_command_at(world, k, &command); ++k) put_command(&text, &command);
  return write_file(&text, path, error);
}
