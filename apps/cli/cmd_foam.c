// mote foam: spray, foam and bubbles over the frames of a run.
#include <math.h>
#include <mote/foam.h>
#include <mote/formula.h>
#include <mote/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/base/json_line.h"
#include "cli/base/run_progress.h"
#include "cli/base/scene_kinds.h"
#include "cli/files/input_file.h"
#include "cli/files/output_file.h"
#include "cli/foam/foam_energy.h"
#include "cli/foam/foam_obstacles.h"
#include "cli/mesh/mesh_files.h"
#include "cli/track/track_frame.h"

const char help_foam[] =
    "usage: mote foam RUN [-o FOAM] [options]\n"
    "\n"
    "Spray, foam and bubbles where the water of a run breaks: particles that ride on it without acting\n"
    "back. Reads the frames of the run and writes as many, foam.0001.vtp and so on, with the fields\n"
    "position, velocity, id, kind (0 spray, 1 foam, 2 bubbles), life and size. How many there are follows\n"
    "from the energy that the water loses, whatever the spacing and the frames a second; where they are,\n"
    "from how it breaks. The sides of the domain, colliders and rigid bodies stop them. Runs with an\n"
    "energy ledger (mote run --ledger) tell what was lost; for others it is the loss of kinetic and\n"
    "potential energy from frame to frame.\n"
    "\n"
    "  -o FOAM            vtp vtu ply bgeo csv xyz usda; with %04d for the frame number, or a directory\n"
    "                     (default: RUN/foam.%04d.vtp)\n"
    "  --format EXT       file extension in that directory (default vtp)\n"
    "  --frames A:B:STEP  some of the frames\n"
    "  --amount N         particles for each rho g H^4 of energy, H the first height of the water\n"
    "                     (default 1e6; in 2D 1e4 for each rho g H^3 m)\n"
    "  --height H         that height, m\n"
    "  --life S           seconds that foam lasts at most; a third of it at least (default 3)\n"
    "  --size S           diameter of bubbles and drops, m (default 0.003)\n"
    "  --air RHO          density of the air that slows spray, kg/m3 (default 0: as the water, none)\n"
    "  --most N           particles at a time (default 2000000)\n"
    "  --seed N           of the random numbers\n"
    "  --overwrite        replace existing files\n"
    "  --threads N, --json (one JSON object per frame, one per line), --quiet\n"
    "\n"
    "docs/foam.md shows how to use it, docs/theory/foam.md how it works.\n"
    "\n"
    "examples:\n"
    "  mote run dam_break && mote foam dam_break\n"
    "  mote foam run -o foam --format bgeo --amount 4e6\n";

enum { MOMENTS = 100 };

typedef struct foam_job {
  const char *directory;
  bool json, quiet;
  int most, seed;
  mesh_wish wish;
  const char *frames;
  mote_env env;
  mote_scene_file *file;
  const mote_scene *scene;
  mote_foam_def def;
  mote_foam *foam;
  foam_obstacles obstacles;
  foam_energy energy;
  sequence files;
  mesh_series series;
  run_progress progress;
  track_frame now;
  size_t refused;
} foam_job;

// --- Options ---

static bool parse_options(int *argc, char **argv, foam_job *j) {
  int threads = 0;
  double life = (double)NAN;
  *j = (foam_job){.wish = {.stem = "particles", .points = true},
                  .env = mote_env_default(),
                  .def = mote_foam_def_default(3),
                  .most = 2000000};
  j->def.amount = (double)NAN;
  const option table[] = {{.name = "-o", .value = &j->wish.output},
                          {.name = "--format", .value = &j->wish.format},
                          {.name = "--frames", .value = &j->frames},
                          {.name = "--amount", .real = &j->def.amount},
                          {.name = "--height", .real = &j->def.length},
                          {.name = "--life", .real = &life},
                          {.name = "--size", .real = &j->def.size},
                          {.name = "--air", .real = &j->def.air_density},
                          {.name = "--most", .number = &j->most, .low = 1, .high = 1000000000},
                          {.name = "--seed", .number = &j->seed, .low = 0, .high = 1000000000},
                          {.name = "--overwrite", .flag = &j->wish.overwrite},
                          {.name = "--threads", .number = &threads, .low = 1, .high = 1024},
                          {.name = "--json", .flag = &j->json},
                          {.name = "--quiet", .flag = &j->quiet},
                          {.name = NULL}};
  if (!options_parse(argc, argv, table)) return false;
  if (*argc != 2) return complain("foam needs one run directory (mote help foam)"), false;
  if (!(j->def.size > 0.0)) return complain("--size takes a diameter, m"), false;
  if (j->def.length == 0.0) return complain("--height takes a height, m"), false;
  if (threads > 0) j->env.threads = threads;
  j->directory = argv[1];
  j->def.seed = (uint64_t)j->seed, j->def.particles_max = (size_t)j->most;
  if (!isnan(life)) j->def.life[0] = life / 3.0, j->def.life[1] = life;
  return j->frames == NULL || frame_range_read(j->frames, &j->wish.frames);
}

