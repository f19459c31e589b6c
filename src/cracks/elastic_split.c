// Resampling of an elastic body beside cracks: see elastic_split.h.
#include "cracks/elastic_split.h"

#include <math.h>
#include <mote/numeric.h>

#include "base/sets.h"
#include "cracks/tuning.inc"
#include "elastic/elastic_api.h"
#include "elastic/elastic_support.h"
#include "geom/triple.h"

static int parts_of(const mote_elastic *body) {
  return body->dimensions == 2 ? 4 : 8;
}

static double spacing_of(const mote_elastic *body, size_t i) {
  return body->dimensions == 2 ? sqrt(body->rest_volume[i]) : mote_cbrt(body->rest_volume[i]);
}

// Sums up to `most`.
static double omega(const mote_elastic *body, const mote_elastic_def *def, size_t i, double most) {
  double sum = 0.0;
  for (size_t k = body->first[i]; k < body->first[i + 1] && sum < most; ++k) {
    double length = body->renewed ? body->path_length[k] : length3(body->pair[k].rest);
    double whole = mote_elastic_weight(def, i, body->neighbour[k], length);
    if (whole > 0.0) sum += body->pair[k].weight / whole;
  }
  return sum;
}

double mote_elastic_omega(const mote_elastic *body, size_t i) {
  mote_elastic_def def = mote_elastic_own_def(body);
  return omega(body, &def, i, HUGE_VAL);
}

// By the inverse of the linear moments, whose eigenvalues have the same ratio.
static bool is_stretched(const mote_elastic *body, size_t i) {
  size_t d = (size_t)body->dimensions;
  double a[9] = {0}, values[3], vectors[9];
  for (size_t e = 0; e < d * d; ++e) a[e / d * 3 + e % d] = body->linear_inverse[d * d * i + e];
  return mote_eigen3(a, values, vectors) && values[0] > STRETCHED_MOMENT_RATIO * values[d - 1];
}

// --- Pieces --------------------------------------------------------------------------------------------

// The root of a piece is its lowest row, so that it gets its number before the others.
size_t mote_elastic_pieces(const mote_elastic *body, uint32_t *piece) {
  uint32_t pieces = 0;
  for (uint32_t i = 0; i < body->count; ++i) piece[i] = i;
  for (uint32_t i = 0; i < body->count; ++i) {
    for (size_t k = body->first[i]; k < body->first[i + 1]; ++k) {
      mote_set_join(piece, i, body->neighbour[k]);
    }
  }
  for (uint32_t i = 0; i < body->count; ++i) piece[i] = mote_set_root(piece, i);
  for (uint32_t i = 0; i < body->count; ++i) piece[i] = piece[i] == i ? pieces++ : piece[piece[i]];
  return pieces;
}

// --- Fragments that are too small ----------------------------------------------------------------------

typedef struct spread {
  size_t count;
  double sum[3], moment[9];
} spread;

static bool is_flat(const spread *s, int dimensions) {
  double a[9], values[3], vectors[9];
  if (s->count < (size_t)dimensions + 2) return true;
  for (int k = 0; k < 9; ++k)
    a[k] = s->moment[k] / (double)s->count -
           s->sum[k / 3] * s->sum[k % 3] / ((double)s->count * (double)s->count);
  return !mote_eigen3(a, values, vectors) || values[dimensions - 1] < FLAT_SPREAD_RATIO * values[0];
}

// flat[f]: the fragment is one.
static mote_result find_flat(const mote_elastic *body, const uint32_t *fragment, size_t fragments,
                             uint8_t *flat, mote_error *error) {
  MOTE_ALLOC_NEW(spread, all, &body->env, fragments, error);
  for (size_t f = 0; f < fragments; ++f) all[f] = (spread){.count = 0};
  for (size_t i = 0; i < body->count; ++i) {
    MOTE_ASSERT(fragment[i] < fragments);
    spread *s = all + fragment[i];
    // From the body's first particle, for accuracy far from the origin.
    double x[3];
    sub3(body->rest + 3 * i, body->rest, x);
    ++s->count;
    step3(s->sum, 1.0, x, s->sum);
    for (int k = 0; k < 9; ++k) s->moment[k] += x[k / 3] * x[k % 3];
  }
  for (size_t f = 0; f < fragments; ++f) flat[f] = all[f].count > 0 && is_flat(all + f, body->dimensions);
  mote_free(&body->env, all, fragments, sizeof *all);
  return MOTE_OK;
}

