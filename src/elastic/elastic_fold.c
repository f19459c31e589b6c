// Fold control: see elastic_fold.h.
#include "elastic/elastic_fold.h"

#include <math.h>

#include "base/check.h"
#include "base/parallel.h"
#include "elastic/tuning.inc"
#include "geom/triple.h"

double mote_elastic_fold_stiffness(const mote_elastic *b, size_t i, double strain2) {
  if (!(strain2 > FOLD_FREE * FOLD_FREE)) return 0.0;
  return b->fold_modulus * b->volume[i] / b->spread[i] * (1.0 - FOLD_FREE / sqrt(strain2));
}

double mote_elastic_fold_between(const mote_elastic *b, size_t i, double first, double last) {
  double r[2] = {sqrt(max2(0.0, first)), sqrt(max2(0.0, last))}, beyond[2];
  for (int k = 0; k < 2; ++k) beyond[k] = max2(0.0, r[k] - FOLD_FREE);
  if (beyond[0] == 0.0 && beyond[1] == 0.0) return 0.0;
  double slope = beyond[0] > 0.0 && beyond[1] > 0.0 ? 1.0 : (beyond[1] - beyond[0]) / (r[1] - r[0]);
  return b->fold_modulus * b->volume[i] / b->spread[i] * slope * (beyond[0] + beyond[1]) / (r[0] + r[1]);
}

double mote_elastic_fold_of(const mote_elastic *b, const mote_elastic_motion *motion, size_t i) {
  return motion->more == NULL ? b->fold_stiffness[i] : motion->more[MOTE_MIDPOINT_NUMBERS * i + 15];
}

double mote_elastic_fold_energy(const mote_elastic *b, const mote_elastic_motion *motion, size_t i) {
  if (motion->more != NULL)
    return 0.5 * mote_elastic_fold_of(b, motion, i) * b->spread[i] * b->fold_strain2[i];
  double most = b->fold_modulus * b->volume[i], share = b->fold_stiffness[i] * b->spread[i];
  if (share == 0.0) return 0.0;
  double beyond = FOLD_FREE / (1.0 - share / most) - FOLD_FREE;
  return 0.5 * most * beyond * beyond;
}

// dk'/dm, times 2.
static double growth(const mote_elastic *b, size_t i) {
  double spread = b->spread[i], strain2 = b->fold_strain2[i];
  return b->fold_modulus * b->volume[i] * FOLD_FREE / (strain2 * sqrt(strain2) * spread * spread);
}

typedef struct fold_loop {
  const mote_elastic *body;
  const double *position, *direction;
  double *out;
} fold_loop;

// w (u - fit) of particle i and its pair k. The linear fit is odd, so the formula holds for the neighbour
// with its own fit.
static void misfit_of(const fold_loop *s, size_t i, size_t k, size_t fit, double out[3]) {
  const mote_elastic *b = s->body;
  const mote_elastic_pair *pair = &b->pair[k];
  size_t d = (size_t)b->dimensions;
  const double *linear = b->linear_fit + 4 * d * fit;
  sub3(s->position + 3 * (size_t)b->neighbour[k], s->position + 3 * i, out);
  sub3(out, pair->rest, out);
  for (size_t t = 0; t < d; ++t)
    for (int c = 0; c < 3; ++c) out[c] -= b->inverse_unit * pair->rest[t] * linear[4 * t + (size_t)c];
  for (int c = 0; c < 3; ++c) out[c] *= pair->weight;
}

// Change of k' by the misfit. The change of the fit contributes nothing, because the misfit is minimal.
static void change_chunk(void *data, size_t begin, size_t end, size_t *folds) {
  const fold_loop *s = data;
  const mote_elastic *b = s->body;
  for (size_t i = begin; i < end; ++i) {
    b->fold_change[i] = 0.0;
    if (b->fold_stiffness[i] == 0.0) continue;
    double along = 0.0, misfit[3], u[3];
    for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
      misfit_of(s, i, k, i, misfit);
      sub3(s->direction + 3 * (size_t)b->neighbour[k], s->direction + 3 * i, u);
      along += dot3(misfit, u);
    }
    b->fold_change[i] = growth(b, i) * along;
    ++folds[0];
  }
}

static void gather_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const fold_loop *s = data;
  const mote_elastic *b = s->body;
  for (size_t i = begin; i < end; ++i) {
    for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
      size_t ends[2] = {i, b->neighbour[k]};
      for (int e = 0; e < 2; ++e) {
        double misfit[3], change = b->fold_change[ends[e]];
        if (change == 0.0) continue;
        misfit_of(s, i, k, ends[e], misfit);
        for (size_t c = 0; c < 3; ++c) s->out[3 * i + c] -= change * misfit[c];
      }
    }
  }
}

void mote_elastic_fold_apply(const mote_elastic *body, const double *position, const double *direction,
                             double *out) {
  MOTE_ASSERT(direction != NULL && out != NULL);
  if (!(body->fold_modulus > 0.0)) return;
  fold_loop s = {.body = body, .position = position, .direction = direction, .out = out};
  size_t folds;
  mote_parallel_count(body->env.threads, body->count, 1, change_chunk, &s, &folds);
  if (folds > 0)
    mote_parallel_for(body->env.threads, body->count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, gather_chunk, &s);
}
