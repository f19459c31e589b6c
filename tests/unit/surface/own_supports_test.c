// Sets of two spacings, each particle with kernels of its own size: the level of a slab and the volume of a
// ball within the bounds of sets of one spacing.
#include <math.h>
#include <mote/numeric.h>
#include <mote/surface.h>
#include <stdlib.h>

#include "test.h"

enum { MOST = 20000 };
static double x[3 * MOST];
static float volume[MOST];
static size_t count;

static double jitter(size_t axis, double size) {
  return 0.15 * size * (2.0 * mote_random_uniform(5, axis, count) - 1.0);
}

static void add(double px, double py, double pz, double size, bool jittered) {
  if (!CHECK(count < MOST)) return;
  const double p[3] = {px, py, pz};
  for (size_t a = 0; a < 3; ++a) x[3 * count + a] = p[a] + (jittered ? jitter(a, size) : 0.0);
  volume[count++] = (float)(size * size * size);
}

// Fine where x < 0, twice as coarse beyond; `deep` fine layers, from z = 0 to `deep`.
static void fill_slab(int side, int deep, bool jittered) {
  count = 0;
  for (int k = 0; k < deep; ++k)
    for (int j = 0; j < side; ++j)
      for (int i = 0; i < side; ++i) add(i - side + 0.5, j + 0.5, k + 0.5, 1.0, jittered);
  for (int k = 0; k < deep / 2; ++k)
    for (int j = 0; j < side / 2; ++j)
      for (int i = 0; i < side / 2; ++i) add(2 * i + 1.0, 2 * j + 1.0, 2 * k + 1.0, 2.0, jittered);
}

static bool build(mote_surface_def *def, mote_surface *out) {
  mote_error error = {0};
  mote_surfacer *surfacer;
  mote_env env = mote_env_default();
  env.threads = 1;
  if (!CHECK(mote_surfacer_create(def, &env, &surfacer, &error) == MOTE_OK)) return false;
  mote_surface_particles particles = {.position = x, .count = count, .volume = volume};
  bool ok = CHECK(mote_surfacer_build(surfacer, &particles, out, &error) == MOTE_OK);
  mote_surfacer_destroy(surfacer);
  return ok;
}

static mote_surface_def def_of(mote_surface_method method) {
  mote_surface_def def = mote_surface_def_default();
  def.method = method, def.spacing = 1.0, def.own_supports = true;
  return def;
}

// The volume over [low, high] of x, per area: the thickness there.
static double thickness(mote_surface_method method, double low, double high, int side, double margin) {
  mote_surface_def def = def_of(method);
  mote_surface surface;
  def.clip_low[0] = low, def.clip_high[0] = high;
  def.clip_low[1] = margin, def.clip_high[1] = side - margin;
  if (!build(&def, &surface)) return (double)NAN;
  mote_mesh_report report = {0};
  CHECK(mote_mesh_examine(&surface.mesh, NULL, &report, NULL) == MOTE_OK);
  CHECK(report.parts == 1 && report.genus == 0 && report.open_edges == 0);
  mote_surface_free(&surface, NULL);
  return report.volume / ((high - low) * (side - 2 * margin));
}

// As a slab of one spacing: within 0.25 spacings in all (surfacer_test), of each spacing in its own half; and
// where they meet.
static void levels_are_kept(bool jittered) {
  enum { SIDE = 24, DEEP = 12 };
  fill_slab(SIDE, DEEP, jittered);
  for (int m = 0; m < MOTE_SURFACE_METHODS; ++m) {
    mote_surface_method method = (mote_surface_method)m;
    if (method == MOTE_SURFACE_MASS) continue;  // half a spacing higher, with one spacing too
    if (TEST_SHORT && method != MOTE_SURFACE_DENSITY && method != MOTE_SURFACE_ANISOTROPIC) continue;
    double fine = thickness(method, -16.0, -6.0, SIDE, 6.0) - DEEP;
    double coarse = thickness(method, 8.0, 16.0, SIDE, 8.0) - DEEP;
    double between = thickness(method, -5.0, 5.0, SIDE, 8.0) - DEEP;
    bool ok = CHECK(fabs(fine) < 0.25);
    ok = CHECK(fabs(coarse) < 0.25 * 2.0) && ok;
    ok = CHECK(fabs(between) < 0.25 * 1.5) && ok;
    if (!ok || getenv("MOTE_SHOW") != NULL)
      fprintf(stderr, "  %s: %.3f fine, %.3f coarse, %.3f between\n", mote_surface_method_name(method), fine,
              coarse, between);
  }
}

