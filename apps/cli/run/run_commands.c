// Commands of a run: see run_commands.h.
#include "cli/run/run_commands.h"

#include <inttypes.h>
#include <math.h>
#include <mote/text.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/cli.h"

static int fail(const run_commands *list, size_t k, mote_error *error) {
  char text[sizeof error->text];
  bool keyed = error->key[0] != '\0' && strstr(error->text, error->key) == NULL;
  snprintf(text, sizeof text, "%s%s%.350s", keyed ? error->key : "", keyed ? ": " : "", error->text);
  memcpy(error->text, text, sizeof text);
  error->file[0] = '\0';
  mote_command_file_locate(list->file, k, error);
  return complain_error(error);
}

// --- Names --------------------------------------------------------------------------------------------

static const char *name_at(const mote_scene *scene, mote_command_target target, size_t k) {
  if (target == MOTE_TARGET_COLLIDER) return k < scene->colliders ? scene->collider[k].name : NULL;
  if (target == MOTE_TARGET_MATERIAL) return k < scene->materials ? scene->material[k].name : NULL;
  if (target == MOTE_TARGET_EMITTER) return k < scene->emitters ? scene->emitter[k].name : NULL;
  if (k < scene->bodies) return scene->body[k].name;
  return k - scene->bodies < scene->emitters ? scene->emitter[k - scene->bodies].name : NULL;  // its flow
}

// Parts of bodies, "stone.17", are born later; values of materials are "honey.viscosity".
static bool is_known(const mote_scene *scene, mote_command_target target, const char *name) {
  const char *dot = strchr(name, '.');
  bool parted = target == MOTE_TARGET_BODY || target == MOTE_TARGET_MATERIAL;
  size_t length = parted && dot != NULL ? (size_t)(dot - name) : strlen(name);
  const char *other;
  for (size_t k = 0; (other = name_at(scene, target, k)) != NULL; ++k)
    if (strlen(other) == length && strncmp(other, name, length) == 0) return true;
  return false;
}

static int check_names(const run_commands *list, const mote_scene *scene) {
  for (size_t k = 0; k < list->count; ++k) {
    const mote_command *c = &list->command[k];
    mote_command_target target = mote_command_kinds()[c->kind].target;
    const char *what = mote_command_target_name(target), *other, *best = NULL;
    if (what == NULL || is_known(scene, target, c->target)) continue;
    for (size_t n = 0; (other = name_at(scene, target, n)) != NULL; ++n) {
      const char *both[2] = {best != NULL ? best : other, other};
      const char *closest = mote_text_closest(c->target, both, 2);
      if (closest != NULL) best = closest;
    }
    mote_error error = {.code = MOTE_ERROR_ARGUMENT};
    snprintf(error.key, sizeof error.key, "%s", what);
    snprintf(error.text, sizeof error.text, "there is no %s \"%s\" in the scene%s%s%s", what, c->target,
             best != NULL ? "; did you mean \"" : "", best != NULL ? best : "", best != NULL ? "\"?" : "");
    return fail(list, k, &error);
  }
  return EXIT_DONE;
}

// --- Reading ------------------------------------------------------------------------------------------

int run_commands_open(run_commands *list, const char *path, const run_directory *directory, bool resume,
                      const mote_scene *scene) {
  char kept[PATH_CAPACITY];
  mote_error error;
  *list = (run_commands){.kept = SIZE_MAX};
  run_directory_path(directory, RUN_COMMANDS_NAME, kept);
  if (path == NULL && (!resume || !run_directory_has(directory, RUN_COMMANDS_NAME))) return EXIT_DONE;
  if (mote_commands_read(path != NULL ? path : kept, NULL, &list->file, &error) != MOTE_OK)
    return complain_error(&error);
  list->command = mote_command_file_commands(list->file, &list->count);
  return check_names(list, scene);
}

void run_commands_close(run_commands *list) {
  mote_command_file_destroy(list->file);
  *list = (run_commands){.kept = SIZE_MAX};
}