// --- Choice --------------------------------------------------------------------------------------------

mote_result mote_elastic_find_splits(const mote_elastic *body, const mote_split_def *def,
                                     const uint32_t *fragment, size_t fragments, uint32_t *row, size_t *count,
                                     bool *limited, mote_error *error) {
  if (body == NULL || def == NULL || row == NULL || count == NULL || limited == NULL)
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "body, def, row, count or limited is null");
  for (size_t i = 0; fragment != NULL && i < body->count; ++i) {
    if (fragment[i] >= fragments)
      return mote_fail_key(error, "fragment", "of particle %zu is %u of %zu", i, fragment[i], fragments);
  }
  double least = def->omega_min > 0.0 ? def->omega_min : body->dimensions == 2 ? 6.0 : 10.0;
  uint8_t *flat = NULL;
  if (fragment != NULL) {
    MOTE_ALLOC(flat, &body->env, fragments, error);
    mote_result result = find_flat(body, fragment, fragments, flat, error);
    if (result) {
      mote_free(&body->env, flat, fragments, sizeof *flat);
      return result;
    }
  }
  mote_elastic_def own = mote_elastic_own_def(body);
  *count = 0;
  *limited = false;
  for (uint32_t i = 0; i < body->count; ++i) {
    if (0.5 * spacing_of(body, i) * SPACING_MARGIN < def->least_spacing) continue;
    if (def->skip != NULL && def->skip[i] != 0) continue;
    double enough = def->uncut == NULL ? least : min2(least, (double)(def->uncut[i + 1] - def->uncut[i]));
    if (!(omega(body, &own, i, enough) < enough) && !(flat != NULL && flat[fragment[i]]) &&
        !(body->renewed && is_stretched(body, i)))
      continue;
    if (mote_elastic_split_count(body, *count + 1) > def->most) {
      *limited = true;
      break;
    }
    row[(*count)++] = i;
  }
  mote_free(&body->env, flat, fragments, sizeof *flat);
  return MOTE_OK;
}

size_t mote_elastic_split_count(const mote_elastic *body, size_t count) {
  return body->count + ((size_t)parts_of(body) - 1) * count;
}

// --- Splitting -----------------------------------------------------------------------------------------

static void offset_of(int part, double length, int dimensions, double delta[3]) {
  set3(part & 1 ? length : -length, part & 2 ? length : -length,
       dimensions == 2 ? 0.0
       : part & 4      ? length
                       : -length,
       delta);
}

// Whether no way from the parent to a part, `length` off along each axis, crosses a crack. (With parts nearer
// to the parent where there is no room, twelve of them made the explicit steps of 3,700 particles three times
// as short.)
static bool parts_fit(const mote_elastic *body, const mote_split_def *def, size_t i, double length) {
  const double *x = body->rest + 3 * i, *eye = def->eye == NULL ? x : def->eye + 3 * i;
  for (int part = 0; part < parts_of(body) && def->crosses != NULL; ++part) {
    double delta[3], to[3];
    offset_of(part, length, body->dimensions, delta);
    step3(x, 1.0, delta, to);
    if (def->crosses(def->user, eye, to)) return false;
  }
  return true;
}

