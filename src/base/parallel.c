// Loops in chunks, on the threads of pool.h where the build has them: see parallel.h.
#include "base/parallel.h"

#include "base/check.h"
#include "base/pool.h"

#define SUM_GRAIN 1024  // elements of one partial sum; part of the results, do not change lightly
#define SUM_BATCH 256   // partial sums on the stack at a time

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

typedef struct sum_batch {
  mote_sum_task *task;
  void *data;
  size_t offset;  // of the batch within the whole
  int components;
  double partial[SUM_BATCH][MOTE_SUM_MAX];
} sum_batch;

static void sum_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  sum_batch *batch = data;
  double *partial = batch->partial[begin / SUM_GRAIN];
  for (int k = 0; k < batch->components; ++k) partial[k] = 0.0;
  batch->task(batch->data, batch->offset + begin, batch->offset + end, partial);
}

void mote_parallel_sum(int threads, size_t count, int components, mote_sum_task *task, void *data,
                       double *sum) {
  MOTE_ASSERT(task != NULL && sum != NULL);
  MOTE_ASSERT(components >= 1 && components <= MOTE_SUM_MAX);
  sum_batch batch;  // the partial sums are set chunk by chunk: clearing 32 KiB first would cost more
  batch.task = task;
  batch.data = data;
  batch.components = components;
  for (int k = 0; k < components; ++k) sum[k] = 0.0;
  for (size_t done = 0; done < count; done += (size_t)SUM_GRAIN * SUM_BATCH) {
    size_t rest = count - done;
    size_t size = rest < (size_t)SUM_GRAIN * SUM_BATCH ? rest : (size_t)SUM_GRAIN * SUM_BATCH;
    batch.offset = done;
    mote_parallel_for(threads, size, SUM_GRAIN, sum_chunk, &batch);
    for (size_t c = 0; c < (size + SUM_GRAIN - 1) / SUM_GRAIN; ++c) {
      for (int k = 0; k < components; ++k) sum[k] += batch.partial[c][k];
    }
  }
}

int mote_parallel_cores(void) {
#ifdef MOTE_THREADS
  return mote_pool_cores();
#else
  return 1;
#endif
}