static bool same_numbers(const double *a, const double *b, size_t count) {
  for (size_t k = 0; k < count; ++k)
    if (!(a[k] == b[k] || (isnan(a[k]) && isnan(b[k])))) return false;
  return true;
}

static bool is_same(const mote_command *given, const mote_command *had) {
  return given->kind == had->kind && strcmp(given->target, had->target) == 0 &&
         same_numbers(given->value, had->value, MOTE_COMMAND_VALUES) && given->count == had->count &&
         (given->count == 0 || (strcmp(given->field, had->field) == 0 &&
                                memcmp(given->id, had->id, given->count * sizeof *given->id) == 0 &&
                                same_numbers(given->values, had->values, 3 * given->count))) &&
         (given->step == UINT64_MAX || given->step == had->step) &&
         (isnan(given->time) || given->time <= had->time);
}

int run_commands_check(const run_commands *list, const mote_world *world) {
  size_t had = mote_world_commands(world);
  mote_command own;
  mote_error error = {.code = MOTE_ERROR_ARGUMENT};
  if (had > list->count) {
    complain("the run has had %zu commands, and there are %zu: give it the file that it was begun with", had,
             list->count);
    return EXIT_USAGE;
  }
  for (size_t k = 0; k < had; ++k) {
    mote_world_command_at(world, k, &own);
    if (is_same(&list->command[k], &own)) continue;
    snprintf(error.text, sizeof error.text,
             "this is in the past: the run, at step %" PRIu64 ", had another command before it",
             mote_world_steps(world));
    return fail(list, k, &error);
  }
  const mote_command *next = had < list->count ? &list->command[had] : NULL;
  if (next == NULL || next->step == UINT64_MAX || next->step >= mote_world_steps(world)) return EXIT_DONE;
  snprintf(error.key, sizeof error.key, "step");
  snprintf(error.text, sizeof error.text, "step %" PRIu64 " is in the past: the run is at step %" PRIu64,
           next->step, mote_world_steps(world));
  return fail(list, had, &error);
}

// --- Giving -------------------------------------------------------------------------------------------

static bool is_due(const mote_command *c, const mote_world *world) {
  if (c->step != UINT64_MAX) return mote_world_steps(world) >= c->step;
  return mote_world_time(world) >= c->time;
}

int run_commands_give(const run_commands *list, mote_world *world) {
  for (size_t k = mote_world_commands(world); k < list->count && is_due(&list->command[k], world); ++k) {
    const mote_command *c = &list->command[k];
    mote_error error = {.code = MOTE_ERROR_ARGUMENT};
    if (c->step != UINT64_MAX && !isnan(c->time) && c->time != mote_world_time(world)) {
      snprintf(error.key, sizeof error.key, "time");
      snprintf(error.text, sizeof error.text,
               "time %.17g s: at step %" PRIu64
               " this run is at %.17g s, and so is not the one that was recorded: its frames (fps) or its "
               "scene are others",
               c->time, c->step, mote_world_time(world));
      return fail(list, k, &error);
    }
    if (mote_world_command(world, c, &error) != MOTE_OK) return fail(list, k, &error);
  }
  return EXIT_DONE;
}

bool run_commands_keep(run_commands *list, const run_directory *directory, const mote_world *world) {
  char path[PATH_CAPACITY];
  mote_error error;
  size_t had = mote_world_commands(world);
  if (list->count == 0 || had == list->kept) return true;
  mote_command *all = malloc(list->count * sizeof *all);
  if (all == NULL) return complain("out of memory for commands"), false;
  for (size_t k = 0; k < list->count; ++k) {
    all[k] = list->command[k];
    if (k < had) mote_world_command_at(world, k, &all[k]);
  }
  run_directory_path(directory, RUN_COMMANDS_NAME, path);
  mote_result result = mote_commands_write(all, list->count, path, &error);
  free(all);
  if (result != MOTE_OK) return complain_error(&error), false;
  list->kept = had;
  return true;
}
