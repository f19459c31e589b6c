// Sums have the same bits for any order and any cut of their terms, are within their error bound, round the
// exact sum where that is a number of units, and know NaN and infinity.
#include "base/sum.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "base/random.h"
#include "test.h"

#define TERMS 10000
#define TRIES 1000

// Uniform over 60 decimal orders of magnitude, of both signs.
static double term_of(size_t i) {
  mote_random4 r = mote_random(46, 0, i);
  double size = ldexp(1.0 + (double)r.v[0] * 0x1p-32, (int)(r.v[1] % 200) - 100);
  return r.v[2] & 1 ? -size : size;
}

static void add(mote_sum *sum, const double *term, size_t count) {
  double row[64];
  for (size_t from = 0; from < count; from += 64) {
    size_t part = count - from < 64 ? count - from : 64;
    memset(row, 0, sizeof row);
    memcpy(row, term + from, part * sizeof *row);
    mote_sum_add(sum, 1, row, (part + 3) / 4 * 4);
  }
}

static double sum_of(const double *term, size_t count) {
  mote_sum sum = mote_sum_none();
  add(&sum, term, count);
  return mote_sum_value(&sum);
}

static bool same(double a, double b) {
  return memcmp(&a, &b, sizeof a) == 0;
}

// Random swaps, then random cuts into sums that are joined in a random order.
static double shuffled_sum(double *term, uint64_t try) {
  mote_sum all = mote_sum_none();
  uint32_t cut = 0;
  for (size_t i = TERMS; i > 1; --i) {
    size_t j = mote_random(46, 1 + try, i).v[0] % i;
    double kept = term[i - 1];
    term[i - 1] = term[j], term[j] = kept;
  }
  for (size_t from = 0; from < TERMS;) {
    size_t part = 1 + mote_random(46, 2000 + try, cut++).v[0] % (TERMS / 3);
    part = part < TERMS - from ? part : TERMS - from;
    mote_sum own = mote_sum_none();
    add(&own, term + from, part);
    if (cut % 2 == 0) {
      mote_sum_join(&own, &all);
      all = own;
    } else {
      mote_sum_join(&all, &own);
    }
    from += part;
  }
  return mote_sum_value(&all);
}

static void order_and_cuts_do_not_matter(void) {
  static double term[TERMS];
  double largest = 0.0, plain = 0.0;
  int order_matters = 0, wrong = 0;
  for (size_t i = 0; i < TERMS; ++i) term[i] = term_of(i);
  for (size_t i = 0; i < TERMS; ++i) largest = fmax(largest, fabs(term[i])), plain += term[i];
  double first = sum_of(term, TERMS);
  CHECK_NEAR(first, plain, TERMS * TERMS * largest * 0x1p-53);
  for (uint64_t try = 0; try < TRIES; ++try) {
    double sum = 0.0;
    wrong += !same(shuffled_sum(term, try), first);
    for (size_t i = 0; i < TERMS; ++i) sum += term[i];
    order_matters += sum != plain;
  }
  CHECK(wrong == 0);
  CHECK(order_matters > TRIES / 2);  // else the test above says nothing
}

// Terms that are multiples of one unit within 64 bits of the largest are not rounded at all: compared with
// integers.
static void is_exact_within_64_bits(void) {
  for (int shift = -1000; shift <= 900; shift += 19) {
    double term[1000];
    int64_t high = 0, low = 0;
    for (size_t i = 0; i < 1000; ++i) {
      mote_random4 r = mote_random(47, (uint64_t)(shift + 2000), i);
      int64_t small = (int32_t)r.v[0], large = i % 3 == 0 ? (int32_t)r.v[1] / 256 : 0;
      term[i] = ldexp((double)small, shift);
      if (large != 0) term[i] = ldexp((double)large, shift + 30);
      if (large != 0) small = 0;
      high += large, low += small;
    }
    double exact = ldexp((double)(high * ((int64_t)1 << 30) + low), shift);  // below 2^63: rounded once
    CHECK(same(sum_of(term, 1000), exact));
  }
}

