// Figures, seen from outside: what is where on the page, gaps, ranges, colours, short memory, and the same
// pixels everywhere.
#define _XOPEN_SOURCE 700
#include "draw/plot.h"

#include <math.h>
#include <mote/draw.h>
#include <mote/numeric.h>
#include <stdlib.h>
#include <unistd.h>

#include "plot_page.h"
#include "test.h"

static void lines_pass_through_their_points(void) {
  mote_panel *panel;
  mote_panel_def def = bare_def();
  mote_plot *plot = small_plot(&panel, &def);
  const double x[] = {0.1, 0.5, NONE, 0.6, 0.9}, y[] = {0.2, 0.8, 0.5, 0.8, 0.2};
  mote_style style = mote_style_default();
  style.width = 3;
  style.colour = (mote_colour){255, 0, 0, 255};
  mote_plot_line(panel, x, y, 5, &style);
  mote_view view = view_of(plot);
  mote_image *image = rendered(plot);
  CHECK(is_like(colour_at(image, &view, 0.3, 0.5), style.colour, 0));
  CHECK(is_like(colour_at(image, &view, 0.75, 0.5), style.colour, 0));
  CHECK(is_white(colour_at(image, &view, 0.55, 0.8)));  // the gap
  CHECK(is_white(colour_at(image, &view, 0.3, 0.8)) && is_white(colour_at(image, &view, 0.05, 0.1)));
  mote_image_destroy(image);
}

static void axes_may_be_logarithmic_or_turned(void) {
  mote_panel *panel;
  mote_panel_def def = bare_def();
  def.x = (mote_plot_axis){.low = 1, .high = 1e4, .log = true, .bare = true};
  def.y = (mote_plot_axis){.low = 5, .high = -5, .bare = true};
  mote_plot *plot = small_plot(&panel, &def);
  const double x[] = {100, -3, 1000}, y[] = {-2.5, 0, 2.5};
  mote_style style = mote_style_default();
  style.marker = MOTE_MARKER_DISC;
  style.marker_size = 2;
  style.width = 0;
  mote_plot_line(panel, x, y, 3, &style);
  mote_view view = view_of(plot);
  mote_clip f = view.axes_box;
  CHECK_NEAR(mote_scale_at(&view.x, 100), (f.x0 + f.x1) / 2.0, 1e-9);
  CHECK_NEAR(mote_scale_at(&view.y, -2.5), f.y0 + 0.25 * (f.y1 - f.y0), 1e-9);
  CHECK_NEAR(mote_scale_value(&view.x, mote_scale_at(&view.x, 7)), 7, 1e-12);
  CHECK(isnan(mote_scale_at(&view.x, 0)) && isnan(mote_scale_at(&view.x, -3)));
  mote_image *image = rendered(plot);
  CHECK(is_like(colour_at(image, &view, 100, -2.5), mote_colour_cycle(0), 0));
  CHECK(is_like(colour_at(image, &view, 1000, 2.5), mote_colour_cycle(0), 0));
  mote_image_destroy(image);
}

static void million_points_look_like_their_envelope(void) {
  enum { MANY = 300000 };
  double *x = malloc(MANY * sizeof *x), *y = malloc(MANY * sizeof *y);
  for (int k = 0; k < MANY; ++k) {
    x[k] = k / (double)MANY;
    y[k] = k % 2 == 0 ? 0.25 : 0.75;
  }
  y[MANY / 2] = 0.97;  // one spike must not be lost
  mote_panel *panel;
  mote_panel_def def = bare_def();
  mote_plot *plot = small_plot(&panel, &def);
  mote_plot_line(panel, x, y, MANY, NULL);
  mote_view view = view_of(plot);
  mote_image *image = rendered(plot);
  CHECK(is_like(colour_at(image, &view, 0.2, 0.5), mote_colour_cycle(0), 1));
  CHECK(is_like(colour_at(image, &view, 0.8, 0.7), mote_colour_cycle(0), 1));
  CHECK(!is_white(colour_at(image, &view, 0.5, 0.95)) && is_white(colour_at(image, &view, 0.4, 0.9)));
  mote_image_destroy(image);
  free(x);
  free(y);
}

