// Drawing a panel: background grid, series in their order, axes, numbers, titles, legend.
#include <math.h>

#include "draw/draw_math.h"
#include "draw/font.h"
#include "draw/plot.h"
#include "draw/tuning.inc"

static const mote_colour GRID = {228, 228, 228, 255}, GRID_FINE = {242, 242, 242, 255};

// --- Series -------------------------------------------------------------------------------------------

static mote_point2 place_of(const mote_view *view, double x, double y) {
  return (mote_point2){mote_scale_at(&view->x, x), mote_scale_at(&view->y, y)};
}

// Points that share a third of a pixel's column are replaced by the first, lowest, highest and last of them:
// the same picture from a million points.
typedef struct line_bin {
  bool begun;
  double column;
  mote_point2 first, low, high, last;
  bool low_before_high;
} line_bin;

static void flush_bin(line_bin *bin, mote_path *line) {
  if (!bin->begun) return;
  mote_point2 a = bin->low_before_high ? bin->low : bin->high,
              b = bin->low_before_high ? bin->high : bin->low;
  const mote_point2 p[4] = {bin->first, a, b, bin->last};
  for (int k = 0; k < 4; ++k)
    if (k == 0 || p[k].x != p[k - 1].x || p[k].y != p[k - 1].y) mote_path_add(line, p[k].x, p[k].y);
  bin->begun = false;
}

static void add_to_bin(line_bin *bin, mote_point2 p, mote_path *line) {
  double column = floor(3 * p.x);
  if (bin->begun && column != bin->column) flush_bin(bin, line);
  if (!bin->begun) {
    *bin = (line_bin){.begun = true, .column = column, .first = p, .low = p, .high = p};
  } else if (p.y < bin->low.y) {
    bin->low = p;
    bin->low_before_high = false;
  } else if (p.y > bin->high.y) {
    bin->high = p;
    bin->low_before_high = true;
  }
  bin->last = p;
}

static void draw_line(const mote_view *view, const mote_series *s, mote_canvas *canvas) {
  mote_path line = mote_path_make(&canvas->env);
  line_bin bin = {.begun = false};
  for (size_t k = 0; k < s->count; ++k) {
    mote_point2 p = place_of(view, s->x[k], s->y[k]);
    if (isfinite(p.x) && isfinite(p.y)) {
      add_to_bin(&bin, p, &line);
    } else {
      flush_bin(&bin, &line);
      mote_path_break(&line);
    }
  }
  flush_bin(&bin, &line);
  mote_pen pen = mote_series_pen(s, view->em);
  mote_canvas_stroke(canvas, &line, &pen, s->style.colour);
  mote_path_free(&line);
}

static void draw_markers(const mote_view *view, const mote_series *s, mote_canvas *canvas) {
  double size = mote_series_marker_size(s, view->em);
  for (size_t k = 0; k < s->count; ++k) {
    mote_point2 p = place_of(view, s->x[k], s->y[k]);
    mote_colour colour =
        s->kind == MOTE_SERIES_SCATTER ? mote_shade_colour(&s->shade, s->z[k]) : s->style.colour;
    mote_canvas_marker(canvas, s->style.marker, p.x, p.y, size, colour);
  }
}

// Runs of points with both edges become one area each.
static void draw_band(const mote_view *view, const mote_series *s, mote_canvas *canvas) {
  mote_path area = mote_path_make(&canvas->env);
  for (size_t first = 0; first < s->count;) {
    size_t end = first;
    for (; end < s->count; ++end) {
      mote_point2 p = place_of(view, s->x[end], s->y[end]), q = place_of(view, s->x[end], s->z[end]);
      if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(q.y)) break;
      mote_path_add(&area, p.x, p.y);
    }
    for (size_t k = end; k-- > first;) {
      mote_point2 q = place_of(view, s->x[k], s->z[k]);
      mote_path_add(&area, q.x, q.y);
    }
    mote_path_break(&area);
    first = end + 1;
  }
  mote_colour tint = s->style.colour;
  tint.alpha = (uint8_t)(tint.alpha * 0.22 + 0.5);
  mote_canvas_fill(canvas, &area, tint);
  mote_path_free(&area);
}

