// Drawings of ideas: material and world coordinates (EG09 Fig. 6), kernels that follow the material and
// kernels fixed in space (EG09s 49), the material derivative (YU11 Figs. 3.1, 3.2), two particles at their
// range (DES96 Fig. 5).
#include <math.h>
#include <mote/approx.h>
#include <mote/numeric.h>

#include "figures/figure_plot.h"

enum { ROWS = 7, CURVE = 61, AROUND = 97, FIELD = 101 };

static const mote_colour grey = {150, 158, 170, 255}, dark = {40, 50, 70, 255}, blue = {60, 120, 200, 255},
                         red = {210, 60, 50, 255};

typedef void map_plane(double x, double y, double out[2]);

static void stay(double x, double y, double out[2]) {
  out[0] = x, out[1] = y;
}

static void bend(double x, double y, double out[2]) {
  double angle = 1.1 * (x - 0.5), r = 1.05 - 0.9 * y;
  out[0] = 0.5 + r * mote_sin(angle) * 0.95, out[1] = 1.2 - r * mote_cos(angle);
}

static void shear(double x, double y, double out[2]) {
  out[0] = 0.5 + 0.8 * (x - 0.5) + 0.9 * (y - 0.5), out[1] = y;
}

// Lines of a grid in [0.1, 0.9]^2 and the particles on it, after the map.
static void draw_mapped(mote_panel *panel, map_plane *map) {
  const mote_style thin = figure_style(grey, 0.7);
  double x[CURVE], y[CURVE], at[3] = {0};
  for (int k = 0; k < 2 * ROWS; ++k) {
    double level = 0.1 + 0.8 * (k % ROWS) / (ROWS - 1);
    for (int n = 0; n < CURVE; ++n) {
      double along = 0.1 + 0.8 * n / (CURVE - 1), p[2];
      map(k < ROWS ? along : level, k < ROWS ? level : along, p);
      x[n] = p[0], y[n] = p[1];
    }
    mote_plot_line(panel, x, y, CURVE, &thin);
  }
  for (int k = 0; k < ROWS * ROWS; ++k) {
    map(0.1 + 0.8 * (k % ROWS) / (ROWS - 1), 0.1 + 0.8 * (k / ROWS) / (ROWS - 1), at);
    figure_plot_dots(panel, at, 1, 0.6, dark);
  }
}

int draw_coordinates(const figure_output *out) {
  mote_plot_def def = mote_plot_def_default();
  def.width = 1100, def.height = 560, def.columns = 2, def.font_size = 20;
  mote_plot *plot = mote_plot_create(&def, NULL);
  mote_panel *panel[2] = {figure_plot_bare(plot, 0, 0, "Material coordinates x", 0, 1),
                          figure_plot_bare(plot, 0, 1, "World coordinates x' = x + u(x)", 0, 1)};
  const mote_style arrow = figure_style(red, 1.5);
  double from[3] = {0.9 - 0.8 / (ROWS - 1), 0.1 + 2.0 * 0.8 / (ROWS - 1), 0}, to[3] = {0};
  draw_mapped(panel[0], stay);
  draw_mapped(panel[1], bend);
  bend(from[0], from[1], to);
  figure_plot_dots(panel[0], from, 1, 1.0, red);
  figure_plot_arrow(panel[1], from[0], from[1], to[0], to[1], &arrow);
  mote_plot_text(panel[1], from[0] - 0.03, from[1], MOTE_ANCHOR_RIGHT, "x", red);
  mote_plot_text(panel[1], to[0] + 0.02, to[1], MOTE_ANCHOR_LEFT, "x'", red);
  mote_plot_text(panel[0], from[0] + 0.02, from[1] + 0.03, MOTE_ANCHOR_LEFT, "x", red);
  return figure_plot_write(out, plot);
}

// The circle of radius r about (0.5, 0.5), after the map, and the particles within.
static void draw_support(mote_panel *panel, map_plane *particles, map_plane *circle, double r) {
  double x[AROUND], y[AROUND], at[3] = {0};
  const mote_style style = figure_style(blue, 1.5);
  draw_mapped(panel, particles);
  for (int k = 0; k < AROUND; ++k) {
    double angle = 2.0 * 3.14159265358979 * k / (AROUND - 1), p[2];
    circle(0.5 + r * mote_cos(angle), 0.5 + r * mote_sin(angle), p);
    x[k] = p[0], y[k] = p[1];
  }
  mote_plot_line(panel, x, y, AROUND, &style);
  for (int k = 0; k < ROWS * ROWS; ++k) {
    double px = 0.1 + 0.8 * (k % ROWS) / (ROWS - 1), py = 0.1 + 0.8 * (k / ROWS) / (ROWS - 1);
    particles(px, py, at);
    double dx = (circle == particles ? px : at[0]) - 0.5, dy = (circle == particles ? py : at[1]) - 0.5;
    if (dx * dx + dy * dy < r * r) figure_plot_dots(panel, at, 1, 0.9, red);
  }
}

