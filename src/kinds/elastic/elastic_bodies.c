// All elastic bodies of a world as one system: see elastic_bodies.h.
#include "kinds/elastic/elastic_bodies.h"

#include <math.h>

#include "geom/triple.h"

mote_elastic_motion mote_elastic_body_motion(const mote_world *world, size_t k) {
  MOTE_ASSERT(k < mote_world_items(world, MOTE_KIND_ELASTIC));
  const mote_elastic_item *item = mote_elastic_at(world, k);
  return (mote_elastic_motion){
      .position = mote_elastic_rows(world, MOTE_PARTICLE_POSITION, k),
      .velocity = mote_elastic_rows(world, MOTE_ELASTIC_VELOCITY, k),
      .plastic = item->flows ? mote_elastic_rows(world, MOTE_ELASTIC_PLASTIC, k) : NULL,
      .held = item->holds > 0 ? mote_elastic_rows(world, MOTE_ELASTIC_HOLD, k) : NULL};
}

mote_elastic_motion mote_elastic_bodies_motion(const mote_world *world) {
  MOTE_ASSERT(world->elastic_bodies.group.count == mote_world_elastic_rows(world));
  const mote_store *store = mote_world_store(world);
  const mote_elastic_bodies *all = &world->elastic_bodies;
  return (mote_elastic_motion){.position = mote_elastic_positions(world),
                               .velocity = mote_elastic_velocities(world),
                               .plastic = all->flows ? mote_store_f64(store, MOTE_ELASTIC_PLASTIC) : NULL,
                               .held = all->has_holds ? mote_store_u8(store, MOTE_ELASTIC_HOLD) : NULL,
                               .external = all->contact != NULL ? &all->contact->external : NULL};
}

// --- Making -------------------------------------------------------------------------------------------

static mote_result make_contact(mote_world *world, mote_elastic_bodies *all, mote_error *error) {
  size_t bodies = all->group.bodies;
  MOTE_TAKE_NEW(mote_elastic_contact_part, part, &all->memory, bodies, error);
  for (size_t k = 0; k < bodies; ++k) {
    const mote_elastic_item *item = mote_elastic_at(world, k);
    bool renewed = item->elastic != item->origin;
    part[k] = (mote_elastic_contact_part){
        .body = item->origin,
        .present = item->elastic,
        .metric = renewed ? mote_elastic_rows(world, MOTE_ELASTIC_METRIC, k) : NULL,
        .rest = item->rest,
        .filled = item->filled,
        .shape = item->shape,
        .friction = mote_body_material(world, item->body)->friction,
        .outside_only = !item->flows};
  }
  return mote_elastic_contact_create(part, bodies, &world->env, &all->contact, error);
}

static bool has_lattices(const mote_world *world) {
  bool any = false;
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_MATERIAL); ++k)
    any = any || mote_material_at(world, k)->def.model == MOTE_KIND_LATTICE;
  return any;
}

// One body with the dissipative integrator makes all bodies with implicit steps use it. Where they meet
// lattices all have implicit steps.
static mote_result make_solver(mote_world *world, mote_elastic_bodies *all, mote_error *error) {
  mote_elastic_implicit_def def = mote_elastic_implicit_def_default();
  bool euler = false, midpoint = false, any = false;
  for (size_t k = 0; k < all->group.bodies; ++k) {
    euler = euler || mote_elastic_at(world, k)->integrator == MOTE_INTEGRATOR_IMPLICIT;
    midpoint = midpoint || mote_elastic_at(world, k)->integrator == MOTE_INTEGRATOR_MIDPOINT;
    any = any || mote_elastic_at(world, k)->integrator == MOTE_INTEGRATOR_AUTO;
    all->flows = all->flows || mote_elastic_at(world, k)->flows;
  }
  bool exact = !euler && !any, alone = !has_lattices(world);
  def.scheme = euler || (!midpoint && !exact) ? MOTE_ELASTIC_EULER : MOTE_ELASTIC_MIDPOINT;
  if (!midpoint && exact && alone) return MOTE_OK;
  return mote_elastic_implicit_create_group(&def, all->group.body, all->group.bodies, &all->implicit, error);
}

static mote_result build(mote_world *world, mote_elastic_bodies *all, mote_error *error) {
  size_t bodies = mote_world_items(world, MOTE_KIND_ELASTIC);
  MOTE_TAKE_NEW(mote_elastic *, body, &all->memory, bodies, error);
  for (size_t k = 0; k < bodies; ++k) body[k] = mote_elastic_at(world, k)->elastic;
  MOTE_TRY(mote_elastic_group_make(body, bodies, &all->memory, &all->group, error));
  for (size_t k = 0; k < all->group.bodies; ++k)
    all->has_holds = all->has_holds || mote_elastic_at(world, k)->holds > 0;
  MOTE_TRY(make_contact(world, all, error));
  return make_solver(world, all, error);
}

mote_result mote_elastic_bodies_make(mote_world *world, mote_error *error) {
  mote_elastic_bodies all = {.memory = mote_arena_make(&world->env)};
  if (mote_world_items(world, MOTE_KIND_ELASTIC) == 0)
    return mote_elastic_bodies_free(&world->elastic_bodies), MOTE_OK;
  mote_result result = build(world, &all, error);
  if (result != MOTE_OK) {
    mote_elastic_bodies_free(&all);
    return result;
  }
  mote_elastic_bodies_free(&world->elastic_bodies);
  world->elastic_bodies = all;
  return MOTE_OK;
}

void mote_elastic_bodies_free(mote_elastic_bodies *all) {
  mote_elastic_implicit_destroy(all->implicit);
  mote_elastic_contact_destroy(all->contact);
  mote_arena_destroy(&all->memory);
  *all = (mote_elastic_bodies){0};
}

// --- Speeds -------------------------------------------------------------------------------------------

static double held_speed(const mote_world *world, size_t k, double t, double seconds) {
  const mote_elastic_item *item = mote_elastic_at(world, k);
  const double *rest = mote_elastic_rows(world, MOTE_ELASTIC_REST, k);
  const uint8_t *hold = mote_elastic_rows(world, MOTE_ELASTIC_HOLD, k);
  double most = 0.0;
  for (size_t h = 0; h < item->holds; ++h) {
    if (!mote_motion_moves(item->hold[h].motion)) continue;
    mote_pose before = mote_motion_at(item->hold[h].motion, t),
              after = mote_motion_at(item->hold[h].motion, t + seconds);
    for (size_t i = 0; i < item->elastic->count; ++i) {
      double a[3], b[3];
      if (hold[i] != h + 1) continue;
      mote_pose_apply(&before, rest + 3 * i, a);
      mote_pose_apply(&after, rest + 3 * i, b);
      most = max2(most, distance3(a, b) / seconds);
    }
  }
  return most;
}

double mote_elastic_bodies_speed(const mote_world *world, double t, double seconds) {
  MOTE_ASSERT(seconds >= 0.0);
  double most2 = 0.0, most = 0.0;
  for (size_t i = 0; i < mote_world_elastic_rows(world); ++i) {
    const double *v = mote_elastic_velocities(world) + 3 * i;
    most2 = max2(most2, dot3(v, v));
  }
  for (size_t k = 0; k < mote_world_items(world, MOTE_KIND_ELASTIC); ++k) {
    most = max2(most, held_speed(world, k, t, seconds));
  }
  return max2(most, sqrt(most2));
}
