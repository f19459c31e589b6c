// Sums in lanes against plain ones in double; tiles that are cut anywhere.
#include "surface/neighbour_sums.h"

#include "base/random.h"
#include "test.h"

static void fill(mote_candidates *c, size_t from, size_t to, int labels) {
  c->count = to - from;
  for (size_t k = 0; k < c->count; ++k) {
    uint64_t n = 4 * (from + k);
    c->x[k] = (float)mote_random_between(5, 1, n, -1.5, 1.5);
    c->y[k] = (float)mote_random_between(5, 1, n + 1, -1.5, 1.5);
    c->z[k] = (float)mote_random_between(5, 1, n + 2, -1.5, 1.5);
    c->label[k] = (int32_t)mote_random_between(5, 1, n + 3, 0, labels);
  }
  mote_candidates_close(c);
}

static void plain(const mote_candidates *c, const mote_target *t, double count[4], double moment[10]) {
  for (size_t k = 0; k < c->count; ++k) {
    double x[3] = {(double)c->x[k] - (double)t->x[0], (double)c->y[k] - (double)t->x[1],
                   (double)c->z[k] - (double)t->x[2]};
    double q2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    if (q2 >= 1.0 || c->label[k] != t->label) continue;
    double w = 1.0 - q2 * sqrt(q2);
    count[0] += 1.0, moment[0] += w;
    for (int a = 0, at = 4; a < 3; ++a) {
      count[1 + a] += x[a], moment[1 + a] += w * x[a];
      for (int b = a; b < 3; ++b) moment[at++] += w * x[a] * x[b];
    }
  }
}

static void check_sums(size_t total, size_t cut, int labels) {
  static mote_candidates c;
  mote_target target = {.x = {0.1f, -0.2f, 0.3f}, .label = labels - 1};
  mote_neighbour_sums sums = {0};
  double n[4] = {0}, m[10] = {0};
  for (size_t from = 0; from < total; from += cut) {
    fill(&c, from, from + cut < total ? from + cut : total, labels);
    mote_neighbours_add(&c, &target, &sums);
    plain(&c, &target, n, m);
  }
  // Each of the sums has at most n[0] terms of size one.
  double tolerance = 1e-6 * n[0] + 1e-6;
  CHECK((double)mote_lane_sum(sums.sum[10]) == n[0]);
  for (int k = 1; k < 4; ++k) CHECK_NEAR((double)mote_lane_sum(sums.sum[10 + k]), n[k], tolerance);
  for (int k = 0; k < 10; ++k) CHECK_NEAR((double)mote_lane_sum(sums.sum[k]), m[k], tolerance);
}

// Runs of any length, four at a time and the rest, are where one at a time would be.
static void check_added(void) {
  static mote_candidates c;
  double x[3 * 40], corner[3] = {1000.5, -3.25, 7.0}, per = 0.25;
  uint32_t label[40];
  for (int k = 0; k < 120; ++k) x[k] = corner[k % 3] + mote_random_between(6, 1, (uint64_t)k, -4.0, 4.0);
  for (uint32_t k = 0; k < 40; ++k) label[k] = k;
  c.count = 0;
  for (size_t from = 0, length = 1; from + length <= 40; from += length, ++length) {
    mote_candidates_add(&c, x + 3 * from, label + from, length, corner, per);
    CHECK(c.count == from + length);
  }
  for (size_t k = 0; k < c.count; ++k) {
    CHECK(c.x[k] == (float)((x[3 * k] - corner[0]) * per) &&
          c.y[k] == (float)((x[3 * k + 1] - corner[1]) * per) &&
          c.z[k] == (float)((x[3 * k + 2] - corner[2]) * per) && c.label[k] == (int32_t)k);
  }
  mote_candidates_add(&c, x, NULL, 3, corner, per);
  CHECK(c.label[c.count - 1] == 0);
}

int main(void) {
  check_added();
  check_sums(0, 4, 1);
  for (size_t total = 1; total < 10; ++total) check_sums(total, MOTE_CANDIDATES, 1);
  check_sums(1000, MOTE_CANDIDATES, 1);
  check_sums(1000, 37, 1);
  check_sums(5000, MOTE_CANDIDATES, 3);
  return test_end();
}
