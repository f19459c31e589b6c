// Surfaces z = f(x, y) in a box, in parallel projection. Squares are painted from the far
// end to the near one, which gives correct visibility for a height field.
#include <math.h>
#include <stdio.h>

#include "draw/draw_math.h"
#include "draw/plot.h"
#include "draw/tuning.inc"

typedef struct space_point {
  double v[3];
} space_point;

// The centre of the box is the origin; axis a extends from -half[a] to half[a].
typedef struct surface_scene {
  const mote_view *view;
  const mote_series *series;
  mote_canvas *canvas;
  mote_scale axis[3];  // from -half to half
  mote_ticks ticks[3];
  double half[3];
  double right[3], up[3], eye[3];
  double scale, x, y;  // pixels per unit; the origin on the page
  double side[2];      // the end of x and y nearest to the eye: -1 or 1
} surface_scene;

static const mote_colour EDGE = {120, 120, 120, 255}, GRID = {222, 222, 222, 255},
                         WALL = {250, 250, 250, 255};

static mote_point2 on_page(const surface_scene *s, space_point p) {
  double x = 0, y = 0;
  for (int a = 0; a < 3; ++a) {
    x += s->right[a] * p.v[a];
    y += s->up[a] * p.v[a];
  }
  return (mote_point2){s->x + s->scale * x, s->y - s->scale * y};
}

// --- The scene ------------------------------------------------------------------------------------------

static void set_directions(surface_scene *s, double azimuth, double elevation) {
  double ca, sa, ce, se;
  draw_turn(azimuth, &ca, &sa);
  draw_turn(elevation, &ce, &se);
  const double right[3] = {-sa, ca, 0}, up[3] = {-se * ca, -se * sa, ce}, eye[3] = {ce * ca, ce * sa, se};
  for (int a = 0; a < 3; ++a) {
    s->right[a] = right[a];
    s->up[a] = up[a];
    s->eye[a] = eye[a];
  }
  for (int a = 0; a < 2; ++a) s->side[a] = eye[a] > 0 ? 1 : -1;
}

static void set_axes(surface_scene *s) {
  const mote_panel_def *def = &s->view->panel->def;
  s->axis[0] = s->view->x;
  s->axis[1] = s->view->y;
  s->axis[2] = mote_scale_make(&def->z, s->series->low, s->series->high);
  double x = fabs(s->axis[0].high - s->axis[0].low), y = fabs(s->axis[1].high - s->axis[1].low);
  s->half[0] = def->equal_aspect ? x / fmax(x, y) : 1;
  s->half[1] = def->equal_aspect ? y / fmax(x, y) : 1;
  s->half[2] = s->series->surface.height;
  for (int a = 0; a < 3; ++a) {
    s->axis[a].from = -s->half[a];
    s->axis[a].to = s->half[a];
  }
}

// The largest scale at which the box and the numbers around it fit into the panel.
static void fit_box(surface_scene *s) {
  const mote_panel_def *def = &s->view->panel->def;
  mote_clip f = s->view->axes_box;
  double em = s->view->em, wide = 0, tall = 0;
  for (int a = 0; a < 3; ++a) {
    wide += fabs(s->right[a]) * s->half[a];
    tall += fabs(s->up[a]) * s->half[a];
  }
  bool flat = def->x.bare && def->y.bare;
  double left = (def->z.bare ? 0.5 : 3) * em, right = (flat ? 0.5 : 3) * em, below = (flat ? 0.5 : 2.6) * em;
  double width_left = fmax(f.x1 - f.x0 - left - right, 8),
         height_left = fmax(f.y1 - f.y0 - below - 0.4 * em, 8);
  s->scale = fmin(width_left / (2 * wide), height_left / (2 * tall));
  s->x = (f.x0 + f.x1 + left - right) / 2.0;
  s->y = (f.y0 + f.y1 - below + 0.4 * em) / 2.0;
}

// Numbers of ticks by the lengths of the edges on the page.
static void set_ticks(surface_scene *s) {
  for (int a = 0; a < 3; ++a) {
    double dx = s->right[a] * s->half[a], dy = s->up[a] * s->half[a];
    double pixels = 2 * s->scale * sqrt(dx * dx + dy * dy), low = s->axis[a].low, high = s->axis[a].high;
    mote_ticks_find(fmin(low, high), fmax(low, high), s->axis[a].log,
                    (int)fmin(pixels / (2.2 * s->view->em), 7), &s->ticks[a]);
  }
}

