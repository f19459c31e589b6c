// mote animate: a mesh in smooth motion between poses, past obstacles (EG09 8.2).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/base/json_line.h"
#include "cli/base/run_progress.h"
#include "cli/base/run_stop.h"
#include "cli/deform/animate_keys.h"
#include "cli/deform/animate_release.h"
#include "cli/files/input_file.h"
#include "cli/files/output_file.h"
#include "cli/files/sequence.h"

const char help_animate[] =
    "usage: mote animate [MESH] KEYS.yaml -o DIR|FILE.glb [options]\n"
    "       mote animate [MESH] KEYS.yaml --release SCENE -o FILE.jsonl [options]\n"
    "\n"
    "Moves a mesh smoothly from pose to pose, as rigidly as possible, with its volume kept, and past\n"
    "obstacles. KEYS gives poses at times, by handles as in EDITS of mote deform, or by meshes that\n"
    "mote deform or mote skin wrote; and obstacles: shapes of the scene language, at rest or moving.\n"
    "\n"
    "  -o DIR         one file for each frame: DIR/NAME.0001.obj, ...\n"
    "  -o FILE.glb    one file with an animation (morph targets), for Blender and viewers\n"
    "  --format EXT   obj ply glb usda bgeo stl vtp: of the files in DIR; default: that of MESH,\n"
    "                 which then keeps texture coordinates, colours, groups and materials\n"
    "  --set KEY=VAL  change a value of KEYS, as of a scene: --set fps=50\n"
    "  --release SCENE  let the shape go: write commands that give an elastic body of SCENE, which has the\n"
    "                 shape at rest, the pose and the velocities of the motion's end;\n"
    "                 mote run SCENE --commands FILE.jsonl continues from there\n"
    "  --body NAME    that body, if there are several\n"
    "  --at T         let it go at this time of the motion, s, instead of at its end\n"
    "  --overwrite    replace existing files\n"
    "  --force        go on although the pose of a key did not converge, which is an error (status 3)\n"
    "  --threads N, --json (one JSON object per frame and one for the motion), --quiet\n"
    "\n"
    "docs/deforming.md describes KEYS; mote help scene animation lists its keys.\n"
    "\n"
    "examples:\n"
    "  mote animate animal.obj walk.yaml -o walk.glb\n"
    "  mote animate animal.obj walk.yaml -o frames --format ply --set fps=50\n"
    "  mote animate leap --release leap_fall -o leap.jsonl && mote run leap_fall --commands leap.jsonl\n";

typedef struct animate_job {
  deform_options options;
  const char *format;
  bool single;
  animate_release release;
  deform_shape shape;
  const mote_animation *animation;
  animate_keys keys;
  mote_deform_motion *motion;
  run_progress progress;
  size_t frames;
  double *time;
  double volume_low, volume_high;  // of the frames, relative to rest
  double depth;                    // m: of the vertex that is deepest in an obstacle, of all frames
} animate_job;

// --- Options ---

static bool check_options(const animate_job *j) {
  const char *output = j->options.output;
  bool list = input_ends(output, "jsonl"), release = j->release.scene != NULL;
  if (j->format != NULL && (j->single || list))
    return complain("--format is for the files of a directory"), false;
  if (list != release)
    return complain(release ? "--release writes commands: -o FILE.jsonl, not %s"
                            : "%s: commands need --release SCENE (mote help animate)",
                    output),
           false;
  if (!list && !j->single && (input_writes_mesh(output) || sequence_is_pattern(output)))
    return complain(
               "%s: frames are files of a directory, -o DIR --format EXT; one file with all of them is a GLB",
               output),
           false;
  if (!release && (j->release.body != NULL || !isnan(j->release.time)))
    return complain("--body and --at go with --release"), false;
  return true;
}

static bool parse_options(int *argc, char **argv, animate_job *j) {
  *j = (animate_job){.shape = {.env = mote_env_default()},
                     .volume_low = 1,
                     .volume_high = 1,
                     .release = {.time = (double)NAN}};
  const option more[] = {{.name = "--format", .value = &j->format},
                         {.name = "--release", .value = &j->release.scene},
                         {.name = "--body", .value = &j->release.body},
                         {.name = "--at", .real = &j->release.time},
                         {.name = NULL}};
  const deform_options *o = &j->options;
  if (!deform_options_parse(argc, argv, more, &j->options)) return false;
  if (o->threads > 0) j->shape.env.threads = o->threads;
  if (*argc < 2 || *argc > 3 || o->output == NULL || o->output[0] == '\0')
    return complain(
               "animate needs a list of keys, a mesh before it or a shape in it, and -o DIR or FILE.glb "
               "(mote help animate)"),
           false;
  j->single = input_ends(o->output, "glb");
  return check_options(j);
}

// The file's name without folder and endings.
static const char *stem_of(const char *path, char out[256]) {
  const char *slash = strrchr(path, '/');
  snprintf(out, 256, "%s", slash != NULL ? slash + 1 : path);
  char *dot = strchr(out, '.');
  if (dot != NULL && dot != out) *dot = '\0';
  return out;
}

