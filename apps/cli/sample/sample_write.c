// Results of mote sample as tables, grids and pictures: see sample_write.h.
#include "cli/sample/sample_write.h"

#include <math.h>
#include <mote/draw.h>
#include <mote/text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/app_assert.h"
#include "cli/base/cli.h"

bool sample_can_write(const char *path, request_kind kind) {
  if (input_ends(path, "csv")) return true;
  if (input_ends(path, "vti") || input_ends(path, "png") || input_ends(path, "svg")) {
    if (kind == REQUEST_GRID || (kind == REQUEST_LINE && !input_ends(path, "vti"))) return true;
    complain("%s: needs a grid%s; points are written as csv, vtp, vtu or ply", path,
             input_ends(path, "vti") ? "" : " or a line");
    return false;
  }
  if (kind != REQUEST_GRID && input_writes_particles(path)) return true;
  complain("%s: -o takes a name that ends in %s", path,
           kind == REQUEST_GRID ? "vti, csv, png or svg" : "csv, vtp, vtu, ply, png or svg");
  return false;
}

static mote_field_view view_of(const sample_column *column, size_t count) {
  return (mote_field_view){.name = column->name,
                           .unit = column->unit != NULL ? column->unit : "",
                           .type = MOTE_TYPE_F64,
                           .components = column->components,
                           .count = count,
                           .data = column->value};
}

static mote_result write_grid(const sample_result *r, const char *path, mote_error *error) {
  APP_ASSERT(r->columns <= MOTE_CLOUD_FIELDS);
  const sample_request *q = r->request;
  mote_grid_samples grid = {.fields = (int)r->columns, .stamp = r->stamp};
  for (int k = 0; k < 3; ++k) {
    grid.size[k] = q->size[k], grid.origin[k] = q->low[k], grid.spacing[k] = q->step;
  }
  for (size_t k = 0; k < r->columns; ++k) grid.field[k] = view_of(r->column + k, q->count);
  return mote_grid_samples_write(&grid, path, error);
}

static mote_result write_points(const sample_result *r, const char *path, mote_error *error) {
  APP_ASSERT(r->columns < MOTE_CLOUD_FIELDS);
  const sample_request *q = r->request;
  mote_cloud cloud = {.count = q->count, .fields = 1 + (int)r->columns, .stamp = r->stamp};
  cloud.field[0] = (mote_field_view){.name = "position",
                                     .unit = "m",
                                     .type = MOTE_TYPE_F64,
                                     .components = 3,
                                     .count = q->count,
                                     .data = q->point};
  for (size_t k = 0; k < r->columns; ++k) cloud.field[k + 1] = view_of(r->column + k, q->count);
  return mote_cloud_write(&cloud, path, error);
}

static void print_number(double value) {
  char text[MOTE_TEXT_NUMBER];
  mote_text_print_double(text, value);
  printf(",%s", text);
}

static int print_table(const sample_result *r) {
  const char *const parts[3] = {"x", "y", "z"};
  printf("x,y,z");
  for (size_t k = 0; k < r->columns; ++k)
    for (int c = 0; c < r->column[k].components; ++c) {
      if (r->column[k].components == 1)
        printf(",%s", r->column[k].name);
      else if (r->column[k].components <= 3)
        printf(",%s_%s", r->column[k].name, parts[c]);
      else
        printf(",%s_%d", r->column[k].name, c);
    }
  for (size_t i = 0; i < r->request->count; ++i) {
    char text[MOTE_TEXT_NUMBER];
    mote_text_print_double(text, r->request->point[3 * i]);
    printf("\n%s", text);
    for (size_t k = 1; k < 3; ++k) print_number(r->request->point[3 * i + k]);
    for (size_t k = 0; k < r->columns; ++k) {
      size_t n = (size_t)r->column[k].components;
      for (size_t c = 0; c < n; ++c) print_number(r->column[k].value[n * i + c]);
    }
  }
  putchar('\n');
  return EXIT_DONE;
}

// A number for a picture: of vectors the length.
static double size_at(const sample_column *column, size_t i) {
  APP_ASSERT(column->value != NULL);
  mote_field_view view = {.type = MOTE_TYPE_F64, .components = column->components, .data = column->value};
  return input_size(&view, i);
}

// m^3 as m³
static void raise_powers(const char *unit, char *out, size_t size) {
  static const char *const digit[10] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  size_t length = 0;
  for (const char *c = unit; *c != '\0' && length + 4 < size; ++c) {
    bool power = *c == '^' && c[1] >= '0' && c[1] <= '9';
    length +=
        (size_t)snprintf(out + length, size - length, "%.*s", power ? 3 : 1, power ? digit[c[1] - '0'] : c);
    c += power;
  }
}

static void label_of(const sample_column *column, char *out, size_t size) {
  bool unit = column->unit != NULL && column->unit[0] != '\0' && strcmp(column->unit, "1") != 0;
  bool bars = column->components > 1;
  int length =
      snprintf(out, size, "%s%s%s%s", bars ? "|" : "", column->name, bars ? "|" : "", unit ? ", " : "");
  if (unit && (size_t)length < size) raise_powers(column->unit, out + length, size - (size_t)length);
}

