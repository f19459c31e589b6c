// The quick pictures of a run: see run_pictures.h.
#include "cli/run/run_pictures.h"

#include <math.h>
#include <mote/text.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/bodies/scene_colours.h"
#include "cli/run/run_frames.h"

static mote_preview_def make_def(const mote_scene *scene, const backdrop *stage) {
  mote_preview_def def = mote_preview_def_default();
  def.width = scene->outputs.width, def.height = scene->outputs.height;
  def.flat = scene->world.dimensions == 2;
  def.camera = scene->outputs.camera;
  def.shade.low = scene->outputs.colour_low, def.shade.high = scene->outputs.colour_high;
  memcpy(def.low, stage->low, sizeof def.low);
  memcpy(def.high, stage->high, sizeof def.high);
  return def;
}

static bool open_boxes(run_pictures *pictures, bool resume, double time) {
  static const char head[] = "time,low_x,low_y,low_z,high_x,high_y,high_z\n";
  char path[PATH_CAPACITY];
  run_directory_path(pictures->directory, ACTION_TABLE, path);
  if (!resume) return run_table_open(&pictures->boxes, path, head);
  size_t rows;
  if (!run_table_reopen(&pictures->boxes, path, head, time)) return false;
  double *row = run_table_read(path, ACTION_COLUMNS, &rows);
  for (size_t k = 0; row != NULL && k < rows; ++k)
    action_view_add(&pictures->view, row + ACTION_COLUMNS * k + 1, row + ACTION_COLUMNS * k + 4);
  free(row);
  return row != NULL;
}

bool run_pictures_open(run_pictures *pictures, const run_directory *directory, const mote_scene *scene,
                       uint64_t scene_hash, const mote_env *env, bool resume, double time) {
  *pictures = (run_pictures){.directory = directory, .scene = scene, .scene_hash = scene_hash, .env = *env};
  if (!backdrop_open(&pictures->stage, scene, env)) return false;
  pictures->def = make_def(scene, &pictures->stage);
  pictures->follows = domain_is_open(&scene->world);
  return !pictures->follows || open_boxes(pictures, resume, time);
}

// The camera goes after what is there in this frame.
static bool follow_scene(run_pictures *pictures, const mote_preview_scene *scene) {
  double box[2][3];
  if (!pictures->follows) return true;
  action_box(&pictures->stage, scene->position, scene->count, scene->radius, box[0], box[1]);
  run_table_row(&pictures->boxes, scene->time);
  run_table_numbers(&pictures->boxes, box[0], 6);
  action_view_add(&pictures->view, box[0], box[1]);
  action_view_box(&pictures->view, &pictures->scene->world, pictures->def.low, pictures->def.high);
  return run_table_end(&pictures->boxes);
}

void run_pictures_close(run_pictures *pictures) {
  backdrop_close(&pictures->stage);
  run_table_close(&pictures->boxes);
  free(pictures->material), free(pictures->colour);
  free(pictures->all_position), free(pictures->all_colour), free(pictures->open),
      free(pictures->row_material), free(pictures->all_value);
  *pictures = (run_pictures){0};
}

// --- A picture ---

static bool colour_by_material(run_pictures *pictures, const mote_world *world, mote_preview_scene *frame) {
  mote_error error;
  if (pictures->capacity < frame->count) {
    free(pictures->material), free(pictures->colour);
    pictures->capacity = frame->count + frame->count / 4;
    pictures->material = malloc(pictures->capacity * sizeof *pictures->material);
    pictures->colour = malloc(pictures->capacity * sizeof *pictures->colour);
    if (pictures->material == NULL || pictures->colour == NULL) {
      pictures->capacity = 0;
      return complain("out of memory for pictures"), false;
    }
  }
  if (mote_world_materials(world, pictures->material, &error) != MOTE_OK) {
    return complain_error(&error), false;
  }
  for (size_t i = 0; i < frame->count; ++i) {
    pictures->colour[i] = backdrop_colour(pictures->scene->material[pictures->material[i]].colour);
  }
  frame->colour = pictures->colour;
  return true;
}

// --- Lattices: spheres behind those of fluids, dark where sites are closed for good (WIC06 Fig. 4c) ---