static int choose_format(animate_job *j) {
  const char *const *endings = mote_surface_endings(true);
  for (size_t k = 0; endings[k] != NULL; ++k) {
    if (j->format == NULL && input_ends(deform_shape_name(&j->shape), endings[k])) j->format = endings[k];
    if (j->format != NULL && strcmp(j->format, endings[k]) == 0) return EXIT_DONE;
  }
  if (j->format == NULL) j->format = "obj";
  if (strcmp(j->format, "obj") == 0) return EXIT_DONE;
  complain("--format takes obj, ply, stl, vtp, glb, usda or bgeo, not \"%s\"", j->format);
  return EXIT_USAGE;
}

static void frame_path(const animate_job *j, size_t k, char out[4096]) {
  char stem[256];
  snprintf(out, 4096, "%s/%s.%04zu.%s", j->options.output, stem_of(deform_shape_name(&j->shape), stem), k + 1,
           j->format);
}

// --- Frames ---

// A GLB holds the square of its number of frames as weights.
enum { FRAMES_MAX = 100000, GLB_FRAMES_MAX = 10000 };

static int plan_frames(animate_job *j) {
  const mote_animation *a = j->animation;
  double first = a->key[0].time, last = a->key[a->keys - 1].time;
  double frames = floor((last - first) * a->fps * (1 + 1e-12) + 1e-9) + 1;
  int most = j->single ? GLB_FRAMES_MAX : FRAMES_MAX;
  if (!(frames <= most)) {
    complain("%.0f frames from %g to %g s at fps %g: at most %d can be written", frames, first, last, a->fps,
             most);
    return EXIT_USAGE;
  }
  j->frames = (size_t)frames;
  j->time = input_take(j->frames, sizeof *j->time);
  for (size_t k = 0; k < j->frames; ++k) j->time[k] = fmin(first + (double)k / a->fps, last);
  return EXIT_DONE;
}

static void measure(animate_job *j, double time, const double *position) {
  double part = mote_deform_volume(j->shape.deform, position) / j->shape.volume;
  j->depth =
      fmax(j->depth, animate_depth(&j->keys, time, position, mote_model_mesh(j->shape.model)->vertices));
  j->volume_low = fmin(j->volume_low, part), j->volume_high = fmax(j->volume_high, part);
}

static mote_result pose_frame(void *user, size_t k, double *position, double *normal, mote_error *error) {
  animate_job *j = user;
  if (run_stop_asked()) {
    *error = (mote_error){.code = MOTE_ERROR_FILE, .text = "interrupted"};
    return MOTE_ERROR_FILE;
  }
  run_progress_show(&j->progress, (double)k / (double)j->frames, "writing");
  mote_result result = mote_deform_motion_read(j->motion, j->time[k], position, normal, NULL, error);
  if (result == MOTE_OK) measure(j, j->time[k], position);
  return result;
}

static int write_frame(animate_job *j, size_t k) {
  deform_shape *s = &j->shape;
  char path[4096];
  mote_error error = {0};
  frame_path(j, k, path);
  mote_result result = pose_frame(j, k, s->moved, s->turned, &error);
  if (result == MOTE_OK) result = mote_model_write(s->model, s->moved, s->turned, path, &error);
  if (result != MOTE_OK) return complain_error(&error);
  if (!j->options.json) return EXIT_DONE;
  json_line line;
  json_begin(&line);
  json_text(&line, "output", path);
  json_number(&line, "time", j->time[k]);
  json_number(&line, "volume", mote_deform_volume(s->deform, s->moved));
  fputs(json_end(&line), stdout);
  return EXIT_DONE;
}

static int write_frames(animate_job *j) {
  mote_error error = {0};
  int status = EXIT_DONE;
  if (j->single) {
    mote_result result =
        mote_model_write_motion(j->shape.model, j->time, j->frames, pose_frame, j, j->options.output, &error);
    if (result != MOTE_OK && run_stop_asked()) return EXIT_INTERRUPTED;
    return result == MOTE_OK ? EXIT_DONE : complain_error(&error);
  }
  for (size_t k = 0; k < j->frames && status == EXIT_DONE; ++k)
    status = run_stop_asked() ? EXIT_INTERRUPTED : write_frame(j, k);
  return status;
}

static int check_outputs(animate_job *j, const char *keys) {
  char path[4096];
  if (j->release.scene != NULL) return output_check(j->options.output, j->options.overwrite, NULL);
  if (j->single) return deform_check_output(j->options.output, j->shape.path, keys, j->options.overwrite);
  int status = choose_format(j);
  if (status == EXIT_DONE) status = make_directory(j->options.output);
  for (size_t k = 0; k < j->frames && status == EXIT_DONE; ++k) {
    frame_path(j, k, path);
    status = deform_check_output(path, j->shape.path, keys, j->options.overwrite);
  }
  return status;
}

// --- The motion ---

static void show(void *user, double part) {
  run_progress_show(user, part, "posing");
}

