// Coverage: sums are areas, pieces unite, lines and dashes lie where they should; compared with a twin that
// asks for every point of a fine lattice whether it is inside.
#include "draw/raster.h"

#include <math.h>
#include <stdlib.h>

#include "test.h"

enum { SIDE = 64 };
static const mote_clip ALL = {0, 0, SIDE, SIDE};
static const mote_colour BLACK = {0, 0, 0, 255};

static mote_env env;

static mote_image *white(void) {
  mote_image *image = NULL;
  if (mote_image_create(SIDE, SIDE, NULL, &image, NULL) == MOTE_OK)
    mote_image_fill(image, (mote_colour){255, 255, 255, 255});
  return image;
}

static double ink_at(const mote_image *image, int x, int y) {
  return 1 - mote_image_get(image, x, y).red / 255.0;
}

static double ink(const mote_image *image) {
  double sum = 0;
  for (int y = 0; y < SIDE; ++y)
    for (int x = 0; x < SIDE; ++x) sum += ink_at(image, x, y);
  return sum;
}

static mote_path polygon(const double *xy, int count) {
  mote_path path = mote_path_make(&env);
  for (int k = 0; k < count; ++k) mote_path_add(&path, xy[2 * k], xy[2 * k + 1]);
  return path;
}

static double area(const double *xy, int count) {
  double sum = 0;
  for (int k = 0; k < count; ++k) {
    int n = (k + 1) % count;
    sum += xy[2 * k] * xy[2 * n + 1] - xy[2 * n] * xy[2 * k + 1];
  }
  return fabs(sum) / 2;
}

// Rounding to 8 bits is at most half a step per pixel that is met; along a row the method is exact, and
// between rows it is the midpoint rule.
static void coverage_is_area(void) {
  static const double box[8] = {10.25, 20.5, 30.75, 20.5, 30.75, 41, 10.25, 41};
  static const double tilted[6] = {3.7, 5.1, 60.2, 17.9, 22.4, 58.6};
  static const double thin[8] = {5, 31.0625, 55, 31.0625, 55, 31.1875, 5, 31.1875};
  const struct {
    const double *xy;
    int count;
    double tolerance;
  } shapes[3] = {{box, 4, 0.2}, {tilted, 3, 0.5}, {thin, 4, 0.15}};
  for (int k = 0; k < 3; ++k) {
    mote_image *image = white();
    mote_path path = polygon(shapes[k].xy, shapes[k].count);
    CHECK(mote_raster_fill(image, ALL, &path, BLACK));
    CHECK_NEAR(ink(image), area(shapes[k].xy, shapes[k].count), shapes[k].tolerance);
    mote_path_free(&path);
    mote_image_destroy(image);
  }
}

static void edges_have_the_right_share(void) {
  static const double box[8] = {10.25, 20.5, 30.75, 20.5, 30.75, 41, 10.25, 41};
  mote_image *image = white();
  mote_path path = polygon(box, 4);
  CHECK(mote_raster_fill(image, ALL, &path, BLACK));
  CHECK_NEAR(ink_at(image, 10, 30), 0.75, 0.003);
  CHECK_NEAR(ink_at(image, 30, 30), 0.75, 0.003);
  CHECK_NEAR(ink_at(image, 20, 20), 0.5, 0.003);
  CHECK_NEAR(ink_at(image, 10, 20), 0.375, 0.003);
  CHECK(ink_at(image, 20, 30) == 1 && ink_at(image, 20, 40) == 1);
  CHECK(ink_at(image, 9, 30) == 0 && ink_at(image, 31, 30) == 0 && ink_at(image, 20, 41) == 0);
  mote_path_free(&path);
  mote_image_destroy(image);
}

static void clip_keeps_the_rest_clean(void) {
  static const double big[8] = {-500, -500, 900, -500, 900, 900, -500, 900};
  mote_image *image = white();
  mote_path path = polygon(big, 4);
  CHECK(mote_raster_fill(image, (mote_clip){10, 12, 20, 15}, &path, BLACK));
  CHECK(ink(image) == 30 && ink_at(image, 10, 12) == 1 && ink_at(image, 19, 14) == 1);
  CHECK(mote_raster_fill(image, (mote_clip){40, 40, 40, 50}, &path, BLACK));
  CHECK(ink(image) == 30);
  mote_path_free(&path);
  mote_image_destroy(image);
}

static int winding_at(const mote_path *path, double x, double y) {
  const mote_point2 *run;
  size_t count;
  int winding = 0;
  for (size_t at = 0; mote_path_run(path, &at, &run, &count);)
    for (size_t k = 0; k < count; ++k) {
      mote_point2 p = run[k], q = run[(k + 1) % count];
      if ((p.y <= y) == (q.y <= y)) continue;
      double cross = p.x + (y - p.y) * (q.x - p.x) / (q.y - p.y);
      if (cross > x) winding += p.y < q.y ? 1 : -1;
    }
  return winding;
}

