// Misuse of images and plots: what is null, out of range, not a number, too many or too large is told by a
// sentence when the plot is written, and values of any size are drawn without harm.
#define _XOPEN_SOURCE 700
#include <math.h>
#include <mote/draw.h>
#include <stdint.h>
#include <stdlib.h>

#include "abuse.h"

static mote_error error;
static char folder[] = "/tmp/mote-abuse-XXXXXX", svg_path[64];

static void *untouched(void) {
  static char somewhere;
  return &somewhere;
}

static void images(void) {
  mote_image *image = untouched();
  const int bad[][2] = {{0, 1},        {1, 0}, {-1, 5}, {MOTE_IMAGE_SIDE_MAX + 1, 1}, {INT32_MAX, INT32_MAX},
                        {32768, 32768}};
  for (int k = 0; k < 6; ++k) {
    REFUSED(mote_image_create(bad[k][0], bad[k][1], NULL, &image, &error), ARGUMENT, "pixels");
  }
  REFUSED(mote_image_create(1, 1, NULL, NULL, &error), ARGUMENT, "out");
  REFUSED(mote_image_read(NULL, NULL, &image, &error), ARGUMENT, "null");
  REFUSED(mote_image_read("x.png", NULL, NULL, &error), ARGUMENT, "null");
  REFUSED(mote_image_read("no such file.png", NULL, &image, &error), FILE, "cannot be read");
  REFUSED(mote_image_read("/dev/null", NULL, &image, &error), FORMAT, "empty");
  REFUSED(mote_image_read("/", NULL, &image, &error), FILE, "cannot be read");
  CHECK(image == untouched());
  mote_env env = {.threads = 0};  // a null allocator is the usual one
  if (!CHECK(mote_image_create(2, 2, &env, &image, &error) == MOTE_OK)) return;
  mote_image_set(image, -1, 0, (mote_colour){1, 2, 3, 4});
  mote_image_set(image, INT32_MAX, INT32_MIN, (mote_colour){1, 2, 3, 4});
  CHECK(mote_image_get(image, 2, 0).alpha == 0 && mote_image_get(image, INT32_MIN, 0).alpha == 0);
  char long_key[81];
  memset(long_key, 'k', 80), long_key[80] = 0;
  const char *keys[] = {NULL, "", " a", "a ", "\xc3\xa4", "a\nb", long_key};
  for (int k = 0; k < 7; ++k) REFUSED(mote_image_set_text(image, keys[k], "x", &error), ARGUMENT, "key");
  REFUSED(mote_image_set_text(image, "Title", NULL, &error), ARGUMENT, "value");
  REFUSED(mote_image_set_text(NULL, "Title", "x", &error), ARGUMENT, "null");
  CHECK(mote_image_text(image, NULL) == NULL && mote_image_text(image, "Title") == NULL);
  REFUSED(mote_image_write(NULL, "x.png", &error), ARGUMENT, "null");
  REFUSED(mote_image_write(image, NULL, &error), ARGUMENT, "name");
  REFUSED(mote_image_write(image, "", &error), ARGUMENT, "name");
  REFUSED(mote_image_write(image, "/no/such/folder/x.png", &error), FILE, "cannot be written");
  REFUSED(mote_image_write(image, "/", &error), FILE, "cannot be written");
  mote_image_destroy(image);
  mote_image_destroy(NULL);
}

static void colours(void) {
  CHECK(mote_colour_map_at(MOTE_MAP_GREY, (double)NAN).alpha == 0);
  CHECK(mote_colour_map_at(MOTE_MAP_GREY, -1e300).red == 0 &&
        mote_colour_map_at(MOTE_MAP_GREY, 1e300).red == 255);

  const int cycle[] = {-1, INT32_MIN, INT32_MAX};
  for (int k = 0; k < 3; ++k) CHECK(mote_colour_cycle(cycle[k]).alpha == 255);
}

typedef void spoil(mote_plot *plot, mote_panel *panel);

static const double four[4] = {1, 2, 3, 4};
static const double nan_value = (double)NAN, infinity = (double)INFINITY;

