// mote check: what is wrong with a scene, what looks wrong, and what it will cost.
#include <math.h>
#include <mote/fracture.h>
#include <mote/world.h>
#include <stdio.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"
#include "cli/base/json_line.h"
#include "cli/base/run_progress.h"
#include "cli/base/run_stop.h"
#include "cli/base/scene_kinds.h"
#include "cli/check/check_budget.h"
#include "cli/check/check_cost.h"
#include "cli/check/check_disk.h"
#include "cli/check/check_warnings.h"
#include "cli/run/run_trial.h"

const char help_check[] =
    "usage: mote check SCENE... [--set KEY=VALUE]... [--frames N] [--json] [--threads N]\n"
    "\n"
    "Reads a scene as mote run does, reports up to 10 errors with line and column, warns of probable "
    "mistakes,\n"
    "and estimates particles, memory, time and disk space: the run is tried out for a moment, in a "
    "temporary\n"
    "directory; scenes of more than about 60,000 particles with a larger spacing. The time is for an\n"
    "otherwise idle machine, within a factor of 2.5, memory within a factor of 1.5.\n"
    "\n"
    "  --frames N  of a run of so many frames, instead of the duration of the scene\n"
    "\n"
    "exit status: 0 the scene can be run, 1 failure, 2 the scene has errors\n";

#define MOST_BYTES 480000000  // for trying a scene out
enum { JSON_ERROR = 800 };    // letters of an error with its place

typedef struct check_options {
  mote_env env;
  word_list sets;
  int frames;  // 0: those of the scene's duration
  bool json;
} check_options;

static const char *print_bytes(double bytes, char out[32]) {
  const char *unit[] = {"B", "kB", "MB", "GB", "TB"};
  int k = 0;
  while (bytes >= 999.5 && k < 4) bytes /= 1000, ++k;
  snprintf(out, 32, "%.3g %s", bytes, unit[k]);
  return out;
}

static void print_elastic(const scene_cost *cost, const scene_trial *trial) {
  int steps = trial->report.elastic_steps;
  if (!(cost->elastic > 0)) return;
  printf("  elastic    %.0f particles", cost->elastic);
  if (steps > 0 && cost->implicit) printf(", implicit steps; slower in contact");
  if (steps > 0 && !cost->implicit && trial->failure.code == MOTE_OK)
    printf(", %d explicit step%s in each", steps, steps > 1 ? "s" : "");
  printf("\n");
}

static void print_fracture(const mote_scene *scene) {
  for (size_t k = 0; k < scene->materials; ++k) {
    const mote_material_def *m = &scene->material[k];
    if (!material_can_break(m)) continue;
    double wave = sqrt(0.5 * m->elastic.young / (1.0 + m->elastic.poisson) / m->density);
    bool given = !isnan(m->elastic.toughness);
    printf("  breaks     %s: toughness %.3g Pa m^1/2%s, cracks run at %.3g m/s\n", m->name,
           given ? m->elastic.toughness
                 : mote_fracture_default_toughness(m->elastic.strength, scene->world.spacing),
           given ? "" : " (by strength and spacing)",
           isnan(m->elastic.crack_speed) ? MOTE_CRACK_SPEED_PART * wave : m->elastic.crack_speed);
  }
}

static void print_lattices(const scene_cost *cost, const scene_trial *trial, double fps) {
  if (!(cost->lattice > 0)) return;
  printf("  lattice    %.0f particles", cost->lattice);
  if (trial->report.lattice_steps > 0 && trial->failure.code == MOTE_OK && cost->step > 0)
    printf(", about %.0f substeps a frame", trial->report.lattice_steps * (1 / fps) / cost->step);
  printf("\n");
}

static void print_time(const scene_cost *cost, double duration) {
  char text[32];
  if (2 * cost->seconds < 1)
    snprintf(text, sizeof text, "less than a second");
  else
    print_duration(cost->seconds, text);
  printf("  time       %s%s on this machine", 2 * cost->seconds < 1 ? "" : "about ", text);
  if (cost->known < duration) printf(" up to the impact at %.2g s, unknown from there on", cost->known);
  printf("\n");
}

#define WALL_SHARE 0.5  // walls with more samples than twice the particles are worth a word

