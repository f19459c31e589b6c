// Figures of weights and shape functions beside a crack: visibility and transparency (EG09 Figs. 9 and 10),
// and resampling (Fig. 11).
#include <math.h>
#include <mote/fracture.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/files/input_file.h"
#include "figures/figure_plot.h"
#include "validate/approx/points.h"
#include "validate/fracture/fracture_trial.h"

enum { PIXELS = 181, SIDE = 11 };

#define WIDE_SUPPORT 3.6    // support of the samples of Figs. 9 and 10, in spacings
#define NARROW_SUPPORT 2.3  // of Fig. 11: few neighbours are left beside the crack
#define TIP_POSITION 0.55   // the crack runs from the left to here, half-way up the unit square
#define OMEGA_MIN 10.0      // as in EG09 7.3; worlds take 6 in 2D

static const mote_colour white = {255, 255, 255, 255}, red = {240, 70, 60, 255};

// Samples in the unit square, and a crack.
typedef struct crack_plate {
  mote_split_rows row;
  double spacing;
  mote_cracks *cracks;
  mote_crack_rule rule;
  mote_error error;
  bool ok;
} crack_plate;

static void keep(crack_plate *p, mote_result result) {
  if (result == MOTE_OK || !p->ok) return;
  p->ok = false;
  complain_error(&p->error);
}

static crack_plate open_plate(double tip, double support) {
  points set = points_packing(2, SIDE, 1.0 / SIDE, 0.35, 5);
  crack_plate p = {.row = split_rows_take(set.count), .spacing = set.spacing, .ok = true};
  const double ends[6] = {-2.0, 0.5, 0.0, tip, 0.5, 0.0};
  memcpy(p.row.rest, set.position, 3 * set.count * sizeof(double));
  memcpy(p.row.position, set.position, 3 * set.count * sizeof(double));
  for (size_t i = 0; i < set.count; ++i)
    p.row.support[i] = support * p.spacing, p.row.volume[i] = p.spacing * p.spacing;
  points_free(&set);
  keep(&p, mote_cracks_create(2, NULL, &p.cracks, &p.error));
  if (p.ok) keep(&p, mote_cracks_add_polygon(p.cracks, ends, 2, p.spacing, &p.error));
  p.rule =
      (mote_crack_rule){.cracks = p.cracks, .margin = 0.05 * p.spacing, .kernel = MOTE_KERNEL_WENDLAND_C2};
  return p;
}

static void close_plate(crack_plate *p) {
  mote_cracks_destroy(p->cracks);
  split_rows_free(&p->row);
}

static size_t nearest_to(const crack_plate *p, double x, double y) {
  size_t best = 0;
  double least = HUGE_VAL;
  for (size_t i = 0; i < p->row.count; ++i) {
    double distance = hypot(p->row.rest[3 * i] - x, p->row.rest[3 * i + 1] - y);
    if (distance < least) least = distance, best = i;
  }
  return best;
}

static void pixel_at(int k, double x[3]) {
  x[0] = (double)(k % PIXELS) / (PIXELS - 1), x[1] = (double)(k / PIXELS) / (PIXELS - 1), x[2] = 0.0;
}

// Weight of sample i over the square; of its own place 1.
static void find_weight(crack_plate *p, size_t i, double *out) {
  const double *own = p->row.rest + 3 * i, none[3] = {0};
  double unit = 1.0, radius = p->row.support[i], dw[3], ddw[6];
  mote_crack_rule_weight(&p->rule, (uint32_t)i, own, none, radius, 0, &unit, dw, ddw);
  for (int k = 0; k < PIXELS * PIXELS && p->ok; ++k) {
    double x[3], w = 0.0;
    pixel_at(k, x);
    const double offset[3] = {x[0] - own[0], x[1] - own[1], 0.0};
    if (hypot(offset[0], offset[1]) < radius)
      mote_crack_rule_weight(&p->rule, (uint32_t)i, x, offset, radius, 0, &w, dw, ddw);
    out[k] = w / unit;
  }
}

// Shape function of sample i, order 1.
static void find_shape(crack_plate *p, size_t i, double *out) {
  double *at = input_take(3 * PIXELS * PIXELS, sizeof *at), *one = input_take(p->row.count, sizeof *one);
  mote_mls_def def = mote_mls_def_default();
  mote_mls *mls = NULL;
  mote_mls_shapes *shapes = NULL;
  def.domain = mote_domain_open(2), def.order = 1;
  def.position = p->row.rest, def.count = p->row.count, def.radius = p->row.support;
  def.weight = mote_crack_rule_weight, def.weight_user = &p->rule;
  for (int k = 0; k < PIXELS * PIXELS; ++k) pixel_at(k, at + 3 * k);
  one[i] = 1.0;
  if (p->ok) keep(p, mote_mls_create(&def, NULL, &mls, &p->error));
  if (p->ok) keep(p, mote_mls_shapes_create(mls, at, PIXELS * PIXELS, 0, NULL, &shapes, &p->error));
  if (p->ok) keep(p, mote_mls_apply(shapes, one, 1, out, NULL, NULL, &p->error));
  mote_mls_shapes_destroy(shapes), mote_mls_destroy(mls);
  free(at), free(one);
}

