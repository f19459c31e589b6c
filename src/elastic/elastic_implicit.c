// Implicit steps of elastic bodies: see elastic_implicit.h.
#include "elastic/elastic_implicit.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "elastic/elastic_api.h"
#include "elastic/elastic_explicit.h"
#include "elastic/elastic_system.h"
#include "elastic/tuning.inc"
#include "geom/triple.h"

#define STEP_HALVINGS_MAX 30
#define PART_MIN 0.1                // range: of a share, in one backtracking
#define ARMIJO_DECREASE 1e-4        // cited: part of the predicted decrease (Nocedal & Wright 2006, 3.1)
#define ENERGY_ROUNDING 1e-12       // rounding: relative rounding error of an energy
#define NEWTON_TOLERANCE_MIN 1e-11  // rounding: in supports
#define ROWS_PER_CHUNK 1024
#define UPDATES_MAX 6    // of the multipliers of conditions
#define EARLY_PART 1e-2  // range: of Newton's first change, enough while multipliers still change; times only

// --- The energy of the step: 1/2 |x - goal|^2 M/h^2 + stored energy ----------------------------------

// The rows of external unknowns in a vector.
static double *unknowns_in(const mote_elastic_implicit *s, double *vector) {
  return vector + 3 * s->group.count;
}

static void inertia_chunk(void *data, size_t begin, size_t end, double *term) {
  const mote_elastic_implicit *s = data;
  for (size_t i = begin; i < end; ++i, ++term) {
    double off[3];
    sub3(s->x + 3 * i, s->goal + 3 * i, off);
    term[0] = 0.5 * mote_elastic_system_inertia(s, i) * dot3(off, off);
  }
}

static double step_energy(mote_elastic_implicit *s, const mote_elastic_motion *at) {
  double inertia;
  mote_parallel_sum(s->group.threads, s->rows, 1, inertia_chunk, s, &inertia);
  double energy = inertia + mote_elastic_group_energy(&s->group, at);
  if (s->external == NULL) return energy;
  return energy + s->external->energy(s->external->user, s->x, unknowns_in(s, s->x), s->step);
}

// Midpoint strains at x: part of every residual, not of the tangent, whose error is of the order of the
// rotation in a step.
static void set_midpoint_strains(mote_elastic_implicit *s, const double *x, mote_elastic_motion *at) {
  if (s->middle.group != NULL) mote_elastic_midpoint_see(&s->middle, s->before, x, at);
}

static bool is_acted_on(const mote_elastic_implicit *s) {
  return s->external != NULL && s->external->acts(s->external->user, s->x, unknowns_in(s, s->x), s->step);
}

// Residual: forces minus M/h^2 (x - goal).
static void find_residual(mote_elastic_implicit *s, mote_elastic_motion *at) {
  double *force_y = unknowns_in(s, s->residual);
  memset(force_y, 0, 3 * (s->rows - s->group.count) * sizeof *force_y);
  set_midpoint_strains(s, s->x, at);
  mote_elastic_group_forces(&s->group, at, s->residual);
  s->acted_on = is_acted_on(s);
  s->tolerance = s->acted_on && s->allowed > 0.0 ? s->allowed : s->def.tolerance;
  if (s->acted_on) {
    s->external->forces(s->external->user, s->x, unknowns_in(s, s->x), s->step, 1.0, s->residual, force_y);
  }
  mote_elastic_system_subtract_inertia(s);
}

// --- Newton ------------------------------------------------------------------------------------------

typedef struct inertia_loop {
  const mote_elastic_implicit *s;
  const double *x;
  double *y;
} inertia_loop;

static void add_inertia(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const inertia_loop *l = data;
  for (size_t i = begin; i < end; ++i) {
    if (mote_elastic_system_is_held(l->s, i)) set3(0.0, 0.0, 0.0, l->y + 3 * i);
    step3(l->y + 3 * i, mote_elastic_system_inertia(l->s, i), l->x + 3 * i, l->y + 3 * i);
  }
}

