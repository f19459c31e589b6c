// Validation of moving least squares (EG09 3): polynomials of the basis reproduced, partition of unity,
// orders of convergence with a plot, conditioning of sets far away and very small, samplings of planes and
// lines.
#include <math.h>
#include <mote/draw.h>
#include <mote/mote.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validate/approx/points.h"
#include "validate/validate.h"

#define POINT_COUNT 400

// --- Fields with known derivatives --------------------------------------------------------------------

// The value of a field at x, its gradient and its Laplacian; `order` cuts the polynomials.
typedef double field_fn(int dimensions, int order, const double *x, double g[3], double *laplacian);

static double polynomial(int dimensions, int order, const double *x, double g[3], double *laplacian) {
  static const double b[3] = {0.7, -0.4, 0.5};
  static const double c[3][3] = {{0.6, -0.25, 0.2}, {-0.25, 0.8, 0.15}, {0.2, 0.15, -0.7}};
  double value = 0.3;
  *laplacian = g[0] = g[1] = g[2] = 0.0;
  for (int k = 0; k < dimensions && order >= 1; ++k) {
    g[k] = b[k], value += b[k] * x[k];
    for (int l = 0; l < dimensions && order >= 2; ++l) {
      g[k] += 2.0 * c[k][l] * x[l], value += c[k][l] * x[k] * x[l];
    }
    if (order >= 2) *laplacian += 2.0 * c[k][k];
  }
  return value;
}

static double wave(int dimensions, int order, const double *x, double g[3], double *laplacian) {
  static const double number[3] = {2.1, 1.7, 1.3}, phase[3] = {-1.2, 0.2, 0.1};
  double f[3] = {1.0, 1.0, 1.0}, df[3] = {0.0, 0.0, 0.0}, square = 0.0;
  (void)order;
  for (int k = 0; k < dimensions; ++k) {
    f[k] = mote_cos(number[k] * x[k] + phase[k]);
    df[k] = -number[k] * mote_sin(number[k] * x[k] + phase[k]);
    square += number[k] * number[k];
  }
  g[0] = df[0] * f[1] * f[2], g[1] = f[0] * df[1] * f[2], g[2] = f[0] * f[1] * df[2];
  *laplacian = -square * f[0] * f[1] * f[2];
  return f[0] * f[1] * f[2];
}

// An orthonormal frame along no axis.
static const double frame[3][3] = {{2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0},
                                   {2.0 / 3.0, 2.0 / 3.0, -1.0 / 3.0},
                                   {-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0}};

// The polynomial along the first axes of the frame, constant across them.
static double flat_polynomial(int flat, int order, const double *x, double g[3], double *laplacian) {
  double y[3] = {0.0, 0.0, 0.0}, gy[3];
  for (int k = 0; k < flat; ++k) y[k] = frame[k][0] * x[0] + frame[k][1] * x[1] + frame[k][2] * x[2];
  double value = polynomial(flat, order, y, gy, laplacian);
  for (int a = 0; a < 3; ++a) g[a] = gy[0] * frame[0][a] + gy[1] * frame[1][a] + gy[2] * frame[2][a];
  return value;
}

static double line_polynomial(int dimensions, int order, const double *x, double g[3], double *laplacian) {
  (void)dimensions;
  return flat_polynomial(1, order, x, g, laplacian);
}

static double plane_polynomial(int dimensions, int order, const double *x, double g[3], double *laplacian) {
  (void)dimensions;
  return flat_polynomial(2, order, x, g, laplacian);
}

// --- Errors of an approximation -------------------------------------------------------------------------

typedef struct errors {
  double worst[3], mean[3];  // of value, gradient and Laplacian; mean is root mean square
  double unity[3];           // worst sums of Phi - 1, of its gradient and of its second derivatives
  double condition;          // worst
  int rank;                  // smallest
} errors;

static void add_error(errors *e, int kind, double error) {
  e->worst[kind] = fabs(error) <= e->worst[kind] ? e->worst[kind] : fabs(error);  // keeps a NaN
  e->mean[kind] += error * error;
}

