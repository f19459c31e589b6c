// The loop of a run: steps, frames, outputs, snapshots.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"
#include "cli/base/run_stop.h"
#include "cli/check/check_budget.h"
#include "cli/check/check_impact.h"
#include "cli/run/run_inside.h"
#include "cli/run/run_snapshots.h"

// Does something, and books its time under `task`.
#define TIMED(r, task, what)                           \
  do {                                                 \
    double began_ = wall_seconds();                    \
    ok = (what);                                       \
    (r)->clock.spent[task] += wall_seconds() - began_; \
  } while (0)

bool run_save(run *r) {
  bool ok;
  TIMED(r, RUN_SNAPSHOTS,
        run_probes_sync(&r->probes) && run_snapshot_save(&r->directory, r->world) &&
            run_commands_keep(&r->commands, &r->directory, r->world));
  if (ok) {
    r->saved = wall_seconds();
    r->saved_frame = r->frame, r->saved_step = mote_world_steps(r->world);
  }
  return ok;
}

static int stop(run *r) {
  if (!run_save(r)) return EXIT_FAILED;
  complain("stopped in frame %zu at t = %g s, state saved; \"mote run %s --resume\" continues", r->frame,
           mote_world_time(r->world), r->directory.path);
  return EXIT_INTERRUPTED;
}

// Between two steps of a frame that has begun.
static int rest(run *r) {
  if (run_stop_asked()) return stop(r);
  bool due = wall_seconds() - r->saved >= r->autosave;
  return !due || run_save(r) ? EXIT_DONE : EXIT_FAILED;
}

// --- Frames ---

static bool write_measures(run *r) {
  mote_totals totals;
  mote_error error;
  if (mote_world_totals(r->world, &totals, &error) != MOTE_OK) return complain_error(&error), false;
  if (!run_probes_frame(&r->probes, r->world, &totals)) return false;
  if (r->options->json) run_report_frame(r->frame, &totals, wall_seconds() - r->clock.begun);
  return true;
}

bool run_write_frame(run *r) {
  bool ok = true;
  size_t past = r->frame - 1;
  if (past % (size_t)r->scene->outputs.every == 0) {
    TIMED(r, RUN_FILES, run_frames_write(&r->particles, r->world, r->frame));
    if (ok) TIMED(r, RUN_FILES, run_kinds_write(&r->kinds, r->world, r->frame));
    if (ok) TIMED(r, RUN_SURFACES, run_surfaces_write(&r->surfaces, r->world, r->frame));
    if (ok) TIMED(r, RUN_SURFACES, run_fragments_write(&r->fragments, r->world, r->frame));
    if (ok && r->scene->outputs.preview) {
      TIMED(r, RUN_PICTURES,
            run_pictures_write(&r->pictures, r->world, run_surfaces_shown(&r->surfaces), r->frame));
    }
  }
  if (ok) TIMED(r, RUN_TABLES, write_measures(r));
  return ok;
}

static bool keep_snapshot(run *r) {
  int every = r->scene->outputs.snapshot_every;
  bool ok = true;
  if (every > 0 && (r->frame - 1) % (size_t)every == 0) {
    TIMED(r, RUN_SNAPSHOTS, run_snapshot_keep(&r->directory, r->world, r->frame));
  }
  return ok;
}

// A line per frame for logs; on a terminal there is the progress bar.
static void log_frame(const run *r) {
  if (!r->progress.logged) return;
  char particles[96], spent[32], left[32];
  double now = mote_world_time(r->world), elapsed = wall_seconds() - r->clock.begun;
  double done = now - r->progress.first, rest = r->progress.last - now;
  print_particles(mote_world_particles(r->world) + mote_world_lattice_particles(r->world),
                  mote_world_elastic_particles(r->world), particles);
  printf("frame %zu/%zu, t = %g s, %" PRIu64 " steps, %s, %s", r->frame, r->frames, now,
         mote_world_steps(r->world), particles, print_duration(elapsed, spent));
  double seconds = wall_seconds() - r->progress.begun;
  if (done > 0 && rest > 0) printf(", about %s left", print_duration(seconds * rest / done, left));
  printf("\n");
  fflush(stdout);
}

// --- The estimate ---

void run_estimate(run *r) {
  mote_scene part = *r->scene;
  part.duration = mote_scene_frame_time(r->scene, r->frames);
  r->trying = false;
  r->trial.bytes = peak_bytes();
  r->estimate = scene_cost_estimate(&part, r->world, &r->trial);
}

// Books what the outputs of a frame took. From the first frame on steps are tried out.
static void try_frame(run *r, double seconds) {
  if (r->frame == 1) {
    r->trying = trial_begin(&r->trial, r->world, impact_time(r->scene));
    r->trial.threads = r->env.threads;
    r->trial.first_seconds = own_seconds();
  }
  if (r->trying && (r->frame == 1 || seconds > 0)) r->trial.frame_seconds = seconds;
}

