// Lines as areas: each segment becomes a rectangle, each corner a wedge or a disc, each end a disc or
// nothing. Every piece turns the same way round, so that under the non-zero rule the pieces unite.
#include <math.h>

#include "draw/draw_math.h"
#include "draw/raster.h"
#include "draw/tuning.inc"

void mote_stroke_disc(double x, double y, double radius, mote_path *outline) {
  // A polygon of n corners stays within radius * (1 - cos(pi / n)) ~ radius * 4.93 / n^2.
  int quarter = (int)ceil(sqrt(4.93 * radius / DISC_ERROR) / 4);
  int n = 4 * (quarter < 2 ? 2 : quarter > 64 ? 64 : quarter);
  for (int k = 0; k < n; ++k) {
    double c, s;
    draw_turn(360.0 * k / n, &c, &s);
    mote_path_add(outline, x + radius * c, y + radius * s);
  }
  mote_path_break(outline);
}

typedef struct stroke_side {
  double x, y;  // from the middle of the line to its edge
} stroke_side;

static stroke_side side_of(mote_point2 p, mote_point2 q, double half) {
  double dx = q.x - p.x, dy = q.y - p.y, length = sqrt(dx * dx + dy * dy);
  return (stroke_side){dy / length * half, -dx / length * half};
}

static void add_segment(mote_point2 p, mote_point2 q, stroke_side n, mote_path *outline) {
  mote_path_add(outline, p.x + n.x, p.y + n.y);
  mote_path_add(outline, q.x + n.x, q.y + n.y);
  mote_path_add(outline, q.x - n.x, q.y - n.y);
  mote_path_add(outline, p.x - n.x, p.y - n.y);
  mote_path_break(outline);
}

static void add_corner(mote_point2 p, stroke_side a, stroke_side b, double half, mote_path *outline) {
  double dot = a.x * b.x + a.y * b.y, cross = a.x * b.y - a.y * b.x;
  if (dot < WEDGE_COSINE * half * half) {
    mote_stroke_disc(p.x, p.y, half, outline);
  } else if (cross > 0) {
    mote_path_add(outline, p.x, p.y);
    mote_path_add(outline, p.x + a.x, p.y + a.y);
    mote_path_add(outline, p.x + b.x, p.y + b.y);
    mote_path_break(outline);
  } else {
    mote_path_add(outline, p.x, p.y);
    mote_path_add(outline, p.x - b.x, p.y - b.y);
    mote_path_add(outline, p.x - a.x, p.y - a.y);
    mote_path_break(outline);
  }
}

static bool is_same(mote_point2 p, mote_point2 q) {
  return fabs(p.x - q.x) < SAME_POINT && fabs(p.y - q.y) < SAME_POINT;
}

static void stroke_run(const mote_point2 *run, size_t count, double half, bool flat, mote_path *outline) {
  mote_point2 p = run[0];
  stroke_side before = {0, 0};
  bool begun = false;
  if (!flat) mote_stroke_disc(p.x, p.y, half, outline);
  for (size_t k = 1; k < count; ++k) {
    if (is_same(p, run[k])) continue;
    stroke_side side = side_of(p, run[k], half);
    if (begun) add_corner(p, before, side, half, outline);
    add_segment(p, run[k], side, outline);
    before = side;
    begun = true;
    p = run[k];
  }
  if (!flat && begun) mote_stroke_disc(p.x, p.y, half, outline);
}

// Cuts the runs of `line` into dashes.
static void cut_dashes(const mote_path *line, const mote_pen *pen, mote_path *out) {
  const mote_point2 *run;
  size_t count;
  for (size_t at = 0; mote_path_run(line, &at, &run, &count); mote_path_break(out)) {
    int part = 0;
    double left = pen->dash[0];
    mote_path_add(out, run[0].x, run[0].y);
    for (size_t k = 1; k < count; ++k) {
      double dx = run[k].x - run[k - 1].x, dy = run[k].y - run[k - 1].y;
      double length = sqrt(dx * dx + dy * dy), done = 0;
      for (; length - done > left; part = (part + 1) % pen->dashes, left = pen->dash[part]) {
        done += left;
        double x = run[k - 1].x + dx * (done / length), y = run[k - 1].y + dy * (done / length);
        if (part % 2 == 0) {
          mote_path_add(out, x, y);
          mote_path_break(out);
        } else {
          mote_path_add(out, x, y);
        }
      }
      left -= length - done;
      if (part % 2 == 0) mote_path_add(out, run[k].x, run[k].y);
    }
  }
}

static void stroke_runs(const mote_path *line, const mote_pen *pen, mote_path *outline) {
  const mote_point2 *run;
  size_t count;
  for (size_t at = 0; mote_path_run(line, &at, &run, &count);)
    stroke_run(run, count, pen->width / 2, pen->flat, outline);
}

void mote_stroke(const mote_path *line, const mote_pen *pen, mote_path *outline) {
  if (pen->dashes == 0) {
    stroke_runs(line, pen, outline);
    return;
  }
  mote_path pieces = mote_path_make(&outline->points.env);
  cut_dashes(line, pen, &pieces);
  stroke_runs(&pieces, pen, outline);
  outline->points.failed = outline->points.failed || pieces.points.failed;
  mote_path_free(&pieces);
}
