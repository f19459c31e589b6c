// Figures of the approximation methods: kernels (EG09 Fig. 1), weight and shape functions on an irregular
// sampling (EG09s 36), and SPH against MLS on a known function.
#include <math.h>
#include <mote/draw.h>
#include <mote/mote.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/files/input_file.h"
#include "figures/figure_plot.h"
#include "figures/figures.h"
#include "validate/approx/points.h"

// --- Kernels: EG09 Fig. 1 ---

#define CURVE_POINTS 241
#define SIDE_SAMPLES 61

static void draw_kernel_surface(mote_panel *panel) {
  static double value[SIDE_SAMPLES * SIDE_SAMPLES];
  mote_kernel kernel = mote_kernel_make(MOTE_KERNEL_POLY6, 2, 1);
  for (int k = 0; k < SIDE_SAMPLES * SIDE_SAMPLES; ++k) {
    double x = -1.2 + 2.4 * (k % SIDE_SAMPLES) / (SIDE_SAMPLES - 1),
           y = -1.2 + 2.4 * (k / SIDE_SAMPLES) / (SIDE_SAMPLES - 1);
    value[k] = mote_kernel_value(&kernel, sqrt(x * x + y * y));
  }
  mote_plot_field field = {
      .value = value, .nx = SIDE_SAMPLES, .ny = SIDE_SAMPLES, .x0 = -1.2, .x1 = 1.2, .y0 = -1.2, .y1 = 1.2};
  mote_plot_surface(panel, &field, NULL);
}

static void draw_kernel_sizes(mote_panel *panel) {
  const double radius[] = {1, 1.5, 2};
  const char *label[] = {"h = 1", "h = 3/2", "h = 2"};
  for (int n = 0; n < 3; ++n) {
    double x[CURVE_POINTS], y[CURVE_POINTS];
    mote_kernel kernel = mote_kernel_make(MOTE_KERNEL_POLY6, 2, radius[n]);
    for (int k = 0; k < CURVE_POINTS; ++k) {
      x[k] = -2.2 + 4.4 * k / (CURVE_POINTS - 1);
      y[k] = mote_kernel_value(&kernel, fabs(x[k]));
    }
    mote_style style = mote_style_default();
    style.label = label[n];
    mote_plot_line(panel, x, y, CURVE_POINTS, &style);
  }
}

static void draw_all_kernels(mote_panel *value_panel, mote_panel *slope_panel) {
  for (int kind = 0; kind < MOTE_KERNEL_KINDS; ++kind) {
    double x[CURVE_POINTS], value[CURVE_POINTS], slope[CURVE_POINTS];
    mote_kernel kernel = mote_kernel_make((mote_kernel_kind)kind, 3, 1);
    for (int k = 0; k < CURVE_POINTS; ++k) {
      x[k] = 1.05 * (k + 0.5) / CURVE_POINTS;
      value[k] = mote_kernel_value(&kernel, x[k]);
      slope[k] = mote_kernel_derivative(&kernel, x[k]);
    }
    mote_style style = mote_style_default();
    style.label = mote_kernel_name((mote_kernel_kind)kind);
    if (kind == MOTE_KERNEL_DESBRUN) style.dash = MOTE_DASH_LONG;  // spiky by another name
    mote_plot_line(value_panel, x, value, CURVE_POINTS, &style);
    mote_plot_line(slope_panel, x, slope, CURVE_POINTS, &style);
  }
}

int draw_kernels(const figure_output *out) {
  mote_plot_def def = mote_plot_def_default();
  def.width = 1600, def.height = 1200, def.rows = 2, def.columns = 2;
  mote_plot *plot = mote_plot_create(&def, NULL);
  mote_panel_def panel = mote_panel_def_default();
  panel.title = "A polynomial kernel in 2D, EG09 (89)";
  panel.x.label = "x", panel.y.label = "y";
  draw_kernel_surface(mote_plot_panel(plot, 0, 0, &panel));
  panel.title = "The same for three support radii";
  panel.x.label = "d", panel.y.label = "ω(d)";
  draw_kernel_sizes(mote_plot_panel(plot, 0, 1, &panel));
  panel.title = "All kernels in 3D, support 1";
  panel.x.label = "r", panel.y.label = "W(r)", panel.y.low = 0, panel.y.high = 6;
  mote_panel *value = mote_plot_panel(plot, 1, 0, &panel);
  panel.title = "Their derivatives";
  panel.legend = MOTE_LEGEND_NONE;
  panel.y.label = "W'(r)", panel.y.low = -15, panel.y.high = 0.5;
  draw_all_kernels(value, mote_plot_panel(plot, 1, 1, &panel));
  return figure_plot_write(out, plot);
}

