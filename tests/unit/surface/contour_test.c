// Contours of 2D particles by every method: closed, of the right area, with holes, values carried; the cut of
// any mesh; the thesis's constants and shrunken surfaces on all inputs.
#include <math.h>
#include <mote/geom.h>
#include <mote/surface.h>
#include <stdlib.h>
#include <string.h>

#include "stingy.h"
#include "test.h"

static mote_error error;

static double jitter(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return 0.15 * ((double)(*state >> 33) / 1073741824.0 - 1.0);
}

// A ring: a disc of radius 12.5 without that of radius 5.
static size_t make_ring(double x[3 * 2000]) {
  size_t n = 0;
  uint64_t state = 5;
  for (int i = -13; i < 13; ++i)
    for (int j = -13; j < 13; ++j) {
      double place[2] = {i + 0.5, j + 0.5}, r = place[0] * place[0] + place[1] * place[1];
      if (r > 12.5 * 12.5 || r < 25.0) continue;
      for (int a = 0; a < 2; ++a) x[3 * n + (size_t)a] = place[a] + jitter(&state);
      x[3 * n++ + 2] = 0;
    }
  return n;
}

static bool build(const mote_surface_def *def, const mote_surface_particles *particles, mote_contour *out) {
  mote_surfacer *surfacer;
  mote_surface surface = {0};
  mote_env env = mote_env_default();
  env.threads = 1;
  if (!CHECK(mote_surfacer_create(def, &env, &surfacer, &error) == MOTE_OK)) return false;
  bool ok = CHECK(mote_surfacer_build(surfacer, particles, &surface, &error) == MOTE_OK) &&
            CHECK(mote_surface_cut(&surface, 0, NULL, out, &error) == MOTE_OK);
  mote_surface_free(&surface, NULL);
  mote_surfacer_destroy(surfacer);
  return ok;
}

static mote_surface_def flat_def(mote_surface_method method) {
  mote_surface_def def = mote_surface_def_default();
  def.method = method, def.spacing = 1, def.normals = false;
  CHECK(mote_surface_def_flat(&def, &error) == MOTE_OK);
  return def;
}

static void test_ring(void) {
  double *x = calloc(3 * 2000, sizeof *x);
  mote_surface_particles particles = {.position = x, .count = make_ring(x)};
  for (int m = 0; m < MOTE_SURFACE_METHODS; ++m) {
    mote_surface_def def = flat_def((mote_surface_method)m);
    mote_contour contour;
    if (!build(&def, &particles, &contour)) continue;
    CHECK(contour.loops == 2 && contour.first[2] == contour.points);
    // Mass (DES96) lies half a spacing outside.
    double area = mote_contour_area(&contour) / (double)particles.count;
    CHECK_NEAR(area, m == MOTE_SURFACE_MASS ? 1.12 : 1.0, 0.03);
    CHECK(mote_contour_length(&contour) > 2 * 3.1416 * 16.9 && mote_contour_length(&contour) < 120);
    mote_contour_free(&contour, NULL);
  }
  free(x);
}

// The mean of a field's first component over the six nearest of n particles, by 1 - q^2 of two spacings.
static double mean_of_nearest(const double *x, const float *value, size_t n, const double at[2]) {
  double sum = 0, all = 0;
  for (size_t i = 0; i < n; ++i) {
    size_t nearer = 0;
    double d = hypot(x[3 * i] - at[0], x[3 * i + 1] - at[1]);
    for (size_t k = 0; k < n; ++k) nearer += hypot(x[3 * k] - at[0], x[3 * k + 1] - at[1]) < d;
    if (nearer >= 6 || d >= 2) continue;
    sum += (1 - d * d / 4) * (double)value[2 * i], all += 1 - d * d / 4;
  }
  return sum / all;
}