static void report_json(const animate_job *j, const mote_deform_motion_report *r) {
  json_line line;
  json_begin(&line);
  json_text(&line, "input", deform_shape_name(&j->shape)), json_text(&line, "output", j->options.output);
  json_integer(&line, "vertices", mote_model_vertices(j->shape.model));
  json_integer(&line, "nodes", mote_deform_nodes(j->shape.deform));
  json_integer(&line, "keys", j->keys.keys), json_integer(&line, "obstacles", j->keys.obstacles);
  json_integer(&line, "frames", r->frames), json_integer(&line, "frames_written", j->frames);
  json_integer(&line, "iterations", (uint64_t)j->keys.iterations);
  json_integer(&line, "evaluations", (uint64_t)r->evaluations);
  json_number(&line, "pose_error", j->keys.pose_error), json_number(&line, "key_error", r->key_error);
  json_number(&line, "penetration", r->penetration), json_number(&line, "depth", j->depth);
  json_number(&line, "energy", r->energy);
  json_number(&line, "volume_least", j->volume_low), json_number(&line, "volume_most", j->volume_high);
  json_number(&line, "seconds_begin", j->shape.seconds_begin),
      json_number(&line, "seconds_motion", r->seconds);
  fputs(json_end(&line), stdout);
}

static void report_text(const animate_job *j, const mote_deform_motion_report *r) {
  printf("wrote %s: %zu frames of %zu vertices, %.4g to %.4g s\n", j->options.output, j->frames,
         mote_model_vertices(j->shape.model), j->time[0], j->time[j->frames - 1]);
  printf("  %zu nodes, %zu keys, %zu frames computed, %d evaluations in %.2f s\n",
         mote_deform_nodes(j->shape.deform), j->keys.keys, r->frames, r->evaluations, r->seconds);
  printf("  keys are met to %.2g of the size; volume from %+.2f to %+.2f %%", r->key_error,
         100 * (j->volume_low - 1), 100 * (j->volume_high - 1));
  if (j->keys.obstacles > 0) printf("; deepest vertex in an obstacle: %.3g", j->depth);
  printf("\n");
}

static int let_go(animate_job *j) {
  animate_release *r = &j->release;
  double first = j->animation->key[0].time, last = j->animation->key[j->animation->keys - 1].time;
  r->time = isnan(r->time) ? last : r->time;
  if (!(r->time >= first && r->time <= last)) {
    clear_bar();
    complain("--at %g: the motion lasts from %g to %g s", r->time, first, last);
    return EXIT_USAGE;
  }
  run_progress_show(&j->progress, 1, "letting go");
  int status = animate_release_write(&j->shape, j->motion, r, j->options.output);
  clear_bar();
  if (status != EXIT_DONE) return status;
  if (j->options.json) {
    json_line line;
    json_begin(&line);
    json_text(&line, "output", j->options.output), json_text(&line, "scene", r->scene);
    json_number(&line, "time", r->time), json_integer(&line, "particles", r->particles);
    json_number(&line, "speed", r->speed);
    fputs(json_end(&line), stdout);
  } else if (!j->options.quiet) {
    printf("wrote %s: %zu particles at %.4g s of the motion, at up to %.3g m/s\n", j->options.output,
           r->particles, r->time, r->speed);
    printf("  %s run %s --commands %s continues from there\n", program, r->scene, j->options.output);
  }
  return EXIT_DONE;
}

static int run(animate_job *j, const char *mesh, const char *keys) {
  mote_deform_motion_report report = {0};
  deform_shape *s = &j->shape;
  s->path = mesh, s->force = j->options.force;
  int status = deform_shape_read(s, keys, true, j->options.set, j->options.sets);
  if (status != EXIT_DONE) return status;
  j->animation = mote_scene_file_animation(s->file);
  status = plan_frames(j);
  if (status == EXIT_DONE) status = check_outputs(j, keys);
  if (status == EXIT_DONE) status = deform_shape_open(s);
  if (status == EXIT_DONE && !j->options.quiet) deform_shape_list_ties(s);
  run_progress_begin(&j->progress, j->options.quiet || j->options.json, 0, 1, j->frames);
  run_stop_listen();
  if (status == EXIT_DONE) status = animate_keys_make(s, j->animation, show, &j->progress, &j->keys);
  run_progress_show(&j->progress, 0, "moving");
  if (status == EXIT_DONE) status = animate_motion_solve(s, j->animation, &j->keys, &j->motion, &report);
  if (status == EXIT_DONE && j->release.scene != NULL) return let_go(j);
  if (status == EXIT_DONE) status = write_frames(j);
  clear_bar();
  if (status != EXIT_DONE) return status;
  if (j->options.json) report_json(j, &report);
  if (!j->options.json && !j->options.quiet) report_text(j, &report);
  return EXIT_DONE;
}

int cmd_animate(int argc, char **argv) {
  animate_job job;
  if (!parse_options(&argc, argv, &job)) return EXIT_USAGE;
  int status = run(&job, argc == 3 ? argv[1] : NULL, argv[argc - 1]);
  mote_deform_motion_destroy(job.motion);
  animate_keys_free(&job.keys);
  deform_shape_close(&job.shape);
  free(job.time);
  return status;
}
