// Incomplete Cholesky factors: see incomplete.h. L is kept by rows, for forward substitution, and by
// columns, for backward substitution, so that both gather known values and write one unknown.
#include "num/incomplete.h"

#include <math.h>
#include <string.h>

#include "base/lane.h"
#include "base/parallel.h"
#include "num/tuning.inc"

#define SHIFT_TRIALS 10  // of such shifts

// The entries below (or to the left of) the diagonal.
typedef struct triangle {
  size_t *first;    // of each unknown, by elimination
  uint32_t *other;  // ascending
  float *value;
} triangle;

struct mote_incomplete {
  mote_arena arena;
  size_t size, entries, blocks, apart;
  uint32_t *order;
  size_t *start;
  triangle row, column;
  size_t *source, *diagonal;  // offsets in the matrix of the entries of rows, and of the diagonal
  float *inverse;             // of the diagonal of L
  mote_lane *x;
  const double *in;  // of the current solve
  double *out;
};

// --- The pattern ----------------------------------------------------------------------------------------

static mote_result take_triangle(mote_incomplete *f, triangle *t, mote_error *error) {
  MOTE_TAKE(t->first, &f->arena, f->size + 2, error);
  MOTE_TAKE(t->other, &f->arena, f->entries, error);
  MOTE_TAKE(t->value, &f->arena, f->entries, error);
  memset(t->first, 0, (f->size + 2) * sizeof *t->first);
  return MOTE_OK;
}

// Turns counts in first[2 ..] into beginnings in first[1 ..], which the filling moves to first[0 ..].
static void add_up(size_t *first, size_t size) {
  for (size_t k = 0; k < size; ++k) first[k + 2] += first[k + 1];
}

// Sorted twice by counting: by columns in any order, then by rows, in each of which columns then ascend.
static void make_rows(mote_incomplete *f, const mote_sparse *a, const uint32_t *rank, uint32_t *below,
                      size_t *from) {
  size_t *column = f->column.first, *row = f->row.first;
  for (size_t j = 0; j < f->size; ++j) {
    f->diagonal[rank[j]] = a->first[j];
    for (size_t k = a->first[j] + 1; k < a->first[j + 1]; ++k) {
      uint32_t one = rank[j], two = rank[a->row[k]];
      ++column[(one < two ? one : two) + 2], ++row[(one < two ? two : one) + 2];
    }
  }
  add_up(column, f->size), add_up(row, f->size);
  for (size_t j = 0; j < f->size; ++j) {
    for (size_t k = a->first[j] + 1; k < a->first[j + 1]; ++k) {
      uint32_t one = rank[j], two = rank[a->row[k]];
      size_t at = column[(one < two ? one : two) + 1]++;
      below[at] = one < two ? two : one, from[at] = k;
    }
  }
  for (size_t c = 0; c < f->size; ++c) {
    for (size_t k = column[c]; k < column[c + 1]; ++k) {
      size_t at = row[below[k] + 1]++;
      f->row.other[at] = (uint32_t)c, f->source[at] = from[k];
    }
  }
}

static mote_result prepare(mote_incomplete *f, const mote_sparse *a, const mote_elimination *elimination,
                           mote_error *error) {
  size_t n = f->size;
  uint32_t *rank = NULL, *below = NULL;
  size_t *from = NULL;
  MOTE_TAKE(f->order, &f->arena, n, error);
  MOTE_TAKE(f->start, &f->arena, f->blocks + 1, error);
  MOTE_TAKE(f->diagonal, &f->arena, n, error);
  MOTE_TAKE(f->source, &f->arena, f->entries, error);
  MOTE_TAKE(f->inverse, &f->arena, n, error);
  MOTE_TAKE(f->x, &f->arena, n, error);
  MOTE_TRY(take_triangle(f, &f->row, error));
  MOTE_TRY(take_triangle(f, &f->column, error));
  memcpy(f->order, elimination->order, n * sizeof *f->order);
  memcpy(f->start, elimination->start, (f->blocks + 1) * sizeof *f->start);
  mote_arena_mark mark = mote_arena_here(&f->arena);
  MOTE_TAKE(rank, &f->arena, n, error);
  MOTE_TAKE(below, &f->arena, f->entries, error);
  MOTE_TAKE(from, &f->arena, f->entries, error);
  for (size_t k = 0; k < n; ++k) rank[f->order[k]] = (uint32_t)k;
  make_rows(f, a, rank, below, from);
  mote_arena_release(&f->arena, mark);
  return MOTE_OK;
}