static void heat_maps_show_their_values(void) {
  const double value[6] = {0, 1, 2, 3, NONE, 5};
  for (int cells = 0; cells < 2; ++cells) {
    mote_panel *panel;
    mote_panel_def def = bare_def();
    def.x.low = def.y.low = def.x.high = def.y.high = NONE;
    mote_plot *plot = small_plot(&panel, &def);
    mote_plot_field field = {value, 3, 2, 10, 40, -1, 1, cells != 0};
    mote_plot_heat(panel, &field, NULL);
    mote_view view = view_of(plot);
    CHECK(view.x.low == 10 && view.x.high == 40 && view.y.low == -1 && view.y.high == 1);
    CHECK(view.bar != NULL);
    mote_image *image = rendered(plot);
    mote_colour one = mote_colour_map_at(MOTE_MAP_SEQUENTIAL, 0.2),
                two = mote_colour_map_at(MOTE_MAP_SEQUENTIAL, 0.4);
    if (cells) {
      CHECK(is_like(colour_at(image, &view, 20.3, -0.95), one, 0) &&
            is_like(colour_at(image, &view, 29.7, -0.05), one, 0));
      CHECK(is_like(colour_at(image, &view, 30.3, -0.5), two, 0));
      CHECK(is_white(colour_at(image, &view, 25, 0.5)));
      CHECK(is_like(colour_at(image, &view, 35, 0.5), mote_colour_map_at(MOTE_MAP_SEQUENTIAL, 1), 0));
    } else {
      // Between the samples 1 at x = 25 and 2 at x = 40, hard by the lower edge.
      CHECK(is_white(colour_at(image, &view, 32.5, -0.9)));  // one of its four corners is blank
    }
    mote_image_destroy(image);
  }
}

static void samples_are_interpolated(void) {
  double value[5 * 4];
  for (int k = 0; k < 20; ++k) value[k] = 2 * (k % 5) + 10.0 * (k / 5);  // linear: exact everywhere
  mote_panel *panel;
  mote_panel_def def = bare_def();
  def.x.low = def.y.low = def.x.high = def.y.high = NONE;
  mote_plot *plot = small_plot(&panel, &def);
  mote_plot_field field = {value, 5, 4, 0, 4, 0, 3, false};
  mote_plot_heat(panel, &field, NULL);
  mote_view view = view_of(plot);
  mote_image *image = rendered(plot);
  double worst = 0;
  for (int y = view.axes_box.y0; y < view.axes_box.y1; y += 7)
    for (int x = view.axes_box.x0; x < view.axes_box.x1; x += 7) {
      double v = 2 * mote_scale_value(&view.x, x + 0.5) + 10 * mote_scale_value(&view.y, y + 0.5);
      mote_colour c = mote_colour_map_at(MOTE_MAP_SEQUENTIAL, v / 38), got = mote_image_get(image, x, y);
      worst = fmax(worst, abs(c.red - got.red) + abs(c.green - got.green) + abs(c.blue - got.blue));
    }
  CHECK(worst <= 1);  // rounding
  mote_image_destroy(image);
}

static void contours_follow_circles(void) {
  enum { N = 60 };
  static double value[N * N];
  for (int k = 0; k < N * N; ++k) {
    double x = -1 + 2.0 * (k % N) / (N - 1), y = -1 + 2.0 * (k / N) / (N - 1);
    value[k] = x * x + y * y;
  }
  value[N * (N / 2) + N - 1] = NONE;
  mote_panel *panel;
  mote_panel_def def = bare_def();
  def.x.low = def.y.low = def.x.high = def.y.high = NONE;
  mote_plot *plot = small_plot(&panel, &def);
  mote_plot_field field = {value, N, N, -1, 1, -1, 1, false};
  const double level = 0.36;
  mote_style style = mote_style_default();
  style.width = 3;
  mote_plot_contour(panel, &field, &level, 1, &style);
  mote_view view = view_of(plot);
  mote_image *image = rendered(plot);
  for (int k = 0; k < 32; ++k) {
    double a = 0.19634954 * k, c = cos(a), s = sin(a);
    CHECK(colour_at(image, &view, 0.6 * c, 0.6 * s).red < 128);
    CHECK(is_white(colour_at(image, &view, 0.52 * c, 0.52 * s)) &&
          is_white(colour_at(image, &view, 0.68 * c, 0.68 * s)));
  }
  mote_image_destroy(image);
}

