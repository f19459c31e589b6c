// What of a scene is seen besides its particles: see backdrop.h.
#include "cli/bodies/backdrop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"
#include "cli/base/paths.h"
#include "cli/base/scene_kinds.h"
#include "cli/bodies/vessel.h"

#define COLLIDER_CELLS 64  // along its longest side
#define SEE_THROUGH 76  // alpha of vessels: their outer and inner side together let half of the light through

// --- What is seen ---

static void include_shape(const mote_shape_def *def, int dimensions, double low[3], double high[3]) {
  mote_shape_def filled = *def;
  mote_shape *shape;
  filled.inverted = false;  // a container shows what is inside
  if (mote_shape_create(&filled, dimensions, NULL, &shape, NULL) != MOTE_OK) return;
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

// --- Colliders ---

static uint8_t to_byte(double part) {
  return (uint8_t)(part <= 0 ? 0 : part >= 1 ? 255 : 255 * part + 0.5);
}

mote_colour backdrop_colour(const double rgb[3]) {
  return (mote_colour){to_byte(rgb[0]), to_byte(rgb[1]), to_byte(rgb[2]), 255};
}

static const char *material_name(const mote_scene *scene, uint32_t body) {
  if (body >= 1 && body <= scene->bodies) return scene->body[body - 1].material;
  size_t emitter = body - 1 - scene->bodies;
  return body >= 1 && emitter < scene->emitters ? scene->emitter[emitter].material : NULL;
}

const mote_material_def *backdrop_material(const mote_scene *scene, uint32_t body) {
  const char *name = material_name(scene, body);
  return name != NULL ? scene_material(scene, name) : NULL;
}

// The part of the collider that is drawn: all of it, or what of an infinite one is near.
static void find_extent(const mote_shape *shape, const backdrop *stage, int cells, double low[3],
                        double high[3]) {
  APP_ASSERT(cells > 0);
  double longest = 0;
  mote_shape_bounds(shape, low, high);
  for (int k = 0; k < 3; ++k) {
    if (!isfinite(low[k])) low[k] = stage->low[k];
    if (!isfinite(high[k])) high[k] = stage->high[k];
    longest = fmax(longest, high[k] - low[k]);
  }
  for (int k = 0; k < 3; ++k) {  // room for its surface
    low[k] -= 2 * longest / cells, high[k] += 2 * longest / cells;
  }
}

// A mesh is drawn by its own triangles: sampled anew it would be pitted. To be freed with mote_mesh_free.
static mote_result copy_mesh(const mote_mesh *from, const mote_env *env, mote_mesh *out, mote_error *error) {
  size_t vertices = 3 * from->vertices * sizeof *from->vertex,
         triangles = 3 * from->triangles * sizeof *from->triangle;
  *out = (mote_mesh){.vertices = from->vertices, .triangles = from->triangles};
  out->vertex = env->resize(env->resize_user, NULL, 0, vertices);
  out->triangle = env->resize(env->resize_user, NULL, 0, triangles);
  if (out->vertex == NULL || out->triangle == NULL) {
    mote_mesh_free(out, env);
    *error = (mote_error){.code = MOTE_ERROR_MEMORY, .text = "out of memory for pictures"};
    return MOTE_ERROR_MEMORY;
  }
  memcpy(out->vertex, from->vertex, vertices);
  memcpy(out->triangle, from->triangle, triangles);
  return MOTE_OK;
}

static bool add_collider(backdrop *stage, const mote_collider_def *def, int cells) {
  APP_ASSERT(stage->meshes < stage->scene->colliders);
  mote_error error;
  mote_shape *shape;
  mote_preview_mesh *mesh = &stage->mesh[stage->meshes];
  int dimensions = stage->scene->world.dimensions;
  if (mote_shape_create(&def->shape, dimensions, &stage->env, &shape, &error) != MOTE_OK) {
    return complain_error(&error), false;
  }
  double low[3], high[3];
  find_extent(shape, stage, cells, low, high);
  const mote_mesh *own = mote_shape_mesh(shape);
  mote_result result = own != NULL ? copy_mesh(own, &stage->env, &mesh->mesh, &error)
                                   : mote_shape_triangles(shape, dimensions, low, high, cells, &stage->env,
                                                          &mesh->mesh, &error);
  mote_shape_destroy(shape);
  if (result != MOTE_OK) return complain_error(&error), false;
  mesh->colour = backdrop_colour(def->colour);
  if (dimensions == 3 && (def->look == MOTE_COLLIDER_GLASS || mesh_is_vessel(&mesh->mesh)))
    mesh->colour.alpha = SEE_THROUGH;
  ++stage->meshes;
  return true;
}

static bool add_bodies(backdrop *stage, const mote_scene *scene) {
  stage->body = body_meshes_open(scene->world.dimensions, scene->bodies, &stage->env);
  stage->body.whole = true;
  for (size_t b = 0; b < scene->bodies; ++b) {
    const mote_body_def *def = &scene->body[b];
    if (!body_is(scene, def, material_is_rigid)) continue;
    mote_preview_mesh *mesh = &stage->mesh[stage->meshes];
    double *reference = stage->reference[stage->bodies];
    if (!body_meshes_make(&stage->body, def, &mesh->mesh, reference)) return false;
    memcpy(stage->place[stage->bodies].position, reference, 3 * sizeof *reference);
    stage->place[stage->bodies++].orientation[0] = 1;
    mesh->colour = backdrop_colour(scene_material(scene, def->material)->colour);
    stage->body_def[stage->bodies - 1] = def;
    ++stage->meshes;
  }
  return true;
}

static bool add_skins(backdrop *stage, const mote_scene *scene) {
  if (!elastic_skins_open(&stage->elastic, scene, &stage->env)) {
    elastic_skins_close(&stage->elastic);  // those that were made are not among the meshes
    return false;
  }
  for (size_t k = 0; k < stage->elastic.count; ++k) {
    mote_preview_mesh *mesh = &stage->mesh[stage->meshes++];
    mesh->mesh = stage->elastic.skin[k].mesh;
    mesh->colour = backdrop_colour(stage->elastic.skin[k].material->colour);
  }
  return true;
}

size_t backdrop_first_body(const backdrop *stage) {
  APP_ASSERT(stage->meshes >= stage->elastic.count + stage->bodies);
  return stage->meshes - stage->elastic.count - stage->bodies;
}

bool backdrop_open(backdrop *stage, const mote_scene *scene, const mote_env *env) {
  size_t capacity = scene->colliders + scene->bodies + 1;
  *stage = (backdrop){.scene = scene,
                      .env = *env,
                      .collider = calloc(capacity, sizeof *stage->collider),
                      .mesh = calloc(capacity, sizeof *stage->mesh),
                      .pose = calloc(capacity, sizeof *stage->pose),
                      .reference = calloc(capacity, sizeof *stage->reference),
                      .place = calloc(capacity, sizeof *stage->place),
                      .body_def = calloc(capacity, sizeof *stage->body_def),
                      .triangles = calloc(capacity, sizeof *stage->triangles)};
  if (stage->collider == NULL || stage->mesh == NULL || stage->pose == NULL || stage->reference == NULL ||
      stage->place == NULL || stage->body_def == NULL || stage->triangles == NULL) {
    return complain("out of memory for pictures"), false;
  }
  find_bounds(scene, stage->low, stage->high);
  for (size_t c = 0; c < scene->colliders; ++c) {
    const mote_collider_def *def = &scene->collider[c];
    if (!def->visible || def->shape.inverted) continue;
    stage->collider[stage->meshes] = def;
    if (!add_collider(stage, def, COLLIDER_CELLS)) return false;
  }
  if (!add_bodies(stage, scene) || !add_skins(stage, scene)) return false;
  for (size_t k = 0; k < stage->meshes; ++k) stage->triangles[k] = stage->mesh[k].mesh.triangles;
  backdrop_set(stage, 0.0);
  return true;
}

void backdrop_close(backdrop *stage) {
  size_t first = backdrop_first_body(stage);
  for (size_t k = 0; k < stage->meshes && stage->triangles != NULL; ++k)
    if (stage->triangles[k] > 0) stage->mesh[k].mesh.triangles = stage->triangles[k];
  for (size_t k = 0; k < first; ++k) mote_mesh_free(&stage->mesh[k].mesh, &stage->env);
  for (size_t k = first; k < first + stage->bodies; ++k) free(stage->mesh[k].mesh.vertex);
  elastic_skins_close(&stage->elastic);
  body_meshes_close(&stage->body);
  free(stage->command);
  mote_command_file_destroy(stage->file);
  free(stage->body_def), free(stage->triangles);
  free(stage->collider), free(stage->mesh), free(stage->pose), free(stage->reference), free(stage->place);
  *stage = (backdrop){0};
}

// Colliders that move are repeated over periodic sides: the image nearest to the middle of the domain.
static void fold_pose(const mote_world_def *def, const mote_mesh *mesh, mote_pose *pose) {
  double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  for (size_t v = 0; v < 3 * mesh->vertices; ++v) {
    low[v % 3] = fmin(low[v % 3], mesh->vertex[v]), high[v % 3] = fmax(high[v % 3], mesh->vertex[v]);
  }
  for (int a = 0; a < def->dimensions && mesh->vertices > 0; ++a) {
    if (def->side[a][0] != MOTE_SIDE_PERIODIC) continue;
    double at = pose->pivot[a] + pose->move[a], period = def->high[a] - def->low[a];
    for (int k = 0; k < 3; ++k) {
      at += pose->rotation[3 * a + k] * (0.5 * (low[k] + high[k]) - pose->pivot[k]);
    }
    pose->move[a] += period * floor((0.5 * (def->low[a] + def->high[a]) - at) / period + 0.5);
  }
}

void backdrop_place(const mote_pose *pose, const double v[3], double out[3]) {
  for (int k = 0; k < 3; ++k) {
    out[k] = pose == NULL ? v[k] : pose->pivot[k] + pose->move[k];
    for (int m = 0; pose != NULL && m < 3; ++m) out[k] += pose->rotation[3 * k + m] * (v[m] - pose->pivot[m]);
  }
}

bool motion_moves(const mote_motion_def *motion) {
  const mote_value *value[4] = {&motion->move.x, &motion->move.y, &motion->move.z, &motion->angle};
  bool any = motion->keys > 0;
  for (int k = 0; k < 4; ++k) any = any || value[k]->formula != NULL || value[k]->constant != 0.0;
  return any;
}

// --- Commands ---

bool backdrop_follow_commands(backdrop *stage, const mote_world *world) {
  size_t count = mote_world_commands(world);
  if (count == stage->commands) return true;
  mote_command *grown = realloc(stage->command, count * sizeof *grown);
  if (grown == NULL && count > 0) return complain("out of memory for pictures"), false;
  stage->command = grown, stage->commands = count;
  for (size_t k = 0; k < count; ++k) mote_world_command_at(world, k, &stage->command[k]);
  return true;
}

bool backdrop_read_commands(backdrop *stage, const char *directory) {
  APP_ASSERT(stage->file == NULL && stage->command == NULL);
  char path[PATH_CAPACITY];
  mote_error error;
  snprintf(path, sizeof path, "%s/commands.jsonl", directory);
  FILE *there = fopen(path, "rb");
  if (there == NULL) return true;
  fclose(there);
  if (mote_commands_read(path, &stage->env, &stage->file, &error) != MOTE_OK)
    return complain_error(&error), false;
  const mote_command *all = mote_command_file_commands(stage->file, &stage->commands);
  mote_command *own = malloc((stage->commands + 1) * sizeof *own);
  if (own == NULL) return complain("out of memory for pictures"), false;
  size_t done = 0;
  while (done < stage->commands && all[done].step != UINT64_MAX && !isnan(all[done].time))
    own[done] = all[done], ++done;  // what is still to come has not taken effect
  stage->command = own, stage->commands = done;
  return true;
}

static void set_collider(backdrop *stage, size_t k, double time) {
  APP_ASSERT(k < backdrop_first_body(stage) && stage->collider[k] != NULL);
  const mote_collider_def *def = stage->collider[k];
  bool there = true;
  mote_result result =
      mote_collider_def_pose_steered(def, stage->scene->world.dimensions, stage->command, stage->commands,
                                     time, &stage->env, &stage->pose[k], &there, NULL);
  stage->mesh[k].pose = result == MOTE_OK ? &stage->pose[k] : NULL;
  stage->mesh[k].mesh.triangles = there ? stage->triangles[k] : 0;
  if (result == MOTE_OK && (motion_moves(&def->motion) || stage->commands > 0))
    fold_pose(&stage->scene->world, &stage->mesh[k].mesh, &stage->pose[k]);
}

void backdrop_set(backdrop *stage, double time) {
  size_t first = backdrop_first_body(stage);
  for (size_t k = 0; k < first; ++k) set_collider(stage, k, time);
  for (size_t k = first; k < stage->meshes; ++k) {
    size_t b = k - first;
    const mote_body_def *def =
        b < stage->bodies ? stage->body_def[b] : stage->elastic.skin[b - stage->bodies].def;
    bool there = mote_body_def_there(def, stage->command, stage->commands, time);
    stage->mesh[k].mesh.triangles = there ? stage->triangles[k] : 0;
  }
}

// Meshes of bodies that can break are made when their particles are known.
static void take_skins(backdrop *stage) {
  size_t first = backdrop_first_body(stage) + stage->bodies;
  for (size_t k = 0; k < stage->elastic.count; ++k) {
    mote_mesh *mesh = &stage->mesh[first + k].mesh;
    bool removed = mesh->triangles < stage->triangles[first + k];
    *mesh = stage->elastic.skin[k].mesh;
    stage->triangles[first + k] = mesh->triangles;
    if (removed) mesh->triangles = 0;
  }
}

bool backdrop_set_bodies(backdrop *stage, const mote_world *world) {
  size_t first = backdrop_first_body(stage);
  size_t there = mote_world_rigid_bodies(world);
  for (size_t k = 0, row = 0; k < stage->bodies && row < there;
       ++k) {  // in the same order, but for removed ones
    mote_body_state state;
    mote_body_info about;
    mote_body body = mote_world_rigid_body(world, row);
    if (mote_world_body_about(world, body, &about, NULL) != MOTE_OK) continue;
    if (strcmp(about.name, stage->body_def[k]->name) != 0) continue;
    ++row;
    if (mote_world_body(world, body, &state, NULL) != MOTE_OK) continue;
    stage->pose[first + k] = state.pose;
    stage->mesh[first + k].pose = &stage->pose[first + k];
  }
  bool ok = elastic_skins_follow(&stage->elastic, world);
  take_skins(stage);
  return ok;
}

bool backdrop_read_bodies(backdrop *stage, body_table *table, const char *directory, double time) {
  size_t first = backdrop_first_body(stage);
  stage->elastic.command = stage->command, stage->elastic.commands = stage->commands;
  if (!elastic_skins_read(&stage->elastic, directory, time)) return false;
  take_skins(stage);
  if (table->file == NULL) return true;
  if (!body_table_read(table, time, stage->place, stage->bodies)) return false;
  for (size_t k = 0; k < stage->bodies; ++k) {
    const body_place *place = &stage->place[k];
    const double *hinge = stage->body_def[k]->hinge.point;
    bool at_hinge = memcmp(place->position, hinge, sizeof place->position) == 0;  // in tables before 0.1.0
    stage->pose[first + k] =
        body_pose(at_hinge ? hinge : stage->reference[k], place->position, place->orientation);
    stage->mesh[first + k].pose = &stage->pose[first + k];
  }
  return true;
}