// The rotation of sum w x_ij X_ij^T, which also a flat neighbourhood determines.
static void turn_of(const mote_elastic *body, const double *position, size_t i, double gradient[9]) {
  double A[9] = {0}, turn[9], stretch[9], x[3];
  for (size_t k = body->first[i]; k < body->first[i + 1]; ++k) {
    sub3(position + 3 * (size_t)body->neighbour[k], position + 3 * i, x);
    for (int e = 0; e < 9; ++e) A[e] += body->pair[k].weight * x[e / 3] * body->pair[k].rest[e % 3];
    if (body->dimensions == 2) A[8] += body->pair[k].weight * dot3(x, x);
  }
  bool turned = body->first[i + 1] > body->first[i] && mote_polar3(A, turn, stretch);
  for (int e = 0; e < 9; ++e) gradient[e] = turned ? turn[e] - (e % 4 == 0) : 0.0;
}

mote_result mote_elastic_split_gradients(mote_elastic *body, const double *position, double *gradient,
                                         mote_error *error) {
  MOTE_TRY(mote_elastic_find_strains(body, position, NULL, gradient, error));
  for (size_t i = 0; i < body->count; ++i) {
    if (body->spread[i] == MOTE_ELASTIC_LOOSE_SPREAD) turn_of(body, position, i, gradient + 9 * i);
  }
  return MOTE_OK;
}

static void copy_row(const mote_elastic *body, const mote_elastic_motion *motion, size_t i, size_t to,
                     mote_split_rows *out) {
  copy3(body->rest + 3 * i, out->rest + 3 * to);
  copy3(motion->position + 3 * i, out->position + 3 * to);
  copy3(motion->velocity + 3 * i, out->velocity + 3 * to);
  out->support[to] = body->support[i];
  out->volume[to] = body->rest_volume[i];
  out->parent[to] = (uint32_t)i;
}

// Parts of particle i, the first of them in its row. gradient: of the displacements, row by row.
static void split_row(const mote_elastic *body, const mote_elastic_motion *motion, size_t i, double length,
                      const double gradient[9], mote_split_rows *out) {
  int parts = parts_of(body);
  for (int part = 0; part < parts; ++part) {
    size_t to = part == 0 ? i : out->count++;
    double delta[3], moved[3];
    copy_row(body, motion, i, to, out);
    offset_of(part, length, body->dimensions, delta);
    turn3(gradient, delta, moved);
    step3(delta, 1.0, moved, moved);  // F delta
    step3(out->rest + 3 * to, 1.0, delta, out->rest + 3 * to);
    step3(out->position + 3 * to, 1.0, moved, out->position + 3 * to);
    out->support[to] = 0.5 * body->support[i];
    out->volume[to] = body->rest_volume[i] / parts;
  }
}

mote_result mote_elastic_split(mote_elastic *body, const mote_split_def *def,
                               const mote_elastic_motion *motion, const uint32_t *row, size_t count,
                               mote_split_rows *out, mote_error *error) {
  if (body == NULL || def == NULL || motion == NULL || out == NULL || (row == NULL && count > 0))
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "body, def, motion, row or out is null");
  MOTE_TRY(mote_elastic_check_motion(body, motion, true, error));
  for (size_t k = 0; k < count; ++k) {
    if (row[k] >= body->count || (k > 0 && row[k] <= row[k - 1]))
      return mote_fail_key(error, "row", "[%zu] is %u, not ascending or beyond the body", k, row[k]);
  }
  MOTE_ALLOC_NEW(double, own, &body->env, 9 * body->count, error);
  const double *gradient = def->gradient != NULL ? def->gradient : own;
  mote_result result =
      def->gradient != NULL ? MOTE_OK : mote_elastic_split_gradients(body, motion->position, own, error);
  if (result == MOTE_OK) {
    for (size_t i = 0; i < body->count; ++i) copy_row(body, motion, i, i, out);
    out->count = body->count;
    for (size_t k = 0; k < count; ++k) {
      double length = 0.25 * spacing_of(body, row[k]);
      if (parts_fit(body, def, row[k], length))
        split_row(body, motion, row[k], length, gradient + 9 * (size_t)row[k], out);
    }
  }
  mote_free(&body->env, own, 9 * body->count, sizeof *own);
  return result;
}
