// One frame of a render: its things put together, and drawn by rays or quickly.
#include <math.h>
#include <mote/numeric.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"
#include "cli/render/render_foam.h"
#include "cli/render/render_studio.h"

#define FULL_TURN 6.283185307179586
#define BEYOND_WALLS 0.75  // spacings

static double longest_side(const render_studio *studio) {
  double longest = 0;
  for (int k = 0; k < 3; ++k) longest = fmax(longest, studio->high[k] - studio->low[k]);
  return longest > 0 ? longest : 1;
}

// --- What is made of particles ---

// Pictures cut what reaches beyond a wall better than the mesh could end there.
static void cut_at_walls(const mote_surface_walls *walls, mote_surface_def *def) {
  mote_surface_walls cut = *walls;
  for (int k = 0; def->spacing > 0 && k < 3; ++k)
    cut.low[k] -= BEYOND_WALLS * def->spacing, cut.high[k] += BEYOND_WALLS * def->spacing;
  mote_surface_walls_cut(&cut, def);
}

static int need_surfacer(render_studio *studio) {
  render_surfacing *by = &studio->surfacing;
  if (by->surfacer != NULL) return EXIT_DONE;
  const surface_options *given = &studio->options->surface;
  mote_surface_def def = given->def;
  mote_error error;
  const mote_scene *scene = studio->shots->scene;
  // Reflections show every facet of a drop.
  if (!studio->quick && !surface_options_given(given, "cell")) def.cell = 0.35;
  if (!studio->quick && !surface_options_given(given, "smooth")) def.mesh_smoothing = 2;
  if (studio->spacing > 0) def.spacing = studio->spacing;
  if (studio->flat) def.normals = false;
  if (surface_options_metric(given) && !(def.spacing > 0))
    return complain("lengths in m need a known spacing of the particles"), EXIT_USAGE;
  surface_options_scale(given, &def, def.spacing);
  for (int k = 0; scene != NULL && k < 3; ++k) {
    const mote_side *side = scene->world.side[k];
    if (side[0] == MOTE_SIDE_PERIODIC) {
      def.domain.periodic[k] = true;
      def.domain.low[k] = scene->world.low[k], def.domain.high[k] = scene->world.high[k];
    }
  }
  by->walls = scene != NULL && given->walls ? mote_world_def_walls(&scene->world) : mote_surface_walls_none();
  if (studio->flat) {
    by->walls.low[2] = (double)-INFINITY, by->walls.high[2] = (double)INFINITY;
    if (mote_surface_def_flat(&def, &error) != MOTE_OK) return complain_error(&error);
  }
  cut_at_walls(&by->walls, &def);
  by->def = def, by->ellipsoids = studio->as == RENDER_ELLIPSOIDS;
  return mote_surfacer_create(&def, &studio->env, &by->surfacer, &error) == MOTE_OK ? EXIT_DONE
                                                                                    : complain_error(&error);
}

static int read_frame(render_studio *studio, const render_shot *shot) {
  render_take *take = &studio->take;
  int status = render_studio_read(studio, shot);
  if (status != EXIT_DONE) return status;
  bool ellipsoids = studio->as == RENDER_ELLIPSOIDS && take->G == NULL;
  if (!ellipsoids && (studio->as != RENDER_SURFACE || take->meshed)) return EXIT_DONE;
  status = need_surfacer(studio);
  return status == EXIT_DONE ? render_take_surface(take, &studio->surfacing, &studio->env) : status;
}

// --- The camera ---

// Once around a vertical axis in n pictures; from as far away as it takes to see all.
static void turn_camera(const render_studio *studio, double part, mote_camera_def *camera) {
  APP_ASSERT(part >= 0 && part <= 1);
  double middle[3], away[3] = {0.382, 0.342, 0.858}, radius = 0;
  for (int k = 0; k < 3; ++k) {
    double half = 0.5 * (studio->view_high[k] - studio->view_low[k]);
    middle[k] = isfinite(camera->to[k]) ? camera->to[k] : studio->view_low[k] + half;
    radius += half * half;
  }
  double angle = isfinite(camera->angle) ? camera->angle : 0.5;
  double distance = 0.85 * sqrt(radius) / mote_sin(0.5 * angle);
  for (int k = 0; k < 3; ++k) away[k] *= distance;
  if (isfinite(camera->from[0]))
    for (int k = 0; k < 3; ++k) away[k] = camera->from[k] - middle[k];
  double c = mote_cos(FULL_TURN * part), s = mote_sin(FULL_TURN * part);
  camera->from[0] = middle[0] + c * away[0] + s * away[2];
  camera->from[1] = middle[1] + away[1];
  camera->from[2] = middle[2] - s * away[0] + c * away[2];
  memcpy(camera->to, middle, sizeof middle);
  camera->angle = angle;
}

