// Setting fields of particles: see command_act.h.
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "commands/command_act.h"
#include "geom/triple.h"
#include "kinds/elastic/elastic_bodies.h"
#include "matter/kind.h"
#include "particles/id_map.h"
#include "search/domain.h"

static bool sets_position(const mote_resolved_command *resolved) {
  return strcmp(resolved->command->field, "position") == 0;
}

// The collider or rigid body that contains x; null: none.
static const char *obstacle_at(const mote_world *world, const double x[3]) {
  double at[3], now = mote_world_time(world);
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_COLLIDER); ++k) {
    const mote_collider_item *item = mote_collider_at(world, k);
    mote_pose pose = mote_motion_at(item->motion, now);
    mote_pose_unapply(&pose, x, at);
    if (mote_shape_distance(item->shape, at) < 0.0) return item->name;
  }
  for (int kind = 0; kind < MOTE_KINDS; ++kind) {
    const mote_kind_row *row = world->kind[kind];
    mote_pose pose;
    for (size_t k = 0; row->obstacle != NULL && k < mote_world_items(world, kind); ++k) {
      if (!row->pose(world, k, &pose)) continue;
      mote_pose_unapply(&pose, x, at);
      if (mote_shape_distance(mote_kind_shape(world, (mote_kind)kind, k), at) < 0.0)
        return mote_kind_item_at(world, (mote_kind)kind, k)->name;
    }
  }
  return NULL;
}

static mote_result check_place(const mote_world *world, uint64_t id, const double x[3], mote_error *error) {
  for (int a = 0; a < world->def.dimensions; ++a) {
    if (world->domain.periodic[a] || (x[a] >= world->def.low[a] && x[a] <= world->def.high[a])) continue;
    return mote_fail_key(error, "values",
                         "particle %" PRIu64 " would be outside of the domain, at (%g, %g, %g)", id, x[0],
                         x[1], x[2]);
  }
  const char *obstacle = obstacle_at(world, x);
  if (obstacle == NULL) return MOTE_OK;
  return mote_fail_key(error, "values", "particle %" PRIu64 " would be inside of \"%s\", at (%g, %g, %g)", id,
                       obstacle, x[0], x[1], x[2]);
}

static bool is_held(const mote_world *world, size_t row) {
  mote_kind_particles p = mote_kind_particles_of(world, mote_kind_of_particle(world, row));
  return p.hold != NULL && p.hold[row - p.first] != 0;
}

static mote_result check_particle(const mote_world *world, mote_resolved_command *resolved, size_t k,
                                  mote_error *error) {
  const mote_command *c = resolved->command;
  const double *value = c->values + 3 * k;
  if (is_held(world, resolved->row[k]))
    return mote_fail_key(error, "particles", "particle %" PRIu64 " is held by its body's definition",
                         c->id[k]);
  if (world->def.dimensions == 2 && value[2] != 0.0)
    return mote_fail_key(error, "values", "in 2D they have no part along z");
  if (sets_position(resolved)) return check_place(world, c->id[k], value, error);
  resolved->speed = max2(resolved->speed, length3(value));
  return MOTE_OK;
}

mote_result mote_command_check_field(mote_world *world, mote_resolved_command *resolved, mote_error *error) {
  const mote_command *c = resolved->command;
  const mote_store *store = mote_world_store(world);
  mote_id_map map;
  MOTE_TAKE(resolved->row, &world->scratch, c->count, error);
  MOTE_TRY(mote_id_map_make(mote_store_ids(store), store->count[0], world->env.threads, &world->scratch, &map,
                            error));
  for (size_t k = 0; k < c->count; ++k) {
    size_t row = mote_id_map_find(&map, c->id[k]);
    if (row == SIZE_MAX) return mote_fail_key(error, "particles", "there is no particle %" PRIu64, c->id[k]);
    resolved->row[k] = (uint32_t)row;
    MOTE_TRY(check_particle(world, resolved, k, error));
  }
  return MOTE_OK;
}

// --- Setting ------------------------------------------------------------------------------------------

// With individual steps it starts again, like an emitted particle.
static void begin_steps(const mote_world *world, size_t row) {
  const mote_store *store = mote_world_store(world);
  if (!mote_world_stepped(world)) return;
  mote_store_u8(store, MOTE_PARTICLE_LEVEL)[row] = 255;
  mote_store_u8(store, MOTE_PARTICLE_SURFACE)[row] = 0;
  mote_store_f32(store, MOTE_PARTICLE_CROWDING)[row] = 1.0f;
  mote_store_f32(store, MOTE_PARTICLE_RATE)[row] = 0.0f;
  bool layers = store->count[MOTE_GROUP_STEPPED_LAYERS] > 0;
  for (size_t a = 0; a < 3; ++a) {
    mote_store_f32(store, MOTE_PARTICLE_KICK)[3 * row + a] = 0.0f;
    if (layers) mote_store_f32(store, MOTE_PARTICLE_SLOPE)[3 * row + a] = 0.0f;
  }
}

static void set_row(const mote_world *world, size_t row, bool position, const double value[3]) {
  const mote_store *store = mote_world_store(world);
  mote_kind_particles p = mote_kind_particles_of(world, mote_kind_of_particle(world, row));
  size_t i = row - p.first;
  if (position) {
    copy3(value, p.position + 3 * i);
    if (row >= mote_world_fluid_rows(world)) return;
    mote_domain_wrap(&world->domain, p.position + 3 * i);
    mote_store_f32(store, MOTE_PARTICLE_WALL_DISTANCE)[row] = 0.0f;
    begin_steps(world, row);
    return;
  }
  for (size_t a = 0; a < 3; ++a) {
    if (p.velocity != NULL) p.velocity[3 * i + a] = value[a];
    if (p.velocity_f32 != NULL) p.velocity_f32[3 * i + a] = (float)value[a];
  }
}

mote_result mote_command_set_field(mote_world *world, const mote_resolved_command *resolved,
                                   mote_error *error) {
  (void)error;
  bool position = sets_position(resolved);
  for (size_t k = 0; k < resolved->command->count; ++k)
    set_row(world, resolved->row[k], position, resolved->command->values + 3 * k);
  if (!position) return MOTE_OK;
  world->measured = false;
  mote_elastic_bodies_find_stretches(world);
  return MOTE_OK;
}
