// Isovalue and radius of a method: those that put the surface of a flat pool, a cubic lattice below a plane,
// half a spacing above the centres of its upper layer. The pool is made and asked, whatever the method is.
#include <math.h>

#include "surface/surface_kernels.h"

#define PHASES 8  // along x and y: the value is the mean over one square of the lattice

typedef struct pool {
  int side, deep;  // particles
  double *position;
  size_t count;
} pool;

static bool is_mean(const mote_surface_def *def) {
  return def->method == MOTE_SURFACE_ZHU_BRIDSON || def->method == MOTE_SURFACE_ADAMS;
}

static double far_enough(const mote_surface_def *def) {
  double reach = def->method == MOTE_SURFACE_ANISOTROPIC ? def->reach + 1.0 : 1.0;
  return ceil(1.5 * def->support + reach) + 1.0;
}

static mote_result fill_pool(const mote_surface_def *def, const mote_env *env, pool *p, mote_error *error) {
  int n = (int)far_enough(def);
  p->side = 2 * n + 1;
  p->deep = n;
  p->count = (size_t)(p->side * p->side * p->deep);
  p->position = mote_alloc(env, 3 * p->count, sizeof *p->position);
  if (p->position == NULL) return mote_fail_memory(error, 3 * p->count * sizeof *p->position);
  double *x = p->position;
  for (int k = 0; k < p->deep; ++k) {
    for (int j = -n; j <= n; ++j) {
      for (int i = -n; i <= n; ++i, x += 3) x[0] = i, x[1] = j, x[2] = -k;
    }
  }
  return MOTE_OK;
}

// The mean of the field half a spacing above the middle of the pool's upper layer.
static mote_result level_value(const mote_kernel_field *field, const mote_env *env, double *value,
                               mote_error *error) {
  mote_kernel_list list = {.env = *env};
  int32_t at[3];
  float x[3];
  double sum = 0.0;
  for (int a = 0; a < 3; ++a) at[a] = (int32_t)floor(-field->set->origin[a]);
  bool ok = mote_kernel_list_collect(&list, field, 1.0, at, 2);
  for (int n = 0; ok && n < PHASES * PHASES; ++n) {
    double place[3] = {(n % PHASES + 0.5) / PHASES, (n / PHASES + 0.5) / PHASES, 0.5};
    for (int a = 0; a < 3; ++a) x[a] = (float)(place[a] - field->set->origin[a] - at[a]);
    sum += mote_kernel_value_at(field, &list, 1.0, at, x, NULL);
  }
  mote_kernel_list_free(&list);
  *value = sum / (PHASES * PHASES);
  return ok ? MOTE_OK : mote_fail_memory(error, sizeof(mote_local_kernel));
}

static mote_result ask_pool(const mote_surface_def *def, const pool *p, const mote_env *env,
                            mote_arena *arena, mote_arena *scratch, double *value, mote_error *error) {
  mote_surface_particles particles = {.position = p->position, .count = p->count};
  mote_domain open = mote_domain_open(3);
  mote_point_set_opts opts = {.domain = &open, .spacing = 1.0, .origin_step = 1.0, .threads = env->threads};
  mote_point_set set;
  mote_surface_kernels kernels;
  MOTE_TRY(mote_point_set_build(&particles, &opts, arena, scratch, &set, error));
  MOTE_TRY(mote_surface_kernels_make(&set, def, NULL, NULL, env, arena, scratch, &kernels, error));
  kernels.field.inside = HUGE_VAL;
  for (int a = 0; a < 3; ++a) {
    kernels.field.clip_low[a] = -HUGE_VAL;
    kernels.field.clip_high[a] = HUGE_VAL;
  }
  return level_value(&kernels.field, env, value, error);
}

static mote_result pool_value(const mote_surface_def *def, const mote_env *env, double *value,
                              mote_error *error) {
  pool p;
  MOTE_TRY(fill_pool(def, env, &p, error));
  mote_arena arena = mote_arena_make(env), scratch = mote_arena_make(env);
  mote_result result = ask_pool(def, &p, env, &arena, &scratch, value, error);
  mote_arena_destroy(&scratch);
  mote_arena_destroy(&arena);
  mote_free(env, p.position, 3 * p.count, sizeof *p.position);
  return result;
}

static mote_result complete_mean(mote_surface_def *def, const mote_env *env, mote_error *error) {
  if (isnan(def->isovalue)) def->isovalue = 0.0;
  if (!isnan(def->radius)) return MOTE_OK;
  def->radius = 0.0;
  double value;
  MOTE_TRY(pool_value(def, env, &value, error));
  def->radius = def->isovalue - value;
  return MOTE_OK;
}

static mote_result complete_sum(mote_surface_def *def, const mote_env *env, mote_error *error) {
  if (!isnan(def->isovalue)) return MOTE_OK;
  if (def->method == MOTE_SURFACE_MASS) {  // DES96 4.2: half-way between two particles that just touch
    double cube = def->support * def->support * def->support;
    def->isovalue =
        2.0 * mote_bump_value(MOTE_BUMP_DESBRUN, 0.25) / (mote_bump_volume(MOTE_BUMP_DESBRUN) * cube);
    return MOTE_OK;
  }
  if (def->method == MOTE_SURFACE_BLOBS && !isnan(def->radius)) {
    double q = def->radius / def->support;
    def->isovalue = mote_bump_value(MOTE_BUMP_SMOOTH, q * q);
    return MOTE_OK;
  }
  return pool_value(def, env, &def->isovalue, error);
}

mote_result mote_surface_def_complete(mote_surface_def *def, const mote_env *env, mote_error *error) {
  if (isnan(def->support)) def->support = def->method == MOTE_SURFACE_ANISOTROPIC ? 2.1 : 2.0;
  if (isnan(def->scale)) def->scale = 20.0 / (3.0 * def->reach * def->reach);
  MOTE_TRY(is_mean(def) ? complete_mean(def, env, error) : complete_sum(def, env, error));
  if (isnan(def->radius)) def->radius = 0.5;
  if (isnan(def->inside)) def->inside = HUGE_VAL;
  if (!is_mean(def) && !(def->isovalue > 0.0)) {
    return mote_fail_key(error, "isovalue",
                         "sums of kernels are 0 outside: the isovalue must be above, not %g", def->isovalue);
  }
  if (is_mean(def) && !(def->radius - def->support < def->isovalue)) {
    return mote_fail_key(error, "radius", "a radius of %g does not fit into a support of %g", def->radius,
                         def->support);
  }
  if (!(def->inside > def->isovalue)) {
    return mote_fail_key(error, "inside", "sums must not stop at %g, before the isovalue %g", def->inside,
                         def->isovalue);
  }
  return MOTE_OK;
}
