// Simplified pieces: a pot of 1,120 triangles at the defaults has few triangles, closed, without crossings,
// on the surface that it had, with walls that fit, the volume and what its surface shows.
#include <math.h>
#include <mote/mote.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "geom/tri_cross.h"
#include "mesh/half_edges.h"
#include "test.h"

#define SECTORS 28
#define RINGS 20

// Outer side from the bottom up, rim, inner side down to the floor: radius and height, m.
static const double profile[RINGS][2] = {{0.04, 0.0},    {0.062, 0.002}, {0.078, 0.015}, {0.094, 0.04},
                                         {0.106, 0.07},  {0.11, 0.1},    {0.108, 0.13},  {0.1, 0.16},
                                         {0.09, 0.18},   {0.088, 0.195}, {0.1, 0.22},    {0.09, 0.22},
                                         {0.078, 0.195}, {0.08, 0.18},   {0.09, 0.158},  {0.098, 0.128},
                                         {0.099, 0.1},   {0.084, 0.042}, {0.07, 0.024},  {0.04, 0.012}};

static mote_mesh make_pot(void) {
  mote_mesh m = {.vertices = RINGS * SECTORS + 2, .triangles = 2 * SECTORS * RINGS};
  m.vertex = malloc(3 * m.vertices * sizeof *m.vertex);
  m.triangle = malloc(3 * m.triangles * sizeof *m.triangle);
  uint32_t *t = m.triangle, bottom = RINGS * SECTORS, top = bottom + 1;
  for (size_t k = 0; k < (size_t)RINGS * SECTORS; ++k) {
    double angle = 2.0 * 3.14159265358979 * (double)(k % SECTORS) / SECTORS, r = profile[k / SECTORS][0];
    double *x = m.vertex + 3 * k;
    x[0] = r * cos(angle), x[1] = profile[k / SECTORS][1], x[2] = -r * sin(angle);
  }
  memset(m.vertex + 3 * (size_t)bottom, 0, 6 * sizeof(double));
  m.vertex[3 * (size_t)top + 1] = profile[RINGS - 1][1];
  for (uint32_t s = 0; s < SECTORS; ++s) {
    uint32_t n = (s + 1) % SECTORS;
    const uint32_t caps[6] = {bottom, n, s, top, (RINGS - 1) * SECTORS + s, (RINGS - 1) * SECTORS + n};
    memcpy(t, caps, sizeof caps), t += 6;
    for (uint32_t r = 0; r + 1 < RINGS; ++r) {
      uint32_t a = r * SECTORS + s, b = r * SECTORS + n, c = a + SECTORS, d = b + SECTORS;
      const uint32_t sides[6] = {a, b, d, a, d, c};
      memcpy(t, sides, sizeof sides), t += 6;
    }
  }
  return m;
}

typedef struct pot {
  mote_mesh mesh;
  mote_shape *shape;
  mote_fragments *pieces;
  double edge;
} pot;

static pot break_mesh(mote_mesh solid, size_t pieces, double edge, double gap, int threads) {
  pot p = {.mesh = solid, .edge = edge > 0.0 ? edge : 0.22 / 64};
  mote_shape_def mesh = mote_shape_def_default();
  mesh.kind = MOTE_SHAPE_MESH, mesh.mesh = p.mesh;
  CHECK(mote_shape_create(&mesh, 3, NULL, &p.shape, NULL) == MOTE_OK);
  CHECK(mote_shape_mesh_mending(p.shape)->turned == 0);
  mote_fragments_def def = mote_fragments_def_default();
  mote_shatter_def how = mote_shatter_def_default();
  mote_env env = mote_env_default();
  mote_soup soup;
  env.threads = threads;
  def.shape = p.shape, def.edge = edge, def.gap = gap, how.pieces = pieces;
  CHECK(mote_shatter(p.shape, &how, &env, &soup, NULL) == MOTE_OK);
  CHECK(mote_fragments_create(&def, &env, &p.pieces, NULL) == MOTE_OK);
  CHECK(mote_fragments_cut(p.pieces, soup.corner, soup.count, NULL) == MOTE_OK);
  mote_soup_free(&soup, NULL);
  return p;
}