static void draw_rule(const mote_view *view, const mote_series *s, mote_canvas *canvas) {
  mote_path line = mote_path_make(&canvas->env);
  mote_clip f = view->axes_box;
  bool vertical = s->kind == MOTE_SERIES_VERTICAL;
  mote_point2 p = place_of(view, s->x[0], s->y[0]);
  mote_path_add(&line, vertical ? p.x : f.x0, vertical ? f.y1 : p.y);
  mote_path_add(&line, vertical ? p.x : f.x1, vertical ? f.y0 : p.y);
  mote_pen pen = mote_series_pen(s, view->em);
  mote_canvas_stroke(canvas, &line, &pen, s->style.colour);
  mote_path_free(&line);
}

static void draw_note(const mote_view *view, const mote_series *s, mote_canvas *canvas) {
  mote_point2 p = place_of(view, s->x[0], s->y[0]);
  mote_lettering how = {.size = MOTE_SIZE_LEGEND * view->em,
                        .anchor = s->anchor == MOTE_ANCHOR_LEFT     ? 0
                                  : s->anchor == MOTE_ANCHOR_CENTRE ? 0.5
                                                                    : 1,
                        .lift = MOTE_LIFT_MIDDLE,
                        .colour = s->style.colour};
  mote_canvas_text(canvas, p.x, p.y, s->text, &how);
}

static void draw_series(const mote_view *view, const mote_series *s, mote_canvas *canvas) {
  switch (s->kind) {
    case MOTE_SERIES_LINE:
      draw_line(view, s, canvas);
      draw_markers(view, s, canvas);
      break;
    case MOTE_SERIES_BAND: draw_band(view, s, canvas); break;
    case MOTE_SERIES_VERTICAL:
    case MOTE_SERIES_HORIZONTAL: draw_rule(view, s, canvas); break;
    case MOTE_SERIES_TEXT: draw_note(view, s, canvas); break;
    case MOTE_SERIES_SCATTER: draw_markers(view, s, canvas); break;
    case MOTE_SERIES_HEAT: mote_heat_draw(view, s, canvas); break;
    case MOTE_SERIES_CONTOUR: mote_contour_draw(view, s, canvas); break;
    case MOTE_SERIES_SURFACE: break;
  }
}

// --- Axes ---------------------------------------------------------------------------------------------

static void draw_grid_lines(const mote_view *view, bool along_x, const double *value, int count,
                            mote_colour colour, mote_canvas *canvas) {
  double w = mote_view_thin(view);
  mote_clip f = view->axes_box;
  for (int k = 0; k < count; ++k) {
    double at = mote_view_snap(view, mote_scale_at(along_x ? &view->x : &view->y, value[k]));
    if (along_x)
      mote_canvas_segment(canvas, at, f.y0, at, f.y1, w, colour);
    else
      mote_canvas_segment(canvas, f.x0, at, f.x1, at, w, colour);
  }
}

static void draw_grid(const mote_view *view, mote_canvas *canvas) {
  const mote_panel_def *def = &view->panel->def;
  for (int axis = 0; axis < 2; ++axis) {
    const mote_ticks *ticks = axis == 0 ? &view->x_ticks : &view->y_ticks;
    if (axis == 0 ? def->x.bare : def->y.bare) continue;
    draw_grid_lines(view, axis == 0, ticks->minor, ticks->minors, GRID_FINE, canvas);
  }
  for (int axis = 0; axis < 2; ++axis) {
    const mote_ticks *ticks = axis == 0 ? &view->x_ticks : &view->y_ticks;
    if (axis == 0 ? def->x.bare : def->y.bare) continue;
    draw_grid_lines(view, axis == 0, ticks->value, ticks->count, GRID, canvas);
  }
}

static void draw_x_axis(const mote_view *view, mote_canvas *canvas) {
  double em = view->em, w = mote_view_thin(view), tick = MOTE_SIZE_TICK * em;
  mote_clip f = view->axes_box;
  const mote_ticks *t = &view->x_ticks;
  mote_lettering how = {.size = tick, .anchor = 0.5, .colour = MOTE_INK};
  double below = f.y1 + MOTE_GAP_TICK * em;
  for (int k = 0; k < t->count; ++k) {
    double at = mote_scale_at(&view->x, t->value[k]);
    mote_canvas_segment(canvas, mote_view_snap(view, at), f.y1 + w, mote_view_snap(view, at), below, w,
                        MOTE_AXES_COLOUR);
    mote_canvas_text(canvas, at, below + 0.25 * em + MOTE_FONT_CAPITAL * tick, t->label[k], &how);
  }
  for (int k = 0; k < t->minors; ++k) {
    double at = mote_view_snap(view, mote_scale_at(&view->x, t->minor[k]));
    mote_canvas_segment(canvas, at, f.y1 + w, at, f.y1 + 0.6 * MOTE_GAP_TICK * em, w, MOTE_AXES_COLOUR);
  }
  how.anchor = 1;
  mote_canvas_text(canvas, f.x1, below + 1.35 * em + MOTE_FONT_CAPITAL * tick, t->common, &how);
}

