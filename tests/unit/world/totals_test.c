// Totals against sums done by hand; the hash of state; tables of state.
#include "state/state.h"
#include "test.h"
#include "world_kit.h"

static void totals_are_sums(void) {
  world_kit kit;
  world_kit_everything(&kit, 3, 0.1);
  kit.body[0].spin[0] = 1.0, kit.body[0].spin[2] = 2.0;
  mote_world *world = world_kit_create(&kit, NULL);
  CHECK(mote_world_advance(world, 0.2, NULL) == MOTE_OK);
  const double *x = mote_world_view(world, "position").data;
  const float *v = mote_world_view(world, "velocity").data, *m = mote_world_view(world, "mass").data;
  mote_totals t;
  CHECK(mote_world_totals(world, &t, NULL) == MOTE_OK && t.particles == mote_world_particles(world));
  double mass = 0, kinetic = 0, potential = 0, p = 0, L = 0, centre = 0, fastest = 0;
  for (size_t i = 0; i < t.particles; ++i) {
    double mi = (double)m[i], vx = (double)v[3 * i], vy = (double)v[3 * i + 1], vz = (double)v[3 * i + 2];
    mass += mi, kinetic += 0.5 * mi * (vx * vx + vy * vy + vz * vz), potential += mi * 9.81 * x[3 * i + 1];
    p += mi * vx, L += mi * (x[3 * i] * vy - x[3 * i + 1] * vx), centre += mi * x[3 * i];
    fastest = fmax(fastest, sqrt(vx * vx + vy * vy + vz * vz));
  }
  CHECK_NEAR(t.mass, mass, 1e-12 * mass);
  CHECK_NEAR(t.kinetic_energy, kinetic, 1e-12 * kinetic);
  CHECK_NEAR(t.potential_energy, potential, 1e-12 * potential);
  CHECK_NEAR(t.momentum[0], p, 1e-9);
  CHECK_NEAR(t.angular_momentum[2], L, 1e-9);
  CHECK_NEAR(t.centre[0], centre / mass, 1e-12);
  CHECK(t.speed_max == fastest && t.time == 0.2 && t.step == mote_world_steps(world));
  CHECK(t.compression_max >= t.compression_mean && t.compression_mean >= 0.0 && t.compression_max < 0.5);
  CHECK(t.volume_error <= 0.0 && t.volume_error > -0.05);
  CHECK(t.particles == 4 * 6 * 4 + t.emitted - t.drained - t.left && t.emitted > 0);
  mote_world_destroy(world);
}

static void hashes_tell_worlds_apart(void) {
  world_kit kit;
  world_kit_dam(&kit, 2, 0.1);
  mote_world *a = world_kit_create(&kit, NULL), *b = world_kit_create(&kit, NULL);
  CHECK(mote_world_hash(a) == mote_world_hash(b));
  CHECK(mote_world_step(a, 0.1, NULL) == MOTE_OK && mote_world_hash(a) != mote_world_hash(b));
  CHECK(mote_world_step(b, 0.1, NULL) == MOTE_OK && mote_world_hash(a) == mote_world_hash(b));
  mote_world_destroy(a);
  mote_world_destroy(b);
}

static void tables_are_good(void) {
  mote_error error = {0};
  CHECK(mote_table_check(&mote_world_table, &error) == MOTE_OK);
  CHECK(mote_table_check(&mote_nozzle_table, &error) == MOTE_OK);
  mote_state state;
  CHECK(mote_state_make(NULL, 0, &state, NULL) == MOTE_OK &&
        *mote_state_f64(&state, MOTE_WORLD_FACTOR) == 1.0);
  CHECK(*mote_state_u64(&state, MOTE_WORLD_STEP) == 0);
  mote_state_destroy(&state);
}

int main(void) {
  totals_are_sums();
  hashes_tell_worlds_apart();
  tables_are_good();
  return test_end();
}
