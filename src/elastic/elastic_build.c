// Builds the rest shape of an elastic body: neighbours, weights, moments. See elastic_body.h.
#include <math.h>
#include <mote/approx.h>
#include <mote/numeric.h>
#include <mote/search.h>
#include <string.h>

#include "approx/kernel.h"
#include "base/parallel.h"
#include "elastic/elastic_api.h"
#include "elastic/elastic_basis.h"
#include "elastic/elastic_renew.h"
#include "elastic/elastic_support.h"
#include "geom/triple.h"
#include "num/scale.h"

// Least over greatest eigenvalue of a neighbourhood's moments below which it counts as flat.
#define FLAT_MOMENT_RATIO 1e-4
#define SECOND_ORDER_MOMENT_RATIO 1e-2  // the same for second derivatives, which are then omitted

mote_elastic_def mote_elastic_def_default(void) {
  return (mote_elastic_def){.dimensions = 3, .order = 2, .poisson = 0.3, .hourglass = 0.1};
}

// --- Checks ---------------------------------------------------------------------------------------------

static mote_result check_positive(const char *name, double value, mote_error *error) {
  if (value > 0.0 && isfinite(value)) return MOTE_OK;
  return mote_fail_key(error, name, "is %g, not positive and finite", value);
}

static mote_result check_not_negative(const char *name, double value, mote_error *error) {
  if (value >= 0.0 && isfinite(value)) return MOTE_OK;
  return mote_fail_key(error, name, "is %g, negative or not finite", value);
}

static mote_result check_arrays(const mote_elastic_def *def, mote_error *error) {
  if (def->count == 0) return mote_fail_key(error, "count", "is 0");
  if (def->count >= UINT32_MAX) return mote_fail_key(error, "count", "is too large");
  MOTE_TRY(mote_elastic_check_numbers("position", def->position, 3 * def->count, error));
  if (def->volume == NULL) MOTE_TRY(check_positive("total_volume", def->total_volume, error));
  if (def->support == NULL) MOTE_TRY(check_positive("uniform_support", def->uniform_support, error));
  for (size_t i = 0; i < def->count; ++i) {
    if (def->volume != NULL) MOTE_TRY(check_positive("volume", def->volume[i], error));
    if (def->support != NULL) MOTE_TRY(check_positive("support", def->support[i], error));
  }
  return MOTE_OK;
}

static mote_result check_def(const mote_elastic_def *def, mote_error *error) {
  if (def->dimensions != 2 && def->dimensions != 3) {
    return mote_fail_key(error, "dimensions", "is %d, not 2 or 3", def->dimensions);
  }
  if (def->order != 1 && def->order != 2)
    return mote_fail_key(error, "order", "is %d, not 1 or 2", def->order);
  if ((unsigned)def->gradient >= MOTE_ELASTIC_GRADIENTS)
    return mote_fail_key(error, "gradient", "is unknown");
  if ((unsigned)def->kind >= MOTE_ELASTIC_KINDS) return mote_fail_key(error, "kind", "is unknown");
  MOTE_TRY(check_positive("young", def->young, error));
  if (!(def->poisson > -1.0 && def->poisson < 0.5)) {
    return mote_fail_key(error, "poisson", "is %g, not between -1 and 1/2", def->poisson);
  }
  MOTE_TRY(check_not_negative("volume_stiffness", def->volume_stiffness, error));
  MOTE_TRY(check_positive("density", def->density, error));
  MOTE_TRY(check_not_negative("hourglass", def->hourglass, error));
  MOTE_TRY(check_not_negative("damping", def->damping, error));
  return check_arrays(def, error);
}

// --- Neighbours -----------------------------------------------------------------------------------------

static void rest_position(const mote_elastic_def *def, size_t i, double x[3]) {
  const double *at = def->position + 3 * i;
  set3(at[0], at[1], def->dimensions == 3 ? at[2] : 0.0, x);
}

static void sort_ascending(uint32_t *neighbour, double *weight, uint32_t count) {
  for (uint32_t k = 1; k < count; ++k) {
    uint32_t j = neighbour[k], at = k;
    double w = weight[k];
    for (; at > 0 && neighbour[at - 1] > j; --at)
      neighbour[at] = neighbour[at - 1], weight[at] = weight[at - 1];
    neighbour[at] = j, weight[at] = w;
  }
}

