// Loops over the rows of the implicit solver of elastic bodies, in parallel: see elastic_system.h.
#include "base/parallel.h"
#include "elastic/elastic_system.h"
#include "geom/triple.h"

#define ROWS_PER_CHUNK 1024
#define MAXIMUM_CHUNKS 64  // at most, of a maximum over rows

typedef struct row_loop {
  const mote_elastic_implicit *s;
  const mote_elastic_motion *motion;
  const double *acceleration;
  double by;            // factor, or the length of the whole step
  size_t first;         // of a body's rows
  const double *shift;  // added to each row
} row_loop;

static void for_rows(const row_loop *loop, size_t count, mote_task *task) {
  mote_parallel_for(loop->s->group.threads, count, ROWS_PER_CHUNK, task, (void *)(uintptr_t)loop);
}

// --- Sums ------------------------------------------------------------------------------------------------

static void slope_chunk(void *data, size_t begin, size_t end, double *term) {
  const mote_elastic_implicit *s = data;
  for (size_t i = begin; i < end; ++i, ++term) *term = dot3(s->residual + 3 * i, s->change + 3 * i);
}

double mote_elastic_system_slope(const mote_elastic_implicit *s) {
  double slope;
  mote_parallel_sum(s->group.threads, s->rows, 1, slope_chunk, (void *)(uintptr_t)s, &slope);
  return slope;
}

typedef struct maximum {
  const double *vector;
  size_t grain;
  double most[MAXIMUM_CHUNKS];
} maximum;

static void maximum_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  maximum *m = data;
  double most = 0.0;
  for (size_t i = begin; i < end; ++i) most = max2(most, length3(m->vector + 3 * i));
  m->most[begin / m->grain] = most;
}

double mote_elastic_system_largest(const mote_elastic_implicit *s, const double *vector) {
  size_t count = s->group.count, fair = (count + MAXIMUM_CHUNKS - 1) / MAXIMUM_CHUNKS;
  maximum m = {.vector = vector, .grain = fair > ROWS_PER_CHUNK ? fair : ROWS_PER_CHUNK};
  double most = 0.0;
  mote_parallel_for(s->group.threads, count, m.grain, maximum_chunk, &m);
  for (size_t c = 0; c * m.grain < count; ++c) most = max2(most, m.most[c]);
  if (s->external != NULL) most = max2(most, s->external->largest(s->external->user, vector + 3 * count));
  return most * s->inverse_unit;
}

// --- Loops -----------------------------------------------------------------------------------------------

static void move_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const row_loop *l = data;
  for (size_t k = 3 * begin; k < 3 * end; ++k) l->s->x[k] += l->by * l->s->change[k];
}

void mote_elastic_system_move(mote_elastic_implicit *s, double by) {
  row_loop loop = {.s = s, .by = by};
  for_rows(&loop, s->rows, move_chunk);
}

static void inertia_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const mote_elastic_implicit *s = ((const row_loop *)data)->s;
  for (size_t i = begin; i < end; ++i) {
    double off[3], *r = s->residual + 3 * i;
    sub3(s->x + 3 * i, s->goal + 3 * i, off);
    if (mote_elastic_system_is_held(s, i)) {
      set3(0.0, 0.0, 0.0, r);
    } else {
      step3(r, -mote_elastic_system_inertia(s, i), off, r);
    }
  }
}

void mote_elastic_system_subtract_inertia(mote_elastic_implicit *s) {
  row_loop loop = {.s = s};
  for_rows(&loop, s->rows, inertia_chunk);
}

static void extrapolate_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const row_loop *l = data;
  for (size_t i = begin; i < end; ++i) {
    step3(l->s->begin + 3 * i, l->s->step, l->motion->velocity + 3 * i, l->s->x + 3 * i);
  }
}

