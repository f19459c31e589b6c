// Sweeps over contacts: see contact.h. What they touch is packed (contact_rows.h); a colour of pairs is done
// by all threads, colour after colour. Theory: docs/theory/bodies.md
#include "contact/contact.h"

#include "base/parallel.h"
#include "contact/contact_rows.h"
#include "geom/triple.h"

#define GRAIN 64  // pairs
#define COLOURS MOTE_CONTACT_COLOURS
#define SWEEPS_MOST 20
#define SWEEPS_AGAIN 6  // where most is solved already
#define SWEEPS_PUSH 10
#define CONVERGED 1e-5  // of the largest velocity along a normal that had to be changed
#define SLOP 0.01       // spacings of overlap that are left alone, so that contacts stay
#define PUSH_SHARE 0.2  // of the overlap undone in a step
#define PUSH_MOST 0.1   // spacings in a step

typedef mote_contact_rows solve;

static int threads_of(const solve *s) {
  int threads = s->scene->threads < 1 ? 1 : s->scene->threads;
  return threads > MOTE_THREADS_MAX ? MOTE_THREADS_MAX : threads;
}

// --- Sweeps -------------------------------------------------------------------------------------------

typedef struct sweep_job {
  const solve *s;
  size_t first;  // group
  mote_contact_sweep how;
  double change[MOTE_THREADS_MAX];  // by worker
} sweep_job;

static void sweep_chunk(void *data, size_t begin, size_t end, int worker) {
  sweep_job *job = data;
  double change = job->change[worker];
  for (size_t g = job->first + begin; g < job->first + end; ++g) {
    change = max2(change, mote_contact_solve_group(job->s, g, job->how));
  }
  job->change[worker] = change;
}

static double sweep(const solve *s, mote_contact_sweep how) {
  int threads = threads_of(s);
  sweep_job job;  // changes are set for the workers there are
  job.s = s, job.how = how;
  for (int w = 0; w < threads; ++w) job.change[w] = 0.0;
  for (int k = 0; k < COLOURS; ++k) {
    int c = how.back ? COLOURS - 1 - k : k;
    size_t count = s->colour[c + 1] - s->colour[c];
    job.first = s->colour[c];
    if (count > 0) mote_parallel_for(c == COLOURS - 1 ? 1 : threads, count, GRAIN, sweep_chunk, &job);
  }
  double change = 0.0;
  for (int w = 0; w < threads; ++w) change = max2(change, job.change[w]);
  return change;
}

// At most so many, forth, then back, or until one changes less than CONVERGED of `wrong`, the largest
// velocity that had to be changed; returns how many, and the last change.
static int sweep_all(const solve *s, int most, bool rough, double wrong, double *change) {
  for (int k = 0; k < most; ++k) {
    *change = sweep(s, (mote_contact_sweep){k % 2 != 0, rough});
    if (!(*change > CONVERGED * wrong)) return k + 1;
  }
  return most;
}

// --- Rows ---------------------------------------------------------------------------------------------

static void load_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  for (size_t k = begin; k < end; ++k) mote_contact_load_mover(data, k);
}

typedef struct rows_job {
  const solve *s;
  mote_contact_set *set;
  size_t first;                   // group
  double most[MOTE_THREADS_MAX];  // by worker
} rows_job;

// Over groups in the order of their contacts, which are read so as they lie; returns the largest of what
// workers found.
static double over_groups(const solve *s, mote_contact_set *set, mote_task *task) {
  double most = 0.0;
  rows_job job;
  int threads = threads_of(s);
  job.s = s, job.set = set, job.first = 0;
  for (int w = 0; w < threads; ++w) job.most[w] = 0.0;
  mote_parallel_for(threads, s->groups, GRAIN, task, &job);
  for (int w = 0; w < threads; ++w) most = max2(most, job.most[w]);
  return most;
}

static void make_chunk(void *data, size_t begin, size_t end, int worker) {
  rows_job *job = data;
  for (size_t g = begin; g < end; ++g) {
    mote_contact_group of = job->s->group[job->s->in_order[g]];
    for (size_t k = 0; k < of.count; ++k) {
      double own = mote_contact_make_row(job->s, of.first + k, job->set->contact + of.contact + k);
      job->most[worker] = max2(job->most[worker], own);
    }
  }
}

static void begin_chunk(void *data, size_t begin_at, size_t end, int worker) {
  const rows_job *job = data;
  (void)worker;
  for (size_t g = begin_at; g < end; ++g) {
    mote_contact_group of = job->s->group[job->first + g];
    for (size_t k = 0; k < of.count; ++k) mote_contact_begin_row(job->s, of.first + k);
  }
}

static void begin_all(const solve *s) {
  rows_job job;
  job.s = s;
  for (int c = 0; c < COLOURS; ++c) {
    size_t count = s->colour[c + 1] - s->colour[c];
    job.first = s->colour[c];
    if (count > 0) mote_parallel_for(c == COLOURS - 1 ? 1 : threads_of(s), count, GRAIN, begin_chunk, &job);
  }
}

// The impulses; the deepest overlap.
static void keep_chunk(void *data, size_t begin, size_t end, int worker) {
  rows_job *job = data;
  for (size_t g = begin; g < end; ++g) {
    mote_contact_group of = job->s->group[job->s->in_order[g]];
    for (size_t k = 0; k < of.count; ++k) {
      mote_contact *c = job->set->contact + of.contact + k;
      mote_contact_keep_row(job->s, of.first + k, c);
      job->most[worker] = max2(job->most[worker], -c->gap);
    }
  }
}

