// Energy, forces and stiffness of elastic contact: see elastic_contact.h. The energy of a record is k/2
// min(0, gap)^2 along its normal and mu N f0( slip ) in its plane, N the lagged normal force (Li et al.
// 2020). Loops over particles in contact, each of which writes only its own values, and over movers.
#include "contact/elastic_contact.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "contact/elastic_contact_normal.h"
#include "geom/triple.h"

#define RECORDS_PER_CHUNK 64
#define DISC_UPDATES 3  // of the multipliers in which the discs of friction follow the normal forces

// --- One record ---------------------------------------------------------------------------------------

typedef struct state {
  const double *x, *y;
  double since;
} state;

// Displacement of the mover's contact point for its unknowns y.
static void mover_displacement(const mote_elastic_contact *s, const mote_elastic_contact_record *t,
                               const double *y, double out[3]) {
  const mote_elastic_contact_mover *m = s->mover + t->mover;
  double turn[3], displacement[3];
  turn3(m->root_inertia, y + 6 * (size_t)t->mover + 3, turn);
  cross3(turn, t->arm, displacement);
  step3(displacement, m->root_mass, y + 6 * (size_t)t->mover, out);
}

// Displacement of i relative to the other side: since the start of the tick for positions, else of
// directions.
static void relative_displacement(const mote_elastic_contact *s, const mote_elastic_contact_record *t,
                                  const state *at, bool positions, double displacement[3]) {
  const double *x = at->x + 3 * (size_t)t->i;
  copy3(x, displacement);
  if (positions) sub3(displacement, s->begin + 3 * (size_t)t->i, displacement);
  if (t->ball) {
    double other[3];
    copy3(at->x + 3 * (size_t)t->other, other);
    if (positions) sub3(other, s->begin + 3 * (size_t)t->other, other);
    sub3(displacement, other, displacement);
    return;
  }
  if (positions) step3(displacement, -at->since, t->motion, displacement);
  if (t->mover == MOTE_NO_MOVER) return;
  double other[3];
  mover_displacement(s, t, at->y, other);
  sub3(displacement, other, displacement);
}

// Gap, normal, and slip in the contact plane; of a condition at the end of the step.
static double gap_and_slip(const mote_elastic_contact *s, const mote_elastic_contact_record *t,
                           const state *at, double normal[3], double slip[3]) {
  double displacement[3];
  relative_displacement(s, t, at, true, displacement);
  copy3(t->normal, normal);
  if (!t->ball) step3(displacement, mote_elastic_contact_times(s) - 1.0, displacement, displacement);
  double along = t->central ? mote_normal_turn(t->apart, displacement, normal) : dot3(normal, displacement);
  step3(displacement, -dot3(normal, displacement), normal, slip);
  step3(slip, 1.0, t->slip, slip);
  return t->gap + along - t->creep * mote_elastic_contact_times(s) * at->since / s->tick;
}

// The slip at which friction reaches its Coulomb limit: it is as stiff as the normal.
static double sticking_slip(const mote_elastic_contact_record *t) {
  return t->friction * t->normal_force / t->stiffness;
}

static mote_normal_law normal_of(const mote_elastic_contact *s, const mote_elastic_contact_record *t,
                                 double gap) {
  double deep = t->stop_depth;
  mote_normal_law a, b;
  if (s->midpoint && s->since == 0.0) {
    a = mote_normal_secant(t->stiffness, t->gap, gap);
    b = mote_normal_secant(t->stop_stiffness, t->gap + deep, gap + deep);
  } else {
    a = mote_normal_spring(t->stiffness, gap);
    b = mote_normal_spring(t->stop_stiffness, gap + deep);
  }
  return (mote_normal_law){a.energy + b.energy, a.force + b.force, a.stiffness + b.stiffness};
}

static double record_energy(const mote_elastic_contact *s, const mote_elastic_contact_record *t,
                            const state *at) {
  if (!t->ball) {
    double n[3], moved[3], gap = gap_and_slip(s, t, at, n, moved);
    double both =
        mote_condition_normal(&t->condition, gap).energy + mote_condition_slip(&t->condition, moved).energy;
    return both / mote_elastic_contact_times(s);
  }
  if (s->only_conditions) return 0.0;
  double normal[3], slip[3], energy = normal_of(s, t, gap_and_slip(s, t, at, normal, slip)).energy;
  if (t->normal_force == 0.0) return energy;
  return energy +
         t->friction * t->normal_force * mote_friction_spring(sticking_slip(t), length3(slip)).energy;
}

