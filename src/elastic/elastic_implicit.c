// Implicit steps of an elastic body: see elastic_implicit.h.
#include "elastic/elastic_implicit.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "elastic/elastic_api.h"
#include "elastic/elastic_explicit.h"
#include "elastic/elastic_system.h"
#include "geom/triple.h"

#define HALVINGS 30
#define ENOUGH 1e-4     // of the decrease that the slope promises (Armijo)
#define ROUNDING 1e-12  // of an energy
#define SMALL 0.05      // a change, in supports, at which the energy's slope is as good as the energy
#define FLATTER 0.5     // slope along a change at its end over that at its beginning
#define KINKED 0.05     // the same beyond the lowest point, where contact may begin on the way
#define CHORD 0.2       // what a change by the factor alone may leave: conjugate gradients cost more
#define SOON 1e-4       // times what is left is within the tolerance: conjugate gradients may go to the end
#define ENOUGH_OF 0.8   // of the tolerance, which is there
#define GRAIN 1024      // rows of a chunk of work
#define LAGS 3          // of Newton's, at the first of which friction follows the normal forces

// --- The step's energy: 1/2 |x - goal|^2 M/h^2 + what is stored
// ---------------------------------------------

static bool is_held(const mote_elastic_implicit *s, size_t i) {
  return s->held != NULL && i < s->group.count && s->held[i];
}

// M/h^2 of a row: external unknowns have masses of 1.
static double inertia_of(const mote_elastic_implicit *s, size_t i) {
  return (i < s->group.count ? s->group.mass[i] : 1.0) / (s->step * s->step);
}

// The rows of external unknowns in a vector.
static double *unknowns_in(const mote_elastic_implicit *s, double *vector) {
  return vector + 3 * s->group.count;
}

static void inertia_chunk(void *data, size_t begin, size_t end, double *sum) {
  const mote_elastic_implicit *s = data;
  for (size_t i = begin; i < end; ++i) {
    double off[3];
    sub3(s->x + 3 * i, s->goal + 3 * i, off);
    sum[0] += 0.5 * inertia_of(s, i) * dot3(off, off);
  }
}

static double step_energy(mote_elastic_implicit *s, const mote_elastic_motion *at) {
  double inertia;
  mote_parallel_sum(s->group.threads, s->rows, 1, inertia_chunk, s, &inertia);
  double energy = inertia + mote_elastic_group_energy(&s->group, at);
  if (s->external == NULL) return energy;
  return energy + s->external->energy(s->external->user, s->x, unknowns_in(s, s->x), s->step);
}

// The midpoint's strains as they are seen from x: part of every residual, not of the tangent, whose error is
// as small as the turn of a step.
static void see_middle(mote_elastic_implicit *s, const double *x, mote_elastic_motion *at) {
  if (s->middle.group != NULL) mote_elastic_midpoint_see(&s->middle, s->before, x, at);
}

static bool is_acted_on(const mote_elastic_implicit *s) {
  return s->external != NULL && s->external->acts(s->external->user, s->x, unknowns_in(s, s->x), s->step);
}

// What is missing to balance: forces less M/h^2 (x - goal).
static void find_residual(mote_elastic_implicit *s, mote_elastic_motion *at) {
  double *force_y = unknowns_in(s, s->residual);
  memset(force_y, 0, 3 * (s->rows - s->group.count) * sizeof *force_y);
  see_middle(s, s->x, at);
  mote_elastic_group_forces(&s->group, at, s->residual);
  s->acted_on = is_acted_on(s);
  if (s->acted_on) {
    s->external->forces(s->external->user, s->x, unknowns_in(s, s->x), s->step, 1.0, s->residual, force_y);
  }
  for (size_t i = 0; i < s->rows; ++i) {
    double off[3], *r = s->residual + 3 * i;
    sub3(s->x + 3 * i, s->goal + 3 * i, off);
    if (is_held(s, i)) {
      set3(0.0, 0.0, 0.0, r);
    } else {
      step3(r, -inertia_of(s, i), off, r);
    }
  }
}

// The lagged part of external forces follows x (friction: the normal forces); of the residual nothing else
// changes.
static void update_lag(mote_elastic_implicit *s) {
  const mote_elastic_external *e = s->external;
  double *y = unknowns_in(s, s->x), *force_y = unknowns_in(s, s->residual);
  e->forces(e->user, s->x, y, s->step, -1.0, s->residual, force_y);
  e->update_lag(e->user, s->x, y, s->step);
  e->forces(e->user, s->x, y, s->step, 1.0, s->residual, force_y);
  for (size_t i = 0; i < s->group.count; ++i) {
    if (is_held(s, i)) set3(0.0, 0.0, 0.0, s->residual + 3 * i);
  }
}