static void add_unity(errors *e, const mote_mls_shapes *shapes) {
  const mote_lists *lists = mote_mls_shapes_lists(shapes);
  for (size_t i = 0; i < lists->count; ++i) {
    double sum[10] = {-1.0};
    for (size_t n = lists->first[i]; n < lists->first[i] + lists->number[i]; ++n) {
      sum[0] += mote_mls_shapes_value(shapes)[n];
      for (size_t k = 0; k < 3; ++k) sum[1 + k] += mote_mls_shapes_gradient(shapes)[3 * n + k];
      for (size_t k = 0; k < 6; ++k) sum[4 + k] += mote_mls_shapes_second(shapes)[6 * n + k];
    }
    for (int k = 0; k < 10; ++k) {
      int kind = k == 0 ? 0 : k < 4 ? 1 : 2;
      e->unity[kind] = fabs(sum[k]) <= e->unity[kind] ? e->unity[kind] : fabs(sum[k]);
    }
    mote_mls_fit fit = mote_mls_shapes_fit(shapes)[i];
    e->condition = fmax(e->condition, fit.condition);
    if (i == 0 || fit.rank < e->rank) e->rank = fit.rank;
  }
}

static void compare(const mote_mls_def *def, field_fn *field, const double *at, const double *out,
                    errors *e) {
  for (size_t i = 0; i < POINT_COUNT; ++i) {
    double g[3], laplacian, value = field(def->domain.dimensions, def->order, at + 3 * i, g, &laplacian);
    add_error(e, 0, out[i] - value);
    for (size_t k = 0; k < 3; ++k) add_error(e, 1, out[POINT_COUNT + 3 * i + k] - g[k]);
    add_error(e, 2, out[4 * POINT_COUNT + i] - laplacian);
  }
  for (int kind = 0; kind < 3; ++kind) e->mean[kind] = sqrt(e->mean[kind] / POINT_COUNT);
}

// What the set makes of a field at POINT_COUNT points. Reports and returns false when it cannot.
static bool measure_errors(validation *v, const mote_mls_def *def, field_fn *field, const double *at,
                           errors *e) {
  *e = (errors){.condition = 0.0};
  mote_mls *mls = NULL;
  mote_mls_shapes *shapes = NULL;
  mote_error error;
  double *sample = malloc((def->count + 1) * sizeof *sample), *out = malloc(5 * POINT_COUNT * sizeof *out),
         g[3], l;
  if (sample == NULL || out == NULL) abort();
  for (size_t i = 0; i < def->count; ++i) {
    sample[i] = field(def->domain.dimensions, def->order, def->position + 3 * i, g, &l);
  }
  bool done =
      mote_mls_create(def, validation_env(v), &mls, &error) == MOTE_OK &&
      mote_mls_shapes_create(mls, at, POINT_COUNT, 2, validation_env(v), &shapes, &error) == MOTE_OK &&
      mote_mls_apply(shapes, sample, 1, out, out + POINT_COUNT, out + 4 * POINT_COUNT, &error) == MOTE_OK;
  if (done) {
    compare(def, field, at, out, e);
    add_unity(e, shapes);
  } else {
    validation_error(v, &error);
  }
  mote_mls_shapes_destroy(shapes);
  mote_mls_destroy(mls);
  free(sample), free(out);
  return done;
}

static mote_mls_def make_def(const points *set, int order, double radius) {
  mote_mls_def def = mote_mls_def_default();
  def.domain = mote_domain_open(set->dimensions);
  def.order = order;
  def.position = set->position, def.count = set->count;
  def.uniform_radius = radius * set->spacing;
  return def;
}

// Points of the box [low, high]^dimensions.
static void spread(int dimensions, double low, double high, double *at) {
  for (size_t i = 0; i < POINT_COUNT; ++i) {
    for (int k = 0; k < 3; ++k) {
      double u = mote_random_uniform(5, (uint64_t)k, i);
      at[3 * i + (size_t)k] = k < dimensions ? low + (high - low) * u : 0.0;
    }
  }
}

// --- Polynomials and unity ------------------------------------------------------------------------------

