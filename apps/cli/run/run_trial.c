// A run of a scene's first steps: see run_trial.h.
#define _POSIX_C_SOURCE 200809L
#include "cli/run/run_trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/base/run_stop.h"
#include "cli/check/check_cost.h"
#include "cli/check/check_impact.h"
#include "cli/run/run_inside.h"
#include "cli/run/run_plots.h"

#define TRIAL_BYTES 80000000   // scenes of an estimate beyond this are not set up: that takes seconds,
#define COARSE_BYTES 40000000  // but with a spacing for which they need no more than this
#define COARSER_MAX 32.0
#define FRAME_PATIENCE 1.0      // s
#define PROGRAM_BYTES 10000000  // without worlds

// --- Outputs ---

// A directory for them; false: there is none, and outputs take no time.
static bool open_outputs(run *r) {
  const char *folder = getenv("TMPDIR");
  char path[PATH_CAPACITY];
  snprintf(path, sizeof path, "%s/mote-check-XXXXXX", folder != NULL && folder[0] != '\0' ? folder : "/tmp");
  return mkdtemp(path) != NULL && run_directory_open(&r->directory, path, RUN_BEGIN) == EXIT_DONE &&
         run_open_outputs(r) == EXIT_DONE;
}

// Seconds for those of the frame.
static double write_frame(run *r, size_t frame) {
  double began = own_seconds();
  r->frame = frame;
  (void)run_write_frame(r);
  return own_seconds() - began;
}

// --- Steps ---

static void make_steps(run *r, scene_trial *trial) {
  size_t frame = 2;
  bool more = mote_world_begin_frame(r->world, &trial->failure) == MOTE_OK;
  while (more && !run_stop_asked() && mote_world_time(r->world) < trial->end) {
    double until = mote_scene_frame_time(r->scene, frame), began = own_seconds();
    more = mote_world_step(r->world, until, &trial->failure) == MOTE_OK;
    if (more) more = trial_add(trial, r->world, own_seconds() - began);
    if (!more || mote_world_time(r->world) < until) continue;
    ++frame;
    more = mote_world_begin_frame(r->world, &trial->failure) == MOTE_OK;
  }
}

static void measure(run *r, scene_trial *trial) {
  double opening = own_seconds();  // shapes that pictures show become meshes
  bool writes = open_outputs(r);
  trial->first_seconds += own_seconds() - opening;
  double first = writes ? write_frame(r, 1) : 0;
  make_steps(r, trial);
  trial->frame_seconds = first;  // unless a second one, for which nothing is set up, takes less
  if (writes && first < FRAME_PATIENCE && trial->failure.code == MOTE_OK)
    trial->frame_seconds = write_frame(r, 1 + (size_t)r->scene->outputs.every);
  double began = own_seconds();
  if (writes && run_probes_sync(&r->probes)) (void)run_plots_write(&r->directory, r->scene);
  trial->first_seconds += fmax(0, first - trial->frame_seconds) + own_seconds() - began;
  run_close_outputs(r);
  run_directory_remove(&r->directory);
}

// --- The world ---

// The scene with a spacing for which it is small.
static double coarsen(const mote_scene *scene, mote_scene *out) {
  double coarser = 1, bytes = scene_cost_setup_bytes(scene), most = TRIAL_BYTES;
  for (*out = *scene; bytes > most && coarser < COARSER_MAX; most = COARSE_BYTES) {
    coarser *= fmax(1.1, pow(bytes / COARSE_BYTES, 1.0 / scene->world.dimensions));
    out->world.spacing = coarser * scene->world.spacing;
    bytes = scene_cost_setup_bytes(out);
  }
  return coarser;
}

mote_result run_trial(mote_scene_file *file, const mote_scene *scene, budget *memory, mote_world **world,
                      scene_trial *trial, mote_error *error) {
  static const run_options options = {.quiet = true};
  mote_scene tried;
  mote_env counted = budget_env(memory);
  double began = own_seconds(), before = peak_bytes();
  *trial = (scene_trial){.threads = counted.threads, .coarser = coarsen(scene, &tried)};
  mote_result result = mote_world_create_scene(&tried, &counted, world, error);
  if (result == MOTE_OK && !run_frames_check(&tried, *world, error)) result = error->code;
  if (result == MOTE_OK && trial_begin(trial, *world, fmin(scene->duration, impact_time(scene)))) {
    trial->first_seconds = own_seconds() - began;
    run r = {.options = &options,
             .env = counted,
             .file = file,
             .scene = &tried,
             .world = *world,
             .scene_hash = mote_scene_file_hash(file),
             .directory = {.lock = -1}};
    measure(&r, trial);
  }
  // After a larger scene, what was asked for: of the peak only that of all scenes is known.
  double peak = peak_bytes();
  trial->bytes = peak > before ? peak : (double)memory->most + PROGRAM_BYTES;
  if (memory->refused) trial->failure = (mote_error){0};
  bool forgiven = trial->coarser > 1 || (result == MOTE_ERROR_MEMORY && memory->refused);
  return forgiven ? MOTE_OK : result;
}