// --- Newton
// -------------------------------------------------------------------------------------------------

typedef struct inertia_loop {
  const mote_elastic_implicit *s;
  const double *x;
  double *y;
} inertia_loop;

static void add_inertia(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const inertia_loop *l = data;
  for (size_t i = begin; i < end; ++i) {
    if (is_held(l->s, i)) set3(0.0, 0.0, 0.0, l->y + 3 * i);
    step3(l->y + 3 * i, inertia_of(l->s, i), l->x + 3 * i, l->y + 3 * i);
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
  mote_parallel_for(s->group.threads, s->rows, GRAIN, add_inertia, &rest);
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
  for (size_t i = s->group.count; i < s->rows; ++i) {
    double over = 1.0 / (inertia_of(s, i) + s->external->diagonal(s->external->user, i - s->group.count));
    for (size_t k = 3 * i; k < 3 * i + 3; ++k) y[k] = over * x[k];
  }
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

// Begins with what distance_left has found, if `begun`, and goes on until that is within the tolerance, if it
// is known (not 0) and not too far; the last change was `ratio` times as long as that had said.
static mote_result solve(mote_elastic_implicit *s, bool begun, double left, double ratio,
                         mote_elastic_report *report, mote_error *error) {
  mote_cg_def def = mote_cg_def_default();
  def.size = 3 * s->rows;
  def.apply = apply, def.precondition = precondition, def.user = s;
  def.tolerance = s->def.cg_tolerance, def.max_iterations = s->def.cg_max;
  def.threads = s->group.threads;
  if (left > 0.0 && SOON * left < s->def.tolerance) {
    def.enough = ENOUGH_OF * s->def.tolerance / (ratio * s->inverse_unit);
    def.tolerance = min2(def.tolerance, SOON);
  }
  if (!begun) precondition(s, s->residual, s->change);
  mote_cg_report did;
  mote_result result = mote_cg_solve(&def, s->residual, s->change, s->work, &did, error);
  report->cg += did.iterations;
  return result;
}

static double slope_of(const mote_elastic_implicit *s) {
  double slope = 0.0;
  for (size_t k = 0; k < 3 * s->rows; ++k) slope += s->residual[k] * s->change[k];
  return slope;
}

// The tangent is exact, which makes the steps of Newton's few; where conjugate gradients find it indefinite,
// it is made without what could make it so.
static mote_result find_change(mote_elastic_implicit *s, const mote_elastic_motion *at, double left,
                               double ratio, mote_elastic_report *report, mote_error *error) {
  if (s->external != NULL) s->external->stiffness(s->external->user, s->x, unknowns_in(s, s->x), s->step);
  MOTE_TRY(make_products(s, at, false, error));
  if (solve(s, left > 0.0, left, ratio, report, NULL) == MOTE_OK && slope_of(s) > 0.0) return MOTE_OK;
  MOTE_TRY(make_products(s, at, true, error));
  return solve(s, false, left, ratio, report, error);
}

static void move(mote_elastic_implicit *s, double by) {
  for (size_t k = 0; k < 3 * s->rows; ++k) s->x[k] += by * s->change[k];
}

// Along the change, half as far until the energy falls by what its slope promises. Returns how far.
static double search(mote_elastic_implicit *s, const mote_elastic_motion *at, double *energy) {
  double slope = slope_of(s), first = *energy, far = 1.0;
  move(s, 1.0);
  for (int h = 0; h < HALVINGS; ++h, far *= 0.5) {
    *energy = step_energy(s, at);
    if (*energy <= first - ENOUGH * far * slope + ROUNDING * fabs(first)) return far;
    move(s, -0.5 * far);
  }
  return far;
}

static double largest(const mote_elastic_implicit *s, const double *change) {
  double most = 0.0;
  for (size_t i = 0; i < s->group.count; ++i) most = max2(most, length3(change + 3 * i));
  return most * s->inverse_unit;
}

// A small change whose slope at its end is at most half of that at its beginning has made the energy fall (by
// the trapezoidal rule, whose error is of third order), and no energy need be found. Leaves the residual
// there, or all as it was.
static bool go_small(mote_elastic_implicit *s, mote_elastic_motion *at) {
  if (!(largest(s, s->change) <= SMALL)) return false;
  double before = slope_of(s), over;
  bool acted_on = s->acted_on;
  move(s, 1.0);
  find_residual(s, at);
  double after = slope_of(s);
  over = acted_on || s->acted_on ? KINKED : FLATTER;
  if (after <= FLATTER * before && after >= -over * before) return true;
  move(s, -1.0);
  find_residual(s, at);
  return false;
}

// A body that nothing holds is moved as a whole by what its momentum says, not by what the factor does, whose
// masses are of another length of step and whose rotations differ from particle to particle.
static void balance(mote_elastic_implicit *s) {
  for (size_t k = 0; k < s->group.bodies; ++k) {
    double mass = 0.0, missing[3] = {0};
    bool held = false;
    for (size_t i = s->group.start[k]; i < s->group.start[k + 1] && !held; ++i) {
      held = is_held(s, i);
      mass += inertia_of(s, i);
      step3(missing, -inertia_of(s, i), s->change + 3 * i, missing);
      step3(missing, 1.0, s->residual + 3 * i, missing);
    }
    for (size_t i = s->group.start[k]; i < s->group.start[k + 1] && !held; ++i) {
      step3(s->change + 3 * i, 1.0 / mass, missing, s->change + 3 * i);
    }
  }
}

// How far the residual would still move the particles, by the stiffness at rest, which is no more than that
// with external forces; that is the change for now.
static double distance_by_factors(mote_elastic_implicit *s) {
  precondition(s, s->residual, s->change);
  if (!s->acted_on) balance(s);
  return largest(s, s->change);
}

// 0, and not asked, where friction is still to change (by the next lag).
static double distance_left(mote_elastic_implicit *s, int newton) {
  return s->acted_on && newton < LAGS ? 0.0 : distance_by_factors(s);
}

// From where there is less to lose: without elasticity, or where the step begins.
static void begin_search(mote_elastic_implicit *s, const mote_elastic_motion *at) {
  size_t n = s->rows;
  for (size_t i = 0; i < n; ++i) copy3((is_held(s, i) ? s->goal : s->begin) + 3 * i, s->x + 3 * i);
  double still = step_energy(s, at);
  memcpy(s->change, s->x, 3 * n * sizeof *s->x);
  memcpy(s->x, s->goal, 3 * n * sizeof *s->x);
  if (step_energy(s, at) <= still) return;
  memcpy(s->x, s->change, 3 * n * sizeof *s->x);
}

// By energies, however far it goes.
static mote_result go_far(mote_elastic_implicit *s, mote_elastic_motion *at, mote_elastic_report *report,
                          mote_error *error) {
  double energy = step_energy(s, at);
  if (!isfinite(energy)) return mote_fail(error, MOTE_ERROR_NUMERIC, "elastic: the energy is not finite");
  double far = search(s, at, &energy);
  report->change = far * largest(s, s->change);
  find_residual(s, at);
  return MOTE_OK;
}

static void turn_factors(mote_elastic_implicit *s) {
  for (size_t k = 0; k < s->group.bodies; ++k) {
    if (!s->still[k]) mote_elastic_factor_turn(s->factor[k]);
  }
}

static double look(mote_elastic_implicit *s, mote_elastic_motion *at) {
  find_residual(s, at);
  turn_factors(s);
  return distance_by_factors(s);
}

// From where velocities lead, if it is not far from there. Returns how far.
static double begin(mote_elastic_implicit *s, mote_elastic_motion *at) {
  see_middle(s, s->goal, at);
  memcpy(s->x, s->goal, 3 * s->rows * sizeof *s->x);
  for (size_t i = 0; i < s->group.count; ++i) {
    step3(s->begin + 3 * i, s->step, at->velocity + 3 * i, s->x + 3 * i);
  }
  double left = look(s, at);
  if (!(left <= SMALL)) {
    begin_search(s, at);
    left = look(s, at);
  }
  return s->acted_on ? 0.0 : left;
}

// Changes by the factors alone, while each leaves little: what the next leaves is then known, too, and it
// need not be looked at. Returns how much is left where conjugate gradients are to go on.
static double go_by_chords(mote_elastic_implicit *s, mote_elastic_motion *at, double left,
                           mote_elastic_report *report) {
  while (report->newton < s->def.newton_max && go_small(s, at)) {
    double went = left, ratio;
    ++report->newton;
    left = distance_left(s, report->newton);
    ratio = went > 0.0 ? left / went : 0.0;
    if (s->acted_on || !(ratio <= CHORD)) break;
    report->change = ratio * left;
    report->converged = report->change <= s->def.tolerance;
    if (!report->converged) continue;
    move(s, 1.0);
    if (!is_acted_on(s)) break;
    report->converged = false;
    find_residual(s, at);
    left = distance_left(s, report->newton);
    break;
  }
  return left;
}

// What is left after a change is known by the stiffness at rest, and so by as much too small as that was for
// the change itself.
static mote_result newton(mote_elastic_implicit *s, mote_elastic_motion *at, mote_elastic_report *report,
                          mote_error *error) {
  double left = begin(s, at), ratio = 1.0;
  if (s->whole && !s->acted_on) left = go_by_chords(s, at, left, report);
  while (!report->converged && report->newton < s->def.newton_max) {
    if (s->acted_on && report->newton < LAGS) {
      update_lag(s);
    }
    MOTE_TRY(find_change(s, at, left, ratio, report, error));
    ++report->newton;
    if (go_small(s, at)) {
      double went = largest(s, s->change);
      bool known = left > 0.0;
      ratio = known ? max2(went / left, 1.0) : 1.0;
      left = distance_left(s, report->newton);
      report->change = known ? min2(went, ratio * left) : went;
    } else {
      MOTE_TRY(go_far(s, at, report, error));
      turn_factors(s);
      left = distance_left(s, report->newton);
    }
    report->converged = report->change <= s->def.tolerance;
  }
  return MOTE_OK;
}

// --- The step
// -----------------------------------------------------------------------------------------------

static void set_goal(mote_elastic_implicit *s, const mote_elastic_motion *motion,
                     const double *acceleration) {
  for (size_t i = s->group.count; i < s->rows; ++i) {
    double rate[3];
    s->external->resting_rate(s->external->user, i - s->group.count, rate);
    set3(0.0, 0.0, 0.0, s->begin + 3 * i), set3(0.0, 0.0, 0.0, s->goal + 3 * i);
    step3(s->begin + 3 * i, s->step, rate, s->begin + 3 * i);
  }
  for (size_t i = 0; i < s->group.count; ++i) {
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
  for (size_t i = 0; i < s->group.count; ++i) {
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

static bool is_still(const mote_elastic_implicit *s, size_t k) {
  size_t i = s->group.start[k], end = s->group.start[k + 1];
  while (i < end && is_held(s, i)) ++i;
  return i == end;
}

static mote_result set_factors(mote_elastic_implicit *s, mote_error *error) {
  bool alone = s->external == NULL || !s->external->possible(s->external->user);
  s->whole = true;
  for (size_t k = 0; k < s->group.bodies; ++k) {
    const uint8_t *held = s->held == NULL ? NULL : s->held + s->group.start[k];
    s->still[k] = is_still(s, k);
    if (s->still[k]) continue;
    int wide = mote_elastic_factor_width(s->group.body[k], s->step, alone);
    s->whole &= wide > 1;
    s->factor[k] = mote_elastic_system_factor(s, k, wide);
    if (s->factor[k]->body == NULL) {
      MOTE_TRY(mote_elastic_factor_init(s->factor[k], s->group.body[k], wide, error));
    }
    MOTE_TRY(mote_elastic_factor_set(s->factor[k], s->step, held, error));
  }
  return MOTE_OK;
}

mote_result mote_elastic_implicit_step(mote_elastic_implicit *solver, const mote_elastic_motion *motion,
                                       const double *acceleration, double dt, mote_elastic_report *report,
                                       mote_error *error) {
  mote_elastic_implicit *s = solver;
  mote_elastic_report did = {0};
  if (solver == NULL) return mote_fail_key(error, "solver", "is null");
  if (s->checked != NULL) MOTE_TRY(mote_elastic_check_step(s->checked, motion, acceleration, dt, error));
  s->step = s->def.scheme == MOTE_ELASTIC_MIDPOINT ? 0.5 * dt : dt;
  s->held = motion->held, s->external = motion->external;
  MOTE_TRY(mote_elastic_system_rows(s, error));
  MOTE_TRY(set_factors(s, error));
  set_goal(s, motion, acceleration);
  if (s->damped || s->middle.group != NULL) mote_elastic_group_strains(&s->group, s->begin, s->before);
  if (s->middle.group != NULL) mote_elastic_midpoint_begin(&s->middle, s->begin);
  mote_elastic_motion at = *motion;
  at.position = s->x, at.before = s->before, at.step = s->step;
  MOTE_TRY(newton(s, &at, &did, error));
  if (s->external != NULL) s->external->finish(s->external->user, s->x, unknowns_in(s, s->x), s->step, dt);
  keep(s, motion, dt);
  if (report != NULL) *report = did;
  return MOTE_OK;
}
