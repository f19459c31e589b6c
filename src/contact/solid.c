// Where the surface of a solid is in a step, and how it moves: see solid.h. Distances of rigid solids
// are those of the shape in its own coordinates.
#include "contact/solid.h"

#include <math.h>
#include <mote/numeric.h>
#include <string.h>

#include "base/check.h"
#include "geom/triple.h"

#define CARRY_ROUNDS 3        // corrections of a carried point along the normal; each squares the error
#define SWEEP_STEPS_MAX 256   // as of shapes; then the point counts as met
#define SWEEP_TOLERANCE 1e-3  // of the clearance

mote_solid mote_solid_still(const mote_shape *shape) {
  MOTE_ASSERT(shape != NULL);
  return (mote_solid){.motion = MOTE_SOLID_STILL, .shape = shape, .radius = HUGE_VAL};
}

mote_solid mote_solid_posed(const mote_shape *shape, const mote_pose *before, const mote_pose *after,
                            double dt) {
  MOTE_ASSERT(shape != NULL && dt >= 0.0);
  return (mote_solid){.motion = MOTE_SOLID_POSES,
                      .shape = shape,
                      .pose = *before,
                      .after = *after,
                      .dt = dt,
                      .radius = HUGE_VAL};
}

// --- The frame in which a solid does not move -----------------------------------------------------------

static const mote_pose *pose_at(const mote_solid *s, double time) {
  MOTE_ASSERT(time == 0.0 || time == 1.0);
  return time == 0.0 ? &s->pose : &s->after;
}

// Rotation by rates up to a time.
static void rotation_at(const mote_solid *s, double time, double m[9]) {
  double spin = length3(s->w), angle = time * s->dt * spin;
  double c = mote_cos(angle), sine = spin > 0.0 ? mote_sin(angle) / spin : 0.0;
  double h = spin > 0.0 ? (1.0 - c) / (spin * spin) : 0.0;
  const double *w = s->w;
  const double cross[9] = {0.0, -w[2], w[1], w[2], 0.0, -w[0], -w[1], w[0], 0.0};
  for (int k = 0; k < 9; ++k) m[k] = c * (k % 4 == 0) + sine * cross[k] + h * w[k / 3] * w[k % 3];
}

// The point, when the step begins, that rates bring to x.
static void undo_rates(const mote_solid *s, double time, const double x[3], double out[3]) {
  double r[3], turn[9], seconds = time * s->dt;
  for (int k = 0; k < 3; ++k) r[k] = x[k] - s->x[k] - seconds * s->v[k];
  rotation_at(s, time, turn);
  unturn3(turn, r, r);
  step3(s->x, 1.0, r, out);
}

// x, at a time, in the coordinates of the shape; where the solid deforms, as it is when the step ends.
static void into_frame(const mote_solid *s, double time, const double x[3], double out[3]) {
  copy3(x, out);
  switch (s->motion) {
    case MOTE_SOLID_STILL: break;
    case MOTE_SOLID_POSES: mote_pose_unapply(pose_at(s, time), out, out); break;
    case MOTE_SOLID_RATES:
      if (time > 0.0) undo_rates(s, time, out, out);
      mote_solid_from_world(&s->pose, out, out);
      break;
    case MOTE_SOLID_DEFORMING:
      if (time == 0.0) mote_solid_carry(s, x, out);
      break;
  }
}

// A direction of the frame in the world.
static void out_of_frame(const mote_solid *s, double time, double n[3]) {
  if (s->motion == MOTE_SOLID_STILL || s->motion == MOTE_SOLID_DEFORMING) return;
  turn3(s->motion == MOTE_SOLID_POSES ? pose_at(s, time)->rotation : s->pose.rotation, n, n);
  if (s->motion == MOTE_SOLID_POSES || !(time > 0.0)) return;
  double turn[9];
  rotation_at(s, time, turn);
  turn3(turn, n, n);
}

static double deforming_distance(const mote_solid *s, double time, const double x[3], double normal[3]) {
  double y[3];
  sub3(x, s->pose.move, y);
  return s->deforming->distance(s->deforming->user, time, y, normal);
}

static double frame_distance(const mote_solid *s, const double y[3], double normal[3]) {
  if (s->deforming != NULL) return deforming_distance(s, 1.0, y, normal);
  return normal == NULL ? mote_shape_distance(s->shape, y) : mote_shape_closest(s->shape, y, normal);
}

// --- Questions ----------------------------------------------------------------------------------------

double mote_solid_distance(const mote_solid *solid, double time, const double x[3], double normal[3]) {
  MOTE_ASSERT((solid->deforming != NULL) == (solid->motion == MOTE_SOLID_DEFORMING));
  MOTE_ASSERT((solid->deforming != NULL) != (solid->shape != NULL));
  if (solid->deforming != NULL) return deforming_distance(solid, time, x, normal);
  double y[3];
  into_frame(solid, time, x, y);
  double distance = frame_distance(solid, y, normal);
  if (normal != NULL) out_of_frame(solid, time, normal);
  return distance;
}