static void load_current(const solve *s) {
  for (size_t k = 0; k < s->scene->bodies; ++k) {
    copy3(s->scene->solid[k].v, s->mover[k].v);
    copy3(s->scene->solid[k].w, s->mover[k].w);
  }
}

static mote_result make_solve(const mote_contact_scene *scene, const mote_contact_set *set,
                              const double *before, mote_arena *scratch, solve **out, mote_error *error) {
  solve *s = *out = mote_arena_take(scratch, 1, sizeof *s);
  if (s == NULL) return mote_fail_memory(error, sizeof *s);
  *s = (solve){.scene = scene, .before = before, .rows = set->count};
  s->mover = mote_arena_take(scratch, scene->solids, sizeof *s->mover);
  s->mass = mote_arena_take(scratch, scene->solids, sizeof *s->mass);
  s->row = mote_arena_take(scratch, s->rows, sizeof *s->row);
  s->tangent = mote_arena_take(scratch, s->rows, sizeof *s->tangent);
  s->has_tangent = mote_arena_take(scratch, s->rows, sizeof *s->has_tangent);
  s->group = mote_arena_take(scratch, s->rows, sizeof *s->group);
  s->in_order = mote_arena_take(scratch, s->rows, sizeof *s->in_order);
  uint64_t *used = mote_arena_take(scratch, scene->solids, sizeof *used);
  uint8_t *shade = mote_arena_take(scratch, s->rows, sizeof *shade);
  bool rows = s->row != NULL && s->tangent != NULL && s->has_tangent != NULL;
  bool movers = s->mover != NULL && s->mass != NULL, groups = s->group != NULL && s->in_order != NULL;
  if (!rows || !movers || !groups || used == NULL || shade == NULL)
    return mote_fail_memory(error, s->rows * (sizeof *s->row + sizeof *s->tangent));
  mote_parallel_for(threads_of(s), scene->solids, GRAIN, load_chunk, s);
  mote_contact_colour(s, set, used, shade);
  return MOTE_OK;
}

// --- Velocities ---------------------------------------------------------------------------------------

mote_result mote_contact_solve_rows(const mote_contact_scene *scene, mote_contact_set *set,
                                    const double *before, mote_arena *scratch, mote_contact_rows **out,
                                    mote_contact_report *report, mote_error *error) {
  *report = (mote_contact_report){0};
  MOTE_TRY(make_solve(scene, set, before, scratch, out, error));
  solve *s = *out;
  double wrong = over_groups(s, set, make_chunk);
  if (before != NULL) {
    load_current(s);
  } else {
    begin_all(s);
  }
  report->sweeps = sweep_all(s, before != NULL ? SWEEPS_AGAIN : SWEEPS_MOST, true, wrong, &report->change);
  report->overlap = over_groups(s, set, keep_chunk);
  for (size_t k = 0; k < scene->bodies; ++k) {
    copy3(s->mover[k].v, scene->solid[k].v);
    copy3(s->mover[k].w, scene->solid[k].w);
  }
  return MOTE_OK;
}

// --- Overlap ------------------------------------------------------------------------------------------

static void bound_chunk(void *data, size_t begin, size_t end, int worker) {
  rows_job *job = data;
  double d = job->s->scene->spacing, dt = job->s->scene->dt;
  for (size_t g = begin; g < end; ++g) {
    mote_contact_group of = job->s->group[job->s->in_order[g]];
    for (size_t k = 0; k < of.count; ++k) {
      mote_contact_row *r = job->s->row + of.first + k;
      double gap = job->set->contact[of.contact + k].gap;
      double out = min2(PUSH_SHARE * max2(0.0, -gap - SLOP * d), PUSH_MOST * d);
      r->bound = (gap > 0.0 ? -gap : out) / dt;
      r->press = 0.0;
      job->most[worker] = max2(job->most[worker], out / dt);
    }
  }
}

// The same rows once more, with velocities that only undo overlap.
void mote_contact_push(mote_contact_rows *s, mote_contact_set *set) {
  double change, most = over_groups(s, set, bound_chunk);
  for (size_t k = 0; k < s->scene->solids; ++k) {
    set3(0.0, 0.0, 0.0, s->mover[k].v);
    set3(0.0, 0.0, 0.0, s->mover[k].w);
  }
  if (most > 0.0) (void)sweep_all(s, SWEEPS_PUSH, false, most, &change);
  for (size_t k = 0; k < s->scene->bodies; ++k) {
    copy3(s->mover[k].v, s->scene->solid[k].push_v);
    copy3(s->mover[k].w, s->scene->solid[k].push_w);
  }
}

mote_result mote_contact_solve(const mote_contact_scene *scene, mote_contact_set *set, mote_arena *scratch,
                               mote_contact_report *report, mote_error *error) {
  mote_arena_mark mark = mote_arena_here(scratch);
  mote_contact_rows *rows;
  mote_result result = mote_contact_solve_rows(scene, set, NULL, scratch, &rows, report, error);
  if (result == MOTE_OK) mote_contact_push(rows, set);
  mote_arena_release(scratch, mark);
  return result;
}
