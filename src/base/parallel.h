// Loops shared by threads, which live in pool.c only. Work is cut into chunks whose borders do not depend on
// the number of threads; sums are taken chunk by chunk and then in order, so results do not depend on it
// either.
#ifndef MOTE_PARALLEL_H
#define MOTE_PARALLEL_H

#include <stddef.h>

#define MOTE_THREADS_MAX 1024  // more are not used

// Does [begin, end) of the work. `worker` (0 .. threads-1) selects scratch memory, never a result.
typedef void mote_task(void *data, size_t begin, size_t end, int worker);

// Calls task for every chunk of `grain` (the last may be shorter) of [0, count), in any order.
void mote_parallel_for(int threads, size_t count, size_t grain, mote_task *task, void *data);

#define MOTE_SUM_MAX 16

// Adds its share of [begin, end) to sum[0 .. components-1], which come in as zero.
typedef void mote_sum_task(void *data, size_t begin, size_t end, double *sum);

// Ordered sums of up to MOTE_SUM_MAX components over [0, count).
void mote_parallel_sum(int threads, size_t count, int components, mote_sum_task *task, void *data,
                       double *sum);

// Cores of this machine that the process may use.
int mote_parallel_cores(void);

#endif
