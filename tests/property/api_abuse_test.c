// Misuse of everything public in libmote: what is null, empty, not a number, out of range, too many, or asked
// for when memory is short is refused with the right code and a sentence that names it, and nothing is
// written, leaked or broken.
#include <math.h>
#include <mote/mote.h>
#include <stdint.h>
#include <stdlib.h>

#include "abuse.h"

#define N 60
#define MANY ((size_t)SIZE_MAX)

static const double bad_lengths[] = {0.0,    -0.0, -1.0, (double)NAN, (double)INFINITY, -(double)INFINITY,
                                     1e-300, 1e300};
#define BAD_LENGTHS (sizeof bad_lengths / sizeof *bad_lengths)

static double point[3 * N], field[3 * N], radius_of[N];
static mote_error error;

static void *untouched(void) {
  static char somewhere;
  return &somewhere;
}

static void make_points(void) {
  for (size_t k = 0; k < 3 * N; ++k) {
    point[k] = mote_random_uniform(1, 0, k);
    field[k] = mote_random_uniform(2, 0, k);
  }
  for (size_t i = 0; i < N; ++i) radius_of[i] = 0.2 + 0.1 * field[i];
}

// --- Search ---------------------------------------------------------------------------------------------

static mote_result make_grid(mote_grid_def def, mote_grid **out) {
  return mote_grid_create(&def, NULL, out, &error);
}

static void grid_definitions(void) {
  mote_grid *grid = untouched();
  mote_grid_def good = mote_grid_def_default(0.3), def;
  REFUSED(mote_grid_create(NULL, NULL, &grid, &error), ARGUMENT, "def");
  REFUSED(mote_grid_create(&good, NULL, NULL, &error), ARGUMENT, "out");
  for (int d = -1; d <= 4; d += 5) {
    def = good, def.domain.dimensions = d;
    REFUSED(make_grid(def, &grid), ARGUMENT, "dimensions");
  }
  for (size_t k = 0; k < BAD_LENGTHS; ++k) {
    def = good, def.radius = bad_lengths[k];
    REFUSED(make_grid(def, &grid), ARGUMENT, "radius");
    def = good, def.cell_size = bad_lengths[k];
    if (bad_lengths[k] != 1e-300) REFUSED(make_grid(def, &grid), ARGUMENT, "cell size");
    def = good, def.domain.periodic[1] = true, def.domain.high[1] = bad_lengths[k];
    if (bad_lengths[k] != 1e300) REFUSED(make_grid(def, &grid), ARGUMENT, "along y");
  }
  def = good, def.domain.periodic[0] = true, def.domain.low[0] = -1.7e308, def.domain.high[0] = 1.7e308;
  REFUSED(make_grid(def, &grid), ARGUMENT, "along x");
  CHECK(grid == untouched());
  def = good, def.domain.dimensions = 2, def.domain.periodic[2] = true, def.domain.high[2] = (double)NAN;
  if (CHECK(make_grid(def, &grid) == MOTE_OK)) mote_grid_destroy(grid);
}

