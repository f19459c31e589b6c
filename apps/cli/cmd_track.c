// mote track: one mesh through all frames of a run (YU11 chapter 5).
#include <math.h>
#include <mote/io.h>
#include <mote/keys.h>
#include <mote/track.h>
#include <mote/world.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/base/json_line.h"
#include "cli/base/run_progress.h"
#include "cli/files/input_file.h"
#include "cli/files/output_file.h"
#include "cli/mesh/mesh_files.h"
#include "cli/track/track_colours.h"
#include "cli/track/track_frame.h"

const char help_track[] =
    "usage: mote track RUN -o MESH [options]\n"
    "\n"
    "Advects a closed mesh with the particles of a run from frame to frame: its vertices keep their\n"
    "ids (field id) and initial positions (field rest), so that textures and colours move with the\n"
    "fluid, and motion can be blurred. In every frame it is projected onto the surface that mote mesh\n"
    "builds of the particles, without their noise. Where parts merge, split, appear or vanish, the mesh\n"
    "is replaced locally, or the whole part; events.csv, beside the meshes, lists times and triangles.\n"
    "\n"
    "  -o MESH            vtp ply glb usda bgeo obj stl; with %04d for the frame number, or a directory.\n"
    "                     glb: a morph target has the vertex positions of the next frame\n"
    "  --format EXT       file extension in that directory\n"
    "  --frames A:B:STEP  some of the frames\n"
    "  --edge L           edge of the triangles, in spacings (0.25 to 4, default 0.5)\n"
    "  --colour           carry the colours of the materials: field colour, in glb COLOR_0\n"
    "  --velocity KIND    fitted (default), or mean: YU11 (5.2), which lags\n"
    "  --project B        fraction of the distance to the particles' surface to project by (default 0.65)\n"
    "  --fairing L        remove waves shorter than L spacings as noise (default 6); 0: none\n"
    "  --waves LAW        waves on the mesh that are finer than the particles: capillary, plate, string\n"
    "  --strength S       of the waves: sigma/rho (default: of water), k or c, as in scenes (track.waves)\n"
    "  --overwrite        replace existing files\n"
    "  --threads N, --json (one JSON object per frame, one per line), --quiet\n"
    "\n"
    "docs/theory/tracking.md describes the method.\n"
    "\n"
    "examples:\n"
    "  mote track run -o 'run/tracked.%04d.vtp'\n"
    "  mote track run -o meshes --format ply --edge 0.7\n";

#define STEP_MOST 0.5   // spacings that particles move in a step of the mesh
#define STEPS_MOST 200  // of one frame
#define FIRST_ROUNDS 5  // of putting back the first mesh, which has the particles' noise
// Parts that are farther from the particles' surface are made anew: spacings. Distances are measured to
// vertices, so that it is two edges at least.
#define MATCH_REACH 1.0

typedef struct track_job {
  const char *frames, *velocity, *law;
  bool json, quiet, colour;
  mote_scene_file *scene;
  mote_wave_def waves;
  double edge;
  mote_track_projection how;
  mote_track_velocity kind;
  mesh_wish wish;
  mote_env env;
  double spacing;
  mote_surface_def def;
  mote_surface_walls walls;
  sequence files;
  mesh_series series;
  run_progress progress;
  mote_surfacer *surfacer;
  mote_track_flow *flow;
  mote_tracked *tracked;
  track_frame now;
  double time;        // of the last mesh
  mote_surface last;  // GLB: the mesh of the frame before, to be written again with where its vertices go
  mote_stamp last_stamp;
  const char *last_path;
  FILE *events;
} track_job;

// What happened in one frame.
typedef struct track_result {
  const char *input, *output;
  int steps;
  size_t crossings, triangles;  // before edges were improved
  mote_track_match match;
  mote_track_projected projected;
} track_result;

// --- Options ---

// A name of a choice, as scenes have it.
static bool read_choice(const char *name, const char *section, const char *key, const char *text, int *out) {
  const mote_scene_key *choice = mote_scene_key_find(section, key);
  *out = mote_scene_key_choice(choice, text);
  return *out >= 0 || (complain("%s takes one of %s, not \"%s\"", name, choice->detail, text), false);
}

