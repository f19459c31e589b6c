// Tracked meshes: a million random operations leave a closed manifold, the record replays the fields to the
// bit, copies are what was given, and wrong arguments are named.
#include "track/tracked_mesh.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "geom/triple.h"
#include "mesh_kit.h"
#include "test.h"
#include "track/tracked_ops.h"

#define OPERATIONS (TEST_SHORT ? 20000 : 1000000)
#define VERTICES 600  // more are collapsed, fewer are split

static mote_tracked *tracked_of(mote_mesh *mesh, double edge, bool record) {
  double *colour = malloc(2 * mesh->vertices * sizeof *colour);
  for (size_t v = 0; v < 2 * mesh->vertices; ++v) colour[v] = mesh->vertex[3 * (v / 2) + v % 2];
  mote_surface surface = {.mesh = *mesh, .fields = 1};
  surface.field[0] = (mote_field_view){"colour", "1", MOTE_TYPE_F64, 2, mesh->vertices, colour};
  mote_track_def def = mote_track_def_default();
  def.edge = edge, def.record = record;
  mote_tracked *t = NULL;
  CHECK(mote_tracked_create(&def, &surface, NULL, &t, NULL) == MOTE_OK);
  free(colour);
  return t;
}

static void check_valid(const mote_tracked *t, int64_t euler) {
  mote_surface s;
  CHECK(mote_tracked_surface(t, &s, NULL) == MOTE_OK);
  CHECK(s.mesh.vertices == mote_tracked_vertices(t) && s.mesh.triangles == mote_tracked_triangles(t));
  mote_arena arena = mote_arena_make(NULL);
  mote_half_edges e;
  CHECK(mote_half_edges_create(&s.mesh, 1, &arena, &e, NULL) == MOTE_OK);
  mote_arena_destroy(&arena);
  int64_t edges = (int64_t)(3 * s.mesh.triangles / 2);
  CHECK((int64_t)s.mesh.vertices - edges + (int64_t)s.mesh.triangles == euler);
  mote_surface_free(&s, NULL);
}

static void random_operation(mote_tracked *t, uint64_t n, size_t done[4]) {
  mote_random4 r = mote_random(7, 1, n);
  uint32_t h = r.v[0] % (uint32_t)(3 * t->edges.triangles);
  if (t->edges.origin[h] == MOTE_TRIANGLE_GONE) return;
  bool many = mote_tracked_vertices(t) > VERTICES;
  int kind = (int)(r.v[1] % 4);
  if (kind == 0 && !many) {
    CHECK(mote_tracked_reserve(t, 1, NULL) == MOTE_OK);
    CHECK(mote_tracked_split(t, h) != MOTE_NO_EDGE);
    ++done[0];
  } else if (kind == 1 && many && mote_edge_may_collapse(&t->edges, h)) {
    double to[3];
    copy3(mote_tracked_at(t, mote_edge_end(&t->edges, h)), to);
    CHECK(mote_tracked_collapse(t, h, to));
    ++done[1];
  } else if (kind == 2 && mote_edge_may_flip(&t->edges, h)) {
    mote_edge_flip(&t->edges, h);
    ++done[2];
  } else if (kind == 3) {
    double w = (double)(r.v[2] % 100) / 300.0;
    mote_edge_op op = {.kind = MOTE_EDGE_SLIDE, .edge = h, .side = h, .weight = {1.0 - 2.0 * w, w, w}};
    CHECK(mote_tracked_do(t, &op));
    ++done[3];
  }
}

// No limits but those of connectivity: shapes become absurd, the mesh stays one.
static void test_random(void) {
  mote_mesh ball = kit_sphere(3), ring = kit_torus(3.0, 1.0, 12, 8), both = kit_join(&ball, &ring);
  mote_tracked *t = tracked_of(&both, 0.1, false);
  size_t done[4] = {0};
  for (uint64_t n = 0; n < OPERATIONS; ++n) {
    random_operation(t, n, done);
    if (n % (OPERATIONS / 10) == 0) check_valid(t, 2);
  }
  check_valid(t, 2);
  for (int k = 0; k < 4; ++k) CHECK(done[k] > OPERATIONS / 100);
  mote_tracked_destroy(t);
  kit_free(&ball), kit_free(&ring), kit_free(&both);
}

static void squeeze(void *user, double time, const double *x, size_t count, double *velocity) {
  (void)user, (void)time;
  for (size_t i = 0; i < count; ++i) {
    const double *p = x + 3 * i;
    velocity[3 * i] = p[0], velocity[3 * i + 1] = -0.5 * p[1] + 0.3 * p[0] * p[0],
                 velocity[3 * i + 2] = -0.5 * p[2];
  }
}