static void apply(void *user, const double *x, double *y) {
  mote_elastic_implicit *s = user;
  size_t n = 3 * s->group.count;
  for (size_t k = 0; k < s->group.bodies; ++k) {
    size_t first = 3 * s->group.start[k];
    if (s->still[k]) {
      memset(y + first, 0, 3 * s->group.body[k]->count * sizeof *y);
    } else {
      mote_elastic_product_apply(&s->product[k], x + first, y + first);
    }
  }
  memset(y + n, 0, (3 * s->rows - n) * sizeof *y);
  if (s->acted_on) s->external->product(s->external->user, x, x + n, y, y + n);
  inertia_loop rest = {.s = s, .x = x, .y = y};
  mote_parallel_for(s->group.threads, s->rows, ROWS_PER_CHUNK, add_inertia, &rest);
}

static void precondition(void *user, const double *x, double *y) {
  mote_elastic_implicit *s = user;
  for (size_t k = 0; k < s->group.bodies; ++k) {
    size_t first = 3 * s->group.start[k];
    if (s->still[k]) {
      memset(y + first, 0, 3 * s->group.body[k]->count * sizeof *y);
    } else {
      mote_elastic_factor_solve(s->factor[k], x + first, y + first);
    }
  }
  size_t n = 3 * s->group.count;
  if (s->external != NULL) s->external->precondition(s->external->user, x + n, y + n);
}

static mote_result make_products(mote_elastic_implicit *s, const mote_elastic_motion *at, bool definite,
                                 mote_error *error) {
  for (size_t k = 0; k < s->group.bodies; ++k) {
    mote_elastic_motion part = mote_elastic_group_part(&s->group, at, k);
    if (s->still[k] || mote_elastic_product_make(&s->product[k], &part, definite)) continue;
    return mote_fail(error, MOTE_ERROR_NUMERIC, "elastic: a displacement gradient is not finite");
  }
  return MOTE_OK;
}

// Conjugate gradients. `begun`: start from the change of distance_by_factors. Solves to the Newton tolerance
// where the remaining distance `left` is known (not 0) and small enough; `ratio`: true over estimated length
// of the last change.
static mote_result solve(mote_elastic_implicit *s, bool begun, double left, double ratio,
                         mote_elastic_report *report, mote_error *error) {
  mote_cg_def def = mote_cg_def_default();
  def.size = 3 * s->rows;
  def.apply = apply, def.precondition = precondition, def.user = s;
  def.tolerance = s->def.cg_tolerance, def.max_iterations = s->def.cg_max;
  def.threads = s->group.threads;
  if (left > 0.0 && CG_FINISH_TOLERANCE * left < s->tolerance) {
    def.enough = CG_NEWTON_FRACTION * s->tolerance / (ratio * s->inverse_unit);
    def.tolerance = min2(def.tolerance, CG_FINISH_TOLERANCE);
  }
  if (!begun) precondition(s, s->residual, s->change);
  mote_cg_report done;
  mote_result result = mote_cg_solve(&def, s->residual, s->change, s->work, &done, error);
  report->cg += done.iterations;
  return result;
}

// The exact tangent needs few Newton iterations; where conjugate gradients find it indefinite, the definite
// tangent replaces it.
static mote_result find_change(mote_elastic_implicit *s, const mote_elastic_motion *at, double left,
                               double ratio, mote_elastic_report *report, mote_error *error) {
  if (s->external != NULL) s->external->stiffness(s->external->user, s->x, unknowns_in(s, s->x), s->step);
  MOTE_TRY(make_products(s, at, false, error));
  if (solve(s, left > 0.0, left, ratio, report, NULL) == MOTE_OK && mote_elastic_system_slope(s) > 0.0)
    return MOTE_OK;
  MOTE_TRY(make_products(s, at, true, error));
  return solve(s, false, left, ratio, report, error);
}

// Backtracking line search along the change.
static void search(mote_elastic_implicit *s, const mote_elastic_motion *at, double *energy) {
  double slope = mote_elastic_system_slope(s), first = *energy, share = 1.0;
  mote_elastic_system_move(s, 1.0);
  for (int h = 0; h < STEP_HALVINGS_MAX; ++h, share *= 0.5) {
    *energy = step_energy(s, at);
    if (*energy <= first - ARMIJO_DECREASE * share * slope + ENERGY_ROUNDING * fabs(first)) return;
    mote_elastic_system_move(s, -0.5 * share);
  }
}

