// Memory for rows of pair groups: see pair_set.h.
#include "solver/pair_set.h"

#include "base/parallel.h"

typedef struct copy_job {
  const mote_pair_set *set;
  const mote_lists *lists;
} copy_job;

static void copy_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const copy_job *job = data;
  for (size_t i = begin; i < end; ++i) {
    job->set->first[i] = job->lists->first[i] / MOTE_LANES;
    job->set->number[i] = (job->lists->number[i] + MOTE_LANES - 1) / MOTE_LANES;
  }
}

mote_result mote_pair_set_take(mote_pair_set *set, const mote_lists *lists, int threads, mote_arena *scratch,
                               mote_error *error) {
  size_t rows = lists->count, groups = lists->first[rows] / MOTE_LANES;
  set->rows = rows;
  set->first = mote_arena_take(scratch, rows, sizeof *set->first);
  set->number = mote_arena_take(scratch, rows, sizeof *set->number);
  set->group = mote_arena_take(scratch, groups, sizeof *set->group);
  if (!set->first || !set->number || !set->group) {
    return mote_fail_memory(error, groups * sizeof *set->group);
  }
  copy_job job = {set, lists};
  mote_parallel_for(threads, rows, 4 * MOTE_FLUID_GRAIN, copy_chunk, &job);
  return MOTE_OK;
}