// A bright ridge behind a dark one of the same height is hidden, and seen when it is higher.
static void near_surfaces_hide_far_ones(void) {
  enum { N = 21 };
  int bright[2];
  for (int trial = 0; trial < 2; ++trial) {
    double value[N * N] = {0};
    for (int i = 0; i < N; ++i) {
      value[4 * N + i] = 0.9;                    // near: small y
      value[12 * N + i] = trial == 0 ? 0.5 : 1;  // far
    }
    mote_panel *panel;
    mote_panel_def def = mote_panel_def_default();
    def.x.bare = def.y.bare = def.z.bare = true;
    def.z.low = 0;
    def.z.high = 1;
    def.grid = false;
    mote_plot *plot = small_plot(&panel, &def);
    mote_plot_field field = {value, N, N, 0, 1, 0, 1, false};
    mote_plot_surface_def surface = mote_plot_surface_def_default();
    surface.azimuth = -90;
    surface.elevation = 5;
    surface.height = 1;
    surface.lines = false;
    surface.shade.map = MOTE_MAP_GREY;
    surface.shade.low = 0.4;
    surface.shade.high = 0.45;  // all slopes white above, black below
    mote_plot_surface(panel, &field, &surface);
    mote_image *image = rendered(plot);
    bright[trial] = 0;
    for (int y = 0; y < 200; ++y)
      bright[trial] += mote_image_get(image, 120, y).red > 150 && mote_image_get(image, 120, y).red < 245;
    mote_image_destroy(image);
  }
  CHECK(bright[1] > bright[0] + 5);
}

