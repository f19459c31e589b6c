// The effective coefficients of the SPH operators: see coefficients.h.
#include "validate/approx/coefficients.h"

#include <math.h>
#include <stdlib.h>

#include "cli/base/app_assert.h"
#include "cli/files/input_file.h"
#include "validate/approx/points.h"

#define PI 3.14159265358979323846
#define ROOT2 1.41421356237309504880
#define WAVE_SPACINGS 96  // spacings
#define TILE_SPACINGS 24  // length of the relaxed piece that is repeated along the wave
#define RELAX_STEPS 150
#define JITTER_SPACINGS 0.15
#define SHEAR_STRAIN 0.3

const char *const coefficient_sets[COEFFICIENT_SETS] = {"lattice", "turned", "sheared", "jittered",
                                                        "relaxed"};
const double coefficient_supports[COEFFICIENT_SUPPORTS] = {2.0, 2.5, 3.0, 3.5, 4.0};
const mote_kernel_kind coefficient_kernels[COEFFICIENT_KERNELS] = {MOTE_KERNEL_CUBIC_SPLINE,
                                                                   MOTE_KERNEL_WENDLAND_C2};

const probe coefficient_probes[COEFFICIENT_PROBES] = {
    {"gradient plain (9)", true, MOTE_GRADIENT_PLAIN, WAVE_SCALAR, false},
    {"gradient difference (13)", true, MOTE_GRADIENT_DIFFERENCE, WAVE_SCALAR, false},
    {"gradient density (17)", true, MOTE_GRADIENT_DENSITY, WAVE_SCALAR, false},
    {"gradient symmetric (19)", true, MOTE_GRADIENT_SYMMETRIC, WAVE_SCALAR, false},
    {"gradient mean", true, MOTE_GRADIENT_MEAN, WAVE_SCALAR, false},
    {"gradient corrected", true, MOTE_GRADIENT_CORRECTED, WAVE_SCALAR, false},
    {"Laplacian plain (11)", false, MOTE_LAPLACIAN_PLAIN, WAVE_SCALAR, false},
    {"Laplacian difference (15)", false, MOTE_LAPLACIAN_DIFFERENCE, WAVE_SCALAR, false},
    {"Laplacian pair", false, MOTE_LAPLACIAN_PAIR, WAVE_SCALAR, false},
    {"Laplacian pair, eps 0.01 h²", false, MOTE_LAPLACIAN_PAIR, WAVE_SCALAR, true},
    {"central shear", false, MOTE_LAPLACIAN_CENTRAL, WAVE_SHEAR, false},
    {"central shear, eps 0.01 h²", false, MOTE_LAPLACIAN_CENTRAL, WAVE_SHEAR, true},
    {"central longitudinal / 3", false, MOTE_LAPLACIAN_CENTRAL, WAVE_LONGITUDINAL, false},
};

// --- Sets -----------------------------------------------------------------------------------------------

// length x width (x width) samples at the centres of unit cells.
static points make_box(const validation *v, int dimensions, int length) {
  APP_ASSERT((dimensions == 2 || dimensions == 3) && length > 0);
  // A multiple of 10, so that the shear fits the period.
  int width = dimensions == 2 && !validation_quick(v) ? 60 : 10;
  int n[3] = {length, width, dimensions == 3 ? width : 1};
  points set = {.dimensions = dimensions, .spacing = 1.0, .count = (size_t)(n[0] * n[1] * n[2])};
  set.position = input_take(3 * set.count, sizeof(double));
  for (int axis = 0; axis < dimensions; ++axis) set.size[axis] = n[axis];
  for (size_t i = 0; i < set.count; ++i) {
    int across = (int)i / length;
    const int cell[3] = {(int)i % length, across % width, across / width};
    for (int axis = 0; axis < dimensions; ++axis) set.position[3 * i + axis] = cell[axis] + 0.5;
  }
  return set;
}

