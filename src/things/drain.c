// Particles that leave the world: see drain.h. Each row is tested independently; counts are integers, so that
// the order of threads has no effect.
#include "things/drain.h"

#include "base/check.h"
#include "base/parallel.h"

typedef struct leaving_job {
  const mote_leaving *leaving;
  uint8_t *gone;
} leaving_job;

static bool within(const double x[3], const double low[3], const double high[3], int dimensions) {
  for (int a = 0; a < dimensions; ++a) {
    if (!(x[a] >= low[a] && x[a] <= high[a])) return false;
  }
  return true;
}

static void swallow(const leaving_job *job, const mote_outlet *sink, size_t begin, size_t end) {
  const mote_leaving *l = job->leaving;
  if (!(l->time >= sink->start && l->time < sink->end)) return;
  double low[3], high[3];
  mote_shape_bounds(sink->shape, low, high);
  for (size_t i = begin; i < end; ++i) {
    const double *x = l->position + 3 * i;
    if (!within(x, low, high, l->def->dimensions)) continue;
    if (mote_shape_distance(sink->shape, x) < 0.0) job->gone[i] = MOTE_GONE_DRAINED;
  }
}

static bool beyond(const mote_leaving *l, const double x[3]) {
  const mote_world_def *def = l->def;
  for (int a = 0; a < def->dimensions; ++a) {
    if (def->side[a][0] == MOTE_SIDE_OPEN && x[a] < def->low[a] - l->margin) return true;
    if (def->side[a][1] == MOTE_SIDE_OPEN && x[a] > def->high[a] + l->margin) return true;
  }
  return false;
}

static void leaving_task(void *data, size_t begin, size_t end, size_t *number) {
  const leaving_job *job = data;
  const mote_leaving *l = job->leaving;
  for (size_t i = begin; i < end; ++i) {
    job->gone[i] = beyond(l, l->position + 3 * i) ? MOTE_GONE_LEFT : MOTE_GONE_NOT;
  }
  for (size_t k = 0; k < l->sinks; ++k) swallow(job, &l->sink[k], begin, end);
  for (size_t i = begin; i < end; ++i) {
    number[0] += job->gone[i] == MOTE_GONE_DRAINED;
    number[1] += job->gone[i] == MOTE_GONE_LEFT;
  }
}

mote_leaving_report mote_leaving_flag(const mote_leaving *leaving, uint8_t *gone) {
  MOTE_ASSERT(leaving->sink != NULL || leaving->sinks == 0);
  MOTE_ASSERT((leaving->position != NULL && gone != NULL) || leaving->count == 0);
  MOTE_ASSERT(leaving->def != NULL && leaving->margin >= 0.0);
  leaving_job job = {leaving, gone};
  size_t number[2];
  mote_parallel_count(leaving->threads, leaving->count, 2, leaving_task, &job, number);
  return (mote_leaving_report){.drained = number[0], .left = number[1]};
}
