// Assembly of the second derivatives: see deform_system.h. With T_b = K grad Phi_b of a sample, the block of
// nodes a, b is grad Phi_a . T_b. Blocks are written four numbers wide; the fourth adds nothing.
#include "deform/deform_system.h"

#include <math.h>
#include <string.h>

#include "base/lane.h"
#include "deform/deform_dense.h"
#include "deform/deform_energy.h"

// --- Memory -----------------------------------------------------------------------------------------------

mote_result mote_deform_system_create(const mote_deform *d, mote_deform_system **out, mote_error *error) {
  MOTE_ALLOC_NEW(mote_deform_system, s, &d->env, 1, error);
  size_t n = 3 * (size_t)d->space.nodes;
  *s = (mote_deform_system){.env = d->env,
                            .memory = mote_arena_make(&d->env),
                            .pattern = mote_arena_make(&d->env),
                            .unknowns = n,
                            .stride = (n + 7) / 4 * 4};
  *out = s;
  s->gradient = mote_arena_take(&s->memory, n, sizeof *s->gradient);
  s->step = mote_arena_take(&s->memory, n + 4, sizeof *s->step);
  s->trial = mote_arena_take(&s->memory, n, sizeof *s->trial);
  bool dense = d->space.nodes <= MOTE_DEFORM_DENSE_MAX;
  if (dense) s->matrix = mote_arena_take(&s->memory, (n + 4) * s->stride, sizeof *s->matrix);
  if (!s->gradient || !s->step || !s->trial || (dense && !s->matrix))
    return mote_fail_memory(error, n * s->stride * sizeof *s->matrix);
  return MOTE_OK;
}

void mote_deform_system_destroy(mote_deform_system *s) {
  if (s == NULL) return;
  mote_env env = s->env;
  mote_cholesky_destroy(s->factor);
  mote_arena_destroy(&s->memory);
  mote_arena_destroy(&s->pattern);
  mote_free(&env, s, 1, sizeof *s);
}

void mote_deform_system_forget(mote_deform_system *s) {
  if (s == NULL) return;
  s->known = s->factored = false;
  s->inherit = true;
}

void mote_deform_system_renew(mote_deform_system *s) {
  s->factored = false;
  s->inherit = true;
}

// --- Assembly ---------------------------------------------------------------------------------------------

// Where the next block goes.
typedef struct place {
  const mote_deform_system *system;
  const uint32_t *slot;  // sparse: of the next pair; null: dense
} place;

// H_ab += scale block, a >= b; rows i of a, columns k of b.
static inline void add_block(place *to, uint32_t a, uint32_t b, double block[3][4]) {
  const mote_deform_system *s = to->system;
  if (to->slot == NULL) {
    for (int i = 0; i < 3; ++i) {
      double *row = s->matrix + (3 * (size_t)a + (size_t)i) * s->stride + 3 * (size_t)b;
      mote_pair_store(row, mote_pair_load(row) + mote_pair_load(block[i]));
      mote_pair_store(row + 2, mote_pair_load(row + 2) + mote_pair_load(block[i] + 2));
    }
    return;
  }
  uint32_t slot = *to->slot++;
  for (uint32_t k = 0; k < 3; ++k) {
    double *column = s->value + s->first[3 * (size_t)b + k];
    if (slot == 0) {
      for (uint32_t i = k; i < 3; ++i) column[i - k] += block[i][k];
    } else {
      for (uint32_t i = 0; i < 3; ++i) column[3 * slot - k + i] += block[i][k];
    }
  }
}

// T[i][j][k] = scale sum over l of K[3 i + j][3 k + l] g[l]
static inline void contract(double K[9][9], const double g[3], double scale, double T[3][3][4]) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double *row = K[3 * i + j];
      for (int k = 0; k < 3; ++k)
        T[i][j][k] = scale * (row[3 * k] * g[0] + row[3 * k + 1] * g[1] + row[3 * k + 2] * g[2]);
      T[i][j][3] = 0.0;
    }
  }
}

