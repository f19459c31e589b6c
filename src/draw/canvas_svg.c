// The canvas as SVG text: paths, circles, text left to the viewer's fonts, images as PNG within the file.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw/canvas.h"
#include "draw/draw_math.h"
#include "draw/font.h"
#include "draw/tuning.inc"
#include "io/base64.h"

static const char *FONTS = "Helvetica Neue,Helvetica,Arial,Liberation Sans,DejaVu Sans,sans-serif";

// Hundredths of pixels are enough, and no locale has a say in them.
static void put_number(mote_buffer *out, double value) {
  int64_t hundredths = (int64_t)floor(draw_clamp(value, -1e9, 1e9) * 100 + 0.5);
  char text[32];
  int64_t size = hundredths < 0 ? -hundredths : hundredths;
  int whole = (int)(size / 100), part = (int)(size % 100);
  const char *sign = hundredths < 0 ? "-" : "";
  if (part == 0)
    snprintf(text, sizeof text, "%s%d", sign, whole);
  else if (part % 10 == 0)
    snprintf(text, sizeof text, "%s%d.%d", sign, whole, part / 10);
  else
    snprintf(text, sizeof text, "%s%d.%02d", sign, whole, part);
  mote_buffer_text(out, text);
}

static void put_attribute(mote_buffer *out, const char *name, double value) {
  mote_buffer_text(out, " ");
  mote_buffer_text(out, name);
  mote_buffer_text(out, "=\"");
  put_number(out, value);
  mote_buffer_text(out, "\"");
}

static void put_colour(mote_buffer *out, const char *name, mote_colour c) {
  char text[96];
  snprintf(text, sizeof text, " %s=\"#%02x%02x%02x\"", name, c.red, c.green, c.blue);
  mote_buffer_text(out, text);
  if (c.alpha == 255) return;
  snprintf(text, sizeof text, "%s-opacity", name);
  put_attribute(out, text, c.alpha / 255.0);
}

static void put_code(mote_buffer *out, uint32_t c) {
  char bytes[4];
  size_t size = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  static const unsigned lead[5] = {0, 0, 0xC0, 0xE0, 0xF0};
  for (size_t k = size; k-- > 1; c >>= 6) bytes[k] = (char)(0x80 | (c & 0x3F));
  bytes[0] = (char)(lead[size] | c);
  mote_buffer_add(out, bytes, size);
}

// Characters that XML forbids are shown as U+FFFD.
static void put_escaped(mote_buffer *out, uint32_t c) {
  if (c == '<')
    mote_buffer_text(out, "&lt;");
  else if (c == '>')
    mote_buffer_text(out, "&gt;");
  else if (c == '&')
    mote_buffer_text(out, "&amp;");
  else
    put_code(out, c < 32 || c == 0xFFFE || c == 0xFFFF ? 0xFFFD : c);
}

static void put_path(mote_buffer *out, const mote_path *path, bool closed) {
  const mote_point2 *run;
  size_t count;
  mote_buffer_text(out, "<path d=\"");
  for (size_t at = 0; mote_path_run(path, &at, &run, &count);) {
    for (size_t k = 0; k < count; ++k) {
      mote_buffer_text(out, k == 0 ? "M" : k == 1 ? "L" : " ");
      put_number(out, run[k].x);
      mote_buffer_text(out, " ");
      put_number(out, run[k].y);
    }
    if (count == 1) mote_buffer_text(out, "h0");
    if (closed) mote_buffer_text(out, "z");
  }
  mote_buffer_text(out, "\"");
}

static void stroke_svg(mote_canvas *canvas, const mote_path *line, const mote_pen *pen, mote_colour colour) {
  mote_buffer *out = &canvas->svg;
  put_path(out, line, false);
  mote_buffer_text(out, " fill=\"none\"");
  put_colour(out, "stroke", colour);
  put_attribute(out, "stroke-width", pen->width);
  if (pen->flat) mote_buffer_text(out, " stroke-linecap=\"butt\"");
  if (pen->dashes > 0) {
    mote_buffer_text(out, " stroke-dasharray=\"");
    for (int k = 0; k < pen->dashes; ++k) {
      if (k > 0) mote_buffer_text(out, " ");
      put_number(out, pen->dash[k]);
    }
    mote_buffer_text(out, "\"");
  }
  mote_buffer_text(out, "/>\n");
}

static void fill_svg(mote_canvas *canvas, const mote_path *area, mote_colour colour) {
  put_path(&canvas->svg, area, true);
  put_colour(&canvas->svg, "fill", colour);
  mote_buffer_text(&canvas->svg, "/>\n");
}

static void disc_svg(mote_canvas *canvas, double x, double y, double radius, mote_colour colour) {
  mote_buffer_text(&canvas->svg, "<circle");
  put_attribute(&canvas->svg, "cx", x);
  put_attribute(&canvas->svg, "cy", y);
  put_attribute(&canvas->svg, "r", radius);
  put_colour(&canvas->svg, "fill", colour);
  mote_buffer_text(&canvas->svg, "/>\n");
}

