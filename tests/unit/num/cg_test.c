// Conjugate gradients against elimination, on Laplacians and badly scaled matrices: accuracy, number of
// iterations, warm start, breakdown, odd sizes and scales, the same bits for any number of threads.
#include <math.h>
#include <mote/numeric.h>

#include "base/random.h"
#include "test.h"

// The 5-point Laplacian with zero borders on a side x side lattice, plus `shift`, scaled on both sides.
typedef struct lattice {
  int side;
  double shift;
  const double *scale;  // null: ones
  int products, fail_at;
} lattice;

static void lattice_apply(void *user, const double *x, double *y) {
  lattice *m = user;
  for (int k = 0; k < m->side * m->side; ++k) {
    int i = k % m->side, j = k / m->side;
    const int near[4] = {i > 0 ? k - 1 : -1, i < m->side - 1 ? k + 1 : -1, j > 0 ? k - m->side : -1,
                         j < m->side - 1 ? k + m->side : -1};
    double sum = (4.0 + m->shift) * (m->scale ? m->scale[k] : 1.0) * x[k];
    for (int n = 0; n < 4; ++n) {
      if (near[n] >= 0) sum -= (m->scale ? m->scale[near[n]] : 1.0) * x[near[n]];
    }
    y[k] = sum * (m->scale ? m->scale[k] : 1.0);
  }
  if (++m->products == m->fail_at) y[0] = (double)NAN;
}

static void diagonal_precondition(void *user, const double *x, double *y) {
  lattice *m = user;
  for (int k = 0; k < m->side * m->side; ++k) {
    y[k] = x[k] / ((4.0 + m->shift) * m->scale[k] * m->scale[k]);
  }
}

static void negative_precondition(void *user, const double *x, double *y) {
  lattice *m = user;
  for (int k = 0; k < m->side * m->side; ++k) y[k] = -x[k];
}

#define SIDE 60
#define SIZE (SIDE * SIDE)
static double b[SIZE], x[SIZE], y[SIZE], work[4 * SIZE], scale[SIZE];

static mote_cg_def problem(lattice *m) {
  mote_cg_def def = mote_cg_def_default();
  def.size = (size_t)(m->side * m->side), def.apply = lattice_apply, def.user = m, def.threads = 1;
  for (int k = 0; k < SIZE; ++k) {
    b[k] = mote_random_between(1, 0, (uint64_t)k, -1.0, 1.0), x[k] = 0.0;
    scale[k] = pow(10.0, mote_random_between(2, 0, (uint64_t)k, -2.0, 2.0));
  }
  return def;
}

static double true_residual(lattice *m) {
  double rr = 0.0, bb = 0.0;
  lattice_apply(m, x, y);
  for (int k = 0; k < m->side * m->side; ++k) rr += (b[k] - y[k]) * (b[k] - y[k]), bb += b[k] * b[k];
  return sqrt(rr / bb);
}

static void small_system_takes_no_more_steps_than_unknowns(void) {
  lattice m = {.side = 3};
  mote_cg_def def = problem(&m);
  mote_cg_report report;
  def.tolerance = 1e-14;
  CHECK(mote_cg_solve(&def, b, x, work, &report, NULL) == MOTE_OK);
  CHECK(report.converged && report.iterations <= 9);
  double a[81], unit[9], solution[9];
  for (int k = 0; k < 9; ++k) {
    for (int j = 0; j < 9; ++j) unit[j] = j == k;
    lattice_apply(&m, unit, a + 9 * k);
  }
  CHECK(mote_dense_solve_spd(9, a, 1, b, solution));
  for (int k = 0; k < 9; ++k) CHECK_NEAR(x[k], solution[k], 1e-13);
}

// The bound 2 ((sqrt c - 1) / (sqrt c + 1))^k on the energy error, c = 4 / (pi / (n+1))^2, and sqrt c more
// for the residual.
static void laplacian_converges_as_theory_says(void) {
  lattice m = {.side = SIDE};
  mote_cg_def def = problem(&m);
  mote_cg_report report;
  CHECK(mote_cg_solve(&def, b, x, work, &report, NULL) == MOTE_OK);
  double root = 2.0 * (SIDE + 1) / 3.14159265358979;
  double bound = log(2.0 * root / def.tolerance) / -log((root - 1.0) / (root + 1.0));
  CHECK(report.converged && report.residual <= 1e-10 && report.iterations <= bound);
  CHECK_NEAR(true_residual(&m), report.residual, 1e-12);
  int cold = report.iterations;
  for (int k = 0; k < SIZE; ++k) x[k] *= 1.0 + 1e-6;
  CHECK(mote_cg_solve(&def, b, x, work, &report, NULL) == MOTE_OK);
  CHECK(report.converged && report.iterations < cold * 2 / 3);
  CHECK(mote_cg_solve(&def, b, x, work, &report, NULL) == MOTE_OK);
  CHECK(report.converged && report.iterations <= 1);
  def.max_iterations = 5, def.tolerance = 0.0;
  CHECK(mote_cg_solve(&def, b, x, work, &report, NULL) == MOTE_OK);
  CHECK(!report.converged && report.iterations == 5);
}

static void preconditioner_undoes_bad_scaling(void) {
  lattice m = {.side = SIDE, .scale = scale};
  mote_cg_def def = problem(&m);
  mote_cg_report plain, better;
  CHECK(mote_cg_solve(&def, b, x, work, &plain, NULL) == MOTE_OK);
  for (int k = 0; k < SIZE; ++k) x[k] = 0.0;
  def.precondition = diagonal_precondition;
  CHECK(mote_cg_solve(&def, b, x, work, &better, NULL) == MOTE_OK);
  CHECK(better.converged && better.iterations < 400 && (!plain.converged || plain.iterations > 400));
  CHECK(true_residual(&m) <= 2e-10);
  def.precondition = negative_precondition;
  x[0] += 1.0;
  CHECK(mote_cg_solve(&def, b, x, work, &better, NULL) == MOTE_ERROR_NUMERIC);
}

