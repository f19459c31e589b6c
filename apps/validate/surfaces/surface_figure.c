// The comparison of YU11 Fig. 2.1 and Table 4.2: the double dam break of 140,000 particles, its surface by
// five methods side by side, and their times. Into DIR (mote validate surface-figure -o DIR): particles, five
// meshes, their picture and a table; what is already there is not computed again, so that another picture is
// cheap.
#include <math.h>
#include <mote/draw.h>
#include <mote/io.h>
#include <mote/render.h>
#include <mote/world.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "cli/base/app_assert.h"
#include "cli/base/scene_open.h"
#include "validate/surfaces/surface_trial.h"

#define SCENE_SHOWN "double_dam_break"
#define SPACING_FULL 0.0101  // m: 144,550 particles
#define SPACING_QUICK 0.016  // 35,826
#define END_TIME 0.44        // s: the waves have met, a thin sheet stands between them
#define TRACKED_RATE 300.0   // how often in a second Adams' distances are followed, as in YU11 2.1
#define FRAME_TIME (1.0 / 30.0)
#define CELL_SPACINGS 0.5  // spacings

enum { SHOWN = 5, TRACKED_METHOD = 2, PRINTED = 4, PATH = 1024 };
static const struct {
  mote_surface_method method;
  const char *name, *title;
  double minutes;  // YU11 Table 4.2, per frame
} shown[SHOWN] = {{MOTE_SURFACE_DENSITY, "density", "Isotropic kernels (Mueller et al. 2003)", 0.39},
                  {MOTE_SURFACE_ZHU_BRIDSON, "zhu-bridson", "Zhu and Bridson 2005", 0.50},
                  {MOTE_SURFACE_ADAMS, "adams", "Adams et al. 2007", 1.76},
                  {MOTE_SURFACE_ANISOTROPIC, "anisotropic", "Anisotropic kernels, ours", 0.96},
                  {MOTE_SURFACE_ANISOTROPIC, "thesis", "Anisotropic kernels as printed (Yu 2011)", 0.96}};

typedef struct figure {
  validation *v;
  mote_error error;
  double spacing;
  double simulation;      // per frame, in seconds of processor time
  double seconds[SHOWN];  // per surface
  size_t particles;
  size_t triangles[SHOWN];
} figure;

static bool path_of(const figure *f, int k, const char *ending, char path[PATH]) {
  APP_ASSERT(k >= 0 && k < SHOWN);
  char name[64];
  snprintf(name, sizeof name, "surface-%s.%s", shown[k].name, ending);
  return validation_plot_path(f->v, name, path, PATH);
}

static bool is_there(const char *path) {
  struct stat status;
  return stat(path, &status) == 0;
}

// Of all threads: what a busy machine shows as well as a quiet one.
static double processor_seconds(void) {
  return (double)clock() / CLOCKS_PER_SEC;
}

// --- Particles and surfaces -------------------------------------------------------------------------------

static mote_surface_particles particles_of(const mote_world *world) {
  mote_field_view x = mote_world_view(world, "position"), id = mote_world_view(world, "id");
  return (mote_surface_particles){.position = x.data, .count = x.count, .id = id.data};
}

static mote_result build_one(figure *f, mote_surfacer *surfacer, const mote_world *world, int k, bool last) {
  mote_surface_particles particles = particles_of(world);
  mote_surface surface = {0};
  char path[PATH];
  double start = processor_seconds();
  mote_result result = mote_surfacer_build(surfacer, &particles, &surface, &f->error);
  f->seconds[k] = processor_seconds() - start;
  f->triangles[k] = surface.mesh.triangles, f->particles = particles.count;
  if (!result && last && path_of(f, k, "ply", path)) result = mote_mesh_write(&surface.mesh, path, &f->error);
  mote_surface_free(&surface, validation_env(f->v));
  return result;
}

static mote_result create_surfacer(figure *f, int k, mote_surfacer **out) {
  mote_surface_def def = trial_def(shown[k].method, f->spacing, CELL_SPACINGS);
  def.thesis = k == PRINTED;
  return mote_surfacer_create(&def, validation_env(f->v), out, &f->error);
}

// Adams' distances must be followed from the start; the others see the last moment only.
static mote_result simulate(figure *f, mote_world *world) {
  mote_surfacer *surfacer = NULL;
  mote_result result = create_surfacer(f, TRACKED_METHOD, &surfacer);
  int steps = (int)(END_TIME * TRACKED_RATE + 0.5);
  for (int n = 0; n <= steps && !result; ++n) {
    double start = processor_seconds();
    result = mote_world_advance(world, n / TRACKED_RATE, &f->error);
    f->simulation += (processor_seconds() - start) * FRAME_TIME / END_TIME;
    if (!result) result = build_one(f, surfacer, world, TRACKED_METHOD, n == steps);
  }
  mote_surfacer_destroy(surfacer);
  for (int k = 0; k < SHOWN && !result; ++k) {
    if (k == TRACKED_METHOD) continue;
    surfacer = NULL;
    result = create_surfacer(f, k, &surfacer);
    for (int again = 0; again < 2 && !result; ++again) result = build_one(f, surfacer, world, k, again == 1);
    mote_surfacer_destroy(surfacer);
  }
  return result;
}

