// EG09 Fig. 4: particles near the surface of a fluid. (a) A support at the surface holds about half of the
// particles of one inside. (b) A density that is a plain sum is too low there, and particles close to the
// surface are pulled together until it is not.
#include <math.h>
#include <stdio.h>

#include "cli/base/cli.h"
#include "figures/figure_plot.h"
#include "figures/figure_world.h"

enum { STATES = 2 };

static const mote_colour dark = {40, 50, 70, 255}, blue = {60, 120, 200, 255}, red = {210, 60, 50, 255};

static size_t nearest_to(mote_field_view x, double px, double py) {
  const double *p = x.data;
  size_t best = 0;
  for (size_t i = 1; i < x.count; ++i) {
    double now = pow(p[3 * i] - px, 2) + pow(p[3 * i + 1] - py, 2),
           then = pow(p[3 * best] - px, 2) + pow(p[3 * best + 1] - py, 2);
    if (now < then) best = i;
  }
  return best;
}

static size_t neighbours(mote_field_view x, size_t i, double radius) {
  const double *p = x.data;
  size_t count = 0;
  for (size_t j = 0; j < x.count; ++j) {
    double dx = p[3 * j] - p[3 * i], dy = p[3 * j + 1] - p[3 * i + 1];
    count += dx * dx + dy * dy < radius * radius;
  }
  return count;
}

static double top_of(mote_field_view x) {
  const double *p = x.data;
  double top = p[1];
  for (size_t i = 0; i < x.count; ++i) top = fabs(p[3 * i]) < 0.1 ? fmax(top, p[3 * i + 1]) : top;
  return top;
}

static void draw_state(mote_panel *panel, mote_field_view x, double d, double radius, const char *when) {
  double top = top_of(x);
  const double *p = x.data;
  const size_t at[2] = {nearest_to(x, -0.12, top), nearest_to(x, 0.12, 0.5 * top)};
  const mote_colour colour[2] = {red, blue};
  figure_plot_dots(panel, p, x.count, 0.6, dark);
  for (int k = 0; k < 2; ++k) {
    const mote_style circle = figure_style(colour[k], 1.4);
    figure_plot_circle(panel, p[3 * at[k]], p[3 * at[k] + 1], radius, &circle);
    figure_plot_dots(panel, p + 3 * at[k], 1, 0.9, colour[k]);
  }
  size_t upper = 0, deep = 0;
  for (size_t i = 0; i < x.count; ++i) {
    if (fabs(p[3 * i]) > 0.2) continue;
    upper += p[3 * i + 1] > top - 1.5 * d;
    deep += p[3 * i + 1] > 0.5 * top - 1.0 * d && p[3 * i + 1] <= 0.5 * top + 1.0 * d;
  }
  printf(
      "  %s: %zu particles in the support at the surface, %zu inside; per area %.2f in the upper 1.5 d, %.2f "
      "inside\n",
      when, neighbours(x, at[0], radius), neighbours(x, at[1], radius), (double)upper * d / (0.4 * 2.0),
      (double)deep * d / (0.4 * 2.0));
}

int draw_surface_layer(const figure_output *out) {
  figure_world w;
  int status = figure_world_open(&w, "eg09_4");
  mote_plot_def def = mote_plot_def_default();
  def.width = 1200, def.height = 400, def.columns = STATES, def.font_size = 20;
  mote_plot *plot = mote_plot_create(&def, NULL);
  const char *title[STATES] = {"(a) At the start: about half of a support",
                               "(b) Pulled together at the surface"};
  for (int k = 0; k < STATES && status == EXIT_DONE; ++k) {
    status = figure_world_advance(&w, k * w.scene->duration);
    if (status != EXIT_DONE) break;
    double d = w.scene->world.spacing;
    mote_panel_def axes = mote_panel_def_default();
    axes.title = title[k], axes.equal_aspect = true, axes.grid = false, axes.x.bare = axes.y.bare = true;
    axes.x.low = -0.28, axes.x.high = 0.28, axes.y.low = 0, axes.y.high = 0.3;
    draw_state(mote_plot_panel(plot, 0, k, &axes), mote_world_view(w.world, "position"), d,
               w.scene->world.solver.support * d, k == 0 ? "at the start" : "later");
  }
  figure_world_close(&w);
  if (status == EXIT_DONE) return figure_plot_write(out, plot);
  mote_plot_destroy(plot);
  return status;
}
