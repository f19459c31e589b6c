// Creation of rigid bodies: see rigid_bodies.h.
#include <math.h>

#include "contact/contact_narrow.h"
#include "geom/shape_tree.h"
#include "kinds/rigid/rigid_bodies.h"
#include "kinds/rigid/tuning.inc"
#include "matter/carve.h"
#include "matter/items.h"
#include "matter/overlap.h"
#include "matter/tuning.inc"
#include "matter/world_heat.h"
#include "scene/def_check.h"
#include "search/domain.h"

#define SAMPLES_MAX 4096  // per body

// --- Mass properties ---------------------------------------------------------------------------------

static mote_rigid make_rigid(const mote_body_def *def, const mote_moments *moments, double density,
                             int dimensions) {
  if (def->fixed) return mote_rigid_fixed(moments, density);
  if (!mote_body_def_hinged(def)) return mote_rigid_free(moments, density, dimensions);
  double axis[3], length = length3(def->hinge.axis);
  for (int a = 0; a < 3; ++a) axis[a] = def->hinge.axis[a] / length;
  return mote_rigid_hinged(moments, density, def->hinge.point, axis);
}

static mote_result make_item(mote_world *world, const mote_body_def *def, const mote_body_item *body,
                             mote_rigid_item *item, mote_error *error) {
  const mote_material_def *material = &mote_material_at(world, body->material)->def;
  double d = world->def.spacing;
  mote_moments moments;
  *item = (mote_rigid_item){.name = def->name,
                            .body = (uint32_t)mote_world_items(world, MOTE_ITEM_BODY),
                            .shape = body->shape,
                            .material = body->material};
  mote_result result = mote_shape_moments(body->shape, &moments, error);
  if (result != MOTE_OK) return mote_fail_within(error, result, "shape");
  MOTE_TRY(mote_shape_contact_samples(body->shape, d, EDGE_SAMPLE_RADIUS * d, SAMPLES_MAX, &world->env,
                                      &item->contact_samples, error));
  item->rigid = make_rigid(def, &moments, material->density, world->def.dimensions);
  item->radius = mote_shape_reach(body->shape, item->rigid.reference);
  for (int a = 0; a < world->def.dimensions; ++a) {
    double period = world->domain.periodic[a] ? world->def.high[a] - world->def.low[a] : HUGE_VAL;
    if (4.0 * item->radius <= period) continue;
    return mote_fail_key(error, "shape",
                         "\"%s\" is up to %.3g m across, more than half of the period along %c, %.3g m",
                         def->name, 2.0 * item->radius, "xyz"[a], period);
  }
  return MOTE_OK;
}

// --- Its row ------------------------------------------------------------------------------------------

static mote_result set_row(mote_world *world, const mote_body_def *def, const mote_rigid_item *item,
                           mote_body_item *body, mote_error *error) {
  mote_store *store = &world->now.store[MOTE_TABLE_BODIES];
  size_t k = store->count[MOTE_GROUP_RIGID] - 1;
  double *x = mote_store_f64(store, MOTE_RIGID_POSITION) + 3 * k;
  double *q = mote_store_f64(store, MOTE_RIGID_ORIENTATION) + 4 * k;
  double *v = mote_store_f64(store, MOTE_RIGID_VELOCITY) + 3 * k;
  mote_quantity velocity[3] = {{0}};
  for (int a = 0; a < 4; ++a) q[a] = a == 0;
  copy3(item->rigid.reference, x);
  if (item->rigid.inverse_mass > 0.0) mote_domain_wrap(&world->domain, x);
  mote_rigid_momentum(&item->rigid, q, def->spin, mote_store_f64(store, MOTE_RIGID_MOMENTUM) + 3 * k);
  MOTE_TRY(mote_quantity_make3(&def->velocity, "x y z", "velocity", &world->env, velocity, error));
  for (int a = 0; a < 3; ++a) {
    bool moves = item->rigid.inverse_mass > 0.0 && a < world->def.dimensions;
    v[a] = moves ? mote_quantity_at(&velocity[a], x) : 0.0;
    mote_quantity_free(&velocity[a]);
  }
  body->speed = length3(v) + length3(def->spin) * item->radius;
  if (body->speed <= 1e30) return MOTE_OK;
  return mote_fail_key(error, "velocity", "at (%g, %g, %g) the velocity is (%g, %g, %g)", x[0], x[1], x[2],
                       v[0], v[1], v[2]);
}

// --- Initial overlap ---------------------------------------------------------------------------------

// One half space per wall of the domain: in a corner a ball then has a contact with each wall; walls as one
// shape would give only the nearest.
mote_result mote_contacts_make(mote_world *world, mote_error *error) {
  const mote_world_def *def = &world->def;
  for (int s = 0; s < 2 * def->dimensions; ++s) {
    int axis = s / 2;
    if (def->side[axis][s % 2] != MOTE_SIDE_WALL || world->contacts.side[s] != NULL) continue;
    mote_shape_def side = mote_shape_def_default();
    side.kind = MOTE_SHAPE_HALF_SPACE;
    for (int a = 0; a < 3; ++a) side.normal[a] = 0.0, side.centre[a] = 0.0;
    side.normal[axis] = s % 2 == 0 ? 1.0 : -1.0;
    side.centre[axis] = s % 2 == 0 ? def->low[axis] : def->high[axis];
    MOTE_TRY(mote_shape_create(&side, def->dimensions, &world->env, &world->contacts.side[s], error));
  }
  if (world->contacts.finder != NULL) return MOTE_OK;
  return mote_contact_finder_create(&world->env, &world->contacts.finder, error);
}

