// Plots of a run's tables: see run_plots.h.
#include "cli/run/run_plots.h"

#include <math.h>
#include <mote/draw.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/run/run_probes.h"

// One table in memory.
typedef struct series {
  double *value;
  size_t rows;
  int columns;
  const char *names;
} series;

static int find_column(const series *s, const char *name) {
  size_t length = strlen(name);
  int k = 0;
  for (const char *at = s->names; at != NULL; at = strchr(at, ','), ++k) {
    if (*at == ',') ++at;
    if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0')) return k;
  }
  return 0;
}

static double *take_column(const series *s, const char *name) {
  int k = find_column(s, name);
  double *column = malloc((s->rows + 1) * sizeof *column);
  for (size_t i = 0; column != NULL && i < s->rows; ++i) column[i] = s->value[i * s->columns + k];
  return column;
}

static double *take_speed(const series *s) {
  int k = find_column(s, "velocity_x");
  double *speed = malloc((s->rows + 1) * sizeof *speed);
  for (size_t i = 0; speed != NULL && i < s->rows; ++i) {
    const double *v = s->value + i * s->columns + k;
    speed[i] = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  }
  return speed;
}

static mote_panel *add_panel(mote_plot *plot, int row, int column, const char *title, const char *label) {
  mote_panel_def def = mote_panel_def_default();
  def.title = title, def.x.label = "t / s", def.y.label = label;
  def.legend = MOTE_LEGEND_OUTSIDE;  // curves of energy come to every corner
  return mote_plot_panel(plot, row, column, &def);
}

// A line of `value` (freed) over time.
static void add_line(mote_panel *panel, const series *s, double *value, const char *label) {
  double *time = take_column(s, "time");
  mote_style style = mote_style_default();
  style.label = label;
  if (time != NULL && value != NULL) mote_plot_line(panel, time, value, s->rows, &style);
  free(time);
  free(value);
}

static void add_column(mote_panel *panel, const series *s, const char *name, const char *label) {
  add_line(panel, s, take_column(s, name), label);
}

static mote_plot *begin_plot(const char *title, int rows, int columns) {
  mote_plot_def def = mote_plot_def_default();
  def.title = title, def.rows = rows, def.columns = columns;
  def.width = 800 * columns, def.height = 560 * rows;
  return mote_plot_create(&def, NULL);
}

// --- Each kind of table ---

static void draw_energies(mote_panel *panel, const series *s) {
  double *kinetic = take_column(s, "kinetic_energy"), *potential = take_column(s, "potential_energy");
  double *sum = take_column(s, "kinetic_energy");
  for (size_t i = 0; sum != NULL && potential != NULL && i < s->rows; ++i) sum[i] += potential[i];
  add_line(panel, s, kinetic, "kinetic");
  add_line(panel, s, potential, "potential");
  add_line(panel, s, sum, "sum");
}

static mote_plot *draw_totals(const series *s, const char *title) {
  mote_plot *plot = begin_plot(title, 2, 2);
  draw_energies(add_panel(plot, 0, 0, "Energy", "E / J"), s);
  add_column(add_panel(plot, 0, 1, "Fastest particle", "v / (m/s)"), s, "speed_max", NULL);
  mote_panel *compression = add_panel(plot, 1, 0, "Density above rest", "fraction");
  add_column(compression, s, "compression_max", "largest");
  add_column(compression, s, "compression_mean", "mean");
  add_column(add_panel(plot, 1, 1, "Particles", "number"), s, "particles", NULL);
  return plot;
}

static mote_plot *draw_point(const series *s, const char *title) {
  mote_plot *plot = begin_plot(title, 1, 2);
  add_column(add_panel(plot, 0, 0, "Pressure", "p / Pa"), s, "pressure", NULL);
  add_line(add_panel(plot, 0, 1, "Speed", "v / (m/s)"), s, take_speed(s), NULL);
  return plot;
}

static mote_plot *draw_level(const series *s, const char *title) {
  mote_plot *plot = begin_plot(title, 1, 1);
  add_column(add_panel(plot, 0, 0, "Level", "level / m"), s, "level", NULL);
  return plot;
}

