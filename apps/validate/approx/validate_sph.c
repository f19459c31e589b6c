// Validation of kernels and smoothed particle hydrodynamics: integrals, derivatives against differences, and
// what the forms of EG09 2.2 promise on a disordered set with free edges.
#include <math.h>
#include <mote/mote.h>
#include <stdio.h>
#include <stdlib.h>

#include "validate/approx/points.h"
#include "validate/validate.h"

#define PI 3.14159265358979323846

// --- Kernels ----------------------------------------------------------------------------------------------

// Two-point Gauss rule in s with r = R s^2, which takes the root out of the singular kernel.
static double kernel_integral(const mote_kernel *kernel) {
  const int cells = 1000;
  double sum = 0.0, R = kernel->radius;
  for (int c = 0; c < 2 * cells; ++c) {
    double s = (c / 2 + 0.5 + (c % 2 ? 1 : -1) * 0.28867513459481288) / cells, r = R * s * s;
    double shell = kernel->dimensions == 1 ? 2.0 : kernel->dimensions == 2 ? 2.0 * PI * r : 4.0 * PI * r * r;
    sum += shell * mote_kernel_value(kernel, r) * R * s / cells;
  }
  return sum;
}

// Largest difference between a derivative and the fourth-order difference of what it derives, over
// [0.1, 0.95] R but the spline's joint, as part of the largest derivative there.
static double difference_error(const mote_kernel *kernel, double (*of)(const mote_kernel *, double),
                               double (*derivative)(const mote_kernel *, double)) {
  const double h = 1e-3;
  double worst = 0.0, largest = 0.0;
  for (double r = 0.1; r < 0.95; r += 0.0037) {
    if (fabs(r - 0.5) < 3.0 * h) continue;
    double near = of(kernel, r + h) - of(kernel, r - h), far = of(kernel, r + 2 * h) - of(kernel, r - 2 * h);
    double exact = derivative(kernel, r);
    worst = fmax(worst, fabs((8.0 * near - far) / (12.0 * h) - exact));
    largest = fmax(largest, fabs(exact));
  }
  return worst / largest;
}

// The same for the Laplacian: second differences in space, along every axis.
static double laplacian_error(const mote_kernel *kernel) {
  const double h = 1e-3, direction[3][3] = {{1, 0, 0}, {0.6, -0.8, 0}, {2.0 / 3, -1.0 / 3, 2.0 / 3}};
  const double weight[5] = {-1, 16, -30, 16, -1};
  double worst = 0.0, largest = 0.0;
  for (double r = 0.1; r < 0.95; r += 0.0037) {
    if (fabs(r - 0.5) < 3.0 * h) continue;
    double sum = 0.0, exact = mote_kernel_laplacian(kernel, r);
    for (int axis = 0; axis < kernel->dimensions; ++axis) {
      for (int k = 0; k < 5; ++k) {
        double x[3], square = 0.0;
        for (int a = 0; a < 3; ++a) {
          x[a] = r * direction[kernel->dimensions - 1][a] + (a == axis ? (k - 2) * h : 0.0);
          square += x[a] * x[a];
        }
        sum += weight[k] * mote_kernel_value(kernel, sqrt(square)) / (12.0 * h * h);
      }
    }
    worst = fmax(worst, fabs(sum - exact));
    largest = fmax(largest, fabs(exact));
  }
  return worst / largest;
}

void validate_kernels(validation *v) {
  for (int kind = 0; kind < MOTE_KERNEL_KINDS; ++kind) {
    for (int d = 1; d <= 3; ++d) {
      mote_kernel kernel = mote_kernel_make((mote_kernel_kind)kind, d, 1.0);
      char name[80];
      snprintf(name, sizeof name, "integral, %s, %dD", mote_kernel_name(kernel.kind), d);
      validation_near(v, name, kernel_integral(&kernel), 1.0, 1e-6, "EG09 (8)");
      snprintf(name, sizeof name, "derivative - difference, %s, %dD", mote_kernel_name(kernel.kind), d);
      validation_near(v, name, difference_error(&kernel, mote_kernel_value, mote_kernel_derivative), 0.0,
                      1e-6, "exact");
      snprintf(name, sizeof name, "second derivative - difference, %s, %dD", mote_kernel_name(kernel.kind),
               d);
      validation_near(v, name, difference_error(&kernel, mote_kernel_derivative, mote_kernel_second), 0.0,
                      1e-6, "exact");
      snprintf(name, sizeof name, "Laplacian - differences, %s, %dD", mote_kernel_name(kernel.kind), d);
      validation_near(v, name, laplacian_error(&kernel), 0.0, 1e-6, "exact");
    }
  }
}