static void record_force(const mote_elastic_contact *s, const mote_elastic_contact_record *t, const state *at,
                         double force[3]) {
  set3(0.0, 0.0, 0.0, force);
  if (t->ball ? s->only_conditions : s->only_springs) return;
  if (!t->ball) {
    double n[3], moved[3], gap = gap_and_slip(s, t, at, n, moved);
    mote_condition_friction law = mote_condition_slip(&t->condition, moved);
    step3(law.force, mote_condition_normal(&t->condition, gap).force, n, force);
    return;
  }
  double normal[3], slip[3], normal_force = normal_of(s, t, gap_and_slip(s, t, at, normal, slip)).force;
  for (int k = 0; k < 3; ++k) force[k] = normal_force * normal[k];
  if (t->normal_force == 0.0) return;
  step3(force, -(t->friction * t->normal_force * mote_friction_spring(sticking_slip(t), length3(slip)).over),
        slip, force);
}

// The force of which the impulse is made: of a condition its multipliers.
static void record_outcome(const mote_elastic_contact *s, const mote_elastic_contact_record *t,
                           const state *at, double force[3]) {
  if (t->ball) {
    record_force(s, t, at, force);
    return;
  }
  set3(0.0, 0.0, 0.0, force);
  if (!s->only_springs) step3(t->condition.tangent, t->condition.normal, t->normal, force);
}

static void condition_stiffness(const mote_elastic_contact *s, mote_elastic_contact_record *t,
                                const state *at) {
  double slip[3], gap = gap_and_slip(s, t, at, t->line, slip), times = mote_elastic_contact_times(s);
  mote_condition_friction law = mote_condition_slip(&t->condition, slip);
  t->normal_stiffness = times * mote_condition_normal(&t->condition, gap).stiffness;
  double part = times * t->condition.grip, size = dot3(law.force, law.force),
         along = size > 0.0 ? part * (law.slope - law.over) / size : 0.0;
  int e = 0;
  for (int a = 0; a < 3; ++a) {
    for (int b = a; b < 3; ++b) {
      t->tangent_stiffness[e++] =
          part * law.over * ((a == b) - t->line[a] * t->line[b]) + along * law.force[a] * law.force[b];
    }
  }
}

static void record_stiffness(const mote_elastic_contact *s, mote_elastic_contact_record *t, const state *at) {
  double slip[3];
  if (!t->ball) {
    condition_stiffness(s, t, at);
    return;
  }
  if (s->only_conditions) {
    t->normal_stiffness = 0.0;
    memset(t->tangent_stiffness, 0, sizeof t->tangent_stiffness);
    return;
  }
  t->normal_stiffness = normal_of(s, t, gap_and_slip(s, t, at, t->line, slip)).stiffness;
  memset(t->tangent_stiffness, 0, sizeof t->tangent_stiffness);
  if (t->normal_force == 0.0) return;
  double length = length3(slip);
  mote_friction_law law = mote_friction_spring(sticking_slip(t), length);
  double over = law.over, part = t->friction * t->normal_force,
         along = length > 0.0 ? part * (law.slope - over) / (length * length) : 0.0;
  const double *n = t->line;
  int e = 0;
  for (int a = 0; a < 3; ++a) {
    for (int b = a; b < 3; ++b) {
      t->tangent_stiffness[e++] = part * over * ((a == b) - n[a] * n[b]) + along * slip[a] * slip[b];
    }
  }
}

static void record_product(const mote_elastic_contact *s, const mote_elastic_contact_record *t,
                           const state *at, double out[3]) {
  double w[3];
  const double *D = t->tangent_stiffness, *n = t->line;
  relative_displacement(s, t, at, false, w);
  double along = t->normal_stiffness * dot3(n, w);
  out[0] = along * n[0] + D[0] * w[0] + D[1] * w[1] + D[2] * w[2];
  out[1] = along * n[1] + D[1] * w[0] + D[3] * w[1] + D[4] * w[2];
  out[2] = along * n[2] + D[2] * w[0] + D[4] * w[1] + D[5] * w[2];
}

// --- Loops --------------------------------------------------------------------------------------------

