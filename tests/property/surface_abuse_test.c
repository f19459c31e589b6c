// Misuse of surfaces: every member of the definition out of its range is refused by name; null, not finite
// and contradictory particles are told by a sentence; absurd but allowed sets give closed meshes; memory that
// runs out is told and given back.
#include <math.h>
#include <mote/surface.h>
#include <stddef.h>
#include <stdlib.h>

#include "abuse.h"

static mote_error error;

static void *untouched(void) {
  static char somewhere;
  return &somewhere;
}

static bool refused_key(const mote_surface_def *def, const char *key) {
  mote_surfacer *surfacer = untouched();
  bool ok = REFUSED(mote_surfacer_create(def, NULL, &surfacer, &error), ARGUMENT, "");
  ok = CHECK(strcmp(error.key, key) == 0) && ok;
  if (!ok) fprintf(stderr, "  key \"%s\", wanted \"%s\": %s\n", error.key, key, error.text);
  return CHECK(surfacer == untouched() && error.text[0] != '\0') && ok;
}

// --- Definitions ------------------------------------------------------------------------------------------

typedef struct member {
  const char *key;
  size_t offset;
  double below, above;  // just not allowed
  bool nan;             // NaN has a meaning
} member;

#define AT(name) #name, offsetof(mote_surface_def, name)

static void test_numbers(void) {
  const member m[] = {
      {AT(spacing), 0.0, 1e200, true},       {AT(support), 0.0, 1e3, true},
      {AT(cell), 0.0, 1e9, false},           {AT(isovalue), -1e9, 1e9, true},
      {AT(radius), 0.0, 1e3, true},          {AT(smoothing), -0.1, 1.1, false},
      {AT(reach), 0.0, 1e3, false},          {AT(stretch), 0.9, 1e6, false},
      {AT(scale), 0.0, 1e9, true},           {AT(lone_scale), 0.0, 1e6, false},
      {AT(connected), 0.0, 1e3, false},      {AT(tag_count), -0.1, 1e6, false},
      {AT(tag_offset), -0.1, 1e6, false},    {AT(inside), 0.0, 1e9, true},
      {AT(smallest_part), -1.0, 1e20, true},
  };
  for (size_t k = 0; k < sizeof m / sizeof *m; ++k) {
    const double bad[] = {m[k].below, m[k].above, -1e300, HUGE_VAL, -HUGE_VAL, (double)NAN};
    for (int b = 0; b < (m[k].nan ? 5 : 6); ++b) {
      mote_surface_def def = mote_surface_def_default();
      memcpy((char *)&def + m[k].offset, &bad[b], sizeof bad[b]);
      refused_key(&def, m[k].key);
    }
  }
}

static void test_counts(void) {
  const struct {
    const char *key;
    size_t offset;
    int bad;
  } m[] = {{AT(lone_neighbours), -1},
           {AT(grid_smoothing), -1},
           {AT(grid_smoothing), 1000},
           {AT(root_steps), -1},
           {AT(root_steps), 1000},
           {"smooth", offsetof(mote_surface_def, mesh_smoothing), -1},
           {"smooth", offsetof(mote_surface_def, mesh_smoothing), INT32_MAX}};
  for (size_t k = 0; k < sizeof m / sizeof *m; ++k) {
    mote_surface_def def = mote_surface_def_default();
    memcpy((char *)&def + m[k].offset, &m[k].bad, sizeof m[k].bad);
    refused_key(&def, m[k].key);
  }
  for (int method = -1; method <= MOTE_SURFACE_METHODS; method += MOTE_SURFACE_METHODS + 1) {
    mote_surface_def def = mote_surface_def_default();
    memcpy(&def.method, &method, sizeof def.method);
    refused_key(&def, "method");
  }
  CHECK_TEXT(mote_surface_method_name(MOTE_SURFACE_TRACKED), "tracked");
  CHECK_TEXT(mote_surface_method_name((mote_surface_method)(MOTE_SURFACE_TRACKED + 1)), "?");
}