// A field over the square with the crack and the samples, i of them marked.
static mote_panel *draw_field(mote_plot *plot, int row, int column, const char *title, const double *value,
                              const crack_plate *p, size_t i, double tip) {
  mote_panel *panel = figure_plot_bare(plot, row, column, title, 0.0, 1.0);
  const mote_plot_field field = {value, PIXELS, PIXELS, 0.0, 1.0, 0.0, 1.0, false};
  const mote_style crack = figure_style(white, 2.0);
  const double x[2] = {0.0, tip}, y[2] = {0.5, 0.5};
  mote_style cross = figure_style(red, 0.0);
  cross.marker = MOTE_MARKER_CROSS, cross.marker_size = 1.6;
  mote_plot_heat(panel, &field, NULL);
  mote_plot_line(panel, x, y, 2, &crack);
  for (size_t k = 0; k < p->row.count; ++k)
    figure_plot_dots(panel, p->row.rest + 3 * k, 1, p->row.support[k] < 2.0 * p->spacing ? 0.3 : 0.45,
                     (mote_colour){255, 255, 255, 200});
  mote_plot_line(panel, p->row.rest + 3 * i, p->row.rest + 3 * i + 1, 1, &cross);
  return panel;
}

static void draw_segment(mote_panel *panel, const double a[2], const double b[2], const mote_style *style) {
  const double x[2] = {a[0], b[0]}, y[2] = {a[1], b[1]};
  mote_plot_line(panel, x, y, 2, style);
}

// --- EG09 Fig. 9 ------------------------------------------------------------------------------------------

// The line beyond the tip that sample i does not see past.
static void draw_shadow(mote_panel *panel, const double own[2], double radius) {
  const double tip[2] = {TIP_POSITION, 0.5}, along[2] = {TIP_POSITION - own[0], 0.5 - own[1]};
  double far = radius / hypot(along[0], along[1]);
  const double end[2] = {own[0] + far * along[0], own[1] + far * along[1]};
  mote_style dashed = figure_style(red, 1.5);
  dashed.dash = MOTE_DASH_LONG;
  draw_segment(panel, tip, end, &dashed);
}

// A ray through the crack: x_i, x_s, x_j, and the distance from x_s to the tip.
static void draw_ray(mote_panel *panel, const double own[2], double radius) {
  const double s[2] = {TIP_POSITION - 0.5 * (TIP_POSITION - own[0]) - 0.03, 0.5},
               tip[2] = {TIP_POSITION, 0.5};
  double far = 0.85 * radius / hypot(s[0] - own[0], s[1] - own[1]);
  const double j[3] = {own[0] + far * (s[0] - own[0]), own[1] + far * (s[1] - own[1]), 0.0};
  const mote_style ray = figure_style(red, 1.2), span = figure_style(red, 3.0);
  draw_segment(panel, own, j, &ray);
  draw_segment(panel, s, tip, &span);
  figure_plot_dots(panel, j, 1, 0.9, red);
  mote_plot_text(panel, j[0] + 0.02, j[1] + 0.01, MOTE_ANCHOR_LEFT, "x_j", white);
  mote_plot_text(panel, s[0] - 0.015, 0.475, MOTE_ANCHOR_RIGHT, "x_s", white);
  mote_plot_text(panel, 0.5 * (s[0] + TIP_POSITION), 0.525, MOTE_ANCHOR_LEFT, "d_s", white);
}

int draw_crack_criteria(const figure_output *out) {
  static const char *const title[2] = {"Visibility: a jump where the crack casts a shadow",
                                       "Transparency (70): no jump but at the crack"};
  crack_plate p = open_plate(TIP_POSITION, WIDE_SUPPORT);
  double *value = input_take(PIXELS * PIXELS, sizeof *value);
  mote_plot_def def = mote_plot_def_default();
  def.width = 1700, def.height = 800, def.columns = 2, def.font_size = 22;
  mote_plot *plot = mote_plot_create(&def, NULL);
  size_t i = nearest_to(&p, 0.5, 0.42);
  const double *own = p.row.rest + 3 * i;
  for (int k = 0; k < 2; ++k) {
    p.rule.opacity = k == 0 ? 0.0 : p.spacing;
    find_weight(&p, i, value);
    mote_panel *panel = draw_field(plot, 0, k, title[k], value, &p, i, TIP_POSITION);
    mote_plot_text(panel, own[0] + 0.02, own[1] - 0.02, MOTE_ANCHOR_LEFT, "x_i", white);
    (k == 0 ? draw_shadow : draw_ray)(panel, own, p.row.support[i]);
  }
  int status = figure_plot_write(out, plot);
  status = p.ok ? status : EXIT_FAILED;
  free(value);
  close_plate(&p);
  return status;
}

