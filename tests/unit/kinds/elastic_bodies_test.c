// Elastic bodies in a world: fall, rotation, hanging, plastic set; snapshots restore all state; results do
// not depend on threads; a failed step is undone; invalid definitions fail with their key.
#include <math.h>

#include "test.h"
#include "world_kit.h"

#define SPACING 0.05

static mote_material_def jelly(void) {
  mote_material_def def;
  CHECK(mote_material_def_preset("jelly", &def));
  return def;
}

static mote_world *space(int dimensions, int threads, const mote_material_def *material) {
  mote_world_def def = mote_world_def_default();
  mote_env env = world_kit_env(threads);
  mote_world *world = NULL;
  def.dimensions = dimensions, def.spacing = SPACING;
  mote_solver_def_set_quality(&def.solver, MOTE_QUALITY_FAST);  // its support decides how deep grading begins
  CHECK(mote_world_create(&def, &env, &world, NULL) == MOTE_OK);
  CHECK(mote_world_add_material(world, material, NULL, NULL) == MOTE_OK);
  return world;
}

static mote_body_def box(const char *name, const char *material, double x, double y, double z) {
  mote_body_def def = mote_body_def_default();
  def.name = name, def.material = material;
  def.shape = mote_shape_def_box(0.0, 0.0, 0.0, x, y, z);
  return def;
}

static mote_totals totals_of(const mote_world *world) {
  mote_totals totals;
  CHECK(mote_world_totals(world, &totals, NULL) == MOTE_OK);
  return totals;
}

// Explicit and implicit, 2D and 3D: the centre falls like a stone, to the order of the integrator; angular
// momentum is conserved, exactly by explicit steps.
static void test_fall(void) {
  for (int kind = 0; kind < 6; ++kind) {
    mote_material_def material = jelly();
    material.elastic.integrator = kind % 3 == 0   ? MOTE_INTEGRATOR_EXPLICIT
                                  : kind % 3 == 1 ? MOTE_INTEGRATOR_IMPLICIT
                                                  : MOTE_INTEGRATOR_MIDPOINT;
    mote_world *world = space(2 + kind / 3, 1, &material);
    mote_body_def def = box("b", "jelly", 0.3, 0.2, 0.2);
    def.velocity.x.constant = 1.0, def.spin[2] = 3.0;
    CHECK(mote_world_add_body(world, &def, NULL, NULL) == MOTE_OK);
    mote_totals begin = totals_of(world);
    double volume = kind < 3 ? 0.06 : 0.012;
    CHECK_NEAR(begin.mass, 1050.0 * volume, 1e-9 * begin.mass);
    CHECK(mote_world_advance(world, 0.25, NULL) == MOTE_OK);
    mote_totals end = totals_of(world);
    double first = kind % 3 == 1 ? 9.81 * 0.25 * 0.5 * 0.005 : 1e-10;
    CHECK_NEAR(end.centre[0] - begin.centre[0], 0.25, 1e-10);
    CHECK_NEAR(end.centre[1] - begin.centre[1], -0.5 * 9.81 * 0.0625, 1.01 * first);
    CHECK_NEAR(end.momentum[1], -9.81 * 0.25 * end.mass, 1e-9 * end.mass);
    double turning[2];  // angular momentum about the centre
    for (int k = 0; k < 2; ++k) {
      const mote_totals *t = k == 0 ? &begin : &end;
      turning[k] = t->angular_momentum[2] - (t->centre[0] * t->momentum[1] - t->centre[1] * t->momentum[0]);
    }
    CHECK_NEAR(turning[1] / turning[0], 1.0, kind % 3 == 0 ? 1e-9 : kind % 3 == 1 ? 0.1 : 1e-3);
    mote_world_destroy(world);
  }
}