static mote_result compute(figure *f) {
  char spacing[64];
  snprintf(spacing, sizeof spacing, "spacing=%g", f->spacing);
  // Neighbours that move together hold the thin sheet, which is what the comparison is about.
  const char *set[3] = {spacing, "materials.left.xsph=0.1", "materials.right.xsph=0.1"};
  mote_scene_file *file = NULL;
  mote_world *world = NULL;
  const mote_env *env = validation_env(f->v);
  mote_result result = scene_find(SCENE_SHOWN, set, 3, env, &file, &f->error);
  if (!result) result = mote_world_create_scene(mote_scene_file_scene(file), env, &world, &f->error);
  if (!result) result = simulate(f, world);
  mote_world_destroy(world);
  mote_scene_file_destroy(file);
  return result;
}

static void report_times(figure *f) {
  FILE *table = trial_table(f->v, "surface-figure.md",
                            " | processor seconds a frame | triangles | YU11 Table 4.2, minutes |");
  for (int k = 0; k < SHOWN; ++k) {
    trial_report(f->v, false, "seconds", SCENE_SHOWN, shown[k].method, f->seconds[k], 60.0 * shown[k].minutes,
                 0.0, "YU11 Table 4.2");
    if (table == NULL) continue;
    fprintf(table, "| %s | %.2f | %zu | %.2f |\n", shown[k].title, f->seconds[k], f->triangles[k],
            shown[k].minutes);
  }
  if (table != NULL) {
    fprintf(table, "| Simulation of %zu particles | %.2f | | 2.19 |\n", f->particles, f->simulation);
  }
  trial_table_end(f->v, table);
}

// --- The picture ------------------------------------------------------------------------------------------

// Not water: a coat that reflects shows every bump. From near the sheet that rises where the waves have met.
static mote_result draw_one(figure *f, int k, mote_image **out) {
  const mote_env *env = validation_env(f->v);
  mote_render_def def = mote_render_def_default();
  mote_render_scene scene = mote_render_scene_default();
  mote_render_mesh liquid = {.look = mote_look_glossy(0.05F, 0.2F, 0.5F), .liquid = true};
  const double high[3] = {1.2, 0.9, 0.7};
  char path[PATH];
  def.width = 600, def.height = 400, def.samples = 16;
  def.camera = (mote_camera_def){.from = {1.85, 1.05, 1.95}, .to = {0.6, 0.33, 0.33}, .angle = 0.45};
  for (int a = 0; a < 3; ++a) {
    scene.low[a] = def.low[a] = 0.0;
    scene.high[a] = def.high[a] = high[a];
  }
  if (!path_of(f, k, "ply", path)) return MOTE_ERROR_ARGUMENT;
  mote_result result = mote_mesh_read(path, env, &liquid.mesh, &f->error);
  scene.mesh = &liquid, scene.meshes = 1, scene.title = shown[k].title, scene.time = END_TIME;
  if (!result) result = mote_render_draw(&def, &scene, env, out, &f->error);
  mote_mesh_free(&liquid.mesh, env);
  return result;
}

static mote_result draw(figure *f) {
  mote_image *image[SHOWN] = {NULL}, *contact_sheet = NULL;
  char path[PATH];
  mote_result result = MOTE_OK;
  for (int k = 0; k < SHOWN && !result; ++k) result = draw_one(f, k, &image[k]);
  if (!result)
    result = mote_image_contact_sheet(image, SHOWN, 3, validation_env(f->v), &contact_sheet, &f->error);
  if (!result && validation_plot_path(f->v, "surface-figure.png", path, sizeof path)) {
    result = mote_image_write(contact_sheet, path, &f->error);
  }
  for (int k = 0; k < SHOWN; ++k) mote_image_destroy(image[k]);
  mote_image_destroy(contact_sheet);
  return result;
}

void validate_surface_figure(validation *v) {
  figure f = {.v = v, .spacing = validation_quick(v) ? SPACING_QUICK : SPACING_FULL};
  char path[PATH];
  bool complete = true;
  if (!path_of(&f, 0, "ply", path)) {
    validation_skip(v, "a picture, with -o DIR only");
    return;
  }
  for (int k = 0; k < SHOWN; ++k) complete = complete && path_of(&f, k, "ply", path) && is_there(path);
  mote_result result = complete ? MOTE_OK : compute(&f);
  if (!result && !complete) report_times(&f);
  if (!result && complete) validation_skip(v, "the meshes are there already; only the picture is drawn");
  if (!result) result = draw(&f);
  if (result) validation_error(v, &f.error);
}