static mote_plot_field field_of(int nx, int ny) {
  return (mote_plot_field){.value = four, .nx = nx, .ny = ny, .x0 = 0, .x1 = 1, .y0 = 0, .y1 = 1};
}

static void spoil_null_line(mote_plot *plot, mote_panel *panel) {
  (void)plot;
  mote_plot_line(panel, NULL, four, 4, NULL);
}
static void spoil_many(mote_plot *plot, mote_panel *panel) {
  (void)plot;
  mote_plot_line(panel, four, four, SIZE_MAX, NULL);
}
static void spoil_many_band(mote_plot *plot, mote_panel *panel) {
  (void)plot;
  mote_plot_band(panel, four, four, four, SIZE_MAX / 8, NULL);
}
static void spoil_many_scatter(mote_plot *plot, mote_panel *panel) {
  (void)plot;
  mote_plot_scatter(panel, four, four, four, SIZE_MAX / 16, NULL, NULL);
}
static void spoil_large_field(mote_plot *plot, mote_panel *panel) {
  (void)plot;
  mote_plot_field field = field_of(INT32_MAX, INT32_MAX);
  mote_plot_heat(panel, &field, NULL);
}
static void spoil_null_field(mote_plot *plot, mote_panel *panel) {
  (void)plot;
  mote_plot_heat(panel, NULL, NULL);
}
static void spoil_narrow_field(mote_plot *plot, mote_panel *panel) {
  (void)plot;
  mote_plot_field field = field_of(1, 4);
  mote_plot_contour(panel, &field, NULL, 5, NULL);
}
static void spoil_flat_field(mote_plot *plot, mote_panel *panel) {
  (void)plot;
  mote_plot_field field = field_of(2, 2);
  field.x1 = nan_value;
  mote_plot_surface(panel, &field, NULL);
}
static void spoil_panel_place(mote_plot *plot, mote_panel *panel) {
  (void)panel;
  CHECK(mote_plot_panel(plot, 3, -1, NULL) == NULL);
}
static void spoil_panel_twice(mote_plot *plot, mote_panel *panel) {
  (void)panel;
  CHECK(mote_plot_panel(plot, 0, 0, NULL) == NULL);
}
static void spoil_axis(mote_plot *plot, mote_panel *panel) {
  (void)panel;
  mote_panel_def def = mote_panel_def_default();
  def.y.high = infinity;
  mote_plot_panel(plot, 0, 1, &def);
}
static void spoil_style(mote_plot *plot, mote_panel *panel) {
  (void)plot;
  mote_style style = mote_style_default();
  style.width = nan_value;
  mote_plot_line(panel, four, four, 4, &style);
}
static void spoil_map(mote_plot *plot, mote_panel *panel) {
  (void)plot;
  mote_shade shade = mote_shade_default();
  mote_plot_field field = field_of(2, 2);
  shade.map = (mote_colour_map)9;
  mote_plot_heat(panel, &field, &shade);
}
static void spoil_eye(mote_plot *plot, mote_panel *panel) {
  (void)plot;
  mote_plot_surface_def def = mote_plot_surface_def_default();
  mote_plot_field field = field_of(2, 2);
  def.elevation = nan_value;
  mote_plot_surface(panel, &field, &def);
}
static void spoil_anchor(mote_plot *plot, mote_panel *panel) {
  (void)plot;
  mote_plot_text(panel, 0, 0, (mote_anchor)-2, "x", (mote_colour){0});
}

