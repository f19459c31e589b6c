// Conditions of elastic contact in a step, and their multipliers: see condition.h and elastic_contact.h.
#include <math.h>

#include "contact/elastic_contact.h"
#include "geom/triple.h"

// --- The beginning of a step ---------------------------------------------------------------------------

// Squared displacement of a side's point along the normal for an impulse of 1 N s, times its mover's mass.
static double mobility_of(const mote_elastic_contact *s, const mote_elastic_contact_record *t, int side) {
  if (t->mover[side] == MOTE_NO_MOVER) return 0.0;
  const mote_elastic_contact_mover *m = s->mover + t->mover[side];
  double turn[3], twist[3];
  cross3(t->arm[side], t->normal, turn);
  turn3(m->root_inertia, turn, twist);
  return m->root_mass * m->root_mass + dot3(twist, twist);
}

// What the sides of a record give along its normal, where `diagonal` (null: the inertia alone) resists a
// particle, in a step whose square is `square`. Returns that of its particles by their masses alone.
static double find_give(const mote_elastic_contact *s, mote_elastic_contact_record *t, const double *diagonal,
                        double square) {
  double loose = 0.0, times = mote_elastic_contact_times(s);
  for (int side = 0; side < 2; ++side) t->give[side] = square * mobility_of(s, t, side);
  for (uint32_t k = 0; k < t->members; ++k) {
    const mote_elastic_contact_member *m = s->member + t->first + k;
    double part = m->along * m->along, own = square / mote_elastic_contact_mass(s, m->particle);
    bool alone = diagonal == NULL || mote_elastic_contact_is_loose(s, m->particle);
    if (diagonal != NULL && alone) own *= times;
    loose += part * own;
    t->give[m->along < 0.0] += part * (alone ? own : 1.0 / diagonal[m->particle]);
  }
  return loose;
}

static bool is_held(const mote_elastic_contact *s, uint32_t mover) {
  if (mover == MOTE_NO_MOVER) return false;
  uint32_t last = s->mover_record[s->mover_first[mover + 1] - 1] / 2;
  return s->record[last].meets == MOTE_MEETS_STIFF;
}

static void make_condition(mote_elastic_contact *s, mote_elastic_contact_record *t, const double *diagonal,
                           double square) {
  mote_condition *c = &t->condition;
  bool first = c->hardness == 0.0;
  double loose = find_give(s, t, diagonal, square), compliance = t->give[0] + t->give[1];
  // A body held by another gives less than alone.
  if (t->members > 0 && is_held(s, t->mover[1])) compliance = t->give[0];
  double share = t->meets == MOTE_MEETS_FACE ? 0.5 : 1.0;  // faces meet from both sides
  bool rigid = t->meets == MOTE_MEETS_STIFF;
  c->hardness = (rigid ? RIGID_HARDNESS : share * CONDITION_HARDNESS) / compliance;
  c->grip = CONDITION_GRIP * c->hardness;
  c->softness = rigid ? CONDITION_HARDNESS / RIGID_HARDNESS : min2(1.0, compliance / loose);
  s->softness_min = min2(s->softness_min, c->softness);
  if (!first) return;
  // An overlap is no speed: what is left of it comes out slowly, between rigid bodies in their own step.
  if (t->gap < 0.0 && !rigid) t->creep = min2(OVERLAP_PART * -t->gap, OVERLAP_SPEED * s->tick);
  t->overlap = max2(0.0, -t->gap);
  t->gap = max2(0.0, t->gap);
  double apart = MULTIPLIER_GAP * 2.0 * (rigid ? s->radius_max : s->radius[t->i]);
  if (t->gap > apart) c->normal = 0.0, set3(0.0, 0.0, 0.0, c->tangent);
  c->disc = t->friction * c->normal;
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

static double approach_of(const mote_elastic_contact *s, const mote_elastic_contact_record *t,
                          const double *from, const double *to, double step) {
  double sum = step * dot3(t->normal, t->motion);
  for (uint32_t k = 0; k < t->members; ++k) {
    const mote_elastic_contact_member *m = s->member + t->first + k;
    double moved[3];
    if (mote_elastic_contact_is_loose(s, m->particle)) {
      copy3(s->loose_path + 3 * (size_t)s->loose_row[m->particle - s->loose], moved);
    } else {
      sub3(to + 3 * (size_t)m->particle, from + 3 * (size_t)m->particle, moved);
    }
    sum -= m->along * dot3(t->normal, moved);
  }
  return sum;
}

void mote_elastic_contact_begin_implicit(mote_elastic_contact *set, const mote_elastic_external_step *step) {
  MOTE_ASSERT(step->step > 0.0);
  double farthest = -HUGE_VAL, square = step->step * step->step, times = step->midpoint ? 2.0 : 1.0;
  const double *from = set->now != NULL ? set->now : set->begin;
  set->softness_min = 1.0, set->inertia = 1.0 / square, set->factored = false;
  for (size_t k = 0; k < set->records; ++k) {
    mote_elastic_contact_record *t = set->record + k;
    make_condition(set, t, step->diagonal, square);
    farthest = max2(farthest, times * approach_of(set, t, from, step->goal, step->step));
  }
  set_tolerance(set, step->step, farthest);
}

void mote_elastic_contact_begin_kick(mote_elastic_contact *set, const double *from, const double *goal,
                                     double dt) {
  MOTE_ASSERT(dt > 0.0);
  double farthest = -HUGE_VAL, square = dt * dt;
  set->softness_min = 1.0, set->inertia = 1.0 / square, set->factored = false;
  for (size_t k = 0; k < set->records; ++k) {
    mote_elastic_contact_record *t = set->record + k;
    make_condition(set, t, NULL, square);
    farthest = max2(farthest, approach_of(set, t, from, goal, dt));
  }
  set_tolerance(set, dt, farthest);
}

// --- The preconditioner --------------------------------------------------------------------------------

// The stiffness of a record in series with what its other side gives.
void mote_elastic_contact_find_ties(mote_elastic_contact *set) {
  MOTE_ASSERT(set->share_first[set->meetings] <= set->tie_capacity);
  set->ties = 0;
  for (size_t r = 0; r < set->loose_meets; ++r) {
    for (size_t k = set->share_first[r]; k < set->share_first[r + 1]; ++k) {
      const mote_elastic_contact_share *share = set->share + k;
      const mote_elastic_contact_record *t = set->record + share->record;
      const double *D = t->tangent_stiffness;
      double across = (D[0] + D[3] + D[5]) / (set->dimensions - 1);
      if (t->normal_stiffness + across == 0.0) continue;
      mote_elastic_tie *tie = set->tie + set->ties++;
      *tie = (mote_elastic_tie){.particle = set->meets[r]};
      double give = t->give[t->meets == MOTE_MEETS_SAMPLE || set->meets[r] == t->i];
      tie->along = share->along * share->along * t->normal_stiffness / (1.0 + give * t->normal_stiffness);
      tie->across = share->across * share->across * across / (1.0 + give * across);
      copy3(t->normal, tie->normal);
    }
  }
}