static void test_boxes(void) {
  for (int dimensions = -1; dimensions < 6; ++dimensions) {
    mote_surface_def def = mote_surface_def_default();
    def.domain.dimensions = dimensions;
    if (dimensions != 3) refused_key(&def, "domain");
  }
  const double ends[][2] = {
      {1.0, 1.0}, {1.0, 0.0}, {(double)NAN, 1.0}, {0.0, (double)NAN}, {-HUGE_VAL, HUGE_VAL}};
  for (int k = 0; k < 5; ++k) {
    mote_surface_def def = mote_surface_def_default();
    def.domain.periodic[1] = true;
    def.domain.low[1] = ends[k][0], def.domain.high[1] = ends[k][1];
    refused_key(&def, "domain");
    def = mote_surface_def_default();
    def.clip_low[2] = ends[k][0], def.clip_high[2] = ends[k][1];
    if (k < 4) refused_key(&def, "clip_low");
  }
}

// --- Particles --------------------------------------------------------------------------------------------

static mote_surfacer *surfacer_of(mote_surface_method method, double spacing) {
  mote_surface_def def = mote_surface_def_default();
  def.method = method;
  def.spacing = spacing;
  mote_surfacer *surfacer = NULL;
  CHECK(mote_surfacer_create(&def, NULL, &surfacer, NULL) == MOTE_OK);
  return surfacer;
}

static void test_particles(void) {
  mote_surfacer *s = surfacer_of(MOTE_SURFACE_ZHU_BRIDSON, 1.0);
  mote_surface out = {.fields = 77};
  double x[6] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0};
  float volume[2] = {1.0f, 1.0f};
  mote_surface_particles good = {.position = x, .count = 2}, p = good;
  REFUSED(mote_surfacer_build(NULL, &good, &out, &error), ARGUMENT, "null");
  REFUSED(mote_surfacer_build(s, NULL, &out, &error), ARGUMENT, "null");
  REFUSED(mote_surfacer_build(s, &good, NULL, &error), ARGUMENT, "null");
  p.position = NULL;
  REFUSED(mote_surfacer_build(s, &p, &out, &error), ARGUMENT, "null");
  const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
  for (int k = 0; k < 3; ++k) {
    x[4] = bad[k];
    REFUSED(mote_surfacer_build(s, &good, &out, &error), ARGUMENT, "1");  // the first is named
    x[4] = 0.0;
    volume[1] = (float)bad[k];
    p = good, p.volume = volume;
    REFUSED(mote_surfacer_build(s, &p, &out, &error), ARGUMENT, "volume");
  }
  volume[1] = 0.0f;
  REFUSED(mote_surfacer_build(s, &p, &out, &error), ARGUMENT, "volume");
  float data[2] = {0.0f, 0.0f};
  mote_field_view field = {
      .name = "a", .unit = "", .type = MOTE_TYPE_F32, .components = 1, .count = 2, .data = data};
  p = good, p.field = &field;
  for (int fields = -1; fields <= MOTE_SURFACE_FIELDS + 1; fields += MOTE_SURFACE_FIELDS + 2) {
    p.fields = fields;
    REFUSED(mote_surfacer_build(s, &p, &out, &error), ARGUMENT, "fields");
  }
  p.fields = 1;
  field.count = 1;
  REFUSED(mote_surfacer_build(s, &p, &out, &error), ARGUMENT, "field 0");
  field.count = 2, field.components = 0;
  REFUSED(mote_surfacer_build(s, &p, &out, &error), ARGUMENT, "field 0");
  field.components = 1, field.data = NULL;
  REFUSED(mote_surfacer_build(s, &p, &out, &error), ARGUMENT, "field 0");
  CHECK(out.fields == 77 && out.mesh.vertex == NULL);                                       // never touched
  CHECK(mote_surfacer_build(s, &good, &out, &error) == MOTE_OK && out.mesh.triangles > 0);  // none the worse
  mote_surface_free(&out, NULL);
  mote_surface_free(&out, NULL);
  mote_surface_free(NULL, NULL);
  mote_surfacer_destroy(s);
  mote_surfacer_destroy(NULL);
}

