// The projected Gauss-Seidel solver on contacts with known solutions.
#include "contact/contact.h"

#include "contact_kit.h"

// A unit ball of this mass without rotation.
static mote_obstacle point_mass(double mass, double x, double v, double restitution) {
  mote_obstacle s = {.x = {x, 0.0, 0.0}, .v = {v, 0.0, 0.0}, .inverse_mass = 1.0 / mass, .radius = 1.0};
  s.friction = 0.0, s.restitution = restitution;
  return s;
}

static mote_contact contact_at(uint32_t a, uint32_t b, double x, double gap) {
  return (mote_contact){.a = a, .b = b, .point = {x, 0.0, 0.0}, .normal = {1.0, 0.0, 0.0}, .gap = gap};
}

static mote_contact_report solve(mote_obstacle *obstacle, size_t count, mote_contact *contact,
                                 size_t contacts) {
  mote_env env = mote_env_default();
  mote_arena scratch = mote_arena_make(&env);
  mote_contact_scene scene = {.obstacle = obstacle,
                              .bodies = count,
                              .obstacles = count,
                              .dt = 0.01,
                              .spacing = 0.1,
                              .gravity = 9.81,
                              .dimensions = 3,
                              .threads = 1};
  mote_contact_set set = {contact, contacts, contacts};
  mote_contact_report report;
  mote_contact_rows *rows;
  double *start = mote_arena_take(&scratch, 6 * count, sizeof *start);
  CHECK(mote_contact_solve_rows(&scene, &set, start, false, &scratch, &rows, &report, NULL) == MOTE_OK);
  CHECK(mote_contact_correct_overlap(rows, &set, &scratch, NULL) == MOTE_OK);
  mote_arena_destroy(&scratch);
  return report;
}

// Newton's law of restitution for two masses.
static void test_impact(void) {
  for (double e = 0.0; e <= 1.0; e += 0.25) {
    mote_obstacle s[2] = {point_mass(3.0, 2.0, -1.0, e), point_mass(1.0, 0.0, 2.0, 0.0)};
    mote_contact c = contact_at(0, 1, 1.0, 0.0);
    solve(s, 2, &c, 1);
    double centre = (3.0 * -1.0 + 1.0 * 2.0) / 4.0;
    CHECK_NEAR(s[0].v[0], centre + e * 3.0 * 0.25, 1e-12);
    CHECK_NEAR(s[1].v[0], centre - e * 3.0 * 0.75, 1e-12);
    CHECK_NEAR(c.normal_impulse + c.impact[0], 0.75 * 3.0 * (1.0 + e), 1e-12);
  }
}

// A gap closes within the step and no further; separating contacts get no impulse.
static void test_gap(void) {
  mote_obstacle s[2] = {point_mass(1.0, 2.0, -10.0, 0.0), point_mass(1.0, 0.0, 0.0, 0.0)};
  mote_contact c = contact_at(0, 1, 1.0, 0.04);
  solve(s, 2, &c, 1);
  CHECK_NEAR(s[0].v[0] - s[1].v[0], -4.0, 1e-12);
  s[0].v[0] = -1.0, s[1].v[0] = 0.0, c.normal_impulse = 0.0;
  solve(s, 2, &c, 1);
  CHECK(s[0].v[0] == -1.0 && c.normal_impulse == 0.0);
  s[0].v[0] = 5.0, c = contact_at(0, 1, 1.0, -0.02);
  solve(s, 2, &c, 1);
  CHECK(s[0].v[0] == 5.0 && c.normal_impulse == 0.0);
}

// Overlap correction moves bodies without velocity: a fifth of the overlap beyond the allowed one.
static void test_overlap_correction(void) {
  mote_obstacle s[2] = {point_mass(1.0, 2.0, 0.0, 0.0), point_mass(3.0, 0.0, 0.0, 0.0)};
  mote_contact c = contact_at(0, 1, 1.0, -0.021);
  mote_contact_report report = solve(s, 2, &c, 1);
  CHECK(s[0].v[0] == 0.0 && s[1].v[0] == 0.0);
  CHECK_NEAR((s[0].correction_velocity[0] - s[1].correction_velocity[0]) * 0.01, 0.2 * 0.02, 1e-12);
  CHECK_NEAR(s[0].correction_velocity[0], -3.0 * s[1].correction_velocity[0], 1e-12);
  CHECK(report.overlap == 0.021);
}

// Friction takes mu times the normal impulse against the motion, at most what stops it.
static void test_friction(void) {
  for (double mu = 0.0; mu < 1.0; mu += 0.3) {
    mote_obstacle s[2] = {point_mass(2.0, 2.0, -1.0, 0.0),
                          {.friction = (double)NAN, .restitution = (double)NAN}};
    s[0].friction = mu, s[0].v[1] = 0.3, s[0].v[2] = -0.4;
    mote_contact c = contact_at(0, 1, 1.0, 0.0);
    solve(s, 2, &c, 1);
    double left = max2(0.0, 0.5 - mu);
    CHECK_NEAR(s[0].v[1], 0.6 * left, 1e-12);
    CHECK_NEAR(s[0].v[2], -0.8 * left, 1e-12);
    CHECK_NEAR(length3(c.friction_impulse), 2.0 * min2(0.5, mu), 1e-12);
  }
}

// A row of five supported by a wall: converges from the warm start in one sweep.
static void test_warm(void) {
  mote_obstacle s[6];
  mote_contact c[5];
  for (uint32_t k = 0; k < 5; ++k) {
    s[k] = point_mass(1.0, 2.0 * k + 2.0, -0.1, 0.0);
  }
  c[0] = contact_at(1, 0, 3.0, 0.0), c[1] = contact_at(0, 5, 1.0, 0.0);  // in order
  for (uint32_t k = 2; k < 5; ++k) c[k] = contact_at(k, k - 1, 2.0 * k + 1.0, 0.0);
  s[5] = (mote_obstacle){.friction = (double)NAN, .restitution = (double)NAN};
  for (int round = 0; round < 40; ++round) {
    for (int k = 0; k < 5; ++k) s[k].v[0] = -0.1;
    solve(s, 6, c, 5);
  }
  mote_contact_set last = {c, 5, 5}, fresh;
  mote_contact again[5];
  for (int k = 0; k < 5; ++k) {
    CHECK_NEAR(c[k].normal_impulse, 0.1 * (5 - (int)c[k].a), 1e-4);
    CHECK_NEAR(s[k].v[0], 0.0, 1e-5);
    again[k] = c[k], again[k].normal_impulse = 0.0;
  }
  again[2].sample = 1;  // another sample
  fresh = (mote_contact_set){again, 5, 5};
  mote_contact_warm_start(2, &fresh, &last);
  CHECK(again[1].normal_impulse == c[1].normal_impulse && again[2].normal_impulse == 0.0 &&
        again[4].normal_impulse == c[4].normal_impulse);
  for (int k = 0; k < 5; ++k) s[k].v[0] = -0.1;
  CHECK(solve(s, 6, c, 5).sweeps <= 2);
}

int main(void) {
  test_impact();
  test_gap();
  test_overlap_correction();
  test_friction();
  test_warm();
  return test_end();
}