// The held end follows its prescribed motion bitwise; the body hangs from it and comes to rest, its top
// carrying the weight.
static void test_held(void) {
  for (int kind = 0; kind < 2; ++kind) {
    mote_material_def material = jelly();
    material.elastic.integrator = kind == 0 ? MOTE_INTEGRATOR_EXPLICIT : MOTE_INTEGRATOR_IMPLICIT;
    material.elastic.poisson = 0.0, material.elastic.strain_damping = 0.05, material.elastic.young = 5e4;
    mote_world *world = space(2, 1, &material);
    mote_hold_def hold = mote_hold_def_default();
    hold.shape = mote_shape_def_box(-1.0, 0.4, -1.0, 1.0, 1.0, 1.0);
    hold.motion.move.y.formula = "min(0.1*t, 0.02)";  // along the rope, to avoid a long swing
    mote_body_def def = box("rope", "jelly", 0.2, 0.5, 0.1);
    def.hold = &hold, def.holds = 1;
    CHECK(mote_world_add_body(world, &def, NULL, NULL) == MOTE_OK);
    CHECK(mote_world_advance(world, 1.2, NULL) == MOTE_OK);
    mote_field_view x = mote_world_elastic_view(world, "position"),
                    rest = mote_world_elastic_view(world, "rest");
    const double *at = x.data, *from = rest.data;
    double sink = 0.0;
    CHECK(x.count == 40 && mote_world_elastic_particles(world) == 40);
    for (size_t i = 0; i < x.count; ++i) {
      if (from[3 * i + 1] > 0.399) CHECK_NEAR(at[3 * i + 1], from[3 * i + 1] + 0.02, 1e-15);
      if (from[3 * i + 1] > 0.399) CHECK(at[3 * i] == from[3 * i]);
      if (from[3 * i + 1] < 0.05) sink += 0.25 * (from[3 * i + 1] + 0.02 - at[3 * i + 1]);
    }
    double L = 0.4;                                     // from the face of the hold
    double full = 1050.0 * 9.81 * L * L / (2.0 * 5e4);  // of a bar that hangs from its top
    CHECK_NEAR(sink, full, 0.03 * full);
    mote_totals end = totals_of(world);
    CHECK(end.kinetic_energy < 1e-5 * end.elastic_energy);
    mote_world_destroy(world);
  }
}

// A total load of N newtons stretches a bar by F L / E A, half of it at half the length.
static void test_load(void) {
  mote_material_def material = jelly();
  material.elastic.poisson = 0.0, material.elastic.strain_damping = 0.02, material.elastic.young = 1e6;
  material.elastic.integrator = MOTE_INTEGRATOR_IMPLICIT;
  mote_world_def def = mote_world_def_default();
  mote_world *world = NULL;
  def.dimensions = 2, def.spacing = SPACING, def.gravity[1] = 0.0;
  CHECK(mote_world_create(&def, NULL, &world, NULL) == MOTE_OK);
  CHECK(mote_world_add_material(world, &material, NULL, NULL) == MOTE_OK);
  mote_hold_def hold = mote_hold_def_default();
  mote_load_def load = mote_load_def_default();
  hold.shape = mote_shape_def_box(-1.0, -1.0, -1.0, 0.05, 1.0, 1.0);
  load.shape = mote_shape_def_box(0.95, -1.0, -1.0, 2.0, 1.0, 1.0);
  load.force.x.constant = 1000.0;
  mote_body_def bar = box("bar", "jelly", 1.0, 0.2, 1.0);
  bar.hold = &hold, bar.holds = 1, bar.load = &load, bar.loads = 1;
  CHECK(mote_world_add_body(world, &bar, NULL, NULL) == MOTE_OK);
  CHECK(mote_world_advance(world, 2.0, NULL) == MOTE_OK);
  const double *at = mote_world_elastic_view(world, "position").data,
               *rest = mote_world_elastic_view(world, "rest").data;
  double most = 0.0;
  for (size_t i = 0; i < mote_world_elastic_particles(world); ++i) most = fmax(most, at[3 * i] - rest[3 * i]);
  double strain = 1000.0 / 0.2 / 1e6;
  CHECK_NEAR(most, strain * 0.95, 0.1 * strain);  // between the held and the loaded rows
  mote_world_destroy(world);
}

static void add_all(mote_world *world) {
  mote_material_def clay;
  mote_hold_def hold = mote_hold_def_default();
  mote_force_def wind = mote_force_def_default();
  CHECK(mote_material_def_preset("clay", &clay));
  clay.elastic.young = 2e4;
  CHECK(mote_world_add_material(world, &clay, NULL, NULL) == MOTE_OK);
  hold.shape = mote_shape_def_sphere(0.0, 0.0, 0.0, 0.1);
  hold.motion.angle.formula = "t";
  mote_body_def one = box("one", "jelly", 0.3, 0.2, 0.2), two = box("two", "clay", 0.3, 0.2, 0.2);
  one.shape.angle = 0.3, two.shape.move[1] = 0.5;
  one.spin[0] = 2.0;
  two.hold = &hold, two.holds = 1;
  hold.shape.move[1] = 0.6;
  CHECK(mote_world_add_body(world, &one, NULL, NULL) == MOTE_OK);
  CHECK(mote_world_add_body(world, &two, NULL, NULL) == MOTE_OK);
  wind.name = "wind", wind.acceleration.x.formula = "3*y*cos(9*t)";
  CHECK(mote_world_add_force(world, &wind, NULL, NULL) == MOTE_OK);
}

