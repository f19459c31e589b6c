// Fuzzes the readers of EDITS and KEYS files (the first byte chooses): bytes as a file in memory, which may
// open no other. What is read must print, and read back to the same text and hash.
#include <mote/io.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static mote_result read(const char *text, size_t size, bool keys, mote_scene_file **out, mote_error *error) {
  return keys ? mote_animation_parse(text, size, "fuzz", NULL, 0, NULL, out, error)
              : mote_edits_parse(text, size, "fuzz", NULL, 0, NULL, out, error);
}

static void check_handles(const mote_edits *edits) {
  for (size_t k = 0; k < edits->handles; ++k) {
    const mote_handle_def *handle = &edits->handle[k];
    if (handle->name == NULL || handle->name[0] == 0) abort();
    for (size_t r = 0; r < handle->vertices; ++r)
      if (handle->range[r].first < 1 || handle->range[r].last < handle->range[r].first) abort();
  }
}

static void check_again(const mote_scene_file *file, bool keys) {
  size_t size, size_again;
  const char *text = mote_scene_file_text(file, &size);
  mote_scene_file *again = NULL;
  mote_error error = {0};
  if (read(text, size, keys, &again, &error) != MOTE_OK) abort();
  const char *text_again = mote_scene_file_text(again, &size_again);
  if (size != size_again || memcmp(text, text_again, size) != 0) abort();
  if (mote_scene_file_hash(file) != mote_scene_file_hash(again)) abort();
  mote_scene_file_destroy(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 1) return 0;
  bool keys = data[0] == 'k';
  mote_scene_file *file = NULL;
  mote_error error = {0};
  if (read((const char *)data + 1, size - 1, keys, &file, &error) == MOTE_OK) {
    check_handles(mote_scene_file_edits(file));
    check_again(file, keys);
    mote_error where = {.code = MOTE_ERROR_ARGUMENT, .key = "deform.handles.a.vertices[1]"};
    mote_scene_file_locate(file, &where);
  } else if (error.text[0] == 0) {
    abort();
  }
  mote_scene_file_destroy(file);
  return 0;
}
