// DES96 Figs. 4, 6 and 7: 80 particles in 2D, cut by a tool or falling; mass density in grey, the surface of
// isodensity 2 m W(h), and the area within it and other isodensities over time.
#include <math.h>
#include <mote/approx.h>
#include <mote/io.h>
#include <mote/world.h>
#include <stdio.h>
#include <string.h>

#include "cli/base/cli.h"
#include "figures/figure_plot.h"
#include "figures/figure_world.h"

enum { COLUMNS = 181, TIMES = 61, LEVELS = 4, PANELS = 6 };

static const mote_colour dark = {30, 40, 60, 255}, red = {210, 60, 50, 255}, steel = {90, 110, 150, 255};

typedef struct animation {
  figure_world world;
  mote_kernel kernel;
  double low[2], high[2];
  int rows;
  double value[COLUMNS * COLUMNS];  // density over that at rest
  double level[LEVELS];             // the first is 2 m W(h) over the density at rest
} animation;

static int animation_open(animation *a, const char *scene) {
  int status = figure_world_open(&a->world, scene);
  if (status != EXIT_DONE) return status;
  const mote_world_def *def = &a->world.scene->world;
  double d = def->spacing, support = def->solver.support * d;
  a->kernel = mote_kernel_make(def->solver.kernel, 2, support);
  for (int k = 0; k < 2; ++k) a->low[k] = def->low[k], a->high[k] = def->high[k];
  a->rows = (int)((COLUMNS - 1) * (a->high[1] - a->low[1]) / (a->high[0] - a->low[0])) + 1;
  a->level[0] = 2.0 * d * d * mote_kernel_value(&a->kernel, 0.5 * support);
  for (int k = 1; k < LEVELS; ++k) a->level[k] = 0.25 * k;
  return EXIT_DONE;
}

static double sample_density(const animation *a, mote_field_view x, double px, double py) {
  double d = a->world.scene->world.spacing, R = a->world.scene->world.solver.support * d, sum = 0.0;
  for (size_t i = 0; i < x.count; ++i) {
    const double *p = (const double *)x.data + 3 * i;
    double dx = p[0] - px, dy = p[1] - py;
    if (fabs(dy) < R && dx * dx + dy * dy < R * R)
      sum += d * d * mote_kernel_value(&a->kernel, sqrt(dx * dx + dy * dy));
  }
  return sum;
}

static void sample_field(animation *a) {
  mote_field_view x = mote_world_view(a->world.world, "position");
  for (int k = 0; k < COLUMNS * a->rows; ++k)
    a->value[k] = sample_density(a, x, a->low[0] + (a->high[0] - a->low[0]) * (k % COLUMNS) / (COLUMNS - 1),
                                 a->low[1] + (a->high[1] - a->low[1]) * (k / COLUMNS) / (a->rows - 1));
}

static double area_within(const animation *a, double level) {
  double cell = (a->high[0] - a->low[0]) / (COLUMNS - 1);
  size_t inside = 0;
  for (int k = 0; k < COLUMNS * a->rows; ++k) inside += a->value[k] > level;
  return (double)inside * cell * cell;
}

static void draw_colliders(const animation *a, mote_panel *panel) {
  const mote_style style = figure_style(steel, 2.0);
  for (size_t k = 0; k < a->world.scene->colliders; ++k) {
    const mote_collider_def *def = &a->world.scene->collider[k];
    mote_pose pose;
    mote_error error;
    if (mote_collider_def_pose(def, 2, mote_world_time(a->world.world), NULL, &pose, &error) != MOTE_OK)
      continue;
    const double low[2] = {def->shape.low[0] + pose.move[0], def->shape.low[1] + pose.move[1]};
    const double high[2] = {def->shape.high[0] + pose.move[0],
                            fmin(def->shape.high[1] + pose.move[1], a->high[1])};
    figure_plot_box(panel, low, high, &style);
  }
}

