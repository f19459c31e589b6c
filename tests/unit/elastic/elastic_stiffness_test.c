// The highest frequency of bodies that random cracks cut and whose particles beside them are split: explicit
// steps of the limit are stable, since none is longer than those by many power iterations.
#include "elastic/elastic_stiffness.h"

#include "cracks/elastic_cut.h"
#include "cracks/elastic_split.h"
#include "elastic_kit.h"

#define BODIES 3        // of each kind
#define DISCS 5         // random cracks in a body
#define ITERATIONS 150  // of the power, until the frequency rises no more

static bool crosses(void *cracks, const double a[3], const double b[3]) {
  return mote_crack_cuts(cracks, a, b, NULL);
}

static void add_discs(uint64_t seed, int dimensions, const double size[3], mote_crack_sheets *cracks) {
  for (uint64_t n = 0; n < DISCS; ++n) {
    double centre[3], normal[3], radius = (2.0 + kit_random(60 + seed, 9 * n)) * KIT_SPACING;
    for (uint64_t k = 0; k < 3; ++k) {
      centre[k] = 0.5 * (1.0 + kit_random(60 + seed, 9 * n + 1 + k)) * size[k];
      normal[k] = kit_random(60 + seed, 9 * n + 4 + k);
    }
    if (dimensions == 2) centre[2] = normal[2] = 0.0;
    CHECK(mote_crack_add_disc(cracks, centre, normal, radius, KIT_SPACING, NULL) == MOTE_OK);
  }
  for (size_t k = 0; k < cracks->nodes; ++k)
    cracks->node[k].live = kit_random(70 + seed, k) > 0.0;  // some sheets are opaque
}

// The body in which every fourth particle, and all within a spacing of a crack, are split, as far as they
// may.
static elastic_kit split_kit(elastic_kit *kit, mote_elastic_def def, mote_crack_sheets *cracks) {
  mote_split_def split = {.most = SIZE_MAX, .crosses = crosses, .user = cracks};
  uint32_t *row = calloc(kit->count, sizeof *row);
  size_t count = 0;
  for (uint32_t i = 0; i < kit->count; ++i) {
    bool near = mote_crack_nearest(cracks, kit->rest + 3 * (size_t)i, KIT_SPACING, NULL, NULL) < KIT_SPACING;
    if (near || i % 4 == 0) row[count++] = i;
  }
  size_t most = mote_elastic_split_count(kit->body, count);
  elastic_kit out = {.rest = kit_array(3 * most), .x = kit_array(3 * most), .v = kit_array(3 * most)};
  mote_split_rows rows = {.rest = out.rest, .position = out.x, .velocity = out.v};
  rows.support = kit_array(most), rows.volume = kit_array(most), rows.parent = calloc(most, sizeof *row);
  mote_elastic_motion motion = kit_motion(kit);
  CHECK(mote_elastic_split(kit->body, &split, &motion, row, count, &rows, NULL) == MOTE_OK);
  CHECK(rows.count > kit->count);
  def.position = rows.rest, def.count = out.count = rows.count;
  def.support = rows.support, def.volume = rows.volume;
  CHECK(mote_elastic_create(&def, NULL, &out.body, NULL) == MOTE_OK);
  free(row), free(rows.support), free(rows.volume), free(rows.parent);
  return out;
}

static void cut_kit(elastic_kit *kit, const mote_crack_sheets *cracks, double support) {
  mote_elastic_cut cut = {.spacing = KIT_SPACING / support, .transparency = 1.0};
  mote_elastic_recut_report report;
  cut.eye = kit_array(3 * kit->count);
  memcpy(cut.eye, kit->rest, 3 * kit->count * sizeof *cut.eye);
  CHECK(mote_elastic_cut_begin(&cut, kit->body, NULL) == MOTE_OK);
  mote_elastic_cut_keep_off(&cut, kit->body, cracks, NULL);
  CHECK(mote_elastic_recut(kit->body, &cut, cracks, NULL, &report, NULL) == MOTE_OK);
  CHECK(report.changed > 0);
  mote_elastic_cut_end(&cut, kit->body);
  free(cut.eye);
}

// The limit by a few iterations is below that by many, but not by much.
static void check_limit(elastic_kit *kit, double *most) {
  mote_elastic_frequency found, cut;
  CHECK(mote_elastic_frequency_find(kit->body, ITERATIONS, &found, NULL) == MOTE_OK);
  CHECK(mote_elastic_frequency_of_cut(kit->body, &cut, NULL) == MOTE_OK);
  CHECK(found.bound == cut.bound && found.found <= found.bound);
  double limit = mote_elastic_step_limit(kit->body, &cut, 1.0);
  CHECK(limit * found.found <= 2.0);
  *most = max2(*most, 2.0 / (limit * found.found));
}

static void test_cuts(int dimensions, int order, mote_elastic_gradients gradient, double hourglass) {
  static const double origin[3] = {0};
  double whole = 0.0, broken = 0.0;
  for (uint64_t seed = 0; seed < (TEST_SHORT ? 1 : BODIES); ++seed) {
    mote_elastic_def def = kit_def(dimensions, order, 1e6, 0.2);
    int nz = dimensions == 2 ? 1 : 5;
    double size[3] = {8 * KIT_SPACING, 7 * KIT_SPACING, nz * KIT_SPACING};
    def.gradient = gradient, def.hourglass = hourglass, def.uniform_support = 2.4 * KIT_SPACING;
    elastic_kit kit = kit_make(def, 8, 7, nz, 0.2, origin);
    check_limit(&kit, &whole);
    mote_env env = mote_env_resolve(NULL);
    mote_crack_sheets cracks = mote_crack_sheets_make(dimensions, &env);
    add_discs(seed, dimensions, size, &cracks);
    elastic_kit parts = split_kit(&kit, def, &cracks);
    cut_kit(&parts, &cracks, def.uniform_support);
    check_limit(&parts, &broken);
    mote_crack_sheets_destroy(&cracks);
    kit_free(&kit), kit_free(&parts);
  }
  printf("%dD, order %d, hourglass %g: a step at least %.3f of the longest, %.3f when whole\n", dimensions,
         order, hourglass, 1.0 / broken, 1.0 / whole);
  CHECK(broken < 1.2 && whole < 1.2);
}

int main(void) {
  test_cuts(2, 1, MOTE_ELASTIC_DIRECT, 0.1);
  test_cuts(3, 1, MOTE_ELASTIC_DIRECT, 0.1);
  test_cuts(3, 1, MOTE_ELASTIC_DIRECT, 2.0);
  test_cuts(2, 2, MOTE_ELASTIC_DIRECT, 0.1);
  test_cuts(2, 1, MOTE_ELASTIC_ANALYTIC, 0.1);
  return test_end();
}
