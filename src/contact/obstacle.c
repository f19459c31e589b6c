// Where the surface of an obstacle is in a step, and how it moves: see obstacle.h. Distances of rigid
// obstacles are those of the shape in its own coordinates.
#include "contact/obstacle.h"

#include <math.h>
#include <mote/numeric.h>
#include <string.h>

#include "base/check.h"
#include "contact/tuning.inc"
#include "geom/triple.h"

#define CARRY_ROUNDS 3       // corrections of a carried point along the normal; each squares the error
#define SWEEP_STEPS_MAX 256  // as of shapes; then the point counts as met

mote_obstacle mote_obstacle_still(const mote_shape *shape) {
  MOTE_ASSERT(shape != NULL);
  return (mote_obstacle){.motion = MOTE_OBSTACLE_STILL, .shape = shape, .radius = HUGE_VAL};
}

mote_obstacle mote_obstacle_posed(const mote_shape *shape, const mote_pose *before, const mote_pose *after,
                                  double dt) {
  MOTE_ASSERT(shape != NULL && dt >= 0.0);
  return (mote_obstacle){.motion = MOTE_OBSTACLE_POSES,
                         .shape = shape,
                         .pose = *before,
                         .after = *after,
                         .dt = dt,
                         .radius = HUGE_VAL};
}

// --- Coordinates in which an obstacle does not move ----------------------------------------------------

static const mote_pose *pose_at(const mote_obstacle *s, double time) {
  MOTE_ASSERT(time == 0.0 || time == 1.0);
  return time == 0.0 ? &s->pose : &s->after;
}

// Rotation by rates up to a time.
static void rotation_at(const mote_obstacle *s, double time, double m[9]) {
  double spin = length3(s->w), angle = time * s->dt * spin;
  double c = mote_cos(angle), sine = spin > 0.0 ? mote_sin(angle) / spin : 0.0;
  double h = spin > 0.0 ? (1.0 - c) / (spin * spin) : 0.0;
  const double *w = s->w;
  const double cross[9] = {0.0, -w[2], w[1], w[2], 0.0, -w[0], -w[1], w[0], 0.0};
  for (int k = 0; k < 9; ++k) m[k] = c * (k % 4 == 0) + sine * cross[k] + h * w[k / 3] * w[k % 3];
}

// The point, when the step begins, that rates bring to x.
static void undo_rates(const mote_obstacle *s, double time, const double x[3], double out[3]) {
  double r[3], turn[9], seconds = time * s->dt;
  for (int k = 0; k < 3; ++k) r[k] = x[k] - s->x[k] - seconds * s->v[k];
  rotation_at(s, time, turn);
  unturn3(turn, r, r);
  step3(s->x, 1.0, r, out);
}

// x, at a time, in the coordinates of the shape; where the obstacle deforms, as it is when the step ends.
static void into_moving_frame(const mote_obstacle *s, double time, const double x[3], double out[3]) {
  copy3(x, out);
  switch (s->motion) {
    case MOTE_OBSTACLE_STILL: break;
    case MOTE_OBSTACLE_POSES: mote_pose_unapply(pose_at(s, time), out, out); break;
    case MOTE_OBSTACLE_RATES:
      if (time > 0.0) undo_rates(s, time, out, out);
      mote_obstacle_from_world(&s->pose, out, out);
      break;
    case MOTE_OBSTACLE_DEFORMING:
      if (time == 0.0) mote_obstacle_carry(s, x, out);
      break;
  }
}

// A direction of these coordinates in those of the world.
static void out_of_moving_frame(const mote_obstacle *s, double time, double n[3]) {
  if (s->motion == MOTE_OBSTACLE_STILL || s->motion == MOTE_OBSTACLE_DEFORMING) return;
  turn3(s->motion == MOTE_OBSTACLE_POSES ? pose_at(s, time)->rotation : s->pose.rotation, n, n);
  if (s->motion == MOTE_OBSTACLE_POSES || !(time > 0.0)) return;
  double turn[9];
  rotation_at(s, time, turn);
  turn3(turn, n, n);
}

static double deforming_distance(const mote_obstacle *s, double time, const double x[3], double normal[3]) {
  double y[3];
  sub3(x, s->pose.move, y);
  return s->deforming->distance(s->deforming->user, time, y, normal);
}

static double moving_frame_distance(const mote_obstacle *s, const double y[3], double normal[3]) {
  if (s->deforming != NULL) return deforming_distance(s, 1.0, y, normal);
  return normal == NULL ? mote_shape_distance(s->shape, y) : mote_shape_closest(s->shape, y, normal);
}

// --- Questions ----------------------------------------------------------------------------------------

double mote_obstacle_distance(const mote_obstacle *obstacle, double time, const double x[3],
                              double normal[3]) {
  MOTE_ASSERT((obstacle->deforming != NULL) == (obstacle->motion == MOTE_OBSTACLE_DEFORMING));
  MOTE_ASSERT((obstacle->deforming != NULL) != (obstacle->shape != NULL));
  if (obstacle->deforming != NULL) return deforming_distance(obstacle, time, x, normal);
  double y[3];
  into_moving_frame(obstacle, time, x, y);
  double distance = moving_frame_distance(obstacle, y, normal);
  if (normal != NULL) out_of_moving_frame(obstacle, time, normal);
  return distance;
}

