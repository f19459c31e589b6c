// The motion of one rigid body: see rigid.h.
#include "contact/rigid.h"

#include <mote/numeric.h>

#include "base/check.h"
#include "contact/tuning.inc"
#include "geom/quaternion.h"

// Free rotation (docs/theory/bodies.md, "Motion").
#define SYMMETRY_TOLERANCE 1e-12  // rounding: moments that differ by less, relatively, are equal
#define TURNS_MAX 4096     // parts of a step; beyond, energy and momentum are kept and the phase is not
#define RESTORE_ROUNDS 32  // Newton steps of the energy, at most: two are enough at ANGLE_MAX

// --- Mass and moments of inertia ---------------------------------------------------------------------

static void set_identity(double m[9]) {
  for (int k = 0; k < 9; ++k) m[k] = k % 4 == 0;
}

mote_rigid mote_rigid_free(const mote_moments *moments, double density, int dimensions) {
  MOTE_ASSERT(density > 0.0 && moments->volume > 0.0);
  MOTE_ASSERT(dimensions == 2 || dimensions == 3);
  mote_rigid body = {.mass = density * moments->volume};
  body.inverse_mass = 1.0 / body.mass;
  copy3(moments->centre, body.reference);
  if (dimensions == 2) {
    set_identity(body.axes);
    body.inverse_moment[2] = 1.0 / (density * moments->inertia[8]);
    return body;
  }
  double values[3];
  bool finite = mote_eigen3(moments->inertia, values, body.axes);
  MOTE_ASSERT(finite);
  (void)finite;
  for (int k = 0; k < 3; ++k) body.inverse_moment[k] = 1.0 / (density * values[k]);
  return body;
}

mote_rigid mote_rigid_fixed(const mote_moments *moments, double density) {
  MOTE_ASSERT(density > 0.0 && moments->volume > 0.0);
  mote_rigid body = {.mass = density * moments->volume};
  set_identity(body.axes);
  copy3(moments->centre, body.reference);
  return body;
}

// Completes a right-handed basis whose first column is the axis.
static void basis_from(const double axis[3], double basis[9]) {
  int least = 0;
  for (int k = 1; k < 3; ++k) least = fabs(axis[k]) < fabs(axis[least]) ? k : least;
  double e[3] = {least == 0, least == 1, least == 2}, y[3], z[3];
  cross3(axis, e, y);
  double length = length3(y);
  for (int k = 0; k < 3; ++k) y[k] /= length;
  cross3(axis, y, z);
  for (int k = 0; k < 3; ++k) basis[3 * k] = axis[k], basis[3 * k + 1] = y[k], basis[3 * k + 2] = z[k];
}

mote_rigid mote_rigid_hinged(const mote_moments *moments, double density, const double point[3],
                             const double axis[3]) {
  MOTE_ASSERT(density > 0.0 && moments->volume > 0.0);
  MOTE_ASSERT(point != NULL && axis != NULL);
  mote_rigid body = {.mass = density * moments->volume};
  double turned[3], arm[3];
  copy3(point, body.reference);
  sub3(moments->centre, point, body.lever);
  basis_from(axis, body.axes);
  turn3(moments->inertia, axis, turned);
  cross3(axis, body.lever, arm);
  body.inverse_moment[0] = 1.0 / (density * dot3(axis, turned) + body.mass * dot3(arm, arm));
  return body;
}

bool mote_rigid_moves(const mote_rigid *body) {
  MOTE_ASSERT(body->inverse_mass >= 0.0);
  const double *i = body->inverse_moment;
  return body->inverse_mass > 0.0 || i[0] > 0.0 || i[1] > 0.0 || i[2] > 0.0;
}

// --- Inertia in the world -----------------------------------------------------------------------------

// Current principal axes, in columns.
static void axes_now(const mote_rigid *body, const double q[4], double axes[9]) {
  double R[9];
  quaternion_matrix(q, R);
  multiply3(R, body->axes, axes);
}

void mote_rigid_inverse_inertia(const mote_rigid *body, const double q[4], double inverse[9]) {
  MOTE_ASSERT(body->mass > 0.0);
  double A[9];
  const double *i = body->inverse_moment;
  axes_now(body, q, A);
  for (int k = 0; k < 9; ++k) {
    const double *a = A + k / 3 * 3, *b = A + k % 3 * 3;
    inverse[k] = a[0] * b[0] * i[0] + a[1] * b[1] * i[1] + a[2] * b[2] * i[2];
  }
}

