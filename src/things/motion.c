// Rigid motions: see motion.h. Keys are joined by cubic Hermite curves whose slopes are those of Catmull and
// Rom for non-uniform times, (x[k+1] - x[k-1]) / (t[k+1] - t[k-1]), and 0 at both ends, where the motion
// rests: so the velocity is continuous at all times.
#include "things/motion.h"

#include <math.h>
#include <mote/numeric.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "things/quantity.h"

struct mote_motion {
  mote_env env;
  int dimensions;
  double axis[3];  // a unit vector, or 0 without rotation
  double pivot[3];
  mote_quantity move[3], angle;
  mote_key *key;  // in place of formulas; null: none
  size_t keys;
  bool steered;  // then only the leg is used
  mote_motion_leg leg;
};

// --- Making ---

static bool all_finite(const double x[3]) {
  return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

static mote_result fail_at_key(mote_error *error, size_t k, const char *member, const char *what) {
  char name[64];
  snprintf(name, sizeof name, "keys[%zu].%s", k, member);
  return mote_fail_key(error, name, "%s", what);
}

static mote_result check_keys(const mote_motion_def *def, mote_error *error) {
  if (def->key == NULL)
    return mote_fail_key(error, "keys", "there are %zu keys, but none is given", def->keys);
  for (size_t k = 0; k < def->keys; ++k) {
    const mote_key *key = &def->key[k];
    if (!isfinite(key->time)) return fail_at_key(error, k, "time", "must be a finite number");
    if (!all_finite(key->move)) return fail_at_key(error, k, "move", "must be finite numbers");
    if (!isfinite(key->angle)) return fail_at_key(error, k, "angle", "must be a finite number");
    if (k > 0 && !(key->time > key[-1].time)) {
      return fail_at_key(error, k, "time", "must be later than that of the key before");
    }
  }
  return MOTE_OK;
}

static mote_result take_keys(mote_motion *motion, const mote_motion_def *def, mote_error *error) {
  MOTE_TRY(check_keys(def, error));
  MOTE_ALLOC(motion->key, &motion->env, def->keys, error);
  memcpy(motion->key, def->key, def->keys * sizeof *motion->key);
  motion->keys = def->keys;
  return MOTE_OK;
}

static mote_result take_formulas(mote_motion *motion, const mote_motion_def *def, mote_error *error) {
  MOTE_TRY(mote_quantity_make(&def->angle, "t", "angle", &motion->env, &motion->angle, error));
  return mote_quantity_make3(&def->move, "t", "move", &motion->env, motion->move, error);
}

static bool turns(const mote_motion *motion) {
  if (motion->keys == 0) return motion->angle.formula != NULL || motion->angle.constant != 0.0;
  for (size_t k = 0; k < motion->keys; ++k) {
    if (motion->key[k].angle != 0.0) return true;
  }
  return false;
}

static mote_result take_axis(mote_motion *motion, const mote_motion_def *def, mote_error *error) {
  if (!turns(motion)) return MOTE_OK;
  const double *a = def->axis;
  if (!all_finite(a)) return mote_fail_key(error, "axis", "must be finite numbers");
  double largest = fmax(fmax(fabs(a[0]), fabs(a[1])), fabs(a[2]));
  if (motion->dimensions == 2) {
    if (a[0] != 0.0 || a[1] != 0.0) return mote_fail_key(error, "axis", "in 2D all turns are about z");
    motion->axis[2] = a[2] < 0.0 ? -1.0 : 1.0;
    return MOTE_OK;
  }
  if (largest == 0.0) return mote_fail_key(error, "axis", "must not be zero where there is an angle");
  double u[3] = {a[0] / largest, a[1] / largest, a[2] / largest};
  double length = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  for (int k = 0; k < 3; ++k) motion->axis[k] = u[k] / length;
  return MOTE_OK;
}

static mote_result take_pivot(mote_motion *motion, const mote_motion_def *def, const mote_shape *shape,
                              mote_error *error) {
  double low[3] = {0}, high[3] = {0};
  if (shape != NULL) mote_shape_bounds(shape, low, high);
  for (int a = 0; a < motion->dimensions; ++a) {
    double middle = low[a] + 0.5 * (high[a] - low[a]);
    motion->pivot[a] = !isnan(def->pivot[a]) ? def->pivot[a] : isfinite(middle) ? middle : 0.0;
    if (!isfinite(motion->pivot[a])) return mote_fail_key(error, "pivot", "must be finite numbers");
  }
  return MOTE_OK;
}

static mote_result motion_fill(mote_motion *motion, const mote_motion_def *def, const mote_shape *shape,
                               mote_error *error) {
  MOTE_TRY(def->keys > 0 ? take_keys(motion, def, error) : take_formulas(motion, def, error));
  MOTE_TRY(take_axis(motion, def, error));
  return take_pivot(motion, def, shape, error);
}

mote_result mote_motion_create(const mote_motion_def *def, const mote_shape *shape, int dimensions,
                               const mote_env *env, mote_motion **out, mote_error *error) {
  MOTE_ASSERT(dimensions == 2 || dimensions == 3);
  MOTE_ASSERT(def != NULL && out != NULL);
  mote_env own = mote_env_resolve(env);
  MOTE_ALLOC_NEW(mote_motion, motion, &own, 1, error);
  *motion = (mote_motion){.env = own, .dimensions = dimensions};
  mote_result result = motion_fill(motion, def, shape, error);
  if (result) {
    mote_motion_destroy(motion);
    return result;
  }
  *out = motion;
  return MOTE_OK;
}

void mote_motion_destroy(mote_motion *motion) {
  if (motion == NULL) return;
  mote_env env = motion->env;
  for (int a = 0; a < 3; ++a) mote_quantity_free(&motion->move[a]);
  mote_quantity_free(&motion->angle);
  if (motion->key != NULL) mote_free(&env, motion->key, motion->keys, sizeof *motion->key);
  mote_free(&env, motion, 1, sizeof *motion);
}

// --- Keys ---

// move and angle of a key as four values.
static double key_value(const mote_key *key, int c) {
  return c < 3 ? key->move[c] : key->angle;
}

static double key_slope(const mote_motion *motion, size_t k, int c) {
  if (k == 0 || k + 1 == motion->keys) return 0.0;
  const mote_key *key = &motion->key[k];
  return (key_value(key + 1, c) - key_value(key - 1, c)) / (key[1].time - key[-1].time);
}

// The last key that is not after t; t is not before the first.
static size_t key_before(const mote_motion *motion, double t) {
  size_t low = 0, high = motion->keys;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (motion->key[middle].time <= t) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

static double key_curve(const mote_motion *motion, double t, int c) {
  const mote_key *key = motion->key;
  if (!(t > key[0].time)) return key_value(&key[0], c);
  size_t k = key_before(motion, t);
  if (k + 1 == motion->keys) return key_value(&key[k], c);
  double a = key_value(&key[k], c), b = key_value(&key[k + 1], c);
  double length = key[k + 1].time - key[k].time, s = (t - key[k].time) / length, r = 1.0 - s;
  double from = key_slope(motion, k, c) * length, to = key_slope(motion, k + 1, c) * length;
  return a + s * s * (3.0 - 2.0 * s) * (b - a) + s * r * (r * from - s * to);
}

// --- Poses ---

static mote_pose defined_at(const mote_motion *motion, double t) {
  mote_pose pose = mote_pose_identity();
  double value[4];
  for (int c = 0; c < 4; ++c) {
    const mote_quantity *formula = c < 3 ? &motion->move[c] : &motion->angle;
    value[c] = motion->keys > 0 ? key_curve(motion, t, c) : mote_quantity_at(formula, &t);
  }
  for (int a = 0; a < 3; ++a) pose.pivot[a] = motion->pivot[a];
  for (int a = 0; a < motion->dimensions; ++a) pose.move[a] = value[a];
  if (value[3] != 0.0) mote_turn_about(motion->axis, value[3], pose.rotation);
  return pose;
}

mote_pose mote_motion_at(const mote_motion *motion, double t) {
  MOTE_ASSERT(motion != NULL);
  return motion->steered ? mote_motion_leg_at(&motion->leg, t) : defined_at(motion, t);
}

void mote_motion_steer(mote_motion *motion, const mote_motion_leg *leg) {
  MOTE_ASSERT(motion != NULL);
  motion->steered = leg != NULL;
  if (leg != NULL) motion->leg = *leg;
}

const mote_motion_leg *mote_motion_steered(const mote_motion *motion) {
  MOTE_ASSERT(motion != NULL);
  return motion->steered ? &motion->leg : NULL;
}

mote_motion_leg mote_motion_plan(const mote_motion *motion, const mote_command *command, double time) {
  const double *first = command->value, *second = command->value + 3, none[3] = {0.0, 0.0, 0.0};
  mote_pose pose = mote_motion_at(motion, time);
  double turn[3];
  if (command->kind == MOTE_COMMAND_COLLIDER_VELOCITY)
    return mote_motion_leg_free(&pose, time, first, isnan(second[0]) ? none : second);
  MOTE_ASSERT(command->kind == MOTE_COMMAND_COLLIDER_POSE);
  mote_turn_vector(pose.rotation, turn);
  return mote_motion_leg_to(&pose, time, isnan(first[0]) ? pose.move : first,
                            isnan(second[0]) ? turn : second, command->value[6]);
}

void mote_motion_obey(mote_motion *motion, const mote_command *command) {
  mote_motion_leg leg = mote_motion_plan(motion, command, command->time);
  mote_motion_steer(motion, &leg);
}

bool mote_motion_moves(const mote_motion *motion) {
  MOTE_ASSERT(motion != NULL);
  if (motion->steered) return true;
  for (size_t k = 1; k < motion->keys; ++k) {
    for (int c = 0; c < 4; ++c) {
      if (key_value(&motion->key[k], c) != key_value(&motion->key[0], c)) return true;
    }
  }
  bool formulas = motion->angle.formula != NULL;
  for (int a = 0; a < 3; ++a) formulas |= motion->move[a].formula != NULL;
  return formulas;
}

mote_pose mote_pose_identity(void) {
  return (mote_pose){.rotation = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
}

bool mote_pose_is_finite(const mote_pose *pose) {
  MOTE_ASSERT(pose != NULL);
  bool finite = all_finite(pose->pivot) && all_finite(pose->move);
  for (int k = 0; k < 9; ++k) finite &= isfinite(pose->rotation[k]) != 0;
  return finite;
}
