// Thickness behind the vertices of a tracked mesh: that of a flat ellipsoid, and the same as by looking at
// all pairs of vertices, after edges were split and rows are free.
#include <math.h>
#include <mote/track.h>
#include <stdlib.h>

#include "mesh_kit.h"
#include "test.h"
#include "track/tracked_mesh.h"

#define FLAT 0.15
#define MOST 0.6

static double by_brute_force(const mote_tracked *t, const double *normal, uint32_t v) {
  double found = MOST, beside = 1.5 * t->def.edge;
  for (uint32_t u = 0; u < t->edges.vertices; ++u) {
    const double *a = mote_tracked_at(t, v), *b = mote_tracked_at(t, u), *n = normal + 3 * (size_t)v,
                 *m = normal + 3 * (size_t)u;
    double apart[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    double along = apart[0] * n[0] + apart[1] * n[1] + apart[2] * n[2];
    double across2 = apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2] - along * along;
    if (n[0] * m[0] + n[1] * m[1] + n[2] * m[2] > -0.5 || !(along > 0.0) || across2 > beside * beside)
      continue;
    found = fmin(found, along);
  }
  return found;
}

int main(void) {
  mote_mesh mesh = kit_sphere(4);
  for (size_t v = 0; v < mesh.vertices; ++v) mesh.vertex[3 * v + 2] *= FLAT;
  mote_track_def def = mote_track_def_default();
  mote_tracked *t = NULL;
  def.edge = 0.09;
  CHECK(mote_tracked_create(&def, &(mote_surface){.mesh = mesh}, NULL, &t, NULL) == MOTE_OK);
  CHECK(mote_tracked_improve(t, NULL, NULL) == MOTE_OK);
  size_t n = t->edges.vertices;
  double *normal = calloc(3 * n, sizeof *normal), *thickness = malloc(n * sizeof *thickness), thick = 0.0;
  for (uint32_t v = 0; v < n; ++v) {
    if (t->edges.first[v] != MOTE_NO_EDGE) mote_tracked_normal(t, v, normal + 3 * (size_t)v);
  }
  mote_arena arena = mote_arena_make(&t->env);
  CHECK(mote_tracked_thickness(t, normal, MOST, &arena, thickness, NULL) == MOTE_OK);
  for (uint32_t v = 0; v < n; ++v) {
    const double *x = mote_tracked_at(t, v);
    if (t->edges.first[v] == MOTE_NO_EDGE) continue;
    CHECK(thickness[v] == by_brute_force(t, normal, v));
    thick = fmax(thick, thickness[v]);
    if (x[0] * x[0] + x[1] * x[1] < 0.01) CHECK_NEAR(thickness[v], 2.0 * FLAT, 0.01);
  }
  CHECK(thick == MOST);  // at the rim the way goes along the sheet
  mote_arena_destroy(&arena);
  free(normal), free(thickness);
  mote_tracked_destroy(t);
  kit_free(&mesh);
  return test_end();
}
