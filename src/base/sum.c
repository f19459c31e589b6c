// Sums that depend on the set of their terms only: see sum.h. Parts are never carried into each other before
// the end, so that those of a lower bin can be dropped when a larger term comes: the sum is then the same as
// if that term had come first.
#include "base/sum.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/cpu.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

#define BIN_BITS 32
#define LEAST_BIN 2                 // smaller terms have its units: 2^-959, 2^-991 and 2^-1023
#define BINS_END 63                 // range: from there on, twice the power that rounds to a unit is infinite
#define ROWS_MAX ((size_t)1 << 20)  // up to which sums of multiples are exact in doubles
#define EXPONENT_BIAS 1023          // IEEE 754

// Of the unit of a bin.
static int exponent_of(int bin) {
  return BIN_BITS * bin - EXPONENT_BIAS;
}

// 2^exponent.
static double power_of_two(int exponent) {
  uint64_t bits = (uint64_t)(EXPONENT_BIAS + exponent) << 52;
  double power;
  memcpy(&power, &bits, sizeof power);
  return power;
}

mote_sum mote_sum_none(void) {
  return (mote_sum){.bin = LEAST_BIN};
}

// For x >= 0; BINS_END for infinity and what is near it.
static int bin_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  int bin = (int)(bits >> 52) / BIN_BITS;
  return bin > LEAST_BIN ? bin : LEAST_BIN;
}

static void raise_to(mote_sum *sum, int bin) {
  int by = bin - sum->bin;
  for (int k = MOTE_SUM_PARTS - 1; k >= 0; --k) sum->part[k] = k >= by ? sum->part[k - by] : 0;
  sum->bin = bin;
}

// Four terms at a time, each of a sum of its own or not. Partial sums of multiples of a unit are exact, in
// any order.
typedef double quad __attribute__((vector_size(32)));
typedef int64_t quad_mask __attribute__((vector_size(32)));

typedef struct quads {
  const double *term;
  size_t count, stride;
  mote_sum *sum[4];  // of each lane
} quads;

typedef struct multiples {
  quad part[MOTE_SUM_PARTS];
  bool fit;  // no term belongs to a higher bin than its sum
} multiples;

static double power_of(const quads *q, int lane, int part) {
  return 1.5 * power_of_two(52 + exponent_of(q->sum[lane]->bin - part));
}

static double limit_of(const quads *q, int lane) {
  return power_of_two(exponent_of(q->sum[lane]->bin + 1));
}

// Adds the multiple of a unit that is nearest to x, and leaves the rest. `power`: 3/2 2^52 units.
static ALWAYS_INLINE void take_multiple(quad *x, const quad *power, quad *sum) {
  quad multiple = (*x + *power) - *power;
  *sum += multiple, *x -= multiple;
}

static ALWAYS_INLINE void find_multiples(const quads *q, multiples *out) {
  const quad_mask sign = {INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN};
  quad limit, power[MOTE_SUM_PARTS], a = {0.0}, b = a, c = a;
  for (int lane = 0; lane < 4; ++lane) {
    limit[lane] = limit_of(q, lane);
    for (int k = 0; k < MOTE_SUM_PARTS; ++k) power[k][lane] = power_of(q, lane, k);
  }
  const quad high = power[0], middle = power[1], low = power[2];
  quad_mask fit = a == a;
  const double *term = q->term;
#pragma GCC unroll 4
  for (size_t n = 0; n < q->count; ++n, term += q->stride) {
    quad x;
    memcpy(&x, term, sizeof x);
    fit &= (quad)((quad_mask)x & ~sign) < limit;
    take_multiple(&x, &high, &a), take_multiple(&x, &middle, &b), take_multiple(&x, &low, &c);
  }
  out->part[0] = a, out->part[1] = b, out->part[2] = c;
  out->fit = fit[0] && fit[1] && fit[2] && fit[3];
}

#ifdef MOTE_AVX2
// The same multiples.
MOTE_AVX2 static void find_multiples_avx2(const quads *q, multiples *out) {
  find_multiples(q, out);
}
#endif

