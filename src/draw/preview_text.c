// Words on a preview: title, time, colour bar.
#include <math.h>
#include <stdio.h>

#include "draw/canvas.h"
#include "draw/draw_math.h"
#include "draw/font.h"
#include "draw/preview.h"
#include "draw/ticks.h"

static const mote_colour INK = {52, 56, 62, 255}, PALE = {110, 116, 124, 255};
static const mote_colour CHALK = {222, 225, 229, 255}, DIM_CHALK = {160, 166, 174, 255};

// Dark on a light background, light on a dark one.
static mote_colour ink(const mote_preview *p, bool pale) {
  const mote_colour *c = &p->def->background;
  bool dark = c->alpha == 255 && c->red + c->green + c->blue < 300;
  return dark ? (pale ? DIM_CHALK : CHALK) : pale ? PALE : INK;
}

static double font_size(const mote_preview *p) {
  return fmax(11, p->def->height / 34.0);
}

static bool has_bar(const mote_preview *p) {
  return p->shade.bar && p->scene->colour == NULL && p->scene->value.data != NULL &&
         p->def->width > 20 * font_size(p);
}

mote_viewport mote_preview_viewport(const mote_preview *p) {
  double em = font_size(p), side = 0.04 * p->def->width;
  double words = p->scene->title != NULL || isfinite(p->scene->time) ? 2.2 * em : 0;
  double edge = fmax(0.05 * p->def->height, words);
  if (p->def->height < 6 * em) edge = 0;
  double right = has_bar(p) ? 6 * em : side;
  return (mote_viewport){side, edge, p->def->width - right, p->def->height - edge};
}

// To a thousandth of a second, without the C library's idea of a decimal point.
static void print_time(char *out, size_t size, double time) {
  long long ms = (long long)floor(fabs(time) * 1000 + 0.5);
  snprintf(out, size, "t = %s%lld.%03lld s", time < 0 ? "-" : "", ms / 1000, ms % 1000);
}

static void draw_bar_colours(const mote_preview *p, mote_canvas *canvas, int x, int y, int wide, int tall) {
  for (int v = 0; v < tall; ++v) {
    mote_colour colour = mote_colour_map_at(p->shade.map, 1 - (v + 0.5) / tall);
    for (int u = 0; u < wide; ++u) mote_image_set(canvas->image, x + u, y + v, colour);
  }
}

static double bar_part(const mote_shade *s, double value) {
  return s->log ? (draw_log10(value) - draw_log10(s->low)) / (draw_log10(s->high) - draw_log10(s->low))
                : (value - s->low) / (s->high - s->low);
}

static void bar_label(const mote_preview *p, const mote_ticks *ticks, char *out, size_t size) {
  const mote_field_view *value = &p->scene->value;
  const char *name = value->name != NULL ? value->name : "", *unit = value->unit != NULL ? value->unit : "";
  bool units = unit[0] != 0 && !(unit[0] == '1' && unit[1] == 0);
  const char *gap = ticks->common[0] != 0 ? "  " : "";
  if (p->shade.label != NULL)
    snprintf(out, size, "%s%s%s", p->shade.label, gap, ticks->common);
  else
    snprintf(out, size, "%s%s%s%s%s", name, units ? ", " : "", units ? unit : "", gap, ticks->common);
}

static void draw_bar(const mote_preview *p, mote_canvas *canvas) {
  double em = font_size(p), size = 0.85 * em;
  int tall = (int)(0.45 * p->def->height), wide = (int)(0.7 * em);
  int x = (int)(p->def->width - 4.6 * em), y = (int)(2.6 * em);
  mote_ticks ticks;
  mote_ticks_find(p->shade.low, p->shade.high, p->shade.log, 5, &ticks);
  mote_canvas_box(canvas, x - 1, y - 1, x + wide + 1, y + tall + 1, ink(p, true));
  draw_bar_colours(p, canvas, x, y, wide, tall);
  mote_lettering how = {.size = size, .lift = MOTE_LIFT_MIDDLE, .colour = ink(p, false)};
  for (int k = 0; k < ticks.count; ++k) {
    double at = y + tall * (1 - bar_part(&p->shade, ticks.value[k]));
    mote_canvas_segment(canvas, x + wide, at, x + wide + 0.25 * em, at, fmax(1, em / 16), ink(p, false));
    mote_canvas_text(canvas, x + wide + 0.45 * em, at, ticks.label[k], &how);
  }
  char label[160];
  bar_label(p, &ticks, label, sizeof label);
  how = (mote_lettering){.size = size, .anchor = 1, .colour = ink(p, false)};
  how.size = mote_font_fit(label, size, false, 0.45 * p->def->width);
  mote_canvas_text(canvas, p->def->width - 0.8 * em, y - 0.75 * em, label, &how);
}

bool mote_preview_words(const mote_preview *p, mote_image *image) {
  mote_canvas canvas = mote_canvas_on_image(image);
  double em = font_size(p), left = 0.9 * em;
  mote_lettering how = {.size = em, .colour = ink(p, false)};
  if (p->scene->title != NULL) {
    how.size = mote_font_fit(p->scene->title, em, false, 0.5 * p->def->width);
    mote_canvas_text(&canvas, left, 1.65 * em, p->scene->title, &how);
  }
  if (isfinite(p->scene->time) && fabs(p->scene->time) < 1e12) {
    char text[64];
    print_time(text, sizeof text, p->scene->time);
    how.size = 0.9 * em, how.colour = ink(p, true);
    mote_canvas_text(&canvas, left, p->def->height - em, text, &how);
  }
  if (has_bar(p)) draw_bar(p, &canvas);
  bool ok = !canvas.failed;
  mote_canvas_free(&canvas);
  return ok;
}
