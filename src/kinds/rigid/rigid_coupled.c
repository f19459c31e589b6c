// Coupling of rigid bodies to fluids: see rigid_bodies.h. The fluid's side: fluid/coupled_body.h.
#include "fluid/coupled_body.h"
#include "geom/triple.h"
#include "kinds/rigid/rigid_bodies.h"
#include "matter/probe_forces.h"

static const mote_store *bodies(const mote_world *world) {
  return &world->now.store[MOTE_TABLE_BODIES];
}

static bool is_coupled(const mote_rigid_item *item) {
  return item->samples.count > 0 && item->samples.moving;
}

// Copies the velocities from the table.
static void read_velocity(const mote_world *world, size_t k, mote_coupled_body *body) {
  copy3(mote_store_f64(bodies(world), MOTE_RIGID_VELOCITY) + 3 * k, body->velocity);
  mote_rigid_spin(&mote_rigid_at(world, k)->rigid,
                  mote_store_f64(bodies(world), MOTE_RIGID_ORIENTATION) + 4 * k,
                  mote_store_f64(bodies(world), MOTE_RIGID_MOMENTUM) + 3 * k, body->spin);
}

static mote_coupled_body make_body(const mote_world *world, size_t k) {
  const mote_rigid_item *item = mote_rigid_at(world, k);
  mote_coupled_body body = {
      .samples = item->samples, .radius = item->radius, .inverse_mass = item->rigid.inverse_mass};
  copy3(mote_store_f64(bodies(world), MOTE_RIGID_POSITION) + 3 * k, body.x);
  mote_rigid_inverse_inertia(&item->rigid, mote_store_f64(bodies(world), MOTE_RIGID_ORIENTATION) + 4 * k,
                             body.inverse_inertia);
  read_velocity(world, k, &body);
  return body;
}

void mote_rigid_couple(mote_world *world) {
  mote_fluid *fluid = &world->fluid;
  for (size_t k = 0; fluid->count > 0 && k < mote_world_items(world, MOTE_KIND_RIGID); ++k) {
    const mote_rigid_item *item = mote_rigid_at(world, k);
    if (!is_coupled(item)) continue;
    mote_coupled_body *body = &fluid->coupled[fluid->coupled_count++];
    *body = make_body(world, k);
    mote_pose pose = mote_rigid_body_pose(world, k);
    mote_boundary_pose(world->boundary, item->samples, &pose, body->velocity, body->spin);
  }
}

void mote_rigid_coupled_update(mote_world *world, const double *expected) {
  MOTE_ASSERT(world->fluid.coupled != NULL || world->fluid.coupled_count == 0);
  mote_coupled_body *body = world->fluid.coupled;
  for (size_t k = 0; world->fluid.coupled_count > 0 && k < mote_world_items(world, MOTE_KIND_RIGID); ++k) {
    if (!is_coupled(mote_rigid_at(world, k))) continue;
    read_velocity(world, k, body);
    if (expected != NULL) {
      step3(body->velocity, 1.0, expected + 6 * k, body->velocity);
      step3(body->spin, 1.0, expected + 6 * k + 3, body->spin);
    }
    ++body;
  }
}

void mote_rigid_coupled_take(mote_world *world) {
  MOTE_ASSERT(world->fluid.coupled != NULL || world->fluid.coupled_count == 0);
  mote_coupled_body *body = world->fluid.coupled;
  for (size_t k = 0; world->fluid.coupled_count > 0 && k < mote_world_items(world, MOTE_KIND_RIGID); ++k) {
    const mote_rigid_item *item = mote_rigid_at(world, k);
    if (!is_coupled(item)) continue;
    double *v = mote_store_f64(bodies(world), MOTE_RIGID_VELOCITY) + 3 * k;
    step3(v, item->rigid.inverse_mass, body->impulse, v);
    mote_probe_forces_add(world, MOTE_KIND_RIGID, k, body->impulse);
    mote_rigid_add_angular_impulse(&item->rigid,
                                   mote_store_f64(bodies(world), MOTE_RIGID_ORIENTATION) + 4 * k, body->twist,
                                   mote_store_f64(bodies(world), MOTE_RIGID_MOMENTUM) + 3 * k);
    set3(0.0, 0.0, 0.0, body->impulse);
    set3(0.0, 0.0, 0.0, body->twist);
    ++body;
  }
}
