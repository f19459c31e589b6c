// The legend: a sample of each labelled series with its name, in the corner with the least overlap.
#include <math.h>

#include "draw/draw_math.h"
#include "draw/plot.h"
#include "draw/tuning.inc"

bool mote_legend_wanted(const mote_panel *panel) {
  if (panel->def.legend == MOTE_LEGEND_NONE) return false;
  for (const mote_series *s = panel->first; s != NULL; s = s->next)
    if (s->style.label != NULL) return true;
  return false;
}

void mote_legend_size(const mote_view *view, double *width, double *height) {
  double size = MOTE_SIZE_LEGEND * view->em, widest = 0;
  int count = 0;
  for (const mote_series *s = view->panel->first; s != NULL; s = s->next) {
    if (s->style.label == NULL) continue;
    widest = fmax(widest, mote_view_text_width(view, s->style.label, size));
    ++count;
  }
  *width = widest + (SAMPLE_EM + 0.5 + 2 * PAD_EM) * view->em;
  *height = count * LINE_EM * size + 1.2 * PAD_EM * view->em;
}

typedef struct legend_box {
  double x0, y0, x1, y1;
} legend_box;

// Length of the segment inside the box.
static double length_in(legend_box b, mote_point2 p, mote_point2 q) {
  double from[2] = {p.x, p.y}, d[2] = {q.x - p.x, q.y - p.y}, low[2] = {b.x0, b.y0}, high[2] = {b.x1, b.y1};
  double t0 = 0, t1 = 1;
  for (int a = 0; a < 2; ++a) {
    if (d[a] == 0 && (from[a] < low[a] || from[a] > high[a])) return 0;
    if (d[a] == 0) continue;
    double u = (low[a] - from[a]) / d[a], v = (high[a] - from[a]) / d[a];
    t0 = fmax(t0, fmin(u, v));
    t1 = fmin(t1, fmax(u, v));
  }
  return t1 > t0 ? (t1 - t0) * sqrt(d[0] * d[0] + d[1] * d[1]) : 0;
}

static double hidden_series(const mote_view *view, const mote_series *s, const double *ys, legend_box box) {
  double hidden = 0;
  mote_point2 before = {(double)NAN, (double)NAN};
  bool line = s->kind != MOTE_SERIES_SCATTER && s->style.width > 0;
  bool marked = s->style.marker != MOTE_MARKER_NONE;
  for (size_t k = 0; k < s->count; ++k) {
    mote_point2 p = {mote_scale_at(&view->x, s->x[k]), mote_scale_at(&view->y, ys[k])};
    bool inside = p.x > box.x0 && p.x < box.x1 && p.y > box.y0 && p.y < box.y1;
    if (marked && inside) hidden += view->em / 2;
    if (line && isfinite(p.x + p.y + before.x + before.y)) hidden += length_in(box, before, p);
    before = p;
  }
  return hidden;
}

static double hidden_by(const mote_view *view, legend_box box) {
  double hidden = 0;
  for (const mote_series *s = view->panel->first; s != NULL; s = s->next) {
    bool points =
        s->kind == MOTE_SERIES_LINE || s->kind == MOTE_SERIES_SCATTER || s->kind == MOTE_SERIES_BAND;
    if (points) hidden += hidden_series(view, s, s->y, box);
    if (s->kind == MOTE_SERIES_BAND) hidden += hidden_series(view, s, s->z, box);
    if (s->kind == MOTE_SERIES_TEXT) hidden += 4 * hidden_series(view, s, s->y, box);
  }
  return hidden;
}

static legend_box box_in_corner(const mote_view *view, mote_legend corner) {
  double width, height, gap = 0.5 * view->em;
  mote_clip f = view->axes_box;
  mote_legend_size(view, &width, &height);
  bool right = corner == MOTE_LEGEND_TOP_RIGHT || corner == MOTE_LEGEND_BOTTOM_RIGHT;
  bool bottom = corner == MOTE_LEGEND_BOTTOM_LEFT || corner == MOTE_LEGEND_BOTTOM_RIGHT;
  double x0 = floor(right ? f.x1 - gap - width : f.x0 + gap);
  double y0 = floor(bottom ? f.y1 - gap - height : f.y0 + gap);
  if (corner == MOTE_LEGEND_OUTSIDE) {
    x0 = view->cell.x1 - width - 0.4 * view->em;
    y0 = f.y0;
  }
  return (legend_box){x0, y0, x0 + ceil(width), y0 + ceil(height)};
}

static legend_box choose_box(const mote_view *view) {
  static const mote_legend corners[4] = {MOTE_LEGEND_TOP_RIGHT, MOTE_LEGEND_TOP_LEFT,
                                         MOTE_LEGEND_BOTTOM_RIGHT, MOTE_LEGEND_BOTTOM_LEFT};
  mote_legend asked = view->panel->def.legend;
  if (asked != MOTE_LEGEND_AUTO) return box_in_corner(view, asked);
  int best = 0;
  double least = (double)INFINITY;
  for (int k = 0; k < 4; ++k) {
    double hidden = hidden_by(view, box_in_corner(view, corners[k]));
    if (hidden < least) {
      least = hidden;
      best = k;
    }
  }
  return box_in_corner(view, corners[best]);
}

static void draw_sample(const mote_view *view, const mote_series *s, double x, double y,
                        mote_canvas *canvas) {
  double em = view->em;
  mote_colour colour = s->style.colour;
  if (s->kind == MOTE_SERIES_SCATTER) colour = mote_colour_map_at(s->shade.map, 0.5);
  if (s->kind == MOTE_SERIES_BAND) {
    colour.alpha = (uint8_t)(colour.alpha * 0.22 + 0.5);
    mote_canvas_box(canvas, x, y - 0.3 * em, x + SAMPLE_EM * em, y + 0.3 * em, colour);
    return;
  }
  mote_path line = mote_path_make(&canvas->env);
  mote_path_add(&line, x, y);
  mote_path_add(&line, x + SAMPLE_EM * em, y);
  mote_pen pen = mote_series_pen(s, em);
  if (s->kind != MOTE_SERIES_SCATTER) mote_canvas_stroke(canvas, &line, &pen, colour);
  mote_canvas_marker(canvas, s->style.marker, x + 0.5 * SAMPLE_EM * em, y, mote_series_marker_size(s, em),
                     colour);
  mote_path_free(&line);
}

void mote_legend_draw(const mote_view *view, mote_canvas *canvas) {
  legend_box b = choose_box(view);
  double em = view->em, size = MOTE_SIZE_LEGEND * em;
  if (view->panel->def.legend != MOTE_LEGEND_OUTSIDE) {
    mote_canvas_box(canvas, b.x0 - 1, b.y0 - 1, b.x1 + 1, b.y1 + 1, (mote_colour){205, 205, 205, 255});
    mote_canvas_box(canvas, b.x0, b.y0, b.x1, b.y1, (mote_colour){255, 255, 255, 255});
  }
  mote_lettering how = {.size = size, .lift = MOTE_LIFT_MIDDLE, .colour = MOTE_INK};
  double y = b.y0 + 0.6 * PAD_EM * em + 0.5 * LINE_EM * size;
  for (const mote_series *s = view->panel->first; s != NULL; s = s->next) {
    if (s->style.label == NULL) continue;
    draw_sample(view, s, b.x0 + PAD_EM * em, y, canvas);
    mote_canvas_text(canvas, b.x0 + (PAD_EM + SAMPLE_EM + 0.5) * em, y, s->style.label, &how);
    y += LINE_EM * size;
  }
}
