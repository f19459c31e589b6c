// Elastic laws: closed forms, small strains, turns, derivatives by differences; plastic flow.
#include "material/elastic_law.h"

#include <math.h>
#include <mote/mote.h>
#include <string.h>

#include "base/random.h"
#include "geom/triple.h"
#include "material/plastic_law.h"
#include "test.h"

#define YOUNG 2e6
#define POISSON 0.3

static double uniform(uint64_t stream, uint64_t index) {
  return 2.0 * mote_random_uniform(7, stream, index) - 1.0;
}

static void random_gradient(uint64_t stream, double size, double g[9]) {
  for (int k = 0; k < 9; ++k) g[k] = size * uniform(stream, (uint64_t)k);
}

static mote_elastic_law law_of(int kind, double volume) {
  return mote_elastic_law_make((mote_elastic_kind)kind, YOUNG, POISSON, volume);
}

// (1 + w) for the gradient w.
static void turn_gradient(const double R[9], const double g[9], double out[9]) {
  double F[9];
  for (int k = 0; k < 9; ++k) F[k] = g[k] + (k % 4 == 0);
  multiply3(R, F, out);
  for (int k = 0; k < 9; k += 4) out[k] -= 1.0;
}

static void any_rotation(uint64_t stream, double R[9]) {
  double a[9], p[9];
  random_gradient(stream, 1.0, a);
  CHECK(mote_polar3(a, R, p));
}

static double largest(const double *a, int n) {
  double most = 0.0;
  for (int k = 0; k < n; ++k) most = max2(most, fabs(a[k]));
  return most;
}

// Lateral stretch sqrt(1 - nu (l^2 - 1)) makes the sides free; then P = E l (l^2 - 1)/2.
static void test_uniaxial(void) {
  mote_elastic_law law = law_of(MOTE_ELASTIC_SAINT_VENANT, 0.0);
  mote_green_part part = mote_green_part_make(&law, NULL);
  static const double table[3][3] = {
      {1.1, 0.967988, 0.1155}, {1.5, 0.790569, 0.9375}, {0.8, 1.052616, -0.144}};
  for (int t = 0; t < 3; ++t) {
    double l = table[t][0], side = sqrt(1.0 - POISSON * (l * l - 1.0)), P[9];
    const double g[9] = {l - 1.0, 0, 0, 0, side - 1.0, 0, 0, 0, side - 1.0};
    mote_elastic_law_stress(&law, &part, g, P);
    CHECK_NEAR(side, table[t][1], 1e-6);
    CHECK_NEAR(P[0] / YOUNG, table[t][2], 1e-10);
    CHECK_NEAR(P[4] / YOUNG, 0.0, 1e-12);
  }
}

// All laws are Hooke's for small strains.
static void test_small(void) {
  for (int kind = 0; kind < MOTE_ELASTIC_KINDS; ++kind) {
    mote_elastic_law law = law_of(kind, 0.0);
    mote_green_part part = mote_green_part_make(&law, NULL);
    double g[9], P[9], size = 1e-7;
    random_gradient(3, size, g);
    mote_elastic_law_stress(&law, &part, g, P);
    double trace = g[0] + g[4] + g[8];
    for (int e = 0; e < 9; ++e) {
      double exact = law.mu * (g[e] + g[e % 3 * 3 + e / 3]) + (e % 4 == 0 ? law.lambda * trace : 0.0);
      CHECK_NEAR(P[e], exact, 10.0 * YOUNG * size * size + 1e-14 * YOUNG);
    }
    CHECK_NEAR(mote_elastic_law_energy(&law, &part, g),
               0.5 * (P[0] * g[0] + P[1] * g[1] + P[2] * g[2] + P[3] * g[3] + P[4] * g[4] + P[5] * g[5] +
                      P[6] * g[6] + P[7] * g[7] + P[8] * g[8]),
               1e-6 * YOUNG * size * size);
  }
}

// Energy does not see a turn after the deformation, stress turns with it, and a turn alone has none.
static void test_turns(void) {
  for (int kind = 0; kind < MOTE_ELASTIC_KINDS; ++kind) {
    mote_elastic_law law = law_of(kind, 3e5);
    mote_green_part part = mote_green_part_make(&law, NULL);
    double R[9], g[9], turned[9], P[9], Q[9], zero[9] = {0};
    any_rotation(11, R);
    random_gradient(12, 0.3, g);
    turn_gradient(R, g, turned);
    double energy = mote_elastic_law_energy(&law, &part, g);
    CHECK_NEAR(mote_elastic_law_energy(&law, &part, turned), energy, 1e-12 * energy);
    mote_elastic_law_stress(&law, &part, g, P);
    mote_elastic_law_stress(&law, &part, turned, Q);
    multiply3(R, P, P);
    for (int e = 0; e < 9; ++e) CHECK_NEAR(Q[e], P[e], 1e-9 * YOUNG);
    turn_gradient(R, zero, turned);
    mote_elastic_law_stress(&law, &part, turned, Q);
    CHECK(largest(Q, 9) < 1e-14 * YOUNG);
    CHECK(mote_elastic_law_energy(&law, &part, zero) == 0.0);
  }
}

