// The quick pictures of a run: see run_pictures.h.
#include "run_pictures.h"

#include <math.h>
#include <mote/text.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "run_frames.h"

#define COLLIDER_CELLS 64  // along its longest side

// --- What is seen ---

static void include_shape(const mote_shape_def *def, int dimensions, double low[3], double high[3]) {
  mote_shape_def solid = *def;
  mote_shape *shape;
  solid.inverted = false;  // a container shows what is inside
  if (mote_shape_create(&solid, dimensions, NULL, &shape, NULL) != MOTE_OK) return;
  double a[3], b[3];
  mote_shape_bounds(shape, a, b);
  for (int k = 0; k < 3; ++k) {
    if (isfinite(a[k]) && a[k] < low[k]) low[k] = a[k];
    if (isfinite(b[k]) && b[k] > high[k]) high[k] = b[k];
  }
  mote_shape_destroy(shape);
}

// The domain; where it is infinite, what is there at the beginning.
static void find_bounds(const mote_scene *scene, double low[3], double high[3]) {
  int dimensions = scene->world.dimensions;
  for (int k = 0; k < 3; ++k) low[k] = (double)INFINITY, high[k] = (double)-INFINITY;
  for (size_t b = 0; b < scene->bodies; ++b) include_shape(&scene->body[b].shape, dimensions, low, high);
  for (size_t c = 0; c < scene->colliders; ++c) {
    if (scene->collider[c].visible) include_shape(&scene->collider[c].shape, dimensions, low, high);
  }
  for (size_t e = 0; e < scene->emitters; ++e) {
    for (int k = 0; k < 3; ++k) {
      low[k] = fmin(low[k], scene->emitter[e].centre[k]),
      high[k] = fmax(high[k], scene->emitter[e].centre[k]);
    }
  }
  for (int k = 0; k < 3; ++k) {
    if (isfinite(scene->world.low[k])) low[k] = scene->world.low[k];
    if (isfinite(scene->world.high[k])) high[k] = scene->world.high[k];
    if (!(low[k] <= high[k])) low[k] = high[k] = 0;
  }
}

static mote_preview_def make_def(const mote_scene *scene) {
  mote_preview_def def = mote_preview_def_default();
  def.width = scene->outputs.width, def.height = scene->outputs.height;
  def.flat = scene->world.dimensions == 2;
  def.camera = scene->outputs.camera;
  def.shade.low = scene->outputs.colour_low, def.shade.high = scene->outputs.colour_high;
  find_bounds(scene, def.low, def.high);
  return def;
}

// --- Colliders ---

static uint8_t to_byte(double part) {
  return (uint8_t)(part <= 0 ? 0 : part >= 1 ? 255 : 255 * part + 0.5);
}

static mote_colour to_colour(const double rgb[3]) {
  return (mote_colour){to_byte(rgb[0]), to_byte(rgb[1]), to_byte(rgb[2]), 255};
}

// The part of the collider that is drawn: all of it, or what of an infinite one is near.
static void find_extent(const mote_shape *shape, const mote_preview_def *def, double low[3], double high[3]) {
  double longest = 0;
  mote_shape_bounds(shape, low, high);
  for (int k = 0; k < 3; ++k) {
    if (!isfinite(low[k])) low[k] = def->low[k];
    if (!isfinite(high[k])) high[k] = def->high[k];
    longest = fmax(longest, high[k] - low[k]);
  }
  for (int k = 0; k < 3; ++k) {  // room for its surface
    low[k] -= 2 * longest / COLLIDER_CELLS, high[k] += 2 * longest / COLLIDER_CELLS;
  }
}

static bool add_collider(run_pictures *pictures, const mote_world *world, const mote_collider_def *def) {
  mote_error error;
  mote_shape *shape;
  mote_preview_mesh *mesh = &pictures->mesh[pictures->meshes];
  int dimensions = pictures->scene->world.dimensions;
  if (mote_shape_create(&def->shape, dimensions, &pictures->env, &shape, &error) != MOTE_OK) {
    return complain_error(&error), false;
  }
  double low[3], high[3];
  find_extent(shape, &pictures->def, low, high);
  mote_result result =
      mote_preview_shape(shape, dimensions, low, high, COLLIDER_CELLS, &pictures->env, &mesh->mesh, &error);
  mote_shape_destroy(shape);
  if (result != MOTE_OK) return complain_error(&error), false;
  mesh->colour = to_colour(def->colour);
  mesh->pose = &pictures->pose[pictures->meshes];
  pictures->collider[pictures->meshes++] = mote_world_find_collider(world, def->name);
  return true;
}

