// Failures, memory, paths and whole files for the drawing code: see draw_base.h.
#include "draw/draw_base.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

mote_result mote_draw_fail(mote_error *error, mote_result code, const char *file, const char *format, ...) {
  if (error == NULL) return code;
  *error = (mote_error){.code = code};
  if (file != NULL) snprintf(error->file, sizeof error->file, "%s", file);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->text, sizeof error->text, format, arguments);
  va_end(arguments);
  return code;
}

mote_result mote_draw_fail_memory(mote_error *error) {
  return mote_draw_fail(error, MOTE_ERROR_MEMORY, NULL, "out of memory");
}

mote_env mote_draw_env(const mote_env *env) {
  mote_env own = mote_env_default();
  if (env == NULL) return own;
  mote_resize_fn *usual = own.resize;
  own = *env;
  if (own.resize == NULL) own.resize = usual;
  return own;
}

void *mote_draw_new(const mote_env *env, size_t size) {
  void *block = env->resize(env->resize_user, NULL, 0, size);
  if (block != NULL) memset(block, 0, size);
  return block;
}

void mote_draw_delete(const mote_env *env, void *block, size_t size) {
  if (block != NULL) env->resize(env->resize_user, block, size, 0);
}

mote_buffer mote_buffer_make(const mote_env *env) {
  return (mote_buffer){.env = *env};
}

void mote_buffer_free(mote_buffer *buffer) {
  mote_draw_delete(&buffer->env, buffer->data, buffer->capacity);
  *buffer = mote_buffer_make(&buffer->env);
}

void *mote_buffer_grow(mote_buffer *buffer, size_t size) {
  if (buffer->failed) return NULL;
  if (size > buffer->capacity - buffer->size) {
    size_t capacity = buffer->capacity + buffer->capacity / 2 + 256;
    if (capacity < buffer->capacity || capacity - buffer->size < size) capacity = buffer->size + size;
    void *data = capacity < size
                     ? NULL
                     : buffer->env.resize(buffer->env.resize_user, buffer->data, buffer->capacity, capacity);
    if (data == NULL) {
      buffer->failed = true;
      return NULL;
    }
    buffer->data = data;
    buffer->capacity = capacity;
  }
  buffer->size += size;
  return buffer->data + buffer->size - size;
}

void mote_buffer_add(mote_buffer *buffer, const void *bytes, size_t size) {
  void *room = mote_buffer_grow(buffer, size);
  if (room != NULL && size > 0) memcpy(room, bytes, size);
}

void mote_buffer_text(mote_buffer *buffer, const char *text) {
  mote_buffer_add(buffer, text, strlen(text));
}

mote_path mote_path_make(const mote_env *env) {
  return (mote_path){mote_buffer_make(env)};
}

void mote_path_free(mote_path *path) {
  mote_buffer_free(&path->points);
}

void mote_path_clear(mote_path *path) {
  path->points.size = 0;
}

void mote_path_add(mote_path *path, double x, double y) {
  mote_point2 *point = mote_buffer_grow(&path->points, sizeof *point);
  if (point != NULL) *point = (mote_point2){x, y};
}

void mote_path_break(mote_path *path) {
  mote_path_add(path, (double)NAN, (double)NAN);
}

size_t mote_path_count(const mote_path *path) {
  return path->points.size / sizeof(mote_point2);
}

const mote_point2 *mote_path_points(const mote_path *path) {
  return (const mote_point2 *)(const void *)path->points.data;
}

static bool is_break(mote_point2 p) {
  return !(isfinite(p.x) && isfinite(p.y));
}

bool mote_path_run(const mote_path *path, size_t *at, const mote_point2 **run, size_t *count) {
  const mote_point2 *p = mote_path_points(path);
  size_t end = mote_path_count(path), first = *at;
  while (first < end && is_break(p[first])) ++first;
  size_t last = first;
  while (last < end && !is_break(p[last])) ++last;
  *at = last;
  *count = last - first;
  *run = last > first ? p + first : NULL;
  return last > first;
}

static mote_result write_beside(const char *beside, const char *path, const void *bytes, size_t size,
                                mote_error *error) {
  errno = 0;
  FILE *file = fopen(beside, "wb");
  if (file == NULL)
    return mote_draw_fail(error, MOTE_ERROR_FILE, path, "cannot be written: %s", strerror(errno));
  bool written = fwrite(bytes, 1, size, file) == size && fflush(file) == 0;
  int reason = errno;
  if (fclose(file) != 0 && written) {
    written = false;
    reason = errno;
  }
  if (written && rename(beside, path) == 0) return MOTE_OK;
  if (written) reason = errno;
  remove(beside);
  return mote_draw_fail(error, MOTE_ERROR_FILE, path, "cannot be written: %s", strerror(reason));
}

mote_result mote_file_write(const char *path, const void *bytes, size_t size, mote_error *error) {
  char beside[4096];
  if (path == NULL || path[0] == 0)
    return mote_draw_fail(error, MOTE_ERROR_ARGUMENT, NULL, "the file name is empty");
  if (strlen(path) + sizeof ".part" > sizeof beside)
    return mote_draw_fail(error, MOTE_ERROR_ARGUMENT, path, "the file name is too long");
  snprintf(beside, sizeof beside, "%s.part", path);
  return write_beside(beside, path, bytes, size, error);
}
