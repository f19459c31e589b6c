// Inverted particles of an elastic body: see elastic_inversion.h.
#include "elastic/elastic_inversion.h"

#include <math.h>
#include <mote/numeric.h>

#include "base/parallel.h"
#include "elastic/tuning.inc"
#include "geom/triple.h"

#define NEAR_MAX 16  // nearest neighbours looked at

typedef struct inversion_loop {
  const mote_elastic *body;
  const double *x;
} inversion_loop;

// Of the parallelepiped on three edges; in 2D of the parallelogram on two.
static double spanned(int dimensions, const double *a, const double *b, const double *c) {
  double n[3];
  if (dimensions == 2) return a[0] * b[1] - a[1] * b[0];
  cross3(a, b, n);
  return dot3(n, c);
}

// Whether the corner of three (2D: two) near neighbours has changed its orientation.
static bool is_turned(int d, const double *const rest[3], const double *const now[3]) {
  double before = spanned(d, rest[0], rest[1], rest[2]);
  double edges = length3(rest[0]) * length3(rest[1]) * (d == 3 ? length3(rest[2]) : 1.0);
  if (!(fabs(before) > CORNER_VOLUME_MIN * edges)) return false;
  return !(spanned(d, now[0], now[1], now[2]) / before > -TURNED_MIN);
}

static bool is_inverted(const inversion_loop *s, size_t i) {
  const mote_elastic *b = s->body;
  const double *rest[NEAR_MAX];
  double now[NEAR_MAX][3], least = HUGE_VAL;
  int d = b->dimensions, count = 0;
  for (size_t k = b->first[i]; k < b->first[i + 1]; ++k) least = min2(least, length3(b->pair[k].rest));
  for (size_t k = b->first[i]; k < b->first[i + 1] && count < NEAR_MAX; ++k) {
    if (length3(b->pair[k].rest) > NEAR_RATIO * least) continue;
    rest[count] = b->pair[k].rest;
    sub3(s->x + 3 * (size_t)b->neighbour[k], s->x + 3 * i, now[count++]);
  }
  for (int n = 0; n < count * count * (d == 3 ? count : 1); ++n) {
    int at[3] = {n % count, n / count % count, d == 3 ? n / count / count : 0};
    if (at[0] >= at[1] || (d == 3 && at[1] >= at[2])) continue;
    const double *const from[3] = {rest[at[0]], rest[at[1]], rest[at[2]]};
    const double *const to[3] = {now[at[0]], now[at[1]], now[at[2]]};
    if (is_turned(d, from, to)) return true;
  }
  return false;
}

static void count_chunk(void *data, size_t begin, size_t end, size_t *number) {
  const inversion_loop *s = data;
  for (size_t i = begin; i < end; ++i) number[0] += is_inverted(s, i);
}

size_t mote_elastic_inverted(const mote_elastic *body, const double *position) {
  MOTE_ASSERT(position != NULL);
  inversion_loop s = {.body = body, .x = position};
  size_t number;
  mote_parallel_count(body->env.threads, body->count, 1, count_chunk, &s, &number);
  return number;
}
