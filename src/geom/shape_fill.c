// Filling shapes with particles: boxes side to side, all else by the packing points inside, with the packing
// shifted to where their number is nearest to volume / spacing^dimensions.
#include "geom/shape_fill.h"

#include "base/parallel.h"
#include "geom/packing.h"

#define TRIES_3 20000   // below this many particles three shifts per axis are tried,
#define TRIES_2 200000  // below this two: the larger the number, the less it depends on the shift

void mote_samples_free(mote_samples *samples, const mote_env *env) {
  if (!samples) return;
  mote_env resolved = mote_env_resolve(env);
  mote_free(&resolved, samples->position, samples->count, 3 * sizeof(double));
  mote_free(&resolved, samples->volume, samples->count, sizeof(double));
  *samples = (mote_samples){0};
}

mote_result mote_samples_alloc(const mote_env *env, size_t count, mote_samples *out, mote_error *error) {
  MOTE_ASSERT(env != NULL && out != NULL);
  *out = (mote_samples){.count = count};
  out->position = mote_alloc(env, count, 3 * sizeof(double));
  out->volume = mote_alloc(env, count, sizeof(double));
  if (out->position && out->volume) return MOTE_OK;
  if (out->position) mote_free(env, out->position, count, 3 * sizeof(double));
  if (out->volume) mote_free(env, out->volume, count, sizeof(double));
  *out = (mote_samples){0};
  return mote_fail_memory(error, count * 4 * sizeof(double));
}

static double wanted_count(const mote_shape *shape, double volume, double spacing) {
  return volume / (spacing * spacing * (shape->dimensions == 2 ? 1.0 : spacing));
}

double mote_shape_fill_estimate(const mote_shape *shape, double spacing) {
  if (!shape || !(spacing > 0.0)) return HUGE_VAL;
  return wanted_count(shape, mote_shape_volume_about(shape), spacing);
}

mote_result mote_fill_check_count(double count, size_t most, mote_error *error) {
  MOTE_ASSERT(!(count < 0.0));
  if (count <= (double)most) return MOTE_OK;
  return mote_fail_key(error, "spacing",
                       "at this spacing about %.3g particles would be needed, and at most %zu are allowed",
                       count, most);
}

static mote_result no_room(mote_error *error) {
  return mote_fail_key(error, "spacing",
                       "not a single particle fits into the shape: it is smaller than the spacing");
}

// --- Boxes -------------------------------------------------------------------------------------------------

typedef struct box_fill {
  const mote_shape_node *node;
  size_t count[3];
  double step[3];
  double *position;
} box_fill;

static void fill_rows(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const box_fill *f = data;
  for (size_t row = begin; row < end; ++row) {
    size_t j = row % f->count[1], k = row / f->count[1];
    double *x = f->position + 3 * row * f->count[0], y[3];
    for (size_t i = 0; i < f->count[0]; ++i, x += 3) {
      size_t index[3] = {i, j, k};
      for (int m = 0; m < 3; ++m) {
        y[m] = ((double)index[m] - 0.5 * (double)(f->count[m] - 1)) * f->step[m];
      }
      turn3(f->node->basis, y, y);
      step3(f->node->origin, 1.0, y, x);
    }
  }
}

static mote_result fill_box(const mote_shape *shape, double spacing, size_t most, const mote_env *env,
                            double step[3], mote_samples *out, mote_error *error) {
  box_fill f = {.node = shape->node, .count = {1, 1, 1}};
  double total = 1.0;
  for (int k = 0; k < shape->dimensions; ++k) {
    double edge = 2.0 * shape->node->size[k], n = floor(edge / spacing + 0.5);
    if (n < 1.0) return no_room(error);
    total *= n;
    MOTE_TRY(mote_fill_check_count(total, most, error));
    f.count[k] = (size_t)n;
    f.step[k] = edge / n;
  }
  MOTE_TRY(mote_samples_alloc(env, (size_t)total, out, error));
  f.position = out->position;
  copy3(f.step, step);
  mote_parallel_for(env->threads, f.count[1] * f.count[2], 64, fill_rows, &f);
  return MOTE_OK;
}

// --- Packings ----------------------------------------------------------------------------------------------

// The packings of a kind are shifted copies of a rectangular one.
typedef struct pattern {
  double step[3];
  double turn[9];  // against the shape's own basis
  int copies;
  double shift[4][3];
} pattern;

#define AXIS_ALIGNED \
  { 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0 }

