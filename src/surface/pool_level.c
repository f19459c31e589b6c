// Isovalue and radius of a method: those that put the surface of a flat pool, a cubic packing below a plane,
// half a spacing above the centres of its upper layer, in the mean. The pool is made and asked, whatever the
// method is.
#include <math.h>

#include "surface/surface_kernels.h"
#include "surface/tuning.inc"

#define PHASE_COLUMNS 4                   // columns along x and y, over one square of the packing
#define LEVEL_MOST 4                      // spacings above the upper layer, the end of each column
#define COLUMN_HEIGHTS (16 * LEVEL_MOST)  // places along each column

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
  p->count = (size_t)p->side * (size_t)p->side * (size_t)p->deep;
  MOTE_ALLOC(p->position, env, 3 * p->count, error);
  double *x = p->position;
  for (int k = 0; k < p->deep; ++k) {
    for (int j = -n; j <= n; ++j) {
      for (int i = -n; i <= n; ++i, x += 3) x[0] = i, x[1] = j, x[2] = -k;
    }
  }
  return MOTE_OK;
}

// The field along columns above the middle of the pool's upper layer.
typedef struct profile {
  double value[PHASE_COLUMNS * PHASE_COLUMNS][COLUMN_HEIGHTS + 1];
} profile;

static mote_result sample_columns(const mote_kernel_field *field, const mote_env *env, profile *out,
                                  mote_error *error) {
  mote_kernel_list list = {.env = *env};
  int32_t at[3];
  for (int a = 0; a < 3; ++a) at[a] = (int32_t)floor(-field->set->origin[a]);
  bool ok = mote_kernel_list_collect(&list, field, 1.0, at, LEVEL_MOST + 1);
  for (int n = 0; ok && n < PHASE_COLUMNS * PHASE_COLUMNS; ++n) {
    for (int h = 0; h <= COLUMN_HEIGHTS; ++h) {
      int row = n / PHASE_COLUMNS;
      double place[3] = {(n % PHASE_COLUMNS + 0.5) / PHASE_COLUMNS, (row + 0.5) / PHASE_COLUMNS,
                         1.0 * LEVEL_MOST * h / COLUMN_HEIGHTS};
      float x[3];
      for (int a = 0; a < 3; ++a) x[a] = (float)(place[a] - field->set->origin[a] - at[a]);
      double value = mote_kernel_value_at(field, &list, 1.0, at, x, NULL);
      out->value[n][h] = field->bump == MOTE_BUMP_MEAN ? value : value * value * value * value;
    }
  }
  mote_kernel_list_free(&list);
  return ok ? MOTE_OK : mote_fail_memory(error, sizeof(mote_local_kernel));
}

// How much of a column is above `level`, from its foot.
static double column_height(const double *value, double level) {
  double height = 0.0;
  for (int h = 0; h < COLUMN_HEIGHTS; ++h) {
    double low = value[h] - level, high = value[h + 1] - level;
    if (low > 0.0 && high > 0.0) height += 1.0;
    if ((low > 0.0) != (high > 0.0)) height += (low > 0.0 ? low : high) / fabs(low - high);
  }
  return height * LEVEL_MOST / COLUMN_HEIGHTS;
}

static double mean_height(const profile *p, double level) {
  double sum = 0.0;
  for (int n = 0; n < PHASE_COLUMNS * PHASE_COLUMNS; ++n) sum += column_height(p->value[n], level);
  return sum / (PHASE_COLUMNS * PHASE_COLUMNS);
}

// The level at which the mean height is UPPER_LAYER_DEPTH; heights fall as levels rise.
static double level_of(const profile *p) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (int n = 0; n < PHASE_COLUMNS * PHASE_COLUMNS; ++n) {
    for (int h = 0; h <= COLUMN_HEIGHTS; ++h) {
      low = p->value[n][h] < low ? p->value[n][h] : low;
      high = p->value[n][h] > high ? p->value[n][h] : high;
    }
  }
  for (int step = 0; step < 60; ++step) {
    double middle = 0.5 * (low + high);
    if (mean_height(p, middle) > UPPER_LAYER_DEPTH) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return 0.5 * (low + high);
}