// --- EG09 Fig. 10 -----------------------------------------------------------------------------------------

int draw_crack_shapes(const figure_output *out) {
  static const char *const title[4] = {"Visibility: weight function ω", "Visibility: shape function Φ",
                                       "Transparency: weight function ω", "Transparency: shape function Φ"};
  crack_plate p = open_plate(TIP_POSITION, WIDE_SUPPORT);
  double *value = input_take(PIXELS * PIXELS, sizeof *value);
  mote_plot_def def = mote_plot_def_default();
  def.width = 1700, def.height = 1560, def.rows = 2, def.columns = 2, def.font_size = 22;
  mote_plot *plot = mote_plot_create(&def, NULL);
  size_t i = nearest_to(&p, 0.5, 0.42);
  for (int k = 0; k < 4; ++k) {
    p.rule.opacity = k < 2 ? 0.0 : p.spacing;
    (k % 2 == 0 ? find_weight : find_shape)(&p, i, value);
    draw_field(plot, k / 2, k % 2, title[k], value, &p, i, TIP_POSITION);
  }
  int status = figure_plot_write(out, plot);
  status = p.ok ? status : EXIT_FAILED;
  free(value);
  close_plate(&p);
  return status;
}

// --- EG09 Fig. 11 -----------------------------------------------------------------------------------------

// Numbers of pairs without the crack: those of i begin at first[i].
static size_t *count_pairs(const crack_plate *p) {
  size_t *first = input_take(p->row.count + 1, sizeof *first), pairs = 0;
  for (size_t i = 0; i < p->row.count; ++i) {
    first[i] = pairs;
    for (size_t j = 0; j < p->row.count; ++j) {
      double distance =
          hypot(p->row.rest[3 * j] - p->row.rest[3 * i], p->row.rest[3 * j + 1] - p->row.rest[3 * i + 1]);
      pairs += j != i && distance < p->row.support[i];
    }
  }
  first[p->row.count] = pairs;
  return first;
}

// Gives the row of a split sample near the middle of the crack; it keeps its row.
static size_t resample(crack_plate *p) {
  size_t *uncut = count_pairs(p), splits = 0;
  uint32_t *row = input_take(p->row.count, sizeof *row);
  bool limited = false;
  mote_elastic *body = NULL;
  mote_elastic_def def = mote_elastic_def_default();
  mote_elastic_motion motion = {.position = p->row.position, .velocity = p->row.velocity};
  mote_split_def how = {.omega_min = OMEGA_MIN,
                        .least_spacing = 0.4 * p->spacing,
                        .most = 4 * p->row.count,
                        .uncut = uncut,
                        .crosses = split_rows_cross,
                        .user = p->cracks};
  def.dimensions = 2, def.order = 1, def.young = 1e6, def.density = 1000.0;
  def.path_length = mote_crack_rule_path_length, def.user = &p->rule;
  if (p->ok) keep(p, split_rows_body(&p->row, def, NULL, &body, &p->error));
  if (p->ok) keep(p, mote_elastic_find_splits(body, &how, NULL, 0, row, &splits, &limited, &p->error));
  if (p->ok) {
    mote_split_rows more = split_rows_take(mote_elastic_split_count(body, splits));
    keep(p, mote_elastic_split(body, &how, &motion, row, splits, &more, &p->error));
    split_rows_free(&p->row);
    p->row = more;
  }
  size_t found = 0;
  double least = HUGE_VAL;
  for (size_t k = 0; k < splits && p->ok; ++k) {
    const double *x = p->row.rest + 3 * (size_t)row[k];
    double distance = hypot(x[0] - 0.35, x[1] - 0.5);
    if (distance < least) least = distance, found = row[k];
  }
  mote_elastic_destroy(body);
  free(uncut), free(row);
  return found;
}

int draw_crack_resampling(const figure_output *out) {
  crack_plate p[2] = {open_plate(0.75, NARROW_SUPPORT), open_plate(0.75, NARROW_SUPPORT)};
  double *value = input_take(PIXELS * PIXELS, sizeof *value);
  mote_plot_def def = mote_plot_def_default();
  def.width = 1700, def.height = 800, def.columns = 2, def.font_size = 22;
  mote_plot *plot = mote_plot_create(&def, NULL);
  p[0].rule.opacity = p[1].rule.opacity = p[0].spacing;
  size_t i = resample(&p[1]);
  for (int k = 0; k < 2; ++k) {
    char title[96];
    snprintf(title, sizeof title, "%s: Φ of one of %zu samples", k == 0 ? "No resampling" : "Resampling",
             p[k].row.count);
    find_shape(&p[k], i, value);
    draw_field(plot, 0, k, title, value, &p[k], i, 0.75);
  }
  int status = figure_plot_write(out, plot);
  status = p[0].ok && p[1].ok ? status : EXIT_FAILED;
  free(value);
  close_plate(&p[0]), close_plate(&p[1]);
  return status;
}
