// Shapes of whole sets: moved, in another order, in periodic domains, by components, without memory.
#include "surface/anisotropy.h"

#include <string.h>

#include "aniso_kit.h"
#include "stingy.h"
#include "test.h"

#define ROUNDING 1e-4  // floats in units of the reach, some hundred of them in a sum

static void check_moved(void) {
  mote_surface_def def = aniso_def();
  size_t n = 9 * 9 * 6;
  double *x = aniso_packing(9, 9, 6, 0.15), *y = malloc(3 * n * sizeof *y);
  for (size_t k = 0; k < n; ++k) {
    for (int a = 0; a < 3; ++a) y[3 * k + a] = x[3 * k + a] + (a == 0 ? 1048576.5 : -77.25);
  }
  aniso_shapes s = aniso_of(&def, x, NULL, n, 1), t = aniso_of(&def, y, NULL, n, 1);
  CHECK(s.result == MOTE_OK && t.result == MOTE_OK);
  double most = 0.0;
  for (size_t k = 0; k < n; ++k) most = fmax(most, aniso_difference(&s.shape[k], &t.shape[k]));
  CHECK_NEAR(most, 0.0, ROUNDING);
  CHECK(memcmp(s.near, t.near, n) == 0);
  aniso_free(&s);
  aniso_free(&t);
  free(x);
  free(y);
}

static void check_order(void) {
  mote_surface_def def = aniso_def();
  size_t n = 9 * 9 * 6;
  double *x = aniso_packing(9, 9, 6, 0.15), *y = malloc(3 * n * sizeof *y);
  for (size_t k = 0; k < n; ++k) memcpy(y + 3 * (k * 101 % n), x + 3 * k, 3 * sizeof *y);
  aniso_shapes s = aniso_of(&def, x, NULL, n, 1), t = aniso_of(&def, y, NULL, n, 1);
  double most = 0.0;
  for (size_t k = 0; k < n; ++k) most = fmax(most, aniso_difference(&s.shape[k], &t.shape[k * 101 % n]));
  CHECK_NEAR(most, 0.0, ROUNDING);
  aniso_free(&s);
  aniso_free(&t);
  free(x);
  free(y);
}

// A periodic pool against nine of it side by side.
static void check_periodic(void) {
  mote_surface_def def = aniso_def(), open = def;
  int side = 9, deep = 4;
  size_t n = (size_t)(side * side * deep);
  for (int a = 0; a < 2; ++a)
    def.domain.periodic[a] = true, def.domain.low[a] = 0.0, def.domain.high[a] = side;
  double *x = aniso_packing(side, side, deep, 0.15), *y = malloc(27 * n * sizeof *y);
  for (size_t k = 0; k < 9 * n; ++k) {
    size_t image = k / n, of = k % n;
    y[3 * k] = x[3 * of] + side * ((int)(image % 3) - 1);
    y[3 * k + 1] = x[3 * of + 1] + side * ((int)(image / 3) - 1);
    y[3 * k + 2] = x[3 * of + 2];
  }
  aniso_shapes s = aniso_of(&def, x, NULL, n, 2), t = aniso_of(&open, y, NULL, 9 * n, 2);
  double most = 0.0;
  for (size_t k = 0; k < n; ++k) most = fmax(most, aniso_difference(&s.shape[k], &t.shape[4 * n + k]));
  CHECK_NEAR(most, 0.0, ROUNDING);
  CHECK(memcmp(s.near, t.near + 4 * n, n) == 0);
  aniso_free(&s);
  aniso_free(&t);
  free(x);
  free(y);
}

// Two slabs that touch, with labels of their own, have the shapes of each alone (4.14).
static void check_components(void) {
  mote_surface_def def = aniso_def();
  size_t n = 8 * 8 * 3, both = 2 * n;
  double *x = aniso_packing(8, 8, 6, 0.1);
  uint32_t *label = malloc(both * sizeof *label);
  for (size_t k = 0; k < both; ++k) label[k] = k < n ? 7 : 3;
  aniso_shapes s = aniso_of(&def, x, label, both, 1), lower = aniso_of(&def, x, NULL, n, 1),
               upper = aniso_of(&def, x + 3 * n, NULL, n, 1);
  double most = 0.0;
  for (size_t k = 0; k < n; ++k) {
    most = fmax(most, aniso_difference(&s.shape[k], &lower.shape[k]));
    most = fmax(most, aniso_difference(&s.shape[n + k], &upper.shape[k]));
  }
  CHECK_NEAR(most, 0.0, ROUNDING);
  aniso_free(&s);
  aniso_free(&lower);
  aniso_free(&upper);
  free(x);
  free(label);
}

// More candidates than a tile holds, more points than a round; all in one place; none at all.
static void check_crowds(void) {
  mote_surface_def def = aniso_def();
  size_t n = 5000;
  double *x = malloc(3 * n * sizeof *x);
  for (size_t k = 0; k < 3 * n; ++k) x[k] = 3.0 + aniso_noise(k, 0, 0.9);
  aniso_shapes s = aniso_of(&def, x, NULL, n, 2);
  def.keep_volume = false;
  aniso_shapes t = aniso_of(&def, x, NULL, n, 1);
  aniso_twin twin = aniso_twin_of(&def, x, NULL, n, 4321);
  for (int a = 0; a < 3; ++a) CHECK_NEAR((double)t.shape[4321].shift[a], twin.shift[a], ROUNDING);
  for (int a = 0; a < 6; ++a) CHECK_NEAR((double)t.shape[4321].G[a], twin.G[a], 1e-3 * twin.G[0]);
  for (size_t k = 0; k < 3 * n; ++k) x[k] = 3.0;
  aniso_shapes u = aniso_of(&def, x, NULL, 200, 1), v = aniso_of(&def, x, NULL, 0, 1);
  CHECK(s.result == MOTE_OK && t.result == MOTE_OK && u.result == MOTE_OK && v.result == MOTE_OK);
  CHECK_NEAR((double)u.shape[199].G[0], 1.0 / (def.lone_scale * def.support), 1e-6);
  aniso_free(&s);
  aniso_free(&t);
  aniso_free(&u);
  aniso_free(&v);
  free(x);
}

static void check_memory(void) {
  mote_surface_def def = aniso_def();
  def.domain.periodic[0] = true, def.domain.low[0] = 0.0, def.domain.high[0] = 9.0;
  size_t n = 9 * 9 * 2;
  double *x = aniso_packing(9, 9, 2, 0.1);
  mote_result result = MOTE_ERROR_MEMORY;
  int granted = 0;
  for (; result == MOTE_ERROR_MEMORY && granted < 40; ++granted) {
    stingy s;
    mote_env env = stingy_env(&s, granted);
    env.threads = 2;
    aniso_shapes out = {.shape = calloc(n, sizeof *out.shape), .near = calloc(n, 1)};
    result = aniso_try(&def, x, NULL, n, &env, &out);
    CHECK(s.held == 0 && (result == MOTE_OK || result == MOTE_ERROR_MEMORY));
    aniso_free(&out);
  }
  CHECK(result == MOTE_OK && granted > 1);
  free(x);
}

int main(void) {
  check_moved();
  check_order();
  check_periodic();
  check_components();
  check_crowds();
  check_memory();
  return test_end();
}
