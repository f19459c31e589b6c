// Chunks of parallel_for cover the work once and lie at the same borders for any number of threads; sums have
// the same bits for any number of threads and any cut.
#include "base/parallel.h"

#include <math.h>
#include <stdint.h>

#include "base/random.h"
#include "test.h"

#define MOST 10000

static const int thread_counts[] = {0, 1, 2, 7, 64};

typedef struct visits {
  unsigned char seen[MOST];  // each touched by one chunk only
  size_t count, grain;
  int threads;
  bool wrong[64];  // by worker
} visits;

static void visit(void *data, size_t begin, size_t end, int worker) {
  visits *v = data;
  bool fits = worker >= 0 && worker < (v->threads < 1 ? 1 : v->threads);
  if (!fits) worker = 0;
  v->wrong[worker] |= !fits || begin % v->grain != 0 || end > v->count || begin >= end;
  v->wrong[worker] |= end != v->count && end - begin != v->grain;
  for (size_t i = begin; i < end; ++i) ++v->seen[i];
}

static void chunks_cover_once(void) {
  const size_t counts[] = {0, 1, 2, 63, 64, 65, 1000, MOST}, grains[] = {1, 7, 64, 1024, SIZE_MAX};
  for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c) {
    for (size_t g = 0; g < sizeof grains / sizeof *grains; ++g) {
      for (size_t t = 0; t < sizeof thread_counts / sizeof *thread_counts; ++t) {
        static visits v;
        v = (visits){.count = counts[c], .grain = grains[g], .threads = thread_counts[t]};
        mote_parallel_for(v.threads, v.count, v.grain, visit, &v);
        int wrong = 0;
        for (int w = 0; w < 64; ++w) wrong += v.wrong[w];
        for (size_t i = 0; i < MOST; ++i) wrong += v.seen[i] != (i < v.count);
        CHECK(wrong == 0);
      }
    }
  }
}

static void inner(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  for (size_t i = begin; i < end; ++i) ++((int *)data)[i];
}

static void outer(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  for (size_t i = begin; i < end; ++i) mote_parallel_for(2, 100, 10, inner, (int *)data + 100 * i);
}

static void loops_nest(void) {
  static int seen[1000];
  mote_parallel_for(2, 10, 1, outer, seen);
  for (int i = 0; i < 1000; ++i) CHECK(seen[i] == 1);
}

// Terms of very different size, so that every other order gives other bits.
static double term(size_t i, int k) {
  mote_random4 r = mote_random(51, (uint64_t)k, i);
  return ldexp((double)(int32_t)r.v[0], (int)(r.v[1] % 60) - 40);
}

static void add_terms(void *data, size_t begin, size_t end, double *out) {
  int components = *(int *)data;
  for (size_t i = begin; i < end; ++i, out += MOTE_SUM_ROW(components)) {
    for (int k = 0; k < components; ++k) out[k] = term(i, k);
  }
}

static void sums_do_not_depend_on_threads_and_cuts(void) {
  const size_t counts[] = {0, 1, 1023, 1024, 1025, 100000, 262144, 262145, 300000};
  int order_matters = 0;
  for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c) {
    int components = c == 5 ? MOTE_SUM_MAX : 2;
    double first[MOTE_SUM_MAX], plain[MOTE_SUM_MAX] = {0}, size[MOTE_SUM_MAX] = {0};
    mote_parallel_sum(1, counts[c], components, add_terms, &components, first);
    for (size_t i = 0; i < counts[c]; ++i) {
      for (int k = 0; k < components; ++k) plain[k] += term(i, k), size[k] += fabs(term(i, k));
    }
    for (int k = 0; k < components; ++k) {
      CHECK_NEAR(first[k], plain[k], size[k] * (double)counts[c] * 0x1p-53);
      order_matters += first[k] != plain[k];
    }
    for (size_t t = 0; t < sizeof thread_counts / sizeof *thread_counts; ++t) {
      double sum[MOTE_SUM_MAX];
      mote_parallel_sum(thread_counts[t], counts[c], components, add_terms, &components, sum);
      CHECK(memcmp(sum, first, (size_t)components * sizeof *sum) == 0);
    }
    for (size_t ranges = 1; ranges <= 7; ++ranges) {
      double sum[MOTE_SUM_MAX];
      mote_parallel_cut_sums(ranges);
      mote_parallel_sum(2, counts[c], components, add_terms, &components, sum);
      CHECK(memcmp(sum, first, (size_t)components * sizeof *sum) == 0);
    }
    mote_parallel_cut_sums(0);
  }
  CHECK(order_matters > 0);  // else the test above says nothing
}

static void count_thirds(void *data, size_t begin, size_t end, size_t *number) {
  (void)data;
  for (size_t i = begin; i < end; ++i) number[0] += i % 3 == 0, number[1] += i % 3 == 1;
}

static void counts_are_counts(void) {
  const size_t counts[] = {0, 1, 2, 1023, 1025, 100000};
  for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c) {
    for (size_t t = 0; t < sizeof thread_counts / sizeof *thread_counts; ++t) {
      size_t number[2] = {9, 9};
      mote_parallel_count(thread_counts[t], counts[c], 2, count_thirds, NULL, number);
      CHECK(number[0] == (counts[c] + 2) / 3 && number[1] == (counts[c] + 1) / 3);
    }
  }
}

int main(void) {
  chunks_cover_once();
  loops_nest();
  sums_do_not_depend_on_threads_and_cuts();
  counts_are_counts();
  CHECK(mote_parallel_cores() >= 1);
  return test_end();
}
