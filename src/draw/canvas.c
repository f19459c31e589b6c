// Public functions of the canvas: clips lines and areas to the neighbourhood of the clip and passes them to
// the pixels or to the SVG text; markers.
#include "draw/canvas.h"

#include <math.h>

#include "draw/font.h"

void mote_canvas_free(mote_canvas *canvas) {
  mote_buffer_free(&canvas->svg);
  mote_path_free(&canvas->cut);
  mote_path_free(&canvas->outline);
}

void mote_canvas_clip(mote_canvas *canvas, mote_clip clip) {
  mote_clip c = clip;
  if (c.x0 < 0) c.x0 = 0;
  if (c.y0 < 0) c.y0 = 0;
  if (c.x1 > canvas->width) c.x1 = canvas->width;
  if (c.y1 > canvas->height) c.y1 = canvas->height;
  canvas->clip = c;
  canvas->kind->clip(canvas);
}

void mote_canvas_clip_none(mote_canvas *canvas) {
  mote_canvas_clip(canvas, (mote_clip){0, 0, canvas->width, canvas->height});
}

// The clip with a margin, as doubles.
typedef struct clip_box {
  double low[2], high[2];
} clip_box;

static clip_box box_around(const mote_canvas *canvas, double margin) {
  mote_clip c = canvas->clip;
  return (clip_box){{c.x0 - margin, c.y0 - margin}, {c.x1 + margin, c.y1 + margin}};
}

// The part t0 <= t <= t1 of the segment from p to q in the box (Liang and Barsky 1984).
static bool cut_segment(const clip_box *box, mote_point2 p, mote_point2 q, double *t0, double *t1) {
  double from[2] = {p.x, p.y}, to[2] = {q.x, q.y};
  *t0 = 0;
  *t1 = 1;
  for (int a = 0; a < 2; ++a) {
    double d = to[a] - from[a];
    if (d == 0) {
      if (from[a] < box->low[a] || from[a] > box->high[a]) return false;
      continue;
    }
    double u = (box->low[a] - from[a]) / d, v = (box->high[a] - from[a]) / d;
    *t0 = fmax(*t0, fmin(u, v));
    *t1 = fmin(*t1, fmax(u, v));
  }
  return *t0 <= *t1;
}

static mote_point2 between(mote_point2 p, mote_point2 q, double t) {
  return (mote_point2){p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)};
}

// Cuts the segment to the box, in place; false if nothing remains. Measured from the end nearer to the
// origin, which keeps its digits if the other end is very far.
static bool cut_ends(const clip_box *box, mote_point2 *p, mote_point2 *q) {
  double t0, t1;
  if (fabs(p->x) + fabs(p->y) > fabs(q->x) + fabs(q->y)) return cut_ends(box, q, p);
  if (!cut_segment(box, *p, *q, &t0, &t1)) return false;
  mote_point2 from = *p, to = *q;
  if (t0 > 0) *p = between(from, to, t0);
  if (t1 < 1) *q = between(from, to, t1);
  return true;
}

static bool same_point(mote_point2 p, mote_point2 q) {
  return p.x == q.x && p.y == q.y;
}

static void cut_line(const clip_box *box, const mote_path *line, mote_path *out) {
  const mote_point2 *run;
  size_t count;
  mote_path_clear(out);
  for (size_t at = 0; mote_path_run(line, &at, &run, &count); mote_path_break(out)) {
    bool joined = false;  // the last point added is run[k - 1]
    for (size_t k = count > 1; k < count; ++k) {
      mote_point2 p = run[k > 0 ? k - 1 : 0], q = run[k];
      if (!cut_ends(box, &p, &q)) {
        joined = false;
        continue;
      }
      if (!joined) {
        mote_path_break(out);
        mote_path_add(out, p.x, p.y);
      }
      if (count > 1) mote_path_add(out, q.x, q.y);
      joined = same_point(q, run[k]);
    }
  }
}

void mote_canvas_stroke(mote_canvas *canvas, const mote_path *line, const mote_pen *pen, mote_colour colour) {
  if (!(pen->width > 0) || colour.alpha == 0) return;
  clip_box box = box_around(canvas, 2 * pen->width + 4);
  cut_line(&box, line, &canvas->cut);
  canvas->failed = canvas->failed || line->points.failed || canvas->cut.points.failed;
  if (!canvas->failed && mote_path_count(&canvas->cut) > 0)
    canvas->kind->stroke(canvas, &canvas->cut, pen, colour);
}

static double part(mote_point2 p, int axis) {
  return axis == 0 ? p.x : p.y;
}

// Keeps the part on the inner side of one edge of the box (Sutherland and Hodgman 1974).
static void cut_area_at(const mote_path *area, int axis, double bound, double sign, mote_path *out) {
  const mote_point2 *run;
  size_t count;
  mote_path_clear(out);
  for (size_t at = 0; mote_path_run(area, &at, &run, &count); mote_path_break(out))
    for (size_t k = 0; k < count; ++k) {
      mote_point2 p = run[k], q = run[k + 1 < count ? k + 1 : 0];
      double a = sign * (part(p, axis) - bound), b = sign * (part(q, axis) - bound);
      if (a >= 0) mote_path_add(out, p.x, p.y);
      if ((a >= 0) != (b >= 0)) {
        mote_point2 m = between(p, q, a / (a - b));
        mote_path_add(out, m.x, m.y);
      }
    }
}

