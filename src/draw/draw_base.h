// What the drawing code shares: failures, memory that grows, points and paths, files written whole.
// Uses the public interface of libmote only.
#ifndef MOTE_DRAW_BASE_H
#define MOTE_DRAW_BASE_H

#include <mote/draw.h>

// Fills `error` (where not null) and returns `code`. `file` may be null.
mote_result mote_draw_fail(mote_error *error, mote_result code, const char *file, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
mote_result mote_draw_fail_memory(mote_error *error);

mote_env mote_draw_env(const mote_env *env);
// Cleared; null on failure.
void *mote_draw_new(const mote_env *env, size_t size);
void mote_draw_delete(const mote_env *env, void *block, size_t size);

// Bytes that grow. A refused allocation sets `failed`, after which nothing is added: look once, at the end.
typedef struct mote_buffer {
  mote_env env;
  uint8_t *data;
  size_t size, capacity;
  bool failed;
} mote_buffer;

mote_buffer mote_buffer_make(const mote_env *env);
void mote_buffer_free(mote_buffer *buffer);
// Room for `size` more bytes at the end, now counted in; null on failure.
void *mote_buffer_grow(mote_buffer *buffer, size_t size);
void mote_buffer_add(mote_buffer *buffer, const void *bytes, size_t size);
void mote_buffer_text(mote_buffer *buffer, const char *text);

typedef struct mote_point2 {
  double x, y;
} mote_point2;

// Runs of points, each ended by a break: a point that is not a number.
typedef struct mote_path {
  mote_buffer points;
} mote_path;

mote_path mote_path_make(const mote_env *env);
void mote_path_free(mote_path *path);
void mote_path_clear(mote_path *path);
void mote_path_add(mote_path *path, double x, double y);
void mote_path_break(mote_path *path);
size_t mote_path_count(const mote_path *path);
const mote_point2 *mote_path_points(const mote_path *path);

// Walks the runs of a path: the first run at or after *at, moved behind it; false when there is none.
bool mote_path_run(const mote_path *path, size_t *at, const mote_point2 **run, size_t *count);

// Writes the file beside its name and renames it, so that a failure leaves what was there before.
mote_result mote_file_write(const char *path, const void *bytes, size_t size, mote_error *error);

#endif
