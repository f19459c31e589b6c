// Sparse Cholesky: residuals on Laplacians, random and full patterns; the same as elimination and conjugate
// gradients; fill against published orderings; new values; refusals, lack of memory; bits and threads.
#include <float.h>
#include <math.h>
#include <mote/numeric.h>
#include <stdlib.h>

#include "base/random.h"
#include "num/elimination_order.h"
#include "num/supernodes.h"
#include "test.h"

// A matrix that owns its arrays.
typedef struct matrix {
  size_t size, entries;
  size_t *first;
  uint32_t *row;
  double *value;
} matrix;

static matrix matrix_make(size_t size, size_t room) {
  return (matrix){size, 0, malloc((size + 1) * sizeof(size_t)), malloc((room + 1) * sizeof(uint32_t)),
                  malloc((room + 1) * sizeof(double))};
}

static void matrix_free(matrix *m) {
  free(m->first), free(m->row), free(m->value);
}

static mote_sparse view(const matrix *m) {
  return (mote_sparse){m->size, m->first, m->row, m->value};
}

static void put(matrix *m, size_t row, double value) {
  m->row[m->entries] = (uint32_t)row;
  m->value[m->entries++] = value;
}

// 5 or 7 point Laplacian plus shift on side^dimensions points; zero borders, or none where free.
static matrix laplacian(int dimensions, size_t side, double shift, bool free_borders) {
  size_t n = 1;
  for (int d = 0; d < dimensions; ++d) n *= side;
  matrix m = matrix_make(n, n * (size_t)(dimensions + 1));
  for (size_t j = 0; j < n; ++j) {
    size_t stride = 1, neighbours = 0;
    for (int d = 0; d < dimensions; ++d, stride *= side) {
      neighbours += (size_t)(j / stride % side > 0) + (size_t)(j / stride % side < side - 1);
    }
    m.first[j] = m.entries;
    put(&m, j, shift + (free_borders ? (double)neighbours : 2.0 * dimensions));
    stride = 1;
    for (int d = 0; d < dimensions; ++d, stride *= side) {
      if (j / stride % side < side - 1) put(&m, j + stride, -1.0);
    }
  }
  m.first[n] = m.entries;
  return m;
}

// Random values where a random graph has edges; diagonally dominant by `margin`.
static matrix random_matrix(size_t n, double density, double margin, uint64_t seed) {
  matrix m = matrix_make(n, n * (n + 1) / 2);
  double *sum = calloc(n + 1, sizeof *sum);
  for (size_t j = 0; j < n; ++j) {
    m.first[j] = m.entries;
    put(&m, j, 0.0);
    for (size_t i = j + 1; i < n; ++i) {
      if (mote_random_unit(seed, j, i) >= density) continue;
      double value = mote_random_between(seed + 1, j, i, -1.0, 1.0);
      put(&m, i, value);
      sum[i] += fabs(value), sum[j] += fabs(value);
    }
  }
  m.first[n] = m.entries;
  for (size_t j = 0; j < n; ++j) m.value[m.first[j]] = sum[j] + margin;
  free(sum);
  return m;
}

static void multiply(void *user, const double *x, double *y) {
  const matrix *m = user;
  for (size_t k = 0; k < m->size; ++k) y[k] = 0.0;
  for (size_t j = 0; j < m->size; ++j) {
    for (size_t e = m->first[j]; e < m->first[j + 1]; ++e) {
      y[m->row[e]] += m->value[e] * x[j];
      if (m->row[e] != j) y[j] += m->value[e] * x[m->row[e]];
    }
  }
}

// |A x - b| relative to |A| |x|, in the largest norm: a few eps (Higham, theorem 10.4, holds for every
// order).
static double backward_error(matrix *m, const double *x, const double *b) {
  double *y = malloc((m->size + 1) * sizeof *y), error = 0.0, most = 0.0, norm = 0.0;
  multiply(m, x, y);
  for (size_t k = 0; k < m->size; ++k) {
    error = fmax(error, fabs(y[k] - b[k])), most = fmax(most, fabs(x[k]));
    norm = fmax(norm, fabs(m->value[m->first[k]]));
  }
  free(y);
  return most == 0.0 ? error : error / (norm * most);
}

static double *random_vector(size_t n, uint64_t seed) {
  double *x = malloc((n + 1) * sizeof *x);
  for (size_t k = 0; k < n; ++k) x[k] = mote_random_between(seed, 9, k, -1.0, 1.0);
  return x;
}