void mote_obstacle_velocity(const mote_obstacle *obstacle, double time, const double x[3], double out[3]) {
  double arm[3], spin[3];
  switch (obstacle->motion) {
    case MOTE_OBSTACLE_STILL: set3(0.0, 0.0, 0.0, out); return;
    case MOTE_OBSTACLE_DEFORMING:
      sub3(x, obstacle->pose.move, arm);
      obstacle->deforming->velocity(obstacle->deforming->user, time, arm, out);
      return;
    case MOTE_OBSTACLE_POSES:
      MOTE_ASSERT(obstacle->dt > 0.0);
      if (time == 0.0) {
        mote_pose_velocity(&obstacle->after, &obstacle->pose, x, -obstacle->dt, out);
      } else {
        mote_pose_velocity(&obstacle->pose, &obstacle->after, x, obstacle->dt, out);
      }
      return;
    case MOTE_OBSTACLE_RATES:
      sub3(x, obstacle->x, arm);
      if (time > 0.0) step3(arm, -time * obstacle->dt, obstacle->v, arm);
      cross3(obstacle->w, arm, spin);
      step3(obstacle->v, 1.0, spin, out);
      return;
  }
}

bool mote_obstacle_stands(const mote_obstacle *obstacle) {
  if (obstacle->motion == MOTE_OBSTACLE_STILL) return true;
  if (obstacle->motion == MOTE_OBSTACLE_POSES)
    return memcmp(&obstacle->pose, &obstacle->after, sizeof(mote_pose)) == 0;
  if (obstacle->motion == MOTE_OBSTACLE_DEFORMING) return obstacle->deforming->travel == 0.0;
  return dot3(obstacle->v, obstacle->v) == 0.0 && dot3(obstacle->w, obstacle->w) == 0.0;
}

// Of two poses: how far x moves in coordinates of the shape, and the norm of the change of rotation times the
// radius.
static double travel_of_poses(const mote_obstacle *s, const double x[3], double radius) {
  double before[3], after[3], change = 0.0;
  mote_pose_unapply(&s->pose, x, before);
  mote_pose_unapply(&s->after, x, after);
  double travel = distance3(after, before);
  if (radius == 0.0) return travel;
  for (int k = 0; k < 9; ++k) {
    double d = s->after.rotation[k] - s->pose.rotation[k];
    change += d * d;
  }
  return travel + sqrt(change) * radius;
}

double mote_obstacle_travel(const mote_obstacle *obstacle, const double x[3], double radius) {
  MOTE_ASSERT(radius >= 0.0);
  if (obstacle->motion == MOTE_OBSTACLE_STILL) return 0.0;
  if (obstacle->motion == MOTE_OBSTACLE_POSES) return travel_of_poses(obstacle, x, radius);
  if (obstacle->motion == MOTE_OBSTACLE_DEFORMING) return obstacle->deforming->travel;
  double spin = length3(obstacle->w), travel = obstacle->dt * length3(obstacle->v);
  return spin > 0.0 ? travel + obstacle->dt * spin * (distance3(x, obstacle->x) + radius) : travel;
}

// --- Moving with the surface ---------------------------------------------------------------------------

// Along the velocity, then along the normal until the distance is what it was.
static void carry_by_distance(const mote_obstacle *s, const double x[3], double out[3]) {
  double v[3], n[3], distance = deforming_distance(s, 0.0, x, NULL);
  mote_obstacle_velocity(s, 0.0, x, v);
  step3(x, s->dt, v, out);
  for (int k = 0; k < CARRY_ROUNDS; ++k) {
    double change = distance - deforming_distance(s, 1.0, out, n);
    step3(out, change, n, out);
  }
}

void mote_obstacle_carry(const mote_obstacle *obstacle, const double x[3], double out[3]) {
  double r[3], turn[9];
  switch (obstacle->motion) {
    case MOTE_OBSTACLE_STILL: copy3(x, out); return;
    case MOTE_OBSTACLE_DEFORMING: carry_by_distance(obstacle, x, out); return;
    case MOTE_OBSTACLE_POSES:
      mote_pose_unapply(&obstacle->pose, x, out);
      mote_pose_apply(&obstacle->after, out, out);
      return;
    case MOTE_OBSTACLE_RATES:
      sub3(x, obstacle->x, r);
      rotation_at(obstacle, 1.0, turn);
      turn3(turn, r, r);
      for (int k = 0; k < 3; ++k) out[k] = obstacle->x[k] + obstacle->dt * obstacle->v[k] + r[k];
      return;
  }
}

// --- Sweeps -------------------------------------------------------------------------------------------

// Along steps of the distance left nothing is met.
static double sweep_by_distance(const mote_obstacle *s, const double a[3], const double b[3],
                                double clearance) {
  double x[3], path[3], t = 0.0;
  sub3(b, a, path);
  double length = length3(path);
  for (int k = 0; k < SWEEP_STEPS_MAX; ++k) {
    step3(a, t, path, x);
    double left = moving_frame_distance(s, x, NULL) - clearance;
    if (!(left > PATH_TOLERANCE * clearance)) return t;
    if (!(left < (1.0 - t) * length)) return 2.0;
    t += left / length;
  }
  return t;
}

double mote_obstacle_sweep(const mote_obstacle *obstacle, double since, const double a[3], const double b[3],
                           double clearance, mote_obstacle_hit *hit) {
  MOTE_ASSERT(since == 0.0 || since == 1.0);
  double from[3], to[3], at[3];
  into_moving_frame(obstacle, since, a, from);
  into_moving_frame(obstacle, 1.0, b, to);
  double t = obstacle->deforming != NULL ? sweep_by_distance(obstacle, from, to, clearance)
                                         : mote_shape_sweep(obstacle->shape, from, to, clearance);
  if (hit == NULL || !(t <= 1.0)) return t;
  for (int k = 0; k < 3; ++k) at[k] = from[k] + t * (to[k] - from[k]);
  moving_frame_distance(obstacle, at, hit->normal);
  sub3(from, at, at);
  hit->gap = max2(0.0, dot3(at, hit->normal));
  out_of_moving_frame(obstacle, since, hit->normal);
  return t;
}
