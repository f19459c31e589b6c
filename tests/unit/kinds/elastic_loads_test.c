// Loads on elastic bodies: resultants are exact, pressure on a closed surface has none, moments turn without
// pushing, following loads turn with the body, their work is booked; holds clamp at a face or at centres.
#include <math.h>
#include <string.h>

#include "geom/triple.h"
#include "test.h"
#include "world_kit.h"

#define SPACING 0.05
#define EDGE 0.3

typedef struct trial {
  mote_world *world;
  mote_totals before, after;
} trial;

// A free cube (2D: square) of jelly at the origin without weight, with one load, after `seconds`.
static trial run(int dimensions, const mote_load_def *load, double seconds, double spin, bool ledger) {
  trial t = {0};
  mote_world_def def = mote_world_def_default();
  mote_material_def material;
  mote_body_def body = mote_body_def_default();
  CHECK(mote_material_def_preset("jelly", &material));
  material.elastic.integrator = MOTE_INTEGRATOR_EXPLICIT, material.elastic.strain_damping = 0.0;
  material.elastic.young = 1e5, material.elastic.poisson = 0.3;
  def.dimensions = dimensions, def.spacing = SPACING, def.gravity[1] = 0.0;
  CHECK(mote_world_create(&def, NULL, &t.world, NULL) == MOTE_OK);
  CHECK(mote_world_add_material(t.world, &material, NULL, NULL) == MOTE_OK);
  double half = 0.5 * EDGE;
  body.name = "cube", body.material = "jelly", body.load = load, body.loads = 1, body.spin[2] = spin;
  body.shape = mote_shape_def_box(-half, -half, -half, half, half, half);
  CHECK(mote_world_add_body(t.world, &body, NULL, NULL) == MOTE_OK);
  if (ledger) CHECK(mote_world_keep_ledger(t.world, true, NULL) == MOTE_OK);
  CHECK(mote_world_totals(t.world, &t.before, NULL) == MOTE_OK);
  CHECK(mote_world_advance(t.world, seconds, NULL) == MOTE_OK);
  CHECK(mote_world_totals(t.world, &t.after, NULL) == MOTE_OK);
  return t;
}

static mote_load_def everywhere(void) {
  mote_load_def load = mote_load_def_default();
  load.shape = mote_shape_def_box(-1.0, -1.0, -1.0, 1.0, 1.0, 1.0);
  return load;
}

// Traction on one face: force t A; pressure on the same one: p A along -x.
static void test_resultants(void) {
  for (int d = 2; d <= 3; ++d) {
    double area = d == 2 ? EDGE : EDGE * EDGE;
    mote_load_def load = everywhere();
    load.normal[0] = 1.0, load.normal[1] = load.normal[2] = 0.0;
    load.traction = mote_value3_make(3.0, -2.0, 0.0);
    trial t = run(d, &load, 0.02, 0.0, false);
    CHECK_NEAR(t.after.momentum[0], 0.02 * 3.0 * area, 1e-10 * area);
    CHECK_NEAR(t.after.momentum[1], 0.02 * -2.0 * area, 1e-10 * area);
    mote_world_destroy(t.world);
    load.traction = mote_value3_make(0.0, 0.0, 0.0), load.pressure.formula = "5*t";
    t = run(d, &load, 1e-3, 0.0, false);
    CHECK_NEAR(t.after.momentum[0] / area, 0.0, 1e-8);  // begins at 0
    mote_world_destroy(t.world);
    load.pressure.formula = NULL, load.pressure.constant = 5.0;
    t = run(d, &load, 1e-3, 0.0, false);
    CHECK_NEAR(t.after.momentum[0], -1e-3 * 5.0 * area, 1e-9 * area);
    CHECK_NEAR(t.after.momentum[1], 0.0, 1e-9 * area);
    mote_world_destroy(t.world);
  }
}

// Pressure all around: no force and no moment, and the body shrinks by p/K, about.
static void test_closed(void) {
  mote_load_def load = everywhere();
  load.pressure.constant = 1000.0;
  trial t = run(3, &load, 0.05, 0.0, false);
  double scale = 1000.0 * EDGE * EDGE * 0.05;
  CHECK(length3(t.after.momentum) < 1e-6 * scale);
  CHECK(t.after.elastic_energy > 0.0);
  mote_world_destroy(t.world);
}