// What plain sums lose, and ties: the sum is rounded once, to even.
static void rounds_once(void) {
  CHECK(sum_of((double[]){0x1p100, 1.0, -0x1p100}, 3) == 0.0);  // 1 is below half of a unit of 2^96
  CHECK(sum_of((double[]){0x1p60, 1.0, -0x1p60}, 3) == 1.0);
  CHECK(sum_of((double[]){1.0, 0x1p-53, 0x1p-70}, 3) == 1.0 + 0x1p-52);
  CHECK(sum_of((double[]){1.0, 0x1p-53}, 2) == 1.0);
  CHECK(sum_of((double[]){1.0 + 0x1p-52, 0x1p-53}, 2) == 1.0 + 0x1p-51);
  CHECK(sum_of((double[]){-1.0, -0x1p-53, -0x1p-70}, 3) == -1.0 - 0x1p-52);
  CHECK(same(sum_of(NULL, 0), 0.0));
  CHECK(same(sum_of((double[]){-0.0, -0.0}, 2), 0.0));
  CHECK(same(sum_of((double[]){1.5, -1.5}, 2), 0.0));
  CHECK(sum_of((double[]){0x1p-1022, 0x1p-1022}, 2) == 0x1p-1021);
  CHECK(sum_of((double[]){0x1p-1023, 0x1p-1023}, 2) == 0x1p-1022);
  CHECK(sum_of((double[]){0x1p-1074, 0x1p-1074}, 2) == 0.0);  // below half of the least unit
  CHECK(sum_of((double[]){0x1.8p992, 0x1.8p992, -0x1p992}, 3) == 0x1p993);
}

static void error_is_within_its_bound(void) {
  const double small = 0x1.fffffffffffffp-66;
  double term[1001] = {1.0};
  for (size_t i = 1; i <= 1000; ++i) term[i] = small;
  double error = 1000.0 * small - (sum_of(term, 1001) - 1.0);
  CHECK(fabs(error) <= 1001.0 * 0x1p-65 + 0x1p-53);
  term[0] = 0x1p-1;  // in the same bin: as large as it gets
  CHECK(sum_of(term, 1001) >= 0.5);
}

static void knows_nan_and_infinity(void) {
  const double nan = (double)NAN, infinity = HUGE_VAL, huge = 0x1p993;
  CHECK(same(sum_of((double[]){1.0, -nan, 2.0}, 3), nan));
  CHECK(sum_of((double[]){1.0, infinity, 2.0}, 3) == infinity);
  CHECK(sum_of((double[]){1.0, -infinity, -infinity, 2.0, 3.0}, 5) == -infinity);
  CHECK(same(sum_of((double[]){infinity, -infinity}, 2), nan));
  CHECK(sum_of((double[]){1.0, huge}, 2) == infinity);
  CHECK(sum_of((double[]){1.0, -huge}, 2) == -infinity);
  CHECK(sum_of((double[]){0x1.fffffffffffffp992, 1.0}, 2) == 0x1.fffffffffffffp992);
  mote_sum a = mote_sum_none(), b = mote_sum_none();
  add(&a, (double[]){infinity}, 1), add(&b, (double[]){-infinity}, 1);
  mote_sum_join(&a, &b);
  CHECK(same(mote_sum_value(&a), nan));
}

// 2^28 terms, by joining a sum with itself.
static void does_not_overflow(void) {
  const double largest = 0x1.fffffffffffffp-1;
  double term[4] = {largest, largest, -0x1p-33, 0x1.8p-40};
  mote_sum sum = mote_sum_none();
  add(&sum, term, 4);
  for (int k = 0; k < 26; ++k) {
    mote_sum twin = sum;
    mote_sum_join(&sum, &twin);
  }
  double four = sum_of(term, 4);
  CHECK(mote_sum_value(&sum) == ldexp(four, 26));
}

static void columns(void *data, size_t begin, size_t end, double *term) {
  int components = *(int *)data;
  for (size_t i = begin; i < end; ++i, term += MOTE_SUM_ROW(components))
    for (int k = 0; k < components; ++k) term[k] = term_of(i) * (k + 1);
}

static void components_are_apart(void) {
  static double term[TERMS];
  for (int components = 1; components <= MOTE_SUM_MAX; ++components) {
    double sum[MOTE_SUM_MAX];
    mote_parallel_sum(2, TERMS, components, columns, &components, sum);
    for (int k = 0; k < components; ++k) {
      for (size_t i = 0; i < TERMS; ++i) term[i] = term_of(i) * (k + 1);
      CHECK(same(sum[k], sum_of(term, TERMS)));
    }
  }
}

int main(void) {
  order_and_cuts_do_not_matter();
  is_exact_within_64_bits();
  rounds_once();
  error_is_within_its_bound();
  knows_nan_and_infinity();
  does_not_overflow();
  components_are_apart();
  return test_end();
}