void mote_elastic_system_extrapolate(mote_elastic_implicit *s, const mote_elastic_motion *motion) {
  row_loop loop = {.s = s, .motion = motion};
  for_rows(&loop, s->group.count, extrapolate_chunk);
  for (size_t i = s->group.count; i < s->rows; ++i) {
    double rate[3];
    s->external->former_rate(s->external->user, i - s->group.count, rate);
    set3(0.0, 0.0, 0.0, s->x + 3 * i), step3(s->x + 3 * i, s->step, rate, s->x + 3 * i);
  }
}

static void goal_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const row_loop *l = data;
  const mote_elastic_implicit *s = l->s;
  for (size_t i = begin; i < end; ++i) {
    copy3(l->motion->position + 3 * i, s->begin + 3 * i);
    step3(s->begin + 3 * i, s->step, l->motion->velocity + 3 * i, s->goal + 3 * i);
    if (l->acceleration != NULL && !mote_elastic_system_is_held(s, i)) {
      step3(s->goal + 3 * i, s->step * s->step, l->acceleration + 3 * i, s->goal + 3 * i);
    }
  }
}

void mote_elastic_system_set_goal(mote_elastic_implicit *s, const mote_elastic_motion *motion,
                                  const double *acceleration) {
  for (size_t i = s->group.count; i < s->rows; ++i) {
    double rate[3];
    s->external->resting_rate(s->external->user, i - s->group.count, rate);
    set3(0.0, 0.0, 0.0, s->begin + 3 * i), set3(0.0, 0.0, 0.0, s->goal + 3 * i);
    step3(s->begin + 3 * i, s->step, rate, s->begin + 3 * i);
  }
  row_loop loop = {.s = s, .motion = motion, .acceleration = acceleration};
  for_rows(&loop, s->group.count, goal_chunk);
}

static void finish_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const row_loop *l = data;
  const mote_elastic_implicit *s = l->s;
  double times = s->def.scheme == MOTE_ELASTIC_MIDPOINT ? 2.0 : 1.0;
  for (size_t i = begin; i < end; ++i) {
    double *x = l->motion->position + 3 * i, *v = l->motion->velocity + 3 * i, moved[3];
    const double *from = s->begin + 3 * i;
    if (mote_elastic_system_is_held(s, i)) {
      step3(from, l->by, v, x);
      continue;
    }
    sub3(s->x + 3 * i, from, moved);
    step3(from, times, moved, x);
    for (int k = 0; k < 3; ++k) v[k] = times * moved[k] / s->step - (times - 1.0) * v[k];
  }
}

void mote_elastic_system_finish(const mote_elastic_implicit *s, const mote_elastic_motion *motion,
                                double dt) {
  row_loop loop = {.s = s, .motion = motion, .by = dt};
  for_rows(&loop, s->group.count, finish_chunk);
}

// --- Momentum --------------------------------------------------------------------------------------------

// Mass, missing momentum, held particles.
static void missing_chunk(void *data, size_t begin, size_t end, double *term) {
  const row_loop *l = data;
  const mote_elastic_implicit *s = l->s;
  for (size_t i = l->first + begin; i < l->first + end; ++i, term += MOTE_SUM_ROW(5)) {
    double inertia = mote_elastic_system_inertia(s, i);
    term[0] = inertia;
    step3(s->residual + 3 * i, -inertia, s->change + 3 * i, term + 1);
    term[4] = mote_elastic_system_is_held(s, i) ? 1.0 : 0.0;
  }
}

static void shift_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const row_loop *l = data;
  double *change = l->s->change + 3 * l->first;
  for (size_t i = begin; i < end; ++i) step3(change + 3 * i, l->by, l->shift, change + 3 * i);
}

void mote_elastic_system_balance(mote_elastic_implicit *s) {
  for (size_t k = 0; k < s->group.bodies; ++k) {
    size_t count = s->group.start[k + 1] - s->group.start[k];
    double sum[5];
    row_loop loop = {.s = s, .first = s->group.start[k], .shift = sum + 1};
    mote_parallel_sum(s->group.threads, count, 5, missing_chunk, &loop, sum);
    if (sum[4] > 0.0) continue;
    loop.by = 1.0 / sum[0];
    for_rows(&loop, count, shift_chunk);
  }
}