static const int per_axis[4] = {0, 60, 20, 11};  // samples of the unit box

static void report_polynomial(validation *v, const mote_mls_def *def, const double *at, const char *where) {
  errors e;
  char name[80];
  if (!measure_errors(v, def, polynomial, at, &e)) return;
  int d = def->domain.dimensions;
  snprintf(name, sizeof name, "value, degree %d, %dD, %s", def->order, d, where);
  validation_near(v, name, e.worst[0], 0.0, 1e-10, "EG09 3.2");
  snprintf(name, sizeof name, "gradient, degree %d, %dD, %s", def->order, d, where);
  validation_near(v, name, e.worst[1], 0.0, 1e-8, "EG09 (32)");
  snprintf(name, sizeof name, "Laplacian, degree %d, %dD, %s", def->order, d, where);
  validation_near(v, name, e.worst[2], 0.0, 1e-8, "EG09 (34)");
}

void validate_mls_polynomials(validation *v) {
  double at[3 * POINT_COUNT];
  for (int d = 1; d <= 3; ++d) {
    points set = points_packing(d, per_axis[d], 1.0 / per_axis[d], 0.4, 2);
    double *radius = malloc(set.count * sizeof *radius);
    if (radius == NULL) abort();
    for (size_t i = 0; i < set.count; ++i)
      radius[i] = set.spacing * (3.4 + 1.6 * mote_random_uniform(2, 8, i));
    for (int order = 0; order <= 2; ++order) {
      mote_mls_def def = make_def(&set, order, 4.2);
      spread(d, 0.3, 0.7, at);
      report_polynomial(v, &def, at, "jittered");
      def.radius = radius;
      spread(d, 0.0, 1.0, at);
      report_polynomial(v, &def, at, "varying radii");
      def.radius = NULL;
      for (size_t i = 0; i < POINT_COUNT; ++i) {  // faces, then the corners
        for (int k = 0; k < d; ++k) {
          if (i < 8 || (int)i % d == k)
            at[3 * i + (size_t)k] = i < 8 ? (double)(i >> k & 1) : (double)(i / 3 % 2);
        }
      }
      report_polynomial(v, &def, at, "boundary");
    }
    free(radius);
    points_free(&set);
  }
}

void validate_mls_unity(validation *v) {
  static const char *const what[3] = {"sum of shape functions - 1", "sum of their gradients",
                                      "sum of their second derivatives"};
  static const double tolerance[3] = {1e-12, 1e-10, 1e-8};
  double at[3 * POINT_COUNT];
  for (int d = 1; d <= 3; ++d) {
    points set = points_packing(d, per_axis[d], 1.0 / per_axis[d], 0.4, 3);
    spread(d, 0.0, 1.0, at);
    for (int order = 0; order <= 2; ++order) {
      errors e;
      mote_mls_def def = make_def(&set, order, 4.2);
      if (!measure_errors(v, &def, polynomial, at, &e)) continue;
      for (int kind = 0; kind < 3; ++kind) {
        char name[80];
        snprintf(name, sizeof name, "%s, degree %d, %dD", what[kind], order, d);
        validation_near(v, name, e.unity[kind], 0.0, tolerance[kind], "EG09 3.2");
      }
    }
    points_free(&set);
  }
}

// --- Convergence ------------------------------------------------------------------------------------------

#define LEVEL_COUNT 3

typedef struct convergence {
  double spacing[LEVEL_COUNT], error[3][LEVEL_COUNT];  // of value, gradient, Laplacian
} convergence;

static bool measure_convergence(validation *v, int dimensions, int order, convergence *c) {
  static const int coarse[4] = {0, 40, 20, 12}, fine[4] = {0, 320, 120, 32};
  double at[3 * POINT_COUNT], growth = (double)fine[dimensions] / coarse[dimensions];
  spread(dimensions, 0.35, 0.65, at);
  for (int level = 0; level < LEVEL_COUNT; ++level) {
    int n = level == 0                 ? coarse[dimensions]
            : level == LEVEL_COUNT - 1 ? fine[dimensions]
                                       : (int)(coarse[dimensions] * sqrt(growth));
    errors e;
    points set = points_packing(dimensions, n, 1.0 / n, 0.3, 4);
    mote_mls_def def = make_def(&set, order, order == 2 ? 3.2 : 2.2);
    bool done = measure_errors(v, &def, wave, at, &e);
    points_free(&set);
    if (!done) return false;
    c->spacing[level] = 1.0 / n;
    for (int kind = 0; kind < 3; ++kind) c->error[kind][level] = e.mean[kind];
  }
  return true;
}