static void jitter(points *set, double amplitude) {
  for (size_t i = 0; i < set->count; ++i) {
    for (int axis = 0; axis < set->dimensions; ++axis) {
      double shift = 2.0 * mote_random_uniform(3, (uint64_t)axis, i) - 1.0;
      set->position[3 * i + axis] += amplitude * shift;
    }
  }
}

static mote_sph *make_sph(validation *v, const points *set, mote_kernel_kind kernel, double radius) {
  APP_ASSERT(set->count > 0 && radius > 0.0);
  mote_sph_def def = mote_sph_def_default();
  def.domain = mote_domain_open(set->dimensions);
  for (int axis = 0; axis < set->dimensions; ++axis) {
    def.domain.periodic[axis] = true;
    def.domain.high[axis] = set->size[axis];
  }
  def.kernel = kernel, def.radius = radius, def.position = set->position, def.count = set->count;
  mote_sph *sph = NULL;
  mote_error error;
  if (mote_sph_create(&def, validation_env(v), &sph, &error) != MOTE_OK) validation_error(v, &error);
  return sph;
}

// Moves samples down the gradient of their concentration, sum V grad W, until they lie evenly.
static bool relax(validation *v, points *set) {
  double *one = input_take(set->count, sizeof(double)),
         *gradient = input_take(3 * set->count, sizeof(double));
  for (size_t i = 0; i < set->count; ++i) one[i] = 1.0;
  bool fine = true;
  for (int step = 0; step < RELAX_STEPS && fine; ++step) {
    mote_sph *sph = make_sph(v, set, MOTE_KERNEL_WENDLAND_C2, 3.0);
    fine = sph != NULL && mote_sph_gradient(sph, MOTE_GRADIENT_PLAIN, one, 1, gradient, NULL) == MOTE_OK;
    for (size_t i = 0; i < 3 * set->count && fine; ++i) set->position[i] -= 0.5 * gradient[i];
    mote_sph_destroy(sph);
  }
  free(one), free(gradient);
  return fine;
}

// A short box from a random start, relaxed, then repeated along the wave.
static bool make_relaxed(validation *v, points *set) {
  APP_ASSERT(set->count > 0 && (int)set->size[0] % TILE_SPACINGS == 0);
  points tile = make_box(v, set->dimensions, TILE_SPACINGS);
  jitter(&tile, 0.5);
  bool fine = relax(v, &tile);
  for (size_t i = 0; i < set->count; ++i) {
    const double *from = tile.position + 3 * (i % tile.count);
    for (int axis = 0; axis < 3; ++axis) set->position[3 * i + axis] = from[axis];
    set->position[3 * i] += (double)(i / tile.count * TILE_SPACINGS);
  }
  points_free(&tile);
  return fine;
}

// Diagonals along x and y: two samples in each cell of edges root 2, in a box of nearly the same size.
static void turn(points *set) {
  APP_ASSERT(set->dimensions == 2 || set->dimensions == 3);
  size_t nx = (size_t)(set->size[0] / ROOT2 + 0.5), ny = (size_t)(set->size[1] / ROOT2);
  size_t nz = set->dimensions == 3 ? (size_t)set->size[2] : 1;
  set->size[0] = ROOT2 * (double)nx, set->size[1] = ROOT2 * (double)ny;
  set->count = 2 * nx * ny * nz;
  for (size_t i = 0; i < set->count; ++i) {
    size_t cell = i / 2;
    double shift = 0.5 * (double)(i % 2);
    set->position[3 * i] = ROOT2 * ((double)(cell % nx) + shift);
    set->position[3 * i + 1] = ROOT2 * ((double)(cell / nx % ny) + shift);
    if (set->dimensions == 3) set->position[3 * i + 2] = (double)(cell / (nx * ny)) + 0.5;
  }
}

static bool make_set(validation *v, int which, points *set) {
  if (which == SET_TURNED) turn(set);
  if (which == SET_RELAXED) return make_relaxed(v, set);
  if (which == SET_JITTERED) jitter(set, JITTER_SPACINGS);
  for (size_t i = 0; i < set->count && which == SET_SHEARED; ++i) {
    set->position[3 * i] += SHEAR_STRAIN * set->position[3 * i + 1];
  }
  return true;
}