typedef struct contact_loop {
  mote_elastic_contact *write;
  const mote_elastic_contact *set;
  state at;
  void (*of)(const mote_elastic_contact *s, const mote_elastic_contact_record *t, const state *at,
             double out[3]);
  double sign, dt;
  double *out, *out_y;
} contact_loop;

static void row_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const contact_loop *l = data;
  const mote_elastic_contact *s = l->set;
  for (size_t r = begin; r < end; ++r) {
    double sum[3] = {0}, one[3];
    for (size_t k = s->row[r]; k < s->row[r + 1]; ++k) {
      l->of(s, s->record + k, &l->at, one);
      step3(sum, l->sign, one, sum);
    }
    double *out = l->out + 3 * (size_t)s->record[s->row[r]].i;
    step3(out, 1.0, sum, out);
  }
}

// Movers receive the opposite of the forces on the particles.
static void mover_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const contact_loop *l = data;
  const mote_elastic_contact *s = l->set;
  for (size_t m = begin; m < end; ++m) {
    double sum[3] = {0}, twist[3] = {0}, one[3], turn[3], *out = l->out_y + 6 * m;
    for (size_t k = s->mover_first[m]; k < s->mover_first[m + 1]; ++k) {
      const mote_elastic_contact_record *t = s->record + s->mover_record[k];
      l->of(s, t, &l->at, one);
      step3(sum, -l->sign, one, sum);
      cross3(t->arm, one, turn);
      step3(twist, -l->sign, turn, twist);
    }
    turn3(s->mover[m].root_inertia, twist, turn);
    step3(out, s->mover[m].root_mass, sum, out);
    step3(out + 3, 1.0, turn, out + 3);
  }
}

static void gather(contact_loop *l) {
  mote_parallel_for(l->set->env.threads, l->set->rows, RECORDS_PER_CHUNK, row_chunk, l);
  mote_parallel_for(l->set->env.threads, l->set->movers, 1, mover_chunk, l);
}

static void contact_forces(const mote_elastic_contact *set, const double *x, const double *y, double since,
                           double sign, double *force, double *generalised_force) {
  contact_loop l = {.set = set, .at = {x, y, since}, .of = record_force, .sign = sign};
  l.out = force, l.out_y = generalised_force;
  gather(&l);
}

static void contact_product(const void *user, const double *dx, const double *dy, double *out,
                            double *out_y) {
  const mote_elastic_contact *set = user;
  contact_loop l = {.set = set, .at = {dx, dy, 0.0}, .of = record_product, .sign = 1.0};
  l.out = out, l.out_y = out_y;
  gather(&l);
  mote_elastic_contact_support_product(set, dy, out_y);
}

// Whether friction follows normal forces that change: that of springs.
static bool contact_lags(const mote_elastic_contact *set, const double *x, const double *y, double since) {
  const state at = {x, y, since};
  for (size_t k = 0; k < set->records; ++k) {
    double normal[3], slip[3];
    const mote_elastic_contact_record *t = set->record + k;
    if (!t->ball || t->friction == 0.0) continue;
    if (t->normal_force != 0.0 || normal_of(set, t, gap_and_slip(set, t, &at, normal, slip)).force > 0.0)
      return true;
  }
  return false;
}

static void energy_chunk(void *data, size_t begin, size_t end, double *sum) {
  const contact_loop *l = data;
  for (size_t k = begin; k < end; ++k) {
    const mote_elastic_contact_record *t = l->set->record + k;
    sum[0] += (t->ball ? 0.5 : 1.0) * record_energy(l->set, t, &l->at);
  }
}

static double contact_energy(const mote_elastic_contact *set, const double *x, const double *y,
                             double since) {
  contact_loop l = {.set = set, .at = {x, y, since}};
  double sum;
  mote_parallel_sum(set->env.threads, set->records, 1, energy_chunk, &l, &sum);
  return sum + mote_elastic_contact_support_energy(set, y, since);
}

static bool contact_acts(const mote_elastic_contact *set, const double *x, const double *y, double since) {
  const state at = {x, y, since};
  for (size_t k = 0; k < set->records; ++k) {
    double normal[3], slip[3];
    const mote_elastic_contact_record *t = set->record + k;
    if (!t->ball) {
      double gap = gap_and_slip(set, t, &at, normal, slip);
      if (t->condition.disc > 0.0 || mote_condition_normal(&t->condition, gap).force > 0.0) return true;
      continue;
    }
    if (set->only_conditions) continue;
    if (t->normal_force != 0.0 || normal_of(set, t, gap_and_slip(set, t, &at, normal, slip)).force > 0.0)
      return true;
  }
  return mote_elastic_contact_support_acts(set, y, since);
}

