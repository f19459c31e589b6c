// Misuse of elastic bodies through the public header: every call fails with the name of the member, and
// nothing changes.
#include <math.h>
#include <mote/mote.h>
#include <string.h>

#include "test.h"

#define N 27

static double rest[3 * N], x[3 * N], v[3 * N], force[3 * N], plastic[6 * N];
static mote_error error;

static mote_elastic_def good_def(void) {
  mote_elastic_def def = mote_elastic_def_default();
  def.position = rest, def.count = N, def.uniform_support = 0.25, def.total_volume = 0.027;
  def.density = 1000.0, def.young = 1e6;
  return def;
}

static void make_points(void) {
  for (size_t i = 0; i < N; ++i) {
    rest[3 * i] = 0.1 * (double)(i % 3), rest[3 * i + 1] = 0.1 * (double)(i / 3 % 3);
    rest[3 * i + 2] = 0.1 * (double)(i / 9);
  }
  memcpy(x, rest, sizeof x);
}

static bool refused(mote_result result, const char *key) {
  bool ok = result == MOTE_ERROR_ARGUMENT && strcmp(error.key, key) == 0 && error.text[0] != '\0';
  if (!ok) fprintf(stderr, "wanted %s, got %d %s: %s\n", key, result, error.key, error.text);
  return ok;
}

static bool refused_def(const mote_elastic_def *def, const char *key) {
  mote_elastic *body = NULL;
  bool ok = refused(mote_elastic_create(def, NULL, &body, &error), key) && body == NULL;
  mote_elastic_destroy(body);
  return ok;
}

static void test_numbers(void) {
  static const double bad[] = {0.0, -1.0, (double)NAN, (double)INFINITY};
  for (int k = 0; k < 4; ++k) {
    mote_elastic_def def = good_def();
    def.young = bad[k];
    CHECK(refused_def(&def, "young"));
    def = good_def(), def.density = bad[k];
    CHECK(refused_def(&def, "density"));
    def = good_def(), def.uniform_support = bad[k];
    CHECK(refused_def(&def, "uniform_support"));
    def = good_def(), def.total_volume = bad[k];
    CHECK(refused_def(&def, "total_volume"));
    def = good_def();
    if (k > 0) def.hourglass = bad[k], CHECK(refused_def(&def, "hourglass"));
    def = good_def();
    if (k > 0) def.damping = bad[k], CHECK(refused_def(&def, "damping"));
    def = good_def();
    if (k > 0) def.volume_stiffness = bad[k], CHECK(refused_def(&def, "volume_stiffness"));
  }
  static const double poisson[] = {0.5, 0.7, -1.0, -2.0, (double)NAN};
  for (int k = 0; k < 5; ++k) {
    mote_elastic_def def = good_def();
    def.poisson = poisson[k];
    CHECK(refused_def(&def, "poisson"));
  }
}

static void test_defs(void) {
  mote_elastic_def def = good_def();
  def.order = 3;
  CHECK(refused_def(&def, "order"));
  def = good_def(), def.dimensions = 1;
  CHECK(refused_def(&def, "dimensions"));
  def = good_def(), def.kind = (mote_elastic_kind)77;
  CHECK(refused_def(&def, "kind"));
  def = good_def(), def.gradient = (mote_elastic_gradients)77;
  CHECK(refused_def(&def, "gradient"));
  def = good_def(), def.count = 0;
  CHECK(refused_def(&def, "count"));
  def = good_def(), def.position = NULL;
  CHECK(refused_def(&def, "position"));
  def = good_def(), rest[5] = (double)NAN;
  CHECK(refused_def(&def, "position"));
  make_points();
  double volume[N] = {1.0};
  def = good_def(), def.volume = volume;
  CHECK(refused_def(&def, "volume"));
  CHECK(refused(mote_elastic_create(NULL, NULL, NULL, &error), "def"));
  CHECK(refused(mote_elastic_create(&def, NULL, NULL, &error), "out"));
  CHECK(mote_elastic_create(NULL, NULL, NULL, NULL) == MOTE_ERROR_ARGUMENT);
  mote_elastic_destroy(NULL), mote_elastic_implicit_destroy(NULL), mote_elastic_skin_destroy(NULL);
}

