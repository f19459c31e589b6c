// Forces of lattice bodies: none in an undeformed one however it is turned; the derivative of the energy,
// which a plain sum over all pairs gives as well; both momenta kept, by damping too; bars as stiff as asked
// for.
#include <mote/lattice.h>

#include "lattice_kit.h"

static const kit_def bodies[] = {
    {.dimensions = 2, .size = {8.3, 7.3}},
    {.dimensions = 3, .size = {4.3, 4.3, 4.3}},
    {.dimensions = 3, .size = {5.1}, .ball = true},
    {.dimensions = 2, .size = {7.1}, .ball = true},
};
enum { BODIES = sizeof bodies / sizeof *bodies };

static kit_def turned(int k, int orientation) {
  kit_def def = bodies[k];
  for (int a = 0; a < 3; ++a) def.axis[a] = 2.0 * kit_random(20, (uint64_t)(3 * orientation + a));
  if (def.dimensions == 2) def.axis[0] = def.axis[1] = 0.0;
  if (orientation == 0) set3(0.0, 0.0, 0.0, def.axis);
  return def;
}

static void test_undeformed(void) {
  for (int k = 0; k < BODIES; ++k) {
    for (int o = 0; o < 10; ++o) {
      kit_def def = turned(k, o);
      double limit = 2e-14;
      if (o % 2 == 1) set3(100.0, -70.0, def.dimensions == 3 ? 30.0 : 0.0, def.middle), limit = 1e-9;
      lattice_kit *kit = kit_make(&def);
      const mote_lattice_law *law = &kit->part.law;
      mote_lattice_forces(&kit->lattice, kit->force);
      double unit = law->mu * law->edge * (def.dimensions == 3 ? law->edge : 1.0);
      CHECK(kit_largest(kit->force, kit->count) < limit * unit);
      CHECK(mote_lattice_strain(&kit->lattice, NULL) < 1e-11);
      kit_free(kit);
    }
  }
}

static void shake(lattice_kit *kit, double by, uint64_t stream) {
  for (size_t i = 0; i < kit->count; ++i) {
    for (int a = 0; a < kit->part.law.dimensions; ++a)
      kit->x[3 * i + a] += by * kit->part.law.edge * kit_random(stream + (uint64_t)a, i);
  }
}

// By the definition, with the rotation by singular values; over all pairs of particles.
static double plain_energy(const lattice_kit *kit) {
  const mote_lattice *m = &kit->lattice;
  const mote_lattice_law *law = &kit->part.law;
  double total = 0.0;
  for (size_t i = 0; i < kit->count; ++i) {
    double B[9] = {0}, K[9] = {0}, A[9], R[9], S[9], q = 0.0;
    int count = 0;
    for (int s = 0; s < law->sites; ++s) {
      uint32_t j = m->slot[MOTE_LATTICE_SITES * i + (size_t)s];
      if (j == UINT32_MAX) continue;
      const double *l = law->site[s];
      double r[3];
      sub3(kit->x + 3 * (size_t)j, kit->x + 3 * i, r);
      for (int e = 0; e < 9; ++e) {
        B[e] += law->weight[s] * r[e / 3] * l[e % 3];
        K[e] += law->weight[s] * l[e / 3] * l[e % 3];
      }
      q += law->weight[s] * dot3(l, l) / law->dimensions;
      ++count;
    }
    if (law->dimensions == 2) B[8] = K[8] = q;
    bool poor = count < law->dimensions + 2 || q < 0.3 * law->moment;
    double solved[9], transposed[9];
    if (!poor) {  // A K = B: K A^T = B^T
      for (int e = 0; e < 9; ++e) transposed[e] = B[e % 3 * 3 + e / 3];
      CHECK(mote_dense_solve_spd(3, K, 3, transposed, solved));
      for (int e = 0; e < 9; ++e) A[e] = solved[e % 3 * 3 + e / 3];
      CHECK(mote_polar3(law->restoring ? B : A, R, S));
    } else {
      CHECK(mote_polar3(B, R, S));
    }
    if (poor || law->restoring) memcpy(A, R, sizeof A);
    double k = 4.0 * law->mu * law->volume / (poor || law->restoring ? law->moment : q), off = 0.0,
           trace = -3.0;
    double alpha = poor || law->restoring ? 1.0 : 0.5;
    for (int e = 0; e < 9; ++e) off += (A[e] - R[e]) * (A[e] - R[e]), trace += A[e] * R[e];
    if (!poor && !law->restoring) total += law->volume * (law->mu * off + 0.5 * law->lambda * trace * trace);
    for (int s = 0; s < law->sites; ++s) {
      uint32_t j = m->slot[MOTE_LATTICE_SITES * i + (size_t)s];
      if (j == UINT32_MAX) continue;
      double r[3], at[3];
      sub3(kit->x + 3 * (size_t)j, kit->x + 3 * i, r);
      turn3(A, law->site[s], at);
      sub3(r, at, r);
      total += 0.25 * alpha * k * law->weight[s] * dot3(r, r);
    }
    for (size_t j = 0; j < i; ++j) {
      double D = law->edge, r = distance3(kit->x + 3 * i, kit->x + 3 * j);
      bool together = false;
      for (int s = 0; s < law->sites; ++s)
        together = together || m->slot[MOTE_LATTICE_SITES * i + (size_t)s] == j;
      if (!together && r < D) total += 0.25 * law->contact * (D - r) * (D - r);
    }
  }
  return total;
}

