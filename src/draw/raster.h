// Filling areas with antialiasing: horizontally exact coverage on MOTE_RASTER_ROWS lines per pixel, joined by
// the non-zero winding rule, so that overlapping pieces of one path count once.
#ifndef MOTE_RASTER_H
#define MOTE_RASTER_H

#include "draw/image.h"

#define MOTE_RASTER_ROWS 16

// Pixels x0 <= x < x1, y0 <= y < y1.
typedef struct mote_clip {
  int x0, y0, x1, y1;
} mote_clip;

// Fills the closed runs of `outline` (pixels, y down; pixel (0, 0) covers [0, 1] x [0, 1]). Colours are
// blended as sRGB numbers, as SVG viewers do. False when memory is short. Coordinates must stay within
// +-1e6: see mote_canvas, which cuts them.
bool mote_raster_fill(mote_image *image, mote_clip clip, const mote_path *outline, mote_colour colour);

// Puts a colour over a pixel of four bytes; `share` in [0, 1] scales its alpha.
void mote_raster_blend(uint8_t *pixel, mote_colour colour, double share);

// Style of a line.
typedef struct mote_pen {
  double width;
  int dashes;      // entries of dash; 0: continuous
  double dash[4];  // lengths of dash, gap, dash, gap; pixels
  bool flat;       // ends cut off; else round
} mote_pen;

// Appends to `outline` pieces whose union is the stroke of the runs of `line`, all turning the same way.
void mote_stroke(const mote_path *line, const mote_pen *pen, mote_path *outline);

// Appends a disc.
void mote_stroke_disc(double x, double y, double radius, mote_path *outline);

#endif
