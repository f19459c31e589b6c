// Meshes of shapes: closed manifolds, whatever the shape does within a cell.
#include <mote/geom.h>
#include <mote/numeric.h>

#include "test.h"

// Balls of the size of a cell, together or taken out of a box, have cells and faces of every kind.
static void heaps_of_balls_are_manifolds(void) {
  enum { BALLS = 60 };
  const double low[3] = {-1, -1, -1}, high[3] = {1, 1, 1};
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    mote_shape_def part[BALLS + 1], def;
    part[0] = def = mote_shape_def_box(-0.9, -0.9, -0.9, 0.9, 0.9, 0.9);
    for (uint64_t k = 0; k < BALLS; ++k) {
      double x[4];
      for (uint64_t c = 0; c < 4; ++c) x[c] = 1.4 * mote_random_uniform(seed, c, k) - 0.7;
      part[k + 1] = mote_shape_def_sphere(x[0], x[1], x[2], 0.15 + 0.07 * x[3]);
    }
    bool heap = seed % 2 == 0;
    def.kind = heap ? MOTE_SHAPE_UNION : MOTE_SHAPE_DIFFERENCE;
    def.part = part + heap, def.parts = BALLS + !heap;
    mote_shape *shape;
    mote_mesh mesh;
    mote_mesh_report report;
    if (!CHECK(mote_shape_create(&def, 3, NULL, &shape, NULL) == MOTE_OK)) return;
    CHECK(mote_shape_triangles(shape, 3, low, high, 14, NULL, &mesh, NULL) == MOTE_OK);
    CHECK(mote_mesh_examine(&mesh, NULL, &report, NULL) == MOTE_OK);
    CHECK(mesh.triangles > 1000 && report.open_edges == 0 && report.flipped_edges == 0 &&
          report.crowded_edges == 0 && report.pinched_vertices == 0);
    mote_mesh_free(&mesh, NULL);
    mote_shape_destroy(shape);
  }
}

int main(void) {
  heaps_of_balls_are_manifolds();
  return test_end();
}
