// What stays the same from frame to frame: see render_studio.h.
#include "cli/render/render_studio.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"
#include "cli/bodies/scene_colours.h"
#include "cli/sample/sample_set.h"

#define BOUNDS_FRAMES_MAX 12  // frames, at most, that are read to find bounds and ranges

// --- What is seen ---

static void include_box(render_studio *studio, const double low[3], const double high[3]) {
  for (int k = 0; k < 3; ++k) {
    studio->low[k] = fmin(studio->low[k], low[k]), studio->high[k] = fmax(studio->high[k], high[k]);
  }
}

// Walls end what is inside of them; sides that are open do not.
static void find_tank(render_studio *studio) {
  APP_ASSERT(studio->shots->scene != NULL);
  const mote_world_def *world = &studio->shots->scene->world;
  bool any = false;
  for (int k = 0; k < 3; ++k)
    any = any || world->side[k][0] == MOTE_SIDE_WALL || world->side[k][1] == MOTE_SIDE_WALL;
  for (int k = 0; any && k < 3; ++k) {
    bool walls = isfinite(world->low[k]) && isfinite(world->high[k]);
    studio->tank_low[k] = walls ? world->low[k] : (double)NAN;
    studio->tank_high[k] = walls ? world->high[k] : (double)NAN;
  }
}

static int open_stage(render_studio *studio) {
  const mote_scene *scene = studio->shots->scene;
  if (scene == NULL) return EXIT_DONE;
  studio->staged = true;
  if (!backdrop_open(&studio->stage, scene, &studio->env)) return EXIT_FAILED;
  if (!backdrop_read_commands(&studio->stage, studio->shots->directory)) return EXIT_FAILED;
  if (studio->stage.bodies > 0 && !body_table_open(&studio->bodies, studio->shots->directory))
    return EXIT_FAILED;
  include_box(studio, studio->stage.low, studio->stage.high);
  find_tank(studio);
  studio->spacing = scene->world.spacing;
  studio->flat = scene->world.dimensions == 2;
  return EXIT_DONE;
}

static int open_with(render_studio *studio) {
  const render_options *o = studio->options;
  studio->with = input_take(o->withs + 1, sizeof *studio->with);
  for (; studio->withs < o->withs; ++studio->withs) {
    static const render_values none = {.textures = true};
    double low[3], high[3];
    render_take *with = &studio->with[studio->withs];
    const char *path = o->with[studio->withs];
    *with = (render_take){.time = (double)NAN};
    int status = render_take_read(with, path, &none, &studio->env);
    if (status == EXIT_DONE && !with->meshed) {
      complain("--with %s: not a mesh", path);
      status = EXIT_USAGE;
    }
    if (status != EXIT_DONE) {
      render_take_free(with, &studio->env);
      return status;
    }
    if (render_take_bounds(with, low, high)) include_box(studio, low, high);
  }
  return EXIT_DONE;
}

static int open_environment(render_studio *studio) {
  mote_error error;
  const char *path = studio->options->environment;
  if (path == NULL) return EXIT_DONE;
  if (refuse_pipe(path)) return EXIT_USAGE;
  return mote_environment_read(path, &studio->env, &studio->environment, &error) == MOTE_OK
             ? EXIT_DONE
             : complain_error(&error);
}

static void choose_camera(render_studio *studio) {
  const render_options *o = studio->options;
  mote_camera_def *camera = &studio->camera;
  *camera = o->camera;
  bool rays = !o->preview && !studio->flat && studio->as != RENDER_SECTION;
  if (studio->shots->scene != NULL) {
    const mote_camera_def *theirs = &studio->shots->scene->outputs.camera;
    bool none = isnan(camera->from[0]) && isnan(camera->to[0]);
    if (none) {
      memcpy(camera->from, theirs->from, sizeof camera->from);
      memcpy(camera->to, theirs->to, sizeof camera->to);
    }
    if (isnan(camera->angle)) camera->angle = theirs->angle;
    if (isnan(camera->shutter) && rays) camera->shutter = theirs->shutter;
    if (isnan(camera->aperture) && rays) camera->aperture = theirs->aperture;
    if (isnan(camera->focus)) camera->focus = theirs->focus;
  }
  if (isnan(camera->shutter)) camera->shutter = 0;
  if (isnan(camera->aperture)) camera->aperture = 0;
}

// --- Looking ahead ---

static void include_values(render_studio *studio) {
  const render_take *take = &studio->take;
  size_t count = render_take_positions(take);
  mote_shade *shade = &studio->shade;
  for (size_t i = 0; take->value != NULL && i < count; ++i) {
    double value = (double)take->value[i];
    if (!isfinite(value)) continue;
    if (isnan(shade->low) || value < shade->low) shade->low = value;
    if (isnan(shade->high) || value > shade->high) shade->high = value;
  }
}

