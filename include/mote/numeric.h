// Small numerics. Elementary functions that give the same bits on every machine (error at most
// 2 ulp), decompositions of 3x3 matrices, small dense systems, conjugate gradients, sparse Cholesky.
// Matrices are row-major. Nothing here allocates except the sparse factorisation.
#ifndef MOTE_NUMERIC_H
#define MOTE_NUMERIC_H

#include <mote/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- Elementary functions: as in C, without errno and floating-point exceptions -------------------

MOTE_API double mote_sin(double x);
MOTE_API double mote_cos(double x);
MOTE_API double mote_acos(double x);
MOTE_API double mote_atan2(double y, double x);
MOTE_API double mote_exp(double x);
MOTE_API double mote_log(double x);
MOTE_API double mote_pow(double x, double y);
MOTE_API double mote_cbrt(double x);
MOTE_API float mote_sinf(float x);
MOTE_API float mote_cosf(float x);
MOTE_API float mote_acosf(float x);
MOTE_API float mote_atan2f(float y, float x);
MOTE_API float mote_expf(float x);
MOTE_API float mote_logf(float x);
MOTE_API float mote_powf(float x, float y);
MOTE_API float mote_cbrtf(float x);

// --- Random numbers ------------------------------------------------------------------------------------

// Uniform in [0, 1): a pure function of its arguments (Philox 4x32-10), so that any order and any thread
// gives the same.
MOTE_API double mote_random_uniform(uint64_t seed, uint64_t stream, uint64_t index);

// --- 3x3 matrices -----------------------------------------------------------------------------------

// Eigenvalues, largest first, and orthonormal right-handed eigenvectors in the columns of `vectors`,
// of the symmetric matrix `a` (its upper triangle is read). The closed form of YU11 4.4.1, checked by
// its residual, with QR iterations behind it. Returns false, all untouched, when `a` is not finite.
MOTE_API bool mote_eigen3(const double a[9], double values[3], double vectors[9]);

// a = u diag(s) v^T with rotations u, v (determinant +1) and s0 >= s1 >= |s2|; s2 has the sign of
// det a. Returns false when `a` is not finite.
MOTE_API bool mote_svd3(const double a[9], double u[9], double s[3], double v[9]);

// a = r p with a rotation r (determinant +1, also for reflections and singular a) and symmetric p.
// Returns false when `a` is not finite.
MOTE_API bool mote_polar3(const double a[9], double r[9], double p[9]);

// --- Small dense matrices, n <= MOTE_DENSE_MAX -----------------------------------------------------

#define MOTE_DENSE_MAX 10

// Solves a x = b for `columns` right-hand sides (b and x are n x columns, may be the same) with the
// symmetric positive definite a (n x n, its upper triangle is read). Returns false, x untouched, when a is
// not positive definite in floating point (a pivot is within 8 n eps of nothing) or n is out of range.
MOTE_API bool mote_dense_solve_spd(int n, const double *a, int columns, const double *b, double *x);

// The pseudo-inverse of the symmetric n x n matrix a (its upper triangle is read; inverse may be a):
// eigenvalues smaller in size than tolerance times the largest count as zero. Returns the rank; -1, inverse
// untouched, when a is not finite or n is out of range. `condition`, where not null, receives the ratio of
// the largest to the smallest eigenvalue that was kept, 1 when none was.
MOTE_API int mote_dense_pseudo_inverse(int n, const double *a, double tolerance, double *inverse,
                                       double *condition);

// --- Conjugate gradients ----------------------------------------------------------------------------

// Writes matrix times x into y.
typedef void mote_apply_fn(void *user, const double *x, double *y);

typedef struct mote_cg_def {
  size_t size;
  mote_apply_fn *apply;         // symmetric positive definite
  mote_apply_fn *precondition;  // null: none
  void *user;
  double tolerance;  // of |b - A x| / |b|
  double enough;     // as good: where no entry of the preconditioned b - A x is larger; 0: not asked
  int max_iterations;
  int threads;
} mote_cg_def;

MOTE_API mote_cg_def mote_cg_def_default(void);

typedef struct mote_cg_report {
  int iterations;
  double residual;  // |b - A x| / |b| by the recurrence
  bool converged;
} mote_cg_report;

// Solves A x = b from the guess in x. work: 4 * size doubles. NUMERIC when A is found indefinite or
// something is not finite; x is then the best so far.
MOTE_API mote_result mote_cg_solve(const mote_cg_def *def, const double *b, double *x, double *work,
                                   mote_cg_report *report, mote_error *error);

// --- Sparse Cholesky ----------------------------------------------------------------------------------

// Lower triangle with the diagonal, compressed by columns: rows of column j are
// row[first[j]] .. row[first[j+1]-1], ascending, the diagonal first; first[0] is 0.
typedef struct mote_sparse {
  size_t size;
  const size_t *first;
  const uint32_t *row;
  const double *value;
} mote_sparse;

typedef struct mote_cholesky mote_cholesky;

// Factorises P A P^T = L L^T under a fill-reducing ordering; keeps nothing of `a`. ARGUMENT names the column
// whose pattern is malformed, NUMERIC the one at which A is not positive definite.
MOTE_API mote_result mote_cholesky_create(const mote_sparse *a, const mote_env *env, mote_cholesky **out,
                                          mote_error *error);
// The same pattern with other values; keeps ordering and symbolic factor, and no memory but what it had.
// After a failure solutions are NaN until an update succeeds.
MOTE_API mote_result mote_cholesky_update(mote_cholesky *factor, const double *value, mote_error *error);
// Solves for `columns` right-hand sides stored one after the other, in place. May be called from several
// threads.
MOTE_API void mote_cholesky_solve(const mote_cholesky *factor, int columns, double *x);
// Entries of L.
MOTE_API size_t mote_cholesky_fill(const mote_cholesky *factor);
MOTE_API void mote_cholesky_destroy(mote_cholesky *factor);

#ifdef __cplusplus
}
#endif
#endif