static double slope(const mote_elastic_law *law, const mote_green_part *part, const double g[9], int e) {
  double up[9], down[9], step = 1e-6;
  for (int k = 0; k < 9; ++k) up[k] = g[k] + (k == e ? step : 0.0), down[k] = g[k] - (k == e ? step : 0.0);
  return (mote_elastic_law_energy(law, part, up) - mote_elastic_law_energy(law, part, down)) / (2.0 * step);
}

static double inner(const double a[9], const double b[9]) {
  return dot3(a, b) + dot3(a + 3, b + 3) + dot3(a + 6, b + 6);
}

static void check_derivatives(const mote_elastic_law *law, const mote_green_part *part, const double g[9]) {
  double P[9], d[9], up[9], down[9], Pu[9], Pd[9], dP[9], b[9], bP[9], step = 1e-6;
  mote_elastic_tangent tangent;
  mote_elastic_law_stress(law, part, g, P);
  for (int e = 0; e < 9; ++e) CHECK_NEAR(P[e], slope(law, part, g, e), 1e-7 * YOUNG);
  random_gradient(31, 1.0, d);
  random_gradient(32, 1.0, b);
  for (int k = 0; k < 9; ++k) up[k] = g[k] + step * d[k], down[k] = g[k] - step * d[k];
  mote_elastic_law_stress(law, part, up, Pu);
  mote_elastic_law_stress(law, part, down, Pd);
  CHECK(mote_elastic_tangent_make(law, part, g, false, &tangent));
  mote_elastic_tangent_apply(&tangent, d, dP);
  mote_elastic_tangent_apply(&tangent, b, bP);
  for (int e = 0; e < 9; ++e) CHECK_NEAR(dP[e], (Pu[e] - Pd[e]) / (2.0 * step), 1e-7 * YOUNG);
  CHECK_NEAR(inner(dP, b), inner(d, bP), 1e-10 * YOUNG);
}

static void test_derivatives(void) {
  for (int kind = 0; kind < MOTE_ELASTIC_KINDS; ++kind) {
    for (int t = 0; t < 6; ++t) {
      mote_elastic_law law = law_of(kind, t % 2 ? 4e6 : 0.0);
      mote_green_part part = mote_green_part_make(&law, NULL);
      double g[9], before[6] = {0.01, 0.02, -0.03, 0.0, 0.04, -0.02};
      random_gradient(20 + (uint64_t)t, 0.25, g);
      if (t > 3) mote_green_part_damp(&part, 0.7, before);
      check_derivatives(&law, &part, g);
    }
    mote_elastic_law law = law_of(kind, 1e6);  // equal stretches
    mote_green_part part = mote_green_part_make(&law, NULL);
    const double rest[9] = {0}, even[9] = {0.2, 0, 0, 0, 0.2, 0, 0, 0, 0.2};
    check_derivatives(&law, &part, rest);
    check_derivatives(&law, &part, even);
  }
}

// The definite tangent never takes energy out, also squashed and inside out; where nothing is squeezed it is
// the exact one.
static void test_definite(void) {
  for (int kind = 0; kind < MOTE_ELASTIC_KINDS; ++kind) {
    mote_elastic_law law = law_of(kind, 1e6);
    mote_green_part part = mote_green_part_make(&law, NULL);
    mote_elastic_tangent definite, exact;
    double least = 0.0, least_exact = 0.0;
    for (uint64_t t = 0; t < 300; ++t) {
      double g[9], d[9], dP[9];
      random_gradient(100 + t, 1.2, g);
      random_gradient(500 + t, 1.0, d);
      CHECK(mote_elastic_tangent_make(&law, &part, g, true, &definite));
      CHECK(mote_elastic_tangent_make(&law, &part, g, false, &exact));
      mote_elastic_tangent_apply(&definite, d, dP);
      least = min2(least, inner(d, dP));
      mote_elastic_tangent_apply(&exact, d, dP);
      least_exact = min2(least_exact, inner(d, dP));
    }
    CHECK(least > -1e-9 * YOUNG);
    CHECK(least_exact < -1e-3 * YOUNG);  // so that the first could fail
    double d[9], one[9], two[9];
    const double wide[9] = {0.1, 0, 0, 0, 0.05, 0, 0, 0, 0.02};
    law.volume = 0.0;
    random_gradient(9, 1.0, d);
    CHECK(mote_elastic_tangent_make(&law, &part, wide, true, &definite));
    CHECK(mote_elastic_tangent_make(&law, &part, wide, false, &exact));
    mote_elastic_tangent_apply(&definite, d, one);
    mote_elastic_tangent_apply(&exact, d, two);
    for (int e = 0; e < 9; ++e) CHECK_NEAR(one[e], two[e], 1e-9 * YOUNG);
  }
}