static void draw_moment(animation *a, mote_plot *plot, int k, bool grey) {
  char title[64];
  sample_field(a);
  double area = area_within(a, a->level[0]), d = a->world.scene->world.spacing;
  mote_field_view x = mote_world_view(a->world.world, "position");
  snprintf(title, sizeof title, "t = %.2f s, area %.2f", mote_world_time(a->world.world),
           area / ((double)x.count * d * d));
  mote_panel_def def = mote_panel_def_default();
  def.title = title, def.equal_aspect = true, def.grid = false, def.x.bare = def.y.bare = true;
  def.x.low = a->low[0], def.x.high = a->high[0], def.y.low = a->low[1], def.y.high = a->high[1];
  mote_panel *panel = mote_plot_panel(plot, k / 3, k % 3, &def);
  const mote_plot_field field = {a->value,   COLUMNS,   a->rows,    a->low[0],
                                 a->high[0], a->low[1], a->high[1], false};
  mote_shade shade = mote_shade_default();
  shade.map = MOTE_MAP_GREY, shade.low = 0.0, shade.high = 1.2, shade.bar = false;
  if (grey) mote_plot_heat(panel, &field, &shade);
  const mote_style surface = figure_style(grey ? red : dark, grey ? 0.8 : 1.6);
  mote_plot_contour(panel, &field, a->level, 1, &surface);
  if (!grey) figure_plot_dots(panel, x.data, x.count, 0.35, steel);
  draw_colliders(a, panel);
}

int draw_des96_snapshots(const figure_output *out) {
  static animation a;
  static const double times[2][PANELS] = {{0, 0.18, 0.26, 0.4, 0.6, 1}, {0, 0.8, 1, 1.4, 2, 3}};
  bool cut = strcmp(out->name, "des96-4") == 0;
  int status = animation_open(&a, cut ? "des96_4" : "des96_6");
  mote_plot_def def = mote_plot_def_default();
  def.width = 1380, def.height = 640, def.rows = 2, def.columns = 3, def.font_size = 18;
  mote_plot *plot = mote_plot_create(&def, NULL);
  for (int k = 0; k < PANELS && status == EXIT_DONE; ++k) {
    status = figure_world_advance(&a.world, times[cut][k]);
    if (status == EXIT_DONE) draw_moment(&a, plot, k, cut);
  }
  figure_world_close(&a.world);
  if (status == EXIT_DONE) return figure_plot_write(out, plot);
  mote_plot_destroy(plot);
  return status;
}

// Fig. 7: areas over the time of Fig. 4.
int draw_des96_areas(const figure_output *out) {
  static animation a;
  static double time[TIMES], area[LEVELS][TIMES];
  int status = animation_open(&a, "des96_4");
  for (int n = 0; n < TIMES && status == EXIT_DONE; ++n) {
    time[n] = a.world.scene->duration * n / (TIMES - 1);
    status = figure_world_advance(&a.world, time[n]);
    if (status == EXIT_DONE) sample_field(&a);
    for (int k = 0; k < LEVELS; ++k) area[k][n] = area_within(&a, a.level[k]);
  }
  figure_world_close(&a.world);
  if (status != EXIT_DONE) return status;
  mote_plot_def def = mote_plot_def_default();
  def.width = 1100, def.height = 560, def.font_size = 20;
  mote_plot *plot = mote_plot_create(&def, NULL);
  mote_panel_def axes = mote_panel_def_default();
  axes.x.label = "t, s", axes.y.label = "area over that at the start", axes.legend = MOTE_LEGEND_OUTSIDE;
  mote_panel *panel = mote_plot_panel(plot, 0, 0, &axes);
  for (int k = 0; k < LEVELS; ++k) {
    char label[64];
    double first = area[k][0], least = 1.0, most = 1.0;
    for (int n = 0; n < TIMES; ++n) {
      area[k][n] /= first;
      least = fmin(least, area[k][n]), most = fmax(most, area[k][n]);
    }
    snprintf(label, sizeof label, "%.2f rho0%s", a.level[k], k == 0 ? " = 2 m W(h)" : "");
    printf("  area within %s: %.3f to %.3f of that at the start\n", label, least, most);
    mote_style style = mote_style_default();
    style.label = label;
    mote_plot_line(panel, time, area[k], TIMES, &style);
  }
  return figure_plot_write(out, plot);
}
