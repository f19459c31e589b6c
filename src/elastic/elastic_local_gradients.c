// Gradients of particles: see elastic_local_gradients.h.
#include "elastic/elastic_local_gradients.h"

#include <mote/numeric.h>
#include <string.h>

#include "base/parallel.h"
#include "elastic/tuning.inc"
#include "geom/triple.h"

typedef struct gradient_loop {
  const mote_elastic *body;
  const double *position;
  double *gradient;
} gradient_loop;

// Moments at rest, and of present with rest offsets.
static void sum_moments(const gradient_loop *l, size_t i, double rest[9], double mixed[9]) {
  const mote_elastic *b = l->body;
  memset(rest, 0, 9 * sizeof *rest), memset(mixed, 0, 9 * sizeof *mixed);
  for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
    size_t j = b->neighbour[k];
    double X[3], x[3];
    sub3(b->rest + 3 * j, b->rest + 3 * i, X);
    sub3(l->position + 3 * j, l->position + 3 * i, x);
    double q = dot3(X, X) / (b->support[i] * b->support[i]), w = q < 1.0 ? (1.0 - q) * (1.0 - q) : 0.0;
    if (b->factor != NULL) w *= b->factor[k];
    for (int a = 0; a < 9; ++a) rest[a] += w * X[a / 3] * X[a % 3], mixed[a] += w * x[a / 3] * X[a % 3];
  }
}

static void multiply(const double a[9], const double b[9], double out[9]) {
  for (int k = 0; k < 9; ++k)
    out[k] = a[k / 3 * 3] * b[k % 3] + a[k / 3 * 3 + 1] * b[3 + k % 3] + a[k / 3 * 3 + 2] * b[6 + k % 3];
}

static void find_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const gradient_loop *l = data;
  for (size_t i = begin; i < end; ++i) {
    double rest[9], mixed[9], turn[9], turned[9], inverse[9], stretch[9], *F = l->gradient + 9 * i;
    sum_moments(l, i, rest, mixed);
    for (int k = 0; k < 9; ++k) F[k] = k % 4 == 0;
    if (!mote_polar3(mixed, turn, stretch)) continue;
    memcpy(F, turn, sizeof turn);
    if (mote_dense_pseudo_inverse(3, rest, LEAST_RANK, inverse, NULL) <= 0) continue;
    multiply(turn, rest, turned);
    for (int k = 0; k < 9; ++k) mixed[k] -= turned[k];
    multiply(mixed, inverse, stretch);
    for (int k = 0; k < 9; ++k) F[k] += stretch[k];
  }
}

void mote_elastic_find_local_gradients(const mote_elastic *body, const double *position, double *gradient) {
  gradient_loop l = {body, position, gradient};
  mote_parallel_for(body->env.threads, body->count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, find_chunk, &l);
}
