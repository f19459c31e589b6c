// What drawings share: panels without axes, closed lines, circles, arrows, and the file.
#ifndef MOTE_FIGURE_PLOT_H
#define MOTE_FIGURE_PLOT_H

#include <mote/draw.h>

#include "figures/figures.h"

// Writes the plot as DIRECTORY/NAME.FORMAT and destroys it. Complains; gives the exit status.
int figure_plot_write(const figure_output *out, mote_plot *plot);

// A panel for a drawing: no axes, one scale.
mote_panel *figure_plot_bare(mote_plot *plot, int row, int column, const char *title, double low,
                             double high);

void figure_plot_circle(mote_panel *panel, double x, double y, double radius, const mote_style *style);
void figure_plot_box(mote_panel *panel, const double low[2], const double high[2], const mote_style *style);
void figure_plot_arrow(mote_panel *panel, double x0, double y0, double x1, double y1,
                       const mote_style *style);
// Positions are 3 numbers each, of which two are drawn.
void figure_plot_dots(mote_panel *panel, const double *position, size_t count, double size,
                      mote_colour colour);
// A line of this colour and width.
mote_style figure_style(mote_colour colour, double width);

#endif