static void test_motions(mote_elastic *body) {
  mote_elastic_motion motion = {.position = x, .velocity = v};
  mote_elastic_energies energy;
  double before[6 * N] = {0}, limit;
  CHECK(refused(mote_elastic_find_forces(NULL, &motion, force, &error), "body"));
  CHECK(refused(mote_elastic_find_forces(body, NULL, force, &error), "motion"));
  CHECK(refused(mote_elastic_find_forces(body, &motion, NULL, &error), "force"));
  CHECK(refused(mote_elastic_find_energies(body, &motion, NULL, &error), "out"));
  CHECK(refused(mote_elastic_find_strains(body, NULL, NULL, NULL, &error), "position"));
  CHECK(mote_elastic_find_strains(body, x, NULL, NULL, &error) == MOTE_OK);
  CHECK(refused(mote_elastic_find_stiffness(body, &motion, NULL, force, &error), "direction"));
  CHECK(refused(mote_elastic_find_limit(body, 0.5, &limit, &error), "stretch"));
  CHECK(refused(mote_elastic_find_limit(body, (double)NAN, &limit, &error), "stretch"));
  CHECK(mote_elastic_find_limit(body, 1.0, &limit, &error) == MOTE_OK && limit > 0.0);
  motion.before = before;
  CHECK(refused(mote_elastic_find_energies(body, &motion, &energy, &error), "step"));
  motion.before = NULL, x[7] = (double)NAN;
  CHECK(refused(mote_elastic_find_forces(body, &motion, force, &error), "position"));
  x[7] = rest[7];
}

static void test_steps(mote_elastic *body) {
  mote_elastic_motion motion = {.position = x, .velocity = v};
  mote_elastic_implicit_def def = mote_elastic_implicit_def_default();
  mote_elastic_implicit *solver;
  CHECK(mote_elastic_implicit_create(&def, body, &solver, &error) == MOTE_OK);
  static const double bad[] = {0.0, -0.1, (double)NAN, (double)INFINITY};
  for (int k = 0; k < 4; ++k) {
    CHECK(refused(mote_elastic_step(body, &motion, NULL, bad[k], force, &error), "dt"));
    CHECK(refused(mote_elastic_implicit_step(solver, &motion, NULL, bad[k], NULL, &error), "dt"));
  }
  v[4] = (double)INFINITY;
  CHECK(refused(mote_elastic_step(body, &motion, NULL, 0.01, force, &error), "velocity"));
  CHECK(refused(mote_elastic_implicit_step(solver, &motion, NULL, 0.01, NULL, &error), "velocity"));
  v[4] = 0.0, force[3] = (double)NAN;
  CHECK(refused(mote_elastic_implicit_step(solver, &motion, force, 0.01, NULL, &error), "acceleration"));
  force[3] = 0.0;
  CHECK(refused(mote_elastic_implicit_step(NULL, &motion, NULL, 0.01, NULL, &error), "solver"));
  CHECK(mote_elastic_implicit_step(solver, &motion, NULL, 0.01, NULL, &error) == MOTE_OK);
  mote_elastic_implicit_destroy(solver);
  def.scheme = (mote_elastic_scheme)9;
  CHECK(refused(mote_elastic_implicit_create(&def, body, &solver, &error), "scheme"));
  def = mote_elastic_implicit_def_default(), def.tolerance = 0.0;
  CHECK(refused(mote_elastic_implicit_create(&def, body, &solver, &error), "tolerance"));
  def = mote_elastic_implicit_def_default(), def.cg_max = 0;
  CHECK(refused(mote_elastic_implicit_create(&def, body, &solver, &error), "cg_max"));
  CHECK(refused(mote_elastic_implicit_create(NULL, body, &solver, &error), "def"));
}

