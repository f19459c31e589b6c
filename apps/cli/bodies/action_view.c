// What the camera of previews frames in open domains: see action_view.h.
#include "cli/bodies/action_view.h"

#include <math.h>
#include <mote/numeric.h>

#include "cli/base/app_assert.h"

#define SLACK_SHARE 0.15   // of its half size: how far what is there may move before the camera does
#define SHRINK_FRAME 0.98  // the camera comes nearer by at most so much a frame
#define CATCH_UP_RATE 0.5  // per frame, of a critically damped spring

bool domain_is_open(const mote_world_def *world) {
  int walls = 0;
  bool periodic = false;
  for (int k = 0; k < 2 * world->dimensions; ++k) {
    mote_side side = world->side[k / 2][k % 2];
    walls += side == MOTE_SIDE_WALL;
    periodic = periodic || side == MOTE_SIDE_PERIODIC;
  }
  return walls <= 1 && !periodic;
}

static double median(const double x[3]) {
  return fmax(fmin(x[0], x[1]), fmin(fmax(x[0], x[1]), x[2]));
}

// The speed that is to be expected after the last three, of which one may be that of a jump.
static double expected_speed(const double v[3]) {
  double gain = median((const double[3]){v[0] - v[1], v[1] - v[2], 0});
  return gain + median((const double[3]){v[0], v[1] + gain, v[2] + 2 * gain});
}

// At once as far as the target moves about as fast as before; the rest by a critically damped spring.
static void follow(follower *f, double target, double freedom) {
  double change = target - f->target, most = fmax(expected_speed(f->speed), 0) + freedom;
  f->speed[2] = f->speed[1], f->speed[1] = f->speed[0], f->speed[0] = fabs(change);
  f->target = target;
  f->behind += change - fmin(fmax(change, -most), most);
  double decay = mote_exp(-CATCH_UP_RATE), sum = f->catching_up + CATCH_UP_RATE * f->behind;
  f->behind = (f->behind + sum) * decay;
  f->catching_up = (f->catching_up - CATCH_UP_RATE * sum) * decay;
}

// At the second frame: what has kept its size moves from the beginning on.
static bool is_moving(const action_view *view, const double low[3], const double high[3]) {
  bool same = view->frames == 1;
  for (int k = 0; k < 3; ++k) {
    double half = 0.5 * (high[k] - low[k]), last = view->half[k].target;
    same = same && fabs(half - last) <= SLACK_SHARE * fmax(half, last);
  }
  return same;
}

static void move_along(follower *f, double target) {
  double speed = fabs(target - f->target);
  *f = (follower){.target = target, .speed = {speed, speed, speed}};
}

void action_view_add(action_view *view, const double low[3], const double high[3]) {
  bool moving = is_moving(view, low, high), first = view->frames == 0;
  for (int k = 0; k < 3; ++k) {
    follower *middle = &view->centre[k], *size = &view->half[k];
    double centre = 0.5 * (low[k] + high[k]), half = 0.5 * (high[k] - low[k]);
    if (first) middle->target = centre, size->target = half;
    double freedom = SLACK_SHARE * size->target;
    centre = fmin(fmax(middle->target, centre - SLACK_SHARE * half), centre + SLACK_SHARE * half);
    half = fmax(half, SHRINK_FRAME * size->target);
    if (moving)
      move_along(middle, centre), move_along(size, half);
    else
      follow(middle, centre, freedom), follow(size, half, freedom);
  }
  ++view->frames;
}

static double at(const follower *f) {
  return f->target - f->behind;
}

void action_view_box(const action_view *view, const mote_world_def *world, double low[3], double high[3]) {
  APP_ASSERT(view->frames > 0);
  double longest = 0;
  for (int k = 0; k < 3; ++k) longest = fmax(longest, at(&view->half[k]));
  for (int k = 0; k < 3; ++k) {
    double half = fmax((1 + SLACK_SHARE) * at(&view->half[k]), 0.1 * longest);
    low[k] = fmax(at(&view->centre[k]) - half, world->low[k]);
    high[k] = fmin(at(&view->centre[k]) + half, world->high[k]);
    if (low[k] < high[k]) continue;
    low[k] = at(&view->centre[k]) - half, high[k] = at(&view->centre[k]) + half;
  }
}