// The inside lies to the left: the outer loop has positive area, the hole negative.
static void test_values(void) {
  double *x = calloc(3 * 2000, sizeof *x);
  float *speed = calloc(3 * 2000, sizeof *speed);
  uint32_t *body = calloc(2000, sizeof *body);
  size_t n = make_ring(x);
  for (size_t i = 0; i < n; ++i) speed[2 * i] = (float)x[3 * i], speed[2 * i + 1] = 7, body[i] = x[3 * i] > 0;
  const mote_field_view field[] = {{"speed", "m/s", MOTE_TYPE_F32, 2, n, speed},
                                   {"body", "", MOTE_TYPE_U32, 1, n, body}};
  mote_surface_particles bare = {.position = x, .count = n}, particles = bare;
  particles.field = field, particles.fields = 2;
  mote_surface_def def = flat_def(MOTE_SURFACE_ANISOTROPIC);
  mote_contour contour;
  if (build(&def, &bare, &contour)) {
    CHECK(mote_contour_carry(&contour, &particles, 1, NULL, &error) == MOTE_OK && contour.fields == 2);
    CHECK_TEXT(contour.field[0].unit, "m/s");
    for (size_t i = 0; i < contour.points; ++i) {
      CHECK(fabs((double)((float *)contour.field[0].data)[2 * i] - contour.point[2 * i]) < 1.2);
      CHECK(fabsf(((float *)contour.field[0].data)[2 * i + 1] - 7) < 1e-5f);
      if (fabs(contour.point[2 * i]) > 1.5)
        CHECK(((uint32_t *)contour.field[1].data)[i] == (contour.point[2 * i] > 0));
    }
    for (size_t i = 0; i < contour.points; i += 16)
      CHECK_NEAR((double)((float *)contour.field[0].data)[2 * i],
                 mean_of_nearest(x, speed, n, contour.point + 2 * i), 1e-5);
    mote_contour outer = contour;
    outer.loops = 1;
    CHECK(fabs(mote_contour_area(&outer)) > mote_contour_area(&contour) || mote_contour_area(&outer) < 0);
    CHECK(mote_contour_carry(&contour, &particles, 1, NULL, &error) == MOTE_ERROR_ARGUMENT);
    mote_contour_free(&contour, NULL);
  }
  free(x), free(speed), free(body);
}

// A cube cut at any height is a square; planes through vertices too; beside it nothing.
static void test_cube(void) {
  double vertex[24];
  uint32_t triangle[] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                         2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
  for (int v = 0; v < 8; ++v)
    vertex[3 * v] = v & 1, vertex[3 * v + 1] = v >> 1 & 1, vertex[3 * v + 2] = v >> 2;
  mote_surface cube = {.mesh = {vertex, triangle, 8, 12}};
  const double cuts[] = {0.3, 0.5, 1.0};
  for (int k = 0; k < 3; ++k) {
    mote_contour contour;
    CHECK(mote_surface_cut(&cube, cuts[k], NULL, &contour, &error) == MOTE_OK && contour.loops == 1);
    CHECK_NEAR(mote_contour_area(&contour), 1.0, 1e-12);
    CHECK_NEAR(mote_contour_length(&contour), 4.0, 1e-12);
    mote_contour_free(&contour, NULL);
  }
  mote_contour none;
  CHECK(mote_surface_cut(&cube, 2.0, NULL, &none, &error) == MOTE_OK && none.loops == 0);
  mote_contour_free(&none, NULL);
  CHECK(mote_surface_cut(&cube, (double)NAN, NULL, &none, &error) == MOTE_ERROR_ARGUMENT);
  mote_surface_def def = mote_surface_def_default();
  CHECK(mote_surface_def_flat(&def, &error) == MOTE_ERROR_ARGUMENT);
}

// YU11 as printed makes a surface of everything, smaller than the particles; the thesis's constants are its
// own.
static void test_printed(void) {
  double x[3 * 512], one[3] = {0, 0, 0};
  for (int i = 0; i < 512; ++i) x[3 * i] = i % 8, x[3 * i + 1] = i / 8 % 8, x[3 * i + 2] = i / 64;
  for (int set = 0; set < 4; ++set) {
    mote_surface_def def = mote_surface_def_default();
    def.spacing = 1;
    def.keep_volume = set >= 2;
    def.thesis = set >= 2;
    mote_surfacer *surfacer;
    mote_surface surface;
    mote_surface_particles particles = {.position = set % 2 ? one : x, .count = set % 2 ? 1 : 512};
    if (!CHECK(mote_surfacer_create(&def, NULL, &surfacer, &error) == MOTE_OK)) continue;
    CHECK(mote_surfacer_build(surfacer, &particles, &surface, &error) == MOTE_OK);
    CHECK(mote_surfacer_stats(surfacer).isovalue == 0.05);
    double volume = mote_mesh_volume(&surface.mesh);
    if (set % 2 == 0) CHECK(volume > 0.3 * 512 && volume < 0.95 * 512);
    mote_surface_free(&surface, NULL);
    mote_surfacer_destroy(surfacer);
  }
}

int main(void) {
  test_ring();
  test_values();
  test_cube();
  test_printed();
  return test_end();
}
