// Motion of one rigid body: free rotation against small steps of Euler's equations, exact cases, hinges,
// fixed bodies.
#include "contact/rigid.h"

#include <mote/mote.h>

#include "geom/quaternion.h"
#include "test.h"

#define DENSITY 700.0

static mote_moments box_moments(double a, double b, double c) {
  mote_moments m = {.volume = a * b * c, .centre = {0.3, -0.2, 0.5}};
  m.inertia[0] = m.volume * (b * b + c * c) / 12.0;
  m.inertia[4] = m.volume * (a * a + c * c) / 12.0;
  m.inertia[8] = m.volume * (a * a + b * b) / 12.0;
  return m;
}

// Reference solution: dq/dt = spin q / 2 with the spin of L, by fourth-order Runge-Kutta.
static void rate(const mote_rigid *body, const double q[4], const double L[3], double out[4]) {
  double w[3];
  mote_rigid_spin(body, q, L, w);
  const double spin[4] = {0.0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]};
  quaternion_multiply(spin, q, out);
}

static void twin_turn(const mote_rigid *body, const double L[3], double seconds, int steps, double q[4]) {
  double dt = seconds / steps, k[4][4], p[4];
  static const double share[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
  for (int s = 0; s < steps; ++s) {
    for (int r = 0; r < 4; ++r) {
      for (int c = 0; c < 4; ++c) p[c] = q[c] + (r > 0 ? share[r] * dt * k[r - 1][c] : 0.0);
      quaternion_normalise(p);
      rate(body, p, L, k[r]);
    }
    for (int r = 0; r < 4; ++r) {
      for (int c = 0; c < 4; ++c) q[c] += dt / 6.0 * weight[r] * k[r][c];
    }
    quaternion_normalise(q);
  }
}

static double difference(const double a[4], const double b[4]) {
  double sum = 0.0;
  for (int k = 0; k < 4; ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sqrt(sum);
}

// A box spinning about its middle axis tumbles: the motion must converge to Euler's equations with second
// order.
static void test_tumbling(void) {
  mote_moments moments = box_moments(0.1, 0.2, 0.3);
  mote_rigid body = mote_rigid_free(&moments, DENSITY, 3);
  double q[4] = {1.0, 0.0, 0.0, 0.0}, L[3], spin[3] = {0.05, 10.0, -0.02};
  mote_rigid_momentum(&body, q, spin, L);
  double error[2], exact[4] = {1.0, 0.0, 0.0, 0.0};
  twin_turn(&body, L, 1.0, 20000, exact);
  for (int fine = 0; fine < 2; ++fine) {
    double p[4] = {1.0, 0.0, 0.0, 0.0};
    int steps = fine ? 2000 : 1000;
    for (int s = 0; s < steps; ++s) mote_rigid_turn(&body, L, 1.0 / steps, p);
    error[fine] = difference(p, exact);
  }
  CHECK(error[0] < 1e-2);
  CHECK_NEAR(error[0] / error[1], 4.0, 0.4);
}

// The complete elliptic integral of the first kind, by the arithmetic-geometric mean.
static double complete_elliptic(double k2) {
  double a = 1.0, b = sqrt(1.0 - k2);
  for (int n = 0; n < 40; ++n) {
    double mean = 0.5 * (a + b);
    b = sqrt(a * b), a = mean;
  }
  return 3.14159265358979323846 / (2.0 * a);
}

// Seconds between two flips of a body with moments I, ascending, by Euler's equations.
static double flip_time(const double I[3], double L2, double twice_energy) {
  bool high = L2 > twice_energy * I[1];
  double first = high ? I[0] : I[2], last = high ? I[2] : I[0];
  double rate2 = (last - I[1]) * (L2 - twice_energy * first) / (I[0] * I[1] * I[2]);
  double k2 = (I[1] - first) * (twice_energy * last - L2) / ((last - I[1]) * (L2 - twice_energy * first));
  return 2.0 * complete_elliptic(k2) / sqrt(rate2);
}

// Boxes one degree off their middle axis flip when they should and keep their energy over a thousand turns,
// at any spin and in steps of any angle.
static void test_flips(void) {
  static const double degree = 3.14159265358979323846 / 180.0;
  for (double speed = 10.0; speed < 2e4; speed *= 10.0) {
    mote_moments moments = box_moments(0.1, 0.2, 0.3);
    mote_rigid body = mote_rigid_free(&moments, DENSITY, 3);
    double q[4] = {1.0, 0.0, 0.0, 0.0}, L[3], v[3] = {0.0, 0.0, 0.0}, I[3];
    double spin[3] = {0.0, speed * mote_cos(degree), speed * mote_sin(degree)};
    for (int k = 0; k < 3; ++k) I[k] = DENSITY * moments.inertia[8 - 4 * k];
    mote_rigid_momentum(&body, q, spin, L);
    double first = mote_rigid_energy(&body, q, v, L), worst = 0.0;
    double flip = flip_time(I, dot3(L, L), 2.0 * first), turns = 0.0, side = 1.0;
    double dt = min2(0.005, 0.23 * flip), end = 1000.0 * 6.2831853 / speed;
    int flips = 0;
    for (double t = dt; t <= end; t += dt) {
      double R[9];
      mote_rigid_turn(&body, L, dt, q);
      worst = max2(worst, fabs(mote_rigid_energy(&body, q, v, L) / first - 1.0));
      quaternion_matrix(q, R);
      double along = L[0] * R[1] + L[1] * R[4] + L[2] * R[7];  // of the middle axis
      if (along * side < 0.0) ++flips, turns = t, side = -side;
    }
    CHECK(worst < 1e-11);
    CHECK(flips > 100);
    // The first flip comes after half the time; the last was seen up to a step late.
    CHECK_NEAR(turns / ((flips - 0.5) * flip), 1.0, 0.005);
  }
}

// A pencil and a disc turn exactly, whatever the angle in a step: the same place by one step as by many.
static void test_symmetric_tops(void) {
  for (int shape = 0; shape < 2; ++shape) {
    for (double speed = 10.0; speed < 2e4; speed *= 10.0) {
      mote_moments moments = shape == 0 ? box_moments(0.18, 0.008, 0.008) : box_moments(0.01, 0.3, 0.3);
      mote_rigid body = mote_rigid_free(&moments, DENSITY, 3);
      double q[4] = {1.0, 0.0, 0.0, 0.0}, p[4] = {1.0, 0.0, 0.0, 0.0}, L[3], v[3] = {0.0, 0.0, 0.0};
      double spin[3] = {speed, speed, 0.0}, worst = 0.0;
      mote_rigid_momentum(&body, q, spin, L);
      double first = mote_rigid_energy(&body, q, v, L);
      for (int k = 0; k < 1000; ++k) {
        mote_rigid_turn(&body, L, 6.2831853 / speed, q);
        worst = max2(worst, fabs(mote_rigid_energy(&body, q, v, L) / first - 1.0));
      }
      mote_rigid_turn(&body, L, 6283.1853 / speed, p);
      CHECK(worst < 1e-11);
      CHECK(difference(p, q) < 1e-8);
    }
  }
}

// Beyond all resolution the phase is lost, energy and momentum are not; and a rotation that undoes overlap
// keeps the energy.
static void test_beyond(void) {
  mote_moments moments = box_moments(0.1, 0.2, 0.3);
  mote_rigid body = mote_rigid_free(&moments, DENSITY, 3);
  double q[4] = {1.0, 0.0, 0.0, 0.0}, L[3], v[3] = {0.0, 0.0, 0.0}, spin[3] = {3e9, 1e9, 2e9};
  const double angle[3] = {0.2, -0.3, 0.1};
  mote_rigid_momentum(&body, q, spin, L);
  double first = mote_rigid_energy(&body, q, v, L);
  for (int k = 0; k < 10; ++k) mote_rigid_turn(&body, L, 0.005, q);
  CHECK_NEAR(mote_rigid_energy(&body, q, v, L) / first, 1.0, 1e-6);
  first = mote_rigid_energy(&body, q, v, L);
  mote_rigid_rotate_moving(angle, q, L);
  CHECK_NEAR(mote_rigid_energy(&body, q, v, L) / first, 1.0, 1e-12);
}

// About a principal axis any step is exact.
static void test_exact(void) {
  mote_moments moments = box_moments(0.1, 0.2, 0.3);
  mote_rigid body = mote_rigid_free(&moments, DENSITY, 3);
  double q[4] = {1.0, 0.0, 0.0, 0.0}, L[3], spin[3] = {0.0, 0.0, 3.0}, back[3];
  mote_rigid_momentum(&body, q, spin, L);
  CHECK_NEAR(L[2], 3.0 * DENSITY * moments.inertia[8], 1e-12);
  mote_rigid_spin(&body, q, L, back);
  CHECK_NEAR(back[2], 3.0, 1e-14);
  mote_rigid_turn(&body, L, 0.7, q);
  CHECK_NEAR(q[0], mote_cos(1.05), 1e-15);
  CHECK_NEAR(q[3], mote_sin(1.05), 1e-15);
  double p[4] = {1.0, 0.0, 0.0, 0.0}, angle[3] = {0.0, 0.0, 2.1};
  mote_rigid_rotate(angle, p);
  CHECK(difference(p, q) < 1e-15);
}

// A pendulum: swings of 5 degrees have the period 2 pi sqrt(I / m g l) (1 + a^2 / 16).
static void test_hinge(void) {
  mote_moments moments = box_moments(0.1, 0.4, 0.05);
  const double axis[3] = {0.0, 0.0, 1.0}, gravity[3] = {0.0, -9.81, 0.0};
  double top[3] = {moments.centre[0], moments.centre[1] + 0.2, moments.centre[2] + 1.0};
  mote_rigid body = mote_rigid_hinged(&moments, DENSITY, top, axis);
  double I = DENSITY * moments.inertia[8] + body.mass * 0.04;
  CHECK_NEAR(body.inverse_moment[0] * I, 1.0, 1e-14);
  double start = 5.0 * 3.14159265358979323846 / 180.0, dt = 1e-4;
  double period =
      2.0 * 3.14159265358979323846 * sqrt(I / (body.mass * 9.81 * 0.2)) * (1.0 + start * start / 16.0);
  double q[4] = {1.0, 0.0, 0.0, 0.0}, angle[3] = {0.0, 0.0, start}, L[3] = {0}, v[3] = {0};
  mote_rigid_rotate(angle, q);
  double before = q[3], passed[3] = {0};
  int passes = 0;
  for (int s = 1; passes < 3 && s < 100000; ++s) {
    mote_rigid_add_gravity(&body, q, gravity, dt, v, L);
    mote_rigid_turn(&body, L, dt, q);
    if (before * q[3] < 0.0) passed[passes++] = dt * s;
    before = q[3];
  }
  CHECK(passes == 3);
  CHECK_NEAR(passed[2] - passed[0], period, 1e-3 * period);
  CHECK(L[0] == 0.0 && L[1] == 0.0 && v[1] == 0.0);
  mote_pose pose = mote_rigid_pose(&body, top, q);
  double at[3];  // the hinge does not move
  for (int k = 0; k < 3; ++k) at[k] = pose.pivot[k] + pose.move[k];
  CHECK(distance3(at, top) == 0.0);
}

static void test_fixed_and_flat(void) {
  mote_moments moments = box_moments(0.1, 0.2, 0.3);
  const double gravity[3] = {0.0, -9.81, 0.0}, twist[3] = {1.0, 2.0, 3.0};
  double q[4] = {1.0, 0.0, 0.0, 0.0}, L[3] = {0}, v[3] = {0};
  mote_rigid body = mote_rigid_fixed(&moments, DENSITY);
  CHECK(!mote_rigid_moves(&body));
  mote_rigid_add_gravity(&body, q, gravity, 0.1, v, L);
  mote_rigid_add_angular_impulse(&body, q, twist, L);
  CHECK(length3(L) == 0.0 && length3(v) == 0.0);
  body = mote_rigid_free(&moments, DENSITY, 2);
  CHECK(mote_rigid_moves(&body));
  mote_rigid_add_gravity(&body, q, gravity, 0.1, v, L);
  CHECK_NEAR(v[1], -0.981, 1e-15);
  mote_rigid_add_angular_impulse(&body, q, twist, L);
  CHECK(L[0] == 0.0 && L[1] == 0.0 && L[2] == 3.0);
  mote_rigid_turn(&body, L, 0.3, q);
  CHECK(q[1] == 0.0 && q[2] == 0.0 && q[3] > 0.0);
}

int main(void) {
  test_tumbling();
  test_flips();
  test_symmetric_tops();
  test_beyond();
  test_exact();
  test_hinge();
  test_fixed_and_flat();
  return test_end();
}
