// Validation: the dam break of Martin & Moyce 1952 in 2D, columns as high as wide and twice as high. The
// front is the farthest particle with a third of the neighbours of a full neighbourhood: a thin spray ahead
// is no front.
#include <math.h>
#include <mote/draw.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/base/app_assert.h"
#include "validate/fluids/free_flow.h"
#include "validate/fluids/free_references.h"

#define G 9.81
#define COLUMN_WIDTH 0.05715  // a: 2.25 in
#define NEIGHBOURS_MIN 9      // a third of those in the support of three spacings, pi 3^2 - 1
#define SHIFT_MOST 0.3        // of T, that the opening of the gate may explain
#define T_FIRST 0.84          // what the front is judged from and to
#define T_LAST 3.33
#define SAMPLE_COUNT 75
#define SAMPLE_INTERVAL 0.05  // of T, between two

typedef struct dam {
  validation *v;
  fluid_variant variant;
  int n2;
  double spacing;
  double T[SAMPLE_COUNT], tau[SAMPLE_COUNT], Z[SAMPLE_COUNT], H[SAMPLE_COUNT];
} dam;

// Front in widths.
static mote_result front_of(const dam *d, const mote_world *world, double *front, mote_error *error) {
  mote_field_view x = mote_world_view(world, "position");
  uint32_t *number = NULL;
  mote_result result = free_neighbours(world, 2, d->spacing, validation_env(d->v), &number, error);
  *front = 0.0;
  for (size_t i = 0; i < x.count && !result; ++i) {
    if (number[i] >= NEIGHBOURS_MIN)
      *front = fmax(*front, ((const double *)x.data)[3 * i] + 0.5 * d->spacing);
  }
  free(number);
  *front /= COLUMN_WIDTH;
  return result;
}

static mote_result take_sample(void *user, mote_world *world, int k, mote_error *error) {
  APP_ASSERT(k < SAMPLE_COUNT);
  dam *d = user;
  double level = 0.0;
  mote_result result = front_of(d, world, &d->Z[k], error);
  if (!result) result = free_level(world, "wall", &level, error);
  d->H[k] = level / (d->n2 * COLUMN_WIDTH);
  char name[32];
  snprintf(name, sizeof name, "dam-%d", d->n2);
  if (!result && k == SAMPLE_COUNT * 4 / 5) free_picture(d->v, world, d->spacing, name, d->variant);
  return result;
}

// Root mean square of the relative error of Z over the judged times, the run's times moved by `shift`.
static double front_error(const dam *d, double shift) {
  curve exact = martin_moyce_front(d->n2);
  double sum = 0.0, count = 0.0;
  for (size_t k = 0; k < exact.count; ++k) {
    const double *point = exact.point[k];
    if (point[0] < T_FIRST || point[0] > T_LAST) continue;
    double error = free_interpolate(d->T, d->Z, SAMPLE_COUNT, point[0] - shift) / point[1] - 1.0;
    sum += error * error, count += 1.0;
  }
  return sqrt(sum / count);
}

static double best_shift(const dam *d) {
  double best = 0.0;
  for (int k = -60; k <= 60; ++k) {
    double shift = SHIFT_MOST * k / 60.0;
    if (front_error(d, shift) < front_error(d, best)) best = shift;
  }
  return best;
}

static double height_error(const dam *d) {
  curve exact = martin_moyce_height(d->n2);
  double most = 0.0;
  for (size_t k = 0; k < exact.count; ++k) {
    double H = free_interpolate(d->tau, d->H, SAMPLE_COUNT, exact.point[k][0]);
    most = fmax(most, fabs(H - exact.point[k][1]));
  }
  return most;
}

static void judge(const dam *d, const fluid_roles *roles) {
  static const char source[] = "Martin & Moyce 1952";
  char name[80];
  double shift = best_shift(d);
  measure rows[] = {{"front, rms error with a shift", MEASURE_NEAR, front_error(d, shift), 0.0, 0.04, source},
                    {"front, rms error as it is", MEASURE_SHOWN, front_error(d, 0.0), 0.0, 0.0, source},
                    {"shift of T", MEASURE_NEAR, shift, 0.0, SHIFT_MOST, "the gate's opening"},
                    {"height at the wall, largest error", MEASURE_NEAR, height_error(d), 0.0, 0.06, source}};
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
    snprintf(name, sizeof name, "n2 = %d: %s", d->n2, rows[k].name);
    rows[k].name = name;
    fluid_report(d->v, roles, d->variant, &rows[k]);
  }
}