// --- Operators --------------------------------------------------------------------------------------------

// A jittered open set with unequal masses, a field of `dimensions` components, and room for a gradient of it.
typedef struct sample_set {
  points set;
  int dimensions;
  size_t count;
  double *mass, *field, *out;
  mote_sph *sph;
} sample_set;

static bool make_samples(validation *v, int dimensions, sample_set *s) {
  *s = (sample_set){.set = points_packing(dimensions, dimensions == 2 ? 40 : 14, 1.0, 0.3, 1)};
  s->dimensions = dimensions, s->count = s->set.count;
  s->mass = calloc(s->count, sizeof(double));
  s->field = calloc(3 * s->count, sizeof(double));
  s->out = calloc(9 * s->count, sizeof(double));
  if (s->mass == NULL || s->field == NULL || s->out == NULL) abort();
  for (size_t i = 0; i < s->count; ++i) s->mass[i] = 0.5 + mote_random_uniform(1, 7, i);
  mote_sph_def def = mote_sph_def_default();
  def.domain = mote_domain_open(dimensions);
  def.radius = 2.5, def.position = s->set.position, def.mass = s->mass, def.count = s->count;
  mote_error error;
  if (mote_sph_create(&def, validation_env(v), &s->sph, &error) == MOTE_OK) return true;
  validation_error(v, &error);
  return false;
}

static void free_samples(sample_set *s) {
  mote_sph_destroy(s->sph);
  free(s->mass), free(s->field), free(s->out);
  points_free(&s->set);
}

static void set_noise(const sample_set *s) {
  for (size_t i = 0; i < 3 * s->count; ++i) s->field[i] = 1.0 + mote_random_uniform(1, 9, i);
}

static double largest_of(const double *value, size_t count) {
  double largest = 0.0;
  for (size_t i = 0; i < count; ++i) largest = fmax(largest, fabs(value[i]));
  return largest;
}

// |sum of V_i out_i| over sum of |V_i out_i|, for rows of `row` numbers: the worst of its first columns.
static double imbalance(const sample_set *s, size_t row) {
  double worst = 0.0;
  for (size_t k = 0; k < (size_t)s->dimensions; ++k) {
    double sum = 0.0, size = 0.0;
    for (size_t i = 0; i < s->count; ++i) {
      double term = mote_sph_volume(s->sph)[i] * s->out[row * i + k];
      sum += term, size += fabs(term);
    }
    worst = fmax(worst, fabs(sum) / size);
  }
  return worst;
}

static double torque(const sample_set *s) {
  double sum = 0.0, size = 0.0;
  for (size_t i = 0; i < s->count; ++i) {
    double V = mote_sph_volume(s->sph)[i], *f = s->out + (size_t)s->dimensions * i,
           *x = s->set.position + 3 * i;
    sum += V * (x[0] * f[1] - x[1] * f[0]);
    size += V * (fabs(x[0] * f[1]) + fabs(x[1] * f[0]));
  }
  return fabs(sum) / size;
}

