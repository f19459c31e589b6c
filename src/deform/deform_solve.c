// Newton's method and L-BFGS: docs/theory/deformation.md, "Solver".
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "deform/deform_energy.h"
#include "deform/deform_handles.h"
#include "deform/deform_system.h"
#include "deform/tuning.inc"

#define STEP_HALVINGS_MAX 30  // of a step
#define ARMIJO_SHARE 1e-4     // cited: of the expected decrease (Nocedal & Wright 2006, 3.1)
#define WALK_ITERATIONS 4     // at most, in such an increment
#define LEAST_ENERGY 1e-22    // rounding
#define HISTORY_PAIRS 12      // of steps and changes of the gradient that L-BFGS remembers

typedef struct solving {
  mote_deform *d;
  const mote_deform_solve_opts *opts;
  mote_deform_report now;
  double *u;          // displacements
  int positive;       // iterations to come without the negative parts
  bool reused;        // the step was made with the factor of an earlier one
  bool inherited;     // the factor is that of another call
  bool stalled;       // no step lowers the energy
  double before;      // decrease that the step before was expected to bring; 0: there was none
  int pairs, oldest;  // of L-BFGS
} solving;

static double dot(size_t n, const double *a, const double *b) {
  double sum = 0.0;
  for (size_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

static void evaluate(solving *s, const double *u, mote_deform_report *report, double *gradient) {
  if (gradient != NULL) memset(gradient, 0, s->d->system->unknowns * sizeof *gradient);
  mote_deform_evaluate(s->d, u, false, report, gradient);
  ++s->now.evaluations;
}

static void take_energies(solving *s, const mote_deform_report *r) {
  s->now.energy = r->energy, s->now.handle = r->handle, s->now.rigidity = r->rigidity;
  s->now.volume = r->volume, s->now.handle_error = r->handle_error;
  s->now.worst_handle = r->worst_handle;
  s->now.least_determinant = r->least_determinant;
}

// Halves the step until no sample is inverted and the energy falls enough. Returns the part taken, 0 where
// none does.
static double search_line(solving *s, double slope, int halvings) {
  mote_deform_system *y = s->d->system;
  double part = 1.0;
  for (int k = 0; k < halvings; ++k, part *= 0.5) {
    mote_deform_report r;
    for (size_t i = 0; i < y->unknowns; ++i) y->trial[i] = s->u[i] + part * y->step[i];
    evaluate(s, y->trial, &r, NULL);
    if (!(r.least_determinant > 0.0) || !(r.energy <= s->now.energy + ARMIJO_SHARE * part * slope)) continue;
    memcpy(s->u, y->trial, y->unknowns * sizeof *s->u);
    take_energies(s, &r);
    return part;
  }
  return 0.0;
}

// --- Newton --------------------------------------------------------------------------------------------

// The exact matrix near a minimum; without negative parts where that is not positive definite.
static bool make_factor(solving *s) {
  bool good = false;
  if (s->positive == 0) {
    mote_deform_assemble(s->d, s->u, false);
    good = mote_deform_factorise(s->d, DIAGONAL_DAMPING);
    if (!good) s->positive = 2;
  }
  for (double damping = DAMPING_POSITIVE; !good && damping < 1.0; damping *= 100.0) {
    mote_deform_assemble(s->d, s->u, true);
    good = mote_deform_factorise(s->d, damping);
  }
  return good;
}

// With the factor of an earlier step while that does well: a tenth of the work.
static bool newton_step(solving *s) {
  mote_deform_system *y = s->d->system;
  s->reused = y->factored;
  if (!y->factored) y->factored = make_factor(s), s->inherited = false;
  if (!y->factored) return false;
  for (size_t i = 0; i < y->unknowns; ++i) y->step[i] = -y->gradient[i];
  mote_deform_back_substitute(s->d, y->step);
  return true;
}

// A factor that has come from another call and failed: those to come begin with their own.
static void drop_factor(solving *s) {
  mote_deform_system *y = s->d->system;
  if (s->reused && s->inherited && y->matrix != NULL) y->inherit = false;
  y->factored = false;
}

// How much lower the energy may become after a step of `part` that was expected to lower it by `expected`,
// and whether the factor is of use for the next one.
static double newton_left(solving *s, double part, double expected, double lowered) {
  bool exact = !s->reused && s->positive == 0;
  double rate = s->before > 0.0 ? expected / s->before : 1.0, wrong = fabs(lowered - expected);
  if (s->positive > 0) --s->positive;
  s->before = part == 1.0 ? expected : 0.0;
  double limit = s->d->system->matrix != NULL ? SLOW_DECREASE : SLOW_SPARSE;
  bool slow = rate > limit && rate != 1.0;
  if (part < 1.0 || s->positive > 0 || (s->reused && slow) || wrong > limit * expected) drop_factor(s);
  if (part < 1.0) return 2.0 * expected;
  if (exact) return wrong;
  return s->reused && rate < limit ? max2(wrong, expected * rate / (1.0 - rate)) : max2(wrong, expected);
}

// --- L-BFGS (Nocedal 1980) -----------------------------------------------------------------------------

static double *pair_of(const solving *s, int k, int which) {
  const mote_deform_system *y = s->d->system;
  return y->history + (2 * (size_t)((s->oldest + k) % HISTORY_PAIRS) + (size_t)which) * y->unknowns;
}

static bool lbfgs_step(solving *s) {
  mote_deform_system *y = s->d->system;
  size_t n = y->unknowns;
  double alpha[HISTORY_PAIRS], *p = y->step;
  for (size_t i = 0; i < n; ++i) p[i] = -y->gradient[i];
  for (int k = s->pairs - 1; k >= 0; --k) {
    const double *ds = pair_of(s, k, 0), *dg = pair_of(s, k, 1);
    alpha[k] = dot(n, ds, p) / dot(n, ds, dg);
    for (size_t i = 0; i < n; ++i) p[i] -= alpha[k] * dg[i];
  }
  double scale = 1.0 / (1.0 + sqrt(dot(n, y->gradient, y->gradient)));
  if (s->pairs > 0) {
    const double *ds = pair_of(s, s->pairs - 1, 0), *dg = pair_of(s, s->pairs - 1, 1);
    scale = dot(n, ds, dg) / dot(n, dg, dg);
  } else {
    scale *= 0.01 * s->d->size;
  }
  for (size_t i = 0; i < n; ++i) p[i] *= scale;
  for (int k = 0; k < s->pairs; ++k) {
    const double *ds = pair_of(s, k, 0), *dg = pair_of(s, k, 1);
    double beta = dot(n, dg, p) / dot(n, ds, dg);
    for (size_t i = 0; i < n; ++i) p[i] += (alpha[k] - beta) * ds[i];
  }
  return true;
}

// After a step of `part`: y->gradient is still the one before.
static void remember(solving *s, double part) {
  mote_deform_system *y = s->d->system;
  size_t n = y->unknowns;
  mote_deform_report r;
  if (s->pairs == HISTORY_PAIRS) {
    s->oldest = (s->oldest + 1) % HISTORY_PAIRS;
    --s->pairs;
  }
  double *ds = pair_of(s, s->pairs, 0), *dg = pair_of(s, s->pairs, 1);
  evaluate(s, s->u, &r, dg);
  for (size_t i = 0; i < n; ++i) ds[i] = part * y->step[i], dg[i] -= y->gradient[i];
  if (dot(n, ds, dg) > 0.0) ++s->pairs;
}

// --- The loop ------------------------------------------------------------------------------------------

// One iteration. Returns how much lower the energy may become still, in parts of it. After a whole step with
// the exact matrix that is less than the error of the decrease which the matrix foretold: what is left is of
// higher order in it. Where no step lowers the energy it is what the step should have brought: a minimum only
// where that is next to nothing.
static double iterate(solving *s) {
  mote_deform_system *y = s->d->system;
  mote_deform_report r;
  bool newton = s->opts->method == MOTE_DEFORM_NEWTON;
  evaluate(s, s->u, &r, y->gradient);
  take_energies(s, &r);
  ++s->now.iterations;
  if (!(s->now.energy > LEAST_ENERGY)) return 0.0;
  s->stalled = !(newton ? newton_step(s) : lbfgs_step(s));
  if (s->stalled) return HUGE_VAL;
  double slope = dot(y->unknowns, y->gradient, y->step), before = s->now.energy;
  s->stalled = !(slope < 0.0);
  if (s->stalled) return slope == 0.0 ? 0.0 : HUGE_VAL;
  // Where the whole step with an old factor fails, a new one is better than a shorter step.
  double part = search_line(s, slope, newton && s->reused ? 1 : STEP_HALVINGS_MAX);
  if (part == 0.0) {
    // An old factor, or old pairs, may be the reason.
    bool again = newton ? s->reused : s->pairs > 0;
    drop_factor(s);
    s->pairs = 0, s->before = 0.0, s->stalled = !again;
    return again ? HUGE_VAL : -0.5 * slope / s->now.energy;
  }
  if (!newton) remember(s, part);
  double left = newton ? newton_left(s, part, -0.5 * slope, before - s->now.energy) : -0.5 * slope;
  return left / s->now.energy;
}

static bool has_time(const solving *s, double start) {
  return s->now.iterations < s->opts->iterations &&
         (s->opts->milliseconds == HUGE_VAL || 1e3 * (mote_clock_seconds() - start) < s->opts->milliseconds);
}

static void run(solving *s, double start) {
  bool walking = true;
  s->now.arrived = s->now.converged = s->now.stalled = false;
  while (walking && has_time(s, start)) {
    walking = mote_deform_walk(s->d, s->opts->walk_angle, s->opts->walk_length);
    s->now.arrived = !walking || !mote_deform_walk_left(s->d);
    s->pairs = 0, s->before = 0.0;
    double tolerance = s->now.arrived ? s->opts->tolerance : max2(s->opts->tolerance, WALK_TOLERANCE);
    int most = s->now.arrived ? s->opts->iterations : WALK_ITERATIONS;
    for (int k = 0; k < most && has_time(s, start); ++k) {
      double expected = iterate(s);
      s->now.converged = s->now.arrived && expected <= tolerance;
      s->now.stalled = s->now.arrived && s->stalled && !s->now.converged;
      if (expected <= tolerance || s->stalled) break;
    }
    walking = !s->now.arrived;
  }
}

static mote_result check_opts(const mote_deform_solve_opts *o, mote_error *error) {
  if ((unsigned)o->method >= MOTE_DEFORM_METHODS) return mote_fail_key(error, "method", "is unknown");
  if (o->iterations < 0) return mote_fail_key(error, "iterations", "is negative");
  if (!(o->milliseconds >= 0.0)) return mote_fail_key(error, "milliseconds", "is negative or not a number");
  if (!(o->tolerance >= 0.0)) return mote_fail_key(error, "tolerance", "is negative or not a number");
  if (!(o->walk_angle > 0.0)) return mote_fail_key(error, "walk_angle", "is not positive");
  if (!(o->walk_length > 0.0)) return mote_fail_key(error, "walk_length", "is not positive");
  return MOTE_OK;
}

mote_deform_solve_opts mote_deform_solve_opts_default(void) {
  return (mote_deform_solve_opts){
      .iterations = 100, .milliseconds = HUGE_VAL, .tolerance = 1e-4, .walk_angle = 0.2, .walk_length = 0.05};
}

mote_result mote_deform_solve(mote_deform *d, const mote_deform_solve_opts *opts, mote_deform_report *report,
                              mote_error *error) {
  mote_deform_solve_opts usual = mote_deform_solve_opts_default();
  if (d == NULL) return mote_fail_key(error, "deform", "is null");
  if (opts == NULL) opts = &usual;
  MOTE_TRY(check_opts(opts, error));
  double start = mote_clock_seconds();
  mote_deform_system *y = d->system;
  size_t n = y->unknowns;
  if (opts->method == MOTE_DEFORM_NEWTON) MOTE_TRY(mote_deform_system_prepare(d, error));
  if (opts->method == MOTE_DEFORM_LBFGS && y->history == NULL) {
    MOTE_TAKE(y->history, &y->memory, 2 * HISTORY_PAIRS * n, error);
  }
  solving s = {.d = d, .opts = opts, .u = d->displacement, .inherited = true};
  if (!y->inherit) y->factored = false;
  for (size_t i = 0; i < n; ++i) s.u[i] = d->position[i] - d->rest[i];
  evaluate(&s, s.u, &s.now, NULL);
  if (!isfinite(s.now.energy))
    return mote_fail(error, MOTE_ERROR_NUMERIC, "the energy is not finite at the state of the nodes");
  run(&s, start);
  for (size_t i = 0; i < n; ++i) d->position[i] = d->rest[i] + s.u[i];
  s.now.milliseconds = 1e3 * (mote_clock_seconds() - start);
  if (report != NULL) *report = s.now;
  return MOTE_OK;
}