// Selection of neighbours from the lists: counts in first[i + 1], neighbours and weights at the front of each
// list.
typedef struct joining {
  const mote_elastic_def *def;
  const mote_lists *lists;
  uint32_t *neighbour;
  double *weight;
  size_t *first;
} joining;

#define PATH_LENGTH_BATCH 128  // neighbours per call of path_length

// Weights of a batch of neighbours j, by their path length inside the body.
static void weigh_batch(const mote_elastic_def *def, size_t i, const uint32_t *j, size_t count,
                        double *weight) {
  double from[3], to[3 * PATH_LENGTH_BATCH], length[PATH_LENGTH_BATCH], reach[PATH_LENGTH_BATCH], most = 0.0;
  rest_position(def, i, from);
  for (size_t k = 0; k < count; ++k) {
    rest_position(def, j[k], to + 3 * k);
    length[k] = distance3(from, to + 3 * k);
    reach[k] = mote_elastic_reach(def, i, j[k]);
    most = max2(most, reach[k]);
  }
  if (def->path_length != NULL && count > 0) def->path_length(def->user, from, to, count, most, length);
  for (size_t k = 0; k < count; ++k) {
    double q = length[k] / reach[k];
    weight[k] = q < 1.0 ? mote_shape_value(MOTE_KERNEL_POLY6, def->dimensions, q) : 0.0;
    weight[k] *= mote_elastic_balance(def, i, j[k]);
  }
}

// The lower end of a pair computes its weight, so that both ends have the same.
static void weigh(const joining *s, size_t i) {
  size_t at = s->lists->first[i], end = at + s->lists->number[i];
  double from[3], to[3];
  rest_position(s->def, i, from);
  while (at < end) {
    uint32_t j[PATH_LENGTH_BATCH];
    size_t slot[PATH_LENGTH_BATCH], count = 0;
    double weight[PATH_LENGTH_BATCH];
    for (; at < end && count < PATH_LENGTH_BATCH; ++at) {
      uint32_t other = s->lists->index[at];
      s->weight[at] = 0.0;
      if (other < i) continue;
      rest_position(s->def, other, to);
      if (distance3(from, to) < mote_elastic_reach(s->def, i, other)) slot[count] = at, j[count++] = other;
    }
    weigh_batch(s->def, i, j, count, weight);
    for (size_t k = 0; k < count; ++k) s->weight[slot[k]] = weight[k];
  }
}

static void weigh_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const joining *s = data;
  for (size_t i = begin; i < end; ++i) weigh(s, i);
}

static double weight_at(const joining *s, size_t i, size_t j) {
  size_t at = s->lists->first[i];
  while (s->lists->index[at] != j) ++at;
  return s->weight[at];
}

// Copies the weights to the upper ends; writes only those.
static void copy_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const joining *s = data;
  for (size_t i = begin; i < end; ++i) {
    size_t at = s->lists->first[i];
    for (size_t k = at; k < at + s->lists->number[i]; ++k) {
      if (s->lists->index[k] < i) s->weight[k] = weight_at(s, s->lists->index[k], i);
    }
  }
}

static void join_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const joining *s = data;
  for (size_t i = begin; i < end; ++i) {
    size_t at = s->lists->first[i];
    uint32_t kept = 0;
    for (uint32_t k = 0; k < s->lists->number[i]; ++k) {
      double w = s->weight[at + k];
      if (w > 0.0) s->neighbour[at + kept] = s->lists->index[at + k], s->weight[at + kept++] = w;
    }
    sort_ascending(s->neighbour + at, s->weight + at, kept);
    s->first[i + 1] = kept;
  }
}

static mote_result take(mote_arena *memory, void *array, size_t count, size_t size, mote_error *error) {
  void *taken = mote_arena_take(memory, count, size);
  memcpy(array, &taken, sizeof taken);
  return taken == NULL ? mote_fail_memory(error, count * size) : MOTE_OK;
}

mote_result mote_elastic_reserve_pairs(mote_elastic *b, mote_error *error) {
  MOTE_ASSERT(b->first != NULL && b->count > 0);
  b->first[0] = 0;
  for (size_t i = 0; i < b->count; ++i) b->first[i + 1] += b->first[i];
  b->pairs = b->first[b->count];
  MOTE_TRY(take(&b->memory, &b->neighbour, b->pairs, sizeof *b->neighbour, error));
  return take(&b->memory, &b->pair, b->pairs, sizeof *b->pair, error);
}

