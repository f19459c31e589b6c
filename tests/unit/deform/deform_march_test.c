// Distances inside a shape (around corners: mote validate deform-paths): a slit thinner than a cell parts the
// shape, faces that touch join it.
#include "deform/deform_march.h"

#include <math.h>

#include "deform_kit.h"
#include "geom/triple.h"
#include "test.h"

// --- Slits ------------------------------------------------------------------------------------------------

// A block cut half through at x = 0.5: vertices at x within the cut's width are moved together.
static bool slit_inside(int i, int j, int k) {
  (void)j;
  return i != 5 || k < 5;
}

static void test_slit(double width) {
  kit_boxes b = kit_boxes_make(11, 4, 10, 0.1, slit_inside, false);
  mote_env env = mote_env_default();
  mote_arena memory = mote_arena_make(&env);
  mote_deform_grid grid;
  mote_deform_march march;
  for (size_t i = 0; i < b.mesh.vertices; ++i) {
    double *x = b.mesh.vertex + 3 * i;
    x[0] = x[0] < 0.55 ? x[0] : x[0] - 0.1 + width;
  }
  CHECK(mote_deform_grid_make(&b.mesh, &(mote_deform_grid_opts){.cell = 0.05}, &memory, &grid, NULL) ==
        MOTE_OK);
  CHECK(mote_deform_march_make(&grid, &memory, &march, NULL) == MOTE_OK);
  const double left[3] = {0.4, 0.2, 0.9}, right[3] = {0.6, 0.2, 0.9};
  uint32_t a = mote_deform_grid_anchor(&grid, left, NULL), to = mote_deform_grid_anchor(&grid, right, NULL);
  mote_deform_march_run(&march, a, HUGE_VAL, NULL);
  CHECK(mote_deform_march_has(&march, to));
  double x[3], y[3];
  mote_deform_grid_place(&grid, a, x), mote_deform_grid_place(&grid, to, y);
  double exact =
      width > 0.0 ? hypot(x[0] - 0.5, x[2] - 0.5) + hypot(y[0] - 0.5, y[2] - 0.5) : distance3(x, y);
  CHECK_NEAR(march.value[to], exact, 0.1);  // two cells around the end of the slit
  mote_arena_destroy(&memory);
  kit_boxes_free(&b);
}

// --- Runs that are remembered -----------------------------------------------------------------------------

// The same points and distances as those of a run, to the bit.
static void check_recall(mote_deform_march *march, mote_deform_march *twin, uint32_t from, double farthest,
                         mote_deform_reach *reach, mote_arena *memory) {
  CHECK(mote_deform_march_recall(march, from, farthest, reach, memory, NULL) == MOTE_OK);
  mote_deform_march_run(twin, from, farthest, NULL);
  CHECK(march->count == twin->count);
  uint32_t same = 0;
  for (uint32_t k = 0; k < twin->count; ++k) {
    uint32_t i = twin->reached[k];
    same += mote_deform_march_has(march, i) && march->value[i] == twin->value[i];
  }
  CHECK(same == twin->count);
}

static void test_recall(void) {
  kit_boxes b = kit_boxes_make(11, 4, 10, 0.1, slit_inside, false);
  mote_env env = mote_env_default();
  mote_arena memory = mote_arena_make(&env);
  mote_deform_grid grid;
  mote_deform_march march, twin;
  mote_deform_reach reach = {0};
  const double x[3] = {0.4, 0.2, 0.7}, range[] = {0.3, 0.7, 0.5, 0.1, 0.7, 1.1};
  CHECK(mote_deform_grid_make(&b.mesh, &(mote_deform_grid_opts){.cell = 0.05}, &memory, &grid, NULL) ==
        MOTE_OK);
  CHECK(mote_deform_march_make(&grid, &memory, &march, NULL) == MOTE_OK);
  CHECK(mote_deform_march_make(&grid, &memory, &twin, NULL) == MOTE_OK);
  uint32_t from = mote_deform_grid_anchor(&grid, x, NULL);
  for (int k = 0; k < 6; ++k) {
    const uint32_t *point = reach.point;
    check_recall(&march, &twin, from, range[k], &reach, &memory);
    CHECK((reach.point != point) == (k < 2 || k == 5));  // marched anew only where it was not so far before
  }
  CHECK(reach.straight < reach.count);
  mote_arena_destroy(&memory);
  kit_boxes_free(&b);
}

int main(void) {
  test_recall();
  test_slit(0.01);
  test_slit(1e-6);
  test_slit(0.0);
  return test_end();
}
