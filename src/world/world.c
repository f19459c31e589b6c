// A world and what is added to it: see mote/world.h. Bodies are made in body.c.
#include <math.h>
#include <string.h>

#include "commands/steering.h"
#include "fluid/prepare.h"
#include "kinds/elastic/elastic_bodies.h"
#include "kinds/kinds.h"
#include "kinds/rigid/rigid_bodies.h"
#include "matter/belt.h"
#include "matter/bodies.h"
#include "matter/collider_images.h"
#include "matter/definition_speed.h"
#include "matter/items.h"
#include "matter/world_data.h"
#include "matter/world_heat.h"
#include "matter/world_track.h"
#include "pairs/pairs.h"
#include "scene/def_check.h"
#include "state/definition_hash.h"
#include "things/probe.h"
#include "world/body_probe.h"

// --- Life ----------------------------------------------------------------------------------------------

static mote_domain make_domain(const mote_world_def *def) {
  mote_domain domain = mote_domain_open(def->dimensions);
  for (int a = 0; a < def->dimensions; ++a) {
    domain.periodic[a] = def->side[a][0] == MOTE_SIDE_PERIODIC;
    if (domain.periodic[a]) domain.low[a] = def->low[a], domain.high[a] = def->high[a];
  }
  return domain;
}

// The walls of the domain are the complement of a box. On a side without a wall the box is extended so far
// that no particle reaches its end, but not so far that its coordinates lose precision.
static mote_result make_walls(mote_world *world, mote_error *error) {
  const mote_world_def *def = &world->def;
  mote_shape_def box = mote_shape_def_default();
  box.kind = MOTE_SHAPE_BOX;
  box.inverted = true;
  double size = def->spacing;
  bool any = false;
  for (int a = 0; a < def->dimensions; ++a) {
    if (isfinite(def->high[a] - def->low[a])) size = fmax(size, def->high[a] - def->low[a]);
  }
  for (int a = 0; a < def->dimensions; ++a) {
    double near = isfinite(def->low[a]) ? def->low[a] : isfinite(def->high[a]) ? def->high[a] : 0.0;
    double far = isfinite(def->high[a]) ? def->high[a] : near;
    bool low = def->side[a][0] == MOTE_SIDE_WALL, high = def->side[a][1] == MOTE_SIDE_WALL;
    box.low[a] = low ? def->low[a] : near - 0x1p20 * size;
    box.high[a] = high ? def->high[a] : far + 0x1p20 * size;
    any = any || low || high;
  }
  if (!any) return MOTE_OK;
  world->walls = (mote_collider_item){.name = "walls", .friction = def->wall_friction};
  MOTE_TRY(mote_quantity_make3(&def->wall_velocity, MOTE_BELT_VARIABLES, "wall_velocity", &world->env,
                               world->walls.belt, error));
  MOTE_TRY(mote_temperature_make(&def->wall_temperature, "x y z t", &world->env, &world->walls.temperature,
                                 error));
  return mote_shape_create(&box, def->dimensions, &world->env, &world->walls.shape, error);
}

static mote_result make_parts(mote_world *world, mote_error *error) {
  uint32_t groups = mote_world_stepped(world) ? 1u << MOTE_GROUP_TICKS : 0u;
  if (world->def.heat) groups |= 1u << MOTE_GROUP_PHASES;
  MOTE_TRY(mote_state_make(&world->env, groups, &world->now, error));
  MOTE_TRY(mote_state_make(&world->env, groups, &world->frame, error));
  world->frame.store[MOTE_TABLE_PARTICLES].bare = true;
  MOTE_TRY(make_walls(world, error));
  world->fluid = (mote_fluid){.env = world->env,
                              .scratch = &world->scratch,
                              .solver = world->def.solver,
                              .domain = world->domain,
                              .spacing = world->def.spacing,
                              .support = world->def.solver.support * world->def.spacing};
  MOTE_TRY(mote_world_track_make(world, error));
  for (int a = 0; a < 3; ++a) world->fluid.gravity[a] = (float)world->def.gravity[a];
  mote_grid_def grid = mote_fluid_grid_def(&world->fluid);
  MOTE_TRY(mote_grid_create(&grid, &world->env, &world->grid, error));
  return mote_grid_borrow(world->grid, error);
}

static void *resize_counted(void *user, void *block, size_t old_size, size_t size) {
  mote_world *world = user;
  void *grown = world->outer.resize(world->outer.resize_user, block, old_size, size);
  if (grown != NULL || size == 0) {  // the sum is that of all threads; what it goes by modulo is right
    atomic_fetch_add_explicit(&world->bytes, size - old_size, memory_order_relaxed);
  }
  return grown;
}