// From any side, and from the horizon to the zenith, the middle of the page shows the surface.
static void surfaces_are_seen_from_everywhere(void) {
  double value[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
  for (int azimuth = -180; azimuth <= 180; azimuth += 45)
    for (int elevation = 0; elevation <= 90; elevation += 45) {
      mote_panel *panel;
      mote_plot *plot = small_plot(&panel, NULL);
      mote_plot_field field = {value, 3, 3, 1, 0, 0, 5, elevation == 45};
      mote_plot_surface_def surface = mote_plot_surface_def_default();
      surface.azimuth = azimuth;
      surface.elevation = elevation;
      surface.lines = false;
      surface.shade.map = MOTE_MAP_DIVERGING;  // 1 of +-1: dark red
      mote_plot_surface(panel, &field, &surface);
      mote_image *image = rendered(plot);
      int red = 0;
      for (int k = 0; k < 240 * 200; ++k) {
        mote_colour c = mote_image_get(image, k % 240, k / 240);
        red += c.red > 100 && c.green < 60 && c.blue < 90;
      }
      CHECK(elevation == 0 || red > 500);
      mote_image_destroy(image);
    }
}

static void colours_differ(void) {
  mote_panel *panel;
  mote_plot *plot = small_plot(&panel, NULL);
  const double x[2] = {0, 1};
  mote_style style = mote_style_default();
  style.colour = mote_colour_cycle(1);
  mote_plot_line(panel, x, x, 2, &style);
  for (int k = 0; k < 20; ++k) mote_plot_line(panel, x, x, 2, NULL);
  int used[MOTE_CYCLE_COLOURS] = {0};
  int seen = 0;
  for (const mote_series *s = panel->first; s != NULL; s = s->next, ++seen)
    for (int k = 0; k < MOTE_CYCLE_COLOURS; ++k) {
      mote_colour c = mote_colour_cycle(k);
      if (!is_like(c, s->style.colour, 0)) continue;
      if (seen < MOTE_CYCLE_COLOURS) CHECK(used[k] == 0);
      ++used[k];
    }
  for (int k = 0; k < MOTE_CYCLE_COLOURS; ++k) CHECK(used[k] >= 2);
  CHECK(mote_colour_cycle(-1).red == mote_colour_cycle(MOTE_CYCLE_COLOURS - 1).red);
  mote_plot_destroy(plot);
}

// Lightness rises along the map (diverging: to the middle) but for rounding of the channels; beyond the ends
// nothing changes.
static void maps_are_monotone(void) {
  for (mote_colour_map map = MOTE_MAP_SEQUENTIAL; map <= MOTE_MAP_WATER; ++map) {
    int before = -1, falls = 0, rises = 0;
    for (int k = 0; k <= 256; ++k) {
      mote_colour c = mote_colour_map_at(map, k / 256.0);
      int light = 2126 * c.red + 7152 * c.green + 722 * c.blue;
      falls += before >= 0 && light < before - 5000 && (map != MOTE_MAP_DIVERGING || k <= 128);
      rises += before >= 0 && light > before + (map == MOTE_MAP_DIVERGING ? 5000 : 0) &&
               (map != MOTE_MAP_DIVERGING || k > 129);
      before = light;
    }
    CHECK(falls == 0 && (map == MOTE_MAP_DIVERGING ? rises == 0 : rises > 200));
    CHECK(is_like(mote_colour_map_at(map, -3), mote_colour_map_at(map, 0), 0));
    CHECK(is_like(mote_colour_map_at(map, 9), mote_colour_map_at(map, 1), 0));
    CHECK(mote_colour_map_at(map, NONE).alpha == 0 && mote_colour_map_at(map, 0.3).alpha == 255);
  }
}

// One of everything, on axes of every kind; `step` spoils some of the data.
static mote_plot *everything(const mote_env *env, bool spoilt) {
  enum { N = 12 };
  double x[N], y[N], z[N * N];
  const double inf = (double)INFINITY;
  const double odd[] = {NONE, inf, -inf, 1e308, -1e308, 1e-320, 0, -0.0, 1e300};
  for (int k = 0; k < N; ++k) {
    x[k] = spoilt && k % 3 == 0 ? odd[k % 9] : 0.1 + k;
    y[k] = spoilt && k % 4 == 1 ? odd[k % 9] : 3 + sin(k);
  }
  for (int k = 0; k < N * N; ++k)
    z[k] = spoilt && k % 11 == 0 ? odd[k % 9] : sin(0.5 * (k % N)) + cos(0.3 * (k / N));
  mote_plot_def def = mote_plot_def_default();
  def.rows = 2;
  def.columns = 3;
  def.width = 900;
  def.height = 500;
  def.font_size = 13;
  def.title = "Everything ρ ≤ 10⁻³";
  mote_plot *plot = mote_plot_create(&def, env);
  for (int k = 0; k < 4; ++k) {
    mote_panel_def p = mote_panel_def_default();
    p.title = "panel";
    p.x = (mote_plot_axis){"x", k % 2 == 1, NONE, NONE, false};
    p.y = (mote_plot_axis){"y", k / 2 == 1, NONE, NONE, false};
    if (k == 3) p.legend = MOTE_LEGEND_OUTSIDE;
    p.equal_aspect = k == 2;
    mote_panel *panel = mote_plot_panel(plot, k / 3, k % 3, &p);
    mote_plot_field field = {z, N, N, 0.1, 12, 0.5, 4, k == 1};
    mote_style style = mote_style_default();
    style.label = "line";
    style.dash = (mote_dash)k;
    style.marker = (mote_marker)(2 * k);
    if (k > 0) mote_plot_heat(panel, &field, NULL);
    if (k > 1) mote_plot_contour(panel, &field, NULL, 5, &style);
    mote_plot_band(panel, x, y, x, N, &style);
    mote_plot_line(panel, x, y, N, &style);
    mote_plot_scatter(panel, y, x, z, N, NULL, NULL);
    mote_plot_vertical(panel, 3, &style);
    mote_plot_horizontal(panel, spoilt ? NONE : 3, NULL);
    mote_plot_text(panel, 4, 4, MOTE_ANCHOR_CENTRE, "note", (mote_colour){0, 0, 0, 0});
  }
  mote_plot_field field = {z, N, N, 0, 1, 0, 1, false};
  mote_plot_surface_def surface = mote_plot_surface_def_default();
  surface.shade.bar = true;
  mote_plot_surface(mote_plot_panel(plot, 1, 1, NULL), &field, &surface);
  mote_plot_panel(plot, 1, 2, NULL);
  return plot;
}

static void spoilt_data_is_drawn(void) {
  mote_plot *plot = everything(NULL, true);
  mote_image *image = NULL;
  mote_error error;
  if (!CHECK(mote_plot_render(plot, NULL, &image, &error) == MOTE_OK)) fprintf(stderr, "  %s\n", error.text);
  mote_image_destroy(image);
  char folder[] = "/tmp/mote-plot-XXXXXX", path[64];
  CHECK(mkdtemp(folder) != NULL);
  snprintf(path, sizeof path, "%s/plot.svg", folder);
  CHECK(mote_plot_write(plot, path, &error) == MOTE_OK);
  char *text = calloc(1, 1 << 22);
  FILE *written = fopen(path, "rb");
  CHECK(fread(text, 1, (1 << 22) - 1, written) > 1000);
  fclose(written);
  CHECK(strstr(text, "nan") == NULL && strstr(text, "inf\"") == NULL && strstr(text, "</svg>") != NULL);
  CHECK(remove(path) == 0 && remove(folder) == 0);
  free(text);
  mote_plot_destroy(plot);
}

static uint64_t hash_of(const mote_plot *plot) {
  mote_image *image = NULL;
  uint64_t hash = 14695981039346656037u;
  if (!CHECK(mote_plot_render(plot, NULL, &image, NULL) == MOTE_OK)) return 0;
  size_t bytes = (size_t)mote_image_width(image) * (size_t)mote_image_height(image) * 4;
  for (size_t k = 0; k < bytes; ++k) hash = (hash ^ mote_image_pixels(image)[k]) * 1099511628211u;
  mote_image_destroy(image);
  return hash;
}

// Changes only when what is drawn is meant to change; the same for every compiler and machine. The data are
// of our own functions' making, so that libm has no part in it.
static void pixels_are_the_same_everywhere(void) {
  mote_panel *panel;
  mote_panel_def def = mote_panel_def_default();
  def.title = "The same bits: ∇²ρ = 0";
  def.x.label = "distance r/h";
  def.x.log = true;
  mote_plot *plot = small_plot(&panel, &def);
  double x[50], y[50], z[50];
  for (int k = 0; k < 50; ++k) {
    x[k] = 0.01 * (k + 1) * (k + 1);
    y[k] = mote_sin(0.3 * k);
    z[k] = y[k] * y[k];
  }
  mote_style style = mote_style_default();
  style.label = "sine";
  style.dash = MOTE_DASH_MIXED;
  mote_plot_band(panel, x, y, z, 50, NULL);
  mote_plot_line(panel, x, y, 50, &style);
  mote_plot_scatter(panel, x, z, y, 50, NULL, NULL);
  uint64_t hash = hash_of(plot);
  CHECK(hash == hash_of(plot));
  if (!CHECK(hash == 0xaba1b06da13d42e9u)) fprintf(stderr, "  0x%016llx\n", (unsigned long long)hash);
  mote_plot_destroy(plot);
}

typedef struct stingy {
  int64_t left, out;
} stingy;

static void *stingy_resize(void *user, void *block, size_t old_size, size_t size) {
  stingy *s = user;
  if (size == 0) {
    s->out -= block != NULL;
    free(block);
    return NULL;
  }
  if (s->left-- <= 0) return NULL;
  s->out += old_size == 0;
  return realloc(block, size);
}

static void short_memory_is_told(void) {
  stingy s = {.left = INT64_C(1) << 40};
  mote_env env = mote_env_default();
  env.resize = stingy_resize;
  env.resize_user = &s;
  mote_plot *whole = everything(&env, false);
  mote_image *image = NULL;
  CHECK(mote_plot_render(whole, &env, &image, NULL) == MOTE_OK);
  int64_t calls = (INT64_C(1) << 40) - s.left;
  mote_image_destroy(image);
  mote_plot_destroy(whole);
  CHECK(s.out == 0 && calls > 1000);
  for (int64_t k = 0; k < calls; k = k < 60 ? k + 1 : k + 1 + calls / 15) {
    s = (stingy){.left = k};
    mote_plot *plot = everything(&env, false);
    image = NULL;
    CHECK(mote_plot_render(plot, &env, &image, NULL) == MOTE_ERROR_MEMORY && image == NULL);
    mote_plot_destroy(plot);
    CHECK(s.out == 0);
  }
}

int main(void) {
  lines_pass_through_their_points();
  axes_may_be_logarithmic_or_turned();
  million_points_look_like_their_envelope();
  heat_maps_show_their_values();
  samples_are_interpolated();
  contours_follow_circles();
  near_surfaces_hide_far_ones();
  surfaces_are_seen_from_everywhere();
  colours_differ();
  maps_are_monotone();
  spoilt_data_is_drawn();
  short_memory_is_told();
  pixels_are_the_same_everywhere();
  return test_end();
}
