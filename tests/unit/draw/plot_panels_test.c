// Panels side by side, legends, and errors that wait for the write.
#define _XOPEN_SOURCE 700
#include <math.h>
#include <mote/draw.h>
#include <unistd.h>

#include "plot_page.h"

static void panels_are_aligned(void) {
  mote_plot_def size = mote_plot_def_default();
  size.rows = size.columns = 2;
  size.title = "Four";
  mote_plot *plot = mote_plot_create(&size, NULL);
  for (int k = 0; k < 4; ++k) {
    mote_panel_def def = mote_panel_def_default();
    double x[2] = {0, 1}, y[2] = {0, k == 0 ? 1e4 : 1};
    if (k == 1) def.title = "title";
    if (k == 2) def.y.label = "label";
    mote_plot_line(mote_plot_panel(plot, k / 2, k % 2, &def), x, y, 2, NULL);
  }
  mote_view v[4];
  mote_plot_views(plot, 1, v);
  CHECK(v[0].axes_box.x0 == v[2].axes_box.x0 && v[1].axes_box.x1 == v[3].axes_box.x1);
  CHECK(v[0].axes_box.y0 == v[1].axes_box.y0 && v[2].axes_box.y1 == v[3].axes_box.y1);
  CHECK(v[0].axes_box.x1 < v[1].axes_box.x0 && v[0].axes_box.y1 < v[2].axes_box.y0);
  for (int k = 0; k < 4; ++k)
    CHECK(v[k].axes_box.x0 > 0 && v[k].axes_box.x1 < 1200 && v[k].axes_box.y1 < 800);
  mote_plot_destroy(plot);
}

static void equal_aspect_is_equal(void) {
  mote_panel *panel;
  mote_panel_def def = mote_panel_def_default();
  def.equal_aspect = true;
  mote_plot *plot = small_plot(&panel, &def);
  const double x[2] = {0, 3}, y[2] = {0, 1};
  mote_plot_line(panel, x, y, 2, NULL);
  mote_view view = view_of(plot);
  double dx = mote_scale_at(&view.x, 1) - mote_scale_at(&view.x, 0);
  double dy = mote_scale_at(&view.y, 0) - mote_scale_at(&view.y, 1);
  CHECK_NEAR(dx / dy, 1, 0.02);  // frames end at whole pixels
  mote_plot_destroy(plot);
}

// A legend goes where nothing is hidden.
static void legends_find_the_empty_corner(void) {
  static const double corner[4][2] = {{0.02, 0.98}, {0.98, 0.98}, {0.02, 0.02}, {0.98, 0.02}};
  for (int empty = 0; empty < 4; ++empty) {
    mote_panel *panel;
    mote_panel_def def = bare_def();
    mote_plot *plot = small_plot(&panel, &def);
    double x[300], y[300];
    int count = 0;
    for (int c = 0; c < 4; ++c)
      for (int k = 0; k < 100 && c != empty; ++k, ++count) {
        x[count] = fabs(corner[c][0] - 0.04 * (k % 10));
        y[count] = fabs(corner[c][1] - 0.04 * (k / 10));
      }
    mote_style style = mote_style_default();
    style.label = "dots";
    style.width = 0;
    style.marker = MOTE_MARKER_DISC;
    style.colour = (mote_colour){255, 0, 0, 255};
    mote_plot_line(panel, x, y, (size_t)count, &style);
    mote_view view = view_of(plot);
    mote_image *image = rendered(plot);
    int ink[4] = {0, 0, 0, 0};  // dark letters, by corner
    for (int v = view.axes_box.y0 + 2; v < view.axes_box.y1 - 2; ++v)
      for (int u = view.axes_box.x0 + 2; u < view.axes_box.x1 - 2; ++u) {
        mote_colour c = mote_image_get(image, u, v);
        int where = (u > (view.axes_box.x0 + view.axes_box.x1) / 2) +
                    2 * (v > (view.axes_box.y0 + view.axes_box.y1) / 2);
        ink[where] += c.red < 100;
      }
    for (int c = 0; c < 4; ++c) CHECK((ink[c] > 10) == (c == empty));
    mote_image_destroy(image);
  }
}

static void trouble_is(mote_plot *plot, mote_result code, const char *words) {
  mote_error error = {.code = MOTE_OK};
  CHECK(mote_plot_write(plot, "/tmp/never-written.png", &error) == code);
  if (!CHECK(strstr(error.text, words) != NULL)) fprintf(stderr, "  %s\n", error.text);
  CHECK(access("/tmp/never-written.png", F_OK) != 0);
  mote_plot_destroy(plot);
}