static void check_derivative(lattice_kit *kit, double most) {
  double step = 1e-5 * kit->part.law.edge, largest = 0.0, worst = 0.0;
  mote_lattice_fit(&kit->lattice);
  mote_lattice_forces(&kit->lattice, kit->force);
  for (size_t i = 0; i < kit->count; i += 5) {
    for (int a = 0; a < kit->part.law.dimensions; ++a) {
      double at = kit->x[3 * i + a];
      kit->x[3 * i + a] = at + step;
      double more = plain_energy(kit);
      kit->x[3 * i + a] = at - step;
      double less = plain_energy(kit);
      kit->x[3 * i + a] = at;
      largest = max2(largest, fabs(kit->force[3 * i + a]));
      worst = max2(worst, fabs((less - more) / (2.0 * step) - kit->force[3 * i + a]));
    }
  }
  if (!CHECK(worst < most * largest)) fprintf(stderr, "%g of %g\n", worst, largest);
}

static void test_derivative(void) {
  for (int k = 0; k < 2 * BODIES; ++k) {
    kit_def def = turned(k / 2, 3);
    def.poisson = 0.2, def.restoring = k % 2 == 1;
    lattice_kit *kit = kit_make(&def);
    shake(kit, 0.1, 30);
    CHECK_NEAR(kit_energy(kit), plain_energy(kit), 1e-10 * plain_energy(kit));
    check_derivative(kit, 1e-6);
    kit_free(kit);
  }
}

static void test_momenta(void) {
  for (int k = 0; k < 2 * BODIES; ++k) {
    kit_def def = turned(k / 2, 5);
    def.poisson = 0.2, def.restoring = k % 2 == 1, def.damping = 100.0;
    lattice_kit *kit = kit_make(&def);
    double sum[3], turn[3], all;
    shake(kit, 0.1, 40);
    mote_lattice_fit(&kit->lattice);
    mote_lattice_forces(&kit->lattice, kit->force);
    kit_sums(kit, kit->force, NULL, sum, turn, &all);
    CHECK(length3(sum) < 1e-12 * all && length3(turn) < 1e-12 * all * kit->part.law.edge);
    for (size_t i = 0; i < kit->count; ++i) {
      for (int a = 0; a < def.dimensions; ++a) kit->v[3 * i + a] = kit_random(50 + (uint64_t)a, i);
    }
    memcpy(kit->force, kit->v, 3 * kit->count * sizeof *kit->v);
    double before = kit_kinetic(kit);
    mote_lattice_damp(&kit->lattice, 0.01);
    CHECK(kit_kinetic(kit) < 0.9 * before);
    for (size_t e = 0; e < 3 * kit->count; ++e) kit->force[e] = kit->v[e] - kit->force[e];
    kit_sums(kit, kit->force, kit->mass, sum, turn, &all);
    CHECK(length3(sum) < 1e-12 * all && length3(turn) < 1e-12 * all * kit->part.law.edge);
    kit_free(kit);
  }
}