void mote_rigid_spin(const mote_rigid *body, const double q[4], const double L[3], double spin[3]) {
  MOTE_ASSERT(body->mass > 0.0);
  double A[9], m[3];
  axes_now(body, q, A);
  unturn3(A, L, m);
  for (int k = 0; k < 3; ++k) m[k] *= body->inverse_moment[k];
  turn3(A, m, spin);
}

void mote_rigid_momentum(const mote_rigid *body, const double q[4], const double spin[3], double L[3]) {
  MOTE_ASSERT(body->mass > 0.0);
  double A[9], w[3];
  axes_now(body, q, A);
  unturn3(A, spin, w);
  for (int k = 0; k < 3; ++k) w[k] = body->inverse_moment[k] > 0.0 ? w[k] / body->inverse_moment[k] : 0.0;
  turn3(A, w, L);
}

// --- Impulses -----------------------------------------------------------------------------------------

void mote_rigid_add_angular_impulse(const mote_rigid *body, const double q[4], const double impulse[3],
                                    double L[3]) {
  MOTE_ASSERT(body->mass > 0.0);
  const double *i = body->inverse_moment;
  double A[9], m[3], change[3] = {impulse[0], impulse[1], impulse[2]};
  if (!(i[0] > 0.0 && i[1] > 0.0 && i[2] > 0.0)) {
    axes_now(body, q, A);
    unturn3(A, impulse, m);
    for (int k = 0; k < 3; ++k) m[k] = i[k] > 0.0 ? m[k] : 0.0;
    turn3(A, m, change);
  }
  step3(L, 1.0, change, L);
}

void mote_rigid_add_gravity(const mote_rigid *body, const double q[4], const double gravity[3], double dt,
                            double velocity[3], double L[3]) {
  MOTE_ASSERT(dt >= 0.0);
  MOTE_ASSERT(body->mass > 0.0);
  if (body->inverse_mass > 0.0) {
    step3(velocity, dt, gravity, velocity);
    return;
  }
  double R[9], lever[3], torque[3], impulse[3];
  quaternion_matrix(q, R);
  turn3(R, body->lever, lever);
  cross3(lever, gravity, torque);
  for (int k = 0; k < 3; ++k) impulse[k] = body->mass * dt * torque[k];
  mote_rigid_add_angular_impulse(body, q, impulse, L);
}

// --- Rotation ----------------------------------------------------------------------------------------

// The energy in coordinates along the principal axes, m = A^T L: |m|^2 i_middle / 2, whose motion is a
// rotation about L, and excess[k] m_k^2 / 2 of the two axes k, whose motions are rotations about them.
typedef struct split {
  double middle;
  double excess[2];
  int axis[2];
} split;

static split split_energy(const mote_rigid *body) {
  const double *i = body->inverse_moment;
  int b = 0;
  for (int k = 1; k < 3; ++k) {
    int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
    if ((i[k] >= i[k1] && i[k] <= i[k2]) || (i[k] >= i[k2] && i[k] <= i[k1])) b = k;
  }
  split s = {.middle = i[b], .axis = {(b + 1) % 3, (b + 2) % 3}};
  for (int n = 0; n < 2; ++n) {
    s.excess[n] = i[s.axis[n]] - i[b];
    if (fabs(s.excess[n]) < SYMMETRY_TOLERANCE * i[s.axis[n]]) s.excess[n] = 0.0;
  }
  return s;
}

// Rotates the body about its principal axis k: `turned` is its rotation so far, in principal axes.
static void turn_about(int k, double angle, double turned[4], double m[3]) {
  if (angle == 0.0) return;
  int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
  double c = mote_cos(0.5 * angle), d = mote_sin(0.5 * angle);
  double part[4] = {c, 0.0, 0.0, 0.0};
  part[k + 1] = d;
  quaternion_multiply(turned, part, turned);
  double cos_all = c * c - d * d, sin_all = 2.0 * c * d, m1 = m[k1], m2 = m[k2];
  m[k1] = cos_all * m1 + sin_all * m2;
  m[k2] = cos_all * m2 - sin_all * m1;
}

static double excess_energy(const split *s, const double m[3]) {
  double x = m[s->axis[0]], y = m[s->axis[1]];
  return s->excess[0] * x * x + s->excess[1] * y * y;
}

