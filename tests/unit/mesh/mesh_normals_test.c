// Normals of vertices: exact on spheres, whatever the triangles.
#include "mesh/mesh_normals.h"

#include "surface_kit.h"
#include "test.h"

static void test_sphere(void) {
  kit_ball ball = {.centre = {0.31, 0.17, -0.23}, .radius = 5.0};
  mote_surface s = kit_ball_surface(ball);
  for (size_t v = 0; v < s.mesh.vertices; ++v) {  // onto the sphere itself
    double *x = s.mesh.vertex + 3 * v, d = 0.0;
    for (int k = 0; k < 3; ++k) d += pow(x[k] - ball.centre[k], 2);
    for (int k = 0; k < 3; ++k) x[k] = ball.centre[k] + (x[k] - ball.centre[k]) * 5.0 / sqrt(d);
  }
  mote_arena arena = mote_arena_make(NULL);
  mote_half_edges e;
  CHECK(mote_half_edges_create(&s.mesh, 1, &arena, &e, NULL) == MOTE_OK);
  float *normal = mote_arena_take(&arena, s.mesh.vertices, 3 * sizeof *normal);
  mote_mesh_normals(&e, s.mesh.vertex, 2, normal);
  double worst = 0.0;
  for (size_t k = 0; k < 3 * s.mesh.vertices; ++k) {
    double exact = (s.mesh.vertex[k] - ball.centre[k % 3]) / 5.0;
    worst = fmax(worst, fabs((double)normal[k] - exact));
  }
  CHECK(worst < 1e-6);  // floats; needles cost some digits
  e.first[0] = MOTE_NO_EDGE;
  mote_mesh_normals(&e, s.mesh.vertex, 1, normal);
  CHECK(normal[0] == 0.0f && normal[1] == 0.0f && normal[2] == 0.0f);
  mote_arena_destroy(&arena);
  mote_surface_free(&s, NULL);
}

int main(void) {
  test_sphere();
  return test_end();
}
