// Layout of figures: ranges of the axes, ticks, and positions of the panels on the page.
// Axes of one column (row) of panels are aligned: margins are the largest of those needed. Surfaces, which
// have no axes box, are not aligned.
#include <math.h>

#include "draw/draw_math.h"
#include "draw/font.h"
#include "draw/plot.h"
#include "draw/tuning.inc"

static double on_axis(bool log, double value) {
  return !log ? value : value > 0 ? draw_log10(value) : (double)NAN;
}

double mote_scale_part(bool log, double low, double high, double value) {
  double a = on_axis(log, low), b = on_axis(log, high), v = on_axis(log, value);
  return b != a ? (v - a) / (b - a) : 0.5;
}

double mote_scale_at(const mote_scale *scale, double value) {
  return scale->from +
         (scale->to - scale->from) * mote_scale_part(scale->log, scale->low, scale->high, value);
}

mote_scale mote_scale_make(const mote_plot_axis *def, double low, double high) {
  mote_ticks_given(def->low, def->high, def->log, &low, &high);
  bool turned = low > high;
  mote_ticks_range(turned ? &high : &low, turned ? &low : &high, def->log);
  return (mote_scale){.log = def->log, .low = low, .high = high};
}

double mote_scale_value(const mote_scale *scale, double pixel) {
  double t = (pixel - scale->from) / (scale->to - scale->from);
  double a = on_axis(scale->log, scale->low), b = on_axis(scale->log, scale->high);
  return scale->log ? draw_exp10(a + t * (b - a)) : a + t * (b - a);
}

double mote_field_at(double a, double b, int n, bool cells, int i) {
  return cells ? a + (b - a) * (i + 0.5) / n : a + (b - a) * i / (n - 1);
}

// --- Ranges -------------------------------------------------------------------------------------------

typedef struct plot_extent {
  double low, high, margin;  // margin: fraction of the range left free at both ends
  bool tight;                // a field fills the panel
} plot_extent;

static void cover(plot_extent *e, bool log, double value) {
  if (!isfinite(value) || (log && value <= 0)) return;
  e->low = fmin(e->low, value);
  e->high = fmax(e->high, value);
}

static void cover_all(plot_extent *e, bool log, const double *value, size_t count) {
  for (size_t k = 0; k < count; ++k) cover(e, log, value[k]);
}

static void cover_series(plot_extent *e, bool log, int axis, const mote_series *s) {
  switch (s->kind) {
    case MOTE_SERIES_LINE:
    case MOTE_SERIES_SCATTER:
      cover_all(e, log, axis == 0 ? s->x : s->y, s->count);
      if (axis == 1 || s->style.marker != MOTE_MARKER_NONE) e->margin = 0.05;
      break;
    case MOTE_SERIES_BAND:
      cover_all(e, log, axis == 0 ? s->x : s->y, s->count);
      if (axis == 1) {
        cover_all(e, log, s->z, s->count);
        e->margin = 0.05;
      }
      break;
    case MOTE_SERIES_HEAT:
    case MOTE_SERIES_CONTOUR:
    case MOTE_SERIES_SURFACE:
      cover(e, log, axis == 0 ? s->field.x0 : s->field.y0);
      cover(e, log, axis == 0 ? s->field.x1 : s->field.y1);
      e->tight = true;
      break;
    case MOTE_SERIES_TEXT:
    case MOTE_SERIES_VERTICAL:
    case MOTE_SERIES_HORIZONTAL: break;
  }
}

static void find_range(const mote_panel *panel, int axis, mote_scale *scale) {
  const mote_plot_axis *def = axis == 0 ? &panel->def.x : &panel->def.y;
  plot_extent e = {.low = (double)INFINITY, .high = -(double)INFINITY};
  for (const mote_series *s = panel->first; s != NULL; s = s->next) cover_series(&e, def->log, axis, s);
  mote_ticks_range(&e.low, &e.high, def->log);
  double margin = e.tight ? 0 : e.margin;
  if (def->log) {
    double factor = draw_exp10(margin * (draw_log10(e.high) - draw_log10(e.low)));
    e.low = fmax(e.low / factor, 1e-300);
    e.high = fmin(e.high * factor, 1e300);
  } else {
    double border = margin * (e.high - e.low);
    e.low -= border;
    e.high += border;
  }
  *scale = mote_scale_make(def, e.low, e.high);
}

// --- Ticks and margins ----------------------------------------------------------------------------------

static void find_ticks(const mote_scale *scale, double pixels, double spacing, mote_ticks *ticks) {
  double low = fmin(scale->low, scale->high), high = fmax(scale->low, scale->high);
  mote_ticks_find(low, high, scale->log, (int)fmax(2, floor(pixels / spacing) + 1), ticks);
}

double mote_view_text_width(const mote_view *view, const char *text, double size) {
  return view->text_stretch * mote_font_width(text, size, false);
}

