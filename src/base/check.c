// Results and errors: see check.h.
#include "base/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT(x) TEXT_(x)
#define TEXT_(x) #x

const char *mote_version(void) {
  return TEXT(MOTE_VERSION_MAJOR) "." TEXT(MOTE_VERSION_MINOR) "." TEXT(MOTE_VERSION_PATCH);
}

const char *mote_result_name(mote_result result) {
  switch (result) {
    case MOTE_OK: return "ok";
    case MOTE_ERROR_ARGUMENT: return "argument";
    case MOTE_ERROR_MEMORY: return "memory";
    case MOTE_ERROR_FILE: return "file";
    case MOTE_ERROR_FORMAT: return "format";
    case MOTE_ERROR_NUMERIC: return "numeric";
  }
  return "unknown";
}

mote_result mote_fail(mote_error *error, mote_result code, const char *format, ...) {
  MOTE_ASSERT(format != NULL);
  MOTE_ASSERT(code != MOTE_OK);
  if (error == NULL) return code;
  *error = (mote_error){.code = code};
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->text, sizeof error->text, format, arguments);
  va_end(arguments);
  return code;
}

mote_result mote_fail_key(mote_error *error, const char *key, const char *format, ...) {
  MOTE_ASSERT(key != NULL && format != NULL);
  if (error == NULL) return MOTE_ERROR_ARGUMENT;
  *error = (mote_error){.code = MOTE_ERROR_ARGUMENT};
  snprintf(error->key, sizeof error->key, "%s", key);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->text, sizeof error->text, format, arguments);
  va_end(arguments);
  return MOTE_ERROR_ARGUMENT;
}

mote_result mote_fail_within(mote_error *error, mote_result code, const char *outer) {
  MOTE_ASSERT(outer != NULL);
  if (error == NULL || code == MOTE_OK) return code;
  char inner[sizeof error->key];
  memcpy(inner, error->key, sizeof inner);
  snprintf(error->key, sizeof error->key, inner[0] == '\0' ? "%s%s" : "%s.%s", outer, inner);
  return code;
}

mote_result mote_fail_memory(mote_error *error, size_t bytes) {
  return mote_fail(error, MOTE_ERROR_MEMORY, "out of memory: %zu bytes were refused", bytes);
}

_Noreturn void mote_assert_fail(const char *condition, const char *file, int line, const char *function) {
  fprintf(stderr, "%s:%d: %s: assertion failed: %s\n", file, line, function, condition);
  abort();
}

// --- Lists ------------------------------------------------------------------------------------------------

static bool is_before(const mote_error *a, const mote_error *b) {
  if (a->line != b->line) return a->line < b->line;
  return a->column < b->column;
}

static size_t listed_count(const mote_error_list *list) {
  return list->count < MOTE_ERRORS_LISTED ? list->count : MOTE_ERRORS_LISTED;
}

static bool is_listed(const mote_error_list *list, const mote_error *error) {
  for (size_t k = 0; k < listed_count(list); ++k) {
    const mote_error *other = &list->error[k];
    if (other->line == error->line && other->column == error->column &&
        strcmp(other->file, error->file) == 0 && strcmp(other->key, error->key) == 0 &&
        strcmp(other->text, error->text) == 0)
      return true;
  }
  return false;
}

// Behind the last one of its file that does not stand behind it; errors of another file come at the end.
static size_t place_of(const mote_error_list *list, size_t listed, const mote_error *error) {
  size_t at = listed;
  for (size_t k = listed; k-- > 0;) {
    if (strcmp(list->error[k].file, error->file) != 0) continue;
    if (!is_before(error, &list->error[k])) return k + 1;
    at = k;
  }
  return at;
}

void mote_error_list_add(mote_error_list *list, const mote_error *error) {
  MOTE_ASSERT(list != NULL && error != NULL && error->code != MOTE_OK);
  if (is_listed(list, error)) return;
  size_t listed = listed_count(list), at = place_of(list, listed, error);
  ++list->count;
  if (at == MOTE_ERRORS_LISTED) return;
  size_t kept = listed < MOTE_ERRORS_LISTED ? listed : MOTE_ERRORS_LISTED - 1;
  memmove(&list->error[at + 1], &list->error[at], (kept - at) * sizeof *error);
  list->error[at] = *error;
}
