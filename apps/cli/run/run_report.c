// What a run says of itself: see run_report.h.
#include "cli/run/run_report.h"

#include <inttypes.h>
#include <math.h>
#include <mote/io.h>
#include <string.h>
#include <time.h>

#include "cli/base/cli.h"
#include "cli/base/json_line.h"
#include "cli/check/check_budget.h"

static const char *const task_names[RUN_TASKS] = {"particle files", "surfaces", "pictures",
                                                  "probes, totals", "plots",    "snapshots"};

void run_report_frame(size_t frame, const mote_totals *totals, double wall) {
  json_line line;
  json_begin(&line);
  json_integer(&line, "frame", frame);
  json_number(&line, "time", totals->time);
  json_integer(&line, "steps", totals->step);
  json_integer(&line, "particles", totals->particles);
  if (totals->elastic_particles > 0) json_integer(&line, "elastic", totals->elastic_particles);
  json_number(&line, "wall_seconds", wall);
  json_number(&line, "kinetic_energy", totals->kinetic_energy);
  json_number(&line, "potential_energy", totals->potential_energy);
  if (totals->elastic_particles > 0) {
    json_number(&line, "elastic_energy", totals->elastic_energy);
    json_integer(&line, "inverted", totals->inverted);
  }
  if (totals->enthalpy > 0) {
    json_number(&line, "enthalpy", totals->enthalpy);
    json_number(&line, "frozen_mass", totals->frozen_mass);
  }
  json_number(&line, "speed_max", totals->speed_max);
  json_number(&line, "compression_mean", totals->compression_mean);
  json_number(&line, "compression_max", totals->compression_max);
  json_number(&line, "volume_error", totals->volume_error);
  fputs(json_end(&line), stdout);
  fflush(stdout);
}

static void print_share(const char *indent, const char *name, double seconds, double whole) {
  fprintf(stderr, "%s%-*s %9.2f s %5.1f %%\n", indent, 26 - (int)strlen(indent), name, seconds,
          whole > 0 ? 100 * seconds / whole : 0);
}

void run_report_timings(const run_summary *s) {
  double in_world = 0, in_tasks = 0, seconds;
  for (int k = 0; k < mote_world_stages(s->world); ++k) {
    mote_world_stage(s->world, k, &seconds);
    in_world += seconds;
  }
  print_share("", "all", s->seconds, s->seconds);
  print_share("  ", "world", in_world, s->seconds);
  for (int k = 0; k < mote_world_stages(s->world); ++k) {
    const char *name = mote_world_stage(s->world, k, &seconds);
    print_share("    ", name, seconds, s->seconds);
  }
  for (int k = 0; k < RUN_TASKS; ++k) {
    print_share("  ", task_names[k], s->clock->spent[k], s->seconds);
    in_tasks += s->clock->spent[k];
  }
  print_share("  ", "the rest", s->seconds - in_world - in_tasks, s->seconds);
}

// Evaluations of forces, where steps are individual.
static bool saves_evaluations(const run_summary *s, mote_totals *totals) {
  return mote_world_totals(s->world, totals, NULL) == MOTE_OK && totals->evaluations > 0;
}

static void write_compression(const mote_world *world, char text[RUN_TROUBLE_TEXT]) {
  mote_compression_report c = mote_world_compression_report(world);
  if (c.reason == MOTE_COMPRESSION_NONE) return;
  snprintf(text, RUN_TROUBLE_TEXT, "the fluid is compressed by %.3g %% on average up to t = %.6g s; %s",
           100 * c.mean, c.time, mote_compression_reason_text(c.reason));
}

static void write_inversion(const mote_world *world, char text[RUN_TROUBLE_TEXT]) {
  mote_inversion_report i = mote_world_inversion_report(world);
  if (mote_inversion_text(i)[0] == '\0') return;
  snprintf(text, RUN_TROUBLE_TEXT, "elastic particles are turned inside out at t = %.6g s, up to %zu; %s",
           i.time, i.most, mote_inversion_text(i));
}

static void write_fault(const mote_world *world, char text[RUN_TROUBLE_TEXT]) {
  mote_body_fault_report b = mote_world_body_fault(world);
  if (b.fault == MOTE_BODY_FAULT_NONE) return;
  snprintf(text, RUN_TROUBLE_TEXT, "bodies: %s at t = %.6g s (%s%s%.3g)", mote_body_fault_text(b.fault),
           b.time, b.body, b.body[0] != '\0' ? ": " : "", b.value);
}

bool run_report_trouble(const mote_world *world, run_trouble trouble, char text[RUN_TROUBLE_TEXT]) {
  text[0] = '\0';
  if (trouble == RUN_COMPRESSED) write_compression(world, text);
  if (trouble == RUN_INVERTED) write_inversion(world, text);
  if (trouble == RUN_BODIES) write_fault(world, text);
  return text[0] != '\0';
}

static void put_inversion(const mote_world *world, json_line *line) {
  mote_inversion_report i = mote_world_inversion_report(world);
  if (i.most == 0) return;
  json_open(line, "inverted");
  json_integer(line, "most", i.most);
  json_integer(line, "frames", i.frames);
  if (mote_inversion_text(i)[0] != '\0') {
    json_number(line, "time", i.time);
    json_text(line, "reason", mote_inversion_text(i));
  }
  json_close(line);
}