#define OPEN_SHADE 0.45

static bool reserve_all(run_pictures *pictures, size_t count) {
  if (count <= pictures->all_capacity) return true;
  free(pictures->all_position), free(pictures->all_colour), free(pictures->open),
      free(pictures->row_material), free(pictures->all_value);
  pictures->all_capacity = count + count / 4;
  pictures->all_position = malloc(3 * pictures->all_capacity * sizeof(double));
  pictures->all_colour = malloc(pictures->all_capacity * sizeof(mote_colour));
  pictures->open = malloc(pictures->all_capacity * sizeof(double));
  pictures->row_material = malloc(pictures->all_capacity * sizeof(uint32_t));
  pictures->all_value = malloc(pictures->all_capacity * sizeof(float));
  bool all = pictures->all_value != NULL && pictures->all_position != NULL && pictures->all_colour != NULL &&
             pictures->open != NULL && pictures->row_material != NULL;
  if (!all) pictures->all_capacity = 0, complain("out of memory for pictures");
  return all;
}

// A number of lattices, as their temperature, that colours fluids and lattices alike; null: there is none of
// that name. Copies that of the fluid.
static const float *join_values(run_pictures *pictures, const mote_world *world, mote_preview_scene *frame) {
  const char *name = scene_colour_by(pictures->scene);
  size_t count = mote_world_particles(world);
  if (name == NULL) return NULL;
  mote_field_view fluid = mote_world_view(world, name), lattice = mote_world_lattice_view(world, name);
  bool both = lattice.data != NULL && lattice.components == 1 && lattice.type == MOTE_TYPE_F32 &&
              (count == 0 || fluid.type == lattice.type);
  if (!both) return NULL;
  if (count > 0) memcpy(pictures->all_value, fluid.data, count * sizeof(float));
  frame->value = lattice, frame->value.data = pictures->all_value;
  return lattice.data;
}

// Whether particles of the body with this label are shown by its skin.
static bool is_skinned(const run_pictures *pictures, const mote_world *world, uint32_t label) {
  for (size_t b = 0; b < pictures->scene->bodies; ++b) {
    const mote_body_def *def = &pictures->scene->body[b];
    if (def->skin && mote_world_find_body(world, def->name).index + 1 == label) return true;
  }
  return false;
}

static bool add_lattices(run_pictures *pictures, const mote_world *world, mote_preview_scene *frame) {
  size_t count = mote_world_lattice_particles(world), fluid = frame->count;
  mote_error error;
  if (count == 0) return true;
  if (!reserve_all(pictures, fluid + count)) return false;
  if (fluid > 0) {
    memcpy(pictures->all_position, frame->position, 3 * fluid * sizeof(double));
    if (!colour_by_material(pictures, world, frame)) return false;
    memcpy(pictures->all_colour, frame->colour, fluid * sizeof(mote_colour));
  }
  const double *x = mote_world_lattice_view(world, "position").data;
  const uint32_t *label = mote_world_lattice_view(world, "body").data;
  mote_lattice_measures out = {.open = pictures->open, .material = pictures->row_material};
  if (mote_world_lattice_measure(world, &out, &error) != MOTE_OK) return complain_error(&error), false;
  size_t shown = fluid;
  bool hidden = false;
  const float *value = join_values(pictures, world, frame);
  for (size_t i = 0; i < count; ++i) {
    if (i == 0 || label[i] != label[i - 1]) hidden = is_skinned(pictures, world, label[i]);
    if (hidden) continue;
    const double *rgb = pictures->scene->material[pictures->row_material[i]].colour;
    double shade = pictures->open[i] > 0 ? OPEN_SHADE : 1;
    memcpy(pictures->all_position + 3 * shown, x + 3 * i, 3 * sizeof *x);
    if (value != NULL) pictures->all_value[shown] = value[i];
    pictures->all_colour[shown++] =
        backdrop_colour((const double[3]){shade * rgb[0], shade * rgb[1], shade * rgb[2]});
  }
  frame->position = pictures->all_position, frame->count = frame->value.count = shown;
  frame->colour = value != NULL ? NULL : pictures->all_colour;
  if (value == NULL) frame->value = (mote_field_view){0};
  return true;
}