mote_result mote_world_create(const mote_world_def *def, const mote_env *env, mote_world **out,
                              mote_error *error) {
  if (def == NULL || out == NULL) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "def and out must not be NULL");
  }
  MOTE_TRY(mote_world_def_check(def, error));
  mote_env own = mote_env_resolve(env);
  MOTE_ALLOC_NEW(mote_world, world, &own, 1, error);
  mote_env outer = own;
  own.resize = resize_counted, own.resize_user = world;
  *world = (mote_world){
      .outer = outer,
      .env = own,
      .bytes = sizeof *world,
      .def = *def,
      .domain = make_domain(def),
      .names = mote_arena_make(&own),
      .scratch = mote_arena_make(&own),
      .now = mote_state_empty(&own),
      .frame = mote_state_empty(&own),
      .kinds = mote_kind_table,
  };
  for (int n = 0; n < MOTE_KINDS; ++n) world->kind[mote_kind_table[n]->kind] = mote_kind_table[n];
  world->def.solver.step_max = mote_world_def_step_max(def);
  mote_steering_begin(world);
  world->definitions = mote_definition_hash_world(0, &world->def);
  mote_result result = make_parts(world, error);
  world->def.wall_velocity = mote_value3_make(0, 0, 0);  // the walls have it; its formulas are the caller's
  world->def.wall_temperature.formula = NULL;            // the same
  if (result == MOTE_OK) {
    *out = world;
  } else {
    mote_world_destroy(world);
  }
  return result;
}

void mote_world_destroy(mote_world *world) {
  if (world == NULL) return;
  mote_env env = world->env, outer = world->outer;
  mote_elastic_bodies_free(&world->elastic_bodies);
  mote_items_destroy(world);
  mote_steering_free(world);
  mote_shape_destroy(world->walls.shape);
  for (int a = 0; a < 3; ++a) mote_quantity_free(&world->walls.belt[a]);
  mote_quantity_free(&world->walls.temperature);
  mote_heat_free(world);
  mote_world_track_free(world);
  mote_boundary_destroy(world->boundary);
  mote_grid_destroy(world->grid);
  mote_lattice_buffers_free(&world->lattice_buffers, &env);
  mote_state_destroy(&world->now);
  mote_state_destroy(&world->frame);
  mote_contacts_free(&world->contacts, &env);
  mote_free(&env, world->obstacle, world->obstacle_capacity, sizeof *world->obstacle);
  mote_arena_destroy(&world->names);
  mote_arena_destroy(&world->scratch);
  mote_free(&outer, world, 1, sizeof *world);
}

// --- Things that are added -----------------------------------------------------------------------------

static mote_result check_call(const mote_world *world, const void *def, mote_error *error) {
  if (world != NULL && def != NULL) return MOTE_OK;
  return mote_fail(error, MOTE_ERROR_ARGUMENT, "adding needs a world and a definition");
}

// The blocks of particles of a new material, the last one.
static mote_result add_blocks(mote_world *world, uint32_t material, mote_error *error) {
  const mote_material_def *def = &mote_material_at(world, material)->def;
  mote_store *store = mote_world_store(world);
  size_t made[MOTE_KINDS], count = 0;
  ++world->generation;
  mote_result result = MOTE_OK;
  for (int kind = 0; kind < MOTE_KINDS && result == MOTE_OK; ++kind) {
    size_t block = mote_kind_block_of_material(world, (mote_kind)kind, material);
    if (block == SIZE_MAX) continue;
    result = mote_store_insert_block(store, block, world->kind[kind]->groups(world, def, NULL), 0, error);
    if (result == MOTE_OK) made[count++] = block;
  }
  while (result != MOTE_OK && count > 0) mote_store_remove_block(store, made[--count]);
  return result;
}

mote_result mote_world_add_material(mote_world *world, const mote_material_def *def, mote_material *out,
                                    mote_error *error) {
  MOTE_TRY(check_call(world, def, error));
  MOTE_TRY(mote_material_def_check(def, error));
  MOTE_TRY(mote_material_def_check_solver(def, &world->def.solver, error));
  MOTE_TRY(mote_material_def_check_heat(def, world->def.heat, error));
  MOTE_TRY(mote_items_expect(world, MOTE_ITEM_MATERIAL, def->name, error));
  const mote_kind_row *kind = mote_kind_row_of(world, def->model);
  if (kind->begin != NULL) MOTE_TRY(kind->begin(world, error));
  uint32_t k;
  mote_material_item item = {.def = *def};
  MOTE_TRY(mote_phase_rates_make(world, &item, error));
  mote_result result = mote_items_add(world, MOTE_ITEM_MATERIAL, &item, &k, error);
  if (result != MOTE_OK) mote_quantity_free(&item.melting_rate), mote_quantity_free(&item.freezing_rate);
  MOTE_TRY(result);
  mote_material_at(world, k)->given = mote_material_at(world, k)->def;  // with the world's own name
  result = add_blocks(world, k, error);
  if (result != MOTE_OK) {
    mote_items_undo(world, MOTE_ITEM_MATERIAL);
    mote_quantity_free(&item.melting_rate), mote_quantity_free(&item.freezing_rate);
    return result;
  }
  mote_material_def hashed = *def;
  if (!world->def.heat) mote_material_def_forget_heat(&hashed);  // it makes no difference
  world->definitions = mote_definition_hash(world->definitions, "material", def->name, &hashed);
  world->has_frame = false;
  if (out != NULL) *out = (mote_material){k, 1};
  return MOTE_OK;
}

