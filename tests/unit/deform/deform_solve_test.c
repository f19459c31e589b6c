// Energies and solvers: derivatives of the density by differences, its positive part; Newton and L-BFGS find
// the same minimum, dense and sparse; the dense factor; interrupted solves; memory after creation.
#include <math.h>

#include "deform/deform_dense.h"
#include "deform/deform_energy.h"
#include "deform/deform_system.h"
#include "deform_kit.h"
#include "geom/triple.h"
#include "test.h"

static void test_law(void) {
  const mote_deform_law law = {1.3, 70.0};
  const double F[9] = {1.1, 0.2, -0.1, 0.05, 0.8, 0.3, -0.2, 0.1, 1.2};
  double e[2], J, P[9], K[9][9], L[9][9], step = 1e-5;
  mote_deform_law_energy(&law, F, e, &J, P);
  mote_deform_law_hessian(&law, F, false, K);
  mote_deform_law_hessian(&law, F, true, L);
  for (int p = 0; p < 9; ++p) {
    double up[9], down[9], eu[2], ed[2], Pu[9], Pd[9];
    memcpy(up, F, sizeof up), memcpy(down, F, sizeof down);
    up[p] += step, down[p] -= step;
    mote_deform_law_energy(&law, up, eu, &J, Pu), mote_deform_law_energy(&law, down, ed, &J, Pd);
    CHECK_NEAR((eu[0] + eu[1] - ed[0] - ed[1]) / (2.0 * step), P[p], 1e-6);
    for (int q = 0; q < 9; ++q) {
      CHECK_NEAR((Pu[q] - Pd[q]) / (2.0 * step), K[p][q], 1e-5);
      CHECK_NEAR(L[p][q], L[q][p], 1e-12);
    }
  }
}

// At a state without negative modes both matrices are one; otherwise the positive part is larger.
static void test_positive(void) {
  const mote_deform_law law = {1.0, 1.0};
  const double stretched[9] = {1.05, 0.1, 0.0, -0.1, 1.02, 0.05, 0.0, -0.05, 1.03};
  const double crushed[9] = {0.5, 0.0, 0.0, 0.0, 0.6, 0.0, 0.0, 0.0, 1.1};
  double K[9][9], L[9][9], same = 0.0, least = 0.0;
  mote_deform_law_hessian(&law, stretched, false, K), mote_deform_law_hessian(&law, stretched, true, L);
  for (int p = 0; p < 81; ++p) same = max2(same, fabs(K[p / 9][p % 9] - L[p / 9][p % 9]));
  CHECK_NEAR(same, 0.0, 1e-9);
  mote_deform_law_hessian(&law, crushed, false, K), mote_deform_law_hessian(&law, crushed, true, L);
  for (int trial = 0; trial < 200; ++trial) {
    double x[9], exact = 0.0, positive = 0.0;
    for (int p = 0; p < 9; ++p) x[p] = trial == 0 ? (double)((p == 1) - (p == 3)) : sin(trial * 1.7 + p * p);
    for (int p = 0; p < 81; ++p) {
      exact += x[p / 9] * K[p / 9][p % 9] * x[p % 9];
      positive += x[p / 9] * L[p / 9][p % 9] * x[p % 9];
    }
    CHECK(positive >= -1e-9 && positive >= exact - 1e-9);
    least = min2(least, exact);
  }
  CHECK(least < 0.0);
}

static void test_dense(void) {
  enum { N = 30, STRIDE = 36 };
  static double a[(N + 4) * STRIDE], full[N][N], x[N + 4], b[N];
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j <= i; ++j) full[i][j] = full[j][i] = (i == j ? N : 0.0) + sin(i * 3.1 + j * 1.7);
    b[i] = cos(i);
  }
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) a[i * STRIDE + j] = full[i][j];
  CHECK(mote_deform_dense_factorise(N, STRIDE, a));
  memcpy(x, b, sizeof b);
  mote_deform_dense_substitute(N, STRIDE, a, x);
  for (int i = 0; i < N; ++i) {
    double sum = 0.0;
    for (int j = 0; j < N; ++j) sum += full[i][j] * x[j];
    CHECK_NEAR(sum, b[i], 1e-12);
  }
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) a[i * STRIDE + j] = full[i][j] - (i == 20 && j == 20 ? 3.0 * N : 0.0);
  CHECK(!mote_deform_dense_factorise(N, STRIDE, a));
}

// The minimum that a method finds.
static double minimum_of(mote_deform *d, mote_deform_method method, double tolerance) {
  mote_deform_solve_opts opts = mote_deform_solve_opts_default();
  mote_deform_report r;
  mote_pose pose = kit_pose(0.8, 0.6, 0.0);
  opts.method = method, opts.tolerance = tolerance, opts.iterations = 20000;
  mote_deform_reset(d);
  CHECK(mote_deform_set_pose(d, 1, &pose, NULL) == MOTE_OK);
  CHECK(mote_deform_solve(d, &opts, &r, NULL) == MOTE_OK);
  CHECK(r.arrived && r.converged && r.least_determinant > 0.0);
  return r.energy;
}

static void test_methods(size_t nodes) {
  kit_boxes b;
  mote_deform *d = kit_bar(&b, nodes, 1);
  if (!CHECK(d != NULL)) return;
  CHECK((d->system->matrix == NULL) == (nodes > MOTE_DEFORM_DENSE_MAX));
  double newton = minimum_of(d, MOTE_DEFORM_NEWTON, 1e-10);
  CHECK(newton > 0.0);
  CHECK_NEAR(minimum_of(d, MOTE_DEFORM_NEWTON, 1e-3), newton, 1e-3 * newton);
  if (nodes < 100) CHECK_NEAR(minimum_of(d, MOTE_DEFORM_LBFGS, 1e-9), newton, 1e-4 * newton);
  mote_deform_destroy(d);
  kit_boxes_free(&b);
}

