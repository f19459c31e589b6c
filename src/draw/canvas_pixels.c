// The canvas as pixels.
#include "draw/canvas.h"
#include "draw/draw_math.h"
#include "draw/font.h"

static void fill_pixels(mote_canvas *canvas, const mote_path *area, mote_colour colour) {
  if (!mote_raster_fill(canvas->image, canvas->clip, area, colour)) canvas->failed = true;
}

static void stroke_pixels(mote_canvas *canvas, const mote_path *line, const mote_pen *pen,
                          mote_colour colour) {
  mote_path_clear(&canvas->outline);
  mote_stroke(line, pen, &canvas->outline);
  fill_pixels(canvas, &canvas->outline, colour);
}

static void disc_pixels(mote_canvas *canvas, double x, double y, double radius, mote_colour colour) {
  mote_path_clear(&canvas->outline);
  mote_stroke_disc(x, y, radius, &canvas->outline);
  fill_pixels(canvas, &canvas->outline, colour);
}

static void text_pixels(mote_canvas *canvas, double x, double y, const char *text,
                        const mote_lettering *how) {
  double c, s, back = how->anchor * mote_font_width(text, how->size, how->bold), down = how->lift * how->size;
  draw_turn(how->degrees, &c, &s);
  x += -back * c - down * s;
  y += -back * s + down * c;
  // Upright text is aligned to whole pixels, which makes its horizontal strokes crisp.
  if (s == 0) y = floor(y + 0.5);
  if (c == 0) x = floor(x + 0.5);
  mote_path_clear(&canvas->outline);
  mote_font_outline(text, how->size, how->bold, x, y, how->degrees, &canvas->outline);
  fill_pixels(canvas, &canvas->outline, how->colour);
}

static void image_pixels(mote_canvas *canvas, int x, int y, const mote_image *image) {
  mote_clip c = canvas->clip;
  for (int v = 0; v < image->height; ++v)
    for (int u = 0; u < image->width; ++u) {
      if (x + u < c.x0 || x + u >= c.x1 || y + v < c.y0 || y + v >= c.y1) continue;
      size_t to = (size_t)(y + v) * (size_t)canvas->width + (size_t)(x + u);
      mote_raster_blend(canvas->image->pixel + 4 * to, mote_image_get(image, u, v), 1);
    }
}

static void clip_pixels(mote_canvas *canvas) {
  (void)canvas;
}

static const mote_canvas_kind PIXELS = {stroke_pixels, fill_pixels,  disc_pixels,
                                        text_pixels,   image_pixels, clip_pixels};

mote_canvas mote_canvas_on_image(mote_image *image) {
  return (mote_canvas){.kind = &PIXELS,
                       .env = image->env,
                       .width = image->width,
                       .height = image->height,
                       .clip = {0, 0, image->width, image->height},
                       .image = image,
                       .text_stretch = 1,
                       .svg = mote_buffer_make(&image->env),
                       .cut = mote_path_make(&image->env),
                       .outline = mote_path_make(&image->env)};
}
