// Public fragments of shapes, and shattering: closed pieces that fill the shape, the same bits for any number
// of threads, refusals.
#include <math.h>
#include <mote/mote.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "geom/tri_cross.h"
#include "mesh/half_edges.h"
#include "test.h"

static mote_shape *make_figure(void) {
  mote_shape_def def = mote_shape_def_default();
  mote_shape *shape = NULL;
  def.kind = MOTE_SHAPE_FIGURE, def.radius = 0.5;
  CHECK(mote_shape_create(&def, 3, NULL, &shape, NULL) == MOTE_OK);
  return shape;
}

static bool is_closed(const mote_mesh *mesh) {
  mote_env env = mote_env_default();
  mote_arena arena = mote_arena_make(&env);
  mote_half_edges edges;
  mote_result result = mote_half_edges_create(mesh, 1, &arena, &edges, NULL);
  mote_arena_destroy(&arena);
  return result == MOTE_OK;
}

static size_t count_crossings(const mote_mesh *mesh) {
  mote_env env = mote_env_default();
  mote_crossings crossings = {.count = SIZE_MAX};
  CHECK(mote_mesh_crossings(mesh, &env, &crossings, NULL) == MOTE_OK);
  return crossings.count;
}

static mote_fragments *make_pieces(const mote_shape *shape, const mote_soup *soup, int threads) {
  mote_fragments_def def = mote_fragments_def_default();
  mote_fragments *pieces = NULL;
  mote_env env = mote_env_default();
  env.threads = threads;
  def.shape = shape, def.edge = 0.025;
  CHECK(mote_fragments_create(&def, &env, &pieces, NULL) == MOTE_OK);
  CHECK(mote_fragments_look(pieces).fragments == 1);
  CHECK(mote_fragments_cut(pieces, soup->corner, soup->count, NULL) == MOTE_OK);
  return pieces;
}

static void test_figure(bool focused) {
  mote_shape *shape = make_figure();
  mote_shatter_def how = mote_shatter_def_default();
  mote_soup soup;
  double volume, sum = 0.0;
  how.pieces = 15;
  for (int k = 0; k < 3 && focused; ++k) how.focus[k] = 0.1;
  CHECK(mote_shatter(shape, &how, NULL, &soup, NULL) == MOTE_OK);
  mote_fragments *pieces = make_pieces(shape, &soup, 1), *twin = make_pieces(shape, &soup, 2);
  mote_fragments_view view = mote_fragments_look(pieces), same = mote_fragments_look(twin);
  CHECK(view.fragments >= 12 && view.fragments < 30);
  CHECK(view.mesh.vertices == same.mesh.vertices && view.mesh.triangles == same.mesh.triangles);
  CHECK(memcmp(view.mesh.vertex, same.mesh.vertex, 3 * view.mesh.vertices * sizeof(double)) == 0);
  CHECK(memcmp(view.mesh.triangle, same.mesh.triangle, 3 * view.mesh.triangles * sizeof(uint32_t)) == 0);
  for (uint32_t f = 0; f < view.fragments; ++f) {
    mote_mesh one;
    CHECK(mote_fragments_take(pieces, f, NULL, &one, NULL) == MOTE_OK);
    CHECK(is_closed(&one) && mote_mesh_volume(&one) > 0.0);
    CHECK(count_crossings(&one) == 0);
    sum += mote_mesh_volume(&one);
    mote_mesh_free(&one, NULL);
  }
  CHECK(mote_shape_volume(shape, &volume, NULL) == MOTE_OK);
  CHECK_NEAR(sum / volume, 1.0, 0.02);
  mote_mesh none;
  CHECK(mote_fragments_take(pieces, (uint32_t)view.fragments, NULL, &none, NULL) == MOTE_ERROR_ARGUMENT);
  mote_fragments_destroy(pieces), mote_fragments_destroy(twin);
  mote_soup_free(&soup, NULL);
  mote_shape_destroy(shape);
}

