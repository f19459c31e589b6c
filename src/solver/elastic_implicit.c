// Implicit steps of an elastic body: see elastic_implicit.h.
#include "solver/elastic_implicit.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "geom/triple.h"
#include "solver/elastic_door.h"
#include "solver/elastic_factor.h"
#include "solver/elastic_midpoint.h"
#include "solver/elastic_step.h"
#include "solver/elastic_stiffness.h"

#define HALVINGS 30
#define ENOUGH 1e-4     // of the decrease that the slope promises (Armijo)
#define ROUNDING 1e-12  // of an energy

struct mote_elastic_implicit {
  mote_elastic_implicit_def def;
  mote_elastic *body;
  mote_elastic_factor factor;
  mote_elastic_midpoint middle;
  mote_elastic_tangent *tangent;
  double *begin, *goal, *x;          // positions: at first, without elasticity, sought
  double *before;                    // strains at first
  double *residual, *change, *work;  // of Newton's and conjugate gradients
  double step;
  const uint8_t *held;
  const double *plastic;
};

mote_elastic_implicit_def mote_elastic_implicit_def_default(void) {
  return (mote_elastic_implicit_def){
      .scheme = MOTE_ELASTIC_EULER, .tolerance = 1e-8, .newton_max = 30, .cg_tolerance = 1e-2, .cg_max = 500};
}

static mote_result take_all(mote_elastic_implicit *s, mote_error *error) {
  mote_arena *memory = &s->body->memory;
  size_t n = s->body->count;
  double **array[] = {&s->begin, &s->goal, &s->x, &s->residual, &s->change};
  for (int k = 0; k < 5; ++k) {
    *array[k] = mote_arena_take(memory, 3 * n, sizeof(double));
    if (*array[k] == NULL) return mote_fail_memory(error, 3 * n * sizeof(double));
  }
  s->before = mote_arena_take(memory, 6 * n, sizeof(double));
  s->work = mote_arena_take(memory, 12 * n, sizeof(double));
  s->tangent = mote_arena_take(memory, n, sizeof *s->tangent);
  if (s->before == NULL || s->work == NULL || s->tangent == NULL) {
    return mote_fail_memory(error, n * sizeof *s->tangent);
  }
  if (s->def.scheme == MOTE_ELASTIC_MIDPOINT && s->body->law.kind == MOTE_ELASTIC_SAINT_VENANT) {
    MOTE_TRY(mote_elastic_midpoint_init(&s->middle, s->body, error));
  }
  return mote_elastic_factor_init(&s->factor, s->body, error);
}

static mote_result check_def(const mote_elastic_implicit_def *def, const mote_elastic *body,
                             mote_elastic_implicit **out, mote_error *error) {
  if (def == NULL || body == NULL || out == NULL) {
    return mote_fail_key(error, def == NULL ? "def" : body == NULL ? "body" : "out", "is null");
  }
  if ((unsigned)def->scheme >= MOTE_ELASTIC_SCHEMES) return mote_fail_key(error, "scheme", "is unknown");
  if (!(def->tolerance > 0.0))
    return mote_fail_key(error, "tolerance", "is %g, not positive", def->tolerance);
  if (!(def->cg_tolerance > 0.0))
    return mote_fail_key(error, "cg_tolerance", "is %g, not positive", def->cg_tolerance);
  if (def->newton_max < 1) return mote_fail_key(error, "newton_max", "is %d, not positive", def->newton_max);
  if (def->cg_max < 1) return mote_fail_key(error, "cg_max", "is %d, not positive", def->cg_max);
  return MOTE_OK;
}

mote_result mote_elastic_implicit_create(const mote_elastic_implicit_def *def, mote_elastic *body,
                                         mote_elastic_implicit **out, mote_error *error) {
  MOTE_TRY(check_def(def, body, out, error));
  mote_elastic_implicit *s = mote_arena_take(&body->memory, 1, sizeof *s);
  if (s == NULL) return mote_fail_memory(error, sizeof *s);
  *s = (mote_elastic_implicit){.def = *def, .body = body};
  MOTE_TRY(take_all(s, error));
  *out = s;
  return MOTE_OK;
}

void mote_elastic_implicit_destroy(mote_elastic_implicit *solver) {
  if (solver != NULL) mote_elastic_factor_end(&solver->factor);
}

// --- The step's energy: 1/2 |x - goal|^2 M/h^2 + what is stored
// ---------------------------------------------

