// Assembly of the preconditioner: see elastic_factor.h. A pair of particles has a block of `wide` x `wide`
// entries. The energy of particle i is V times that of grad u plus that of hourglass control, per axis k
// (sum_k w_k u_ik^2 - sum_kl w_k p_k . inverse p_l w_l u_ik u_il) over its neighbours k, l.
#include "elastic/elastic_factor.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "elastic/elastic_basis.h"
#include "elastic/elastic_elimination.h"
#include "geom/triple.h"
#include "num/scale.h"
#include "search/ascending.h"

// Particles of a body that is factorised completely, all axes coupled, at constant step length.
#define COMPLETE_PARTICLES_MAX 4096
#define COMPLETE_VARIABLE_STEP_MAX 2048  // the same at variable step length
#define COMPLETE_IN_CONTACT_MAX 256      // the same in contact, with which the factor changes
#define RATES_PER_OCTAVE 8               // step rates per octave for which quickly made factors exist
#define WHOLE_NUMBER_TOLERANCE 1e-9      // rounding: relative, of a step rate or length from a whole number
#define BLOCK_WIDTH 3
#define BLOCK_ENTRIES (BLOCK_WIDTH * BLOCK_WIDTH)

// --- The matrix --------------------------------------------------------------------------------------

typedef struct assembly {
  const mote_elastic *body;
  int wide;
  double *sum;     // sums of w p, `rows` per particle
  double *column;  // BLOCK_ENTRIES numbers per row
  uint8_t *there;  // marks the rows present in the column
  uint32_t *list;
  size_t listed;
} assembly;

// Coefficients of a pair, per weight: basis functions, and its slope.
static void basis_of(const mote_elastic *b, size_t k, double *p) {
  mote_elastic_basis(b->dimensions, b->order, b->inverse_unit, b->pair[k].rest, p);
  for (int c = 0; c < b->slopes; ++c) p[b->terms + c] = b->slope[6 * k + (size_t)c] / b->pair[k].weight;
}

static void prepare_one(const assembly *a, size_t i) {
  const mote_elastic *b = a->body;
  int m = b->rows;
  double *sum = a->sum + (size_t)m * i, p[MOTE_ELASTIC_ROWS];
  for (int t = 0; t < m; ++t) sum[t] = 0.0;
  for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
    basis_of(b, k, p);
    for (int t = 0; t < m; ++t) sum[t] += b->pair[k].weight * p[t];
  }
}

static void add(assembly *a, uint32_t row, const double *value) {
  double *to = a->column + (size_t)BLOCK_ENTRIES * row;
  if (!a->there[row]) {
    a->there[row] = 1;
    for (int e = 0; e < BLOCK_ENTRIES; ++e) to[e] = 0.0;
    a->list[a->listed++] = row;
  }
  for (int e = 0; e < a->wide * a->wide; ++e) to[e] += value[e];
}

// Stress component (r, c) where grad u is `slope` in row b and 0 otherwise: Hooke's law, or 2 mu grad u for
// one scalar.
static double stress_at(const mote_elastic *body, int wide, int b, const double *slope, int r, int c) {
  double mu = body->law.mu, lambda = body->law.lambda + body->law.volume;
  if (wide == 1) return 2.0 * mu * slope[c];
  return (r == c ? lambda * slope[b] : 0.0) + (r == b ? mu * slope[c] : 0.0) + (c == b ? mu * slope[r] : 0.0);
}

// q of add_rows for each entry of a block: the derivative of particle i's energy by its fit, where the sum of
// the fit is `moved` for one axis.
static void find_stress_moments(const assembly *a, size_t i, const double *moved,
                                double q[][MOTE_ELASTIC_ROWS]) {
  const mote_elastic *b = a->body;
  int m = b->terms, d = b->dimensions;
  const double *inverse = b->inverse + (size_t)(m * m) * i;
  double fit[MOTE_ELASTIC_TERMS], scale = b->volume[i] * b->inverse_unit * b->inverse_unit;
  for (int t = 0; t < m; ++t) {
    fit[t] = 0.0;
    for (int l = 0; l < m; ++l) fit[t] += inverse[t * m + l] * moved[l];
  }
  const double *gradient = b->slopes > 0 ? moved + m : fit;
  for (int e = 0; e < a->wide * a->wide; ++e) {
    int row = e / a->wide, column = e % a->wide;
    for (int t = 0; t < m; ++t) q[e][t] = row == column ? -b->hourglass_stiffness[i] * fit[t] : 0.0;
    for (int c = 0; c < d; ++c) {
      double stress = scale * stress_at(b, a->wide, column, gradient, row, c);
      if (b->slopes > 0) q[e][m + c] = stress;
      for (int t = 0; t < m && b->slopes == 0; ++t) q[e][t] += stress * inverse[t * m + c];
    }
  }
}

