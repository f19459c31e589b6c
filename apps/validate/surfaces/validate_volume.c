// Volume of surfaces in motion: over whole runs, how much volume the surface holds, over that of the
// particles, and whose it is. docs/surface_quality.md, "Volume in motion".
#include <math.h>
#include <mote/mote.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/scene_open.h"
#include "validate/surfaces/surface_trial.h"
#include "validate/surfaces/volume_share.h"

#define CELL_SPACINGS 0.5  // spacings
#define CLASS_LEAST 0.01   // part of the particles that a class needs to be judged
#define CLASS_COUNT 30

// --- Runs -------------------------------------------------------------------------------------------------

static const char jet_text[] =
    "title: Jet\nspacing: 2 cm\nduration: 1.2 s\n"
    "domain: {low: [0, -2, 0], high: [3, 2, 1], x: open, y: open, z: open}\n"
    "emitters:\n  nozzle: {centre: [0.2, 0, 0.5], direction: [1, 0.6, 0], radius: 3 cm, speed: \"3 + "
    "0.8*sin(40*t)\"}\n";

static const char film_text[] =
    "title: Sheet\nspacing: 2 cm\nduration: 0.8 s\ngravity: [0, 0, 0]\n"
    "domain: {low: [-2, -2, -2], high: [2, 2, 2], x: open, y: open, z: open}\n"
    "materials:\n  water: {xsph: 0.1}\n"
    "emitters:\n"
    "  left: {centre: [-0.2, 0, 0], direction: [1, 0, 0], radius: 5 cm, speed: 2.5}\n"
    "  right: {centre: [0.2, 0, 0], direction: [-1, 0, 0], radius: 5 cm, speed: 2.5}\n";

typedef struct volume_run {
  const char *name, *text;  // text null: a scene of the program
  size_t first, every;      // frames that are meshed, from 1
  size_t compact;           // up to this one 5 % are allowed; 0: none
} volume_run;

static const volume_run dam = {"dam_break", NULL, 1, 3, 24}, double_dam = {"double_dam_break", NULL, 1, 3, 0},
                        figures = {"falling_figures", NULL, 1, 5, 0}, jet = {"jet", jet_text, 10, 5, 0},
                        film = {"sheet", film_text, 6, 5, 0};

// What was found over the frames of a run.
typedef struct volume_found {
  double low, high, compact, none, flicker, thin, area;
  double share_low[SHARE_CLASSES], share_high[SHARE_CLASSES];
  size_t crossings, parts, frames;
  long handles;
} volume_found;

static volume_found found_none(void) {
  volume_found f = {.low = HUGE_VAL};
  for (int k = 0; k < SHARE_CLASSES; ++k) f.share_low[k] = HUGE_VAL;
  return f;
}

static void add_frame(volume_found *f, const volume_share *s, size_t count, bool compact) {
  f->low = fmin(f->low, s->all), f->high = fmax(f->high, s->all);
  if (compact) f->compact = fmax(f->compact, fabs(s->all - 1.0));
  f->none = fmax(f->none, s->none), f->thin = fmax(f->thin, s->thin);
  if (f->frames > 0 && s->parts == f->parts) f->flicker = fmax(f->flicker, fabs(s->area / f->area - 1.0));
  f->area = s->area, f->parts = s->parts, f->crossings += s->crossings, ++f->frames;
  f->handles = s->handles > f->handles ? s->handles : f->handles;
  for (int k = 0; k < SHARE_CLASSES; ++k) {
    if (s->particles[k] < CLASS_COUNT || (double)s->particles[k] < CLASS_LEAST * (double)count) continue;
    f->share_low[k] = fmin(f->share_low[k], s->share[k]),
    f->share_high[k] = fmax(f->share_high[k], s->share[k]);
  }
}

static void report_found(validation *v, const char *of, const volume_found *f, bool compact) {
  const mote_surface_method m = MOTE_SURFACE_ANISOTROPIC;
  if (f->frames == 0) return;
  trial_report(v, true, "least V/V0", of, m, f->low, 1.0, 0.15, "particles");
  trial_report(v, true, "most V/V0", of, m, f->high, 1.0, 0.15, "particles");
  if (compact) trial_report(v, true, "V/V0 - 1 to frame 24", of, m, f->compact, 0.0, 0.05, "particles");
  for (int k = 0; k < SHARE_FULL; ++k) {
    char name[64];
    if (!(f->share_high[k] > 0.0)) continue;
    snprintf(name, sizeof name, "least share, filling %.1f to %.1f", share_bounds[k], share_bounds[k + 1]);
    trial_report(v, true, name, of, m, f->share_low[k], 1.075, 0.275, "0.8 to 1.35");
    snprintf(name, sizeof name, "most share, filling %.1f to %.1f", share_bounds[k], share_bounds[k + 1]);
    trial_report(v, true, name, of, m, f->share_high[k], 1.075, 0.275, "0.8 to 1.35");
  }
  trial_report(v, true, "particles without volume", of, m, f->none, 0.0, 0.005, "0.5 %");
  trial_report(v, true, "crossings", of, m, (double)f->crossings, 0.0, 0.0, "none");
  trial_report(v, false, "most handles", of, m, (double)f->handles, 0.0, 0.0, "");
  trial_report(v, false, "most jump of area, same parts", of, m, f->flicker, 0.0, 0.0, "flicker");
  trial_report(v, false, "triangles below 2 degrees", of, m, f->thin, 0.001, 0.0, "99.9 % above");
}

// --- Frames -----------------------------------------------------------------------------------------------

