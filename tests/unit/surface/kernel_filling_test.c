// Fillings whose value is known, and surfaces of slabs, fragments, clouds and drops at walls.
#include "surface/kernel_filling.h"

#include <math.h>
#include <mote/numeric.h>
#include <mote/surface.h>
#include <stdlib.h>

#include "test.h"

// A full neighbourhood, and one particle alone: its own cube is an ellipsoid of a filling above 1.
static void knows_fillings(void) {
  const double full[6] = {0.15, 0.0, 0.0, 0.15, 0.0, 0.15}, none[6] = {0.0};
  const double pi = 3.14159265358979323846, reach = 4.0, all = 2.0 / 3.0 * pi * 64.0;
  CHECK_NEAR(mote_filling_kappa(1.0, full, reach), 1.0 / sqrt(pow(1.0 + 1.0 / (12 * 16 * 0.15), 3)), 1e-12);
  CHECK_NEAR(mote_filling_kappa(0.3, full, 1e6), 0.3, 1e-9);
  CHECK(mote_filling_kappa(1.0 / all, none, reach) > 1.1 && mote_filling_kappa(1.0 / all, none, reach) < 1.2);
  // A film of spacing p: p^-2 of the weight, the same variances.
  const double film[6] = {0.2, 0.0, 0.0, 0.2, 0.0, 0.0};
  double one = mote_filling_kappa(0.6 * pi * 16.0 / all, film, reach);
  CHECK(one > 0.85 && one < 1.1);
}

static const mote_filling water = {.weight = 120.0,
                                   .filling = 0.95,
                                   .extent = 0.9,
                                   .thickness = 1.0,
                                   .offset = 0.9,
                                   .variance = {2.4, 2.4, 0.8}};

// Full water keeps its kernels to the bit, a mist's are smaller and count less, continuously.
static void thins_mist(void) {
  double axis[3] = {2.1, 2.0, 0.7};
  CHECK(mote_filling_shape(&water, 4.0, 0.777, 1.0, axis) == 1.0);
  CHECK(axis[0] == 2.1 && axis[1] == 2.0 && axis[2] == 0.7);
  double before[3] = {0.0}, weight = 0.0;
  for (double filling = 0.05; filling < 0.95; filling += 0.01) {
    mote_filling mist = {.weight = 134 * filling,
                         .filling = filling,
                         .extent = 1.0,
                         .thickness = filling,
                         .variance = {2.6, 2.4, 2.2}};
    double a[3] = {2.2, 2.1, 2.0}, w = mote_filling_shape(&mist, 4.0, 0.777, 1.0, a);
    CHECK(w > 0.0 && w <= 1.0 && a[0] >= a[1] && a[1] >= a[2] && a[2] > 0.7);
    if (weight > 0.0) CHECK(fabs(w - weight) < 0.1 && fabs(a[0] - before[0]) < 0.15);
    for (int k = 0; k < 3; ++k) before[k] = a[k];
    weight = w;
  }
}

static double jitter(int axis, size_t n) {
  return 0.15 * (2.0 * mote_random_uniform(5, (uint64_t)axis, n) - 1.0);
}

static mote_mesh_report mesh_as(const double *x, size_t count, double cell, bool whole) {
  mote_surface_def def = mote_surface_def_default();
  mote_surfacer *surfacer = NULL;
  mote_surface surface = {0};
  mote_mesh_report report = {0};
  mote_surface_particles particles = {.position = x, .count = count};
  def.spacing = 1.0, def.cell = cell, def.whole = whole;
  CHECK(mote_surfacer_create(&def, NULL, &surfacer, NULL) == MOTE_OK);
  CHECK(mote_surfacer_build(surfacer, &particles, &surface, NULL) == MOTE_OK);
  CHECK(mote_mesh_examine(&surface.mesh, NULL, &report, NULL) == MOTE_OK);
  mote_surface_free(&surface, NULL);
  mote_surfacer_destroy(surfacer);
  return report;
}

static mote_mesh_report mesh_of(const double *x, size_t count, double cell) {
  return mesh_as(x, count, cell, false);
}

// Slabs of one to six layers along no axis are whole: one part, no handle, no hollow, within 12 % of their
// volume (one layer of a lattice, which is thinner than a cell of 0.5 d resolves: 18 %).
static void keeps_slabs_whole(void) {
  enum { SIDE = 20, LAYERS = 6 };
  static double x[3 * SIDE * SIDE * LAYERS];
  for (int run = 0; run < (TEST_SHORT ? 2 : 4) * LAYERS; ++run) {
    int layers = run % LAYERS + 1, moved = run / LAYERS % 2, fine = run / (2 * LAYERS);
    size_t n = 0;
    for (int i = 0; i < SIDE * SIDE * layers; ++i, ++n) {
      double u = i % SIDE, v = i / SIDE % SIDE, w = i / (SIDE * SIDE);
      const double at[3] = {0.8 * u - 0.6 * w, v, 0.6 * u + 0.8 * w};
      for (int a = 0; a < 3; ++a) x[3 * n + (size_t)a] = at[a] + (moved ? jitter(a, n) : 0.0);
    }
    mote_mesh_report r = mesh_of(x, n, fine ? 0.25 : 0.5);
    bool whole = CHECK(r.genus == 0 && r.parts == 1 && r.crossings == 0);
    bool kept = CHECK(fabs(r.volume / (double)n - 1.0) < (layers == 1 ? 0.18 : 0.12));
    if (!whole || !kept)
      fprintf(stderr, "  %d layers, %s, %s: %zu parts, genus %d, volume %.3f\n", layers,
              moved ? "moved" : "lattice", fine ? "0.25" : "0.5", r.parts, (int)r.genus,
              r.volume / (double)n);
  }
}