// Numbered files in the run, or in the directory that is named.
static void choose_output(foam_job *j, char *name, size_t size) {
  const char *given = j->wish.output;
  if (given != NULL && (sequence_is_pattern(given) || input_writes_particles(given))) return;
  snprintf(name, size, "%s/foam.%%04d.%s", given != NULL ? given : j->directory,
           j->wish.format != NULL ? j->wish.format : "vtp");
  j->wish.output = name, j->wish.format = NULL;
}

// --- The scene ---

static const mote_material_def *liquid_of(const mote_scene *scene) {
  for (size_t b = 0; b < scene->bodies; ++b) {
    if (body_is(scene, &scene->body[b], material_is_fluid))
      return scene_material(scene, scene->body[b].material);
  }
  return scene->emitters > 0 ? scene_material(scene, scene->emitter[0].material) : NULL;
}

static int open_scene(foam_job *j) {
  int status = run_scene_open(j->directory, &j->env, &j->file);
  if (status != EXIT_DONE) return status;
  j->scene = mote_scene_file_scene(j->file);
  const mote_world_def *world = &j->scene->world;
  const mote_material_def *liquid = liquid_of(j->scene);
  bool periodic = false;
  for (int k = 0; k < 3; ++k) periodic |= world->side[k][0] == MOTE_SIDE_PERIODIC;
  if (liquid == NULL) return complain("%s: the scene has no liquid", j->directory), EXIT_USAGE;
  if (periodic) return complain("%s: no foam in periodic domains yet", j->directory), EXIT_USAGE;
  mote_foam_def usual = mote_foam_def_default(world->dimensions);
  j->def.dimensions = world->dimensions, j->def.spacing = world->spacing, j->def.density = liquid->density;
  if (isnan(j->def.amount)) j->def.amount = usual.amount;
  memcpy(j->def.gravity, world->gravity, sizeof j->def.gravity);
  return EXIT_DONE;
}

// The fastest that an emitter's water comes in the run, m/s.
static double fastest(const mote_value *speed, double duration) {
  mote_formula *formula;
  double most = 0.0;
  if (speed->formula == NULL || mote_formula_create(speed->formula, "t", NULL, &formula, NULL) != MOTE_OK)
    return speed->constant;
  for (int k = 0; k <= MOMENTS; ++k) {
    double t = duration * k / MOMENTS, now = mote_formula_value(formula, &t);
    if (now > most) most = now;
  }
  mote_formula_destroy(formula);
  return most;
}

// H: the extent of the water along gravity, with half a spacing above and below; or that to which the fastest
// emitter could throw it.
static double height_of(const foam_job *j, const track_frame *frame) {
  const double *g = j->def.gravity;
  double low = HUGE_VAL, high = -HUGE_VAL, head = 0.0, size = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  for (size_t i = 0; i < frame->count && size > 0.0; ++i) {
    const double *x = frame->position + 3 * i;
    double up = -(x[0] * g[0] + x[1] * g[1] + x[2] * g[2]) / size;
    low = fmin(low, up), high = fmax(high, up);
  }
  for (size_t k = 0; k < j->scene->emitters && size > 0.0; ++k) {
    double speed = fastest(&j->scene->emitter[k].speed, j->scene->duration);
    head = fmax(head, 0.5 * speed * speed / size);
  }
  if (high >= low) head = fmax(head, high - low + j->def.spacing);
  return head > 0.0 ? head : (double)NAN;
}

static int begin(foam_job *j, const track_frame *frame) {
  mote_error error;
  if (isnan(j->def.length)) j->def.length = height_of(j, frame);
  if (isnan(j->def.length)) {
    complain("%s: there is no water in the first frame: --height says how high it will be", j->directory);
    return EXIT_USAGE;
  }
  return mote_foam_create(&j->def, &j->env, &j->foam, &error) == MOTE_OK ? EXIT_DONE : complain_error(&error);
}

// --- Frames ---

static mote_result write_foam(const foam_job *j, const track_frame *frame, const char *path,
                              mote_error *error) {
  mote_cloud cloud = {.count = mote_foam_count(j->foam), .fields = MOTE_FOAM_FIELDS, .stamp = frame->stamp};
  for (int k = 0; k < MOTE_FOAM_FIELDS; ++k) cloud.field[k] = mote_foam_view(j->foam, (mote_foam_field)k);
  cloud.stamp.spacing = j->def.size;
  return mote_cloud_write(&cloud, path, error);
}