// Forces of the midpoint rule have no energy: backtracking by their slope along the change (Matthies & Strang
// 1979). Leaves the new residual and returns the accepted fraction. Where particles are inverted the
// forces jump, and no fraction may do.
static double search_slope(mote_elastic_implicit *s, mote_elastic_motion *at) {
  double slope = mote_elastic_system_slope(s), share = 1.0;
  mote_elastic_system_move(s, 1.0);
  find_residual(s, at);
  for (int h = 0; h < STEP_HALVINGS_MAX; ++h) {
    double after = mote_elastic_system_slope(s);
    if (after >= -SLOPE_RATIO_MAX * slope) break;
    double part = isfinite(after) ? slope / (slope - after) : 0.0;
    part = max2(PART_MIN, part);
    mote_elastic_system_move(s, (part - 1.0) * share);
    share *= part;
    find_residual(s, at);
  }
  return share;
}

// A small change whose final slope is at most half its initial slope has decreased the energy (trapezoidal
// rule, third-order error), so no energy is evaluated. Leaves the new residual, or restores the state.
static bool try_full_step(mote_elastic_implicit *s, mote_elastic_motion *at) {
  if (!(mote_elastic_system_largest(s, s->change) <= SMALL_CHANGE)) return false;
  double before = mote_elastic_system_slope(s), over;
  bool acted_on = s->acted_on;
  mote_elastic_system_move(s, 1.0);
  find_residual(s, at);
  double after = mote_elastic_system_slope(s);
  over = acted_on || s->acted_on ? CONTACT_SLOPE_RATIO_MAX : SLOPE_RATIO_MAX;
  if (after <= SLOPE_RATIO_MAX * before && after >= -over * before) return true;
  mote_elastic_system_move(s, -1.0);
  find_residual(s, at);
  return false;
}

// Estimates the remaining distance by the stiffness at rest, a lower bound of that with external forces;
// leaves the estimate in s->change.
static double distance_by_factors(mote_elastic_implicit *s) {
  precondition(s, s->residual, s->change);
  if (!s->acted_on) mote_elastic_system_balance(s);
  return mote_elastic_system_largest(s, s->change);
}

// Starts at the lower energy of the two: free flight, or the beginning of the step.
static void begin_search(mote_elastic_implicit *s, const mote_elastic_motion *at) {
  size_t n = s->rows;
  for (size_t i = 0; i < n; ++i)
    copy3((mote_elastic_system_is_held(s, i) ? s->goal : s->begin) + 3 * i, s->x + 3 * i);
  double still = step_energy(s, at);
  memcpy(s->change, s->x, 3 * n * sizeof *s->x);
  memcpy(s->x, s->goal, 3 * n * sizeof *s->x);
  if (step_energy(s, at) <= still) return;
  memcpy(s->x, s->change, 3 * n * sizeof *s->x);
}

// A step of any length.
static mote_result line_search_step(mote_elastic_implicit *s, mote_elastic_motion *at,
                                    mote_elastic_report *report, mote_error *error) {
  report->change = mote_elastic_system_largest(s, s->change);
  if (s->middle.group != NULL) {
    report->change *= search_slope(s, at);
    return MOTE_OK;
  }
  double energy = step_energy(s, at);
  if (!isfinite(energy)) return mote_fail(error, MOTE_ERROR_NUMERIC, "elastic: the energy is not finite");
  search(s, at, &energy);
  find_residual(s, at);
  return MOTE_OK;
}

static void turn_factors(mote_elastic_implicit *s) {
  for (size_t k = 0; k < s->group.bodies; ++k) {
    if (!s->still[k]) mote_elastic_factor_turn(s->factor[k]);
  }
}

// With the contact at x.
static mote_result make_factors(mote_elastic_implicit *s, mote_error *error) {
  size_t ties = 0;
  const mote_elastic_tie *tie = NULL;
  if (s->acted_on) {
    s->external->stiffness(s->external->user, s->x, unknowns_in(s, s->x), s->step);
    tie = s->external->ties(s->external->user, &ties);
  }
  for (size_t k = 0; k < s->group.bodies; ++k) {
    if (s->still[k]) continue;
    MOTE_TRY(mote_elastic_factor_make(s->factor[k], tie, ties, s->group.start[k], error));
  }
  return MOTE_OK;
}

