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
#include "cli/base/scene_kinds.h"
#include "cli/check/check_budget.h"
#include "cli/check/check_cost.h"
#include "cli/check/check_warnings.h"
#include "cli/run/run_frames.h"

const char help_check[] =
    "usage: mote check SCENE [--set KEY=VALUE]... [--json] [--threads N]\n"
    "\n"
    "Reads a scene as mote run does, reports up to 10 errors with line and column, warns of probable "
    "mistakes,\n"
    "and estimates particles, memory, time and disk space. Scenes of up to about 60,000 particles are set "
    "up\n"
    "and run for a few steps. The time is for an otherwise idle machine, within a factor of two.\n"
    "\n"
    "exit status: 0 the scene can be run, 1 failure, 2 the scene has errors\n";

#define TRIAL_BYTES 120000000  // scenes of an estimate beyond this are not set up: that takes seconds
enum { JSON_ERROR = 800 };     // letters of an error with its place
#define MOST_BYTES 400000000   // nor those that take more than this, whatever the estimate

static const char *print_bytes(double bytes, char out[32]) {
  const char *unit[] = {"B", "kB", "MB", "GB", "TB"};
  int k = 0;
  while (bytes >= 999.5 && k < 4) bytes /= 1000, ++k;
  snprintf(out, 32, "%.3g %s", bytes, unit[k]);
  return out;
}

