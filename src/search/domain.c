// The domain of points: see domain.h.
#include "search/domain.h"

#include <math.h>

#include "base/parallel.h"

#define BOUNDS_GRAIN 16384
#define BOUNDS_BATCH 64

mote_domain mote_domain_open(int dimensions) {
  return (mote_domain){.dimensions = dimensions};
}

void mote_domain_difference(const mote_domain *domain, const double xi[3], const double xj[3],
                            double difference[3]) {
  for (int a = 0; a < 3; ++a) {
    difference[a] = a < domain->dimensions ? xi[a] - xj[a] : 0.0;
    if (a < domain->dimensions && domain->periodic[a]) {
      difference[a] = mote_domain_nearest(domain, a, difference[a]);
    }
  }
}

mote_result mote_domain_check(const mote_domain *domain, double radius, mote_error *error) {
  MOTE_ASSERT(domain != NULL);
  if (domain->dimensions < 1 || domain->dimensions > 3) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "a domain has 1, 2 or 3 dimensions, not %d",
                     domain->dimensions);
  }
  // Squares of lengths outside this range are not exact enough, or not finite.
  if (!(radius >= 1e-150 && radius <= 1e150)) {
    return mote_fail(error, MOTE_ERROR_ARGUMENT, "a search radius lies between 1e-150 and 1e150, not at %g",
                     radius);
  }
  for (int a = 0; a < domain->dimensions; ++a) {
    double period = domain->high[a] - domain->low[a];
    if (domain->periodic[a] && !(period >= 2.0 * radius && period <= 1e300)) {
      return mote_fail(error, MOTE_ERROR_ARGUMENT,
                       "the period %g along %c must be at least twice the radius %g, and finite", period,
                       "xyz"[a], radius);
    }
  }
  return MOTE_OK;
}

mote_result mote_domain_count(size_t count, const char *what, mote_error *error) {
  MOTE_ASSERT(what != NULL);
  if (count < UINT32_MAX - 8) return MOTE_OK;
  return mote_fail(error, MOTE_ERROR_ARGUMENT, "%zu %s are more than 2^32 - 9", count, what);
}

bool mote_domain_holds(const mote_domain *domain, const double *x) {
  MOTE_ASSERT(domain->dimensions >= 1 && domain->dimensions <= 3);
  for (int a = 0; a < domain->dimensions; ++a) {
    if (!isfinite(x[a])) return false;
    double period = domain->high[a] - domain->low[a];
    if (domain->periodic[a] && fabs(x[a] - domain->low[a]) > MOTE_FARTHEST_PERIOD * period) return false;
  }
  return true;
}

typedef struct bounds {
  const mote_domain *domain;
  const double *position;
  size_t offset;
  struct {
    double low[3], high[3];
    size_t bad;  // the first inadmissible point, or SIZE_MAX
  } part[BOUNDS_BATCH];
} bounds;

static size_t first_bad(const bounds *b, size_t begin, size_t end) {
  for (size_t i = begin; i < end; ++i) {
    if (!mote_domain_holds(b->domain, b->position + 3 * i)) return i;
  }
  return SIZE_MAX;
}

static void bounds_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  bounds *b = data;
  size_t part = begin / BOUNDS_GRAIN;
  double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  double zero[3] = {0.0, 0.0, 0.0};  // x * 0 is not 0 where x is not finite
  int dimensions = b->domain->dimensions;
  for (size_t i = b->offset + begin; i < b->offset + end; ++i) {
    for (int a = 0; a < dimensions; ++a) {
      double x = b->position[3 * i + a];
      low[a] = x < low[a] ? x : low[a];
      high[a] = x > high[a] ? x : high[a];
      zero[a] += x * 0.0;
    }
  }
  bool allowed = zero[0] + zero[1] + zero[2] == 0.0;
  for (int a = 0; a < dimensions; ++a) {
    double period = b->domain->high[a] - b->domain->low[a];
    double farthest = fmax(high[a] - b->domain->low[a], b->domain->low[a] - low[a]);
    if (b->domain->periodic[a] && farthest > MOTE_FARTHEST_PERIOD * period) allowed = false;
    b->part[part].low[a] = low[a];
    b->part[part].high[a] = high[a];
  }
  b->part[part].bad = allowed ? SIZE_MAX : first_bad(b, b->offset + begin, b->offset + end);
}

static mote_result fail_point(const mote_domain *domain, const double *x, size_t i, mote_error *error) {
  for (int a = 0; a < domain->dimensions; ++a) {
    if (!isfinite(x[a])) {
      return mote_fail(error, MOTE_ERROR_ARGUMENT, "point %zu is not finite: its %c is %g", i, "xyz"[a],
                       x[a]);
    }
  }
  return mote_fail(error, MOTE_ERROR_ARGUMENT, "point %zu lies more than 2^40 periods from the domain", i);
}

mote_result mote_domain_bounds(const mote_domain *domain, const double *position, size_t count, int threads,
                               double low[3], double high[3], mote_error *error) {
  MOTE_ASSERT(domain->dimensions >= 1 && domain->dimensions <= 3);
  MOTE_ASSERT(position != NULL || count == 0);
  bounds b = {.domain = domain, .position = position};
  for (int a = 0; a < 3; ++a) low[a] = high[a] = 0.0;
  for (size_t batch = (size_t)BOUNDS_GRAIN * BOUNDS_BATCH; b.offset < count; b.offset += batch) {
    size_t size = count - b.offset < batch ? count - b.offset : batch;
    mote_parallel_for(threads, size, BOUNDS_GRAIN, bounds_chunk, &b);
    for (size_t c = 0; c < (size + BOUNDS_GRAIN - 1) / BOUNDS_GRAIN; ++c) {
      size_t bad = b.part[c].bad;
      if (bad != SIZE_MAX) return fail_point(domain, position + 3 * bad, bad, error);
      for (int a = 0; a < domain->dimensions; ++a) {
        bool first = b.offset == 0 && c == 0;
        if (first || b.part[c].low[a] < low[a]) low[a] = b.part[c].low[a];
        if (first || b.part[c].high[a] > high[a]) high[a] = b.part[c].high[a];
      }
    }
  }
  return MOTE_OK;
}
