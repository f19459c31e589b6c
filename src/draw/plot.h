// Internal interface of figures. plot.c collects the series; at writing, plot_view.c computes ranges, ticks
// and positions, and plot_draw.c draws.
#ifndef MOTE_PLOT_H
#define MOTE_PLOT_H

#include "draw/canvas.h"
#include "draw/ticks.h"

typedef enum mote_series_kind {
  MOTE_SERIES_LINE,
  MOTE_SERIES_BAND,        // y and z are its edges
  MOTE_SERIES_VERTICAL,    // x[0]
  MOTE_SERIES_HORIZONTAL,  // y[0]
  MOTE_SERIES_TEXT,        // text at (x[0], y[0])
  MOTE_SERIES_SCATTER,     // z is the value
  MOTE_SERIES_HEAT,
  MOTE_SERIES_CONTOUR,  // z are the levels
  MOTE_SERIES_SURFACE,
} mote_series_kind;

typedef struct mote_series mote_series;
struct mote_series {
  mote_series *next;
  mote_series_kind kind;
  mote_style style;
  size_t count;  // of x, y, z
  const double *x, *y, *z;
  mote_plot_field field;
  mote_shade shade;  // its range is by default that of the data
  double low, high;  // of the values
  mote_plot_surface_def surface;
  const char *text;
  mote_anchor anchor;
};

struct mote_panel {
  mote_plot *plot;
  mote_panel *next;
  int row, column;
  mote_panel_def def;
  mote_series *first, *last;
  int colours;  // used colours of the cycle
};

struct mote_plot {
  mote_env env;
  mote_plot_def def;
  mote_panel *first, *last;
  struct mote_plot_block *blocks;  // all memory of the plot
  mote_error trouble;              // the first failure, or MOTE_OK
};

// One axis on the page: value to pixel.
typedef struct mote_scale {
  bool log;
  double low, high;  // values, in axis order
  double from, to;   // pixels
} mote_scale;

// The scale of an axis whose data lie between low and high, without its pixels.
mote_scale mote_scale_make(const mote_plot_axis *def, double low, double high);
double mote_scale_at(const mote_scale *scale, double value);
// The position of the value between low (0) and high (1); NaN if it has no logarithm.
double mote_scale_part(bool log, double low, double high, double value);
double mote_scale_value(const mote_scale *scale, double pixel);

// Space around the axes, in pixels.
typedef struct mote_margins {
  double left, right, top, bottom;
} mote_margins;

// A panel on the page.
typedef struct mote_view {
  const mote_panel *panel;
  double em;            // the font size
  double text_stretch;  // see mote_canvas
  mote_clip cell;       // area of the panel
  mote_clip axes_box;   // the inside of its axes
  mote_margins needs;
  mote_scale x, y;
  mote_ticks x_ticks, y_ticks, bar_ticks;
  const mote_series *bar;  // the series with the colour bar; null: none
  bool surface;
} mote_view;

static const mote_colour MOTE_INK = {30, 30, 30, 255}, MOTE_AXES_COLOUR = {70, 70, 70, 255};

// Views of all panels, in their order.
void mote_plot_views(const mote_plot *plot, double text_stretch, mote_view *views);
// Space for a text of usual weight.
double mote_view_text_width(const mote_view *view, const char *text, double size);
// The same for the widest label.
double mote_view_widest(const mote_view *view, const mote_ticks *ticks, double size);
mote_scale mote_view_bar_scale(const mote_view *view);

// Space a legend takes.
void mote_legend_size(const mote_view *view, double *width, double *height);
void mote_legend_draw(const mote_view *view, mote_canvas *canvas);
bool mote_legend_wanted(const mote_panel *panel);

void mote_view_draw(const mote_view *view, mote_canvas *canvas);
void mote_heat_draw(const mote_view *view, const mote_series *series, mote_canvas *canvas);
void mote_bar_draw(const mote_view *view, mote_canvas *canvas);
void mote_contour_draw(const mote_view *view, const mote_series *series, mote_canvas *canvas);
void mote_surface_draw(const mote_view *view, mote_canvas *canvas);
mote_colour mote_shade_colour(const mote_shade *shade, double value);

// Line width of axes and ticks: whole pixels.
double mote_view_thin(const mote_view *view);
// The centre of a line of that width near `at` that covers whole pixels.
double mote_view_snap(const mote_view *view, double at);
// A thin line around the pixels of `box`.
void mote_axes_box_draw(const mote_view *view, mote_clip box, mote_canvas *canvas);
mote_pen mote_series_pen(const mote_series *series, double em);
double mote_series_marker_size(const mote_series *series, double em);

// Position of sample i of n between a and b.
double mote_field_at(double a, double b, int n, bool cells, int i);

#endif
