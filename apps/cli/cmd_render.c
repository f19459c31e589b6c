// mote render: pictures and videos of particles, surfaces and runs.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/base/json_line.h"
#include "cli/base/run_progress.h"
#include "cli/base/run_stop.h"
#include "cli/render/render_output.h"
#include "cli/render/render_studio.h"

const char help_render[] =
    "usage: mote render INPUT... [-o PNG|MP4|GIF|WEBM|DIR] [OPTIONS]\n"
    "\n"
    "Draws particles (vtp vtu vtk ply bgeo csv xyz usda json mote), meshes (obj ply stl vtp glb usda\n"
    "bgeo) or a run directory. Several inputs, numbered files (frame.%04d.ply) and runs are sequences of\n"
    "frames: they give a video, numbered pictures in a directory (or name.%04d.png), or, with a single\n"
    "PNG, the last frame. The tank, colliders, camera and materials of a run are drawn too.\n"
    "\n"
    "what to draw\n"
    "  --as WHAT           surface (made from the particles if there is none), spheres, ellipsoids,\n"
    "                      puffs, section\n"
    "  --look NAME         water, honey, chocolate, milk, lava, ... (as materials); matte, glossy,\n"
    "                      clay, metal, gold, glass, smoke\n"
    "  --texture PNG       image on a mesh with texture coordinates (obj, glb; default: those within a glb)\n"
    "  --colour-by FIELD   a field of the file (vectors by their length), or material\n"
    "  --range LOW:HIGH    values at both ends of the colour map      --map "
    "sequential|diverging|grey|water|heat\n"
    "  --radius R          radius of particles, m                     --with MESH   add it to each frame\n"
    "  --section x=0.5     the particles cut by a plane, as discs (EG09 Fig. 5)\n"
    "  --cut \"x>0.5\"       cut away this half-space\n"
    "  --wireframe         draw the edges of the triangles\n"
    "  --frames A:B:STEP   some of the frames, or one                 --turntable N one turn in N pictures\n"
    "  --title TEXT        title in the corner                        --bare        no text at all\n"
    "  --no-ground, --no-foam  no ground plane; none of mote foam's files\n"
    "  --method M, --cell L, --smoothing S, --clean, ... how surfaces are made of particles: as in mote "
    "mesh\n"
    "                      (default: --cell 0.35 --smooth 2; --preview: --cell 0.5); --radius is of drawn "
    "particles\n"
    "how\n"
    "  --preview           rasterise instead of tracing rays: less than a second\n"
    "  --size 640x360      pixels (default: 1280x720)                 --samples N   most paths per pixel "
    "(32)\n"
    "  --noise R           relative noise at which a pixel gets no more paths (0.4; 0: --samples "
    "everywhere)\n"
    "  --camera \"from x,y,z to x,y,z angle DEGREES\"                   or --from x,y,z --to x,y,z\n"
    "  --view action       what the automatic camera frames: the contents (default; previews of open\n"
    "                      domains follow them), or domain\n"
    "  --shutter PART      motion blur: open for this part of a frame, e.g. 0.5; needs velocities\n"
    "  --aperture R        depth of field: radius of the lens, m      --focus M     sharp at this distance, "
    "m\n"
    "                      (default: at the point that the camera looks at)\n"
    "  --sun x,y,z         direction to the sun                       --exposure X  brightness (1)\n"
    "  --backdrop WHAT     sky, dark, grey, white or #rrggbb\n"
    "  --environment HDR   light and background from a Radiance picture (.hdr) of all directions, instead "
    "of\n"
    "                      sky, sun and backdrop                      --environment-turn DEGREES\n"
    "  --daylight X        strength of sky, sun or environment (default: the scene's, else 1); 0: lamps "
    "alone\n"
    "  --no-denoise        plain mean of the paths                    --threads N\n"
    "output\n"
    "  -o NAME             file or directory (default: name of the input; .mp4 for a sequence, else .png)\n"
    "  --sheet N           a contact sheet of N evenly chosen frames; besides the video if -o is one\n"
    "  --fps N             frames per second of videos (default: of the run, else 24)\n"
    "  --overwrite         replace existing files                     --resume      keep existing pictures\n"
    "  --json              one JSON object per picture, one per line  --quiet       no progress bar\n"
    "\n"
    "Videos need the ffmpeg program. Ctrl-C stops after the current picture; finished pictures and the\n"
    "video up to there are kept.\n"
    "exit status: 0 finished, 1 failed, 2 invalid input or usage, 130 stopped\n"
    "\n"
    "examples:\n"
    "  mote render dam_break --as surface -o dam.mp4          a video of a run\n"
    "  mote render dam_break --preview --sheet 12             a quick overview\n"
    "  mote render run/particles.0040.vtp --colour-by pressure --section z=0.3\n"
    "  mote render bunny.obj --look gold --turntable 48 -o bunny.gif\n";

