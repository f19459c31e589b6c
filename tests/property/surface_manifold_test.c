// Every surface of particles is a closed, oriented manifold without flat triangles, whatever the particles
// are and whatever is done to it afterwards; and the same bits for any number of threads.
#include <mote/mote.h>

#include "surface_kit.h"
#include "test.h"

enum { MOST = 400 };

typedef size_t make_points(unsigned seed, double *x);

static double uniform(unsigned seed, size_t i, unsigned stream) {
  return mote_random_unit(seed, stream, i);
}

// Points everywhere in a box: clumps, specks and voids of every size.
static size_t scatter(unsigned seed, double *x) {
  size_t n = 1 + (size_t)(uniform(seed, 0, 9) * (MOST - 1));
  double size = 1.0 + 8.0 * uniform(seed, 1, 9);
  for (size_t i = 0; i < 3 * n; ++i) x[i] = size * uniform(seed, i, 1);
  return n;
}

// A ball of packing points, shaken.
static size_t blob(unsigned seed, double *x) {
  size_t n = 0;
  double radius = 1.0 + 2.5 * uniform(seed, 0, 9), shake = 0.4 * uniform(seed, 1, 9);
  for (int i = 0; i < 512 && n < MOST; ++i) {
    double p[3] = {i % 8 - 3.5, i / 8 % 8 - 3.5, i / 64 - 3.5};
    if (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] > radius * radius) continue;
    for (int a = 0; a < 3; ++a) x[3 * n + a] = p[a] + shake * (uniform(seed, 3 * n + a, 2) - 0.5);
    ++n;
  }
  return n;
}

// One layer, bent and torn.
static size_t sheet(unsigned seed, double *x) {
  size_t n = 0;
  for (unsigned i = 0; i < MOST; ++i) {
    if (uniform(seed, i, 3) < 0.1) continue;
    double u = i % 20, v = i / 20;
    x[3 * n] = u, x[3 * n + 1] = v;
    x[3 * n++ + 2] = 0.02 * u * v * uniform(seed, 0, 9) + 0.3 * (uniform(seed, i, 4) - 0.5);
  }
  return n;
}

// Threads of particles that cross.
static size_t filaments(unsigned seed, double *x) {
  size_t n = 0;
  for (unsigned f = 0; f < 8; ++f) {
    double p[3], d[3];
    for (unsigned a = 0; a < 3; ++a)
      p[a] = 8.0 * uniform(seed, f, 10 + a), d[a] = uniform(seed, f, 20 + a) - 0.5;
    for (unsigned i = 0; i < 40; ++i, ++n) {
      for (unsigned a = 0; a < 3; ++a) x[3 * n + a] = p[a] + i * d[a];
    }
  }
  return n;
}

// Many points in few places, on the grid's nodes and off them.
static size_t coincident(unsigned seed, double *x) {
  size_t n = 100;
  for (size_t i = 0; i < n; ++i) {
    size_t place = i % 7;
    for (unsigned a = 0; a < 3; ++a) {
      x[3 * i + a] = floor(8.0 * uniform(seed, place, a)) * (seed % 2 ? 0.5 : 0.37);
    }
  }
  return n;
}

static void is_sound(const mote_mesh *mesh, const char *what, unsigned seed) {
  mote_mesh_report r = {0};
  CHECK(mote_mesh_examine(mesh, NULL, &r, NULL) == MOTE_OK);
  bool ok = kit_bad_vertices(mesh) == 0 && r.flat_triangles == 0 && r.genus >= 0;
  if (!CHECK(ok)) fprintf(stderr, "  %s, seed %u\n", what, seed);
}

static mote_surface build(const mote_surface_def *def, const double *x, size_t n, int threads) {
  mote_env env = mote_env_default();
  env.threads = threads;
  mote_surfacer *surfacer;
  mote_surface surface = {0};
  mote_error error = {0};
  mote_surface_particles particles = {.position = x, .count = n};
  CHECK(mote_surfacer_create(def, &env, &surfacer, &error) == MOTE_OK);
  if (!CHECK(mote_surfacer_build(surfacer, &particles, &surface, &error) == MOTE_OK)) {
    fprintf(stderr, "  %s\n", error.text);
  }
  mote_surfacer_destroy(surfacer);
  return surface;
}

static void better(mote_surface *s, const char *what, unsigned seed) {
  double cell = 0.5;
  CHECK(mote_surface_smooth(s, 5, NULL, NULL) == MOTE_OK);
  is_sound(&s->mesh, what, seed);
  CHECK(mote_surface_clean(s, 3.14159265358979 / 18.0, NULL, NULL) == MOTE_OK);
  is_sound(&s->mesh, what, seed);
  CHECK(mote_surface_drop_parts(s, 8.0 * cell * cell * cell, NULL, NULL) == MOTE_OK);
  is_sound(&s->mesh, what, seed);
}

static void test_sets(void) {
  static double x[3 * 512];
  static const struct {
    const char *name;
    make_points *make;
  } set[] = {{"scatter", scatter},
             {"blob", blob},
             {"sheet", sheet},
             {"filaments", filaments},
             {"coincident", coincident}};
  for (unsigned k = 0; k < sizeof set / sizeof *set; ++k) {
    for (unsigned seed = 0; seed < MOTE_SURFACE_METHODS; ++seed) {
      mote_surface_def def = mote_surface_def_default();
      def.method = (mote_surface_method)(seed % MOTE_SURFACE_METHODS);
      def.spacing = 1.0;
      def.root_steps = seed % 3 == 0 ? 4 : 0;
      size_t n = set[k].make(seed, x);
      mote_surface s = build(&def, x, n, 2);
      is_sound(&s.mesh, set[k].name, seed);
      if (seed < 3) {
        mote_surface other = build(&def, x, n, seed == 0 ? 1 : 7);
        CHECK(other.mesh.vertices == s.mesh.vertices && other.mesh.triangles == s.mesh.triangles);
        CHECK(memcmp(other.mesh.vertex, s.mesh.vertex, 24 * s.mesh.vertices) == 0);
        CHECK(memcmp(other.mesh.triangle, s.mesh.triangle, 12 * s.mesh.triangles) == 0);
        mote_surface_free(&other, NULL);
      }
      better(&s, set[k].name, seed);
      mote_surface_free(&s, NULL);
    }
  }
}

int main(void) {
  test_sets();
  return test_end();
}