// --- Weight and shape function: EG09s 36 ---

#define SIDE_PIXELS 161

// Points of a SIDE_PIXELS x SIDE_PIXELS grid over the box [0, size]^2.
static double *picture_points(double size) {
  double *at = input_take(3 * SIDE_PIXELS * SIDE_PIXELS, sizeof(double));
  for (int k = 0; k < SIDE_PIXELS * SIDE_PIXELS; ++k) {
    at[3 * k] = size * (k % SIDE_PIXELS) / (SIDE_PIXELS - 1);
    at[3 * k + 1] = size * (k / SIDE_PIXELS) / (SIDE_PIXELS - 1);
  }
  return at;
}

static size_t nearest_to_centre(const points *set) {
  size_t best = 0;
  double smallest = (double)INFINITY;
  for (size_t i = 0; i < set->count; ++i) {
    double dx = set->position[3 * i] - 0.5 * set->size[0], dy = set->position[3 * i + 1] - 0.5 * set->size[1];
    if (dx * dx + dy * dy < smallest) smallest = dx * dx + dy * dy, best = i;
  }
  return best;
}

static void draw_samples(mote_panel *panel, const points *set, size_t marked) {
  double *x = input_take(set->count, sizeof(double)), *y = input_take(set->count, sizeof(double));
  for (size_t i = 0; i < set->count; ++i) x[i] = set->position[3 * i], y[i] = set->position[3 * i + 1];
  mote_style dots = mote_style_default();
  dots.width = 0, dots.marker = MOTE_MARKER_DISC, dots.marker_size = 0.45,
  dots.colour = (mote_colour){255, 255, 255, 200};
  mote_plot_line(panel, x, y, set->count, &dots);
  if (marked < set->count) {
    mote_style cross = dots;
    cross.marker = MOTE_MARKER_CROSS, cross.marker_size = 1.6, cross.colour = (mote_colour){255, 60, 60, 255};
    mote_plot_line(panel, x + marked, y + marked, 1, &cross);
  }
  free(x);
  free(y);
}

// Value, and weight over the picture, of sample i.
static mote_result shape_of(const points *set, size_t i, double radius, const double *at, double *weight,
                            double *shape, mote_error *error) {
  mote_kernel kernel = mote_kernel_make(MOTE_KERNEL_WENDLAND_C2, 2, radius);
  for (int k = 0; k < SIDE_PIXELS * SIDE_PIXELS; ++k) {
    double dx = at[3 * k] - set->position[3 * i], dy = at[3 * k + 1] - set->position[3 * i + 1];
    weight[k] = mote_kernel_value(&kernel, sqrt(dx * dx + dy * dy)) / mote_kernel_value(&kernel, 0);
  }
  mote_mls_def def = mote_mls_def_default();
  def.domain = mote_domain_open(2);
  def.order = 1, def.position = set->position, def.count = set->count, def.uniform_radius = radius;
  def.kernel = MOTE_KERNEL_WENDLAND_C2;
  double *one = input_take(set->count, sizeof(double));
  one[i] = 1;
  mote_mls *mls = NULL;
  mote_mls_shapes *shapes = NULL;
  mote_result result = mote_mls_create(&def, NULL, &mls, error);
  if (!result) result = mote_mls_shapes_create(mls, at, SIDE_PIXELS * SIDE_PIXELS, 0, NULL, &shapes, error);
  if (!result) result = mote_mls_apply(shapes, one, 1, shape, NULL, NULL, error);
  mote_mls_shapes_destroy(shapes);
  mote_mls_destroy(mls);
  free(one);
  return result;
}

