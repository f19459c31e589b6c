// A run from its options to its report: see run.h.
#include "cli/run/run.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/base/cli.h"
#include "cli/base/run_stop.h"
#include "cli/base/scene_open.h"
#include "cli/check/check_warnings.h"
#include "cli/run/run_files.h"
#include "cli/run/run_inside.h"
#include "cli/run/run_plots.h"
#include "cli/run/run_snapshots.h"

run_options run_options_default(void) {
  return (run_options){.autosave = -1};
}

// --- Where it goes ---

// The scene's name without folders and ending.
static void default_directory(const char *scene, char *out, size_t size) {
  const char *slash = strrchr(scene, '/'), *name = slash == NULL ? scene : slash + 1;
  const char *dot = strrchr(name, '.');
  size_t length = dot == NULL || dot == name ? strlen(name) : (size_t)(dot - name);
  snprintf(out, size, "%.*s", (int)length, name);
}

// With --resume a run's directory stands for the scene in it.
static bool names_run(const run_options *options, char scene[PATH_CAPACITY]) {
  struct stat there;
  snprintf(scene, PATH_CAPACITY, "%s/scene.yaml", options->scene);
  return options->resume && options->directory == NULL && stat(options->scene, &there) == 0 &&
         S_ISDIR(there.st_mode) && stat(scene, &there) == 0;
}

static int open_scene_and_directory(run *r) {
  char scene[PATH_CAPACITY], path[PATH_CAPACITY];
  const run_options *o = r->options;
  bool run_named = names_run(o, scene);
  int status = scene_open(run_named ? scene : o->scene, o->set, o->sets, &r->env, &r->file);
  if (status != EXIT_DONE) return status;
  r->scene = mote_scene_file_scene(r->file);
  r->scene_hash = mote_scene_file_hash(r->file);
  if (run_named) {
    snprintf(path, sizeof path, "%s", o->scene);
  } else {
    default_directory(o->scene, path, sizeof path);
  }
  run_intent intent = o->resume ? RUN_RESUME : o->overwrite ? RUN_OVERWRITE : RUN_BEGIN;
  return run_directory_open(&r->directory, o->directory != NULL ? o->directory : path, intent);
}

// --- What it begins with ---

static void report_difference(void *user, const char *key, const char *a, const char *b) {
  (void)user;
  complain("  %s: %s then, %s now", key, a, b);
}

// Going on with another scene than the run began with would be a third one.
static int compare_scenes(run *r) {
  char path[PATH_CAPACITY];
  mote_scene_file *kept;
  mote_error error;
  run_directory_path(&r->directory, "scene.yaml", path);
  if (mote_scene_read(path, NULL, 0, &r->env, &kept, &error) != MOTE_OK) return complain_error(&error);
  int status = EXIT_DONE;
  if (mote_scene_differences(kept, r->file, NULL, NULL) > 0) {
    complain("%s: the scene differs from the one this run was started with:", r->directory.path);
    mote_scene_differences(kept, r->file, report_difference, NULL);
    status = EXIT_USAGE;
  }
  bool ledger = mote_scene_file_scene(kept)->outputs.ledger;
  if (status == EXIT_DONE && ledger != r->scene->outputs.ledger) {
    complain("%s: this run was started %s an energy ledger, and its tables keep their columns",
             r->directory.path, ledger ? "with" : "without");
    status = EXIT_USAGE;
  }
  mote_scene_file_destroy(kept);
  return status;
}

static int make_world(run *r) {
  mote_error error;
  if (mote_world_create_scene(r->scene, &r->env, &r->world, &error) != MOTE_OK ||
      !run_frames_check(r->scene, r->world, &error)) {
    return complain_scene(r->file, &error);
  }
  return EXIT_DONE;
}

static bool keep_scene(const run *r, const char *files) {
  char path[PATH_CAPACITY], mark[128];
  size_t size;
  const char *text = mote_scene_file_text(r->file, &size);
  mote_file_out *out;
  mote_error error;
  int length = snprintf(mark, sizeof mark, RUN_SCENE_MARK " %s.\n", mote_version());
  run_directory_path(&r->directory, "scene.yaml", path);
  if (mote_file_out_begin(path, true, &r->env, &out, &error)) return complain_error(&error), false;
  bool written = mote_file_out_write(out, mark, (size_t)length) &&
                 mote_file_out_write(out, RUN_FILES_MARK, strlen(RUN_FILES_MARK)) &&
                 mote_file_out_write(out, files, strlen(files)) && mote_file_out_write(out, "\n", 1) &&
                 mote_file_out_write(out, text, size);
  (void)written;  // commit tells
  return mote_file_out_commit(out, &error) == MOTE_OK || (complain_error(&error), false);
}

static size_t frame_at(const mote_scene *scene, double time) {
  size_t n = 1;
  while (mote_scene_frame_time(scene, n + 1) <= time) ++n;
  return n;
}

static int load_snapshot(run *r) {
  int status = run_snapshot_load(&r->directory, r->world, (size_t)r->options->from_frame);
  if (status != EXIT_DONE) return status;
  r->frame = r->saved_frame = frame_at(r->scene, mote_world_time(r->world));
  r->saved_step = mote_world_steps(r->world);
  // The latest snapshot must never be later than the files beside it.
  if (r->options->from_frame > 0 && !run_snapshot_save(&r->directory, r->world)) return EXIT_FAILED;
  run_directory_cut(&r->directory, r->frame);
  return EXIT_DONE;
}