static int find_spacing(render_studio *studio) {
  const render_take *take = &studio->take;
  if (studio->spacing > 0 || take->meshed || take->count == 0) return EXIT_DONE;
  mote_cloud cloud = {.count = take->count, .fields = 1};
  cloud.field[0] = (mote_field_view){"position", "m", MOTE_TYPE_F64, 3, take->count, take->position};
  sample_set set;
  if (take->count == 1) return studio->spacing = 1, EXIT_DONE;
  double radius = studio->options->radius, support = radius > 0 ? 4 * radius : (double)NAN;
  int status = sample_set_make(take->path, &cloud, 0, support, SAMPLE_SPH, &studio->env, &set);
  if (status == EXIT_DONE) {
    studio->spacing = set.spacing;
    if (studio->shots->scene == NULL) studio->flat = set.dimensions == 2;
    sample_set_free(&set);
  }
  return status;
}

int render_studio_read(render_studio *studio, const render_shot *shot) {
  render_take *take = &studio->take;
  int status = render_take_read(take, shot->path, &studio->values, &studio->env);
  if (status == EXIT_DONE && isnan(take->time) && studio->shots->scene != NULL)
    take->time = mote_scene_frame_time(studio->shots->scene, (size_t)shot->number);
  return status;
}

// Reads some of the frames, the first and the last among them.
static int read_ahead(render_studio *studio) {
  APP_ASSERT(studio->shots->count > 0);
  const render_shots *shots = studio->shots;
  bool values = isnan(studio->range_low) || isnan(studio->range_high);
  bool all =
      !studio->staged || (studio->values.name != NULL && values) || !(studio->options->whole || studio->flat);
  size_t reads = !all ? 1 : shots->count < BOUNDS_FRAMES_MAX ? shots->count : BOUNDS_FRAMES_MAX;
  render_view_begin(studio);
  for (size_t k = 0; k < reads; ++k) {
    double low[3], high[3];
    size_t which = reads == 1 ? shots->count - 1 : k * (shots->count - 1) / (reads - 1);
    int status = render_studio_read(studio, &shots->shot[which]);
    if (status == EXIT_DONE) status = find_spacing(studio);
    if (status != EXIT_DONE) return status;
    if (!studio->staged && render_take_bounds(&studio->take, low, high)) include_box(studio, low, high);
    include_values(studio);
    if (!render_view_include(studio)) return EXIT_FAILED;
  }
  return EXIT_DONE;
}

// --- Colours and looks ---

// The field's name for the file at hand: "speed" is velocity's length.
static void choose_colours(render_studio *studio) {
  const render_options *o = studio->options;
  const mote_scene *scene = studio->shots->scene;
  studio->values = (render_values){o->colour_by, o->colour_by != NULL, studio->camera.shutter > 0,
                                   !o->preview && o->look == NULL, o->texture};
  studio->shade = mote_shade_default();
  studio->shade.low = studio->shade.high = (double)NAN;
  studio->range_low = o->low, studio->range_high = o->high;
  bool as_particles = studio->as != RENDER_SURFACE && studio->as != RENDER_PUFFS;
  if (o->colour_by == NULL && o->look == NULL && scene != NULL && as_particles) {
    studio->values.name = scene_colour_by(scene);
    if (isnan(o->low) && isnan(o->high))
      studio->range_low = scene->outputs.colour_low, studio->range_high = scene->outputs.colour_high;
  }
  bool speeds = studio->values.name != NULL && strcmp(studio->values.name, "velocity") == 0;
  studio->shade.map = o->mapped ? o->map : speeds ? MOTE_MAP_WATER : MOTE_MAP_SEQUENTIAL;
}

static void finish_shade(render_studio *studio) {
  mote_shade *shade = &studio->shade;
  if (!isnan(studio->range_low)) shade->low = studio->range_low;
  if (!isnan(studio->range_high)) shade->high = studio->range_high;
  if (isnan(shade->low) || isnan(shade->high)) shade->low = 0, shade->high = 1;
  if (!(shade->low < shade->high)) shade->high = shade->low + 1;
  const char *unit = studio->take.unit;
  snprintf(studio->label, sizeof studio->label, "%s%s%s",
           studio->values.name != NULL ? studio->values.name : "", unit[0] != '\0' ? ", " : "", unit);
  shade->label = studio->label;
}

static bool choose_look(render_studio *studio) {
  const render_options *o = studio->options;
  const mote_scene *scene = studio->shots->scene;
  const mote_material_def *fluid = NULL;
  if (o->look != NULL) return render_look_named(o->look, &studio->look);
  if (studio->as == RENDER_PUFFS) return render_look_named("smoke", &studio->look);
  const render_take *take = &studio->take;
  if (take->texture.images > 0) return studio->look = mote_look_matte(0.6F, 0.6F, 0.6F), true;
  bool coloured = take->value != NULL || take->body != NULL || take->colour != NULL;
  if (studio->as != RENDER_SURFACE || coloured)
    return studio->look = mote_look_glossy(0.10F, 0.25F, 0.55F), true;
  if (scene != NULL && scene_fluids(scene, &fluid) > 0) return studio->look = mote_look_of(fluid), true;
  return render_look_named(take->ours || !take->meshed ? "water" : "clay", &studio->look);
}