static void test_moment(void) {
  for (int d = 2; d <= 3; ++d) {
    mote_load_def load = everywhere();
    load.moment = mote_value3_make(0.0, 0.0, 0.02);
    trial t = run(d, &load, 0.1, 0.0, false);
    CHECK(length3(t.after.momentum) < 1e-12);
    CHECK_NEAR(t.after.angular_momentum[2], 0.002, 1e-6 * 0.002);
    mote_world_destroy(t.world);
  }
}

// The body turns a quarter in the time: a load that keeps its direction pushes along x, one that follows it
// on average along both, with 2/pi of it each.
static void test_follow(void) {
  for (int follow = 0; follow < 2; ++follow) {
    mote_load_def load = everywhere();
    load.force = mote_value3_make(0.01, 0.0, 0.0), load.follow = follow;
    trial t = run(2, &load, 0.5, 3.14159265358979, false);
    double push = 0.01 * 0.5, part = follow ? 2.0 / 3.14159265 : 1.0;
    CHECK_NEAR(t.after.momentum[0], part * push, follow ? 0.03 * push : 1e-9 * push);
    CHECK_NEAR(t.after.momentum[1], follow ? part * push : 0.0, follow ? 0.03 * push : 1e-9 * push);
    mote_world_destroy(t.world);
  }
}

static void test_work(void) {
  mote_load_def load = everywhere();
  load.normal[0] = 1.0, load.normal[1] = load.normal[2] = 0.0;
  load.traction = mote_value3_make(500.0, 100.0, 0.0);
  trial t = run(2, &load, 0.1, 0.0, true);
  mote_ledger_entry entry;
  double work = (double)NAN;
  for (int k = 0; mote_world_ledger(t.world, k, &entry); ++k) {
    if (strcmp(entry.name, "work_loads") == 0) work = entry.energy;
  }
  double gained = t.after.kinetic_energy + t.after.elastic_energy;
  CHECK(gained > 0.0);
  CHECK_NEAR(work / gained, 1.0, 5e-3);  // to the energy of explicit steps
  mote_world_destroy(t.world);
}

static mote_result add_refused(mote_load_def *load, mote_error *error) {
  mote_world *world = NULL;
  mote_world_def def = mote_world_def_default();
  mote_material_def material;
  mote_body_def body = mote_body_def_default();
  CHECK(mote_material_def_preset("jelly", &material));
  def.spacing = SPACING;
  CHECK(mote_world_create(&def, NULL, &world, NULL) == MOTE_OK);
  CHECK(mote_world_add_material(world, &material, NULL, NULL) == MOTE_OK);
  body.name = "cube", body.material = "jelly", body.load = load, body.loads = 1;
  body.shape = mote_shape_def_box(0.0, 0.0, 0.0, EDGE, EDGE, EDGE);
  mote_result result = mote_world_add_body(world, &body, NULL, error);
  mote_world_destroy(world);
  return result;
}

