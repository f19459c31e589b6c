// Whether a whole scene makes sense: each definition (def_check.h), its shape, its name among its kind, and
// what it refers to; then whether it can be run. Paths in error->key are those of the scene file.
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "scene/def_check.h"
#include "scene/def_table.h"
#include "scene/kind_properties.h"

typedef struct checker {
  const mote_scene *scene;
  mote_env env;
  mote_error *error;        // the newest
  mote_error_list *errors;  // of definitions
  bool world_is_right, materials_are_right;
  double particles;  // estimated so far
} checker;

// Lists an error, so that the other definitions are checked, too; MEMORY comes back.
static mote_result keep_error(checker *c, mote_result result) {
  if (result == MOTE_OK || result == MOTE_ERROR_MEMORY) return result;
  mote_error_list_add(c->errors, c->error);
  return MOTE_OK;
}

// --- Lists ------------------------------------------------------------------------------------------------

// Definitions begin with their names.
static const char *name_at(const void *list, size_t size, size_t k) {
  const char *name;
  memcpy(&name, (const char *)list + k * size, sizeof name);
  return name;
}

typedef mote_result check_fn(checker *c, size_t k);

// Names of a list that were seen, in a table of at least twice their number: numbers of definitions + 1, or
// 0.
typedef struct seen_names {
  uint32_t *slot;
  size_t slots;
} seen_names;

// Adds the k-th name; false: it is there already.
static bool add_name(const seen_names *seen, const void *items, size_t size, size_t k) {
  const char *name = name_at(items, size, k);
  size_t at = mote_hash_bytes(0, name, strlen(name)) & (seen->slots - 1);
  for (; seen->slot[at] != 0; at = (at + 1) & (seen->slots - 1))
    if (strcmp(name, name_at(items, size, seen->slot[at] - 1)) == 0) return false;
  seen->slot[at] = (uint32_t)(k + 1);
  return true;
}

// Checks the k-th definitions of a list one by one, and that each name is there once.
static mote_result check_list(checker *c, const char *list, const void *items, size_t size, size_t count,
                              check_fn *check) {
  seen_names seen = {.slots = 2};
  mote_result result = MOTE_OK;
  while (seen.slots < 2 * count) seen.slots *= 2;
  MOTE_ALLOC(seen.slot, &c->env, seen.slots, c->error);
  memset(seen.slot, 0, seen.slots * sizeof *seen.slot);
  for (size_t k = 0; k < count && result == MOTE_OK; ++k) {
    const char *name = name_at(items, size, k);
    result = check(c, k);
    if (result == MOTE_OK && !add_name(&seen, items, size, k))
      result = mote_fail_key(c->error, "name", "\"%s\" is there twice", name);
    result = keep_error(c, mote_fail_in_list(c->error, result, list, name, k));
  }
  mote_free(&c->env, seen.slot, seen.slots, sizeof *seen.slot);
  return result;
}

static mote_result check_material(const checker *c, const mote_material_def *def, mote_error *error) {
  MOTE_TRY(mote_material_def_check(def, error));
  MOTE_TRY(mote_material_def_check_heat(def, c->scene->world.heat, error));
  return mote_material_def_check_solver(def, &c->scene->world.solver, error);
}

// Null: it is wrong, which has been listed.
static mote_result find_material(const checker *c, const char *name, const mote_material_def **out) {
  for (size_t k = 0; k < c->scene->materials; ++k) {
    const mote_material_def *def = &c->scene->material[k];
    if (def->name == NULL || strcmp(def->name, name) != 0) continue;
    *out = c->materials_are_right || check_material(c, def, NULL) == MOTE_OK ? def : NULL;
    return MOTE_OK;
  }
  return mote_fail_key(c->error, "material", "there is no material \"%.31s\"", name);
}

// --- Shapes -----------------------------------------------------------------------------------------------

static mote_result make_shape(checker *c, const mote_shape_def *def, mote_shape **out) {
  mote_result result = mote_shape_create(def, c->scene->world.dimensions, &c->env, out, c->error);
  return mote_fail_within(c->error, result, "shape");
}

