// Volumes of an elastic body's particles as quadrature weights: see elastic_body.h. Reads the given volumes,
// pairs and inverse moments; writes volumes.
#include <math.h>
#include <mote/numeric.h>

#include "base/parallel.h"
#include "elastic/elastic_basis.h"
#include "elastic/tuning.inc"
#include "geom/triple.h"

// Index of the squares among the basis functions: y_k^2/sqrt(2).
static int square_of(int dimensions, int k) {
  MOTE_ASSERT(dimensions <= 3 && k >= 0 && k < dimensions);
  static const int plane[2] = {2, 4}, space[3] = {3, 6, 8};
  return dimensions == 2 ? plane[k] : space[k];
}

// Second moment of a cubic cell about its centre, per volume and axis, m^2.
static double spread_of(const mote_elastic *b, double volume) {
  double edge = b->dimensions == 3 ? mote_cbrt(volume) : sqrt(volume);
  return edge * edge / 12.0;
}

typedef struct weighing {
  mote_elastic *body;
  const uint8_t *clamp;  // null: none
  double *row;           // terms per particle: coefficients of its fit for V <x^2> (second derivatives)/2
  double *out;
} weighing;

static void rows_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const weighing *s = data;
  const mote_elastic *b = s->body;
  size_t m = (size_t)b->terms;
  double unit = b->inverse_unit * b->inverse_unit;
  for (size_t i = begin; i < end; ++i) {
    double scale = 0.5 * b->volume[i] * spread_of(b, b->volume[i]) * 2.0 * MOTE_ROOT_HALF * unit;
    for (size_t t = 0; t < m; ++t) {
      double sum = 0.0;
      for (int k = 0; k < b->dimensions; ++k)
        sum += b->inverse[m * m * i + m * (size_t)square_of(b->dimensions, k) + t];
      s->row[m * i + t] = scale * sum;
    }
  }
}

// Share of i's integral that belongs to the field at j, minus the opposite share.
static void shares_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const weighing *s = data;
  const mote_elastic *b = s->body;
  int m = b->terms;
  for (size_t i = begin; i < end; ++i) {
    double gained = 0.0, p[MOTE_ELASTIC_TERMS];
    for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) {
      const double *own = s->row + (size_t)m * i, *other = s->row + (size_t)m * b->neighbour[k];
      double taken = 0.0;
      if (s->clamp != NULL && (s->clamp[i] != 0 || s->clamp[b->neighbour[k]] != 0)) continue;
      mote_elastic_basis(b->dimensions, b->order, b->inverse_unit, b->pair[k].rest, p);
      for (int t = 0; t < m; ++t) {  // from the other end the linear functions change sign
        taken += (t < b->dimensions ? -p[t] : p[t]) * other[t] - p[t] * own[t];
      }
      gained += b->pair[k].weight * taken;
    }
    s->out[i] = b->volume[i] + gained;
  }
}

// Near the surface of irregular arrangements weights may deviate strongly: limits them, and scales all to
// restore the sum.
static void limit(mote_elastic *b, const double *wanted) {
  double before = 0.0, after = 0.0;
  bool cut = false;
  for (size_t i = 0; i < b->count; ++i) {
    double least = b->volume[i] / VOLUME_RATIO_MAX, most = b->volume[i] * VOLUME_RATIO_MAX;
    cut = cut || wanted[i] < least || wanted[i] > most;
    before += b->volume[i];
    b->volume[i] = max2(least, min2(most, wanted[i]));
    after += b->volume[i];
  }
  for (size_t i = 0; i < b->count && cut; ++i) b->volume[i] *= before / after;
}

void mote_elastic_integration_volumes(mote_elastic *body, bool clamped) {
  MOTE_ASSERT(body->volume != NULL && body->inverse != NULL);
  weighing s = {.body = body, .row = body->fit, .out = body->stress_moment};
  if (clamped) s.clamp = body->clamp;
  if (body->order < 2) return;
  mote_parallel_for(body->env.threads, body->count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, rows_chunk, &s);
  mote_parallel_for(body->env.threads, body->count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, shares_chunk, &s);
  limit(body, s.out);
}