static void grid_calls(void) {
  mote_grid *grid = NULL;
  mote_lists lists = {.count = 77};
  double place[3] = {0, 0, (double)NAN};
  mote_grid_def def = mote_grid_def_default(0.3);
  if (!CHECK(mote_grid_create(&def, NULL, &grid, &error) == MOTE_OK)) return;
  CHECK(mote_grid_build(grid, point, N, &error) == MOTE_OK);
  REFUSED(mote_grid_build(NULL, point, N, &error), ARGUMENT, "null");
  REFUSED(mote_grid_build(grid, NULL, N, &error), ARGUMENT, "positions");
  REFUSED(mote_grid_build(grid, point, MANY, &error), ARGUMENT, "more than");
  REFUSED(mote_grid_build(grid, place, 1, &error), ARGUMENT, "point 0 is not finite: its z");
  REFUSED(mote_grid_neighbours(NULL, &lists, &error), ARGUMENT, "null");
  REFUSED(mote_grid_neighbours(grid, NULL, &error), ARGUMENT, "null");
  REFUSED(mote_grid_neighbours_radii(NULL, radius_of, MOTE_REACH_GATHER, &lists, &error), ARGUMENT, "null");
  REFUSED(mote_grid_neighbours_radii(grid, NULL, MOTE_REACH_GATHER, &lists, &error), ARGUMENT, "radii");
  REFUSED(mote_grid_neighbours_radii(grid, radius_of, MOTE_REACH_GATHER, NULL, &error), ARGUMENT, "null");
  REFUSED(mote_grid_neighbours_radii(grid, radius_of, (mote_reach)7, &lists, &error), ARGUMENT, "reach");
  REFUSED(mote_grid_neighbours_at(NULL, point, N, NULL, MOTE_REACH_GATHER, &lists, &error), ARGUMENT, "null");
  REFUSED(mote_grid_neighbours_at(grid, NULL, N, NULL, MOTE_REACH_GATHER, &lists, &error), ARGUMENT,
          "positions");
  REFUSED(mote_grid_neighbours_at(grid, point, N, NULL, MOTE_REACH_GATHER, NULL, &error), ARGUMENT, "null");
  REFUSED(mote_grid_neighbours_at(grid, point, MANY, NULL, MOTE_REACH_GATHER, &lists, &error), ARGUMENT,
          "more");
  REFUSED(mote_grid_neighbours_at(grid, place, 1, NULL, MOTE_REACH_GATHER, &lists, &error), ARGUMENT,
          "finite");
  REFUSED(mote_grid_neighbours_at(grid, point, N, radius_of, MOTE_REACH_SYMMETRIC, &lists, &error), ARGUMENT,
          "not to both");
  REFUSED(mote_grid_neighbours_at(grid, point, N, radius_of, (mote_reach)-1, &lists, &error), ARGUMENT,
          "reach");
  for (size_t k = 2; k < BAD_LENGTHS; ++k) {
    double radii[N] = {0}, wrong = bad_lengths[k];
    if (wrong == 1e-300) continue;
    radii[N - 1] = wrong;
    REFUSED(mote_grid_neighbours_radii(grid, radii, MOTE_REACH_SYMMETRIC, &lists, &error), ARGUMENT,
            "radius 59");
    REFUSED(mote_grid_neighbours_at(grid, point, 1, radii, MOTE_REACH_SCATTER, &lists, &error), ARGUMENT,
            "59");
    REFUSED(mote_grid_neighbours_at(grid, point, N, radii, MOTE_REACH_GATHER, &lists, &error), ARGUMENT,
            "59");
  }
  CHECK(lists.count == 77);
  uint32_t index[N];
  CHECK(mote_grid_query(grid, point, 0.3, index, N) > 0);
  CHECK(mote_grid_query(grid, point, (double)NAN, index, N) == 0);
  CHECK(mote_grid_query(grid, point, -0.3, index, N) == 0);
  CHECK(mote_grid_query(grid, point, 0.3, NULL, 0) == mote_grid_query(grid, point, 0.3, index, N));
  CHECK(mote_grid_query(grid, (double[]){(double)INFINITY, 0, 0}, 0.3, index, N) == 0);
  CHECK(mote_grid_query(grid, (double[]){1e300, -1e300, 0}, 0.3, index, N) == 0);
  CHECK(mote_grid_neighbours(grid, &lists, NULL) == MOTE_OK && lists.count == N && lists.filler == N);
  mote_grid_destroy(grid);
  mote_grid_destroy(NULL);
}

// Positions far outside a periodic box, on its border, and at minus zero.
static void periodic_places(void) {
  mote_grid_def def = mote_grid_def_default(0.5);
  def.domain = mote_domain_open(1), def.domain.periodic[0] = true, def.domain.high[0] = 1.0;
  mote_grid *grid = NULL;
  mote_lists lists;
  uint32_t index[8];
  const double nan = (double)NAN,
               same[] = {0.0, nan, nan, 1.0, nan, nan, -0.0, nan, nan, -7.0, nan, nan, 0x1p39, nan, nan};
  if (!CHECK(mote_grid_create(&def, NULL, &grid, &error) == MOTE_OK)) return;
  CHECK(mote_grid_build(grid, same, 5, &error) == MOTE_OK);
  CHECK(mote_grid_neighbours(grid, &lists, &error) == MOTE_OK && lists.pairs == 20);
  CHECK(mote_grid_query(grid, same, 0.0, index, 8) == 5);
  CHECK(mote_grid_query(grid, (double[3]){0.5}, 0.5, index, 8) == 5);
  CHECK(mote_grid_query(grid, (double[3]){0.5}, 0.4999, index, 8) == 0);
  // Farther than 2^40 periods doubles no longer tell where in the box a point lies.
  const double far[] = {1e300, 0, 0};
  REFUSED(mote_grid_build(grid, far, 1, &error), ARGUMENT, "periods");
  REFUSED(mote_grid_neighbours_at(grid, far, 1, NULL, MOTE_REACH_GATHER, &lists, &error), ARGUMENT,
          "periods");
  CHECK(mote_grid_query(grid, far, 0.5, index, 8) == 0);
  CHECK(mote_grid_query(grid, (double[3]){-1e300}, 0.5, index, 8) == 0);
  mote_grid_destroy(grid);
}