mote_result mote_incomplete_create(const mote_sparse *matrix, const mote_elimination *elimination,
                                   const mote_env *env, mote_incomplete **out, mote_error *error) {
  MOTE_ASSERT(matrix != NULL && out != NULL);
  MOTE_ASSERT(elimination->apart <= elimination->blocks);
  MOTE_ASSERT(elimination->start[0] == 0 && elimination->start[elimination->blocks] == matrix->size);
  mote_env use = mote_env_resolve(env);
  MOTE_ALLOC_NEW(mote_incomplete, f, &use, 1, error);
  *f = (mote_incomplete){.arena = mote_arena_make(&use),
                         .size = matrix->size,
                         .entries = matrix->first[matrix->size] - matrix->size,
                         .blocks = elimination->blocks,
                         .apart = elimination->apart};
  mote_result result = prepare(f, matrix, elimination, error);
  if (result == MOTE_OK) result = mote_incomplete_update(f, matrix->value, error);
  if (result == MOTE_OK) {
    *out = f;
  } else {
    mote_incomplete_destroy(f);
  }
  return result;
}

void mote_incomplete_destroy(mote_incomplete *f) {
  if (f == NULL) return;
  mote_env env = f->arena.env;
  mote_arena_destroy(&f->arena);
  mote_free(&env, f, 1, sizeof *f);
}

// --- The factor -----------------------------------------------------------------------------------------

// Row after row: entries of L in `L`, inverse diagonals; `work` is 0, and is again. False if a pivot is too
// small.
static bool factorise(const mote_incomplete *f, const double *value, double raised, double *L,
                      double *inverse, double *work) {
  const size_t *first = f->row.first;
  const uint32_t *column = f->row.other;
  for (size_t i = 0; i < f->size; ++i) {
    double whole = raised * value[f->diagonal[i]], pivot = whole;
    for (size_t k = first[i]; k < first[i + 1]; ++k) work[column[k]] = value[f->source[k]];
    for (size_t k = first[i]; k < first[i + 1]; ++k) {
      size_t j = column[k];
      double sum = work[j];
      for (size_t q = first[j]; q < first[j + 1]; ++q) sum -= L[q] * work[column[q]];
      L[k] = work[j] = sum * inverse[j];
      pivot -= L[k] * L[k];
    }
    for (size_t k = first[i]; k < first[i + 1]; ++k) work[column[k]] = 0.0;
    if (!(pivot > PIVOT_SHARE_MIN * whole)) return false;
    inverse[i] = 1.0 / sqrt(pivot);
  }
  return true;
}

static void keep(mote_incomplete *f, const double *L, const double *inverse) {
  size_t *next = f->column.first;
  for (size_t i = 0; i < f->size; ++i) f->inverse[i] = (float)inverse[i];
  for (size_t i = f->size; i-- > 0;) next[i + 1] = next[i];
  for (size_t i = 0; i < f->size; ++i) {
    for (size_t k = f->row.first[i]; k < f->row.first[i + 1]; ++k) {
      size_t at = next[f->row.other[k] + 1]++;
      f->row.value[k] = f->column.value[at] = (float)L[k];
      f->column.other[at] = (uint32_t)i;
    }
  }
}

