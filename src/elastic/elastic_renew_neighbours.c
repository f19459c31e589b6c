// Neighbours in a new reference: see elastic_renew.h. Both ends of a pair find it independently, with
// identical bits.
#include <math.h>
#include <mote/numeric.h>

#include "base/parallel.h"
#include "elastic/elastic_renew.h"
#include "elastic/elastic_support.h"
#include "geom/symmetric.h"

#define DETOUR_MAX 1.2      // greatest path length by a common neighbour, over the straight distance
#define NEIGHBOURS_MAX 512  // per particle

typedef struct joining {
  mote_elastic *body;
  const mote_elastic_def *def;
  const mote_elastic_origin *origin;
  bool fills;  // else counts only
} joining;

// Distance in the metric.
static double distance_in_metric(const joining *s, size_t i, size_t j) {
  const double *x = s->origin->position, *a = s->origin->metric + 6 * i, *b = s->origin->metric + 6 * j;
  double mean[6], H[9], y[3], z[3];
  for (int k = 0; k < 6; ++k) mean[k] = 0.5 * (a[k] + b[k]);
  symmetric_open(mean, H);
  sub3(x + 3 * j, x + 3 * i, y);
  if (s->def->dimensions == 2) y[2] = 0.0;
  turn3(H, y, z);
  step3(y, 1.0, z, y);
  return length3(y);
}

typedef struct found {
  uint32_t neighbour[NEIGHBOURS_MAX];
  double length[NEIGHBOURS_MAX], factor[NEIGHBOURS_MAX];
  uint32_t count;
  bool full;
} found;

// Ascending, without duplicates.
static void keep(const joining *s, size_t i, size_t j, double length, double factor, found *f) {
  uint32_t at = f->count;
  while (at > 0 && f->neighbour[at - 1] > j) --at;
  if (at > 0 && f->neighbour[at - 1] == j) {
    f->factor[at - 1] = max2(f->factor[at - 1], factor);
    return;
  }
  if (!(mote_elastic_weight(s->def, i, j, length) > 0.0)) return;
  f->full = f->full || f->count == NEIGHBOURS_MAX;
  if (f->full) return;
  for (uint32_t k = f->count++; k > at; --k)
    f->neighbour[k] = f->neighbour[k - 1], f->length[k] = f->length[k - 1], f->factor[k] = f->factor[k - 1];
  f->neighbour[at] = (uint32_t)j, f->length[at] = length, f->factor[at] = factor;
}

// Whether i and j were no neighbours at rest only because of their distance, with k between them.
static bool were_behind(const joining *s, size_t i, size_t k, size_t j) {
  const double *X = s->origin->rest->rest;
  double distance = distance3(X + 3 * i, X + 3 * j);
  return distance >= mote_elastic_reach(s->def, i, j) &&
         distance3(X + 3 * i, X + 3 * k) + distance3(X + 3 * k, X + 3 * j) <= DETOUR_MAX * distance;
}

static double factor_of(const mote_elastic *rest, size_t pair) {
  return rest->factor == NULL ? 1.0 : rest->factor[pair];
}

// A path that is bent at rest stays as many times longer than the straight one.
static void find(const joining *s, size_t i, found *f) {
  const mote_elastic *r = s->origin->rest;
  f->count = 0, f->full = false;
  for (size_t a = r->first[i]; a < r->first[i + 1]; ++a) {
    size_t k = r->neighbour[a];
    double straight = length3(r->pair[a].rest);
    double detour = r->path_length[a] > straight ? r->path_length[a] / straight : 1.0;
    keep(s, i, k, distance_in_metric(s, i, k) * detour, factor_of(r, a), f);
    for (size_t b = r->first[k]; b < r->first[k + 1]; ++b) {
      size_t j = r->neighbour[b];
      if (j == i || !were_behind(s, i, k, j)) continue;
      keep(s, i, j, distance_in_metric(s, i, j), factor_of(r, a) * factor_of(r, b), f);
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
      b->neighbour[b->first[i] + k] = f.neighbour[k];
      b->path_length[b->first[i] + k] = f.length[k];
      pair->weight = mote_elastic_weight(s->def, i, f.neighbour[k], f.length[k]);
      if (b->factor != NULL) b->factor[b->first[i] + k] = f.factor[k], pair->weight *= f.factor[k];
      sub3(s->origin->position + 3 * (size_t)f.neighbour[k], s->origin->position + 3 * i, pair->rest);
      if (b->dimensions == 2) pair->rest[2] = 0.0;
    }
  }
}

mote_result mote_elastic_renew_neighbours(mote_elastic *body, const mote_elastic_def *def,
                                          const mote_elastic_origin *origin, mote_error *error) {
  MOTE_ASSERT(def != NULL && origin->rest != NULL);
  MOTE_ASSERT(body->count == origin->rest->count);
  joining s = {.body = body, .def = def, .origin = origin};
  mote_parallel_for(body->env.threads, body->count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, join_chunk, &s);
  for (size_t i = 0; i < body->count; ++i) {
    if (body->first[i + 1] == SIZE_MAX)
      return mote_fail(error, MOTE_ERROR_ARGUMENT, "elastic: particle %zu has more than %d neighbours", i,
                       NEIGHBOURS_MAX);
  }
  MOTE_TRY(mote_elastic_reserve_pairs(body, origin->rest->factor != NULL, error));
  s.fills = true;
  mote_parallel_for(body->env.threads, body->count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, join_chunk, &s);
  return MOTE_OK;
}