// Too many nodes are refused before memory is asked for; so are particles farther apart than cells can count.
static void test_too_many(void) {
  mote_surface_def def = mote_surface_def_default();
  def.method = MOTE_SURFACE_DENSITY, def.spacing = 1.0, def.cell = 0.05, def.most_nodes = 1000;
  abuse_memory memory;
  mote_env env = abuse_env(&memory, -1);
  mote_surfacer *s;
  mote_surface out = {0};
  const double one[3] = {0.0, 0.0, 0.0}, far[6] = {0.0, 0.0, 0.0, 1e30, 1e30, 1e30};
  if (!CHECK(mote_surfacer_create(&def, &env, &s, &error) == MOTE_OK)) return;
  REFUSED(mote_surfacer_build(s, &(mote_surface_particles){.position = one, .count = 1}, &out, &error),
          ARGUMENT, "nodes");
  CHECK_TEXT(error.key, "cell");
  REFUSED(mote_surfacer_build(s, &(mote_surface_particles){.position = far, .count = 2}, &out, &error),
          ARGUMENT, "spread");
  mote_surfacer_destroy(s);
  CHECK(memory.bytes == 0 && memory.most < (size_t)1 << 30);
}

// What is allowed though nobody wants it: all particles in one place, two worlds apart, far from the origin,
// huge and tiny volumes. Meshes stay closed.
static void test_absurd(void) {
  enum { N = 200 };
  static double x[3 * N];
  static float volume[N];
  for (int kind = 0; kind < 4; ++kind) {
    for (int i = 0; i < N; ++i) {
      volume[i] = kind == 3 ? (i % 2 ? 1e30f : 1e-30f) : 1.0f;
      for (int a = 0; a < 3; ++a) {
        double along = kind == 0 ? 0.25 : kind == 1 ? (i % 2) * 1e6 : (i + a) % 6;
        x[3 * i + a] = kind == 2 ? 1e7 + along : along;
      }
    }
    for (int m = 0; m < MOTE_SURFACE_METHODS; ++m) {
      mote_surfacer *s = surfacer_of((mote_surface_method)m, 1.0);
      mote_surface out = {0};
      mote_surface_particles p = {.position = x, .count = N, .volume = volume};
      mote_result result = mote_surfacer_build(s, &p, &out, &error);
      mote_mesh_report report = {0};
      if (CHECK(result == MOTE_OK)) CHECK(mote_mesh_examine(&out.mesh, NULL, &report, NULL) == MOTE_OK);
      bool closed = report.open_edges + report.crowded_edges + report.flipped_edges == 0;
      if (!CHECK(closed))
        fprintf(stderr, "  kind %d, %s\n", kind, mote_surface_method_name((mote_surface_method)m));
      mote_surface_free(&out, NULL);
      mote_surfacer_destroy(s);
    }
  }
}

// A block of 6 x 6 x 6 of the smallest and the largest spacing has a surface by every method; beyond, it is
// refused.
static void test_sizes(void) {
  enum { N = 216 };
  static double x[3 * N];
  const double size[] = {1.001e-12, 0.999e12, 1e-13, 1e13};
  for (int k = 0; k < 4; ++k) {
    for (int i = 0; i < N; ++i)
      x[3 * i] = size[k] * (i % 6), x[3 * i + 1] = size[k] * (i / 6 % 6), x[3 * i + 2] = size[k] * (i / 36);
    for (int m = 0; m < MOTE_SURFACE_METHODS; ++m) {
      mote_surfacer *s = surfacer_of((mote_surface_method)m, size[k]);
      mote_surface out = {0};
      mote_surface_particles p = {.position = x, .count = N};
      mote_result result = mote_surfacer_build(s, &p, &out, &error);
      mote_mesh_report report = {0};
      if (k < 2 && CHECK(result == MOTE_OK))
        CHECK(mote_mesh_examine(&out.mesh, NULL, &report, NULL) == MOTE_OK);
      double d3 = size[k] * size[k] * size[k];
      if (k < 2 && !CHECK(report.volume > 125 * d3 && report.volume < 400 * d3))
        fprintf(stderr, "  %s: %g d^3\n", mote_surface_method_name((mote_surface_method)m),
                report.volume / d3);
      if (k >= 2) CHECK(result == MOTE_ERROR_ARGUMENT && strstr(error.text, "spacing") != NULL);
      mote_surface_free(&out, NULL);
      mote_surfacer_destroy(s);
    }
  }
}

// --- Meshes -----------------------------------------------------------------------------------------------