static void add_sample(const mote_deform *d, uint32_t k, double K[9][9], place *to) {
  const mote_deform_shapes *shapes = &d->sample;
  double T[3][3][4], block[3][4];
  for (uint32_t q = shapes->first[k]; q < shapes->first[k + 1]; ++q) {
    contract(K, shapes->gradient[q], d->space.share[k], T);
    for (uint32_t p = q; p < shapes->first[k + 1]; ++p) {
      const double *g = shapes->gradient[p];
      for (int i = 0; i < 3; ++i) {
        for (int c = 0; c < 4; c += 2) {
          mote_pair sum = g[0] * mote_pair_load(T[i][0] + c) + g[1] * mote_pair_load(T[i][1] + c) +
                          g[2] * mote_pair_load(T[i][2] + c);
          mote_pair_store(block[i] + c, sum);
        }
      }
      add_block(to, shapes->node[p], shapes->node[q], block);
    }
  }
}

static void add_grip(const mote_deform *d, const mote_deform_grip *grip, place *to) {
  for (uint32_t q = 0; q < grip->nodes; ++q) {
    for (uint32_t p = q; p < grip->nodes; ++p) {
      double block[3][4] = {{0}};
      double value = grip->free ? 0.0 : 2.0 * d->weight.handle * grip->matrix[(size_t)p * grip->nodes + q];
      for (int i = 0; i < 3; ++i) block[i][i] = value;
      add_block(to, grip->node[p], grip->node[q], block);
    }
  }
}

void mote_deform_assemble(mote_deform *d, const double *u, bool positive) {
  mote_deform_system *s = d->system;
  mote_deform_law law = {d->weight.rigidity, d->weight.volume};
  place to = {.system = s, .slot = s->matrix == NULL ? s->slot : NULL};
  if (s->matrix != NULL) {
    memset(s->matrix, 0, (s->unknowns + 4) * s->stride * sizeof *s->matrix);
  } else {
    memset(s->value, 0, s->first[s->unknowns] * sizeof *s->value);
  }
  for (uint32_t k = 0; k < d->space.samples; ++k) {
    double F[9], K[9][9];
    mote_deform_gradient_at(&d->sample, k, u, F);
    mote_deform_law_hessian(&law, F, positive, K);
    add_sample(d, k, K, &to);
  }
  for (size_t k = 0; k < d->grips; ++k) add_grip(d, d->grip + k, &to);
}

// --- Factors ----------------------------------------------------------------------------------------------

bool mote_deform_factorise(mote_deform *d, double part) {
  mote_deform_system *s = d->system;
  double sum = 0.0;
  for (size_t i = 0; i < s->unknowns; ++i) {
    sum += s->matrix != NULL ? s->matrix[i * s->stride + i] : s->value[s->first[i]];
  }
  double add = part * sum / (double)s->unknowns;
  for (size_t i = 0; i < s->unknowns; ++i) {
    double *diagonal = s->matrix != NULL ? s->matrix + i * s->stride + i : s->value + s->first[i];
    *diagonal += add;
  }
  if (s->matrix != NULL) return mote_deform_dense_factorise(s->unknowns, s->stride, s->matrix);
  return mote_cholesky_update(s->factor, s->value, NULL) == MOTE_OK;
}

void mote_deform_back_substitute(const mote_deform *d, double *x) {
  const mote_deform_system *s = d->system;
  if (s->matrix != NULL) {
    mote_deform_dense_substitute(s->unknowns, s->stride, s->matrix, x);
  } else {
    mote_cholesky_solve(s->factor, 1, x);
  }
}

// --- Pattern ----------------------------------------------------------------------------------------------

static inline void couple(uint64_t *bits, size_t words, uint32_t a, uint32_t b) {
  bits[(size_t)b * words + a / 64] |= (uint64_t)1 << a % 64;
}

static void couple_all(const mote_deform *d, uint64_t *bits, size_t words, size_t *pairs) {
  const mote_deform_shapes *shapes = &d->sample;
  *pairs = 0;
  for (uint32_t k = 0; k < d->space.samples; ++k) {
    for (uint32_t q = shapes->first[k]; q < shapes->first[k + 1]; ++q)
      for (uint32_t p = q; p < shapes->first[k + 1]; ++p, ++*pairs)
        couple(bits, words, shapes->node[p], shapes->node[q]);
  }
  for (size_t k = 0; k < d->grips; ++k) {
    const mote_deform_grip *g = d->grip + k;
    for (uint32_t q = 0; q < g->nodes; ++q)
      for (uint32_t p = q; p < g->nodes; ++p, ++*pairs) couple(bits, words, g->node[p], g->node[q]);
  }
  for (uint32_t a = 0; a < d->space.nodes; ++a) couple(bits, words, a, a);
}

