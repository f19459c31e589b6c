// What acts on elastic bodies from outside: gravity, force fields, loads. See elastic_bodies.h.
#include <math.h>

#include "geom/triple.h"
#include "world/elastic_bodies.h"

static double now(const mote_world *world) {
  return *mote_state_f64(&world->now, MOTE_WORLD_TIME);
}

// Fields add floats, as they do for fluids.
static mote_result add_fields(mote_world *world, double *acceleration, mote_error *error) {
  const mote_store *store = &world->now.store[MOTE_STATE_SOLIDS];
  size_t n = store->count[0], forces = mote_world_items(world, MOTE_ITEM_FORCE);
  if (forces == 0) return MOTE_OK;
  float *push = mote_arena_take(&world->scratch, 3 * n, sizeof *push);
  if (push == NULL) return mote_fail_memory(error, 3 * n * sizeof *push);
  for (size_t c = 0; c < 3 * n; ++c) push[c] = 0.0f;
  for (size_t f = 0; f < forces; ++f) {
    const mote_force_item *force = mote_force_at(world, f);
    if (!mote_field_force_acts(force->force, now(world))) continue;
    size_t bad = mote_field_force_add(force->force, now(world), n, mote_store_f64(store, MOTE_SOLID_POSITION),
                                      push, world->env.threads);
    if (bad == SIZE_MAX) continue;
    return mote_fail(error, MOTE_ERROR_NUMERIC, "force field \"%s\" at the place of elastic particle %zu: %g",
                     force->name, bad, (double)NAN);
  }
  for (size_t c = 0; c < 3 * n; ++c) acceleration[c] += (double)push[c];
  return MOTE_OK;
}

static mote_result add_loads(mote_world *world, size_t k, double *acceleration, mote_error *error) {
  const mote_soft_item *item = mote_soft_at(world, k);
  size_t n = item->elastic->count;
  double t = now(world);
  for (size_t l = 0; l < item->loads; ++l) {
    double a[3] = {0.0, 0.0, 0.0};
    for (int c = 0; c < world->def.dimensions; ++c) {
      a[c] = mote_quantity_at(&item->load[l].force[c], &t) / item->load[l].mass;
    }
    if (!finite3(a)) {
      return mote_fail(error, MOTE_ERROR_NUMERIC, "load %zu of body \"%s\": %g", l + 1, item->name,
                       (double)NAN);
    }
    for (size_t i = 0; i < n; ++i) {
      if (item->loaded[l * n + i] != 0) step3(acceleration + 3 * i, 1.0, a, acceleration + 3 * i);
    }
  }
  return MOTE_OK;
}

mote_result mote_soft_accelerations(mote_world *world, double *acceleration, mote_error *error) {
  const mote_elastic_group *group = &world->soft.group;
  for (size_t i = 0; i < group->count; ++i) copy3(world->def.gravity, acceleration + 3 * i);
  MOTE_TRY(add_fields(world, acceleration, error));
  for (size_t k = 0; k < group->bodies; ++k) {
    MOTE_TRY(add_loads(world, k, acceleration + 3 * group->start[k], error));
  }
  return MOTE_OK;
}
