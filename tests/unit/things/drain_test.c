// Drains and open sides: each particle against its twin, counts, times, threads.
#include "things/drain.h"

#include <mote/numeric.h>

#include "test.h"

#define COUNT 5000

static double position[3 * COUNT];

static void fill(void) {
  for (uint64_t k = 0; k < 3 * COUNT; ++k) position[k] = 4.0 * mote_random_uniform(1, 0, k) - 2.0;
}

static mote_shape *ball(double x, double radius) {
  mote_shape_def def = mote_shape_def_sphere(x, 0, 0, radius);
  mote_shape *shape = NULL;
  CHECK(mote_shape_create(&def, 3, NULL, &shape, NULL) == MOTE_OK);
  return shape;
}

static mote_gone twin(const double *x, bool drained) {
  if (drained && x[0] * x[0] + x[1] * x[1] + x[2] * x[2] < 1.0) return MOTE_GONE_DRAINED;
  if (x[0] < -1.6 || x[1] > 1.6) return MOTE_GONE_LEFT;  // the margin is 0.1
  return MOTE_GONE_NOT;
}

int main(void) {
  fill();
  mote_world_def def = mote_world_def_default();
  for (int a = 0; a < 3; ++a) def.low[a] = -1.5, def.high[a] = 1.5;
  for (int a = 0; a < 3; ++a) def.side[a][0] = def.side[a][1] = MOTE_SIDE_WALL;
  def.side[0][0] = MOTE_SIDE_OPEN;
  def.side[1][1] = MOTE_SIDE_OPEN;
  mote_outlet sink[2] = {{ball(0, 1.0), 1.0, 2.0}, {ball(0, 0.5), 1.0, 2.0}};
  mote_leaving leaving = {.sink = sink, .sinks = 2, .def = &def, .margin = 0.1, .count = COUNT};
  leaving.position = position;
  static const double times[] = {0.99, 1.0, 1.99, 2.0};
  for (int k = 0; k < 4; ++k) {
    for (int threads = 1; threads <= 3; ++threads) {
      static uint8_t gone[COUNT];
      leaving.time = times[k], leaving.threads = threads;
      mote_leaving_report report = mote_leaving_flag(&leaving, gone);
      size_t drained = 0, left = 0, wrong = 0;
      for (size_t i = 0; i < COUNT; ++i) {
        mote_gone expected = twin(position + 3 * i, k == 1 || k == 2);
        wrong += gone[i] != expected;
        drained += expected == MOTE_GONE_DRAINED;
        left += expected == MOTE_GONE_LEFT;
      }
      CHECK(wrong == 0);
      CHECK(report.drained == drained && report.left == left);
      CHECK((drained > 0) == (k == 1 || k == 2) && left > 0);
    }
  }
  mote_shape_destroy((mote_shape *)(uintptr_t)sink[0].shape);
  mote_shape_destroy((mote_shape *)(uintptr_t)sink[1].shape);
  return test_end();
}