static mote_cholesky *factorise(const matrix *m) {
  mote_cholesky *factor = NULL;
  mote_sparse a = view(m);
  mote_error error = {0};
  if (!CHECK(mote_cholesky_create(&a, NULL, &factor, &error) == MOTE_OK)) fprintf(stderr, "%s\n", error.text);
  return factor;
}

// Two right-hand sides at once, then other values, then the first again: the same bits.
static void check_solution(matrix *m, uint64_t seed) {
  size_t n = m->size;
  mote_cholesky *factor = factorise(m);
  double *b = random_vector(2 * n, seed), *x = random_vector(2 * n, seed),
         *again = random_vector(2 * n, seed);
  mote_cholesky_solve(factor, 2, x);
  CHECK(backward_error(m, x, b) < 1e-14 && backward_error(m, x + n, b + n) < 1e-14);
  double *value = m->value, *other = malloc((m->entries + 1) * sizeof *other);
  for (size_t e = 0; e < m->entries; ++e) other[e] = 0.3 * value[e] * (m->row[e] % 2 ? 1.0 : -1.0);
  for (size_t j = 0; j < n; ++j) other[m->first[j]] = value[m->first[j]];
  m->value = other;
  CHECK(mote_cholesky_update(factor, m->value, NULL) == MOTE_OK);
  mote_cholesky_solve(factor, 1, again);
  CHECK(backward_error(m, again, b) < 1e-14);
  m->value = value;
  memcpy(again, b, 2 * n * sizeof *again);
  CHECK(mote_cholesky_update(factor, m->value, NULL) == MOTE_OK);
  mote_cholesky_solve(factor, 2, again);
  CHECK(memcmp(again, x, 2 * n * sizeof *x) == 0);
  mote_cholesky_destroy(factor);
  free(b), free(x), free(again), free(other);
}

static void laplacians(void) {
  for (int dimensions = 1; dimensions <= 3; ++dimensions) {
    for (size_t side = 1; side <= 13; side += 3) {
      matrix m = laplacian(dimensions, side, 0.1, false);
      check_solution(&m, side);
      matrix_free(&m);
    }
  }
}

static void random_patterns(void) {
  for (uint64_t seed = 0; seed < 150; ++seed) {
    size_t n = 1 + (size_t)(mote_random_unit(seed, 1, 1) * 150.0);
    matrix m = random_matrix(n, pow(10.0, -2.5 * mote_random_unit(seed, 1, 2)), 0.01, seed);
    check_solution(&m, seed);
    matrix_free(&m);
  }
}

// Every size around the tiles of 4 and the blocks of 48 columns.
static void full_patterns(void) {
  const size_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 31, 47, 48, 49, 52, 95, 96, 97, 145, 200};
  for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; ++k) {
    matrix m = random_matrix(sizes[k], 2.0, 0.01, k);
    check_solution(&m, k);
    matrix_free(&m);
  }
}

static void equals_elimination_and_gradients(void) {
  matrix m = random_matrix(MOTE_DENSE_MAX, 0.4, 0.1, 5);
  double a[MOTE_DENSE_MAX * MOTE_DENSE_MAX], unit[MOTE_DENSE_MAX], *b = random_vector(MOTE_DENSE_MAX, 1);
  double dense[MOTE_DENSE_MAX];
  for (int j = 0; j < MOTE_DENSE_MAX; ++j) {
    for (int i = 0; i < MOTE_DENSE_MAX; ++i) unit[i] = i == j;
    multiply(&m, unit, a + j * MOTE_DENSE_MAX);
  }
  CHECK(mote_dense_solve_spd(MOTE_DENSE_MAX, a, 1, b, dense));
  mote_cholesky *factor = factorise(&m);
  mote_cholesky_solve(factor, 1, b);
  for (int k = 0; k < MOTE_DENSE_MAX; ++k) CHECK_NEAR(b[k], dense[k], 1e-13);
  mote_cholesky_destroy(factor);
  matrix_free(&m), free(b);

  matrix l = laplacian(3, 9, 0.0, false);
  double *x = random_vector(l.size, 2), *y = random_vector(l.size, 2),
         *work = malloc(4 * l.size * sizeof *work);
  mote_cg_def def = mote_cg_def_default();
  def.size = l.size, def.apply = multiply, def.user = &l, def.tolerance = 1e-14, def.threads = 1;
  double *guess = calloc(l.size, sizeof *guess);
  CHECK(mote_cg_solve(&def, x, guess, work, NULL, NULL) == MOTE_OK);
  factor = factorise(&l);
  mote_cholesky_solve(factor, 1, y);
  for (size_t k = 0; k < l.size; ++k) CHECK_NEAR(y[k], guess[k], 1e-12);
  mote_cholesky_destroy(factor);
  matrix_free(&l), free(x), free(y), free(work), free(guess);
}