// exp of strains along the axes, less 1.
static void stretch_by(double x, double y, double z, double g[9]) {
  for (int e = 0; e < 9; ++e) g[e] = 0.0;
  g[0] = mote_exp(x) - 1.0, g[4] = mote_exp(y) - 1.0, g[8] = mote_exp(z) - 1.0;
}

// 1 - exp(-e) is the state of a plastic stretch exp(e).
static double plastic_of(double e) {
  return 1.0 - mote_exp(-e);
}

// Held at a strain, of which the volume's part does not flow: e (1 - exp(-k t)) until the elastic part is the
// yield strain, for any steps; at once without a rate; no more than can be held.
static void test_flow(void) {
  const double e = 0.2, size = e * sqrt(1.5), axis = e / size;
  mote_plastic_law law = {.yield = 0.02, .rate = 3.0, .most = HUGE_VAL};
  double g[9], few[6] = {0}, many[6] = {0};
  stretch_by(e + 0.1, 0.1 - 0.5 * e, 0.1 - 0.5 * e, g);
  for (int s = 0; s < 2; ++s) mote_plastic_flow(&law, g, 0.15, few);
  for (int s = 0; s < 300; ++s) mote_plastic_flow(&law, g, 0.001, many);
  CHECK_NEAR(few[0], plastic_of(e * (1.0 - mote_exp(-0.9))), 1e-14);
  CHECK_NEAR(few[3], plastic_of(-0.5 * e * (1.0 - mote_exp(-0.9))), 1e-14);
  CHECK_NEAR(many[0], few[0], 1e-13);
  mote_plastic_flow(&law, g, 100.0, many);
  CHECK_NEAR(mote_plastic_size(many), size - 0.02, 1e-13);
  CHECK_NEAR(many[0], plastic_of(axis * (size - 0.02)), 1e-13);
  CHECK(!mote_plastic_flow(&law, g, 1.0, many));
  double once[6] = {0}, held[6] = {0};
  law.rate = HUGE_VAL;
  CHECK(mote_plastic_flow(&law, g, 1e-6, once));
  CHECK_NEAR(once[0], plastic_of(axis * (size - 0.02)), 1e-14);
  law.most = 0.05;
  mote_plastic_flow(&law, g, 1e-6, held);
  CHECK_NEAR(mote_plastic_size(held), 0.05, 1e-14);
  double none[6] = {0};
  stretch_by(0.016, 0.0, 0.0, g);  // without its volume of size 0.0131
  CHECK(!mote_plastic_flow(&law, g, 1.0, none));
  stretch_by(-0.5, -0.5, -0.5, g);  // pressure alone
  CHECK(!mote_plastic_flow(&law, g, 1.0, none));
}

// However a particle is deformed, flow keeps its volume and leaves the yield strain; and the other way round
// once it is turned.
static void test_flow_volume(void) {
  const mote_plastic_law law = {.yield = 0.03, .rate = HUGE_VAL, .most = HUGE_VAL};
  double plastic[6] = {0};
  for (uint64_t t = 0; t < 200; ++t) {
    double g[9], elastic[9];
    random_gradient(700 + t, 0.5, g);
    if (mote_elastic_swelling(g) < -0.8) continue;
    mote_plastic_flow(&law, g, 0.01, plastic);
    const mote_green_part part = mote_green_part_make(&(mote_elastic_law){0}, plastic);
    mote_green_part_within(&part, g, elastic);
    CHECK_NEAR(mote_elastic_swelling(elastic), mote_elastic_swelling(g), 1e-11);
    double again[6];
    memcpy(again, plastic, sizeof again);
    mote_plastic_flow(&law, g, 0.01, again);
    for (int k = 0; k < 6; ++k) CHECK_NEAR(again[k], plastic[k], 1e-12);
  }
  CHECK(mote_plastic_size(plastic) > 0.1);  // something has flowed
}