static void lag_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const contact_loop *l = data;
  for (size_t k = begin; k < end; ++k) {
    mote_elastic_contact_record *t = l->write->record + k;
    double normal[3], slip[3], gap = gap_and_slip(l->set, t, &l->at, normal, slip);
    if (!t->ball) continue;
    t->normal_force = t->friction > 0.0 ? normal_of(l->set, t, gap).force : 0.0;
  }
}

static void contact_update_lag(mote_elastic_contact *set, const double *x, const double *y, double since) {
  contact_loop l = {.write = set, .set = set, .at = {x, y, since}};
  mote_parallel_for(set->env.threads, set->records, RECORDS_PER_CHUNK, lag_chunk, &l);
}

static void stiffness_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const contact_loop *l = data;
  for (size_t k = begin; k < end; ++k) record_stiffness(l->set, l->write->record + k, &l->at);
}

// Of p: sum k m^-1; of q: the trace of sum k, a bound on every entry.
static void find_diagonal(mote_elastic_contact *s, size_t m) {
  mote_elastic_contact_mover *mover = s->mover + m;
  mover->diagonal[0] = mover->diagonal[1] = 0.0;
  for (size_t k = s->mover_first[m]; k < s->mover_first[m + 1]; ++k) {
    const mote_elastic_contact_record *t = s->record + s->mover_record[k];
    double turn[3], twist[3],
        stiff = t->normal_stiffness +
                max2(t->tangent_stiffness[0], max2(t->tangent_stiffness[3], t->tangent_stiffness[5]));
    cross3(t->arm, t->normal, turn);
    turn3(mover->root_inertia, turn, twist);
    mover->diagonal[0] += stiff * mover->root_mass * mover->root_mass;
    mover->diagonal[1] += stiff * dot3(twist, twist);
  }
}

static void contact_stiffness(mote_elastic_contact *set, const double *x, const double *y, double since) {
  contact_loop l = {.write = set, .set = set, .at = {x, y, since}};
  mote_parallel_for(set->env.threads, set->records, RECORDS_PER_CHUNK, stiffness_chunk, &l);
  for (size_t m = 0; m < set->movers; ++m) find_diagonal(set, m);
  mote_elastic_contact_support_stiffness(set, y, since);
  if (!set->only_conditions) mote_elastic_contact_find_ties(set);
}

// --- The tick -----------------------------------------------------------------------------------------

static void take_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const contact_loop *l = data;
  for (size_t k = begin; k < end; ++k) {
    mote_elastic_contact_record *t = l->write->record + k;
    double force[3];
    record_outcome(l->set, t, &l->at, force);
    step3(t->impulse, l->dt, force, t->impulse);
  }
}

static void contact_add_impulses(mote_elastic_contact *set, const double *x, const double *y, double since,
                                 double dt) {
  contact_loop l = {.write = set, .set = set, .at = {x, y, since}, .dt = dt};
  mote_parallel_for(set->env.threads, set->records, RECORDS_PER_CHUNK, take_chunk, &l);
}

// --- Multipliers -----------------------------------------------------------------------------------------

// By how much gap and slip would have to differ for the present forces to be the multipliers, which they
// become.
static double update(mote_elastic_contact *s, mote_elastic_contact_record *t, const state *at, bool disc) {
  double normal[3], slip[3], off[3], gap = gap_and_slip(s, t, at, normal, slip);
  double force = mote_condition_normal(&t->condition, gap).force;
  mote_condition_friction law = mote_condition_slip(&t->condition, slip);
  sub3(law.force, t->condition.tangent, off);
  double change =
      max2(fabs(force - t->condition.normal) / t->condition.hardness, length3(off) / t->condition.grip);
  t->condition.normal = force;
  copy3(law.force, t->condition.tangent);
  if (disc) t->condition.disc = t->friction * force;
  return change;
}

