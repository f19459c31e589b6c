// Shared by all parts of the library: results and errors, the environment of a call (memory, log, threads),
// version. No function prints, exits or keeps global state.
#ifndef MOTE_BASE_H
#define MOTE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__) && !defined(_WIN32)
#define MOTE_API __attribute__((visibility("default")))
#else
#define MOTE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define MOTE_VERSION_MAJOR 0
#define MOTE_VERSION_MINOR 1
#define MOTE_VERSION_PATCH 0

// "0.1.0"
MOTE_API const char *mote_version(void);

// Result of a function. On failure the arguments are unchanged, unless a function says otherwise.
//
// Null pointers: unless documented as allowed, functions that return a result fail with ARGUMENT; every
// _destroy accepts them. Other functions (queries, views, small mathematics) require valid arguments.
typedef enum mote_result {
  MOTE_OK = 0,
  MOTE_ERROR_ARGUMENT,  // the caller's values make no sense: null, negative, NaN, out of range
  MOTE_ERROR_MEMORY,    // the allocator returned null
  MOTE_ERROR_FILE,      // the outside refused: missing, unreadable, disk full
  MOTE_ERROR_FORMAT,    // the outside sent something malformed
  MOTE_ERROR_NUMERIC,   // the mathematics failed: singular, not converged, not a number
} mote_result;

// One word for a result, e.g. "argument".
MOTE_API const char *mote_result_name(mote_result result);

// Location and message of an error. Pass null if it is not wanted.
typedef struct mote_error {
  mote_result code;
  int line, column;  // 1-based; 0 where there is none
  char file[256];    // empty where there is none
  char
      key[128];  // the member of the definition that is wrong, e.g. "shape.radius"; empty where there is none
  char text[512];  // a sentence without a final stop
} mote_error;

// The errors of something that may have several, e.g. a scene. Begin with zeros.
enum { MOTE_ERRORS_LISTED = 10 };
typedef struct mote_error_list {
  size_t count;  // of all; the first MOTE_ERRORS_LISTED are listed
  mote_error error[MOTE_ERRORS_LISTED];
} mote_error_list;

// Adds an error in the order of places in its file; one that is listed already is not added again.
MOTE_API void mote_error_list_add(mote_error_list *list, const mote_error *error);

// Memory by one function: size 0 frees, old_size 0 allocates, else resizes. Returns null on failure
// (and on freeing). Results are aligned to 64 bytes. Must be callable from several threads when
// several worlds use it.
typedef void *mote_resize_fn(void *user, void *block, size_t old_size, size_t size);

typedef enum mote_log_level { MOTE_LOG_DEBUG, MOTE_LOG_INFO, MOTE_LOG_WARNING } mote_log_level;
typedef void mote_log_fn(void *user, mote_log_level level, const char *text);

// The environment of a call. Start from mote_env_default(); null means the same.
typedef struct mote_env {
  mote_resize_fn *resize;
  void *resize_user;
  mote_log_fn *log;  // null: silence
  void *log_user;
  int threads;  // 1 to 1024, the nearer end beyond; results never depend on it
} mote_env;

// The C library's memory, no log, as many threads as the machine has cores.
MOTE_API mote_env mote_env_default(void);

// Does [begin, end) of some work. `worker` (0 .. threads - 1) selects scratch memory, never a result.
typedef void mote_work_fn(void *data, size_t begin, size_t end, int worker);
// Calls `work` for every chunk of `grain` (the last may be shorter) of [0, count), in any order, on the
// environment's threads.
MOTE_API void mote_env_run(const mote_env *env, size_t count, size_t grain, mote_work_fn *work, void *data);

#ifdef __cplusplus
}
#endif
#endif
