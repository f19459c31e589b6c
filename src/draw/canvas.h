// A page with a few drawing functions, stored as pixels or as SVG text.
// Coordinates are pixels, y down. Parts far outside the clip are removed first, so neither form
// gets huge numbers. NaN points break lines and areas.
#ifndef MOTE_CANVAS_H
#define MOTE_CANVAS_H

#include "draw/raster.h"
#include "draw/tuning.inc"

typedef struct mote_lettering {
  double size, degrees;  // degrees clockwise
  double anchor;         // 0: the text begins at the point, 1/2: is centred, 1: ends there
  double lift;           // of the point above the base line, as part of the size: 0.36 centres capitals
  bool bold;
  mote_colour colour;
} mote_lettering;

typedef struct mote_canvas mote_canvas;

typedef struct mote_canvas_kind {
  void (*stroke)(mote_canvas *canvas, const mote_path *line, const mote_pen *pen, mote_colour colour);
  void (*fill)(mote_canvas *canvas, const mote_path *area, mote_colour colour);
  void (*disc)(mote_canvas *canvas, double x, double y, double radius, mote_colour colour);
  void (*text)(mote_canvas *canvas, double x, double y, const char *text, const mote_lettering *how);
  void (*image)(mote_canvas *canvas, int x, int y, const mote_image *image);
  void (*clip)(mote_canvas *canvas);
} mote_canvas_kind;

struct mote_canvas {
  const mote_canvas_kind *kind;
  mote_env env;
  int width, height;
  mote_clip clip;
  mote_image *image;    // pixels
  mote_buffer svg;      // text
  int clips;            // number of clip paths in the text
  mote_path cut;        // scratch of the front
  mote_path outline;    // scratch of the kind
  double text_stretch;  // factor by which text may be wider than in the font
  bool failed;          // out of memory
};

// The canvas draws into `image`, which stays the caller's.
mote_canvas mote_canvas_on_image(mote_image *image);
// The canvas collects an SVG file; mote_canvas_end_svg completes it, then canvas->svg is the file.
mote_canvas mote_canvas_on_svg(int width, int height, const char *title, const mote_env *env);
void mote_canvas_end_svg(mote_canvas *canvas);
void mote_canvas_free(mote_canvas *canvas);

void mote_canvas_clip(mote_canvas *canvas, mote_clip clip);
void mote_canvas_clip_none(mote_canvas *canvas);
void mote_canvas_stroke(mote_canvas *canvas, const mote_path *line, const mote_pen *pen, mote_colour colour);
void mote_canvas_fill(mote_canvas *canvas, const mote_path *area, mote_colour colour);
void mote_canvas_text(mote_canvas *canvas, double x, double y, const char *text, const mote_lettering *how);
// Pixel for pixel, its upper left corner at (x, y).
void mote_canvas_image(mote_canvas *canvas, int x, int y, const mote_image *image);

// Made of the above.
void mote_canvas_segment(mote_canvas *canvas, double x0, double y0, double x1, double y1, double width,
                         mote_colour colour);
void mote_canvas_box(mote_canvas *canvas, double x0, double y0, double x1, double y1, mote_colour colour);
void mote_canvas_marker(mote_canvas *canvas, mote_marker marker, double x, double y, double size,
                        mote_colour colour);

#endif
