// No impact gives energy: rods and boxes that spin, with friction and restitution, one or many at once.
#include "contact/contact_gain.h"

#include "base/random.h"
#include "contact_kit.h"

#define D 0.02

static double random_of(uint64_t stream, uint64_t k) {
  return 2.0 * mote_random_uniform(5, stream, k) - 1.0;
}

// One body thrown on a floor, spinning. Returns how much of its energy is left.
static double throw_one(uint64_t seed, double e, double friction, double spin) {
  kit_world *w = kit_make(D, 5e-3, 1);
  mote_shape_def rod = mote_shape_def_box(-0.15, 0.2, -0.03, 0.15, 0.26, 0.03), ground = kit_floor(0.0, 0.0);
  kit_body(w, &rod, 1000.0, friction, e);
  kit_obstacle(w, &ground);
  double turn[3], omega[3];
  for (int a = 0; a < 3; ++a) {
    turn[a] = 3.0 * random_of(1, 3 * seed + (uint64_t)a),
    omega[a] = spin * random_of(2, 3 * seed + (uint64_t)a);
    w->obstacle[0].v[a] = 3.0 * random_of(3, 3 * seed + (uint64_t)a);
  }
  kit_turn(w, 0, turn);
  mote_rigid_momentum(&w->body[0], w->q[0], omega, w->L[0]);
  double least = kit_energy(w), first = least, most = 0.0;
  for (int s = 0; s < 100; ++s) {
    kit_step(w);
    double now = kit_energy(w);
    most = max2(most, now - least);
    least = min2(least, now);
  }
  CHECK(most < 0.01 * first);
  kit_free(w);
  return least / first;
}

static void test_throws(void) {
  double kept = 0.0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    (void)throw_one(seed, 1.0, 1.0, 50.0);
    (void)throw_one(seed, 0.5, 0.3, 200.0);
    kept += throw_one(seed, 1.0, 0.0, 20.0) / 20.0;
  }
  CHECK(kept > 0.5);  // what bounces without friction is not stopped to keep it from gaining
}

// A heavy box falls on a light one: the impulses of the impact do not come again in the next step.
static void test_next_step(void) {
  kit_world *w = kit_make(D, 5e-3, 1);
  mote_shape_def low = mote_shape_def_box(-0.03, 0, -0.03, 0.03, 0.06, 0.03), ground = kit_floor(0.0, 0.0);
  mote_shape_def high = mote_shape_def_box(-0.02, 0.08, -0.03, 0.04, 0.14, 0.03);
  kit_body(w, &low, 100.0, 0.5, 0.0);
  size_t top = kit_body(w, &high, 2e5, 0.5, 0.0);
  kit_obstacle(w, &ground);
  w->obstacle[top].v[0] = -1.7, w->obstacle[top].v[1] = -1.5;
  const double spin[3] = {0.0, 0.0, 7.0};
  mote_rigid_momentum(&w->body[top], w->q[top], spin, w->L[top]);
  double least = kit_energy(w), first = least;
  for (int s = 0; s < 60; ++s) {
    kit_step(w);
    CHECK(kit_energy(w) < least + 1e-3 * first);
    least = min2(least, kit_energy(w));
  }
  kit_free(w);
}

int main(void) {
  test_throws();
  test_next_step();
  return test_end();
}
