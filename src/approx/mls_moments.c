// Regular moments are solved by elimination. Singular ones (samples in a plane or a line, too few) are taken
// apart by orders: with each order made orthogonal to the lower ones the matrix falls into blocks
//   M = L diag(S_0, S_1, S_2) L^T,   generalised inverse  L^-T diag(S_0^+, S_1^+, S_2^+) L^-1,
// so that lower orders have priority: constants stay exact for any samples, and in a plane
// or a line all polynomials do. Lowering the order (EG09 4) drops blocks. docs/theory/mls.md has the
// proofs.
#include "approx/mls_moments.h"

#include <math.h>
#include <string.h>

// Rows of the order-`order` block within the matrix without the functions before `first`.
typedef struct block {
  int begin, end;
} block;

static block block_of(int dimensions, int order, int first) {
  return (block){mote_mls_basis_size(dimensions, order - 1) - first,
                 mote_mls_basis_size(dimensions, order) - first};
}

// The trace of S_b^-1 from the elimination u = D L^T, S_b = L_b D_b L_b^T: at least 1 over the smallest
// singular value of S_b, at most as many times that as the block has rows.
static double inverse_trace(const mote_dense_factor *factor, block b) {
  double inverse[MOTE_MLS_BASIS][MOTE_MLS_BASIS], trace = 0.0;  // of L_b, column by column
  for (int c = b.begin; c < b.end; ++c) {
    for (int r = c; r < b.end; ++r) {
      double x = r == c ? 1.0 : 0.0;
      for (int k = c; k < r; ++k) x -= factor->u[k][r] * factor->inverse[k] * inverse[c][k];
      inverse[c][r] = x;
      trace += x * x * factor->inverse[r];
    }
  }
  return trace;
}

static double trace_of(int n, const double *a, int stride) {
  double trace = 0.0;
  for (int k = 0; k < n; ++k) trace += a[k * (stride + 1)];
  return trace;
}

// S_b^+ into the block's place of `inverse`; returns the rank. Singular values up to tolerance * largest are
// zero (largest is a trace, hence within a factor of the rows of the singular value it stands for).
static int invert_block(const double *a, int n, block b, double tolerance, double largest, double *inverse) {
  double s[MOTE_MLS_BASIS * MOTE_MLS_BASIS], p[MOTE_MLS_BASIS * MOTE_MLS_BASIS];
  int size = b.end - b.begin;
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) s[i * size + j] = a[(b.begin + i) * n + b.begin + j];
  }
  double trace = trace_of(size, s, size);
  if (!(trace > tolerance * largest)) return 0;
  int rank = mote_dense_pseudo_inverse(size, s, tolerance * largest / trace, p, NULL);
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) inverse[(b.begin + i) * n + b.begin + j] = p[i * size + j];
  }
  return rank;
}

// One step of block elimination: lower = A_rb S_b^+ for the rows r behind the block, A_rs -= lower A_bs.
static void eliminate_block(double *a, int n, block b, const double *inverse, double *lower) {
  for (int r = b.end; r < n; ++r) {
    for (int c = b.begin; c < b.end; ++c) {
      double sum = 0.0;
      for (int k = b.begin; k < b.end; ++k) sum += a[r * n + k] * inverse[k * n + c];
      lower[r * n + c] = sum;
    }
  }
  for (int r = b.end; r < n; ++r) {
    for (int s = b.end; s < n; ++s) {
      for (int k = b.begin; k < b.end; ++k) a[r * n + s] -= lower[r * n + k] * a[k * n + s];
    }
  }
}

