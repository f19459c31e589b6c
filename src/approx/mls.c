// The sample set of moving least squares, EG09 3, and the search of the samples in reach of given points.
#include "approx/mls.h"

#include <math.h>
#include <string.h>

#include "search/domain.h"

mote_mls_def mote_mls_def_default(void) {
  return (mote_mls_def){.domain = mote_domain_open(3),
                        .order = 1,
                        .kernel = MOTE_KERNEL_WENDLAND_C2,
                        .rescue = MOTE_MLS_PSEUDO_INVERSE,
                        .tolerance = 1e-10};
}

static mote_result check_samples(const mote_mls_def *def, mote_error *error) {
  MOTE_TRY(mote_domain_count(def->count, "samples", error));
  for (size_t i = 0; i < def->count; ++i) {
    for (int axis = 0; axis < def->domain.dimensions; ++axis) {
      if (isfinite(def->position[3 * i + axis])) continue;
      return mote_fail(error, MOTE_ERROR_ARGUMENT, "mls: coordinate %d of sample %zu is not finite", axis, i);
    }
    if (def->radius == NULL || (def->radius[i] > 0.0 && isfinite(def->radius[i]))) continue;
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "mls: radius of sample %zu is %g, not positive and finite",
                     i, def->radius[i]);
  }
  return MOTE_OK;
}

static mote_result check_def(const mote_mls_def *def, mote_error *error) {
  if (def->domain.dimensions < 1 || def->domain.dimensions > 3) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "mls: dimensions is %d, not 1, 2 or 3",
                     def->domain.dimensions);
  }
  if (def->order < 0 || def->order > 2) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "mls: order is %d, not 0, 1 or 2", def->order);
  }
  if (def->weight == NULL && ((int)def->kernel < 0 || def->kernel >= MOTE_KERNEL_KINDS)) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "mls: kernel %d is unknown", (int)def->kernel);
  }
  if (def->rescue != MOTE_MLS_PSEUDO_INVERSE && def->rescue != MOTE_MLS_LOWER_ORDER) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "mls: rescue %d is unknown", (int)def->rescue);
  }
  if (!(def->tolerance > 0.0 && def->tolerance < 1.0)) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "mls: tolerance is %g, not between 0 and 1", def->tolerance);
  }
  if (def->count > 0 && def->position == NULL) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "mls: position is null");
  }
  if (def->radius == NULL && !(def->uniform_radius > 0.0 && isfinite(def->uniform_radius))) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "mls: uniform_radius is %g, not positive and finite",
                     def->uniform_radius);
  }
  return check_samples(def, error);
}

static mote_grid_def grid_def(const mote_mls *mls) {
  mote_grid_def def = mote_grid_def_default(mls->reach);
  def.domain = mls->def.domain;
  return def;
}

static mote_result copy_samples(mote_mls *mls, const mote_mls_def *def, mote_error *error) {
  MOTE_ALLOC(mls->position, &mls->env, 3 * def->count, error);
  if (def->count > 0) memcpy(mls->position, def->position, 3 * def->count * sizeof *mls->position);
  mls->def.position = mls->position;
  if (def->radius == NULL) return MOTE_OK;
  MOTE_ALLOC(mls->radius, &mls->env, def->count, error);
  if (def->count > 0) memcpy(mls->radius, def->radius, def->count * sizeof *mls->radius);
  mls->def.radius = mls->radius;
  return MOTE_OK;
}

static double largest_radius(const mote_mls_def *def) {
  if (def->radius == NULL) return def->uniform_radius;
  double largest = 0.0;
  for (size_t i = 0; i < def->count; ++i) largest = fmax(largest, def->radius[i]);
  return largest > 0.0 ? largest : 1.0;
}

mote_result mote_mls_create(const mote_mls_def *def, const mote_env *env, mote_mls **out, mote_error *error) {
  if (def == NULL || out == NULL) return mote_fail(error, MOTE_ERROR_ARGUMENT, "mls: def or out is null");
  MOTE_TRY(check_def(def, error));
  mote_env resolved = mote_env_resolve(env);
  MOTE_ALLOC_NEW(mote_mls, mls, &resolved, 1, error);
  *mls = (mote_mls){.env = resolved, .def = *def, .reach = largest_radius(def)};
  for (int axis = 0; axis < def->domain.dimensions; ++axis) mls->periodic |= def->domain.periodic[axis];
  mote_result result = mote_domain_check(&def->domain, mls->reach, error);
  if (result == MOTE_OK) result = copy_samples(mls, def, error);
  if (result == MOTE_OK) {
    *out = mls;
  } else {
    mote_mls_destroy(mls);
  }
  return result;
}

void mote_mls_destroy(mote_mls *mls) {
  if (mls == NULL) return;
  mote_env env = mls->env;
  mote_free(&env, mls->position, 3 * mls->def.count, sizeof *mls->position);
  mote_free(&env, mls->radius, mls->def.count, sizeof *mls->radius);
  mote_free(&env, mls, 1, sizeof *mls);
}

mote_result mote_mls_search_make(const mote_mls *mls, const double *position, size_t count,
                                 const mote_env *env, mote_mls_search *search, mote_error *error) {
  *search = (mote_mls_search){0};
  mote_grid_def def = grid_def(mls);
  MOTE_TRY(mote_grid_create(&def, env, &search->grid, error));
  mote_result result = mote_grid_build(search->grid, mls->position, mls->def.count, error);
  if (result == MOTE_OK) {
    result = mote_grid_neighbours_at(search->grid, position, count, mls->radius,
                                     mls->radius == NULL ? MOTE_REACH_GATHER : MOTE_REACH_SCATTER,
                                     &search->lists, error);
  }
  if (result != MOTE_OK) {
    mote_grid_destroy(search->grid);
    search->grid = NULL;
    return result;
  }
  for (size_t i = 0; i < count; ++i) {
    if (search->lists.number[i] > search->longest) search->longest = search->lists.number[i];
  }
  return MOTE_OK;
}

mote_result mote_mls_fail_weight(mote_error *error, const char *what, size_t i) {
  return mote_fail(
      error, MOTE_ERROR_NUMERIC,
      "mls: the weight function gave weights that are negative or whose sum is not finite at %s %zu", what,
      i);
}