static void print_text(const char *name, const mote_scene *scene, const mote_world *world,
                       const scene_cost *cost, const scene_trial *trial) {
  char a[32], b[32];
  printf("%s: %s\n", name, scene->title != NULL && scene->title[0] != '\0' ? scene->title : "a scene");
  printf("  particles  %.0f%s, %dD, spacing %g m\n", cost->bodies, trial->coarser == 1 ? "" : " (about)",
         scene->world.dimensions, scene->world.spacing);
  if (cost->rigid > 0) printf("  bodies     %zu rigid\n", cost->rigid);
  print_elastic(cost, trial);
  print_fracture(scene);
  print_lattices(cost, trial, scene->fps);
  if (cost->emitted > 0) printf("             and about %.0f from emitters\n", cost->emitted);
  printf("  memory     about %s", print_bytes(cost->bytes, a));
  if (cost->samples * WALL_SHARE > cost->bodies + cost->elastic + cost->lattice)
    printf(", with %.2g wall samples", cost->samples);
  printf("\n");
  printf("  frames     %zu in %g s, %zu of them written\n", cost->frames, scene->duration, cost->written);
  printf("  steps      about %.0f of %.2g s, limited by %s", cost->steps, cost->step, cost->limit);
  printf(" (flow about %.2g m/s", cost->speed);
  if (cost->sound > 0) printf(", sound %.3g m/s", cost->sound);
  printf(")\n");
  if (cost->viscosity > 0) {
    printf("  viscosity  of the method about %.1g m2/s", cost->viscosity);
    if (cost->length > 0)
      printf(": Reynolds numbers up to %.0f", cost->length * cost->speed / cost->viscosity);
    printf("\n");
  }
  print_time(cost, scene->duration);
  printf("  disk       about %s", print_bytes(cost->files + cost->pictures + cost->surfaces, a));
  double rows = (cost->bodies + 0.5 * cost->emitted) * (double)cost->written;
  for (size_t k = 0; k < scene->outputs.formats; ++k) {
    const char *format = scene->outputs.format[k];
    printf("%s%s %s", k == 0 ? ": " : ", ", format,
           print_bytes(rows * disk_record(scene, world, format) +
                           cost->elastic * (double)cost->written * disk_elastic_record(format),
                       b));
  }
  if (cost->surfaces > 0) printf(", surfaces %s", print_bytes(cost->surfaces, a));
  if (cost->pictures > 0) printf(", pictures %s", print_bytes(cost->pictures, a));
  printf("\n");
}

static void print_json(const char *name, const mote_scene *scene, const scene_cost *cost,
                       const scene_trial *trial, const warnings *found) {
  APP_ASSERT(found->count <= WARNINGS_MAX);
  json_line line;
  const char *text[WARNINGS_MAX];
  for (int k = 0; k < found->count; ++k) text[k] = found->text[k];
  json_begin(&line);
  json_text(&line, "scene", name);
  json_flag(&line, "ok", true);
  json_number(&line, "particles", cost->bodies);
  json_number(&line, "emitted", cost->emitted);
  if (cost->rigid > 0) json_integer(&line, "rigid_bodies", cost->rigid);
  if (cost->elastic > 0) json_number(&line, "elastic", cost->elastic);
  if (trial->report.elastic_steps > 0)
    json_text(&line, "elastic_steps", cost->implicit ? "implicit" : "explicit");
  json_number(&line, "bytes", floor(cost->bytes));
  json_number(&line, "wall_samples", floor(cost->samples + 0.5));
  json_integer(&line, "frames", cost->frames);
  json_number(&line, "duration", scene->duration);
  json_number(&line, "step", cost->step);
  json_text(&line, "step_limited_by", cost->limit);
  json_number(&line, "steps", cost->steps);
  if (cost->viscosity > 0) json_number(&line, "effective_viscosity", cost->viscosity);
  json_number(&line, "seconds", cost->seconds);
  json_number(&line, "known_until", cost->known);
  json_number(&line, "disk_bytes", cost->files + cost->pictures + cost->surfaces);
  json_flag(&line, "measured", trial->made);
  json_texts(&line, "warnings", text, found->count);
  fputs(json_end(&line), stdout);
}