// L^-T diag L^-1 of the first `size` rows, in place of diag.
static void compose(int n, int size, const double *lower, double *diag) {
  double t[MOTE_MLS_BASIS][MOTE_MLS_BASIS], half[MOTE_MLS_BASIS][MOTE_MLS_BASIS];  // L^-1; diag L^-1
  for (int c = 0; c < size; ++c) {
    for (int r = 0; r < size; ++r) {
      t[r][c] = r == c ? 1.0 : 0.0;
      for (int k = c; k < r; ++k) t[r][c] -= lower[r * n + k] * t[k][c];
    }
  }
  for (int r = 0; r < size; ++r) {
    for (int c = 0; c < size; ++c) {
      half[r][c] = 0.0;
      for (int k = 0; k < size; ++k) half[r][c] += diag[r * n + k] * t[k][c];
    }
  }
  for (int r = 0; r < size; ++r) {
    for (int c = 0; c < size; ++c) {
      double sum = 0.0;
      for (int k = 0; k < size; ++k) sum += t[k][r] * half[k][c];
      diag[r * n + c] = sum;
    }
  }
}

// The slow path: rank by singular values, then the generalised inverse, of all orders or of those below the
// first that is singular.
static void rescue_moments(mote_mls_moments *moments, double *a, int dimensions, int order,
                           mote_mls_rescue rescue, double tolerance) {
  int n = moments->full, first = moments->first;
  double lower[MOTE_MLS_BASIS * MOTE_MLS_BASIS] = {0.0}, largest = trace_of(n, a, n), smallest = 0.0;
  memset(moments->inverse, 0, sizeof moments->inverse);
  moments->fit = (mote_mls_fit){.order = order, .rank = first};
  for (int o = first; o <= order; ++o) {
    block b = block_of(dimensions, o, first);
    int rank = invert_block(a, n, b, tolerance, largest, moments->inverse);
    bool lowered = moments->fit.order < o;
    moments->fit.rank += rank;
    if (rescue == MOTE_MLS_LOWER_ORDER && rank < b.end - b.begin && !lowered) {
      moments->fit.order = o - 1;
      moments->size = b.begin + first;
      lowered = true;
    }
    if (!lowered) {
      smallest = fmax(smallest, trace_of(b.end - b.begin, moments->inverse + b.begin * (n + 1), n));
    }
    eliminate_block(a, n, b, moments->inverse, lower);
  }
  moments->fit.condition = fmax(largest * smallest, 1.0);
  compose(n, moments->size - first, lower, moments->inverse);
}

void mote_mls_moments_make(mote_mls_moments *moments, const double *m, int dimensions, int order, int first,
                           mote_mls_rescue rescue, double tolerance) {
  int size = mote_mls_basis_size(dimensions, order), n = size - first;
  double a[MOTE_MLS_BASIS * MOTE_MLS_BASIS];
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) a[i * n + j] = m[(first + i) * size + first + j];
  }
  moments->first = first, moments->size = size, moments->full = n;
  bool positive = mote_dense_eliminate(n, a, &moments->factor);
  if (positive) {
    double smallest = 0.0;
    for (int o = first; o <= order; ++o) {
      smallest = fmax(smallest, inverse_trace(&moments->factor, block_of(dimensions, o, first)));
    }
    moments->fit =
        (mote_mls_fit){.order = order, .rank = size, .condition = fmax(trace_of(n, a, n) * smallest, 1.0)};
    moments->regular = true;
    if (moments->fit.condition * tolerance < 1.0) return;
  }
  rescue_moments(moments, a, dimensions, order, rescue, tolerance);
  moments->regular = positive && moments->fit.rank == size;
}

void mote_mls_moments_solve(const mote_mls_moments *moments, int columns, double *x) {
  int n = moments->full, used = moments->size - moments->first;
  double *rows = x + moments->first * columns;
  if (moments->regular) {
    mote_dense_substitute(n, &moments->factor, columns, rows, rows);
  } else {
    for (int c = 0; c < columns; ++c) {
      double b[MOTE_MLS_BASIS];
      for (int k = 0; k < used; ++k) b[k] = rows[k * columns + c];
      for (int r = 0; r < n; ++r) {
        double sum = 0.0;
        for (int k = 0; r < used && k < used; ++k) sum += moments->inverse[r * n + k] * b[k];
        rows[r * columns + c] = sum;
      }
    }
  }
  for (int c = 0; c < moments->first * columns; ++c) x[c] = 0.0;
}