static pattern hexagonal(double d, int dimensions) {
  if (dimensions == 2) {  // a cell of 2 points and area 2 d^2, with edges 1 : sqrt 3
    double a = d * sqrt(2.0 / sqrt(3.0));
    return (pattern){
        .step = {a, a * sqrt(3.0), 1.0}, .turn = AXIS_ALIGNED, .copies = 2, .shift = {{0}, {0.5, 0.5, 0.0}}};
  }
  double a = d * 1.5874010519681994;  // face-centred: 4 points in a cell of 4 d^3
  return (pattern){.step = {a, a, a},
                   .turn = AXIS_ALIGNED,
                   .copies = 4,
                   .shift = {{0}, {0.0, 0.5, 0.5}, {0.5, 0.0, 0.5}, {0.5, 0.5, 0.0}}};
}

// To be relaxed: no face lies along the packing, so that the points near it are as dense as everywhere.
static pattern skew(double d, int dimensions) {
  if (dimensions == 2) {
    return (pattern){.step = {d, d, d}, .turn = {0.8, -0.6, 0.0, 0.6, 0.8, 0.0, 0.0, 0.0, 1.0}, .copies = 1};
  }
  return (pattern){
      .step = {d, d, d}, .turn = {0.36, 0.48, -0.8, -0.8, 0.6, 0.0, 0.48, 0.64, 0.6}, .copies = 1};
}

static pattern pattern_of(mote_fill_kind kind, double d, int dimensions) {
  if (kind == MOTE_FILL_HEXAGONAL) return hexagonal(d, dimensions);
  if (kind == MOTE_FILL_RELAXED) return skew(d, dimensions);
  return (pattern){.step = {d, d, d}, .turn = AXIS_ALIGNED, .copies = 1};
}

static mote_packing packing_copy(const mote_shape *shape, const pattern *p, int copy, const double shift[3]) {
  double low[3], high[3], offset[3], basis[9];
  for (int k = 0; k < 3; ++k) offset[k] = shift[k] + p->shift[copy][k];
  mote_packing_basis(shape, basis);
  multiply3(basis, p->turn, basis);
  mote_node_bounds(shape, 0, basis, low, high);
  return mote_packing_over(basis, low, high, p->step, offset, shape->dimensions);
}

static double count_inside(const mote_shape *shape, const pattern *p, const double shift[3]) {
  mote_packing_plan plan;
  double count = 0.0;
  for (int copy = 0; copy < p->copies; ++copy) {
    mote_packing packing = packing_copy(shape, p, copy, shift);
    count += (double)mote_packing_count(shape, &packing, -HUGE_VAL, 0.0, &plan);
  }
  return count;
}

// Layers across a step: shifted copies stand half-way.
static double layers_per_step(const pattern *p) {
  return p->copies > 1 ? 2.0 : 1.0;
}

// Between flat ends `length` apart stands a whole number of layers; returns their shift.
static double fit_axis(pattern *p, int axis, double length) {
  double per_step = layers_per_step(p);
  double layers = max2(1.0, floor(length / p->step[axis] * per_step + 0.5));
  p->step[axis] = length / layers * per_step;
  return fmod(layers, 2.0) == 0.0 ? 0.5 / per_step : 0.0;
}

// Cylinders: the other steps make up for it.
static double fit_ends(const mote_shape *shape, pattern *p) {
  double step = p->step[2], shift = fit_axis(p, 2, 2.0 * shape->node->size[1]);
  for (int k = 0; k < 2; ++k) p->step[k] *= sqrt(step / p->step[2]);
  return shift;
}

static bool has_ends(const mote_shape *shape, mote_fill_kind kind) {
  return shape->node->kind == MOTE_SHAPE_CYLINDER && kind != MOTE_FILL_RELAXED;
}

// The middle first: of shifts that do equally well the most symmetric is kept.
static double best_shift(const mote_shape *shape, const pattern *p, double wanted, int axes,
                         double shift[3]) {
  int tries = wanted < TRIES_3 ? 3 : wanted < TRIES_2 ? 2 : 1, total = 1;
  for (int k = 0; k < axes; ++k) total *= tries;
  double best = -1.0;
  for (int attempt = 0; attempt < total; ++attempt) {
    double trial[3] = {0.0, 0.0, shift[2]};
    for (int k = 0, rest = attempt; k < axes; ++k, rest /= tries) {
      trial[k] = (double)(rest % tries) / (tries * layers_per_step(p));
    }
    double count = count_inside(shape, p, trial);
    if (best >= 0.0 && fabs(count - wanted) >= fabs(best - wanted)) continue;
    best = count;
    copy3(trial, shift);
  }
  return best;
}

static double cell_of(const mote_shape *shape, const pattern *p) {
  return p->step[0] * p->step[1] * (shape->dimensions == 2 ? 1.0 : p->step[2]) / p->copies;
}

