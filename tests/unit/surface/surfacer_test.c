// Surfaces of small sets of particles by every method: closed, oriented, of the right size.
#include <math.h>
#include <mote/numeric.h>
#include <mote/surface.h>
#include <stdlib.h>

#include "stingy.h"
#include "test.h"

static mote_mesh_report build(const mote_surface_def *def, const double *x, size_t count) {
  mote_error error = {0};
  mote_mesh_report report = {0};
  mote_surfacer *surfacer;
  mote_surface surface = {0};
  mote_env env = mote_env_default();
  env.threads = 1;  // tiny sets
  if (!CHECK(mote_surfacer_create(def, &env, &surfacer, &error) == MOTE_OK)) return report;
  mote_surface_particles particles = {.position = x, .count = count};
  CHECK(mote_surfacer_build(surfacer, &particles, &surface, &error) == MOTE_OK);
  CHECK_TEXT(error.text, "");
  CHECK(mote_mesh_examine(&surface.mesh, NULL, &report, &error) == MOTE_OK);
  CHECK(report.open_edges + report.crowded_edges + report.flipped_edges + report.flat_triangles == 0);
  CHECK(mote_surfacer_stats(surfacer).vertices == surface.mesh.vertices);
  mote_surface_free(&surface, NULL);
  mote_surfacer_destroy(surfacer);
  return report;
}

static mote_surface_def def_of(mote_surface_method method) {
  mote_surface_def def = mote_surface_def_default();
  def.method = method;
  def.spacing = 1.0;
  return def;
}

static void test_nothing(void) {
  for (int m = 0; m < MOTE_SURFACE_METHODS; ++m) {
    mote_surface_def def = def_of((mote_surface_method)m);
    CHECK(build(&def, NULL, 0).parts == 0);
  }
}

// One particle is a ball.
static void test_one(void) {
  const double x[3] = {0.3, -0.2, 0.1};
  for (int m = 0; m < MOTE_SURFACE_METHODS; ++m) {
    mote_surface_def def = def_of((mote_surface_method)m);
    def.cell = 0.1;
    mote_mesh_report report = build(&def, x, 1);
    CHECK(report.parts == 1);
    double radius = (report.high[0] - report.low[0]) / 2, ball = 4.18879 * radius * radius * radius;
    CHECK(report.volume > 0.97 * ball && report.volume < ball);
    if (m == MOTE_SURFACE_BLOBS) CHECK_NEAR(radius, 0.62, 0.01);
    for (int a = 0; a < 3; ++a) CHECK_NEAR((report.low[a] + report.high[a]) / 2, x[a], 0.01);
  }
}

// A slab of the packing is as thick as its layers are many: that is what the isovalue is chosen for.
static void test_slab(void) {
  enum { SIDE = 16, DEEP = 6 };
  static double x[3 * SIDE * SIDE * DEEP];
  size_t n = 0;
  for (int k = 0; k < DEEP; ++k) {
    for (int j = 0; j < SIDE; ++j) {
      for (int i = 0; i < SIDE; ++i, ++n) x[3 * n] = i, x[3 * n + 1] = j, x[3 * n + 2] = k;
    }
  }
  for (int m = 0; m < MOTE_SURFACE_METHODS; ++m) {
    mote_surface_def def = def_of((mote_surface_method)m);
    double inner = 4.0;
    for (int a = 0; a < 2; ++a) def.clip_low[a] = inner, def.clip_high[a] = SIDE - 1 - inner;
    mote_mesh_report report = build(&def, x, n);
    CHECK(report.parts == 1);
    double area = (SIDE - 1 - 2 * inner) * (SIDE - 1 - 2 * inner);
    if (m != MOTE_SURFACE_MASS) CHECK_NEAR(report.volume / area, DEEP, 0.25);
  }
}

// --- Trouble ----------------------------------------------------------------------------------------------

// Packings of a few particles, jittered a little.
#define FEW 343
static void fill_few(double *x, double spacing, double offset) {
  for (int n = 0; n < FEW; ++n) {
    const int at[3] = {n % 7, n / 7 % 7, n / 49};
    for (int a = 0; a < 3; ++a) x[3 * n + a] = offset + spacing * at[a];
  }
}

