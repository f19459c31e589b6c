// Changes of topology part by part: what is the same stays, vertex by vertex; what merges, splits, appears,
// vanishes or gets a handle is replaced, and values are carried.
#include <math.h>
#include <mote/track.h>
#include <stdlib.h>

#include "base/random.h"
#include "geom/triple.h"
#include "mesh/half_edges.h"
#include "mesh_kit.h"
#include "test.h"
#include "track/tracked_mesh.h"

static mote_mesh ball_at(double x, double radius) {
  mote_mesh mesh = kit_sphere(4);
  for (size_t i = 0; i < 3 * mesh.vertices; ++i)
    mesh.vertex[i] = radius * mesh.vertex[i] + (i % 3 == 0 ? x : 0.0);
  return mesh;
}

static mote_tracked *tracked_of(const mote_mesh *mesh, double edge) {
  mote_surface surface = {.mesh = *mesh, .fields = 1};
  double *colour = malloc(mesh->vertices * sizeof *colour);
  for (size_t v = 0; v < mesh->vertices; ++v) colour[v] = mesh->vertex[3 * v] > 0.0 ? 2.0 : 1.0;
  surface.field[0] = (mote_field_view){"colour", "1", MOTE_TYPE_F64, 1, mesh->vertices, colour};
  mote_track_def def = mote_track_def_default();
  mote_tracked *t = NULL;
  def.edge = edge, def.record = true;
  CHECK(mote_tracked_create(&def, &surface, NULL, &t, NULL) == MOTE_OK);
  free(colour);
  return t;
}

static mote_track_match matched(mote_tracked *t, const mote_mesh *fresh) {
  mote_track_match r;
  CHECK(mote_tracked_match(t, &(mote_surface){.mesh = *fresh}, 0.2, &r, NULL) == MOTE_OK);
  return r;
}

// A ball stays, another becomes a ring, a third appears.
static void test_some(void) {
  mote_mesh a = ball_at(-3.0, 1.0), b = ball_at(3.0, 1.0), both = kit_join(&a, &b);
  mote_mesh moved = ball_at(-3.0, 1.05), ring = kit_torus(0.9, 0.25, 40, 16), third = ball_at(8.0, 0.5);
  for (size_t v = 0; v < ring.vertices; ++v) ring.vertex[3 * v] += 3.0;
  mote_mesh two = kit_join(&moved, &ring), fresh = kit_join(&two, &third);
  mote_tracked *t = tracked_of(&both, 0.1);
  mote_track_match r = matched(t, &fresh);
  CHECK(r.changed == 2);
  CHECK(r.removed == b.triangles && r.made == ring.triangles + third.triangles);
  mote_surface s;
  mote_mesh_report report;
  CHECK(mote_tracked_surface(t, &s, NULL) == MOTE_OK);
  CHECK(mote_mesh_examine(&s.mesh, NULL, &report, NULL) == MOTE_OK);
  CHECK(report.parts == 3 && report.euler == 4 && report.crossings == 0);
  CHECK(memcmp(s.mesh.vertex, a.vertex, 3 * a.vertices * sizeof(double)) == 0);
  const double *colour = s.field[0].data;
  const uint64_t *id = s.field[1].data;
  for (size_t v = 0; v < s.mesh.vertices; ++v) {
    if (v < a.vertices || s.mesh.vertex[3 * v] < 6.0)
      CHECK(colour[v] == (v < a.vertices ? 1.0 : 2.0));
    else
      CHECK(isnan(colour[v]));  // nothing was near the third
    CHECK(v < a.vertices ? id[v] == v : id[v] >= both.vertices);
  }
  size_t records;
  mote_tracked_record(t, &records);
  CHECK(records == ring.vertices);
  size_t events;
  const mote_track_event *event = mote_tracked_events(t, &events);
  CHECK(events == 2 && event[0].kind == MOTE_TRACK_RESHAPED && event[1].kind == MOTE_TRACK_APPEARED);
  CHECK_NEAR(event[0].place[0], 3.0, 0.1);
  CHECK_NEAR(event[1].place[0], 8.0, 0.01);
  CHECK(matched(t, &s.mesh).changed == 0);
  CHECK(mote_tracked_improve(t, NULL, NULL) == MOTE_OK);
  mote_surface_free(&s, NULL);
  mote_tracked_destroy(t);
  kit_free(&a), kit_free(&b), kit_free(&both), kit_free(&moved), kit_free(&ring), kit_free(&third);
  kit_free(&two), kit_free(&fresh);
}