static mote_result take_pairs(mote_elastic *b, const joining *s, mote_error *error) {
  MOTE_TRY(mote_elastic_reserve_pairs(b, error));
  for (size_t i = 0; i < b->count; ++i) {
    for (size_t k = b->first[i], from = s->lists->first[i]; k < b->first[i + 1]; ++k, ++from) {
      const double *xi = s->def->position + 3 * i, *xj = s->def->position + 3 * (size_t)s->neighbour[from];
      b->neighbour[k] = s->neighbour[from];
      b->pair[k].weight = s->weight[from];
      sub3(xj, xi, b->pair[k].rest);
      if (b->dimensions == 2) b->pair[k].rest[2] = 0.0;
    }
  }
  return MOTE_OK;
}

static mote_result join(mote_elastic *b, const mote_elastic_def *def, const mote_lists *lists,
                        mote_error *error) {
  size_t capacity = lists->first[lists->count];
  joining s = {.def = def, .lists = lists, .first = b->first};
  s.neighbour = mote_alloc(&b->env, capacity, sizeof *s.neighbour);
  s.weight = mote_alloc(&b->env, capacity, sizeof *s.weight);
  mote_result result = MOTE_OK;
  if (s.neighbour == NULL || s.weight == NULL) {
    result = mote_fail_memory(error, capacity * sizeof *s.weight);
  } else {
    mote_parallel_for(b->env.threads, b->count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, weigh_chunk, &s);
    mote_parallel_for(b->env.threads, b->count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, copy_chunk, &s);
    mote_parallel_for(b->env.threads, b->count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, join_chunk, &s);
    result = take_pairs(b, &s, error);
  }
  mote_free(&b->env, s.neighbour, capacity, sizeof *s.neighbour);
  mote_free(&b->env, s.weight, capacity, sizeof *s.weight);
  return result;
}

static mote_result find_neighbours(mote_elastic *b, const mote_elastic_def *def, double reach,
                                   const mote_elastic_origin *origin, mote_error *error) {
  if (origin != NULL) return mote_elastic_renew_neighbours(b, def, origin, error);
  mote_grid_def grid_def = mote_grid_def_default(reach);
  grid_def.domain = mote_domain_open(def->dimensions);
  mote_grid *grid;
  mote_lists lists;
  MOTE_TRY(mote_grid_create(&grid_def, &b->env, &grid, error));
  mote_result result = mote_grid_build(grid, def->position, def->count, error);
  if (result == MOTE_OK) result = mote_grid_neighbours(grid, &lists, error);
  if (result == MOTE_OK) result = join(b, def, &lists, error);
  mote_grid_destroy(grid);
  return result;
}

// --- Moments --------------------------------------------------------------------------------------------

// Inverts the moments M: the linear block always, the quadratic block by its Schur complement as far as
// second derivatives are determined. Returns false where the linear block is singular (a flat neighbourhood).
static bool invert(int d, int terms, const double *M, double *inverse) {
  int more = terms - d;
  double A[9], C[3 * 6], AC[3 * 6], schur[36], scale = 0.0, left = 0.0, size;
  for (int e = 0; e < d * d; ++e) A[e] = M[e / d * terms + e % d];
  if (mote_dense_pseudo_inverse(d, A, FLAT_MOMENT_RATIO, A, &size) < d) return false;
  for (int e = 0; e < terms * terms; ++e) inverse[e] = 0.0;
  for (int e = 0; e < d * d; ++e) inverse[e / d * terms + e % d] = A[e];
  if (more == 0) return true;
  for (int e = 0; e < d * more; ++e) C[e] = M[e / more * terms + d + e % more];
  for (int e = 0; e < d * more; ++e) {
    AC[e] = 0.0;
    for (int k = 0; k < d; ++k) AC[e] += A[e / more * d + k] * C[k * more + e % more];
  }
  for (int e = 0; e < more * more; ++e) {
    schur[e] = M[(d + e / more) * terms + d + e % more];
    if (e / more == e % more) scale += schur[e];
    for (int k = 0; k < d; ++k) schur[e] -= C[k * more + e / more] * AC[k * more + e % more];
    if (e / more == e % more) left += schur[e];
  }
  if (!(left > SECOND_ORDER_MOMENT_RATIO * scale) ||
      mote_dense_pseudo_inverse(more, schur, SECOND_ORDER_MOMENT_RATIO, schur, &size) < 0)
    return true;
  for (int r = 0; r < more; ++r) {
    for (int c = 0; c < more; ++c) inverse[(d + r) * terms + d + c] = schur[r * more + c];
  }
  double B[3 * 6];  // A^-1 C schur^-1
  for (int e = 0; e < d * more; ++e) {
    B[e] = 0.0;
    for (int k = 0; k < more; ++k) B[e] += AC[e / more * more + k] * schur[k * more + e % more];
    inverse[e / more * terms + d + e % more] = -B[e];
    inverse[(d + e % more) * terms + e / more] = -B[e];
  }
  for (int r = 0; r < d; ++r) {
    for (int c = 0; c < d; ++c) {
      for (int k = 0; k < more; ++k) inverse[r * terms + c] += B[r * more + k] * AC[c * more + k];
    }
  }
  return true;
}

