// Failures, memory and growing bytes: see io_base.h.
#include "io/io_base.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

mote_result mote_io_fail(mote_error *error, mote_result code, const char *file, const char *format, ...) {
  if (error == NULL) return code;
  *error = (mote_error){.code = code};
  if (file != NULL) snprintf(error->file, sizeof error->file, "%s", file);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->text, sizeof error->text, format, arguments);
  va_end(arguments);
  return code;
}

mote_result mote_io_fail_memory(mote_error *error) {
  return mote_io_fail(error, MOTE_ERROR_MEMORY, NULL, "out of memory");
}

mote_env mote_io_env(const mote_env *env) {
  mote_env own = mote_env_default();
  if (env == NULL) return own;
  mote_resize_fn *usual = own.resize;
  own = *env;
  if (own.resize == NULL) own.resize = usual;
  return own;
}

void *mote_io_new(const mote_env *env, size_t size) {
  size += size == 0;
  void *block = env->resize(env->resize_user, NULL, 0, size);
  if (block != NULL) memset(block, 0, size);
  return block;
}

void mote_io_delete(const mote_env *env, void *block, size_t size) {
  if (block != NULL) env->resize(env->resize_user, block, size + (size == 0), 0);
}

mote_buffer mote_buffer_make(const mote_env *env) {
  return (mote_buffer){.env = *env};
}

void mote_buffer_free(mote_buffer *buffer) {
  if (buffer->data != NULL) buffer->env.resize(buffer->env.resize_user, buffer->data, buffer->capacity, 0);
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
  return buffer->data == NULL ? NULL : buffer->data + buffer->size - size;  // null: nothing of nothing
}

void mote_buffer_add(mote_buffer *buffer, const void *bytes, size_t size) {
  void *to = mote_buffer_grow(buffer, size);
  if (to != NULL && size > 0) memcpy(to, bytes, size);
}

void mote_buffer_text(mote_buffer *buffer, const char *text) {
  mote_buffer_add(buffer, text, strlen(text));
}

bool mote_buffer_trim(mote_buffer *buffer) {
  if (buffer->failed || buffer->size == buffer->capacity) return !buffer->failed;
  if (buffer->size == 0) {
    mote_buffer_free(buffer);
    return true;
  }
  void *data = buffer->env.resize(buffer->env.resize_user, buffer->data, buffer->capacity, buffer->size);
  if (data == NULL) return false;
  buffer->data = data;
  buffer->capacity = buffer->size;
  return true;
}

bool mote_io_ends(const char *path, const char *ending) {
  size_t length = strlen(path), end = strlen(ending);
  if (length < end) return false;
  for (size_t k = 0; k < end; ++k) {
    char c = path[length - end + k];
    if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
    if (c != ending[k]) return false;
  }
  return true;
}
