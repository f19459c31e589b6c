// Sparse Cholesky factorisation P A P^T = L L^T by the multifrontal method (Duff & Reid 1983; Liu 1992): each
// supernode sums the entries of A and the update matrices of its children in a dense frontal block,
// eliminates its own columns and passes the rest to its parent. Reads the pattern once; an update allocates
// no memory.
#include "num/sparse_cholesky.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "num/frontal_block.h"

// A pivot below this share of its diagonal entry is rounding: A is singular as far as one can tell.
#define PIVOT_NOISE (16.0 * DBL_EPSILON)  // rounding

struct mote_cholesky {
  mote_arena arena;
  mote_supernodes t;
  size_t size;
  size_t *first;              // of the columns of A
  size_t *place;              // offset in L of an entry of A
  uint32_t *unknown;          // t.row as numbers of unknowns
  uint32_t *child, *sibling;  // the tree downwards, per supernode
  double *value;              // the blocks of L
  double *least;              // smallest pivot to accept, per column of L
  double *stack;              // during an update: update matrices for parents not yet eliminated
  size_t stack_size;
  size_t *left_over;  // offset of the update matrix on the stack, per supernode
  double *packed;     // scratch of the frontal block
  uint32_t *local;    // row in the present frontal block, per column of L
  bool valid;
};

static mote_result check_pattern(const mote_sparse *a, mote_error *error) {
  if (a->size >= UINT32_MAX)
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "%zu columns are too many", a->size);
  if (a->first[0] != 0) return mote_fail(error, MOTE_ERROR_ARGUMENT, "column 0 does not begin at entry 0");
  for (size_t j = 0; j < a->size; ++j) {
    size_t begin = a->first[j], end = a->first[j + 1];
    if (end <= begin || a->row[begin] != j) {
      return mote_fail(error, MOTE_ERROR_ARGUMENT, "column %zu does not begin with its diagonal", j);
    }
    for (size_t e = begin + 1; e < end; ++e) {
      if (a->row[e] >= a->size) {
        return mote_fail(error, MOTE_ERROR_ARGUMENT, "column %zu has row %u of %zu", j, a->row[e], a->size);
      }
      if (a->row[e] <= a->row[e - 1]) {
        return mote_fail(error, MOTE_ERROR_ARGUMENT, "rows of column %zu do not ascend", j);
      }
    }
  }
  return MOTE_OK;
}

static size_t rows_below(const mote_supernodes *t, size_t s) {
  return mote_supernode_rows(t, s) - mote_supernode_columns(t, s);
}

static void link_tree(mote_cholesky *f) {
  for (size_t s = 0; s < f->t.count; ++s) f->child[s] = UINT32_MAX;
  for (size_t s = f->t.count; s-- > 0;) {
    if (f->t.parent[s] == UINT32_MAX) continue;
    f->sibling[s] = f->child[f->t.parent[s]];
    f->child[f->t.parent[s]] = (uint32_t)s;
  }
}

// Offset of every supernode's update matrix: computed above those of its children, then moved in their place.
static size_t plan_stack(mote_cholesky *f) {
  size_t top = 0, most = 0;
  for (size_t s = 0; s < f->t.count; ++s) {
    size_t below = rows_below(&f->t, s), need = below * below;
    if (need > SIZE_MAX / sizeof *f->stack - top) return SIZE_MAX / sizeof *f->stack;  // refused later
    if (top + need > most) most = top + need;
    f->left_over[s] = f->child[s] == UINT32_MAX ? top : f->left_over[f->child[s]];
    top = f->left_over[s] + need;
  }
  return most;
}

// The last of `count` ascending numbers that is not above x.
static size_t find_last(const uint32_t *sorted, size_t count, uint32_t x) {
  size_t low = 0;
  while (count > 1) {
    size_t half = count / 2;
    if (sorted[low + half] <= x) low += half;
    count -= half;
  }
  return low;
}

// Entry (i, j) of A is in L in the row of the later of the two and the column of the earlier.
static void place_entries(mote_cholesky *f, const mote_sparse *a) {
  const mote_supernodes *t = &f->t;
  for (size_t j = 0; j < f->size; ++j) {
    for (size_t e = a->first[j]; e < a->first[j + 1]; ++e) {
      uint32_t row = t->position[a->row[e]], column = t->position[j];
      if (row < column) row = t->position[j], column = t->position[a->row[e]];
      size_t s = find_last(t->start, t->count, column), rows = mote_supernode_rows(t, s);
      size_t k = find_last(t->row + t->row_first[s], rows, row);
      f->place[e] = t->value_first[s] + (column - t->start[s]) * rows + k;
    }
  }
}