// A spin is not damped.
static void test_spin(void) {
  for (int k = 0; k < BODIES; ++k) {
    kit_def def = turned(k, 4);
    def.damping = 100.0;
    lattice_kit *kit = kit_make(&def);
    const double spin[3] = {def.dimensions == 3 ? 3.0 : 0.0, def.dimensions == 3 ? -2.0 : 0.0, 4.0},
                 by[3] = {1, 2, 0};
    for (size_t i = 0; i < kit->count; ++i) {
      cross3(spin, kit->x + 3 * i, kit->v + 3 * i);
      step3(kit->v + 3 * i, 1.0, by, kit->v + 3 * i);
    }
    memcpy(kit->force, kit->v, 3 * kit->count * sizeof *kit->v);
    mote_lattice_damp(&kit->lattice, 0.01);
    for (size_t e = 0; e < 3 * kit->count; ++e) CHECK(fabs(kit->v[e] - kit->force[e]) < 1e-12 * 5.0);
    kit_free(kit);
  }
}

static void test_threads(void) {
  kit_def def = turned(1, 2);
  lattice_kit *one = kit_make(&def), *three = kit_make(&def);
  three->lattice.threads = 3;
  lattice_kit *both[2] = {one, three};
  for (int k = 0; k < 2; ++k) {
    shake(both[k], 0.1, 60);
    mote_lattice_assign(&both[k]->lattice, 0.1);
    mote_lattice_near(&both[k]->lattice);
    mote_lattice_fit(&both[k]->lattice);
    mote_lattice_forces(&both[k]->lattice, both[k]->force);
    mote_lattice_damp(&both[k]->lattice, 0.1);
  }
  CHECK(memcmp(one->force, three->force, 3 * one->count * sizeof *one->force) == 0);
  CHECK(memcmp(one->v, three->v, 3 * one->count * sizeof *one->v) == 0);
  kit_free(one), kit_free(three);
}

// A zigzag of one line, undamped, at 1e-3 of the speed of sound: its particles have two near neighbours on
// one side and two far ones that hardly count, and substeps follow them.
static void test_zigzag(void) {
  enum { COUNT = 24 };
  double x[3 * COUNT], gravity[3] = {0.0, 0.0, 0.0}, first = 0.0, most = 0.0;
  mote_lattice_solver_def def = mote_lattice_solver_def_default();
  mote_lattice_solver *solver = NULL;
  def.dimensions = 2, def.spacing = 0.01, def.density = 1000.0, def.young = 1e6, def.poisson = 0.33;
  def.damping = 0.0, def.count = COUNT, def.position = x;
  double D = 1.0745699318235418 * def.spacing;
  for (int i = 0; i < COUNT; ++i) set3(0.5 * D * (i % 2), sqrt(0.75) * D * i, 0.0, x + 3 * i);
  if (!CHECK(mote_lattice_solver_create(&def, NULL, &solver, NULL) == MOTE_OK)) return;
  double *v = mote_lattice_solver_velocity(solver), sound = mote_lattice_solver_sound(solver);
  const double *mass = mote_lattice_solver_mass(solver);
  for (int i = 0; i < COUNT; ++i)
    for (int a = 0; a < 2; ++a) v[3 * i + a] = 1e-3 * sound * kit_random((uint64_t)a, (uint64_t)i);
  for (int k = 0; k <= 40; ++k) {
    mote_lattice_state state = mote_lattice_solver_state(solver);
    double energy = state.elastic_energy + state.contact_energy;
    for (int i = 0; i < COUNT; ++i) energy += 0.5 * mass[i] * dot3(v + 3 * i, v + 3 * i);
    if (k == 0) first = energy;
    most = max2(most, energy);
    CHECK(mote_lattice_solver_advance(solver, gravity, 10.0 * mote_lattice_solver_limit(solver), NULL) ==
          MOTE_OK);
  }
  if (!CHECK(most < 1.02 * first)) fprintf(stderr, "  energy grows %g times\n", most / first);
  mote_lattice_solver_destroy(solver);
}