static const char *title_of(const render_studio *studio) {
  if (studio->options->title != NULL) return studio->options->title;
  return studio->options->bare || studio->shots->scene == NULL ? NULL : studio->shots->scene->title;
}

static double time_of(const render_studio *studio) {
  return studio->options->bare ? (double)NAN : studio->take.time;
}

// --- By rays ---

static mote_render_spheres as_spheres(const render_studio *studio, const mote_colour *colour) {
  const render_take *take = &studio->take;
  mote_render_spheres balls = {.position = take->position,
                               .count = take->count,
                               .radius = 0.5 * studio->spacing,
                               .colour = colour,
                               .velocity = take->velocity,
                               .look = studio->look};
  if (take->G != NULL) balls.position = take->centre, balls.count = take->ellipsoids, balls.G = take->G;
  if (studio->look.kind == MOTE_LOOK_PUFF) {
    balls.radius = 1.5 * studio->spacing;
    balls.look.absorption[0] = (float)(0.35 * longest_side(studio) / studio->spacing);
  }
  return balls;
}

static const mote_texture *texture_of(const render_take *take) {
  return take->texture.images > 0 ? &take->texture : NULL;
}

// Colliders look as they say, bodies have the colour of their material.
static mote_look stage_look(const backdrop *stage, size_t k) {
  bool plain = stage->collider[k] == NULL || stage->collider[k]->look == MOTE_COLLIDER_MATTE;
  return plain ? render_look_painted(stage->mesh[k].colour) : mote_look_of_collider(stage->collider[k]);
}

static size_t gather_meshes(const render_studio *studio, const mote_colour *colour, float *const *velocity,
                            mote_render_mesh *out) {
  size_t count = 0;
  const render_take *take = &studio->take;
  if (take->meshed && take->surface.mesh.triangles > 0)
    out[count++] = (mote_render_mesh){.mesh = take->surface.mesh,
                                      .normal = take->surface.normal,
                                      .colour = colour,
                                      .texture = texture_of(take),
                                      .velocity = take->velocity,
                                      .look = studio->look,
                                      .liquid = take->position != NULL || take->ours,
                                      .wireframe = studio->options->wireframe};
  for (size_t k = 0; studio->staged && k < studio->stage.meshes; ++k) {
    const mote_preview_mesh *m = &studio->stage.mesh[k];
    if (m->mesh.triangles > 0)
      out[count++] = (mote_render_mesh){.mesh = m->mesh,
                                        .look = stage_look(&studio->stage, k),
                                        .vessel = true,
                                        .velocity = velocity != NULL ? velocity[k] : NULL,
                                        .pose = m->pose};
  }
  for (size_t k = 0; k < studio->withs; ++k)
    out[count++] = (mote_render_mesh){.mesh = studio->with[k].surface.mesh,
                                      .colour = studio->with[k].colour,
                                      .texture = texture_of(&studio->with[k]),
                                      .look = mote_look_matte(0.5F, 0.48F, 0.45F)};
  return count;
}

#define GROUND_OF_BACKDROP 0.6F  // a ground of so much of its colour looks like it in the sun
#define GROUND_LEAST 0.03F

static void set_light(const render_studio *studio, mote_render_def *def) {
  const render_options *o = studio->options;
  const mote_scene *scene = studio->shots->scene;
  if (!isnan(o->exposure)) def->exposure = o->exposure;
  double daylight = !isnan(o->daylight) ? o->daylight : scene != NULL ? scene->outputs.daylight : 1;
  def->sun_strength *= daylight, def->sky_strength *= daylight;
  if (studio->environment.light != NULL) def->environment = &studio->environment;
  def->environment_turn = FULL_TURN / 360 * o->environment_turn;
  if (!isnan(o->sun[0])) memcpy(def->sun, o->sun, sizeof def->sun);
  if (isnan(o->backdrop[0])) return;
  memcpy(def->backdrop, o->backdrop, sizeof def->backdrop);
  for (int k = 0; k < 3; ++k)
    def->ground_look.colour[k] = fmaxf(GROUND_LEAST, fminf(0.9F, GROUND_OF_BACKDROP * o->backdrop[k]));
}