static mote_result estimate_distance(mote_elastic_implicit *s, mote_elastic_motion *at, double *left,
                                     mote_error *error) {
  find_residual(s, at);
  turn_factors(s);
  MOTE_TRY(make_factors(s, error));
  *left = distance_by_factors(s);
  return MOTE_OK;
}

// Starts at the extrapolation by velocities where that is close to the solution. `left`: the estimated
// distance.
static mote_result begin(mote_elastic_implicit *s, mote_elastic_motion *at, double *left, mote_error *error) {
  set_midpoint_strains(s, s->goal, at);
  memcpy(s->x, s->goal, 3 * s->rows * sizeof *s->x);
  mote_elastic_system_extrapolate(s, at);
  MOTE_TRY(estimate_distance(s, at, left, error));
  if (!(*left <= SMALL_CHANGE)) {
    begin_search(s, at);
    MOTE_TRY(estimate_distance(s, at, left, error));
  }
  return MOTE_OK;
}

// Chord steps by the factors alone, while each reduces the error enough; the error after the next is then
// extrapolated, not evaluated. Returns the distance left to conjugate gradients.
static double chord_steps(mote_elastic_implicit *s, mote_elastic_motion *at, double left,
                          mote_elastic_report *report) {
  while (report->newton < s->def.newton_max && try_full_step(s, at)) {
    double went = left, ratio;
    ++report->newton;
    left = distance_by_factors(s);
    ratio = went > 0.0 ? left / went : 0.0;
    if (s->acted_on || !(ratio <= CHORD_RATIO_MAX)) break;
    report->change = ratio * left;
    report->converged = report->change <= s->tolerance;
    if (!report->converged) continue;
    mote_elastic_system_move(s, 1.0);
    if (!is_acted_on(s)) break;
    report->converged = false;
    find_residual(s, at);
    left = distance_by_factors(s);
    break;
  }
  return left;
}

// The estimate by the stiffness at rest is corrected by its ratio in the last change. Ends at the tolerance,
// or at the part `enough` of the first change.
static mote_result newton(mote_elastic_implicit *s, mote_elastic_motion *at, double left, double enough,
                          mote_elastic_report *report, mote_error *error) {
  double ratio = 1.0, early = 0.0;
  if (s->whole && !s->acted_on) left = chord_steps(s, at, left, report);
  while (!report->converged && report->newton < s->def.newton_max) {
    MOTE_TRY(find_change(s, at, left, ratio, report, error));
    ++report->newton;
    if (try_full_step(s, at)) {
      double went = mote_elastic_system_largest(s, s->change);
      ratio = left > 0.0 ? max2(went / left, 1.0) : 1.0;
      bool known = left > 0.0;
      left = distance_by_factors(s);
      report->change = known && left > 0.0 ? min2(went, ratio * left) : went;  // 0: not evaluated
    } else {
      MOTE_TRY(line_search_step(s, at, report, error));
      turn_factors(s);
      left = distance_by_factors(s);
    }
    if (report->newton == 1) early = enough * report->change;
    report->converged = report->change <= max2(s->tolerance, early);
  }
  return MOTE_OK;
}

// Bodies get exactly the momentum that the forces give.
static void shift_bodies(mote_elastic_implicit *s) {
  memset(s->change, 0, 3 * s->rows * sizeof *s->change);
  mote_elastic_system_balance(s);
  mote_elastic_system_move(s, 1.0);
}

// Conditions are met by turns: the minimum for given multipliers, then the multipliers.
static mote_result minimise(mote_elastic_implicit *s, mote_elastic_motion *at, mote_elastic_report *report,
                            mote_error *error) {
  const mote_elastic_external *e = s->external;
  double left, enough = s->allowed > 0.0 ? EARLY_PART : 0.0;
  MOTE_TRY(begin(s, at, &left, error));
  for (int update = 0;; ++update) {
    mote_elastic_report part = {0};
    MOTE_TRY(newton(s, at, left, update + 1 < UPDATES_MAX ? enough : 0.0, &part, error));
    report->newton += part.newton, report->cg += part.cg;
    report->change = part.change, report->converged = part.converged;
    if (e == NULL) return MOTE_OK;
    double off = e->update_multipliers(e->user, s->x, unknowns_in(s, s->x), s->step, update);
    if (!part.converged || update + 1 >= UPDATES_MAX || (off <= 1.0 && part.change <= s->tolerance)) break;
    if (off <= 1.0) enough = 0.0;
    find_residual(s, at);
    left = distance_by_factors(s);
  }
  if (s->acted_on && s->allowed > 0.0) shift_bodies(s);
  return MOTE_OK;
}

