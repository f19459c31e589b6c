// Scenes as users name them: see scene_open.h.
#include "scene_open.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"

const example *find_example(const char *name) {
  for (const example *e = examples; e->name != NULL; ++e) {
    if (strcmp(e->name, name) == 0) return e;
  }
  return NULL;
}

static int no_scene(const char *word) {
  const char *names[64];
  size_t count = 0;
  while (examples[count].name != NULL && count < 64) names[count] = examples[count].name, ++count;
  char buffer[128];
  complain("%s: no such file, and no built-in scene of that name%s (mote examples lists them)", word,
           suggestion(word, names, count, buffer, sizeof buffer));
  return EXIT_USAGE;
}

int complain_scene(const mote_scene_file *file, mote_error *error) {
  if (error->file[0] == '\0') mote_scene_file_locate(file, error);
  return complain_error(error);
}

int scene_open(const char *word, const char *const *set, size_t sets, const mote_env *env,
               mote_scene_file **out) {
  mote_error error;
  struct stat there;
  bool is_there = stat(word, &there) == 0, is_directory = is_there && S_ISDIR(there.st_mode);
  const example *found = find_example(word);
  mote_result result;
  if (is_there && !is_directory) {
    result = mote_scene_read(word, set, sets, env, out, &error);
  } else if (found != NULL) {
    result =
        mote_scene_parse((const char *)found->text, found->size, found->name, set, sets, env, out, &error);
  } else if (is_directory) {
    complain("%s: a directory, not a scene", word);
    return EXIT_USAGE;
  } else {
    return no_scene(word);
  }
  return result == MOTE_OK ? EXIT_DONE : complain_error(&error);
}