// --- The box --------------------------------------------------------------------------------------------

static void add_to(mote_path *path, const surface_scene *s, space_point p) {
  mote_point2 q = on_page(s, p);
  mote_path_add(path, q.x, q.y);
}

// The wall (or floor) at the far end of `axis`, with the grid of the other two.
static void draw_wall(const surface_scene *s, int axis) {
  int b = (axis + 1) % 3, c = (axis + 2) % 3;
  double end = axis == 2 ? -s->half[2] : -s->side[axis] * s->half[axis];
  static const int corner[5][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
  mote_path area = mote_path_make(&s->canvas->env), grid = mote_path_make(&s->canvas->env);
  for (int k = 0; k < 5; ++k) {
    space_point p;
    p.v[axis] = end;
    p.v[b] = corner[k][0] * s->half[b];
    p.v[c] = corner[k][1] * s->half[c];
    add_to(&area, s, p);
  }
  for (int side = 0; side < 2; ++side) {
    int along = side == 0 ? c : b, across = side == 0 ? b : c;
    for (int k = 0; k < s->ticks[across].count; ++k) {
      space_point p;
      p.v[axis] = end;
      p.v[across] = mote_scale_at(&s->axis[across], s->ticks[across].value[k]);
      p.v[along] = -s->half[along];
      add_to(&grid, s, p);
      p.v[along] = s->half[along];
      add_to(&grid, s, p);
      mote_path_break(&grid);
    }
  }
  double w = mote_view_thin(s->view);
  mote_canvas_fill(s->canvas, &area, WALL);
  if (s->view->panel->def.grid) mote_canvas_stroke(s->canvas, &grid, &(mote_pen){.width = w}, GRID);
  mote_canvas_stroke(s->canvas, &area, &(mote_pen){.width = w}, GRID);
  mote_path_free(&area);
  mote_path_free(&grid);
}

// An axis lies on the edge of the box through `edge`, and its ticks point along `out` on the page.
typedef struct surface_edge {
  int axis;
  space_point edge;
  mote_point2 out;
} surface_edge;

static surface_edge find_edge(const surface_scene *s, int axis) {
  surface_edge e = {.axis = axis};
  int other = 1 - axis;
  space_point step = {{0, 0, 0}};
  if (axis < 2) {
    e.edge.v[other] = s->side[other] * s->half[other];
    e.edge.v[2] = -s->half[2];
    step.v[other] = s->side[other];
  } else {
    // Of the two upright edges on the outline, the left one.
    bool x_near = s->side[0] * s->right[0] < 0;
    e.edge.v[0] = (x_near ? s->side[0] : -s->side[0]) * s->half[0];
    e.edge.v[1] = (x_near ? -s->side[1] : s->side[1]) * s->half[1];
  }
  mote_point2 zero = on_page(s, (space_point){{0, 0, 0}}), to = on_page(s, step);
  double dx = to.x - zero.x, dy = to.y - zero.y, length = sqrt(dx * dx + dy * dy);
  e.out = axis == 2 || length < 1e-9 ? (mote_point2){axis == 2 ? -1 : 0, axis == 2 ? 0 : 1}
                                     : (mote_point2){dx / length, dy / length};
  return e;
}

// Text beside a point: `reach` pixels away from it along `out`.
static void put_beside(const surface_scene *s, mote_point2 p, mote_point2 out, double reach, const char *text,
                       double size) {
  double half = 0.5 * mote_view_text_width(s->view, text, size), half_height = 0.36 * size;
  // The distance of a text's centre includes its extent along `out`.
  double away = reach + fabs(out.x) * half + fabs(out.y) * half_height;
  mote_lettering how = {.size = size, .anchor = 0.5, .lift = MOTE_LIFT_MIDDLE, .colour = MOTE_INK};
  mote_canvas_text(s->canvas, p.x + out.x * away, p.y + out.y * away, text, &how);
}

static void draw_axis(const surface_scene *s, int axis, const mote_plot_axis *def) {
  double em = s->view->em, tick = MOTE_SIZE_TICK * em, w = mote_view_thin(s->view), widest = 0;
  surface_edge e = find_edge(s, axis);
  const mote_ticks *t = &s->ticks[axis];
  space_point from = e.edge, to = e.edge;
  from.v[axis] = -s->half[axis];
  to.v[axis] = s->half[axis];
  mote_point2 p = on_page(s, from), q = on_page(s, to);
  mote_canvas_segment(s->canvas, p.x, p.y, q.x, q.y, w, EDGE);
  for (int k = 0; k < t->count && !def->bare; ++k) {
    space_point at = e.edge;
    at.v[axis] = mote_scale_at(&s->axis[axis], t->value[k]);
    mote_point2 m = on_page(s, at);
    mote_canvas_segment(s->canvas, m.x, m.y, m.x + e.out.x * 0.3 * em, m.y + e.out.y * 0.3 * em, w, EDGE);
    put_beside(s, m, e.out, 0.5 * em, t->label[k], tick);
    widest = fmax(widest, fabs(e.out.x) * mote_view_text_width(s->view, t->label[k], tick) +
                              fabs(e.out.y) * 0.72 * tick);
  }
  char label[160];
  snprintf(label, sizeof label, "%s%s%s", def->label != NULL ? def->label : "",
           def->label != NULL && t->common[0] != 0 ? " " : "", t->common);
  mote_point2 middle = {(p.x + q.x) / 2, (p.y + q.y) / 2};
  if (axis == 2)
    put_beside(s, q, (mote_point2){0, -1}, 0.5 * em, label, MOTE_SIZE_LABEL * em);
  else
    put_beside(s, middle, e.out, widest + 0.9 * em, label, MOTE_SIZE_LABEL * em);
}

// --- The surface ----------------------------------------------------------------------------------------

// At most this many squares along a side are drawn: finer ones would not be visible.
enum { SQUARES = 120, LINES = 40 };

static space_point sample_at(const surface_scene *s, int i, int j) {
  const mote_plot_field *f = &s->series->field;
  const mote_scale *z = &s->axis[2];
  double value = f->value[(size_t)j * (size_t)f->nx + (size_t)i];
  if (isfinite(value)) value = draw_clamp(value, fmin(z->low, z->high), fmax(z->low, z->high));
  return (space_point){{mote_scale_at(&s->axis[0], mote_field_at(f->x0, f->x1, f->nx, f->cells, i)),
                        mote_scale_at(&s->axis[1], mote_field_at(f->y0, f->y1, f->ny, f->cells, j)),
                        mote_scale_at(z, value)}};
}

// Light falls from the left above the eye.
static double brightness(const surface_scene *s, const space_point p[4]) {
  double a[3], b[3], n[3], light[3], dot = 0, length = 0, bright = 0, facing = 0;
  for (int k = 0; k < 3; ++k) {
    a[k] = p[2].v[k] - p[0].v[k];
    b[k] = p[3].v[k] - p[1].v[k];
    light[k] = 0.5 * s->eye[k] - 0.55 * s->right[k] + 0.65 * s->up[k];
    length += light[k] * light[k];
  }
  for (int k = 0; k < 3; ++k) n[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
  for (int k = 0; k < 3; ++k) {
    dot += n[k] * n[k];
    bright += n[k] * light[k];
    facing += n[k] * s->eye[k];
  }
  if (!(dot > 0)) return 1;
  bright /= sqrt(dot * length);
  return 0.72 + 0.34 * fmax(facing < 0 ? -bright : bright, 0);
}

static uint8_t lit(uint8_t colour, double bright) {
  return (uint8_t)(draw_clamp(colour * bright, 0, 255) + 0.5);
}

// A slightly enlarged square, so that no background is visible between two.
static void fill_square(const surface_scene *s, const mote_point2 q[4], mote_colour colour) {
  mote_path area = mote_path_make(&s->canvas->env);
  mote_point2 c = {(q[0].x + q[1].x + q[2].x + q[3].x) / 4, (q[0].y + q[1].y + q[2].y + q[3].y) / 4};
  for (int k = 0; k < 4; ++k) {
    double dx = q[k].x - c.x, dy = q[k].y - c.y, length = sqrt(dx * dx + dy * dy);
    double grow = length > 0 ? 0.5 / length : 0;
    mote_path_add(&area, q[k].x + grow * dx, q[k].y + grow * dy);
  }
  mote_canvas_fill(s->canvas, &area, colour);
  mote_path_free(&area);
}

// One axis of the drawn field: `count` squares, each over `stride` samples, mesh lines at every
// `every` of them, from the far end to the near one.
typedef struct surface_walk {
  int samples, stride, count, every;
  bool backwards;
} surface_walk;

static surface_walk plan_walk(const surface_scene *s, int axis, int samples, double a, double b) {
  surface_walk w = {.samples = samples, .stride = (samples - 2) / SQUARES + 1};
  w.count = (samples - 1 + w.stride - 1) / w.stride;
  w.every = (w.count - 1) / LINES + 1;
  double rising = mote_scale_at(&s->axis[axis], b) - mote_scale_at(&s->axis[axis], a);
  w.backwards = rising * s->side[axis] < 0;
  return w;
}

static int sample_of(const surface_walk *w, int k) {
  int i = k * w->stride;
  return i < w->samples ? i : w->samples - 1;
}

// Dark lines, or light ones where the surface itself is dark, and paler in between.
static mote_colour mesh_colour(mote_colour on) {
  double light = draw_clamp(((3 * on.red + 6 * on.green + on.blue) / 10.0 - 45) / 25, -1, 1);
  return light < 0 ? (mote_colour){255, 255, 255, (uint8_t)(-45 * light + 0.5)}
                   : (mote_colour){20, 30, 40, (uint8_t)(100 * light + 0.5)};
}

// Sides of the square that lie on lines of the mesh.
static void draw_mesh(const surface_scene *s, const surface_walk w[2], int ki, int kj, const mote_point2 q[4],
                      mote_colour on) {
  mote_path mesh = mote_path_make(&s->canvas->env);
  for (int k = 0; k < 4; ++k) {
    // Side k runs along x for even k: it belongs to a line of constant j.
    int at = k % 2 == 0 ? kj + (k == 2) : ki + (k == 1), which = k % 2 == 0;
    if (at % w[which].every != 0 && at != w[which].count) continue;
    mote_path_add(&mesh, q[k].x, q[k].y);
    mote_path_add(&mesh, q[(k + 1) % 4].x, q[(k + 1) % 4].y);
    mote_path_break(&mesh);
  }
  mote_colour line = mesh_colour(on);
  mote_canvas_stroke(s->canvas, &mesh, &(mote_pen){.width = s->view->em / 26}, line);
  mote_path_free(&mesh);
}

static void draw_square(const surface_scene *s, const surface_walk w[2], int ki, int kj) {
  static const int corner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  const mote_plot_field *f = &s->series->field;
  space_point p[4];
  mote_point2 q[4];
  double value = 0;
  for (int k = 0; k < 4; ++k) {
    int i = sample_of(w, ki + corner[k][0]), j = sample_of(w + 1, kj + corner[k][1]);
    p[k] = sample_at(s, i, j);
    q[k] = on_page(s, p[k]);
    value += f->value[(size_t)j * (size_t)f->nx + (size_t)i] / 4;
    if (!isfinite(q[k].x) || !isfinite(q[k].y)) return;
  }
  mote_colour c = mote_shade_colour(&s->series->shade, value);
  double bright = brightness(s, p);
  c = (mote_colour){lit(c.red, bright), lit(c.green, bright), lit(c.blue, bright), 255};
  fill_square(s, q, c);
  if (s->series->surface.lines) draw_mesh(s, w, ki, kj, q, c);
}

static void draw_squares(const surface_scene *s) {
  const mote_plot_field *f = &s->series->field;
  surface_walk w[2] = {plan_walk(s, 0, f->nx, f->x0, f->x1), plan_walk(s, 1, f->ny, f->y0, f->y1)};
  for (int b = 0; b < w[1].count; ++b)
    for (int a = 0; a < w[0].count; ++a)
      draw_square(s, w, w[0].backwards ? w[0].count - 1 - a : a, w[1].backwards ? w[1].count - 1 - b : b);
}

void mote_surface_draw(const mote_view *view, mote_canvas *canvas) {
  surface_scene s = {.view = view, .series = view->panel->first, .canvas = canvas};
  set_directions(&s, s.series->surface.azimuth, s.series->surface.elevation);
  set_axes(&s);
  fit_box(&s);
  set_ticks(&s);
  for (int a = 0; a < 3; ++a) draw_wall(&s, a);
  draw_squares(&s);
  draw_axis(&s, 0, &view->panel->def.x);
  draw_axis(&s, 1, &view->panel->def.y);
  draw_axis(&s, 2, &view->panel->def.z);
  if (view->bar == NULL) return;
  mote_view bar = *view;
  int inset = (view->axes_box.y1 - view->axes_box.y0) / 7;
  bar.axes_box.y0 += inset;
  bar.axes_box.y1 -= inset;
  mote_bar_draw(&bar, canvas);
}
