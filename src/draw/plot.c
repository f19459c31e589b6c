// Collecting a figure: every call copies its arguments into the plot's own memory and checks them. The first
// failure is kept for mote_plot_write.
#include "draw/plot.h"

#include <math.h>
#include <string.h>

mote_plot_def mote_plot_def_default(void) {
  return (mote_plot_def){.width = 1200,
                         .height = 800,
                         .rows = 1,
                         .columns = 1,
                         .font_size = 22,
                         .background = {255, 255, 255, 255}};
}

static mote_plot_axis axis_default(void) {
  return (mote_plot_axis){.low = (double)NAN, .high = (double)NAN};
}

mote_panel_def mote_panel_def_default(void) {
  return (mote_panel_def){.x = axis_default(), .y = axis_default(), .z = axis_default(), .grid = true};
}

mote_style mote_style_default(void) {
  return (mote_style){.width = 1, .marker_size = 1};
}

mote_shade mote_shade_default(void) {
  return (mote_shade){.low = (double)NAN, .high = (double)NAN, .bar = true};
}

mote_plot_surface_def mote_plot_surface_def_default(void) {
  mote_shade shade = mote_shade_default();
  shade.bar = false;
  return (mote_plot_surface_def){
      .shade = shade, .azimuth = -60, .elevation = 30, .height = 0.6, .lines = true};
}

// Memory of a plot, freed with the plot.
typedef struct mote_plot_block {
  struct mote_plot_block *next;
  size_t size;
} mote_plot_block;

static const size_t BLOCK_HEAD = 64;  // keeps the following data aligned

static void *take(mote_plot *plot, size_t size) {
  mote_plot_block *block = size < SIZE_MAX / 2 ? mote_io_new(&plot->env, BLOCK_HEAD + size) : NULL;
  if (block == NULL) {
    if (plot->trouble.code == MOTE_OK) mote_io_fail_memory(&plot->trouble);
    return NULL;
  }
  *block = (mote_plot_block){plot->blocks, BLOCK_HEAD + size};
  plot->blocks = block;
  return (uint8_t *)block + BLOCK_HEAD;
}

static const char *keep_text(mote_plot *plot, const char *text) {
  char *copy = text != NULL ? take(plot, strlen(text) + 1) : NULL;
  if (copy != NULL) memcpy(copy, text, strlen(text) + 1);
  return copy;
}

static const double *keep_values(mote_plot *plot, const double *value, size_t count) {
  double *copy = take(plot, count < SIZE_MAX / 16 ? count * sizeof *value : SIZE_MAX);
  if (copy != NULL && count > 0) memcpy(copy, value, count * sizeof *value);
  return copy;
}

static void complain(mote_plot *plot, const char *text) {
  if (plot->trouble.code == MOTE_OK) mote_io_fail(&plot->trouble, MOTE_ERROR_ARGUMENT, NULL, "%s", text);
}

static void check_plot(mote_plot *plot) {
  const mote_plot_def *def = &plot->def;
  if (def->width < 1 || def->height < 1 || def->width > MOTE_IMAGE_SIDE_MAX ||
      def->height > MOTE_IMAGE_SIDE_MAX || (int64_t)def->width * def->height > MOTE_IMAGE_PIXELS_MAX)
    complain(plot, "the plot's width or height is out of range");
  if (def->rows < 1 || def->columns < 1 || def->rows > 64 || def->columns > 64)
    complain(plot, "a plot has 1 to 64 rows and columns of panels");
  if (!(def->font_size >= 2 && def->font_size <= 1000)) complain(plot, "the font size is out of range");
}

mote_plot *mote_plot_create(const mote_plot_def *def, const mote_env *env) {
  mote_env own = mote_io_env(env);
  mote_plot *plot = mote_io_new(&own, sizeof *plot);
  if (plot == NULL) return NULL;
  *plot = (mote_plot){.env = own, .def = def != NULL ? *def : mote_plot_def_default()};
  plot->def.title = keep_text(plot, plot->def.title);
  check_plot(plot);
  return plot;
}