static double observed_order(const convergence *c, int kind) {
  return mote_log(c->error[kind][0] / c->error[kind][LEVEL_COUNT - 1]) /
         mote_log(c->spacing[0] / c->spacing[LEVEL_COUNT - 1]);
}

static const char *const kind_name[3] = {"value", "gradient", "Laplacian"};

static void report_orders(validation *v, int dimensions, int order, const convergence *c) {
  for (int kind = 0; kind < 3; ++kind) {
    char name[80];
    int theory = order + 1 - kind;
    snprintf(name, sizeof name, "order of the %s, degree %d, %dD", kind_name[kind], order, dimensions);
    if (theory >= 1) {
      validation_report(v,
                        &(measure){name, MEASURE_AT_LEAST, observed_order(c, kind), theory, 0.3, "theory"});
    } else if (theory == 0) {
      validation_near(v, name, observed_order(c, kind), 0.0, 0.3, "theory: does not converge");
    }
  }
}

static void plot_convergence(validation *v, convergence c[4][3]) {
  char path[512];
  mote_error error;
  if (!validation_plot_path(v, "mls-convergence.png", path, sizeof path)) return;
  mote_plot_def def = mote_plot_def_default();
  def.columns = 3, def.width = 1800, def.height = 700;
  def.title = "Moving least squares: error against spacing, jittered samples in 2D (solid) and 3D (dashed)";
  mote_plot *plot = mote_plot_create(&def, validation_env(v));
  for (int kind = 0; kind < 3; ++kind) {
    mote_panel_def panel_def = mote_panel_def_default();
    panel_def.title = kind_name[kind];
    panel_def.x.label = "spacing", panel_def.y.label = "root mean square error";
    panel_def.x.log = panel_def.y.log = true;
    panel_def.legend = MOTE_LEGEND_BOTTOM_RIGHT;
    if (kind == 2) panel_def.y.low = 1e-3;  // room for the legend
    mote_panel *panel = mote_plot_panel(plot, 0, kind, &panel_def);
    for (int order = 0; order <= 2; ++order) {
      for (int d = 2; d <= 3; ++d) {
        char label[64];
        mote_style style = mote_style_default();
        snprintf(label, sizeof label, "degree %d: order %.2f, %.2f", order,
                 observed_order(&c[2][order], kind), observed_order(&c[3][order], kind));
        style.label = d == 2 ? label : NULL, style.marker = MOTE_MARKER_DISC;
        style.colour = mote_colour_cycle(order);
        style.dash = d == 2 ? MOTE_DASH_NONE : MOTE_DASH_LONG;
        mote_plot_line(panel, c[d][order].spacing, c[d][order].error[kind], LEVEL_COUNT, &style);
      }
    }
  }
  if (mote_plot_write(plot, path, &error) != MOTE_OK) validation_error(v, &error);
  mote_plot_destroy(plot);
}

void validate_mls_convergence(validation *v) {
  convergence c[4][3];
  bool all = true;
  for (int d = 1; d <= 3; ++d) {
    for (int order = 0; order <= 2; ++order) {
      bool done = measure_convergence(v, d, order, &c[d][order]);
      if (done) report_orders(v, d, order, &c[d][order]);
      all = all && done;
    }
  }
  if (all) plot_convergence(v, c);
}

// --- Conditioning and flat sets ---------------------------------------------------------------------------