static bool read_waves(track_job *j, double strength) {
  int law;
  if (j->law == NULL) return strength == 0.0 || (complain("--strength needs --waves"), false);
  if (!read_choice("--waves", "waves", "law", j->law, &law)) return false;
  j->waves.law = (mote_wave_law)law;
  if (strength > 0.0) j->waves.strength = strength;
  if (strength == 0.0 && j->waves.law != MOTE_WAVE_CAPILLARY)
    return complain("--waves %s needs --strength", j->law), false;
  return true;
}

static bool parse_options(int *argc, char **argv, track_job *j) {
  int threads = 0, kind;
  double strength = 0.0;
  *j = (track_job){.velocity = "fitted",
                   .waves = mote_wave_def_default(),
                   .edge = 0.5,
                   .how = mote_track_projection_default(),
                   .wish = {.stem = "particles"},
                   .env = mote_env_default(),
                   .def = mote_surface_def_default(),
                   .walls = mote_surface_walls_none(),
                   .spacing = (double)NAN};
  const option table[] = {{.name = "-o", .value = &j->wish.output},
                          {.name = "--format", .value = &j->wish.format},
                          {.name = "--frames", .value = &j->frames},
                          {.name = "--edge", .real = &j->edge},
                          {.name = "--colour", .flag = &j->colour},
                          {.name = "--velocity", .value = &j->velocity},
                          {.name = "--project", .real = &j->how.share},
                          {.name = "--fairing", .real = &j->how.wavelength},
                          {.name = "--waves", .value = &j->law},
                          {.name = "--strength", .real = &strength},
                          {.name = "--overwrite", .flag = &j->wish.overwrite},
                          {.name = "--threads", .number = &threads, .low = 1, .high = 1024},
                          {.name = "--json", .flag = &j->json},
                          {.name = "--quiet", .flag = &j->quiet},
                          {.name = NULL}};
  if (!options_parse(argc, argv, table)) return false;
  if (threads > 0) j->env.threads = threads;
  if (*argc != 2 || j->wish.output == NULL || j->wish.output[0] == '\0')
    return complain("track needs one run directory and -o MESH (mote help track)"), false;
  if (!read_choice("--velocity", "track", "velocity", j->velocity, &kind)) return false;
  j->kind = (mote_track_velocity)kind;
  if (!(j->edge >= 0.25 && j->edge <= 4.0)) return complain("--edge takes 0.25 to 4 spacings"), false;
  if (!(j->how.share <= 1.0)) return complain("--project takes 0 to 1"), false;
  if (!(j->how.wavelength <= 100.0)) return complain("--fairing takes 0 to 100 spacings"), false;
  if (!read_waves(j, strength)) return false;
  return j->frames == NULL || frame_range_read(j->frames, &j->wish.frames);
}

// The scene of the run knows the spacing and the walls.
static int open_scene(track_job *j, const char *directory) {
  int status = run_scene_open(directory, &j->env, &j->scene);
  if (status != EXIT_DONE) return status;
  const mote_world_def *world = &mote_scene_file_scene(j->scene)->world;
  bool periodic = false;
  for (int k = 0; k < 3; ++k) periodic |= world->side[k][0] == MOTE_SIDE_PERIODIC;
  status = EXIT_USAGE;
  if (world->dimensions != 3) {
    complain("%s: surfaces are tracked in 3D scenes only", directory);
  } else if (periodic) {
    complain("%s: surfaces are not tracked in periodic domains yet", directory);
  } else {
    j->def.spacing = j->spacing = world->spacing;
    j->walls = mote_world_def_walls(world);
    mote_surface_walls_cut(&j->walls, &j->def);
    status = EXIT_DONE;
  }
  return status;
}

// --- One frame ---

static mote_result begin_rest(track_job *j, mote_error *error) {
  mote_surface s;
  mote_result result = mote_tracked_surface(j->tracked, &s, error);
  if (result != MOTE_OK) return result;
  result = mote_tracked_set_field(j->tracked, "rest", "m", 3, s.mesh.vertex, error);
  mote_surface_free(&s, &j->env);
  return result;
}

static mote_result begin_mesh(track_job *j, const mote_surface *fresh, mote_error *error) {
  mote_track_def def = mote_track_def_default();
  def.edge = j->edge * j->spacing;
  mote_surface bare = {.mesh = fresh->mesh};
  mote_result result = mote_tracked_create(&def, &bare, &j->env, &j->tracked, error);
  return result == MOTE_OK ? begin_rest(j, error) : result;
}

