// The definition hash sees every key that decides results, nothing else, and no key at its default.
#include "state/definition_hash.h"

#include <mote/keys.h>

#include "test.h"

static uint64_t world_hash(const mote_world_def *def) {
  return mote_definition_hash_world(0, def);
}

static uint64_t body_hash(const mote_body_def *def) {
  return mote_definition_hash(0, "body", def->name, def);
}

static void worlds_differ_by_their_keys(void) {
  mote_world_def plain = mote_world_def_default(), other = plain, third = plain;
  CHECK(world_hash(&plain) == world_hash(&other));
  other.particles_max = 7;
  CHECK(world_hash(&plain) == world_hash(&other));
  other.solver.tension = MOTE_TENSION_COHESION;
  third.solver.steps = MOTE_STEPS_INDIVIDUAL;
  CHECK(world_hash(&plain) != world_hash(&other) && world_hash(&plain) != world_hash(&third) &&
        world_hash(&other) != world_hash(&third));
  other = third = plain;
  other.wall_velocity.x.constant = 1.0, third.wall_velocity.y.constant = 1.0;
  CHECK(world_hash(&other) != world_hash(&third) && world_hash(&other) != world_hash(&plain));
  other.wall_velocity.x.formula = "1", other.wall_velocity.x.constant = 0.0;
  CHECK(world_hash(&other) != world_hash(&plain) && world_hash(&other) != world_hash(&third));
}

static void bodies_differ_by_their_keys(void) {
  mote_body_def plain = mote_body_def_default(), other;
  plain.name = "b", plain.shape = mote_shape_def_sphere(0, 0, 0, 1);
  other = plain;
  other.grading = 2;
  CHECK(body_hash(&plain) != body_hash(&other));
  other = plain, other.shape.radius = 2.0;
  CHECK(body_hash(&plain) != body_hash(&other));
  other = plain, other.name = "c";
  CHECK(body_hash(&plain) != body_hash(&other));
  mote_hold_def hold[2] = {mote_hold_def_default(), mote_hold_def_default()};
  other = plain, other.hold = hold, other.holds = 1;
  uint64_t one = body_hash(&other);
  other.holds = 2;
  CHECK(one != body_hash(&plain) && body_hash(&other) != one);
  hold[1].motion.angle.constant = 1.0;
  uint64_t turned = body_hash(&other);
  hold[1].motion.angle.constant = 0.0, hold[0].motion.angle.constant = 1.0;
  CHECK(turned != body_hash(&other));
}

static void looks_do_not_count(void) {
  mote_material_def water = mote_material_def_default(), red = water;
  red.colour[0] = 1.0;
  CHECK(mote_definition_hash(0, "material", "m", &water) == mote_definition_hash(0, "material", "m", &red));
  red.density += 1.0;
  CHECK(mote_definition_hash(0, "material", "m", &water) != mote_definition_hash(0, "material", "m", &red));
  mote_drain_def drain = mote_drain_def_default();
  CHECK(mote_definition_hash(0, "drain", "d", &drain) != mote_definition_hash(1, "drain", "d", &drain));
}

int main(void) {
  worlds_differ_by_their_keys();
  bodies_differ_by_their_keys();
  looks_do_not_count();
  return test_end();
}
