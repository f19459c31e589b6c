// Fuzzes the reader of scenes: bytes as a scene in memory, which may open no other file; a second part behind
// a null byte is a change as of --set. What is read must print, and read back to the same text and hash.
#include <mote/io.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_again(const mote_scene_file *file) {
  size_t size, size_again;
  const char *text = mote_scene_file_text(file, &size);
  mote_scene_file *again = NULL;
  mote_error error = {0};
  if (mote_scene_parse(text, size, "again", NULL, 0, NULL, &again, &error) != MOTE_OK) abort();
  const char *text_again = mote_scene_file_text(again, &size_again);
  if (size != size_again || memcmp(text, text_again, size) != 0) abort();
  if (mote_scene_file_hash(file) != mote_scene_file_hash(again)) abort();
  if (mote_scene_differences(file, again, NULL, NULL) != 0) abort();
  mote_scene_file_destroy(again);
}

// What cannot be read cannot be opened; every error has a text and they stand in order.
static void check_errors(const mote_scene_source *source, bool read) {
  mote_scene_file *file = NULL;
  mote_error_list errors;
  mote_result result = mote_scene_open(source, NULL, &file, &errors);
  if ((result == MOTE_OK) != (errors.count == 0) || (result == MOTE_OK && !read)) abort();
  for (size_t k = 0; k < errors.count && k < MOTE_ERRORS_LISTED; ++k) {
    const mote_error *error = &errors.error[k];
    if (error->code == MOTE_OK || error->text[0] == 0) abort();
    if (k == 0 || strcmp(error[-1].file, error->file) != 0) continue;
    if (error[-1].line > error->line) abort();
  }
  mote_scene_file_destroy(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const uint8_t *null = size > 0 ? memchr(data, 0, size) : NULL;
  size_t length = null == NULL ? size : (size_t)(null - data), rest = null == NULL ? 0 : size - length - 1;
  char *set = malloc(rest + 1);
  if (set == NULL) abort();
  if (rest > 0) memcpy(set, null + 1, rest);
  set[rest] = 0;
  const char *const sets[] = {set};
  mote_scene_file *file = NULL;
  mote_error error = {0};
  const char *text = length > 0 ? (const char *)data : "";
  bool read = mote_scene_parse(text, length, "fuzz", sets, null != NULL, NULL, &file, &error) == MOTE_OK;
  check_errors(&(mote_scene_source){"fuzz", text, length, sets, null != NULL}, read);
  if (read) {
    check_again(file);
    mote_error where = {.code = MOTE_ERROR_ARGUMENT, .key = "bodies.a.shape.part[1].radius"};
    mote_scene_file_locate(file, &where);
  } else if (error.text[0] == 0) {
    abort();
  }
  mote_scene_file_destroy(file);
  free(set);
  return 0;
}