static void expect(const mote_surface_def *def, const mote_surface_particles *particles, const char *key) {
  mote_error error = {0};
  mote_surfacer *surfacer = NULL;
  mote_surface surface = {0};
  mote_result result = mote_surfacer_create(def, NULL, &surfacer, &error);
  if (!result) result = mote_surfacer_build(surfacer, particles, &surface, &error);
  CHECK(result == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, key);
  CHECK(error.text[0] != '\0' && surface.mesh.vertex == NULL);
  mote_surfacer_destroy(surfacer);
}

static void test_refused(void) {
  static double x[3 * FEW];
  float volume[FEW];
  fill_few(x, 1.0, 0.0);
  for (int n = 0; n < FEW; ++n) volume[n] = 1.0f;
  mote_surface_particles particles = {.position = x, .count = FEW};
  mote_surface_def good = def_of(MOTE_SURFACE_DENSITY), def = good;
  def.cell = 1e-9, expect(&def, &particles, "cell"), def = good;
  def.cell = 1e-5, expect(&def, &particles, "cell"), def = good;
  def.cell = (double)NAN, expect(&def, &particles, "cell"), def = good;
  def.most_nodes = 512, expect(&def, &particles, "cell"), def = good;
  def.isovalue = 0.0, expect(&def, &particles, "isovalue"), def = good;
  def.inside = 0.1, expect(&def, &particles, "inside"), def = good;
  def.support = 0.0, expect(&def, &particles, "support"), def = good;
  def.spacing = -1.0, expect(&def, &particles, "spacing"), def = good;
  def.domain.dimensions = 2, expect(&def, &particles, "domain"), def = good;
  def.method = MOTE_SURFACE_METHODS, expect(&def, &particles, "method"), def = good;
  def.grid_smoothing = 5, expect(&def, &particles, "grid_smoothing"), def = good;
  particles.volume = volume;
  volume[17] = 0.0f, expect(&def, &particles, ""), volume[17] = -1.0f, expect(&def, &particles, "");
  volume[17] = (double)NAN, expect(&def, &particles, ""), particles.volume = NULL;
  x[3 * 40 + 1] = (double)NAN, expect(&def, &particles, ""), x[3 * 40 + 1] = HUGE_VAL,
             expect(&def, &particles, "");
  def.spacing = (double)NAN;
  mote_surface_particles same = {.position = (double[6]){1, 2, 3, 1, 2, 3}, .count = 2};
  expect(&def, &same, "spacing");
}