// Memory follows the points, whatever the space between them and the ratio of radius and extent.
static void extreme_extents(void) {
  static double far[3000];
  const double spread[] = {0.0, 1e-300, 1.0, 1e15, 1e300, 1.7e308}, reach[] = {1e-150, 1.0, 1e150};
  for (size_t s = 0; s < sizeof spread / sizeof *spread; ++s) {
    for (size_t k = 0; k < 3000; ++k) far[k] = spread[s] * (2 * mote_random_uniform(3, s, k) - 1);
    for (int r = 0; r < 9; ++r) {
      abuse_memory memory;
      mote_env env = abuse_env(&memory, -1);
      mote_grid_def def = mote_grid_def_default(reach[r / 3]);
      def.domain.dimensions = 1 + r % 3;
      mote_grid *grid;
      mote_lists lists = {0};
      if (!CHECK(mote_grid_create(&def, &env, &grid, &error) == MOTE_OK)) continue;
      CHECK(mote_grid_build(grid, far, 1000, &error) == MOTE_OK);
      CHECK(memory.most < 1 << 20 && mote_grid_bytes(grid) <= memory.bytes);
      CHECK(mote_grid_neighbours(grid, &lists, &error) == MOTE_OK);
      CHECK(memory.most < 8 << 20);
      size_t sum = 0;
      for (size_t i = 0; i < lists.count; ++i) sum += lists.number[i];
      CHECK(sum == lists.pairs);
      mote_grid_destroy(grid);
      CHECK(memory.bytes == 0);
    }
  }
}

static void components_calls(void) {
  mote_domain open = mote_domain_open(3), wrong = mote_domain_open(4);
  uint32_t label[N] = {9};
  size_t number = 9;
  double one = 0.1;
  REFUSED(mote_components(NULL, point, N, one, NULL, label, &number, &error), ARGUMENT, "domain");
  REFUSED(mote_components(&open, NULL, N, one, NULL, label, &number, &error), ARGUMENT, "position");
  REFUSED(mote_components(&open, point, N, one, NULL, NULL, &number, &error), ARGUMENT, "label");
  REFUSED(mote_components(&open, point, N, one, NULL, label, NULL, &error), ARGUMENT, "components");
  REFUSED(mote_components(&open, point, MANY, one, NULL, label, &number, &error), ARGUMENT, "more than");
  REFUSED(mote_components(&wrong, point, N, one, NULL, label, &number, &error), ARGUMENT, "dimensions");
  for (size_t k = 0; k < BAD_LENGTHS; ++k) {
    REFUSED(mote_components(&open, point, N, bad_lengths[k], NULL, label, &number, &error), ARGUMENT,
            "radius");
  }
  REFUSED(mote_components(&open, (double[]){0, (double)INFINITY, 0}, 1, one, NULL, label, &number, &error),
          ARGUMENT, "point 0 is not finite: its y");
  CHECK(label[0] == 9 && number == 9);
  CHECK(mote_components(&open, NULL, 0, one, NULL, NULL, &number, &error) == MOTE_OK && number == 0);
}

// --- Numerics ---------------------------------------------------------------------------------------------

static void apply_identity(void *user, const double *x, double *y) {
  size_t n = *(const size_t *)user;
  for (size_t k = 0; k < n; ++k) y[k] = x[k];
}

static void apply_nan(void *user, const double *x, double *y) {
  apply_identity(user, x, y);
  y[0] = (double)NAN;
}

