// Gauss-Seidel sweeps over contacts: see contact.h. They read packed rows (contact_rows.h). Pairs are
// coloured: all threads work on one colour, then on the next. Theory: docs/theory/bodies.md
#include "contact/contact.h"

#include "base/parallel.h"
#include "contact/contact_direct.h"
#include "contact/contact_gain.h"
#include "contact/contact_impact.h"
#include "contact/contact_rows.h"
#include "contact/tuning.inc"
#include "geom/triple.h"

#define PAIRS_PER_CHUNK 64  // chosen by eye
#define COLOURS MOTE_CONTACT_COLOURS
#define SWEEPS_MAX 20
#define SWEEPS_REPEATED_MAX 6  // sweeps of a solve that starts from an earlier solution
#define SWEEPS_CORRECTION_MAX 10

typedef mote_contact_rows solve;

static int threads_of(const solve *s) {
  int threads = s->scene->threads < 1 ? 1 : s->scene->threads;
  return threads > MOTE_THREADS_MAX ? MOTE_THREADS_MAX : threads;
}

// --- Sweeps -------------------------------------------------------------------------------------------

typedef struct sweep_job {
  const solve *s;
  size_t first;  // index of the first group
  mote_contact_sweep how;
  double change[MOTE_THREADS_MAX];  // largest change seen by each worker
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
  sweep_job job;  // only the entries of the workers in use are initialised
  job.s = s, job.how = how;
  for (int w = 0; w < threads; ++w) job.change[w] = 0.0;
  for (int k = 0; k < COLOURS; ++k) {
    int c = how.reversed ? COLOURS - 1 - k : k;
    size_t count = s->colour[c + 1] - s->colour[c];
    job.first = s->colour[c];
    if (count > 0)
      mote_parallel_for(c == COLOURS - 1 ? 1 : threads, count, PAIRS_PER_CHUNK, sweep_chunk, &job);
  }
  double change = 0.0;
  for (int w = 0; w < threads; ++w) change = max2(change, job.change[w]);
  return change;
}

// Sweeps alternately forwards and backwards, at most `most` times or until a sweep changes less than
// SWEEP_TOLERANCE times `violation`, the largest velocity error at the start. Returns the number of sweeps,
// and the last change in *change.
static int sweep_all(const solve *s, int most, bool with_friction, double violation, double *change) {
  for (int k = 0; k < most; ++k) {
    *change = sweep(s, (mote_contact_sweep){k % 2 != 0, with_friction});
    if (!(*change > SWEEP_TOLERANCE * violation)) return k + 1;
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
  size_t first;                   // index of the first group
  double most[MOTE_THREADS_MAX];  // largest value found by each worker
} rows_job;

// Runs the task over all groups in the order of their contacts, so that contacts are read sequentially.
// Returns the largest value that any worker found.
static double over_groups(const solve *s, mote_contact_set *set, mote_task *task) {
  double most = 0.0;
  rows_job job;
  int threads = threads_of(s);
  job.s = s, job.set = set, job.first = 0;
  for (int w = 0; w < threads; ++w) job.most[w] = 0.0;
  mote_parallel_for(threads, s->groups, PAIRS_PER_CHUNK, task, &job);
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
    for (size_t k = 0; k < of.count; ++k) mote_contact_begin_row(job->s, of.first + k, true);
  }
}

static void begin_all(const solve *s) {
  rows_job job;
  job.s = s;
  for (int c = 0; c < COLOURS; ++c) {
    size_t count = s->colour[c + 1] - s->colour[c];
    job.first = s->colour[c];
    if (count > 0)
      mote_parallel_for(c == COLOURS - 1 ? 1 : threads_of(s), count, PAIRS_PER_CHUNK, begin_chunk, &job);
  }
}

// Stores the impulses and finds the deepest overlap.
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
    copy3(s->scene->obstacle[k].v, s->mover[k].v);
    copy3(s->scene->obstacle[k].w, s->mover[k].w);
  }
}