static void ends_where_it_is_enough(void) {
  lattice m = {.side = SIDE, .scale = scale};
  mote_cg_def def = problem(&m);
  mote_cg_report report;
  double largest = 0.0;
  def.precondition = diagonal_precondition, def.enough = 1e-5;
  for (int k = 0; k < SIZE; ++k) b[k] *= 1e3;  // what is enough does not follow the size of b
  CHECK(mote_cg_solve(&def, b, x, work, &report, NULL) == MOTE_OK);
  CHECK(report.converged && report.residual > def.tolerance);
  lattice_apply(&m, x, y);
  for (int k = 0; k < SIZE; ++k) y[k] = b[k] - y[k];
  diagonal_precondition(&m, y, y);
  for (int k = 0; k < SIZE; ++k) largest = fmax(largest, fabs(y[k]));
  CHECK(largest <= 1.01 * def.enough && largest > 0.01 * def.enough);
}

static void threads_do_not_change_bits(void) {
  static double first[SIZE];
  const int threads[] = {1, 2, 7};
  for (int t = 0; t < 3; ++t) {
    lattice m = {.side = SIDE};
    mote_cg_def def = problem(&m);
    def.threads = threads[t], def.max_iterations = 10;
    CHECK(mote_cg_solve(&def, b, x, work, NULL, NULL) == MOTE_OK);
    if (t == 0) memcpy(first, x, sizeof x);
    CHECK(memcmp(first, x, sizeof x) == 0);
  }
}

static void breakdown_is_named(void) {
  lattice m = {.side = SIDE, .shift = -4.0};  // indefinite
  mote_cg_def def = problem(&m);
  mote_error error;
  mote_cg_report report;
  CHECK(mote_cg_solve(&def, b, x, work, &report, &error) == MOTE_ERROR_NUMERIC);
  CHECK(!report.converged && strstr(error.text, "positive definite") != NULL);
  for (int k = 0; k < SIZE; ++k) CHECK(isfinite(x[k]));
  m = (lattice){.side = SIDE, .fail_at = 6};
  for (int k = 0; k < SIZE; ++k) x[k] = 0.0;
  CHECK(mote_cg_solve(&def, b, x, work, &report, &error) == MOTE_ERROR_NUMERIC && report.iterations == 4);
  CHECK(isfinite(x[0]) && true_residual(&m) < 1.0);
  m = (lattice){.side = SIDE};
  x[5] = (double)NAN;
  CHECK(mote_cg_solve(&def, b, x, work, &report, &error) == MOTE_ERROR_NUMERIC && report.iterations == 0);
  x[5] = 0.0, b[7] = HUGE_VAL;
  CHECK(mote_cg_solve(&def, b, x, work, &report, &error) == MOTE_ERROR_NUMERIC);
  CHECK(strstr(error.text, "right-hand side 7") != NULL);
}

static void odd_right_hand_sides(void) {
  lattice m = {.side = SIDE};
  mote_cg_def def = problem(&m);
  mote_cg_report report;
  const double sizes[] = {1e-250, 1e-310, 1e250};
  for (int s = 0; s < 3; ++s) {
    problem(&m);
    for (int k = 0; k < SIZE; ++k) b[k] *= sizes[s];
    CHECK(mote_cg_solve(&def, b, x, work, &report, NULL) == MOTE_OK && report.converged);
    for (int k = 0; k < SIZE; ++k) b[k] /= sizes[s], x[k] /= sizes[s];
    CHECK(true_residual(&m) < (s == 1 ? 1e-8 : 1.1e-10));
  }
  for (int k = 0; k < SIZE; ++k) b[k] = 0.0, x[k] = 1.0;
  CHECK(mote_cg_solve(&def, b, x, work, &report, NULL) == MOTE_OK);
  CHECK(report.converged && report.iterations == 0 && x[0] == 0.0 && x[SIZE - 1] == 0.0);
  m.side = 0, def.size = 0;
  CHECK(mote_cg_solve(&def, b, x, work, &report, NULL) == MOTE_OK && report.converged);
}

static void arguments_are_checked(void) {
  lattice m = {.side = 2};
  mote_cg_def def = problem(&m);
  CHECK(mote_cg_solve(NULL, b, x, work, NULL, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_cg_solve(&def, NULL, x, work, NULL, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_cg_solve(&def, b, x, NULL, NULL, NULL) == MOTE_ERROR_ARGUMENT);
  def.tolerance = (double)NAN;
  CHECK(mote_cg_solve(&def, b, x, work, NULL, NULL) == MOTE_ERROR_ARGUMENT);
  def.tolerance = 1e-6, def.max_iterations = -1;
  CHECK(mote_cg_solve(&def, b, x, work, NULL, NULL) == MOTE_ERROR_ARGUMENT);
  def.max_iterations = 10, def.apply = NULL;
  CHECK(mote_cg_solve(&def, b, x, work, NULL, NULL) == MOTE_ERROR_ARGUMENT);
}

int main(void) {
  small_system_takes_no_more_steps_than_unknowns();
  laplacian_converges_as_theory_says();
  preconditioner_undoes_bad_scaling();
  ends_where_it_is_enough();
  threads_do_not_change_bits();
  breakdown_is_named();
  odd_right_hand_sides();
  arguments_are_checked();
  return test_end();
}