// Each call of `spoil` is told, by `word`, when the plot is to be drawn.
static void told_at_the_end(void) {
  const struct {
    spoil *call;
    mote_result code;
    const char *word;
  } cases[] = {{spoil_null_line, MOTE_ERROR_ARGUMENT, "null"},
               {spoil_many, MOTE_ERROR_MEMORY, "memory"},
               {spoil_many_band, MOTE_ERROR_MEMORY, "memory"},
               {spoil_many_scatter, MOTE_ERROR_MEMORY, "memory"},
               {spoil_large_field, MOTE_ERROR_MEMORY, "memory"},
               {spoil_null_field, MOTE_ERROR_ARGUMENT, "field"},
               {spoil_narrow_field, MOTE_ERROR_ARGUMENT, "field"},
               {spoil_flat_field, MOTE_ERROR_ARGUMENT, "field"},
               {spoil_panel_place, MOTE_ERROR_ARGUMENT, "row or column"},
               {spoil_panel_twice, MOTE_ERROR_ARGUMENT, "two panels"},
               {spoil_axis, MOTE_ERROR_ARGUMENT, "axis"},
               {spoil_style, MOTE_ERROR_ARGUMENT, "style"},
               {spoil_map, MOTE_ERROR_ARGUMENT, "map"},
               {spoil_eye, MOTE_ERROR_ARGUMENT, "surface"},
               {spoil_anchor, MOTE_ERROR_ARGUMENT, "anchor"}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    mote_plot_def def = mote_plot_def_default();
    def.width = 200, def.height = 150, def.columns = 2;
    mote_plot *plot = mote_plot_create(&def, NULL);
    mote_image *image = untouched();
    cases[k].call(plot, mote_plot_panel(plot, 0, 0, NULL));
    error = (mote_error){0};
    mote_result result = mote_plot_render(plot, NULL, &image, &error);
    abuse_refused(result, cases[k].code, &error, cases[k].word, cases[k].word, __FILE__, __LINE__);
    CHECK(image == untouched());
    mote_plot_destroy(plot);
  }
}

static void plot_definitions(void) {
  const mote_plot_def good = mote_plot_def_default();
  for (int k = 0; k < 8; ++k) {
    mote_plot_def def = good;
    mote_image *image = untouched();
    if (k == 0) def.width = 0;
    if (k == 1) def.height = -5;
    if (k == 2) def.width = def.height = INT32_MAX;
    if (k == 3) def.rows = 0;
    if (k == 4) def.columns = INT32_MAX;
    if (k == 5) def.font_size = nan_value;
    if (k == 6) def.font_size = -1;
    if (k == 7) def.font_size = 1e300;
    mote_plot *plot = mote_plot_create(&def, NULL);
    REFUSED(mote_plot_render(plot, NULL, &image, &error), ARGUMENT, "");
    CHECK(image == untouched() && error.text[0] != 0);
    mote_plot_destroy(plot);
  }
  mote_plot *plot = mote_plot_create(NULL, NULL);
  REFUSED(mote_plot_render(plot, NULL, NULL, &error), ARGUMENT, "null");
  REFUSED(mote_plot_write(plot, NULL, &error), ARGUMENT, "null");
  REFUSED(mote_plot_write(plot, "figure.gif", &error), ARGUMENT, ".png");
  REFUSED(mote_plot_write(plot, ".png", &error), ARGUMENT, ".png");
  REFUSED(mote_plot_write(plot, "/no/such/folder/x.svg", &error), FILE, "cannot be written");
  REFUSED(mote_plot_write(NULL, "x.png", &error), MEMORY, "plot");
  mote_plot_destroy(plot);
  mote_plot_destroy(NULL);
  mote_plot_line(NULL, four, four, 4, NULL);
  mote_plot_text(NULL, 0, 0, MOTE_ANCHOR_LEFT, NULL, (mote_colour){0});
  CHECK(mote_plot_panel(NULL, 0, 0, NULL) == NULL);
}

