// The moment matrix taken apart: solutions against the matrix itself, the conditions of a generalised inverse
// on singular matrices of known null spaces, rank, orders dropped, and how close the bound of the condition
// is.
#include "approx/mls_moments.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "test.h"

#define N MOTE_MLS_BASIS
#define TOLERANCE 1e-10

typedef struct problem {
  int dimensions, order, n;
  double p[64][N];  // basis functions of the samples
  int samples;
  double m[N * N];
} problem;

// Random samples in the first `flat` dimensions, at a distance along the others.
static problem make_problem(int dimensions, int order, int flat, int samples, uint64_t seed) {
  problem q = {.dimensions = dimensions, .order = order, .samples = samples};
  q.n = mote_mls_basis_size(dimensions, order);
  const mote_mls_pairs *pairs = mote_mls_pairs_of(dimensions);
  for (int i = 0; i < samples; ++i) {
    double *p = q.p[i];
    p[0] = 1.0;
    for (int k = 0; order >= 1 && k < dimensions; ++k) {
      p[1 + k] = k < flat ? mote_random_between(seed, (uint64_t)k, (uint64_t)i, -1.0, 1.0) : 0.3;
    }
    for (int e = 0; order >= 2 && e < pairs->count; ++e) {
      p[1 + dimensions + e] =
          p[1 + pairs->k[e]] * p[1 + pairs->l[e]] * (pairs->k[e] == pairs->l[e] ? sqrt(0.5) : 1.0);
    }
    double w = mote_random_between(seed, 9, (uint64_t)i, 0.1, 1.0);
    for (int a = 0; a < q.n; ++a) {
      for (int b = 0; b < q.n; ++b) q.m[a * q.n + b] += w * p[a] * p[b];
    }
  }
  return q;
}

// The matrix that mote_mls_moments_solve stands for.
static void solve_all(const mote_mls_moments *moments, int n, double g[N * N]) {
  for (int k = 0; k < n * n; ++k) g[k] = k % (n + 1) == 0 ? 1.0 : 0.0;
  mote_mls_moments_solve(moments, n, g);
}

static void multiply(int n, const double *a, const double *b, double *c) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      c[i * n + j] = 0.0;
      for (int k = 0; k < n; ++k) c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
  }
}

static double largest_difference(int count, const double *a, const double *b) {
  double most = 0.0;
  for (int k = 0; k < count; ++k) most = fmax(most, fabs(a[k] - b[k]));
  return most;
}

static double largest(int count, const double *a) {
  double most = 0.0;
  for (int k = 0; k < count; ++k) most = fmax(most, fabs(a[k]));
  return most;
}

static void test_regular(void) {
  for (int d = 1; d <= 3; ++d) {
    for (int order = 0; order <= 2; ++order) {
      for (uint64_t seed = 1; seed <= 20; ++seed) {
        problem q = make_problem(d, order, d, 40, seed);
        mote_mls_moments moments;
        mote_mls_moments_make(&moments, q.m, d, order, 0, MOTE_MLS_PSEUDO_INVERSE, TOLERANCE);
        double g[N * N], product[N * N], unit[N * N];
        solve_all(&moments, q.n, g);
        multiply(q.n, q.m, g, product);
        for (int k = 0; k < q.n * q.n; ++k) unit[k] = k % (q.n + 1) == 0 ? 1.0 : 0.0;
        CHECK(moments.regular && moments.size == q.n && moments.fit.order == order &&
              moments.fit.rank == q.n);
        CHECK_NEAR(largest_difference(q.n * q.n, product, unit), 0.0, 1e-12);
        double inverse[N * N], condition;
        CHECK(mote_dense_pseudo_inverse(q.n, q.m, 1e-14, inverse, &condition) == q.n);
        // Traces of up to ten and six rows stand for singular values; seen are 1 to 7.1.
        CHECK(moments.fit.condition > 0.99 * condition && moments.fit.condition < 10.0 * condition);
      }
    }
  }
}

