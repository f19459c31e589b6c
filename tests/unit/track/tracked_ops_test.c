// Operations on tracked meshes: splits and collapses lie on a sphere whose vertices do, refining and
// coarsening a ball keeps it a ball, flips are Delaunay's, a rigid motion changes nothing, and results do not
// depend on threads.
#include "track/tracked_ops.h"

#include <stdlib.h>

#include "base/hash.h"
#include "geom/triple.h"
#include "mesh_kit.h"
#include "test.h"

static bool flip_fits(const mote_tracked *t, uint32_t h) {
  return mote_tracked_flip_helps(t, h, 0.1, 10.0, 0.9) && mote_edge_may_flip(&t->edges, h);
}

static mote_tracked *tracked_of(const mote_mesh *mesh, double edge, int threads) {
  mote_surface surface = {.mesh = *mesh};
  mote_track_def def = mote_track_def_default();
  mote_env env = mote_env_default();
  env.threads = threads, def.edge = edge;
  mote_tracked *t = NULL;
  CHECK(mote_tracked_create(&def, &surface, &env, &t, NULL) == MOTE_OK);
  return t;
}

static double worst_radius(const mote_tracked *t) {
  double worst = 0.0;
  for (uint32_t v = 0; v < t->edges.vertices; ++v) {
    if (t->edges.first[v] != MOTE_NO_EDGE) worst = max2(worst, fabs(length3(mote_tracked_at(t, v)) - 1.0));
  }
  return worst;
}

// The cubic's error is of fourth order in the edge.
static void test_split(void) {
  double error[2];
  for (int k = 0; k < 2; ++k) {
    mote_mesh ball = kit_sphere(3 + k);
    mote_tracked *t = tracked_of(&ball, 0.1, 1);
    CHECK(mote_tracked_reserve(t, 200, NULL) == MOTE_OK);
    for (uint32_t h = 0; h < 600; h += 3) CHECK(mote_tracked_split(t, h) != MOTE_NO_EDGE);
    error[k] = worst_radius(t);
    mote_tracked_destroy(t);
    kit_free(&ball);
  }
  CHECK(error[0] < 1e-3 && error[1] < error[0] / 8.0);
}

// To other lengths and back.
static void test_lengths(void) {
  static const double edge[4] = {0.05, 0.2, 0.08, 0.1};
  mote_mesh ball = kit_sphere(4);
  mote_tracked *t = tracked_of(&ball, 0.1, 1);
  for (int k = 0; k < 4; ++k) {
    mote_track_report r;
    t->def.edge = edge[k];
    for (int n = 0; n < 4; ++n) CHECK(mote_tracked_improve(t, &r, NULL) == MOTE_OK);
    CHECK(r.splits + r.collapses < 20 && r.poor == 0);
    double volume = mote_tracked_volume(t) / (4.0 / 3.0 * MOTE_PI), most = t->def.longest * t->def.edge;
    CHECK_NEAR(volume, 1.0, 0.4 * edge[k] * edge[k] + 0.002);
    CHECK(worst_radius(t) < 0.01);
    for (uint32_t h = 0; h < 3 * t->edges.triangles; ++h) {
      if (t->edges.origin[h] == MOTE_TRIANGLE_GONE) continue;
      const double *x = mote_tracked_at(t, t->edges.origin[h]);
      CHECK(distance3(x, mote_tracked_at(t, mote_edge_end(&t->edges, h))) < 1.01 * most);
    }
    size_t crossings;
    CHECK(mote_tracked_crossings(t, &crossings, NULL) == MOTE_OK && crossings == 0);
  }
  mote_tracked_destroy(t);
  kit_free(&ball);
}

