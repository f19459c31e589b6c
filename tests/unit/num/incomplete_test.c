// Incomplete factors: complete where the complete one has no other entries; L L^T is the matrix where that
// has entries; symmetric, positive, the same bits for any number of threads; a matrix at which plain ones
// fail.
#include "num/incomplete.h"

#include <mote/mote.h>
#include <stdlib.h>

#include "test.h"

#define SIDE 12
#define MOST (SIDE * SIDE * SIDE)

typedef struct matrix {
  size_t first[MOST + 1];
  uint32_t row[4 * MOST];
  double value[4 * MOST];
} matrix;

// A chain (ny = nz = 1) or a grid, each node joined to the next along each axis.
static mote_sparse join(matrix *m, size_t nx, size_t ny, size_t nz, double extra) {
  size_t n = nx * ny * nz, e = 0, step[3] = {ny * nz, nz, 1};
  for (size_t j = 0; j < n; ++j) {
    const bool last[3] = {j / (ny * nz) == nx - 1, j / nz % ny == ny - 1, j % nz == nz - 1};
    m->first[j] = e;
    m->row[e] = (uint32_t)j, m->value[e++] = 2.0 * ((nx > 1) + (ny > 1) + (nz > 1)) + extra;
    for (int k = 2; k >= 0; --k) {
      if (!last[k]) m->row[e] = (uint32_t)(j + step[k]), m->value[e++] = -1.0;
    }
  }
  m->first[n] = e;
  return (mote_sparse){.size = n, .first = m->first, .row = m->row, .value = m->value};
}

static void multiply(void *user, const double *x, double *y) {
  const mote_sparse *a = user;
  for (size_t k = 0; k < 3 * a->size; ++k) y[k] = 0.0;
  for (size_t j = 0; j < a->size; ++j) {
    for (size_t k = a->first[j]; k < a->first[j + 1]; ++k) {
      size_t i = a->row[k];
      for (size_t e = 0; e < 3; ++e) {
        y[3 * i + e] += a->value[k] * x[3 * j + e];
        if (i != j) y[3 * j + e] += a->value[k] * x[3 * i + e];
      }
    }
  }
}

static double dot(size_t n, const double *a, const double *b) {
  double sum = 0.0;
  for (size_t k = 0; k < n; ++k) sum += a[k] * b[k];
  return sum;
}

// Two halves from their ends to the middle, which is last.
static mote_elimination halves(size_t n, size_t middle, uint32_t *order, size_t start[4]) {
  size_t half = (n - middle) / 2, at = 0;
  for (size_t k = 0; k < half; ++k) order[at++] = (uint32_t)k;
  for (size_t k = n; k-- > half + middle;) order[at++] = (uint32_t)k;
  for (size_t k = half; k < half + middle; ++k) order[at++] = (uint32_t)k;
  start[0] = 0, start[1] = half, start[2] = n - middle, start[3] = n;
  return (mote_elimination){.order = order, .start = start, .blocks = 3, .apart = 2};
}

static void check_chain(void) {
  static matrix m;
  static uint32_t order[MOST];
  static double x[3 * MOST], y[3 * MOST];
  size_t start[4];
  mote_sparse a = join(&m, 101, 1, 1, 0.01);
  mote_elimination way = halves(a.size, 1, order, start);
  mote_incomplete *factor;
  CHECK(mote_incomplete_create(&a, &way, NULL, &factor, NULL) == MOTE_OK);
  for (int pass = 0; pass < 2; ++pass) {  // and after an update
    for (size_t k = 0; k < 3 * a.size; ++k) x[k] = mote_random_uniform(1, 2, k) - 0.5;
    multiply(&a, x, y);
    mote_incomplete_solve(factor, y, y);
    for (size_t k = 0; k < 3 * a.size; ++k) CHECK_NEAR(y[k], x[k], 1e-4);  // floats, condition 400
    a = join(&m, 101, 1, 1, 0.05);
    CHECK(mote_incomplete_update(factor, a.value, NULL) == MOTE_OK);
  }
  mote_incomplete_destroy(factor);
}