static pot break_pot(size_t pieces, double edge, double gap, int threads) {
  return break_mesh(make_pot(), pieces, edge, gap, threads);
}

static void put_away(pot *p) {
  mote_fragments_destroy(p->pieces);
  mote_shape_destroy(p->shape);
  free(p->mesh.vertex), free(p->mesh.triangle);
}

static bool is_closed(const mote_mesh *mesh) {
  mote_env env = mote_env_default();
  mote_arena arena = mote_arena_make(&env);
  mote_half_edges edges;
  mote_result result = mote_half_edges_create(mesh, 1, &arena, &edges, NULL);
  mote_arena_destroy(&arena);
  return result == MOTE_OK;
}

static void check_pieces(const mote_fragments *pieces) {
  mote_env env = mote_env_default();
  mote_fragments_view view = mote_fragments_look(pieces);
  for (uint32_t f = 0; f < view.fragments; ++f) {
    mote_mesh one;
    mote_crossings crossings = {.count = SIZE_MAX};
    CHECK(mote_fragments_take(pieces, f, NULL, &one, NULL) == MOTE_OK);
    CHECK(one.triangles >= 4 && is_closed(&one) && mote_mesh_volume(&one) > 0.0);
    CHECK(mote_mesh_crossings(&one, &env, &crossings, NULL) == MOTE_OK && crossings.count == 0);
    mote_mesh_free(&one, NULL);
  }
}

// The largest distance from the shape to points of the outer triangles, about a third of an edge apart.
static double farthest(const pot *p) {
  mote_fragments_view view = mote_fragments_look(p->pieces);
  double most = 0.0;
  for (size_t t = 0; t < view.mesh.triangles; ++t) {
    const double *x[3];
    double longest = 0.0;
    if (view.wall[t]) continue;
    for (int k = 0; k < 3; ++k) x[k] = view.mesh.vertex + 3 * (size_t)view.mesh.triangle[3 * t + (size_t)k];
    for (int k = 0; k < 3; ++k)
      for (int a = 0; a < 3; ++a) longest = fmax(longest, fabs(x[k][a] - x[(k + 1) % 3][a]));
    int parts = 2 + (int)(3.0 * longest / p->edge);
    for (int i = 0; i <= parts; ++i)
      for (int j = 0; i + j <= parts; ++j) {
        double at[3];
        for (int a = 0; a < 3; ++a) at[a] = (i * x[0][a] + j * x[1][a] + (parts - i - j) * x[2][a]) / parts;
        most = fmax(most, fabs(mote_shape_distance(p->shape, at)));
      }
  }
  return most;
}

// Of the walls alone: what one piece loses another one gains.
static double wall_volume(const mote_fragments_view *view) {
  mote_mesh walls = {.vertex = view->mesh.vertex, .vertices = view->mesh.vertices};
  walls.triangle = malloc(3 * view->mesh.triangles * sizeof *walls.triangle);
  for (size_t t = 0; t < view->mesh.triangles; ++t)
    if (view->wall[t])
      memcpy(walls.triangle + 3 * walls.triangles++, view->mesh.triangle + 3 * t, 3 * sizeof(uint32_t));
  CHECK(walls.triangles > 0);
  double volume = mote_mesh_volume(&walls);
  free(walls.triangle);
  return volume;
}