// Adds nothing where a term belongs to a higher bin.
static bool add_quads(const quads *q) {
  multiples m;
#ifdef MOTE_AVX2
  if (mote_cpu_avx2) {
    find_multiples_avx2(q, &m);
  } else
#endif
    find_multiples(q, &m);
  for (int lane = 0; lane < 4 && m.fit; ++lane) {
    mote_sum *sum = q->sum[lane];
    for (int k = 0; k < MOTE_SUM_PARTS; ++k)
      sum->part[k] += (int64_t)(m.part[k][lane] * power_of_two(-exponent_of(sum->bin - k)));
  }
  return m.fit;
}

// Raises the sum to the bin of its largest term.
static void make_fit(mote_sum *sum, double *term, size_t count, size_t stride) {
  double largest = 0.0;
  for (size_t i = 0; i < count; ++i) {
    double *x = term + i * stride;
    if (bin_of(fabs(*x)) < BINS_END) {
      largest = fmax(largest, fabs(*x));
      continue;
    }
    sum->nan |= isnan(*x), sum->above |= *x > 0.0, sum->below |= *x < 0.0;
    *x = 0.0;
  }
  if (bin_of(largest) > sum->bin) raise_to(sum, bin_of(largest));
}

void mote_sum_add(mote_sum *sum, int components, double *term, size_t rows) {
  MOTE_ASSERT(components >= 1 && rows % 4 == 0 && rows <= ROWS_MAX);
  size_t stride = (size_t)MOTE_SUM_ROW(components), most = stride > 4 ? stride : 4;
  mote_sum none = mote_sum_none();  // of lanes beyond the components
  for (int first = 0; first < components; first += 4) {
    quads q = {.term = term + first, .count = rows * stride / most, .stride = most};
    for (int lane = 0; lane < 4; ++lane) {
      int k = stride < 4 ? lane % components : first + lane;
      q.sum[lane] = k < components ? &sum[k] : &none;
    }
    if (add_quads(&q)) continue;
    for (int k = first; k < first + 4 && k < components; ++k) make_fit(&sum[k], term + k, rows, stride);
    bool added = add_quads(&q);
    MOTE_ASSERT(added);
    (void)added;
  }
}

void mote_sum_join(mote_sum *sum, const mote_sum *other) {
  mote_sum more = *other;
  if (more.bin > sum->bin) raise_to(sum, more.bin);
  if (more.bin < sum->bin) raise_to(&more, sum->bin);
  for (int k = 0; k < MOTE_SUM_PARTS; ++k) sum->part[k] += more.part[k];
  sum->nan |= more.nan, sum->above |= more.above, sum->below |= more.below;
}

// The largest 64 bits of the parts together, the last of them set where anything follows, so that their
// rounding to a double is that of the whole.
double mote_sum_value(const mote_sum *sum) {
  if (sum->nan || (sum->above && sum->below)) return (double)NAN;
  if (sum->above || sum->below) return sum->above ? HUGE_VAL : -HUGE_VAL;
  const int64_t unit = INT64_C(1) << BIN_BITS;
  int64_t part[MOTE_SUM_PARTS], carry = 0;
  for (int k = MOTE_SUM_PARTS - 1; k > 0; --k) {
    int64_t all = sum->part[k] + carry;
    part[k] = (all % unit + unit) % unit;
    carry = (all - part[k]) / unit;
  }
  part[0] = sum->part[0] + carry;
  bool negative = part[0] < 0;
  MOTE_ASSERT(part[0] < INT64_MAX && part[0] > -INT64_MAX);
  uint64_t high = (uint64_t)part[0], low = (uint64_t)part[1] << BIN_BITS | (uint64_t)part[2];
  if (negative) low = ~low + 1, high = ~high + (low == 0);
  int shift = 0;
  if (high != 0) {
    int free_bits = __builtin_clzll(high);
    bool rest = low << free_bits != 0;
    shift = 64 - free_bits;
    low = high << free_bits | low >> shift | rest;
  }
  double size = ldexp((double)low, shift + exponent_of(sum->bin - MOTE_SUM_PARTS + 1));
  return negative ? -size : size;
}