int draw_shape_function(const figure_output *out) {
  points set = points_packing(2, 8, 1.0 / 8, 0.45, 3);
  size_t i = nearest_to_centre(&set);
  double *at = picture_points(1), *weight = input_take(SIDE_PIXELS * SIDE_PIXELS, sizeof(double)),
         *shape = input_take(SIDE_PIXELS * SIDE_PIXELS, sizeof(double));
  mote_error error;
  bool ok = shape_of(&set, i, 2.6 * set.spacing, at, weight, shape, &error) == MOTE_OK;
  if (!ok) complain_error(&error);
  const double *value[] = {weight, shape};
  const char *title[] = {"Weight function ω of the marked sample", "Its shape function Φ, linear basis"};
  mote_plot_def def = mote_plot_def_default();
  def.width = 1600, def.height = 1400, def.rows = 2, def.columns = 2;
  mote_plot *plot = mote_plot_create(&def, NULL);
  for (int k = 0; k < 2; ++k) {
    mote_plot_field field = {
        .value = value[k], .nx = SIDE_PIXELS, .ny = SIDE_PIXELS, .x0 = 0, .x1 = 1, .y0 = 0, .y1 = 1};
    mote_panel_def panel = mote_panel_def_default();
    panel.title = title[k], panel.x.label = "x", panel.y.label = "y", panel.equal_aspect = true,
    panel.grid = false;
    mote_panel *flat = mote_plot_panel(plot, 0, k, &panel);
    mote_plot_heat(flat, &field, NULL);
    draw_samples(flat, &set, i);
    panel.title = NULL, panel.equal_aspect = false;
    mote_plot_surface(mote_plot_panel(plot, 1, k, &panel), &field, NULL);
  }
  int status = figure_plot_write(out, plot);
  free(at), free(weight), free(shape);
  points_free(&set);
  return ok ? status : EXIT_FAILED;
}

// --- SPH against MLS ---

// Franke's function, the usual test of scattered data interpolation (Franke 1979): two hills, a dip, a slope.
static double franke(double x, double y) {
  double a = 9 * x - 2, b = 9 * y - 2, c = 9 * x + 1, e = 9 * y + 1, f = 9 * x - 7, g = 9 * y - 3,
         h = 9 * x - 4, k = 9 * y - 7;
  return 0.75 * mote_exp(-(a * a + b * b) / 4) + 0.75 * mote_exp(-c * c / 49 - e / 10) +
         0.5 * mote_exp(-(f * f + g * g) / 4) - 0.2 * mote_exp(-h * h - k * k);
}

static mote_result by_sph(const points *set, const double *f, double radius, const double *at, double *value,
                          mote_error *error) {
  mote_sph_def def = mote_sph_def_default();
  def.domain = mote_domain_open(2);
  def.kernel = MOTE_KERNEL_WENDLAND_C2, def.radius = radius, def.position = set->position,
  def.count = set->count;
  mote_sph *sph = NULL;
  mote_result result = mote_sph_create(&def, NULL, &sph, error);
  mote_sph_sample_def sample = mote_sph_sample_def_default();
  sample.position = at, sample.count = SIDE_PIXELS * SIDE_PIXELS, sample.field = f, sample.components = 1,
  sample.value = value;
  if (!result) result = mote_sph_sample(sph, &sample, error);
  mote_sph_destroy(sph);
  return result;
}

static mote_result by_mls(const points *set, const double *f, int order, double radius, const double *at,
                          double *value, mote_error *error) {
  mote_mls_def def = mote_mls_def_default();
  def.domain = mote_domain_open(2);
  def.order = order, def.position = set->position, def.count = set->count, def.uniform_radius = radius;
  mote_mls *mls = NULL;
  mote_mls_shapes *shapes = NULL;
  mote_result result = mote_mls_create(&def, NULL, &mls, error);
  if (!result) result = mote_mls_shapes_create(mls, at, SIDE_PIXELS * SIDE_PIXELS, 0, NULL, &shapes, error);
  if (!result) result = mote_mls_apply(shapes, f, 1, value, NULL, NULL, error);
  mote_mls_shapes_destroy(shapes);
  mote_mls_destroy(mls);
  return result;
}

#define METHODS_COMPARED 3

typedef struct comparison {
  double *exact, *value[METHODS_COMPARED], *error[METHODS_COMPARED];
  double rms[METHODS_COMPARED], largest[METHODS_COMPARED];
} comparison;

