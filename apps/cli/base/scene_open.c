// Scenes as users name them: see scene_open.h.
#include "cli/base/scene_open.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"
#include "cli/base/scene_kinds.h"

const example *find_example(const char *name) {
  for (const example *e = examples; e->name != NULL; ++e) {
    if (strcmp(e->name, name) == 0) return e;
  }
  return NULL;
}

static mote_result refuse(mote_error *error, const char *word, const char *text, const char *more) {
  *error = (mote_error){.code = MOTE_ERROR_ARGUMENT};
  snprintf(error->file, sizeof error->file, "%.255s", word);
  snprintf(error->text, sizeof error->text, "%s%s", text, more);
  return MOTE_ERROR_ARGUMENT;
}

static mote_result no_scene(const char *word, mote_error *error) {
  const char *names[256];
  size_t count = 0;
  while (examples[count].name != NULL && count < 256) names[count] = examples[count].name, ++count;
  APP_ASSERT(examples[count].name == NULL);
  char near[128], more[256];
  snprintf(more, sizeof more, "%s (mote examples lists them)",
           suggestion(word, names, count, near, sizeof near));
  return refuse(error, word, "no such file, and no built-in scene of that name", more);
}

int complain_scene(const mote_scene_file *file, mote_error *error) {
  if (error->file[0] == '\0') mote_scene_file_locate(file, error);
  return complain_error(error);
}

int complain_errors(const mote_error_list *errors) {
  APP_ASSERT(errors->count > 0);
  int status = EXIT_DONE;
  for (size_t k = 0; k < errors->count && k < MOTE_ERRORS_LISTED; ++k) {
    int one = complain_error(&errors->error[k]);
    if (k == 0) status = one;
  }
  size_t more = errors->count > MOTE_ERRORS_LISTED ? errors->count - MOTE_ERRORS_LISTED : 0;
  if (more > 0) complain("%zu more error%s", more, more == 1 ? "" : "s");
  return status;
}

mote_result scene_find_all(const char *word, const char *const *set, size_t sets, const mote_env *env,
                           mote_scene_file **out, mote_error_list *errors) {
  APP_ASSERT(sets == 0 || set != NULL);
  struct stat there;
  bool is_there = stat(word, &there) == 0, is_directory = is_there && S_ISDIR(there.st_mode);
  const example *e = find_example(word);
  mote_scene_source source = {.path = word, .set = set, .sets = sets};
  if (is_there && !is_directory && !is_pipe_or_device(word))
    return mote_scene_open(&source, env, out, errors);
  if (e != NULL) {
    source.text = (const char *)e->text, source.size = e->size;
    return mote_scene_open(&source, env, out, errors);
  }
  errors->count = 1;
  if (is_there && !is_directory)
    return refuse(&errors->error[0], word, "is a pipe or a device, not a file", "");
  return is_directory ? refuse(&errors->error[0], word, "a directory, not a scene", "")
                      : no_scene(word, &errors->error[0]);
}

mote_result scene_find(const char *word, const char *const *set, size_t sets, const mote_env *env,
                       mote_scene_file **out, mote_error *error) {
  mote_error_list errors;
  mote_result result = scene_find_all(word, set, sets, env, out, &errors);
  if (result != MOTE_OK) *error = errors.error[0];
  return result;
}

const mote_material_def *scene_material(const mote_scene *scene, const char *name) {
  for (size_t m = 0; m < scene->materials; ++m) {
    if (strcmp(scene->material[m].name, name) == 0) return &scene->material[m];
  }
  return NULL;
}

bool scene_flows(const mote_scene *scene) {
  bool any = scene->emitters > 0;
  for (size_t m = 0; m < scene->materials && !any; ++m) {
    const mote_material_def *def = &scene->material[m];
    bool melts = scene->world.heat && material_is_lattice(def) && def->heat.melting_point > 0.0;
    bool used = false;
    for (size_t b = 0; b < scene->bodies; ++b) used = used || strcmp(scene->body[b].material, def->name) == 0;
    any = used && (material_is_fluid(def) || melts);
  }
  return any;
}

int scene_open(const char *word, const char *const *set, size_t sets, const mote_env *env,
               mote_scene_file **out) {
  mote_error_list errors;
  return scene_find_all(word, set, sets, env, out, &errors) == MOTE_OK ? EXIT_DONE : complain_errors(&errors);
}