typedef struct moments {
  mote_elastic *body;
  double strength;  // alpha E
} moments;

static void moments_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const moments *s = data;
  mote_elastic *b = s->body;
  int m = b->terms;
  for (size_t i = begin; i < end; ++i) {
    double M[MOTE_ELASTIC_TERMS * MOTE_ELASTIC_TERMS] = {0}, p[MOTE_ELASTIC_TERMS], squares = 0.0;
    for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
      const mote_elastic_pair *pair = &b->pair[k];
      mote_elastic_basis(b->dimensions, b->order, b->inverse_unit, pair->rest, p);
      for (int e = 0; e < m * m; ++e) M[e] += pair->weight * p[e / m] * p[e % m];
      squares += pair->weight * dot3(pair->rest, pair->rest);
    }
    b->spread[i] = squares;
    b->hourglass_stiffness[i] = squares > 0.0 ? s->strength * b->volume[i] / squares : -1.0;
    if (!(squares > 0.0) || !invert(b->dimensions, m, M, b->inverse + (size_t)(m * m) * i)) {
      b->hourglass_stiffness[i] = -1.0;
    }
  }
}

static mote_result make_moments(mote_elastic *b, const mote_elastic_def *def, mote_error *error) {
  double lambda = b->law.lambda, mu = b->law.mu, young = mu * (3.0 * lambda + 2.0 * mu) / (lambda + mu);
  moments s = {.body = b, .strength = def->hourglass * young};
  mote_parallel_for(b->env.threads, b->count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, moments_chunk, &s);
  for (size_t i = 0; i < b->count; ++i) {
    if (b->hourglass_stiffness[i] >= 0.0) continue;
    return mote_fail(error, MOTE_ERROR_ARGUMENT,
                     "elastic: particle %zu has %zu neighbours, too few or all in one %s", i,
                     b->first[i + 1] - b->first[i], b->dimensions == 2 ? "line" : "plane");
  }
  return MOTE_OK;
}

// --- The body -------------------------------------------------------------------------------------------

static void share_volumes(mote_elastic *b, const mote_elastic_def *def) {
  for (size_t i = 0; i < b->count; ++i) {
    b->rest_volume[i] = def->volume == NULL ? def->total_volume / (double)b->count : def->volume[i];
    b->volume[i] = b->rest_volume[i];
  }
}

// Mass and volume of a particle do not depend on the reference.
static void set_masses(mote_elastic *b, const mote_elastic_def *def, const mote_elastic_origin *origin) {
  for (size_t i = 0; i < b->count; ++i) {
    if (origin != NULL) b->volume[i] = origin->rest->volume[i];
    b->mass[i] = def->density * b->volume[i];
    b->hourglass_stiffness[i] *= b->volume[i] / b->rest_volume[i];
  }
}