// Two triangles over a long diagonal, on a flat box.
static void test_flip(void) {
  mote_mesh box = kit_box(0, 0, 0, 1, 1, 1);
  mote_tracked *t = tracked_of(&box, 1.0, 1);
  mote_track_report r;
  CHECK(mote_tracked_improve(t, &r, NULL) == MOTE_OK);
  CHECK(r.flips == 0 && r.splits == 0);  // squares: both diagonals are as good
  size_t fits = 0;
  for (size_t v = 0; v < 8; ++v) {
    double *x = mote_tracked_at(t, (uint32_t)v);
    x[0] += 0.8 * x[1];  // sheared: in some squares the diagonal is now the longer one
  }
  for (uint32_t h = 0; h < 36; ++h) fits += flip_fits(t, h);
  CHECK(fits > 0 && fits % 2 == 0);
  for (uint32_t h = 0; h < 36; ++h) {
    if (!flip_fits(t, h)) continue;
    double volume = mote_tracked_volume(t);
    mote_edge_flip(&t->edges, h);
    CHECK_NEAR(mote_tracked_volume(t), volume, 1e-14);
    CHECK(!flip_fits(t, mote_edge_next(h)));
  }
  mote_tracked_destroy(t);
  kit_free(&box);
}

static void turn(void *user, double time, const double *x, size_t count, double *velocity) {
  (void)user, (void)time;
  for (size_t i = 0; i < count; ++i) {
    velocity[3 * i] = -2.0 * MOTE_PI * x[3 * i + 1] + 0.3, velocity[3 * i + 1] = 2.0 * MOTE_PI * x[3 * i];
    velocity[3 * i + 2] = 0.1;
  }
}

static void test_rigid(void) {
  mote_mesh ring = kit_torus(1.0, 0.3, 60, 20);
  mote_tracked *t = tracked_of(&ring, 0.1, 1);
  mote_track_report r;
  for (int k = 0; k < 6; ++k) CHECK(mote_tracked_improve(t, &r, NULL) == MOTE_OK);
  double area = mote_tracked_area(t), volume = mote_tracked_volume(t);
  size_t ops = 0;
  for (int k = 0; k < 200; ++k) {
    CHECK(mote_tracked_move(t, 4, turn, NULL, 0.0, 1.0 / 200.0, NULL) == MOTE_OK);
    CHECK(mote_tracked_improve(t, &r, NULL) == MOTE_OK);
    ops += r.splits + r.collapses + r.flips + r.slides;
  }
  CHECK(ops == 0);
  CHECK_NEAR(mote_tracked_area(t) / area, 1.0, 1e-8);
  CHECK_NEAR(mote_tracked_volume(t) / volume, 1.0, 1e-8);
  mote_tracked_destroy(t);
  kit_free(&ring);
}

static void stir(void *user, double time, const double *x, size_t count, double *velocity) {
  (void)user, (void)time;
  for (size_t i = 0; i < count; ++i) {
    const double *p = x + 3 * i;
    velocity[3 * i] = p[1] * p[2], velocity[3 * i + 1] = p[0] - p[2] * p[2],
                 velocity[3 * i + 2] = -p[0] * p[1];
  }
}

static uint64_t stirred(const mote_mesh *mesh, int threads) {
  mote_tracked *t = tracked_of(mesh, 0.09, threads);
  size_t crossings;
  for (int k = 0; k < 40; ++k) {
    CHECK(mote_tracked_move(t, 4, stir, NULL, 0.0, 0.03, NULL) == MOTE_OK);
    CHECK(mote_tracked_improve(t, NULL, NULL) == MOTE_OK);
    CHECK(mote_tracked_crossings(t, &crossings, NULL) == MOTE_OK);
  }
  mote_surface s;
  CHECK(mote_tracked_surface(t, &s, NULL) == MOTE_OK);
  uint64_t hash = mote_hash_bytes(1, s.mesh.vertex, 3 * s.mesh.vertices * sizeof(double));
  hash = mote_hash_bytes(hash, s.mesh.triangle, 3 * s.mesh.triangles * sizeof(uint32_t));
  mote_surface_free(&s, NULL);
  mote_tracked_destroy(t);
  return hash;
}

static void test_threads(void) {
  mote_mesh ball = kit_sphere(4);
  uint64_t one = stirred(&ball, 1);
  // The bits of every machine (docs/determinism.md).
  if (!CHECK(one == UINT64_C(0xc8f7b65a3e40ab61)))
    fprintf(stderr, "hash 0x%016llx\n", (unsigned long long)one);
  CHECK(stirred(&ball, 2) == one && stirred(&ball, 7) == one);
  kit_free(&ball);
}

int main(void) {
  test_split();
  test_lengths();
  test_flip();
  test_rigid();
  test_threads();
  return test_end();
}
