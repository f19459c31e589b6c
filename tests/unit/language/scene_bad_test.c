// Every scene of tests/scenes_bad is refused with the message that its .expect holds.
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <mote/io.h>
#include <mote/world.h>
#include <stdlib.h>

#include "test.h"

// The folder of the scenes, from this file's name.
static void find_folder(char *out, size_t size) {
  snprintf(out, size, "%s", __FILE__);
  char *end = strstr(out, "unit/language/scene_bad_test.c");
  if (end != NULL) *end = 0;
  strncat(out, "scenes_bad/", size - strlen(out) - 1);
}

static mote_result refuse(const char *path, mote_error_list *errors) {
  mote_scene_file *file = NULL;
  mote_result result = mote_scene_open(&(mote_scene_source){.path = path}, NULL, &file, errors);
  if (result == MOTE_OK) {
    mote_world *world = NULL;
    result = mote_world_create_scene(mote_scene_file_scene(file), NULL, &world, &errors->error[0]);
    mote_world_destroy(world);
    if (result != MOTE_OK) mote_scene_file_locate(file, &errors->error[0]), errors->count = 1;
  }
  mote_scene_file_destroy(file);
  return result;
}

enum { MESSAGE = 8192 };

static void print_errors(const mote_error_list *errors, const char *folder, char out[MESSAGE]) {
  size_t length = strlen(folder), used = 0;
  for (size_t k = 0; k < errors->count && k < MOTE_ERRORS_LISTED; ++k) {
    const mote_error *e = &errors->error[k];
    const char *name = strncmp(e->file, folder, length) == 0 ? e->file + length : e->file;
    used += (size_t)snprintf(out + used, MESSAGE - used, "%s%s:%d:%d: %s", k == 0 ? "" : "\n", name, e->line,
                             e->column, e->text);
    if (used >= MESSAGE) return;
  }
  if (errors->count > MOTE_ERRORS_LISTED)
    snprintf(out + used, MESSAGE - used, "\n%zu more errors", errors->count - MOTE_ERRORS_LISTED);
  for (char *found; (found = strstr(out, folder)) != NULL;)  // names of files in the text
    memmove(found, found + length, strlen(found + length) + 1);
}

static void read_text(const char *path, char out[MESSAGE]) {
  FILE *file = fopen(path, "rb");
  out[0] = 0;
  if (file == NULL) return;
  size_t got = fread(out, 1, MESSAGE - 1, file);
  fclose(file);
  out[got] = 0;
  if (got > 0 && out[got - 1] == '\n') out[got - 1] = 0;
}

static void test_scene(const char *folder, const char *name) {
  char path[1024 + 300], expected[MESSAGE], message[MESSAGE];
  snprintf(path, sizeof path, "%s%s", folder, name);
  mote_error_list errors = {0};
  mote_result result = refuse(path, &errors);
  print_errors(&errors, folder, message);
  snprintf(path, sizeof path, "%s%.*s.expect", folder, (int)(strlen(name) - 5) & 255, name);
  if (getenv("MOTE_WRITE_EXPECTED") != NULL) {
    FILE *file = fopen(path, "wb");
    if (file != NULL) fprintf(file, "%s\n", message), fclose(file);
  }
  read_text(path, expected);
  bool fine = CHECK(result == MOTE_ERROR_FORMAT || result == MOTE_ERROR_ARGUMENT);
  if (!CHECK_TEXT(message, expected) || !fine)
    fprintf(stderr, "  %s\n  found:    %s\n  expected: %s\n", name, message, expected);
}

int main(void) {
  char folder[1024];
  find_folder(folder, sizeof folder);
  DIR *directory = opendir(folder);
  int scenes = 0;
  for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
    const char *dot = strrchr(entry->d_name, '.');
    if (dot == NULL || strcmp(dot, ".yaml") != 0) continue;
    test_scene(folder, entry->d_name);
    ++scenes;
  }
  if (directory != NULL) closedir(directory);
  CHECK(scenes >= 100);
  return test_end();
}