// Contribution of particle i to column j: half the derivative of its energy by all u where only u_j is 1. The
// neighbours' entries sum to minus its own.
static void add_rows(assembly *a, size_t i, uint32_t j, double q[][MOTE_ELASTIC_ROWS]) {
  const mote_elastic *b = a->body;
  int m = b->rows, size = a->wide * a->wide;
  double p[MOTE_ELASTIC_ROWS], own[BLOCK_ENTRIES] = {0}, value[BLOCK_ENTRIES];
  for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
    const mote_elastic_pair *pair = &b->pair[k];
    double own_stiffness =
        (b->neighbour[k] == j ? b->hourglass_stiffness[i] : 0.0) - (i == j ? b->hourglass_stiffness[i] : 0.0);
    basis_of(b, k, p);
    for (int e = 0; e < size; ++e) {
      value[e] = e / a->wide == e % a->wide ? own_stiffness : 0.0;
      for (int t = 0; t < m; ++t) value[e] += p[t] * q[e][t];
      value[e] *= pair->weight;
      own[e] -= value[e];
    }
    if (b->neighbour[k] >= j) add(a, b->neighbour[k], value);
  }
  if (i >= j) add(a, (uint32_t)i, own);
}

static void add_particle(assembly *a, size_t i, uint32_t j) {
  const mote_elastic *b = a->body;
  int m = b->rows;
  double moved[MOTE_ELASTIC_ROWS], q[BLOCK_ENTRIES][MOTE_ELASTIC_ROWS];
  if (i == j) {
    for (int t = 0; t < m; ++t) moved[t] = -a->sum[(size_t)m * i + (size_t)t];
  } else {
    size_t k = b->first[i];
    while (b->neighbour[k] != j) ++k;
    basis_of(b, k, moved);
    for (int t = 0; t < m; ++t) moved[t] *= b->pair[k].weight;
  }
  find_stress_moments(a, i, moved, q);
  add_rows(a, i, j, q);
}

// The columns of particle j, which start with the diagonal.
static mote_result add_columns(mote_elastic_factor *f, assembly *a, uint32_t j, mote_error *error) {
  const mote_elastic *b = f->body;
  size_t w = (size_t)a->wide;
  a->listed = 0;
  add_particle(a, j, j);
  for (size_t k = b->first[j]; k < b->first[j + 1]; ++k) add_particle(a, b->neighbour[k], j);
  mote_sort_ascending(a->list, a->listed);
  for (size_t c = 0; c < w; ++c) {
    size_t at = f->first[w * j + c], end = at + w * a->listed - c;
    MOTE_TRY(mote_reserve(&b->env, &f->row, &f->row_capacity, end, sizeof *f->row, error));
    MOTE_TRY(mote_reserve(&b->env, &f->stiffness, &f->stiffness_capacity, end, sizeof *f->stiffness, error));
    for (size_t r = c; r < w * a->listed; ++r, ++at) {
      uint32_t other = a->list[r / w];
      f->row[at] = (uint32_t)(w * other + r % w);
      f->stiffness[at] = a->column[BLOCK_ENTRIES * (size_t)other + r % w * w + c];
    }
    f->first[w * j + c + 1] = end;
  }
  for (size_t k = 0; k < a->listed; ++k) a->there[a->list[k]] = 0;
  return MOTE_OK;
}

static mote_result assemble(mote_elastic_factor *f, assembly *a, mote_error *error) {
  size_t n = f->body->count;
  for (size_t i = 0; i < n; ++i) prepare_one(a, i), a->there[i] = 0;
  f->first[0] = 0;
  for (size_t j = 0; j < n; ++j) MOTE_TRY(add_columns(f, a, (uint32_t)j, error));
  return mote_reserve(&f->body->env, &f->value, &f->value_capacity, f->first[n * (size_t)a->wide],
                      sizeof *f->value, error);
}

static mote_result make_matrix(mote_elastic_factor *f, mote_arena *memory, mote_error *error) {
  const mote_elastic *b = f->body;
  size_t n = b->count;
  mote_arena_mark mark = mote_arena_here(memory);
  assembly a = {.body = b, .wide = f->wide};
  a.sum = mote_arena_take(memory, n * (size_t)b->rows, sizeof *a.sum);
  a.column = mote_arena_take(memory, n, BLOCK_ENTRIES * sizeof *a.column);
  a.there = mote_arena_take(memory, n, sizeof *a.there);
  a.list = mote_arena_take(memory, n, sizeof *a.list);
  bool taken = a.sum != NULL && a.column != NULL && a.there != NULL && a.list != NULL;
  mote_result result =
      taken ? assemble(f, &a, error) : mote_fail_memory(error, n * BLOCK_ENTRIES * sizeof *a.column);
  mote_arena_release(memory, mark);
  return result;
}