static mote_result prepare(mote_cholesky *f, const mote_sparse *a, mote_arena *scratch, mote_error *error) {
  mote_arena *arena = &f->arena;
  mote_supernodes *t = &f->t;
  f->size = a->size;
  MOTE_TRY(mote_supernodes_find(a, arena, scratch, t, error));
  size_t rows = t->row_first[t->count], highest = 0;
  for (size_t s = 0; s < t->count; ++s) {
    if (mote_supernode_rows(t, s) > highest) highest = mote_supernode_rows(t, s);
  }
  MOTE_TAKE(f->first, arena, f->size + 1, error);
  MOTE_TAKE(f->place, arena, a->first[f->size], error);
  MOTE_TAKE(f->unknown, arena, rows, error);
  MOTE_TAKE(f->child, arena, t->count, error);
  MOTE_TAKE(f->sibling, arena, t->count, error);
  MOTE_TAKE(f->least, arena, f->size, error);
  MOTE_TAKE(f->left_over, arena, t->count, error);
  MOTE_TAKE(f->local, arena, f->size, error);
  MOTE_TAKE(f->packed, arena, mote_frontal_block_scratch(highest), error);
  MOTE_TAKE(f->value, arena, t->value_first[t->count], error);
  memcpy(f->first, a->first, (f->size + 1) * sizeof *f->first);
  for (size_t k = 0; k < rows; ++k) f->unknown[k] = t->order[t->row[k]];
  link_tree(f);
  place_entries(f, a);
  f->stack_size = plan_stack(f);
  return MOTE_OK;
}

mote_result mote_cholesky_create(const mote_sparse *a, const mote_env *env, mote_cholesky **out,
                                 mote_error *error) {
  if (a == NULL || out == NULL || a->first == NULL || (a->size > 0 && (a->row == NULL || a->value == NULL))) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "Cholesky factorisation: the matrix or the result is null");
  }
  MOTE_TRY(check_pattern(a, error));
  mote_env resolved = mote_env_resolve(env);
  MOTE_ALLOC_NEW(mote_cholesky, f, &resolved, 1, error);
  *f = (mote_cholesky){.arena = mote_arena_make(&resolved)};
  mote_arena scratch = mote_arena_make(&resolved);
  mote_result result = prepare(f, a, &scratch, error);
  mote_arena_destroy(&scratch);
  if (result == MOTE_OK) result = mote_cholesky_update(f, a->value, error);
  if (result != MOTE_OK) {
    mote_cholesky_destroy(f);
    return result;
  }
  *out = f;
  return MOTE_OK;
}

void mote_cholesky_destroy(mote_cholesky *f) {
  if (f == NULL) return;
  mote_env env = f->arena.env;
  mote_arena_destroy(&f->arena);
  mote_free(&env, f, 1, sizeof *f);
}

size_t mote_cholesky_fill(const mote_cholesky *f) {
  return f->t.entries;
}

const mote_supernodes *mote_cholesky_supernodes(const mote_cholesky *f) {
  MOTE_ASSERT(f != NULL);
  return &f->t;
}

const double *mote_cholesky_blocks(const mote_cholesky *f) {
  MOTE_ASSERT(!f->valid || f->value != NULL);
  return f->valid ? f->value : NULL;
}

static mote_result scatter_values(mote_cholesky *f, const double *value, mote_error *error) {
  memset(f->value, 0, f->t.value_first[f->t.count] * sizeof *f->value);
  for (size_t j = 0; j < f->size; ++j) {
    for (size_t e = f->first[j]; e < f->first[j + 1]; ++e) {
      if (!(fabs(value[e]) <= DBL_MAX)) {
        return mote_fail(error, MOTE_ERROR_NUMERIC, "a value in column %zu is not finite", j);
      }
      f->value[f->place[e]] = value[e];
    }
    f->least[f->t.position[j]] = fmax(PIVOT_NOISE * value[f->first[j]], 0.0);
  }
  return MOTE_OK;
}

// Adds the update matrix of child c to the frontal block of its parent, whose rows `local` numbers.
static void add_left_over(const mote_cholesky *f, size_t c, const mote_frontal_block *frontal) {
  const mote_supernodes *t = &f->t;
  size_t n = rows_below(t, c);
  const uint32_t *row = t->row + t->row_first[c + 1] - n;
  const double *from = f->stack + f->left_over[c];
  for (size_t j = 0; j < n; ++j, from += n) {
    size_t column = f->local[row[j]], shift = column < frontal->columns ? 0 : frontal->columns;
    double *to = shift == 0 ? frontal->panel + column * frontal->rows
                            : frontal->update + (column - shift) * (frontal->rows - shift);
    for (size_t i = j; i < n; ++i) to[f->local[row[i]] - shift] += from[i];
  }
}