static mote_result make_solve(const mote_contact_scene *scene, const mote_contact_set *set, double *start,
                              mote_arena *scratch, solve **out, mote_error *error) {
  solve *s = *out = mote_arena_take(scratch, 1, sizeof *s);
  if (s == NULL) return mote_fail_memory(error, sizeof *s);
  *s = (solve){.scene = scene, .start = start, .rows = set->count};
  MOTE_TAKE(s->mover, scratch, scene->obstacles, error);
  MOTE_TAKE(s->mass, scratch, scene->obstacles, error);
  MOTE_TAKE(s->row, scratch, s->rows, error);
  MOTE_TAKE(s->tangent, scratch, s->rows, error);
  MOTE_TAKE(s->has_tangent, scratch, s->rows, error);
  MOTE_TAKE(s->arrives, scratch, s->rows, error);
  MOTE_TAKE(s->group, scratch, s->rows, error);
  MOTE_TAKE(s->in_order, scratch, s->rows, error);
  MOTE_TAKE_NEW(uint64_t, used, scratch, scene->obstacles, error);
  MOTE_TAKE_NEW(uint8_t, group_key, scratch, s->rows, error);
  mote_parallel_for(threads_of(s), scene->obstacles, PAIRS_PER_CHUNK, load_chunk, s);
  mote_contact_colour(s, set, used, group_key);
  return MOTE_OK;
}

void mote_contact_velocities(const mote_contact_scene *scene, double *out) {
  MOTE_ASSERT(out != NULL || scene->bodies == 0);
  for (size_t k = 0; k < scene->bodies; ++k) {
    copy3(scene->obstacle[k].v, out + 6 * k);
    copy3(scene->obstacle[k].w, out + 6 * k + 3);
  }
}

// --- Velocities ---------------------------------------------------------------------------------------

static mote_result finish_directly(const solve *s, const mote_islands *islands, double violation,
                                   mote_arena *scratch, mote_contact_report *report, mote_error *error) {
  const mote_contact_scene *scene = s->scene;
  double need = DIRECT_NEED * (scene->gravity > 0.0 ? scene->gravity * scene->dt : violation);
  mote_contact_direct def = {islands, s->start, true, need, DIRECT_SMALL * need, violation};
  return mote_contact_solve_direct(s, &def, scratch, &report->islands, error);
}

// Direct solves of the islands whose sweeps did not converge. They add impulses only within islands, so
// islands stay separate.
static mote_result solve_islands(const solve *s, bool again, double violation, mote_arena *scratch,
                                 mote_contact_report *report, mote_error *error) {
  mote_islands islands;
  mote_arena_mark mark = mote_arena_here(scratch);
  mote_result result = mote_contact_find_islands(s, scratch, &islands, error);
  if (result == MOTE_OK && !again) result = finish_directly(s, &islands, violation, scratch, report, error);
  if (result == MOTE_OK) result = mote_contact_limit_gain(s, &islands, scratch, error);
  mote_arena_release(scratch, mark);
  return result;
}

mote_result mote_contact_solve_rows(const mote_contact_scene *scene, mote_contact_set *set, double *start,
                                    bool again, mote_arena *scratch, mote_contact_rows **out,
                                    mote_contact_report *report, mote_error *error) {
  MOTE_ASSERT(scene->bodies <= scene->obstacles);
  MOTE_ASSERT(scene->dt > 0.0);
  MOTE_ASSERT(start != NULL || scene->bodies == 0);
  MOTE_ASSERT(set->contact != NULL || set->count == 0);
  MOTE_ASSERT(scratch != NULL && out != NULL && report != NULL);
  *report = (mote_contact_report){0};
  if (!again) mote_contact_velocities(scene, start);
  MOTE_TRY(make_solve(scene, set, start, scratch, out, error));
  solve *s = *out;
  double violation = over_groups(s, set, make_chunk);
  if (again) load_current(s);
  MOTE_TRY(mote_contact_solve_impacts(s, set, again, scratch, &violation, error));
  if (!again) begin_all(s);
  report->sweeps = sweep_all(s, again ? SWEEPS_REPEATED_MAX : SWEEPS_MAX, true, violation, &report->change);
  if (report->change > SWEEP_TOLERANCE * violation)
    MOTE_TRY(solve_islands(s, again, violation, scratch, report, error));
  report->overlap = over_groups(s, set, keep_chunk);
  for (size_t k = 0; k < scene->bodies; ++k) {
    copy3(s->mover[k].v, scene->obstacle[k].v);
    copy3(s->mover[k].w, scene->obstacle[k].w);
  }
  return MOTE_OK;
}