// --- Measuring ------------------------------------------------------------------------------------------

typedef struct trial {
  const points *set;
  mote_kernel kernel;
  const mote_sph *sph;
  int components;  // of the wave; the one of them that is not zero:
  int column;
  double *field, *exact, *out;
} trial;

// The pair and the central Laplacian with the customary eps.
static void softened_laplacian(const trial *t, mote_laplacian_form form) {
  APP_ASSERT(t->column < t->components);
  const mote_lists *lists = mote_sph_lists(t->sph);
  const double *V = mote_sph_volume(t->sph), *position = t->set->position;
  double eps = 0.01 * 0.25 * t->kernel.radius * t->kernel.radius;
  size_t c = (size_t)t->components;
  mote_domain domain = mote_domain_open(t->set->dimensions);
  for (int axis = 0; axis < 3; ++axis) {
    domain.periodic[axis] = axis < t->set->dimensions;
    domain.high[axis] = t->set->size[axis];
  }
  for (size_t i = 0; i < lists->count; ++i) {
    for (size_t k = 0; k < c; ++k) t->out[c * i + k] = 0.0;
    for (uint32_t n = 0; n < lists->number[i]; ++n) {
      size_t j = lists->index[lists->first[i] + n];
      double x[3], g[3];
      mote_domain_difference(&domain, position + 3 * i, position + 3 * j, x);
      mote_kernel_gradient(&t->kernel, x, g);
      double factor = 2.0 * V[j] / (x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + eps);
      double difference = t->field[c * i + (size_t)t->column] - t->field[c * j + (size_t)t->column];
      if (form == MOTE_LAPLACIAN_PAIR) {
        t->out[i] += factor * difference * (x[0] * g[0] + x[1] * g[1] + x[2] * g[2]);
      } else {
        factor *= (t->set->dimensions + 2) * difference * x[t->column];
        for (size_t k = 0; k < c; ++k) t->out[c * i + k] += factor * g[k];
      }
    }
  }
}

// Ratio of one column of the answer, `row` numbers per sample, by least squares weighted with the volumes (so
// that for antisymmetric pairs it is the exact rate at which the wave decays); scatter over all columns.
static coefficient fit(const trial *t, size_t row) {
  APP_ASSERT(row > (size_t)t->column);
  const double *V = mote_sph_volume(t->sph);
  double product = 0.0, square = 0.0, rest = 0.0;
  for (size_t i = 0; i < t->set->count; ++i) {
    product += V[i] * t->exact[i] * t->out[row * i + (size_t)t->column];
    square += V[i] * t->exact[i] * t->exact[i];
  }
  double ratio = product / square;
  for (size_t i = 0; i < row * t->set->count; ++i) {
    double error = t->out[i] - (i % row == (size_t)t->column ? ratio * t->exact[i / row] : 0.0);
    rest += V[i / row] * error * error;
  }
  return (coefficient){ratio, sqrt(rest / square)};
}

static coefficient measure_probe(trial *t, const probe *p) {
  size_t n = t->set->count;
  double k = 2.0 * PI / t->set->size[0], multiple = p->wave == WAVE_LONGITUDINAL ? 3.0 : 1.0;
  t->components = p->wave == WAVE_SCALAR ? 1 : t->set->dimensions;
  t->column = p->wave == WAVE_SHEAR ? 1 : 0;
  size_t c = (size_t)t->components;
  for (size_t i = 0; i < c * n; ++i) t->field[i] = 0.0;
  for (size_t i = 0; i < n; ++i) {
    double phase = k * t->set->position[3 * i];
    t->field[c * i + (size_t)t->column] = mote_sin(phase);
    t->exact[i] = p->gradient ? k * mote_cos(phase) : -multiple * k * k * mote_sin(phase);
  }
  if (p->gradient) {
    mote_sph_gradient(t->sph, (mote_gradient_form)p->form, t->field, 1, t->out, NULL);
  } else if (p->softened) {
    softened_laplacian(t, (mote_laplacian_form)p->form);
  } else {
    mote_sph_laplacian(t->sph, (mote_laplacian_form)p->form, t->field, t->components, t->out, NULL);
  }
  return fit(t, p->gradient ? 3 : c);
}