void mote_plot_destroy(mote_plot *plot) {
  if (plot == NULL) return;
  mote_env env = plot->env;
  for (mote_plot_block *block = plot->blocks; block != NULL;) {
    mote_plot_block *next = block->next;
    mote_io_delete(&env, block, block->size);
    block = next;
  }
  mote_io_delete(&env, plot, sizeof *plot);
}

static void check_axis(mote_plot *plot, const mote_plot_axis *axis) {
  if (isinf(axis->low) || isinf(axis->high)) complain(plot, "an axis ends at infinity");
  if (axis->low == axis->high) complain(plot, "an axis has its two ends at the same value");
  if (axis->log && (axis->low <= 0 || axis->high <= 0))
    complain(plot, "a logarithmic axis has an end not above 0");
}

mote_panel *mote_plot_panel(mote_plot *plot, int row, int column, const mote_panel_def *def) {
  if (plot == NULL || plot->trouble.code != MOTE_OK) return NULL;
  if (row < 0 || column < 0 || row >= plot->def.rows || column >= plot->def.columns)
    complain(plot, "a panel's row or column is outside the plot");
  for (const mote_panel *other = plot->first; other != NULL; other = other->next)
    if (other->row == row && other->column == column) complain(plot, "a place has two panels");
  mote_panel *panel = plot->trouble.code == MOTE_OK ? take(plot, sizeof *panel) : NULL;
  if (panel == NULL) return NULL;
  *panel = (mote_panel){
      .plot = plot, .row = row, .column = column, .def = def != NULL ? *def : mote_panel_def_default()};
  panel->def.title = keep_text(plot, panel->def.title);
  panel->def.x.label = keep_text(plot, panel->def.x.label);
  panel->def.y.label = keep_text(plot, panel->def.y.label);
  panel->def.z.label = keep_text(plot, panel->def.z.label);
  check_axis(plot, &panel->def.x);
  check_axis(plot, &panel->def.y);
  check_axis(plot, &panel->def.z);
  if ((int)panel->def.legend < 0 || panel->def.legend > MOTE_LEGEND_OUTSIDE)
    complain(plot, "there is no such place for a legend");
  if (plot->last != NULL)
    plot->last->next = panel;
  else
    plot->first = panel;
  plot->last = panel;
  return panel;
}

static bool is_surface(const mote_panel *panel) {
  return panel->first != NULL && panel->first->kind == MOTE_SERIES_SURFACE;
}

// A new series behind the others; null after a failure.
static mote_series *add_series(mote_panel *panel, mote_series_kind kind, const mote_style *style) {
  if (panel == NULL || panel->plot->trouble.code != MOTE_OK) return NULL;
  if (is_surface(panel) || (kind == MOTE_SERIES_SURFACE && panel->first != NULL)) {
    complain(panel->plot, "a panel with a surface takes no other series");
    return NULL;
  }
  mote_series *series = take(panel->plot, sizeof *series);
  if (series == NULL) return NULL;
  *series = (mote_series){.kind = kind, .style = style != NULL ? *style : mote_style_default()};
  mote_style *own = &series->style;
  own->label = keep_text(panel->plot, own->label);
  if (!(own->width >= 0 && own->width <= 1000 && own->marker_size >= 0 && own->marker_size <= 1000) ||
      (int)own->dash < 0 || own->dash > MOTE_DASH_MIXED || (int)own->marker < 0 ||
      own->marker > MOTE_MARKER_CROSS)
    complain(panel->plot, "a style is out of range");
  if (panel->last != NULL)
    panel->last->next = series;
  else
    panel->first = series;
  panel->last = series;
  return series;
}

static bool has_colour(const mote_panel *panel, mote_colour c) {
  for (const mote_series *s = panel->first; s != NULL; s = s->next)
    if (s->kind == MOTE_SERIES_LINE && memcmp(&s->style.colour, &c, sizeof c) == 0) return true;
  return false;
}