static void draw_y_axis(const mote_view *view, mote_canvas *canvas) {
  double em = view->em, w = mote_view_thin(view), tick = MOTE_SIZE_TICK * em;
  mote_clip f = view->axes_box;
  const mote_ticks *t = &view->y_ticks;
  mote_lettering how = {.size = tick, .anchor = 1, .lift = MOTE_LIFT_MIDDLE, .colour = MOTE_INK};
  double left = f.x0 - MOTE_GAP_TICK * em;
  for (int k = 0; k < t->count; ++k) {
    double at = mote_scale_at(&view->y, t->value[k]);
    mote_canvas_segment(canvas, left, mote_view_snap(view, at), f.x0 - w, mote_view_snap(view, at), w,
                        MOTE_AXES_COLOUR);
    mote_canvas_text(canvas, left - 0.22 * em, at, t->label[k], &how);
  }
  for (int k = 0; k < t->minors; ++k) {
    double at = mote_view_snap(view, mote_scale_at(&view->y, t->minor[k]));
    mote_canvas_segment(canvas, f.x0 - 0.6 * MOTE_GAP_TICK * em, at, f.x0 - w, at, w, MOTE_AXES_COLOUR);
  }
  how.lift = 0;
  double end = fmax(f.x0, view->cell.x0 + mote_view_text_width(view, t->common, tick) + 0.2 * em);
  mote_canvas_text(canvas, end, f.y0 - 0.45 * em, t->common, &how);
}

static void draw_labels(const mote_view *view, mote_canvas *canvas) {
  const mote_panel_def *def = &view->panel->def;
  double em = view->em, tick = MOTE_SIZE_TICK * em, size = MOTE_SIZE_LABEL * em;
  mote_clip f = view->axes_box;
  double middle = (f.x0 + f.x1) / 2.0;
  mote_lettering how = {.size = size, .anchor = 0.5, .colour = MOTE_INK};
  double below = def->x.bare ? 0 : MOTE_GAP_TICK * em + 1.15 * tick;
  mote_canvas_text(canvas, middle, f.y1 + below + 0.4 * em + MOTE_FONT_CAPITAL * size, def->x.label, &how);
  double left = def->y.bare ? 0 : mote_view_widest(view, &view->y_ticks, tick) + (MOTE_GAP_TICK + 0.22) * em;
  how.degrees = -90;
  mote_canvas_text(canvas, f.x0 - left - 0.55 * em, (f.y0 + f.y1) / 2.0, def->y.label, &how);
}

static void draw_title(const mote_view *view, mote_canvas *canvas) {
  const char *title = view->panel->def.title;
  double em = view->em, width = 0.94 * (view->cell.x1 - view->cell.x0) / view->text_stretch;
  mote_clip f = view->axes_box;
  mote_lettering how = {.size = mote_font_fit(title, MOTE_SIZE_TITLE * em, true, width),
                        .anchor = 0.5,
                        .bold = true,
                        .colour = MOTE_INK};
  mote_canvas_text(canvas, (f.x0 + f.x1) / 2.0, f.y0 - 0.65 * em, title, &how);
}

void mote_view_draw(const mote_view *view, mote_canvas *canvas) {
  const mote_panel_def *def = &view->panel->def;
  draw_title(view, canvas);
  if (view->surface) {
    mote_surface_draw(view, canvas);
    return;
  }
  mote_canvas_clip(canvas, view->axes_box);
  if (def->grid) draw_grid(view, canvas);
  for (const mote_series *s = view->panel->first; s != NULL; s = s->next) draw_series(view, s, canvas);
  mote_canvas_clip_none(canvas);
  mote_axes_box_draw(view, view->axes_box, canvas);
  if (!def->x.bare) draw_x_axis(view, canvas);
  if (!def->y.bare) draw_y_axis(view, canvas);
  draw_labels(view, canvas);
  if (view->bar != NULL) mote_bar_draw(view, canvas);
  if (mote_legend_wanted(view->panel)) mote_legend_draw(view, canvas);
}