static const char *const method_names[METHODS_COMPARED] = {"SPH", "MLS, linear basis",
                                                           "MLS, quadratic basis"};

static void measure_errors(comparison *c) {
  for (int m = 0; m < METHODS_COMPARED; ++m) {
    double sum = 0;
    for (int k = 0; k < SIDE_PIXELS * SIDE_PIXELS; ++k) {
      double difference = fabs(c->value[m][k] - c->exact[k]);
      c->error[m][k] = fmax(difference, 1e-5);
      c->largest[m] = fmax(c->largest[m], difference);
      sum += difference * difference;
    }
    c->rms[m] = sqrt(sum / (SIDE_PIXELS * SIDE_PIXELS));
    printf("  %-22s RMS error %.1e, largest %.1e\n", method_names[m], c->rms[m], c->largest[m]);
  }
}

static void draw_comparison_row(mote_plot *plot, const comparison *c, int m, const points *set) {
  char title[128];
  mote_plot_field field = {
      .value = c->value[m], .nx = SIDE_PIXELS, .ny = SIDE_PIXELS, .x0 = 0, .x1 = 1, .y0 = 0, .y1 = 1};
  mote_panel_def panel = mote_panel_def_default();
  panel.title = method_names[m], panel.grid = false;
  panel.x.bare = panel.y.bare = true, panel.x.label = NULL, panel.y.label = NULL;
  panel.z.low = -0.1, panel.z.high = 1.3;
  mote_plot_surface_def surface = mote_plot_surface_def_default();
  surface.height = 0.75;
  mote_plot_surface(mote_plot_panel(plot, 0, m, &panel), &field, &surface);
  snprintf(title, sizeof title, "|error|, RMS %.1e", c->rms[m]);
  panel.title = title, panel.equal_aspect = true;
  mote_panel *map = mote_plot_panel(plot, 1, m, &panel);
  mote_shade shade = mote_shade_default();
  shade.log = true, shade.low = 1e-5, shade.high = 1;
  field.value = c->error[m];
  mote_plot_heat(map, &field, &shade);
  draw_samples(map, set, SIZE_MAX);
}

int draw_comparison(const figure_output *out) {
  points set = points_packing(2, 30, 1.0 / 30, 0.45, 7);
  comparison c = {.exact = input_take(SIDE_PIXELS * SIDE_PIXELS, sizeof(double))};
  double *at = picture_points(1), *f = input_take(set.count, sizeof(double));
  for (size_t i = 0; i < set.count; ++i) f[i] = franke(set.position[3 * i], set.position[3 * i + 1]);
  for (int k = 0; k < SIDE_PIXELS * SIDE_PIXELS; ++k) c.exact[k] = franke(at[3 * k], at[3 * k + 1]);
  for (int m = 0; m < METHODS_COMPARED; ++m)
    c.value[m] = input_take(SIDE_PIXELS * SIDE_PIXELS, sizeof(double)),
    c.error[m] = input_take(SIDE_PIXELS * SIDE_PIXELS, sizeof(double));
  mote_error error;
  int status = EXIT_FAILED;
  double radius = 2.6 * set.spacing;
  bool ok = by_sph(&set, f, radius, at, c.value[0], &error) == MOTE_OK &&
            by_mls(&set, f, 1, radius, at, c.value[1], &error) == MOTE_OK &&
            by_mls(&set, f, 2, radius, at, c.value[2], &error) == MOTE_OK;
  if (!ok) complain_error(&error);
  if (ok) {
    printf("Franke's function from %zu scattered samples:\n", set.count);
    measure_errors(&c);
    mote_plot_def def = mote_plot_def_default();
    def.width = 1800, def.height = 1150, def.rows = 2, def.columns = METHODS_COMPARED;
    mote_plot *plot = mote_plot_create(&def, NULL);
    for (int m = 0; m < METHODS_COMPARED; ++m) draw_comparison_row(plot, &c, m, &set);
    status = figure_plot_write(out, plot);
  }
  for (int m = 0; m < METHODS_COMPARED; ++m) free(c.value[m]), free(c.error[m]);
  free(c.exact), free(at), free(f);
  points_free(&set);
  return status;
}