typedef struct render_work {
  const render_options *options;
  run_progress bar;
  size_t frame, frames;
} render_work;

// Called while a picture is made, by one thread.
static bool show_part(void *user, double part) {
  render_work *work = user;
  char what[64];
  snprintf(what, sizeof what, "picture %zu of %zu", work->frame + 1, work->frames);
  run_progress_show(&work->bar, ((double)work->frame + part) / (double)work->frames, what);
  return !run_stop_asked();
}

static void print_json(const render_shot *shot, const char *path, double time, double seconds) {
  json_line line;
  json_begin(&line);
  json_text(&line, "input", shot->path);
  json_integer(&line, "frame", (uint64_t)shot->number);
  json_number(&line, "time", time);
  json_text(&line, "output", path);
  json_number(&line, "seconds", seconds);
  fputs(json_end(&line), stdout);
  fflush(stdout);
}

static void describe(mote_image *image, const render_shot *shot) {
  char text[512];
  snprintf(text, sizeof text, "mote %s render %.400s", mote_version(), shot->path);
  mote_image_set_text(image, "Description", text, NULL);
}

static int draw_one(render_studio *studio, render_output *output, render_work *work) {
  const render_shots *shots = studio->shots;
  const render_shot *shot = &shots->shot[work->frame < shots->count ? work->frame : shots->count - 1];
  long number = studio->options->turntable > 0 ? (long)work->frame + 1 : shot->number;
  mote_image *image;
  double begun = wall_seconds();
  if (render_output_has(output, number)) return EXIT_DONE;
  int status = render_frame(studio, work->frame, work->frames, show_part, work, &image);
  if (status != EXIT_DONE) return status;
  describe(image, shot);
  status = render_output_add(output, image, number);
  if (status == EXIT_DONE && studio->options->json)
    print_json(shot, output->path, studio->take.time, wall_seconds() - begun);
  return status;
}

#define LONG_VIDEO 60.0  // s: what takes longer says so after its first picture

// What is left, by the pictures that were drawn: once for long videos, in a log for each picture.
static void report_progress(const render_work *work, size_t drawn) {
  char spent[32], left[32];
  double elapsed = wall_seconds() - work->bar.begun, all = elapsed * (double)work->frames / (double)drawn;
  if (work->options->quiet || work->options->json || work->frames < 2) return;
  if (drawn == 1 && all > LONG_VIDEO) {
    clear_bar();
    printf("%zu pictures will take about %s; --size, --samples and --preview make it faster\n", work->frames,
           print_duration(all, left));
  }
  if (work->bar.logged && drawn < work->frames)
    printf("picture %zu of %zu, %s, about %s left\n", drawn, work->frames, print_duration(elapsed, spent),
           print_duration(all - elapsed, left));
  else if (work->bar.logged)
    printf("picture %zu of %zu, %s\n", drawn, work->frames, print_duration(elapsed, spent));
  fflush(stdout);
}

static int draw_all(render_studio *studio, render_output *output) {
  render_work work = {.options = studio->options, .frames = output->frames};
  int status = EXIT_DONE;
  run_progress_begin(&work.bar, studio->options->quiet || studio->options->json, 0, 1, output->frames);
  for (; status == EXIT_DONE && work.frame < work.frames; ++work.frame) {
    if (!show_part(&work, 0)) status = EXIT_INTERRUPTED;
    if (status == EXIT_DONE) status = draw_one(studio, output, &work);
    if (status == EXIT_DONE) report_progress(&work, work.frame + 1);
  }
  clear_bar();
  return status;
}