// From the frame before to this one.
static mote_result follow(track_job *j, const track_frame *to, track_result *r, mote_error *error) {
  double farthest, start = j->now.stamp.time, length = to->stamp.time - start;
  mote_result result = track_frame_flow(&j->now, to, j->flow, &farthest, error);
  r->steps = (int)fmin(fmax(1.0, ceil(farthest / (STEP_MOST * j->spacing))), STEPS_MOST);
  for (int k = 0; k < r->steps && result == MOTE_OK; ++k) {
    result = mote_tracked_move(j->tracked, 2, mote_track_flow_velocity, j->flow,
                               start + length * k / r->steps, length / r->steps, error);
    if (result == MOTE_OK) result = mote_tracked_improve(j->tracked, NULL, error);
  }
  return result;
}

// New matter begins where it appears.
static mote_result begin_matter(track_job *j, mote_error *error) {
  mote_surface s;
  mote_result result = mote_tracked_surface(j->tracked, &s, error);
  if (result != MOTE_OK) return result;
  double *rest = s.field[0].data;  // the first that was added
  for (size_t i = 0; i < 3 * s.mesh.vertices; ++i) rest[i] = isnan(rest[i]) ? s.mesh.vertex[i] : rest[i];
  result = mote_tracked_set_field(j->tracked, "rest", "m", 3, rest, error);
  for (int f = 1; f < s.fields && result == MOTE_OK; ++f) {  // new matter has no waves yet
    if (strncmp(s.field[f].name, "wave_", 5) != 0) continue;
    double *value = s.field[f].data;
    for (size_t i = 0; i < s.mesh.vertices; ++i) value[i] = isnan(value[i]) ? 0.0 : value[i];
    result = mote_tracked_set_field(j->tracked, s.field[f].name, s.field[f].unit, 1, value, error);
  }
  mote_surface_free(&s, &j->env);
  return result;
}

static mote_result settle(track_job *j, const mote_surface_particles *particles, const mote_surface *fresh,
                          track_result *r, mote_error *error) {
  uint64_t since = mote_tracked_ids(j->tracked);
  mote_result result =
      mote_tracked_project(j->tracked, j->surfacer, particles, &j->how, &r->projected, error);
  if (result == MOTE_OK)
    result = mote_tracked_match(j->tracked, fresh, fmax(MATCH_REACH, 2.0 * j->edge) * j->spacing, &r->match,
                                error);
  r->crossings = 0, r->triangles = mote_tracked_triangles(j->tracked);
  if (result || (r->match.changed == 0 && r->match.crossings == 0)) return result;  // proved by the match
  result = begin_matter(j, error);
  if (result == MOTE_OK)
    result = mote_tracked_blend(j->tracked, j->surfacer, particles, &j->how, since, error);
  return result == MOTE_OK ? mote_tracked_untangle(j->tracked, &r->crossings, error) : result;
}

static bool is_glb(const char *path) {
  size_t size = strlen(path);
  return size > 4 && strcmp(path + size - 4, ".glb") == 0;
}

static double *field_of(const mote_surface *s, const char *name) {
  for (int k = 0; k < s->fields; ++k)
    if (strcmp(s->field[k].name, name) == 0) return s->field[k].data;
  return NULL;
}

// The mesh before, again, with the way of each vertex to its place in this one: by its id, or where it is
// gone, by its velocity.
static mote_result write_next(track_job *j, const mote_surface *to, double time, mote_error *error) {
  const mote_surface *from = &j->last;
  const uint64_t *id = from->field[from->fields - 1].data, *there = to->field[to->fields - 1].data;
  size_t ids = (size_t)mote_tracked_ids(j->tracked);
  uint32_t *row = input_take(ids + 1, sizeof *row);
  double *next = field_of(from, "next"), dt = time - j->last_stamp.time;
  const double *velocity = field_of(from, "velocity");
  for (size_t k = 0; k < ids; ++k) row[k] = UINT32_MAX;
  for (uint32_t v = 0; v < to->mesh.vertices; ++v) row[there[v]] = v;
  for (size_t v = 0; v < from->mesh.vertices; ++v) {
    uint32_t w = row[id[v]];
    for (size_t c = 0; c < 3; ++c)
      next[3 * v + c] = w == UINT32_MAX ? dt * velocity[3 * v + c]
                                        : to->mesh.vertex[3 * (size_t)w + c] - from->mesh.vertex[3 * v + c];
  }
  free(row);
  return mote_surface_write(from, &j->last_stamp, j->last_path, error);
}