// The defaults of `mote shatter`.
static void test_pot(void) {
  pot p = break_pot(20, 0.0, 0.0, 2);
  CHECK(p.mesh.triangles == 1120);
  mote_simplify_def def = mote_simplify_def_default();
  double volume;
  CHECK(mote_shape_volume(p.shape, &volume, NULL) == MOTE_OK);
  CHECK(mote_fragments_look(p.pieces).mesh.triangles > 400000);
  CHECK(mote_fragments_sharpen(p.pieces, NULL) == MOTE_OK);
  mote_fragments_view view = mote_fragments_look(p.pieces);
  CHECK_NEAR(mote_mesh_volume(&view.mesh) / volume, 1.0, 2e-4);
  CHECK(mote_fragments_simplify(p.pieces, &def, NULL) == MOTE_OK);
  view = mote_fragments_look(p.pieces);
  CHECK(view.mesh.triangles < 60000);
  CHECK_NEAR(mote_mesh_volume(&view.mesh) / volume, 1.0, 1e-3);
  CHECK_NEAR(wall_volume(&view) / volume, 0.0, 1e-12);
  CHECK(farthest(&p) < 0.1 * p.edge);
  check_pieces(p.pieces);
  put_away(&p);
}

// Sharp edges where walls end at them: vertices that could not move all the way at once were left up to .18
// edges off.
static void test_cube(void) {
  static const uint32_t quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                       {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  mote_mesh cube = {.vertices = 8, .triangles = 12};
  cube.vertex = malloc(24 * sizeof *cube.vertex), cube.triangle = malloc(36 * sizeof *cube.triangle);
  for (int k = 0; k < 24; ++k) cube.vertex[k] = k / 3 >> k % 3 & 1;
  for (int k = 0; k < 36; ++k) cube.triangle[k] = quads[k / 6][(const int[]){0, 1, 2, 0, 2, 3}[k % 6]];
  pot p = break_mesh(cube, 20, 0.05, 0.0, 1);
  mote_simplify_def def = mote_simplify_def_default();
  CHECK(mote_fragments_sharpen(p.pieces, NULL) == MOTE_OK);
  CHECK(farthest(&p) < 0.1 * p.edge);
  CHECK(mote_fragments_simplify(p.pieces, &def, NULL) == MOTE_OK);
  CHECK(farthest(&p) < 0.1 * p.edge);
  put_away(&p);
}

static float shown_at(const double x[3]) {
  return (float)(20.0 * sin(60.0 * x[0]) * cos(40.0 * x[1]));
}

// What the surface shows at `count` points, from the values at its vertices.
static void find_shown(const mote_fragments_view *view, const double *x, size_t count, double *out) {
  mote_mesh outer = {.vertex = view->mesh.vertex, .vertices = view->mesh.vertices};
  uint32_t *triangle = malloc(count * sizeof *triangle);
  double *part = malloc(3 * count * sizeof *part);
  outer.triangle = malloc(3 * view->mesh.triangles * sizeof *outer.triangle);
  for (size_t t = 0; t < view->mesh.triangles; ++t)
    if (!view->wall[t])
      memcpy(outer.triangle + 3 * outer.triangles++, view->mesh.triangle + 3 * t, 3 * sizeof(uint32_t));
  CHECK(mote_mesh_nearest(&outer, x, count, NULL, triangle, part, NULL) == MOTE_OK);
  for (size_t i = 0; i < count; ++i) {
    out[i] = 0.0;
    for (size_t k = 0; k < 3; ++k)
      out[i] += part[3 * i + k] *
                (double)shown_at(outer.vertex + 3 * (size_t)outer.triangle[3 * (size_t)triangle[i] + k]);
  }
  free(triangle), free(part), free(outer.triangle);
}

// Values at the vertices that are gone, as the surface shows them, within their limit; without values not.
static void test_values(bool with) {
  pot p = break_pot(8, TEST_SHORT ? 0.014 : 0.01, 0.0, 1);
  mote_fragments_view view = mote_fragments_look(p.pieces);
  mote_simplify_def def = mote_simplify_def_default();
  size_t n = view.mesh.vertices, count = 0;
  float *value = malloc(n * sizeof *value);
  double *x = malloc(3 * n * sizeof *x), *shown = malloc(n * sizeof *shown), most = 0.0;
  uint8_t *outer = calloc(n, 1);
  for (size_t k = 0; k < 3 * view.mesh.triangles; ++k) outer[view.mesh.triangle[k]] |= !view.wall[k / 3];
  for (size_t v = 0; v < n; ++v) {
    value[v] = shown_at(view.mesh.vertex + 3 * v);
    if (outer[v]) memcpy(x + 3 * count++, view.mesh.vertex + 3 * v, 3 * sizeof *x);
  }
  def.deviation = 0.001, def.values = with, def.value = with ? value : NULL;
  CHECK(mote_fragments_simplify(p.pieces, &def, NULL) == MOTE_OK);
  view = mote_fragments_look(p.pieces);
  CHECK(view.mesh.vertices < n / 2);
  find_shown(&view, x, count, shown);
  for (size_t i = 0; i < count; ++i) most = fmax(most, fabs(shown[i] - (double)shown_at(x + 3 * i)));
  CHECK(with ? most < 1.2 : most > 2.0);  // the nearest triangle may be one beside that which was judged
  check_pieces(p.pieces);
  free(value), free(x), free(shown), free(outer);
  put_away(&p);
}

// One thread and two, many pieces, a gap.
static void test_others(size_t pieces, double gap) {
  double edge = TEST_SHORT ? 0.016 : 0.012;
  pot p = break_pot(pieces, edge, gap, 1), q = break_pot(pieces, edge, gap, 2);
  mote_simplify_def def = mote_simplify_def_default();
  double before = 0.0;
  for (int k = 0; k < 2; ++k) {
    mote_fragments *pieces_of = (k ? q : p).pieces;
    CHECK(mote_fragments_sharpen(pieces_of, NULL) == MOTE_OK);
    mote_fragments_view sharp = mote_fragments_look(pieces_of);
    before = mote_mesh_volume(&sharp.mesh);
    if (k == 1) check_pieces(pieces_of);
    CHECK(mote_fragments_simplify(pieces_of, &def, NULL) == MOTE_OK);
  }
  mote_fragments_view a = mote_fragments_look(p.pieces), b = mote_fragments_look(q.pieces);
  CHECK(a.mesh.vertices == b.mesh.vertices && a.mesh.triangles == b.mesh.triangles);
  CHECK(memcmp(a.mesh.vertex, b.mesh.vertex, 3 * a.mesh.vertices * sizeof(double)) == 0);
  CHECK(memcmp(a.mesh.triangle, b.mesh.triangle, 3 * a.mesh.triangles * sizeof(uint32_t)) == 0);
  CHECK_NEAR(mote_mesh_volume(&a.mesh) / before, 1.0, 2.6e-4);
  check_pieces(p.pieces);
  put_away(&p), put_away(&q);
}

static void test_refusals(void) {
  pot p = break_pot(2, 0.02, 0.0, 1);
  mote_simplify_def def = mote_simplify_def_default();
  mote_error error = {0};
  def.deviation = -1.0;
  CHECK(mote_fragments_simplify(p.pieces, &def, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "deviation");
  def.deviation = 1e300;
  CHECK(mote_fragments_simplify(p.pieces, &def, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "deviation");
  def.deviation = 0.0, def.volume = 2.0;
  CHECK(mote_fragments_simplify(p.pieces, &def, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "volume");
  def.volume = 0.0, def.values = 1;
  CHECK(mote_fragments_simplify(p.pieces, &def, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "value");
  CHECK(mote_fragments_simplify(NULL, &def, &error) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_fragments_sharpen(NULL, &error) == MOTE_ERROR_ARGUMENT);
  put_away(&p);
}

int main(void) {
  TEST_LONG(test_pot());
  test_cube();
  TEST_LONG(test_values(false));
  test_values(true);
  TEST_LONG(test_others(40, 0.0));
  test_others(8, 0.001);
  test_refusals();
  return test_end();
}