static void test_refused(void) {
  mote_error error;
  mote_load_def load = everywhere();
  load.shape = mote_shape_def_box(0.1, 0.1, 0.1, 0.2, 0.2, 0.2);  // particles are inside, but no surface
  load.traction.x.constant = 1.0;
  CHECK(add_refused(&load, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "load[0].shape");
  load.traction.x.constant = 0.0, load.force.x.constant = 1.0;
  CHECK(add_refused(&load, &error) == MOTE_OK);
  load.moment.x.formula = "1 +";
  CHECK(add_refused(&load, &error) != MOTE_OK);
}

static mote_reading read_of(mote_world *world, mote_probe probe) {
  mote_reading r;
  CHECK(mote_world_probe_points(world, probe) == 1);
  CHECK(mote_world_probe(world, probe, &r, NULL) == MOTE_OK);
  return r;
}

static mote_probe add_probe(mote_world *world, const char *name, mote_probe_kind kind, const char *of,
                            const double from[3]) {
  mote_probe_def def = mote_probe_def_default();
  mote_probe probe = {0};
  def.name = name, def.kind = kind, def.of = of;
  copy3(from, def.from);
  CHECK(mote_world_add_probe(world, &def, &probe, NULL) == MOTE_OK);
  return probe;
}

// A block held at its top that stands on nothing, and one that rests on a floor: the point goes with its
// body, hold and floor bear the weights.
static void test_probes(void) {
  mote_world_def def = mote_world_def_default();
  mote_world *world = NULL;
  mote_material_def material;
  mote_body_def body = mote_body_def_default();
  mote_hold_def hold = mote_hold_def_default();
  mote_collider_def floor = mote_collider_def_default();
  const double corner[3] = {0.3, 0.5, 0.0}, zero[3] = {0.0, 0.0, 0.0};
  CHECK(mote_material_def_preset("rubber", &material));
  material.elastic.strain_damping = 0.05, material.elastic.integrator = MOTE_INTEGRATOR_IMPLICIT;
  material.elastic.poisson = 0.0;
  def.dimensions = 2, def.spacing = SPACING;
  CHECK(mote_world_create(&def, NULL, &world, NULL) == MOTE_OK);
  CHECK(mote_world_add_material(world, &material, NULL, NULL) == MOTE_OK);
  floor.name = "floor", floor.shape = mote_shape_def_box(-1.0, -0.3, -1.0, 2.0, 0.0, 1.0);
  CHECK(mote_world_add_collider(world, &floor, NULL, NULL) == MOTE_OK);
  body.name = "resting", body.material = "rubber",
  body.shape = mote_shape_def_box(0.0, 0.001, 0.0, 0.3, 0.201, 1.0);
  CHECK(mote_world_add_body(world, &body, NULL, NULL) == MOTE_OK);
  hold.shape = mote_shape_def_box(-1.0, 0.9, -1.0, 1.0, 2.0, 1.0);
  body.name = "hanging", body.shape = mote_shape_def_box(0.0, 0.5, 0.0, 0.3, 1.0, 1.0);
  body.hold = &hold, body.holds = 1;
  CHECK(mote_world_add_body(world, &body, NULL, NULL) == MOTE_OK);
  mote_probe tip = add_probe(world, "tip", MOTE_PROBE_BODY, "hanging", corner);
  mote_probe top = add_probe(world, "top", MOTE_PROBE_FORCE, "hanging", zero);
  mote_probe ground = add_probe(world, "ground", MOTE_PROBE_FORCE, "floor", zero);
  mote_probe block = add_probe(world, "block", MOTE_PROBE_FORCE, "resting", zero);
  CHECK(mote_world_advance(world, 1.5, NULL) == MOTE_OK);
  mote_reading r = read_of(world, tip);
  double weight = 1100.0 * 9.81, sink = weight * 0.4 * 0.4 / (2.0 * 1e6);  // of a bar that hangs from its top
  CHECK_NEAR(r.displacement[1], -sink, 0.05 * sink);
  CHECK_NEAR(r.position[1], 0.5 - sink, 0.05 * sink);
  CHECK(fabs(r.velocity[1]) < 1e-6);
  CHECK_NEAR(read_of(world, top).reaction[1], weight * 0.4 * 0.3, 0.03 * weight * 0.12);
  CHECK_NEAR(read_of(world, ground).force[1], -weight * 0.06, 1e-3 * weight * 0.06);
  CHECK_NEAR(read_of(world, block).force[1], weight * 0.06, 1e-3 * weight * 0.06);
  mote_probe_def wrong = mote_probe_def_default();
  mote_error error;
  wrong.name = "wrong", wrong.kind = MOTE_PROBE_BODY, wrong.of = "floor";
  CHECK(mote_world_add_probe(world, &wrong, NULL, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "of");
  wrong.of = "hanging";
  CHECK(mote_world_add_probe(world, &wrong, NULL, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "from");
  mote_world_destroy(world);
}

int main(void) {
  test_probes();
  test_resultants();
  test_closed();
  test_moment();
  test_follow();
  test_work();
  test_refused();
  return test_end();
}