static uint32_t slot_of(const mote_deform_system *s, uint32_t a, uint32_t b) {
  uint32_t low = s->coupled_first[b], high = s->coupled_first[b + 1];
  while (s->coupled[low] != a) {
    uint32_t middle = low + (high - low) / 2;
    if (s->coupled[middle] <= a) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low - s->coupled_first[b];
}

static void set_slots(const mote_deform *d, mote_deform_system *s) {
  const mote_deform_shapes *shapes = &d->sample;
  uint32_t *slot = s->slot;
  for (uint32_t k = 0; k < d->space.samples; ++k) {
    for (uint32_t q = shapes->first[k]; q < shapes->first[k + 1]; ++q)
      for (uint32_t p = q; p < shapes->first[k + 1]; ++p)
        *slot++ = slot_of(s, shapes->node[p], shapes->node[q]);
  }
  for (size_t k = 0; k < d->grips; ++k) {
    const mote_deform_grip *g = d->grip + k;
    for (uint32_t q = 0; q < g->nodes; ++q)
      for (uint32_t p = q; p < g->nodes; ++p) *slot++ = slot_of(s, g->node[p], g->node[q]);
  }
}

static void set_columns(mote_deform_system *s, uint32_t nodes) {
  size_t at = 0;
  for (uint32_t b = 0; b < nodes; ++b) {
    for (uint32_t k = 0; k < 3; ++k) {
      s->first[3 * b + k] = at;
      for (uint32_t i = k; i < 3; ++i) s->row[at++] = 3 * b + i;
      for (uint32_t e = s->coupled_first[b] + 1; e < s->coupled_first[b + 1]; ++e)
        for (uint32_t i = 0; i < 3; ++i) s->row[at++] = 3 * s->coupled[e] + i;
    }
  }
  s->first[3 * nodes] = at;
}

static mote_result make_pattern(const mote_deform *d, mote_deform_system *s, mote_arena *own,
                                mote_error *error) {
  uint32_t nodes = d->space.nodes;
  size_t words = ((size_t)nodes + 63) / 64, pairs, total = 0;
  MOTE_TAKE_NEW(uint64_t, bits, own, words * nodes, error);
  memset(bits, 0, words * nodes * sizeof *bits);
  couple_all(d, bits, words, &pairs);
  for (size_t w = 0; w < words * nodes; ++w) total += (size_t)__builtin_popcountll(bits[w]);
  MOTE_TAKE(s->coupled_first, &s->pattern, nodes + 1, error);
  MOTE_TAKE(s->coupled, &s->pattern, total, error);
  MOTE_TAKE(s->slot, &s->pattern, pairs, error);
  MOTE_TAKE(s->first, &s->pattern, s->unknowns + 1, error);
  MOTE_TAKE(s->row, &s->pattern, 9 * total, error);
  MOTE_TAKE(s->value, &s->pattern, 9 * total, error);
  uint32_t at = 0;
  for (uint32_t b = 0; b < nodes; ++b) {
    s->coupled_first[b] = at;
    for (uint32_t a = b; a < nodes; ++a)
      if (bits[(size_t)b * words + a / 64] >> a % 64 & 1) s->coupled[at++] = a;
  }
  s->coupled_first[nodes] = at;
  set_slots(d, s);
  set_columns(s, nodes);
  return MOTE_OK;
}

mote_result mote_deform_system_prepare(mote_deform *d, mote_error *error) {
  mote_deform_system *s = d->system;
  if (s->known || s->matrix != NULL) return MOTE_OK;
  mote_cholesky_destroy(s->factor);
  s->factor = NULL;
  mote_arena_release(&s->pattern, (mote_arena_mark){0});
  mote_arena own = mote_arena_make(&s->env);
  mote_result result = make_pattern(d, s, &own, error);
  mote_arena_destroy(&own);
  MOTE_TRY(result);
  // Values that are positive definite, for the symbolic part.
  memset(s->value, 0, s->first[s->unknowns] * sizeof *s->value);
  for (size_t i = 0; i < s->unknowns; ++i) s->value[s->first[i]] = 1.0;
  mote_sparse a = {.size = s->unknowns, .first = s->first, .row = s->row, .value = s->value};
  MOTE_TRY(mote_cholesky_create(&a, &s->env, &s->factor, error));
  s->known = true;
  return MOTE_OK;
}