static double update_all(mote_elastic_contact *set, const double *x, const double *y, double since,
                         int updates) {
  const state at = {x, y, since};
  double most = 0.0;
  for (size_t k = 0; k < set->records; ++k) {
    mote_elastic_contact_record *t = set->record + k;
    if (!t->ball) most = max2(most, update(set, t, &at, updates < DISC_UPDATES));
  }
  most = max2(most, mote_elastic_contact_support_update(set, y, since));
  return most > 0.0 ? most / set->tolerance : 0.0;
}

// --- The end of the tick --------------------------------------------------------------------------------

// Displacement and rotation of the tick that the final velocities do not account for.
static void find_shift(mote_elastic_contact *s, size_t m) {
  mote_elastic_contact_mover *mover = s->mover + m;
  const double *displacement = s->displacement + 6 * m;
  double spin[3], rest[6];
  turn3(mover->root_inertia, mover->twist, spin);
  step3(displacement, -s->since * mover->root_mass, mover->impulse, rest);
  step3(displacement + 3, -s->since, spin, rest + 3);
  mote_elastic_contact_support_end(s, m, rest);
  turn3(mover->root_inertia, rest + 3, mover->turn);
  for (int a = 0; a < 3; ++a) mover->shift[a] = mover->root_mass * rest[a];
}

// Sums the opposite impulses of the records for each mover.
static void sum_movers(mote_elastic_contact *s) {
  for (size_t m = 0; m < s->movers; ++m) {
    mote_elastic_contact_mover *mover = s->mover + m;
    set3(0.0, 0.0, 0.0, mover->impulse), set3(0.0, 0.0, 0.0, mover->twist);
    for (size_t k = s->mover_first[m]; k < s->mover_first[m + 1]; ++k) {
      const mote_elastic_contact_record *t = s->record + s->mover_record[k];
      double turn[3];
      cross3(t->arm, t->impulse, turn);
      step3(mover->impulse, -1.0, t->impulse, mover->impulse);
      step3(mover->twist, -1.0, turn, mover->twist);
    }
    find_shift(s, m);
  }
}

static mote_friction_memory remember(const mote_elastic_contact *s, const mote_elastic_contact_record *t,
                                     const state *at) {
  mote_friction_memory m = {.i = t->i, .other = t->other, .ball = t->ball};
  if (!t->ball) {
    m.normal_force = t->condition.normal;
    copy3(t->condition.tangent, m.slip);
    return m;
  }
  double normal[3];
  gap_and_slip(s, t, at, normal, m.slip);
  double length = length3(m.slip), most = sticking_slip(t);
  for (int a = 0; length > most && a < 3; ++a) m.slip[a] *= most / length;
  return m;
}

// Parts that were stepped take their memory from the records, the others keep theirs.
static mote_result renew_memory(mote_elastic_contact *s, const state *at, mote_error *error) {
  size_t capacity = s->records + s->memories + 1, count = 0, k = 0, old = 0;
  MOTE_TRY(
      mote_reserve(&s->env, &s->next_memory, &s->next_capacity, capacity, sizeof *s->next_memory, error));
  for (size_t p = 0; p < s->parts; ++p) {
    size_t end = s->start[p + 1];
    for (; k < s->records && s->record[k].i < end; ++k) {
      if (s->record[k].normal_force != 0.0 || (!s->record[k].ball && s->record[k].condition.normal > 0.0))
        s->next_memory[count++] = remember(s, s->record + k, at);
    }
    for (; old < s->memories && s->memory[old].i < end; ++old) {
      if (!mote_elastic_contact_is_stepped(s, p)) s->next_memory[count++] = s->memory[old];
    }
  }
  mote_friction_memory *next = s->next_memory;
  size_t next_capacity = s->next_capacity;
  s->next_memory = s->memory, s->next_capacity = s->memory_capacity;
  s->memory = next, s->memory_capacity = next_capacity, s->memories = count;
  return MOTE_OK;
}

// Recoverable energy of the slip of a sticking contact.
static double stored_slip(const mote_elastic_contact_record *t, const double slip[3]) {
  if (t->normal_force == 0.0) return 0.0;
  double length = min2(length3(slip), sticking_slip(t));
  return 0.5 * t->stiffness * length * length;
}

