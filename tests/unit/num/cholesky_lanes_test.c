// Solves in lanes against the factor's own in doubles; the same bits for any number of threads.
#include "num/cholesky_lanes.h"

#include <math.h>
#include <mote/mote.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

#define MOST 2000

// A Laplacian on nx x ny x nz nodes and something on the diagonal, lower triangle by columns.
typedef struct grid {
  size_t first[MOST + 1];
  uint32_t row[4 * MOST];
  double value[4 * MOST];
} grid;

static mote_sparse make(grid *g, size_t nx, size_t ny, size_t nz, double extra) {
  size_t n = nx * ny * nz, e = 0, step[3] = {1, nz, ny * nz};
  for (size_t j = 0; j < n; ++j) {
    const bool last[3] = {j % nz == nz - 1, j / nz % ny == ny - 1, j / nz / ny == nx - 1};
    g->first[j] = e;
    g->row[e] = (uint32_t)j, g->value[e++] = 6.0 + extra;
    for (int k = 0; k < 3; ++k) {
      if (!last[k]) g->row[e] = (uint32_t)(j + step[k]), g->value[e++] = -1.0;
    }
  }
  g->first[n] = e;
  return (mote_sparse){.size = n, .first = g->first, .row = g->row, .value = g->value};
}

static void check(size_t nx, size_t ny, size_t nz) {
  static grid g;
  static double in[MOST], exact[MOST], out[2][MOST];
  mote_sparse a = make(&g, nx, ny, nz, 0.1);
  mote_cholesky *factor;
  mote_env env = mote_env_default();
  CHECK(mote_cholesky_create(&a, &env, &factor, NULL) == MOTE_OK);
  for (int pass = 0; pass < 2; ++pass) {  // and after an update
    for (int t = 0; t < 2; ++t) {
      mote_cholesky_lanes *lanes;
      env.threads = t ? 3 : 1;
      CHECK(mote_cholesky_lanes_create(factor, &env, &lanes, NULL) == MOTE_OK);
      for (size_t k = 0; k < a.size; ++k) in[k] = mote_random_uniform(1, 2, k) - 0.5;
      mote_cholesky_lanes_solve(lanes, in, out[t]);
      mote_cholesky_lanes_destroy(lanes);
    }
    CHECK(memcmp(out[0], out[1], a.size * sizeof(double)) == 0);
    for (size_t k = 0; k < a.size; ++k) exact[k] = in[k];
    mote_cholesky_solve(factor, 1, exact);
    double worst = 0.0, most = 0.0;
    for (size_t k = 0; k < a.size; ++k) {
      worst = fmax(worst, fabs(out[0][k] - exact[k]));
      most = fmax(most, fabs(out[0][k]));
    }
    CHECK(worst < 1e-5 * most);  // floats, condition 100
    a = make(&g, nx, ny, nz, 0.5);
    CHECK(mote_cholesky_update(factor, a.value, NULL) == MOTE_OK);
  }
  mote_cholesky_destroy(factor);
}

int main(void) {
  check(1, 1, 1);
  check(1, 1, 7);
  check(30, 2, 1);
  check(12, 12, 12);
  return test_end();
}