int draw_supports(const figure_output *out) {
  mote_plot_def def = mote_plot_def_default();
  def.width = 1500, def.height = 540, def.columns = 3, def.font_size = 20;
  mote_plot *plot = mote_plot_create(&def, NULL);
  draw_support(figure_plot_bare(plot, 0, 0, "Before", -0.05, 1.05), stay, stay, 0.24);
  draw_support(figure_plot_bare(plot, 0, 1, "Lagrangian: the same neighbours", -0.05, 1.05), shear, shear,
               0.24);
  draw_support(figure_plot_bare(plot, 0, 2, "Eulerian: other neighbours", -0.05, 1.05), shear, stay, 0.24);
  return figure_plot_write(out, plot);
}

// A particle in a wind to the upper right at three times, and the frame of reference: with it, or standing.
int draw_derivative(const figure_output *out) {
  bool moves = out->name[7] == '1';  // yu11-3.1
  mote_plot_def def = mote_plot_def_default();
  def.width = 1500, def.height = 540, def.columns = 3, def.font_size = 20;
  mote_plot *plot = mote_plot_create(&def, NULL);
  const char *title[3] = {"t", "t + dt", "t + 2 dt"};
  const mote_style wind = figure_style(grey, 0.9), axes = figure_style(red, 1.4);
  for (int k = 0; k < 3; ++k) {
    mote_panel *panel = figure_plot_bare(plot, 0, k, title[k], 0, 1);
    double at[3] = {0.25 + 0.2 * k, 0.2 + 0.2 * k, 0}, o[2] = {moves ? at[0] : 0.45, moves ? at[1] : 0.4};
    for (int n = 0; n < 25; ++n) {
      double x = 0.06 + 0.19 * (n % 5), y = 0.06 + 0.19 * (n / 5);
      figure_plot_arrow(panel, x, y, x + 0.09, y + 0.09, &wind);
    }
    figure_plot_arrow(panel, o[0], o[1], o[0] + 0.2, o[1], &axes);
    figure_plot_arrow(panel, o[0], o[1], o[0], o[1] + 0.2, &axes);
    for (int n = moves ? k : 0; n <= (moves ? k : 2); ++n) {
      const double p[3] = {0.25 + 0.2 * n, 0.2 + 0.2 * n, 0};
      figure_plot_dots(panel, p, 1, n == k ? 1.6 : 1.0, n == k ? blue : grey);
    }
    mote_plot_text(panel, at[0] + 0.03, at[1] - 0.05, MOTE_ANCHOR_LEFT, "p", blue);
  }
  return figure_plot_write(out, plot);
}

// The density of two particles 2h apart, and its isoline of 2 m W(h): it touches itself half way, a distance
// h from each.
int draw_two_particles(const figure_output *out) {
  static double value[FIELD * FIELD];
  const mote_kernel kernel = mote_kernel_make(MOTE_KERNEL_DESBRUN, 2, 2.0);
  const double level = 2.0 * mote_kernel_value(&kernel, 1.0), position[6] = {-1, 0, 0, 1, 0, 0};
  for (int k = 0; k < FIELD * FIELD; ++k) {
    double x = -3.2 + 6.4 * (k % FIELD) / (FIELD - 1), y = -3.2 + 6.4 * (k / FIELD) / (FIELD - 1);
    value[k] = mote_kernel_value(&kernel, sqrt((x + 1) * (x + 1) + y * y)) +
               mote_kernel_value(&kernel, sqrt((x - 1) * (x - 1) + y * y));
  }
  mote_plot_def def = mote_plot_def_default();
  def.width = 700, def.height = 640, def.font_size = 20;
  mote_plot *plot = mote_plot_create(&def, NULL);
  mote_panel *panel = figure_plot_bare(plot, 0, 0, "Two particles 2h apart, isoline 2 m W(h)", -3.2, 3.2);
  const mote_plot_field field = {value, FIELD, FIELD, -3.2, 3.2, -3.2, 3.2, false};
  const mote_style range = figure_style(grey, 0.8), surface = figure_style(red, 1.6);
  mote_plot_contour(panel, &field, &level, 1, &surface);
  for (int k = -1; k <= 1; k += 2) figure_plot_circle(panel, k, 0, 2, &range);
  figure_plot_dots(panel, position, 2, 1.0, dark);
  return figure_plot_write(out, plot);
}