static bool fill_scene(run_pictures *pictures, const mote_world *world, mote_preview_scene *frame) {
  const char *colour_by = scene_colour_by(pictures->scene);
  *frame = mote_preview_scene_default();
  frame->position = mote_world_view(world, "position").data;
  frame->count = mote_world_particles(world);
  frame->radius = 0.5 * pictures->scene->world.spacing;
  if (!backdrop_follow_commands(&pictures->stage, world)) return false;
  backdrop_set(&pictures->stage, mote_world_time(world));
  if (!backdrop_set_bodies(&pictures->stage, world)) return false;
  frame->mesh = pictures->stage.mesh, frame->meshes = pictures->stage.meshes;
  memcpy(frame->low, pictures->scene->world.low, sizeof frame->low);
  memcpy(frame->high, pictures->scene->world.high, sizeof frame->high);
  frame->title = pictures->scene->title;
  frame->time = mote_world_time(world);
  if (colour_by != NULL && strcmp(colour_by, "temperature") == 0) pictures->def.shade.map = MOTE_MAP_HEAT;
  if (mote_world_lattice_particles(world) > 0) return add_lattices(pictures, world, frame);
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

// The mean colour of each triangle's corners; null: the surface carries none, or memory is out.
static mote_colour *paint_triangles(const mote_surface *area) {
  const double *colour = NULL;
  for (int f = 0; f < area->fields; ++f) {
    const mote_field_view *field = &area->field[f];
    if (strcmp(field->name, "colour") == 0 && field->components == 3 && field->type == MOTE_TYPE_F64)
      colour = field->data;
  }
  mote_colour *out = colour != NULL ? malloc((area->mesh.triangles + 1) * sizeof *out) : NULL;
  for (size_t t = 0; t < area->mesh.triangles && out != NULL; ++t) {
    double mean[3] = {0.0};
    for (size_t c = 0; c < 9; ++c)
      mean[c % 3] += colour[3 * (size_t)area->mesh.triangle[3 * t + c / 3] + c % 3] / 3.0;
    out[t] = backdrop_colour(mean);
  }
  return out;
}

// In front of the colliders' meshes; to be freed, and the colours of its triangles.
static bool add_area(const mote_surface *area, mote_preview_scene *scene, mote_colour **paint) {
  mote_preview_mesh *all = malloc((scene->meshes + 1) * sizeof *all);
  if (all == NULL) return complain("out of memory for pictures"), false;
  *paint = paint_triangles(area);
  all[0] = (mote_preview_mesh){.mesh = area->mesh, .colour = {74, 144, 200, 255}, .of_triangle = *paint};
  if (scene->meshes > 0) memcpy(all + 1, scene->mesh, scene->meshes * sizeof *all);
  scene->mesh = all, scene->count = 0;
  scene->value = (mote_field_view){0}, scene->colour = NULL;
  ++scene->meshes;
  return true;
}

bool run_pictures_write(run_pictures *pictures, const mote_world *world, const mote_surface *area,
                        size_t frame) {
  mote_preview_scene scene;
  mote_image *image;
  mote_error error;
  mote_colour *paint = NULL;
  char name[32], path[PATH_CAPACITY];
  if (!fill_scene(pictures, world, &scene) || !follow_scene(pictures, &scene)) return false;
  if ((area != NULL && !add_area(area, &scene, &paint))) return false;
  mote_result result = mote_preview_draw(&pictures->def, &scene, &pictures->env, &image, &error);
  free(paint);
  if (area != NULL) {
    mote_preview_mesh *all;
    memcpy(&all, &scene.mesh, sizeof all);
    free(all);
  }
  if (result != MOTE_OK) return complain_error(&error), false;
  mote_stamp stamp = run_stamp(world, pictures->scene_hash);
  snprintf(name, sizeof name, "preview.%04zu.png", frame);
  run_directory_path(pictures->directory, name, path);
  result = stamp_image(image, &stamp, &error);
  if (result == MOTE_OK) result = mote_image_write(image, path, &error);
  mote_image_destroy(image);
  return result == MOTE_OK || (complain_error(&error), false);
}