void mote_solid_velocity(const mote_solid *solid, double time, const double x[3], double out[3]) {
  double arm[3], spin[3];
  switch (solid->motion) {
    case MOTE_SOLID_STILL: set3(0.0, 0.0, 0.0, out); return;
    case MOTE_SOLID_DEFORMING:
      sub3(x, solid->pose.move, arm);
      solid->deforming->velocity(solid->deforming->user, time, arm, out);
      return;
    case MOTE_SOLID_POSES:
      MOTE_ASSERT(solid->dt > 0.0);
      if (time == 0.0) {
        mote_pose_velocity(&solid->after, &solid->pose, x, -solid->dt, out);
      } else {
        mote_pose_velocity(&solid->pose, &solid->after, x, solid->dt, out);
      }
      return;
    case MOTE_SOLID_RATES:
      sub3(x, solid->x, arm);
      if (time > 0.0) step3(arm, -time * solid->dt, solid->v, arm);
      cross3(solid->w, arm, spin);
      step3(solid->v, 1.0, spin, out);
      return;
  }
}

bool mote_solid_stands(const mote_solid *solid) {
  if (solid->motion == MOTE_SOLID_STILL) return true;
  if (solid->motion == MOTE_SOLID_POSES) return memcmp(&solid->pose, &solid->after, sizeof(mote_pose)) == 0;
  if (solid->motion == MOTE_SOLID_DEFORMING) return solid->deforming->travel == 0.0;
  return dot3(solid->v, solid->v) == 0.0 && dot3(solid->w, solid->w) == 0.0;
}

// Of two poses: how far x goes in the frame of the shape, and the norm of the change of rotation times the
// radius.
static double travel_of_poses(const mote_solid *s, const double x[3], double radius) {
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

double mote_solid_travel(const mote_solid *solid, const double x[3], double radius) {
  MOTE_ASSERT(radius >= 0.0);
  if (solid->motion == MOTE_SOLID_STILL) return 0.0;
  if (solid->motion == MOTE_SOLID_POSES) return travel_of_poses(solid, x, radius);
  if (solid->motion == MOTE_SOLID_DEFORMING) return solid->deforming->travel;
  double spin = length3(solid->w), travel = solid->dt * length3(solid->v);
  return spin > 0.0 ? travel + solid->dt * spin * (distance3(x, solid->x) + radius) : travel;
}

// --- Moving with the surface ---------------------------------------------------------------------------

// Along the velocity, then along the normal until the distance is what it was.
static void carry_by_distance(const mote_solid *s, const double x[3], double out[3]) {
  double v[3], n[3], distance = deforming_distance(s, 0.0, x, NULL);
  mote_solid_velocity(s, 0.0, x, v);
  step3(x, s->dt, v, out);
  for (int k = 0; k < CARRY_ROUNDS; ++k) {
    double change = distance - deforming_distance(s, 1.0, out, n);
    step3(out, change, n, out);
  }
}

void mote_solid_carry(const mote_solid *solid, const double x[3], double out[3]) {
  double r[3], turn[9];
  switch (solid->motion) {
    case MOTE_SOLID_STILL: copy3(x, out); return;
    case MOTE_SOLID_DEFORMING: carry_by_distance(solid, x, out); return;
    case MOTE_SOLID_POSES:
      mote_pose_unapply(&solid->pose, x, out);
      mote_pose_apply(&solid->after, out, out);
      return;
    case MOTE_SOLID_RATES:
      sub3(x, solid->x, r);
      rotation_at(solid, 1.0, turn);
      turn3(turn, r, r);
      for (int k = 0; k < 3; ++k) out[k] = solid->x[k] + solid->dt * solid->v[k] + r[k];
      return;
  }
}

// --- Sweeps -------------------------------------------------------------------------------------------

// Along steps of the distance left nothing is met.
static double sweep_by_distance(const mote_solid *s, const double a[3], const double b[3], double clearance) {
  double x[3], path[3], t = 0.0;
  sub3(b, a, path);
  double length = length3(path);
  for (int k = 0; k < SWEEP_STEPS_MAX; ++k) {
    step3(a, t, path, x);
    double left = frame_distance(s, x, NULL) - clearance;
    if (!(left > SWEEP_TOLERANCE * clearance)) return t;
    if (!(left < (1.0 - t) * length)) return 2.0;
    t += left / length;
  }
  return t;
}

double mote_solid_sweep(const mote_solid *solid, double since, const double a[3], const double b[3],
                        double clearance, mote_solid_hit *hit) {
  MOTE_ASSERT(since == 0.0 || since == 1.0);
  double from[3], to[3], at[3];
  into_frame(solid, since, a, from);
  into_frame(solid, 1.0, b, to);
  double t = solid->deforming != NULL ? sweep_by_distance(solid, from, to, clearance)
                                      : mote_shape_sweep(solid->shape, from, to, clearance);
  if (hit == NULL || !(t <= 1.0)) return t;
  for (int k = 0; k < 3; ++k) at[k] = from[k] + t * (to[k] - from[k]);
  frame_distance(solid, at, hit->normal);
  sub3(from, at, at);
  hit->gap = max2(0.0, dot3(at, hit->normal));
  out_of_frame(solid, since, hit->normal);
  return t;
}
