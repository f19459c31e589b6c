// EG09 Figs. 2 and 3: a balanced kd-tree and a hash grid, and the cells that a query looks into. The tree is
// that of EG09's Algorithm 1 with four samples in a leaf; ours has leaves of twelve and cuts across the
// widest axis (docs/theory/search_trees.md). Which samples are near is asked of mote_kdtree and mote_grid.
#include <math.h>
#include <mote/search.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/base/cli.h"
#include "figures/figure_plot.h"
#include "validate/approx/points.h"

enum { LEAF = 4, CELLS = 6, BUCKETS = 11, FOUND = 256 };

static const mote_colour line = {70, 80, 95, 255}, dark = {40, 50, 70, 255}, blue = {60, 120, 200, 255},
                         red = {210, 60, 50, 255}, tint = {250, 205, 120, 255};

// Samples that thin out to one corner: what a tree adapts to.
static points scattered(void) {
  points set = points_packing(2, 9, 1.0 / 9, 0.45, 5);
  for (size_t i = 0; i < set.count; ++i)
    for (int a = 0; a < 2; ++a) set.position[3 * i + a] *= sqrt(set.position[3 * i + a]);
  return set;
}

typedef struct tree_drawing {
  mote_panel *panel;
  double *position;  // in the order of the cuts
  const double *query;
  double radius;  // 0: no query
} tree_drawing;

static int by_x(const void *a, const void *b) {
  const double *p = a, *q = b;
  return (p[0] > q[0]) - (p[0] < q[0]);
}

static int by_y(const void *a, const void *b) {
  const double *p = a, *q = b;
  return (p[1] > q[1]) - (p[1] < q[1]);
}

static double distance_to_box(const double x[2], const double low[2], const double high[2]) {
  double dx = fmax(fmax(low[0] - x[0], x[0] - high[0]), 0.0),
         dy = fmax(fmax(low[1] - x[1], x[1] - high[1]), 0.0);
  return sqrt(dx * dx + dy * dy);
}

static void fill_box(mote_panel *panel, const double low[2], const double high[2]) {
  const double x[2] = {low[0], high[0]}, bottom[2] = {low[1], low[1]}, top[2] = {high[1], high[1]};
  const mote_style style = figure_style(tint, 1.0);
  mote_plot_band(panel, x, bottom, top, 2, &style);
}

// Algorithm 1: axes in turn, cut at the median.
static void draw_cell(const tree_drawing *d, size_t first, size_t count, int axis, const double low[2],
                      const double high[2]) {
  if (count <= LEAF) {
    if (d->radius > 0.0 && distance_to_box(d->query, low, high) < d->radius) fill_box(d->panel, low, high);
    const mote_style style = figure_style(line, 0.7);
    figure_plot_box(d->panel, low, high, &style);
    return;
  }
  double *set = d->position + 3 * first;
  qsort(set, count, 3 * sizeof *set, axis == 0 ? by_x : by_y);
  size_t half = count / 2;
  double cut = 0.5 * (set[3 * (half - 1) + (size_t)axis] + set[3 * half + (size_t)axis]);
  double inner_high[2] = {high[0], high[1]}, inner_low[2] = {low[0], low[1]};
  inner_high[axis] = inner_low[axis] = cut;
  draw_cell(d, first, half, 1 - axis, low, inner_high);
  draw_cell(d, first + half, count - half, 1 - axis, inner_low, high);
}

static void draw_samples(mote_panel *panel, const points *set, const uint32_t *near, size_t found) {
  figure_plot_dots(panel, set->position, set->count, 0.55, dark);
  for (size_t k = 0; k < found; ++k) figure_plot_dots(panel, set->position + 3 * near[k], 1, 0.75, red);
}

static void draw_query(mote_panel *panel, const double query[3], double radius) {
  const mote_style circle = figure_style(blue, 1.4);
  figure_plot_circle(panel, query[0], query[1], radius, &circle);
  mote_style cross = figure_style(blue, 0.0);
  cross.marker = MOTE_MARKER_CROSS, cross.marker_size = 1.2;
  mote_plot_line(panel, query, query + 1, 1, &cross);
}

static void draw_tree(mote_panel *panel, points *set, const double query[3], double radius) {
  const double low[2] = {0, 0}, high[2] = {1, 1};
  tree_drawing d = {panel, set->position, query, radius};
  uint32_t near[FOUND];
  size_t found = 0;
  draw_cell(&d, 0, set->count, 0, low, high);
  mote_kdtree *tree = NULL;
  mote_error error;
  if (radius > 0.0 && mote_kdtree_create(2, set->position, set->count, NULL, &tree, &error) == MOTE_OK)
    found = mote_kdtree_range(tree, query, radius, near, FOUND);
  mote_kdtree_destroy(tree);
  draw_samples(panel, set, near, found);
  if (radius > 0.0) draw_query(panel, query, radius);
}