static bool is_held(const mote_elastic_implicit *s, size_t i) {
  return s->held != NULL && s->held[i];
}

static void inertia_chunk(void *data, size_t begin, size_t end, double *sum) {
  const mote_elastic_implicit *s = data;
  for (size_t i = begin; i < end; ++i) {
    double off[3];
    sub3(s->x + 3 * i, s->goal + 3 * i, off);
    sum[0] += 0.5 * s->body->mass[i] / (s->step * s->step) * dot3(off, off);
  }
}

static double step_energy(mote_elastic_implicit *s, const mote_elastic_motion *at) {
  double inertia;
  mote_parallel_sum(s->body->env.threads, s->body->count, 1, inertia_chunk, s, &inertia);
  mote_elastic_energies stored = mote_elastic_stored(s->body, at);
  return inertia + stored.strain + stored.hourglass;
}

// What is missing to balance: forces less M/h^2 (x - goal).
static void find_residual(mote_elastic_implicit *s, const mote_elastic_motion *at) {
  const mote_elastic *b = s->body;
  mote_elastic_forces(s->body, at, s->residual);
  for (size_t i = 0; i < b->count; ++i) {
    double off[3], *r = s->residual + 3 * i;
    sub3(s->x + 3 * i, s->goal + 3 * i, off);
    step3(r, -b->mass[i] / (s->step * s->step), off, r);
    if (is_held(s, i)) set3(0.0, 0.0, 0.0, r);
  }
}

// --- Newton
// -------------------------------------------------------------------------------------------------

static void apply(void *user, const double *x, double *y) {
  mote_elastic_implicit *s = user;
  const mote_elastic *b = s->body;
  mote_elastic_stiffness_apply(s->body, s->tangent, x, y);
  for (size_t i = 0; i < b->count; ++i) {
    if (is_held(s, i)) set3(0.0, 0.0, 0.0, y + 3 * i);
    step3(y + 3 * i, b->mass[i] / (s->step * s->step), x + 3 * i, y + 3 * i);
  }
}

static void precondition(void *user, const double *x, double *y) {
  mote_elastic_implicit *s = user;
  mote_elastic_factor_solve(&s->factor, x, y);
}

static mote_result find_change(mote_elastic_implicit *s, const mote_elastic_motion *at,
                               mote_elastic_report *report, mote_error *error) {
  if (!mote_elastic_stiffness_make(s->body, at, true, s->tangent)) {
    return mote_fail(error, MOTE_ERROR_NUMERIC, "elastic: a displacement gradient is not finite");
  }
  mote_cg_def def = mote_cg_def_default();
  def.size = 3 * s->body->count;
  def.apply = apply, def.precondition = precondition, def.user = s;
  def.tolerance = s->def.cg_tolerance, def.max_iterations = s->def.cg_max;
  def.threads = s->body->env.threads;
  memset(s->change, 0, def.size * sizeof *s->change);
  mote_cg_report did;
  MOTE_TRY(mote_cg_solve(&def, s->residual, s->change, s->work, &did, error));
  report->cg += did.iterations;
  return MOTE_OK;
}

static void move(mote_elastic_implicit *s, double by) {
  for (size_t k = 0; k < 3 * s->body->count; ++k) s->x[k] += by * s->change[k];
}

// Along the change, half as far until the energy falls by what its slope promises. Returns how far.
static double search(mote_elastic_implicit *s, const mote_elastic_motion *at, double *energy) {
  double slope = 0.0, first = *energy, far = 1.0;
  for (size_t k = 0; k < 3 * s->body->count; ++k) slope += s->residual[k] * s->change[k];
  move(s, 1.0);
  for (int h = 0; h < HALVINGS; ++h, far *= 0.5) {
    *energy = step_energy(s, at);
    if (*energy <= first - ENOUGH * far * slope + ROUNDING * fabs(first)) return far;
    move(s, -0.5 * far);
  }
  return far;
}

static double largest_change(const mote_elastic_implicit *s) {
  double most = 0.0;
  for (size_t i = 0; i < s->body->count; ++i) most = max2(most, length3(s->change + 3 * i));
  return most * s->body->inverse_unit;
}