// Small characters become shifted ones of plain digits: few fonts have them all.
static void put_letters(mote_buffer *out, const char *text, double size) {
  const double drop[3] = {0, -MOTE_SCRIPT_RISE, MOTE_SCRIPT_DROP};
  mote_script now = MOTE_SCRIPT_NONE;
  bool open = false;
  for (uint32_t code; (code = mote_utf8_next(&text)) != 0;) {
    uint32_t base;
    mote_script script = mote_font_script(code, &base);
    if (script != now) {
      mote_buffer_text(out, open ? "</tspan><tspan" : "<tspan");
      put_attribute(out, "dy", size * (drop[script] - drop[now]));
      if (script != MOTE_SCRIPT_NONE) put_attribute(out, "font-size", MOTE_SCRIPT_SIZE * size);
      mote_buffer_text(out, ">");
      now = script;
      open = true;
    }
    put_escaped(out, base);
  }
  if (open) mote_buffer_text(out, "</tspan>");
}

static void text_svg(mote_canvas *canvas, double x, double y, const char *text, const mote_lettering *how) {
  mote_buffer *out = &canvas->svg;
  double c, s;
  draw_turn(how->degrees, &c, &s);
  x -= how->lift * how->size * s;
  y += how->lift * how->size * c;
  mote_buffer_text(out, "<text");
  put_attribute(out, "x", x);
  put_attribute(out, "y", y);
  put_attribute(out, "font-size", how->size);
  if (how->anchor == 0.5) mote_buffer_text(out, " text-anchor=\"middle\"");
  if (how->anchor == 1) mote_buffer_text(out, " text-anchor=\"end\"");
  if (how->bold) mote_buffer_text(out, " font-weight=\"bold\"");
  put_colour(out, "fill", how->colour);
  if (how->degrees != 0) {
    mote_buffer_text(out, " transform=\"rotate(");
    put_number(out, how->degrees);
    mote_buffer_text(out, " ");
    put_number(out, x);
    mote_buffer_text(out, " ");
    put_number(out, y);
    mote_buffer_text(out, ")\"");
  }
  mote_buffer_text(out, ">");
  put_letters(out, text, how->size);
  mote_buffer_text(out, "</text>\n");
}

static void put_base64(mote_buffer *out, const uint8_t *bytes, size_t size) {
  for (size_t k = 0; k < size; k += 3) {
    char text[4];
    mote_base64_group(bytes + k, size - k < 3 ? size - k : 3, text);
    mote_buffer_add(out, text, sizeof text);
  }
}

static void image_svg(mote_canvas *canvas, int x, int y, const mote_image *image) {
  mote_buffer *out = &canvas->svg, png = mote_buffer_make(&canvas->env);
  if (mote_png_encode(image, &png, NULL) != MOTE_OK) {
    canvas->failed = true;
  } else {
    mote_buffer_text(out, "<image");
    put_attribute(out, "x", x);
    put_attribute(out, "y", y);
    put_attribute(out, "width", image->width);
    put_attribute(out, "height", image->height);
    mote_buffer_text(out, " xlink:href=\"data:image/png;base64,");
    put_base64(out, png.data, png.size);
    mote_buffer_text(out, "\"/>\n");
  }
  mote_buffer_free(&png);
}

static bool is_whole(const mote_canvas *canvas) {
  mote_clip c = canvas->clip;
  return c.x0 == 0 && c.y0 == 0 && c.x1 == canvas->width && c.y1 == canvas->height;
}

// A group with a clip is open whenever clips is odd.
static void clip_svg(mote_canvas *canvas) {
  mote_buffer *out = &canvas->svg;
  mote_clip c = canvas->clip;
  char text[192];
  if (canvas->clips % 2 == 1) {
    mote_buffer_text(out, "</g>\n");
    ++canvas->clips;
  }
  if (is_whole(canvas)) return;
  snprintf(text, sizeof text,
           "<clipPath id=\"c%d\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/></clipPath>\n"
           "<g clip-path=\"url(#c%d)\">\n",
           canvas->clips, c.x0, c.y0, c.x1 - c.x0, c.y1 - c.y0, canvas->clips);
  mote_buffer_text(out, text);
  ++canvas->clips;
}

static const mote_canvas_kind SVG = {stroke_svg, fill_svg, disc_svg, text_svg, image_svg, clip_svg};

mote_canvas mote_canvas_on_svg(int width, int height, const char *title, const mote_env *env) {
  mote_canvas canvas = {.kind = &SVG,
                        .env = *env,
                        .width = width,
                        .height = height,
                        .clip = {0, 0, width, height},
                        .text_stretch = FONT_STRETCH,
                        .svg = mote_buffer_make(env),
                        .cut = mote_path_make(env),
                        .outline = mote_path_make(env)};
  char head[512];
  snprintf(head, sizeof head,
           "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
           "width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"%s\" xml:space=\"preserve\" "
           "stroke-linejoin=\"round\" stroke-linecap=\"round\">\n<!-- Mote %s -->\n",
           width, height, width, height, FONTS, mote_version());
  mote_buffer_text(&canvas.svg, head);
  if (title != NULL) {
    mote_buffer_text(&canvas.svg, "<title>");
    for (uint32_t code; (code = mote_utf8_next(&title)) != 0;) put_escaped(&canvas.svg, code);
    mote_buffer_text(&canvas.svg, "</title>\n");
  }
  return canvas;
}

void mote_canvas_end_svg(mote_canvas *canvas) {
  mote_canvas_clip_none(canvas);
  mote_buffer_text(&canvas->svg, "</svg>\n");
}