// The sparse matrix is the dense one: entries of a small set, which is dense otherwise.
static void test_sparse(void) {
  kit_boxes b;
  mote_deform *d = kit_bar(&b, 40, 1);
  if (!CHECK(d != NULL)) return;
  mote_deform_system *s = d->system;
  size_t n = 3 * (size_t)d->space.nodes;  // a few more than asked for, where the shape needs them
  double *dense = s->matrix, *u = malloc(n * sizeof *u), worst = 0.0;
  for (size_t i = 0; i < n; ++i) u[i] = 0.02 * sin((double)(i * i));
  mote_deform_assemble(d, u, false);
  s->matrix = NULL;
  CHECK(mote_deform_system_prepare(d, NULL) == MOTE_OK);
  mote_deform_assemble(d, u, false);
  size_t entries = 0;
  for (size_t j = 0; j < s->unknowns; ++j) {
    for (size_t k = s->first[j]; k < s->first[j + 1]; ++k, ++entries)
      worst = max2(worst, fabs(s->value[k] - dense[s->row[k] * s->stride + j]));
  }
  CHECK(entries > n);
  CHECK_NEAR(worst, 0.0, 1e-6);  // of entries up to 1e6
  for (size_t i = 0; i < s->unknowns; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      bool stored = false;
      for (size_t k = s->first[j]; k < s->first[j + 1]; ++k) stored |= s->row[k] == i;
      if (!stored) CHECK(dense[i * s->stride + j] == 0.0);
    }
  }
  free(u);
  mote_deform_destroy(d);
  kit_boxes_free(&b);
}

// One iteration a call ends where one call of many does.
static void test_interrupted(void) {
  kit_boxes b;
  mote_deform *d = kit_bar(&b, 60, 1);
  if (!CHECK(d != NULL)) return;
  double whole = minimum_of(d, MOTE_DEFORM_NEWTON, 1e-9), before = HUGE_VAL;
  mote_deform_solve_opts opts = mote_deform_solve_opts_default();
  mote_deform_report r = {0};
  mote_pose pose = kit_pose(0.8, 0.6, 0.0);
  opts.iterations = 1, opts.tolerance = 1e-9;
  mote_deform_reset(d);
  mote_deform_set_pose(d, 1, &pose, NULL);
  int calls = 0;
  for (; calls < 100 && !r.converged; ++calls) {
    CHECK(mote_deform_solve(d, &opts, &r, NULL) == MOTE_OK);
    CHECK(r.iterations == 1 && r.least_determinant > 0.0);
    if (r.arrived) CHECK(r.energy <= before), before = r.energy;
  }
  CHECK(r.converged && calls > 3);
  CHECK_NEAR(r.energy, whole, 1e-6 * whole);
  opts.milliseconds = 0.0;
  CHECK(mote_deform_solve(d, &opts, &r, NULL) == MOTE_OK && r.iterations == 0);
  mote_deform_destroy(d);
  kit_boxes_free(&b);
}

// --- Memory -----------------------------------------------------------------------------------------------

static int allocations;

static void *count_resize(void *user, void *block, size_t old_size, size_t size) {
  const mote_env usual = mote_env_default();
  (void)user;
  if (size > 0) ++allocations;
  return usual.resize(usual.resize_user, block, old_size, size);
}

static void test_memory(void) {
  kit_boxes b = kit_boxes_make(6, 6, 24, 1.0 / 6.0, NULL, false);
  mote_env env = mote_env_default();
  env.resize = count_resize;
  mote_deform_def def = mote_deform_def_default();
  mote_deform *d;
  def.mesh = b.mesh;
  if (!CHECK(mote_deform_create(&def, &env, &d, NULL) == MOTE_OK)) return;
  const uint32_t low[3] = {0, 1, 7}, high = (uint32_t)b.mesh.vertices - 1;
  mote_deform_handle fixed, moved;
  CHECK(mote_deform_add_region(d, low, 3, &fixed, NULL) == MOTE_OK);
  CHECK(mote_deform_add_point(d, b.mesh.vertex + 3 * (size_t)high, &moved, NULL) == MOTE_OK);
  double *x = malloc(3 * b.mesh.vertices * sizeof *x);
  int before = allocations;
  for (int k = 0; k < 3; ++k) {
    double target[3];
    step3(b.mesh.vertex + 3 * (size_t)high, 0.1 * k, (const double[3]){1.0, 0.5, 0.2}, target);
    CHECK(mote_deform_set_point(d, moved, target, NULL) == MOTE_OK);
    CHECK(mote_deform_solve(d, NULL, NULL, NULL) == MOTE_OK);
    CHECK(mote_deform_read(d, x, NULL, NULL) == MOTE_OK);
    CHECK(distance3(x + 3 * (size_t)high, target) < 1e-3 * mote_deform_size(d));
  }
  CHECK(allocations == before);
  free(x);
  mote_deform_destroy(d);
  kit_boxes_free(&b);
}

int main(void) {
  test_law();
  test_positive();
  test_dense();
  test_methods(60);
  TEST_LONG(test_methods(310));
  test_sparse();
  test_interrupted();
  test_memory();
  return test_end();
}