double mote_view_widest(const mote_view *view, const mote_ticks *ticks, double size) {
  double width = 0;
  for (int k = 0; k < ticks->count; ++k)
    width = fmax(width, mote_view_text_width(view, ticks->label[k], size));
  return width;
}

// Reduces the ticks until their labels do not overlap.
static void find_x_ticks(mote_view *view, double pixels) {
  for (double spacing = 3.2 * view->em; spacing < 64 * view->em; spacing *= 1.4) {
    find_ticks(&view->x, pixels, spacing, &view->x_ticks);
    double label = mote_view_widest(view, &view->x_ticks, MOTE_SIZE_TICK * view->em);
    if (view->x_ticks.count < 3 || (label + 0.8 * view->em) * (view->x_ticks.count - 1) < pixels) return;
  }
}

mote_scale mote_view_bar_scale(const mote_view *view) {
  const mote_shade *shade = &view->bar->shade;
  return (mote_scale){.log = shade->log,
                      .low = shade->low,
                      .high = shade->high,
                      .from = view->axes_box.y1,
                      .to = view->axes_box.y0};
}

static void add_axis_margins(mote_view *view) {
  const mote_panel_def *def = &view->panel->def;
  double em = view->em, tick = MOTE_SIZE_TICK * em;
  mote_margins *m = &view->needs;
  find_x_ticks(view, view->axes_box.x1 - view->axes_box.x0);
  find_ticks(&view->y, view->axes_box.y1 - view->axes_box.y0, 2.4 * em, &view->y_ticks);
  if (!def->x.bare) m->right = fmax(m->right, 0.5 * mote_view_widest(view, &view->x_ticks, tick) + 0.3 * em);
  if (!def->x.bare) m->bottom += MOTE_GAP_TICK * em + 1.15 * tick;
  if (!def->y.bare) m->left += (MOTE_GAP_TICK + 0.25) * em + mote_view_widest(view, &view->y_ticks, tick);
  if (def->x.label != NULL || view->x_ticks.common[0] != 0) m->bottom += 1.35 * em;
  if (def->y.label != NULL) m->left += 1.4 * em;
  if (view->y_ticks.common[0] != 0 && !def->y.bare && def->title == NULL) m->top += 1.1 * tick;
  if (def->legend == MOTE_LEGEND_OUTSIDE && mote_legend_wanted(view->panel)) {
    double width, height;
    mote_legend_size(view, &width, &height);
    m->right += width + 0.6 * em;
  }
}

static void add_bar_margins(mote_view *view) {
  double em = view->em, tick = MOTE_SIZE_TICK * em;
  mote_scale scale = mote_view_bar_scale(view);
  mote_margins *m = &view->needs;
  find_ticks(&scale, view->axes_box.y1 - view->axes_box.y0, 2.4 * em, &view->bar_ticks);
  m->right += (MOTE_GAP_BAR + MOTE_BAR_WIDTH + MOTE_GAP_TICK + 0.25) * em +
              mote_view_widest(view, &view->bar_ticks, tick);
  if (view->bar->shade.label != NULL) m->right += 1.4 * em;
  if (view->bar_ticks.common[0] != 0 && view->panel->def.title == NULL)
    m->top = fmax(m->top, 0.7 * em + 1.1 * tick);
}

static void find_margins(mote_view *view) {
  double em = view->em;
  view->needs = (mote_margins){0.6 * em, 0.8 * em, 0.7 * em, 0.6 * em};
  if (view->panel->def.title != NULL) view->needs.top += 1.4 * em;
  if (!view->surface) add_axis_margins(view);
  if (view->bar != NULL) add_bar_margins(view);
}

// --- Places -------------------------------------------------------------------------------------------

static void begin_view(const mote_plot *plot, const mote_panel *panel, double text_stretch, mote_view *view) {
  *view = (mote_view){.panel = panel, .em = plot->def.font_size, .text_stretch = text_stretch};
  view->surface = panel->first != NULL && panel->first->kind == MOTE_SERIES_SURFACE;
  for (const mote_series *s = panel->first; s != NULL; s = s->next) {
    bool shaded =
        s->kind == MOTE_SERIES_HEAT || s->kind == MOTE_SERIES_SCATTER || s->kind == MOTE_SERIES_SURFACE;
    if (shaded && s->shade.bar && view->bar == NULL) view->bar = s;
  }
  find_range(panel, 0, &view->x);
  find_range(panel, 1, &view->y);
  double top = plot->def.title != NULL ? 2.2 * plot->def.font_size : 0.3 * plot->def.font_size;
  double wide = (double)plot->def.width / plot->def.columns, tall = (plot->def.height - top) / plot->def.rows;
  view->cell = (mote_clip){(int)(panel->column * wide), (int)(top + panel->row * tall),
                           (int)((panel->column + 1) * wide), (int)(top + (panel->row + 1) * tall)};
  view->axes_box = view->cell;
}