// A random cloud has its own volume within 60 % (four times before) and a bent thread within 25 %.
static void keeps_sparse_volume(void) {
  enum { CLOUD = 600, THREAD = 40 };
  static double x[3 * CLOUD];
  for (size_t n = 0; n < CLOUD; ++n) {
    for (int a = 0; a < 3; ++a) x[3 * n + (size_t)a] = 14.0 * mote_random_uniform(3, (uint64_t)a, n);
  }
  double cloud = mesh_of(x, CLOUD, 0.5).volume / CLOUD;
  if (!CHECK(cloud > 0.7 && cloud < 1.6)) fprintf(stderr, "  cloud: %.3f\n", cloud);
  double at[3] = {0.0}, along[3] = {1.0, 0.0, 0.0};
  for (size_t n = 0; n < THREAD; ++n) {
    double length = 0.0;
    for (int a = 0; a < 3; ++a) {
      x[3 * n + (size_t)a] = at[a];
      along[a] += mote_random_uniform(4, (uint64_t)a, n) - 0.5;
      length += along[a] * along[a];
    }
    for (int a = 0; a < 3; ++a) along[a] /= sqrt(length), at[a] += along[a];
  }
  mote_mesh_report thread = mesh_of(x, THREAD, 0.5);
  CHECK(thread.parts == 1);
  if (!CHECK(fabs(thread.volume / THREAD - 1.0) < 0.25))
    fprintf(stderr, "  thread: %.3f\n", thread.volume / THREAD);
}

// A thick thread that was drawn out into discs: with `whole` one part without handles, as large as the
// cylinder that it was before it was drawn out, times 1.6.
static void draws_threads_whole(void) {
  enum { DISCS = 20, MOST = 30 * DISCS };
  static double x[3 * MOST];
  size_t n = 0;
  for (int disc = 0; disc < DISCS; ++disc)
    for (int i = -3; i <= 3; ++i)
      for (int j = -3; j <= 3; ++j) {
        const double at[3] = {i, 1.6 * disc, j};
        if (i * i + j * j > 9) continue;
        for (int a = 0; a < 3; ++a) x[3 * n + (size_t)a] = at[a] + jitter(a, n);
        ++n;
      }
  mote_mesh_report thin = mesh_of(x, n, 0.5), whole = mesh_as(x, n, 0.5, true);
  CHECK(whole.parts == 1 && whole.genus == 0);
  CHECK(thin.genus > 0 || thin.parts > 1);
  CHECK(thin.volume / (double)n > 0.8 && thin.volume / (double)n < 1.35);
  if (!CHECK(fabs(whole.volume / (double)n - 1.6) < 0.25))
    fprintf(stderr, "  thread: %.3f, whole %.3f\n", thin.volume / (double)n, whole.volume / (double)n);
}

// A few particles far apart: no kernel is too thin for a cell, or too light at its own centre.
static void shows_spray(void) {
  const mote_filling pair = {.weight = 1.9,
                             .filling = 0.4,
                             .thickness = 0.1,
                             .extent = 0.3,
                             .offset = 1.0,
                             .variance = {1.0, 0.01, 0.01}};
  double a[3] = {2.5, 0.3, 0.2}, w = mote_filling_shape(&pair, 4.0, 0.777, 1.1, a);
  CHECK(w > 0.0 && a[0] >= a[2] && a[2] >= 0.75 * 1.1 * 0.777 - 1e-12);
  const mote_filling few = {.weight = 4.0,
                            .filling = 0.45,
                            .thickness = 0.1,
                            .extent = 0.9,
                            .offset = 1.0,
                            .variance = {2.0, 1.9, 1.8}};
  double b[3] = {2.2, 2.1, 2.0};
  w = mote_filling_shape(&few, 4.0, 0.777, 1.0, b);
  CHECK(w >= 1.0 || w >= 0.4 * b[0] * b[1] * b[2] * (1.0 - 1e-12) || b[0] < 0.76 * 0.777);
}

int main(void) {
  shows_spray();
  knows_fillings();
  thins_mist();
  keeps_slabs_whole();
  keeps_sparse_volume();
  draws_threads_whole();
  return test_end();
}