// The flow's velocity at the vertices goes with the mesh.
static mote_result write_mesh(track_job *j, const track_frame *frame, const char *path, mote_error *error) {
  mote_surface out;
  mote_result result = mote_tracked_surface(j->tracked, &out, error);
  if (result != MOTE_OK) return result;
  size_t n = out.mesh.vertices;
  double *velocity = input_take(3 * n + 3, sizeof *velocity);
  result = track_frame_moment(frame, j->flow, error);
  if (result == MOTE_OK) {
    mote_track_flow_velocity(j->flow, frame->stamp.time, out.mesh.vertex, n, velocity);
    result = mote_tracked_set_field(j->tracked, "velocity", "m/s", 3, velocity, error);
  }
  free(velocity);
  mote_surface_free(&out, &j->env);
  if (result == MOTE_OK && is_glb(path))
    result = mote_tracked_set_field(j->tracked, "next", "m", 3, NULL, error);
  if (result == MOTE_OK) result = mote_tracked_wave_surface(j->tracked, &out, error);
  if (result != MOTE_OK) return result;
  mote_stamp stamp = frame->stamp;
  stamp.spacing = j->spacing;
  if (frame->count > 0)
    stamp.volume_ratio =
        mote_mesh_volume(&out.mesh) / ((double)frame->count * j->spacing * j->spacing * j->spacing);
  result = mote_surface_write(&out, &stamp, path, error);
  if (result == MOTE_OK && j->last_path != NULL) result = write_next(j, &out, stamp.time, error);
  mote_surface_free(&j->last, &j->env);
  j->last = out, j->last_stamp = stamp, j->last_path = is_glb(path) ? path : NULL;
  return result;
}

static mote_result track(track_job *j, const track_frame *frame, track_result *r, mote_error *error) {
  mote_surface_particles particles = {
      .position = frame->position, .count = frame->count, .volume = frame->volume};
  mote_surface_images images = {.count = 0};
  mote_surface fresh = {.fields = 0};
  bool first = j->tracked == NULL;
  mote_result result = mote_surface_images_make(&j->walls, &particles, &j->def, &j->env, &images, error);
  if (result == MOTE_OK) result = mote_surfacer_build(j->surfacer, &images.view, &fresh, error);
  if (result == MOTE_OK) result = first ? begin_mesh(j, &fresh, error) : follow(j, frame, r, error);
  for (int k = 0; k < (first ? FIRST_ROUNDS : 1) && result == MOTE_OK; ++k) {
    if (first) result = mote_tracked_improve(j->tracked, NULL, error);
    if (result == MOTE_OK) result = settle(j, &images.view, &fresh, r, error);
  }
  if (result == MOTE_OK && first) result = begin_rest(j, error);
  if (result == MOTE_OK && j->colour)
    result = track_colours_fill(j->tracked, mote_scene_file_scene(j->scene), frame, &j->env, error);
  if (result == MOTE_OK && j->law != NULL)
    result =
        mote_tracked_waves(j->tracked, &j->waves, first ? 0.0 : frame->stamp.time - j->time, NULL, error);
  j->time = frame->stamp.time;
  mote_surface_free(&fresh, &j->env);
  mote_surface_images_free(&images, &j->env);
  return result == MOTE_OK ? write_mesh(j, frame, r->output, error) : result;
}

static void report(const track_job *j, const track_result *r, double time) {
  size_t triangles = mote_tracked_triangles(j->tracked);
  clear_bar();
  size_t events;
  const mote_track_event *e = mote_tracked_events(j->tracked, &events);
  for (size_t k = 0; k < events; ++k)
    fprintf(j->events, "%.9g,%.6g,%.6g,%.6g,%s,%d,%zu,%zu\n", time, e[k].place[0], e[k].place[1],
            e[k].place[2], mote_track_kind_name(e[k].kind), e[k].rebuilt, r->match.removed, r->match.made);
  if (j->json) {
    json_line line;
    json_begin(&line);
    json_text(&line, "input", r->input), json_text(&line, "output", r->output);
    json_number(&line, "time", time);
    json_integer(&line, "triangles", triangles), json_integer(&line, "steps", (size_t)r->steps);
    json_integer(&line, "changed", r->match.changed), json_integer(&line, "rebuilt", r->match.rebuilt);
    json_integer(&line, "made", r->match.made);
    json_integer(&line, "crossings", r->crossings), json_integer(&line, "failed", r->projected.failed);
    json_number(&line, "rms_distance", r->projected.rms / j->spacing);
    fputs(json_end(&line), stdout);
  } else {
    printf("wrote %s: %zu triangles, %.1f %% replaced, RMS distance %.3f spacings, t = %.6g s\n", r->output,
           triangles, r->triangles > 0 ? 100.0 * (double)r->match.made / (double)r->triangles : 0.0,
           r->projected.rms / j->spacing, time);
  }
  fflush(stdout);
}

