// Validation of shape functions beside a crack, EG09 (70): their sum and linear fields, two fields side by
// side, and the walk around a tip (Organ et al. 1996): visibility has a jump on the way, transparency a
// slope. Theory: docs/theory/fracture.md, "Weights"
#include <math.h>
#include <mote/mote.h>
#include <stdlib.h>
#include <string.h>

#include "validate/fracture/fracture_trial.h"

#define SIDE_PARTICLES 25  // particles along a side, spacing 1; the crack ends near the middle
#define PARTICLES ((size_t)SIDE_PARTICLES * SIDE_PARTICLES)
#define WALK_POINTS 400
#define TIP_POSITION 0.1
#define WALK_RADIUS 0.6

typedef enum weight_set { SET_LATTICE, SET_JITTERED, SET_RANDOM, WEIGHT_SETS } weight_set;
static const char *const set_name[WEIGHT_SETS] = {"lattice", "jittered", "random"};

typedef struct field {
  validation *v;
  mote_error error;
  bool ok;
  double *position;
  mote_cracks *cracks;
  mote_crack_rule rule;
  mote_mls *mls;
} field;

static void keep(field *f, mote_result result) {
  if (result == MOTE_OK || !f->ok) return;
  f->ok = false;
  validation_error(f->v, &f->error);
}

static double between(uint64_t seed, uint64_t stream, uint64_t k, double low, double high) {
  return low + (high - low) * mote_random_uniform(seed, stream, k);
}

// None lies on the crack; those of regular sets are at least 0.35 from it.
static void fill(field *f, weight_set set) {
  for (uint64_t i = 0; i < PARTICLES; ++i) {
    double *x = f->position + 3 * i, jitter = set == SET_JITTERED ? 0.15 : 0.0;
    for (uint64_t a = 0; a < 2; ++a) {
      x[a] = (double)(a == 0 ? i % SIDE_PARTICLES : i / SIDE_PARTICLES) - SIDE_PARTICLES / 2 + 0.5 +
             jitter * between(1, a, i, -1.0, 1.0);
      if (set == SET_RANDOM) x[a] = between(1, 2 + a, i, -0.5 * SIDE_PARTICLES, 0.5 * SIDE_PARTICLES);
    }
    if (set == SET_RANDOM && fabs(x[1]) < 0.05) x[1] = x[1] < 0.0 ? -0.05 : 0.05;
  }
}

static void close_field(field *f) {
  mote_mls_destroy(f->mls);
  mote_cracks_destroy(f->cracks);
  free(f->position);
}

// `f` must stay where it is: the weights refer to its rule.
static void open_field(validation *v, weight_set set, int order, double opacity, field *f) {
  static const double tip[3] = {TIP_POSITION, 0, 0}, ahead[3] = {1, 0, 0}, normal[3] = {0, 1, 0};
  *f = (field){.v = v, .ok = true, .position = calloc(3 * PARTICLES, sizeof(double))};
  if (f->position == NULL) abort();
  fill(f, set);
  keep(f, mote_cracks_create(2, validation_env(v), &f->cracks, &f->error));
  if (f->ok) keep(f, mote_cracks_add_half_plane(f->cracks, tip, ahead, normal, 40.0, 1.0, &f->error));
  f->rule = (mote_crack_rule){.cracks = f->cracks, .opacity = opacity, .kernel = MOTE_KERNEL_POLY6};
  mote_mls_def def = mote_mls_def_default();
  def.domain = mote_domain_open(2), def.order = order, def.position = f->position, def.count = PARTICLES;
  def.uniform_radius = set == SET_RANDOM ? 4.0 : order == 1 ? 2.5 : 3.2;
  def.weight = mote_crack_rule_weight, def.weight_user = &f->rule;
  if (f->ok) keep(f, mote_mls_create(&def, validation_env(v), &f->mls, &f->error));
}

// --- Sums and fields -----------------------------------------------------------------------------------

static double linear(const double x[3]) {
  return 0.3 + 0.07 * x[0] - 0.05 * x[1];
}

static double broken(const double x[3]) {
  return x[1] > 0.0 ? 1.0 + 0.1 * x[0] : -1.0 + 0.2 * x[1];
}

// Largest errors of the sum of shape functions and of a field at the points.
static void find_errors(field *f, const double *point, double (*exact)(const double x[3]), double error[2]) {
  mote_mls_shapes *shapes = NULL;
  double value[PARTICLES], out[WALK_POINTS];
  for (size_t i = 0; i < PARTICLES; ++i) value[i] = exact(f->position + 3 * i);
  if (f->ok)
    keep(f, mote_mls_shapes_create(f->mls, point, WALK_POINTS, 0, validation_env(f->v), &shapes, &f->error));
  if (f->ok) keep(f, mote_mls_apply(shapes, value, 1, out, NULL, NULL, &f->error));
  const mote_lists *lists = f->ok ? mote_mls_shapes_lists(shapes) : NULL;
  for (size_t k = 0; k < WALK_POINTS && f->ok; ++k) {
    double sum = 0.0;
    for (size_t m = lists->first[k]; m < lists->first[k] + lists->number[k]; ++m)
      sum += mote_mls_shapes_value(shapes)[m];
    error[0] = fmax(error[0], fabs(sum - 1.0));
    error[1] = fmax(error[1], fabs(out[k] - exact(point + 3 * k)));
  }
  mote_mls_shapes_destroy(shapes);
}