static mote_result ask_pool(const mote_surface_def *def, const pool *p, const mote_env *env,
                            mote_arena *arena, mote_arena *scratch, profile *out, mote_error *error) {
  mote_surface_particles particles = {.position = p->position, .count = p->count};
  mote_domain open = mote_domain_open(3);
  mote_point_set_opts opts = {.domain = &open, .spacing = 1.0, .origin_step = 1.0, .threads = env->threads};
  mote_point_set set;
  mote_surface_kernels kernels;
  MOTE_TRY(mote_point_set_build(&particles, &opts, arena, scratch, &set, error));
  MOTE_TRY(mote_surface_kernels_make(&set, def, NULL, NULL, env, arena, scratch, &kernels, error));
  kernels.field.inside = HUGE_VAL;
  kernels.field.outside = is_mean(def) ? -def->support : 0.0;
  for (int a = 0; a < 3; ++a) {
    kernels.field.clip_low[a] = -HUGE_VAL;
    kernels.field.clip_high[a] = HUGE_VAL;
  }
  return sample_columns(&kernels.field, env, out, error);
}

static mote_result pool_profile(const mote_surface_def *def, const mote_env *env, profile *out,
                                mote_error *error) {
  pool p;
  MOTE_TRY(fill_pool(def, env, &p, error));
  mote_arena arena = mote_arena_make(env), scratch = mote_arena_make(env);
  mote_result result = ask_pool(def, &p, env, &arena, &scratch, out, error);
  mote_arena_destroy(&scratch);
  mote_arena_destroy(&arena);
  mote_free(env, p.position, 3 * p.count, sizeof *p.position);
  return result;
}

// With means, the surface is where the distance to the mean is the radius.
static void complete_mean(mote_surface_def *def, const profile *p) {
  if (isnan(def->isovalue)) def->isovalue = 0.0;
  if (isnan(def->radius)) def->radius = def->isovalue - level_of(p);
}

static void complete_sum(mote_surface_def *def, const profile *p) {
  if (!isnan(def->isovalue)) return;
  if (def->method == MOTE_SURFACE_MASS) {  // DES96 4.2: half-way between two particles that just touch
    double cube = def->support * def->support * def->support;
    def->isovalue =
        2.0 * mote_bump_value(MOTE_BUMP_DESBRUN, 0.25) / (mote_bump_volume(MOTE_BUMP_DESBRUN) * cube);
  } else if (def->method == MOTE_SURFACE_BLOBS && !isnan(def->radius)) {
    double q = def->radius / def->support;
    def->isovalue = mote_bump_value(MOTE_BUMP_SMOOTH, q * q);
  } else if (def->method == MOTE_SURFACE_ANISOTROPIC && !def->keep_volume) {
    // Centres that follow their neighbours leave the nominal surface to the outermost tails of kernels, or to
    // none: no level meets it. YU11 (5.1).
    def->isovalue = 0.05;
  } else {
    def->isovalue = level_of(p);
  }
}

static mote_result check_complete(const mote_surface_def *def, mote_error *error) {
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

// YU11 4.2 (lambda, r = 2 h, k_n, N_eps) and (5.1); h is two spacings, and kernels reach 2 h.
static void take_thesis(mote_surface_def *def) {
  mote_surface_def usual = mote_surface_def_default();
  def->keep_volume = false;
  if (def->smoothing == usual.smoothing) def->smoothing = 0.9;
  if (isnan(def->support)) def->support = 4.0;
  if (def->lone_scale == usual.lone_scale) def->lone_scale = 0.5;
  if (def->lone_neighbours == usual.lone_neighbours) def->lone_neighbours = 25;
}

mote_result mote_surface_def_complete(mote_surface_def *def, const mote_env *env, double *level,
                                      mote_error *error) {
  MOTE_ASSERT(def != NULL && level != NULL);
  if (def->thesis && def->method == MOTE_SURFACE_ANISOTROPIC) take_thesis(def);
  if (isnan(def->support)) def->support = def->method == MOTE_SURFACE_ANISOTROPIC ? 2.1 : 2.0;
  if (isnan(def->scale)) def->scale = 20.0 / (3.0 * def->reach * def->reach);
  if (isnan(def->inside)) def->inside = HUGE_VAL;
  bool drops_have_size = def->method == MOTE_SURFACE_ANISOTROPIC && def->keep_volume && isnan(def->isovalue);
  if (isnan(def->smallest_part)) def->smallest_part = drops_have_size ? SPECK_VOLUME : 0.0;
  profile p;
  mote_surface_def bare = *def;
  bare.radius = bare.ripple = 0.0;  // packings have no ripples
  MOTE_TRY(pool_profile(&bare, env, &p, error));
  if (is_mean(def)) {
    complete_mean(def, &p);
    *level = mean_height(&p, def->isovalue - def->radius);
  } else {
    complete_sum(def, &p);
    *level = mean_height(&p, def->isovalue);
  }
  if (isnan(def->radius)) def->radius = UPPER_LAYER_DEPTH;
  return check_complete(def, error);
}
