// Validation of motion between poses (EG09 8.2): keys met, acceleration continuous, obstacles not touched,
// rotations exact.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "validate/shape/deform_trial.h"
#include "validate/validate.h"

#define PI 3.14159265358979323846
#define MOTION_SECONDS 2.0  // s

// A bar with the states of its keys.
typedef struct animation {
  bar_trial bar;
  size_t n;  // numbers of a state
  double *key[3], *x, *a, *before;
} animation;

static void animation_free(animation *f) {
  bar_trial_free(&f->bar);
  for (int k = 0; k < 3; ++k) free(f->key[k]);
  free(f->x), free(f->a), free(f->before);
}

static bool animation_make(validation *v, animation *f) {
  mote_deform_def def = mote_deform_def_default();
  mote_error error = {0};
  *f = (animation){0};
  def.nodes = 59;
  if (!bar_trial_make(&f->bar, 10, &def, validation_env(v), &error)) {
    validation_error(v, &error);
    return false;
  }
  f->n = 3 * mote_deform_nodes(f->bar.deform);
  double **array[6] = {&f->key[0], &f->key[1], &f->key[2], &f->x, &f->a, &f->before};
  bool good = true;
  for (int k = 0; k < 6; ++k) good &= (*array[k] = calloc(f->n, sizeof(double))) != NULL;
  if (!good) animation_free(f);
  return good;
}

// The state of the bar, bent by a part of 90 degrees and moved.
static void set_key(animation *f, double *key, double bend, double x, double y) {
  mote_deform_reset(f->bar.deform);
  for (int s = 1; s <= 10; ++s) {
    mote_pose pose = bar_pose(BAR_BEND, bend * s / 10.0);
    mote_deform_set_pose(f->bar.deform, f->bar.moved, &pose, NULL);
    mote_deform_solve(f->bar.deform, NULL, NULL, NULL);
  }
  memcpy(key, mote_deform_state(f->bar.deform), f->n * sizeof *key);
  for (size_t i = 0; i < f->n / 3; ++i) key[3 * i] += x, key[3 * i + 1] += y;
}

static mote_deform_motion *solve(validation *v, animation *f, int keys, const mote_deform_obstacle *obstacle,
                                 mote_deform_motion_report *r) {
  mote_deform_key key[3] = {{0.0, f->key[0], NULL, NULL}, {MOTION_SECONDS, f->key[1], NULL, NULL}};
  mote_deform_motion_def def = mote_deform_motion_def_default();
  mote_deform_motion *m = NULL;
  mote_error error = {0};
  if (keys == 3)
    key[1].time = 0.5 * MOTION_SECONDS, key[2] = (mote_deform_key){MOTION_SECONDS, f->key[2], NULL, NULL};
  def.deform = f->bar.deform, def.margin = 0.005 * mote_deform_size(f->bar.deform);
  if (mote_deform_motion_create(&def, key, (size_t)keys, obstacle, obstacle != NULL, &m, &error) != MOTE_OK ||
      mote_deform_motion_solve(m, HUGE_VAL, r, &error) != MOTE_OK) {
    validation_error(v, &error);
    mote_deform_motion_destroy(m);
    return NULL;
  }
  return m;
}

// The largest change of an acceleration between neighbouring times.
static double acceleration_change(animation *f, const mote_deform_motion *m, int times) {
  double most = 0.0;
  for (int s = 0; s <= times; ++s) {
    mote_deform_motion_evaluate(m, MOTION_SECONDS * s / times, NULL, NULL, f->a, NULL);
    for (size_t k = 0; k < f->n && s > 0; ++k) most = fmax(most, fabs(f->a[k] - f->before[k]));
    memcpy(f->before, f->a, f->n * sizeof *f->a);
  }
  return most;
}

