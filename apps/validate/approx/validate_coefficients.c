// Validation of the effective coefficients: on the packing against packing sums; elsewhere shown. With -o DIR
// the tables and plots of docs/coefficients.md, from which solvers choose their forms and supports.
#include <errno.h>
#include <mote/draw.h>
#include <stdio.h>
#include <string.h>

#include "cli/base/cli.h"
#include "validate/approx/coefficients.h"

static const char *kernel_name(int kernel) {
  return mote_kernel_name(coefficient_kernels[kernel]);
}

// A wave of 2 pi/k changes the limit of long waves by about k^2 R^2/20: 0.2 % at 3 spacings.
static void report(validation *v, const coefficients *c, int kernel, int set, int number) {
  const probe *p = &coefficient_probes[number];
  double support = coefficient_supports[COEFFICIENT_USUAL];
  mote_kernel k = mote_kernel_make(coefficient_kernels[kernel], c->dimensions, support);
  double theory = coefficients_of_packing(c->dimensions, &k, p);
  char name[128];
  snprintf(name, sizeof name, "%s, %s, %s", p->name, coefficient_sets[set], kernel_name(kernel));
  bool exact = p->gradient && p->form == MOTE_GRADIENT_CORRECTED;
  bool judged = theory > 0.0 && (set == SET_PACKING || exact);
  measure m = {.name = name,
               .kind = judged ? MEASURE_NEAR : MEASURE_SHOWN,
               .value = c->at[kernel][COEFFICIENT_USUAL][set][number].ratio,
               .reference = judged ? theory : 1.0,
               .tolerance = 0.004,
               .source = judged && !exact ? "lattice sum" : "exact"};
  validation_report(v, &m);
}

static void write_table(FILE *file, const coefficients *c, int kernel) {
  fprintf(file, "### %dD, %s\n\n| form | set |", c->dimensions, kernel_name(kernel));
  for (int s = 0; s < COEFFICIENT_SUPPORTS; ++s) fprintf(file, " R = %.1f |", coefficient_supports[s]);
  fprintf(file, "\n| --- | --- |");
  for (int s = 0; s < COEFFICIENT_SUPPORTS; ++s) fprintf(file, " --- |");
  for (int p = 0; p < COEFFICIENT_PROBES; ++p) {
    for (int set = 0; set < COEFFICIENT_SETS; ++set) {
      fprintf(file, "\n| %s | %s |", set == 0 ? coefficient_probes[p].name : "", coefficient_sets[set]);
      for (int s = 0; s < COEFFICIENT_SUPPORTS; ++s) {
        coefficient x = c->at[kernel][s][set][p];
        fprintf(file, " %.3f", x.ratio);
        if (x.scatter >= 5e-4) fprintf(file, " ± %.2g", x.scatter);
        fprintf(file, " |");
      }
    }
  }
  fprintf(file, "\n\n");
}

static void write_tables(validation *v, const coefficients *c, const char *path) {
  FILE *file = fopen(path, "w");
  for (int k = 0; k < COEFFICIENT_KERNELS && file != NULL; ++k) write_table(file, c, k);
  if (file != NULL && fclose(file) == 0) return;
  mote_error error = {.code = MOTE_ERROR_FILE};
  snprintf(error.text, sizeof error.text, "%.256s: cannot be written: %s", path, strerror(errno));
  validation_error(v, &error);
}

// The lines of a panel: ratio or scatter over the support, colour by form, dashes for the cubic spline.
static void draw_panel(mote_panel *panel, const coefficients *c, int set, bool scatter) {
  static const int shown[] = {1, 3, 5, 7, 8, 10, 12};
  for (int n = 0; n < (int)(sizeof shown / sizeof shown[0]); ++n) {
    for (int k = COEFFICIENT_KERNELS - 1; k >= 0; --k) {
      double y[COEFFICIENT_SUPPORTS];
      for (int s = 0; s < COEFFICIENT_SUPPORTS; ++s) {
        coefficient x = c->at[k][s][set][shown[n]];
        y[s] = scatter ? x.scatter : x.ratio;
      }
      mote_style style = mote_style_default();
      style.colour = mote_colour_cycle(n);
      style.dash = k == 0 ? MOTE_DASH_LONG : MOTE_DASH_NONE;
      style.label = k == 0 ? NULL : coefficient_probes[shown[n]].name;
      mote_plot_line(panel, coefficient_supports, y, COEFFICIENT_SUPPORTS, &style);
    }
  }
}

static void draw(validation *v, const coefficients *c, const char *path) {
  mote_plot_def def = mote_plot_def_default();
  def.width = 1800, def.height = 1900, def.rows = 3, def.columns = 2;
  char title[128];
  snprintf(title, sizeof title, "Effective coefficients in %dD: %s solid, %s dashed", c->dimensions,
           kernel_name(1), kernel_name(0));
  def.title = title;
  mote_plot *plot = mote_plot_create(&def, validation_env(v));
  static const int sets[6] = {SET_PACKING, SET_TURNED, SET_JITTERED, SET_RELAXED, SET_JITTERED, SET_RELAXED};
  for (int place = 0; place < 6; ++place) {
    bool scatter = place >= 4;
    int set = sets[place];
    mote_panel_def panel = mote_panel_def_default();
    panel.title = coefficient_sets[set];
    panel.x.label = "support radius, spacings";
    panel.y.label = scatter ? "scatter" : "ratio to the exact value";
    panel.y.log = scatter;
    if (!scatter) panel.y.low = 0.5, panel.y.high = 1.4;
    panel.legend = place == 0 ? MOTE_LEGEND_BOTTOM_RIGHT : MOTE_LEGEND_NONE;
    draw_panel(mote_plot_panel(plot, place / 2, place % 2, &panel), c, set, scatter);
  }
  mote_error error;
  if (mote_plot_write(plot, path, &error) != MOTE_OK) validation_error(v, &error);
  mote_plot_destroy(plot);
}

static void run(validation *v, int dimensions) {
  static coefficients c;
  if (!coefficients_measure(v, dimensions, &c)) return;
  for (int k = 0; k < COEFFICIENT_KERNELS; ++k) {
    for (int p = 0; p < COEFFICIENT_PROBES; ++p) {
      for (int set = 0; set < COEFFICIENT_SETS; ++set) report(v, &c, k, set, p);
    }
  }
  char name[64], path[1024];
  snprintf(name, sizeof name, "coefficients-%dd.md", dimensions);
  if (validation_quick(v) || !validation_plot_path(v, name, path, sizeof path)) return;
  write_tables(v, &c, path);
  snprintf(name, sizeof name, "coefficients-%dd.svg", dimensions);
  if (validation_plot_path(v, name, path, sizeof path)) draw(v, &c, path);
}

void validate_coefficients_2d(validation *v) {
  run(v, 2);
}

void validate_coefficients_3d(validation *v) {
  run(v, 3);
}