static size_t fill_of(const matrix *m) {
  mote_arena keep = mote_arena_make(NULL), scratch = mote_arena_make(NULL);
  mote_supernodes t;
  mote_sparse a = view(m);
  CHECK(mote_supernodes_find(&a, &keep, &scratch, &t, NULL) == MOTE_OK);
  size_t fill = t.entries;
  mote_arena_destroy(&keep), mote_arena_destroy(&scratch);
  return fill;
}

// AMD of SuiteSparse 5.12 gives 5,605,774 and 2,928,059 on these.
static void fill_is_that_of_minimum_degree(void) {
  matrix cube = laplacian(3, 30, 0.0, false), square = laplacian(2, 300, 0.0, false);
  size_t in_cube = fill_of(&cube), in_square = fill_of(&square);
  printf("fill: %zu for 30^3, %zu for 300^2\n", in_cube, in_square);
  CHECK(in_cube < 6100000 && in_square < 3200000);
  matrix_free(&cube), matrix_free(&square);
}

// Unknown `hub` is next to all others: no fill but its own row, wherever it stands.
static void arrow_has_no_fill(void) {
  const size_t n = 20000, hubs[] = {0, 1, 9999, 19999};
  for (int k = 0; k < 4; ++k) {
    size_t hub = hubs[k];
    matrix m = matrix_make(n, 2 * n);
    for (size_t j = 0; j < n; ++j) {
      m.first[j] = m.entries;
      put(&m, j, j == hub ? 2.0 * (double)n : 2.0);
      for (size_t i = j + 1; j == hub && i < n; ++i) put(&m, i, -1.0);
      if (j < hub) put(&m, hub, -1.0);
    }
    m.first[n] = m.entries;
    CHECK(fill_of(&m) == 2 * n - 1);
    if (k < 2) check_solution(&m, 1);
    matrix_free(&m);
  }
}

// Trees have orders without fill, and minimum degree finds them.
static void tree_has_no_fill(void) {
  const size_t n = 3000;
  matrix m = matrix_make(n, 2 * n);
  for (size_t j = 0; j < n; ++j) {
    m.first[j] = m.entries;
    put(&m, j, 4.0);
    for (size_t child = 2 * j + 1; child <= 2 * j + 2 && child < n; ++child) put(&m, child, -1.0);
  }
  m.first[n] = m.entries;
  CHECK(fill_of(&m) == m.entries);
  matrix_free(&m);
}

static void order_is_a_permutation(void) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    matrix m = random_matrix(1 + seed * 6, seed % 3 == 0 ? 0.5 : 0.02, 1.0, seed);
    mote_arena keep = mote_arena_make(NULL), scratch = mote_arena_make(NULL);
    mote_supernodes t;
    mote_sparse a = view(&m);
    CHECK(mote_supernodes_find(&a, &keep, &scratch, &t, NULL) == MOTE_OK);
    unsigned char *seen = calloc(m.size, 1);
    size_t distinct = 0;
    for (size_t k = 0; k < m.size; ++k) distinct += t.order[k] < m.size && !seen[t.order[k]]++;
    CHECK(distinct == m.size && t.start[t.count] == m.size);
    for (size_t s = 0; s < t.count; ++s) CHECK(t.parent[s] == UINT32_MAX || t.parent[s] > s);
    for (size_t s = 0; s < t.count; ++s) {
      for (size_t e = t.row_first[s] + 1; e < t.row_first[s + 1]; ++e) CHECK(t.row[e] > t.row[e - 1]);
    }
    free(seen), matrix_free(&m);
    mote_arena_destroy(&keep), mote_arena_destroy(&scratch);
  }
}