// The first unused colour of the cycle in the panel, or any if all are used.
static void choose_colour(mote_panel *panel, mote_series *series) {
  if (series->style.colour.alpha != 0) return;
  mote_colour c = mote_colour_cycle(panel->colours);
  for (int k = 0; k < MOTE_CYCLE_COLOURS && has_colour(panel, c); ++k)
    c = mote_colour_cycle(++panel->colours);
  if (has_colour(panel, c)) ++panel->colours;
  series->style.colour = c;
}

static bool check_arrays(mote_panel *panel, size_t count, const double *a, const double *b, const double *c) {
  bool good = count == 0 || (a != NULL && b != NULL && c != NULL);
  if (!good && panel != NULL) complain(panel->plot, "a series of values is null");
  return good;
}

static void keep_points(mote_panel *panel, mote_series *series, const double *x, const double *y,
                        const double *z, size_t count) {
  series->x = keep_values(panel->plot, x, count);
  series->y = keep_values(panel->plot, y, count);
  if (z != NULL) series->z = keep_values(panel->plot, z, count);
  series->count = panel->plot->trouble.code == MOTE_OK ? count : 0;
}

void mote_plot_line(mote_panel *panel, const double *x, const double *y, size_t count,
                    const mote_style *style) {
  if (!check_arrays(panel, count, x, y, y)) return;
  mote_series *series = add_series(panel, MOTE_SERIES_LINE, style);
  if (series == NULL) return;
  choose_colour(panel, series);
  keep_points(panel, series, x, y, NULL, count);
}

void mote_plot_band(mote_panel *panel, const double *x, const double *low, const double *high, size_t count,
                    const mote_style *style) {
  if (!check_arrays(panel, count, x, low, high)) return;
  mote_series *series = add_series(panel, MOTE_SERIES_BAND, style);
  if (series == NULL) return;
  choose_colour(panel, series);
  keep_points(panel, series, x, low, high, count);
}

static void add_rule(mote_panel *panel, mote_series_kind kind, double at, const mote_style *style) {
  mote_series *series = add_series(panel, kind, style);
  if (series == NULL) return;
  if (series->style.colour.alpha == 0) series->style.colour = (mote_colour){90, 90, 90, 255};
  keep_points(panel, series, &at, &at, NULL, 1);
}

void mote_plot_vertical(mote_panel *panel, double x, const mote_style *style) {
  add_rule(panel, MOTE_SERIES_VERTICAL, x, style);
}

void mote_plot_horizontal(mote_panel *panel, double y, const mote_style *style) {
  add_rule(panel, MOTE_SERIES_HORIZONTAL, y, style);
}

void mote_plot_text(mote_panel *panel, double x, double y, mote_anchor anchor, const char *text,
                    mote_colour colour) {
  mote_series *series = add_series(panel, MOTE_SERIES_TEXT, NULL);
  if (series == NULL) return;
  series->style.colour = colour.alpha != 0 ? colour : (mote_colour){50, 50, 50, 255};
  series->anchor = anchor;
  if ((int)anchor < 0 || anchor > MOTE_ANCHOR_RIGHT) complain(panel->plot, "there is no such anchor");
  series->text = keep_text(panel->plot, text);
  keep_points(panel, series, &x, &y, NULL, 1);
}

// Finds the range of the values, and the ends of the shade that were not given.
static void complete_shade(mote_plot *plot, mote_series *series, const double *value, size_t count) {
  mote_shade *shade = &series->shade;
  double low = (double)INFINITY, high = -(double)INFINITY;
  for (size_t k = 0; k < count; ++k)
    if (isfinite(value[k]) && !(shade->log && value[k] <= 0)) {
      low = fmin(low, value[k]);
      high = fmax(high, value[k]);
    }
  series->low = low;
  series->high = high;
  if (shade->map == MOTE_MAP_DIVERGING && !shade->log) {
    high = fmax(fabs(low), fabs(high));
    low = -high;
  }
  if (shade->low >= shade->high || isinf(shade->low) || isinf(shade->high) ||
      (shade->log && (shade->low <= 0 || shade->high <= 0)))
    complain(plot, "a range of colours is empty, infinite or has no logarithm");
  mote_ticks_range(&low, &high, shade->log);
  mote_ticks_given(shade->low, shade->high, shade->log, &low, &high);
  shade->low = low;
  shade->high = high;
  mote_ticks_range(&shade->low, &shade->high, shade->log);
  if ((int)shade->map < 0 || shade->map > MOTE_MAP_HEAT) complain(plot, "there is no such colour map");
  shade->label = keep_text(plot, shade->label);
}