static void test_same_bits(void) {
  mote_material_def material = jelly();
  mote_world *one = space(3, 1, &material), *many = space(3, 3, &material), *resumed = space(3, 1, &material);
  add_all(one), add_all(many), add_all(resumed);
  CHECK(mote_world_hash(one) == mote_world_hash(resumed));
  for (int frame = 1; frame <= 2; ++frame) {
    CHECK(mote_world_advance(one, 0.04 * frame, NULL) == MOTE_OK);
    CHECK(mote_world_advance(many, 0.04 * frame, NULL) == MOTE_OK);
  }
  CHECK(mote_world_hash(one) == mote_world_hash(many));
  CHECK(mote_world_step(one, 0.12, NULL) == MOTE_OK);  // in the middle of a frame
  kit_bytes bytes = world_kit_save(one);
  CHECK(world_kit_load(resumed, &bytes, NULL) == MOTE_OK);
  CHECK(mote_world_hash(one) == mote_world_hash(resumed));
  CHECK(mote_world_advance(one, 0.16, NULL) == MOTE_OK && mote_world_advance(resumed, 0.16, NULL) == MOTE_OK);
  CHECK(mote_world_hash(one) == mote_world_hash(resumed) && mote_world_hash(one) != mote_world_hash(many));
  double flown = 0.0;
  mote_field_view plastic = mote_world_elastic_view(one, "plastic_strain");
  for (size_t k = 0; k < plastic.count * 6; ++k) flown = fmax(flown, fabs(((const double *)plastic.data)[k]));
  CHECK(plastic.count > 0 && flown > 0.01);
  free(bytes.data);
  mote_world_destroy(one), mote_world_destroy(many), mote_world_destroy(resumed);
}

// --- Kinds of steps -----------------------------------------------------------------------------------

// A body with explicit steps flies, without gravity, at one with implicit steps, which is optional.
static mote_world *meeting(int threads, bool both) {
  mote_material_def quick = jelly(), slow = jelly();
  mote_world_def def = mote_world_def_default();
  mote_env env = world_kit_env(threads);
  mote_world *world = NULL;
  def.dimensions = 2, def.spacing = SPACING, def.gravity[1] = 0.0, def.solver.step_max = 0.004;
  CHECK(mote_world_create(&def, &env, &world, NULL) == MOTE_OK);
  quick.elastic.integrator = MOTE_INTEGRATOR_EXPLICIT, quick.elastic.young = 1e6,
  quick.elastic.strain_damping = 0.0;
  slow.name = "gel", slow.elastic.integrator = MOTE_INTEGRATOR_IMPLICIT;
  CHECK(mote_world_add_material(world, &quick, NULL, NULL) == MOTE_OK);
  CHECK(mote_world_add_material(world, &slow, NULL, NULL) == MOTE_OK);
  mote_body_def a = box("quick", "jelly", 0.3, 0.2, 0.0), b = box("slow", "gel", 0.2, 0.3, 0.0);
  a.velocity.x.constant = 2.0, a.spin[2] = 3.0, b.shape.move[0] = 0.6, b.spin[2] = -1.0;
  CHECK(mote_world_add_body(world, &a, NULL, NULL) == MOTE_OK);
  if (both) CHECK(mote_world_add_body(world, &b, NULL, NULL) == MOTE_OK);
  return world;
}