static mote_render_def make_def(const render_studio *studio, mote_camera_def camera) {
  const render_options *o = studio->options;
  mote_render_def def = mote_render_def_default();
  if (o->width > 0) def.width = o->width, def.height = o->height;
  if (o->samples > 0) def.samples = o->samples;
  def.denoise = !o->no_denoise;
  def.camera = camera;
  def.depth = longest_side(studio);
  memcpy(def.low, studio->view_low, sizeof def.low);
  memcpy(def.high, studio->view_high, sizeof def.high);
  set_light(studio, &def);
  def.frame = render_frame_seconds(studio);
  if (!isnan(o->noise)) def.noise = o->noise;
  memcpy(def.cut, o->cut, sizeof def.cut);
  // The same in all frames; not in one plane with a tank's bottom.
  def.ground = o->no_ground ? (double)-INFINITY : studio->low[1] - 2e-3 * def.depth;
  return def;
}

static mote_result draw_by_rays(const render_studio *studio, const mote_render_def *def,
                                const mote_colour *colour, float *const *velocity, const render_foam *foam,
                                mote_image **out, mote_error *error) {
  const render_take *take = &studio->take;
  mote_render_scene scene = mote_render_scene_default();
  mote_render_mesh *mesh = input_take(studio->stage.meshes + studio->withs + 1, sizeof *mesh);
  mote_render_spheres balls[1 + MOTE_FOAM_KINDS] = {as_spheres(studio, colour)};
  scene.mesh = mesh, scene.meshes = gather_meshes(studio, colour, velocity, mesh);
  if (studio->shots->scene != NULL)
    scene.lamp = studio->shots->scene->lamp, scene.lamps = studio->shots->scene->lamps;
  scene.spheres = balls, scene.sphere_sets = !take->meshed && balls[0].count > 0 ? 1 : 0;
  for (size_t k = 0; k < foam->sets; ++k) balls[scene.sphere_sets++] = foam->set[k];
  memcpy(scene.low, studio->tank_low, sizeof scene.low);
  memcpy(scene.high, studio->tank_high, sizeof scene.high);
  scene.title = title_of(studio), scene.time = time_of(studio);
  if (take->value != NULL && render_take_positions(take) > 0 && !studio->options->bare)
    scene.shade = &studio->shade;
  mote_result result = mote_render_draw(def, &scene, &studio->env, out, error);
  free(mesh);
  return result;
}

// --- Quickly ---

static uint8_t encoded(double part) {
  double srgb = part <= 0.0031308 ? 12.92 * part : 1.055 * mote_pow(part, 1 / 2.4) - 0.055;
  return (uint8_t)(srgb <= 0 ? 0 : srgb >= 1 ? 255 : 255 * srgb + 0.5);
}

// One colour for a whole surface; liquids have that of a part of the scene's depth, or of 5 cm where their
// absorption has a depth of its own.
static mote_colour plain_colour(const mote_look *look) {
  double part[3], depth = look->depth > 0 ? 0.05 / (double)look->depth : 0.8;
  for (int k = 0; k < 3; ++k)
    part[k] = (double)look->colour[k] *
              (look->kind == MOTE_LOOK_GLASS ? mote_exp(-depth * (double)look->absorption[k]) : 1);
  return (mote_colour){encoded(part[0]), encoded(part[1]), encoded(part[2]), 255};
}

// What the plane cuts, as discs: the particles within half a spacing of it, seen along the axis.
static void cut_particles(const render_studio *studio, double *position, size_t *row, size_t *count) {
  APP_ASSERT(studio->options->section_axis >= 0 && studio->options->section_axis < 3);
  const render_take *take = &studio->take;
  static const int across[3] = {2, 0, 0}, up[3] = {1, 2, 1};
  int axis = studio->options->section_axis;
  *count = 0;
  for (size_t i = 0; i < take->count; ++i) {
    const double *x = take->position + 3 * i;
    if (fabs(x[axis] - studio->options->section_at) > 0.5 * studio->spacing) continue;
    double *y = position + 3 * *count;
    y[0] = x[across[axis]], y[1] = axis == 1 ? -x[up[axis]] : x[up[axis]], y[2] = 0;
    row[(*count)++] = i;
  }
}