typedef struct problem {
  mote_sparse a;
  mote_incomplete *factor;
} problem;

static void precondition(void *user, const double *x, double *y) {
  mote_incomplete_solve(((problem *)user)->factor, x, y);
}

static void apply(void *user, const double *x, double *y) {
  multiply(&((problem *)user)->a, x, y);
}

static void check_grid(void) {
  static matrix m;
  static uint32_t order[MOST];
  static double x[3 * MOST], y[3 * MOST], Px[3 * MOST], Py[3 * MOST], again[3 * MOST], work[12 * MOST];
  size_t start[4], n = 3 * MOST;
  problem p = {.a = join(&m, SIDE, SIDE, SIDE, 0.01)};
  mote_elimination way = halves(MOST, 2 * SIDE * SIDE, order, start);
  mote_env env = mote_env_default();
  for (size_t k = 0; k < n; ++k) {
    x[k] = mote_random_uniform(1, 3, k) - 0.5, y[k] = mote_random_uniform(1, 4, k) - 0.5;
  }
  for (int threads = 1; threads <= 3; ++threads) {
    env.threads = threads;
    CHECK(mote_incomplete_create(&p.a, &way, &env, &p.factor, NULL) == MOTE_OK);
    mote_incomplete_solve(p.factor, x, threads == 1 ? Px : again);
    CHECK(threads == 1 || memcmp(Px, again, n * sizeof *Px) == 0);
    if (threads < 3) mote_incomplete_destroy(p.factor);
  }
  mote_incomplete_solve(p.factor, y, Py);
  CHECK_NEAR(dot(n, x, Py), dot(n, y, Px), 1e-5 * dot(n, x, Px));
  CHECK(dot(n, x, Px) > 0.0);
  mote_cg_def def = mote_cg_def_default();
  mote_cg_report plain, better;
  def.size = n, def.apply = apply, def.user = &p, def.tolerance = 1e-6;
  memset(again, 0, sizeof again);
  CHECK(mote_cg_solve(&def, x, again, work, &plain, NULL) == MOTE_OK);
  def.precondition = precondition;
  memset(again, 0, sizeof again);
  CHECK(mote_cg_solve(&def, x, again, work, &better, NULL) == MOTE_OK);
  CHECK(2 * better.iterations < plain.iterations);  // that is what it is for
  mote_incomplete_destroy(p.factor);
}

// Positive definite, but the third pivot of its incomplete factor is negative (Kershaw 1978).
static void check_kershaw(void) {
  const size_t first[5] = {0, 3, 5, 7, 8}, start[2] = {0, 4};
  const uint32_t row[8] = {0, 1, 3, 1, 2, 2, 3, 3}, order[4] = {0, 1, 2, 3};
  double value[8] = {3.0, -2.0, 2.0, 3.0, -2.0, 3.0, -2.0, 3.0}, x[12], y[12];
  mote_sparse a = {.size = 4, .first = first, .row = row, .value = value};
  mote_elimination way = {.order = order, .start = start, .blocks = 1, .apart = 1};
  mote_incomplete *factor;
  CHECK(mote_incomplete_create(&a, &way, NULL, &factor, NULL) == MOTE_OK);
  for (size_t k = 0; k < 12; ++k) x[k] = mote_random_uniform(1, 5, k) - 0.5;
  mote_incomplete_solve(factor, x, y);
  CHECK(dot(12, x, y) > 0.0 && dot(12, x, y) < 1e3);
  value[5] = -3.0;
  CHECK(mote_incomplete_update(factor, value, NULL) == MOTE_ERROR_NUMERIC);
  mote_incomplete_destroy(factor);
}

int main(void) {
  check_chain();
  check_grid();
  check_kershaw();
  return test_end();
}