// Fluids of several materials get the colours of their materials, if the files have the field `body`.
static bool shows_materials(const render_studio *studio) {
  const render_options *o = studio->options;
  const mote_scene *scene = studio->shots->scene;
  const mote_material_def *first;
  if (studio->as != RENDER_SURFACE || o->colour_by != NULL || o->look != NULL || scene == NULL) return false;
  return scene_fluids(scene, &first) > 1;
}

// --- Opening ---

static int check_kind(render_studio *studio) {
  const char *path = studio->shots->shot[0].path;
  input_kind kind = input_kind_of(path);
  bool mesh = kind == INPUT_MESH;
  if (kind == INPUT_UNKNOWN) return EXIT_USAGE;
  studio->as = studio->options->as;
  if (studio->as == RENDER_AUTO) studio->as = mesh ? RENDER_SURFACE : RENDER_SPHERES;
  if (!mesh && studio->options->texture != NULL) {
    complain("%s: particles; --texture needs a mesh with texture coordinates (obj, glb)", path);
    return EXIT_USAGE;
  }
  if (!mesh || studio->as == RENDER_SURFACE) return EXIT_DONE;
  complain("%s: a mesh; --as spheres, ellipsoids, puffs and section need particles", path);
  return EXIT_USAGE;
}

// What is drawn without rays has no blur, and sections have no cuts.
static int check_quick(const render_studio *studio) {
  const render_options *o = studio->options;
  static const double uncut[3] = {0, 0, 0};
  bool cut = memcmp(o->cut, uncut, sizeof uncut) != 0;
  bool blurred = o->camera.shutter > 0 || o->camera.aperture > 0;
  if (cut && studio->as == RENDER_SECTION)
    return complain("--cut and --section exclude each other"), EXIT_USAGE;
  bool lit = o->environment != NULL || !isnan(o->daylight);
  if (!studio->quick || (!blurred && !lit)) return EXIT_DONE;
  complain("%s needs ray tracing: %s",
           blurred ? "blur (--shutter, --aperture)" : "light (--environment, --daylight)",
           o->preview                     ? "leave out --preview"
           : studio->as == RENDER_SECTION ? "sections are rasterised"
                                          : "2D worlds are rasterised");
  return EXIT_USAGE;
}

int render_studio_open(render_studio *studio, const render_options *o, const render_shots *shots,
                       const mote_env *env) {
  *studio = (render_studio){.options = o, .shots = shots, .env = *env, .take = {.time = (double)NAN}};
  for (int k = 0; k < 3; ++k) {
    studio->low[k] = (double)INFINITY, studio->high[k] = (double)-INFINITY;
    studio->tank_low[k] = studio->tank_high[k] = (double)NAN;
  }
  int status = check_kind(studio);
  if (status == EXIT_DONE) status = open_stage(studio);
  if (status == EXIT_DONE) status = open_with(studio);
  if (status == EXIT_DONE) status = open_environment(studio);
  if (status != EXIT_DONE) return status;
  choose_camera(studio);
  choose_colours(studio);
  if (shows_materials(studio)) studio->values.name = "material";
  status = read_ahead(studio);
  if (status != EXIT_DONE) return status;
  if (!(studio->low[0] <= studio->high[0])) {
    for (int k = 0; k < 3; ++k) studio->low[k] = 0, studio->high[k] = 1;
  }
  render_view_end(studio);
  if (o->radius > 0) studio->spacing = 2 * o->radius;
  finish_shade(studio);
  studio->quick = o->preview || studio->flat || studio->as == RENDER_SECTION;
  if (!studio->quick && mote_render_engine() == NULL) {
    complain(
        "this build of Mote has no ray tracer: it was built without Embree; --preview and --section work");
    return EXIT_FAILED;
  }
  if (studio->flat && studio->as == RENDER_ELLIPSOIDS && !studio->take.meshed) {
    complain("%s: all particles lie in a plane; ellipsoids need 3D particles", shots->shot[0].path);
    return EXIT_USAGE;
  }
  if (!render_view_follow(studio)) return EXIT_FAILED;
  status = check_quick(studio);
  return status == EXIT_DONE && !choose_look(studio) ? EXIT_USAGE : status;
}

void render_studio_close(render_studio *studio) {
  render_take_free(&studio->take, &studio->env);
  mote_surfacer_destroy(studio->surfacing.surfacer);
  for (size_t k = 0; k < studio->withs; ++k) render_take_free(&studio->with[k], &studio->env);
  free(studio->with), free(studio->followed);
  mote_environment_free(&studio->environment, &studio->env);
  if (studio->staged) backdrop_close(&studio->stage);
  body_table_close(&studio->bodies);
}