// While apart each has its own kind of step, and the explicit one moves bitwise as if alone; in contact both
// have implicit steps, and momentum is conserved; afterwards each returns to its own.
static void test_kinds(void) {
  mote_world *one = meeting(1, true), *many = meeting(3, true), *alone = meeting(1, false),
             *resumed = meeting(1, true);
  mote_totals begin = totals_of(one);
  CHECK(mote_world_advance(one, 0.08, NULL) == MOTE_OK && mote_world_advance(alone, 0.08, NULL) == MOTE_OK);
  mote_step_report apart = mote_world_report(one);
  CHECK(apart.elastic_steps > 1 && apart.elastic_newton > 0 && apart.elastic_contacts == 0);
  const double *x = mote_world_elastic_view(one, "position").data,
               *y = mote_world_elastic_view(alone, "position").data;
  for (size_t c = 0; c < 3 * mote_world_elastic_particles(alone); ++c) CHECK(x[c] == y[c]);
  double times[] = {0.16, 0.2, 0.6};  // ends of frames, common to all
  CHECK(mote_world_advance(many, 0.08, NULL) == MOTE_OK);
  for (int k = 0; k < 3; ++k) {
    CHECK(mote_world_advance(one, times[k], NULL) == MOTE_OK);
    mote_step_report did = mote_world_report(one);
    CHECK((did.elastic_contacts > 0) == (k < 2) && (did.elastic_steps == 1) == (k < 2) &&
          did.elastic_newton > 0);
    CHECK(mote_world_advance(many, times[k], NULL) == MOTE_OK);
    if (k > 0) CHECK(mote_world_advance(resumed, times[k], NULL) == MOTE_OK);
    if (k > 0) continue;
    kit_bytes bytes = world_kit_save(one);
    CHECK(world_kit_load(resumed, &bytes, NULL) == MOTE_OK);
    free(bytes.data);
  }
  CHECK(mote_world_hash(one) == mote_world_hash(many) && mote_world_hash(one) == mote_world_hash(resumed));
  mote_totals end = totals_of(one);
  for (int a = 0; a < 2; ++a) {
    CHECK_NEAR(end.momentum[a], begin.momentum[a], 1e-6 * begin.momentum[0]);
  }
  CHECK(end.kinetic_energy + end.elastic_energy < begin.kinetic_energy + begin.elastic_energy);
  mote_world_destroy(one), mote_world_destroy(many), mote_world_destroy(alone), mote_world_destroy(resumed);
}

// A formula that becomes NaN: the world returns to the start of the frame.
static void test_taken_back(void) {
  mote_material_def material = jelly();
  mote_world *world = space(2, 1, &material);
  mote_force_def wind = mote_force_def_default();
  mote_body_def def = box("b", "jelly", 0.3, 0.2, 0.2);
  CHECK(mote_world_add_body(world, &def, NULL, NULL) == MOTE_OK);
  wind.name = "wind", wind.acceleration.x.formula = "sqrt(0.05 - t)";
  CHECK(mote_world_add_force(world, &wind, NULL, NULL) == MOTE_OK);
  CHECK(mote_world_advance(world, 0.04, NULL) == MOTE_OK);
  uint64_t hash = mote_world_hash(world);
  mote_error error = {0};
  CHECK(mote_world_advance(world, 0.08, &error) == MOTE_ERROR_NUMERIC);
  CHECK(strstr(error.text, "wind") != NULL && mote_world_time(world) == 0.04);
  const double *x = mote_world_elastic_view(world, "position").data;
  for (size_t k = 0; k < 3 * mote_world_elastic_particles(world); ++k) CHECK(isfinite(x[k]));
  CHECK(hash != mote_world_hash(world));  // it has tried
  mote_world_destroy(world);
}

static void refuse(mote_world *world, const mote_body_def *def, const char *key, const char *text) {
  mote_error error = {0};
  uint64_t hash = mote_world_hash(world);
  CHECK(mote_world_add_body(world, def, NULL, &error) != MOTE_OK);
  if (strcmp(error.key, key) != 0 || strstr(error.text, text) == NULL)
    fprintf(stderr, "%s: %s\n", error.key, error.text);
  CHECK(strcmp(error.key, key) == 0 && strstr(error.text, text) != NULL);
  CHECK(mote_world_hash(world) == hash);
}