static void smallest_matrices(void) {
  mote_cholesky *factor = NULL;
  const size_t none[1] = {0}, one[2] = {0, 1};
  const uint32_t row[1] = {0};
  const double value[1] = {4.0};
  double x[2] = {6.0, 2.0};
  mote_sparse empty = {0, none, NULL, NULL}, single = {1, one, row, value};
  CHECK(mote_cholesky_create(&empty, NULL, &factor, NULL) == MOTE_OK);
  CHECK(mote_cholesky_fill(factor) == 0);
  mote_cholesky_solve(factor, 1, x);
  mote_cholesky_destroy(factor);
  CHECK(mote_cholesky_create(&single, NULL, &factor, NULL) == MOTE_OK);
  CHECK(mote_cholesky_fill(factor) == 1);
  mote_cholesky_solve(factor, 2, x);
  CHECK(x[0] == 1.5 && x[1] == 0.5);
  mote_cholesky_solve(factor, 0, x);
  CHECK(x[0] == 1.5);
  mote_cholesky_destroy(factor);
  mote_cholesky_destroy(NULL);
}

static void check_refusal(mote_sparse a, mote_result code, const char *words) {
  mote_cholesky *factor = NULL;
  mote_error error = {0};
  CHECK(mote_cholesky_create(&a, NULL, &factor, &error) == code && factor == NULL);
  if (!CHECK(strstr(error.text, words) != NULL))
    fprintf(stderr, "  \"%s\" without \"%s\"\n", error.text, words);
}