bool run_pictures_open(run_pictures *pictures, const run_directory *directory, const mote_scene *scene,
                       const mote_world *world, uint64_t scene_hash, const mote_env *env) {
  size_t room = scene->colliders + 1;
  *pictures = (run_pictures){.directory = directory,
                             .scene = scene,
                             .scene_hash = scene_hash,
                             .env = *env,
                             .def = make_def(scene),
                             .mesh = calloc(room, sizeof *pictures->mesh),
                             .pose = calloc(room, sizeof *pictures->pose),
                             .collider = calloc(room, sizeof *pictures->collider)};
  if (pictures->mesh == NULL || pictures->pose == NULL || pictures->collider == NULL) {
    return complain("no memory for pictures"), false;
  }
  for (size_t c = 0; c < scene->colliders; ++c) {
    const mote_collider_def *def = &scene->collider[c];
    if (def->visible && !def->shape.inverted && !add_collider(pictures, world, def)) return false;
  }
  return true;
}

void run_pictures_close(run_pictures *pictures) {
  for (size_t k = 0; k < pictures->meshes; ++k) mote_mesh_free(&pictures->mesh[k].mesh, &pictures->env);
  free(pictures->mesh), free(pictures->pose), free(pictures->collider);
  free(pictures->material), free(pictures->colour);
  *pictures = (run_pictures){0};
}

// --- A picture ---

static bool colour_by_material(run_pictures *pictures, const mote_world *world, mote_preview_scene *frame) {
  mote_error error;
  if (pictures->room < frame->count) {
    free(pictures->material), free(pictures->colour);
    pictures->room = frame->count + frame->count / 4;
    pictures->material = malloc(pictures->room * sizeof *pictures->material);
    pictures->colour = malloc(pictures->room * sizeof *pictures->colour);
    if (pictures->material == NULL || pictures->colour == NULL) {
      pictures->room = 0;
      return complain("no memory for pictures"), false;
    }
  }
  if (mote_world_materials(world, pictures->material, &error) != MOTE_OK) {
    return complain_error(&error), false;
  }
  for (size_t i = 0; i < frame->count; ++i) {
    pictures->colour[i] = to_colour(pictures->scene->material[pictures->material[i]].colour);
  }
  frame->colour = pictures->colour;
  return true;
}

static bool fill_scene(run_pictures *pictures, const mote_world *world, mote_preview_scene *frame) {
  const char *colour_by = pictures->scene->outputs.colour_by;
  *frame = mote_preview_scene_default();
  frame->position = mote_world_view(world, "position").data;
  frame->count = mote_world_particles(world);
  frame->radius = 0.5 * pictures->scene->world.spacing;
  frame->mesh = pictures->mesh, frame->meshes = pictures->meshes;
  memcpy(frame->low, pictures->scene->world.low, sizeof frame->low);
  memcpy(frame->high, pictures->scene->world.high, sizeof frame->high);
  frame->title = pictures->scene->title;
  frame->time = mote_world_time(world);
  for (size_t k = 0; k < pictures->meshes; ++k) {
    if (mote_world_pose(world, pictures->collider[k], &pictures->pose[k], NULL) != MOTE_OK) {
      pictures->mesh[k].pose = NULL;
    }
  }
  if (colour_by == NULL || frame->count == 0) return true;
  if (strcmp(colour_by, "material") == 0) return colour_by_material(pictures, world, frame);
  frame->value = mote_world_view(world, colour_by);
  return true;
}

static mote_result stamp_image(mote_image *image, const mote_stamp *stamp, mote_error *error) {
  char text[128], time[MOTE_TEXT_NUMBER];
  mote_text_print_double(time, stamp->time);
  snprintf(text, sizeof text, "mote %s, scene %016llx, time %s, step %llu", stamp->version,
           (unsigned long long)stamp->scene_hash, time, (unsigned long long)stamp->step);
  return mote_image_set_text(image, "Description", text, error);
}

bool run_pictures_write(run_pictures *pictures, const mote_world *world, size_t frame) {
  mote_preview_scene scene;
  mote_image *image;
  mote_error error;
  char name[32], path[PATH_ROOM];
  if (!fill_scene(pictures, world, &scene)) return false;
  mote_result result = mote_preview_draw(&pictures->def, &scene, &pictures->env, &image, &error);
  if (result != MOTE_OK) return complain_error(&error), false;
  mote_stamp stamp = run_stamp(world, pictures->scene_hash);
  snprintf(name, sizeof name, "preview.%04zu.png", frame);
  run_directory_path(pictures->directory, name, path);
  result = stamp_image(image, &stamp, &error);
  if (result == MOTE_OK) result = mote_image_write(image, path, &error);
  mote_image_destroy(image);
  return result == MOTE_OK || (complain_error(&error), false);
}