// A ball of radius 12: two fine layers, coarse inside; the volume as that of fine ones alone, within 3 %.
static void balls_keep_their_volume(void) {
  double fine = 0.0;
  for (int graded = 0; graded < 2; ++graded) {
    double sum = 0.0;
    count = 0;
    for (int k = -7; k < 7; ++k)
      for (int j = -7; j < 7; ++j)
        for (int i = -7; i < 7; ++i) {
          double c[3] = {2 * i + 1.0, 2 * j + 1.0, 2 * k + 1.0};
          double far = sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
          if (graded && far < 8.0) {
            add(c[0], c[1], c[2], 2.0, true);
            continue;
          }
          for (int n = 0; n < 8; ++n) {
            double p[3] = {c[0] - 0.5 + (n & 1), c[1] - 0.5 + (n >> 1 & 1), c[2] - 0.5 + (n >> 2)};
            if (sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) < 12.0) add(p[0], p[1], p[2], 1.0, true);
          }
        }
    for (size_t i = 0; i < count; ++i) sum += (double)volume[i];
    mote_surface_def def = def_of(MOTE_SURFACE_ANISOTROPIC);
    mote_surface surface;
    if (!build(&def, &surface)) return;
    double ratio = mote_mesh_volume(&surface.mesh) / sum;
    mote_surface_free(&surface, NULL);
    if (!CHECK(fabs(ratio - 1.0) < 0.03)) fprintf(stderr, "  %zu particles: V/V0 %.4f\n", count, ratio);
    if (graded) CHECK(fabs(ratio - fine) < 0.01);
    fine = ratio;
  }
}

// Particles of volume 8 in a set of spacing 1 have the surface of a set of spacing 2 with cells half as
// large, but for the ripples that are not evened.
static void sizes_are_units(void) {
  count = 0;
  for (int k = 0; k < 6; ++k)
    for (int j = 0; j < 8; ++j)
      for (int i = 0; i < 8; ++i) add(2.0 * i, 2.0 * j, 2.0 * k, 2.0, true);
  for (int m = 0; m < MOTE_SURFACE_METHODS; ++m) {
    mote_surface a, b;
    mote_surface_def own = def_of((mote_surface_method)m), plain = own;
    own.ripple = plain.ripple = 0.0;
    plain.own_supports = false, plain.spacing = 2.0, plain.cell = 0.25;
    if (!build(&own, &a) || !build(&plain, &b)) return;
    if (!CHECK_NEAR(mote_mesh_volume(&a.mesh) / mote_mesh_volume(&b.mesh), 1.0, 1e-3))
      fprintf(stderr, "  %s\n", mote_surface_method_name((mote_surface_method)m));
    mote_surface_free(&a, NULL), mote_surface_free(&b, NULL);
  }
  // Without a spacing the smallest particle gives the cells.
  mote_surface surface;
  mote_surface_def def = def_of(MOTE_SURFACE_DENSITY);
  def.spacing = (double)NAN;
  volume[3] = 1.0F;
  if (!build(&def, &surface)) return;
  CHECK(surface.mesh.triangles > 3000);
  mote_surface_free(&surface, NULL);
}

int main(void) {
  levels_are_kept(false);
  TEST_LONG(levels_are_kept(true));
  TEST_LONG(balls_keep_their_volume());
  sizes_are_units();
  return test_end();
}