static int open_outputs(run *r, bool resume, const char *files) {
  int found = run_directory_check_files(&r->directory, files);
  if (found != EXIT_DONE) return found;
  if (resume) {
    int status = load_snapshot(r);
    if (status == EXIT_DONE) status = run_commands_check(&r->commands, r->world);
    if (status != EXIT_DONE) return status;
  } else {
    run_directory_clear(&r->directory);
  }
  bool ok =
      keep_scene(r, files) && run_commands_keep(&r->commands, &r->directory, r->world) &&
      run_frames_open(&r->particles, &r->directory, r->scene, r->scene_hash, r->frame) &&
      run_kinds_open(&r->kinds, &r->directory, r->scene, r->world, r->scene_hash, r->frame) &&
      run_surfaces_open(&r->surfaces, &r->directory, r->scene, r->world, r->scene_hash, r->frame, &r->env) &&
      run_fragments_open(&r->fragments, &r->directory, r->file, r->scene_hash, &r->env) &&
      run_probes_open(&r->probes, &r->directory, r->scene, r->world, &r->fragments, resume) &&
      (!r->scene->outputs.preview || run_pictures_open(&r->pictures, &r->directory, r->scene, r->scene_hash,
                                                       &r->env, resume, mote_world_time(r->world)));
  return ok ? EXIT_DONE : EXIT_FAILED;
}

int run_open_outputs(run *r) {
  bool resume = r->options->resume && run_directory_has(&r->directory, "snapshot.mote");
  if (r->options->resume && !resume)
    complain("%s: stopped before its first frame; starting again", r->directory.path);
  char *files =
      run_files_list(r->scene, r->frames, r->commands.count > 0, resume ? r->directory.files : NULL);
  if (files == NULL) return complain("out of memory"), EXIT_FAILED;
  int status = open_outputs(r, resume, files);
  free(files);
  return status;
}

// --- And how it ends ---

static int finish(run *r) {
  char path[PATH_CAPACITY];
  run_summary summary = {.world = r->world,
                         .clock = &r->clock,
                         .progress = &r->progress,
                         .directory = r->directory.path,
                         .scene_hash = r->scene_hash,
                         .frame = r->frame};
  bool saved = r->saved_frame == r->frame && r->saved_step == mote_world_steps(r->world);
  if (!saved && !run_save(r)) return EXIT_FAILED;
  double before = wall_seconds();
  if (!run_plots_write(&r->directory, r->scene)) return EXIT_FAILED;
  r->clock.spent[RUN_PLOTS] = wall_seconds() - before;
  summary.seconds = wall_seconds() - r->clock.begun;
  if (r->trying) run_estimate(r);
  summary.estimate = r->trial.made ? &r->estimate : NULL;
  run_directory_path(&r->directory, "run.json", path);
  if (!run_report_write(&summary, path)) return EXIT_FAILED;
  if (r->options->times && !r->options->json) run_report_timings(&summary);
  run_report_end(&summary, r->options->json);
  return EXIT_DONE;
}

static void warn_early(const run *r) {
  static warnings found;
  find_early_warnings(r->file, &found);
  for (int k = 0; k < found.count && !r->options->resume; ++k) complain("warning: %s", found.text[k]);
}

static int carry_out(run *r) {
  int status = r->options->resume ? compare_scenes(r) : EXIT_DONE;
  r->frames = r->options->frames > 0 ? (size_t)r->options->frames : mote_scene_frames(r->scene);
  if (status == EXIT_DONE) status = make_world(r);
  if (status == EXIT_DONE) warn_early(r);
  if (status == EXIT_DONE)
    status =
        run_commands_open(&r->commands, r->options->commands, &r->directory, r->options->resume, r->scene);
  if (status == EXIT_DONE) status = run_open_outputs(r);
  if (status != EXIT_DONE) return status;
  r->autosave = r->options->autosave >= 0 ? r->options->autosave : r->scene->outputs.autosave;
  r->saved = wall_seconds();
  run_progress_begin(&r->progress, r->options->quiet || r->options->json, mote_world_time(r->world),
                     mote_scene_frame_time(r->scene, r->frames), r->frames);
  if (r->frame >= r->frames) complain("%s: all %zu frames are already written", r->directory.path, r->frame);
  status = run_loop(r);
  return status == EXIT_DONE ? finish(r) : status;
}

void run_close_outputs(run *r) {
  if (r->pictures.stage.mesh != NULL) run_pictures_close(&r->pictures);
  run_probes_close(&r->probes);
  run_surfaces_close(&r->surfaces);
  run_fragments_close(&r->fragments);
  run_kinds_close(&r->kinds);
  run_frames_close(&r->particles);
}

int run_scene(const run_options *options) {
  run r = {.options = options, .env = mote_env_default(), .directory = {.lock = -1}};
  if (options->threads > 0) r.env.threads = options->threads;
  r.clock.begun = wall_seconds();
  run_stop_listen();
  int status = open_scene_and_directory(&r);
  if (status == EXIT_DONE) {
    status = carry_out(&r);
    run_directory_close(&r.directory, status != EXIT_DONE);
  }
  run_close_outputs(&r);
  trial_end(&r.trial);
  run_commands_close(&r.commands);
  mote_world_destroy(r.world);
  mote_scene_file_destroy(r.file);
  return status;
}