mote_result mote_elastic_factor_init(mote_elastic_factor *factor, mote_elastic *body, int wide,
                                     mote_error *error) {
  MOTE_ASSERT(wide == 1 || wide == body->dimensions);
  MOTE_ASSERT(body->count > 0);
  size_t n = body->count;
  *factor = (mote_elastic_factor){.body = body, .wide = wide};
  size_t columns = n * (size_t)factor->wide;
  MOTE_TAKE(factor->held, &body->memory, n, error);
  MOTE_TAKE(factor->first, &body->memory, columns + 1, error);
  MOTE_TAKE(factor->turn, &body->memory, 9 * n, error);
  MOTE_TAKE(factor->turned, &body->memory, 3 * n, error);
  mote_result result = make_matrix(factor, &body->memory, error);
  if (result != MOTE_OK) mote_elastic_factor_end(factor);
  return result;
}

void mote_elastic_factor_end(mote_elastic_factor *factor) {
  if (factor->body == NULL) return;
  const mote_env *env = &factor->body->env;
  mote_cholesky_lanes_destroy(factor->lanes);
  mote_cholesky_destroy(factor->factor);
  mote_incomplete_destroy(factor->incomplete);
  mote_elastic_coarse_end(&factor->coarse);
  mote_free(env, factor->row, factor->row_capacity, sizeof *factor->row);
  mote_free(env, factor->stiffness, factor->stiffness_capacity, sizeof *factor->stiffness);
  mote_free(env, factor->value, factor->value_capacity, sizeof *factor->value);
  mote_free(env, factor->block, factor->block_capacity, sizeof *factor->block);
  mote_free(env, factor->next, factor->next_capacity, sizeof *factor->next);
  *factor = (mote_elastic_factor){0};
}

// --- The factor --------------------------------------------------------------------------------------

static double whole(double x) {
  return floor(x + 0.5);
}

static bool is_whole(double x) {
  return fabs(x - whole(x)) <= WHOLE_NUMBER_TOLERANCE * x;
}

// Whether steps of this length persist: lengths set by the user, not those that vary with velocity.
static bool is_constant_step(double step) {
  return is_whole(1.0 / step) || is_whole(step);
}

int mote_elastic_factor_width(const mote_elastic *body, double step, bool alone) {
  MOTE_ASSERT(body->count > 0);
  MOTE_ASSERT(step > 0.0);
  size_t most = !alone                   ? COMPLETE_IN_CONTACT_MAX
                : is_constant_step(step) ? COMPLETE_PARTICLES_MAX
                                         : COMPLETE_VARIABLE_STEP_MAX;
  // A body that breaks is factorised anew after each growth of its cracks.
  if (body->breaks && body->dimensions == 3) return 1;
  return body->count <= most ? body->dimensions : 1;
}

// Rounds a variable step length to few values, so that steps reuse their factor. For complete factors of
// larger bodies the rate differs by up to 1.5 times, and the inertia by 2.25 times. Constant step lengths are
// exact: a step by the exact factor reduces the error to a hundredth.
static double rounded_step(const mote_elastic_factor *f, double step) {
  double rate = 1.0 / step, inverse, octave = mote_scale_of(rate, &inverse);
  double steps = f->wide == 1 || f->body->count <= COMPLETE_IN_CONTACT_MAX ? RATES_PER_OCTAVE : 1.0;
  if (is_whole(rate)) return 1.0 / whole(rate);
  if (is_whole(step)) return whole(step);
  return 1.0 / (octave * (floor(steps * (rate * inverse) + 0.5) / steps));
}

static double damped_stiffness(const mote_elastic_factor *f, size_t k) {
  return (1.0 + f->body->damping / f->step) * f->stiffness[k];
}

static double inertia_of(const mote_elastic_factor *f, size_t i) {
  return f->body->mass[i] / (f->step * f->step);
}

static void fill(mote_elastic_factor *f) {
  const mote_elastic *b = f->body;
  size_t w = (size_t)f->wide;
  for (size_t j = 0; j < b->count * w; ++j) {
    f->value[f->first[j]] = damped_stiffness(f, f->first[j]) + inertia_of(f, j / w);
    for (size_t k = f->first[j] + 1; k < f->first[j + 1]; ++k)
      f->value[k] = f->held[j / w] || f->held[f->row[k] / w] ? 0.0 : damped_stiffness(f, k);
  }
}

