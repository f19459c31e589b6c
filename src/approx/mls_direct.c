// The direct gradient at the samples, EG09 (37)-(38): the linear function through a sample's own value that
// fits its neighbours best. No data are kept between calls.
#include <mote/approx.h>
#include <string.h>

#include "approx/mls_point.h"
#include "base/arena.h"
#include "base/parallel.h"

typedef struct direct_job {
  const mote_mls *mls;
  const mote_lists *lists;
  const double *field;
  size_t components;
  double *gradient;
  size_t capacity;           // groups per worker
  mote_mls_group *groups;    // scratch of all workers
  double (*coefficient)[3];  // scratch, one per lane of the groups
  bool *failed;              // per sample
} direct_job;

static void direct_chunk(void *data, size_t begin, size_t end, int worker) {
  direct_job *job = data;
  mote_mls_group *groups = job->groups + (size_t)worker * job->capacity;
  double(*c)[3] = job->coefficient + (size_t)worker * job->capacity * MOTE_MLS_LANES;
  for (size_t i = begin; i < end; ++i) {
    const uint32_t *index = job->lists->index + job->lists->first[i];
    uint32_t number = job->lists->number[i];
    job->failed[i] = !mote_mls_point_direct(job->mls, (uint32_t)i, index, number, groups, c[0]);
    for (size_t k = 0; k < job->components; ++k) {
      double fi = job->field[job->components * i + k], g[3] = {0.0, 0.0, 0.0};
      for (uint32_t e = 0; e < number; ++e) {
        double difference = job->field[job->components * index[e] + k] - fi;
        for (int axis = 0; axis < 3; ++axis) g[axis] += difference * c[e][axis];
      }
      memcpy(job->gradient + 3 * (job->components * i + k), g, sizeof g);
    }
  }
}

// Takes the scratch memory; a caller's weight function may fail, and then `gradient` must not change.
static bool take_scratch(direct_job *job, mote_arena *arena) {
  const mote_mls *mls = job->mls;
  size_t capacity = (size_t)mls->env.threads * job->capacity, count = mls->def.count;
  job->groups = mote_arena_take(arena, capacity, sizeof *job->groups);
  job->coefficient = mote_arena_take(arena, capacity * MOTE_MLS_LANES, sizeof *job->coefficient);
  job->failed = mote_arena_take(arena, count, sizeof *job->failed);
  if (mls->def.weight != NULL) {
    job->gradient = mote_arena_take(arena, 3 * count * job->components, sizeof *job->gradient);
  }
  return job->groups != NULL && job->coefficient != NULL && job->failed != NULL && job->gradient != NULL;
}

static mote_result run_direct(direct_job *job, mote_arena *arena, double *gradient, mote_error *error) {
  size_t count = job->mls->def.count;
  job->gradient = gradient;
  if (!take_scratch(job, arena)) return mote_fail_memory(error, job->capacity * sizeof *job->groups);
  mote_parallel_for(job->mls->env.threads, count, MOTE_MLS_GRAIN, direct_chunk, job);
  for (size_t i = 0; i < count; ++i) {
    if (job->failed[i]) return mote_mls_fail_weight(error, "sample", i);
  }
  if (job->gradient != gradient) {
    memcpy(gradient, job->gradient, 3 * count * job->components * sizeof *gradient);
  }
  return MOTE_OK;
}

mote_result mote_mls_direct_gradient(const mote_mls *mls, const double *field, int components,
                                     double *gradient, mote_error *error) {
  if (mls == NULL || components < 1) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "mls: no samples, or components is %d", components);
  }
  if (mls->def.count == 0) return MOTE_OK;
  if (field == NULL || gradient == NULL) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "mls: field or gradient is null");
  }
  mote_mls_search search;
  MOTE_TRY(mote_mls_search_make(mls, mls->position, mls->def.count, &mls->env, &search, error));
  direct_job job = {.mls = mls,
                    .lists = &search.lists,
                    .field = field,
                    .components = (size_t)components,
                    .capacity = search.longest / MOTE_MLS_LANES + 1};
  mote_arena arena = mote_arena_make(&mls->env);
  mote_result result = run_direct(&job, &arena, gradient, error);
  mote_arena_destroy(&arena);
  mote_grid_destroy(search.grid);
  return result;
}