// Samples in fewer dimensions: G M G = G, M G M = M, constants exact, and the rank of the lower dimension.
static void test_singular(void) {
  for (int flat = 0; flat <= 2; ++flat) {
    for (int order = 1; order <= 2; ++order) {
      for (uint64_t seed = 1; seed <= 20; ++seed) {
        problem q = make_problem(3, order, flat, 40, seed);
        mote_mls_moments moments;
        mote_mls_moments_make(&moments, q.m, 3, order, 0, MOTE_MLS_PSEUDO_INVERSE, TOLERANCE);
        double g[N * N], mg[N * N], again[N * N];
        solve_all(&moments, q.n, g);
        CHECK(!moments.regular && moments.size == q.n && moments.fit.order == order);
        CHECK(moments.fit.rank == (order == 1 ? 1 + flat : (flat + 1) * (flat + 2) / 2));
        multiply(q.n, q.m, g, mg);
        multiply(q.n, mg, q.m, again);
        CHECK_NEAR(largest_difference(q.n * q.n, again, q.m), 0.0, 1e-12 * largest(q.n * q.n, q.m));
        multiply(q.n, g, mg, again);
        CHECK_NEAR(largest_difference(q.n * q.n, again, g), 0.0, 1e-12 * largest(q.n * q.n, g));
        for (int k = 0; k < q.n; ++k) CHECK_NEAR(mg[k], k == 0 ? 1.0 : 0.0, 1e-13);
        CHECK(moments.fit.condition >= 1.0 && moments.fit.condition < 1e6);
      }
    }
  }
}

static void test_lower_order(void) {
  static const int samples[4] = {1, 3, 5, 40}, order[4] = {0, 1, 1, 2}, rank[4] = {1, 3, 5, 6};
  for (int s = 0; s < 4; ++s) {
    problem q = make_problem(2, 2, 2, samples[s], 3);
    mote_mls_moments moments;
    mote_mls_moments_make(&moments, q.m, 2, 2, 0, MOTE_MLS_LOWER_ORDER, TOLERANCE);
    int used = mote_mls_basis_size(2, order[s]);
    CHECK(moments.fit.order == order[s] && moments.fit.rank == rank[s] && moments.size == used);
    double g[N * N];
    solve_all(&moments, q.n, g);
    for (int a = 0; a < q.n; ++a) {
      for (int b = 0; b < q.n; ++b) {
        double sum = 0.0;
        for (int k = 0; k < used; ++k) sum += q.m[a * q.n + k] * g[k * q.n + b];
        if (a < used && b < used) CHECK_NEAR(sum, a == b ? 1.0 : 0.0, 1e-10);
        if (a >= used || b >= used) CHECK(g[a * q.n + b] == 0.0);
      }
    }
  }
}

// Without the constant function; and nothing at all.
static void test_first(void) {
  problem q = make_problem(2, 2, 2, 40, 3);
  mote_mls_moments moments;
  mote_mls_moments_make(&moments, q.m, 2, 2, 1, MOTE_MLS_PSEUDO_INVERSE, TOLERANCE);
  double x[N], b[N];
  for (int k = 0; k < q.n; ++k) x[k] = b[k] = k + 1.0;
  mote_mls_moments_solve(&moments, 1, x);
  CHECK(x[0] == 0.0 && moments.fit.rank == 6);
  for (int a = 1; a < q.n; ++a) {
    double sum = 0.0;
    for (int k = 1; k < q.n; ++k) sum += q.m[a * q.n + k] * x[k];
    CHECK_NEAR(sum, b[a], 1e-12);
  }
  memset(q.m, 0, sizeof q.m);
  mote_mls_moments_make(&moments, q.m, 2, 2, 1, MOTE_MLS_PSEUDO_INVERSE, TOLERANCE);
  for (int k = 0; k < q.n; ++k) x[k] = 1.0;
  mote_mls_moments_solve(&moments, 1, x);
  CHECK(moments.fit.rank == 1 && largest(q.n, x) == 0.0);
  mote_mls_moments_make(&moments, q.m, 2, 0, 1, MOTE_MLS_PSEUDO_INVERSE, TOLERANCE);
  CHECK(moments.fit.rank == 1 && moments.fit.order == 0);
}

int main(void) {
  test_regular();
  test_singular();
  test_lower_order();
  test_first();
  return test_end();
}
