// Explicit steps of elastic bodies: momenta and energy of a tumbling body, the stability limit, waves in a
// bar and their damping, plastic set.
#include "elastic/elastic_explicit.h"

#include "elastic/elastic_stiffness.h"
#include "elastic_kit.h"

#define YOUNG 1e6

static const double here[3] = {0.0, 0.0, 0.0}, far_away[3] = {100.0, 100.0, -100.0};

static void spin(elastic_kit *kit, const double w[3]) {
  double centre[3] = {0}, arm[3];
  for (size_t i = 0; i < kit->count; ++i) step3(centre, 1.0 / (double)kit->count, kit->x + 3 * i, centre);
  for (size_t i = 0; i < kit->count; ++i) {
    sub3(kit->x + 3 * i, centre, arm);
    cross3(w, arm, kit->v + 3 * i);
  }
}

// Momentum, angular momentum about `about`, and total energy.
static double sums(elastic_kit *kit, const double about[3], double p[3], double L[3]) {
  double energy = 0.0, arm[3], turn[3];
  for (int k = 0; k < 3; ++k) p[k] = L[k] = 0.0;
  for (size_t i = 0; i < kit->count; ++i) {
    const double *v = kit->v + 3 * i;
    double m = kit->body->mass[i];
    sub3(kit->x + 3 * i, about, arm);
    cross3(arm, v, turn);
    step3(p, m, v, p);
    step3(L, m, turn, L);
    energy += 0.5 * m * dot3(v, v);
  }
  mote_elastic_motion motion = kit_motion(kit);
  mote_elastic_energies stored = mote_elastic_stored(kit->body, &motion);
  return energy + stored.strain + stored.hourglass;
}

static mote_elastic_frequency pitch_of(elastic_kit *kit) {
  mote_elastic_frequency pitch = {0};
  CHECK(mote_elastic_frequency_find(kit->body, 60, &pitch, NULL) == MOTE_OK);
  return pitch;
}

// A compliant body, spinning so fast that it stretches by several per cent, 100 m from the origin.
static void test_tumbling(void) {
  for (int law = 0; law < MOTE_ELASTIC_KINDS; ++law) {
    mote_elastic_def def = kit_def(3, 2, YOUNG, 0.3);
    def.kind = (mote_elastic_kind)law;
    elastic_kit kit = kit_make(def, 6, 4, 4, 0.1, far_away);
    const double w[3] = {20.0, 60.0, 5.0};
    double p[3], L[3], p1[3], L1[3], low, high;
    spin(&kit, w);
    for (size_t i = 0; i < kit.count; ++i) kit.v[3 * i] += 3.0;
    double first = sums(&kit, far_away, p, L), stretch = 0.0;
    low = high = first;
    mote_elastic_motion motion = kit_motion(&kit);
    mote_elastic_frequency pitch = pitch_of(&kit);
    double dt = 0.4 * mote_elastic_step_limit(kit.body, &pitch, 1.2);
    for (int s = 0; s < 400; ++s) {
      mote_elastic_explicit_step(kit.body, &motion, NULL, dt, kit.force);
      if (s % 20) continue;
      double energy = sums(&kit, far_away, p1, L1), strain[9];
      low = min2(low, energy), high = max2(high, energy);
      mote_elastic_gradient(kit.body, kit.body->fit, 0, strain);
      stretch = max2(stretch, kit_largest(strain, 9));
    }
    sums(&kit, far_away, p1, L1);
    double shift[3];
    sub3(p1, p, shift);
    CHECK(length3(shift) < 1e-11 * length3(p));
    sub3(L1, L, shift);
    CHECK(length3(shift) < 1e-5 * length3(L));
    CHECK(length3(shift) < 1e-10 * length3(L));
    CHECK(high - low < 0.01 * first);
    CHECK(stretch > 0.02);
    kit_free(&kit);
  }
}

// Just below the limit nothing grows, just above it everything does.
static void test_limit(void) {
  for (int c = 0; c < 2; ++c) {
    for (int above = 0; above < 2; ++above) {
      mote_elastic_def def = kit_def(2 + c, 2, YOUNG, 0.3);
      elastic_kit kit = kit_make(def, 6, 5, c ? 4 : 1, 0.1, here);
      mote_elastic_frequency pitch = pitch_of(&kit);
      CHECK(pitch.found <= pitch.bound);
      printf("highest frequency %.4g, bound %.4g\n", pitch.found, pitch.bound);
      for (size_t k = 0; k < 3 * kit.count; ++k) kit.v[k] = k % 3 < 2 ? 1e-6 * kit_random(1, k) : 0.0;
      double size = kit_largest(kit.v, 3 * kit.count), dt;
      dt = above ? 1.05 * 2.0 / pitch.found : mote_elastic_step_limit(kit.body, &pitch, 1.0);
      mote_elastic_motion motion = kit_motion(&kit);
      for (int s = 0; s < 300; ++s) mote_elastic_explicit_step(kit.body, &motion, NULL, dt, kit.force);
      double now = kit_largest(kit.v, 3 * kit.count) / size;
      CHECK(above ? !(now < 1e3) : now < 30.0);
      kit_free(&kit);
    }
  }
}

