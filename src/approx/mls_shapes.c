// Stored shape functions: computed once for many points, EG09 (26)-(34), then applied to any number of fields
// as sums over the lists. Reads a sample set (mls.h), owns the lists and everything at their entries.
#include <mote/approx.h>
#include <string.h>

#include "approx/mls_point.h"
#include "base/arena.h"
#include "base/parallel.h"

struct mote_mls_shapes {
  mote_env env;
  mote_mls_search search;
  size_t entries;  // of the lists, fillers included
  double *value, *gradient, *second;
  mote_mls_fit *fit;
};

typedef struct shapes_job {
  const mote_mls *mls;
  const double *position;
  mote_mls_shapes *shapes;
  size_t capacity;  // groups per worker
  mote_mls_group *groups;
  bool *failed;  // per point
} shapes_job;

static mote_mls_point_out place(const mote_mls_shapes *shapes, uint64_t entry) {
  return (mote_mls_point_out){.value = shapes->value + entry,
                              .gradient = shapes->gradient == NULL ? NULL : shapes->gradient + 3 * entry,
                              .second = shapes->second == NULL ? NULL : shapes->second + 6 * entry};
}

static void shapes_chunk(void *data, size_t begin, size_t end, int worker) {
  shapes_job *job = data;
  mote_mls_shapes *shapes = job->shapes;
  const mote_lists *lists = &shapes->search.lists;
  mote_mls_group *groups = job->groups + (size_t)worker * job->capacity;
  for (size_t i = begin; i < end; ++i) {
    uint64_t first = lists->first[i];
    job->failed[i] = !mote_mls_point_shapes(job->mls, job->position + 3 * i, lists->index + first,
                                            lists->number[i], groups, place(shapes, first), &shapes->fit[i]);
  }
}

static mote_result take_storage(mote_mls_shapes *shapes, int derivatives, mote_error *error) {
  const mote_env *env = &shapes->env;
  size_t entries = shapes->entries, bytes = entries * sizeof(double);
  shapes->fit = mote_alloc(env, shapes->search.lists.count, sizeof *shapes->fit);
  shapes->value = mote_alloc(env, entries, sizeof(double));
  if (shapes->fit == NULL || shapes->value == NULL) return mote_fail_memory(error, bytes);
  if (derivatives >= 1 && (shapes->gradient = mote_alloc(env, 3 * entries, sizeof(double))) == NULL) {
    return mote_fail_memory(error, 3 * bytes);
  }
  if (derivatives >= 2 && (shapes->second = mote_alloc(env, 6 * entries, sizeof(double))) == NULL) {
    return mote_fail_memory(error, 6 * bytes);
  }
  return MOTE_OK;
}

static mote_result fill_shapes(shapes_job *job, mote_arena *arena, mote_error *error) {
  const mote_env *env = &job->shapes->env;
  size_t count = job->shapes->search.lists.count, capacity = (size_t)env->threads * job->capacity;
  MOTE_TAKE(job->groups, arena, capacity, error);
  MOTE_TAKE(job->failed, arena, count, error);
  mote_parallel_for(env->threads, count, MOTE_MLS_GRAIN, shapes_chunk, job);
  for (size_t i = 0; i < count; ++i) {
    if (job->failed[i]) return mote_mls_fail_weight(error, "point", i);
  }
  return MOTE_OK;
}

static mote_result make_shapes(mote_mls_shapes *shapes, const mote_mls *mls, const double *position,
                               size_t count, int derivatives, mote_error *error) {
  MOTE_TRY(mote_mls_search_make(mls, position, count, &shapes->env, &shapes->search, error));
  shapes->entries = shapes->search.lists.first[count];
  MOTE_TRY(take_storage(shapes, derivatives, error));
  shapes_job job = {.mls = mls,
                    .position = position,
                    .shapes = shapes,
                    .capacity = shapes->search.longest / MOTE_MLS_LANES + 1};
  mote_arena arena = mote_arena_make(&shapes->env);
  mote_result result = fill_shapes(&job, &arena, error);
  mote_arena_destroy(&arena);
  return result;
}

