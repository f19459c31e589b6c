// Bodies: a shape filled with particles, outside of colliders and without overlap with other bodies.
#include <math.h>
#include <string.h>

#include "kinds/elastic/elastic_bodies.h"
#include "kinds/fluid/spawn.h"
#include "kinds/lattice/lattice_bodies.h"
#include "kinds/rigid/rigid_bodies.h"
#include "matter/bodies.h"
#include "matter/carve.h"
#include "matter/first_velocity.h"
#include "matter/items.h"
#include "matter/overlap.h"
#include "matter/world_heat.h"
#include "scene/def_check.h"
#include "state/definition_hash.h"
#include "things/quantity.h"

// --- Velocities
// -----------------------------------------------------------------------------------------------

// Writes positions and velocities; *speed: the largest.
static mote_result place_particles(mote_world *world, const mote_first_velocity *v, const double *position,
                                   size_t first, size_t count, double *speed, mote_error *error) {
  mote_store *store = mote_world_store(world);
  double *x = mote_store_f64(store, MOTE_PARTICLE_POSITION) + 3 * first;
  float *u = mote_store_f32(store, MOTE_PARTICLE_VELOCITY) + 3 * first;
  *speed = 0.0;
  for (size_t i = 0; i < count; ++i) {
    double start[3];
    memcpy(x + 3 * i, position + 3 * i, 3 * sizeof *x);
    mote_first_velocity_at(v, x + 3 * i, world->def.dimensions, start);
    for (int a = 0; a < 3; ++a) u[3 * i + a] = (float)start[a];
    mote_domain_wrap(&world->domain, x + 3 * i);
    double a = (double)u[3 * i], b = (double)u[3 * i + 1], c = (double)u[3 * i + 2];
    double own = sqrt(a * a + b * b + c * c);
    if (!(own <= 1e30)) {
      return mote_fail_key(error, "velocity", "at (%g, %g, %g) the velocity is (%g, %g, %g)", x[3 * i],
                           x[3 * i + 1], x[3 * i + 2], a, b, c);
    }
    if (own > *speed) *speed = own;
  }
  return MOTE_OK;
}

// --- Pressures
// ------------------------------------------------------------------------------------------------

static mote_result place_pressures(mote_world *world, const mote_body_def *def, uint32_t material,
                                   size_t first, size_t count, mote_error *error) {
  mote_store *store = mote_world_store(world);
  const size_t *rows = store->block[material].first;
  const double *x = mote_store_f64(store, MOTE_PARTICLE_POSITION) + 3 * first;
  float *p = mote_store_f32(store, MOTE_PARTICLE_PRESSURE) + (first - rows[0] + rows[MOTE_GROUP_FLUID]);
  mote_quantity pressure = {0};
  MOTE_TRY(mote_quantity_make(&def->pressure, "x y z", "pressure", &world->env, &pressure, error));
  mote_result result = MOTE_OK;
  for (size_t i = 0; i < count && result == MOTE_OK; ++i) {
    p[i] = (float)mote_quantity_at(&pressure, x + 3 * i);
    if (isfinite(p[i])) continue;
    result = mote_fail_key(error, "pressure", "at (%g, %g, %g) it is %g", x[3 * i], x[3 * i + 1],
                           x[3 * i + 2], (double)p[i]);
  }
  mote_quantity_free(&pressure);
  return result;
}

// --- The whole
// ------------------------------------------------------------------------------------------------

static mote_result fill_world(mote_world *world, const mote_body_def *def, mote_body_item *item,
                              const mote_samples *samples, size_t count, mote_error *error) {
  mote_first_velocity v = {0};
  mote_store *store = mote_world_store(world);
  size_t first, old = store->block[item->material].count;
  uint64_t next_id = store->next_id;
  uint32_t number;
  mote_result result = mote_first_velocity_make(def, samples->position, count, &world->env, &v, error);
  if (result == MOTE_OK) {
    result = mote_spawn(world, item->material, item->id + 1, samples->volume[0], count, &first, error);
  }
  if (result == MOTE_OK) {
    result = place_particles(world, &v, samples->position, first, count, &item->speed, error);
  }
  if (result == MOTE_OK) result = place_pressures(world, def, item->material, first, count, error);
  if (result == MOTE_OK) {
    const mote_material_def *material = &mote_material_at(world, item->material)->def;
    result = mote_heat_start(world, material, &def->temperature, first, count, error);
  }
  if (result == MOTE_OK) result = mote_items_add(world, MOTE_ITEM_BODY, item, &number, error);
  if (result != MOTE_OK) {
    (void)mote_store_resize(store, item->material, old, NULL);  // to fewer rows: cannot fail
    store->next_id = next_id;
  }
  mote_first_velocity_free(&v);
  return result;
}

