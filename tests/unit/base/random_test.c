// Philox against the known answers of its authors (Random123, kat_vectors), uniformity, and independence of
// seeds, streams and indices.
#include "base/random.h"

#include <math.h>

#include "test.h"

static bool is(mote_random4 r, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  return r.v[0] == a && r.v[1] == b && r.v[2] == c && r.v[3] == d;
}

static void known_answers(void) {
  const uint32_t ones = 0xffffffffu;
  CHECK(is(mote_philox((mote_random4){{0, 0, 0, 0}}, 0, 0), 0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu,
           0x9b00dbd8u));
  CHECK(is(mote_philox((mote_random4){{ones, ones, ones, ones}}, ones, ones), 0x408f276du, 0x41c83b0eu,
           0xa20bc7c6u, 0x6d5451fdu));
  CHECK(is(mote_philox((mote_random4){{0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u}}, 0xa4093822u,
                       0x299f31d0u),
           0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u));
}

static void seed_stream_and_index_fill_counter_and_key(void) {
  const uint64_t seed = 0x299f31d0a4093822u, stream = 0x0370734413198a2eu, index = 0x85a308d3243f6a88u;
  CHECK(is(mote_random(seed, stream, index), 0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u));
}

// The statistic has `bins` - 1 degrees of freedom: mean bins - 1, deviation sqrt(2 (bins - 1)).
static double chi_square(const int *counts, int bins, int draws) {
  double expected = (double)draws / bins, sum = 0.0;
  for (int k = 0; k < bins; ++k) sum += (counts[k] - expected) * (counts[k] - expected) / expected;
  return sum;
}

#define BINS 256
#define DRAWS 1000000

static void units_are_uniform(void) {
  static int single[BINS], pair[BINS];
  double sum = 0.0, square = 0.0, before = 0.0, least = 1.0, largest = 0.0;
  for (uint64_t i = 0; i < DRAWS; ++i) {
    double x = mote_random_unit(1, 2, i);
    ++single[(int)(x * BINS)];
    ++pair[(int)(x * 16) * 16 + (int)(before * 16)];
    sum += x;
    square += (x - 0.5) * (x - 0.5);
    least = fmin(least, x), largest = fmax(largest, x);
    before = x;
  }
  const double deviation = sqrt(2.0 * (BINS - 1));
  CHECK_NEAR(chi_square(single, BINS, DRAWS), BINS - 1, 4.0 * deviation);
  CHECK_NEAR(chi_square(pair, BINS, DRAWS), BINS - 1, 4.0 * deviation);
  CHECK_NEAR(sum / DRAWS, 0.5, 4.0 * sqrt(1.0 / 12.0 / DRAWS));
  CHECK_NEAR(square / DRAWS, 1.0 / 12.0, 4.0 * sqrt(1.0 / 180.0 / DRAWS));
  CHECK(least >= 0.0 && least < 1e-4 && largest < 1.0 && largest > 1.0 - 1e-4);
}

// Correlation of two sequences of DRAWS / 10 numbers is 0 with deviation 1 / sqrt(their number).
static void neighbours_do_not_correlate(void) {
  const int draws = DRAWS / 10;
  double seeds = 0.0, streams = 0.0;
  for (int i = 0; i < draws; ++i) {
    double x = mote_random_unit(5, 5, (uint64_t)i) - 0.5;
    seeds += 12.0 * x * (mote_random_unit(6, 5, (uint64_t)i) - 0.5);
    streams += 12.0 * x * (mote_random_unit(5, 6, (uint64_t)i) - 0.5);
  }
  CHECK_NEAR(seeds / draws, 0.0, 4.0 / sqrt(draws));
  CHECK_NEAR(streams / draws, 0.0, 4.0 / sqrt(draws));
}

static void between_stays_between(void) {
  const double next = 1.0 + 0x1p-52;
  int low = 0;
  for (uint64_t i = 0; i < 1000; ++i) {
    double x = mote_random_between(1, 0, i, -3.0, 5.0), y = mote_random_between(1, 1, i, 1.0, next);
    CHECK(x >= -3.0 && x < 5.0);
    CHECK(y == 1.0);  // the only number in [1, next), though rounding reaches for the end
    low += x < 1.0;
  }
  CHECK_NEAR(low, 500.0, 4.0 * sqrt(250.0));
  CHECK(mote_random_between(1, 0, 0, 2.0, 2.0) == 2.0);
}

int main(void) {
  known_answers();
  seed_stream_and_index_fill_counter_and_key();
  units_are_uniform();
  neighbours_do_not_correlate();
  between_stays_between();
  return test_end();
}