static mote_result check_shape(checker *c, const mote_shape_def *def) {
  mote_shape *shape;
  MOTE_TRY(make_shape(c, def, &shape));
  mote_shape_destroy(shape);
  return MOTE_OK;
}

// Of a domain that is wrong itself nothing is said.
static mote_result check_fill(checker *c, const mote_body_def *def, const mote_material_def *material,
                              const mote_shape *shape) {
  const mote_world_def *world = &c->scene->world;
  if (!c->world_is_right) return MOTE_OK;
  double low[3], high[3];
  mote_shape_bounds(shape, low, high);
  for (int a = 0; a < world->dimensions; ++a) {
    if (!isfinite(low[a]) || !isfinite(high[a])) {
      return mote_fail_key(c->error, "shape", "a body must be finite; this one fills half the world");
    }
    if (world->side[a][0] == MOTE_SIDE_PERIODIC) continue;
    if (low[a] >= world->high[a] || high[a] <= world->low[a]) {
      return mote_fail_key(c->error, "shape", "the body lies outside of the domain");
    }
  }
  bool filled = mote_material_properties(material)->is_filled;
  double most = 1.5 * (double)world->particles_max;
  if (!filled || c->particles > most) return MOTE_OK;  // said of the first body that is too much
  c->particles += mote_body_def_particles(def, material, world, shape);
  if (c->particles <= most) return MOTE_OK;
  return mote_fail_key(c->error, "shape", "about %.3g particles would be needed; %zu are allowed",
                       c->particles, world->particles_max);
}

// --- Each kind --------------------------------------------------------------------------------------------

static mote_result check_material_at(checker *c, size_t k) {
  return check_material(c, &c->scene->material[k], c->error);
}

static mote_result check_body(checker *c, size_t k) {
  const mote_body_def *def = &c->scene->body[k];
  MOTE_TRY(mote_body_def_check(def, &c->env, c->error));
  MOTE_TRY(mote_body_def_check_heat(def, c->scene->world.heat, c->error));
  const mote_material_def *material;
  MOTE_TRY(find_material(c, def->material, &material));
  if (material == NULL) return MOTE_OK;
  MOTE_TRY(mote_body_def_check_model(def, material, c->scene->world.dimensions, c->error));
  mote_shape *shape;
  MOTE_TRY(make_shape(c, &def->shape, &shape));
  mote_result result = check_fill(c, def, material, shape);
  mote_shape_destroy(shape);
  return result;
}

static mote_result check_collider(checker *c, size_t k) {
  const mote_collider_def *def = &c->scene->collider[k];
  MOTE_TRY(mote_collider_def_check(def, &c->env, c->error));
  MOTE_TRY(mote_temperature_check(&def->temperature, "temperature", c->scene->world.heat, c->error));
  return check_shape(c, &def->shape);
}

static mote_result check_emitter(checker *c, size_t k) {
  const mote_emitter_def *def = &c->scene->emitter[k];
  MOTE_TRY(mote_emitter_def_check(def, c->scene->world.dimensions, &c->env, c->error));
  MOTE_TRY(mote_emitter_def_check_heat(def, c->scene->world.heat, c->error));
  const mote_material_def *material;
  MOTE_TRY(find_material(c, def->material, &material));
  if (material == NULL) return MOTE_OK;
  bool melts = c->scene->world.heat && mote_material_properties(material)->is_lattice;
  if (mote_material_properties(material)->flows || melts) return MOTE_OK;
  return mote_fail_key(c->error, "material", "\"%.31s\" does not flow", def->material);
}

static mote_result check_drain(checker *c, size_t k) {
  MOTE_TRY(mote_drain_def_check(&c->scene->drain[k], c->error));
  return check_shape(c, &c->scene->drain[k].shape);
}

static mote_result check_force(checker *c, size_t k) {
  const mote_force_def *def = &c->scene->force[k];
  MOTE_TRY(mote_force_def_check(def, &c->env, c->error));
  MOTE_TRY(mote_force_def_check_heat(def, c->scene->world.heat, c->error));
  return def->shape.kind == MOTE_SHAPE_NONE ? MOTE_OK : check_shape(c, &def->shape);
}

static mote_result check_probe(checker *c, size_t k) {
  return mote_probe_def_check(&c->scene->probe[k], c->scene->world.dimensions, c->error);
}

