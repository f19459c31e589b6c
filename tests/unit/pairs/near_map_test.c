// The map never misses a sample that is near, and says no where none is within two cells.
#include "pairs/near_map.h"

#include <math.h>

#include "base/random.h"
#include "test.h"

#define SAMPLES 60
#define POINTS 3000

static void check_map(int dimensions, bool periodic, double radius, double spread) {
  mote_env env = mote_env_default();
  mote_domain domain = mote_domain_open(dimensions);
  double sample[3 * SAMPLES] = {0};
  size_t yes = 0;
  for (int a = 0; a < dimensions; ++a) {
    domain.periodic[a] = periodic && a != 1;
    domain.low[a] = -1.0, domain.high[a] = 4.0;
    for (size_t b = 0; b < SAMPLES; ++b)
      sample[3 * b + a] = mote_random_between(1, (uint64_t)a, b, -spread, spread);
  }
  mote_near_map map = {.capacity = 0};
  CHECK(mote_near_map_build(&map, &env, &domain, radius, sample, SAMPLES, NULL) == MOTE_OK);
  for (size_t i = 0; i < POINTS; ++i) {
    double x[3] = {0}, least = (double)INFINITY;
    for (int a = 0; a < dimensions; ++a) x[a] = mote_random_between(2, (uint64_t)a, i, -9.0, 9.0);
    for (size_t b = 0; b < SAMPLES; ++b) {
      double r = sqrt(mote_domain_distance2(&domain, x, sample + 3 * b));
      least = r < least ? r : least;
    }
    bool has = mote_near_map_has(&map, x);
    if (least < radius) CHECK(has);
    if (!periodic && least > 2.0 * sqrt(dimensions) * radius) CHECK(!has);
    yes += has;
  }
  CHECK(yes > 0 && yes < POINTS);
  mote_near_map_destroy(&map, &env);
}

// Samples so far apart that cells as small as the radius would not fit.
static void check_wide(void) {
  mote_env env = mote_env_default();
  mote_domain domain = mote_domain_open(3);
  double sample[6] = {0, 0, 0, 1e9, 1e9, 1e9}, far[3] = {1e9, 0, 0};
  mote_near_map map = {.capacity = 0};
  CHECK(mote_near_map_build(&map, &env, &domain, 1.0, sample, 2, NULL) == MOTE_OK);
  CHECK(mote_near_map_has(&map, sample) && mote_near_map_has(&map, sample + 3) &&
        !mote_near_map_has(&map, far));
  CHECK(map.capacity * sizeof(uint64_t) <= 4 << 20);
  mote_near_map_destroy(&map, &env);
}

int main(void) {
  for (int d = 2; d <= 3; ++d) {
    check_map(d, false, 0.3, 3.0);
    check_map(d, true, 0.3, 3.0);
    check_map(d, true, 2.0, 0.2);
  }
  check_wide();
  return test_end();
}