// The shortest rotations that bring the excess energy back to `energy`: the splitting only keeps it on
// average. Where its gradient vanishes (spin about a principal axis) there is nothing to bring back.
static void restore_energy(const split *s, double energy, double turned[4], double m[3]) {
  double size2 = dot3(m, m), scale = (fabs(s->excess[0]) + fabs(s->excess[1])) * size2;
  for (int round = 0; round < RESTORE_ROUNDS; ++round) {
    double now = excess_energy(s, m), g[3] = {0.0, 0.0, 0.0}, n[3];
    for (int k = 0; k < 2; ++k) g[s->axis[k]] = s->excess[k] * m[s->axis[k]];
    step3(g, -now / size2, m, g);
    double slope2 = dot3(g, g) * size2, missing = 0.5 * (energy - now);
    if (fabs(missing) < 1e-16 * scale || !(slope2 > 1e-24 * scale * scale)) return;
    double angle = missing / sqrt(slope2);
    angle = max2(-RESTORE_MAX, min2(RESTORE_MAX, angle));
    cross3(m, g, n);
    double length = length3(n), d = mote_sin(0.5 * angle) / length, c = mote_cos(0.5 * angle);
    // m turns by +angle where the body turns by -angle.
    const double part[4] = {c, -d * n[0], -d * n[1], -d * n[2]};
    double R[9];
    quaternion_multiply(turned, part, turned);
    quaternion_matrix(part, R);
    unturn3(R, m, m);
  }
}

void mote_rigid_turn(const mote_rigid *body, const double L[3], double dt, double q[4]) {
  MOTE_ASSERT(dt >= 0.0);
  MOTE_ASSERT(body->mass > 0.0);
  split s = split_energy(body);
  double A[9], m[3], turned[4] = {1.0, 0.0, 0.0, 0.0}, part[4], angle[3];
  axes_now(body, q, A);
  unturn3(A, L, m);
  bool exact = s.excess[0] == 0.0 || s.excess[1] == 0.0;
  double rate = (fabs(s.excess[0]) + fabs(s.excess[1])) * length3(m), energy = excess_energy(&s, m);
  double steps = exact ? 1.0 : min2(max2(1.0, ceil(rate * dt / ANGLE_MAX)), TURNS_MAX), h = dt / steps;
  turn_about(s.axis[0], 0.5 * h * s.excess[0] * m[s.axis[0]], turned, m);
  for (double n = 1.0; n <= steps; n += 1.0) {
    turn_about(s.axis[1], h * s.excess[1] * m[s.axis[1]], turned, m);
    turn_about(s.axis[0], (n < steps ? 1.0 : 0.5) * h * s.excess[0] * m[s.axis[0]], turned, m);
  }
  if (!exact) restore_energy(&s, energy, turned, m);
  part[0] = turned[0];
  turn3(body->axes, turned + 1, part + 1);
  quaternion_multiply(q, part, q);
  quaternion_normalise(q);
  for (int k = 0; k < 3; ++k) angle[k] = dt * s.middle * L[k];
  mote_rigid_rotate(angle, q);
}

// False: there is no rotation.
static bool rotation_by(const double angle[3], double part[4]) {
  double size = length3(angle);
  if (!(size > 0.0)) return false;
  double d = mote_sin(0.5 * size) / size;
  part[0] = mote_cos(0.5 * size);
  for (int k = 0; k < 3; ++k) part[k + 1] = d * angle[k];
  return true;
}

void mote_rigid_rotate(const double angle[3], double q[4]) {
  double part[4];
  if (!rotation_by(angle, part)) return;
  quaternion_multiply(part, q, q);
  quaternion_normalise(q);
}

void mote_rigid_rotate_moving(const double angle[3], double q[4], double L[3]) {
  double part[4], R[9];
  if (!rotation_by(angle, part)) return;
  quaternion_multiply(part, q, q);
  quaternion_normalise(q);
  quaternion_matrix(part, R);
  turn3(R, L, L);
}

mote_pose mote_rigid_pose(const mote_rigid *body, const double position[3], const double q[4]) {
  MOTE_ASSERT(body->mass > 0.0);
  mote_pose pose;
  quaternion_matrix(q, pose.rotation);
  copy3(body->reference, pose.pivot);
  sub3(position, body->reference, pose.move);
  return pose;
}

double mote_rigid_energy(const mote_rigid *body, const double q[4], const double velocity[3],
                         const double L[3]) {
  MOTE_ASSERT(body->mass > 0.0);
  double spin[3];
  mote_rigid_spin(body, q, L, spin);
  double moving = body->inverse_mass > 0.0 ? body->mass * dot3(velocity, velocity) : 0.0;
  return 0.5 * (moving + dot3(spin, L));
}