// events.csv beside the first mesh: not in place of that of the run, or of an earlier one.
static int open_events(track_job *j) {
  char path[INPUT_PATH];
  const char *output = j->files.output[0], *slash = strrchr(output, '/');
  int folder = slash != NULL ? (int)(slash - output + 1) : 0;
  snprintf(path, sizeof path, "%.*sevents.csv", folder, output);
  int status = output_check(path, j->wish.overwrite, "--overwrite replaces it; or choose another directory");
  if (status != EXIT_DONE) return status;
  j->events = fopen(path, "wb");
  if (j->events == NULL) {
    complain("%s: cannot be written", path);
    return EXIT_FAILED;
  }
  fputs("time,x,y,z,kind,rebuilt,removed_triangles,made_triangles\n", j->events);
  return EXIT_DONE;
}

static int track_file(void *user, size_t k) {
  track_job *j = user;
  track_result r = {.input = j->files.input[k], .output = j->files.output[k]};
  track_frame frame;
  mote_error error = {0};
  run_progress_show(&j->progress, (double)k / (double)j->files.count, r.input);
  int status = track_frame_read(r.input, &j->env, &frame);
  if (status == EXIT_DONE && j->tracked != NULL && !(frame.stamp.time > j->now.stamp.time)) {
    complain("%s: t = %g s is not later than the frame before", r.input, frame.stamp.time);
    status = EXIT_USAGE;
  }
  if (status == EXIT_DONE && track(j, &frame, &r, &error) != MOTE_OK) {
    if (error.file[0] == '\0') snprintf(error.file, sizeof error.file, "%.255s", r.input);
    status = complain_error(&error);
  }
  if (status == EXIT_DONE) {
    report(j, &r, frame.stamp.time);
    status = mesh_series_add(&j->series, r.output, frame.stamp.time);
  }
  track_frame_free(&j->now);
  j->now = frame;
  return status;
}

// --- The run ---

static int run_frames(track_job *j) {
  int status = open_events(j);
  if (status != EXIT_DONE) return status;
  run_progress_begin(&j->progress, j->quiet || j->json, 0, 1, j->files.count);
  status = mesh_series_run(&j->series, &j->files, j->wish.overwrite, track_file, j);
  if (fclose(j->events) != 0) complain("warning: events.csv is not complete");
  return status;
}

int cmd_track(int argc, char **argv) {
  track_job job;
  mote_error error;
  if (!parse_options(&argc, argv, &job)) return EXIT_USAGE;
  int status = open_scene(&job, argv[1]);
  if (status == EXIT_DONE) status = mesh_files_make(1, argv + 1, &job.wish, &job.files);
  if (status == EXIT_DONE && strcmp(job.files.input[0], argv[1]) == 0) {
    complain("%s: the run has no particle files to track (outputs.formats)", argv[1]);
    status = EXIT_USAGE;
  }
  if (status == EXIT_DONE &&
      (mote_surfacer_create(&job.def, &job.env, &job.surfacer, &error) != MOTE_OK ||
       mote_track_flow_create(job.spacing, job.kind, &job.env, &job.flow, &error) != MOTE_OK))
    status = complain_error(&error);
  if (status == EXIT_DONE) status = run_frames(&job);
  sequence_free(&job.files);
  mote_surface_free(&job.last, &job.env);
  mote_tracked_destroy(job.tracked);
  mote_track_flow_destroy(job.flow);
  mote_surfacer_destroy(job.surfacer);
  track_frame_free(&job.now);
  mote_scene_file_destroy(job.scene);
  return status;
}
