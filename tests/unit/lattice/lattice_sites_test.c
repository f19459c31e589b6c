// Sites of lattices: the nearest one against all of them, none changes by a rigid motion, hysteresis, pairs
// that both sides know, docking by rates, cracks that stay open; the method without a world and its refusals.
#include <mote/lattice.h>

#include "lattice_kit.h"

static mote_lattice_law law_of(int dimensions) {
  mote_lattice_spec spec = {dimensions, KIT_SPACING, KIT_DENSITY, KIT_DENSITY, KIT_YOUNG, 0.2, false};
  return mote_lattice_law_make(&spec);
}

static void test_law(void) {
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    mote_lattice_law law = law_of(dimensions);
    double sum[9] = {0};
    CHECK_NEAR(law.edge / KIT_SPACING, dimensions == 3 ? 1.1225 : 1.0746, 1e-4);
    for (int s = 0; s < law.sites; ++s) {
      for (int e = 0; e < 9; ++e) sum[e] += law.weight[s] * law.site[s][e / 3] * law.site[s][e % 3];
      for (int a = 0; a < 3; ++a) CHECK(law.site[s][a] == -law.site[s ^ 1][a]);
    }
    for (int e = 0; e < 3 * dimensions; ++e) {  // K is isotropic
      double expected = e / 3 == e % 3 ? law.moment : 0.0;
      if (e % 3 < dimensions) CHECK_NEAR(sum[e], expected, 1e-14 * law.moment);
    }
  }
  // The mass stays that of the melt: ice is lighter and larger.
  mote_lattice_spec ice = {3, KIT_SPACING, 1000.0, 917.0, KIT_YOUNG, 0.2, false};
  CHECK_NEAR(mote_lattice_law_make(&ice).volume * 917.0, KIT_SPACING * KIT_SPACING * KIT_SPACING * 1000.0,
             1e-12);
}

// All points of the lattice around.
static double plain_nearest(const mote_lattice_law *law, const double p[3]) {
  double least = HUGE_VAL, D = law->edge;
  for (int c = law->dimensions == 3 ? -8 : 0; c <= (law->dimensions == 3 ? 8 : 0); ++c) {
    for (int b = -8; b <= 8; ++b) {
      for (int a = -8; a <= 8; ++a) {
        double l[3] = {D * (a + 0.5 * b), D * sqrt(0.75) * b, 0.0};
        if (law->dimensions == 3) set3(D * sqrt(0.5) * a, D * sqrt(0.5) * b, D * sqrt(0.5) * c, l);
        if (law->dimensions == 3 && (a + b + c) % 2 != 0) continue;
        least = min2(least, distance3(p, l));
      }
    }
  }
  return least;
}

static void test_nearest(void) {
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    mote_lattice_law law = law_of(dimensions);
    for (uint64_t k = 0; k < 2000; ++k) {
      double p[3] = {0};
      int site;
      for (int a = 0; a < dimensions; ++a) p[a] = 2.0 * law.edge * kit_random((uint64_t)a, k);
      double found = mote_lattice_nearest(&law, p, &site), own = HUGE_VAL;
      CHECK_NEAR(found, plain_nearest(&law, p), 1e-15);
      int best = MOTE_NO_SITE;
      for (int s = 0; s < law.sites; ++s) {
        if (distance3(p, law.site[s]) < own) own = distance3(p, law.site[s]), best = s;
      }
      if (own <= found * (1.0 + 1e-12)) CHECK(site == best);
      if (site != MOTE_NO_SITE) CHECK_NEAR(distance3(p, law.site[site]), found, 1e-15);
    }
    int none;
    CHECK(mote_lattice_nearest(&law, (const double[3]){NAN, 0, 0}, &none) == HUGE_VAL &&
          none == MOTE_NO_SITE);
  }
}

static void test_rigid(void) {
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    kit_def def = {.dimensions = dimensions, .size = {5.1, 5.1, 4.1}};
    lattice_kit *kit = kit_make(&def);
    double R[9], turn[3] = {dimensions == 3 ? 0.02 : 0.0, 0.0, 0.03}, by[3] = {1e-3, 0.0, 0.0};
    kit_rotation(turn, R);
    kit->lattice.changes = 0;
    for (int k = 0; k < 300; ++k) {
      for (size_t i = 0; i < kit->count; ++i) {
        turn3(R, kit->x + 3 * i, kit->x + 3 * i);
        step3(kit->x + 3 * i, 1.0, by, kit->x + 3 * i);
      }
      CHECK(mote_lattice_find(&kit->lattice, NULL) == MOTE_OK);
      mote_lattice_assign(&kit->lattice, 1e-3);
      mote_lattice_fit(&kit->lattice);
    }
    CHECK(kit->lattice.changes == 0);
    CHECK(mote_lattice_strain(&kit->lattice, NULL) < 1e-10);
    kit_free(kit);
  }
}

