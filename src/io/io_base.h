// Shared by readers and writers: failures, memory, growing buffers.
// Uses the public interface of libmote only.
#ifndef MOTE_IO_BASE_H
#define MOTE_IO_BASE_H

#include <mote/io.h>

// Returns the failure of `call` from the calling function.
#define MOTE_IO_TRY(call)              \
  do {                                 \
    mote_result try_result = (call);   \
    if (try_result) return try_result; \
  } while (0)

// Fills `error` (where not null) and returns `code`. `file` may be null.
mote_result mote_io_fail(mote_error *error, mote_result code, const char *file, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
mote_result mote_io_fail_memory(mote_error *error);

// *env, or the default where it is null or has no memory.
mote_env mote_io_env(const mote_env *env);
// Cleared; null on failure. Size 0 gives a valid block, freed with size 0.
void *mote_io_new(const mote_env *env, size_t size);
void mote_io_delete(const mote_env *env, void *block, size_t size);

// Bytes that grow. A refused allocation sets `failed`, after which appends do nothing: check once, at the
// end.
typedef struct mote_buffer {
  mote_env env;
  uint8_t *data;
  size_t size, capacity;
  bool failed;
} mote_buffer;

mote_buffer mote_buffer_make(const mote_env *env);
void mote_buffer_free(mote_buffer *buffer);
// Appends `size` uninitialised bytes and returns them; null on failure.
void *mote_buffer_grow(mote_buffer *buffer, size_t size);
void mote_buffer_add(mote_buffer *buffer, const void *bytes, size_t size);
void mote_buffer_text(mote_buffer *buffer, const char *text);
// Shrinks the buffer to its content; false: out of memory.
bool mote_buffer_trim(mote_buffer *buffer);

// file_in.c: a whole file in memory, unpacked if it is gzip. FILE: missing, a directory,
// unreadable; FORMAT: empty, damaged gzip.
mote_result mote_file_in_load(const char *path, const mote_env *env, mote_buffer *out, mote_error *error);

// Whether `path` has this suffix, ignoring case.
bool mote_io_ends(const char *path, const char *ending);

#endif