static mote_result make_body(mote_world *world, const mote_body_def *def, mote_body_item *item,
                             mote_error *error) {
  const mote_world_def *w = &world->def;
  MOTE_TRY(mote_elastic_check_fluid(world, error));
  mote_result result = mote_shape_create(&def->shape, w->dimensions, &world->env, &item->shape, error);
  if (result != MOTE_OK) return mote_fail_within(error, result, "shape");
  size_t most = w->particles_max - mote_world_fluid_rows(world);
  mote_samples samples = {0};
  result = mote_shape_fill(item->shape, w->spacing, def->fill, w->seed, most, &world->env, &samples, error);
  if (result != MOTE_OK) return mote_fail_within(error, result, "shape");
  mote_arena_mark mark = mote_arena_here(&world->scratch);
  size_t kept;
  result = mote_cut_samples(world, item->shape, &samples, &kept, error);
  if (result == MOTE_OK) {
    result = mote_overlap_check(world, def->name, item->shape, samples.position, kept, false, error);
  }
  if (result == MOTE_OK) result = fill_world(world, def, item, &samples, kept, error);
  mote_arena_release(&world->scratch, mark);
  mote_samples_free(&samples, &world->env);
  return result;
}

mote_result mote_world_add_body(mote_world *world, const mote_body_def *def, mote_body *out,
                                mote_error *error) {
  if (world == NULL || def == NULL) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "adding needs a world and a definition");
  }
  MOTE_TRY(mote_body_def_check(def, &world->env, error));
  MOTE_TRY(mote_body_def_check_heat(def, world->def.heat, error));
  MOTE_TRY(mote_items_expect(world, MOTE_ITEM_BODY, def->name, error));
  if (mote_world_steps(world) > 0 && (def->pressure.formula != NULL || def->pressure.constant != 0.0)) {
    return mote_fail_key(error, "pressure", "only bodies that are there before the first step have one");
  }
  size_t material = mote_items_find(world, MOTE_ITEM_MATERIAL, def->material);
  if (material == mote_world_items(world, MOTE_ITEM_MATERIAL)) {
    return mote_fail_key(error, "material", "there is no material \"%.31s\"", def->material);
  }
  const mote_material_def *of = &mote_material_at(world, material)->def;
  MOTE_TRY(mote_body_def_check_model(def, of, world->def.dimensions, error));
  mote_body_item item = {.name = def->name, .material = (uint32_t)material};
  mote_result (*const make[MOTE_KINDS])(mote_world *, const mote_body_def *, mote_body_item *,
                                        mote_error *) = {
      [MOTE_KIND_FLUID] = make_body,
      [MOTE_KIND_RIGID] = mote_rigid_body_make,
      [MOTE_KIND_ELASTIC] = mote_elastic_body_make,
      [MOTE_KIND_LATTICE] = mote_lattice_body_make,
  };
  static const mote_kind kind[MOTE_KINDS] = {
      [MOTE_KIND_FLUID] = MOTE_KIND_FLUID,
      [MOTE_KIND_RIGID] = MOTE_KIND_RIGID,
      [MOTE_KIND_ELASTIC] = MOTE_KIND_ELASTIC,
      [MOTE_KIND_LATTICE] = MOTE_KIND_LATTICE,
  };
  mote_kind model = mote_body_starts_molten(world, &def->temperature, of) ? MOTE_KIND_FLUID : of->model;
  mote_body_birth birth = {.kind = kind[model],
                           .origin = MOTE_ORIGIN_BODY,
                           .material = item.material,
                           .definition = (uint32_t)mote_world_items(world, MOTE_ITEM_BODY)};
  MOTE_TRY(mote_bodies_add(world, &birth, &item.id, error));
  mote_result result = make[model](world, def, &item, error);
  if (result != MOTE_OK) {
    mote_shape_destroy(item.shape);
    mote_bodies_undo(world, item.id);
    return result;
  }
  world->definitions = mote_definition_hash(world->definitions, "body", def->name, def);
  world->ready = world->measured = world->has_frame = false;
  mote_body_place place = {birth.kind, mote_bodies_of(world, birth.kind) - 1};
  if (out != NULL) *out = mote_bodies_handle(world, place);
  return MOTE_OK;
}
