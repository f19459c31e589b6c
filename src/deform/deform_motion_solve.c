// Finding a motion: L-BFGS preconditioned by the matrix of time, frames inserted where the motion is not
// resolved. docs/theory/deformation.md, "Motion".
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "deform/deform_dense.h"
#include "deform/deform_motion.h"
#include "geom/triple.h"

#define PAIRS 20             // of steps and changes of the gradient that are remembered
#define HALVINGS 20          // of a step
#define ARMIJO 1e-4          // of the expected decrease
#define WINDOW 8             // evaluations over which the decrease is watched
#define TOLERANCE 1e-3       // of the energy, over the window, before the last round
#define LAST_TOLERANCE 1e-5  // and in it
#define LEAST_ENERGY 1e-20   // rounding
#define BETWEEN 10           // times at which the energy between two frames is evaluated (EG09 8.2)
#define STIFFNESS 2.0  // of the spatial part in the preconditioner, per lambda_2; 0.5 to 8 change little

typedef struct search {
  mote_deform_motion *m;
  mote_deform_motion_report now;
  size_t n;  // unknowns of all frames
  double *gradient, *step, *trial, *history, *matrix;
  size_t stride;
  int pairs, oldest;
  double end;  // s of the clock; infinite: no limit
} search;

static double dot(size_t n, const double *a, const double *b) {
  double sum = 0.0;
  for (size_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

// --- Preconditioner ---------------------------------------------------------------------------------------

// matrix += scale row row^T
static void add_row(search *s, const mote_motion_row *row, const double *weight, double scale) {
  for (int i = 0; i < row->count; ++i)
    for (int j = 0; j <= i; ++j)
      s->matrix[row->frame[i] * s->stride + row->frame[j]] += scale * weight[i] * weight[j];
}

// Second derivatives by the coefficients of one component of one node: keys, velocities and acceleration
// exactly, rigidity as a constant.
static bool make_matrix(search *s) {
  mote_deform_motion *m = s->m;
  const mote_deform_motion_weights *w = &m->def.weight;
  double T2 = m->length * m->length, keys = (double)m->keys, size = m->def.deform->size;
  double unit = 2.0 / ((double)m->nodes * size * size);
  memset(s->matrix, 0, (m->frames + 4) * s->stride * sizeof *s->matrix);
  for (size_t j = 0; j < m->keys; ++j) {
    add_row(s, m->at_key + j, m->at_key[j].value, unit * w->key / keys);
    if (m->key[j].velocity != NULL)
      add_row(s, m->at_key + j, m->at_key[j].slope, unit * w->velocity * T2 / keys);
  }
  double spacing = m->def.deform->space.spacing,
         stiff = STIFFNESS * w->rigidity * size * size / (spacing * spacing);
  for (size_t j = 0; j < m->frames; ++j) {
    add_row(s, m->at_frame + j, m->at_frame[j].bend, unit * m->share[j] * w->acceleration * T2 * T2);
    add_row(s, m->at_frame + j, m->at_frame[j].value, unit * m->share[j] * stiff);
  }
  double trace = 0.0;
  for (size_t j = 0; j < m->frames; ++j) trace += s->matrix[j * s->stride + j];
  for (size_t j = 0; j < m->frames; ++j) s->matrix[j * s->stride + j] += 1e-12 * trace;
  return mote_deform_dense_factorise(m->frames, s->stride, s->matrix);
}

// x = matrix^-1 x, for all components at once.
static void precondition(const search *s, double *x) {
  size_t u = s->m->unknowns, frames = s->m->frames;
  for (size_t i = 0; i < frames; ++i) {
    const double *row = s->matrix + i * s->stride;
    double *to = x + i * u;
    for (size_t k = 0; k < i; ++k) {
      if (row[k] == 0.0) continue;
      for (size_t c = 0; c < u; ++c) to[c] -= row[k] * x[k * u + c];
    }
    for (size_t c = 0; c < u; ++c) to[c] *= row[i];
  }
  for (size_t i = frames; i-- > 0;) {
    const double *row = s->matrix + i * s->stride;
    double *from = x + i * u;
    for (size_t c = 0; c < u; ++c) from[c] *= row[i];
    for (size_t k = 0; k < i; ++k) {
      if (row[k] == 0.0) continue;
      for (size_t c = 0; c < u; ++c) x[k * u + c] -= row[k] * from[c];
    }
  }
}

// --- L-BFGS -----------------------------------------------------------------------------------------------

static double *pair_of(const search *s, int k, int which) {
  return s->history + (2 * (size_t)((s->oldest + k) % PAIRS) + (size_t)which) * s->n;
}

static void set_step(search *s) {
  double alpha[PAIRS], *p = s->step;
  for (size_t i = 0; i < s->n; ++i) p[i] = -s->gradient[i];
  for (int k = s->pairs - 1; k >= 0; --k) {
    const double *ds = pair_of(s, k, 0), *dg = pair_of(s, k, 1);
    alpha[k] = dot(s->n, ds, p) / dot(s->n, ds, dg);
    for (size_t i = 0; i < s->n; ++i) p[i] -= alpha[k] * dg[i];
  }
  precondition(s, p);
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
  if (s->pairs == PAIRS) s->oldest = (s->oldest + 1) % PAIRS, --s->pairs;
  double *ds = pair_of(s, s->pairs, 0), *dg = pair_of(s, s->pairs, 1);
  bool lower = false;
  for (int k = 0; k < HALVINGS && slope < 0.0 && !lower; ++k, part *= 0.5) {
    for (size_t i = 0; i < s->n; ++i) s->trial[i] = m->unknown[i] + part * s->step[i];
    double energy = mote_motion_evaluate(m, s->trial, &s->now, dg);
    lower = energy <= before + ARMIJO * part * slope;
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

static void minimise(search *s, double tolerance) {
  mote_deform_motion *m = s->m;
  double past[WINDOW] = {0};
  int first = s->now.evaluations;
  s->pairs = s->oldest = 0;
  if (!make_matrix(s)) return;
  mote_motion_evaluate(m, m->unknown, &s->now, s->gradient);
  for (int k = 0; s->now.evaluations - first < m->def.evaluations; ++k) {
    if (s->end < HUGE_VAL && mote_clock_seconds() > s->end) return;
    if (k >= WINDOW && past[k % WINDOW] - s->now.energy <= tolerance * s->now.energy) return;
    past[k % WINDOW] = s->now.energy;
    if (!(s->now.energy > LEAST_ENERGY) || !iterate(s)) return;
  }
}

// --- Frames -----------------------------------------------------------------------------------------------

// A time between two frames at which the energy is too large.
typedef struct gap {
  double time, energy;
} gap;

// The worst time of the interval after frame j; energy 0 where all is well.
static gap worst_between(const mote_deform_motion *m, size_t j, double mean, double *depth) {
  gap worst = {0.5 * (m->time[j] + m->time[j + 1]), 0.0};
  double ends = 0.0;
  for (int k = 0; k <= BETWEEN + 1; ++k) {
    double t = m->time[j] + (m->time[j + 1] - m->time[j]) * k / (BETWEEN + 1.0), deep;
    double e = mote_motion_density(m, t, m->node, &deep);
    *depth = max2(*depth, deep);
    if (k == 0 || k == BETWEEN + 1) {
      ends = max2(ends, e);
    } else if (e > worst.energy) {
      worst = (gap){t, e};
    }
  }
  if (!(worst.energy > ends + m->def.tolerance * (mean + ends) + 1e-12)) worst.energy = 0.0;
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
  double *from = mote_arena_take(own, count * m->unknowns, sizeof *from);
  if (from == NULL) return mote_fail_memory(error, count * m->unknowns * sizeof *from);
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
  s->stride = (most + 7) / 4 * 4;
  s->gradient = mote_arena_take(own, n, sizeof(double)), s->step = mote_arena_take(own, n, sizeof(double));
  s->trial = mote_arena_take(own, n, sizeof(double)),
  s->history = mote_arena_take(own, 2 * PAIRS * n, sizeof(double));
  s->matrix = mote_arena_take(own, (most + 4) * s->stride, sizeof(double));
  if (!s->gradient || !s->step || !s->trial || !s->history || !s->matrix)
    return mote_fail_memory(error, 2 * PAIRS * n * sizeof(double));
  return MOTE_OK;
}

static mote_result run(search *s, mote_arena *own, mote_error *error) {
  mote_deform_motion *m = s->m;
  MOTE_TRY(take_memory(s, own, error));
  gap *gaps = mote_arena_take(own, m->def.frames_max, sizeof *gaps);
  double *time = mote_arena_take(own, m->def.frames_max, sizeof *time);
  if (gaps == NULL || time == NULL) return mote_fail_memory(error, m->def.frames_max * sizeof *gaps);
  for (int round = 0;; ++round) {
    s->n = m->frames * m->unknowns, s->now.rounds = round + 1;
    minimise(s, TOLERANCE);
    size_t fresh = choose_frames(s, gaps, time);
    bool late = s->end < HUGE_VAL && mote_clock_seconds() > s->end;
    if (round + 1 >= m->def.rounds || fresh == 0 || late) break;
    mote_arena_mark mark = mote_arena_here(own);
    MOTE_TRY(insert_frames(s, time, m->frames + fresh, own, error));
    mote_arena_release(own, mark);
  }
  minimise(s, LAST_TOLERANCE);
  choose_frames(s, gaps, time);  // for the penetration between frames
  return MOTE_OK;
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
