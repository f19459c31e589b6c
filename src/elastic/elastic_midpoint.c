// Energy-conserving midpoint rule: see elastic_midpoint.h. With D = F - F_0 at the middle of a step, the mean
// of the strains at its ends is strain(F) + D^T D/2; seen from the midpoint, all reference strains of the law
// are less by D^T D/2.
#include "elastic/elastic_midpoint.h"

#include "base/parallel.h"

mote_result mote_elastic_midpoint_init(mote_elastic_midpoint *m, const mote_elastic_group *group,
                                       mote_arena *memory, mote_error *error) {
  MOTE_ASSERT(group->count > 0 && memory != NULL);
  size_t n = group->count;
  *m = (mote_elastic_midpoint){.group = group};
  m->start = mote_arena_take(memory, 9 * n, sizeof(double));
  m->more = mote_arena_take(memory, 6 * n, sizeof(double));
  m->before = mote_arena_take(memory, 6 * n, sizeof(double));
  if (m->start == NULL || m->more == NULL || m->before == NULL) {
    return mote_fail_memory(error, 9 * n * sizeof(double));
  }
  return MOTE_OK;
}

// One body; all arrays start at its first particle.
typedef struct see_loop {
  const mote_elastic *body;
  double *start, *more, *seen_before;
  const double *before;
} see_loop;

static void begin_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const see_loop *s = data;
  for (size_t i = begin; i < end; ++i) mote_elastic_gradient(s->body, s->body->fit, i, s->start + 9 * i);
}

void mote_elastic_midpoint_begin(mote_elastic_midpoint *m, const double *position) {
  MOTE_ASSERT(m->group != NULL && position != NULL);
  for (size_t k = 0; k < m->group->bodies; ++k) {
    if (!mote_elastic_group_moves(m->group, k)) continue;
    size_t first = m->group->start[k];
    mote_elastic *body = m->group->body[k];
    see_loop s = {.body = body, .start = m->start + 9 * first};
    mote_elastic_fit(body, position + 3 * first, true, body->fit);
    mote_parallel_for(m->group->threads, body->count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, begin_chunk, &s);
  }
}

static void see_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const see_loop *s = data;
  static const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
  double factor = s->body->law.kind == MOTE_ELASTIC_SAINT_VENANT ? 0.5 : 0.0;
  for (size_t i = begin; i < end; ++i) {
    double D[9];
    mote_elastic_gradient(s->body, s->body->fit, i, D);
    for (int e = 0; e < 9; ++e) D[e] -= s->start[9 * i + (size_t)e];
    for (size_t e = 0; e < 6; ++e) {
      int a = row[e], b = column[e];
      double more = factor * (D[a] * D[b] + D[3 + a] * D[3 + b] + D[6 + a] * D[6 + b]);
      s->more[6 * i + e] = more;
      s->seen_before[6 * i + e] = s->before[6 * i + e] - more;
    }
  }
}

void mote_elastic_midpoint_see(mote_elastic_midpoint *m, const double *before, const double *x,
                               mote_elastic_motion *at) {
  MOTE_ASSERT(m->group != NULL);
  MOTE_ASSERT(before != NULL && x != NULL && at != NULL);
  for (size_t k = 0; k < m->group->bodies; ++k) {
    if (!mote_elastic_group_moves(m->group, k)) continue;
    size_t first = m->group->start[k];
    mote_elastic *body = m->group->body[k];
    see_loop s = {.body = body,
                  .start = m->start + 9 * first,
                  .more = m->more + 6 * first,
                  .seen_before = m->before + 6 * first,
                  .before = before + 6 * first};
    mote_elastic_fit(body, x + 3 * first, true, body->fit);
    mote_parallel_for(m->group->threads, body->count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, see_chunk, &s);
  }
  at->more = m->more, at->before = m->before;
}
