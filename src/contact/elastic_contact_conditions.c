// Conditions of elastic contact in a step, and their multipliers: see condition.h and elastic_contact.h.
#include <math.h>

#include "contact/elastic_contact.h"
#include "geom/triple.h"

// --- The beginning of a step ---------------------------------------------------------------------------

// Squared displacement of the obstacle's point along the normal for an impulse of 1 N s, times its mass.
static double mobility_of(const mote_elastic_contact *s, const mote_elastic_contact_record *t) {
  if (t->mover == MOTE_NO_MOVER) return 0.0;
  const mote_elastic_contact_mover *m = s->mover + t->mover;
  double turn[3], twist[3];
  cross3(t->arm, t->normal, turn);
  turn3(m->root_inertia, turn, twist);
  return m->root_mass * m->root_mass + dot3(twist, twist);
}

// `compliance`: of the row, m/N; `inertia`: of its particle, N/m.
static void make_condition(mote_elastic_contact *s, mote_elastic_contact_record *t, double compliance,
                           double inertia) {
  mote_condition *c = &t->condition;
  bool first = c->hardness == 0.0;
  c->hardness = CONDITION_HARDNESS / compliance, c->grip = CONDITION_GRIP * c->hardness;
  c->softness = min2(1.0, compliance * inertia);
  s->softness_min = min2(s->softness_min, c->softness);
  if (!first) return;
  // An overlap is no speed: what is left of it comes out slowly.
  if (t->gap < 0.0) t->creep = min2(OVERLAP_PART * -t->gap, OVERLAP_SPEED * s->tick);
  t->gap = max2(0.0, t->gap);
  if (t->gap > MULTIPLIER_GAP * 2.0 * s->radius[t->i]) c->normal = 0.0, set3(0.0, 0.0, 0.0, c->tangent);
  c->disc = t->friction * c->normal;
}

// Movers and supports have the inertia of a step of `step` seconds.
static void make_supports(mote_elastic_contact *s, double step) {
  for (size_t k = 0; k < s->supports; ++k)
    s->support[k].condition.hardness = CONDITION_HARDNESS * s->support[k].inverse / (step * step);
}

// Gaps are to be right to a part of the way that a body falls in the step, or of the farthest approach, which
// is negative infinity without conditions.
static void set_tolerance(mote_elastic_contact *s, double step, double farthest) {
  if (farthest == -HUGE_VAL) {
    s->tolerance = 0.0;
    return;
  }
  double fall = length3(s->applied_gravity) * step * step;
  s->tolerance = max2(FALL_TOLERANCE * fall, APPROACH_TOLERANCE * farthest);
}

static double approach_of(const mote_elastic_contact_record *t, const double *from, const double *to,
                          double step) {
  double moved[3];
  sub3(to + 3 * (size_t)t->i, from + 3 * (size_t)t->i, moved);
  step3(moved, -step, t->motion, moved);
  return -dot3(t->normal, moved);
}

void mote_elastic_contact_begin_implicit(mote_elastic_contact *set, const mote_elastic_external_step *step) {
  MOTE_ASSERT(step->step > 0.0);
  double farthest = -HUGE_VAL, square = step->step * step->step, times = step->midpoint ? 2.0 : 1.0;
  set->softness_min = 1.0;
  for (size_t k = 0; k < set->records; ++k) {
    mote_elastic_contact_record *t = set->record + k;
    if (t->ball) continue;
    make_condition(set, t, 1.0 / step->diagonal[t->i] + square * mobility_of(set, t),
                   mote_elastic_contact_mass(set, t->i) / square);
    farthest = max2(farthest, times * approach_of(t, set->begin, step->goal, step->step));
  }
  make_supports(set, step->step);
  set_tolerance(set, step->step, farthest);
}

void mote_elastic_contact_begin_kick(mote_elastic_contact *set, const double *from, const double *goal,
                                     double dt) {
  MOTE_ASSERT(dt > 0.0);
  double farthest = -HUGE_VAL, square = dt * dt;
  set->softness_min = 1.0;
  for (size_t k = 0; k < set->records; ++k) {
    mote_elastic_contact_record *t = set->record + k;
    if (t->ball) continue;
    double mass = mote_elastic_contact_mass(set, t->i);
    make_condition(set, t, square * (1.0 / mass + mobility_of(set, t)), mass / square);
    farthest = max2(farthest, approach_of(t, from, goal, dt));
  }
  make_supports(set, dt);
  set_tolerance(set, dt, farthest);
}

// --- The preconditioner --------------------------------------------------------------------------------

void mote_elastic_contact_find_ties(mote_elastic_contact *set) {
  MOTE_ASSERT(set->records <= set->tie_capacity);
  set->ties = 0;
  for (size_t k = 0; k < set->records; ++k) {
    const mote_elastic_contact_record *t = set->record + k;
    const double *D = t->tangent_stiffness;
    if (t->ball || t->normal_stiffness + D[0] + D[3] + D[5] == 0.0) continue;
    mote_elastic_tie *tie = set->tie + set->ties++;
    *tie = (mote_elastic_tie){.particle = t->i, .along = t->normal_stiffness};
    tie->across = (D[0] + D[3] + D[5]) / (set->dimensions - 1);
    copy3(t->line, tie->normal);
  }
}