static void check_gradients(validation *v, sample_set *s) {
  static const struct {
    mote_gradient_form form;
    bool zero, balanced;
    const char *source;
  } forms[] = {{MOTE_GRADIENT_DIFFERENCE, true, false, "EG09 (13)"},
               {MOTE_GRADIENT_DENSITY, true, false, "EG09 (17)"},
               {MOTE_GRADIENT_CORRECTED, true, false, "exact"},
               {MOTE_GRADIENT_SYMMETRIC, false, true, "EG09 (19)"},
               {MOTE_GRADIENT_MEAN, false, true, "EG09 (50)"}};
  char name[80];
  for (size_t k = 0; k < sizeof forms / sizeof forms[0]; ++k) {
    const char *form = mote_gradient_name(forms[k].form);
    if (forms[k].zero) {
      for (size_t i = 0; i < s->count; ++i) s->field[i] = 0.1;
      mote_sph_gradient(s->sph, forms[k].form, s->field, 1, s->out, NULL);
      snprintf(name, sizeof name, "gradient of a constant, %s, %dD", form, s->dimensions);
      validation_near(v, name, largest_of(s->out, 3 * s->count), 0.0, 0.0, forms[k].source);
    }
    if (forms[k].balanced) {
      set_noise(s);
      mote_sph_gradient(s->sph, forms[k].form, s->field, 1, s->out, NULL);
      snprintf(name, sizeof name, "momentum from a gradient, %s, %dD", form, s->dimensions);
      validation_near(v, name, imbalance(s, 3), 0.0, 1e-14, forms[k].source);
    }
  }
  for (size_t i = 0; i < s->count; ++i) {
    s->field[i] = 3.0;
    for (int a = 0; a < s->dimensions; ++a) s->field[i] += (a + 1) * s->set.position[3 * i + a];
  }
  mote_sph_gradient(s->sph, MOTE_GRADIENT_CORRECTED, s->field, 1, s->out, NULL);
  for (size_t i = 0; i < 3 * s->count; ++i)
    s->out[i] -= (int)(i % 3) < s->dimensions ? (double)(i % 3 + 1) : 0.0;
  snprintf(name, sizeof name, "gradient of a linear function, corrected, %dD", s->dimensions);
  validation_near(v, name, largest_of(s->out, 3 * s->count), 0.0, 1e-11, "exact");
}

static void check_laplacians(validation *v, sample_set *s) {
  char name[80];
  for (int form = MOTE_LAPLACIAN_DIFFERENCE; form < MOTE_LAPLACIAN_FORMS; ++form) {
    const char *text = mote_laplacian_name((mote_laplacian_form)form);
    set_noise(s);
    mote_sph_laplacian(s->sph, (mote_laplacian_form)form, s->field, s->dimensions, s->out, NULL);
    snprintf(name, sizeof name, "heat or momentum from a Laplacian, %s, %dD", text, s->dimensions);
    validation_near(v, name, imbalance(s, (size_t)s->dimensions), 0.0, 1e-14, "exact");
    if (form == MOTE_LAPLACIAN_CENTRAL) {
      snprintf(name, sizeof name, "angular momentum from a Laplacian, %s, %dD", text, s->dimensions);
      validation_near(v, name, torque(s), 0.0, 1e-14, "exact");
    }
    for (size_t i = 0; i < 3 * s->count; ++i) s->field[i] = 0.1;
    mote_sph_laplacian(s->sph, (mote_laplacian_form)form, s->field, s->dimensions, s->out, NULL);
    snprintf(name, sizeof name, "Laplacian of a constant, %s, %dD", text, s->dimensions);
    validation_near(v, name, largest_of(s->out, (size_t)s->dimensions * s->count), 0.0, 0.0, "EG09 (15)");
  }
}

// Values at points in the set, edges included: exact on constants when divided by the sum of weights.
static void check_shepard(validation *v, sample_set *s) {
  for (size_t i = 0; i < s->count; ++i) s->field[i] = 7.0;
  mote_sph_sample_def def = mote_sph_sample_def_default();
  def.position = s->set.position, def.count = s->count, def.field = s->field;
  def.value = s->out, def.shepard = true;
  mote_error error;
  if (mote_sph_sample(s->sph, &def, &error) != MOTE_OK) validation_error(v, &error);
  for (size_t i = 0; i < s->count; ++i) s->out[i] -= 7.0;
  char name[80];
  snprintf(name, sizeof name, "value of a constant, Shepard, %dD", s->dimensions);
  validation_near(v, name, largest_of(s->out, s->count), 0.0, 1e-13, "EG09 2");
}

void validate_sph(validation *v) {
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    sample_set s;
    if (make_samples(v, dimensions, &s)) {
      check_gradients(v, &s);
      check_laplacians(v, &s);
      check_shepard(v, &s);
    }
    free_samples(&s);
  }
}