static void test_refused(void) {
  mote_material_def material = jelly(), water = mote_material_def_default();
  mote_world *world = space(3, 1, &material);
  CHECK(mote_world_add_material(world, &water, NULL, NULL) == MOTE_OK);
  mote_hold_def hold = mote_hold_def_default();
  mote_body_def good = box("good", "jelly", 0.3, 0.2, 0.2), bad = box("bad", "jelly", 0.3, 0.2, 0.05);
  refuse(world, &bad, "shape", "too thin");
  bad = box("bad", "jelly", 0.3, 0.2, 0.2);
  bad.fixed = true;
  refuse(world, &bad, "fixed", "elastic");
  bad.fixed = false, bad.pressure.constant = 1.0;
  refuse(world, &bad, "pressure", "elastic");
  bad.pressure.constant = 0.0, bad.hold = &hold, bad.holds = 1;
  refuse(world, &bad, "hold[0].shape", "missing");
  hold.shape = mote_shape_def_sphere(3.0, 3.0, 3.0, 0.5);
  refuse(world, &bad, "hold[0].shape", "no particle");
  hold.shape.radius = 9.0, hold.motion.move.x.formula = "t +";
  refuse(world, &bad, "hold[0].motion.move", "");
  CHECK(mote_world_add_body(world, &good, NULL, NULL) == MOTE_OK);
  bad.holds = 0;
  refuse(world, &bad, "shape", "overlaps \"good\"");
  bad = box("flow", "water", 0.2, 0.2, 0.2);
  refuse(world, &bad, "shape", "nothing of the body is left");
  mote_world_destroy(world);
  mote_error error = {0};
  struct {
    const char *key;
    double young, poisson;
    mote_elastic_kind law;
    double yields;
  } wrong[] = {{"young", 0.0, 0.3, 0, 1.0},         {"young", -1e5, 0.3, 0, 1.0},
               {"young", (double)NAN, 0.3, 0, 1.0}, {"poisson", 1e5, 0.5, 0, 1.0},
               {"poisson", 1e5, -1.0, 0, 1.0},      {"poisson", 1e5, 0.7, 0, 1.0},
               {"yield_strain", 1e5, 0.3, 0, 0.0}};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    material = jelly();
    material.elastic.young = wrong[k].young, material.elastic.poisson = wrong[k].poisson;
    material.elastic.law = wrong[k].law, material.elastic.yield_strain = wrong[k].yields;
    mote_world_def def = mote_world_def_default();
    def.spacing = SPACING;
    CHECK(mote_world_create(&def, NULL, &world, NULL) == MOTE_OK);
    CHECK(mote_world_add_material(world, &material, NULL, &error) == MOTE_ERROR_ARGUMENT);
    CHECK(strcmp(error.key, wrong[k].key) == 0);
    mote_world_destroy(world);
  }
}

// Tip deflection of a 2D cantilever, 8 across, under its weight, from the mean of its last column.
static double sag_of(int grading, size_t *count) {
  mote_material_def material = jelly();
  material.elastic.strain_damping = 0.2, material.elastic.young = 1e6, material.elastic.poisson = 0.3;
  material.elastic.integrator = MOTE_INTEGRATOR_IMPLICIT;
  mote_world *world = space(2, 1, &material);
  mote_hold_def hold = mote_hold_def_default();
  hold.shape = mote_shape_def_box(-1.0, -1.0, -1.0, SPACING, 1.0, 1.0);
  mote_body_def def = box("beam", "jelly", 1.2, 0.4, 0.4);
  def.hold = &hold, def.holds = 1, def.grading = grading;
  CHECK(mote_world_add_body(world, &def, NULL, NULL) == MOTE_OK);
  CHECK_NEAR(totals_of(world).mass, 1050.0 * 1.2 * 0.4, 1e-9);
  CHECK(mote_world_advance(world, 1.5, NULL) == MOTE_OK);
  const double *at = mote_world_elastic_view(world, "position").data,
               *rest = mote_world_elastic_view(world, "rest").data;
  double sum = 0.0, number = 0.0;
  *count = mote_world_elastic_particles(world);
  for (size_t i = 0; i < *count; ++i) {
    if (rest[3 * i] > 1.2 - SPACING) sum += rest[3 * i + 1] - at[3 * i + 1], number += 1.0;
  }
  mote_world_destroy(world);
  return sum / number;
}

// Coarse inside, a beam has two thirds of the particles and the same deflection within one per cent.
static void test_graded(void) {
  size_t even, graded;
  double wanted = sag_of(1, &even), found = sag_of(2, &graded);
  printf("cantilever: %zu particles, graded %zu, sag %.5f of the even one\n", even, graded, found / wanted);
  CHECK(even == 192 && graded == 132);
  CHECK_NEAR(found / wanted, 1.0, 0.01);
}

int main(void) {
  TEST_LONG(test_graded());  // unit/elastic/elastic_graded and unit/geom/shape_grade are short
  test_fall();
  test_held();
  TEST_LONG(test_load());
  test_same_bits();
  test_kinds();
  test_taken_back();
  test_refused();
  return test_end();
}