static int print_errors(const char *name, const mote_error_list *errors) {
  json_line line;
  char text[MOTE_ERRORS_LISTED][JSON_ERROR];
  const char *list[MOTE_ERRORS_LISTED];
  const mote_error *error = &errors->error[0];
  int listed = errors->count < MOTE_ERRORS_LISTED ? (int)errors->count : MOTE_ERRORS_LISTED;
  for (int k = 0; k < listed; ++k) {
    const mote_error *e = &errors->error[k];
    snprintf(text[k], JSON_ERROR, "%s:%d:%d: %s", e->file, e->line, e->column, e->text);
    list[k] = text[k];
  }
  json_begin(&line);
  json_text(&line, "scene", name);
  json_flag(&line, "ok", false);
  json_text(&line, "file", error->file);
  json_integer(&line, "line", (uint64_t)error->line);
  json_integer(&line, "column", (uint64_t)error->column);
  json_text(&line, "key", error->key);
  json_text(&line, "error", error->text);
  json_integer(&line, "error_count", errors->count);
  json_texts(&line, "errors", list, listed);
  fputs(json_end(&line), stdout);
  return error->code == MOTE_ERROR_ARGUMENT || error->code == MOTE_ERROR_FORMAT ? EXIT_USAGE : EXIT_FAILED;
}

// A scene as it is checked.
typedef struct subject {
  const char *name;
  mote_scene_file *file;
  mote_scene scene;  // with the frames that were asked for
  mote_world *world;
  budget memory;
  scene_trial trial;
} subject;

// Whether a run could begin; tries it out.
static mote_result try_scene(subject *s, mote_error *error) {
  mote_result result = run_trial(s->file, &s->scene, &s->memory, &s->world, &s->trial, error);
  if (result != MOTE_OK) mote_scene_file_locate(s->file, error);
  return result;
}

static void report_cost(const subject *s, bool json) {
  static warnings found;
  scene_cost cost = scene_cost_estimate(&s->scene, s->world, &s->trial);
  find_warnings(s->file, &cost, &s->trial.failure, &found);
  if (json) {
    print_json(s->name, &s->scene, &cost, &s->trial, &found);
    return;
  }
  print_text(s->name, &s->scene, s->world, &cost, &s->trial);
  for (int k = 0; k < found.count; ++k) complain("warning: %s", found.text[k]);
}

static int check_scene(const char *name, const check_options *options) {
  mote_error_list errors;
  subject s = {.name = name};
  budget_make(&s.memory, &options->env, MOST_BYTES);
  int status = EXIT_DONE;
  double began = own_seconds();
  mote_result result =
      scene_find_all(name, options->sets.word, options->sets.count, &options->env, &s.file, &errors);
  double reading = own_seconds() - began;
  if (result == MOTE_OK) {
    s.scene = *mote_scene_file_scene(s.file);
    if (options->frames > 0) s.scene.duration = mote_scene_frame_time(&s.scene, (size_t)options->frames);
    errors.count = 1;
    result = try_scene(&s, &errors.error[0]);
    s.trial.first_seconds += reading;
  }
  if (result == MOTE_OK) {
    report_cost(&s, options->json);
  } else {
    status = options->json ? print_errors(name, &errors) : complain_errors(&errors);
  }
  trial_end(&s.trial);
  mote_world_destroy(s.world);
  mote_scene_file_destroy(s.file);
  return status;
}

#define SETS_MAX 256

int cmd_check(int argc, char **argv) {
  const char *set[SETS_MAX];
  check_options o = {.env = mote_env_default()};
  o.sets = (word_list){.word = set, .capacity = SETS_MAX};
  const option options[] = {{.name = "--json", .flag = &o.json},
                            {.name = "--set", .list = &o.sets},
                            {.name = "--frames", .number = &o.frames, .low = 1, .high = 100000000},
                            {.name = "--threads", .number = &o.env.threads, .low = 1, .high = 1024},
                            {.name = NULL}};
  if (!options_parse(&argc, argv, options)) return EXIT_USAGE;
  if (argc < 2) {
    complain("check needs a scene (mote examples lists built-in ones)");
    return EXIT_USAGE;
  }
  run_stop_listen();
  int worst = EXIT_DONE;
  for (int k = 1; k < argc && !run_stop_asked(); ++k) {
    int status = check_scene(argv[k], &o);
    if (status > worst) worst = status;
  }
  return run_stop_asked() ? EXIT_INTERRUPTED : worst;
}