static void cg_calls(void) {
  size_t size = 3;
  double b[3] = {1, 2, 3}, x[3] = {7, 7, 7}, work[12];
  mote_cg_def good = mote_cg_def_default(), def;
  mote_cg_report report;
  good.size = size, good.apply = apply_identity, good.user = &size;
  REFUSED(mote_cg_solve(NULL, b, x, work, NULL, &error), ARGUMENT, "matrix");
  def = good, def.apply = NULL;
  REFUSED(mote_cg_solve(&def, b, x, work, NULL, &error), ARGUMENT, "matrix");
  REFUSED(mote_cg_solve(&good, NULL, x, work, NULL, &error), ARGUMENT, "null");
  REFUSED(mote_cg_solve(&good, b, NULL, work, NULL, &error), ARGUMENT, "null");
  REFUSED(mote_cg_solve(&good, b, x, NULL, NULL, &error), ARGUMENT, "null");
  def = good, def.tolerance = (double)NAN;
  REFUSED(mote_cg_solve(&def, b, x, work, NULL, &error), ARGUMENT, "tolerance");
  def = good, def.max_iterations = -1;
  REFUSED(mote_cg_solve(&def, b, x, work, NULL, &error), ARGUMENT, "iterations");
  def = good, def.apply = apply_nan;
  REFUSED(mote_cg_solve(&def, b, x, work, &report, &error), NUMERIC, "not finite");
  CHECK(!report.converged);
  REFUSED(mote_cg_solve(&good, (double[]){0, (double)INFINITY, 0}, x, work, &report, &error), NUMERIC,
          "side 1");
  CHECK(!report.converged && x[0] == 7 && x[2] == 7);
  def = good, def.size = 0;
  CHECK(mote_cg_solve(&def, NULL, NULL, NULL, &report, &error) == MOTE_OK && report.converged);
  def = good, def.threads = -5;
  CHECK(mote_cg_solve(&def, b, x, work, &report, &error) == MOTE_OK && x[2] == 3);
}

static void dense_calls(void) {
  double a[121] = {0}, b[11] = {0}, x[11] = {5};
  CHECK(!mote_dense_solve_spd(MOTE_DENSE_MAX + 1, a, 1, b, x) && !mote_dense_solve_spd(-1, a, 1, b, x));
  CHECK(mote_dense_pseudo_inverse(MOTE_DENSE_MAX + 1, a, 1e-10, a, NULL) == -1);
  CHECK(mote_dense_pseudo_inverse(-1, a, 1e-10, a, NULL) == -1);
  a[0] = (double)NAN;
  CHECK(!mote_dense_solve_spd(2, a, 1, b, x) && mote_dense_pseudo_inverse(2, a, 1e-10, x, NULL) == -1);
  CHECK(x[0] == 5);
}

static void matrix_calls(void) {
  const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
  for (int k = 0; k < 27; ++k) {
    double a[9] = {1, 2, 3, 2, 5, 6, 3, 6, 9}, u[9] = {7}, s[3] = {7}, v[9] = {7};
    a[k / 3] = bad[k % 3];
    bool upper = k / 3 != 3 && k / 3 != 6 && k / 3 != 7;
    CHECK(mote_eigen3(a, s, v) != upper);
    CHECK(!upper || (s[0] == 7 && v[0] == 7));
    CHECK(!mote_svd3(a, u, s, v) && !mote_polar3(a, u, v));
  }
}

static void cholesky_calls(void) {
  size_t first[] = {0, 2, 3};
  uint32_t row[] = {0, 1, 1};
  double value[] = {2, 1, 2}, x[2] = {1, 1};
  mote_cholesky *factor = untouched();
  mote_sparse good = {2, first, row, value}, a;
  REFUSED(mote_cholesky_create(NULL, NULL, &factor, &error), ARGUMENT, "null");
  REFUSED(mote_cholesky_create(&good, NULL, NULL, &error), ARGUMENT, "null");
  a = good, a.first = NULL;
  REFUSED(mote_cholesky_create(&a, NULL, &factor, &error), ARGUMENT, "null");
  a = good, a.row = NULL;
  REFUSED(mote_cholesky_create(&a, NULL, &factor, &error), ARGUMENT, "null");
  a = good, a.value = NULL;
  REFUSED(mote_cholesky_create(&a, NULL, &factor, &error), ARGUMENT, "null");
  a = good, a.size = MANY;
  REFUSED(mote_cholesky_create(&a, NULL, &factor, &error), ARGUMENT, "too many");
  a = good, a.first = (size_t[]){1, 2, 3};
  REFUSED(mote_cholesky_create(&a, NULL, &factor, &error), ARGUMENT, "column 0");
  a = good, a.first = (size_t[]){0, 2, 2};
  REFUSED(mote_cholesky_create(&a, NULL, &factor, &error), ARGUMENT, "column 1");
  a = good, a.first = (size_t[]){0, MANY, 3};
  REFUSED(mote_cholesky_create(&a, NULL, &factor, &error), ARGUMENT, "column 0");
  a = good, a.row = (uint32_t[]){0, 7, 1};
  REFUSED(mote_cholesky_create(&a, NULL, &factor, &error), ARGUMENT, "row 7");
  a = good, a.row = (uint32_t[]){0, 0, 1};
  REFUSED(mote_cholesky_create(&a, NULL, &factor, &error), ARGUMENT, "ascend");
  const double not_definite[] = {0, -1, (double)NAN, (double)INFINITY};
  for (int k = 0; k < 4; ++k) {
    a = good, a.value = (double[]){2, 1, not_definite[k]};
    REFUSED(mote_cholesky_create(&a, NULL, &factor, &error), NUMERIC, "column");
  }
  CHECK(factor == untouched());
  if (!CHECK(mote_cholesky_create(&good, NULL, &factor, &error) == MOTE_OK)) return;
  REFUSED(mote_cholesky_update(NULL, value, &error), ARGUMENT, "null");
  REFUSED(mote_cholesky_update(factor, NULL, &error), ARGUMENT, "null");
  mote_cholesky_solve(factor, 0, NULL);
  mote_cholesky_solve(factor, -3, x);
  CHECK(x[0] == 1);
  mote_cholesky_solve(factor, 1, x);
  CHECK_NEAR(x[0], 1.0 / 3, 1e-15);
  mote_cholesky_destroy(factor);
  mote_cholesky_destroy(NULL);
}