// A bar with free ends, no Poisson's ratio: its first mode cos(pi x/L) has the frequency c/(2L); with damping
// tau its amplitude falls as exp(-tau w^2 t/2).
static void test_bar(void) {
  double period[2] = {0.0, 0.0}, kept[2] = {1.0, 1.0};
  for (int damped = 0; damped < 2; ++damped) {
    mote_elastic_def def = kit_def(2, 2, YOUNG, 0.0);
    double L = 20.0 * KIT_SPACING, w = MOTE_PI / L * sqrt(YOUNG / 1000.0), tau = 0.02 / w;
    def.damping = damped ? tau : 0.0;
    elastic_kit kit = kit_make(def, 20, 3, 1, 0.0, here);
    mote_elastic_motion motion = kit_motion(&kit);
    for (size_t i = 0; i < kit.count; ++i) kit.x[3 * i] += 1e-6 * cos(MOTE_PI / L * kit.rest[3 * i]);
    double dt = 2.0 * MOTE_PI / w / 400.0, last = 1.0, t = 0.0;
    int crossings = 0;
    while (crossings < 4 && t < 20.0 * MOTE_PI / w) {
      mote_elastic_explicit_step(kit.body, &motion, NULL, dt, kit.force);
      double now = 0.0;
      for (size_t i = 0; i < kit.count; ++i) {
        now += (kit.x[3 * i] - kit.rest[3 * i]) * cos(MOTE_PI / L * kit.rest[3 * i]);
      }
      now /= 1e-6 * 0.5 * (double)kit.count;
      if (last * now < 0.0 && ++crossings == 4) period[damped] = (t + dt * last / (last - now)) * 4.0 / 7.0;
      t += dt;
      last = now;
    }
    for (size_t i = 0; i < kit.count; ++i) kept[damped] = max2(i ? kept[damped] : 0.0, fabs(kit.v[3 * i]));
    kept[damped] *= 1.0 / (1e-6 * w);
    CHECK_NEAR(period[damped] * w / (2.0 * MOTE_PI), 1.0, 0.01);
    if (damped) CHECK_NEAR(kept[1] / kept[0], exp(-0.5 * tau * w * 3.5 * MOTE_PI), 0.01);
    printf("bar: period %.5f, speed left %.4f\n", period[damped] * w / (2.0 * MOTE_PI), kept[damped]);
    kit_free(&kit);
  }
}

// Damping does not act on rigid rotation, at any strain.
static void test_rigid_damping(void) {
  mote_elastic_def def = kit_def(3, 2, YOUNG, 0.3);
  def.damping = 0.01;
  for (int law = 0; law < MOTE_ELASTIC_KINDS; ++law) {
    def.kind = (mote_elastic_kind)law;
    elastic_kit kit = kit_make(def, 4, 4, 4, 0.1, here);
    for (size_t k = 0; k < 3 * kit.count; ++k) kit.x[k] += 0.05 * KIT_SPACING * kit_random(3, k);
    mote_elastic_motion motion = kit_motion(&kit);
    double *still = kit_array(3 * kit.count), worst = 0.0;
    mote_elastic_forces(kit.body, &motion, still);
    const double w[3] = {3.0, -2.0, 5.0};
    spin(&kit, w);
    mote_elastic_forces(kit.body, &motion, kit.force);
    for (size_t k = 0; k < 3 * kit.count; ++k) worst = max2(worst, fabs(kit.force[k] - still[k]));
    CHECK(worst < 1e-12 * kit_largest(still, 3 * kit.count));
    for (size_t i = 0; i < kit.count; ++i) kit.v[3 * i] = kit.x[3 * i];  // and does on elongation
    mote_elastic_forces(kit.body, &motion, kit.force);
    double power = 0.0;
    for (size_t k = 0; k < 3 * kit.count; ++k) power += (kit.force[k] - still[k]) * kit.v[k];
    CHECK(power < 0.0);
    free(still);
    kit_free(&kit);
  }
}

// Stretched beyond yield without change of volume, and released: the strain beyond yield stays, and the body
// is at rest there. For every law.
static void test_plastic_set(void) {
  for (int kind = 0; kind < MOTE_ELASTIC_KINDS; ++kind) {
    mote_elastic_def def = kit_def(3, 2, YOUNG, 0.3);
    def.kind = (mote_elastic_kind)kind;
    elastic_kit kit = kit_make(def, 5, 4, 4, 0.1, here);
    double *plastic = kit_array(6 * kit.count);
    mote_elastic_motion motion = kit_motion(&kit);
    motion.plastic = plastic;
    const mote_plastic_law law = {.yield = 0.02, .rate = HUGE_VAL, .most = 1.0};
    const double e = 0.3, left = e - 0.02 / sqrt(1.5);
    double A[9] = {mote_exp(e), 0, 0, 0, mote_exp(-0.5 * e), 0, 0, 0, mote_exp(-0.5 * e)};
    kit_map(&kit, A, here);
    CHECK(mote_elastic_flow(kit.body, &law, &motion, 0.01) == kit.count);
    for (size_t i = 0; i < kit.count; ++i) CHECK_NEAR(plastic[6 * i], 1.0 - mote_exp(-left), 1e-12);
    A[0] = mote_exp(left), A[4] = A[8] = mote_exp(-0.5 * left);
    kit_map(&kit, A, here);
    mote_elastic_forces(kit.body, &motion, kit.force);
    CHECK(kit_largest(kit.force, 3 * kit.count) < 1e-9);
    CHECK(mote_elastic_flow(kit.body, &law, &motion, 0.01) == 0);
    A[0] = A[4] = A[8] = 1.0;
    kit_map(&kit, A, here);  // compressed back to its first shape, it resists
    mote_elastic_forces(kit.body, &motion, kit.force);
    CHECK(kit.force[0] < 0.0 && kit.force[3 * (kit.count - 1)] > 0.0);
    free(plastic);
    kit_free(&kit);
  }
}

int main(void) {
  test_tumbling();
  test_limit();
  test_bar();
  test_rigid_damping();
  test_plastic_set();
  return test_end();
}
