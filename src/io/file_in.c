// Reading files: front to back, or whole.
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "io/io_base.h"

struct mote_file_in {
  mote_env env;
  FILE *file;
  uint64_t size;
};

static mote_result refuse(mote_error *error, const char *path, int reason) {
  return mote_io_fail(error, MOTE_ERROR_FILE, path, "cannot be read: %s", strerror(reason));
}

static mote_result open_file(const char *path, FILE **out, uint64_t *size, mote_error *error) {
  struct stat there;
  *out = fopen(path, "rb");
  if (*out == NULL) return refuse(error, path, errno);
  int reason = fstat(fileno(*out), &there) != 0 ? errno : S_ISDIR(there.st_mode) ? EISDIR : 0;
  if (reason == 0) {
    *size = S_ISREG(there.st_mode) ? (uint64_t)there.st_size : 0;
    return MOTE_OK;
  }
  fclose(*out);
  return refuse(error, path, reason);
}

mote_result mote_file_in_open(const char *path, const mote_env *env, mote_file_in **out, mote_error *error) {
  if (path == NULL || path[0] == 0 || out == NULL)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "the file name is empty");
  mote_env own = mote_io_env(env);
  mote_file_in *file = mote_io_new(&own, sizeof *file);
  if (file == NULL) return mote_io_fail_memory(error);
  file->env = own;
  mote_result result = open_file(path, &file->file, &file->size, error);
  if (result == MOTE_OK)
    *out = file;
  else
    mote_io_delete(&own, file, sizeof *file);
  return result;
}

uint64_t mote_file_in_size(const mote_file_in *file) {
  return file->size;
}

bool mote_file_in_read(void *file, void *bytes, size_t size) {
  mote_file_in *in = file;
  return size == 0 || fread(bytes, 1, size, in->file) == size;
}

void mote_file_in_close(mote_file_in *file) {
  if (file == NULL) return;
  fclose(file->file);
  mote_env env = file->env;
  mote_io_delete(&env, file, sizeof *file);
}

// Pipes have no size, so reading continues to the end.
static mote_result read_all(FILE *file, uint64_t size, const char *path, mote_buffer *out,
                            mote_error *error) {
  size_t portion = size > 0 && size < SIZE_MAX / 2 ? (size_t)size : 65536;
  for (;;) {
    uint8_t *to = mote_buffer_grow(out, portion);
    if (to == NULL) return mote_io_fail_memory(error);
    errno = 0;
    size_t got = fread(to, 1, portion, file);
    out->size -= portion - got;
    if (ferror(file)) return refuse(error, path, errno);
    if (got < portion || out->size == size) break;
    portion = 65536;
  }
  if (out->size == 0) return mote_io_fail(error, MOTE_ERROR_FORMAT, path, "the file is empty");
  return MOTE_OK;
}

static int inflate_all(z_stream *z, mote_buffer *out) {
  int state = Z_OK;
  while (state == Z_OK) {
    size_t portion = out->size < 65536 ? 65536 : out->size < ((size_t)1 << 30) ? out->size : (size_t)1 << 30;
    uint8_t *to = mote_buffer_grow(out, portion);
    if (to == NULL) return Z_MEM_ERROR;
    z->next_out = to;
    z->avail_out = (uInt)portion;
    state = inflate(z, Z_NO_FLUSH);
    out->size -= z->avail_out;
    if (state == Z_BUF_ERROR && z->avail_in > 0) state = Z_OK;
  }
  return state;
}

// Unpacks gzip in place; other bytes are not changed. `path` for messages.
static mote_result unpack(mote_buffer *bytes, const char *path, mote_error *error) {
  if (bytes->size < 3 || bytes->data[0] != 0x1f || bytes->data[1] != 0x8b) return MOTE_OK;
  mote_buffer plain = mote_buffer_make(&bytes->env);
  z_stream z = {.next_in = bytes->data, .avail_in = (uInt)bytes->size};
  if (bytes->size > UINT32_MAX)
    return mote_io_fail(error, MOTE_ERROR_FORMAT, path, "compressed files of more than 4 GB are not read");
  int state = inflateInit2(&z, 15 + 16);
  if (state == Z_OK) {
    state = inflate_all(&z, &plain);
    inflateEnd(&z);
  }
  if (state != Z_STREAM_END) {
    mote_buffer_free(&plain);
    return state == Z_MEM_ERROR ? mote_io_fail_memory(error)
                                : mote_io_fail(error, MOTE_ERROR_FORMAT, path,
                                               state == Z_BUF_ERROR ? "the compressed file is cut short"
                                                                    : "the compressed file is damaged");
  }
  mote_buffer_free(bytes);
  *bytes = plain;
  return MOTE_OK;
}

mote_result mote_file_in_load(const char *path, const mote_env *env, mote_buffer *out, mote_error *error) {
  FILE *file;
  uint64_t size = 0;
  if (path == NULL || path[0] == 0)
    return mote_io_fail(error, MOTE_ERROR_ARGUMENT, NULL, "the file name is empty");
  MOTE_IO_TRY(open_file(path, &file, &size, error));
  *out = mote_buffer_make(env);
  mote_result result = read_all(file, size, path, out, error);
  fclose(file);
  if (result == MOTE_OK) result = unpack(out, path, error);
  if (result != MOTE_OK) mote_buffer_free(out);
  return result;
}