void validate_mls_conditioning(validation *v) {
  static const struct {
    const char *name;
    double size, shift;
  } cases[] = {{"as it is", 1.0, 0.0}, {"moved by 1e6 sizes", 1.0, 1e6}, {"scaled by 1e-6", 1e-6, 0.0}};
  double unit[3 * POINT_COUNT], at[3 * POINT_COUNT], first = 1.0;
  for (int d = 2; d <= 3; ++d) {
    spread(d, 0.0, 1.0, unit);
    for (size_t p = 0; p < sizeof cases / sizeof cases[0]; ++p) {
      points set = points_packing(d, per_axis[d], 1.0 / per_axis[d], 0.4, 5);
      for (size_t k = 0; k < 3 * set.count; ++k) {
        set.position[k] = cases[p].size * set.position[k] + (k % 3 < (size_t)d ? cases[p].shift : 0.0);
      }
      for (size_t k = 0; k < 3 * POINT_COUNT; ++k) {
        at[k] = cases[p].size * unit[k] + (k % 3 < (size_t)d ? cases[p].shift : 0.0);
      }
      set.spacing *= cases[p].size;
      mote_mls_def def = make_def(&set, 2, 4.2);
      errors e;
      char name[80];
      if (measure_errors(v, &def, polynomial, at, &e)) {
        if (p == 0) {
          first = e.condition;
          snprintf(name, sizeof name, "largest condition, degree 2, %dD", d);
          validation_show(v, name, first, first, "EG09 (28)");
        } else {
          snprintf(name, sizeof name, "ratio of conditions, degree 2, %dD, %s", d, cases[p].name);
          validation_near(v, name, e.condition / first, 1.0, 1e-6, "EG09 (28)");
        }
        snprintf(name, sizeof name, "sum of shape functions - 1, %dD, %s", d, cases[p].name);
        validation_near(v, name, e.unity[0], 0.0, 1e-12, "EG09 3.2");
      }
      points_free(&set);
    }
  }
}

// Takes points of the frame's first axes to space, up to `away` from the plane or line.
static void lay_flat(int flat, double away, double *x, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    double y[3];
    for (int k = 0; k < 3; ++k) {
      y[k] = k < flat ? x[3 * i + (size_t)k] : away * (2.0 * mote_random_uniform(6, (uint64_t)k, i) - 1.0);
    }
    for (int a = 0; a < 3; ++a) {
      x[3 * i + (size_t)a] = y[0] * frame[0][a] + y[1] * frame[1][a] + y[2] * frame[2][a];
    }
  }
}

static void report_flat(validation *v, int flat, int order, const char *where, const errors *e) {
  static const char *const set_name[3] = {"", "line", "plane"};
  char name[80];
  snprintf(name, sizeof name, "rank, degree %d, %s in 3D, %s", order, set_name[flat], where);
  validation_near(v, name, e->rank, order == 1 ? 1 + flat : (flat + 1) * (flat + 2) / 2, 0.0, "EG09 3.3");
  for (int kind = 0; kind < 3; ++kind) {
    snprintf(name, sizeof name, "%s, degree %d, %s in 3D, %s", kind_name[kind], order, set_name[flat], where);
    validation_near(v, name, e->worst[kind], 0.0, kind == 0 ? 1e-10 : 1e-8, "EG09 3.3");
  }
}

void validate_mls_flat(validation *v) {
  double at[3 * POINT_COUNT];
  for (int flat = 1; flat <= 2; ++flat) {
    for (int order = 1; order <= 2; ++order) {
      for (int outside = 0; outside <= 1; ++outside) {
        points set = points_packing(flat, per_axis[flat], 1.0 / per_axis[flat], 0.4, 6);
        lay_flat(flat, 0.0, set.position, set.count);
        spread(flat, 0.0, 1.0, at);
        lay_flat(flat, outside ? set.spacing : 0.0, at, POINT_COUNT);
        set.dimensions = 3;
        mote_mls_def def = make_def(&set, order, 4.2);
        errors e;
        if (measure_errors(v, &def, flat == 1 ? line_polynomial : plane_polynomial, at, &e)) {
          report_flat(v, flat, order, outside ? "seen from outside" : "within", &e);
        }
        points_free(&set);
      }
    }
  }
}