// A ball drawn out: values by id, replayed from the record, are those of the field.
static void test_record(void) {
  mote_mesh ball = kit_sphere(4);
  mote_tracked *t = tracked_of(&ball, 0.08, true);
  size_t first = ball.vertices, count;
  for (int k = 0; k < 60; ++k) {
    CHECK(mote_tracked_move(t, 4, squeeze, NULL, 0.02 * k, 0.02, NULL) == MOTE_OK);
    CHECK(mote_tracked_improve(t, NULL, NULL) == MOTE_OK);
  }
  const mote_transfer *record = mote_tracked_record(t, &count);
  CHECK(count > 500);
  double *value = calloc(2 * mote_tracked_ids(t), sizeof *value);
  for (size_t v = 0; v < 2 * first; ++v) value[v] = ball.vertex[3 * (v / 2) + v % 2];
  mote_transfer_replay(record, count, 2, value);
  mote_surface s;
  CHECK(mote_tracked_surface(t, &s, NULL) == MOTE_OK);
  CHECK(s.fields == 2);
  const double *colour = s.field[0].data;
  const uint64_t *id = s.field[1].data;
  size_t wrong = 0;
  for (size_t v = 0; v < s.mesh.vertices; ++v)
    wrong += memcmp(colour + 2 * v, value + 2 * id[v], 2 * sizeof *value) != 0;
  CHECK(wrong == 0);
  for (size_t i = 0; i < count; ++i)
    CHECK_NEAR(record[i].weight[0] + record[i].weight[1] + record[i].weight[2], 1.0, 1e-12);
  mote_tracked_forget(t);
  mote_tracked_record(t, &count);
  CHECK(count == 0);
  check_valid(t, 2);
  mote_surface_free(&s, NULL);
  mote_tracked_destroy(t);
  free(value);
  kit_free(&ball);
}

static void test_copy(void) {
  mote_mesh ring = kit_torus(1.0, 0.3, 40, 16);
  mote_tracked *t = tracked_of(&ring, 0.15, false);
  mote_surface s;
  mote_mesh_report r;
  CHECK(mote_tracked_surface(t, &s, NULL) == MOTE_OK);
  CHECK(s.mesh.vertices == ring.vertices && s.mesh.triangles == ring.triangles);
  CHECK(memcmp(s.mesh.vertex, ring.vertex, 3 * ring.vertices * sizeof(double)) == 0);
  CHECK(memcmp(s.mesh.triangle, ring.triangle, 3 * ring.triangles * sizeof(uint32_t)) == 0);
  CHECK(mote_mesh_examine(&s.mesh, NULL, &r, NULL) == MOTE_OK);
  CHECK_NEAR(mote_tracked_volume(t), r.volume, 1e-12);
  CHECK_NEAR(mote_tracked_area(t), r.area, 1e-12);
  CHECK_TEXT(s.field[0].name, "colour");
  CHECK_TEXT(s.field[1].name, "id");
  mote_surface_free(&s, NULL);
  mote_tracked_destroy(t);
  kit_free(&ring);
}

static void test_arguments(void) {
  mote_mesh ball = kit_sphere(2);
  mote_surface surface = {.mesh = ball};
  mote_track_def def = mote_track_def_default();
  mote_tracked *t = NULL;
  mote_error error;
  CHECK(mote_tracked_create(&def, &surface, NULL, &t, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "edge");
  def.edge = 0.1, def.shortest = 0.9;
  CHECK(mote_tracked_create(&def, &surface, NULL, &t, &error) == MOTE_ERROR_ARGUMENT);
  CHECK_TEXT(error.key, "shortest");
  def.shortest = 0.5;
  surface.mesh.triangles -= 1;  // open
  CHECK(mote_tracked_create(&def, &surface, NULL, &t, &error) == MOTE_ERROR_ARGUMENT);
  surface.mesh.vertices = surface.mesh.triangles = 0;
  CHECK(mote_tracked_create(&def, &surface, NULL, &t, &error) == MOTE_OK);
  size_t crossings;
  CHECK(mote_tracked_improve(t, NULL, &error) == MOTE_OK);
  CHECK(mote_tracked_crossings(t, &crossings, &error) == MOTE_OK && crossings == 0);
  mote_tracked_destroy(t);
  kit_free(&ball);
}

int main(void) {
  test_random();
  test_record();
  test_copy();
  test_arguments();
  return test_end();
}