// Closed, without crossings, as many parts, all balls.
static void check_balls(const mote_tracked *t, size_t parts) {
  mote_surface s;
  mote_mesh_report report;
  CHECK(mote_tracked_surface(t, &s, NULL) == MOTE_OK);
  CHECK(mote_mesh_examine(&s.mesh, NULL, &report, NULL) == MOTE_OK);
  CHECK(report.parts == parts && report.euler == 2 * (int64_t)parts);
  CHECK(report.crossings == 0 && report.open_edges == 0);
  mote_surface_free(&s, NULL);
}

// Two become one and vanish.
static void test_merge(void) {
  mote_mesh a = ball_at(-0.5, 0.45), b = ball_at(0.5, 0.45), both = kit_join(&a, &b), one = ball_at(0.0, 0.8);
  mote_mesh none = {0};
  for (size_t v = 0; v < one.vertices; ++v)
    one.vertex[3 * v] *= 1.2, one.vertex[3 * v + 1] *= 0.6, one.vertex[3 * v + 2] *= 0.6;
  mote_tracked *t = tracked_of(&both, 0.1);
  CHECK(matched(t, &one).changed == 1);
  check_balls(t, 1);
  CHECK(matched(t, &both).changed == 1);
  check_balls(t, 2);
  CHECK(matched(t, &none).changed == 2);
  CHECK(mote_tracked_triangles(t) == 0);
  CHECK(matched(t, &a).changed == 1);
  CHECK(mote_tracked_vertices(t) == a.vertices);
  mote_tracked_destroy(t);
  kit_free(&a), kit_free(&b), kit_free(&both), kit_free(&one);
}

// Two balls of particles of a jittered lattice, their middles so far from 0.
static size_t fill_balls(double middle, double jitter, double *x) {
  size_t count = 0;
  for (int n = 0; n < 2 * 1000; ++n) {
    double p[3] = {n % 10 - 4.5, n / 10 % 10 - 4.5, n / 100 % 10 - 4.5};
    if (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] > 21.0) continue;
    p[0] += n < 1000 ? -middle : middle;
    for (uint64_t k = 0; k < 3; ++k)
      x[3 * count + k] = p[k] + mote_random_between(5, k, (uint64_t)n, -jitter, jitter);
    ++count;
  }
  return count;
}

// Two balls of particles, apart and just merged: only the neck changes. `away`, m: from the origin along each
// axis.
static void test_neck(double away) {
  mote_surface surface[2];
  mote_surface_def def = mote_surface_def_default();
  mote_surfacer *surfacer = NULL;
  double *x = malloc(3 * 4096 * sizeof *x);
  def.spacing = 1.0;
  CHECK(mote_surfacer_create(&def, NULL, &surfacer, NULL) == MOTE_OK);
  for (int k = 0; k < 2; ++k) {
    mote_surface_particles particles = {.position = x, .count = fill_balls(k == 0 ? 5.9 : 5.2, 0.0, x)};
    CHECK(mote_surfacer_build(surfacer, &particles, &surface[k], NULL) == MOTE_OK);
  }
  mote_mesh *old = &surface[0].mesh;
  for (size_t v = 0; v < old->vertices; ++v) old->vertex[3 * v] -= old->vertex[3 * v] > 0.0 ? 0.7 : -0.7;
  for (int k = 0; k < 2; ++k)
    for (size_t i = 0; i < 3 * surface[k].mesh.vertices; ++i) surface[k].mesh.vertex[i] += away;
  mote_tracked *t = tracked_of(old, 0.5);
  mote_track_match r;
  mote_mesh_report report;
  mote_surface s;
  CHECK(mote_tracked_match(t, &surface[1], 1.0, &r, NULL) == MOTE_OK);
  CHECK(r.changed == 1 && r.rebuilt == 0);
  CHECK(r.made > 50 && r.made < old->triangles / 2);
  CHECK(mote_tracked_surface(t, &s, NULL) == MOTE_OK);
  CHECK(mote_mesh_examine(&s.mesh, NULL, &report, NULL) == MOTE_OK);
  CHECK(report.parts == 1 && report.euler == 2 && report.crossings == 0 && report.open_edges == 0);
  const uint64_t *id = s.field[1].data;
  size_t kept = 0;
  for (size_t v = 0; v < s.mesh.vertices; ++v) kept += id[v] < old->vertices;
  CHECK(kept > s.mesh.vertices / 2);
  mote_surface_free(&s, NULL), mote_surface_free(&surface[0], NULL), mote_surface_free(&surface[1], NULL);
  mote_tracked_destroy(t);
  mote_surfacer_destroy(surfacer);
  free(x);
}