// Common margins of all panels of the same column, and of the same row.
static mote_margins common_margins(const mote_view *views, int count, const mote_view *view) {
  mote_margins m = {0, 0, 0, 0};
  for (const mote_view *other = views; other < views + count; ++other) {
    if (other->surface) continue;
    if (other->panel->column == view->panel->column) {
      m.left = fmax(m.left, other->needs.left);
      m.right = fmax(m.right, other->needs.right);
    }
    if (other->panel->row == view->panel->row) {
      m.top = fmax(m.top, other->needs.top);
      m.bottom = fmax(m.bottom, other->needs.bottom);
    }
  }
  return m;
}

static void shrink(int *from, int *to, double length) {
  int spare = (*to - *from) - (int)(length + 0.5);
  *from += spare / 2;
  *to -= spare - spare / 2;
}

// Reduces width or height of the axes box so that units are equal: lengths of decades on logarithmic axes.
static void make_equal(mote_view *view) {
  mote_clip *f = &view->axes_box;
  double ux = fabs(on_axis(view->x.log, view->x.high) - on_axis(view->x.log, view->x.low));
  double uy = fabs(on_axis(view->y.log, view->y.high) - on_axis(view->y.log, view->y.low));
  double wide = f->x1 - f->x0, tall = f->y1 - f->y0;
  double unit = fmin(wide / ux, tall / uy);
  shrink(&f->x0, &f->x1, fmax(unit * ux, 2));
  shrink(&f->y0, &f->y1, fmax(unit * uy, 2));
}

static void place(mote_view *view, mote_margins m) {
  mote_clip c = view->cell, *f = &view->axes_box;
  *f = (mote_clip){c.x0 + (int)ceil(m.left), c.y0 + (int)ceil(m.top), c.x1 - (int)ceil(m.right),
                   c.y1 - (int)ceil(m.bottom)};
  if (f->x1 < f->x0 + 2) f->x1 = f->x0 + 2;
  if (f->y1 < f->y0 + 2) f->y1 = f->y0 + 2;
  if (view->panel->def.equal_aspect && !view->surface) make_equal(view);
  view->x.from = f->x0;
  view->x.to = f->x1;
  view->y.from = f->y1;
  view->y.to = f->y0;
}

void mote_plot_views(const mote_plot *plot, double text_stretch, mote_view *views) {
  int count = 0;
  for (const mote_panel *panel = plot->first; panel != NULL; panel = panel->next)
    begin_view(plot, panel, text_stretch, views + count++);
  // Labels need space, and the space determines labels: two passes suffice.
  for (int pass = 0; pass < 2; ++pass) {
    for (int k = 0; k < count; ++k) find_margins(views + k);
    for (int k = 0; k < count; ++k)
      place(views + k, views[k].surface ? views[k].needs : common_margins(views, count, views + k));
  }
}

// --- Lines and frames ---------------------------------------------------------------------------------

double mote_view_thin(const mote_view *view) {
  return fmax(1, floor(view->em / 16 + 0.5));
}

double mote_view_snap(const mote_view *view, double at) {
  double w = mote_view_thin(view);
  return floor(at - 0.5 * w + 0.5) + 0.5 * w;
}

mote_pen mote_series_pen(const mote_series *series, double em) {
  static const double share[] = {[MOTE_SERIES_VERTICAL] = 0.75,
                                 [MOTE_SERIES_HORIZONTAL] = 0.75,
                                 [MOTE_SERIES_CONTOUR] = 0.5,
                                 [MOTE_SERIES_LINE] = 1,
                                 [MOTE_SERIES_SURFACE] = 0};
  double w = series->style.width * share[series->kind] * em / 9;
  mote_pen pen = {.width = w};
  switch (series->style.dash) {
    case MOTE_DASH_NONE: break;
    case MOTE_DASH_LONG: pen = (mote_pen){w, 2, {4.2 * w, 2.4 * w}, true}; break;
    case MOTE_DASH_DOTS: pen = (mote_pen){w, 2, {0.05 * w, 2.2 * w}, false}; break;
    case MOTE_DASH_MIXED: pen = (mote_pen){w, 4, {4.6 * w, 2.2 * w, 1.1 * w, 2.2 * w}, true}; break;
  }
  return pen;
}

double mote_series_marker_size(const mote_series *series, double em) {
  return series->style.marker_size * em * 0.42;
}

void mote_axes_box_draw(const mote_view *view, mote_clip box, mote_canvas *canvas) {
  double w = mote_view_thin(view), h = w / 2;
  mote_path line = mote_path_make(&canvas->env);
  const double corner[5][2] = {{box.x0 - h, box.y0 - h},
                               {box.x1 + h, box.y0 - h},
                               {box.x1 + h, box.y1 + h},
                               {box.x0 - h, box.y1 + h},
                               {box.x0 - h, box.y0 - h}};
  for (int k = 0; k < 5; ++k) mote_path_add(&line, corner[k][0], corner[k][1]);
  mote_canvas_stroke(canvas, &line, &(mote_pen){.width = w}, MOTE_AXES_COLOUR);
  mote_path_free(&line);
}