static void draw_curve(mote_panel *panel, const char *label, curve points) {
  double x[32], y[32];
  for (size_t k = 0; k < points.count; ++k) x[k] = points.point[k][0], y[k] = points.point[k][1];
  mote_style style = mote_style_default();
  style.label = label, style.width = 0.0, style.marker = MOTE_MARKER_RING;
  mote_plot_line(panel, x, y, points.count, &style);
}

static void draw(validation *v, int n2, const dam *found, const bool *done) {
  char name[48], path[1024];
  snprintf(name, sizeof name, "dam-martin-moyce-%d.svg", n2);
  if (!validation_plot_path(v, name, path, sizeof path)) return;
  mote_plot_def def = mote_plot_def_default();
  def.columns = 2, def.width = 1600, def.height = 700;
  mote_plot *plot = mote_plot_create(&def, validation_env(v));
  mote_panel_def front = mote_panel_def_default(), height = mote_panel_def_default();
  front.x.label = "T = n t \xe2\x88\x9a(g/a)", front.y.label = "front x/a", front.title = "front";
  height.x.label = "\xcf\x84 = t \xe2\x88\x9a(g/a)", height.y.label = "h/h\xe2\x82\x80";
  height.title = "height at the wall";
  mote_panel *left = mote_plot_panel(plot, 0, 0, &front), *right = mote_plot_panel(plot, 0, 1, &height);
  draw_curve(left, "Martin & Moyce 1952", martin_moyce_front(n2));
  draw_curve(right, "Martin & Moyce 1952", martin_moyce_height(n2));
  for (int k = 0; k < FLUID_VARIANTS; ++k) {
    if (!done[k]) continue;
    mote_style style = mote_style_default();
    style.label = fluid_variant_name((fluid_variant)k);
    mote_plot_line(left, found[k].T, found[k].Z, SAMPLE_COUNT, &style);
    mote_plot_line(right, found[k].tau, found[k].H, SAMPLE_COUNT, &style);
  }
  mote_error error;
  if (mote_plot_write(plot, path, &error)) validation_error(v, &error);
  mote_plot_destroy(plot);
}

static bool run_one(dam *d) {
  free_scene s;
  free_scene_make(&s, 2, d->spacing);
  mote_world_def *world = &s.scene.world;
  world->low[0] = world->low[1] = 0.0, world->high[0] = 8.0 * COLUMN_WIDTH,
  world->high[1] = 4.0 * COLUMN_WIDTH;
  world->side[0][0] = world->side[0][1] = world->side[1][0] = MOTE_SIDE_WALL;
  world->wall_friction = 1.0;  // water sticks to the bed
  s.body.shape = mote_shape_def_box(0, 0, 0, COLUMN_WIDTH, d->n2 * COLUMN_WIDTH, 1);
  free_scene_gauge(&s, "wall", 0.5 * d->spacing, 0.0, 0.5 * d->spacing, 3.0 * COLUMN_WIDTH);
  double time[SAMPLE_COUNT], n = sqrt((double)d->n2);
  for (int k = 0; k < SAMPLE_COUNT; ++k) {
    d->T[k] = SAMPLE_INTERVAL * k, d->tau[k] = d->T[k] / n;
    time[k] = d->tau[k] * sqrt(COLUMN_WIDTH / G);
  }
  fluid_run run = {&s.scene, time, SAMPLE_COUNT, take_sample, d};
  mote_error error;
  mote_result result = fluid_run_variant(&run, d->variant, validation_env(d->v), &error);
  if (result) validation_error(d->v, &error);
  return !result;
}

static void run_dam(validation *v, int n2) {
  static const fluid_roles roles = {.plain = true};
  static dam found[FLUID_VARIANTS];
  bool done[FLUID_VARIANTS] = {false};
  double spacing = COLUMN_WIDTH / (validation_quick(v) ? 20 : 40);
  for (int k = 0; k < FLUID_VARIANTS; ++k) {
    found[k] = (dam){.v = v, .variant = (fluid_variant)k, .n2 = n2, .spacing = spacing};
    done[k] = fluid_runs(v, &roles, (fluid_variant)k) && run_one(&found[k]);
    if (done[k]) judge(&found[k], &roles);
  }
  draw(v, n2, found, done);
}

void validate_dam_1(validation *v) {
  run_dam(v, 1);
}

void validate_dam_2(validation *v) {
  run_dam(v, 2);
}
