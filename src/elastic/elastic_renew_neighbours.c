// Neighbours in a new reference: see elastic_renew.h. Both ends of a pair find it independently, with
// identical bits.
#include <math.h>
#include <mote/numeric.h>
#include <string.h>

#include "base/parallel.h"
#include "elastic/elastic_renew.h"
#include "elastic/elastic_support.h"
#include "elastic/tuning.inc"
#include "geom/symmetric.h"

#define NEIGHBOURS_MAX 512  // per particle

// Relation of a candidate to the target particle.
typedef enum standing {
  UNKNOWN,
  NEAR_AT_REST,  // joined directly or not at all
  FAR_NOW,       // beyond reach in the metric
  KEPT
} standing;

typedef struct joining {
  mote_elastic *body;
  const mote_elastic_def *def;
  const mote_elastic_origin *origin;
  bool fills;       // else counts only
  uint32_t *seen;   // of each worker and particle: 1 + the particle for which `known` is
  uint16_t *known;  // of each worker and particle: its standing and, above it, its place among the found
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
  uint32_t *seen;
  uint16_t *known;
} found;

static standing known_of(const found *f, size_t i, size_t j) {
  return f->seen[j] == i + 1 ? (standing)(f->known[j] & 3u) : UNKNOWN;
}

static void learn(found *f, size_t i, size_t j, standing what, uint32_t place) {
  f->seen[j] = (uint32_t)(i + 1), f->known[j] = (uint16_t)(4u * place + (unsigned)what);
}

// A particle not yet visited.
static void keep(const joining *s, size_t i, size_t j, double length, double factor, found *f) {
  bool near = mote_elastic_weight(s->def, i, j, length) > 0.0;
  f->full = f->full || (near && f->count == NEIGHBOURS_MAX);
  if (!near || f->full) {
    learn(f, i, j, FAR_NOW, 0);
    return;
  }
  learn(f, i, j, KEPT, f->count);
  f->neighbour[f->count] = (uint32_t)j, f->length[f->count] = length, f->factor[f->count++] = factor;
}

// Whether the path by k is not much longer than the straight one.
static bool is_between(const joining *s, size_t i, size_t k, size_t j) {
  const double *X = s->origin->rest->rest;
  return distance3(X + 3 * i, X + 3 * k) + distance3(X + 3 * k, X + 3 * j) <=
         DETOUR_MAX * distance3(X + 3 * i, X + 3 * j);
}

static bool is_near_at_rest(const joining *s, size_t i, size_t j) {
  const double *X = s->origin->rest->rest;
  return !(distance3(X + 3 * i, X + 3 * j) >= mote_elastic_reach(s->def, i, j));
}

// By ascending number.
static void sort_found(found *f) {
  for (uint32_t n = 1; n < f->count; ++n) {
    uint32_t j = f->neighbour[n], at = n;
    double length = f->length[n], factor = f->factor[n];
    for (; at > 0 && f->neighbour[at - 1] > j; --at)
      f->neighbour[at] = f->neighbour[at - 1], f->length[at] = f->length[at - 1],
      f->factor[at] = f->factor[at - 1];
    f->neighbour[at] = j, f->length[at] = length, f->factor[at] = factor;
  }
}

static double factor_of(const mote_elastic *rest, size_t pair) {
  return rest->factor == NULL ? 1.0 : rest->factor[pair];
}

// A particle j beyond a neighbour k, which was no neighbour at rest only because of its distance.
static void find_behind(const joining *s, size_t i, size_t k, size_t j, double factor, found *f) {
  standing what = known_of(f, i, j);
  if (what == UNKNOWN && is_near_at_rest(s, i, j)) learn(f, i, j, what = NEAR_AT_REST, 0);
  if (what == NEAR_AT_REST || what == FAR_NOW || !is_between(s, i, k, j)) return;
  if (what == UNKNOWN) {
    keep(s, i, j, distance_in_metric(s, i, j), factor, f);
  } else {
    double *kept = f->factor + f->known[j] / 4u;
    *kept = max2(*kept, factor);
  }
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
    learn(f, i, k, NEAR_AT_REST, 0);
  }
  for (size_t a = r->first[i]; a < r->first[i + 1]; ++a) {
    size_t k = r->neighbour[a];
    for (size_t b = r->first[k]; b < r->first[k + 1]; ++b) {
      if (r->neighbour[b] != i) find_behind(s, i, k, r->neighbour[b], factor_of(r, a) * factor_of(r, b), f);
    }
  }
  sort_found(f);
}

static void join_chunk(void *data, size_t begin, size_t end, int worker) {
  const joining *s = data;
  mote_elastic *b = s->body;
  found f = {.seen = s->seen + b->count * (size_t)worker, .known = s->known + b->count * (size_t)worker};
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

static mote_result join(joining *s, mote_error *error) {
  mote_elastic *body = s->body;
  mote_parallel_for(body->env.threads, body->count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, join_chunk, s);
  for (size_t i = 0; i < body->count; ++i) {
    if (body->first[i + 1] == SIZE_MAX)
      return mote_fail(error, MOTE_ERROR_ARGUMENT, "elastic: particle %zu has more than %d neighbours", i,
                       NEIGHBOURS_MAX);
  }
  MOTE_TRY(mote_elastic_reserve_pairs(body, s->origin->rest->factor != NULL, error));
  s->fills = true;
  memset(s->seen, 0, body->count * (size_t)body->env.threads * sizeof *s->seen);
  mote_parallel_for(body->env.threads, body->count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, join_chunk, s);
  return MOTE_OK;
}

mote_result mote_elastic_renew_neighbours(mote_elastic *body, const mote_elastic_def *def,
                                          const mote_elastic_origin *origin, mote_error *error) {
  MOTE_ASSERT(def != NULL && origin->rest != NULL);
  MOTE_ASSERT(body->count == origin->rest->count);
  joining s = {.body = body, .def = def, .origin = origin};
  size_t all = body->count * (size_t)body->env.threads;
  s.seen = mote_alloc(&body->env, all, sizeof *s.seen),
  s.known = mote_alloc(&body->env, all, sizeof *s.known);
  mote_result result = MOTE_OK;
  if (s.seen != NULL && s.known != NULL) {
    memset(s.seen, 0, all * sizeof *s.seen);
    result = join(&s, error);
  } else {
    result = mote_fail_memory(error, all * (sizeof *s.seen + sizeof *s.known));
  }
  mote_free(&body->env, s.seen, all, sizeof *s.seen);
  mote_free(&body->env, s.known, all, sizeof *s.known);
  return result;
}