static bool mesh_particles(validation *v, mote_surface_method method, const mote_surface_walls *walls,
                           const mote_surface_particles *particles, double d, mote_surface *out) {
  mote_surface_def def = trial_def(method, d, CELL_SPACINGS);
  mote_surface_images images;
  mote_error error;
  mote_surface_walls_cut(walls, &def);
  if (mote_surface_images_make(walls, particles, &def, validation_env(v), &images, &error)) {
    validation_error(v, &error);
    return false;
  }
  bool ok = trial_build(v, &def, &images.view, out, NULL);
  mote_surface_images_free(&images, validation_env(v));
  return ok;
}

// Beside: what the methods as printed have.
static void show_printed(validation *v, const mote_surface_walls *walls,
                         const mote_surface_particles *particles, double d,
                         double most[MOTE_SURFACE_METHODS]) {
  static const mote_surface_method printed[] = {MOTE_SURFACE_MASS, MOTE_SURFACE_ZHU_BRIDSON};
  for (int k = 0; k < 2; ++k) {
    mote_surface surface;
    if (!mesh_particles(v, printed[k], walls, particles, d, &surface)) continue;
    double ratio = mote_mesh_volume(&surface.mesh) / ((double)particles->count * d * d * d);
    most[printed[k]] = fmax(most[printed[k]], ratio);
    mote_surface_free(&surface, validation_env(v));
  }
}

static bool judge_frame(validation *v, const mote_surface_walls *walls,
                        const mote_surface_particles *particles, double d, bool compact,
                        volume_found *found) {
  mote_surface surface;
  mote_error error;
  volume_share share;
  if (!mesh_particles(v, MOTE_SURFACE_ANISOTROPIC, walls, particles, d, &surface)) return false;
  bool ok = volume_share_take(&surface.mesh, particles->position, particles->count, d, validation_env(v),
                              &share, &error);
  if (ok) add_frame(found, &share, particles->count, compact);
  if (!ok) validation_error(v, &error);
  mote_surface_free(&surface, validation_env(v));
  return ok;
}

static mote_result judge_frames(validation *v, const volume_run *run, const mote_scene *scene,
                                mote_world *world, mote_error *error) {
  mote_surface_walls walls = mote_world_def_walls(&scene->world);
  volume_found found = found_none();
  double most[MOTE_SURFACE_METHODS] = {0.0}, d = scene->world.spacing;
  for (size_t n = run->first; n <= mote_scene_frames(scene); n += run->every) {
    mote_result result = mote_world_advance(world, mote_scene_frame_time(scene, n - 1), error);
    if (result) return result;
    mote_field_view x = mote_world_view(world, "position");
    mote_surface_particles particles = {.position = x.data, .count = x.count};
    bool ok = particles.count == 0 || judge_frame(v, &walls, &particles, d, n <= run->compact, &found);
    if (particles.count > 0 && !validation_quick(v)) show_printed(v, &walls, &particles, d, most);
    if (!ok) return MOTE_OK;
  }
  report_found(v, run->name, &found, run->compact > 0);
  for (mote_surface_method m = 0; m < MOTE_SURFACE_METHODS; ++m)
    if (most[m] > 0.0) trial_report(v, false, "most V/V0", run->name, m, most[m], 1.0, 0.0, "as printed");
  return MOTE_OK;
}

static void judge_run(validation *v, const volume_run *run) {
  mote_scene_file *file = NULL;
  mote_world *world = NULL;
  mote_error error;
  mote_result result = run->text == NULL ? scene_find(run->name, NULL, 0, validation_env(v), &file, &error)
                                         : mote_scene_parse(run->text, strlen(run->text), run->name, NULL, 0,
                                                            validation_env(v), &file, &error);
  if (!result)
    result = mote_world_create_scene(mote_scene_file_scene(file), validation_env(v), &world, &error);
  if (!result) result = judge_frames(v, run, mote_scene_file_scene(file), world, &error);
  if (result) validation_error(v, &error);
  mote_world_destroy(world);
  mote_scene_file_destroy(file);
}

void validate_surface_motion(validation *v) {
  judge_run(v, &jet);
  judge_run(v, &film);
}

// Whole scenes take minutes: cases of their own run side by side.
static void judge_scene(validation *v, const volume_run *run) {
  if (validation_quick(v))
    validation_skip(v, "a whole scene: not with --quick");
  else
    judge_run(v, run);
}

void validate_surface_motion_dam(validation *v) {
  judge_scene(v, &dam);
}

void validate_surface_motion_double(validation *v) {
  judge_scene(v, &double_dam);
}

void validate_surface_motion_figures(validation *v) {
  judge_scene(v, &figures);
}

// --- Spray ------------------------------------------------------------------------------------------------

// Particles of a given number per d^3 with none within 0.9 d of another: mostly alone.
void validate_surface_spray(validation *v) {
  enum { COUNT = 400 };
  static double x[3 * COUNT];
  const double density = 0.04, side = mote_cbrt(COUNT / density);
  size_t count = 0;
  for (size_t try = 0; count < COUNT; ++try) {
    double *p = x + 3 * count;
    bool apart = true;
    for (int a = 0; a < 3; ++a) p[a] = side * mote_random_uniform(11, (uint64_t)a, try);
    for (size_t i = 0; i < count && apart; ++i) {
      double square = 0.0;
      for (int a = 0; a < 3; ++a) square += (x[3 * i + (size_t)a] - p[a]) * (x[3 * i + (size_t)a] - p[a]);
      apart = square > 0.9 * 0.9;
    }
    count += apart;
  }
  mote_surface_walls none = mote_surface_walls_none();
  mote_surface_particles particles = {.position = x, .count = count};
  volume_found found = found_none();
  if (judge_frame(v, &none, &particles, 1.0, false, &found)) report_found(v, "spray", &found, false);
}