// Random stars that cross themselves, two runs each. 64 points along x and the 16 rows of the method: what
// is left is the discretisation along x, at most one point per crossing.
static void fill_equals_brute_force(void) {
  srand(7);
  for (int trial = 0; trial < 8; ++trial) {
    mote_path path = mote_path_make(&env);
    for (int k = 0; k < 14; ++k) {
      mote_path_add(&path, rand() % 6400 / 100.0, rand() % 6400 / 100.0);
      if (k == 6) mote_path_break(&path);
    }
    mote_image *image = white();
    CHECK(mote_raster_fill(image, ALL, &path, BLACK));
    double worst = 0;
    for (int pixel = trial; pixel < SIDE * SIDE; pixel += 37) {
      int inside = 0;
      for (int s = 0; s < 64 * MOTE_RASTER_ROWS; ++s)
        inside += winding_at(&path, pixel % SIDE + (s % 64 + 0.5) / 64,
                             pixel / SIDE + (s / 64 + 0.5) / MOTE_RASTER_ROWS) != 0;
      worst =
          fmax(worst, fabs(inside / (64.0 * MOTE_RASTER_ROWS) - ink_at(image, pixel % SIDE, pixel / SIDE)));
    }
    CHECK(worst < 0.03);
    mote_path_free(&path);
    mote_image_destroy(image);
  }
}

static mote_image *stroked(const double *xy, int count, mote_pen pen) {
  mote_image *image = white();
  mote_path line = polygon(xy, count), outline = mote_path_make(&env);
  mote_stroke(&line, &pen, &outline);
  CHECK(mote_raster_fill(image, ALL, &outline, BLACK));
  mote_path_free(&line);
  mote_path_free(&outline);
  return image;
}

static void lines_lie_where_they_should(void) {
  static const double across[4] = {10, 20.5, 50, 20.5};
  mote_image *image = stroked(across, 2, (mote_pen){.width = 1, .flat = true});
  CHECK(ink(image) == 40 && ink_at(image, 10, 20) == 1 && ink_at(image, 49, 20) == 1);
  mote_image_destroy(image);
  image = stroked(across, 2, (mote_pen){.width = 3});
  double round_ends = 3 * 40 + 3.14159265 * 1.5 * 1.5;
  CHECK_NEAR(ink(image), round_ends, 0.4);
  CHECK(ink_at(image, 30, 19) == 1 && ink_at(image, 30, 21) == 1 && ink_at(image, 30, 22) == 0);
  mote_image_destroy(image);
}

// A line of many short pieces is no fatter than one of a single piece, whatever the corners add.
static void pieces_unite(void) {
  double xy[2 * 201], straight[4] = {8, 8, 56, 40};
  for (int k = 0; k <= 200; ++k) {
    xy[2 * k] = 8 + 48.0 * k / 200;
    xy[2 * k + 1] = 8 + 32.0 * k / 200;
  }
  mote_image *many = stroked(xy, 201, (mote_pen){.width = 2.2}),
             *one = stroked(straight, 2, (mote_pen){.width = 2.2});
  CHECK_NEAR(ink(many), ink(one), 0.3);
  int differ = 0;
  for (int k = 0; k < SIDE * SIDE; ++k)
    differ += fabs(ink_at(many, k % SIDE, k / SIDE) - ink_at(one, k % SIDE, k / SIDE)) > 0.01;
  CHECK(differ == 0);
  mote_image_destroy(many);
  mote_image_destroy(one);
}

static void dashes_have_their_lengths(void) {
  static const double across[6] = {4, 10.5, 24, 10.5, 60, 10.5};
  mote_image *image = stroked(across, 3, (mote_pen){1, 2, {6, 4}, true});
  for (int x = 4; x < 60; ++x) CHECK(ink_at(image, x, 10) == ((x - 4) % 10 < 6 ? 1 : 0));
  mote_image_destroy(image);
}

static void discs_are_round(void) {
  mote_image *image = white();
  mote_path outline = mote_path_make(&env);
  mote_stroke_disc(31.3, 32.6, 20, &outline);
  CHECK(mote_raster_fill(image, ALL, &outline, BLACK));
  CHECK_NEAR(ink(image), 3.14159265 * 400, 4);  // a polygon within 0.04 pixels: 2 pi r 0.04 = 5 at most
  mote_path_free(&outline);
  mote_image_destroy(image);
}

static void colours_blend(void) {
  static const double box[8] = {0, 0, 64, 0, 64, 64, 0, 64};
  mote_path path = polygon(box, 4);
  mote_image *image = white();
  CHECK(mote_raster_fill(image, ALL, &path, (mote_colour){0, 100, 255, 51}));
  mote_colour c = mote_image_get(image, 5, 5);
  CHECK(c.red == 204 && c.green == 224 && c.blue == 255 && c.alpha == 255);
  mote_image_fill(image, (mote_colour){0, 0, 0, 0});
  CHECK(mote_raster_fill(image, ALL, &path, (mote_colour){10, 100, 250, 51}));
  c = mote_image_get(image, 5, 5);
  CHECK(c.red == 10 && c.green == 100 && c.blue == 250 && c.alpha == 51);
  mote_path_free(&path);
  mote_image_destroy(image);
}

int main(void) {
  env = mote_env_default();
  coverage_is_area();
  edges_have_the_right_share();
  clip_keeps_the_rest_clean();
  fill_equals_brute_force();
  lines_lie_where_they_should();
  pieces_unite();
  dashes_have_their_lengths();
  discs_are_round();
  colours_blend();
  return test_end();
}