mote_result mote_elastic_contact_end(mote_elastic_contact *set, const double *x, mote_error *error) {
  MOTE_ASSERT(x != NULL);
  const state at = {x, set->displacement, set->since};
  contact_update_lag(set, x, set->displacement, set->since);
  for (size_t k = 0; k < set->records; ++k) {
    double normal[3], slip[3];
    mote_elastic_contact_record *t = set->record + k;
    if (!t->ball) continue;
    t->energy = normal_of(set, t, gap_and_slip(set, t, &at, normal, slip)).energy +
                t->stiffness * mote_elastic_contact_overlap_max(set, t) * t->beyond;
    set->stored += (t->ball ? 0.5 : 1.0) * (t->energy + stored_slip(t, slip));
  }
  sum_movers(set);
  return renew_memory(set, &at, error);
}

// --- Explicit steps -----------------------------------------------------------------------------------

static void accelerate_movers(mote_elastic_contact *s, double dt) {
  for (size_t m = 0; m < s->movers; ++m) {
    double root = s->mover[m].root_mass, *rate = s->rate + 6 * m;
    if (root > 0.0) step3(rate, dt / root, s->applied_gravity, rate);
  }
}

static void contact_drift(void *user, double dt) {
  mote_elastic_contact *set = user;
  if (set->since == 0.0) accelerate_movers(set, -set->tick);
  set->since += dt;
  for (size_t k = 0; k < 6 * set->movers; ++k) set->displacement[k] += dt * set->rate[k];
}

// The forces of the conditions, which are added, and their impulses.
void mote_elastic_contact_take(mote_elastic_contact *set, const double *x, const double *y, double ahead,
                               double dt, double *force, double *force_y) {
  MOTE_ASSERT(set->only_conditions && dt > 0.0);
  contact_loop l = {
      .write = set, .set = set, .at = {x, y, set->since + ahead}, .dt = dt, .of = record_outcome};
  l.sign = 1.0, l.out = force, l.out_y = force_y;
  mote_parallel_for(set->env.threads, set->records, RECORDS_PER_CHUNK, take_chunk, &l);
  gather(&l);
}

// A sliding contact moves its anchor along: a slip that reverses within the tick sticks immediately, instead
// of being pulled towards the anchor of the beginning of the tick.
static void slide_chunk(void *data, size_t begin, size_t end, int worker) {
  (void)worker;
  const contact_loop *l = data;
  for (size_t k = begin; k < end; ++k) {
    mote_elastic_contact_record *t = l->write->record + k;
    double normal[3], slip[3], length, most = sticking_slip(t);
    if (!t->ball || !(t->friction > 0.0)) continue;
    gap_and_slip(l->set, t, &l->at, normal, slip);
    length = length3(slip);
    if (length > most) step3(t->slip, most / length - 1.0, slip, t->slip);
  }
}

void mote_elastic_contact_anchor(mote_elastic_contact *set, const double *x) {
  const state at = {x, set->displacement, set->since};
  for (size_t k = 0; k < set->records; ++k) {
    mote_elastic_contact_record *t = set->record + k;
    double normal[3], slip[3];
    if (t->ball) continue;
    gap_and_slip(set, t, &at, normal, slip);
    step3(t->slip, -1.0, slip, t->slip);
  }
}

void mote_elastic_contact_kick_springs(mote_elastic_contact *set, const mote_elastic_kick *kick) {
  MOTE_ASSERT(kick->dt > 0.0 && kick->force != NULL);
  const double *x = kick->x, dt = kick->dt;
  double *force = kick->force;
  memset(set->generalised_force, 0, 6 * set->movers * sizeof *set->generalised_force);
  contact_update_lag(set, x, set->displacement, set->since);
  contact_loop slide = {.write = set, .set = set, .at = {x, set->displacement, set->since}};
  mote_parallel_for(set->env.threads, set->records, RECORDS_PER_CHUNK, slide_chunk, &slide);
  set->only_springs = true;
  contact_forces(set, x, set->displacement, set->since, 1.0, force, set->generalised_force);
  contact_add_impulses(set, x, set->displacement, set->since, dt);
  set->only_springs = false;
  for (size_t k = 0; k < 6 * set->movers; ++k) set->rate[k] += dt * set->generalised_force[k];
  accelerate_movers(set, dt);
}

// --- As external forces of elastic steps: see elastic_external.h ----------------------------------------

static size_t count_unknowns(const void *user) {
  return 2 * ((const mote_elastic_contact *)user)->movers;
}

static bool is_possible(const void *user) {
  return ((const mote_elastic_contact *)user)->records > 0;
}

