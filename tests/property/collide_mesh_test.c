// Bullets in an L-shaped room that is a triangle mesh, with a thin plate, a mesh too, across one arm.
#include "collide_kit.h"

#define BULLETS 300
#define STEPS 12
#define DT 1e-3

// The L, seen along z, counter-clockwise; its two ends are cut into four triangles each.
static const double outline[6][2] = {{0, 0}, {0.5, 0}, {0.5, 0.2}, {0.2, 0.2}, {0.2, 0.5}, {0, 0.5}};

static mote_mesh ell_mesh(double *vertex, uint32_t *triangle) {
  mote_mesh mesh = {.vertex = vertex, .triangle = triangle, .vertices = 12};
  for (int k = 0; k < 12; ++k) {
    vertex[3 * k] = outline[k % 6][0], vertex[3 * k + 1] = outline[k % 6][1];
    vertex[3 * k + 2] = k < 6 ? -0.1 : 0.1;
  }
  static const uint32_t end[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};
  uint32_t *t = triangle;
  for (int k = 0; k < 4; ++k) {
    *t++ = end[k][0], *t++ = end[k][2], *t++ = end[k][1];
    for (int c = 0; c < 3; ++c) *t++ = 6 + end[k][c];
  }
  for (uint32_t k = 0; k < 6; ++k) {
    uint32_t next = (k + 1) % 6;
    *t++ = k, *t++ = next, *t++ = 6 + next;
    *t++ = k, *t++ = 6 + next, *t++ = 6 + k;
  }
  mesh.triangles = (size_t)(t - triangle) / 3;
  return mesh;
}

static mote_mesh box_mesh(const double low[3], const double high[3], double *vertex, uint32_t *triangle) {
  static const uint32_t face[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                       {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  for (int k = 0; k < 8; ++k) {
    for (int a = 0; a < 3; ++a) vertex[3 * k + a] = (k >> a & 1) ? high[a] : low[a];
  }
  memcpy(triangle, face, sizeof face);
  return (mote_mesh){.vertex = vertex, .triangle = triangle, .vertices = 8, .triangles = 12};
}

static bool in_ell(const double x[3]) {
  bool along = x[0] > 0 && x[0] < 0.5 && x[1] > 0 && x[1] < 0.2;
  bool up = x[0] > 0 && x[0] < 0.2 && x[1] > 0 && x[1] < 0.5;
  return (along || up) && fabs(x[2]) < 0.1;
}

int main(void) {
  double vertex[2][36];
  uint32_t triangle[2][60];
  mote_shape_def def = mote_shape_def_default();
  def.kind = MOTE_SHAPE_MESH;
  def.mesh = ell_mesh(vertex[0], triangle[0]);
  def.inverted = true;
  mote_obstacle o[2] = {standing(def, 3)};
  double thin = 1e-4 * SPACING;
  double low[3] = {0.35, -0.1, -0.2}, high[3] = {0.35 + thin, 0.3, 0.2};
  def.mesh = box_mesh(low, high, vertex[1], triangle[1]);
  def.inverted = false;
  o[1] = standing(def, 3);
  cloud c = cloud_make(BULLETS, 3);
  cloud_place(&c, o, 2, (double[3]){0, 0, -0.1}, (double[3]){0.5, 0.5, 0.1}, NULL, 5);
  bool *behind = calloc(BULLETS, sizeof *behind);
  for (size_t i = 0; i < BULLETS; ++i) behind[i] = c.position[3 * i] > 0.35;
  size_t lost = 0, crossed = 0, near = 0, touched = 0, trouble = 0;
  for (uint64_t step = 0; step < STEPS; ++step) {
    if (step % 3 == 0) cloud_shoot(&c, 200 + step);
    mote_collision_report report = cloud_step(&c, o, 2, NULL, DT, 1);
    touched += report.touched, trouble += report.squeezed + report.pushed;
    for (size_t i = 0; i < BULLETS; ++i) {
      const double *x = c.position + 3 * i;
      lost += !in_ell(x);
      crossed += (x[0] > 0.35) != behind[i];
      for (int k = 0; k < 2; ++k) near += !(mote_shape_distance(o[k].shape, x) > 0.95 * CLEARANCE);
    }
  }
  CHECK(lost == 0);
  CHECK(crossed == 0);
  CHECK(near == 0);
  CHECK(touched > BULLETS && trouble == 0);
  free(behind);
  cloud_free(&c);
  obstacles_free(o, 2);
  return test_end();
}
