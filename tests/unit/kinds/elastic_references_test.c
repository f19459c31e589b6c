// Renewed references in a world: they are renewed during flow, on any number of threads; snapshots and
// returns to the start of a frame restore them; the total plastic strain is reported.
#include <math.h>

#include "abuse.h"
#include "scene/def_check.h"
#include "test.h"
#include "world_kit.h"

#define SPACING 0.05
#define RENEW 0.3

static mote_material_def clay(mote_integrator integrator) {
  mote_material_def def;
  CHECK(mote_material_def_preset("clay", &def));
  def.elastic.young = 2e5, def.elastic.yield_strain = 0.02, def.elastic.strain_damping = 0.002;
  def.elastic.renew_strain = RENEW, def.elastic.integrator = integrator;
  return def;
}

// A block whose top moves sideways, two of its heights per second. `fails`: at 0.5 s.
static mote_world *sheared_in(const mote_env *env, mote_integrator integrator, bool fails) {
  mote_world_def def = mote_world_def_default();
  mote_material_def material = clay(integrator);
  mote_body_def block = mote_body_def_default();
  mote_hold_def hold[2] = {mote_hold_def_default(), mote_hold_def_default()};
  mote_force_def force = mote_force_def_default();
  mote_world *world = NULL;
  def.dimensions = 2, def.spacing = SPACING, def.gravity[1] = 0.0, def.solver.step_max = 0.01;
  CHECK(mote_world_create(&def, env, &world, NULL) == MOTE_OK);
  CHECK(mote_world_add_material(world, &material, NULL, NULL) == MOTE_OK);
  block.name = "block", block.material = "clay";
  block.shape = mote_shape_def_box(0.0, 0.0, 0.0, 0.6, 0.4, 0.0);
  hold[0].shape = mote_shape_def_box(-1.0, -1.0, -1.0, 1.0, SPACING, 1.0);
  hold[1].shape = mote_shape_def_box(-1.0, 0.4 - SPACING, -1.0, 1.0, 1.0, 1.0);
  hold[1].motion.move.x.formula = "0.8*t";
  block.hold = hold, block.holds = 2;
  CHECK(mote_world_add_body(world, &block, NULL, NULL) == MOTE_OK);
  force.name = "end", force.acceleration.x.formula = fails ? "0*sqrt(0.5 - t)" : "0";
  CHECK(mote_world_add_force(world, &force, NULL, NULL) == MOTE_OK);
  return world;
}

static mote_world *sheared(int threads, mote_integrator integrator, bool fails) {
  mote_env env = world_kit_env(threads);
  return sheared_in(&env, integrator, fails);
}

static double moved(const mote_world *world) {
  const double *to = mote_world_elastic_view(world, "reference").data,
               *rest = mote_world_elastic_view(world, "rest").data;
  double most = 0.0;
  for (size_t k = 0; k < 3 * mote_world_elastic_particles(world); ++k)
    most = fmax(most, fabs(to[k] - rest[k]));
  return most;
}

// Of the particle in the middle.
static double flow_of(const mote_world *world) {
  double flow[512] = {0}, found = 0.0;
  const double *rest = mote_world_elastic_view(world, "rest").data;
  mote_elastic_measures out = {.plastic = flow};
  CHECK(mote_world_elastic_particles(world) <= 512 &&
        mote_world_elastic_measure(world, &out, NULL) == MOTE_OK);
  for (size_t i = 0; i < mote_world_elastic_particles(world); ++i) {
    if (hypot(rest[3 * i] - 0.275, rest[3 * i + 1] - 0.225) < 0.1 * SPACING) found = flow[i];
  }
  return found;
}

static double energy_of(const mote_world *world) {
  mote_totals totals = {0};
  CHECK(mote_world_totals(world, &totals, NULL) == MOTE_OK);
  return totals.elastic_energy;
}

static void check_same(const mote_world *a, const mote_world *b) {
  CHECK(mote_world_hash(a) == mote_world_hash(b) && energy_of(a) == energy_of(b));
}

