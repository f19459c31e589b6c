// The projection onto planes: by hand, and against the definition on random sets.
#include "things/sweep_planes.h"

#include <math.h>
#include <mote/numeric.h>

#include "test.h"

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void check_point(const double x[3], double a, double b, double c) {
  CHECK_NEAR(x[0], a, 1e-14);
  CHECK_NEAR(x[1], b, 1e-14);
  CHECK_NEAR(x[2], c, 1e-14);
}

static void by_hand(void) {
  mote_contact_planes planes = {0};
  double v[3] = {-1, -2, -3}, out[3];
  CHECK(mote_contact_planes_project(&planes, true, v, out));
  check_point(out, -1, -2, -3);
  mote_contact_planes_add(&planes, (double[3]){1, 0, 0}, 0.5);
  CHECK(mote_contact_planes_project(&planes, true, v, out));
  check_point(out, 0.5, -2, -3);
  CHECK(mote_contact_planes_project(&planes, false, v, out));
  check_point(out, 0, -2, -3);
  mote_contact_planes_add(&planes, (double[3]){0, 1, 0}, 0.0);
  mote_contact_planes_add(&planes, (double[3]){1, 0, 0}, 0.25);  // weaker than what is there
  CHECK(planes.count == 2);
  CHECK(mote_contact_planes_project(&planes, true, v, out));
  check_point(out, 0.5, 0, -3);
  mote_contact_planes_add(&planes, (double[3]){0, 0, 1}, 0.0);
  CHECK(mote_contact_planes_project(&planes, true, v, out));
  check_point(out, 0.5, 0, 0);
}

// Walls that close on each other allow nothing; the displacement 0 always is.
static void closing(void) {
  mote_contact_planes planes = {0};
  mote_contact_planes_add(&planes, (double[3]){0, 1, 0}, 1.0);
  mote_contact_planes_add(&planes, (double[3]){0, -1, 0}, 1.0);
  double v[3] = {3, 0, 0}, out[3];
  CHECK(!mote_contact_planes_project(&planes, true, v, out));
  check_point(out, 3, -1, 0);
  CHECK(mote_contact_planes_project(&planes, false, v, out));
  check_point(out, 3, 0, 0);
}

// More planes than there is room for are no trouble.
static void crowd(void) {
  mote_contact_planes planes = {0};
  for (uint64_t k = 0; k < 50; ++k) {
    double n[3] = {mote_random_uniform(1, 0, k) - 0.5, mote_random_uniform(1, 1, k) - 0.5,
                   mote_random_uniform(1, 2, k) - 0.5};
    double length = sqrt(dot(n, n));
    for (int a = 0; a < 3; ++a) n[a] /= length;
    mote_contact_planes_add(&planes, n, 0.0);
  }
  CHECK(planes.count == MOTE_CONTACT_PLANES_MAX);
  double v[3] = {1, 2, 3}, out[3];
  mote_contact_planes_project(&planes, false, v, out);
  CHECK(isfinite(out[0]) && isfinite(out[1]) && isfinite(out[2]));
}

// The answer is allowed, and no allowed vector y is on v's side of it: (v - out) . (y - out) <= 0.
static void is_nearest(void) {
  for (uint64_t k = 0; k < 2000; ++k) {
    mote_contact_planes planes = {0};
    double v[3], out[3], inner[3] = {0.3, -0.2, 0.4};  // allowed by all
    int count = 1 + (int)(k % 6);
    for (int p = 0; p < count; ++p) {
      double n[3];
      for (uint64_t a = 0; a < 3; ++a) n[a] = mote_random_uniform(k, a, (uint64_t)p) - 0.5;
      double length = sqrt(dot(n, n));
      for (int a = 0; a < 3; ++a) n[a] /= length;
      mote_contact_planes_add(&planes, n, dot(n, inner) - mote_random_uniform(k, 7, (uint64_t)p));
    }
    for (uint64_t a = 0; a < 3; ++a) v[a] = 8.0 * mote_random_uniform(k, a, 99) - 4.0;
    CHECK(mote_contact_planes_project(&planes, true, v, out));
    double worst = 0.0;
    for (int p = 0; p < count; ++p) {
      worst = fmin(worst, dot(planes.plane[p].normal, out) - planes.plane[p].least);
    }
    CHECK(worst >= -1e-7);
    for (uint64_t j = 0; j < 50; ++j) {
      double y[3], behind = 0.0;
      bool allowed = true;
      for (uint64_t a = 0; a < 3; ++a) y[a] = 8.0 * mote_random_uniform(k + 5000, a, j) - 4.0;
      for (int p = 0; p < count; ++p) allowed &= dot(planes.plane[p].normal, y) >= planes.plane[p].least;
      for (int a = 0; a < 3; ++a) behind += (v[a] - out[a]) * (y[a] - out[a]);
      if (allowed && !CHECK(behind <= 1e-6)) return;
    }
  }
}

int main(void) {
  by_hand();
  closing();
  crowd();
  is_nearest();
  return test_end();
}