// --- Positions ----------------------------------------------------------------------------------------

static bool has_bounced(const solve *s, size_t k) {
  return s->flight != NULL && s->scene->obstacle[k].bounced;
}

// The least displacement of each contact, as a velocity beyond that of its obstacles. Where a body bounced it
// counts from the displacement that impacts gave it.
static void bound_chunk(void *data, size_t begin, size_t end, int worker) {
  rows_job *job = data;
  const solve *s = job->s;
  double d = s->scene->spacing, dt = s->scene->dt;
  for (size_t g = begin; g < end; ++g) {
    mote_contact_group of = s->group[s->in_order[g]];
    bool bounced = has_bounced(s, of.a) || has_bounced(s, of.b);
    for (size_t k = 0; k < of.count; ++k) {
      mote_contact_row *r = s->row + of.first + k;
      double gap = job->set->contact[of.contact + k].gap;
      double out = min2(CORRECTION_FRACTION * max2(0.0, -gap - OVERLAP_ALLOWED * d), CORRECTION_MAX * d);
      r->bound = (gap > 0.0 ? -gap : out) / dt;
      if (bounced) {
        double w[3];
        mote_contact_row_velocity(s, of.first + k, w);
        r->bound -= dot3(w, r->n);
      }
      r->normal_impulse = 0.0;
      job->most[worker] = max2(job->most[worker], bounced ? fabs(r->bound) : out / dt);
    }
  }
}

static void begin_displacements(const solve *s) {
  for (size_t k = 0; k < s->scene->obstacles; ++k) {
    mote_mover *m = s->mover + k;
    const mote_obstacle *obstacle = s->scene->obstacle + k;
    bool bounced = k < s->scene->bodies && has_bounced(s, k);
    for (int a = 0; a < 3; ++a) {
      m->v[a] = bounced ? s->flight[k].v[a] - obstacle->v[a] : 0.0;
      m->w[a] = bounced ? s->flight[k].w[a] - obstacle->w[a] : 0.0;
    }
  }
}

// Solves the same rows again for pseudo-velocities that change positions only: they remove overlap, and
// correct the height of bouncing bodies.
mote_result mote_contact_correct_overlap(mote_contact_rows *s, mote_contact_set *set, mote_arena *scratch,
                                         mote_error *error) {
  MOTE_ASSERT(s->rows == set->count);
  double change = 0.0, most = over_groups(s, set, bound_chunk);
  begin_displacements(s);
  MOTE_TAKE_NEW(double, start, scratch, 6 * s->scene->bodies, error);
  for (size_t k = 0; k < s->scene->bodies; ++k) {
    copy3(s->mover[k].v, start + 6 * k);
    copy3(s->mover[k].w, start + 6 * k + 3);
  }
  if (most > 0.0) (void)sweep_all(s, SWEEPS_CORRECTION_MAX, false, most, &change);
  if (change > CORRECTION_NEED * most) {
    mote_islands islands;
    MOTE_TRY(mote_contact_find_islands(s, scratch, &islands, error));
    mote_contact_direct def = {&islands, start, false, CORRECTION_NEED * most, 0.0, most};
    MOTE_TRY(mote_contact_solve_direct(s, &def, scratch, NULL, error));
  }
  for (size_t k = 0; k < s->scene->bodies; ++k) {
    copy3(s->mover[k].v, s->scene->obstacle[k].correction_velocity);
    copy3(s->mover[k].w, s->scene->obstacle[k].correction_spin);
  }
  return MOTE_OK;
}