// Stress and tangent of all laws are derivatives with plastic stretch, damping and the shift of the midpoint.
static void test_flowed_derivatives(void) {
  const double plastic[6] = {0.3, 0.1, -0.05, -0.25, 0.02, -0.1},
               more[15] = {0.02, 0.01, 0, -0.01, 0.03, 0.02, 0, 0.01, -0.02, 1e4, 0, 2e4, 0, -1e4, 3e3},
               before[6] = {0.05, 0.01, 0, -0.02, 0, 0.03};
  for (int kind = 0; kind < MOTE_ELASTIC_KINDS; ++kind) {
    mote_elastic_law law = mote_elastic_law_make((mote_elastic_kind)kind, YOUNG, 0.3, 0.2 * YOUNG);
    mote_green_part part = mote_green_part_make(&law, plastic);
    part.more = more;
    mote_green_part_damp(&part, 0.4, before);
    double g[9], d[9], P[9], dP[9], ahead[9], behind[9], up[9], down[9];
    const double h = 1e-5;
    random_gradient(31, 0.2, g), random_gradient(32, 1.0, d);
    for (int e = 0; e < 9; ++e) ahead[e] = g[e] + h * d[e], behind[e] = g[e] - h * d[e];
    mote_elastic_law_stress(&law, &part, g, P);
    double slope = mote_elastic_law_energy(&law, &part, ahead) - mote_elastic_law_energy(&law, &part, behind);
    CHECK_NEAR(inner(P, d), slope / (2.0 * h), 1e-7 * YOUNG);
    mote_elastic_tangent tangent;
    CHECK(mote_elastic_tangent_make(&law, &part, g, false, &tangent));
    mote_elastic_tangent_apply(&tangent, d, dP);
    mote_elastic_law_stress(&law, &part, ahead, up);
    mote_elastic_law_stress(&law, &part, behind, down);
    for (int e = 0; e < 9; ++e) CHECK_NEAR(dP[e], (up[e] - down[e]) / (2.0 * h), 1e-6 * YOUNG);
  }
}

// The stress of a midpoint step does the work of the energy between its ends, and has no torque, for large
// strains and turns; without strain it is zero however far the step turns.
static void test_midpoint(void) {
  static const double none[6] = {0};
  for (int c = 0; c < 10 * MOTE_ELASTIC_KINDS; ++c) {
    mote_elastic_law law = law_of(c % MOTE_ELASTIC_KINDS, c % 2 == 0 ? 0.0 : 0.5 * YOUNG);
    double start[9], end[9], middle[9], along[9], more[15], P[9], F[9], R[9], torque[9], angle = 0.1 * c;
    random_gradient(900 + (uint64_t)c, 0.25, start), random_gradient(950 + (uint64_t)c, 0.25, end);
    if (c >= 20) memcpy(end, start, sizeof end);
    const double turn[9] = {cos(angle), -sin(angle), 0, sin(angle), cos(angle), 0, 0, 0, 1};
    memcpy(R, turn, sizeof R);
    turn_gradient(R, end, end);
    for (int e = 0; e < 9; ++e) middle[e] = 0.5 * (start[e] + end[e]), along[e] = end[e] - start[e];
    mote_green_part part = mote_green_part_make(&law, NULL), plain = part;
    mote_elastic_law_midpoint(&law, 0.0, none, start, middle, more);
    part.more = more;
    mote_elastic_law_stress(&law, &part, middle, P);
    double work = mote_elastic_law_energy(&law, &plain, end) - mote_elastic_law_energy(&law, &plain, start);
    CHECK_NEAR(inner(P, along), work, 1e-9 * YOUNG);
    for (int e = 0; e < 9; ++e) F[e] = middle[e] + (e % 4 == 0);
    for (int e = 0; e < 9; ++e) torque[e] = dot3(P + 3 * (e / 3), F + 3 * (e % 3));
    CHECK_NEAR(torque[1], torque[3], 1e-9 * YOUNG);
    CHECK_NEAR(torque[2], torque[6], 1e-9 * YOUNG);
    CHECK_NEAR(torque[5], torque[7], 1e-9 * YOUNG);
  }
}

int main(void) {
  test_midpoint();
  test_uniaxial();
  test_small();
  test_turns();
  test_derivatives();
  test_definite();
  test_flow();
  test_flow_volume();
  test_flowed_derivatives();
  return test_end();
}