static void malformed_patterns_are_named(void) {
  const double value[5] = {4.0, 1.0, 4.0, 1.0, 4.0};
  const size_t first[4] = {0, 2, 4, 5}, shifted[4] = {1, 2, 4, 5}, missing[4] = {0, 2, 2, 5},
               back[4] = {0, 4, 2, 5};
  const uint32_t good[5] = {0, 1, 1, 2, 2}, no_diagonal[5] = {0, 1, 2, 2, 2}, beyond[5] = {0, 1, 1, 3, 2};
  const uint32_t twice[5] = {0, 1, 1, 1, 2}, upper[5] = {0, 1, 1, 0, 2};
  const size_t long_first[4] = {0, 3, 4, 5};
  const uint32_t unsorted[5] = {0, 2, 1, 1, 2};
  check_refusal((mote_sparse){3, first, no_diagonal, value}, MOTE_ERROR_ARGUMENT, "column 1");
  check_refusal((mote_sparse){3, first, beyond, value}, MOTE_ERROR_ARGUMENT, "column 1 has row 3");
  check_refusal((mote_sparse){3, first, twice, value}, MOTE_ERROR_ARGUMENT, "rows of column 1");
  check_refusal((mote_sparse){3, first, upper, value}, MOTE_ERROR_ARGUMENT, "rows of column 1");
  check_refusal((mote_sparse){3, long_first, unsorted, value}, MOTE_ERROR_ARGUMENT, "rows of column 0");
  check_refusal((mote_sparse){3, missing, good, value}, MOTE_ERROR_ARGUMENT, "column 1");
  check_refusal((mote_sparse){3, back, good, value}, MOTE_ERROR_ARGUMENT, "column 0");
  check_refusal((mote_sparse){3, shifted, good, value}, MOTE_ERROR_ARGUMENT, "column 0");
  check_refusal((mote_sparse){3, NULL, good, value}, MOTE_ERROR_ARGUMENT, "null");
  check_refusal((mote_sparse){3, first, good, NULL}, MOTE_ERROR_ARGUMENT, "null");
  check_refusal((mote_sparse){SIZE_MAX, first, good, value}, MOTE_ERROR_ARGUMENT, "too many");
  mote_sparse fine = {3, first, good, value};
  CHECK(mote_cholesky_create(NULL, NULL, NULL, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_cholesky_create(&fine, NULL, NULL, NULL) == MOTE_ERROR_ARGUMENT);
}

static void indefinite_columns_are_named(void) {
  matrix m = laplacian(2, 9, 0.0, false), good = laplacian(2, 9, 0.0, false);
  m.value[m.first[17]] = -1.0;
  check_refusal(view(&m), MOTE_ERROR_NUMERIC, "at column 17");
  m.value[m.first[17]] = (double)NAN;
  check_refusal(view(&m), MOTE_ERROR_NUMERIC, "column 17 is not finite");
  m.value[m.first[17] + 1] = HUGE_VAL, m.value[m.first[17]] = 4.0;
  check_refusal(view(&m), MOTE_ERROR_NUMERIC, "column 17 is not finite");
  m.value[m.first[17] + 1] = 5.0;
  check_refusal(view(&m), MOTE_ERROR_NUMERIC, "not positive definite at column");
  mote_cholesky *factor = factorise(&good);
  double *x = random_vector(m.size, 3);
  CHECK(mote_cholesky_update(factor, m.value, NULL) == MOTE_ERROR_NUMERIC);
  mote_cholesky_solve(factor, 1, x);
  CHECK(isnan(x[0]) && isnan(x[m.size - 1]));
  CHECK(mote_cholesky_update(factor, NULL, NULL) == MOTE_ERROR_ARGUMENT);
  CHECK(mote_cholesky_update(factor, good.value, NULL) == MOTE_OK);
  x[0] = 1.0;
  for (size_t k = 1; k < m.size; ++k) x[k] = 0.0;
  mote_cholesky_solve(factor, 1, x);
  CHECK(isfinite(x[0]) && x[0] > 0.25);
  mote_cholesky_destroy(factor);
  free(x), matrix_free(&m), matrix_free(&good);
}

// The Laplacian without borders has the constants in its null space.
static void singular_matrices_are_refused(void) {
  for (size_t side = 2; side <= 20; side += 3) {
    for (int dimensions = 1; dimensions <= 3; ++dimensions) {
      if (dimensions == 3 && side > 11) continue;
      matrix m = laplacian(dimensions, side, 0.0, true);
      check_refusal(view(&m), MOTE_ERROR_NUMERIC, "not positive definite");
      matrix_free(&m);
    }
  }
}

// Memory that is refused from the n-th request on, and counts what is held.
typedef struct meagre {
  int left;
  long held;
} meagre;

static void *meagre_resize(void *user, void *block, size_t old_size, size_t size) {
  meagre *m = user;
  if (size == 0) {
    m->held -= (long)old_size;
    free(block);
    return NULL;
  }
  if (m->left-- <= 0 || block != NULL) return NULL;
  m->held += (long)size;
  return aligned_alloc(64, (size + 63) / 64 * 64);
}

static void lack_of_memory_is_reported(void) {
  matrix m = laplacian(2, 40, 0.0, false);
  mote_sparse a = view(&m);
  int requests = 0;
  for (mote_result result = MOTE_ERROR_MEMORY; result != MOTE_OK && requests < 200; ++requests) {
    meagre memory = {.left = requests};
    mote_env env = {.resize = meagre_resize, .resize_user = &memory, .threads = 1};
    mote_cholesky *factor = NULL;
    mote_error error = {0};
    result = mote_cholesky_create(&a, &env, &factor, &error);
    CHECK(result == MOTE_OK || (result == MOTE_ERROR_MEMORY && factor == NULL && memory.held == 0));
    if (result != MOTE_OK) continue;
    long held = memory.held;
    memory.left = 0;
    CHECK(mote_cholesky_update(factor, m.value, NULL) == MOTE_ERROR_MEMORY);
    memory.left = 1;
    CHECK(mote_cholesky_update(factor, m.value, NULL) == MOTE_OK);
    CHECK(memory.held == held);
    mote_cholesky_destroy(factor);
    CHECK(memory.held == 0);
  }
  CHECK(requests > 4 && requests < 200);
  matrix_free(&m);
}

static void threads_do_not_change_bits(void) {
  matrix m = random_matrix(420, 0.3, 0.01, 77);
  mote_sparse a = view(&m);
  double *first = random_vector(5 * m.size, 4);
  const int threads[] = {1, 2, 7};
  for (int t = 0; t < 3; ++t) {
    mote_env env = mote_env_default();
    env.threads = threads[t];
    mote_cholesky *factor = NULL;
    CHECK(mote_cholesky_create(&a, &env, &factor, NULL) == MOTE_OK);
    double *x = random_vector(5 * m.size, 4);
    mote_cholesky_solve(factor, 5, x);
    if (t == 0) memcpy(first, x, 5 * m.size * sizeof *x);
    CHECK(memcmp(first, x, 5 * m.size * sizeof *x) == 0);
    mote_cholesky_destroy(factor);
    free(x);
  }
  free(first), matrix_free(&m);
}

int main(void) {
  laplacians();
  random_patterns();
  full_patterns();
  equals_elimination_and_gradients();
  fill_is_that_of_minimum_degree();
  arrow_has_no_fill();
  tree_has_no_fill();
  order_is_a_permutation();
  smallest_matrices();
  malformed_patterns_are_named();
  indefinite_columns_are_named();
  singular_matrices_are_refused();
  lack_of_memory_is_reported();
  threads_do_not_change_bits();
  return test_end();
}