static int draw_shots(const render_options *o, render_shots *shots, render_output *output,
                      const mote_env *env) {
  render_studio studio;
  int status = render_studio_open(&studio, o, shots, env);
  if (status == EXIT_DONE) status = render_output_begin(output);
  if (status == EXIT_DONE) status = draw_all(&studio, output);
  if (status == EXIT_DONE || status == EXIT_INTERRUPTED) {
    if (status == EXIT_INTERRUPTED)
      complain("stopped; %zu of %zu picture%s drawn", output->added, output->frames,
               output->frames == 1 ? " is" : "s are");
    int closed = render_output_close(output);
    status = closed != EXIT_DONE ? closed : status;
  }
  render_studio_close(&studio);
  return status;
}

int render_pictures(const render_options *options) {
  mote_env env = mote_env_default();
  render_options o = *options;
  render_output output;
  render_shots shots;
  if (o.threads > 0) env.threads = o.threads;
  int status = render_output_plan(&output, &o, &env);
  if (status != EXIT_DONE) return status;
  if (o.width == 0) o.width = output.goal == GOAL_CONTACT_SHEET ? 640 : 1280, o.height = o.width * 9 / 16;
  run_stop_listen();
  status = render_shots_open(&shots, &o, &env);
  if (status == EXIT_DONE) status = render_output_name(&output, &shots);
  if (status == EXIT_DONE) status = draw_shots(&o, &shots, &output, &env);
  render_output_abandon(&output);
  render_shots_close(&shots);
  return status;
}

// --- Options ---

// Options whose text is read in a way of its own.
typedef struct texts {
  const char *as, *size, *range, *map, *section, *cut, *frames, *camera, *from, *to, *sun, *backdrop, *view;
} texts;

static bool read_texts(const texts *t, render_options *o) {
  return (t->as == NULL || render_read_as(t->as, o)) && (t->size == NULL || render_read_size(t->size, o)) &&
         (t->range == NULL || render_read_range(t->range, o)) &&
         (t->map == NULL || render_read_map(t->map, o)) &&
         (t->section == NULL || render_read_section(t->section, o)) &&
         (t->cut == NULL || render_read_cut(t->cut, o)) &&
         (t->frames == NULL || frame_range_read(t->frames, &o->frames)) &&
         (t->camera == NULL || render_read_camera(t->camera, o)) &&
         (t->sun == NULL || render_read_place("--sun", t->sun, o->sun)) &&
         (t->backdrop == NULL || render_read_backdrop(t->backdrop, o)) &&
         (t->view == NULL || render_read_view(t->view, o)) &&
         (t->from == NULL || render_read_place("--from", t->from, o->camera.from)) &&
         (t->to == NULL || render_read_place("--to", t->to, o->camera.to));
}

static bool options_agree(const render_options *o) {
  const char *wrong = NULL;
  if (o->inputs == 0) wrong = "render needs particles, a mesh or a run directory (mote help render)";
  if (o->as == RENDER_SECTION && o->section_axis < 0)
    wrong = "--as section needs --section, e.g. --section x=0.5";
  if (o->section_axis >= 0 && o->as != RENDER_SECTION) wrong = "--section and --as exclude each other";
  if (o->wireframe && o->preview) wrong = "--wireframe needs ray tracing: leave out --preview";
  if (o->as == RENDER_ELLIPSOIDS && o->preview)
    wrong = "--as ellipsoids needs ray tracing: leave out --preview";
  if (o->preview && (o->camera.shutter > 0 || o->camera.aperture > 0 || !isnan(o->backdrop[0])))
    wrong = "--shutter, --aperture and --backdrop need ray tracing: leave out --preview";
  if (o->environment != NULL && (!isnan(o->sun[0]) || !isnan(o->backdrop[0])))
    wrong = "--environment excludes --sun and --backdrop";
  if (o->environment_turn != 0 && o->environment == NULL) wrong = "--environment-turn needs --environment";
  if (o->preview && (o->environment != NULL || !isnan(o->daylight)))
    wrong = "--environment and --daylight need ray tracing: leave out --preview";
  if (o->texture != NULL && (o->preview || o->colour_by != NULL))
    wrong = "--texture excludes --preview and --colour-by";
  if (o->camera.shutter > 10) wrong = "--shutter takes a part of a frame, 0 to 10";
  if (o->exposure == 0) wrong = "--exposure must be above 0";
  if (o->camera.focus == 0) wrong = "--focus must be above 0";
  if (o->sun[0] == 0 && o->sun[1] == 0 && o->sun[2] == 0) wrong = "--sun needs a direction";
  if (o->overwrite && o->resume) wrong = "--overwrite and --resume exclude each other";
  if (o->turntable > 0 && o->section_axis >= 0) wrong = "--turntable and --section exclude each other";
  if (wrong != NULL) complain("%s", wrong);
  return wrong == NULL;
}