// Cells of edge d. Those of [at - r, at + r] are looked into: 3 x 3 for d = r, 2 x 2 for d = 2r.
static void draw_grid(mote_panel *panel, const points *set, double d, const double query[3], double radius) {
  uint32_t near[FOUND];
  size_t found = 0;
  mote_grid_def def = mote_grid_def_default(radius);
  mote_grid *grid = NULL;
  mote_error error;
  def.domain = mote_domain_open(2), def.cell_size = d;
  const mote_style style = figure_style(line, 0.5);
  for (int pass = 0; pass < 2; ++pass) {
    for (int c = 0; c * d < 1.0; ++c) {
      for (int r = 0; r * d < 1.0; ++r) {
        const double low[2] = {c * d, r * d}, high[2] = {fmin(low[0] + d, 1.0), fmin(low[1] + d, 1.0)};
        bool within = fabs(floor(query[0] / d) - c) <= 1.0 && fabs(floor(query[1] / d) - r) <= 1.0;
        if (d > 1.5 * radius) within = distance_to_box(query, low, high) < radius;
        if (pass == 0 && within) fill_box(panel, low, high);
        if (pass == 1) figure_plot_box(panel, low, high, &style);
      }
    }
  }
  if (mote_grid_create(&def, NULL, &grid, &error) == MOTE_OK &&
      mote_grid_build(grid, set->position, set->count, &error) == MOTE_OK)
    found = mote_grid_query(grid, query, radius, near, FOUND);
  mote_grid_destroy(grid);
  draw_samples(panel, set, near, found);
  draw_query(panel, query, radius);
}

// (43) with the primes of Teschner et al. for a table of BUCKETS entries.
static unsigned bucket_of(unsigned i, unsigned j) {
  return ((i * 73856093U) ^ (j * 19349663U)) % BUCKETS;
}

// The grid on the left, the table on the right, and a line from some of the occupied cells to its entry.
static void draw_hash_table(mote_panel *panel, const points *set) {
  const double d = 0.8 / CELLS, top = 0.95, step = 0.9 / BUCKETS;
  bool used[CELLS][CELLS] = {{false}};
  const mote_style thin = figure_style(line, 0.5), link = figure_style(blue, 0.7);
  for (size_t i = 0; i < set->count; ++i) {
    const double *x = set->position + 3 * i;
    const double at[3] = {0.8 * x[0], 0.1 + 0.8 * x[1], 0};
    int c = (int)fmin(x[0] * CELLS, CELLS - 1), r = (int)fmin(x[1] * CELLS, CELLS - 1);
    if (i % 2 == 0 && (c + r) % 2 == 0) used[c][r] = true, figure_plot_dots(panel, at, 1, 0.5, dark);
  }
  for (int c = 0; c < CELLS; ++c) {
    for (int r = 0; r < CELLS; ++r) {
      const double low[2] = {c * d, 0.1 + r * d}, high[2] = {low[0] + d, low[1] + d};
      figure_plot_box(panel, low, high, &thin);
      double y = top - (bucket_of((unsigned)c, (unsigned)r) + 0.5) * step;
      if (used[c][r] && c >= CELLS - 2)
        figure_plot_arrow(panel, low[0] + 0.5 * d, low[1] + 0.5 * d, 0.98, y, &link);
    }
  }
  for (unsigned b = 0; b < BUCKETS; ++b) {
    const double low[2] = {1.0, top - (b + 1) * step}, high[2] = {1.12, top - b * step};
    char number[16];
    snprintf(number, sizeof number, "%u", b);
    figure_plot_box(panel, low, high, &thin);
    mote_plot_text(panel, 1.06, 0.5 * (low[1] + high[1]), MOTE_ANCHOR_CENTRE, number, dark);
  }
  mote_plot_text(panel, 0.9, 0.98, MOTE_ANCHOR_CENTRE, "H(i, j)", blue);
}

int draw_search_structures(const figure_output *out) {
  mote_plot_def def = mote_plot_def_default();
  def.width = 1100, def.height = 560, def.columns = 2, def.font_size = 20;
  mote_plot *plot = mote_plot_create(&def, NULL);
  points set = scattered();
  draw_hash_table(figure_plot_bare(plot, 0, 1, "(b) A hash grid and its table", -0.03, 1.15), &set);
  draw_tree(figure_plot_bare(plot, 0, 0, "(a) A balanced kd-tree", -0.02, 1.02), &set, NULL, 0.0);
  points_free(&set);
  return figure_plot_write(out, plot);
}

int draw_search_queries(const figure_output *out) {
  const double query[3] = {0.47, 0.55, 0}, radius = 0.125;
  mote_plot_def def = mote_plot_def_default();
  def.width = 1500, def.height = 540, def.columns = 3, def.font_size = 20;
  mote_plot *plot = mote_plot_create(&def, NULL);
  points set = scattered(), even = points_packing(2, 14, 1.0 / 14, 0.45, 5);
  draw_grid(figure_plot_bare(plot, 0, 1, "(b) Hash grid, d = r: 9 cells", -0.02, 1.02), &even, radius, query,
            radius);
  draw_grid(figure_plot_bare(plot, 0, 2, "(c) Hash grid, d = 2r: 4 cells", -0.02, 1.02), &even, 2.0 * radius,
            query, radius);
  draw_tree(figure_plot_bare(plot, 0, 0, "(a) kd-tree", -0.02, 1.02), &set, query, radius);
  points_free(&set);
  points_free(&even);
  return figure_plot_write(out, plot);
}
