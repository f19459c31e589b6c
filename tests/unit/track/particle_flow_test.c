// The flow of particles: exact for linear flows, at any time between two moments, the same for any threads.
#include <math.h>
#include <mote/track.h>
#include <stdlib.h>

#include "base/random.h"
#include "geom/triple.h"
#include "test.h"

#define SIDE 9
#define COUNT (SIDE * SIDE * SIDE)

// x(t) = x0 + (B x0 + c) t: linear in place and time, but not in the place at later times.
static void linear(const double x[3], double out[3]) {
  out[0] = 0.3 * x[1] - 0.1 * x[0] + 1.0, out[1] = 0.2 * x[2] + 0.05 * x[1],
  out[2] = -0.4 * x[0] + 0.05 * x[2];
}

static void fill(double *position, double *velocity, double flat) {
  for (size_t i = 0; i < COUNT; ++i) {
    size_t at[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
    for (size_t k = 0; k < 3; ++k)
      position[3 * i + k] = (double)at[k] - 4.0 + mote_random_between(2, 1, 3 * i + k, -0.15, 0.15);
    position[3 * i + 2] *= flat;
    linear(position + 3 * i, velocity + 3 * i);
  }
}

static void test_linear(void) {
  double *position = malloc(6 * COUNT * sizeof *position), *velocity = position + 3 * COUNT;
  fill(position, velocity, 1.0);
  mote_track_moment now = {2.0, position, velocity, COUNT};
  double found[2][300], x[300];
  for (size_t i = 0; i < 300; ++i) x[i] = mote_random_between(4, 2, i, -5.0, 5.0);
  for (int k = 0; k < 2; ++k) {
    mote_env env = mote_env_default();
    mote_track_flow *flow = NULL;
    env.threads = k == 0 ? 1 : 5;
    CHECK(mote_track_flow_create(1.0, MOTE_TRACK_FITTED, &env, &flow, NULL) == MOTE_OK);
    CHECK(mote_track_flow_set(flow, &now, NULL, NULL) == MOTE_OK);
    mote_track_flow_velocity(flow, 2.0, x, 100, found[k]);
    mote_track_flow_destroy(flow);
  }
  CHECK(memcmp(found[0], found[1], sizeof found[0]) == 0);
  for (size_t i = 0; i < 100; ++i) {
    double exact[3];
    linear(x + 3 * i, exact);
    CHECK_NEAR(distance3(exact, found[0] + 3 * i), 0.0, 1e-9);
  }
  free(position);
}

// The mean alone is that of the particles' centre.
static void test_mean(void) {
  double *position = malloc(6 * COUNT * sizeof *position), *velocity = position + 3 * COUNT, v[6];
  fill(position, velocity, 1.0);
  mote_track_moment now = {0.0, position, velocity, COUNT};
  mote_track_flow *flow = NULL;
  CHECK(mote_track_flow_create(1.0, MOTE_TRACK_MEAN, NULL, &flow, NULL) == MOTE_OK);
  CHECK(mote_track_flow_set(flow, &now, NULL, NULL) == MOTE_OK);
  const double x[6] = {0.0, 0.0, 4.5, 50.0, 0.0, 0.0};
  mote_track_flow_velocity(flow, 0.0, x, 2, v);
  CHECK(v[1] > 0.2 * 3.0 && v[1] < 0.2 * 4.2);     // 0.9 where the surface is
  for (int k = 3; k < 6; ++k) CHECK(v[k] == 0.0);  // nothing near
  mote_track_flow_destroy(flow);
  free(position);
}

// A sheet of one layer says nothing about what is across it: the mean there.
static void test_sheet(void) {
  double *position = malloc(6 * COUNT * sizeof *position), *velocity = position + 3 * COUNT, v[3];
  fill(position, velocity, 1e-9);
  mote_track_moment now = {0.0, position, velocity, COUNT};
  mote_track_flow *flow = NULL;
  CHECK(mote_track_flow_create(1.0, MOTE_TRACK_FITTED, NULL, &flow, NULL) == MOTE_OK);
  CHECK(mote_track_flow_set(flow, &now, NULL, NULL) == MOTE_OK);
  mote_track_flow_velocity(flow, 0.0, (const double[3]){0.3, 0.2, 0.5}, 1, v);
  double exact[3];
  linear((const double[3]){0.3, 0.2, 0.0}, exact);
  CHECK_NEAR(distance3(exact, v), 0.0, 1e-6);
  mote_track_flow_destroy(flow);
  free(position);
}

// Between two moments: cubics, here of a motion that is one.
static void test_between(void) {
  double place[2][3], speed[2][3], v[3];
  for (int k = 0; k < 2; ++k) {
    double t = 1.0 + 2.0 * k;
    set3(t * t * t, 2.0 * t, 0.0, place[k]), set3(3.0 * t * t, 2.0, 0.0, speed[k]);
  }
  mote_track_moment from = {1.0, place[0], speed[0], 1}, to = {3.0, place[1], speed[1], 1};
  mote_track_flow *flow = NULL;
  CHECK(mote_track_flow_create(1.0, MOTE_TRACK_FITTED, NULL, &flow, NULL) == MOTE_OK);
  CHECK(mote_track_flow_set(flow, &from, &to, NULL) == MOTE_OK);
  for (double t = 1.0; t <= 3.0; t += 0.25) {
    mote_track_flow_velocity(flow, t, (const double[3]){t * t * t + 0.1, 2.0 * t, 0.2}, 1, v);
    CHECK_NEAR(v[0], 3.0 * t * t, 1e-9);
    CHECK_NEAR(v[1], 2.0, 1e-9);
  }
  mote_error error;
  CHECK(mote_track_flow_set(flow, &to, &from, &error) == MOTE_ERROR_ARGUMENT);
  place[1][0] = (double)NAN;
  CHECK(mote_track_flow_set(flow, &from, &to, &error) == MOTE_ERROR_ARGUMENT);
  mote_track_flow_destroy(flow);
  CHECK(mote_track_flow_create(0.0, MOTE_TRACK_FITTED, NULL, &flow, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "spacing");
}

int main(void) {
  test_linear();
  test_mean();
  test_sheet();
  test_between();
  return test_end();
}