static void test_same_bits(mote_integrator integrator) {
  mote_world *one = sheared(1, integrator, false), *many = sheared(3, integrator, false),
             *resumed = sheared(2, integrator, false);
  CHECK(mote_world_advance(one, 0.1, NULL) == MOTE_OK && moved(one) == 0.0);
  kit_bytes early = world_kit_save(one);
  CHECK(mote_world_advance(one, 0.7, NULL) == MOTE_OK && moved(one) > 0.3);
  kit_bytes late = world_kit_save(one);
  CHECK(mote_world_advance(many, 0.1, NULL) == MOTE_OK && mote_world_advance(many, 0.7, NULL) == MOTE_OK);
  check_same(one, many);
  // A shear of 1.6 between the holds, stretches of 2.08 and 1/2.08, is a plastic strain of 1.04; in the
  // middle slightly more, because free faces lag behind. The strain since the last reference would be below
  // 0.6.
  CHECK(flow_of(one) > 1.0 && flow_of(one) < 1.4);
  CHECK(world_kit_load(resumed, &late, NULL) == MOTE_OK);
  check_same(one, resumed);
  CHECK(flow_of(one) == flow_of(resumed));
  CHECK(mote_world_advance(one, 0.9, NULL) == MOTE_OK && mote_world_advance(resumed, 0.9, NULL) == MOTE_OK);
  check_same(one, resumed);
  CHECK(world_kit_load(resumed, &early, NULL) == MOTE_OK && moved(resumed) == 0.0);  // back to the rest shape
  if (!TEST_SHORT) {
    CHECK(mote_world_advance(resumed, 0.7, NULL) == MOTE_OK);
    check_same(many, resumed);
  }
  free(early.data), free(late.data);
  mote_world_destroy(one), mote_world_destroy(many), mote_world_destroy(resumed);
}

// A frame with a renewal fails: the world is restored, and continues bitwise like one that started there.
static void test_taken_back(void) {
  mote_world *world = sheared(1, MOTE_INTEGRATOR_IMPLICIT, true),
             *other = sheared(1, MOTE_INTEGRATOR_IMPLICIT, true);
  CHECK(mote_world_advance(world, 0.1, NULL) == MOTE_OK);
  double energy = energy_of(world);
  CHECK(mote_world_advance(world, 0.6, NULL) == MOTE_ERROR_NUMERIC);
  CHECK(mote_world_time(world) == 0.1 && moved(world) == 0.0);
  CHECK(energy_of(world) == energy);  // of the restored body
  kit_bytes bytes = world_kit_save(world);
  CHECK(world_kit_load(other, &bytes, NULL) == MOTE_OK);
  CHECK(mote_world_advance(world, 0.4, NULL) == MOTE_OK && mote_world_advance(other, 0.4, NULL) == MOTE_OK);
  CHECK(moved(world) > 0.1);
  check_same(world, other);
  free(bytes.data);
  mote_world_destroy(world), mote_world_destroy(other);
}

// A world reports all its memory, factors and bodies of old references included, and frees all of it.
static void test_bytes(void) {
  abuse_memory used;
  mote_env env = abuse_env(&used, -1);
  mote_world *world = sheared_in(&env, MOTE_INTEGRATOR_IMPLICIT, false);
  CHECK(mote_world_bytes(world) == used.bytes);
  for (int frame = 1; frame <= 7; ++frame) {
    CHECK(mote_world_advance(world, 0.1 * frame, NULL) == MOTE_OK && mote_world_bytes(world) == used.bytes);
  }
  CHECK(moved(world) > 0.3);
  mote_world_destroy(world);
  CHECK(used.bytes == 0);
}

static void test_refused(void) {
  mote_material_def def = clay(MOTE_INTEGRATOR_IMPLICIT);
  mote_error error = {0};
  def.elastic.renew_strain = 0.01;
  CHECK(mote_material_def_check(&def, &error) == MOTE_ERROR_ARGUMENT &&
        strcmp(error.key, "renew_strain") == 0);
  def.elastic.renew_strain = (double)NAN;
  CHECK(mote_material_def_check(&def, &error) == MOTE_ERROR_ARGUMENT &&
        strcmp(error.key, "renew_strain") == 0);
  def.elastic.renew_strain = 1.0, def.elastic.plastic_max = 3.0;
  CHECK(mote_material_def_check(&def, &error) == MOTE_ERROR_ARGUMENT &&
        strstr(error.text, "plastic_max") != NULL);
}

int main(void) {
  test_same_bits(MOTE_INTEGRATOR_IMPLICIT);
  test_same_bits(MOTE_INTEGRATOR_EXPLICIT);
  test_taken_back();
  test_bytes();
  test_refused();
  return test_end();
}