static void report(foam_job *j, const char *path, const mote_foam_report *r, double time) {
  size_t count = mote_foam_count(j->foam);
  clear_bar();
  if (j->refused == 0 && r->refused > 0)
    complain("%s: more than %d particles: no more are born until some end (--most)", path, j->most);
  j->refused += r->refused;
  if (j->json) {
    json_line line;
    json_begin(&line);
    json_text(&line, "output", path);
    json_number(&line, "time", time), json_number(&line, "energy", r->energy);
    json_integer(&line, "born", r->born), json_integer(&line, "ended", r->ended);
    for (int k = 0; k < MOTE_FOAM_KINDS; ++k)
      json_integer(&line, mote_foam_kind_name((mote_foam_kind)k), r->kind[k]);
    json_integer(&line, "refused", r->refused), json_integer(&line, "substeps", (size_t)r->substeps);
    fputs(json_end(&line), stdout);
  } else if (!j->quiet) {
    printf("wrote %s: %zu particles (%zu spray, %zu foam, %zu bubbles), %zu born of %.3g J, t = %.6g s\n",
           path, count, r->kind[MOTE_FOAM_SPRAY], r->kind[MOTE_FOAM_FOAM], r->kind[MOTE_FOAM_BUBBLES],
           r->born, r->energy, time);
  }
  fflush(stdout);
}

static int follow(foam_job *j, const track_frame *to, mote_foam_report *r) {
  const track_frame *from = &j->now;
  double t0 = from->stamp.time, t1 = to->stamp.time;
  if (!(t1 > t0)) return complain("t = %g s is not later than the frame before", t1), EXIT_USAGE;
  if (!foam_obstacles_between(&j->obstacles, t0, t1)) return EXIT_FAILED;
  mote_foam_moment begin = {t0, from->count, from->id, from->position, from->velocity},
                   end = {t1, to->count, to->id, to->position, to->velocity};
  mote_error error;
  mote_result result = mote_foam_advance(j->foam, &begin, &end, foam_energy_between(&j->energy, t0, t1),
                                         foam_obstacles_distance, &j->obstacles, r, &error);
  return result == MOTE_OK ? EXIT_DONE : complain_error(&error);
}

static int foam_file(void *user, size_t k) {
  foam_job *j = user;
  const char *input = j->files.input[k], *output = j->files.output[k];
  mote_foam_report r = {.energy = 0.0};
  track_frame frame;
  mote_error error;
  run_progress_show(&j->progress, (double)k / (double)j->files.count, input);
  int status = track_frame_read(input, &j->env, &frame);
  if (status == EXIT_DONE) status = j->foam == NULL ? begin(j, &frame) : follow(j, &frame, &r);
  if (status == EXIT_DONE && write_foam(j, &frame, output, &error) != MOTE_OK)
    status = complain_error(&error);
  if (status == EXIT_DONE) {
    report(j, output, &r, frame.stamp.time);
    status = mesh_series_add(&j->series, output, frame.stamp.time);
  }
  track_frame_free(&j->now);
  j->now = frame;
  return status;
}

// --- The run ---

static int find_files(foam_job *j, char **input) {
  int status = mesh_files_make(1, input, &j->wish, &j->files);
  if (status != EXIT_DONE || strcmp(j->files.input[0], j->directory) != 0) return status;
  complain("%s: the run has no particle files (outputs.formats)", j->directory);
  return EXIT_USAGE;
}

int cmd_foam(int argc, char **argv) {
  foam_job job;
  char name[4096];
  if (!parse_options(&argc, argv, &job)) return EXIT_USAGE;
  choose_output(&job, name, sizeof name);
  int status = open_scene(&job);
  if (status == EXIT_DONE) status = find_files(&job, argv + 1);
  if (status == EXIT_DONE && (!foam_energy_read(&job.energy, job.directory) ||
                              !foam_obstacles_open(&job.obstacles, job.directory, job.scene, &job.env)))
    status = EXIT_FAILED;
  if (status == EXIT_DONE) {
    run_progress_begin(&job.progress, job.quiet || job.json, 0, 1, job.files.count);
    status = mesh_series_run(&job.series, &job.files, job.wish.overwrite, foam_file, &job);
  }
  sequence_free(&job.files);
  mote_foam_destroy(job.foam);
  foam_obstacles_close(&job.obstacles);
  foam_energy_free(&job.energy);
  track_frame_free(&job.now);
  mote_scene_file_destroy(job.file);
  return status;
}
