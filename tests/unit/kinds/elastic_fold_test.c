// Folds of elastic bodies: a block pressed to a fifth of its height comes back, or the world reports it; the
// count of particles that are turned inside out.
#include <math.h>

#include "elastic/elastic_inversion.h"
#include "test.h"
#include "world_kit.h"

#define SPACING 0.05

// A block under a plate that presses it to a fifth of its height within half a second and then leaves. Plane
// strain, without weight and friction.
static mote_world *pressed(mote_elastic_kind law, mote_integrator integrator, int across) {
  mote_world_def def = mote_world_def_default();
  mote_material_def material;
  mote_body_def body = mote_body_def_default();
  mote_collider_def plate = mote_collider_def_default();
  mote_world *world = NULL;
  double high = across * SPACING;
  char motion[96];
  CHECK(mote_material_def_preset("rubber", &material));
  material.name = "stuff", material.elastic.law = law, material.elastic.poisson = 0.3;
  material.elastic.young = 1e5, material.elastic.strain_damping = 0.005, material.friction = 0.0;
  material.elastic.integrator = integrator;
  def.dimensions = 2, def.spacing = SPACING, def.gravity[1] = 0.0;
  def.low[1] = 0.0, def.side[1][0] = MOTE_SIDE_WALL;
  body.name = "block", body.material = "stuff";
  body.shape = mote_shape_def_box(0.0, 0.0, -1.0, high, high, 1.0);
  plate.name = "plate", plate.shape = mote_shape_def_box(-2.0, high, -1.0, 2.0, high + 0.1, 1.0);
  snprintf(motion, sizeof motion, "-%g*min(2*t, 1) + 2*max(0, t - 0.6)", 0.8 * high);
  plate.motion.move.y.formula = motion;
  CHECK(mote_world_create(&def, NULL, &world, NULL) == MOTE_OK);
  CHECK(mote_world_add_material(world, &material, NULL, NULL) == MOTE_OK);
  CHECK(mote_world_add_body(world, &body, NULL, NULL) == MOTE_OK);
  CHECK(mote_world_add_collider(world, &plate, NULL, NULL) == MOTE_OK);
  return world;
}

// The largest change of a distance from the first particle, which turns and moves with the block.
static double strain_of(const mote_world *world) {
  const double *x = mote_world_elastic_view(world, "position").data,
               *X = mote_world_elastic_view(world, "rest").data;
  double most = 0.0;
  for (size_t i = 1; i < mote_world_elastic_particles(world); ++i) {
    double now = hypot(x[3 * i] - x[0], x[3 * i + 1] - x[1]),
           rest = hypot(X[3 * i] - X[0], X[3 * i + 1] - X[1]);
    most = fmax(most, fabs(now / rest - 1.0));
  }
  return most;
}

static void advance(mote_world *world) {
  for (int frame = 1; frame <= 35; ++frame) CHECK(mote_world_advance(world, frame / 25.0, NULL) == MOTE_OK);
}

// With self-contact from inside, and without fold control, it stayed a knot.
static void test_comes_back(void) {
  static const mote_integrator integrator[3] = {MOTE_INTEGRATOR_IMPLICIT, MOTE_INTEGRATOR_EXPLICIT,
                                                MOTE_INTEGRATOR_MIDPOINT};
  for (int c = 0; c < (TEST_SHORT ? 2 : 6); ++c) {
    mote_elastic_kind law = c % 2 == 0 ? MOTE_ELASTIC_COROTATED : MOTE_ELASTIC_NEO_HOOKEAN;
    mote_world *world = pressed(law, integrator[c / 2], 4 + c / 2);
    advance(world);
    mote_totals t;
    CHECK(mote_world_totals(world, &t, NULL) == MOTE_OK);
    printf("law %d, integrator %d: strain left %.4f, inverted %zu, at most %zu\n", (int)law,
           (int)integrator[c / 2], strain_of(world), t.inverted, mote_world_inversion_report(world).most);
    CHECK(t.inverted == 0 && strain_of(world) < 0.05);
    // The neo-Hookean law need not invert at all.
    CHECK(law == MOTE_ELASTIC_NEO_HOOKEAN || mote_world_inversion_report(world).most > 0);
    mote_world_destroy(world);
  }
}

static void test_reported(void) {
  mote_world *world = pressed(MOTE_ELASTIC_SAINT_VENANT, MOTE_INTEGRATOR_IMPLICIT, 6);
  advance(world);
  mote_totals t;
  mote_inversion_report report = mote_world_inversion_report(world);
  CHECK(mote_world_totals(world, &t, NULL) == MOTE_OK);
  CHECK(t.inverted > 0 && report.most >= t.inverted && report.frames > 3 && report.svk);
  CHECK(strstr(mote_inversion_text(report), "neo_hookean") != NULL);
  CHECK(report.time > 0.1 && report.time < 1.4);
  mote_world_destroy(world);
}

// Particles at rest, turned and stretched are right; a mirrored block is inverted as a whole, and a particle
// that has passed its neighbour is one of few, though det F of no fit is negative.
static void test_count(void) {
  for (int d = 2; d <= 3; ++d) {
    mote_elastic_def def = mote_elastic_def_default();
    double x[3 * 216], rest[3 * 216];
    size_t count = d == 2 ? 36 : 216;
    mote_elastic *body = NULL;
    for (size_t i = 0; i < count; ++i) {
      for (size_t k = 0; k < 3; ++k) {
        rest[3 * i + k] = SPACING * (double)(k == 0 ? i % 6 : k == 1 ? i / 6 % 6 : i / 36);
      }
    }
    def.dimensions = d, def.position = rest, def.count = count, def.density = 1e3, def.young = 1e5;
    def.total_volume = 1.0, def.uniform_support = 2.4 * SPACING;
    CHECK(mote_elastic_create(&def, NULL, &body, NULL) == MOTE_OK);
    for (size_t i = 0; i < count; ++i) {
      x[3 * i] = -rest[3 * i + 1], x[3 * i + 1] = 1.5 * rest[3 * i], x[3 * i + 2] = rest[3 * i + 2];
    }
    CHECK(mote_elastic_inverted(body, rest) == 0 && mote_elastic_inverted(body, x) == 0);
    for (size_t i = 0; i < count; ++i) x[3 * i] = -x[3 * i];
    CHECK(mote_elastic_inverted(body, x) == count);
    memcpy(x, rest, sizeof x);
    x[3 * 14] += 1.3 * SPACING;
    size_t found = mote_elastic_inverted(body, x);
    CHECK(found == 2);
    mote_elastic_destroy(body);
  }
}

int main(void) {
  test_count();
  test_comes_back();
  TEST_LONG(test_reported());
  return test_end();
}