static void draw_line(const sample_result *r, const sample_column *column, mote_plot *plot, int place) {
  APP_ASSERT(r->request->kind == REQUEST_LINE && place >= 0);
  const sample_request *q = r->request;
  char label[160];
  label_of(column, label, sizeof label);
  mote_panel_def panel = mote_panel_def_default();
  panel.x.label = place + 1 == (int)r->columns ? "distance, m" : NULL, panel.y.label = label;
  double *along = input_take(q->count, sizeof *along), *value = input_take(q->count, sizeof *value);
  for (size_t i = 0; i < q->count; ++i) {
    double d2 = 0;
    for (size_t k = 0; k < 3; ++k) {
      double d = q->point[3 * i + k] - q->point[k];
      d2 += d * d;
    }
    along[i] = sqrt(d2), value[i] = size_at(column, i);
  }
  mote_plot_line(mote_plot_panel(plot, place, 0, &panel), along, value, q->count, NULL);
  free(along), free(value);
}

// The layer of a grid that is drawn: two axes across, and one along which it lies.
typedef struct layer {
  int a, b, across, at;
} layer;

static layer choose_layer(const sample_result *r) {
  APP_ASSERT(r->request->kind == REQUEST_GRID && r->request->step > 0);
  const sample_request *q = r->request;
  int across = r->slice_axis;
  for (int k = 0; k < 3 && across < 0; ++k)
    if (q->size[k] == 1) across = k;
  if (across < 0) across = 2;
  layer l = {across == 0 ? 2 : 0, across == 1 ? 2 : 1, across, q->size[across] / 2};
  if (!isfinite(r->slice)) return l;
  double at = floor((r->slice - q->low[across]) / q->step + 0.5);
  l.at = at < 0 ? 0 : at > q->size[across] - 1 ? q->size[across] - 1 : (int)at;
  return l;
}

static void draw_layer(const sample_result *r, const sample_column *column, mote_plot *plot, int place) {
  static const char *const axes[3] = {"x, m", "y, m", "z, m"};
  const sample_request *q = r->request;
  layer l = choose_layer(r);
  size_t stride[3] = {1, (size_t)q->size[0], (size_t)q->size[0] * (size_t)q->size[1]};
  int nx = q->size[l.a], ny = q->size[l.b];
  double *value = input_take((size_t)nx * (size_t)ny, sizeof *value), half = q->step / 2;
  for (int v = 0; v < ny; ++v)
    for (int u = 0; u < nx; ++u)
      value[(size_t)v * (size_t)nx + (size_t)u] = size_at(
          column, (size_t)u * stride[l.a] + (size_t)v * stride[l.b] + (size_t)l.at * stride[l.across]);
  char label[160];
  label_of(column, label, sizeof label);
  mote_panel_def panel = mote_panel_def_default();
  panel.x.label = axes[l.a], panel.y.label = axes[l.b], panel.equal_aspect = true, panel.grid = false;
  mote_shade shade = mote_shade_default();
  shade.label = label;
  mote_plot_field field = {.value = value,
                           .nx = nx,
                           .ny = ny,
                           .x0 = q->low[l.a] - half,
                           .x1 = q->low[l.a] + (nx - 0.5) * q->step,
                           .y0 = q->low[l.b] - half,
                           .y1 = q->low[l.b] + (ny - 0.5) * q->step,
                           .cells = true};
  mote_plot_heat(mote_plot_panel(plot, place, 0, &panel), &field, &shade);
  free(value);
}

static mote_result draw_picture(const sample_result *r, const char *path, const mote_env *env,
                                mote_error *error) {
  mote_plot_def def = mote_plot_def_default();
  bool grid = r->request->kind == REQUEST_GRID;
  layer l = grid ? choose_layer(r) : (layer){0};
  double aspect = grid ? (double)r->request->size[l.b] / r->request->size[l.a] : 0.45;
  def.rows = (int)r->columns, def.title = r->title;
  double tall = 130 + 930 * (aspect < 0.2 ? 0.2 : aspect > 1.4 ? 1.4 : aspect);
  def.height = (int)fmin(def.rows * tall, 12000);
  mote_plot *plot = mote_plot_create(&def, env);
  for (size_t k = 0; k < r->columns; ++k) {
    if (grid)
      draw_layer(r, r->column + k, plot, (int)k);
    else
      draw_line(r, r->column + k, plot, (int)k);
  }
  mote_result result = mote_plot_write(plot, path, error);
  mote_plot_destroy(plot);
  return result;
}

int sample_write(const sample_result *r, const char *path, const mote_env *env) {
  mote_error error = {0};
  if (path == NULL) return print_table(r);
  bool picture = input_ends(path, "png") || input_ends(path, "svg");
  mote_result result = picture                            ? draw_picture(r, path, env, &error)
                       : r->request->kind == REQUEST_GRID ? write_grid(r, path, &error)
                                                          : write_points(r, path, &error);
  if (result != MOTE_OK) return complain_error(&error);
  printf("wrote %s\n", path);
  return EXIT_DONE;
}
