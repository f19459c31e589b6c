// Energy-conserving midpoint rule: see elastic_midpoint.h.
#include "elastic/elastic_midpoint.h"

#include "base/parallel.h"
#include "elastic/elastic_fold.h"

mote_result mote_elastic_midpoint_init(mote_elastic_midpoint *m, const mote_elastic_group *group,
                                       mote_arena *memory, mote_error *error) {
  MOTE_ASSERT(group->count > 0 && memory != NULL);
  size_t n = group->count;
  *m = (mote_elastic_midpoint){.group = group};
  MOTE_TAKE(m->start, memory, 9 * n, error);
  MOTE_TAKE(m->fold, memory, n, error);
  MOTE_TAKE(m->end, memory, 3 * n, error);
  MOTE_TAKE(m->more, memory, MOTE_MIDPOINT_NUMBERS * n, error);
  return MOTE_OK;
}

// One body; all arrays start at its first particle.
typedef struct see_loop {
  const mote_elastic *body;
  double *start, *fold, *more;
  const double *before, *plastic;
  double step;
} see_loop;

static void begin_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const see_loop *s = data;
  for (size_t i = begin; i < end; ++i) {
    mote_elastic_gradient(s->body, s->body->fit, i, s->start + 9 * i);
    s->fold[i] = s->body->fold_strain2[i];
  }
}

void mote_elastic_midpoint_begin(mote_elastic_midpoint *m, const double *position) {
  MOTE_ASSERT(m->group != NULL && position != NULL);
  m->begin = position;
  for (size_t k = 0; k < m->group->bodies; ++k) {
    if (!mote_elastic_group_moves(m->group, k)) continue;
    size_t first = m->group->start[k];
    mote_elastic *body = m->group->body[k];
    see_loop s = {.body = body, .start = m->start + 9 * first, .fold = m->fold + first};
    mote_elastic_fit(body, position + 3 * first, true, body->fit);
    mote_parallel_for(m->group->threads, body->count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, begin_chunk, &s);
  }
}

static void see_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const see_loop *s = data;
  for (size_t i = begin; i < end; ++i) {
    double g[9], start[9], before[6], *more = s->more + MOTE_MIDPOINT_NUMBERS * i;
    mote_green_part part =
        mote_green_part_make(&s->body->law, s->plastic == NULL ? NULL : s->plastic + 6 * i);
    mote_elastic_gradient(s->body, s->body->fit, i, g);  // at the end; the fit is linear in positions
    for (int e = 0; e < 9; ++e) g[e] = 0.5 * (s->start[9 * i + (size_t)e] + g[e]);
    mote_green_part_within(&part, g, g);
    mote_green_part_within(&part, s->start + 9 * i, start);
    mote_green_part_elastic_strain(&part, s->before + 6 * i, before);
    mote_elastic_law_midpoint(&s->body->law, s->body->damping / s->step, before, start, g, more);
    more[15] = mote_elastic_fold_between(s->body, i, s->fold[i], s->body->fold_strain2[i]);
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
                  .fold = m->fold + first,
                  .more = m->more + MOTE_MIDPOINT_NUMBERS * first,
                  .before = before + 6 * first,
                  .plastic = at->plastic == NULL ? NULL : at->plastic + 6 * first,
                  .step = at->step};
    for (size_t e = 3 * first; e < 3 * (first + body->count); ++e) m->end[e] = 2.0 * x[e] - m->begin[e];
    mote_elastic_fit(body, m->end + 3 * first, true, body->fit);
    mote_parallel_for(m->group->threads, body->count, MOTE_ELASTIC_PARTICLES_PER_CHUNK, see_chunk, &s);
  }
  at->more = m->more;
}
