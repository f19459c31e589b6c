// What the tests of scenes share: a folder of their own and files in it; reading with memory that runs out.
// Define _POSIX_C_SOURCE before including it.
#ifndef MOTE_SCENE_KIT_H
#define MOTE_SCENE_KIT_H

#include <mote/io.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stingy.h"
#include "test.h"

static char kit_folder[64];

static inline bool kit_enter_folder(void) {
  snprintf(kit_folder, sizeof kit_folder, "/tmp/mote-scene-XXXXXX");
  return CHECK(mkdtemp(kit_folder) != NULL);
}

// The path of a file in the folder; the last four stay valid.
static inline const char *kit_path(const char *name) {
  static char path[4][256];
  static int turn;
  char *out = path[turn++ % 4];
  snprintf(out, sizeof path[0], "%s/%s", kit_folder, name);
  return out;
}

static inline void kit_write(const char *name, const char *text) {
  FILE *file = fopen(kit_path(name), "wb");
  if (!CHECK(file != NULL)) return;
  fputs(text, file);
  fclose(file);
}

static inline void kit_leave_folder(const char *const *names, size_t count) {
  for (size_t k = 0; k < count; ++k) remove(kit_path(names[k]));  // files, then folders
  CHECK(rmdir(kit_folder) == 0);
}

// Whichever allocation fails: the answer is MEMORY, and nothing is kept.
static inline void kit_starve(const char *path, const char *text) {
  mote_result result = MOTE_ERROR_MEMORY;
  for (int granted = 0; result != MOTE_OK && granted < 2000; ++granted) {
    stingy s;
    mote_env env = stingy_env(&s, granted);
    mote_scene_file *file = NULL;
    mote_error error;
    result = text == NULL ? mote_scene_read(path, NULL, 0, &env, &file, &error)
                          : mote_scene_parse(text, strlen(text), path, NULL, 0, &env, &file, &error);
    if (!CHECK(result == MOTE_OK || (result == MOTE_ERROR_MEMORY && file == NULL)))
      fprintf(stderr, "  %d granted: %s\n", granted, error.text);
    mote_scene_file_destroy(file);
    CHECK(s.held == 0);
  }
  CHECK(result == MOTE_OK);
}

#endif
