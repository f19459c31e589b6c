// The motion of one rigid body: see rigid.h.
#include "contact/rigid.h"

#include <mote/numeric.h>

#include "base/check.h"
#include "geom/quaternion.h"

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

// Completes a right-handed frame whose first column is the axis.
static void frame_from(const double axis[3], double frame[9]) {
  int least = 0;
  for (int k = 1; k < 3; ++k) least = fabs(axis[k]) < fabs(axis[least]) ? k : least;
  double e[3] = {least == 0, least == 1, least == 2}, y[3], z[3];
  cross3(axis, e, y);
  double length = length3(y);
  for (int k = 0; k < 3; ++k) y[k] /= length;
  cross3(axis, y, z);
  for (int k = 0; k < 3; ++k) frame[3 * k] = axis[k], frame[3 * k + 1] = y[k], frame[3 * k + 2] = z[k];
}

mote_rigid mote_rigid_hinged(const mote_moments *moments, double density, const double point[3],
                             const double axis[3]) {
  MOTE_ASSERT(density > 0.0 && moments->volume > 0.0);
  MOTE_ASSERT(point != NULL && axis != NULL);
  mote_rigid body = {.mass = density * moments->volume};
  double turned[3], arm[3];
  copy3(point, body.reference);
  sub3(moments->centre, point, body.lever);
  frame_from(axis, body.axes);
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

void mote_rigid_turn(const mote_rigid *body, const double L[3], double dt, double q[4]) {
  MOTE_ASSERT(dt >= 0.0);
  MOTE_ASSERT(body->mass > 0.0);
  static const int order[5] = {0, 1, 2, 1, 0};
  double A[9], m[3];
  axes_now(body, q, A);
  unturn3(A, L, m);
  for (int s = 0; s < 5; ++s) {
    int k = order[s], k1 = (k + 1) % 3, k2 = (k + 2) % 3;
    double half = (s == 2 ? 0.5 : 0.25) * dt * m[k] * body->inverse_moment[k];
    if (half == 0.0) continue;
    double c = mote_cos(half), d = mote_sin(half);
    const double part[4] = {c, d * body->axes[k], d * body->axes[3 + k], d * body->axes[6 + k]};
    quaternion_multiply(q, part, q);
    double cos_all = c * c - d * d, sin_all = 2.0 * c * d, m1 = m[k1], m2 = m[k2];
    m[k1] = cos_all * m1 + sin_all * m2;
    m[k2] = cos_all * m2 - sin_all * m1;
  }
  quaternion_normalise(q);
}

void mote_rigid_rotate(const double angle[3], double q[4]) {
  double size = length3(angle);
  if (!(size > 0.0)) return;
  double s = mote_sin(0.5 * size) / size;
  const double part[4] = {mote_cos(0.5 * size), s * angle[0], s * angle[1], s * angle[2]};
  quaternion_multiply(part, q, q);
  quaternion_normalise(q);
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
