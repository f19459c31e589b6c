// A camera that follows: without lag, without jerks, and no farther than needed.
// Links apps/cli/bodies/action_view.c
#include "cli/bodies/action_view.h"

#include <math.h>

#include "test.h"

#define FRAMES 80

static mote_world_def endless(void) {
  mote_world_def world = mote_world_def_default();
  for (int k = 0; k < 3; ++k) world.low[k] = (double)-INFINITY, world.high[k] = (double)INFINITY;
  return world;
}

typedef struct seen {
  double middle[FRAMES], size[FRAMES];  // along x
} seen;

// A box of half size 1 whose middle is at x[frame]; of half size `half[frame]` where that is given.
static seen follow_box(const double *x, const double *half) {
  seen out;
  action_view view = {.frames = 0};
  mote_world_def world = endless();
  for (int n = 0; n < FRAMES; ++n) {
    double r = half != NULL ? half[n] : 1, low[3] = {x[n] - r, -r, -r}, high[3] = {x[n] + r, r, r};
    action_view_add(&view, low, high);
    action_view_box(&view, &world, low, high);
    out.middle[n] = 0.5 * (low[0] + high[0]), out.size[n] = 0.5 * (high[0] - low[0]);
  }
  return out;
}

// The largest change of the camera's speed from one frame to the next.
static double jerk(const double *x) {
  double most = 0;
  for (int n = 2; n < FRAMES; ++n) most = fmax(most, fabs(x[n] - 2 * x[n - 1] + x[n - 2]));
  return most;
}

// Thrown, falling, landing, bouncing: in the picture as a whole, but for the first frames of a throw that
// begins with its own size a frame.
static void what_moves_stays_in_view(void) {
  double x[FRAMES], v = 2, at = 0;
  for (int n = 0; n < FRAMES; ++n) {
    x[n] = at, at += v;
    v = n < 20 ? v + 0.16 : n == 20 ? 0 : n == 40 ? 0.1 : n < 60 ? v + 0.1 * (v > 0) : n == 60 ? -v : v;
  }
  seen s = follow_box(x, NULL);
  for (int n = 0; n < FRAMES; ++n) CHECK(fabs(x[n] - s.middle[n]) + 1 <= s.size[n] + (n < 8 ? 0.5 : 0.1));
}

static void what_trembles_does_not_move_the_camera(void) {
  double x[FRAMES], half[FRAMES];
  for (int n = 0; n < FRAMES; ++n) x[n] = 0.1 * (n % 4 < 2 ? 1 : -1), half[n] = 1 + 0.01 * (n % 3);
  seen v = follow_box(x, half);
  for (int n = 10; n < FRAMES; ++n) {
    CHECK_NEAR(v.middle[n], v.middle[9], 0.01);
    CHECK_NEAR(v.size[n], v.size[9], 0.03);
  }
}

// A jump of 20 takes several frames, begins and ends slowly, and does not swing far beyond.
static void a_jump_is_followed_smoothly(void) {
  double x[FRAMES];
  for (int n = 0; n < FRAMES; ++n) x[n] = n < 30 ? 0 : 20;
  seen v = follow_box(x, NULL);
  CHECK(v.middle[30] < 0.12 * 20 && v.middle[33] < 0.7 * 20 && v.middle[50] > 19.5);
  CHECK(jerk(v.middle) < 0.12 * 20);
  for (int n = 0; n < FRAMES; ++n) CHECK(v.middle[n] > -0.01 && v.middle[n] < 1.02 * 20);
  // For one frame only: by a small part.
  for (int n = 31; n < FRAMES; ++n) x[n] = 0;
  v = follow_box(x, NULL);
  for (int n = 0; n < FRAMES; ++n) CHECK(fabs(v.middle[n]) < 0.25 * 20);
}

// What appears after a first frame without anything is approached, not jumped at.
static void what_appears_is_approached(void) {
  double x[FRAMES], half[FRAMES];
  for (int n = 0; n < FRAMES; ++n) x[n] = n < 1 ? 0 : 6, half[n] = n < 1 ? 8 : 1;
  seen v = follow_box(x, half);
  CHECK(v.middle[1] < 2 && v.middle[20] > 5 && v.size[1] > 0.9 * v.size[0]);
}

static void it_grows_at_once_and_shrinks_slowly(void) {
  double x[FRAMES] = {0}, half[FRAMES];
  for (int n = 0; n < FRAMES; ++n) half[n] = n < 20 ? 1 : n < 40 ? 3 : 1;
  seen v = follow_box(x, half);
  CHECK(v.size[32] > 3 && v.size[44] > 2.7 && v.size[79] < 2.2);
  CHECK(jerk(v.size) < 0.25 * 2);
}

// What the frames before say is all that counts.
static void it_does_not_look_ahead(void) {
  double x[FRAMES], other[FRAMES];
  for (int n = 0; n < FRAMES; ++n) x[n] = 0.3 * n, other[n] = n < 40 ? x[n] : -x[n];
  seen a = follow_box(x, NULL), b = follow_box(other, NULL);
  for (int n = 0; n < 40; ++n) CHECK(a.middle[n] == b.middle[n] && a.size[n] == b.size[n]);
}

static void it_stays_in_the_domain(void) {
  action_view view = {.frames = 0};
  mote_world_def world = endless();
  double low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
  world.low[1] = 0, world.high[0] = 1.05;
  action_view_add(&view, low, high);
  action_view_box(&view, &world, low, high);
  CHECK(low[1] == 0 && high[0] == 1.05 && low[0] < 0 && high[1] > 1);
}

static void tanks_are_not_open(void) {
  mote_world_def world = mote_world_def_default();
  for (int k = 0; k < 6; ++k) world.side[k / 2][k % 2] = MOTE_SIDE_OPEN;
  CHECK(domain_is_open(&world));
  world.side[1][0] = MOTE_SIDE_WALL;
  CHECK(domain_is_open(&world));
  world.side[0][0] = MOTE_SIDE_WALL;
  CHECK(!domain_is_open(&world));
  world.side[0][0] = MOTE_SIDE_PERIODIC;
  CHECK(!domain_is_open(&world));
}

int main(void) {
  what_moves_stays_in_view();
  what_trembles_does_not_move_the_camera();
  a_jump_is_followed_smoothly();
  what_appears_is_approached();
  it_grows_at_once_and_shrinks_slowly();
  it_does_not_look_ahead();
  it_stays_in_the_domain();
  tanks_are_not_open();
  return test_end();
}