// --- The step ----------------------------------------------------------------------------------------

static bool is_still(const mote_elastic_implicit *s, size_t k) {
  size_t i = s->group.start[k], end = s->group.start[k + 1];
  while (i < end && mote_elastic_system_is_held(s, i)) ++i;
  return i == end;
}

static mote_result set_factors(mote_elastic_implicit *s, mote_error *error) {
  bool alone = s->external == NULL || !s->external->possible(s->external->user);
  s->whole = true;
  for (size_t k = 0; k < s->group.bodies; ++k) {
    const uint8_t *held = s->held == NULL ? NULL : s->held + s->group.start[k];
    s->still[k] = is_still(s, k);
    for (size_t i = s->group.start[k]; i < s->group.start[k + 1]; ++i)
      s->diagonal[i] = mote_elastic_system_inertia(s, i);
    if (s->still[k]) continue;
    int wide = mote_elastic_factor_width(s->group.body[k], s->step, alone);
    s->whole &= wide > 1;
    s->factor[k] = mote_elastic_system_factor(s, k, wide);
    if (s->factor[k]->body == NULL) {
      MOTE_TRY(mote_elastic_factor_init(s->factor[k], s->group.body[k], wide, error));
    }
    mote_elastic_factor_set(s->factor[k], s->step, held);
    for (size_t i = s->group.start[k]; i < s->group.start[k + 1]; ++i)
      s->diagonal[i] = mote_elastic_factor_diagonal(s->factor[k], i - s->group.start[k]);
  }
  return MOTE_OK;
}

static void begin_external(mote_elastic_implicit *s) {
  const mote_elastic_external_step step = {.midpoint = s->def.scheme == MOTE_ELASTIC_MIDPOINT,
                                           .step = s->step,
                                           .diagonal = s->diagonal,
                                           .goal = s->goal};
  s->allowed = 0.0;
  if (s->external == NULL) return;
  s->external->begin(s->external->user, &step);
  double allowed = s->external->tolerance(s->external->user);
  if (!(allowed > 0.0)) return;
  s->allowed = max2(NEWTON_TOLERANCE_MIN, CONDITIONS_NEWTON_FRACTION * allowed * s->inverse_unit);
}

mote_result mote_elastic_implicit_step(mote_elastic_implicit *solver, const mote_elastic_motion *motion,
                                       const double *acceleration, double dt, mote_elastic_report *report,
                                       mote_error *error) {
  mote_elastic_implicit *s = solver;
  mote_elastic_report done = {0};
  if (solver == NULL) return mote_fail_key(error, "solver", "is null");
  if (s->checked != NULL) MOTE_TRY(mote_elastic_check_step(s->checked, motion, acceleration, dt, error));
  s->step = s->def.scheme == MOTE_ELASTIC_MIDPOINT ? 0.5 * dt : dt;
  s->held = motion->held, s->external = motion->external;
  MOTE_TRY(mote_elastic_system_rows(s, error));
  MOTE_TRY(set_factors(s, error));
  mote_elastic_system_set_goal(s, motion, acceleration);
  begin_external(s);
  if (s->damped || s->middle.group != NULL) mote_elastic_group_strains(&s->group, s->begin, s->before);
  if (s->middle.group != NULL) mote_elastic_midpoint_begin(&s->middle, s->begin);
  mote_elastic_motion at = *motion;
  at.position = s->x, at.before = s->before, at.step = s->step;
  MOTE_TRY(minimise(s, &at, &done, error));
  if (s->external != NULL) s->external->finish(s->external->user, unknowns_in(s, s->x), s->step, dt);
  mote_elastic_system_finish(s, motion, dt);
  if (report != NULL) *report = done;
  return MOTE_OK;
}
