// What drawings share: see figure_plot.h.
#include "figures/figure_plot.h"

#include <math.h>
#include <mote/numeric.h>
#include <stdio.h>

#include "cli/base/cli.h"

int figure_plot_write(const figure_output *out, mote_plot *plot) {
  char path[4096];
  mote_error error;
  snprintf(path, sizeof path, "%s/%s.%s", out->directory, out->name, out->format);
  mote_result result = mote_plot_write(plot, path, &error);
  mote_plot_destroy(plot);
  if (result != MOTE_OK) return complain_error(&error);
  printf("wrote %s\n", path);
  return EXIT_DONE;
}

mote_panel *figure_plot_bare(mote_plot *plot, int row, int column, const char *title, double low,
                             double high) {
  mote_panel_def def = mote_panel_def_default();
  def.title = title, def.equal_aspect = true, def.grid = false;
  def.x.bare = def.y.bare = true;
  def.x.low = def.y.low = low, def.x.high = def.y.high = high;
  return mote_plot_panel(plot, row, column, &def);
}

mote_style figure_style(mote_colour colour, double width) {
  mote_style style = mote_style_default();
  style.colour = colour, style.width = width;
  return style;
}

enum { CORNERS = 97 };

void figure_plot_circle(mote_panel *panel, double x, double y, double radius, const mote_style *style) {
  double px[CORNERS], py[CORNERS];
  for (int k = 0; k < CORNERS; ++k) {
    double angle = 2.0 * 3.14159265358979 * k / (CORNERS - 1);
    px[k] = x + radius * mote_cos(angle), py[k] = y + radius * mote_sin(angle);
  }
  mote_plot_line(panel, px, py, CORNERS, style);
}

void figure_plot_box(mote_panel *panel, const double low[2], const double high[2], const mote_style *style) {
  const double x[5] = {low[0], high[0], high[0], low[0], low[0]};
  const double y[5] = {low[1], low[1], high[1], high[1], low[1]};
  mote_plot_line(panel, x, y, 5, style);
}

void figure_plot_arrow(mote_panel *panel, double x0, double y0, double x1, double y1,
                       const mote_style *style) {
  double dx = x1 - x0, dy = y1 - y0, length = sqrt(dx * dx + dy * dy);
  if (length <= 0.0) return;
  double head = fmin(0.3 * length, 0.05), ux = head * dx / length, uy = head * dy / length;
  const double x[6] = {x0, x1, x1 - ux - 0.5 * uy, x1, x1 - ux + 0.5 * uy, x1};
  const double y[6] = {y0, y1, y1 - uy + 0.5 * ux, y1, y1 - uy - 0.5 * ux, y1};
  mote_plot_line(panel, x, y, 6, style);
}

void figure_plot_dots(mote_panel *panel, const double *position, size_t count, double size,
                      mote_colour colour) {
  mote_style dot = mote_style_default();
  dot.width = 0, dot.marker = MOTE_MARKER_DISC, dot.marker_size = size, dot.colour = colour;
  for (size_t i = 0; i < count; ++i) mote_plot_line(panel, position + 3 * i, position + 3 * i + 1, 1, &dot);
}