static mote_result eliminate(mote_cholesky *f, mote_error *error) {
  const mote_supernodes *t = &f->t;
  size_t top = 0;
  for (size_t s = 0; s < t->count; ++s) {
    mote_frontal_block frontal = {.rows = mote_supernode_rows(t, s), .columns = mote_supernode_columns(t, s)};
    frontal.panel = f->value + t->value_first[s], frontal.update = f->stack + top;
    frontal.packed = f->packed, frontal.threads = f->arena.env.threads;
    const uint32_t *row = t->row + t->row_first[s];
    for (size_t k = 0; k < frontal.rows; ++k) f->local[row[k]] = (uint32_t)k;
    size_t below = rows_below(t, s);
    memset(frontal.update, 0, below * below * sizeof *frontal.update);
    for (uint32_t c = f->child[s]; c != UINT32_MAX; c = f->sibling[c]) add_left_over(f, c, &frontal);
    size_t done = mote_frontal_block_eliminate(&frontal, f->least + t->start[s]);
    if (done < frontal.columns) {
      return mote_fail(error, MOTE_ERROR_NUMERIC, "the matrix is not positive definite at column %u",
                       t->order[t->start[s] + done]);
    }
    memmove(f->stack + f->left_over[s], frontal.update, below * below * sizeof *frontal.update);
    top = f->left_over[s] + below * below;
  }
  return MOTE_OK;
}

mote_result mote_cholesky_update(mote_cholesky *f, const double *value, mote_error *error) {
  if (f == NULL || (value == NULL && f->size > 0)) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "Cholesky update: the factor or the values are null");
  }
  const mote_env *env = &f->arena.env;
  f->valid = false;
  MOTE_TRY(scatter_values(f, value, error));
  MOTE_ALLOC(f->stack, env, f->stack_size, error);
  mote_result result = eliminate(f, error);
  mote_free(env, f->stack, f->stack_size, sizeof *f->stack);
  f->valid = result == MOTE_OK;
  return result;
}

#define STRIP_COLUMNS 4  // columns of L taken together in a solve, so that x is gathered less often

// A strip of the block of a supernode: columns c .. c + width - 1, the last one repeated if there are fewer.
typedef struct strip {
  const double *column[STRIP_COLUMNS];
  size_t first, width;
} strip;

static strip strip_at(const double *block, size_t rows, size_t columns, size_t c) {
  strip p = {.first = c, .width = columns - c < STRIP_COLUMNS ? columns - c : STRIP_COLUMNS};
  for (size_t a = 0; a < STRIP_COLUMNS; ++a) p.column[a] = block + (a < p.width ? c + a : c) * rows;
  return p;
}

static void solve_down(strip p, size_t rows, const uint32_t *at, double *x) {
  double y[STRIP_COLUMNS] = {0.0};
  for (size_t a = 0; a < p.width; ++a) {
    size_t r = p.first + a;
    y[a] = x[at[r]];
    for (size_t b = 0; b < a; ++b) y[a] -= p.column[b][r] * y[b];
    x[at[r]] = y[a] /= p.column[a][r];
  }
  for (size_t r = p.first + p.width; r < rows; ++r) {
    x[at[r]] -=
        (p.column[0][r] * y[0] + p.column[1][r] * y[1]) + (p.column[2][r] * y[2] + p.column[3][r] * y[3]);
  }
}

static void solve_up(strip p, size_t rows, const uint32_t *at, double *x) {
  double y[STRIP_COLUMNS] = {0.0};
  for (size_t r = p.first + p.width; r < rows; ++r) {
    double known = x[at[r]];
    for (size_t a = 0; a < STRIP_COLUMNS; ++a) y[a] += p.column[a][r] * known;
  }
  for (size_t a = p.width; a-- > 0;) {
    double sum = x[at[p.first + a]] - y[a];
    for (size_t b = a + 1; b < p.width; ++b) sum -= p.column[a][p.first + b] * x[at[p.first + b]];
    x[at[p.first + a]] = sum / p.column[a][p.first + a];
  }
}

typedef struct solve_job {
  const mote_cholesky *factor;
  double *x;
} solve_job;

static void solve_columns(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const solve_job *job = data;
  const mote_cholesky *f = job->factor;
  const mote_supernodes *t = &f->t;
  for (size_t k = begin; k < end; ++k) {
    double *x = job->x + k * f->size;
    for (size_t s = 0; s < t->count; ++s) {
      size_t rows = mote_supernode_rows(t, s), columns = mote_supernode_columns(t, s);
      for (size_t c = 0; c < columns; c += STRIP_COLUMNS) {
        solve_down(strip_at(f->value + t->value_first[s], rows, columns, c), rows,
                   f->unknown + t->row_first[s], x);
      }
    }
    for (size_t s = t->count; s-- > 0;) {
      size_t rows = mote_supernode_rows(t, s), columns = mote_supernode_columns(t, s);
      for (size_t strips = (columns + STRIP_COLUMNS - 1) / STRIP_COLUMNS; strips-- > 0;) {
        solve_up(strip_at(f->value + t->value_first[s], rows, columns, strips * STRIP_COLUMNS), rows,
                 f->unknown + t->row_first[s], x);
      }
    }
  }
}

void mote_cholesky_solve(const mote_cholesky *f, int columns, double *x) {
  size_t count = columns > 0 ? (size_t)columns : 0;
  if (!f->valid) {
    for (size_t k = 0; k < count * f->size; ++k) x[k] = (double)NAN;
    return;
  }
  solve_job job = {f, x};
  mote_parallel_for(f->arena.env.threads, count, 1, solve_columns, &job);
}
