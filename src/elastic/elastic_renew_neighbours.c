// Neighbours in another reference than the rest shape: see elastic_renew.h. Both ends of a pair find it by
// themselves, with the same bits.
#include <math.h>
#include <mote/numeric.h>

#include "approx/kernel.h"
#include "base/parallel.h"
#include "elastic/elastic_renew.h"
#include "elastic/elastic_support.h"
#include "geom/symmetric.h"

#define AROUND 1.2  // a way by a common neighbour, over the straight one
#define MOST 512    // neighbours of a particle
#define BENT 1e-6   // by which ways at rest are longer than straight ones if they have a bend

typedef struct joining {
  mote_elastic *body;
  const mote_elastic_def *def;
  const mote_elastic_origin *origin;
  bool fills;  // or else counts
} joining;

// How far apart they are in the metric, over their reach.
static double apart(const joining *s, size_t i, size_t j) {
  const double *x = s->origin->position, *a = s->origin->metric + 6 * i, *b = s->origin->metric + 6 * j;
  double mean[6], H[9], y[3], z[3];
  for (int k = 0; k < 6; ++k) mean[k] = 0.5 * (a[k] + b[k]);
  symmetric_open(mean, H);
  sub3(x + 3 * j, x + 3 * i, y);
  if (s->def->dimensions == 2) y[2] = 0.0;
  turn3(H, y, z);
  step3(y, 1.0, z, y);
  return length3(y) / mote_elastic_reach(s->def, i, j);
}

// How much longer the way between neighbours at rest is than the straight one, by their weight.
static double detour(const joining *s, size_t i, size_t j, const mote_elastic_pair *pair) {
  double straight = length3(pair->rest) / mote_elastic_reach(s->def, i, j);
  double part = pair->weight / mote_elastic_balance(s->def, i, j);
  double way = sqrt(max2(1.0 - mote_cbrt(part), 0.0));
  return way > (1.0 + BENT) * straight ? way / straight : 1.0;
}

typedef struct found {
  uint32_t near[MOST];
  double weight[MOST];
  uint32_t count;
  bool full;
} found;

// Ascending, each once.
static void keep(const joining *s, size_t i, size_t j, double q, found *f) {
  uint32_t at = f->count;
  while (at > 0 && f->near[at - 1] > j) --at;
  double weight = mote_shape_value(MOTE_KERNEL_POLY6, s->def->dimensions, q);
  weight *= mote_elastic_balance(s->def, i, j);
  if (!(weight > 0.0) || (at > 0 && f->near[at - 1] == j)) return;
  f->full = f->full || f->count == MOST;
  if (f->full) return;
  for (uint32_t k = f->count++; k > at; --k) f->near[k] = f->near[k - 1], f->weight[k] = f->weight[k - 1];
  f->near[at] = (uint32_t)j, f->weight[at] = weight;
}

// Whether i and j were no neighbours at rest because they were too far apart, with k between them.
static bool were_behind(const joining *s, size_t i, size_t k, size_t j) {
  const double *X = s->origin->rest->rest;
  double far = distance3(X + 3 * i, X + 3 * j);
  return far >= mote_elastic_reach(s->def, i, j) &&
         distance3(X + 3 * i, X + 3 * k) + distance3(X + 3 * k, X + 3 * j) <= AROUND * far;
}

static void find(const joining *s, size_t i, found *f) {
  const mote_elastic *r = s->origin->rest;
  f->count = 0, f->full = false;
  for (size_t a = r->first[i]; a < r->first[i + 1]; ++a) {
    size_t k = r->near[a];
    double q = apart(s, i, k) * detour(s, i, k, &r->pair[a]);
    if (q < 1.0) keep(s, i, k, q, f);
    for (size_t b = r->first[k]; b < r->first[k + 1]; ++b) {
      size_t j = r->near[b];
      if (j == i || !were_behind(s, i, k, j)) continue;
      q = apart(s, i, j);
      if (q < 1.0) keep(s, i, j, q, f);
    }
  }
}

static void join_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const joining *s = data;
  mote_elastic *b = s->body;
  found f;
  for (size_t i = begin; i < end; ++i) {
    find(s, i, &f);
    if (!s->fills) b->first[i + 1] = f.full ? SIZE_MAX : f.count;
    for (size_t k = 0; s->fills && k < f.count; ++k) {
      mote_elastic_pair *pair = &b->pair[b->first[i] + k];
      b->near[b->first[i] + k] = f.near[k];
      pair->weight = f.weight[k];
      sub3(s->origin->position + 3 * (size_t)f.near[k], s->origin->position + 3 * i, pair->rest);
      if (b->dimensions == 2) pair->rest[2] = 0.0;
    }
  }
}

mote_result mote_elastic_join_again(mote_elastic *body, const mote_elastic_def *def,
                                    const mote_elastic_origin *origin, mote_error *error) {
  joining s = {.body = body, .def = def, .origin = origin};
  mote_parallel_for(body->env.threads, body->count, MOTE_ELASTIC_GRAIN, join_chunk, &s);
  for (size_t i = 0; i < body->count; ++i) {
    if (body->first[i + 1] == SIZE_MAX)
      return mote_fail(error, MOTE_ERROR_ARGUMENT, "elastic: particle %zu has more than %d neighbours", i,
                       MOST);
  }
  MOTE_TRY(mote_elastic_reserve_pairs(body, error));
  s.fills = true;
  mote_parallel_for(body->env.threads, body->count, MOTE_ELASTIC_GRAIN, join_chunk, &s);
  return MOTE_OK;
}