double mote_elastic_factor_diagonal(const mote_elastic_factor *factor, size_t i) {
  MOTE_ASSERT(factor->step > 0.0);
  return damped_stiffness(factor, factor->first[(size_t)factor->wide * i]) + inertia_of(factor, i);
}

bool mote_elastic_factor_is(const mote_elastic_factor *factor, double step) {
  MOTE_ASSERT(step > 0.0);
  return factor->body != NULL && factor->step == rounded_step(factor, step);
}

static mote_result make_complete(mote_elastic_factor *f, const mote_sparse *matrix, mote_error *error) {
  const mote_env *env = &f->body->env;
  if (f->factor == NULL) {
    MOTE_TRY(mote_cholesky_create(matrix, env, &f->factor, error));
    return mote_cholesky_lanes_create(f->factor, env, &f->lanes, error);
  }
  MOTE_TRY(mote_cholesky_update(f->factor, matrix->value, error));
  mote_cholesky_lanes_update(f->lanes, f->factor);
  return MOTE_OK;
}

static mote_result make_incomplete(mote_elastic_factor *f, const mote_sparse *matrix, mote_error *error) {
  if (f->incomplete != NULL) return mote_incomplete_update(f->incomplete, matrix->value, error);
  mote_arena scratch = mote_arena_make(&f->body->env);
  mote_elimination order;
  mote_result result = mote_elastic_elimination_order(f->body, matrix, &scratch, &order, error);
  if (result == MOTE_OK)
    result = mote_incomplete_create(matrix, &order, &f->body->env, &f->incomplete, error);
  mote_arena_destroy(&scratch);
  return result;
}

void mote_elastic_factor_set(mote_elastic_factor *factor, double step, const uint8_t *held) {
  MOTE_ASSERT(step > 0.0);
  MOTE_ASSERT(factor->body != NULL);
  step = rounded_step(factor, step);
  bool same = factor->step == step;
  factor->step = step;
  for (size_t i = 0; i < factor->body->count; ++i) {
    uint8_t still = held != NULL && held[i];
    same = same && factor->held[i] == still;
    factor->held[i] = still;
  }
  if (same) return;
  factor->made = false;
  mote_elastic_coarse_end(&factor->coarse);
}

// --- Rotation with the particles ---------------------------------------------------------------------

// Newton iterations for the polar rotation: quadratic convergence, sufficient for strains below 1.
#define POLAR_ITERATIONS 4

// The rotation of the polar decomposition by Newton's method; the identity where F is too far from a
// rotation: any regular matrix serves as preconditioner, but a nearly singular one hides one direction.
static void turn_one(double F[9]) {
  double cofactor[9], volume = 0.0;
  for (int k = 0; k <= POLAR_ITERATIONS; ++k) {
    cross3(F + 3, F + 6, cofactor), cross3(F + 6, F, cofactor + 3), cross3(F, F + 3, cofactor + 6);
    volume = dot3(F, cofactor);
    for (int e = 0; e < 9 && k < POLAR_ITERATIONS; ++e) F[e] = 0.5 * (F[e] + cofactor[e] / volume);
  }
  if (fabs(volume - 1.0) < 0.5) return;
  for (int e = 0; e < 9; ++e) F[e] = e % 4 == 0 ? 1.0 : 0.0;
}

static void turn_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  mote_elastic_factor *f = data;
  for (size_t i = begin; i < end; ++i) {
    double *R = f->turn + 9 * i;
    mote_elastic_gradient(f->body, f->body->fit, i, R);
    R[0] += 1.0, R[4] += 1.0, R[8] += 1.0;
    turn_one(R);
  }
}

void mote_elastic_factor_turn(mote_elastic_factor *factor) {
  MOTE_ASSERT(factor->body != NULL && factor->turn != NULL);
  mote_parallel_for(factor->body->env.threads, factor->body->count, MOTE_ELASTIC_PARTICLES_PER_CHUNK,
                    turn_chunk, factor);
}

// --- Contact -----------------------------------------------------------------------------------------

#define TIE_PARTS 8  // of a normal's components, to which they are rounded

