// Springs of elastic contact, between elastic particles and those of lattices, in explicit steps: see
// elastic_contact.h. Theory: docs/theory/lattice.md, "Contact"
#include <math.h>

#include "contact/elastic_contact_find.h"

// --- Finding ---------------------------------------------------------------------------------------------

// Bedding modulus: force per area and overlap, Pa/m.
static double bedding_modulus(const mote_elastic_contact *s, size_t i) {
  double young = s->part[s->part_of[i]].ball_young[i - s->start[s->part_of[i]]];
  return CONTACT_STIFFNESS_FACTOR * young / (2.0 * s->radius[i]);
}

static double area_of(const mote_elastic_contact *s, size_t i) {
  double d = 2.0 * s->radius[i];
  return s->dimensions == 3 ? d * d : d;
}

// The overlap, m, beyond which the force is constant.
static double overlap_max(const mote_elastic_contact *s, const mote_elastic_contact_record *t) {
  return MOTE_CONTACT_OVERLAP_MAX * (s->radius[t->i] + s->radius[t->other]);
}

// Balls of one family have no contact with each other. Once for each pair.
mote_result mote_elastic_contact_add_spring(const mote_contact_job *job, size_t i, size_t j,
                                            mote_elastic_contact_chunk *own) {
  const mote_elastic_contact *s = job->set;
  const mote_elastic_contact_part *a = s->part + s->part_of[i], *b = s->part + s->part_of[j];
  double d = s->reach[i] + s->reach[j], r[3];
  if (i >= j || a->ball_family == b->ball_family) return MOTE_OK;
  mote_contact_between(job->scene, job->x + 3 * i, job->x + 3 * j, r);
  if (s->dimensions == 2) r[2] = 0.0;
  double distance = length3(r);
  if (!(distance > 0.0) || !(distance - d < 2.0 * job->travel)) return MOTE_OK;
  mote_elastic_contact_record t = {
      .i = (uint32_t)i, .other = (uint32_t)j, .meets = MOTE_MEETS_BALL, .mover = MOTE_NO_MOVER};
  for (int k = 0; k < 3; ++k) t.normal[k] = r[k] / distance;
  double ki = bedding_modulus(s, i) * area_of(s, i), kj = bedding_modulus(s, j) * area_of(s, j);
  double mi = mote_elastic_contact_mass(s, i), mj = mote_elastic_contact_mass(s, j);
  t.stiffness = ki * kj / (ki + kj);
  t.stop_stiffness = STOP_STIFFNESS_FACTOR * (mi * mj / (mi + mj)) / (job->scene->dt * job->scene->dt);
  t.gap = max2(distance - d, -overlap_max(s, &t));
  // The barrier resists further approach only.
  t.stop_depth = max2(STOP_OVERLAP * (s->radius[i] + s->radius[j]), -t.gap);
  t.friction = mote_elastic_contact_mixed(a->friction, b->friction);
  const mote_elastic_contact_member member[2] = {{(uint32_t)i, 1.0, 1.0}, {(uint32_t)j, -1.0, -1.0}};
  return mote_elastic_contact_keep(s, own, &t, member, 2);
}

// --- Forces ----------------------------------------------------------------------------------------------

// Gap, and slip in the plane.
static double gap_and_slip(const mote_elastic_contact *s, const mote_elastic_contact_record *t,
                           const double *x, double slip[3]) {
  double moved[3], other[3];
  sub3(x + 3 * (size_t)t->i, s->begin + 3 * (size_t)t->i, moved);
  sub3(x + 3 * (size_t)t->other, s->begin + 3 * (size_t)t->other, other);
  sub3(moved, other, moved);
  double along = dot3(t->normal, moved);
  step3(moved, -along, t->normal, slip);
  step3(slip, 1.0, t->slip, slip);
  return t->gap + along;
}

static double normal_force(const mote_elastic_contact_record *t, double gap) {
  return t->stiffness * max2(0.0, -gap) + t->stop_stiffness * max2(0.0, -t->stop_depth - gap);
}

// Cuts the slip at which friction, as stiff as the normal, reaches its limit. Returns how much is left of it.
static double stick(const mote_elastic_contact_record *t, double force, double slip[3]) {
  double length = length3(slip), most = t->friction * force / t->stiffness;
  double left = length > most ? most / length : 1.0;
  for (int a = 0; a < 3; ++a) slip[a] *= left;
  return left;
}

// A sliding contact takes its anchor along: a slip that reverses within the tick sticks at once.
static void kick_spring(const mote_elastic_contact *s, mote_elastic_contact_record *t, const double *x,
                        double dt, double *force) {
  double slip[3], one[3], full[3], pressing = normal_force(t, gap_and_slip(s, t, x, full));
  copy3(full, slip);
  if (stick(t, pressing, slip) < 1.0) step3(t->slip, 1.0, slip, t->slip), step3(t->slip, -1.0, full, t->slip);
  for (int a = 0; a < 3; ++a) one[a] = pressing * t->normal[a] - t->stiffness * slip[a];
  step3(force + 3 * (size_t)t->i, 1.0, one, force + 3 * (size_t)t->i);
  step3(force + 3 * (size_t)t->other, -1.0, one, force + 3 * (size_t)t->other);
  step3(t->impulse, dt, one, t->impulse);
}

void mote_elastic_contact_kick_springs(mote_elastic_contact *set, const double *x, double dt, double *force) {
  MOTE_ASSERT(dt > 0.0 && force != NULL);
  for (size_t k = 0; k < set->records; ++k)
    if (!mote_elastic_contact_has_condition(set->record + k)) kick_spring(set, set->record + k, x, dt, force);
}

mote_friction_memory mote_elastic_contact_slip(const mote_elastic_contact *set,
                                               const mote_elastic_contact_record *t, const double *x) {
  mote_friction_memory m = {.i = t->i, .other = t->other, .meets = t->meets};
  (void)stick(t, normal_force(t, gap_and_slip(set, t, x, m.slip)), m.slip);
  return m;
}

// --- Limits of steps -------------------------------------------------------------------------------------

// Largest stiffness of a record in the tick: without the stop where it cannot be reached.
static double largest_stiffness(const mote_elastic_contact *s, const mote_elastic_contact_record *t) {
  return t->stiffness + (t->gap - 2.0 * s->travel < -t->stop_depth ? t->stop_stiffness : 0.0);
}

void mote_elastic_contact_rates(const mote_elastic_contact *set, const double *mass, double *rate) {
  MOTE_ASSERT(mass != NULL && rate != NULL);
  for (size_t p = 0; p < set->parts; ++p) rate[p] = 0.0;
  for (size_t r = 0; r < set->meetings; ++r) {
    double sum = 0.0, *most = rate + set->part_of[set->meets[r]];
    for (size_t k = set->share_first[r]; k < set->share_first[r + 1]; ++k) {
      const mote_elastic_contact_record *t = set->record + set->share[k].record;
      if (!mote_elastic_contact_has_condition(t)) sum += 2.0 * largest_stiffness(set, t);
    }
    *most = max2(*most, sum / mass[set->meets[r]]);
  }
}
