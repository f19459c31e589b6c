// Rows of surfaces: selected with all their arrays, mixed by weight, freed whatever is there.
#include "mesh/surface_rows.h"

#include "surface_kit.h"
#include "test.h"

static void test_select(void) {
  mote_surface s = kit_ball_surface((kit_ball){.radius = 2.3}), out;
  kit_dress(&s);
  mote_env env = mote_env_default();
  size_t n = s.mesh.vertices;
  uint32_t *number = malloc(n * sizeof *number);
  for (uint32_t v = 0; v < n; ++v) number[v] = v % 2 ? v / 2 : MOTE_ROW_GONE;
  uint32_t triangle[3] = {5, 1, 3};
  CHECK(mote_surface_select(&s, number, n / 2, triangle, 1, &env, &out, NULL) == MOTE_OK);
  CHECK(out.mesh.vertices == n / 2 && out.mesh.triangles == 1 && out.fields == 2);
  CHECK(out.mesh.triangle[0] == 2 && out.mesh.triangle[1] == 0 && out.mesh.triangle[2] == 1);
  for (size_t v = 0; v < n / 2; ++v) {
    CHECK(out.mesh.vertex[3 * v + 1] == s.mesh.vertex[3 * (2 * v + 1) + 1]);
    CHECK(((uint32_t *)out.field[1].data)[v] == 2 * v + 1);
    CHECK(((float *)out.field[0].data)[3 * v] == (float)out.mesh.vertex[3 * v]);
  }
  mote_surface_replace(&s, &out, &env);
  CHECK(s.mesh.vertices == n / 2 && s.field[1].count == n / 2);
  CHECK_TEXT(s.field[1].name, "row");
  mote_surface_free(&s, NULL);
  CHECK(s.mesh.vertex == NULL && s.fields == 0);
  mote_surface_free(&s, NULL);
  mote_surface_free(NULL, NULL);
  free(number);
}

static void test_mix(void) {
  mote_surface s = kit_ball_surface((kit_ball){.radius = 2.3});
  kit_dress(&s);
  double wide[64][2] = {{0}};
  mote_field_view own = s.field[0];
  s.field[0] = (mote_field_view){NULL, NULL, MOTE_TYPE_F64, 2, s.mesh.vertices, wide};
  wide[4][1] = 8.0, wide[5][1] = 16.0, wide[6][1] = 32.0;
  for (int k = 0; k < 9; ++k) s.normal[12 + k] = k % 4 == 0 ? 1.0f : 0.0f;
  double x = 0.25 * s.mesh.vertex[12] + 0.25 * s.mesh.vertex[15] + 0.5 * s.mesh.vertex[18];
  mote_surface_mix(&s, (uint32_t[3]){4, 5, 6}, (double[3]){0.25, 0.25, 0.5});
  CHECK(wide[4][1] == 22.0);
  CHECK_NEAR(s.mesh.vertex[12], x, 1e-15);
  CHECK(((uint32_t *)s.field[1].data)[4] == 6);  // the heaviest
  CHECK_NEAR((double)s.normal[14], 0.5 / sqrt(0.375), 1e-6);
  s.field[0] = own;
  mote_surface_free(&s, NULL);
}

static void test_check(void) {
  mote_surface s = kit_ball_surface((kit_ball){.radius = 2.3});
  CHECK(mote_surface_check(&s, NULL) == MOTE_OK);
  s.fields = 17;
  CHECK(mote_surface_check(&s, NULL) == MOTE_ERROR_ARGUMENT);
  s.fields = 0;
  s.mesh.triangle[0] = 100000;
  CHECK(mote_surface_check(&s, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_surface_check(NULL, NULL) == MOTE_ERROR_ARGUMENT);
  mote_surface empty = {.fields = 1, .field = {{"rest", "m", MOTE_TYPE_F64, 3, 0, NULL}}};
  CHECK(mote_surface_check(&empty, NULL) == MOTE_OK);
  empty.field[0].count = 1;
  CHECK(mote_surface_check(&empty, NULL) == MOTE_ERROR_ARGUMENT);
  mote_surface_free(&s, NULL);
}

int main(void) {
  test_select();
  test_mix();
  test_check();
  return test_end();
}