static void print_elastic(const scene_cost *cost) {
  if (!(cost->elastic > 0)) return;
  printf("  elastic    %.0f particles", cost->elastic);
  if (cost->elastic_steps > 0 && cost->implicit) printf(", implicit steps; slower in contact");
  if (cost->elastic_steps > 0 && !cost->implicit && cost->failure.code == MOTE_OK)
    printf(", %d explicit step%s in each", cost->elastic_steps, cost->elastic_steps > 1 ? "s" : "");
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

static void print_lattices(const scene_cost *cost, double fps) {
  if (!(cost->lattice > 0)) return;
  printf("  lattice    %.0f particles", cost->lattice);
  if (cost->lattice_steps > 0 && cost->failure.code == MOTE_OK && cost->step > 0)
    printf(", about %.0f substeps a frame", cost->lattice_steps * (1 / fps) / cost->step);
  printf("\n");
}

#define WALL_SHARE 0.5  // walls with more samples than twice the particles are worth a word

static void print_text(const char *name, const mote_scene *scene, const mote_world *world,
                       const scene_cost *cost) {
  char a[32], b[32];
  printf("%s: %s\n", name, scene->title != NULL && scene->title[0] != '\0' ? scene->title : "a scene");
  printf("  particles  %.0f%s, %dD, spacing %g m\n", cost->bodies, world != NULL ? "" : " (about)",
         scene->world.dimensions, scene->world.spacing);
  if (cost->rigid > 0) printf("  bodies     %zu rigid\n", cost->rigid);
  print_elastic(cost);
  print_fracture(scene);
  print_lattices(cost, scene->fps);
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
  printf("  time       ");
  if (2 * cost->seconds < 1) {
    printf("less than a second on this machine\n");
  } else {
    printf("%s to %s on this machine\n", print_duration(0.5 * cost->seconds, a),
           print_duration(2 * cost->seconds, b));
  }
  printf("  disk       about %s", print_bytes(cost->files + cost->pictures + cost->surfaces, a));
  double rows = (cost->bodies + 0.5 * cost->emitted) * (double)cost->written;
  for (size_t k = 0; k < scene->outputs.formats; ++k) {
    const char *format = scene->outputs.format[k];
    printf("%s%s %s", k == 0 ? ": " : ", ", format,
           print_bytes(rows * scene_cost_record(scene, world, format) +
                           cost->elastic * (double)cost->written * scene_cost_elastic_record(format),
                       b));
  }
  if (cost->surfaces > 0) printf(", surfaces %s", print_bytes(cost->surfaces, a));
  if (cost->pictures > 0) printf(", pictures %s", print_bytes(cost->pictures, a));
  printf("\n");
}

static void print_json(const char *name, const scene_cost *cost, const warnings *found) {
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
  if (cost->elastic_steps > 0) json_text(&line, "elastic_steps", cost->implicit ? "implicit" : "explicit");
  json_number(&line, "bytes", cost->bytes);
  json_number(&line, "wall_samples", floor(cost->samples + 0.5));
  json_integer(&line, "frames", cost->frames);
  json_number(&line, "step", cost->step);
  json_text(&line, "step_limited_by", cost->limit);
  json_number(&line, "steps", cost->steps);
  if (cost->viscosity > 0) json_number(&line, "effective_viscosity", cost->viscosity);
  json_number(&line, "seconds", cost->seconds);
  json_number(&line, "disk_bytes", cost->files + cost->pictures + cost->surfaces);
  json_flag(&line, "measured", cost->measured);
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

// Whether a run could begin; makes the world too, where that does not take long.
static mote_result try_scene(const mote_scene_file *file, const mote_env *env, budget *memory,
                             mote_world **world, mote_error *error) {
  const mote_scene *scene = mote_scene_file_scene(file);
  mote_result result = MOTE_OK;
  if (scene_cost_setup_bytes(scene) <= TRIAL_BYTES) {
    result = mote_world_create_scene(scene, env, world, error);
    if (result == MOTE_ERROR_MEMORY && memory->refused) return MOTE_OK;
  }
  if (result == MOTE_OK && *world != NULL && !run_frames_check(scene, *world, error)) {
    result = error->code;
  }
  if (result != MOTE_OK) mote_scene_file_locate(file, error);
  return result;
}

static void report_cost(const char *name, const mote_scene_file *file, mote_world *world, budget *memory,
                        bool json) {
  static warnings found;
  const mote_scene *scene = mote_scene_file_scene(file);
  scene_cost cost = scene_cost_estimate(scene, world, memory);
  find_warnings(file, &cost, &found);
  if (json) {
    print_json(name, &cost, &found);
    return;
  }
  print_text(name, scene, world, &cost);
  for (int k = 0; k < found.count; ++k) complain("warning: %s", found.text[k]);
}

static int check_scene(const char *name, const word_list *sets, const mote_env *env, bool json) {
  mote_scene_file *file = NULL;
  mote_world *world = NULL;
  mote_error_list errors;
  budget memory;
  mote_env counted = budget_make(&memory, env, MOST_BYTES);
  int status = EXIT_DONE;
  mote_result result = scene_find_all(name, sets->word, sets->count, env, &file, &errors);
  if (result == MOTE_OK) {
    errors.count = 1;
    result = try_scene(file, &counted, &memory, &world, &errors.error[0]);
  }
  if (result == MOTE_OK) {
    report_cost(name, file, world, &memory, json);
  } else {
    status = json ? print_errors(name, &errors) : complain_errors(&errors);
  }
  mote_world_destroy(world);
  mote_scene_file_destroy(file);
  return status;
}

#define SETS_MAX 256

int cmd_check(int argc, char **argv) {
  mote_env env = mote_env_default();
  const char *set[SETS_MAX];
  word_list sets = {.word = set, .capacity = SETS_MAX};
  bool json = false;
  const option options[] = {{.name = "--json", .flag = &json},
                            {.name = "--set", .list = &sets},
                            {.name = "--threads", .number = &env.threads, .low = 1, .high = 1024},
                            {.name = NULL}};
  if (!options_parse(&argc, argv, options)) return EXIT_USAGE;
  if (argc < 2) {
    complain("check needs a scene (mote examples lists built-in ones)");
    return EXIT_USAGE;
  }
  int worst = EXIT_DONE;
  for (int k = 1; k < argc; ++k) {
    int status = check_scene(argv[k], &sets, &env, json);
    if (status > worst) worst = status;
  }
  return worst;
}