void validate_motion_keys(validation *v) {
  animation f;
  mote_deform_motion_report r;
  if (!animation_make(v, &f)) return;
  set_key(&f, f.key[0], 0.0, 0.0, 0.0), set_key(&f, f.key[1], 0.8, 3.0, 1.0),
      set_key(&f, f.key[2], -0.5, 6.0, 0.0);
  mote_deform_motion *m = solve(v, &f, 3, NULL, &r);
  if (m != NULL) {
    double ratio = acceleration_change(&f, m, 1000) / acceleration_change(&f, m, 2000), volume = 0.0;
    validation_near(v, "three keys: farthest of a node, sizes", r.key_error, 0.0, 1e-3, "target");
    validation_near(v, "largest change of acceleration, 1,000 over 2,000 times", ratio, 2.0, 0.2,
                    "continuous");
    for (int s = 0; s <= 100; ++s) {
      mote_deform_motion_read(m, MOTION_SECONDS * s / 100.0, f.bar.vertex, NULL, NULL, NULL);
      volume = fmax(volume, fabs(bar_trial_volume(&f.bar)));
    }
    validation_show(v, "largest change of volume on the way", volume, 0.0, "");
    validation_show(v, "frames", (double)r.frames, 0.0, "");
  }
  mote_deform_motion_destroy(m);
  animation_free(&f);
}

void validate_motion_rotation(validation *v) {
  animation f;
  mote_deform_motion_report r;
  if (!animation_make(v, &f)) return;
  const double *rest = mote_deform_rest(f.bar.deform);
  mote_pose pose;
  pose_identity(&pose), pose_rotate(&pose, 0, 170.0 * PI / 180.0);
  pose.move[0] = 2.0;
  memcpy(f.key[0], rest, f.n * sizeof(double));
  for (size_t i = 0; i < f.n / 3; ++i) pose_apply(&pose, rest + 3 * i, f.key[1] + 3 * i);
  mote_deform_motion *m = solve(v, &f, 2, NULL, &r);
  double worst = 0.0;
  for (int s = 0; s <= 200 && m != NULL; ++s) {
    mote_deform_motion_evaluate(m, MOTION_SECONDS * s / 200.0, f.x, NULL, NULL, NULL);
    for (size_t i = 0; i < f.n; i += 3) {
      for (size_t j = 0; j < i; j += 3) {
        double now = 0.0, then = 0.0;
        for (size_t k = 0; k < 3; ++k) {
          now += (f.x[i + k] - f.x[j + k]) * (f.x[i + k] - f.x[j + k]);
          then += (rest[i + k] - rest[j + k]) * (rest[i + k] - rest[j + k]);
        }
        worst = fmax(worst, fabs(sqrt(now) - sqrt(then)));
      }
    }
  }
  if (m != NULL)
    validation_near(v, "rotation by 170 deg: change of a distance, sizes",
                    worst / mote_deform_size(f.bar.deform), 0.0, 1e-8, "exact");
  mote_deform_motion_destroy(m);
  animation_free(&f);
}

static void rise(void *user, double t, mote_pose *pose) {
  (void)user;
  pose_identity(pose);
  pose->move[2] = 0.5 * t;
}

static void approach(void *user, double t, mote_pose *pose) {
  (void)user;
  pose_identity(pose);
  pose->move[0] = 0.6 * t;
}

