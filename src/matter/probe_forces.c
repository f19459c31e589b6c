// Forces for probes: see probe_forces.h. Reads the contacts of rigid bodies, the sums of elastic contact and
// the impulses of fluids.
#include "matter/probe_forces.h"

#include <string.h>

#include "contact/elastic_contact.h"
#include "geom/triple.h"

static bool is_asked(const mote_world *world) {
  for (size_t k = 0; k < mote_world_items(world, MOTE_ITEM_PROBE); ++k)
    if (mote_probe_at(world, k)->def.kind == MOTE_PROBE_FORCE) return true;
  return false;
}

static mote_wall_probe probe_of(mote_boundary_range range) {
  return (mote_wall_probe){.moving = range.moving, .first = range.first, .count = range.count};
}

mote_result mote_probe_forces_begin(mote_world *world, mote_error *error) {
  mote_contacts *c = &world->contacts;
  bool asked = is_asked(world);
  size_t bodies = mote_world_items(world, MOTE_KIND_RIGID) + mote_world_items(world, MOTE_KIND_ELASTIC);
  size_t colliders = mote_world_items(world, MOTE_ITEM_COLLIDER),
         rigid = mote_world_items(world, MOTE_KIND_RIGID);
  c->fluid_bodies = 0, world->fluid.wall_probes = 0;
  if (!asked) return MOTE_OK;
  MOTE_TRY(mote_reserve(&world->env, &c->fluid_impulse, &c->fluid_impulse_capacity, 3 * bodies,
                        sizeof *c->fluid_impulse, error));
  MOTE_TRY(mote_reserve(&world->env, &c->wall_probe, &c->wall_probe_capacity, colliders + rigid,
                        sizeof *c->wall_probe, error));
  for (size_t k = 0; k < 3 * bodies; ++k) c->fluid_impulse[k] = 0.0;
  for (size_t k = 0; k < colliders; ++k) c->wall_probe[k] = probe_of(mote_collider_at(world, k)->samples);
  for (size_t k = 0; k < rigid; ++k) {
    mote_boundary_range range = mote_rigid_at(world, k)->samples;
    if (range.moving) range.count = 0;  // coupled: mote_probe_forces_add
    c->wall_probe[colliders + k] = probe_of(range);
  }
  c->fluid_bodies = bodies;
  world->fluid.wall_probe = c->wall_probe, world->fluid.wall_probes = colliders + rigid;
  return MOTE_OK;
}

void mote_probe_forces_add(mote_world *world, mote_kind kind, size_t k, const double impulse[3]) {
  if (kind == MOTE_KIND_ELASTIC) k += mote_world_items(world, MOTE_KIND_RIGID);
  double *sum = world->contacts.fluid_impulse + 3 * k;
  if (world->contacts.fluid_bodies > k) step3(sum, 1.0, impulse, sum);
}

// By the number of the obstacle in the contacts of rigid bodies.
static void add_contacts(const mote_world *world, size_t obstacle, double impulse[3]) {
  const mote_contact_set *set = &world->contacts.set;
  for (size_t k = 0; k < set->count; ++k) {
    const mote_contact *c = set->contact + k;
    double sign = (c->a == obstacle ? 1.0 : 0.0) - (c->b == obstacle ? 1.0 : 0.0);
    if (sign == 0.0) continue;
    step3(impulse, sign * c->normal_impulse, c->normal, impulse);
    step3(impulse, sign, c->friction_impulse, impulse);
    step3(impulse, sign, c->impact, impulse);
  }
}

static void add_fluids(const mote_world *world, int target, size_t index, double impulse[3]) {
  const mote_contacts *c = &world->contacts;
  size_t rigid = mote_world_items(world, MOTE_KIND_RIGID),
         body = target == MOTE_KIND_ELASTIC ? rigid + index : index,
         wall = target == MOTE_KIND_RIGID ? mote_world_items(world, MOTE_ITEM_COLLIDER) + index : index;
  if (target != MOTE_ITEM_COLLIDER && body < c->fluid_bodies)
    step3(impulse, 1.0, c->fluid_impulse + 3 * body, impulse);
  if (target != MOTE_KIND_ELASTIC && wall < world->fluid.wall_probes)
    step3(impulse, 1.0, c->wall_probe[wall].impulse, impulse);
}

void mote_probe_forces_read(const mote_world *world, int target, size_t index, double force[3]) {
  const mote_elastic_contact *elastic = world->elastic_bodies.contact;
  size_t sides = 0, obstacle = index;
  double impulse[3] = {0.0, 0.0, 0.0}, dt = *mote_state_f64(&world->now, MOTE_WORLD_LENGTH);
  for (int s = 0; s < 6; ++s) sides += world->contacts.side[s] != NULL;
  if (target == MOTE_ITEM_COLLIDER) obstacle += mote_world_items(world, MOTE_KIND_RIGID) + sides;
  set3(0.0, 0.0, 0.0, force);
  if (target < 0) return;
  if (elastic != NULL && elastic->force_obstacles + elastic->parts <= elastic->total_capacity / 3) {
    size_t place = target == MOTE_KIND_ELASTIC ? elastic->force_obstacles + index : obstacle;
    copy3(elastic->total_force + 3 * place, force);
  }
  if (!(dt > 0.0)) return;
  if (target != MOTE_KIND_ELASTIC) add_contacts(world, obstacle, impulse);
  add_fluids(world, target, index, impulse);
  step3(force, 1.0 / dt, impulse, force);
}