static bool measure_set(validation *v, const points *set, int which, coefficients *c) {
  APP_ASSERT(which >= 0 && which < COEFFICIENT_SETS);
  size_t n = set->count;
  trial t = {.set = set,
             .field = input_take(3 * n, sizeof(double)),
             .exact = input_take(n, sizeof(double)),
             .out = input_take(3 * n, sizeof(double))};
  bool fine = true;
  for (int k = 0; k < COEFFICIENT_KERNELS; ++k) {
    for (int s = 0; s < COEFFICIENT_SUPPORTS && fine; ++s) {
      if (validation_quick(v) && s != COEFFICIENT_USUAL) continue;
      mote_sph *sph = make_sph(v, set, coefficient_kernels[k], coefficient_supports[s]);
      t.sph = sph;
      t.kernel = mote_kernel_make(coefficient_kernels[k], set->dimensions, coefficient_supports[s]);
      fine = sph != NULL;
      for (int p = 0; p < COEFFICIENT_PROBES && fine; ++p) {
        c->at[k][s][which][p] = measure_probe(&t, &coefficient_probes[p]);
      }
      mote_sph_destroy(sph);
    }
  }
  free(t.field), free(t.exact), free(t.out);
  return fine;
}

bool coefficients_measure(validation *v, int dimensions, coefficients *c) {
  bool fine = true;
  c->dimensions = dimensions;
  for (int which = 0; which < COEFFICIENT_SETS && fine; ++which) {
    points set = make_box(v, dimensions, WAVE_SPACINGS);
    fine = make_set(v, which, &set) && measure_set(v, &set, which, c);
    points_free(&set);
  }
  return fine;
}

// --- Theory ---------------------------------------------------------------------------------------------

// One neighbour's part of the ratio, without its volume: the operator on x, x^2/2 (a scalar, a longitudinal
// velocity) or the velocity (0, x^2/2).
static double packing_term(const mote_kernel *kernel, const probe *p, const double x[3]) {
  double g[3], square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
  double R = kernel->radius, eps = (p->softened ? 0.01 : 1e-4) * 0.25 * R * R;
  mote_kernel_gradient(kernel, x, g);
  if (p->gradient) return -x[0] * g[0];
  double half = 0.5 * x[0] * x[0];
  if (p->form == MOTE_LAPLACIAN_DIFFERENCE) return half * mote_kernel_laplacian(kernel, sqrt(square));
  double factor = -2.0 * half / (square + eps);
  if (p->form == MOTE_LAPLACIAN_PAIR) return factor * (x[0] * g[0] + x[1] * g[1] + x[2] * g[2]);
  int axis = p->wave == WAVE_SHEAR ? 1 : 0;
  return factor * (kernel->dimensions + 2) * x[axis] * g[axis] / (p->wave == WAVE_SHEAR ? 1.0 : 3.0);
}

double coefficients_of_packing(int dimensions, const mote_kernel *kernel, const probe *p) {
  APP_ASSERT(dimensions == 2 || dimensions == 3);
  if (p->gradient && p->form == MOTE_GRADIENT_CORRECTED) return 1.0;
  if (!p->gradient && p->form == MOTE_LAPLACIAN_PLAIN) return 0.0;
  double density = 0.0, sum = 0.0;
  int reach = (int)ceil(kernel->radius), side = 2 * reach + 1;
  for (int cell = 0; cell < side * side * side; ++cell) {
    const double x[3] = {cell % side - reach, cell / side % side - reach, cell / (side * side) - reach};
    double r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    if (r >= kernel->radius || (dimensions == 2 && x[2] != 0.0)) continue;
    density += mote_kernel_value(kernel, r);
    if (r > 0.0) sum += packing_term(kernel, p, x);
  }
  return sum / density;
}