static void keep_field(mote_panel *panel, mote_series *series, const mote_plot_field *field) {
  bool good = field != NULL && field->value != NULL && field->nx >= 1 && field->ny >= 1;
  good = good && isfinite(field->x0) && isfinite(field->x1) && isfinite(field->y0) && isfinite(field->y1);
  if (!good || field->x0 == field->x1 || field->y0 == field->y1) {
    complain(panel->plot, "a field needs values, at least one row and column, and finite edges apart");
    return;
  }
  if (!field->cells && (field->nx < 2 || field->ny < 2)) {
    complain(panel->plot, "a field without cells needs at least two rows and columns");
    return;
  }
  series->field = *field;
  series->field.value = keep_values(panel->plot, field->value, (size_t)field->nx * (size_t)field->ny);
}

static size_t field_count(const mote_series *series) {
  return series->field.value != NULL ? (size_t)series->field.nx * (size_t)series->field.ny : 0;
}

void mote_plot_heat(mote_panel *panel, const mote_plot_field *field, const mote_shade *shade) {
  mote_series *series = add_series(panel, MOTE_SERIES_HEAT, NULL);
  if (series == NULL) return;
  keep_field(panel, series, field);
  series->shade = shade != NULL ? *shade : mote_shade_default();
  complete_shade(panel->plot, series, series->field.value, field_count(series));
}

void mote_plot_scatter(mote_panel *panel, const double *x, const double *y, const double *value, size_t count,
                       const mote_style *style, const mote_shade *shade) {
  if (!check_arrays(panel, count, x, y, value)) return;
  mote_series *series = add_series(panel, MOTE_SERIES_SCATTER, style);
  if (series == NULL) return;
  if (series->style.marker == MOTE_MARKER_NONE) series->style.marker = MOTE_MARKER_DISC;
  keep_points(panel, series, x, y, value, count);
  series->shade = shade != NULL ? *shade : mote_shade_default();
  complete_shade(panel->plot, series, series->z, series->count);
}

void mote_plot_contour(mote_panel *panel, const mote_plot_field *field, const double *levels, int count,
                       const mote_style *style) {
  mote_series *series = add_series(panel, MOTE_SERIES_CONTOUR, style);
  if (series == NULL) return;
  if (series->style.colour.alpha == 0) series->style.colour = (mote_colour){40, 40, 40, 255};
  keep_field(panel, series, field);
  series->shade = mote_shade_default();
  complete_shade(panel->plot, series, series->field.value, field_count(series));
  mote_ticks ticks;
  if (levels == NULL) {
    mote_ticks_find(series->shade.low, series->shade.high, false, count, &ticks);
    levels = ticks.value;
    count = ticks.count;
  }
  series->z = keep_values(panel->plot, levels, count > 0 ? (size_t)count : 0);
  series->count = series->z != NULL && count > 0 ? (size_t)count : 0;
}

void mote_plot_surface(mote_panel *panel, const mote_plot_field *field, const mote_plot_surface_def *def) {
  mote_series *series = add_series(panel, MOTE_SERIES_SURFACE, NULL);
  if (series == NULL) return;
  series->surface = def != NULL ? *def : mote_plot_surface_def_default();
  const mote_plot_surface_def *s = &series->surface;
  if (!isfinite(s->azimuth) || !(s->elevation >= 0 && s->elevation <= 90) ||
      !(s->height > 0 && s->height <= 10))
    complain(panel->plot, "a surface is seen from 0 to 90 degrees above, in a box of height 0 to 10");
  keep_field(panel, series, field);
  series->shade = series->surface.shade;
  complete_shade(panel->plot, series, series->field.value, field_count(series));
}