// Deepest overlap of two obstacles, m; the first is a body.
static double overlap(const mote_world *world, const mote_obstacle *a, const mote_obstacle *b, bool body) {
  mote_obstacle pair[2] = {*a, *b};
  mote_contact_scene two = mote_rigid_scene(world, 0.0);
  mote_contact found[MOTE_CONTACT_PAIR_RECORDS];
  two.obstacle = pair, two.obstacles = 2, two.bodies = body ? 2 : 1;
  mote_contact_cache cache[2] = {mote_contact_cache_of(&two, pair), mote_contact_cache_of(&two, pair + 1)};
  size_t count = mote_contact_find_pair(&two, cache, (mote_contact_pair){0, 1}, false, found);
  double deepest = 0.0;
  for (size_t c = 0; c < count; ++c) deepest = min2(deepest, found[c].gap);
  return -deepest;
}

static mote_result check_obstacles(mote_world *world, const mote_obstacle *own, const char *name,
                                   mote_error *error) {
  MOTE_TRY(mote_rigid_reserve(world, error));
  const mote_obstacle *obstacle = world->contacts.obstacle;
  size_t count = mote_fixed_obstacles(world, 0.0, world->contacts.obstacle);
  size_t walls = count - mote_world_items(world, MOTE_ITEM_COLLIDER);
  for (size_t k = 0; k < count; ++k) {
    double depth = overlap(world, own, obstacle + k, false);
    if (depth <= MOTE_OVERLAP_ALLOWED * world->def.spacing) continue;
    return mote_fail_key(error, "shape", "\"%s\" overlaps %s by %.3g m", name,
                         k < walls ? "the domain's walls" : mote_collider_at(world, k - walls)->name, depth);
  }
  return MOTE_OK;
}

// A fixed body may reach into walls and colliders, like a built-in part.
mote_result mote_rigid_check_place(mote_world *world, size_t body, mote_error *error) {
  const double *x = mote_store_f64(&world->now.store[MOTE_TABLE_BODIES], MOTE_RIGID_POSITION);
  mote_obstacle own = mote_rigid_body_obstacle(world, body, 0.0);
  const char *name = mote_rigid_at(world, body)->name;
  for (size_t k = 0; k < mote_world_items(world, MOTE_KIND_RIGID); ++k) {
    double apart[3];
    if (k == body) continue;
    mote_domain_difference(&world->domain, x + 3 * k, own.x, apart);
    if (length3(apart) > own.radius + mote_rigid_at(world, k)->radius) continue;
    mote_obstacle other = mote_rigid_body_obstacle(world, k, 0.0);
    double depth = overlap(world, &own, &other, true);
    if (depth <= MOTE_OVERLAP_ALLOWED * world->def.spacing) continue;
    return mote_fail_key(error, "shape", "\"%s\" overlaps \"%s\" by %.3g m", name,
                         mote_rigid_at(world, k)->name, depth);
  }
  return own.inverse_mass > 0.0 ? check_obstacles(world, &own, name, error) : MOTE_OK;
}

// --- Creation ----------------------------------------------------------------------------------------

static mote_result add(mote_world *world, const mote_body_def *def, const mote_rigid_item *item,
                       mote_body_item *body, mote_error *error) {
  uint32_t number;
  uint8_t *gone = NULL;
  MOTE_TRY(set_row(world, def, item, body, error));
  MOTE_TRY(mote_items_add(world, MOTE_KIND_RIGID, item, &number, error));
  size_t last = mote_world_items(world, MOTE_KIND_RIGID) - 1;
  mote_result result = world->aside ? MOTE_OK : mote_rigid_check_place(world, last, error);
  if (result == MOTE_OK)
    result = mote_overlap_check_surface(world, item->name, item->shape, &item->contact_samples, error);
  if (result == MOTE_OK) result = mote_cut_find(world, item->shape, item->name, &gone, error);
  if (result == MOTE_OK) result = mote_items_add(world, MOTE_ITEM_BODY, body, &number, error);
  if (result != MOTE_OK) mote_items_undo(world, MOTE_KIND_RIGID);
  if (result == MOTE_OK) mote_cut_remove(world, gone);
  return result;
}

mote_result mote_rigid_body_make(mote_world *world, const mote_body_def *def, mote_body_item *item,
                                 mote_error *error) {
  MOTE_ASSERT(def->name != NULL && item != NULL);
  mote_rigid_item rigid = {0};
  MOTE_TRY(mote_items_expect(world, MOTE_KIND_RIGID, def->name, error));
  MOTE_TRY(mote_contacts_make(world, error));
  mote_result result =
      mote_shape_create(&def->shape, world->def.dimensions, &world->env, &item->shape, error);
  if (result != MOTE_OK) return mote_fail_within(error, result, "shape");
  mote_arena_mark mark = mote_arena_here(&world->scratch);
  result = make_item(world, def, item, &rigid, error);
  if (result == MOTE_OK)
    result = mote_temperature_make(&def->temperature, "x y z", &world->env, &rigid.temperature, error);
  if (result == MOTE_OK) result = add(world, def, &rigid, item, error);
  mote_arena_release(&world->scratch, mark);
  if (result != MOTE_OK) mote_contact_samples_free(&rigid.contact_samples, &world->env);
  if (result != MOTE_OK) mote_quantity_free(&rigid.temperature);
  if (result == MOTE_OK) (void)mote_store_resize(&world->now.store[MOTE_TABLE_CONTACTS], 0, 0, NULL);
  if (result == MOTE_OK) (void)mote_store_resize(&world->now.store[MOTE_TABLE_FRICTION], 0, 0, NULL);
  return result;
}
