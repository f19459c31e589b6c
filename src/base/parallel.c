// Loops in chunks, on the threads of pool.h where the build has them: see parallel.h.
#include "base/parallel.h"

#include <string.h>

#include "base/check.h"
#include "base/pool.h"
#include "base/sum.h"

#define SUM_GRAIN 256     // elements; no effect on results
#define SUM_TERMS 256     // on the stack at a time; no effect on results
#define SUM_WORKERS 64    // threads that are used at most, since each has its own sums
#define COUNT_GRAIN 1024  // elements; no effect on results

void mote_parallel_for(int threads, size_t count, size_t grain, mote_task *task, void *data) {
  MOTE_ASSERT(task != NULL);
  MOTE_ASSERT(grain > 0);
  size_t chunks = count / grain + (count % grain != 0);
  if ((size_t)(threads > 0 ? threads : 0) > chunks) threads = (int)chunks;
  if (threads > MOTE_THREADS_MAX) threads = MOTE_THREADS_MAX;
#ifdef MOTE_THREADS
  if (threads > 1 && mote_pool_run(threads, count, grain, task, data)) return;
#endif
  for (size_t c = 0; c < chunks; ++c) {
    size_t begin = c * grain;
    task(data, begin, count - begin < grain ? count : begin + grain, 0);
  }
}

static int fewer(int threads) {
  return threads < SUM_WORKERS ? threads : SUM_WORKERS;
}

// --- Sums ---

static size_t sum_ranges;  // of tests

void mote_parallel_cut_sums(size_t ranges) {
  sum_ranges = ranges;
}

typedef struct summing {
  mote_sum_task *task;
  void *data;
  int components;
  mote_sum sum[SUM_WORKERS][MOTE_SUM_MAX];  // those of the threads in use are set
} summing;

static void sum_chunk(void *data, size_t begin, size_t end, int worker) {
  summing *s = data;
  double term[SUM_TERMS];
  size_t row = (size_t)MOTE_SUM_ROW(s->components), most = SUM_TERMS / row / 4 * 4;
  for (size_t from = begin; from < end; from += most) {
    size_t count = end - from < most ? end - from : most, rows = (count + 3) / 4 * 4;
    memset(term, 0, rows * row * sizeof *term);
    s->task(s->data, from, from + count, term);
    mote_sum_add(s->sum[worker], s->components, term, rows);
  }
}

void mote_parallel_sum(int threads, size_t count, int components, mote_sum_task *task, void *data,
                       double *sum) {
  MOTE_ASSERT(task != NULL && sum != NULL);
  MOTE_ASSERT(components >= 1 && components <= MOTE_SUM_MAX);
  summing s;  // not cleared as a whole, which would cost more than a short sum
  s.task = task, s.data = data, s.components = components;
  int workers = fewer(threads) > 1 ? fewer(threads) : 1;
  for (int w = 0; w < workers; ++w)
    for (int k = 0; k < components; ++k) s.sum[w][k] = mote_sum_none();
  size_t grain = sum_ranges > 0 && count > 0 ? (count - 1) / sum_ranges + 1 : SUM_GRAIN;
  mote_parallel_for(workers, count, grain, sum_chunk, &s);
  for (int k = 0; k < components; ++k) {
    for (int w = 1; w < workers; ++w) mote_sum_join(&s.sum[0][k], &s.sum[w][k]);
    sum[k] = mote_sum_value(&s.sum[0][k]);
  }
}

// --- Counts ---

typedef struct counting {
  mote_count_task *task;
  void *data;
  size_t number[SUM_WORKERS][MOTE_COUNT_MAX];
} counting;

static void count_chunk(void *data, size_t begin, size_t end, int worker) {
  counting *c = data;
  c->task(c->data, begin, end, c->number[worker]);
}

void mote_parallel_count(int threads, size_t count, int components, mote_count_task *task, void *data,
                         size_t *number) {
  MOTE_ASSERT(task != NULL && number != NULL);
  MOTE_ASSERT(components >= 1 && components <= MOTE_COUNT_MAX);
  counting c = {.task = task, .data = data};
  mote_parallel_for(fewer(threads), count, COUNT_GRAIN, count_chunk, &c);
  for (int k = 0; k < components; ++k) {
    number[k] = 0;
    for (int w = 0; w < SUM_WORKERS; ++w) number[k] += c.number[w][k];
  }
}

int mote_parallel_cores(void) {
#ifdef MOTE_THREADS
  return mote_pool_cores();
#else
  return 1;
#endif
}
