// Creation of fluid bodies: a shape filled with particles, cut out of solids, clear of other bodies.
#include <math.h>
#include <string.h>

#include "kinds/fluid/fluid_kind.h"
#include "kinds/fluid/settle.h"
#include "kinds/fluid/spawn.h"
#include "matter/carve.h"
#include "matter/first_velocity.h"
#include "matter/isolated.h"
#include "matter/items.h"
#include "matter/overlap.h"
#include "matter/world_heat.h"
#include "search/domain.h"
#include "things/quantity.h"

// --- Velocities ---------------------------------------------------------------------------------------

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

// --- Pressures -----------------------------------------------------------------------------------------

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

// --- The whole -----------------------------------------------------------------------------------------

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

// The samples of the shape that are not cut off come first.
static mote_result fill(mote_world *world, const mote_shape *shape, mote_fill_kind kind,
                        mote_samples *samples, size_t *kept, mote_error *error) {
  const mote_world_def *w = &world->def;
  size_t most = w->particles_max - mote_world_fluid_rows(world);
  mote_result result = mote_shape_fill(shape, w->spacing, kind, w->seed, most, &world->env, samples, error);
  if (result != MOTE_OK) return mote_fail_within(error, result, "shape");
  return mote_cut_samples(world, shape, samples, kept, error);
}

// fill: auto.
static mote_result fill_automatically(mote_world *world, const mote_shape *shape, mote_samples *samples,
                                      size_t *kept, mote_error *error) {
  bool isolated = false;
  MOTE_TRY(fill(world, shape, MOTE_FILL_CUBIC, samples, kept, error));
  if (*kept > 1) MOTE_TRY(mote_body_is_isolated(world, shape, samples->position, *kept, &isolated, error));
  if (!isolated) return MOTE_OK;  // a lone particle is in its place
  mote_samples_free(samples, &world->env);
  MOTE_TRY(fill(world, shape, MOTE_FILL_RELAXED, samples, kept, error));
  return mote_settle_samples(world, samples, *kept, error);
}

mote_result mote_fluid_body_make(mote_world *world, const mote_body_def *def, mote_body_item *item,
                                 mote_error *error) {
  MOTE_TRY(mote_kinds_allow_fluid(world, error));
  mote_result result =
      mote_shape_create(&def->shape, world->def.dimensions, &world->env, &item->shape, error);
  if (result != MOTE_OK) return mote_fail_within(error, result, "shape");
  mote_samples samples = {0};
  mote_arena_mark mark = mote_arena_here(&world->scratch);
  size_t kept = 0;
  result = def->fill == MOTE_FILL_AUTO ? fill_automatically(world, item->shape, &samples, &kept, error)
                                       : fill(world, item->shape, def->fill, &samples, &kept, error);
  if (result == MOTE_OK) {
    result = mote_overlap_check(world, def->name, item->shape, samples.position, kept, false, error);
  }
  if (result == MOTE_OK) result = fill_world(world, def, item, &samples, kept, error);
  mote_arena_release(&world->scratch, mark);
  mote_samples_free(&samples, &world->env);
  return result;
}
