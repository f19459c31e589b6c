// Finding a motion: L-BFGS preconditioned by the matrix of time, frames inserted where the motion is not
// resolved. docs/theory/deformation.md, "Motion".
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "deform/deform_motion_matrix.h"
#include "deform/tuning.inc"
#include "geom/triple.h"

#define HISTORY_PAIRS 20          // of steps and changes of the gradient that are remembered
#define CONTACT_RENEWAL_STEPS 15  // steps after which the contacts of the preconditioner are found again
#define STEP_HALVINGS_MAX 20      // of a step
#define ARMIJO_SHARE 1e-4         // cited: of the expected decrease (Nocedal & Wright 2006, 3.1)
#define DECREASE_WINDOW 8         // evaluations over which the decrease is watched
#define LEAST_ENERGY 1e-20        // rounding
#define ENERGY_SAMPLES 10         // times at which the energy between two frames is evaluated (EG09 8.2)

typedef struct search {
  mote_deform_motion *m;
  mote_deform_motion_report now;
  size_t n;  // unknowns of all frames
  double *gradient, *step, *trial, *history;
  mote_motion_matrix matrix;
  int pairs, oldest;
  double end;  // s of the clock; infinite: no limit
} search;

static double dot(size_t n, const double *a, const double *b) {
  double sum = 0.0;
  for (size_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

// --- L-BFGS -----------------------------------------------------------------------------------------------

static double *pair_of(const search *s, int k, int which) {
  return s->history + (2 * (size_t)((s->oldest + k) % HISTORY_PAIRS) + (size_t)which) * s->n;
}

static void set_step(search *s) {
  double alpha[HISTORY_PAIRS], *p = s->step;
  for (size_t i = 0; i < s->n; ++i) p[i] = -s->gradient[i];
  for (int k = s->pairs - 1; k >= 0; --k) {
    const double *ds = pair_of(s, k, 0), *dg = pair_of(s, k, 1);
    alpha[k] = dot(s->n, ds, p) / dot(s->n, ds, dg);
    for (size_t i = 0; i < s->n; ++i) p[i] -= alpha[k] * dg[i];
  }
  mote_motion_matrix_solve(&s->matrix, p);
  for (int k = 0; k < s->pairs; ++k) {
    const double *ds = pair_of(s, k, 0), *dg = pair_of(s, k, 1);
    double beta = dot(s->n, dg, p) / dot(s->n, ds, dg);
    for (size_t i = 0; i < s->n; ++i) p[i] += (alpha[k] - beta) * ds[i];
  }
}

// One step; false where none lowers the energy. The gradient at the new place replaces the old one.
static bool iterate(search *s) {
  mote_deform_motion *m = s->m;
  set_step(s);
  double slope = dot(s->n, s->gradient, s->step), part = 1.0, before = s->now.energy;
  if (s->pairs == HISTORY_PAIRS) s->oldest = (s->oldest + 1) % HISTORY_PAIRS, --s->pairs;
  double *ds = pair_of(s, s->pairs, 0), *dg = pair_of(s, s->pairs, 1);
  bool lower = false;
  for (int k = 0; k < STEP_HALVINGS_MAX && slope < 0.0 && !lower; ++k, part *= 0.5) {
    for (size_t i = 0; i < s->n; ++i) s->trial[i] = m->unknown[i] + part * s->step[i];
    double energy = mote_motion_evaluate(m, s->trial, &s->now, dg);
    lower = energy <= before + ARMIJO_SHARE * part * slope;
  }
  if (!lower) {
    s->now.energy = before;
    bool again = s->pairs > 0;
    s->pairs = 0;
    return again;
  }
  for (size_t i = 0; i < s->n; ++i) {
    ds[i] = s->trial[i] - m->unknown[i], m->unknown[i] = s->trial[i];
    double g = dg[i];
    dg[i] -= s->gradient[i], s->gradient[i] = g;
  }
  if (dot(s->n, ds, dg) > 0.0) ++s->pairs;
  return true;
}

static mote_result minimise(search *s, double tolerance, int most, mote_arena *own, mote_error *error) {
  mote_deform_motion *m = s->m;
  double past[DECREASE_WINDOW] = {0};
  int first = s->now.evaluations;
  s->pairs = s->oldest = 0;
  s->n = m->frames * m->unknowns;
  mote_motion_evaluate(m, m->unknown, &s->now, s->gradient);
  mote_arena_mark mark = mote_arena_here(own);
  MOTE_TRY(mote_motion_matrix_make(m, own, &s->matrix, error));
  mote_arena_mark corrected = mote_arena_here(own);
  for (int k = 0; s->now.evaluations - first < most; ++k) {
    if (k == 0 || (m->obstacles > 0 && k % CONTACT_RENEWAL_STEPS == 0)) {
      mote_arena_release(own, corrected);
      MOTE_TRY(mote_motion_rank_make(m, &s->matrix, own, error));
    }
    if (s->end < HUGE_VAL && mote_clock_seconds() > s->end) break;
    if (k >= DECREASE_WINDOW && past[k % DECREASE_WINDOW] - s->now.energy <= tolerance * s->now.energy) break;
    past[k % DECREASE_WINDOW] = s->now.energy;
    if (!(s->now.energy > LEAST_ENERGY) || !iterate(s)) break;
  }
  mote_arena_release(own, mark);
  return MOTE_OK;
}

// --- Frames -----------------------------------------------------------------------------------------------

// A time between two frames at which the energy is too large.
typedef struct gap {
  double time, energy;
} gap;

// The worst time of the interval after frame j; energy 0 where all is well: strains and accelerations that
// change linearly in time give the square of the interpolated roots.
static gap worst_between(const mote_deform_motion *m, size_t j, double mean, double *depth) {
  gap worst = {0.0, 0.0};
  double e[ENERGY_SAMPLES + 2], length = m->time[j + 1] - m->time[j];
  for (int k = 0; k <= ENERGY_SAMPLES + 1; ++k) {
    double deep;
    e[k] = mote_motion_density(m, m->time[j] + length * k / (ENERGY_SAMPLES + 1.0), m->node, &deep);
    *depth = max2(*depth, deep);
  }
  double first = sqrt(max2(e[0], 0.0)), last = sqrt(max2(e[ENERGY_SAMPLES + 1], 0.0));
  for (int k = 1; k <= ENERGY_SAMPLES; ++k) {
    double part = k / (ENERGY_SAMPLES + 1.0), root = first + part * (last - first), over = e[k] - root * root;
    if (!(over > m->def.tolerance * (mean + root * root) + LEAST_ENERGY) || !(over > worst.energy)) continue;
    part = min2(max2(part, INSERTION_MARGIN), 1.0 - INSERTION_MARGIN);
    worst = (gap){m->time[j] + length * part, over};
  }
  return worst;
}

// Chooses the frames of the next round into `time` (room for frames_max); returns how many are new.
static size_t choose_frames(search *s, gap *gaps, double *time) {
  mote_deform_motion *m = s->m;
  double mean = s->now.rigidity + s->now.volume + s->now.acceleration + s->now.obstacle;
  size_t left = m->def.frames_max - m->frames, fresh = 0;
  for (size_t j = 0; j + 1 < m->frames; ++j) gaps[j] = worst_between(m, j, mean, &s->now.penetration);
  memcpy(time, m->time, m->frames * sizeof *time);
  for (; fresh < left; ++fresh) {
    size_t best = m->frames;
    for (size_t j = 0; j + 1 < m->frames; ++j)
      if (gaps[j].energy > 0.0 && (best == m->frames || gaps[j].energy > gaps[best].energy)) best = j;
    if (best == m->frames) break;
    size_t at = m->frames + fresh;
    for (; at > 0 && time[at - 1] > gaps[best].time; --at) time[at] = time[at - 1];
    time[at] = gaps[best].time, gaps[best].energy = 0.0;
  }
  return fresh;
}

// Takes the new frames, starting from the motion that there is.
static mote_result insert_frames(search *s, const double *time, size_t count, mote_arena *own,
                                 mote_error *error) {
  mote_deform_motion *m = s->m;
  MOTE_TAKE_NEW(double, from, own, count * m->unknowns, error);
  for (size_t j = 0; j < count; ++j) {
    mote_motion_row row;
    double *to = from + j * m->unknowns;
    mote_motion_row_at(m->time, m->support, m->frames, time[j], &row);
    memset(to, 0, m->unknowns * sizeof *to);
    for (int e = 0; e < row.count; ++e)
      for (size_t k = 0; k < m->unknowns; ++k)
        to[k] += row.value[e] * m->unknown[row.frame[e] * m->unknowns + k];
  }
  MOTE_TRY(mote_motion_set_frames(m, time, count, error));
  memcpy(m->unknown, from, count * m->unknowns * sizeof *from);
  return MOTE_OK;
}

static mote_result take_memory(search *s, mote_arena *own, mote_error *error) {
  mote_deform_motion *m = s->m;
  size_t most = m->def.frames_max, n = most * m->unknowns;
  MOTE_TAKE(s->gradient, own, n, error);
  MOTE_TAKE(s->step, own, n, error);
  MOTE_TAKE(s->trial, own, n, error);
  MOTE_TAKE(s->history, own, 2 * HISTORY_PAIRS * n, error);
  return MOTE_OK;
}

static mote_result run(search *s, mote_arena *own, mote_error *error) {
  mote_deform_motion *m = s->m;
  MOTE_TRY(take_memory(s, own, error));
  MOTE_TAKE_NEW(gap, gaps, own, m->def.frames_max, error);
  MOTE_TAKE_NEW(double, time, own, m->def.frames_max, error);
  bool fine = false;
  for (s->now.rounds = 1;; ++s->now.rounds) {
    int most = fine ? m->def.evaluations : m->def.evaluations / 4 + 1;
    MOTE_TRY(minimise(s, fine ? LAST_TOLERANCE : ENERGY_TOLERANCE, most, own, error));
    size_t fresh = choose_frames(s, gaps, time);
    bool late = s->end < HUGE_VAL && mote_clock_seconds() > s->end,
         full = s->now.rounds >= m->def.rounds || fresh == 0;
    if (late || (full && fine)) return MOTE_OK;
    fine = full;
    if (full) continue;
    mote_arena_mark mark = mote_arena_here(own);
    MOTE_TRY(insert_frames(s, time, m->frames + fresh, own, error));
    mote_arena_release(own, mark);
  }
}

mote_result mote_deform_motion_solve(mote_deform_motion *m, double seconds, mote_deform_motion_report *report,
                                     mote_error *error) {
  if (m == NULL) return mote_fail_key(error, "motion", "is null");
  if (!(seconds >= 0.0)) return mote_fail_key(error, "seconds", "is negative or not a number");
  double start = mote_clock_seconds();
  search s = {.m = m, .end = seconds < HUGE_VAL ? start + seconds : HUGE_VAL};
  mote_arena own = mote_arena_make(&m->env);
  mote_result result = run(&s, &own, error);
  mote_arena_destroy(&own);
  if (result != MOTE_OK) return result;
  if (!isfinite(s.now.energy))
    return mote_fail(error, MOTE_ERROR_NUMERIC, "the energy of the motion is not finite");
  s.now.seconds = mote_clock_seconds() - start;
  if (report != NULL) *report = s.now;
  return MOTE_OK;
}