// Values from everywhere in the range of doubles, and text that is no text.
static void strange_data(void) {
  const double sets[][4] = {{0, 0, 0, 0},
                            {nan_value, nan_value, nan_value, nan_value},
                            {infinity, -infinity, nan_value, 1},
                            {-1.7e308, 1.7e308, 0, 1},
                            {5e-324, 1e-323, 1.5e-323, 2e-323},
                            {1e300, 1e300, 1e300, 1e300},
                            {1, 1 + 0x1p-52, 1 - 0x1p-53, 1},
                            {1e-300, 1e300, -1e300, -1e-300},
                            {-3, -2, -1, 0}};
  for (int k = 0; k < 9 * 8; ++k) {
    const double *data = sets[k / 8];
    bool log = k & 1, aspect = k & 2;
    mote_plot_def def = mote_plot_def_default();
    def.width = 160, def.height = 120, def.columns = 2, def.rows = 2, def.font_size = 6;
    def.title = k & 4 ? "\xff\xc3 bad \xe2\x82 UTF-8 \x01\x7f & < > \" ' \xf4\x90\x80\x80" : NULL;
    mote_plot *plot = mote_plot_create(&def, NULL);
    mote_panel_def panel = mote_panel_def_default();
    panel.x.log = panel.y.log = panel.z.log = log, panel.equal_aspect = aspect, panel.title = def.title;
    mote_panel *lines = mote_plot_panel(plot, 0, 0, &panel);
    mote_style style = mote_style_default();
    style.marker = MOTE_MARKER_DISC, style.dash = MOTE_DASH_MIXED, style.label = def.title;
    mote_plot_line(lines, data, data, 4, &style);
    mote_plot_line(lines, four, data, 4, NULL);
    mote_plot_band(lines, four, data, four, 4, NULL);
    mote_plot_vertical(lines, data[0], NULL);
    mote_plot_horizontal(lines, data[1], NULL);
    mote_plot_text(lines, data[0], data[1], MOTE_ANCHOR_CENTRE, def.title, (mote_colour){0});
    mote_shade shade = mote_shade_default();
    shade.log = log;
    mote_plot_field field = {.value = data, .nx = 2, .ny = 2, .x0 = 0, .x1 = 1, .y0 = 1, .y1 = 0};
    mote_panel *map = mote_plot_panel(plot, 0, 1, &panel);
    mote_plot_heat(map, &field, &shade);
    mote_plot_contour(map, &field, NULL, k % 3 == 0 ? INT32_MAX : -k, NULL);
    mote_plot_contour(map, &field, data, 4, NULL);
    mote_plot_scatter(mote_plot_panel(plot, 1, 0, &panel), data, four, data, 4, NULL, &shade);
    mote_plot_surface_def surface = mote_plot_surface_def_default();
    surface.shade = shade, surface.azimuth = 1e300;
    mote_plot_surface(mote_plot_panel(plot, 1, 1, &panel), &field, &surface);
    mote_image *image = NULL;
    error = (mote_error){0};
    if (!CHECK(mote_plot_render(plot, NULL, &image, &error) == MOTE_OK))
      fprintf(stderr, "  set %d: %s\n", k, error.text);
    mote_image_destroy(image);
    CHECK(mote_plot_write(plot, svg_path, &error) == MOTE_OK);
    mote_plot_destroy(plot);
  }
}

static mote_result use_plot(const mote_env *env) {
  mote_plot_def def = mote_plot_def_default();
  def.width = 120, def.height = 90, def.title = "title", def.columns = 2;
  mote_plot *plot = mote_plot_create(&def, env);
  mote_panel *panel = mote_plot_panel(plot, 0, 0, NULL);
  mote_style style = mote_style_default();
  style.label = "label", style.marker = MOTE_MARKER_CROSS, style.dash = MOTE_DASH_DOTS;
  mote_plot_line(panel, four, four, 4, &style);
  mote_plot_field field = field_of(2, 2);
  mote_plot_heat(panel, &field, NULL);
  mote_plot_contour(panel, &field, NULL, 3, NULL);
  mote_plot_surface(mote_plot_panel(plot, 0, 1, NULL), &field, NULL);
  mote_image *image = untouched();
  mote_result result = mote_plot_render(plot, env, &image, &error);
  if (result == MOTE_OK) {
    mote_image_destroy(image);
  } else {
    CHECK(image == untouched());
  }
  mote_plot_destroy(plot);
  return result;
}

int main(void) {
  if (!CHECK(mkdtemp(folder) != NULL)) return test_end();
  snprintf(svg_path, sizeof svg_path, "%s/figure.svg", folder);
  images();
  colours();
  plot_definitions();
  told_at_the_end();
  strange_data();
  abuse_exhaust("plot", use_plot, &error);
  CHECK(remove(svg_path) == 0 && remove(folder) == 0);  // nothing else was left there
  return test_end();
}