// A collider away from its defined pose counts as moving, even if it is at rest.
static bool is_identity(const mote_pose *pose) {
  mote_pose none = mote_pose_identity();
  return memcmp(none.rotation, pose->rotation, sizeof none.rotation) == 0 &&
         memcmp(none.move, pose->move, sizeof none.move) == 0;
}

static mote_result make_collider(mote_world *world, const mote_collider_def *def, mote_collider_item *item,
                                 mote_error *error) {
  int dimensions = world->def.dimensions;
  mote_result result = mote_shape_create(&def->shape, dimensions, &world->env, &item->shape, error);
  if (result != MOTE_OK) return mote_fail_within(error, result, "shape");
  result = mote_motion_create(&def->motion, item->shape, dimensions, &world->env, &item->motion, error);
  if (result != MOTE_OK) return mote_fail_within(error, result, "motion");
  mote_pose pose = mote_motion_at(item->motion, *mote_state_f64(&world->now, MOTE_WORLD_TIME));
  MOTE_TRY(mote_quantity_make3(&def->surface_velocity, MOTE_BELT_VARIABLES, "surface_velocity", &world->env,
                               item->belt, error));
  MOTE_TRY(mote_temperature_make(&def->temperature, "x y z t", &world->env, &item->temperature, error));
  item->moves = item->moves_by_itself = mote_motion_moves(item->motion) || !is_identity(&pose);
  item->own_speed = mote_collider_defined_speed(item);
  if (mote_pose_is_finite(&pose)) return mote_collider_check_period(world, item, error);
  return mote_fail_key(error, "motion", "the motion begins at no finite place");
}

mote_result mote_world_add_collider(mote_world *world, const mote_collider_def *def, mote_collider *out,
                                    mote_error *error) {
  MOTE_TRY(check_call(world, def, error));
  MOTE_TRY(mote_collider_def_check(def, &world->env, error));
  MOTE_TRY(mote_temperature_check(&def->temperature, "temperature", world->def.heat, error));
  MOTE_TRY(mote_items_expect(world, MOTE_ITEM_COLLIDER, def->name, error));
  mote_collider_item item = {.name = def->name, .friction = def->friction};
  uint32_t k;
  mote_result result = make_collider(world, def, &item, error);
  if (result == MOTE_OK) result = mote_items_add(world, MOTE_ITEM_COLLIDER, &item, &k, error);
  if (result != MOTE_OK) {
    mote_shape_destroy(item.shape);
    mote_motion_destroy(item.motion);
    for (int a = 0; a < 3; ++a) mote_quantity_free(&item.belt[a]);
    mote_quantity_free(&item.temperature);
    return result;
  }
  world->definitions = mote_definition_hash(world->definitions, "collider", def->name, def);
  world->ready = false;
  if (out != NULL) *out = (mote_collider){k, 1};
  return MOTE_OK;
}

// Adds its row of the table of emitters, the body that it emits, and its item.
static mote_result add_nozzle(mote_world *world, mote_emitter_item *item, uint32_t *k, mote_error *error) {
  mote_store *nozzles = &world->now.store[MOTE_TABLE_NOZZLES];
  mote_body_birth birth = {.kind = mote_kind_of_liquids(world),
                           .origin = MOTE_ORIGIN_EMITTER,
                           .material = item->material,
                           .definition = (uint32_t)mote_world_items(world, MOTE_ITEM_EMITTER)};
  MOTE_TRY(mote_store_resize(nozzles, 0, nozzles->count[0] + 1, error));
  mote_store_f64(nozzles, MOTE_NOZZLE_ADVANCED)[nozzles->count[0] - 1] = 0.0;
  mote_store_u64(nozzles, MOTE_NOZZLE_EMITTED)[nozzles->count[0] - 1] = 0;
  mote_result result = mote_bodies_add(world, &birth, &item->id, error);
  if (result == MOTE_OK) {
    result = mote_items_add(world, MOTE_ITEM_EMITTER, item, k, error);
    if (result != MOTE_OK) mote_bodies_undo(world, item->id);
  }
  if (result != MOTE_OK)
    (void)mote_store_resize(nozzles, 0, nozzles->count[0] - 1, NULL);  // fewer: cannot fail
  return result;
}