void mote_canvas_fill(mote_canvas *canvas, const mote_path *area, mote_colour colour) {
  if (colour.alpha == 0) return;
  clip_box box = box_around(canvas, 4);
  mote_path other = mote_path_make(&canvas->env);
  cut_area_at(area, 0, box.low[0], 1, &canvas->cut);
  cut_area_at(&canvas->cut, 0, box.high[0], -1, &other);
  cut_area_at(&other, 1, box.low[1], 1, &canvas->cut);
  cut_area_at(&canvas->cut, 1, box.high[1], -1, &other);
  canvas->failed = canvas->failed || area->points.failed || canvas->cut.points.failed || other.points.failed;
  if (!canvas->failed && mote_path_count(&other) > 0) canvas->kind->fill(canvas, &other, colour);
  mote_path_free(&other);
}

static void draw_disc(mote_canvas *canvas, double x, double y, double radius, mote_colour colour) {
  mote_clip c = canvas->clip;
  bool near = x + radius > c.x0 && x - radius < c.x1 && y + radius > c.y0 && y - radius < c.y1;
  if (near && radius > 0 && colour.alpha > 0) canvas->kind->disc(canvas, x, y, radius, colour);
}

void mote_canvas_text(mote_canvas *canvas, double x, double y, const char *text, const mote_lettering *how) {
  bool near = fabs(x) < 1e6 && fabs(y) < 1e6;
  if (text != NULL && text[0] != 0 && near) canvas->kind->text(canvas, x, y, text, how);
}

void mote_canvas_image(mote_canvas *canvas, int x, int y, const mote_image *image) {
  canvas->kind->image(canvas, x, y, image);
}

void mote_canvas_segment(mote_canvas *canvas, double x0, double y0, double x1, double y1, double width,
                         mote_colour colour) {
  mote_path line = mote_path_make(&canvas->env);
  mote_path_add(&line, x0, y0);
  mote_path_add(&line, x1, y1);
  mote_canvas_stroke(canvas, &line, &(mote_pen){.width = width, .flat = true}, colour);
  mote_path_free(&line);
}

void mote_canvas_box(mote_canvas *canvas, double x0, double y0, double x1, double y1, mote_colour colour) {
  mote_path area = mote_path_make(&canvas->env);
  mote_path_add(&area, x0, y0);
  mote_path_add(&area, x1, y0);
  mote_path_add(&area, x1, y1);
  mote_path_add(&area, x0, y1);
  mote_canvas_fill(canvas, &area, colour);
  mote_path_free(&area);
}

// Corners in units of half the size; areas close themselves.
typedef struct marker_shape {
  bool filled;
  int count;
  mote_point2 corner[5];
} marker_shape;

static const marker_shape SHAPES[] = {
    [MOTE_MARKER_SQUARE] = {true, 4, {{-0.88, -0.88}, {0.88, -0.88}, {0.88, 0.88}, {-0.88, 0.88}}},
    [MOTE_MARKER_DIAMOND] = {true, 4, {{0, -1.25}, {1.25, 0}, {0, 1.25}, {-1.25, 0}}},
    [MOTE_MARKER_TRIANGLE] = {true, 3, {{0, -1.2}, {1.15, 0.8}, {-1.15, 0.8}}},
    [MOTE_MARKER_PLUS] = {false, 5, {{-1.2, 0}, {1.2, 0}, {(double)NAN, 0}, {0, -1.2}, {0, 1.2}}},
    [MOTE_MARKER_CROSS] = {false, 5, {{-0.9, -0.9}, {0.9, 0.9}, {(double)NAN, 0}, {-0.9, 0.9}, {0.9, -0.9}}},
};

static void add_ring(mote_path *line, double x, double y, double radius) {
  size_t first = mote_path_count(line);
  mote_stroke_disc(x, y, radius, line);
  if (line->points.failed) return;
  mote_point2 *p = (mote_point2 *)(void *)line->points.data;
  p[mote_path_count(line) - 1] = p[first];
}

void mote_canvas_marker(mote_canvas *canvas, mote_marker marker, double x, double y, double size,
                        mote_colour colour) {
  double half = size / 2;
  if (marker == MOTE_MARKER_NONE || !isfinite(x) || !isfinite(y)) return;
  if (marker == MOTE_MARKER_DISC) {
    draw_disc(canvas, x, y, half, colour);
    return;
  }
  mote_path path = mote_path_make(&canvas->env);
  bool filled = false;
  if (marker == MOTE_MARKER_RING) {
    add_ring(&path, x, y, 0.9 * half);
  } else {
    const marker_shape *shape = SHAPES + marker;
    filled = shape->filled;
    for (int k = 0; k < shape->count; ++k)
      mote_path_add(&path, x + half * shape->corner[k].x, y + half * shape->corner[k].y);
  }
  if (filled)
    mote_canvas_fill(canvas, &path, colour);
  else
    mote_canvas_stroke(canvas, &path, &(mote_pen){.width = 0.22 * size}, colour);
  mote_path_free(&path);
}