// The particle that is wrong is named.
static void test_named(void) {
  static double x[3 * FEW];
  fill_few(x, 1.0, 0.0);
  x[3 * 123 + 2] = (double)NAN;
  mote_surface_def def = def_of(MOTE_SURFACE_DENSITY);
  mote_surfacer *surfacer;
  mote_surface surface;
  mote_error error;
  CHECK(mote_surfacer_create(&def, NULL, &surfacer, &error) == MOTE_OK);
  mote_surface_particles particles = {.position = x, .count = FEW};
  CHECK(mote_surfacer_build(surfacer, &particles, &surface, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(strstr(error.text, "123") != NULL);
  mote_surfacer_destroy(surfacer);
}

static mote_surfacer *surfacer_of(const mote_surface_def *def) {
  mote_env env = mote_env_default();
  env.threads = 1;
  mote_surfacer *surfacer = NULL;
  CHECK(mote_surfacer_create(def, &env, &surfacer, NULL) == MOTE_OK);
  return surfacer;
}

static mote_mesh_report build_with(mote_surfacer *surfacer, const double *x, size_t count) {
  mote_surface_particles particles = {.position = x, .count = count};
  mote_surface surface = {0};
  mote_mesh_report report = {0};
  CHECK(mote_surfacer_build(surfacer, &particles, &surface, NULL) == MOTE_OK);
  CHECK(mote_mesh_examine(&surface.mesh, NULL, &report, NULL) == MOTE_OK);
  mote_surface_free(&surface, NULL);
  return report;
}

// Wherever it lies in its cell, a lone particle shows at cells of up to d/2 (with stretched kernels, up to
// d); with stretched kernels it has its volume in the mean.
static void test_one_at_cells(void) {
  const double cells[] = {0.25, 0.5, 0.7, 1.0};
  for (int m = 0; m < MOTE_SURFACE_METHODS; ++m) {
    bool best = m == MOTE_SURFACE_ANISOTROPIC;
    for (int c = 0; c < (best ? 4 : 2); ++c) {
      mote_surface_def def = def_of((mote_surface_method)m);
      def.cell = cells[c];
      mote_surfacer *surfacer = surfacer_of(&def);
      double sum = 0.0;
      for (int n = 0; n < 27; ++n) {
        const int at[3] = {n % 3, n / 3 % 3, n / 9};
        double x[3];
        for (int a = 0; a < 3; ++a) x[a] = cells[c] * ((at[a] + 0.5) / 6.0);  // an eighth of the cell
        mote_mesh_report report = build_with(surfacer, x, 1);
        if (!CHECK(report.parts == 1)) fprintf(stderr, "  method %d, cell %g\n", m, cells[c]);
        sum += report.volume / 27;
      }
      if (best) CHECK_NEAR(sum, 1.0, 0.1);
      if (!CHECK(sum > 0.3)) fprintf(stderr, "  method %d, cell %g: %g\n", m, cells[c], sum);
      mote_surfacer_destroy(surfacer);
    }
  }
}

// Drops of a few particles are one part each: pairs, rows, squares, cubes; with stretched kernels they have
// half of their volume at least, with others a fifth.
static void test_few(void) {
  const int sides[][3] = {{2, 1, 1}, {3, 1, 1}, {4, 1, 1}, {6, 1, 1},
                          {2, 2, 1}, {3, 3, 1}, {2, 2, 2}, {3, 3, 2}};
  for (int m = 0; m < MOTE_SURFACE_METHODS; ++m) {
    mote_surface_def def = def_of((mote_surface_method)m);
    mote_surfacer *surfacer = surfacer_of(&def);
    for (size_t k = 0; k < sizeof sides / sizeof *sides; ++k) {
      double x[3 * 18];
      int n = 0;
      for (; n < sides[k][0] * sides[k][1] * sides[k][2]; ++n) {
        const int at[3] = {n % sides[k][0], n / sides[k][0] % sides[k][1], n / (sides[k][0] * sides[k][1])};
        for (int a = 0; a < 3; ++a) x[3 * n + a] = 0.97 * at[a] + 0.13 * a;
      }
      mote_mesh_report report = build_with(surfacer, x, (size_t)n);
      bool ok = CHECK(report.parts == 1);
      ok = CHECK(report.volume > 0.2 * n) && ok;
      if (m == MOTE_SURFACE_ANISOTROPIC)
        ok = CHECK(report.volume > 0.45 * n && report.volume < 1.3 * n) && ok;
      if (!ok)
        fprintf(stderr, "  method %d, %d particles: %zu parts, %g\n", m, n, report.parts, report.volume);
    }
    mote_surfacer_destroy(surfacer);
  }
}

// Heaps of particles in one place, with one beside them at every distance: never nothing, and never less than
// one particle has, or half of it where distances are tracked.
static void test_heaps(void) {
  const double beside[] = {0.0, 1e-6, 1e-3, 0.1, 0.3, 0.9, 1.4};
  for (int m = 0; m < MOTE_SURFACE_METHODS; ++m) {
    mote_surface_def def = def_of((mote_surface_method)m);
    mote_surfacer *surfacer = surfacer_of(&def);
    double lone = build_with(surfacer, (double[3]){0.2, 0.1, 0.3}, 1).volume;
    for (int heap = 1; heap <= 10; heap += 9) {
      for (size_t k = 0; k < sizeof beside / sizeof *beside; ++k) {
        double x[3 * 11];
        for (int n = 0; n <= heap; ++n) {
          x[3 * n] = n < heap ? 0.2 : 0.2 + beside[k], x[3 * n + 1] = 0.1, x[3 * n + 2] = 0.3;
        }
        mote_mesh_report report = build_with(surfacer, x, (size_t)heap + 1);
        bool ok = CHECK(report.parts >= 1 && report.parts <= 2);
        ok = CHECK(report.volume > (m == MOTE_SURFACE_ADAMS ? 0.5 : 0.9) * lone) && ok;
        if (!ok)
          fprintf(stderr, "  method %d, %d and one at %g: %zu parts, %g\n", m, heap, beside[k], report.parts,
                  report.volume);
      }
    }
    mote_surfacer_destroy(surfacer);
  }
}

// Heaps of particles at one place are drops like others.
// The rim of a slanted sheet at coarse cells: nodes that a tip has just reached are specks, which go unless
// they are asked for. A lone particle beside it stays.
static void test_specks(void) {
  enum { SIDE = 14, COUNT = SIDE * SIDE + 1 };
  double x[3 * COUNT] = {0.0, 20.0, 5.0};
  for (int n = 1; n < COUNT; ++n) {
    const double at[3] = {0.8 * (n % SIDE), 0.6 * (n % SIDE), (n - 1) / SIDE};
    for (int a = 0; a < 3; ++a) {
      x[3 * n + a] = at[a] + 0.15 * (2.0 * mote_random_uniform(5, (uint64_t)a, (size_t)n) - 1.0);
    }
  }
  size_t most = 0;
  for (double cell = 0.6; cell < 0.9; cell += 0.05) {
    mote_surface_def def = def_of(MOTE_SURFACE_ANISOTROPIC);
    def.cell = cell;
    mote_mesh_report report = build(&def, x, COUNT);
    if (!CHECK(report.parts == 2)) fprintf(stderr, "  cell %g: %zu parts\n", cell, report.parts);
    def.smallest_part = 0.0;
    report = build(&def, x, COUNT);
    if (report.parts > most) most = report.parts;
  }
  CHECK(most > 2);
}

static void test_coincident(void) {
  double x[3 * 20];
  for (int n = 0; n < 60; ++n) x[n] = n % 3 + (n < 30 ? 0.0 : 9.0);
  for (int m = 0; m < MOTE_SURFACE_METHODS; ++m) {
    mote_surface_def def = def_of((mote_surface_method)m);
    CHECK(build(&def, x, 20).parts == 2);
  }
}

// Far from the origin, and far from each other: the same volume as at the origin, by the same cells.
static void test_far(void) {
  static double x[3 * FEW], y[3 * FEW];
  fill_few(x, 0.125, 0.0);
  fill_few(y, 0.125, 1e9);
  for (int m = 0; m < MOTE_SURFACE_METHODS; ++m) {
    mote_surface_def def = def_of((mote_surface_method)m);
    def.spacing = 0.125;
    mote_mesh_report here = build(&def, x, FEW), far = build(&def, y, FEW);
    CHECK(here.parts == far.parts);
    CHECK_NEAR(far.high[0] - far.low[0], here.high[0] - here.low[0], 1e-6);
  }
  const double apart[6] = {0, 0, 0, 3e6, -3e6, 1e6};
  mote_surface_def def = def_of(MOTE_SURFACE_DENSITY);
  CHECK(build(&def, apart, 2).parts == 2);
}

#define NODE_GAP 6e-4  // vertices keep 1/1024 of a cell off nodes, and the sides lie on nodes here

// A tube that goes through a periodic side is closed there, and as long as the period.
static void test_periodic(void) {
  double x[3 * 4 * 4 * 10];
  for (int n = 0; n < 160; ++n) x[3 * n] = n % 10 + 17.3, x[3 * n + 1] = n / 10 % 4, x[3 * n + 2] = n / 40;
  for (int m = 0; m < MOTE_SURFACE_METHODS; ++m) {
    mote_surface_def def = def_of((mote_surface_method)m);
    def.domain.periodic[0] = true;
    def.domain.low[0] = 0.0;
    def.domain.high[0] = 10.0;
    mote_mesh_report report = build(&def, x, 160);
    CHECK(report.parts == 1);
    CHECK_NEAR(report.low[0], 0.0, NODE_GAP);
    CHECK_NEAR(report.high[0], 10.0, NODE_GAP);
  }
}

// A linear field of the particles is carried to the vertices, whole numbers are those of the nearest.
static void test_fields(void) {
  static double x[3 * FEW];
  static float hot[2 * FEW];
  static uint32_t kind[FEW];
  fill_few(x, 1.0, 0.0);
  for (int n = 0; n < FEW; ++n) {
    hot[2 * n] = (float)x[3 * n];
    hot[2 * n + 1] = 5.0f;
    kind[n] = x[3 * n] < 3.5 ? 7 : 9;
  }
  mote_field_view field[2] = {
      {.name = "hot", .unit = "K", .type = MOTE_TYPE_F32, .components = 2, .count = FEW, .data = hot},
      {.name = "kind", .unit = "", .type = MOTE_TYPE_U32, .components = 1, .count = FEW, .data = kind}};
  mote_surface_def def = def_of(MOTE_SURFACE_DENSITY);
  mote_surfacer *surfacer;
  mote_surface surface;
  mote_surface_particles particles = {.position = x, .count = FEW, .field = field, .fields = 2};
  CHECK(mote_surfacer_create(&def, NULL, &surfacer, NULL) == MOTE_OK);
  CHECK(mote_surfacer_build(surfacer, &particles, &surface, NULL) == MOTE_OK);
  CHECK(surface.fields == 2 && surface.normal != NULL);
  CHECK_TEXT(surface.field[0].name, "hot");
  const float *value = surface.field[0].data;
  const uint32_t *nearest = surface.field[1].data;
  for (size_t v = 0; v < surface.mesh.vertices; ++v) {
    const double *at = surface.mesh.vertex + 3 * v;
    CHECK_NEAR((double)value[2 * v + 1], 5.0, 1e-5);
    // Means over kernels of radius 2 are one-sided at the ends only.
    if (at[0] > 1.5 && at[0] < 4.5) CHECK_NEAR((double)value[2 * v], at[0], 0.3);
    if (fabs(at[0] - 3.5) > 0.5) CHECK(nearest[v] == (at[0] < 3.5 ? 7 : 9));
    const float *n = surface.normal + 3 * v;
    CHECK_NEAR((double)(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), 1.0, 1e-5);
    if (at[0] < -0.4) CHECK(n[0] < -0.2f);
  }
  mote_surface_free(&surface, NULL);
  mote_surfacer_destroy(surfacer);
}

// Whenever memory runs out: an error, nothing lost, nothing left.
static void test_memory(void) {
  static double x[3 * FEW];
  fill_few(x, 1.0, 0.0);
  mote_surface_particles particles = {.position = x, .count = FEW};
  for (int m = 0; m < MOTE_SURFACE_METHODS; ++m) {
    mote_surface_def def = def_of((mote_surface_method)m);
    bool done = false;
    for (int granted = 0; granted < 2000 && !done; ++granted) {
      stingy s;
      mote_env env = stingy_env(&s, granted);
      env.threads = 1;
      mote_surfacer *surfacer = NULL;
      mote_surface surface = {0};
      mote_result result = mote_surfacer_create(&def, &env, &surfacer, NULL);
      if (!result) result = mote_surfacer_build(surfacer, &particles, &surface, NULL);
      done = result == MOTE_OK;
      CHECK(done ? surface.mesh.vertices > 0 : result == MOTE_ERROR_MEMORY);
      mote_surface_free(&surface, &env);
      mote_surfacer_destroy(surfacer);
      CHECK(s.held == 0);
    }
    CHECK(done);
  }
}

// The second build of the same particles asks for nothing but its result.
static void test_kept(void) {
  static double x[3 * FEW];
  fill_few(x, 1.0, 0.0);
  mote_surface_particles particles = {.position = x, .count = FEW};
  mote_surface_def def = def_of(MOTE_SURFACE_DENSITY);
  stingy s;
  mote_env env = stingy_env(&s, 1 << 20);
  mote_surfacer *surfacer;
  size_t vertices[3];
  int asked[3];
  CHECK(mote_surfacer_create(&def, &env, &surfacer, NULL) == MOTE_OK);
  for (int k = 0; k < 3; ++k) {
    mote_surface surface;
    int before = s.left;
    CHECK(mote_surfacer_build(surfacer, &particles, &surface, NULL) == MOTE_OK);
    vertices[k] = surface.mesh.vertices;
    asked[k] = before - s.left;
    mote_surface_free(&surface, &env);
  }
  mote_surfacer_destroy(surfacer);
  CHECK(vertices[0] == vertices[1] && vertices[1] == vertices[2]);
  CHECK(asked[2] < asked[0]);
}

int main(void) {
  test_nothing();
  test_one();
  test_slab();
  test_refused();
  test_named();
  test_coincident();
  test_one_at_cells();
  test_few();
  test_heaps();
  test_specks();
  test_far();
  test_periodic();
  test_fields();
  TEST_LONG(test_memory());  // property/surface_abuse does it for every method
  test_kept();
  return test_end();
}