static void test_flow(mote_elastic *body) {
  mote_elastic_motion motion = {.position = x, .velocity = v, .plastic = plastic};
  mote_plastic_law law = {.yield = 0.01, .rate = HUGE_VAL, .most = HUGE_VAL};
  size_t flowed = 7;
  CHECK(mote_elastic_flow_for(body, &law, &motion, 0.1, &flowed, &error) == MOTE_OK && flowed == 0);
  CHECK(refused(mote_elastic_flow_for(body, NULL, &motion, 0.1, NULL, &error), "law"));
  law.yield = -1.0;
  CHECK(refused(mote_elastic_flow_for(body, &law, &motion, 0.1, NULL, &error), "law.yield"));
  law.yield = 0.01, motion.plastic = NULL;
  CHECK(refused(mote_elastic_flow_for(body, &law, &motion, 0.1, NULL, &error), "plastic"));
  motion.plastic = plastic, plastic[4] = (double)NAN;
  CHECK(refused(mote_elastic_find_forces(body, &motion, force, &error), "plastic"));
  plastic[4] = 0.0;
}

static void test_skins(mote_elastic *body) {
  double vertex[3] = {0.1, 0.1, 0.1}, moved[3];
  const mote_elastic_skin_def good = {.kind = MOTE_SKIN_SHAPES,
                                      .body = body,
                                      .position = rest,
                                      .support = 0.25,
                                      .vertex = vertex,
                                      .count = 1};
  mote_elastic_skin_def def = good;
  mote_elastic_skin *skin = NULL;
  def.body = NULL;
  CHECK(refused(mote_elastic_skin_create(&def, &skin, &error), "body"));
  def = good, def.support = (double)NAN;
  CHECK(refused(mote_elastic_skin_create(&def, &skin, &error), "support"));
  def = good, def.count = 0;
  CHECK(refused(mote_elastic_skin_create(&def, &skin, &error), "count"));
  def = good, def.vertex = NULL;
  CHECK(refused(mote_elastic_skin_create(&def, &skin, &error), "vertex"));
  vertex[0] = 5.0;
  CHECK(mote_elastic_skin_create(&good, &skin, &error) == MOTE_ERROR_ARGUMENT && skin == NULL);
  CHECK(strstr(error.text, "vertex 0") != NULL);
  vertex[0] = 0.1;
  CHECK(mote_elastic_skin_create(&good, &skin, &error) == MOTE_OK);
  CHECK(refused(mote_elastic_skin_move(skin, NULL, moved, NULL, &error), "position"));
  CHECK(refused(mote_elastic_skin_move(skin, x, NULL, NULL, &error), "vertex"));
  CHECK(mote_elastic_skin_move(skin, x, moved, NULL, &error) == MOTE_OK);
  CHECK_NEAR(moved[0], 0.1, 1e-12);
  mote_elastic_skin_destroy(skin);
}

int main(void) {
  mote_elastic_def def = good_def();
  mote_elastic *body;
  make_points();
  test_numbers();
  test_defs();
  if (!CHECK(mote_elastic_create(&def, NULL, &body, &error) == MOTE_OK)) return test_end();
  CHECK(mote_elastic_count(body) == N);
  double mass = 0.0, volume = 0.0;
  for (size_t i = 0; i < N; ++i) mass += mote_elastic_mass(body)[i], volume += mote_elastic_volume(body)[i];
  CHECK_NEAR(mass, 1.0 * N, 1e-12 * N);
  CHECK_NEAR(volume, 1e-3 * N, 1e-15 * N);
  test_motions(body);
  test_steps(body);
  test_flow(body);
  test_skins(body);
  mote_elastic_destroy(body);
  return test_end();
}