static void flatten_box(int axis, const double low[3], const double high[3], double to_low[3],
                        double to_high[3]) {
  APP_ASSERT(axis >= 0 && axis < 3);
  static const int across[3] = {2, 0, 0}, up[3] = {1, 2, 1};
  double a[3] = {low[across[axis]], low[up[axis]], 0}, b[3] = {high[across[axis]], high[up[axis]], 0};
  if (axis == 1) a[1] = -high[2], b[1] = -low[2];
  memcpy(to_low, a, sizeof a);
  memcpy(to_high, b, sizeof b);
}

typedef struct cut_set {
  double *position;
  float *value;
  mote_colour *colour;
} cut_set;

static void apply_section(const render_studio *studio, mote_preview_def *def, mote_preview_scene *scene,
                          cut_set *set) {
  APP_ASSERT(studio->take.position != NULL || studio->take.count == 0);
  int axis = studio->options->section_axis;
  size_t capacity = studio->take.count, *row = input_take(capacity, sizeof *row), count;
  set->position = input_take(3 * capacity, sizeof *set->position);
  cut_particles(studio, set->position, row, &count);
  if (scene->value.data != NULL) {
    set->value = input_take(capacity, sizeof *set->value);
    for (size_t i = 0; i < count; ++i) set->value[i] = ((const float *)scene->value.data)[row[i]];
    scene->value.data = set->value, scene->value.count = count;
  }
  if (scene->colour != NULL) {
    set->colour = input_take(capacity, sizeof *set->colour);
    for (size_t i = 0; i < count; ++i) set->colour[i] = scene->colour[row[i]];
    scene->colour = set->colour;
  }
  scene->position = set->position, scene->count = count;
  scene->meshes = 0;
  def->flat = true;
  flatten_box(axis, studio->low, studio->high, def->low, def->high);
  flatten_box(axis, studio->tank_low, studio->tank_high, scene->low, scene->high);
  free(row);
}

// The mean colour of each triangle's corners; null: the vertices have none. To be freed.
static mote_colour *paint_triangles(const mote_mesh *mesh, const mote_colour *of_vertex) {
  if (of_vertex == NULL) return NULL;
  mote_colour *out = input_take(mesh->triangles + 1, sizeof *out);
  for (size_t t = 0; t < mesh->triangles; ++t) {
    int sum[3] = {0, 0, 0};
    for (size_t c = 0; c < 3; ++c) {
      mote_colour colour = of_vertex[mesh->triangle[3 * t + c]];
      sum[0] += colour.red, sum[1] += colour.green, sum[2] += colour.blue;
    }
    out[t] = (mote_colour){(uint8_t)(sum[0] / 3), (uint8_t)(sum[1] / 3), (uint8_t)(sum[2] / 3), 255};
  }
  return out;
}

static bool is_cut(const render_options *o) {
  return o->cut[0] != 0 || o->cut[1] != 0 || o->cut[2] != 0;
}

// To be freed by free_quick.
static mote_preview_mesh *gather_quick(const render_studio *studio, const mote_colour *colour,
                                       size_t *count) {
  const render_take *take = &studio->take;
  mote_preview_mesh *out = input_take(studio->stage.meshes + studio->withs + 1, sizeof *out);
  *count = 0;
  if (take->meshed)
    out[(*count)++] = (mote_preview_mesh){.mesh = take->surface.mesh,
                                          .colour = plain_colour(&studio->look),
                                          .of_triangle = paint_triangles(&take->surface.mesh, colour),
                                          .liquid = take->position != NULL || take->ours};
  for (size_t k = 0; k < studio->withs; ++k)
    out[(*count)++] = (mote_preview_mesh){
        .mesh = studio->with[k].surface.mesh,
        .colour = {190, 186, 180, 255},
        .of_triangle = paint_triangles(&studio->with[k].surface.mesh, studio->with[k].colour)};
  for (size_t k = 0; studio->staged && k < studio->stage.meshes; ++k) {
    out[*count] = studio->stage.mesh[k];
    if (is_cut(studio->options)) out[*count].colour.alpha = 255;  // the cut looks into vessels
    ++*count;
  }
  return out;
}

