// Corrected integration: constant stress is in balance with the loads of its tractions at every particle,
// also of irregular ones; linear fields keep exact gradients; shares of loads keep force and moment; clamped
// particles store no energy.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "elastic_kit.h"
#include "geom/shape_faces.h"

#define YOUNG 1e6

static mote_faces faces_of(int d, int nx, int ny, int nz) {
  mote_shape_def def =
      mote_shape_def_box(0.0, 0.0, 0.0, nx * KIT_SPACING, ny * KIT_SPACING, nz * KIT_SPACING);
  mote_shape *shape = NULL;
  mote_faces faces;
  mote_env env = mote_env_resolve(NULL);
  CHECK(mote_shape_create(&def, d, NULL, &shape, NULL) == MOTE_OK);
  CHECK(mote_shape_faces(shape, d, 0.25 * KIT_SPACING, &env, &faces, NULL) == MOTE_OK);
  mote_shape_destroy(shape);
  return faces;
}

// Saint-Venant-Kirchhoff without Poisson's effect: P = F E strain.
static void stress_of(const double g[9], double P[9]) {
  double F[9], strain[9];
  for (int e = 0; e < 9; ++e) F[e] = g[e] + (e % 4 == 0);
  for (int e = 0; e < 9; ++e) {
    int r = e / 3, c = e % 3;
    strain[e] = 0.5 * YOUNG * (F[r] * F[c] + F[3 + r] * F[3 + c] + F[6 + r] * F[6 + c] - (r == c));
  }
  multiply3(F, strain, P);
}

static void check_balance(int d, int order, double jitter) {
  double zero[3] = {0.0, 0.0, 0.0}, g[9] = {0.02, 0.01, 0.0, -0.03, -0.01, 0.0, 0.0, 0.0, 0.0}, P[9];
  int nz = d == 3 ? 5 : 1;
  mote_env env = mote_env_resolve(NULL);
  mote_faces faces = faces_of(d, 7, 6, nz);
  mote_elastic_def def = mote_elastic_def_default();
  def.dimensions = d, def.order = order, def.density = 1000.0, def.young = YOUNG, def.poisson = 0.0;
  def.face_point = faces.point, def.face_area = faces.area, def.faces = faces.count;
  elastic_kit kit = kit_make(def, 7, 6, nz, jitter, zero);
  double *push = kit_array(3 * faces.count), *share = kit_array(3 * kit.count);
  double *gradient = kit_array(9 * kit.count), most = 0.0, off = 0.0;
  stress_of(g, P);
  for (size_t k = 0; k < faces.count; ++k) turn3(P, faces.area + 3 * k, push + 3 * k);
  CHECK(mote_elastic_spread_load(kit.body, faces.count, faces.point, push, share, NULL) == MOTE_OK);
  for (size_t i = 0; i < kit.count; ++i) {
    double u[3];
    turn3(g, kit.rest + 3 * i, u);
    step3(kit.rest + 3 * i, 1.0, u, kit.x + 3 * i);
  }
  mote_elastic_motion motion = {.position = kit.x, .velocity = kit.v};
  CHECK(mote_elastic_find_forces(kit.body, &motion, kit.force, NULL) == MOTE_OK);
  CHECK(mote_elastic_find_strains(kit.body, kit.x, NULL, gradient, NULL) == MOTE_OK);
  for (size_t k = 0; k < 3 * kit.count; ++k) most = fmax(most, fabs(kit.force[k] + share[k]));
  for (size_t k = 0; k < 9 * kit.count; ++k) off = fmax(off, fabs(gradient[k] - g[k % 9]));
  double cell = YOUNG * 0.03 * (d == 2 ? KIT_SPACING : KIT_SPACING * KIT_SPACING);
  CHECK(most < 1e-4 * cell);  // without the correction 1 of it
  CHECK(off < 1e-10);
  free(push), free(share), free(gradient);
  mote_faces_free(&faces, &env), kit_free(&kit);
}

static void test_balance(void) {
  for (int order = 1; order <= 2; ++order) {
    check_balance(2, order, 0.0), check_balance(2, order, 0.2);
    check_balance(3, order, 0.0), check_balance(3, order, 0.15);
  }
}

// Any forces at points of the surface: force and moment are kept.
static void test_shares(void) {
  double zero[3] = {0.0, 0.0, 0.0}, point[6] = {0.35, 0.07, 0.03, 0.1, 0.0, 0.2},
         value[6] = {3, -1, 2, 0, 5, 1};
  mote_elastic_def def = mote_elastic_def_default();
  def.density = 1000.0, def.young = YOUNG;
  elastic_kit kit = kit_make(def, 7, 6, 5, 0.15, zero);
  double *share = kit_array(3 * kit.count), force[3] = {0}, moment[3] = {0}, turn[3];
  CHECK(mote_elastic_spread_load(kit.body, 2, point, value, share, NULL) == MOTE_OK);
  for (size_t i = 0; i < kit.count; ++i) {
    step3(force, 1.0, share + 3 * i, force);
    cross3(kit.rest + 3 * i, share + 3 * i, turn), step3(moment, 1.0, turn, moment);
  }
  for (int k = 0; k < 2; ++k) {
    step3(force, -1.0, value + 3 * k, force);
    cross3(point + 3 * k, value + 3 * k, turn), step3(moment, -1.0, turn, moment);
  }
  CHECK(length3(force) < 1e-10 && length3(moment) < 1e-10);
  CHECK(mote_elastic_spread_load(kit.body, 2, NULL, value, share, NULL) == MOTE_ERROR_ARGUMENT);
  free(share), kit_free(&kit);
}

// Strain behind the face of a clamp costs nothing, and masses are whole.
static void test_clamped(void) {
  double zero[3] = {0.0, 0.0, 0.0}, mass = 0.0;
  uint8_t clamp[8 * 4];
  mote_elastic_def def = mote_elastic_def_default();
  def.dimensions = 2, def.density = 1000.0, def.young = YOUNG, def.clamp = clamp;
  for (size_t i = 0; i < sizeof clamp; ++i) clamp[i] = i < 8 ? MOTE_ELASTIC_BURIED : i < 12;
  elastic_kit kit = kit_make(def, 8, 4, 1, 0.0, zero);
  for (size_t i = 0; i < kit.count; ++i) {
    mass += mote_elastic_mass(kit.body)[i];
    if (i < 8) kit.x[3 * i] *= 1.1;
  }
  mote_elastic_motion motion = {.position = kit.x, .velocity = kit.v};
  mote_elastic_energies stored;
  CHECK_NEAR(mass, 32.0 * 1000.0 * KIT_SPACING * KIT_SPACING, 1e-9);
  CHECK(mote_elastic_find_energies(kit.body, &motion, &stored, NULL) == MOTE_OK);
  CHECK(stored.strain + stored.hourglass < 1e-15);  // J; of 5 in all
  kit_free(&kit);
  clamp[3] = 7;
  def.position = zero, def.count = 1, def.total_volume = def.uniform_support = 1.0, def.clamp = clamp + 3;
  mote_error error;
  CHECK(mote_elastic_create(&def, NULL, &kit.body, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "clamp");
}

int main(void) {
  test_balance();
  test_shares();
  test_clamped();
  return test_end();
}