// error: of sums, of a linear field, of two of them a support and more behind the tip.
static void measure_fields(validation *v, weight_set set, int order, double opacity, double error[3]) {
  field f;
  double point[3 * WALK_POINTS] = {0}, found[2] = {0};
  open_field(v, set, order, opacity, &f);
  for (uint64_t k = 0; k < WALK_POINTS; ++k) {
    for (uint64_t a = 0; a < 2; ++a) point[3 * k + a] = between(2, a, k, -8.0, 8.0);
  }
  find_errors(&f, point, linear, found);
  error[0] = fmax(error[0], found[0]), error[1] = fmax(error[1], found[1]);
  for (uint64_t k = 0; k < WALK_POINTS; ++k) {
    point[3 * k] = between(2, 3, k, -8.0, set == SET_RANDOM ? -4.5 : -3.5);
    point[3 * k + 1] = between(2, 4, k, -3.0, 3.0);
  }
  found[0] = found[1] = 0.0;
  find_errors(&f, point, broken, found);
  error[0] = fmax(error[0], found[0]), error[2] = fmax(error[2], found[1]);
  close_field(&f);
}

void validate_fracture_fields(validation *v) {
  for (int set = 0; set < WEIGHT_SETS; ++set) {
    for (int order = 1; order <= 2; ++order) {
      for (int opacity = 0; opacity < 2; ++opacity) {
        double error[3] = {0};
        const char *rule = opacity ? "transparency" : "visibility";
        measure_fields(v, (weight_set)set, order, opacity, error);
        fracture_trial_report(v, MEASURE_NEAR, fmax(error[0], error[1]), 0.0, 1e-12, "EG09 4.2",
                              "sum of shape functions and a linear field, %s, order %d, %s", rule, order,
                              set_name[set]);
        fracture_trial_report(v, MEASURE_NEAR, error[2], 0.0, 1e-12, "exact",
                              "two linear fields, a support behind the tip, %s, order %d, %s", rule, order,
                              set_name[set]);
      }
    }
  }
}

// --- The walk --------------------------------------------------------------------------------------------

// Largest change of any shape function in one of `steps` steps, without those across the crack.
static double walk(field *f, size_t steps) {
  double *point = calloc(3 * steps, sizeof *point), *last = calloc(PARTICLES, sizeof *last), most = 0.0;
  double *now = calloc(PARTICLES, sizeof *now);
  mote_mls_shapes *shapes = NULL;
  if (point == NULL || last == NULL || now == NULL) abort();
  for (size_t k = 0; k < steps; ++k) {
    double angle = TRIAL_PI * (2.0 * ((double)k + 0.5) / (double)steps - 1.0);
    point[3 * k] = TIP_POSITION + WALK_RADIUS * cos(angle), point[3 * k + 1] = WALK_RADIUS * sin(angle);
  }
  if (f->ok)
    keep(f, mote_mls_shapes_create(f->mls, point, steps, 0, validation_env(f->v), &shapes, &f->error));
  for (size_t k = 0; k < steps && f->ok; ++k) {
    const mote_lists *lists = mote_mls_shapes_lists(shapes);
    memset(now, 0, PARTICLES * sizeof *now);
    for (size_t m = lists->first[k]; m < lists->first[k] + lists->number[k]; ++m)
      now[lists->index[m]] = mote_mls_shapes_value(shapes)[m];
    for (size_t i = 0; i < PARTICLES && k > 0; ++i) most = fmax(most, fabs(now[i] - last[i]));
    memcpy(last, now, PARTICLES * sizeof *now);
  }
  mote_mls_shapes_destroy(shapes);
  free(point), free(last), free(now);
  return most;
}

void validate_fracture_walk(validation *v) {
  for (int set = 0; set < SET_RANDOM; ++set) {
    field sharp, smooth;
    open_field(v, (weight_set)set, 1, 0.0, &sharp);
    open_field(v, (weight_set)set, 1, 1.0, &smooth);
    double jump[3], change[3];
    size_t steps = 1600;
    for (int k = 0; k < 3; ++k, steps *= 4) jump[k] = walk(&sharp, steps), change[k] = walk(&smooth, steps);
    const char *name = set_name[set];
    fracture_trial_report(v, MEASURE_AT_LEAST, jump[2], 0.1, 0.0, "Organ et al. 1996",
                          "circle around a tip, visibility: largest change in 25,600 steps, %s", name);
    for (int k = 0; k < 2; ++k) {
      fracture_trial_report(v, MEASURE_NEAR, jump[k + 1] / jump[k], 1.0, 0.02, "a jump",
                            "the same over that of four times longer steps (%d), %s", k ? 6400 : 1600, name);
      fracture_trial_report(v, MEASURE_NEAR, change[k] / change[k + 1], 4.0, 0.3, "a slope",
                            "transparency: largest change in %d steps over that in four times as many, %s",
                            k ? 6400 : 1600, name);
    }
    fracture_trial_report(v, MEASURE_NEAR, change[2] * 25600.0 / (2.0 * TRIAL_PI * WALK_RADIUS), 0.0, 6.0,
                          "EG09 (70)", "transparency: largest slope, 1/spacing, %s", name);
    close_field(&sharp), close_field(&smooth);
  }
}