// Every pair is known from both sides, each site has one particle, and the state holds the ids.
static void test_pairs(void) {
  kit_def def = {.dimensions = 3, .size = {4.3, 4.3, 4.3}};
  lattice_kit *kit = kit_make(&def);
  const mote_lattice *m = &kit->lattice;
  for (size_t i = 0; i < 3 * kit->count; ++i) kit->x[i] += 0.3 * kit->part.law.edge * kit_random(9, i);
  CHECK(mote_lattice_find(&kit->lattice, NULL) == MOTE_OK);
  mote_lattice_assign(&kit->lattice, 1e-3);
  mote_lattice_end(&kit->lattice);
  size_t pairs = 0;
  for (size_t i = 0; i < kit->count; ++i) {
    for (uint32_t k = 0; k < m->cell[i].pairs; ++k) {
      const mote_lattice_pair *pair = m->pair + MOTE_LATTICE_SITES * i + k;
      CHECK(m->slot[MOTE_LATTICE_SITES * pair->j + pair->back] == i);
      CHECK(m->slot[MOTE_LATTICE_SITES * i + pair->site] == pair->j);
      CHECK(kit->neighbour[MOTE_LATTICE_SITES * i + pair->site] == kit->id[pair->j] + 1);
      ++pairs;
    }
  }
  CHECK(pairs > 8 * kit->count);
  kit_free(kit);
}

// A particle keeps its site until another is nearer by 0.1 D.
static void test_hysteresis(void) {
  const double D = law_of(2).edge;
  double x[6] = {0.0, 0.0, 0.0, D, 0.0, 0.0};
  mote_lattice_solver_def def = mote_lattice_solver_def_default();
  mote_lattice_solver *solver;
  size_t changes;
  def.dimensions = 2, def.spacing = KIT_SPACING, def.density = KIT_DENSITY, def.young = KIT_YOUNG;
  def.count = 2, def.position = x;
  CHECK(mote_lattice_solver_create(&def, NULL, &solver, NULL) == MOTE_OK);
  CHECK(mote_lattice_solver_state(solver).pairs == 1);
  double *now = mote_lattice_solver_position(solver);
  now[3] = 1.54 * D;  // the site at 2 D, of no shell, is nearer by 0.08 D
  CHECK(mote_lattice_solver_assign(solver, 1.0, &changes, NULL) == MOTE_OK && changes == 0);
  now[3] = 1.57 * D;
  CHECK(mote_lattice_solver_assign(solver, 1.0, &changes, NULL) == MOTE_OK && changes == 2);
  CHECK(mote_lattice_solver_state(solver).pairs == 0);
  mote_lattice_solver_destroy(solver);
}

// Survivors of a Poisson process at three step lengths, chi-square with one degree of freedom.
static void test_docking(void) {
  enum { PAIRS = 2000 };
  double *x = calloc(6 * PAIRS, sizeof *x), D = law_of(2).edge;
  for (size_t k = 0; k < PAIRS; ++k) {
    x[6 * k] = 6.0 * D * (double)(k % 50), x[6 * k + 1] = x[6 * k + 4] = 6.0 * D * (double)(k / 50);
    x[6 * k + 3] = x[6 * k] + D;
  }
  for (int s = 0; s < 3; ++s) {
    mote_lattice_solver_def def = mote_lattice_solver_def_default();
    mote_lattice_solver *solver;
    def.dimensions = 2, def.spacing = KIT_SPACING, def.density = KIT_DENSITY, def.young = KIT_YOUNG;
    def.count = 2 * PAIRS, def.position = x, def.docking_rate = 2.0, def.apart = true;
    CHECK(mote_lattice_solver_create(&def, NULL, &solver, NULL) == MOTE_OK);
    CHECK(mote_lattice_solver_state(solver).pairs == 0);
    for (int k = 0; k < 4 << s; ++k)
      CHECK(mote_lattice_solver_assign(solver, 0.1 / (1 << s), NULL, NULL) == MOTE_OK);
    double apart = PAIRS - (double)mote_lattice_solver_state(solver).pairs, expected = PAIRS * mote_exp(-0.8);
    CHECK((apart - expected) * (apart - expected) * (1.0 / expected + 1.0 / (PAIRS - expected)) < 10.83);
    mote_lattice_solver_destroy(solver);
  }
  free(x);
}

static void test_bad(void) {
  double x[3] = {0};
  mote_lattice_solver_def good = mote_lattice_solver_def_default(), def;
  mote_lattice_solver *solver;
  mote_error error;
  good.spacing = KIT_SPACING, good.density = KIT_DENSITY, good.young = KIT_YOUNG, good.count = 1,
  good.position = x;
  def = good, def.dimensions = 4;
  CHECK(mote_lattice_solver_create(&def, NULL, &solver, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "dimensions");
  def = good, def.young = 0.0;
  CHECK(mote_lattice_solver_create(&def, NULL, &solver, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "young");
  def = good, def.poisson = 0.5;
  CHECK(mote_lattice_solver_create(&def, NULL, &solver, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "poisson");
  x[0] = NAN;
  CHECK(mote_lattice_solver_create(&good, NULL, &solver, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "position");
}

int main(void) {
  test_law();
  test_nearest();
  test_rigid();
  test_pairs();
  test_hysteresis();
  test_docking();
  test_bad();
  return test_end();
}