// The world is at the next frame: writes it and begins what follows.
static int finish_frame(run *r) {
  mote_error error;
  APP_ASSERT(r->frame < r->frames);
  ++r->frame;
  double began = own_seconds();
  if (!run_write_frame(r)) return EXIT_FAILED;
  try_frame(r, own_seconds() - began);
  if (!run_commands_keep(&r->commands, &r->directory, r->world)) return EXIT_FAILED;
  log_frame(r);
  if (mote_world_begin_frame(r->world, &error) != MOTE_OK) return complain_error(&error);
  if (!keep_snapshot(r)) return EXIT_FAILED;
  bool first = r->frame == 1;  // from now on there is something to go on from
  return !first || run_save(r) ? EXIT_DONE : EXIT_FAILED;
}

// --- Steps ---

// The mathematics failed, and the world is at the frame's beginning.
static int give_up(run *r, const mote_error *error) {
  int status = complain_error(error);
  if (error->code != MOTE_ERROR_NUMERIC) return status;
  bool saved = run_save(r);
  r->hopeless = true;
  complain(
      "given up in frame %zu at t = %g s%s; a smaller solver.cfl (%g now) or solver.step_max, a smaller "
      "spacing or slower motions may help: mote run ... --set solver.cfl=%g --overwrite",
      r->frame, mote_world_time(r->world), saved ? ", state saved" : "", r->scene->world.solver.cfl,
      0.5 * r->scene->world.solver.cfl);
  return EXIT_FAILED;
}

// Each once a run.
static void report_trouble(run *r) {
  for (int k = 0; k < RUN_TROUBLES; ++k) {
    char text[RUN_TROUBLE_TEXT];
    if (r->reported[k] || !run_report_trouble(r->world, (run_trouble)k, text)) continue;
    r->reported[k] = true;
    complain("frame %zu: %s", r->frame + 1, text);
  }
}

static int take_step(run *r, double until) {
  mote_error error;
  bool ok;
  double before = mote_world_time(r->world), began = own_seconds();
  APP_ASSERT(before < until);
  if (mote_world_step(r->world, until, &error) != MOTE_OK) return give_up(r, &error);
  double now = mote_world_time(r->world);
  if (r->trying && !trial_add(&r->trial, r->world, own_seconds() - began)) run_estimate(r);
  if (now < before) {
    TIMED(r, RUN_TABLES, run_probes_cut(&r->probes, now));
  } else {
    TIMED(r, RUN_TABLES, run_probes_step(&r->probes, r->world, before));
    if (ok) TIMED(r, RUN_SURFACES, run_surfaces_follow(&r->surfaces, r->world, before));
  }
  run_place place = {r->frame, now, mote_world_steps(r->world), mote_world_particles(r->world),
                     mote_world_elastic_particles(r->world)};
  run_progress_step(&r->progress, &place);
  report_trouble(r);
  return ok ? EXIT_DONE : EXIT_FAILED;
}

// What is wrong with a command may show only where it is due.
static int refuse_commands(const run *r, int status) {
  complain(
      "stopped in frame %zu at t = %g s, state saved; \"mote run %s --resume --commands FILE\" continues "
      "with better commands",
      r->frame, mote_world_time(r->world), r->directory.path);
  return status;
}

static int give_commands(run *r) {
  int status = run_commands_give(&r->commands, r->world);
  return status != EXIT_DONE && run_save(r) ? refuse_commands(r, status) : status;
}

// The first frame shows what commands at the beginning have made of the scene.
static int begin(run *r) {
  int given = run_commands_give(&r->commands, r->world), status = finish_frame(r);
  return status == EXIT_DONE && given != EXIT_DONE ? refuse_commands(r, given) : status;
}

static int step_to(run *r, double until) {
  int status = EXIT_DONE;
  while (status == EXIT_DONE && mote_world_time(r->world) < until) {
    status = rest(r);
    if (status == EXIT_DONE) status = give_commands(r);
    if (status == EXIT_DONE) status = take_step(r, until);
  }
  return status;
}

static void report_how_to_resume(const run *r) {
  if (r->saved_frame > 0) {
    complain("\"mote run %s --resume\" continues from frame %zu", r->directory.path, r->saved_frame);
  } else {
    complain("nothing is saved yet; \"mote run %s --resume\" starts again", r->directory.path);
  }
}

int run_loop(run *r) {
  int status = r->frame == 0 ? begin(r) : EXIT_DONE;
  while (status == EXIT_DONE && r->frame < r->frames) {
    status = step_to(r, mote_scene_frame_time(r->scene, r->frame + 1));
    if (status == EXIT_DONE) status = finish_frame(r);
  }
  clear_bar();
  if (status == EXIT_FAILED && !r->hopeless) report_how_to_resume(r);
  return status;
}