// What gather_quick has painted comes first.
static void free_quick(const render_studio *studio, mote_preview_mesh *mesh) {
  size_t painted = studio->withs + (studio->take.meshed ? 1 : 0);
  for (size_t k = 0; k < painted; ++k) {
    mote_colour *own;
    memcpy(&own, &mesh[k].of_triangle, sizeof own);
    free(own);
  }
  free(mesh);
}

static mote_result draw_quickly(const render_studio *studio, mote_camera_def camera,
                                const mote_colour *colour, mote_image **out, mote_error *error) {
  const render_options *o = studio->options;
  const render_take *take = &studio->take;
  mote_preview_def def = mote_preview_def_default();
  mote_preview_scene scene = mote_preview_scene_default();
  mote_preview_mesh *mesh = gather_quick(studio, colour, &scene.meshes);
  cut_set set = {NULL, NULL, NULL};
  if (o->width > 0) def.width = o->width, def.height = o->height;
  def.camera = camera, def.flat = studio->flat, def.shade = studio->shade;
  def.shade.bar = !o->bare;
  memcpy(def.low, studio->flat ? studio->low : studio->view_low, sizeof def.low);
  memcpy(def.high, studio->flat ? studio->high : studio->view_high, sizeof def.high);
  bool endless = studio->followed != NULL && !isfinite(studio->shots->scene->world.low[1]);
  def.ground = o->no_ground || endless ? (double)-INFINITY : studio->low[1];
  if (studio->followed != NULL) render_view_at(studio, take->time, def.low, def.high);
  memcpy(def.cut, o->cut, sizeof def.cut);
  scene.mesh = mesh;
  if (!take->meshed) scene.position = take->position, scene.count = take->count;
  scene.radius = 0.5 * studio->spacing;
  if (take->value != NULL && render_take_positions(take) > 0)  // of a mesh none but the bar is drawn by them
    scene.value =
        (mote_field_view){studio->values.name, take->unit, MOTE_TYPE_F32, 1, scene.count, take->value};
  else if (!take->meshed)
    scene.colour = colour;
  memcpy(scene.low, studio->tank_low, sizeof scene.low);
  memcpy(scene.high, studio->tank_high, sizeof scene.high);
  scene.title = title_of(studio), scene.time = time_of(studio);
  if (studio->as == RENDER_SECTION) apply_section(studio, &def, &scene, &set);
  mote_result result = mote_preview_draw(&def, &scene, &studio->env, out, error);
  free_quick(studio, mesh);
  free(set.position), free(set.value), free(set.colour);
  return result;
}

// --- A frame ---

int render_frame(render_studio *studio, size_t k, size_t n, bool (*progress)(void *, double), void *user,
                 mote_image **out) {
  APP_ASSERT(k < n && studio->shots->count > 0);
  mote_error error;
  size_t shots = studio->shots->count;
  const render_shot *shot = &studio->shots->shot[k < shots ? k : shots - 1];
  render_foam foam;
  int status = read_frame(studio, shot);
  if (status == EXIT_DONE) status = render_foam_read(studio, shot, &foam);
  if (status != EXIT_DONE) return status;
  double time = isnan(studio->take.time) ? 0 : studio->take.time;
  if (studio->staged) backdrop_set(&studio->stage, time);
  if (studio->staged &&
      !backdrop_read_bodies(&studio->stage, &studio->bodies, studio->shots->directory, time)) {
    render_foam_free(&foam);
    return EXIT_FAILED;
  }
  mote_colour *colour = render_colours(studio);
  mote_camera_def camera = studio->camera;
  if (studio->options->turntable > 0) turn_camera(studio, (double)k / (double)n, &camera);
  mote_render_def def = make_def(studio, camera);
  def.progress = progress, def.progress_user = user;
  float **velocity = def.camera.shutter > 0 && studio->staged ? render_motion_make(studio, time) : NULL;
  mote_result result = studio->quick ? draw_quickly(studio, camera, colour, out, &error)
                                     : draw_by_rays(studio, &def, colour, velocity, &foam, out, &error);
  render_motion_free(studio, velocity);
  render_foam_free(&foam);
  free(colour);
  if (result == MOTE_OK) return EXIT_DONE;
  return strcmp(error.text, "stopped") == 0 ? EXIT_INTERRUPTED : complain_error(&error);
}
