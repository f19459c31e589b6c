// Loops shared by threads, which live in pool.c only. Work is cut into chunks whose borders do not depend on
// the number of threads; sums do not even depend on the borders.
#ifndef MOTE_PARALLEL_H
#define MOTE_PARALLEL_H

#include <stddef.h>

#include "base/sum.h"

#define MOTE_THREADS_MAX 1024  // more are not used

// Does [begin, end) of the work. `worker` (0 .. threads-1) selects scratch memory, never a result.
typedef void mote_task(void *data, size_t begin, size_t end, int worker);

// Calls task for every chunk of `grain` (the last may be shorter) of [0, count), in any order.
void mote_parallel_for(int threads, size_t count, size_t grain, mote_task *task, void *data);

#define MOTE_SUM_MAX 16

// Writes the terms of element i of [begin, end) to term[MOTE_SUM_ROW(components) * (i - begin) + k], which
// come in as zero.
typedef void mote_sum_task(void *data, size_t begin, size_t end, double *term);

// Sums of up to MOTE_SUM_MAX components over [0, count): the same bits for any order and any cut (sum.h).
void mote_parallel_sum(int threads, size_t count, int components, mote_sum_task *task, void *data,
                       double *sum);

#define MOTE_COUNT_MAX 2

// Adds its share of [begin, end) to number[0 .. components-1].
typedef void mote_count_task(void *data, size_t begin, size_t end, size_t *number);

// Counts of up to MOTE_COUNT_MAX kinds of elements of [0, count).
void mote_parallel_count(int threads, size_t count, int components, mote_count_task *task, void *data,
                         size_t *number);

// For tests: from now on sums are made of so many ranges of equal length; 0: as many as are fast.
void mote_parallel_cut_sums(size_t ranges);

// Cores of this machine that the process may use.
int mote_parallel_cores(void);

#endif