// --- Everything that allocates, refused at its n-th call for every n ---------------------------------

static mote_result use_grid(const mote_env *env) {
  mote_grid_def def = mote_grid_def_default(0.3);
  mote_grid *grid = untouched();
  mote_lists lists = {.count = 77};
  mote_result result = mote_grid_create(&def, env, &grid, &error);
  if (result != MOTE_OK) {
    CHECK(grid == untouched());
    return result;
  }
  result = mote_grid_build(grid, point, N, &error);
  if (result == MOTE_OK) result = mote_grid_neighbours(grid, &lists, &error);
  if (result == MOTE_OK) {
    lists.count = 77;
    result = mote_grid_neighbours_at(grid, field, N, radius_of, MOTE_REACH_SCATTER, &lists, &error);
  }
  CHECK(result == MOTE_OK || lists.count == 77);
  // What is left is a grid: of all points, or of none.
  uint32_t index[N];
  size_t found = mote_grid_query(grid, point, 0.3, index, N);
  CHECK(found <= N && (result != MOTE_OK || found > 0));
  mote_grid_destroy(grid);
  return result;
}

static mote_result use_components(const mote_env *env) {
  mote_domain open = mote_domain_open(2);
  uint32_t label[N] = {99};
  size_t number = 99;
  mote_result result = mote_components(&open, point, N, 0.1, env, label, &number, &error);
  CHECK(result == MOTE_OK ? number < N : label[0] == 99 && number == 99);
  return result;
}

static mote_result use_cholesky(const mote_env *env) {
  // A ring: each unknown with the next.
  size_t first[N + 1] = {0};
  uint32_t row[2 * N];
  double value[2 * N];
  size_t n = 0;
  for (uint32_t j = 0; j < N; ++j) {
    row[n] = j, value[n++] = 3;
    if (j + 1 < N) row[n] = j + 1, value[n++] = -1;
    if (j == 0) row[n] = N - 1, value[n++] = -1;
    first[j + 1] = n;
  }
  mote_cholesky *factor = untouched();
  mote_result result = mote_cholesky_create(&(mote_sparse){N, first, row, value}, env, &factor, &error);
  if (result != MOTE_OK) return CHECK(factor == untouched()), result;
  mote_cholesky_destroy(factor);
  return result;
}

// --- Environment ----------------------------------------------------------------------------------------

static void environments(void) {
  CHECK(strcmp(mote_result_name((mote_result)99), "unknown") == 0 && mote_version() != NULL);
  const int threads[] = {0, -1, INT32_MIN, INT32_MAX};
  for (int k = 0; k < 4; ++k) {
    mote_env env = {.threads = threads[k]};  // a null allocator is the usual one
    CHECK(use_grid(&env) == MOTE_OK && use_components(&env) == MOTE_OK && use_cholesky(&env) == MOTE_OK);
  }
}

int main(void) {
  make_points();
  grid_definitions();
  grid_calls();
  periodic_places();
  extreme_extents();
  components_calls();
  cg_calls();
  dense_calls();
  matrix_calls();
  cholesky_calls();
  abuse_exhaust("grid", use_grid, &error);
  abuse_exhaust("components", use_components, &error);
  abuse_exhaust("Cholesky", use_cholesky, &error);
  environments();
  return test_end();
}