static mote_result build(mote_elastic *b, const mote_elastic_def *def, const mote_elastic_origin *origin,
                         mote_error *error) {
  size_t n = b->count, matrix = (size_t)(b->terms * b->terms), rows = (size_t)(4 * b->rows);
  MOTE_TRY(take(&b->memory, &b->rest, 3 * n, sizeof(double), error));
  MOTE_TRY(take(&b->memory, &b->rest_volume, n, sizeof(double), error));
  MOTE_TRY(take(&b->memory, &b->volume, n, sizeof(double), error));
  MOTE_TRY(take(&b->memory, &b->mass, n, sizeof(double), error));
  MOTE_TRY(take(&b->memory, &b->hourglass_stiffness, n, sizeof(double), error));
  MOTE_TRY(take(&b->memory, &b->spread, n, sizeof(double), error));
  MOTE_TRY(take(&b->memory, &b->inverse, n * matrix, sizeof(double), error));
  MOTE_TRY(take(&b->memory, &b->first, n + 1, sizeof *b->first, error));
  MOTE_TRY(take(&b->memory, &b->fit, n * rows, sizeof(double), error));
  MOTE_TRY(take(&b->memory, &b->rate, n * rows, sizeof(double), error));
  MOTE_TRY(take(&b->memory, &b->stress_moment, n * rows, sizeof(double), error));
  double reach = 0.0;
  MOTE_TRY(take(&b->memory, &b->support, n, sizeof(double), error));
  for (size_t i = 0; i < n; ++i) {
    b->support[i] = mote_elastic_support(def, i);
    reach = max2(reach, b->support[i]);
  }
  mote_scale_of(reach, &b->inverse_unit);
  for (size_t k = 0; k < 3 * n; ++k) b->rest[k] = k % 3 < (size_t)b->dimensions ? def->position[k] : 0.0;
  share_volumes(b, def);
  MOTE_TRY(find_neighbours(b, def, reach, origin, error));
  MOTE_TRY(make_moments(b, def, error));
  if (b->slopes > 0) {
    MOTE_TRY(take(&b->memory, &b->slope, 6 * b->pairs, sizeof(double), error));
    mote_elastic_make_slopes(b, def);
  }
  if (origin == NULL) mote_elastic_integration_volumes(b);
  set_masses(b, def, origin);
  return MOTE_OK;
}

static mote_result make(const mote_elastic_def *def, const mote_env *env, const mote_elastic_origin *origin,
                        mote_elastic **out, mote_error *error) {
  mote_env use = *env;
  mote_elastic *b = mote_alloc(&use, 1, sizeof *b);
  if (b == NULL) return mote_fail_memory(error, sizeof *b);
  int slopes = def->gradient == MOTE_ELASTIC_ANALYTIC ? def->dimensions : 0;
  int terms = mote_elastic_terms(def->dimensions, def->order);
  *b =
      (mote_elastic){.env = use,
                     .memory = mote_arena_make(&use),
                     .dimensions = def->dimensions,
                     .order = def->order,
                     .terms = terms,
                     .slopes = slopes,
                     .rows = terms + slopes,
                     .count = def->count,
                     .law = mote_elastic_law_make(def->kind, def->young, def->poisson, def->volume_stiffness),
                     .damping = def->damping,
                     .def = *def};
  b->def.path_length = NULL, b->def.user = NULL;
  mote_result result = build(b, def, origin, error);
  if (result == MOTE_OK) {
    *out = b;
  } else {
    mote_elastic_destroy(b);
  }
  return result;
}

mote_result mote_elastic_create(const mote_elastic_def *def, const mote_env *env, mote_elastic **out,
                                mote_error *error) {
  if (def == NULL || out == NULL) return mote_fail_key(error, def == NULL ? "def" : "out", "is null");
  MOTE_TRY(check_def(def, error));
  mote_env use = mote_env_resolve(env);
  return make(def, &use, NULL, out, error);
}

mote_result mote_elastic_create_again(const mote_elastic_origin *origin, mote_elastic **out,
                                      mote_error *error) {
  MOTE_ASSERT(origin->rest != NULL && out != NULL);
  MOTE_ASSERT(origin->position != NULL);
  mote_elastic_def def = origin->rest->def;
  def.position = origin->position;
  def.support = origin->rest->support, def.volume = origin->rest->rest_volume;
  return make(&def, &origin->rest->env, origin, out, error);
}

void mote_elastic_destroy(mote_elastic *body) {
  if (body == NULL) return;
  mote_env env = body->env;
  mote_arena_destroy(&body->memory);
  mote_free(&env, body, 1, sizeof *body);
}
