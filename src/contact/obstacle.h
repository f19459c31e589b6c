// Obstacles of contact during one step: rigid bodies, walls, colliders. The functions below give position and
// motion of their surface to the sweeps of fluid particles, the contact of elastic particles and the contact
// solver of rigid bodies; only this file distinguishes static, moving and deforming obstacles. Times are
// fractions of the step: 0 at its beginning, 1 at its end. Theory: docs/theory/contact.md
#ifndef MOTE_OBSTACLE_H
#define MOTE_OBSTACLE_H

#include "geom/contact_samples.h"
#include "geom/pose.h"
#include "geom/triple.h"

typedef enum mote_obstacle_motion {
  MOTE_OBSTACLE_RATES,      // rigid: from `pose`, with velocity v of x and angular velocity w
  MOTE_OBSTACLE_POSES,      // rigid: from `pose` to `after`
  MOTE_OBSTACLE_STILL,      // rigid, where its shape was defined: no pose is read
  MOTE_OBSTACLE_DEFORMING,  // as its functions say; v and w are 0
} mote_obstacle_motion;

// The surface of an obstacle that deforms. Distances as mote_shape_closest has them: never larger than the
// true ones in magnitude, of the correct sign; the normal, where not null, is their gradient.
typedef struct mote_deforming {
  const void *user;
  double (*distance)(const void *user, double time, const double x[3], double normal[3]);
  // m/s, of the surface next to x.
  void (*velocity)(const void *user, double time, const double x[3], double out[3]);
  double travel;  // m: no distance changes by more in the step
} mote_deforming;

typedef struct mote_obstacle {
  mote_obstacle_motion motion;
  const mote_shape *shape;                      // in the pose in which it was defined; null: it deforms
  const mote_deforming *deforming;              // moved by pose.move; null: it is rigid
  const mote_contact_samples *contact_samples;  // null: no body, and without samples of its own
  mote_pose pose;                               // from the defined pose to that when the step begins
  double x[3];                                  // reference point
  double v[3], w[3];  // velocity of the reference point, m/s; angular velocity, rad/s
  double kick[3];     // of v: what gravity added for this step, where nothing but gravity acts; else 0
  bool supported;     // it rests on something, which will take that back
  bool bounced;       // it had an impact in this step
  double rest;        // if so, fraction of the step that was left after the last one
  double inverse_mass, inverse_inertia[9];  // 0: no impulse moves it
  // Of a ball about x; infinite: unbounded. It contains the obstacle when the step begins or, where the
  // motion is not by rates, during the whole step.
  double radius;
  double friction, restitution;  // NaN for walls and colliders: the other obstacle's values apply
  // Pseudo-velocities that remove overlap in this step: they move the body and are not kept.
  double correction_velocity[3], correction_spin[3];
  double dt;        // s: length of the step
  mote_pose after;  // when the step ends
} mote_obstacle;

// Poses as rigid contact applies them, x -> R (x - pivot) + pivot + move. Differs from geom/pose.h in the
// order of the sums: results of rigid contact depend on its rounding.
static inline void mote_obstacle_to_world(const mote_pose *p, const double x[3], double out[3]) {
  double r[3];
  sub3(x, p->pivot, r);
  turn3(p->rotation, r, r);
  for (int k = 0; k < 3; ++k) out[k] = r[k] + p->pivot[k] + p->move[k];
}

static inline void mote_obstacle_from_world(const mote_pose *p, const double x[3], double out[3]) {
  double r[3];
  for (int k = 0; k < 3; ++k) r[k] = x[k] - p->pivot[k] - p->move[k];
  unturn3(p->rotation, r, r);
  step3(p->pivot, 1.0, r, out);
}

// Unbounded, with the shape where it was defined; and with a pose at both ends of a step of dt seconds.
mote_obstacle mote_obstacle_still(const mote_shape *shape);
mote_obstacle mote_obstacle_posed(const mote_shape *shape, const mote_pose *before, const mote_pose *after,
                                  double dt);

// Signed distance at x; the normal, if not null, is a unit vector. For obstacles between two poses only at
// both ends.
double mote_obstacle_distance(const mote_obstacle *obstacle, double time, const double x[3],
                              double normal[3]);
// Velocity of the obstacle at x, m/s.
void mote_obstacle_velocity(const mote_obstacle *obstacle, double time, const double x[3], double out[3]);
// Whether it is static in this step.
bool mote_obstacle_stands(const mote_obstacle *obstacle);
// Upper bound of the displacement of the obstacle in the step within `radius` of x, m.
double mote_obstacle_travel(const mote_obstacle *obstacle, const double x[3], double radius);
// Position at the end of the step of a point that starts at x and moves with the surface: its distance is
// constant.
void mote_obstacle_carry(const mote_obstacle *obstacle, const double x[3], double out[3]);

// Contact of a swept point.
typedef struct mote_obstacle_hit {
  double normal[3];  // of the surface there
  double gap;        // m: from the start of the path to the plane of contact, at least 0
} mote_obstacle_hit;

// The path of a point that is straight for an observer on the obstacle: from a, at time `since` (0 or 1), to
// b, at the end. The fraction at which it first comes within `clearance`, as mote_shape_sweep: 2 when it does
// not. `hit` where not null.
double mote_obstacle_sweep(const mote_obstacle *obstacle, double since, const double a[3], const double b[3],
                           double clearance, mote_obstacle_hit *hit);

#endif