mote_result mote_incomplete_update(mote_incomplete *f, const double *value, mote_error *error) {
  MOTE_ASSERT(value != NULL);
  mote_arena_mark mark = mote_arena_here(&f->arena);
  double *L = NULL, *inverse = NULL, *work = NULL, by = DIAGONAL_SHIFT;
  MOTE_TAKE(L, &f->arena, f->entries, error);
  MOTE_TAKE(inverse, &f->arena, f->size, error);
  MOTE_TAKE(work, &f->arena, f->size, error);
  memset(work, 0, f->size * sizeof *work);
  bool done = factorise(f, value, 1.0, L, inverse, work);
  for (int k = 0; k < SHIFT_TRIALS && !done; ++k, by *= SHIFT_GROWTH) {
    done = factorise(f, value, 1.0 + by, L, inverse, work);
  }
  if (done) keep(f, L, inverse);
  mote_arena_release(&f->arena, mark);
  if (done) return MOTE_OK;
  return mote_fail(error, MOTE_ERROR_NUMERIC, "incomplete factor: the matrix is not positive definite");
}

// --- Solving --------------------------------------------------------------------------------------------

// x minus the known unknowns times their entries: four independent sums, to hide the latency of additions.
static mote_lane subtract(const triangle *t, size_t i, const mote_lane *known, mote_lane x) {
  mote_lane a = {0}, b = {0}, c = {0}, d = {0};
  size_t count = t->first[i + 1] - t->first[i], k = 0;
  const float *value = t->value + t->first[i];
  const uint32_t *other = t->other + t->first[i];
  for (; k + 4 <= count; k += 4) {
    a += value[k] * known[other[k]], b += value[k + 1] * known[other[k + 1]];
    c += value[k + 2] * known[other[k + 2]], d += value[k + 3] * known[other[k + 3]];
  }
  for (; k < count; ++k) a += value[k] * known[other[k]];
  return x - ((a + b) + (c + d));
}

static void down(mote_incomplete *f, size_t block) {
  for (size_t i = f->start[block]; i < f->start[block + 1]; ++i) {
    const double *in = f->in + 3 * (size_t)f->order[i];
    mote_lane x = {(float)in[0], (float)in[1], (float)in[2], 0.0f};
    f->x[i] = subtract(&f->row, i, f->x, x) * f->inverse[i];
  }
}

static void up(mote_incomplete *f, size_t block) {
  for (size_t i = f->start[block + 1]; i-- > f->start[block];) {
    double *out = f->out + 3 * (size_t)f->order[i];
    mote_lane x = f->x[i] = subtract(&f->column, i, f->x, f->x[i]) * f->inverse[i];
    out[0] = (double)x[0], out[1] = (double)x[1], out[2] = (double)x[2];
  }
}

static void down_apart(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  for (size_t k = begin; k < end; ++k) down(data, k);
}

static void down_others(void *data, size_t begin, size_t end, int worker) {
  mote_incomplete *f = data;
  down_apart(f, f->apart + begin, f->apart + end, worker);
}

static void up_apart(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  for (size_t k = begin; k < end; ++k) up(data, k);
}

static void up_others(void *data, size_t begin, size_t end, int worker) {
  mote_incomplete *f = data;
  up_apart(f, f->apart + begin, f->apart + end, worker);
}

void mote_incomplete_solve(mote_incomplete *f, const double *in, double *out) {
  MOTE_ASSERT(in != NULL && out != NULL);
  MOTE_ASSERT(f->apart <= f->blocks);
  int threads = f->arena.env.threads;
  f->in = in, f->out = out;
  mote_parallel_for(threads, f->apart, 1, down_apart, f);
  mote_parallel_for(threads, f->blocks - f->apart, 1, down_others, f);
  mote_parallel_for(threads, f->blocks - f->apart, 1, up_others, f);
  mote_parallel_for(threads, f->apart, 1, up_apart, f);
}