static void resting_rate(const void *user, size_t k, double rate[3]) {
  const mote_elastic_contact_mover *mover = ((const mote_elastic_contact *)user)->mover + k / 2;
  set3(0.0, 0.0, 0.0, rate);
  if (k % 2 == 0) copy3(mover->stop_rate, rate);
}

static void former_rate(const void *user, size_t k, double rate[3]) {
  const mote_elastic_contact *set = user;
  const mote_elastic_contact_mover *mover = set->mover + k / 2;
  set3(0.0, 0.0, 0.0, rate);
  if (k % 2 == 0 && mover->root_mass > 0.0)
    step3(rate, -set->tick / mover->root_mass, set->applied_gravity, rate);
}

static bool acts(const void *user, const double *x, const double *y, double ahead) {
  const mote_elastic_contact *set = user;
  return contact_acts(set, x, y, set->since + ahead);
}

static bool lags(const void *user, const double *x, const double *y, double ahead) {
  const mote_elastic_contact *set = user;
  return contact_lags(set, x, y, set->since + ahead);
}

static double energy(const void *user, const double *x, const double *y, double ahead) {
  const mote_elastic_contact *set = user;
  return contact_energy(set, x, y, set->since + ahead);
}

static void forces(const void *user, const double *x, const double *y, double ahead, double sign,
                   double *force, double *force_y) {
  const mote_elastic_contact *set = user;
  contact_forces(set, x, y, set->since + ahead, sign, force, force_y);
  mote_elastic_contact_support_forces(set, y, set->since + ahead, sign, force_y);
}

static void update_lag(void *user, const double *x, const double *y, double ahead) {
  mote_elastic_contact *set = user;
  contact_update_lag(set, x, y, set->since + ahead);
}

static void stiffness(void *user, const double *x, const double *y, double ahead) {
  mote_elastic_contact *set = user;
  contact_stiffness(set, x, y, set->since + ahead);
}

static const mote_elastic_tie *ties(const void *user, size_t *count) {
  const mote_elastic_contact *set = user;
  *count = set->ties;
  return set->tie;
}

static double diagonal(const void *user, size_t k) {
  return ((const mote_elastic_contact *)user)->mover[k / 2].diagonal[k % 2];
}

static void begin(void *user, const mote_elastic_external_step *step) {
  mote_elastic_contact *set = user;
  MOTE_ASSERT(!step->midpoint ||
              set->since == 0.0);  // gaps of the records are those at the start of the step
  set->midpoint = step->midpoint;
  mote_elastic_contact_begin_implicit(set, step);
}

static double largest(const void *user, const double *dy) {
  const mote_elastic_contact *set = user;
  double most2 = 0.0;
  for (size_t k = 0; k < set->mover_first[set->movers]; ++k) {
    double shift[3];
    mover_displacement(set, set->record + set->mover_record[k], dy, shift);
    most2 = max2(most2, dot3(shift, shift));
  }
  return sqrt(most2);
}

static double tolerance(const void *user) {
  const mote_elastic_contact *set = user;
  return set->softness_min * set->tolerance;
}

static double update_multipliers(void *user, const double *x, const double *y, double ahead, int updates) {
  mote_elastic_contact *set = user;
  return update_all(set, x, y, set->since + ahead, updates);
}

// The movers' unknowns start at 0 in every step.
static void finish(void *user, const double *x, const double *y, double ahead, double dt) {
  mote_elastic_contact *set = user;
  contact_add_impulses(set, x, y, set->since + ahead, dt);
  set->since += dt;
  for (size_t k = 0; k < 6 * set->movers; ++k) set->displacement[k] = dt / ahead * y[k];
}

mote_elastic_external mote_elastic_contact_external(mote_elastic_contact *set) {
  MOTE_ASSERT(set != NULL);
  return (mote_elastic_external){.user = set,
                                 .unknowns = count_unknowns,
                                 .possible = is_possible,
                                 .resting_rate = resting_rate,
                                 .former_rate = former_rate,
                                 .begin = begin,
                                 .acts = acts,
                                 .lags = lags,
                                 .energy = energy,
                                 .forces = forces,
                                 .update_lag = update_lag,
                                 .stiffness = stiffness,
                                 .ties = ties,
                                 .product = contact_product,
                                 .diagonal = diagonal,
                                 .largest = largest,
                                 .tolerance = tolerance,
                                 .update_multipliers = update_multipliers,
                                 .finish = finish,
                                 .drift = contact_drift};
}