// A tetrahedron, without its last triangles.
static mote_surface tetrahedron(size_t triangles) {
  static double vertex[12] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  static uint32_t triangle[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  return (mote_surface){
      .mesh = {.vertex = vertex, .triangle = triangle, .vertices = 4, .triangles = triangles}};
}

static void test_meshes(void) {
  REFUSED(mote_surface_smooth(NULL, 1, NULL, &error), ARGUMENT, "needed");
  REFUSED(mote_surface_clean(NULL, 0.1, NULL, &error), ARGUMENT, "needed");
  REFUSED(mote_surface_drop_parts(NULL, 1.0, NULL, &error), ARGUMENT, "needed");
  mote_surface open = tetrahedron(3), closed = tetrahedron(4), bad = tetrahedron(4);
  uint32_t wrong[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 4};
  bad.mesh.triangle = wrong;
  REFUSED(mote_surface_smooth(&closed, -1, NULL, &error), ARGUMENT, "");
  const double angle[] = {-0.1, 0.6, (double)NAN, HUGE_VAL}, volume[] = {-1.0, (double)NAN};
  for (int k = 0; k < 4; ++k) REFUSED(mote_surface_clean(&closed, angle[k], NULL, &error), ARGUMENT, "");
  for (int k = 0; k < 2; ++k)
    REFUSED(mote_surface_drop_parts(&closed, volume[k], NULL, &error), ARGUMENT, "");
  mote_surface *broken[] = {&open, &bad};
  for (int k = 0; k < 2; ++k) {
    REFUSED(mote_surface_smooth(broken[k], 1, NULL, &error), ARGUMENT, "");
    REFUSED(mote_surface_clean(broken[k], 0.1, NULL, &error), ARGUMENT, "");
  }
  REFUSED(mote_surface_drop_parts(&bad, 1.0, NULL, &error), ARGUMENT, "");
  mote_surface none = {0};
  CHECK(mote_surface_smooth(&none, 3, NULL, &error) == MOTE_OK);
  CHECK(mote_surface_clean(&none, 0.1, NULL, &error) == MOTE_OK);
  CHECK(mote_surface_drop_parts(&none, 1.0, NULL, &error) == MOTE_OK);
  mote_surface_free(&none, NULL);
}

// --- Memory -----------------------------------------------------------------------------------------------

static mote_surface_method exhausted_method;
static mote_result use_surfacer(const mote_env *given) {
  static double x[3 * 27];
  static float heat[27];
  for (int i = 0; i < 27; ++i) {
    x[3 * i] = i % 3, x[3 * i + 1] = i / 3 % 3, x[3 * i + 2] = i / 9;
    heat[i] = (float)i;
  }
  mote_env env = *given;
  env.threads = 1;
  mote_surface_def def = mote_surface_def_default();
  def.method = exhausted_method;
  def.cell = 1.0, def.clean = true, def.mesh_smoothing = 1, def.smallest_part = 0.01;
  mote_surfacer *s;
  mote_result result = mote_surfacer_create(&def, &env, &s, &error);
  if (result) return result;
  mote_field_view field = {
      .name = "heat", .unit = "K", .type = MOTE_TYPE_F32, .components = 1, .count = 27, .data = heat};
  mote_surface out = {0};
  result = mote_surfacer_build(
      s, &(mote_surface_particles){.position = x, .count = 27, .field = &field, .fields = 1}, &out, &error);
  if (!result) mote_surface_free(&out, &env);
  mote_surfacer_destroy(s);
  return result;
}

int main(void) {
  mote_surfacer *surfacer = untouched();
  mote_surface_def def = mote_surface_def_default();
  REFUSED(mote_surfacer_create(NULL, NULL, &surfacer, &error), ARGUMENT, "null");
  REFUSED(mote_surfacer_create(&def, NULL, NULL, &error), ARGUMENT, "null");
  test_numbers();
  test_counts();
  test_boxes();
  test_particles();
  test_too_many();
  test_absurd();
  test_sizes();
  test_meshes();
  for (int m = 0; m < MOTE_SURFACE_METHODS; ++m) {
    exhausted_method = (mote_surface_method)m;
    abuse_exhaust(mote_surface_method_name(exhausted_method), use_surfacer, &error);
  }
  return test_end();
}
