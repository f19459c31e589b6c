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

static mote_result refuse(const char *path, mote_error *error) {
  mote_scene_file *file = NULL;
  mote_result result = mote_scene_read(path, NULL, 0, NULL, &file, error);
  if (result == MOTE_OK) {
    result = mote_scene_check(mote_scene_file_scene(file), NULL, error);
    mote_world *world = NULL;
    if (result == MOTE_OK) result = mote_world_create_scene(mote_scene_file_scene(file), NULL, &world, error);
    mote_world_destroy(world);
    if (result != MOTE_OK) mote_scene_file_locate(file, error);
  }
  mote_scene_file_destroy(file);
  return result;
}

static void print_error(const mote_error *error, const char *folder, char *out, size_t size) {
  size_t length = strlen(folder);
  const char *name = strncmp(error->file, folder, length) == 0 ? error->file + length : error->file;
  snprintf(out, size, "%s:%d:%d: %s", name, error->line, error->column, error->text);
  for (char *found; (found = strstr(out, folder)) != NULL;)  // names of files in the text
    memmove(found, found + length, strlen(found + length) + 1);
}

static void read_line(const char *path, char *out, size_t size) {
  FILE *file = fopen(path, "rb");
  out[0] = 0;
  if (file == NULL) return;
  size_t got = fread(out, 1, size - 1, file);
  fclose(file);
  out[got] = 0;
  out[strcspn(out, "\n")] = 0;
}

static void test_scene(const char *folder, const char *name) {
  char path[1024 + 300], expected[1024], message[1024];
  snprintf(path, sizeof path, "%s%s", folder, name);
  mote_error error = {0};
  mote_result result = refuse(path, &error);
  print_error(&error, folder, message, sizeof message);
  snprintf(path, sizeof path, "%s%.*s.expect", folder, (int)(strlen(name) - 5) & 255, name);
  if (getenv("MOTE_WRITE_EXPECTED") != NULL) {
    FILE *file = fopen(path, "wb");
    if (file != NULL) fprintf(file, "%s\n", message), fclose(file);
  }
  read_line(path, expected, sizeof expected);
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