void validate_motion_obstacle(validation *v) {
  animation f;
  mote_deform_motion_report r;
  mote_shape *shape = NULL;
  if (!animation_make(v, &f)) return;
  mote_shape_def ball = mote_shape_def_sphere(3.5, 0.7, 1.5, 0.7);
  set_key(&f, f.key[0], 0.0, 0.0, 0.0), set_key(&f, f.key[1], 0.3, 6.0, 0.0);
  mote_deform_motion *m = NULL;
  if (mote_shape_create(&ball, 3, validation_env(v), &shape, NULL) == MOTE_OK) {
    const mote_deform_obstacle obstacle = {.shape = shape, .pose = rise};
    m = solve(v, &f, 2, &obstacle, &r);
  }
  double inside = 0.0, deepest = 0.0, size = mote_deform_size(f.bar.deform);
  for (int s = 0; s <= 1000 && m != NULL; ++s) {
    double t = MOTION_SECONDS * s / 1000.0;
    mote_deform_motion_read(m, t, f.bar.vertex, NULL, NULL, NULL);
    mote_deform_motion_evaluate(m, t, f.x, NULL, NULL, NULL);
    for (size_t i = 0; i < f.n / 3; ++i) f.x[3 * i + 2] -= 0.5 * t;
    for (size_t i = 0; i < f.n / 3; ++i) inside = fmax(inside, -mote_shape_distance(shape, f.x + 3 * i));
    for (size_t i = 0; i < f.bar.mesh.vertices; ++i) {
      const double *y = f.bar.vertex + 3 * i, x[3] = {y[0], y[1], y[2] - 0.5 * t};
      deepest = fmax(deepest, -mote_shape_distance(shape, x));
    }
  }
  if (m != NULL) {
    validation_near(v, "moving obstacle: deepest node at 1,000 times, sizes", inside / size, 0.0, 0.0,
                    "outside");
    validation_near(v, "moving obstacle: deepest vertex at 1,000 times, sizes", deepest / size, 0.0, 2e-3,
                    "outside");
    validation_near(v, "moving obstacle: keys, farthest of a node, sizes", r.key_error, 0.0, 1e-3, "target");
    validation_show(v, "evaluations", (double)r.evaluations, 0.0, "");
  }
  mote_deform_motion_destroy(m);
  mote_shape_destroy(shape);
  animation_free(&f);
}

// A ball rises under a bar of which the keys hold one end only.
void validate_motion_part(validation *v) {
  animation f;
  mote_deform_motion_report r = {0};
  mote_shape *shape = NULL;
  mote_deform_motion *m = NULL;
  mote_error error = {0};
  if (!animation_make(v, &f)) return;
  const double *rest = mote_deform_rest(f.bar.deform);
  double deepest = 0.0, size = mote_deform_size(f.bar.deform);
  uint8_t held[64] = {0};
  for (size_t i = 0; i < f.n / 3; ++i) held[i] = rest[3 * i + 2] < 0.4;
  mote_shape_def ball = mote_shape_def_sphere(-1.2, 0.5, 3.0, 0.7);
  const mote_deform_key key[2] = {{0.0, rest, held, NULL}, {MOTION_SECONDS, rest, held, NULL}};
  mote_deform_motion_def def = mote_deform_motion_def_default();
  def.deform = f.bar.deform, def.margin = 0.005 * size;
  if (mote_shape_create(&ball, 3, validation_env(v), &shape, &error) == MOTE_OK) {
    const mote_deform_obstacle obstacle = {.shape = shape, .pose = approach};
    if (mote_deform_motion_create(&def, key, 2, &obstacle, 1, &m, &error) != MOTE_OK ||
        mote_deform_motion_solve(m, HUGE_VAL, &r, &error) != MOTE_OK)
      validation_error(v, &error);
  }
  for (int s = 0; s <= 1000 && error.code == MOTE_OK; ++s) {
    double t = MOTION_SECONDS * s / 1000.0;
    mote_deform_motion_read(m, t, f.bar.vertex, NULL, NULL, NULL);
    for (size_t i = 0; i < f.bar.mesh.vertices; ++i) {
      const double *y = f.bar.vertex + 3 * i, x[3] = {y[0] - 0.6 * t, y[1], y[2]};
      deepest = fmax(deepest, -mote_shape_distance(shape, x));
    }
  }
  validation_near(v, "keys hold one end, an obstacle pushes the other: deepest vertex, sizes", deepest / size,
                  0.0, 2e-3, "outside");
  validation_near(v, "the same: keys, farthest of a held node, sizes", r.key_error, 0.0, 1e-3, "target");
  mote_deform_motion_destroy(m);
  mote_shape_destroy(shape);
  animation_free(&f);
}