// A ball cut in two by a square, with a gap: closed, and smaller by the gap times the wall.
static void test_gap(void) {
  static const double square[18] = {-2, 0.1, -2, 2, 0.1, -2, 2, 0.1, 2, -2, 0.1, -2, 2, 0.1, 2, -2, 0.1, 2};
  mote_shape_def ball = mote_shape_def_sphere(0, 0, 0, 1);
  mote_fragments_def def = mote_fragments_def_default();
  mote_shape *shape = NULL;
  mote_fragments *halves = NULL;
  mote_mesh_report report;
  mote_error error = {0};
  CHECK(mote_shape_create(&ball, 3, NULL, &shape, NULL) == MOTE_OK);
  def.shape = shape, def.edge = 0.1, def.gap = 0.01;
  CHECK(mote_fragments_create(&def, NULL, &halves, NULL) == MOTE_OK);
  mote_mesh whole = mote_fragments_look(halves).mesh;
  double uncut = mote_mesh_volume(&whole);
  CHECK(mote_fragments_cut(halves, square, 2, NULL) == MOTE_OK);
  mote_mesh cut = mote_fragments_look(halves).mesh;
  CHECK_NEAR(uncut - mote_mesh_volume(&cut), 0.01 * 3.14159 * 0.99, 0.002);
  CHECK(mote_mesh_examine(&cut, NULL, &report, NULL) == MOTE_OK);
  CHECK(report.open_edges + report.crowded_edges + report.pinched_vertices == 0);
  CHECK(report.crossings == 0);
  mote_fragments_destroy(halves);
  static const double wrong[] = {-1.0, 2.1, 1e300};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    def.gap = wrong[k];
    CHECK(mote_fragments_create(&def, NULL, &halves, &error) == MOTE_ERROR_ARGUMENT);
    CHECK_TEXT(error.key, "gap");
  }
  mote_shape_destroy(shape);
}

static void check_refusal(const mote_shape *shape, mote_shatter_def how, const char *key) {
  mote_soup soup;
  mote_error error = {0};
  CHECK(mote_shatter(shape, &how, NULL, &soup, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, key);
}

typedef struct walk {
  int calls, stop;
  double last;
} walk;

static bool follow(void *user, double part) {
  walk *w = user;
  CHECK(part >= w->last && part <= 1.0);
  w->last = part;
  return ++w->calls != w->stop;
}

// The part that is done grows, and the caller can stop.
static void test_progress(void) {
  mote_shape *shape = make_figure();
  mote_shatter_def how = mote_shatter_def_default();
  walk w = {.calls = 0};
  mote_soup soup;
  how.progress = follow, how.progress_user = &w;
  CHECK(mote_shatter(shape, &how, NULL, &soup, NULL) == MOTE_OK);
  CHECK(w.calls == 20 && w.last > 0.9);
  mote_soup_free(&soup, NULL);
  w = (walk){.stop = 5};
  check_refusal(shape, how, "");
  CHECK(w.calls == 5);
  mote_shape_destroy(shape);
}

static void test_refusals(void) {
  mote_shape *shape = make_figure(), *ground = NULL;
  mote_shape_def plane = mote_shape_def_default();
  mote_shatter_def how = mote_shatter_def_default();
  mote_error error = {0};
  plane.kind = MOTE_SHAPE_HALF_SPACE, plane.normal[1] = 1.0;
  CHECK(mote_shape_create(&plane, 3, NULL, &ground, NULL) == MOTE_OK);
  check_refusal(ground, how, "shape");
  how.pieces = 1;
  check_refusal(shape, how, "pieces");
  how.pieces = 10, how.roughness = -1.0;
  check_refusal(shape, how, "roughness");
  how.roughness = 0.0, how.detail = HUGE_VAL;
  check_refusal(shape, how, "detail");
  how.detail = 1e-5;
  check_refusal(shape, how, "detail");
  static const double focus[][3] = {{1e300, 0, 0}, {0, HUGE_VAL, 0}, {0, 0, (double)NAN}, {0, 0, 4}};
  for (size_t k = 0; k < sizeof focus / sizeof *focus; ++k) {
    how = mote_shatter_def_default();
    memcpy(how.focus, focus[k], sizeof how.focus);
    check_refusal(shape, how, "focus");
  }
  mote_fragments_def def = mote_fragments_def_default();
  mote_fragments *out = NULL;
  CHECK(mote_fragments_create(&def, NULL, &out, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "shape");
  def.shape = ground;
  CHECK(mote_fragments_create(&def, NULL, &out, &error) == MOTE_ERROR_ARGUMENT);
  def.shape = shape, def.edge = -1.0;
  CHECK(mote_fragments_create(&def, NULL, &out, &error) == MOTE_ERROR_ARGUMENT && out == NULL);
  CHECK_TEXT(error.key, "edge");
  static const double too_long[] = {3.0, 1e50, 1e300};
  for (size_t k = 0; k < sizeof too_long / sizeof *too_long; ++k) {
    def.edge = too_long[k];
    CHECK(mote_fragments_create(&def, NULL, &out, &error) == MOTE_ERROR_ARGUMENT && out == NULL);
    CHECK_TEXT(error.key, "edge");
  }
  mote_shape_destroy(shape), mote_shape_destroy(ground);
}

int main(void) {
  test_figure(false);
  test_figure(true);
  test_gap();
  test_progress();
  test_refusals();
  return test_end();
}