static mote_result check_lamp(checker *c, size_t k) {
  return mote_lamp_def_check(&c->scene->lamp[k], c->error);
}

// --- The whole --------------------------------------------------------------------------------------------

static mote_result check_surface(const mote_surface_output_def *def, int dimensions, mote_error *error) {
  if (!def->on) return MOTE_OK;
  static const char *const flat[] = {"vtp", "csv", "svg", "png"};
  if (dimensions == 1) return mote_fail_key(error, "outputs.surface", "there are no surfaces in 1D");
  if (dimensions == 2 && def->phases == MOTE_PHASES_APART)
    return mote_fail_key(error, "outputs.surface.phases", "contours of solid and liquid are not apart in 2D");
  if (def->def.method == MOTE_SURFACE_TRACKED && def->phases == MOTE_PHASES_TOGETHER)
    return mote_fail_key(error, "outputs.surface.phases", "a tracked surface is that of fluids alone");
  for (size_t k = 0; k < def->formats; ++k) {
    bool contour = false;
    for (size_t f = 0; f < 4; ++f) contour = contour || strcmp(def->format[k], flat[f]) == 0;
    bool both = strcmp(def->format[k], "vtp") == 0;
    if (!both && contour != (dimensions == 2))
      return mote_fail_key(error, "outputs.surface.formats", "\"%s\" does not hold %s", def->format[k],
                           dimensions == 2 ? "contours (vtp, csv, svg, png)"
                                           : "surfaces (vtp, ply, glb, usda, bgeo, obj, stl)");
  }
  return MOTE_OK;
}

static mote_result check_lists(checker *c) {
  const mote_scene *s = c->scene;
  MOTE_TRY(check_list(c, "materials", s->material, sizeof *s->material, s->materials, check_material_at));
  c->materials_are_right = c->errors->count == 0;
  MOTE_TRY(check_list(c, "bodies", s->body, sizeof *s->body, s->bodies, check_body));
  MOTE_TRY(check_list(c, "colliders", s->collider, sizeof *s->collider, s->colliders, check_collider));
  MOTE_TRY(check_list(c, "emitters", s->emitter, sizeof *s->emitter, s->emitters, check_emitter));
  MOTE_TRY(check_list(c, "drains", s->drain, sizeof *s->drain, s->drains, check_drain));
  MOTE_TRY(check_list(c, "forces", s->force, sizeof *s->force, s->forces, check_force));
  MOTE_TRY(check_list(c, "probes", s->probe, sizeof *s->probe, s->probes, check_probe));
  return check_list(c, "lamps", s->lamp, sizeof *s->lamp, s->lamps, check_lamp);
}

static mote_result check_all(checker *c) {
  const mote_world_def *world = &c->scene->world;
  MOTE_TRY(mote_section_check("scene", c->scene, &c->env, c->error));
  mote_result result = mote_world_def_check_whole(world, c->error);
  c->world_is_right = result == MOTE_OK;
  MOTE_TRY(keep_error(c, result));
  MOTE_TRY(check_lists(c));
  return keep_error(c, check_surface(&c->scene->outputs.surface, world->dimensions, c->error));
}

mote_result mote_scene_check_all(const mote_scene *scene, const mote_env *env, mote_error_list *errors) {
  mote_error error = {0};
  mote_error_list local;
  if (errors == NULL) errors = &local;
  errors->count = 0;
  checker c = {.scene = scene, .env = mote_env_resolve(env), .error = &error, .errors = errors};
  mote_result result =
      scene == NULL ? mote_fail(&error, MOTE_ERROR_ARGUMENT, "scene must not be NULL") : check_all(&c);
  if (result == MOTE_ERROR_MEMORY) errors->count = 0;
  if (result != MOTE_OK) mote_error_list_add(errors, &error);
  return errors->count > 0 ? errors->error[0].code : MOTE_OK;
}

mote_result mote_scene_check(const mote_scene *scene, const mote_env *env, mote_error *error) {
  mote_error_list errors;
  mote_result result = mote_scene_check_all(scene, env, &errors);
  if (result != MOTE_OK && error != NULL) *error = errors.error[0];
  return result;
}