// Where no shift brings the volume of all cells within half a per cent of the shape's, as between flat sides:
// other steps, up to 3 % larger or smaller, the least change first.
static double best_step(const mote_shape *shape, pattern *p, double volume, double count, int axes,
                        const double shift[3]) {
  pattern best = *p;
  double error = fabs(count * cell_of(shape, p) - volume);
  for (int attempt = 1; attempt <= 24 && error > 5e-3 * volume; ++attempt) {
    pattern trial = *p;
    double change = 0.0025 * ((attempt + 1) / 2) * (attempt % 2 ? 1.0 : -1.0);
    for (int k = 0; k < axes; ++k) trial.step[k] *= 1.0 + change;
    double trial_count = count_inside(shape, &trial, shift);
    double trial_error = fabs(trial_count * cell_of(shape, &trial) - volume);
    if (trial_error >= error) continue;
    error = trial_error;
    count = trial_count;
    best = trial;
  }
  *p = best;
  return count;
}

// Steps and shifts of a box with the shape's bounds in its own basis.
static void fit_box(const mote_shape *shape, pattern *p, double basis[9], double low[3], double high[3],
                    double shift[3]) {
  mote_packing_basis(shape, basis);
  mote_node_bounds_plain(shape, 0, basis, low, high);
  for (int k = 0; k < shape->dimensions; ++k) shift[k] = fit_axis(p, k, high[k] - low[k]);
}

mote_packing mote_packing_fitted(const mote_shape *shape, double spacing, double margin) {
  MOTE_ASSERT(spacing > 0.0 && margin >= 0.0);
  pattern p = pattern_of(MOTE_FILL_CUBIC, spacing, shape->dimensions);
  double low[3], high[3], basis[9], shift[3] = {0};
  fit_box(shape, &p, basis, low, high, shift);
  for (int k = 0; k < shape->dimensions; ++k) low[k] -= margin, high[k] += margin;
  return mote_packing_over(basis, low, high, p.step, shift, shape->dimensions);
}

// A packing and its points in the shape.
typedef struct choice {
  pattern pattern;
  double shift[3], count;
  double error;  // of the volume
} choice;

static void weigh(const mote_shape *shape, double volume, choice *c) {
  c->error = fabs(c->count * cell_of(shape, &c->pattern) - volume);
}

// Side to side of the bounds, as a box, for meshes and joined shapes with such sides.
static choice fit_bounds(const mote_shape *shape, const pattern *p, double volume) {
  choice c = {.pattern = *p};
  double low[3], high[3], basis[9];
  fit_box(shape, &c.pattern, basis, low, high, c.shift);
  c.count = count_inside(shape, &c.pattern, c.shift);
  weigh(shape, volume, &c);
  return c;
}

// Wherever it fits best.
static choice fit_inside(const mote_shape *shape, const pattern *p, mote_fill_kind kind, double volume) {
  choice c = {.pattern = *p};
  bool ends = has_ends(shape, kind);
  if (ends) c.shift[2] = fit_ends(shape, &c.pattern);
  int axes = ends ? 2 : shape->dimensions;
  double count = best_shift(shape, &c.pattern, volume / cell_of(shape, &c.pattern), axes, c.shift);
  c.count = best_step(shape, &c.pattern, volume, count, axes, c.shift);
  weigh(shape, volume, &c);
  return c;
}

// From side to side where that fills the volume to 0.2 %, or better than anything else: a layer of two rows
// has no other place for them.
static choice find_packing(const mote_shape *shape, mote_fill_kind kind, double volume, const pattern *p) {
  bool sides =
      kind != MOTE_FILL_RELAXED && (!mote_node_is_leaf(shape->node) || shape->node->kind == MOTE_SHAPE_MESH ||
                                    shape->node->kind == MOTE_SHAPE_BOX);
  if (!sides) return fit_inside(shape, p, kind, volume);
  choice fitted = fit_bounds(shape, p, volume);
  if (fitted.count > 0.0 && fitted.error <= 2e-3 * volume) return fitted;
  choice other = fit_inside(shape, p, kind, volume);
  return fitted.error < other.error ? fitted : other;
}