mote_result mote_world_add_emitter(mote_world *world, const mote_emitter_def *def, mote_emitter *out,
                                   mote_error *error) {
  MOTE_TRY(check_call(world, def, error));
  int dimensions = world->def.dimensions;
  MOTE_TRY(mote_emitter_def_check(def, dimensions, &world->env, error));
  MOTE_TRY(mote_emitter_def_check_heat(def, world->def.heat, error));
  MOTE_TRY(mote_items_expect(world, MOTE_ITEM_EMITTER, def->name, error));
  size_t material = mote_items_find(world, MOTE_ITEM_MATERIAL, def->material);
  if (material == mote_world_items(world, MOTE_ITEM_MATERIAL)) {
    return mote_fail_key(error, "material", "there is no material \"%.31s\"", def->material);
  }
  MOTE_TRY(mote_kinds_allow_fluid(world, error));
  mote_emitter_item item = {.def = *def, .material = (uint32_t)material};
  item.def.material = mote_items_name(world, MOTE_ITEM_MATERIAL, material);
  item.def.speed.formula = NULL;
  MOTE_TRY(mote_nozzle_create(def, dimensions, world->def.spacing, &world->env, &item.nozzle, error));
  item.own_speed = mote_emitter_defined_speed(&item);
  uint32_t k;
  mote_result result = add_nozzle(world, &item, &k, error);
  if (result != MOTE_OK) {
    mote_nozzle_destroy(item.nozzle);
    return result;
  }
  world->definitions = mote_definition_hash(world->definitions, "emitter", def->name, def);
  world->ready = world->has_frame = false;
  if (out != NULL) *out = (mote_emitter){k, 1};
  return MOTE_OK;
}

mote_result mote_world_add_drain(mote_world *world, const mote_drain_def *def, mote_drain *out,
                                 mote_error *error) {
  MOTE_TRY(check_call(world, def, error));
  MOTE_TRY(mote_drain_def_check(def, error));
  MOTE_TRY(mote_items_expect(world, MOTE_ITEM_DRAIN, def->name, error));
  mote_drain_item item = {.name = def->name, .start = def->start, .end = def->end};
  mote_result result = mote_shape_create(&def->shape, world->def.dimensions, &world->env, &item.shape, error);
  if (result != MOTE_OK) return mote_fail_within(error, result, "shape");
  uint32_t k;
  result = mote_items_add(world, MOTE_ITEM_DRAIN, &item, &k, error);
  if (result != MOTE_OK) {
    mote_shape_destroy(item.shape);
    return result;
  }
  world->definitions = mote_definition_hash(world->definitions, "drain", def->name, def);
  if (out != NULL) *out = (mote_drain){k, 1};
  return MOTE_OK;
}

mote_result mote_world_add_force(mote_world *world, const mote_force_def *def, mote_force *out,
                                 mote_error *error) {
  MOTE_TRY(check_call(world, def, error));
  MOTE_TRY(mote_force_def_check(def, &world->env, error));
  MOTE_TRY(mote_force_def_check_heat(def, world->def.heat, error));
  MOTE_TRY(mote_items_expect(world, MOTE_ITEM_FORCE, def->name, error));
  mote_force_item item = {.name = def->name};
  MOTE_TRY(mote_field_force_create(def, world->def.dimensions, &world->env, &item.force, error));
  uint32_t k;
  mote_result result = mote_items_add(world, MOTE_ITEM_FORCE, &item, &k, error);
  if (result != MOTE_OK) {
    mote_field_force_destroy(item.force);
    return result;
  }
  world->definitions = mote_definition_hash(world->definitions, "force", def->name, def);
  if (out != NULL) *out = (mote_force){k, 1};
  return MOTE_OK;
}

mote_result mote_world_add_probe(mote_world *world, const mote_probe_def *def, mote_probe *out,
                                 mote_error *error) {
  MOTE_TRY(check_call(world, def, error));
  MOTE_TRY(mote_probe_def_check(def, world->def.dimensions, error));
  MOTE_TRY(mote_probe_check(def, world->def.dimensions, error));
  MOTE_TRY(mote_items_expect(world, MOTE_ITEM_PROBE, def->name, error));
  mote_probe_item item = {.def = *def};
  MOTE_TRY(mote_body_probe_make(world, &item, error));
  uint32_t k;
  MOTE_TRY(mote_items_add(world, MOTE_ITEM_PROBE, &item, &k, error));
  if (out != NULL) *out = (mote_probe){k, 1};
  return MOTE_OK;
}
