// The scalar matrix before conjugate gradients: see elastic_factor.h. Particle i's energy of a scalar u is
// V 2 mu |grad u|^2 and hourglass control's, which is sum_kl (w_k p_k . N p_l w_l) u_ik u_il + k sum_k w_k
// u_ik^2 over its neighbours k, l, with N = 2 mu V (inverse's linear part squared) - k inverse.
#include "solver/elastic_factor.h"

#include "search/ascending.h"
#include "solver/elastic_basis.h"

// --- The matrix
// -----------------------------------------------------------------------------------------------

typedef struct assembly {
  const mote_elastic *body;
  double *N;    // of every particle, terms x terms
  double *sum;  // sum of w p, terms
  double *column;
  uint8_t *there;  // rows of the column that are in
  uint32_t *list;
  size_t listed;
} assembly;

static void prepare_one(const assembly *a, size_t i) {
  const mote_elastic *b = a->body;
  int m = b->terms, d = b->dimensions;
  const double *inverse = b->inverse + (size_t)(m * m) * i;
  double *N = a->N + (size_t)(m * m) * i, *sum = a->sum + (size_t)m * i, p[MOTE_ELASTIC_TERMS];
  double stiff = 2.0 * b->law.mu * b->volume[i] * b->inverse_unit * b->inverse_unit;
  for (int e = 0; e < m * m; ++e) {
    double square = 0.0;
    for (int c = 0; c < d; ++c) square += inverse[e / m * m + c] * inverse[c * m + e % m];
    N[e] = stiff * square - b->hold[i] * inverse[e];
  }
  for (int t = 0; t < m; ++t) sum[t] = 0.0;
  for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
    mote_elastic_basis(d, b->order, b->inverse_unit, b->pair[k].rest, p);
    for (int t = 0; t < m; ++t) sum[t] += b->pair[k].weight * p[t];
  }
}

static void add(assembly *a, uint32_t row, double value) {
  if (!a->there[row]) {
    a->there[row] = 1;
    a->column[row] = 0.0;
    a->list[a->listed++] = row;
  }
  a->column[row] += value;
}

// Particle i's part of column j: half the derivative of its energy by all u where only u_j is 1, and
// q = N sum_l w_l p_l u_il. What it gives to its neighbours it takes from itself.
static void add_rows(assembly *a, size_t i, uint32_t j, const double *q) {
  const mote_elastic *b = a->body;
  int m = b->terms;
  double p[MOTE_ELASTIC_TERMS], all = 0.0;
  bool own = i == j;
  for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
    const mote_elastic_pair *pair = &b->pair[k];
    double value = 0.0;
    mote_elastic_basis(b->dimensions, b->order, b->inverse_unit, pair->rest, p);
    for (int t = 0; t < m; ++t) value += p[t] * q[t];
    if (own) value -= b->hold[i];
    if (b->near[k] == j) value += b->hold[i];
    value *= pair->weight;
    all += value;
    if (b->near[k] >= j) add(a, b->near[k], value);
  }
  if (i >= j) add(a, (uint32_t)i, -all);
}

static void add_particle(assembly *a, size_t i, uint32_t j) {
  const mote_elastic *b = a->body;
  int m = b->terms;
  double moved[MOTE_ELASTIC_TERMS], q[MOTE_ELASTIC_TERMS];
  if (i == j) {
    for (int t = 0; t < m; ++t) moved[t] = -a->sum[(size_t)m * i + (size_t)t];
  } else {
    size_t k = b->first[i];
    while (b->near[k] != j) ++k;
    mote_elastic_basis(b->dimensions, b->order, b->inverse_unit, b->pair[k].rest, moved);
    for (int t = 0; t < m; ++t) moved[t] *= b->pair[k].weight;
  }
  const double *N = a->N + (size_t)(m * m) * i;
  for (int r = 0; r < m; ++r) {
    q[r] = 0.0;
    for (int t = 0; t < m; ++t) q[r] += N[r * m + t] * moved[t];
  }
  add_rows(a, i, j, q);
}

static mote_result add_column(mote_elastic_factor *f, assembly *a, uint32_t j, mote_error *error) {
  const mote_elastic *b = f->body;
  a->listed = 0;
  add_particle(a, j, j);
  for (size_t k = b->first[j]; k < b->first[j + 1]; ++k) add_particle(a, b->near[k], j);
  mote_sort_ascending(a->list, a->listed);
  size_t at = f->first[j], end = at + a->listed;
  MOTE_TRY(mote_reserve(&b->env, &f->row, &f->row_held, end, sizeof *f->row, error));
  MOTE_TRY(mote_reserve(&b->env, &f->stiff, &f->stiff_held, end, sizeof *f->stiff, error));
  for (size_t k = 0; k < a->listed; ++k) {
    f->row[at + k] = a->list[k];
    f->stiff[at + k] = a->column[a->list[k]];
    a->there[a->list[k]] = 0;
  }
  f->first[j + 1] = end;
  return MOTE_OK;
}