mote_result mote_fill_packing(const mote_shape *shape, double spacing, mote_fill_kind kind, double volume,
                              size_t most, const mote_env *env, double step[3], mote_samples *out,
                              mote_error *error) {
  MOTE_ASSERT(spacing > 0.0 && volume >= 0.0);
  MOTE_ASSERT(step != NULL && out != NULL);
  pattern p = pattern_of(kind, spacing, shape->dimensions);
  choice c = find_packing(shape, kind, volume, &p);
  if (c.count < 1.0) return no_room(error);
  MOTE_TRY(mote_fill_check_count(c.count, most, error));
  MOTE_TRY(mote_samples_alloc(env, (size_t)c.count, out, error));
  copy3(c.pattern.step, step);
  size_t done = 0;
  for (int copy = 0; copy < p.copies; ++copy) {
    mote_packing_plan plan;
    mote_packing packing = packing_copy(shape, &c.pattern, copy, c.shift);
    size_t inside = mote_packing_count(shape, &packing, -HUGE_VAL, 0.0, &plan);
    if (inside > 0) mote_packing_place(&plan, out->position + 3 * done);
    done += inside;
  }
  return MOTE_OK;
}

// --- All ---------------------------------------------------------------------------------------------------

typedef struct filling {
  double spacing, volume;
  mote_fill_kind kind;
  uint64_t seed;
  size_t most;
} filling;

static mote_result fill(const mote_shape *shape, const filling *f, const mote_env *env, double step[3],
                        mote_samples *out, mote_error *error) {
  const mote_shape_node *root = shape->node;
  if (f->kind == MOTE_FILL_CUBIC && root->kind == MOTE_SHAPE_BOX && !root->inverted) {
    return fill_box(shape, f->spacing, f->most, env, step, out, error);
  }
  // The count differs from the estimate by the packing points near the surface; 10 % are more than that.
  MOTE_TRY(mote_fill_check_count(0.9 * wanted_count(shape, f->volume, f->spacing), f->most, error));
  if (f->kind == MOTE_FILL_RELAXED)
    return mote_fill_relaxed(shape, f->spacing, f->seed, f->volume, f->most, env, out, error);
  return mote_fill_packing(shape, f->spacing, f->kind, f->volume, f->most, env, step, out, error);
}

static mote_result fill_evenly(const mote_shape *shape, filling *f, const mote_env *env, double step[3],
                               mote_samples *out, mote_error *error) {
  if (!shape || !out) return mote_fail(error, MOTE_ERROR_ARGUMENT, "shape and out must not be NULL");
  if (!(f->spacing > 0.0 && isfinite(f->spacing))) {
    return mote_fail_key(error, "spacing", "must be a positive number");
  }
  if ((unsigned)f->kind > MOTE_FILL_RELAXED)
    return mote_fail_key(error, "fill", "%d is no kind of filling", (int)f->kind);
  MOTE_TRY(mote_shape_volume(shape, &f->volume, error));
  if (!isfinite(f->volume)) return mote_fail_key(error, "shape", "a shape without bounds cannot be filled");
  mote_samples samples = {0};
  MOTE_TRY(fill(shape, f, env, step, &samples, error));
  for (size_t i = 0; i < samples.count; ++i) samples.volume[i] = f->volume / (double)samples.count;
  *out = samples;
  return MOTE_OK;
}

mote_result mote_shape_fill(const mote_shape *shape, double spacing, mote_fill_kind kind, uint64_t seed,
                            size_t most, const mote_env *env, mote_samples *out, mote_error *error) {
  mote_fill_kind own = kind == MOTE_FILL_AUTO ? MOTE_FILL_CUBIC : kind;
  filling f = {.spacing = spacing, .kind = own, .seed = seed, .most = most};
  double step[3];
  mote_env resolved = mote_env_resolve(env);
  return fill_evenly(shape, &f, &resolved, step, out, error);
}

mote_result mote_shape_fill_graded(const mote_shape *shape, double spacing, int grading, double depth,
                                   size_t most, const mote_env *env, mote_samples *out, mote_error *error) {
  if (grading != 1 && grading != 2 && grading != 4 && grading != 8)
    return mote_fail_key(error, "grading", "%d is not 1, 2, 4 or 8", grading);
  if (!(depth >= 0.0 && isfinite(depth))) return mote_fail_key(error, "depth", "must not be negative");
  // None has more than grading^3 particles of the even filling.
  size_t blocks = (size_t)(grading * grading * grading);
  filling f = {.spacing = spacing, .most = most < SIZE_MAX / blocks ? blocks * most : SIZE_MAX};
  double step[3];
  mote_env resolved = mote_env_resolve(env);
  mote_samples fine, graded;
  MOTE_TRY(fill_evenly(shape, &f, &resolved, step, out != NULL ? &fine : NULL, error));
  mote_result result =
      mote_fill_grade(shape, step, grading, depth, f.volume, &fine, &resolved, &graded, error);
  mote_samples_free(&fine, &resolved);
  if (result == MOTE_OK) {
    result = mote_fill_check_count((double)graded.count, most, error);
    if (result != MOTE_OK) mote_samples_free(&graded, &resolved);
  }
  if (result == MOTE_OK) *out = graded;
  return result;
}