static mote_plot *draw_vectors(const series *s, const char *title, const char *what, const char *label,
                               const char *name) {
  mote_plot *plot = begin_plot(title, 1, 1);
  mote_panel *panel = add_panel(plot, 0, 0, what, label);
  for (int a = 0; a < 3; ++a) {
    char column[64], axis[2] = {(char)('x' + a), '\0'};
    snprintf(column, sizeof column, "%s_%s", name, axis);
    add_column(panel, s, column, axis);
  }
  return plot;
}

static void draw_map(mote_plot *plot, int column, const char *title, const char *label, const double *value,
                     const series *s, const mote_probe_def *def) {
  double length = 0;
  for (int k = 0; k < 3; ++k) length += (def->to[k] - def->from[k]) * (def->to[k] - def->from[k]);
  mote_panel_def panel = mote_panel_def_default();
  panel.title = title, panel.x.label = "distance along the line / m", panel.y.label = "t / s";
  mote_plot_field field = {.value = value,
                           .nx = def->count,
                           .ny = (int)(s->rows / (size_t)def->count),
                           .x1 = sqrt(length),
                           .y0 = s->value[0],
                           .y1 = s->value[(s->rows - 1) * s->columns]};
  mote_shade shade = mote_shade_default();
  shade.label = label;
  mote_plot_heat(mote_plot_panel(plot, 0, column, &panel), &field, &shade);
}

static mote_plot *draw_line_probe(const series *s, const mote_probe_def *def) {
  mote_plot *plot = begin_plot(def->name, 1, 2);
  double *pressure = take_column(s, "pressure"), *speed = take_speed(s);
  if (pressure != NULL) draw_map(plot, 0, "Pressure", "p / Pa", pressure, s, def);
  if (speed != NULL) draw_map(plot, 1, "Speed", "v / (m/s)", speed, s, def);
  free(pressure), free(speed);
  return plot;
}

static mote_plot *draw_probe(const series *s, const mote_probe_def *def) {
  switch (def->kind) {
    case MOTE_PROBE_LINE: return draw_line_probe(s, def);
    case MOTE_PROBE_LEVEL: return draw_level(s, def->name);
    case MOTE_PROBE_BODY: return draw_vectors(s, def->name, "Displacement", "u / m", "displacement");
    case MOTE_PROBE_FORCE: return draw_vectors(s, def->name, "Force", "F / N", "force");
    case MOTE_PROBE_POINT: break;
  }
  return draw_point(s, def->name);
}

static bool has_past(const series *s) {
  return s->rows > 1 && s->value[(s->rows - 1) * s->columns] > s->value[0];
}

// Draws the table NAME.csv as NAME.png; `def` null: the totals. One moment makes no plot.
static bool plot_table(const run_directory *directory, const char *csv, const char *png,
                       const mote_probe_def *def, const char *title) {
  char path[PATH_CAPACITY];
  mote_error error;
  series s;
  s.names = def == NULL ? run_totals_columns(&s.columns) : run_probe_columns(def, &s.columns);
  run_directory_path(directory, csv, path);
  s.value = run_table_read(path, s.columns, &s.rows);
  if (s.value == NULL) return false;
  mote_result result = MOTE_OK;
  if (has_past(&s)) {
    mote_plot *plot = def == NULL ? draw_totals(&s, title) : draw_probe(&s, def);
    run_directory_path(directory, png, path);
    result = mote_plot_write(plot, path, &error);
    mote_plot_destroy(plot);
  }
  free(s.value);
  return result == MOTE_OK || (complain_error(&error), false);
}

bool run_plots_write(const run_directory *directory, const mote_scene *scene) {
  bool ok = plot_table(directory, "totals.csv", "totals.png", NULL, scene->title);
  for (size_t k = 0; ok && k < scene->probes; ++k) {
    char csv[64], png[64];
    run_probe_file(&scene->probe[k], "csv", csv);
    run_probe_file(&scene->probe[k], "png", png);
    ok = plot_table(directory, csv, png, &scene->probe[k], NULL);
  }
  return ok;
}