static mote_result assemble(mote_elastic_factor *f, assembly *a, mote_error *error) {
  size_t n = f->body->count;
  for (size_t i = 0; i < n; ++i) prepare_one(a, i), a->there[i] = 0;
  f->first[0] = 0;
  for (size_t j = 0; j < n; ++j) MOTE_TRY(add_column(f, a, (uint32_t)j, error));
  return mote_reserve(&f->body->env, &f->value, &f->value_held, f->first[n], sizeof *f->value, error);
}

static mote_result make_matrix(mote_elastic_factor *f, mote_arena *memory, mote_error *error) {
  const mote_elastic *b = f->body;
  size_t n = b->count, m = (size_t)b->terms;
  mote_arena_mark mark = mote_arena_here(memory);
  assembly a = {.body = b};
  a.N = mote_arena_take(memory, n * m * m, sizeof *a.N);
  a.sum = mote_arena_take(memory, n * m, sizeof *a.sum);
  a.column = mote_arena_take(memory, n, sizeof *a.column);
  a.there = mote_arena_take(memory, n, sizeof *a.there);
  a.list = mote_arena_take(memory, n, sizeof *a.list);
  bool taken = a.N != NULL && a.sum != NULL && a.column != NULL && a.there != NULL && a.list != NULL;
  mote_result result = taken ? assemble(f, &a, error) : mote_fail_memory(error, n * m * m * sizeof *a.N);
  mote_arena_release(memory, mark);
  return result;
}

mote_result mote_elastic_factor_init(mote_elastic_factor *factor, mote_elastic *body, mote_error *error) {
  size_t n = body->count;
  *factor = (mote_elastic_factor){.body = body};
  factor->held = mote_arena_take(&body->memory, n, sizeof *factor->held);
  factor->first = mote_arena_take(&body->memory, n + 1, sizeof *factor->first);
  if (factor->held == NULL || factor->first == NULL) {
    return mote_fail_memory(error, n * sizeof *factor->first);
  }
  mote_result result = make_matrix(factor, &body->memory, error);
  if (result != MOTE_OK) mote_elastic_factor_end(factor);
  return result;
}

void mote_elastic_factor_end(mote_elastic_factor *factor) {
  const mote_env *env = &factor->body->env;
  mote_cholesky_lanes_destroy(factor->lanes);
  mote_cholesky_destroy(factor->factor);
  mote_free(env, factor->row, factor->row_held, sizeof *factor->row);
  mote_free(env, factor->stiff, factor->stiff_held, sizeof *factor->stiff);
  mote_free(env, factor->value, factor->value_held, sizeof *factor->value);
  *factor = (mote_elastic_factor){.body = factor->body};
}

// --- The factor
// -----------------------------------------------------------------------------------------------

static void fill(mote_elastic_factor *f, double step, const uint8_t *held) {
  const mote_elastic *b = f->body;
  double damped = 1.0 + b->damping / step;
  for (size_t j = 0; j < b->count; ++j) {
    bool still = held != NULL && held[j];
    f->value[f->first[j]] = damped * f->stiff[f->first[j]] + b->mass[j] / (step * step);
    for (size_t k = f->first[j] + 1; k < f->first[j + 1]; ++k) {
      f->value[k] = still || (held != NULL && held[f->row[k]]) ? 0.0 : damped * f->stiff[k];
    }
  }
}

static bool is_set(const mote_elastic_factor *f, double step, const uint8_t *held) {
  if (f->factor == NULL || f->step != step) return false;
  for (size_t i = 0; i < f->body->count; ++i) {
    if (f->held[i] != (held != NULL && held[i])) return false;
  }
  return true;
}

mote_result mote_elastic_factor_set(mote_elastic_factor *factor, double step, const uint8_t *held,
                                    mote_error *error) {
  if (is_set(factor, step, held)) return MOTE_OK;
  const mote_elastic *b = factor->body;
  fill(factor, step, held);
  factor->step = 0.0;
  if (factor->factor != NULL) {
    MOTE_TRY(mote_cholesky_update(factor->factor, factor->value, error));
  } else {
    mote_sparse matrix = {
        .size = b->count, .first = factor->first, .row = factor->row, .value = factor->value};
    MOTE_TRY(mote_cholesky_create(&matrix, &b->env, &factor->factor, error));
  }
  if (factor->lanes != NULL) {
    mote_cholesky_lanes_update(factor->lanes, factor->factor);
  } else {
    MOTE_TRY(mote_cholesky_lanes_create(factor->factor, &b->env, &factor->lanes, error));
  }
  factor->step = step;
  for (size_t i = 0; i < b->count; ++i) factor->held[i] = held != NULL && held[i];
  return MOTE_OK;
}

void mote_elastic_factor_solve(mote_elastic_factor *factor, const double *in, double *out) {
  mote_cholesky_lanes_solve(factor->lanes, in, out);
}