// Rounded, so that a factor serves as long as contact changes little.
static mote_elastic_block block_of(const mote_elastic_factor *f, const mote_elastic_tie *t, size_t i) {
  mote_elastic_block block = {.particle = i};
  double n[3], inverse, along = t->along > 0.0 ? mote_scale_of(t->along, &inverse) : 0.0;
  double across = t->across > 0.0 ? mote_scale_of(t->across, &inverse) : 0.0;
  unturn3(f->turn + 9 * i, t->normal, n);
  for (int a = 0; a < 3; ++a) n[a] = floor(TIE_PARTS * n[a] + 0.5);
  double part = (along - across) / dot3(n, n);
  for (int e = 0; e < 9; ++e) block.value[e] = part * n[e / 3] * n[e % 3] + (e % 4 == 0 ? across : 0.0);
  return block;
}

// The blocks of the body's particles; whether they are those of the factor.
static mote_result find_blocks(mote_elastic_factor *f, const mote_elastic_tie *tie, size_t ties, size_t first,
                               mote_error *error) {
  const mote_env *env = &f->body->env;
  size_t from = 0, blocks = 0;
  while (from < ties && tie[from].particle < first) ++from;
  for (size_t k = from; k < ties && tie[k].particle < first + f->body->count; ++k) {
    MOTE_TRY(mote_reserve(env, &f->next, &f->next_capacity, blocks + 1, sizeof *f->next, error));
    f->next[blocks++] = block_of(f, tie + k, tie[k].particle - first);
  }
  if (blocks == f->blocks && (blocks == 0 || memcmp(f->next, f->block, blocks * sizeof *f->next) == 0))
    return MOTE_OK;
  mote_elastic_block *block = f->block;
  size_t capacity = f->block_capacity;
  f->block = f->next, f->block_capacity = f->next_capacity, f->blocks = blocks;
  f->next = block, f->next_capacity = capacity, f->made = false;
  return MOTE_OK;
}

// Rows of a particle's columns begin with its own.
static void add_block(mote_elastic_factor *f, const mote_elastic_block *block) {
  const double *B = block->value;
  size_t w = (size_t)f->wide, j = w * block->particle;
  if (w == 1) f->value[f->first[j]] += (B[0] + B[4] + B[8]) / f->body->dimensions;
  for (size_t c = 0; c < w && w > 1; ++c) {
    for (size_t r = c; r < w; ++r) f->value[f->first[j + c] + r - c] += B[3 * r + c];
  }
}

static mote_result make_large(mote_elastic_factor *f, const mote_sparse *matrix, mote_error *error) {
  MOTE_TRY(make_incomplete(f, matrix, error));
  if (f->coarse.body == NULL)
    MOTE_TRY(mote_elastic_coarse_make(&f->coarse, f->body, f->step, f->held, error));
  return mote_elastic_coarse_factorise(&f->coarse, f->block, f->blocks, error);
}

mote_result mote_elastic_factor_make(mote_elastic_factor *factor, const mote_elastic_tie *tie, size_t ties,
                                     size_t first, mote_error *error) {
  MOTE_ASSERT(factor->body != NULL && factor->step > 0.0);
  MOTE_ASSERT(tie != NULL || ties == 0);
  MOTE_TRY(find_blocks(factor, tie, ties, first, error));
  if (factor->made) return MOTE_OK;
  const mote_elastic *b = factor->body;
  fill(factor);
  for (size_t k = 0; k < factor->blocks; ++k) add_block(factor, factor->block + k);
  mote_sparse matrix = {.size = b->count * (size_t)factor->wide,
                        .first = factor->first,
                        .row = factor->row,
                        .value = factor->value};
  MOTE_TRY((factor->wide == 1 ? make_large : make_complete)(factor, &matrix, error));
  factor->made = true;
  return MOTE_OK;
}

// --- Solving -----------------------------------------------------------------------------------------

void mote_elastic_factor_solve(mote_elastic_factor *factor, const double *in, double *out) {
  MOTE_ASSERT(factor->body != NULL && factor->made);
  MOTE_ASSERT(in != NULL && out != NULL);
  if (factor->wide == 1) {
    mote_incomplete_solve(factor->incomplete, in, out);
    mote_elastic_coarse_add(&factor->coarse, factor->turn, in, factor->turned, out);
    return;
  }
  size_t w = (size_t)factor->wide, n = factor->body->count;
  double *turned = factor->turned;
  for (size_t i = 0; i < n; ++i) {
    double rest[3];
    unturn3(factor->turn + 9 * i, in + 3 * i, rest);
    for (size_t a = 0; a < w; ++a) turned[w * i + a] = rest[a];
  }
  mote_cholesky_lanes_solve(factor->lanes, turned, turned);
  for (size_t i = 0; i < n; ++i) {
    double rest[3] = {0};
    for (size_t a = 0; a < w; ++a) rest[a] = turned[w * i + a];
    turn3(factor->turn + 9 * i, rest, out + 3 * i);
  }
}
