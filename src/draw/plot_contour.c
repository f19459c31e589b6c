// Contour lines by marching squares, followed from square to square so that each line is drawn in one piece.
// A value equal to the level counts as above it; a saddle is decided by the mean of its corners.
#include <math.h>
#include <string.h>

#include "draw/plot.h"

// An edge between samples: from (i, j) to the right (axis 0) or upwards (axis 1).
typedef struct contour_edge {
  int i, j, axis;
} contour_edge;

typedef struct contour_walk {
  const mote_view *view;
  const mote_plot_field *field;
  double level;
  uint8_t *seen;  // per edge: 2 * sample + axis
  mote_path *line;
} contour_walk;

static double sample(const contour_walk *w, int i, int j) {
  return w->field->value[(size_t)j * (size_t)w->field->nx + (size_t)i];
}

static bool above(const contour_walk *w, int i, int j) {
  return sample(w, i, j) >= w->level;
}

static uint8_t *seen_at(const contour_walk *w, contour_edge e) {
  return w->seen + 2 * ((size_t)e.j * (size_t)w->field->nx + (size_t)e.i) + e.axis;
}

static bool is_crossed(const contour_walk *w, contour_edge e) {
  int i = e.i + (e.axis == 0), j = e.j + (e.axis == 1);
  if (i >= w->field->nx || j >= w->field->ny) return false;
  return isfinite(sample(w, e.i, e.j)) && isfinite(sample(w, i, j)) && above(w, e.i, e.j) != above(w, i, j);
}

static bool is_square(const contour_walk *w, int i, int j) {
  if (i < 0 || j < 0 || i + 1 >= w->field->nx || j + 1 >= w->field->ny) return false;
  return isfinite(sample(w, i, j)) && isfinite(sample(w, i + 1, j)) && isfinite(sample(w, i, j + 1)) &&
         isfinite(sample(w, i + 1, j + 1));
}

// The edges of square (i, j) in turn: bottom, right, top, left.
static contour_edge edge_of(int i, int j, int side) {
  const contour_edge edges[4] = {{i, j, 0}, {i + 1, j, 1}, {i, j + 1, 0}, {i, j, 1}};
  return edges[side];
}

// The side by which a line that enters by `side` leaves; -1 where there is no square.
static int other_side(const contour_walk *w, int i, int j, int side) {
  int crossed = 0;
  if (!is_square(w, i, j)) return -1;
  for (int s = 0; s < 4; ++s) crossed += is_crossed(w, edge_of(i, j, s));
  if (crossed == 4) {
    double mean = (sample(w, i, j) + sample(w, i + 1, j) + sample(w, i, j + 1) + sample(w, i + 1, j + 1)) / 4;
    // Lines enclose the two corners that differ from the middle.
    bool around_first = above(w, i, j) != (mean >= w->level);
    static const int pair[2][4] = {{1, 0, 3, 2}, {3, 2, 1, 0}};
    return pair[around_first][side];
  }
  for (int s = 0; s < 4; ++s)
    if (s != side && is_crossed(w, edge_of(i, j, s))) return s;
  return -1;
}

static void add_crossing(const contour_walk *w, contour_edge e) {
  const mote_plot_field *f = w->field;
  double a = sample(w, e.i, e.j), b = sample(w, e.i + (e.axis == 0), e.j + (e.axis == 1));
  double t = (w->level - a) / (b - a);
  double x = mote_field_at(f->x0, f->x1, f->nx, f->cells, e.i),
         y = mote_field_at(f->y0, f->y1, f->ny, f->cells, e.j);
  if (e.axis == 0)
    x += t * (mote_field_at(f->x0, f->x1, f->nx, f->cells, e.i + 1) - x);
  else
    y += t * (mote_field_at(f->y0, f->y1, f->ny, f->cells, e.j + 1) - y);
  mote_path_add(w->line, mote_scale_at(&w->view->x, x), mote_scale_at(&w->view->y, y));
}

// A line about to enter square (i, j) by `side`.
typedef struct contour_step {
  int i, j, side;
} contour_step;

// Crosses one square; false at the end of the line.
static bool advance(const contour_walk *w, contour_step *at) {
  static const int di[4] = {0, 1, 0, -1}, dj[4] = {-1, 0, 1, 0};
  int out = other_side(w, at->i, at->j, at->side);
  if (out < 0) return false;
  *at = (contour_step){at->i + di[out], at->j + dj[out], (out + 2) % 4};
  return true;
}

static bool same_edge(contour_step a, contour_step b) {
  contour_edge p = edge_of(a.i, a.j, a.side), q = edge_of(b.i, b.j, b.side);
  return p.i == q.i && p.j == q.j && p.axis == q.axis;
}

static void follow(const contour_walk *w, contour_edge e) {
  // Follows the line backwards to its beginning, then forwards.
  contour_step start = e.axis == 0 ? (contour_step){e.i, e.j - 1, 2} : (contour_step){e.i - 1, e.j, 1};
  contour_step at = start;
  bool closed = false;
  while (!closed && advance(w, &at)) closed = same_edge(at, start);
  static const int di[4] = {0, 1, 0, -1}, dj[4] = {-1, 0, 1, 0};
  at = (contour_step){at.i + di[at.side], at.j + dj[at.side], (at.side + 2) % 4};
  contour_step first = at;
  do {
    contour_edge here = edge_of(at.i, at.j, at.side);
    *seen_at(w, here) = 1;
    add_crossing(w, here);
  } while (advance(w, &at) && !same_edge(at, first));
  if (closed) add_crossing(w, edge_of(first.i, first.j, first.side));
  mote_path_break(w->line);
}

static void trace_level(const contour_walk *w) {
  for (int j = 0; j < w->field->ny; ++j)
    for (int i = 0; i < w->field->nx; ++i)
      for (int axis = 0; axis < 2; ++axis) {
        contour_edge e = {i, j, axis};
        if (is_crossed(w, e) && !*seen_at(w, e)) follow(w, e);
      }
}

void mote_contour_draw(const mote_view *view, const mote_series *series, mote_canvas *canvas) {
  const mote_plot_field *field = &series->field;
  size_t edges = 2 * (size_t)field->nx * (size_t)field->ny;
  mote_path line = mote_path_make(&canvas->env);
  uint8_t *seen = mote_io_new(&canvas->env, edges);
  if (seen == NULL) canvas->failed = true;
  for (size_t k = 0; seen != NULL && k < series->count; ++k) {
    memset(seen, 0, edges);
    trace_level(&(contour_walk){view, field, series->z[k], seen, &line});
  }
  mote_pen pen = mote_series_pen(series, view->em);
  mote_canvas_stroke(canvas, &line, &pen, series->style.colour);
  mote_io_delete(&canvas->env, seen, edges);
  mote_path_free(&line);
}
