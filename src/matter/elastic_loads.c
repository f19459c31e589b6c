// Accelerations of elastic bodies by gravity, force fields and loads. See elastic_bodies.h.
#include <math.h>

#include "geom/triple.h"
#include "matter/elastic_bodies.h"
#include "matter/steering.h"

static double now(const mote_world *world) {
  return *mote_state_f64(&world->now, MOTE_WORLD_TIME);
}

// Force fields add in single precision, as for fluids.
static mote_result add_fields(mote_world *world, double *acceleration, mote_error *error) {
  size_t n = mote_world_elastic_rows(world), forces = mote_world_items(world, MOTE_ITEM_FORCE);
  if (forces == 0) return MOTE_OK;
  float *field = mote_arena_take(&world->scratch, 3 * n, sizeof *field);
  if (field == NULL) return mote_fail_memory(error, 3 * n * sizeof *field);
  for (size_t c = 0; c < 3 * n; ++c) field[c] = 0.0f;
  for (size_t f = 0; f < forces; ++f) {
    const mote_force_item *force = mote_force_at(world, f);
    if (!mote_field_force_acts(force->force, now(world))) continue;
    size_t bad = mote_field_force_add(force->force, now(world), n, mote_elastic_positions(world), field,
                                      world->env.threads);
    if (bad == SIZE_MAX) continue;
    return mote_fail(error, MOTE_ERROR_NUMERIC,
                     "force field \"%s\" at the position of elastic particle %zu: %g", force->name, bad,
                     (double)NAN);
  }
  for (size_t c = 0; c < 3 * n; ++c) acceleration[c] += (double)field[c];
  return MOTE_OK;
}

static mote_result add_loads(mote_world *world, size_t k, double *acceleration, mote_error *error) {
  const mote_elastic_item *item = mote_elastic_at(world, k);
  const uint64_t *load = mote_elastic_rows(world, MOTE_ELASTIC_LOAD, k);
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
      if (load[i] >> l & 1) step3(acceleration + 3 * i, 1.0, a, acceleration + 3 * i);
    }
  }
  return MOTE_OK;
}

mote_result mote_elastic_accelerations(mote_world *world, double *acceleration, mote_error *error) {
  MOTE_ASSERT(acceleration != NULL || world->elastic_bodies.group.count == 0);
  const mote_elastic_group *group = &world->elastic_bodies.group;
  for (size_t i = 0; i < group->count; ++i) copy3(world->def.gravity, acceleration + 3 * i);
  MOTE_TRY(add_fields(world, acceleration, error));
  for (size_t k = 0; k < group->bodies; ++k) {
    MOTE_TRY(add_loads(world, k, acceleration + 3 * group->start[k], error));
  }
  mote_steering_force_elastic(world, acceleration);
  return MOTE_OK;
}