mote_result mote_mls_shapes_create(const mote_mls *mls, const double *position, size_t count, int derivatives,
                                   const mote_env *env, mote_mls_shapes **out, mote_error *error) {
  if (mls == NULL || out == NULL || (count > 0 && position == NULL)) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "mls shapes: mls, position or out is null");
  }
  if (derivatives < 0 || derivatives > 2) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "mls shapes: derivatives is %d, not 0, 1 or 2", derivatives);
  }
  mote_env resolved = mote_env_resolve(env);
  MOTE_ALLOC_NEW(mote_mls_shapes, shapes, &resolved, 1, error);
  *shapes = (mote_mls_shapes){.env = resolved};
  mote_result result = make_shapes(shapes, mls, position, count, derivatives, error);
  if (result == MOTE_OK) {
    *out = shapes;
  } else {
    mote_mls_shapes_destroy(shapes);
  }
  return result;
}

void mote_mls_shapes_destroy(mote_mls_shapes *shapes) {
  if (shapes == NULL) return;
  mote_env env = shapes->env;
  mote_free(&env, shapes->value, shapes->entries, sizeof(double));
  mote_free(&env, shapes->gradient, 3 * shapes->entries, sizeof(double));
  mote_free(&env, shapes->second, 6 * shapes->entries, sizeof(double));
  mote_free(&env, shapes->fit, shapes->search.lists.count, sizeof *shapes->fit);
  mote_grid_destroy(shapes->search.grid);
  mote_free(&env, shapes, 1, sizeof *shapes);
}

const mote_lists *mote_mls_shapes_lists(const mote_mls_shapes *shapes) {
  return &shapes->search.lists;
}

const double *mote_mls_shapes_value(const mote_mls_shapes *shapes) {
  return shapes->value;
}

const double *mote_mls_shapes_gradient(const mote_mls_shapes *shapes) {
  return shapes->gradient;
}

const double *mote_mls_shapes_second(const mote_mls_shapes *shapes) {
  return shapes->second;
}

const mote_mls_fit *mote_mls_shapes_fit(const mote_mls_shapes *shapes) {
  return shapes->fit;
}

typedef struct apply_job {
  const mote_mls_shapes *shapes;
  const double *field;
  size_t components;
  double *value, *gradient, *laplacian;
} apply_job;

// One component at one point: EG09 (26), (32), (34).
static void apply_point(const apply_job *job, size_t i, size_t k) {
  const mote_lists *lists = &job->shapes->search.lists;
  mote_mls_point_out phi = place(job->shapes, lists->first[i]);
  const uint32_t *index = lists->index + lists->first[i];
  uint32_t number = lists->number[i];
  size_t c = job->components, at = c * i + k;
  double value = 0.0, g[3] = {0.0, 0.0, 0.0}, laplacian = 0.0;
  for (uint32_t e = 0; job->value != NULL && e < number; ++e) {
    value += phi.value[e] * job->field[c * index[e] + k];
  }
  for (size_t e = 0; job->gradient != NULL && e < number; ++e) {
    double f = job->field[c * index[e] + k];
    for (int axis = 0; axis < 3; ++axis) g[axis] += phi.gradient[3 * e + axis] * f;
  }
  for (size_t e = 0; job->laplacian != NULL && e < number; ++e) {
    const double *s = phi.second + 6 * e;
    laplacian += (s[0] + s[3] + s[5]) * job->field[c * index[e] + k];
  }
  if (job->value != NULL) job->value[at] = value;
  if (job->gradient != NULL) memcpy(job->gradient + 3 * at, g, sizeof g);
  if (job->laplacian != NULL) job->laplacian[at] = laplacian;
}

static void apply_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const apply_job *job = data;
  for (size_t i = begin; i < end; ++i) {
    for (size_t k = 0; k < job->components; ++k) apply_point(job, i, k);
  }
}

mote_result mote_mls_apply(const mote_mls_shapes *shapes, const double *field, int components, double *value,
                           double *gradient, double *laplacian, mote_error *error) {
  if (shapes == NULL || components < 1) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "mls apply: no shapes, or components is %d", components);
  }
  if (gradient != NULL && shapes->gradient == NULL) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "mls apply: the shapes were made without derivatives");
  }
  if (laplacian != NULL && shapes->second == NULL) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT,
                     "mls apply: the shapes were made without second derivatives");
  }
  if (field == NULL && shapes->search.lists.pairs > 0) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "mls apply: field is null");
  }
  apply_job job = {.shapes = shapes,
                   .field = field,
                   .components = (size_t)components,
                   .value = value,
                   .gradient = gradient,
                   .laplacian = laplacian};
  mote_parallel_for(shapes->env.threads, shapes->search.lists.count, MOTE_MLS_GRAIN, apply_chunk, &job);
  return MOTE_OK;
}