static void put_compression(const mote_world *world, json_line *line) {
  mote_compression_report c = mote_world_compression_report(world);
  if (c.reason == MOTE_COMPRESSION_NONE) return;
  json_open(line, "compressed");
  json_number(line, "time", c.time);
  json_number(line, "mean", c.mean);
  json_text(line, "reason", mote_compression_reason_text(c.reason));
  json_close(line);
}

static void put_fault(const mote_world *world, json_line *line) {
  mote_body_fault_report r = mote_world_body_fault(world);
  if (r.fault == MOTE_BODY_FAULT_NONE) return;
  json_open(line, "bodies_wrong");
  json_number(line, "time", r.time);
  json_number(line, "value", r.value);
  json_text(line, "body", r.body);
  json_text(line, "reason", mote_body_fault_text(r.fault));
  json_close(line);
}

// What the run was estimated to need after its first steps, and what it needed.
static void put_estimate(const run_summary *s, json_line *line) {
  const scene_cost *e = s->estimate;
  size_t particles = mote_world_particles(s->world) + mote_world_elastic_particles(s->world) +
                     mote_world_lattice_particles(s->world);
  if (e == NULL) return;
  json_open(line, "estimate");
  json_number(line, "seconds", e->seconds);
  json_number(line, "known_until", e->known);
  json_number(line, "bytes", floor(e->bytes));
  json_number(line, "particles", floor(e->bodies + e->emitted + e->elastic + e->lattice));
  json_close(line);
  json_open(line, "truth");
  json_number(line, "seconds", s->seconds);
  json_number(line, "processor_seconds", (double)clock() / CLOCKS_PER_SEC);
  json_number(line, "bytes", peak_bytes());
  json_integer(line, "particles", particles);
  json_close(line);
}

static void fill_json(const run_summary *s, json_line *line) {
  mote_totals totals;
  json_begin(line);
  json_flag(line, "done", true);
  json_integer(line, "frame", s->frame);
  json_number(line, "time", mote_world_time(s->world));
  json_integer(line, "steps", mote_world_steps(s->world));
  json_integer(line, "particles", mote_world_particles(s->world));
  if (mote_world_elastic_particles(s->world) > 0)
    json_integer(line, "elastic", mote_world_elastic_particles(s->world));
  json_number(line, "wall_seconds", s->seconds);
  json_number(line, "particle_steps_per_second",
              s->seconds > 0 ? s->progress->particle_steps / s->seconds : 0);
  if (saves_evaluations(s, &totals)) {
    json_integer(line, "evaluations", totals.evaluations);
    json_integer(line, "evaluations_all", totals.evaluations_all);
  }
  put_compression(s->world, line);
  put_inversion(s->world, line);
  put_fault(s->world, line);
  json_integer(line, "bytes", mote_world_bytes(s->world));
  put_estimate(s, line);
  json_text(line, "version", mote_version());
  json_hash(line, "scene_hash", s->scene_hash);
  json_hash(line, "state_hash", mote_world_hash(s->world));
  json_hash(line, "motion_hash", mote_world_motion_hash(s->world));
  json_open(line, "seconds");
  for (int k = 0; k < mote_world_stages(s->world); ++k) {
    double seconds;
    const char *name = mote_world_stage(s->world, k, &seconds);
    json_number(line, name, seconds);
  }
  for (int k = 0; k < RUN_TASKS; ++k) json_number(line, task_names[k], s->clock->spent[k]);
  json_close(line);
  mote_ledger_entry entry;
  if (!mote_world_ledger(s->world, 0, &entry)) return;
  json_open(line, "ledger");
  for (int k = 0; mote_world_ledger(s->world, k, &entry); ++k) json_number(line, entry.name, entry.energy);
  json_close(line);
}

void run_report_end(const run_summary *s, bool json) {
  if (json) {
    json_line line;
    fill_json(s, &line);
    fputs(json_end(&line), stdout);
  } else {
    char particles[96], text[RUN_TROUBLE_TEXT];
    print_particles(mote_world_particles(s->world) + mote_world_lattice_particles(s->world),
                    mote_world_elastic_particles(s->world), particles);
    printf("%s: frame %zu, t = %g s, %" PRIu64 " steps, %s, state %016" PRIx64 ", motion %016" PRIx64,
           s->directory, s->frame, mote_world_time(s->world), mote_world_steps(s->world), particles,
           mote_world_hash(s->world), mote_world_motion_hash(s->world));
    for (int k = 0; k < RUN_TROUBLES; ++k) {
      if (run_report_trouble(s->world, (run_trouble)k, text)) printf("; warning: %s", text);
    }
    printf("\n");
    mote_totals totals;
    if (saves_evaluations(s, &totals)) {
      printf("individual steps: %" PRIu64 " evaluations of forces instead of %" PRIu64 ", %.2f times fewer\n",
             totals.evaluations, totals.evaluations_all,
             (double)totals.evaluations_all / (double)totals.evaluations);
    }
  }
  fflush(stdout);
}

bool run_report_write(const run_summary *s, const char *path) {
  json_line line;
  fill_json(s, &line);
  const char *text = json_end(&line);
  mote_error error;
  return mote_file_write(path, text, line.length, &error) == MOTE_OK || (complain_error(&error), false);
}