// Particles that swing about their places, undamped, in a body that is stretched and held at its faces; 400
// substeps of `share` of the limit of the body at rest. Returns the largest energy over the first, without
// that of the stretch.
static double swing_stretched(int dimensions, const double stretch[3], double share) {
  kit_def def = {.dimensions = dimensions, .size = {7.9, 7.9, 7.9}, .poisson = 0.4};
  lattice_kit *kit = kit_make(&def);
  double D = kit->part.law.edge, dt = share * mote_lattice_step_limit(&kit->part.law, 1.0), most = 0.0;
  for (size_t e = 0; e < 3 * kit->count; ++e) {
    bool flat = e % 3 >= (size_t)dimensions;
    if (!flat && fabs(kit->x[e]) > 1.7 * D) kit->held[e / 3] = 1;  // free: what only full neighbourhoods hold
    if (!flat) kit->x[e] *= stretch[e % 3];
  }
  mote_lattice_fit(&kit->lattice);
  double still = kit_energy(kit), speed = 1e-3 * kit->part.law.speed;
  for (size_t e = 0; e < 3 * kit->count; ++e)
    if (kit->held[e / 3] == 0 && e % 3 < (size_t)dimensions)
      kit->v[e] = speed * kit_random((uint64_t)(e % 3), (uint64_t)(e / 3));
  double first = kit_kinetic(kit);
  for (int k = 0; k < 40; ++k) {
    bool done = mote_lattice_advance(&kit->lattice, NULL, NULL, 10.0 * dt, 10.0, NULL) == MOTE_OK;
    most = done ? max2(most, kit_energy(kit) + kit_kinetic(kit) - still) : HUGE_VAL;
  }
  kit_free(kit);
  return most / first;
}

// Stretch makes no lattice stiffer: what is held all around has the same longest substep, 1.8 to 2.1 times
// that of a free body.
static void test_stretched(void) {
  const double stretch[][3] = {{1.0, 1.0, 1.0}, {1.25, 1.25, 1.25}, {1.4, 1.0, 1.0}, {1.3, 1.3, 0.9}};
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    for (size_t k = TEST_SHORT ? 3 : 0; k < sizeof stretch / sizeof *stretch; ++k) {
      double below = swing_stretched(dimensions, stretch[k], 1.75),
             above = swing_stretched(dimensions, stretch[k], 2.15);
      if (!CHECK(below < 20.0 && above > 1e4))
        fprintf(stderr, "  %dD, stretch %zu: energy grows %g and %g times\n", dimensions, k, below, above);
    }
  }
}

// A particle that has just frozen is soft, but does not pass through a solid that a fluid presses it against,
// with 0.005 of Young's modulus; and what froze three quarters of D away is not thrown off.
static void test_fresh(void) {
  for (int pressed = 0; pressed < 2; ++pressed) {
    kit_def block = {.dimensions = 2, .size = {8, 4, 0}},
            fresh = {.dimensions = 2, .size = {0.5, 0.5, 0}, .middle = {0.02, 0.0, 0.0}};
    lattice_kit *kit = kit_make_two(&block, &fresh);
    size_t n = kit->count, last = n - 1;
    double D = kit->part.law.edge, top = 0.0;
    float *fraction = calloc(n, sizeof *fraction);
    double *push = calloc(3 * n, sizeof *push);
    kit->object[last] = kit->object[0], kit->part.docking_rate = 0.0;
    for (size_t i = 0; i < n; ++i) kit->held[i] = i != last, fraction[i] = i == last ? 0.01f : 1.0f;
    for (size_t i = 0; i < last; ++i) top = max2(top, kit->x[3 * i + 1]);
    kit->x[3 * last + 1] = top + 0.75 * D;
    if (pressed) push[3 * last + 1] = -0.005 * KIT_YOUNG * D / kit->mass[last];
    kit->lattice.rows.fraction = fraction;
    kit_begin(kit, 0.0);
    CHECK(mote_lattice_advance(&kit->lattice, NULL, push, 0.2, 2000.0, NULL) == MOTE_OK);
    double above = (kit->x[3 * last + 1] - top) / D;
    if (!CHECK(pressed ? above > 0.0 : above < 1.1)) fprintf(stderr, "  %g D above the solid\n", above);
    free(fraction), free(push);
    kit_free(kit);
  }
}

int main(void) {
  test_fresh();
  test_stretched();
  test_undeformed();
  test_zigzag();
  test_derivative();
  test_momenta();
  test_spin();
  test_threads();
  return test_end();
}