static void plots_with_bad_definitions(void) {
  mote_plot_def def = mote_plot_def_default();
  def.width = 0;
  trouble_is(mote_plot_create(&def, NULL), MOTE_ERROR_ARGUMENT, "width");
  def = mote_plot_def_default();
  def.rows = 0;
  trouble_is(mote_plot_create(&def, NULL), MOTE_ERROR_ARGUMENT, "rows");
  def = mote_plot_def_default();
  def.font_size = NONE;
  trouble_is(mote_plot_create(&def, NULL), MOTE_ERROR_ARGUMENT, "font");
  trouble_is(NULL, MOTE_ERROR_MEMORY, "could not be created");
  mote_plot *plot = mote_plot_create(NULL, NULL);
  CHECK(mote_plot_panel(plot, 0, 1, NULL) == NULL);
  trouble_is(plot, MOTE_ERROR_ARGUMENT, "outside");
  plot = mote_plot_create(NULL, NULL);
  mote_plot_panel(plot, 0, 0, NULL);
  CHECK(mote_plot_panel(plot, 0, 0, NULL) == NULL);
  trouble_is(plot, MOTE_ERROR_ARGUMENT, "two panels");
  CHECK(mote_plot_panel(NULL, 0, 0, NULL) == NULL);
}

static void axis_trouble(double low, double high, bool log, const char *words) {
  mote_plot *plot = mote_plot_create(NULL, NULL);
  mote_panel_def def = mote_panel_def_default();
  def.y = (mote_plot_axis){.low = low, .high = high, .log = log};
  mote_plot_panel(plot, 0, 0, &def);
  trouble_is(plot, MOTE_ERROR_ARGUMENT, words);
}

static void series_with_bad_values(void) {
  const double x[4] = {0, 1, 2, 3};
  mote_panel *panel;
  axis_trouble(0, (double)INFINITY, false, "infinity");
  axis_trouble(1, 1, false, "same value");
  axis_trouble(0, 1, true, "above 0");
  mote_plot *plot = small_plot(&panel, NULL);
  mote_plot_line(panel, x, NULL, 4, NULL);
  trouble_is(plot, MOTE_ERROR_ARGUMENT, "null");
  plot = small_plot(&panel, NULL);
  mote_style style = mote_style_default();
  style.width = -1;
  mote_plot_line(panel, x, x, 4, &style);
  trouble_is(plot, MOTE_ERROR_ARGUMENT, "style");
  const mote_plot_field bad[] = {{NULL, 2, 2, 0, 1, 0, 1, false},
                                 {x, 1, 4, 0, 1, 0, 1, false},
                                 {x, 0, 2, 0, 1, 0, 1, true},
                                 {x, 2, 2, 0, 0, 0, 1, false},
                                 {x, 2, 2, 0, NONE, 0, 1, false}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
    plot = small_plot(&panel, NULL);
    mote_plot_heat(panel, bad + k, NULL);
    trouble_is(plot, MOTE_ERROR_ARGUMENT, "field");
  }
  mote_plot_field field = {x, 2, 2, 0, 1, 0, 1, false};
  mote_shade shade = mote_shade_default();
  shade.low = 5;
  shade.high = 3;
  plot = small_plot(&panel, NULL);
  mote_plot_heat(panel, &field, &shade);
  trouble_is(plot, MOTE_ERROR_ARGUMENT, "colours");
  plot = small_plot(&panel, NULL);
  mote_plot_line(panel, x, x, 4, NULL);
  mote_plot_surface(panel, &field, NULL);
  trouble_is(plot, MOTE_ERROR_ARGUMENT, "surface");
  mote_plot_line(NULL, x, x, 4, NULL);
  mote_plot_line(NULL, NULL, x, 4, NULL);
  mote_plot_heat(NULL, &field, NULL);
  mote_plot_text(NULL, 0, 0, MOTE_ANCHOR_LEFT, "x", (mote_colour){0, 0, 0, 0});
}

static void files_that_cannot_be(void) {
  mote_panel *panel;
  mote_plot *plot = small_plot(&panel, NULL);
  mote_error error;
  CHECK(mote_plot_write(plot, "plot.jpeg", &error) == MOTE_ERROR_ARGUMENT &&
        strstr(error.text, ".svg") != NULL);
  CHECK(mote_plot_write(plot, ".png", &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_plot_write(plot, NULL, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_plot_write(plot, "/nowhere/plot.svg", &error) == MOTE_ERROR_FILE);
  CHECK_TEXT(error.file, "/nowhere/plot.svg");
  mote_plot_destroy(plot);
}

int main(void) {
  panels_are_aligned();
  equal_aspect_is_equal();
  legends_find_the_empty_corner();
  plots_with_bad_definitions();
  series_with_bad_values();
  files_that_cannot_be();
  return test_end();
}
