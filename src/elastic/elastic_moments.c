// Moments of an elastic body's neighbourhoods, EG09 (38), and what follows from them with the volumes:
// hourglass stiffness, masses. See elastic_body.h. Theory: docs/theory/elastic.md
#include <mote/numeric.h>
#include <string.h>

#include "base/parallel.h"
#include "elastic/elastic_basis.h"
#include "elastic/elastic_renew.h"
#include "elastic/tuning.inc"
#include "geom/triple.h"

// Inverts the moments M: the linear block always, the quadratic block by its Schur complement as far as
// second derivatives are determined. Returns false where the linear block is singular (a flat neighbourhood).
static bool invert(int d, int terms, double flat, const double *M, double *inverse, double *linear) {
  int more = terms - d;
  double A[9], C[3 * 6], AC[3 * 6], schur[36], scale = 0.0, left = 0.0, size;
  for (int e = 0; e < d * d; ++e) A[e] = M[e / d * terms + e % d];
  if (mote_dense_pseudo_inverse(d, A, flat, A, &size) < d) return false;
  memcpy(linear, A, (size_t)(d * d) * sizeof *A);
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

// alpha E
static double hourglass_modulus(const mote_elastic *b) {
  double lambda = b->law.lambda, mu = b->law.mu, young = mu * (3.0 * lambda + 2.0 * mu) / (lambda + mu);
  return b->def.hourglass * young;
}

double mote_elastic_hourglass_at_rest(const mote_elastic *body, size_t i) {
  MOTE_ASSERT(i < body->count && body->spread[i] > 0.0);
  return hourglass_modulus(body) * body->rest_volume[i] / body->spread[i];
}

static void moments_of(mote_elastic *b, size_t i) {
  int m = b->terms, d = b->dimensions;
  double M[MOTE_ELASTIC_TERMS * MOTE_ELASTIC_TERMS] = {0}, p[MOTE_ELASTIC_TERMS], squares = 0.0;
  for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
    const mote_elastic_pair *pair = &b->pair[k];
    mote_elastic_basis(d, b->order, b->inverse_unit, pair->rest, p);
    for (int e = 0; e < m * m; ++e) M[e] += pair->weight * p[e / m] * p[e % m];
    squares += pair->weight * dot3(pair->rest, pair->rest);
  }
  b->spread[i] = squares;
  double flat = b->breaks ? BROKEN_MOMENT_RATIO : FLAT_MOMENT_RATIO;
  bool full = squares > 0.0 && invert(d, m, flat, M, b->inverse + (size_t)(m * m) * i,
                                      b->linear_inverse + (size_t)(d * d) * i);
  b->hourglass_stiffness[i] = full ? mote_elastic_hourglass_at_rest(b, i) : -1.0;
  bool clamped = b->clamp != NULL && b->clamp[i] != MOTE_ELASTIC_FREE;
  if (full || !(clamped || b->breaks)) return;
  memset(b->inverse + (size_t)(m * m) * i, 0, (size_t)(m * m) * sizeof *b->inverse);  // stores no energy
  memset(b->linear_inverse + (size_t)(d * d) * i, 0, (size_t)(d * d) * sizeof *b->linear_inverse);
  b->hourglass_stiffness[i] = 0.0, b->spread[i] = clamped ? 1.0 : MOTE_ELASTIC_LOOSE_SPREAD;
}

typedef struct moment_loop {
  mote_elastic *body;
  const uint32_t *rows;
} moment_loop;

static void moments_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const moment_loop *s = data;
  for (size_t k = begin; k < end; ++k) moments_of(s->body, s->rows == NULL ? k : s->rows[k]);
}

mote_result mote_elastic_make_moments(mote_elastic *body, const uint32_t *rows, size_t count,
                                      mote_error *error) {
  mote_elastic *b = body;
  MOTE_ASSERT(count <= b->count);
  moment_loop s = {.body = b, .rows = rows};
  mote_parallel_for(b->env.threads, count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, moments_chunk, &s);
  for (size_t k = 0; k < count; ++k) {
    size_t i = rows == NULL ? k : rows[k];
    if (b->hourglass_stiffness[i] >= 0.0) continue;
    return mote_fail(error, MOTE_ERROR_ARGUMENT,
                     "elastic: particle %zu has %zu neighbours, too few or all in one %s", i,
                     b->first[i + 1] - b->first[i], b->dimensions == 2 ? "line" : "plane");
  }
  return MOTE_OK;
}

void mote_elastic_set_masses(mote_elastic *body) {
  for (size_t i = 0; i < body->count; ++i) {
    body->mass[i] = body->def.density * body->volume[i];
    body->hourglass_stiffness[i] *= body->volume[i] / body->rest_volume[i];
  }
}

mote_elastic_def mote_elastic_own_def(const mote_elastic *body) {
  mote_elastic_def def = body->def;
  def.position = NULL, def.support = body->support, def.volume = body->rest_volume;
  return def;
}

void mote_elastic_use_lists(mote_elastic *body) {
  const mote_elastic_lists *l = &body->lists;
  body->pairs = l->pairs, body->first = l->first, body->neighbour = l->neighbour, body->pair = l->pair;
  body->path_length = l->path_length, body->factor = l->factor, body->slope = l->slope;
}

mote_result mote_elastic_reserve_pairs(mote_elastic *b, bool factors, mote_error *error) {
  MOTE_ASSERT(b->first != NULL && b->count > 0);
  b->first[0] = 0;
  for (size_t i = 0; i < b->count; ++i) b->first[i + 1] += b->first[i];
  b->lists.pairs = b->first[b->count];
  mote_result result =
      mote_elastic_lists_reserve(&b->env, &b->lists, b->count, b->lists.pairs, factors, b->slopes > 0, error);
  mote_elastic_use_lists(b);
  return result;
}
