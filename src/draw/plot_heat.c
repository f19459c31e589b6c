// Heat maps and colour bars: images made pixel by pixel from the field, so that logarithmic and reversed axes
// need no code of their own.
#include <math.h>

#include "draw/draw_math.h"
#include "draw/plot.h"
#include "draw/tuning.inc"

mote_colour mote_shade_colour(const mote_shade *shade, double value) {
  if (!isfinite(value)) return (mote_colour){0, 0, 0, 0};
  return mote_colour_map_at(shade->map, mote_scale_part(shade->log, shade->low, shade->high, value));
}

// A pixel's position between samples: value = (1 - part) * sample[at] + part * sample[at + 1].
typedef struct heat_place {
  int at;  // -1: outside
  double part;
} heat_place;

static heat_place find_place(const mote_scale *scale, double pixel, double a, double b, int n, bool cells) {
  double t = (mote_scale_value(scale, pixel) - a) / (b - a);
  if (!(t >= 0 && t <= 1)) return (heat_place){-1, 0};
  if (cells) return (heat_place){t < 1 ? (int)(t * n) : n - 1, 0};
  double at = t * (n - 1);
  int k = at < n - 2 ? (int)at : n - 2;
  return (heat_place){k, at - k};
}

// Samples of weight 0 are not read: they may be blank.
static double mix(double a, double b, double part) {
  return part == 0 ? a : part == 1 ? b : (1 - part) * a + part * b;
}

static double value_at(const mote_plot_field *field, heat_place x, heat_place y) {
  if (x.at < 0 || y.at < 0) return (double)NAN;
  const double *v = field->value + (size_t)y.at * (size_t)field->nx + (size_t)x.at;
  int right = x.part > 0, down = y.part > 0 ? field->nx : 0;
  return mix(mix(v[0], v[right], x.part), mix(v[down], v[down + right], x.part), y.part);
}

static mote_image *new_image(mote_canvas *canvas, int width, int height) {
  mote_image *image = NULL;
  if (mote_image_create(width, height, &canvas->env, &image, NULL) != MOTE_OK) canvas->failed = true;
  return image;
}

void mote_heat_draw(const mote_view *view, const mote_series *series, mote_canvas *canvas) {
  const mote_plot_field *field = &series->field;
  mote_clip f = view->axes_box;
  mote_image *image = new_image(canvas, f.x1 - f.x0, f.y1 - f.y0);
  size_t bytes = (size_t)(f.x1 - f.x0) * sizeof(heat_place);
  heat_place *column = mote_io_new(&canvas->env, bytes);
  if (column == NULL) canvas->failed = true;
  if (image != NULL && column != NULL) {
    for (int u = 0; u < image->width; ++u)
      column[u] = find_place(&view->x, f.x0 + u + 0.5, field->x0, field->x1, field->nx, field->cells);
    for (int v = 0; v < image->height; ++v) {
      heat_place row = find_place(&view->y, f.y0 + v + 0.5, field->y0, field->y1, field->ny, field->cells);
      for (int u = 0; u < image->width; ++u)
        mote_image_set(image, u, v, mote_shade_colour(&series->shade, value_at(field, column[u], row)));
    }
    mote_canvas_image(canvas, f.x0, f.y0, image);
  }
  mote_io_delete(&canvas->env, column, bytes);
  mote_image_destroy(image);
}

static void draw_bar_numbers(const mote_view *view, int x, mote_canvas *canvas) {
  double em = view->em, tick = MOTE_SIZE_TICK * em, w = mote_view_thin(view);
  mote_clip f = view->axes_box;
  mote_scale scale = mote_view_bar_scale(view);
  const mote_ticks *t = &view->bar_ticks;
  mote_lettering how = {.size = tick, .lift = MOTE_LIFT_MIDDLE, .colour = MOTE_INK};
  for (int k = 0; k < t->count; ++k) {
    double at = mote_scale_at(&scale, t->value[k]), y = mote_view_snap(view, at);
    mote_canvas_segment(canvas, x + w, y, x + MOTE_GAP_TICK * em, y, w, MOTE_AXES_COLOUR);
    mote_canvas_text(canvas, x + (MOTE_GAP_TICK + 0.22) * em, at, t->label[k], &how);
  }
  double widest = mote_view_widest(view, t, tick);
  how.lift = 0;
  mote_canvas_text(canvas, x - MOTE_BAR_WIDTH * em, f.y0 - 0.45 * em, t->common, &how);
  how = (mote_lettering){.size = MOTE_SIZE_LABEL * em, .anchor = 0.5, .degrees = -90, .colour = MOTE_INK};
  mote_canvas_text(canvas, x + (MOTE_GAP_TICK + 0.22 + 1.25) * em + widest, (f.y0 + f.y1) / 2.0,
                   view->bar->shade.label, &how);
}

void mote_bar_draw(const mote_view *view, mote_canvas *canvas) {
  mote_clip bar = view->axes_box;
  bar.x0 = view->axes_box.x1 + (int)(MOTE_GAP_BAR * view->em);
  bar.x1 = bar.x0 + (int)fmax(MOTE_BAR_WIDTH * view->em, 1);
  mote_image *image = new_image(canvas, bar.x1 - bar.x0, bar.y1 - bar.y0);
  if (image == NULL) return;
  for (int v = 0; v < image->height; ++v) {
    mote_colour colour = mote_colour_map_at(view->bar->shade.map, 1 - (v + 0.5) / image->height);
    for (int u = 0; u < image->width; ++u) mote_image_set(image, u, v, colour);
  }
  mote_canvas_image(canvas, bar.x0, bar.y0, image);
  mote_image_destroy(image);
  mote_axes_box_draw(view, bar, canvas);
  draw_bar_numbers(view, bar.x1, canvas);
}
