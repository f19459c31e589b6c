// Curves in one dimension: the kernels of DES96 (Figs. 1, 2), and shape functions of samples on a line (EG09s
// 37).
#include <math.h>
#include <mote/mote.h>
#include <string.h>

#include "cli/base/cli.h"
#include "figures/figure_plot.h"

enum { CURVE = 401, SAMPLES = 9 };

// Over r/h from -2 to 2, h half the support: value and slope, each over its largest.
int draw_des96_kernel(const figure_output *out) {
  bool spline = strcmp(out->name, "des96-1") == 0;
  const mote_kernel kernel =
      mote_kernel_make(spline ? MOTE_KERNEL_CUBIC_SPLINE : MOTE_KERNEL_DESBRUN, 1, 2.0);
  double x[CURVE], y[2][CURVE];
  for (int k = 0; k < CURVE; ++k) {
    x[k] = -2.2 + 4.4 * (k + 0.5) / CURVE;
    y[0][k] = mote_kernel_value(&kernel, fabs(x[k]));
    y[1][k] = copysign(1.0, x[k]) * mote_kernel_derivative(&kernel, fabs(x[k]));
  }
  mote_plot_def def = mote_plot_def_default();
  def.width = 1100, def.height = 480, def.columns = 2, def.font_size = 20;
  mote_plot *plot = mote_plot_create(&def, NULL);
  const char *title[2][2] = {{"DES96's kernel in 1D", "Its derivative: steepest at 0"},
                             {"The spline kernel in 1D", "Its derivative: flat at 0"}};
  for (int k = 0; k < 2; ++k) {
    mote_panel_def panel = mote_panel_def_default();
    panel.title = title[spline][k], panel.x.label = "r/h", panel.y.label = k == 0 ? "h W" : "h2 W'";
    mote_plot_line(mote_plot_panel(plot, 0, k, &panel), x, y[k], CURVE, NULL);
  }
  return figure_plot_write(out, plot);
}

static const double samples[SAMPLES] = {0.0, 0.13, 0.2, 0.36, 0.45, 0.62, 0.68, 0.86, 1.0};

// Weights over their sum (degree 0), and shape functions of degree 1 and 2, each with the sum over all.
static mote_result shapes_on_line(mote_panel *panel, int order, mote_error *error) {
  double position[3 * SAMPLES] = {0}, at[3 * CURVE] = {0}, x[CURVE], sum[CURVE] = {0};
  for (int i = 0; i < SAMPLES; ++i) position[3 * i] = samples[i];
  for (int k = 0; k < CURVE; ++k) at[3 * k] = x[k] = (double)k / (CURVE - 1);
  mote_mls_def def = mote_mls_def_default();
  def.domain = mote_domain_open(1);
  def.order = order, def.position = position, def.count = SAMPLES, def.uniform_radius = 0.42;
  mote_mls *mls = NULL;
  mote_mls_shapes *shapes = NULL;
  mote_result result = mote_mls_create(&def, NULL, &mls, error);
  if (!result) result = mote_mls_shapes_create(mls, at, CURVE, 0, NULL, &shapes, error);
  for (int i = 0; i < SAMPLES && !result; ++i) {
    double one[SAMPLES] = {0}, value[CURVE];
    one[i] = 1;
    result = mote_mls_apply(shapes, one, 1, value, NULL, NULL, error);
    mote_plot_line(panel, x, value, CURVE, NULL);
    for (int k = 0; k < CURVE; ++k) sum[k] += value[k];
  }
  const mote_style dashed = {.label = "sum", .colour = {60, 60, 60, 255}, .width = 1, .dash = MOTE_DASH_LONG};
  if (!result) mote_plot_line(panel, x, sum, CURVE, &dashed);
  mote_mls_shapes_destroy(shapes);
  mote_mls_destroy(mls);
  return result;
}

int draw_line_shapes(const figure_output *out) {
  mote_plot_def def = mote_plot_def_default();
  def.width = 1500, def.height = 520, def.columns = 3, def.font_size = 20;
  mote_plot *plot = mote_plot_create(&def, NULL);
  const char *title[3] = {"Degree 0: weights over their sum", "Degree 1", "Degree 2"};
  mote_error error;
  for (int order = 0; order < 3; ++order) {
    mote_panel_def panel = mote_panel_def_default();
    panel.title = title[order], panel.x.label = "x", panel.legend = MOTE_LEGEND_NONE;
    panel.y.low = -0.4, panel.y.high = 1.2;
    mote_panel *axes = mote_plot_panel(plot, 0, order, &panel);
    if (shapes_on_line(axes, order, &error) != MOTE_OK) {
      mote_plot_destroy(plot);
      return complain_error(&error);
    }
    double zero[SAMPLES] = {0};
    mote_style dots = mote_style_default();
    dots.width = 0, dots.marker = MOTE_MARKER_DISC, dots.colour = (mote_colour){40, 50, 70, 255};
    mote_plot_line(axes, samples, zero, SAMPLES, &dots);
  }
  return figure_plot_write(out, plot);
}