#define WITHS_MAX 64

int cmd_render(int argc, char **argv) {
  render_options o = render_options_default();
  texts t = {.as = NULL};
  const char *with[WITHS_MAX];
  word_list withs = {.word = with, .capacity = WITHS_MAX};
  option table[44 + SURFACE_OPTIONS] = {
      {.name = "-o", .value = &o.output},
      {.name = "--as", .value = &t.as},
      {.name = "--look", .value = &o.look},
      {.name = "--texture", .value = &o.texture},
      {.name = "--colour-by", .value = &o.colour_by},
      {.name = "--range", .value = &t.range},
      {.name = "--map", .value = &t.map},
      {.name = "--radius", .real = &o.radius},
      {.name = "--with", .list = &withs},
      {.name = "--section", .value = &t.section},
      {.name = "--cut", .value = &t.cut},
      {.name = "--wireframe", .flag = &o.wireframe},
      {.name = "--frames", .value = &t.frames},
      {.name = "--turntable", .number = &o.turntable, .low = 2, .high = 100000},
      {.name = "--title", .value = &o.title},
      {.name = "--bare", .flag = &o.bare},
      {.name = "--no-ground", .flag = &o.no_ground},
      {.name = "--no-foam", .flag = &o.no_foam},
      {.name = "--preview", .flag = &o.preview},
      {.name = "--size", .value = &t.size},
      {.name = "--samples", .number = &o.samples, .low = 1, .high = 65536},
      {.name = "--camera", .value = &t.camera},
      {.name = "--from", .value = &t.from},
      {.name = "--to", .value = &t.to},
      {.name = "--view", .value = &t.view},
      {.name = "--shutter", .real = &o.camera.shutter},
      {.name = "--aperture", .real = &o.camera.aperture},
      {.name = "--focus", .real = &o.camera.focus},
      {.name = "--sun", .value = &t.sun},
      {.name = "--backdrop", .value = &t.backdrop},
      {.name = "--environment", .value = &o.environment},
      {.name = "--environment-turn", .real = &o.environment_turn},
      {.name = "--daylight", .real = &o.daylight},
      {.name = "--exposure", .real = &o.exposure},
      {.name = "--noise", .real = &o.noise},
      {.name = "--no-denoise", .flag = &o.no_denoise},
      {.name = "--threads", .number = &o.threads, .low = 1, .high = 1024},
      {.name = "--sheet", .number = &o.contact_sheet, .low = 1, .high = 1000},
      {.name = "--fps", .real = &o.fps},
      {.name = "--overwrite", .flag = &o.overwrite},
      {.name = "--resume", .flag = &o.resume},
      {.name = "--json", .flag = &o.json},
      {.name = "--quiet", .flag = &o.quiet},
      {.name = NULL}};
  surface_options_begin(&o.surface, table);
  if (!options_parse(&argc, argv, table) || !surface_options_read(&o.surface)) return EXIT_USAGE;
  o.input = argv + 1, o.inputs = (size_t)(argc - 1);
  o.with = with, o.withs = withs.count;
  return read_texts(&t, &o) && options_agree(&o) ? render_pictures(&o) : EXIT_USAGE;
}