// Unit normals of the triangles of a surface.
static double *normals_of(const mote_mesh *mesh) {
  double *normal = malloc(3 * mesh->triangles * sizeof *normal);
  for (size_t f = 0; f < mesh->triangles; ++f) {
    const uint32_t *v = mesh->triangle + 3 * f;
    double a[3], b[3], *n = normal + 3 * f;
    sub3(mesh->vertex + 3 * (size_t)v[1], mesh->vertex + 3 * (size_t)v[0], a);
    sub3(mesh->vertex + 3 * (size_t)v[2], mesh->vertex + 3 * (size_t)v[0], b);
    cross3(a, b, n);
    double size = length3(n);
    for (int k = 0; k < 3; ++k) n[k] /= size;
  }
  return normal;
}

// RMS angle between the triangles at edges whose ends are both new, or both old.
static double bend_of(const mote_tracked *t, uint64_t since, bool fresh) {
  mote_surface s;
  mote_half_edges e;
  mote_arena arena = mote_arena_make(NULL);
  double sum = 0.0, count = 0.0;
  CHECK(mote_tracked_surface(t, &s, NULL) == MOTE_OK);
  CHECK(mote_half_edges_create(&s.mesh, 1, &arena, &e, NULL) == MOTE_OK);
  const uint64_t *id = s.field[s.fields - 1].data;
  double *normal = normals_of(&s.mesh);
  for (uint32_t h = 0; h < 3 * e.triangles; ++h) {
    if ((id[e.origin[h]] >= since) != fresh || (id[mote_edge_end(&e, h)] >= since) != fresh) continue;
    double angle = acos(fmin(1.0, dot3(normal + h / 3 * 3, normal + e.twin[h] / 3 * 3)));
    sum += angle * angle, count += 1.0;
  }
  free(normal);
  mote_surface_free(&s, NULL);
  mote_arena_destroy(&arena);
  return sqrt(sum / count);
}

// A ball loses its mesh at one side: what surgery takes there from a fresh surface becomes as smooth as the
// mesh about it.
static void test_blend(void) {
  mote_surface fresh;
  mote_surface_def def = mote_surface_def_default();
  mote_surfacer *surfacer = NULL;
  double *x = malloc(3 * 4096 * sizeof *x);
  mote_surface_particles particles = {.position = x, .count = fill_balls(8.0, 0.12, x) / 2};
  def.spacing = 1.0;
  CHECK(mote_surfacer_create(&def, NULL, &surfacer, NULL) == MOTE_OK);
  CHECK(mote_surfacer_build(surfacer, &particles, &fresh, NULL) == MOTE_OK);
  mote_tracked *t = tracked_of(&fresh.mesh, 0.5);
  const mote_track_projection how = mote_track_projection_default();
  for (int round = 0; round < 3; ++round) {
    CHECK(mote_tracked_project(t, surfacer, &particles, &how, NULL, NULL) == MOTE_OK);
    CHECK(mote_tracked_improve(t, NULL, NULL) == MOTE_OK);
  }
  for (uint32_t v = 0; v < t->edges.vertices; ++v) {
    double *at = mote_tracked_at(t, v);
    if (at[0] > -6.0) at[0] += 0.6 * (at[0] + 6.0);
  }
  uint64_t since = mote_tracked_ids(t);
  mote_track_match r;
  size_t crossings;
  CHECK(mote_tracked_match(t, &fresh, 1.0, &r, NULL) == MOTE_OK);
  CHECK(r.changed == 1 && r.rebuilt == 0 && r.made > 50);
  double rough = bend_of(t, since, true), around = bend_of(t, since, false);
  CHECK(mote_tracked_blend(t, surfacer, &particles, &how, since, NULL) == MOTE_OK);
  double smooth = bend_of(t, since, true);
  printf("bend: fresh %.3f, blended %.3f, around %.3f\n", rough, smooth, around);
  CHECK(rough > 2.0 * around && smooth < 1.2 * around);
  CHECK(mote_tracked_untangle(t, &crossings, NULL) == MOTE_OK);
  CHECK(crossings == 0);
  mote_surface_free(&fresh, NULL);
  mote_tracked_destroy(t);
  mote_surfacer_destroy(surfacer);
  free(x);
}

int main(void) {
  test_neck(0.0);
  test_neck(0x1p31);  // 4e9 cells
  test_blend();
  test_some();
  test_merge();
  return test_end();
}