// From where there is less to lose: without elasticity, or where the step begins.
static double begin_search(mote_elastic_implicit *s, const mote_elastic_motion *at) {
  size_t n = s->body->count;
  for (size_t i = 0; i < n; ++i) copy3((is_held(s, i) ? s->goal : s->begin) + 3 * i, s->x + 3 * i);
  double still = step_energy(s, at);
  memcpy(s->change, s->x, 3 * n * sizeof *s->x);
  memcpy(s->x, s->goal, 3 * n * sizeof *s->x);
  double moved = step_energy(s, at);
  if (moved <= still) return moved;
  memcpy(s->x, s->change, 3 * n * sizeof *s->x);
  return still;
}

// The midpoint's strains as they are seen from x: part of every residual, not of the tangent, whose error is
// as small as the turn of a step.
static void see_middle(mote_elastic_implicit *s, const double *x, mote_elastic_motion *at) {
  if (s->middle.body != NULL) mote_elastic_midpoint_see(&s->middle, s->plastic, s->before, x, at);
}

static mote_result newton(mote_elastic_implicit *s, mote_elastic_motion *at, mote_elastic_report *report,
                          mote_error *error) {
  see_middle(s, s->goal, at);
  double energy = begin_search(s, at);
  if (!isfinite(energy)) return mote_fail(error, MOTE_ERROR_NUMERIC, "elastic: the energy is not finite");
  while (!report->converged && report->newton < s->def.newton_max) {
    see_middle(s, s->x, at);
    if (s->middle.body != NULL) energy = step_energy(s, at);
    find_residual(s, at);
    MOTE_TRY(find_change(s, at, report, error));
    double far = search(s, at, &energy);
    ++report->newton;
    report->change = far * largest_change(s);
    report->converged = report->change <= s->def.tolerance;
  }
  return MOTE_OK;
}

// --- The step
// -----------------------------------------------------------------------------------------------

static void set_goal(mote_elastic_implicit *s, const mote_elastic_motion *motion,
                     const double *acceleration) {
  for (size_t i = 0; i < s->body->count; ++i) {
    copy3(motion->position + 3 * i, s->begin + 3 * i);
    step3(s->begin + 3 * i, s->step, motion->velocity + 3 * i, s->goal + 3 * i);
    if (acceleration != NULL && !is_held(s, i)) {
      step3(s->goal + 3 * i, s->step * s->step, acceleration + 3 * i, s->goal + 3 * i);
    }
  }
}

// The end of Euler's step; of the midpoint's, which is Euler's of half its length, twice as far. What is held
// goes on as it was told.
static void keep(const mote_elastic_implicit *s, const mote_elastic_motion *motion, double dt) {
  double times = s->def.scheme == MOTE_ELASTIC_MIDPOINT ? 2.0 : 1.0;
  for (size_t i = 0; i < s->body->count; ++i) {
    double *x = motion->position + 3 * i, *v = motion->velocity + 3 * i, way[3];
    const double *begin = s->begin + 3 * i;
    if (is_held(s, i)) {
      step3(begin, dt, v, x);
      continue;
    }
    sub3(s->x + 3 * i, begin, way);
    step3(begin, times, way, x);
    for (int k = 0; k < 3; ++k) v[k] = times * way[k] / s->step - (times - 1.0) * v[k];
  }
}

mote_result mote_elastic_implicit_step(mote_elastic_implicit *solver, const mote_elastic_motion *motion,
                                       const double *acceleration, double dt, mote_elastic_report *report,
                                       mote_error *error) {
  mote_elastic_implicit *s = solver;
  mote_elastic_report did = {0};
  if (solver == NULL) return mote_fail_key(error, "solver", "is null");
  MOTE_TRY(mote_elastic_check_step(s->body, motion, acceleration, dt, error));
  s->step = s->def.scheme == MOTE_ELASTIC_MIDPOINT ? 0.5 * dt : dt;
  s->held = motion->held;
  MOTE_TRY(mote_elastic_factor_set(&s->factor, s->step, s->held, error));
  set_goal(s, motion, acceleration);
  s->plastic = motion->plastic;
  mote_elastic_strains(s->body, s->begin, s->before);
  if (s->middle.body != NULL) mote_elastic_midpoint_begin(&s->middle, s->begin);
  mote_elastic_motion at = *motion;
  at.position = s->x, at.before = s->before, at.step = s->step;
  MOTE_TRY(newton(s, &at, &did, error));
  keep(s, motion, dt);
  if (report != NULL) *report = did;
  return MOTE_OK;
}
