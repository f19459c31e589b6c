// A small page of bare axes, and the colours at points of it.
#ifndef MOTE_TEST_PLOT_PAGE_H
#define MOTE_TEST_PLOT_PAGE_H

#include <math.h>
#include <mote/draw.h>
#include <stdlib.h>

#include "draw/plot.h"
#include "test.h"

// NONE: chosen by the plot.
#define NONE ((double)NAN)

// A page that is all frame but for known margins: bare axes from 0 to 1.
static inline mote_panel_def bare_def(void) {
  mote_panel_def def = mote_panel_def_default();
  def.x = def.y = (mote_plot_axis){.low = 0, .high = 1, .bare = true};
  def.grid = false;
  return def;
}

static inline mote_plot *small_plot(mote_panel **panel, const mote_panel_def *def) {
  mote_plot_def size = mote_plot_def_default();
  size.width = 240;
  size.height = 200;
  size.font_size = 10;
  mote_plot *plot = mote_plot_create(&size, NULL);
  *panel = mote_plot_panel(plot, 0, 0, def);
  return plot;
}

static inline mote_view view_of(const mote_plot *plot) {
  mote_view view;
  mote_plot_views(plot, 1, &view);
  return view;
}

static inline mote_image *rendered(mote_plot *plot) {
  mote_image *image = NULL;
  CHECK(mote_plot_render(plot, NULL, &image, NULL) == MOTE_OK);
  mote_plot_destroy(plot);
  return image;
}

static inline mote_colour colour_at(const mote_image *image, const mote_view *view, double x, double y) {
  return mote_image_get(image, (int)mote_scale_at(&view->x, x), (int)mote_scale_at(&view->y, y));
}

static inline bool is_white(mote_colour c) {
  return c.red == 255 && c.green == 255 && c.blue == 255 && c.alpha == 255;
}

static inline bool is_like(mote_colour a, mote_colour b, int tolerance) {
  return abs(a.red - b.red) <= tolerance && abs(a.green - b.green) <= tolerance &&
         abs(a.blue - b.blue) <= tolerance;
}

#endif
